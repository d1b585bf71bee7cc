# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapfile.py - writes HPROF heap dumps record by record, for mkheap.py and the tests.

Addresses are given out as a virtual machine with the chosen layout would do
it, so that the layout can be found again.
"""
import random
import struct

OBJECT, BOOLEAN, CHAR, FLOAT, DOUBLE, BYTE, SHORT, INT, LONG = 2, 4, 5, 6, 7, 8, 9, 10, 11
WIDTH = {BOOLEAN: 1, CHAR: 2, FLOAT: 4, DOUBLE: 8, BYTE: 1, SHORT: 2, INT: 4, LONG: 8}
FORM = {BOOLEAN: "B", CHAR: "H", FLOAT: "f", DOUBLE: "d", BYTE: "b", SHORT: "h", INT: "i", LONG: "q"}
TYPES = {"boolean": BOOLEAN, "char": CHAR, "float": FLOAT, "double": DOUBLE, "byte": BYTE,
         "short": SHORT, "int": INT, "long": LONG}
LETTER = {"boolean": "Z", "char": "C", "float": "F", "double": "D", "byte": "B", "short": "S",
          "int": "I", "long": "J"}
PRIMITIVE_ARRAY = {v: k + "[]" for k, v in TYPES.items()}

# Header, reference and array header in bytes, and whether fields fill the gaps of superclasses.
LAYOUTS = {"32": (8, 4, 12, False), "coops": (12, 4, 16, True), "coops-old": (12, 4, 16, False),
           "nocoops": (16, 8, 24, True), "zgc": (12, 8, 16, True), "compact": (8, 4, 12, True),
           "narrow": (16, 4, 24, True), "narrow-tight": (16, 4, 20, True), "nocoops-tight": (16, 8, 20, True)}

ROOTS = {"unknown": 0xff, "jni global": 1, "jni local": 2, "java frame": 3, "native stack": 4,
         "sticky class": 5, "thread block": 6, "monitor": 7, "thread": 8, "interned": 0x89,
         "finalizing": 0x8a, "debugger": 0x8b, "reference cleanup": 0x8c, "vm internal": 0x8d,
         "jni monitor": 0x8e, "unreachable": 0x90}


def up(n, to):
    return (n + to - 1) // to * to


def vm_name(name):
    """java.lang.Object[] as a virtual machine spells it."""
    dims = name.count("[]")
    if not dims:
        return name.replace(".", "/")
    base = name[:-2 * dims]
    return "[" * dims + (LETTER[base] if base in LETTER else "L" + base.replace(".", "/") + ";")


class Class:
    def __init__(self, name, at, sup, fields, statics, loader, size):
        self.name, self.id, self.sup = name, at, sup
        self.fields, self.statics = list(fields), [list(s) for s in statics]
        self.loader, self.size = loader, size
        self.signers = self.domain = 0
        self.laid = self.bytes = self.packed = None

    def chain(self):
        c = self
        while c is not None:
            yield c
            c = c.sup

    def form(self):
        """(name with that of the class, name, type) of all values of an object; no class has another field from then on."""
        if self.laid is None:
            self.laid = []
            for k in self.chain():
                k.fields = tuple(k.fields)
                self.laid += [("%s__%s" % (str(k.name).rpartition(".")[2], n), n, t) for n, t in k.fields]
        return self.laid


class Dump:
    """One heap dump; build() gives its bytes."""

    def __init__(self, version="1.0.2", ids=8, layout="coops", names="vm", start=0x700000000,
                 segment=4096, mixed=False, trace=1, step=0, align=8, gaps=0):
        self.version, self.ids, self.names = version, ids, names
        self.letter = "Q" if ids == 8 else "I"
        self.id = struct.Struct(">" + self.letter).pack
        self.header, self.ref, self.array, self.flat = LAYOUTS[layout]
        self.free = start
        self.align = align
        self.gaps = gaps              # part of the objects that something dead follows, which the dump lacks
        self.chance = random.Random(5)
        self.step = step              # ids are counters with this step, not addresses
        self.segment = segment        # bytes of a segment; 0: one HEAP_DUMP record, no end record
        self.mixed = mixed            # classes and roots among the objects, as they come
        self.trace = trace            # serial of the stack trace that objects name
        self.front, self.items = [], []   # sub-records; a Class is written out at the end
        self.head = []                # records before the heap
        self.tail = []                # records behind it
        self.strings, self.classes, self.serials = {}, {}, {}
        self.part_now = None
        self.string_form = "compact"

    # ---- pieces ---------------------------------------------------------------

    @staticmethod
    def record(tag, body, length=None):
        return struct.pack(">BII", tag, 0, len(body) if length is None else length) + body

    def width(self, t):
        return self.ids if t == OBJECT else WIDTH[t]

    def value(self, t, v):
        if t == OBJECT:
            return self.id(v)
        return v if isinstance(v, bytes) else struct.pack(">" + FORM[t], v)

    def name(self, text):
        """The id of a STRING record."""
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        if raw not in self.strings:
            self.strings[raw] = 0x400000 + 8 * len(self.strings)
        return self.strings[raw]

    def add(self, sub, front=False):
        (self.front if front and not self.mixed else self.items).append(sub)

    # ---- sizes and addresses -----------------------------------------------------

    def fields_end(self, c):
        """Bytes up to the last field of a class, before the object is rounded up."""
        end = self.header
        for k in reversed(list(c.chain())):
            end += sum(self.ref if t == OBJECT else WIDTH[t] for _, t in k.fields)
            if not self.flat and k.sup is not None:
                end = up(end, self.ref)
        return end

    def instance_bytes(self, c):
        if c.bytes is None:
            c.form()
            c.bytes = c.size if c.size is not None else up(self.fields_end(c), self.align)
        return c.bytes

    def place(self, size):
        at = self.free
        self.free += self.step or up(size, self.align)
        if self.chance.random() < self.gaps:
            self.free += self.align * self.chance.randint(1, 9)
        return at

    def array_bytes(self, t, n):
        if t == OBJECT:
            return up(up(self.array, self.ref) + n * self.ref, self.align)
        return up((up(self.array, 8) if WIDTH[t] == 8 else self.array) + n * WIDTH[t], self.align)

    # ---- classes --------------------------------------------------------------------

    def load(self, name, at):
        serial = len(self.serials) + 1
        self.serials.setdefault(name, serial)
        raw = name if isinstance(name, bytes) else vm_name(name) if self.names == "vm" else name
        self.head.append((2, serial, at, self.name(raw)))
        return serial

    def klass(self, name, sup="java.lang.Object", fields=(), statics=(), loader=0, size=None, at=None,
              key=None):
        at = at or self.place(96 + 8 * len(statics))
        c = Class(name, at, self.classes[sup] if sup else None, fields, statics, loader, size)
        self.load(name, at)
        self.classes[key or name] = c
        self.add(c, front=True)
        return c

    def static(self, cname, name, value):
        for s in self.classes[cname].statics:
            if s[0] == name:
                s[2] = value
                return
        raise KeyError(name)

    def class_record(self, c):
        # A virtual machine writes the sum of the fields; Android the real size.
        size = c.size if c.size is not None else sum(
            self.width(t) for k in c.chain() for _, t in k.fields) if "[]" not in str(c.name) else 0
        out = [b"\x20", self.id(c.id), struct.pack(">I", self.trace), self.id(c.sup.id if c.sup else 0),
               self.id(c.loader), self.id(c.signers), self.id(c.domain), self.id(0) * 2,
               struct.pack(">IHH", size, 0, len(c.statics))]
        for n, t, v in c.statics:
            out += [self.id(self.name(n)), bytes([t]), self.value(t, v)]
        out.append(struct.pack(">H", len(c.fields)))
        out += [self.id(self.name(n)) + bytes([t]) for n, t in c.fields]
        return b"".join(out)

    # ---- objects ------------------------------------------------------------------------

    def reserve(self, cname):
        """An address now, for an object that is filled in later."""
        return self.place(self.instance_bytes(self.classes[cname]))

    def instance(self, at, class_id, data):
        self.add(b"\x21" + self.id(at) + struct.pack(">I", self.trace) + self.id(class_id) +
                 struct.pack(">I", len(data)) + data)
        return at

    def obj(self, cname, at=None, **values):
        """A field that several classes declare is given as Class__field."""
        c = self.classes[cname]
        form = c.form()
        if c.packed is None:
            c.packed = struct.Struct(">" + "".join(self.letter if t == OBJECT else FORM[t] for _, _, t in form))
        row = [values.pop(own) if own in values else values.pop(n, 0) for own, n, _ in form]
        assert not values, values
        if any(isinstance(v, bytes) for v in row):
            data = b"".join(self.value(t, v) for (_, _, t), v in zip(form, row))
        else:
            data = c.packed.pack(*row)
        return self.instance(at or self.reserve(cname), c.id, data)

    def refs(self, cname, ids, at=None):
        at = at or self.place(self.array_bytes(OBJECT, len(ids)))
        self.add(b"\x22" + self.id(at) + struct.pack(">II", self.trace, len(ids)) +
                 self.id(self.classes[cname].id) + struct.pack(">%d%s" % (len(ids), self.letter), *ids))
        return at

    def prims(self, t, values, at=None):
        data = values if isinstance(values, bytes) else b"".join(self.value(t, v) for v in values)
        n = len(data) // WIDTH[t]
        at = at or self.place(self.array_bytes(t, n))
        self.add(b"\x23" + self.id(at) + struct.pack(">IIB", self.trace, n, t) + data)
        return at

    def text(self, s, at=None):
        """A java.lang.String and its characters."""
        units = s.encode("utf-16-be", "surrogatepass")
        if self.string_form == "art":
            return self.art_text(s, units)
        at = at or self.reserve("java.lang.String")
        if self.string_form == "char":
            return self.obj("java.lang.String", at, value=self.prims(CHAR, units), offset=0, count=len(units) // 2)
        if max(map(ord, s), default=0) < 256:
            return self.obj("java.lang.String", at, value=self.prims(BYTE, s.encode("latin-1")))
        little = s.encode("utf-16-le", "surrogatepass")
        return self.obj("java.lang.String", at, value=self.prims(BYTE, little), coder=1)

    def art_text(self, s, units):
        """Characters live in the string itself; the dump shows them as an array inside."""
        plain = s != "" and all(0 < ord(ch) < 128 for ch in s)
        data = s.encode() if plain else units
        at = self.place(16 + len(data))
        value = at + (16 if s else 8)
        self.obj("java.lang.String", at, count=len(units) // 2, value=value)
        self.prims(BYTE if plain or not s else CHAR, data, value)
        return at

    # ---- roots and threads ------------------------------------------------------------------

    def root(self, kind, at, *more):
        tag = ROOTS[kind] if isinstance(kind, str) else kind
        if tag == 1:
            body = self.id(more[0] if more else 0x3e)
        else:
            body = b"".join(struct.pack(">I", v & 0xffffffff) for v in more)
        self.add(bytes([tag]) + self.id(at) + body, front=True)

    def frame(self, at, cname, method, signature, file, line, serial=None):
        self.head.append((4, at, self.name(method), self.name(signature), self.name(file) if file else 0,
                          self.serials.get(cname, 0) if serial is None else serial, line))
        return at

    def stack(self, serial, thread, frames):
        self.head.append((5, serial, thread, list(frames)))

    def part(self, name):
        """A heap of Android: what follows belongs to it."""
        if self.part_now != name:
            self.part_now = name
            number = {"default": 0, "app": 65, "zygote": 90, "image": 73}[name]
            self.add(struct.pack(">BI", 0xfe, number) + self.id(self.name(name)))

    # ---- the whole ----------------------------------------------------------------------------

    def head_record(self, h):
        if isinstance(h, bytes):
            return h
        if h[0] == 2:
            return self.record(2, struct.pack(">I", h[1]) + self.id(h[2]) + struct.pack(">I", self.trace) + self.id(h[3]))
        if h[0] == 4:
            return self.record(4, b"".join(map(self.id, h[1:5])) + struct.pack(">Ii", h[5], h[6]))
        return self.record(5, struct.pack(">III", h[1], h[2], len(h[3])) + b"".join(map(self.id, h[3])))

    def subs(self):
        """The sub-records in the order of the file."""
        return [self.class_record(s) if isinstance(s, Class) else s for s in self.front + self.items]

    def segments(self, subs):
        if not self.segment:
            return self.record(0x0c, b"".join(subs))
        out, now = [], b""
        for s in subs:
            if now and len(now) + len(s) > self.segment:
                out.append(self.record(0x1c, now))
                now = b""
            now += s
        if now:
            out.append(self.record(0x1c, now))
        return b"".join(out) + self.record(0x2c, b"")

    def start(self):
        return b"JAVA PROFILE " + self.version.encode() + struct.pack(">BIQ", 0, self.ids, 1500000000000)

    def names_part(self):
        """The records in front of the heap; call after subs(), which may still name things."""
        rest = [self.head_record(h) for h in self.head]
        texts = [self.record(1, self.id(i) + raw) for raw, i in self.strings.items()]
        return b"".join(texts + rest)

    def build(self):
        body = self.segments(self.subs())
        return self.start() + self.names_part() + body + b"".join(self.tail)
