# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""keycheck.py BUILD SRCDIR SCRATCH - no key is dead, and nothing of the help is cut, as TAP.

In each pane of a trace, a heap dump, a scheduler trace and a profile each printable character, each function key and each
arrow changes what is on the screen, or a message says why not.  C-l before each puts the screen in order and says nothing.
One in eight of the keys without a row in a pane, which all show the same message, is pressed.
"""
import functools
import glob
import html
import os
import re
import sys

import answers
import iciclerows
import manual
import sampled
import tap

# The keys that a script can press, without Q, which would quit.
INPUTRC = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "inputrc"))
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
                                  changes={"LC_ALL": "C", "INPUTRC": INPUTRC, "NO_COLOR": "1"})
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
    panes = re.findall("[0-9] ([A-Z][A-Za-z]*(?: [a-z]{2,})?)", explorer.frames(path, 200, 24, ["frame"])[0][1])
    tap.check("panes of " + file, not panes)
    for number, pane in enumerate(panes, 1):
        names = [key for key in NAMES if (key, pane) in bound or (key, "everywhere") in bound and answers.turn(file + pane + key, sampled.FEWER) or
                 answers.turn(pane + key, 8 * sampled.FEWER)]
        script = ["key Esc %d\nkey C-l\nframe\nkey %s\nframe" % (number, key) for key in names]
        explorer.check("no key is dead in %s of %s" % (pane, file), functools.partial(dead_keys, names), path, 80, 24, script)
        script = ["key %d" % number, "key ?", "frame"] + ["key PgDn", "frame"] * 9
        explorer.check("the help of %s of %s is whole" % (pane, file), cut_help, path, 80, 24, script)


def check_split(explorer, path):
    """No key is dead on either side of a split screen."""
    names = [key for key in NAMES if key != "|" and answers.turn("split" + key, 8 * sampled.FEWER)]
    script = ["key Esc 2\nkey C-l\nframe\nkey %s\nframe" % key for key in names]
    for side in ("", "\nkey ;"):
        explorer.check("no key is dead in a split screen%s of %s" % (side and ", other side,", os.path.basename(path)), functools.partial(dead_keys, names),
                       path, 80, 24, ["key 2 |" + side] + script)


def beside_names(explorer, path):
    """On a side of a split screen names of tracks and threads keep twelve letters, if they have more."""
    for keys in ("key g c X |", "key g l |"):
        side = [line[:39] for line in explorer.frames(path, 80, 24, [keys, "frame"])[0][3:]]
        axis = next(i for i, line in enumerate(side) if re.match(" +[-|]", line))
        x = len(side[axis]) - len(side[axis].lstrip())
        names = [line[:x].strip() for line in side[axis + 1:] if line[:x].strip() and line[x:].strip()]
        yield from ["%s: %s" % (keys, name) for name in names if "~" in name and len(name) < 12]
        yield from ["%s: no names" % keys] * (len(names) < 2)


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


# ---- letters of panes, and the keys of README ------------------------------------------------------------

REFUSED = re.compile("does nothing|nothing to|no pane|works in|needs ")


def letters(explorer, path):
    """Each letter that g shows is of one pane, and goes there."""
    tabs = explorer.frames(path, 200, 24, ["key g", "frame"])[0][1]
    pairs = re.findall("(?:^| )([a-z]) ([A-Z][A-Za-z]*(?: [a-z]{2,})?)", tabs)
    known.update(dict((name, letter) for letter, name in pairs))
    yield from ["no letters: " + tabs] * (len(pairs) < 4)
    yield from ["%s has two letters" % name for letter, name in pairs if known[name] != letter]
    yield from ["several panes have %s" % letter for letter in {letter for letter, _ in pairs} if [p[0] for p in pairs].count(letter) > 1]
    yield from ["no letter: " + name for name in re.findall("[0-9] ([A-Z][A-Za-z]*(?: [a-z]{2,})?)", tabs)]
    frames = explorer.frames(path, 40, 24, [line for letter, _ in pairs for line in ("key g %s" % letter, "frame")])
    for (letter, name), frame in zip(pairs, frames):
        if not re.match(r"\[\d+/\d+ %s\]" % name, frame[1]):
            yield "g %s: %s" % (letter, frame[1])


known = {}


def cut_labels(explorer, folder):
    """At 80 columns at most 15 % of the labels of icicles are cut."""
    cut = labels = 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".gz"):
            continue
        frame = explorer.frames(os.path.join(folder, name), 80, 24, ["key g i", "frame"])[0]
        boxes = [box.strip() for line in frame[3:21] for box in line.split("|")] if "Icicle" in frame[1] else []
        boxes = [box for box in boxes if re.search("[A-Za-z]", box)]
        labels += len(boxes)
        cut += sum("~" in box for box in boxes)
    if labels < 100 or cut * 100 > labels * 15:
        yield "%d of %d labels are cut" % (cut, labels)


# Columns that name the rows of a list, the first that a pane has.
NAMING = "object name method function class payee counter title pool path holder thread line jank field word".split()


def cut_names(explorer, path):
    """At 80 columns no name is cut while a column other than it and the one of the order is shown.  Packages may be dropped from the front."""
    tabs = explorer.frames(path, 200, 24, ["key g", "frame"])[0][1]
    letters = re.findall("(?:^| )([a-z]) ([A-Z][A-Za-z]*)", tabs)
    lists = 0
    for (_, pane), frame in zip(letters, explorer.frames(path, 80, 24, [line for key, _ in letters for line in ("key g %s" % key, "frame")])):
        heads = [(y, re.findall(r"(?:^|(?<=  ))[a-z_%]+[v^]?(?=  | ?>?$)", line)) for y, line in enumerate(frame[2:5], 2)]
        y, head = next(((y, head) for y, head in heads if len(head) > 1), (0, []))
        name = next((n for n in NAMING for h in head if h.rstrip("v^") == n or h == n), None)
        if name is None or any("|" in line for line in frame[y + 1:y + 3]):
            continue
        lists += 1
        others = [h for h in head if not h.startswith(name) and not h.endswith(("v", "^"))]
        x = re.search(r"(?:^|  )(%s)" % name, frame[y]).start(1)
        cells = [re.sub("\\(~\\)$", "()", re.split("  +", line[x:])[0]) for line in frame[y + 1:-2] if line[x:x + 1].strip()]
        yield from ("%s: %s" % (pane, cell) for cell in cells if others and "~" in cell[len(cell) // 2:] and len(cell) < 60)
    if lists < 2:
        yield "%d lists" % lists


def readme(explorer, srcdir):
    """The keys of the tables of README do something in each demo of their kind."""
    demos = ["demo.trace.gz clock.trace.gz", "demo.hprof.gz phone.hprof.gz", "sched.txt.gz recipes.pftrace.gz"]
    with open(os.path.join(srcdir, "README.md"), encoding="utf-8") as f:
        tables = re.findall(r"(?m)^\| press \| to see \|\n(?:\|.*\n)+", f.read())
    yield from ["%d tables" % len(tables)] * (len(tables) != len(demos))
    for table, names in zip(tables, demos):
        keys = [re.findall("`([^`]+)`", row.split("|")[1]) for row in table.splitlines()[2:]]
        script = ["key Esc"] + [line for row in keys if row for line in ("key " + " ".join(row), "frame")]
        yield from ["few keys: %s" % keys] * (sum(map(len, keys)) < 4)
        for name in names.split():
            for row, frame in zip(filter(None, keys), explorer.frames(os.path.join(srcdir, "demo", name), 120, 40, script)):
                yield from ["%s in %s: %s" % (row, name, line) for line in frame[-4:-1] if REFUSED.search(line)]


# ---- addresses --------------------------------------------------------------------------------------------


def addresses(explorer, folder):
    """The address that Y copies opens what was shown; others are refused."""
    places = [("demo.trace.gz", ["key g m"]), ("phone.hprof.gz", ["key g b"]),
              ("demo.trace.gz", ["key :", "type methods | where self > 3ms | sort name", "key Enter", "key c"]), ("sched.txt.gz", ["key g k"])]
    for name, keys in places:
        before, after = explorer.frames(os.path.join(folder, name), 400, 30, keys + ["frame", "key Y", "frame"])
        address = re.search(r"OSC 52\): (icecore://[^ ]+)", " ".join(after))
        there = explorer.frames(address.group(1), 400, 30, ["frame"])[0] if address else []
        # The bytes of a query are those of the pane, not its filters.
        if len(there) < 30 or sorted(there[4:25]) != sorted(before[4:25]):
            yield "%s %s: %s" % (name, keys, address and address.group(1))
    yield from page_addresses(explorer, folder)
    for wrong in ("?q=bitmaps%20%7C%20png%20/tmp/x", "?pane=Nothing", "?index=/tmp", "?q=%zz", "?q=nosuch"):
        answer = explorer.program.run(["icecore://" + os.path.join(folder, "phone.hprof.gz") + wrong])
        if answer.code != 2 or not answer.err:
            yield "%s: %d %s" % (wrong, answer.code, answer.err)
    # The path of an address is no option, however it is written.
    for path in "-eschema", "%2deschema", "%2d%2dversion", "--version", "-", "%2d":
        answer = explorer.program.run(["icecore://%s?q=info" % path])
        if answer.code != 4 or answer.out or "No such file" not in answer.err:
            yield "%s: %d %s %s" % (path, answer.code, answer.err, answer.out[:80])


def hostile(explorer, scratch):
    """Names of a file reach the screen only without marks that turn the text around, in errors too."""
    path = os.path.join(scratch, "turned.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"a\u202eb":"v","n":1}\n{"a\u202eb":"w","n":2}\n')
    for frame in explorer.frames(path, 80, 24, ["frame", "key 3 Enter", "frame", "key Enter", "frame"]):
        yield from [line for line in frame if "\u202e" in line]


def page_addresses(explorer, folder):
    """Each address on a page, in the folder of the file, opens the rows that the command beside it prints."""
    name = "shop.jfr.gz"
    page = html.unescape(explorer.program.run(["--no-index", "--report", "-o", "html", os.path.join(folder, name)]).out)
    places = re.findall(r"<summary>Full list</summary><code>icecore .*?-e (?:'([^']*)'|(\S+)) FILE, in the explorer: icecore 'icecore://%s([?][^']*)'" % re.escape(name), page)
    if len(places) < 5 or len(places) != page.count("<summary>Full list<"):
        yield "%d addresses on a page" % len(places)
    for quoted, word, query in places:
        there = explorer.frames("icecore://" + os.path.join(folder, name) + query, 200, 30, ["frame"])[0]
        row = explorer.program.ask(os.path.join(folder, name), (quoted or word) + " | head 1", options=["--no-index"]).out.split("\n")[1].split("\t")
        texts = [v for v in row if re.match(r"[A-Za-z_][\w.$]{3,}", v)]
        if texts and not any(t[:12] in " ".join(there) for t in texts):
            yield "%s: %r in %r" % (query, texts, there[:6])


# ---- Enter on a line leads to its subject ------------------------------------------------------------------

# Lines about a whole, not about something with a name.
WHOLES = "heap|largest owner|reachable|unreachable|strings|bitmaps|samples|duration|classes|collections|heap used|longest pause|hottest path|" \
    "transactions|balance|paid|received|accounts|balance check|dumps|states|records|methods|code size|not read|losses|repairs"
COMMON = set("and are was the for all with thread threads calls call instances from than class longer worst samples methods local static classes".split())


def astray(frames):
    """Two frames for each line: the selected row, the status or the head of the pane has a name of the line."""
    label = ""
    for line, there in zip(frames[::2], frames[1::2]):
        row = next((row for row in line if row.startswith(">")), "")
        label = row[2:20].strip() or label
        names = {name.split(".")[-1].split("$")[-1] for name in re.findall(r"[A-Za-z_][\w.$-]{2,}", row[20:])} - COMMON
        shown = " ".join([next((row for row in there if row.startswith(">")), ""), there[48]] + there[2:7])
        if " Enter open" in line[49] and names and not re.fullmatch(WHOLES, label) and not any(name in shown for name in names):
            yield "%s: %s" % (label, row[20:].strip())


def check_subjects(explorer, path):
    lines = [line for line in explorer.frames(path, 120, 50, ["frame"])[0][2:48] if line]
    script = ["key 1\nkey Home\n%sframe\nkey Enter\nframe\nkey Esc Esc" % ("key Down\n" * i) for i in range(len(lines))]
    explorer.check("each line of the overview of %s leads to its subject" % os.path.basename(path), astray, path, 120, 50, script)


def check_story(explorer, path):
    """The sentence is shown whole, in up to three rows, and its rows are one step of the cursor."""
    wanted = explorer.program.ask(path, "overview | where line = story | select subject", options=["--no-index"]).out.split("\n")[1:2]
    before, after = explorer.frames(path, 80, 40, ["key 1", "frame", "key Down", "frame"])
    at = next((i for i, row in enumerate(before) if row.startswith("> story")), None)
    rows = [before[at][20:]] if at is not None else []
    while rows and before[at + len(rows)].startswith(" " * 20) and len(rows) < 3:
        rows.append(before[at + len(rows)][20:])
    # The scroll bar is at the right edge.
    shown = " ".join(row.removesuffix("#").strip() for row in rows)
    if wanted and wanted[0] and not (len(shown) > 150 and wanted[0].startswith(shown[:-3].rstrip(".\u2026"))) and shown != wanted[0]:
        yield "%s: %r, not %r" % (os.path.basename(path), shown, wanted[0])
    if rows and not after[at + len(rows)].startswith(">"):
        yield "%s: Down leads to %r" % (os.path.basename(path), next((row for row in after if row.startswith(">")), ""))


# ---- texts -----------------------------------------------------------------------------------------


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
    for path in sorted(glob.glob(os.path.join(srcdir, "demo", "*.[gj]*"))):
        lines = program.ask(path, "overview | select line", options=["--no-index"]).out.split("\n")[1:]
        yield from sorted({"%s: line %s" % (path, line) for line in lines if len(line) > 16})


def wide_help(program):
    programs = [[p] for p in "compare mcp page ps record redact slice triage watch".split()]
    kinds = [["record", kind] for kind in "heap histogram threads jfr cpu sched offcpu".split()]
    for command in [c + more for c in [[], *programs, *kinds] for more in (["--help"], ["--help", "all"])]:
        lines = manual.said(program, *command).splitlines()
        if command[-1] == "--help" and len(lines) > 24:
            yield "%s: %d lines" % (command, len(lines))
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
        check_split(explorer, path)
    sampled.tell()
    for name in sampled.turns("demo.trace.gz demo.hprof.gz phone.hprof.gz sched.txt.gz recipes.pftrace.gz profile.txt.gz feed.txt.gz money.ofx.gz notes.jar".split()):
        check_ways_back(explorer, os.path.join(srcdir, "demo", name))
    demos = [name for name in sorted(os.listdir(os.path.join(srcdir, "demo"))) if re.search(r"[.](gz|jar)$", name)]
    for name in sampled.turns(demos, 1):
        check_subjects(explorer, os.path.join(srcdir, "demo", name))
    for name in sampled.turns(demos[1:], 1):
        tap.check("letters of the panes of " + name, *letters(explorer, os.path.join(srcdir, "demo", name)))
    for name in sampled.turns(demos[2:], 1):
        tap.check("names in the lists of " + name, *cut_names(explorer, os.path.join(srcdir, "demo", name)))
    for name in ("recipes.pftrace.gz", "sched.txt.gz", "shop.jfr.gz"):
        tap.check("names beside an axis of " + name, *beside_names(explorer, os.path.join(srcdir, "demo", name)))
    tap.check("labels of icicles", *cut_labels(explorer, os.path.join(srcdir, "demo")))
    tap.check("rows of the icicle are those of a slow model", *iciclerows.wrong(explorer, scratch))
    tap.check("stories are shown whole", *(w for path in sorted(glob.glob(os.path.join(srcdir, "demo", "*.gz"))) for w in check_story(explorer, path)))
    tap.check("addresses", *addresses(explorer, os.path.join(srcdir, "demo")))
    tap.check("hostile names of columns", *hostile(explorer, scratch))
    tap.check("keys of README", *readme(explorer, srcdir))
    tap.check("texts of help have at most 60 columns, labels of the Overview 16, hints 10", *wide_texts(program, srcdir))
    tap.check("lines of --help have at most 80 columns, and without all it fits a screen", *wide_help(program))
    lines = manual.said(program, "-o", "table", "-e", "help").splitlines()
    tap.check("the query help fits two screens", len(lines) > 46 and len(lines), *(line for line in lines if len(line) > 80))
    answers.tell_turn(explorer.alone)
    tap.plan()


main(*sys.argv[1:])
