#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""schedany.py FOLDER FIRST END - scheduler texts of a few lines each, of all kinds in any order: what the seed N says goes to FOLDER/N.

Switches leave tasks that never came, marks and exits name tasks that never ran, and lines about losses are among them.
"""
import os
import random
import sys

TIDS = (0, 5, 6, 7, 4194305)
NAMES = ("a", "b c", "<...>", "swapper/0", "x-1")
MARKS = ("B|5|x", "E", "E|5", "C|5|q|3", "S|5|y|1", "F|5|y|1", "trace_event_clock_sync: parent_ts=1.5")


def line(r, us):
    a, b, x, y, cpu = r.choice(TIDS), r.choice(TIDS), r.choice(NAMES), r.choice(NAMES), r.randrange(3)
    head = " %s-%d %s[%03d] %s %d.%06d: " % (r.choice(NAMES), r.choice(TIDS), r.choice(("", "(    5) ", "(-----) ")), cpu,
                                            r.choice(("d..2", "....", "d.h1", "d.s2")), us // 10**6, us % 10**6)
    switch = head + "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120" % (
        x, a, r.choice("SRDX"), y, b)
    return r.choice([switch] * 4 + [
        head + "sched_waking: comm=%s pid=%d prio=120 target_cpu=%03d" % (x, a, cpu),
        head + "sched_wakeup: comm=%s pid=%d prio=120 target_cpu=%03d" % (x, a, cpu),
        head + "sched_process_exit: comm=%s pid=%d prio=120" % (x, a),
        head + "cpu_frequency: state=%d cpu_id=%d" % (r.randrange(9), cpu),
        head + "tracing_mark_write: " + r.choice(MARKS),
        r.choice(("CPU:%d [LOST %d EVENTS]" % (cpu, r.randrange(9)), "# entries-in-buffer/entries-written: 3/%d   #P:2" % r.randrange(9), "junk",
                  head + "sched_switch: prev_comm=a prev_pid", head + "irq_handler_entry: irq=5 name=z",
                  head + "task_rename: pid=%d oldcomm=%s newcomm=%s" % (a, x, y),
                  head + "sched_wakeup_new: comm=%s pid=%d prio=120 success=%d target_cpu=001" % (x, a, r.randrange(2))))])


def text(seed):
    r = random.Random(seed)
    us, out = r.randrange(10**9), ["# tracer: nop"] if r.random() < .5 else []
    for _ in range(r.randrange(1, 40)):
        us += r.choice((0, 1, 1000, 10**6))
        out.append(line(r, us))
    return "\n".join(out) + ("\n" if r.random() < .7 else "")


def main(folder, first, end):
    os.makedirs(folder, exist_ok=True)
    for seed in range(int(first), int(end)):
        with open(os.path.join(folder, str(seed)), "w", encoding="ascii") as f:
            f.write(text(seed))


if __name__ == "__main__":
    main(*sys.argv[1:])
