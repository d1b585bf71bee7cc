# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A unit is next to the value of a fact, never in its meaning as well, and a size always has one."""
import glob
import os
import re

import answers

UNIT = re.compile(r"\b(bytes|B|[KMGT]i?B|ns|[uµ]s|ms|seconds)\b")
SIZE = re.compile(r"[0-9.]+ ([KMGT]i)?B")


def meanings_of(srcdir):
    """By name: all meanings in the source."""
    out = []
    for path in *glob.glob(os.path.join(srcdir, "include", "icecore", "facts_*.h")), os.path.join(srcdir, "src", "query", "trace", "meanings.c"):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r'"\s*"', "", re.sub(r"\s*\\\n\s*", " ", f.read()))
        out += re.findall(r'FACT\(\w+, "([^"]+)", \w+, \w+, "([^"]+)"\)', text)
        out += re.findall(r'^\t\{ [A-Z]+, (FACT_\w+), "([^"]+)" \},$', text, re.M)
    return out


def units(path, srcdir):
    """Read the facts of every input of the fuzz corpus as info prints them for people."""
    program, corpus = answers.Program(path), os.path.join(srcdir, "tests", "fuzz", "corpus")
    meanings, sizes = meanings_of(srcdir), set()
    flags = {field for field, meaning in meanings if meaning.startswith("1: ")}
    for row in meanings:
        if UNIT.search(row[1]):
            yield "meaning of %s: %s" % row
    for folder, _, names in os.walk(corpus):
        for name in names:
            file = os.path.join(folder, name)
            answer = program.run(["--no-index", "-o", "table", "-e", "info | where field ~ /bytes$/ | select value field", file])
            for value, field in (line.rsplit(None, 1) for line in answer.out.splitlines()[1:]):
                if field in flags or field.startswith("unread."):
                    continue
                sizes.add(field)
                if not SIZE.fullmatch(value.strip()):
                    yield "%s: %s is %s, without a unit" % (os.path.relpath(file, corpus), field, value.strip())
    if len(meanings) < 300 or not {"loss.tail_bytes", "loss.gap_bytes", "loss.skipped_bytes"} <= sizes:
        yield "%d meanings, sizes: %s" % (len(meanings), " ".join(sorted(sizes)))
