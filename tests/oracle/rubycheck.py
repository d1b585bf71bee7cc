#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""rubycheck.py BUILD SCRATCH - heap dumps of Ruby against the slow reader rubyheap.py, as TAP.

check_corpus compares with a folder of recorded dumps and tables of what is in them.
"""
import collections
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import mkruby  # noqa: E402
import rubyheap  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 300
OBJECTS = "objects | select id addr class kind shallow retained reachable dominator offset alloc_site method generation | where id > 0"
PLAIN = "objects | select id addr class kind shallow retained reachable dominator offset | where id > 0"
ROOTS = (*mkruby.ROOTS[:-1], "not in dump", "no root in file")
# Facts of the tables, as sums of those of the program.
FACTS = {"lines": "heap_lines", "dumps": "dumps", "objects": "objects", "references": "references", "missing_references": "missing",
         "missing_classes": "missing_classes", "root_missing": "repair.absent_roots", "roots_not_in_dump": "roots_found",
         "live_objects": "live_objects", "live_bytes": "live_bytes", "unreachable_objects": "unreachable_objects",
         "unreachable_bytes": "unreachable_bytes", "free_slots": "free_slots", "zombies": "zombies", "shapes": "object_shapes",
         "shape_bytes": "object_shape_bytes", "memsize_missing": "repair.no_size", "traced_objects": "traced_objects",
         "generation_max": "generation_last", "generation_min": "generation_first", "singleton_classes": "singleton_classes",
         "anonymous_classes": "anonymous_classes", "lines_not_utf8": "repair.line_encoding", "lines_raw_control": "repair.line_controls",
         "lines_lost": "loss.object_lines unread.object_lines",
         "dup_addresses": "repair.line_doubles", "cut_bytes": "loss.tail_bytes", "word": "id_size"}


def number(s):
    return int(s) if s not in ("", "-") else 0


class Case:
    """Answers of the program."""

    def __init__(self, program, path, dump=1, options=()):
        self.program, self.path = program, path
        self.options = ("--no-index", "--dump", str(dump), *options)
        self.info = {r["field"]: r["value"] for r in self.ask("info").rows}
        self.objects = self.ask(OBJECTS if number(self.info.get("traced_objects", "0")) else PLAIN).rows
        self.addr = {r["id"]: int(r["addr"], 16) for r in self.objects}

    def ask(self, query):
        a = self.program.ask(self.path, query, options=self.options)
        if a.code not in (0, 1, 3):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        return a.tables()[0]

    def table(self, key):
        rows = collections.defaultdict(lambda: [0, 0, 0, 0])
        for r in self.objects:
            k = key(r)
            if k is not None:
                live, size = r["reachable"] != "unreachable", int(r["shallow"])
                rows[k] = [x + y for x, y in zip(rows[k], (1, size, live, live and size))]
        return {k: tuple(v) for k, v in rows.items()}

    def site(self, r):
        """File and line."""
        if not r.get("alloc_site"):
            return None
        file, _, line = r["alloc_site"].rpartition(":")
        return (file, line) if line.isdigit() and file else (r["alloc_site"], "?")

    def sites(self):
        return self.table(lambda r: self.site(r) and (self.site(r)[0], number(self.site(r)[1].replace("?", "")), r["method"] or "-", r["class"]))

    def told_sites(self):
        rows = collections.defaultdict(lambda: (0, 0, 0, 0))
        for r in self.ask("sites").rows:
            key = (r["file"], number(r["line"]), r["method"] or "-", r["class"])
            rows[key] = tuple(x + int(r[name]) for x, name in zip(rows[key], ("objects", "bytes", "live", "live_bytes")))
        return rows

    def idoms(self):
        return {int(r["addr"], 16): (int(r["shallow"]), number(r["retained"]), self.addr.get(r["dominator"], 0)) for r in self.objects}

    def fact(self, names):
        return sum(number(self.info.get(name, "0")) for name in names.split())


def fitted(table):
    """Bytes that are not text and control characters are written in several ways."""
    fit = lambda x: answers.fit(re.sub(r"\\x[0-9a-f]{2}", "\ufffd", x)) if isinstance(x, str) else x
    return {tuple(map(fit, k)) if isinstance(k, tuple) else fit(k): v for k, v in table.items()}


def differ(what, got, want):
    got, want = fitted(got), fitted(want)
    return ["%s: %s: %s, not %s" % (what, k, got.get(k), want.get(k)) for k in sorted({**got, **want}, key=str) if got.get(k) != want.get(k)]


# ---- random dumps ------------------------------------------------------------------------------


def check_random(program, path, seed):
    data = mkruby.dump(seed)
    with open(path, "wb") as f:
        f.write(data)
    bad = []
    for dump in range(1, rubyheap.Heap(data).count["dumps"] + 1):
        h = rubyheap.Heap(data, dump)
        if not h.lines:
            continue
        c = Case(program, path, dump, ("--as", "ruby"))
        for name in h.count:
            got = c.fact(name) or (1 if name == "dumps" else 0)
            bad += ["%s: %s, not %s" % (name, got, h.count[name])] if got != h.count[name] else []
        bad += differ("types", c.table(lambda r: r["kind"]), h.types()) + differ("classes", c.table(lambda r: r["class"]), h.classes())
        bad += differ("idoms", c.idoms(), h.idoms())
        dups = {r["value"]: (int(r["copies"]), int(r["waste"])) for r in c.ask("duplicates").rows}
        bad += differ("dups", dups, {k.replace("\n", "\ufffd"): v for k, v in h.dups().items()})
        kinds = {c.addr[r["object"]]: r["kind"] for r in reversed(c.ask("roots").rows)}
        bad += differ("roots", kinds, {a: k if k in ROOTS else "other root" for a, k in h.kind.items()})
        if c.fact("traced_objects"):
            bad += differ("sites", c.sites(), h.sites()) + differ("sites", c.told_sites(), c.sites())
            bad += differ("generations", c.table(lambda r: int(r["generation"]) if r["generation"] else "-"), h.generations())
    return bad


# ---- recorded dumps -------------------------------------------------------------------------------


def rows_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f]


class Recorded:
    def __init__(self, program, path, expected, dump=1):
        self.case, self.expected = Case(program, path, dump), expected

    def rows(self, what):
        return rows_of("%s.%s.tsv" % (self.expected, what))

    def compare(self, what, got, keys, numbers=None):
        """The rows of a table; of long ones it has only the first."""
        want = {tuple(r[:keys]) if keys > 1 else r[0]: tuple(map(int, r[keys:][:numbers])) for r in self.rows(what)}
        got = fitted({tuple(map(str, k)) if isinstance(k, tuple) else str(k): v for k, v in got.items()})
        want = fitted(want)
        return ["%s: %s: %s, not %s" % (what, k, got.get(k), v) for k, v in want.items() if got.get(k) != v]

    def facts(self):
        want = dict(self.rows("facts"))
        bad = ["%s: %s, not %s" % (k, self.case.fact(names), want[k]) for k, names in FACTS.items()
               if (self.case.fact(names) or (1 if k == "dumps" else 0)) != number(want[k])]
        hurt, others = self.case.fact("repair.line_json loss.object_lines"), self.case.fact("unread.object_lines")
        bad += [] if hurt <= int(want["lines_not_json"]) <= hurt + others else ["lines that are not JSON: %d, %d" % (hurt, others)]
        if os.path.exists(self.expected + ".idom.tsv"):
            return bad
        lines = "".join("0x%x\t%s\t%s\t0x%x\n" % (int(r["addr"], 16), r["shallow"], r["retained"], self.case.addr.get(r["dominator"], 0))
                        if r["reachable"] != "unreachable" else "0x%x\t%s\t-\t-\n" % (int(r["addr"], 16), r["shallow"])
                        for r in sorted(self.case.objects, key=lambda r: int(r["offset"])))
        sha = hashlib.sha256(lines.replace("\t0x0\n", "\t0\n").encode()).hexdigest()
        return bad + ([] if sha == want["sha256_idoms"] else ["idoms differ"])

    def objects(self):
        c = self.case
        classes = c.table(lambda r: r["class"])
        for r in c.ask("classes").rows:
            if r["name"] in classes:
                classes[r["name"]] += (int(r["retained"]),)
        top = {"0x%x" % int(r["addr"], 16): (r["kind"], r["class"], r["shallow"], r["retained"],
                                             "0x%x" % c.addr[r["dominator"]] if r["dominator"] else "0") for r in c.objects}
        bad = self.compare("types", c.table(lambda r: r["kind"]), 1) + self.compare("classes", classes, 1)
        bad += ["top: %s: %s, not %s" % (r[0], top.get(r[0]), r[1:6]) for r in self.rows("top")
                if top.get(r[0]) != (r[1], answers.fit(r[2]), *r[3:6])]
        idoms = {int(r[0], 16): (int(r[1]), number(r[2]), 0 if r[3] == "-" else int(r[3], 16)) for r in self.rows("idom")}
        return bad + (differ("idoms", c.idoms(), idoms) if idoms else [])

    def roots(self):
        rows = self.case.ask("roots").rows
        first = {r["object"]: r["kind"] for r in reversed(rows)}
        got = {k: (sum(r["kind"] == k for r in rows), len({r["object"] for r in rows if r["kind"] == k}),
                   sum(v == k for v in first.values())) for k in {r["kind"] for r in rows}}
        want = {k: (int(n) - int(missing), int(objects), int(counts)) for k, n, objects, missing, counts in self.rows("roots")}
        # Roots that no line names have no references there.
        return [str((k, got.get(k), v)) for k, v in want.items() if got.get(k, (0, 0, 0))[2 if v[0] == 0 else 0:] != v[2 if v[0] == 0 else 0:]]

    def traced(self):
        if not self.rows("generations"):
            return []
        c, sites = self.case, self.case.told_sites()
        lines = c.table(lambda r: c.site(r) and "%s:%s" % c.site(r))
        return self.compare("sites", sites, 4) + differ("sites", sites, c.sites()) + \
            self.compare("lines", {k: v[:2] for k, v in lines.items()}, 1) + \
            self.compare("generations", {k: v[:2] for k, v in c.table(lambda r: r["generation"] or "-").items()}, 1)

    def dups(self):
        got = collections.Counter((int(r["copies"]), int(r["waste"]), answers.fit(r["value"][:60])) for r in self.case.ask("duplicates").rows)
        want = collections.Counter((int(n), int(waste), answers.fit(rubyheap.json.loads(value)[:60])) for n, _, waste, value in self.rows("dups"))
        return ["duplicates: %s" % (k,) for k in want - got]


def check_growth(program, paths, expected):
    bad = []
    for what, key in (("classes", "class"), ("sites", "site")):
        a = program.ask(paths[-1], "growth " + what, options=("--no-index", *paths[:-1]))
        got = {r[key]: (r["counts"] + "," + r["bytes"]).split(",") for r in a.tables()[0].rows}
        bad += ["%s: %s, not %s" % (r[0], got.get(r[0]), r[1:]) for r in rows_of(expected + (".growth" if what == "classes" else ".growth-sites") + ".tsv")
                if got.get(r[0]) != r[1:]]
    return bad


def check_verdict(program, path, want):
    """The first finding is the planted leak; a hidden object is a part of its owner."""
    case = Case(program, path)
    first = case.ask("findings | select object related count what | head 1").rows
    if not want or not first:
        return ["%s, not %s" % (first, want)] if bool(want) != bool(first) else []
    got, wanted = first[0], [w for w in want if abs(int(w["objects"]) - int(first[0]["count"])) <= 1]
    held = {case.addr.get(got[name]) for name in ("object", "related")}
    for w in wanted:
        if w["owner"] == "0" or w["owner_class"].startswith("(") or int(w["owner"], 16) in held or got["what"].startswith(w["owner_name"] + ": "):
            return []
    return ["%s, not %s" % (dict(got), want)]


def check_corpus(tap, program, folder):
    """folder: data, data/odd and expected."""
    names = sorted(n[:-len(".facts.tsv")] for n in os.listdir(os.path.join(folder, "expected")) if n.endswith(".facts.tsv")) \
        if os.path.isdir(os.path.join(folder, "expected")) else []
    for name in names:
        odd, dump = name.startswith("odd-"), 2 if name.endswith(".2") else 1
        base = os.path.join(folder, "data", *(("odd", name[4:].removesuffix(".2")) if odd else (name,)) )
        path = next((p for p in (base + ".json", base + ".json.gz") if os.path.exists(p)), None)
        if path is None or os.path.getsize(path) == 0:
            continue
        r = Recorded(program, path, os.path.join(folder, "expected", name), dump)
        for what in (r.facts, r.objects, r.roots, r.traced, r.dups):
            attempt(tap, "ruby/%s: %s" % (name, what.__name__), what)
    verdicts = collections.defaultdict(list)
    table = rows_of(os.path.join(folder, "expected", "verdicts.tsv"))
    for row in table[1:]:
        verdicts[row[1]].append(dict(zip(table[0], row)))
    for name in [*verdicts, *(n for n in names if n.startswith("healthy"))]:
        path = os.path.join(folder, "data", name + ".json.gz")
        if os.path.exists(path):
            attempt(tap, "ruby/%s: findings" % name, check_verdict, program, path, verdicts.get(name, []))
    for name in ("grow27", "grow34", "growcompact31"):
        paths = [os.path.join(folder, "data", "%s-%d.json.gz" % (name, i)) for i in (1, 2, 3)]
        if all(map(os.path.exists, paths)):
            attempt(tap, "ruby/%s: growth" % name, check_growth, program, paths, os.path.join(folder, "expected", name))


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    sampled.tell()
    program = answers.Program(os.path.join(build, "icecore"))
    for seed in sampled.seeds(SEEDS):
        attempt(tap, "random dump %d" % seed, check_random, program, os.path.join(scratch, "dump.json"), seed)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
