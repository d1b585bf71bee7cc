# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""wordscheck.py PROGRAM SRCDIR: former names of columns are accepted, every error begins with the program's name, and units are once."""

import os
import re
import subprocess
import sys

import answers
import unitscheck


def errors(program, srcdir):
    """Whatever the cause, each line on standard error begins with the program's name, or is the query and its caret."""
    demo = os.path.join(srcdir, "demo", "demo.trace.gz")
    for args in (["/nonexistent"], ["-e", "info", "/nonexistent"], ["-e", "x", demo], ["-e", "info", os.path.join(srcdir, "src", "base")], ["--zzz"], ["-e"],
                 ["-e", "info", "--event", "zzz", demo], ["-e", "info", os.path.join(srcdir, "configure.ac")],
                 ["-e", "threads | sort zzz", demo], ["--dump", "7", "-e", "info", demo], []):
        done = subprocess.run([program, "--no-index"] + args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300, check=False)
        lines = done.stderr.decode().splitlines()
        query = args[1] if args[:1] == ["-e"] and len(args) > 1 else None
        bad = [line for line in lines if not line.startswith("icecore: ") and line != query and line.strip(" ^~") and
               not line.startswith("  try: ")]
        if done.returncode == 0 or not lines or bad:
            yield "%s: status %d, %r" % (" ".join(args), done.returncode, bad or lines)


# file, query, former name, name
FORMER = [("sched.txt.gz", "tasks", old, new) for old, new in (
    ("gaps", "waits"), ("max_gap", "max_wait"), ("max_gap_at", "max_wait_at"), ("p50", "p50_wait"), ("p99", "p99_wait"),
    ("delay", "run_queue"), ("delays", "run_queue_waits"), ("max_delay", "max_run_queue"), ("p99_delay", "p99_run_queue"), ("on", "cpu"),
    ("off", "off_cpu"), ("out", "switches_out"), ("earlier", "former_names"))] + [
        ("sched.txt.gz", "tasks", "in", "switches_in"),
        ("sched.txt.gz", "cpus", "use", "utilisation"), ("sched.txt.gz", "cpus", "unknown", "unaccounted"),
        ("demo.trace.gz", "threads", "named_by", "name_source"), ("demo.trace.gz", "threads", "earlier", "former_names"),
        ("demo.trace.gz", "spans main", "use", "utilisation"), ("feed.txt.gz", "states", "cpu_pct", "utilisation"),
        ("feed.txt.gz", "metrics", "use", "utilisation"), ("feed.txt.gz", "tracks", "use", "utilisation"),
        ("feed.txt.gz", "states | head 3 | during", "inside", "overlap"),
        ("phone.hprof.gz", "bitmaps", "sure", "confidence"), ("phone.hprof.gz", "bitmaps", "lack", "why_empty"),
        ("phone.hprof.gz", "bitmaps", "place", "storage"),
        ("demo.hprof.gz", "collections", "site", "alloc_site"),
        ("demo.hprof.gz", "collections", "fill", "fill_ratio"),
        ("demo.hprof.gz", "objects | head 9 | refs", "holder", "owner"),
        ("demo.hprof.gz", "objects | head 9 | fields", "declared", "declared_in"),
        ("demo.hprof.gz", "objects | head 9 | referrers", "to", "target"),
        ("demo.hprof.gz", "objects | head 9 | path", "of", "target"),
        ("phone.hprof.gz", "findings | leaktrace", "mark", "status"), ("phone.hprof.gz", "findings | leaktrace", "of", "target"),
        ("phone.hprof.gz", "findings", "other", "related"), ("profile.txt.gz", "events", "counts", "current")]


def former(program, srcdir):
    """Queries that use the former name of a column print the same rows, under its name."""
    for demo, query, old, new in FORMER:
        done = [answers.quick(program).result(["--no-index", "-e", "%s | select %s" % (query, name), os.path.join(srcdir, "demo", demo)])
                for name in (old, new)]
        if done[0].stdout != done[1].stdout or done[0].stdout.split(b"\n")[0] != new.encode() or done[0].stdout.count(b"\n") < 2:
            yield "%s: %s: %s" % (query, old, (done[0].stderr or done[0].stdout)[:100])
    demo = [os.path.join(srcdir, "demo", "sched.txt.gz")]
    asks = ["tasks | group (on > 0): sum on, p99 gaps as busy | sort -sum_on | select sum_on", "columns tasks"]
    done = subprocess.run([program, "--no-index", "-e", asks[0], "-e", asks[1]] + demo, stdout=subprocess.PIPE, timeout=300, check=False)
    if not done.stdout.startswith(b"sum_cpu\n") or b"gap" in done.stdout:
        yield "former names are shown: %s" % done.stdout[:200]


# Words that nothing shows any more, and what is shown instead.  Panes; then sources and columns, which queries report with the new word.
PANES = {"Moves": "Changes", "Chart": "Stack chart"}
RETIRED = {"moves": "thread_changes", "same_stacks": "identical_stacks", "move": "change", "runq": "run_queue", "max_runq": "max_run_queue",
           "p99_runq": "p99_run_queue", "runq_waits": "run_queue_waits", "mostly": "top_class", "direct": "self_with_class",
           "direct_pct": "self_with_class_pct", "held_by": "holder", "ended_by": "waker_or_end", "wants": "waits_for",
           "waiting_for": "waits_for", "behind": "waiters", "wanted": "waiters"}


def retired(program, srcdir):
    """Neither schema nor keys have a retired word; a query that has one learns the new word."""
    def ask(*args):
        return answers.quick(program).result(["--no-index", *args])
    rows = [row.split("\t") for row in ask("-o", "tsv", "-e", "schema").stdout.decode().splitlines()]
    yield from ("schema: %s" % cell for row in rows for cell in row if cell in RETIRED)
    if len(rows) < 200:
        yield "schema: %d rows" % len(rows)
    keys = ask("--list-keys").stdout.decode()
    yield from ("--list-keys: %s" % old for old, new in PANES.items() if re.search(r"\b%s\b" % old, keys))
    manuals = "".join(open(os.path.join(srcdir, "man", name), encoding="utf-8").read() for name in os.listdir(os.path.join(srcdir, "man")))
    yield from ("man: %s" % old for old in RETIRED if re.search(r"^\.(It )?(Pq )?(Cm|Ic) ([\w ,]* )?%s( |$)" % old, manuals, re.M))
    yield from ("man: %s" % old for old in PANES if re.search(r"\b%s( ,|$)" % old, manuals, re.M))
    demo = os.path.join(srcdir, "demo", "sched.txt.gz")
    for old, new in RETIRED.items():
        told = ask("-e", "tasks | select " + old, demo)
        if told.returncode == 0 or b"use '%s'" % new.encode() not in told.stderr:
            yield "%s: %s" % (old, told.stderr)


def main():
    program, srcdir = sys.argv[1:]
    checks = (("former names of columns are accepted", former(program, srcdir)),
              ("every line on standard error begins with the program's name", errors(program, srcdir)),
              ("one word for one thing", retired(program, srcdir)),
              ("units are next to values, not in the meanings", unitscheck.units(program, srcdir)))
    for n, (name, bad) in enumerate(checks, 1):
        bad = list(bad)
        print("%sok %d - %s" % ("not " if bad else "", n, name))
        for line in bad:
            print("#   " + line)
    print("1..%d" % len(checks))


main()
