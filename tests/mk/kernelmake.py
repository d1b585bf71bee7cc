#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""kernelmake.py FOLDER SEED... - the same recording of a kernel as text and as packets: FOLDER/SEED.txt and FOLDER/SEED.pftrace.

Switches, wakeups, all other events that are shown and marks of user space of all kinds, by threads of two processes, by a thread of the kernel
and by idle CPUs.
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

FUNCTIONS = {1: "do_wait", 2: "ext4_sync"}
# Fields of FtraceEvent; events that only have a name are generic.
KINDS = {"cpu_frequency": 11, "cpu_frequency_limits": 12, "cpu_idle": 13, "clock_set_rate": 16, "sched_blocked_reason": 18, "softirq_entry": 24,
         "softirq_exit": 25, "irq_handler_entry": 36, "irq_handler_exit": 37, "ext4_sync_fs": 212, "binder_transaction": 50,
         "binder_transaction_received": 51, "workqueue_execute_end": 57, "workqueue_execute_start": 58, "rss_stat": 313, "signal_deliver": 324,
         "signal_generate": 325, "oom_score_adj_update": 326, "vendor_event": 327, "sched_stat_wait": 327, "gpu_frequency": 332,
         "mark_victim": 334, "task_newtask": 235, "task_rename": 236, "sched_process_free": 240, "ion_stat": 335, "dma_heap_stat": 351, "wakeup_source_activate": 404, "wakeup_source_deactivate": 405}
MEMBERS = ("MM_FILEPAGES", "MM_ANONPAGES", "MM_SWAPENTS", "MM_SHMEMPAGES")
# Their text in the kernel.
FORMS = {
    "cpu_frequency": lambda v: "state=%d cpu_id=%d" % (v[1], v[2]),
    "cpu_idle": lambda v: "state=%d cpu_id=%d" % (v[1], v[2]),
    "cpu_frequency_limits": lambda v: "min=%d max=%d cpu_id=%d" % (v[1], v[2], v[3]),
    "clock_set_rate": lambda v: "%s state=%d cpu_id=%d" % (v[1], v[2], v[3]),
    "gpu_frequency": lambda v: "gpu_id=%d state=%d" % (v[1], v[2]),
    "irq_handler_entry": lambda v: "irq=%d name=%s" % (v[1], v[2]),
    "irq_handler_exit": lambda v: "irq=%d ret=handled" % v[1],
    "softirq_entry": lambda v: "vec=%d [action=X]" % v[1],
    "softirq_exit": lambda v: "vec=%d [action=X]" % v[1],
    "sched_blocked_reason": lambda v: "pid=%d iowait=%d caller=%s+0x1c/0x2d0" % (v[1], v[3], FUNCTIONS[v[2]]),
    "wakeup_source_activate": lambda v: "%s state=0x10001" % v[1],
    "wakeup_source_deactivate": lambda v: "%s state=0x10001" % v[1],
    "ion_stat": lambda v: "buffer_id=%d len=%dB total_allocated=%dB" % (v[1], v[2], v[3]),
    "dma_heap_stat": lambda v: "inode=%d len=%dB total_allocated=%dB" % (v[1], v[2], v[3]),
    "mark_victim": lambda v: "pid=%d" % v[1],
    "signal_generate": lambda v: "sig=%d errno=0 code=%d comm=%s pid=%d grp=%d res=%d" % (v[6], v[1], v[2], v[4], v[3], v[5]),
    "signal_deliver": lambda v: "sig=%d errno=0 code=%d sa_handler=7f00 sa_flags=%x" % (v[3], v[1], v[2]),
    "ext4_sync_fs": lambda v: "dev 8,1 wait %d" % v[2],
    "oom_score_adj_update": lambda v: "pid=%d comm=%s oom_score_adj=%d" % (v[3], v[1], v[2]),
    "rss_stat": lambda v: "mm_id=%d curr=%d %s size=%dB" % (v[4], v[3], "type=" + MEMBERS[v[1]] if v[1] < 4 else "member=4", v[2]),
    "workqueue_execute_start": lambda v: "work struct %016x: function %s [ext4]" % (v[1], FUNCTIONS[v[2]]),
    "workqueue_execute_end": lambda v: "work struct %016x" % v[1],
    "binder_transaction": lambda v: "transaction=%d dest_node=%d dest_proc=%d dest_thread=%d reply=%d flags=0x%x code=0x%x" % (
        v[1], v[2], v[3], v[4], v[5], v[7], v[6]),
    "binder_transaction_received": lambda v: "transaction=%d" % v[1],
    "task_newtask": lambda v: "pid=%d comm=%s clone_flags=%x oom_score_adj=%d" % (v[1], v[2], v[3], v[4]),
    "task_rename": lambda v: "pid=%d oldcomm=%s newcomm=%s oom_score_adj=%d" % (v[1], v[2], v[3], v[4]),
    "sched_process_free": lambda v: "comm=%s pid=%d prio=%d" % (v[1], v[2], v[3]),
    "vendor_event": lambda v: "level=3 name=x",
    "sched_stat_wait": lambda v: "comm=a pid=1 delay=5 [ns]",
}
SYMBOLS = pb.pkt(pb.I(10, 2), pb.I(13, 1), pb.B(12, b"".join(pb.B(26, pb.I(1, k) + pb.B(2, name)) for k, name in FUNCTIONS.items())))


class Recording:
    def __init__(self, seed, events=400):
        self.r = random.Random(seed)
        self.told = seed % 2 == 0
        self.us = self.r.randrange(1, 10 ** 9)
        self.running = [0] * self.r.choice((1, 2, 4))
        self.comm = {tid: comm for tid, (comm, _) in THREADS.items()}
        self.pid = {tid: pid for tid, (_, pid) in THREADS.items()}
        self.new = 300
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
            tid = r.choice(sorted(self.comm))
            self.add(cpu, r.choice(("sched_waking", "sched_wakeup", "sched_wakeup_new")), tid=tid, comm=self.comm[tid],
                     target=r.randrange(len(self.running)), irq=r.choice(("", "", "", "h", "s", "H", "z")))
        elif kind < 0.6:
            self.other(cpu)
        elif self.running[cpu] or kind < 0.7:
            self.add(cpu, "mark", text=self.mark(self.running[cpu]))

    def other(self, cpu):
        """An event of the kernel that is about a CPU, a clock, memory, or a task: its fields by number."""
        r, tid = self.r, self.running[cpu]
        about = r.choice(sorted(self.comm))
        kinds = ["cpu_frequency", "cpu_idle", "cpu_frequency_limits", "clock_set_rate", "gpu_frequency", "irq_handler_entry", "irq_handler_exit",
                 "softirq_entry", "softirq_exit", "sched_blocked_reason", "wakeup_source_activate", "wakeup_source_deactivate", "ion_stat",
                 "dma_heap_stat", "mark_victim", "signal_generate", "ext4_sync_fs"]
        # Counters of tasks are of their processes, and calls of tasks.
        if self.told:
            kinds += ["oom_score_adj_update"]
        if self.told and tid:
            kinds += ["rss_stat"]
        if tid:
            kinds += ["workqueue_execute_start", "workqueue_execute_end", "binder_transaction", "binder_transaction_received", "signal_deliver",
                      "vendor_event", "sched_stat_wait"]
        # Marks that come later may be the first to say what the process of another task is.
        if self.told and tid and self.pid[tid] or tid == 100:
            kinds += 3 * ["task_newtask"]
        kind = r.choice(kinds)
        if kind == "task_newtask":
            self.fork(cpu, r.random() < 0.5)
            return
        values = {
            "cpu_frequency": {1: r.choice((300000, 2400000)), 2: r.randrange(2)}, "cpu_idle": {1: r.choice((0, 1, 2 ** 32 - 1)), 2: cpu},
            "cpu_frequency_limits": {1: 300000, 2: r.choice((1200000, 2400000)), 3: cpu},
            "clock_set_rate": {1: r.choice(("gpu_clk", "bus state=1 clk")), 2: r.choice((0, 2 ** 33)), 3: cpu},
            "gpu_frequency": {1: r.randrange(2), 2: r.choice((0, 500000))}, "irq_handler_entry": {1: 4, 2: r.choice(("timer", "wlan 0: rx"))},
            "irq_handler_exit": {1: 4, 2: 1}, "softirq_entry": {1: r.choice((1, 7, 12))}, "softirq_exit": {1: r.choice((1, 7))},
            "sched_blocked_reason": {1: about, 2: r.choice((1, 2)), 3: r.randrange(2)}, "wakeup_source_activate": {1: r.choice(("a lock", "b"))},
            "wakeup_source_deactivate": {1: r.choice(("a lock", "b"))}, "ion_stat": {1: r.randrange(3), 2: r.choice((4096, -4096)), 3: 8192},
            "dma_heap_stat": {1: r.randrange(3), 2: r.choice((2 ** 20, -2 ** 20)), 3: 2 ** 21}, "mark_victim": {1: about},
            "signal_generate": {1: 0, 2: self.comm[about], 3: 0, 4: about, 5: 0, 6: 9}, "ext4_sync_fs": {1: 1, 2: 1},
            "oom_score_adj_update": {1: self.comm[about], 2: r.choice((0, 900, -1000)), 3: about},
            "rss_stat": {1: r.randrange(5), 2: r.choice((4096, 2 ** 30)), 3: r.randrange(2), 4: r.choice((7, 8))},
            "workqueue_execute_start": {1: 0xffff0001, 2: r.choice((1, 2))}, "workqueue_execute_end": {1: 0xffff0001},
            "binder_transaction": {1: r.randrange(3), 2: 0, 3: 200, 4: 0, 5: r.randrange(2), 6: 3, 7: r.choice((0x10, 0x11))},
            "binder_transaction_received": {1: r.randrange(3)}, "signal_deliver": {1: 0, 2: 0, 3: 9},
            "vendor_event": {1: "vendor_event"}, "sched_stat_wait": {1: "sched_stat_wait"},
        }[kind]
        self.add(cpu, kind, values=values)

    def fork(self, cpu, thread):
        """The task that runs makes another one, which may end soon."""
        maker, tid = self.running[cpu], self.new
        self.new += 1
        self.comm[tid] = "child %d" % tid
        self.pid[tid] = self.pid[maker] if thread else tid
        self.add(cpu, "task_newtask", values={1: tid, 2: self.comm[tid], 3: 0x3d0f00 if thread else 0x1200000, 4: 0})
        if self.r.random() < 0.3:
            self.us += 1
            self.add(cpu, "sched_process_free", values={1: self.comm.pop(tid), 2: tid, 3: 120})

    def switch(self, cpu):
        r, old = self.r, self.running[cpu]
        free = [tid for tid in sorted(self.comm) if tid not in self.running]
        new = r.choice(free) if free and r.random() < 0.75 else 0
        if new == old:
            return
        # A thread that is not the main one gets another name, but not beside a process tree, whose names stay.
        if not self.told and old not in PROCESSES and old != 0 and r.random() < 0.1:
            new_comm = r.choice(("renamed", "pool-1-thread-2 x"))
            if r.random() < 0.5:
                self.add(cpu, "task_rename", values={1: old, 2: self.comm[old], 3: new_comm, 4: 0})
            self.comm[old] = new_comm
        before = self.name(old, cpu)
        self.add(cpu, "sched_switch", tid=old, comm=before, state="R" if old == 0 else r.choice(sorted(STATES)), to=new, to_comm=self.name(new, cpu))
        self.running[cpu] = new

    def mark(self, tid):
        r = self.r
        pid = self.pid[tid] if tid else 100
        pid = pid or r.choice(sorted(PROCESSES))
        cookie = r.randrange(1, 4)
        counter = "C|%d|%s|%d" % (pid, r.choice(("mem", "fps", "ScreenState", "a.b")), r.choice((0, 1, -5, 77, -2 ** 40, 2 ** 52)))
        spans = ["S|%d|%s|%d" % (pid, r.choice(("load", "net")), cookie), "F|%d|%s|%d" % (pid, r.choice(("load", "net")), cookie),
                 "G|%d|%s|step %d|%d" % (pid, r.choice(("track", "load")), r.randrange(2), cookie),
                 "H|%d|%s|%d" % (pid, r.choice(("track", "load")), cookie), "H|%d|track|step|%d" % (pid, cookie)]
        # An idle CPU has no calls, and of a thread without a process only these say theirs.
        if tid == 0 or self.pid[tid] == 0:
            return r.choice([counter] + spans + (["B|100|idle", "E|100", "E"] if tid == 0 else []))
        return r.choice(spans + 3 * ["B|%d|%s" % (pid, r.choice(NAMES)), "E|%d" % pid] + 2 * [counter] + [
            "E", "E|", "I|%d|%s" % (pid, r.choice(("vsync", "a|b"))), "N|%d|%s|%s" % (pid, r.choice(("input", "DeviceStateChanged")), r.choice(("tap", "x|y"))),
            "C|%d|kill_one_process|%d" % (pid, r.choice((0, 100, 200))), "I|%d|" % pid, "C|%d|x|many" % pid, "anything", "B|x|y", ""])

    def text(self):
        lines = ["# tracer: nop", "#"]
        for us, cpu, tid, comm, kind, what in self.events:
            pid = (self.pid[tid] if tid else 0) if self.told else 0
            head = "%16s-%-5d %s[%03d] d.%s. %d.%06d: " % (comm if tid else "<idle>", tid, "(%5d) " % pid if pid else "(-----) " if self.told else "",
                                                            cpu, what.get("irq") or ".", us // 10 ** 6, us % 10 ** 6)
            if kind == "sched_switch":
                body = "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120" % (
                    what["comm"], what["tid"], what["state"], what["to_comm"], what["to"])
            elif kind == "mark":
                kind, body = "tracing_mark_write", what["text"]
            elif kind in FORMS:
                body = FORMS[kind](what["values"])
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
        if kind in KINDS:
            return pb.fe(ns, tid, KINDS[kind], b"".join(pb.B(n, v) if isinstance(v, str) else pb.I(n, v) for n, v in what["values"].items()))
        number = {"sched_waking": 20, "sched_wakeup": 17, "sched_wakeup_new": 114}[kind]
        body = pb.B(1, what["comm"]) + pb.I(2, what["tid"]) + pb.I(3, 120) + pb.I(4, 1) + pb.I(5, what["target"])
        return pb.B(2, pb.I(1, ns) + pb.I(2, tid) + pb.I(5, {"": 0, "h": 8, "s": 16, "H": 24, "z": 64}[what["irq"]]) + pb.B(number, body))

    def packets(self):
        start = self.events[0][0] * 1000
        out = [pb.clocks(start), pb.sync(start)]
        if self.told:
            out.append(pb.ptree(start, [(pid, 0, [name], 0) for pid, name in PROCESSES.items()],
                                [(tid, comm, pid) for tid, (comm, pid) in THREADS.items() if pid]))
        out.append(SYMBOLS)
        for cpu in range(len(self.running)):
            out.append(pb.bundle(cpu, [self.packet_event(e) for e in self.events if e[1] == cpu], pb.I(13, 2)))
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
