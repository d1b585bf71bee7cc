#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""callgrindcheck.py BUILD SCRATCH - call graphs that tests/mk/callgrindmake.py made, against the graphs that they are made from, as TAP."""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import callgrindmake  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 60
QUERIES = ("methods | select self total calls cycle name file object", "arcs | select caller callee calls cost",
           "lines | select function file line self total")


def reach(arcs, start):
    """All functions that a path of at least one arc leads to."""
    out, todo = set(), [start]
    while todo:
        at = todo.pop()
        for a, b in arcs:
            if a == at and b not in out:
                out.add(b)
                todo.append(b)
    return out


def expected(graph, event, thread):
    """Rows of methods, without the number of the cycle but with its members, of arcs, and of lines.  A thread has rows of all, some with zeros."""
    functions, all_arcs, all_lines = graph["functions"], graph["parts"][0]["arcs"], graph["parts"][0]["lines"]
    part = graph["parts"][thread]
    arcs = {k: part["arcs"].get(k, [0] * len(v)) for k, v in all_arcs.items()}
    lines = {k: part["lines"].get(k, [[0] * len(x) for x in v]) for k, v in all_lines.items()}
    far = {k: reach(arcs, k) for k in functions}
    methods = []
    for k, (name, file, obj) in functions.items():
        own = part["self"][k][event]
        total = own + sum(v[1 + event] for (a, b), v in arcs.items() if a == k != b)
        calls = sum(v[0] for (a, b), v in arcs.items() if b == k)
        cycle = sorted(functions[x][0] for x in functions if x in far[k] and k in far[x]) if any(k in far[x] and x in far[k] for x in functions if x != k) else []
        methods.append((str(own), str(total), str(calls), tuple(cycle), name, file, obj))
    return (sorted(methods), sorted((functions[a][0], functions[b][0], str(v[0]), str(v[1 + event])) for (a, b), v in arcs.items()),
            sorted((functions[k][0], file, str(line or ""), str(own[event]), str(all_of[event])) for (k, file, line), (own, all_of) in lines.items()))


def found(program, path, event):
    a = program.ask(path, *QUERIES, options=("--no-index", "--event", event))
    if a.code not in (0, 1):  # 1: no arcs
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    methods, arcs, lines = a.tables()
    members = collections.defaultdict(list)
    for r in methods.rows:
        members[r["cycle"]].append(r["name"])
    return (sorted((r["self"], r["total"], r["calls"], tuple(sorted(members[r["cycle"]])) if r["cycle"] else (), r["name"], r["file"], r["object"])
                   for r in methods.rows), sorted((r["caller"], r["callee"], r["calls"], r["cost"]) for r in arcs.rows),
            sorted((r["function"], r["file"], r["line"], r["self"], r["total"]) for r in lines.rows))


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write(text)


def check_made(program, path):
    bad = []
    for seed in sampled.seeds(SEEDS):
        text, graph = callgrindmake.make(seed)
        write(path, text)
        wanted = [(event, n, 0) for n, event in enumerate(graph["events"])]
        wanted += [("%s thread %d" % (event, t), n, t) for event, n, _ in wanted for t in graph["parts"] if t > 0]
        listed = [r["name"] for r in program.ask(path, "events", options=("--no-index",)).tables()[0].rows]
        if sorted(listed) != sorted(e for e, _, _ in wanted) or listed[:len(graph["events"])] != graph["events"]:
            bad.append("seed %d: events %s" % (seed, listed))
        for event, n, thread in wanted:
            for what, got, want in zip(("methods", "arcs", "lines"), found(program, path, event), expected(graph, n, thread)):
                bad += ["seed %d, %s, %s: %s, not %s" % (seed, event, what, g, w) for g, w in zip(got, want) if g != w][:3]
                if len(got) != len(want):
                    bad.append("seed %d, %s: %d %s, not %d" % (seed, event, len(got), what, len(want)))
        info = {r["field"]: r["value"] for r in program.ask(path, "info", options=("--no-index",)).tables()[0].rows}
        if info.get("jumps", "0") != str(graph["jumps"]) or "repair.cost_sums" in info:
            bad.append("seed %d: %s" % (seed, info))
        if bad:
            break
    return bad


HEAD = "# callgrind format\nevents: Ir Dr\nsummary: 12 3\nfn=(1) main\n1 5 3\n"
TAIL = "+1 7\n"
DAMAGED = (
    ("a cost that is not a number", HEAD + "+1 x7\n" + TAIL, "loss.cost_lines", "1"),
    ("a cost of more than 64 bits", HEAD + "+1 18446744073709551616\n" + TAIL, "loss.cost_lines", "1"),
    ("too many costs", HEAD + "+1 1 2 3\n" + TAIL, "loss.cost_lines", "1"),
    ("calls without a cost", HEAD + "cfn=(2) f\ncalls=1 1\nfn=(1)\n" + TAIL, "loss.arcs", "1"),
    ("calls without a callee", HEAD + "calls=1 1\n1 100\n" + TAIL, "loss.arcs", "1"),
    ("a number of calls that cannot be read", HEAD + "cfn=(2) f\ncalls=x 1\n1 100\n" + TAIL, "loss.arcs", "1"),
    ("costs without a function", "# callgrind format\nevents: Ir\n1 5\n" + "fn=main\n1 12\n", "loss.cost_lines", "1"),
    ("lines that are missing", HEAD, "loss.cost_sums", "1"),
    ("a last line without an end", HEAD + TAIL + "+1 1", "loss.cut_line", "1"),
    ("a last line without an end, but with its costs", HEAD + "+1 7 0", "repair.last_line", "1"),
)


def check_damaged(program, path, text, fact, value):
    write(path, text)
    a = program.ask(path, "info", "methods | sum self", options=("--no-index",))
    facts = {r["field"]: r["value"] for r in a.tables()[0].rows}
    own = a.tables()[1].rows[0]["sum_self"]
    bad = [] if a.code == (3 if fact.startswith("loss") else 0) and facts.get(fact) == value else ["exit status %d, %s" % (a.code, {k: v for k, v in facts.items() if "loss" in k})]
    return bad + ([] if own == ("5" if fact == "loss.cost_sums" else "12") else ["self costs: %s" % own])


def check_refused(program, path):
    """Sources that need paths are refused in words."""
    write(path, HEAD + TAIL)
    bad = []
    for query in ("calls", "stacks", "merged", "inverted", "methods | hide main"):
        a = program.ask(path, query, options=("--no-index",))
        if a.code != 2 or "a call graph does not say the paths; see Methods and its callers" not in a.err:
            bad.append("%s: exit status %d: %s" % (query, a.code, a.err.strip()))
    return bad


def main(argv):
    program, tap, path = answers.program_of(argv[1]), Tap(), os.path.join(argv[2], "callgrind.made")
    attempt(tap, "random graphs", check_made, program, path)
    for what, text, fact, value in DAMAGED:
        attempt(tap, what, check_damaged, program, path, text, fact, value)
    attempt(tap, "no paths", check_refused, program, path)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
