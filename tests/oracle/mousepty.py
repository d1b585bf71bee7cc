#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""The mouse on a pseudoterminal: what icecore asks terminals for, and what it does with their bytes.  Prints TAP.

usage: mousepty.py ICECORE TRACE
"""
import signal
import sys

from terminal import Terminal

ON, OFF = b"\x1b[?1000h", b"\x1b[?1000l"
MOTION_ON, MOTION_OFF = b"\x1b[?1002h", b"\x1b[?1002l"
XTERM_ON, XTERM_OFF = b"\x1b[?1006;1000h", b"\x1b[?1006;1000l"
count = 0


def ok(good, name):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    return good


def opened(program, trace, term, *options):
    t = Terminal(program, trace, term, *options)
    t.shows(b"Timeline")
    t.quiet()
    return t


def main():
    program, trace = sys.argv[1:]

    t = opened(program, trace, "xterm-256color")
    ok(XTERM_ON in t.out, "xterm: asked for SGR reports")
    x = t.column(b"Methods")
    ok(t.send(b"\x1b[<0;%d;2M\x1b[<0;%d;2m" % (x, x), b"callers"), "a click on a tab shows its pane")
    t.quiet()
    ok(t.send(b"\x1b[<2;30;6M\x1b[<2;30;6m\x1b[<35;30;6M2", b"all"), "other buttons, releases and moves are not keys")
    t.quiet()
    ok(t.send(b"\x1b[M#!\"", b""), "an X10 report does not end it")
    t.quiet()
    start = len(t.out)
    ok(t.send(b"\x1b[<0;%d" % x, b""), "half a report")
    t.quiet()
    ok(b"callers" not in t.out[start:], "half a report is dropped")
    ok(t.send(b"\x1b[<" + b"9" * 3000 + b"M4", b"callers"), "a report without end is dropped, the key behind it counts")
    t.quiet()
    ok(t.out.rindex(MOTION_ON) > t.out.rindex(XTERM_ON), "and for motion while a button is held")
    ok(t.send(b"\x1b[<0;80;12M\x1b[<0;80;12m", b"(432 of"), "a click on the end of the scroll bar shows the last row")
    t.quiet()
    t.send(b"5")
    t.quiet()
    ok(t.send(b"\x1b[<0;30;4M\x1b[<32;31;4M\x1b[<32;50;4M", b"cancels"), "a drag in Stack chart marks a range")
    t.quiet()
    ok(t.send(b"\x1b[<0;50;4m", b"u undoes it"), "its end sets the range")
    t.quiet()
    t.send(b"u4")
    t.quiet()
    ok(t.send(b":", XTERM_OFF), "the prompt turns the mouse off")
    t.quiet()
    start = len(t.out)
    ok(t.send(b"\x1b[<0;%d;2Mx" % x, b"x"), "a report on its way is not typed")
    t.quiet()
    ok(b"0;" not in t.out[start:].replace(b"\x1b[0;", b""), "no byte of it")
    ok(t.send(b"\x03", XTERM_ON), "behind the prompt it is on again")
    t.quiet()
    ok(t.send(b"M", XTERM_OFF), "M turns it off")
    ok(t.shows(b"mouse off"), "and says so")
    t.quiet()
    start = len(t.out)
    t.send(b"\x1b[<0;2;2M")
    t.quiet()
    ok(t.out[start:] == b"" or b"Icicle" not in t.out[start:], "clicks are nothing then")
    ok(t.send(b"M", XTERM_ON), "M turns it on")
    start = len(t.out)
    ok(t.end() == 0 and MOTION_OFF in t.out[start:] and (XTERM_OFF in t.out[start:] or OFF in t.out[start:]), "quitting turns it off")

    for sig in (signal.SIGTERM, signal.SIGSEGV):
        t = opened(program, trace, "xterm-256color")
        start = len(t.out)
        t.end(sig)
        ok(b"1000l" in t.out[start:] and MOTION_OFF in t.out[start:], f"{sig.name} turns it off")

    for term in ("screen", "linux"):
        t = opened(program, trace, term)
        ok(ON in t.out and b"1006" not in t.out, f"{term}: asked for X10 reports")
        x = t.column(b"Methods")
        ok(t.send(b"\x1b[M %c\"" % (32 + x), b"callers"), f"{term}: a click on a tab")
        t.quiet()
        x = t.column(b"Waits")
        ok(t.send(b"\x1b[<0;%d;2M" % x, b"Waits"), f"{term}: an SGR report means the same")
        t.quiet()
        ok(t.end() == 0, f"{term}: it ends")

    t = opened(program, trace, "vt100")
    ok(b"?1000h" not in t.out, "vt100: no mouse")
    ok(t.send(b"M", b"no mouse"), "vt100: M says so")
    t.end()

    t = opened(program, trace, "xterm-256color", "--no-mouse")
    ok(b"1000h" not in t.out, "--no-mouse: not asked for")
    ok(t.send(b"M", XTERM_ON), "--no-mouse: M asks for it")
    t.end()
    print(f"1..{count}")


main()
