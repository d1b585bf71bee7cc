# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A part of the corpus: a folder of links to its small files, to the files of changed formats, and to a tenth of the others.

CORPUS_PART: the rooms of src/ that changed, separated by blanks; unset: the whole corpus.  TEST_DAY, the day since 1970: which tenth.
CORPUS_TURNS: another number than 10.
Files that are not in the folder are not tested, so manifests lose the rows of omitted files.
"""
import os
import zlib

import answers

SMALL = 64 << 10
KEPT = ("expected", "oracle", "oracles", "other")     # directories of answers, and of files whose answers are in one table
# Folders of the corpus that are whole when one of these rooms changed.
ROOMS = {
    "heap": ("src/load/heap", "src/pass/heap", "src/pass/dominators", "src/pass/content", "src/pass/names", "src/pass/leaks", "src/programs/redact"),
    "jfr": ("src/load/jfr",),
    "stacks": ("src/load/stacks", "src/load/tracers", "src/load/callgrind", "src/pass/dumps"),
    "trace": ("src/load/trace", "src/load/stacks", "src/load/sched", "src/load/side", "src/pass/calls", "src/pass/tracks"),
    "profiles/chrome": ("src/load/profile",), "profiles/firefox": ("src/load/profile",), "profiles/perftext": ("src/load/perf",),
    "profiles/perfdata": ("src/load/perf",), "profiles/frontdoor": ("src/load/profile",), "profiles/pprof": ("src/load/pprof",),
    "perfetto": ("src/load/perfetto", "src/load/sched", "src/load/profile"), "seeds": ("src/load/code", "src/load/money", "src/load/table"),
}


def chosen(name, size, rooms):
    """Whether a file is in the part."""
    if size < SMALL or set(name.split("/")[:-1]) & set(KEPT) or name.endswith((".py", ".md", ".tsv")):
        return True
    whole = any(name.startswith(folder + "/") and set(rooms) & set(of) for folder, of in ROOMS.items())
    return whole or answers.turn("corpus: " + name, int(os.environ.get("CORPUS_TURNS", "10")))


def view(corpus, rooms, folder):
    """Fills folder; the files that are left out."""
    out = []
    for place, folders, names in os.walk(corpus):
        inner = os.path.relpath(place, corpus)
        os.makedirs(os.path.join(folder, inner), exist_ok=True)
        for name in names:
            path = os.path.normpath(os.path.join(inner, name))
            if chosen(path, os.path.getsize(os.path.join(place, name)), rooms):
                os.symlink(os.path.join(place, name), os.path.join(folder, path))
            else:
                out.append(path)
    for path in [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".tsv")]:
        shorten(path, os.path.relpath(os.path.dirname(path), folder), out)
    return out


def shorten(path, folder, out):
    """A table without its rows that begin with a file that is left out, with or without its endings; without such rows it stays a link."""
    gone = {os.path.relpath(name, folder)[:n].encode() for name in out
            for n in (None, *(-len(end) for end in (".gz", ".hprof", ".hprof.gz") if name.endswith(end)))}
    with open(path, "rb") as f:
        lines = f.readlines()
    left = [line for line in lines if line.split(b"\t", 1)[0].strip() not in gone]
    if left != lines:
        os.unlink(path)
        with open(path, "wb") as f:
            f.writelines(left)
