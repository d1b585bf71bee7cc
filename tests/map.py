#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""map.py SOURCES - writes tests/map.tsv: the tests that a change of a source file runs.  In a build that make map ran the tests in.

cover/TEST/PROGRAM-SIZE has a byte for each byte of the code of a program, which is not 0 if a block that the test ran ends there; see
tests/cover.c.  A block is a line of a source file here.

Most files are run by far more tests than can break with them.  A row has those that say most, for their time: those of GOLDEN; those that
tests/models.tsv names for the file, up to SECONDS; BEST tests that run much of the file, and little outside of its folder; as many others
as it takes to run each block; and then, up to MOST tests and SECONDS, those that run most blocks that few tests of the row run.  Blocks that most tests run, such as those that ask each loader for its format, count only if the file
has no others.  Tests of CRASHES compare no answers: the one that runs most for its time is in the row, and others for what it does not
run.  So is the test of scaling that runs most.
"""
import collections
import os
import re
import subprocess
import sys

import changed

HUB = 0.6           # share of the tests that run a block of a hub
BEST = 2            # tests of a row that are in it whatever they run
SECONDS = 48        # of processor time, as make map measures them
MOST = 14           # tests of a row, if it does not take more to run each block
QUERIES, SCREENS = "tests/query.test", "tests/screen.test"
GOLDEN = {"src/ui/": [SCREENS], "src/load/": [QUERIES], "src/pass/": [QUERIES, SCREENS], "src/query/": [QUERIES, SCREENS]}
CRASHES = ["tests/%s.test" % name for name in "colours door faults fuzz gate hurt kept limits memory moments signals status tables".split()] + [
    "tests/threads.sh", "tests/unit/crash", "tests/unit/code_cut", "tests/unit/stack_cuts", "tests/unit/callgrind_cuts", "tests/unit/tracer_cuts"]

PROGRAMS = ["icecore", "tests/tools", "tests/units", "tests/hurt/sandboxed", "tests/unit/alloc", "tests/unit/os", "tests/unit/pool", "tests/mk/dumprows"]


def output(*words, text=None):
    return subprocess.run(words, input=text, stdout=subprocess.PIPE, check=True, text=True).stdout


def programs():
    """By the name that files of blocks have: (path, where its code begins)."""
    found = {}
    for path in filter(os.path.exists, PROGRAMS):
        at = {name: int(value, 16) for value, name in re.findall(r"(?m)^(\w+) \w (__executable_start|etext)$", output("nm", path))}
        found["%s-%d" % (os.path.basename(path), at["etext"] - at["__executable_start"])] = path, at["__executable_start"]
    return found


def lines(sources, path, places):
    """By place in the code of a program: (file, line)."""
    out = output("addr2line", "-e", path, text="\n".join("%x" % (place - 1) for place in places)).split("\n")
    found, top = {}, re.escape(os.path.realpath(sources))
    for place, line in zip(places, out):
        m = re.match(top + r"/((?:src|include)/.*\.[ch]):(\d+)", os.path.normpath(line))
        if m:
            found[place] = m.group(1), int(m.group(2))
    return found


def covered(sources):
    """By test: the blocks that it ran, and its seconds of processor time."""
    places, seconds = collections.defaultdict(dict), {}
    for folder, _, files in os.walk("cover"):
        test = os.path.relpath(folder, "cover")
        for name in files:
            with open(os.path.join(folder, name), "rb") as f:
                data = f.read()
            if name == "seconds":
                seconds[test] = sum(60 * int(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", data.decode().split("\n")[1]))
            else:
                places[name][test] = [m.start() for m in re.finditer(b"\1", data)]
    blocks = collections.defaultdict(set)
    for name, (path, start) in programs().items():
        known = lines(sources, path, sorted({start + p for of in places[name].values() for p in of}))
        for test, of in places[name].items():
            blocks[test] |= {known[start + p] for p in of if start + p in known}
    return {test: of for test, of in blocks.items() if test in seconds}, seconds


class Map:
    """blocks: by test; seconds: of tests; models: paths by test; users: how many tests run a block; home: what a test runs of a folder, as a share of all it runs."""

    def __init__(self, blocks, seconds, models):
        self.seconds, self.models = seconds, models
        self.users = collections.Counter(b for of in blocks.values() for b in of)
        self.files, self.home = collections.defaultdict(dict), {}
        for test, of in blocks.items():
            parts, folders = collections.defaultdict(set), collections.Counter()
            for b in of:
                parts[b[0]].add(b)
                folders[os.path.dirname(b[0])] += 1 / self.users[b]
            for name, part in parts.items():
                self.files[name][test] = part
            self.home.update(((test, folder), n / sum(folders.values())) for folder, n in folders.items())
        self.most = HUB * len(blocks)

    def add(self, row, tests, runs, full):
        """Adds tests to a row until it runs each block that they run; FULL: until it is full."""
        times = collections.Counter(b for t in row for b in runs.get(t, ()))
        left = set(tests) - set(row)
        while left:
            gain = {t: sum(1 / self.users[b] / (1 + times[b]) for b in runs[t] if full or not times[b]) *
                    (len(runs[t]) / (self.seconds[t] + 1) ** 0.25 if full else 1 / (self.seconds[t] + 1)) for t in left}
            best = min(left, key=lambda t: (-gain[t], t))
            left.remove(best)
            if gain[best] == 0 or full and len(row) >= MOST:
                break
            if not full or sum(self.seconds[t] for t in row + [best]) <= SECONDS:
                row.append(best)
                times.update(runs[best])

    def row(self, name):
        runs, folder = self.files[name], os.path.dirname(name)
        special = any(self.users[b] <= self.most for of in runs.values() for b in of)
        runs = {t: of for t, of in ((t, {b for b in of if self.users[b] <= self.most or not special}) for t, of in runs.items()) if of}
        order = sorted(runs, key=lambda t: (-sum(1 / self.users[b] for b in runs[t]) * self.home[t, folder] / (self.seconds[t] + 1) ** 0.5, t))
        scaling = [t for t in order if t.startswith("tests/scaling_")]
        crashes = sorted((t for t in order if t in CRASHES), key=lambda t: -len(runs[t]) / (self.seconds[t] + 0.5))
        answers = [t for t in order if t not in CRASHES + scaling]
        row = [t for start, golden in GOLDEN.items() if name.startswith(start) for t in golden if t in answers]
        models = [t for t in answers if name.startswith(self.models.get(t, ()))]
        for t in sorted(models, key=lambda t: -len(runs[t]) / (self.seconds[t] + 1) ** 0.25):
            if t not in row and sum(self.seconds[u] for u in row + [t]) <= SECONDS:
                row.append(t)
        row += [t for t in answers[:BEST] if t not in row]
        self.add(row, answers, runs, False)
        row += crashes[:1]
        self.add(row, crashes, runs, False)
        self.add(row, answers, runs, True)
        return sorted(row + scaling[:1])

    def rows(self):
        """A test that is in no row is in that of the file of which it runs most."""
        rows = {name: self.row(name) for name in self.files}
        for test in sorted(set(self.seconds) - {t for row in rows.values() for t in row}):
            run = [name for name in sorted(self.files) if test in self.files[name]]
            if run:
                rows[max(run, key=lambda name: sum(1 / self.users[b] for b in self.files[name][test]))].append(test)
        return rows


def main(sources):
    blocks, seconds = covered(sources)
    known = changed.Tree(sources).tests()
    if len(blocks) * 10 < len(known) * 9:
        sys.exit("map.py: %d of %d tests ran: tests/map.tsv stays as it is" % (len(blocks), len(known)))
    found = Map(blocks, seconds, dict(changed.table(sources, "tests/models.tsv"))).rows()
    with open(os.path.join(sources, "tests/map.tsv"), "w", encoding="utf-8") as f:
        f.write("# The tests that a change of a file runs, from the blocks that they run (tests/map.py).  make map writes this.\n# file\ttests\n")
        for name in sorted(found):
            f.write("%s\t%s\n" % (name, " ".join(t[len("tests/"):] for t in sorted(found[name]))))


if __name__ == "__main__":
    main(*sys.argv[1:])
