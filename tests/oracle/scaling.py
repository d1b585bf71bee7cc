# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""scaling.py BUILD SCRATCH - twice as much of a thing takes twice as long, as TAP.

Each shape of tests/mk/shapes.py is made with N of its things and with 2 N.  For both, all questions that need no knowledge of the file are
asked in few runs: every source that fits it (icecore -e help), whole and sorted, --text, --report, the first page of every pane.
Where 2 N takes more than RATIO times the CPU time of N the questions are divided until one is left, and the least of several times
counts.

SCALING=long: four times as large, and what stages make of sources.  SCALING_SHAPE=TEXT: shapes whose names contain it.
SCALING_SHOW=1: all times.  SCALING_LIMIT: seconds.
"""
import os
import re
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk"))

import answers
import sampled
import shapes
import tap

RATIO = 2.3
LITTLE = 0.05           # seconds of CPU time: what takes less is fast enough
LIMIT = int(os.environ.get("SCALING_LIMIT", 6))    # seconds of CPU time until a run is ended
AGAIN = 4               # more runs before a verdict
LONG = os.environ.get("SCALING") == "long"
SHOW = os.environ.get("SCALING_SHOW") == "1"

# The output grows with the square of the input.
LARGE = {("trace deep", "folded"), ("trace unended", "folded"), ("chrome nested", "folded")}
STAGES = """
threads | waits
threads | calls
threads | merged
threads | inverted
threads | methods
threads | frames
threads | locals
methods | callers
methods | callees
methods | threads
methods | bytecode
calls | parents
calls | children
calls | hide /step1/
calls | keep /step1/
calls | drop /step1/
calls | fold /step/
calls | by class
calls | by package
calls | by file
calls | by module
calls | range 1us 1ms
methods | diff
threads | diff
calls | diff
merged | diff
inverted | diff
tasks | diff
classes | diff
histogram | diff
findings | diff
records | diff
spans | during
spans | during states
spans | during metrics
spans from 1us
spans min 1us
spans | range 1us 1ms
states | range 1us 1ms
classes | instances
classes | superclasses
classes | subclasses
objects | refs
objects | referrers
objects | dominator
objects | dominated
objects | retained
objects | fields
objects | entries
objects | merge_paths
objects | head 3 | path
objects | tail 3 | path
objects | tail 3 | paths 3
objects | tail 3 | leaktrace
roots | path
collections | entries
strings | copies
duplicates | copies
names | children
names | parents
findings | leaktrace
dominators | dominated
components package
components loader
components class
"""


class Question:
    """args: of icecore; a query can be asked together with others."""

    def __init__(self, *args):
        self.args = list(args)

    def __str__(self):
        return " ".join(self.args[-1:] if self.args[0] == "-e" else self.args)


class Shape:
    """Files of one shape, of n and of 2 n."""

    def __init__(self, program, name, scratch):
        self.program, self.name = program, name
        self.maker, self.n, self.options = shapes.SHAPES[name]
        self.n *= 1 + 3 * LONG
        self.folders = [os.path.join(scratch, name.replace(" ", "_") + str(k)) for k in (1, 2)]
        self.files = []
        for k, folder in enumerate(self.folders, 1):
            self.files = shapes.write(name, self.n * k, folder)
        self.idle = min(self.seconds(["-e", "help info"], 0, False) for _ in range(3))

    def seconds(self, args, size, files=True):
        """CPU time of a run, LIMIT where it would be more."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = subprocess.run([self.program, "--no-index", "--jobs", "1", *self.options, *args, *(self.files if files else ())],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folders[size],
                              preexec_fn=limit, check=False).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return LIMIT if code < 0 else took

    def table(self, query):
        p = subprocess.run([self.program, "--no-index", "-o", "tsv", *self.options, "-e", query, *self.files], cwd=self.folders[0],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        return answers.Table(p.stdout.decode("utf-8", "replace")).rows

    # ---- what to ask

    def of_source(self, source):
        """It with all columns, and in the order of a number; SCALING=long: in the order of a text, joined."""
        columns = self.table("columns " + source)
        texts = [c["name"] for c in columns if c["type"] == "text"]
        numbers = [c["name"] for c in columns if c["type"] != "text" and c["shown"] == "1"]
        if not columns:
            return [source]
        out = ["%s | select %s" % (source, " ".join(c["name"] for c in columns))]
        out += ["%s | sort -%s | tail 3" % (source, numbers[-1])] if numbers else []
        if LONG:
            out += ["%s | sort %s | tail 3" % (source, texts[0]), "%s | group %s : count | tail 3" % (source, texts[0])] if texts else []
            out += ["%s | top 3 %s" % (source, numbers[-1])] if numbers else []
        return out

    def questions(self):
        """Lists of those that may be asked together."""
        if len(self.files) > 2:
            return [[Question("-e", "growth"), Question("-e", "growth classes")]]
        known = self.table("help")
        words = {row["item"] for row in known}
        queries = []
        for row in known if len(self.files) == 1 else ():
            if row["kind"] == "source" and row["item"] not in ("help", "columns"):
                queries += self.of_source(row["item"])
        queries += [q for q in STAGES.strip().split("\n") if (LONG or " | " not in q or "diff" in q) and set(re.findall(r"^\w+|(?<=\| )\w+", q)) <= words and
                    (len(self.files) == 1) != ("diff" in q)]
        queries += ["%s | format %s" % (source, form) for source in ("calls", "dominators", "records") if LONG and source in words and len(self.files) == 1
                    for form in ("table", "json", "folded", "tree", "dot", "svg", "html") if (self.name, form) not in LARGE]
        queries = [Question("-e", q) for q in dict.fromkeys(queries)]
        return [queries, [Question("--text", "--no-hash")], [Question("--report", "--no-hash")],
                [Question("--keys", self.keys())]]

    def keys(self):
        """The first page of every pane, and the last."""
        path = os.path.abspath(os.path.join(self.folders[0], "..", "keys"))
        with open(path, "w", encoding="utf-8") as f:
            f.write("size 100x30\nframe\n" + "".join("key %d\nframe\n" % (i + 1) + "key End\nframe\n" * LONG for i in range(9)))
        return path

    # ---- what they take

    def cost(self, questions, size):
        args = ["-o", "tsv"] * (questions[0].args[0] == "-e") + sum((q.args for q in questions), [])
        return max(self.seconds(args, size) - self.idle, 0.001)

    def slow(self, questions):
        """(question, seconds of n, of 2 n) of what is too slow."""
        if not questions:
            return []
        two, one = self.cost(questions, 1), None
        if two >= LITTLE:
            one = self.cost(questions, 0)
            for _ in range(AGAIN):
                if two <= RATIO * one or two > 0.9 * LIMIT:
                    break
                two, one = min(two, self.cost(questions, 1)), min(one, self.cost(questions, 0))
        SHOW and print("# %-30s %6s %.3f  %s" % (self.name, "" if one is None else "%.3f" % one, two, questions[0] if len(questions) == 1 else
                                          "%d questions" % len(questions)))
        if two < LITTLE or two <= RATIO * one and two < 0.9 * LIMIT:
            return []
        if len(questions) == 1:
            return [(questions[0], one, two)]
        half = len(questions) // 2
        found = self.slow(questions[:half]) + self.slow(questions[half:])
        return found or [("; ".join(map(str, questions)), one, two)]

    def check(self):
        found = sum((self.slow(group) for group in self.questions()), [])
        tap.check("%s: %d and %d" % (self.name, self.n, 2 * self.n),
                  "\n".join("%.2f s, then %s%.2f s: %s" % (one, ">" * (two > 0.9 * LIMIT), two, q) for q, one, two in found))
        for folder in self.folders:
            shutil.rmtree(folder)


def main(build, scratch):
    program = os.path.abspath(os.environ.get("ICECORE", os.path.join(build, "icecore")))
    named = os.environ.get("SCALING_SHAPE")
    names = list(shapes.SHAPES)
    for name in [n for n in names if named in n] if named else names if LONG else sampled.turns(names, 3):
        Shape(program, name, scratch).check()
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:])
