# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""promisescheck.py BUILD SRCDIR - a column is what its name says, and each column and fact is named by a test that knows its value, as TAP.

The names of many columns are promises: X_pct is X as a share of a whole, X_delta is X less X_before, X_id is the row whose name is in
X.  Each is computed here from other columns of the row, from rows of another source, or from the file, over files of all kinds.  A
column with such a name, or that a rule is about, fails if no value of it other than 0 was judged.
"""
import collections
import fnmatch
import functools
import glob
import gzip
import itertools
import math
import os
import re
import struct
import sys
import tempfile
import time
import zipfile

import answers
import countscheck
import heap
import idle
import manual
import promisesmade
import tap

# Files, each alone or with a second one.  They need not be large: a rule holds in each row.
FILES = (("demo/demo.trace.gz",), ("demo/sched.txt.gz",), ("demo/recipes.pftrace.gz",), ("demo/profile.txt.gz",), ("demo/feed.txt.gz",),
         ("demo/shop.jfr.gz",), ("--event", "jdk.ObjectAllocationSample", "demo/shop.jfr.gz"), ("demo/hang.log.gz",),
         ("demo/demo.hprof.gz",), ("demo/phone.hprof.gz",), ("demo/shop.heapsnapshot.gz",), ("demo/notes.jar",), ("demo/money.ofx.gz",),
         ("tests/fuzz/corpus/ofx/codes",), ("demo/demo.hprof.gz", "demo/shop.jfr.gz"), ("tests/fuzz/corpus/callgrind/cycle",),
         ("tests/fuzz/corpus/json/marks",), ("tests/fuzz/corpus/gecko/demo",), ("tests/fuzz/corpus/pprof/labels",),
         ("tests/fuzz/corpus/counts/both",), ("tests/fuzz/corpus/counts/bytes",), ("tests/fuzz/corpus/counts/changes",),
         ("tests/fuzz/corpus/counts/detail_changes",), ("tests/fuzz/corpus/counts/detail17",), ("tests/fuzz/corpus/folded/differential",),
         ("tests/fuzz/corpus/stacks/hotspot",), ("tests/fuzz/corpus/stacks/go_labels",), ("--clock", "wall", "tests/fuzz/corpus/trace/v3"),
         ("tests/data/heap.hprof",))
# Pairs that are compared: each source that has it gets "| diff".
DIFFS = (("tests/fuzz/corpus/trace/v1", "tests/fuzz/corpus/nano/odd"), ("demo/sched.txt.gz", "demo/recipes.pftrace.gz"),
         ("tests/fuzz/corpus/sched/odd", "tests/fuzz/corpus/sched/forms"),
         ("tests/fuzz/corpus/json/async-nest", "tests/fuzz/corpus/sched/wakers"),
         ("tests/fuzz/corpus/trace/v1", "tests/fuzz/corpus/trace/rev-a"), ("tests/data/heap.hprof", "tests/data/bitmaps35.hprof"))
# Queries with an argument; the source where it is, the column with the largest value in its row, and the column that is the argument.
ASKED = (("callees @%s", "methods", "total total_wall", "id"), ("callers @%s", "methods", "self self_wall", "id"),
         ("callees @%s", "arcs", "cost", "caller_id"), ("callers @%s", "arcs", "cost", "callee_id"),
         ("search '%s'", "methods", "total_wall", "method"),
         ("stack %s", "threads", "depth", "id"),
         ("blame @%s", "tasks", "waits", "id"), ("bytecode @%s", "methods", "bytes", "id"), ("entries %s", "collections", "size", "object"),
         ("subclasses %s", "classes", "objects", "super_id"), ("superclasses '%s'", "classes", "super_id", "name"),
         ("spans | where wall = %sns | during states", "spans", "wall", "wall"),
         ("spans | where wall = %sns | during", "spans", "wall", "wall"))
# Ends of names that say how a value is made.
PROMISES = ("_pct", "_delta", "_id")
BESIDE_ITSELF = ("key_id",)     # named by the rule of key_class
# Tests that know values from elsewhere, and those that name all columns for another reason.
KNOWING = ("tests/oracle/*.py", "tests/oracle/perfetto/*.py", "tests/mk/*.py", "tests/unit/*.c")
TELLING_ALL = ("mancheck.py", "manual.py", "golden.py", "wordscheck.py", "plaincheck.py", "promisescheck.py")
# Columns that a rule is about but no file can judge.
UNJUDGED = {("threads", "repairs_delta"): "only traces of schedulers compare it, whose marks are repaired before there are calls"}
# Sources about the program, which have no rows of a file.
ABOUT_ITSELF = ("overview", "presets", "help", "schema", "columns")
NO_ROW = ("", "0")
# Facts whose numbers name something, so that they have no difference.
NAMES = ("pid", "version", "uuid")
PARTS = 1e-9


def n(row, column):
    """The number in a cell; an empty one, and a text, is None."""
    try:
        return float(row[column])
    except ValueError:
        return None


class Source:
    """All rows of a source of a file."""
    def __init__(self, word, rows):
        self.word, self.rows = word, rows
        self.columns = set(rows[0]) if rows else set()
        self.by, self.sum, self.largest = map(functools.lru_cache(None), (self.by, self.sum, self.largest))

    def by(self, column):
        rows = collections.defaultdict(list)
        for r in self.rows:
            rows[r[column]].append(r)
        return rows

    def of(self, column, value):
        """The rows with a value in a column."""
        return self.by(column)[value]

    def sum(self, column):
        return sum(n(r, column) or 0 for r in self.rows)

    def largest(self, column):
        return max(self.rows, key=lambda r: n(r, column) or 0, default={})


def near(a, b):
    return a is not None and b is not None and abs(a - b) <= PARTS * max(1, abs(a), abs(b))


def share(part, whole):
    return 100 * part / whole if whole else 0


# ---- rules: each gives the right values of a cell; one of them must be there.  None: the row says nothing about it ------------------

def delta(row, column, at, _):
    """A row that one file lacks counts as 0 there; what is unknown in one of them, as a column that it lacks, has no difference."""
    base = column[:-len("delta")]
    if base + "before" not in row or base[:-1] not in row:
        return None
    now, before = (n(row, base[:-1]), n(row, base + "before")) if row.get("field") not in NAMES else (None, None)
    now, before = 0 if row.get("change") == "removed" else now, 0 if row.get("change") == "added" else before
    return [None if None in (now, before) else now - before] + [None] * (not at.sum(base + "before"))


def clock_share(row, column, at, file):
    """self_pct, total_pct: of all self weights, on the clock asked for, or by info: the CPU's if it is known, otherwise the only one."""
    base, methods = column[:-len("_pct")], file.source("methods")
    clock = file.option("--clock") or {"dual": "cpu", "thread-cpu": "cpu"}.get(file.fact("clock"), "wall")
    end = "_" + clock if base + "_" + clock in row else ""
    return [share(n(row, base + end), methods.sum("self" + end))]


def average(row, column, at, file):
    """The total time of one call, on the clock asked for."""
    clock = file.option("--clock") or {"dual": "cpu", "thread-cpu": "cpu"}.get(file.fact("clock"), "wall")
    total, calls = n(row, "total_" + clock) if "total_" + clock in row else None, n(row, "calls")
    return [total // calls if calls and total is not None else None]


def own_share(row, column, at, file):
    """X_pct: of all X of the rows."""
    base = column[:-len("_pct")]
    return [share(n(row, base) or 0, at.sum(base))] if base in row else None


def off_cpu(row, column, at, file):
    """Where the scheduler was recorded, as the tasks have it; elsewhere the rest of the wall time."""
    if file.source("tasks").rows:
        return [n(r, "off_cpu") for r in file.source("tasks").of("tid", row["tid"]) if r["name"] == row["name"]] if row["cpu"] else [None]
    return [n(row, "wall") - n(row, "cpu") if row["cpu"] and row["wall"] else None]


def off_rest(row, column, at, file):
    """What the CPU clock lacks of the wall clock."""
    wall, cpu = ("wall", "cpu") if column == "off" else (column[:-3] + "wall", column[:-3] + "cpu")
    return [max(0, n(row, wall) - n(row, cpu)) if row.get(wall) and row.get(cpu) else None]


def only_begins(row, column, at, file):
    """Whether the callees of a call say more than it."""
    return ["true" if idle.is_outer(row, *begun(file)) else "false"]


@functools.lru_cache(None)
def begun(file):
    return idle.outer(*(file.source(word).rows for word in ("spans", "calls", "threads")), int(file.fact("elapsed") or 0))


def running_in(row, column, at, file):
    """The innermost call of the thread that was open then."""
    start, calls = n(row, "start_wall"), file.source("spans").of("thread_id", row["thread_id"])
    open_then = [r for r in calls if n(r, "start_wall") <= start < n(r, "start_wall") + n(r, "wall")]
    return [max(open_then, key=lambda r: n(r, "depth"))["method"]] if open_then else [""] if file.source("spans").rows else None


def woken_by(row, column, at, file):
    """What ended the wait of the thread at that time, if it was no task; a wait for I/O ends by a device."""
    start = n(row, "start_wall")
    waits = [r for r in file.source("waits").of("thread_id", row["thread_id"]) if 0 <= start - n(r, "start_wall") < n(r, "wall")]
    return [waits[0]["waker"] if waits and not waits[0]["waker_id"] and waits[0]["io_wait"] != "true" else ""]


def class_parts(row, file):
    """The weights of the classes that a method calls: leaves of the tree of calls."""
    parts, method = collections.Counter(), {r["id"]: r["method_id"] for r in file.source("calls").rows}
    for r in file.source("calls").rows:
        if r["kind"] == "c" and method.get(r["parent"]) == row["method_id"]:
            parts[r["method"]] += n(r, "self")
    return parts


def with_class(row, column, at, file):
    return [n(row, "self") + sum(class_parts(row, file).values())] if row["kind"] != "c" and row["self_with_class"] else None


GLUE = re.compile(r"\[|0x|\(program\)|\(anonymous\)|call_stub$|Interpreter|.*do_syscall|.*entry_SYSCALL")


@functools.lru_cache(None)
def waited(file):
    """The weight of each method, and of the waits, glue and kernel frames from there to the next method: each call gives its own to the
    nearest frame from it outwards that is none of them."""
    methods, calls, sums = {r["id"]: r for r in file.source("methods").rows}, {r["id"]: r for r in file.source("calls").rows}, collections.Counter()
    for call in calls.values():
        at = call
        while at and (at["kind"] == "k" or methods[at["method_id"]]["waits"] == "true" or GLUE.match(at["method"])):
            at = calls.get(at["parent"])
        if at:
            sums[at["method_id"]] += n(call, "self")
    return sums


def with_waits(row, column, at, file):
    return [waited(file)[row["id"]]] if row["self_with_waits"] else None


def top_class(row, column, at, file):
    parts = class_parts(row, file)
    return [c for c, weight in parts.items() if weight == max(parts.values())] or [""]


@functools.lru_cache(None)
def codes(file):
    """The code of the payee by transaction, between whose elements no other begins."""
    now, code = None, {}
    for r in file.source("elements").rows:
        if r["name"] == "FITID":
            now = r["value"]
        code.setdefault(now, "")
        if r["name"] == "SIC":
            code[now] = r["value"]
    return code


def below(row, at):
    """The rows below one in a tree."""
    return list(itertools.takewhile(lambda r: n(r, "depth") > n(row, "depth"), at.rows[int(row["id"]):]))


def waiting(row, column, at, file):
    """The first thread below, and how many others there are."""
    first, *others = below(row, at) or [None]
    return [first["thread"] + (" and %d other%s" % (len(others), "s" * (len(others) > 1)) if others else "") if first else ""]


def longest_idle(row, column, at, file):
    """The times at which the idle task, which has no number, ran for that long on the CPU."""
    ran = [r for r in file.source("switches").of("cpu", row["cpu"])]
    times = [n(r, "time") for r in ran]
    return [t for r, t, end in zip(ran, times, times[1:]) if r["to_id"] == "0" and end - t == n(row, "max_idle")] or None


def of_name(row, column, at, file):
    """The number that the calls of a method have."""
    return [n(r, "method_id") for r in file.source("calls").of("method", row["method"])] or None


def mean_frequency(row, column, at, file):
    """Over the time that tasks, which have numbers, ran on the CPU at a known frequency."""
    points = [(n(r, "start_wall"), n(r, "value")) for r in file.source("metrics").of("track", "cpufreq CPU " + row["cpu"])]
    ran = [(n(r, "time"), r["to_id"]) for r in file.source("switches").of("cpu", row["cpu"])]
    end = max(n(r, "start_wall") + n(r, "wall") for r in file.source("states").rows)
    weight = length = 0
    for (start, task), (until, _) in zip(ran, ran[1:] + [(end, None)]):
        for (since, khz), (to, _) in zip(points, points[1:] + [(end, None)]) if task != "0" else ():
            part = max(0, min(until, to) - max(start, since))
            weight, length = weight + khz * part, length + part
    return [math.floor(weight / length + 0.5) if length else None]


def main_thread(row, column, at, file):
    """The thread of the process with the same number, if it was seen."""
    return [n(r, "id") for r in file.source("threads").of("tid", row["pid"]) if r["pid"] == row["pid"]] or [0]


def nth_thread(row, column, at, file):
    """Threads of all dumps are counted as they come; those of the VM have no number of their own."""
    known = dict.fromkeys(r["number"] or r["name"] for r in at.rows)
    return [1.0 + list(known).index(row["number"] or row["name"])] if "dump" in row else None


def of_report(row, column, at, file):
    """The total is that of the report, in KB as its rows."""
    right, got = share(n(row, "committed"), at.sum("committed")), n(row, column)
    return [got if got is not None and abs(got - right) < 0.001 else right]


def since_first(row, column, at, file):
    """The last histogram less the first one."""
    of = [r for r in file.source("counts").of("name", row["name"]) if r["module"] == row["module"]]
    last = file.source("histograms").rows[-1]["id"]
    amount = lambda histogram: sum(n(r, column[:-len("_delta")]) for r in of if r["histogram"] == histogram)
    return [amount(last) - amount("1")]


@functools.lru_cache(None)
def reports(file):
    return [r for r in countscheck.reports_of(file.text()) if any(r)]


def of_text(row, column, at, file):
    """What the last report says of its own changes; where none does, the change since the first one."""
    categories, sites = reports(file)[-1]
    if at.word == "native_sites":
        return [sites[at.rows.index(row)][-1]]
    name, _, now, change, *_ = categories[at.rows.index(row)]
    told = len(reports(file)) == 1 or any(c[3] for r in reports(file) for c in r[0])
    return [change if told else now - {c[0]: c[2] for c in reports(file)[0][0]}.get(name, 0)]


def frames_above(row, column, at, file):
    """The names in the lines of a site below the first one."""
    sites = re.findall(r"((?:^\[0x\w+\] .*\n)+)^ *\(", file.text().rpartition("Details:")[2], re.M)
    lines = sites[int(row["id"]) - 1].splitlines()[1:]
    return [" < ".join(re.sub(r"\+0x\w+$", "", line.partition("] ")[2].strip()) for line in lines)]


def lambda_name(name):
    """Without what differs between runs."""
    return re.sub(r"\$\$Lambda[^\[]*", "$$Lambda", name)


def made_at(row, column, at, file):
    """The site of most old objects of the class, or of most bytes, and its bytes in KiB."""
    sites = [r for r in file.source("allocations").rows if r["class"] == row["content"]]
    best = max(sites, key=lambda r: (n(r, "old_objects"), n(r, "alloc_bytes")), default=None)
    return ["%s (%d KiB)" % (best["site"], n(best, "alloc_bytes") / 1024 + 0.5) if best else ""]


KNOWN_WAITS = ("java.lang.Object.wait", "java.util.concurrent.locks.LockSupport.park", "jdk.internal.misc.Unsafe.park", "java.lang.Thread.sleep",
               "futex_wait", "epoll_wait", "nanosleep", "pthread_cond_wait", "schedule")
MAYBE_WAITS = re.compile("wait|park|poll|sleep|lock|read|recv|accept|select|sched|futex|join|down|irq|sem|slow|take|write|connect|suspend|pause", re.I)


def waits_by_name(row, column, at, file):
    """Of names that everybody knows."""
    return ["true"] if row["name"] in KNOWN_WAITS or row["method"] in KNOWN_WAITS else None if MAYBE_WAITS.search(row["name"]) else ["false"]


RULES = [
    ("methods", "waits", waits_by_name),
    ("*", "*_delta", delta),
    ("growth", "*_delta", since_first),
    ("spans", "outer", only_begins),
    ("allocations", "id", lambda r, c, at, f:
     [n(x, "id") for x in f.source("classes").rows if lambda_name(x["name"]) == r["class"]] or [None]),
    ("native_memory", "committed_delta", of_text),
    ("native_sites", "bytes_delta", of_text),
    ("native_sites", "callers", frames_above),
    ("findings", "made_at", made_at),
    ("methods lines callees callers calls inverted merged process_calls", "*_pct", clock_share),
    ("threads", "cpu_pct", lambda r, c, at, f: [share(n(r, "cpu"), at.sum("cpu")) if r["cpu"] and at.sum("cpu") else None]),
    ("methods", "average", average),
    ("threads", "off_cpu", off_cpu),
    ("methods calls callees callers process_calls inverted merged spans", "*off", off_rest),
    ("allocations", "live_bytes", lambda r, c, at, f:
     [n(x, "shallow") for x in f.source("classes").of("id", r["id"])] if r["id"] else [None]),
    ("blocked", "lock_text", lambda r, c, at, f: ["%s %s" % (r["waits_for"], r["lock"]) if r["lock"] else ""]),
    ("blocked", "waiting_threads", waiting),
    ("blocked", "waiters", lambda r, c, at, f: [len(below(r, at))]),
    ("cpus", "max_idle_at", longest_idle),
    ("during", "percent", lambda r, c, at, f: [share(n(r, "overlap"), n(f.source("spans").largest("wall"), "wall"))]),
    ("identical_stacks", "doing", lambda r, c, at, f:
     [x["doing"] or x["top"].partition(" (")[0] for x in f.source("threads").of("id", r["row"])]),
    # The key that is a class has its name there.
    ("entries", "key_class", lambda r, c, at, f:
     [x["class"] for x in f.source("objects").of("id", r["key_id"]) if x["class"] != "java.lang.Class"] or None),
    ("transactions", "sic", lambda r, c, at, f: [codes(f)[r["fitid"]]]),
    ("methods", "self_with_class", with_class),
    ("methods", "self_with_class_pct", lambda r, c, at, f: [share(n(r, "self_with_class") or 0, at.sum("self"))]),
    ("methods", "self_with_waits", with_waits),
    ("methods", "self_with_waits_pct", lambda r, c, at, f: [share(n(r, "self_with_waits") or 0, at.sum("self"))]),
    ("methods", "top_class", top_class),
    ("tracks", "on_cpu", lambda r, c, at, f:
     [n(x, "cpu") for x in f.source("cpus").rows if x["switches"] == r["points"]] if r["kind"] == "task" else [None]),
    ("blame", "running_in", running_in),
    ("blame", "woken_by", woken_by),
    ("classes", "shallow_pct", own_share),
    ("threads labels", "total_pct", own_share),
    ("native_memory", "committed_pct", of_report),
    ("methods", "method_id", of_name),
    ("methods", "code_id", lambda r, c, at, f: [n(x, c) for x in f.source("bugs").of("method", r["method"])][:1] or None),
    ("classes", "class_id", lambda r, c, at, f: [n(x, c) for x in f.source("methods").of("class", r["class"])][:1] or None),
    ("classes", "mean_size", lambda r, c, at, f: [n(r, "shallow") // n(r, "objects")] if n(r, "objects") else None),
    ("classes subclasses superclasses", "loader_id", lambda r, c, at, f:
     [float(r["loader"].rpartition("@")[2]) if "@" in r["loader"] else None]),
    ("threads", "thread_id", nth_thread),
    ("processes frames marks async_spans counters", "main_id", main_thread),
    ("arcs", "cost_pct", lambda r, c, at, f: [share(n(r, "cost"), f.source("methods").sum("self"))]),
    ("cpus", "utilisation", lambda r, c, at, f: [share(n(r, "busy"), n(r, "busy") + n(r, "idle"))]),
    ("cpus", "frequency", mean_frequency),
    ("cpus", "max_frequency", lambda r, c, at, f:
     [max((n(x, "value") for x in f.source("metrics").of("track", "cpufreq CPU " + r["cpu"])), default=None)]),
    ("frames", "overrun", lambda r, c, at, f: [max(0, n(r, "wall") - n(r, "expected")) if r["expected"] else None]),
    ("processes", "late_frames", lambda r, c, at, f:
     [sum(x["process"] == r["name"] and x["late"] == "true" for x in f.source("frames").of("pid", r["pid"]))]),
]

# The source whose row a number names, with the column of the name there; then the column beside the number that has the same name.
NAMED = [
    ("callees callers arcs", "callee_id", "methods", "name", "callee"),
    ("callees callers arcs", "caller_id", "methods", "name", "caller"),
    ("calls spans records inverted merged process_calls during", "method_id", "methods", "method", "method"),
    ("lines", "function_id", "methods", "name", "function"),
    ("tracks during search blame spans calls marks async_spans", "thread_id", "threads", "name", "thread"),
    ("states categories intervals metrics", "thread_id", "threads", "name", "thread"),
    ("flows", "thread_id", "threads", "name", "to_thread"),
    ("metrics", "track_id", "tracks", "track", "track"),
    ("tracks", "process_id", "processes", "name", "process"),
    ("stack", "method_id", "methods", "method", "frame"),
    ("flows", "from_id", "threads", "name", "from_thread"),
    ("flows", "to_id", "threads", "name", "to_thread"),
    ("flows", "from_id", "threads", "process", "from_process"),
    ("flows", "to_id", "threads", "process", "to_process"),
    ("flows", "from_method", "methods", "method", "from"),
    ("flows", "to_method", "methods", "method", "to"),
    ("bugs bytecode", "code_id", "methods", "method", "method"),
    ("search", "call_of", "methods", "method", "name"),
    ("entries", "value_id", "objects", "class", "value_class"),
    ("thread_changes", "row_from", "threads", "name", "thread"),
    ("blocked", "row", "threads", "name", "thread"),
    ("waits wakeups", "waker_id", "threads", "process", "waker_process"),
    ("wakeups", "task_id", "threads", "process", "process"),
    ("switches", "from_id", "threads", "process", "from_process"),
    ("processes", "parent_id", "processes", "name", "parent"),
    ("async async_spans counters", "process_id", "processes", "name", "process"),
    ("classes subclasses superclasses", "super_id", "classes", "name", "super"),
    ("switches", "from_id", "threads", "name", "from"),
    ("switches", "to_id", "threads", "name", "to"),
    ("waits", "waker_id", "threads", "name", "waker"),
    ("wakeups", "waker_id", "threads", "name", "waker"),
    ("wakeups", "task_id", "threads", "name", "task"),
    ("blame", "wakes_id", "threads", "name", "wakes"),
    ("roots locals callees callers process_calls inverted merged waits frames", "thread_id", "threads", "name", "thread"),
    ("callees callers", "method_id", "methods", "method", "method"),
    ("methods", "class_id", "classes", "class", "class"),
]

def date(ns):
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(ns // 10 ** 9))


@functools.lru_cache(None)
def layout(path):
    return heap.load(path).layout_facts()


# By loader: why an event is chosen, and which one it must be then.
CHOSEN = {
    "jfr": ("CPU time first, then allocations, then durations", lambda f, events: "jdk.ExecutionSample"),
    "callgrind": ("first one in the file", lambda f, events: re.search(r"(?m)^events: (\w+)", f.text())[1]),
    "pprof": ("last sample type", lambda f, events: events[-1]),
    "json": ("samples rather than their counters", lambda f, events: "samples"),
}


def chosen_by(f):
    reason, event = ("--event", lambda f, events: f.option("--event")) if f.option("--event") else CHOSEN[f.fact("loader")]
    return reason if f.fact("event") == event(f, [r["name"] for r in f.source("events").rows]) else "another event"


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
    "unread.regions": lambda f: len(re.findall(r"(?m)^\s*\[0x\w+ - 0x\w+\]", f.text())),
    "layout_runner_up": lambda f: layout(f.paths[0])[0],
    "layout_larger": lambda f: layout(f.paths[0])[1],
    "chosen_by": chosen_by,
    # The head of the first chunk has the time.
    "recorded_at": lambda f: date(struct.unpack_from(">q", f.data(), 32)[0]) if f.fact("loader") == "jfr" else None,
    "archive.entries": lambda f: len(zipfile.ZipFile(f.paths[0]).infolist()),
}
class File:
    """The sources of a file, all asked at once."""
    def __init__(self, program, paths, stage=""):
        self.program, self.paths, self.sources, self.schema = program, paths, {}, collections.defaultdict(set)
        for r in self.ask(["schema"])["schema"].rows:
            self.schema[r["source"]].add(r["column"])
        # It leaves the first file.
        self.take([w + stage for w in self.schema if w not in ABOUT_ITSELF and (w != "growth" or len(paths) == 1)])
        largest = [(query, self.source(word).largest(by).get(key)) for query, word, columns, key in ASKED
                   for by in columns.split() if by in self.source(word).columns]
        self.take([query % value for query, value in largest if value and not stage])

    def take(self, queries):
        for query, table in self.ask(queries).items():
            name = "during" if "during" in query else query.split()[0]
            self.sources[name] = Source(name, self.source(name).rows + table.rows)

    def ask(self, queries):
        """The answers by query; the program repeats one that it refuses in a line of its own."""
        answer = self.program.run(["--no-index", "-o", "tsv", *(x for query in queries for x in ("-e", query)), *self.paths])
        queries = [query for query in queries if query not in answer.err.splitlines()]
        tables = answer.tables() if answer.out else []
        if len(tables) != len(queries):
            raise ValueError("%s: %d answers to %d queries: %s" % (self.paths, len(tables), len(queries), answer.err))
        return dict(zip(queries, tables))

    def option(self, name):
        return self.paths[self.paths.index(name) + 1] if name in self.paths else ""

    def fact(self, field):
        return next((r["value"] for r in self.source("info").rows if r["field"] == field), "")

    def data(self):
        with open(self.paths[-1], "rb") as f:
            data = f.read()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data

    def text(self):
        return self.data().decode("latin-1")

    def source(self, word):
        return self.sources.get(word) or Source(word, [])


def matches(rule, word, column):
    sources, pattern = rule[:2]
    return (sources == "*" or word in sources.split()) and fnmatch.fnmatchcase(column, pattern)


def is_right(text, value):
    """Whether a cell has a value; None is an empty cell."""
    if value is None or isinstance(value, str):
        return text == (value or "")
    return text != "" and near(float(text), value)


def by_rules(f, at, column):
    """The cells that a rule judges: the rule, row, whether the cell is right, and what would be."""
    for rule in RULES:
        for row in at.rows if matches(rule, at.word, column) else ():
            right = rule[2](row, column, at, f)
            if right is not None:
                yield rule, row, any(is_right(row[column], value) for value in right), right
    for rule in NAMED:
        _, _, source, name, beside = rule
        if not matches(rule, at.word, column) or beside not in at.columns:
            continue
        names = {r["id"]: r.get(name, "") for r in f.source(source).rows}
        known = set(names.values())
        for row in at.rows if names else ():
            # Threads without a name are "#7" in the list of threads, and "thread 7" elsewhere.
            there, here = (text.replace("#", "thread ", 1) for text in (names.get(row[column], ""), row[beside]))
            if row[column] not in NO_ROW or here in known:
                yield rule, row, here == there, [there]


def wrong(f, at, column, seen):
    """Why values of a column are not as its rules say; seen counts the values other than 0 that each rule and column had."""
    for rule, row, right, what in by_rules(f, at, column):
        seen[rule] += row[column] not in NO_ROW
        seen[at.word, column] += row[column] not in NO_ROW
        if not right:
            yield "%s.%s of row %s: %s, not %s" % (at.word, column, row.get("id"), row[column], what)


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
        if not any(matches(r, s, column) for r in RULES + NAMED + [(r[0], r[4]) for r in NAMED] for s in sources) and \
                not any(column in w and sources & w for w in words):
            yield "%s of %s: %s" % (column, " ".join(sorted(sources)), meaning)


def wrong_facts(f, seen):
    """Facts that are not as the rows of sources have them."""
    for row in f.source("info").rows:
        if row["field"] in FACTS:
            right = FACTS[row["field"]](f)
            seen[row["field"]] += right is not None
            if right is not None and row["value"] != str(right) and not (row["value"].isdigit() and float(row["value"]) == right):
                yield "info of %s: %s, not %s" % (row["field"], row["value"], right)


def untold_facts(fields, srcdir):
    """Facts that no rule is about, and no test that knows values names."""
    text = "".join(read(path) for path in knowing(srcdir))
    for field in sorted(fields - set(FACTS)):
        if field not in text and not field.startswith(("setting.", "unread.")):
            yield field


# Lists of kinds of findings, and how a row begins.
KINDS = (("src/pass/leaks/finding_kinds.c", r'\[(FINDING_\w+)\] = \{ "([^"]+)"'), ("src/pass/dumps/troubles.c", r'\[(TROUBLE_\w+)\] = \{ "([^"]+)"'))


def untold_findings(srcdir):
    """Kinds of findings that no test that knows values names, as a text or by its constant."""
    text = "".join(map(read, knowing(srcdir)))
    for path, row in KINDS:
        rows = re.findall(row, read(os.path.join(srcdir, path)))
        yield from () if rows else [path + ": no kinds"]
        yield from (kind for name, kind in rows if name not in text and not re.search("[\"' ]%s[\"' ]" % re.escape(kind), text))


def unjudged(pairs, seen):
    """Columns that a rule is about, or whose names are promises, without a value; rules without one; and what is listed without need."""
    about = {pair: [rule for rule in RULES + NAMED if matches(rule, *pair)] for pair in sorted(pairs)}
    for (word, column), rules in about.items():
        if rules and not seen[word, column] and (word, column) not in UNJUDGED:
            yield "no value of %s.%s" % (word, column)
        if not rules and column.endswith(PROMISES) and column not in BESIDE_ITSELF:
            yield "no rule for %s.%s" % (word, column)
    used = {(rule, word) for (word, _), rules in about.items() for rule in rules}
    for rule in RULES + NAMED:
        yield from ("no %s.%s" % (word, rule[1]) for word in rule[0].split() if word != "*" and (rule, word) not in used)
        if not seen[rule]:
            yield "no value for the rule of %s %s" % rule[:2]
    yield from ("listed: %s.%s" % pair for pair in UNJUDGED if seen[pair] or pair not in pairs)
    yield from ("no fact " + name for name in FACTS if not seen[name])


def unlike_filter(f):
    """Rows that a filter by a column of yes and no takes, but that show the other value then: their cells are computed again."""
    asked = {}
    for at in f.sources.values():
        for column in sorted(c for c in at.columns if at.word in f.schema and at.rows and {row[c] for row in at.rows} <= {"true", "false"}):
            asked["%s | where not %s | group %s : count" % (at.word, column, column)] = "false"
            asked["%s | where %s | group %s : count" % (at.word, column, column)] = "true"
    for query, table in (f.ask(list(asked)) if asked else {}).items():
        yield from ("%s: %s" % (query, row) for row in table.rows if next(iter(row.values())) != asked[query])


def check_file(program, paths, stage, known, seen, pairs, fields):
    """Judge all columns and facts of a file, or of the changes between two; known are facts that it must have."""
    f = File(program, paths, stage)
    facts = {row["field"]: row["value"] for row in f.source("info").rows}
    bad = ["%s is %s, not %s" % (name, facts.get(name), value) for name, value in known.items() if facts.get(name) != str(value)]
    bad += list(wrong_facts(f, seen)) + list(unlike_filter(f)) if not stage else []
    fields |= set(facts)
    pairs |= {(word, column) for word, columns in f.schema.items() for column in columns if word not in ABOUT_ITSELF}
    for at in f.sources.values():
        # Rows of two files have changes; what is of one file was asked of it alone.
        for column in sorted(c for c in at.columns if not stage or c.endswith("_delta")):
            pairs.add((at.word, column))
            bad += list(wrong(f, at, column, seen))[:3]
    tap.check("%s%s: %d sources" % (" ".join(map(os.path.basename, paths)), stage, len(f.sources)), *bad, not f.sources and "none")


def main(build, srcdir):
    program, seen, pairs, fields = answers.program_of(build), collections.Counter(), set(), set()
    for paths, stage in [(p, "") for p in FILES] + [(p, " | diff") for p in DIFFS]:
        paths = [p if "/" not in p else os.path.abspath(p if p.startswith("tests/data/") else os.path.join(srcdir, p)) for p in paths]
        check_file(program, paths, stage, {}, seen, pairs, fields)
    with tempfile.TemporaryDirectory() as folder:
        for path, text in promisesmade.refused(folder):
            a = program.run(["--no-index", "-e", "info", path])
            tap.check("%s: %s" % (os.path.basename(path), text), a.code != 5 and "status %d" % a.code, text not in a.err and a.err)
        for paths, known in promisesmade.files(folder):
            check_file(program, paths, "", known, seen, pairs, fields)
    tap.check("each column whose name says how it is made has a rule, and each rule a value", *unjudged(pairs, seen))
    tap.check("each column is named by a test that knows its value", *untold(manual.Manual(program, srcdir), srcdir))
    tap.check("each fact is named by a test that knows its value", *untold_facts(fields, srcdir))
    tap.check("each kind of finding is named by a test that knows when there is one", *untold_findings(srcdir))
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:3])
