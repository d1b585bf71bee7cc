# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""icx: the columns of an index file.  Run with two files: exit status 1 and their names where columns differ, except those named.

Where columns lie in the file depends on when they were saved, which depends on how long passes took.
"""
import struct
import sys

ENTRY = struct.Struct("=48sIIQQ")
WIDTH = (1, 2, 4, 8, 8, 8, 1)
FACTS = "store.facts"


def columns(data):
    """(name, offset, size in bytes) of each."""
    count, = struct.unpack_from("=I", data, 20)
    start, = struct.unpack_from("=Q", data, 64)
    size, = struct.unpack_from("=Q", data, 80)
    if size > len(data) or start + count * ENTRY.size > size:
        raise ValueError("the header says %d bytes, the file has %d" % (size, len(data)))
    for i in range(count):
        name, kind, _, rows, offset = ENTRY.unpack_from(data, start + i * ENTRY.size)
        yield name.rstrip(b"\0").decode(), offset, rows * WIDTH[kind]


def content(path):
    with open(path, "rb") as file:
        data = file.read()
    return {name: data[offset:offset + size] for name, offset, size in columns(data)}


if __name__ == "__main__":
    one, other = content(sys.argv[1]), content(sys.argv[2])
    differ = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name) and name not in sys.argv[3:])
    print("\n".join(differ), end="\n" if differ else "")
    sys.exit(bool(differ) or FACTS not in one)
