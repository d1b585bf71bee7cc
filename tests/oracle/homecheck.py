# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""homecheck.py ICECORE FILE SCRATCH - files of the user that nobody asked for, and that are pipes, directories or huge: they are left, and one
remark names them.  Prints what is wrong.
"""
import os
import signal
import stat
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from terminal import Terminal  # noqa: E402

PROGRAM, FILE, SCRATCH = (os.path.abspath(a) for a in sys.argv[1:4])
HUGE = 64 << 30
BAD = []


def home(name):
    """The directories of a user without files."""
    at = os.path.join(SCRATCH, name)
    for below in "state/icecore", "config/icecore":
        os.makedirs(os.path.join(at, below))
    return at, {"XDG_STATE_HOME": at + "/state", "XDG_CONFIG_HOME": at + "/config", "INPUTRC": at + "/inputrc"}


def make(path, kind):
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        os.mkdir(path)
    elif kind == "null":
        os.symlink("/dev/null", path)
    else:
        with open(path, "wb") as f:
            f.truncate(HUGE)


def explorer(name, file, kind, text):
    """The explorer starts, says so, keeps a query that is typed where it may, and leaves the file."""
    at, env = home(name)
    path = os.path.join(at, file)
    make(path, kind)
    was = os.lstat(path)
    t = Terminal(PROGRAM, FILE, "xterm-256color", history=True, env=env)
    said = t.shows(text.encode()) if text else t.shows(b"quit")
    typed = t.send(b":methods | count\r", b"count")
    if not said or not typed:
        BAD.append("%s: a %s: %s" % (file, kind, "no '%s'" % text if not said else "no answer"))
    # It then saves the history, and its places.
    os.kill(t.pid, signal.SIGTERM if said and typed else signal.SIGKILL)
    t.until(lambda: False)
    now = os.lstat(path)
    if (now.st_ino, now.st_size, stat.S_IFMT(now.st_mode)) != (was.st_ino, was.st_size, stat.S_IFMT(was.st_mode)) and kind != "null":
        BAD.append("%s: a %s was replaced" % (file, kind))


def main():
    for i, (file, kind) in enumerate((file, kind) for file in ("state/icecore/history", "state/icecore/places", "config/icecore/icecorerc", "config/icecore/presets", "inputrc")
                                     for kind in ("pipe", "directory", "huge")):
        # A message has one line, which may be cut.
        explorer("h%d" % i, file, kind, "%s: %s" % (file.rsplit("/", maxsplit=1)[-1], "file too large" if kind == "huge" else "not a regular"))
    explorer("n", "state/icecore/history", "null", "")
    at, env = home("q")
    os.mkfifo(at + "/config/icecore/presets")
    p = subprocess.run([PROGRAM, "--no-index", "-e", "methods | count", FILE], capture_output=True, text=True, timeout=tap.PATIENCE, env={**os.environ, **env}, check=False)
    if p.returncode != 0 or not p.stdout.startswith("count") or p.stderr != "icecore: %s/config/icecore/presets: not a regular file; it is not read\n" % at:
        BAD.append("presets and -e: %d %s" % (p.returncode, p.stderr))
    print("\n".join(BAD))


main()
sys.exit(bool(BAD))
