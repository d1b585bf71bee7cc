#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""What surrounds the rows of lists: columns without room are named in the footer and shown by >, a hint about sorting says what
the heading says, and a bar shows where the rows are, without hiding a letter.  Prints what is wrong.

usage: listed.py PROGRAM SCRATCH FILE LETTERS   the panes of these letters of a file, and of a table with full lines
"""
import itertools
import os
import re
import subprocess
import sys

SIZES, STEPS = ((60, 24), (80, 24), (120, 30)), 14
BAR, MORE, CUT = "▐", "›", "…"


def frames(program, scratch, path, size, script):
    keys = os.path.join(scratch, "keys")
    with open(keys, "w", encoding="utf-8") as f:
        f.write("size %dx%d\n%s\n" % (*size, "\n".join(script)))
    out = subprocess.run([program, "--no-index", "--keys", keys, path], capture_output=True, encoding="utf-8", check=True,
                         env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}).stdout.split("\n")[:-1]
    return [out[i:i + size[1]] for i in range(0, len(out), size[1])]


def split(frame):
    """The heading of the first list, its lines, its status, the footer."""
    head = next(i for i in range(2, len(frame)) if frame[i].startswith("  ") and not frame[i].lstrip().startswith("["))
    rows = list(itertools.takewhile(lambda line: not line.startswith("──"), frame[head + 1:-2]))
    return frame[head], rows, frame[-2], frame[-1]


def heads(line):
    return {re.sub("[↓↑]$", "", word) for word in re.split(r" {2,}|  ?" + MORE, line.rstrip(MORE + " ").strip()) if word}


def hint(footer, key):
    """The number of columns that the footer counts at a key, and the names."""
    m = re.search(r"(?:^|  )%s \+(\d+)(?:: (.*?))?(?:  |$)" % key, footer)
    return (int(m[1]), m[2].split(", ") if m[2] else []) if m else (0, [])


def columns(shown):
    """Frames, each after one more >."""
    parts = [split(f) for f in shown]
    seen = [heads(p[0]) for p in parts]
    every = set().union(*seen)
    for i, (head, _, _, footer) in enumerate(parts):
        for key, others in ((">", set().union(*seen[i:])), ("<", set().union(*seen[:i + 1]))):
            n, names = hint(footer, key)
            if n and (n != len(every - seen[i]) if i == 0 else n > len(every - seen[i])):
                yield "%d columns counted, %s lack: %s" % (n, sorted(every - seen[i]), footer)
            for name in (names[:-1] if names[-1:] == [CUT] else names):
                if name in seen[i] or name not in others:
                    yield "%s is named, of %s: %s" % (name, sorted(others), head)
        sort = re.search(r"s sort: (\S+)[↓↑]", footer)
        if sort and sort[1] not in every:
            yield "sorted by %s, of %s" % (sort[1], sorted(every))
    if hint(parts[0][3], ">")[0] == 0 and MORE in parts[0][0]:
        yield "not named: " + parts[0][0] + parts[0][3]
    if hint(parts[-1][3], ">")[0]:
        yield "never shown: " + parts[-1][3]


def bars(shown, width):
    """Frames at the first row and at the last."""
    for frame, at in zip(shown, (0, -1)):
        _, rows, status, _ = split(frame)
        count = re.search(r"\((\S+(?: \d{3})*) of (\d+(?: \d{3})*)\)", status)
        if count is None:
            continue
        n, h = int(count[2].replace(" ", "")), len(rows)
        last, size = [row.ljust(width)[-1] for row in rows], max(1, h * h // n) if n > h else 0
        bar = range(0, size) if at == 0 else range(h - size, h)
        if any((cell == BAR) != (i in bar) for i, cell in enumerate(last) if cell in " " + BAR):
            yield "%d of %d rows shown, bar %s" % (h, n, last)


def full(program, scratch):
    """Each letter of rows that fill the line."""
    path = os.path.join(scratch, "full.csv")
    want = ["%03d " % i + chr(65 + i % 26) * (74 - i % 3) for i in range(90)]
    with open(path, "w", encoding="utf-8") as f:
        f.write("letters\n" + "\n".join(want) + "\n")
    for frame, at in zip(frames(program, scratch, path, (80, 24), ["key g r", "frame", "key G", "frame"]), (0, -1)):
        got = [line[2:] for line in split(frame)[1]]
        rows = want[:len(got)] if at == 0 else want[-len(got):]
        if [line.rstrip(BAR + " ") for line in got] != rows or BAR not in "".join(got):
            yield "\n".join(["letters are hidden", *got])


def main(program, scratch, path, letters):
    wrong = list(full(program, scratch))
    for size, letter in itertools.product(SIZES, letters):
        shown = frames(program, scratch, path, size, ["key g " + letter, "frame"] + ["key >", "key C-l", "frame"] * STEPS +
                       ["key C-l Home", "frame", "key G", "frame"])
        wrong += ["%dx%d, g %s: %s" % (*size, letter, line) for line in [*columns(shown[:-2]), *bars(shown[-2:], size[0])]]
    print(*wrong, sep="\n")
    return wrong != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
