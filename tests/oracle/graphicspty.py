#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures on a pseudoterminal: what icecore asks terminals, what it makes of their answers, what it draws and takes away.
Prints TAP.

usage: graphicspty.py ICECORE DUMP
"""
import os
import re
import sys
import time

from tap import check, plan
from terminal import Terminal

KITTY = re.compile(rb"\x1b_Ga=T,([^;]*);")
SIXEL = re.compile(rb'\x1bP0;1;0q"1;1;(\d+);(\d+)')
REMOVED = b"\x1b_Ga=d,d=I,i=462,q=2\x1b\\"
DIRECT = re.compile(rb"\x1b\[38;2;\d+;\d+;\d+m")
ASKS_KITTY, ASKS_CELL, ASKS_DEVICE = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", b"\x1b[16t", b"\x1b[c"
OK, CELL, PLAIN, SIXELS = b"\x1b_Gi=31;OK\x1b\\", b"\x1b[6;20;10t", b"\x1b[?62;22c", b"\x1b[?62;4;22c"
TAB = b"7"
QUERY = b":bitmaps | count\r"


class Player(Terminal):
    """Gives the answer to each question as soon as it comes, in pieces, or never."""

    def __init__(self, answer, *options, pieces=(), term="xterm-256color", keys=b"", **more):
        super().__init__(program, dump, term, *options, **more)
        self.answer, self.pieces = answer, pieces
        self.asked = 0.0
        self.shows(b"Bitmaps", 0)
        self.quiet()
        self.send(TAB + b"\r" + keys)

    def take(self, seconds):
        got = super().take(seconds)
        if got and not self.asked and ASKS_DEVICE in self.out:
            self.asked = time.monotonic()
            for piece in self.pieces or (self.answer,):
                type_slowly(self, piece)
        return got


def type_slowly(t, data):
    """Each piece is a read of its own."""
    if data:
        os.write(t.fd, data)
        time.sleep(0.06)


def kitty():
    t = Player(OK + CELL + PLAIN)
    t.until(lambda: KITTY.search(t.out))
    check("asked once: kitty, the size of a cell, and what the terminal is", t.out.count(ASKS_KITTY + ASKS_CELL + ASKS_DEVICE) != 1,
          t.out.count(ASKS_DEVICE) != 1)
    t.quiet()
    head = KITTY.search(t.out)
    check("the picture is kitty's: 32 x 32 pixels, each shown as 11 x 11", not head or b"s=32,v=32,c=36,r=18," not in head.group(1))
    check("no sixels, no colours", SIXEL.search(t.out), DIRECT.search(t.out))
    start = len(t.out)
    t.send(b"\x0c")
    t.quiet()
    check("redrawn, it is sent again", not KITTY.search(t.out, start), REMOVED not in t.out[start:])
    start = len(t.out)
    t.send(b"?", b"Help")
    t.quiet()
    check("help takes it away", REMOVED not in t.out[start:], KITTY.search(t.out, start))
    start = len(t.out)
    t.send(b"\x1b")
    t.quiet()
    check("it comes again", not KITTY.search(t.out, start))
    start = len(t.out)
    t.send(b":", b":")
    t.quiet()
    t.send(b"\t")
    t.quiet()
    check("the list of the prompt takes it away", REMOVED not in t.out[start:])
    t.send(b"\x1b\x1b")
    t.quiet()
    start = len(t.out)
    t.send(b"1")
    t.quiet()
    check("so does another pane", REMOVED not in t.out[start:], KITTY.search(t.out, start))
    start = len(t.out)
    t.send(TAB)
    t.quiet()
    start = len(t.out)
    t.size(12, 60)
    t.until(lambda: KITTY.search(t.out, start))
    t.quiet()
    check("in a smaller window it is smaller", REMOVED not in t.out[start:], not KITTY.search(t.out, start) or KITTY.findall(t.out)[-1] == head.group(1))
    start = len(t.out)
    check("it ends, and the picture with it", t.end() != 0, REMOVED not in t.out[start:])


def sixel():
    t = Player(SIXELS, pixels=(640, 384))
    check("a size that the window reports is not asked for", ASKS_CELL in t.out)
    t.until(lambda: SIXEL.search(t.out))
    t.quiet()
    head = SIXEL.search(t.out)
    check("sixels: 32 x 32 pixels, each 9 x 9 of them", not head or head.groups() != (b"288", b"288"))
    start = len(t.out)
    t.send(b"?", b"Help")
    t.quiet()
    check("help takes it away by drawing all of its lines", SIXEL.search(t.out, start), t.out[start:].count(b"\x1b[") < 10)
    start = len(t.out)
    t.send(b"\x1b")
    t.quiet()
    check("it comes again, once", len(SIXEL.findall(t.out, start)) != 1)
    start = len(t.out)
    t.send(b"j")
    t.quiet()
    check("the next one", len(SIXEL.findall(t.out, start)) != 1)
    check("it ends", t.end() != 0)


def cells():
    t = Player(b"")
    t.until(lambda: b"\xe2\x96\x80" in t.out)
    waited = time.monotonic() - t.asked
    check("a terminal that never answers has cells", KITTY.search(t.out), SIXEL.search(t.out), b"\xe2\x96\x80" not in t.out)
    check("soon: after %d ms" % (1000 * waited), waited > 1)
    t.quiet()
    start = len(t.out)
    for piece in (OK[:4], OK[4:], CELL, SIXELS[:5], SIXELS[5:]):
        type_slowly(t, piece)
    t.until(lambda: KITTY.search(t.out, start))
    t.quiet()
    check("an answer that comes late, in pieces, counts and is not a key", not KITTY.search(t.out, start), b"Help" in t.out[start:])
    t.end()

    t = Player(b"", keys=QUERY)
    check("keys pressed meanwhile count", not t.shows(b"count"), not t.shows(b"14"))
    t.end()

    t = Player(PLAIN, env={"COLORTERM": "truecolor"})
    t.until(lambda: DIRECT.search(t.out))
    check("COLORTERM: cells in any colours", not DIRECT.search(t.out))
    t.quiet()
    start = len(t.out)
    t.send(b"?", b"Help")
    t.quiet()
    check("not over the help", DIRECT.search(t.out, start))
    t.end()

    t = Player(b"", "--graphics", "cells")
    t.until(lambda: b"\xe2\x96\x80" in t.out)
    check("--graphics cells asks for nothing", ASKS_DEVICE in t.out, b"\xe2\x96\x80" not in t.out)
    t.end()
    t = Player(b"", "--graphics", "sixel", pixels=(640, 384))
    t.until(lambda: SIXEL.search(t.out))
    check("--graphics sixel neither", ASKS_DEVICE in t.out, not SIXEL.search(t.out))
    t.end()
    for name, t in (("NO_COLOR", Player(OK + SIXELS, env={"NO_COLOR": "1"})), ("a console of 8 colours", Player(OK + SIXELS, term="linux"))):
        t.quiet()
        check(name + ": neither", ASKS_DEVICE in t.out, SIXEL.search(t.out), KITTY.search(t.out))
        t.end()


program, dump = sys.argv[1:]
kitty()
sixel()
cells()
plan()
