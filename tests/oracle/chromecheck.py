# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Trace events of Chrome against the oracle chrome.py, for jsoncheck.py and corpus.py."""
import contextlib
import glob
import gzip
import io
import json
import os
import shutil

import chrome
import fillcheck
import made
from check import attempt, refused


READ = "XBEMbneSTpFCiIRstf"    # letters that are not counted as not read
FACTS = {"no_time": "repair.no_time", "first_ns": "clock_start", "moved": "repair.epoch", "end_without_begin": "repair.end_without_begin",
         "end_of_another_name": "repair.end_name", "outer_end": "repair.outer_end", "open": "repair.no_end", "cut": "loss.json", "own_stacks": "unread.stack",
         "totals": "unread.totals", "system": "unread.system", "gpus": "gpus", "gpu_time": "gpu_time", "gpu_idle": "gpu_idle", "gpu_busy": "gpu_busy"}


def tables(program, path, *queries, options=()):
    a = program.ask(path, *queries, options=("--no-index",) + options)
    if a.code not in (0, 1, 3) or not a.out:           # 1: the last table is empty
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return a.tables()


def calls_alone(program, path):
    """Return the options that show the calls without the samples in them."""
    a = program.ask(path, "events | where name = calls", options=("--no-index",))
    return ("--event", "calls") if a.code in (0, 3) and a.out and a.tables()[0].rows else ()


def compare_facts(rows, info, path):
    with open(path, "rb") as f:
        data = f.read()
    got = {r["field"]: r["value"] for r in info.rows}
    bad = ["%s is %s, not %s" % (fact, got.get(fact, "0"), r[1]) for r in rows for key, fact in FACTS.items()
           if r[0] == key and got.get(fact, "0") != r[1]]
    want = {"unread.phase." + r[1]: r[2] for r in rows if r[0] == "ph" and len(r[1]) == 1 and r[1] not in READ}
    if any(r[0] == "profile" for r in rows):          # events of these letters that are profiles are read: their number is not reported
        want = {k: got.get(k, "0") if k in ("unread.phase.P", "unread.phase.I") else n for k, n in want.items()}
        want = {k: n for k, n in want.items() if n != "0"}
    bad += ["%s is %s, not %s" % (k, got.get(k), want[k]) for k in want if got.get(k) != want[k]]
    cpu = sum(int(r[4].split("=")[1]) for r in rows if r[0] == "calls")
    bad += ["with_cpu is %s, not %d" % (got.get("with_cpu"), cpu)] if got.get("with_cpu", "0") != str(cpu) else []
    return bad + ["%s is not in the file" % k for k in got if k.startswith("unread.") and k not in want and k not in FACTS.values() and
                  (not k.startswith("unread.key.") or b'"%s":' % k[11:].encode() not in data.replace(b" ", b""))]


def compare_calls(rows, program, path, threads, inexact):
    """Each thread has as many calls as it should, which last so long together; what was cut or is open lasts otherwise."""
    want = sorted((int(r[2]), max(0, int(r[3]))) for r in rows if r[0] == "calls")
    used = [t for t in threads.rows if int(t["calls"])]
    answers = tables(program, path, *["spans @" + t["id"] for t in used], options=calls_alone(program, path)) if used else []
    got = [(len(table.rows), sum(int(s["wall"]) for s in table.rows)) for table in answers]
    if inexact:
        want, got = [w[:1] for w in want], [g[:1] for g in got]
    got = [g for g in got if g[0]]                      # threads with samples alone have none
    return [] if sorted(got) == sorted(want) else ["calls are %s, not %s" % (sorted(got)[:20], want[:20])]


def events_of(rows):
    """Return by event the weights of stacks and the samples of threads.  With several profiles of a thread, the later ones have their id in the name."""
    events, seen, names = {}, set(), {}
    for r in rows:
        if r[0] == "profile" and r[4] != "samples=0":
            names[r[1], r[2]] = "cpu-samples" + (" " + r[2] if r[3] in seen else ""), r[3].split("=")[1]
            seen.add(r[3])
    for r in rows:
        if r[0] == "stack":
            (name, thread), stack, n, weight = names[r[1], r[2]], r[3], r[4], r[5]
        elif r[0] == "top_sample":
            thread, name, stack, n, weight = r[1], r[2] or "samples", *r[3:6]
        else:
            continue
        stacks, threads = events.setdefault(name, ({}, {}))
        stacks[stack] = stacks.get(stack, 0) + int(weight)
        threads[thread] = threads.get(thread, 0) + int(n)
    return events


def folded(program, path, *options):
    got = {}
    for line in program.run(["--no-index", "-o", "folded", *options, path]).out.split("\n")[:-1]:
        stack, _, n = line.rpartition(" ")
        stack = stack.partition(";")[2]               # without the thread
        got[stack] = got.get(stack, 0) + int(n)
    return got


def differences(what, got, want):
    return ["%s: %s: %s, not %s" % (what, k, got.get(k), want.get(k)) for k in sorted(set(want) | set(got)) if want.get(k) != got.get(k)]


def compare_samples(rows, program, path, alone):
    """Each stack of each event has its weight, chosen in both ways, and each thread its samples; alone: without calls one event counts."""
    want, profiles = events_of(rows), [r for r in rows if r[0] == "profile"]
    info, events = tables(program, path, "info", "events")
    facts = {r["field"]: r["value"] for r in info.rows}
    bad = differences("samples", {r["name"]: r["samples"] for r in events.rows if r["name"] != "calls"}, {k: str(sum(v[1].values())) for k, v in want.items()})
    bad += ["%s counts" % r["name"] for r in events.rows if r["current"] == "true" and not alone]
    for name, (stacks, threads) in want.items():
        stacks = {k: n for k, n in stacks.items() if n}                 # a sample without weight has no line there
        bad += differences("--event " + name, folded(program, path, "--event", name, "-e", "calls"), stacks)
        bad += differences("event " + name, folded(program, path, "-e", "calls | event '%s'" % name), stacks)
        if alone and facts.get("event") == name:
            bad += differences("calls", folded(program, path, "-e", "calls"), stacks)
        table, = tables(program, path, "threads | event '%s' | where samples > 0" % name)
        ids = ["%s/%s" % (r["pid"], r["tid"]) for r in table.rows]
        if all(t.replace("/", "").isdigit() and not t.startswith("/") for t in threads):
            bad += differences("threads of " + name, dict(zip(ids, (int(r["samples"]) for r in table.rows))), threads)
    unknown = sum(int(r[7].split("=")[1]) for r in profiles)
    return bad + (["%s samples of no node, not %d" % (facts.get("repair.node"), unknown)] if facts.get("repair.node", "0") != str(unknown) else [])


def plain(text):
    """As the oracle prints it: tables have escapes where it has blanks."""
    return text.replace("\\t", " ").replace("\\n", " ")


def compare_marks(rows, program, path):
    """Async operations, counters, instants and flows, kind by kind."""
    sums = "async | group cat name : sum count, sum total, max max, sum points, sum open"
    info, kinds, counters, marks, flows = tables(program, path, "info", sums, "counters", "marks | group name scope : count", "flows")
    facts = {r["field"]: r["value"] for r in info.rows}
    got = {"async": {(r["cat"], r["name"]): [r["sum_count"], r["sum_total"], r["max_max"], r["sum_points"], r["sum_open"]]
                     for r in kinds.rows},
           "counter": {(r["pid"], r["counter"], r["key"]): [r["points"], r["min"], r["max"], r["last"]] for r in counters.rows},
           "instant": {(r["name"], r["scope"][0]): [r["count"]] for r in marks.rows}}
    want = {"async": {(r[1], r[2]): [f.split("=")[1] for f in r[3:]] for r in rows if r[0] == "async"},
            "counter": {(r[1], r[2], r[3]): [f.split("=")[1] for f in r[4:]] for r in rows if r[0] == "counter"},
            "instant": {(r[1], r[2]): [r[3]] for r in rows if r[0] == "instant"}}
    bad = []
    for kind in want:
        mine = {tuple(plain(k) for k in key): [float(v) for v in got[kind][key]] for key in got[kind]}
        other = {key: [float(v) for v in want[kind][key]] for key in want[kind]}
        bad += ["%s %s: %s, not %s" % (kind, k, mine.get(k), other.get(k)) for k in sorted(set(mine) | set(other))
                if mine.get(k) != other.get(k)]
    ends, = [r[1] for r in rows if r[0] == "async_end_without_begin"]
    if facts.get("repair.async_end", "0") != ends:
        bad.append("%s ends without a begin, not %s" % (facts.get("repair.async_end"), ends))
    mine = ["flows", str(len(flows.rows)), "whole=%d" % sum(r["whole"] == "true" for r in flows.rows)]
    # Stored tables have the number of chains.
    chains = ["flow_chains", str(len({(r["name"], r["cat"], r["key"]) for r in flows.rows}))]
    return bad + ([] if mine in rows or chains in [r[:2] for r in rows] else ["flows are %s of %s chains" % (mine[1:], chains[1])])


def compare(program, path, lines):
    rows = [line.split("\t") for line in lines]
    has = {what for what in ("calls", "stack", "top_sample", "async", "counter", "instant") if any(r[0] == what for r in rows)}
    if not has:
        return refused(program, path)
    some, bad = bool(has & {"stack", "top_sample"}), compare_marks(rows, program, path)
    if "calls" not in has:
        return bad + (compare_samples(rows, program, path, True) if some else [])
    info, threads = tables(program, path, "info", "threads")
    if any(r["field"] == "unread.timeless" for r in info.rows):      # calls of no length beside samples
        return bad + compare_samples(rows, program, path, True)
    inexact = any(r["field"] in ("repair.overlap",) and int(r["value"]) for r in info.rows)
    return bad + compare_facts(rows, info, path) + compare_calls(rows, program, path, threads, inexact) + \
        (compare_samples(rows, program, path, False) if some else [])


def check_corpus(tap, program, folder):
    for path in sorted(glob.glob(os.path.join(folder, "data", "*.json*")) + glob.glob(os.path.join(folder, "data", "gen", "*"))):
        expected = os.path.join(folder, "expected", os.path.basename(path) + ".tsv")
        if os.path.exists(expected + ".gz"):
            with gzip.open(expected + ".gz", "rt", errors="surrogateescape") as f:
                lines = f.read().split("\n")[:-1]
        elif os.path.exists(expected):
            with open(expected, errors="surrogateescape") as f:
                lines = f.read().split("\n")[:-1]
        else:
            continue
        # The tables take totals of clang for calls, what never ends for nothing, and an end for that of the innermost call.
        if "clang" in os.path.basename(path) or "open\t0" not in lines or "end_of_another_name\t0" not in lines:
            lines = asked(path)
        attempt(tap, os.path.basename(path) + ": trace events", compare, program, path, lines)


def asked(path):
    """Return the lines that the oracle prints for a file."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        chrome.main([None, path])
    return out.getvalue().split("\n")[:-1]


def too_fast(program, path):
    """No call, method or thread runs for longer than it lasts."""
    found = []
    for query in ("spans | select method wall cpu", "methods | select name total_wall total_cpu", "threads | select name wall cpu"):
        table, = tables(program, path, query)
        found += ["%s: %s" % (query, row) for row in map(tuple, map(dict.values, table.rows)) if row[2] and int(row[2]) > int(row[1])]
    return found[:3]


def callers_less(program, path):
    """No calls have more CPU time than their caller."""
    table, = tables(program, path, "calls | select id parent total_cpu method")
    callees = {}
    for row in table.rows:
        callees[row["parent"]] = callees.get(row["parent"], 0) + int(row["total_cpu"] or 0)
    return ["callees of %(method)s: %%d of %(total_cpu)s" % row % callees[row["id"]] for row in table.rows
            if row["total_cpu"] and callees.get(row["id"], 0) > int(row["total_cpu"])][:3]


def jumps(program, path):
    """What a clock jumps by is no time of its thread."""
    spans, threads = tables(program, path, "spans | select method cpu", "threads | select cpu")
    got = [tuple(row.values()) for row in spans.rows + threads.rows]
    return [] if got == [("a", "600000"), ("b", "100000"), ("c", "40000"), ("740000",)] else [str(got)]


def steps_back(program, path):
    """A call whose CPU time is unknown does not set the clock back."""
    table, = tables(program, path, "info | where field = repair.backwards | select value")
    return ["backward steps: %s" % row for row in table.rows if row["value"] != "0"]


def crossed(program, path):
    """Calls that cross others lose as little time as possible, which is told, and each is at its depth."""
    with open(path, encoding="utf-8") as f:
        events = [e for e in json.load(f) if "args" in e]
    info, spans = tables(program, path, "info", "spans | sort start_wall depth | select depth method wall")
    facts, cost = {r["field"]: r["value"] for r in info.rows}, int(path.rpartition("-")[2].partition(".")[0])
    lost = sum(round(1000 * e["dur"]) for e in events if "dur" in e) - sum(int(r["wall"]) for r in spans.rows if r["method"] not in [e["name"] for e in events if e["ph"] == "B"])
    got, want = [(r["method"], r["depth"]) for r in spans.rows], [(e["name"], str(e["args"]["depth"])) for e in sorted(events, key=lambda e: (e["ts"], e["args"]["depth"]))]
    return (["lost %d, reported %s, not %d" % (lost, facts.get("repair.overlap_time"), cost)] if (lost, facts.get("repair.overlap_time", "0")) != (cost, str(cost)) else []) + \
        (["%s, not %s" % (got, want)] if got != want else [])


def unknown(program, path):
    """The CPU time of a method is empty if that of none of its calls is known."""
    with open(path, encoding="utf-8") as f:
        events = json.load(f)
    known, opened = {e["name"] for e in events if e["ph"] == "X" and "tdur" in e}, {}
    for e in events:
        if e["ph"] == "B":
            opened[e["tid"]] = "tts" in e
        elif e["ph"] == "E" and "tts" in e and opened[e["tid"]]:
            known.add(e["name"])
    table, = tables(program, path, "methods | select name self_cpu total_cpu self_off")
    return ["%s, known: %s" % (row, known) for row in table.rows for column in ("self_cpu", "total_cpu", "self_off")
            if (row[column] != "") != (row["name"] in known)]


def waits_known(program, path):
    """No thread waits before its CPU time is known for the first time, or after the last time."""
    with open(path, encoding="utf-8") as f:
        events = json.load(f)
    known = {}
    for e in events:
        for at in [e["ts"]] * ("tts" in e or "tdur" in e) + [e["ts"] + e.get("dur", 0)] * ("tdur" in e):
            known.setdefault(str(e["tid"]), []).append(at)
    first = min(e["ts"] for e in events)
    threads, waits = tables(program, path, "threads | select id tid", "waits | select thread_id start_wall wall")
    tid = {row["id"]: row["tid"] for row in threads.rows}
    seen = [(tid[row["thread_id"]], first + int(row["start_wall"]) // 1000, int(row["wall"]) // 1000) for row in waits.rows]
    return ["waits at %s for %s us: %s" % row for row in [(at, wall, known.get(t, [])[:1] + known.get(t, [])[-1:]) for t, at, wall in seen
            if t not in known or at < min(known[t]) or at + wall > max(known[t])]][:3]


def check_made(tap, program, scratch):
    """Compare edge cases of our own with the oracle."""
    folder = os.path.join(scratch, "chrome")
    shutil.copytree(made.files("chromemake.py", "."), folder)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        attempt(tap, name + ": trace events", compare, program, path, asked(path))
        if name.startswith("filled"):
            attempt(tap, name + ": samples in calls", fillcheck.compare, program, path)
        if name.startswith(("clocks", "filled")):
            attempt(tap, name + ": CPU time", too_fast, program, path)
            attempt(tap, name + ": CPU time of callees", callers_less, program, path)
            attempt(tap, name + ": steps back", steps_back, program, path)
        if name == "clocks-jump.json":
            attempt(tap, name + ": jumps", jumps, program, path)
        if name.startswith("crossed"):
            attempt(tap, name + ": lost time", crossed, program, path)
        if name.startswith("clocks"):
            attempt(tap, name + ": unknown CPU time", unknown, program, path)
            attempt(tap, name + ": waits", waits_known, program, path)
