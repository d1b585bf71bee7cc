#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""hangscheck.py BUILD SCRATCH - one wait of 1 to 99 % of the time is named at every step, as TAP (tests/mk/hangmake.py)."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import hangmake  # noqa: E402
from check import Tap, attempt  # noqa: E402

STEPS = (1, 2, 5, 10, 25, 40, 49, 50, 51, 60, 75, 90, 94, 95, 96, 98, 99)
# On all surfaces, with what they say.
LENGTHS = {4: ("400 ms",), 60: ("6 s", "6.00 s"), 97: ("9.70 s",)}
NEAR = hangmake.LENGTH // 400


def check_overview(program, path, make, line, words, steps=STEPS):
    bad = []
    for percent in steps:
        hangmake.write(path, make(percent))
        out = program.run(["--no-index", "-o", "tsv", "-e", "overview | where line = '%s' | select value subject" % line, path]).out
        rows = [row.split("\t") for row in out.split("\n")[1:] if row]
        if len(rows) != 1 or not rows[0][1].startswith(words) or abs(int(rows[0][0]) - hangmake.LENGTH * percent // 100) > NEAR:
            bad.append("%d %%: %s" % (percent, rows))
    return bad


def worker(percent, share, place):
    return hangmake.perfetto(percent, share, place, 90)


def main_second(percent, share, place):
    return hangmake.method_trace(percent, share, place, True)


# How much of a turn the thread runs; tasks of ftrace text have no process.
SHARES = (5, 9, 30, 60, 90)
VARIED = (("hang.sched.txt", hangmake.ftrace, "main, sleep"), ("hang.pftrace", hangmake.perfetto, "main, sleep"),
          ("worker.pftrace", worker, "main, sleep"), ("hang.trace", hangmake.method_trace, "main in app.Net.read"),
          ("second.trace", main_second, "main in app.Net.read"), ("hang.nano", hangmake.nanoscope, "main in app.Net.read"))


def check_varied(program, folder, name, make, words):
    """Neither the share nor the place matters."""
    bad = []
    for place in hangmake.PLACES:
        for share in SHARES:
            bad += ["%s, runs %d %%: %s" % (place, share, b) for b in check_overview(program, os.path.join(folder, name),
                    lambda percent: make(percent, share, place), "longest wait", words, (40, 51, 60, 90, 99))]
    return bad


# Parts of a long call: how many, the largest in per cent of it, and which call is named.
PARTS = ((0, 0, "load"), (2, 0, "load"), (30, 0, "load"), (0, 50, "load"), (0, 94, "load"), (0, 100, "only"))


def check_long(program, path):
    """It is named however long it is, and not the loops that hold the work of other threads; a callee that takes all of its time says more."""
    bad = []
    for children, most, name in PARTS:
        for worker in (96, 100):
            bad += ["%d parts, %d %%: %s" % (children, most, b) for b in check_overview(program, path,
                    lambda percent: hangmake.long_call(percent, children, most, worker), "longest call", name + "  main")]
    return bad


def surfaces(program, folder, path):
    """What each surface shows of the file."""
    keys, page = os.path.join(folder, "hang.keys"), os.path.join(folder, "hang.html")
    with open(keys, "w", encoding="ascii") as f:
        f.write("size 120x40\nkey 1\nframe\n")
    yield "screen", program.run(["--no-index", "--keys", keys, path]).out
    yield "report", program.run(["--no-index", "--no-hash", "--report", path]).out
    program.run(["page", "--force", "-o", page, path])
    with open(page, encoding="utf-8") as f:
        yield "page", f.read()


def check_surfaces(program, folder, path, make, name):
    """One line has the length of the wait, and where it is."""
    bad = []
    for percent, lengths in LENGTHS.items():
        hangmake.write(path, make(percent))
        for what, text in surfaces(program, folder, path):
            if not any(name in line and any(length in line for length in lengths) for line in text.split("\n")):
                bad.append("%d %%: %s" % (percent, what))
    return bad


def check_triage(program, path, make):
    """No such file is clean, and its row has the wait, or its finding where only a name tells it."""
    bad = []
    for percent in LENGTHS:
        hangmake.write(path, make(percent))
        rows = [json.loads(line) for line in program.run(["triage", "--one", "x", path]).out.split("\n") if line.startswith("{")]
        waits = [row[key] for row in rows for key in ("wait", "wall") if row.get(key) is not None]
        if not any(row["row"] == "finding" for row in rows) or not waits or abs(waits[0] - hangmake.LENGTH * percent // 100) > NEAR:
            bad.append("%d %%: %s" % (percent, rows))
    return bad


def check_in_flight(program, path):
    """What lasts as long as others of its name is not stuck, and stands on the first screen all the same."""
    bad = check_overview(program, path, lambda percent: hangmake.chrome_open(percent, 100000), "never ended", "load  1 async slice", (4, 10))
    rows = program.run(["triage", "--one", "x", path]).out
    return bad + (["triage: " + rows] if '"finding"' in rows else [])


def main(argv):
    tap, program = Tap(), answers.program_of(argv[1])
    for name, make, line, words, place in hangmake.FORMATS:
        path = os.path.join(argv[2], name)
        attempt(tap, name + ": the wait is named at every step", check_overview, program, path, make, line, words)
        attempt(tap, name + ": on every surface", check_surfaces, program, argv[2], path, make, place)
        # Triage reads no files beside a trace, and a call that no name tells to be a wait may work.
        if make not in (hangmake.nanoscope, hangmake.chrome):
            attempt(tap, name + ": in triage", check_triage, program, path, make)
    attempt(tap, "long.json: the longest call is named at every step", check_long, program, os.path.join(argv[2], "long.json"))
    attempt(tap, "flight.json: what is in flight is not stuck", check_in_flight, program, os.path.join(argv[2], "flight.json"))
    for name, make, words in VARIED:
        attempt(tap, name + ": however much it runs, wherever the wait is", check_varied, program, argv[2], name, make, words)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
