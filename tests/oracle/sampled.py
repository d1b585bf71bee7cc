# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sampled.py - of many places or seeds, those that one run looks at; other ones each day.

HURT_STEP: one in so many; 1 is all.  TEST_DAY: the day since 1970, set to repeat what failed on that day.  Scripts have both from
tests/python.sh.
"""
import os

STEP = int(os.environ.get("HURT_STEP", "1"))
DAY = int(os.environ.get("TEST_DAY", "0"))
ENDS = 4


def sampled(places, step=STEP):
    """The first and the last few, and one in STEP of the others."""
    last = len(places) - ENDS
    return [place for i, place in enumerate(places) if i % step == DAY % step or not ENDS <= i < last]


def turns(cases, n=2):
    """One in N of the cases, all of them if HURT_STEP is 1."""
    n = min(n, STEP)
    return [case for i, case in enumerate(cases) if i % n == DAY % n]


def seeds(n):
    """N that are of this day alone."""
    return range(DAY * n, (DAY + 1) * n)


def tell():
    print("# TEST_DAY=%d" % DAY)
