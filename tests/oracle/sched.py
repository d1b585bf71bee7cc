#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sched.py FILE [FROM TO] - slow, plain oracle for scheduler traces as text.

A switch that leaves another task than the one before it on that CPU switched to follows one that is missing: since when
that task was off is not known, and its time there counts nothing.

The delay of a task that comes to a CPU is counted from when it left one preempted, otherwise from the first wakeup since.

Prints the tasks and CPUs as they should be, of all or of a piece of time: times in ns.  Shares nothing with
the program it judges; lines are taken apart by regular expressions.
"""
import bisect
import cells
import functools
import gzip
import re
import sys
import zlib

NEW = re.compile(r"sched_switch: +prev_comm=(.*) prev_pid=(\d+) prev_prio=(-?\d+) prev_state=(\S+) ==> "
                 r"next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)")
BRACKETS = re.compile(r"sched_switch: +(.*):(\d+) \[\d+\] (\S+) ==> (.*):(\d+) \[\d+\]")
OLD = re.compile(r"sched_switch: +(?:(.*):)?(\d+):\d+:(\S+) ==> (\d+):\d+:?\s*(.*)$")
WAKE = re.compile(r"sched_wak(?:eup|eup_new|ing): +(?:comm=(.*) pid=(\d+) |(?:(.*):)?(\d+) \[)")
# Of kernels before 3.0: the task was still on a run queue, nobody was woken.
FAILED = re.compile(r" success=0(?: |$)")
HEAD = re.compile(r"\[(\d+)\](?:\s+[^\s:]+)?\s+(\d+)\.(\d{3,9}): ")


def read_lines(path):
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if data[:6] == b"TRACE:":
        i = data.index(b"\n") + 1
        data = zlib.decompressobj().decompress(data[i:]) if data[i:i + 1] == b"\x78" else data[i:]
    return data.decode("utf-8", "surrogateescape").split("\n")


class Task:
    def __init__(self):
        self.name = ""
        self.ins, self.outs = [], []    # when
        self.runs = []                  # (begin, end)
        self.gaps = []                  # (begin, end, state)
        self.delays = []                # (begin, end)
        self.last_out = self.woken = None
        self.runs_now = self.hasty = False
        self.state = ""


class Cpu:
    def __init__(self):
        self.pieces = {"busy": [], "idle": [], "unknown": []}   # (begin, end)
        self.switches = []              # when
        self.first = self.left = None


def switch_of(line):
    """(name, pid, state, name, pid) or None."""
    s = NEW.search(line)
    if s:
        return s.group(1), int(s.group(2)), s.group(4), s.group(5), int(s.group(6))
    s = BRACKETS.search(line)
    if s:
        return s.group(1), int(s.group(2)), s.group(3), s.group(4), int(s.group(5))
    s = OLD.search(line)
    if s:
        return s.group(1) or "", int(s.group(2)), s.group(3), s.group(5).strip(), int(s.group(4))
    return None


def read_events(path):
    """(ns, cpu, switch or None, wakeup or None) of each line with one."""
    for line in read_lines(path):
        if "sched_" not in line or line.startswith("#"):
            continue
        head = HEAD.search(line)
        if not head:
            continue
        s, w = switch_of(line), WAKE.search(line)
        if s or w and int(w.group(2) or w.group(4)) != 0 and not FAILED.search(line, w.end() - 1):
            yield int(head.group(2)) * 10 ** 9 + int(head.group(3).ljust(9, "0")), int(head.group(1)), s, w


def load(path):
    tasks, cpus, n = {}, {}, 0
    found = list(read_events(path))
    switches = [(ns, cpu, s[1], s[4]) for ns, cpu, s, _ in found if s]
    gone = {j: switches[i][3] for i, j, what in stretches(switches) if what == "gone"}
    for ns, cpu, s, w in found:
        if s:
            if n in gone:
                tasks[gone[n]].woken, tasks[gone[n]].hasty = None, False
                tasks[gone[n]].runs_now = False
            take_switch(tasks, cpus.setdefault(cpu, Cpu()), ns, s)
            n += 1
        else:
            t = tasks.setdefault(int(w.group(2) or w.group(4)), Task())
            name = w.group(1) or w.group(3)
            t.name = name if name not in (None, "", "<...>") else t.name
            if t.woken is None:
                t.woken = ns
            t.hasty = t.runs_now and "waking" in w.group(0)
    close(path, tasks, cpus, switches)
    tasks.pop(0, None)
    return tasks, cpus


def stretches(switches):
    """(begin, end, what) of each switch (time, CPU, task left, task) until the next one of its CPU: numbers of both, end None
    for the last one.

    The task it switched to ran all the time, "known", if the next switch leaves it.  It ran for an unknown time, "unknown",
    if a switch of another CPU names it in between.  Otherwise it is "gone" when the next switch comes.
    """
    named, of_cpu = {}, {}
    for i, (_, cpu, out, into) in enumerate(switches):
        of_cpu.setdefault(cpu, []).append(i)
        for task in {out, into} - {0}:
            named.setdefault(task, []).append(i)
    for numbers in of_cpu.values():
        for i, j in zip(numbers, numbers[1:] + [None]):
            task, between = switches[i][3], named.get(switches[i][3], [])
            at = bisect.bisect_right(between, i)
            if at < len(between) and (j is None or between[at] < j):
                yield i, j, "unknown"
            else:
                yield i, j, "known" if j is None or switches[j][2] == task else "gone" if task else "unknown"


def lost_events(path):
    """Whether the recording says that some are missing."""
    text = "\n".join(read_lines(path))
    entries = re.search(r"^#.*entries-in-buffer/entries-written: (\d+)/(\d+)", text, re.M)
    return bool(re.search(r"^CPU:\d+ \[(LOST|\d* ?EVENTS DROPPED)", text, re.M)) or \
        entries is not None and int(entries.group(2)) > int(entries.group(1))


def close(path, tasks, cpus, switches):
    """At the end of the trace what is on a CPU still runs; what leaves idle first was idle since the start."""
    if not cpus:
        return
    first, last, lost = first_time(path), last_time(path), lost_events(path)
    for c in cpus.values():
        c.pieces["unknown" if c.left or lost else "idle"].append((first, c.first))
    for i, j, what in stretches(switches):
        ns, cpu, _, task = switches[i]
        piece = (ns, last if j is None else switches[j][0])
        cpus[cpu].pieces["unknown" if what != "known" else "busy" if task else "idle"].append(piece)
        if what == "known":
            tasks[task].runs.append(piece)
    for tid, state, begin, end, _, by in waits(path):
        if by != "(end of trace)":
            continue
        task = tasks.setdefault(tid, Task())
        if state in ("runnable", "preempted"):
            task.delays.append((first + begin, first + end))
        if task.last_out is not None:
            task.gaps.append((task.last_out, first + end, task.state if task.state in "SDR" else "X"))


def take_switch(tasks, cpu, ns, s):
    out, into = tasks.setdefault(s[1], Task()), tasks.setdefault(s[4], Task())
    if s[0] not in ("", "<...>"):
        out.name = s[0]
    if s[3] not in ("", "<...>"):
        into.name = s[3]
    if cpu.first is None:
        cpu.first, cpu.left = ns, s[1]
    cpu.switches.append(ns)
    out.outs.append(ns)
    out.woken = None                # woken while it ran, or before it left unseen: it waits from the next one on
    out.hasty = out.hasty and out is not into and s[2][:1] != "R"   # unless no other one comes: then its CPU was not done with the switch
    out.runs_now = False
    out.last_out, out.state = ns, s[2][:1]
    into.ins.append(ns)
    preempted = into.last_out if into.state == "R" else None
    if into.last_out is not None:
        into.gaps.append((into.last_out, ns, into.state if into.state in "SDR" else "X"))
    if into.woken is None and into.hasty and into.last_out is not None:
        into.woken = into.last_out
    into.last_out = None
    into.runs_now, into.hasty = True, False
    queued = into.woken if preempted is None else preempted
    if queued is not None:
        into.delays.append((queued, ns))
    into.woken = None


# ---- who woke whom ----------------------------------------------------------------------

WORDS = {"R": "preempted", "S": "sleep", "D": "disk", "T": "stopped", "t": "traced", "P": "parked", "I": "idle"}
ENDED = "XxZ"


def line_task(line):
    """(tid, third flag) of the task of a line; tid None without one."""
    head = re.match(r"(.*?)\s*\[\d+\]\s+(?:(\S+)\s+)?\d+\.\d+: ", line[:HEAD.search(line).end()])
    flags = head.group(2) or ""
    left = re.sub(r"\s*\(\s*(\d+|-+)\)$", "", head.group(1))
    tid = re.search(r"[-\s](\d+)$", left)
    return int(tid.group(1)) if tid else None, flags[2] if len(flags) >= 4 else ""


@functools.lru_cache(maxsize=1)
def events(path):
    """Switches, wakeups, losses and tasks that are gone, in order of time."""
    found, last, open_losses = [], {}, {}
    for line in read_lines(path):
        lost = re.match(r"CPU:(\d+) \[(?:LOST|\d+ EVENTS DROPPED|EVENTS DROPPED)", line)
        if lost:
            open_losses[int(lost.group(1))] = last.get(int(lost.group(1)), 0)
        head = HEAD.search(line)
        if not head or line.startswith("#"):
            continue
        cpu, ns = int(head.group(1)), int(head.group(2)) * 10 ** 9 + int(head.group(3).ljust(9, "0"))
        s, w = switch_of(line), WAKE.search(line)
        if s:
            found.append((ns, "switch", cpu, s))
        elif w and int(w.group(2) or w.group(4)) and not FAILED.search(line, w.end() - 1):
            target = re.search(r"(?:target_cpu=|CPU:)(\d+)", line[w.end() - 1:])
            found.append((ns, "wake", cpu, (w.group(0).split(":")[0].split("_")[1] + ("_new" if "_new:" in w.group(0) else ""),
                                            int(w.group(2) or w.group(4)), line_task(line), target and int(target.group(1)))))
        else:
            continue
        if cpu in open_losses:
            found.append((open_losses.pop(cpu), "loss", cpu, ns))
        last[cpu] = ns
    found.sort(key=lambda e: e[0])
    at = [n for n, e in enumerate(found) if e[1] == "switch"]
    switches = [(found[n][0], found[n][2], found[n][3][1], found[n][3][4]) for n in at]
    gone = {at[j]: (found[at[j]][0], "gone", found[at[j]][2], switches[i][3]) for i, j, what in stretches(switches) if what == "gone"}
    return [e for n, event in enumerate(found) for e in ([gone[n]] if n in gone else []) + [event]]


def waker_of(word, tid, flag):
    """(text or tid, context)"""
    if flag and flag in "hH":
        return "(irq)", "irq"
    if flag == "s":
        return "(irq)", "softirq"
    if tid == 0:
        return "(idle)", "irq"
    return tid, "new" if word == "wakeup_new" else "task"


def wakeups(path):
    """One row for each time a task was woken, as dicts."""
    all_events = events(path)
    only_waking = any(e[1] == "wake" and e[3][0] == "waking" for e in all_events)
    losses = [(e[0], e[3]) for e in all_events if e[1] == "loss"]
    rows, woken, waking, running, left = [], {}, {}, set(), {}
    for n, (ns, kind, cpu, what) in enumerate(all_events):
        if kind == "switch":
            out, into = what[1], what[4]
            running.discard(out)
            if what[2][:1] == "R" or out == into or out in woken:
                waking.pop(out, None)
            woken.pop(out, None)
            left[out] = ns, n + 0.5
            row = woken.pop(into, None)
            if row is None and into in waking and into in left:
                row = waking[into]
                row["time"], row["n"] = left[into]
            if row is not None and not any(a < ns and b > row["time"] for a, b in losses):
                row["latency"] = ns - row["time"]
            waking.pop(into, None)
            left.pop(into, None)
            running.add(into)
        elif kind == "gone":
            running.discard(what)
            waking.pop(what, None)
        elif kind == "wake":
            word, tid, (line_tid, flag), target = what
            first = waking.pop(tid, None)
            half = first is not None and word != "waking"
            if tid in woken or half and tid in running:
                continue
            waker, context = waker_of(word, line_tid, flag)
            row = {"n": n, "time": ns, "task": tid, "waker": waker, "context": context, "cpu": cpu, "target_cpu": target, "latency": None}
            if half:
                row.update(waker=first["waker"], context=first["context"], cpu=first["cpu"])
                first["merged"] = True
            elif only_waking and word == "wakeup":
                row.update(waker=None, context=None, cpu=None)
            rows.append(row)
            if tid not in running:
                woken[tid] = row
            if word == "waking":
                waking[tid] = row
    return sorted((row for row in rows if "merged" not in row), key=lambda row: (row["time"], row["n"]))


def waits(path):
    """(tid, state, start, end, waker, ended by) for each time in which a task did not run."""
    happened, first = {}, first_time(path)
    end = last_time(path)
    for row in wakeups(path):
        happened.setdefault(row["task"], []).append((row["time"], row["n"], "wake", row["waker"]))
    for n, (ns, kind, cpu, what) in enumerate(events(path)):
        if kind == "gone":
            happened.setdefault(what, []).append((ns, n, "gone", None))
        if kind != "switch":
            continue
        for tid, to in ((what[1], False), (what[4], True)):
            happened.setdefault(tid, []).append((ns, n, "in" if to else "out", cpu if to else what[2][:1]))
    happened.pop(0, None)
    return [(tid, state, a - first, b - first, waker, by)
            for tid, list_ in happened.items() for state, a, b, waker, by in waits_of(sorted(list_, key=lambda e: e[:2]), end)]


def waits_of(list_, end):
    """Who leaves a CPU without having been seen to come was there meanwhile, nobody knows since when.  Who mostly does so may have
    done it once more before the end."""
    state, since, found, left, unseen = None, None, [], 0, 0

    def change(new, ns, waker, by):
        if new == state:
            return state, since
        if state not in (None, "running", "dead") and ns > since:
            found.append([state, since, ns, waker, by])
        return new, ns

    for ns, _, kind, what in list_:
        if kind == "in":
            state, since = change("running", ns, None, "CPU %d free" % what if state in ("runnable", "preempted") else None)
        elif kind == "out":
            if state not in (None, "running"):
                # The time from there on, which is gone, says what woke it.
                if state == "runnable" and found and found[-1][2] == since:
                    found[-1][3:] = [None, None]
                state, unseen = None, unseen + 1
            left += 1
            state, since = change("dead" if what in ENDED else WORDS.get(what, "waiting"), ns, None, None)
        elif kind == "gone":
            state, since = change(None, ns, None, None)
        elif state not in ("running", "runnable", "preempted"):
            state, since = change("runnable", ns, what, what)
    if not unseen or 2 * unseen + 1 < left:
        change(None, end, None, "(end of trace)")
    elif state == "runnable" and found and found[-1][2] == since:
        found[-1][3:] = [None, None]
    return found


def blame(path, tid, times):
    """(task, depth) that uses the time of a task at each of these times: itself, or who wakes it later, if that is awake, and so on."""
    asleep = {}
    for who, state, start, end, waker, _ in waits(path):
        if state not in ("runnable", "preempted") and isinstance(waker, int):
            asleep.setdefault(who, []).append((start, end, waker))

    def at(who, time, before, depth):
        for start, end, waker in asleep.get(who, []):
            if start <= time < end < before and waker != 0:
                return at(waker, time, end, depth + 1)
        return who, depth
    return [at(tid, time, float("inf"), 0) for time in times]


def counts(path):
    """How many switches, wakeups and marks there are."""
    marks = sum(1 for line in read_lines(path) if not line.startswith("#") and HEAD.search(line) and
                re.search(r"\d: (tracing_mark_write|0|print): ", line))
    return {"switches": sum(e[1] == "switch" for e in events(path)), "wakeups": len(wakeups(path)), "marks": marks}


def percentile(values, percent):
    """The least value of which that many are not above it."""
    values = sorted(values)
    return values[-(-len(values) * percent // 100) - 1] if values else 0


def inside(window, times):
    return sum(1 for t in times if window is None or window[0] <= t < window[1])


def clip(window, pieces):
    """The lengths of the pieces (begin, end, ...) that have a part in the window, of that part."""
    lengths = []
    for p in pieces:
        begin, end = p[:2]
        if window is not None:
            begin, end = max(begin, window[0]), min(end, window[1])
        if end > begin or (p[0] == p[1] and inside(window, p[:1])):
            lengths.append(end - begin)
    return lengths


def task_row(pid, t, window):
    gaps, delays = clip(window, t.gaps), clip(window, t.delays)
    by = {state: sum(clip(window, [g for g in t.gaps if g[2] == state])) for state in "SDRX"}
    return {
        "tid": pid, "name": t.name, "cpu": sum(clip(window, t.runs)), "off_cpu": sum(gaps), "waits": len(gaps),
        "max_wait": max(gaps, default=0), "p50_wait": percentile(gaps, 50), "p99_wait": percentile(gaps, 99),
        "sleeping": by["S"], "disk": by["D"], "preempted": by["R"], "other": by["X"],
        "run_queue": sum(delays), "run_queue_waits": len(delays), "max_run_queue": max(delays, default=0),
        "p99_run_queue": percentile(delays, 99), "switches_in": inside(window, t.ins), "switches_out": inside(window, t.outs),
    }


def use_over_time(c, begin, end):
    """20 equal parts, in each a digit: 0 for none, else how many of the steps its CPU use reaches, and 1."""
    digits = ""
    for k in range(20):
        lo, hi = begin + (end - begin) * k // 20, begin + (end - begin) * (k + 1) // 20
        run = sum(max(0, min(b, hi) - max(a, lo)) for a, b in c.pieces["busy"])
        digits += str(1 + sum(1000 * run >= step * (hi - lo) for step in cells.STEPS) if run > 0 else 0)
    return digits


def cpu_row(number, c, window, whole):
    begin, end = window or whole
    end = min(end, whole[1])
    part = {kind: clip(window, pieces) for kind, pieces in c.pieces.items()}
    return {"cpu": number, "busy": sum(part["busy"]), "idle": sum(part["idle"]),
            "switches": inside(window, c.switches), "max_idle": max(part["idle"], default=0),
            "unaccounted": sum(part["unknown"]), "use_over_time": use_over_time(c, min(begin, end), end)}


def times(path):
    """Times of all events, also of those that say nothing of tasks."""
    heads = (HEAD.search(line) for line in read_lines(path) if not line.startswith("#"))
    return [int(h.group(2)) * 10 ** 9 + int(h.group(3).ljust(9, "0")) for h in heads if h]


def first_time(path):
    """Times of a window count from the first event on."""
    return min(times(path), default=0)


def last_time(path):
    return max(times(path))


def tables(path, window=None):
    tasks, cpus = load(path)
    first = first_time(path)
    if window is not None:
        window = (window[0] + first, window[1] + first)
    return ([task_row(pid, t, window) for pid, t in sorted(tasks.items())],
            [cpu_row(n, c, window, (first, last_time(path))) for n, c in sorted(cpus.items())])


def main(argv):
    for rows in tables(argv[1], (int(argv[2]), int(argv[3])) if len(argv) > 3 else None):
        if rows:
            print("\t".join(rows[0]))
        for row in rows:
            print("\t".join(str(x) for x in row.values()))
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
