#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""unitscheck.py ICECORE SRCDIR: a unit is next to the value of a fact, never in its meaning as well, and a size always has one.

Reads all meanings in the source, then the facts of every input of the fuzz corpus as info prints them for people.
"""
import glob
import os
import re
import sys

import answers

program, srcdir = answers.Program(sys.argv[1]), sys.argv[2]
UNIT = re.compile(r"\b(bytes|B|[KMGT]i?B|ns|[uµ]s|ms|seconds)\b")
SIZE = re.compile(r"[0-9.]+ ([KMGT]i)?B")
CORPUS = os.path.join(srcdir, "tests", "fuzz", "corpus")

meanings = []
for path in *glob.glob(os.path.join(srcdir, "include", "icecore", "facts_*.h")), os.path.join(srcdir, "src", "query", "trace", "meanings.c"):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    meanings += re.findall(r'FACT\(\w+, "([^"]+)", \w+, \w+, "([^"]+)"\)', text)
    meanings += re.findall(r'^\t\{ [A-Z]+, (FACT_\w+), "([^"]+)" \},$', text, re.M)
flags = {field for field, meaning in meanings if meaning.startswith("1: ")}
wrong = ["meaning of %s: %s" % row for row in meanings if UNIT.search(row[1])]
sizes = set()
for folder, _, names in os.walk(CORPUS):
    for name in names:
        path = os.path.join(folder, name)
        answer = program.run(["--no-index", "-o", "table", "-e", "info | where field ~ /bytes$/ | select value field", path])
        for line in answer.out.splitlines()[1:]:
            value, field = line.rsplit(None, 1)
            if field in flags or field.startswith("unread."):
                continue
            sizes.add(field)
            if not SIZE.fullmatch(value.strip()):
                wrong.append("%s: %s is %s, without a unit" % (os.path.relpath(path, CORPUS), field, value.strip()))
if len(meanings) < 300 or not {"loss.tail_bytes", "loss.gap_bytes", "loss.skipped_bytes"} <= sizes:
    wrong.append("%d meanings, sizes: %s" % (len(meanings), " ".join(sorted(sizes))))
for line in wrong:
    print(line)
sys.exit(len(wrong) > 0)
