#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""packedcheck.py BUILD SCRATCH - compressed files against the decompressors of Python and the program zstd, as TAP."""
import bz2
import gzip
import lzma
import os
import random
import shlex
import shutil
import struct
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import perfettomake  # noqa: E402
from check import Tap, attempt  # noqa: E402
from sampled import sampled, turns  # noqa: E402

SMALL = b"main;f 4\nmain;g 5\n"
# Several blocks of each form.
TEXT = b"".join(b"main;f%05x 1\n" % random.Random(seed).randrange(1 << 20) for seed in range(25000))
SKIPPED = struct.pack("<II", 0x184d2a53, 5) + b"skip!"
METHODS = "methods | select name self | sort name"


def zstd(data, *options):
    return subprocess.run(["zstd", "-qc", *options], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


# By the end of the name: macro of config.h, program, how to pack, how much of a cut file can be unpacked.
FORMS = {
    "gz": (None, "gzip", lambda b: gzip.compress(b, mtime=0), lambda b: zlib.decompressobj(31).decompress(b)),
    "zst": ("USE_ZSTD", "zstd", zstd, lambda b: zstd(b, "-d")),
    "xz": ("USE_XZ", "xz", lzma.compress, lambda b: lzma.LZMADecompressor().decompress(b)),
    "bz2": ("USE_BZIP2", "bzip2", lambda b: bz2.compress(b, 1), lambda b: bz2.BZ2Decompressor().decompress(b)),
}


class Check:
    def __init__(self, program, scratch, end):
        self.program, self.path, self.plain = program, os.path.join(scratch, "case"), os.path.join(scratch, "plain")
        self.name, self.pack, self.unpack = FORMS[end][1:]
        self.end, self.bad = end, []

    def rows(self, data, query, path=None, options=("--no-index",)):
        """Status, and the first two values of each row."""
        path = path or self.path
        with open(path, "wb") as f:
            f.write(data)
        a = self.program.ask(path, query, options=options)
        return a.code, [tuple(row.values())[:2] for row in a.tables()[0].rows] if a.code in (0, 3) else a.err

    def same(self, what, got, want):
        self.bad += [] if got == want else ["%s: %s, not %s" % (what, str(got)[:200], str(want)[:200])]

    def refused(self, what, data, says):
        code, err = self.rows(data, "info")
        self.bad += [] if code == 5 and says in err else ["%s: status %d: %s, not %s" % (what, code, err, says)]


def check_whole(c):
    """Whole: alone, packed twice, several streams with zeros behind, from an index, from a pipe, as a table by its name."""
    want = c.rows(SMALL, METHODS)
    packed = c.pack(SMALL)
    c.same("alone", c.rows(packed, METHODS), want)
    c.same("its name", c.rows(packed, "info | where field = encoding | select value"), (0, [(c.name,)]))
    c.same("twice", c.rows(gzip.compress(packed), METHODS), want)
    c.same("streams", c.rows(c.pack(SMALL[:9]) + c.pack(b"") + c.pack(SMALL[9:]) + bytes(8), METHODS), want)
    c.same("zeros between streams", c.rows(c.pack(SMALL[:9]) + bytes(1 << 21) + c.pack(SMALL[9:]), METHODS), want)
    c.same("large", c.rows(c.pack(TEXT), METHODS), c.rows(TEXT, METHODS))
    for _ in range(2):
        c.same("index", c.rows(packed, METHODS, options=("--index", os.path.dirname(c.path))), want)
    a = c.program.ask("-", METHODS, stdin=c.path, options=("--no-index",))
    c.same("pipe", (a.code, [tuple(row.values()) for row in a.tables()[0].rows]), want)
    c.same("table", c.rows(c.pack(b"a,b\n1,2\n"), "records | select a b", c.path + ".csv." + c.end), (0, [("1", "2")]))


def check_behind(c):
    """Bytes behind a stream that are no other one are a loss."""
    for rest in (b"x", bytes(5) + b"x", c.pack(SMALL)[1:]):
        c.same(rest[:9], c.rows(c.pack(SMALL) + rest, METHODS), (3, c.rows(SMALL, METHODS)[1]))


def check_cut(c):
    """Cut at each byte: what is whole is read, and the rest is a loss."""
    for text, places in ((SMALL, None), (TEXT, 40)):
        packed = c.pack(text)
        for n in sampled(list(range(1, len(packed)))) if places is None else turns(range(1, len(packed), len(packed) // places), 8):
            want = c.unpack(packed[:n])
            code, facts = c.rows(packed[:n], "info | where field = unpacked or field ~ /^loss/")
            if code == 5:
                c.same("cut to %d" % n, c.rows(want, "info", c.plain)[0], 5)
                continue
            facts = dict(facts)
            size = int(facts["unpacked"])
            # zstd itself keeps a block back until the checksum behind it is there.
            if code != 3 or facts.get("loss." + c.name) != "1" or not len(want) <= size <= len(want) + (c.end == "zst") * (128 << 10):
                c.bad.append("cut to %d: status %d, %s, not %d bytes" % (n, code, facts, len(want)))
            c.same("cut to %d" % n, c.rows(packed[:n], METHODS)[1], c.rows(text[:size], METHODS, c.plain)[1])


def check_damaged(c):
    """Damage, also of a checksum at the end: what is in front of it is read."""
    packed = bytearray(c.pack(TEXT))
    for at in (len(packed) * 2 // 3, len(packed) - 1):
        packed[at] ^= 0x10
        code, facts = c.rows(bytes(packed), "info | where field in (unpacked, loss.%s)" % c.name)
        c.same("damage at %d" % at, (code, len(facts), int(facts[0][1]) >= len(TEXT) // 3), (3, 2, True))
        packed[at] ^= 0x10


def check_wide(c):
    """A window of more than 128 MiB is refused before memory is taken, and what is advised works."""
    if c.end == "zst":
        c.refused("2 GiB", b"\x28\xb5\x2f\xfd\x00\xa8", "zstd data with a window over 128 MiB; open it through a pipe: zstd -dc --long=31 FILE | icecore -")
        c.same("64 MiB", c.rows(zstd(TEXT, "--long=27"), "methods | count")[0], 0)
    if c.end == "xz":
        packed = bytearray(c.pack(TEXT))
        head = (packed[12] + 1) * 4
        at = packed.index(b"\x21\x01", 12) + 2
        packed[at] = 36
        packed[12 + head - 4:12 + head] = struct.pack("<I", zlib.crc32(packed[12:12 + head - 4]))
        c.refused("1 GiB", bytes(packed), "xz data with a window over 128 MiB; open it through a pipe: xz -dc FILE | icecore -")
    if c.end in ("zst", "xz"):
        c.same("behind a whole stream", c.rows(c.pack(SMALL) + (b"\x28\xb5\x2f\xfd\x00\xa8" if c.end == "zst" else bytes(packed)), METHODS),
               (3, c.rows(SMALL, METHODS)[1]))


def check_skipped(c):
    """Frames to be skipped, as pzstd and seekable files contain them."""
    want = c.rows(SMALL, METHODS)
    for data in (SKIPPED + c.pack(SMALL), c.pack(SMALL[:9]) + SKIPPED * 2 + c.pack(SMALL[9:]) + SKIPPED):
        c.same("skipped", c.rows(data, METHODS), want)
    c.same("cut", c.rows((c.pack(SMALL) + SKIPPED)[:-1], METHODS), (3, want[1]))


def check_perfetto(c):
    """Packets of Perfetto in zstd, also of several frames, are the same as without it; a damaged one is a loss."""
    with gzip.open(os.path.join(HERE, "../../demo/recipes.pftrace.gz")) as f:
        plain = f.read()
    query = "calls | select name total self | sort -total | head 50"
    want = c.rows(plain, query)
    packed = c.pack(plain)
    c.same("one", c.rows(perfettomake.pkt(perfettomake.B(133, packed)), query), want)
    half = plain.index(b"\x0a", len(plain) // 2)
    c.same("frames", c.rows(perfettomake.pkt(perfettomake.B(133, c.pack(plain[:half]) + c.pack(plain[half:]))), query), want)
    c.same("damaged", c.rows(plain + perfettomake.pkt(perfettomake.B(133, packed[:9])), "info | where field = loss.packed | select value"), (3, [("1",)]))


def check_without(c):
    """A build without the library says which one, and what is advised works."""
    program = answers.Program(os.path.join(os.path.dirname(c.program.command[0]), "tests/hurt/packless"))
    with open(c.path, "wb") as f:
        f.write(c.pack(SMALL))
    library = {"zst": "libzstd", "xz": "liblzma", "bz2": "libbz2"}[c.end]
    a = program.run(["--no-index", "-e", "info", c.path])
    says = "%s data, and icecore was built without %s; open it through a pipe: %s -dc FILE | icecore -" % (c.name, library, c.name)
    c.same("says", (a.code, a.err), (5, "icecore: %s: %s\n" % (c.path, says)))
    if shutil.which(c.name):
        command = says.split(": ")[1].replace("FILE", shlex.quote(c.path)).replace("icecore", shlex.quote(program.command[0]))
        p = subprocess.run(["bash", "-c", command + " --no-index -e info"], stdout=subprocess.PIPE, check=False)
        c.same("advice", (p.returncode, b"folded stacks" in p.stdout), (0, True))
    if c.end == "zst":
        with open(c.path, "wb") as f:
            f.write(perfettomake.clocks(1000) + perfettomake.pkt(perfettomake.B(133, c.pack(SMALL))))
        c.same("packets", "was built without libzstd; record without compression" in program.run(["--no-index", "-e", "info", c.path]).err, True)


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    parts = answers.parts_of(build)

    def run(check, end):
        c = Check(program, scratch, end)
        check(c)
        return c.bad
    for end, (macro, tool, _, _) in FORMS.items():
        lacks = "built without " + macro if macro and macro not in parts else \
            "no zstd" if end == "zst" and shutil.which("zstd") is None else ""
        checks = [check_whole, check_behind, check_cut, check_damaged, check_wide] + [check_skipped, check_perfetto] * (end == "zst") + \
            [check_without] * (macro is not None)
        if lacks and os.environ.get("REQUIRE_ALL") != "1":
            tap.ok("%s # SKIP %s" % (tool, lacks), [])
            continue
        for check in checks:
            attempt(tap, "%s: %s" % (tool, check.__doc__), run, check, end)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
