#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pprofmake.py CASE - profiles of profile.proto, to stdout.

The cases are those of CASES below, and

random SEED    anything the format allows, and some that it does not
large MB       so many megabytes of samples, each with another stack, as of a fleet that was merged
"""
import gzip
import random
import sys

CPU = (("samples", "count"), ("cpu", "nanoseconds"))
HEAP = (("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes"))
SHOP = (("server.accept", "server.go"), ("server.handle", "server.go"), ("shop.(*Cart).Add", "cart.go"), ("shop.(*Cart).sum", "cart.go"),
        ("shop.price[...]", "price.go"), ("db.Query", "db.go"), ("db.(*rows).Next", "db.go"), ("runtime.mallocgc", "malloc.go"),
        ("runtime.gcDrain", "mgc.go"))


def varint(v, longer=0):
    v &= 2 ** 64 - 1
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    if longer and len(out) < 9:          # the same number in more bytes
        out += bytes([v | 128]) + b"\x80" * min(longer, 8 - len(out)) + b"\0"
    else:
        out.append(v)
    return bytes(out)


def number(n, v):
    return varint(n << 3) + varint(v)


def message(n, data):
    return varint(n << 3 | 2) + varint(len(data)) + (data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))


class Profile:
    """Fields as they are added; strings come last, or where done() says."""

    def __init__(self, types=CPU):
        self.strings, self.fields = [b""], []
        for kind, unit in types:
            self.fields.append(message(1, number(1, self.string(kind)) + number(2, self.string(unit))))

    def string(self, text):
        text = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def label(self, key, value):
        if isinstance(value, tuple):         # with a unit
            return message(3, number(1, self.string(key)) + number(3, value[0]) + number(4, self.string(value[1])))
        return message(3, number(1, self.string(key)) + (number(3, value) if isinstance(value, int) else number(2, self.string(value))))

    def sample(self, ids, values, labels=(), packed=True):
        if packed:
            body = message(1, b"".join(map(varint, ids))) + message(2, b"".join(map(varint, values)))
        else:
            body = b"".join(number(1, i) for i in ids) + b"".join(number(2, v) for v in values)
        self.fields.append(message(2, body + b"".join(self.label(*x) for x in labels)))

    def mapping(self, i, path):
        self.fields.append(message(3, number(1, i) + number(2, 0x400000) + number(3, 0x800000) + number(5, self.string(path))))

    def location(self, i, lines, mapping=0):
        self.fields.append(message(4, number(1, i) + (number(2, mapping) if mapping else b"") + number(3, 0x400000 + 16 * (i & 0xffff)) +
                                   b"".join(message(4, number(1, f) + number(2, n)) for f, n in lines)))

    def function(self, i, name, file="", system=""):
        self.fields.append(message(5, number(1, i) + number(2, self.string(name)) + number(3, self.string(system)) +
                                   number(4, self.string(file)) + number(5, i & 0xff)))

    def done(self, at=None):
        at = len(self.fields) if at is None else at
        return b"".join(self.fields[:at] + [message(6, s) for s in self.strings] + self.fields[at:])


def shop(types=CPU, ids=range(1, 10), packed=True):
    """A server with two threads; gcDrain was inlined into mallocgc."""
    p, ids = Profile(types), list(ids)
    for path, values, labels in (
            ((3, 2, 1, 0), (7, 70000000), (("thread_name", "worker; 1"), ("thread_id", 101))),
            ((4, 3, 2, 1, 0), (3, 30000000), (("thread_name", "worker; 1"), ("thread_id", 101))),
            ((6, 5, 1, 0), (2, 20000000), (("thread_name", "worker; 2"), ("thread_id", "102"))),
            ((7, 2, 1, 0), (1, 10000000), (("request", "/cart"),)), ((7,), (4, 40000000), ())):
        p.sample([ids[i] for i in path], (list(values) * 2)[:len(types)], labels, packed)
    p.mapping(1, "/srv/shop")
    for i, (name, file) in enumerate(SHOP):
        p.location(ids[i], [(ids[8], 5), (ids[7], 9)] if i == 7 else [(ids[i], 10 + i)], 1)
        p.function(ids[i], name, file)
    return p


def recorded():
    p = shop()
    p.fields += [number(9, 1700000000000000000), number(10, 2500000000), number(12, 10000000),
                 message(11, number(1, p.string("cpu")) + number(2, p.string("nanoseconds"))), number(13, p.string("nightly build"))]
    return p.done()


def moment():
    """The moment of the end in place of the duration, as some writers have it."""
    p = shop()
    p.fields += [number(9, 1700000000000000000), number(10, 1700000002500000000)]
    return p.done()


def counted():
    """Only numbers of samples, which were taken each 20 ms."""
    p = shop(CPU[:1])
    p.fields += [number(12, 20), message(11, number(1, p.string("cpu")) + number(2, p.string("ms")))]
    return p.done()


def heap():
    p = Profile(HEAP)
    p.sample([3, 1], [4, 4096, 0, 0], [("bytes", 1024)])
    p.sample([2, 1], [2, 128, 1, 64], [("bytes", 64)])
    for i, name in enumerate(("main.main", "main.keep", "main.drop"), 1):
        p.location(i, [(i, i)])
        p.function(i, name, "main.go")
    p.fields.append(number(14, p.string("inuse_space")))
    return p.done()


def labels():
    """Requests of two services; a key twice, and labels that are equal in another order."""
    p = Profile()
    users, carts, bg = ("service", "users"), ("service", "carts"), ("priority", "bg")
    for path, n, some in (((3, 2), 5, (users, bg)), ((4, 2), 3, (bg, users)), ((4, 2), 2, (users,)), ((3, 1), 7, (carts, ("size", (64, "bytes")))),
                          ((3, 1), 1, (carts, ("size", (2048, "bytes")), ("thread_id", 7))), ((4, 1), 4, (("service", "users; x=y"), ("http.route", "/a b"))),
                          ((1,), 6, ()), ((1,), 2, (("tag", "b"), ("tag", "a"))), ((2,), 1, (("empty", ""), ("bytes", (512, "bytes"))))):
        p.sample(path, (n, n * 10 ** 7), some)
    for i, name in enumerate(("main.main", "main.serve", "db.query", "json.Marshal"), 1):
        p.location(i, [(i, i)])
        p.function(i, name, "main.go")
    return p.done()


def ids():
    """No two tables count alike; some ids are duplicates, or missing."""
    p = shop(ids=[2 ** 64 - 1, 7, 2 ** 32, 77777777777, 3, 1, 2 ** 63, 12, 5])
    p.location(7, [(12, 1)])
    p.function(0, "nobody")
    p.sample([99, 3, 7], [1, 5])
    return p.done()


def texts():
    """Functions without a name, without a function, without lines; names that are not text."""
    p = Profile((("samples", "count"), ("samples", "Seconds"), ("samples", "Seconds"), ("", "furlongs")))
    p.mapping(1, "/usr/lib/libshop.so.1")
    p.mapping(2, "")
    p.sample([1, 2, 3, 4, 5], [1, 2, 3, 4])
    p.sample([], [0, 1, 0, 2])
    p.location(1, [], 1)
    p.location(2, [], 2)
    p.location(3, [(9, 1), (1, 1)], 1)
    p.location(4, [(2, 1)], 1)
    p.location(5, [(3, 1)])
    p.function(1, "", "", "_ZN4shop3add")
    p.function(2, "", "x.c")
    p.function(3, b"std::f<(anonymous namespace)::T; int>\x1b[31m\xff\t")
    return p.done()


def dropped(keep=False):
    p = Profile()
    for path in ((1, 2, 3, 4), (2, 3, 4), (1, 2), (3, 5, 4), (6, 4)):
        p.sample(path, (1, 10))
    for i, name in enumerate(("malloc_hook(int)", ".operator new(unsigned long)", "user::(anonymous namespace)::f(int)", "main", "alloc_in"), 1):
        p.location(i, [(i, 1)])
        p.function(i, name)
    p.location(6, [(5, 1), (1, 2), (3, 3)])
    p.fields.append(number(7, p.string("operator new|malloc_.*|alloc_in")))
    if keep:
        p.fields.append(number(8, p.string("alloc.*|operator.*")))
    return p.done()


def damaged():
    """Whole fields around messages that are not."""
    p = shop()
    p.fields[3:3] = [message(2, b"\x0a\x05\x01"), message(4, b"\x08"), message(2, message(1, b"\x80" * 11) + message(2, b"\1\1")),
                     message(5, b"\x0b\x0c"), message(2, message(1, b"\1") + message(2, b"\1")), number(77, 5), message(99, b"?"),
                     varint(50 << 3 | 1) + b"8 bytes!", varint(51 << 3 | 5) + b"four"]
    return p.done()


def before():
    p = shop()
    p.sample([4, 3, 2, 1], [-2, -20000000], [("pprof::base", "true")])
    p.sample([4, 3, 2, 1], [-2, 7], [])
    return p.done()


def sums():
    p = shop()
    for _ in range(3):
        p.sample([1], [2 ** 62, 2 ** 62 + 1])
    return p.done()


def long_numbers():
    p = shop()
    p.fields.append(message(2, message(1, varint(1, 3) + varint(2, 8)) + message(2, varint(5, 1) + varint(6, 5))))
    return p.done()


def empty():
    p = Profile()
    p.fields += [number(9, 1700000000000000000), number(12, 10000000)]
    return p.done()


def inlined():
    """As many lines of one location as are read, and one more."""
    p = shop()
    for i in range(257):
        p.function(100 + i, "inlined%d" % i)
    p.location(100, [(100 + i, i) for i in range(256)])
    p.location(101, [(100 + i, i) for i in range(257)])
    for stack in ((3, 100, 1), (3, 101, 1), (101,)):
        p.sample(stack, [1, 5])
    return p.done()


CASES = {
    "shop": lambda: shop().done(), "recorded": recorded, "counted": counted, "moment": moment, "packed": lambda: gzip.compress(recorded(), mtime=0), "unpacked": lambda: shop(packed=False).done(),
    "heap": heap, "labels": labels, "ids": ids, "texts": texts, "dropped": dropped, "kept": lambda: dropped(True), "damaged": damaged, "before": before,
    "sums": sums, "inlined": inlined, "long_numbers": long_numbers, "empty": empty, "strings_first": lambda: shop().done(0),
    "groups": lambda: shop().done() + varint(60 << 3 | 3) + varint(60 << 3 | 4) + shop().done(),
    "joined": lambda: shop().done() + shop().done(), "twice": lambda: recorded() + recorded(), "no_types": lambda: shop(()).done(), "other": lambda: message(6, "no") + shop().done(),
}


def random_profile(seed):
    r = random.Random(seed)
    kinds = [r.choice((("samples", "count"), ("cpu", "nanoseconds"), ("wall", "ms"), ("space", "KB"), ("odd", "furlongs"), ("", "")))
             for _ in range(r.choice((1, 2, 2, 4)))]
    p, n = Profile(kinds), r.randrange(1, 12)
    some = r.sample(range(1, 40), n) if r.random() < .4 else list(range(1, n + 1))
    if r.random() < .3:
        some[0] = r.getrandbits(64) | 1 << 63
    any_id = some + ([0, 12345] if r.random() < .3 else [])
    keys = ("thread_name", "thread name", "comm", "thread", "tid", "thread_id", "bytes", "request", "pprof::base", "a.b", "")
    for _ in range(r.randrange(40)):
        kind = r.random()
        labels = [(r.choice(keys), r.choice((7, 0, -1, 2 ** 40, "12", "007", "name", "", "true", "x; y", (7, "ms"), (64, "bytes")))) for _ in range(r.choice((0, 0, 1, 3)))]
        values = [r.choice((0, 1, 5, 1000, -3, 2 ** 40, r.randrange(10 ** 6))) for _ in range(len(kinds) - (r.random() < .04))]
        if kind < .6:
            p.sample([r.choice(any_id) for _ in range(r.choice((0, 1, 3, 9)))], values, labels, r.random() < .8)
        elif kind < .75:
            p.location(r.choice(some), [(r.choice(any_id), 1) for _ in range(r.choice((0, 1, 1, 3)))], r.choice((0, 0, 1, 2)))
        elif kind < .9:
            p.function(r.choice(some), r.choice(("f%d" % r.randrange(6), "malloc(int)", "")), r.choice(("", "a.c")), r.choice(("", "_Zf")))
        elif kind < .94:
            p.mapping(r.choice((1, 2, 5)), r.choice(("/lib/a.so", "", "b")))
        elif kind < .96:
            p.fields.append(r.choice((number(40, 3), message(41, "?"), number(2, 5), message(12, "x"))))
        elif kind < .98:
            p.fields.append(message(r.choice((2, 4, 5)), bytes(r.randrange(256) for _ in range(r.randrange(6)))))
        else:
            p.fields.append(message(2, message(1, varint(some[0])) + message(2, varint(1) * len(kinds)) + message(3, number(1, 999) + number(2, 888))))
    for i in some:
        p.location(i, [(i, 3)] * r.choice((1, 1, 1, 0, 2)))
        p.function(i, "g%d" % i, r.choice(("", "g.c")))
    if r.random() < .25:
        p.fields.append(number(7, p.string(r.choice(("malloc|f[0-3]", "g.*", "(", "f1")))))
    if r.random() < .15:
        p.fields.append(number(8, p.string(r.choice(("f.*", "nothing")))))
    if r.random() < .2:
        p.fields.append(number(14, p.string(r.choice(("cpu", "wall", "nothing")))))
    if r.random() < .3:
        r.shuffle(p.fields)
    data = p.done(r.choice((None, 0, len(kinds))))
    return data[:r.randrange(len(data))] if r.random() < .15 else data


def large(megabytes, out):
    r, p, functions, locations, size = random.Random(5), Profile(), 20000, 60000, 0
    callees = [[r.randrange(1, locations + 1) for _ in range(r.choice((1, 1, 2, 2, 3, 5)))] for _ in range(locations + 1)]
    encoded = [varint(i) for i in range(locations + 1)]
    for _ in range(megabytes * 10200):
        path = [r.randrange(1, 50)]
        for _ in range(r.randrange(8, 45)):
            of = callees[path[-1]]
            path.append(of[min(int(r.expovariate(1.2)), len(of) - 1)])
        count = r.randrange(1, 9)
        field = message(2, message(1, b"".join(encoded[i] for i in reversed(path))) + message(2, varint(count) + varint(count * 10 ** 7)))
        p.fields.append(field)
        size += len(field)
    base = len(p.strings)
    for i in range(1, locations + 1):
        p.location(i, [(i % functions + 1, i % 1000)] + [(i * 7 % functions + 1, 3)] * (i % 5 == 0))
    for i in range(functions):
        p.strings.append(b"example.org/service%d/internal/package%d.(*Type%d).Method%d" % (i % 40, i % 300, i % 2000, i))
        p.fields.append(message(5, number(1, i + 1) + number(2, base + i) + number(3, base + i)))
    out.write(p.done())


def main(argv):
    if argv[1] == "large":
        large(int(argv[2]), sys.stdout.buffer)
    else:
        sys.stdout.buffer.write(random_profile(int(argv[2])) if argv[1] == "random" else CASES[argv[1]]())


if __name__ == "__main__":
    main(sys.argv)
