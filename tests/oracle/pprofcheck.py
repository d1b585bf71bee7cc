#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pprofcheck.py BUILD SCRATCH - pprof profiles against the oracle slowpprof.py, as TAP."""
import collections
import glob
import gzip
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import pprofmake  # noqa: E402
import sampled  # noqa: E402
import slowpprof  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

SEEDS = 150
COUNTS = ("ids", "values", "location", "strings", "pattern", "saturated")
SHAPES = {"samples": "profile_samples", "mappings": "mappings", "locations": "locations", "functions": "functions"}


def fit(text):
    """As in tsv: tabs and line ends of a name keep their meaning."""
    return "".join(part if part in "\t\r\n" else answers.fit(part) for part in re.split("([\t\r\n])", text))


def stacks(program, path, event):
    """By thread and stack, as the program prints them for an event."""
    a = program.ask(path, "threads | select id tid name", "calls | select id parent thread_id method self",
                    options=("--no-index",) + (("--event", event) if event else ()))
    if a.code not in (0, 1, 3):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    threads, calls = a.tables()
    thread = {row["id"]: (int(row["tid"]), row["name"]) for row in threads.rows}
    path_of, out = {"0": ()}, collections.Counter()
    for row in calls.rows:
        path_of[row["id"]] = path_of[row["parent"]] + (row["method"],)
        if int(row["self"]):
            out[thread[row["thread_id"]], path_of[row["id"]]] += int(row["self"])
    return out


def shown(thread):
    """The tid and name of a thread; async-profiler writes both into a name without an id."""
    tid, name = thread
    told = re.fullmatch(r"(?s)\[(.*) tid=(\d+)\]", name) if not tid else None
    if told:
        tid, name = int(told[2]), told[1]
    return tid, fit(name) or ("thread %d" % tid if tid else "all")


def by_line(counts):
    """Counts by thread and stack (its names, or those with ";" between)."""
    return answers.demangled({"%s;%s" % (thread, stack if isinstance(stack, str) else ";".join(stack)): n for (thread, stack), n in counts.items()})


def differences(what, want, got):
    want, got = by_line(want), by_line(got)
    return ["%s: %s: %s, not %s" % (what, k, got.get(k), want.get(k)) for k in list(want) + list(got) if want.get(k) != got.get(k)][:4]


def facts_of(program, path):
    a = program.ask(path, "info", options=("--no-index",))
    return a.code, {row["field"]: row["value"] for row in a.tables()[0].rows}


def check_places(program, path, p):
    """Where functions begin; of two alike in all else one."""
    a = program.ask(path, "methods | select name file line", options=("--no-index",))
    want = {(fit(name), fit(file), str(line) if line > 0 else "") for name, file, line in p.places}
    return ["%s is not in the file" % (row,) for row in ((r["name"], r["file"], r["line"]) for r in a.tables()[0].rows)
            if (row[1] or row[2]) and row not in want and (row[0], row[1]) not in {w[:2] for w in want if row[2] == ""}][:3]


def check_labels(program, path, p, i, name):
    """Samples and weight of an event by labels, and by the values of one label."""
    event = ("--event", name) if i != p.default else ()
    want = collections.Counter()
    for (k, labels), (samples, weight) in p.labelled.items():
        if k == i:
            want[", ".join("%s=%s" % pair for pair in labels), samples, weight] += 1
    if not p.order or not any(labels for _, labels in p.labelled):
        want = collections.Counter()
    a = program.ask(path, "labels | select labels samples total", options=("--no-index",) + event)
    rows = collections.Counter((r["labels"], int(r["samples"]), int(r["total"])) for r in a.tables()[0].rows)
    want = collections.Counter({(fit(text), samples, weight): n for (text, samples, weight), n in want.items()})
    bad = ["labels of %s: %s, not %s" % (name, rows - want, want - rows)] * (rows != want)
    for key in {key for k, labels in p.labelled if k == i for key, _ in labels if key in ("bytes", "request", "a.b", "service")}:
        mine = collections.Counter()
        for (k, labels), (_, weight) in p.labelled.items():
            if k == i:
                mine[next((fit(value) for its, value in labels if its == key), "")] += weight
        a = program.ask(path, 'labels | group "label.%s" : sum total' % key, options=("--no-index",) + event)
        got = collections.Counter()
        for r in a.tables()[0].rows:
            got[r["label." + key]] += int(r["sum_total"])
        bad += ["label %s of %s: %s, not %s" % (key, name, got, mine)] * (+got != +mine)
    return bad


def compare(program, path, p):
    code, facts = facts_of(program, path)
    bad = ["%s is %s, not %d" % (c, facts.get("repair." + c, 0), p.count[c]) for c in COUNTS
           if (c == "strings" and (int(facts.get("repair.strings", 0)) > 0) != (p.count[c] > 0)) or
           (c != "strings" and c != "pattern" and c != "location" and int(facts.get("repair." + c, 0)) != p.count[c])]
    lost = p.cut or p.count["messages"] > 0 or p.count["deep"] > 0
    bad += ["loss.deep_stacks is not %d" % p.count["deep"]] * (int(facts.get("loss.deep_stacks", 0)) != p.count["deep"])
    if code != (3 if lost else 0):
        bad.append("exit status %d" % code)
    bad += check_places(program, path, p)
    if p.differs:
        return bad          # two weights: the columns of a difference
    a = program.ask(path, "events", options=("--no-index",))
    rows = [(r["name"], int(r["samples"]), int(r["weight"]), r["unit"] or "ns", r["current"] == "true") for r in a.tables()[0].rows]
    nameless = "unnamed" if "samples" in p.events else "samples"
    want = [(fit(name) or nameless, p.rows[i], p.weight[i], fit(p.units[i][0]), i == p.default) for i, name in enumerate(p.events)]
    if len(want) == 1 and not p.events[0] and not any(p.rows):
        want = []           # it would stand in for all
    bad += [] if rows == want else ["events: %s, not %s" % (rows, want)]
    for i, name in enumerate(p.events):
        # One without a name is called samples, too.
        if i != p.default and (not name or not name.isprintable() or (name == "samples" and "" in p.events)):
            continue
        mine = collections.Counter()
        for (k, thread, stack), n in p.folded.items():
            if k == i and n:
                mine[shown(thread), tuple(map(fit, stack)) or ("[no stack]",)] += n
        bad += differences(name, mine, stacks(program, path, name if i != p.default else None))
        bad += check_labels(program, path, p, i, name)
    return bad


def check_file(program, path):
    with open(path, "rb") as f:
        data = f.read()
    try:
        p = slowpprof.Profile(data)
    except slowpprof.Refused:
        return refused(program, path)
    return compare(program, path, p)


def check_data(program, scratch, data):
    path = os.path.join(scratch, "profile.pb")
    with open(path, "wb") as f:
        f.write(data)
    return check_file(program, path)


def check_random(program, scratch, seed):
    path = os.path.join(scratch, "random.pb")
    data = pprofmake.random_profile(seed)
    with open(path, "wb") as f:
        f.write(data)
    try:
        p = slowpprof.Profile(data)
    except slowpprof.Refused:
        return refused(program, path)
    a = program.ask(path, "info", options=("--no-index", "--as", "pprof"))
    if a.code == 5:
        return ["refused: " + a.err.strip()]
    # Without --as, a file that does not begin like a profile is refused.
    if program.ask(path, "info", options=("--no-index",)).code == 5:
        return []
    return compare(program, path, p)


def check_cuts(program, scratch, data):
    """Cut anywhere: each whole sample is there, and the loss is reported."""
    path, bad = os.path.join(scratch, "cut.pb"), []
    with open(path, "wb") as f:
        f.write(data)
    for n, (code, why) in enumerate(program.tell_cuts(path, os.path.join(scratch, "cut"))):
        try:
            p = slowpprof.Profile(data[:n])
            want = (3,) if p.cut or p.count["messages"] else (0,)
        except slowpprof.Refused:
            want = (5,)
        if code not in want + (5,) * (n < 40):
            bad.append("byte %d: status %d: %s, not %s" % (n, code, why, want))
    return bad


# ---- the corpus -----------------------------------------------------------------------------------


def table(path):
    if os.path.exists(path + ".gz"):
        with gzip.open(path + ".gz", "rb") as f:
            return f.read().decode("utf-8", "surrogateescape").split("\n")[:-1]
    with open(path, "rb") as f:
        return f.read().decode("utf-8", "surrogateescape").split("\n")[:-1]


def check_expected(program, path, expected):
    lines = [line.split("\t") for line in table(expected + ".facts.tsv")]
    if lines[0][0].startswith("refused"):
        # Texts of goroutines and threads are stack dumps, not profiles.
        return [] if ("goroutine" in path or "threadcreate" in path) and facts_of(program, path)[1].get("loader") == "stacks" else refused(program, path)
    events = [line for line in lines if line[0] == "event"]
    facts, (code, got) = {line[0]: line[1] for line in lines if line[0] != "event"}, facts_of(program, path)
    bad = ["%s: %s, not %s" % (ours, got.get(ours), facts[key]) for key, ours in SHAPES.items() if got.get(ours) != facts[key]]
    bad += [] if code == (3 if facts["cut"] == "1" else 0) else ["exit status %d" % code]
    a = program.ask(path, "events", options=("--no-index",))
    nameless = "unnamed" if any(e[2] == "samples" for e in events) else "samples"
    want = [(fit(e[2]) or nameless, e[4], e[5].split("=")[1], min(int(e[6].split("=")[1]), slowpprof.MOST), e[-1] == "default") for e in events]
    # Their rows, ours are the samples of the type "samples".
    rows = [(r["name"], r["unit"] or "ns", int(r["weight"]), r["current"] == "true") for r in a.tables()[0].rows]
    # Samples that have times here are counted there.
    rows = [(r[0], "count", w[3], r[3]) if r[1] == "ns" and w[1] == "count" and r[0] == "samples" else r for r, w in zip(rows, want)]
    if got.get("kind") != "differential":
        bad += [] if rows == [(*w[:2], *w[3:]) for w in want] else ["events: %s, not %s" % (rows, want)]
    if got.get("kind") == "differential" or int(got.get("repair.saturated", 0)):
        return bad
    for i, event in enumerate(events):
        mine = collections.Counter()
        for line in table(expected + ".folded.tsv"):
            number, thread, stack, n = line.split("\t")
            if number == str(i):
                mine[fit(answers.unescape(thread)), fit(answers.unescape(stack)) or "[no stack]"] += int(n)
        ours = collections.Counter()
        for ((tid, name), stack), n in stacks(program, path, event[2] if event[-1] != "default" else None).items():
            name = "" if name in ("all", "thread %d" % tid) else name
            ours["/".join(x for x in (name, str(tid or "")) if x), ";".join(re.sub(r"^\[string \d+\]$", "[unknown]", s.replace(";", ":")) for s in stack)] += n
        bad += differences(event[2], mine, answers.as_counts(mine, ours))
    return bad


def check_corpus(tap, program, folder):
    for path in sorted(glob.glob(os.path.join(folder, "data", "*")) + glob.glob(os.path.join(folder, "data", "gen", "*"))):
        name = os.path.relpath(path, os.path.join(folder, "data")).replace("/", "-")
        expected = os.path.join(folder, "expected", name)
        if os.path.exists(expected + ".facts.tsv"):
            attempt(tap, "pprof %s: as expected" % name, check_expected, program, path, expected)
            if not name.startswith("refuse-"):
                attempt(tap, "pprof %s: as the oracle reads it" % name, check_file, program, path)


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.Program(os.path.join(build, "icecore"))
    for name in pprofmake.CASES:
        attempt(tap, "pprof: " + name, check_data, program, scratch, pprofmake.CASES[name]())
    for seed in sampled.seeds(SEEDS):
        attempt(tap, "pprof: random %d" % seed, check_random, program, scratch, seed)
    for name in ("recorded", "texts", "damaged"):
        attempt(tap, "pprof: %s cut anywhere" % name, check_cuts, program, scratch, pprofmake.CASES[name]())
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
