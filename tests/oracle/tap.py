# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""tap.py: lines of TAP for checks that gather what is wrong."""
import subprocess
import sys
import time

PATIENCE = 300          # seconds that a condition may take on a busy machine
count = 0


def check(name, *wrong):
    """Fails when any of wrong is true, and shows those that are."""
    global count
    count += 1
    wrong = [w for w in wrong if w]
    print("%s %d - %s" % ("not ok" if wrong else "ok", count, name))
    for w in wrong:
        print("\n".join("# " + line[:1000] for line in str(w).splitlines()[:40]))
    sys.stdout.flush()


def differences(path, text, *options):
    """Return the output of the program diff for a file and the text that it should have, "" if they are the same."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
            if f.read() == text:
                return ""
    except FileNotFoundError:
        pass
    p = subprocess.run(["diff", *options, path, "-"], input=text.encode("utf-8", "surrogateescape"), stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    return p.stdout.decode("utf-8", "replace")


def until(condition):
    """Wait until the condition is true, and return it, at last as it is."""
    end = time.monotonic() + PATIENCE
    while not (true := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return true


def skip(name, why):
    check("%s # SKIP %s" % (name, why))


def plan():
    print("1..%d" % count)
