#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""claimscheck.py BUILD SRCDIR SCRATCH - each sentence of the documents that users trust has a row in tests/claims.tsv, as TAP.

A row has the first words of a sentence, and the test that shows it: a file below tests/, unit/NAME without its ending, and behind ": " the
name of a check, or a part of it.  Several are separated by "; ".  -: the sentence explains a word or says how to do something.  none: no test shows it yet.
"""
import functools
import glob
import os
import re
import sys

import tap

FILES = ("README.md", "SECURITY.md", "contrib/serve/README.md", "man/icecore-policy.5", "man/icecore-redact.1")
# A sentence ends with one of these behind a word, and a space; an ellipsis ends none.
END = re.compile(r"(?<=[\w`)\]\"'*>|,%])([.?!][)*]*)(?= )")
# Sentences without a test; the number may only become smaller.
UNSHOWN = 0
# Parts of a manual that make no claims.
QUIET = ("NAME", "SYNOPSIS", "SEE ALSO")
MACROS = ("Ar", "Cm", "Ic", "Li", "Nm", "No", "Pa", "Ql", "Sy")
AROUND = {"Dq": '""', "Op": "[]", "Pq": "()"}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def sentences(text):
    return [s.strip() for s in END.sub(r"\1\n", " ".join(text.split())).split("\n") if s.strip()]


def markdown(text):
    """Paragraphs, items and rows of tables, without headings, code and heads of tables."""
    blocks, rows = [""], 0
    for line in re.sub(r"(?s)<!--.*?-->", "", text).splitlines():
        rows = rows + 1 if line.startswith("|") else 0
        if line.startswith("|"):
            blocks += [line.strip("| ") if rows > 2 else "", ""]
        elif not line.strip() or line.startswith(("#", "    ")):
            blocks.append("")
        elif line.startswith("- "):
            blocks.append(line[2:])
        else:
            blocks[-1] += " " + line
    return blocks


def words_of(line):
    return [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line)]


def plain(words, name):
    """The text of a line of macros."""
    words, text, glue, close = list(words), "", False, ""
    while words:
        word = words.pop(0)
        if word == "Nm" and (not words or not words[0][0].isalpha() or words[0] in (*MACROS, *AROUND, "Fl", "Ta", "Xr")):
            word = name
        elif word == "Xr":
            word = "%s(%s)" % (words.pop(0), words.pop(0))
        elif word == "Fl":
            word = "-" + (words.pop(0) if words else "")
        elif word == "Ta":
            word = "|"
        elif word in AROUND:
            text, glue, close = text + " " + AROUND[word][0], True, AROUND[word][1] + close
            continue
        elif word in MACROS:
            continue
        if not words and len(word) == 1 and word in ".,;:":
            text, close = text + close, ""
        text, glue = text + ("" if glue or word in (".", ",", ";", ":", ")", "?") else " ") + word, word == "("
    return (text + close).strip()


def manual(text):
    """Paragraphs and items, without examples; the tag of an item is at the beginning of its first sentence."""
    blocks, name, quiet, shown, bare = [""], "", False, True, False
    for line in text.replace(r"\-", "-").replace(r"\&", "").splitlines():
        macro, *words = words_of(line[1:]) if line.startswith(".") else ("", line)
        if macro == "Nm" and not name:
            name = words[0].replace("-", " ")
        quiet = " ".join(words) in QUIET if macro == "Sh" else quiet
        shown = macro == "Ed" or shown and macro != "Bd"
        if quiet or not shown or macro in ("Dd", "Dt", "Os", "Nd") or line.startswith(".\\\""):
            continue
        if macro in ("Sh", "Ss", "Pp", "Bl", "El", "Dl", "Bd", "Ed"):
            # A tag with nothing behind it but a list.
            blocks[-1:] = [] if bare and macro == "Bl" else blocks[-1:]
            blocks.append("")
        elif macro == "It":
            row, tag = "Ta" in words, plain(words, name)
            if words[:1] == ["Sy"]:
                continue
            # Tags of which the last one has the text.
            before = blocks.pop()[:-1] + ", " if bare else ""
            blocks.append(before + tag + (":" if tag and not row else ""))
        else:
            blocks[-1] += " " + (plain([macro, *words], name) if macro else line)
        bare = macro == "It" and bool(words) and not row
    return blocks


def claims(path, text):
    """The sentences of a document, without questions."""
    return [s for block in (markdown if path.endswith(".md") else manual)(text) for s in sentences(block) if "?" not in s[-3:]]


class Tests:
    def __init__(self, srcdir):
        self.srcdir = srcdir

    def path(self, name):
        found = [p for p in (os.path.join(self.srcdir, "tests", name), os.path.join(self.srcdir, "tests", name + ".c")) if os.path.isfile(p)]
        return found and found[0]

    @functools.lru_cache(maxsize=None)
    def text(self, path):
        """A script with what it calls, and the modules of those."""
        todo, seen, text = [path], set(), ""
        while todo:
            path = todo.pop()
            if path in seen or not os.path.isfile(path):
                continue
            seen.add(path)
            more = read(path)
            text += more
            if path.endswith(".c"):
                continue
            todo += [os.path.join(self.srcdir, p) for p in re.findall(r"tests/[\w/]+[.](?:py|sh|c|test)", more)]
            todo += [p for names in re.findall(r"(?m)^(?:import|from) (.*)", more) for name in re.findall(r"\w+", names)
                     for p in glob.glob(os.path.join(self.srcdir, "tests", "*", name + ".py"))] if path.endswith(".py") else []
        return text

    def fault(self, test):
        """The reason why a row names no test; "": it names one."""
        if test in ("-", "none"):
            return ""
        for one in test.split("; "):
            name, _, check = one.partition(": ")
            path = self.path(name)
            if not path:
                return "no test %s" % name
            # A name is in quotes, that of a unit test is a function; words are whole.
            quoted = r"(?<!\w)%s(?!\w)" if path.endswith(".c") else r"[\"'].*(?<!\w)%s(?!\w)"
            if check and not re.search(quoted % re.escape(check), self.text(path)):
                return "%s has no check %s" % (name, check)
        return ""


def main(_, srcdir, __):
    rows = [line.split("\t") for line in read(os.path.join(srcdir, "tests", "claims.tsv")).splitlines()[1:]]
    tap.check("rows have a file, a claim and a test", [row for row in rows if len(row) != 3 or not all(row) or row[0] not in FILES])
    rows = [row for row in rows if len(row) == 3]
    for path in FILES:
        said = claims(path, read(os.path.join(srcdir, path)))
        named = [claim for name, claim, _ in rows if name == path]
        tap.check("%s: each sentence has a row" % path, len(said) < 20 and "only %d sentences" % len(said),
                  "\n".join(s for s in said if not any(s.startswith(claim) for claim in named)))
        counts = {claim: sum(s.startswith(claim) for s in said) for claim in named}
        tap.check("%s: each row has its sentence" % path, "\n".join("%s: %d sentences" % row for row in counts.items() if row[1] != 1),
                  len(counts) < len(named) and "%d rows twice" % (len(named) - len(counts)))
    tests = Tests(srcdir)
    tap.check("tests of the rows exist", "\n".join("%s: %s" % (claim, fault) for _, claim, test in rows if (fault := tests.fault(test))))
    unshown = [claim for _, claim, test in rows if test == "none"]
    tap.check("at most %d claims have no test" % UNSHOWN, len(unshown) > UNSHOWN and "\n".join(unshown))
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:])
