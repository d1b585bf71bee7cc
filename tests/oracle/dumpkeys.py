# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""The keys [ and ] of the explorer show of a file with several heap dumps what --dump shows."""
import os

SIZE = (110, 40)


def frames(program, scratch, path, script, *options):
    keys = os.path.join(scratch, "keys")
    with open(keys, "w", encoding="utf-8") as f:
        f.write("size %dx%d\n%s\n" % (*SIZE, "\n".join(script)))
    lines = program.run(["--no-index", "--keys", keys, *options, path]).out.split("\n")[:-1]
    return [lines[i:i + SIZE[1]] for i in range(0, len(lines), SIZE[1])]


def check(program, scratch, path, dumps, first, letters):
    """dumps: how many there are; first: the one that is shown without --dump; letters: of panes."""
    bad, shown = [], ["key C-l\nkey g %s\nframe" % letter for letter in letters]
    for k in range(-dumps, dumps + 1):
        at = (first - 1 + k) % dumps + 1
        got = frames(program, scratch, path, ["key ]" if k > 0 else "key ["] * abs(k) + shown)
        want = frames(program, scratch, path, shown, "--dump", str(at))
        bad += ["%+d keys: %r, not dump %d: %r" % (k, *pair) for pair in [(a[0], at, b[0]) for a, b in zip(got, want) if a != b]]
        bad += ["%+d keys: %d and %d frames" % (k, len(got), len(want))] * (len(got) != len(letters) or len(want) != len(letters))
        bad += ["%+d keys: not named: %r" % (k, got[0][0])] * (k != 0 and "dump %d of %d" % (at, dumps) not in got[0][0])
        bad += ["%+d keys: no hint: %r" % (k, got[0][-1])] * ("] next dump" not in got[0][-1])
    return bad
