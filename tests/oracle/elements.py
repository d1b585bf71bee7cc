# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""elements.py - the contents of the collections of a heap dump, as in `entries`, slowly."""
import copies

NODE_NAMES = {"key": ("key", "referent"), "value": ("value", "val", "item", "element", "data"), "next": ("next",),
              "after": ("after", "nxt", "chainForward"), "left": ("left",), "right": ("right",), "first": ("first",),
              "moved": ("nextTable",)}
MAPS = "HashMap Hashtable WeakHashMap LinkedHashMap Properties ConcurrentHashMap".split()
DEEP = 128


class Walk:
    """The elements of one collection: (key, value), each an address, a number, or None."""

    def __init__(self, h, r, a, c):
        self.h, self.r, self.a, self.c, self.out, self.met = h, r, a, c, [], set()
        self.v = self.fields(a, c)

    def fields(self, a, declared=None):
        """name -> (type, value), of the class called declared and above it."""
        h, o, out = self.h, self.h.r.objects.get(a), {}
        inside = declared is None
        if o is None or o.kind != "i":
            return {}
        for k, n, t, at in h.fields(o.cls):
            inside = inside or h.name(k) == declared
            w = h.r.width(t)
            if inside and at + w <= o.bytes:
                out.setdefault(n.decode("latin-1"), (t, int.from_bytes(
                    h.r.b[o.data + at:o.data + at + w], "big", signed=t != 2)))
        return out

    def ref(self, v, *names):
        """0: null, missing, or there is no such field."""
        for n in names:
            if n in v:
                return v[n][1] if v[n][0] == 2 and v[n][1] in self.h.r.objects else 0
        return 0

    def array(self, a):
        """(values, are they references)"""
        o = self.h.r.objects.get(a)
        if o is None or o.kind not in "op":
            return [], True
        if o.kind == "o":
            ids = self.r.elements(a)
            return [x if x in self.h.r.objects else 0 for x in ids], True
        w = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}[o.cls]
        return [int.from_bytes(self.h.r.b[o.data + k * w:o.data + k * w + w], "big") for k in range(o.bytes // w)], False

    def node(self, a):
        """Its links; None: it was met before, or is not an instance."""
        if a in self.met:
            return None
        self.met.add(a)
        v = self.fields(a)
        o = self.h.r.objects.get(a)
        if o is None or o.kind != "i":
            return None
        return {k: self.ref(v, *names) for k, names in NODE_NAMES.items()}

    def pair(self, n, keyed=True):
        self.out.append((n["key"] if keyed else None, n["value"]))

    def chain(self, at, link, stop=None, keyed=False, nulls=True):
        while at and at != stop:
            n = self.node(at)
            if n is None:
                break
            if nulls or n["value"]:
                self.pair(n, keyed)
            at = n[link] if n[link] != at else 0

    def circle(self, first, link, keyed):
        n = self.node(first)
        if n:
            self.chain(n[link], link, first, keyed)

    def table(self, a, places=False):
        later = []
        for head in self.array(a)[0]:
            at = head
            while at:
                n = self.node(at)
                if n is None:
                    break
                if n["moved"]:
                    later.append(n["moved"])
                    break
                if n["first"]:
                    at = n["first"]
                    continue
                if not places or n["key"] or n["value"]:
                    self.pair(n)
                at = n["next"]
        for t in later[-1:]:
            if t not in self.met:
                self.met.add(t)
                self.table(t, places)

    def tree(self, root):
        stack = []

        def down(at):
            while at and len(stack) < DEEP:
                n = self.node(at)
                if n is None:
                    return
                stack.append(n)
                at = n["left"]

        down(root)
        while stack:
            n = stack.pop()
            self.pair(n)
            down(n["right"])

    def maps(self, size):
        v, ref = self.v, lambda *n: self.ref(self.v, *n)
        if "segments" in v:
            for s in self.array(ref("segments"))[0]:
                self.table(self.ref(self.fields(s), "table"))
        elif "baseCount" in v:
            self.table(ref("table"), True)
        elif "LinkedHashMap" in self.c and ref("head"):
            self.chain(ref("head"), "after", keyed=True)
        elif "LinkedHashMap" in self.c and ref("header"):
            self.circle(ref("header"), "after", True)
        else:
            if "table" in v and ref("entryForNullKey"):
                self.chain(ref("entryForNullKey"), "next", keyed=True)
            self.table(ref("table", "elementData"))

    def lists(self, size):
        v, ref = self.v, lambda *n: self.ref(self.v, *n)
        name = self.c.split(".")[-1].split("$")[-1]
        if name in ("List12", "List2", "Set12", "Set2", "List1", "Set1"):
            self.out += [(None, ref(n)) for n in ("e0", "e1")[:size]]
        elif name == "SetN":
            self.out += [(None, x) for x in self.array(ref("elements"))[0] if x]
        elif name in ("ListN", "CopyOnWriteArrayList", "Arrays$ArrayList") or self.c == "java.util.Arrays$ArrayList":
            self.out += [(None, x) for x in self.array(ref("elements", "array", "a"))[0]]
        elif name in ("ArrayDeque", "CircularArray", "ArrayBlockingQueue"):
            all, head = self.array(ref("elements", "mElements", "items"))[0], 0
            for n in ("head", "mHead", "takeIndex"):
                head = v[n][1] if n in v else head
            if head == 0 or head < len(all):
                self.out += [(None, x) for x in (all[head:] + all[:head])[:size] if x]
        elif name in ("ConcurrentLinkedQueue", "ConcurrentLinkedDeque", "LinkedBlockingQueue"):
            self.chain(ref("head"), "next", nulls=False)
        elif name in ("LinkedList", "LinkedBlockingDeque"):
            first = ref("header", "voidLink")
            if first:
                self.circle(first, "next", False)
            else:
                self.chain(ref("first"), "next")
        elif name == "ArraySet":
            self.out += [(None, x) for x in self.array(ref("mArray", "array"))[0][:size]]
        else:
            self.out += [(None, x) for x in self.array(ref("elementData", "array", "queue", "elements", "vals"))[0][:size]]

    def others(self, size):
        """Maps in arrays."""
        v, ref = self.v, lambda *n: self.ref(self.v, *n)
        name = self.c.split(".")[-1].split("$")[-1]
        if name == "Map1":
            self.out.append((ref("k0"), ref("v0")))
        elif name in ("MapN", "IdentityHashMap"):
            all = self.array(ref("table", "elementData"))[0]
            self.out += [(k, x) for k, x in zip(all[0::2], all[1::2]) if k]
        elif "mHashes" in v or "hashes" in v:
            all = self.array(ref("mArray", "array"))[0][:2 * size]
            self.out += list(zip(all[0::2], all[1::2]))
        elif name == "EnumMap":
            self.out += [(k, x) for k, x in zip(self.array(ref("keyUniverse"))[0], self.array(ref("vals"))[0]) if x]
        else:
            n = v["mSize" if "mSize" in v else "size"][1]
            gone = any(v.get(g, (0, 0))[1] for g in ("mGarbage", "garbage"))
            (keys, _), (vals, refs) = self.array(ref("mKeys", "keys")), self.array(ref("mValues", "values"))
            for k, x in list(zip(keys, vals))[:n]:
                o = self.h.r.objects.get(x) if refs and x else None
                if not (gone and o is not None and not self.h.r.classes[o.cls].sup if o and o.kind == "i" else False):
                    self.out.append((k, x))

    def all(self, size):
        name = self.c.split(".")[-1].split("$")[-1]
        if name == "TreeMap":
            self.tree(self.ref(self.v, "root"))
        elif name in MAPS:
            self.maps(size)
        elif name in ("Map1", "MapN", "IdentityHashMap", "ArrayMap", "SimpleArrayMap") or "Sparse" in name or (
                name == "EnumMap" and "keyUniverse" in self.v):
            self.others(size)
        else:
            self.lists(size)
        return self.out


def known(h, a):
    """The class by which it is a collection."""
    for k in h.chain(h.r.objects[a].cls):
        n = h.name(k)
        if n in copies.FORMS or n in copies.OTHERS or n.endswith((".ConcurrentHashMap", ".LinkedHashMap")):
            return n
    return None


def entries(h):
    """number of a collection -> [(key, value)], keys None if they have none."""
    r, out = copies.Reading(h), {}
    for a in list(h.r.objects):
        if h.r.objects[a].kind != "i" or copies.collection(r, a) is None:
            continue
        that, keys = a, False
        for _ in range(4):
            kind = copies.inner(r, that)
            if kind is None:
                break
            keys = keys or kind[0].split(".")[-1] in (
                "HashSet", "TreeSet", "Collections$SetFromMap", "ConcurrentHashMap$KeySetView")
            that = kind[1]
        one = copies.plain(r, that)
        got = Walk(h, r, that, known(h, that)).all(one.size)
        out[copies.number(h, a)] = [(None, k) if keys else (k, v) for k, v in got]
    return out
