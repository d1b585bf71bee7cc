# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""cuts.py - objects that have the same things in several collections, over heapnames.py; used by owners.py and slowgrowth.py.

No collection of such an object holds its things alone, so each has but a part of the bytes: what holds them is the object.
"""
from heapnames import Kind

JDK, LIBRARY, PROGRAM = 1, 2, 4
LEAST_NODES, LEAST_TOPS, MOST_TOPS, PART, MANY = 4, 2, 64, 64, 20
ALIKE, SHARED = 5, 4          # counts of tops differ by no more; part of their bytes that is shared
REFERRERS, STEPS, KNOWN_WELL = 64, 16, 64


def weigh(n):
    return n.total + n.native_total


def kind_of(n):
    return n.key[0] if isinstance(n.key, tuple) else n.key


def label(n):
    return n.key[1] if isinstance(n.key, tuple) and len(n.key) == 4 else b""


def holder(n):
    return n.key[2] if isinstance(n.key, tuple) and len(n.key) == 4 else b""


def children(n):
    """The heaviest first."""
    return sorted(n.kids.values(), key=lambda k: (-weigh(k), label(k), holder(k), k.cls))


def many_elements(n):
    return n.role in ("collection", "array")


def below(n, m):
    """Return whether n is m or below it."""
    while n is not None and n is not m:
        n = n.up
    return n is m


class Cut:
    """things: what is reported; fields: the nodes of the fields of its collections."""

    def __init__(self, things, fields):
        self.things, self.fields = things, fields


class Cuts:
    def __init__(self, names):
        self.names, self.texts = names, {}

    def whose(self, text):
        if text not in self.texts:
            self.texts[text] = Kind(text.decode("utf-8", "surrogateescape"), self.names.own).whose if text else 0
        return self.texts[text]

    @staticmethod
    def divided(m):
        """Return whether a node is an object of which no child has nearly all."""
        todo, n = [m], 0
        while todo and n < LEAST_NODES:
            n += 1
            todo += todo.pop().kids.values()
        if m.count != 1 or m.role != "plain" or n < LEAST_NODES:
            return False
        first = children(m)[0]
        return weigh(first) <= weigh(m) - weigh(m) // (4 if many_elements(first) else 10)

    @staticmethod
    def tops(m):
        """The uppermost nodes below m that are many."""
        out, todo = [], children(m)[::-1]
        while todo and len(out) < MOST_TOPS:
            n = todo.pop()
            if weigh(n) < weigh(m) // PART:
                continue
            if n.count - n.folded >= MANY and 2 * n.folded < n.count:
                out.append(n)
            else:
                todo += children(n)[::-1]
        return out

    def shared(self, n):
        """Its objects have more than one holder."""
        if kind_of(n) == "element":
            return self.names.of.get(self.names.parent.get(n.object)) is not n.up
        return kind_of(n) == "shared"

    @staticmethod
    def field(n, m):
        """The field of the collection, from n up to below m, that has the things."""
        inside = False
        while n is not None and n is not m:
            inside = inside or many_elements(n)
            if inside and kind_of(n) == "field":
                return n if n.count == 1 else None
            n = n.up
        return None

    def ways(self, a, m, program):
        """The number of fields of collections below m that refer to an object; one of a program also through other objects."""
        found, todo = [], [a]
        for x in todo:
            for r in self.names.holders(x)[:REFERRERS]:
                at = self.names.of.get(r)
                if at is None or not below(at, m) or not (program or many_elements(at)):
                    continue
                field = self.field(at, m)
                if field is None:
                    todo += [r] if program and r not in todo and len(todo) < STEPS else []
                elif field not in found:
                    found.append(field)
        return len(found)

    def things(self, tops, m):
        """The top that most fields refer to: rather a program's."""
        best, most = None, (0, 0)
        for n in tops:
            whose = self.whose(n.cls)
            if n.role != "plain" or not whose & (LIBRARY | PROGRAM):
                continue
            ways = self.ways(n.object, m, whose & PROGRAM)
            score = 0 if not ways else ways + KNOWN_WELL if whose & PROGRAM else 1
            if score and (score, weigh(n)) > most:
                best, most = n, (score, weigh(n))
        return best

    def cut(self, m):
        """Return what an object has in several collections, or None."""
        if not self.divided(m):
            return None
        tops = self.tops(m)
        if len(tops) < LEAST_TOPS:
            return None
        one = max(tops, key=weigh)
        tops = [n for n in tops if n.count <= ALIKE * one.count and ALIKE * n.count >= one.count]
        all_ = sum(map(weigh, tops))
        if all_ < weigh(m) // 2 or sum(weigh(n) for n in tops if self.shared(n)) < all_ // SHARED:
            return None
        fields = list(dict.fromkeys(f for f in (self.field(n.up, m) for n in tops) if f))
        things = self.things(tops, m) if len(fields) >= LEAST_TOPS else None
        return Cut(things, fields) if things else None
