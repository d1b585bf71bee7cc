# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal for tests: what a program on a pseudoterminal writes, and bytes typed into it."""
import fcntl
import glob
import os
import pty
import re
import select
import struct
import termios
import time

import tap



def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


class Terminal:
    """icecore on a pseudoterminal of 80x24 cells."""

    def __init__(self, program, file, term, *options, pixels=(0, 0), env=(), history=False):
        self.out = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            full = dict(os.environ, TERM=term, LC_ALL="C.UTF-8")
            for name in ("LINES", "COLUMNS", "NO_COLOR", "TMUX", "STY", "COLORTERM"):
                full.pop(name, None)
            full.update(env)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, *pixels))
            os.execve(program, [program, "--no-index", *(() if history else ("--no-history",)), *options, file], full)

    def take(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.out += data
        return data != b""

    def until(self, done):
        end = time.monotonic() + tap.PATIENCE
        while not done() and time.monotonic() < end:
            if not self.take(0.1) and os.waitpid(self.pid, os.WNOHANG)[0]:
                break
        return done()

    def shows(self, text, start=0):
        return self.until(lambda: text in self.out[start:])

    def busy(self):
        """Whether a thread of the program, or of a process that it started, runs or waits for its turn."""
        states = set()
        for pid in [self.pid, *read("/proc/%d/task/%d/children" % (self.pid, self.pid)).split()]:
            for stat in glob.glob("/proc/%s/task/*/stat" % pid):
                states.update(read(stat).rpartition(")")[2].split()[:1])
        return not states.isdisjoint("RD")

    def quiet(self):
        """Until nothing more comes for a while, and nothing is computed: the frame is drawn."""
        end = time.monotonic() + tap.PATIENCE
        while (self.take(0.3) or self.busy()) and time.monotonic() < end:
            pass

    def send(self, data, text=b""):
        """Types the bytes; true when the text comes."""
        start = len(self.out)
        os.write(self.fd, data)
        return self.shows(text, start)

    def column(self, tab):
        """Where the name of a tab begins on the second line, from 1: of a frame that is drawn whole."""
        start = len(self.out)
        os.write(self.fd, b"\x0c")
        self.shows(tab, start)
        self.quiet()
        plain = re.sub(rb"\x1b(\[[0-9;?]*[a-zA-Z]|\([A-Z0-9])|[\x0e\x0f]", b"", self.out[start:])
        line = plain[re.search(rb"1 [A-Z][a-z]+ +2 [A-Z]", plain).start():]
        return line.index(tab) + 2

    def size(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self, sig=None):
        if sig is not None:
            os.kill(self.pid, sig)
        else:
            os.write(self.fd, b"Q")
        end = time.monotonic() + tap.PATIENCE
        while self.take(0.1) and time.monotonic() < end:
            pass
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return status
