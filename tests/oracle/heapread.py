# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapread.py - the records of an HPROF file, read slowly and plainly, for heap.py."""
import collections
import struct
import zlib

WIDTH = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
LETTER = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int", "J": "long"}
ROOT = {0xff: "unknown", 1: "JNI global", 2: "JNI local", 3: "Java local", 4: "native stack", 5: "system class",
        6: "thread block", 7: "monitor", 8: "thread", 0x89: "interned string", 0x8a: "finalizing", 0x8b: "debugger",
        0x8c: "reference cleanup", 0x8d: "VM internal", 0x8e: "JNI monitor"}
ROOTS = {**ROOT, 0xf2: "values of a class"}     # the last is ours
ON_THREADS = {2, 3, 4, 6, 0x8e}
TOP = {1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x1c, 0x2c}

HEADS = {0x21: "iIiI", 0x22: "iIIi", 0x23: "iIIB"}      # of objects; i: an id


class Refused(Exception):
    pass


def unpacked(data):
    """All gzip members; what does not begin like one is left."""
    if data[:2] != b"\x1f\x8b":
        return data
    out = []
    while data[:2] == b"\x1f\x8b":
        z = zlib.decompressobj(31)
        try:
            out.append(z.decompress(data) + z.flush())
        except zlib.error:
            break
        if not z.eof:
            break
        data = z.unused_data
    return b"".join(out)


def pretty(raw):
    """java.lang.Object[] from any spelling."""
    s = raw.decode("utf-8", "surrogateescape")
    dims = len(s) - len(s.lstrip("["))
    if not dims:
        return s.replace("/", ".")
    s = s[dims:]
    s = s[1:-1] if s.startswith("L") and s.endswith(";") else LETTER.get(s, s)
    return s.replace("/", ".") + "[]" * dims


class Class:
    """A CLASS_DUMP."""
    sup = loader = signers = domain = size = 0
    fields = statics = ()


class Obj:
    """kind: i instance, o array of objects, p array of values, c class."""
    __slots__ = ("kind", "cls", "data", "n", "bytes", "part", "at")

    def __init__(self, kind, cls, data, n, size, part, at):
        self.kind, self.cls, self.data, self.n, self.bytes, self.part, self.at = kind, cls, data, n, size, part, at


class Reader:
    """The records of a file, of one of its dumps."""

    def __init__(self, data, dump=1):
        self.b = b = unpacked(data)
        if b[:13] != b"JAVA PROFILE " or b"\0" not in b[:64]:
            raise Refused("no heap dump")
        end = b.index(b"\0")
        self.version = b[13:end].decode("latin-1")
        if len(b) < end + 13:
            raise Refused("cut in its header")
        self.ids = self.u4(end + 1)
        if self.ids not in (4, 8):
            raise Refused("ids of %d bytes" % self.ids)
        one = "Q" if self.ids == 8 else "I"
        self.word = struct.Struct(">" + one).unpack_from
        self.heads = {tag: struct.Struct(">" + form.replace("i", one)) for tag, form in HEADS.items()}
        self.names, self.class_name, self.serial = {}, {}, {}
        self.frames, self.traces, self.thread_names = {}, {}, {}
        self.classes, self.objects, self.roots, self.threads = {}, {}, [], {}
        self.count = collections.Counter()
        self.want, self.dumps, self.closed, self.counted, self.doubled, self.part = dump, 0, True, False, 0, ""
        self.started, self.ended, self.when = {}, {}, {}
        self.damage = []
        self.records(end + 13)
        self.class_values()
        if not self.threads:        # the dump is cut: only their stacks are there
            self.threads = {t: (0, s) for s, (t, _) in reversed(self.traces.items()) if t and t not in self.started}

    def u4(self, at):
        return struct.unpack_from(">I", self.b, at)[0]

    def u2(self, at):
        return struct.unpack_from(">H", self.b, at)[0]

    def i4(self, at):
        return struct.unpack_from(">i", self.b, at)[0]

    def id(self, at):
        return self.word(self.b, at)[0]

    def elements(self, o):
        """The elements of an array of objects."""
        return struct.unpack_from(">%d%s" % (o.n, "Q" if self.ids == 8 else "I"), self.b, o.data)

    def width(self, t):
        return self.ids if t in (1, 2) else WIDTH[t]

    # ---- records ---------------------------------------------------------------

    def records(self, at):
        n = len(self.b)
        while at < n:
            if self.b[at] == 0:                     # a hole
                at += 1
                continue
            if at + 9 > n:
                self.damage.append("a record header is cut at %d" % at)
                break
            tag, length, start = self.b[at], self.u4(at + 5), at + 9
            if tag not in TOP and start + length > n:
                self.damage.append("no record at %d" % at)
                break
            end = self.end_of(tag, start, length)
            self.count["top %02x" % tag] += 1
            try:
                end = self.record(tag, start, end)
            except (struct.error, IndexError, KeyError):
                self.damage.append("a record is damaged at %d" % at)
            at = end

    def end_of(self, tag, start, length):
        left = len(self.b) - start
        if tag in (0x0c, 0x1c) and length == 0 and left > 0:
            plausible = left >= 9 and self.b[start] in TOP and self.u4(start + 5) <= left - 9 and self.u4(start + 1) == 0
            return start if plausible else len(self.b)
        if tag == 0x0c and left > length and (left - length) % (1 << 32) == 0:
            return len(self.b)                      # the length was cut to 32 bits
        if length > left:
            self.damage.append("a record at %d claims %d bytes of %d" % (start, length, left))
        return start + min(length, left)

    def record(self, tag, s, end):
        i, b = self.ids, self.b
        if tag == 1 and end - s >= i:
            self.put(self.names, self.id(s), b[s + i:end])
        elif tag == 2:
            self.serial.setdefault(self.u4(s), self.id(s + 4))
            self.put(self.class_name, self.id(s + 4), self.id(s + 8 + i))
        elif tag == 4:
            self.put(self.frames, self.id(s), tuple(self.id(s + k * i) for k in (1, 2, 3)) +
                     (self.u4(s + 4 * i), self.i4(s + 4 * i + 4)))
        elif tag == 5:
            n = min(self.u4(s + 8), (end - s - 12) // i)
            self.put(self.traces, self.u4(s), (self.u4(s + 4), [self.id(s + 12 + k * i) for k in range(n)]))
        elif tag == 0x0a:
            self.thread_names[self.u4(s)] = self.id(s + 8 + i)
            self.started[self.u4(s)] = self.dumps
            self.ended.pop(self.u4(s), None)
        elif tag == 0x0b:
            self.ended[self.u4(s)] = self.dumps
        elif tag in (0x0c, 0x1c):
            self.counted = self.counted and not self.closed
            if end > s and not self.counted:
                self.dumps += 1
                self.counted = True
            self.closed = tag == 0x0c
            return max(end, self.segment(s, end)) if self.dumps == self.want else end
        elif tag == 0x2c:
            self.closed = True
        return end

    def put(self, names, key, value):
        """The first record counts, unless a later one stands closer in front of the dump."""
        old = self.when.get((id(names), key))
        if old is None or old < self.dumps < self.want:
            names[key] = value
            self.when[id(names), key] = self.dumps

    def rootless_threads(self):
        """Those without a thread object that lived when the dump was taken."""
        named = {s for t, _, s, _ in self.roots if t in ON_THREADS}
        there = {s for s, n in self.started.items() if n < self.want or self.dumps == self.want}
        alive = {s for s in there if self.ended.get(s, self.want) >= self.want}
        return (alive | named & set(self.started)) - set(self.threads)

    def class_values(self):
        """Nothing refers to the map of a class's values: the fields of classes are not written."""
        android = any(0x89 <= tag < 0xff for tag in getattr(self, "subs", ()))
        for a, o in self.objects.items() if self.roots and not android else ():
            if o.kind == "i" and self.names.get(self.class_name.get(o.cls), b"").replace(b"/", b".") == b"java.lang.ClassValue$ClassValueMap":
                self.roots.append((0xf2, a, 0, -1))

    # ---- sub-records ----------------------------------------------------------------

    def segment(self, at, end):
        self.subs = getattr(self, "subs", collections.Counter())
        while at < end:
            try:
                after = self.sub(at, self.b[at])
            except (struct.error, IndexError, KeyError):
                after = 0
            if not after or after > len(self.b):
                self.damage.append("no sub-record at %d" % at)
                return end
            self.subs[self.b[at]] += 1
            at = after
        return at

    def sub(self, at, tag):
        """Read the sub-record and return the place after it; 0: not a sub-record.  Nothing is kept of a truncated one."""
        i = self.ids
        body = at + 1
        if tag in ROOT or tag == 0x90:
            more = {1: i, 2: 8, 3: 8, 0x8e: 8, 4: 4, 6: 4, 8: 8}.get(tag, 0)
            if body + i + more > len(self.b):
                return 0
            if tag != 0x90:
                self.root(tag, body)
            return body + i + more
        if tag == 0xfe:
            self.part = self.names.get(self.id(body + 4), b"").decode("utf-8", "replace")
            return body + 4 + i
        if tag == 0x20:
            return self.klass(body)
        return self.object(tag, body)

    def root(self, tag, at):
        i = self.ids
        serial = self.u4(at + i) if tag in ON_THREADS or tag == 8 else 0
        frame = self.i4(at + i + 4) if tag in (2, 3, 8, 0x8e) else -1
        self.roots.append((tag, self.id(at), serial, frame))
        if tag == 8:
            self.threads.setdefault(serial, (self.id(at), self.u4(at + i + 4)))

    def klass(self, at):
        i, c, p = self.ids, Class(), at
        own = self.id(p)
        c.sup, c.loader, c.signers, c.domain = (self.id(p + 4 + k * i) for k in (1, 2, 3, 4))
        p += 4 + 7 * i
        c.size, n = self.u4(p), self.u2(p + 4)
        p += 6
        for _ in range(n):
            p += 3 + self.width(self.b[p + 2])
        c.statics, c.fields, n = [], [], self.u2(p)
        p += 2
        for _ in range(n):
            t = self.b[p + i]
            c.statics.append((self.id(p), t, self.b[p + i + 1:p + i + 1 + self.width(t)]))
            p += i + 1 + self.width(t)
        n = self.u2(p)
        p += 2
        for _ in range(n):
            self.width(self.b[p + i])
            c.fields.append((self.id(p), self.b[p + i]))
            p += i + 1
        if p > len(self.b):
            return 0
        if self.keep(own, Obj("c", 0, at, 0, 0, self.part, at - 1)):
            self.classes[own] = c
        return p

    def object(self, tag, at):
        i = self.ids
        if tag == 0x21:
            own, _, cls, n = self.heads[tag].unpack_from(self.b, at)
            data = at + 2 * i + 8
            o = Obj("i", cls, data, 0, n, self.part, at - 1)
        elif tag == 0x22:
            own, _, n, cls = self.heads[tag].unpack_from(self.b, at)
            data = at + 2 * i + 8
            o = Obj("o", cls, data, n, n * i, self.part, at - 1)
        elif tag in (0x23, 0xc3):
            own, _, n, t = self.heads[0x23].unpack_from(self.b, at)
            data = at + i + 9
            o = Obj("p", t, data, n, n * WIDTH[t], self.part, at - 1)
        else:
            return 0
        size = 0 if tag == 0xc3 else o.bytes
        if data + size > len(self.b):
            return 0
        self.keep(own, o)
        return data + size

    def keep(self, own, o):
        if own == 0 or own in self.objects:
            self.doubled += own != 0
            return False
        self.objects[own] = o
        return True
