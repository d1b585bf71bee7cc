#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""cells.py STATES.tsv COLUMNS [FROM TO] - the cells of the timeline, slow and clear.

STATES.tsv is what 'states' prints as tsv (columns thread state start_wall wall class thread_id, ns).
Prints, for each thread by falling CPU time, its row of cells, CPU time and run-queue time in ns.
"""
import csv
import sys

BARS = "▁▂▃▄▅▆▇█"
STEPS = [188, 313, 438, 563, 700, 813, 938]    # per mille of the cell: below the n-th: bar n


def kind(r):
    if r["class"] == "running":
        return "run"
    if r["class"] == "runnable":
        return "run_queue"
    if r["state"] == "disk":
        return "disk"
    return "dead" if r["state"] in ("dead", "zombie") else "sleep"


def draw(cell, length):
    run, run_queue, disk = cell["run"], cell["run_queue"], cell["disk"]
    if run + run_queue + disk + cell["sleep"] == 0:
        return " "
    if disk * 4 >= length:
        return "D"
    if run_queue * 10 >= length and run_queue * 4 >= run:
        return "r"
    if run == 0:
        return "·"
    return BARS[sum(1000 * run >= s * length for s in STEPS)]


def window(rows):
    """From the first to the last time; what goes on until then counts."""
    return (min(int(r["start_wall"]) for r in rows), max(int(r["start_wall"]) + int(r["wall"]) for r in rows))


def cells(rows, n, begin, end):
    """(name, its row, ns on a CPU, ns in a run queue) of each thread, by falling CPU time."""
    threads = {}
    edges = [begin + (end - begin) * c // n for c in range(n + 1)]
    for r in rows:
        t = threads.setdefault((r["thread_id"], r["thread"]), [dict(run=0, run_queue=0, disk=0, sleep=0) for _ in range(n)])
        a, b = int(r["start_wall"]), int(r["start_wall"]) + int(r["wall"])
        for c in range(n):
            part = min(b, edges[c + 1]) - max(a, edges[c])
            if part > 0 and kind(r) != "dead":
                t[c][kind(r)] += part
    lengths = [b - a for a, b in zip(edges, edges[1:])]

    def total(t, k):
        return sum(c[k] for c in t)

    return [(name, "".join(draw(c, length) for c, length in zip(t, lengths)), total(t, "run"), total(t, "run_queue"))
            for (_, name), t in sorted(threads.items(), key=lambda i: (-total(i[1], "run"), i[0][1]))]


def main(argv):
    with open(argv[1], newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    begin, end = map(int, argv[3:5]) if len(argv) > 3 else window(rows)
    for name, row, run, run_queue in cells(rows, int(argv[2]), begin, end):
        print("%-16.16s%s %d %d" % (name, row, run, run_queue))


if __name__ == "__main__":
    main(sys.argv)
