#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""redactcheck.py BUILD SCRATCH - icecore redact against the slow program redact.py, as TAP.

Synthetic dumps with what is special, the demos, damaged copies; answers before and after; what a packed output looks like;
exit codes; and, where a JDK is, the dump of a program full of secrets.  corpus.py calls check_corpus.
"""
import gzip
import os
import random
import shutil
import socket
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heapcases  # noqa: E402
import heaptroubles  # noqa: E402
import redact as oracle  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

KEY = bytes(range(32))
LARGE = 64 << 20              # bytes of a dump that is not redacted
WAYS = [(m, n) for m in ("shape", "stable") for n in ("keep", "hash", "hash-all")]
QUESTIONS = ("classes", "dominators", "findings | select severity kind retained percent count object class signature related",
             "collections | select object size capacity fill_ratio waste", "bitmaps | select object width height bytes recycled premultiplied")
SECRETS = ("hunter2-password", "secret-host", "prop-secret", "alice@example.com", "owner-Zo", "tok_", "blob-secret", "char-secret",
           "dup-secret-value", "key-49")
NUMBERS = (struct.pack(">i", 0x5EC0DE07), struct.pack("<i", 0x5EC0DE07), struct.pack(">q", 0x5EC4E77A11 + 7),
           struct.pack(">i", 0x5EC1A700), struct.pack(">q", 4111111111111111), struct.pack(">i", 918273645))


class Tool:
    def __init__(self, build, scratch):
        self.icecore, self.scratch = os.path.join(os.path.abspath(build), "icecore"), scratch
        self.program = answers.Program(self.icecore)
        self.key = self.path("key")
        with open(self.key, "wb") as f:
            f.write(KEY)
        os.chmod(self.key, 0o600)
        self.kept = self.path("kept")
        with open(self.kept, "wb") as f:
            f.write(self.run("--list-kept").stdout)
        self.pairs = oracle.kept_of(self.kept)

    def path(self, name):
        return os.path.join(self.scratch, name)

    def run(self, *args, **more):
        if more:
            return subprocess.run([self.icecore, "redact"] + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **more)
        return answers.quick(self.icecore).result(["redact", *args])

    def options(self, mode, names):
        return ["--mode", mode, "--names", names] + (["--key-file", self.key] if (mode, names) != ("shape", "keep") else [])

    def redacted(self, data, mode="shape", names="keep", more=()):
        """(status, bytes) of a dump."""
        src, out = self.path("in.hprof"), self.path("out.hprof")
        with open(src, "wb") as f:
            f.write(data)
        p = self.run("--quiet", "--force", *self.options(mode, names), *more, src, out)
        if p.returncode not in (0, 3):
            raise ValueError("status %d: %s" % (p.returncode, p.stderr.decode()))
        with open(out, "rb") as f:
            return p.returncode, f.read()

    def wanted(self, data, mode="shape", names="keep"):
        return bytes(oracle.Redact(data, mode, names, KEY, self.pairs, False).run())


# ---- a dump, record by record ------------------------------------------------------------------------


class Maker:
    def __init__(self, ids=8, version=b"1.0.2"):
        self.I, self.out = ids, bytearray(b"JAVA PROFILE " + version + b"\0" + struct.pack(">IQ", ids, 1700000000000))
        self.strings, self.heap = {}, bytearray()

    def i(self, n):
        return n.to_bytes(self.I, "big")

    def record(self, tag, body, length=None):
        self.out += struct.pack(">BII", tag, 0, len(body) if length is None else length) + body

    def string(self, text, sid=None):
        if sid is None:
            sid = self.strings.setdefault(text, 1000 + len(self.strings))
            if sid != 999 + len(self.strings):
                return sid
        self.record(1, self.i(sid) + (text if isinstance(text, bytes) else text.encode()))
        return sid

    def load(self, serial, cls, name):
        self.record(2, struct.pack(">I", serial) + self.i(cls) + bytes(4) + self.i(self.string(name)))

    def cls(self, cls, sup, fields=(), statics=(), pool=(), size=16):
        b = b"\x20" + self.i(cls) + bytes(4) + self.i(sup) + self.i(0) * 5 + struct.pack(">I", size)
        b += struct.pack(">H", len(pool)) + b"".join(struct.pack(">HB", k, t) + v for k, (t, v) in enumerate(pool))
        b += struct.pack(">H", len(statics)) + b"".join(self.i(self.string(n)) + bytes((t,)) + v for n, t, v in statics)
        b += struct.pack(">H", len(fields)) + b"".join(self.i(self.string(n)) + bytes((t,)) for n, t in fields)
        self.heap += b

    def instance(self, at, cls, data):
        self.heap += b"\x21" + self.i(at) + bytes(4) + self.i(cls) + struct.pack(">I", len(data)) + data

    def prims(self, at, t, data, tag=0x23):
        self.heap += bytes((tag,)) + self.i(at) + bytes(4) + struct.pack(">IB", len(data) // oracle.SIZE[t], t) + data

    def objects(self, at, cls, refs):
        self.heap += b"\x22" + self.i(at) + bytes(4) + struct.pack(">I", len(refs)) + self.i(cls) + b"".join(map(self.i, refs))

    def root(self, tag, at, rest=b""):
        self.heap += bytes((tag,)) + self.i(at) + rest

    def segment(self, tag=0x1C, length=None):
        heap, self.heap = self.heap, bytearray()
        self.record(tag, heap, length)

    def end(self):
        self.record(0x2C, b"")
        return bytes(self.out)


def values(m, salt=0):
    """A value of each type that is not 0."""
    return [(2, m.i(0x9000 + salt)), (4, b"\x01"), (5, b"\0Q"), (6, struct.pack(">f", 1.5 + salt)), (7, struct.pack(">d", 2.5)),
            (8, b"\x5e"), (9, b"\x5e\xc0"), (10, struct.pack(">I", 0x5EC0DE00 + salt)), (11, struct.pack(">Q", 0x5EC4E77A11 + salt))]


def everything(ids=8, repeat=3):
    m = Maker(ids)
    vs = values(m)
    m.string("the secret of a literal")
    m.string("alice@example.com")
    m.load(1, 0x100, "java/lang/Object")
    m.load(2, 0x110, "com/acme/Base")
    m.load(3, 0x120, "com/acme/Order$1")
    m.load(4, 0x130, "java/util/ArrayList")
    m.load(5, 0x140, "[Lcom/acme/Order;")
    m.load(6, 0x150, "[I")
    m.load(7, 0x160, "com/acme/Svc$$Lambda+0x00007f1200c0")
    m.load(8, 0x170, "com.acme.Old[]")
    m.load(9, 0x180, "com/acme/MyList")
    both = m.string("com/acme/Worker")
    m.load(10, 0x190, "com/acme/Worker")
    for k, (cls, file) in enumerate(((1, "Object.java"), (2, "Base.kt"), (3, "Order.java"))):
        m.record(4, m.i(50 + k) + m.i(m.string("m%d" % k)) + m.i(m.string("(ILcom/acme/Base;[Ljava/lang/String;J)V")) +
                 m.i(m.string(file)) + struct.pack(">Ii", cls, 10 + k))
    m.record(5, struct.pack(">III", 2, 1, 3) + b"".join(m.i(50 + k) for k in range(3)) + b"secret behind the frames")
    m.record(0x0A, struct.pack(">I", 1) + m.i(0x3000) + struct.pack(">I", 2) + m.i(both) + m.i(m.string("group of bob")) + m.i(0))
    m.record(0x0B, struct.pack(">I", 1))
    m.record(0x77, b"an unknown record with a secret")
    m.record(6, struct.pack(">HIIIQQI", 0, 0, 1, 1, 1, 1, 1) + bytes(25))
    m.record(0x0D, struct.pack(">II", 1, 1) + bytes(8))
    m.record(0x0E, struct.pack(">IH", 3, 4) + b"tail")
    every = [("f%d" % t, t) for t, _ in vs]
    m.heap += b"\xfe" + struct.pack(">I", 65) + m.i(m.string("app"))
    m.cls(0x100, 0, [])
    # Used before its superclass is there; the field f10 is in both.
    m.cls(0x120, 0x110, every + [("this$0", 2)], [("s%d" % t, t, v) for t, v in vs], [(t, v) for t, v in vs * 3])
    m.instance(0x2000, 0x120, b"".join(v for _, v in vs) + m.i(0) + b"".join(v for _, v in values(m, 7)))
    m.segment()
    m.cls(0x110, 0x100, every)
    m.cls(0x130, 0x100, [("size", 10), ("elementData", 2)])
    # It has the list's size, and one of its own that stays no secret of the list.
    m.cls(0x180, 0x130, [("size", 11), ("secret", 10)])
    m.cls(0x160, 0x100, [])
    for k in range(repeat):
        m.instance(0x2100 + k * 64, 0x130, struct.pack(">I", k) + m.i(0x2200))
        m.instance(0x2300 + k * 64, 0x120, b"".join(v for _, v in values(m, k)) + m.i(0) + b"".join(v for _, v in values(m, k + 1)))
    m.instance(0x2400, 0x180, struct.pack(">QI", 77, 0x5EC) + struct.pack(">I", 3) + m.i(0x2200))
    m.instance(0x2500, 0x999, b"of no class at all")
    m.instance(0x2580, 0x120, b"\0" * 5)
    m.instance(0x25c0, 0x100, b"more than fields")
    m.objects(0x2200, 0x140, [0x2000, 0])
    for k, (t, v) in enumerate(vs[1:]):
        m.prims(0x2600 + 128 * k, t, v * 7)
        m.prims(0x2e00 + 128 * k, t, b"")
        m.prims(0x3600 + 128 * k, t, bytes(len(v)))
    m.prims(0x4000, 8, b"blob-secret")
    for k, text in enumerate(("main", "Main", "mai", "main2", "DESTROYED", "m\0")):
        m.prims(0x4300 + 128 * k, 8, text.encode())
        m.prims(0x4340 + 128 * k, 5, text.encode("utf-16-be"))
    m.heap += b"\xc3" + m.i(0x4100) + bytes(4) + struct.pack(">IB", 9, 8)
    m.prims(0x4200, 8, b"x")
    m.root(5, 0x100)
    m.root(8, 0x2000, struct.pack(">II", 1, 2))
    m.root(1, 0x2200, m.i(1))
    m.root(3, 0x2300, struct.pack(">II", 1, 0))
    m.segment()
    m.string("com/acme/Late")
    m.string("a text behind the heap")
    return m.end()


def odd():
    """(name, bytes) of special files."""
    yield "all of it, ids of 8 bytes", everything()
    yield "all of it, ids of 4 bytes", everything(4)
    one, two = everything(4, 1), everything(4, 2)
    yield "two dumps in a file", one + two[two.index(b"\0") + 13:]
    yield "records without end", one + struct.pack(">BII", 1, 0, 0xffffffff) + b"secret" * 9
    yield "a heap record of length 0 up to the end", heap_of(0x0C, 0)
    yield "empty segments in a row", heap_of(0x1C, None, b"\x1c" + bytes(8) + b"\x1c" + bytes(8))
    yield "a segment that is longer than it says", heap_of(0x1C, 30)
    yield "a segment that is shorter than it says", heap_of(0x1C, 4000)
    yield "a stack trace with more frames than it has room for", frames_too_many()
    yield "zeros between records", heap_of(0x1C, None, bytes(333))
    yield "an unknown sub-record", heap_of(0x1C, None, sub=b"\x44 and a secret")
    for name, dump in long_arrays():
        yield name, dump
    yield "a superclass that is itself", chain(0x110, ["\x08"])
    yield "a superclass that goes round", chain(0x120, [8, 2])
    yield "1200 superclasses", deep()
    yield "text and name of one id", twice()
    yield "a kept field, then another text of its id", renamed()
    yield "classes of short names", short_names()
    yield "names made of other names", made_names()
    yield "a header and nothing else", one[:one.index(b"\0") + 13]


def frames_too_many():
    m = Maker(4)
    m.record(5, struct.pack(">III", 1, 1, 1000) + m.i(7))
    m.prims(0x500, 8, b"hunter2-password" * 300)
    m.segment()
    return m.end()


SWALLOWED = b"swallowed-secret"


def wrong_counts():
    """(name, bytes) of records whose length and count differ, so that the next record is inside, or a text is behind."""
    for name, tag, body, each in (("stack trace", 5, struct.pack(">II", 1, 1), 4), ("table of allocation sites", 6, bytes(30), 25),
                                  ("table of samples", 0x0D, struct.pack(">I", 1), 8)):
        for what, count, longer in (("that swallows a record", 1000, True), ("with a wrong count", 1, True), ("cut short", 3, False)):
            m = Maker(4)
            text = struct.pack(">BII", 1, 0, 4 + len(SWALLOWED)) + m.i(77) + SWALLOWED
            m.record(tag, body + struct.pack(">I", count) + (bytes(each) if longer else b"") + text)
            m.prims(0x500, 8, b"a text of bytes")
            m.segment()
            yield "a %s %s" % (name, what), m.end()


def check_wrong_counts(tool, data):
    """Bytes of records whose count is wrong are gone, and they are called damaged."""
    bad = []
    for name, dump in wrong_counts():
        status, got = tool.redacted(dump)
        p = tool.run("--check", tool.path("in.hprof"), tool.path("out.hprof"))
        bad += ["%s: status %d, %d %s" % (name, status, p.returncode, p.stderr)] if (status, p.returncode) != (3, 3) or b"check passed as far as the input can be read" not in p.stderr else []
        bad += ["%s: it is still there" % name] if SWALLOWED[:8] in got else []
        bad += same(got, tool.wanted(dump))
    return bad


def heap_of(tag, length, before=b"", sub=b""):
    m = Maker(4)
    m.load(1, 0x100, "java.lang.Object")
    m.load(2, 0x110, "com.acme.A")
    m.out += before
    m.cls(0x110, 0x100, [("a", 10), ("r", 2)])
    m.instance(0x200, 0x110, b"\x11\x22\x33\x44" + m.i(0x300))
    m.heap += sub
    m.prims(0x300, 8, b"a secret of bytes")
    m.segment(tag, length)
    return m.end()


HIDDEN = b"hidden behind a list"


def long_arrays():
    """Lists that claim more than they have, so that what follows would pass for references; and less, for sub-records."""
    for name, n in (("beyond the file", 0x10000000), ("beyond the segment", 110), ("into an array", 58), ("into the text of another", 20)):
        m = Maker(4)
        m.load(1, 0x100, "java.lang.Object")
        m.cls(0x100, 0)
        m.heap += b"\x22" + m.i(0x200) + bytes(4) + struct.pack(">I", n) + m.i(0x100) + m.i(0x300) + m.i(0)
        for k in range(8):
            m.prims(0x300 + 64 * k, 8, HIDDEN + b" %d" % k + bytes(range(0xa0, 0xb0)))
        m.segment()
        m.string("behind the heap")
        yield "a list that reaches " + name, m.end()
    m = Maker(4)
    m.load(1, 0x100, "java.lang.Object")
    m.cls(0x100, 0)
    m.heap += b"\x23" + m.i(0x200) + bytes(4) + struct.pack(">IB", 4, 8) + b"four\x08" + HIDDEN + b"!"
    m.prims(0x300, 8, HIDDEN)
    m.segment()
    yield "an array that is longer than it says", m.end()


def check_lists(tool, data):
    """Bytes after a list that is too long are gone, and not called valid."""
    bad = []
    for name, dump in long_arrays():
        status, got = tool.redacted(dump)
        p = tool.run("--check", tool.path("in.hprof"), tool.path("out.hprof"))
        bad += ["%s: status %d, %d %s" % (name, status, p.returncode, p.stderr)] if (status, p.returncode) != (3, 3) or b"check passed as far as the input can be read" not in p.stderr else []
        bad += ["%s: it is still there" % name] if HIDDEN[:8] in got else []
    return bad


MADE = ("com/acme/pay/-$$Lambda$Ledger$Xy12", "com/acme/pay/Svc$$Lambda$14/0x0000000800c0", "com/acme/pay/Svc$$Lambda+0x7f00",
        "com/acme/pay/$$LambdaLedger", "com/acme/pay/Hidden/0xaddLedger", "com/acme/pay/Hidden.0x7f1200", "com/acme/pay/Lambda",
        "com/acme/pay/0x12/Ledger", "com/acme/pay/Ledger$1", "com/acme/pay/Ledger[]", "x", "$$Lambda", "$$Lambda/0x", "+0x1")


def made_names():
    """Names that compilers and the VM make of those of classes."""
    m = Maker(4)
    for k, name in enumerate(MADE):
        m.load(k + 1, 0x1000 + 16 * k, name)
        m.cls(0x1000 + 16 * k, 0, [("val$x", 8), ("m%d" % k, 8)], [(name, 8, b"\1") for name in (
            "$SwitchMap$com$acme$pay$Ledger", "$SWITCH_TABLE$com$acme$pay$Ledger", "class$com$acme$pay$Ledger", "class$")] if k == 0 else [])
    m.segment()
    return m.end()


def check_made_names(tool, data):
    """With --names hash nothing stays of them but what compilers add."""
    bad = []
    for names in "hash", "hash-all":
        _, got = tool.redacted(made_names(), "shape", names)
        bad += ["%s: %s is still there" % (names, w) for w in ("com", "acme", "pay", "Ledger", "Hidden", "Xy12", "Svc") if w.encode() in got]
    _, got = tool.redacted(made_names(), "shape", "hash")
    return bad + ["%s is gone" % w for w in ("$$Lambda$", "$14/0x0000000800c0", "$$Lambda+0x7f00", ".0x7f1200", "$SwitchMap$",
                                             "$SWITCH_TABLE$", "class$", "val$x") if w.encode() not in got]


def chain(first, fields):
    m = Maker(4)
    m.load(1, 0x110, "com.acme.A")
    m.cls(0x110, first, [("a", 8)])
    m.cls(0x120, 0x130, [])
    m.cls(0x130, 0x110, [])
    m.instance(0x200, 0x110, bytes(range(1, 256)) * 9)
    m.instance(0x210, 0x120, bytes(range(1, 256)) * 9)
    m.segment()
    return m.end()


def deep():
    m = Maker(4)
    for k in range(1200):
        m.cls(0x1000 + 16 * k, 0x1010 + 16 * k, [("r", 2)] if k % 3 == 0 else [])
    for k in (0, 1, 150, 1199):
        m.instance(0x9000 + k, 0x1000 + 16 * k, bytes(range(1, 250)) * 9)
    m.segment()
    return m.end()


def twice():
    m = Maker(8)
    m.load(1, 0x110, "com/acme/A")
    m.string("second text of that id", m.strings["com/acme/A"])
    m.string("java/lang/String", m.strings["com/acme/A"])
    m.cls(0x110, 0, [("coder", 8), ("hash", 10)])
    m.instance(0x200, 0x110, b"\x01\x02\x03\x04\x05")
    m.segment()
    return m.end()


def renamed():
    """The second text is used: the number is no longer one that is kept by its name."""
    m = Maker(8)
    m.load(1, 0x110, "java/lang/String")
    m.cls(0x110, 0, [("coder", 8), ("hash", 10)])
    m.string("secret", m.strings["coder"])
    m.instance(0x200, 0x110, b"\x01\x02\x03\x04\x05")
    m.segment()
    return m.end()


def numbers():
    m = Maker(4)
    m.load(1, 0x100, "com/acme/N")
    m.cls(0x100, 0, [("n", 10)])
    for k in range(6):
        m.instance(0x200 + 16 * k, 0x100, struct.pack(">I", 0x5EC0DE00 + k))
    m.prims(0x300, 8, b"a text of bytes")
    m.segment()
    return m.end()


def short_names():
    """More than two letters can tell apart, in one package; inner classes, arrays and signatures have the names, too."""
    m = Maker(4)
    names = ["p/q/%c%c" % (a, b) for a in "ABCDE" for b in "abcdefghijklmn"] + ["p/q/%c$1" % c for c in "ABCDEFGHIJ"] + \
        ["p/q/%c" % c for c in "ABCDEFGHIJ"] + ["r.%c[]" % c for c in "ABCDEFG"] + ["r/%c" % c for c in "abcdefghijklmnopqrstuvwxyzABCDEFG"]
    for k, name in enumerate(names):
        m.load(k + 1, 0x1000 + 16 * k, name)
        m.load(k + 501, 0x8000 + 16 * k, "[L%s;" % name)
        m.record(4, m.i(0x100 + k) + m.i(m.string("run")) + m.i(m.string("(L%s;)V" % name)) + m.i(m.string("%s.java" % name[-2:])) +
                 struct.pack(">Ii", k + 1, 10))
        m.cls(0x1000 + 16 * k, 0, [("a", 8)])
    m.segment()
    return m.end()


# ---- tests ----------------------------------------------------------------------------------------------


def same(got, want):
    if got == want:
        return []
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return ["%d bytes, not %d; first difference at byte %d: %s, not %s" %
            (len(got), len(want), at, got[at:at + 16].hex(), want[at:at + 16].hex())]


def check_equal(tool, data):
    bad = []
    for mode, names in WAYS:
        bad += ["%s %s: %s" % (mode, names, b) for b in same(tool.redacted(data, mode, names)[1], tool.wanted(data, mode, names))]
        p = tool.run("--quiet", "--check", *tool.options(mode, names), tool.path("in.hprof"), tool.path("out.hprof"))
        if p.returncode not in (0, 3) or b"byte " in p.stderr:
            bad.append("%s %s: --check: %d %s" % (mode, names, p.returncode, p.stderr.decode()))
    return bad


def check_again(tool, data):
    once = tool.redacted(data)[1]
    return same(tool.redacted(once)[1], once)


def check_cuts(tool, data):
    """Cut at every byte, see sampled.py: as long, and equal to the slow program's."""
    bad, src, out = [], tool.path("cut.hprof"), tool.path("cutout.hprof")
    start = data.index(b"\0") + 13
    for n in sampled.sampled(range(len(data))):
        with open(src, "wb") as f:
            f.write(data[:n])
        p = tool.run("--quiet", "--force", "--no-sandbox", "--jobs", "1", src, out)
        if n < start:
            bad += [] if p.returncode == 5 and not os.path.exists(out) else ["%d bytes: status %d" % (n, p.returncode)]
            continue
        with open(out, "rb") as f:
            got = f.read()
        bad += ["%d bytes: %s" % (n, b) for b in same(got, tool.wanted(data[:n]))]
        bad += [] if p.returncode in (0, 3) else ["%d bytes: status %d" % (n, p.returncode)]
    return bad


def check_truncated(tool, data):
    """If info reports a loss, so does redact, and --strict writes nothing at all."""
    bad, src, out = [], tool.path("cut.hprof"), tool.path("cutout.hprof")
    whole, old = everything_whole(), heap_of(0x0C, None)
    cuts = [whole[:n] for n in range(31, len(whole), 4)] + [whole[:-9], old[:-9]] + [old[:n] for n in range(31, len(old), 7)] + \
        [heap_of(tag, length)[:n] for tag in (0x0C, 0x1C) for length in (0, 30, 4000) for n in (-30, -9, None)]
    for k, cut in sampled.sampled(list(enumerate(cuts))):
        with open(src, "wb") as f:
            f.write(cut)
        p = answers.quick(tool.icecore).result(["--no-index", "--no-sandbox", "-o", "tsv", "-e", "info", src])
        if b"loss." not in p.stdout:
            continue
        p = tool.run("--quiet", "--force", "--no-sandbox", src, out)
        q = tool.run("--quiet", "--no-sandbox", "--strict", src, "-")
        bad += [] if (p.returncode, q.returncode, q.stdout) == (3, 3, b"") and b"nothing written" in q.stderr else \
            ["cut %d, %d bytes: status %d %s, --strict %d, %d bytes" % (k, len(cut), p.returncode, p.stderr, q.returncode, len(q.stdout))]
    with open(src, "wb") as f:
        f.write(whole)
    p = tool.run("--quiet", "--strict", src, "-")
    return bad + same(p.stdout, tool.wanted(whole))


def answers_of(tool, path, mode):
    out = []
    for q in QUESTIONS:
        # In zeros all values of a size are equal, which is a finding.
        if mode == "shape":
            q = q.replace("findings |", "findings | where kind !~ /^equal/ |")
        a = tool.program.run(["--no-index", "-o", "tsv", "-e", q, path], timeout=600)
        if a.code == 2:
            raise ValueError("%s: %s" % (q, a.err))
        out.append((q.split()[0], a.code, a.out))
    return out


def check_answers(tool, path, modes=("shape", "stable"), less=()):
    bad, out = [], tool.path("answers.hprof")
    for mode in modes:
        want = answers_of(tool, path, mode)
        p = tool.run("--quiet", "--force", *tool.options(mode, "keep"), path, out)
        if p.returncode not in (0, 3):
            return ["%s: status %d: %s" % (mode, p.returncode, p.stderr.decode())]
        for (name, code, text), (_, code2, text2) in zip(want, answers_of(tool, out, mode)):
            if (code, text) != (code2, text2) and (mode, name) not in less:
                a, b = text.split("\n"), text2.split("\n")
                diff = [(x, y) for x, y in zip(a + [""] * len(b), b + [""] * len(a)) if x != y][:2]
                bad.append("%s: %s differ: %s" % (mode, name, diff))
    os.unlink(out)
    return bad


def noise(n):
    """Bytes that do not compress, the same ones each time."""
    return random.Random(n).randbytes(n)


def check_members(tool, data):
    """Return the errors of a redacted .gz for HotSpot's readers and ours: members of a block, comments of the first two."""
    src, out = tool.path("in.hprof"), tool.path("out.hprof.gz")
    bad = []
    # Records of an unknown kind, which become zeros, and between them a string in two members.
    large = (struct.pack(">BII", 0x7f, 0, n) + noise(n) for n in ((1 << 20) - 40000, 2 << 20))
    crossing = struct.pack(">BII", 1, 0, 80000) + bytes(7) + b"\1" + noise(80000)[8:]
    for data in (data, data + next(large) + crossing + next(large)):
        with open(src, "wb") as f:
            f.write(data)
        p = tool.run("--quiet", "--force", "--level", "1", "--mode", "stable", "--key-file", tool.key, src, out)
        with open(out, "rb") as f:
            rest = f.read()
        sizes, comments, whole = [], [], b""
        while rest:
            comments.append(rest[10:rest.index(b"\0", 10)] if rest[3] == 16 else None)
            z = zlib.decompressobj(31)
            text = z.decompress(rest)
            rest = z.unused_data
            sizes.append(len(text))
            whole += text
        if crossing in data and not data.index(crossing) < 1 << 20 < data.index(crossing) + len(crossing):
            bad.append("the string is in one member")
        want = [1 << 20] * (len(data) >> 20) + [len(data) & ((1 << 20) - 1)]
        bad += same(whole, tool.wanted(data, "stable"))
        if sizes != (want if len(want) > 1 else want + [0]):
            bad.append("members of %s bytes" % sizes)
        if comments[:2] != [b"HPROF BLOCKSIZE=1048576", b"icecore redact 1 stable keep"] or any(comments[2:]):
            bad.append("comments %s" % comments)
        if p.returncode not in (0, 3) or os.stat(out).st_mode & 0o777 != 0o600:
            bad.append("status %d, mode %o" % (p.returncode, os.stat(out).st_mode))
    return bad


def check_many(tool, data):
    """More different texts than are remembered: the rest is counted, and redact says that nobody looked at it."""
    src, out, m = tool.path("many.hprof"), tool.path("many.out"), Maker()
    # Names of methods, each used by a frame.
    m.out += b"".join(struct.pack(">BIIQ", 1, 0, 17, i) + b"m%08d" % i + struct.pack(">BIIQQQQII", 4, 0, 40, i, i, 0, 0, 0, 0)
                      for i in range(1, 1000007))
    with open(src, "wb") as f:
        f.write(m.end())
    told = tool.run(src, out).stderr.decode()
    listed = tool.run("--list-text", out).stdout.decode().split("\n")
    for name in src, out:
        os.unlink(name)
    return (["not said: " + told] if "not looked at: 6 more different texts\n" not in told else []) + \
        (["listed: %d, %s" % (len(listed), listed[-2:])] if len(listed) != 1000003 or listed[-2] != "# 6 other texts" else [])


def check_status(tool, data):
    src, out, bad = tool.path("s.hprof"), tool.path("s.out"), []
    with open(src, "wb") as f:
        f.write(everything_whole())
    text = tool.path("text")
    with open(text, "w") as f:
        f.write("no dump\n")
    hurt = tool.path("hurt.hprof")
    with open(hurt, "wb") as f:
        f.write(everything_whole()[:-3])
    loose = tool.path("loosekey")
    with open(loose, "wb") as f:
        f.write(KEY)
    os.chmod(loose, 0o644)

    def want(status, word, *args, made=False):
        if os.path.exists(out) and not made:
            os.unlink(out)
        p = tool.run(*args)
        if p.returncode != status or word not in p.stderr.decode():
            bad.append("%s: status %d, not %d: %s" % (" ".join(args), p.returncode, status, p.stderr.decode().strip()))
        if status not in (0, 3) and not made and os.path.exists(out):
            bad.append("%s: wrote a file" % " ".join(args))

    want(0, "masked ", src, out)
    want(2, "already exists; --force", src, out, made=True)
    want(0, "a redacted copy of " + src, "--force", src, out, made=True)
    want(0, "(--list-kept)", "--force", src, out, made=True)
    want(0, out + ": check passed: same length (", "--check", src, out, made=True)
    want(0, "same structure, same query results, no value of", "--check", src, out, made=True)
    with open(out, "rb") as f:
        copy = f.read()
    want(2, "same file", src, src)
    pipe = tool.path("pipe")
    os.mkfifo(pipe)
    for args in (), ("--force",):
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
        want(0, "masked ", *args, src, pipe)
        bad += [] if reader.communicate()[0] == copy else ["a pipe got another copy than a file"]
        want(2, tool.scratch + " is a directory", *args, src, tool.scratch)
    bad += [] if stat.S_ISFIFO(os.stat(pipe).st_mode) else ["--force replaced a pipe"]
    key = tool.path("loosekey2")
    shutil.copyfile(tool.key, key)
    os.chmod(key, 0o600)
    with open(src, "rb") as f:
        before = f.read()
    hash_to = ("--names", "hash", "--key-file", key, "--write-mapping")
    beside = os.path.join(tool.scratch, ".", "s.out")
    for args in (), ("--force",):
        want(2, "input and mapping are the same file", *args, *hash_to, src, src, out)
        want(2, "output and mapping are the same file", *args, *hash_to, out, src, out)
        want(2, "output and mapping are the same file", *args, *hash_to, beside, src, out)
        want(2, "key and mapping are the same file", *args, *hash_to, key, src, out)
        want(2, "key and output are the same file", *args, *hash_to, tool.path("none.map"), src, key)
    want(2, text + ": already exists; --force", *hash_to, text, src, out)
    want(2, tool.scratch + " is a directory", "--force", *hash_to, tool.scratch, src, out)
    with open(src, "rb") as f, open(key, "rb") as g:
        bad += [] if f.read() == before and g.read() == KEY else ["the input or the key was replaced"]
    want(2, "takes IN and OUT", src)
    want(2, "--mode: unknown value 'x'; use shape or stable", "--mode", "x", src, out)
    want(2, "unknown option '--nothing'", "--nothing", src, out)
    want(2, "--words needs --check", "--words", text, src, out)
    want(2, "chmod 600", "--mode", "stable", "--key-file", loose, src, out)
    want(2, "not CLASS.FIELD", "--keep-field", "foo", src, out)
    want(2, "--numbers keep is for traces", "--numbers", "keep", src, out)
    want(0, "masked ", src, out)
    want(2, "--numbers keep is for traces", "--numbers", "keep", "--check", src, out, made=True)
    want(5, text + ": not a heap dump, trace, recording or stack dump", text, out)
    for name, data, word in ("empty", b"", ": the file is empty"), ("a.csv", b"name,card\nx,1\n", ": not a heap dump, trace"), ("cut.hprof", b"JAVA PROFILE 1.0.3", ": not an HPROF"):
        with open(tool.path(name), "wb") as f:
            f.write(data)
        want(5, tool.path(name) + word, tool.path(name), out)
    for number, word in ("99999999999", "from 1 to 4294967295"), ("9" * 30, "from 1 to 4294967295"), ("0", "of at least 1"), ("x", "of at least 1"):
        want(2, "--jobs: '%s' is not a number %s" % (number, word), "--jobs", number, src, out)
    bad += check_places(tool, src, copy)
    want(4, tool.path("nothing") + ": No such file", tool.path("nothing"), out)
    want(3, "damaged", hurt, out)
    want(3, out + ": check passed as far as the input can be read: same length", "--check", hurt, out, made=True)
    want(3, "check failed", "--check", hurt, hurt, made=True)
    want(3, "damaged", "--force", hurt, out, made=True)
    if not os.path.exists(out):
        bad.append("nothing written for a damaged file")
    want(3, "nothing written (--strict)", "--strict", hurt, out)
    if os.path.exists(out):
        bad.append("--strict wrote a file")
    want(4, "", src, tool.path("no/such/place"))
    want(4, "timed out", "--timeout", "1ns", src, out)
    want(3, "damaged", "--unpacked", "100", pack(src), out)
    p = tool.run("-", "-", stdin=open(src, "rb"))
    with open(src, "rb") as f:
        bad += same(p.stdout, tool.wanted(f.read()))
    p = tool.run("--help")
    bad += [] if p.returncode == 0 and b"--mode" in p.stdout else ["--help: %d" % p.returncode]
    left = [n for n in os.listdir(tool.scratch) if n.startswith(".icecore")]
    return bad + ["left: %s" % left] * bool(left)


def check_places(tool, src, copy):
    """What a link names is written, and the link stays; sockets are refused, and no option is advised that redact lacks."""
    bad, at = [], tool.path("places")
    os.mkdir(at)

    def names(name, to=None):
        path = os.path.join(at, name)
        if to is not None:
            os.symlink(to, path)
        return path

    def got(status, word, *args):
        p = tool.run(*args)
        said = p.stderr.decode()
        return ["%s: status %d: %s" % (args, p.returncode, said)] if p.returncode != status or word not in said or "write-dir" in said else []

    with socket.socket(socket.AF_UNIX) as s:
        here = os.getcwd()
        os.chdir(at)
        s.bind("socket")
        os.chdir(here)
    for args in (), ("--force",):
        bad += got(2, "socket is a socket, which is not written; name a file or a pipe", *args, src, names("socket"))
        bad += got(2, "the name of the output is empty; name a file", *args, src, "")
    os.mkfifo(names("pipe"))
    for link, to in ("to_pipe", "pipe"), ("to_link", "to_pipe"), ("whole", names("pipe")):
        reader = subprocess.Popen(["cat", names("pipe")], stdout=subprocess.PIPE)
        bad += got(0, "", "--quiet", src, names(link, to))
        bad += [] if reader.communicate()[0] == copy else ["a pipe behind a link got another copy: " + link]
    bad += got(0, "", "--quiet", src, names("null", "/dev/null"))
    os.mkdir(names("folder"))
    for link, to, file in ("new", "folder/new.hprof", "folder/new.hprof"), ("newer", names("folder/newer"), "folder/newer"), ("chain", "chain2", "folder/chained"):
        if link == "chain":
            names("chain2", "folder/chained")
        bad += got(2, "already exists; --force replaces it", "--quiet", src, names(link, to))
        bad += got(0, "", "--quiet", "--force", src, names(link))
        with open(names(file), "rb") as f:
            bad += [] if f.read() == copy else ["another copy behind the link " + link]
    names("b", "a")
    bad += got(4, "Too many levels of symbolic links", "--force", src, names("a", "b"))
    bad += got(4, "No such file or directory", "--force", src, names("lost", "nothing/here"))
    return bad + ["not a link: " + n for n in ("to_pipe", "to_link", "whole", "null", "new", "newer", "chain", "a", "lost") if not os.path.islink(names(n))]


def pack(path):
    with open(path, "rb") as f, gzip.open(path + ".gz", "wb") as g:
        g.write(f.read())
    return path + ".gz"


def everything_whole():
    """Without the records that are lost."""
    m = Maker(8)
    m.string("the secret of a literal")
    m.load(1, 0x100, "java/lang/Object")
    m.load(2, 0x110, "com/acme/Base")
    m.cls(0x100, 0)
    m.cls(0x110, 0x100, [("pin", 10), ("next", 2)])
    m.instance(0x200, 0x110, struct.pack(">I", 73515473) + m.i(0x300))
    m.prims(0x300, 8, b"blob-secret")
    m.root(5, 0x110)
    m.segment()
    return m.end()


def check_keep(tool, data):
    """--keep-field, --no-time, and names that come back by the mapping."""
    data, bad = everything_whole(), []
    _, got = tool.redacted(data, more=("--keep-field", "com/acme/Base.pin"))
    bad += [] if struct.pack(">I", 73515473) in got else ["--keep-field: the number is gone"]
    _, got = tool.redacted(data)
    bad += ["the number is still there"] if struct.pack(">I", 73515473) in got else []
    _, got = tool.redacted(data, more=("--no-time",))
    at = data.index(b"\0") + 5
    bad += [] if got[at:at + 8] == bytes(8) != data[at:at + 8] else ["--no-time: %s" % got[at:at + 8].hex()]
    profile = tool.path("profile")
    with open(profile, "w") as f:
        f.write("# what may leave\n--mode stable\nkey-file %s  \r\n\nkeep-field com/acme/Base.pin\nno-time\n" % tool.key)
    _, got = tool.redacted(data, more=("--profile", profile))
    _, want = tool.redacted(data, "stable", more=("--keep-field", "com.acme.Base.pin", "--no-time"))
    bad += same(got, want)
    for line, word in (("force", "profile: line 1: unknown option 'force' in a profile"), ("mode", "line 1: mode needs an argument"),
                       ("no-time x", "no-time takes no argument"), ("\nmode x", "line 2: --mode: unknown value 'x'")):
        with open(profile, "w") as f:
            f.write(line)
        p = tool.run("--profile", profile, tool.path("in.hprof"), tool.path("no.hprof"))
        bad += [] if p.returncode == 2 and word in p.stderr.decode() else ["%r: %s" % (line, p.stderr)]
    listed = tool.run("--list-kept").stdout.decode().splitlines()
    fields = [x for x in listed if x[:1] not in '#"' and " -> " not in x]
    counts = [x for x in listed if " -> " in x]
    pool = "org.apache.tomcat.jdbc.pool.ConnectionPool."
    want = ["com.zaxxer.hikari.util.ConcurrentBag.waiters", "java.util.concurrent.LinkedBlockingQueue.count", pool + "size", pool + "waitcount"]
    want = [x + " -> " + COUNTER + ".value" for x in want]
    want.insert(0, "io.grpc.internal.ManagedChannelImpl.shutdown -> java.util.concurrent.atomic.AtomicBoolean.value")
    bad += [] if counts == want and COUNTER + ".value" not in fields else counts
    bad += [] if fields == sorted(set(fields), key=lambda x: x.rpartition(".")) and "java.lang.String.coder" in fields and '"main"' in listed else ["--list-kept"]
    def texts(name):
        return {tuple(x.split("\t")[1:]) for x in tool.run("--list-text", tool.path(name)).stdout.decode().split("\n")[1:-1]}

    tool.redacted(data)
    before, after = texts("in.hprof"), texts("out.hprof")
    bad += [] if after <= before and ("class", "com/acme/Base") in after and {x for x in before - after if x[0] in ("thread", "VM string", "char[]", "byte[]")} \
        else ["--list-text: %s" % sorted(before ^ after)]
    mapping = tool.path("mapping.txt")
    _, got = tool.redacted(data, "shape", "hash", ("--write-mapping", mapping))
    bad += ["the name is still there"] if b"acme" in got else []
    p = subprocess.run([tool.icecore, "--no-index", "--mapping", mapping, "-o", "tsv", "-e", "classes | where name ~ acme | select name",
                        tool.path("out.hprof")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    bad += [] if b"com.acme.Base" in p.stdout else ["--mapping does not bring the name back: %s %s" % (p.stdout, p.stderr)]
    _, got = tool.redacted(data, "shape", "hash-all", ("--force", "--write-mapping", mapping))
    bad += ["a name is still there"] if b"acme" in got or b"pin" in got else []
    with open(mapping) as f:
        text = f.read()
    p = subprocess.run([tool.icecore, "--no-index", "--mapping", mapping, "-o", "tsv", "-e", "fields 3 | select name", "-e", "info",
                        tool.path("out.hprof")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    bad += [] if b"\npin\n" in p.stdout and b"\nnext\n" in p.stdout and b"mapping.ignored_lines\t0" in p.stdout else \
        ["--mapping does not bring fields back: %s %s %s" % (p.stdout, p.stderr, text)]
    _, got = tool.redacted(everything(), "shape", "hash-all", ("--force", "--write-mapping", mapping))
    with open(mapping) as f:
        text = f.read()
    for line in ("com.acme.Order$1 -> ", '# {"id":"sourceFile","fileName":"Order.java"}', "    void m2() -> ", "    int f10 -> ",
                 "    java.lang.Object f2 -> ", "    long s11 -> "):
        bad += [] if "\n" + line in "\n" + text else ["%s is not in the mapping: %s" % (line, text)]
    bad += ["the mapping has names of the platform: %s" % text] if "ArrayList" in text or "void m0" in text else []
    bad += [] if os.stat(mapping).st_mode & 0o777 == 0o600 else ["the mapping is readable for other users"]
    m = Maker()
    for k, name in enumerate(("java/lang/Object", "com/acme/Base", 'com/acme/"Base"'), 1):
        m.load(k, 0x100 * k, name)
    m.cls(0x100, 0)
    m.cls(0x200, 0x100, [("pin", 10)])
    m.cls(0x300, 0x100, [("needle", 10)])
    m.segment()
    tool.redacted(m.end(), "shape", "hash-all", ("--force", "--write-mapping", mapping))
    with open(mapping) as f:
        text = f.read()
    return bad + ([] if "    int pin -> " in text and "needle" not in text else ["fields of a class that no line can hold: %s" % text])


COUNTER = "java.util.concurrent.atomic.AtomicInteger"


def counting(before):
    """Counters of queues, of a subclass of theirs, and of others; the classes are before the objects or after them."""
    m = Maker(8)
    names = ("java/lang/Object", "java/util/concurrent/LinkedBlockingQueue", COUNTER, "com/acme/Jobs", "com/acme/Hits", "com/acme/Other")
    for k, name in enumerate(names, 1):
        m.load(k, 0x100 * k, name)

    def classes():
        m.cls(0x100, 0)
        m.cls(0x200, 0x100, [("capacity", 10), ("count", 2), ("head", 2)], size=28)
        m.cls(0x300, 0x100, [("value", 10)], size=12)
        m.cls(0x400, 0x200, [("count", 2), ("width", 10)], size=40)
        m.cls(0x500, 0x300, [("other", 10)], size=16)
        m.cls(0x600, 0x100, [("count", 2)], size=16)

    def counter(at, n, cls=0x300, rest=b""):
        m.instance(at, cls, rest + struct.pack(">I", n))

    before and classes()
    m.instance(0x1000, 0x200, struct.pack(">I", 77) + m.i(0x2000) + m.i(0))
    m.instance(0x1010, 0x400, m.i(0x2010) + struct.pack(">I", 78) + struct.pack(">I", 79) + m.i(0x2020) + m.i(0))
    m.instance(0x1020, 0x600, m.i(0x2030))
    m.instance(0x1030, 0x200, struct.pack(">I", 80) + m.i(0x2040) + m.i(0))
    m.instance(0x1040, 0x200, struct.pack(">I", 81) + m.i(0x9999) + m.i(0))
    for at, n in ((0x2000, 1000001), (0x2010, 1000002), (0x2020, 1000003), (0x2030, 1000004), (0x2050, 1000005)):
        counter(at, n)
    counter(0x2040, 1000006, 0x500, struct.pack(">I", 1000007))
    before or classes()
    m.segment()
    return m.end()


def check_counts(tool, data):
    """Of counters only those of queues keep their values: of a field count of the class itself, or of the nearest one above it."""
    bad = []
    for before in True, False:
        data = counting(before)
        for mode in "shape", "stable":
            bad += same(tool.redacted(data, mode)[1], tool.wanted(data, mode))
        _, got = tool.redacted(data)
        stay = {n for n in range(1000001, 1000008) if struct.pack(">I", n) in got}
        bad += [] if stay == {1000001, 1000003, 1000006} else ["%s stay" % sorted(stay)]
        _, got = tool.redacted(data, more=("--keep-field", COUNTER + ".value"))
        bad += [] if struct.pack(">I", 1000005) in got else ["--keep-field: the number is gone"]
    return bad


def member(text, level=6, flags=0, extra=b"", os_=3, time=0):
    """A member of gzip, whatever its header says."""
    z = zlib.compressobj(level, zlib.DEFLATED, -15)
    packed = z.compress(text) + z.flush()
    head = b"\x1f\x8b\x08" + bytes((flags,)) + struct.pack("<I", time) + bytes((2 if level == 9 else 4 if level == 1 else 0, os_)) + extra
    head += struct.pack("<H", zlib.crc32(head) & 0xffff) if flags & 2 else b""
    return head + packed + struct.pack("<II", zlib.crc32(text), len(text))


def wanting(tool, src, out, bad):
    """A function that runs --check of src and out, with args, and adds to bad unless it ends with status and says word."""
    def want(status, word, *args):
        p = tool.run("--quiet", "--check", *args, src, out)
        if p.returncode != status or word not in p.stderr.decode():
            bad.append("%s %s: %d %s" % (word, args, p.returncode, p.stderr.decode()))
    return want


def check_container(tool, data):
    """--check takes the output as it was written, and no byte beside it."""
    src, out, words, bad = tool.path("in.hprof"), tool.path("out.hprof.gz"), tool.path("words"), []
    first, second = b"HPROF BLOCKSIZE=1048576\0", b"icecore redact 1 shape keep\0"
    with open(words, "w") as f:
        f.write("geheimnis\n")

    want = wanting(tool, src, out, bad)

    def write(data):
        with open(out, "wb") as f:
            f.write(data)

    for long in False, True:
        data = everything_whole()
        data += struct.pack(">BII", 1, 0, 3 << 20) + bytes(7) + b"\1" + noise((3 << 20) - 8) if long else b""
        _, plain = tool.redacted(data)
        for level in "1", "6", "9":
            for jobs in "1", "2":
                tool.run("--quiet", "--force", "--level", level, "--jobs", jobs, src, out)
                want(0, "", "--words", words)
        blocks = [plain[i:i + (1 << 20)] for i in range(0, len(plain), 1 << 20)]
        blocks += [b""] if len(blocks) == 1 else []
        comments = [first, second] + [b""] * len(blocks)
        whole = [member(b, 6, 16 if c else 0, c, 255 if c else 3) for b, c in zip(blocks, comments)]
        write(b"".join(whole))
        want(0, "")
        for n, changed in (
                (0, member(blocks[0], 6, 24, b"geheimnis.hprof\0" + first, 255)), (0, member(blocks[0], 6, 20, b"\x0d\0ab\x09\0geheimnis" + first, 255)),
                (0, member(blocks[0], 6, 16, first[:-1] + b" geheimnis\0", 255)), (0, member(blocks[0], 6, 16, first, 255, 1)),
                (0, member(blocks[0], 6, 18, first, 255)), (1, member(blocks[1], 6, 16, b"icecore redact 1 stable keep\0", 255)),
                (1, member(blocks[1], 6)), (1, member(blocks[1], 6, 16, second, 3)), (1, member(blocks[1], 6, 16, second, 77)),
                (0, member(blocks[0][:99], 6, 16, first, 255) + member(blocks[0][99:], 6)),
                (len(blocks) - 1, whole[-1] + member(b"")), (len(blocks) - 1, whole[-1] + b"geheimnis"), (len(blocks) - 1, whole[-1] + bytes(512))):
            write(b"".join(whole[:n]) + changed + b"".join(whole[n + 1:]))
            want(3, "check failed")
        if long:
            write(b"".join(whole[:-1]) + member(blocks[-1], 6, 8, b"geheimnis\0"))
            want(3, "gzip header not written by icecore redact")
        write(member(blocks[0], 6, 24, b"geheimnis\0" + first, 255) + b"".join(whole[1:]))
        want(3, "contains 'geheimnis' unencoded", "--words", words)
        write(gzip.compress(plain))
        want(3, "check failed at byte 0 of the compressed file: gzip header not written by icecore redact")
    # Compressed bytes contain a short word by chance.
    tool.run("--quiet", "--force", src, out)
    with open(out, "rb") as f:
        packed = f.read()
    short = next(packed[i:i + 3] for i in range(60, len(packed)) if packed[i:i + 3].isascii() and packed[i:i + 3].isalnum() and packed[i:i + 3] not in plain)
    with open(words, "wb") as f:
        f.write(short)
    want(0, "", "--words", words)
    return bad


def check_finds(tool, data):
    """--check sees a value that is there, a byte that changed, and words in any encoding."""
    data, bad = everything_whole(), []
    src, out, words = tool.path("in.hprof"), tool.path("out.hprof"), tool.path("words")
    with open(words, "w") as f:
        f.write("blob-secret\n")

    want = wanting(tool, src, out, bad)

    for mode in ("shape", "stable"):
        _, got = tool.redacted(data, mode)
        want(0, "", "--mode", mode, "--words", words)
        for at in (data.index(b"blob-secret"), 40, len(data) - 1):
            with open(out, "wb") as f:
                f.write(got[:at] + data[at:at + 11] + got[at + 11:] if data[at:at + 4] == b"blob" else
                        got[:at] + bytes((got[at] ^ 1,)) + got[at + 1:])
            want(3, out + ": check failed at byte %d: " % (at + 4 if mode == "stable" and at > 40 and at < len(data) - 1 else at),
                 "--mode", mode)
        with open(out, "wb") as f:
            f.write(got + b"x")
        want(3, "byte ", "--mode", mode)
    with open(src, "wb") as f:
        f.write(numbers())
    tool.run("--quiet", "--force", "--mode", "stable", "--keep-field", "com.acme.N.n", src, out)
    want(3, "this number and 5 others are unchanged from the input", "--mode", "stable")
    want(0, "", "--mode", "stable", "--keep-field", "com.acme.N.n")
    tool.run("--quiet", "--force", src, out)
    want(3, "0x00 is not a replacement value", "--mode", "stable")
    profile = tool.path("profile")
    with open(profile, "w") as f:
        f.write("words %s\n" % words)
    for word in ("blob-secret", "M\u00fcller-Geheimnis", "\u79d8\u5bc6-\U0001f511"):
        with open(words, "w") as f:
            f.write(word + "\n")
        for name, b in oracle.encodings(word.encode()):
            m = Maker(8)
            m.string("x")
            m.load(1, 0x100, b)
            with open(src, "wb") as f:
                f.write(m.end())
            # The words of a profile do not mean writing.
            p = tool.run("--quiet", "--force", "--profile", profile, src, out)
            bad += ["--profile with words: %s" % p.stderr] if p.returncode not in (0, 3) else []
            want(3, "contains '%s'" % word, "--words", words)
            want(3, "contains '%s'" % word, "--profile", profile)
    return bad


def check_answers_alone(tool, data):
    """A thread's name in letters that mean something: no byte of it is wrong, but locals of the main thread hold nothing."""
    case = heapcases.Told()
    last = case.last()
    case.last = lambda: last
    heapcases.CASES["idle"](case)
    case.waiting("abcd", case.wrap([("com.example.LastActivity$7", "this$0")], last))
    src, out, bad = tool.path("in.hprof"), tool.path("out.hprof"), []
    data = case.built()
    at = data.index(b"abcd")
    with open(src, "wb") as f:
        f.write(data)
    tool.run("--quiet", "--force", "--mode", "stable", src, out)
    for name, status, word in ((None, 0, ""), (b"niam", 0, ""), (b"main", 3, "check failed: findings differ")):
        with open(out, "r+b") as f:
            f.seek(at)
            f.write(name or b"")
        p = tool.run("--quiet", "--check", "--mode", "stable", src, out)
        if p.returncode != status or word not in p.stderr.decode():
            bad.append("%s: %d %s" % (name, p.returncode, p.stderr.decode()))
    return bad


def check_threads(tool, data):
    """Many threads by names of two lengths, which are of one kind by them, and not when they are masked."""
    src, out, bad = tool.path("in.hprof"), tool.path("out.hprof"), []
    with open(src, "wb") as f:
        f.write(heaptroubles.make("threads_50"))
    for mode in ("shape", "stable"):
        p = tool.run("--quiet", "--force", "--mode", mode, src, out)
        q = tool.run("--quiet", "--check", "--mode", mode, src, out)
        bad += ["%s: %d, %d %s" % (mode, p.returncode, q.returncode, q.stderr.decode())] if (p.returncode, q.returncode) != (0, 0) else []
    return bad


def check_cancel(tool, data):
    """Interrupted while it reads, it leaves nothing."""
    out = tool.path("cancelled.gz")
    p = subprocess.Popen([tool.icecore, "redact", "--quiet", "-", out], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    p.stdin.write(everything_whole())
    p.stdin.flush()
    for _ in range(6000):
        if spools(p.pid):
            break
        time.sleep(0.05)
    p.send_signal(signal.SIGINT)
    status = p.wait(300)
    p.stdin.close()
    left = [n for n in os.listdir(tool.scratch) if n.startswith(".icecore") or n.startswith("cancelled")]
    return ["status %d, left %s: %s" % (status, left, p.stderr.read().decode())] if status != 130 or left else []


def spools(pid):
    """Its input goes into a file without a name: from then on a signal cancels."""
    folder = "/proc/%d/fd" % pid
    try:
        return any("(deleted)" in os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder))
    except OSError:
        return False


def check_secrets(tool, java, javac):
    bad = []
    folder = tempfile.mkdtemp(dir=tool.scratch)
    shutil.copy(os.path.join(HERE, "..", "mk", "Secrets.java"), folder)
    subprocess.run([javac, "-d", folder, os.path.join(folder, "Secrets.java")], check=True, timeout=300,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for flags in ([], ["-XX:-CompactStrings"]):
        dump, out = os.path.join(folder, "a.hprof"), os.path.join(folder, "b.hprof")
        for f in (dump, out):
            if os.path.exists(f):
                os.unlink(f)
        subprocess.run([java] + flags + ["-cp", folder, "Secrets", dump], check=True, timeout=300,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(dump, "rb") as f:
            before = f.read()
        had = [w for w in SECRETS if any(b in before for _, b in oracle.encodings(w.encode()))]
        bad += [] if len(had) == len(SECRETS) and all(n in before for n in NUMBERS if n != NUMBERS[1]) else ["only %s is in the dump" % had]
        for mode, names in WAYS[:2] + WAYS[3:5]:
            tool.run("--quiet", "--force", *tool.options(mode, names), dump, out)
            subprocess.run([tool.icecore, "--index", folder, "-e", "findings", "-e", "duplicates", "-e", "strings | head 5", out],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
            for name in os.listdir(folder):
                if name in ("a.hprof", "Secrets.java") or name.endswith(".class"):
                    continue
                with open(os.path.join(folder, name), "rb") as f:
                    text = f.read()
                bad += ["%s %s %s: %s in %s" % (flags, mode, names, w, name) for w in SECRETS
                        if any(b in text for _, b in oracle.encodings(w.encode()))]
                bad += ["%s %s %s: number %s" % (flags, mode, names, n.hex()) for n in NUMBERS if n in text and name == "b.hprof"]
        bad += check_answers(tool, dump)
    shutil.rmtree(folder)
    return bad


def check_java(tap, tool):
    java, javac = shutil.which("java"), shutil.which("javac")
    if java and javac:
        attempt(tap, "the secrets of a Java program are gone", check_secrets, tool, java, javac)
    else:
        tap.n += 1
        print("%sok %d - the secrets of a Java program are gone%s" %
              (("not ", tap.n, "") if os.environ.get("REQUIRE_JAVA") == "1" else ("", tap.n, " # SKIP no JDK")))


# The images of its bitmaps are found by addresses in an array, which are gone.
LESS = {"bitmaps35.hprof": (("stable", "findings"),)}


def size_of(path):
    """Bytes, unpacked."""
    with open(path, "rb") as f:
        if f.read(2) != b"\x1f\x8b":
            return os.path.getsize(path)
        f.seek(-4, 2)
        return max(os.path.getsize(path), int.from_bytes(f.read(4), "little"))


def check_large(tool, path):
    """The answers as --check compares them: the slow program would take too long."""
    out, bad = tool.path("large.hprof.gz"), []
    for mode in ("shape", "stable"):
        p = tool.run("--force", "--mode", mode, "--level", "1", path, out)
        bad += ["%s: %s" % (mode, p)] if p.returncode not in (0, 3) else []
        q = tool.run("--check", "--mode", mode, path, out)
        bad += ["%s: %s" % (mode, q)] if q.returncode != p.returncode or (q.returncode == 0 and b"same query results" not in q.stderr) else []
    os.unlink(out)
    return bad


def check_made(tool):
    """Lists of texts, in one static field."""
    path, m = tool.path("made.hprof.gz"), Maker(8)
    for k, name in enumerate(("java/lang/Object", "java/lang/String", "java/util/ArrayList", "com/acme/Log", "[Ljava/lang/Object;", "[B")):
        m.load(k + 1, 0x100 + 16 * k, name)
    m.cls(0x100, 0)
    m.cls(0x110, 0x100, [("value", 2), ("hash", 10), ("coder", 8)])
    m.cls(0x120, 0x100, [("size", 10), ("elementData", 2)])
    m.cls(0x130, 0x100, (), [("lines", 2, m.i(0x9000))])
    m.root(5, 0x130)
    lists = range(0x10000, 0x10000 + 500 * 16, 16)
    m.objects(0x9000, 0x140, lists)
    for k, at in enumerate(lists):
        texts = [(1 << 32) + (k * 100 + i) * 4096 for i in range(70)]
        m.instance(at, 0x120, struct.pack(">I", len(texts) - k % 7) + m.i(at + (1 << 24)))
        m.objects(at + (1 << 24), 0x140, texts)
        for i, text in enumerate(texts):
            m.instance(text, 0x110, m.i(text + 128) + struct.pack(">IB", i, 0))
            m.prims(text + 128, 8, b"%d order of alice@example.com, line %d, and the words a log says of her " % (k % 400, i) * 28)
        m.segment()
    with gzip.open(path, "wb", 1) as f:
        f.write(m.end())
    return (["only %d bytes" % size_of(path)] if size_of(path) < LARGE else []) + check_large(tool, path)


def check_corpus(tap, icecore, dumps):
    """dumps: (name, path)."""
    with tempfile.TemporaryDirectory() as scratch:
        tool = Tool(os.path.dirname(icecore), scratch)
        for name, path in dumps:
            if size_of(path) < LARGE:
                attempt(tap, "heap/%s: redacted, the same answers" % name, check_answers, tool, path)
            else:
                attempt(tap, "heap/%s: redacted, the same answers, by itself" % name, check_large, tool, path)
        attempt(tap, "a dump of more than 64 MiB, packed: redacted, the same answers, by itself", check_made, tool)


def main(argv):
    build, scratch = argv[1:]
    tap, tool = Tap(), Tool(build, scratch)
    sampled.tell()
    data = os.path.join(build, "tests", "data")
    for name, dump in odd():
        attempt(tap, name, check_equal, tool, dump)
        attempt(tap, name + ": the same again", check_again, tool, dump)
    attempt(tap, "cut at every byte", check_cuts, tool, heap_of(0x1C, None) + everything_whole()[31:])
    attempt(tap, "the special parts cut at every seventh byte", lambda: sum((same(
        tool.redacted(everything()[:n])[1], tool.wanted(everything()[:n])) for n in range(40, len(everything()), 97)), []))
    attempt(tap, "--strict and cuts that info reports", check_truncated, tool, b"")
    for name in sampled.turns([name for name in sorted(os.listdir(data)) if name.endswith(".hprof")]):
        attempt(tap, name + ": the same answers", check_answers, tool, os.path.join(data, name), ("shape", "stable"), LESS.get(name, ()))
    for name in ("demo.hprof.gz", "phone.hprof.gz"):
        path = os.path.join(HERE, "..", "..", "demo", name)
        attempt(tap, name + ": the same answers", check_answers, tool, path, ("stable",))
        attempt(tap, name + ": equal to the slow program's", lambda: same(
            tool.redacted(oracle.read(path), "stable", "hash")[1], tool.wanted(oracle.read(path), "stable", "hash")))
    for name, function in (("members of gzip", check_members), ("exit codes", check_status), ("too many texts", check_many), ("lists that are too long", check_lists), ("records with a wrong count", check_wrong_counts), ("what is kept", check_keep), ("counters of queues", check_counts), ("--check of the container", check_container), ("names that compilers make", check_made_names),
                           ("--check finds what is wrong", check_finds), ("--check notices what only answers tell", check_answers_alone),
                           ("--check of many threads", check_threads), ("cancelled, it leaves nothing", check_cancel)):
        attempt(tap, name, function, tool, everything())
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
