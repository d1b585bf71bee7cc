#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""threads.py BUILD SCRATCH STEPS SEED - the explorer while much happens at once, as TAP: for the sanitizers.

In a pseudo-terminal: random keys, Ctrl-C, other sizes, the end by a signal and opened again, while files are
read, passes run and the index is verified, whole or damaged.  A report of a sanitizer fails the test; without
one, only a crash or a hang does.  Kinds of files are rows of RUNS.
"""
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from session import PATIENCE, Session, Wrong

BUILD, SCRATCH = (os.path.abspath(a) for a in sys.argv[1:3])
STEPS, SEED = int(sys.argv[3]), int(sys.argv[4])
ICECORE = os.path.join(BUILD, "icecore")
THREADS = "TSAN_OPTIONS" in os.environ
OPENS = 5                     # of each run; the steps are shared among them
NAMED = {"Enter": "\r", "Esc": "\033", "Tab": "\t", "Space": " ", "Backspace": "\x7f", "Up": "\033[A",
         "Down": "\033[B", "Right": "\033[C", "Left": "\033[D", "Home": "\033[H", "End": "\033[F",
         "PgUp": "\033[5~", "PgDn": "\033[6~", "F1": "\033OP"}
# They end the program, or write files.
NOT = {"q", "Q", "w", "W", "y", "Y", "C-z"}
HEAP = ["classes | top 5 retained", "objects | top 5 retained", "findings", "dominators"]
TRACE = ["methods | top 5 self", "calls | count", "threads"]
# name, files, queries, whether an index is kept, whether it is damaged before each opening
RUNS = [
    ("a heap dump", ["heap.hprof"], HEAP, False, False),
    ("a heap dump whose index is verified", ["heap.hprof"], HEAP, True, False),
    ("a heap dump whose index is damaged", ["heap.hprof"], HEAP, True, True),
    ("a trace", ["calls.trace"], TRACE, False, False),
    ("a trace whose index is damaged", ["calls.trace"], TRACE, True, True),
    ("two heap dumps", ["heap.hprof", "other.hprof"], HEAP, False, False),
    ("two traces", ["calls.trace", "other.trace"], TRACE, False, False),
    ("a dump with findings", ["demo.hprof.gz"], HEAP, False, False),
    ("a dump with bitmaps", ["phone.hprof.gz"], HEAP, True, False),
    ("a scheduler trace", ["sched.txt.gz"], ["tasks", "waits | top 5 wait", "threads"], False, False),
    ("a Perfetto trace", ["recipes.pftrace.gz"], ["tasks", "waits | top 5 wall", *TRACE], False, False),
    ("a recording", ["shop.jfr.gz"], [*TRACE, "waits | top 5 wall", "intervals"], True, False),
    ("sampled stacks", ["profile.txt.gz"], TRACE, False, False),
    ("bank statements", ["money.ofx.gz", "money_before.ofx.gz"], ["transactions", "transactions | group payee"], False,
     False),
    ("a program", ["notes.jar"], ["classes", "bugs", "methods | group access"], False, False),
    ("a dump and a recording", ["demo.hprof.gz", "shop.jfr.gz"], HEAP, False, False),
]


def keys():
    listed = subprocess.run([ICECORE, "--list-keys"], stdout=subprocess.PIPE, check=True).stdout.decode()
    names = {line.split("\t")[0] for line in listed.splitlines()} - NOT
    for name in sorted(names):
        if name in NAMED:
            yield NAMED[name]
        elif name.startswith("C-") and len(name) == 3:
            yield chr(ord(name[2]) & 31)
        elif len(name) == 1:
            yield name


def damage(path, rng):
    """Some bits, and its time stamp as before."""
    if not os.path.exists(path):
        return
    before = os.stat(path)
    with open(path, "r+b") as f:
        for _ in range(8):
            at = rng.randrange(before.st_size)
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ 1 << rng.randrange(8)]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def step(s, rng, pressed, queries):
    """Return false if the program has ended: the line of the help that quits may be entered."""
    kind = rng.randrange(20)
    try:
        if kind == 0:
            s.size(rng.randrange(5, 40), rng.randrange(20, 140))
        else:
            os.write(s.fd, b"\003" if kind == 1 else (":" + rng.choice(queries) + "\r" if kind == 2 else rng.choice(pressed)).encode())
    except OSError:
        return False
    end = time.monotonic() + rng.choice((0, 0.005, 0.03))
    while s.read(max(0, end - time.monotonic())):
        pass
    return not s.closed


def terminate(s):
    """The runtime of the thread sanitizer loses one of 700 signals, even of a program of 20 lines: it is sent again."""
    for _ in range(4 if THREADS else 1):
        os.kill(s.pid, signal.SIGTERM)
        end = time.monotonic() + PATIENCE / 6
        while s.state() != "Z" and time.monotonic() < end:
            s.read(0.02)
        if s.state() == "Z":
            break


def session(command, rng, pressed, queries, steps):
    s = Session(command)
    try:
        s.until("a first frame", lambda: b"Overview" in s.text())
        if all(step(s, rng, pressed, queries) for _ in range(steps)):
            terminate(s)
        # It may have been about to quit, on a busy machine by a key of long ago.
        s.check_end({0, signal.SIGTERM})
    finally:
        s.close()


def run(name, files, queries, kept, damaged):
    rng = random.Random("%s %d" % (name, SEED))
    pressed = list(keys())
    folder = os.path.join(SCRATCH, "run")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    for f in files:
        os.link(os.path.join(SCRATCH, f), os.path.join(folder, f))
    paths = [os.path.join(folder, f) for f in files]
    if kept:
        asks = [w for q in queries for w in ("-e", q)]
        subprocess.run([ICECORE, "-o", "tsv", *asks, paths[0]], stdout=subprocess.DEVNULL, check=False)
    command = [ICECORE, "--no-history", *([] if kept else ["--no-index"]), *paths]
    for _ in range(OPENS):
        if damaged:
            damage(paths[0] + ".icx", rng)
        session(command, rng, pressed, queries, STEPS // OPENS)


def main():
    # Where the explorer may write, beside its input.
    logs = os.path.join(SCRATCH, "run", "races")
    for name in ("TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
        os.environ[name] = "%s log_path=%s" % (os.environ.get(name, ""), logs)
    for n, row in enumerate(RUNS, 1):
        wrong = []
        try:
            run(*row)
        except (Wrong, OSError, subprocess.SubprocessError) as e:
            wrong.append("%s: %s" % (type(e).__name__, e))
        for log in sorted(glob.glob(logs + ".*")):
            with open(log, errors="replace") as f:
                wrong += f.read().splitlines()
            os.unlink(log)
        print("%sok %d - %s, %d steps, seed %d" % ("not " if wrong else "", n, row[0], STEPS, SEED))
        for line in wrong[:80]:
            print("# " + line)
        sys.stdout.flush()
    print("1..%d" % len(RUNS))


if __name__ == "__main__":
    main()
