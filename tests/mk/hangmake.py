#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""hangmake.py - a main thread that works, waits once for a share of ten seconds, and works again, in several formats.

FORMATS: name of the file, what makes it, the line of the overview that has to name the wait, its words, and one of them.  Beside main,
threads that wait for work sleep for longer: nobody wants to hear of them.
"""
import json
import struct

import nanomake
import perfettomake as pm

LENGTH = 10 * 10 ** 9      # ns
TURNS = 200
PLACES = {"beginning": 0, "middle": TURNS // 2, "end": TURNS - 1}     # the turn before the wait
METHODS = {0x10: ("app.Main", "create"), 0x14: ("app.Main", "step"), 0x18: ("app.Net", "read"), 0x1c: ("java.lang.Thread", "run"),
           0x20: ("java.util.concurrent.LinkedBlockingQueue", "take"), 0x24: ("java.util.concurrent.locks.LockSupport", "park"),
           0x28: ("app.Worker", "loop"), 0x2c: ("app.Worker", "job")}
CREATE, STEP, READ, RUN, TAKE, PARK, LOOP, JOB = METHODS
JOBS = 8


def life(percent, share=90, place="middle"):
    """Pieces of the life of main, each of which is a run (share: % of the piece) and a sleep: (start, sleep, end, whether it is the wait)."""
    wait = LENGTH * percent // 100
    turn, at, out = (LENGTH - wait) // TURNS, 0, []
    for i in range(TURNS):
        run = turn * share // 100
        out.append((at, at + run, at + turn, False))
        at += turn
        if i == PLACES[place]:
            # The wait begins with some instructions.
            out.append((at, at + 1000, at + wait + 1000, True))
            at += wait + 1000
    return out


def method_trace(percent, share=90, place="middle", second=False):
    """second: main begins after the worker."""
    pieces, cpu, records = life(percent, share, place), 0, []
    end = pieces[-1][2]
    records.append((0, 1, CREATE, 0))
    for start, sleep, until, hangs in pieces:
        method = READ if hangs else STEP
        records.append((start, 1, method, cpu))
        cpu += sleep - start
        records.append((until, 1, method | 1, cpu))
    records.append((end, 1, CREATE | 1, cpu))
    for method in RUN, TAKE, PARK:
        records.append((500, 2, method, 0))
    # The pool looks up once, and has nothing to do.
    records += [(end // 3, 2, PARK | 1, 1000), (end // 3 + 2000, 2, PARK, 2000)]
    records += [(end, 2, method | 1, 2000) for method in (PARK, TAKE, RUN)]
    # A worker waits between its jobs in a loop of its own: as long as all of them, and once for half of its life.
    part = end // (4 * JOBS)
    records.append((0 if second else 500, 3, LOOP, 0))
    for i in range(JOBS):
        start = 2 * part * i + (end // 2 if i >= JOBS // 2 else 0) + 2000
        records += [(start, 3, JOB, part * i), (start + part, 3, JOB | 1, part * (i + 1))]
    records.append((end, 3, LOOP | 1, part * JOBS))
    text = "*version\n3\ndata-file-overflow=false\nclock=dual\nelapsed-time-usec=%d\nclock-call-overhead-nsec=100\nvm=art\npid=1\n*threads\n1\tmain\n2\tpool-1\n3\tworker\n" % (end // 1000)
    text += "*methods\n" + "".join("0x%x\t%s\t%s\t()V\t\n" % (k, *v) for k, v in METHODS.items()) + "*end\n"
    out = text.encode() + b"SLOW" + struct.pack("<HHQH", 3, 32, 5000000, 14) + bytes(14)
    order = sorted(range(len(records)), key=lambda i: (records[i][0], records[i][1] * (-1 if second else 1), i))
    return out + b"".join(struct.pack("<HIII", records[i][1], records[i][2], records[i][3] // 1000, records[i][0] // 1000) for i in order)


def switches(percent, share=90, place="middle"):
    """(time, task that leaves, its state, task that enters) on one CPU; tasks are (name, tid)."""
    idle, main, daemon, worker, out = ("swapper/0", 0), ("main", 100), ("logd", 200), ("kworker/0:1", 300), []
    at = 0
    for task, state in (daemon, "S"), (worker, "I"):
        out += [(at, idle, "R", task), (at + 300000, task, state, idle)]
        at += 400000
    for start, sleep, until, _ in life(percent, share, place):
        out += [(at + start, idle, "R", main), (at + sleep, main, "S", idle)]
    at += LENGTH
    # A wait at the end has none.
    for task, state in (() if place == "end" else ((main, "S"),)) + ((daemon, "S"), (worker, "I")):
        out += [(at, idle, "R", task), (at + 300000, task, state, idle)]
        at += 400000
    return out


def ftrace(percent, share=90, place="middle"):
    lines = ["# tracer: nop\n#\n"]
    for at, before, state, task in switches(percent, share, place):
        lines.append("%16s-%-5d [000] d..2. %d.%06d: sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120\n"
                     % (*before, 100 + at // 10 ** 9, at % 10 ** 9 // 1000, *before, state, *task))
    return "".join(lines).encode()


def perfetto(percent, share=90, place="middle", pid=100):
    states, start = {"R": 0, "S": 1, "I": 128}, 10 ** 12
    tasks = [(100, "main", pid), (200, "logd", 200), (300, "kworker/0:1", 2)]
    out = [pm.clocks(start), pm.ptree(start, [(pid, 1, ["shop"], 0), (200, 1, ["logd"], 0), (2, 0, [], 0)], tasks)]
    return b"".join(out + [pm.bundle(0, [pm.switch(start + at, before[1], before[0], states[state], task[1], task[0])]) for at, before, state, task in switches(percent, share, place)])


def nanoscope(percent, share=90, place="middle"):
    run = nanomake.Run(1)
    run.enter("void app.Main.create()")
    for start, sleep, until, hangs in life(percent, share, place):
        run.enter("int app.Net.read()" if hangs else "void app.Main.step()")
        run.spend(sleep - start)
        run.become(nanomake.SLEEPING)
        run.spend(until - sleep, 0, 0, 0)
        run.become(nanomake.RUNNABLE)
        run.leave()
    run.leave()
    run.become(nanomake.TERMINATED)
    return run


def chrome(percent):
    events = [{"ph": "X", "name": "create", "pid": 7, "tid": 7, "ts": 0, "dur": LENGTH // 1000},
              {"ph": "X", "name": "poll", "pid": 7, "tid": 8, "ts": 0, "dur": LENGTH // 1000}, {"ph": "M", "name": "thread_name", "pid": 7, "tid": 7, "args": {"name": "main"}}]
    events += [{"ph": "X", "name": "read" if hangs else "step", "pid": 7, "tid": 7, "ts": start // 1000, "dur": (until - start) // 1000} for start, sleep, until, hangs in life(percent)]
    return json.dumps(events).encode()


def chrome_named(percent):
    """The wait is in no other call, and only its name says that it is one."""
    events = [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 7, "args": {"name": "main"}}]
    events += [{"ph": "X", "name": "mutex_lock_wait" if hangs else "step", "pid": 7, "tid": 7, "ts": start // 1000,
                "dur": (until - start) // 1000} for start, sleep, until, hangs in life(percent)]
    return json.dumps(events).encode()


def chrome_clocks(percent):
    """Two clocks: main waits between its tasks, and in one before the clock of its CPU time goes on."""
    events, cpu = [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}], 0
    for start, sleep, until, hangs in life(percent, 50):
        run = 0 if hangs else (sleep - start) // 1000
        events.append({"ph": "X", "name": "task", "pid": 7, "tid": 7, "ts": start // 1000, "dur": (until - start) // 1000 if hangs else run, "tts": cpu, "tdur": run})
        if hangs:
            events.append({"ph": "X", "name": "read", "pid": 7, "tid": 7, "ts": start // 1000 + 1, "dur": (until - start) // 1000 - 2, "tts": cpu, "tdur": 0})
        cpu += run
    return json.dumps(events).encode()


def chrome_open(percent, most=90):
    """An operation that has no end, and many that have one, after up to so many us."""
    events = [{"ph": "X", "name": "step", "pid": 7, "tid": 7, "ts": at * 1000 + 900, "dur": 100} for at in range(LENGTH // 10 ** 6)]
    for i in range(50):
        events += [{"ph": ph, "cat": "net", "id": i, "name": "load", "pid": 7, "tid": 7, "ts": i * (most + 10) + at} for ph, at in (("b", 0), ("e", most))]
    return json.dumps(events + [{"ph": "b", "cat": "net", "id": 99, "name": "load", "pid": 7, "tid": 7, "ts": LENGTH * (100 - percent) // 100000}]).encode()


def long_call(percent, children, most, worker):
    """A call for that share of ten seconds: load, with so many children, or with one that takes most % of it, beside steps; other threads have
    a loop of their own for a share of the time, or wait."""
    wall, step = LENGTH * percent // 100, LENGTH // TURNS
    begins = (LENGTH - wall) // 2
    events = [("main", "create", 0, LENGTH), ("main", "load", begins, wall)]
    events += [("main", "step", at, min(step, end - at)) for start, end in ((0, begins), (begins + wall, LENGTH)) for at in range(start, end, step)]
    events += [("main", "part%d" % (i % 3), begins + i * (wall // children), wall // children - 1000) for i in range(children)]
    events += [("main", "only", begins + 1000, wall * most // 100 - 2000)] if most else []
    for thread in "worker 1", "worker 2":
        events += [(thread, "serve", 0, LENGTH * worker // 100)] + [(thread, "job", i * step, step // 2) for i in range(TURNS // 2)]
        events += [("idle " + thread, "poll", 0, LENGTH)]
    tids = {name: i + 1 for i, name in enumerate(dict.fromkeys(e[0] for e in events))}
    out = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": {"name": name}} for name, tid in tids.items()]
    return json.dumps(out + [{"ph": "X", "name": name, "pid": 1, "tid": tids[thread], "ts": start / 1000, "dur": wall / 1000} for thread, name, start, wall in events]).encode()


FORMATS = (("hang.trace", method_trace, "longest wait", "main in app.Net.read", "app.Net.read"), ("hang.sched.txt", ftrace, "longest wait", "main, sleep", "sleep"),
           ("hang.pftrace", perfetto, "longest wait", "main, sleep", "sleep"), ("hang.nano", nanoscope, "longest wait", "main in app.Net.read", "app.Net.read"),
           ("hang.json", chrome, "longest call", "read  main", "read"), ("named.json", chrome_named, "longest call", "mutex_lock_wait  main", "mutex_lock_wait"),
           ("clocks.json", chrome_clocks, "longest wait", "CrRendererMain in read", "read"), ("open.json", chrome_open, "never ended", "load  1 async slice", "load"))


def write(path, made):
    if isinstance(made, nanomake.Run):
        nanomake.write(path, made)
    else:
        with open(path, "wb") as f:
            f.write(made)
