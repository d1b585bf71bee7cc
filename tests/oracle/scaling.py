# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""scaling.py BUILD SCRATCH GROUP - twice, four and eight times as much of a thing take twice, four and eight times as long, as TAP.

GROUP is a row of GROUPS: the shapes whose names begin with its words; or "panes": the panes of all shapes.
Each shape of tests/mk/shapes.py and tests/mk/graphs.py is made with N of its things, and with 2, 4 and 8 N.  All questions that need no
knowledge of the file are asked: every source that fits it (icecore -e help), whole and sorted, --text, --report, the first page of every
pane.  First all queries are asked together: that reads the file, makes what they need, and writes an index.  Then a few at once are asked
with that index, so that one slow query is not hidden by the others.  If 8 N takes more time than LITTLE, and more than GROWTH allows
against 4 N, 2 N and N, the questions are divided until one is left; the least of several times counts.

SCALING=long: four times as large, and what stages make of sources; all graphs.  SCALING=once: all questions about N, no times.
SCALING_SHAPE=TEXT: shapes whose names contain it.
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
import graphs
import sampled
import shapes
import tap

GROWTH = {2: 2.3, 4: 4.8, 8: 10.0}      # CPU time of that many times as much, at most
LITTLE = 0.05           # seconds of CPU time: what takes less is fast enough
FEW = 6                 # queries that are asked at once
GRAPHS = 97             # one in so many of the shapes of graphs.py is checked
LIMIT = int(os.environ.get("SCALING_LIMIT", 6))    # seconds of CPU time until a run is ended
AGAIN = 4               # more runs before a verdict
ALWAYS = ("roots | path", "findings | leaktrace")     # of STAGES, also without SCALING=long
LONG = os.environ.get("SCALING") == "long"
ONCE = os.environ.get("SCALING") == "once"
SHOW = os.environ.get("SCALING_SHOW") == "1"

# A test for each: tests/scaling_GROUP.test.
GROUPS = {
    "trace": ("trace ", "two traces"),
    "sched": ("sched ", "two sched"),
    "profile": ("folded ", "perf ", "pprof ", "recording ", "two profiles", "callgrind ", "massif "),
    "json": ("chrome ", "firefox ", "perfetto "),
    "table": ("table ", "statements", "code "),
    "stacks": ("dump ",),
    "heap": ("heap ", "two heaps", "files, "),
}

# The output grows with the square of the input.
LARGE = {("trace deep", "folded"), ("trace unended", "folded"), ("chrome nested", "folded")}
# In the tree of callees each of n nested calls has a row for all that are around it: it has as many rows as a square.
NESTED, DEEP = ("trace spans", "sched sections", "chrome sections", "chrome durations"), ("nested", "overlapping", "equal", "stairs")
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
calls | per labels
calls | per label.id
methods | label service a
labels | group label.id : count
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
    """Files of one shape, of n, 2 n, 4 n and 8 n, made when they are needed."""

    def __init__(self, program, name, scratch):
        self.program, self.name = program, name
        self.maker, self.n, self.options = shapes.SHAPES[name]
        self.n = self.n // 4 * (1 + 3 * LONG)
        self.scratch = os.path.join(scratch, re.sub(r"\W", "_", name))
        shutil.rmtree(self.scratch, True)
        self.queries, self.files = [], []
        self.idle = min(self.seconds(["-e", "help info"], 1, files=False) for _ in range(3))

    def folder(self, k):
        """Return the folder with the files of k n."""
        folder = os.path.join(self.scratch, str(k))
        if not os.path.exists(folder):
            self.files = shapes.write(self.name, self.n * k, folder)
        return folder

    def seconds(self, args, k, index=("--no-index",), files=True):
        """CPU time of a run, LIMIT where it would be more."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        folder = self.folder(k)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = subprocess.run([self.program, *index, "--jobs", "1", *self.options, *args, *(self.files if files else ())],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                              preexec_fn=limit, check=False).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return LIMIT if code < 0 else took

    def tables(self, *queries):
        """The rows of each answer; those of a query that fails are missing."""
        p = subprocess.run([self.program, "--no-index", "-o", "tsv", *self.options, *sum((["-e", q] for q in queries), []), *self.files],
                           cwd=self.folder(1), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        return [answers.Table(text + "\n").rows for text in p.stdout.decode("utf-8", "replace").rstrip("\n").split("\n\n")]

    def columns(self, sources):
        """By source; before each answer is one that names it."""
        found, source = {}, None
        for rows in self.tables(*(q for s in sources for q in ("help all | where item = %s and kind = source" % s, "columns " + s))):
            if rows and "item" in rows[0]:
                source = rows[0]["item"]
            else:
                found[source] = rows
        return found

    # ---- what to ask

    @staticmethod
    def of_source(source, columns):
        """It with all columns, and in the order of a number; SCALING=long: in the order of a text, joined."""
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
        """Lists of those that may be asked together, the queries first."""
        self.folder(1)
        if len(self.files) > 2:
            return [[Question("-e", "growth"), Question("-e", "growth classes")]]
        known, = self.tables("help all")
        words = {row["item"] for row in known}
        queries = []
        sources = [row["item"] for row in known if len(self.files) == 1 and row["kind"] == "source" and row["item"] not in ("help", "columns")]
        if self.name.startswith(NESTED) and self.name.split(" of one name")[0].endswith(DEEP):
            sources.remove("inverted")
        columns = self.columns(sources)
        for source in sources:
            queries += self.of_source(source, columns.get(source, ()))
        queries += [q for q in STAGES.strip().split("\n") if (LONG or q in ALWAYS or " | " not in q or "diff" in q) and set(re.findall(r"^\w+|(?<=\| )\w+", q)) <= words and
                    (len(self.files) == 1) != ("diff" in q)]
        queries += ["%s | format %s" % (source, form) for source in ("calls", "dominators", "records") if LONG and source in words and len(self.files) == 1
                    for form in ("table", "json", "folded", "tree", "dot", "svg", "html") if (self.name, form) not in LARGE]
        queries = [Question("-e", q) for q in dict.fromkeys(queries)]
        return [queries, [Question("--text", "--no-hash")], [Question("--report", "--no-hash")]]

    def keys(self):
        """The first page of every pane, and the last."""
        path = os.path.abspath(os.path.join(self.folder(1), "..", "keys"))
        with open(path, "w", encoding="utf-8") as f:
            f.write("size 100x30\nframe\n" + "".join("key %d\nframe\n" % (i + 1) + "key End\nframe\n" * LONG for i in range(9)))
        return path

    # ---- what they take

    def cost(self, questions, k):
        """Queries other than all of them are asked with the index that all of them leave."""
        args = sum((q.args for q in questions), [])
        if questions[0].args[0] != "-e":
            return max(self.seconds(args, k) - self.idle, 0.001)
        index = "%s/index%d" % (self.scratch, k)
        if questions is self.queries or not os.path.exists(index):
            shutil.rmtree(index, True)
            os.mkdir(index)
            took = self.seconds(sum((q.args for q in self.queries), ["-o", "tsv"]), k, ("--index", index))
            if questions is self.queries:
                return max(took - self.idle, 0.001)
        return max(self.seconds(["-o", "tsv"] + args, k, ("--index", index)) - self.idle, 0.001)

    def grows(self, questions):
        """Return the times of n, 2 n, 4 n and 8 n, the least of several, if they grow too much; otherwise nothing."""
        if ONCE:
            self.cost(questions, 1)
            return {}
        took = {8: self.cost(questions, 8)}
        for again in range(AGAIN):
            for k in (4, 2, 1):
                if took[8] < LITTLE:
                    return {}
                if took[8] > 0.9 * LIMIT:
                    return took
                if again or k not in took:
                    took[k] = min(took.get(k, LIMIT), self.cost(questions, k))
                if took[8] <= GROWTH[8 // k] * took[k]:
                    return {}
            took[8] = min(took[8], self.cost(questions, 8))
        return took

    def slow(self, questions):
        """Return (question, {k: seconds of k n}) for each that is too slow."""
        took = self.grows(questions) if questions else {}
        SHOW and questions and print("# %-30s %s  %s" % (self.name, told(took), questions[0] if len(questions) == 1 else "%d questions" % len(questions)))
        if not took or len(questions) == 1:
            return [(questions[0], took)] if took else []
        half = len(questions) // 2
        return self.slow(questions[:half]) + self.slow(questions[half:]) or [("; ".join(map(str, questions)), took)]

    def check(self, panes):
        found = []
        if panes:
            self.folder(1)
            found = self.slow([Question("--keys", self.keys())])
        else:
            self.queries, *others = self.questions()
            found = [(self.name + ": all queries", took) for took in [self.grows(self.queries)] if took]
            for questions in [self.queries[i:i + FEW] for i in range(0, len(self.queries), FEW)] + others:
                found += self.slow(questions)
        tap.check("%s: %s" % (self.name, ", ".join(str(self.n * k) for k in (1, 2, 4, 8))), "\n".join("%s s: %s" % (told(took), q) for q, took in found))
        shutil.rmtree(self.scratch)


def told(took):
    """"0.02, 0.04, 0.08, >6.00"."""
    return ", ".join("%s%.2f" % (">" * (took[k] > 0.9 * LIMIT), took[k]) for k in sorted(took))


def main(build, scratch, group):
    program = os.path.abspath(os.environ.get("ICECORE", os.path.join(build, "icecore")))
    named = os.environ.get("SCALING_SHAPE")
    names = list(shapes.SHAPES)
    turn = sampled.turns([n for n in names if n not in graphs.NAMES], 4) + graphs.NAMES[sampled.DAY % GRAPHS::GRAPHS]
    for name in [n for n in names if named in n] if named else names if LONG else turn:
        if group == "panes" and not name.startswith("files, ") or name.startswith(GROUPS.get(group, ())):
            Shape(program, name, scratch).check(group == "panes")
    if group == "panes":
        known = tuple(word for words in GROUPS.values() for word in words)
        tap.check("every shape is in a group", "\n".join(n for n in names if not n.startswith(known)))
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:])
