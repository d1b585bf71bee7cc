#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""archivescheck.py BUILD SCRATCH - the files in zip and tar archives that are opened, as TAP."""
import bz2
import gzip
import io
import lzma
import os
import random
import shutil
import subprocess
import sys
import tarfile
import warnings
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

GO = "goroutine %d [running]:\nmain.f%d()\n\t/a.go:1 +0x1\n"
FOLDED = b"main;f 4\nmain;g 5\n"
LONG = "a/long/path/" * 15 + "dump.txt"
KINDS = ("zip", "tar", "tar.gz", "tar of GNU", "tar of POSIX")
# Each with the optional part that unpacks it.
PACKED = {"tar.zst": "USE_ZSTD", "tar.xz": "USE_XZ", "tar.bz2": "USE_BZIP2", "zip of bzip2": "USE_BZIP2"}


def pack(kind, files):
    out = io.BytesIO()
    if kind.startswith("zip"):
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2 if kind == "zip of bzip2" else zipfile.ZIP_DEFLATED) as z:
            for name, data in files:
                z.writestr(name, data)
        return out.getvalue()
    form = {"tar of GNU": tarfile.GNU_FORMAT, "tar of POSIX": tarfile.PAX_FORMAT}.get(kind, tarfile.USTAR_FORMAT)
    with tarfile.open(fileobj=out, mode="w:" + kind[4:] if kind in ("tar.gz", "tar.xz", "tar.bz2") else "w", format=form) as t:
        for name, data in files:
            member = tarfile.TarInfo(name)
            if name.endswith("/"):
                member.type = tarfile.DIRTYPE
            member.size = len(data)
            t.addfile(member, io.BytesIO(data))
    if kind == "tar.zst":
        return subprocess.run(["zstd", "-qc"], input=out.getvalue(), stdout=subprocess.PIPE, check=True).stdout
    return out.getvalue()


class Check:
    def __init__(self, program, scratch):
        self.program, self.path = program, os.path.join(scratch, "case")
        self.bad = []

    def write(self, data):
        with open(self.path, "wb") as f:
            f.write(data)

    def rows(self, query, path=None, code=0):
        a = self.program.ask(path or self.path, query, options=("--no-index",))
        if a.code != code:
            self.bad.append("%s: status %d, not %d: %s" % (query, a.code, code, a.err.strip()))
            return []
        return [" ".join(row.values()) for row in a.tables()[0].rows]

    def same(self, what, got, want):
        self.bad += [] if got == want else ["%s: %s, not %s" % (what, got, want)]

    def refused(self, want, path=None):
        a = self.program.ask(path or self.path, "info", options=("--no-index",))
        if a.code != 5 or want not in a.err:
            self.bad.append("status %d: %s, not %s" % (a.code, a.err.strip(), want))


def check_one(c, kind):
    """The only known file of an archive is opened, whatever lies next to it, packed or not."""
    others = [("logs/", b""), ("logs/read me.txt", b"hello\n"), ("__MACOSX/._a.folded", b"\0\5\x16\7"), ("empty.folded", b"")]
    for data in (FOLDED, gzip.compress(FOLDED)):
        c.write(pack(kind, others + [("logs/a.folded", data)]))
        c.same("methods", c.rows("methods | select name self | sort name"), ["f 4", "g 5", "main 0"])
        c.same("encoding", c.rows("info | where field = encoding | select value")[0].split(": ")[1].split(",")[0], "logs/a.folded")


def check_series(c, kind):
    """Stack dumps are a series."""
    c.write(pack(kind, [("%d.txt" % i, (GO % (i, i)).encode()) for i in range(3)] + [("flags.txt", b"-Xmx1g\n")]))
    c.same("dumps", c.rows("threads | select dump number top"), ["%d %d main.f%d (a.go:1)" % (i + 1, i, i) for i in range(3)])


def check_list(c, kind):
    """Several files are a list, and each opens by its name."""
    c.write(pack(kind, [("a.folded", FOLDED), (LONG, (GO % (1, 1)).encode()), ("b, \"c\".txt", b"hello\n"), ("x!y.folded", b"main;h 7\n")]))
    c.same("list", c.rows("records | select name size path"), ["%s %d %s!%s" % (name, size, c.path, name) for name, size in (
        ("a.folded", 18), (LONG, len(GO % (1, 1))), ('b, "c".txt', 6), ("x!y.folded", 9))])
    c.same("kinds", [k.split()[0] for k in c.rows("records | select kind")], ["folded", "stack", "unrecognised", "folded"])
    c.same("a.folded", c.rows("methods | select name self | sort name", c.path + "!a.folded"), ["f 4", "g 5", "main 0"])
    c.same("x!y.folded", c.rows("methods | select name self | sort name", c.path + "!x!y.folded"), ["h 7", "main 0"])
    c.same("a dump", c.rows("threads | select top", c.path + "!" + LONG), ["main.f1 (a.go:1)"])
    c.refused("unrecognised text", c.path + '!b, "c".txt')
    c.refused("no file d in the archive", c.path + "!d")
    index = c.path + ".index"
    os.makedirs(index, exist_ok=True)
    for path in (c.path, c.path + "!a.folded"):
        c.program.ask(path, "info", options=("--index", index))
    c.same("index", os.listdir(index), [])
    a = c.program.ask(c.path, "methods", options=("--no-index",))
    c.same("methods", (a.code, "which 'records' lists; open one: icecore '%s!NAME'" % c.path in a.err), (2, True))


def check_named(c, kind):
    """A bugreport of Android names its report."""
    c.write(pack(kind, [("main_entry.txt", b"report.txt"), ("report.txt", (GO % (1, 1)).encode()), ("FS/a.txt", (GO % (2, 2)).encode())]))
    c.same("named", c.rows("threads | select number"), ["1"])
    c.write(pack(kind, [("main_entry.txt", b"none.txt"), ("report.txt", (GO % (1, 1)).encode()), ("FS/a.txt", (GO % (2, 2)).encode())]))
    c.same("not there", c.rows("threads | select number"), ["1", "2"])


def check_none(c, kind):
    """Without a known file the archive is refused, with what is in it."""
    c.write(pack(kind, [("a.txt", b"hello\n"), ("b.bin", b"\1\2\0\3"), ("c.txt", b"version https://git-lfs.github.com/spec/v1\n"), ("d.txt", b"x")]))
    c.refused("archive without a file that icecore opens: a.txt (unrecognised text), b.bin (unrecognised binary data), c.txt (a pointer of Git LFS, not the file) and 1 more;")


def check_hostile(c, kind):
    """Names are text only; the first of equal names counts; not an archive."""
    c.write(pack(kind, [("../../etc/\x1b[31ma.folded", FOLDED), ("../../etc/\x1b[31ma.folded", b"main;z 1\n")]))
    c.same("list", [r.replace(c.path, "") for r in c.rows("records | select path")], ["!../../etc/\\x1b[31ma.folded"] * 2)
    c.same("first", c.rows("methods | select name self | sort name", c.path + "!../../etc/\x1b[31ma.folded"), ["f 4", "g 5", "main 0"])
    c.write(FOLDED)
    c.refused("not an archive", c.path + "!a")
    c.write(b"main;z 1\n")
    os.rename(c.path, c.path + "!z")
    c.same("a file with that name", c.rows("methods | select name | sort name", c.path + "!z"), ["main", "z"])


def check_cut(c, kind):
    """Damage is reported; no cut ends in a crash."""
    data = pack(kind, [("a.folded", FOLDED * 500), ("b.txt", b"hello\n" * 500)])
    for n in list(range(0, len(data), max(1, len(data) // 40))):
        c.write(data[:n])
        a = c.program.ask(c.path, "info", options=("--no-index",))
        if a.code not in (0, 3, 5):
            c.bad.append("cut to %d: status %d: %s" % (n, a.code, a.err.strip()))
        elif a.code == 0 and (kind in ("tar.zst", "tar.xz", "tar.bz2") or kind == "tar" and n < 13000 and n != 9728):
            c.bad.append("cut to %d: no report of the damage" % n)


def check_hurt(c, kind):
    """Files behind a damaged entry are missing: the ones before it are read, and the damage is reported."""
    if kind == "tar.gz":
        return
    data = bytearray(pack(kind, [("a.folded", FOLDED), ("b.txt", b"hello\n"), ("c.folded", b"main;z 1\n")]))
    data[data.rindex(b"b.txt") - (46 if kind == "zip" else 0)] ^= 1
    c.write(bytes(data))
    c.same("methods", c.rows("methods | select name self | sort name", code=3), ["f 4", "g 5", "main 0"])
    if kind == "zip":
        with open(os.path.join(HERE, "../fuzz/corpus/class/ops.class"), "rb") as f:
            data = bytearray(pack(kind, [("a.class", f.read()), ("b.class", b"")]))
        data[data.rindex(b"b.class") - 46] ^= 1
        c.write(bytes(data))
        c.same("bytecode", c.rows("info | where field in (loss.archive, loss.archive_cut) | select field", code=3), ["loss.archive_cut"])


def check_large(c, kind):
    """A file in it may be packed once more, in a block larger than the part by which files are recognised."""
    text = b"".join(b"main;f%05x 1\n" % random.Random(i).randrange(1 << 20) for i in range(40000))
    for compress in (gzip.compress, lzma.compress if "USE_XZ" in c.parts else bytes, bz2.compress if "USE_BZIP2" in c.parts else bytes):
        c.write(pack(kind, [("a.folded", compress(text)), ("b.txt", b"hello\n")]))
        c.same("methods", c.rows("methods | count"), [str(1 + len(set(text.split(b"\n")) - {b""}))])


def check_prefix(c, _):
    """A name of 100 bytes in a directory of 155."""
    name = "d" * 155 + "/" + "n" * 93 + ".folded"
    c.write(pack("tar", [(name, FOLDED), ("b.folded", FOLDED)]))
    c.same("names", c.rows("records | select name"), [name, "b.folded"])


def check_fields(c, _):
    """The name in a header of POSIX is its field, not what is written so in another one."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as t:
        for name, fields in (("a.folded", {"comment": "the path=x"}), (LONG, {"comment": "the path=y"})):
            member = tarfile.TarInfo(name)
            member.size, member.pax_headers = len(FOLDED), fields
            t.addfile(member, io.BytesIO(FOLDED))
    c.write(out.getvalue())
    c.same("names", c.rows("records | select name"), ["a.folded", LONG])


def check_encrypted(c, _):
    data = bytearray(pack("zip", [("a.folded", FOLDED)]))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + at] |= 1
    c.write(bytes(data))
    c.refused("a.folded (encrypted, or packed by another method)")
    c.refused("no file a.folded that can be unpacked", c.path + "!a.folded")
    data = bytearray(pack("zip", [("a.txt", (GO % (1, 1)).encode()), ("main_entry.txt", b"a.txt"), ("b.folded", FOLDED)]))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + at] |= 1
    c.write(bytes(data))
    c.same("another file", c.rows("methods | select name self | sort name"), ["f 4", "g 5", "main 0"])


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    parts = answers.parts_of(build)

    def run(check, kind):
        c = Check(program, scratch)
        c.parts = parts
        check(c, kind)
        return c.bad
    for kind, macro in PACKED.items():
        lacks = "built without " + macro if macro not in parts else "no zstd" if kind == "tar.zst" and shutil.which("zstd") is None else ""
        for check in (check_one, check_list, check_cut):
            if lacks and os.environ.get("REQUIRE_ALL") != "1":
                tap.ok("%s # SKIP %s" % (kind, lacks), [])
            else:
                attempt(tap, "%s: %s" % (kind, check.__doc__), run, check, kind)
    for kind in ("zip", "tar"):
        attempt(tap, "%s: %s" % (kind, check_large.__doc__), run, check_large, kind)
    for kind in KINDS:
        for check in (check_one, check_series, check_list, check_named, check_none, check_hostile, check_cut, check_hurt):
            attempt(tap, "%s: %s" % (kind, check.__doc__), run, check, kind)
    attempt(tap, "zip: encrypted", run, check_encrypted, "zip")
    attempt(tap, "tar: long directory", run, check_prefix, "tar")
    attempt(tap, "tar of POSIX: fields", run, check_fields, "tar of POSIX")
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
