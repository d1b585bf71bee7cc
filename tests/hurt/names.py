#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""names.py BUILD SCRATCH - hostile names of all kinds in every output, as TAP."""
import csv
import io
import json
import os
import struct
import subprocess
import sys
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import edges  # noqa: E402
import mkheap  # noqa: E402
import sampled  # noqa: E402
import v2  # noqa: E402
from check import Tap, attempt  # noqa: E402

NAMES = (
    b"plain", b"", b"\x1b[31mred\x1b[0m", b"\x1b]52;c;ZXZpbA==\x07", b"\x9b31m", b"\xc2\x9b31m",
    b"bell\x07back\x08del\x7f", b"cr\rlf\nend", b"nul\x00nul", b"tab\ttab",
    b"quote\"'`$(id)\\", b"semi;colon;", b"comma,comma", b"{\"a\":1}", b"=1+1", b"-e", b" lead trail ",
    b"\xe2\x80\xaertl\xe2\x80\xac", b"\xe2\x81\xa6iso\xe2\x81\xa9", b"zero\xe2\x80\x8bwidth\xef\xbb\xbf",
    b"\xf3\xa0\x81\xa1tag", b"\xee\x80\x80private\xf4\x8f\xbf\xbd",
    b"\xff\xfe\x80bad", b"\xc0\xafover", b"\xed\xa0\x80surrogate", b"\xf5\x80\x80\x80", b"cut\xe2\x82",
    b"\xe4\xb8\xad\xe6\x96\x87", b"e\xcc\x81\xcc\x81\xcc\x81", b"\xf0\x9f\x92\xa9", b"|pipe | head",
    b"*end", b"SLOW", b"%s%n%d", b"x" * 60000, b"\xcc\x80" * 20000, b"\xff" * 60000,
)
FORMATS = ("table", "tsv", "csv", "json")
QUERIES = ("info", "threads", "methods", "calls", "merged", "inverted", "records", "spans @%d",
           "calls @%d", "threads | select name", "methods | where calls > 0 | callers",
           "methods | where calls > 0 | callees")
HEAP_QUERIES = ("info", "histogram", "classes", "loaders", "objects", "roots", "threads", "frames", "locals",
                "dominators", "strings", "refs @%d", "referrers @%d", "fields @%d", "raw @%d", "path @%d", "paths @%d",
                "chains @%d", "strings | select object, value", "objects | group class", "objects | group label")
PERF_QUERIES = ("info", "threads", "methods", "calls", "merged", "inverted", "events", "stacks", "stacks tid all addrs rust",
                "methods | where samples > 0 | callers")
SCHED_QUERIES = ("info", "tasks", "cpus", "switches", "wakeups", "threads", "calls", "merged", "spans *", "tracks",
                 "states", "metrics", "tasks | select name earlier")
INVISIBLE = set(range(0x200b, 0x2010)) | set(range(0x202a, 0x202f)) | set(range(0x2060, 0x2070)) | {0xfeff}


def sanitary(text, newlines=True):
    """Return the errors of bytes that are written to a terminal, a file or a prompt."""
    try:
        s = text.decode("utf-8")
    except UnicodeDecodeError as e:
        return ["not UTF-8: %s" % e]
    bad = {ch for ch in set(s) if (unicodedata.category(ch) in ("Cc", "Co", "Cs") or ord(ch) in INVISIBLE or
                              0xe0000 <= ord(ch) < 0xe1000) and not (newlines and ch in "\n\t")}
    return ["holds %s" % ", ".join("U+%04X" % ord(ch) for ch in sorted(bad))] if bad else []


def numbered(n, name, limit=60000):
    """Distinct, whatever the stand-ins are."""
    return (name[:limit] + b"%d" % n)


def regular():
    """Names as the text section allows them: no line ends, no tabs in columns."""
    threads = methods = b""
    recs = b""
    for i, name in enumerate(NAMES):
        name = name.replace(b"\n", b"\r")
        column = name.replace(b"\t", b" ")
        threads += b"%d\t%s\n" % (i + 1, numbered(i, name))
        methods += b"0x%x\t%s\t%s\t%s\t%s\n" % (
            (i + 1) << 2, numbered(i, column), column, b"(" + column + b")V", column)
        t = i * 10
        recs += edges.rec(i + 1, (i + 1) << 2, 0, t, t)
        recs += edges.rec(i + 1, (len(NAMES) - i) << 2, 0, t + 1, t + 1)
        recs += edges.rec(i + 1, (len(NAMES) - i) << 2, 1, t + 3, t + 3)
        recs += edges.rec(i + 1, (i + 1) << 2, 1, t + 7, t + 8)
    text = edges.head(threads="T", methods="M").split(b"T*methods\nM")
    return text[0] + threads + b"*methods\n" + methods + text[1] + edges.bhead() + recs


def stream():
    """Packets: any byte in a thread's name."""
    out = edges.bhead(0xf3)
    for i, name in enumerate(NAMES):
        name = numbered(i, name)
        line = b"0x%x\t%s\trun\t()V\t%s\n" % ((i + 1) << 2, name.replace(b"\t", b" ")[:30000], name[:20000])
        out += struct.pack("<HBH", 0, 1, len(line)) + line
        out += struct.pack("<HBHH", 0, 2, i + 1, len(name)) + name
        out += edges.rec(i + 1, (i + 1) << 2, 0, i, i) + edges.rec(i + 1, (i + 1) << 2, 1, i + 5, i + 5)
    s = b"*version\n3\nclock=dual\nvm=a\x1b[31mrt\n*end\n"
    return out + struct.pack("<HBI", 0, 3, len(s)) + s


def packets():
    """V2: any byte in a thread's name, method lines with any byte but tab."""
    out = v2.header(0xf5)
    for i, name in enumerate(NAMES):
        name = numbered(i, name)
        line = b"%s\trun\t()V\tX.java\n" % name.replace(b"\t", b" ")
        out += v2.thread(i + 1, name) + v2.method("b", (i + 1) << 2, line)
        out += v2.block("b", "dual", i + 1, [((i + 1) << 2, 0, i, i), ((i + 1) << 2, 1, i + 5000, i + 5000)])
    return out + v2.summary(5, "dual", "b", 1, 2, 1)


def perf_text():
    """Any byte but a line end, in all that a sample names."""
    out = []
    for i, name in enumerate(NAMES):
        name = numbered(i, name.replace(b"\n", b"\r"))
        out.append(b"c%s 1/%d [000] 1.%06d: 1 cycles: \n\t 1 %s (%s)\n\t 2 %s (/x)\n\n" % (name[:200], i, i, name, name, name))
        out.append(b"c 1/1 [000] 1.%06d: 1 e%s: \n\t 1 f (x)\n\n" % (i, name.replace(b" ", b"").replace(b"\t", b"")))
    return b"".join(out)


def run(command, *args):
    return subprocess.run(command + list(args), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


def rows_of(form, text):
    """Return the errors in the form of an answer, and the number of its rows (None: not counted)."""
    lines = text.split("\n")[:-1]
    if form == "tsv":
        tabs = {line.count("\t") for line in lines}
        return ([] if len(tabs) == 1 else ["rows of %s columns" % sorted(t + 1 for t in tabs)]), len(lines) - 1
    if form == "json":
        rows = [json.loads(line) for line in lines]
        bad = ["objects with different keys"] if len({tuple(r) for r in rows}) > 1 else []
        if any(not isinstance(v, (str, int, float, type(None))) for r in rows for v in r.values()):
            bad.append("a value that is neither text nor a number")
        return bad, len(lines)
    if form == "csv":
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        widths = {len(r) for r in rows}
        return ([] if len(widths) == 1 else ["rows of %s columns" % sorted(widths)]), len(rows) - 1
    return (["a tab in a table"] if any("\t" in line for line in lines) else []), None


def check_answer(form, out):
    """The same for the bytes of an answer."""
    # Lines of csv end as RFC 4180 says.
    bad = sanitary(out.replace(b"\r\n", b"\n") if form == "csv" else out)
    return (bad, None) if bad else rows_of(form, out.decode("utf-8"))


def ask_all(icecore, path, form, queries):
    """The answers to all queries, from one process: between them stands one whose bytes are known."""
    options = ["--no-index", "-o", form]
    between = "help help | head 1"
    end = b"\r\n" if form == "csv" else b"\n"
    mark = end + run(icecore, *options, "-e", between).stdout + end
    script = [word for query in queries for word in ("-e", query, "-e", between)][:-2]
    p = run(icecore, *options, *script, path)
    return p, p.stdout.split(mark)


def check_outputs(icecore, path, form, queries, count):
    """Return the errors of the answers in this form, and store the number of rows of each in count[form]."""
    p, outs = ask_all(icecore, path, form, queries)
    bad = sanitary(p.stderr)
    if p.returncode not in (0, 1):
        bad.append("status %d: %r" % (p.returncode, p.stderr[:200]))
    if len(outs) != len(queries):
        return bad + ["%d answers to %d queries" % (len(outs), len(queries))]
    count[form] = []
    for query, out in zip(queries, outs):
        wrong, n = check_answer(form, out)
        bad += ["%s: %s" % (query, w) for w in wrong]
        count[form].append(n)
    return bad


def check_rows(queries, count):
    """tsv, csv and json hold the same number of rows."""
    counted = [count[form] for form in ("tsv", "csv", "json")]
    return ["%s: rows %s" % (q, n) for q, *n in zip(queries, *counted) if len(set(n)) != 1]


def check_folded(icecore, path, stacks):
    p = run(icecore, "--no-index", "-o", "folded", "-e", "calls", path)
    lines = p.stdout.decode("utf-8").split("\n")[:-1]
    bad = sanitary(p.stdout)
    if len(lines) != stacks:
        bad.append("%d lines, should be %d" % (len(lines), stacks))
    for line in lines:
        stack, _, number = line.rpartition(" ")
        if not number.isdigit() or stack.count(";") not in (1, 2):
            bad.append("not a folded line: %r" % line[:100])
    return bad[:5]


def check_messages(icecore, scratch, path):
    """File names and queries come back in messages: one line each, nothing live in it."""
    bad = []
    odd = os.path.join(os.fsencode(scratch), b"a\x1b[31m\xc2\x9b\n\xff.trace")
    with open(odd, "wb") as f:
        f.write(b"*version\n3\n")
    for args in ((b"-e", b"info", odd), (b"-e", b"info", odd + b"2"), (odd,),
                 (b"-e", b"calls \x1b[31m", path), (b"-e", b"calls '\x1b[31m\xff\n'", path),
                 (b"-e", b"info | where field ~ /\x1b(/", path), (b"-o", b"\x1b[31m", b"-e", b"info", path),
                 (b"--\x1b[31m", path), (b"-e", b"\xe2\x80\xae", path)):
        p = run([os.fsencode(a) for a in icecore], b"--no-index", *args)
        bad += ["%r: %s" % (args, b) for b in sanitary(p.stdout) + sanitary(p.stderr)]
        if p.returncode not in (1, 2, 4, 5):
            bad.append("%r: status %d" % (args, p.returncode))
        if not 1 <= p.stderr.count(b"\n") <= 4:
            bad.append("%r: %d lines on stderr" % (args, p.stderr.count(b"\n")))
    return bad


def check_formats(tap, icecore, path, kind, queries, numbers):
    """Half of the queries, in all formats; %d stands for each of numbers."""
    every = sampled.turns([q % n for q in queries for n in numbers if "%d" in q] + [q for q in queries if "%d" not in q])
    count = {}
    for form in FORMATS:
        attempt(tap, "%s: %s is valid for every source" % (kind, form), check_outputs, icecore, path, form, every, count)
    attempt(tap, kind + ": as many rows in tsv, csv and json", check_rows, every, count)


def sched_text():
    """Tasks, marks and counters with these names, as far as a line can hold them; a task has several."""
    out = [b"# tracer: nop\n"]
    for i, name in enumerate(NAMES):
        name = name.replace(b"\n", b" ")
        at = b" x-%d [000] 5.%06d: " % (i + 1, i)
        out += [at + b"sched_switch: prev_comm=%s prev_pid=%d prev_prio=1 prev_state=S ==> next_comm=%s next_pid=%d "
                b"next_prio=1\n" % (name, i + 1, name, i + 2), at + b"sched_wakeup: comm=%s pid=3 prio=1\n" % name,
                at + b"tracing_mark_write: B|1|%s\n" % name, at + b"tracing_mark_write: C|1|%s|5\n" % name,
                b"%s-500 [000] 5.%06d: tracing_mark_write: S|1|%s|4\n" % (name, i, name)]
    return b"".join(out)


def main(argv):
    build, scratch = argv[1:]
    icecore = [os.path.join(build, "icecore")]
    tap = Tap()
    sampled.tell()
    path = os.path.join(scratch, "names.hprof")
    mkheap.write(path, mkheap.make("names"))
    check_formats(tap, icecore, path, "heap", HEAP_QUERIES, (1, 60, 200, 320, 330))
    path = os.path.join(scratch, "names.perf")
    mkheap.write(path, perf_text())
    check_formats(tap, icecore, path, "perf", PERF_QUERIES, (1, 2))
    path = os.path.join(scratch, "names.sched")
    mkheap.write(path, sched_text())
    check_formats(tap, icecore, path, "sched", SCHED_QUERIES, (1, 2))
    path = os.path.join(scratch, "names.trace")
    for kind, data, stacks in (("regular", regular(), 2 * len(NAMES)),
                               ("streaming", stream(), len(NAMES)), ("V2", packets(), len(NAMES))):
        mkheap.write(path, data)
        check_formats(tap, icecore, path, kind, QUERIES, (1, 2, 3, len(NAMES)))
        attempt(tap, kind + ": folded, a line for each stack", check_folded, icecore, path, stacks)
    attempt(tap, "messages", check_messages, icecore, scratch, os.fsencode(path))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
