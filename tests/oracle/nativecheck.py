#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""nativecheck.py BUILD SCRATCH - names for addresses of native code: ELF files and profiles of our own that name them, as TAP."""
import collections
import functools
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

ID = bytes(range(1, 21))
GLOBAL, LOCAL, WEAK = 1, 0, 2
FUNC, OBJECT, IFUNC = 2, 1, 10
# name, value, size, bind, type
FUNCTIONS = [("outer", 0x1000, 0x40, GLOBAL, FUNC), ("hot", 0x1040, 0x20, LOCAL, FUNC), ("_alias", 0x1040, 0x20, GLOBAL, FUNC),
             ("alias", 0x1040, 0x20, GLOBAL, FUNC), ("weak", 0x1040, 0x20, WEAK, FUNC), ("data", 0x1070, 0x10, GLOBAL, OBJECT),
             ("sizeless", 0x1080, 0, GLOBAL, FUNC), ("chosen", 0x10a0, 0x10, GLOBAL, IFUNC)]
NAMES = {0x1000: "outer", 0x103f: "outer", 0x1040: "alias", 0x105f: "alias", 0x1060: None, 0x1070: None, 0x1080: "sizeless",
         0x109f: "sizeless", 0x10a0: "chosen", 0x10af: "chosen", 0x10b0: None, 0xfff: None, 0x900000: None}


def breakpad(build_id):
    b = (build_id + bytes(16))[:16]
    return (b[3::-1] + b[5:3:-1] + b[7:5:-1] + b[8:]).hex().upper() + "0"


def elf(wide=True, order="<", base=0, build_id=ID, symbols=FUNCTIONS, kind=2, link=None, note="segment"):
    """An ELF file with a build id, a table of symbols (kind 2: .symtab, 11: .dynsym; None: none) and a debug link."""
    word = "Q" if wide else "I"
    names, rows = b"\0", struct.pack(order + ("IBBHQQ" if wide else "IIIBBH"), 0, 0, 0, 0, 0, 0)
    for name, value, size, bind, type_ in symbols:
        at, info = len(names), bind << 4 | type_
        names += name.encode() + b"\0"
        rows += struct.pack(order + "IBBHQQ", at, info, 0, 1, base + value, size) if wide else \
            struct.pack(order + "IIIBBH", at, base + value, size, info, 0, 1)
    id_note = b"" if build_id is None else struct.pack(order + "III", 4, len(build_id), 3) + b"GNU\0" + build_id + bytes(-len(build_id) % 4)
    id_note = struct.pack(order + "III", 3, 5, 1) + b"ab\0\0" + b"12345\0\0\0" + id_note
    link_part = b"" if link is None else link.encode() + b"\0" + bytes(-(len(link) + 1) % 4) + bytes(4)
    shstr = b"\0.symtab\0.strtab\0.gnu_debuglink\0.note\0.shstrtab\0"
    parts = [id_note, rows, names, link_part, shstr]
    head, segment, section = (64, 56, 64) if wide else (52, 32, 40)
    at, places = head + 2 * segment, []
    for p in parts:
        places.append(at)
        at += len(p) + -len(p) % 8
    def seg(type_, offset, address, size):
        return struct.pack(order + "IIQQQQQQ", type_, 5, offset, address, address, size, size, 8) if wide else \
            struct.pack(order + "IIIIIIII", type_, offset, address, address, size, size, 5, 8)
    def sec(name, type_, part, link_to=0, entry=0):
        size = len(parts[part]) if part is not None else 0
        place = places[part] if part is not None else 0
        return struct.pack(order + "II" + word * 4 + "II" + word * 2, shstr.index(name) if name else 0, type_, 0, 0, place, size, link_to, 0, 4, entry)
    entry = 24 if wide else 16
    sections = [sec(None, 0, None), sec(b".symtab", kind if kind is not None else 1, 1, 2, entry), sec(b".strtab", 3, 2), sec(b".shstrtab", 3, 4)]
    sections += [sec(b".gnu_debuglink", 1, 3)] * (link is not None) + [sec(b".note", 7, 0)] * (note == "section")
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    out = ident + struct.pack(order + "HHI" + word * 3 + "IHHHHHH", 3, 62, 1, 0, head, at, 0, head, segment, 2 if note == "segment" else 1, section,
                              len(sections), 3)
    out += seg(1, 0, base, 0x100000) + (seg(4, places[0], base, len(id_note)) if note == "segment" else bytes(segment))
    for place, p in zip(places, parts):
        out = out.ljust(place, b"\0") + p
    return out.ljust(at, b"\0") + b"".join(sections)


def profile(path, libs, frames, symbolicated=False):
    """A processed profile with one sample for each frame (library, address), which has no caller."""
    strings = sorted({"0x%x" % a for _, a in frames} | {lib["name"] for lib in libs})
    n = len(frames)
    thread = {
        "name": "t", "pid": "7", "tid": 8, "registerTime": 0, "processType": "default", "stringArray": strings, "isMainThread": True,
        "frameTable": {"length": n, "address": [a for _, a in frames], "func": list(range(n)), "inlineDepth": [0] * n, "category": [0] * n,
                       "subcategory": [0] * n, "line": [None] * n, "column": [None] * n, "nativeSymbol": [None] * n, "innerWindowID": [0] * n},
        "funcTable": {"length": n, "name": [strings.index("0x%x" % a) for _, a in frames], "resource": [lib for lib, _ in frames],
                      "isJS": [False] * n, "relevantForJS": [False] * n, "fileName": [None] * n, "lineNumber": [None] * n, "columnNumber": [None] * n},
        "resourceTable": {"length": len(libs), "lib": list(range(len(libs))), "name": [strings.index(lib["name"]) for lib in libs],
                          "host": [None] * len(libs), "type": [1] * len(libs)},
        "stackTable": {"length": n, "frame": list(range(n)), "prefix": [None] * n, "category": [0] * n, "subcategory": [0] * n},
        "samples": {"length": n, "stack": list(range(n)), "time": [float(i) for i in range(n)], "weight": None, "weightType": "samples"},
        "markers": {"length": 0, "data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": []},
        "nativeSymbols": {"length": 0, "address": [], "functionSize": [], "libIndex": [], "name": []}}
    j = {"meta": {"preprocessedProfileVersion": 55, "version": 24, "interval": 1, "startTime": 0, "product": "x", "symbolicated": symbolicated,
                  "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}], "markerSchema": []},
         "libs": libs, "threads": [thread]}
    data = json.dumps(j).encode()
    with open(path, "wb") as f:
        f.write(gzip.compress(data) if path.endswith(".gz") else data)
    return path


def lib(path, build_id=ID, **other):
    return dict({"name": os.path.basename(path), "path": path, "debugName": os.path.basename(path), "debugPath": path,
                 "codeId": None if build_id is None else build_id.hex(), "breakpadId": "" if build_id is None else breakpad(build_id), "arch": None}, **other)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    return path


def named(program, path, *options):
    """How often the profile has each stack, and what it says of names."""
    a = program.run(["--no-index", "-o", "folded", "-e", "calls", *options, path])
    facts = program.run(["--no-index", "-o", "tsv", "-e", "info | where field = address_names | select value", *options, path])
    if a.code != 0 or facts.code not in (0, 1):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    stacks = collections.Counter()
    for line in a.out.split("\n")[:-1]:
        stack, _, n = line.rpartition(" ")
        stacks[stack.partition(";")[2]] += int(n)
    return stacks, (facts.out.split("\n")[1:] or [""])[0]


def expect(program, path, want, told, *options):
    got, symbols = named(program, path, *options)
    want = collections.Counter(want)
    bad = ["%s is there %d times, not %d" % (stack, got[stack], want[stack]) for stack in sorted(set(got) | set(want)) if got[stack] != want[stack]]
    return bad + (["symbols: %s, not %s" % (symbols, told)] if symbols != told else [])


class Case:
    def __init__(self, program, scratch):
        self.program, self.scratch, self.n = program, scratch, 0

    def folder(self):
        self.n += 1
        path = os.path.join(self.scratch, "native%d" % self.n)
        os.makedirs(path)
        return path

    def all(self, name, how, data, build_id=ID, known=True, **other):
        """Every address of NAMES in one library with that file."""
        folder = self.folder()
        path = os.path.join(folder, "lib", name)
        if data is not None:
            write(path, data)
        for more, content in other.pop("files", {}).items():
            write(os.path.join(folder, more), content)
        frames = [(0, a) for a in NAMES]
        want = [n if known and n else "0x%x" % a for a, n in NAMES.items()]
        found = sum(n is not None for n in NAMES.values())
        told = "%d of %d addresses (%s: %s%s)" % (found if known else 0, len(NAMES), name, how, " %d" % found if known else "")
        return expect(self.program, profile(os.path.join(folder, "p.json"), [lib(path, build_id, **other)], frames), want, told)


def check_kept(program, scratch):
    """An index without names is not used any more when the names are there; one with names is not made."""
    folder = os.path.join(scratch, "kept")
    path = os.path.join(folder, "lib", "late")
    os.makedirs(folder)
    p = profile(os.path.join(folder, "p.json"), [lib(path)], [(0, 0x1000)])
    ask = lambda *o: program.run([*o, "-o", "tsv", "-e", "methods | select method", p]).out.split("\n")[1]
    before = [ask(), ask(), os.path.exists(p + ".icx")]
    write(path, elf())
    after = [ask(), ask("--no-symbols"), ask()]
    return [] if [before, after] == [["0x1000", "0x1000", True], ["outer", "0x1000", "outer"]] else [str([before, after])]


def check_sidecar(program, scratch):
    folder = os.path.join(scratch, "side")
    path = write(os.path.join(folder, "lib", "app"), elf())
    side = {"string_table": ["f", "inl\u00e4 \"1\"", "a.c", "g"], "data": [
        {"debug_name": "no", "debug_id": None, "code_id": None, "symbol_table": [], "known_addresses": [[4096, 0]]},
        {"debug_name": "app", "debug_id": "%s-%s-%s-%s-%s" % (lambda b: (b[:8], b[8:12], b[12:16], b[16:20], b[20:32]))(breakpad(ID).lower()),
         "code_id": ID.hex(), "symbol_table": [
             {"rva": 1, "size": 9, "symbol": 0, "frames": [{"function": 1, "file": 2, "line": 7}, {"function": None}, {"function": 0, "file": 2, "line": 3}]},
             {"rva": 1, "symbol": 3, "frames": [{"function": 1}, {"function": 3}]}, {"rva": 9, "symbol": 99}],
         "known_addresses": [[0x1000, 0], [0x1001, 1], [0x1002, 1], [0x1003, 2], [0x1004, 77], ["x", 1], [0x1005]]}]}
    frames = [(0, a) for a in (0x1000, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1006)]
    want = ["f;inl\u00e4 \"1\"_[i]", "g", "g", "0x1003", "0x1004", "0x1005", "0x1006"]
    bad = []
    for name, beside in (("p.json", "p.syms.json"), ("q.json.gz", "q.json.syms.json"), ("r.json.gz", "r.syms.json"), ("s", "s.syms.json")):
        p = profile(os.path.join(folder, name), [lib(path)], frames)
        with open(os.path.join(folder, beside), "w", encoding="utf-8") as f:
            json.dump(side, f, ensure_ascii=name == "s")
        bad += ["%s: %s" % (name, x) for x in expect(program, p, want, "3 of 7 addresses (app: .syms.json 3)")]
    # Cut anywhere it has some of the names, or they come from the ELF file; never wrong ones.
    with open(os.path.join(folder, "p.syms.json"), encoding="utf-8") as f:
        text = f.read()
    for end in range(0, len(text), 37):
        with open(os.path.join(folder, "p.syms.json"), "w", encoding="utf-8") as f:
            f.write(text[:end])
        got, _ = named(program, os.path.join(folder, "p.json"))
        bad += ["cut at %d: %s" % (end, got)] * bool(set(got) - set(want) - {"outer", "f"} - {"0x%x" % a for _, a in frames})
    return bad


def check_gone(program, scratch, folder, *argv, feed=None):
    """Asked in another way than by its name in the command line, a profile gets no names from other files."""
    path = write(os.path.join(folder, "lib", "app"), elf())
    p = profile(os.path.join(folder, "p.json"), [lib(path)], [(0, 0x1000)])
    with open(p, "rb") as f:
        out = subprocess.run(program.command + [a.replace("FILE", p) for a in argv], input=f.read() if feed else b"", stdout=subprocess.PIPE, timeout=300).stdout
    return [] if b"0x1000" in out and b"outer" not in out else [out.decode()]


def check_many(program, scratch):
    """More libraries than are mapped at a time, in turns; and one that is listed behind them."""
    folder = os.path.join(scratch, "many")
    libs = []
    for i in range(30):
        own = bytes([i + 1]) * 20
        libs.append(lib(write(os.path.join(folder, "l%d" % i), elf(build_id=own, symbols=[("f%d" % i, 0x1000, 0x10, GLOBAL, FUNC)])), own))
    frames = [(i, 0x1000 + k) for k in range(3) for i in range(30)]
    got, told = named(program, profile(os.path.join(folder, "p.json"), libs, frames))
    bad = [str(got)] * (got != collections.Counter("f%d" % i for i, _ in frames))
    return bad + ([] if told.startswith("90 of 90 addresses (l0: .symtab 3; ") and told.endswith("; 22 more)") else [told])


def check_compiled(program, scratch):
    """Compare the names of a compiled program with nm."""
    folder = os.path.join(scratch, "compiled")
    os.makedirs(folder)
    source, path = os.path.join(folder, "a.c"), os.path.join(folder, "a")
    with open(source, "w", encoding="ascii") as f:
        f.write("static int __attribute__((noinline)) hidden(int x) { return x * 3; }\nint shown(int x) { return hidden(x) + 1; }\n"
                "int main(int argc, char **argv) { (void)argv; return shown(argc); }\n")
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-O1", "-Wl,--build-id=sha1", "-o", path, source], check=True)
    nm = subprocess.run(["nm", "-S", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    own = bytes.fromhex(next(line for line in notes.split("\n") if "Build ID" in line).split()[-1])
    loads = subprocess.run(["readelf", "-lW", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    base = min(int(line.split()[2], 16) for line in loads.split("\n") if line.strip().startswith("LOAD"))
    rows = [line.split() for line in nm.split("\n") if len(line.split()) == 4 and line.split()[2] in "tT"]
    frames, want = [], []
    for value, size, _, name in rows:
        for at in (0, int(size, 16) - 1):
            frames.append((0, int(value, 16) - base + at))
            want.append(name)
    got, _ = named(program, profile(os.path.join(folder, "p.json"), [lib(path, own)], frames))
    names = {row[3] for row in rows}
    bad = [str((got, want))] * (got != collections.Counter(want))
    subprocess.run(["strip", path], check=True)
    got, _ = named(program, os.path.join(folder, "p.json"))
    return bad + ([] if {"hidden", "shown", "main"} <= names else [str(names)]) + ["%s after strip" % g for g in got if g == "hidden"]


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    case = Case(program, scratch)
    for wide in (True, False):
        for order in "<>":
            for base in (0, 0x400000):
                attempt(tap, "%d bits, %s, base %#x" % (64 if wide else 32, order, base), functools.partial(case.all, "a", ".symtab", elf(wide, order, base)))
    attempt(tap, "dynamic symbols alone", functools.partial(case.all, "a", ".dynsym", elf(kind=11)))
    attempt(tap, "a note in a section alone", functools.partial(case.all, "a", ".symtab", elf(note="section")))
    attempt(tap, "no symbols", functools.partial(case.all, "a", "no symbols", elf(kind=None), known=False))
    attempt(tap, "no file", functools.partial(case.all, "a", "no file", None, known=False))
    attempt(tap, "no ELF file", functools.partial(case.all, "a", "not readable", b"#!/bin/sh\n" * 20, known=False))
    attempt(tap, "another build", functools.partial(case.all, "a", "another build", elf(build_id=ID[::-1]), known=False))
    attempt(tap, "another build by its breakpad id", functools.partial(case.all, "a", "another build", elf(build_id=ID[::-1]), known=False, codeId=None))
    attempt(tap, "the breakpad id alone", functools.partial(case.all, "a", ".symtab", elf(), codeId=None))
    attempt(tap, "no build id in the file", functools.partial(case.all, "a", "no build id", elf(build_id=None), known=False))
    attempt(tap, "no build id in the profile", functools.partial(case.all, "a", "no build id", elf(), None, known=False))
    for place in ("lib/a.debug", "lib/.debug/a.debug"):
        attempt(tap, "a debug link to " + place, functools.partial(case.all, "a", "debug link", elf(kind=11, link="a.debug", symbols=[]), files={place: elf()}))
    attempt(tap, "a debug link to another build", functools.partial(case.all, "a", "no symbols", elf(kind=None, link="a.debug"), known=False,
            files={"lib/a.debug": elf(build_id=ID[::-1])}))
    attempt(tap, "a debug link out of its folder", functools.partial(case.all, "a", "no symbols", elf(kind=None, link="../b.debug"), known=False, files={"b.debug": elf()}))
    whole, wrong = elf(link="x.debug"), []
    for end in range(1, len(whole), 61):
        folder = case.folder()
        path = write(os.path.join(folder, "a"), whole[:end])
        got, _ = named(program, profile(os.path.join(folder, "p.json"), [lib(path)], [(0, a) for a in NAMES]))
        right = {"0x%x" % a for a in NAMES} | set(NAMES.values())
        wrong += ["cut at %d: %s" % (end, got)] * bool(set(got) - right)
    tap.ok("cut anywhere it has no wrong name", wrong)
    folder = case.folder()
    os.mkfifo(os.path.join(folder, "fifo"))
    frames = [(0, 0x1000), (1, 0x1000)]
    attempt(tap, "neither a FIFO nor a folder is opened", expect, program,
            profile(os.path.join(folder, "p.json"), [lib(os.path.join(folder, "fifo")), lib(folder)], frames), ["0x1000"] * 2,
            "0 of 2 addresses (fifo: no file; %s: no file)" % os.path.basename(folder))
    folder = case.folder()
    path = write(os.path.join(folder, "a"), elf())
    attempt(tap, "a profile that has all names there are", expect, program,
            profile(os.path.join(folder, "p.json"), [lib(path)], [(0, 0x1000)], symbolicated=True), ["0x1000"], "")
    attempt(tap, "--no-symbols", expect, program, profile(os.path.join(folder, "q.json"), [lib(path)], [(0, 0x1000)]), ["0x1000"], "", "--no-symbols")
    attempt(tap, "through a pipe", functools.partial(check_gone, program, scratch, case.folder(), "--no-index", "-e", "methods", "-", feed=True))
    attempt(tap, "many libraries", check_many, program, scratch)
    attempt(tap, ".syms.json", check_sidecar, program, scratch)
    attempt(tap, "the index", check_kept, program, scratch)
    if all(shutil.which(tool) for tool in ("nm", "readelf", "strip", os.environ.get("CC", "cc").split()[-1])):
        attempt(tap, "a compiled program", check_compiled, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
