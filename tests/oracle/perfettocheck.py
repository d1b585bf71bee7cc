#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfettocheck.py BUILD SCRATCH - Perfetto traces against the oracle perfetto/slowperfetto.py, as TAP.

Switches are compared by time, CPU and task, spans, instants and lines of the log by name and time, counters by the number of their values,
samples by event and stack.
"""
import collections
import glob
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "perfetto"))
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import dumpkeys  # noqa: E402
import perfettomake  # noqa: E402
import slowperfetto  # noqa: E402
from check import Tap, attempt  # noqa: E402
from chromecheck import calls_alone  # noqa: E402

# Files that differ from the oracle on purpose, or whose kinds are not read yet.
DIFFERS = {
    "deep": "all 700 spans are shown, not 512",
    "GraphicsGpuTrace.gpu_counter_descriptor_parsed_without_timestamp": "the stored table lacks a descriptor without a time, which Perfetto reads",
    "GenericKernelParser.sched_switch_multiple_threads": "a task that left its CPU waits, also in an unknown state",
}
# The reader of the stored tables had no zstd, and cut calls that cross others to their parents; perfettomake.odd makes the same packets.
UNPACKED = {"zstd", "overlap"}
# Oracle's tables whose rows icecore does not show.
UNREAD = {
    "ChromeParser.chrome_thread_is_sandboxed_tid",
}
# Those whose stored tables have the short names of methods.
RENAMED = {"ProfilingHeapProfiling.heap_profile_deobfuscate", "R8RetraceCompat.inline_positions"}
CLOCKS = ("thread_time", "thread_instruction_count")
DETAILS = ("spans | select method start_wall detail", "async_spans | select name start_wall detail", "marks | select name time detail")
QUERIES = ("info", "switches | select time cpu to_id", "tasks | select id tid", "spans | select method start_wall wall thread_id",
           "async_spans | select name start_wall wall open thread_id process", "marks | select name time cat thread_id process tag priority", "counters | select counter pid points",
           "waits | select thread_id start_wall blocked_in io_wait",
           "flows | select name to start delay key",
           "frames | select token start_wall kind pid jank tag present on_time layer display severity prediction")


def tables_of(path):
    """Return the rows that the oracle reads, by table."""
    trace = slowperfetto.Trace()
    trace.read(path)
    out = {}
    for name in ("packets", "procs", "threads", "sched", "states", "slices", "wakes", "counters", "logs", "samples", "heap", "flows", "frames", "losses"):
        rows = [[slowperfetto.clean(c) for c in r] for r in slowperfetto.out_rows(trace, name)]
        out[name] = [dict(zip(rows[0], r)) for r in rows[1:]]
    return out


def stored_of(path):
    """The same for a file with stored tables, each line begins with the name of its table."""
    lines = collections.defaultdict(list)
    with open(path, newline="\n", encoding="utf-8") as f:
        for line in f:
            word, _, rest = line.rstrip("\n").partition("\t")
            lines[word].append(rest.split("\t"))
    return {k: [dict(zip(v[0], r)) for r in v[1:]] for k, v in lines.items()}


def differ(what, ours, theirs):
    a, b = collections.Counter(ours), collections.Counter(theirs)
    return [] if a == b else ["%s: more %s, less %s" % (what, list((a - b).elements())[:3], list((b - a).elements())[:3])]


def one(program, path, query, options=()):
    a = program.ask(path, query, options=("--no-index", "--clock", "wall") + options)
    return a.tables()[0].rows if a.code in (0, 1, 3) and a.out else []


def threads_of(program, path):
    """Threads by their numbers: tid, process and name.  Traces of marks alone have no source of threads: None.

    A thread with marks and with track events that stay apart has two rows."""
    rows = one(program, path, "threads | select id tid name process") or one(program, path, "tasks | select id tid name process")
    return {r["id"]: (r["tid"], r["process"], re.sub(r" \((marks|track events)\)$", "", r["name"])) for r in rows} or None


def cpu_differ(program, path, base, want):
    """Calls of threads with CPU times, which are at most as long as the calls."""
    theirs = {(answers.fit(r["name"]), int(r["ts"]), int(r["dur"])): str(min(int(r["thread_dur"]), int(r["dur"]))) for r in want.get("slices", [])
              if r["kind"] == "thread_te" and r["thread_dur"] not in ("", "-1")}
    ours = {(r["method"], int(r["start_wall"]) + base, int(r["wall"])): r["cpu"]
            for r in one(program, path, "spans | select method start_wall wall cpu", calls_alone(program, path))} if theirs else {}
    bad = [(k, v, ours.get(k)) for k, v in theirs.items() if ours.get(k) != v]
    return ["CPU times: %d of %d, %s" % (len(bad), len(theirs), bad[:3])] if bad else []


def process_name(pid, name):
    """A process without a name is called by its number."""
    return answers.fit(name) or (pid if pid != "0" else "")


def names_of(want):
    """Return the possible names of threads by tid and process: a main thread without a name has that of its process, or is "main"."""
    process = collections.defaultdict(set)
    for r in want.get("procs", []):
        process[r["pid"]].add(r["name"])
    out = set()
    for r in want.get("threads", []):
        for of in process.get(r["pid"], {""}):
            names = [r["name"]] if r["name"] else [of or "main" if r["main"] == "1" else "thread " + r["tid"], "thread " + r["tid"]]
            out |= {(r["tid"], process_name(r["pid"], of), answers.fit(n)) for n in names}
    # The idle task has a name where its calls are shown.
    return out | {("0", "", "swapper/0"), ("0", "", "0/0")}


def spans_of(program, path, base, threads, want):
    marks = one(program, path, QUERIES[5])
    nobody = ("", "", "")
    tid_of = lambda r: "" if threads is None else threads.get(r["thread_id"], nobody)[0]
    spans = [(r["method"], int(r["start_wall"]) + base, int(r["wall"])) + threads[r["thread_id"]][:2] for r in one(program, path, QUERIES[3], calls_alone(program, path))] + \
        [(r["name"], int(r["start_wall"]) + base, -1 if r["open"] == "true" else int(r["wall"]), tid_of(r), r["process"]) for r in one(program, path, QUERIES[4])] + \
        [(r["name"], int(r["time"]) + base, 0, tid_of(r), r["process"]) for r in marks
         if r["cat"] not in ("log", "kernel")]
    theirs = [(answers.fit(r["name"] or r["track"]), int(r["ts"]), int(r["dur"]), r["tid"] if threads else "", process_name(r["pid"], r["process"]))
              for r in want.get("slices", [])]
    # Old asynchronous events with an id of all processes are shown in that of their thread.
    old = {(answers.fit(r["name"]), int(r["ts"])) for r in want.get("slices", []) if r["kind"] == "legacy_async_global"}
    spans = [s[:4] + ("",) if s[:2] in old else s for s in spans]
    # A call that is open lasts to the end of the trace.
    open_at, left = collections.Counter(x[:2] for x in theirs if x[2] == -1), []
    for s in spans:
        if open_at[s[:2]] > 0:
            open_at[s[:2]] -= 1
            s = s[:2] + (-1,) + s[3:]
        left.append(s)
    return differ("spans", left, theirs) + \
        differ("log", [(int(r["time"]) + base, tid_of(r), r["priority"], r["tag"], r["name"]) for r in marks if r["cat"] == "log"],
               [(int(r["ts"]), r["tid"] if threads else "", dict(enumerate("VDIWEF", 2)).get(int(r["prio"]), ""), answers.fit(r["tag"]),
                 answers.fit(r["tag"] + ": " + r["message"])) for r in want.get("logs", [])])


def args_differ(program, path, base, want):
    """Args of annotations with plain values; nested ones and those of typed fields are left out."""
    theirs = {}
    for r in want.get("slices", []):
        told = r["args"].split("; ") if "debug." in r["args"] and "{...}" not in r["args"] else []
        if told and all(a.startswith("debug.") for a in told):
            theirs[answers.fit(r["name"]), int(r["ts"])] = sorted(answers.fit(re.sub("=(True|False)$", lambda m: m[0].lower(), a[6:])) for a in told)
    ours = {(list(r.values())[0], int(list(r.values())[1]) + base): r["detail"] for q in DETAILS for r in one(program, path, q)} if theirs else {}
    bad = [(k, v, ours.get(k)) for k, v in theirs.items() if any(a not in ours.get(k, "") for a in v) and len(" ".join(v)) < 200]
    return ["args: %s" % bad[:3]] if bad else []


def processes_differ(program, path, want):
    """All processes, also those without threads that did anything; except the one that stands for no process."""
    ours = [(r["pid"], r["name"]) for r in one(program, path, "processes | where pid != '' | select pid name")]
    # A process that has no name is called as the kernel calls its main thread.
    main = {(r["pid"], r["name"]) for r in want.get("threads", []) if r["main"] == "1"}
    for r in want.get("procs", []):
        r["name"] = r["name"] or next((name for pid, name in ours if pid == r["pid"] and (pid, name) in main), "")
    called = {r["pid"]: r["name"] for r in want.get("procs", [])}
    for table in want.values():
        for r in table if isinstance(table, list) else []:
            if r.get("process") == "" and r.get("pid") in called:
                r["process"] = called[r["pid"]]
    return differ("processes", ours, [(r["pid"], process_name(r["pid"], r["name"])) for r in want.get("procs", []) if r["pid"] != "0"])


LOSSES = {"loss.packets_bad": ("bad_packets", "cut_packets"), "loss.tail_bytes": ("lost_bytes",), "loss.packets_state": ("skipped_needs_state",),
          "loss.sequences": ("previous_packet_dropped",), "repair.machines": ("other_machine",), "concatenated": ("concatenated",),
          "loss.packed": ("bad_compressed", "zstd_packets_not_read"), "repair.clock_assumed": ("clock_assumed",),
          "loss.sequences.overwritten": ("loss_reason.overwrite",), "loss.sequences.shared_memory_full": ("loss_reason.smb_full",),
          "loss.recorder.chunks_discarded": ("trace_stats.chunks_discarded",), "loss.recorder.patches_discarded": ("trace_stats.patches_discarded",),
          "no_stack.unwind": ("perf_skipped.unwind",), "no_stack.read": ("perf_skipped.read",)}


def losses_differ(facts, want):
    theirs = {r["key"]: int(r["value"]) for r in want.get("losses", []) if r["value"].isdigit()}
    # The oracle does not count dumps of heap profiles whose clock no snapshot has.
    keys = [k for k in LOSSES if k != "repair.clock_assumed" or not packets_of(want, "profile_packet")]
    return differ("losses", [(k, int(facts.get(k, 0))) for k in keys], [(k, sum(theirs.get(x, 0) for x in LOSSES[k])) for k in keys])


def packets_of(want, name):
    return sum(int(r["count"]) for r in want.get("packets", []) if r["name"] == name)


def counter_of(r):
    """Return the name of a counter of the oracle here, and its value: a CPU is part of the name; an idle state is one more, and 0 outside it."""
    name, value = r["track"], float(r["value"])
    limit = re.match(r"Cpu (\d+) (Max|Min) Freq Limit$", name)
    if limit:
        name = "cpufreq limit %s CPU %s" % (limit[2].lower(), limit[1])
    elif r["cpu"] != "":
        name += " CPU " + r["cpu"]
        if r["track"] == "cpuidle":
            value = 0 if value == 4294967295 else value + 1
    return answers.fit(name), round(value, 6)


def counters_differ(program, path, base, want):
    """Values of counters by time, and how many each counter of each process has."""
    theirs = [r for r in want.get("counters", []) if r["track"] not in CLOCKS]
    told = [r for r in one(program, path, QUERIES[6]) if r["counter"].split(" ")[0] not in CLOCKS]
    called = lambda name: "gpufreq" if name.startswith("gpufreq ") else name.replace("GPU counter ", "")
    bad = differ("counters", [(called(r["counter"]), r["pid"]) for r in told for _ in range(int(r["points"]))],
                 [(counter_of(r)[0], r["pid"] if r["pid"] != "0" else "") for r in theirs])
    # Those of the calls of a thread are part of what the oracle has of it.
    clocks = [(r["track"], int(r["start_wall"]) + base, float(r["value"])) for r in one(program, path, "metrics | where track ~ /^thread_time / and value != none | select track start_wall value")]
    bad += ["clock %s" % (c,) for c in set(clocks) - {(r["track"] + " " + r["tid"], int(r["ts"]), float(r["value"])) for r in want.get("counters", [])}][:3]
    gauges = {r["id"] for r in one(program, path, "tracks | where kind = gauge and unit != open | select id")} if theirs else set()
    # A profile has no source of tracks.
    if told and not gauges:
        return bad
    ours = [(called(r["track"]), int(r["start_wall"]) + base, round(float(r["value"]), 6))
            for r in one(program, path, "metrics | where value != none | select track start_wall value track_id") if r["track_id"] in gauges and r["track"].split(" ")[0] not in CLOCKS] if theirs else []
    return bad + differ("values", ours, [(counter_of(r)[0], int(r["ts"]), counter_of(r)[1]) for r in theirs])


def class_of(state):
    return {"Running": "running", "R": "runnable", "R+": "runnable", "S": "sleeping", "I": "sleeping"}.get(state, "blocked" if state[:1] == "D" else "other")


def states_differ(program, path, base, tid, want):
    """States of tasks.  One that has no end lasts to the end of the trace, or there is none of length 0."""
    theirs = [(int(r["ts"]), int(r["dur"]), r["tid"], class_of(r["state"])) for r in want.get("states", [])]
    ours = [(int(r["start_wall"]) + base, int(r["wall"]), tid.get(r["thread_id"]), r["class"])
            for r in one(program, path, "states | select thread_id start_wall wall class")] if theirs else []
    open_at, left = collections.Counter((t, i, c) for t, d, i, c in theirs if d == -1), []
    for t, d, i, c in ours:
        if open_at[t, i, c] > 0:
            open_at[t, i, c] -= 1
        else:
            left.append((t, d, i, c))
    # Two copies of one trace in one file have the same times, so their sleeps cannot be distinguished.
    return differ("states", left, [x for x in theirs if x[1] > 0]) if "concatenated" not in path and "zip-of-two" not in path else []


def wakes_differ(program, path, base, tid, want):
    """Wakeups that ended a sleep, or a start; who was interrupted is not the waker.  Without switches there are no tasks to be woken."""
    theirs = {(int(r["ts"]), r["tid"]): r["waker_tid"] for r in want.get("wakes", []) if r["effective"] == "1" and want.get("sched")}
    rows = one(program, path, "wakeups | select time task_id waker_id") if theirs else []
    ours = {(int(r["time"]) + base, tid.get(r["task_id"])): tid.get(r["waker_id"]) if r["waker_id"] not in ("", "0") else None for r in rows}
    known = {k: x for k, x in ours.items() if x is not None}
    return differ("wakes", list(ours), list(theirs)) + differ("wakers", list(known.items()), [(k, theirs.get(k)) for k in known])


def blocked_differ(program, path, base, tid, want):
    """Why tasks slept; a task that nobody woke up has no wait."""
    theirs = [(int(r["ts"]), r["tid"], answers.fit(r["blocked_function"]), r["io_wait"]) for r in want.get("states", []) if r["io_wait"] != ""]
    ours = [(int(r["start_wall"]) + base, tid.get(r["thread_id"]), r["blocked_in"], str(int(r["io_wait"] == "true")))
            for r in one(program, path, QUERIES[7]) if r["io_wait"] != ""] if theirs else []
    return differ("reasons of waits", ours, theirs)


PRESENT = {"on time": "On-time Present", "late": "Late Present", "early": "Early Present", "dropped": "Dropped Frame", "unknown": "Unknown Present",
           "": "Unspecified Present"}
PREDICTION = {"valid": "Valid Prediction", "expired": "Expired Prediction", "unknown": "Unknown Prediction", "": "Unspecified Prediction"}


def frames_differ(program, path, base, want):
    """Frames with an actual time: whose fault they are, their layer, the frame that shows them, and whether they were predicted."""
    theirs = [(r["token"], int(r["ts"]), r["layer_kind"] == "display", r["pid"], "" if r["jank_type"] in ("None", "Unspecified") else r["jank_type"],
               r["jank_tag"].replace("Unspecified", ""), r["present"], r["on_time"] != "0", answers.fit(r["layer"]),
               r["display_token"] if r["layer_kind"] == "surface" else "", r["severity"].lower().replace("unknown", ""),
               r.get("prediction"))
              for r in want.get("frames", []) if r["kind"] == "Actual"]
    said = any(t[-1] is not None for t in theirs)       # kept answers have no predictions
    ours = [(r["token"], int(r["start_wall"]) + base, r["kind"] == "display", r["pid"], r["jank"], r["tag"], PRESENT[r["present"]], r["on_time"] == "true",
             r["layer"], r["display"], r["severity"], PREDICTION[r["prediction"]] if said else None) for r in one(program, path, QUERIES[9])] if theirs else []
    return differ("frames", ours, theirs)


# Old flows, and flows at the end of a slice, begin and end at the time of their event here, and with their slice in the oracle.
FLOWS_INSIDE = {"flows", "TrackEvent.flow_events_proto_v1", "TrackEvent.flow_events_track_event"}


def flows_differ(program, path, base, want):
    """Flows by ids, from transactions to their receivers, and from frames of apps to those of the display."""
    inside = os.path.basename(path).split(".pftrace")[0] in FLOWS_INSIDE
    theirs = [(answers.fit(r["out_name"]), answers.fit(r["in_name"])) if inside else
              (answers.fit(r["out_name"]), int(r["out_ts"]), int(r["in_ts"]) - int(r["out_ts"]), r["id"]) for r in want.get("flows", [])]
    ours = [(r["name"], r["to"]) if inside else (r["name"], int(r["start"]) + base, int(r["delay"]), r["key"])
            for r in one(program, path, QUERIES[8])] if theirs else []
    return differ("flows", ours, theirs)


def profiles_of(want):
    """Weights of stacks by event."""
    out = collections.defaultdict(collections.Counter)
    left = collections.defaultdict(collections.Counter)
    for r in want.get("samples", []):
        if r["stack"]:
            out[r["event"]][r["stack"]] += int(r["weight"])
    for r in want.get("heap", []):
        of = "" if r["heap"] == "unknown" else " of " + r["heap"]
        for column, gained, lost, kept in (("bytes", "allocated bytes", "freed bytes", "unreleased bytes"),
                                           ("count", "allocations", "frees", "unreleased allocations")):
            n = int(r[column])
            if n != 0:
                out[(gained if n > 0 else lost) + of][r["stack"]] += abs(n)
            if r["heap"] != "com.android.art":
                left[kept + of][r["pid"], r["stack"]] += n
    for event, stacks in left.items():
        for (_, stack), n in stacks.items():
            if n > 0:
                out[event][stack] += n
    return out


def samples_differ(program, path, want):
    theirs = profiles_of(want)
    events = {r["name"] for r in one(program, path, "events | where samples > no_stack and name != calls")} if theirs else set()
    bad = differ("events", list(events), list(theirs))
    for event in sorted(events & set(theirs)):
        ours = collections.Counter()
        lines = program.run(program.options + ["--no-index", "--event", event, "-o", "folded", "-e", "calls", path]).out.split("\n")[:-1]
        for line in lines:
            stack, _, n = line.rpartition(" ")
            if ";" in stack:
                ours[stack.partition(";")[2]] += int(n)
        fits = collections.Counter()
        for stack, n in theirs[event].items():
            fits[answers.fit(stack)] += n
        bad += differ("stacks of " + event, list(answers.demangled(ours).items()), list(answers.demangled(fits).items()))
    return bad


def compare(program, path, want):
    a = program.ask(path, QUERIES[0], options=("--no-index",))
    if a.code not in (0, 1, 3):
        some = any(want.get(k) for k in ("sched", "slices", "counters", "logs", "samples", "heap"))
        return ["exit status %d: %s" % (a.code, a.err.strip())] if some or a.code != 5 else []
    facts = {r["field"]: r["value"] for r in a.tables()[0].rows}
    base = int(facts.get("clock_start", "0"))
    threads = threads_of(program, path)
    tid = {k: v[0] for k, v in (threads or {}).items()}
    tid["0"] = "0"
    processes = processes_differ(program, path, want)
    named = set((threads or {}).values()) - names_of(want)
    times = [int(r["ts"]) for t in ("sched", "slices", "counters", "logs") for r in want.get(t, [])]
    first = differ("first event", [base], [min(times)]) if times and not want.get("samples") and not want.get("states") and not want.get("heap") else []
    return first + losses_differ(facts, want) + processes + (['threads: %s' % sorted(named)[:3]] if named and "threads" in want else []) + differ("switches", [(int(r["time"]) + base, r["cpu"], tid.get(r["to_id"])) for r in one(program, path, QUERIES[1])],
                  [(int(r["ts"]), r["cpu"], r["tid"]) for r in want.get("sched", [])]) + \
        spans_of(program, path, base, threads, want) + cpu_differ(program, path, base, want) + args_differ(program, path, base, want) + flows_differ(program, path, base, want) + frames_differ(program, path, base, want) + \
        states_differ(program, path, base, tid, want) + \
        wakes_differ(program, path, base, tid, want) + blocked_differ(program, path, base, tid, want) + samples_differ(program, path, want) + \
        counters_differ(program, path, base, want)


def check_made(program, path):
    return compare(program, path, tables_of(path))


def check_cuts(program, path, scratch):
    """Whatever a file is cut to is read as the oracle reads it, or refused."""
    with open(path, "rb") as f:
        data = f.read()
    bad = []
    for n in range(1, len(data), int(os.environ.get("HURT_STEP", "13"))):
        cut = os.path.join(scratch, "cut.pftrace")
        with open(cut, "wb") as f:
            f.write(data[:n])
        a = program.ask(cut, "info", options=("--no-index",))
        if a.code not in (0, 1, 3, 5):
            bad.append("%d bytes: exit status %d: %s" % (n, a.code, a.err.strip()[:200]))
        elif a.code != 5 and n % 5 == 0:
            bad += ["%d bytes: %s" % (n, x) for x in check_made(program, cut)]
    return bad


def check_order(program, path):
    """A task that is woken at the time at which it leaves its CPU was woken after it left, whichever CPU comes first in the file.
    So was one that is woken just before, unless it is woken again: the kernel waits for its CPU to make the switch."""
    t, bad = 10 ** 12, []
    one_cpu = perfettomake.bundle(0, [perfettomake.switch(t, 0, "swapper/0", 0, 100, "app"), perfettomake.switch(t + 1000, 100, "app", 1, 200, "other"),
                                      perfettomake.switch(t + 9000, 200, "other", 1, 100, "app"), perfettomake.switch(t + 9500, 100, "app", 1, 0, "swapper/0")])
    def other_cpu(*wakings):
        return perfettomake.bundle(1, [perfettomake.switch(t + 10, 0, "swapper/1", 0, 300, "waker")] +
                                   [perfettomake.waking(t + at, 300, 100, "app") for at in wakings] +
                                   [perfettomake.switch(t + 9900, 300, "waker", 1, 0, "swapper/1")])

    at_once, before, again = other_cpu(1000), other_cpu(900), other_cpu(900, 1000)
    for order in ([one_cpu, at_once], [at_once, one_cpu], [one_cpu, before], [before, one_cpu]):
        with open(path, "wb") as f:
            f.write(b"".join([perfettomake.clocks(t)] + order))
        told = [(r["start_wall"], r["wall"], r["class"]) for r in one(program, path, "states | where thread = app | select start_wall wall class")]
        bad += differ("states", told, [("0", "1000", "running"), ("1000", "8000", "runnable"), ("9000", "500", "running"), ("9500", "400", "sleeping")])
        bad += differ("wakers", [(r["time"], r["task"], r["waker"]) for r in one(program, path, "wakeups | select time task waker")], [("1000", "app", "waker")])
    with open(path, "wb") as f:
        f.write(b"".join([perfettomake.clocks(t), one_cpu, again]))
    rows = one(program, path, "wakeups | select time latency")
    return bad + differ("woken again", [(r["time"], r["latency"]) for r in rows], [("900", ""), ("1000", "8000")])


def check_tracks(program, path):
    """Counters of one name stay apart if their tracks are."""
    told = [(r["counter"], r["points"], r["last"]) for r in one(program, path, "counters | where counter ~ /^(same|power)/ | select counter points last")]
    return differ("counters", told, [("same", "3", "4"), ("same", "2", "3"), ("power.CPU_uws", "2", "26"), ("power.CPU_uws", "1", "70")])


def check_real(program, path, table):
    """Of large files only the numbers of rows are known."""
    with open(table, encoding="utf-8") as f:
        rows = {line.split("\t")[0]: line.split("\t")[1] for line in f}
    facts = {r["field"]: r["value"] for r in one(program, path, QUERIES[0])}
    return differ("switches", [facts.get("switches", "0")], [rows["sched"]]) + differ("samples", [facts.get("samples", "0")], [rows["samples"]]) + \
        differ("counters", [sum(int(r["points"]) for r in one(program, path, QUERIES[6]))], [int(rows["counters"])])


def check_corpus(tap, program, corpus):
    folder = os.path.join(corpus, "perfetto")
    for kind in ("odd", "upstream"):
        for path in sorted(glob.glob(os.path.join(folder, "data", kind, "*"))):
            name = os.path.basename(path).replace(".gz", "").replace(".pftrace", "")
            table = os.path.join(folder, "expected", kind, name + ".tsv")
            if os.path.exists(table) and name not in DIFFERS and name not in UNREAD and name not in UNPACKED:
                attempt(tap, "perfetto: " + name, lambda p=path, t=table, n=name: compare(program, p, tables_of(p) if n in RENAMED else stored_of(t)))
    for path in sorted(glob.glob(os.path.join(folder, "data", "real", "*"))):
        name = os.path.basename(path).replace(".gz", "").replace(".pftrace", "")
        attempt(tap, "perfetto: " + name, check_real, program, path, os.path.join(folder, "expected", "real", name + ".sums.tsv"))


DUMPS = ("events | select name weight samples", "methods | event 'unreleased bytes of libc.malloc' | select name self total",
         "threads | event 'allocated bytes of libc.malloc' | select pid samples total", "info | where field = elapsed | select value")


def heap_dumps(processes, counts):
    """Packets of heap dumps at the same times, each in two parts; counts: dumps of each process."""
    i, b, pkt, t = perfettomake.I, perfettomake.B, perfettomake.pkt, 10 ** 12
    names = b"".join(b(1, i(1, n) + b(2, "f%d" % n)) + b(2, i(1, n) + i(2, n) + i(3, 1)) + b(3, i(1, n) + i(2, n)) for n in range(1, 5)) + b(4, i(1, 1))
    dice, sums, out, index = random.Random(7), collections.Counter(), [], 0
    for k in range(max(counts)):
        for process, most in zip(processes, counts, strict=True):
            for part in ((1, 2), (3, 4)) if k < most else ():
                samples = b""
                for n in part:
                    for f, most in ((2, 9999), (3, 999), (5, 99), (6, 9)):
                        sums[process, n, f] += dice.randrange(most)
                    samples += b(2, i(1, n) + b"".join(i(f, sums[process, n, f]) for f in (2, 3, 5, 6)))
                body = names + b(5, i(1, process) + i(9, t + k * 1000) + b(11, "libc.malloc") + i(12, 4096) + samples) + i(7, index)
                out.append((k, pkt(i(8, t + k * 1000), i(10, 9), b(37, body))))
                index += 1
    return out


def check_dumps(program, scratch):
    """--dump reads what a trace has that ends after this dump of each process."""
    packets, bad = heap_dumps((100, 200), (4, 2)), []
    clock = perfettomake.clocks(10 ** 12)
    path = os.path.join(scratch, "dumps.pftrace")
    for n in (0, 1, 2, 3, 4):
        answers_of = []
        for last, options in ((n if n else 4, ()), (4, ("--dump", str(n)) if n else ())):
            with open(path, "wb") as f:
                f.write(clock + b"".join(p for k, p in packets if k < last))
            a = program.ask(path, *DUMPS, options=("--no-index",) + options)
            answers_of.append((a.code, a.out if a.code in (0, 3) else a.err))
        bad += [] if answers_of[0] == answers_of[1] and answers_of[0][0] == 0 else ["--dump %d: %s" % (n, answers_of)]
    a = program.ask(path, "info", options=("--no-index", "--dump", "5"))
    bad += [] if a.code == 2 and "this profile has only 4 heap dumps of a process" in a.err else ["--dump 5: %d %s" % (a.code, a.err)]
    index = os.path.join(scratch, "dump-index")
    os.makedirs(index)
    got = [program.ask(path, "info | where field = dump | select value", options=("--index", index) + o).out.split()[1:] for o in ((), ("--dump", "1"), (), ("--dump", "2"), ("--dump", "1"))]
    bad += dumpkeys.check(program, scratch, path, 4, 4, "oim")
    return bad + ([] if got == [[], ["1"], [], ["2"], ["1"]] else ["with an index: %s" % got])


V8 = ("events | where name ~ /^cpu-samples/ | sort id | select name samples weight", "methods | event 'cpu-samples' | where samples > 0 | sort name | select name self total file line",
      "threads | event 'cpu-samples' | where samples > 0 | sort tid | select tid name samples", "info | where field in ('repair.node', 'repair.no_head', 'unread.phase.P') and value != 0")


def v8_chunk(names, ids, *, first=1, **more):
    """The data of a chunk: nodes from that number on, each below the one before, and samples of 1 ms."""
    nodes = [dict(id=first + k, callFrame=dict(functionName=name, url="https://x.test/a.js", lineNumber=9 + first + k, columnNumber=1), **(dict(parent=first + k - 1) if first + k > 1 else {}))
             for k, name in enumerate(names)]
    return dict(dict(cpuProfile=dict(nodes=nodes, samples=ids), timeDeltas=[1000] * len(ids)), **more)


# Events of profiles: (thread, time in us, name, id, data or None).
V8_SHAPES = {
    "two chunks": [(41, 900, "Profile", 1, dict(startTime=1000)), (42, 6000, "ProfileChunk", 1, v8_chunk(["(root)", "main", "hot"], [3] * 5)),
                   (42, 11000, "ProfileChunk", 1, v8_chunk(["warm"], [3, 3, 4, 4, 4], first=4, endTime=11000))],
    "no head": [(42, 6000, "ProfileChunk", 1, v8_chunk(["(root)", "main"], [2, 2, 1]))],
    "of two threads": [(41, 900, "Profile", 1, dict(startTime=1000)), (43, 950, "Profile", 2, dict(startTime=1500)), (42, 6000, "ProfileChunk", 1, v8_chunk(["(root)", "a\u00e9\"b"], [2] * 3)),
                       (42, 6100, "ProfileChunk", 2, v8_chunk(["(root)", "other", "deep"], [3, 2]))],
    "unknown node": [(41, 900, "Profile", 7, dict(startTime=1000)), (42, 6000, "ProfileChunk", 7, v8_chunk(["(root)", "main"], [2, 99, 2]))],
    "data missing": [(41, 900, "Profile", 1, dict(startTime=1000)), (42, 5000, "ProfileChunk", 1, v8_chunk(["(root)", "main"], [2, 2])), (42, 6000, "ProfileChunk", 1, None)],
    "chunk first": [(42, 800, "ProfileChunk", 3, v8_chunk(["(root)", "main"], [2, 2])), (41, 900, "Profile", 3, dict(startTime=1000))],
}


def check_profiles(program, scratch, shape, interned):
    """Profiles of JavaScript are the same in a Perfetto trace and in trace events."""
    i, b, pkt = perfettomake.I, perfettomake.B, perfettomake.pkt
    data = b(12, b(1, i(1, 1) + b(2, "v8")) + b(2, i(1, 5) + b(2, "Profile")) + b(2, i(1, 6) + b(2, "ProfileChunk")) + b(3, i(1, 9) + b(2, "data")))
    track = lambda tid, name: pkt(i(10, 1), b(60, i(1, tid) + b(4, i(1, 40) + i(2, tid) + b(5, name))))
    span = lambda us, body: pkt(i(8, us * 1000), i(10, 1), i(13, 2), b(11, body + i(11, 41)))
    out = [pkt(i(8, 0), i(10, 1), b(6, b(1, i(1, 6) + i(2, 1)) + b(1, i(1, 3) + i(2, 1)))), pkt(i(10, 1), i(13, 1), data), track(41, "main"), track(42, "profiler"), track(43, "worker"),
           span(800, i(9, 1) + b(23, "RunTask")), span(12000, i(9, 2))]
    events = [dict(ph="M", name="thread_name", pid=40, tid=tid, args=dict(name=name)) for tid, name in ((41, "main"), (42, "profiler"), (43, "worker"))] + \
        [dict(ph="X", name="RunTask", ts=800, dur=11200, pid=40, tid=41)]
    for tid, us, name, number, args in V8_SHAPES[shape]:
        arg = b"" if args is None else b(4, (i(1, 9) if interned else b(10, "data")) + b(9, json.dumps(args)))
        out.append(pkt(i(8, us * 1000), i(10, 1), i(13, 2), b(11, i(3, 1) + i(11, tid) + (i(10, 5 + (name != "Profile")) if interned else b(23, name)) + arg + b(6, i(2, ord("P")) + i(6, number)))))
        events.append(dict(ph="P", name=name, cat="v8", id=number, pid=40, tid=tid, ts=us, args={} if args is None else dict(data=args)))
    one, other = os.path.join(scratch, "v8.pftrace"), os.path.join(scratch, "v8.json")
    with open(one, "wb") as f:
        f.write(b"".join(out))
    with open(other, "w", encoding="utf-8") as f:
        json.dump(events, f)
    got, want = [program.ask(path, *V8, options=("--no-index",)) for path in (one, other)]
    if shape == "data missing":                       # trace events do not say that a piece of a profile has none
        return [] if "main\t1000000\t" in got.out and "unread.phase.P\t1" in got.out else [got.out]
    return [] if got.out == want.out and want.out.count("\n") > 5 else ["%s\nnot\n%s" % (got.out, want.out)]


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.Program(os.path.join(build, "icecore"))
    folder = os.path.join(scratch, "made")
    perfettomake.odd(folder)
    for path in sorted(glob.glob(os.path.join(folder, "*"))):
        name = os.path.basename(path).replace(".gz", "").replace(".pftrace", "")
        if name not in DIFFERS and name not in UNREAD and (name != "zstd" or "USE_ZSTD" in answers.parts_of(build)):
            attempt(tap, "perfetto: " + name, check_made, program, path)
    for name in ("plain", "compact", "compressed", "garbage-middle", "counters"):
        attempt(tap, "perfetto: %s cut anywhere" % name, check_cuts, program, os.path.join(folder, name + ".pftrace"), scratch)
    attempt(tap, "perfetto: counters of one name", check_tracks, program, os.path.join(folder, "counters-of-one-name.pftrace"))
    attempt(tap, "perfetto: " + check_dumps.__doc__, check_dumps, program, scratch)
    for shape in V8_SHAPES:
        for interned in (False, True):
            attempt(tap, "perfetto: profile of JavaScript: %s%s" % (shape, ", names by number" if interned else ""), check_profiles, program, scratch, shape, interned)
    attempt(tap, "perfetto: woken when it leaves", check_order, program, os.path.join(scratch, "order.pftrace"))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
