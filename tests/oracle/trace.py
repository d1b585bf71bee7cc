#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""trace.py WHAT FILE - slow, plain oracle for Android method traces.

WHAT: facts       key<TAB>value lines
      threads     one line per thread
      tree        call-tree totals, pre-order
      methods     per-method totals (outermost-only inclusive)
      folded      folded stacks, self time of the main clock
      records     the decoded records
      spans TID   the calls of a thread in time order
      cuts        for each length the file could be cut to, the records left
                  (-1: not readable)

Shares nothing with the program it judges.  Times are in the unit named by
the fact "unit" (us or ns); "wall" and "cpu" are 0 where the file has no such
clock.  Every repair is counted in the facts; the rules are those of REPAIRS
in icecore(1).
"""
import gzip
import struct
import sys

WRAP = 1 << 32
STEP = 60 * 1000000           # a step back of more than this is a wrap
WORD = (1 << 64) - 1


class Bad(Exception):
    pass


class Trace:
    def __init__(self):
        self.kind = ""
        self.version = 0
        self.recsize = 0
        self.clock = ""
        self.unit = "us"
        self.keys = []            # (key, value) in file order
        self.threads = []         # (tid, name) in file order
        self.methods = {}         # id -> (class, method, sig, source, line)
        self.nmethodlines = 0
        self.start = 0
        self.recs = []            # (tid, mid, action, wall, cpu)
        self.renames = []         # (record index, tid, name)
        self.tail = 0             # bytes of a cut last record or packet
        self.complete = True
        self.wide = False         # 64-bit clocks, no unwrapping

    def key(self, k, default=""):
        for a, b in self.keys:
            if a == k:
                return b
        return default

    def lost_records(self):
        """Return how many records the header of a file counts beyond those in it; 0 for a buffer
        that overflowed, which counts records that did not fit, and from 2 GiB on, where the count may have wrapped."""
        said = self.key("num-method-calls")
        if self.kind != "v1-regular" or self.key("data-file-overflow") == "true" or not said.isdigit() or \
                int(said) * self.recsize >= 1 << 31:
            return 0
        return max(0, int(said) - len(self.recs))


# ---- text sections --------------------------------------------------------

def text(b):
    """Any bytes; what is not UTF-8 survives as surrogates."""
    return b.decode("utf-8", "surrogateescape")


def num(s):
    """A C integer, or a decimal one with leading zeros."""
    for base in (0, 10):
        try:
            return int(s.strip(), base)
        except ValueError:
            pass
    raise Bad("number %r" % s)


def number_or(s, default):
    try:
        return int(s)
    except ValueError:
        return default


def method_line(t, line, mid=None):
    """One line of the method list; with mid the line has no id column."""
    f = line.rstrip("\r\n").split("\t")
    if mid is None:
        mid = num(f.pop(0)) & ~3
    f += [""] * (3 - len(f))
    cls, name, sig = f[:3]
    src = f[3] if len(f) > 3 else ""
    ln = number_or(f[4], -1) if len(f) > 4 else -1
    if sig != "" and not sig.startswith("("):
        # native style: class.method without signature, file, line
        name, sig, src, ln = "", "", f[1], number_or(f[2], -1)
    t.nmethodlines += 1
    t.methods[mid] = (cls.replace("/", "."), name, sig, src, ln)


def text_section(t, data, pos):
    """Parses from pos; returns the offset after the *end line, or None."""
    section = ""
    while True:
        nl = data.find(b"\n", pos)
        if nl < 0:
            return None
        line = text(data[pos:nl].removesuffix(b"\r"))
        pos = nl + 1
        if line.startswith("*"):
            section = line[1:]
            if section == "end":
                return pos
        elif section == "version" and "=" in line:
            t.keys.append(tuple(line.split("=", 1)))
        elif section == "threads" and "\t" in line:
            a, b = line.split("\t", 1)
            t.threads.append((num(a), b))
        elif section == "methods" and "\t" in line:
            method_line(t, line)


def clock_of(t):
    c = t.key("clock", "thread-cpu")
    return "wall" if c == "global" else c


# ---- V1: records of one size ----------------------------------------------

def v1_record(clock, b, at, tidsize):
    tid = int.from_bytes(b[at:at + tidsize], "little")
    at += tidsize
    word, first = struct.unpack_from("<II", b, at)
    wall = cpu = 0
    if clock == "dual":
        cpu, wall = first, struct.unpack_from("<I", b, at + 8)[0]
    elif clock == "wall":
        wall = first
    else:
        cpu = first
    return tid, word & ~3, word & 3, wall, cpu


def parse_regular(t, data):
    t.kind = "v1-regular"
    p = text_section(t, data, 0)
    if p is None:
        raise Bad("no *end line")
    h = data[p:p + 32]
    if h[:4] != b"SLOW":
        raise Bad("no SLOW magic after *end")
    if len(h) < 16:
        raise Bad("header cut")
    t.version, off, t.start = struct.unpack_from("<HHQ", h, 4)
    t.clock = clock_of(t)
    if t.version not in (1, 2, 3):
        raise Bad("version %d" % t.version)
    size = {1: 9, 2: 10, 3: 0}[t.version]
    if t.version == 3:
        size = struct.unpack_from("<H", h, 16)[0] if len(h) >= 18 else 0
        size = size or (14 if t.clock == "dual" else 10)
    tidsize = 1 if t.version == 1 else 2
    if t.clock == "dual" and size < tidsize + 12:
        t.clock = "thread-cpu"
    if size < tidsize + 8:
        raise Bad("record size %d" % size)
    t.recsize = size
    p += off
    if off < 16 or p > len(data):
        raise Bad("data offset %d" % off)
    while p + size <= len(data):
        t.recs.append(v1_record(t.clock, data, p, tidsize))
        p += size
    t.tail = len(data) - p


def walk_stream(data, p, size):
    """Walks a V1 stream with records of that size.
    Returns (events, good, bad, complete, tail)."""
    events = []
    tids = set()
    good = bad = 0
    complete = False
    n = len(data)
    while p + 2 <= n:
        tid, = struct.unpack_from("<H", data, p)
        if tid:
            if p + size > n:
                break
            good += tid in tids
            bad += tid not in tids
            events.append(("record", p))
            p += size
            continue
        op = data[p + 2] if p + 3 <= n else None
        head = {1: 5, 2: 7, 3: 7}.get(op)
        if head is None or p + head > n:
            bad += op is not None and head is None
            break
        length = int.from_bytes(data[p + (5 if op == 2 else 3):p + head], "little")
        body = data[p + head:p + head + length]
        if op == 3:
            events.append(("summary", body))
            complete = len(body) == length and body[:1] == b"*"
            good += complete
            bad += not complete
            p = min(n, p + head + length)
            break
        if len(body) < length:
            break
        if op == 1:
            fine = b"\t" in body and (body[:2] == b"0x" or body[:1].isdigit())
            good += fine
            bad += not fine
            events.append(("method", body))
        else:
            tid, = struct.unpack_from("<H", data, p + 3)
            tids.add(tid)
            events.append(("thread", tid, body))
        p += head + length
    return events, good, bad, complete, n - p


def summary_section(t, body):
    """The summary's own method list only fills gaps; its threads come last."""
    s = Trace()
    try:
        whole = text_section(s, body, 0) is not None
    except Bad:
        whole = False
    t.keys = s.keys
    t.complete = t.complete and whole
    t.methods.update((k, m) for k, m in s.methods.items() if k not in t.methods)
    return s.threads


def announce(t, tid, name):
    if any(a == tid for a, _ in t.threads):
        t.renames.append((len(t.recs), tid, name))
    t.threads.append((tid, name))


def parse_stream(t, data):
    t.kind = "v1-stream"
    t.version, off, t.start = struct.unpack_from("<HHQ", data, 4)
    field, = struct.unpack_from("<H", data, 16)
    v = t.version & 15
    sizes = (9, field) if v == 1 else (field, 14 if v == 3 else 10, 14, 10)
    best = None
    for size in sizes:            # the first without a misfit, else the best
        if size < (9 if v == 1 else 10):
            continue
        walk = walk_stream(data, off, size)
        _, good, bad, complete, _ = walk
        score = good - 100 * bad + 1000 * complete
        if best is None or score > best[0]:
            best = (score, size, walk)
        if bad == 0:
            break
    _, t.recsize, (events, _, _, t.complete, t.tail) = best
    late = []
    for e in events:
        if e[0] == "summary":
            late = summary_section(t, e[1])
    t.clock = clock_of(t) if t.keys else ("dual" if v == 3 and t.recsize >= 14 else "wall")
    for e in events:
        if e[0] == "method":
            try:
                method_line(t, text(e[1]))
            except Bad:
                pass
        elif e[0] == "thread":
            announce(t, e[1], text(e[2]))
        elif e[0] == "record":
            t.recs.append(v1_record(t.clock, data, e[1], 1 if v == 1 else 2))
    for tid, name in late:        # the names of the end
        known = {a & 0xFFFF: b for a, b in t.threads}
        if known.get(tid & 0xFFFF) != name:
            t.threads.append((tid, name))


# ---- V2: packets with blocks of deltas -------------------------------------

class Cursor:
    def __init__(self, data, at):
        self.data = data
        self.at = at

    def leb(self):
        value = shift = 0
        while True:
            if self.at >= len(self.data) or shift >= 70:
                raise Bad("leb128 cut or too long")
            c = self.data[self.at]
            self.at += 1
            value |= (c & 127) << shift
            shift += 7
            if not c & 128:
                return value, shift, c

    def uleb(self):
        return self.leb()[0]

    def sleb(self):
        value, shift, c = self.leb()
        return value - (1 << shift) if c & 64 else value


def v2_packets(data, rev):
    """Splits a V2 file.  Raises Bad at nonsense."""
    out = []
    p, n = 32, len(data)
    dual = struct.unpack_from("<H", data, 4)[0] & 15 == 5
    block = (21 if dual else 17) if rev == "A" else 12
    head = {0: 7, 1: 7 if rev == "A" else 11, 2: block, 3: 3}
    while p < n:
        op = data[p]
        if op not in head:
            raise Bad("op %d at %d" % (op, p))
        q = p + head[op]
        if q > n:
            break
        if op == 2 and rev != "A":
            length, = struct.unpack_from("<I", data, p + 8)
            if length < int.from_bytes(data[p + 5:p + 8], "little"):
                raise Bad("block at %d" % p)
        else:
            length, = struct.unpack_from("<H", data, q - 2)
        if op == 2 and rev == "A" and not length and data[q - 4:q - 2] != b"\0\0":
            raise Bad("block at %d" % p)
        body = data[q:q + length]
        if len(body) < length:
            break
        if op == 3 and body[:1] != b"*":
            raise Bad("summary at %d" % p)
        if op == 1 and b"\t" not in body:
            raise Bad("method line at %d" % p)
        out.append((op, data[p:q], body))
        p = q + length
        if op == 3:
            return out, n - p, True
    return out, n - p, False


def v2_block(t, rev, dual, head, body, stacks, freq):
    tid, = struct.unpack_from("<I", head, 1)
    has_cpu = dual or t.clock == "thread-cpu"
    has_wall = t.clock != "thread-cpu"
    c = Cursor(body, 0)
    word = wall = cpu = mid = 0
    if rev == "A":
        first, = struct.unpack_from("<I", head, 5)
        times = struct.unpack_from("<II" if dual else "<I", head, 9)
        if has_cpu:
            cpu = times[0]
        if has_wall:
            wall = times[-1]
        left, = struct.unpack_from("<H", head, len(head) - 4)
        t.recs.append((tid, first & ~3, first & 3, wall, cpu))
    else:
        left = int.from_bytes(head[5:8], "little")
    for _ in range(left):
        if rev == "C":
            word = (word + c.sleb()) & WORD
            if dual:
                cpu += c.sleb()
            wall = (word >> 2) * 1000000000 // freq if freq else word >> 2
            stack = stacks.setdefault(tid, [])
            if word & 3 == 0:
                mid = (mid + c.sleb()) & WORD
                stack.append(mid)
                m = mid
            else:
                m = stack.pop() if stack else mid
            t.recs.append((tid, m, word & 3, wall, cpu))
            continue
        d = c.sleb()
        word = first + d if rev == "A" else (word + d) & WORD
        if has_wall:
            wall += c.uleb()
        if has_cpu:
            cpu += c.uleb()
        t.recs.append((tid, word & ~3, word & 3, wall, cpu))


def v2_revision(data, counter, freq):
    best = None
    for rev in (["C"] if counter or freq else []) + ["B", "A"]:
        try:
            packets, tail, complete = v2_packets(data, rev)
        except (Bad, struct.error):
            continue
        score = (complete, -tail)
        if best is None or score > best[0]:
            best = (score, rev, packets)
    if best is None:
        raise Bad("V2: no revision fits")
    return best


def parse_v2(t, data):
    t.version, = struct.unpack_from("<H", data, 4)
    t.start, counter, freq = struct.unpack_from("<QQQ", data, 6)
    dual = t.version & 15 == 5
    t.clock = "dual" if dual else "wall"
    t.wide = True
    (t.complete, tail), rev, packets = v2_revision(data, counter, freq)
    t.tail = -tail
    t.kind = "v2" + rev.lower() + ("-stream" if t.version & 0xF0 else "-file")
    t.unit = "us" if rev == "A" else "ns"
    for op, _, body in packets:
        if op == 3:
            text_section(t, body, 0)
            if t.keys:
                t.clock = clock_of(t)
    stacks = {}
    for op, head, body in packets:
        if op == 0:
            announce(t, struct.unpack_from("<I", head, 1)[0], text(body))
        elif op == 1:
            mid = int.from_bytes(head[1:-2], "little")
            method_line(t, text(body), mid << 2 if rev == "A" else mid)
        elif op == 2:
            try:
                v2_block(t, rev, dual, head, body, stacks, freq)
            except Bad:
                t.tail += 1


def decode(data):
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    t = Trace()
    if data.startswith(b"*version"):
        parse_regular(t, data)
    elif data.startswith(b"SLOW"):
        if len(data) < 32:
            raise Bad("header cut")
        v, = struct.unpack_from("<H", data, 4)
        if v in (4, 5, 0xF4, 0xF5):
            parse_v2(t, data)
        elif v in (0xF1, 0xF2, 0xF3):
            parse_stream(t, data)
        else:
            raise Bad("version 0x%x without a text section" % v)
    else:
        raise Bad("not a method trace")
    return t


def load(path):
    with open(path, "rb") as f:
        return decode(f.read())


# ---- the repair policy: records to calls -----------------------------------

class Node:
    __slots__ = ("mid", "calls", "wall", "cpu", "kids")

    def __init__(self, mid):
        self.mid = mid
        self.calls = 0
        self.wall = self.cpu = 0
        self.kids = {}

    def kid(self, mid):
        k = self.kids.get(mid)
        if k is None:
            k = self.kids[mid] = Node(mid)
        return k

    def self_wall(self):
        return self.wall - sum(k.wall for k in self.kids.values())

    def self_cpu(self):
        return self.cpu - sum(k.cpu for k in self.kids.values())


class Thread:
    def __init__(self, tid, name):
        self.tid = tid
        self.name = name
        self.n = 0
        self.actions = [0, 0, 0, 0]
        self.root = Node(None)
        self.stack = []           # (node, wall, cpu at enter, row of spans)
        self.spans = []           # [mid, depth, wall, end, cpu, end, synthetic so far]
        self.synthetic = 0
        self.repairs = 0
        self.wraw = self.craw = None
        self.wbase = self.cbase = 0
        self.wall = self.cpu = 0  # latest
        self.firstwall = self.firstcpu = 0
        self.maxdepth = 0

    def enter(self, mid):
        parent = self.stack[-1][0] if self.stack else self.root
        node = parent.kid(mid)
        node.calls += 1
        self.spans.append([mid, len(self.stack), self.wall, 0, self.cpu, 0, self.synthetic])
        self.stack.append((node, self.wall, self.cpu, len(self.spans) - 1))
        self.maxdepth = max(self.maxdepth, len(self.stack))

    def leave(self):
        node, wall, cpu, row = self.stack.pop()
        node.wall += self.wall - wall
        node.cpu += self.cpu - cpu
        self.spans[row][3] = self.wall
        self.spans[row][5] = self.cpu

    def enclose(self, mid):
        """A method open since the start: it encloses all top-level calls."""
        self.synthetic += 1
        n = Node(mid)
        n.kids = self.root.kids
        n.calls = 1
        n.wall, n.cpu = self.wall, self.cpu
        self.root.kids = {mid: n}
        self.spans.append([mid, 0, 0, self.wall, 0, self.cpu, -self.synthetic])

    def exit(self, mid, c):
        if not self.stack:
            c["synthetic"] += 1
            self.enclose(mid)
            return
        i = len(self.stack) - 1
        while i >= 0 and self.stack[i][0].mid != mid:
            i -= 1
        if i < 0:
            c["ignored"] += 1
            return
        c["forced"] += len(self.stack) - 1 - i
        while len(self.stack) > i:
            self.leave()

    def unwrap(self, wall, cpu, latest, c):
        """32-bit microseconds to 64 bits; latest: of all threads."""
        if self.wraw is None:
            # place the first value nearest to the file's latest time
            self.wbase = max(0, (latest - wall + (WRAP >> 1)) // WRAP) * WRAP
        elif self.wraw - wall > STEP:
            self.wbase += WRAP
            c["wraps"] += 1
        # a thread that slept through more than one wrap
        while latest - (self.wbase + wall) > WRAP >> 1:
            self.wbase += WRAP
            c["wraps"] += 1
        if self.craw is not None and self.craw - cpu > STEP:
            self.cbase += WRAP
            c["wraps"] += 1
        self.wraw, self.craw = wall, cpu

    def tick(self, wall, cpu, c):
        w = self.wbase + wall
        u = self.cbase + cpu
        if self.n:
            c["backwards"] += w < self.wall or u < self.cpu
            w = max(w, self.wall)
            u = max(u, self.cpu)
        else:
            self.firstwall, self.firstcpu = w, u
        self.wall, self.cpu = w, u
        self.n += 1

    def ordered(self):
        """(depth, mid, wall start, wall end, cpu start, cpu end) as entered;
        the synthetic ones, outermost first, were entered before all others."""
        made = [s for s in self.spans if s[6] < 0]
        real = [s for s in self.spans if s[6] >= 0]
        return [(d + self.synthetic - abs(syn), m, w, we, u, ue)
                for m, d, w, we, u, ue, syn in made[::-1] + real]


COUNTERS = ("synthetic", "forced", "ignored", "open", "action3", "wraps",
            "backwards", "dup_tids", "unknown_methods",
            "unknown_method_records", "unknown_thread_records")


def build(t):
    """Replays the records; returns (threads in order of appearance, counters)."""
    c = dict.fromkeys(COUNTERS, 0)
    threads = {}
    mask = 0xFFFFFFFF if t.wide else 0xFFFF
    names = {}
    for tid, name in t.threads:
        c["dup_tids"] += tid & mask in names
        names[tid & mask] = name
    latest = 0
    unknown = set()
    for tid, mid, action, wall, cpu in t.recs:
        T = threads.get(tid)
        if T is None:
            T = threads[tid] = Thread(tid, names.get(tid, ""))
        c["unknown_thread_records"] += tid not in names
        if mid not in t.methods:
            c["unknown_method_records"] += 1
            unknown.add(mid)
        if not t.wide:
            T.unwrap(wall, cpu, latest, c)
        T.tick(wall, cpu, c)
        latest = max(latest, T.wall)
        T.actions[action] += 1
        if action == 0:
            T.enter(mid)
        elif action == 3:
            c["action3"] += 1
        else:
            T.exit(mid, c)
    for T in threads.values():
        c["open"] += len(T.stack)
        while T.stack:
            T.leave()
    c["unknown_methods"] = len(unknown)
    return list(threads.values()), c


# ---- answers ----------------------------------------------------------------

def name_of(t, mid, signature=True):
    m = t.methods.get(mid)
    if m is None:
        return "<unknown method 0x%x>" % mid
    return m[0] + ("." + m[1] if m[1] else "") + (m[2] if signature else "")


def clean(s):
    """Control bytes as \\xNN, bytes that are not UTF-8 as U+FFFD."""
    if s.isascii() and s.isprintable():
        return s
    return "".join("\\x%02x" % ord(ch) if ord(ch) < 32 or ord(ch) == 127 else
                   "\ufffd" if "\ud800" <= ch <= "\udfff" else ch for ch in s)


def walk(root):
    """(node, depth, path of method ids) in pre-order, siblings by id."""
    by_id = lambda n: sorted(n.kids.values(), key=lambda k: k.mid, reverse=True)
    todo = [(k, 0) for k in by_id(root)]
    path = []
    while todo:
        n, depth = todo.pop()
        del path[depth:]
        path.append(n.mid)
        yield n, depth, path
        todo += [(k, depth + 1) for k in by_id(n)]


def method_totals(threads):
    """id -> [calls, total wall, self wall, total cpu, self cpu]; recursion once."""
    totals = {}
    for T in threads:
        open_ids = {}
        before = []
        for n, depth, path in walk(T.root):
            while len(before) > depth:
                open_ids[before.pop()] -= 1
            r = totals.setdefault(n.mid, [0, 0, 0, 0, 0])
            r[0] += n.calls
            if not open_ids.get(n.mid):
                r[1] += n.wall
                r[3] += n.cpu
            r[2] += n.self_wall()
            r[4] += n.self_cpu()
            open_ids[n.mid] = open_ids.get(n.mid, 0) + 1
            before.append(n.mid)
    return totals


def edge_totals(threads, wanted, callers):
    """Return the callers or callees of the methods wanted: id (None: top level) ->
    [calls, self wall, total wall, self cpu, total cpu]; recursion once."""
    totals = {}
    for T in threads:
        within = []               # (depth, key) of what was counted around here
        for n, depth, path in walk(T.root):
            while within and within[-1][0] >= depth:
                within.pop()
            caller = path[depth - 1] if depth else None
            if (n.mid if callers else caller) not in wanted:
                continue
            key = caller if callers else n.mid
            r = totals.setdefault(key, [0, 0, 0, 0, 0])
            r[0] += n.calls
            r[1] += n.self_wall()
            r[3] += n.self_cpu()
            if key not in (k for _, k in within):
                r[2] += n.wall
                r[4] += n.cpu
                within.append((depth, key))
    return totals


def merged_totals(threads, known):
    """All threads merged: path -> [calls, self wall, total wall, self cpu, total cpu].
    known: (path above, id) -> path, from 1."""
    totals = {}
    for T in threads:
        paths = []
        for n, depth, _ in walk(T.root):
            del paths[depth:]
            paths.append(known.setdefault((paths[-1] if paths else 0, n.mid), len(known) + 1))
            r = totals.setdefault(paths[-1], [0, 0, 0, 0, 0])
            for i, v in enumerate((n.calls, n.self_wall(), n.wall, n.self_cpu(), n.cpu)):
                r[i] += v
    return totals


def inverted_totals(threads, known):
    """Methods, their callers below; total is the self time of the method at the
    top, self the part of it in stacks that begin here."""
    totals = {}
    for T in threads:
        for n, depth, path in walk(T.root):
            at = 0
            wall, cpu = n.self_wall(), n.self_cpu()
            for i in range(depth, -1, -1):
                at = known.setdefault((at, path[i]), len(known) + 1)
                r = totals.get(at)
                if r is None:
                    r = totals[at] = [0, 0, 0, 0, 0]
                r[0] += n.calls
                r[2] += wall
                r[4] += cpu
            r[1] += wall
            r[3] += cpu
    return totals


def sampled(t):
    """Guesses whether a sampler wrote the trace: (guess, groups, violations,
    interval).  A sampler writes, per thread and time, exits and then enters."""
    last = {}
    groups = viol = 0
    steps = []
    for tid, _, a, wall, cpu in t.recs:
        v = cpu if t.clock == "thread-cpu" else wall
        p = last.get(tid)
        if p is None or p[0] != v:
            groups += 1
            if p is not None and v > p[0]:
                steps.append(v - p[0])
            last[tid] = [v, a]
        else:
            viol += p[1] == 0 and a != 0
            p[1] = a
    steps.sort()
    unrolls = sum(1 for r in t.recs if r[2] == 2)
    guess = groups > 0 and viol == 0 and unrolls == 0 and len(t.recs) >= 2 * groups
    return int(guess), groups, viol, steps[len(steps) // 10] if steps else 0


def facts(t, T, c):
    guess, groups, viol, step = sampled(t)
    yield "sampled_guess", guess
    yield "time_groups", groups
    yield "enter_exit_same_time", viol
    yield "step_p10", step
    yield "kind", t.kind
    yield "version", t.version
    yield "clock", t.clock
    yield "unit", t.unit
    yield "record_size", t.recsize
    yield "overflow", t.key("data-file-overflow")
    yield "elapsed_key", t.key("elapsed-time-usec", t.key("elapsed-time-nsec"))
    yield "calls_key", t.key("num-method-calls")
    yield "pid", t.key("pid")
    yield "vm", t.key("vm")
    yield "alloc_count", t.key("alloc-count")
    size = t.key("alloc-size")
    yield "alloc_size", int(size) % 2 ** 32 if size and size[0] == "-" else size
    yield "gc_count", t.key("gc-count")
    yield "start", t.start
    yield "records", len(t.recs)
    yield "tail_bytes", t.tail
    yield "lost_records", t.lost_records()
    yield "complete", int(t.complete)
    yield "threads_listed", len(t.threads)
    yield "methods_listed", t.nmethodlines
    yield "method_ids", len(t.methods)
    yield "threads_seen", len(T)
    yield "methods_seen", len({r[1] for r in t.recs})
    for i, k in enumerate(("enters", "exits", "unrolls")):
        yield k, sum(x.actions[i] for x in T)
    yield "max_depth", max((x.maxdepth for x in T), default=0)
    yield "last_wall", max((x.wall for x in T), default=0)
    yield "last_cpu", max((x.cpu for x in T), default=0)
    for k in COUNTERS:
        yield k, c[k]
    yield "renames", len(t.renames)


def tree_rows(t, T):
    yield "tid", "depth", "calls", "incl_wall", "self_wall", "incl_cpu", "self_cpu", "id", "name"
    for x in T:
        for n, depth, _ in walk(x.root):
            yield (x.tid, depth, n.calls, n.wall, n.self_wall(), n.cpu, n.self_cpu(),
                   "0x%x" % n.mid, clean(name_of(t, n.mid)))


def thread_rows(T):
    yield ("tid", "records", "enters", "exits", "unrolls", "maxdepth", "first_wall",
           "last_wall", "first_cpu", "last_cpu", "top_wall", "top_cpu", "name")
    for x in T:
        top = x.root.kids.values()
        yield (x.tid, x.n, *x.actions[:3], x.maxdepth, x.firstwall, x.wall, x.firstcpu, x.cpu,
               sum(k.wall for k in top), sum(k.cpu for k in top), clean(x.name))


def method_rows(t, T):
    yield "id", "calls", "incl_wall", "self_wall", "incl_cpu", "self_cpu", "name"
    totals = method_totals(T)
    for m in sorted(totals):
        yield ("0x%x" % m, *totals[m], clean(name_of(t, m)))


def span_rows(t, T, tid):
    yield "depth", "start_wall", "wall", "start_cpu", "cpu", "name"
    for x in T:
        if x.tid == tid:
            for d, m, w, we, u, ue in x.ordered():
                yield d, w, we - w, u, ue - u, clean(name_of(t, m))


def folded_lines(t, T):
    fold = lambda s: clean(s).replace(";", ":")
    for x in T:
        for n, _, path in walk(x.root):
            v = n.self_cpu() if t.clock == "thread-cpu" else n.self_wall()
            if v:
                stack = ";".join(fold(name_of(t, m)) for m in path)
                yield "%s-%d;%s %d" % (fold(x.name), x.tid, stack, v)


def cut_rows(path):
    with open(path, "rb") as f:
        data = f.read()
    for length in range(len(data) + 1):
        try:
            yield length, len(decode(data[:length]).recs)
        except (Bad, struct.error):
            yield length, -1


def answer(what, path, argument):
    if what == "cuts":
        return cut_rows(path)
    t = load(path)
    if what == "records":
        return ((tid, "0x%x" % m, a, w, c) for tid, m, a, w, c in t.recs)
    T, c = build(t)
    if what == "facts":
        return facts(t, T, c)
    if what == "folded":
        return ((line,) for line in folded_lines(t, T))
    if what == "spans":
        return span_rows(t, T, int(argument))
    return {"threads": lambda: thread_rows(T), "tree": lambda: tree_rows(t, T),
            "methods": lambda: method_rows(t, T)}[what]()


def main(argv):
    if len(argv) not in (3, 4):
        sys.stderr.write(__doc__)
        return 2
    what, path = argv[1], argv[-1]
    try:
        rows = answer(what, path, argv[2])
        for row in rows:
            sys.stdout.write("\t".join(map(str, row)) + "\n")
    except (Bad, struct.error) as e:
        if what == "facts":
            sys.stdout.write("error\t%s\n" % e)
            return 0
        sys.stderr.write("trace.py: %s: %s\n" % (path, e))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
