#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""index.py PROGRAM SOURCE FOLDER ROUNDS [PLACES] - a damaged index never changes an answer.

The index of a copy of SOURCE is made whole.  Each round then damages it somewhere, keeps its time stamp, asks, and
compares every byte and the exit status with the answers before; every eighth round asks the explorer and compares
frames.  All kinds of damage take their turn; half of the rounds flip one bit, or one at each of PLACES.  Damage is
reported in at most one line on standard error, and repaired: asked again, there is none.  Prints TAP lines, one for each
kind.  With ROUNDS all, every source is asked, and every column of the index has damage at once: each can be rebuilt.
Which places are damaged depends on TEST_DAY.
"""
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

import icx  # noqa: E402
import sampled  # noqa: E402

PAGE = 4096
CHUNK = 1 << 18
HEAP = ["classes | top 30 retained", "objects | top 30 retained", "dominators | top 20 retained", "findings",
        "referrers @{0}", "fields @{0}", "path @{0}", "roots | count", "threads"]
# For a large index: queries that read a part of its columns.
LARGE = ["classes | top 30 retained", "referrers @{0}", "fields @{0}", "path @{0}", "dominators @{0}", "roots | count"]
CALLS = ["methods | top 20 total", "merged | top 20 self", "calls | count", "threads", "spans | top 10 wall", "records | head 20"]
SAID = b"index was damaged"
LOOK = b"size 100x30\nkey j\nframe\nkey 2\nkey j\nframe\nkey 3\nkey j\nframe\n"


class Program:
    def __init__(self, path, source, queries):
        self.command = [path, "--quiet", "-o", "tsv"]
        self.look = [path, "--keys", source + ".keys", source]
        self.source, self.queries, self.notes = source, queries, []
        with open(source + ".keys", "wb") as file:
            file.write(LOOK)

    def run(self, command):
        """Standard output, standard error and status."""
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=1200, check=False)
        return done.stdout, done.stderr, done.returncode

    def ask(self, queries=None):
        command = list(self.command)
        for query in queries or self.queries:
            command += ["-e", query]
        return self.run(command + [self.source])

    def first_cells(self, query):
        return [line.split(b"\t")[0].decode() for line in self.ask([query])[0].splitlines()[1:]]


def flip(data, rng, _):
    places = [rng.randrange(len(data)) for _ in range(int(sys.argv[5]) if len(sys.argv) > 5 else 1)]
    for at in places:
        data[at] ^= 1 << rng.randrange(8)
    return "a bit of byte " + ", ".join(map(str, places))


def noise(data, rng, _):
    n = min(int(2 ** rng.uniform(0, 20)), len(data))
    at = rng.randrange(len(data) - n + 1)
    data[at:at + n] = rng.randbytes(n)
    return "%d bytes from %d" % (n, at)


def pieces(data, rng, size):
    """Where two pieces of that size are, each at a multiple of it; less where there are not as many."""
    size = min(size, len(data) // 2 // PAGE * PAGE)
    return size, [k * size for k in rng.sample(range(len(data) // size), 2)]


def swap(data, rng, _):
    n, (a, b) = pieces(data, rng, CHUNK if rng.randrange(2) else PAGE)
    data[a:a + n], data[b:b + n] = data[b:b + n], data[a:a + n]
    return "%d bytes at %d with those at %d" % (n, a, b)


def zero(data, rng, _):
    n, (a, _) = pieces(data, rng, PAGE if rng.randrange(4) else CHUNK)
    data[a:a + n] = bytes(n)
    return "%d bytes at %d" % (n, a)


def stale(data, rng, older):
    """A page as it was when the index had been saved for the first time."""
    n, (a, _) = pieces(data, rng, PAGE)
    piece = older[a:a + n]
    data[a:a + n] = piece + bytes(n - len(piece))
    return "%d bytes at %d" % (n, a)


def cut(data, rng, _):
    at = rng.randrange(len(data))
    del data[at:]
    return "at %d" % at


def every(data, rng, _):
    """A byte of each column."""
    columns = list(icx.columns(data))
    for name, offset, size in columns:
        if size > 0 and name != icx.FACTS:
            data[offset + rng.randrange(size)] ^= 1 << rng.randrange(8)
    return "%d columns" % len(columns)


KINDS = {"a bit flipped": flip, "noise": noise, "pieces swapped": swap, "pieces zeroed": zero, "older pages": stale, "cut": cut}


def wrong(program, want):
    """Return the error of the answers or None, and whether the damage was reported."""
    out, err, status = program.ask()
    if status < 0:
        return "signal %d: %s" % (-status, err[-2000:].decode("utf-8", "replace")), False
    if (out, status) != want:
        return "another answer (status %d): %s" % (status, err[-2000:].decode("utf-8", "replace")), False
    told = [line for line in err.splitlines() if SAID in line]
    if len(told) > 1 or len(err.splitlines()) != len(program.notes) + len(told):
        return "said: %r" % err, False
    if told:
        out, err, status = program.ask()
        if (out, status) != want or err.splitlines() != program.notes:
            return "not repaired: %r" % err, True
    return None, bool(told)


def wrong_look(program, want):
    """The same for frames; a message disappears with the next key, and detected damage is repaired."""
    out, err, status = program.run(program.look)
    if (out, err, status) != want:
        return "another frame (status %d): %s" % (status, err[-2000:].decode("utf-8", "replace")), False
    _, err, status = program.ask()
    return ("not repaired: %r" % err if err.splitlines() != program.notes or status < 0 else None), False


def main():
    path, source, folder, rounds = sys.argv[1:5]
    rng = random.Random(sampled.DAY)
    kinds = {"every column": every} if rounds == "all" else KINDS
    names = list(kinds)
    copy = os.path.join(folder, "hurt" + os.path.splitext(source)[1])
    shutil.copy(source, copy)
    program = Program(path, copy, CALLS)
    heap = program.ask(["roots | head 1"])[2] == 0
    if not heap:
        program.ask(["threads"])
    with open(copy + ".icx", "rb") as file:
        older = file.read()
    if heap:
        objects = program.first_cells("dominators | top 9 retained")
        queries = LARGE if os.path.getsize(copy) > 100 << 20 else HEAP
        program.queries = [query.format(objects[-1]) for query in queries]
    if rounds == "all":
        table = [line.split(b"\t") for line in program.ask(["help"])[0].splitlines()]
        program.queries = sorted({line[0].decode() for line in table if line[1] == b"source"} - {"help", "info"})
    program.run(program.look)
    program.ask()
    with open(copy + ".icx", "rb") as file:
        whole = file.read()
    stat = os.stat(copy + ".icx")
    out, err, status = program.ask()
    program.notes = err.splitlines()
    if rounds != "all" and (status > 1 or program.notes):
        print("not ok 1 - the whole index (status %d): %r" % (status, err))
        return 1
    frames = program.run(program.look)
    if frames[2] != 0 or frames[1] or frames[0].count(b"\n") < 90:
        print("not ok 1 - frames of the whole index (status %d): %r" % (frames[2], frames[1]))
        return 1
    told, bad, done = ({name: 0 for name in names} for _ in range(3))
    for i in range(1 if rounds == "all" else int(rounds)):
        name = names[0] if i % 2 == 0 else names[i // 2 % len(names)]
        data = bytearray(whole)
        what = kinds[name](data, rng, older)
        with open(copy + ".icx", "wb") as file:
            file.write(data)
        os.chmod(copy + ".icx", 0o600)
        os.utime(copy + ".icx", ns=(stat.st_atime_ns, stat.st_mtime_ns))
        reason, seen = wrong_look(program, frames) if i % 8 == 7 else wrong(program, (out, status))
        told[name] += seen
        done[name] += 1
        if reason:
            bad[name] += 1
            print("# round %d, %s, %s: %s" % (i, name, what, reason.replace("\n", "\n# ")))
    for n, name in enumerate(names, 1):
        print("%s %d - %s, index of %d bytes: %s %d times, reported %d times" % ("not ok" if bad[name] else "ok", n,
              os.path.basename(source), len(whole), name, done[name], told[name]))
    return any(bad.values())


if __name__ == "__main__":
    sys.exit(main())
