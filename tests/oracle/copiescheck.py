#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""copiescheck.py BUILD SCRATCH [DUMP ...] - collections and duplicates of heap dumps against the oracle copies.py, as TAP.

Without dumps those of heapcopies.py and some others of mkheap.py, and random graphs.
"""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import copies as oracle  # noqa: E402
import elements  # noqa: E402
import heap  # noqa: E402
import heapcopies  # noqa: E402
import heapelements  # noqa: E402
import mkheap  # noqa: E402
from check import Tap, attempt  # noqa: E402
from heapread import Reader, Refused  # noqa: E402

OTHERS = ("heap", "art", "old32", "agent", "graal", "j9", "compact", "gallery") + tuple("random:%d" % k for k in range(1, 9))
CHOICES = (("soft", "vm"), ("strong", "mat"), ("all", "vm"))
HOLDERS = 400       # collections whose holder is looked for, at most


def number(text):
    return int(text or 0)


def differ(what, want, got):
    """The first difference of two lists or mappings."""
    if want == got:
        return []
    if isinstance(want, dict):
        keys = [k for k in sorted(set(want) | set(got)) if want.get(k) != got.get(k)][:4]
        return ["%s @%s: %s, not %s" % (what, k, got.get(k), want.get(k)) for k in keys]
    at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
    return ["%s, row %d: %s, not %s" % (what, at, got[at:at + 1], want[at:at + 1])]


def package(name):
    """The part before the last dot; an array is of the package of its elements."""
    base, array = name.split("/")[0], name.endswith("]")
    while base.endswith("[]"):
        base = base[:-2]
    if array and base in "boolean char float double byte short int long".split():
        return "(primitive)"
    return base.rpartition(".")[0] or "(default package)"


class Case:
    def __init__(self, program, path, data):
        self.program, self.path, self.data = program, path, data

    def rows(self, refs, sizes, *queries):
        a = self.program.ask(self.path, *queries, options=("--no-index", "--refs", refs, "--sizes", sizes))
        if a.code not in (0, 1, 3):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        return [t.rows for t in a.tables()]

    def duplicates(self, h, rows, strings):
        got = [(r["kind"], int(r["object"]), int(r["copies"]), int(r["arrays"]), int(r["waste"])) for r in rows]
        bad = differ("duplicates", oracle.duplicates(h), got)
        got = {int(r["object"]): [int(r["copies"]), int(r["shared"]), int(r["waste"])] for r in strings
               if r["copies"] and r["shared"] != "0"}
        for r in strings[:HOLDERS]:
            if number(r["owner"]) != oracle.holder(h, h.addresses[int(r["object"]) - 1]) or bool(r["owner"]) != bool(r["holder"]):
                bad.append("@%s is held by %r %r" % (r["object"], r["owner"], r["holder"]))
        return bad + differ("strings", oracle.strings(h), got)

    def collections(self, h, rows):
        want = oracle.all_collections(h)
        got = {int(r["object"]): (int(r["size"]), int(r["capacity"]), int(r["waste"])) for r in rows}
        bad = differ("collections", {k: v[:3] for k, v in want.items()}, got)
        for r in rows[:HOLDERS]:
            k = int(r["object"])
            if number(r["owner"]) != oracle.holder(h, h.addresses[k - 1]):
                bad.append("@%d is held by %r, not %d" % (k, r["owner"], oracle.holder(h, h.addresses[k - 1])))
            if r["alloc_site"] != oracle.site(h, h.addresses[k - 1]):
                bad.append("@%d was made by %r, not %r" % (k, r["alloc_site"], oracle.site(h, h.addresses[k - 1])))
            size, heads = want.get(k, (0, 0, 0, None))[0::3]
            ratio = "" if heads is None or size == 0 else "%.3f" % (100 * (size - heads) / size)
            if (r["collisions"] and "%.3f" % float(r["collisions"])) != ratio:
                bad.append("@%d has collisions %s, not %s" % (k, r["collisions"], ratio))
        return bad

    def components(self):
        """By the tree of dominators: an object counts where no other of its component is above it."""
        rows, found, *got = self.rows("soft", "vm", "objects | select id class kind label dominator retained shallow reachable",
                                      "findings | select class", "components package", "components class")
        objects, names = {}, {}
        for r in rows:
            name = names[int(r["id"])] = r["label"][6:] if r["kind"] == "class" else r["class"]
            if r["reachable"] in ("strong", "soft"):
                objects[r["id"]] = (package(name), name, r["dominator"], int(r["retained"]), int(r["shallow"]))
        bad = []
        for by, table in enumerate(got):
            want = {}
            for o in objects.values():
                w, at = want.setdefault(o[by], [0, 0, 0]), o[2]
                while at and objects[at][by] != o[by]:
                    at = objects[at][2]
                want[o[by]] = [w[0] + 1, w[1] + o[4], w[2] + (0 if at else o[3])]
            sums, waste, findings = {}, collections.Counter(), collections.Counter()
            for r in table:
                w = sums.setdefault(r["component"], [0, 0, 0])
                sums[r["component"]] = [w[0] + int(r["objects"]), w[1] + int(r["shallow"]), w[2] + int(r["retained"])]
                waste[r["component"]] += int(r["waste"])
                findings[r["component"]] += int(r["findings"])
            bad += differ("components", want, {k: v for k, v in sums.items() if v[0]})
            bad += differ("waste", self.named(names, by, self.wasted().items()), +waste)
            about = [(f["class"][6:] if f["class"].startswith("class ") else f["class"], 1) for f in found]
            bad += differ("findings", self.named(None, by, about), +findings)
        return bad

    def wasted(self):
        return oracle.wasted(heap.Heap(Reader(self.data), "soft", "vm"))

    @staticmethod
    def named(names, by, some):
        """Sums by the name of a class, or of its package; without names the numbers are names."""
        out = collections.Counter()
        for number, w in some:
            name = names[number] if names else number
            out[name if by else package(name)] += w
        return +out

    def entries(self):
        """Each element of each collection, in order."""
        h = heap.Heap(Reader(self.data), "soft", "vm")
        rows = self.rows("soft", "vm", "collections | entries | select collection index key key_id value value_id")[0]
        number = {a: k + 1 for k, a in enumerate(h.addresses)}
        want = {}
        for at, pairs in elements.entries(h).items():
            for i, (k, v) in enumerate(pairs):
                want["%d[%d]" % (at, i)] = tuple("" if x in (None, 0) else str(number.get(x, "#")) for x in (k, v))
        got = {}
        for r in rows:
            parts = tuple(r[n + "_id"] or ("#" if r[n] and want.get("%s[%s]" % (r["collection"], r["index"]), ("", ""))[i] == "#"
                                           else "") for i, n in enumerate(("key", "value")))
            got["%s[%s]" % (r["collection"], r["index"])] = parts
        return differ("entries", want, got)

    def all(self, refs, sizes):
        h = heap.Heap(Reader(self.data), refs, sizes)
        rows = self.rows(refs, sizes, "duplicates strings arrays zeros", "strings", "collections", "duplicates objects sparse tails")
        got = sorted((r["kind"], int(r["object"]), int(r["copies"]), int(r["waste"])) for r in rows[3])
        return self.duplicates(h, rows[0], rows[1]) + self.collections(h, rows[2]) + differ("objects, sparse, tails", oracle.not_needed(h), got)

    def kept(self):
        """Those that an index keeps are those that are found."""
        queries, kept = ("collections", "collections java.util.HashMap"), self.path + ".d"
        os.makedirs(kept, exist_ok=True)
        asked = [self.program.ask(self.path, *queries, options=("--index", kept)).out for _ in range(2)]
        new = self.program.ask(self.path, *queries, options=("--no-index",)).out
        return [] if asked == [new, new] else ["kept collections are others"]

    def sums(self):
        """Groups and their members waste the same number of bytes; copies are the members of the groups."""
        a, b, c, d = self.rows("soft", "vm", "duplicates strings | sum waste", "strings | sum waste",
                               "duplicates strings arrays zeros | sum copies",
                               "duplicates strings arrays zeros | copies | count")
        a, b, c, d = [list(t[0].values())[0] if t else "0" for t in (a, b, c, d)]
        return [] if (a, c) == (b, d) else ["%s bytes by groups, %s by strings; %s copies, %s members" % (a, b, c, d)]


def named(program, scratch):
    for name in tuple(heapcopies.MAKERS) + tuple(heapelements.MAKERS) + OTHERS:
        data = mkheap.make(name)
        path = os.path.join(scratch, "copies.hprof")
        with open(path, "wb") as f:
            f.write(data)
        yield name, Case(program, path, data)


def given(program, paths):
    for path in paths:
        with open(path, "rb") as f:
            yield os.path.basename(path), Case(program, path, f.read())


def main():
    build, scratch, *paths = sys.argv[1:]
    program, tap = answers.Program(os.path.join(build, "icecore")), Tap()
    for name, case in given(program, paths) if paths else named(program, scratch):
        try:
            Reader(case.data)
        except Refused:
            continue
        for refs, sizes in CHOICES:
            attempt(tap, "%s: --refs %s --sizes %s" % (name, refs, sizes), case.all, refs, sizes)
        attempt(tap, "%s: sums" % name, case.sums)
        attempt(tap, "%s: kept" % name, case.kept)
        attempt(tap, "%s: entries" % name, case.entries)
        attempt(tap, "%s: components" % name, case.components)
    tap.end()


if __name__ == "__main__":
    main()
