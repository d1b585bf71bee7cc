# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""session: a program in a pseudo-terminal, for tests."""
import fcntl
import os
import pty
import re
import resource
import select
import signal
import struct
import termios
import time

INPUTRC = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "inputrc"))
PATIENCE = 300                # seconds, for a machine that does much else
PIECE = re.compile(rb"\033\[[0-?]*[ -/]*[@-~]|\033\][^\007\033]*(?:\007|\033\\)|\033[()].|\033[=>78M]")


def default_signals():
    """Python, make and nohup leave some of them ignored."""
    for s in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(s, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Wrong(Exception):
    pass


class Session:
    """A command in a terminal of its own; job: as the child of a shell, so that it can be stopped."""

    def __init__(self, command, term="xterm-256color", setup=None, job=False):
        told, tell = os.pipe()
        go, start = os.pipe()
        self.seen, self.mark, self.closed = b"", 0, False
        self.shell, self.fd = pty.fork()
        if self.shell == 0:
            os.close(start)
            os.read(go, 1)
            default_signals()
            pid = os.fork() if job else 0
            if pid != 0:
                os.write(tell, b"%d\n" % pid)
                os.waitpid(pid, 0)
                os._exit(0)
            if job:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpid())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            if setup is not None:
                setup()
            os.execve(command[0], command, {**os.environ, "TERM": term, "LC_ALL": "C.UTF-8", "INPUTRC": INPUTRC})
        os.close(go)
        os.close(tell)
        self.size(24, 80)
        modes = termios.tcgetattr(self.fd)
        modes[6][termios.VERASE] = b"\x08"        # no default
        termios.tcsetattr(self.fd, termios.TCSANOW, modes)
        self.modes = termios.tcgetattr(self.fd)
        os.write(start, b"g")
        os.close(start)
        self.pid = int(os.read(told, 20)) if job else self.shell
        os.close(told)

    def size(self, h, w):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", h, w, 0, 0))

    def read(self, timeout):
        if select.select([self.fd], [], [], timeout)[0]:
            try:
                self.seen += os.read(self.fd, 65536)
            except OSError:
                self.closed = True
                return False
            return True
        return False

    def until(self, what, true):
        end = time.monotonic() + PATIENCE
        while not true():
            self.read(0.02)
            if time.monotonic() > end:
                raise Wrong("%s: never; %r" % (what, self.seen[-300:]))

    def text(self):
        return PIECE.sub(b"", self.seen[self.mark:])

    def shows(self, *words):
        for word in words:
            self.until(word, lambda: word.encode() in self.text())

    def press(self, keys, *words):
        self.mark = len(self.seen)
        os.write(self.fd, keys.encode())
        self.shows(*words)

    def state(self):
        with open("/proc/%d/stat" % self.pid) as f:
            return f.read().rpartition(")")[2].split()[0]

    def status(self):
        """The signal of the process that has ended, or minus its exit status."""
        result = []

        def ended():
            pid, status = os.waitpid(self.shell, os.WNOHANG)
            if pid:
                result.append(os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status))
            return pid != 0
        self.until("end", ended)
        self.shell = 0
        return result[0]

    def restored(self):
        """Each mode was switched off last, and the tty is as before."""
        for on, off in ((rb"\033\[\?1049h", rb"\033\[\?1049l"), (rb"\033\[\?1h\033=", rb"\033\[\?1l\033>"),
                        (rb"\033\[\?2004h", rb"\033\[\?2004l"), (rb"\033\[\?1000h", rb"\033\[\?1000l"),
                        (rb"\033\[\?1006(?:;1000)?h", rb"\033\[\?1006(?:;1000)?l"),
                        (rb"\033\[\?25l", rb"\033\[(?:34h\033\[)?\?(?:12l\033\[\?|12;)?25h")):
            last = None
            for last in re.finditer(b"(%s)|(%s)" % (on, off), self.seen):
                pass
            if last is not None and last.group(1) is not None:
                return False
        return termios.tcgetattr(self.fd) == self.modes

    def check_end(self, want, tail=None):
        """want: a status, or a set of those that are right."""
        status = self.status()
        if status not in (want if isinstance(want, set) else {want}):
            raise Wrong("status %d, not %s; %r" % (status, want, self.seen[-300:]))
        # The last output arrives through the terminal a moment after the program ended.
        self.until("the terminal as before", self.restored)
        if tail is not None:
            self.until("%r at the end" % tail, lambda: self.seen.endswith(tail))

    def close(self):
        for pid in {self.pid, self.shell} - {0}:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if self.shell:
            os.waitpid(self.shell, 0)
        os.close(self.fd)
