# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A part of the corpus: a folder of links to its small files and to some of the others, the same ones each time.

CORPUS_PART: one of the others in so many; unset: the whole corpus.
Files that are not in the folder are not tested, so manifests lose the rows of omitted files.
"""
import os
import zlib

SMALL = 32 << 10
KEPT = ("expected", "oracle", "oracles", "other", "frontdoor")     # directories of answers, and of files whose answers are in one table


def chosen(name, size, part):
    """Whether a file is in the part."""
    if size < SMALL or set(name.split("/")[:-1]) & set(KEPT) or name.endswith((".py", ".md", ".tsv")):
        return True
    return zlib.crc32(name.encode()) % part == 0


def view(corpus, part, folder):
    """Fills folder; the files that are left out."""
    out = []
    for place, folders, names in os.walk(corpus):
        inner = os.path.relpath(place, corpus)
        os.makedirs(os.path.join(folder, inner), exist_ok=True)
        for name in names:
            path = os.path.normpath(os.path.join(inner, name))
            if chosen(path, os.path.getsize(os.path.join(place, name)), part):
                os.symlink(os.path.join(place, name), os.path.join(folder, path))
            else:
                out.append(path)
    gone = {name[:n] for name in out for n in (None, *(-len(end) for end in (".gz", ".hprof", ".hprof.gz") if name.endswith(end)))}
    lasts = {os.path.basename(name).encode() for name in gone}
    for path in [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".tsv")]:
        shorten(path, os.path.relpath(os.path.dirname(path), folder), gone, lasts)
    return out


def shorten(path, folder, gone, lasts):
    """A table without its rows that begin with a file that is left out, with or without its endings; without such rows it stays a link.
    lasts: the last parts of these names."""
    def stays(line):
        word = line.split(b"\t", 1)[0].strip()
        return word.rsplit(b"/", 1)[-1] not in lasts or os.path.normpath(os.path.join(folder, os.fsdecode(word))) not in gone

    with open(path, "rb") as f:
        lines = f.readlines()
    left = [line for line in lines if stays(line)]
    if left != lines:
        os.unlink(path)
        with open(path, "wb") as f:
            f.writelines(left)
