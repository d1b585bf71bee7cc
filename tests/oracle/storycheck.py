#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""storycheck.py BUILD SCRATCH - the sentence that says what happened, as TAP; corpus.py asks it of the files of the corpus.

tests/story.tsv has a row for each file: the sentence, or "-" if nothing is certain.  It is the same in the overview, in a
report, in Markdown and in JSON.  Two files that are compared have " + " between them.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import storymake  # noqa: E402
from check import Tap, attempt  # noqa: E402

TOP = os.path.join(HERE, "..", "..")
STORIES = os.path.join(HERE, "..", "story.tsv")


def rows():
    with open(STORIES, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


def story_of(program, *paths):
    diff = " diff" if len(paths) > 1 else ""
    a = program.run(["--no-index", "-o", "tsv", "-e", "overview%s | where line = story | select subject" % diff, *paths])
    lines = a.out.split("\n")[1:-1]
    return lines[0] if lines else "-" if a.code in (0, 1, 3) else "status %d: %s" % (a.code, a.err.strip())


def check_story(program, paths, want):
    got = story_of(program, *paths)
    return [] if got == want else ["%s, not %s" % (got, want)]


def check_surfaces(program, path, want):
    """A report has it in its first lines, unless there is none."""
    text = program.run(["--no-index", "--no-hash", "--report", path]).out
    head = " ".join(text.split("\n\n")[0].split("\n")[2:]).replace("\n", " ")
    mark = program.run(["--no-index", "--no-hash", "--report", "-o", "md", path]).out.split("\n")[2]
    told = json.loads(program.run(["--no-index", "--no-hash", "--report", "-o", "json", path]).out)["story"]
    bad = [] if told == (None if want == "-" else want) else ["JSON: %s" % told]
    if want == "-":
        return bad + ([] if head.startswith("file ") else [head])
    bad += [] if head.split() == want.split() else ["text: " + head]
    return bad + ([] if len(mark) >= len(want) else ["Markdown: " + mark])


def check_corpus(tap, program, corpus):
    for name, want in rows():
        paths = [os.path.join(corpus, one) for one in name.split(" + ")]
        if not name.startswith("demo/") and all(os.path.exists(path) for path in paths):
            attempt(tap, "story: " + name, check_story, program, paths, want)


def main(argv):
    tap, program = Tap(), answers.Program(os.path.join(argv[1], "icecore"))
    for name, want in rows():
        if name.startswith("demo/"):
            attempt(tap, name, check_story, program, [os.path.join(TOP, name)], want)
            attempt(tap, name + ": in reports", check_surfaces, program, os.path.join(TOP, name), want)
    for name, text, want in storymake.FILES:
        path = os.path.join(argv[2], name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        attempt(tap, name, check_story, program, [path], want or "-")
    tap.ok("sentences have at most 120 characters", [want for _, want in rows() if len(want) > 120])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
