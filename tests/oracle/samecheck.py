# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""samecheck.py BUILD SRCDIR SCRATCH - one answer everywhere, as TAP.

Every query that the explorer shows (its key = in each pane, on each clock) and every command that a report shows ("full list") is asked
with -e, and must print the rows of that pane or part of the report.  The queries of a screen are asked in one process.
"""
import os
import re
import shlex
import sys

import answers
import tap

DEMOS = ["clock.trace.gz", "demo.trace.gz", "feed.txt.gz", "profile.txt.gz", "sched.txt.gz", "shop.jfr.gz", "recipes.pftrace.gz", "money.ofx.gz",
         "demo.hprof.gz", "phone.hprof.gz", "notes.jar"]
SIZE = "400x60"
SETS = [[], ["c"], ["c", "c"], ["e"]]         # keys before each round
OPTIONS = {"demo.trace.gz": [["--clock", "wall"]], "profile.txt.gz": [["--event", "page-faults"]], "shop.jfr.gz": [["--event", "alloc"]],
           "phone.hprof.gz": [["--refs", "strong"]]}
DRAWN = "(calls|spans|states|tracks|cpus$|threads$|tasks [|] sort [^|]*$|tasks [|] .* process |dominators|objects @)"
ROWS_LEAST = 20                               # of all panes of a file
KINDS = {"kernel": "k", "JIT": "j", "inlined": "i", "class": "c", "waker": "w", "interpreted": "0", "C1": "1"}   # a list says the word
GLYPHS = re.compile("[▁-█│─·░]")     # cells that a list draws


def frames(program, options, path, keys, scratch):
    script = os.path.join(scratch, "keys")
    with open(script, "w", encoding="utf-8") as f:
        f.write("size %s\n%s" % (SIZE, keys))
    a = program.run(["--no-index", "--keys", script] + options + [path], timeout=240)
    if a.code not in (0, 3):
        raise ValueError("%s: status %d: %s" % (path, a.code, a.err))
    height = int(SIZE.split("x")[1])
    lines = a.out.split("\n")
    return [lines[i:i + height] for i in range(0, len(lines) - 1, height)]


def words(line):
    """The words of a line, without marks, cut texts, what is drawn, and the sign of a growth."""
    return [re.sub(r"^\+(?=\d)", "", KINDS.get(w, w)) for w in re.sub("^[> *]*", "", line).split() if "…" not in w and not GLYPHS.search(w) and w != "›"]


def within(few, many):
    """Whether the others contain these words in that order."""
    rest = iter(many)
    return all(w in rest for w in few)


def rows_wrong(shown, printed):
    """shown: lines of a pane or report; printed: those of the table, its names first."""
    for at, line in enumerate(shown):
        if at + 1 >= len(printed):
            return "row %d is shown only: %s" % (at + 1, line.strip())
        if not within(words(line), words(printed[at + 1])):
            return "row %d:\n  shown   %s\n  printed %s" % (at + 1, " ".join(words(line)), printed[at + 1].strip())
    return None


def pane_lines(frame):
    """The rows of a list: below the line of its names, which is the one above the selected row; without folded ones and other lists."""
    top = next((i for i, line in enumerate(frame) if line.startswith(">")), None)
    if top is None:
        return []
    lines = []
    for line in frame[top:-2]:
        if not line.strip() or re.match(r"──|[> *]*(│|[+][0-9])", line):
            break
        # The scroll bar is at the right edge.
        lines.append(line.rstrip().removesuffix("▐"))
    return lines


def without_picture(line):
    """The Overview draws a picture to the right of its lines, behind blanks."""
    return line[:40] + re.split(r"\s{4,}", line[40:])[0]


def ask(program, options, queries, path):
    """Tables of many queries; each command is what a shell would run."""
    args = ["--no-index", "-o", "table"] + options + sum((["-e", q + " | head 60"] for q in queries), [])
    a = program.run(args + [path], timeout=240, confined=True)
    if a.code not in (0, 1, 3):
        raise ValueError("%s: status %d: %s" % (" ".join(args), a.code, a.err))
    return [part.split("\n") for part in a.out.rstrip("\n").split("\n\n")]


def screen(program, path, options, before, scratch):
    """Return the differences between the panes and their queries."""
    keys = "".join("key %s\n" % k for k in before)
    keys += "".join("key %d\nframe\nkey =\nframe\nkey Esc\n" % n for n in range(1, 10))
    shown = frames(program, options, path, keys, scratch)
    asked = {}
    for pane, prompt in zip(shown[::2], shown[1::2]):
        line = next((x for x in reversed(prompt) if x.strip()), "")
        m = re.match("((?:--[a-z]+ (?:'[^']*'|[^ ]+) )*):([a-z].*?)(?:  .*)?$", line)
        if m:
            asked.setdefault(tuple(shlex.split(m.group(1))), {})[m.group(2)] = pane_lines(pane)
    wrong, compared = [], 0
    for more, panes in asked.items():
        for (query, lines), table in zip(panes.items(), ask(program, list(more), panes, path)):
            # Trees and times are drawn in other ways than as rows.
            if query == "overview":
                lines = [line for line in map(without_picture, lines) if line.strip()]
            bad = None if re.match(DRAWN, query) else rows_wrong(lines, table)
            compared += len(lines) * (re.match(DRAWN, query) is None)
            wrong.append(bad and "icecore %s -e '%s': %s" % (" ".join(more), query, bad))
    return wrong + [compared < ROWS_LEAST and "only %d rows of panes" % compared]


def report(program, path, options):
    """Return the differences between the parts of a report and the commands below them."""
    a = program.run(["--report", "--no-hash", "--no-index"] + options + [path], timeout=240)
    wrong = []
    for part in re.split(r"\n(?=[^\n]+\n-+\n)", a.out)[1:]:
        m = re.search(r"\(full list: icecore ([^)]*(?:\([^)]*\)[^)]*)*) FILE\)", re.sub(r"\n\s+", " ", part))
        rows = part.split("\n\n")[0].split("\n")[2:]
        title = part.split("\n")[0]
        if m is None or not rows or re.match("(Findings|Leak traces|Largest objects|Call tree|Transactions by|Overview)", title):
            continue
        args = shlex.split(m.group(1))
        query = args.pop()
        names = rows[0].split()
        # The part is a choice of columns: those that the query has by the same names, in its order.
        table = program.run(["--no-index", "-o", "table"] + args + ["%s | head 15 | select %s" % (query, " ".join(names)), path], timeout=240)
        if table.code not in (0, 1, 3):
            wrong.append("%s: %s: %s" % (title, query, table.err))
            continue
        bad = rows_wrong([r for r in rows[1:] if not r.startswith("+")], table.out.split("\n"))
        wrong.append(bad and "%s: icecore %s '%s': %s" % (title, " ".join(args), query, bad))
    return wrong


def main():
    build, srcdir, scratch = sys.argv[1:]
    program = answers.program_of(build)
    for name in DEMOS:
        path = os.path.join(srcdir, "demo", name)
        for options in [[]] + OPTIONS.get(name, []):
            for before in SETS if not options and not name.endswith(("hprof.gz", "jar", "ofx.gz")) else [[]]:
                tap.check("%s %s %s: a pane has the rows of its query" % (name, " ".join(options), "".join(before)),
                          *screen(program, path, options, before, scratch))
            tap.check("%s %s: a report has the rows of its commands" % (name, " ".join(options)), *report(program, path, options))
    tap.plan()


main()
