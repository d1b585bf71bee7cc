#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""changed.py SOURCES BASE PLAIN... - runs the tests that a change since the commit BASE can break, in the folder of the plain build.

tests/affects.tsv says which these are.  Changed files of tests/ run the tests that name them, directly or by way of other files.
Tests named as PLAIN run in the plain build, all others in the sanitized one, which is the folder "sanitize" below.
"""
import glob
import os
import re
import subprocess
import sys


def git(sources, *words):
    return subprocess.run(["git", "-C", sources, *words], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def found(sources, pattern):
    return [os.path.relpath(p, sources) for p in glob.glob(os.path.join(sources, pattern), recursive=True)]


def changed_files(sources, base):
    """Files that differ from BASE; without any, those of the last commit."""
    files = git(sources, "diff", "--name-only", base) + git(sources, "ls-files", "--others", "--exclude-standard")
    return files or git(sources, "diff", "--name-only", base + "~", base)


def affects(sources):
    """Rows of the table: (test, paths)."""
    with open(os.path.join(sources, "tests/affects.tsv"), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return [(test, tuple(paths.split())) for test, paths in rows]


def texts(sources):
    """Files of tests/ that run or use others: path -> text."""
    out = {}
    for ending in (".test", ".sh", ".py", ".c", ".h"):
        for path in found(sources, "tests/**/*" + ending):
            with open(os.path.join(sources, path), encoding="utf-8", errors="replace") as f:
                out[path] = f.read()
    return out


def mention(path):
    """How other files name PATH: Python as a module or in quotes, programs by their folder, everything else by the whole name."""
    folder, base = os.path.split(path)
    name, ending = os.path.splitext(base)
    if ending == ".py":
        return r"^\s*(?:import|from) %s\b|/%s\b|[\"']%s[\"']" % (name, re.escape(base), re.escape(base))
    return r"\b%s/%s\b" % (os.path.basename(folder), name) if ending == ".c" else re.escape(base)


def naming(files, path):
    """PATH, and files of tests/ that name it, directly or by way of others."""
    known, new = {path}, {path}
    while new:
        pattern = re.compile("|".join(map(mention, sorted(new))), re.MULTILINE)
        new = {p for p, text in files.items() if p not in known and pattern.search(text)}
        known |= new
    return known


def select(sources, files):
    """The tests that a change of FILES can break, in the order of the table."""
    rows, everything = affects(sources), ()
    named = [(test, paths) for test, paths in rows if test != "*"]
    for test, paths in rows:
        if test == "*":
            everything = paths
    if any(f.startswith(everything) for f in files):
        return [test for test, _ in named]
    tests, own = set(), texts(sources)
    for f in files:
        if f in own:
            tests |= {t for path in naming(own, f) for t in (path, path.rsplit(".", 1)[0])}
    return [test for test, paths in named if paths == (".",) or test in tests or any(f.startswith(paths) for f in files)]


def wrong(sources):
    """Return the errors of the table: tests without a row, rows without a test, rooms that no test is for, paths that do not exist."""
    rows = dict(affects(sources))
    tests = found(sources, "tests/*.test") + [p[:-2] for p in found(sources, "tests/unit/*.c")]
    special = tuple(p for test, paths in rows.items() if test != "*" for p in paths)
    rooms = [os.path.dirname(p) + "/" for p in found(sources, "src/**/room.am")]
    return ["no row: " + t for t in sorted(tests) if t not in rows] + \
        ["no such test: " + t for t in rows if t != "*" and t not in tests and not os.path.exists(os.path.join(sources, t))] + \
        ["no test is for " + room for room in sorted(rooms) if not room.startswith(special) and not any(p.startswith(room) for p in special)] + \
        ["no such path: " + p for paths in rows.values() for p in paths if not found(sources, p + "*")]


def make(folder, tests):
    """make check of some tests; whether all passed."""
    jobs = str(os.cpu_count() or 1)
    print("%s: %s" % (folder, " ".join(tests)), flush=True)
    return not tests or subprocess.run(["make", "--no-print-directory", "-s", "-j", jobs, "-C", folder, "check",
                                        "TESTS=" + " ".join(tests)], check=False).returncode == 0


def main(sources, base, *plain):
    files = changed_files(sources, base)
    print("changed: " + " ".join(files))
    tests = select(sources, files)
    if not os.path.exists("sanitize/Makefile"):
        os.makedirs("sanitize", exist_ok=True)
        configure = os.path.join("..", os.path.relpath(os.path.join(sources, "configure")))
        subprocess.run([configure, "--quiet", "--enable-sanitize", "CFLAGS=-O1 -g1"], cwd="sanitize", check=True)
    good = make("sanitize", [t for t in tests if t not in plain])
    return 0 if make(".", [t for t in tests if t in plain]) and good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
