#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mergecheck.py BUILD - merge_paths against a breadth-first search over refs and roots as tsv, as TAP."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

DEMO = os.path.join(HERE, "..", "..", "demo", "demo.hprof.gz")
# The better answer to what kind of root an object is comes first.
RANK = ("thread", "Java local", "JNI local", "JNI global", "system class", "monitor")
COUNT = {"strong": {"strong"}, "soft": {"strong", "soft"}}
TARGETS = ("objects java.lang.String", "objects", "objects | where kind = class", "strings | where length > 30", "objects | head 1",
           "objects java.util.*", "roots", "objects | where id = 0", "threads | where id = 0")


class Dump:
    def __init__(self, program, path):
        self.program, self.path = program, path
        self.kind, self.label, self.class_of = {}, {}, {}
        for r in self.rows("objects | select id kind label class"):
            self.kind[r["id"]], self.label[r["id"]] = r["kind"], r["label"]
        for r in self.rows("objects | refs | where name = '<class>' | select owner object"):
            self.class_of[r["owner"]] = r["object"]
        of_class = next((o for o, label in self.label.items() if label == "class java.lang.Class"), None)
        for o, kind in self.kind.items():
            if kind == "class":
                self.class_of.setdefault(o, of_class)
        self.roots = {}
        for r in self.rows("roots | select object kind thread_id"):
            if r["object"] and (r["thread_id"] == "" or r["kind"] not in ("Java local", "JNI local", "native stack", "thread block")):
                self.roots.setdefault(r["object"], []).append(r["kind"])
        self.refs = [r for r in self.rows("objects | refs | select owner object name strength") if r["object"] and r["name"] != "<class>"]

    def rows(self, query):
        a = self.program.ask(self.path, query, options=("--no-index",))
        if a.code not in (0, 1):
            raise ValueError("%s: %s" % (query, a.err))
        return answers.Table(a.out).rows

    def root_kind(self, object):
        return min(self.roots[object], key=lambda k: RANK.index(k) if k in RANK else len(RANK))

    def search(self, refs):
        """Return the object in front of each reached object: the nearest, of these the one with the lowest number; and the
        names of references.  Objects that are not reached otherwise are reached from the classes of reached objects."""
        out, name = {}, {}
        for r in self.refs:
            if refs == "all" or r["strength"] in COUNT[refs]:
                out.setdefault(r["owner"], []).append(r["object"])
                name.setdefault((r["owner"], r["object"]), r["name"])
        rank = {o: min(RANK.index(k) if k in RANK else len(RANK) for k in self.roots[o]) for o in self.roots}
        queue = sorted(self.roots, key=lambda o: (rank[o], int(o)))
        front, level, at, classes = dict.fromkeys(queue), dict.fromkeys(queue, 0), 0, 0
        while True:
            while at < len(queue):
                for b in out.get(queue[at], ()):
                    if b not in front:
                        front[b], level[b] = queue[at], level[queue[at]] + 1
                        queue.append(b)
                at += 1
            end = len(queue)
            for a in queue[classes:end]:
                b = self.class_of.get(a)
                if b and b not in front:
                    front[b], level[b] = a, level[a] + 1
                    queue.append(b)
            classes = end
            if len(queue) == end:
                break
        place = {o: i for i, o in enumerate(queue)}
        for a in queue:
            c = self.class_of.get(a)
            held = [c] if c and front.get(c) and self.class_of.get(front[c]) == c else []
            for b in out.get(a, []) + held:
                if place[a] < place[b] and level[b] == level[a] + 1 and int(a) < int(front[b]):
                    front[b] = a
        return front, name


def merged(dump, targets, refs):
    front, name = dump.search(refs)
    place, nodes, unreachable = {}, [], 0
    steps = {}

    def put(object):
        """The number of the node of an object; those in front of it come first."""
        way = []
        while object is not None and object not in place:
            way.append(object)
            object = front[object]
        for o in reversed(way):
            before = front[o]
            field = dump.root_kind(o) if before is None else "[*]" if dump.kind[before] == "object array" else name.get((before, o), "<class>")
            parent, times = place[before] if before is not None else (None, 0)
            key = (field, dump.label[o])
            if parent is not None and nodes[parent]["key"] == key and nodes[parent]["depth"] > 0:
                place[o] = (parent, times + 1)
            else:
                if (parent, key) not in steps:
                    steps[parent, key] = len(nodes)
                    nodes.append({"key": key, "parent": parent, "depth": 0 if parent is None else nodes[parent]["depth"] + 1,
                                  "objects": 0, "members": [], "times": 1, "below": []})
                    if parent is not None:
                        nodes[parent]["below"].append(len(nodes) - 1)
                place[o] = (steps[parent, key], 1)
            node = nodes[place[o][0]]
            node["members"].append(o)
            node["times"] = max(node["times"], place[o][1])

    for t in sorted(set(targets), key=int):
        if t not in front:
            unreachable += 1
            continue
        put(t)
        at = place[t][0]
        while at is not None:
            nodes[at]["objects"] += 1
            at = nodes[at]["parent"]
    rows, order = [], lambda i: (-nodes[i]["objects"], nodes[i]["key"][0].encode(), nodes[i]["key"][1].encode())
    stack = sorted((i for i, n in enumerate(nodes) if n["parent"] is None), key=order, reverse=True)
    while stack:
        n = nodes[stack.pop()]
        stack += sorted(n["below"], key=order, reverse=True)
        rows.append((n["depth"], n["key"][0] + (" ×%d" % n["times"] if n["times"] > 1 else ""), n["key"][1], n["objects"],
                     100 * n["objects"] / len(set(targets)), len(n["members"]), n["members"][0] if len(n["members"]) == 1 else ""))
    return rows + ([(0, "unreachable", "", unreachable, 100 * unreachable / len(set(targets)), "", "")] if unreachable else [])


def compare(dump, query, refs):
    column = "object" if query.startswith(("strings", "roots")) else "id"
    targets = [r[column] for r in dump.rows("%s | select %s" % (query, column)) if r[column]]
    want = merged(dump, targets, refs) if targets else []
    got = [(int(r["depth"]), r["field"], r["class"], int(r["objects"]), float(r["percent"]), r["nodes"] and int(r["nodes"]), r["id"])
           for r in dump.rows("%s | merge_paths %s | select depth field class objects percent nodes id" % (query, refs))]
    if len(want) != len(got):
        return ["%s: %d rows, not %d" % (query, len(got), len(want))]
    return ["%s: row %d is %r, not %r" % (query, i, b, a) for i, (a, b) in enumerate(zip(want, got))
            if a[:4] + a[5:] != b[:4] + b[5:] or abs(a[4] - b[4]) > 1e-6][:3]


def retained(dump):
    sizes = {r["id"]: r["retained"] for r in dump.rows("objects | select id retained")}
    return ["%r" % r for r in dump.rows("objects | merge_paths | select id nodes retained")
            if r["retained"] != (sizes[r["id"]] if r["nodes"] == "1" else "")][:3]


def main():
    build = sys.argv[1]
    program, tap = answers.Program(os.path.join(build, "icecore")), Tap()
    data = os.path.join(build, "tests", "data")
    paths = [DEMO] + [os.path.join(data, n + ".hprof") for n in ("heap", "lists", "leaks", "copies") if os.path.exists(os.path.join(data, n + ".hprof"))]
    paths += sys.argv[2:]
    for path in paths:
        dump = Dump(program, path)
        for refs in ("strong", "soft", "all"):
            attempt(tap, "%s: merge_paths %s" % (os.path.basename(path), refs),
                    lambda: [x for q in TARGETS for x in compare(dump, q, refs)])
        attempt(tap, "%s: retained sizes" % os.path.basename(path), retained, dump)
    tap.end()


if __name__ == "__main__":
    main()
