#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""doorcheck.py BUILD SCRATCH - what a file is read as, and what is said of one that is not, as TAP.

Takes some of the formats of each file, and some of the random texts (sampled.py).
"""
import glob
import gzip
import json
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import door  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

INPUTS = os.path.join(HERE, "..", "fuzz", "corpus")
SEEDS = 1500
AS = "; see icecore --list-formats, or open with --as NAME\n"
BINARY, UNKNOWN = "unrecognised binary data" + AS, "unrecognised text" + AS
PROSE = "Grüße an alle\nein Öl, zwei Äpfel\n" * 20


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


# ---- --as ---------------------------------------------------------------------------------------


def info(a):
    return {row["field"]: row["value"] for row in a.tables()[0].rows}


def formats(program):
    """A name in front of each line."""
    return [line.split()[0] for line in program.run(["--list-formats"]).out.splitlines()]


def check_as(program, path, names):
    """Any file as any format: read, or refused in one line."""
    bad = []
    for name in names:
        a = program.ask(path, "info", options=("--no-index", "--as", name))
        if a.code == 5 and a.out == "":
            if len(a.err.strip().split("\n")) != 1 or a.err.strip() == "":
                bad.append("--as %s: not one line on stderr: %r" % (name, a.err))
        elif a.code not in (0, 3) or info(a).get("loader") != name:
            bad.append("--as %s: status %d: %s" % (name, a.code, a.err.strip()[:200]))
    return bad


def loader_of(program, path, index, *options):
    a = program.ask(path, "info", options=("--index", index) + options)
    return info(a).get("loader") if a.code == 0 else a.code


def check_as_index(program, scratch):
    """--as applies to one run: the index does not store it, and an existing index does not prevent it."""
    index = os.path.join(scratch, "as-index")
    os.makedirs(index, exist_ok=True)
    path = write(os.path.join(scratch, "as.json"), b'{"traceEvents": [\n'
                 b'{"ph": "X", "name": "a;b", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]}\nmain;f 5\n')
    got = [loader_of(program, path, index, *options) for options in
           ((), ("--as", "folded"), ("--as=folded",), (), ("--as", "json"), ())]
    want = ["json", "folded", "folded", "json", "json", "json"]
    return [] if got == want else ["read as %s, not %s" % (got, want)]


def check_as_pipe(program, scratch):
    path = write(os.path.join(scratch, "one"), b"sleep 4\nmain 1\n")
    with open(path, "rb") as f:
        a = program.ask("-", "methods | select name self", options=("--as", "folded"), stdin=f)
    return [] if a.out == "name\tself\nsleep\t4\nmain\t1\n" else ["%d %r %r" % (a.code, a.out, a.err)]


def check_as_wrong(program, scratch):
    a = program.ask(write(os.path.join(scratch, "one"), b"main;f 1\n"), "info", options=("--as", "flame"))
    return [] if a.code == 2 and all(name in a.err for name in formats(program)) else ["%d %r" % (a.code, a.err)]


# ---- folded stacks or not ---------------------------------------------------------------------------


def lines(form, n, *values):
    return "".join(form % tuple(v(i) for v in values) + "\n" for i in range(n)).encode()


def number(i):
    return i * 37 % 101


DEEP = b"main;" + b";".join(b"f%d" % i for i in range(16000)) + b" 4\n"

# Texts of both kinds: yes or no, and what the refusal says.
TEXTS = {
    "two lines": ("main;f 5\nmain;g 6\n", True),
    "PHP": ("{main};f 5\n", True),
    "unknown callers": ("[unknown];f 5\n[main tid=5];run 7\n", True),
    "names with blanks": ("main;operator new (int) 5\nmain;g;void f<a, b>() 6\n", True),
    "a differential": ("main;f 5 6\nmain;f;g 0 7\n", True),
    "no end of line": ("main;f 5\nmain;g 6", True),
    "many threads, one frame": (lines("t%d %d", 3, int, number) + b"a;b 1\n", True),
    "comments": (b"# a\n# b\n# c\n\n\na;b 1\n", True),
    "a deep stack": (DEEP, True),
    "a mark": (b"\xef\xbb\xbfmain;f 5\n", True),
    "one depth, few callers": (lines("main;f%d;g%d %d", 40, number, number, number), True),
    "seven rows": (lines("a%d;b %d", 7, int, number), True),
    "an empty frame": (";lead 1\nmain;;f 2\n", True),
    "one frame": (lines("name_%d %d", 40, int, number), "--as folded"),
    "values": (lines("kernel.x%d = %d", 40, int, number), "unrecognised text"),
    "a log": (lines("2026-11-20 10:00:%02d request;done %d", 40, int, number), "unrecognised text"),
    "a log of syslog": (lines("Nov 20 10:00:%02d host;job a;b %d", 40, int, number), "unrecognised text"),
    "addresses": (lines("10.0.0.%d GET /a;b %d", 40, int, number), "unrecognised text"),
    "seconds": (lines("17320000%02d.5 a;b %d", 40, int, number), "unrecognised text"),
    "seconds in brackets": (lines("[17320000%02d] a;b %d", 40, int, number), "unrecognised text"),
    "days": (lines("Fri, a;b%d %d", 40, int, number), "unrecognised text"),
    "CSV": (b"name;size;n\n" + lines("x%d;a;c %d", 40, number, number), "a table"),
    "CSV, no header": (lines("x%d;a;c %d", 40, int, number), "a table"),
    "equal depth": (lines("main;a%d;b c2 %d", 40, int, number), True),
    "two roots": (lines("main;f g(%d) %d", 40, int, number) + lines("pool 1;f g(%d) %d", 9, int, number), True),
    "assignments": (lines("x;y=%d %d", 40, number, number), "a table"),
    "eight rows": (lines("a%d;b %d", 8, int, number), "a table"),
    "entities": (lines("a&lt;b &#12;c%d %d", 40, int, number), "unrecognised text"),
    "sentences": (lines("as said; and done %d %d", 40, int, number), "unrecognised text"),
    "statements": (lines("x = %d; %d", 40, int, number), "unrecognised text"),
    "numbers": (lines("1;2;%d %d", 40, int, number), "unrecognised text"),
    "few stacks": (b"a;b 1\n" + lines("word %d x", 4, int), UNKNOWN),
    "half of the lines": (lines("word %d", 4, int) + lines("word %d x", 4, int), "--as folded"),
    "one of five": (b"a;b 1\n" + lines("word %d", 4, int), "unrecognised text"),
    "one of four": (b"a;b 1\n" + lines("word %d", 3, int), True),
    "JSON": (b'{ "a;b": 1,\n' + lines("a;b%d %d", 9, int, number), "JSON"),
    "JSON array": (b'[\n["a;b 1\n' + lines("a;b%d %d", 9, int, number), "JSON"),
    "a NUL": (b"a;b 1\na;c\0 1\n", BINARY),
    "random bytes": (random.Random(1).randbytes(100000), BINARY),
    "random bytes but NUL": (random.Random(2).randbytes(100000).replace(b"\0", b""), BINARY),
    "a few of them": (b"\x93\1\xff", BINARY),
    "UTF-16": (PROSE.encode("utf-16"), UNKNOWN),
    "UTF-16, big-endian": (b"\xfe\xff" + PROSE.encode("utf-16-be"), UNKNOWN),
    "Latin-1": (PROSE.encode("latin-1"), UNKNOWN),
    "UTF-8": (PROSE, UNKNOWN),
    "colours": ("\33[1mbold\33[0m\n" * 9, UNKNOWN),
    "one control character": ("a line\n" * 9 + "\1", UNKNOWN),
    "an ELF program": (b"\x7fELF\2\1\1" + bytes(9) + b"\3\0\x3e\0" + bytes(44), "an ELF program or library; record a profile of it"),
    "zeros": (bytes(70000), "nothing but zeros"),
    "a pointer of Git LFS": ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "fetch the file: git lfs pull"),
    "a page of an error": ("\n<!DOCTYPE html>\n<title>404</title>\n", "a page of HTML without an embedded trace; often the answer of a server"),
    "blanks": (b" \n\t\r\n\n", "an empty file"),
    "a trace of calls": (lines('read(%d, "a;b", 5) = %d', 40, int, number), "strace"),
    "perf trace": (b"     0.000 ( 0.011 ms): sleep/4321 brk()                         = 0x55d0c8c0f000\n"
                   b"     0.700 (1000.086 ms): sleep/4321 clock_nanosleep(rqtp: 0x7ffd1a60c340)      = 0\n", "output of perf trace (unsupported); record the calls"),
    "perf trace -s": (b"\n Summary of events:\n\n sleep (12345), 80 events, 95.2%\n\n   syscall            calls  errors  total\n", "the summary of perf trace"),
    "a scheduler of virtual threads": (b"123:\njava.util.concurrent.ForkJoinPool@5a07e868[Running, parallelism = 2, size = 3, active = 1, running = 1]\n", "Thread.dump_to_file"),
    "two frames of a backtrace": (b"#0  f\n#1  g\n" + lines("a;b%d;c %d", 9, int, number), True),
    "a heap snapshot": (b'{"snapshot": {"meta": {"node_fields": ["type", "name"]}, "node_count": 1},\n"nodes": [9, 1],\n'
                        b'"edges": [], "strings": ["", "main;f 5"]}\n', "a V8 heap snapshot"),
    "a heap snapshot, another order": (b'{"nodes":[9,1],"snapshot":{"meta":{"node_fields":["type"]}}}', "heap snapshot"),
    "a script": (b"function a(){b=1;c=2};" * 5000, "unrecognised text"),
    "long names": (b"x" * 70000 + b";f 1\n", "unrecognised text"),
}


def check_text(program, path, data, want):
    data = data.encode() if isinstance(data, str) else data
    ok, _, counts = door.is_folded(data)
    if ok != (want is True):
        return ["the oracle says %s: %s" % (ok, counts)]
    bad = []
    for form, pack in ((path, bytes), (path + ".gz", gzip.compress)):
        write(form, pack(data))
        if want is True:
            a = program.ask(form, "info", options=("--no-index",))
            if a.code != 0 or info(a)["loader"] != "folded":
                bad.append("status %d: %s" % (a.code, a.err.strip()))
            continue
        bad += refused(program, form)
        a = program.ask(form, "info", options=("--no-index",))
        if want not in a.err:
            bad.append("not named %s: %s" % (want, a.err.strip()))
    return bad


def check_pipe(program, path, data, want):
    """The same from standard input and as the second file."""
    write(path, data)
    with open(path, "rb") as f:
        codes = [program.ask("-", "info", stdin=f).code]
    first = write(path + ".1", b"main;f 1\n")
    codes.append(program.run(["--no-index", "-e", "methods", first, path]).code)
    return [] if codes == [want, want] else ["status %s, not %d" % (codes, want)]


def check_ignored(program, path):
    """Once the door is open lines without a count are not an error, but most of the file is not skipped silently."""
    bad = []
    for n, others, told in ((100, 100, ""), (100, 101, "101 of 201 lines dropped: no count at the end of the line"), (12000, 12000, ""),
                            (12000, 12001, "12 001 of 24 001 lines dropped: no count at the end of the line")):
        write(path, b"# a;b\n\n" + lines("main;f%d %d", n, int, number) + lines("end of x%d", others, int))
        a = program.ask(path, "info", options=("--no-index", "--as", "folded"))
        if a.code != 0 or (told not in a.err if told else a.err != ""):
            bad.append("%d and %d: status %d, %r" % (n, others, a.code, a.err))
    return bad


def random_text(seed):
    """Return a random text just within the rule for folded stacks, or just outside."""
    r = random.Random(seed)
    words = ["main", "f", "g h", "x=1", "12", "a.b", "<t>", "&lt", "&#1", "é", "1.2", "Nov 20 ", "Fri ", "10:12", "", "{", "["]
    out = []
    for _ in range(r.randrange(1, 24)):
        parts = [r.choice(words) for _ in range(r.choice((1, 2, 2, 3, 3, 3)))]
        line = r.choice((";", ";", ";", "; ", " ;", ",", "\t")).join(parts)
        out.append(line + r.choice((" %d" % r.randrange(99),) * 5 + (" 1.5", "", " 3 4", "=5", " 6.", " .5")))
    return "\n".join(out).encode() + r.choice((b"", b"\n", b"\r\n"))


def check_random(program, path, seed):
    data = random_text(seed)
    want = door.is_folded(data)
    a = program.ask(write(path, data), "info", options=("--no-index",))
    got = a.code == 0 and info(a)["loader"] == "folded"
    # A text that looks like another format is read as that format.
    return [] if got == want[0] or (a.code == 0 and not got) else ["%s, not %s: %r %s" % (got, want, data, a.err)]


def check_random_all(program, scratch):
    bad = []
    for seed in sampled.turns(range(SEEDS), 6):
        bad += check_random(program, os.path.join(scratch, "random"), seed)
    return bad


# ---- the corpus ---------------------------------------------------------------------------------------


def check_listed(program, path, want):
    a = program.ask(path, "info", options=("--no-index",))
    # A file with the name of a table is opened as a table, and never as folded stacks.
    if want != "yes" and path.endswith((".csv", ".tsv")):
        return [] if a.code == 0 and info(a)["loader"] == "table" else ["status %d: %s" % (a.code, a.err.strip())]
    if want != "yes":
        known = a.code in (0, 3) and info(a)["loader"]
        # A histogram without its total is opened, as a cut one.
        return [] if known == "counts" or a.code == 0 and known in ("stacks", "tracers", "callgrind") else refused(program, path)
    return [] if a.code == 0 and info(a)["loader"] == "folded" else ["status %d: %s" % (a.code, a.err.strip())]


def check_corpus(tap, program, folder):
    """expected/door.tsv: file, yes or no, and why."""
    path = os.path.join(folder, "expected", "door.tsv")
    if not os.path.exists(path):
        return
    with open(path) as f:
        for line in f.read().split("\n")[:-1]:
            name, want = line.split("\t")[:2]
            attempt(tap, "front door: " + name, check_listed, program, os.path.join(folder, "data", name), want)


def check_empty_line(program, scratch):
    """A line feed is also the tag of a packet of Perfetto."""
    bad, n, r = [], 0, random.Random(68)
    inputs = {}
    for path in sorted(glob.glob(os.path.join(INPUTS, "*", "*"))):
        with open(path, "rb") as f:
            data = f.read()
        # Data of Python begins with a brace, too.
        if data[:1] in (b"{", b"[") and b"\0" not in data and os.path.basename(os.path.dirname(path)) != "triage":
            inputs[path] = data
    for i in range(5):
        event = {"tid": 1, "cat": "@8P2", "ts": r.randrange(9999), "dur": 7, "ph": "X", "pid": 9, "name": "a%d" % i, "args": {}}
        inputs["event %d" % i] = json.dumps([event] * 3, indent=2).encode()
    for path, data in inputs.items():
        found = [program.ask(write(os.path.join(scratch, "line"), before + data), "info | where field = format | select value", options=("--no-index",)).out
                 for before in (b"", b"\n", b"\n\n ", b"\r\n")]
        n += found[0] != ""
        bad += ["%s: %s" % (path, found)] * (len(set(found)) > 1)
    return bad + ["only %d files" % n] * (n < 10)


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    names = formats(program)
    tap.ok("--list-formats", [] if "folded" in names else ["formats: %s" % names])
    sampled.tell()
    for i, path in enumerate(sorted(glob.glob(os.path.join(INPUTS, "*", "*")))):
        turns = sampled.turns(names[i % len(names):] + names[:i % len(names)], 6)
        attempt(tap, "--as: %s" % os.path.relpath(path, INPUTS), check_as, program, path, turns)
    attempt(tap, "--as: empty", check_as, program, write(os.path.join(scratch, "empty"), b""), names)
    attempt(tap, "JSON behind an empty line", check_empty_line, program, scratch)
    attempt(tap, "--as and an index", check_as_index, program, scratch)
    attempt(tap, "--as and standard input", check_as_pipe, program, scratch)
    attempt(tap, "--as of no format", check_as_wrong, program, scratch)
    path = os.path.join(scratch, "text")
    for name, (data, want) in TEXTS.items():
        attempt(tap, "folded stacks? " + name, check_text, program, path, data, want)
    attempt(tap, "folded stacks? random texts", check_random_all, program, scratch)
    attempt(tap, "lines without a count", check_ignored, program, path)
    attempt(tap, "standard input and a second file: yes", check_pipe, program, path, b"main;f 2\n", 0)
    attempt(tap, "standard input and a second file: no", check_pipe, program, path, b"main 2\n", 5)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
