#!/usr/bin/env python3
"""sched.py FILE - slow, plain oracle for scheduler traces as text.

Prints the tasks and CPUs as they should be: times in ns.  Shares nothing with
the program it judges; lines are taken apart by regular expressions.
"""
import gzip
import re
import sys
import zlib

NEW = re.compile(r"sched_switch: +prev_comm=(.*) prev_pid=(\d+) prev_prio=(-?\d+) prev_state=(\S+) ==> "
                 r"next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)")
BRACKETS = re.compile(r"sched_switch: +(.*):(\d+) \[\d+\] (\S+) ==> (.*):(\d+) \[\d+\]")
OLD = re.compile(r"sched_switch: +(?:(.*):)?(\d+):\d+:(\S+) ==> (\d+):\d+:?\s*(.*)$")
WAKE = re.compile(r"sched_wak(?:eup|eup_new|ing): +(?:comm=(.*) pid=(\d+) |(?:(.*):)?(\d+) \[)")
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
        self.n_in = self.n_out = self.on = 0
        self.by = {"S": 0, "D": 0, "R": 0, "X": 0}
        self.last_in = self.last_out = self.woken = None
        self.state = ""
        self.gaps = []              # (length, begin)
        self.delays = []


class Cpu:
    def __init__(self):
        self.busy = self.idle = self.max_idle = self.unknown = self.n = 0
        self.last = self.running = None


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


def load(path):
    tasks, cpus = {}, {}
    nsw = nwk = 0
    for line in read_lines(path):
        if "sched_" not in line or line.startswith("#"):
            continue
        head = HEAD.search(line)
        if not head:
            continue
        cpu = int(head.group(1))
        ns = int(head.group(2)) * 10 ** 9 + int(head.group(3).ljust(9, "0"))
        s = switch_of(line)
        if s:
            nsw += 1
            take_switch(tasks, cpus.setdefault(cpu, Cpu()), ns, s)
            continue
        w = WAKE.search(line)
        if w and int(w.group(2) or w.group(4)) != 0:
            nwk += 1
            t = tasks.setdefault(int(w.group(2) or w.group(4)), Task())
            name = w.group(1) or w.group(3)
            t.name = name if name not in (None, "", "<...>") else t.name
            if t.woken is None:
                t.woken = ns
    tasks.pop(0, None)
    return tasks, cpus, nsw, nwk


def take_switch(tasks, cpu, ns, s):
    out, into = tasks.setdefault(s[1], Task()), tasks.setdefault(s[4], Task())
    if s[0] not in ("", "<...>"):
        out.name = s[0]
    if s[3] not in ("", "<...>"):
        into.name = s[3]
    if cpu.last is not None:
        length = ns - cpu.last
        if cpu.running != s[1]:
            cpu.unknown += length
        elif s[1]:
            cpu.busy += length
        else:
            cpu.idle += length
            cpu.max_idle = max(cpu.max_idle, length)
    cpu.last, cpu.running = ns, s[4]
    cpu.n += 1
    out.n_out += 1
    if out.last_in is not None:
        out.on += ns - out.last_in
    out.last_in = None
    if out.last_out is not None:    # it came back unseen, woken or not
        out.woken = None
    out.last_out, out.state = ns, s[2][:1]
    into.n_in += 1
    into.last_in = ns
    if into.last_out is not None:
        gap = ns - into.last_out
        into.gaps.append((gap, into.last_out))
        into.by[into.state if into.state in "SDR" else "X"] += gap
    into.last_out = None
    if into.woken is not None:
        into.delays.append(ns - into.woken)
    into.woken = None


def counts(path):
    """How many switches, wakeups and marks there are."""
    marks = sum(1 for line in read_lines(path) if not line.startswith("#") and HEAD.search(line) and
                re.search(r"\d: (tracing_mark_write|0|print): ", line))
    _, _, switches, wakeups = load(path)
    return {"switches": switches, "wakeups": wakeups, "marks": marks}


def percentile(values, percent):
    """The least value of which that many are not above it."""
    values = sorted(values)
    return values[-(-len(values) * percent // 100) - 1] if values else 0


def task_row(pid, t):
    gaps = [g for g, _ in t.gaps]
    return {
        "tid": pid, "name": t.name, "on": t.on, "off": sum(gaps), "gaps": len(gaps),
        "max_gap": max(gaps, default=0), "p50": percentile(gaps, 50), "p99": percentile(gaps, 99),
        "sleeping": t.by["S"], "disk": t.by["D"], "preempted": t.by["R"], "other": t.by["X"],
        "delay": sum(t.delays), "delays": len(t.delays), "max_delay": max(t.delays, default=0),
        "p99_delay": percentile(t.delays, 99), "in": t.n_in, "out": t.n_out,
    }


def cpu_row(number, c):
    return {"cpu": number, "busy": c.busy, "idle": c.idle, "switches": c.n, "max_idle": c.max_idle,
            "unknown": c.unknown}


def tables(path):
    tasks, cpus, _, _ = load(path)
    return ([task_row(pid, t) for pid, t in sorted(tasks.items())],
            [cpu_row(n, c) for n, c in sorted(cpus.items())])


def main(argv):
    for rows in tables(argv[1]):
        if rows:
            print("\t".join(rows[0]))
        for row in rows:
            print("\t".join(str(x) for x in row.values()))
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
