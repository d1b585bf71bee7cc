#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""codenames.py OUT: a class file whose methods have names that are hostile to a screen, and lose a Cursor each."""
import sys
import codemake

NAMES = ["plain", "esc\x1b[31m\x1b]0;title\x07", "line\nbreak\ttab", "right\u202eot\u200dleft", "wide\u6f22\u5b57" * 8, "long" * 400, "quote'\"\\|x", "@1", ""]
FIND = [("query", 1), ("use", 1, codemake.OPS[1]), ("return",), ("handler",), ("return",)]

def main(out):
    desc = "()" + codemake.L % codemake.CURSOR
    ms = [(name, desc, False, FIND, [(1, 2, 3, "java/lang/IllegalStateException")]) for name in NAMES]
    with open(out, "wb") as f: f.write(codemake.class_file(ms))

if __name__ == "__main__": main(*sys.argv[1:])
