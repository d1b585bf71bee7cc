#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""tablecheck.py BUILD SCRATCH - tables against the oracle table.py, as TAP."""
import collections
import csv
import decimal
import json
import os
import random
import re
import sys
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import sampled  # noqa: E402
import table as oracle  # noqa: E402
from check import Tap  # noqa: E402

SEEDS = 240
CUT_MOST = 300               # bytes
FEW = 30                     # records
LOSSES = {"unclosed_quote": "loss.unclosed_quote", "short": "loss.short_records", "long": "loss.long_records",
          "bad_json": "loss.bad_json"}
FACTS = dict(LOSSES, stray_quote="repair.stray_quote", nul="repair.nul", preamble="preamble")
CHARSETS = {"ascii": "ASCII", "utf-8": "UTF-8", "windows-1252": "Windows-1252"}


def attempt(function):
    try:
        return function()
    except (ValueError, KeyError, IndexError, OSError) as e:
        return ["%s: %s" % (type(e).__name__, e)]


PAIRS = json.JSONDecoder(parse_float=Decimal, parse_int=Decimal, object_pairs_hook=lambda pairs: pairs)


def rows_of(text):
    """Objects of JSON, a list an answer."""
    parts = [[]]
    for line in text.split("\n"):
        if line:
            parts[-1].append(PAIRS.decode(line))
        else:
            parts.append([])
    return parts[:-1] if len(parts) > 1 and not parts[-1] else parts


def same_cell(got, want, numbers):
    if got is None:
        return want == ""
    if isinstance(got, bool) or isinstance(got, str):
        # Arrays and deep objects are JSON, unchanged.
        shown = re.sub("[^\t\r\n]+", lambda m: answers.fit(m.group()), want)
        return got == shown or (want[:1] in "[{" and want != "" and json.loads(got) == json.loads(want))
    return any(n is not None and abs(n - got) <= abs(n) * Decimal("1e-11") for n in numbers)


def same_value(got, want):
    return got == want if isinstance(want, Decimal) else same_cell(got, want, ())


class Check:
    def __init__(self, program, path, options=()):
        self.program, self.path, self.options = program, path, list(options)
        self.bad = []
        known = dict(zip(self.options[::2], self.options[1::2]))
        header = {"yes": True, "no": False}.get(known.get("--header"))
        sep = {"tab": "\t"}.get(known.get("--sep"), known.get("--sep"))
        self.names, self.rows, self.facts, self.damage = oracle.load(path, sep, header)
        self.code = (3 if self.rows else 5) if any(self.damage[key] for key in LOSSES) else 0

    def ask(self, *queries, more=()):
        args = ["--no-index", "--as", "table", "-o", "json"] + self.options + list(more)
        a = self.program.run(args + [x for q in queries for x in ("-e", q)] + [self.path])
        return a, rows_of(a.out)

    def same(self, what, got, want):
        if got != want:
            self.bad.append("%s: %r, not %r" % (what, got, want))

    def info(self, a, rows):
        facts = {dict(r)["field"]: dict(r)["value"] for r in rows}
        self.same("columns", int(facts["columns"]), len(self.names))
        self.same("records", int(facts["records"]), len(self.rows))
        for key, fact in FACTS.items():
            self.same(fact, int(facts.get(fact, 0)), self.damage[key])
        if self.facts["kind"] == "csv":
            self.same("separator", facts["separator"], self.facts["sep"])
            self.same("header", facts["header"], self.facts["header"])
        if self.facts["charset"] in CHARSETS:
            self.same("charset", facts["charset"], CHARSETS[self.facts["charset"]])
        self.same("status", a.code, self.code or (0 if self.rows else 1))

    def columns(self, rows):
        got = [tuple(dict(r)[key] for key in ("name", "kind", "form", "empty", "distinct")) for r in rows]
        wanted = list(oracle.columns(self.names, self.rows))
        self.same("columns", got, [(answers.fit(c[0]),) + c[1:5] for c in wanted])
        for r, c in zip(rows, wanted):
            value = [dict(r)[key] for key in ("min", "median", "max", "histogram", "top")]
            # Where words are among few numbers, it is a guess which of them count.
            if not any(all(map(same_value, value, want)) for want in c[5:9 if len(self.rows) < FEW else 6]):
                self.bad.append("values of %s: %r, not %r" % (c[0], value, c[5]))

    def records(self, rows):
        self.same("number of records", len(rows), len(self.rows))
        for got, (line, want) in zip(rows, self.rows):
            self.same("line", got[0], ("line", line))
            for (name, value), text in zip(got[1:], want):
                if not same_cell(value, text, (oracle.number(text, "."), oracle.number(text, ","))):
                    self.bad.append("line %d, %s: %r, not %r" % (line, name, value, text))

    def all(self):
        a, parts = self.ask("info", "columns", "records")
        if len(parts) < 3:
            parts += [[]] * (3 - len(parts))
        if not parts[0]:
            # Only NULs and blanks are not text.
            told = self.code == 5 or "not" in a.err or "empty file" in a.err
            return [] if told and a.code == 5 and not self.rows else ["status %d: %s" % (a.code, a.err)]
        self.info(a, parts[0])
        if self.rows:
            self.columns(parts[1])
            self.records(parts[2])
        return self.bad

    def paths(self, path, weight):
        """path: as oracle.paths takes it."""
        words = ["%d%s" % (c + 1, ":" + how if how.isalpha() else ":split=" + how if how else "") for c, how in path]
        # A number that is a name as well means the name.
        for c, _ in path + ([(weight, "")] if weight is not None else []):
            if oracle.column(self.names, str(c + 1)) != c:
                return self.bad
        want, none = oracle.paths(self.names, self.rows, path, weight)
        more = ["--path", ",".join(words)] + (["--weight", str(weight + 1)] if weight is not None else [])
        signed = any(t[2] for t in want.values())
        queries = ["calls | event %s" % e for e in ("count", "in", "out")] if signed else ["calls"]
        if not want:
            return self.bad
        a, parts = self.ask("info", *queries, more=more)
        if len(parts) != 1 + len(queries):
            self.bad.append("%s: status %d: %s" % (more, a.code, a.err))
            return self.bad
        facts = {dict(r)["field"]: dict(r)["value"] for r in parts[0]}
        self.same("%s: without weight" % more, int(facts.get("repair.no_weight", 0)), none)
        want = {tuple(map(answers.fit, p)): t for p, t in want.items()}
        trees = [self.tree(rows) for rows in parts[1:]]
        if signed:
            self.same("%s: count" % more, trees[0], {p: (t[0], t[0]) for p, t in want.items()})
            for tree, i in ((trees[1], 1), (trees[2], 2)):
                self.same("%s: %s" % (more, "in" if i == 1 else "out"), {p: w for p, (_, w) in tree.items() if w},
                          {p: t[i] for p, t in want.items() if t[i]})
        else:
            self.same("%s" % more, trees[0], {p: (t[0], t[1] if weight is not None else t[0]) for p, t in want.items()})
        return self.bad

    def tree(self, rows):
        """Path to samples that ended there and their weight."""
        path, found = {0: ()}, {}
        for r in map(dict, rows):
            path[r["id"]] = path[r["parent"]] + (r["method"],)
            if r["samples"]:
                found[path[r["id"]]] = (r["samples"], r["self"])
        return found


# ---- files -----------------------------------------------------------------------------------------

WORDS = ["a", "b", "Grocer", "B\xe4ckerei", "x y", " pad ", "", "", "\u20ac", "\u4e2d\u6587", "two\u00a0 words", "1a", "n/a"]
MARKED = ["%d", "%d.5", "%d,25", "-%d", "(%d.00)", "$%d", "%d EUR", "%d-", "1.%03d", "1,%03d", "1.%03d,50", "2 %03d", "%d.0001",
          "\u2212%d", "1'%03d.5", "R$ %d", "%de2", "+%d", " %d ", "-$%d.25", "%d.%d", "%d.5%%", "%d %%"]
DATES = ["2026-%02d-%02d", "%02d.%02d.2026", "2026/%d/%d", "%02d/%02d/2026", "2026%02d%02d", "2026-%02d-%02dT10:11:12Z"]


def value(rnd, kind):
    if kind == "word":
        return rnd.choice(WORDS) + str(rnd.choice(("", "", rnd.randrange(4))))
    if kind == "date":
        return rnd.choice(DATES[:2]) % (rnd.randrange(1, 14), rnd.randrange(1, 30))
    if kind == "path":
        return "/".join(rnd.choice(("", "x", "api", "v1")) for _ in range(rnd.randrange(4)))
    if kind == "int":
        return str(rnd.randrange(-5, 1000))
    form = rnd.choice(MARKED if kind == "any" else MARKED[:4])
    return form % tuple(rnd.randrange(1000) for _ in range(form.replace("%%", "").count("%")))


def field(rnd, text, sep):
    if rnd.random() < 0.15 or any(c in text for c in (sep, "\n", "\r")) or text.startswith('"'):
        return '"' + text.replace('"', '""') + '"'
    return text


def table(rnd):
    sep = rnd.choice(",,;\t|")
    kinds = [rnd.choice(("word", "word", "date", "path", "int", "money", "any")) for _ in range(rnd.randrange(1, 6))]
    lines = []
    if rnd.random() < 0.1:
        lines += ["Exported by a bank", "", "x"]
    if rnd.random() < 0.7:
        lines.append(sep.join(field(rnd, rnd.choice((k, k.title(), k + str(i), "")), sep) for i, k in enumerate(kinds)))
    for _ in range(rnd.randrange(12)):
        cells = [field(rnd, value(rnd, k) + rnd.choice(("",) * 30 + ("\n", '"', sep)), sep) for k in kinds]
        if rnd.random() < 0.03:
            cells.append("more")
        if rnd.random() < 0.03:
            cells.pop()
        lines.append(sep.join(cells))
    text = rnd.choice(("\n", "\n", "\r\n", "\r")).join(lines) + rnd.choice(("", "\n"))
    for _ in range(rnd.choice((0, 0, 0, 1, 2, 5))):
        at = rnd.randrange(len(text) + 1)
        text = text[:at] + rnd.choice(('"', '"', "\0", "\r", "\n", sep, "\xe9", " ")) + text[at + rnd.randrange(2):]
    if rnd.random() < 0.05:
        text = "sep=%s\n" % sep + text
    if rnd.random() < 0.2:
        return text.encode("cp1252", "replace")
    return (b"\xef\xbb\xbf" if rnd.random() < 0.1 else b"") + text.encode()


def thing(rnd, depth=0):
    kind = rnd.randrange(9 if depth < 10 else 6)
    if kind > 6:
        return {rnd.choice(("a", "b", "c.d", "\xe4", "q\"")): thing(rnd, depth + 1) for _ in range(rnd.randrange(3))}
    return (None, True, False, rnd.randrange(1000), "t\n%d" % rnd.randrange(3), "\u4e2d\\", [1, "x"])[kind]


def lines(rnd):
    out = []
    for _ in range(rnd.randrange(1, 12)):
        out.append(json.dumps({rnd.choice("abcde"): thing(rnd) for _ in range(rnd.randrange(4))}, ensure_ascii=rnd.random() < 0.5))
        if rnd.random() < 0.1:
            out.append(rnd.choice(("", "not json", "[1]", '{"a":', '{"a":1} x', "3")))
    if rnd.random() < 0.2:
        return ("[\n" + ",\n".join(line for line in out if line[:1] == "{" and line[-1:] == "}") + "\n]\n").encode()
    return ('{"a":1}\n' + "\n".join(out)).encode()


def check_made(program, scratch, make, seed):
    rnd = random.Random(seed)
    path = os.path.join(scratch, "made")
    with open(path, "wb") as f:
        f.write(make(rnd))
    c = Check(program, path)
    bad = c.all()
    if c.names and c.rows and not bad:
        for _ in range(2):
            columns = [(rnd.randrange(len(c.names)), rnd.choice(("", "", "month", "day", "/")))
                       for _ in range(rnd.randrange(1, 4))]
            bad += c.paths(columns, rnd.choice([None] + list(range(len(c.names)))))
    return ["seed %d: %s" % (seed, x) for x in bad]


def check_cuts(program, scratch, path):
    """Rows before a cut are read, wherever the cut is."""
    with open(path, "rb") as f:
        data = f.read()
    bad = []
    cut = os.path.join(scratch, "cut")
    for n in sampled.sampled(range(1, len(data))):
        with open(cut, "wb") as f:
            f.write(data[:n])
        bad += ["%d bytes: %s" % (n, x) for x in attempt(lambda: Check(program, cut).all())]
    return bad


# ---- values of columns ---------------------------------------------------------------------------------


def measured(rnd):
    """A table with columns whose values have a distribution, and the decimals of its numbers."""
    makers = {"money": lambda: "%.2f" % rnd.lognormvariate(3, 2), "fixed": lambda: "%.3f" % (rnd.choice((-1, 1)) * rnd.uniform(0.001, 1)),
              "mixed": lambda: str(round(rnd.gauss(0, 9), rnd.randrange(4))), "int": lambda: str(rnd.randrange(-50, 50) ** 3),
              "cost": lambda: rnd.choice(("$%d", "$%.2f")) % rnd.uniform(0, 99), "far": lambda: str(rnd.choice((1, 10**17, -10**17)) + rnd.randrange(9)),
              "gaps": lambda: rnd.choice(("", "n/a", "7.25", "7.50", "8.00", "9.75")), "word": lambda: rnd.choice(("north", "south", "", " west ", "\xe4", "x" * 60)),
              "day": lambda: "%04d-%02d-%02d" % (rnd.choice((1066, 2026, 9999)), rnd.randrange(1, 13), rnd.randrange(1, 29)),
              "us": lambda: "%d/%d/%d" % (rnd.randrange(1, 13), rnd.randrange(1, 29), rnd.randrange(1990, 2030)),
              "time": lambda: "2026-01-0%dT%02d:%02d:%02d%s" % (rnd.randrange(1, 4), rnd.randrange(24), rnd.randrange(60), rnd.randrange(60),
                                                             rnd.choice(("", "Z", ".5", "+02:00", "-0530")))}
    kinds = rnd.sample(sorted(makers), rnd.randrange(1, 7))
    rows = [[makers[k]() for k in kinds] for _ in range(rnd.choice((1, 2, 9, 60, 700)))]
    rows.insert(0, ["12/31/1999" if k == "us" else makers[k]() for k in kinds])
    return "\n".join(",".join(row) for row in [kinds] + rows).encode() + b"\n"


def shown_decimals(program, path):
    """Numbers of a column with fixed decimals, on the screen and as text, have those of the file."""
    bad, (names, rows, _, _) = [], oracle.load(path)
    for i, name in enumerate(names):
        texts = [row[i].strip() for _, row in rows]
        if name not in ("money", "fixed") or len({len(t.partition(".")[2]) for t in texts}) > 1:
            continue
        a = program.run(["--no-index", "--as", "table", "-o", "table", "-e", "records | select %s" % name, path])
        got = a.out.split("\n")[1:-1]
        if [x.strip() for x in got] != texts or len(set(map(len, got))) > 1:
            bad.append("%s: %s, not %s" % (name, got[:3], texts[:3]))
    return bad


def check_values(program, scratch):
    path, bad = os.path.join(scratch, "values.csv"), []
    for seed in sampled.turns(range(SEEDS // 4)):
        with open(path, "wb") as f:
            f.write(measured(random.Random(seed)))
        bad += ["seed %d: %s" % (seed, x) for x in attempt(lambda: Check(program, path).all()) + shown_decimals(program, path)]
    return bad


# ---- keys ----------------------------------------------------------------------------------------------

KEYED = {"city": ["Rome", "Oslo", "it's", "", "a\\b"], "status code": ["ok", "bad", "-", "two  words", "\xe4"], "by": ["1", "2.50", "-7", "1e3", ""],
         "q\"r": ["2026-01-03", "2026-02-01", "1999-12-31"], "a" * 70: ["true", "null", "x=1", "/re/", "*", "NaN"], "share": ["5%", "12.5%", "3 MB"]}


def frames(program, scratch, path, script):
    keys = os.path.join(scratch, "keys")
    with open(keys, "w", encoding="utf-8") as f:
        f.write("size 200x24\n%s\n" % "\n".join(script))
    lines = program.run(["--no-index", "--as", "table", "--keys", keys, path], changes={"LC_ALL": "C.UTF-8"}).out.split("\n")[:-1]
    return [lines[i:i + 24] for i in range(0, len(lines), 24)]


def check_keys(program, scratch):
    """Enter on a column opens its values, Enter on a value as many records as count it; m groups by the column that s chose."""
    rnd, path, bad = random.Random(sampled.DAY), os.path.join(scratch, "keys.csv"), []
    rows = [[rnd.choice(values) for values in KEYED.values()] for _ in range(40)]
    with open(path, "w", encoding="utf-8", newline="") as f:
        csv.writer(f).writerows([list(KEYED)] + rows)
    for i, (name, values) in enumerate(KEYED.items()):
        want = sorted(collections.Counter(row[i] for row in rows).values())
        shown = frames(program, scratch, path, ["key g s Home" + " Down" * i, "key Enter", "frame"] +
                       [line for k in range(len(want)) for line in ("key Home" + " Down" * k, "key Enter", "frame", "key q")])
        got = sorted(int(m[1]) for m in (re.search(r"\(1 of (\d+)\)", "\n".join(f)) for f in shown[1:]) if m)
        bad += ["%s: records %s, not %s" % (name, got, want)] * (got != want)
        grouped = frames(program, scratch, path, ["key g r s" + " s" * (i + 1), "frame", "key m", "frame"])
        ways = [re.sub(".*group '|' : count.*", "", f[2]) for f in (shown[0], grouped[1])] if len(name) < 70 else []
        bad += ["m on %s: %s" % (name, grouped[1][2])] * (ways[1:] != [name.replace("'", "\\'")] * len(ways[1:]))
        bad += ["values of %s: %s" % (name, f[2]) for f in shown[:1] if f[2] != "Columns \u203a " + name and len(name) < 70]
    return bad


# ---- many records ------------------------------------------------------------------------------------

MANY = 9000                  # records: several batches
DISTINCT = 70000             # more texts than a column may have to be read by their numbers


def many(rnd):
    keys = ["key%d" % i for i in range(40)] + ["", " ", '"q, x"', '"two\nlines"', '"say ""hi"""', '"a"b', "n\0ul", "\xe9"]
    rows = ["key,whole,odd,late,text"]
    for i in range(MANY):
        odd = rnd.choice(("12.5", "n/a", "", "007", "1e3", "-4")) if rnd.randrange(30) == 0 else str(rnd.randrange(50))
        rows.append("%s,%d,%s,%s,t%d" % (rnd.choice(keys), rnd.randrange(-9, 900), odd, "x" if i == MANY * 2 // 3 else i % 7, rnd.randrange(9)))
    for _ in range(9):
        rows.insert(rnd.randrange(MANY // 2, MANY), rnd.choice(("short", "", "a,1,2,3,4,5,6", 'open"quote,1')))
    return "\n".join(rows).encode()


def check_many(program, path, columns, more):
    """Groups, conditions and sums over many records at once agree with the cells, each read alone."""
    def ask(query):
        return rows_of(program.run(["--no-index", "--as", "table", "-o", "json", *more, "-e", query, path]).out)[0]

    rows, bad = [dict(r) for r in ask("records")], []
    for column in columns:
        counts = {}
        for r in rows:
            counts[r[column]] = counts.get(r[column], 0) + 1
        got = {}
        for r in map(dict, ask("records | group %s : count" % column)):
            got[r[column]] = got.get(r[column], 0) + r["count"]
        if got != counts:
            bad.append("%s: group: %r" % (column, sorted(set(got.items()) ^ set(counts.items()), key=str)[:4]))
        numbers = [r[column] for r in rows if isinstance(r[column], Decimal)]
        sums = dict(ask("records | group (line > 0) : sum %s" % column)[0])
        if sums["sum_" + column] != (sum(numbers) if numbers else None):
            bad.append("%s: sum %s, not %s" % (column, sums["sum_" + column], sum(numbers)))
        for value in [v for v in counts if isinstance(v, Decimal) or (v and re.fullmatch("[a-z0-9]+", v))][:9]:
            query = "records | where %s = %s | select line" % (column, value if isinstance(value, Decimal) else '"%s"' % value)
            lines = [r["line"] for r in rows if r[column] == value]
            if [dict(r)["line"] for r in ask(query)] != lines:
                bad.append("%s, not %d lines" % (query, len(lines)))
    return bad


def check_batches(program, scratch):
    path = os.path.join(scratch, "many.csv")
    bad = []
    for data, columns in ((many(random.Random(1)), ("key", "whole", "odd", "late", "text")),
                          (b"k,u\n" + b"".join(b"k%d,u%d\n" % (i % 9, i * 7919 % DISTINCT) for i in range(DISTINCT + 9)), ("k", "u"))):
        with open(path, "wb") as f:
            f.write(data)
        for jobs in ("1", "2"):
            bad += ["--jobs %s: %s" % (jobs, x) for x in check_many(program, path, columns, ["--jobs", jobs])]
    return bad


# ---- the front door ----------------------------------------------------------------------------------

HINT = "a table with 3 columns: a, b, n; choose some: --path a,b --weight n"


def check_door(program, scratch):
    """A name makes a table, its content never does; what a table is asked for does not stay in the index."""
    text = b"a,b,n\nx,y,1\nx,z,2\n"
    bad = []

    def ask(name, *args, data=text):
        with open(os.path.join(scratch, name), "wb") as f:
            f.write(data)
        a = program.run(["--index", scratch] + list(args) + [os.path.join(scratch, name)])
        return a.code, a.out, a.err.strip().rpartition(name + ": ")[2]

    def same(what, got, want):
        if got != want:
            bad.append("%s: %r, not %r" % (what, got, want))

    for name in ("t.csv", "t.TSV", "t.tab", "t.jsonl", "t.ndjson"):
        same(name, ask(name, "-e", "records | count")[:2], (0, "count\n2\n"))
    for name in ("t", "t.txt", "t.log", "t.csv.bak", "csv"):
        same(name, ask(name, "-e", "records | count")[0], 5)
        same(name + " asked for", ask(name, "--as", "table", "-e", "records | count")[:2], (0, "count\n2\n"))
    for args, part in ((["--text"], "line  a  b  n\n   2  x  y  1\n   3  x  z  2\n"), (["--report"], "\nColumns\n-------\nname  kind  ")):
        code, out, error = ask("t.csv", *args)
        same(args[0], (code, part in out, error), (0, True, ""))
    same("options", ask("t.csv", "-e", "info | where field = profile_options | select value")[1], "value\n--path a,b --weight n\n")
    same("calls", ask("t.csv", "-e", "calls"), (2, "", "icecore: " + HINT))
    tree = ["-o", "folded", "-e", "calls"]
    for path, weight, want in (("a", "n", "x 3\n"), ("b", "n", "z 2\ny 1\n"), ("A,3", None, "x;1 1\nx;2 1\n"), ("b", "n", "z 2\ny 1\n")):
        got = ask("t.txt", "--path", path, *(["--weight", weight] if weight else []), *tree)
        same("--path " + path, got, (0, want, ""))
    three = b"k,a,b,c\nx,1,10,100\ny,2,20,200\nz,3,30,300\nx,4,40,\n"
    for weight, want in (("a", "x 5\nz 3\ny 2\n"), ("b", "x 50\nz 30\ny 20\n"), ("c", "z 300\ny 200\nx 100\n")):
        same("several weights, " + weight, ask("t3.csv", "--path", "k", "--weight", "a", "--weight", "b", "--weight", "c", "--event", weight,
                                               *tree, data=three)[:2], (0, want))
    for rows, want in (("s,n,b\nx,200,5\ny,404,812\n", "--path s --weight b"), ("id,s,m\n1,x,1.5\n2,y,2\n3,x,1\n4,x,2\n", "--path s --weight m"),
                       ("s,zip\nx,01234\ny,99\n", "--path s"), ("s,year\nx,2025\ny,2026\n", "--path s")):
        same("hint", ask("h.csv", *tree, data=rows.encode())[2].rpartition("choose some: ")[2], want)
    long = b"a,b\n1,2\n3,4,five,\"six\"\n7,8,\"x, y\"\n9,0\n5,6\n"
    same("raw", ask("l.csv", "--raw", "-e", "records | select a cut", data=long)[1], "a\tcut\n1\t\n3\tfive,\"six\"\n7\t\"x, y\"\n9\t\n5\t\n")
    same("not raw", ask("l.csv", "-e", "records | head 1", data=long)[1], "line\ta\tb\n2\t1\t2\n")
    same("no path", ask("t.csv", "--weight", "n", *tree)[0], 2)
    same("no column", ask("n.csv", "--path", "staus", *tree, data=b"url,status\n/,200\n"),
         (2, "", "no column 'staus' in this table; did you mean 'status'?; columns: url, status"))
    # The first records are those of a preamble; only all of them say how wide the table is.
    wide = b"# note\n" * 250 + b"k,n\n" + b"a,2\nb,5\n" * 300
    for path, want in (("k", "b 1500\na 600\n"), ("2", "5 1500\n2 600\n")):
        same("wide below, --path " + path, ask("w.csv", "--path", path, "--weight", "n", *tree, data=wide)[:2], (0, want))
    same("wide below, no column", ask("w.csv", "--path", "3", *tree, data=wide)[2], "no column '3' in this table; columns: k, n")
    same("two columns with the same name", ask("u.csv", "--header", "yes", "--path", "1,2,A", *tree, data=b"A,A,a\nx,y,z\nx,y,z\n")[:2], (0, "x;y;x 2\n"))
    same("folded stacks", ask("f.csv", *tree, data=b"main;f 5\nmain;g 6\n")[:2], (0, "main;g 6\nmain;f 5\n"))
    same("currencies", ask("e.csv", "--path", "k", "--weight", "v", "-e", "info | where field ~ currenc or field = unit | select value",
                           data=b"k,v\na,5 EUR\nb,$3\nc,1\n")[:2], (0, "value\nv\n1\n"))
    same("one currency", ask("e.csv", "--path", "k", "--weight", "v", "-e", "info | where field ~ currenc or field = unit | select value",
                             data=b"k,v\na,5 EUR\nb,EUR 3\nc,1\n")[:2], (0, "value\nEUR\n"))
    same("VTune", ask("v.csv", *tree, data=b"Function Stack,CPU Time:Self\na,1\n")[:2], (0, "a 1000000\n"))
    same("another format", ask("t.csv", "--as", "folded", "--path", "a", *tree)[0], 2)
    # Only a byte far behind the head says that the text, its names too, is not UTF-8.
    late = b"k,n\xc3\xa4\n" + b"x,1\n" * 300000 + b"\xe4\0,2\n"
    same("late encoding", ask("a.csv", "-e", "records | group k : count", "-e", "columns | select name", data=late)[1],
         "k\tcount\nx\t300000\n\u00e4\t1\n\nname\nk\nn\u00c3\u00a4\n")
    same("binary", ask("b.csv", "--path", "1", *tree, data=b"\0\1\2a" * 50), (5, "", "not a table: binary data"))
    same("one object over lines", ask("j.jsonl", "--path", "1", *tree, data=b'{\n"a": 1\n}\n'),
         (5, "", "not a table: the lines are not JSON objects"))
    return bad


def check_times(program, scratch):
    """range takes the records of a piece of time; one without a time is in none."""
    path = os.path.join(scratch, "times.csv")
    bad = []
    for times in (("2026-11-20 10:00:00", "2026-11-20T10:00:01.5Z", "20.11.2026", "2026-11-20 11:00:02 +01:00"),
                  ("1763632800", "1763632801.5", "x", "1763632802"),
                  ("1763632800000", "1763632801500", "", "1763632802000")):
        with open(path, "w", encoding="utf-8") as f:
            f.write("t,k,v\n" + "".join("%s,%s,%d\n" % (t, k, 10 ** i) for i, (t, k) in enumerate(zip(times, "abcd"))))
        a = program.run(["--no-index", "--path", "k", "--weight", "v", "--time", "t", "-o", "folded", "-e", "calls | range %s" %
                         ("36000s 36002s" if "." in times[2] else "0s 2s"), "-e", "calls", path])
        got = [sorted(part.split("\n")) for part in a.out.rstrip("\n").split("\n\n")]
        if got != [["a 1", "b 10"], ["a 1", "b 10", "c 100", "d 1000"]]:
            bad.append("%s: %s %s" % (times, got, a.err))
    return bad


# ---- tables that are given -----------------------------------------------------------------------------


def fitting(rows):
    """Decimals that the sums of a table have room for in 63 bits, at most as many as they have."""
    sums = [sum(Decimal(row[i]) for row in rows) for i in (2, 3)]
    if sums[1]:
        sums.append(sum(Decimal(row[1]) for row in rows))
    decimals = max(-Decimal(x).as_tuple().exponent for row in rows for x in row[2:])
    while decimals > 0 and max(sums).scaleb(decimals) > 2 ** 63 - 1 - len(rows):
        decimals -= 1
    return decimals


def check_path(program, file, options, rows):
    """rows: path, count, in, out."""
    base = ["--no-index", "--as", "table", "-o", "folded"] + options
    signed = any(Decimal(row[3]) for row in rows)
    decimals, bad, lost = fitting(rows), [], 0
    for i, event in ((1, "count"), (2, "in"), (3, "out")):
        if i != 2 and not signed:
            continue
        a = program.run(base + (["--event", event] if signed else []) + ["-e", "calls", file])
        got = {line.rpartition(" ")[0]: Decimal(line.rpartition(" ")[2]) for line in a.out.split("\n") if line}
        want = {}
        for row in rows:
            # Control characters stand escaped in these tables; on the way out something stands in for them.
            path = answers.fit(re.sub(r"\\x(..)", lambda m: chr(int(m.group(1), 16)), row[0]))
            exact = Decimal(row[i])
            want[path] = exact.quantize(Decimal(1).scaleb(-decimals), decimal.ROUND_HALF_UP)
            lost += want[path] != exact
        if {k: v for k, v in got.items() if v} != {k: v for k, v in want.items() if v}:
            bad.append("%s: %s, not %s" % (event, got, want))
    facts = {row["field"]: row["value"] for row in
             program.run(base[:3] + options + ["-o", "tsv", "-e", "info", file]).out and
             answers.Table(program.run(base[:3] + options + ["-o", "tsv", "-e", "info", file]).out).rows}
    if (int(facts.get("repair.rounded", 0)) > 0) != (lost > 0):
        bad.append("repair.rounded is %s, %d sums are" % (facts.get("repair.rounded"), lost))
    return bad


def check_corpus(tap, program, folder):
    """The files of a folder, and the rows of its expected-paths.txt."""
    expected = os.path.join(folder, "expected-paths.txt")
    if not os.path.exists(expected):
        return
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.startswith("expected-") and os.path.getsize(path):
            tap.ok("table %s" % name, attempt(lambda: Check(program, path).all()))
    asked = {}
    with open(expected, encoding="utf-8", newline="\n") as f:
        for line in f:
            what, *row = line.rstrip("\n").split("\t")
            asked.setdefault(what, []).append(row)
    for what, rows in asked.items():
        name, *options = what.split(" ")
        tap.ok("table %s" % what, attempt(lambda: check_path(program, os.path.join(folder, name), options, rows)))


def check_many_sorted(program, path):
    """More rows than are kept in a heap, in the order of a stable sort; empty cells are the smallest."""
    r = random.Random(7)
    rows = [(n, r.choice(("", r.randint(-5, 5), r.randint(-10**15, 10**15), r.randint(0, 70000))), r.randint(0, 3)) for n in range(100000)]
    with open(path, "w", encoding="ascii") as f:
        f.write("n,v,w\n" + "".join("%d,%s,%d\n" % row for row in rows))
    bad = []
    for query, key, down in (("v", lambda x: (x[1] != "", x[1] or 0), False), ("-v", lambda x: (x[1] != "", x[1] or 0), True),
                             ("w", lambda x: x[2], False), ("-w", lambda x: x[2], True), ("w v", lambda x: (x[2], x[1] != "", x[1] or 0), False)):
        a = program.ask(path, "records | sort %s | select n" % query, options=("--no-index",))
        want = sorted(rows, key=key, reverse=down) if not down else list(reversed(sorted(reversed(rows), key=key)))
        got = [int(x) for x in a.out.split("\n")[1:-1]]
        if got != [x[0] for x in want]:
            bad.append("sort %s: %d rows, another order" % (query, len(got)))
    return bad


def main():
    decimal.getcontext().prec = 60
    build, scratch = sys.argv[1:]
    program = answers.Program(os.path.join(build, "icecore"))
    tap = Tap()
    sampled.tell()
    for name, make in (("CSV", table), ("JSON lines", lines)):
        for part in range(4):
            bad = []
            for seed in sampled.turns(range(part * SEEDS // 4, (part + 1) * SEEDS // 4)):
                bad += attempt(lambda: check_made(program, scratch, make, seed))
            tap.ok("%s, seeds from %d" % (name, part * SEEDS // 4), bad)
    corpus = os.path.join(HERE, "..", "fuzz", "corpus", "table")
    for name in sorted(os.listdir(corpus)):
        if os.path.getsize(os.path.join(corpus, name)) <= CUT_MOST:
            tap.ok("%s, cut at every byte" % name, check_cuts(program, scratch, os.path.join(corpus, name)))
    tap.ok("what is a table", check_door(program, scratch))
    tap.ok("values of columns", attempt(lambda: check_values(program, scratch)))
    tap.ok("keys that group", attempt(lambda: check_keys(program, scratch)))
    tap.ok("many records", attempt(lambda: check_batches(program, scratch)))
    tap.ok("times", check_times(program, scratch))
    tap.ok("many rows are sorted", check_many_sorted(program, os.path.join(scratch, "many.csv")))
    tap.end()


if __name__ == "__main__":
    main()
