# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapfacts.py - single facts that others state about the dumps of the corpus, each as a query and its answer.

tests/corpus/heap_facts.tsv has a line for each: the dump, the row of the
expected/ahat_tests.tsv, content_facts.tsv or repo_tests.tsv that states it,
--refs, the query, the rows it answers with, and, where names of one count, the mapping file.  A row that no query can
answer yet, or that counts in another way, has the reason in its place.
"""
import csv
import os

from check import attempt

HERE = os.path.dirname(os.path.abspath(__file__))
FACTS = os.path.join(HERE, "..", "corpus", "heap_facts.tsv")
STATED = {"ahat_tests.tsv": "field", "content_facts.tsv": "what", "repo_tests.tsv": "fact"}


def facts():
    with open(FACTS, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def answer(table):
    return " ; ".join(",".join(r[c] for c in table.columns) for r in table.rows).replace("\n", " ").replace("\t", " ")


def check_row(dump, row, mine):
    bad = []
    for f in mine:
        if f["query"] != "-":
            got = answer(dump.ask(f["query"], refs=f["refs"], mapping=f["mapping"])[0])
            if got != f["want"]:
                bad.append("%s: %s, should be %s" % (f["query"], got, f["want"]))
    return bad


def check(tap, dump):
    mine = [f for f in facts() if f["dump"] == dump.name]
    for row in dict.fromkeys(f["row"] for f in mine):
        asked = [f for f in mine if f["row"] == row]
        for f in asked:
            if f["query"] == "-":
                print("# heap/%s: %s: left out: %s" % (dump.name, row, f["want"]))
        if any(f["query"] != "-" for f in asked):
            attempt(tap, "heap/%s: %s" % (dump.name, row), check_row, dump, row, asked)


def unstated(tables):
    """Rows of the expected tables that no line is about; tables: name to rows."""
    known = {f["row"] for f in facts()}
    return ["%s: %s" % (name, r[STATED[name]]) for name, rows in tables.items() for r in rows
            if r[STATED[name]] not in known]
