#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""corpus.py BUILD CORPUS - icecore on a folder of real files with known answers, as TAP.

CORPUS/trace/MANIFEST.tsv names the files, their kinds and facts;
trace/expected/art holds the answers; trace/gen/edges the edge cases;
heap/MANIFEST.tsv heap dumps, which heapcorpus.py compares; other/lev string
pairs with their distances.  Missing files are not tested.  CORPUS_PART: see corpuspart.py.
"""
import csv
import gzip
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(1, os.path.join(HERE, "..", "peers"))

import answers  # noqa: E402
import asked  # noqa: E402
import chromecheck  # noqa: E402
import codecheck  # noqa: E402
import corpuspart  # noqa: E402
import doorcheck  # noqa: E402
import dumprowscheck  # noqa: E402
import dumpscheck  # noqa: E402
import fieldcheck  # noqa: E402
import foldedcheck  # noqa: E402
import ftracecheck  # noqa: E402
import geckocheck  # noqa: E402
import ofxcheck  # noqa: E402
import overview  # noqa: E402
import heapcorpus  # noqa: E402
import jfrcheck  # noqa: E402
import nanocheck  # noqa: E402
import perfcheck  # noqa: E402
import perfettocheck  # noqa: E402
import pprofcheck  # noqa: E402
import rubycheck  # noqa: E402
import schedcheck  # noqa: E402
import sidecheck  # noqa: E402
import simplecheck  # noqa: E402
import tablecheck  # noqa: E402
import textscheck  # noqa: E402
import v8check  # noqa: E402
import storycheck  # noqa: E402
import suites  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

# Other readers: a function of (tap, program, folder, name of the file).
READ = {"folded": foldedcheck.check_corpus, "ftrace": schedcheck.check_corpus, "perf-script": perfcheck.check_corpus,
        "simpleperf-proto": simplecheck.check_other}
UNTYPICAL = ("an empty file", "text of unknown kind", "UTF-16")


def rows_of(path):
    """A table of expected answers, plain or gzipped, without its header."""
    if os.path.exists(path + ".gz"):
        with gzip.open(path + ".gz", "rb") as f:
            data = f.read()
    elif os.path.exists(path):
        with open(path, "rb") as f:
            data = f.read()
    else:
        return None
    return data.decode("utf-8", "surrogateescape").split("\n")[:-1]


def split(lines):
    return [line.split("\t") for line in lines[1:]]


def manifest(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def parse_facts(text):
    return dict(x.split("=", 1) for x in text.split(" ") if "=" in x)


def check_facts(program, path, facts):
    a = program.ask(path, "info", options=("--no-index",))
    return answers.compare_facts(facts, a.tables()[0])


class Art:
    def __init__(self, program, path, expected, facts):
        self.program = program
        self.path = path
        self.expected = expected
        self.facts = dict(facts)
        for line in rows_of(expected + ".facts.tsv") or []:
            key, _, value = line.partition("\t")
            self.facts[key] = value
        self.kind = self.facts.get("kind", "v1-regular")
        self.scale = 1000 if self.facts.get("unit", "us") == "us" else 1

    def has(self, what):
        return rows_of("%s.%s.tsv" % (self.expected, what)) is not None

    def rows(self, what):
        return rows_of("%s.%s.tsv" % (self.expected, what))

    def tables(self, *queries):
        a = self.program.ask(self.path, *queries, options=("--no-index",))
        if a.code not in (0, 1, 3):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        return a.tables()

    def tree(self):
        calls, threads, methods = self.tables("calls", "threads", "methods")
        return answers.compare_tree(self.kind, split(self.rows("tree")), self.scale, calls,
                                    threads, methods) + answers.compare_order(calls)

    def threads(self):
        threads, = self.tables("threads")
        return answers.compare_threads(self.kind, split(self.rows("threads")), split(self.rows("tree")),
                                       self.scale, self.facts.get("clock", "dual"), threads)

    def methods(self):
        methods, = self.tables("methods")
        return answers.compare_methods(split(self.rows("methods")), self.scale, methods)

    def folded(self):
        clock = "cpu" if self.facts.get("clock") == "thread-cpu" else "wall"
        a = self.program.run(["--no-index", "-o", "folded", "--clock", clock, "-e", "calls", self.path])
        return answers.compare_folded(self.rows("folded"), self.scale, a)

    def check(self, tap, name):
        attempt(tap, name + ": facts", check_facts, self.program, self.path, self.facts)
        for what in ("tree", "threads", "methods", "folded"):
            if self.has(what):
                attempt(tap, "%s: %s" % (name, what), getattr(self, what))


def check_foreign(program, path):
    bad = refused(program, path)
    a = program.ask(path, "info", options=("--no-index",))
    if not any(w in a.err for w in UNTYPICAL):
        bad.append("not named as %s: %s" % (" or ".join(UNTYPICAL), a.err.strip()))
    return bad


def check_manifest(tap, program, folder):
    for m in manifest(os.path.join(folder, "MANIFEST.tsv")):
        path = os.path.join(folder, m["file"])
        kind, facts = m["kind"], m["expected_facts"] or ""
        if m["file"].startswith("expected/") or not os.path.exists(path):
            continue
        name = m["file"]
        if kind in READ:
            READ[kind](tap, program, folder, name)
        elif kind != "art":
            if kind == "jstack":
                sidecheck.check_corpus(tap, program, folder, name, parse_facts(facts))
            else:
                attempt(tap, "%s: refused as %s" % (name, kind), check_foreign, program, path)
        elif facts.startswith("error="):
            attempt(tap, name + ": refused", refused, program, path)
        elif facts.startswith("damaged"):
            # Bytes that went through a text conversion leave no record.
            attempt(tap, name + ": damage reported", refused if "UTF-8" in facts else check_damaged, program, path)
        else:
            base = os.path.basename(name).removesuffix(".gz")
            Art(program, path, os.path.join(folder, "expected", "art", base), parse_facts(facts)).check(tap, name)


def check_damaged(program, path):
    a = program.ask(path, "info", options=("--no-index",))
    bad = [] if a.code == 3 else ["status %d" % a.code]
    if a.err.strip().count("\n") != 0 or a.err.strip() == "":
        bad.append("not one line on stderr: %r" % a.err)
    return bad


def check_edges(tap, program, folder):
    listed = os.path.join(folder, "edges.tsv")
    if not os.path.exists(listed):
        return
    facts = {}
    for name, key, value in split(rows_of(listed)):
        facts.setdefault(name, {})[key] = value
    for name in sorted(facts):
        path = os.path.join(folder, name)
        if "error" in facts[name] or (facts[name].get("records") == "0" and
                                      (facts[name].get("tail_bytes", "0") != "0" or facts[name].get("complete") == "0" or
                                       facts[name].get("lost_records", "0") != "0")):
            attempt(tap, "edges/%s: refused" % name, refused, program, path)
            continue
        art = Art(program, path, path, facts[name])
        art.kind = facts[name].get("kind", "v2b" if name.startswith(("v2a", "v2b", "v2c")) else "v1")
        art.scale = 1 if name.startswith(("v2b", "v2c")) else 1000
        attempt(tap, "edges/%s: facts" % name, check_facts, program, path, facts[name])
        if art.has("tree"):
            attempt(tap, "edges/%s: tree" % name, art.tree)


def check_distances(tap, program, folder):
    if not os.path.isdir(folder):
        return
    p = subprocess.run([program, folder], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    for line in p.stdout.decode().splitlines():
        verdict, _, what = line.partition(" - ")
        if what:
            tap.ok(what, [] if verdict.startswith("ok") else ["wrong"])
    tap.ok("distances: the program ends well", [] if p.returncode == 0 else ["status %d" % p.returncode])


# Real files for the questions that people ask: kind, files.
ASKED = (
    ("trace", "trace/art/firefox-art-regular.trace.gz"), ("trace", "trace/art/jag-dmtrace.trace"),
    ("sched", "trace/sched/proftest-atrace-zlib.trace"), ("sched", "trace/sched/catapult-android_systrace.txt"),
    ("sched", "trace/sched/catapult-atrace_data"), ("heap", "heap/ice17_g1.hprof.gz", "heap/ice17_nocoops.hprof.gz"),
    ("heap", "heap/ahat_RI.hprof.gz"), ("heap", "heap/mat_jdk6_31_agent_nocoops.hprof"), ("heap", "heap/synthetic/syn_art35.hprof"))


def check_asked(tap, program, corpus):
    told, known = set(), {asked.number_of(q) for some in asked.QUESTIONS.values() for q in some}
    for kind, *names in ASKED:
        paths = [os.path.join(corpus, n) for n in names]
        if all(map(os.path.exists, paths)):
            asked.ask_all(tap, attempt, program, answers.differ, kind, paths, told)
    if told and "CORPUS_PART" not in os.environ:
        tap.ok("each of the %d questions has an answer in some file" % len(known), ["not %s" % sorted(known - told)] if known - told else [])


def check_triage(tap, build, folder):
    """All dumps at once, against the slow program."""
    if not os.path.isdir(folder):
        return
    with tempfile.TemporaryDirectory() as scratch:
        p = subprocess.run([sys.executable, "-B", os.path.join(HERE, "triagecheck.py"), build, scratch, folder], capture_output=True, text=True)
    lines = [line for line in p.stdout.splitlines() if line.startswith(("ok ", "not ok "))]
    for line in lines:
        verdict, _, what = line.partition(" - ")
        tap.ok(what, [] if verdict.startswith("ok") else p.stdout.splitlines()[:20])
    tap.ok("triage: the program ends well", [] if p.returncode == 0 and lines else [p.stderr])


def main(argv):
    build, corpus = argv[1:]
    if "CORPUS_PART" not in os.environ:
        return check(build, corpus)
    with tempfile.TemporaryDirectory() as part:
        out = corpuspart.view(corpus, int(os.environ["CORPUS_PART"]), part)
        print("# one file in %s; %d are left out" % (os.environ["CORPUS_PART"], len(out)))
        return check(build, part)


def check(build, corpus):
    """Other programs are asked about the whole corpus only."""
    csv.field_size_limit(1 << 30)       # a transaction of a hostile statement is one cell
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    trace = os.path.join(corpus, "trace")
    check_manifest(tap, program, trace)
    check_edges(tap, program, os.path.join(trace, "gen", "edges"))
    nanocheck.check_corpus(tap, build, os.path.join(trace, "gen", "edges"))
    schedcheck.check_edges(tap, program, os.path.join(trace, "gen", "edges"))
    sidecheck.check_named(tap, program, os.path.join(trace, "gen", "edges"))
    foldedcheck.check_expected(tap, program, trace)
    foldedcheck.check_edges(tap, program, os.path.join(trace, "gen", "edges"))
    ftracecheck.check_corpus(tap, program, corpus)
    ofxcheck.check_expected(tap, program, corpus)
    chromecheck.check_corpus(tap, program, os.path.join(corpus, "profiles", "chrome"))
    geckocheck.check_corpus(tap, program, corpus)
    fieldcheck.check_corpus(tap, program, corpus)
    codecheck.check_corpus(tap, program, corpus)
    jfrcheck.check_corpus(tap, program, os.path.join(corpus, "jfr"))
    heapcorpus.check(tap, program, os.path.join(corpus, "heap"))
    dumpscheck.check_corpus(tap, program, corpus)
    dumprowscheck.check_corpus(tap, build, corpus)
    textscheck.check_corpus(tap, program, corpus)
    doorcheck.check_corpus(tap, program, os.path.join(corpus, "profiles", "frontdoor"))
    tablecheck.check_corpus(tap, program, os.path.join(corpus, "seeds", "tables"))
    rubycheck.check_corpus(tap, program, os.path.join(corpus, "graphs", "ruby"))
    v8check.check_corpus(tap, program, os.path.join(corpus, "graphs", "v8"))
    perfcheck.check_texts(tap, program, os.path.join(corpus, "profiles", "perftext"))
    perfcheck.check_recordings(tap, program, os.path.join(corpus, "profiles", "perfdata"))
    simplecheck.check_corpus(tap, program, os.path.join(corpus, "profiles", "more"))
    pprofcheck.check_corpus(tap, program, os.path.join(corpus, "profiles", "pprof"))
    perfettocheck.check_corpus(tap, program, corpus)
    overview.check_corpus(tap, program, corpus)
    storycheck.check_corpus(tap, program, corpus)
    check_asked(tap, program, corpus)
    if "CORPUS_PART" not in os.environ:
        check_triage(tap, build, os.path.join(corpus, "heap"))
        suites.check(tap, os.path.join(build, "icecore"), os.path.join(corpus, "suites"))
    check_distances(tap, os.path.join(build, "tests/oracle/levpairs"), os.path.join(corpus, "other", "lev"))
    if tap.n == 0:
        tap.ok("files with known answers in %s" % corpus, ["none found"])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
