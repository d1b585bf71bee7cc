#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""langcheck.py BUILD SCRATCH - the query language against slowrows.py and plain python over rows printed as tsv, as TAP."""
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import asked  # noqa: E402
import sampled  # noqa: E402
import slowrows  # noqa: E402
from check import Tap, attempt  # noqa: E402

DEMO = os.path.join(HERE, "..", "..", "demo")
FILES = {"trace": "demo.trace.gz", "heap": "demo.hprof.gz", "sched": "sched.txt.gz", "profile": "profile.txt.gz",
         "phone": "phone.hprof.gz"}
# A file, rows, a column of amounts, a key, and another column for distinct.
ROWS = (
    ("trace", "spans", "wall", "method", "thread"),
    ("trace", "calls", "self_cpu", "thread", "method"),
    ("trace", "threads", "cpu", "main", "name"),
    ("heap", "objects", "shallow", "class", "shallow"),
    ("heap", "strings", "length", "class", "value"),
    ("sched", "states", "wall", "thread", "class"),
    ("sched", "switches", "time", "cpu", "to"),
    ("profile", "calls", "self", "depth", "method"),
)
SPLIT = (("trace", "spans"), ("trace", "spans main"), ("sched", "states"), ("sched", "metrics cpu"))
WIDTHS = 6


class Lang:
    def __init__(self, program, scratch):
        self.program, self.options = program, ("--index", os.path.join(scratch, "index"))
        os.mkdir(self.options[1])

    def ask(self, kind, query, codes=(0, 1)):
        a = self.program.ask(os.path.join(DEMO, FILES[kind]), query, options=self.options)
        if a.code not in codes:
            raise ValueError("%s: exit status %d: %s" % (query, a.code, a.err.strip()))
        return a

    def rows(self, kind, query):
        table = answers.Table(self.ask(kind, query).out)
        return table.columns, table.rows


def check(lang, kind, query, want):
    columns, rows = lang.rows(kind, query)
    return answers.differ(query, want, [tuple(r[c] for c in columns) for r in rows])


def only(rows, *columns):
    return [tuple(r[c] for c in columns) for r in rows]


def aggregates(lang, kind, source, amount, key, other):
    _, rows = lang.rows(kind, "%s | select %s" % (source, " ".join(dict.fromkeys((amount, key, other)))))
    amount = amount if amount in rows[0] else next(c for c in rows[0] if c.startswith(amount))
    bad = []
    for n in (1, 37, 50, 99):
        bad += check(lang, kind, "%s | group %s: p%d %s" % (source, key, n, amount), slowrows.pct(rows, n, amount, [key]))
        bad += check(lang, kind, "%s | p%d %s" % (source, n, amount), slowrows.pct(rows, n, amount, []))
    bad += check(lang, kind, "%s | group %s: distinct %s, p50 %s" % (source, key, other, amount),
                 [a + b[-1:] for a, b in zip(slowrows.distinct(rows, other, [key]), slowrows.pct(rows, 50, amount, [key]))])
    bad += check(lang, kind, "%s | group: count, distinct %s as n" % (source, other),
                 [(len(rows),) + slowrows.distinct(rows, other, [])[0]])
    for keys in ([key, other], [amount, key], [amount, key, other], [key, amount, other]):
        keys = list(dict.fromkeys(keys))
        bad += check(lang, kind, "%s | group %s: count, sum %s as total" % (source, " ".join(keys), amount),
                     [k + (len(p), sum(slowrows.values(p, amount))) for k, p in slowrows.groups(rows, keys).items()])
    groups, total = slowrows.groups(rows, [key]), sum(slowrows.values(rows, amount))
    if total:
        bad += check(lang, kind, "%s | group %s: share, share %s" % (source, key, amount),
                     [k + (100 * len(p) / len(rows), 100 * sum(slowrows.values(p, amount)) / total) for k, p in groups.items()])
    full = {k: [r[amount] for r in p if r[amount] != ""] or [""] for k, p in groups.items()}
    bad += check(lang, kind, "%s | group %s: first %s, last %s" % (source, key, amount, amount),
                 [k + (v[0], v[-1]) for k, v in full.items()])
    return bad


def tops(lang, kind, source, amount, key, _):
    columns = list(dict.fromkeys((key, amount)))
    _, rows = lang.rows(kind, "%s | select %s" % (source, " ".join(columns)))
    amount = amount if amount in rows[0] else next(c for c in rows[0] if c.startswith(amount))
    select = " | select %s %s" % (key, amount) if key != amount else " | select %s" % key
    bad = []
    for n in (1, 2, 7):
        bad += check(lang, kind, "%s | top %d %s per %s%s" % (source, n, amount, key, select),
                     only(slowrows.top(rows, n, amount, [key]), key, amount))
        first = {}
        want = [r for r in rows if first.setdefault(r[key], []) is not None and not first[r[key]].append(r)
                and len(first[r[key]]) <= n]
        bad += check(lang, kind, "%s | head %d per %s%s" % (source, n, key, select), only(want, key, amount))
    bad += check(lang, kind, "%s | top %s per %s%s" % (source, amount, key, select),
                 only(slowrows.top(rows, 1, amount, [key]), key, amount))
    return bad


def buckets(lang, kind, source, amount, key, _):
    _, rows = lang.rows(kind, "%s | select %s %s" % (source, key, amount))
    amount = amount if amount in rows[0] else next(c for c in rows[0] if c.startswith(amount))
    unit = "ns" if kind != "heap" and amount != "length" else ""
    bad = []
    for width in (1, 7, 1000, 1000003):
        part = [dict(r, b="" if r[amount] == "" else int(r[amount]) // width * width) for r in rows]
        bad += check(lang, kind, "%s | group %s by %d%s: count" % (source, amount, width, unit),
                     [k + (len(p),) for k, p in slowrows.groups(part, ["b"]).items()])
    limit = sorted(int(r[amount] or 0) for r in rows)[len(rows) // 2]
    part = [dict(r, b=str(r[amount] != "" and int(r[amount]) > limit).lower()) for r in rows]
    bad += check(lang, kind, "%s | group (%s > %d%s) as big %s: count, share" % (source, amount, limit, unit, key),
                 [k + (len(p), 100 * len(p) / len(rows)) for k, p in slowrows.groups(part, ["b", key]).items()])
    return bad


# The text after where, and its value for a row r whose amount is v, None: empty; n, text and part are those of some row.
CONDITIONS = (
    ("{a} > {n}", lambda r, v, n, k, text, part: v is not None and v > n),
    ("{a} in ({n}, {m})", lambda r, v, n, k, text, part: v in (n, n + 1)),
    ("{a} != {n}", lambda r, v, n, k, text, part: v != n),
    ("{a} * 2 > {n} + {a}", lambda r, v, n, k, text, part: v is not None and v > n),
    ("{a} is null or not {a} <= {n}", lambda r, v, n, k, text, part: v is None or v > n),
    ("{k} = '{t}'", lambda r, v, n, k, text, part: r[k] == text),
    ("{k} ~ '{p}' and ({a} > {n} or {k} != '{t}')",
     lambda r, v, n, k, text, part: part in r[k] and ((v is not None and v > n) or r[k] != text)),
    ("{a} >= {h} | where {a} <= {n}", lambda r, v, n, k, text, part: v is not None and n // 2 <= v <= n),
)


def conditions(lang, kind, source, amount, key, _):
    """Conditions and the stages after them, which take rows by the thousand."""
    _, rows = lang.rows(kind, "%s | select %s %s" % (source, key, amount))
    amount = amount if amount in rows[0] else next(c for c in rows[0] if c.startswith(amount))
    unit = "" if amount == "length" else "b" if kind == "heap" else "ns"
    number = {id(r): None if r[amount] == "" else int(r[amount]) for r in rows}
    chance, bad = random.Random(7), []
    for some in [chance.choice([r for r in rows if r[amount] and r[key] and not set("'\\") & set(r[key])]) for _ in range(3)]:
        n, text = number[id(some)], some[key]
        part = text[len(text) // 3:len(text) // 3 + 4]
        for form, holds in CONDITIONS:
            want = [r for r in rows if holds(r, number[id(r)], n, key, text, part)]
            where = "%s | where %s" % (source, form.format(
                a=amount, k=key, t=text, p=part, n="%d%s" % (n, unit), m="%d%s" % (n + 1, unit), h="%d%s" % (n // 2, unit)))
            full = [r for r in want if r[amount] != ""]
            bad += check(lang, kind, "%s | count" % where, [(len(want),)])
            bad += check(lang, kind, "%s | sum %s" % (where, amount), [(sum(number[id(r)] for r in full),)])
            bad += check(lang, kind, "%s | group %s: count, max %s" % (where, key, amount),
                         [g + (len(p), max((number[id(r)] for r in p if r[amount] != ""), default=""))
                          for g, p in slowrows.groups(want, [key]).items()])
            bad += check(lang, kind, "%s | where %s is not null | sort -%s | head 3 | select %s %s" % (where, amount, amount, key, amount),
                         only(sorted(full, key=lambda r: -number[id(r)])[:3], key, amount))
    return bad


def splits(lang, kind, source):
    columns, rows = lang.rows(kind, "%s | select start_wall wall cpu" % source if "metrics" not in source else
                              "%s | select start_wall wall delta" % source)
    chance, bad = random.Random(5), []
    longest = max(int(r["wall"] or 0) for r in rows)
    for _ in range(WIDTHS):
        width = chance.randint(max(longest // 50, 1), longest + 1)
        want = slowrows.split([r for r in rows], width)
        bad += check(lang, kind, "%s | split %dns | select %s" % (source, width, " ".join(columns)), only(want, *columns))
        bad += check(lang, kind, "%s | split %dns | sum %s" % (source, width, " ".join(columns[1:])),
                     [tuple(sum(slowrows.values(rows, c)) for c in columns[1:])])
    return bad


# A query whose word is not of this language, the word, and a part of the answer.
HINTS = [("threads | %s 3" % w, w, "use 'head N'") for w in ("limit", "take", "first", "LIMIT")] + [
    ("threads | order by cpu desc | head 1", "order", "use 'sort X' (-X is descending)"),
    ("threads | orderby cpu", "orderby", "use 'sort X'"), ("threads | sort_by(.cpu)", "sort_by", "use 'sort X'"),
    ("select name from threads where cpu > 1ms", "select", "start with the source: Y | where Z | select X"),
] + [("threads | %s cpu > 1ms" % w, w, "use 'where'") for w in ("filter", "having", "match", "grep")] + [
    ("threads | %s name cpu" % w, w, "use 'select'") for w in ("project", "map", "pick")] + [
    ("threads | %s name" % w, w, "use 'group KEY: count, sum X'") for w in (
        "group_by", "groupby", "summarize", "stats", "aggregate")] + [
    ("threads | count(*)", "(", "use 'count', 'sum x'; per group: 'group KEY: sum x'"), ("threads | count(name)", "(", "use 'count'"),
    ("threads | sum(cpu)", "(", "'group KEY: sum x'"), ("threads | avg(cpu)", "(", "'group KEY: sum x'"),
    ("threads | median cpu", "median", "use 'p50'"), ("threads | p100 cpu", "p100", "use 'max'"),
    ("threads | mean cpu", "mean", "use 'avg'"), ("threads | percentile 99 cpu", "percentile", "use pN, e.g. p99"),
    ("threads | quantile cpu", "quantile", "use pN, e.g. p99"),
    ("threads | group main: median cpu", "median", "p50 is the median"), ("threads | group main: mean cpu", "mean", "use avg"),
    ("threads | uniq name", "uniq", "use 'distinct'"), ("threads | unique name", "unique", "use 'distinct'"),
    ("threads | dedup name", "dedup", "use 'distinct'"),
    ("threads | count distinct name", "distinct", "use 'distinct x' in group, or 'group x: count'"),
    ("threads | count(distinct name)", "distinct", "use 'distinct x' in group"), ("threads | dcount name", "dcount", "use 'distinct x'"),
    ("methods | share self", "share", "use 'select share(X)' as a whole item"), ("methods | where share(self) > 5%", "share", "as a whole item"),
] + [("threads | where name %s main" % w, w, "use '~': name ~ draw, name ~ /^draw/, name = draw*") for w in (
        "like", "LIKE", "contains", "matches", "startswith", "glob")] + [
    ("threads | where name test x", "test", "use '~'"),
    ("threads | where cpu between 1ms and 2ms", "between", "use 'x >= a and x <= b'; for times the stage 'range a b'"),
    ("threads | join methods", "join", "use 'during' (time), 'in (...)' (ids)"),
    ("threads | where main && cpu", "&&", "use and, or, not"), ("threads | where main || cpu", "||", "use and, or, not"),
    ("threads | where !main", "!", "use and, or, not"),
    ("threads | sort cpu desc", "desc", "use '-COLUMN'"), ("threads | sort cpu descending", "descending", "use '-COLUMN'"),
    ("threads | length", "length", "use 'count'"), ("threads | select len", "len", "use 'count'"),
] + [("threads | %s cpu" % w, w, "use 'group x by 100ms'") for w in ("round", "floor", "bin", "bucket", "date_trunc")] + [
    ("threads | pivot name", "pivot", "use 'group x by WIDTH: count'"), ("threads | rate cpu", "rate", "use 'group x by WIDTH: count'"),
    ("heap | count", "heap", "use 'objects CLASS'"), ("dump | count", "dump", "use 'objects CLASS'"),
    ("slices | count", "slices", "use 'spans'"), ("slice | count", "slice", "use 'spans'"),
    ("thread_state | count", "thread_state", "use 'states', 'switches', 'waits'"), ("sched | count", "sched", "use 'states'"),
    ("stack_profile | count", "stack_profile", "use 'calls' or 'stacks'"),
    ("cpu_profile_stack_sample | count", "cpu_profile_stack_sample", "use 'calls' or 'stacks'"),
] + [("calls | %s draw" % w, w, "use 'keep', 'hide', 'drop', 'fold'") for w in ("focus", "ignore", "show", "prune_from")] + [
    ("calls | %s" % w, w, "use 'callers' and 'callees'") for w in ("peek", "list", "callgrind")] + [
    ("objects | %s" % w, w, "use 'referrers', 'refs', 'dominator', 'select label'") for w in (
        "inbounds", "outbounds", "dominatorof", "toString")] + [
    ("%s | count" % w, w, "use 'findings' or 'merge_paths'") for w in ("leaks", "suspects")] + [
    ("merge_shortest_paths | count", "merge_shortest_paths", "use 'merge_paths'")] + [
    ("%s | count" % w, w, "use 'wakeups' or 'waits'") for w in ("waker", "wakers")]


def hints(lang, query, word, answer):
    a = lang.ask("trace", query, (2,))
    lines = a.err.split("\n")
    bad = [] if answer in lines[0] else ["no %r in %r" % (answer, lines[0])]
    bad += [] if lines[1] == query and lines[2] == " " * query.index(word) + "^" else ["the place is %r" % lines[1:3]]
    for line in lines[3:-1]:
        if not line.startswith("  try: "):
            bad.append("more text: " + line)
        elif lang.ask("trace", line[7:], (0, 1, 2)).err.count("\n  try: "):
            bad.append("wrong as well: " + line)
        elif lang.program.run(["--no-index", "-e", line[7:]]).err.count("^"):
            bad.append("does not parse: " + line)
    return bad


def tried(lang):
    """The text after try."""
    want = {"threads | limit 3": "threads | head 3", "threads | order by cpu desc | head 1": "threads | sort -cpu | head 1",
            "slices main | count": "spans main | count", "threads | filter cpu > 1ms": "threads | where cpu > 1ms"}
    return ["%s: no %r" % (q, t) for q, t in want.items() if "\n  try: %s\n" % t not in lang.ask("trace", q, (2,)).err]


# Two queries with the same answer.
SAME = (
    ("spans | where wall > 16ms | count", "spans | where wall > 16 ms | count"),
    ("spans | where wall in (1ms, 2ms) | count", "spans | where wall in (1 ms, 2 ms) | count"),
    ("spans main | range 1ms 20ms | count", "spans main | range 1 ms 20 ms | count"),
    ("spans | group wall by 1ms: count", "spans | group wall by 1 ms: count"),
    ("spans main from 1ms to 2s min 3us | count", "spans main from 1 ms to 2 s min 3 us | count"),
    ("threads | where name = main and cpu != 0", "threads | where name == main AND NOT cpu = 0"),
    ("threads | where cpu != null | count", "threads | where cpu is not null | count"),
    ("threads | where not cpu != null | count", "threads | where cpu is null | count"),
    ("threads | sort cpu", "threads | sort cpu asc"),
    ("threads | where cpu != 3ms | count", "threads | where cpu <> 3ms | count"),
    ("methods | where name ~ /draw/i", "methods | where name ~ draw"),
    ("methods | where name ~ /^draw.*$/i", "methods | where name ~ draw*"),
    ("methods | where name ~ /draw/", "methods | where name ~ 'draw'"),
    ("methods | where name ~ /Draw/", "methods | where name ~ Draw"),
    ("calls | hide /icecore.ui/i | count", "calls | hide icecore.ui | count"),
)


def same(lang):
    return ["%s and %s" % pair for pair in SAME if lang.ask("trace", pair[0]).out != lang.ask("trace", pair[1]).out]


def notes(lang):
    bad = []
    for query, n in (("spans | where wall > 16 | count", 1), ("spans | where wall > 0 | count", 0), ("spans | where wall > 1000 | count", 0),
                     ("spans | where depth > 16 | count", 0), ("spans | where wall > 16 and cpu > 3 | count", 1),
                     ("spans | group (wall > 16): count", 1)):
        found = lang.ask("trace", query, (0,)).err.count("note: ")
        bad += [] if found == n else ["%s: %d notes" % (query, found)]
    text = lang.ask("trace", "spans | where wall > 16 | count").err
    return bad + ([] if text == "icecore: note: wall > 16 means 16 ns; write 16ms, 16us or 16ns\n" else [text])


def near_empty(lang):
    """Sets of cells of each type, and of none."""
    bad = []
    for kind, source, left, inner, right in (
            ("trace", "spans", "method", "methods | top 5 self", "method"), ("trace", "spans", "wall", "spans main", "wall"),
            ("trace", "calls", "id", "calls main | where depth > 2", "id"), ("trace", "spans", "depth", "calls | top 3 depth", "depth"),
            ("heap", "objects", "id", "roots", "object"), ("heap", "objects", "class", "classes | where objects = 1", "name"),
            ("heap", "strings", "value", "strings | where length < 5", "value"), ("heap", "objects", "shallow", "classes", "shallow"),
            ("trace", "threads", "name", "threads | where id = 99", "name"), ("sched", "tasks", "name", "states | top 9 wall", "thread"),
            ("profile", "calls", "self", "calls | where depth = 3", "self"), ("heap", "objects", "retained", "findings", "retained")):
        column, found = lang.rows(kind, "%s | select %s" % (inner, right))
        own, rows = lang.rows(kind, "%s | select %s" % (source, left))
        cells = {r[column[0]] for r in found} - {""}
        for word, want in (("in", [r for r in rows if r[own[0]] in cells]), ("not in", [r for r in rows if r[own[0]] not in cells | {""}])):
            bad += check(lang, kind, "%s | where %s %s (%s | select %s) | select %s" % (source, left, word, inner, right, left), only(want, own[0]))
    return bad


def unions(lang):
    bad = []
    for kind, a, b in (("trace", "methods | top 3 self | select method self", "threads | select name cpu"), ("heap", "classes | select name objects", "objects | head 5 | select class shallow"),
                       ("trace", "spans main | select thread wall", "spans | select wall depth"), ("sched", "states | head 4", "switches | select time from to | head 3"),
                       ("trace", "threads | where id = 99", "threads"), ("trace", "threads", "threads | where id = 99")):
        first, rows = lang.rows(kind, a)
        second, more = lang.rows(kind, b)
        columns = first + [c for c in second if c not in first]
        if not first or not second:
            columns = lang.rows(kind, "%s | union (%s)" % (a, b))[0]
        bad += check(lang, kind, "%s | union (%s)" % (a, b), [tuple(r.get(c, "") for c in columns) for r in rows + more])
    return bad


def bare_names(lang):
    """Classes by their names without packages."""
    _, rows = lang.rows("heap", "classes | select name")
    names = {}
    for r in rows:
        names.setdefault(r["name"].rsplit(".", 1)[-1], set()).add(r["name"])
    some = [n for n in names if len(names[n]) == 1 and next(iter(names[n])) != n][::40]
    several = [n for n in names if len(names[n]) > 1 and n not in names[n]]
    bad = [] if len(some) > 5 else ["too few"]
    for n in some:
        whole = next(iter(names[n]))
        a = lang.ask("heap", "classes '%s' | select name" % n)
        if a.out != "name\n%s\n" % whole or a.err != "icecore: note: '%s' is %s\n" % (n, whole):
            bad.append("%s: %r %r" % (n, a.out, a.err))
        bad += [] if not lang.ask("heap", "classes '%s' | select name" % whole).err else [whole]
    for n in several[:5]:
        a = lang.ask("heap", "classes '%s'" % n, (2,))
        bad += [] if "'%s' is ambiguous: " % n in a.err and sum(w in a.err for w in names[n]) >= min(3, len(names[n])) else [a.err]
    for query, text in (("objects string", "unknown class 'string'; did you mean 'String'?"), ("objects Strng", "did you mean 'String'")):
        bad += [] if text in lang.ask("heap", query, (1, 2)).err else ["%s: %s" % (query, lang.ask("heap", query, (1, 2)).err)]
    return bad


def case_notes(lang):
    """A note names the match that exists in another case."""
    bad = []
    for kind, query, other in (("heap", "classes | where name = 'java.lang.string'", "java.lang.String"), ("trace", "methods | where name = TEXT_CUT", "text_cut"),
                               ("trace", "methods | where name ~ 'Text_Cut' | count", "text_cut"), ("heap", "classes | where name = nosuch", None),
                               ("trace", "methods | where name = TEXT_CUT and self > 0ms", None), ("trace", "threads | where name = main", None)):
        err = lang.ask(kind, query).err
        text = "icecore: note: 0 rows; matches exist in another case: '%s'\n" % other if other else ""
        bad += [] if err == text else ["%s: %r" % (query, err)]
    return bad


def shares(lang):
    bad = []
    for kind, source, amount, key in (("trace", "calls", "self_wall", "thread"), ("trace", "threads", "cpu", "main"), ("heap", "objects", "shallow", "class"),
                                      ("sched", "states", "wall", "thread"), ("profile", "calls", "self", "method"), ("trace", "spans", "cpu", "depth")):
        _, rows = lang.rows(kind, "%s | select %s %s" % (source, key, amount))
        total = sum(slowrows.values(rows, amount))
        sums = {k: sum(slowrows.values(p, amount)) for k, p in slowrows.groups(rows, [key]).items()}
        part = [r[amount] and answers.value(r[amount]) for r in rows]
        want = [("" if v == "" else 100 * v / total, "" if v == "" or not sums[(r[key],)] else 100 * v / sums[(r[key],)],
                 "" if v == "" else 100 * v / total) for r, v in zip(rows, part)]
        bad += check(lang, kind, "%s | select share(%s) share(%s per %s) as own share(2*%s)" % (source, amount, amount, key, amount), want)
    return bad


def java_package(name):
    name = name.split("/")[0]
    element, array = name.split("[")[0], "[" in name
    if "." in element:
        return element.rsplit(".", 1)[0]
    primitive = array and element in ("boolean", "byte", "char", "short", "int", "long", "float", "double")
    return "(primitive)" if primitive else "(default package)"


def packages(lang):
    bad = []
    for source, column in (("objects", "label"), ("classes", "name"), ("histogram", "name"), ("strings", "package"), ("dominators", "class"), ("frames", "class"),
                           ("roots", "class"), ("findings", "class")):
        _, rows = lang.rows("heap", "%s | select %s package" % (source, column) if column != "package" else "%s | select package" % source)
        bad += ["%s: %r" % (source, r) for r in rows if r["package"] != ("java.lang" if column == "package" else java_package(
            r[column][6:] if r[column].startswith("class ") else r[column]))][:3]
    _, rows = lang.rows("heap", "objects | where reachable != unreachable | group package: count, sum shallow")
    bad += check(lang, "heap", "components | select component objects shallow", sorted(only(rows, "package", "count", "sum_shallow")))
    _, rows = lang.rows("trace", "methods | select method self_cpu package")
    bad += ["%r" % r for r in rows if r["package"] != r["method"].rsplit(".", 2)[0]][:3]
    groups = slowrows.groups(rows, ["package"])
    total = sum(slowrows.values(rows, "self_cpu"))
    want = [k + (sum(slowrows.values(p, "self_cpu")), 100 * sum(slowrows.values(p, "self_cpu")) / total) for k, p in groups.items()]
    bad += check(lang, "trace", "methods | group package: sum self, share self", want)
    for source in ("calls", "merged", "inverted", "spans", "records", "methods | top 5 self | callers", "methods | top 5 self | callees"):
        _, rows = lang.rows("trace", source + " | select method package")
        bad += ["%s: %r" % (source, r) for r in rows if r["method"] and r["package"] != (
            r["method"].rsplit(".", 2)[0] if "." in r["method"] else "")][:3]
    return bad


def percents(lang):
    bad = []
    for source in ("methods", "calls", "merged", "inverted"):
        for clock in ("wall", "cpu", "off"):
            a = lang.program.ask(os.path.join(DEMO, FILES["trace"]), source + " | select self total self_pct total_pct", options=("--no-index", "--clock", clock))
            rows = answers.Table(a.out).rows
            _, all_calls = lang.rows("trace", "calls | select self_%s" % clock)
            whole = sum(int(r["self_" + clock]) for r in all_calls)
            for r in rows:
                want = [100 * int(r[c + clock]) / whole for c in ("self_", "total_")]
                bad += [] if answers.near(float(r["self_pct"]), want[0]) or source == "inverted" else ["%s %s: %r" % (source, clock, r)]
                bad += [] if answers.near(float(r["total_pct"]), want[1]) else ["%s %s: %r" % (source, clock, r)]
    for kind, source in (("trace", "threads"), ("sched", "threads")):
        _, rows = lang.rows(kind, source + " | select cpu cpu_pct")
        whole = sum(int(r["cpu"] or 0) for r in rows)
        bad += ["%s: %r" % (kind, r) for r in rows if not answers.near(float(r["cpu_pct"] or 0), 100 * int(r["cpu"] or 0) / whole)]
    _, rows = lang.rows("sched", "tasks | select name cpu off_cpu")
    _, threads = lang.rows("sched", "threads | select name cpu off_cpu")
    there = sorted(only(rows, "name", "cpu", "off_cpu"))
    return bad + ["threads: %r is not a task" % (t,) for t in only(threads, "name", "cpu", "off_cpu") if t not in there][:3]


def overlaps(lang):
    note = "icecore: note: retained sizes overlap; use 'components package'\n"
    want = {"objects | group package: sum retained": note, "classes | group package: sum retained": note, "objects | sum retained": note,
            "dominators | sum retained": "", "dominators | group package: sum retained": "", "objects | head 1 | sum retained": "",
            "classes | head 1 | sum retained": "", "objects | group package: sum shallow": "", "objects | group package: max retained": "",
            "objects | select retained | sum retained": ""}
    return ["%s: %r" % (q, lang.ask("heap", q).err) for q, t in want.items() if lang.ask("heap", q).err != t]


def main():
    build, scratch = sys.argv[1:]
    lang, tap = Lang(answers.Program(os.path.join(build, "icecore")), scratch), Tap()
    attempt(tap, "slowrows.py agrees with sqlite3", lambda: slowrows.selftest() or [])
    sampled.tell()
    for row in sampled.turns(ROWS):
        name = "%s of %s: " % (row[1], row[0])
        attempt(tap, name + "aggregates", aggregates, lang, *row)
        attempt(tap, name + "top and head per key", tops, lang, *row)
        attempt(tap, name + "buckets", buckets, lang, *row)
        if row[3] in ("method", "thread", "class"):
            attempt(tap, name + "conditions", conditions, lang, *row)
    for row in SPLIT:
        attempt(tap, "%s of %s: split" % row[::-1], splits, lang, *row)
    for row in HINTS:
        attempt(tap, "hint: " + row[0], hints, lang, *row)
    attempt(tap, "queries to try", tried, lang)
    attempt(tap, "what means the same", same, lang)
    attempt(tap, "notes", notes, lang)
    attempt(tap, "in (QUERY)", near_empty, lang)
    attempt(tap, "union", unions, lang)
    attempt(tap, "bare names of classes", bare_names, lang)
    attempt(tap, "matches in another case", case_notes, lang)
    attempt(tap, "share(EXPRESSION)", shares, lang)
    attempt(tap, "packages", packages, lang)
    attempt(tap, "shares of the total", percents, lang)
    attempt(tap, "sums of retained sizes", overlaps, lang)
    told = set()
    for kind, files in (("trace", ("trace",)), ("sched", ("sched",)), ("heap", ("heap", "phone")), ("heap", ("phone",))):
        asked.ask_all(tap, attempt, lang.program, answers.differ, kind, [os.path.join(DEMO, FILES[f]) for f in files], told)
    tap.ok("all 25 questions have an answer", ["not %s" % sorted(set(range(1, 26)) - told)] if told != set(range(1, 26)) else [])
    tap.end()


if __name__ == "__main__":
    main()
