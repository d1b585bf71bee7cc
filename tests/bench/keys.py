#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""How long a key takes to be answered while passes run.

usage: keys.py BUILD [MILLIONS [SECONDS [FILE]]]

Makes a heap dump of so many million objects (20: a gigabyte), or takes a FILE, opens it in a pseudo terminal, without an index,
and presses keys for that many seconds (20) while its passes run: each is sent when the last one was answered.  The time of a key
is from the write to the first byte that the program writes back.  Panes are changed, rows are moved, help and details are opened
and closed: keys that always change the screen.  Prints median, 95th and 99th percentile and largest of each kind of key, and of
all; ends with 1 when the 95th percentile of all is above 50 ms.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROWS, COLS = 40, 120
LIMIT = 0.050
# The keys pressed, in order: each changes the screen that the previous key left.
KEYS = [("pane", b"2"), ("pane", b"1"), ("row", b"j"), ("row", b"k"), ("help", b"?"), ("close", b"q"), ("pane", b"3"), ("pane", b"4"),
        ("pane", b"1"), ("row", b"G"), ("row", b"\x1b[H"), ("legend", b"K"), ("close", b"q"), ("prompt", b":"), ("text", b"a"), ("close", b"\x03")]


def start(command):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execv(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
    os.kill(pid, signal.SIGWINCH)
    return pid, fd


def drain(fd, quiet, most):
    """Reads until nothing comes for so long; the program draws by itself while passes run."""
    end = time.monotonic() + most
    data = b""
    while time.monotonic() < end and select.select([fd], [], [], quiet)[0]:
        data += os.read(fd, 65536)
    return data


def press(fd, key):
    """Seconds until the program answers; None: not within 5 s."""
    drain(fd, 0.005, 0.2)
    begin = time.monotonic()
    os.write(fd, key)
    if not select.select([fd], [], [], 5)[0]:
        return None
    os.read(fd, 65536)
    return time.monotonic() - begin


def wait_loaded(fd, most):
    seen = b""
    end = time.monotonic() + most
    while time.monotonic() < end:
        seen = (seen + drain(fd, 0.05, 0.2))[-200000:]
        if b"Overview" in seen and b"Dominators" in seen or b"Methods" in seen:
            return True
    return False


def told(name, times):
    times = sorted(times)
    at = lambda part: times[min(len(times) - 1, int(part * len(times)))] * 1000
    print(f"{name:8} {len(times):6} keys  median {at(0.5):7.1f} ms  95 % {at(0.95):7.1f} ms  99 % {at(0.99):7.1f} ms  most {times[-1] * 1000:7.1f} ms")
    return at(0.95) / 1000


def main():
    build = sys.argv[1]
    millions = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    if len(sys.argv) > 4:
        measure(f"{build}/icecore", sys.argv[4], seconds)
    with tempfile.NamedTemporaryFile(suffix=".hprof") as dump:
        subprocess.run([f"{build}/tests/mk/heapshape", "mesh", str(millions * 1000000)], stdout=dump, check=True)
        print(f"{os.path.getsize(dump.name) / 2**20:.0f} MiB")
        measure(f"{build}/icecore", dump.name, seconds)


def measure(program, path, seconds):
    pid, fd = start([program, "--no-index", path])
    times = {}
    lost = 0
    try:
        if not wait_loaded(fd, 300):
            sys.exit("not loaded within 300 s")
        end = time.monotonic() + seconds
        i = 0
        while time.monotonic() < end:
            name, key = KEYS[i % len(KEYS)]
            took = press(fd, key)
            if took is None:
                lost += 1
            else:
                times.setdefault(name, []).append(took)
            i += 1
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    for name in sorted(times):
        told(name, times[name])
    every = [t for name in times for t in times[name]]
    late = told("all", every)
    if lost > 0:
        print(f"{lost} keys were not answered within 5 s")
    sys.exit(late > LIMIT or lost > 0)


main()
