# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""hidden.py - a heap dump with things that nobody may see: in strings, arrays, maps and fields of every kind."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk"))
from heapfile import BYTE, CHAR, DOUBLE, INT, LONG, OBJECT, Dump  # noqa: E402
from heapjava import array_list, boot, hash_map, string_hash  # noqa: E402

CARD, BALANCE, IBAN = 4111111111111111, 987654321.125, 739182645
# None of these may be in an answer, however it is written.
WORDS = ["hunter2-password", "tok_secret_", "owner-Zoe", "key-of-alice", "blob-secret", "char-secret", "dup-secret",
         str(CARD), "987654321", "68756e74657232", "%x" % CARD, str(IBAN), "62 6c 6f 62",
         str(string_hash("470815")), "%08x" % string_hash("470815"), str(string_hash("key-of-alice-3"))]


def chars(d, text):
    return d.prims(CHAR, [ord(c) for c in text])


def dump():
    d = Dump()
    boot(d, ("com.example.Account[]",))
    d.klass("com.example.Account", "java.lang.Object", (("owner", OBJECT), ("token", OBJECT), ("card", LONG), ("balance", DOUBLE),
            ("grade", CHAR), ("blob", OBJECT), ("pass", OBJECT), ("nums", OBJECT), ("pin", INT)))
    d.klass("com.example.Bank", "java.lang.Object", statics=(("accounts", OBJECT, 0), ("password", OBJECT, 0), ("all", OBJECT, 0),
                                                              ("card", LONG, CARD)))
    pairs, all = [], []
    for i in range(200):
        a = d.obj("com.example.Account", owner=d.text("owner-Zoe-%d" % i), token=d.text("tok_secret_%d" % i), card=CARD, balance=BALANCE,
                  grade=81, blob=d.prims(BYTE, list(b"blob-secret-%03d" % i)), **{"pass": chars(d, "char-secret-%d" % i)},
                  nums=d.prims(INT, [IBAN, i]), pin=i)
        pairs.append(("key-of-alice-%d" % i, a))
        all.append(d.text("dup-secret-value"))
    d.static("com.example.Bank", "accounts", hash_map(d, pairs))
    all.append(d.text("dup-secret-value \u65e5" * 50))
    pin = d.prims(BYTE, b"470815")
    all.append(d.obj("java.lang.String", value=pin, hash=string_hash("470815")))
    d.static("com.example.Bank", "all", array_list(d, all))
    d.static("com.example.Bank", "password", d.text("hunter2-password"))
    d.root("sticky class", d.classes["com.example.Bank"].id)
    return d.build()


if __name__ == "__main__":
    sys.stdout.buffer.write(dump())
