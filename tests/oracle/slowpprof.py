#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowpprof.py FILE - what a pprof profile says, read once more, slowly and another way.

Everything is taken apart first, into lists of (number, value); what refers to something else is looked up when it is asked for.
"""
import collections
import re
import sys
import zlib

MOST = 2 ** 63 - 1
LINES = 256     # of a location that are read
UNITS = {"": ("count", 1), "count": ("count", 1)}
for words, ours, factor in (("ns nanosecond", "ns", 1), ("us microsecond", "ns", 10 ** 3), ("ms millisecond", "ns", 10 ** 6),
                            ("s second", "ns", 10 ** 9), ("b byte", "bytes", 1), ("kb kilobyte", "bytes", 2 ** 10),
                            ("mb megabyte", "bytes", 2 ** 20)):
    UNITS.update({word: (ours, factor) for word in words.split()})
NAMES = ("thread_name", "thread name", "thread.name", "comm")
IDS = ("thread_id", "thread id", "thread.id", "tid", "thread native id")


class Damaged(Exception):
    pass


class Refused(Exception):
    pass


def number(data, at):
    """A varint: it, and where the next one begins."""
    for n in range(1, 11):
        if at + n > len(data):
            break
        if data[at + n - 1] < 128:
            return sum((b & 127) << 7 * i for i, b in enumerate(data[at:at + n])) % 2 ** 64, at + n
    raise Damaged


def fields(data):
    """Numbers as int, messages as bytes, others as None; then where it is damaged, or None."""
    out, at = [], 0
    while at < len(data):
        begin = at
        try:
            key, at = number(data, at)
            value = None
            if key >> 3 == 0 or key & 7 not in (0, 1, 2, 5):
                raise Damaged
            if key & 7 == 0:
                value, at = number(data, at)
            else:
                size = {1: 8, 5: 4}.get(key & 7)
                if size is None:
                    size, at = number(data, at)
                if at + size > len(data):
                    raise Damaged
                value = data[at:at + size] if key & 7 == 2 else None
                at += size
        except Damaged:
            return out, begin
        out.append((key >> 3, value))
    return out, None


def whole(data):
    out, bad = fields(data)
    if bad is not None:
        raise Damaged
    return out


def last(pairs, n):
    """The last value of a number counts."""
    return ([0] + [v for k, v in pairs if k == n and isinstance(v, int)])[-1]


def many(pairs, n):
    """Packed or not."""
    out = []
    for k, v in pairs:
        if k == n and isinstance(v, int):
            out.append(v)
        elif k == n and isinstance(v, bytes):
            at = 0
            while at < len(v):
                x, at = number(v, at)
                out.append(x)
    return out


def signed(v):
    return v - 2 ** 64 if v >= 2 ** 63 else v


def unpacked(data):
    if data[:2] != b"\x1f\x8b":
        return data, False
    out = b""
    while data[:2] == b"\x1f\x8b":
        z = zlib.decompressobj(31)
        try:
            out += z.decompress(data)
        except zlib.error:
            return out, True
        if not z.eof:
            return out, True
        data = z.unused_data
    return out, False


class Profile:
    def __init__(self, data):
        self.count = collections.Counter()
        data, self.cut = unpacked(data)
        top, bad = fields(data)
        self.cut = self.cut or bad is not None
        self.top = top
        self.strings = [v for k, v in top if k == 6 and isinstance(v, bytes)]
        self.places = set()
        self.functions, self.locations, self.mappings = (self.table(n) for n in (5, 4, 3))
        self.types = [(last(t, 1), last(t, 2)) for t in self.messages(1)]
        if sum(1 for k, v in top if k == 9 and isinstance(v, int) and v) > 1 or \
                sum(1 for k, v in top if k == 9 and isinstance(v, int)) > 1 and [v for k, v in top if k == 9 and isinstance(v, int)][0]:
            raise Refused("two")
        if self.count["ids"] and self.strings.count(b"") > (self.strings[:1] == [b""]):
            raise Refused("two without a time")
        samples = [v for k, v in top if k == 2 and isinstance(v, bytes)]
        if not self.types or (self.cut and not samples) or (not self.cut and (not self.strings or self.strings[0])):
            raise Refused("none")
        self.name_events()
        patterns = [self.pattern(last(top, n)) for n in (7, 8)]
        self.drop, self.keep = patterns
        self.threads, self.folded = set(), collections.Counter()
        self.order, self.labelled = {}, collections.defaultdict(lambda: [0, 0])
        self.weight, self.before = [0] * len(self.types), [0] * len(self.types)
        self.rows = [0] * len(self.types)
        self.differs = False
        for body in samples:
            self.sample(body)

    def messages(self, n):
        for k, v in self.top:
            if k == n and isinstance(v, bytes):
                try:
                    yield whole(v)
                except Damaged:
                    self.count["messages"] += 1

    def table(self, n):
        out = {}
        for pairs in self.messages(n):
            i = last(pairs, 1)
            if i == 0 or i in out:
                self.count["ids"] += 1
            else:
                out[i] = pairs
        return out

    def text(self, i):
        if i and i >= len(self.strings):
            self.count["strings"] += 1
        return self.strings[i].decode("utf-8", "surrogateescape") if i < len(self.strings) else ""

    def text_of(self, i):
        return self.strings[i].decode("utf-8", "surrogateescape") if i < len(self.strings) else ""

    def named(self, i):
        """A text that is lost has its number."""
        return self.text(i) if not i or i < len(self.strings) else "[string %d]" % i

    def name_events(self):
        self.events, self.units = [], []
        for i, (kind, unit) in enumerate(self.types):
            name = self.named(kind)
            if name in self.events:
                name += "/" + self.text(unit)
            if name in self.events:
                name += "/%d" % (i + 1)
            word = self.text(unit).lower()
            self.events.append(name)
            self.units.append(UNITS.get(word) or UNITS.get(re.sub("(?<=..)s$", "", word)) or (self.text(unit), 1))
        period, of = last(self.top, 12), [v for k, v in self.top if k == 11 and isinstance(v, bytes)]
        word = self.text_of(last(fields(of[-1])[0], 2)).lower() if of else ""
        unit = UNITS.get(word) or UNITS.get(re.sub("(?<=..)s$", "", word))
        if period and unit and unit[0] == "ns" and not any(u == "ns" for u, _ in self.units):
            # The file only counts samples: each is a period.
            self.units = [("ns", period * unit[1]) if name == "samples" else u for name, u in zip(self.events, self.units)]
        kinds = [self.text(kind) for kind, _ in self.types]
        wanted = self.text(last(self.top, 14))
        self.default = kinds.index(wanted) if wanted and wanted in kinds else len(kinds) - 1

    # ---- stacks ----

    def pattern(self, i):
        if not self.text(i):
            return None
        try:
            return re.compile(self.text(i))
        except re.error:
            self.count["pattern"] += 1
            return None

    def hidden(self, name):
        name = name[name.startswith("."):]
        for place in (m.start() for m in re.finditer(r"\(", name)):
            if not name.startswith("(anonymous namespace)", place) and not name[:place].endswith("operator") \
                    or (name[:place].endswith("operator") and not name.startswith("()", place) and
                        not name.startswith("(anonymous namespace)", place)):
                # Those inside "operator()" and what follows it are found one by one.
                name = name[:place]
                break
        return bool(name and self.drop and self.drop.fullmatch(name) and not (self.keep and self.keep.fullmatch(name)))

    def place(self, location):
        mapping = self.mappings.get(last(location, 2))
        base = self.text(last(mapping, 5)).split("/")[-1] if mapping else ""
        return "[%s]" % (base or "unknown")

    def frames(self, location):
        """Outermost first, each with whether it is hidden."""
        out = []
        for k, line in location:
            if k != 4 or not isinstance(line, bytes):
                continue
            pairs, bad = fields(line)
            self.count["messages"] += bad is not None
            f = self.functions.get(last(pairs, 1))
            name = self.text(last(f, 2)) if f else ""
            self.text(last(f, 4) if f else 0)
            shown = name or (self.text(last(f, 3)) or self.named(last(f, 2)) if f else "") or self.place(location)
            if f and (name or self.text(last(f, 3)) or self.named(last(f, 2))):
                self.places.add((shown, self.text(last(f, 4)), signed(last(f, 5))))
            out.append((shown, self.hidden(name)))
        return out[::-1] or [(self.place(location), False)]

    def stack(self, ids):
        out, others = [], False
        for i in reversed(ids):
            if i not in self.locations:
                self.count["location"] += 1
                continue
            frames = self.frames(self.locations[i])
            cut = [h for _, h in frames].index(True) if any(h for _, h in frames) else None
            names = [n for n, _ in frames]
            if cut is None:
                others = True
                out += names
            elif others:
                return out + names[:cut]
            else:
                out += names[:cut] or names
            if len(names[:cut] or names) > LINES:
                self.count["deep"] += 1
                return out[:LINES - len(names[:cut] or names)]
        return out

    # ---- samples ----

    def thread(self, labels):
        """Id and name, as in the program."""
        name = next((t for key in NAMES for k, t, _ in labels if k == key and t), "")
        tid = ""
        for key in IDS:
            mine = [(t, n) for k, t, n in labels if k == key]
            if mine and not tid:
                tid = next((t for t, _ in mine if t), None) or str(mine[-1][1])
        both = [(t, n) for k, t, n in labels if k == "thread"]
        if both:
            t = next((t for t, _ in both if t), "")
            if t:
                name = name or t
            else:
                tid = tid or str(both[-1][1])
        if re.fullmatch("[1-9][0-9]{0,9}", tid) and int(tid) < 2 ** 32:
            return int(tid), name
        return 0, "/".join(x for x in (name, tid) if x)

    def label(self, key, label):
        """The key and the value of a label that names no thread."""
        if not last(label, 2) and (last(label, 4) or any(k == 3 and isinstance(v, int) for k, v in label)):
            unit = self.text(last(label, 4))
            value = "%d%s" % (signed(last(label, 3)), " " + unit if unit not in ("", key) else "")
        else:
            value = self.text(last(label, 2))
        return self.order.setdefault((key, value), len(self.order)), key, value

    def sample(self, body):
        try:
            pairs = whole(body)
            ids, values = many(pairs, 1), many(pairs, 2)
        except Damaged:
            self.count["messages"] += 1
            return
        if len(values) != len(self.types):
            self.count["values"] += 1
            return
        labels, others = [], set()
        for k, v in pairs:
            if k == 3 and isinstance(v, bytes):
                label, bad = fields(v)
                self.count["messages"] += bad is not None
                if last(label, 1) >= len(self.strings):
                    self.count["strings"] += 1
                    continue
                key = self.text(last(label, 1))
                known = key in NAMES + IDS + ("thread",)
                if not known:
                    others.add(self.label(key, label))
                labels.append((key, self.text(last(label, 2)) if known and last(label, 2) else "", signed(last(label, 3))))
        thread = self.thread(labels)
        self.threads.add(thread)
        stack = tuple(self.stack(ids))
        others = tuple((key, value) for _, key, value in sorted(others, key=lambda x: (x[1].encode("utf-8", "surrogateescape"), x[0])))
        # A type that counts samples counts them for the other types as well.
        told = [abs(signed(values[i])) for i, (name, unit) in enumerate(self.types) if self.events[i] == "samples" and self.text_of(unit) == "count"]
        count = told[0] if told and told[0] else 1
        for i, value in enumerate(map(signed, values)):
            if value == 0:
                continue
            before = value < 0
            self.differs = self.differs or before
            size = min(abs(value) * self.units[i][1], MOST)
            sums = self.before if before else self.weight
            room = MOST - sums[i]
            if size > room or size == MOST:
                self.count["saturated"] += 1
                size = room
            sums[i] += size
            rows = min(count, MOST - self.rows[i])
            self.rows[i] += rows
            self.labelled[i, others][0] += rows
            self.labelled[i, others][1] += 0 if before else size
            if not before:
                self.folded[i, thread, stack] += size


def main(argv):
    with open(argv[1], "rb") as f:
        p = Profile(f.read())
    for i, name in enumerate(p.events):
        print("event\t%s\t%d\t%d\t%s%s" % (name, p.rows[i], p.weight[i], p.units[i][0], "\tcurrent" * (i == p.default)))
    for (i, thread, stack), n in sorted(p.folded.items()):
        print("%d\t%s\t%s\t%d" % (i, "%d %s" % thread, ";".join(stack), n))
    print(dict(p.count))


if __name__ == "__main__":
    main(sys.argv)
