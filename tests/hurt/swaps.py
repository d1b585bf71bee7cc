# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""swaps.py ICECORE SHIM SCRATCH - links that take the place of files and directories while they are read, as TAP.

icecore triage, watch and compare run over a small tree again and again.  In the first run a link takes the place of a part of
the tree before the first call of the program with a name, in the second run before the second one, and so on.  Files behind the
link must never be read, kept or removed.  SHIM is the library made of shim.c.

The way down into nested directories, which keeps links out, costs as much for each of them, and few descriptors: SHIM counts the calls that
open files.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mk"))
sys.path.insert(0, str(HERE.parent / "oracle"))
import mkheap  # noqa: E402
import sampled  # noqa: E402
import tap  # noqa: E402
from tap import check  # noqa: E402

ICECORE, SHIM, SCRATCH = (os.path.abspath(a) for a in sys.argv[1:4])
SCRATCH = Path(SCRATCH)
DEEP, FLAT = "sub/deep/x.hprof", "y.folded"
MINE, OTHER = mkheap.make("leaks19"), mkheap.make("leaks19") + b"\x1c" + bytes(8)      # a record that says nothing: another size
LINES = {"in": b"main;mine 7\n" * 9, "secret": b"main;other 7\n" * 99}
BESIDE = 20             # runs at the same time: icecore watch mostly waits
MOST = 160              # calls: a slow machine has more of them, in which watch looks whether a file still grows


def fill(base, name, dump):
    (base / name / "sub/deep").mkdir(parents=True)
    (base / name / DEEP).write_bytes(dump)
    for where in FLAT, "sub/deep/" + FLAT, name + ".folded":
        (base / name / where).write_bytes(LINES[name])


def start(base, args, n, what):
    """Start a run with the swap before its n-th call; what: the part of the tree, "" is all of it."""
    fill(base, "in", MINE)
    fill(base, "secret", OTHER)
    (base / "done").mkdir()
    (base / "link").symlink_to(base / "secret" / what)
    env = dict(os.environ, LD_PRELOAD=SHIM, HURT="swap:%d" % n, HURT_SWAP=str(base / "in" / what), HURT_LINK=str(base / "link"))
    return subprocess.Popen([ICECORE, *(a.replace("BASE", str(base)) for a in args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=env, text=True)


def rows(base):
    return [json.loads(line) for f in base.glob("out/rows-*") for line in f.read_text().splitlines()]


def behind(base, said, whole):
    """Return a text for each sign that a run read, kept or removed files behind the link.  whole: it may read these and no others,
    because the link was there when it began.
    """
    found, left = rows(base), [p for p in (base / "secret").rglob("*") if p.is_file()]
    bad = ["a row of " + r["path"] for r in found if r.get("bytes") in (len(OTHER), len(LINES["secret"]))]
    bad += ["kept " + str(p) for p in base.glob("out/keep/*/*") if p.is_symlink() or p.stat().st_size == len(OTHER)]
    bad += ["a value: " + said] if "measured" in said and " 0 measured" not in said else []
    bad += ["removed"] if len(left) < 4 else []
    return bad if not whole or any(r.get("path", "").endswith("/in.folded") for r in found) else []


def swapped(name, args, what, beside=1, step=1):
    """Run with the swap before one in STEP calls, until a run ends without it; return the reasons in its rows."""
    bad, reasons, n, more = [], set(), 1, True
    while more and n <= MOST:
        runs = [(SCRATCH / ("run%d" % k), k) for k in range(n, n + beside * step, step)]
        runs = [(base, k, start(base, args, k, what)) for base, k in runs]
        n += beside * step
        for base, k, p in runs:
            out, err = p.communicate(timeout=tap.PATIENCE)
            bad += ["%d: %s" % (k, b) for b in behind(base, out + err, not what)] + (["%d: %s" % (k, err)] if p.returncode < 0 else [])
            reasons |= {r["reason"] for r in rows(base) if r.get("state") == "unreadable"}
            # The link is still where it was: there was no such call.
            more = more and not (base / "link").is_symlink()
            shutil.rmtree(base)
    check("%s, %s replaced before each of %s calls" % (name, what or "the directory itself", n - 1 if beside == 1 else "its"), bad,
          n < 9 and "only %d calls" % n)
    return reasons


def nest(name, levels, part="d"):
    """Directories in each other, with a file in the last one."""
    top = SCRATCH / name
    top.mkdir()
    fd = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(part, dir_fd=fd)
        up, fd = fd, os.open(part, os.O_RDONLY, dir_fd=fd)
        os.close(up)
    with open(os.open(FLAT, os.O_CREAT | os.O_WRONLY, dir_fd=fd), "wb") as f:
        f.write(LINES["in"])
    os.close(fd)
    return top


def walk(top, how=None, **more):
    """The run, its row and how many files it opened."""
    out, count = SCRATCH / "walk.out", SCRATCH / "walk.count"
    env = dict(os.environ, LD_PRELOAD=SHIM, HURT_COUNT=str(count), **({"HURT": how} if how else {}))
    p = subprocess.run([ICECORE, "triage", "--jobs", "1", "-o", out, top], capture_output=True, text=True, env=env, timeout=tap.PATIENCE, check=False, **more)
    found = [json.loads(line) for f in out.glob("rows-*") for line in f.read_text().splitlines()]
    shutil.rmtree(out, ignore_errors=True)
    return p, [r for r in found if r["row"] == "dump"], int(count.read_text().split()[3])


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))


def nested():
    tops = [nest("nest%d" % n, n) for n in (100, 200, 400)]
    # The file at the end is opened part by part.
    for top in tops:
        os.remove(next(top.rglob(FLAT)))
    opened = [walk(top)[2] for top in tops]
    grown = [b - a for a, b in zip(opened, opened[1:])]
    check("nested directories: twice as many are opened twice as often", (grown[0] < 100 or grown[1] > 2.5 * grown[0]) and opened)
    p, _, after = walk(tops[2], "interrupt:%d" % opened[0])
    check("an interrupt ends the walk", (p.returncode != 130 or after > opened[0] + 10) and (p.returncode, p.stderr, after, opened))
    p, found, _ = walk(nest("many", 400), preexec_fn=few_files)
    check("400 directories need no 40 descriptors", (p.returncode != 0 or [r["state"] for r in found] != ["clean"]) and (p.stderr, found))
    p, found, _ = walk(nest("long", 30, "d" * 200))
    check("a directory with a longer path than the system takes gets a row",
          (p.returncode != 0 or [(r["state"], r["reason"]) for r in found] != [("unreadable", "File name too long")] or not 4096 <= len(found[0]["path"]) < 4300) and
          (p.stderr, found))


def main():
    triage = ["triage", "--jobs", "1", "--keep", "9", "-o", "BASE/out", "BASE/in"]
    told = set()
    for what in "sub", "sub/deep", DEEP, FLAT, "":
        told |= swapped("triage", triage, what)
    check("rows of links say so", told != {"a symbolic link"} and told)
    swapped("compare", ["compare", "--jobs", "1", "--of", "method other", "BASE/in"], "sub")
    for options, what in (["--keep", "9"], ""), (["--keep", "9"], FLAT), (["--done", "BASE/done"], ""), (["--retain", "1ns"], ""):
        swapped("watch " + options[0], ["watch", "--once", *options, "BASE/in", "BASE/out"], what, BESIDE, min(3, sampled.STEP))
    nested()
    tap.plan()


main()
