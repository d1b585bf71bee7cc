#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""door.py FILE... - is a text folded stacks?  A line of file, yes or no, the reason and counts of lines.

Looks at the first 64 KiB only, after unpacking.
"""
import gzip
import re
import sys

HEAD = 65536
BLANK = b" \t\r\v\f"
COUNT = re.compile(rb"^(.*[ \t\r\v\f])(\d+(?:\.\d*)?)[ \t\r\v\f]*$", re.S)
STAMP = re.compile(rb"""^[\[<(]?(
    \d{4}[-/]\d\d[-/]\d\d | \d\d?[-/.]\d\d?[-/.]\d{2,4}[ T,] | \d\d?:\d\d(:\d\d)? |
    \d\d?/(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/ |
    (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ ]+\d\d?[ ] |
    (Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ ] | \d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[ :,;\]] | \d{10}(\d{3})?[. \]]
    )""", re.X)


def count(line):
    """The stack, and whether a number follows it."""
    m = COUNT.match(line)
    return (m.group(1).rstrip(BLANK), True) if m else (line, False)


def seams(stack):
    """Semicolons between two frames: no blank beside them, no entity in front."""
    n = 0
    for at in (m.start() for m in re.finditer(b";", stack)):
        left, right = stack[at - 1:at], stack[at + 1:at + 2]
        if left not in (b" ", b"\t") and right not in (b" ", b"\t", b"") and \
                not re.search(rb"&#?\w{1,8}$", stack[max(0, at - 10):at]):
            n += 1
    return n


def named(stack):
    return re.search(rb"[^0-9 \t,.;:+\-/|\r]", stack) is not None


def head_of(data):
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode("utf-8")
    return data[:HEAD], len(data) < HEAD


def is_folded(data):
    """(yes or no, reason, counts)"""
    head, whole = head_of(data)
    s = head.lstrip()
    if not s:
        return False, "empty", {}
    if (s[:1] == b"{" and s[1:].lstrip()[:1] in (b'"', b"}")) or \
            (s[:1] == b"[" and s[1:].lstrip()[:1] in (b'"', b"{", b"[")):
        return False, "json", {}
    if b"\0" in head:
        return False, "binary", {}
    lines = head.split(b"\n")
    if not whole and len(lines) > 1:
        lines.pop()
    elif not whole:
        odd, n = sum(head.count(x) for x in (b"{", b"}", b"=", b'"')), seams(head)
        return n >= 16 and odd * 100 < len(head) and len(head) // n <= 1000, "one long line", {"F": n}
    return judge([x for x in (line.rstrip(BLANK) for line in lines) if x and x[:1] != b"#"])


def judge(lines):
    stacks, names, others, header = [], 0, 0, 0
    for line in lines:
        stack, ok = count(line)
        if not ok or STAMP.match(line):
            if not stacks and names + others == 0:
                header = seams(line)
            others += 1
            continue
        before, two = count(stack)
        if two and named(before):
            stack = before
        if seams(stack) and named(stack):
            stacks.append(stack)
        elif named(stack) and not re.search(rb"[\t;]|[=:,]$", stack):
            names += 1
        else:
            others += 1
    n, blanks, assigned = len(stacks), sum(b" " in x for x in stacks), sum(b"=" in x for x in stacks)
    spaced = sum(b" " in x.split(b";")[0] for x in stacks)
    first, depth = len({x.split(b";", 1)[0] for x in stacks}), {seams(x) for x in stacks}
    r = {"F": n, "S": names, "X": others, "first": first, "depths": len(depth)}
    if n == 0:
        return False, "no stack of two frames", r
    if n * 4 < n + names + others or n + names <= others:
        return False, "too few stacks", r
    if n >= 8 and len(depth) == 1 and (header in depth or assigned * 2 > n or first * 2 > n or (blanks * 2 > n and first > 1 + n // 8) or spaced * 2 > n):
        return False, "a table", r
    return True, "", r


def main(argv):
    for path in argv[1:]:
        with open(path, "rb") as f:
            ok, why, r = is_folded(f.read())
        print("%s\t%s\t%s\t%s" % (path, "yes" if ok else "no", why, " ".join("%s=%s" % x for x in r.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
