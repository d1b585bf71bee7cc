# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of icecore about a trace, and their differences from the oracle.

Each compare function takes rows in the oracle's layout, made by trace.py or
read from a file of expected answers, and the program's tables; it returns a
list of differences, empty when all is well.
"""
import atexit
import collections
import contextlib
import functools
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
import zlib

import idle
import perfview

SHOWN = 3                     # differences printed per comparison


class Table:
    def __init__(self, text):
        lines = text.split("\n")[:-1]
        self.columns = lines[0].split("\t") if lines else []
        self.rows = [dict(zip(self.columns, map(unescape, line.split("\t")) if "\\" in line else line.split("\t")))
                     for line in lines[1:]]


class Answer:
    def __init__(self, code, out, err=""):
        self.code = code
        self.out = out
        self.err = err

    def tables(self):
        return [Table(part + "\n") for part in self.out[:-1].split("\n\n")]


# Seconds that an answer may take at most: only a hang does.
PATIENCE = int(os.environ.get("TEST_PATIENCE", "600"))
LARGE = 200 << 10             # bytes; packed ones take a slow program seconds
SANDBOXED = 8
DAY = int(os.environ.get("TEST_DAY", "0"))


def turn(name, n):
    """Whether it is the turn of a case: that of one in n, by TEST_DAY."""
    return (zlib.crc32(name.encode()) + DAY) % n == 0


def give_up(args):
    """What does not answer once will not do so the next time: the script ends."""
    print("Bail out!  no answer: icecore %s" % " ".join(args)[:300].replace("\n", " "), flush=True)
    sys.exit(1)


def compared_slowly(path):
    """Whether a slow program reads a file of the corpus, too: in a part of the corpus a large one only each fourth day."""
    return "CORPUS_PART" not in os.environ or os.path.getsize(path) < LARGE or turn("slowly: " + os.path.basename(path), 4)


def tell_turn(names):
    """Which cases were asked of processes of their own."""
    print("# TEST_DAY=%d, in processes of their own: %s" % (DAY, "; ".join(names)))


def parts_of(build):
    """The optional parts of a build, as macros of its config.h."""
    with open(os.path.join(build, "config.h"), encoding="utf-8") as f:
        return re.findall(r"(?m)^#define (USE_\w+) 1$", f.read())


def program_of(build):
    """The program of a build, or that of the variable ICECORE.  Each of its answers is looked at for leaks."""
    os.environ["SERVE_LEAKS"] = "all"
    program = Program(os.environ.get("ICECORE", os.path.join(build, "icecore")))
    program.served &= "ICECORE" not in os.environ
    return program


@functools.lru_cache(None)
def quick(path):
    """The program at a path; one for all who ask."""
    return Program(path)


class Program:
    """icecore.  Where tests/hurt/serve is built beside it, that does the same for each run without its start."""

    def __init__(self, path="./icecore", options=()):
        self.command = os.environ.get("ICECORE_WRAP", "").split() + [os.path.abspath(path)]
        self.options = list(options)
        self.serve = os.path.join(os.path.dirname(path), "tests/hurt/serve")
        self.server = None
        # One that make has not linked again is another program.
        self.served = len(self.command) == 1 and os.path.exists(self.serve) and \
            os.path.getmtime(self.serve) >= os.path.getmtime(os.path.join(os.path.dirname(path), "libicecore.a"))

    def run(self, args, stdin=None, timeout=300, cwd=".", changes=(), together=False, fresh=False, confined=False):
        """stdin: an open file, or the path of one.  changes: of the environment, None removes a variable.  together: the answer
        holds what is written to standard error.  fresh: in a process of its own.  confined: in the sandbox, which an
        answer of info names."""
        opened = stdin is not None and not isinstance(stdin, str)
        if self.served and not opened and not fresh:
            # The sandbox takes as long to enter as most answers take: one question in a few is asked in it.
            queries = [b for a, b in zip(args, args[1:]) if a == "-e"]
            if queries and not confined and not turn("\n".join(queries), SANDBOXED) and "--no-sandbox" not in args:
                args = ["--no-sandbox", *args]
            return self.request(args, stdin or os.devnull, timeout, cwd, dict(changes), together)
        env = {k: v for k, v in {**os.environ, **dict(changes)}.items() if v is not None}
        with contextlib.nullcontext(stdin) if opened else open(stdin or os.devnull, "rb") as f:
            try:
                p = subprocess.run(self.command + args, stdin=f, stdout=subprocess.PIPE, cwd=cwd, env=env, timeout=min(timeout, PATIENCE),
                                   stderr=subprocess.STDOUT if together else subprocess.PIPE)
            except subprocess.TimeoutExpired:
                give_up(args)
        return Answer(p.returncode, p.stdout.decode("utf-8", "surrogateescape"),
                      (p.stderr or b"").decode("utf-8", "surrogateescape"))

    def result(self, args, **how):
        """An answer in the form of subprocess.run."""
        a = self.run(args, **how)
        return subprocess.CompletedProcess(args, a.code, *(s.encode("utf-8", "surrogateescape") for s in (a.out, a.err)))

    def request(self, args, stdin, timeout, cwd, changes, together):
        if self.server is None:
            # A disk may take a while to let go of what a file held.
            self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
            self.server = subprocess.Popen([self.serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            atexit.register(self.server.communicate)
        out, err = (os.path.join(self.folder.name, name) for name in ("out", "err"))
        words = [stdin, out, out if together else err, cwd, str(min(timeout, PATIENCE))]
        words += [name if value is None else name + "=" + value for name, value in changes.items()] + ["", "icecore"] + args
        request = b"".join(os.fsencode(word) + b"\0" for word in words)
        self.server.stdin.write(b"%d\0" % len(request) + request)
        self.server.stdin.flush()
        status = self.server.stdout.readline()
        if not status:
            raise ValueError("serve ended")
        if int(status) == -signal.SIGALRM:
            give_up(args)
        texts = []
        for path in (out,) if together else (out, err):
            with open(path, "rb") as f:
                texts.append(f.read().decode("utf-8", "surrogateescape"))
        return Answer(int(status), *texts)

    def tell_cuts(self, path, scratch):
        """The status of the program for the file cut to each length, and why."""
        p = subprocess.run([os.path.join(os.path.dirname(self.serve), "hurt_trace"), "tell", path, scratch],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        rows = [line.split(" ", 2) for line in p.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]]
        return [(int(code), why) for _, code, why in rows]

    def ask(self, path, *queries, options=(), stdin=None):
        args = self.options + list(options) + ["-o", "tsv"]
        for q in queries:
            args += ["-e", q]
        return self.run(args + [path], stdin)


def unescape(s):
    if "\\" not in s:
        return s
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "r": "\r"}.get(m.group(1), m.group(1)), s)


# ---- cells --------------------------------------------------------------------


NUMBER = re.compile(r"-?\d+(\.?\d*(e[+-]?\d+)?)")


@functools.lru_cache(maxsize=1 << 16)
def value(text):
    number = NUMBER.fullmatch(text)
    return text if number is None else float(text) if number[1] else int(text)


def near(a, b):
    if a == b:
        return True
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)
    return False


def differ(query, want, got):
    """Rows of texts and numbers; numbers are printed to 12 digits."""
    want = [tuple(value(str(x)) for x in row) for row in want]
    got = [tuple(value(str(x)) for x in row) for row in got]
    if len(want) != len(got):
        return ["%s: %d rows, not %d" % (query, len(got), len(want))]
    return ["%s: row %d is %r, not %r" % (query, i, b, a) for i, (a, b) in enumerate(zip(want, got))
            if len(a) != len(b) or not all(map(near, a, b))][:3]


# ---- names ------------------------------------------------------------------

HIDDEN = re.compile(r"\\x(?:[01][0-9a-f]|7f)")


def stand_in(ch):
    return (unicodedata.category(ch) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") or
            ch == "\u2065" or 0xfdd0 <= ord(ch) <= 0xfdef or ord(ch) & 0xfffe == 0xfffe)


@functools.lru_cache(maxsize=1 << 16)
def fit(s):
    """The oracle's \\xNN and what the program's gate replaces, both as U+FFFD."""
    s = HIDDEN.sub("\ufffd", s)
    if s.isascii() and s.isprintable():
        return s
    return "".join("\ufffd" if stand_in(ch) else ch for ch in s)


# A method in a perf map of a JVM, "Lio/netty/Loop;::run"; in a stack ":" stands for its ";".
JAVA = re.compile(r"(?:L(?=[\w$/-]+:::|[\w$/-]*/[\w$/-]*:[.])|(?=[\w$-]+/[\w$/-]*:::))([\w$/-]+):(?:::|[.])"
                  r"([\w$<>-]+?)(?:[(].*?)?(_\[.\])?", re.ASCII)

# The same with slashes alone, "io/netty/Loop.run": packages in lower case, a class in upper case, no name of a source file.
SLASHED = re.compile(r"((?:[a-z_$][\w$]*/)+[A-Z][\w$+-]*(?:[/.]\d[\w$]*)*)"
                     r"(?:[.](?!(?:java|kts?|scala|groovy|clj|[mc]?js|[jt]sx|ts|vue|py|rb|php|go|rs|cc?|cpp|cxx|h|hpp|swift|cs|dart)(?:_\[.\])?$)|:[.]|::)"
                     r"([\w$<>-]+?)(?:[(].*?)?(_\[.\])?", re.ASCII)


def java(name):
    m = (JAVA.fullmatch(name) if "->" not in name else None) or SLASHED.fullmatch(name)
    return "%s.%s%s" % (m[1].replace("/", "."), m[2], m[3] or "") if m else name


def demangled(counts):
    """Counts by stack (names with ";" between), symbols of C++ and Rust as c++filt shows them, legacy names of Rust as in the
    source, and those of Java without descriptors.  Stacks may become equal."""
    counts = collections.Counter(counts)
    if any(":::" in k or "/" in k for k in counts):
        plain = collections.Counter()
        for name, n in counts.items():
            plain[";".join(map(java, name.split(";")))] += n
        counts = plain
    if any("::h" in k for k in counts):
        plain = collections.Counter()
        for name, n in counts.items():
            plain[";".join("`".join(map(perfview.rust, part.split("`"))) for part in name.split(";"))] += n
        counts = plain
    if not any("_Z" in k or "_R" in k for k in counts):
        return counts
    names = subprocess.run(["c++filt", "-p"], input="\x01".join(counts), capture_output=True, text=True, errors="surrogateescape",
                           check=True).stdout.split("\x01")
    out = collections.Counter()
    for name, n in zip(names, counts.values(), strict=True):
        out[name] += n
    return out


def short(name):
    """Without the signature."""
    return name.split("(", 1)[0]


# ---- comparing ----------------------------------------------------------------

def number(cell):
    return int(cell or 0)


def differences(what, want, got):
    out = []
    for sign, extra in (("missing", want - got), ("unexpected", got - want)):
        for row, n in list(extra.items())[:SHOWN]:
            out.append("%s: %s %d x %s" % (what, sign, n, row))
    return out


def period(want, got):
    """The one period by which times of samples are the counts that an expected answer has; 1: there is none."""
    most, mine = sum(want), sum(got)
    each = mine // most if most > 0 else 1
    return 1 if each < 2 or mine != each * most or any(v % each for v in got) else each


def as_counts(want, got):
    """Times of samples as counts."""
    each = period(want.values(), got.values())
    return type(got)({k: v // each for k, v in got.items()})


def full_names(methods):
    return {m["id"]: m["class"] + ("." if m["class"] and m["name"] else "") +
            m["name"] + m["signature"] for m in methods.rows}


def missing_columns(table, names):
    return ["column %s is missing" % n for n in names.split() if n not in table.columns]


TIMES = "self_wall total_wall self_cpu total_cpu"
COUNTS = ("calls", *TIMES.split())


class Paths:
    """Small numbers for call paths, so that a deep tree stays cheap."""

    def __init__(self):
        self.known = {}

    def of(self, parent, name):
        return self.known.setdefault((parent, name), len(self.known) + 1)

    def show(self, path):
        names = []
        back = {v: k for k, v in self.known.items()}
        while path in back:
            path, name = back[path]
            names.append(str(name))
        return " < ".join(names[:6])


def tid_of(kind, tid):
    """As the records hold it: 16 bits, but in V2."""
    return int(tid) & (0xffffffff if kind.startswith("v2") else 0xffff)


def compare_tree(kind, rows, scale, calls, threads, methods):
    bad = missing_columns(calls, "id parent thread depth method calls method_id thread_id " + TIMES)
    if bad:
        return bad
    paths = Paths()
    want = collections.Counter()
    above = []
    for tid, depth, n, iw, sw, ic, sc, _, name in rows:
        del above[int(depth):]
        path = paths.of(above[-1] if above else -int(tid), fit(name))
        above.append(path)
        want[(path, int(depth), int(n)) + tuple(int(v) * scale for v in (sw, iw, sc, ic))] += 1
    names = {k: fit(v) for k, v in full_names(methods).items()}
    tids = {t["id"]: tid_of(kind, t["tid"]) for t in threads.rows}
    got = collections.Counter()
    seen = {"0": None, "": None}
    for r in calls.rows:
        parent = seen[r["parent"]] or -tids[r["thread_id"]]
        path = paths.of(parent, names[r["method_id"]])
        seen[r["id"]] = path
        if short(names[r["method_id"]]) != fit(r["method"]):
            bad.append("method cell %r is not %r" % (r["method"], names[r["method_id"]]))
        got[(path, int(r["depth"]), int(r["calls"])) +
            tuple(number(r[c]) for c in TIMES.split())] += 1
    return bad[:SHOWN] + [d + " = " + paths.show(int(re.search(r"\((\d+)", d).group(1)))
                          for d in differences("call tree", want, got)]


def compare_order(calls):
    """Pre-order, and siblings by falling total."""
    bad = []
    above = []
    for r in calls.rows:
        depth = int(r["depth"])
        before = above[depth] if depth < len(above) else None
        del above[depth:]
        parent = above[-1] if above else {"id": "0"}
        if r["parent"] not in (parent["id"], "") or depth != len(above):
            bad.append("row %s is not below row %s" % (r["id"], parent["id"]))
        elif before is not None and before["parent"] == r["parent"] and \
                before["thread_id"] == r["thread_id"] and \
                (number(before["total_wall"]), number(before["total_cpu"])) < \
                (number(r["total_wall"]), number(r["total_cpu"])):
            bad.append("row %s is larger than the sibling before" % r["id"])
        above.append(r)
    return bad[:SHOWN]


def idle_threads(rows, tree, clock):
    """Those that did next to nothing, in files with both clocks."""
    if clock != "dual" or not rows:
        return set()
    waited, above = collections.Counter(), []
    for r in tree:
        del above[int(r[1]):]
        above.append(r[8].split("(")[0].replace("/", "."))
        waited[str(r[0])] += int(r[4]) if idle.stack(above[::-1]) else 0
    elapsed = max(int(r[7]) for r in rows) - min(int(r[6]) for r in rows)
    return {str(r[0]) for r in rows if idle.thread(elapsed, max(int(r[11]), int(r[9]) - int(r[8])), int(r[10]), waited[str(r[0])])}


def compare_threads(kind, rows, tree, scale, clock, threads):
    bad = missing_columns(threads, "id tid name main calls wall cpu off_cpu start end depth repairs idle")
    if bad:
        return bad
    calls = collections.Counter()
    for r in tree:
        calls[str(r[0])] += int(r[2])
    still = idle_threads(rows, tree, clock)
    want = collections.Counter()
    for tid, _, _, _, _, depth, fw, lw, fc, lc, wall, cpu, name in rows:
        start, end = (fc, lc) if clock == "thread-cpu" else (fw, lw)
        want[(int(tid), fit(name) or "thread %s" % tid, calls[str(tid)]) +
             tuple(int(v) * scale for v in (wall, cpu, start, end)) + (int(depth), str(tid) in still)] += 1
    got = collections.Counter(
        (tid_of(kind, r["tid"]), fit(r["name"]), number(r["calls"])) +
        tuple(number(r[c]) for c in ("wall", "cpu", "start", "end", "depth")) + (r["idle"] == "true",)
        for r in threads.rows)
    return differences("threads", want, got)


def compare_methods(rows, scale, methods):
    bad = missing_columns(methods, "id class name signature file line calls " + TIMES)
    if bad:
        return bad
    want = collections.Counter(
        (fit(name), int(n)) + tuple(int(v) * scale for v in (sw, iw, sc, ic))
        for _, n, iw, sw, ic, sc, name in rows)
    names = full_names(methods)
    got = collections.Counter(
        (fit(names[r["id"]]), number(r["calls"])) + tuple(number(r[c]) for c in TIMES.split())
        for r in methods.rows if number(r["calls"]))
    return differences("methods", want, got)


def compare_shape(what, known, totals, name_of, scale, table, methods):
    """merged and inverted: trees without threads.  known, totals: see trace.py."""
    bad = missing_columns(table, "id parent depth method calls method_id " + TIMES)
    if bad:
        return bad
    paths = Paths()
    path = {0: 0}
    name = {mid: fit(name_of(mid)) for mid in {mid for _, mid in known}}
    for (above, mid), at in known.items():
        path[at] = paths.of(path[above], name[mid])
    want = collections.Counter((path[at], r[0]) + tuple(v * scale for v in r[1:])
                               for at, r in totals.items())
    names = {k: fit(v) for k, v in full_names(methods).items()}
    seen = {"0": 0}
    got = collections.Counter()
    for r in table.rows:
        seen[r["id"]] = paths.of(seen[r["parent"]], names[r["method_id"]])
        got[(seen[r["id"]], *(number(r[c]) for c in COUNTS))] += 1
    return differences(what, want, got)


def compare_edges(what, totals, name_of, scale, table, methods):
    """callers and callees."""
    bad = missing_columns(table, "method calls percent method_id " + TIMES)
    if bad:
        return bad
    names = {k: fit(v) for k, v in full_names(methods).items()}
    want = collections.Counter((None if mid is None else fit(name_of(mid)), r[0]) +
                               tuple(v * scale for v in r[1:]) for mid, r in totals.items())
    got = collections.Counter((names.get(r["method_id"]), number(r["calls"])) +
                              tuple(number(r[c]) for c in TIMES.split()) for r in table.rows)
    return differences(what, want, got)


def compare_folded(lines, scale, answer):
    """lines: the oracle's, with NAME-TID in front and signatures."""
    want = collections.Counter()
    nodes = collections.Counter()
    for line in lines:
        stack, n = line.rsplit(" ", 1)
        thread, *frames = stack.split(";")
        name, tid = thread.rsplit("-", 1)
        key = ";".join([fit(name) or "thread " + tid] + [short(fit(f)) for f in frames])
        want[key] += int(n) * scale
        nodes[key] += 1
    got = collections.Counter()
    for line in answer.out.split("\n")[:-1]:
        stack, n = line.rsplit(" ", 1)
        if int(n) <= 0:
            return ["folded: a line without weight: %r" % line[:80]]
        got[fit(stack)] += int(n) * 1000
    bad = []
    for key in want.keys() | got.keys():
        slack = 1000 * nodes[key] if scale == 1 else 1
        if abs(want[key] - got[key]) >= slack:
            bad.append("folded: %d ns, should be %d: %r" % (got[key], want[key], key[:120]))
    return bad[:SHOWN]


ACTIONS = ("enter", "exit", "unroll", "other")


def compare_records(t, scale, name_of, records):
    """name_of(raw id): without signature.  Exits of V2 c name no method in the file."""
    bad = missing_columns(records, "row offset tid method action cpu wall")
    if bad:
        return bad
    if len(records.rows) != len(t.recs):
        return ["records: %d rows, should be %d" % (len(records.rows), len(t.recs))]
    last = -1
    for i, ((tid, mid, action, wall, cpu), r) in enumerate(zip(t.recs, records.rows)):
        anonymous = t.kind.startswith("v2c") and action in (1, 2)
        want = (tid, fit(name_of(mid)), ACTIONS[action], wall * scale, cpu * scale)
        got = (int(r["tid"]), fit(r["method"]), r["action"], number(r["wall"]), number(r["cpu"]))
        if anonymous:
            want, got = want[:1] + want[2:], got[:1] + got[2:]
        if want != got:
            bad.append("record %d is %s, should be %s" % (i, got, want))
        if int(r["offset"]) <= last and not t.kind.startswith("v2a"):
            bad.append("record %d: offset %s is not behind the one before" % (i, r["offset"]))
        last = int(r["offset"])
        if len(bad) >= SHOWN:
            break
    return bad


def compare_spans(what, rows, scale, name_of, spans):
    """rows: Thread.ordered(), perhaps only some."""
    bad = missing_columns(spans, "thread depth method start_wall wall start_cpu cpu")
    if bad:
        return bad
    want = [(d, w * scale, (we - w) * scale, u * scale, (ue - u) * scale, fit(name_of(m)))
            for d, m, w, we, u, ue in rows]
    got = [tuple([int(r["depth"])] + [number(r[c]) for c in ("start_wall", "wall", "start_cpu", "cpu")] +
                 [fit(r["method"])]) for r in spans.rows]
    for i, (a, b) in enumerate(zip(want, got)):
        if a != b:
            bad.append("%s: row %d is %s, should be %s" % (what, i, b, a))
            break
    if len(want) != len(got):
        bad.append("%s: %d rows, should be %d" % (what, len(got), len(want)))
    return bad and bad + differences(what, collections.Counter(want), collections.Counter(got))


# The oracle's fact, the field of info, and the factor between them.
FIELDS = (
    ("kind", "kind", None), ("version", "version", 1), ("clock", "clock", None),
    ("records", "records", 1), ("threads_listed", "threads_listed", 1),
    ("methods_listed", "methods_listed", 1), ("threads_seen", "threads", 1),
    ("max_depth", "max_depth", 1), ("pid", "pid", 1),
    ("alloc_count", "alloc_count", 1), ("alloc_size", "alloc_size", 1), ("gc_count", "gc_count", 1),
    ("sampled_guess", "sampled", 1), ("renames", "repair.renames", 1),
    ("synthetic", "repair.synthetic", 1), ("forced", "repair.forced", 1),
    ("ignored", "repair.ignored", 1), ("open", "repair.open", 1),
    ("action3", "repair.action3", 1), ("wraps", "repair.wraps", 1),
    ("backwards", "repair.backwards", 1),
    ("unknown_methods", "repair.unknown_methods", 1),
    ("unknown_method_records", "repair.unknown_method_records", 1),
    ("unknown_thread_records", "repair.unknown_thread_records", 1),
)


def compare_facts(facts, info):
    """facts: the oracle's, or some of them, as a dict of texts."""
    got = {r["field"]: r["value"] for r in info.rows}
    bad = []
    for fact, field, factor in FIELDS:
        if facts.get(fact, "") == "":
            continue
        value = facts[fact] if factor is None else str(int(facts[fact]) * factor)
        if got.get(field, "0") != value:
            bad.append("info %s is %s, should be %s" % (field, got.get(field), value))
    if "record_size" in facts and facts.get("kind", "v1").startswith("v1") and \
            got.get("record_size") != facts["record_size"]:
        bad.append("info record_size is %s, should be %s" % (got.get("record_size"), facts["record_size"]))
    if "lost_records" in facts and got.get("loss.records", "0") != facts["lost_records"]:
        bad.append("info reports %s records missing, should be %s" % (got.get("loss.records", "0"), facts["lost_records"]))
    if "tail_bytes" in facts:
        tail = int(got.get("loss.tail_bytes", 0)) + int(got.get("repair.trailing", 0))
        if tail != int(facts["tail_bytes"]):
            bad.append("info reports %d bytes left over, should be %s" % (tail, facts["tail_bytes"]))
    if "complete" in facts and int(facts["complete"]) != (got.get("loss.no_summary", "0") == "0"):
        bad.append("info loss.no_summary is %s" % got.get("loss.no_summary"))
    if facts.get("overflow") == "true" and got.get("loss.overflow") != "1":
        bad.append("info loss.overflow is %s" % got.get("loss.overflow"))
    return bad
