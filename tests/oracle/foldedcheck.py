#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""foldedcheck.py BUILD SCRATCH - folded stacks against the oracle folded.py, as TAP.

foldedcheck.py cuts FILE prints what is left of a file of some lengths, one in HURT_STEP.  TEST_DAY: which
lengths these are, and which random files are made.
"""
import collections
import csv
import fractions
import functools
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import door  # noqa: E402
import folded as oracle  # noqa: E402
import foldedmake  # noqa: E402
import report  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

SEEDS = 50
SCALE = {"wall": 1000, "cpu": 1000}      # ns of what Austin counts
QUERIES = ("info", "threads", "methods", "calls", "merged", "inverted | where depth = 0")


@functools.lru_cache(maxsize=1 << 16)
def fit(text):
    """As in tsv: tabs and line ends of a name keep their meaning; symbols of C++ and Rust as c++filt shows them."""
    text, = answers.demangled({text: 1})
    return "".join(part if part in "\t\r" else answers.fit(part) for part in re.split("([\t\r])", text))


def number(text):
    return int(text) if text.isdigit() else fractions.Fraction(text or "0")


def close(got, want):
    """Decimals are printed with twelve digits."""
    return got == str(want) or abs(number(got) - want) <= abs(want) * fractions.Fraction(1, 10 ** 11)


def shown(thread):
    """Thread id and name."""
    if thread is None:
        return 0, "all"
    pid, tid, name = thread
    return tid, fit(name) or ("main" if pid and pid == tid else "thread %d" % tid)


class Check:
    def __init__(self, program, path, profile, known=True):
        self.program, self.path, self.p = program, path, profile
        self.unit = SCALE.get(profile.mode, 1)
        self.options = ["--no-index"] + ([] if known else ["--as", "folded"])
        self.bad = [] if known else refused(program, path)

    def same(self, what, got, want):
        if got != want:
            self.bad.append("%s: %s, not %s" % (what, got, want))

    def weights(self, what, row, name, want):
        pairs = [(name, want.after)]
        if self.p.differs:
            pairs += [(name + "_before", want.before), (name + "_delta", want.after - want.before)]
        for column, value in pairs:
            if not close(row[column], value * self.unit):
                self.bad.append("%s: %s is %s, not %s" % (what, column, row[column], float(value * self.unit)))

    def info(self, table):
        facts = {row["field"]: row["value"] for row in table.rows}
        p, total = self.p, self.p.total()
        self.same("lines", facts["lines"], str(p.ones + p.twos))
        self.same("comments", facts["comment_lines"], str(p.comments))
        self.same("ignored", facts["repair.ignored_lines"], str(p.ignored))
        self.same("one count", facts["repair.one_count"], str(p.ones if p.differs else 0))
        self.same("two counts", facts["repair.two_counts"], str(0 if p.differs else p.twos))
        self.same("stacks", facts["stacks"], str(len(set(frames for _, frames in p.self))))
        self.same("max_depth", facts["max_depth"], str(p.depth()))
        self.same("total", number(facts["total"]), total.after * self.unit)
        if p.differs:
            self.same("total before", number(facts["total_before"]), total.before * self.unit)

    def threads(self, table):
        want = self.p.threads()
        got = {(int(row["tid"]), row["name"]): row for row in table.rows}
        names = {t: shown(t) for t in want}
        self.same("threads", sorted(got), sorted(names.values()))
        for thread, weight in want.items():
            row = got.get(names[thread])
            if row is not None:
                self.same("samples of a thread", row["samples"], str(weight.samples))
                self.weights("thread %s" % row["name"], row, "total", weight)

    def twins(self):
        """Names that several symbols have."""
        names = collections.Counter((fit(name), kind) for name, kind in self.p.methods())
        return {name for name, n in names.items() if n > 1}

    def methods(self, table):
        want = {(fit(name), kind): v for (name, kind), v in self.p.methods().items()}
        got = {(row["name"], row["kind"]): row for row in table.rows}
        self.same("methods", sorted(got), sorted(want))
        for f in (set(want) & set(got)) - self.twins():
            self.same("samples of %s" % f[0], got[f]["samples"], str(want[f][0].samples))
            self.weights(f[0], got[f], "self", want[f][0])
            self.weights(f[0], got[f], "total", want[f][1])

    def paths(self, table):
        """The rows of a tree by thread and path; callers come first, siblings by falling weight."""
        path, rows, last = {}, {}, {}
        for row in table.rows:
            frame = (row["method"], row["kind"])
            path[row["id"]] = path.get(row["parent"], ()) + (frame,)
            thread = row.get("thread_id") or "0"
            rows.setdefault((thread, path[row["id"]]), []).append(row)
            at = (thread, row["parent"])
            if at in last and number(row["total"]) > last[at]:
                self.bad.append("row %s is heavier than the one before" % row["id"])
            last[at] = number(row["total"])
        return rows

    def calls(self, table, threads):
        ids = {row["id"]: (int(row["tid"]), row["name"]) for row in threads.rows}
        got = {(ids[t], frames): rows for (t, frames), rows in self.paths(table).items()}
        names = {t: shown(t) for t in self.p.threads()}
        want = {(names[t], tuple((fit(n), k) for n, k in frames)): v for (t, frames), v in self.p.tree().items()}
        self.compare(got, want)

    def merged(self, table):
        want = collections.defaultdict(lambda: (oracle.NONE, oracle.NONE))
        for (_, frames), (own, below) in self.p.tree().items():
            key = tuple((fit(n), k) for n, k in frames)
            want[key] = (oracle.add(want[key][0], own), oracle.add(want[key][1], below))
        got = {}
        for (_, frames), rows in self.paths(table).items():
            got.setdefault(frames, []).extend(rows)
        self.compare(got, want)

    def compare(self, got, want):
        self.same("stacks of the tree", got.keys(), want.keys())
        for key in got.keys() & want.keys():
            # Names that differ only in what cannot be shown.
            if len(got[key]) == 1:
                known, row, (own, below) = len(self.bad), got[key][0], want[key]
                self.same("samples", row["samples"], str(own.samples))
                self.weights("stack", row, "self", own)
                self.weights("stack", row, "total", below)
                if len(self.bad) > known:
                    self.bad.insert(known, "of %s:" % str(key)[-200:])

    def inverted(self, table):
        want = {(fit(n), k): own for (n, k), (own, _) in self.p.methods().items() if own.samples > 0}
        got = {(row["method"], row["kind"]): row for row in table.rows}
        self.same("inverted", sorted(got), sorted(want))
        for f in (set(got) & set(want)) - self.twins():
            self.weights("inverted " + f[0], got[f], "total", want[f])

    def folded(self):
        a = self.program.run(self.options + ["-o", "folded", "-e", "calls", self.path])
        want = collections.Counter()
        for (thread, frames), w in self.p.self.items():
            names = [answers.fit(*answers.demangled({n: 1})) + ("_[%s]" % k if k else "") for n, k in frames]
            if thread is not None:
                names.insert(0, answers.fit(shown(thread)[1]).replace(";", ":"))
            if w.after or w.before:
                want[";".join(names)] += w.after
                want[";".join(names), "before"] += w.before
        got = collections.Counter()
        for line in a.out.split("\n")[:-1]:
            stack, _, after = line.rpartition(" ")
            before = "0"
            if self.p.differs:
                stack, _, before = stack.rpartition(" ")
            if stack in got:
                self.bad.append("folded: twice: " + stack)
            got[stack] = number(after)
            got[stack, "before"] = number(before)
        for key in set(got) | set(want):
            self.same("folded %s" % str(key)[-100:], got.get(key), want.get(key))

    def run(self):
        a = self.program.ask(self.path, *QUERIES, options=self.options)
        if a.code not in (0, 1):
            return ["exit status %d: %s" % (a.code, a.err.strip())]
        info, threads, methods, calls, merged, inverted = a.tables()
        self.info(info)
        self.threads(threads)
        self.methods(methods)
        self.calls(calls, threads)
        self.merged(merged)
        self.inverted(inverted)
        self.folded()
        return self.bad


def check_file(program, path, data=None):
    if data is None:
        with open(path, "rb") as f:
            data = f.read()
    else:
        with open(path, "wb") as f:
            f.write(data)
    # A file that is not recognised is still read with --as.
    return Check(program, path, oracle.Profile(data), door.is_folded(data)[0]).run()


def check_index(program, scratch):
    """Asked again, from the index, the answers are the same."""
    path, index = os.path.join(scratch, "kept.txt"), os.path.join(scratch, "index")
    with open(path, "wb") as f:
        f.write(foldedmake.case("threads", []))
    os.makedirs(index, exist_ok=True)
    outs = [program.ask(path, "threads", "methods", "calls", options=("--index", index)).out for _ in range(3)]
    return [] if outs[0] and outs == [outs[0]] * 3 else ["the answers differ"]


def check_report(program, scratch, path, options):
    """The same without an index, while one is made and from it; as text and as JSON."""
    ways = (["--no-index"], ["--index", scratch], ["--index", scratch], ["--no-index", "-o", "json"])
    text, made, kept, lines = (program.run([*options, *way, "--report", path]) for way in ways)
    bad = ["exit status %d: %s" % (a.code, a.err.strip()) for a in (text, made, kept, lines) if a.code]
    bad += [] if text.out == made.out == kept.out else ["another page from an index"]
    return bad + report.check_text(text.out.encode("utf-8", "surrogateescape"), False) + \
        report.check_json(lines.out.encode("utf-8", "surrogateescape"))


def check_again(program, scratch, path, options):
    """Folded again, it stays as it is."""
    once, twice = path, []
    for _ in range(2):
        a = program.run([*options, "--no-index", "-o", "folded", "-e", "calls", once])
        once = os.path.join(scratch, "once.txt")
        with open(once, "wb") as f:
            f.write(a.out.encode("utf-8", "surrogateescape"))
        twice.append((a.code, sorted(a.out.split("\n"))))
    return [] if twice[0] == twice[1] and len(twice[0][1]) > 1 else [str(twice)]


def check_values(program, scratch):
    """A list of values is not a profile."""
    path = os.path.join(scratch, "values")
    with open(path, "w") as f:
        f.write("kernel.a = 5\nkernel.b = 7\n  1.0 ( 0.2 ms): cat/12 read() = 0\n")
    a = program.ask(path, "info", options=("--no-index",))
    return [] if a.code == 5 and "unrecognised text" in a.err else ["status %d: %s" % (a.code, a.err)]


def check_large(program, scratch):
    """Weights that 32 bits do not hold, and some that they do, beside one another."""
    path = os.path.join(scratch, "large")
    with open(path, "w") as f:
        f.write("a;b 5000000000\na;c 3000000000\na 4294967295\na;b 1\na;d 4294967295\na;d 1\n")
    want = ["a\t16589934592\t4294967295", "b\t5000000001\t5000000001", "d\t4294967296\t4294967296", "c\t3000000000\t3000000000"]
    got = program.ask(path, "calls | select method total self", options=("--no-index",)).out.split("\n")[1:-1]
    return [] if got == want else [str(got)]


# ---- the corpus -------------------------------------------------------------------------------


def facts_differ(path, text):
    """The oracle reads what those who listed the files have read."""
    with open(path, "rb") as f:
        got = oracle.naive(f.read())
    want = dict(x.split("=", 1) for x in text.split(" "))
    bad = []
    for key, value in want.items():
        same = "%g" % got.get(key, 0) == "%g" % float(value) if key == "total" else str(got.get(key, 0)) == value
        if not same:
            bad.append("the oracle has %s=%s, not %s" % (key, got.get(key), value))
    return bad


def check_listed(program, path, text):
    bad = facts_differ(path, text)
    if os.path.getsize(path) == 0:
        return bad + refused(program, path)
    return bad + check_file(program, path)


def check_corpus(tap, program, folder, name):
    with open(os.path.join(folder, "MANIFEST.tsv"), newline="") as f:
        text = {m["file"]: m["expected_facts"] for m in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
    attempt(tap, name, check_listed, program, os.path.join(folder, name), text[name])


def difference(program, folder, stage, expected):
    files = [os.path.join(folder, "folded", "inferno-diff-%s.txt" % name) for name in ("before", "after")]
    a = program.run(["--no-index", "-o", "folded", "-e", "calls | " + stage] + files)
    with open(expected) as f:
        want = sorted(line.rsplit(" ", 2) for line in f)
    got = sorted(line.rsplit(" ", 2) for line in a.out.split("\n")[:-1])
    # Others round what is scaled down to whole samples.
    most = 1.001 if "normalised" in stage else 0
    same = lambda g, w: g[0] == w[0] and int(g[2]) == int(w[2]) and -most / 1000 <= float(g[1]) - int(w[1]) <= most
    return ["%s, not %s" % (g, w) for g, w in zip(got, want) if not same(g, w)] or \
        ([] if len(got) == len(want) else ["%d lines: %s" % (len(got), a.err)])


def check_expected(tap, program, folder):
    """Files folded by other tools are read, and the difference of two files equals theirs."""
    for stage, name in (("diff", "default"), ("diff normalised", "normalize")):
        expected = os.path.join(folder, "expected", "inferno", "diff-%s.txt" % name)
        if os.path.exists(expected):
            attempt(tap, "difference, " + name, difference, program, folder, stage, expected)
    path = os.path.join(folder, "MANIFEST.tsv")
    if not os.path.exists(path):
        return
    with open(path, newline="") as f:
        for m in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
            if m["kind"] == "folded-expected" and os.path.exists(os.path.join(folder, m["file"])):
                attempt(tap, m["file"], check_listed, program, os.path.join(folder, m["file"]), m["expected_facts"])


def edge(program, path):
    bad = check_file(program, path)
    info, methods = program.ask(path, "info", "methods", options=("--no-index",)).tables()
    facts = {row["field"].replace("repair.", ""): row["value"] for row in info.rows}
    rows = {row["name"]: row for row in methods.rows}
    with open(path + ".expect.tsv") as f:
        for line in f.read().split("\n")[1:-1]:
            key, value = line.split("\t")
            what, _, name = key.partition(" ")
            got = rows[name]["total" if what == "incl" else "self"] if name else facts[key]
            if number(got) != number(value):
                bad.append("%s: %s, not %s" % (key, got, value))
    return bad


def check_edges(tap, program, folder):
    path = os.path.join(folder, "folded-mixed.txt")
    if os.path.exists(path):
        attempt(tap, "edges/folded-mixed.txt", edge, program, path)


# ---- what is made ---------------------------------------------------------------------------------


def cuts(path):
    """Lines for hurt_trace: a length, and how many samples are left of the file; -1: it is no longer a profile."""
    with open(path, "rb") as f:
        data = f.read()
    for n in sampled.sampled(range(len(data) + 1)):
        p = oracle.Profile(data[:n])
        print(n, len(p.lines) if door.is_folded(data[:n])[0] else -1)
    return 0


def main(argv):
    if argv[1] == "cuts":
        return cuts(argv[2])
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    path = os.path.join(scratch, "made.txt")
    for name in foldedmake.CASES:
        if name != "sums":
            attempt(tap, name, check_file, program, path, foldedmake.case(name, []))
    sampled.tell()
    for seed in sampled.seeds(SEEDS):
        attempt(tap, "random %d" % seed, check_file, program, path, foldedmake.case("random", [seed]))
    attempt(tap, "kept in an index", check_index, program, scratch)
    for name in ("small", "differential", "threads", "hostile", "slower"):
        path = os.path.join(scratch, name + ".txt")
        with open(path, "wb") as f:
            f.write(foldedmake.case(name, []))
        # Bytes of 0 are not what a text has.
        options = ["--as", "folded"] if name == "hostile" else []
        attempt(tap, name + ": the report", check_report, program, scratch, path, options)
        attempt(tap, name + ": folded again, it stays as it is", check_again, program, scratch, path, options)
    attempt(tap, "a list of values is not a profile", check_values, program, scratch)
    attempt(tap, "weights of more than 32 bits", check_large, program, scratch)
    big = os.path.join(scratch, "big.txt")
    for options in ("-b 160000", "-b 160000 -r -d 60 -m 500", "-b 100000 -m 3 -d 200"):
        subprocess.run([os.path.join(build, "tests/mk/genfolded"), "-o", big, *options.split()], check=True)
        attempt(tap, "genfolded " + options, check_file, program, big)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
