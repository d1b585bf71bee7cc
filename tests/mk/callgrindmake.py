#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles of callgrind with random graphs.

make(seed) -> text, {"events": [...], "functions": {key: (name, file, object)}, "self": {key: [..]}, "arcs": {(key, key): [calls, ..]}, "jumps": n}
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
        self.r, self.compressed, self.npos, self.ids, self.line = r, compressed, npos, {}, 1
        self.out = []

    def name(self, table, key, text):
        if not self.compressed:
            return text
        ids = self.ids.setdefault(table, {})
        if key in ids:
            return "(%d)" % ids[key]
        ids[key] = self.r.randrange(1000) * 1000 + len(ids) + 1
        return "(%d) %s" % (ids[key], text)

    def position(self):
        if not self.compressed:
            return " ".join(("0x%x" if i == 0 and self.npos > 1 else "%d") % self.r.randrange(5000) for i in range(self.npos))
        return " ".join(self.r.choice(("*", "+3", "-2", "17", "+0x1f" if self.npos > 1 else "+1")) for _ in range(self.npos))

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


def make(seed):
    r = random.Random(seed)
    compressed, npos, events = r.random() < 0.6, r.choice((1, 1, 2)), list(EVENTS[:r.randint(1, len(EVENTS))])
    functions, pairs = graph(r, compressed)
    w, want_self, want_arcs, jumps = Writer(r, compressed, npos), {k: [0] * len(events) for k in functions}, collections.OrderedDict(), 0
    head = "".join(("# callgrind format\n" if r.random() < 0.5 else "", "version: 1\n", "creator: callgrind-3.19.0\n", "cmd: ./work 3\n", "part: 1\n",
                    "desc: Trigger: Program termination\n", "positions: %s\n" % ("instr line" if npos == 2 else "line"), "events: %s\n" % " ".join(events)))
    value = lambda: [r.choice((0, 1, 7, r.randrange(100000), r.randrange(1 << 40))) for _ in events]
    blocks = [(k, [p for p in pairs if p[0] == k]) for k in functions]
    if r.random() < 0.3:
        blocks += [("part", 2)] + [(k, [p for p in pairs if p[0] == k][:1]) for k in functions]
    for k, out in blocks:
        if k == "part":
            w.out.append("part: 2\nthread: 2\n")
            continue
        name, file, obj = functions[k]
        w.out += ["ob=%s\n" % w.name("ob", obj, obj) if obj else "ob=\n", "fl=%s\n" % w.name("fl", file, file), "fn=%s\n" % w.name("fn", k, name)]
        for _ in range(r.randint(1, 3)):
            v = value()
            add(want_self[k], v)
            w.out.append(w.costs(v))
            if r.random() < 0.2:
                w.out.append("%s=%s\n" % (r.choice(("fi", "fe")), w.name("fl", "x.h", "x.h")))
            if r.random() < 0.2:
                w.out.append(r.choice(("jump=3 +2\n", "jcnd=3/4 -1\n")))
                w.out.append("# comment\n")
                jumps += 1
        for _, to in out:
            n, v = r.randrange(1, 5000), value()
            add(want_arcs.setdefault((k, to), [0] * (1 + len(events))), [n] + v)
            name, file, obj = functions[to]
            if obj != functions[k][2]:
                w.out.append("cob=%s\n" % (w.name("ob", obj, obj) if obj else ""))
            if file != functions[k][1]:
                w.out.append("%s=%s\n" % (r.choice(("cfi", "cfl")), w.name("fl", file, file)))
            w.out += ["cfn=%s\n" % w.name("fn", to, name), "calls=%d %s\n" % (n, w.position()), w.costs(v)]
        if r.random() < 0.5:
            w.out.append("\n")
    sums = " ".join("%d" % sum(v[i] for v in want_self.values()) for i in range(len(events)))
    text = head + ("summary: %s\n\n" % sums if r.random() < 0.5 else "\n") + "".join(w.out) + ("\ntotals: %s\n" % sums if r.random() < 0.5 else "")
    return text, {"events": events, "functions": functions, "self": want_self, "arcs": want_arcs, "jumps": jumps}


if __name__ == "__main__":
    import sys
    sys.stdout.write(make(int(sys.argv[1]))[0])
