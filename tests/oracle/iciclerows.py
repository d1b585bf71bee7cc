# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A slow model of the icicle: the boxes of random trees, with and without rows of several frames."""
import os
import random

GLUE = "start_thread clone3 Interpreter Thread.run __libc_start_main".split()
WIDTH, HEIGHT = 160, 45


class Node:
    def __init__(self, name, total):
        self.name, self.total, self.own, self.below = name, total, total, []

    def add(self, rnd, total):
        name = rnd.choice(GLUE) if rnd.random() < 0.3 else "x" + "".join(rnd.choices("abcdefgh", k=rnd.randint(3, 11)))
        if total > 0 and name not in [node.name for node in self.below]:
            self.below.append(Node(name, total))
            self.own -= total


def grow(rnd, node, depth):
    if depth > 25 or node.total < 5000:
        return
    if depth == 0 or rnd.random() < 0.6:
        node.add(rnd, node.total - int(node.total * rnd.choice([0, 0, 0.005, 0.03]) * rnd.random()))
        node.add(rnd, node.own * rnd.randint(0, 1))
    else:
        for _ in range(rnd.randint(1, 4)):
            node.add(rnd, int(node.own * rnd.random()))
    for below in node.below:
        grow(rnd, below, depth + 1)


def stacks(node, names=()):
    names += (node.name,)
    yield from ["%s %d\n" % (";".join(names[1:]), node.own)] * (node.own > 0 and len(names) > 1)
    for below in node.below:
        yield from stacks(below, names)


def row(first, width, folds):
    """The frames of a row: each has 98 % of it and no sibling of a cell, and the names that are not glue fit."""
    frames = [first]
    while folds:
        wide = [node for node in frames[-1].below if node.total >= first.total / width]
        if len(wide) != 1 or wide[0].total < 0.98 * first.total:
            break
        names = [node.name for node in frames if node.name not in GLUE + ["all"]] + [wide[0].name]
        if len(names) > 1 and len(" > ".join(names)) > width - 2:
            break
        frames.append(wide[0])
    return frames


def label(frames, width):
    every = " > ".join(node.name for node in frames)
    return every if len(frames) == 1 or len(every) <= width - 2 else \
        " > ".join(node.name for node in frames if node.name not in GLUE + ["all"] or node is frames[-1])


def draw(lines, first, x, width, level, folds):
    """Draw a box and those below it; ? where a name is cut."""
    frames = row(first, width, folds)
    text = label(frames, width)
    text = "" if width < 3 else text if len(text) < width else "?" * (width - 1)
    while len(lines) <= level:
        lines.append([" "] * WIDTH)
    lines[level][x:x + width] = text.ljust(width - 1) + "|"
    least = first.total / width
    below = sorted(frames[-1].below, key=lambda node: -node.total)
    wide, rest, at, so_far, places = [node for node in below if node.total >= least], [node for node in below if node.total < least], x, 0, []
    while wide and at < x + width:
        so_far += wide[0].total
        w = min(max(x + int(so_far / first.total * width + 1e-6) - at, 1), x + width - at)
        places.append([wide.pop(0), at, w])
        at += w
    rest += wide
    if rest and at == x + width and places:
        at -= 1
        places[-1][2] -= 1
        if places[-1][2] == 0:
            rest.append(places.pop()[0])
    for node, left, w in places:
        draw(lines, node, left, w, level + 1, folds)
    if rest:
        w = min(max(int(sum(node.total for node in rest) / first.total * width), 1), x + width - at)
        text = "+%d" % len(rest)
        while len(lines) <= level + 1:
            lines.append([" "] * WIDTH)
        lines[level + 1][at:at + w] = (text if len(text) <= w else "+").ljust(w)


def wrong(explorer, scratch):
    path = os.path.join(scratch, "rows.folded")
    for seed in range(20):
        rnd = random.Random(seed)
        root = Node("all", rnd.randint(1000, 10 ** 7))
        root.add(rnd, root.total)
        grow(rnd, root.below[0], 0)
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(stacks(root))
        for folds, frame in zip((True, False), explorer.frames(path, WIDTH, HEIGHT, ["key g i", "frame", "key m", "frame"])):
            lines = []
            draw(lines, root, 0, WIDTH, 0, folds)
            for want, line in zip(lines, frame[3:HEIGHT - 2]):
                if any(a not in ("?", b) for a, b in zip(want, line.ljust(WIDTH))):
                    yield "seed %d, folds %s:\n%s\n%s" % (seed, folds, "".join(want), line)
                    break
