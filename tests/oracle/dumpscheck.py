#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""dumpscheck.py BUILD CORPUS - stack dumps against the expected tables of a slow reader, as TAP."""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

THREADS = ("threads | select dump name number tid state raw waits lock waits_for holder known holds depth top cpu elapsed daemon virtual cut "
           "count")
BLOCKED = "blocked | select dump depth thread number tid state lock waits_for how waiters"
DEADLOCKS = "deadlocks | select dump deadlock place thread lock waits_for holder source"
GROUPS = "identical_stacks | select dump threads depth top own states"
MOVES = "thread_changes | select from thread change state_from state_to cpu number"
DUMPS = "thread_dumps | select dump time pid threads deadlocks virtual"
SOURCES = {"reported": "told", "found": "found", "only reported": "told only"}
STATES = {"sleeping": "sleep", "ended": "dead"}   # words of the slow reader
HOW = {"holder": "holder", "deadlock": "cycle", "reported": "told", "found": "found", "unknown": "holder not in the dump", "waits": "waits"}


def sections(text):
    """Return the tables, each a list of rows by column."""
    out, rows = {}, None
    for line in text.split("\n"):
        if line.startswith("## "):
            rows = out[line[3:]] = []
        elif line and rows is not None:
            rows.append(line.split("\t"))
    return {k: [dict(zip(v[0], r)) for r in v[1:]] for k, v in out.items()}


def time_of(text, unit):
    return "" if text == "-" else "%d" % round(float(text) * unit)


def dash(text):
    return text if text else "-"


def flat(text):
    """The slow reader shows blanks for tabs and line ends."""
    return answers.fit(text.replace("\t", " ").replace("\n", " "))


def key(text):
    """Addresses in one form: debuggers write them with and without leading zeros."""
    return "0x%x" % int(text, 16) if text.startswith("0x") else text


def place(frame, top):
    """The function of a frame with its place."""
    return frame == top or frame.startswith(top + " (")


def check_threads(rows, want):
    bad = []
    if len(rows) != len(want):
        return ["%d threads, not %d" % (len(rows), len(want))]
    for r, w in zip(rows, want):
        waits = w["waiting_for"].split(" ", 2)
        flags = ("v" if r["virtual"] == "true" else "") + ("d" if r["daemon"] == "true" else "") + ("c" if r["cut"] == "true" else "")
        ours = {
            "dump": r["dump"], "name": r["name"], "id": dash(r["number"]), "tid": dash(r["tid"]), "state": r["state"], "raw": dash(r["raw"]),
            "holds": dash(r["holds"]), "depth": r["depth"], "flags": dash(flags), "count": r["count"],
        }
        for k, v in ours.items():
            theirs = STATES.get(w[k], w[k]) if k == "state" else flat(w[k])
            # A stack that ends in "..." is cut, which the slow reader does not mark.
            if k == "flags" and v.replace("c", "") == theirs.replace("-", ""):
                continue
            # dotnet-stack shows no states: its frames do, which the slow reader does not know.
            if k == "state" and (v, theirs) == ("waiting", "unknown"):
                continue
            # The slow reader believes a VM that calls its own threads runnable.
            if k == "state" and (v, theirs, r["depth"]) == ("native", "running", "0"):
                continue
            if k == "tid" and theirs not in ("-", v) and not theirs.isdigit():
                theirs = "-"
            if v != theirs:
                bad.append("dump %s, %s: %s is %r, not %r" % (w["dump"], w["name"], k, v, theirs))
        # A thread of ART sleeps on an object of its own.
        if w["state"] == "sleeping" and "java.lang.Thread.sleep" in w["top"] and not r["waits"]:
            waits = ["-"]
        if dash(r["waits"]) != waits[0] or (waits[0] != "-" and not w["waiting_for"].startswith("init") and key(r["lock"]) != key(waits[1])):
            bad.append("%s: waits %s %s, not %s" % (w["name"], r["waits"], r["lock"], w["waiting_for"]))
        held = w["held_by"].split(", ")[0] if r["holder"] != w["held_by"] else w["held_by"]
        if dash(r["holder"]) != flat(held):
            bad.append("%s: held by %r, not %r" % (w["name"], r["holder"], w["held_by"]))
        if w["top"] != "-" and not place(r["top"], flat(w["top"])):
            bad.append("%s: top %r, not %r" % (w["name"], r["top"], w["top"]))
        if r["cpu"] != time_of(w["cpu_ms"], 1e6) or r["elapsed"] != time_of(w["elapsed_s"], 1e9):
            bad.append("%s: cpu %s, elapsed %s, not %s ms, %s s" % (w["name"], r["cpu"], r["elapsed"], w["cpu_ms"], w["elapsed_s"]))
    return bad


def same(what, ours, theirs):
    ours = [tuple(map(str, x)) for x in ours]
    theirs = [tuple(map(flat, x)) for x in theirs]
    if ours == theirs:
        return []
    k = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    return ["%s: %d rows, not %d; row %d: %s, not %s" % (what, len(ours), len(theirs), k + 1, ours[k:k + 1], theirs[k:k + 1])]


def states(text):
    """"blocked 9, timed 3" as in the slow reader."""
    return ",".join(sorted("%s=%s" % tuple(x.split(" ")) for x in text.split(", ") if x))


def their_states(text):
    """Their counts with our words."""
    counts = [x.partition("=") for x in text.split(",") if "=" in x]
    return ",".join(sorted("%s=%s" % (STATES.get(w, w), n) for w, _, n in counts)) or text


def check_tables(program, path, want):
    a = program.ask(path, THREADS, BLOCKED, DEADLOCKS, GROUPS, MOVES, DUMPS, options=("--no-index",))
    if not want["threads"] and a.code == 5 and "without threads" in a.err:
        return []
    if a.code not in (0, 3):
        return ["exit %d: %s" % (a.code, a.err.strip())]
    threads, blocked, deadlocks, groups, moves, dumps = (t.rows for t in a.tables())
    bad = same("dumps", [(r["dump"], r["threads"], r["virtual"]) for r in dumps],
               [(w["dump"], w["threads"], w["virtual"]) for w in want["info"]])
    bad += check_threads(threads, want["threads"])
    bad += same("blocked", [(r["dump"], r["depth"], r["thread"], dash(r["number"] or r["tid"]), r["state"] or "-", key(dash(r["lock"])),
                             dash(r["waits_for"]) if r["lock"] else "-", HOW[r["how"]], r["waiters"]) for r in blocked],
                [(w["dump"], w["depth"], w["thread"], w["id"], STATES.get(w["state"], w["state"]), key(w["lock"]), w["class"] or "-", w["how"], w["below"]) for w in want["blocked"]])
    bad += same("deadlocks", [(r["dump"], r["deadlock"], r["place"], r["thread"], dash(r["lock"]), dash(r["waits_for"]), dash(r["holder"]), SOURCES[r["source"]])
                              for r in deadlocks],
                [(w["dump"], w["cycle"], w["pos"], w["thread"], w["waits_for"], w["class"], w["held_by"], w["source"]) for w in want["deadlocks"]])
    if all(w["state"] == "unknown" for w in want["threads"]):       # as above
        for r in groups:
            r["states"] = r["states"].replace("waiting", "unknown")
    known = {w["state"] for w in want["threads"]}
    for r in groups:                                                # as in check_threads
        r["states"] = r["states"].replace("native", "running") if r["depth"] == "0" and "native" not in known else r["states"]
    for r in moves:
        for k in ("state_from", "state_to"):
            r[k] = "running" if r[k] == "native" and "native" not in known else r[k]
    bad += same("groups", [(r["dump"], r["threads"], states(r["states"]), r["depth"], r["top"]) for r in groups],
                [(w["dump"], w["threads"], their_states(w["states"]), w["depth"], w["top"].removesuffix(" ()")) for w in want["groups"]])
    bad += same("moves", [(r["from"], r["thread"], r["change"], dash(r["state_from"]), dash(r["state_to"])) for r in moves],
                [(w["from"], w["thread"], w["what"], STATES.get(w["state_from"], w["state_from"]), STATES.get(w["state_to"], w["state_to"])) for w in want["moves"]])
    return bad + check_folded(program, path, want)


def check_folded(program, path, want):
    """All frames, without places: those of threads in all states and dumps together."""
    a = program.run(["--no-index", "-o", "folded", "-e", "merged", path])
    ours, theirs = collections.Counter(), collections.Counter()
    for line in a.out.splitlines():
        stack, _, count = line.rpartition(" ")
        ours[stack] += int(count)
    for name in ("[no stack]", "[unnamed]"):
        ours.pop(name, None)
    for w in want["folded"]:
        theirs[answers.fit(w["stack"].partition(";")[2].replace("(main=(dl`main", ""))] += int(w["count"])
    return ["folded: more %s, less %s" % (list((ours - theirs).items())[:2], list((theirs - ours).items())[:2])] if ours != theirs else []


def check_corpus(tap, program, corpus):
    folder = os.path.join(corpus, "stacks")
    for name in sorted(os.listdir(os.path.join(folder, "expected"))) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, "expected", name), encoding="utf-8", newline="\n") as f:
            want = sections(f.read())
        file = name[:-len(".tsv")]
        # Expected tables of files that are beside those of traces.
        for part in ("stacks/data/dumps", "stacks/data/edges", "trace/jstack"):
            path = os.path.join(corpus, part, file.removeprefix("shared-") if part == "trace/jstack" else file)
            if os.path.exists(path) and "threads" in want:
                attempt(tap, "%s/%s" % (part, file), check_tables, program, path, want)


def main(argv):
    program = answers.program_of(argv[1])
    tap = Tap()
    check_corpus(tap, program, argv[2])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
