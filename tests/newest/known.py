# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""known.py SECONDS [FILE]: heavy works three times as long as light, then rest sleeps.

keep allocates 64 blocks of 1 MiB.  Work is a number of rounds, not a time: the calls of each function are the same in
every run.  FILE: writes what cProfile counted."""
import cProfile
import sys
import time

CALLS = 12


def heavy(rounds):
    total = 0
    for i in range(3 * rounds):
        total += i * i % 7
    return total


def light(rounds):
    total = 0
    for i in range(rounds):
        total += i * i % 5
    return total


def keep():
    return [bytearray(1 << 20) for _ in range(64)]


def rest(seconds):
    time.sleep(seconds)


def run(seconds):
    blocks = keep()
    begun = time.perf_counter()
    light(200000)
    rounds = int(200000 * seconds / (time.perf_counter() - begun) / 4 / CALLS)
    for _ in range(CALLS):
        heavy(rounds)
        light(rounds)
    rest(seconds / 4)
    return len(blocks)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        cProfile.run("run(%s)" % float(sys.argv[1]), sys.argv[2])
    else:
        run(float(sys.argv[1]))
