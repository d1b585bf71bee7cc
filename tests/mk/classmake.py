# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""classmake.py - small class files: fields with their access flags, and methods of a given length.

By the class file format of Java 8."""
import struct

FINAL = 0x10


def class_file(name, above="java/lang/Object", fields=(), methods=()):
    """fields: (name, descriptor, access flags); methods: (name, descriptor, bytes of code)."""
    known, items = {}, []

    def item(key, data):
        if key not in known:
            items.append(data)
            known[key] = len(items)
        return known[key]

    def utf(s):
        return item(("u", s), struct.pack(">BH", 1, len(s)) + s.encode())

    def cls(s):
        return item(("c", s), struct.pack(">BH", 7, utf(s)))

    body = struct.pack(">HHHHH", 0x21, cls(name), cls(above), 0, len(fields))
    for field, desc, access in fields:
        body += struct.pack(">HHHH", access, utf(field), utf(desc), 0)
    body += struct.pack(">H", len(methods))
    for method, desc, size in methods:
        code = bytes(size - 2) + b"\x03\xac"        # nop ..., iconst_0, ireturn
        attribute = struct.pack(">HHI", 2, 2, size) + code + struct.pack(">HH", 0, 0)
        body += struct.pack(">HHHHHI", 4, utf(method), utf(desc), 1, utf("Code"), len(attribute)) + attribute
    return struct.pack(">IHHH", 0xcafebabe, 0, 52, len(items) + 1) + b"".join(items) + body + struct.pack(">H", 0)
