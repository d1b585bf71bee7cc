#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""bitmapcheck.py BUILD SCRATCH - bitmaps of heap dumps against the oracle bitmaps.py, as TAP.

Facts about each bitmap, and the pixels of each possible format, as the sink png writes them.
"""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import bitmaps as oracle  # noqa: E402
import heapbitmaps  # noqa: E402
import pngread  # noqa: E402
from check import Tap, attempt  # noqa: E402
from heapread import Reader  # noqa: E402

CHOICES = ("", "RGB_565", "ARGB_4444")
# The expected guess for each two-byte bitmap, by dump and place among them.
GUESSED = {"bitmaps15": ["RGB_565", "ARGB_4444", "ARGB_4444"], "bitmaps19": ["RGB_565", "ARGB_4444"]}


class Case:
    def __init__(self, program, path, data):
        self.program, self.path = program, path
        with open(path, "wb") as f:
            f.write(data)
        r = Reader(data)
        self.want, self.natives = oracle.bitmaps(r), oracle.natives(r)

    def rows(self, *queries):
        a = self.program.ask(self.path, *queries, options=("--no-index",))
        if a.code not in (0, 1):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        return [t.rows for t in a.tables()]

    def facts(self):
        got, = self.rows("bitmaps | sort addr | select addr width height place bytes estimated copies lack")
        bad = ["%d bitmaps, not %d" % (len(got), len(self.want))] if len(got) != len(self.want) else []
        for b, row in zip(self.want, got):
            want = ["0x%x" % b.at, str(b.w or ""), str(b.h or ""), b.place, str(b.bytes), str(b.estimated).lower(),
                    str(b.copies) if b.raw is not None else ""]
            is_ = [row[k] for k in ("addr", "width", "height", "storage", "bytes", "estimated", "copies")]
            if is_ != want:
                bad.append("%s, not %s" % (is_, want))
            broken = b.image == "png"
            if (row["why_empty"] == "") != (bool(b.pixels) or broken):
                bad.append("0x%x: %r" % (b.at, row["why_empty"]))
        return bad

    def memory(self):
        got, = self.rows("objects | where native > 0 | select addr native")
        got = {int(r["addr"], 16): int(r["native"]) for r in got}
        return [] if got == self.natives else ["%s, not %s" % (got, self.natives)]

    def formats(self, name):
        got, = self.rows("bitmaps | sort addr | select addr format confidence")
        two = [r["format"] for b, r in zip(self.want, got) if sorted(b.pixels) == ["ARGB_4444", "RGB_565"]]
        bad = ["%s: %s" % (r["addr"], r["format"]) for b, r in zip(self.want, got)
               if b.place == "java" and b.pixels and r["format"] not in b.pixels]
        # Only pixels of two bytes are guessed; the better of two guesses is at least as likely as the other.
        bad += ["%s: confidence %r" % (r["addr"], r["confidence"]) for b, r in zip(self.want, got) if b.place == "java" and b.pixels and
                (len(b.pixels) > 1) != (r["confidence"] != "" and 50 <= float(r["confidence"]) < 100)]
        return bad + ([] if two == GUESSED.get(name, two) else ["%s, not %s" % (two, GUESSED[name])])

    @staticmethod
    def read(data):
        image = pngread.read(data)
        return image.width, image.height, b"".join(image.rows)

    def pixels(self, choice, folder):
        got, = self.rows("bitmaps %s | png '%s'" % (choice, folder))
        at, = self.rows("bitmaps | select object addr")
        addr = {r["object"]: int(r["addr"], 16) for r in at}
        file = {addr[r["object"]]: r["file"] for r in got if r["object"] and r["file"]}
        bad = []
        for b in self.want:
            name = file.get(b.at, "")
            shown = b.pixels or b.image not in ("", "other")
            if bool(name) != bool(shown):
                bad.append("0x%x: %r" % (b.at, name))
            elif name:
                bad += self.one_file(b, name, choice)
        return bad

    def one_file(self, b, name, choice):
        with open(name, "rb") as f:
            data = f.read()
        if b.image:                # written as it is in the dump
            return [] if data == b.raw else ["%s is another image" % name]
        format_ = name.rpartition("_%dx%d_" % (b.w, b.h))[2][:-len(".png")]
        if self.read(data) != (b.w, b.h, b.pixels.get(format_)):
            return ["the pixels in %s are others" % name]
        return ["%s is no %s" % (name, choice)] if choice in b.pixels and format_ != choice else []


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for name, make in heapbitmaps.MAKERS.items():
        case = Case(program, os.path.join(scratch, name + ".hprof"), make())
        attempt(tap, "%s: %d bitmaps" % (name, len(case.want)), case.facts)
        attempt(tap, "%s: native memory" % name, case.memory)
        attempt(tap, "%s: formats" % name, case.formats, name)
        for choice in CHOICES if any(b.pixels for b in case.want) else ():
            folder = os.path.join(scratch, "png")
            attempt(tap, "%s: pixels %s" % (name, choice or "as guessed"), case.pixels, choice, folder)
            shutil.rmtree(folder, ignore_errors=True)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
