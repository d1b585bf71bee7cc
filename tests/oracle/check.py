#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""check.py BUILD SCRATCH - icecore against the oracle, as TAP.

Generated traces of many seeds and shapes, the edge cases, and V2 files made
of generated ones; each answer of the program is compared with what the slow
decoder trace.py says about the same file.  sampled.py: which of the
generated ones.
"""
import gzip
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import sampled  # noqa: E402
import trace as oracle  # noqa: E402
import v2  # noqa: E402

GENERATED = (
    "-s 1 -n 1000", "-s 2 -n 8000", "-s 3 -n 3000 -S", "-s 4 -n 3000 -v 1",
    "-s 5 -n 3000 -v 2 -c wall", "-s 6 -n 3000 -v 2 -c thread-cpu",
    "-s 7 -n 3000 -v 3 -c wall", "-s 8 -n 3000 -v 3 -c thread-cpu",
    "-s 9 -n 3000 -S -v 2 -c wall", "-s 10 -n 3000 -S -v 1",
    "-s 11 -n 3000 -x 8", "-s 12 -n 3000 -x 8 -S", "-s 13 -n 3000 -x 24 -t 3",
    "-s 14 -n 3000 -x 5 -v 1", "-s 15 -n 3000 -w", "-s 16 -n 3000 -w -S",
    "-s 17 -n 3000 -w -v 2 -c thread-cpu", "-s 18 -n 3000 -w -x 3",
    "-s 19 -n 8000 -d 400 -t 2", "-s 20 -n 3000 -d 500 -S -x 100 -t 1",
    "-s 21 -n 8000 -t 1", "-s 22 -n 3000 -t 3000", "-s 23 -n 3000 -t 60 -m 16",
    "-s 24 -n 3000 -m 16 -t 2", "-s 25 -n 3000 -m 60000", "-s 26 -n 1 -t 1",
    "-s 27 -n 2 -x 1 -t 1", "-s 28 -n 17 -x 3", "-s 29 -n 8000 -d 2 -m 20",
    "-s 30 -n 400 -d 1 -t 4", "-s 32 -n 20000 -r 20", "-s 31 -n 8000 -r 9 -t 12 -x 20 -m 64 -d 20",
)
# For each: a source for V2 and its options.
RECODED = (
    ("a", "-s 40 -n 3000", ""), ("a", "-s 41 -n 3000 -x 4", "clock=wall"),
    ("a", "-s 42 -n 3000 -t 2", "block=3000 stream=0"), ("a", "-s 43 -n 500", "block=1"),
    ("b", "-s 44 -n 3000", ""), ("b", "-s 45 -n 3000 -x 4", "clock=wall"),
    ("b", "-s 46 -n 3000", "stream=0"), ("b", "-s 47 -n 3000 -t 40", "summary=0 block=17"),
    ("c", "-s 48 -n 3000", ""), ("c", "-s 49 -n 3000", "clock=wall freq=19000000"),
    ("c", "-s 50 -n 3000 -x 4", "freq=2000000"), ("c", "-s 51 -n 3000 -d 100", "stream=0 summary=0"),
)
SPAN_THREADS = 40
WINDOWS = 6
EDGE_METHODS = 4


class Tap:
    def __init__(self):
        self.n = 0

    def ok(self, name, bad):
        self.n += 1
        print("%sok %d - %s" % ("not " if bad else "", self.n, name))
        for line in bad[:12]:
            print("#   " + str(line)[:500].encode("ascii", "backslashreplace").decode())
        sys.stdout.flush()

    def end(self):
        print("1..%d" % self.n)


class Case:
    """One file, decoded by both."""

    def __init__(self, program, path):
        self.program = program
        self.path = path
        self.t = oracle.load(path)
        self.threads, self.counters = oracle.build(self.t)
        self.scale = 1000 if self.t.unit == "us" else 1

    def damaged(self):
        summary = self.t.kind != "v1-regular" and self.t.complete
        return not self.t.complete or (self.t.tail > 0 and not summary) or self.t.lost_records() > 0 or \
            self.t.key("data-file-overflow") == "true"

    def name(self, mid):
        return oracle.name_of(self.t, mid, False)

    def tables(self, *queries, options=("--no-index",)):
        a = self.program.ask(self.path, *queries, "info", options=options)
        if a.code != (3 if self.damaged() else 0):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        if self.damaged() and a.err.strip() == "":
            raise ValueError("damaged, and no warning")
        got = a.tables()
        if len(got) != len(queries) + 1:
            raise ValueError("%d answers to %d queries" % (len(got), len(queries) + 1))
        return got

    def basic(self):
        t, scale = self.t, self.scale
        rows = lambda r: list(r)[1:]
        tree = rows(oracle.tree_rows(t, self.threads))
        calls, threads, methods, records, info = self.tables("calls", "threads", "methods", "records")
        facts = {k: str(v) for k, v in oracle.facts(t, self.threads, self.counters)}
        return (answers.compare_facts(facts, info) +
                answers.compare_tree(t.kind, tree, scale, calls, threads, methods) +
                answers.compare_order(calls) +
                answers.compare_threads(t.kind, rows(oracle.thread_rows(self.threads)), tree,
                                        scale, t.clock, threads) +
                answers.compare_methods(rows(oracle.method_rows(t, self.threads)), scale, methods) +
                answers.compare_records(t, scale, self.name, records) +
                self.folded())

    def stacks(self):
        """Frames in all stacks: what writes each in full costs so much."""
        return sum(d for T in self.threads for _, d, _ in oracle.walk(T.root))

    def folded(self):
        if self.stacks() > 3000000:
            return []             # lines as long as the stacks are deep
        clock = "cpu" if self.t.clock == "thread-cpu" else "wall"
        a = self.program.run(["--no-index", "-o", "folded", "--clock", clock, "-e", "calls", self.path])
        return answers.compare_folded(oracle.folded_lines(self.t, self.threads), self.scale, a)

    def spans(self):
        picked = self.threads[:SPAN_THREADS]
        queries = ["spans @%d" % (i + 1) for i in range(len(picked))]
        bad = []
        for T, q, table in zip(picked, queries, self.tables(*queries)):
            bad += answers.compare_spans(q, T.ordered(), self.scale, self.name, table)
        return bad

    def shapes(self, seed):
        """The merged and the inverted tree, callers and callees of some methods."""
        merged, methods = self.tables("merged", "methods")[:2]
        full = lambda mid: oracle.name_of(self.t, mid)
        known = {}
        totals = oracle.merged_totals(self.threads, known)
        bad = answers.compare_shape("merged", known, totals, full, self.scale, merged, methods)
        if self.stacks() < 100000:
            inverted, _ = self.tables("inverted")
            known = {}
            totals = oracle.inverted_totals(self.threads, known)
            bad += answers.compare_shape("inverted", known, totals, full, self.scale, inverted, methods)
        rows = [r for r in methods.rows if answers.number(r["calls"])]
        picked = random.Random(seed).sample(rows, min(len(rows), EDGE_METHODS))
        if not picked:
            return bad
        picked = [[r] for r in picked] + [picked[:3]]
        queries = ["methods | where %s | %s" % (" or ".join("id = " + r["id"] for r in some), word)
                   for some in picked for word in ("callers", "callees")]
        tables = self.tables(*queries)
        for i, some in enumerate(picked):
            wanted = {int(r["raw"]) for r in some}
            for j, callers in enumerate((True, False)):
                totals = oracle.edge_totals(self.threads, wanted, callers)
                bad += answers.compare_edges(queries[i * 2 + j], totals, full, self.scale,
                                             tables[i * 2 + j], methods)
        return bad

    def windows(self, seed):
        """Some windows of some threads, with and without a shortest call."""
        rnd = random.Random(seed)
        asked = []
        for _ in range(WINDOWS):
            i = rnd.randrange(len(self.threads))
            rows = self.threads[i].ordered()
            at = 4 if self.t.clock == "thread-cpu" else 2
            if not rows:
                continue
            times = [r[at] for r in rows] + [r[at + 1] for r in rows]
            a, b = sorted((rnd.choice(times), rnd.choice(times)))
            asked.append((i, rows, at, a, b))
        queries = ["spans @%d from %dns to %dns" % (i + 1, a * self.scale, b * self.scale)
                   for i, _, _, a, b in asked]
        bad = []
        for (i, rows, at, a, b), q, table in zip(asked, queries, self.tables(*queries)):
            want = [r for r in rows if r[at] <= b and r[at + 1] >= a]
            bad += answers.compare_spans(q, want, self.scale, self.name, table)
        return bad


def attempt(tap, name, function, *args):
    try:
        tap.ok(name, function(*args))
    except (ValueError, KeyError, IndexError, OSError, subprocess.SubprocessError) as e:
        tap.ok(name, ["%s: %s" % (type(e).__name__, e)])


def check_file(tap, program, name, path, seed=0):
    case = Case(program, path)
    if case.damaged() and not case.t.recs:
        attempt(tap, name + ": nothing whole, refused", refused, program, path)
        return
    attempt(tap, name + ": totals", case.basic)
    if case.threads:
        attempt(tap, name + ": spans", case.spans)
        attempt(tap, name + ": windows of time", case.windows, seed)
        attempt(tap, name + ": merged, inverted, callers, callees", case.shapes, seed)


def check_generated(tap, program, build, scratch):
    path = os.path.join(scratch, "gen.trace")
    for options in sampled.turns(GENERATED):
        subprocess.run([os.path.join(build, "tests/mk/gentrace"), *options.split(), "-o", path], check=True)
        check_file(tap, program, "gentrace " + options, path, options)
    for rev, options, how in sampled.turns(RECODED):
        subprocess.run([os.path.join(build, "tests/mk/gentrace"), *options.split(), "-o", path], check=True)
        opts = dict(v2.DEFAULTS)
        opts.update(x.split("=") for x in how.split())
        data = v2.convert(rev, oracle.load(path), opts)
        with open(path, "wb") as f:
            f.write(data)
        check_file(tap, program, "V2 %s %s of %s" % (rev, how, options), path, options)


def check_noise(tap, program, build, scratch):
    """Calls that are shorter than a clock read, by a header that says that it takes long."""
    path = os.path.join(scratch, "noise.trace")
    subprocess.run([os.path.join(build, "tests/mk/gentrace"), "-s", "5", "-n", "3000", "-o", path], check=True)
    with open(path, "rb") as f:
        data = f.read()
    spans = Case(program, path).tables("spans | select wall")[0]
    ns = sorted(int(r["wall"]) for r in spans.rows)[len(spans.rows) // 2] + 1
    with open(path, "wb") as f:
        f.write(data.replace(b"overhead-nsec=100\n", b"overhead-nsec=%d\n" % ns, 1))

    def told():
        methods, calls, report = program.ask(path, "methods | select calls total_wall noise", "spans | select wall noise", "overview",
                                             options=("--no-index",)).tables()
        bad = ["%s: noise" % r for r in methods.rows if (r["noise"] == "true") != (int(r["total_wall"]) // max(1, int(r["calls"])) < ns)]
        bad += ["%s: noise" % r for r in calls.rows if (r["noise"] == "true") != (int(r["wall"]) < ns)]
        line = [r for r in report.rows if r["line"] == "below noise"]
        some = [r for r in methods.rows if r["noise"] == "true"]
        bad += ["no method, or all"] if len(some) in (0, len(methods.rows)) else []
        return bad + (["overview: %s, not %d" % (line, len(some))] if [r["value"] for r in line] != [str(len(some))] else [])

    attempt(tap, "calls below the noise", told)


def check_idle(tap, program, scratch):
    """Threads at the limits of what an idle one is."""
    path = os.path.join(scratch, "idle.trace")
    for numbers in [()] + [("0", "0", str(seed)) for seed in sampled.turns(range(12))]:
        subprocess.run([sys.executable, os.path.join(HERE, "..", "mk", "idlemake.py"), path, *numbers], check=True)
        check_file(tap, program, "idle " + " ".join(numbers), path)


def check_edges(tap, program, scratch):
    folder = os.path.join(scratch, "edges")
    subprocess.run([sys.executable, os.path.join(HERE, "..", "mk", "edges.py"), folder], check=True)
    facts = {}
    with open(os.path.join(folder, "edges.tsv")) as f:
        for line in list(f)[1:]:
            name, key, value = line.rstrip("\n").split("\t")
            facts.setdefault(name, {})[key] = value
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith((".trace", ".gz")):
            continue
        if "error" in facts.get(name, {}):
            attempt(tap, name + ": refused, status 5", refused, program, path)
            continue
        attempt(tap, name + ": oracle agrees with how it was made", oracle_agrees, path, facts.get(name, {}))
        check_file(tap, program, name, path)


def refused(program, path):
    a = program.ask(path, "info", options=("--no-index",))
    bad = []
    if a.code != 5 or a.out != "":
        bad.append("status %d" % a.code)
    if len(a.err.strip().split("\n")) != 1 or a.err.strip() == "":
        bad.append("not one line on stderr: %r" % a.err)
    return bad


def oracle_agrees(path, facts):
    t = oracle.load(path)
    got = {k: str(v) for k, v in oracle.facts(t, *oracle.build(t))}
    bad = ["%s is %s, should be %s" % (k, got[k], v) for k, v in facts.items() if got[k] != v]
    tree = path + ".tree.tsv"
    if os.path.exists(tree):
        rows = ["\t".join(map(str, r)) for r in oracle.tree_rows(t, oracle.build(t)[0])]
        with open(tree) as f:
            if f.read().split("\n")[:-1] != rows:
                bad.append("tree differs")
    return bad


def check_forms(tap, program, build, scratch):
    """Plain, gzip and standard input, with and without an index: the same bytes."""
    path = os.path.join(scratch, "form.trace")
    queries = ["calls", "threads", "methods", "records", "spans @1"]
    for options in ("-s 60 -n 4000", "-s 61 -n 4000 -S"):
        subprocess.run([os.path.join(build, "tests/mk/gentrace"), *options.split(), "-o", path], check=True)
        with open(path, "rb") as f:
            data = f.read()
        with open(path + ".gz", "wb") as f:
            half = len(data) // 2     # two members, as pigz or cat make them
            f.write(gzip.compress(data[:half]) + gzip.compress(data[half:]))
        want = program.ask(path, *queries, options=("--no-index",))
        index = ("--index", os.path.join(scratch, "index"))
        os.makedirs(index[1], exist_ok=True)

        def same(a):
            return [] if (a.code, a.out) == (want.code, want.out) and want.code == 0 else [
                "status %d %s, %d bytes; plain: %d, %d bytes" % (
                    a.code, a.err.strip(), len(a.out), want.code, len(want.out))]

        attempt(tap, options + ": gzip", lambda: same(program.ask(path + ".gz", *queries, options=("--no-index",))))
        attempt(tap, options + ": gzip, indexed",
                lambda: same(program.ask(path + ".gz", *queries, options=index)))
        attempt(tap, options + ": gzip, from the index",
                lambda: same(program.ask(path + ".gz", *queries, options=index)))
        attempt(tap, options + ": writing the index",
                lambda: same(program.ask(path, *queries, options=index)))
        attempt(tap, options + ": from the index",
                lambda: same(program.ask(path, *queries, options=index)))
        for name in (path, path + ".gz"):
            with open(name, "rb") as f:
                attempt(tap, options + ": standard input, " + os.path.basename(name),
                        lambda: same(program.ask("-", *queries, stdin=f)))
        p = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
        attempt(tap, options + ": a pipe", lambda: same(program.ask("-", *queries, stdin=p.stdout)))
        p.stdout.close()
        p.wait()


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    sampled.tell()
    program = answers.Program(os.path.join(build, "icecore"))
    check_edges(tap, program, scratch)
    check_idle(tap, program, scratch)
    check_generated(tap, program, build, scratch)
    check_noise(tap, program, build, scratch)
    check_forms(tap, program, build, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
