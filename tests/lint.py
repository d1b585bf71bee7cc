# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""lint.py SRCDIR [OBJECTS]: advice about form, as make lint prints it.  It never fails: none of it says whether the program is right.

The size of rooms: a token of C is a name, a number, a string or another character, outside comments.
"""
import collections
import os
import re
import subprocess
import sys

WIDE = 120              # columns, a tab counted as 8
ELLIPTIC = re.compile(r"(what|of|it|the same|those|they|none|its|these|that|them|whose|one)\b", re.I)
TAG = re.compile(r"^(?:typedef )?((?:struct|enum|union) [a-z_0-9]+) \{", re.M)
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d[\w.]*|[^\s\w]')
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def members(code):
    """The members of each struct, those of structs inside it too."""
    for m in re.finditer(r"^(?:static |const )*struct \w+ \{", code, re.M):
        end, depth = m.end(), 1
        while end < len(code) and depth:
            depth += (code[end] == "{") - (code[end] == "}")
            end += 1
        body = re.sub(r"\([^()]*\)|\[[^\]]*\]|[{}]", "", code[m.end():end - 1])
        yield sum(1 + part.count(",") for part in body.split(";") if re.search(r"\w", part))


def sources(srcdir):
    """(path below srcdir, text) of each source and header."""
    for top in "src", "include":
        for folder, _, names in sorted(os.walk(os.path.join(srcdir, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as f:
                        yield os.path.relpath(path, srcdir), f.read()


def rooms(files):
    """By room: tokens, wide lines, members of the largest struct."""
    found = collections.defaultdict(lambda: [0, 0, 0])
    for path, text in files:
        code, room = COMMENT.sub(" ", text), found[os.path.dirname(path)]
        room[0] += len(TOKEN.findall(code))
        room[1] += sum(len(line.expandtabs(8)) > WIDE for line in text.split("\n"))
        room[2] = max(room[2], *members(code), 0)
    return found


def elliptic(files):
    """Comments that begin without their subject."""
    for path, text in files:
        for m in COMMENT.finditer(text):
            first = re.sub(r"^[/*\s]+", "", m[0])
            if ELLIPTIC.match(first):
                yield "%s:%d: %s" % (path, text.count("\n", 0, m.start()) + 1, first.split("\n")[0])


def double_tags(files):
    """Tags that a header defines and another file defines as well."""
    where = collections.defaultdict(list)
    for path, text in files:
        for tag in TAG.findall(text):
            where[tag].append(path)
    for tag, paths in sorted(where.items()):
        if len(paths) > 1 and any(p.endswith(".h") for p in paths):
            yield "%s: %s" % (tag, " ".join(paths))


def told(what, lines):
    lines = list(lines)
    print("== %s: %d" % (what, len(lines)))
    for line in lines:
        print(line)


def printed(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()


def main(srcdir):
    files, here = list(sources(srcdir)), os.path.dirname(os.path.abspath(__file__))
    size = rooms(files)
    told("rooms: tokens, lines over %d columns, members of the largest struct" % WIDE,
         ["%8d %5d %4d  %s" % (*n, room) for room, n in sorted(size.items(), key=lambda r: -r[1][0])])
    told("circles of files", [line[2:] for line in printed("sh", os.path.join(here, "layers.sh"), "circles") if line.startswith("# ")])
    told("tags that a header defines and another file too", double_tags(files))
    told("comments without their subject", elliptic(files))
    told("words of comments and tests", printed(sys.executable, os.path.join(here, "oracle", "plaincheck.py"), "--advice", srcdir))
    print("%d tokens, %d lines over %d columns" % (sum(n[0] for n in size.values()), sum(n[1] for n in size.values()), WIDE))


if __name__ == "__main__":
    main(sys.argv[1])
