#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""findings.py BUILD SCRATCH - what icecore finds in heap dumps of Java programs, as TAP.

The servers of tests/mk/heapsuspects.py, each with one trouble or none, and the small heaps of tests/mk/heaptroubles.py, where
each trouble is just there and just not: exactly that is found.  The tree of names, and equal strings, once
more by the slow model owners.py, in dumps of mkheap.py, some of them (sampled.py).  corpus.py calls check_corpus: the dumps of real programs,
where tests/corpus/heap_findings.tsv lists all that may be found.
"""
import collections
import functools
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heap as oracle  # noqa: E402
import heapsuspects  # noqa: E402
import heaptroubles  # noqa: E402
import made  # noqa: E402
import mkheap  # noqa: E402
import namecheck  # noqa: E402
import owners  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402
from heapread import Reader  # noqa: E402

LISTED = os.path.join(HERE, "..", "corpus", "heap_findings.tsv")
FIND = "findings | select severity, kind, object, class, count, retained, other, why"
LABELS = "objects | select id, label"
HEALTHY = tuple("com.example.%s.all holds " % word for word in heapsuspects.LAYERS)      # notes of every server
COPIES, COPIES_SHARE = 1 << 20, 20
CHANCES = 5                   # heaps by chance
LARGE = 16 << 20              # bytes of a dump; beyond: no model

# The expected findings: kind, label of the object, and a piece of the reason.
WANTED = {
    "suspects_healthy": (),
    "suspects_cache": (
        ("accumulation", "class com.example.Sessions", "com.example.Sessions.open holds 1.90 MiB (46%): 2 000 com.example.Session "
         "in a java.util.HashMap"),),
    "suspects_list": (
        ("linked structure", "class com.example.Audit", "com.example.Audit.first holds 1.01 MiB (31%): a linked structure of "
         "12 000 com.example.Entry"),),
    "suspects_group": (
        ("accumulation", "com.example.Connection", "400 com.example.Connection hold 797 KiB (26%) together: 400 com.example.Connection"),),
    "suspects_thread": (
        ("thread", "java.lang.Thread", 'thread "import-1" keeps 1.03 MiB (32%) in local variables of com.example.Import.read: '
         "700 com.example.Row"),),
    "suspects_thread_app": (
        ("accumulation", "com.example.Import", "com.example.Import.rows holds 1.03 MiB (32%): 700 com.example.Row in a java.util.ArrayList"),),
    "suspects_loader": (
        ("class loader", "com.example.WebLoader", "seems abandoned (of 6 of that class) but is still reachable, with 13.0 KiB (1%): kept alive "
         "by an instance of com.web.Driver in com.example.Drivers.known"),),
    "suspects_closed": (
        ("class loader", "com.example.WebLoader", "seems abandoned (of 5 of that class) but is still reachable"),),
    "suspects_local": (
        ("thread local", "java.lang.Thread", "values whose ThreadLocal was collected hold 293 KiB (8%): 1 com.example.Buffer; nothing can read them any more"),
        ("thread local", "java.lang.Thread", "ThreadLocal com.example.Buffers.current holds 879 KiB (25%) in 3 threads: "
         "3 com.example.Buffer; kept until remove() is called or the thread ends")),
    "suspects_sparse": (
        ("accumulation", "class com.example.Attributes", "com.example.Attributes.all holds 2.02 MiB (47%): 3 000 java.util.HashMap in"),
        ("empty collections", "java.util.HashMap", "3 000 java.util.HashMap are mostly empty")),
    "suspects_strings": (
        ("accumulation", "class com.example.States", ": 20 000 java.lang.String in a java.util.ArrayList"),
        ("equal strings", "java.lang.String", "different values: the copies waste 1.37 MiB (37%)")),
    "suspects_arrays": (
        ("accumulation", "class com.example.Grids", ": 500 int[] in a java.util.ArrayList"),
        ("equal arrays", "int[]", "500 arrays have the same content: the copies waste 1.91 MiB")),
    "suspects_chunks": (
        ("accumulation", "class com.example.Images", "com.example.Images.loaded holds 2.58 MiB (54%): 3 byte[]"),),
    "suspects_shards": (
        ("accumulation", "com.example.Shard", "the fields com.example.Shard.items of 4 objects in com.example.Shards.parts hold 1.93 MiB (46%) together: 1 000 byte[] in 4 java.util.ArrayList"),),
    "suspects_kinds": (
        ("accumulation", "class com.example.Mixed", "com.example.Mixed.all holds 1.46 MiB (40%): 750 objects of 3 classes, mostly 250 com.example.Item in"),),
    "suspects_zips": (),
    "suspects_locks": (
        ("accumulation", "com.example.RealmLoader", "com.example.RealmLoader.locks holds 501 KiB (18%): 4 000 java.lang.String"),),
    "suspects_twins": (
        ("thread local", "java.lang.Thread", "values whose ThreadLocal was collected hold 293 KiB (8%): 1 com.example.Buffer"),
        ("thread local", "java.lang.Thread", "ThreadLocal com.example.Buffers.current holds 879 KiB (25%) in 3 threads")),
    "heap": (
        ("accumulation", "class com.example.Cache", "com.example.Cache.sessions holds 128 KiB (85%): 60 com.example.Session in"),
        ("class loader", "java.lang.ClassLoader", "2 class loaders java.lang.ClassLoader seem abandoned (of 3 of that class) but are still reachable"),),
}


def ask(program, path, *queries):
    a = program.ask(path, *queries, options=("--no-index",))
    if a.code not in (0, 1, 3):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return [t.rows for t in a.tables()]


def found(program, path):
    """Rows of findings, with the label of the object."""
    return labelled(*ask(program, path, FIND, LABELS))


def labelled(rows, labels):
    label = {r["id"]: r["label"] for r in labels}
    for r in rows:
        r["label"] = label.get(r["object"], "")
    return rows


def compare(rows, wanted):
    bad, left = [], [r for r in rows if r["severity"] != "note" or not r["why"].startswith(HEALTHY)]
    for kind, label, why in wanted:
        hit = [r for r in left if (r["kind"], r["label"]) == (kind, label) and why in r["why"]]
        if hit:
            left.remove(hit[0])
        else:
            bad.append("not found: %s %s: %s" % (kind, label, why))
    return bad + ["found: %s %s: %s" % (r["kind"], r["label"], r["why"]) for r in left]


# ---- the same once more, slowly ----------------------------------------------------------


TOLD = ("accumulation", "pool queue", "linked structure", "thread local", "thread", "large object", "direct memory", "netty pool",
        "bounded cache", "bad hash", "many threads", "thread pools", "virtual threads", "finalizer queue")
ALL = "findings | select severity, kind, retained, count, object, other, class, signature, why"
TABLES = "collections | select object, size, collisions"

ALSO = "; also held by "    # who that is the planted ones say
REQUEST = "; each works on a"     # what the threads run
WAITS = "info | where field = finalizable_bytes"


def model(h, tables, rows):
    """Findings of the kinds above, the first the first."""
    at = dict(enumerate(h.addresses, 1))
    sizes = {at[int(r["object"])]: int(r["size"]) for r in tables}
    slow = owners.Owners(h, sizes)
    abandoned = [(r["class"], int(r["retained"])) for r in rows if r["kind"] == "class loader" and r["severity"] != "note"]
    loaders = [(cls, sum(n for c, n in abandoned if c == cls)) for cls in sorted({c for c, _ in abandoned})]
    leaks = {r["class"] for r in rows if r["severity"] == "leak" and r["kind"] not in TOLD}
    return slow, slow.findings([(at[int(r["object"])], int(r["size"]), float(r["collisions"])) for r in tables if r["collisions"]], leaks, loaders)


def same(f, r, h):
    """Return the differences between a finding and its row."""
    want = {"severity": f.severity, "retained": str(f.retained), "count": str(f.count)}
    got = {k: r[k] for k in want}
    if f.other:
        want["related"], got["related"] = str(h.number[f.other]), r["related"]
    # The text after it says what threads do, the text before it whose stack it is.
    want["why"], got["why"] = f.why, re.sub(ALSO + "[^;]*", "", r["why"])
    if f.kind in ("pool queue", "finalizer queue", "large object", "many threads", "thread pools", "virtual threads") and r["why"].startswith(f.why):
        got["why"] = f.why
    if (f.kind == "thread" and got["why"].split(REQUEST)[0].endswith(f.why)) or (f.kind == "pool queue" and f.why.startswith(" holds") and f.why in r["why"]):
        got["why"] = f.why
    return ["%s: %s is %s, should be %s" % (f.signature, k, got[k], want[k]) for k in want if want[k] != got[k]]


def compare_model(h, rows, tables):
    slow, want = model(h, tables, rows)
    waste = [int(r["retained"]) for r in rows if r["kind"] == "equal strings"]
    if waste != strings(slow):
        return ["equal strings: %s, should be %s" % (waste, strings(slow))]
    for r in rows:
        if r["kind"] in ("equal strings", "equal arrays") and int(r["object"]) != typical(slow, h.addresses[int(r["object"]) - 1]):
            return ["%s: @%s is not the first that is held as most are" % (r["kind"], r["object"])]
    rows = [r for r in rows if r["kind"] in TOLD]
    found = collections.defaultdict(list)
    for r in rows:
        found[r["kind"], r["signature"]].append(r)
    bad = []
    for f in want:
        here = found[f.kind, f.signature]
        bad += same(f, here.pop(0), h) if here else ["not found: %s %s %s" % (f.severity, f.kind, f.signature)]
    bad += ["found: %(severity)s %(kind)s %(signature)s" % r for left in found.values() for r in left]
    weight = {(f.kind, f.signature): (owners.RANK[f.severity], -f.weight) for f in want}
    order = [weight.get((r["kind"], r["signature"]), (9, 0)) for r in rows]
    return bad + ([] if bad or order == sorted(order) else ["not the heaviest first: %s" % order])


def typical(slow, one):
    """The number of the first of those that equal it, held as most of them are."""
    h, of = slow.h, slow.names.of

    def content(a):
        o = h.r.objects[a]
        return h.class_of(a), h.text(a) if o.kind == "i" else h.r.b[o.data:o.data + o.bytes]
    here = [a for a in slow.names.parent if a in h.r.objects and h.r.objects[a].kind == h.r.objects[one].kind and content(a) == content(one)]
    times = collections.Counter(id(of[a]) for a in here)
    return min((-times[id(of[a])], h.number[a]) for a in here)[1]


def strings(slow):
    """Bytes that equal strings waste, if that is much."""
    h, groups = slow.h, collections.defaultdict(list)
    for a in slow.names.parent:
        text = h.text(a) if h.class_of(a) == "java.lang.String" else None
        if text is not None:
            groups[text].append(a)
    total = 0
    for members in groups.values():
        arrays = {v for _, v in (h.value(a, b"value") for a in members) if v in h.r.objects}
        sizes = sorted(h.shallow[v] for v in arrays)
        total += sum(h.shallow[a] for a in members[1:]) + sum(sizes[:-1])
    return [total] if total >= max(COPIES, slow.live // COPIES_SHARE) else []


def slowly(program, path):
    return compare_slowly(path, *ask(program, path, ALL, TABLES, WAITS))


def compare_slowly(path, rows, tables, told):
    with open(path, "rb") as f:
        h = oracle.Heap(Reader(f.read()))
    waits = sum(h.shallow[x] for x, level in h.levels().items() if level == oracle.LEVELS.index("finalizer"))
    if int(told[0]["value"]) != waits:
        return ["finalizable_bytes is %s, should be %d" % (told[0]["value"], waits)]
    return compare_model(h, rows, tables)


def trouble(program, path, wanted, slow):
    """Severity, kind, and a piece of the reason, which ends with a full stop, of all; then the model, if it is its turn."""
    rows, *more = ask(program, path, ALL, TABLES, WAITS)
    told = [(r["severity"], r["kind"], r["why"]) for r in rows]
    if len(told) != len(wanted) or any(t[:2] != w[:2] or w[2] not in t[2] + "." or (ALSO in t[2]) != (ALSO in w[2])
                                       for t, w in zip(told, wanted)):
        return ["found: %s, should be %s" % (told, wanted)]
    return compare_slowly(path, rows, *more) if slow else []


# The end of the leak trace of that finding: the object of the last reference to blame, and why it is leaking.
TRACES = {
    "suspects_closed": ("class loader", "com.example.WebLoader", "it was closed"),
    "local_gone": ("thread local", "java.lang.ThreadLocal$ThreadLocalMap$Entry", "its ThreadLocal was collected"),
    "local_static": ("thread local", "java.lang.ThreadLocal$ThreadLocalMap", ""),
    "loader_twins": ("class loader", "", ""),
}


def trace(program, path, kind, cls, why):
    rows, = ask(program, path, "findings '%s' | head 1 | leaktrace | where line = hop | select class, status, why, suspect" % kind)
    suspects = [r for r in rows if r["suspect"] == "true"]
    told = (suspects[-1]["class"], suspects[-1]["why"] if suspects[-1]["status"] == "leaking" else "") if suspects else ("", "")
    return [] if told == (cls, why) else ["%s, should be %s" % (told, (cls, why))]


def check_made(tap, program, scratch):
    def trouble_of(name):
        path = os.path.join(scratch, "trouble.hprof")
        mkheap.write(path, heaptroubles.make(name))
        return path
    for name, (kind, cls, why) in TRACES.items():
        path = trouble_of(name) if name in heaptroubles.TROUBLES else made.dump(name)
        attempt(tap, name + ": leak trace", trace, program, path, kind, cls, why)
    suspects, troubles, dumps = list(heapsuspects.SUSPECTS) + ["heap"], list(heaptroubles.TROUBLES), made.dumps()
    slow = set(sampled.turns(suspects) + sampled.turns(troubles) + sampled.turns(list(dumps)))
    sampled.tell()
    for name in suspects:
        path = made.dump(name)
        asked = functools.lru_cache()(lambda: ask(program, path, LABELS, ALL, TABLES, WAITS))
        attempt(tap, name + ": the planted findings", lambda: compare(labelled(*asked()[1::-1]), WANTED[name]))
        if name in slow:
            attempt(tap, name + ": findings, computed slowly", lambda: compare_slowly(path, *asked()[1:]))
    for name in troubles:
        attempt(tap, name + ": found just as it is", trouble, program, trouble_of(name), heaptroubles.TROUBLES[name][2], name in slow)
    for seed in sampled.seeds(CHANCES):
        path = os.path.join(scratch, "chance.hprof")
        mkheap.write(path, heaptroubles.by_chance(seed))
        attempt(tap, "by chance %d: findings, computed slowly" % seed, slowly, program, path)
    for name, path in dumps.items():
        if name in slow and namecheck.readable(path):
            attempt(tap, name + ": findings, computed slowly", slowly, program, path)


# ---- real programs ------------------------------------------------------------------------


def listed():
    """(kind, label) of all that may be found, by dump."""
    out = collections.defaultdict(list)
    with open(LISTED, encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f if not line.startswith("#")]
    for line in lines[1:]:
        dump, kind, label, _, _ = line.split("\t")
        out[dump].append((kind, label, ""))
    return out


def check_corpus(tap, program, dumps):
    """dumps: (name, path) of the sound ones."""
    want, seen = listed(), set()
    for name, path in dumps:
        attempt(tap, "heap/%s: findings" % name, lambda: compare(found(program, path), want[name]))
        if os.path.getsize(path) < LARGE and answers.compared_slowly(path):
            attempt(tap, "heap/%s: findings, computed slowly" % name, slowly, program, path)
        seen.add(name)
    if "CORPUS_PART" not in os.environ:
        tap.ok("heap: every dump of heap_findings.tsv is there",
               [n for n in want if n not in seen] if seen else [])


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    check_made(tap, answers.Program(os.path.join(build, "icecore")), scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
