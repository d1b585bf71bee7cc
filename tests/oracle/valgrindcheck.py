#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""valgrindcheck.py BUILD SCRATCH - profiles of a program that valgrind made here, against what callgrind_annotate and ms_print print, as TAP."""
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

CONTEXTS = ("--separate-callers=60", "--separate-recs=20")
CALLGRIND = (("plain", ()), ("uncompressed, with caches", ("--compress-strings=no", "--compress-pos=no", "--cache-sim=yes", "--branch-sim=yes")),
             ("instructions", ("--dump-instr=yes",)), ("with callers", CONTEXTS))
MASSIF = (("plain", ()), ("ms", ("--time-unit=ms",)), ("bytes and stacks", ("--time-unit=B", "--stacks=yes")), ("pages", ("--pages-as-heap=yes",)),
          ("a high threshold", ("--threshold=10", "--detailed-freq=3")))
UNFINISHED = ("_Exit",)       # the program ends in it: its callers and the summary of the file have more than its lines


def run(*argv):
    p = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False, errors="replace")
    if p.returncode != 0:
        raise ValueError("%s: exit status %d: %s" % (argv[0], p.returncode, p.stderr.strip()))
    return p.stdout


def annotated(path, inclusive):
    """callgrind_annotate's rows: the costs of all events by function, and their totals.  It has a row for each file that is inlined."""
    out = run("callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", "--inclusive=" + inclusive, path)
    rows, totals = collections.defaultdict(list), []
    for line in out.splitlines():
        m = re.match(r" *((?:[\d,.]+ +)+) *(\S.*)$", line)
        if m is None or ":" not in m.group(2) and m.group(2) != "PROGRAM TOTALS":
            continue
        costs = tuple(int(x.replace(",", "").replace(".", "0")) for x in m.group(1).split())
        if m.group(2) == "PROGRAM TOTALS":
            totals = costs
        else:
            rows[re.sub(r" \[[^\]]*\]$", "", m.group(2).strip()).partition(":")[2]].append(costs)
    return rows, totals


def answer(program, path, *queries, event=""):
    a = program.ask(path, *queries, options=("--no-index",) + (("--event", event) if event else ()))
    if a.code not in (0, 1):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return [t.rows for t in a.tables()]


def check_costs(program, path):
    """Self costs of all events, and totals of functions that no cycle and no function of the same name makes unclear."""
    own, sums = annotated(path, "no")
    inclusive, _ = annotated(path, "yes")
    with open(path, encoding="utf-8") as f:
        told = [int(x) for line in f if line.startswith("totals: ") for x in line.split()[1:]]
    events = [r["name"] for r in answer(program, path, "events | select name")[0]]
    bad = ["events %s, but totals %s" % (events, sums)] * (len(events) != len(sums))
    compared = 0
    for n, event in enumerate(events):
        methods, arcs = answer(program, path, "methods | select id name self total cycle", "arcs | select caller_id callee_id", event=event)
        looped = {r["caller_id"] for r in arcs if r["caller_id"] == r["callee_id"]}
        mine, once = collections.Counter(), collections.Counter(r["name"] for r in methods)
        for r in methods:
            mine[r["name"]] += int(r["self"])
        theirs = collections.Counter()
        for k, rows in own.items():
            theirs[k] += sum(row[n] for row in rows)
        bad += ["%s: self of %s: %s, not %s" % (event, k, mine[k], theirs[k]) for k in set(mine) | set(theirs) if mine[k] != theirs[k]][:3]
        for r in methods:
            k = r["name"]
            if once[k] == len(inclusive.get(k, ())) == 1 and not r["cycle"] and r["id"] not in looped and k not in UNFINISHED:
                compared += 1
                if int(r["total"]) != inclusive[k][0][n]:
                    bad.append("%s: total of %s: %s, not %d" % (event, k, r["total"], inclusive[k][0][n]))
        if sum(mine.values()) != told[n]:
            bad.append("%s: sum %d, not %d" % (event, sum(mine.values()), told[n]))
    return bad[:8] + ["only %d totals" % compared] * (compared < 100)


def context(path):
    """The name of callgrind for a path, leaf first: a function that calls itself stands once, and callers without the levels of recursions."""
    out = []
    for name in (re.sub(r"'\d+$", "", x) for x in path):
        if out[-1:] != [name]:
            out.append(name)
    return "'".join([path[0]] + out[1:])


def check_tree(program, path):
    """With all callers in the names the graph is a tree: the paths of the icicle are these names, with the same costs."""
    own, sums = annotated(path, "no")
    inclusive, _ = annotated(path, "yes")
    theirs = collections.Counter()
    for k, rows in own.items():
        theirs[k] += sum(r[0] for r in rows)
    calls, info = answer(program, path, "calls | select id parent method self total", "info")
    paths, mine, bad = {}, collections.Counter(), []
    for r in calls:
        paths[r["id"]] = (r["method"],) + paths.get(r["parent"], ())
        name = context(paths[r["id"]])
        mine[name] += int(r["self"])
        if len(inclusive.get(name, ())) == 1 and int(r["total"]) != inclusive[name][0][0]:
            bad.append("%s: total %s, not %d" % (name, r["total"], inclusive[name][0][0]))
    bad += ["%s: %s, not %s" % (k, mine[k], theirs[k]) for k in set(mine) | set(theirs) if mine[k] != theirs[k]][:5]
    facts = {r["field"]: r["value"] for r in info}
    if "paths" not in facts or int(facts["total"]) != sums[0] or not any(k.startswith("small'fill'main'") for k in mine):
        bad.append("%s, %d paths" % ({k: facts.get(k) for k in ("paths", "total")}, len(mine)))
    folded = program.run(["--no-index", "-o", "folded", "-e", "calls", path])
    if sum(int(line.rpartition(" ")[2]) for line in folded.out.splitlines()) != sums[0]:
        bad.append("folded text: another sum")
    return bad[:8] + check_arcs(program, path)


def check_arcs(program, path):
    """Arcs, lines and views: they stay, and filters of the tree do not claim to change them."""
    arcs, lines = answer(program, path, "arcs | sum calls", "lines | sum self")
    bad = ["no arcs"] * (int(arcs[0]["sum_calls"]) == 0) + ["no lines"] * (int(lines[0]["sum_self"]) == 0)
    refused = program.ask(path, "arcs | hide main", options=("--no-index",))
    return bad + ["arcs | hide: exit status %d" % refused.code] * (refused.code != 2)


def check_graph(program, path):
    """Without them there are no paths."""
    a = program.ask(path, "calls", options=("--no-index",))
    return [] if a.code == 2 and "a call graph does not say the paths" in a.err else ["exit status %d: %s" % (a.code, a.err.strip())]


def printed(path):
    """ms_print's snapshots, and the bytes by path from the allocator for each tree."""
    rows, trees, at = [], {}, None
    for line in run("ms_print", "--threshold=0", path).splitlines():
        numbers = line.split()
        if len(numbers) == 6 and all(re.fullmatch(r"[\d,]+", x) for x in numbers):
            rows.append([int(x.replace(",", "")) for x in numbers])
            at = None
            continue
        m = re.match(r"([ |]*)(->)?\d+\.\d+% \(([\d,]+)B\) (.*)$", line)
        if m is None or not rows:
            continue
        depth, text = len(m.group(1)) // 2 + 1 if m.group(2) else 0, m.group(4)
        if depth == 0:
            at = trees[rows[-1][0]] = collections.Counter()
            open_path = []
        name = re.sub(r"^0x[0-9A-F]+: ", "", text)
        place = re.match(r"in (\d+) places?, all below", name) or re.match(r"in (\d+) places?, below", name)
        lib = re.match(r"\?\?\? \((?:in )?.*?([^/]*)\)$", name)
        name = ("[%s place%s below the threshold]" % (place.group(1), "s" * (place.group(1) != "1")) if place else "[%s]" % lib.group(1) if lib else "[???]" if name == "???" else
                name.partition(")")[0] + ")" if name.startswith("(") and depth == 0 else re.sub(r" \([^()]*\)$", "", name))
        open_path = open_path[:depth] + [name]
        at[";".join(open_path)] += int(m.group(3).replace(",", ""))
    return rows, trees


def sums_of(program, path, event):
    """Bytes by path from the allocator: those of a path count for all paths that it begins with."""
    out = collections.Counter()
    calls, = answer(program, path, "calls | select id parent method self", event=event)
    up = {}
    for r in calls:
        up[r["id"]] = ([r["method"]] + up[r["parent"]]) if r["parent"] != "0" else [r["method"]]
        for n in range(len(up[r["id"]])):
            out[";".join(up[r["id"]][:n + 1])] += int(r["self"])
    return collections.Counter({k: v for k, v in out.items() if v > 0})


def check_massif(program, path, unit):
    rows, trees = printed(path)
    events, points, info = answer(program, path, "events | select name current", "metrics | select track start_wall value", "info")
    facts, bad = {r["field"]: r["value"] for r in info}, []
    series = collections.defaultdict(list)
    for r in points:
        series[r["track"]].append((int(r["start_wall"]) // (1000000 if unit == "ms" else 1), int(r["value"])))
    for track, column in (("heap used", 2), ("heap allocated", 3), ("allocator overhead", 4), ("stacks", 5)):
        want = [(r[1], r[column]) for r in rows]
        if series.get(track, [(t, 0) for t, _ in want]) != want:
            bad.append("%s: %s, not %s" % (track, series.get(track, [])[:3], want[:3]))
    numbers = {e["name"].rpartition(" ")[2]: e["name"] for e in events}
    if sorted(map(int, numbers)) != sorted(trees):
        bad.append("trees %s, not %s" % (sorted(map(int, numbers)), sorted(trees)))
    for number, want in trees.items():
        got = sums_of(program, path, numbers.get(str(number), ""))
        want = collections.Counter({k: v for k, v in want.items() if v > 0})
        bad += ["snapshot %d: %s: %s, not %s" % (number, k, got[k], want[k]) for k in set(got) | set(want) if got[k] != want[k]][:3]
    if ("axis" in facts) != (unit != "ms"):
        bad.append("axis: %s" % facts.get("axis"))
    if max(r[2] for r in rows) != max(v for _, v in series["heap used"]):
        bad.append("another peak")
    return bad[:8]


def main(argv):
    program, tap, scratch = answers.program_of(argv[1]), Tap(), argv[2]
    work = os.path.join(scratch, "costs")
    run("cc", "-g", "-O1", "-o", work, os.path.join(HERE, "..", "mk", "costs.c"))
    for what, options in CALLGRIND:
        path = os.path.join(scratch, "callgrind.out")
        run("valgrind", "--tool=callgrind", "--callgrind-out-file=" + path, *options, work)
        if options == CONTEXTS:
            attempt(tap, "callgrind, " + what + ": a tree", check_tree, program, path)
        else:
            attempt(tap, "callgrind, " + what, check_costs, program, path)
            attempt(tap, "callgrind, " + what + ": no tree", check_graph, program, path)
    for what, options in MASSIF:
        path = os.path.join(scratch, "massif.out")
        run("valgrind", "--tool=massif", "--massif-out-file=" + path, *options, work)
        attempt(tap, "massif, " + what, check_massif, program, path, "ms" if "--time-unit=ms" in options else "")
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
