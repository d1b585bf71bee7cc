#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""graphcheck.py BUILD SCRATCH - icecore on Java heap graphs of Perfetto traces against a slow model, as TAP.

Traces of mkgraph.py, each with one peculiarity, random ones, and ones with damage.  corpus.py calls check_corpus: the expected tables.
"""
import hashlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import mkgraph  # noqa: E402
import slowgraph  # noqa: E402
from check import Tap, attempt  # noqa: E402

ROOTS = {"unknown": "unknown", "JNI global": "JNI global", "JNI local": "JNI local", "Java local": "java frame", "native stack": "native stack",
         "system class": "sticky class", "thread block": "thread block", "monitor": "monitor", "thread": "thread", "interned string": "interned string",
         "finalizing": "finalizing", "debugger": "debugger", "reference cleanup": "reference cleanup", "VM internal": "VM internal", "JNI monitor": "JNI monitor"}
RANDOM = 40
QUERIES = ("objects | refs | where name = '{runtime}' | select owner addr", "classes | select name objects shallow retained",
           "objects | select id addr class shallow native heap reachable dominator retained", "roots | select object kind",
           "objects | fields | where type = object | select owner name object addr declared_in", "info")
# A superclass of itself: the model goes round it for names of fields, icecore cuts it.
CYCLES = {"holes.pftrace": (["unnamed references"], "22")}


def number(text):
    return int(text or 0)


class Found:
    """The tables of the model, from icecore."""

    def __init__(self, program, path, n=1, refs="soft"):
        a = program.ask(path, *QUERIES, options=("--no-index", "--dump", str(n), "--refs", refs))
        if a.code not in (0, 3):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        self.code, self.refs = a.code, refs
        self.inner, self.all_classes, self.rows, self.roots, self.slots, self.info = a.tables()
        self.facts = {r["field"]: r["value"] for r in self.info.rows}
        self.id = {r["id"]: "%x" % (int(r["addr"], 16) >> 3) for r in self.rows.rows}
        self.root = {r["object"]: ROOTS[r["kind"]] for r in self.roots.rows}

    def objects(self):
        """Without what is retained beside bytes, which only sums of the others are."""
        counted = {"soft": ("strong", "soft"), "strong": ("strong",), "all": ("strong", "soft", "weak", "finalizer", "phantom")}[self.refs]
        for r in self.rows.rows:
            live = r["reachable"] in counted
            yield [self.id[r["id"]], r["class"], r["shallow"], r["native"], r["heap"], self.root.get(r["id"], "-"), str(int(live)),
                   (self.id[r["dominator"]] if r["dominator"] else "0") if live else "-", r["retained"]]

    def classes(self):
        return sorted([r["name"], r["objects"], r["shallow"], r["retained"]] for r in self.all_classes.rows if number(r["objects"]))

    def references(self):
        for r in self.slots.rows:
            name = r["name"].removeprefix("static ")
            name = name if name[0] == "[" or not r["declared_in"] else r["declared_in"] + "." + name
            yield [self.id[r["owner"]], name, "%x" % (int(r["addr"], 16) >> 3) if r["addr"] else "0"]
        for r in self.inner.rows:
            yield [self.id[r["owner"]], "<runtime>", "%x" % (int(r["addr"], 16) >> 3)]

    def count(self, name):
        """A fact of the model; None: icecore has none like it."""
        same = {"pid": "pid", "packets": "heap_packets", "timestamp": "taken_at", "gaps": "loss.heap_packets", "objects": "objects",
                "live objects": "live_objects", "live bytes": "live_bytes", "missing references": "missing", "unnamed references": "repair.nameless",
                "roots": "roots", "live native bytes": "registered_bytes", "heap bytes allocated": "heap_allocated", "oom_score_adj": "oom_score_adj",
                "oom allocation": "oom.allocation", "oom free": "oom.free", "oom free until limit": "oom.until_limit", "lost bytes": "loss.tail_bytes",
                "rss_anon_kb": "rss_anon", "vm_swap_kb": "swap"}
        if name == "complete":
            return int(not number(self.facts.get("loss.no_end")) and not number(self.facts.get("loss.heap_packets")))
        if name == "graphs":
            return number(self.facts.get("dumps")) or 1
        if name == "bytes":
            return sum(number(r["shallow"]) for r in self.rows.rows)
        if name == "native bytes":
            return sum(number(r["native"]) for r in self.rows.rows)
        if name.startswith("root "):
            return list(self.root.values()).count(name[5:])
        if name.startswith("part "):
            return "%d %d" % (number(self.facts.get("part.%s_objects" % name[5:])), number(self.facts.get("part." + name[5:])))
        if name in ("process", "oom message"):
            return self.facts.get({"process": "process", "oom message": "oom.message"}[name], "")
        value = number(self.facts.get(same[name])) if name in same else None
        return value // 1024 if name.endswith("_kb") and value is not None else value


def differ(what, want, got):
    """Lines about rows that only one of both has."""
    want, got = sorted(map(tuple, want)), sorted(map(tuple, got))
    if want == got:
        return []
    less, more = set(want) - set(got), set(got) - set(want)
    return (["%s: missing %s" % (what, r) for r in sorted(less)[:4]] + ["%s: not expected %s" % (what, r) for r in sorted(more)[:4]] or
            ["%s: rows occur more or less often" % what])


def check(found, want):
    bad = ["%s is %s, expected %s" % (name, found.count(name), value) for name, value in want["facts"]
           if found.count(name) is not None and str(found.count(name)) != (value or "0" if name != "process" else value)]
    bad += differ("classes", [[r[0], r[2], r[3], r[6]] for r in want["classes"]], found.classes())
    bad += differ("objects", [r[:9] for r in want["objects"]], found.objects())
    if "refs" in want:
        # A renamed field may be of another class than the one that declares it now.
        names = () if number(found.facts.get("mapping.renamed_classes")) else {r["name"] for r in found.all_classes.rows}
        rows, got = [r for r in want["refs"] if r[1:] != ["<runtime>", "0"]], list(found.references())
        bad += differ("references", *[[[i, name.rpartition(".")[2], to] for i, name, to in some] for some in (rows, got)])
        bad += ["references: missing %s" % r for r in rows if r[1].rpartition(".")[0] in names and r not in got][:4]
    return bad


def rows_of(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return [line.split("\t") for line in f.read().split("\n")[:-1]]


def check_expected(program, path, base, n):
    want = {what: rows_of("%s.%s.tsv" % (base, what)) for what in ("facts", "classes", "objects", "refs")}
    found = Found(program, path, n)
    want = {what: rows for what, rows in want.items() if rows is not None}
    skipped, owner = CYCLES.get(os.path.basename(path), ((), None))
    want["facts"] = [r for r in want["facts"] if r[0] not in skipped]
    if owner:
        want["refs"] = [r for r in want["refs"] if r[0] != owner]
        found.slots.rows = [r for r in found.slots.rows if found.id[r["owner"]] != owner]
    whole = base + ".objects.sha256"
    bad = []
    if os.path.exists(whole):
        lines = sorted("\t".join([r[0], r[2], r[7] if r[6] == "1" else "-", r[8]]) + "\n" for r in found.objects())
        with open(whole, encoding="ascii") as f:
            if hashlib.sha256("".join(lines).encode()).hexdigest() != f.read().split()[0]:
                bad.append("the checksum of all objects differs")
        listed = {r[0] for r in want["objects"]}
        found.rows.rows = [r for r in found.rows.rows if found.id[r["id"]] in listed]
        found.count = lambda name, count=found.count: None if name in ("bytes", "native bytes") else count(name)
    return bad + check(found, want)


def check_corpus(tap, program, folder):
    expected, data = os.path.join(folder, "expected"), os.path.join(folder, "data")
    for place, _, names in sorted(os.walk(data)):
        for name in sorted(n for n in names if ".pftrace" in n):
            stem = name.partition(".pftrace")[0]
            for n in range(1, 10):
                base = next((b for b in (os.path.join(expected, "%s.%d" % (stem, n)), os.path.join(expected, stem))
                             if os.path.exists(b + ".facts.tsv")), None)
                if base is None or (n > 1 and not base.endswith(".%d" % n)):
                    break
                if rows_of(base + ".facts.tsv") != [["no heap graph"]]:
                    attempt(tap, "heap graph %s, %d" % (name, n), check_expected, program, os.path.join(place, name), base, n)


def check_made(program, path, n, refs, damaged):
    found = Found(program, path, n, refs)
    want = slowgraph.tables(path, n, refs)
    return check(found, want) + ["status %d" % found.code] * (found.code != (3 if damaged(want) else 0))


def is_damaged(want):
    """A loss of the graph makes the status 3."""
    facts = dict(want["facts"])
    return any(facts[name] not in ("0", "") for name in ("gaps", "bad", "lost bytes", "lost packets")) or facts["complete"] == "0"


def check_odd(tap, program, folder):
    mkgraph.odd(folder)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        graphs = len(slowgraph.Trace(path).graphs)
        for n in range(1, graphs + 1):
            attempt(tap, "%s, %d" % (name, n), check_made, program, path, n, "soft", is_damaged)
    same = [Found(program, os.path.join(folder, name + ".pftrace")) for name in ("plain", "split", "padded", "compressed")]
    tap.ok("packets, padded lengths and compression make no difference",
           ["differs"] * any(list(f.objects()) != list(same[0].objects()) or list(f.references()) != list(same[0].references()) for f in same))


def check_cuts(program, scratch):
    """Cut anywhere: whole objects of the packet that is cut count as well."""
    path, bad = os.path.join(scratch, "cut.pftrace"), []
    w = mkgraph.tree(10, 3, limit=150, n=4)
    w.flush(False)
    data = mkgraph.process(10, "com.example") + b"".join(w.out)
    for n in range(40, len(data), 5):
        with open(path, "wb") as f:
            f.write(data[:n])
        if slowgraph.Trace(path).graphs:
            bad += ["%d bytes: %s" % (n, line) for line in check_made(program, path, 1, "soft", lambda want: True)]
    with open(path, "wb") as f:
        f.write(data)
    return bad + ["byte %d: status %d: %s" % (n, code, why) for n, (code, why) in enumerate(program.tell_cuts(path, os.path.join(scratch, "cut")))
                  if code not in ((0,) if n == len(data) else (3,) if n > 60 else (0, 3, 5))]


def check_growth(program, scratch):
    """Two graphs of a process in a file are a series; one of another process is none of it."""
    path = os.path.join(scratch, "growth.pftrace")
    with open(path, "wb") as f:
        f.write(mkgraph.grows())
    a = program.ask(path, "growth classes | select class counts", options=("--no-index",))
    rows = [line.split("\t") for line in a.out.split("\n")[1:-1]]
    return [] if [r[0] for r in rows if r[1] == "6,60"] == ["java.lang.String", "com.example.Item"] else [a.out, a.err]


def check_leaks(program, scratch):
    """References alone show that an Activity or a fragment has ended."""
    path = os.path.join(scratch, "leaks.pftrace")
    with open(path, "wb") as f:
        f.write(mkgraph.leaks())
    a = program.ask(path, "findings | where severity = leak | select kind class holder", options=("--no-index",))
    want = [["activity", "com.example.DetailActivity"], ["fragment", "com.example.OldFragment"], ["fragment", "com.example.PageFragment"]]
    return [] if sorted(line.split("\t")[:2] for line in a.out.split("\n")[1:-1]) == want else [a.out, a.err]


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    check_odd(tap, program, os.path.join(scratch, "odd"))
    attempt(tap, "traces that are cut", check_cuts, program, scratch)
    attempt(tap, "leaks of Android", check_leaks, program, scratch)
    attempt(tap, "growth between the graphs of a file", check_growth, program, scratch)
    for seed in range(1, RANDOM + 1):
        path = os.path.join(scratch, "random-%d.pftrace" % seed)
        with open(path, "wb") as f:
            f.write(mkgraph.random_trace(seed))
        for n in range(1, len(slowgraph.Trace(path).graphs) + 1):
            refs = ("soft", "strong", "all")[seed % 3]
            attempt(tap, "random %d, graph %d, --refs %s" % (seed, n, refs), check_made, program, path, n, refs, is_damaged)
    tap.end()


if __name__ == "__main__":
    main(sys.argv)
