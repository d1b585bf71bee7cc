#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jfrcheck.py BUILD SCRATCH [copies N FILE] - recordings of the Java Flight Recorder against the oracle slowjfr.py, as TAP.

copies: a recording N times behind itself has N times of everything.
HURT_STEP: one length in so many is cut to.  TEST_DAY: which ones, and which random recordings are made.
"""
import collections
import gzip
import itertools
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import jfrmake  # noqa: E402
import sampled  # noqa: E402
import slowjfr as oracle  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

SEEDS = 5
COPIES = 7
MESSAGES = {"version 0.9": "version 0.9 (Oracle JDK 7 or 8)", "version 3.0": "version 3.0"}
STATUS = {"ok": (0,), "damaged": (3,), "either": (0, 3)}
UNIT = {"ns": ""}            # times are shown as such
NO_INDEX = ("--no-index",)


def ask(program, path, *queries, options=()):
    a = program.ask(path, *queries, options=NO_INDEX + tuple(options))
    if a.code not in (0, 1, 3):
        raise ValueError("%s: status %d: %s" % (queries, a.code, a.err.strip()))
    tables = a.tables()
    if len(tables) != len(queries):
        raise ValueError("%d answers to %s" % (len(tables), queries))
    return tables


def same(what, want, got):
    """Counters, lists of lines, or values."""
    if isinstance(want, collections.Counter):
        return answers.differences(what, want, got)
    if isinstance(want, list) and want != got:
        for i, (a, b) in enumerate(zip(want, got)):
            if a != b:
                return ["%s: row %d is %r, not %r" % (what, i, b, a)]
        return ["%s: %d rows, not %d: %r" % (what, len(got), len(want), (got[len(want):] or want[len(got):])[:2])]
    return [] if want == got else ["%s is %r, not %r" % (what, got, want)]


# ---- profiles --------------------------------------------------------------------------


def recorded(table):
    """Rows of events without that of memory which nobody freed: no recorder writes it, and check_malloc knows it."""
    return [r for r in table.rows if r["name"] != "unreleased bytes"]


def check_events(f, table):
    want = [(n, UNIT.get(unit, unit), samples, weight, bare, cut, threads)
            for n, unit, samples, weight, _, bare, cut, threads in oracle.events(f)]
    got = [(r["name"], r["unit"], *(int(r[k]) for k in ("samples", "weight", "no_stack", "truncated", "threads"))) for r in recorded(table)]
    first = [r["name"] for r in table.rows if r["current"] == "true"]
    other = len(got) < len(table.rows) and want[0][0] == "profiler.Malloc"
    return same("events", want, got) + same("event that counts", ["unreleased bytes"] if other else [want[0][0]] if want else [], first)


def folded(program, path, event):
    """Stacks in the order of their bytes."""
    a = program.run([*NO_INDEX, "--event", event, "-o", "folded", "-e", "merged", path])
    return sorted(a.out.split("\n")[:-1], key=lambda line: line.rsplit(" ", 1)[0].encode("utf-8", "surrogateescape"))


def check_folded(program, path, f, event):
    want = [answers.fit(line) for line in oracle.folded(f, event) if not line.endswith(" 0")]
    return same("folded " + event, want, folded(program, path, event))


def thread_key(who):
    return (who[0], who[1], answers.fit(who[2]))


def check_threads(program, path, f, event):
    table, = ask(program, path, "threads", options=("--event", event))
    want, none = collections.Counter(), (0, 0)
    for who, (samples, weight) in oracle.threads(f, event).items():
        if who is None:
            none = (samples, weight)
        else:
            want[thread_key(who) + (samples, weight)] += 1
    got, rest = collections.Counter(), (0, 0)
    for r in table.rows:
        key = (int(r["pid"] or 0), int(r["tid"] or 0), r["name"], int(r["samples"]), int(r["total"]))
        if key in want:
            got[key] += 1
        elif key[3]:
            rest = (rest[0] + key[3], rest[1] + key[4])
    return answers.differences("threads " + event, want, got) + same("without a thread, " + event, none, rest)


def same_end(elapsed, got):
    """The end of an interval is its begin and its length, each rounded."""
    return [] if abs(elapsed - int(got.get("elapsed", 0))) <= 1 else same("elapsed", str(elapsed), got.get("elapsed"))


COUNTED = (("repair.times", "far"), ("loss.types", "lost_types"), ("loss.stacks", "lost_stacks"), ("loss.unknown_events", "unknown"),
           ("pid", "pid"), ("recorder_lost_bytes", "lost_bytes"), ("recorder_lost_samples", "lost_samples"))


def check_lines(f, table):
    """Each method has one of the lines that its frames have; which is met first, is not asked."""
    seen = collections.defaultdict(set)
    for c, _, e, _ in oracle.profile(f):
        for frame in map(c.get, (oracle.stack_of(c, e) or {}).get("frames") or []):
            line = frame.get("lineNumber") if isinstance(frame, dict) else None
            name = oracle.frame_name(c, frame, oracle.kernel_names(c))
            seen[answers.fit(name)] |= {line} if isinstance(line, int) and 0 < line < 1 << 31 and name != "[unknown]" else set()
    return ["line of %s is %s, should be of %s" % (r["name"], r["line"], sorted(seen[r["name"]])) for r in table.rows
            if (int(r["line"]) not in seen[r["name"]] if r["line"] else seen[r["name"]])]


def check_info(f, table):
    got = {r["field"]: r["value"] for r in table.rows}
    facts = oracle.facts(f)
    bad = []
    for key in ("chunks", "versions"):
        bad += same(key, str(facts[key]), got.get(key))
    bad += same_end(facts["elapsed"], got)
    bad += same("repair.unfinished", facts["unfinished"], int(got.get("repair.unfinished", 0)))
    for field, key in COUNTED:
        bad += same(field, facts[key], int(got.get(field, 0)))
    bad += same("processes", facts["processes"] if facts["processes"] > 1 else 0, int(got.get("processes", 0)))
    bad += same("undescribed events", {k: str(n) for k, n in facts["unread"].items()}, {k: v for k, v in got.items() if k.startswith("unread.event.type_")})
    return bad + same("settings", facts["settings"], {k: v for k, v in got.items() if k.startswith(("setting.", "log."))})


# ---- tracks and intervals ----------------------------------------------------------------


def check_intervals(f, table):
    names = {who: answers.fit(who[2]) for who in {r[2] for r in oracle.intervals(f)} if who}
    want = collections.Counter((start, length, names.get(who, ""), event, answers.fit(what), "" if n is None else str(n))
                               for start, length, who, event, what, n in oracle.intervals(f))
    got = collections.Counter((int(r["start_wall"]), int(r["wall"]), r["thread"], r["event"], r["what"], r["bytes"]) for r in table.rows)
    starts = [int(r["start_wall"]) for r in table.rows]
    paused = collections.Counter((int(r["start_wall"]), int(r["paused"]), int(r["longest_pause"])) for r in table.rows if r["paused"] != "")
    return answers.differences("intervals", want, got) + answers.differences("pauses", collections.Counter(oracle.pauses(f)), paused) + ([] if starts == sorted(starts) else ["intervals: not in order of time"])


def series(f):
    """(track, thread) -> points as they are to be shown; processes apart, in any order."""
    out = collections.defaultdict(list)
    several = oracle.facts(f)["processes"] > 1
    for (name, pid, who), (unit, points) in oracle.tracks(f).items():
        shown = []
        if several and pid and who is None:
            name += " (pid %d)" % pid
        if unit == "share":
            last, total = max(points[0][2].ns(points[0][2].start_ticks) - f.zero, 0), 0.0
            last = min(last, points[0][0])
            shown.append((last, 0.0))
            for at, share, _ in points:
                total += share * (at - last)
                last = at
                shown.append((at, total))
        else:
            shown = [(at, v) for at, v, _ in points]
        out[name, answers.fit(who[2]) if who else ""].append(shown)
    return out


def point_of(r, kind):
    """A gauge holds from its point on, what grows up to it."""
    return int(r["start_wall"]) + (0 if kind == "gauge" else int(r["wall"])), r["value"]


def check_tracks(f, tracks, metrics):
    want = series(f)
    points, kinds = collections.defaultdict(list), {r["id"]: r["kind"] for r in tracks.rows}
    for r in metrics.rows:
        points[r["track_id"]].append(point_of(r, kinds[r["track_id"]]))
    got, bad = collections.defaultdict(list), []
    for r in tracks.rows:
        if r["kind"] != "state":
            got[r["track"], r["thread"]].append((int(r["points"]), points[r["id"]]))
    bad += same("tracks", collections.Counter({k: len(v) for k, v in want.items()}), collections.Counter({k: len(v) for k, v in got.items()}))
    for key in want.keys() & got.keys():
        bad += compare_points(key, sorted(want[key]), sorted(v for _, v in got[key]))
    return bad


def compare_points(key, want, got):
    for a, b in zip(want, got):
        if len(a) != len(b):
            return ["%s: %d points, not %d" % (key, len(b), len(a))]
        for i, ((at, v), (when, shown)) in enumerate(zip(a, b)):
            # The sum of shares is rounded at each point.
            if at != when or abs(float(shown or 0) - v) > max(i + 1, abs(v) * 1e-6):
                return ["%s: point %d is %s, not %s" % (key, i, (when, shown), (at, v))]
    return []


def joined(rows):
    """Without pieces that touch one of the same state; None: there are two states at once, as of virtual threads."""
    out = []
    for start, length, state in sorted(rows):
        end = start + length
        if out and start <= out[-1][1] and state == out[-1][2]:
            out[-1] = (out[-1][0], max(out[-1][1], end), state)
        elif out and start < out[-1][1]:
            return None
        else:
            out.append((start, end, state))
    return out


def check_states(f, table):
    want, got = {}, collections.defaultdict(list)
    for who, rows in oracle.states(f).items():
        want.setdefault(answers.fit(who[2]) if who else "", []).append(joined(rows))
    for r in table.rows:
        if r["state"]:
            got[r["thread"]].append((int(r["start_wall"]), int(r["start_wall"]) + int(r["wall"]), r["state"]))
    bad = []
    for name, threads in want.items():
        if len(threads) == 1 and threads[0] is not None:
            bad += same("states of %r" % name, threads[0], sorted(got[name]))
    return bad + ["states of %r" % name for name in got.keys() - want.keys()]


def check_pauses(program, path, f):
    """States of threads in pauses: of the collector's own thread, or of all threads of the process if that thread has no states."""
    states, want = oracle.states(f), collections.Counter()
    pauses = [(start, length, who) for start, length, who, event, _, _ in oracle.intervals(f) if event == "jdk.GCPhasePause"]
    for i, (start, length, who) in enumerate(pauses):
        for thread in states:
            if thread is None or who is not None and thread != who and (who in states or who[0] != thread[0]):
                continue
            for state in {s for _, _, s in states[thread]}:
                ns = sum(max(min(start + length, a + n) - max(start, a), 0) for a, n, s in states[thread] if s == state)
                if ns > 0:
                    want[i + 1, answers.fit(thread[2]), state, ns] += 1
    table, = ask(program, path, "intervals jdk.GCPhasePause | during states")
    return answers.differences("pauses", want, collections.Counter((int(r["row"]), r["thread"], r["state"], int(r["overlap"])) for r in table.rows))


def check_no_name(program, path):
    """A name without events is reported as with --event; one with events is not."""
    a = program.ask(path, "intervals jdk.GCPhasePaus", options=NO_INDEX)
    b = program.ask(path, "intervals jdk.GCPhase*", options=NO_INDEX)
    return same("status", (1, 0), (a.code, b.code)) + ([] if "did you mean 'jdk.GCPhasePause'?" in a.err else [a.err.strip()])


# ---- files -------------------------------------------------------------------------------


def write(scratch, name, data):
    path = os.path.join(scratch, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


def check_status(program, path, kind):
    a = program.ask(path, "info", options=NO_INDEX)
    bad = [] if a.code in STATUS[kind] else ["status %d of a recording that is %s: %s" % (a.code, kind, a.err.strip())]
    if a.code == 3 and a.err.strip() == "":
        bad.append("damaged, and no warning")
    return bad


# The check of an answer, whether a recording has that answer, and its queries.
ANSWERS = ((check_events, bool, "events"), (check_info, bool, "info"), (check_lines, bool, "methods | select name line"),
           (check_intervals, bool, "intervals"), (check_tracks, oracle.tracks, "tracks", "metrics"), (check_states, oracle.states, "states"))
TURN = itertools.count(sampled.DAY)


def check_recording(program, path, f):
    """All answers.  One run gives those that no event changes; each is the first in its turn, which nothing has been made for."""
    rows = [row for row in ANSWERS if row[1](f)]
    at = next(TURN) % len(rows)
    rows = rows[at:] + rows[:at]
    tables = iter(ask(program, path, *[q for _, _, *queries in rows for q in queries]))
    bad = [x for check, _, *queries in rows for x in check(f, *[next(tables) for _ in queries])]
    for n, *_ in oracle.events(f):
        bad += check_folded(program, path, f, n) + check_threads(program, path, f, n)
    return bad


def check_case(program, scratch, name, kind):
    data = jfrmake.make(name)
    path = write(scratch, "case.jfr", data)
    if kind == "refused":
        a = program.ask(path, "info", options=NO_INDEX)
        return refused(program, path) + ([] if MESSAGES.get(name.removesuffix(" packed"), "") in a.err else [a.err])
    if kind == "hostile":
        a = program.ask(path, "info", "events", "calls", "intervals", "tracks", "threads", options=NO_INDEX)
        return [] if a.code in (0, 3, 5) and (a.code == 5) == (a.out == "") else ["status %d: %s" % (a.code, a.err.strip())]
    return check_status(program, path, kind) + check_recording(program, path, oracle.Recording(data))


def check_random(program, scratch, seed):
    data = jfrmake.make("seed=%d" % seed)
    path = write(scratch, "random.jfr", data)
    return check_recording(program, path, oracle.Recording(data))


# File, stages behind `methods`, samples and weight that are left. Its recordings have an interval of 10 ms.
TICK = 10 ** 7
STATES = (("profiler 3.0", "event wall", 9, 9), ("profiler 3.0", "event wall | state SLEEPING", 6, 6), ("profiler 3.0", "event wall | state *runn*", 3, 3),
          ("profiler 3.0", "event cpu | state /DEFAULT/", 3, 3 * TICK), ("profiler 4.0", "event wall | state RUNNABLE", 1, 3),
          ("profiler 4.0", "event jdk.ExecutionSample", 7, 7 * TICK), ("profiler 4.0", "event profiler.WallClockSample", 2, 403),
          ("profiler 2.9 wall", "event jdk.ExecutionSample | state SLEEPING", 2, 2 * TICK), ("profiler 2.9 misses", "event cache-misses", 4, 4),
          ("profiler says it once", "event cpu", 11, 11 * TICK), ("profiler says it once", "event wall", 3, 3 * TICK),
          ("profiler says it once", "event jdk.ExecutionSample", 5, 5), ("profiler 2.9 alone", "event wall", 4, 4),
          ("constants once", "event cpu", 4, 4 * TICK), ("constants once", "event wall | state SLEEPING", 4, 4))


def check_thread_dumps(program, scratch):
    """Texts of thread dumps are counted, and can be opened as stack dumps."""
    path = write(scratch, "dumps.jfr", jfrmake.make("thread dumps"))
    info, = ask(program, path, "info | where field = thread_dumps")
    threads, = ask(program, path, "threads | select dump name depth", options=("--as", "stacks"))
    return same("thread dumps", [["2"], [("1", "worker", "1"), ("2", "worker", "1")]],
                [[r["value"] for r in info.rows], [(r["dump"], r["name"], r["depth"]) for r in threads.rows]])


def check_chosen_states(program, scratch):
    """Samples that remain after stages that choose by event or state."""
    bad = []
    for name, stages, samples, weight in STATES:
        path = write(scratch, "states.jfr", jfrmake.make(name))
        table, = ask(program, path, "methods | %s | sum samples self" % stages)
        bad += same("%s: %s" % (name, stages), [(str(samples), str(weight))], [(r["sum_samples"], r["sum_self"]) for r in table.rows])
    a = program.run([*NO_INDEX, "-e", "methods | state WAITING", path])
    return bad + ([] if a.code == 2 and "STATE_RUNNABLE" in a.err else ["a state that is not there: %d %s" % (a.code, a.err)])


def check_malloc(program, scratch):
    """What was never freed is the current event, beside all that was allocated; without frees nothing is known of it."""
    bad = []
    for seed in range(3):
        data, allocated, left = jfrmake.malloc(seed)
        path = write(scratch, "malloc.jfr", data)
        kept, every, known, unread = ask(program, path, "methods | where self > 0 | select name self",
                                         "methods | event profiler.Malloc | where self > 0 | select name self", "events | select name weight current",
                                         "info | where field ~ /^unread/")
        for what, want, rows in (("kept", left, kept.rows), ("allocated", allocated, every.rows)):
            bad += same("%d: %s" % (seed, what), {k: str(v) for k, v in want.items()}, {r["name"].rpartition(".")[2]: r["self"] for r in rows})
        bad += same("%d: events" % seed, [("unreleased bytes", str(sum(left.values())), "true"), ("profiler.Malloc", str(sum(allocated.values())), "false")],
                    [tuple(r.values()) for r in known.rows])
        bad += same("%d: unread" % seed, [], unread.rows)
    path = write(scratch, "malloc.jfr", jfrmake.malloc(0, frees=False)[0])
    table, = ask(program, path, "events | select name")
    return bad + same("without frees", [{"name": "profiler.Malloc"}], table.rows)


def counts(rows):
    return {r["name"]: int(r["samples"]) for r in rows}


def check_cuts(program, scratch, name):
    """Cut: each sample that is whole is there, and nothing ends badly."""
    data, bad = jfrmake.make(name), []
    path = os.path.join(scratch, "cut.jfr")
    for n in sampled.sampled(range(len(data))):
        write(scratch, "cut.jfr", data[:n])
        a = program.ask(path, "events", options=NO_INDEX)
        try:
            want = {e[0]: e[2] for e in oracle.events(oracle.Recording(data[:n]))}
        except oracle.Bad:
            want = {}
        if a.code not in (3, 5) or (a.code == 5) != (a.out == ""):
            bad.append("byte %d: status %d: %s" % (n, a.code, a.err.strip()))
        elif a.code == 3:
            bad += same("byte %d: events" % n, want, {k: v for k, v in counts(a.tables()[0].rows).items() if v})
        elif want:
            bad.append("byte %d: refused, but it has %s" % (n, want))
    return bad


def check_copies(program, scratch, data, n):
    """n times behind itself: n times of all, in the same stacks."""
    one, many = write(scratch, "one.jfr", data), os.path.join(scratch, "many.jfr")
    with open(many, "wb") as out:
        for _ in range(n):
            out.write(data)
    bad, (few,), (more,) = [], ask(program, one, "events"), ask(program, many, "events")
    want = [(r["name"], int(r["samples"]) * n, int(r["weight"]) * n) for r in few.rows]
    bad += same("events", want, [(r["name"], int(r["samples"]), int(r["weight"])) for r in more.rows])
    for row in few.rows:
        want = ["%s %d" % (k, int(v) * n) for k, v in (line.rsplit(" ", 1) for line in folded(program, one, row["name"]))]
        bad += same("folded " + row["name"], want, folded(program, many, row["name"]))
    return bad


# ---- real files with expected answers ------------------------------------------------------


def table_of(folder, name):
    """File -> rows of a table of expected answers."""
    out = collections.defaultdict(list)
    with open(os.path.join(folder, "expected", name), encoding="utf-8", newline="\n") as text:
        for line in text.read().split("\n")[1:-1]:
            file, *row = line.split("\t")
            out[file].append(row)
    return out


def by_kind(f, rows):
    """Rows of events, which the tables name as the recording does, by what async-profiler's samples are of."""
    names = {oracle.plain_name(t.name): n for _, t, _, n in f.all}
    return [[names.get(r[0], r[0]), *r[1:]] for r in rows]


def counted(row, want, at=1):
    """A row as it is expected: name, unit, samples, weight, ...; times here, of one period, are counts there."""
    for w in want:
        if row[at] in ("", "ns") and w[at] == "samples" and w[:at] == row[:at] and w[at + 1] == row[at + 1] and int(row[at + 2]) % max(int(w[at + 2]), 1) == 0:
            return (*row[:at], w[at], row[at + 1], w[at + 2], *row[at + 3:])
    return row


def check_expected_events(program, path, rows):
    table, = ask(program, path, "events")
    rows = by_kind(oracle.load(path), rows)
    want = collections.Counter((r[0], UNIT.get(r[1], r[1]), int(r[2]), int(r[3])) for r in rows)
    # The table has no events without any frame, and counts those that have times here.
    got = [(r["name"], r["unit"], int(r["samples"]), int(r["weight"])) for r in recorded(table) if r["samples"] != r["no_stack"]]
    return answers.differences("events", want, collections.Counter(counted(r, want) for r in got))


def check_expected_folded(program, path, expected, event):
    with gzip.open(expected, "rt", encoding="utf-8", errors="surrogateescape", newline="\n") as text:
        # The tables have the profiler's own frames.
        want = [answers.fit(re.sub(";%s (?=[0-9]+$)" % oracle.HOOK.pattern, " ", line)) for line in text.read().split("\n")[:-1]]
    lines = [collections.Counter(), collections.Counter()]
    for sums, some in zip(lines, (want, folded(program, path, event))):
        for line in some:
            stack, n = line.rsplit(" ", 1)
            sums[stack] += int(n)
    return same("folded", collections.Counter(lines[0]), collections.Counter(answers.as_counts(*lines)))


def check_expected_threads(program, path, rows):
    bad, events = [], collections.defaultdict(collections.Counter)
    for event, tid, name, samples, weight in rows:
        events[event][int(tid), answers.fit(name), int(samples), int(weight)] += 1
    for event, want in events.items():
        table, = ask(program, path, "threads", options=("--event", event))
        got = collections.Counter()
        period = answers.period([k[3] for k in want.elements()], [int(r["total"]) for r in table.rows if int(r["samples"])])
        for r in table.rows:
            key = (int(r["tid"] or 0), r["name"], int(r["samples"]), int(r["total"]) // period)
            if key[2]:
                got[key if key in want else (0, "", *key[2:])] += 1
        bad += answers.differences("threads " + event, want, got)
    return bad


def check_expected_spans(program, path, rows):
    """Kinds of intervals: how many, how long together and at most."""
    want = {r[0]: tuple(map(int, r[1:4])) for r in rows if int(r[2]) > 0 and r[0] not in oracle.NO_INTERVAL}
    if not want:
        return []
    table, = ask(program, path, "intervals | group event: count, sum wall, max wall")
    return same("intervals", want, {r["event"]: tuple(int(v) for k, v in r.items() if k != "event") for r in table.rows})


TRACK_NAMES = {"%s.%s" % (event.split(".")[1], path): name for event, path, name, _, _ in oracle.TRACKS}


def check_expected_tracks(program, path, rows, zero):
    """Points, and the first and last time; lowest and highest value of those that are levels."""
    want, shares = {}, set()
    for track, of, unit, points, first, last, low, high in rows:
        if track in TRACK_NAMES:
            key = (TRACK_NAMES[track], answers.fit(of))
            if track.startswith("NetworkUtilization"):
                key = (TRACK_NAMES[track] + " " + of, "")
            want[key] = (int(points), int(first) - zero, int(last) - zero) + (() if unit == "share" else (float(low), float(high)))
            if unit == "share":
                shares.add(key)
    if not want:
        return []
    tracks, metrics = ask(program, path, "tracks", "metrics")
    some, kinds = collections.defaultdict(list), {r["id"]: r["kind"] for r in tracks.rows}
    for r in metrics.rows:
        at, value = point_of(r, kinds[r["track_id"]])
        some[r["track"], r["thread"]].append((at, float(value or 0), r["track_id"]))
    got = {}
    for key, points in some.items():
        if key in shares:          # less the zero in front of each track
            starts = [min(p for p in points if p[2] == track) for track in {p[2] for p in points}]
            points = [p for p in points if p not in starts]
        values = [v for _, v, _ in points]
        got[key] = (len(points), min(p[0] for p in points), max(p[0] for p in points)) + (() if key in shares else (min(values), max(values)))
    bad = []
    for key, row in want.items():
        if key not in got or any(abs(a - b) > 1e-6 * abs(a) + 1e-6 for a, b in zip(row, got[key])):
            bad.append("track %s is %s, not %s" % (key, got.get(key), row))
    return bad


def check_expected_facts(program, path, text):
    words = dict(w.split("=", 1) for w in text.split(" ") if "=" in w)
    table, = ask(program, path, "info")
    got = {r["field"]: r["value"] for r in table.rows}
    bad = []
    bad += same("chunks", words["chunks"], got.get("chunks")) + same_end(int(words["elapsed_ns"]), got)
    return bad + same("versions", words["versions"].replace(",", ", "), got.get("versions"))


def check_oracle(program, path, rows):
    """The oracle of the repository says what answers say that were made with another reader, and so does the program."""
    f = oracle.load(path)
    want = collections.Counter(tuple(r) for r in by_kind(f, rows))
    # The table has no events without any frame.
    return answers.differences("oracle", want, collections.Counter(counted(tuple(map(str, r)), want) for r in oracle.events(f) if r[2] != r[5])) + \
        check_recording(program, path, f)


def check_corpus(tap, program, folder):
    field = os.path.join(folder, "..", "field", "trace", "ap30-cpu-wall.jfr")
    if os.path.exists(field):
        attempt(tap, "CPU and wall clock of async-profiler", check_field, program, field)
    if not os.path.isdir(folder):
        return
    events, threads, tracks, spans, facts, no = (table_of(folder, n + ".tsv") for n in ("events", "threads", "tracks", "spans", "facts", "refused"))
    for name in sorted(os.listdir(os.path.join(folder, "files"))):
        path, stem = os.path.join(folder, "files", name), name.removesuffix(".gz").removesuffix(".jfr")
        if name in no:
            attempt(tap, name + ": refused", refused, program, path)
        elif name.endswith((".jfr", ".jfr.gz", ".jfr.lz4")):
            if answers.compared_slowly(path):
                attempt(tap, name + ": all answers as the oracle's", check_oracle, program, path, events[name])
            attempt(tap, name + ": events", check_expected_events, program, path, events[name])
            attempt(tap, name + ": threads", check_expected_threads, program, path, threads[name])
            attempt(tap, name + ": facts", check_expected_facts, program, path, facts[name][0][0])
            attempt(tap, name + ": spans", check_expected_spans, program, path, spans[name])
            zero = int(dict(w.split("=", 1) for w in facts[name][0][0].split(" ") if "=" in w)["zero_ns"])
            attempt(tap, name + ": tracks", check_expected_tracks, program, path, tracks[name], zero)
            for row in events[name]:
                expected = os.path.join(folder, "expected", "%s.%s.folded.gz" % (stem, row[0]))
                if os.path.exists(expected):
                    attempt(tap, "%s: stacks of %s" % (name, row[0]), check_expected_folded, program, path, expected, row[0])


def check_field(program, path):
    """Answers of jfrconv of async-profiler 4.5 with --cpu, with --wall, and with --wall --state."""
    bad = []
    for stages, want in (("event cpu", 185), ("event wall", 2473), ("event wall | state sleeping", 2270)):
        table, = ask(program, path, "methods | %s | sum self" % stages)
        bad += same(stages, [str(want * (20000000 if "wall" in stages else 10000000))], [r["sum_self"] for r in table.rows])
    return bad


def main(argv):
    build, scratch = argv[1:3]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    if argv[3:4] == ["copies"]:
        with open(argv[5], "rb") as data:
            attempt(tap, "%s times behind itself" % argv[4], check_copies, program, scratch, data.read(), int(argv[4]))
        tap.end()
        return 0
    for name, (kind, _) in jfrmake.CASES.items():
        attempt(tap, "%s: %s" % (name, kind), check_case, program, scratch, name, kind)
    sampled.tell()
    for seed in sampled.seeds(SEEDS):
        attempt(tap, "random recording %d" % seed, check_random, program, scratch, seed)
    pauses = jfrmake.make("pauses")
    path = write(scratch, "pauses.jfr", pauses)
    attempt(tap, "states in pauses", check_pauses, program, path, oracle.Recording(pauses))
    attempt(tap, "intervals of no such event", check_no_name, program, path)
    attempt(tap, "thread dumps in events", check_thread_dumps, program, scratch)
    attempt(tap, "memory of malloc", check_malloc, program, scratch)
    attempt(tap, "states of threads", check_chosen_states, program, scratch)
    attempt(tap, "cut", check_cuts, program, scratch, "streamed")
    attempt(tap, "%d times behind itself" % COPIES, check_copies, program, scratch, jfrmake.make("two machines"), COPIES)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
