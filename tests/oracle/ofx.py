#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""ofx.py FILE: what OFX says, slowly: the whole text as a tree, and searches in it."""
import os, re, sys
from decimal import Decimal, getcontext
getcontext().prec = 80
HERE = os.path.dirname(os.path.abspath(__file__))

def text_of(b):
    if b[:3] == b"\xef\xbb\xbf": return b[3:].decode("utf-8", "replace")
    if b[:2] in (b"\xff\xfe", b"\xfe\xff"): return b.decode("utf-16", "replace")
    try: return b.decode("utf-8")
    except UnicodeDecodeError: return "".join(bytes([c]).decode("cp1252") if c not in (0x81, 0x8d, 0x8f, 0x90, 0x9d) else chr(c) for c in b)
ENT = re.compile(r"&(?:(lt|gt|amp|nbsp|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
def unescape(s):
    def one(m):
        if m.group(1): return {"lt": "<", "gt": ">", "amp": "&", "nbsp": " ", "quot": '"', "apos": "'"}[m.group(1)]
        n = int(m.group(2)) if m.group(2) else int(m.group(3), 16)
        return chr(n) if 0 < n < 0x110000 and not 0xd800 <= n < 0xe000 else m.group(0)
    return ENT.sub(one, s)
OPEN = re.compile(r"<([A-Za-z_][A-Za-z0-9_.\-:]*)([^<>]*)>")
SHUT = re.compile(r"</\s*([A-Za-z_][A-Za-z0-9_.\-:]*)\s*>")
def tokens(s):
    i, n = s.find("<"), len(s)
    if i < 0: return
    while i < n:
        if s.startswith("<![CDATA[", i):
            j = s.find("]]>", i); yield "raw", s[i+9:j if j >= 0 else n]; i = j + 3 if j >= 0 else n; continue
        if s.startswith("<!--", i): j = s.find("-->", i); i = j + 3 if j >= 0 else n; continue
        if s.startswith(("<!", "<?"), i): j = s.find(">", i); i = j + 1 if j >= 0 else n; continue
        m = OPEN.match(s, i)
        if m: yield "open", m.group(1).upper(); i = m.end()
        if m and m.group(2).endswith("/"): yield "close", m.group(1).upper()
        if m: continue
        m = SHUT.match(s, i)
        if m: yield "close", m.group(1).upper(); i = m.end(); continue
        j = i + 1
        while j < n and not (s[j] == "<" and j + 1 < n and re.match(r"[A-Za-z_/!?]", s[j+1])): j += 1
        yield "text", unescape(s[i:j]); i = j

class Node:
    def __init__(self, name): self.name, self.kids, self.text = name, [], ""
    def find(self, *path):
        n = self
        for p in path:
            n = next((k for k in n.kids if k.name == p), None)
            if n is None: return None
        return n
    def val(self, *path):
        n = self.find(*path)
        return re.sub(r"[\s\u00a0]+", " ", n.text).strip() if n else ""
    def walk(self):
        todo = [self]
        while todo:
            n = todo.pop(); yield n; todo += reversed(n.kids)
SELF = {"STMTTRN", "ACCTINFO", "STOCKINFO", "MFINFO", "DEBTINFO", "OPTINFO", "OTHERINFO", "STMTTRNP", "LOANTRN"}
ENDS = {"LEDGERBAL": {"BANKTRANLIST", "STMTTRN"}, "AVAILBAL": {"BANKTRANLIST", "STMTTRN"}, "BALLIST": {"BANKTRANLIST", "STMTTRN"},
        "INVPOSLIST": {"INVTRANLIST", "INVPOSLIST"}, "INVBAL": {"INVTRANLIST", "INVPOSLIST"}, "INVOOLIST": {"INVTRANLIST", "INVPOSLIST"}}
def tree(s, aggs):
    root, st, c = Node(""), [], dict(implicit_close=0, stray_close=0, hoisted=0, stray_text=0)
    st = [root]
    def pop(explicit):
        n = st.pop()
        if explicit: return
        if not n.text.strip() and n.kids and n.name not in aggs and len(st) >= 1:
            k = n.kids; n.kids = []; st[-1].kids += k; c["hoisted"] += 1
        elif n.kids: c["implicit_close"] += 1
    for kind, v in tokens(s):
        if kind == "open":
            if len(st) > 1 and st[-1].text.strip() and not st[-1].kids: st.pop()
            if v in SELF and st[-1].name == v: pop(False)
            if v in ENDS:
                names = [n.name for n in st]
                k = next((i for i, x in enumerate(names) if x in ENDS[v]), None)
                if k is not None:
                    while len(st) > k: pop(False)
            n = Node(v); st[-1].kids.append(n); st.append(n)
        elif kind == "close":
            names = [n.name for n in st]
            if v not in names[1:]: c["stray_close"] += 1; continue
            while st[-1].name != v: pop(False)
            pop(True)
        elif v.strip() or st[-1].text:
            if len(st) == 1 or st[-1].kids: c["stray_text"] += bool(v.strip())
            else: st[-1].text += v
    while len(st) > 1: pop(False)
    return root, c

def amount(t):
    t = re.sub(r"[\s\u00a0\u202f]", "", t)
    m = re.match(r"^([+-]?)([0-9.,]*[0-9][0-9.,]*)([+-]?)$", t)
    if not m or (m.group(1) and m.group(3)): return None
    b, neg = m.group(2), "-" in (m.group(1), m.group(3))
    dots, commas = b.count("."), b.count(",")
    mark = None
    if dots and commas: mark = "." if b.rfind(".") > b.rfind(",") else ","
    elif dots == 1: mark = "."
    elif commas == 1: mark = ","
    if mark and b.count(mark) > 1: return None
    whole, frac = (b.rsplit(mark, 1) + [""])[:2] if mark else (b, "")
    if re.search(r"[.,]", frac): return None
    groups = re.split(r"[.,]", whole)
    if len(groups) > 1 and (not 1 <= len(groups[0]) <= 3 or any(len(g) != 3 for g in groups[1:])): return None
    d = Decimal(("".join(groups) or "0") + ("." + frac if frac else ""))
    if abs(int(d.normalize().scaleb(max(0, -d.normalize().as_tuple().exponent)))) >= 2 ** 127: return None
    return -d if neg else d
def show(d): return "" if d is None else format(d.normalize() if d else Decimal(0), "f")
STM = {"STMTRS": "BANK", "CCSTMTRS": "CREDITCARD", "INVSTMTRS": "INVESTMENT", "LOANSTMTRS": "LOAN"}
def statements(root):
    for n in root.walk():
        if n.name in STM:
            a = next((k for k in n.kids if k.name in ("BANKACCTFROM", "CCACCTFROM", "INVACCTFROM", "LOANACCTFROM")), Node(""))
            kind = (a.val("ACCTTYPE").upper() or "BANK") if n.name == "STMTRS" else STM[n.name]
            yield n, kind, a.val("BANKID") or a.val("BROKERID"), a.val("ACCTID") or a.val("LOANACCTID"), n.val("CURDEF")
def txns(st):
    """booked transactions only: STMTTRNP (pending) are rows of their own state"""
    for n in st.walk():
        if n.name in ("STMTTRN", "STMTTRNP"):
            payee = n.val("NAME") or n.val("PAYEE", "NAME") or n.val("MEMO") or ("check " + n.val("CHECKNUM") if n.val("CHECKNUM") else "(no payee)")
            yield n, ("pending" if n.name == "STMTTRNP" else "booked"), n.val("DTPOSTED") or n.val("DTTRAN"), (n.val("LOANTRNTYPE" if n.name == "LOANTRN" else "TRNTYPE").upper() or "(none)"), amount(n.val("TRNAMT")), payee
def day(t):
    m = re.match(r"(\d{4})(\d\d)(\d\d)", t)
    return "-".join(m.groups()) if m and 1 <= int(m.group(2)) <= 12 and 1 <= int(m.group(3)) <= 31 else ""

def aggregates():
    """Names with others in them, as the program lists them: what is read, not how."""
    with open(os.path.join(HERE, "..", "..", "src", "load", "money", "ofx_names.c")) as f:
        return set(re.findall(r'"([^"]+)"', f.read().split("ofx_leaves")[0]))


KINDS_LISTED = {"BANKACCTINFO": ("BANKACCTFROM", "BANK"), "CCACCTINFO": ("CCACCTFROM", "CREDITCARD"),
                "INVACCTINFO": ("INVACCTFROM", "INVESTMENT"), "LOANACCTINFO": ("LOANACCTFROM", "LOAN")}


def rows_of(path):
    """All rows: a list of dicts for each source, and the counts of repairs and losses."""
    with open(path, "rb") as f:
        root, c = tree(text_of(f.read()), aggregates())
    rows = {"accounts": [], "transactions": [], "balances": [], "balance_check": []}
    agg, merged, inside = {}, {}, set()
    for s, kind, bank, ident, cur in statements(root):
        key = "%s %s %s" % (kind, ident or "?", cur or "?")
        tx = list(txns(s)); booked = [x for x in tx if x[1] == "booked"]
        inside |= {id(x[0]) for x in tx}
        rows["accounts"].append(dict(kind=kind, bank=bank, id=ident, currency=cur, ledger=show(amount(s.val("LEDGERBAL", "BALAMT"))),
            ledger_asof=day(s.val("LEDGERBAL", "DTASOF")), available=show(amount(s.val("AVAILBAL", "BALAMT"))),
            transactions=str(len(booked)), pending=str(len(tx) - len(booked))))
        for n, state, d, ty, a, p in tx:
            own = n.val("CURRENCY", "CURSYM") or cur or "?"
            rows["transactions"].append(dict(account=key, state=state, date=day(d), month=day(d)[:7], year=day(d)[:4], type=ty,
                amount=show(a), payee=p, memo=n.val("MEMO"), fitid=n.val("FITID"), check=n.val("CHECKNUM"), currency=own))
            if state == "booked" and a is not None:
                for event in ("transactions", ("out " if a < 0 else "in ") + own):
                    at = (event, "\0".join((key, ty, p)))
                    agg[at] = agg.get(at, Decimal(0)) + (1 if event == "transactions" else abs(a))
        def balance(name, value, asof):
            rows["balances"].append(dict(account=key, name=name, amount=show(amount(value)), asof=day(asof)))
        for k, name in (("LEDGERBAL", "ledger"), ("AVAILBAL", "available")):
            if s.find(k): balance(name, s.val(k, "BALAMT"), s.val(k, "DTASOF"))
        for k in ("AVAILCASH", "MARGINBALANCE", "SHORTBALANCE", "BUYPOWER"):
            if s.find("INVBAL", k): balance(k.lower(), s.val("INVBAL", k), s.val("DTASOF"))
        for b in s.walk():
            if b.name == "BAL": balance(b.val("NAME"), b.val("VALUE"), b.val("DTASOF"))
        merged.setdefault((key, cur), []).append((day(s.val("LEDGERBAL", "DTASOF")), amount(s.val("LEDGERBAL", "BALAMT")), booked))
    for (key, cur), sts in merged.items():          # statements of one account in one file are one; the newest ledger counts
        booked = [x for _, _, b in sts for x in b]
        have = [(asof, i, led) for i, (asof, led, _) in enumerate(sts) if led is not None]
        asof, _, led = max(have) if have else ("", 0, None)
        good = [x[4] for x in booked if x[4] is not None]; tot = sum(good, Decimal(0)); last = max([day(x[2]) for x in booked] + [""])
        units = {x[0].val("CURRENCY", "CURSYM") or cur or "?" for x in booked if x[4] is not None}
        mixed = len(units | {cur or "?"}) > 1
        worst = ("opening", led - tot) if led is not None else None
        order = sorted((asof, i) for asof, i, led in have)
        for (a, i), (b, k) in zip(order, order[1:]):    # where one ends, the next one begins
            mine = [x for x in sts[k][2] if x[4] is not None]
            first, last_of = min([day(x[2]) for x in sts[k][2] if day(x[2])] + ["9"]), lambda n: max([day(x[2]) for x in sts[n][2]] + [""])
            if not a or a >= b or a < last_of(i) or b < last_of(k) or first <= last_of(i) or first < a or len(mine) < len(sts[k][2]) or \
                    any((x[0].val("CURRENCY", "CURSYM") or cur or "?") != (cur or "?") for x in mine):
                continue
            gap = sts[k][1] - sum((x[4] for x in mine), Decimal(0)) - sts[i][1]
            if gap and worst[0] == "opening":
                worst = ("gap of", gap)
        v = "no ledger balance" if led is None else "bad amounts" if len(good) < len(booked) else "several currencies" if mixed else \
            "ledger older than last transaction" if asof and last > asof else "%s %s" % (worst[0], show(worst[1]))
        rows["balance_check"].append(dict(account=key, currency=cur, transactions=str(len(booked)), bad=str(len(booked) - len(good)),
            sum="" if len(units) > 1 else show(tot), ledger=show(led), opening=show(led - tot) if led is not None and not mixed else "", verdict=v))
    for info in root.walk():
        listed = [(n, KINDS_LISTED[n.name]) for n in info.kids if n.name in KINDS_LISTED] if info.name == "ACCTINFO" else []
        for n, (account, kind) in listed:
            at = lambda *names: next((v for v in (n.val(account, x) for x in names) if v), "")
            rows["accounts"].append(dict(kind=at("ACCTTYPE").upper() or kind, bank=at("BANKID", "BROKERID"), id=at("ACCTID", "LOANACCTID"),
                currency="", ledger="", ledger_asof="", available="", transactions="0", pending="0"))
    c["outside"] = sum(1 for x in root.walk() if x.name in ("STMTTRN", "STMTTRNP") and id(x) not in inside)
    return rows, agg, c


if __name__ == "__main__":
    found, paths, counts = rows_of(sys.argv[1])
    for source, list_ in found.items():
        for row in list_: print(source, row)
    for at, v in sorted(paths.items()): print(at, show(v))
    print(counts)
