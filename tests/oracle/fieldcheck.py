# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Cases from the field, and args of trace events, against tables of right answers, for corpus.py.

tests/corpus/field.tsv has a row for each answer: a file of CORPUS/field, a query, and its rows; "; " separates rows, "," separates cells.
Options may precede the query, with " -- " after them; "refused: " precedes a part of the message about a file that is not
read.  Recordings of perf are asked where perf is.
"""
import glob
import os
import shutil

from check import attempt

HERE = os.path.dirname(os.path.abspath(__file__))
ANSWERS = os.path.join(HERE, "..", "corpus", "field.tsv")


def check_answer(program, path, query, want):
    options, _, query = query.rpartition(" -- ")
    a = program.ask(path, query, options=["--no-index", *options.split()])
    if want.startswith("refused: "):
        return [] if a.code == 5 and want[len("refused: "):] in a.err else ["status %d: %s" % (a.code, a.err.strip())]
    got = "; ".join(line.replace("\t", ",") for line in a.out.split("\n")[1:-1])
    return [] if got == want else ["%s: %s, not %s; %s" % (query, got, want, a.err.strip())]


def check_args(program, path):
    """Calls of each name and detail, and how long they took together; totals of clang are not calls."""
    table, = program.ask(path, "spans | group method detail : count, sum wall | select method,detail,count,sum_wall", options=("--no-index",)).tables()
    got = sorted((r["method"], r["detail"], r["count"], r["sum_wall"]) for r in table.rows)
    with open(path + ".tsv", encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    want = sorted(tuple(r[1:]) for r in rows if r[0] == "args" and not r[1].startswith("Total "))
    return ["%s, not there" % (r,) for r in want if r not in got] + ["%s, not expected" % (r,) for r in got if r not in want]


def check_corpus(tap, program, corpus):
    with open(ANSWERS, encoding="utf-8") as f:
        for line in f:
            name, query, want = line.rstrip("\n").split("\t")
            path = os.path.join(corpus, "field", name)
            asked = not name.endswith(".perf.data") or shutil.which("perf")
            if not line.startswith("#") and os.path.exists(path) and asked:
                attempt(tap, "field: %s: %s" % (name, query), check_answer, program, path, query, want)
    for path in sorted(glob.glob(os.path.join(corpus, "profiles", "more", "data", "args-*.json"))):
        attempt(tap, os.path.basename(path) + ": args", check_args, program, path)
