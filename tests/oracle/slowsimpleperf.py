#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowsimpleperf.py FILE - profiles of simpleperf, read slowly: the report (protobuf) and the recording (perf.data)."""
import bisect
import collections
import gzip
import struct
import sys

NONE = 2 ** 64 - 1
KNOWN = {(0, 0): "cpu-cycles", (0, 1): "instructions", (0, 2): "cache-references", (0, 3): "cache-misses", (1, 0): "cpu-clock",
         (1, 1): "task-clock", (1, 2): "page-faults", (1, 3): "context-switches"}
DAMAGE = (ValueError, IndexError, struct.error)


class Refused(Exception):
    pass


class Profile:
    """events: [samples, weight, unit] by name; threads: samples by (pid, tid, name); stacks: [samples, weight] by event, thread and
    frames, outermost first; counts of what is damaged, missing or repaired."""

    def __init__(self):
        self.count, self.events, self.threads = collections.Counter(), {}, collections.Counter()
        self.unread = collections.Counter()
        self.stacks = collections.defaultdict(lambda: [0, 0])
        self.samples = 0

    def event(self, name):
        return self.events.setdefault(name, [0, 0, "ns" if name.split(":")[0] in ("cpu-clock", "task-clock", "off-cpu") else "count"])

    def add(self, event, thread, frames, weight):
        e, s = self.event(event), self.stacks[event, thread, tuple(frames) or ("[no stack]",)]
        for to in (e, s):
            to[0] += 1
            to[1] += weight
        self.threads[thread] += 1

    def waits(self, rows):
        """rows: (time, 0 switch or 1 sample, tid, begins a wait, thread, frames)."""
        waiting = {}
        for time, _, tid, begins, thread, frames in sorted(rows, key=lambda r: r[:2]):
            if tid in waiting:
                since, of, stack = waiting.pop(tid)
                self.add("off-cpu", of, stack, max(time - since, 1))
            if begins:
                waiting[tid] = (time, thread, frames)
        self.count["open"] = len(waiting)


def text(data):
    return data.decode("utf-8", "surrogateescape")


def varint(b, p):
    v = shift = 0
    while True:
        if shift > 63:
            raise ValueError("varint")
        c = b[p]
        p += 1
        v |= (c & 127) << shift
        shift += 7
        if c < 128:
            return v & NONE, p


def fields(b):
    out, p = [], 0
    while p < len(b):
        key, p = varint(b, p)
        wire = key & 7
        if key >> 3 == 0:
            raise ValueError("field 0")
        if wire == 0:
            v, p = varint(b, p)
        elif wire in (1, 5):
            n = 8 if wire == 1 else 4
            v, p = b[p:p + n], p + n
        elif wire == 2:
            n, p = varint(b, p)
            v, p = b[p:p + n], p + n
        else:
            raise ValueError("wire type %d" % wire)
        if p > len(b):
            raise ValueError("length")
        out.append((key >> 3, v))
    return out


def one(b):
    """The last value of each field."""
    return dict(fields(b))


def number(v):
    v &= 0xffffffff
    return v - 2 ** 32 if v >= 2 ** 31 else v


def module(path):
    base = path.rsplit("/", 1)[-1]
    if base.startswith("[") and base.endswith("]") and len(base) > 1:
        base = base[1:-1]
    return "[%s]" % (base or "unknown")


# ---- the report -----------------------------------------------------------------------------------


class Report(Profile):
    def __init__(self, b):
        super().__init__()
        if len(b) < 12 or struct.unpack_from("<H", b, 10)[0] != 1:
            raise Refused("cut in its head, or another version")
        self.files, self.tids, self.meta, self.told = {}, {}, b"", 0
        samples, switches = [], []
        for record in self.records(b):
            try:
                known = [(f, v) for f, v in fields(record) if f <= 6]
                if not known:
                    self.unread[next((f for f, _ in fields(record)), 0)] += 1
                    continue
                kind, v = known[-1]
                self.table(kind, v)
                if kind == 6:
                    d = one(v)
                    switches.append((d.get(2, 0), d.get(3, 0), d.get(1, 0)))
                if kind == 1:
                    samples.append(fields(v))
            except DAMAGE:
                self.count["bad"] += 1
        try:
            meta = fields(self.meta)
        except DAMAGE:
            meta = []
            self.count["bad"] += 1
        self.names = [text(v) for f, v in meta if f == 1]
        for name in self.names:
            self.event(name)
        rows = [(t, 0, tid, False, None, None) for t, tid, on in switches if on]
        for f in samples:
            try:
                rows.append(self.sample(f))
            except DAMAGE:
                self.count["bad"] += 1
        self.count["switches"] = len(switches)
        self.count["miscount"] = int(self.told != 0 and self.told != self.samples)
        if dict(meta).get(6):
            self.waits(rows)
        if not self.samples:
            raise Refused("no samples")

    def records(self, b):
        p = 12
        while p + 4 <= len(b):
            n, = struct.unpack_from("<I", b, p)
            if n == 0:
                self.count["trailing"] = len(b) - p - 4
                return
            if n > len(b) - p - 4:
                break
            yield b[p + 4:p + 4 + n]
            p += 4 + n
        self.count["tail"] = len(b) - p
        self.count["cut"] = 1

    def table(self, kind, v):
        if kind == 2:
            d = one(v)
            self.told += d.get(1, 0)
            self.count["lost"] += d.get(2, 0)
        elif kind == 3:
            f = fields(v)
            d = dict(f)
            self.count["ids"] += d.get(1, 0) in self.files
            self.files[d.get(1, 0)] = (text(d.get(2, b"")), [text(x) for k, x in f if k == 3])
        elif kind == 4:
            d = one(v)
            self.tids[d.get(1, 0)] = (d.get(2, 0), d.get(1, 0), text(d.get(3, b"")))
        elif kind == 5:
            self.meta = v

    def frame(self, e):
        row, symbol = e.get(2, 0), number(e.get(3, 0))
        if row not in self.files:
            self.count["index"] += 1
            return "[unknown]"
        path, symbols = self.files[row]
        if 0 <= symbol < len(symbols) and symbols[symbol]:
            return symbols[symbol]
        self.count["index"] += symbol >= len(symbols)
        self.count["unnamed"] += 1
        return module(path)

    def sample(self, f):
        d = dict(f)
        chain = [one(v) for k, v in f if k == 3]
        frames = [self.frame(e) for e in reversed(chain)]
        event = d.get(5, 0)
        self.count["index"] += event >= len(self.names)
        tid = d.get(2, 0)
        self.count["thread"] += tid not in self.tids
        self.count["broken"] += 6 in d
        thread = self.tids.get(tid, (0, tid, ""))
        self.samples += 1
        self.add(self.names[event] if event < len(self.names) else "samples", thread, frames, d.get(4, 0))
        return d.get(1, 0), 1, tid, event > 0, thread, frames


# ---- the recording --------------------------------------------------------------------------------


class Object:
    def __init__(self, path, kind, low, symbols, offset):
        self.path, self.kind, self.low, self.offset, self.symbols = path, kind, low, offset, sorted(symbols)
        self.starts = [s[0] for s in self.symbols]

    def find(self, v):
        i = bisect.bisect_right(self.starts, v) - 1
        return self.symbols[i][2] if i >= 0 and v < self.symbols[i][0] + self.symbols[i][1] else None


class Recording(Profile):
    def __init__(self, b):
        super().__init__()
        self.b, self.objects, self.maps, self.comm = b, {}, collections.defaultdict(list), {}
        self.kernel, self.rows, self.split, self.meta, self.known, self.found = None, [], b"", {}, set(), {}
        _, size, at, length, self.data, self.data_size = struct.unpack_from("<6Q", b, 8)
        if at + length > len(b) or size < 80 or length < size:
            raise Refused("cut before its events")
        self.attributes, self.ids = [], {}
        for o in range(at, at + length - size + 1, size):
            kind, _, config = struct.unpack_from("<IIQ", b, o)
            has, reads = struct.unpack_from("<QQ", b, o + 24)
            first, n = struct.unpack_from("<QQ", b, o + size - 16)
            self.attributes.append((kind, config, has, reads))
            if first + n > len(b):
                self.count["sections"] += 1
            else:
                for k in range(n // 8):
                    self.ids[struct.unpack_from("<Q", b, first + 8 * k)[0]] = len(self.attributes) - 1
        self.tables()
        listed = {}
        for line in self.meta.get("event_type_info", "").split("\n"):
            x = line.split(",")
            if len(x) == 3:
                listed.setdefault((int(x[1]), int(x[2])), x[0])
        self.names = [listed.get(a[:2]) or KNOWN.get(a[:2], "%d:%d" % a[:2]) for a in self.attributes]
        for name in self.names:
            self.event(name)
        for typ, misc, r in self.records():
            try:
                self.record(typ, misc, r)
            except DAMAGE:
                self.count["bad"] += 1
        if self.meta.get("trace_offcpu") == "true":
            self.waits(self.rows)
        if not self.samples:
            raise Refused("no samples")

    def tables(self):
        at = self.data + self.data_size
        for i in range(256):
            if not self.b[72 + i // 8] >> i % 8 & 1:
                continue
            if at + 16 > len(self.b):
                self.count["cut"] = 1
                return
            o, n = struct.unpack_from("<QQ", self.b, at)
            at += 16
            if o + n > len(self.b):
                self.count["sections"] += 1
                continue
            part = self.b[o:o + n]
            if i == 129:
                words = part.split(b"\0")
                self.meta = dict(zip(map(text, words[::2]), map(text, words[1::2])))
            while i in (128, 132) and part:
                n, = struct.unpack_from("<I", part)
                o = (self.old_file if i == 128 else self.file)(part[4:4 + n])
                self.objects[o.path] = o
                part = part[4 + n:]

    @staticmethod
    def file(b):
        d, symbols = one(b), []
        for k, v in fields(b):
            if k == 4:
                s = one(v)
                symbols.append((s.get(1, 0), s.get(2, 0), text(s.get(3, b""))))
        own = d.get(6, d.get(7))
        return Object(text(d.get(1, b"")), d.get(2, 0), d.get(3, 0), symbols, NONE if own is None else one(own).get(1, 0))

    @staticmethod
    def old_file(r):
        q = r.index(0)
        path = text(r[:q])
        kind, low, n = struct.unpack_from("<IQI", r, q + 1)
        q, symbols, offset = q + 17, [], NONE
        for _ in range(n):
            start, length = struct.unpack_from("<QI", r, q)
            end = r.index(0, q + 12)
            symbols.append((start, length, text(r[q + 12:end])))
            q = end + 1
        if kind != 3 and q + 8 <= len(r):
            offset, = struct.unpack_from("<Q", r, q)
        return Object(path, kind, low, symbols, offset)

    def records(self):
        p, end = self.data, min(self.data + self.data_size, len(self.b))
        while p + 8 <= end:
            typ, misc, size = self.head(p, self.b)
            if size < 8 or p + size > end:
                break
            r = self.b[p:p + size]
            p += size
            if typ == 32772:
                self.split += r[8:]
            elif typ == 32773:
                r, self.split = self.split, b""
                if len(r) >= 8:
                    yield (*self.head(0, r)[:2], r)
            else:
                yield typ, misc, r
        self.count["tail"] = max(end - p, 0)

    @staticmethod
    def head(p, b):
        typ, misc, size = struct.unpack_from("<IHH", b, p)
        return (typ, 0, misc << 16 | size) if typ >= 32768 else (typ, misc, size)

    def record(self, typ, misc, r):
        if typ in (1, 10):
            pid, _, a, n, off = struct.unpack_from("<IIQQQ", r, 8)
            q, prot = (72, struct.unpack_from("<I", r, 64)[0]) if typ == 10 else (40, 0)
            path = text(r[q:r.index(0, q)])
            kernel = misc & 7 == 1 or pid == 0xffffffff
            if n:
                pid = 0xffffffff if kernel else pid
                self.known.add(pid)
                self.found.clear()
                self.maps[pid].append(
                    (a, a + n, off, "[unknown]" if path == "//anon" and not kernel else path, prot))
        elif typ == 3:
            self.comm[struct.unpack_from("<I", r, 12)[0]] = text(r[16:r.index(0, 16)])
        elif typ == 7:
            pid, parent, tid, of = struct.unpack_from("<IIII", r, 8)
            if pid != parent and pid not in self.known:
                self.found.clear()
                self.maps[pid] = list(self.maps[parent])
                self.known.add(pid)
            if of in self.comm:
                self.comm.setdefault(tid, self.comm[of])
        elif typ in (2, 13):
            self.count["lost"] += struct.unpack_from("<Q", r, 16 if typ == 2 else 8)[0]
        elif typ in (14, 15):
            self.switch(misc, r)
        elif typ == 32769:
            n, = struct.unpack_from("<I", r, 8)
            lines = [x.split() for x in text(r[12:12 + n]).split("\n")]
            self.kernel = Object("", 0, 0, [(int(x[0], 16), NONE, x[2]) for x in lines if len(x) >= 3], NONE)
        elif typ == 9:
            self.sample(misc, r)

    def switch(self, misc, r):
        self.count["switches"] += 1
        has = self.attributes[0][2]
        q = len(r) - 8 * sum(has >> bit & 1 for bit in (16, 7, 9, 6, 2, 1))
        if has & 6 == 6 and not misc & 0x2000:
            if q < 8:
                raise ValueError("short")
            _, tid, t = struct.unpack_from("<IIQ", r, q)
            self.rows.append((t, 0, tid, False, None, None))

    def sample(self, misc, r):
        number = 0
        has = self.attributes[0][2]
        if len(self.attributes) > 1 and has & (1 << 16 | 1 << 6):
            o = 8 if has >> 16 & 1 else 8 + 8 * sum(has >> bit & 1 for bit in range(4))
            number = self.ids.get(struct.unpack_from("<Q", r, o)[0], 0)
        _, _, has, reads = self.attributes[number]
        q, v = 8, {}
        for bit in (16, 0, 1, 2, 3, 6, 9, 7, 8):
            if has >> bit & 1:
                v[bit], = struct.unpack_from("<Q", r, q)
                q += 8
        if has >> 4 & 1:
            n = 1
            if reads & 8:
                n, = struct.unpack_from("<Q", r, q)
                q += 8
            q += 8 * ((reads & 1) + (reads >> 1 & 1)) + n * 8 * (1 + (reads >> 2 & 1) + (reads >> 4 & 1))
        kernel, ip = misc & 7 == 1, v.get(0, 0)
        places = [(ip, kernel)]
        if has >> 5 & 1:
            n, = struct.unpack_from("<Q", r, q)
            if n > len(r):
                raise ValueError("chain")
            chain, first = struct.unpack_from("<%dQ" % n, r, q + 8), True
            for x in chain:
                if x >= 2 ** 64 - 4095:
                    kernel = x == 2 ** 64 - 128 or (kernel and x != 2 ** 64 - 512)
                    continue
                if not first or x != ip:
                    places.append((x, kernel))
                first = False
        pid, tid = v.get(1, 0) & 0xffffffff, v.get(1, 0) >> 32
        frames = [f[0] for f in reversed(self.program([self.place(pid, *x) for x in places]))]
        thread, time = (pid, tid, self.comm.get(tid, "")), v.get(2, 0)
        self.samples += 1
        self.add(self.names[number], thread, frames, v.get(8, 1))
        self.rows.append((time, 1, tid, number > 0, thread, frames))

    def place(self, pid, ip, kernel):
        """Name, path and kind of an address."""
        at = 0xffffffff if kernel else pid, ip
        if at not in self.found:
            self.found[at] = next((m for m in reversed(self.maps[at[0]]) if m[0] <= ip < m[1]), None)
        m = self.found[at]
        if m is None:
            return "[unknown]", "[unknown]", 5
        start, _, off, path, prot = m
        o = self.objects.get(path)
        if o is None and kernel and "[kernel.kallsyms]" in self.objects:
            o, path = self.objects["[kernel.kallsyms]"], "[kernel.kallsyms]"
        kind = o.kind if o else 0 if kernel else 2
        if o:
            v = ip
            if not prot & 0x4000 and kind == 3:
                v = ip - start + off
            elif not prot & 0x4000 and kind == 1:
                v = ip - start - (0 if o.offset == NONE else o.offset) + o.low
            elif not prot & 0x4000 and kind not in (0, 5):
                v = ip - start + o.low + (0 if o.offset == NONE else off - o.offset)
            name = o.find(v)
            if name:
                return name, path, kind
        name = self.kernel.find(ip) if self.kernel and kind in (0, 1) else None
        if name:
            return name, path, kind
        self.count["unnamed"] += path != "[unknown]"
        return module(path), path, kind

    def program(self, f):
        """Without the frames of the runtime beside Java frames, innermost first."""
        java = [k == 3 or any(x in path for x in ("[JIT app cache]", "[JIT cache]", ".dex", "jit_app_cache", "/TemporaryFile-"))
                for _, path, k in f]
        runtime = [not j and (name.endswith("jni_trampoline") or path.endswith(("/libart.so", "/libartd.so")))
                   for j, (name, path, _) in zip(java, f)]
        drop, near = [False] * len(f), False
        for i in range(len(f)):
            if java[i]:
                near, j = True, i - 1
                while j >= 0 and not drop[j] and runtime[j]:
                    drop[j] = True
                    j -= 1
            elif near and runtime[i]:
                drop[i] = True
            else:
                near = False
        for i in [i for i in range(1, len(f)) if drop[i] and f[i][0].endswith("jni_trampoline")]:
            drop[i - 1] = False
        left = [(x, j) for x, j, d in zip(f, java, drop) if not d]
        out = [x for i, (x, j) in enumerate(left)
               if not (j and x[2] != 3 and i + 1 < len(left) and left[i + 1][0][2] == 3 and left[i + 1][0][0] == x[0])]
        self.count["art"] += len(f) - len(out)
        return out


def read(b):
    if b[:2] == b"\x1f\x8b":
        b = gzip.decompress(b)
    if b[:10] == b"SIMPLEPERF":
        return Report(b)
    if len(b) < 104 or b[:8] != b"PERFILE2" or b[8:16] != struct.pack("<Q", 104) or not any(b[88:104]):
        raise Refused("not of simpleperf")
    return Recording(b)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        profile = read(file.read())
    for event, row in profile.events.items():
        print("event", event, *row, sep="\t")
    for (event, thread, frames), row in sorted(profile.stacks.items()):
        print("stack", event, *thread, ";".join(frames), *row, sep="\t")
    print(dict(profile.count))
