#!/usr/bin/env python3
"""ofxcheck.py BUILD SCRATCH - bank statements against the oracle ofx.py, as TAP: kept files, the demo, and made ones of many seeds."""
import csv
import decimal
import gzip
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import ofx as oracle  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

INPUTS = os.path.join(HERE, "..", "fuzz", "corpus", "ofx")
DEMO = os.path.join(HERE, "..", "..", "demo")
SEEDS = 250
OPTIONS = ("--no-index", "--as", "ofx")
REPAIRS = ("implicit_close", "stray_close", "hoisted", "stray_text")


def differences(what, want, got):
    """In order."""
    bad = ["%s: %r, expected %r" % (what, g, w) for g, w in zip(got, want) if g != w]
    if len(want) != len(got):
        bad.append("%s: %d, expected %d" % (what, len(got), len(want)))
    return bad[:answers.SHOWN]


def compare_rows(program, path, source, want):
    if not want:
        a = program.ask(path, source, options=OPTIONS)
        return [] if a.out.count("\n") <= 1 else ["%s: rows, and there are none" % source]
    columns = list(want[0])
    a = program.ask(path, "%s | select %s" % (source, ",".join(columns)), options=OPTIONS)
    got = [[row.get(c, "") for c in columns] for row in (a.tables()[0].rows if a.out else [])]
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


def check_file(program, path):
    rows, paths, counts = oracle.rows_of(path)
    a = program.ask(path, "info", options=OPTIONS)
    if a.out == "":
        return ["no answer: %s" % a.err.strip()[:200]]
    info = {row["field"]: row["value"] for row in a.tables()[0].rows}
    bad = differences("repairs", [(name, str(counts[name])) for name in REPAIRS],
                              [(name, info.get("repair." + name, "0")) for name in REPAIRS])
    bad += differences("outside", [str(counts["outside"])], [info.get("loss.outside", "0")])
    for source in rows:
        bad += compare_rows(program, path, source, rows[source])
    return bad + compare_paths(program, path, paths)


# ---- made files ----------------------------------------------------------------------------------

NAMES = ["Shop", "AT&T", "A;B", "R&amp;D", "caf\u00e9", "x < y", "Bank  Ltd", "&#8364; 5", "a&nbsp;b", "K<b", ""]
AMOUNTS = ["1", "-2.50", "+3.25", "1.234,56", "-1,234.5", "12-", ".5", "5.", "1 000,00", "1.000.000", "x", "", "-0", "0.0001", "1,2,3",
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


def check_made(program, scratch, first, last):
    bad = []
    for seed in range(first, last):
        path = os.path.join(scratch, "made.ofx")
        with open(path, "wb") as f:
            f.write(Maker(seed).document())
        bad += ["seed %d: %s" % (seed, line) for line in check_file(program, path)]
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


def check_refused(tap, program, scratch):
    """Statements in other forms are told by name, with what to do."""
    bad = []
    for name, data in (("QIF", b"!Type:Bank\nD01/02/2026\nT-5\n^\n"), ("MT940", b":20:X\n:25:1/2\n:60F:C260101EUR1,\n"),
            ("camt", b'<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"></Document>'),
            ("OFC", b"<OFC><DTD>2</OFC>")):
        path = os.path.join(scratch, name)
        with open(path, "wb") as f:
            f.write(data)
        a = program.ask(path, "info")
        if a.code != 3 or name not in a.err or "export OFX" not in a.err:
            bad.append("%s: %d %s" % (name, a.code, a.err))
    tap.ok("other statements are refused by name", bad)


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


def unescaped(row):
    """Tables have a control character and a backslash as \\x1b."""
    return {k: "".join(chr(int(p[:2], 16)) + p[2:] if i else p for i, p in enumerate(v.split("\\x"))) for k, v in row.items()}


def expected(program, path, tables):
    bad = []
    for source, rows in tables.items():
        bad += compare_rows(program, path, source, [unescaped(row) for row in rows])
    return bad


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for name in sorted(os.listdir(INPUTS)):
        attempt(tap, name, check_file, program, os.path.join(INPUTS, name))
    for name in ("money", "money_before"):
        path = os.path.join(scratch, name)
        with gzip.open(os.path.join(DEMO, name + ".ofx.gz")) as source, open(path, "wb") as f:
            f.write(source.read())
        attempt(tap, "the demo " + name, check_file, program, path)
    for first in range(0, SEEDS, 50):
        attempt(tap, "made files %d to %d" % (first, first + 49), check_made, program, scratch, first, first + 50)
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
