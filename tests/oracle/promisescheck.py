# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""promisescheck.py BUILD SRCDIR - a column is what its name says, and each column and fact is named by a test that knows its value, as TAP.

The names of many columns are promises: X_pct is X as a share of a whole, X_delta is X less X_before, X_id is the row whose name is in
X.  Each is computed here from other columns of the row, or from rows of another source, over files of all kinds.  A column with such
a name that no rule is about fails, and so does a rule that saw no value.
"""
import collections
import fnmatch
import glob
import gzip
import os
import re
import sys
import zipfile

import answers
import manual
import tap

# Files, each alone or with a second one.  They need not be large: a rule holds in each row.
FILES = (("demo/demo.trace.gz",), ("demo/sched.txt.gz",), ("demo/recipes.pftrace.gz",), ("demo/profile.txt.gz",), ("demo/feed.txt.gz",),
         ("demo/shop.jfr.gz",), ("--event", "jdk.ObjectAllocationSample", "demo/shop.jfr.gz"), ("demo/hang.log.gz",), ("demo/demo.hprof.gz",), ("demo/phone.hprof.gz",), ("demo/shop.heapsnapshot.gz",),
         ("demo/notes.jar",), ("demo/money.ofx.gz",), ("tests/fuzz/corpus/ofx/codes",), ("demo/demo.hprof.gz", "demo/shop.jfr.gz"),
         ("tests/fuzz/corpus/callgrind/cycle",), ("tests/fuzz/corpus/json/marks",), ("tests/fuzz/corpus/pprof/labels",),
         ("tests/fuzz/corpus/counts/both",), ("tests/fuzz/corpus/counts/bytes",), ("tests/fuzz/corpus/counts/changes",),
         ("tests/fuzz/corpus/stacks/hotspot",), ("tests/fuzz/corpus/stacks/go_labels",))
# Pairs that are compared: each source that has it gets "| diff".
DIFFS = (("demo/demo.trace.gz", "demo/feed.txt.gz"), ("demo/sched.txt.gz", "demo/recipes.pftrace.gz"))
# Sources that need an argument; the query that finds it, and the column where it is.
ASKED = (("search", "methods | top 1 total", "method"), ("callees", "methods | top 1 total", "method"),
         ("blame", "wakeups | group task : count | top 1 count", "task"), ("callees", "arcs | top 1 cost", "caller"), ("callers", "arcs | top 1 cost", "callee"),
         ("callees", "methods | top 1 total", "name"), ("entries", "collections | where class ~ /HashMap/ | top 1 size", "object"), ("subclasses", "classes | top 1 shallow", "super"))
# Ends of names that say how a value is made.
PROMISES = ("_pct", "_delta", "_id")
BESIDE_ITSELF = ("key_id",)     # named by the rule of key_class
# Tests that know values from elsewhere, and those that name all columns for another reason.
KNOWING = ("tests/oracle/*.py", "tests/oracle/perfetto/*.py", "tests/mk/*.py", "tests/unit/*.c")
TELLING_ALL = ("mancheck.py", "manual.py", "golden.py", "wordscheck.py", "plaincheck.py")
# Columns of which only a golden shows values.
GOLDEN_ALONE = ("confidence", "made_at", "prediction")
PARTS = 1e-9


def n(row, column):
    """The number in a cell; an empty one is None."""
    text = row[column]
    return None if text == "" else float(text)


class Source:
    """All rows of a source of a file."""
    def __init__(self, word, rows):
        self.word, self.rows, self.sums, self.by = word, rows, {}, {}
        self.columns = set(rows[0]) if rows else set()

    def of(self, column, value):
        """The rows with a value in a column."""
        if column not in self.by:
            self.by[column] = collections.defaultdict(list)
            for r in self.rows:
                self.by[column][r[column]].append(r)
        return self.by[column][value] if self.rows else []

    def sum(self, column):
        if column not in self.sums:
            self.sums[column] = sum(n(r, column) or 0 for r in self.rows)
        return self.sums[column]


def near(a, b):
    return a is not None and b is not None and abs(a - b) <= PARTS * max(1, abs(a), abs(b))


def share(part, whole):
    return 100 * part / whole if whole else 0


# ---- rules: each gives the right values of a cell; one of them must be there.  None: the row says nothing about it ------------------

def delta(row, column, at, _):
    base = column[:-len("delta")]
    if base + "before" not in row or base[:-1] not in row:
        return None
    now, before = n(row, base[:-1]), n(row, base + "before")
    return [(now or 0) - (before or 0)] + ([0] if None in (now, before) else [])


def clock_share(row, column, at, file):
    """self_pct, total_pct: of all self weights, on one of the clocks."""
    base = column[:-len("_pct")]
    methods = file.source("methods")
    of = [(base + end, "self" + end) for end in ("", "_wall", "_cpu") if base + end in row and "self" + end in methods.columns]
    return [share(n(row, part) or 0, methods.sum(whole)) for part, whole in of] or None


def own_share(row, column, at, file):
    """X_pct: of all X of the rows."""
    base = column[:-len("_pct")]
    return [share(n(row, base) or 0, at.sum(base))] if base in row else None


def off_cpu(row, column, at, file):
    """Where the scheduler was recorded, as the tasks have it; elsewhere the rest of the wall time."""
    if file.source("tasks").rows:
        return [n(r, "off_cpu") for r in file.source("tasks").rows if (r["tid"], r["name"]) == (row["tid"], row["name"])] or None
    return [n(row, "wall") - n(row, "cpu")] if row["cpu"] and row["wall"] else None


def off_rest(row, column, at, file):
    """What the CPU clock lacks of the wall clock."""
    wall, cpu = ("wall", "cpu") if column == "off" else (column[:-3] + "wall", column[:-3] + "cpu")
    return [max(0, n(row, wall) - n(row, cpu))] if row.get(wall) and row.get(cpu) else None


def running_in(row, column, at, file):
    """The innermost call of the thread that was open then."""
    start, calls = n(row, "start_wall"), file.source("spans").of("thread_id", row["thread_id"])
    open_then = [r for r in calls if n(r, "start_wall") <= start < n(r, "start_wall") + n(r, "wall")]
    return [max(open_then, key=lambda r: n(r, "depth"))["method"]] if open_then else [""] if file.source("spans").rows else None


def woken_by(row, column, at, file):
    """What ended the same wait, if it was no task."""
    end = n(row, "start_wall") + n(row, "wall")
    return [r["waker"] for r in file.source("waits").of("thread_id", row["thread_id"]) if n(r, "start_wall") + n(r, "wall") == end] \
        if row["woken_by"] else None


def class_parts(row, file):
    """The weights of the classes that a method calls: leaves of the tree of calls."""
    parts, method = collections.Counter(), {r["id"]: r["method_id"] for r in file.source("calls").rows}
    for r in file.source("calls").rows:
        if r["kind"] == "c" and method.get(r["parent"]) == row["method_id"]:
            parts[r["method"]] += n(r, "self")
    return parts


def with_class(row, column, at, file):
    return [n(row, "self") + sum(class_parts(row, file).values())] if row["kind"] != "c" and row["self_with_class"] else None


def top_class(row, column, at, file):
    parts = class_parts(row, file)
    return [c for c, weight in parts.items() if weight == max(parts.values())] or [""]


def codes(row, column, at, file):
    """The code of the payee in the same transaction, between whose elements no other begins."""
    now, code = None, {}
    for r in file.source("elements").rows:
        if r["name"] == "FITID":
            now = r["value"]
        code.setdefault(now, "")
        if r["name"] == "SIC":
            code[now] = r["value"]
    return [code[row["fitid"]]]


def live(row, column, at, file):
    return [sum(n(r, "shallow") for r in file.source("classes").rows if r["name"] == row["class"])] if row["live_bytes"] else None


def waiting(row, column, at, file):
    """A thread that waits, and how many others; they wait for a lock of that thread, or for one of those."""
    first, _, others = row["waiting_threads"].partition(" and ")
    if not first:
        return None
    known = any(r["name"] == first and r["dump"] == row["dump"] and r["holder"] for r in file.source("threads").rows)
    return [row["waiting_threads"] if known and 1 + int(others.split()[0] if others else 0) == n(row, "waiters") else "another"]


def longest_idle(row, column, at, file):
    """The times at which the idle task, which has no number, ran for that long on the CPU."""
    ran = [r for r in file.source("switches").of("cpu", row["cpu"])]
    times = [n(r, "time") for r in ran]
    return [t for r, t, end in zip(ran, times, times[1:]) if r["to_id"] == "0" and end - t == n(row, "max_idle")] or None


def same_as_id(row, column, at, file):
    return [n(row, "id")] if row.get("id") else None


def of_report(row, column, at, file):
    """The total is that of the report, in KB as its rows."""
    right, got = share(n(row, "committed") or 0, at.sum("committed")), n(row, column) or 0
    return [got if abs(got - right) < 0.001 else right]


RULES = [
    ("*", "*_delta", delta),
    ("methods lines callees callers calls children inverted merged parents process_calls", "*_pct", clock_share),
    ("threads", "cpu_pct", lambda r, c, at, f: [share(n(r, "cpu"), at.sum("cpu"))] if r["cpu"] else None),
    ("threads", "off_cpu", off_cpu),
    ("methods calls callees callers process_calls inverted merged spans", "*off", off_rest),
    ("allocations", "live_bytes", live),
    ("blocked", "lock_text", lambda r, c, at, f: ["%s %s" % (r["waits_for"], r["lock"])] if r["lock"] else None),
    ("blocked", "waiting_threads", waiting),
    ("cpus", "max_idle_at", longest_idle),
    ("during", "percent", lambda r, c, at, f: [share(n(r, "overlap"), max(n(x, "wall") for x in f.source("spans").rows))]),
    ("identical_stacks", "doing", lambda r, c, at, f: [x["doing"] or x["top"].partition(" (")[0] for x in f.source("threads").of("id", r["row"])]),
    # The key that is a class has its name there.
    ("entries", "key_class", lambda r, c, at, f: [x["class"] for x in f.source("objects").of("id", r["key_id"]) if x["class"] != "java.lang.Class"] or None),
    ("transactions", "sic", codes),
    ("methods", "self_with_class", with_class),
    ("methods", "self_with_class_pct", lambda r, c, at, f: [share(n(r, "self_with_class") or 0, at.sum("self"))]),
    ("methods", "top_class", top_class),
    ("tracks", "on_cpu", lambda r, c, at, f: [n(x, "cpu") for x in f.source("cpus").rows if x["switches"] == r["points"]] if r["kind"] == "task" else None),
    ("blame", "running_in", running_in),
    ("blame", "woken_by", woken_by),
    ("classes", "shallow_pct", own_share),
    ("threads labels", "total_pct", own_share),
    ("native_memory", "committed_pct", of_report),
    ("methods", "method_id", same_as_id),
    ("methods", "code_id", same_as_id),
    ("classes", "class_id", same_as_id),
    ("classes", "mean_size", lambda r, c, at, f: [n(r, "shallow") // n(r, "objects")] if n(r, "objects") else None),
    ("classes subclasses", "loader_id", lambda r, c, at, f: [float(r["loader"].rpartition("@")[2])] if "@" in r["loader"] else None),
    ("threads", "thread_id", lambda r, c, at, f: [n(x, "thread_id") for x in at.rows if x["number"] == r["number"]][:1] if r["number"] else None),
    ("arcs", "cost_pct", lambda r, c, at, f: [share(n(r, "cost"), f.source("methods").sum("self"))]),
    ("cpus", "utilisation", lambda r, c, at, f: [share(n(r, "busy"), n(r, "busy") + n(r, "idle"))]),
    ("cpus", "max_frequency", lambda r, c, at, f: [max(n(r, "max_frequency"), n(r, "frequency"))] if r["frequency"] else None),
    ("frames", "overrun", lambda r, c, at, f: [max(0, n(r, "wall") - n(r, "expected"))] if r["expected"] else None),
    ("processes", "late_frames", lambda r, c, at, f: [sum(x["process"] == r["name"] and x["late"] == "true" for x in f.source("frames").of("pid", r["pid"]))]),
]

# The source whose row a number names, with the column of the name there; then the column beside the number that has the same name.
NAMED = [
    ("callees callers arcs", "callee_id", "methods", "name", "callee"),
    ("callees callers arcs", "caller_id", "methods", "name", "caller"),
    ("calls children parents spans records inverted merged process_calls during", "method_id", "methods", "method", "method"),
    ("lines", "function_id", "methods", "name", "function"),
    ("tracks during search blame spans calls marks async_spans flows states categories", "thread_id", "threads", "name", "thread"),
    ("flows", "from_id", "threads", "name", "from_thread"),
    ("flows", "to_id", "threads", "name", "to_thread"),
    ("flows", "from_id", "threads", "process", "from_process"),
    ("flows", "to_id", "threads", "process", "to_process"),
    ("flows", "from_method", "methods", "method", "from"),
    ("flows", "to_method", "methods", "method", "to"),
    ("bugs", "code_id", "methods", "method", "method"),
    ("search", "call_of", "methods", "method", "name"),
    ("entries", "value_id", "objects", "class", "value_class"),
    ("thread_changes", "row_from", "threads", "name", "thread"),
    ("blocked", "row", "threads", "name", "thread"),
    ("waits wakeups", "waker_id", "threads", "process", "waker_process"),
    ("wakeups", "task_id", "threads", "process", "process"),
    ("switches", "from_id", "threads", "process", "from_process"),
    ("processes", "parent_id", "processes", "name", "parent"),
    ("processes", "main_id", "threads", "pid", "pid"),
    ("async async_spans counters", "process_id", "processes", "name", "process"),
    ("classes subclasses superclasses", "super_id", "classes", "name", "super"),
    ("switches", "from_id", "threads", "name", "from"),
    ("switches", "to_id", "threads", "name", "to"),
    ("waits", "waker_id", "threads", "name", "waker"),
    ("wakeups", "waker_id", "threads", "name", "waker"),
    ("wakeups", "task_id", "threads", "name", "task"),
    ("blame", "wakes_id", "threads", "name", "wakes"),
    ("roots callees callers process_calls inverted merged waits frames", "thread_id", "threads", "name", "thread"),
    ("callees callers", "method_id", "methods", "method", "method"),
    ("methods", "class_id", "classes", "class", "class"),
    ("frames marks async_spans counters", "main_id", "threads", "pid", "pid"),
]

WANTED = {word for rule in RULES + NAMED for word in rule[0].split()} | {"threads", "methods", "classes", "frames", "growth", "native_memory", "native_sites",
                                                                        "labels", "tasks", "objects", "elements", "growth", "async"}


# Facts of info, each with its value by the rows of sources.
FACTS = {
    "stack_dumps": lambda f: len(f.source("thread_dumps").rows),
    "dumped_threads": lambda f: len(f.source("threads").rows),
    "first_day": lambda f: min(r["date"] for r in f.source("transactions").rows),
    "last_day": lambda f: max(r["date"] for r in f.source("transactions").rows),
    "element_depth": lambda f: max(r["path"].count("/") + 1 for r in f.source("elements").rows),
    "lines_with_costs": lambda f: len(f.source("lines").rows),
    "counted_classes": lambda f: len(f.source("growth").rows),
    "native_bytes": lambda f: f.source("objects").sum("native"),
    "compiled_code_bytes": lambda f: sum(n(r, "shallow") for r in f.source("objects").rows if r["kind"] == "code"),
    "user_roots": lambda f: sum(not r["class"].startswith("(") for r in f.source("roots").rows),
    # As the file says it.
    "native_rss": lambda f: 1024 * int(re.findall(r"VmRSS:\s+(\d+) kB", f.text())[-1]),
    "native_reports": lambda f: f.text().count("Native Memory Tracking:"),
    "native_omitted": lambda f: sum(map(int, re.findall(r"(\d+) call sites weighting", f.text()))),
    "profile_parts": lambda f: len(re.findall(r"(?m)^part:", f.text())),
    "records_claimed": lambda f: int(re.search(r"num-method-calls=(\d+)", f.text())[1]),
    "clock_overhead": lambda f: int(re.search(r"clock-call-overhead-nsec=(\d+)", f.text())[1]),
    "archive.entries": lambda f: len(zipfile.ZipFile(f.paths[0]).infolist()),
}
WANTED |= {"info", "thread_dumps", "roots"}
# Facts of which only a golden or a frame shows values.
FACTS_ALONE = {"chosen_by", "layout_larger", "layout_runner_up", "loss.cut_text", "loss.mangled", "recorded_at", "recorder_duration",
               "repair.action3", "repair.dup_tids", "repair.number", "unread.regions"}


class File:
    """The sources of a file, asked once each."""
    def __init__(self, program, paths, words):
        self.paths, self.sources = paths, {}
        answer = program.run(["--no-index", "-o", "tsv", *(x for word in words for x in ("-e", word)), *paths])
        tables = answer.tables() if answer.out else []
        if len(tables) != len(words):
            raise ValueError("%s: %d answers to %d queries: %s" % (paths, len(tables), len(words), answer.err))
        for word, table in zip(words, tables):
            name = "during" if "during" in word else word.split()[0]
            self.sources[name] = Source(name, self.sources[name].rows + table.rows if name in self.sources else table.rows)

    def text(self):
        with open(self.paths[-1], "rb") as f:
            data = f.read()
        return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("latin-1")

    def source(self, word):
        return self.sources.get(word) or Source(word, [])


def words_of(program, paths, stage=""):
    """The sources that a file has, and those that need an argument, about its largest rows."""
    ask = lambda query: program.run(["--no-index", "-o", "tsv", "-e", query, *paths])
    rows = ask("help all | where kind = source | distinct item | select item").tables()[0].rows
    words = [r["item"] for r in rows if r["item"] in WANTED and not (stage and r["item"] == "info")]
    for word, query, column in ASKED:
        a = ask(query)
        words += [("%s %s" if r[column].isdigit() else "%s '%s'") % (word, r[column]) for r in (a.tables()[0].rows if a.out else []) if column in r]
    words += ["spans | top 1 wall | during states"] if not stage else []
    # It leaves the first file.
    words = [w for w in words if w != "growth" or len(paths) == 1]
    return [w + stage for w in words if ask(w + stage + " | head 1").code in (0, 3)]


def matches(rule, word, column):
    sources, pattern = rule[:2]
    return (sources == "*" or word in sources.split()) and fnmatch.fnmatchcase(column, pattern)


def wrong(f, at, column, seen):
    """Why values of a column are not as its rules say; seen counts what each rule judged."""
    bad = []
    for i, rule in enumerate(RULES):
        if not matches(rule, at.word, column):
            continue
        for row in at.rows:
            right = rule[2](row, column, at, f)
            if right is None:
                continue
            seen["rule", i] += 1
            if not any(row[column] == v if isinstance(v, str) else near(n(row, column) or 0, v) for v in right):
                bad.append("%s.%s of row %s: %s, not %s" % (at.word, column, row.get("id"), row[column], right))
    for i, rule in enumerate(NAMED):
        _, _, source, name, beside = rule
        if not matches(rule, at.word, column) or beside not in at.columns:
            continue
        there = f.source(source)
        by = {r["id"]: r.get(name) for r in there.rows}
        for row in at.rows:
            if row[column] in ("", "0") or not by:
                continue
            seen["named", i] += 1
            # Threads without a name are "#7" in the list of threads, and "thread 7" elsewhere.
            if (by.get(row[column]) or "").replace("#", "thread ", 1) != row[beside].replace("#", "thread ", 1):
                bad.append("%s.%s of row %s: %s is %s, not %s" % (at.word, column, row.get("id"), row[column], by.get(row[column]), row[beside]))
    return bad


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def knowing(srcdir):
    return [path for pattern in KNOWING for path in glob.glob(os.path.join(glob.escape(srcdir), pattern))
            if os.path.basename(path) not in TELLING_ALL]


def untold(told, srcdir):
    """Columns that no rule is about, and no test that knows values names together with one of their sources."""
    columns, source = collections.defaultdict(set), None
    for _, row in told.help:
        if row["kind"] in ("source", "stage", "sink"):
            source = row["item"]
        elif row["kind"] in ("column", "hidden"):
            columns[row["item"], row["meaning"]].add(source)
    words = [set(re.findall(r"\w+", read(path))) for path in knowing(srcdir)]
    for (column, meaning), sources in sorted(columns.items()):
        if not any(matches(r, s, column) for r in RULES + NAMED for s in sources) and \
                not any(column in w and sources & w for w in words) and column not in GOLDEN_ALONE:
            yield "%s of %s: %s" % (column, " ".join(sorted(sources)), meaning)


def wrong_facts(f, seen):
    """Facts that are not as the rows of sources have them."""
    for row in f.source("info").rows:
        if row["field"] in FACTS:
            right = FACTS[row["field"]](f)
            seen["fact", row["field"]] += 1
            if row["value"] != str(right) and not (row["value"].isdigit() and float(row["value"]) == right):
                yield "info of %s: %s, not %s" % (row["field"], row["value"], right)


def untold_facts(fields, srcdir):
    """Facts that no rule is about, and no test that knows values names."""
    text = "".join(read(path) for path in knowing(srcdir))
    for field in sorted(fields - set(FACTS) - FACTS_ALONE):
        if field not in text and not field.startswith(("setting.", "unread.")):
            yield field


def main(build, srcdir):
    program, seen, unruled, fields = answers.program_of(build), collections.Counter(), set(), set()
    for paths, stage in [(p, "") for p in FILES] + [(p, " | diff") for p in DIFFS]:
        paths = [p if p[0] == "-" or "/" not in p else os.path.abspath(p if p.startswith("tests/data") else os.path.join(srcdir, p)) for p in paths]
        f = File(program, paths, words_of(program, paths, stage))
        bad = list(wrong_facts(f, seen)) if not stage else []
        fields |= {row["field"] for row in f.source("info").rows}
        for at in f.sources.values():
            # Rows of two files have changes; what is of one file was asked of it alone.
            for column in sorted(c for c in at.columns if not stage or c.endswith("_delta")):
                ruled = [r for r in RULES + NAMED if matches(r, at.word, column)]
                if not ruled and column.endswith(PROMISES) and column not in BESIDE_ITSELF:
                    unruled.add("%s.%s" % (at.word, column))
                bad += wrong(f, at, column, seen)[:3]
        tap.check("%s%s: %d sources" % (" ".join(os.path.basename(p) for p in paths), stage, len(f.sources)), *bad, not f.sources and "none")
    tap.check("each column whose name says how it is made has a rule", *sorted(unruled))
    tap.check("each column is named by a test that knows its value", *untold(manual.Manual(program, srcdir), srcdir))
    tap.check("each fact is named by a test that knows its value", *untold_facts(fields, srcdir))
    tap.check("each rule judged values", *("no fact " + name for name in FACTS if not seen["fact", name]), *("no value of %s %s" % (r[0], r[1]) for kind, rules in (("rule", RULES), ("named", NAMED))
                                          for i, r in enumerate(rules) if seen[kind, i] == 0))
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:3])
