# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""keycheck.py BUILD SRCDIR SCRATCH - no key is dead, and nothing of the help is cut, as TAP.

In each pane of a trace, a heap dump, a scheduler trace and a profile each printable character, each function key and each
arrow changes what is on the screen, or a message says why not.  C-l before each puts the screen in order and says nothing.
One in four of the keys without a row in a pane, which all show the same message, is pressed, another one each day.
"""
import functools
import glob
import os
import re
import sys

import answers
import manual
import sampled
import tap

# The keys that a script can press, without Q, which would quit.
NAMES = [chr(c) for c in range(33, 127) if chr(c) != "Q"] + \
    "Space Up Down Left Right F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12".split()
FOLDED = "main;run;draw 12\nmain;run;read 30\nmain;wait 7\n"


class Explorer:
    def __init__(self, program, scratch):
        self.program, self.scratch, self.alone = program, scratch, []

    def frames(self, path, width, height, script, name=""):
        """Frames as lists of lines; raises an error when the program does."""
        keys = os.path.join(self.scratch, "keys")
        with open(keys, "w", encoding="utf-8") as f:
            f.write("size %dx%d\n%s\n" % (width, height, "\n".join(script)))
        fresh = answers.turn(name, 20)
        self.alone += [name] * fresh
        answer = self.program.run(["--no-index", "--keys", keys, path], timeout=120, fresh=fresh,
                                  changes={"LC_ALL": "C", "INPUTRC": os.devnull, "NO_COLOR": "1"})
        if answer.code != 0:
            raise ValueError("status %d: %s" % (answer.code, answer.err))
        lines = answer.out.split("\n")[:-1]
        return [lines[i:i + height] for i in range(0, len(lines), height)]

    def check(self, name, what, path, width, height, script):
        """what(frames): what is wrong."""
        try:
            wrong = what(self.frames(path, width, height, script, name))
        except ValueError as e:
            wrong = [e]
        tap.check(name, "\n".join(map(str, wrong)))


# ---- each key in each pane ---------------------------------------------------------------------------


def dead_keys(names, frames):
    """Two frames for each key."""
    pairs = list(zip(frames[::2], frames[1::2]))
    return ["nothing happens: " + key for key, (before, after) in zip(names, pairs) if before == after] + \
        ["not pressed: " + key for key in names[len(pairs):]]


def cut_help(frames):
    """Pages of the help of the pane, then of all panes: columns from 18 on are what keys do."""
    wrong = [line for frame in frames for line in frame[3:22] if len(line) > 18 and line.endswith("~")]
    if not any(line.startswith("  All panes") for frame in frames for line in frame):
        wrong.append("no keys of all panes")
    if not frames[0][2].startswith(" Help: "):
        wrong.append("no help: " + frames[0][2])
    if re.match("  (Move|Search|All)", frames[0][3]):
        wrong.append("not the pane first: " + frames[0][3])
    return wrong


def check_panes(explorer, path):
    file, bound = os.path.basename(path), {(row[0], row[1]) for row in manual.keys(explorer.program)}
    panes = re.findall("[0-9] ([A-Z][A-Za-z]*)", explorer.frames(path, 200, 24, ["frame"])[0][1])
    tap.check("panes of " + file, not panes)
    for number, pane in enumerate(panes, 1):
        names = [key for key in NAMES if {(key, pane), (key, "everywhere")} & bound or answers.turn(pane + key, 4)]
        script = ["key Esc %d\nkey C-l\nframe\nkey %s\nframe" % (number, key) for key in names]
        explorer.check("no key is dead in %s of %s" % (pane, file), functools.partial(dead_keys, names), path, 80, 24, script)
        script = ["key %d" % number, "key ?", "frame"] + ["key PgDn", "frame"] * 9
        explorer.check("the help of %s of %s is whole" % (pane, file), cut_help, path, 80, 24, script)


# ---- Enter on a line of the overview opens a pane, Backspace and Esc return ----------------------------


def not_back(frames):
    """Three frames for each line: it, where Enter leads if the last line offers it, and back."""
    wrong = ["only %d frames" % len(frames)] * (len(frames) < 9)
    for three in zip(frames[::3], frames[1::3], frames[2::3]):
        line = next((line for line in three[0] if line.startswith(">")), "no line")
        body = [frame[2:48] for frame in three]
        offered = " Enter open" in three[0][49]
        wrong += ["Enter is %soffered: %s" % ("" if offered else "not ", line)] * (offered == (body[0] == body[1]))
        wrong += ["does not return: " + line] * (body[0] != body[2])
    return wrong


def check_ways_back(explorer, path):
    lines = [line for line in explorer.frames(path, 120, 50, ["frame"])[0][2:48] if line]
    for key in ("Backspace", "Esc"):
        script = ["key 1\nkey Home\n%sframe\nkey Enter\nframe\nkey %s\nframe" % ("key Down\n" * i, key) for i in range(len(lines))]
        explorer.check("%s returns to each line of the overview of %s" % (key, os.path.basename(path)), not_back, path, 120, 50, script)


# ---- texts -----------------------------------------------------------------------------------------

NAMES_KEY = re.compile(r'(^"|; |: |[.] |press |[?] |with |use |a search; )([A-Za-z/?:]|Enter|Esc|Tab|C-[a-z])'
                       r'( (is|undoes|goes|stops|resumes|shows|exports|closes|clears|takes|again|first|to|help|opens|switches|quits|and|for)|: |"|; |$)')


def messages(program, srcdir):
    """A message names no key that does nothing where it stands.  tests/messages.tsv lists the messages."""
    said = set()
    for path in glob.glob(os.path.join(glob.escape(srcdir), "src/ui/*/*.c")):
        with open(path, encoding="utf-8") as f:
            said |= {s[1:-1] for s in re.findall(r'"(?:[^"\\\n]|\\.)*"', f.read()) if NAMES_KEY.search(s) and " " in s}
    with open(os.path.join(srcdir, "tests/messages.tsv"), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("# ")]
    known = {row[2] for row in rows}
    yield from ("not in messages.tsv: " + s for s in sorted(said - known))
    yield from ("no such message: " + s for s in sorted(known - said))
    keys = manual.keys(program)
    bound, lists = {(row[0], row[1]) for row in keys}, {row[1] for row in keys if row[3] == "list" and row[1] != "queries"}
    for key, panes, message in rows:
        for pane in panes.split(","):
            for one in sorted(lists) if pane == "lists" else [pane]:
                if (key, one) not in bound and (key, "everywhere") not in bound:
                    yield "%s does nothing in %s: %s" % (key, one, message)


def wide_texts(program, srcdir):
    """Texts of tables, in columns."""
    for row in manual.keys(program):
        if len(row[4]) > 10 or len(row[5]) > 60:
            yield "key: %s, %s" % (row[4], row[5])
    for line in manual.options(program, srcdir):
        if line.startswith("  -"):
            text = re.sub(r" \([a-z0-9, .-]*\)$", "", re.sub("^  -[^ ]+( [A-Z]+)?  +", "", line))
            if len(text) > 60:
                yield "option: " + text
    texts = [(r["kind"], r["meaning"]) for file in "demo.trace feed.txt sched.txt profile.txt money.ofx notes.jar demo.hprof".split()
             for r in manual.help_of(program, os.path.join(srcdir, "demo", file + ("" if file.endswith(".jar") else ".gz")))
             if re.fullmatch("source|stage|sink|column|hidden.*|finding", r["kind"])]
    yield from sorted({"%s: %s" % (kind, text) for kind, text in texts if len(text) > 60})
    if len(texts) < 500:
        yield "only %d texts of help" % len(texts)


def wide_help(program):
    for command in ([], ["mcp"], ["redact"], ["triage"], ["watch"]):
        lines = manual.said(program, *command, "--help").splitlines()
        yield from ("%s: %s" % (command, line) for line in lines if len(line) > 80 or line.endswith(" "))
        if not any(line.startswith("  --help ") for line in lines):
            yield "%s: no --help" % command


def main(build, srcdir, scratch):
    for name in ("LINES", "COLUMNS"):
        os.environ.pop(name, None)
    program = answers.program_of(build)
    explorer = Explorer(program, scratch)
    folded = os.path.join(scratch, "app.folded")
    with open(folded, "w", encoding="utf-8") as f:
        f.write(FOLDED)
    for path in [os.path.join(srcdir, "demo", name) for name in ("demo.trace.gz", "demo.hprof.gz", "sched.txt.gz")] + [folded]:
        check_panes(explorer, path)
    sampled.tell()
    for name in sampled.turns("demo.trace.gz demo.hprof.gz phone.hprof.gz sched.txt.gz recipes.pftrace.gz profile.txt.gz feed.txt.gz money.ofx.gz notes.jar".split()):
        check_ways_back(explorer, os.path.join(srcdir, "demo", name))
    tap.check("keys that messages name do something there", *messages(program, srcdir))
    tap.check("texts of help have at most 60 columns, hints 10", *wide_texts(program, srcdir))
    tap.check("lines of --help have at most 80 columns", *wide_help(program))
    answers.tell_turn(explorer.alone)
    tap.plan()


main(*sys.argv[1:])
