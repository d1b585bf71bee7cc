#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""ofxcheck.py BUILD SCRATCH - bank statements against the oracle ofx.py, as TAP: kept files, the demo, and made ones of many seeds.

TEST_DAY: which seeds these are.
"""
import csv
import decimal
import gzip
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import ofx as oracle  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

INPUTS = os.path.join(HERE, "..", "fuzz", "corpus", "ofx")
DEMO = os.path.join(HERE, "..", "..", "demo")
SEEDS = 80
IN_ONE_TEST = 20
OPTIONS = ("--no-index", "--as", "ofx", "--full")
REPAIRS = ("implicit_close", "stray_close", "hoisted", "stray_text")


def differences(what, want, got):
    """In order."""
    bad = ["%s: %r, expected %r" % (what, g, w) for g, w in zip(got, want) if g != w]
    if len(want) != len(got):
        bad.append("%s: %d, expected %d" % (what, len(got), len(want)))
    return bad[:answers.SHOWN]


def compare_rows(source, want, table):
    columns = list(want[0]) if want else []
    got = [[row.get(c, "") for c in columns] for row in table.rows]
    return differences(source, [[answers.fit(row[c]) for c in columns] for row in want], got)


def compare_paths(program, path, paths):
    """Each event's folded stacks.  Sums of events have 64 bits; only rows have all digits of any amount."""
    bad = []
    places = max([-v.as_tuple().exponent for v in paths.values()] + [0])
    if sum(paths.values()) * 10 ** places >= 2 ** 62:
        return bad
    for event in sorted({at[0] for at in paths}):
        want = {}
        for (name, stack), v in paths.items():
            key = answers.fit(";".join(part.replace(";", ":") for part in stack.split("\0")))
            if name == event and v != 0:
                want[key] = want.get(key, decimal.Decimal(0)) + v
        a = program.run(list(OPTIONS) + ["-o", "folded", "--event", event, "-e", "calls", path])
        got = {}
        for line in a.out.splitlines():
            stack, _, weight = line.rpartition(" ")
            got[stack] = got.get(stack, decimal.Decimal(0)) + decimal.Decimal(weight)
        bad += differences("stacks of " + event, sorted(want.items()), sorted(got.items()))
    return bad


def compare_info(counts, table):
    info = {row["field"]: row["value"] for row in table.rows}
    return differences("repairs", [(name, str(counts[name])) for name in REPAIRS],
                       [(name, info.get("repair." + name, "0")) for name in REPAIRS]) + \
        differences("outside", [str(counts["outside"])], [info.get("loss.outside", "0")])


def check_file(program, path, first=0):
    """One run prints all rows, each time first those of a source for which nothing was computed yet."""
    rows, paths, counts = oracle.rows_of(path)
    sources = list(rows)
    sources = sources[first % len(sources):] + sources[:first % len(sources)]
    a = program.ask(path, *["%s | select %s" % (source, ",".join(rows[source][0])) if rows[source] else source for source in sources],
                    "info", options=OPTIONS)
    tables = a.tables() if a.out else []
    if len(tables) != len(sources) + 1:
        return ["%d answers: %s" % (len(tables), a.err.strip()[:200])]
    bad = compare_info(counts, tables.pop())
    for source, table in zip(sources, tables):
        bad += compare_rows(source, rows[source], table)
    return bad + compare_paths(program, path, paths)


# ---- made files ----------------------------------------------------------------------------------

NAMES = ["Shop", "AT&T", "A;B", "R&amp;D", "caf\u00e9", "x < y", "Bank  Ltd", "&#8364; 5", "a&nbsp;b", "K<b", ""]
AMOUNTS = ["1", "-2.50", "+3.25", "1.234,56", "-1,234.5", "123,456.78", "1234,567.8", "12-", ".5", "5.", "1 000,00", "1.000.000", "x", "", "-0", "0.0001", "1,2,3",
           "99999999999999.99", "\u00a07"]
DATES = ["20260131", "20260102120000[-5:EST]", "20261301", "x", "", "20260229", "202601", "19691231", "00010101"]
LEAVES = ["TRNTYPE", "DTPOSTED", "DTUSER", "TRNAMT", "FITID", "CHECKNUM", "NAME", "MEMO", "SIC", "X.Y", "UNKNOWN"]


class Maker:
    """Documents that are nearly right: ends are forgotten, late, or of others; values are odd."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.slip = self.r.choice((0, 0, 0.05, 0.2))
        self.xml = self.r.random() < 0.4

    def odd(self):
        return self.r.random() < self.slip

    def case(self, name):
        return name.lower() if self.odd() else name

    def leaf(self, name, value):
        out = "<%s%s>" % (self.case(name), ' a="1"' if self.odd() else "") + value
        if self.odd():
            out += self.r.choice(("<!-- c -->", "<![CDATA[<raw> &amp;]]>", "</%s>" % self.r.choice(LEAVES), "<?p ?>", "\n"))
        return out + ("</%s>" % name if self.xml != self.odd() else "") + self.r.choice(("", "\n", "\r\n"))

    def agg(self, name, *inner):
        end = "</%s>" % self.case(name)
        if self.odd():
            end = self.r.choice(("", "</%s >" % name, "</%s>" % self.r.choice(("STMTTRN", "OFX", "NAME", "BANKTRANLIST")), end + "stray"))
        return "<%s>" % self.case(name) + "".join(inner) + end + self.r.choice(("", "\n"))

    def value(self, name):
        if name == "TRNAMT":
            return self.r.choice(AMOUNTS)
        if name.startswith("DT"):
            return self.r.choice(DATES)
        return self.r.choice(("DEBIT", "CREDIT", "debit", "")) if name == "TRNTYPE" else self.r.choice(NAMES)

    def transaction(self):
        inner = [self.leaf(n, self.value(n)) for n in LEAVES if self.r.random() < 0.6]
        if self.r.random() < 0.2:
            inner.append(self.agg("PAYEE", self.leaf("NAME", self.r.choice(NAMES)), self.leaf("CITY", "C")))
        if self.r.random() < 0.1:
            inner.append(self.agg("CURRENCY", self.leaf("CURRATE", "1.1"), self.leaf("CURSYM", self.r.choice(("EUR", "USD")))))
        return self.agg("STMTTRNP" if self.r.random() < 0.1 else "STMTTRN", *inner)

    def balance(self, name):
        return self.agg(name, self.leaf("BALAMT", self.r.choice(AMOUNTS)), self.leaf("DTASOF", self.r.choice(DATES)))

    def statement(self):
        kind, source = self.r.choice((("STMTRS", "BANKACCTFROM"), ("CCSTMTRS", "CCACCTFROM"), ("INVSTMTRS", "INVACCTFROM")))
        inner = [self.leaf("CURDEF", self.r.choice(("EUR", "USD", "EUR", ""))), self.agg(source, self.leaf("BANKID", "1"),
            self.leaf("ACCTID", self.r.choice(("7", "8", "9 9"))), self.leaf("ACCTTYPE", self.r.choice(("CHECKING", "savings", ""))))]
        inner.append(self.agg("BANKTRANLIST", *[self.transaction() for _ in range(self.r.randint(0, 8))]))
        if self.r.random() < 0.7:
            inner.append(self.balance("LEDGERBAL"))
        if self.r.random() < 0.4:
            inner.append(self.balance("AVAILBAL"))
        if self.r.random() < 0.3:
            inner.append(self.agg("INVBAL", self.leaf("AVAILCASH", "1.5"), self.leaf("BUYPOWER", self.r.choice(AMOUNTS))))
        if self.r.random() < 0.3:
            inner.append(self.agg("BALLIST", *[self.agg("BAL", self.leaf("NAME", self.r.choice(NAMES)),
                self.leaf("VALUE", self.r.choice(AMOUNTS)), self.leaf("DTASOF", self.r.choice(DATES))) for _ in range(2)]))
        return self.agg("STMTTRNRS", self.leaf("TRNUID", "1"), self.agg(kind, *inner))

    def document(self):
        head = self.r.choice(("", "OFXHEADER:100\r\nVERSION:102\r\n\r\n", '<?xml version="1.0"?><?OFX OFXHEADER="200"?>\n'))
        text = head + self.agg("OFX", *[self.agg("BANKMSGSRSV1", self.statement()) for _ in range(self.r.randint(1, 3))])
        return text.encode(self.r.choice(("utf-8", "utf-8", "utf-8-sig", "cp1252")), "replace")


def check_made(program, scratch, seeds):
    bad = []
    for seed in seeds:
        path = os.path.join(scratch, "made.ofx")
        with open(path, "wb") as f:
            f.write(Maker(seed).document())
        bad += ["seed %d: %s" % (seed, line) for line in check_file(program, path, seed)]
    return bad


# ---- what no other file has ----------------------------------------------------------------------

def hostile(program, scratch, name, data, code):
    path = os.path.join(scratch, name)
    with open(path, "wb") as f:
        f.write(data)
    a = program.ask(path, "transactions | count", options=OPTIONS)
    return [] if a.code == code and a.out.split()[-1:] == ["1"] else ["status %d: %r %s" % (a.code, a.out[-50:], a.err[:200])]


ONE = b"<OFX><STMTRS><CURDEF>EUR<STMTTRN><TRNAMT>1</STMTTRN></STMTRS>"


def check_hostile(tap, program, scratch):
    """Nothing takes more than its share of memory or time, and what is right is read."""
    for name, data, code in (
            ("deep", ONE + b"<a>" * 1100000 + b"</a>" * 1100000 + b"</OFX>", 3),
            ("closing", ONE + b"<a>" * 200000 + b"</b>" * 200000 + b"</OFX>", 0),
            ("names", ONE + b"".join(b"<n%d>" % i for i in range(100000)) + b"</OFX>", 0),
            ("long-name", ONE + b"<" + b"n" * 3000000 + b">x</OFX>", 0),
            ("no-end", ONE + b"</OFX><" + b"n" * 1000000, 3),
            ("angles", ONE + b"<a " * 300000 + b"</OFX>", 0),
            ("ampersands", ONE + b"<MEMO>" + b"&#" * 500000 + b"</MEMO></OFX>", 0),
            ("repeated", ONE + b"<STMTRS>" + b"<NAME>x" * 300000 + b"</STMTRS></OFX>", 0)):
        attempt(tap, "hostile: " + name, hostile, program, scratch, name, data, code)


def check_answers(program, scratch):
    """The errors that a bank returns instead of a statement."""
    path = os.path.join(scratch, "answers.ofx")
    with open(path, "wb") as f:
        f.write(b"<OFX><SONRS><STATUS><CODE>0<SEVERITY>INFO<MESSAGE>fine</STATUS></SONRS><STMTTRNRS><STATUS><CODE>2003<SEVERITY>ERROR"
            b"<MESSAGE>No \xc3\xa9 account" + b"\xc3\xa9" * 500 + b"</STATUS></STMTTRNRS><CCSTMTTRNRS><STATUS><CODE>15500"
            b"<SEVERITY>Error</STATUS></CCSTMTTRNRS></OFX>")
    got = {r["field"]: r["value"] for r in program.ask(path, "info", options=OPTIONS).tables()[0].rows}
    want = {"loss.refused": "2", "refused.first": "2003 No \u00e9 account" + "\u00e9" * 121}
    bad = differences("answers", [want], [{k: got.get(k) for k in want}])
    lines = {r["line"]: r["subject"] for r in program.ask(path, "overview", options=OPTIONS).tables()[0].rows}
    bad += [] if lines["refused"] == want["refused.first"] else ["overview: %s" % lines]
    told = program.run(["--no-index", "--report", path]).out
    bad += [] if "Refused by the bank" in told and "2003 No" in told else [told[:300]]
    found = program.run(["triage", "--one", "x", path]).out
    text = program.run(["--no-index", "--text", path])
    bad += [] if text.code == 3 and re.search("(?m)^refused +2 +2003 No", text.out) and "2 requests that the bank answered with an error" in text.out else [text]
    return bad + ([] if '"state":"salvaged"' in found and '"kind":"refused"' in found and "2003 No" in found else [found[:300]])


# Elements that no row shows, in a statement, a list or an answer, and what is said of them.
UNREAD = (("<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>EUR<INVTRANLIST><DTSTART>20260101<BUYSTOCK><INVBUY><INVTRAN><FITID>1</INVTRAN></INVBUY></BUYSTOCK><SELLMF></SELLMF><INCOME></INCOME>"
           "<INVBANKTRAN><STMTTRN><TRNAMT>1</STMTTRN></INVBANKTRAN></INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS></INVPOS></POSSTOCK><POSSTOCK></POSSTOCK><POSDEBT></POSDEBT></INVPOSLIST>"
           "<INVBAL><AVAILCASH>1</INVBAL></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>", {"BUYSTOCK": 1, "SELLMF": 1, "INCOME": 1, "POSSTOCK": 2, "POSDEBT": 1}),
          ("<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><INV401K></INV401K><INV401KBAL><CASHBAL>1<TOTAL>1</INV401KBAL></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>",
           {"INV401K": 1, "INV401KBAL": 1}),
          ("<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><BANKTRANLISTP></BANKTRANLISTP><REWARDINFO><NAME>r</REWARDINFO></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>", {"REWARDINFO": 1}),
          ("<LOANMSGSRSV1><LOANSTMTTRNRS><LOANSTMTRS><LOANTRANLIST><LOANTRN><LOANTRNTYPE>PAYMENT<TRNAMT>1</LOANTRN></LOANTRANLIST></LOANSTMTRS></LOANSTMTTRNRS></LOANMSGSRSV1>", {}),
          ("<SECLISTMSGSRSV1><SECLISTTRNRS><SECLISTRS></SECLISTRS></SECLISTTRNRS><SECLIST><STOCKINFO><SECINFO></SECINFO></STOCKINFO><MFINFO></MFINFO></SECLIST></SECLISTMSGSRSV1>", {"STOCKINFO": 1, "MFINFO": 1}),
          ("<BILLPAYMSGSRSV1><PMTTRNRS><TRNUID>1<STATUS><CODE>0</STATUS><PMTRS></PMTRS></PMTTRNRS></BILLPAYMSGSRSV1>", {"PMTRS": 1}),
          ("<BANKMSGSRSV1><INTRATRNRS><INTRARS></INTRARS></INTRATRNRS><STMTTRNRS><STMTRS><STMTTRN><TRNAMT>1</STMTTRN></STMTRS></STMTTRNRS></BANKMSGSRSV1>", {"INTRARS": 1}),
          ("<SIGNUPMSGSRSV1><ACCTINFOTRNRS><ACCTINFORS><ACCTINFO></ACCTINFO></ACCTINFORS></ACCTINFOTRNRS></SIGNUPMSGSRSV1><PROFMSGSRSV1><PROFTRNRS><PROFRS></PROFRS></PROFTRNRS></PROFMSGSRSV1>", {}))


def check_unread(program, scratch):
    """What no row shows is counted by name, and nothing else is."""
    path, bad = os.path.join(scratch, "unread.ofx"), []
    for text, want in UNREAD:
        with open(path, "w", encoding="ascii") as f:
            f.write("<OFX>%s</OFX>" % text)
        rows = program.ask(path, "info", options=OPTIONS).tables()[0].rows
        got = {r["field"].rpartition(".")[2]: int(r["value"]) for r in rows if r["field"].startswith("unread.")}
        bad += [] if got == want else ["%s, not %s" % (got, want)]
    return bad


def check_loan(program, scratch):
    """A payment of a loan has its type."""
    path = os.path.join(scratch, "loan.ofx")
    with open(path, "w", encoding="ascii") as f:
        f.write("<OFX>%s</OFX>" % next(text for text, _ in UNREAD if "LOANTRNTYPE" in text))
    rows = program.ask(path, "transactions | select type amount", options=OPTIONS).tables()[0].rows
    got = [tuple(row.values()) for row in rows]
    return [] if got == [("PAYMENT", "1")] else [str(got)]


def check_refused(tap, program, scratch):
    """Statements in other forms are reported by name, with what to do."""
    bad = []
    for name, data in (("QIF", b"!Type:Bank\nD01/02/2026\nT-5\n^\n"), ("MT940", b":20:X\n:25:1/2\n:60F:C260101EUR1,\n"),
            ("camt", b'<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"></Document>'),
            ("OFC", b"<OFC><DTD>2</OFC>")):
        path = os.path.join(scratch, name)
        with open(path, "wb") as f:
            f.write(data)
        a = program.ask(path, "info")
        if a.code != 5 or name not in a.err or "export OFX" not in a.err:
            bad.append("%s: %d %s" % (name, a.code, a.err))
    tap.ok("other statements are refused by name", bad)


# ---- what options change ---------------------------------------------------------------------------

def wanted_paths(rows, levels, pending):
    """Transactions by path, of the oracle's rows."""
    want = {}
    for row in rows["transactions"]:
        if row["amount"] == "" or (row["state"] == "pending" and not pending):
            continue
        day = row["date"]
        at = {"month": day[:7] or "(no date)", "year": day[:4] or "(no date)", "day": day or "(no date)", "payee": row["payee"],
              "type": row["type"], "account": row["account"], "memo": row["memo"] or "(no memo)", "check": row["check"] or "(no check)"}
        key = answers.fit(";".join(at[level].replace(";", ":") for level in levels))
        want[key] = want.get(key, 0) + 1
    return sorted((k, str(v)) for k, v in want.items())


def check_by(program, path):
    rows = oracle.rows_of(path)[0]
    bad = []
    for levels in (["month", "payee"], ["account", "year", "type"], ["payee", "day", "account"], ["memo", "check"], ["type"]):
        for pending in (False, True):
            a = program.run(list(OPTIONS) + ["--by", ",".join(levels), "--event", "transactions", "-o", "folded", "-e", "calls"] +
                            (["--pending"] if pending else []) + [path])
            got = {}
            for stack, _, n in (line.rpartition(" ") for line in a.out.splitlines()):
                got[stack] = got.get(stack, 0) + int(n)
            bad += differences("by %s%s" % (levels, " pending" if pending else ""), wanted_paths(rows, levels, pending),
                               sorted((k, str(v)) for k, v in got.items()))
    return bad


BANK = "<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>%s<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>%s%s</BANKTRANLIST>%s</STMTRS>"


def bank(ident, rows, ledger=None, start=None):
    """A statement; rows: day and amount."""
    return BANK % (ident, "" if start is None else "<DTSTART>" + start, "".join("<STMTTRN><TRNTYPE>POS<DTPOSTED>%s<TRNAMT>%s<NAME>P</STMTTRN>" % row for row in rows),
        "" if ledger is None else "<LEDGERBAL><BALAMT>%s<DTASOF>%s</LEDGERBAL>" % ledger)


def write(scratch, name, *statements):
    path = os.path.join(scratch, name)
    with open(path, "w") as f:
        f.write("<OFX>" + "".join(statements) + "</OFX>")
    return path


def check_masks(program, scratch):
    """The last four characters; accounts that look alike then have numbers, in every answer the same."""
    row = [("20260101", "-1")]
    path = write(scratch, "masks.ofx", bank("DE001111", row), bank("DE991111", row), bank("7", row), bank("DE001111", row),
                 bank("&#196;&#214;&#220;&#223;&#233;", row), bank("DE001111", row).replace("EUR", "USD"))
    want = ["CHECKING %s" % name for name in ("..1111 EUR", "..1111#2 EUR", "7 EUR", "..1111 EUR", "..\u00d6\u00dc\u00df\u00e9 EUR", "..1111 USD")]
    bad = []
    for query, names in (("accounts | select account", want), ("transactions | select account", want),
                         ("balance_check | select account", want[:3] + want[4:]), ("threads | select name", want[:3] + want[4:])):
        a = program.run(["--no-index", "--as", "ofx", "-o", "tsv", "-e", query, path])
        bad += differences(query, sorted(names), sorted(a.out.splitlines()[1:]))
    a = program.run(["--no-index", "--as", "ofx", "-o", "json", "-e", "accounts", "-e", "transactions", "-e", "balances", "-e", "balance_check",
                     "-e", "calls", "-e", "info", path])
    return bad + ["%s is in an answer" % name for name in ("DE00", "DE99", "\u00c4") if name in a.out]


def verdicts(program, *paths):
    a = program.run(["--no-index", "--as", "ofx", "-o", "tsv", "-e", "balance_check | select verdict"] + list(paths))
    return a.out.splitlines()[1:]


def check_gap(program, scratch):
    may = write(scratch, "may.ofx", bank("1234567", [("20260502", "10.50")], ("110.50", "20260531")), bank("2", [("20260501", "1")], ("1", "20260531")))
    june = write(scratch, "june.ofx", bank("1234567", [("20260602", "-0.25")], ("110.25", "20260630")))
    july = write(scratch, "july.ofx", bank("1234567", [("20260702", "5")], ("120.25", "20260731")))
    over = write(scratch, "over.ofx", bank("1234567", [("20260520", "5")], ("120.25", "20260731")))
    gone = write(scratch, "gone.ofx", bank("1234567", [("20260902", "5")], ("130.25", "20260930"), "20260901"))
    one = write(scratch, "one.ofx", bank("3", [("20260502", "-1")], ("9", "20260531")), bank("3", [("20260602", "-2")], ("5", "20260630")),
                bank("4", [("20260602", "-2")], ("7", "20260630")), bank("4", [("20260502", "-1")], ("9", "20260531")),
                bank("5", [("20260502", "-1")], ("9", "20260531")), bank("5", [("20260802", "-2")], ("5", "20260831"), "20260801"))
    late = bank("6", [("20260602", "-2")], ("5", "20260831"), "20260601")
    lists = write(scratch, "lists.ofx", bank("6", [("20260502", "-1")], ("9", "20260531")),
                  late.replace("</BANKTRANLIST>", "</BANKTRANLIST><BANKTRANLIST><DTSTART>20260801</BANKTRANLIST>"))
    bad = differences("alone", ["opening 100", "opening 0"], verdicts(program, may))
    bad += differences("may, june", ["continues", "opening 0"], verdicts(program, may, june))
    bad += differences("june, may", ["continues"], verdicts(program, june, may))
    bad += differences("july, june", ["gap of 5"], verdicts(program, july, june))
    bad += differences("july, may, june", ["gap of 5"], verdicts(program, july, may, june))
    bad += differences("june, july, may", ["gap of 5"], verdicts(program, june, july, may))
    bad += differences("july, september", ["no statement between 2026-07-31 and 2026-09-01"], verdicts(program, july, gone))
    bad += differences("june, july, september", ["gap of 5"], verdicts(program, july, gone, june))
    bad += differences("in one file", ["gap of -2", "opening 10", "no statement between 2026-05-31 and 2026-08-01"], verdicts(program, one))
    bad += differences("two lists: the first shows where it begins", ["gap of -2"], verdicts(program, lists))
    return bad + differences("overlapping", ["opening 115.25"], verdicts(program, over, may))


def check_index(program, scratch):
    """An index of other options is rebuilt."""
    path, index = write(scratch, "kept.ofx", bank("1234567", [("20260502", "1")])), os.path.join(scratch, "index")
    os.makedirs(index, exist_ok=True)
    bad = []
    for options, want in (([], "CHECKING ..4567 EUR;POS;P 1"), (["--full"], "CHECKING 1234567 EUR;POS;P 1"), (["--by", "month"], "2026-05 1"),
                          ([], "CHECKING ..4567 EUR;POS;P 1")):
        a = program.run(["--index", index, "--as", "ofx"] + options + ["-o", "folded", "-e", "calls", path])
        bad += differences(str(options), [want], a.out.splitlines())
    return bad


def check_options(program, scratch):
    path, table = write(scratch, "o.ofx", bank("1", [("20260502", "1")])), os.path.join(scratch, "o.csv")
    with open(table, "w") as f:
        f.write("a,n\nx,1\ny,2\n")
    bad = []
    for options, file, word in ((["--by", "x"], path, "no level 'x'"),
                                (["--sep", ";"], path, "--sep is for tables"), (["--decimal", ","], path, "--decimal is for tables"),
                                (["--header", "no"], path, "--header is for tables"), (["--raw"], path, "--raw is for tables"),
                                (["--by", "month"], table, "--by is for bank statements"), (["--full"], table, "--full is for bank statements"),
                                (["--pending"], table, "--pending is for bank statements")):
        a = program.run(["--no-index"] + options + ["-e", "info", file])
        if a.code != 2 or word not in a.err:
            bad.append("%s: %d %s" % (options, a.code, a.err))
    return bad


# ---- real files ------------------------------------------------------------------------------------

def check_expected(tap, program, corpus):
    """corpus/other/ofx: files; corpus/seeds/ofx: their rows."""
    folder, seeds = os.path.join(corpus, "other", "ofx"), os.path.join(corpus, "seeds", "ofx")
    if not os.path.isdir(folder) or not os.path.isdir(seeds):
        return
    tables = {}
    for source in ("accounts", "transactions", "balances", "check"):
        with open(os.path.join(seeds, "expected-%s.tsv" % source), newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                tables.setdefault(row.pop("file"), {}).setdefault("balance_check" if source == "check" else source, []).append(row)
    for name in sorted(tables):
        attempt(tap, "ofx/" + name, expected, program, os.path.join(folder, name), tables[name])
    for table, by in (("paths", "account,type,payee"), ("paths-month", "account,month,payee")):
        files = {}
        with open(os.path.join(seeds, "expected-%s.tsv" % table), newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                row = unescaped(row)
                files.setdefault(row["file"], {})[row["path"]] = [decimal.Decimal(row[k]) for k in ("count", "in", "out")]
        for name in sorted(files):
            attempt(tap, "ofx/%s: %s" % (name, table), expected_paths, program, os.path.join(folder, name), by, files[name])


def expected_paths(program, path, by, want):
    """All currencies together, as in the table; sums beyond 64 bits are in rows alone."""
    a = program.ask(path, "events | select name", options=OPTIONS + ("--by", by))
    got = {}
    if max(max(v[1:]) for v in want.values()) * 10 ** 10 >= 2 ** 62:
        return []
    for event in [row["name"] for row in a.tables()[0].rows]:
        at = ("transactions", "in", "out").index(event.split(" ")[0])
        a = program.run(list(OPTIONS) + ["--by", by, "--event", event, "-o", "folded", "-e", "calls", path])
        for stack, _, weight in (line.rpartition(" ") for line in a.out.splitlines()):
            got.setdefault(stack, [decimal.Decimal(0)] * 3)[at] += decimal.Decimal(weight)
    return differences(by, sorted((answers.fit(k.replace(",", ":")), v) for k, v in want.items()),
                       sorted((k.replace(",", ":"), v) for k, v in got.items()))


def unescaped(row):
    """Tables have a control character and a backslash as \\x1b."""
    return {k: "".join(chr(int(p[:2], 16)) + p[2:] if i else p for i, p in enumerate(v.split("\\x"))) for k, v in row.items()}


def expected(program, path, tables):
    bad = []
    for source, rows in tables.items():
        a = program.ask(path, "%s | select %s" % (source, ",".join(rows[0])), options=OPTIONS)
        bad += compare_rows(source, [unescaped(row) for row in rows], a.tables()[0])
    return bad


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    sampled.tell()
    program = answers.Program(os.path.join(build, "icecore"))
    for name in sorted(os.listdir(INPUTS)):
        attempt(tap, name, check_file, program, os.path.join(INPUTS, name))
    for name in ("money", "money_before"):
        path = os.path.join(scratch, name)
        with gzip.open(os.path.join(DEMO, name + ".ofx.gz")) as source, open(path, "wb") as f:
            f.write(source.read())
        attempt(tap, "the demo " + name, check_file, program, path)
    seeds = sampled.seeds(SEEDS)
    for some in (seeds[i:i + IN_ONE_TEST] for i in range(0, len(seeds), IN_ONE_TEST)):
        attempt(tap, "made files %d to %d" % (some[0], some[-1]), check_made, program, scratch, some)
    for name in ("plain", "mended", "bytes", "xml"):
        attempt(tap, name + ": levels of paths", check_by, program, os.path.join(INPUTS, name))
    for what, check in (("account numbers are masked", check_masks), ("errors that a bank answers", check_answers), ("what is no row", check_unread), ("a loan", check_loan),
                        ("gaps between files", check_gap), ("an index of other options", check_index),
                        ("options of other formats", check_options)):
        attempt(tap, what, check, program, scratch)
    check_hostile(tap, program, scratch)
    check_refused(tap, program, scratch)
    path = os.path.join(scratch, "page.ofx")
    with open(path, "w") as f:
        f.write("<html><body>Please log in</body></html>")
    attempt(tap, "a page of the bank instead", refused, program, path)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
