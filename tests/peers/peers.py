#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""peers.py BUILD CORPUS - what other programs make of the same perf texts and JSON files, function by function, as TAP.

The peers are those that are named by INFERNO (inferno-collapse-perf), SPEEDSCOPE (its npm package) and FIREFOX (linux-perf.js,
see importers.js).  Each function has the same self and total in both, or a row of peers.tsv says why not; a row that explains
nothing is wrong as well.  RENEW=1 prints the rows that would be needed.
"""
import collections
import glob
import gzip
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))

import answers  # noqa: E402
from explained import Explained  # noqa: E402
from check import Tap, attempt  # noqa: E402

PERF = ("trace/perf/*", "profiles/perftext/data/*.txt")
JSON = ("profiles/chrome/data/*.json*", "profiles/chrome/data/gen/*.json")


# ---- ours ---------------------------------------------------------------------


def ask(program, path, query, options=()):
    a = program.ask(path, query, options=("--no-index", "--no-symbols") + options)
    if a.code not in (0, 1, 3) or a.out == "":
        return None
    return a.tables()[0].rows


def stacks(program, path, event):
    lines = ask(program, path, "stacks", ("--event", event)) or []
    return totals((row["stack"].split(";"), int(row["weight"])) for row in lines)


def tree(program, path, column, options=()):
    """By the names on the way to each call, and what the column says of it alone."""
    rows, stack = ask(program, path, "calls | select id parent method " + column, options) or [], {}
    for node, parent, name, _ in map(dict.values, rows):
        stack[node] = stack.get(parent, ()) + (name,)
    return totals((stack[node], int(n or 0)) for node, _, _, n in map(dict.values, rows))


def totals(lines):
    sums = collections.defaultdict(lambda: [0, 0])
    for names, n in lines:
        sums[names[-1]][0] += n
        for name in set(names):
            sums[name][1] += n
    return {name: tuple(s) for name, s in sums.items()}


def add(tables):
    sums = collections.defaultdict(lambda: [0, 0])
    for table in tables:
        for name, s in table.items():
            sums[name][0] += s[0]
            sums[name][1] += s[1]
    return {name: tuple(s) for name, s in sums.items()}


def weights(program, path):
    """By time: of samples where there are any, as importers do, else of calls."""
    events = ask(program, path, "events") or []
    return add(tree(program, path, "self", ("--event", row["name"])) for row in events) or \
        tree(program, path, "self", ("--clock", "wall"))


# ---- theirs ---------------------------------------------------------------------


def unknown(module):
    """A frame without a name has that of its module, here."""
    base = module.rsplit("/", 1)[-1]
    return base if base.startswith("[") else "[%s]" % base


def speedscope_name(name):
    if re.fullmatch(r"\(anonymous [^()]*:\d+\)", name):
        return "(anonymous) (%s)" % name[11:-1]
    return unknown(name[5:-1]) if name.startswith("??? (") else name


def firefox_name(name):
    name, _, module = name.rpartition(" (in ")
    return unknown(module[:-1]) if name == "[unknown]" else name


def imported(rows, scale, named):
    return add({named(name): (s[0] * scale, s[1] * scale)} for row in rows for name, s in row[3].items())


class Importer:
    def __init__(self, peer, where):
        self.peer, self.where = peer, where

    def rows(self, path):
        p = subprocess.run(["node", os.path.join(HERE, "importers.js"), self.peer, self.where, path],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in p.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]]

    def perf(self, path, events):
        """Firefox takes all events for one, speedscope the first one alone."""
        named = firefox_name if self.peer == "firefox" else speedscope_name
        return events if self.peer == "firefox" else events[:1], imported(self.rows(path), 1, named)


def inferno(where, path, options):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        p = subprocess.run([where, "-q"] + options, input=f.read(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = [line.rpartition(" ") for line in p.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]]
    return totals((names.split(";"), int(n)) for names, _, n in lines)


# ---- the table ------------------------------------------------------------------


def near(a, b, scale):
    return a == b or (scale > 1 and abs(a - b) <= 1)


def text(pair):
    return "-" if pair is None else "%d %d" % pair


def why(table, found):
    """A row is about one function, all that begin with "Total " ("Total *"), or a file that one of the two does not read ("*")."""
    def fits(row):
        some = row["function"].endswith(" *") and found["function"].startswith(row["function"][:-1])
        return (row["function"] == found["function"] or some) and all(row[k] in (found[k], "*") for k in found if k != "function")
    return table.why(fits)


def compare(table, name, peer, ours, theirs, scale=1):
    bad = []
    plain = {k: answers.fit(*answers.demangled({k: 1})) for k in theirs}
    theirs = add({plain[k]: tuple(round(x) for x in s)} for k, s in theirs.items())
    if not set(ours) & set(theirs) and \
            why(table, {"file": name, "peer": peer, "function": "*", "ours": "*", "theirs": "-"}) is not None:
        return bad
    for k in sorted(set(ours) | set(theirs)):
        a, b = ours.get(k), theirs.get(k)
        if a is not None and b is not None and near(a[0], b[0], scale) and near(a[1], b[1], scale):
            continue
        if (a or (0, 0)) == (b or (0, 0)):
            continue
        found = {"file": name, "peer": peer, "function": k, "ours": text(a), "theirs": text(b)}
        if why(table, found) is None:
            bad.append("\t".join(found.values()))
            if "RENEW" in os.environ:
                print(bad[-1])
    return bad


def check_perf(tap, program, table, path, peers):
    name = os.path.basename(path)
    events = [row["name"] for row in ask(program, path, "events") or []]
    if "inferno" in peers:
        # It identifies events by the word before the first colon.
        kinds = sorted(set(event.split(":")[0] for event in events))
        for kind in kinds:
            attempt(tap, "%s: stacks of %s, inferno" % (name, kind), compare, table, name, "inferno",
                    add(stacks(program, path, event) for event in events if event.split(":")[0] == kind),
                    inferno(peers["inferno"], path, ["--event-filter", kind] if len(kinds) > 1 else []))
    for peer in ("speedscope", "firefox"):
        if peer in peers:
            which, theirs = Importer(peer, peers[peer]).perf(path, events)
            attempt(tap, "%s: samples, %s" % (name, peer), compare, table, name, peer,
                    add(tree(program, path, "samples", ("--event", event)) for event in which), theirs)


def check_json(tap, program, table, path, peers):
    name = os.path.basename(path)
    if "speedscope" in peers:
        rows = Importer("speedscope", peers["speedscope"]).rows(path)
        attempt(tap, "%s: time, speedscope" % name, compare, table, name, "speedscope", weights(program, path),
                imported(rows, 1000, speedscope_name), 1000)


def main(argv):
    build, corpus = argv[1:]
    tap, program = Tap(), answers.Program(os.path.join(build, "icecore"))
    table = Explained(os.path.join(HERE, "peers.tsv"))
    peers = {p: os.environ[p.upper()] for p in ("inferno", "speedscope", "firefox") if p.upper() in os.environ}
    if not peers:
        print("1..0 # SKIP none of INFERNO, SPEEDSCOPE, FIREFOX is set")
        return 0
    for kind, check in ((PERF, check_perf), (JSON, check_json)):
        for pattern in kind:
            for path in sorted(glob.glob(os.path.join(corpus, pattern))):
                check(tap, program, table, path, peers)
    tap.ok("rows of the table explain something", table.unused(lambda row: row["peer"] in peers))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
