#!/usr/bin/env python3
"""findings.py BUILD SCRATCH - what icecore finds in heap dumps of Java programs, as TAP.

The servers of tests/mk/heapsuspects.py, each with one trouble or none: exactly that is found.  Suspects, large
threads and equal strings once more by the slow reader heap.py.  corpus.py calls check_corpus: the dumps of real
programs, where tests/corpus/heap_findings.tsv lists all that may be found.
"""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heap as oracle  # noqa: E402
import heapsuspects  # noqa: E402
import mkheap  # noqa: E402
from check import Tap, attempt  # noqa: E402

LISTED = os.path.join(HERE, "..", "corpus", "heap_findings.tsv")
FIND = "findings | select kind, object, class, count, retained, other, why"
LABELS = "objects | select id, label"
SHARE, FLOOR, PLATFORM_FLOOR, MIXED_FLOOR, MANY_THREADS = 10, 64 << 10, 1 << 20, 16 << 20, 100
COPIES_SHARE = 20
PLATFORM = ("java.", "javax.", "jdk.", "sun.", "com.sun.", "android.", "com.android.", "dalvik.", "libcore.")
PRIMITIVE = tuple(t + "[" for t in oracle.TYPE.values())

# What is to be found: kind, label of the object, and a piece of the reason.
WANTED = {
    "suspects_healthy": (),
    "suspects_cache": (
        ("leak suspect", "class com.example.Sessions", "class com.example.Sessions.open holds 1.90 MiB (46%), "
         "accumulated in java.util.HashMap @30915: 2 000 com.example.Session"),),
    "suspects_list": (
        ("leak suspect", "class com.example.Audit", "class com.example.Audit.first holds 1.01 MiB (31%), "
         "accumulated in com.example.Entry @52913: 12 000 com.example.Entry"),),
    "suspects_group": (
        ("suspect class", "com.example.Connection", "400 com.example.Connection hold 797 KiB (26%) together"),),
    "suspects_thread": (
        ("thread", "java.lang.Thread", 'thread "import-1" holds 1.03 MiB (32%), most by the local java.util.ArrayList @18316 with '
         '1.03 MiB in com.example.Import.read(Import.java:41): 700 com.example.Row'),),
    "suspects_thread_app": (
        ("thread", "java.lang.Thread", "with 1.03 MiB in com.example.Import.read(Import.java:41), accumulated in "
         "java.util.ArrayList @18315: 700 com.example.Row"),),
    "suspects_loader": (
        ("class loader", "com.example.WebLoader", "seems to be given up (of 6 of that class) and cannot go, with 13.0 KiB (1%): it loaded class com.web.Driver, which java.lang.Object[]"),),
    "suspects_closed": (
        ("class loader", "com.example.WebLoader", "seems to be given up (of 5 of that class) and cannot go"),),
    "suspects_local": (
        ("thread local", "com.example.Buffer", "4 com.example.Buffer in ThreadLocals of pooled threads hold 1.14 MiB (34%), "
         "1 of a ThreadLocal that is gone"),),
    "suspects_sparse": (
        ("leak suspect", "class com.example.Attributes", ": 3 000 java.util.HashMap"),
        ("collection", "java.util.HashMap", "3 000 java.util.HashMap are mostly empty")),
    "suspects_strings": (
        ("leak suspect", "class com.example.States", ": 20 000 java.lang.String"),
        ("equal strings", "java.lang.String", "different texts: the copies waste 1.37 MiB (37%)")),
    "suspects_arrays": (
        ("leak suspect", "class com.example.Grids", ": 500 int[]"),
        ("equal arrays", "int[]", "500 arrays have the same content: the copies waste 1.91 MiB")),
    "suspects_chunks": (
        ("leak suspect", "class com.example.Images", "class com.example.Images.loaded holds 2.57 MiB (54%), accumulated in "
         "java.util.ArrayList @16918: 3 byte[]"),),
    "suspects_shards": (
        ("leak suspect", "class com.example.Shards", "class com.example.Shards.parts holds 1.93 MiB (46%), accumulated in "
         "com.example.Shard[] @17926: 4 com.example.Shard"),),
    "suspects_kinds": (
        ("collection", "java.util.ArrayList", "of 750 elements holds 1.46 MiB (40%)"),),
    "suspects_zips": (),
    "suspects_locks": (),
    "suspects_twins": (
        ("thread local", "com.example.Buffer", "4 com.example.Buffer in ThreadLocals of pooled threads hold 1.14 MiB"),),
    "heap": (
        ("leak suspect", "class com.example.Cache", ".sessions holds 128 KiB (85%), accumulated in java.util.HashMap"),
        ("class loader", "java.lang.ClassLoader", "2 class loaders java.lang.ClassLoader seem to be given up (of 3 of that class) and cannot go")),
}


def ask(program, path, *queries, dump=1):
    a = program.ask(path, *queries, options=("--no-index", "--dump", str(dump)))
    if a.code not in (0, 1, 3):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return [t.rows for t in a.tables()]


def found(program, path, dump=1):
    """Rows of findings, with the label of the object."""
    rows, labels = ask(program, path, FIND, LABELS, dump=dump)
    label = {r["id"]: r["label"] for r in labels}
    for r in rows:
        r["label"] = label.get(r["object"], "")
    return rows


def compare(rows, wanted):
    bad, left = [], list(rows)
    for kind, label, why in wanted:
        hit = [r for r in left if (r["kind"], r["label"]) == (kind, label) and why in r["why"]]
        if hit:
            left.remove(hit[0])
        else:
            bad.append("not found: %s %s: %s" % (kind, label, why))
    return bad + ["found: %s %s: %s" % (r["kind"], r["label"], r["why"]) for r in left]


# ---- the same once more, slowly ----------------------------------------------------------


class Slow:
    """Dominators as a tree of children, and what the rules of the findings say about it."""

    def __init__(self, h):
        self.h = h
        self.parent, self.retained = h.solve()
        self.children = collections.defaultdict(list)
        for a, p in self.parent.items():
            self.children[p].append(a)
        self.live = sum(h.shallow[a] for a in self.retained)
        self.least = max(self.live // SHARE, FLOOR)
        foreign = {c for c in h.r.classes if self.foreign(h.name(c))}
        loaded = any(h.r.classes[c].loader for c in foreign)
        self.apps = {c for c in foreign if h.r.classes[c].loader or not loaded}

    @staticmethod
    def foreign(name):
        return not name.startswith(PLATFORM) and not name.startswith(PRIMITIVE)

    def class_of(self, a):
        o = self.h.r.objects[a]
        return self.h.jlc if o.kind == "c" else self.h.by_name.get(oracle.TYPE[o.cls] + "[]") if o.kind == "p" else o.cls

    def app(self, a):
        return (a if self.h.r.objects[a].kind == "c" else self.class_of(a)) in self.apps

    def up(self, a):
        while a != oracle.SUPER_ROOT:
            yield a
            a = self.parent[a]

    def extends(self, a, name):
        return any(self.h.name(c) == name for c in self.h.chain(self.class_of(a)))

    def big(self, a):
        return [c for c in self.children[a] if self.retained[c] >= self.least]

    def first(self, a):
        """Of a list or tree of one class."""
        if self.h.r.objects[a].kind != "i":
            return a
        chain = list(self.up(a))
        best = k = 0
        while k + 1 < len(chain):
            step = next((s for s in (1, 2) if k + s < len(chain) and self.h.r.objects[chain[k + s]].kind != "c" and
                         self.class_of(chain[k + s]) == self.class_of(a)), 0)
            if not step:
                break
            k += step
            best = k
        return chain[best]

    def points(self):
        out = {self.first(a) for a in self.retained if self.retained[a] >= self.least and
               self.retained[a] - sum(self.retained[c] for c in self.big(a)) >= self.least}
        own = {a: self.retained[a] for a in out}
        for a in out:
            above = next((b for b in list(self.up(a))[1:] if b in out), None)
            if above:
                own[above] -= self.retained[a]
        return own

    def contents(self, point, points):
        """By class: [number, bytes, number of direct ones] of the elements, and of the parts."""
        through = {self.class_of(p) for p in points} - {self.h.jlc}
        elements, parts = (collections.defaultdict(lambda: [0, 0, 0]) for _ in range(2))
        stack = [point]
        while stack:
            a = stack.pop()
            for c in self.children[a]:
                k = self.class_of(c)
                part = k in through or (k not in self.apps and self.h.r.objects[c].kind != "c")
                if c in points:
                    continue
                if part:
                    stack.append(c)
                    text = self.h.r.objects[a].kind == "i" and self.h.name(self.class_of(a)) == "java.lang.String"
                    to = parts[self.class_of(a) if text else k]
                    to[1] += self.h.shallow[c]
                    to[0] += not text
                    to[2] += a == point and not text
                elif self.retained[c] < self.least:
                    to = elements[k]
                    to[0], to[1] = to[0] + 1, to[1] + self.retained[c]
        return elements, parts

    def pile(self, point, own, points):
        """None: no suspect; else (class, number) of the elements, or ("", 0)."""
        elements, parts = self.contents(point, points)
        best = max((k for k in elements if k != self.h.jlc), key=lambda k: elements[k][1], default=None)
        if elements[self.h.jlc][1] >= own // 2:
            return None
        if best and elements[best][1] >= own // 2:
            return self.h.name(best), elements[best][0]
        if self.h.shallow[point] >= own // 2:
            return "", 0
        if sum(p[1] for p in parts.values()) < own // 2:
            return ("", 0) if own >= max(MIXED_FLOOR, self.live // 2) else None
        return self.part(point, parts)

    def part(self, point, parts):
        best, mine = max(parts, key=lambda k: parts[k][1]), self.class_of(point)
        kind = self.h.r.objects[point].kind
        if kind == "i" and parts[mine][0] >= parts[best][0] // 2 and (mine in self.apps or not self.node(mine)):
            return self.h.name(mine), parts[mine][0] + 1
        near = max(parts, key=lambda k: parts[k][2])
        if kind in "op" and 0 < parts[near][2] >= parts[best][0] // 2 and not self.node(near):
            best = near
        return self.h.name(best), parts[best][0]

    def node(self, k):
        return self.h.name(k).rstrip("[]").endswith(("Node", "Entry"))

    def owner(self, point, element):
        """The object to name; None: there is none, or a thread tells."""
        for a in self.up(point):
            o = self.h.r.objects[a]
            mine = a == point and element == self.h.name(self.class_of(a))
            if self.extends(a, "java.lang.Thread"):
                return None
            if self.app(a) and o.kind in "ic" and not mine:
                return a
        if self.app(point):
            return point
        if self.retained[point] < PLATFORM_FLOOR:
            return None
        chain = list(self.up(point))
        return next((a for a in chain if self.h.r.objects[a].kind == "c"), chain[-1])

    def lifted(self, entries):
        """Owners of one class that one object has are elements of what owns that."""
        near = collections.defaultdict(set)
        for owner, _, _, _ in entries:
            if self.parent[owner] != oracle.SUPER_ROOT:
                near[self.parent[owner], self.class_of(owner)].add(owner)
        for owner, point, pile, bytes_ in entries:
            up = self.parent[owner]
            over = up != oracle.SUPER_ROOT and len(near[up, self.class_of(owner)]) > 1 and self.owner(up, "")
            if over and self.app(over):
                yield over, owner, ("", 0), self.retained[owner]
            else:
                yield owner, point, pile, bytes_

    def suspects(self):
        own, owners, entries = self.points(), collections.defaultdict(list), []
        for point, bytes_ in own.items():
            pile = self.pile(point, bytes_, own)
            owner = pile and self.owner(point, pile[0])
            if owner and not (self.app(owner) and self.extends(owner, "java.lang.ClassLoader") and
                              pile[0] not in {self.h.name(k) for k in self.apps}):
                entries.append((owner, point, pile, bytes_))
        for owner, point, pile, bytes_ in self.lifted(entries):
            owners[owner, self.class_of(point)].append((pile, bytes_))
        for (owner, k), piles in owners.items():
            several = sum(n if name == self.h.name(k) else 1 for (name, n), _ in piles)
            bytes_ = sum(b for _, b in piles)
            if len(piles) == 1 and bytes_ >= self.retained[owner] // 10 * 7:
                bytes_ = self.retained[owner]
            if not any(self.extends(a, "java.lang.Thread") and (bytes_ >= self.retained[a] // 10 * 7 or owner == max(
                    self.children[a], key=self.retained.get)) for a in self.up(owner)):
                yield "leak suspect", owner, piles[0][0][1] if len(piles) == 1 else several
        groups = collections.defaultdict(list)
        for a in self.children[oracle.SUPER_ROOT]:
            if self.retained[a] < self.least and self.h.r.objects[a].kind != "c":
                groups[self.class_of(a)].append(a)
        for k, members in groups.items():
            thread = any(self.h.name(c) == "java.lang.Thread" for c in self.h.chain(k))
            need = max(self.least, 0 if k in self.apps else PLATFORM_FLOOR if thread else MIXED_FLOOR)
            few = thread and len(members) < MANY_THREADS
            if len(members) > 1 and sum(self.retained[a] for a in members) >= need and not few:
                yield "suspect class", min(members, key=lambda a: (-self.retained[a], a)), len(members)

    def threads(self):
        for a in self.retained:
            if self.extends(a, "java.lang.Thread") and self.retained[a] >= self.least:
                yield "thread", a, 0

    def strings(self):
        """Bytes that equal strings waste."""
        groups = collections.defaultdict(list)
        for a in self.retained:
            if self.h.class_of(a) == "java.lang.String" and self.h.text(a) is not None:
                groups[self.h.text(a)].append(a)
        total = 0
        for members in groups.values():
            arrays = {v for a in members for n, v, _ in self.h.slots(a) if n == "value" and v in self.h.r.objects}
            sizes = sorted(self.h.shallow[v] for v in arrays)
            total += sum(self.h.shallow[a] for a in members[1:]) + sum(sizes[:-1])
        return total


def slowly(program, path):
    h = oracle.load(path)
    slow = Slow(h)
    want = collections.Counter((k, h.number[a], n) for k, a, n in list(slow.suspects()) + list(slow.threads()))
    rows = found(program, path)
    # How many elements there are stands in the words only.
    got = collections.Counter()
    for r in rows:
        if r["kind"] in ("leak suspect", "suspect class", "thread"):
            said = r["why"].rpartition(": ")[2].split(" ")
            n = int("".join(w for w in said if w.isdigit()) or "0") if r["kind"] == "leak suspect" else \
                int(r["count"]) if r["kind"] == "suspect class" else 0
            got[r["kind"], int(r["object"]), n] += 1
    bad = ["%s: %s, should be %s" % (k, got[k], want[k]) for k in sorted(set(got) | set(want)) if got[k] != want[k]]
    waste = slow.strings()
    need = waste >= max(PLATFORM_FLOOR, slow.live // COPIES_SHARE)
    told = [int(r["retained"]) for r in rows if r["kind"] == "equal strings"]
    if told != ([waste] if need else []):
        bad.append("equal strings: %s, should be %d" % (told, waste))
    return bad


def check_made(tap, program, scratch):
    path = os.path.join(scratch, "suspects.hprof")
    for name in list(heapsuspects.SUSPECTS) + ["heap"]:
        mkheap.write(path, mkheap.make(name))
        attempt(tap, name + ": what is there is found", lambda: compare(found(program, path), WANTED[name]))
        attempt(tap, name + ": suspects, threads and strings once more", slowly, program, path)
    os.unlink(path)


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
        seen.add(name)
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
