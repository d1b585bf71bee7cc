#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Reads frames of 80x24 and checks whether the names in their lists can be read: of 95 of 100 rows the column that names
them is whole, or at least 20 columns wide.  Prints what is wrong.

usage: names80.py FRAMES COLUMN...: for each frame the naming column, - to leave the frame out
"""
import re
import sys
import unicodedata

LEAST, SHARE, HEIGHT = 20, 95, 24


def columns(text):
    """One character a column: wide ones are followed by a blank."""
    return "".join(c + (" " if unicodedata.east_asian_width(c) in "WF" else "") for c in text)


def names(frame, naming):
    """The cells of that column in every list of the frame with that column."""
    heads = [(y, m.start(1)) for y, line in enumerate(frame) for m in [re.search(rf"(?:^|  )({naming})[↓↑]?(?: |›|$)", line)] if m]
    for y, x in heads[:1]:
        after = re.search(r"  \S", frame[y][x:])
        end = x + after.start() + 2 if after else 80
        for line in frame[y + 1:-1]:
            if line[x:x + 1] in ("", "─") or line.startswith("──"):
                break
            yield line[x:end].rstrip("› ")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        lines = [columns(line.rstrip("\n")) for line in f]
    wrong = 0
    for i, naming in enumerate(sys.argv[2:]):
        if naming == "-":
            continue
        cells = list(names(lines[i * HEIGHT:(i + 1) * HEIGHT], naming))
        short = [c for c in cells if "…" in c and len(c) < LEAST]
        if not cells or len(short) * 100 > len(cells) * (100 - SHARE):
            wrong = 1
            print(f"frame {i + 1}, {naming}: {len(short)} of {len(cells)} rows", *short[:3], sep="\n  ")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
