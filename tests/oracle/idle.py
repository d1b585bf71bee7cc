# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A slow model of include/icecore/idle.h: what functions are for, and which stacks and threads are idle."""
import collections
import functools
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "base", "runtime_names.h")
TOP, WORK, LOCK, PROGRAM = 8, "WAITING_WORK", "WAITING_LOCK", "PROGRAM"


def table():
    """(purposes, a regular expression of names) of each row."""
    with open(TABLE) as f:
        rows = re.findall(r'\{ ([A-Z_ |]+), ((?:"[^"]*"\s*)+)\}', f.read())
    for words, texts in rows:
        globs = "".join(re.findall(r'"([^"]*)"', texts)).split("|")
        yes = "|".join(re.escape(g).replace(r"\*", ".*").replace(r"\?", ".") for g in globs)
        yield frozenset(words.split(" | ")), re.compile("(?s:(?:_|GI_|libc_)*(?:%s))" % yes)


ROWS = list(table())


@functools.lru_cache(None)
def purposes(name):
    """Purposes of a function; empty: it is one of the program."""
    found = frozenset().union(*(words for words, names in ROWS if names.fullmatch(name)))
    return found | ({"RUNTIME_INNER"} if name.startswith("__") and not name.endswith("__") else set())


def is_frame(name):
    """A frame that says less than its caller."""
    return bool(purposes(name) - {"RUNTIME_LIBRARY", "RUNTIME_ENDS", "RUNTIME_INNER", "RUNTIME_COLLECTS", "RUNTIME_COMPILES"})


@functools.lru_cache(None)
def is_own(name):
    return not purposes(name) - {"RUNTIME_MAIN", "RUNTIME_INNER"}


def stack(names):
    """Whether a stack is idle; its innermost frame is first."""
    kinds = set(names)
    top = frozenset().union(*map(purposes, names[:TOP]))
    if LOCK in top or WORK in top:
        return LOCK not in top
    if any(map(is_own, kinds)):
        return False
    every = frozenset().union(*map(purposes, kinds))
    waits, known = any(p.startswith("WAITING_") for p in top), "RUNTIME_ENTRY" in every or "RUNTIME_LOOP" in every
    return "WAITING_EVENTS" in top or (waits and known and "RUNTIME_NAMELESS" not in every)


def thread(whole, run, wall, idle):
    """Whether a thread with known stacks is idle: under 1 % on a CPU, and 95 % of its time waits for work."""
    return run * 100 < whole and idle * 100 >= wall * 95


def outer(spans, calls, threads, elapsed=0):
    """Four sets: (thread, depth) of calls that only begin the work of a thread: alone at their depth, as all above are, with callees, and for
    95 % of the file; of those without callees; (main thread, method) of calls that do the most of it themselves; methods with callees."""
    elapsed, begins, leaves = max(max(int(t["end"]) for t in threads) - min(int(t["start"]) for t in threads), elapsed), set(), set()
    counts = collections.Counter((r["thread_id"], int(r["depth"])) for r in spans)
    for r in sorted(spans, key=lambda r: int(r["depth"])):
        thread, depth = r["thread_id"], int(r["depth"])
        if (depth == 0 or (thread, depth - 1) in begins) and counts[thread, depth] == 1 and int(r["wall"]) >= elapsed - elapsed // 20:
            (begins if counts[thread, depth + 1] > 0 else leaves).add((thread, depth))
    main = max(threads, key=lambda t: (t["main"] == "true", int(t["wall"] or 0), -int(t["id"])))["id"]
    own = [r for r in calls if r["thread_id"] == main]
    half = sum(int(r["self_wall"] or 0) for r in own) / 2
    callers = {r["parent"] for r in calls}
    return begins, leaves, {(main, r["method_id"]) for r in own if int(r["self_wall"] or 0) > half}, {r["method_id"] for r in calls if r["id"] in callers}


def is_outer(span, begins, leaves, most, callers):
    """Whether its callees say more, or of a wait for work its caller."""
    known, place = purposes(span["method"]), (span["thread_id"], int(span["depth"]))
    if (span["thread_id"], span["method_id"]) in most:
        return False
    return place in begins or (place in leaves and any(p.startswith("WAITING_") for p in known)) or \
        bool(known & {WORK, "WAITING_NAPS", "WAITING_OTHER"}) or (is_frame(span["method"]) and span["method_id"] in callers)
