# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""copies.py - collections and duplicates of a heap dump, from its bytes: slow and plain, for copiescheck.py."""
import collections

from heap import SUPER_ROOT
from heapread import WIDTH

UTIL, CONCURRENT = "java.util.", "java.util.concurrent."
SMALL = 64          # bytes of content below which arrays are not compared


def live(h):
    return h.solve()[0]


def number(h, a):
    return h.number[a]


# ---- duplicates -----------------------------------------------------------------------


class Texts:
    """The Strings that can be reached and have characters."""

    def __init__(self, h):
        self.text, self.array = {}, {}
        for a in live(h):
            o = h.r.objects[a]
            if o.kind != "i" or h.name(o.cls) != "java.lang.String":
                continue
            value = h.value(a, b"value")
            if value is not None and h.characters(value[1]) is not None:
                self.text[a], self.array[a] = h.text(a), value[1]
        self.users = collections.Counter(self.array.values())

    def groups(self):
        found = collections.defaultdict(list)
        for a in sorted(self.text):
            found[self.text[a]].append(a)
        return [g for g in found.values() if len(g) > 1]

    def waste(self, h, group):
        """The size of each member, and that of its array if it belongs to the group and no earlier member has it."""
        inside = collections.Counter(self.array[a] for a in group)
        kept, out = {self.array[group[0]]}, {group[0]: 0}
        for a in group[1:]:
            array = self.array[a]
            out[a] = h.shallow[a]
            if array not in kept and inside[array] == self.users[array]:
                out[a] += h.shallow[array]
            kept.add(array)
        return out


def arrays(h, t):
    """Arrays of one content that no String has, by kind, class and content."""
    same = collections.defaultdict(list)
    for a in sorted(live(h)):
        o = h.r.objects[a]
        if o.kind == "p" and o.bytes >= SMALL and a not in t.users and h.r.b[o.at] != 0xc3:
            data = h.r.b[o.data:o.data + o.bytes]
            same["array" if any(data) else "zeros", o.cls, data].append(a)
    return {k: g for k, g in same.items() if len(g) > 1}


def duplicates(h):
    """(kind, number of the first, copies, arrays, waste), the most wasteful first."""
    t, out = Texts(h), []
    for g in t.groups():
        out.append(("string", number(h, g[0]), len(g), len({t.array[a] for a in g}), sum(t.waste(h, g).values())))
    for (kind, _, _), g in arrays(h, t).items():
        out.append((kind, number(h, g[0]), len(g), len(g), (len(g) - 1) * h.shallow[g[0]]))
    return sorted(out, key=lambda r: (-r[4], r[1]))


def wasted(h):
    """Bytes by number of the owner, or of the object that has none: unused capacity, and all copies except the first."""
    t, by, out = Texts(h), collections.Counter(), collections.Counter()
    for g in t.groups():
        by.update(t.waste(h, g))
    for g in arrays(h, t).values():
        by.update({a: h.shallow[a] for a in g[1:]})
    alive, at = live(h), {number(h, a): a for a in h.r.objects}
    by.update({at[k]: one[2] for k, one in all_collections(h).items() if at[k] in alive})
    for a, w in by.items():
        out[holder(h, a) or number(h, a)] += w
    return out


def strings(h):
    """number -> copies, Strings with its array, waste; only of those that can be reached."""
    t, out = Texts(h), {}
    for a in t.text:
        out[number(h, a)] = [1, t.users[t.array[a]], 0]
    for g in t.groups():
        for a, w in t.waste(h, g).items():
            out[number(h, a)][0], out[number(h, a)][2] = len(g), w
    return out


# ---- fields of collections ------------------------------------------------------------------


class Odd(Exception):
    """It is not as such a collection should be."""


class Reading:
    def __init__(self, h):
        self.h = h
        self.parent = live(h)
        self.ref_width = h.mat_ref() if h.sizes == "mat" else h.r.ids if h.android else h.layout()[2][1]

    def field(self, a, declared, name):
        """The field of the class called declared or of a class above: (type, number or address)."""
        h, o = self.h, self.h.r.objects[a]
        inside = False
        for k, n, t, at in h.fields(o.cls):
            inside = inside or h.name(k) == declared
            w = h.r.width(t)
            if inside and n == name.encode():
                if at + w > o.bytes:
                    raise Odd
                return t, int.from_bytes(h.r.b[o.data + at:o.data + at + w], "big", signed=t != 2)
        return None

    def has(self, a, declared, *names):
        h, o = self.h, self.h.r.objects[a]
        chain = h.chain(o.cls)
        at = [h.name(k) for k in chain].index(declared)
        return set(names) <= {h.r.names.get(n, b"").decode("utf-8", "replace")
                              for k in chain[at:] for n, _ in h.r.classes[k].fields}

    def int(self, a, declared, name):
        t, v = self.field(a, declared, name)
        if t == 2:
            raise Odd
        return v

    def size(self, a, declared, name):
        v = self.int(a, declared, name)
        if v < 0:
            raise Odd
        return v

    def ref(self, a, declared, name):
        t, v = self.field(a, declared, name)
        if t != 2 or (v != 0 and v not in self.h.r.objects):
            raise Odd
        return v

    def array(self, a, declared, name, kinds="op"):
        v = self.ref(a, declared, name)
        if v and self.h.r.objects[v].kind not in kinds:
            raise Odd
        return v

    def length(self, array):
        return self.h.r.objects[array].n if array else 0

    def elements(self, array):
        o, w = self.h.r.objects[array], self.h.r.ids
        return [self.h.r.id(o.data + k * w) for k in range(o.n)]

    def width(self, array):
        """Bytes of an element in the heap."""
        if not array:
            return 0
        h, o = self.h, self.h.r.objects[array]
        if o.kind == "p":
            return {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}[o.cls]
        return self.ref_width

    def own(self, a, array):
        return array and self.parent.get(array) in (None, a)


class One:
    """Numbers of one collection; arrays are those that it may waste."""

    def __init__(self, size, capacity, arrays=(), unit=0, heads=None):
        self.size, self.capacity, self.arrays, self.unit, self.heads = size, capacity, arrays, unit, heads
        self.owner = {}


def listed(r, a, c, size, array):
    t = r.array(a, c, array)
    n, size = r.length(t), r.size(a, c, size)
    return One(min(size, n), n, [t], r.width(t))


def whole(r, a, c, array):
    t = r.array(a, c, array)
    return One(r.length(t), r.length(t), [t])


def fixed(r, a, c, size, array):
    one = listed(r, a, c, size, array)
    one.capacity = one.size
    return one


def ring(r, a, c, array, head, tail):
    t = r.array(a, c, array, "o")
    n, head, tail = r.length(t), r.size(a, c, head), r.size(a, c, tail)
    if n and (head >= n or tail >= n):
        raise Odd
    return One(min((tail - head) % n if n else tail - head, n), n, [t], r.width(t))


def linked(r, a, c, size):
    n = r.size(a, c, size)
    return One(n, n)


def hashed(r, a, c, size, array):
    t = r.array(a, c, array, "o")
    size = r.size(a, c, size) if isinstance(size, str) else size
    if not t and size:
        raise Odd
    heads = sum(e != 0 for e in r.elements(t)) if t else 0
    return One(size, r.length(t), [t], r.width(t), min(heads, size))


def striped(r, a, c):
    n, cells = r.int(a, c, "baseCount"), r.array(a, c, "counterCells", "o")
    for e in r.elements(cells) if cells else ():
        if e:
            if e not in r.h.r.objects or r.h.class_of(e) != c + "$CounterCell":
                raise Odd
            n += r.int(e, c + "$CounterCell", "value")
    return hashed(r, a, c, max(n, 0), "table")


def segments(r, a, c):
    all_of, one = r.array(a, c, "segments", "o"), One(0, 0, [], 0, 0)
    for s in r.elements(all_of) if all_of else ():
        if s:
            part = hashed(r, s, c + "$Segment", "count", "table")
            one.size, one.capacity, one.heads = one.size + part.size, one.capacity + part.capacity, one.heads + part.heads
            one.arrays, one.unit = one.arrays + part.arrays, part.unit or one.unit
            one.owner[part.arrays[0]] = s
    return one


def pairs(r, a, c, size, array):
    one = listed(r, a, c, size, array)
    one.capacity, one.unit = one.capacity // 2, 2 * one.unit
    one.size = min(one.size, one.capacity)
    return one


def sparse(r, a, c, size, keys, vals, garbage=None):
    k, v = r.array(a, c, keys), r.array(a, c, vals)
    room = min(r.length(k), r.length(v))
    size = min(r.size(a, c, size), room)
    if garbage and r.int(a, c, garbage):
        size -= sum(e in r.h.r.objects and r.h.class_of(e) == "java.lang.Object" for e in r.elements(v)[:size])
    return One(size, room, [k, v], r.width(k) + r.width(v))


def indexed(r, a, c, size, hashes, array):
    k, v = r.array(a, c, hashes), r.array(a, c, array, "o")
    each = 1 if c.endswith("Set") else 2
    room = min(r.length(k), r.length(v))
    return One(min(r.size(a, c, size), room), room, [k, v], r.width(k) + each * r.width(v))


def walk(r, a, c):
    at, n, seen, node = r.ref(a, c, "head"), 0, set(), c + "$Node"
    while at:
        if at in seen or r.h.r.objects[at].kind != "i" or r.h.class_of(at) != node:
            raise Odd
        seen.add(at)
        n += r.field(at, node, "item")[1] != 0
        after = r.ref(at, node, "next")
        at = after if after != at else 0
    return One(n, n)


def counted(r, a, c):
    counter = r.ref(a, c, "count")
    if not counter or r.h.class_of(counter) != CONCURRENT + "atomic.AtomicInteger":
        raise Odd
    n = r.size(counter, CONCURRENT + "atomic.AtomicInteger", "value")
    return One(n, n)


def two(r, a, c):
    statics = r.h.r.classes[r.h.by_name[c.split("$")[0]]].statics if c.split("$")[0] in r.h.by_name else ()
    none = [int.from_bytes(v, "big") for n, t, v in statics if r.h.r.names.get(n) == b"EMPTY"]
    n = 1 if r.ref(a, c, "e1") in [0] + none else 2
    return One(n, n)


def one_only(r, a, c):
    return One(1, 1)


WRAPS = {UTIL + "HashSet": ("map", "backingMap"), UTIL + "TreeSet": ("m", "backingMap"), UTIL + "Properties": ("map",),
         UTIL + "Collections$SetFromMap": ("m",), CONCURRENT + "ConcurrentHashMap$KeySetView": ("map",),
         CONCURRENT + "CopyOnWriteArraySet": ("al",), CONCURRENT + "PriorityBlockingQueue": ("q",),
         CONCURRENT + "DelayQueue": ("q",)}
IMMUTABLE = UTIL + "ImmutableCollections$"
FORMS = {UTIL + "Arrays$ArrayList": [(whole, "a")], UTIL + "LinkedList": [(linked, "size")], UTIL + "TreeMap": [(linked, "size")],
         UTIL + "ArrayDeque": [(ring, "elements", "head", "tail")], UTIL + "EnumMap": [(listed, "size", "vals")],
         UTIL + "ArrayList": [(listed, "size", "elementData"), (listed, "size", "array")],
         UTIL + "Vector": [(listed, "elementCount", "elementData")],
         UTIL + "PriorityQueue": [(listed, "size", "queue"), (listed, "size", "elements")],
         UTIL + "HashMap": [(hashed, "size", "table")], UTIL + "Hashtable": [(hashed, "count", "table"), (hashed, "size", "table")],
         UTIL + "WeakHashMap": [(hashed, "size", "table"), (hashed, "elementCount", "elementData")],
         UTIL + "IdentityHashMap": [(pairs, "size", "table"), (pairs, "size", "elementData")],
         CONCURRENT + "LinkedBlockingDeque": [(linked, "count")], CONCURRENT + "ArrayBlockingQueue": [(listed, "count", "items")],
         CONCURRENT + "PriorityBlockingQueue": [(listed, "size", "queue")],
         CONCURRENT + "CopyOnWriteArrayList": [(whole, "array"), (whole, "elements")],
         IMMUTABLE + "ListN": [(whole, "elements")], IMMUTABLE + "SetN": [(fixed, "size", "elements")],
         IMMUTABLE + "MapN": [(fixed, "size", "table")]}
OTHERS = {IMMUTABLE + n: f for f, names in ((two, "List12 List2 Set12 Set2"), (one_only, "List1 Set1 Map1"))
          for n in names.split()}
OTHERS.update({CONCURRENT + "ConcurrentLinkedQueue": walk, CONCURRENT + "ConcurrentLinkedDeque": walk,
               CONCURRENT + "LinkedBlockingQueue": counted})
for p in ("android.util.", "android.support.v4.util.", "androidx.collection."):
    for n in ("ArrayMap" if p == "android.util." else "SimpleArrayMap", "ArraySet"):
        FORMS[p + n] = [(indexed, "mSize", "mHashes", "mArray"), (indexed, "size", "hashes", "array"),
                        (indexed, "_size", "hashes", "array")]
    for n in ("SparseArray", "SparseArrayCompat", "LongSparseArray"):
        FORMS[p + n] = [(sparse, "mSize", "mKeys", "mValues", "mGarbage"), (sparse, "size", "keys", "values", "garbage")]
    FORMS[p + "CircularArray"] = [(ring, "mElements", "mHead", "mTail"), (ring, "elements", "head", "tail")]
for n in "SparseIntArray SparseLongArray SparseBooleanArray LongSparseLongArray".split():
    FORMS["android.util." + n] = [(sparse, "mSize", "mKeys", "mValues")]


def plain(r, a):
    """The numbers of one that holds its elements itself; None: it is none."""
    for c in (r.h.name(k) for k in r.h.chain(r.h.r.objects[a].cls)):
        if c in OTHERS:
            return OTHERS[c](r, a, c)
        if c == CONCURRENT + "ConcurrentHashMap":
            return segments(r, a, c) if r.has(a, c, "segments") else striped(r, a, c)
        for form, *names in FORMS.get(c, ()):
            if r.has(a, c, *names):
                return form(r, a, c, *names)
    return None


def inner(r, a):
    """(class, address) of the collection that a set is made of; None: it is not of that kind."""
    for c in (r.h.name(k) for k in r.h.chain(r.h.r.objects[a].cls)):
        for name in WRAPS.get(c, ()):
            if r.has(a, c, name):
                return c, r.ref(a, c, name)
        if c in FORMS or c in OTHERS:
            return None
    return None


def waste(r, a, one):
    if one.size:
        return max(one.capacity - one.size, 0) * one.unit
    own = [t for t in one.arrays if r.own(one.owner.get(t, a), t)]
    if not own:
        one.capacity = 0
    return sum(r.h.shallow[t] for t in own)


def of_set(r, a):
    p = r.parent.get(a)
    try:
        return p not in (None, SUPER_ROOT) and r.h.r.objects[p].kind == "i" and (inner(r, p) or (0, 0))[1] == a
    except Odd:
        return False


def collection(r, a):
    """(size, capacity, waste, heads of chains or None), or None."""
    try:
        kind = inner(r, a)
        if kind is None:
            one = None if of_set(r, a) else plain(r, a)
            return one and (one.size, *((lambda w: (one.capacity, w))(waste(r, a, one))), one.heads)
        c, that = kind
        if not that or r.h.r.objects[that].kind != "i" or inner(r, that) is not None or of_set(r, a):
            return None
        own = r.parent.get(that) == a
        one = plain(r, that)
        if one is None or (not own and c.endswith("KeySetView")):
            return None
        w = waste(r, that, one)
        return one.size, one.capacity, w if own else 0, one.heads
    except Odd:
        return None


def all_collections(h):
    """number -> size, capacity, waste, heads."""
    r, out = Reading(h), {}
    for a, o in h.r.objects.items():
        if o.kind == "i":
            one = collection(r, a)
            if one:
                out[number(h, a)] = one
    return out


# ---- holders ------------------------------------------------------------------------------------

OUTER = {n.split("$")[0] for n in list(FORMS) + list(WRAPS) + list(OTHERS)} | {
    UTIL + n for n in "AbstractList AbstractMap Arrays Collections LinkedHashMap LinkedHashSet Stack".split()} | {
    CONCURRENT + n for n in "ConcurrentHashMap ConcurrentSkipListMap ConcurrentSkipListSet atomic.AtomicInteger".split()} | {
    "android.support.v4.util.ArrayMap", "androidx.collection.ArrayMap"}


def holder(h, a):
    """The nearest dominator that is neither an array nor a collection of the platform; 0: there is none."""
    parent = live(h)
    at = parent.get(a, SUPER_ROOT)
    while at != SUPER_ROOT:
        o = h.r.objects[at]
        if o.kind == "c" or (o.kind == "i" and h.name(o.cls).split("$")[0] not in OUTER):
            return number(h, at)
        at = parent[at]
    return 0


# ---- where they were made -----------------------------------------------------------------------

JAVA = ("java.", "javax.", "sun.", "com.sun.", "jdk.")


def site(h, a):
    """The first method that is not Java's own on the stack that made it, else the outermost."""
    r = h.r
    last = ""
    for f in r.traces.get(r.u4(r.objects[a].at + 1 + r.ids), (0, ()))[1]:
        method, _, _, serial, _ = r.frames.get(f, (0, 0, 0, None, 0))
        if serial not in r.serial:
            continue
        cname = h.name(r.serial[serial])
        last = "%s.%s" % (cname, r.names.get(method, b"?").decode("utf-8", "replace"))
        if not cname.startswith(JAVA):
            break
    return last


def not_needed(h):
    """Kind, first object, copies and waste of equal small objects, of sparse arrays and of those that end in zeros."""
    equal, out = {}, []
    ref = h.mat_ref() if h.sizes == "mat" else h.r.ids if h.android else h.layout()[2][1]
    for a in sorted(h.solve()[0]):
        o = h.r.objects[a]
        data = h.r.b[o.data:o.data + (o.n * h.r.ids if o.kind == "o" else o.n * WIDTH[o.cls] if o.kind == "p" else o.bytes if o.kind == "i" else 0)]
        if o.kind == "i" and 0 < len(data) <= 64:
            equal.setdefault((o.cls, data), []).append(a)
        elif o.kind == "o" and o.n >= 16:
            used = sum(1 for v in h.r.elements(o) if v)
            if 4 * used <= o.n:
                out.append(("sparse", h.number[a], 1, (o.n - used) * ref))
        elif o.kind == "p":
            used = -(-len(data.rstrip(b"\0")) // WIDTH[o.cls])
            tail = len(data) - used * WIDTH[o.cls]
            if tail >= 64 and 2 * tail >= len(data):
                out.append(("tail", h.number[a], 1, tail))
    out += [("object", h.number[g[0]], len(g), (len(g) - 1) * h.shallow[g[0]]) for g in equal.values() if len(g) > 1]
    return sorted(out)
