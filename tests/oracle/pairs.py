#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""
pairs.py - slow model of the times between tracepoints: for each end, all events before it are searched for its begin.  Times are ns.
"""
import fnmatch

# Functions that wait, as far as pairmake.py has them.
WAITING = ("finish_task_switch*", "__schedule", "schedule", "schedule_*", "io_schedule", "*_slowpath", "_raw_spin_lock*", "__mutex_lock*", "down_read*", "rwsem_*",
           "exit_to_user_mode*")


def cut(stack):
    """A stack from the outside, without the functions on top that wait."""
    n = len(stack)
    while n > 1 and any(fnmatch.fnmatchcase(stack[n - 1], w) for w in WAITING):
        n -= 1
    return stack[:n]


def count(table, key, n=1):
    table[key] = table.get(key, 0) + n


class Answer:
    """stacks: weight by event, and by thread and stack; intervals: (start, length, thread, event, subject); alone: events by name."""

    def __init__(self):
        self.stacks, self.intervals, self.alone = {}, [], {}

    def sample(self, event, row, stack, weight):
        if weight > 0:
            count(self.stacks.setdefault(event, {}), ";".join([row["comm"]] + (stack or ["[no stack]"])), weight)
        else:
            self.stacks.setdefault(event, {})

    def pair(self, begin, end, event, stack):
        start, length = 1000 * begin["time"], 1000 * (end["time"] - begin["time"])
        self.sample(event, begin, stack, length)
        self.intervals.append((start, length, begin["comm"], event, begin["what"]))


def last_begin(rows, i, is_begin, used):
    """The last event before row i with its key that begins, unless it is used already; -1: there is none."""
    for j in range(i - 1, -1, -1):
        if rows[j]["key"] == rows[i]["key"] and is_begin(rows[j]):
            return -1 if j in used else j
    return -1


def match(rows, is_begin, is_end, quiet, pair, alone, first=False):
    """first: of several begins before an end, the first counts, and the others are parts of it."""
    if first:
        rows = [r for i, r in enumerate(rows) if not is_begin(r) or not next(
            (is_begin(x) for x in reversed(rows[:i]) if x["key"] == r["key"]), False)]
    used = set()
    for i, row in enumerate(rows):
        if not is_end(row):
            continue
        j = last_begin(rows, i, is_begin, used)
        if j >= 0:
            used.add(j)
            pair(rows[j], row)
        elif not quiet:
            alone(row)
    for j, row in enumerate(rows):
        if is_begin(row) and j not in used:
            yield j, row


def block(rows, a):
    for begin, end, event in (("insert", "issue", "block queue"), ("issue", "complete", "block I/O")):
        for _, row in match(rows, lambda r, b=begin: r["step"] == b, lambda r, e=end: r["step"] == e, end == "issue",
                            lambda b, e, name=event: a.pair(b, e, name, b["stack"] + [b["what"]]), lambda r: count(a.alone, r["event"])):
            count(a.alone, row["event"])


def memory(rows, a):
    """Memory that is not freed: the last allocation of each key, if no free is behind it."""
    rows = [r for r in rows if not r["nowhere"]]
    for j, row in match(rows, lambda r: r["begins"], lambda r: not r["begins"], False, lambda b, e: None, lambda r: count(a.alone, r["event"])):
        if any(r["key"] == row["key"] and r["begins"] for r in rows[j + 1:]):
            count(a.alone, row["event"])
            continue
        stack = row["stack"]
        a.sample(row["kind"], row, stack[:stack.index(row["caller"]) + 1] if row["caller"] in stack else stack, row["bytes"])


def plain(rows, a):
    for kind in sorted({r["kind"] for r in rows}):
        some = [r for r in rows if r["kind"] == kind]
        stack = lambda b: cut(b["stack"]) if kind == "lock contention" else b["stack"] + [b["what"]]
        for _, row in match(some, lambda r: r["begins"], lambda r: not r["begins"], some[0].get("quiet"),
                            lambda b, e: a.pair(b, e, kind, stack(b)), lambda r: count(a.alone, r["event"]), kind == "lock contention"):
            count(a.alone, row["event"])


def waits(rows):
    """(start, length, thread, state, stack, for I/O) of each time off the CPU; the last ones end with the recording."""
    out = []
    for i, row in enumerate(rows):
        if row["leaves"] == 0 or row["state"] == "Z":
            continue
        end = next((r["time"] for r in rows[i + 1:] if r["comes"] == row["leaves"]), rows[-1]["time"])
        if end > row["time"]:
            own = cut(row["stack"])
            out.append((1000 * row["time"], 1000 * (end - row["time"]), row["comm"], row["state"][0], own, "io_schedule" in row["stack"][len(own):]))
    return out


def answer(recording):
    a = Answer()
    if recording.kind == "switch":
        for start, length, comm, state, stack, _ in waits(recording.rows):
            a.sample("off-cpu", {"comm": comm}, stack, length)
    else:
        {"block": block, "kmem": memory}.get(recording.kind, plain)(recording.rows, a)
    return a
