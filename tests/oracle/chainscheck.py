#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""chainscheck.py BUILD [DUMP ...] - the stages chains, path, refs and referrers over rows of objects, as TAP: chains against a
search of its own over refs as tsv, and all of them against the sources of the same words."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402
from mergecheck import DEMO, Dump  # noqa: E402

WORDS = "chains", "path", "paths", "refs", "referrers"
HEAD = "Found statically referenced chain:"
SETS = ("objects java.lang.String | where shallow > 20 | head 60", "objects byte[] char[] | top 8 shallow", "objects | tail 40",
        "objects | where kind = class | head 30", "dominators | head 12", "findings", "threads | referrers | head 20",
        "objects java.lang.String | head 20 | select dominator", "objects | head 1 | select id as chosen", "objects | where id = 0")


class Model:
    def __init__(self, program, path):
        self.dump = d = Dump(program, path)
        self.addr, self.live = {}, set()
        for r in d.rows("objects | select id addr retained"):
            self.addr[r["id"]] = int(r["addr"], 16)
            if r["retained"] != "0":
                self.live.add(r["id"])
        self.lost = set()
        for name in "WeakReference", "Finalizer", "FinalizerReference":
            name = "java.lang.ref." + name
            if d.rows("classes | where name = '%s'" % name):
                self.lost |= {r["id"] for q in ("", " | subclasses | instances", " | instances")
                              for r in d.rows("classes %s%s%s" % (name, q, " | select id"))}
        self.into, self.fields = {}, {}
        for r in d.refs:
            self.fields.setdefault((r["owner"], r["object"]), []).append(r["name"])
            if r["strength"] in ("strong", "soft", "finalizer"):
                self.into.setdefault(r["object"], set()).add(r["owner"])

    def paths(self, target):
        """Each class with the objects from it down to the target, in order."""
        d, front, level, place = self.dump, {target: None}, [target], {target: 0}
        while level:
            hits, new = [], []
            for o in level:
                for h in sorted(self.into.get(o, ()), key=int):
                    if h in front or h not in self.live:
                        continue
                    if d.kind[h] == "class":
                        statics = [n for n in self.fields[h, o] if n.startswith("static ")]
                        hits += [(int(h), place[o], i, h, o, n) for i, n in enumerate(statics)]
                    elif h not in self.lost:
                        front[h], place[h] = o, len(place)
                        new.append(h)
            for _, _, _, h, o, n in sorted(hits):
                way = []
                while o is not None:
                    way.append(o)
                    o = front[o]
                yield h, n, way
            level = new

    def name(self, o):
        d = self.dump
        return "%s%s (%d)" % (d.label[o], " array" if d.kind[o].endswith("array") else "", self.addr[o])

    def lines(self, target, most):
        out = []
        for i, (h, n, way) in enumerate(self.paths(target)):
            if most and i == most:
                break
            out += [(HEAD, "", target), ("%s -%s-> %d" % (self.dump.label[h].removeprefix("class "), n, self.addr[way[0]]), h, target)]
            for a, b in zip(way, way[1:]):
                field = " ->" if self.dump.kind[a] == "object array" and self.fields[a, b][0].startswith("[") else \
                    " -%s->" % self.fields[a, b][0]
                out.append(("%s%s %d" % (self.name(a), field, self.addr[b]), a, target))
            out.append((self.name(way[-1]), way[-1], target))
        return out


def targets(model, query):
    column = query.rsplit(" ", 1)[1] if " | select " in query else "object" if query.startswith(("dom", "find", "thr")) else "id"
    return [r[column] for r in model.dump.rows(query) if r[column]]


def compare(model, query, most):
    number = " %d" % most if most else ""
    got = [(r["chain"], r["object"], r["target"]) for r in model.dump.rows("%s | chains%s" % (query, number))]
    want = [line for t in targets(model, query) for line in model.lines(t, most)]
    if got == want:
        return []
    i = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return ["%s: %d lines, not %d; line %d is %r, not %r" % (query, len(got), len(want), i, got[i:i + 1], want[i:i + 1])]


def as_source(model, query):
    """A stage answers what the source answers about each object in turn."""
    stem, _, last = query.partition(" | select ")
    chosen = stem + " | head 8" + (" | select " + last if last else "")
    bad, ids = [], targets(model, chosen)
    if not ids:
        return []
    sources = [(word, "%s @%s" % (word, t)) for word in WORDS for t in ids]
    tables = model.dump.program.ask(model.dump.path, *[q for _, q in sources], options=("--no-index",)).tables()
    for word in WORDS:
        got = model.dump.rows("%s | %s" % (chosen, word))
        want = [r for (w, _), t in zip(sources, tables) if w == word for r in t.rows]
        columns = list(want[0]) if want else []
        if len(tables) != len(sources) or [[r[c] for c in columns] for r in got] != [[r[c] for c in columns] for r in want]:
            bad.append("%s | %s differs from the source" % (query, word))
    return bad


def cut(program):
    a = program.ask(DEMO, "objects | refs | referrers | chains | count", options=("--no-index",))
    rows = int(a.tables()[0].rows[0]["count"])
    return [] if 1000000 <= rows < 1001000 and "note: stopped after 1000000 lines, at @" in a.err else ["%d rows: %s" % (rows, a.err)]


def main():
    build = sys.argv[1]
    program, tap = answers.Program(os.path.join(build, "icecore")), Tap()
    data = os.path.join(build, "tests", "data")
    paths = [DEMO] + [os.path.join(data, n + ".hprof") for n in ("heap", "lists", "leaks", "copies") if os.path.exists(os.path.join(data, n + ".hprof"))]
    for path in paths + sys.argv[2:]:
        model, name = Model(program, path), os.path.basename(path)
        attempt(tap, "%s: chains of rows" % name, lambda: [x for q in SETS for n in (0, 1, 3) for x in compare(model, q, n)])
        attempt(tap, "%s: stages and sources" % name, lambda: [x for q in SETS[:-2] for x in as_source(model, q)])
    attempt(tap, "a million lines end with a note", cut, program)
    tap.end()


if __name__ == "__main__":
    main()
