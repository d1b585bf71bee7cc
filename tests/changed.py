#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""changed.py SOURCES BASE - runs the tests that a change since the commit BASE can break, in the plain build that it is started in.
changed.py --list SOURCES BASE - prints them.

A source file of src/ runs the tests of its row in tests/map.tsv, which make map writes; one that is not in there yet, those of its
folder; and CHECKS, which read all sources.  A test that make map has not run yet runs for the files of tests/models.tsv.  A change
of a header or of a table, which have no code of their own, runs the tests of the sources that use the names that the changed lines
declare.  Tests that ask each row of a table are named in the comment above the table, or above the type of its rows: "Tests of its
rows: NAME NAME."  Any other file runs the tests that name it or its folder, directly or by way of other files of tests/.  A file that
nothing is known of runs all tests.
"""
import fnmatch
import functools
import glob
import os
import re
import subprocess
import sys

SOURCE = re.compile(r"(?:src|include)/.*\.[ch]$")
WORDS = set("bool break case char const double else enum extern false for if inline int long return short signed size_t sizeof static struct "
            "switch true NULL typedef union unsigned void while int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t ssize_t off_t FILE".split())
GENERIC = 12        # a word in more rows of a table says nothing about one of them
CHECKS = ["tests/style.sh", "tests/layers.sh", "tests/plain.test"]
LISTS = re.compile(r"(?m)^(\w+)_scripts = ((?:.*\\\n)*.*)")
ROWS = re.compile(r"/\*((?:(?!\*/).)*?)Tests\s[\s*]*of\s[\s*]*its\s[\s*]*rows:\s([\w\s*/]+)\.\s*\*/\s*(?:#\s*define (\w+)|(struct \w+) \{|[^;{}]*?(\w+)\[\])", re.S)
PATH = re.compile(r"(?<![\w.])(?:srcdir/|top_srcdir/)?((?:[\w.*-]+/)+[\w.*-]*)")


def git(sources, *words):
    return subprocess.run(["git", "-C", sources, *words], stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace").splitlines()


def found(sources, pattern):
    return [os.path.relpath(p, sources) for p in glob.glob(os.path.join(sources, pattern), recursive=True)]


def read(sources, path):
    """The text of a file; nothing if it is gone."""
    path = os.path.join(sources, path)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


# ---- what changed


def difference(sources, *commits):
    """By file: its changed lines, (number, text); -number: the line that stood before this one is gone."""
    changes, old, at = {}, None, 0
    for line in git(sources, "diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames", *commits):
        if line.startswith("--- "):
            old = line[6:] if line[4:] != "/dev/null" else None
        elif line.startswith("+++ "):
            lines = changes.setdefault(line[6:] if line[4:] != "/dev/null" else old, [])
        elif line.startswith("@@"):
            at = int(re.search(r"\+(\d+)", line).group(1))
        elif line.startswith("Binary files"):
            changes.setdefault(line.split(" and b/")[-1].rsplit(" differ", 1)[0], [])
        elif line[:1] in ("-", "+") and old != "":
            lines.append((at if line[0] == "+" else -at, line[1:]))
            at += line[0] == "+"
    return changes


def changed_files(sources, base):
    """The differences from BASE; if there are none, those of the last commit."""
    changes = difference(sources, base)
    changes.update((path, None) for path in git(sources, "ls-files", "--others", "--exclude-standard"))
    return changes or difference(sources, base + "~", base)


# ---- the tables


def table(sources, name):
    """Rows of a table: (first column, words of the second one)."""
    rows = [line.split("\t") for line in read(sources, name).splitlines() if line and not line.startswith("#")]
    return [(row[0], tuple(row[1].split())) for row in rows]


def full(name):
    return "tests/" + name


class Tree:
    def __init__(self, sources):
        self.sources = sources
        self.map = {path: [full(t) for t in tests] for path, tests in table(sources, "tests/map.tsv")}
        self.models = dict(table(sources, "tests/models.tsv"))
        self.files = [p for p in found(sources, "src/**/*.[ch]") + found(sources, "include/**/*.h")]

    @functools.lru_cache(None)
    def tests(self, name=r"\w+"):
        """All tests: those of the lists of Makefile.am, or of one of them, and the unit tests."""
        lists = " ".join(tests for list_name, tests in LISTS.findall(read(self.sources, "Makefile.am")) if re.fullmatch(name, list_name))
        return sorted(set(re.findall(r"tests/[\w/]+\.(?:test|sh)", lists)) | {p[:-2] for p in found(self.sources, "tests/unit/*.c")})

    @functools.lru_cache(None)
    def new(self):
        """Tests that make map has not run."""
        return set(self.tests()) - {t for tests in self.map.values() for t in tests}

    @functools.lru_cache(None)
    def of_rows(self):
        """Tests by the macro, the variable or the type whose comment names them."""
        rows, by_name = {}, {re.sub(r"^tests/|\.\w+$", "", t): t for t in self.tests()}
        for path in self.files:
            for _, names, *things in ROWS.findall(read(self.sources, path)):
                rows[next(filter(None, things))] = [by_name[name] for name in names.replace("*", " ").split()]
        return rows

    @functools.lru_cache(None)
    def text(self, path):
        """A source without comments, with the same lines; a macro goes on behind a comment of several lines."""
        return re.sub(r"/\*.*?\*/(?= *(\\\n)?)", lambda m: re.sub(r"[^\n]", " ", m[0]).replace("\n", m[1] or "\n"), read(self.sources, path), flags=re.S)

    @functools.lru_cache(None)
    def words(self, path):
        """The names in a source."""
        return set(re.findall(r"\b[A-Za-z_]\w+\b", self.text(path)))

    @functools.lru_cache(None)
    def pasted(self, path):
        """The names in a source that macros make: LOSS_GZIP of FACT_LOSS_GZIP."""
        return {n.split("_", 1)[1] for n in self.words(path) if n.isupper() and "_" in n}

    @functools.lru_cache(None)
    def includers(self, header):
        """The sources that include a header, directly or by way of other headers; the compiler's own lists need a build."""
        users, new = set(), {header}
        while new:
            names = {os.path.basename(h) for h in new}
            new = {p for p in self.files if p not in users and names & self.included(p)}
            users |= new
        return users

    @functools.lru_cache(None)
    def included(self, path):
        return {os.path.basename(name) for name in re.findall(r'(?m)^[ \t]*#[ \t]*include "([^"]+)"', read(self.sources, path))}

    # ---- names

    def declared(self, path, lines):
        """The names that changed lines of a header or a table declare, and the macro or variable that contains them; "*" if they declare
        none that says which sources use them."""
        text, names = self.text(path).split("\n"), set()
        body = "\n".join(text)
        for number, line in lines:
            now = 0 < number <= len(text)
            row = re.sub(r'"(?:\\.|[^"\\])*"', '""', text[number - 1] if now else re.sub(r"/\*.*?(\*/|$)|^\s*\*.*", "", line))
            if not re.search(r"\w", re.sub(r"#\s*(include|if|else|endif|error).*", "", row)):
                continue
            around, kind, _ = self.around(text, number) if now else ("", "", "")
            own = {around}
            if kind != "function":
                own |= set(re.findall(r"^\s*#\s*define\s+(\w+)|\b([a-z_]\w+)\(|\b(?:struct|union|enum)\s+(\w+)\s*\{", row))
                own |= set(re.findall(r"(\w+)\s*(?:\[[^]]*\])?\s*(?::\s*\d+)?\s*[;,]|^\s*([A-Z]\w+),?\s*(?:=.*)?$", row))
                own |= set(re.findall(r"\b[A-Za-z_]\w{2,}\b", row.split("(", 1)[1] if re.match(r"\s*[A-Z]\w*\(", row) else ""))
            own = {n for name in own for n in (name if isinstance(name, tuple) else (name,)) if re.match(r"[A-Za-z_]", n) and n not in WORDS}
            own = {n for n in own if n == around or len(re.findall(r"\b%s\b" % n, body)) <= GENERIC}
            names |= own or ({"*"} if now else set())
        return names

    @staticmethod
    def around(text, number):
        """(name, kind, type of the rows): the macro, the function or the variable that contains a line."""
        at = number - 1
        while at > 0 and text[at - 1].endswith("\\"):
            at -= 1
        m = re.match(r"\s*#\s*define\s+(\w+)", text[at])
        if m:
            return m[1], "macro", ""
        at -= at > 0 and text[at][:1] == "}"
        while at > 0 and (text[at][:1] in ("", "\t", " ", "{", "#") or text[at].startswith("},")):
            at -= 1
        m = re.match(r"([a-z]\w*)\(|(?:.*?\b(struct \w+))?.*?(\w+)(?:\[[^]]*\])* =", text[at])
        if not m or text[at][0] == "}":
            return "", "", ""
        return m[1] or m[3], "function" if m[1] and at < number - 1 else "", m[2] or ""

    def users(self, path, names):
        """Sources that use names of a file, directly or by way of macros of other headers."""
        near = [p for p in self.files if p.endswith(".c") and os.path.dirname(p) == os.path.dirname(path)]
        around = self.includers(path) | set(near) if path.endswith(".h") else set(self.files)
        if "*" in names:
            return around
        own = set(re.findall(r"#define (\w+)", self.text(path))) if path.endswith(".c") else set()
        users, known = set(), set(own)
        while names - known:
            new = names - known
            known |= names
            hits = {p for p in around if p not in users and p != path and (self.words(p) | (self.pasted(p) if path.endswith(".h") else set())) & new}
            users |= hits
            for header in (p for p in hits if p.endswith(".h")):
                text = self.text(header).split("\n")
                for i, line in enumerate(text):
                    if new & set(re.findall(r"\w+", line)) and line.endswith("\\"):
                        names = names | {self.around(text, i + 1)[0]} - {""}
        # Macros put a name together.
        return users or (around if names - own and path.endswith(".h") else users)

    # ---- tests

    def of_source(self, path):
        """The tests of a row, or of the rows of the folder; nothing if there are none."""
        rows = [self.map[path]] if path in self.map else [tests for p, tests in self.map.items() if os.path.dirname(p) == os.path.dirname(path)]
        return {t for tests in rows for t in tests}

    def of_change(self, path, lines):
        """(tests, names) of a changed source."""
        names = self.declared(path, lines) if lines is not None else set()
        tests = set(self.map.get(path, ()))
        if path.endswith(".c") and (path in self.map or lines is None):
            return tests or self.of_source(path), names
        for user in self.users(path, names) if lines is not None else self.includers(path):
            tests |= set(self.map.get(user, ()))
        return tests or self.of_source(path), names

    def asked(self, path, lines):
        """The tests that ask each row of the tables that changed; rows of a macro are those of the tables in which it stands; None for
        lines: of all tables of the file."""
        text, tests = self.text(path).split("\n"), set()
        for number in range(1, len(text) + 1) if lines is None else sorted({max(1, min(abs(n), len(text))) for n, _ in lines}):
            name, kind, rows = self.around(text, number)
            places = [i for i, line in enumerate(text) if kind == "macro" and re.search(r"\b%s\b" % name, line)]
            name = "COLUMN_FAMILY" if name.startswith("COLUMNS_") else "FACTS" if name.startswith("FACTS_") else name
            for table in {name, rows, *(self.around(text, i + 1)[2] for i in places)}:
                tests |= set(self.of_rows().get(table, ()))
        return tests

    def since_map(self, path):
        """Tests that make map has not run yet, for the paths that models.tsv gives them."""
        return {t for t in self.new() if path.startswith(self.models.get(t, ()))}


def texts(sources):
    """Files of tests/ that run or use others: path -> text."""
    return {path: read(sources, path) for ending in (".test", ".sh", ".py", ".c", ".h") for path in found(sources, "tests/**/*" + ending)}


def mention(path):
    """How other files name PATH: Python as a module or in quotes, programs by their folder, everything else by the whole name."""
    folder, base = os.path.split(path)
    name, ending = os.path.splitext(base)
    if ending == ".py":
        return r"^\s*(?:import|from) %s\b|/%s\b|[\"']%s[\"']" % (name, re.escape(base), re.escape(base))
    return r"\b%s/%s\b" % (os.path.basename(folder), name) if ending == ".c" else re.escape(base)


def naming(files, paths):
    """PATHS, and files of tests/ that name them, directly or by way of others."""
    known, new = set(paths), set(paths)
    while new:
        pattern = re.compile("|".join(map(mention, sorted(new))), re.MULTILINE)
        new = {p for p, text in files.items() if p not in known and pattern.search(text)}
        known |= new
    return known


@functools.lru_cache(None)
def said(sources, text):
    """The paths of the sources in a text; that of tests/ says nothing."""
    tops = set(os.listdir(sources)) - {"tests"}
    paths = {m.rstrip("/.") for m in PATH.findall(text)} | set(re.findall(r"[\"'/]([\w.]+)(?=[\"'\s])", text))
    return [p for p in paths if p.split("/")[0] in tops or re.match(r"tests/\w", p)]


def reading(sources, files, path):
    """Files of tests/ in which the name of PATH stands, or that of its folder, or a pattern."""
    for name, text in files.items():
        if any(path == t or path.startswith(t + "/") or "*" in t and fnmatch.fnmatchcase(path, t) for t in said(sources, text)):
            yield name


def select(sources, changes):
    """The tests that changes can break: {file: its changed lines, or None for all of it}."""
    tree, tests, own = Tree(sources), set(), texts(sources)
    for path, lines in changes.items():
        if SOURCE.match(path):
            more = tree.of_change(path, lines)[0]
            tests |= tree.asked(path, lines) | tree.since_map(path)
        else:
            more = {t for p in naming(own, {path} if path in own else set(reading(sources, own, path))) for t in (p, p.rsplit(".", 1)[0])} & set(tree.tests())
        if not more:
            return tree.tests()
        tests |= more | set(CHECKS)
    return sorted(tests)


def wrong(sources):
    """The errors of the tables: sources without a test, rows without a test, paths that do not exist."""
    tree = Tree(sources)
    code = [p for p in tree.files if p.endswith(".c")]
    new = [p for p in code if p not in tree.map]
    return ["no such test: " + t for t in sorted({t for tests in tree.map.values() for t in tests} | set(tree.models)) if not found(sources, t + "*")] + \
        ["no test runs " + p for p in code if not tree.of_source(p)] + \
        ["make map, or tests/models.tsv: no source runs " + t for t in tree.tests("functional") if t in tree.new() and t not in tree.models] + \
        ["make map: not in tests/map.tsv: " + p for p in new if len(new) * 20 > len(code)] + \
        ["no such path: " + p for paths in tree.models.values() for p in paths if not found(sources, p.replace("*", "**/*") + "*")]


def main(sources, base, *more):
    if sources == "--list":
        print(" ".join(select(base, changed_files(base, *more))))
        return 0
    changes = changed_files(sources, base)
    print("changed: " + " ".join(changes))
    tests = select(sources, changes)
    print(" ".join(tests), flush=True)
    return subprocess.run(["make", "--no-print-directory", "-s", "-j", str((os.cpu_count() or 1) + 1), "test", "TESTS=" + " ".join(tests)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
