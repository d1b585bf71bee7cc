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
ASKS_CURSOR = b"\x1b[6n"
PROOF = re.compile(rb"\x1b_G[^;\x1b]*q=0,m=0;[^\x1b]*\x1b\\|\x1b\[6n")
PLACE = re.compile(rb"\x1b\[(\d+);\d+H\x1b\[m\x1bP")
SHOWN, FULL = b"\x1b_Gi=462;OK\x1b\\", b"\x1b_Gi=462;ENOSPC:full\x1b\\"
BLOCK = b"\xe2\x96\x80"
TAB = b"7"
QUERY = b":bitmaps | count\r"


class Player(Terminal):
    """Gives the answer to each question as soon as it comes, or never.  shows: what it does with pictures: True, False, None: does not
    say.  On a busy machine an answer may come late: then there are cells before the picture."""

    def __init__(self, answer, *options, shows=True, term="xterm-256color", keys=b"", **more):
        super().__init__(program, dump, term, *options, **more)
        self.answer, self.shows_pictures = answer, shows
        self.asked, self.proofs = False, 0
        self.shows(b"Bitmaps", 0)
        self.quiet()
        self.send(TAB + b"\r" + keys)

    def take(self, seconds):
        got = super().take(seconds)
        if got and not self.asked and ASKS_DEVICE in self.out:
            self.asked = True
            os.write(self.fd, self.answer)
        if got and self.shows_pictures is not None and len(PROOF.findall(self.out)) > self.proofs:
            self.proofs += 1
            self.acknowledge(self.shows_pictures)
        return got

    def acknowledge(self, shown):
        """A terminal answers to a picture: kitty that it has it or has no room, others where the cursor is."""
        if KITTY.search(self.out):
            os.write(self.fd, SHOWN if shown else FULL)
        else:
            row = int(PLACE.findall(self.out)[-1])
            os.write(self.fd, b"\x1b[%d;44R" % (row + 14 if shown else row))


def falls_back(t, picture, start=0):
    """Whether there are cells behind a picture."""
    sent = picture.search(t.out, start)
    return sent and BLOCK in t.out[sent.end():]


def answers_late(pieces):
    """A terminal with cells whose answer comes late, in pieces.  Each is a read of its own, and none is as late as one that never comes:
    if the machine did something else in between, it is done again."""
    while True:
        t = Player(b"")
        t.until(lambda: BLOCK in t.out)
        t.quiet()
        start, longest = len(t.out), 0.0
        for piece in pieces:
            before = time.monotonic()
            os.write(t.fd, piece)
            time.sleep(0.06)
            longest = max(longest, time.monotonic() - before)
        if longest < 0.5:
            return t, start
        t.end()


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
    t.send(b"j")
    t.quiet()
    check("the next one need not be acknowledged", not KITTY.search(t.out, start), PROOF.search(t.out, start), BLOCK in t.out[start:])
    t.send(b"k")
    t.quiet()
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
    check("sixels: 32 x 32 pixels, each 9 x 9 of them, and where the cursor is then", not head or head.groups() != (b"288", b"288"), t.out.count(ASKS_CURSOR) != 1)
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
    check("the next one, which need not be acknowledged", len(SIXEL.findall(t.out, start)) != 1, ASKS_CURSOR in t.out[start:], BLOCK in t.out[start:])
    check("it ends", t.end() != 0)


def proofs():
    for name, answer, picture in (("kitty", OK + CELL + PLAIN, KITTY), ("sixel", SIXELS, SIXEL)):
        t = Player(answer, shows=False, pixels=(640, 384))
        t.until(lambda: falls_back(t, picture))
        check(name + ": a picture that the terminal refuses is drawn in cells", not falls_back(t, picture))
        t.quiet()
        start = len(t.out)
        t.send(b"j")
        t.quiet()
        check(name + ": and so is the next one", picture.search(t.out, start), BLOCK not in t.out[start:])
        check(name + ": it ends", t.end() != 0)

        t = Player(answer, shows=None, pixels=(640, 384))
        t.until(lambda: falls_back(t, picture))
        check(name + ": so is one that is not acknowledged", not falls_back(t, picture))
        t.quiet()
        start = len(t.out)
        t.acknowledge(True)
        t.until(lambda: picture.search(t.out, start))
        check(name + ": unless the terminal says so late", not picture.search(t.out, start))
        t.end()

    t = Player(OK + CELL + PLAIN)
    t.until(lambda: KITTY.search(t.out))
    t.quiet()
    start = len(t.out)
    t.acknowledge(False)
    t.until(lambda: BLOCK in t.out[start:])
    check("kitty: an error that comes later counts", BLOCK not in t.out[start:], REMOVED not in t.out[start:])
    t.end()


def multiplexers():
    """They answer themselves, whatever the terminal around them has."""
    for name, more in (("tmux", {"env": {"TMUX": "/tmp/tmux,1,0"}}), ("screen", {"env": {"STY": "1.a"}}),
                       ("a remote tmux", {"term": "tmux-256color"}), ("a remote screen", {"term": "screen-256color"})):
        t = Player(OK + SIXELS, **more)
        t.until(lambda: BLOCK in t.out)
        check(name + ": cells, and nothing is asked", ASKS_DEVICE in t.out, KITTY.search(t.out), SIXEL.search(t.out), BLOCK not in t.out)
        t.end()
    t = Player(b"", "--graphics", "sixel", pixels=(640, 384), env={"TMUX": "/tmp/tmux,1,0"})
    t.until(lambda: SIXEL.search(t.out))
    check("tmux: --graphics sixel is obeyed", not SIXEL.search(t.out))
    t.end()
    t = Player(b"", env={"TMUX": "/tmp/tmux,1,0", "COLORTERM": "truecolor"})
    t.until(lambda: DIRECT.search(t.out))
    check("tmux: cells in any colours, which it converts", not DIRECT.search(t.out))
    t.end()
    t = Player(b"", env={"STY": "1.a", "COLORTERM": "truecolor"})
    t.until(lambda: BLOCK in t.out)
    check("screen: cells in 256 colours", BLOCK not in t.out, DIRECT.search(t.out))
    t.end()


def cells():
    t, start = answers_late((OK[:4], OK[4:], CELL, SIXELS[:5], SIXELS[5:]))
    check("a terminal that never answers has cells", KITTY.search(t.out[:start]), SIXEL.search(t.out[:start]), BLOCK not in t.out[:start])
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
    t.quiet()
    check("--graphics sixel neither", ASKS_DEVICE in t.out, ASKS_CURSOR in t.out, not SIXEL.search(t.out))
    t.end()
    for name, t in (("NO_COLOR", Player(OK + SIXELS, env={"NO_COLOR": "1"})), ("a console of 8 colours", Player(OK + SIXELS, term="linux"))):
        t.quiet()
        check(name + ": neither", ASKS_DEVICE in t.out, SIXEL.search(t.out), KITTY.search(t.out))
        t.end()


program, dump = sys.argv[1:]
kitty()
sixel()
proofs()
multiplexers()
cells()
plan()
