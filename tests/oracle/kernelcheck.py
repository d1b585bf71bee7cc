#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""kernelcheck.py BUILD SCRATCH - the same recording as ftrace text and as a Perfetto trace has the same rows in all sources, as TAP.

Rows are compared without ids and in any order: the two list threads and processes in another order.
"""
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "mk")]

import answers  # noqa: E402
import kernelmake  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = range(20)
# Sources whose rows do not depend on which names are equal.
ROWS = ("threads", "tasks", "processes", "spans", "switches", "wakeups", "async_spans", "marks", "flows", "waits")
SOURCES = ("threads", "tasks", "processes", "methods", "calls", "merged", "process_calls", "spans", "records", "states", "waits", "switches", "wakeups",
           "cpus", "tracks", "metrics", "async", "async_spans", "counters", "marks", "flows", "frames", "overview", "inverted")
# Packets keep the last name only.  A process tree has user and command line, and a clock snapshot the time of day, which text lacks.
# Records are numbered by thread or by time.  Queries that overview opens have ids.
COLUMNS = {"former_names", "uid", "cmdline", "at", "row", "raw", "opens"}
# Names of facts that count the same.
FACTS = ("switches", "wakeups", "async", "counters", "instants", "clock_start", "elapsed", "records", "threads", "methods", "stacks", "enters",
         "exits", "repair.marks", "repair.no_end")


def is_id(column):
    return column in ("id", "parent") or column.endswith("_id")


def rows_of(table):
    """Rows as sets of columns with a value."""
    for row in table.rows:
        # Exits in text do not say what they are of.
        if row.get("action") == "exit":
            row["method"] = row["package"] = ""
        # Events that are not read are in the order in which each side meets them.
        if row.get("line") == "not read":
            row["subject"] = ", ".join(sorted(re.sub(" kernel events?", "", row["subject"]).split(", ")))
    return collections.Counter(tuple((c, v) for c, v in row.items() if v != "" and c not in COLUMNS and not is_id(c)) for row in table.rows)


def ask(program, path, queries):
    a = program.ask(path, *queries, options=("--no-index",))
    if a.code not in (0, 1, 3) or not a.out:
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return dict(zip(queries, a.tables()))


def check(program, folder, seed):
    text, packets = (ask(program, os.path.join(folder, "%d.%s" % (seed, form)), SOURCES + ("info",)) for form in ("txt", "pftrace"))
    bad = []
    for source in SOURCES:
        ours, theirs = rows_of(text[source]), rows_of(packets[source])
        # Repairs have other words.
        if source == "overview":
            ours, theirs = (collections.Counter({r: n for r, n in c.items() if ("line", "repairs") not in r}) for c in (ours, theirs))
        if ours != theirs:
            bad.append("%s: %d rows and %d; text %s; packets %s" % (source, sum(ours.values()), sum(theirs.values()),
                       [dict(r) for r in (ours - theirs)][:2], [dict(r) for r in (theirs - ours)][:2]))
    bad += ["%s: no rows" % source for source in SOURCES if not text[source].rows and source not in ("flows", "frames")]
    facts = [{row["field"]: row["value"] for row in side["info"].rows} for side in (text, packets)]
    return bad + ["%s: %s and %s" % (f, facts[0].get(f), facts[1].get(f)) for f in FACTS if facts[0].get(f, "0") != facts[1].get(f, "0")]


def spans(program, path):
    """Name, track, start and end of each async span; an open one has no end."""
    rows = ask(program, path, ("async_spans",))["async_spans"].rows
    return [(row["name"], row["track"], int(row["start_wall"]), None if row["open"] == "true" else int(row["start_wall"]) + int(row["wall"])) for row in rows]


def cut(program, folder, seed, icecore):
    """A slice has the async spans that touch it, from before it too, and no other."""
    bad = []
    for form in "txt", "pftrace":
        path, out = (os.path.join(folder, "%s%d.%s" % (prefix, seed, form)) for prefix in ("", "cut"))
        elapsed = int(next(row["value"] for row in ask(program, path, ("info",))["info"].rows if row["field"] == "elapsed"))
        first, last = elapsed * 2 // 5, elapsed * 7 // 10
        p = subprocess.run([icecore, "slice", "--force", "%dns" % first, "%dns" % last, path, out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if p.returncode:
            return ["slice: %s" % p.stdout.decode()]
        want = collections.Counter((name, track) for name, track, start, end in spans(program, path) if start < last and (end is None or end >= first))
        got = collections.Counter((name, track) for name, track, _, _ in spans(program, out))
        bad += ["%s: missing %s, more %s" % (form, want - got, got - want)] * (want != got)
    return bad


def redacted(program, folder, seed, icecore):
    """A redacted recording has the same rows, under other names."""
    bad = []
    for form in "txt", "pftrace":
        path, out = (os.path.join(folder, "%s%d.%s" % (prefix, seed, form)) for prefix in ("", "red"))
        p = subprocess.run([icecore, "redact", "--force", path, out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if p.returncode:
            return ["redact: %s" % p.stdout.decode()]
        before, after = (ask(program, of, ROWS) for of in (path, out))
        bad += ["%s, %s: %d rows and %d" % (form, q, len(before[q].rows), len(after[q].rows)) for q in ROWS if len(before[q].rows) != len(after[q].rows)]
    return bad


def main(build, scratch):
    tap, program = Tap(), answers.program_of(build)
    kernelmake.main(scratch, *map(str, SEEDS))
    for seed in SEEDS:
        attempt(tap, "seed %d: text and packets" % seed, check, program, scratch, seed)
        attempt(tap, "seed %d: redacted" % seed, redacted, program, scratch, seed, os.path.join(build, "icecore"))
        attempt(tap, "seed %d: async spans of a slice" % seed, cut, program, scratch, seed, os.path.join(build, "icecore"))
    tap.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
