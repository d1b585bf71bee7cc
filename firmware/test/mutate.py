#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Which changes of the firmware would the tests not notice?

    test/mutate.py BUILD-FOLDER [WORD...]

Each row of test/mutants.txt is one change: file, old text, new text,
the tests that must fail (t_NAME: a unit test; otherwise scenarios on
the simulated AVR).  A row is taken when one of the words is in it; without
words all are.  Made and run in BUILD-FOLDER/mutants.  Last line: how many were
noticed, and how many not; those are in the list before.
"""
import os
import re
import resource
import shutil
import subprocess
import sys

LIMIT = 60          # seconds of the processor, for one test


def lines(text):
    return text.replace("\\n", "\n").replace("\\t", "\t")


def rows(path):
    with open(path, encoding="ascii") as f:
        for line in f:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                name, old, new, tests = re.split(r"\t+", line)
                yield name, lines(old), "" if new == "-" else lines(new), tests.split()


def prepare(build):
    here = os.path.join(build, "mutants")
    shutil.rmtree(here, ignore_errors=True)
    shutil.copytree("src", os.path.join(here, "src"))
    # build products are copied: only those that a change concerns are rebuilt
    shutil.copytree(build, os.path.join(here, "build"),
                    ignore=shutil.ignore_patterns("mutants", "tests", "limits", "fuzz_*", "run_demo", "run_trace"))
    for name in ("Makefile", "test"):
        link = os.path.join(here, name)
        if not os.path.islink(link):
            os.symlink(os.path.abspath(name), link)
    return here


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def fails(here, command):
    return subprocess.run(command, cwd=here, preexec_fn=limit, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode != 0


def make(here, *targets):
    return subprocess.run(["make", "-s", *targets], cwd=here, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def noticed(here, tests):
    """The test that fails; None: all pass."""
    units = [t for t in tests if t.startswith("t_")]
    scenarios = [t for t in tests if not t.startswith("t_")]
    if not make(here, *["build/" + t for t in units], *(["build/clock.elf"] if scenarios else [])):
        return "the compiler"
    for unit in units:
        if fails(here, ["build/" + unit]):
            return unit
    for scenario in scenarios:
        if fails(here, ["build/run_scen", "--board", "avr", "--seconds", str(LIMIT), scenario]):
            return scenario
    return None


def main():
    build, words = sys.argv[1], sys.argv[2:]
    here = prepare(build)
    taken = [row for row in rows("test/mutants.txt") if not words or any(w in "\t".join(map(str, row)) for w in words)]
    if not make(here, "build/run_scen", "build/clock.elf"):
        sys.exit("the firmware itself is not made")
    by = noticed(here, sorted({test for row in taken for test in row[3]}))
    if by:
        sys.exit(f"{by} fails without any change")
    survivors = 0
    for name, old, new, tests in taken:
        path = os.path.join(here, "src", name)
        with open(path, encoding="ascii") as f:
            text = f.read()
        if text.count(old) != 1:
            print(f"STALE     {name}: {old!r} is there {text.count(old)} times")
            survivors += 1
            continue
        with open(path, "w", encoding="ascii") as f:
            f.write(text.replace(old, new))
        by = noticed(here, tests)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        survivors += by is None
        print("noticed  " if by else "SURVIVED ", f"{name}: {old!r} -> {new!r}", f"({by})" if by else "", flush=True)
    print(f"{len(taken) - survivors} noticed, {survivors} not")
    return survivors > 0


if __name__ == "__main__":
    sys.exit(main())
