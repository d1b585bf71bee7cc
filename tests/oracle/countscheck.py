#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""countscheck.py BUILD SCRATCH - class histograms and reports of native memory against a second reader, as TAP: random texts, damaged ones,
and the kept inputs, truncated at each line and within lines."""
import collections
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402
from sampled import sampled, seeds, tell  # noqa: E402

CORPUS = os.path.join(HERE, "..", "fuzz", "corpus", "counts")
HEADS = ("num +#instances +#bytes", "num[ \t]+#instances\t#bytes", "num +object count +total size", "MT +Count +TotalSize")
HEAD = re.compile("(?P<prefix>.*?)[ \t]*(?:%s)" % "|".join(HEADS))
PRIMITIVES = dict(zip("ZCFDBSIJ", ("boolean", "char", "float", "double", "byte", "short", "int", "long")))
UNITS = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
SEEDS = 60


def class_of(text):
    """Name and module of a class as a JVM writes it."""
    m = re.fullmatch(r"(.*?) \((.*)\)", text)
    name, module = m.groups() if m else (text, "")
    m = re.fullmatch(r"(\[+)(?:([ZCFDBSIJ])|L(.+);)", name)
    return ((PRIMITIVES[m.group(2)] if m.group(2) else m.group(3)) + "[]" * len(m.group(1)) if m else name), module


class Histogram:
    def __init__(self, when):
        self.when, self.rows, self.total, self.rank = when, [], None, 0

    def sums(self):
        return tuple(sum(r[i] for r in self.rows) for i in (1, 2))

    def whole(self):
        return self.total is not None and self.sums()[:len(self.total)] == self.total


def like(prefix):
    """Lines of the same log: digits and blanks may be more or fewer."""
    return re.compile(re.sub(r"(?:\\ )+", " *", re.sub(r"\d+", r"\\d+", re.escape(prefix))) + " ?")


def number(text):
    return int(re.sub(r"[,.'\u00a0\u202f\u2019]", "", text))


def histograms_of(data):
    """All histograms with rows, and the numbers of lost rows and of histograms that do not add up."""
    found, lost, bad, now, prefix, dotnet, openj9, when = [], 0, 0, None, None, False, False, ""
    lines = data.split("\n")
    ends = [True] * (len(lines) - 1) + [False]
    if lines[-1] == "":
        lines.pop()

    def end():
        nonlocal now, bad
        if now is not None:
            bad += not now.whole() if now.rows else now.total is None or now.total[0] > 0
            found.extend([now] if now.rows else [])
        now = None

    for line, ended in zip(lines, ends):
        line = line[:-1] if line.endswith("\r") else line
        m = HEAD.match(line)
        if m:
            end()
            prefix = m.group("prefix")
            when = re.match(r"(\[.*?\])?", prefix).group() or prefix.strip(" \t")[:64] or when
            now, dotnet, openj9, when = Histogram(when), "TotalSize" in line, "object count" in m.group(), ""
            continue
        rest = line
        if now is not None and prefix:
            m = like(prefix).match(line)
            rest = line[m.end():] if m else None
        if now is not None and rest is not None:
            s = rest.strip(" \t")
            m = re.match(r"Total[ \t]*:?[ \t]*([\d,]+)(?:[ \t]*objects)?,?[ \t]*([\d,]+)?", s)
            if m:
                now.total = tuple(number(x) for x in m.groups() if x)
                end()
                continue
            if dotnet and re.match(r"[0-9a-fA-F]+[ \t]+\d", s):
                m = re.match(r"[0-9a-fA-F]+[ \t]+([\d,]+)[ \t]+([\d,]+)[ \t]+(.+)$", s)
                if m and ended:
                    now.rows.append((m.group(3), number(m.group(1)), number(m.group(2))))
                else:
                    lost += 1
                continue
            m = re.match(r"(\d+):?[ \t]+(\d+)[ \t]+(\d+)[ \t]+(.+)$", s)
            if not dotnet and (re.match(r"\d+:[ \t]", s) or (m and openj9)):
                if not m or not ended:
                    lost += 1
                    now.rank += 1
                    continue
                rank = int(m.group(1))
                if rank == 1 and now.rank > 0:
                    end()
                    now = Histogram("")
                lost += max(0, rank - now.rank - 1)
                now.rank = rank
                now.rows.append((m.group(4), int(m.group(2)), int(m.group(3))))
                continue
        if re.search(r"\d:\d\d:\d\d", line) and len(line) <= 64:
            when = line.strip(" \t")
    end()
    return found, lost, bad


def growth_of(found):
    """By class: first and last objects and bytes, how many histograms have it and how often its bytes rose."""
    by = [collections.OrderedDict() for _ in found]
    names = collections.OrderedDict()
    for h, sums in zip(found, by):
        for name, objects, size in h.rows:
            old = sums.get(name, (0, 0))
            sums[name] = (old[0] + objects, old[1] + size)
            names[name] = None
    rows = []
    for name in names:
        each = [sums.get(name, (0, 0)) for sums in by]
        rises = sum(b[1] > a[1] for a, b in zip(each, each[1:]))
        rows.append(class_of(name) + each[-1] + each[0] + (sum(name in sums for sums in by), rises))
    return rows


def compare_histograms(program, path, data, *options):
    found, lost, bad = histograms_of(data)
    a = program.ask(path, "counts | select histogram name module objects shallow",
                    "histograms | select id when classes objects shallow whole",
                    "growth | select name module objects shallow objects_before shallow_before histograms rises",
                    "classes | select name module objects shallow", "info | where field ~ /^loss/ and field != loss.reason", options=("--no-index", *options))
    if not found:
        return [] if a.code == 5 else ["exit status %d without a class" % a.code]
    t = [[tuple(r.values()) for r in x.rows] for x in a.tables()]
    growth = growth_of(found)
    want = [[(str(i), *class_of(r[0]), str(r[1]), str(r[2])) for i, h in enumerate(found, 1) for r in h.rows],
            [(str(i), h.when, str(len(h.rows)), *map(str, h.sums()), "true" if h.whole() else "false") for i, h in enumerate(found, 1)],
            [tuple(map(str, r)) for r in growth] if len(found) > 1 else [], [tuple(map(str, r[:4])) for r in growth if r[2] or r[3]]]
    wrong = []
    for name, w, g in zip(("counts", "histograms", "growth", "classes"), want, t):
        if w != g:
            wrong += [name] + ["%s, not %s" % (y, x) for x, y in zip(w, g) if x != y][:3] + ["%d rows, not %d" % (len(g), len(w))]
    losses = {r[0]: int(r[1]) for r in t[4]}
    if (losses.get("loss.histogram_rows", 0), losses.get("loss.histograms", 0)) != (lost, bad):
        wrong.append("%s, not %d rows and %d histograms" % (losses, lost, bad))
    if (a.code == 3) != bool(lost or bad) or a.code not in (0, 1, 3):
        wrong.append("exit status %d" % a.code)
    return wrong


# ---- reports ---------------------------------------------------------------------------------------

def size(text):
    m = re.match(r"([+-]?\d+)(KB|MB|GB|B|)", text)
    return int(m.group(1)) * UNITS[m.group(2)]


SIZE = r"(\d+(?:KB|MB|GB|B|))(?: ([+-]\d+(?:KB|MB|GB|B|)))?"


def reports_of(data):
    """The categories and the call sites of each report."""
    reports, map_open, stack = [], False, []
    for line in data.split("\n")[:-1]:
        s = line.strip(" \t\r")
        if s == "Native Memory Tracking:":
            reports.append(([], []))
            map_open, stack = False, []
        elif re.match(r"(\d+:)?\s*$|num ", s) and s != "":
            map_open = False
        if not reports:
            continue
        if s == "Virtual memory map:":
            map_open = True
        elif s.startswith("Details:"):
            map_open = False
        m = re.match(r"- +(\S.*?) \(reserved=%s, committed=%s" % (SIZE, SIZE), s)
        if m:
            reports[-1][0].append([m.group(1), size(m.group(2)), size(m.group(4)), size(m.group(5) or "0"), 0, 0, 0, 0, 0])
            continue
        if re.match(r"\[0x[0-9a-f]+\]", s):
            stack = stack + [s] if not map_open else []
            continue
        if stack and s.startswith("("):
            m = re.search(r"committed=%s" % SIZE, s) or re.match(r"\(+(?:malloc=|arena=)?%s" % SIZE, s)
            category = re.search(r"(?:[Tt]ype|[Tt]ag)=([A-Za-z ]+?)(?= [+(#-]|\)| \()", s + " (")
            change = m.group(2) or (re.search(r"(?:[Tt]ype|[Tt]ag)=[A-Za-z ]+ ([+-]\d+(?:KB|MB|GB|B)?)", s) or [0, "0"])[1]
            count = re.search(r"#(\d+)", s)
            reserved = re.search(r"reserved=(\d+(?:KB|MB|GB|B|))", s)
            name = re.sub(r"\+0x.*", "", stack[0].partition("]")[2]).strip()
            reports[-1][1].append((size(m.group(1)), int(count.group(1)) if count else 0, category.group(1).strip() if category else "", name,
                                   size(reserved.group(1)) if reserved else 0, size(change)))
            stack = []
        elif reports[-1][0] and not stack and not reports[-1][1] and not map_open:
            k = reports[-1][0][-1]
            for at, pattern in ((4, r"\(malloc=%s" % SIZE), (7, r"\(arena=%s" % SIZE), (6, r"\((?:mmap|stack): .*?committed=%s" % SIZE)):
                m = re.match(pattern, s)
                k[at] += size(m.group(1)) if m else 0
                count = re.search(r"#(\d+)", s)
                k[5] += int(count.group(1)) if m and at == 4 and count else 0
            m = re.match(r"\((?:classes|threads?) #(\d+)", s)
            k[8] = int(m.group(1)) if m else k[8]
    return reports


def compare_reports(program, path, data):
    reports = [r for r in reports_of(data) if r[0] or r[1]]
    if not any(r[0] for r in reports) and not histograms_of(data)[0]:
        a = program.ask(path, "info", options=("--no-index",))
        return [] if a.code == 5 else ["exit status %d without a category" % a.code]
    if not any(r[0] for r in reports):
        return []
    a = program.ask(path, "native_memory | select name reserved committed malloc mallocs mmap arena count committed_delta",
                    "native_sites | select bytes count category function reserved bytes_delta", options=("--no-index",))
    t = [[tuple(x or "0" if i != (0 if n == 0 else 2) else x for i, x in enumerate(r.values())) for r in table.rows] for n, table in enumerate(a.tables())]
    changes = any(k[3] for r in reports for k in r[0])
    first = {k[0]: k[2] for k in reports[0][0]}
    want = []
    for k in reports[-1][0]:
        change = k[3] if changes else k[2] - first.get(k[0], 0) if len(reports) > 1 else 0
        want.append((k[0], *map(str, (k[1], k[2], *k[4:], change))))
    sites = [(str(s[0]), str(s[1]), s[2], s[3], str(s[4]), str(s[5])) for s in reports[-1][1]]
    return ["%s, not %s" % (y, x) for w, g in ((want, t[0]), (sites, t[1])) for x, y in zip(w + [None] * len(g), g + [None] * len(w)) if x != y][:6]


# ---- texts -----------------------------------------------------------------------------------------

WORDS = ("[B", "[I", "[[J", "[Ljava.lang.Object;", "java.lang.String", "com.example.Cache$Entry", "a.b.C$$Lambda/0x00007f", "Order", "<methodKlass>")


def class_names(r, n):
    names = [w + (" (java.base@17.0.9)" if r.random() < 0.4 else "") for w in WORDS]
    return r.choices(names + ["x.C%d" % i for i in range(n)], k=n)


def random_histogram(r, form, eol):
    rows = sorted(((r.randrange(10 ** r.randrange(1, 9)), r.randrange(10 ** r.randrange(1, 12)), c) for c in class_names(r, r.randrange(1, 12))),
                  key=lambda x: -x[1])
    total = tuple(sum(x[i] for x in rows) for i in (0, 1))
    prefix = r.choice(("", "", "[%d.%03ds][trace][gc,classhisto     ] GC(%d) " % (r.randrange(99), r.randrange(999), r.randrange(9)), "2026-11-29T01:02:03.4Z app | "))
    if form == "dotnet":
        lines = ["Statistics:", "              MT    Count    TotalSize Class Name"] + ["%016x %8d %12d %s" % (r.getrandbits(48), *x) for x in rows]
        lines.append("Total %d objects" % total[0])
        prefix = ""
    elif form == "dotnet_new":
        lines = ["Statistics:", "          MT  Count TotalSize Class Name"] + ["%12x %8s %12s %s" % (r.getrandbits(40), format(x[0], ","), format(x[1], ","), x[2]) for x in rows]
        lines.append("Total {:,} objects, {:,} bytes".format(*total))
        prefix = ""
    elif form == "jhsdb":
        lines = ["Object Histogram:", "", "num \t  #instances\t#bytes\tClass description", "-" * 74] + ["%d:\t\t%d\t%d\t%s" % (i, *x) for i, x in enumerate(rows, 1)]
        lines.append("Total : \t %d\t %d" % total)
        prefix = ""
    else:
        head = " num   object count     total size    class name" if form == "openj9" else " num     #instances         #bytes  class name (module)"
        row = "%5d %14d %14d    %s" if form == "openj9" else "%4d: %13d %14d  %s"
        lines = [head, "-" * 55] + [row % (i, *x) for i, x in enumerate(rows, 1)] + ["Total %13d %14d" % total]
    return [prefix + line + eol for line in lines]


def random_text(r):
    """Histograms of one form among other lines."""
    form, eol = r.choice(("jcmd", "jcmd", "dotnet", "dotnet_new", "jhsdb", "openj9")), r.choice(("\n", "\n", "\r\n"))
    out = []
    for _ in range(r.randrange(1, 5)):
        out += r.choice(([], ["4711:" + eol], ["$ jcmd 4711 GC.class_histogram" + eol, "2026-11-29 10:%02d:%02d" % (r.randrange(60), r.randrange(60)) + eol],
                         ["Sun Nov 29 01:02:%02d UTC 2026" % r.randrange(60) + eol, "4711:" + eol], ["any text: 12" + eol, eol]))
        out += random_histogram(r, form, eol)
    return out


def damage(r, lines):
    lines = list(lines)
    for _ in range(r.randrange(3)):
        at = r.randrange(len(lines))
        kind = r.randrange(4)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, r.choice(("[9.1s][info][gc] other\n", "hello\n", "\n", "   7: x y z\n")))
        elif kind == 2:
            lines[at] = lines[at][:r.randrange(len(lines[at]))] + "\n"
        else:
            lines[at] = re.sub(r"\d", lambda m: r.choice("0123456789"), lines[at], count=1) if not re.match(r".*\d:", lines[at]) else lines[at]
        if not lines:
            break
    return lines


def check_random(program, path, damaged):
    # So little may be left that another format has such lines, too.
    bad, options = [], ("--as", "counts") if damaged else ()
    for seed in seeds(SEEDS):
        r = random.Random(seed * 2 + damaged)
        lines = random_text(r)
        data = "".join(damage(r, lines) if damaged else lines)
        if damaged and r.random() < 0.5:
            data = data[:r.randrange(len(data) + 1)]
        if not any(HEAD.match(line) for line in data.split("\n")):
            continue
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(data)
        bad += ["seed %d: %s" % (seed, x) for x in compare_histograms(program, path, data, *options)]
        if bad:
            break
    return bad


def check_kept(program, path, name):
    with open(os.path.join(CORPUS, name), encoding="utf-8", newline="") as f:
        lines = f.read().splitlines(keepends=True)
    bad = []
    for n in sampled(range(1, len(lines) + 1), 3):
        for data in ("".join(lines[:n]), "".join(lines[:n])[:-(len(lines[n - 1]) // 2 + 1)]):
            if not any(HEAD.match(x) or "Native Memory Tracking:" in x for x in data.split("\n")):
                continue
            with open(path, "w", encoding="utf-8", newline="") as f:
                f.write(data)
            wrong = compare_histograms(program, path, data) if histograms_of(data)[0] and not reports_of(data) else []
            wrong += compare_reports(program, path, data) if reports_of(data) else []
            bad += ["%d lines, %d bytes: %s" % (n, len(data), x) for x in wrong]
        if bad:
            break
    return bad


def main(argv):
    program, tap, path = answers.program_of(argv[1]), Tap(), os.path.join(argv[2], "text")
    tell()
    attempt(tap, "random histograms", check_random, program, path, False)
    attempt(tap, "damaged histograms", check_random, program, path, True)
    for name in sorted(os.listdir(CORPUS)):
        attempt(tap, name + ", truncated", check_kept, program, path, name)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
