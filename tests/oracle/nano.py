#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""nano.py - a slow, independent reader of Nanoscope traces and the files beside them.

read(bytes) gives a Trace: its calls as (start, end, depth, name, note) in the order they were entered, the times of
what it saw, and what it left out.  timer(bytes) and state(bytes) give the lines that are whole.
"""
import re

LINE = re.compile(rb"([0-9]{1,19}):(.+)", re.S)
WORDS = {66: "dead", 67: "running", 68: "wait", 69: "sleep", 70: "blocked",
         71: "wait", 72: "gc", 73: "gc", 74: "gc", 75: "debugger", 76: "debugger",
         77: "debugger", 78: "debugger", 79: "JNI load", 80: "signal", 81: "signal",
         82: "deopt", 83: "trace", 84: "gc", 85: "gc", 86: "gc", 87: "gc",
         88: "starting", 89: "native", 90: "suspended"}


def short(name):
    """Class and method, and the arguments."""
    if name.startswith(b"+"):
        return name[1:], b""
    if b"(" not in name:
        return name, b""
    head, rest = name.split(b"(", 1)
    return head.split(b" ")[-1], b"(" + rest


class Trace:
    def __init__(self, data):
        self.calls = []           # [start, end, depth, name, note]
        self.first = None
        self.last = 0
        self.records = self.bad = self.pops = self.lost = 0
        self.stack = []
        lines = data.split(b"\n")
        for line in lines[:-1]:
            self.line(line)
        tail = lines[-1]
        if tail.endswith(b"\r"):
            tail = tail[:-1]
        m = LINE.fullmatch(tail)
        if m and (m.group(2) == b"POP" or m.group(2).endswith(b")")):
            self.line(tail)
        else:
            self.lost = len(tail)
        for call in self.stack:
            call[1] = self.last

    def line(self, line):
        if line.endswith(b"\r"):
            line = line[:-1]
        m = LINE.fullmatch(line)
        if not m:
            self.bad += line != b""
            return
        at, text = int(m.group(1)), m.group(2)
        if self.first is None:
            self.first = at
        if text == b"POP" and not self.stack:
            self.pops += 1
            return
        self.last = max(self.last, at - self.first)
        self.records += 1
        if text == b"POP":
            self.stack.pop()[1] = self.last
            return
        note = b""
        if b"#" in text and not text.startswith(b"+"):
            text, note = text.split(b"#", 1)
        call = [self.last, None, len(self.stack), text, note]
        self.calls.append(call)
        self.stack.append(call)

    def tree(self):
        """{path of names: [calls, total, self]}"""
        tree, path, inside = {}, [], []
        for start, end, depth, name, _ in self.calls:
            del path[depth:]
            path.append(name)
            n = tree.setdefault(tuple(path), [0, 0, 0])
            n[0] += 1
            n[1] += end - start
            n[2] += end - start
            if depth:
                tree[tuple(path[:-1])][2] -= end - start
        return tree

    def innermost(self, a, b):
        """{place of the call: ns in which it was the innermost one between a and b}, the slow way."""
        cuts = sorted({a, b} | {t for c in self.calls for t in c[:2] if a < t < b})
        found = {}
        for x, y in zip(cuts, cuts[1:]):
            at = [i for i, c in enumerate(self.calls) if c[0] <= x and c[1] >= y]
            if at:
                deep = max(at, key=lambda i: (self.calls[i][2], i))
                found[deep] = found.get(deep, 0) + y - x
        return found


def numbers(data, n):
    """Rows of the first n numbers of each whole line, and how many lines are none."""
    rows, bad = [], 0
    lines = data.split(b"\n")
    bad += lines[-1] != b""
    for line in lines[:-1]:
        if line.endswith(b"\r"):
            line = line[:-1]
        parts = [p.strip(b" ") for p in line.split(b",")][:n]
        if len(parts) == n and all(re.fullmatch(rb"-?[0-9]{1,18}", p) for p in parts):
            rows.append([max(0, int(p)) for p in parts])
        elif line:
            bad += 1
    return rows, bad


def stretches(rows, first, end):
    """(start, end, word) of the states: equal neighbours merged, empty ones skipped but the last."""
    out, time = [], 0
    word = None
    for at, old, new in rows:
        old, new = WORDS.get(old, "unknown"), WORDS.get(new, "unknown")
        if old == new:
            continue
        at = max(time, at - first)
        out.append([time, at, old])
        time, word = at, new
    if word is not None:
        out.append([time, max(end, time), word])
    merged = []
    for x in out:
        if merged and merged[-1][2] == x[2]:
            merged[-1][1] = x[1]
        else:
            merged.append(list(x))
    return [x for x in merged if x[0] < x[1] or x is merged[-1]]


def total_at(points, t):
    """Value of a running total, growing evenly between two points; None before the first."""
    if not points or t < points[0][0]:
        return points[0][1] if points else 0
    before = max(i for i, p in enumerate(points) if p[0] <= t)
    if before + 1 == len(points) or points[before + 1][1] <= points[before][1]:
        return points[before][1]
    (t0, v0), (t1, v1) = points[before], points[before + 1]
    return v0 + (v1 - v0) * (t - t0) // (t1 - t0)
