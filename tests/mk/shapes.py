# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""shapes.py SHAPE N FOLDER: files in which one thing is there N times and all else is small; shapes.py list.

Names, sizes and times follow from N alone.
"""
import io
import json
import os
import struct
import subprocess
import sys
import zipfile

import codemake
import ofxmake
import sidemake
from heapfile import BOOLEAN, BYTE, INT, OBJECT, Dump
from heapjava import array_list, boot, chain, hash_map
from jfrfile import Chunk, java_class, method, stack, state, thread
from pprofmake import message, number, varint

SHAPES = {}


def shape(name, n=3000, options=()):
    """A maker of bytes, text or {name: bytes}, those with a dot in front for options.  n: of which it takes some tenths of a second to read twice as many; options: of icecore."""
    def keep(maker):
        SHAPES[name] = maker, n, tuple(options)
        return maker
    return keep


def write(name, n, folder):
    """The names of the files."""
    made = SHAPES[name][0](n)
    files = made if isinstance(made, dict) else {"a": made}
    os.makedirs(folder, exist_ok=True)
    for file, data in files.items():
        with open(os.path.join(folder, file), "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
    return sorted(f for f in files if not f.startswith("."))


# ---- method traces -----------------------------------------------------------------


METHODS = [(4 * i, "com.example.Main\tstep%d\t()V\tMain.java\t%d" % (i, i)) for i in range(1, 9)]


def calls(threads, rounds, method_of):
    """Each thread makes some nested calls; the threads take turns."""
    now, records = 0, []
    for k in range(rounds):
        for i, t in enumerate(threads):
            now += 1
            for action, m in ((0, method_of(i, k)), (0, 8), (1, 8), (1, method_of(i, k))):
                records.append((t, m, action, now))
                now += 1
    return records


@shape("trace threads")
def trace_threads(n):
    threads = [(i + 1, "worker-%d" % i) for i in range(n)]
    return sidemake.trace(threads, METHODS, calls([t for t, _ in threads], 2, lambda i, k: 4 * (1 + (i + k) % 8)))


@shape("trace pools")
def trace_pools(n):
    """Names that no two threads share, and no number."""
    letters = ["".join(chr(97 + (i >> 4 * b) % 16) for b in range(5)) for i in range(n)]
    threads = [(i + 1, letters[i]) for i in range(n)]
    return sidemake.trace(threads, METHODS, calls([t for t, _ in threads], 2, lambda i, k: 4 * (1 + (i + k) % 8)))


@shape("trace methods")
def trace_methods(n):
    methods = [(4 * i, "com.example.p%d.C%d\tstep%d\t()V\tMain.java\t%d" % (i % 50, i, i, i % 9000)) for i in range(1, n + 9)]
    return sidemake.trace([(1, "main"), (2, "worker")], methods, calls([1, 2], n, lambda i, k: 4 * (1 + k)))


@shape("trace deep", 10000)
def trace_deep(n):
    enters = [(1, 4 * (1 + i % 8), 0, i) for i in range(n)]
    return sidemake.trace([(1, "main")], METHODS, enters + [(t, m, 1, 2 * n - at) for t, m, _, at in reversed(enters)])


@shape("trace calls")
def trace_calls(n):
    return sidemake.trace([(1, "main"), (2, "worker")], METHODS, calls([1, 2], n, lambda i, k: 4 * (1 + k % 8)))


@shape("trace unended", 10000)
def trace_unended(n):
    """Exits without an enter, enters without an exit."""
    return sidemake.trace([(1, "main")], METHODS, [(1, 4 * (1 + i % 8), i < n, i) for i in range(2 * n)])


# ---- schedulers ----------------------------------------------------------------------


def switches(tasks, cpus, rounds, marks=False):
    """Each task is woken and runs; tasks: (pid, name, process)."""
    out, now = ["# tracer: nop\n#"], 0
    form = "%16s-%-7d (%5d) [%03d] d..3 %d.%06d: %s"
    for k in range(rounds):
        for i, (pid, name, group) in enumerate(tasks):
            cpu = i % cpus

            def tell(who, what):
                nonlocal now
                now += 10
                out.append(form % (who[1], who[0], who[2], cpu, 100 + now // 10 ** 6, now % 10 ** 6, what))
            idle = (0, "<idle>", 0)
            tell(tasks[i - 1] if k else idle, "sched_wakeup: comm=%s pid=%d prio=120 target_cpu=%03d" % (name, pid, cpu))
            tell(idle, "sched_switch: prev_comm=swapper/%d prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=%s next_pid=%d next_prio=120"
                 % (cpu, name, pid))
            if marks:
                tell((pid, name, group), "tracing_mark_write: B|%d|draw" % group)
                tell((pid, name, group), "tracing_mark_write: E|%d" % group)
            tell((pid, name, group), "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=swapper/%d next_pid=0 next_prio=120"
                 % (name, pid, cpu))
    return "\n".join(out) + "\n"


@shape("sched tasks")
def sched_tasks(n):
    return switches([(100 + i, "task%d" % i, 100 + i) for i in range(n)], 4, 2)


@shape("sched threads")
def sched_threads(n):
    """All of one process, with sections."""
    return switches([(100 + i, "worker%d" % i, 100) for i in range(n)], 4, 2, True)


@shape("sched switches")
def sched_switches(n):
    return switches([(100 + i, "task%d" % i, 100 + i) for i in range(8)], 4, n // 8, True)


@shape("sched cpus")
def sched_cpus(n):
    return switches([(100 + i, "task%d" % i, 100 + i) for i in range(n)], n, 2)


@shape("sched long lines", 100000)
def sched_long_lines(n):
    """Times all along a line between two switches: of each only what is near is looked at."""
    lines = switches([(100, "task", 100)], 1, 1).splitlines()
    return "\n".join([*lines[:-1], "79371.874569 [0011] " + ") [1] 1.000000: x: " * (n // 2), "79371.874569 [0011] " + "x] 1.000 1.000 1.000 " * (n // 2), lines[-1]]) + "\n"


# ---- profiles as text ------------------------------------------------------------------


@shape("folded threads", 12000, ("--as", "folded"))
def folded_threads(n):
    return "".join("[worker-%d tid=%d];App.run;App.step%d %d\n" % (i, i + 1, i % 8, 1 + i % 7) for i in range(n))


@shape("folded frames", 12000)
def folded_frames(n):
    """Each below the one root, in packages of some."""
    return "".join("App.run;com.example.p%d.C%d.step%d %d\n" % (i % 99, i, i, 1 + i % 7) for i in range(n))


@shape("folded deep")
def folded_deep(n):
    return ";".join("App.step%d" % i for i in range(n)) + " 5\n" + "".join("App.run;App.step%d 2\n" % i for i in range(8))


@shape("folded recursion")
def folded_recursion(n):
    return "App.run;" * n + "App.end 5\nApp.run;App.end 2\n"


@shape("folded stacks", 12000)
def folded_stacks(n):
    """Paths of a tree of few names."""
    return "".join(";".join("App.s%d" % (i >> 3 * k & 7) for k in range(7)) + " %d\n" % (1 + i % 5) for i in range(n))


@shape("perf threads", 8000)
def perf_threads(n):
    return "".join("java %d/%d [%03d] %d.%06d: 10 cycles:u: \n\t 7f3c20 App.step%d+0x1f (/tmp/lib%d.so)\n\t 5b0a1 main (/usr/bin/java)\n\n" % (
        100 + i // 4, 100 + i, i % 4, 1 + i // 10 ** 5, i % 10 ** 5 * 10, i % 8, i % 3) for i in range(n))


@shape("perf libraries", 8000)
def perf_libraries(n):
    return "".join("java %d/%d [000] %d.%06d: 10 cycles:u: \n\t 7f3c%x [unknown] (/usr/lib/lib%d.so)\n\t 5b0a1 main (/usr/bin/java)\n\n" % (
        100, 100 + i % 2, 1 + i // 10 ** 5, i % 10 ** 5 * 10, i, i) for i in range(n))


@shape("perf events", 8000)
def perf_events(n):
    return "".join("java 100/100 [000] %d.%06d: 10 event%d: \n\t 7f3c20 App.step%d+0x1f (/tmp/lib.so)\n\n" % (
        1 + i // 10 ** 5, i % 10 ** 5 * 10, i, i % 8) for i in range(n))


@shape("perf pairs", 4000)
def perf_pairs(n):
    """All begin before any ends, each with a key of its own; then memory that nobody frees, and ends without a begin."""
    sample = "java %d [000] %d.%06d: %s\n\t 7f3c20 schedule_step%d+0x1f (/tmp/lib.so)\n\t 5b0a1 main (/usr/bin/java)\n\n"
    at = lambda i: (1 + i // 10 ** 5, i % 10 ** 5 * 10)
    return "".join(sample % ((i % 9,) + at(i) + ("syscalls:sys_enter_call%d: fd: 0x0" % i, i)) for i in range(n)) + \
        "".join(sample % ((i % 9,) + at(n + i) + ("syscalls:sys_exit_call%d: 0x0" % i, i)) for i in range(n)) + \
        "".join(sample % ((i % 9,) + at(2 * n + i) + ("kmem:kmalloc: call_site=f%d+0x1 ptr=0x%x bytes_req=8 bytes_alloc=8" % (i, i + 1), i)) for i in range(n)) + \
        "".join(sample % ((i % 9,) + at(3 * n + i) + ("lock:contention_end: 0x%x (ret=0)" % i, i)) for i in range(n))


# ---- JSON ------------------------------------------------------------------------------


def events(rows):
    return json.dumps(dict(traceEvents=list(rows)), separators=(",", ":"))


def event(i, ph, name, pid=1, tid=1, **more):
    return dict(ph=ph, name=name, pid=pid, tid=tid, ts=10 * i, **more)


@shape("chrome threads")
def chrome_threads(n):
    return events(e for i in range(n) for e in (event(0, "M", "thread_name", tid=i, args=dict(name="worker %d" % i)),
                                                event(i, "X", "step %d" % (i % 8), tid=i, dur=50),
                                                event(2 * i, "i", "mark", tid=i, s="t")))


@shape("chrome processes")
def chrome_processes(n):
    return events(e for i in range(n) for e in (event(0, "M", "process_name", i, i, args=dict(name="process %d" % i)),
                                                event(i, "X", "step %d" % (i % 8), i, i, dur=50)))


@shape("chrome counters")
def chrome_counters(n):
    return events(event(i + n * k, "C", "memory %d" % i, args=dict(used=i + k)) for k in range(2) for i in range(n))


@shape("chrome series")
def chrome_series(n):
    """Many numbers in one counter."""
    return events(event(k, "C", "memory", args={"used %d" % i: i + k for i in range(n)}) for k in range(2))


@shape("chrome instants")
def chrome_instants(n):
    return events([event(0, "X", "all", dur=10 * n)] + [event(i, "i", "mark %d" % i, s="g") for i in range(n)])


@shape("chrome async")
def chrome_async(n):
    return events(e for i in range(n) for e in (event(i, "b", "load %d" % i, cat="net", id=i), event(i + 5, "e", "load %d" % i, cat="net", id=i)))


@shape("chrome async open")
def chrome_async_open(n):
    """All of one kind, each inside the one before."""
    return events([event(i, "b", "load", cat="net", id=1) for i in range(n)] + [event(n + i, "e", "load", cat="net", id=1) for i in range(n)])


@shape("chrome flows")
def chrome_flows(n):
    return events(e for i in range(n) for e in (event(10 * i, "X", "a", dur=50), event(10 * i + 1, "s", "flow", cat="c", id=i),
                                                event(10 * i, "X", "b", tid=2, dur=50), event(10 * i + 2, "f", "flow", tid=2, cat="c", id=i, bp="e")))


@shape("chrome names")
def chrome_names(n):
    return events(event(10 * i, "X", "step %d" % i, dur=50, cat="c%d" % i, args=dict(url="http://x/%d" % i)) for i in range(n))


@shape("chrome nested", 10000)
def chrome_nested(n):
    return events([event(i, "B", "step %d" % (i % 8)) for i in range(n)] + [event(n + i, "E", "step %d" % ((n - 1 - i) % 8)) for i in range(n)])


def profile(stack, ids):
    """Samples of V8, one each microsecond; stack: (id, parent)."""
    nodes = [dict(id=i, callFrame=dict(functionName="f%d" % i), **(dict(parent=parent) if parent else {})) for i, parent in stack]
    return [event(0, "P", "Profile", id="0x1", args=dict(data=dict(startTime=0))),
            event(0, "P", "ProfileChunk", id="0x1", args=dict(data=dict(cpuProfile=dict(nodes=nodes, samples=ids), timeDeltas=[1] * len(ids))))]


@shape("chrome filled")
def chrome_filled(n):
    """Two deep stacks in turn, in one call: each sample leaves all frames and enters others."""
    return events([event(0, "X", "task", dur=n)] + profile([(i + 1, i - 1 if i > 1 else 0) for i in range(200)], [199 + i % 2 for i in range(n)]))


@shape("chrome filled calls")
def chrome_filled_calls(n):
    """One stack that many calls interrupt."""
    return events([event(0, "X", "task", dur=10 * n)] + [event(4 * i + 2, "X", "call", dur=1) for i in range(n)] +
                  profile([(i + 1, i) for i in range(20)], [20] * (10 * n)))


@shape("chrome kernels")
def chrome_kernels(n):
    return events([event(2 * i, "X", "k%d" % i, pid=i % 8, tid=i % 50, dur=1 + i % 3, cat="kernel", args=dict(stream=i % 50)) for i in range(n)])


def gecko(threads, counters=(), categories=("Other",)):
    return json.dumps(dict(
        meta=dict(interval=1, preprocessedProfileVersion=30, startTime=0, categories=[dict(name=c, color="grey", subcategories=["Other"]) for c in categories]),
        threads=threads, counters=list(counters)), separators=(",", ":"))


def gecko_thread(i, names, samples, markers=(), categories=None):
    """names: of functions, each called by the first one; samples: functions; markers: names, by number."""
    k = len(names)
    return dict(name="T%d" % i, pid=1, tid=i + 1, stringArray=list(names) + ["mark %d" % m for m in range(len(markers))],
                funcTable=dict(length=k, name=list(range(k))),
                frameTable=dict(length=k, func=list(range(k)), category=categories or [0] * k, subcategory=[0] * k),
                stackTable=dict(length=k, frame=list(range(k)), prefix=[None] + [0] * (k - 1)),
                samples=dict(length=len(samples), stack=list(samples), time=list(range(1, len(samples) + 1))),
                markers=dict(length=len(markers), name=[k + m for m in range(len(markers))], startTime=list(markers),
                             endTime=[m + 1 for m in markers], phase=[1] * len(markers), data=[None] * len(markers)))


@shape("firefox threads")
def firefox_threads(n):
    return gecko([gecko_thread(i, ["main", "step%d" % (i % 8)], [1, 0], [3]) for i in range(n)])


@shape("firefox markers")
def firefox_markers(n):
    return gecko([gecko_thread(0, ["main", "step"], [1, 0], list(range(n)))])


@shape("firefox counters")
def firefox_counters(n):
    return gecko([gecko_thread(0, ["main", "step"], [1, 0])], [dict(
        name="malloc %d" % i, category="Memory", description="", pid=1,
        samples=dict(length=2, time=[1, 2], count=[5, 7], number=[1, 1])) for i in range(n)])


@shape("firefox categories")
def firefox_categories(n):
    names = ["main"] + ["step%d" % i for i in range(n)]
    return gecko([gecko_thread(0, names, range(n), (), list(range(n + 1)))], (), ["Category %d" % i for i in range(n + 1)])


# ---- binary profiles -----------------------------------------------------------------------


def pprof(samples, strings, types=1):
    """samples: (ids of locations, {label: text}).  A location is one function, a function a name: its own number."""
    at = {s: i for i, s in enumerate(strings)}
    kinds = [message(1, number(1, at["cpu%d" % i]) + number(2, at["count"])) for i in range(types)]
    used = sorted({i for ids, _ in samples for i in ids})
    out = kinds + [message(2, message(1, b"".join(map(varint, ids))) + message(2, b"".join(varint(3 + k) for k in range(types))) +
                           b"".join(message(3, number(1, at[k]) + number(2, at[v])) for k, v in labels.items())) for ids, labels in samples]
    out += [message(4, number(1, i) + number(3, 0x400000 + 16 * i) + message(4, number(1, i) + number(2, 5))) for i in used]
    out += [message(5, number(1, i) + number(2, i)) for i in used]
    return b"".join(out) + b"".join(message(6, s) for s in strings)


@shape("pprof frames")
def pprof_frames(n):
    return pprof([((i + 3, 3), {}) for i in range(1, n)], ["", "cpu0", "count"] + ["main.step%d" % i for i in range(n)])


@shape("pprof threads")
def pprof_threads(n):
    return pprof([((4, 3), {"thread": "worker %d" % i}) for i in range(n)],
                 ["", "cpu0", "count", "main.run", "main.step", "thread"] + ["worker %d" % i for i in range(n)])


@shape("pprof label sets")
def pprof_label_sets(n):
    """A set for each sample, and one that has all."""
    names = ["span %d" % i for i in range(n)]
    return pprof([((4, 3), {"service": "a", "id": name}) for name in names] + [((4, 3), dict(zip(names, reversed(names))))],
                 ["", "cpu0", "count", "main.run", "main.step", "service", "a", "id"] + names)


@shape("pprof events")
def pprof_events(n):
    return pprof([((2, 3), {})] * 4, ["", "count", "main.run", "main.step"] + ["cpu%d" % i for i in range(n)], n)


def recording(tell, n):
    chunk = Chunk()
    run = method("com/example/Main", "run"), 12, "JIT compiled"
    for i in range(n):
        tell(chunk, i, stack([(method("com/example/Main", "step%d" % (i % 8)), 7, "JIT compiled"), run]))
    return chunk.metadata().checkpoint().bytes(duration=1000 * n)


def sampled(chunk, i, frames, who):
    chunk.event("jdk.ExecutionSample", startTime=1000 + 100 * i, sampledThread=who, stackTrace=frames, state=state())


@shape("recording threads")
def recording_threads(n):
    def tell(chunk, i, frames):
        who = thread(100 + i, "worker-%d" % i)
        sampled(chunk, i, frames, who)
        chunk.event("jdk.ThreadPark", startTime=1000 + 100 * i, duration=50, eventThread=who, stackTrace=frames)
        chunk.event("jdk.ThreadAllocationStatistics", startTime=1000 + 100 * i, allocated=i, thread=who)
    return recording(tell, n)


@shape("recording frames")
def recording_frames(n):
    return recording(lambda chunk, i, _: sampled(chunk, i, stack([(method("com/example/C%d" % i, "step%d" % i), 7, "JIT compiled")]), thread(100, "main")), n)


@shape("recording waits")
def recording_waits(n):
    def tell(chunk, i, frames):
        who = thread(100 + i % 2, "worker-%d" % (i % 2))
        chunk.event("jdk.JavaMonitorEnter", startTime=1000 + 100 * i, duration=50, eventThread=who, stackTrace=frames,
                    monitorClass=java_class("com/example/Lock%d" % i), previousOwner=thread(101 - i % 2, "worker-%d" % (1 - i % 2)), address=i)
    return recording(tell, n)


@shape("recording allocations")
def recording_allocations(n):
    return recording(lambda chunk, i, frames: chunk.event(
        "jdk.ObjectAllocationSample", startTime=1000 + 100 * i, eventThread=thread(100, "main"), stackTrace=frames,
        objectClass=java_class("com/example/C%d" % i), weight=100), n)


# ---- tables, statements, bytecode --------------------------------------------------------


@shape("table columns")
def table_columns(n):
    return {"a.csv": "".join(",".join((("c%d" if row == 0 else str(row) + "%d") % i) for i in range(n)) + "\n" for row in range(4))}


@shape("table records")
def table_records(n):
    return {"a.csv": "name,group,size\n" + "".join("n%d,g%d,%d\n" % (i, i % 50, i % 999) for i in range(n))}


@shape("table groups", 3000, ("--path", "group,name", "--weight", "size"))
def table_groups(n):
    return {"a.csv": "name,group,size\n" + "".join("n%d,g%d,%d\n" % (i, i, i % 999) for i in range(n))}


def statements(accounts, rows):
    parts = [ofxmake.statement(False, "12345%06d" % a, 2025, [(1 + r % 12, 1 + r % 28, "POS", 100 + r % 7000, "Payee %d" % r, "") for r in range(rows)], 1000)
             for a in range(accounts)]
    return ofxmake.document(parts, 2025)


@shape("statements accounts")
def statements_accounts(n):
    return statements(n, 2)


@shape("statements transactions")
def statements_transactions(n):
    return statements(1, n)


def program(name, methods, lines=3):
    body = [("log",)] * lines + [("return",)]
    return codemake.class_file([("m%d" % i, "()V", True, body, []) for i in range(methods)]).replace(b"demo/Random", name.encode())


@shape("code classes")
def code_classes(n):
    return {"a.jar": codemake.jar([("demo/C%05d.class" % i, program("demo/C%05d" % i, 2)) for i in range(n)])}


@shape("code methods")
def code_methods(n):
    return {"a.jar": codemake.jar([("demo/Random.class", program("demo/Random", n, 1))])}


@shape("code instructions", 400)
def code_instructions(n):
    """Branches over a Cursor, and handlers, each around a few of them."""
    body = [("null", 1), ("null", 2), ("flag", 0), ("query", 1)]
    for i in range(n):
        body += [("flag", 1), ("ifflag", 7 + 3 * i), ("use", 1, codemake.OPS[0])]
    body.append(("return",))
    tries = [(4 + 3 * i, 7 + 3 * i, len(body), None) for i in range(n)]
    return {"a.jar": codemake.jar([("demo/Random.class", codemake.class_file(
        [("m", "()V", True, body + [("handler",), ("return",)], tries)]))])}


# ---- stack dumps, and texts of tracers ------------------------------------------------------

def java_dump(threads, at):
    """Threads: name, lock that it wants and lock that it holds, or None, and frames."""
    out = ["2026-03-02 10:%02d:%02d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):\n\n" % (at // 60 % 60, at % 60)]
    for i, (name, want, hold, frames) in enumerate(threads):
        out.append('"%s" #%d prio=5 os_prio=0 cpu=%d.00ms elapsed=9.00s tid=0x%016x nid=0x%x %s\n   java.lang.Thread.State: %s\n' % (
            name, i + 10, i + at, i * 256 + 256, i + 100, "waiting for monitor entry" if want is not None else "runnable",
            "BLOCKED (on object monitor)" if want is not None else "RUNNABLE"))
        lines = ["\tat com.example.%s(C.java:7)\n" % f for f in frames]
        locks = ["\t- %s <0x%016x> (a com.example.Lock)\n" % x for x in (("waiting to lock", want), ("locked", hold)) if x[1] is not None]
        out += lines[:1] + locks + lines[1:] + ["\n"]
    return "".join(out) + "JNI global refs: 9, weak refs: 0\n\n"


@shape("dump threads", 8000)
def dump_threads(n):
    return java_dump([("pool-%d-thread-%d" % (i % 7, i), i % 50 if i % 3 else None, 100 + i, ("C%d.run" % (i % 9), "C.main")) for i in range(n)], 0)


@shape("dump chain of locks", 4000)
def dump_chain(n):
    return java_dump([("t%d" % i, i + 1, i, ("C.run", "C.main")) for i in range(n)], 0)


@shape("dump stacks", 4000)
def dump_stacks(n):
    return java_dump([("t%d" % i, None, None, ("C%d.run" % i, "C.main")) for i in range(n)], 0)


@shape("dump deep", 4000)
def dump_deep(n):
    return java_dump([("t", None, None, ["C%d.run" % i for i in range(n)])], 0)


@shape("dump series", 800)
def dump_series(n):
    return "".join(java_dump([("t%d" % i, 5 if i else None, None if i else 5, ("C%d.run" % (i * k % 9), "C.main")) for i in range(6)], k) for k in range(n))


@shape("dump after quotes", 100)
def dump_quotes(n):
    return ('"' * 1000 + "x nid=5\n") * n + dump_threads(3)


@shape("dump goroutines", 8000)
def dump_goroutines(n):
    return "".join("goroutine %d [%s, %d minutes]:\nmain.f%d(0xc%06x)\n\t/a/b.go:%d +0x1d\ncreated by main.main in goroutine 1\n\t/a/b.go:4 +0x1d\n\n" % (
        i + 1, ("chan receive", "select", "IO wait", "sync.Mutex.Lock")[i % 4], i % 90, i % 11, i, i % 11) for i in range(n))


@shape("dump labels", 8000)
def dump_labels(n):
    head = ["goroutine %d [select labels:{\"id\": \"span %d\", \"service\": \"a\"}]:" % (i + 2, i) for i in range(n)]
    head.append("goroutine 1 [select labels:{%s}]:" % ", ".join("\"key %d\": \"b\"" % i for i in range(n)))
    return "".join("%s\nmain.f(0x1)\n\t/a/b.go:4 +0x1d\n\n" % line for line in head)


@shape("dump exceptions", 4000)
def dump_exceptions(n):
    head = "01-06 12:00:00.000  1234  1240 E AndroidRuntime: "
    return "".join(head + line % i + "\n" for i in range(n) for line in (
        "FATAL EXCEPTION: t%d", "Process: com.ex.a%d, PID: 7", "java.lang.Error: %d", "\tat a.C%d.m(C.java:1)", "Caused by: a.E: %d", "\tat a.D%d.m(D.java:1)", "\t... %d more"))


@shape("dump causes", 4000)
def dump_causes(n):
    return "FATAL EXCEPTION: t\njava.lang.Error\n" + "".join("\tat a.C%d.m(C.java:1)\n" % i for i in range(n)) + "Caused by: a.E\n\t... 999999999 more\n" * n


@shape("dump crash", 8000)
def dump_crash(n):
    return "# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x1, pid=7, tid=8\n" + \
        'Current thread (0x1):  JavaThread "t0" [_thread_in_vm, id=8, stack(0x1,0x2)]\nNative frames:\n' + "".join("V  [l.so+0x%x]  f%d+0x1\n" % (i, i) for i in range(n // 8)) + \
        "Java Threads: ( => current thread )\n" + "".join('  0x%x JavaThread "t%d" daemon [_thread_blocked, id=%d, stack(0x1,0x2)]\n' % (i + 1, i, i + 8) for i in range(n))


@shape("dump tasks", 8000)
def dump_tasks(n):
    return "tid        task id              task name            coroutine stack                                    awaiter chain\n" + "".join(
        "7          0x%-18x t%-19d %-50s %-50s t%-14d 0x%x\n" % (i + 1, i, "f%d -> g -> main" % (i % 9), "main", i // 2, i // 2 + 1) for i in range(n))


@shape("dump hidden classes", 8000)
def dump_hidden(n):
    return java_dump([("t", None, None, ["C" + "+0x1a" * n + ".run"])], 0)


@shape("dump archive", 400)
def dump_archive(n):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for i in range(n):
            z.writestr(zipfile.ZipInfo("%d.txt" % i, (2026, 1, 1, 0, 0, 0)), "main;f%d 4\n" % i if i % 2 else "goroutine %d [running]:\nmain.f()\n\t/a.go:1\n" % i)
    return out.getvalue()


@shape("callgrind functions", 8000)
def callgrind_functions(n):
    return "events: Ir\n" + "".join("fn=(%d) f%d\n%d 7\ncfn=(%d) f%d\ncalls=1 1\n1 9\ncfn=(%d) f%d\ncalls=1 1\n1 9\n" % (
        i, i, i % 900 + 1, i + 1, i + 1, i // 2 + 1, i // 2 + 1) for i in range(1, n))


@shape("callgrind tree", 8000)
def callgrind_tree(n):
    kids = [[k for k in (2 * i, 2 * i + 1) if k <= n] for i in range(n + 1)]
    total = [0] * (n + 1)
    for i in range(n, 0, -1):
        total[i] = 1 + sum(total[k] for k in kids[i])
    return "events: Ir\n" + "".join("fn=(%d) f%d\n1 1\n" % (i, i) + "".join("cfn=(%d) f%d\ncalls=1 1\n1 %d\n" % (k, k, total[k]) for k in kids[i])
                                    for i in range(1, n + 1))


@shape("massif snapshots", 2000)
def massif_snapshots(n):
    return "desc: x\ncmd: ./x\ntime_unit: ms\n" + "".join(
        "#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=8\nmem_stacks_B=0\nheap_tree=%s\n" % (
            i, i, i * 10 + 1, "detailed" if i % 10 == 5 else "empty") +
        ("n1: %d (heap functions) malloc\n n0: %d 0x4A: f%d (a.c:1)\n" % (i * 10 + 1, i * 10 + 1, i % 70) if i % 10 == 5 else "") for i in range(n))


# ---- heap dumps ----------------------------------------------------------------------------


def heap(fill, *more):
    d = Dump()
    d.stack(1, 0, [])
    boot(d, more)
    for name, fields in (("Node", [("next", OBJECT), ("v", INT)]), ("Item", [("data", OBJECT)])):
        d.klass("com.example." + name, fields=fields)
    d.klass("com.example.Main", statics=[("kept", OBJECT, fill(d))])
    for c in d.classes.values():
        if c.loader == 0:
            d.root("sticky class", c.id)
    return d.build()


def items(d, n, size=16):
    return [d.obj("com.example.Item", data=d.prims(BYTE, struct.pack(">Q", i % (n // 2 + 1)).ljust(size, b"."))) for i in range(n)]


@shape("heap classes")
def heap_classes(n):
    def fill(d):
        for i in range(n):
            d.klass("com.example.p%d.C%d" % (i % 99, i), fields=[("f%d" % i, OBJECT)])
        return d.refs("java.lang.Object[]", [d.obj("com.example.p%d.C%d" % (i % 99, i), **{"f%d" % i: d.prims(BYTE, bytes(32))}) for i in range(n)])
    return heap(fill)


@shape("heap superclasses")
def heap_superclasses(n):
    """Each the superclass of the next."""
    def fill(d):
        was = d.classes["java.lang.Object"]
        for i in range(n):
            was = d.klass("com.example.C%d" % i, was.name)
        return d.instance(d.place(16), was.id, b"")
    return heap(fill)


@shape("heap loaders")
def heap_loaders(n):
    """Each with two classes, one of which all have."""
    def fill(d):
        kept, above = [], 0
        for i in range(n):
            above = d.obj("java.lang.ClassLoader", name=d.text("loader %d" % i), parent=above if i % 2 else 0)
            d.klass("com.example.Plugin", key="plugin%d" % i, loader=above, statics=[("cache", OBJECT, d.prims(BYTE, bytes(64)))])
            d.klass("com.example.C%d" % i, loader=above)
            kept += [above, d.obj("plugin%d" % i), d.obj("com.example.C%d" % i)]
        return array_list(d, kept)
    return heap(fill)


@shape("heap threads")
def heap_threads(n):
    """With stacks of three frames, and what they hold."""
    def fill(d):
        for i in range(n):
            own = d.obj("java.lang.Thread", name=d.text("worker-%d" % i), tid=i + 1, priority=5, threadStatus=5)
            d.stack(i + 2, i + 1, [d.frame(3 * i + k + 1, "java.lang.Thread", "step%d" % ((i + k) % 8), "()V", "Thread.java", 10 + k) for k in range(3)])
            d.root("thread", own, i + 1, i + 2)
            d.root("java frame", d.obj("com.example.Item", data=d.prims(BYTE, bytes(64))), i + 1, i % 3)
            d.root("jni local", d.obj("com.example.Node", v=i), i + 1, -1)
        return 0
    return heap(fill)


@shape("heap frames")
def heap_frames(n):
    """Locals of one thread; each holds an object."""
    def fill(d):
        own = d.obj("java.lang.Thread", name=d.text("main"), tid=1, priority=5, threadStatus=5)
        d.stack(2, 1, [d.frame(i + 1, "java.lang.Thread", "step%d" % i, "()V", "Thread.java", 10) for i in range(n)])
        d.root("thread", own, 1, 2)
        for i in range(n):
            d.root("java frame", d.obj("com.example.Node", v=i), 1, i)
        return 0
    return heap(fill)


@shape("heap roots")
def heap_roots(n):
    """Roots of several kinds, two for each object, one object with all."""
    def fill(d):
        one = d.obj("com.example.Node", v=1)
        for i in range(n):
            at = d.obj("com.example.Node", v=i)
            d.root("jni global", at, 99 + i)
            d.root("monitor", at)
            d.root("jni global", one, i)
        return one
    return heap(fill)


@shape("heap list")
def heap_list(n):
    return heap(lambda d: array_list(d, items(d, n)))


@shape("heap map")
def heap_map(n):
    return heap(lambda d: hash_map(d, [("key %d" % i, x) for i, x in enumerate(items(d, n))], 1 << n.bit_length()))


@shape("heap bucket")
def heap_bucket(n):
    """A map whose entries are all in one bucket."""
    return heap(lambda d: hash_map(d, [("key %d" % i, x) for i, x in enumerate(items(d, n))], 1))


@shape("heap chain")
def heap_chain(n):
    return heap(lambda d: chain(d, n))


@shape("heap maps")
def heap_maps(n):
    """Small, in a list."""
    return heap(lambda d: array_list(d, [hash_map(d, [("key", x)], 16) for x in items(d, n)]))


@shape("heap arrays")
def heap_arrays(n):
    """Of arrays, each in the one before."""
    def fill(d):
        at = 0
        for _ in range(n):
            at = d.refs("java.lang.Object[]", [at, d.obj("com.example.Node", v=1)])
        return at
    return heap(fill)


@shape("heap strings")
def heap_strings(n):
    return heap(lambda d: d.refs("java.lang.String[]", [d.text("text %d" % (i % (n // 2))) for i in range(n)]))


@shape("heap equal strings")
def heap_equal_strings(n):
    return heap(lambda d: d.refs("java.lang.String[]", [d.text("the same text for all") for i in range(n)]))


@shape("heap fields")
def heap_fields(n):
    """Objects of one class, and as many statics; all objects refer to one."""
    def fill(d):
        one = d.obj("com.example.Node", v=1)
        d.klass("com.example.Wide", fields=[("f%d" % i, OBJECT) for i in range(n)], statics=[("s%d" % i, OBJECT, d.obj("com.example.Node", v=i)) for i in range(n)])
        return d.obj("com.example.Wide", **{"f%d" % i: one if i % 2 else d.obj("com.example.Node", v=i) for i in range(n)})
    return heap(fill)


@shape("heap referrers")
def heap_referrers(n):
    """Referrers of one object, which they share."""
    def fill(d):
        one = d.obj("com.example.Node", v=1)
        return d.refs("java.lang.Object[]", [d.obj("com.example.Node", next=one, v=i) for i in range(n)])
    return heap(fill)


@shape("heap weak")
def heap_weak(n):
    def fill(d):
        kept = items(d, n)
        return d.refs("java.lang.Object[]", kept + [d.obj("java.lang.ref.WeakReference", referent=x) for x in kept] +
                      [d.obj("java.lang.ref.SoftReference", referent=x) for x in kept])
    return heap(fill)


def java_thread(d, i, name, cname="java.lang.Thread", held=(), **fields):
    """Thread i, with one frame and locals."""
    own = d.obj(cname, name=d.text(name), tid=i + 1, priority=5, threadStatus=5, **fields)
    d.stack(i + 2, i + 1, [d.frame(i + 1, "java.lang.Thread", "run", "()V", "Thread.java", 10)])
    d.root("thread", own, i + 1, i + 2)
    for at in held:
        d.root("java frame", at, i + 1, 0)
    return own


def netty(d):
    """Keys and maps of the thread locals of Netty."""
    d.klass("io.netty.util.concurrent.FastThreadLocal", fields=[("index", INT)])
    d.klass("io.netty.util.internal.InternalThreadLocalMap", fields=[("indexedVariables", OBJECT)])
    d.klass("io.netty.util.concurrent.FastThreadLocalThread", "java.lang.Thread", fields=[("threadLocalMap", OBJECT)])
    d.klass("com.example.Main$1", "io.netty.util.concurrent.FastThreadLocal")


@shape("heap fast locals", 16000)
def heap_fast_locals(n):
    """Thread locals of Netty in a list, with values in four threads."""
    def fill(d):
        netty(d)
        keys = [d.obj("com.example.Main$1", index=i + 1) for i in range(n)]
        for t in range(4):
            values = d.refs("java.lang.Object[]", [0] + [d.prims(INT, [i, t, 0, 0]) for i in range(n)])
            java_thread(d, t, "io-%d" % t, "io.netty.util.concurrent.FastThreadLocalThread",
                   threadLocalMap=d.obj("io.netty.util.internal.InternalThreadLocalMap", indexedVariables=values))
        return array_list(d, keys)
    return heap(fill)


@shape("heap thread locals of Java", 8000)
def heap_java_locals(n):
    """In a list, with values in four threads."""
    def fill(d):
        table = "java.lang.ThreadLocal$ThreadLocalMap"
        d.klass("java.lang.ThreadLocal")
        d.klass(table, fields=[("table", OBJECT), ("size", INT)])
        d.klass(table + "$Entry", "java.lang.ref.WeakReference", fields=[("value", OBJECT)])
        d.klass(table + "$Entry[]")
        d.klass("com.example.Worker", "java.lang.Thread", fields=[("threadLocals", OBJECT)])
        keys = [d.obj("java.lang.ThreadLocal") for _ in range(n)]
        for t in range(4):
            entries = d.refs(table + "$Entry[]", [d.obj(table + "$Entry", referent=k, value=d.prims(INT, [t])) for k in keys])
            java_thread(d, t, "io-%d" % t, "com.example.Worker", threadLocals=d.obj(table, table=entries, size=n))
        return array_list(d, keys)
    return heap(fill)


@shape("heap native locals", 12000)
def heap_native_locals(n):
    """One thread has locals of three kinds, each with an object, and more with one object."""
    def fill(d):
        java_thread(d, 0, "main")
        one = d.obj("com.example.Node", v=1)
        for i in range(n):
            d.root("jni local", d.obj("com.example.Node", v=i), 1, -1)
            d.root("native stack", d.obj("com.example.Node", v=i), 1)
            d.root("thread block", d.obj("com.example.Node", v=i), 1)
            d.root("jni local", one, 1, -1)
        return 0
    return heap(fill)


@shape("heap one local", 12000)
def heap_one_local(n):
    """An object that all threads have, which have one name."""
    def fill(d):
        one = d.obj("com.example.Node", v=1)
        for i in range(n):
            java_thread(d, i, "worker", held=[one])
        return 0
    return heap(fill)


@shape("heap pools", 8000)
def heap_pools(n):
    """A pool with as many threads, and as many pools with one."""
    def fill(d):
        pool, worker = "java.util.concurrent.ThreadPoolExecutor", "java.util.concurrent.ThreadPoolExecutor$Worker"
        d.klass(pool, fields=[("workers", OBJECT), ("corePoolSize", INT)])
        d.klass(worker, fields=[("this$0", OBJECT), ("thread", OBJECT)])
        made, ids = [], [d.reserve(pool) for _ in range(n + 1)]
        for i in range(2 * n):
            at, own = d.reserve(worker), ids[i // n * (i - n + 1)]
            one = java_thread(d, i, "pool-%d-thread-%d" % (own % 999, i), target=at, held=[at])
            made.append(d.obj(worker, at, **{"this$0": own, "thread": one}))
        d.obj(pool, ids[0], workers=hash_map(d, [("", w) for w in made[:n]], 1 << n.bit_length()), corePoolSize=n)
        return array_list(d, [ids[0]] + [d.obj(pool, at, workers=hash_map(d, [("", w)], 2), corePoolSize=1) for at, w in zip(ids[1:], made[n:])])
    return heap(fill)


@shape("heap virtual threads", 8000)
def heap_virtual_threads(n):
    """Each with its stack."""
    def fill(d):
        d.klass("jdk.internal.vm.StackChunk", fields=[("parent", OBJECT), ("size", INT), ("sp", INT)])
        d.klass("jdk.internal.vm.Continuation", fields=[("target", OBJECT), ("tail", OBJECT)])
        d.klass("java.lang.Virtual", "java.lang.VirtualThread", fields=[("cont", OBJECT)])
        chunks = [d.obj("jdk.internal.vm.StackChunk", size=10, sp=1) for _ in range(n)]
        return array_list(d, [d.obj("java.lang.Virtual", tid=i + 9, state=4, cont=d.obj("jdk.internal.vm.Continuation", tail=c)) for i, c in enumerate(chunks)])
    return heap(fill)


@shape("heap finalizers", 12000)
def heap_finalizers(n):
    """A list of what nothing else has."""
    def fill(d):
        cname, queue = "java.lang.ref.Finalizer", d.obj("com.example.Node")
        ids = [0] + [d.reserve(cname) for _ in range(n)] + [0]
        for i in range(1, n + 1):
            d.obj(cname, ids[i], referent=d.obj("com.example.Item", data=d.prims(BYTE, bytes(64))), queue=queue if i % 2 else 0, Finalizer__next=ids[i + 1], prev=ids[i - 1])
        d.classes[cname].statics += [["unfinalized", OBJECT, ids[1]], ["queue", OBJECT, queue]]
        return 0
    return heap(fill)


def open_statements(d, n, after=False):
    """Open ones; after: each refers to the one before."""
    at, out = 0, []
    d.klass("com.mysql.cj.jdbc.StatementImpl", fields=[("isClosed", BOOLEAN), ("next", OBJECT)])
    for _ in range(n):
        out.append(d.obj("com.mysql.cj.jdbc.StatementImpl", next=at))
        at = out[-1] if after else 0
    return out


@shape("heap open statements", 32000)
def heap_open_statements(n):
    return heap(lambda d: array_list(d, open_statements(d, n)))


@shape("heap list of open statements", 12000)
def heap_linked_statements(n):
    return heap(lambda d: open_statements(d, n, True)[-1])


@shape("heap open statements and arrays", 16000)
def heap_statements_arrays(n):
    """Arrays of zeros of as many lengths as fit, two of each."""
    lengths = [i for i in range(int(12 * n ** 0.5))] * 2
    return heap(lambda d: array_list(d, open_statements(d, n) + [d.prims(BYTE, bytes(i)) for i in lengths]))


@shape("heap nested maps", 16000)
def heap_nested_maps(n):
    """Each the only value of another."""
    def fill(d):
        at = 0
        for _ in range(n):
            at = hash_map(d, [("key", at)], 2)
        return at
    return heap(fill)


@shape("heap held twice", 12000)
def heap_held_twice(n):
    """Two lists and a map contain the same objects."""
    def fill(d):
        made = items(d, n)
        return d.refs("java.lang.Object[]", [array_list(d, made), array_list(d, made[::-1]), hash_map(d, [("key %d" % i, x) for i, x in enumerate(made)], 1 << n.bit_length())])
    return heap(fill)


@shape("heap chain of classes", 8000)
def heap_chain_of_classes(n):
    """Objects of a class each, below each other: so deep is the tree of names."""
    def fill(d):
        at = 0
        for i in range(n):
            d.klass("com.example.C%d" % i, fields=[("f%d" % i, OBJECT)])
            at = d.obj("com.example.C%d" % i, **{"f%d" % i: at})
        return at
    return heap(fill)


@shape("heap statics of one class", 16000)
def heap_statics(n):
    """A third of them have one object, a third what refers to it, the others a list with a text."""
    def fill(d):
        one = d.obj("com.example.Node", v=1)
        held = [one, d.obj("com.example.Node", next=one)]
        d.klass("com.example.Statics", statics=[("s%d" % i, OBJECT, (held + [array_list(d, [d.text("text %d" % i)])])[i % 3]) for i in range(n)])
        return one
    return heap(fill)


@shape("heap renamed statics", 16000, ("--mapping", ".map"))
def heap_renamed_statics(n):
    """Two of three have other names in the mapping file."""
    def fill(d):
        d.klass("a.b", statics=[("s%d" % i, OBJECT, d.obj("com.example.Node", v=i)) for i in range(n)])
        return 0
    return {"a": heap(fill), ".map": "com.example.Statics -> a.b:\n" + "".join("    com.example.Node name%d -> s%d\n" % (i, i) for i in range(n) if i % 3)}


@shape("heap garbage")
def heap_garbage(n):
    def fill(d):
        for i in range(n):
            d.obj("com.example.Node", next=d.obj("com.example.Node", v=i), v=i)
        return 0
    return heap(fill)


# ---- files ----------------------------------------------------------------------------------


def twice(maker, n):
    """Return two files to compare, one 2 % larger."""
    return {"a": maker(n), "b": maker(n + n // 50)}


@shape("two traces, threads")
def two_threads(n):
    return twice(trace_threads, n)


@shape("two traces, methods")
def two_methods(n):
    return twice(trace_methods, n)


@shape("two sched, tasks")
def two_tasks(n):
    return twice(sched_tasks, n)


@shape("two profiles, frames")
def two_frames(n):
    return twice(folded_frames, n)


@shape("two heaps, classes")
def two_classes(n):
    return twice(heap_classes, n)


@shape("two heaps, threads")
def two_stacks(n):
    return twice(heap_threads, n)


@shape("files, growth", 16)
def files_growth(n):
    return {"%03d.hprof" % k: heap_list(400 + k) for k in range(n)}


@shape("files, triage")
def files_triage(n):
    made = os.path.join(os.path.dirname(os.path.abspath(__file__)), "triagemake.py")
    return {"rows.jsonl": subprocess.run([sys.executable, "-B", made, str(n)], stdout=subprocess.PIPE, check=True).stdout}


def main(argv):
    if argv[1:] == ["list"]:
        print("\n".join(SHAPES))
        return 0
    write(argv[1], int(argv[2]), argv[3])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
