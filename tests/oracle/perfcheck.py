#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfcheck.py BUILD SCRATCH - the output of perf script against the oracle perf.py, as TAP."""
import csv
import glob
import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import made  # noqa: E402
import perf as oracle  # noqa: E402
import perfview  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

SEEDS = 60
OPTIONS = ("", "pid", "tid", "kernel", "jit", "all", "addrs", "tid all addrs")
EVENTS = ("cycles:u", "instructions")
# The script behind the expected files loses the last sample of these.
CUT = ("perf-dd-stacks-01", "perf-iperf-stacks-pidtid-01", "perf-numa-stacks-01", "perf-vertx-stacks-01")


def make(what):
    return made.output("perfmake.py", what)


def ask(program, path, *queries, options=()):
    a = program.ask(path, *queries, options=("--no-index",) + options)
    if a.code not in (0, 1):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return a.tables()


def stacks(program, path, words, options=()):
    table, = ask(program, path, "stacks " + words, options=options)
    names = [row["stack"] for row in table.rows]
    return {row["stack"]: int(row["weight"]) for row in table.rows}, \
        [] if names == sorted(names, key=lambda s: s.encode()) else ["not sorted"]


def differences(want, got):
    want = answers.demangled({answers.fit(k): n for k, n in want.items()})
    got = answers.demangled(got)
    return ["%s: %s, not %s" % (k[-200:], got.get(k), want.get(k))
            for k in sorted(set(want) | set(got)) if want[k] != got[k]]


def check_view(program, path, text):
    """Whole names in every view; the event that counts."""
    events, best, want = perfview.view(text)
    a = program.run(program.options + ["--no-index", "-o", "folded", "-e", "calls", path])
    got = {}
    for line in a.out.split("\n")[:-1]:
        k, n = line.rsplit(" ", 1)
        got[k] = got.get(k, 0) + int(n)
    table, = ask(program, path, "events")
    counts = [(row["name"], row["samples"]) for row in table.rows if row["current"] == "true"]
    bad = [] if counts == [(answers.fit(best or "samples"), str(events[best][0]))] else ["%s counts, not %s" % (counts, best)]
    return bad + differences({k: n for k, n in want.items() if n > 0}, got)


def check_whole(program, scratch, what):
    path = os.path.join(scratch, "whole.perf")
    with open(path, "wb") as f:
        f.write(make(what))
    return check_view(program, path, make(what).decode())


def check_texts(tap, program, folder):
    """Texts of the corpus: every view by perfview.py, stacks of the first event as expected."""
    for path in sorted(glob.glob(os.path.join(folder, "data/*.txt"))):
        text, name = oracle.read(path), os.path.basename(path)
        attempt(tap, name + ": whole names and the event that counts", check_view, program, path, text)
        first = next(iter(perfview.view(text)[0])) or "samples"
        attempt(tap, name + ": stacks", check_expected, program, path, "", expected(
            os.path.join(folder, "expected", name + ".stacks.txt")), False, ("--event", first))


def check_told(program, path, told):
    """Events and stacks of a table, for all threads together."""
    rows = [line.split("\t") for line in open(told)]
    want = {r[1]: tuple(int(x.rpartition("=")[2]) for x in r[2:4]) for r in rows if r[0] == "event"}
    events, = ask(program, path, "events")
    bad = differences(want, {row["name"]: (int(row["samples"]), int(row["weight"])) for row in events.rows})
    want, got = {}, {}
    for r in rows:
        if r[0] == "stack":
            want[r[3]] = want.get(r[3], 0) + int(r[5])
    for line in program.run(program.options + ["--no-index", "-o", "folded", "-e", "calls", path]).out.split("\n")[:-1]:
        stack, _, n = line.partition(";")[2].rpartition(" ")
        got[stack] = got.get(stack, 0) + int(n)
    return bad + differences(want, got)


def check_run(program, path):
    """A recording says what the text says that perf makes of it here."""
    with tempfile.NamedTemporaryFile("wb", suffix=".txt") as text:
        subprocess.run(["perf", "script", "-f", "--no-inline", "-F", "+pid", "-i", path], stdout=text, stderr=subprocess.DEVNULL,
                       env={"PATH": os.environ["PATH"], "PERF_CONFIG": "/dev/null", "LANG": "C.UTF-8"})
        queries = ("events", "methods", "stacks tid all")
        answer = lambda file: [t.rows for t in ask(program, file, *queries)]
        return [] if answer(path) == answer(text.name) else ["another answer"]


def check_recordings(tap, program, folder):
    """Recordings of perf in the corpus: the text that perf made of them where they were recorded; and perf here, if installed."""
    for path in sorted(glob.glob(os.path.join(folder, "data/*.perf.data"))):
        name, told = os.path.basename(path), os.path.join(folder, "expected", os.path.basename(path))
        if os.path.exists(told + ".script.txt"):
            attempt(tap, name + ": its text", check_told, program, told + ".script.txt", told + ".view.tsv")
            if shutil.which("perf"):
                attempt(tap, name + ": as perf says here", check_run, program, path)


def check_random(program, scratch, seed):
    path = os.path.join(scratch, "random.perf")
    data = make("seed=%d" % seed)
    with open(path, "wb") as f:
        f.write(data)
    text, bad = data.decode(), []
    for words in OPTIONS:
        got, wrong = stacks(program, path, words)
        bad += wrong + ["%s: %s" % (words, d) for d in differences(oracle.fold(text, words.split()), got)]
    events, = ask(program, path, "events")
    for event in EVENTS:
        if event in (row["name"] for row in events.rows):
            got, wrong = stacks(program, path, "", ("--event", event))
            bad += wrong + ["%s: %s" % (event, d) for d in differences(oracle.fold(text, (), event), got)]
    bad += check_view(program, path, text)
    calls, = ask(program, path, "calls | select self")
    want, got = sum(oracle.fold(text).values()), sum(int(row["self"]) for row in calls.rows)
    if got != want:
        bad.append("all calls have %d, not %d" % (got, want))
    return bad


# ---- packed and encoded files -------------------------------------------------------


def page(text):
    return b"<!DOCTYPE html>\n<html><script>var x = '<p>';</script>\n" \
        b"<script class=\"trace-data\" type=\"application/text\">\n" + text + b"</script></html>\n"


def old_page(text):
    return b"<html><body><script>\n  var linuxPerfData = \"\\\n" + \
        text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n\\\n") + b"\";\n</script></html>\n"


def encodings(text):
    wide = text.decode().encode("utf-16-le")
    yield "gzip", gzip.compress(text)
    yield "gzip of several members", gzip.compress(text[:700]) + gzip.compress(text[700:])
    yield "UTF-8 with a mark", b"\xef\xbb\xbf" + text
    yield "UTF-16LE", b"\xff\xfe" + wide
    yield "UTF-16LE without a mark", wide
    yield "UTF-16BE", b"\xfe\xff" + text.decode().encode("utf-16-be")
    yield "UTF-16BE without a mark", text.decode().encode("utf-16-be")
    yield "gzip of UTF-16", gzip.compress(b"\xff\xfe" + wide)
    yield "gzip of gzip", gzip.compress(gzip.compress(text))
    yield "zlib of atrace", b"TRACE:\n" + zlib.compress(text) + b"other bytes" * 99
    yield "zlib behind words", b"capturing trace... done\nTRACE:\r\n" + zlib.compress(text, 9)
    yield "a page", page(text)
    yield "a page of 2012", old_page(text)
    yield "a page with two texts", page(text[:text.index(b"rustc")]).replace(b"</html>", page(text[text.index(b"rustc"):]))


def check_encoding(program, scratch, text, data):
    path = os.path.join(scratch, "encoded")
    with open(path, "wb") as f:
        f.write(data)
    got, bad = stacks(program, path, "all")
    return bad + differences(oracle.fold(text.decode(), ("all",)), got)


def check_damaged(program, scratch, data, fact):
    """Readable data is there; the loss is reported."""
    path = os.path.join(scratch, "damaged")
    with open(path, "wb") as f:
        f.write(data)
    a = program.ask(path, "info", options=("--no-index",))
    facts = {row["field"]: row["value"] for row in a.tables()[0].rows}
    bad = [] if fact in facts else ["no %s in %s" % (fact, sorted(facts))]
    if a.code != (3 if fact.startswith("loss") else 0):
        bad.append("status %d" % a.code)
    if fact == "loss.gzip" and not re.match(r"gzip data truncated or damaged; [0-9 ]+ bytes decompressed$", facts["loss.reason"]):
        bad.append("reason: " + facts["loss.reason"])
    return bad + ([] if int(facts.get("samples", 0)) > 0 else ["no samples"])


# ---- fields ------------------------------------------------------------------------------------------

# The fields that perf script -F prints, in this order, if they are asked for.
FORMS = {"comm": "%s ", "pid": "%d/", "tid": "%d ", "cpu": "[%03d] ", "misc": "%-6s ", "time": "%s: ", "period": "%10d ", "event": "%s: "}
FIELDS = ("comm pid tid cpu time period event", "comm pid tid time event", "comm pid tid", "comm tid time event", "comm tid time", "comm tid",
          "comm tid event", "comm tid period", "comm pid tid period", "comm", "comm event", "comm time event", "comm cpu time event",
          "tid cpu time period event", "pid tid cpu time event", "tid", "comm period", "comm tid time misc event", "comm tid misc time period event",
          "comm tid cpu misc time period event", "comm time period event", "comm pid tid cpu time",
          "comm pid tid cpu period event", "comm tid cpu period", "comm cpu period event", "comm pid tid misc event", "comm tid misc period",
          "comm tid cpu misc period event", "comm misc time event", "comm misc period event", "comm pid tid period event")
THREADS = (("burn", 700, 700), ("my worker 1", 700, 731), ("a [1] b", 700, 732), ("x:", 12, 12))
LIKE_EVENTS = (("burn", 700, 700), ("my worker 1", 700, 731), ("[x]: y", 700, 732), ("b c: d", 12, 12))


def fields_text(fields, pad, source, threads):
    """
    Samples of four threads with the fields; name and ids are padded as some versions do, else addresses are short and have no module;
    with lines of source code behind some.  Broken stacks end at the address 0.
    """
    forms = dict(FORMS, **{"pid": "%7d/", "comm": "%16s "} if pad else {}, **{} if "pid" in fields else {"tid": "%7d " if pad else "%5d "})
    out, want = [], {}
    for i in range(40):
        comm, pid, tid = threads[i * i % 7 % 4]
        values = {"comm": comm, "pid": pid, "tid": tid, "cpu": i % 4, "misc": "UK"[i % 2], "time": "%d.%06d" % (100 + i // 10, i * 7919),
                  "period": 1000 + i * i, "event": "cycles:u"}
        frames = "\t%16x work+0x%x (/bin/a)\n\t            7f20 main (/bin/a)\n" if pad else "\t    %x work+0x%x\n\t    7f2 main\n"
        out.append("".join(forms[f] % values[f] for f in FORMS if f in fields.split()) + "\n" + frames % (i + (0x7f100 if pad else 0x7a0), i) +
                   "\t%16d [unknown] ([unknown])\n\n" % 0)
        out.append("|%-8d \tfor (i = %d; i < 7: 200 [001] 3.000004: x:)\n" % (i, i) * (source and i % 3 > 0))
        key = comm if "comm" in fields else "main" if "pid" in fields and pid == tid else "thread %d" % tid, str(tid) if "tid" in fields else ""
        n, sum_ = want.get(key, (0, 0))
        want[key] = n + 1, sum_ + (1000 + i * i if "period" in fields else 1)
    return "".join(out), want


def check_fields(program, scratch, fields, pad, source, threads=THREADS):
    path = os.path.join(scratch, "fields.perf")
    text, want = fields_text(fields, pad, source, threads)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    table, facts = ask(program, path, "threads | select name tid samples total", "info | where field = fields")
    got = {(row["name"], "" if "tid" not in fields and row["tid"] == "0" else row["tid"]): (int(row["samples"]), int(row["total"])) for row in table.rows}
    told = facts.rows[0]["value"] if facts.rows else ""
    return ([] if got == want else ["%s, not %s" % (got, want)]) + \
        ([] if told.split() == ["comm"] + [f for f in FORMS if f != "comm" and f in fields.split()] else ["fields: " + told])


# ---- switches ----------------------------------------------------------------------------------------

def switch_sample(time, tid, to, function):
    return "app %d/%d [000] %d.%06d: sched:sched_switch: prev_comm=app prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=x next_pid=%d next_prio=120\n" \
        "\tffff1000 __schedule+0x1 ([kernel.kallsyms])\n\t7f10 %s (/bin/a)\n\n" % (1, tid, time // 10 ** 6, time % 10 ** 6, tid, to, function)


def check_records(program, scratch, wide, seed):
    """Waits by records of perf, of threads that leave after a sample or without one, or are preempted; the last of each does not end."""
    rnd, lines, waits, open_ = random.Random(wide + 2 * seed), [], {}, {}
    now = 10 ** 7
    for i in range(300):
        tid = rnd.choice((11, 12, 13))
        now += rnd.randrange(1, 5000)
        if tid not in open_:
            function = rnd.choice(("wait_a", "wait_b", None))
            if function:
                lines.append(switch_sample(now - 1, tid, 99, function))
            lines.append("app 1/%d [000] %d.%06d: PERF_RECORD_SWITCH%s OUT%s\n" % (
                tid, now // 10 ** 6, now % 10 ** 6, "_CPU_WIDE" * wide, rnd.choice(("", " preempt")) + "          next pid/tid:     1/99" * wide))
            open_[tid] = now, function or "[off-cpu]"
        else:
            start, function = open_.pop(tid)
            lines.append("app 1/%d [000] %d.%06d: PERF_RECORD_SWITCH%s IN          %s\n" % (
                tid, now // 10 ** 6, now % 10 ** 6, "_CPU_WIDE" * wide, "prev pid/tid:     1/99" * wide))
            waits[function] = waits.get(function, 0) + 1000 * (now - start)
    path = os.path.join(scratch, "records.perf")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(lines))
    table, facts = ask(program, path, "methods | where total > 0 | select method total", "info | where field = open_waits", options=("--event", "off-cpu"))
    got = {row["method"]: int(row["total"]) for row in table.rows if row["method"] != "__schedule"}
    told = int(facts.rows[0]["value"]) if facts.rows else 0
    return ([] if got == waits else ["%s, not %s" % (got, waits)]) + ([] if told == len(open_) else ["%d open waits, not %d" % (told, len(open_))])


def check_one_process(program, scratch, stacks):
    """Who leaves again and again without coming has no waits, neither in a profile nor in a scheduler trace; who comes has all of them."""
    text = "".join(switch_sample(10 ** 7 + i * 10 ** 6, 11, 99, "f") for i in range(6))
    text += "".join(switch_sample(2 * 10 ** 7 + i * 1000, *((12, 13) if i % 2 else (13, 12)), "g") for i in range(9))
    if not stacks:
        text = "".join(line + "\n" for line in text.split("\n") if line.startswith("app"))
    path = os.path.join(scratch, "one.perf")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    facts, = ask(program, path, "info | where field = repair.one_process")
    bad = [] if facts.rows and facts.rows[0]["value"] == "1" else ["repair.one_process: %s" % facts.rows]
    if stacks:
        table, = ask(program, path, "threads | where total > 0 | select tid total", options=("--event", "off-cpu"))
        got = {row["tid"]: int(row["total"]) for row in table.rows}
        bad += ["tasks of a recording of one process"] if program.ask(path, "tasks", options=("--no-index",)).code == 0 else []
    else:
        table, = ask(program, path, "tasks | where off_cpu > 0 | select tid off_cpu")
        got = {row["tid"]: int(row["off_cpu"]) for row in table.rows}
        table, = ask(program, path, "waits | where label ~ 11 | select wall")
        bad += ["waits of a task that is not seen to come: %s" % table.rows] if table.rows else []
    return bad + ([] if got == {"12": 4000000, "13": 4000000} else [str(got)])


def check_tracks(program, scratch, seed):
    """A scheduler trace whose switches have stacks is one with samples: tasks, CPUs, switches and waits are those without stacks."""
    path, plain = os.path.join(scratch, "tracks.perf"), os.path.join(scratch, "tracks.sched")
    text = (made.files("schedmake.py", "sched.txt", "seed=%d" % seed, "style=perf", "n=400", "cpus=3", "tasks=9") / "sched.txt").read_text(encoding="utf-8")
    with open(plain, "w", encoding="utf-8") as f:
        f.write(text)
    with open(path, "w", encoding="utf-8") as f:
        for line in text.splitlines():
            f.write(line + "\n" + ("" if line.startswith("#") else "\tffff1000 __schedule+0x1 ([kernel.kallsyms])\n\t7f10 work (/bin/a)\n\n"))
    queries = ("tasks | where cpu > 0 or off_cpu > 0 | sort tid cpu | select tid cpu off_cpu waits max_wait run_queue switches_in", "cpus | select cpu busy idle switches unaccounted",
               "switches | select time cpu state",
               "waits | sort start_wall wall state | select state start_wall wall")
    want, got = (ask(program, p, *queries) for p in (plain, path))
    bad = ["%s: %s" % (q.split()[0], x) for q, a, b in zip(queries, want, got) for x in differing(a.rows, b.rows)]
    stacks_, = ask(program, path, "methods | where total > 0 | select method")
    return bad + ([] if {row["method"] for row in stacks_.rows} == {"work"} else ["stacks: %s" % stacks_.rows])


def differing(want, got):
    return [(a, b) for a, b in zip(want + [None] * len(got), got + [None] * len(want)) if a != b][:3]


def check_sampled(program, scratch):
    """Switches sampled by perf record -F: what is between them is not there, so that nothing is known of waits."""
    path = os.path.join(scratch, "sampled.perf")
    switch = "app %d/%d [000] %d.%09d: %10d sched:sched_switch: prev_comm=app prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=x next_pid=%d next_prio=120\n\t    7f1000 f (/a)\n\n"
    bad = []
    for period, events, tasks in ((1, [["off-cpu"], ["sched:sched_switch"]], 0), (3, [["sched:sched_switch"]], 2)):
        with open(path, "w", encoding="utf-8") as f:
            f.write("".join(switch % (1 + i % 2, 1 + i % 2, 10, i * 1000, period if i == 4 else 1, 1 + i % 2, 2 - i % 2) for i in range(8)))
        a = program.ask(path, "cpus", options=("--no-index",))
        names, facts = ask(program, path, "events | sort name | select name", "info | where field = repair.sampled_switches | select value")
        bad += differing(events, [list(row.values()) for row in names.rows])
        bad += differing([] if period == 1 else [["1"]], [list(row.values()) for row in facts.rows]) + (["cpus: %d" % a.code] if a.code != tasks else [])
    return bad


def check_lost(program, scratch):
    """A thread that leaves twice came back in between: if events were lost, that is expected; otherwise its waits are unknown."""
    path, lost, bad = os.path.join(scratch, "lost.perf"), "app 1/1 [000] 0.000002: PERF_RECORD_LOST lost 5\n\n", []
    for between, want in ((lost, ["off-cpu", "sched:sched_switch"]), ("", ["sched:sched_switch"])):
        with open(path, "w", encoding="utf-8") as f:
            f.write(switch_sample(1, 1, 0, "f") + between + switch_sample(3, 1, 0, "f") + switch_sample(5, 0, 1, "f"))
        a = program.run(["--no-index", "-o", "tsv", "-e", "events | sort name | select name", path])
        bad += differing(want, a.out.splitlines()[1:])
    return bad


def check_short(program, scratch):
    """Addresses of three digits, as people write them: a text of prose and numbers is no such text, unless --as says so."""
    path = os.path.join(scratch, "short.perf")
    with open(path, "w", encoding="utf-8") as f:
        f.write("my worker 1 1970 \n\t7f1 hot\n\t7f2 th\n\nburn 1949 \n\t7f1 hot\n\t7f2 main\n\n")
    table, = ask(program, path, "threads | select name tid samples")
    bad = differing([["burn", "1949", "1"], ["my worker 1", "1970", "1"]], sorted(list(row.values()) for row in table.rows))
    with open(path, "w", encoding="utf-8") as f:
        f.write("Fruits\n\t12 apples\n\t3 pears\n\nVegetables\n\t5 beans\n\n")
    a = program.ask(path, "info", options=("--no-index",))
    return bad + (["it was read"] if a.code == 0 else []) + \
        differing([["Fruits"], ["Vegetables"]], sorted(list(row.values()) for row in ask(program, path, "threads | select name", options=("--as", "perf"))[0].rows))


def check_memory(program, scratch):
    """perf mem: the frame is behind the address, the source of the data and its weight."""
    path = os.path.join(scratch, "mem.perf")
    with open(path, "w", encoding="utf-8") as f:
        for i, (level, frame) in enumerate((("L1 hit", "400 main+0x1 (/a)"), ("L3 hit", "7f12ab operator new(unsigned long)+0x1 (/lib/a b.so)"),
                                            ("N/A", "7f12ab [unknown] (/lib/a.so)"))):
            f.write("burn  11 [000] 1.%06d:  100 cpu/mem-loads,ldlat=30/P:   7fff12%02x  10668100842 |OP LOAD|LVL %s|SNP None|TLB N/A|LCK No|BLK  N/A  %d  %s\n"
                    % (i, i, level, 12 + i, frame))
    table, = ask(program, path, "methods | select method self module")
    got = sorted(tuple(row.values()) for row in table.rows)
    want = [("[a.so]", "100", "/lib/a.so"), ("main", "100", "/a"), ("operator new(unsigned long)", "100", "/lib/a b.so")]
    return [] if got == want else [str(got)]


def check_cuts(program, scratch, text, step):
    """Cut anywhere: each whole sample is there, nothing ends badly."""
    path = os.path.join(scratch, "cut")
    bad = []
    whole = oracle.fold(text.decode())
    for n in sampled.turns(range(text.index(b"\t") + 40, len(text), step), 3):
        with open(path, "wb") as f:
            f.write(text[:n])
        a = program.ask(path, "stacks", options=("--no-index",))
        if a.code not in (0, 3, 5) or (a.code == 5) != (a.out == ""):
            bad.append("byte %d: status %d: %s" % (n, a.code, a.err.strip()))
        elif a.out:
            before = oracle.fold(text[:text.rfind(b"\n\n", 0, n) + 2].decode()) if b"\n\n" in text[:n] else {}
            got = {row["stack"]: int(row["weight"]) for row in a.tables()[0].rows}
            missing = [k for k, v in before.items() if got.get(answers.fit(k), 0) < v]
            if missing or sum(got.values()) > sum(whole.values()):
                bad.append("byte %d: %s" % (n, missing[:2]))
    return bad


TAIL = b"app 10 [000] 2.000000: 1 cycles:\n\t7f01 std::function<void (int)>::run (/lib/a.so)\n\t7f02 main ([kernel.kallsyms])\n\n"


def check_tail(program, scratch):
    """Cut anywhere in the last sample: no function and no event that the file does not have, and the loss is reported."""
    path = os.path.join(scratch, "tail")
    bad = []
    for n in range(len(TAIL)):
        text = (TAIL + TAIL)[:len(TAIL) + n]
        last = text[text.rfind(b"\n") + 1:]
        lost = 0 if last.endswith((b"(/lib/a.so)", b"([kernel.kallsyms])")) else len(last)
        with open(path, "wb") as f:
            f.write(text)
        a = program.ask(path, "info", "methods", "events", options=("--no-index",))
        info, methods, events = (t.rows for t in a.tables())
        facts = {row["field"]: row["value"] for row in info}
        names = {row["name"] for row in methods} | {row["name"] for row in events}
        if int(facts.get("loss.tail_bytes", 0)) != lost or a.code != (3 if lost else 0):
            bad.append("%r: %s lost, not %d; status %d" % (last, facts.get("loss.tail_bytes"), lost, a.code))
        if not names - {"[no stack]"} <= {"cycles", "main", "std::function<void (int)>::run"} or \
                ("[no stack]" in names) != text[:len(text) - lost].endswith(b"cycles:\n"):
            bad.append("%r: %s" % (last, names))
    return bad


# ---- files with expected answers --------------------------------------------------------


DIFFER = ((("cycles", "faults"), ("faults", "instructions")), (("cycles", "faults"), ("instructions", "faults", "cycles")), (("cycles",), ("faults",)),
    (("cycles", "b", "a"), ("faults", "a")), (("cycles", "a", "b", "c", "d"), ("faults",)))


def check_differ(program, scratch, first, second):
    """Two profiles whose current events differ: compared by one that both have, and which; else which one has, and what to do."""
    paths = []
    for number, events in enumerate((first, second)):
        paths.append(os.path.join(scratch, "differ%d.txt" % number))
        with open(paths[-1], "w") as f:
            for i, event in enumerate(events):
                f.write("java 1/1 %d.000000: 5 %s: \n\tffff main (a)\n\n" % (i + 1, event) * (9 if i == 0 else 1))
    run = program.run(["--no-index", "--quiet", "-o", "tsv", "-e", "methods | diff | select self self_before"] + paths)
    both = [e for e in first if e in second]
    names = lambda some: ", ".join(some[:4]) + (", ..." if some[4:] else "")
    if both:
        event = next((e for e in (first[0], second[0]) if e in both), both[0])
        code, said = 0, "note: compared by event %s, which both files have; choose with --event\n" % event
        rows = "self\tself_before\n%d\t%d\n" % tuple(5 * (9 if e[0] == event else 1) for e in (second, first))
    else:
        code, rows = 2, ""
        said = "different events; in both files: none; only in the first: %s; only in the second: %s; " \
            "record both with the same event\n" % (names(first), names(second))
    return [] if run.code == code and "icecore: " + said in run.err and run.out == rows else \
        ["%d %r %r, not %d %r %r" % (run.code, run.err, run.out, code, said, rows)]


def expected(path):
    out = {}
    for line in oracle.read(path).split("\n"):
        if line:
            k, n = line.rsplit(" ", 1)
            out[k] = out.get(k, 0) + int(n)
    return out


def check_expected(program, path, words, table, more, options=()):
    got, bad = stacks(program, path, words, options)
    bad += differences(table, got)
    return [] if more and len(bad) == 1 else bad


def check_events(program, path, facts):
    """facts: "headers=444 events=instructions:333,cycles:111"."""
    facts = dict(x.split("=", 1) for x in facts.split(" "))
    table, = ask(program, path, "events")
    got = {row["name"]: row["samples"] for row in table.rows}
    want = dict(e.rsplit(":", 1) for e in facts["events"].split(",") if e)
    bad = [] if not want or got == want else ["%s, not %s" % (got, want)]
    total = sum(int(n) for n in got.values())
    return bad + ([] if facts["headers"] in ("0", str(total)) else ["%d samples, not %s" % (total, facts["headers"])])


def perf_headers(path):
    return re.search(r"^\s*\S.*\s\d+(/\d+)?\s.*:", oracle.read(path), re.M)


def check_corpus(tap, program, folder, name):
    """All that is expected of one file of a corpus; what no sample is in is refused."""
    path = os.path.join(folder, name)
    if not perf_headers(path):
        attempt(tap, name + ": refused", refused, program, path)
        return
    with open(os.path.join(folder, "MANIFEST.tsv"), newline="") as f:
        facts = {m["file"]: m["expected_facts"] for m in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}[name]
    attempt(tap, "%s: %s" % (name, facts), check_events, program, path, facts)
    stem = os.path.basename(name).split(".")[0]
    tables = [(p, p[:-4].rsplit("-", 1)[1]) for p in
              sorted(glob.glob(os.path.join(folder, "expected/flamegraph", stem + "-collapsed-*.txt")))]
    tables += [(p, "rust") for p in
               glob.glob(os.path.join(folder, "expected/inferno", stem.removeprefix("inferno-") + "-collapsed.txt"))]
    tables += [(p, "") for p in glob.glob(os.path.join(folder, "expected/perf", os.path.basename(name).removesuffix(".gz") +
                                                       ".folded*"))]
    for table, words in tables:
        attempt(tap, "%s: stacks %s as %s" % (name, words, os.path.relpath(table, folder)), check_expected, program, path,
                words, expected(table), stem in CUT)


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    small = make("small")
    sampled.tell()
    for seed in sampled.turns(range(SEEDS)):
        attempt(tap, "random file %d" % seed, check_random, program, scratch, seed)
    for name, data in encodings(small):
        attempt(tap, name, check_encoding, program, scratch, small, data)
    for fields in FIELDS:
        for pad, source in ((False, False), (True, False), (False, True)):
            attempt(tap, "-F %s%s%s" % (fields.replace(" ", ","), ", padded" * pad, ",srccode" * source), check_fields, program, scratch, fields, pad, source)
    for fields in ("comm pid tid", "comm tid event", "comm pid tid period event", "comm pid tid cpu misc period event"):
        attempt(tap, "-F %s, names with colons" % fields.replace(" ", ","), check_fields, program, scratch, fields, False, False, LIKE_EVENTS)
    for wide in (False, True):
        for seed in (False, True):
            attempt(tap, "PERF_RECORD_SWITCH%s" % ("_CPU_WIDE" * wide), check_records, program, scratch, wide, seed)
    attempt(tap, "a recording of one process, with stacks", check_one_process, program, scratch, True)
    attempt(tap, "a recording of one process, without stacks", check_one_process, program, scratch, False)
    for seed in (1, 2):
        attempt(tap, "switches with stacks are tracks of the scheduler, seed %d" % seed, check_tracks, program, scratch, seed)
    attempt(tap, "switches that stand for several", check_sampled, program, scratch)
    attempt(tap, "switches that were lost", check_lost, program, scratch)
    attempt(tap, "short addresses", check_short, program, scratch)
    attempt(tap, "perf mem", check_memory, program, scratch)
    packed, half = gzip.compress(small), small.decode().encode("utf-16-le")
    attempt(tap, "whole names", check_whole, program, scratch, "whole")
    attempt(tap, "names alone", check_whole, program, scratch, "alone")
    attempt(tap, "gzip, cut", check_damaged, program, scratch, packed[:-40], "loss.gzip")
    attempt(tap, "zlib, cut", check_damaged, program, scratch, (b"TRACE:\n" + zlib.compress(small))[:-60], "loss.zlib")
    attempt(tap, "a page, cut", check_damaged, program, scratch, page(small)[:900], "loss.html")
    attempt(tap, "UTF-16, half a pair", check_damaged, program, scratch,
            b"\xff\xfe" + half.replace("r\0u\0s".encode(), b"\0\xd8u\0s"), "repair.utf16")
    for first, second in DIFFER:
        attempt(tap, "events %s and %s" % (" ".join(first), " ".join(second)), check_differ, program, scratch, first, second)
    attempt(tap, "cut at every byte", check_cuts, program, scratch, make("events"), 1)
    attempt(tap, "cut in the last sample", check_tail, program, scratch)
    attempt(tap, "cut at every seventh byte", check_cuts, program, scratch, small, 7)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
