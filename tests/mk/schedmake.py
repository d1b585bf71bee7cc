#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""schedmake.py OUT seed=N n=N style=STYLE cpus=N tasks=N plain=1 start=SECONDS lost=1 - a random scheduler trace as text.

STYLE: ftrace (new payloads), atrace (with tgid, and marks), old (payloads of
the first kernels), tracecmd, perf.  Names hold blanks, dashes, colons and
brackets unless plain=1; there are lost switches, wakeups of tasks that run,
migrations.  style=three: three known lines and nothing else; style=odd: lines
that are hard to read; style=many: many threads of one process, one after
the other, behind a process that waits; style=raw: lines that say nothing.  OUT may be - for standard output.
"""
import random
import sys

NAMES = ("java", "kworker/0:1", "my-app 1", "a b-c", "x:y", "GC Thread#0", "[kthread]", "ksoftirqd/3", "C2 CompilerThre",
         "a prev_pid=7", "=", "sshd", "-", "Binder:12_3", "\xe9t\xe9", "dw-17", "x ==> y", "p [3]", "a success=0")
PLAIN = ("surfaceflinger", "RenderThread", "system_server", "Binder:12_3", "kworker/0:1", "HeapTaskDaemon", "app", "logd",
         "ksoftirqd/0", "Jit thread pool", "rcu_preempt")
THREE = """\
          <idle>-0     [020] 6907585.873080: sched_switch: 0:120:R ==> 33233:110: java
           <...>-33233 [020] 6907585.873083: sched_switch: 33233:110:S ==> 0:120: swapper/20
          <idle>-0     [020] 6907585.873234: sched_switch: 0:120:R ==> 33233:110: java
"""
# Written with the trace option raw.
RAW = """# tracer: nop
#
0 1 38236781959024 type: 221
0 1 38236781960536 type: 221
"""
# Odd names, several forms of payload, damage.
ODD = """\
# tracer: nop
#
# entries-in-buffer/entries-written: 20/20   #P:2
##### CPU 1 buffer started ####
          <idle>-0     (-----) [000] d..3   100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 \
prev_state=R ==> next_comm=<...> next_pid=7 next_prio=120
           <...>-7     (    7) [000] ....   100.000010: tracing_mark_write: B|7|a|b
   [1] 2.345: x-7     (    7) [000] ....   100.000020: tracing_mark_write: B|7|inner
   [1] 2.345: x-7     (    7) [000] ....   100.000030: tracing_mark_write: E|7
           <...>-7     (    7) [000] ....   100.000035: tracing_mark_write: C|7|frames|due|3
           <...>-7     (    7) [000] ....   100.000036: tracing_mark_write: S|7|load|11
           <...>-7     (    7) [000] ....   100.000037: tracing_mark_write: F|7|load|11
           <...>-7     (    7) [000] ....   100.000038: tracing_mark_write: F|7|load|11
           <...>-7     (    7) [000] ....   100.000040: tracing_mark_write: E
           <...>-7     (    7) [000] ....   100.000041: tracing_mark_write: E
  java 7/8 [001]   100.000045:          1 sched:sched_waking: comm=a pid=5 pid=9 prio=120 target_cpu=001
  java     8 [001]   100.000050: sched:sched_switch: java:8 [120] S ==> a b:9 [110]
            java-8     [001] d..3.  100.000060: sched_switch: prev_comm=a prev_pid=1 prev_pid=9 prev_prio=120 \
prev_state=D|K ==> next_comm=java next_pid=8 next_prio=120 more=1
            java-8     [001] d..3.  100.000070: sched_switch: prev_comm=java prev_pid=8 prev_prio=120 prev_state=X ==> \
next_comm=next_pid=3 next_pid=9 next_prio=120
            java-8     [001]        100.000080: sched_switch: prev_comm=z prev_pid=9 prev_prio=12
some text of a print: that goes on
            java-8     [001]        100.000065: cpu_frequency: state=1190400 cpu_id=1
           other-8     [001]        100.000090: sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=S ==> \
next_comm=other next_pid=8 next_prio=120
           other-8     [001]        100.000085: sched_wakeup: a b:9 [110] success=1 CPU:001
"""
STATES = ("S", "S", "S", "D", "R", "R+", "T", "t", "I", "P", "X", "D|K")


def pad(style, name, pid, tgid, cpu, us, event):
    time = "%d.%06d" % divmod(us, 1000000)
    if style == "perf":
        return "%15s %5d [%03d] %s: sched:%s" % (name, pid, cpu, time, event)
    # Some wakeups are of interrupts.
    irq = ".....hsH"[us // 7 % 8] if event.startswith("sched_wak") else "."
    if style == "atrace":
        group = "(%5d)" % tgid if tgid else "(-----)"
        return "%16s-%-5d %s [%03d] d.%s3 %s: %s" % (name, pid, group, cpu, irq, time, event)
    if style == "tracecmd":
        return "%16s-%-5d [%03d] d.%s2. %s: %s" % (name, pid, cpu, irq, time, event.replace(": ", ":         ", 1))
    return "%16s-%-5d [%03d] %s: %s" % (name, pid, cpu, time, event)


def switch(style, old, state, new):
    if style == "old":
        return "sched_switch: %d:120:%s ==> %d:120: %s" % (old[0], state, new[0], new[1])
    if style == "tracecmd":
        return "sched_switch: %s:%d [120] %s ==> %s:%d [110]" % (old[1], old[0], state, new[1], new[0])
    return ("sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d "
            "next_prio=110" % (old[1], old[0], state, new[1], new[0]))


def wakeup(style, word, task, cpu, us):
    success = " success=%d" % (us % 5 > 0)
    if style in ("tracecmd", "old"):
        return "%s: %s:%d [120]%s CPU:%03d" % (word, task[1], task[0], success, cpu)
    # As kernels before 3.0, and as later ones.
    return "%s: comm=%s pid=%d prio=120%s target_cpu=%03d" % (word, task[1], task[0], success if style == "atrace" else "", cpu)


class Maker:
    def __init__(self, options):
        self.r = random.Random(options["seed"])
        self.style = options["style"]
        names = PLAIN if options["plain"] else [n for n in NAMES if self.style not in ("old", "tracecmd") or "==>" not in n and "[" not in n]
        self.tasks = [(100 + i * 7, names[i % len(names)], 100 if i % 3 else 0) for i in range(options["tasks"])]
        self.running = [(0, "swapper/%d" % c, 0) for c in range(options["cpus"])]
        self.us = self.r.randrange(10 ** 12) if options["start"] == 0 else options["start"] * 10 ** 6
        self.lines = []
        self.lost = options["lost"]

    def line(self, cpu, event):
        if self.lost and self.us % 50 == 0:
            self.lines.append("CPU:%d [LOST %d EVENTS]" % (cpu, self.us % 9 + 1))
        pid, name, tgid = self.running[cpu]
        if self.r.random() < 0.1:
            name = "<...>"
        self.lines.append(pad(self.style, name if pid else "<idle>", pid, tgid, cpu, self.us, event))

    def step(self):
        r = self.r
        self.us += r.choice((0, 0, 1, 2, 5, 20, 300, 5000, 10 ** 6 if r.random() < 0.01 else 7))
        cpu = r.randrange(len(self.running))
        kind = r.random()
        if kind < 0.35:
            word = r.choice(("sched_wakeup", "sched_waking", "sched_wakeup_new"))
            self.line(cpu, wakeup(self.style, word, r.choice(self.tasks), r.randrange(len(self.running)), self.us))
        elif kind < 0.40 and self.style in ("atrace", "ftrace"):
            mark = r.choice(("B|%d|draw|%d" % (self.running[cpu][2], r.randrange(5)), "E|9", "E", "C|9|level|%d" % r.randrange(99),
                             "S|9|job|4", "F|9|job|4", "anything"))
            self.line(cpu, "tracing_mark_write: " + mark)
        elif kind < 0.43:
            self.line(cpu, "irq_handler_entry: irq=4 name=x: y")
        else:
            self.switch(cpu)

    def switch(self, cpu):
        r = self.r
        busy = {t[0] for t in self.running}
        free = [t for t in self.tasks if t[0] not in busy]
        new = r.choice(free) if free and r.random() < 0.7 else (0, "swapper/%d" % cpu, 0)
        old = self.running[cpu]
        if old[0] == new[0]:
            return
        state = "R" if old[0] == 0 else r.choice(STATES)
        if r.random() > 0.01:       # else it is lost
            self.line(cpu, switch(self.style, old, state, new))
        self.running[cpu] = new


def made(options):
    m = Maker(options)
    if options["style"] != "perf":
        m.lines.append("# tracer: nop\n#")
    for _ in range(options["n"]):
        m.step()
    return "\n".join(m.lines) + "\n"


def many():
    """A kernel thread, the first of its process, has no sections; each thread of another process has one, and waits from then on."""
    tasks = [(9, "kworker/u4:1", 9)] + [(100 + i, "worker%d" % i, 100) for i in range(14)]
    lines = ["# tracer: nop\n#"]
    for i in range(len(tasks)):
        if i > 0:
            for mark in ("B|100|draw %d" % i, "E|100"):
                lines.append(pad("atrace", tasks[i][1], tasks[i][0], 100, 0, 2000 * i + (100 if mark[0] == "B" else 600), "tracing_mark_write: " + mark))
        new = tasks[(i + 1) % len(tasks)]
        lines.append(pad("atrace", tasks[i][1], tasks[i][0], tasks[i][2], 0, 2000 * i + 1000, switch("atrace", tasks[i], "S", new)))
    return "\n".join(lines) + "\n"


def main(argv):
    options = {"seed": 1, "n": 1000, "cpus": 4, "tasks": 12, "style": "ftrace", "plain": 0, "start": 0, "lost": 0}
    for arg in argv[2:]:
        key, _, value = arg.partition("=")
        options[key] = value if key == "style" else int(value)
    fixed = {"three": THREE, "odd": ODD, "raw": RAW, "many": many()}.get(options["style"])
    data = (fixed or made(options)).encode("latin-1")
    if argv[1] == "-":
        sys.stdout.buffer.write(data)
        return 0
    with open(argv[1], "wb") as f:
        f.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
