# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""roomscheck.py SRCDIR: how large the rooms of src and include are, as tests/rooms.tsv allows.  Speaks TAP.

A token of C is a name, a number, a string or another character, outside comments.  The numbers may fall at any time.  RENEW=1 writes
those of today: a commit in which one rises says why.
"""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

WIDE = 110              # columns, a tab counted as 8
HEAD = ("# How large the rooms are, at most (tests/oracle/roomscheck.py): tokens of C, lines over %d columns, and members of the largest struct.\n"
        "# These may fall.  RENEW=1 sh tests/rooms.test writes what they are; the commit that raises one says why.\n# room\ttokens\tlines\tmembers\n" % WIDE)
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


def measured(srcdir):
    """By room: tokens, wide lines, members of the largest struct."""
    rooms = collections.defaultdict(lambda: [0, 0, 0])
    for top in "src", "include":
        for folder, _, names in os.walk(os.path.join(srcdir, top)):
            for name in names:
                if name.endswith((".c", ".h")):
                    with open(os.path.join(folder, name), encoding="utf-8") as f:
                        text = f.read()
                    code, room = COMMENT.sub(" ", text), rooms[os.path.relpath(folder, srcdir)]
                    room[0] += len(TOKEN.findall(code))
                    room[1] += sum(len(line.expandtabs(8)) > WIDE for line in text.split("\n"))
                    room[2] = max(room[2], *members(code), 0)
    return rooms


def main(srcdir):
    path, rooms = os.path.join(srcdir, "tests", "rooms.tsv"), measured(srcdir)
    if os.environ.get("RENEW") == "1":
        with open(path, "w", encoding="utf-8") as f:
            f.write(HEAD + "".join("%s\t%d\t%d\t%d\n" % (room, *rooms[room]) for room in sorted(rooms)))
    with open(path, encoding="utf-8") as f:
        most = {row[0]: [int(n) for n in row[1:]] for row in (line.rstrip("\n").split("\t") for line in f if not line.startswith("#"))}
    for i, what in enumerate(("tokens", "lines over %d columns" % WIDE, "members in a struct")):
        tap.check("rooms have at most so many %s as rooms.tsv says" % what,
                  *("%s: %d instead of %d" % (room, n[i], most[room][i]) for room, n in sorted(rooms.items()) if room in most and n[i] > most[room][i]))
    tap.check("rooms.tsv has each room", *sorted(set(rooms) ^ set(most)))
    print("# %d tokens, %d lines over %d columns" % (sum(n[0] for n in rooms.values()), sum(n[1] for n in rooms.values()), WIDE))
    print("1..%d" % tap.count)


if __name__ == "__main__":
    main(sys.argv[1])
