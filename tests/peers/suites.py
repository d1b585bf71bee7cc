# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""The test suites of other tools in CORPUS/suites, judged by its check.py, as TAP.

Each file has the answer that its suite expects, or a row of suites.tsv says why not; a row that explains nothing is wrong as well.
Of a file that is refused, the row says what it is.  The files of hotspot are read by perf, if it is installed.
"""
import os
import re
import shutil
import subprocess
import sys

from explained import Explained

HERE = os.path.dirname(os.path.abspath(__file__))


def judged(icecore, folder):
    """By suite: the verdict on each file that is not right, with what check.py says of it."""
    p = subprocess.run([sys.executable, "-B", os.path.join(folder, "check.py"), "--failing", icecore], stdout=subprocess.PIPE, text=True)
    suites, told = {}, []
    for line in p.stdout.splitlines()[1:]:
        verdict = re.match(r"  (other|named|refused) (\S+): ", line)
        if verdict:
            told = [verdict[1], line.strip()]
            suites[name][verdict[2]] = told
        elif line.startswith("    "):
            told.append(line.strip())
        else:
            name = line.split(" ")[0]
            suites[name] = {}
    return suites


def in_periods(lines):
    """Whether all that differs is that samples with a period are times here: one whole ratio throughout."""
    pairs = [re.search(r"got (\d+), expected ([1-9]\d*)$", line) for line in lines]
    ratios = {divmod(int(pair[1]), int(pair[2])) if pair else None for pair in pairs}
    return len(ratios) == 1 and all(ratio and ratio[0] >= 1000 and ratio[1] == 0 for ratio in ratios)


def check(tap, icecore, folder):
    if not os.path.isdir(folder):
        return
    explained, suites = Explained(os.path.join(HERE, "suites.tsv")), judged(icecore, folder)
    for suite in sorted(set(suites) - {"all"} - ({"hotspot"} if shutil.which("perf") is None else set())):
        bad = []
        for file, (verdict, *lines) in suites[suite].items():
            found = {"suite": suite, "file": file, "verdict": verdict}
            bad += lines if not in_periods(lines[1:]) and not explained.why(lambda row: found.items() <= row.items()) else []
        tap.ok("suite %s" % suite, bad)
    tap.ok("all suites are judged, and each row of suites.tsv explains a file",
           ([] if "all" in suites else ["check.py ended early"]) + explained.unused(lambda row: row["suite"] in suites and (row["suite"] != "hotspot" or shutil.which("perf"))))
