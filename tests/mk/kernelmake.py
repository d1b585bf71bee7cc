#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""kernelmake.py FOLDER SEED... - the same recording of a kernel as text and as packets: FOLDER/SEED.txt and FOLDER/SEED.pftrace.

Switches, wakeups, frequencies and marks of user space of all kinds, by threads of two processes, by a thread of the kernel and by idle CPUs.
Processes of threads are in the lines and in a process tree; of odd seeds only marks tell them.
"""
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import perfettomake as pb  # noqa: E402

PROCESSES = {100: "com.app", 200: "server"}
THREADS = {100: ("com.app", 100), 101: ("RenderThread", 100), 102: ("worker 1", 100), 200: ("server", 200), 201: ("Binder:200_1", 200),
           7: ("rcu_preempt", 0)}
STATES = {"S": 1, "D": 2, "R": 0, "R+": 0, "T": 4}
NAMES = ("draw", "a|b", "", "x y", "doFrame 71", "lock (owner: 12)", "|")


class Recording:
    def __init__(self, seed, events=400):
        self.r = random.Random(seed)
        self.told = seed % 2 == 0
        self.us = self.r.randrange(1, 10 ** 9)
        self.running = [0] * self.r.choice((1, 2, 4))
        self.comm = {tid: comm for tid, (comm, _) in THREADS.items()}
        self.events = []
        # Slices of S do not nest.  A cookie is a number, and text behind it has no meaning.
        for mark in ("S|100|twice|9", "S|100|twice|9", "F|100|twice|09", "G|100|band|x|3|more", "H|100|band|3"):
            self.us += 1
            self.add(0, "mark", text=mark)
        for _ in range(events):
            self.us += self.r.choice((1, 2, 7, 300, 5000))
            self.step()

    def add(self, cpu, kind, **what):
        self.events.append((self.us, cpu, self.running[cpu], self.name(self.running[cpu], cpu), kind, what))

    def name(self, tid, cpu):
        return self.comm[tid] if tid else "swapper/%d" % cpu

    def step(self):
        r, cpu = self.r, self.r.randrange(len(self.running))
        kind = r.random()
        if kind < 0.3:
            self.switch(cpu)
        elif kind < 0.4:
            tid = r.choice(sorted(THREADS))
            self.add(cpu, r.choice(("sched_waking", "sched_wakeup", "sched_wakeup_new")), tid=tid, comm=self.comm[tid],
                     target=r.randrange(len(self.running)), irq=r.random() < 0.3)
        elif kind < 0.44:
            self.add(cpu, "cpu_frequency", khz=r.choice((300000, 1200000, 2400000)))
        elif self.running[cpu] or kind < 0.5:
            self.add(cpu, "mark", text=self.mark(self.running[cpu]))

    def switch(self, cpu):
        r, old = self.r, self.running[cpu]
        free = [tid for tid in sorted(THREADS) if tid not in self.running]
        new = r.choice(free) if free and r.random() < 0.75 else 0
        if new == old:
            return
        # A thread that is not the main one gets another name, but not beside a process tree, whose names stay.
        if not self.told and old not in PROCESSES and old != 0 and r.random() < 0.1:
            self.comm[old] = r.choice(("renamed", "pool-1-thread-2"))
        before = self.name(old, cpu)
        self.add(cpu, "sched_switch", tid=old, comm=before, state="R" if old == 0 else r.choice(sorted(STATES)), to=new, to_comm=self.name(new, cpu))
        self.running[cpu] = new

    def mark(self, tid):
        r = self.r
        pid = THREADS[tid][1] if tid else 100
        pid = pid or r.choice(sorted(PROCESSES))
        cookie = r.randrange(1, 4)
        counter = "C|%d|%s|%d" % (pid, r.choice(("mem", "fps", "ScreenState", "a.b")), r.choice((0, 1, -5, 77, -2 ** 40, 2 ** 52)))
        spans = ["S|%d|%s|%d" % (pid, r.choice(("load", "net")), cookie), "F|%d|%s|%d" % (pid, r.choice(("load", "net")), cookie),
                 "G|%d|%s|step %d|%d" % (pid, r.choice(("track", "load")), r.randrange(2), cookie),
                 "H|%d|%s|%d" % (pid, r.choice(("track", "load")), cookie), "H|%d|track|step|%d" % (pid, cookie)]
        # Of idle CPUs and threads without a process: what says its process itself.
        if tid == 0 or THREADS[tid][1] == 0:
            return r.choice([counter] + spans)
        return r.choice(spans + 3 * ["B|%d|%s" % (pid, r.choice(NAMES)), "E|%d" % pid] + 2 * [counter] + [
            "E", "E|", "I|%d|%s" % (pid, r.choice(("vsync", "a|b"))), "N|%d|%s|%s" % (pid, r.choice(("input", "DeviceStateChanged")), r.choice(("tap", "x|y"))),
            "C|%d|kill_one_process|%d" % (pid, r.choice((0, 100, 200))), "I|%d|" % pid, "C|%d|x|many" % pid, "anything", "B|x|y", ""])

    def text(self):
        lines = ["# tracer: nop", "#"]
        for us, cpu, tid, comm, kind, what in self.events:
            pid = (THREADS[tid][1] if tid else 0) if self.told else 0
            head = "%16s-%-5d %s[%03d] d.%s. %d.%06d: " % (comm if tid else "<idle>", tid, "(%5d) " % pid if pid else "(-----) " if self.told else "",
                                                            cpu, "h" if what.get("irq") else ".", us // 10 ** 6, us % 10 ** 6)
            if kind == "sched_switch":
                body = "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120" % (
                    what["comm"], what["tid"], what["state"], what["to_comm"], what["to"])
            elif kind == "mark":
                kind, body = "tracing_mark_write", what["text"]
            elif kind == "cpu_frequency":
                body = "state=%d cpu_id=%d" % (what["khz"], cpu)
            else:
                body = "comm=%s pid=%d prio=120 target_cpu=%03d" % (what["comm"], what["tid"], what["target"])
            lines.append(head + kind + ": " + body)
        return "\n".join(lines) + "\n"

    def packet_event(self, event):
        us, cpu, tid, _, kind, what = event
        ns = us * 1000
        if kind == "sched_switch":
            return pb.switch(ns, what["tid"], what["comm"], STATES[what["state"]], what["to"], what["to_comm"])
        if kind == "mark":
            return pb.mark(ns, tid, what["text"])
        if kind == "cpu_frequency":
            return pb.fe(ns, tid, 11, pb.I(1, what["khz"]) + pb.I(2, cpu))
        number = {"sched_waking": 20, "sched_wakeup": 17, "sched_wakeup_new": 114}[kind]
        body = pb.B(1, what["comm"]) + pb.I(2, what["tid"]) + pb.I(3, 120) + pb.I(4, 1) + pb.I(5, what["target"])
        return pb.B(2, pb.I(1, ns) + pb.I(2, tid) + (pb.I(5, 8) if what["irq"] else b"") + pb.B(number, body))

    def packets(self):
        start = self.events[0][0] * 1000
        out = [pb.clocks(start), pb.sync(start)]
        if self.told:
            out.append(pb.ptree(start, [(pid, 0, [name], 0) for pid, name in PROCESSES.items()],
                                [(tid, comm, pid) for tid, (comm, pid) in THREADS.items() if pid]))
        for cpu in range(len(self.running)):
            out.append(pb.bundle(cpu, [self.packet_event(e) for e in self.events if e[1] == cpu]))
        return b"".join(out)


def main(folder, *seeds):
    os.makedirs(folder, exist_ok=True)
    for seed in seeds:
        made = Recording(int(seed))
        with open(os.path.join(folder, seed + ".txt"), "w", encoding="ascii") as f:
            f.write(made.text())
        with open(os.path.join(folder, seed + ".pftrace"), "wb") as f:
            f.write(made.packets())


if __name__ == "__main__":
    main(*sys.argv[1:])
