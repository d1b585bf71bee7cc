#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""profilerscheck.py BUILD SCRATCH - profilers of languages in JSON against their stories (tests/mk/profilermake.py), as TAP."""
import collections
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import otlpcheck  # noqa: E402
import pprofcheck  # noqa: E402
import profilermake  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 30
# Files of the corpus: event, and the weight of one in the expected table.
CORPUS = {"pyinstrument.pyisession": ("time", 1), "stackprof-wall.json.gz": ("wall", 10 ** 6), "stackprof-simple.json.gz": ("wall", 10 ** 6), "ghc-pj.prof": ("time", 10 ** 6),
          "node-prof-20.json.gz": ("ticks", 1)}


def by_stack(program, path):
    out = collections.Counter()
    for (_, stack), n in pprofcheck.stacks(program, path, None).items():
        out["\0".join(stack)] += n
    return out


def check_random(program, scratch, make, seed):
    text, want, samples = make(random.Random("profilers %d" % seed))
    path = otlpcheck.written(scratch, "a.json", text.encode())
    want = collections.Counter({"\0".join(answers.fit(f) for f in stack): n for stack, n in want.items()})
    got = by_stack(program, path)
    a = program.ask(path, "events", options=("--no-index",))
    n = int(a.tables()[0].rows[0]["samples"])
    return ["seed %d: %s: %s, not %s" % (seed, k, got[k], want[k]) for k in set(want) | set(got) if want[k] != got[k]][:3] + [
        "seed %d: %d samples, not %d" % (seed, n, samples)] * (n != samples)


def check_cuts(program, scratch, make):
    """A text that ends anywhere is refused, or reported as damaged."""
    data, bad = make(random.Random("cuts"))[0].encode().rstrip(), []
    for n in range(0, len(data), max(1, len(data) // 300)):
        a = program.ask(otlpcheck.written(scratch, "cut.json", data[:n]), "info", options=("--no-index",))
        if a.code not in (3, 5):
            bad.append("cut at %d of %d: exit status %d" % (n, len(data), a.code))
    return bad[:4]


# How profilers write a thread as the outermost frame of its stacks, and its id and name.
TOLD = [("[w 1 tid=12]", 12, "w 1"), ("tid:12", 12, "thread 12"), ("thread (0x7F01): Main-1", 0x7F01, "Main-1"), ("thread (12)", 12, "thread 12")]
STACKS = [(0, "run hot", 5), (1, "run warm", 3), (0, "run", 2)]      # of two threads, that of TOLD and another of async-profiler
OTHER = ("[v tid=34]", 34, "v")


def told_folded(stacks):
    return "a.folded", "".join("%s %d\n" % (";".join(s), n) for s, n in stacks)


def told_speedscope(stacks):
    names = sorted({f for s, _ in stacks for f in s})
    return "a.json", json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": n} for n in names]}, "profiles": [
        {"type": "sampled", "name": "p", "unit": "none", "startValue": 0, "endValue": 10, "samples": [[names.index(f) for f in s] for s, _ in stacks],
         "weights": [n for _, n in stacks]}]})


def told_tree(stacks, turned):
    """Boxes (level, place, width, name) of a flame graph, a walk from the root; turned: the callees below, threads still first."""
    out, left = [], 0

    def walk(level, some):
        nonlocal left
        heads = list(dict.fromkeys(s[0] for s, _ in some if s))
        for head in heads:
            below = [(s[1:], n) for s, n in some if s and s[0] == head]
            out.append((level, left, sum(n for _, n in below), head))
            start = left
            walk(level + 1, below)
            left = start + sum(n for _, n in below)
    walk(0, [(["all", s[0]] + (s[:0:-1] if turned else s[1:]), n) for s, n in stacks])
    return out


def told_page(stacks, turned=False):
    boxes = "\n".join("f(%d,%d,%d,1,'%s')" % box for box in told_tree(stacks, turned))
    return "a.html", "<!DOCTYPE html>\n<html><body>\nasync-profiler\n<script>\nreverse = %s;\n%s\n</script></body></html>\n" % (str(turned).lower(), boxes)


def told_turned(stacks):
    return told_page(stacks, True)


def check_told(program, scratch, carrier, told):
    """A thread that is the outermost frame is the thread of the stack, and no method, in any format."""
    name, text = carrier([([(told, OTHER)[i][0]] + path.split(), n) for i, path, n in STACKS])
    got = collections.Counter({(thread, " ".join(path)): n for (thread, path), n in pprofcheck.stacks(program, otlpcheck.written(scratch, name, text.encode()), None).items()})
    want = collections.Counter({((told, OTHER)[i][1:], path): n for i, path, n in STACKS})
    return ["%s, not %s" % (dict(got), dict(want))] * (got != want)


def check_expected(program, path, event, one):
    """Stacks as in the table, where names have their file behind them."""
    want, got = collections.Counter(), collections.Counter()
    for r in otlpcheck.rows_of(path):
        if r[0] == "stack" and r[1] == event:
            stack = ";".join(re.sub(r" \([^()]*\)$", "", f) for f in r[4].split(";"))
            want[{"MAIN": "MAIN.MAIN", "(no stack)": "[no stack]"}.get(stack, stack)] += int(float(r[6])) * one
    for stack, n in by_stack(program, path).items():
        got[";".join(f.replace(";", ":") for f in stack.split("\0"))] += n
    return ["%s: %s, not %s" % (k, got[k], want[k]) for k in set(want) | set(got) if want[k] != got[k]][:4]


def main():
    program, scratch = answers.Program(os.path.join(sys.argv[1], "icecore")), sys.argv[2]
    tap = Tap()
    for name, make in profilermake.KINDS.items():
        bad = []
        for seed in sampled.seeds(SEEDS):
            bad = bad or check_random(program, scratch, make, seed)
        tap.ok(name + ": stacks as in the story", bad)
        attempt(tap, name + ": cut anywhere", check_cuts, program, scratch, make)
    for carrier in (told_folded, told_speedscope, told_page, told_turned):
        for told in TOLD:
            attempt(tap, "%s: %s" % (carrier.__name__, told[0]), check_told, program, scratch, carrier, told)
    for name, (event, one) in CORPUS.items():
        path = os.path.join(os.environ.get("CORPUS", "/nowhere"), "profiles/2026/data", name)
        if os.path.exists(path):
            attempt(tap, "corpus: " + name, check_expected, program, path, event, one)
    tap.end()


if __name__ == "__main__":
    main()
