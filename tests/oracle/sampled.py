# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sampled.py - of many places, cases or seeds, those that one run looks at.

HURT_STEP: one place in so many; 1 is all, as in the long part damage.  From RARE on, as in the plain build, a run takes an eighth of the
cases and seeds as well.  TEST_DAY: which ones.  Scripts have both from tests/python.sh; the default is the same each day.
"""
import os

STEP = int(os.environ.get("HURT_STEP", "1"))
DAY = int(os.environ.get("TEST_DAY", "0"))
ENDS = 4
RARE = 50
FEWER = 8 if STEP >= RARE else 1


def sampled(places, step=STEP):
    """The first and the last few, and one in STEP of the others."""
    last = len(places) - ENDS
    return [place for i, place in enumerate(places) if i % step == DAY % step or not ENDS <= i < last]


def turns(cases, n=2):
    """One in N of the cases, fewer in the plain build, all of them if HURT_STEP is 1."""
    n = min(n * FEWER, STEP)
    return [case for i, case in enumerate(cases) if i % n == DAY % n]


def seeds(n):
    """N that another TEST_DAY does not have; fewer in the plain build."""
    n = -(-n // FEWER)
    return range(DAY * n, (DAY + 1) * n)


def tell():
    print("# TEST_DAY=%d" % DAY)
