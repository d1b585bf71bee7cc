# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapdiff.py - what 'classes | diff' and 'histogram | diff' must say about two dumps, from the oracle heap.py for each."""
import collections

import heapanswers as say
from answers import differences

AMOUNTS = ("objects", "shallow", "retained")


def class_rows(h):
    """name and class of the loader -> [(objects, shallow, retained)], in the order of the file."""
    key = say.class_groups(h)
    groups = collections.defaultdict(list)
    for a in h.r.objects:
        groups[key(a)].append(a)
    retained = h.top_retained(key)
    out = collections.defaultdict(list)
    for a, c in h.r.classes.items():
        mine = groups.get(a, [])
        loader = say.name_of(h, c.loader) if c.loader in h.r.objects else "boot"
        out[say.spread(say.plain(h.name(a))), say.spread(loader)].append(
            (len(mine), sum(h.shallow[x] for x in mine), retained.get(a, 0)))
    return out


def join(before, after):
    """Outer join of two such; of one name the first with the first, and so on."""
    want = collections.Counter()
    none = (0,) * len(AMOUNTS)
    for name in set(before) | set(after):
        old, new = before.get(name, []), after.get(name, [])
        for i in range(max(len(old), len(new))):
            a, b = new[i] if i < len(new) else none, old[i] if i < len(old) else none
            found = "kept" if i < min(len(old), len(new)) else "added" if i < len(new) else "removed"
            told = [("",) * len(AMOUNTS) if found == gone else side for gone, side in (("removed", a), ("added", b))]
            want[name + told[0] + told[1] + tuple(x - y for x, y in zip(a, b)) + (found,)] += 1
    return want


def loader_class(text):
    return text if text == "boot" else text[:text.rindex(" @")]


def compare_classes(before, after, table):
    columns = [c + end for end in ("", "_before", "_delta") for c in AMOUNTS]
    got = collections.Counter(
        (say.spread(r["name"]), say.spread(loader_class(r["loader"]))) + tuple(r[c] and int(r[c]) for c in columns) + (r["change"],)
        for r in table.rows)
    return differences("classes | diff", join(class_rows(before), class_rows(after)), got)


def compare_sums(before, after, table):
    """Whatever is matched with what, the deltas add up to what the dumps differ in."""
    want = [len(after.r.objects) - len(before.r.objects), sum(after.shallow.values()) - sum(before.shallow.values())]
    got = [sum(int(r[c]) for r in table.rows) for c in ("objects_delta", "shallow_delta")]
    return [] if want == got else ["histogram | diff: %s and not %s" % (got, want)]


def rejoin(program, first, second, source, names):
    """'SOURCE | diff' from what SOURCE says of each file: the same rows in the same order."""
    before, after = (program.ask(path, source, options=("--no-index",)).tables()[0] for path in (first, second))
    table = program.ask(second, source + " | diff", options=("--no-index", first)).tables()[0]
    amounts = [c[:-len("_delta")] for c in table.columns if c.endswith("_delta")]
    rows = collections.defaultdict(list)
    for r in before.rows:
        rows[tuple(r[n] for n in names)].append(r)
    want = []
    for r in after.rows:
        same = rows[tuple(r[n] for n in names)]
        want.append((r, same.pop(0) if same else None))
    left = [id(r) for same in rows.values() for r in same]
    pairs = want = want + [(None, r) for r in before.rows if id(r) in left]
    want = [tuple((a or b)[n] for n in names) + tuple(x[c] if x else "" for c in amounts for x in (a, b))
            for a, b in want]
    got = [tuple(r[n] for n in names) + tuple(r[c + end] for c in amounts for end in ("", "_before")) for r in table.rows]
    bad = [] if want == got and amounts else ["%s: %s and not %s" % (source, got[:3], want[:3])]
    for r in table.rows:
        for c in amounts:
            if r[c] and r[c + "_before"] and abs(float(r[c]) - float(r[c + "_before"]) - float(r[c + "_delta"])) > 1e-6:
                bad.append("%s: %s_delta is %s" % (source, c, r[c + "_delta"]))
    for c in amounts:
        bad += by_change(program, first, second, source, names, c, pairs)
    return bad


def change_of(pair, column):
    """How far a value went, whichever way; -1: it is not known in one of the files that have the row."""
    cells = ["0" if r is None else r[column] for r in pair]
    return -1 if "" in cells else abs(float(cells[0]) - float(cells[1]))


def by_change(program, first, second, source, names, column, pairs):
    """'sort -abs(COLUMN_delta)' and 'top': the largest changes first, of equal ones as they come."""
    stages = ["sort -abs(%s_delta)" % column, "top 4 abs(%s_delta)" % column]
    want = sorted(pairs, key=lambda pair: -change_of(pair, column))
    want = [tuple((a or b)[n] for n in names) for a, b in want]
    bad = []
    for stage, rows in zip(stages, (want, want[:4])):
        table = program.ask(second, "%s | diff | %s" % (source, stage), options=("--no-index", first)).tables()[0]
        got = [tuple(r[n] for n in names) for r in table.rows]
        if got != rows:
            bad.append("%s | diff | %s: %s and not %s" % (source, stage, got[:4], rows[:4]))
    return bad
