#!/usr/bin/env python3
"""report.py text|ascii|json|order|trace|hops|owner FILE - what must hold of a report, of leak traces as a table, or as JSON lines.

Prints what does not, a line each; the status tells whether there was any.  report.py made PAGE DUMP: what it says
of the bytes of the dump.  report.py odd FILE makes a dump whose leak
trace has names that are wide, long, hostile or joined, and a list of NODES nodes on its way.
"""
import gzip
import hashlib
import json
import os
import re
import sys
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk"))

from heapphone import ANDROID, RECENT, Phone  # noqa: E402

WIDTH = 100
INDENT = 4          # of a reference below the object that has it
NODES = 5000


def columns(text):
    """What a terminal takes for it."""
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


SAMPLE = 1 << 20    # of each end of a large file


def check_made(data, dump):
    """The program, how many bytes the dump has, and the digest of these: what a ticket needs to tell dumps apart."""
    with open(dump, "rb") as f:
        whole = f.read()
    if whole[:2] == b"\x1f\x8b":
        whole = gzip.decompress(whole)
    large = len(whole) > 2 * SAMPLE
    digest = hashlib.sha256(whole[:SAMPLE] + whole[-SAMPLE:] if large else whole).hexdigest()
    if data[:1] == b"{":
        page = json.loads(data.decode("utf-8"))
        told = (page["program"].split()[0], page["bytes"], page["sha256_of_ends"])
        return [] if told == ("icecore", len(whole), digest) else ["made: %r" % (told,)]
    lines = data.decode("utf-8").split("\n")
    number = "{:,}".format(len(whole)).replace(",", " ")
    bad = [] if re.match(r"icecore [0-9.]+\S*; %s bytes( unpacked)?, SHA-256" % number, lines[2]) else ["made: " + lines[2]]
    if ("first and last MiB" in lines[2]) != large:
        bad.append("of what: " + lines[2])
    return bad + ([] if lines[3] == digest else ["digest: %s, should be %s" % (lines[3], digest)])


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
    wrong = [bad for text in texts(report) for bad in bad_characters(text)]
    if "/" in report["file"]:
        wrong.append("the file has a folder")
    heap = "findings" in parts
    for name in ("info", "damage") + (("findings", "leaktraces", "dominators", "classes", "threads") if heap
                                      else ("balance_check", "payees", "calls") if "payees" in parts
                                      else ("calls", "methods", "totals")):
        if not isinstance(parts[name], list):
            wrong.append("no part " + name)
    if not heap:
        return wrong
    heads = {row["finding"] for row in parts["leaktraces"]}
    if heads != {row["finding"] for row in parts["findings"][:20]}:
        wrong.append("the traces are not those of the findings")
    for row in parts["leaktraces"]:
        if row["line"] == "hop" and not (row["object"] and row["class"] and row["status"]):
            wrong.append("a hop lacks something: %r" % row)
    return wrong


# What the headings of parts claim that their rows are sorted by: the first of these that the rows have.
ORDER = {"dominators": ("retained",), "classes": ("retained",), "threads": ("retained", "total", "off_cpu", "calls"),
         "big_bitmaps": ("bytes",), "copies": ("waste",), "strings": ("waste",), "collections": ("waste",),
         "methods": ("self", "self_wall"), "totals": ("total",), "waits": ("max_wait",), "runq": ("max_runq",)}


def check_order(data):
    """The largest stand first; of a scheduler trace the threads with the most CPU time."""
    wrong, checked = [], 0
    for name, rows in json.loads(data.decode("utf-8"))["sections"].items():
        if name not in ORDER or not rows:
            continue
        key = next(k for k in ORDER[name] if k in rows[0])
        key = "cpu" if key == "off_cpu" else key
        values = [float(row[key] or 0) for row in rows]
        checked += 1
        if values != sorted(values, reverse=True):
            wrong.append("%s: not by %s: %r" % (name, key, values))
    return wrong + ([] if checked >= 2 else ["only %d parts" % checked])


def check_hops(data):
    """Each trace goes from a root to the object asked for; its depths have no gap but what a fold stands for."""
    wrong, depth = [], None
    for row in map(json.loads, data.decode("utf-8").splitlines()):
        if row["line"] == "root":
            depth, folded = -1, 0
        elif row["line"] == "fold":
            folded += int(re.sub(r"[^0-9]", "", re.search(r"\.\.\. ([0-9 \u202f]+) (more|steps? above the owner)", row["text"]).group(1)))
        elif row["line"] == "hop":
            if row["depth"] != depth + 1 + folded:
                wrong.append("depth %r behind %r and %r folded" % (row["depth"], depth, folded))
            depth, folded = row["depth"], 0
            last = row
        elif row["line"] in ("empty", "head") and depth is not None and last["object"] != last["target"]:
            wrong.append("a trace of %r ends at %r" % (last["target"], last["object"]))
    if depth is None:
        wrong.append("there is no trace")
    return wrong


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
        above = re.search(r"\.\.\. ([0-9 ]+) steps? above the owner: leaktrace @([0-9]+)$", path[1]["text"])
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
    fields = ["e\u0301te\u0301", "\u6f0f\u308c", "a\x1b[31mb\u202ec", "plain"]
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
        wrong = check_made(data, argv[3])
    elif argv[1] == "order":
        wrong = check_order(data)
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
