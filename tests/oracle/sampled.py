# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sampled.py - of many places or seeds, those that one run looks at.

HURT_STEP: one in so many; 1 is all, as in the long part damage.  TEST_DAY: which ones.  Scripts have both from
tests/python.sh; the default is the same each day.
"""
import os

STEP = int(os.environ.get("HURT_STEP", "1"))
DAY = int(os.environ.get("TEST_DAY", "0"))
ENDS = 4
RARE = 50


def sampled(places, step=STEP):
    """The first and the last few, and one in STEP of the others."""
    last = len(places) - ENDS
    return [place for i, place in enumerate(places) if i % step == DAY % step or not ENDS <= i < last]


def turns(cases, n=2):
    """One in N of the cases, half of these in the plain build, all of them if HURT_STEP is 1."""
    n = min(n if STEP < RARE else 2 * n, STEP)
    return [case for i, case in enumerate(cases) if i % n == DAY % n]


def seeds(n):
    """N that are of this day alone."""
    return range(DAY * n, (DAY + 1) * n)


def tell():
    print("# TEST_DAY=%d" % DAY)
