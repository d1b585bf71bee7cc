#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""codecheck.py BUILD SCRATCH - what icecore says of bytecode against the slow readers, as TAP."""
import glob
import io
import json
import os
import re
import shutil
import struct
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "mk")]

import answers  # noqa: E402
import codemake  # noqa: E402
import localcheck  # noqa: E402
import sampled  # noqa: E402
import slowchecks  # noqa: E402
import slowcursor  # noqa: E402
import slowdex  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 12
METHODS = 40
DEMO = os.path.join(HERE, "..", "..", "demo", "notes.jar")


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


def rows(program, path, query, *options, status=0):
    a = program.run(["--no-index", "-o", "tsv"] + list(options) + ["-e", query, path])
    if a.code not in (status, 1):
        raise ValueError("status %d: %s" % (a.code, a.err))
    return [tuple(line.split("\t")) for line in a.out.split("\n")[1:] if line]


def classes(path):
    """The classes of a file, from the slow readers."""
    if open(path, "rb").read(2) == b"PK" and "classes.dex" in zipfile.ZipFile(path).namelist() or path.endswith(".dex"):
        return [c for p, b in slowdex.dexes(path) for c in slowdex.Dex(b, p).classes]
    return [slowcursor.Class(b, p) for p, b in slowcursor.inputs(path)]


def known(n):
    return str(n) if n else ""


def compare(want, got):
    want, got = sorted(want), sorted(got)
    return [] if want == got else ["missing %s" % (w,) for w in want if w not in got] + ["extra %s" % (g,) for g in got if g not in want] or ["another order"]


def check_bugs(program, path, rules):
    world, want = slowcursor.World(), []
    loaded = classes(path)
    for c in loaded:
        world.add(c)
    world.close()
    for c in loaded:
        if rules == "seed":
            want += [(kind, m.name + m.desc, str(pc), detail) for kind, m, pc, detail in slowcursor.seed_rules(c)]
            continue
        for m in c.methods:
            for kind, site, pc, detail in [] if m.code is None else slowcursor.paths_rules(world, m, everything=True):
                want.append((kind, m.name + m.desc, str(site), known(slowcursor.line_of(m, site)), str(pc),
                             known(slowcursor.line_of(m, pc)), detail))
    got = rows(program, path, "bugs all | select kind method descriptor offset line fault fault_line detail", "--rules", rules)
    got = [(g[0], g[1].split(".")[-1] + g[2]) + g[3:] for g in got]
    if rules == "seed":
        got = [(g[0], g[1], g[4], g[6]) for g in got]
    return compare(want, got) + ([] if want or rules == "seed" else ["no bugs"])


def check_labels(program, path):
    """Each kind has words of its own, and the overview counts by them without code names."""
    kinds = rows(program, path, "bugs all | group kind label : count")
    told = " ".join(" ".join(r) for r in rows(program, path, "overview"))
    bad = ["%s is %r" % (kind, label) for kind, label, n in kinds if not re.fullmatch("[a-z ]+", label) or label not in told]
    bad += ["the overview says " + kind for kind, _, _ in kinds if kind in told.replace("kind = " + kind, "")]
    return bad + ([] if len({label for _, label, _ in kinds}) == len({kind for kind, _, _ in kinds}) > 2 else ["kinds and labels: %r" % kinds])


def check_code(program, path):
    want = []
    for c in classes(path):
        for m in c.methods:
            if m.code is None:
                continue
            ins = m.decode() if hasattr(m, "dex") else slowcursor.decode(m)
            for pc, i in ins.items():
                want.append((c.name.replace("/", ".") + "." + m.name, m.desc, str(pc), known(slowcursor.line_of(m, pc)), i[0],
                             str(i[4] if hasattr(m, "dex") else i[2])))
    got = rows(program, path, "bytecode * | where opcode != payload | select method descriptor offset line opcode size")
    return compare(want, got) + ([] if want else ["no instructions"])


def check_locals(program, path):
    """Names and types of locals, and frames; the class files of a jar go to javap one by one."""
    query = "bytecode * | where opcode != payload | select method descriptor offset size opcode operands locals types frame"
    got = [tuple(r + ("",) * (9 - len(r))) for r in rows(program, path, query)]
    if path.endswith(".dex") or path.endswith(".apk"):
        return localcheck.dex_rows(classes(path), got)
    bad = []
    for p, b in slowcursor.inputs(path):
        one = write(path + ".one.class", b)
        name = slowcursor.Class(b, p).name.replace("/", ".")
        mine = [r for r in got if r[0].rsplit(".", 1)[0] == name]
        bad += localcheck.class_rows(name, localcheck.javap(one, name), mine) if mine else []
    return bad


def check_parameters(program, scratch):
    """Parameters of two words, one without a name, and a method that has an object."""
    body = [("ifnull", v, 1) for v in range(5, 13)] + [("return",)]
    ms = [("wide", "(JIDDLx/Y;)V", static, body, []) for static in (True, False)]
    bad = []
    for m in ms:
        path = write(os.path.join(scratch, "wide.dex"), codemake.dex_file([m]))
        bad += check_locals(program, path)
        names = [r[1] for r in rows(program, path, "bytecode * | where opcode = if-eqz | select offset locals")]
        want = (["this"] if not m[2] else []) + ["p0", "", "p1", "p2", "", "", "", "p4"]
        bad += ["%s, not %s" % (names, want)] if names != want[:len(names)] or len(names) != len(body) - 1 else []
    return bad


# Strings and numbers (their bits), and how Java source has them.
TEXTS = {"http://host/path/x.y": "http://host/path/x.y", "\U0001f600 a/b": "\U0001f600 a/b", "a\0b/c/d": "a\\u0000b/c/d",
         "half \ud800/\udc00.": "half \\ud800/\\udc00.", "\udc00\ud800": "\\udc00\\ud800", "": "",
         "q\"uo'te \\ \n\r\t\x1b\x7f\x85": "q\\\"uo'te \\\\ \\n\\r\\t\\u001b\\u007f\\u0085"}
DOUBLES = {0x400921fb54442d18: "3.141592653589793", 0x3fb999999999999a: "0.1", 0x419d6f3454000000: "1.23456789E8", 0: "0.0", 1 << 63: "-0.0",
           1: "4.9E-324", 0x7fefffffffffffff: "1.7976931348623157E308", 0x7ff8 << 48: "NaN", 0xfff0 << 48: "-Infinity", 0x3f50624dd2f1a9fc: "0.001",
           0x416312cfe0000000: "9999999.0", 0x416312d000000000: "1.0E7", 0xc059000000000000: "-100.0"}
FLOATS = {0x4b800000: "1.6777216E7", 0x3dcccccd: "0.1", 0x7f800000: "Infinity", 0x7fc00000: "NaN", 1: "1.4E-45", 0x3a83126e: "9.999999E-4"}


def check_constants(program, scratch):
    """Strings keep their slashes and characters, numbers all digits that tell them from others."""
    texts = [("text", t) for t in TEXTS]
    numbers = [("double", d) for d in DOUBLES] + [("float", f) for f in FLOATS]
    want = ['"%s"' % t for t in TEXTS.values()]
    want_numbers = [t + "d" for t in DOUBLES.values()] + [t + "f" for t in FLOATS.values()]
    bad = []
    for name, data, values in (
            ("const.class", codemake.class_file([("m", "()V", True, texts + numbers + [("return",)], [])]), want + want_numbers),
            ("const.dex", codemake.dex_file([("m", "()V", True, texts + [("return",)], [])]), ["v0, " + t for t in want])):
        path = write(os.path.join(scratch, name), data)
        a = program.run(["--no-index", "-o", "json", "-e", "bytecode * | where opcode ~ /^(ldc|const-string)/ | select operands", path])
        got = [json.loads(line)["operands"] for line in a.out.split("\n") if line]
        bad += ["%s: %r, not %r" % (name, g, w) for w, g in zip(values, got) if w != g] + ([] if len(got) == len(values) else ["%d rows" % len(got)])
    return bad


# ---- archives -----------------------------------------------------------------------------------


def facts(program, path):
    a = program.run(["--no-index", "-o", "tsv", "-e", "info", path])
    return a.code, dict(line.split("\t")[:2] for line in a.out.split("\n")[1:] if line)


def expect(program, path, status, **want):
    got_status, got = facts(program, path)
    bad = [] if got_status == status else ["status %d, not %d" % (got_status, status)]
    for name, value in want.items():
        name = name.replace("__", ".")
        if got.get(name, "0") != str(value):
            bad.append("%s is %s, not %s" % (name, got.get(name), value))
    return bad


def zipped(entries, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, data in entries:
            z.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, method)
    return out.getvalue()


def check_archives(program, scratch):
    ms = codemake.methods(1, 2)
    one, dex = codemake.class_file(ms), codemake.dex_file(ms)
    jar = zipped([("demo/Random.class", one)])
    end = jar.rindex(b"PK\5\6")
    central = jar.index(b"PK\1\2")
    manifest = b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n"
    both = [("demo/Random.class", one), ("META-INF/versions/9/demo/Random.class", one), ("META-INF/versions/11/demo/Random.class", one)]
    cases = {
        "stored": (zipped([("a.class", one)], zipfile.ZIP_STORED), 0, {"code.classes": 1}),
        "prefix": (b"#!/bin/sh\nexec java -jar $0\n" + jar, 0, {"code.classes": 1, "archive.prefix": 28}),
        "comment that holds the end": (jar[:end + 20] + struct.pack("<H", 30) + b"PK\5\6" + b"\0" * 26, 0, {"code.classes": 1}),
        "checksum": (jar[:central + 16] + b"abcd" + jar[central + 20:], 5, "no readable classes in this file; entries: 1 damaged"),
        "checksum of one": (spoil_sum(zipped([("a.class", one), ("b.class", one)])), 3,
                            {"code.classes": 1, "loss.archive_entries": 1}),
        "cut": (cut_second(zipped([("a.class", one), ("b.class", one)])), 3, {"code.classes": 1, "loss.archive_cut": 1}),
        "size of a bomb": (spoil_size(zipped([("a.class", one), ("b.class", one)])), 3,
                           {"code.classes": 1, "loss.archive_bounds": 1}),
        "doubles": (zipped([("a.class", one), ("a.class", one)]), 0, {"code.classes": 1, "repair.archive_doubles": 1}),
        "classes with the same name": (zipped([("BOOT-INF/lib/a.jar", jar), ("b.class", renamed(one, b"Second")), ("BOOT-INF/lib/b.jar", jar)]), 0,
                                {"code.files": 3, "code.classes": 2, "code.methods": 2 * len(ms), "repair.code_doubles": 1}),
        "classes with the same name in dex files": (zipped([("classes.dex", dex), ("classes2.dex", dex)]), 0,
                                             {"code.files": 2, "code.classes": 1, "code.methods": len(ms), "repair.code_doubles": 1}),
        "hostile names": (zipped([("../../a.class", one), ("/etc/b.class", renamed(one, b"Second")),
                                  ("c\x1b[31m.class", renamed(one, b"Third_"))]), 0, {"code.classes": 3}),
        "nested": (zipped([("lib/a.jar", jar), ("b.class", renamed(one, b"Second"))]), 0, {"code.classes": 2, "archive.nested": 1}),
        "nested too deep": (nest(jar, 6), 3, {"code.classes": 1, "loss.archive_deep": 1}),
        "versions": (zipped([("META-INF/MANIFEST.MF", manifest)] + both), 0, {"code.classes": 1, "archive.versions": 2}),
        "versions not declared": (zipped(both), 0, {"code.classes": 1, "archive.versions": 2}),
        "gap between dex files": (zipped([("classes.dex", dex), ("classes2.dex", dex), ("classes4.dex", dex), ("assets/classes.dex", dex)]),
                                  0, {"code.files": 2, "archive.unreached": 2}),
        "app bundle": (zipped([("base/dex/classes.dex", dex)]), 0, {"code.classes": 1}),
        "without bytecode": (zipped([("a.txt", b"text")]), 5, "a zip archive without a file that icecore opens: a.txt (unrecognised text)"),
        "empty": (zipped([]), 5, ""),
        "encrypted": (encrypted(zipped([("a.class", one), ("b.class", one)])), 5, "no readable classes in this file; entries: 2 encrypted"),
        "of another method": (zipped([("a.class", one)], zipfile.ZIP_LZMA), 5, "entries: 1 compressed by an unsupported method"),
        "a class that is none": (zipped([("a.class", one), ("b.class", b"hello, this is text")]), 3, {"code.classes": 1, "loss.code_files": 1}),
    }
    bad = []
    for name, (data, status, want) in cases.items():
        path = write(os.path.join(scratch, "case.jar"), data)
        got = program.run(["--no-index", "-o", "tsv", "-e", "info", path])
        if status != 5:
            bad += ["%s: %s" % (name, b) for b in expect(program, path, status, **want)]
        elif got.code != 5 or got.out or got.err.count("\n") != 1 or want not in got.err:
            bad.append("%s: status %d, %s" % (name, got.code, got.err))
    return bad


def renamed(data, name):
    """Of as many letters."""
    return data.replace(b"demo/Random", b"demo/" + name)


def encrypted(data):
    """All entries say that they are."""
    return data.replace(b"PK\1\2\x14\x03\x14\0\0\0", b"PK\1\2\x14\x03\x14\0\1\0")


def cut_second(data):
    return data[:data.index(b"PK\3\4", 4) + 100]


def spoil_sum(data):
    at = data.rindex(b"PK\1\2") + 16
    return data[:at] + b"abcd" + data[at + 4:]


def spoil_size(data):
    at = data.rindex(b"PK\1\2") + 24
    return data[:at] + struct.pack("<I", 200 << 20) + data[at + 4:]


def nest(data, n):
    one = codemake.class_file(codemake.methods(1, 1))
    for _ in range(n):
        data = zipped([("inner.jar", data)] + ([("a.class", one)] if _ == n - 1 else []))
    return data


# ---- damage ---------------------------------------------------------------------------------------


def check_method(program, scratch):
    """One method that makes no sense, or one class, loses itself alone."""
    ms = codemake.methods(4, 6)
    data = codemake.class_file(ms)
    code = data.index(b"\x01\x3a\x01\x01\x3a\x02")
    path = write(os.path.join(scratch, "bad.class"), data[:code] + b"\xfd" + data[code + 1:])
    bad = expect(program, path, 3, **{"code.classes": 1, "code.methods": len(ms), "loss.code_methods": 1})
    listed = [r[1:] for r in rows(program, path, "bytecode * | select method offset opcode operands size | where opcode = '?'", status=3)]
    bad += [] if listed == [("0", "?", "0xfd", "0")] else ["invalid code is listed as %s" % listed]
    path = write(os.path.join(scratch, "bad.jar"), zipped([("a.class", data[:len(data) // 2]), ("b.class", renamed(data, b"Second"))]))
    bad += expect(program, path, 3, **{"code.classes": 2, "loss.code_classes": 1})
    dex = codemake.dex_file(ms)
    path = write(os.path.join(scratch, "sum.dex"), dex[:8] + b"abcd" + dex[12:])
    bad += expect(program, path, 0, **{"code.classes": 1, "repair.dex_checksum": 1})
    for version, status in ((b"035", 0), (b"040", 0), (b"099", 0), (b"041", 5)):
        path = write(os.path.join(scratch, "v.dex"), codemake.dex_file(ms, version))
        got = program.run(["--no-index", "-e", "methods | count", path])
        if got.code != status:
            bad.append("dex %s: status %d" % (version, got.code))
    return bad


def named(program, path):
    a = program.run(["--no-index", "-o", "tsv", "-e", "methods | select class name descriptor", path])
    return a.code, a.out.split("\n")[1:-1], a.err


def check_pieces(program, scratch):
    """Files cut and damaged at many places: each with what is whole of it; one class of an archive never costs another one."""
    ms, bad = codemake.methods(4, 6), []
    one, dex = codemake.class_file(ms), codemake.dex_file(ms)
    other = renamed(codemake.class_file(codemake.methods(5, 4)), b"Second")
    second = [m.replace("demo.Random", "demo.Second") for m in named(program, write(os.path.join(scratch, "other.class"), other))[1]]
    for kind, data in (("class", one), ("dex", dex), ("jar", zipped([("a.class", one), ("b.class", other)]))):
        path, before = os.path.join(scratch, "cut." + kind), 0
        for n in sampled.turns(range(1, len(data), 19), 3):
            code, rows_, err = named(program, write(path, data[:n]))
            if code not in ((3,) if rows_ else (3, 5)) or not err or (kind != "dex" and len(rows_) < before):
                bad.append("%s cut at %d: status %d, %d methods after %d" % (kind, n, code, len(rows_), before))
            before = len(rows_)
    for kind, data, name in (("jar", one, "a.class"), ("apk", dex, "classes.dex")):
        for n in sampled.turns(range(0, len(data), 23), 3):
            spoiled = data[:n] + bytes([data[n] ^ 0xff]) + data[n + 1:]
            entries = [(name, spoiled), ("b.class", other)] if kind == "jar" else [(name, spoiled), ("classes2.dex", renamed(dex, b"Second"))]
            code, rows_, err = named(program, write(os.path.join(scratch, "bad." + kind), zipped(entries)))
            if code not in (0, 3) or (rows_[-len(second):] != second if kind == "jar" else len(rows_) < len(ms)):
                bad.append("%s spoiled at %d: status %d, %d methods" % (kind, n, code, len(rows_)))
    return bad + ([] if second else ["no second class"])


def elf(bits, symbol, more=b"", sections=True, at=200000):
    """An ELF file, of class 1 or 2, whose dynamic symbols lie far behind its head."""
    wide = bits == 2
    word, base = "<Q" if wide else "<I", 0x10000
    names = b"\0" + symbol + b"\0"
    symbols = b"".join(struct.pack("<IBBHQQ", n, 0x11, 0, 1, base, 8) if wide else struct.pack("<IIIBBH", n, base, 8, 0x11, 0, 1) for n in (0, 1))
    dynamic = b"".join(struct.pack(word, v) for v in (6, base + at, 5, base + at + len(symbols), 0, 0))
    tail = symbols + names
    dynamic_at = at + len(tail)
    tail += dynamic
    section_at = at + len(tail) if sections else 0

    def section(kind, offset, size, link):
        return struct.pack("<IIQQQQIIQQ" if wide else "<IIIIIIIIII", 0, kind, 0, base + offset, offset, size, link, 0, 8, 24 if wide else 16)
    tail += b"" if not sections else section(0, 0, 0, 0) + section(11, at, len(symbols), 2) + section(3, at + len(symbols), len(names), 0)

    def segment(kind, offset, size):
        return struct.pack("<IIQQQQQQ", kind, 4, offset, base + offset, 0, size, size, 8) if wide else \
            struct.pack("<IIIIIIII", kind, offset, base + offset, 0, size, size, 4, 8)
    segments = segment(1, 0, at + len(tail)) + segment(2, dynamic_at, len(dynamic))
    head = b"\x7fELF" + bytes([bits, 1, 1]) + bytes(9)
    size = 64 if wide else 52
    head += struct.pack("<HHIQQQIHHHHHH" if wide else "<HHIIIIIHHHHHH", 3, 183, 1, 0, size, section_at, 0, size, 56 if wide else 32, 2,
                        64 if wide else 40, 3 if sections else 0, 0)
    return (head + segments + more).ljust(at, b"\0") + tail


def check_named(program, scratch):
    """Files that the runtime makes from dex files are refused by name."""
    bad = []
    for head, word in ((b"cdex001\0", "compact dex"), (b"vdex027\0", "vdex"), (b"dey\n036\0", "odex"), (b"dex\n041\0", "dex container"),
                       (elf(2, b"oatdata"), "an oat"), (elf(1, b"oatdata"), "an oat"), (elf(2, b"oatdata", sections=False), "an oat"),
                       (elf(1, b"oatdata", sections=False), "an oat"), (elf(2, b"other"), "ELF"), (elf(2, b"", b"oatdata\0"), "ELF"),
                       (b"dex\n035\0" + bytes(32) + b"\x12\x34\x56\x78", "big-endian"), (b"\xca\xfe\xba\xbe\0\0\0\2", "universal binary")):
        got = program.run(["--no-index", "-e", "info", write(os.path.join(scratch, "x"), head + b"\0" * 200)])
        if got.code != 5 or word not in got.err:
            bad.append("%r: %d %s" % (head[:8], got.code, got.err))
    whole = elf(2, b"oatdata")
    for n in list(range(0, 300, 13)) + list(range(len(whole) - 400, len(whole), 9)):
        if program.run(["--no-index", "-e", "info", write(os.path.join(scratch, "x"), whole[:n])]).code != 5:
            bad.append("an oat cut at %d is read" % n)
    return bad


def check_beside(program, scratch):
    """Files and folders of classes beside another file: in the order they are given, links and other files left alone."""
    folder = os.path.join(scratch, "beside")
    inner = os.path.join(folder, "a", "b")
    os.makedirs(inner)
    one = codemake.class_file(codemake.methods(6, 3))
    write(os.path.join(inner, "One.class"), one)
    write(os.path.join(folder, "two.jar"), zipped([("Two.class", one)]))
    write(os.path.join(folder, "notes.txt"), b"no bytecode")
    os.symlink(folder, os.path.join(inner, "again"))
    base = write(os.path.join(scratch, "base.folded"), b"main;demo.Random.m0 5\nmain;demo.Random.m1 3\n")
    bad = []

    def ask(query, *paths):
        got = program.run(["--no-index", "-o", "tsv"] + [x for p in paths for x in ("--classes", p)] + ["-e", query, base])
        return got.code, got.out.split("\n")[1:-1], got.err

    def want(name, got, code, out):
        if got[:2] != (code, out):
            bad.append("%s: %s" % (name, got))
    want("folder", ask("bugs | methods | count", folder), 0, ["2"])
    want("pieces", ask("info | where field = code.files | select value", folder), 0, ["2"])
    want("twice", ask("info | where field = code.classes | select value", folder, DEMO), 0, ["6"])
    want("of one name", ask("info | where field = repair.code_doubles | select value", folder, DEMO), 0, ["1"])
    want("text", ask("bugs", os.path.join(folder, "notes.txt"))[:2] + ("",), 2, [])
    want("nothing", ask("bugs", os.path.join(folder, "none.jar"))[:2] + ("",), 4, [])
    write(os.path.join(folder, "bad.class"), b"no bytecode")
    want("a class that is none", ask("info | where field = loss.code_files | select value", folder), 3, ["1"])
    return bad


def method_trace(methods):
    """An ART method trace (version 2, wall clock) in which main calls each of (class, name, descriptor) for 10, 20, ... us."""
    ids = range(4, 4 + 4 * len(methods), 4)
    rows = "".join("0x%x\t%s\t%s\t%s\tRandom.java\n" % ((i,) + m) for i, m in zip(ids, methods))
    head = "*version\n2\ndata-file-overflow=false\nclock=wall\nelapsed-time-usec=100000\nnum-method-calls=%d\n" \
        "clock-call-overhead-nsec=0\nvm=art\npid=1\n*threads\n1\tmain\n*methods\n%s*end\n" % (2 * len(methods), rows)
    data, now = b"SLOW" + struct.pack("<HHQ", 2, 16, 0), 0
    for n, i in enumerate(ids):
        data += struct.pack("<HII", 1, i, now)
        now += 10 * (n + 1)
        data += struct.pack("<HII", 1, i | 1, now)
    return head.encode() + data


def check_traced(program, scratch):
    """Methods of a trace are those of the bytecode by descriptor, and through a mapping file; there and back."""
    ms = codemake.methods(7, 9)
    helpers, (one, two, three) = [m for m in ms if m[2]], [m for m in ms if not m[2]][:3]
    overloads = [("run", "(%s)Landroid/database/Cursor;" % d) + m[2:] for d, m in (("I", one), ("J", two), ("[I", three))]
    jar = write(os.path.join(scratch, "traced.jar"), zipped([("demo/Random.class", codemake.class_file(helpers + overloads))]))
    world, want = slowcursor.World(), {}
    cls = classes(jar)[0]
    world.add(cls)
    world.close()
    for m in cls.methods:
        if m.name == "run":
            want[m.desc] = sorted(str(site) for kind, site, pc, detail in slowcursor.paths_rules(world, m, everything=True))
    bad = [] if sum(map(len, want.values())) else ["no bugs to find"]
    called = [overloads[0][1], overloads[2][1]]
    mapping = write(os.path.join(scratch, "mapping.txt"), b"demo.Random -> a.b:\n" + b"".join(
        b"    android.database.Cursor run(%s) -> %s\n" % (t, n) for t, n in ((b"int", b"c"), (b"long", b"c"), (b"int[]", b"d"))))
    plain = method_trace([("demo.Random", "run", d) for d in called] + [("demo.Random", "gone", "()V")])
    obfuscated = method_trace([("a.b", "c", called[0]), ("a.b", "d", called[1]), ("a.b", "e", "()V")])
    for name, data, options in (("plain", plain, []), ("obfuscated", obfuscated, ["--mapping", mapping])):
        path = write(os.path.join(scratch, name + ".trace"), data)

        def ask(query):
            got = program.run(["--no-index", "-o", "tsv", "--classes", jar] + options + ["-e", query, path])
            return [tuple(line.split("\t")) for line in got.out.split("\n")[1:] if line] if got.code in (0, 1) else got.err
        got = ask("methods | bugs all | select descriptor offset")
        bad += ["%s: %s" % (name, b) for b in compare([(d, s) for d in called for s in want[d]], got)]
        got = ask("bugs all | methods | select signature total")
        with_bugs = [d for d in called if want[d]]
        bad += ["%s, back: %s" % (name, b) for b in compare([(d,) for d in with_bugs], [g[:1] for g in got])]
    return bad


# ---- real files -------------------------------------------------------------------------------------


def check_methods(program, path, want):
    got = rows(program, path, "methods | select name descriptor bytes first_line last_line")
    return compare(want, got)


def expected(path):
    """The rows of a table by their file, without its head."""
    by = {}
    if os.path.exists(path):
        for line in open(path).read().split("\n")[1:-1]:
            name, *rest = line.split("\t")
            by.setdefault(name, []).append(rest)
    return by


def check_corpus(tap, program, corpus):
    """Methods as they are listed, bugs as the slow readers find them; what is damaged is read or refused, and never more."""
    folder = os.path.join(corpus, "other", "class")
    for name, want in expected(os.path.join(folder, "expected-methods.tsv")).items():
        want = [(w[0], w[1], w[5] or "0", known(int(w[7] or 0)), known(int(w[8] or 0))) for w in want]
        attempt(tap, "class/%s: methods" % name, check_methods, program, os.path.join(folder, name), want)
    for path in sorted(glob.glob(os.path.join(folder, "bad", "*")) + glob.glob(os.path.join(corpus, "seeds", "dex", "bad", "*"))):
        got = program.run(["--no-index", "-e", "bugs | count", path])
        tap.ok("%s: read or refused" % path[len(corpus) + 1:], [] if got.code in (0, 3, 5) and (got.code != 5) == (got.out != "") else ["status %d" % got.code])
    for path in sorted(glob.glob(os.path.join(corpus, "seeds", "dex", "*.dex"))):
        name = path[len(corpus) + 1:]
        attempt(tap, name + ": instructions", check_code, program, path)
        if "AllDex" not in name:
            attempt(tap, name + ": rules paths", check_bugs, program, path, "paths")
    for path in sorted(glob.glob(os.path.join(folder, "own", "*", "demo", "CursorCases.class")) +
                       glob.glob(os.path.join(corpus, "seeds", "cursor", "own", "*", "demo", "ShownCases.class"))):
        for kind in ("paths", "seed"):
            attempt(tap, "%s: rules %s" % (path[len(corpus) + 1:], kind), check_bugs, program, path, kind)


FILE, BUFFERED, INPUT = "java/io/FileInputStream", "java/io/BufferedInputStream", "java/io/InputStream"
LOCK, STRING, SQL = "java/util/concurrent/locks/Lock", "java/lang/String", "java/sql/"
OPEN, READ, CLOSE_FILE = ("new", 1, FILE, STRING), ("use", 1, (FILE, "read", "()I", "interface")), ("use", 1, (FILE, "close", "()V", "interface"))
BUFFER, CLOSE_BUFFER = ("wrap", 1, BUFFERED, INPUT), ("use", 1, (BUFFERED, "close", "()V", "interface"))
BEGIN, END = ("use", 1, (LOCK, "lock", "()V", "interface")), ("use", 1, (LOCK, "unlock", "()V", "interface"))
LOAD = ("call", 1, ("java/util/Properties", "load", "(%s)V" % (codemake.L % INPUT), "static"))
KEEP = ("call", 1, ("lib/Util", "take", "(%s)V" % (codemake.L % INPUT), "static"))
RETURN, HANDLER, RETHROW = ("return",), ("handler",), ("rethrow",)
# Cases of the rules for resources: the name of a method, its statements and handlers, the kind of its bug.
RESOURCES = [
    ("open", [OPEN, RETURN], [], "not-closed"),
    ("closed", [OPEN, CLOSE_FILE, RETURN], [], None),
    ("descriptor", [("new", 1, FILE, "java/io/FileDescriptor"), RETURN], [], None),
    ("read", [OPEN, READ, CLOSE_FILE, RETURN], [], "outside-try"),
    ("finally", [OPEN, READ, CLOSE_FILE, RETURN, HANDLER, CLOSE_FILE, RETHROW], [(1, 2, 4, None)], None),
    ("caught", [OPEN, READ, CLOSE_FILE, RETURN, HANDLER, RETURN], [(1, 2, 4, "java/io/IOException")], "handler-no-close"),
    ("caught_closed", [OPEN, READ, CLOSE_FILE, RETURN, HANDLER, CLOSE_FILE, RETURN], [(1, 2, 4, "java/io/IOException")], None),
    ("caught_other", [OPEN, READ, CLOSE_FILE, RETURN, HANDLER, RETURN], [(1, 2, 4, "java/lang/IllegalStateException")], "outside-try"),
    ("other_throws", [OPEN, ("log",), CLOSE_FILE, RETURN, HANDLER, RETURN], [(1, 2, 4, None)], None),
    ("wrapped", [OPEN, BUFFER, RETURN], [], "not-closed"),
    ("wrapped_closed", [OPEN, BUFFER, CLOSE_BUFFER, RETURN], [], None),
    ("wrapped_copy", [OPEN, ("copy", 1, 2), BUFFER, ("use", 2, (FILE, "close", "()V", "interface")), RETURN], [], None),
    ("wrapped_unknown", [OPEN, ("wrap", 1, "lib/Wrapper", INPUT), RETURN], [], None),
    ("wrapped_by_this", [OPEN, ("super", 1, BUFFERED, INPUT), RETURN], [], None),
    ("given", [OPEN, ("give",)], [], None),
    ("kept", [OPEN, ("put", 1), RETURN], [], None),
    ("passed", [OPEN, KEEP, RETURN], [], None),
    ("loaded", [OPEN, LOAD, RETURN], [], "not-closed"),
    ("null", [("null", 1), ("ifflag", 3), OPEN, ("ifnull", 1, 5), CLOSE_FILE, RETURN], [], None),
    ("same_flag", [("ifflag", 2), OPEN, ("ifflag", 4), CLOSE_FILE, RETURN], [], None),
    ("other_flag", [OPEN, ("ifflag", 3), CLOSE_FILE, RETURN], [], "not-closed"),
    ("same_field", [("null", 1), ("ifdb", 3), OPEN, ("ifdb", 5), CLOSE_FILE, RETURN], [], None),
    ("cleared_field", [("null", 1), ("ifdb", 3), OPEN, ("cleardb",), ("ifdb", 6), CLOSE_FILE, RETURN], [], "not-closed"),
    ("again", [OPEN, ("goto", 0)], [], "not-closed"),
    ("held_twice", [("null", 1), ("copy", 1, 2), OPEN, ("ifnull", 2, 5), ("use", 2, (FILE, "close", "()V", "interface")), ("goto", 1)], [], None),
    ("held", [BEGIN, ("ifflag", 3), END, RETURN], [], "not-closed"),
    ("unlocked", [BEGIN, END, RETURN], [], None),
    ("locked", [BEGIN, RETURN], [], None),
    ("locked_again", [END, BEGIN, RETURN], [], None),
]


def resource_methods(cases):
    return [(name, "()" + codemake.L % codemake.CURSOR, False, body, tries) for name, body, tries, _ in cases]


def found(program, path, *options):
    return sorted((r[0].split(".")[-1], r[1]) for r in rows(program, path, "bugs | select method kind", *options))


def check_resources(program, scratch):
    """Each rule for resources just above and just below what it reports, in class files and dex files."""
    main = ("main", "([%s)V" % (codemake.L % STRING), True, [OPEN, RETURN], [])
    leave = resource_methods([("leave", [END, RETURN], [], None), ("held", [BEGIN, ("ifflag", 3), END, RETURN], [], None)])
    want, bad = sorted((name, kind) for name, _, _, kind in RESOURCES if kind), []
    for kind, make in (("class", codemake.class_file), ("dex", codemake.dex_file)):
        path = write(os.path.join(scratch, "resources." + kind), make(resource_methods(RESOURCES) + [main]))
        bad += ["%s: %s" % (kind, b) for b in compare(want, found(program, path))]
        path = write(os.path.join(scratch, "leave." + kind), make(leave))
        bad += ["%s: ended elsewhere: %s" % (kind, r) for r in found(program, path)]
    path = write(os.path.join(scratch, "words.class"), codemake.class_file(resource_methods(RESOURCES)))
    told = [r[0] for r in rows(program, path, "bugs | where method ~ /[.](open|held|read)$/ | sort method | select why")]
    want = ["the Lock held since lock() on line 10 is still open when the method returns on line 13",
            "the FileInputStream from new java.io.FileInputStream on line 10 is still open when the method returns on line 11",
            "the FileInputStream from new java.io.FileInputStream on line 10 stays open if read() on line 11 throws"]
    return bad + compare(want, told)


def check_tables(program, scratch):
    """Tables of one's own, and what is wrong in them."""
    thing = ("new", 1, "lib/Thing", STRING)
    free = ("use", 1, ("lib/Thing", "free", "()V", "interface"))
    path = write(os.path.join(scratch, "things.class"), codemake.class_file(resource_methods([
        ("lost", [thing, RETURN], [], None), ("freed", [thing, free, RETURN], [], None), ("stored", [OPEN, KEEP, RETURN], [], None)])))
    table, bad = os.path.join(scratch, "table"), []

    def want(text, rows_):
        write(table, text)
        got = found(program, path, "--resources", table)
        bad.extend("%r: %s" % (text, b) for b in compare(rows_, got))
    bad += ["without a table: %s" % r for r in [found(program, path)] if r]
    want(b"# a comment\n\nlib.Thing made new released free\n", [("lost", "not-closed")])
    want(b"lib.Thing made new(java.lang.String) released free", [("lost", "not-closed")])
    want(b"lib.Thing made new(java.io.File) released free\n", [])
    want(b"borrows lib.Util.take\n", [("stored", "not-closed")])
    for text, said in ((b"\nlib.Thing new\n", "line 2: expected 'made' or 'begun' after the class"), (b"lib.Thing made new\n", "line 1: a resource needs"),
                       (b"made new\n", "line 1: expected a class"), (b"lib.Thing made new( released x\n", "line 1: 'new(' is not a name"),
                       (b"lib.Thing made new begun run released x\n", "line 1: a resource needs"),
                       (b"a.B made new released x\n" * 300, "more than 200 resources")):
        write(table, text)
        got = program.run(["--no-index", "--resources", table, "-e", "bugs", path])
        if got.code != 2 or said not in got.err:
            bad.append("%r: status %d, %s" % (text[:40], got.code, got.err))
    return bad


def check_rules(program, scratch, kind, seed):
    """The rules of --checks in programs made at random."""
    ms = slowchecks.methods(seed, METHODS)
    table = write(os.path.join(scratch, "rules"), slowchecks.RULES.encode())
    path = write(os.path.join(scratch, "rules." + kind), (codemake.class_file if kind == "class" else codemake.dex_file)(ms))
    got = rows(program, path, "bugs all | select kind method line severity", "--checks", table)
    return compare(slowchecks.found(ms, kind == "dex"), [(g[0], g[1].split(".")[-1]) + g[2:] for g in got])


def manual_rules():
    text = open(os.path.join(HERE, "..", "..", "man", "icecore-trace.7")).read()
    return text[text.index("A line of the file is a rule:"):].split("indent\n", 1)[1].split(".Ed", 1)[0]


SHOW, BECOME = ("use", 1, ("android/widget/Toast", "show", "()V", "interface")), ("call", 1, ("java/lang/Thread", "interrupt", "(%s)V" % (codemake.L % STRING), "static"))
TOAST = ("call", 1, ("android/widget/Toast", "makeText", "(%s)V" % (codemake.L % STRING), "static"))
SLEEP, START = ("use", 1, ("lib/Thing", "sleep", "()V", "interface")), ("use", 1, ("android/app/Activity", "startActivity", "()V", "interface"))
LATE, ABSENT = "java/lang/InterruptedException", "android/content/ActivityNotFoundException"
# Mistakes that the rules of the manual find, and the same without the mistake.
MANUAL = [
    ("onCreate", [("ifflag", 2), ("above", "onCreate"), RETURN], [], "no-super"),
    ("toasts", [TOAST, ("ifflag", 3), SHOW, RETURN], [], "toast"),
    ("toasts_well", [TOAST, ("ifflag", 3), SHOW, SHOW, RETURN], [], None),
    ("starts", [START, RETURN], [], "no-activity"),
    ("starts_well", [START, RETURN, HANDLER, RETURN], [(0, 1, 2, ABSENT)], None),
    ("starts_other", [START, RETURN, HANDLER, RETHROW], [(0, 1, 2, LATE)], "no-activity"),
    ("sleeps", [SLEEP, RETURN, HANDLER, ("log",), RETURN], [(0, 1, 2, LATE)], "swallowed"),
    ("sleeps_well", [SLEEP, RETURN, HANDLER, BECOME, RETURN], [(0, 1, 2, LATE)], None),
    ("sleeps_on", [SLEEP, RETURN, HANDLER, ("throw",)], [(0, 1, 2, LATE)], None),
]


def check_manual_rules(program, scratch):
    """The rules in the manual find the mistakes they are about, in class files, dex files and archives."""
    table = write(os.path.join(scratch, "manual"), manual_rules().encode())
    want, bad = sorted((name, kind) for name, _, _, kind in MANUAL if kind), []
    one, dex = codemake.class_file(resource_methods(MANUAL)), codemake.dex_file(resource_methods(MANUAL))
    well = resource_methods([("onCreate", [("above", "onCreate"), RETURN], [], None)])
    for name, data in (("a.class", one), ("a.dex", dex), ("a.jar", zipped([("a.class", one)])), ("a.apk", zipped([("classes.dex", dex)]))):
        path = write(os.path.join(scratch, name), data)
        bad += ["%s: %s" % (name, b) for b in compare(want, found(program, path, "--checks", table))]
    bad += found(program, write(os.path.join(scratch, "well.class"), codemake.class_file(well)), "--checks", table)
    path = os.path.join(scratch, "a.class")
    told = [r[0] for r in rows(program, path, "bugs | sort method | select why", "--checks", table)]
    want = ["the start of onCreate() is not followed by super.onCreate() when the method returns on line 12",
            "the handler of InterruptedException on line 12 is not followed by interrupt() when the method returns on line 14",
            "no app may fit: startActivity() on line 10 is not inside a try that catches ActivityNotFoundException",
            "no app may fit: startActivity() on line 10 is not inside a try that catches ActivityNotFoundException",
            "makeText() on line 10 is not followed by show() when the method returns on line 13"]
    bad += compare(want, told)
    for text, said in ((b"\na\n", "line 2: expected 'call', 'enter' or 'catch' after the name"), (b"a/b call x\n", "line 1: 'a/b' is not the name"),
                       (b"a call needs-after b\n", "line 1: a name is missing before 'needs-after'"), (b"a call x\n", "line 1: expected 'needs-after', "),
                       (b"a enter x inside y\n", "line 1: expected 'needs-after'"), (b"a call x needs-after\n", "line 1: a name is missing at the end"),
                       (b"a call x needs-after y inside z\n", "line 1: a rule needs one thing only"), (b"a call x( inside y\n", "'x(' is not a name"),
                       (b"a call x inside y\n" * 51, "line 51: more than 50 rules")):
        write(table, text)
        got = program.run(["--no-index", "--checks", table, "-e", "bugs", path])
        if got.code != 2 or table + ": " + said not in got.err and said not in got.err:
            bad.append("%r: status %d, %s" % (text[:40], got.code, got.err))
    return bad


def check_large(program, scratch):
    """A method with too many Cursors, and one whose stack does not fit, are reported; others are still analysed."""
    leak, method = [("query", 1), ("return",)], "()" + codemake.L % codemake.CURSOR
    loop = [("query", 1), ("use", 1, codemake.OPS[0]), ("goto", 0)]
    path = os.path.join(scratch, "large.class")
    data = codemake.class_file([("large", method, False, [("query", 1)] * 5800 + [("return",)], []),
                                ("small", method, False, leak, []), ("crooked", method, False, loop, [])])
    bad = ["the loop is not found"] if data.count(b"\x57\xa7") != 1 else []
    write(path, data.replace(b"\x57\xa7", b"\0\xa7"))
    a = program.run(["--no-index", "-o", "tsv", "-e", "bugs all", "-e", "info | where field ~ /^loss/ and value != 0", path])
    bad += [] if a.code == 3 else ["status %d" % a.code]
    bad += ["no '%s'" % t for t in ("large\t", "and later ones were not analysed: the method is too large", "loss.bugs_methods\t1\t",
                                    "loss.bugs_invalid\t1\t", "not-closed\tdemo.Random.small\t") if t not in a.out]
    return bad + (["crooked has a bug"] if "crooked\t" in a.out else [])


def check_instances(program, scratch):
    """A value that cannot be a Cursor, or whose classes exclude each other, is null; it may not be a MatrixCursor."""
    ms, bad = [], []
    for i, name in enumerate(codemake.TYPES):
        for no in (0, 1):
            close = ("use", 1, codemake.CLOSE)
            body = [("query", 1), ("ifis", 1, name, no, 4)] + ([close, ("return",)] if no == 0 else [("return",), ("return",), close]) + [("return",)]
            ms.append(("m%d%d" % (i, no), "()" + codemake.L % codemake.CURSOR, False, body, []))
    want = sorted("m%d%d" % (i, no) for i in (4, 5) for no in (0, 1))
    for kind, make in (("class", codemake.class_file), ("dex", codemake.dex_file)):
        path = write(os.path.join(scratch, "is." + kind), make(ms))
        got = sorted(r[0].split(".")[-1] for r in rows(program, path, "bugs | where kind = not-closed | select method"))
        bad += [] if got == want else ["%s: %s" % (kind, got)]
    return bad


FORMS = {"-": "NONE", "b": "BYTE", "s": "SHORT", "k": "CONST1", "K": "CONST2", "v": "SLOT", "iv": "INC", "j": "BRANCH", "J": "BRANCH4",
         "t": "TABLE", "l": "LOOKUP", "i": "INTERFACE", "d": "DYNAMIC", "n": "ARRAY", "w": "WIDE", "m": "MULTI"}


def words(letters):
    return "VARIES" if "*" in letters else str(sum(2 if c in "JD" else 1 for c in letters))


def source_table(name):
    with open(os.path.join(HERE, "..", "..", "src", "load", "code", name), encoding="utf-8") as f:
        found = re.findall(r"\[(0x..)\] = \{ \"(.*?)\", FORM_(\w+), (\w+), (\w+), (\S+) \}", f.read())
    return {int(row[0], 16): row[1:] for row in found}


def check_opcodes():
    """Each instruction of the two tables is that of the slow readers: also those that no program at random has."""
    jvm = {op: (name, FORMS[form], *(words(part) for part in (effect.partition(">")[::2] if ">" in effect else "**")), "0")
           for op, (name, form, effect, _) in slowcursor.OPS.items()}
    dex = {op: (name, form.upper(), "0", "0", "'%s'" % effect if effect else "0") for op, (name, form, effect) in slowdex.OPS.items()}
    return ["%s: 0x%02x: %s, not %s" % (table, op, got.get(op), want.get(op)) for table, want in (("jvm_ops.c", jvm), ("dex_ops.c", dex))
            for got in [source_table(table)] for op in sorted(set(got) | set(want)) if got.get(op) != want.get(op)]


def check_classes(tap, program, scratch):
    """Names and types of locals in class files are those of javap."""
    if shutil.which("javap") is None:
        tap.ok("locals and frames of class files # SKIP javap is not installed", [])
        return
    attempt(tap, "locals and frames of the demo", check_locals, program, shutil.copy(DEMO, scratch))
    for seed in range(1, SEEDS + 1):
        path = os.path.join(scratch, "random.class")
        codemake.main("class", seed, path, METHODS)
        attempt(tap, "class %d: locals and frames" % seed, check_locals, program, path)


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for kind in ("paths", "seed"):
        attempt(tap, "demo: rules %s" % kind, check_bugs, program, DEMO, kind)
    attempt(tap, "demo: instructions", check_code, program, DEMO)
    attempt(tap, "demo: labels of bugs", check_labels, program, DEMO)
    attempt(tap, "locals: parameters of dex files", check_parameters, program, scratch)
    attempt(tap, "tables of instructions", check_opcodes)
    sampled.tell()
    for seed in sampled.turns(range(1, SEEDS + 1)):
        for kind in ("class", "dex", "apk"):
            path = os.path.join(scratch, "random." + kind)
            codemake.main(kind, seed, path, METHODS)
            attempt(tap, "%s %d: instructions" % (kind, seed), check_code, program, path)
            if kind != "class":
                attempt(tap, "%s %d: locals and frames" % (kind, seed), check_locals, program, path)
            attempt(tap, "%s %d: rules paths" % (kind, seed), check_bugs, program, path, "paths")
            if kind != "apk":
                attempt(tap, "%s %d: rules of --checks" % (kind, seed), check_rules, program, scratch, kind, seed)
            if kind == "class":
                attempt(tap, "%s %d: rules seed" % (kind, seed), check_bugs, program, path, "seed")
    attempt(tap, "constants", check_constants, program, scratch)
    attempt(tap, "what a Cursor is an instance of", check_instances, program, scratch)
    attempt(tap, "resources", check_resources, program, scratch)
    attempt(tap, "tables of resources", check_tables, program, scratch)
    attempt(tap, "rules of --checks in the manual", check_manual_rules, program, scratch)
    attempt(tap, "archives", check_archives, program, scratch)
    attempt(tap, "bytecode beside another file", check_beside, program, scratch)
    attempt(tap, "methods of a trace, by descriptor and through a mapping", check_traced, program, scratch)
    attempt(tap, "damage stays where it is", check_method, program, scratch)
    attempt(tap, "methods that are too large or do not fit", check_large, program, scratch)
    attempt(tap, "cut and spoiled at many places", check_pieces, program, scratch)
    attempt(tap, "files of the runtime are refused by name", check_named, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
