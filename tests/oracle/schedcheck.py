#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""schedcheck.py BUILD SCRATCH - scheduler traces against the oracle sched.py, as TAP."""
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "mk")]

import answers  # noqa: E402
import cells  # noqa: E402
import made  # noqa: E402
import sampled  # noqa: E402
import sched as oracle  # noqa: E402
import schedany  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

CASES = ["seed=%d style=%s n=%d cpus=%d tasks=%d" % (i, style, n, cpus, tasks)
         for i, (style, n, cpus, tasks) in enumerate(
             [(s, n, c, t) for s in ("ftrace", "atrace", "old", "tracecmd", "perf")
              for n, c, t in ((40, 1, 2), (2000, 4, 12), (4000, 24, 60))])]
CASES.append("seed=90 style=atrace n=2000 cpus=3 tasks=9 lost=1")

# The columns of the expected tables of slowsched.py, and ours.
COLUMNS = (("name", "name"), ("in", "switches_in"), ("out", "switches_out"), ("on_us", "cpu"), ("off_us", "off_cpu"),
           ("max_gap_us", "max_wait"),
           ("off_S", "sleeping"), ("off_D", "disk"), ("off_R", "preempted"), ("off_other", "other"),
           ("wakes", "run_queue_waits"), ("wake_delay_us", "run_queue"), ("wake_delay_max_us", "max_run_queue"))
COUNTS = ("name", "in", "out", "wakes")
# The tables of real files take a wakeup while the task ran for the beginning of its next wait, and what runs when the
# trace ends for nothing, as what waits then: ours are not compared with them.
OFF = ("off_us", "max_gap_us", "off_S", "off_D", "off_R", "off_other")
OWN = OFF + ("on_us", "wakes", "wake_delay_us", "wake_delay_max_us")


def ask(program, path, *queries):
    a = program.ask(path, *queries, options=("--no-index",))
    if a.code not in (0, 1, 3):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return a.tables()


def compare(want, got, key):
    """Rows of the oracle with those of the program, by all columns of the former."""
    got = {row[key]: row for row in got}
    bad = []
    for row in want:
        mine = got.pop(str(row[key]), None)
        if mine is None:
            bad.append("%s %s is missing" % (key, row[key]))
            continue
        for column, value in row.items():
            value = answers.fit(value) if isinstance(value, str) else str(value)
            if column == "name" and value == "":
                value = "thread %s" % row["tid"]
            # Empty: it never waited.
            if column == "max_wait" and value == "0" and mine[column] == "":
                continue
            if mine[column] != value:
                bad.append("%s %s: %s is %s, not %s" % (key, row[key], column, mine[column], value))
    return bad + ["%s %s is too much" % (key, k) for k, row in got.items()
                  if row.get("in", "1") != "0" or row.get("out", "1") != "0"]


THREADS = "select id tid name cpu off_cpu"


def of_threads(tasks):
    """Rows of threads for the oracle's tasks: no times of those without switches."""
    return [{column: row[column] if column in ("tid", "name") or any(row[c] for c in ("switches_in", "switches_out", "cpu", "off_cpu")) else ""
             for column in ("tid", "name", "cpu", "off_cpu")} for row in tasks]


def check_file(program, path):
    oracle.events.cache_clear()
    tasks, cpus = oracle.tables(path)
    mine, my_cpus, threads, overview = ask(program, path, "tasks", "cpus", "threads | " + THREADS,
                                           "overview | where line = 'CPU use' | select subject use")
    bars = {"CPU %d" % row["cpu"]: row["use_over_time"] for row in cpus}
    return (["overview: %s has %s" % (row["subject"], row["use"]) for row in overview.rows if row["use"] != bars[row["subject"]]] +
            ["overview: %d CPUs" % len(overview.rows)] * (len(overview.rows) != min(8, len(cpus))) +
            compare(tasks, mine.rows, "tid") + compare(cpus, my_cpus.rows, "cpu") +
            ["tasks ran for %d, CPUs for %d" % pair for pair in
             [tuple(sum(int(row[c]) for row in table.rows) for table, c in ((mine, "cpu"), (my_cpus, "busy")))] if pair[0] != pair[1]] +
            ["threads: " + text for text in compare(of_threads(tasks), threads.rows, "tid")])


def shown(value, tids):
    """Return a cell of the program, with ids of tasks as (tid)."""
    return None if value in ("", None) else value if value.startswith("(") else tids[value]


def check_wakers(program, path):
    oracle.events.cache_clear()
    longest = " | select thread_id state start_wall wall idle"
    every, few, awake = ask(program, path, "waits" + longest, "waits | top 3 wall" + longest, "waits | where not idle | top 5 wall" + longest)
    mine, waits, tasks = ask(program, path, "wakeups | select time task_id waker waker_id context cpu target_cpu latency",
                             "waits | select thread_id state start_wall wall waker waker_id waker_or_end", "tasks | select id tid")
    tids = {row["id"]: int(row["tid"]) for row in tasks.rows}
    number = lambda text: int(text) if text else None
    who = lambda row: shown(row["waker_id"] or row["waker"], tids)
    got = [(int(r["time"]), tids[r["task_id"]], who(r), r["context"] or None, number(r["cpu"]), number(r["target_cpu"]),
            number(r["latency"])) for r in mine.rows]
    first = oracle.first_time(path)
    want = [(r["time"] - first, r["task"], r["waker"], r["context"], r["cpu"], r["target_cpu"], r["latency"])
            for r in oracle.wakeups(path)]
    bad = ["wakeups: %s, not %s" % pair for pair in zip(got, want) if pair[0] != pair[1]]
    if len(got) != len(want):
        bad.append("%d wakeups, not %d" % (len(got), len(want)))
    ended = lambda row: row["waker_or_end"] if row["waker_or_end"].startswith(("CPU ", "(end")) else who(row)
    got = sorted(repr((tids[r["thread_id"]], r["state"], int(r["start_wall"]), int(r["start_wall"]) + int(r["wall"]), who(r),
                       ended(r))) for r in waits.rows)
    want = sorted(map(repr, oracle.waits(path)))
    # Rows that are too short for the first ones are not made.
    down = sorted(every.rows, key=lambda row: -int(row["wall"]))
    short = ["top of waits: %s, not %s" % (got, want) for got, want in (
        (few.rows, down[:3]), (awake.rows, [row for row in down if row["idle"] == "false"][:5])) if got != want]
    return bad[:5] + short + ["waits: %s" % x for x in sorted(set(got) ^ set(want))[:5]]


BLAMED = 4      # tasks that waited longest


def check_blame(program, path):
    """Who is to blame at each moment of a trace, and during each wait of a task."""
    tasks, waits = ask(program, path, "tasks | where off_cpu > 0 | sort -off_cpu | select id tid", "waits | select start_wall wall thread_id")
    tids = {row["id"]: int(row["tid"]) for row in ask(program, path, "tasks | select id tid")[0].rows}
    bad, rows = [], 0
    for task in tasks.rows[:BLAMED]:
        whole, parts = ask(program, path, "blame @%s | select start_wall wall thread_id depth" % task["id"],
                           "waits @%s | blame | select start_wall wall thread_id depth" % task["id"])
        own = [(int(r["start_wall"]), int(r["wall"])) for r in waits.rows if r["thread_id"] == task["id"]]
        for table, spans in ((whole, [(0, None)]), (parts, own)):
            got = [(int(r["start_wall"]), int(r["wall"]), tids[r["thread_id"]], int(r["depth"])) for r in table.rows]
            # A row has one answer from its first to its last moment, and the next one begins where it ends.
            want = oracle.blame(path, int(task["tid"]), [r[0] for r in got] + [r[0] + r[1] - 1 for r in got])
            bad += ["%s: %s, not %s" % (task, row, pair) for row, pair in zip(got + got, want) if row[2:] != pair]
            covered = sum(r[1] for r in got)
            rows += len(got)
            if spans[0][1] is not None and covered != sum(n for _, n in spans):
                bad.append("%s: %d ns of waits, not %d" % (task, covered, sum(n for _, n in spans)))
            if spans[0][1] is None and any(a[0] + a[1] != b[0] for a, b in zip(got, got[1:])):
                bad.append("%s: a gap" % task)
    return bad[:5] + ([] if rows or not waits.rows else ["no rows"])


CELLS = 40      # of a screen of 80 columns


def frames(program, path, scratch, *keys, size="80x60"):
    script = os.path.join(scratch, "keys")
    with open(script, "w", encoding="utf-8") as f:
        f.write("size %s\n" % size + "".join("%s\n" % key for key in keys) + "frame\n")
    return program.run(["--no-index", "--keys", script, path]).out.split("\n")


def check_cells(program, path, scratch):
    """The rows of the timeline, and the times beside them."""
    tab = re.search(r"(\d+) ?Timeline", frames(program, path, scratch)[1]).group(1)
    # Lines of the CPUs and of processes are above those of their threads.
    shown = [line for line in frames(program, path, scratch, "key %s" % tab, "key s s s") if line[:2] in ("  ", "> ")][3:]
    states, tasks = ask(program, path, "states", "tasks | select id cpu label")
    for row in states.rows:
        row["thread"] = row["thread_id"]
    on = {row["id"]: int(row["cpu"]) for row in tasks.rows}
    name = {row["id"]: row["label"][:12].strip() for row in tasks.rows}
    want = sorted(cells.cells(states.rows, CELLS, *cells.window(states.rows)), key=lambda row: int(row[0]))
    ours = collections.Counter((line[2:20].strip()[:12].strip(), line[20:20 + CELLS].ljust(CELLS)) for line in shown)
    theirs = collections.Counter((name[row[0]], row[1]) for row in want)
    bad = ["%s: %s is missing" % pair for pair in theirs - ours]
    # A task that runs when the trace ends counts in states alone.
    return bad + ["%s: on a CPU %d, in states %d" % (row[0], on[row[0]], row[2]) for row in want if on[row[0]] > row[2]]


def windows(program, path):
    """All, nothing, and pieces whose borders are between switches and on them."""
    table, = ask(program, path, "switches | select time")
    times = [int(row["time"]) for row in table.rows]
    n = len(times)
    return [(0, times[-1] + 1), (times[n // 2], times[n // 2]), (0, times[n // 3] + 1), (times[n // 3], times[n // 2]),
            (times[n // 3] + 1, times[2 * n // 3] - 1), (times[-2], times[-1] + 10 ** 9)]


UNITS = {"ns": 1, "us": 10 ** 3, "ms": 10 ** 6, "s": 10 ** 9}
VALUES = ("cpu", "run_queue", "disk", "max_wait", "waits")


def near(text, want):
    """A time as shown, of three digits, or a count."""
    number, _, unit = text.partition(" ")
    return text == "" and not want or text != "" and abs(float(number) * UNITS.get(unit, 1) - want) <= want * 0.006


def aligned(head, line):
    """The cells of columns that end where their heads do."""
    ends = [re.search(r"(?<!\S)%s(?!\S)" % name, head).end() for name in VALUES]
    return [line[a:b].strip() for a, b in zip([ends[0] - 8] + ends, ends)]


def check_parts(program, path, scratch):
    """Under a range the timeline shows that time alone, with its values: those of the tasks in it."""
    bad = []
    states, = ask(program, path, "states")
    for row in states.rows:
        row["thread"] = row["thread_id"]
    last = cells.window(states.rows)[1]
    for begin, end in windows(program, path):
        # A window ends with the file.
        if begin >= end or end > last + 1:
            continue
        piece = "range %dns %dns" % (begin, end)
        shown = frames(program, path, scratch, "key g l", "key :", "type " + piece, "key Enter", "key C-l", size="200x150")
        at = next(i for i, line in enumerate(shown) if re.match(" {20,}\\[.*\\]", line))
        x, to = shown[at].index("["), shown[at].index("]") + 1
        rows = {row: cell for row, cell, *_ in cells.cells(states.rows, to - x, begin, min(end, last))}
        want = collections.defaultdict(list)
        for r in ask(program, path, "tasks | %s | select id label cpu run_queue disk max_wait waits" % piece)[0].rows:
            want[r["label"], rows.get(r["id"], " " * (to - x))].append((int(r["cpu"]), int(r["run_queue"]), int(r["disk"]), int(r["max_wait"] or 0), int(r["waits"])))
        lines = [line for line in shown[at + 3:] if re.match("  +[^ +]", line[:x]) and line[x:to].strip()]
        for line in lines:
            values, is_of = aligned(shown[at], line), want[line[:x].strip(), line[x:to]]
            if not any(all(map(near, values, one)) for one in is_of):
                bad.append("%d to %d: %s %s, not %s" % (begin, end, line[:to], values, is_of))
        bad += ["%d to %d: %d of %d rows" % (begin, end, len(lines), len(want))] * (len(lines) * 2 < len(want))
    return bad


def check_windows(program, path):
    bad = []
    for begin, end in windows(program, path):
        if begin > end:
            continue
        tasks, cpus = oracle.tables(path, (begin, end))
        piece = "range %dns %dns" % (begin, end)
        mine, my_cpus, threads = ask(program, path, "tasks | " + piece, "cpus | " + piece,
                                     "threads | %s | %s" % (piece, THREADS))
        bad += ["%d to %d: %s" % (begin, end, text) for text in
                compare(tasks, mine.rows, "tid") + compare(of_threads(tasks), threads.rows, "tid") +
                compare(cpus, my_cpus.rows, "cpu")]
    return bad


def check_sides(program, path):
    """The values of adjacent pieces of time add up to those of the whole trace, for states and calls as well."""
    ends = sorted({w[0] for w in windows(program, path)} | {0, 10 ** 15})
    sums = ("tasks | sum cpu off_cpu sleeping disk preempted other run_queue switches_in switches_out", "cpus | sum busy idle unaccounted switches",
            "switches | count", "wakeups | count", "states | sum wall cpu")
    bad = []
    for query in sums:
        source, stage = query.split(" | ")
        asked = ["%s | range %dns %dns | %s" % (source, a, b, stage) for a, b in zip(ends, ends[1:])]
        whole, *parts = ask(program, path, query, *asked)
        for column, value in whole.rows[0].items():
            got = sum(int(p.rows[0][column] or 0) for p in parts)
            if got != int(value):
                bad.append("%s: %s of the parts is %d, not %s" % (source, column, got, value))
    return bad


def expected_rows(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        lines = [line for line in f.read().split("\n") if line and not line.startswith("#")]
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def nanoseconds(us):
    whole, _, part = us.partition(".")
    return int(whole) * 1000 + int(part.ljust(3, "0"))


def check_expected(program, path, expected, without=()):
    """A table of slowsched.py."""
    want = []
    for row in expected_rows(expected):
        new = {"tid": row["pid"]}
        for theirs, ours in COLUMNS:
            if theirs in row and theirs not in without:
                new[ours] = row[theirs] if theirs in COUNTS else nanoseconds(row[theirs])
        want.append(new)
    if not want:
        return []
    mine, = ask(program, path, "tasks")
    return compare(want, mine.rows, "tid")


def check_counts(program, path):
    """Of any file: switches, wakeups and marks; what has none of them is refused."""
    want = oracle.counts(path)
    if sum(want.values()) == 0:
        return refused(program, path)
    info, = ask(program, path, "info")
    got = {row["field"]: row["value"] for row in info.rows}
    return ["%s: %s, not %d" % (key, got.get(key), value) for key, value in want.items()
            if got.get(key) != str(value)]


def check_answers(program, path):
    """Percentiles of waits that python makes of the rows of switches, and times of threads, against the columns of tasks."""
    def rows(query):
        return answers.Table(program.ask(path, query, options=("--no-index",)).out).rows

    gaps, out = {}, {}
    for r in rows("switches | select time from_id to_id"):
        time = int(r["time"])
        if r["to_id"] in out:
            gaps.setdefault(r["to_id"], []).append(time - out.pop(r["to_id"]))
        if r["from_id"] not in ("", "0"):
            out[r["from_id"]] = time
    bad = []
    # What lasts to the end is a wait as any other.
    for r in rows("waits | where waker_or_end = '(end of trace)' | select thread_id start_wall wall"):
        if r["thread_id"] in out:
            gaps.setdefault(r["thread_id"], []).append(int(r["start_wall"]) + int(r["wall"]) - out[r["thread_id"]])
    tasks = rows("tasks | select id name waits p50_wait p99_wait cpu off_cpu")
    for t in tasks:
        own = sorted(gaps.get(t["id"], []))
        want = [str(own[-(-n * len(own) // 100) - 1]) if own else t["p%d_wait" % n] for n in (50, 99)]
        if [t["p50_wait"], t["p99_wait"]] != want or int(t["waits"]) != len(own):
            bad.append("%s: %s of %d" % (t, want, len(own)))
    there = {(t["id"], t["cpu"], t["off_cpu"]) for t in tasks}
    bad += ["thread %r is another than its task" % t for t in rows("threads | select id cpu off_cpu") if t["cpu"] and tuple(t.values()) not in there]
    return bad[:3]


def check_corpus(tap, program, folder, name):
    """A file of CORPUS/trace/sched, with its table in expected/sched if there is one."""
    path = os.path.join(folder, name)
    known = os.path.join(folder, "expected", "sched", os.path.basename(name) + ".offcpu.tsv")
    attempt(tap, name + ": counts", check_counts, program, path)
    attempt(tap, name + ": percentiles and threads", check_answers, program, path)
    if os.path.exists(known):
        attempt(tap, name + ": tasks as expected", check_expected, program, path, known, OWN)
        attempt(tap, name + ": tasks and CPUs", check_file, program, path)
        attempt(tap, name + ": wakeups and waits", check_wakers, program, path)


def check_edges(tap, program, folder):
    for name in sorted(os.listdir(folder)):
        if name.startswith("sched-") and not name.endswith(".tsv"):
            attempt(tap, "edges/%s" % name, check_expected, program, os.path.join(folder, name),
                    os.path.join(folder, name + ".expect.tsv"), OFF)


def check_pipe(program, path):
    """The answers are those of the file."""
    queries = ["--no-index", "-o", "tsv", "-e", "tasks", "-e", "cpus", "-e", "switches | head 5"]
    with open(path, "rb") as f:
        p = subprocess.run(program.command + queries + ["-"], input=f.read(), stdout=subprocess.PIPE, timeout=300)
    want = program.run(queries + [path]).out
    return [] if p.stdout.decode("utf-8", "surrogateescape") == want else ["they are others"]


BESIDE = ("tasks | sort tid | select tid name cpu off_cpu waits max_wait max_wait_at sleeping disk preempted run_queue_waits run_queue max_run_queue switches_in switches_out",
          "cpus", "switches | select time cpu from state to", "waits | sort start_wall state wall | select thread state start_wall wall waker waker_or_end",
          "wakeups | select time task waker context cpu target_cpu latency")


def check_beside(program, path, scratch):
    """The same text in trace events of Chrome, whose clock is ahead of it: the same answers, and the call is at its time."""
    with open(path, encoding="latin-1") as f:
        text = f.read().encode("latin-1").decode("utf-8", "replace")
    switches, = ask(program, path, "switches | select time to_id | where to_id != 0 | head 1")
    tid = ask(program, path, "tasks | where id = %s | select tid" % switches.rows[0]["to_id"])[0].rows[0]["tid"]
    first = oracle.first_time(path)
    sync = "            x-1     [000] ...1 %d.%09d: tracing_mark_write: trace_event_clock_sync: parent_ts=%d.000000\n" % (*divmod(first, 10 ** 9), 10 ** 6)
    plain, beside = os.path.join(scratch, "beside.txt"), os.path.join(scratch, "beside.json")
    events = [{"ph": "X", "name": "a call", "pid": int(tid), "tid": int(tid), "ts": 10 ** 12 + 7000, "dur": 10}]
    with open(plain, "w", encoding="utf-8") as f:
        f.write(text + sync)
    with open(beside, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": events, "systemTraceEvents": text + sync}, f, ensure_ascii=len(text) % 2 == 0)
    bad = []
    for query, want, got in zip(BESIDE, ask(program, plain, *BESIDE), ask(program, beside, *BESIDE)):
        bad += ["%s: %s, not %s" % (query, pair[1], pair[0]) for pair in zip(want.rows, got.rows) if pair[0] != pair[1]][:2]
        bad += ["%s: %d rows, not %d" % (query, len(got.rows), len(want.rows))] * (len(got.rows) != len(want.rows))
    got = [tuple(row.values()) for table in ask(program, beside, "spans | select method start_wall wall", "threads | where calls = 1 | select tid")
           for row in table.rows]
    return bad + ([] if got == [("a call", "7000000", "10000"), (tid,)] else ["the call: %s" % got])


def check_ended(program, path):
    """Runs of threads that have ended, which perf sched timehist calls :-1."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("           time    cpu  task name                       wait time  sch delay   run time  state\n"
                "                        [tid/pid]                          (msec)     (msec)     (msec)       \n"
                "--------------- ------  ------------------------------  ---------  ---------  ---------  -----\n"
                "   28210.475419 [0000]  app[7/5]                            0.000      0.000      1.500      S\n"
                "   28210.475519 [0000]  :-1[-1/5]                           0.000      0.000      0.100      Z    do_task_dead <- do_exit\n"
                "   28210.479960 [0001]  :-1[-1/5]                           0.000      0.000      0.162      X\n")
    tasks, facts = program.ask(path, "tasks | sort name | select name tid cpu", "info | where field = repair.ended | select value", options=("--no-index",)).tables()
    got = [tuple(row.values()) for row in tasks.rows], [row["value"] for row in facts.rows]
    return [] if got == ([(":-1", "4294967295", "262000"), ("app", "7", "1500000")], ["2"]) else [str(got)]


def check_unmatched(program, path):
    """How many switches leave another task than their CPU switched to, and for how long it had another one."""
    last, count, ns = {}, 0, 0
    switches = [(e[0], e[2], e[3][1], e[3][4]) for e in oracle.events(path) if e[1] == "switch"]
    for time, cpu, out, into in switches:
        if cpu in last and last[cpu][1] != out:
            count, ns = count + 1, ns + time - last[cpu][0]
        last[cpu] = time, into
    want = [count, ns] if any(out == 0 for _, _, out, _ in switches) else [0, 0]
    facts, = ask(program, path, "info | where field ~ /^repair.unmatched/ | select field value")
    got = {row["field"]: int(row["value"]) for row in facts.rows}
    got = [got.get("repair.unmatched", 0), got.get("repair.unmatched_time", 0)]
    return [] if got == want else ["%s, not %s" % (got, want)]


class Used:
    """Tasks that run in turn on two CPUs.  The kernel says how long, at ticks and when they leave; switches are lost."""

    def __init__(self, seed):
        self.r, self.ran, self.lines = random.Random(seed), collections.Counter(), []
        self.lost = self.made = 0
        now, unseen, until = [0, 0], [0, 0], {5: 0, 6: 0, 7: 0, 8: 0}
        while min(now) < 200000:
            cpu = now.index(min(now))
            start = now[cpu] + self.r.randrange(100, 900)
            # Who left unseen and came back unseen did not leave, as far as the switches of that CPU say.
            free = [t for t in until if until[t] < start and t != unseen[cpu]]
            if not free:
                now[cpu] = start
                continue
            tid = self.r.choice(free)
            what = self.r.choice(("begin", "end", "none", "none")) if now[cpu] else "none"
            now[cpu] = until[tid] = self.run(tid, cpu, start, what)
            unseen[cpu] = tid if what == "end" else 0
        for cpu in (0, 1):
            self.run(9 + cpu, cpu, now[cpu] + 100, "none")

    def line(self, us, tid, cpu, text):
        self.lines.append((us, "%16s-%-5d [%03d] d..2 %d.%06d: %s" % ("t%d" % tid if tid else "<idle>", tid, cpu, 50 + us // 10 ** 6, us % 10 ** 6, text)))

    def switch(self, us, cpu, out, into, lost):
        name = lambda tid: "t%d" % tid if tid else "swapper/%d" % cpu
        if lost:
            self.lost += 1
            return
        self.line(us, out, cpu, "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=%s next_pid=%d next_prio=120" % (
            name(out), out, name(into), into))

    def run(self, tid, cpu, us, lost):
        self.switch(us, cpu, 0, tid, lost == "begin")
        ticks = sorted(self.r.sample(range(1, 999), self.r.randrange(3))) + [self.r.randrange(1000, 4000)]
        for a, b in zip([0] + ticks, ticks):
            self.line(us + b, tid, cpu, "sched_stat_runtime: comm=t%d pid=%d runtime=%d [ns] vruntime=%d [ns]" % (tid, tid, (b - a) * 1000, us))
        self.switch(us + ticks[-1], cpu, tid, 0, lost == "end")
        self.ran[tid] += ticks[-1] * 1000
        return us + ticks[-1]


def check_used(program, scratch, seed):
    """Tasks whose switches are lost have the time that the kernel says, and their CPUs have it, too."""
    made, path = Used(seed), os.path.join(scratch, "used.txt")
    with open(path, "w", encoding="ascii") as f:
        f.write("".join("%s\n" % line for _, line in sorted(made.lines, key=lambda x: x[0])))
    tasks, cpus, facts = ask(program, path, "tasks | select tid cpu", "cpus | sum busy",
                             "info | where field ~ /^(repair|switches|unread)/ and value > 0 | select field value")
    got = {int(row["tid"]): int(row["cpu"]) for row in tasks.rows}
    facts = {row["field"]: int(row["value"]) for row in facts.rows}
    switches = sum("sched_switch" in line for _, line in made.lines)
    bad = ["%s, not %s" % (got, dict(made.ran))] if got != dict(made.ran) else []
    if int(list(cpus.rows[0].values())[0]) != sum(made.ran.values()):
        bad.append("CPUs: %s" % cpus.rows)
    if facts != {"repair.made_switches": made.lost, "switches": switches}:
        bad.append("%s of %d lost" % (facts, made.lost))
    return bad


def check_live(build, scratch):
    """The live reader and that of files agree, whatever the text."""
    folder = os.path.join(scratch, "any")
    schedany.main(folder, 0, 400)
    run = subprocess.run([os.path.join(build, "tests/fuzz/fuzz_sched"), folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = run.stdout.decode(errors="replace").split("\n")
    return [] if run.returncode == 0 and "1..400" in said else said[-6:]


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    sampled.tell()
    for case in sampled.turns(CASES):
        path = shutil.copy(made.files("schedmake.py", "sched.txt", *case.split()) / "sched.txt", scratch)
        attempt(tap, case, check_file, program, path)
        attempt(tap, case + ": wakeups and waits", check_wakers, program, path)
        attempt(tap, case + ": who is to blame", check_blame, program, path)
        attempt(tap, case + ": percentiles and threads", check_answers, program, path)
        attempt(tap, case + ": switches that do not match", check_unmatched, program, path)
        if "n=2000" in case:
            attempt(tap, case + ": cells of the timeline", check_cells, program, path, scratch)
            attempt(tap, case + ": the timeline under a range", check_parts, program, path, scratch)
        attempt(tap, case + ": beside trace events", check_beside, program, path, scratch)
        attempt(tap, case + ": pieces of time", check_windows, program, path)
        attempt(tap, case + ": pieces side by side", check_sides, program, path)
    for seed in range(6):
        attempt(tap, "lost switches of tasks whose time the kernel says, %d" % seed, check_used, program, scratch, seed)
    attempt(tap, "texts of any lines, live and as files", check_live, build, scratch)
    attempt(tap, "through a pipe", check_pipe, program, path)
    attempt(tap, "timehist of threads that have ended", check_ended, program, os.path.join(scratch, "ended.txt"))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
