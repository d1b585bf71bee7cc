#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""report.py text|ascii|json|md|order|tree|trace|hops|suspects|owner FILE - what must hold of a report, of --text, of leak traces as a table, or
as JSON lines.

Prints what does not, a line each; the status says whether there was any.  report.py made PAGE FILE [stamp]: what the page says
of the file; asked PAGE FILE: its numbers against the queries that it names; cells TABLE LINES: a table of Markdown against JSON.  report.py odd FILE makes a dump whose leak
trace has names that are wide, long, hostile or joined, and a list of NODES nodes on its way.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import unicodedata
from datetime import datetime, timezone

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk"))

from heapphone import ANDROID, RECENT, Phone  # noqa: E402

WIDTH = 100
INDENT = 4          # of a reference below its object
NODES = 5000


def columns(text):
    """Return the columns that a text takes on a terminal."""
    return sum(0 if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me") else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def bad_characters(text):
    for number, line in enumerate(text.split("\n"), 1):
        for c in line:
            if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs"):
                yield "line %d: U+%04X" % (number, ord(c))


def bad_underlines(lines):
    """A line of ~ stands exactly under the name of a reference."""
    for before, line in zip(lines, lines[1:]):
        if not re.fullmatch(r" +~+", line):
            continue
        name = before[INDENT:]
        at = INDENT
        if name.startswith("static "):
            at += len("static ")
        if before[:INDENT].strip() or line.index("~") != at or len(line) != columns(before):
            yield "not under it: %r %r" % (before, line)


def bad_width(lines):
    for number, line in enumerate(lines, 1):
        if columns(line) > WIDTH:
            yield "line %d has %d columns" % (number, columns(line))


def check_text(data, ascii_only):
    try:
        text = data.decode("ascii" if ascii_only else "utf-8")
    except UnicodeDecodeError as error:
        return [str(error)]
    lines = text.split("\n")
    wrong = list(bad_characters(text)) + list(bad_underlines(lines)) + list(bad_width(lines))
    wrong += ["line %d is blanks" % n for n, line in enumerate(lines, 1) if line.isspace()]
    if not text.endswith("\n") or text.endswith("\n\n"):
        wrong.append("the last line has no end, or is empty")
    parts = ("Findings", "Largest objects by retained size") if "heap dump" in lines[0] else \
        ("Balances and transactions", "Payees by amount") if "bank statements" in lines[0] else \
        ("Call tree by total weight", "Top functions by self weight")
    for title in ("Overview",) + parts + ("Next steps",):
        if title + "\n" + "-" * len(title) + "\n" not in text:
            wrong.append("no part '%s'" % title)
    return wrong


def check_made(data, dump, stamp):
    """The program, name, size and digest of the file: what a ticket needs to tell files apart."""
    with open(dump, "rb") as f:
        whole = f.read()
    name, size, digest = os.path.basename(dump), len(whole), hashlib.sha256(whole).hexdigest()
    time = datetime.fromtimestamp(os.stat(dump).st_mtime, timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC") if stamp else None
    text = data.decode("utf-8")
    if text[:1] == "{":
        page = json.loads(text)
        want = {"name": name, "bytes": size, "sha256": digest, **({"modified": time} if stamp else {})}
        return [] if page["file"] == want and page["tool"]["name"] == "icecore" and page["options"] else [
            "%r %r %r" % (page["tool"], page["file"], page["options"])]
    file = "%s  %s bytes" % (name, "{:,}".format(size).replace(",", " ")) + ("  modified " + time if stamp else "")
    if text[:1] == "#":
        pairs = dict(next(b for b in markdown(text) if b[0] == "table")[1])
    else:
        # The story is a paragraph in front of them.
        facts, lines = re.search(r"^file .*?(?=\n\n)", text, re.M | re.S).group(), []
        for line in facts.split("\n"):
            lines[-1:] = [lines[-1] + " " + line.strip()] if line[:1] == " " else lines[-1:] + [line]
        pairs = dict((line[:13].strip(), line[13:]) for line in lines)
        pairs["tool"] = re.sub(r".* (icecore \S+)$", r"\1", text.split("\n")[0])
    bad = ["%s: %r" % pair for pair in (("file", file), ("sha256", digest)) if pairs.get(pair[0]) != pair[1]]
    return bad + ["no " + k for k in ("format", "options", "losses", "repairs") if not pairs.get(k)] + (
        [] if re.fullmatch(r"icecore \d+[.]\d+[.]\d+(-dev\S*)?", pairs.get("tool", "")) else ["tool: %r" % pairs.get("tool")])


def texts(value):
    """All texts of what JSON has."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(part)


def check_json(data):
    """One object, whose parts agree with each other."""
    report = json.loads(data.decode("utf-8"))
    parts = report["sections"]
    wrong = [bad for text in texts(report) for bad in bad_characters(re.sub("[\t\r\n]", " ", text))]
    if "/" in report["file"]["name"]:
        wrong.append("the file has a folder")
    heap = "findings" in parts
    wrong += ["no " + key for key in ("tool", "file", "options") if not isinstance(report.get(key), dict)]
    for name in ("info", "damage") + (("findings", "leaktraces", "dominators", "classes", "threads") if heap
                                      else ("balance_check", "payees", "calls") if "payees" in parts
                                      else ("calls", "methods", "totals")):
        if not isinstance(parts[name], list):
            wrong.append("no part " + name)
    if not heap:
        return wrong
    heads = {row["finding"] for row in parts["leaktraces"]}
    if heads != {row["finding"] for row in parts["findings"][:15]}:
        wrong.append("the traces are not those of the findings")
    for row in parts["leaktraces"]:
        if row["line"] == "hop" and not (row["object"] and row["class"] and row["status"]):
            wrong.append("a hop lacks something: %r" % row)
    return wrong


# Parts that are not sorted by the amount in their first column: facts, sentences, rows in the order of the file.
UNSORTED = {"info", "damage", "findings", "leaktraces", "dominators", "bugs", "calls", "totals", "new_findings", "gone_findings",
            "balance_check", "source"}
SHRINKING = {"class_decreases", "task_decreases", "method_decreases", "shrunk", "payees"}
MOST = 15


def check_order(data):
    """Rows by falling first amount, 15 at most, none of nothing."""
    wrong, checked = [], 0
    for name, rows in json.loads(data.decode("utf-8"))["sections"].items():
        if name not in ("info", "damage", "findings", "leaktraces") and len(rows) > MOST:
            wrong.append("%s: %d rows" % (name, len(rows)))
        if name == "totals" and rows and "total" in rows[0] or name not in UNSORTED and rows:
            key = "retained" if name == "exhausted" else next(iter(rows[0]))
            values = [float(row[key] or 0) for row in rows]
            checked += 1
            # Totals of several units have no order.
            mixed = len({row.get("unit") for row in rows}) > 1 and key == "total"
            if not mixed and values != sorted(values, reverse=name not in SHRINKING):
                wrong.append("%s: not by %s: %r" % (name, key, values))
    return wrong + ([] if checked >= 2 else ["only %d parts" % checked])


# ---- Markdown: headings, paragraphs, lists, indented code, tables; a reader of what the program may write

PUNCTUATION = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&#8203;": "\u200b"}
# Texts that GitHub and GitLab turn into links to people, issues, merge requests, snippets, epics and pages.
LINKS = re.compile(r"@[^ \u200b]|[#!$&][0-9]|(?i:gh)-[0-9]|(?i:www)\.|://")


def inline(text):
    """The plain text of it; what would be markup or a link is an error."""
    out, i = "", 0
    while i < len(text):
        entity = next((e for e in ENTITIES if text.startswith(e, i)), None)
        if text[i] == "\\" and i + 1 < len(text) and text[i + 1] in PUNCTUATION:
            out, i = out + text[i + 1], i + 2
        elif entity:
            out, i = out + ENTITIES[entity], i + len(entity)
        else:
            word = [bool(re.match(r"\w", text[k])) and text[k] != "_" if 0 <= k < len(text) else False for k in (i - 1, i + 1)]
            if text[i] in "<>&*`[]~|" or (text[i] == "_" and not all(word)):
                raise ValueError("%r at %d of %r" % (text[i], i, text))
            out, i = out + text[i], i + 1
    if LINKS.search(out):
        raise ValueError("a link: %r" % LINKS.search(out))
    return out.replace("\u200b", "")


def cells(line):
    """Those of a line of a table."""
    if not re.fullmatch(r"\|.*[^\\]\|", line) and not re.fullmatch(r"\|.*\\\\\|", line):
        raise ValueError("no line of a table: %r" % line)
    parts, i, at = [], 1, 1
    while i < len(line):
        if line[i] == "\\":
            i += 1
        elif line[i] == "|":
            parts.append(inline(line[at:i].strip(" ")))
            at = i + 1
        i += 1
    return parts


def markdown(text):
    """Blocks: (heading, text), (table, rows), (code, lines), (text, lines)."""
    blocks = []
    for block in re.split(r"\n(?:[ ]*\n)+", text.rstrip("\n")):
        lines = block.lstrip("\n").split("\n")
        if all(re.match(r"    ", line) for line in lines):
            blocks.append(("code", [line[4:] for line in lines]))
        elif re.match(r"#{1,2} ", lines[0]):
            if len(lines) != 1:
                raise ValueError("behind a heading: %r" % lines)
            blocks.append(("heading", inline(lines[0].lstrip("# "))))
        elif lines[0][:1] == "|":
            rows = [cells(line) for line in lines]
            if len(rows) < 2 or any(not re.fullmatch(r"-{3,}:?", c) for c in rows[1]) or len({len(r) for r in rows}) != 1:
                raise ValueError("no table: %r" % lines[:3])
            blocks.append(("table", rows[:1] + rows[2:]))
        else:
            for line in lines:
                inline(re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", line))
            blocks.append(("text", lines))
    return blocks


def check_md(data):
    try:
        blocks = markdown(data.decode("utf-8"))
    except ValueError as error:
        return [str(error)]
    wrong = list(bad_characters(data.decode("utf-8")))
    kinds = [kind for kind, what in blocks]
    wrong += ["two headings: %r" % blocks[i][1] for i in range(1, len(kinds) - 1) if kinds[i] == kinds[i + 1] == "heading"]
    if [k for k in kinds[:3] if k != "text"][:2] != ["heading", "table"] or kinds.count("table") < 2 or blocks[-2] != ("heading", "Next steps"):
        wrong.append("it is %r" % kinds)
    return wrong


def check_cells(data, names):
    """The names in a table are those that JSON has."""
    table = markdown(data.decode("utf-8"))
    if len(table) != 1 or table[0][0] != "table":
        return ["not one table"]
    at = table[0][1][0].index("name")
    shown = [row[at] for row in table[0][1][1:]]
    with open(names, encoding="utf-8") as f:
        want = [json.loads(line)["name"] for line in f]
    return [] if shown == want and len(want) > 3 else ["%r, not %r" % (shown, want)]


# ---- each number is the answer to the query that is named

def check_asked(data, file):
    """The first row of a part stands, with the same cells, in the rows of its full list."""
    wrong, checked = [], 0
    for part in re.split(r"\n(?=[^\n]+\n-+\n)", re.sub(r"(?m)(\(full list:[^)\n]*(?:\([^)\n]*\)[^)\n]*)*)\n +", r"\1 ", data.decode("utf-8")))[1:]:
        lines = part.strip("\n").split("\n")
        query = re.search(r"\(full list: icecore -e '(.*)' FILE\)", part)
        if not query or lines[2][:1] == "+" or lines[0].startswith(("Findings", "Leak", "Call tree", "Transactions by account", "Largest objects", "Balances")):
            continue
        columns = lines[2].split()
        clock = re.search(r"--clock (\w+)", data.decode("utf-8"))
        said = subprocess.run(["./icecore", "--no-index", "-o", "table", *(["--clock", clock[1]] if clock else []), "-e",
                               query[1] + " | head 1 | select " + " ".join(columns), file], stdout=subprocess.PIPE, check=True)
        rows = said.stdout.decode("utf-8").split("\n")
        checked += 1
        if rows[1].split() != lines[3].split() and "…" not in lines[3]:
            wrong.append("%s: %r, but %r" % (lines[0], lines[3], rows[1]))
    return wrong + ([] if checked >= 2 else ["only %d parts" % checked])


def check_tree(data):
    """Children are below their callers, by falling weight."""
    last, wrong = [], []
    for line in data.decode("utf-8").rstrip("\n").rsplit("\n\n", 1)[1].split("\n"):
        share, rest = re.fullmatch(r" *([0-9.]+)% +[0-9.]+ \w+( +.*)", line).groups()
        depth = len(rest) - len(rest.lstrip(" ")) - 1
        if depth > len(last) or (depth < len(last) and float(share) > last[depth]):
            wrong.append(line)
        last = last[:depth] + [float(share)]
    return wrong


def check_hops(data):
    """Each trace goes from a root to the object asked for; its depths have no gap except folds and the parts of collections."""
    wrong, depth, last = [], None, None
    for row in map(json.loads, data.decode("utf-8").splitlines()):
        if row["line"] == "root":
            depth, folded = -1, 0
        elif row["line"] == "fold":
            folded += int(re.sub(r"[^0-9]", "", re.search(r"\.\.\. ([0-9 \u202f]+) (more|steps? above the owner)", row["text"]).group(1)))
        elif row["line"] == "hop":
            inside = last is not None and row["field"].startswith("[") and re.match(r"(java|android)\.util\.[\w.]+$", last["class"])
            if row["depth"] != depth + 1 + folded and not (inside and row["depth"] > depth + 1 + folded):
                wrong.append("depth %r behind %r and %r folded" % (row["depth"], depth, folded))
            depth, folded = row["depth"], 0
            last = row
        elif row["line"] in ("empty", "head") and depth is not None and last["object"] != last["target"]:
            wrong.append("a trace of %r ends at %r" % (last["target"], last["object"]))
    if depth is None:
        wrong.append("there is no trace")
    return wrong


def check_suspects(data):
    """The trace of each finding underlines a reference, or says why it does not; never both."""
    traces = {}
    for row in map(json.loads, data.decode("utf-8").splitlines()):
        traces.setdefault(row["finding"], []).append(row)
    wrong = []
    for number, rows in traces.items():
        lines = sum(row["line"] == "underline" for row in rows)
        said = sum(row["line"] == "note" and row["text"].startswith("no suspect reference: ") for row in rows)
        if bool(lines) == bool(said) or said > 1:
            wrong.append("finding %s: %d underlines, %d reasons" % (number, lines, said))
    return wrong if traces else ["no trace"]


def check_owner(data):
    """A trace that has an owner begins with it: what is above is counted, and its reference is underlined."""
    wrong, traces = [], {}
    for row in map(json.loads, data.decode("utf-8").splitlines()):
        traces.setdefault(row["finding"], []).append(row)
    owned = 0
    for number, rows in traces.items():
        marks = [i for i, r in enumerate(rows) if "(the owner" in r["text"]]
        path = [r for r in rows if r["line"] in ("root", "fold", "hop", "reference", "underline")]
        if not marks:
            wrong += ["%s: steps without an owner" % number for r in rows if "above the owner" in r["text"]]
            continue
        owned += 1
        above = re.search(r"\.\.\. ([0-9 ]+) steps? above the owner omitted: see leaktrace @([0-9]+)$", path[1]["text"])
        first = path[2 if above else 1]
        if len(marks) != 1 or first["line"] != "hop" or first["object"] != first["target"]:
            wrong.append("%s does not begin with its owner: %r" % (number, first))
        if (int(above[1].replace(" ", "")), int(above[2])) != (first["depth"], first["object"]) if above else first["depth"]:
            wrong.append("%s: %r is above %r" % (number, path[1]["text"], first))
        if [r["line"] for r in path[3 if above else 2:][:2]] != ["reference", "underline"]:
            wrong.append("%s: what the owner holds is not underlined" % number)
    return wrong if owned else ["no trace has an owner"]


def odd_dump():
    p = Phone(ANDROID + RECENT)
    long_name = "com.example." + "very.long." * 15 + "Name"
    fields = ["e\u0301te\u0301", "\u6f0f\u308c", "a\x1b[31mb\u202ec", "plain", "@alice", "acme/shop#12"]
    p.app("com.example.Leaky", "android.app.Activity")
    p.app("com.example.Node", fields="next")
    at = p.obj("com.example.Leaky", mDestroyed=True)
    for _ in range(NODES):
        at = p.obj("com.example.Node", next=at)
    for i, field in enumerate(fields):
        name = "%s%d" % (long_name, i)
        p.app(name, fields=field)
        at = p.obj(name, **{field: at})
    p.app("com.example.\u6f22\u5b57", **{"\u30ea\u30fc\u30af\U0001f4a7": at})
    return p.built()


def main(argv):
    if argv[1] == "odd":
        with open(argv[2], "wb") as f:
            f.write(odd_dump())
        return 0
    with open(argv[2], "rb") as f:
        data = f.read()
    if argv[1] == "json":
        wrong = check_json(data)
    elif argv[1] == "made":
        wrong = check_made(data, argv[3], len(argv) > 4)
    elif argv[1] == "order":
        wrong = check_order(data)
    elif argv[1] == "md":
        wrong = check_md(data)
    elif argv[1] == "cells":
        wrong = check_cells(data, argv[3])
    elif argv[1] == "asked":
        wrong = check_asked(data, argv[3])
    elif argv[1] == "tree":
        wrong = check_tree(data)
    elif argv[1] == "suspects":
        wrong = check_suspects(data)
    elif argv[1] == "owner":
        wrong = check_owner(data)
    elif argv[1] == "hops":
        wrong = check_hops(data)
    elif argv[1] == "trace":
        text = data.decode("utf-8")
        lines = text.split("\n")
        wrong = list(bad_characters(text)) + list(bad_underlines(lines))
        if "~" not in text:
            wrong.append("nothing is underlined")
    else:
        wrong = check_text(data, argv[1] == "ascii")
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
