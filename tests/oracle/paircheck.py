#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""paircheck.py BUILD SCRATCH - times between tracepoints of perf against the slow model pairs.py, as TAP."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [HERE, os.path.join(HERE, os.pardir, "mk")]

import answers  # noqa: E402
import pairmake  # noqa: E402
import pairs  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 12
STATES = {"S": "sleep", "D": "disk", "R": "preempted", "I": "idle"}


def differences(what, want, got):
    return ["%s: %s: %s, not %s" % (what, k, got.get(k), want.get(k)) for k in sorted(set(want) | set(got), key=str) if want.get(k) != got.get(k)][:4]


def counted(rows):
    out = {}
    for row in rows:
        pairs.count(out, row)
    return out


def ask(program, path, *queries):
    return [t.rows for t in program.ask(path, *queries, options=("--no-index",)).tables()]


def folded(program, path, event, query="calls"):
    out = {}
    for line in program.run(program.options + ["--no-index", "-o", "folded", "--event", event, "-e", query, path]).out.splitlines():
        stack, _, n = line.rpartition(" ")
        pairs.count(out, stack, int(n))
    return out


def check_pairs(program, path, recording):
    want, first = pairs.answer(recording), 1000 * recording.rows[0]["time"]
    events, alone = ask(program, path, "events | select name current", "info | where field ~ /^unread[.]pair/ | select field value")
    bad = differences("without a partner", want.alone, {row["field"][len("unread.pair."):]: int(row["value"]) for row in alone})
    made = {row["name"] for row in events} - {row["event"] for row in recording.rows}
    bad += ["events %s, not %s" % (sorted(made), sorted(want.stacks))] if made != set(want.stacks) else []
    bad += ["%s is shown" % row["name"] for row in events if row["current"] == "true" and row["name"] not in want.stacks]
    for event, stacks in want.stacks.items():
        bad += differences(event, stacks, folded(program, path, event))
    if want.intervals:
        rows, = ask(program, path, "intervals | select start_wall wall thread event what")
        bad += differences("intervals", counted((start - first,) + tuple(rest) for start, *rest in want.intervals),
                           counted((int(r["start_wall"]), int(r["wall"]), r["thread"], r["event"], r["what"]) for r in rows))
    return bad


def check_waits(program, path, recording):
    """Waits say where tasks sleep, never that it is the scheduler; samples have the states."""
    first, waits = 1000 * recording.rows[0]["time"], pairs.waits(recording.rows)
    rows, = ask(program, path, "waits | where state in (sleep, disk, idle) and waiting_in != '' | select start_wall thread waiting_in io_wait")
    bad = differences("waits", counted((s - first, comm, stack[-1], str(io).lower()) for s, n, comm, state, stack, io in waits if state != "R"),
                      counted((int(r["start_wall"]), r["thread"], r["waiting_in"], r["io_wait"]) for r in rows))
    for state, word in STATES.items():
        want = {}
        for _, n, comm, is_, stack, _ in waits:
            if is_ == state:
                pairs.count(want, ";".join([comm] + stack), n)
        bad += differences(word, want, folded(program, path, "off-cpu", "calls | state " + word)) if want else []
    return bad


def check_redacted(program, scratch, path):
    """A redacted file has the same times."""
    out = os.path.join(scratch, "redacted.perf")
    if os.path.exists(out):
        os.remove(out)
    program.run(["redact", path, out])
    query = "events | select samples weight | sort weight samples"
    want, got = (ask(program, p, query)[0] for p in (path, out))
    return [] if want == got else ["redacted: %s, not %s" % (got, want)]


def check_half(program, scratch, kind, other):
    """Where the other half was not recorded, samples are what they are: nothing is missing, and nothing is known not to be freed."""
    path = os.path.join(scratch, "half.perf")
    kept, lines = False, []
    for line in pairmake.recording(kind, 3).text().replace("\r\n", "\n").split("\n"):
        kept = not re.search(other, line) if line and not line[0].isspace() else kept
        lines += [line] if kept else []
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write("\n".join(lines) + "\n")
    events, alone = ask(program, path, "events | select name samples", "info | where field ~ /^unread[.]pair/ | select field value")
    return ["unread: %s" % row for row in alone] + ["made: %s" % row for row in events if ":" not in row["name"]] + ([] if events else ["no events"])


def check(program, scratch, kind, seed):
    path = os.path.join(scratch, "pairs.perf")
    recording = pairmake.recording(kind, seed)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(recording.text())
    return check_pairs(program, path, recording) + (check_waits(program, path, recording) if kind == "switch" else []) + \
        (check_redacted(program, scratch, path) if seed < 2 else [])


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    sampled.tell()
    for kind in pairmake.MAKERS:
        for seed in sampled.turns(range(SEEDS)):
            attempt(tap, "%s, seed %d" % (kind, seed), check, program, scratch, kind, seed)
    for kind, other in (("kmem", "kfree|kmem_cache_free|mm_page_free"), ("raw", "sys_exit"), ("calls", "sys_exit"), ("irq", "_exit|_entry:.*vector"), ("block", "rq_complete|rq_insert"),
                        ("calls", "sys_exit_read|sys_enter_(?!read)")):
        attempt(tap, "%s, one half alone" % kind, check_half, program, scratch, kind, other)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
