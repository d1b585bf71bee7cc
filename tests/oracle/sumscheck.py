# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sumscheck.py BUILD SRCDIR [FILE...] - one word is one number, as TAP: what several sources say of the same thing is equal, in the whole file and
in a range of it, and a part is at most its whole; and every line of the overview is computed.

Without files: demos, and what the fuzz targets begin with; of those that have no such sums the overview is asked alone.
"""
import glob
import os
import re
import sys

import answers
import tap

# The same thing, as each source says it.
EQUAL = {
    "CPU time": ("tasks | where tid > 0 | group : sum cpu", "cpus | group : sum busy", "states | where class = running | group : sum wall",
                 "processes | group : sum cpu"),
    "run queue": ("tasks | group : sum run_queue", "waits | where state in (runnable, preempted) | group : sum wall",
                  "states | where class = runnable | group : sum wall", "processes | group : sum run_queue"),
    "switches": ("switches | group : count", "cpus | group : sum switches"),
    "calls": ("threads | group : sum calls", "methods | group : sum calls", "calls | group : sum calls", "merged | group : sum calls",
              "process_calls | group : sum calls", "spans | group : count"),
    "wall time": ("methods | group : sum self_wall", "calls | group : sum self_wall", "merged | group : sum self_wall",
                  "process_calls | group : sum self_wall", "calls | where depth = 0 | group : sum total_wall",
                  "merged | where depth = 0 | group : sum total_wall", "inverted | where depth = 0 | group : sum total_wall",
                  "spans | where depth = 0 | group : sum wall"),
    "CPU time of calls": ("methods | group : sum self_cpu", "calls | group : sum self_cpu", "merged | group : sum self_cpu"),
    "weight": ("threads | group : sum total", "methods | group : sum self", "calls | group : sum self", "merged | group : sum self",
               "calls | where depth = 0 | group : sum total", "merged | where depth = 0 | group : sum total", "process_calls | group : sum self"),
}
# A part, and its whole.
AT_MOST = (("threads", "cpu", "wall"), ("methods calls merged process_calls", "self_wall", "total_wall"),
           ("methods calls merged process_calls", "self", "total"), ("tasks", "preempted", "run_queue"), ("tasks", "max_run_queue", "run_queue"),
           ("tasks", "max_wait", "off_cpu"), ("tasks", "p50_wait", "p99_wait"), ("tasks", "p99_wait", "max_wait"), ("cpus", "max_idle", "idle"))
JUDGED = set()      # what a query said of a file, unless it was nothing; parts that have a whole


PART = "%s | where %s > %s"
KNOWN = {"where", "group", "sum", "count", "in", "running", "runnable", "preempted", "and"}
KINDS = "jfr json nano perf perfetto sched trace".split()
OTHERS = "callgrind class counts dex folded gecko heap native ofx otlp packed pprof ruby side simpleperf slice stacks tracers v8heap zip".split()


def asked(schema, query):
    """Whether the file has the columns that a query names."""
    columns = schema.get(query.split()[0], ())
    words = query.replace(":", "").split()
    return bool(columns) and all(w in columns for w in words[1:] if w not in KNOWN and w.isidentifier())


def ask(program, path, queries):
    a = program.run(["--no-index", "-o", "tsv", *(x for q in queries for x in ("-e", q)), path])
    return [t.rows for t in a.tables()] if a.out else []


def rows_of_perfetto(program, path):
    return ask(program, path, ["info | where field = loader and value = perfetto"])[0]


def uncomputed(overview):
    return ["%s: %s" % (r["line"], r["subject"]) for r in overview if r["subject"].startswith("not computed")]


def judge(program, path):
    overview, columns = ask(program, path, ["overview", "schema"]) or ((), ())
    yield from uncomputed(overview)
    schema = {}
    for r in columns:
        schema.setdefault(r["source"], set()).add(r["column"])
    asks = [(what, q) for what, of in EQUAL.items() for q in of if asked(schema, q)]
    asks += [("part", PART % (s, a, b)) for ss, a, b in AT_MOST for s in ss.split() if {a, b} <= schema.get(s, set())]
    if not asks:
        yield None
        return
    got = ask(program, path, [q for _, q in asks])
    if len(got) != len(asks):
        yield "%d answers to %d queries" % (len(got), len(asks))
    said = {}
    for (what, q), rows in zip(asks, got):
        if what == "part":
            JUDGED.add(q)
            if rows:
                yield "%s: %s" % (q, {k: rows[0][k] for k in q.split() if k in rows[0]})
        else:
            value = next(iter(rows[0].values())) if rows else "0"
            said.setdefault(what, []).append((value, q))
            JUDGED.update([q] if value != "0" else [])
    # Other events of Perfetto go on when those of the scheduler have ended: until there, the last state is known.
    if schema.get("tasks") and rows_of_perfetto(program, path):
        said.pop("run queue", None)
    for what, of in said.items():
        if len({v for v, _ in of}) > 1:
            yield "%s: %s" % (what, "; ".join("%s by %s" % x for x in of))


def main(build, srcdir, *paths):
    program, judged = answers.program_of(build), 0
    corpus = os.path.join(glob.escape(srcdir), "tests", "fuzz", "corpus")
    kept = lambda kinds: [path for kind in kinds for path in glob.glob(os.path.join(corpus, kind, "*"))
                          if not re.fullmatch(r"[0-9a-f]{40}", os.path.basename(path))]
    others = [] if paths else sorted(kept(OTHERS))
    tap.check("every line of the overviews of %d other files is computed" % len(others),
              *("%s: %s" % (os.path.basename(path), line) for path in others
                for answer in ask(program, path, ["overview"])[0:1] for line in uncomputed(answer)))
    paths = paths or sorted(glob.glob(os.path.join(glob.escape(srcdir), "demo", "*.gz")) + kept(KINDS))
    for path in paths:
        bad = list(judge(program, path))
        judged += None not in bad
        if any(bad) or path.endswith(".gz"):
            tap.check(os.path.basename(path), *filter(None, bad))
    tap.check("%d of %d files have such sums" % (judged, len(paths)), judged * 2 < len(paths) and "too few")
    every = [q for of in EQUAL.values() for q in of] + [PART % (s, a, b) for ss, a, b in AT_MOST for s in ss.split()]
    tap.check("each of them was asked for what is there", *("never: " + q for q in every if q not in JUDGED and len(paths) > 100))
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:])
