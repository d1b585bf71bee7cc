#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""gatecheck.py BUILD SCRATCH - the gate of texts against a slow model, and texts that a spreadsheet would run, as TAP.

The model knows what Unicode says of each code point: the general category, by Python, and
Default_Ignorable_Code_Point, from DerivedCoreProperties.txt, which Python does not have.
"""
import csv
import io
import itertools
import json
import os
import re
import subprocess
import sys
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap  # noqa: E402

STAND_IN = "\ufffd"
MARKS = 2                       # that may join a character


def span(text):
    out = set()
    for part in text.split():
        first, _, last = part.partition("-")
        out.update(range(int(first, 16), int(last or first, 16) + 1))
    return out


IGNORABLE = span("00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFF8 "
                 "1BCA0-1BCA3 1D173-1D17A E0000-E0FFF")
# Of category Cf, but drawn: signs in front of Arabic, Syriac and Kaithi numbers.
DRAWN = span("0600-0605 06DD 070F 0890-0891 08E2 110BD 110CD")
# Blanks that people type: no-break spaces (French numbers), the wide one of East Asian text.
TYPED = span("0020 00A0 202F 3000")
# Drawn as nothing or as a blank, though no property says so: Braille without dots, Khitan filler, null note head; hieroglyphs' controls.
EMPTY = span("2800 16FE4 1D159 13430-1345F")


def unsafe(cp):
    kind = unicodedata.category(chr(cp))
    return (kind in ("Cc", "Cs", "Co", "Zl", "Zp") or cp in IGNORABLE or (kind == "Cf" and cp not in DRAWN and cp not in EMPTY) or
            0xfdd0 <= cp <= 0xfdef or cp & 0xfffe == 0xfffe or cp >= 0xe0000)


def hollow(cp):
    return cp in EMPTY or (unicodedata.category(chr(cp)) == "Zs" and cp not in TYPED)


def shown(cp, eyes):
    return STAND_IN if unsafe(cp) or (eyes and hollow(cp)) else chr(cp)


def gate(build, how, texts):
    given = b"".join(t.encode() + b"\0" for t in texts)
    p = subprocess.run([os.path.join(build, "tests/oracle/gate"), how], input=given, stdout=subprocess.PIPE, check=True)
    return [t.decode() for t in p.stdout.split(b"\0")[:-1]]


def compare(texts, want, got):
    bad = ["%d texts, not %d" % (len(got), len(texts))] if len(got) != len(texts) else []
    return bad + ["%s: %s, not %s" % (ascii(t), ascii(g), ascii(w)) for t, w, g in zip(texts, want, got) if g != w]


def check_all(tap, build):
    points = [cp for cp in range(1, 0x110000) if not 0xd800 <= cp < 0xe000]
    texts = ["a%cb" % cp for cp in points]
    for how in ("eyes", "data"):
        want = ["a%sb" % shown(cp, how == "eyes") for cp in points]
        tap.ok("each code point, for %s" % how, compare(texts, want, gate(build, how, texts)))
        tap.ok("what came out stays, for %s" % how, compare(want, want, gate(build, how, want)))
    for what in (span("00A0 202F 3000"), EMPTY | span("2000-200A 1680 205F")):
        texts = ["java.lang%cString" % cp for cp in sorted(what)]
        got = gate(build, "eyes", texts)
        tap.ok("%d blanks told apart" % len(texts), [ascii(t) for t, g in zip(texts, got) if (g == t) != (ord(t[9]) in TYPED)])


def check_marks(tap, build):
    """Old marks: two join a character, none is separate, and a pile is cut."""
    marks = [cp for cp in range(0x300, 0x20000) if unicodedata.ucd_3_2_0.combining(chr(cp)) > 0 and not unsafe(cp) and
             unicodedata.category(chr(cp)) in ("Mn", "Me")]
    texts, want = [], []
    for cp in marks:
        m = chr(cp)
        texts += [m, "e" + m * 9 + "x", "\u200b" + m, "\u2800" + m]
        want += [STAND_IN, "e" + m * MARKS + STAND_IN * (9 - MARKS) + "x", STAND_IN * 2, STAND_IN * 2]
    tap.ok("%d marks, alone and piled up" % len(marks), (["few"] if len(marks) < 300 else []) + compare(texts, want, gate(build, "eyes", texts)))


# ---- csv ---------------------------------------------------------------------------------------

LEADS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
RESTS = ("", "a\nb", "a\r\nb\t\"c\"", "1+1", "cmd|' /C calc'!A0", 'HYPERLINK("http://x","y")', "a,b", "5", "5.25", "1.234,56", "1e5", "5;6", "-5", "+1", "-.5", "\u200b")
QUOTED = ("'=1", "''=1", "'-x", "'\t", "'\uff1d1")
QUIET = ("'-5", "'", "''", "'x", "' =1", "plain", "a=b", " =1", "", "5", "caf\u00e9", '"=1"')


def is_number(text):
    return re.fullmatch(r"[0-9.,]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text) is not None


def is_formula(text):
    text = text.lstrip("'")
    return text.startswith(LEADS) and not (text[0] in "+-" and is_number(text[1:]))


def fitted(text):
    return "".join(shown(ord(c), False) for c in text)


def guarded(text):
    return "'" + fitted(text) if is_formula(text) else fitted(text)


def taken_off(cell):
    """As the man page says."""
    return cell[1:] if cell.startswith("'") and is_formula(cell) else cell


class Sheets:
    def __init__(self, build, scratch):
        self.program, self.scratch = os.path.join(os.path.abspath(build), "icecore"), scratch

    def put(self, name, rows):
        path = os.path.join(self.scratch, name)
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write("".join(json.dumps(r) + "\n" for r in rows))
        return path

    def ask(self, path, query, *options):
        return answers.quick(self.program).result(["--no-index", *options, "-e", query, path]).stdout.decode()

    def csv(self, path, query, *options):
        return list(csv.reader(io.StringIO(self.ask(path, query, "-o", "csv", *options), newline="")))


def check_cells(tap, sheets):
    texts = [lead + rest for lead, rest in itertools.product(LEADS, RESTS)] + list(QUOTED + QUIET)
    path = sheets.put("cells.jsonl", [{"a": t + "", "b": "x" + t, "c": t, "d": t} for t in texts])
    query = "records | select a b c d"
    for name, options, one in (("guarded", (), guarded), ("--raw-csv", ("--raw-csv",), fitted)):
        got = sheets.csv(path, query, *options)
        want = [["a", "b", "c", "d"]] + [[one(t), one("x" + t), one(t), one(t)] for t in texts]
        tap.ok("each lead in the first, middle and last column, " + name,
               ["%r, not %r" % (g, w) for g, w in zip(got, want) if g != w] + (["%d rows" % len(got)] if len(got) != len(want) else []))
    got = [row[0] for row in sheets.csv(path, query)[1:]]
    tap.ok("without the guard it is the text", ["%r, not %r" % (taken_off(g), t) for g, t in zip(got, texts) if fitted(t) == t != taken_off(g)])
    tap.ok("a guard is needed", [] if sum(guarded(t) != t and guarded(t)[0] == "'" for t in texts) > 90 else ["few"])
    for form in ("tsv", "json"):
        plain, raw = (sheets.ask(path, query, "-o", form, *more) for more in ((), ("--raw-csv",)))
        tap.ok("%s has no guard" % form, [] if plain == raw and "'=1+1" not in plain and "=1+1" in plain else [plain[:200]])
    for word in ("export", "export!"):
        for options in ((), ("--raw-csv",)):
            out = os.path.join(sheets.scratch, "%s%d.csv" % (word[:6], len(options)))
            sheets.ask(path, "%s | %s '%s'" % (query, word, out), "--no-sandbox", *options)
            with open(out, encoding="utf-8", newline="") as f:
                got = list(csv.reader(f))
            tap.ok("%s %s" % (word, " ".join(options)), [] if got == sheets.csv(path, query, *options) else [repr(got[:3])])
            os.unlink(out)


def check_alike(tap, sheets):
    """Values that only look alike are different, and so are names of stacks."""
    path = os.path.join(sheets.scratch, "alike.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join('{"a": "%s", "n": 1}\n' % a for a in ("x\\ud800", "x\\ud801", "x\\u0001", "x\\u0002", "x\\ud800")))
    for query, want in (("records | group a : count", [2, 1, 1, 1]), ("records | distinct a | count", [4]), ("records | where a = 'x\\xed\\xa0\\x80' | count", [2])):
        got = [list(json.loads(line).values())[-1] for line in sheets.ask(path, query, "-o", "json").splitlines()]
        tap.ok("alike: " + query, [] if got == want else [repr(got)])
    path = os.path.join(sheets.scratch, "alike.folded")
    with open(path, "wb") as f:
        f.write(b"main;a\x01 5\nmain;a\x02 7\nmain;a\xff;b 1\nmain;a\xfe;b 2\n")
    got = sheets.ask(path, "calls", "-o", "folded").splitlines()
    tap.ok("alike: stacks", [] if sorted(got) == ["main;a\ufffd 5", "main;a\ufffd 7", "main;a\ufffd;b 1", "main;a\ufffd;b 2"] else [repr(got)])


def check_line_ends(tap, sheets):
    """One kind in one output, also between answers."""
    path = sheets.put("ends.jsonl", [{"a": "x\ny", "b": "1,\r\n2"}])
    for options, end in ((("-o", "csv"), "\r\n"), (("-o", "tsv"), "\n"), ((), "\n")):
        p = subprocess.run([sheets.program, "--no-index", *options, *("-e", "records | select a b") * 4, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=300)
        text = p.stdout.decode()
        lines = text.split(end)
        wrong = text.replace("\r\n", "") if end == "\r\n" else text
        tap.ok("one kind of line end: %s" % " ".join(options), [repr(text)] if len(lines) != 12 or lines[2::3] != [""] * 3 + [""] or
               "\r" in wrong or (end == "\r\n" and "\n" in wrong) else [])


def check_head(tap, sheets):
    names = ["=1+1", "+x", "-x", "@x", '=a,"b"', "-5"]
    path = sheets.put("head.jsonl", [{n: "v" for n in names}])
    got = sheets.csv(path, "records")
    tap.ok("the header row", [] if got[0][-len(names):] == [guarded(n) for n in names] else [repr(got[0])])
    got = sheets.csv(path, "records", "--raw-csv")
    tap.ok("the header row, --raw-csv", [] if got[0][-len(names):] == names else [repr(got[0])])


def check_numbers(tap, sheets):
    path = sheets.put("numbers.jsonl", [{"n": -5, "t": "-5", "m": -1.5}, {"n": -7, "t": "x", "m": -2}])
    got = sheets.csv(path, "records | select n t m")
    tap.ok("negative numbers stay numbers", [] if got[1:] == [["-5", "-5", "-1.5"], ["-7", "x", "-2"]] else [repr(got)])
    back = os.path.join(sheets.scratch, "back.csv")
    with open(back, "w", newline="") as f:
        f.write("n,t\r\n1,'=1+1\r\n")
    got = json.loads(sheets.ask(back, "records | select t", "-o", "json"))
    tap.ok("a guard that is read again is part of the text", [] if got == {"t": "'=1+1"} else [repr(got)])


def main(argv):
    build, scratch = argv[1:]
    tap, sheets = Tap(), Sheets(build, scratch)
    check_all(tap, build)
    check_marks(tap, build)
    for check in (check_cells, check_alike, check_line_ends, check_head, check_numbers):
        check(tap, sheets)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
