#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""redactfields.py >tests/oracle/perfetto/text_fields.tsv - every field of Perfetto's messages that holds a text or bytes.

They come from the descriptors of the package perfetto of PyPI.  planted() makes a trace with a text in each of these fields, and kept() reads
from redact_kept.tsv which of them icecore redact may leave.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS, KEPT = (os.path.join(HERE, "perfetto", name) for name in ("text_fields.tsv", "redact_kept.tsv"))
MODES = ("keep", "hash", "hash-all")
# A message may be inside itself once, and messages nest so deep.
DEPTH = 7


def of_package():
    """(version, lines of the list); None: the package is not installed."""
    try:
        from importlib.metadata import version
        from google.protobuf.descriptor import FieldDescriptor
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as trace
        release = version("perfetto")
    except ImportError:
        return None
    lines = []

    def walk(message, path, seen):
        for f in message.fields:
            here = path + [f.number]
            if f.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES):
                lines.append("%s\t%s.%s" % (".".join(map(str, here)), message.name, f.name))
            elif f.type == FieldDescriptor.TYPE_MESSAGE and len(path) < DEPTH and seen.count(f.message_type.full_name) < 2:
                walk(f.message_type, here, seen + [f.message_type.full_name])

    walk(trace.DESCRIPTOR.message_types_by_name["TracePacket"], [], [])
    return release, lines


def rows(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


def stale():
    """How the list differs from the installed package of the same version; nothing if another one or none is installed."""
    package = of_package()
    with open(FIELDS, encoding="utf-8") as f:
        text = f.read()
    if package is None or "perfetto %s" % package[0] not in text:
        return []
    want, got = set(package[1]), {"\t".join(r) for r in rows(FIELDS)}
    return ["%s: not in both" % line for line in sorted(want ^ got)]


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def planted():
    """A trace, and by each text in it the path of its field."""
    texts, out = {}, []
    for i, (path, _) in enumerate(rows(FIELDS)):
        text = b"Sq%06dZkWv" % i
        texts[text] = path
        packet = text
        for number in reversed(path.split(".")):
            packet = field(int(number), packet)
        out.append(field(1, b"\x40\x05\x50\x01" + packet))
    return b"".join(out), texts


def left(data, texts):
    return {texts[t] for t in re.findall(rb"Sq\d{6}ZkWv", data) if t in texts}


def kept(mode):
    """Paths whose texts may stay in that mode of names."""
    return {path for modes, _, paths in rows(KEPT) if mode in modes.split() for path in paths.split()}


if __name__ == "__main__":
    found = of_package()
    if found is None:
        sys.exit("no package perfetto; pip install perfetto")
    print("# Fields with texts or bytes, in perfetto %s of PyPI (redactfields.py): the numbers from TracePacket on, the message and its field." % found[0])
    print("\n".join(found[1]))
