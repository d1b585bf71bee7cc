#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""similarcheck.py BUILD SCRATCH - the stage similar against the edit distances of all pairs of texts, as TAP."""
import collections
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

ALPHABETS = ("ab", "abcdef", "abcdefghijklmnopqrstuvwxyz ", "0123456789", "aäößé", "日本語字a", "é\U0001f600xß")
# letters of the longest text, changes of a text, distance; 0: none is given
SHAPES = ((8, 2, 0), (30, 3, 0), (200, 4, 0), (5, 3, 2), (12, 2, 1), (60, 5, 3), (120, 9, 6), (40, 30, 32))
TEXTS = 90
MOST_TEXTS = 1 << 20


def distance(a, b, most=None):
    """Levenshtein's; None: it is above most."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        corner, row[0] = row[0], i + 1
        for k, y in enumerate(b):
            corner, row[k + 1] = row[k + 1], min(row[k + 1] + 1, row[k] + 1, corner + (x != y))
        if most is not None and min(row) > most:
            return None
    return row[-1] if most is None or row[-1] <= most else None


def limit(a, b, given):
    n = min(len(a), len(b))
    return given or (0 if n < 4 else min(max(n // 8, 1), 3))


def expected(texts, given):
    count, place = collections.Counter(texts), {t: i for i, t in reversed(list(enumerate(texts)))}
    group = {t: {t} for t in count}
    for i, a in enumerate(count):
        for b in list(count)[:i]:
            most = limit(a, b, given)
            if group[a] is not group[b] and abs(len(a) - len(b)) <= most and distance(a, b, most) is not None:
                group[a] |= group[b]
                for t in group[b]:
                    group[t] = group[a]
    out = []
    for g in {id(g): g for g in group.values()}.values():
        all_of = sorted(g, key=place.get)
        text = max(all_of, key=lambda t: count[t])
        far = max(all_of, key=lambda t: distance(text, t))
        out.append((-sum(count[t] for t in g), place[all_of[0]], text, len(g), distance(text, far), far if len(g) > 1 else ""))
    return [(text, -n, texts, d, far) for n, _, text, texts, d, far in sorted(out)]


def make(chance, alphabet, longest, changes):
    out = []
    # Digits alone would be numbers.
    prefix = "the same words before " if chance.random() < 0.4 or alphabet.isdigit() else ""
    for _ in range(TEXTS):
        if out and chance.random() < 0.6:
            t = list(chance.choice(out))
            for _ in range(chance.randint(0, changes)):
                at = chance.randint(0, len(t))
                t[at:at + chance.randint(0, 1)] = chance.choice(alphabet) * chance.randint(0, 1)
            t = "".join(t)
        else:
            t = prefix + "".join(chance.choice(alphabet) for _ in range(chance.randint(1, longest)))
        # Blanks at the ends, and nothing, are not texts of a table.
        t = t.strip()
        out.append("x" + t if not t or t.isdigit() else t)
    return out


def compare(program, scratch, seed, alphabet, shape):
    longest, changes, given = shape
    texts = make(random.Random(seed), alphabet, longest, changes)
    path = os.path.join(scratch, "texts.csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write("id,text\n" + "".join('%d,"%s"\n' % line for line in enumerate(texts)))
    a = program.ask(path, "records | similar text%s" % (" %d" % given if given else ""), options=("--no-index", "--header", "yes"))
    got = [(r["text"], int(r["count"]), int(r["texts"]), int(r["distance"]), r["example"]) for r in answers.Table(a.out).rows]
    want = expected(texts, given)
    wrong = [(w, g) for w, g in zip(want, got) if w != g]
    return [] if got == want else ["%d rows, not %d: %r" % (len(got), len(want), wrong[:1])]


def too_many(program, scratch):
    path = os.path.join(scratch, "many.csv")
    with open(path, "w") as f:
        f.write("id,text\n" + "".join("%d,t%d\n" % (i, i) for i in range(MOST_TEXTS + 1)))
    a = program.ask(path, "records | similar text", options=("--no-index",))
    os.remove(path)
    return [] if a.code == 2 and "over 1048576 different texts" in a.err else ["%d: %s" % (a.code, a.err)]


def main():
    build, scratch = sys.argv[1:3]
    program, tap = answers.Program(os.path.join(build, "icecore")), Tap()
    for i, alphabet in enumerate(ALPHABETS):
        attempt(tap, "texts of %s" % alphabet.encode("unicode_escape").decode(), lambda: [
            "%r: %s" % (shape, x) for k, shape in sampled.turns([*enumerate(SHAPES)][i:] + [*enumerate(SHAPES)][:i], 1) for x in compare(program, scratch, 100 * i + k, alphabet, shape)])
    attempt(tap, "too many texts", too_many, program, scratch)
    tap.end()


if __name__ == "__main__":
    main()
