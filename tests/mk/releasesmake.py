# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""releasesmake.py FOLDER: folded profiles of four builds of an app, APP/BUILD/N.folded: which build made which method slower is known."""
import random
import sys
from pathlib import Path

FILES = {"2.0": 8, "2.1": 9, "2.2": 3, "2.10": 45}
# Percent of the samples by build, and how much that varies between files.
METHODS = {
    "main;shop.Page.show;shop.Rule.matches": ({"2.0": 4, "2.1": 12}, 1),
    "main;shop.Page.show;shop.Template.render": ({}, 4),
    "main;shop.Page.show;shop.Template.render;shop.Text.append": ({}, 6),
    "main;shop.Store.query": ({"2.10": 9}, 2),
    "main;shop.Gone.old": ({"2.1": 0, "2.2": 0, "2.10": 0}, 2),
    "main;shop.Rare.call": ({}, 0),
}
USUAL = {"shop.Rule.matches": 12, "shop.Template.render": 20, "shop.Text.append": 30, "shop.Store.query": 5, "shop.Gone.old": 6, "shop.Rare.call": 2}


def profile(build, dice):
    """Samples by stack; the rest is main alone."""
    said = {}
    for stack, (by, spread) in METHODS.items():
        share = by.get(build, USUAL[stack.split(";")[-1]])
        said[stack] = max(0, round(10 * (share + dice.uniform(-spread, spread)))) if share else 0
    return dict(said, main=1000 - sum(said.values()))


def fill(folder, builds=FILES):
    dice = random.Random(58)
    for build, n in FILES.items():
        if build not in builds:
            continue
        place = Path(folder) / "shop" / build
        place.mkdir(parents=True)
        for i in range(n):
            text = "".join("%s %d\n" % (stack, n) for stack, n in profile(build, dice).items() if n)
            (place / ("web-%02d.folded" % i)).write_text(text)


if __name__ == "__main__":
    fill(sys.argv[1])
