#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles of callgrind with random graphs.

make(seed) -> text, {"events": [...], "functions": {key: (name, file, object)}, "jumps": n, "parts": {thread: part}}
A part is {"self": {key: [..]}, "arcs": {(key, key): [calls, ..]}, "lines": {(key, file, line): [[..], [..]]}}: of a line, costs without and with
calls.  Thread 0 stands for all; others are there if there are several.
"""
import collections
import random

NAMES = ("main", "serve", "std::map<int, long>::find(int const&)", "(below main)", "check_match", "fib(int)", "fib(int)'2", "größe", "a b", "0x1ab70")
FILES = ("./elf/dl-lookup.c", "work.cpp", "???", "a b.c", "/src/x.h")
OBJECTS = ("/usr/bin/work", "/lib/libc.so.6", "")
EVENTS = ("Ir", "Dr", "Dw", "I1mr", "Bc")


class Writer:
    """Lines, with names compressed or plain, and positions as numbers, differences or *."""

    def __init__(self, r, compressed, npos):
        self.r, self.compressed, self.npos, self.ids, self.told, self.line = r, compressed, npos, {}, set(), 0
        self.out = []

    def name(self, table, key, text):
        if not self.compressed:
            return text
        ids = self.ids.setdefault(table, {})
        if key not in ids:
            ids[key] = self.r.randrange(1000) * 1000 + len(ids) + 1
        if (table, key) in self.told:
            return "(%d)" % ids[key]
        self.told.add((table, key))
        return "(%d) %s" % (ids[key], text)

    def position(self, keep=False):
        """Positions, of which the last one is the line; keep: the line of the next costs stays relative to the one before."""
        words = [self.r.choice(("*", "+3", "-2", "17", "+0x1f" if self.npos > 1 else "+1")) if self.compressed else
                 ("0x%x" if i == 0 and self.npos > 1 else "%d") % self.r.randrange(60) for i in range(self.npos)]
        last, n = words[-1], 0 if words[-1] == "*" else int(words[-1].lstrip("+-"), 0)
        if not keep:
            self.line = max(self.line - n, 0) if last[0] == "-" else self.line + n if last[0] in "+*" else n
        return " ".join(words)

    def costs(self, values):
        values = list(values)
        while len(values) > 1 and values[-1] == 0 and self.r.random() < 0.7:
            values.pop()
        return " ".join([self.position()] + ["%d" % v for v in values]) + "\n"


def graph(r, compressed):
    n, functions, seen = r.randint(1, 12), {}, set()
    for i in range(n):
        f = (r.choice(NAMES), r.choice(FILES), r.choice(OBJECTS))
        if compressed or (f[0], f[2]) not in seen:
            seen.add((f[0], f[2]))
            functions[i] = f
    keys = list(functions)
    arcs = [(r.choice(keys), r.choice(keys)) for _ in range(r.randint(0, 2 * n))]
    return functions, arcs


def add(to, values):
    for i, v in enumerate(values):
        to[i] += v


class Sums:
    """Costs of a part of the profile."""

    def __init__(self, functions, n):
        self.n, self.self, self.arcs, self.lines = n, {k: [0] * n for k in functions}, collections.OrderedDict(), {}

    def line(self, at, own, below):
        for to, values in zip(self.lines.setdefault(at, [[0] * self.n, [0] * self.n]), (own, below)):
            add(to, values)

    def cost(self, at, values):
        add(self.self[at[0]], values)
        if any(values):
            self.line(at, values, values)

    def call(self, at, to, calls, values):
        add(self.arcs.setdefault((at[0], to), [0] * (1 + self.n)), [calls] + values)
        if any(values) and to != at[0]:
            self.line(at, [0] * self.n, values)

    def part(self):
        return {"self": self.self, "arcs": self.arcs, "lines": self.lines}


def make(seed):
    r = random.Random(seed)
    compressed, npos, events = r.random() < 0.6, r.choice((1, 1, 2)), list(EVENTS[:r.randint(1, len(EVENTS))])
    functions, pairs = graph(r, compressed)
    several = r.random() < 0.5
    w, parts, jumps = Writer(r, compressed, npos), {t: Sums(functions, len(events)) for t in range(3 if several else 1)}, 0
    head = "".join(("# callgrind format\n" if r.random() < 0.5 else "", "version: 1\n", "creator: callgrind-3.19.0\n", "cmd: ./work 3\n", "part: 1\n",
                    "thread: 1\n" * several,
                    "desc: Trigger: Program termination\n", "positions: %s\n" % ("instr line" if npos == 2 else "line"), "events: %s\n" % " ".join(events)))
    value = lambda: [r.choice((0, 1, 7, r.randrange(100000), r.randrange(1 << 40))) for _ in events]
    blocks, thread = [(k, [p for p in pairs if p[0] == k]) for k in functions], 1
    if several or r.random() < 0.3:
        blocks += [("part", 2)] + [(k, [p for p in pairs if p[0] == k][:1]) for k in functions]
    for k, out in blocks:
        if k == "part":
            if r.random() < 0.5 and compressed:
                w.told = set()
                w.out.append("version: 1\n")
            w.out.append("part: 2\nthread: 2\nevents: %s\n" % " ".join(events))
            thread = 2
            continue
        sums = [parts[0]] + ([parts[thread]] if several else [])
        name, file, obj = functions[k]
        w.out += ["ob=%s\n" % w.name("ob", obj, obj) if obj else "ob=\n", "fl=%s\n" % w.name("fl", file, file), "fn=%s\n" % w.name("fn", k, name)]
        for _ in range(r.randint(1, 3)):
            v = value()
            w.out.append(w.costs(v))
            for s in sums:
                s.cost((k, file, w.line), v)
            if r.random() < 0.2:
                file = r.choice(("x.h", functions[k][1]))
                w.out.append("%s=%s\n" % (r.choice(("fi", "fe")), w.name("fl", file, file)))
            if r.random() < 0.2:
                w.out.append(r.choice(("jump=3 +2\n", "jcnd=3/4 -1\n")))
                w.out.append("# comment\n")
                jumps += 1
        for _, to in out:
            n, v = r.randrange(1, 5000), value()
            name, to_file, obj = functions[to]
            if obj != functions[k][2]:
                w.out.append("cob=%s\n" % (w.name("ob", obj, obj) if obj else ""))
            if to_file != functions[k][1]:
                w.out.append("%s=%s\n" % (r.choice(("cfi", "cfl")), w.name("fl", to_file, to_file)))
            w.out += ["cfn=%s\n" % w.name("fn", to, name), "calls=%d %s\n" % (n, w.position(keep=True)), w.costs(v)]
            for s in sums:
                s.call((k, file, w.line), to, n, v)
        if r.random() < 0.5:
            w.out.append("\n")
    sums = " ".join("%d" % sum(v[i] for v in parts[0].self.values()) for i in range(len(events)))
    text = head + ("summary: %s\n\n" % sums if r.random() < 0.5 else "\n") + "".join(w.out) + ("\ntotals: %s\n" % sums if r.random() < 0.5 else "")
    return text, {"events": events, "functions": functions, "parts": {t: s.part() for t, s in parts.items()}, "jumps": jumps}


if __name__ == "__main__":
    import sys
    sys.stdout.write(make(int(sys.argv[1]))[0])
