#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mutants.py SOURCES FOLDER BASE - do the tests see it when a changed line is wrong?
mutants.py SOURCES FOLDER --draw N SEED - the same for N places drawn from all sources.

An operator, constant, condition or return of a line of src/ that changed since the commit BASE is replaced by a wrong one.  Then the tests
of the file run that tests/map.tsv and tests/changed.py know, those that tests/models.tsv names first, until one fails; nothing is renewed.
FOLDER gets a copy of the sources and a plain build of its own, which a later run uses again.  A change that does not compile, or makes the
same code, does not count.  MUTANTS_TESTS: the tests that such a build runs.  FOLDER/mutants.tsv has each place:
file, line and column, from, to, and the test that saw it, "survived" or "no fault".
Last line: N seen, N survived.  MUTANTS_LIMIT=SECONDS: begin no other after that time.  A later run with --draw counts the places that
mutants.tsv has already, and goes on with the others.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import time

import changed

SWAPS = {"==": "!=", "!=": "==", "<=": "<", ">=": ">", "<": "<=", ">": ">=", "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/",
         "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "true": "false", "false": "true"}
# Operators stand between blanks, so that no pointer, sign or include is one.
OPERATOR = re.compile(r"(?<= )(==|!=|<=|>=|<<|>>|&&|\|\||\+=|-=|\|=|&=|[-+*/%<>])(?= )|\b(?:true|false)\b")
NUMBER = re.compile(r"(?<![\w.])(?:0|[1-9]\d*)(?=[uU]?[lL]*\b)")
CONDITION = re.compile(r"\b(?:if|while) \(")
RETURN = re.compile(r"\breturn ([^;]+);")
NOT_CODE = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|/\*.*?\*/', re.S)
FIRST = 3               # tests that run together at first, then three times as many, as all of a run end
HANG = 900              # seconds: a test that does not end sees the fault
NONE = "no fault"       # it does not compile, or makes the same code
JOBS = str((os.cpu_count() or 1) + 1)


# ---- wrong lines


def blanked(text):
    """Strings and comments as blanks, at the same places."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", "\x01", m[0]), text)


def closing(code, at):
    """The place behind the bracket that closes the one before at."""
    depth = 1
    while at < len(code) and depth:
        depth += (code[at] == "(") - (code[at] == ")")
        at += 1
    return at


def faults(text, code, first, last):
    """(from, to, what is put there) from place first to place last of a text; code: blanked(text)."""
    if re.match(r"\s*#|\s*assert\(", code[first:last]):
        return
    for m in OPERATOR.finditer(code, first, last):
        yield m.start(), m.end(), SWAPS[m[0]]
    for m in NUMBER.finditer(code, first, last):
        yield m.start(), m.end(), str(int(m[0]) + 1)
    for m in CONDITION.finditer(code, first, last):
        end = closing(code, m.end())
        yield m.end(), end - 1, "!(" + text[m.end():end - 1] + ")"
    for m in RETURN.finditer(code, first, last):
        if m[1] not in ("true", "false", "0", "NULL"):
            yield m.start(1), m.end(1), "0"


def lines_at(text):
    starts = [0] + [m.end() for m in re.finditer("\n", text)]
    return starts + [len(text)]


def places(sources, files):
    """All faults of lines; files: (path, numbers of lines, or None: all)."""
    for path, numbers in files:
        text = changed.read(sources, path)
        code, starts = blanked(text), lines_at(text)
        for number in numbers or range(1, len(starts)):
            if 0 < number < len(starts):
                yield from ((path, number, *fault) for fault in faults(text, code, starts[number - 1], starts[number]))


# ---- the build


class Build:
    def __init__(self, sources, folder):
        self.sources, self.copy = os.path.abspath(sources), os.path.join(os.path.abspath(folder), "sources")
        self.build = os.path.join(self.copy, "build")
        self.update()
        if not os.path.exists(os.path.join(self.build, "Makefile")):
            os.makedirs(self.build, exist_ok=True)
            self.must("../configure", "--quiet")
        self.must("make", "-s", "-j", JOBS, "all")
        self.must("make", "-s", "-j", JOBS, "check", "TESTS=")

    def update(self):
        """Copy what differs, and configure, which git does not have."""
        names = changed.git(self.sources, "ls-files") + ["configure", "Makefile.in", "config.h.in", "aclocal.m4"]
        names += changed.found(self.sources, "build-aux/*")
        for name in names:
            here, there = os.path.join(self.sources, name), os.path.join(self.copy, name)
            if not os.path.isfile(here) or (os.path.exists(there) and open(here, "rb").read() == open(there, "rb").read()):
                continue
            os.makedirs(os.path.dirname(there), exist_ok=True)
            shutil.copyfile(here, there)
            shutil.copymode(here, there)

    def run(self, *words, limit=None):
        try:
            return subprocess.run(words, cwd=self.build, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return None

    def must(self, *words):
        p = self.run(*words)
        if p.returncode:
            sys.exit("%s: status %d\n%s" % (" ".join(words), p.returncode, p.stdout[-2000:]))

    def object(self, path):
        with open(os.path.join(self.build, path[:-2] + ".o"), "rb") as f:
            return f.read()

    def failed(self, tests):
        """The first test that fails, or does not end."""
        many = FIRST
        while tests:
            some, tests, many = tests[:many], tests[many:], many * 3
            p = self.run("make", "-s", "-k", "-j", JOBS, "check-TESTS", "check_PROGRAMS=", "check_DATA=", "TESTS=" + " ".join(some), limit=HANG)
            if p is None or p.returncode:
                found = re.search(r"(?m)^(?:FAIL|ERROR): (tests/\S+)", p.stdout if p else "")
                return found[1] if found else "a test that does not end" if p is None else "a test"
        return None

    def judge(self, path, fault, tests):
        """What sees the fault; None: nothing does; NONE: it is none."""
        text, place = changed.read(self.sources, path), os.path.join(self.copy, path)
        first, last, new = fault
        before = self.object(path)
        try:
            with open(place, "w", encoding="utf-8") as f:
                f.write(text[:first] + new + text[last:])
            if self.run("make", "-s", path[:-2] + ".o").returncode or self.object(path) == before:
                return NONE
            if self.run("make", "-s", "-j", JOBS, "all").returncode or self.run("make", "-s", "-j", JOBS, "check", "TESTS=").returncode:
                return NONE
            return self.failed(tests)
        finally:
            with open(place, "w", encoding="utf-8") as f:
                f.write(text)
            self.must("make", "-s", path[:-2] + ".o")


def tests_of(sources, tree, path):
    """Those of the file that the plain build runs, models first."""
    plain = set(os.environ.get("MUTANTS_TESTS", "").split())
    tests = tree.map.get(path) or changed.select(sources, {path: None})
    return [t for t in tests if not plain or t in plain]


def row_of(path, number, text, fault):
    first, last, new = fault
    column = first - text.rfind("\n", 0, first)
    return "%s\t%d:%d\t%s\t%s" % (path, number, column, " ".join(text[first:last].split()), " ".join(new.split()))


def judged(folder):
    """What an earlier run found, by row."""
    try:
        with open(os.path.join(folder, "mutants.tsv"), encoding="utf-8") as f:
            return dict(line.rstrip("\n").rsplit("\t", 1) for line in f)
    except FileNotFoundError:
        return {}


def main(sources, folder, *what):
    tree, begun, limit = changed.Tree(sources), time.monotonic(), float(os.environ.get("MUTANTS_LIMIT", "inf"))
    if what[0] == "--draw":
        all_places = list(places(sources, [(p, None) for p in sorted(changed.found(sources, "src/**/*.c"))]))
        drawn = random.Random(int(what[2])).sample(all_places, min(int(what[1]), len(all_places)))
    else:
        drawn = list(places(sources, [(path, sorted({n for n, _ in lines})) for path, lines in sorted(changed.changed_files(sources, what[0]).items())
                                      if lines and re.fullmatch(r"src/.*\.c", path)]))
    print("%d places" % len(drawn), flush=True)
    os.environ.setdefault("TEST_PATIENCE", "60")    # a wrong line may never end
    build = Build(sources, folder) if drawn else None
    counts, before = {"seen": 0, "survived": 0}, judged(folder) if what[0] == "--draw" else {}
    with open(os.path.join(folder, "mutants.tsv"), "a", encoding="utf-8") if drawn else open(os.devnull, "w", encoding="utf-8") as log:
        for path, number, *fault in drawn:
            if time.monotonic() - begun > limit:
                print("stopped after %d places" % sum(counts.values()))
                break
            text = changed.read(sources, path)
            row = row_of(path, number, text, fault)
            by = before.get(row) or build.judge(path, fault, tests_of(sources, tree, path)) or "survived"
            if row not in before:
                print("%s\t%s" % (row, by), file=log, flush=True)
            if by == NONE:
                continue
            counts["survived" if by == "survived" else "seen"] += 1
            print("%s\t%s\n" % (row, by) if by == "survived" else "", end="", flush=True)
    print("%(seen)d seen, %(survived)d survived" % counts)


if __name__ == "__main__":
    main(*sys.argv[1:])
