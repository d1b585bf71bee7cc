#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pngcheck.py BUILD SCRATCH - bitmaps that icecore writes as pictures, as TAP.

Every picture of the dumps of tests/mk/heapbitmaps.py is read by pngread.py and
compared byte for byte with what the oracle says; then the obstacles
of files, and exports that are killed, stopped, or run out of room.
"""
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import bitmaps as oracle  # noqa: E402
import heapbitmaps  # noqa: E402
import mkheap  # noqa: E402
import pngread  # noqa: E402
from check import Tap, attempt  # noqa: E402
from heapread import Reader  # noqa: E402

LIST = "duplicates.tsv"
KEYS = ["Class", "Format", "Path", "Size", "Source"]
PATIENCE = 300                # seconds: only a hang takes so long
LARGE = 24                    # bitmaps of the dump whose export is interrupted
COLUMNS = "object, addr, width, height, format, place, lack, bytes"
SUFFIX = {"png": "png", "jpeg": "jpg", "webp": "webp"}


class Case:
    """A dump, and a folder that is not there yet."""

    def __init__(self, program, scratch, name, data=None):
        self.program, self.scratch = program, scratch
        self.path = os.path.join(scratch, name + ".hprof")
        self.folder = os.path.join(scratch, "pictures")
        self.data = data or mkheap.make(name)
        with open(self.path, "wb") as f:
            f.write(self.data)
        self.clear()

    def known(self):
        """Return the bitmaps of the oracle by their address, as it is written."""
        return {"0x%x" % b.at: b for b in oracle.bitmaps(Reader(self.data))}

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.folder, name)

    def names(self):
        return sorted(os.listdir(self.folder)) if os.path.exists(self.folder) else []

    def ask(self, *queries, code=0):
        a = self.program.ask(self.path, *queries, options=("--no-index",))
        if a.code != code:
            raise ValueError("%s: exit status %d: %s" % (queries[0], a.code, a.err.strip()))
        return [t.rows for t in a.tables()] if a.out else []

    def export(self, rows="bitmaps", more="", code=0):
        got = self.ask("%s | png '%s'%s" % (rows, self.folder, more), code=code)
        return got[0] if got else []

    def bitmaps(self, source="bitmaps"):
        return {r["object"]: r for r in self.ask("%s | select %s" % (source, COLUMNS))[0]}

    def command(self, rows="bitmaps"):
        return self.program.command + ["--no-index", "-o", "tsv", "-e",
                                       "%s | png '%s'" % (rows, self.folder), self.path]


def content(path):
    with open(path, "rb") as f:
        return f.read()


def expect(what, got, want):
    return [] if got == want else ["%s: %s, should be %s" % (what, got, want)]


# ---- what pictures hold ------------------------------------------------------------------


def compare_picture(path, b, pixels):
    """b: the row of the bitmap; pixels: what the oracle says."""
    image = pngread.read(content(path))
    bad = expect("sides", (image.width, image.height), (int(b["width"]), int(b["height"])))
    bad += expect("texts", sorted(image.texts), KEYS)
    if b"".join(image.rows) != pixels:
        bad.append("%s: the pixels differ" % os.path.basename(path))
    t = image.texts
    bad += expect("Source", t["Source"], "object @%s at %s" % (b["object"], b["addr"]))
    bad += expect("Size", t["Size"], "%s x %s pixels, %s bytes" % (b["width"], b["height"], b["bytes"]))
    bad += expect("Format", t["Format"].split(",")[0], b["format"])
    if not t["Path"].startswith("<") or not t["Path"].endswith(" > " + t["Class"]):
        bad.append("Path: %s" % t["Path"])
    return bad


def compare_file(row, b, known):
    """known: what the oracle says of the bitmap."""
    name = os.path.basename(row["file"])
    packed = known.place == "dump"
    bad = expect("mode of " + name, stat.S_IMODE(os.lstat(row["file"]).st_mode), 0o600)
    bad += expect("size of " + name, int(row["size"]), os.path.getsize(row["file"]))
    bad += expect("name", name, "%s_%sx%s_%s.%s" % (b["addr"], b["width"], b["height"], known.image.upper() if packed
                                                  else b["format"], SUFFIX[known.image] if packed else "png"))
    if not packed:
        return bad + compare_picture(row["file"], b, known.pixels[b["format"]])
    damaged = known.image == "png" and "" not in known.pixels
    bad += expect("report of " + name, "damaged" in row["result"], damaged)
    return bad + ([] if content(row["file"]) == known.raw else ["%s differs from the dump" % name])


def whole_export(case):
    """Each picture, and nothing else."""
    known, all_of_them, rows = case.known(), case.bitmaps(), case.export()
    bad, files, equal = [], set(), []
    for row in rows:
        b = all_of_them.get(row["object"])
        if row["object"] == "":
            bad += expect("the list", os.path.basename(row["file"]), LIST)
            files.add(LIST)
        elif row["result"].startswith("written"):
            files.add(os.path.basename(row["file"]))
            bad += compare_file(row, b, known[b["addr"]])
        elif row["result"].startswith("duplicate of @"):
            first = next(r for r in rows if r["object"] == row["result"][len("duplicate of @"):])
            bad += expect("file of @" + row["object"], row["file"], first["file"])
            equal.append((int(row["object"]), int(first["object"])))
            bad += same_pixels(known, b, all_of_them[first["object"]])
        else:
            bad += expect("@%s" % row["object"], row["result"], "no pixels: " + b["why_empty"])
            bad += expect("file", row["file"], "")
            k = known[b["addr"]]
            if b["format"] in k.pixels or k.image in SUFFIX:
                bad.append("@%s has pixels" % row["object"])
    bad += expect("bitmaps", [r["object"] for r in rows if r["object"]], list(all_of_them))
    return bad + expect("files", set(case.names()), files) + compare_list(case, rows, all_of_them)


def same_pixels(known, b, first):
    one, other = (known[x["addr"]] for x in (b, first))
    same = one.raw == other.raw and one.copies > 1 and all(b[c] == first[c] for c in ("width", "height", "format"))
    return [] if same else ["@%s and @%s are not equal" % (b["object"], first["object"])]


def compare_list(case, rows, all_of_them):
    want = sorted("%s\t%s\n" % (all_of_them[r["object"]]["addr"], os.path.basename(r["file"]))
                  for r in rows if r["result"].startswith("duplicate"))
    got = content(case.file(LIST)).decode() if LIST in case.names() else "address\tfile\n"
    return expect(LIST, got, "address\tfile\n" + "".join(want))


def again(case):
    """Existing files are left alone."""
    before = {n: (content(case.file(n)), os.stat(case.file(n)).st_mtime_ns) for n in case.names()}
    rows = case.export()
    bad = ["%s: %s" % (r["file"], r["result"]) for r in rows
           if not r["result"].startswith(("exists", "duplicate", "no pixels"))]
    after = {n: (content(case.file(n)), os.stat(case.file(n)).st_mtime_ns) for n in case.names()}
    return bad + ([] if before == after else ["files were changed"])


def chosen(case):
    """Both ways to say how pixels are to be read."""
    bad = []
    for rows, more in (("bitmaps | where sure < 100", " ARGB_4444"), ("bitmaps 4444 | where format = ARGB_4444", ""),
                       ("bitmaps RGB_565 | where format = RGB_565", ""), ("objects android.graphics.Bitmap", " 565")):
        case.clear()
        form = "ARGB_4444" if "4444" in rows + more else "RGB_565"
        got = [r for r in case.export(rows, more) if r["result"] == "written" and form in r["file"]]
        if not got:
            bad.append("%s%s: no picture" % (rows, more))
        b, known = case.bitmaps(), case.known()
        for r in got:
            k = known[b[r["object"]]["addr"]]
            want = oracle.decoded(k.raw, k.w * k.h, form, True)
            if b"".join(pngread.read(content(r["file"])).rows) != want:
                bad.append("%s%s: the pixels of @%s differ" % (rows, more, r["object"]))
    return bad


# ---- obstacles -----------------------------------------------------------------------------


def obstacles(case):
    """A file, links, a folder, a pipe under names of pictures; the other pictures are written."""
    names = [n for n in (os.path.basename(r["file"]) for r in case.export()) if n.endswith(".png")]
    names = list(dict.fromkeys(names))
    case.clear()
    os.mkdir(case.folder)
    target = os.path.join(case.scratch, "target")
    with open(target, "w") as f:
        f.write("mine")
    with open(case.file(names[0]), "w") as f:
        f.write("a file that is not a picture")
    os.symlink(target, case.file(names[1]))
    os.symlink(target + "-none", case.file(names[2]))
    os.mkdir(case.file(names[3]))
    os.mkfifo(case.file(names[4]))
    result = {os.path.basename(r["file"]): r["result"] for r in case.export() if r["size"] or "not written" in r["result"]}
    want = ["not written: a file that is not a whole PNG is in the way; remove it", "not written: a symbolic link is in the way",
            "not written: a symbolic link is in the way",
            "not written: another file type is in the way", "not written: another file type is in the way"]
    bad = expect("results", [result[n] for n in names[:5]], want)
    bad += expect("the others", {result[n] for n in names[5:]}, {"written"})
    bad += expect("the file", content(case.file(names[0])), b"a file that is not a picture")
    bad += expect("what the link leads to", content(target), b"mine")
    bad += expect("what the other one leads to", os.path.exists(target + "-none"), False)
    os.unlink(target)
    return bad


def folders(case):
    """The folder itself: made, behind a link, no folder, nowhere, not ours to write."""
    case.export()
    bad = expect("mode", stat.S_IMODE(os.stat(case.folder).st_mode), 0o700)
    count = len(case.names())
    case.clear()
    real = os.path.join(case.scratch, "real")
    os.mkdir(real)
    os.symlink(real, case.folder)
    case.export()
    bad += expect("files behind a link", len(os.listdir(real)), count)
    os.unlink(case.folder)
    shutil.rmtree(real)
    with open(case.folder, "w") as f:
        f.write("mine")
    case.export(code=2)
    bad += expect("the file", content(case.folder), b"mine")
    os.unlink(case.folder)
    case.folder = os.path.join(case.scratch, "none", "pictures")
    case.export(code=4)
    case.folder = os.path.join(case.scratch, "pictures")
    return bad + expect("folder", os.path.exists(os.path.join(case.scratch, "none")), False)


def nothing_to_write(case):
    """No bitmaps, no pixels, wrong words: no folder."""
    bad = []
    for query, code in (("objects java.lang.String | png '%s'", 1), ("bitmaps | where place = native | png '%s'", 0),
                        ("bitmaps | head 0 | png '%s'", 1), ("bitmaps | png", 2), ("bitmaps | png '%s' RGB", 2),
                        ("bitmaps | png '%s' RGB_565 1", 2), ("bitmaps x | png '%s'", 2),
                        ("histogram | select name | png '%s'", 2), ("bitmaps | png ''", 2)):
        a = case.program.ask(case.path, query % case.folder if "%s" in query else query, options=("--no-index",))
        bad += expect(query, a.code, code)
        bad += expect("folder after " + query, os.path.exists(case.folder), False)
    return bad


def lists(case):
    """A list is extended; any other file is not changed."""
    bad, where = [], os.path.join(case.folder, LIST)
    twins = [r["object"] for r in case.ask("bitmaps | where copies > 1 | select object, hash | sort hash object")[0]]
    case.export("objects @%s @%s" % tuple(twins[:2]))
    first = content(where)
    case.export("objects @%s @%s" % tuple(twins[2:4]))
    both = content(where)
    bad += expect("lines", (first.count(b"\n"), both.count(b"\n")), (2, 3))
    bad += [] if set(first.split(b"\n")) < set(both.split(b"\n")) else ["a line was lost"]
    case.export()
    bad += expect("at the end", content(where), both)
    for make in (lambda: os.symlink(case.path, where), lambda: os.mkdir(where),
                 lambda: open(where, "w").write("my own words, not a list")):
        case.clear()
        os.mkdir(case.folder)
        make()
        row = case.export()[-1]
        if row["object"] or not row["result"].startswith("not written"):
            bad.append("the list: %s" % row)
    return bad + expect("the old file", content(where), b"my own words, not a list")


def twice(case):
    """A bitmap that the rows tell several times is one picture."""
    rows = case.export("bitmaps | referrers | refs")
    objects = [r["object"] for r in rows]
    return expect("repeated", len(objects), len(set(objects))) + ([] if "written" in {r["result"] for r in rows} else [
        "nothing was written"])


def strange_names(program, scratch):
    """A class whose name is not ASCII and would harm a terminal."""
    a = heapbitmaps.Android(15)
    a.klass("com.example.\u65e5\u672c\u00e9\x1b[31m\u202e", heapbitmaps.BITMAP, [], 60)
    a.bitmap(4, 4, heapbitmaps.as_8888(heapbitmaps.slope(4, 4)), "com.example.\u65e5\u672c\u00e9\x1b[31m\u202e")
    case = Case(program, scratch, "strange", a.build())
    texts = pngread.read(content(case.export()[0]["file"])).texts
    want = "com.example.\u65e5\u672c\u00e9\ufffd[31m\ufffd"
    return expect("Class", texts["Class"], want) + expect("Path", texts["Path"].split(" > ")[-1], want)


# ---- what comes between ----------------------------------------------------------------------


def large_dump():
    """Noise, which takes its time: no two are equal."""
    a = heapbitmaps.Android(15)
    noise = random.Random("noise")
    for i in range(LARGE):
        a.bitmap(400, 300, noise.randbytes(4 * 400 * 300))
    return a.build()


def check_pictures(case, complete):
    """Every file with the name of a picture is a whole picture.  complete: all pictures exist, and no other files."""
    bad = []
    for name in case.names():
        if not name.startswith(".icecore-"):
            pngread.parse(content(case.file(name)))
        elif complete:
            bad.append("%s was left" % name)
    return bad + (expect("pictures", len(case.names()), LARGE) if complete else [])


def interrupted(case, number, enough, code):
    """A signal when so many pictures are there, then again to the end."""
    case.clear()
    p = subprocess.Popen(case.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while p.poll() is None and time.monotonic() < end and len(case.names()) < enough:
        time.sleep(0.002)
    early = p.poll() is None
    p.send_signal(number)
    try:
        p.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        p.kill()
        p.communicate()
        return ["it did not end"]
    bad = expect("exit status", p.returncode, code if early and p.returncode != 0 else 0)
    bad += check_pictures(case, False)
    # The signal may have come behind the last picture.
    all_there = sum(not name.startswith(".icecore-") for name in case.names()) == LARGE
    rows = case.export()
    bad += expect("results", {r["result"] for r in rows} - {"exists"}, set() if all_there else {"written"})
    return bad + check_pictures(case, True)


def no_room(case):
    """Files may not be larger than a picture: nothing half-written is left, and it resumes when there is room."""
    case.clear()
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    p = subprocess.run(case.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       preexec_fn=limit, timeout=PATIENCE)
    bad = expect("exit status", p.returncode, 4) + expect("files", case.names(), [])
    if b"too large" not in p.stderr:
        bad.append("%r" % p.stderr)
    case.export("bitmaps | head 2")
    return bad + expect("files", len(case.names()), 2)


# ---- all --------------------------------------------------------------------------------------


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for name in heapbitmaps.MAKERS:
        case = Case(program, scratch, name)
        attempt(tap, "%s: every picture" % name, whole_export, case)
        attempt(tap, "%s: again" % name, again, case)
    for name, check in (("bitmaps15", chosen), ("bitmaps15", obstacles), ("bitmaps15", folders),
                        ("bitmaps28", nothing_to_write), ("bitmaps15", lists), ("bitmaps15", twice)):
        attempt(tap, check.__doc__.rstrip("."), check, Case(program, scratch, name))
    attempt(tap, strange_names.__doc__.rstrip("."), strange_names, program, scratch)
    case = Case(program, scratch, "large", large_dump())
    for enough in (1, LARGE // 2):
        attempt(tap, "killed at %d of %d pictures, and again" % (enough, LARGE), interrupted, case, signal.SIGKILL,
                enough, -signal.SIGKILL)
        attempt(tap, "stopped at %d of %d pictures, and again" % (enough, LARGE), interrupted, case, signal.SIGINT,
                enough, 130)
    attempt(tap, "a limit on the size of files", no_room, case)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
