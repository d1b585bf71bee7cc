# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""swaps.py ICECORE SHIM SCRATCH - links that take the place of files and directories while they are read, as TAP.

icecore triage, watch and compare run over a small tree again and again.  In the first run a link takes the place of a part of
the tree before the first call of the program with a name, in the second run before the second one, and so on.  Files behind the
link must never be read, kept or removed.  SHIM is the library made of shim.c.
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mk"))
sys.path.insert(0, str(HERE.parent / "oracle"))
import mkheap  # noqa: E402
import tap  # noqa: E402
from tap import check  # noqa: E402

ICECORE, SHIM, SCRATCH = (os.path.abspath(a) for a in sys.argv[1:4])
SCRATCH = Path(SCRATCH)
DEEP, FLAT = "sub/deep/x.hprof", "y.folded"
MINE, OTHER = mkheap.make("leaks19"), mkheap.make("leaks19") + b"\x1c" + bytes(8)      # a record that says nothing: another size
LINES = {"in": b"main;mine 7\n" * 9, "secret": b"main;other 7\n" * 99}
BESIDE = 40             # runs at the same time: icecore watch mostly waits
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


def swapped(name, args, what, beside=1):
    """Run with the swap before each call, until a run ends without it; return the reasons in its rows."""
    bad, reasons, n, more = [], set(), 1, True
    while more and n <= MOST:
        runs = [(SCRATCH / ("run%d" % k), k) for k in range(n, n + beside)]
        runs = [(base, k, start(base, args, k, what)) for base, k in runs]
        n += beside
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


def main():
    triage = ["triage", "--jobs", "1", "--keep", "9", "-o", "BASE/out", "BASE/in"]
    told = set()
    for what in "sub", "sub/deep", DEEP, FLAT, "":
        told |= swapped("triage", triage, what)
    check("rows of links say so", told != {"a symbolic link"} and told)
    swapped("compare", ["compare", "--jobs", "1", "--of", "method other", "BASE/in"], "sub")
    for options, what in (["--keep", "9"], ""), (["--keep", "9"], FLAT), (["--done", "BASE/done"], ""), (["--retain", "1ns"], ""):
        swapped("watch " + options[0], ["watch", "--once", *options, "BASE/in", "BASE/out"], what, BESIDE)
    tap.plan()


main()
