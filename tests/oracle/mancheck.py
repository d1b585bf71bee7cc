# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mancheck.py BUILD SRCDIR SCRATCH - the manual is well formed and not too long, names everything that the tables of the program hold,
and its examples run, as TAP.

The program itself lists what exists (manual.py).  Each example must have rows on its file, that of a command on one of those that it
is for.
"""
import os
import re
import shutil
import subprocess
import sys

import answers
import manual
import tap

REQUIRED = os.environ.get("REQUIRE_ALL") == "1"


def lint(page):
    name, mandoc = os.path.basename(page) + " passes lint", os.environ.get("MANDOC", "mandoc")
    if mandoc and shutil.which(mandoc):
        p = subprocess.run([mandoc, "-T", "lint", "-W", "warning", page], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        tap.check(name, p.returncode and "status %d\n%s" % (p.returncode, p.stdout.decode(errors="replace")))
    elif REQUIRED:
        tap.check(name, "mandoc is needed")
    else:
        tap.skip(name, "no mandoc")


class Page:
    """A page of the manual, or all pages that match a name."""
    def __init__(self, srcdir, name):
        self.name, self.lines = name, []
        for page in manual.pages(srcdir, name):
            with open(page, encoding="utf-8") as f:
                self.lines += f.read().splitlines()

    def part(self, first, last):
        """The lines from one that begins with a text to one that begins with another."""
        start = next(i for i, line in enumerate(self.lines) if line.startswith(first))
        return self.lines[start:next(i for i, line in enumerate(self.lines) if i > start and line.startswith(last)) + 1]

    def names(self, what, words, *macros):
        """Each word is a tag, or is in a line of a macro."""
        tags = {manual.plain(word) for line in self.lines for macro in ("It", *macros) if line.startswith(".%s " % macro)
                for part in (re.split(" , ", line[len(macro) + 2:]), line[len(macro) + 2:].split(" ")) for word in part}
        tap.check(what, not words and "nothing to find", *("not in %s: %s" % (self.name, word) for word in sorted(set(words) - tags)))


def option_names(program, *command):
    return re.findall(r"(?m)^  -([a-z-]*)", manual.said(program, *command, "--help", "all"))


def vocabulary(program, srcdir, told):
    """Options, formats, commands, columns, findings and keys."""
    main, query = Page(srcdir, "icecore.1"), Page(srcdir, manual.QUERIES)
    main.names("every option is documented", option_names(program))
    for command in ("mcp", "redact", "slice", "triage", "watch"):
        page = Page(srcdir, "icecore-%s.1" % ("triage" if command == "watch" else command))
        page.names("every option of %s is documented" % command, option_names(program, command))
    formats = [re.split(", | or ", re.search(r".*\((.*)\)", line).group(1)) for line in manual.options(program, srcdir)
               if line.startswith("  -o ")]
    query.names("every output format is documented", sum(formats, []))
    query.names("every command is documented", told.items("source", "stage", "sink"))
    query.names("every column is documented", told.items("column", "hidden") - {"FIELD"}, "Cm")
    there = sorted(manual.said(program, "-o", "tsv", "-e", "help findings | where kind = finding | select item").splitlines()[1:])
    heap = Page(srcdir, "icecore-heap.7")
    kinds = heap.part(".Ss Kinds of findings", ".Ss Fields") + Page(srcdir, "icecore-stacks.7").part(".Ss Findings", ".Sh PANES")
    said = sorted(line[4:] for line in kinds if line.startswith(".It "))
    tap.check("the manual has the kinds of findings that there are, and no others", not there and "no kinds", *set(there) ^ set(said),
              there != said and "some twice")
    rc, listed = Page(srcdir, "icecorerc.5"), manual.said(program, "--list-config")
    there = {re.sub(r"^(columns|colour)\..*", r"\1.", key) for key in re.findall(r"(?m)^#?([a-z][\w.]*) =", listed)}
    named = {line.split()[2] for line in rc.part(".Ss Keys", ".Sh FILES") if line.startswith(".It ")}
    tap.check("the keys of the configuration are those of the manual", *there ^ named, len(there) < 8 and "only %d" % len(there))
    rc.names("every colour of the configuration is documented", re.findall(r"(?m)^#colour\.([a-z]+1?) =", listed), "Cm")
    main.names("every key is documented", [row[0] for row in manual.keys(program)])
    main.names("every pane is documented", [row[1] for row in manual.keys(program) if row[1][0].isupper()])
    return main


def items_of(lines):
    """Items of lists: keys, text, and the text before the list."""
    items, heading, listed = [], "", False
    for line in lines:
        if line.startswith(".Bl"):
            listed = True
        elif line.startswith((".El", ".Pp")):
            listed, heading = False, ""
        elif line.startswith(".It "):
            items.append([re.sub(r"^\.It (Ic )?| ,", "", line).split(), "", heading])
        elif listed and items:
            items[-1][1] += line + " "
        else:
            heading += line + " "
    return items


def has(text, word):
    return re.search(r"(?<![A-Za-z])%s(?![A-Za-z])" % re.escape(word), text)


def undocumented(rows, items):
    """A key has a line for each pane: one in whose text the pane is named, or in a list that is about it
    (panes by name, "heap dumps", "lists"), unless that line begins with the panes that it is for.
    Keys that work everywhere are under "In every pane"."""
    everywhere, panes = {row[0] for row in rows if row[1] == "everywhere"}, {row[1] for row in rows}

    def documents(item, key, pane, shapes, kind):
        keys, text, heading = item
        every = has(heading, "every pane")
        if key not in keys:
            return False
        if pane == "everywhere":
            return every
        if has(text, pane) or (kind == "list" and has(text, "lists")):
            return True
        if every:
            return key not in everywhere
        begin, colon, _ = text.partition(": ")
        if colon and set(begin.split(", ")) <= panes:
            return False
        return has(heading, pane) or (shapes == "heaps" and has(heading, "heap dumps")) or (kind == "list" and has(heading, "lists"))

    return ["key %s in %s: %s" % (row[0], row[1], row[5]) for row in rows if not any(documents(item, *row[:4]) for item in items)]


def unbound(rows, lines):
    """Keys of the manual that are not in the table, also not for a pane that a sentence about them begins with."""
    bound, panes, at = {row[0] for row in rows}, {row[1] for row in rows}, {(row[0], row[1]) for row in rows}
    wrong, named = [], 0
    for keys, text in paragraphs(lines):
        wrong += ["no such key: " + key for key in keys if key not in bound]
        for sentence in re.finditer(r"(?:^|[.] )([A-Z][A-Za-z]+(?:, [A-Z][A-Za-z]+)*): ", text):
            names = sentence.group(1).split(", ")
            named += len(names)
            wrong += ["key %s does nothing in %s" % (key, pane) for pane in names for key in keys
                      if pane in panes and (key, pane) not in at and (key, "everywhere") not in at]
    return wrong + ["only %d panes named" % named] * (named < 40)


def paragraphs(lines):
    """Keys and the text about them."""
    keys, text = [], []
    for line in lines:
        if line.startswith((".It", ".El", ".Pp")):
            if keys:
                yield keys, " ".join(text)
            keys, text = [], []
        if line.startswith(".It "):
            keys = re.sub(r"^\.It (Ic )?| ,", "", line).split()
        elif keys:
            text.append(line)


def answered(program, folder, query, ways):
    """Whether an example has rows on one of its files, in a folder where it may write; what is wrong."""
    for files in ways:
        missing = [file for file in files if not os.path.exists(file)]
        if missing and not REQUIRED:
            return tap.skip(query, "no " + missing[0])
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        answer = program.run(["--no-index", "-o", "tsv", "-e", query, *files], cwd=folder, fresh=answers.turn(query, 20))
        if answer.code != 1:
            break
    return tap.check(query, answer.code and "status %d\n%s" % (answer.code, answer.err))


def main(build, srcdir, scratch):
    program = answers.program_of(build)
    for page in manual.pages(srcdir, "*"):
        lint(page)
    told = manual.Manual(program, srcdir)
    page, rows = vocabulary(program, srcdir, told), manual.keys(program)
    lines = [manual.plain(line) for line in page.part(".Ss Keys", ".Ss Prompt")]
    tap.check("every key is documented for each of its panes", *undocumented(rows, items_of(lines)))
    tap.check("every key of the manual is in the table, for each pane that is named", *unbound(rows, lines))
    losses = set()
    for file in ("demo/demo.trace.gz", "demo/demo.hprof.gz", "demo/sched.txt.gz", "demo/profile.txt.gz", "tests/fuzz/corpus/json/marks"):
        losses |= {r["field"] for r in program.ask(told.path(file), "info", options=["--no-index"]).tables()[0].rows}
    losses = [word for word in losses if word.startswith(("repair.", "loss.")) and not word.startswith("loss.reason")]
    Page(srcdir, manual.FORMATS).names("every repair and loss is documented", losses)
    examples = list(told.examples())
    for query, ways in examples:
        answered(program, os.path.join(scratch, "files"), query, ways)
    answers.tell_turn(query for query, _ in examples if answers.turn(query, 20))
    tap.plan()


main(*sys.argv[1:])
