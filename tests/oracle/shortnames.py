# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Names of functions in few columns, against what is promised of them.

usage: shortnames.py ICECORE SCRATCH: names built from their parts, drawn by a list of several widths.  Exit 1 where one is
too wide, is cut though it fits, shows what it has not, loses its own name, is cut in another order, or looks like another one.
"""
import os
import random
import re
import sys

import answers
import madenames

MARK, ROWS, LEAST_APART = "~", 40, 40
WIDTHS = (46, 60, 80, 120, 198)


def page(rng, number):
    """Names: half of them with a word of their own, half of one scope that differ somewhere."""
    names = {}
    while len(names) < ROWS // 2:
        name, scope = madenames.cpp(rng)
        own = "only%d_%d" % (number, len(names))
        rest = madenames.in_brackets(rng, "()") + rng.choice(("", " const"))
        names[(scope + "::" if scope else "") + own + rest] = (scope, own, rest)
    while len(names) < ROWS:
        scope = madenames.cpp(rng)[1] or "a::b"
        for _ in range(4):
            rest = madenames.in_brackets(rng, "()")
            names[scope + "::run" + rest] = (scope, "run", rest)
    return dict(list(names.items())[:ROWS])


def shown(program, scratch, names, width):
    data, keys = os.path.join(scratch, "short.folded"), os.path.join(scratch, "short.keys")
    with open(data, "w") as f:
        f.writelines("%s %d\n" % (name, len(names) - i) for i, name in enumerate(names))
    with open(keys, "w") as f:
        f.write("size %dx60\nkey :\ntype methods | select method\nkey Enter\nframe\n" % width)
    lines = program.run(["--no-index", "--as", "folded", "--keys", keys, data], changes={"LC_ALL": "C", "NO_COLOR": "1"}).out.split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r" +method", line))
    return [line[2:].rstrip() for line in lines[at + 1:at + 1 + len(names)]]


def check_one(name, parts, short, room, alone):
    scope, own, rest = parts
    if len(short) > room:
        return "is wider than %d" % room
    if len(name) <= room:
        return "" if short == name else "is cut, but fits"
    at = 0
    for piece in short.split(MARK):
        at = name.find(piece, at)
        if at < 0:
            return "shows what it has not"
        at += len(piece)
    if own not in short:
        return "has lost its own name"
    if not alone:
        return ""
    scope_cut = scope and not short.startswith(scope + "::")
    inside = rest[1:rest.rindex(")")]
    if scope_cut and len(inside) > 1 and inside in short[short.index(own):]:
        return "has lost of its scope before its arguments"
    if short.startswith(MARK) and re.search(r"<[^~<>]{2,}>", short):
        return "has lost a scope before the brackets"
    return ""


def main():
    program, scratch = answers.Program(sys.argv[1]), sys.argv[2]
    rng = random.Random(int(os.environ.get("NAMES_SEED", "1")))
    bad = []
    for number in range(int(os.environ.get("NAMES_PAGES", "6"))):
        names = page(rng, number)
        for width in WIDTHS:
            room, seen = width - 2, {}
            for (name, parts), short in zip(names.items(), shown(program, scratch, names, width), strict=True):
                why = check_one(name, parts, short, room, parts[1] != "run")
                if not why and seen.setdefault(short, name) != name and room >= LEAST_APART:
                    why = "looks like " + seen[short]
                if why:
                    bad.append("%d columns: %s: %s %s" % (width, name, short, why))
    for line in bad[:20]:
        print("# " + line)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
