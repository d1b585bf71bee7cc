# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""manual.py: what the program says of itself, and the examples of the manual and of the help, for tests that run them.

An indented line (.Dl) of the pages about queries is a query for the file of its section, otherwise of its page, otherwise for a method
trace.  The example of a command is for one of the files whose help has it.  Some queries need another file.
"""
import fnmatch
import glob
import os
import subprocess

# The pages about queries, and where the repairs, the losses and the formats of files are.
QUERIES, FORMATS = "icecore-*.7", "icecore-formats.5"
# Section of the manual, or part of its title, and the file for its queries: the first that fits.
SECTIONS = (("MANY HEAP DUMPS", "tests/fuzz/corpus/triage/rows"), ("TRACE EVENTS", "tests/fuzz/corpus/json/marks"),
            ("BANK STATEMENTS", "demo/money.ofx.gz"), ("BYTECODE", "demo/notes.jar"), ("CALL GRAPHS", "tests/fuzz/corpus/callgrind/cycle"), ("CLASS HISTOGRAMS", "tests/fuzz/corpus/counts/both"),
            ("TRACKS", "demo/feed.txt.gz"),
            ("SCHEDULER", "demo/sched.txt.gz"), ("PROFILES", "demo/profile.txt.gz"))
# Pages with another file for the queries of all other sections.
PAGES = {"icecore-heap.7": "demo/demo.hprof.gz", "icecore-perfetto.7": "demo/recipes.pftrace.gz", "icecore-stacks.7": "demo/hang.log.gz"}
# Files that are asked for help: one of each kind.
HELPED = ("demo/demo.trace.gz", "demo/feed.txt.gz", "demo/sched.txt.gz", "demo/profile.txt.gz", "tests/fuzz/corpus/json/marks",
          "demo/money.ofx.gz", "demo/notes.jar", "tests/fuzz/corpus/triage/rows", "tests/fuzz/corpus/callgrind/cycle",
          "tests/fuzz/corpus/counts/both", "demo/hang.log.gz", "demo/demo.hprof.gz")
HEAP, SHOP = "demo/demo.hprof.gz", "demo/shop.jfr.gz"
# Queries that need another file: the first that fits.  The name of a dump of tests/data stands without a folder.
OTHERS = (("bitmaps*", "bitmaps15.hprof"), ("threads*label.service*", "tests/fuzz/corpus/stacks/go_labels"),
          ("*label[. ]service*", "tests/fuzz/corpus/pprof/labels"), ("labels*", "tests/fuzz/corpus/pprof/labels"), ("lines*samples", "tests/fuzz/corpus/json/position_ticks"), ("*| state *", "tests/fuzz/corpus/jfr/states.jfr"),
          ("*| per *", "demo/hang.log.gz"), ("*| dump *", "demo/hang.log.gz"),
          ("intervals*", "tests/fuzz/corpus/jfr/pauses.jfr"), ("frames | where late*", "demo/recipes.pftrace.gz"), ("frames | top 10 overrun", "demo/recipes.pftrace.gz"),
          ("categories*", "tests/fuzz/corpus/gecko/demo"), ("sites*", "tests/fuzz/corpus/ruby/catalog"),
          ("classes*| diff*", HEAP), ("objects*| diff*", HEAP), ("tasks*| diff*", "demo/sched.txt.gz"), ("tasks*| range*", "demo/sched.txt.gz"),
          ("allocations*", HEAP), ("classes*alloc_*", HEAP), ("findings*made_at*", HEAP))
# The second file: a recording, or the file once more.
BESIDE = (("allocations*", SHOP), ("classes*alloc_*", SHOP), ("findings*made_at*", SHOP),
          ("growth*", None), ("*| diff*", None), ("*| file *", None))


def plain(text):
    """Escapes of mdoc as the characters that they stand for."""
    for escape, char in (("\\-", "-"), ("\\&", ""), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(dq", '"'), ("\\e", "\\")):
        text = text.replace(escape, char)
    return text


def pages(srcdir, name):
    """Paths of the pages of the manual with this name, or that match it."""
    return sorted(glob.glob(os.path.join(glob.escape(srcdir), "man", name)))


def said(program, *args):
    return program.run(list(args)).out


def keys(program):
    """Rows of --list-keys: key, pane, shapes, kind of pane, hint, meaning."""
    return [line.split("\t") for line in said(program, "--list-keys").splitlines()]


def options(program, srcdir, *command):
    """Lines of --help all, each with those that continue it."""
    return subprocess.run(["sed", "-f", os.path.join(srcdir, "completions/options.sed")], input=said(program, *command, "--help", "all"),
                          stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def help_of(program, path):
    """Return the rows of help for every command, with a file open."""
    items = [r["item"] for r in program.ask(path, "help all | distinct item | select item", options=["--no-index"]).tables()[0].rows]
    asked = program.ask(path, *("help '%s'" % item for item in items), options=["--no-index"])
    return [row for table in asked.tables() for row in table.rows]


class Manual:
    def __init__(self, program, srcdir):
        self.program, self.srcdir = program, srcdir
        self.help = [(path, row) for path in map(self.path, HELPED) for row in help_of(program, path)]
        # The same for a recording with a dump.
        for word in ("classes", "allocations", "findings"):
            answer = program.run(["--no-index", "-o", "tsv", "-e", "help " + word, self.path(HEAP), self.path(SHOP)])
            self.help += [(self.path(HEAP), row) for row in answer.tables()[0].rows]

    def path(self, name):
        return os.path.abspath(os.path.join(self.srcdir, name) if "/" in name else os.path.join("tests/data", name))

    def items(self, *kinds):
        return {row["item"] for _, row in self.help if row["kind"] in kinds}

    def queries(self):
        """Queries, each with the files that will do."""
        for page in pages(self.srcdir, QUERIES):
            usual = file = PAGES.get(os.path.basename(page), "demo/demo.trace.gz")
            with open(page, encoding="utf-8") as lines:
                for line in lines:
                    if line.startswith(".Sh"):
                        file = next((path for part, path in SECTIONS if part in line), usual)
                    elif line.startswith(".Dl ") and not line.startswith(".Dl icecore "):
                        yield plain(line[4:].rstrip("\n")), [self.path(file)]
        found = {}
        for path, row in self.help:
            if row["kind"] == "example" and path not in found.setdefault(row["meaning"], []):
                found[row["meaning"]].append(path)
        for path in map(self.path, HELPED):
            for row in self.program.ask(path, "help | select item", options=["--no-index"]).tables()[0].rows:
                found.setdefault(row["item"], []).append(path)
        yield from found.items()

    def examples(self):
        """Queries, each with lists of files that it can be asked of; one of them has an answer."""
        for query, paths in self.queries():
            paths = next(([self.path(name)] for pattern, name in OTHERS if fnmatch.fnmatchcase(query, pattern)), paths)
            beside = [self.path(name) if name else None for pattern, name in BESIDE if fnmatch.fnmatchcase(query, pattern)][:1]
            yield query, [[path] + [other or path for other in beside] for path in paths]
