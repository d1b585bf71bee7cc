#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""hprofconv.py IN [FROM TO ...]: a heap dump of Android on standard output as hprof-conv leaves it: without what only Android has.

Version 1.0.2; its roots become unknown ones, heaps have no names, arrays without their elements get zeros.  FROM TO: names that others replace.
"""
import gzip
import struct
import sys

UNKNOWN, HEAP, PRIMITIVES, NODATA = 0xff, 0xfe, 0x23, 0xc3
WIDTH = {2: 4, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
DUMPS = (0x0c, 0x1c)


def u4(data, at):
    return struct.unpack_from(">I", data, at)[0]


def u2(data, at):
    return struct.unpack_from(">H", data, at)[0]


def class_end(data, p, ids, width):
    p += 11 + 7 * ids
    n, p = u2(data, p - 2), p
    for _ in range(n):
        p += 3 + width[data[p + 2]]
    n, p = u2(data, p), p + 2
    for _ in range(n):
        p += ids + 1 + width[data[p + ids]]
    return p + 2 + u2(data, p) * (ids + 1)


def records(data, ids):
    """(tag, from, to) of each; an array without elements ends where they would begin."""
    width = {**WIDTH, 2: ids}
    roots = {0xff: ids, 1: 2 * ids, 2: ids + 8, 3: ids + 8, 4: ids + 4, 5: ids, 6: ids + 4, 7: ids, 8: ids + 8, 0x8e: ids + 8,
             HEAP: ids + 4, **{tag: ids for tag in (0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x90)}}
    p = 0
    while p < len(data):
        tag, end = data[p], p
        if tag in roots:
            end = p + 1 + roots[tag]
        elif tag == 0x20:
            end = class_end(data, p, ids, width)
        elif tag == 0x21:
            end = p + 9 + 2 * ids + u4(data, p + 5 + 2 * ids)
        elif tag == 0x22:
            end = p + 9 + 2 * ids + ids * u4(data, p + 5 + ids)
        elif tag in (PRIMITIVES, NODATA):
            end = p + 10 + ids + (u4(data, p + 5 + ids) * width[data[p + 9 + ids]] if tag == PRIMITIVES else 0)
        assert end > p, hex(tag)
        yield tag, p, end
        p = end


def converted(data, ids):
    out = []
    for tag, p, end in records(data, ids):
        if tag == NODATA:
            out.append(bytes([PRIMITIVES]) + data[p + 1:end] + bytes(u4(data, p + 5 + ids) * WIDTH[data[p + 9 + ids]]))
        elif tag not in (HEAP, 0x90):
            out.append(data[p:end] if tag < 0x80 or tag == UNKNOWN else bytes([UNKNOWN]) + data[p + 1:p + 1 + ids])
    return b"".join(out)


def main(path, *names):
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as f:
        data = f.read()
    at = data.index(b"\0") + 1
    ids, other = u4(data, at), dict(zip(*[(name.encode() for name in names)] * 2))
    out, at = [b"JAVA PROFILE 1.0.2\0" + data[at:at + 12]], at + 12
    while at < len(data):
        size = u4(data, at + 5)
        body = data[at + 9:at + 9 + size]
        if data[at] in DUMPS:
            body = converted(body, ids)
        elif data[at] == 1:
            body = body[:ids] + other.get(body[ids:], body[ids:])
        out.append(data[at:at + 5] + struct.pack(">I", len(body)) + body)
        at += 9 + size
    sys.stdout.buffer.write(b"".join(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
