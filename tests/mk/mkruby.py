#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mkruby.py SEED - a small random heap dump of Ruby: classes, singleton classes, damage, several dumps in a file."""
import json
import random
import sys

TYPES = ("OBJECT", "STRING", "ARRAY", "HASH", "DATA", "IMEMO", "SYMBOL", "STRUCT", "FLOAT", "NODE", "MOVED")
ROOTS = ("vm", "machine_context", "global_tbl", "finalizers", "new_kind")
FILES = ("app/a.rb", "app/b.rb", "C:\\new\\user.rb", 'views/a "b".erb', "caf\u00e9.rb", "(eval at x:1)")
NAMES = ("User", "Shop::Cart", "Object", "Class", "String", "caf\u00e9", 'A "b"', "", "Shop")


def members(rnd, pairs):
    """Some dumps went through a tool that changed the order and the blanks."""
    blank = rnd.choice(("", "", "", " "))
    if rnd.random() < 0.1:
        pairs = rnd.sample(pairs, len(pairs))
    return "{" + ", ".join('"%s":%s%s' % (k, blank, v) for k, v in pairs) + "}"


def one_dump(rnd):
    version = rnd.choice((23, 30, 31, 34))
    n = rnd.randrange(1, 60)
    base = rnd.choice((0x7f0000001000, 0x10000, 0x555500000000))
    at = [base + 40 * i * rnd.choice((1, 1, 3)) for i in range(1, n + 1)]
    pad = "0x%016x" if version == 23 else "0x%x"
    some = lambda: '"%s"' % (pad % rnd.choice(at if rnd.random() < 0.95 else [0xdead0000 + 8 * rnd.randrange(9)]))
    refs = lambda most: "[%s]" % ", ".join(some() for _ in range(rnd.randrange(1, most)))
    lines = []
    if rnd.random() < 0.8:
        for kind in rnd.sample(ROOTS, rnd.randrange(1, 5)):
            lines.append(members(rnd, [("type", '"ROOT"'), ("root", '"%s"' % kind), ("references", refs(6))]))
    classes = at[:n // 3]
    for a in at:
        kind = rnd.choice(("CLASS", "CLASS", "CLASS", "MODULE", "ICLASS")) if a in classes else rnd.choice(TYPES)
        pairs = [("address", '"%s"' % (pad % a)), ("type", '"%s"' % kind)]
        if rnd.random() < 0.9 and classes:
            pairs.append(("class", '"%s"' % (pad % rnd.choice(classes)) if rnd.random() < 0.95 else '"0x99990"'))
        if a in classes:
            if version >= 31 and rnd.random() < 0.7:
                pairs.append(("superclass", some() if rnd.random() < 0.3 else '"%s"' % (pad % rnd.choice(classes))))
            single = version >= 31 and rnd.random() < 0.3
            if single:
                pairs.append(("singleton", "true"))
            if rnd.random() < (0.2 if single else 0.7):
                pairs.append(("real_class_name" if single else "name", json.dumps(rnd.choice(NAMES), ensure_ascii=False)))
        pairs += {"STRING": [("bytesize", "3"), ("value", json.dumps(rnd.choice(("abc", 'a"\n', "", "x" * 200))))],
                  "ARRAY": [("length", str(rnd.randrange(4)))], "HASH": [("size", str(rnd.randrange(3)))],
                  "DATA": [("struct", '"%s"' % rnd.choice(("proc", "VM/thread", 'a "b')))] if rnd.random() < 0.8 else [],
                  "IMEMO": [("imemo_type", '"%s"' % rnd.choice(("env", "ment", "iseq")))], "NODE": [("node_type", '"NODE_IF"')]
                  }.get(kind, []) if rnd.random() < 0.9 else []
        if rnd.random() < 0.6:
            pairs.append(("references", refs(5)))
        if rnd.random() < 0.4:
            pairs.append(("file", '"%s"' % rnd.choice(FILES)))
            if rnd.random() < 0.9:
                pairs.append(("line", str(rnd.randrange(4))))
            if rnd.random() < 0.9:
                pairs.append(("method", '"%s"' % rnd.choice(("new", "na\\u00ff", "*"))))
            pairs.append(("generation", str(rnd.randrange(20))))
        if rnd.random() < 0.2:
            pairs.append(("slot_size", str(rnd.choice((0, 40, 80)))))
        if rnd.random() < 0.9:
            pairs.append(("memsize", str(rnd.choice((40, 41, 232, 70000, 2 ** 40)))))
        flags = [(k, "true") for k in ("wb_protected", "old", "marked") if rnd.random() < 0.7]
        if flags:
            pairs.append(("flags", members(rnd, flags)))
        lines.append(members(rnd, pairs))
    for extra in ('{"type":"SHAPE", "address":"0x1", "id":1, "shape_type":"IVAR","edge_name":"@a"}', '{"address":"0x8", "type":"NONE"}',
                  '{"address":"0x10", "type":"ZOMBIE", "class":"0x1"}', "a line of a log", "[1, 2]", '{"type":"STRING"}', "", '{"address":"0x',
                  '{"address":"zz", "type":"STRING"}', lines[-1]):
        if rnd.random() < 0.15:
            lines.insert(rnd.randrange(len(lines) + 1), extra)
    return lines


def damaged(rnd, line):
    """Damage in a list of references is skipped, whether or not it is JSON."""
    hurt = line.encode()
    i = rnd.randrange(len(hurt) + 1)
    if rnd.random() < 0.03 and not hurt.find(b"[") < i <= hurt.find(b"]"):
        hurt = hurt[:i] + rnd.choice((b"\xff", b"\x1b", b"\x00", b'"', b"\\q")) + hurt[i:]
    return hurt


def dump(seed):
    rnd = random.Random(seed)
    lines = [line for _ in range(rnd.choice((1, 1, 1, 2))) for line in one_dump(rnd)]
    data = rnd.choice((b"\n", b"\n", b"\r\n")).join(damaged(rnd, line) for line in lines)
    return data + rnd.choice((b"\n", b"\n", b"", b'\n{"address":"0x7f0000009000", "type":"STR'))


if __name__ == "__main__":
    sys.stdout.buffer.write(dump(int(sys.argv[1])))
