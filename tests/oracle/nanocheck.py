#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""nanocheck.py BUILD SCRATCH - Nanoscope traces: icecore against the oracle, as TAP.

Made-up applications, random traces with everything that is odd and legal, and small files cut at every byte, with the
files beside them.
"""
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import nano as oracle  # noqa: E402
import nanomake  # noqa: E402

NAMES = [b"void a.B.c(int)", b"int a.B.c(long)", b"java.lang.String x.<init>()", b"+literal#name", b"POPS",
         b"Class loading", b"Class loading#a.b.D", b"Class loading#a.b.E", b"void d(int)", b"void e.f.G$1.h(int[], e.F)"]
COUNTERS = [("cpu", 1, True), ("context switches", 4, True), ("major faults", 2, True), ("minor faults", 3, True),
            ("allocated", 7, False), ("freed", 8, False)]
LEVELS = [("process bytes", 5), ("process objects", 6)]


class Checker:
    def __init__(self, build, scratch):
        self.icecore = os.path.join(build, "icecore")
        self.path = os.path.join(scratch, "check.txt")
        self.n = 0

    def ok(self, name, bad):
        self.n += 1
        print("%sok %d - %s" % ("not " if bad else "", self.n, name))
        for line in bad[:10]:
            print("#   " + str(line)[:300])
        sys.stdout.flush()

    def write(self, trace, timer=None, state=None):
        for suffix, data in (("", trace), (".timer", timer), (".state", state)):
            if data is not None:
                with open(self.path + suffix, "wb") as h:
                    h.write(data)
            elif os.path.exists(self.path + suffix):
                os.unlink(self.path + suffix)

    def ask(self, *queries):
        """The rows of each answer as dictionaries, and the exit status."""
        args = [self.icecore, "--no-index", "-o", "tsv"]
        for q in queries:
            args += ["-e", q]
        p = subprocess.run(args + [self.path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=300)
        tables = []
        for text in p.stdout.decode().split("\n\n") if p.stdout else []:
            lines = text.rstrip("\n").split("\n")
            head = lines[0].split("\t")
            tables.append([dict(zip(head, line.split("\t"))) for line in lines[1:]])
        return tables, p.returncode, p.stderr.decode()


# ---- what it must be ---------------------------------------------------------------


def differences(what, got, want):
    if got == want:
        return []
    bad = ["%s: %d rows, should be %d" % (what, len(got), len(want))]
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            return bad + ["%s, row %d: %r, should be %r" % (what, i, g, w)]
    return bad


def fold(tree):
    out = {}
    for path, n in tree.items():
        to = out.setdefault(tuple(oracle.short(p) for p in path), [0, 0, 0])
        for i in range(3):
            to[i] += n[i]
    return out


def check_calls(calls, methods, trace):
    names = {m["id"]: ((m["class"] + "." if m["class"] else "") + m["name"], m["signature"]) for m in methods}
    got, path = {}, []
    for c in calls:
        del path[int(c["depth"]):]
        path.append(tuple(x.encode() for x in names[c["method_id"]]))
        n = got.setdefault(tuple(path), [0, 0, 0])
        for i, column in enumerate(("calls", "total_wall", "self_wall")):
            n[i] += int(c[column])
    return differences("calls", sorted(got.items()), sorted(fold(trace.tree()).items()))


def check_spans(spans, trace):
    got = [(int(s["start_wall"]), int(s["start_wall"]) + int(s["wall"]), int(s["depth"]), s["method"], s["note"])
           for s in spans]
    want = [(c[0], c[1], c[2], oracle.short(c[3])[0].decode(), c[4].decode()) for c in trace.calls]
    return differences("spans", got, want)


def points_of(rows, field, rebased, first):
    """Return the points (time, value) of the lines: the first line's value is the base if rebased; of the lines before the trace only the last stays."""
    base = rows[0][field] if rebased and rows else 0
    kept = []
    for row in rows:
        if len(kept) == 1 and row[0] <= first and kept[0][0] <= first:
            kept = []
        kept.append(row)
    points, last = [], 0
    for row in kept:
        last = max(last, row[0] - first, 0)
        points.append((last, max(0, row[field] - base)))
    return points


def level_in(points, a, b):
    """Mean and highest of a level."""
    before = [v for t, v in points if t <= a]
    inside = [(t, v) for t, v in points if a < t <= b]
    at, value = (a, before[-1]) if before else (None, None)
    area, known, most = 0, 0, value if value is not None else 0
    for t, v in inside + [(b, None)]:
        if value is not None:
            area += value * (t - at)
            known += t - at
        if v is not None:
            at, value, most = t, v, max(most, v)
        last = value
    return (area // known if known else last or 0), most


def check_metrics(got, spans, rows, first):
    want = []
    for i, s in enumerate(spans, 1):
        a = int(s["start_wall"])
        b = a + int(s["wall"])
        for name, field, rebased in COUNTERS:
            p = points_of(rows, field, rebased, first)
            want.append((i, name, max(0, oracle.total_at(p, b) - oracle.total_at(p, a))))
        for name, field in LEVELS:
            want.append((i, name, level_in(points_of(rows, field, False, first), a, b)[0]))
    found = [(int(g["row"]), g["track"], int(g["value"])) for g in got]
    return differences("during metrics", found, want if rows else [])


def check_states(got, want):
    return differences("states", [[int(g["start_wall"]), int(g["start_wall"]) + int(g["wall"]), g["state"]]
                                  for g in got], want)


def check_during_states(got, spans, states):
    want = []
    for i, s in enumerate(spans, 1):
        a = int(s["start_wall"])
        b = a + int(s["wall"])
        times = {}
        for x, y, word in states:
            ns = min(b, y) - max(a, x)
            if ns > 0:
                times[word] = times.get(word, 0) + ns
        want += sorted((i, word, ns) for word, ns in times.items())
    return differences("during states", sorted((int(g["row"]), g["state"], int(g["overlap"])) for g in got),
                       sorted(want))


def check_during_calls(got, states, trace):
    want = []
    for i, (a, b, _) in enumerate(states, 1):
        found = sorted(((-ns, place) for place, ns in trace.innermost(a, b).items()))
        for ns, place in found:
            c = trace.calls[place]
            want.append((i, oracle.short(c[3])[0].decode(), c[0], c[1] - c[0], -ns))
    return differences("during", [(int(g["row"]), g["method"], int(g["start_wall"]), int(g["wall"]), int(g["overlap"]))
                                  for g in got], want)


def check_facts(facts, trace, timer, state):
    facts = {f["field"]: f["value"] for f in facts}
    want = {"records": trace.records, "repair.bad_lines": trace.bad, "repair.extra_pops": trace.pops,
            "loss.tail_bytes": trace.lost}
    if timer or state:
        want["side.samples"] = len(timer[0]) if timer else 0
        want["side.states"] = len(state[0]) if state else 0
        want["side.bad_lines"] = (timer[1] if timer else 0) + (state[1] if state else 0)
    return ["%s: %s, should be %d" % (k, facts.get(k), v) for k, v in want.items() if facts.get(k) != str(v)]


def everything(k, data, timer=None, state=None):
    k.write(data, timer, state)
    trace = oracle.Trace(data)
    timers = oracle.numbers(timer, 9) if timer is not None else None
    states = oracle.numbers(state, 3) if state is not None else None
    queries = ["info", "calls | select depth method_id calls total_wall self_wall",
               "methods | select id class name signature", "spans main", "states", "states | during",
               "spans main | during states", "spans main | during metrics"]
    (facts, calls, methods, spans, got, during, in_states, metrics), status, err = k.ask(*queries)
    if status != (3 if trace.lost else 0) and not (status == 1 and not trace.lost):
        return ["status %d: %s" % (status, err)]
    end = max([trace.last] + [t[0] - trace.first for t in (timers[0] if timers else [])] +
              [s[0] - trace.first for s in (states[0] if states else [])])
    words = oracle.stretches(states[0], trace.first, end) if states else []
    return (check_facts(facts, trace, timers, states) + check_calls(calls, methods, trace) +
            check_spans(spans, trace) + check_states(got, words) +
            check_during_calls(during, words, trace) + check_during_states(in_states, spans, words) +
            check_metrics(metrics, spans, timers[0] if timers else [], trace.first))


# ---- files -------------------------------------------------------------------------


def random_trace(seed, n):
    """Extra exits, calls left open, steps back, empty and odd lines, either line end, with and without the last."""
    r = random.Random(seed)
    at, lines = r.randrange(10 ** 12), []
    end = b"\r\n" if r.random() < 0.3 else b"\n"
    for _ in range(n):
        at += r.choice((0, 0, 1, 7, 100, 5000))
        if r.random() < 0.02:
            lines.append(r.choice((b"", b"nonsense", b"12", b"12:", b":x", b"99999999999999999999:void a.b()")))
        back = r.randrange(50) if r.random() < 0.02 else 0
        pop = r.random() < (0.52 if seed % 2 else 0.45)
        lines.append(b"%d:%s" % (at - back, b"POP" if pop else r.choice(NAMES)))
    data = end.join(lines) + end
    if r.random() < 0.3:
        data += r.choice((b"%d:POP" % at, b"%d:void a.B.c(int)" % at, b"%d:void a.B" % at, b"%d" % at))
    return data


def random_sides(seed, data):
    r = random.Random(seed)
    trace = oracle.Trace(data)
    first = trace.first if trace.first is not None else 0
    values, timer, state = [r.randrange(1000) for _ in range(9)], [], []
    at = max(0, first - r.randrange(500))
    word = 67
    while at < first + trace.last + 1000:
        values[0] = at
        for i in range(1, 9):
            values[i] = max(0, values[i] + (r.randrange(-50, 90) if i in (5, 6) else r.randrange(60)))
        timer.append(", ".join(map(str, values)))
        if r.random() < 0.05:
            timer.append(r.choice(("short, line", "1, 2, 3, 4, 5, 6, 7, x, 9", "")))
        at += r.randrange(1, 2 + trace.last // 30 + 10)
    at = first + r.randrange(-100, 100)
    while at < first + trace.last:
        new = r.choice((67, 89, 70, 68, 71, 200, word))
        state.append("%d, %d, %d" % (max(0, at), word, new))
        word = new
        at += r.randrange(0, 2 + trace.last // 20)
    end = "\r\n" if seed % 2 else "\n"
    return (end.join(timer) + end).encode(), (end.join(state) + end).encode()


def made(scratch, seed, frames):
    path = os.path.join(scratch, "made.txt")
    nanomake.write(path, nanomake.app(seed, frames))
    return [open(path + suffix, "rb").read() for suffix in ("", ".timer", ".state")]


def cuts(k, which, files):
    """Every length of one of the files that the loader takes; what is whole is read."""
    bad = []
    for n in range(files[0].index(b"\n") + 1 if which == 0 else 0, len(files[which]) + 1):
        parts = list(files)
        parts[which] = files[which][:n]
        k.write(*parts)
        trace = oracle.Trace(parts[0])
        tables, status, err = k.ask("info")
        if status not in (0, 3):
            bad.append("%d bytes: status %d: %s" % (n, status, err))
            continue
        for line in check_facts(tables[0], trace, oracle.numbers(parts[1], 9), oracle.numbers(parts[2], 3)):
            bad.append("%d bytes: %s" % (n, line))
    return bad


# ---- files of a corpus with what they must give --------------------------------------


def check_tree(k, lines):
    (calls, methods, spans), status, err = k.ask("calls | select depth method_id calls total_wall self_wall",
                                                 "methods | select id class name signature", "spans 1")
    if status:
        return ["status %d: %s" % (status, err)]
    names = {m["id"]: (m["class"] + "." if m["class"] else "") + m["name"] + m["signature"] for m in methods}
    got = sorted("\t".join((c["depth"], c["calls"], c["total_wall"], c["self_wall"], names[c["method_id"]]))
                 for c in calls)
    rows = [line.split("\t") for line in lines]
    want = sorted("\t".join(r[:4] + [b"".join(oracle.short(r[4].encode())).decode()]) for r in rows)
    notes = {s["note"] for s in spans if s["note"]}
    return differences("tree", got, want) + differences("notes", sorted(notes), sorted({r[5] for r in rows if r[5]}))


LOGGED = {"Runnable": "running", "MonitorBlocked": "blocked"}    # the log's words of states


def check_side(k, lines):
    want = dict(line.split("\t") for line in lines)
    want = {" ".join(LOGGED.get(w, w) for w in key.split(" ")): value for key, value in want.items()}
    (facts, tracks, states), status, err = k.ask("info", "tracks", "states | group state : sum wall")
    if status:
        return ["status %d: %s" % (status, err)]
    facts = {f["field"]: f["value"] for f in facts}
    growth = {t["track"]: t for t in tracks}
    got = {"samples": facts["side.samples"], "ignored_timer_lines": facts["side.bad_lines"],
           "wall_ns": growth["cpu"]["wall"], "cpu_ns": growth["cpu"]["growth"],
           "cpu_use": "%g" % (float(growth["cpu"]["utilisation"]) / 100), "major_faults": growth["major faults"]["growth"],
           "minor_faults": growth["minor faults"]["growth"], "ctx_switches": growth["context switches"]["growth"],
           "thread_alloc_bytes": growth["allocated"]["growth"]}
    for s in states:
        if s["sum_wall"] != "0":        # the last one may begin at the end
            got["state_ns " + s["state"]] = s["sum_wall"]
    return differences("facts", sorted(got.items()), sorted(want.items()))


def check_corpus(tap, build, folder):
    """Files nano-*.expect.tsv of the edge cases."""
    k = Checker(build, folder)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if not (name.startswith("nano-") and name.endswith(".expect.tsv")):
            continue
        k.path = os.path.join(folder, name[:-len(".expect.tsv")])
        with open(os.path.join(folder, name)) as h:
            lines = h.read().split("\n")[:-1]
        check = check_tree if lines[0].startswith("depth") else check_side
        tap.ok("edges/%s" % name[:-len(".expect.tsv")], check(k, lines[1:]))


def unreadable(k, data):
    """A folder in the place of the samples: the trace is read, and the loss is reported."""
    k.write(data)
    os.mkdir(k.path + ".timer")
    (facts, calls), status, err = k.ask("info", "calls")
    os.rmdir(k.path + ".timer")
    facts = {f["field"]: f["value"] for f in facts}
    return ["status %d, loss.tracks %s, %d calls" % (status, facts.get("loss.tracks"), len(calls))] \
        if status != 3 or facts.get("loss.tracks") != "1" or not calls or ".timer or .state" not in err else []


def main():
    k = Checker(sys.argv[1], sys.argv[2])
    for seed in range(3):
        k.ok("an application, seed %d" % seed, everything(k, *made(sys.argv[2], seed, 4)))
    for seed in range(24):
        data = random_trace(seed, 30 + 17 * seed)
        sides = random_sides(seed, data) if seed % 3 else (None, None)
        k.ok("random trace, seed %d" % seed, everything(k, data, *sides))
    small = [b"1000:void a.B.c(int)\n1500:+x\n2000:POP\n2500:Class loading#a\n4000:POP\n5000:POP\n",
             b"1000, 5, 3, 4, 5, 6, 7, 8, 9\n2000, 905, 3, 8, 5, 6, 7, 18, 9\n",
             b"1000, 89, 67\n1500, 67, 89\n4000, 89, 70\n"]
    for which, name in enumerate(("trace", ".timer", ".state")):
        k.ok("%s cut at every byte" % name, cuts(k, which, small))
    k.ok("samples that cannot be read", unreadable(k, small[0]))
    print("1..%d" % k.n)


if __name__ == "__main__":
    main()
