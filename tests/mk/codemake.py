#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""codemake.py jar|dex|class SEED OUT [METHODS]: bytecode that gets, uses, closes and loses Cursors at random, with helpers to do so.

The same statements become a class file, or a jar of it, and a dex file.  Between statements the stack of a class file is empty, so
that a branch may lead to any of them; handlers are at the end and jump back into the middle."""
import hashlib, random, struct, sys, zipfile, zlib

CURSOR, WRAPPER, DB = "android/database/Cursor", "android/database/CursorWrapper", "demo/Db"
NAME = "demo/Random"
L = "L%s;"
QUERY = (DB, "query", "()" + L % CURSOR, "interface")
LOG = (DB, "log", "()V", "interface")
OPS = [(CURSOR, "getCount", "()I", "interface"), (CURSOR, "moveToFirst", "()Z", "interface")]
CLOSE, IS_CLOSED = (CURSOR, "close", "()V", "interface"), (CURSOR, "isClosed", "()Z", "interface")
HELPERS = [(NAME, n, "(%s)V" % (L % CURSOR), "static") for n in ("closes", "looks", "keeps", "maybe", "chain", "loop")]
FOREIGN = ("lib/Util", "take", "(%s)V" % (L % CURSOR), "static")
FIELD, DBFIELD = (NAME, "kept", L % CURSOR), (NAME, "db", L % DB)
def mutf8(s):
    """modified UTF-8: halves of characters beyond U+FFFF are three bytes each, and NUL two"""
    units = struct.unpack(">%dH" % (len(s.encode("utf-16-be", "surrogatepass")) // 2), s.encode("utf-16-be", "surrogatepass"))
    return len(units), b"".join(b"\xc0\x80" if u == 0 else chr(u).encode("utf-8", "surrogatepass") for u in units)
TYPES = [CURSOR, "java/io/Closeable", "java/lang/AutoCloseable", "java/lang/Object", "java/lang/String", "android/database/MatrixCursor"]
CATCHES = [None, "java/lang/Throwable", "java/lang/Exception", "java/lang/IllegalStateException"]

# ---- programs: lists of statements; a statement is a tuple, its label is its place

def helper(name):
    """of a method with one argument, the cursor, in variable 1 (0 is not used)"""
    return {"closes": [("ifnull", 1, 2), ("use", 1, CLOSE), ("return",)], "looks": [("use", 1, IS_CLOSED), ("return",)],
            "keeps": [("put", 1), ("return",)], "maybe": [("ifflag", 2), ("use", 1, CLOSE), ("return",)],
            "chain": [("call", 1, HELPERS[0]), ("return",)], "loop": [("call", 1, HELPERS[5]), ("return",)]}[name]

def program(r):
    """main statements, handlers: (first, last + 1, statement of the handler, type)"""
    n = r.randrange(4, 14)
    label = lambda: r.randrange(n + 1)
    var = lambda: r.choice((1, 1, 1, 2))
    def statement():
        k = r.randrange(29)
        if k < 5: return ("query", var())
        if k < 9: return ("use", var(), r.choice(OPS))
        if k < 12: return ("use", var(), CLOSE)
        if k < 14: return (r.choice(("ifnull", "ifnonnull")), var(), label())
        if k == 14: return ("ifclosed", var(), label())
        if k == 15: return ("ifflag", label())
        if k == 16: return ("flag", r.randrange(3))
        if k == 17: return ("null", var())
        if k == 18: return ("copy", 1, 2)
        if k == 19: return ("call", var(), r.choice(HELPERS + [FOREIGN]))
        if k == 20: return ("put", var())
        if k == 21: return ("wrap", var())
        if k == 22: return ("log",)
        if k == 23: return ("same", label())
        if k == 24: return ("goto", label())
        if k == 25: return ("switch", [label() for _ in range(r.randrange(1, 4))])
        if k < 28: return ("ifis", var(), r.choice(TYPES), r.randrange(2), label())
        return (r.choice(("return", "give", "throw")),)
    body = [("null", 1), ("null", 2), ("flag", 0), ("query", 1)] + [statement() for _ in range(n)] + [("return",)]
    n = len(body) - 1
    tries = []
    for _ in range(r.randrange(3)):
        start = r.randrange(3, n); end = r.randrange(start + 1, n + 1)
        tries.append((start, end, len(body), r.choice(CATCHES)))
        body += [("handler",)] + [statement() for _ in range(r.randrange(3))] + [r.choice((("rethrow",), ("goto", r.randrange(4, n + 1)), ("return",)))]
    return body, tries

def methods(seed, count):
    """(name, descriptor, static, statements, tries)"""
    r = random.Random(seed)
    out = [(h[1], h[2], True, helper(h[1]), []) for h in HELPERS]
    for i in range(count):
        body, tries = program(r)
        out.append(("m%d" % i, "()" + L % CURSOR, False, body, tries))
    return out

# ---- class files

class Pool:
    def __init__(self): self.items, self.n, self.known = b"", 1, {}
    def add(self, key, data):
        if key not in self.known: self.known[key] = self.n; self.items += data; self.n += 1
        return self.known[key]
    def utf(self, s): b = mutf8(s)[1]; return self.add(("u", s), struct.pack(">BH", 1, len(b)) + b)
    def klass(self, s): u = self.utf(s); return self.add(("c", s), struct.pack(">BH", 7, u))
    def text(self, s): u = self.utf(s); return self.add(("s", s), struct.pack(">BH", 8, u))
    def wide(self, tag, bits):
        i = self.add((tag, bits), struct.pack(">BQ", tag, bits)); self.n += self.n == i + 1
        return i
    def ref(self, m, tag):
        c, name, desc = self.klass(m[0]), self.utf(m[1]), self.utf(m[2])
        nt = self.add(("n", m[1], m[2]), struct.pack(">BHH", 12, name, desc))
        return self.add((tag,) + m[:3], struct.pack(">BHH", tag, c, nt))

class JvmCode:
    """variable v is local v; 3 is the flag, 4 what was caught"""
    def __init__(self, pool, static): self.p, self.c, self.fix, self.static = pool, bytearray(), [], static
    def invoke(self, m):
        if m[3] == "interface": self.c += struct.pack(">BHBB", 0xb9, self.p.ref(m, 11), 1, 0)
        else: self.c += struct.pack(">BH", 0xb8, self.p.ref(m, 10))
    def load(self, v): self.c += bytes((0x19, v - self.static))
    def branch(self, op, to): self.fix.append((len(self.c), len(self.c) + 1, 2, to)); self.c += bytes((op, 0, 0))
    def db(self): self.c += struct.pack(">BBH", 0x2a, 0xb4, self.p.ref(DBFIELD, 9))
    def statement(self, s):
        k, c = s[0], self.c
        if k == "query": self.db(); self.invoke(QUERY); c += bytes((0x3a, s[1]))
        elif k == "log": self.db(); self.invoke(LOG)
        elif k == "text": c += struct.pack(">BHB", 0x13, self.p.text(s[1]), 0x57)
        elif k == "float": c += struct.pack(">BHB", 0x13, self.p.add(s, struct.pack(">BI", 4, s[1])), 0x57)
        elif k == "double": c += struct.pack(">BHB", 0x14, self.p.wide(6, s[1]), 0x58)
        elif k == "use":
            self.load(s[1]); self.invoke(s[2])
            if s[2][2][-1] != "V": c += b"\x57"
        elif k == "call": self.load(s[1]); self.invoke(s[2])
        elif k in ("ifnull", "ifnonnull"): self.load(s[1]); self.branch(0xc6 if k == "ifnull" else 0xc7, s[2])
        elif k == "ifclosed": self.load(s[1]); self.invoke(IS_CLOSED); self.branch(0x9a, s[2])
        elif k == "ifis": self.load(s[1]); c += struct.pack(">BH", 0xc1, self.p.klass(s[2])); self.branch(0x99 + s[3], s[4])
        elif k == "do": self.db(); self.invoke((DB, s[1], "()V", "interface"))
        elif k == "ifdo": self.db(); self.invoke((DB, s[1], "()Z", "interface")); self.branch(0x99, s[2])
        elif k == "run": self.invoke((NAME, s[1], "()V", "static"))
        elif k == "above": c += struct.pack(">BBH", 0x2a, 0xb7, self.p.ref(("java/lang/Object", s[1], "()V"), 10))
        elif k == "ifflag": c += b"\x15\x03"; self.branch(0x99, s[1])
        elif k == "ifdb": self.db(); self.branch(0xc6, s[1])
        elif k == "super": c += b"\x2a"; self.load(s[1]); c += struct.pack(">BH", 0xb7, self.p.ref((s[2], "<init>", "(%s)V" % (L % s[3])), 10))
        elif k == "cleardb": c += struct.pack(">BBBH", 0x2a, 1, 0xb5, self.p.ref(DBFIELD, 9))
        elif k == "flag": c += bytes((3 + s[1], 0x36, 3))
        elif k == "null": c += bytes((1, 0x3a, s[1]))
        elif k == "copy": self.load(s[1]); c += bytes((0x59, 0x57, 0x3a, s[2]))
        elif k == "put": self.load(s[1]); c += struct.pack(">BH", 0xb3, self.p.ref(FIELD, 9))
        elif k == "wrap":
            outer, inner = s[2:] or (WRAPPER, CURSOR)
            c += struct.pack(">BHB", 0xbb, self.p.klass(outer), 0x59); self.load(s[1])
            c += struct.pack(">BHBB", 0xb7, self.p.ref((outer, "<init>", "(%s)V" % (L % inner)), 10), 0x3a, s[1])
        elif k == "new":
            c += struct.pack(">BHBB", 0xbb, self.p.klass(s[2]), 0x59, 1)
            c += struct.pack(">BHBB", 0xb7, self.p.ref((s[2], "<init>", "(%s)V" % (L % s[3])), 10), 0x3a, s[1] - self.static)
        elif k == "same": self.load(1); self.load(2); self.branch(0xa5, s[1])
        elif k == "goto": self.branch(0xa7, s[1])
        elif k == "switch":
            at = len(c); c += b"\x15\x03\xaa"; op = len(c) - 1
            c += b"\0" * (-len(c) % 4); self.fix.append((op, len(c), 4, s[1][0])); c += struct.pack(">iii", 0, 0, len(s[1]) - 1)
            for t in s[1]: self.fix.append((op, len(c), 4, t)); c += b"\0" * 4
        elif k == "return": c += b"\xb1" if self.static else b"\x01\xb0"
        elif k == "give": self.load(1); c += b"\xb0"
        elif k == "throw": c += struct.pack(">BHBB", 0xbb, self.p.klass("java/lang/IllegalStateException"), 0x57, 0x19) + b"\x04\xbf"
        elif k == "handler": c += b"\x3a\x04"
        elif k == "rethrow": c += b"\x19\x04\xbf"
        else: raise KeyError(k)

def stack_map(p, at, size):
    """a frame of each kind in turn, at the statements; one local is given, and a method has room for 5, and 4 on the stack"""
    kinds = [b"\0", b"\1", b"\2", b"\3", b"\4", b"\5", b"\6", struct.pack(">BH", 7, p.klass(CURSOR)), struct.pack(">BH", 8, 259)]
    last, n, out, count = -1, 1, b"", 0
    for i, a in enumerate(at):
        if a <= last or a >= size: continue
        delta, k = a - last - 1, i % 8
        types = lambda m: b"".join(kinds[(i + x) % 9] for x in range(m))
        wide = lambda kind: struct.pack(">BH", kind, delta)
        if k < 2 and n + k + 1 <= 5: out += wide(252 + k) + types(k + 1); n += k + 1
        elif k == 2 and n > 1: out += wide(249); n -= 2
        elif k == 3: n = i % 6; out += wide(255) + struct.pack(">H", n) + types(n) + struct.pack(">H", i % 5) + types(i % 5)
        elif k == 4: out += wide(247) + types(1)
        elif k == 5 and delta < 64: out += bytes((64 + delta,)) + types(1)
        elif k == 6 and delta < 64: out += bytes((delta,))
        else: out += wide(251)
        last, count = a, count + 1
    return struct.pack(">H", count) + out

def class_file(ms, unknown=False):
    """unknown: with an attribute of no class file format at each level"""
    p = Pool()
    zebra = lambda level: struct.pack(">HI6s", p.utf(level + "Zebra"), 6, b"zebras") if unknown else b""
    head = struct.pack(">HHHH", 0x21, p.klass(NAME), p.klass("java/lang/Object"), 0)
    fields = b"".join(struct.pack(">HHHH", 8 if f is FIELD else 0, p.utf(f[1]), p.utf(f[2]), unknown) + zebra("Field") for f in (FIELD, DBFIELD))
    body = b""
    for name, desc, static, statements, tries in ms:
        j, at = JvmCode(p, static), []
        for s in statements: at.append(len(j.c)); j.statement(s)
        for op, where, width, to in j.fix: j.c[where:where+width] = (at[to] - op).to_bytes(width, "big", signed=True)
        table = b"".join(struct.pack(">HHHH", at[s], at[e], at[h], p.klass(t) if t else 0) for s, e, h, t in tries)
        lines = b"".join(struct.pack(">HH", a, 10 + i) for i, a in enumerate(at))
        more = [(a, b, i) for i, (a, b) in enumerate(zip(at, at[2:])) if i % 2 == 0]
        variables = struct.pack(">HHHHHH", 1 + len(more), 0, len(j.c), p.utf("c"), p.utf(L % CURSOR), 1)
        variables += b"".join(struct.pack(">HHHHH", a, b - a, p.utf("v%d" % i), p.utf(("I", "[J", "Lx/Y;")[i % 3]), 2 + i % 3) for a, b, i in more)
        frames = stack_map(p, at, len(j.c))
        attrs = struct.pack(">HIH", p.utf("LineNumberTable"), 2 + len(lines), len(at)) + lines
        attrs += struct.pack(">HI", p.utf("LocalVariableTable"), len(variables)) + variables
        attrs += struct.pack(">HI", p.utf("StackMapTable"), len(frames)) + frames
        code = struct.pack(">HHI", 4, 5, len(j.c)) + j.c + struct.pack(">H", len(tries)) + table + struct.pack(">H", 3 + unknown) + attrs + zebra("Code")
        body += struct.pack(">HHHHHI", 9 if static else 1, p.utf(name), p.utf(desc), 1 + unknown, p.utf("Code"), len(code)) + code + zebra("Method")
    source = struct.pack(">HIH", p.utf("SourceFile"), 2, p.utf("Random.java")) + zebra("Class")
    components = struct.pack(">H", 2) + b"".join(struct.pack(">HHH", p.utf(f[1]), p.utf(f[2]), 1) + zebra("Component") for f in (FIELD, DBFIELD))
    source += struct.pack(">HI", p.utf("Record"), len(components)) + components if unknown else b""
    return struct.pack(">IHHH", 0xcafebabe, 0, 52, p.n) + p.items + head + struct.pack(">H", 2) + fields + struct.pack(">H", len(ms)) + body + struct.pack(">H", 1 + 2 * unknown) + source

# ---- dex files

def uleb(v):
    out = b""
    while True:
        b = v & 127; v >>= 7
        out += bytes((b | (128 if v else 0),))
        if not v: return out
def sleb(v):
    out = b""
    while True:
        b = v & 127; v >>= 7
        done = v == 0 and not b & 64 or v == -1 and b & 64
        out += bytes((b | (0 if done else 128),))
        if done: return out

def split(desc):
    args, i = [], 1
    while desc[i] != ")":
        j = desc.index(";", i) + 1 if desc[i] == "L" else i + 1
        args.append(desc[i:j]); i = j
    return args, desc[i+1:]
def shorty(desc):
    args, ret = split(desc)
    return "".join(x[0] for x in [ret] + args)

class Dex:
    """what is named is collected in a first run, in which all numbers are 0, and numbered for the second one"""
    def __init__(self): self.strings, self.types, self.protos, self.fields, self.meths, self.final = set(), set(), set(), set(), set(), False
    def number(self, name, key):
        s = getattr(self, name)
        if self.final: return s.index(key)
        s.add(key); return 0
    def type(self, t): self.number("strings", t); return self.number("types", t)
    def method(self, m):
        self.number("strings", m[1]); self.number("strings", shorty(m[2])); self.type(L % m[0])
        args, ret = split(m[2])
        for t in args + [ret]: self.type(t)
        self.number("protos", m[2]); return self.number("meths", m[:3])
    def field(self, f): self.number("strings", f[1]); self.type(L % f[0]); self.type(f[2]); return self.number("fields", f)
    def seal(self):
        self.strings = sorted(self.strings); self.types = sorted(self.types, key=self.strings.index)
        kind = lambda d: (self.types.index(split(d)[1]), [self.types.index(t) for t in split(d)[0]])
        self.protos = sorted(self.protos, key=kind)
        self.meths = sorted(self.meths, key=lambda m: (self.types.index(L % m[0]), self.strings.index(m[1]), self.protos.index(m[2])))
        self.fields = sorted(self.fields, key=lambda f: (self.types.index(L % f[0]), self.strings.index(f[1]), self.types.index(f[2])))
        self.final = True

class DexCode:
    """registers: variables 1 to 4 as in class files, 0 for what comes between; this, or the argument, is 5"""
    def __init__(self, d, static): self.d, self.c, self.fix, self.static, self.tail = d, [], [], static, []
    def invoke(self, m, *regs):
        op = 0x72 if m[3] == "interface" else 0x71 if m[3] == "static" else 0x70
        self.c += [op | len(regs) << 12, self.d.method(m), sum(r << 4 * i for i, r in enumerate(regs))]
    def branch(self, op, reg, to): self.fix.append((len(self.c), to)); self.c += [op | reg << 8, 0]
    def db(self): self.c += [0x54 | 0 << 8 | 5 << 12, self.d.field(DBFIELD)]
    def var(self, v): return 5 if self.static and v == 1 else v
    def statement(self, s):
        k, c = s[0], self.c
        if k == "query": self.db(); self.invoke(QUERY, 0); c.append(0x0c | s[1] << 8)
        elif k == "log": self.db(); self.invoke(LOG, 0)
        elif k == "text": c += [0x1a, self.d.number("strings", s[1])]
        elif k in ("use", "call"): self.invoke(s[2], self.var(s[1]))
        elif k in ("ifnull", "ifnonnull"): self.branch(0x38 if k == "ifnull" else 0x39, self.var(s[1]), s[2])
        elif k == "ifclosed": self.invoke(IS_CLOSED, self.var(s[1])); c.append(0x0a); self.branch(0x39, 0, s[2])
        elif k == "ifis": c += [0x20 | self.var(s[1]) << 12, self.d.type(L % s[2])]; self.branch(0x38 + s[3], 0, s[4])
        elif k == "do": self.db(); self.invoke((DB, s[1], "()V", "interface"), 0)
        elif k == "ifdo": self.db(); self.invoke((DB, s[1], "()Z", "interface"), 0); c.append(0x0a); self.branch(0x38, 0, s[2])
        elif k == "run": self.invoke((NAME, s[1], "()V", "static"))
        elif k == "above": c += [0x6f | 1 << 12, self.d.method(("java/lang/Object", s[1], "()V")), 5]
        elif k == "ifflag": self.branch(0x38, 3, s[1])
        elif k == "ifdb": self.db(); self.branch(0x38, 0, s[1])
        elif k == "super": self.invoke((s[2], "<init>", "(%s)V" % (L % s[3]), "direct"), 5, s[1])
        elif k == "cleardb": c += [0x12, 0x5b | 0 << 8 | 5 << 12, self.d.field(DBFIELD)]
        elif k == "flag": c.append(0x12 | 3 << 8 | s[1] << 12)
        elif k == "null": c.append(0x12 | s[1] << 8)
        elif k == "copy": c.append(0x07 | s[2] << 8 | s[1] << 12)
        elif k == "put": c += [0x69 | self.var(s[1]) << 8, self.d.field(FIELD)]
        elif k == "wrap":
            outer, inner = s[2:] or (WRAPPER, CURSOR)
            c += [0x22 | 0 << 8, self.d.type(L % outer)]
            self.invoke((outer, "<init>", "(%s)V" % (L % inner), "direct"), 0, s[1]); c.append(0x07 | s[1] << 8)
        elif k == "new":
            c += [0x22 | 0 << 8, self.d.type(L % s[2]), 0x12 | 4 << 8]
            self.invoke((s[2], "<init>", "(%s)V" % (L % s[3]), "direct"), 0, 4); c.append(0x07 | self.var(s[1]) << 8)
        elif k == "same": self.fix.append((len(c), s[1])); c += [0x32 | 1 << 8 | 2 << 12, 0]
        elif k == "goto": self.fix.append((len(c), s[1])); c += [0x29, 0]
        elif k == "switch": self.tail.append((len(c), s[1])); c += [0x2b | 3 << 8, 0, 0]
        elif k == "return": c.extend([0x0e] if self.static else [0x12, 0x11])
        elif k == "give": c.append(0x11 | 1 << 8)
        elif k == "throw": c += [0x22 | 0 << 8, self.d.type("Ljava/lang/IllegalStateException;"), 0x27]
        elif k == "handler": c.append(0x0d | 4 << 8)
        elif k == "rethrow": c.append(0x27 | 4 << 8)
        else: raise KeyError(k)
    def finish(self, at):
        for where, to in self.fix: self.c[where+1] = at[to] - where & 0xffff
        for where, targets in self.tail:
            if len(self.c) & 1: self.c.append(0)
            self.c[where+1] = len(self.c) - where
            self.c += [0x100, len(targets), 0, 0]
            for t in targets: self.c += [at[t] - where & 0xffff, (at[t] - where) >> 16 & 0xffff]

def debug_locals(d, i):
    """after statement i a local begins, ends, or begins again, in one of the first 4 registers or behind the last one"""
    reg = uleb(1 + i % 4 if i % 11 else 70000)
    name, kind = uleb(1 + d.number("strings", "v%d" % i)), uleb(1 + d.type(("I", L % CURSOR)[i % 2]))
    return (b"\3" + reg + name + kind, b"\4" + reg + name + kind + name, b"\5" + uleb(1 + i // 3 % 4), b"\6" + uleb(1 + i // 2 % 4), b"\3" + reg + b"\0\0")[i * i % 5]

def code_item(d, desc, static, statements, tries):
    x, at = DexCode(d, static), []
    for s in statements: at.append(len(x.c)); x.statement(s)
    x.finish(at)
    edges = sorted({at[p] for s, e, _, _ in tries for p in (s, e)})
    items, lists, known = b"", b"", {}
    pieces = []
    for a, b in zip(edges, edges[1:]):
        hs = [(t, at[h]) for s, e, h, t in tries if at[s] <= a and b <= at[e]]
        if not hs: continue
        typed = [h for i, h in enumerate(hs) if h[0] and None not in [t for t, _ in hs[:i]]]
        rest = [h for t, h in hs if t is None][:1]
        data = sleb(-len(typed) if rest else len(typed)) + b"".join(uleb(d.type(L % t)) + uleb(h) for t, h in typed) + (uleb(rest[0]) if rest else b"")
        pieces.append((a, b - a, data))
    lists = uleb(len({p[2] for p in pieces}))
    for _, _, data in pieces:
        if data not in known: known[data] = len(lists); lists += data
    items = b"".join(struct.pack("<IHH", a, n, known[data]) for a, n, data in pieces)
    args = split(desc)[0]
    debug = uleb(10) + uleb(len(args)) + b"".join(uleb(1 + d.number("strings", "p%d" % i) if i % 4 != 3 else 0) for i in range(len(args)))
    last, line = 0, 10
    for i, a in enumerate(at): debug += bytes((1,)) + uleb(a - last) + bytes((2,)) + sleb(10 + i - line) + debug_locals(d, i) + bytes((14,)); last, line = a, 10 + i
    debug += b"\0"
    ins = sum(2 if a in "JD" else 1 for a in args) + (not static)
    code = struct.pack("<HHHHII", 5 + ins, ins, 2, len(pieces), 0, len(x.c)) + struct.pack("<%dH" % len(x.c), *x.c)
    if pieces: code += (b"\0\0" if len(x.c) & 1 else b"") + items + lists
    return code, debug

def dex_file(ms, version=b"035"):
    d = Dex()
    d.number("strings", "Random.java"); d.type("Ljava/lang/Object;"); d.type(L % NAME)
    for m in ms: d.method((NAME,) + m[:2]); code_item(d, *m[1:])
    for f in (FIELD, DBFIELD): d.field(f)
    d.seal()
    counts = [len(x) for x in (d.strings, d.types, d.protos, d.fields, d.meths)] + [1]
    widths, offsets, at = (4, 4, 12, 8, 8, 32), [], 112
    for n, w in zip(counts, widths): offsets.append(at); at += n * w
    data = b""
    def put(b, align=1):
        nonlocal data
        data += b"\0" * (-(at + len(data)) % align); data += b
        return at + len(data) - len(b)
    strings = [put(uleb(mutf8(s)[0]) + mutf8(s)[1] + b"\0") for s in d.strings]
    lists = {}
    for p in d.protos:
        a = split(p)[0]
        lists[p] = put(struct.pack("<I%dH" % len(a), len(a), *map(d.types.index, a)), 4) if a else 0
    offs = {}
    for m in ms:
        code, debug = code_item(d, *m[1:])
        where = put(debug)
        offs[m[:2]] = put(code[:8] + struct.pack("<I", where) + code[12:], 4)
    groups, n = b"", []
    for static in (True, False):
        last, mine = 0, sorted((d.meths.index((NAME,) + m[:2]), m) for m in ms if m[2] == static)
        n.append(len(mine))
        for i, m in mine: groups += uleb(i - last) + uleb(9 if static else 1) + uleb(offs[m[:2]]); last = i
    class_data = put(uleb(0) + uleb(0) + uleb(n[0]) + uleb(n[1]) + groups)
    tables = struct.pack("<%dI" % len(strings), *strings) + struct.pack("<%dI" % len(d.types), *map(d.strings.index, d.types))
    tables += b"".join(struct.pack("<III", d.strings.index(shorty(p)), d.types.index(split(p)[1]), lists[p]) for p in d.protos)
    tables += b"".join(struct.pack("<HHI", d.types.index(L % f[0]), d.types.index(f[2]), d.strings.index(f[1])) for f in d.fields)
    tables += b"".join(struct.pack("<HHI", d.types.index(L % m[0]), d.protos.index(m[2]), d.strings.index(m[1])) for m in d.meths)
    tables += struct.pack("<8I", d.types.index(L % NAME), 1, d.types.index("Ljava/lang/Object;"), 0, d.strings.index("Random.java"), 0, class_data, 0)
    size = at + len(data)
    head = struct.pack("<IIIIII", size, 112, 0x12345678, 0, 0, 0) + b"".join(struct.pack("<II", c, o) for c, o in zip(counts, offsets)) + struct.pack("<II", len(data), at)
    rest = head + tables + data
    rest = hashlib.sha1(rest).digest() + rest
    return b"dex\n" + version + b"\0" + struct.pack("<I", zlib.adler32(rest)) + rest

def jar(files):
    import io
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, b in files: z.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), b, zipfile.ZIP_DEFLATED)
    return out.getvalue()

def main(kind, seed, out, count="8"):
    ms = methods(int(seed), int(count))
    b = {"class": lambda: class_file(ms), "dex": lambda: dex_file(ms), "jar": lambda: jar([(NAME + ".class", class_file(ms))]),
         "apk": lambda: jar([("AndroidManifest.xml", b"<manifest/>"), ("classes.dex", dex_file(ms))])}[kind]()
    with open(out, "wb") as f: f.write(b)

if __name__ == "__main__": main(*sys.argv[1:])
