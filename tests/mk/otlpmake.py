#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles of OpenTelemetry: random ones, in each layout of the protocol, with what they say.

A story is its tables and samples; its rows are the answer.  The numbers of fields are those of the .proto files of the versions.
"""
import collections
import json
import random
import struct

LAYOUTS = ("1.3", "1.4", "1.6", "1.7", "1.8", "1.10")


def varint(n, pad=0):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127 or len(out) + 1 < pad:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def num(number, value):
    return varint(number << 3) + varint(value) if value else b""


def sub(number, data, pad=0):
    data = data.encode() if isinstance(data, str) else data
    return varint(number << 3 | 2) + varint(len(data), pad) + data


def packed(number, values, fixed=False):
    if not values:
        return b""
    return sub(number, struct.pack("<%dQ" % len(values), *values) if fixed else b"".join(varint(v) for v in values))


def unpacked(number, values):
    return b"".join(varint(number << 3) + varint(v) for v in values)


class Story:
    """Tables whose first row is empty, as new versions want it, and samples (stack, attributes, link, values, times)."""

    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.strings, self.number = [""], {"": 0}
        self.type = (r.choice(("cpu", "wall", "alloc", "samples")), r.choice(("nanoseconds", "bytes", "count", "count", "widgets")))
        # What is sampled again and again, and each how many nanoseconds.
        self.period = r.choice((None, (self.type[0], 10000000), ("tick", 250)))
        self.mappings = [""] + ["/usr/lib/lib%d.so" % i for i in range(r.randint(1, 3))]
        self.functions = [("", "", 0)] + [("f%d%s" % (i, r.choice(("", "()", ";x"))), "src/%d.c" % i, r.randint(0, 9)) for i in range(r.randint(2, 9))]
        self.locations = [(0, 0, [])]
        for i in range(r.randint(3, 12)):
            lines = [r.randint(1, len(self.functions) - 1) for _ in range(r.choice((0, 1, 1, 1, 2, 3)))]
            self.locations.append((r.randint(0, len(self.mappings) - 1), r.choice((0, 4096 + i)), lines))
        self.stacks = [[]] + [[r.randint(1, len(self.locations) - 1) for _ in range(r.randint(1, 6))] for _ in range(r.randint(1, 6))]
        self.attributes = [("", "")] + [("thread.id", 100 + i) for i in range(2)] + [("thread.name", "worker %d" % i) for i in range(2)] + [
            ("container.id", "c%d" % i) for i in range(2)]
        self.links = [(b"", b"")] + [(bytes(r.randrange(256) for _ in range(16)), bytes(r.randrange(256) for _ in range(8))) for _ in range(2)]
        self.samples = [self.sample(r) for _ in range(r.randint(1, 20))]

    def sample(self, r):
        n = r.choice((0, 1, 1, 2))
        times = [1_700_000_000_000_000_000 + r.randrange(10 ** 9) for _ in range(n)]
        value = r.randint(1000, 10 ** 6)
        attributes = [r.randint(1, 2)] * r.randint(0, 1) + [r.randint(3, 4)] * r.randint(0, 1) + [r.randint(5, 6)] * r.randint(0, 1)
        return r.randint(1, len(self.stacks) - 1), attributes, r.choice((0, 0, 1, 2)), [value] * max(n, 1), times

    def string(self, text):
        if text not in self.number:
            self.number[text] = len(self.strings)
            self.strings.append(text)
        return self.number[text]

    # ---- the answer ----

    def frames(self, location):
        mapping, address, lines = self.locations[location]
        if lines:
            return [self.functions[i][0] for i in reversed(lines)]
        return ["[%s]" % self.mappings[mapping].split("/")[-1] if mapping else "0x%x" % address if address else "[unknown]"]

    def counted(self):
        """The values are numbers of samples."""
        return self.type[1] == "count" and (self.type[0] == "samples" or self.period is not None and self.period[0] == self.type[0])

    def each(self):
        """What a value of 1 stands for: samples that are counted each period are times."""
        return self.period[1] if self.period and self.counted() else 1

    def rows(self):
        """Weight by thread (id, name) and stack."""
        out = collections.Counter()
        for stack, attributes, link, values, times in self.samples:
            own = dict(self.attributes[i] for i in attributes)
            path = tuple(f for location in reversed(self.stacks[stack]) for f in self.frames(location))
            out[(own.get("thread.id", 0), own.get("thread.name", "")), path] += sum(values) * self.each()
        return out

    def labels(self):
        out = collections.Counter()
        for stack, attributes, link, values, times in self.samples:
            own = [pair for pair in (self.attributes[i] for i in attributes) if pair[0] == "container.id"]
            own += [(k, v.hex()) for k, v in zip(("trace", "span"), self.links[link]) if v] + [("service.name", "shop")]
            out[", ".join("%s=%s" % pair for pair in sorted(own))] += sum(values) * self.each()
        return out

    # ---- protobuf ----

    def value(self, v):
        return num(3, v) if isinstance(v, int) else sub(1, v)

    def tables(self, layout, n):
        """n: numbers of mapping, location, function, link, string, attribute and stack tables."""
        old = layout == "1.3"           # these rows have an id as well
        at = lambda i: i + 1 if old else i
        out = b""
        for m in self.mappings:
            out += sub(n["map"], num(5 if old else 4, self.string(m)))
        for mapping, address, lines in self.locations:
            out += sub(n["loc"], num(at(1), mapping) + num(at(2), address) + b"".join(sub(at(3), num(1, f) + num(2, 7)) for f in lines))
        for name, file, line in self.functions:
            out += sub(n["fun"], num(at(1), self.string(name)) + num(at(3), self.string(file)) + num(at(4), line))
        for trace, span in self.links:
            out += sub(n["link"], sub(1, trace) + sub(2, span))
        for key, v in self.attributes:
            if "stack" in n:
                out += sub(n["attr"], num(1, self.string(key)) + sub(2, self.value(v)))
            else:
                out += sub(n["attr"], sub(1, key) + sub(2, self.value(v)))
        for stack in self.stacks if "stack" in n else ():
            out += sub(n["stack"], packed(1, stack))
        return out + b"".join(sub(n["str"], s) for s in self.strings)

    def encoded_sample(self, layout, sample, start):
        stack, attributes, link, values, times = sample
        many = unpacked if self.random.random() < 0.3 else packed
        if layout in ("1.8", "1.10"):
            v, a, k = (2, 3, 4) if layout == "1.8" else (4, 2, 3)
            return num(1, stack) + many(a, attributes) + num(k, link) + many(v, values) + packed(5, times, True)
        where = {"1.3": (7, 8, 2, 10, 12, 13)}.get(layout, (1, 2, 3, 4, 5, 6))
        return num(where[0], start) + num(where[1], len(self.stacks[stack])) + many(where[2], [sum(values)]) + many(where[3], attributes) + num(
            where[4], link) + packed(where[5], times)

    def encode(self, layout):
        self.string(self.type[0]), self.string(self.type[1])
        kind = sub(1, num(1, self.string(self.type[0])) + num(2, self.string(self.type[1])))
        if self.period:
            number = {"1.3": 11, "1.4": 13, "1.6": 6, "1.7": 6}.get(layout, 5)
            kind += sub(number, num(1, self.string(self.period[0])) + num(2, self.string("nanoseconds"))) + num(number + 1, self.period[1])
        starts, indices = [], []
        for stack in self.stacks:
            starts.append(len(indices))
            indices += stack
        samples = b"".join(sub(2, self.encoded_sample(layout, s, starts[s[0]]), self.random.choice((0, 5))) for s in self.samples)
        resource = sub(1, sub(1, sub(1, "service.name") + sub(2, sub(1, "shop"))))
        scoped = lambda profile: sub(1, resource + sub(2, sub(2, profile)))
        new = {"map": 1, "loc": 2, "fun": 3, "link": 4, "str": 5, "attr": 6}
        if layout == "1.3":
            n = {"map": 3, "loc": 4, "fun": 5, "attr": 16, "link": 18, "str": 6}
            return scoped(sub(8, kind + samples + packed(15, indices) + self.tables(layout, n)))
        if layout == "1.4":
            n = {"map": 3, "loc": 4, "fun": 6, "attr": 7, "link": 9, "str": 10}
            return scoped(kind + samples + packed(5, indices) + self.tables(layout, n))
        if layout == "1.6":
            return scoped(kind + samples + packed(3, indices)) + self.tables(layout, {k: v for k, v in zip(
                ("map", "loc", "fun", "link", "str", "attr"), range(2, 8))})
        if layout == "1.7":
            return scoped(kind + samples + packed(3, indices)) + sub(2, self.tables(layout, new))
        return scoped(kind + samples) + sub(2, self.tables(layout, dict(new, stack=7)))

    # ---- JSON, of the last layout ----

    def json(self):
        s = self.string
        val = lambda v: {"intValue": str(v)} if isinstance(v, int) else {"stringValue": v}
        profile = {"sampleType": {"typeStrindex": s(self.type[0]), "unitStrindex": s(self.type[1])}, "samples": [
            {"stackIndex": stack, "attributeIndices": attributes, "linkIndex": link, "values": [str(v) for v in values],
             "timestampsUnixNano": [str(t) for t in times]} for stack, attributes, link, values, times in self.samples]}
        if self.period:
            profile.update(periodType={"typeStrindex": s(self.period[0]), "unitStrindex": s("nanoseconds")}, period=str(self.period[1]))
        tables = {
            "mappingTable": [{"filenameStrindex": s(m)} for m in self.mappings],
            "locationTable": [{"mappingIndex": m, "address": str(a), "lines": [{"functionIndex": f, "line": "7"} for f in lines]} for m, a, lines in self.locations],
            "functionTable": [{"nameStrindex": s(name), "filenameStrindex": s(file), "startLine": str(line)} for name, file, line in self.functions],
            "linkTable": [{"traceId": t.hex(), "spanId": p.hex()} for t, p in self.links],
            "attributeTable": [{"keyStrindex": s(k), "value": val(v)} for k, v in self.attributes],
            "stackTable": [{"locationIndices": stack} for stack in self.stacks]}
        tables["stringTable"] = self.strings
        return json.dumps({"resourceProfiles": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
                                                 "scopeProfiles": [{"profiles": [profile]}]}], "dictionary": tables}).encode()


def sized(objects):
    """As the file exporter of the collector writes them."""
    return b"".join(struct.pack(">I", len(o)) + o for o in objects)
