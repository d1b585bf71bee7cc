#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""table.py - CSV, TSV and JSON lines, read slowly: what tablecheck.py compares icecore with."""
import cells
import datetime
import decimal
import json
import re
import statistics
from collections import Counter
from decimal import Decimal
from fractions import Fraction

decimal.getcontext().prec = 80
DECIMALS = json.JSONDecoder(parse_float=Decimal, parse_int=Decimal)
SEPS = [",", "\t", ";", "|"]

def decode(b):
    if b[:3] == b"\xef\xbb\xbf": return b[3:].decode("utf-8", "replace"), "utf-8-bom"
    if b[:2] == b"\xff\xfe": return b[2:].decode("utf-16-le", "replace"), "utf-16le"
    if b[:2] == b"\xfe\xff": return b[2:].decode("utf-16-be", "replace"), "utf-16be"
    try: return b.decode("utf-8"), "ascii" if all(c < 128 for c in b) else "utf-8"
    except UnicodeDecodeError: return "".join(bytes([c]).decode("cp1252") if c not in (0x81, 0x8d, 0x8f, 0x90, 0x9d) else chr(c) for c in b), "windows-1252"

def records(s, sep, bad, quote='"'):
    """RFC 4180 with repairs; yields (line, [(field, was_quoted)])"""
    i, n, line = 0, len(s), 1
    while i < n:
        row, start, first = [], line, i
        while True:
            q = False
            if quote and i < n and s[i] == quote:
                q, j, buf = True, i + 1, []
                while True:
                    k = s.find(quote, j)
                    if k < 0: break
                    if s[k+1:k+2] != quote: buf.append(s[j:k]); j = k + 1; break
                    buf.append(s[j:k+1]); j = k + 2
                if k < 0: bad["unclosed_quote"] += 1; buf, j, q = [], i, False      # the quote is a character
                k = j
                while k < n and s[k] not in "\r\n" and s[k] != sep: k += 1
                if q and k > j: bad["stray_quote"] += 1
                buf.append(s[j:k])
                f = "".join(buf); line += s.count("\n", i, j); i = k
            else:
                j = i
                while j < n and s[j] not in "\r\n" and s[j] != sep: j += 1
                f, i = s[i:j], j
            row.append((f, q))
            if i < n and s[i] == sep: i += 1; continue
            break
        if i < n:
            i += 2 if s[i:i+2] == "\r\n" else 1
            line += 1
        if len(row) == 1 and not row[0][0].strip() and not row[0][1]: continue
        yield start, row

def plain(v):
    """numbers as numbers"""
    return {k: plain(x) for k, x in v.items()} if isinstance(v, dict) else [plain(x) for x in v] if isinstance(v, list) else \
        int(v) if isinstance(v, Decimal) else v


def sniff_sep(s):
    """the separator whose records agree most: see tables.md 3"""
    head = s[:65536]
    if len(s) > 65536: head = head[:head.rfind("\n") + 1] or head
    best = (-1.0, 0, ",")
    for rank, sep in enumerate(SEPS):
        rows = [len(r) for _, r in records(head, sep, dict.fromkeys(("unclosed_quote", "stray_quote"), 0))][:200]
        wide = [w for w in rows if w > 1]
        if not wide: continue
        mode = max(set(wide), key=lambda w: (wide.count(w), w))
        score = wide.count(mode) / len(rows)
        best = max(best, (round(score, 4), -rank, sep)) if (round(score, 4), -rank) != best[:2] else best
    return best[2] if best[0] >= 0 else ","

NUM = re.compile(r"^[+-]?[0-9][0-9.,'\u00a0\u202f ]*[+-]?$|^[+-]?[.,][0-9]+$")
def number(t, mark):
    """exact Decimal or None; mark is the decimal mark of the column"""
    t = t.strip().replace("\u2212", "-")
    neg = False
    if t[:1] == "(" and t[-1:] == ")": neg, t = True, t[1:-1].strip()
    t = re.sub(r"^([+-]?)\s*(?:[$\u20ac\u00a3\u00a5]|[A-Z]{3}|R\$)\s*([+-]?)", r"\1\2", t)
    t = re.sub(r"\s*(?:[$\u20ac\u00a3\u00a5%]|[A-Z]{3})$", "", t)
    m = re.match(r"^([+-]?)([0-9.,'\u00a0\u202f ]+)([+-]?)$", t)
    e = re.match(r"^[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,3}$", t)
    if e and mark == ".": d = Decimal(t); return -d if neg else d
    if not m or (m.group(1) and m.group(3)): return None
    body = m.group(2).strip(); other = "," if mark == "." else "."
    if body.count(mark) > 1 or (mark in body and other in body[body.index(mark):]): return None
    whole, _, frac = body.partition(mark)
    groups = re.split(r"[ '\u00a0\u202f%s]" % re.escape(other), whole)
    if len(groups) > 1 and (not 1 <= len(groups[0]) <= 3 or any(len(g) != 3 for g in groups[1:])): return None
    if not re.match(r"^[0-9]*$", frac) or not (frac or groups != [""]) or not all(g.isdigit() or groups == [""] for g in groups): return None
    d = Decimal(("".join(groups) or "0") + ("." + frac if frac else ""))
    return -d if (m.group(1) == "-" or m.group(3) == "-") != neg else d
def decimal_mark(values):
    """one mark per column, from the values that prove one; tables.md 5"""
    dot = comma = weak = 0
    for v in values:
        t = re.sub(r"[^0-9.,]", "", v)
        a, b = t.rfind("."), t.rfind(",")
        if a >= 0 and b >= 0: dot, comma = dot + (a > b), comma + (b > a)
        elif t.count(".") == 1 and len(t) - a - 1 != 3: dot += 1
        elif t.count(",") == 1 and len(t) - b - 1 != 3: comma += 1
        elif t.count(".") > 1: comma += 1
        elif t.count(",") > 1: dot += 1
        elif b >= 0: weak += 1
    return "," if comma > dot else "."
DATE = [(re.compile(p), o) for p, o in ((r"^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$", "ymd"), (r"^(\d{4})(\d\d)(\d\d)$", "ymd"), (r"^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].*)?$", "dmy"))]
def date_order(values):
    """ymd where no year is last; else mdy only if a second part is above 12, and no first one"""
    parts = [tuple(map(int, m.groups()[:2])) for m in (DATE[2][0].match(v.strip()) for v in values) if m]
    return "ymd" if not parts else "mdy" if all(a <= 12 for a, _ in parts) and any(b > 12 for _, b in parts) else "dmy"
def day(v, order):
    for r, o in DATE:
        m = r.match(v.strip())
        if m:
            a, b, c = map(int, m.groups()); o = order if o == "dmy" else o
            y, mo, d = (a, b, c) if o == "ymd" else (c, b, a) if o == "dmy" else (c, a, b)
            if 1 <= mo <= 12 and 1 <= d <= [31, 29 if y % 4 == 0 and (y % 100 or y % 400 == 0) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][mo-1]: return "%04d-%02d-%02d" % (y, mo, d)
    return ""
def kind(values):
    v = [x.strip() for x in values if x.strip()]
    if not v: return "empty"
    mark, order = decimal_mark(v), date_order(v)
    if all(day(x, order) for x in v): return "date"
    if all(number(x, mark) is not None for x in v): return "code" if codes(v) else "number"
    return "text"
def codes(v):
    """digits alone, some with a zero in front: texts"""
    return all(re.fullmatch("[0-9]+", x) and int(x) < 2**64 for x in v) and any(len(x) > 1 and x[0] == "0" for x in v)

def load(path, sep=None, header=None):
    raw = open(path, "rb").read()
    s, charset = decode(raw)
    bad = dict(unclosed_quote=0, stray_quote=0, short=0, long=0, bad_json=0, nul=s.count("\0"), preamble=0)
    s = s.replace("\0", "")
    first = s.lstrip()[:1]
    if first in "{[" and first:
        rows, names = [], []
        for n, l in enumerate(s.split("\n"), 1):
            l = l.strip().rstrip(",") if first == "[" else l.strip()
            if l in ("", "[", "]"): continue
            try: o = DECIMALS.decode(l)
            except (ValueError, RecursionError): bad["bad_json"] += 1; continue
            if not isinstance(o, dict): bad["bad_json"] += 1; continue
            flat = {}
            def put(p, v, depth=0):
                if isinstance(v, dict) and depth < 8:
                    for k, x in v.items(): put(p + "." + k if p else k, x, depth + 1)
                else: flat[p] = "" if v is None else ("true" if v else "false") if isinstance(v, bool) else json.dumps(plain(v)) if isinstance(v, (list, dict)) else str(v)
            put("", o)
            for k in flat:
                if k not in names: names.append(k)
            rows.append((n, flat))
        return names, [(n, [f.get(k, "") for k in names]) for n, f in rows], dict(kind="jsonl", sep="", charset=charset, header="yes"), bad
    m = re.match(r"sep=(.)\r?\n", s)
    if m: sep = sep or m.group(1); s = s[m.end():]
    sep = sep or sniff_sep(s)
    recs = [(n, [f for f, q in r]) for n, r in records(s, sep, bad)]
    if not recs: return [], [], dict(kind="csv", sep=sep, charset=charset, header="no"), bad
    widths = [len(r) for _, r in recs]
    mode = max(set(widths), key=lambda w: (widths.count(w), w))
    while recs and len(recs[0][1]) != mode and len(recs[0][1]) < mode: recs.pop(0); bad["preamble"] += 1
    top = recs[0][1] if recs else []
    if header is None:
        rest = list(zip(*[(r + [""] * mode)[:mode] for _, r in recs[1:201]])) or [()] * mode
        texty = all(number(x, ".") is None and not day(x, "dmy") for x in top if x.strip()) and any(x.strip() for x in top)
        header = texty and (len(set(top)) == len(top)) and (any(kind(c) in ("number", "date", "code") for c in rest) or not any(x in c for x, c in zip(top, rest) if x.strip()))
    names = [x.strip() or "c%d" % (i + 1) for i, x in enumerate(top)] if header else ["c%d" % (i + 1) for i in range(mode)]
    rows = []
    for n, r in (recs[1:] if header else recs):
        if len(r) < len(names): bad["short"] += 1; r = r + [""] * (len(names) - len(r))
        if len(r) > len(names): bad["long"] += 1; r = r[:len(names)]
        rows.append((n, r))
    return names, rows, dict(kind="csv", sep={"\t": "tab"}.get(sep, sep), charset=charset, header="yes" if header else "no"), bad

def column(names, x):
    """the index of the column that a word means, or None"""
    if x in names:
        return names.index(x)
    low = [i for i, n in enumerate(names) if n.lower() == x.lower()]
    if len(low) == 1:
        return low[0]
    return int(x) - 1 if re.match(r"^[0-9]+$", x) and 1 <= int(x) <= len(names) else None


HEAD, PARTS, TOP = 200, 20, 5

def numbers_of(values, mark=None):
    """numbers among words, which do not vote on the decimal mark"""
    mark = mark or decimal_mark([x for x in values if number(x, ".") is not None or number(x, ",") is not None])
    return [x.quantize(Decimal("1e-18"), decimal.ROUND_HALF_UP).normalize() for x in (number(x, mark) for x in values) if x is not None and fits(x)]

def fits(x):
    """18 decimals and 38 digits are read"""
    return len(str(abs(int(x.normalize().scaleb(min(18, max(0, -x.normalize().as_tuple().exponent))))))) <= 38

def likely_number(values):
    """whether the records show the column as numbers"""
    v = [x.strip() for x in values[:HEAD] if x.strip()]
    k = kind(v)
    return k == "number" or (k == "text" and 2 * len(numbers_of(v)) > len(v))

TIME = re.compile(r"^[T ]\s*(\d{1,2}):(\d\d)(?::(\d{0,2}))?(?:[.,](\d*))?\s*([aApP][mM])?\s*(?:([+-])(\d\d):?(\d{0,2}))?")
def instant(text, order):
    """ns since the year 1"""
    text = text.strip()
    y, mo, d = map(int, day(text, order).split("-"))
    ns = datetime.date(y, mo, d).toordinal() * 86400 * 10**9
    rest = re.sub(r"^[0-9]+(?:[-/.][0-9]+[-/.][0-9]+)?", "", text)
    m = TIME.match(rest)
    if m:
        h = int(m.group(1))
        if m.group(5): h = h % 12 + 12 * (m.group(5).lower() == "pm")
        ns += ((h * 60 + int(m.group(2))) * 60 + int(m.group(3) or 0)) * 10**9 + int(((m.group(4) or "") + "0" * 9)[:9])
        if m.group(6): ns -= int(m.group(6) + "1") * (int(m.group(7)) * 60 + int(m.group(8) or 0) % 60) * 60 * 10**9
    return ns

def bars(numbers):
    """digits of the nearest eighth of the most: records in 20 equal parts"""
    low, high = min(numbers), max(numbers)
    if low == high: return ""
    count = [0] * PARTS
    for x in numbers: count[min(int((Fraction(x) - Fraction(low)) * PARTS / (Fraction(high) - Fraction(low))), PARTS - 1)] += 1
    return "".join(str(n and 1 + sum(1000 * n >= step * max(count) for step in cells.STEPS)) for n in count)

def cut(text, most):
    b = text.encode("utf-8", "replace")
    return text if len(b) <= most else b[:most].decode("utf-8", "ignore")

def statistic(values, words=None):
    """min, median, max, histogram and top; numbers are Decimals; words: numbers among words are words, or have that decimal mark"""
    v = [x.strip() for x in values if x.strip()]
    k = kind(v)
    counts = Counter(x for x in values if x.strip())
    top = sorted((x for x in counts if counts[x] > 1), key=lambda x: -counts[x])[:TOP]
    top = ", ".join("%s%s (%d)" % (cut(x.strip(), 40), "..." if len(x.strip().encode()) > 40 else "", counts[x]) for x in top)
    if not v: return "", "", "", "", ""
    if k == "number" or (k == "text" and (words or "") in ".," and (words or likely_number(values))):
        n = numbers_of(v, k == "text" and words)
        if not n: return "", "", "", "", top
        return min(n), statistics.median(n), max(n), bars(n), top
    if k == "date":
        order = date_order(v)
        first = {x: i for i, x in reversed(list(enumerate(v)))}
        by = sorted(v, key=lambda x: (instant(x, order), first[x]))
        return by[0], statistics.median_low([(instant(x, order), first[x], x) for x in v])[2], \
            min(v, key=lambda x: (-instant(x, order), first[x])), bars([instant(x, order) for x in v]), top
    by = sorted((cut(x, 200) for x in v), key=lambda x: x.encode("utf-8", "replace"))
    return by[0], "", by[-1], "", top

def columns(names, rows):
    """name, kind, decimal mark or order, empty, distinct, statistic, and others if words are among the numbers"""
    for i, n in enumerate(names):
        v = [r[i] for _, r in rows]
        k = kind(v).replace("code", "text")
        yield (n, k, decimal_mark([x for x in v if x.strip()]) if k == "number" else date_order(v) if k == "date" else "",
               sum(not x.strip() for x in v), len(set(v)), statistic(v), *(statistic(v, words) for words in ("words", ".", ",")))


def element(text, how, order):
    if how in ("year", "month", "day"):
        d = day(text, order)
        return [d[:{"year": 4, "month": 7, "day": 10}[how]] or "(no date)"]
    pieces = [text] if how == "" else text.split(how)
    names = [re.sub(r"\s+", " ", x).strip() for x in pieces]
    whole = re.sub(r"\s+", " ", text).strip() or "(empty)"
    return [x for x in names if x] or [whole]


def paths(names, rows, path, weight=None, decimal=None):
    """(path: count, in, out), and records without a weight; path: pairs of a column and '', year, month, day or a separator"""
    mark = decimal or (decimal_mark([r[weight] for _, r in rows if r[weight].strip()]) if weight is not None else ".")
    order = {c: date_order([r[c] for _, r in rows]) for c, _ in path}
    out, no = {}, 0
    for _, r in rows:
        x = number(r[weight], mark) if weight is not None else Decimal(1)
        if x is None:
            no += 1
            continue
        key = tuple(e for c, how in path for e in element(r[c], how, order[c]))
        t = out.setdefault(key, [0, Decimal(0), Decimal(0)])
        t[0] += 1
        t[1 if x >= 0 else 2] += abs(x)
    return out, no
