#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""edges.py DIR - writes one small method trace per edge case.

Also writes DIR/edges.tsv (file, key, value) with the facts that follow from
how each file was made, and DIR/NAME.tree.tsv for the files whose call tree
is spelled out here by hand.  Nothing in here is computed by a decoder.
"""
import gzip
import os
import struct
import sys

import v2 as mk

E, X, U = 0, 1, 2             # enter, exit, unroll
A, B, C, D = 0x10, 0x14, 0x18, 0x1c
NAMES = {A: "a", B: "b", C: "c", D: "d"}
METHODS = "".join("0x%x\tpkg.Cls\t%s\t()V\tCls.java\n" % (k, v) for k, v in NAMES.items())
MAIN = "100\tmain\n"
facts = []
out = "."                     # the folder


def head(clock="dual", ver=3, extra="", pid=100, n=None, elapsed=1000, overflow="false",
         threads=MAIN, methods=METHODS, end="*end\n", eol="\n"):
    s = "*version\n%d\ndata-file-overflow=%s\nclock=%s\nelapsed-time-usec=%d\n" % (
        ver, overflow, clock, elapsed)
    if n is not None:
        s += "num-method-calls=%d\n" % n
    s += "clock-call-overhead-nsec=100\nvm=art\n"
    if pid is not None:
        s += "pid=%d\n" % pid
    s += extra + "*threads\n" + threads + "*methods\n" + methods + end
    return s.replace("\n", eol).encode("utf-8", "surrogateescape")


def bhead(ver=3, rs=14, off=32, start=5000000):
    h = b"SLOW" + struct.pack("<HHQ", ver, off, start)
    h += struct.pack("<H", rs if (ver & 15 == 3 or ver & 0xf0) else 0)
    return h.ljust(32, b"\0")


def rec(tid, m, a, cpu, wall, ver=3, clock="dual"):
    b = struct.pack("<B", tid) if ver == 1 else struct.pack("<H", tid & 0xffff)
    b += struct.pack("<I", m | a)
    if clock != "wall":
        b += struct.pack("<I", cpu & 0xffffffff)
    if clock != "thread-cpu":
        b += struct.pack("<I", wall & 0xffffffff)
    return b


def put(name, data, tree=None, **f):
    with open(os.path.join(out, name), "wb") as h:
        h.write(data)
    for k in f:
        facts.append((name, k, f[k]))
    if tree is not None:
        with open(os.path.join(out, name + ".tree.tsv"), "w") as h:
            h.write("tid\tdepth\tcalls\tincl_wall\tself_wall\tincl_cpu\tself_cpu\tid\tname\n")
            for tid, d, n, iw, sw, ic, sc, m, nm in tree:
                h.write("%d\t%d\t%d\t%d\t%d\t%d\t%d\t0x%x\t%s\n" % (
                    tid, d, n, iw, sw, ic, sc, m, nm))


def nm(m):
    return "pkg.Cls.%s()V" % NAMES[m]


def v3(recs, **k):
    """recs: (method, action, cpu, wall) on thread 100."""
    return head(n=len(recs), **k) + bhead() + b"".join(
        rec(100, m, a, c, w) for m, a, c, w in recs)


def repairs():
    """Enters and exits that do and do not fit."""
    put("empty-v3.trace", head(n=0) + bhead(), [], records=0, threads_seen=0,
        threads_listed=1, methods_listed=4, max_depth=0)
    put("plain.trace", v3([(A, E, 0, 0), (B, E, 10, 20), (B, X, 30, 60), (B, E, 30, 60),
                           (C, E, 35, 70), (C, X, 45, 90), (B, X, 50, 100), (A, X, 60, 200)]),
        [(100, 0, 1, 200, 120, 60, 20, A, nm(A)),
         (100, 1, 2, 80, 60, 40, 30, B, nm(B)),
         (100, 2, 1, 20, 20, 10, 10, C, nm(C))],
        records=8, enters=4, exits=4, unrolls=0, synthetic=0, forced=0, ignored=0, open=0,
        max_depth=3, last_wall=200, last_cpu=60, sampled_guess=0)
    put("open-at-end.trace", v3([(A, E, 0, 0), (B, E, 1, 10), (C, E, 2, 30), (C, X, 3, 50)]),
        [(100, 0, 1, 50, 10, 3, 1, A, nm(A)), (100, 1, 1, 40, 20, 2, 1, B, nm(B)),
         (100, 2, 1, 20, 20, 1, 1, C, nm(C))],
        records=4, open=2, synthetic=0)
    put("one-enter.trace", v3([(A, E, 7, 70)]), [(100, 0, 1, 0, 0, 0, 0, A, nm(A))],
        records=1, open=1, enters=1, exits=0)
    # c was called below b and a, which were open when tracing began
    put("exit-no-enter.trace", v3([(C, E, 1, 10), (C, X, 4, 30), (B, X, 5, 40), (A, X, 8, 100)]),
        [(100, 0, 1, 100, 60, 8, 3, A, nm(A)), (100, 1, 1, 40, 20, 5, 2, B, nm(B)),
         (100, 2, 1, 20, 20, 3, 3, C, nm(C))],
        records=4, synthetic=2, enters=1, exits=3, open=0)
    put("exit-no-enter-then-calls.trace",
        v3([(A, X, 2, 20), (B, E, 3, 30), (B, X, 4, 50), (A, E, 5, 60), (A, X, 6, 90)]),
        [(100, 0, 2, 50, 50, 3, 3, A, nm(A)), (100, 0, 1, 20, 20, 1, 1, B, nm(B))],
        records=5, synthetic=1)
    put("unroll.trace", v3([(A, E, 0, 0), (B, E, 1, 10), (C, E, 2, 20), (C, U, 3, 30),
                            (B, U, 4, 50), (A, X, 5, 90)]),
        [(100, 0, 1, 90, 50, 5, 2, A, nm(A)), (100, 1, 1, 40, 30, 3, 2, B, nm(B)),
         (100, 2, 1, 10, 10, 1, 1, C, nm(C))],
        records=6, unrolls=2, exits=1, forced=0)
    put("mismatch-pop.trace", v3([(A, E, 0, 0), (B, E, 1, 10), (C, E, 2, 20), (A, X, 5, 90)]),
        [(100, 0, 1, 90, 10, 5, 1, A, nm(A)), (100, 1, 1, 80, 10, 4, 1, B, nm(B)),
         (100, 2, 1, 70, 70, 3, 3, C, nm(C))],
        records=4, forced=2, ignored=0, open=0)
    put("mismatch-ignore.trace", v3([(A, E, 0, 0), (D, X, 2, 20), (A, X, 5, 90)]),
        [(100, 0, 1, 90, 90, 5, 5, A, nm(A))], records=3, ignored=1, forced=0, open=0)
    put("recursion.trace", v3([(A, E, 0, 0), (A, E, 1, 10), (A, E, 2, 20), (A, X, 3, 30),
                               (A, X, 4, 50), (A, X, 5, 100)]),
        [(100, 0, 1, 100, 60, 5, 2, A, nm(A)), (100, 1, 1, 40, 30, 3, 2, A, nm(A)),
         (100, 2, 1, 10, 10, 1, 1, A, nm(A))], records=6, max_depth=3)
    n = 20000
    put("deep-20000.trace", v3([(A, E, i, i) for i in range(n)] + [(A, X, n + i, n + i) for i in range(n)]),
        records=2 * n, max_depth=n, open=0, forced=0)
    put("action-3.trace", v3([(A, E, 0, 0), (B, 3, 1, 10), (A, X, 2, 20)]),
        [(100, 0, 1, 20, 20, 2, 2, A, nm(A))], records=3, action3=1)


def clocks():
    """Clocks that wrap and step back."""
    W = 1 << 32
    put("wrap-wall.trace", v3([(A, E, 0, W - 100), (B, E, 1, W - 50), (B, X, 2, W + 50),
                               (A, X, 3, W + 400)], elapsed=W + 500),
        [(100, 0, 1, 500, 400, 3, 2, A, nm(A)), (100, 1, 1, 100, 100, 1, 1, B, nm(B))],
        records=4, wraps=1, last_wall=W + 400)
    put("wrap-twice.trace", v3([(A, E, 0, 3000000000), (B, E, 1, W + 2000000000), (B, X, 2, 2 * W),
                                (A, X, 3, 2 * W + 7)], elapsed=2 * W + 10),
        [(100, 0, 1, 2 * W + 7 - 3000000000, W + 2000000007 - 3000000000, 3, 2, A, nm(A)),
         (100, 1, 1, W - 2000000000, W - 2000000000, 1, 1, B, nm(B))],
        records=4, wraps=2, last_wall=2 * W + 7)
    put("wrap-cpu.trace", v3([(A, E, W - 10, 0), (A, X, W + 30, 100)]),
        [(100, 0, 1, 100, 100, 40, 40, A, nm(A))], records=2, wraps=1, last_cpu=W + 30)
    put("wrap-late-thread.trace",
        head(n=4, threads=MAIN + "101\tlate\n", elapsed=W + 500) + bhead() +
        rec(100, A, E, 0, W - 100) + rec(100, A, X, 1, W + 100) +
        rec(101, B, E, 0, W + 200) + rec(101, B, X, 5, W + 300),
        [(100, 0, 1, 200, 200, 1, 1, A, nm(A)), (101, 0, 1, 100, 100, 5, 5, B, nm(B))],
        records=4, wraps=1, last_wall=W + 300, threads_seen=2)
    recs = [(100, A, E, 0, 0), (101, B, E, 0, 5)]
    k = 0
    while k * 1000000000 < 3 * W:
        recs += [(100, C, E, k, k * 1000000000 + 10), (100, C, X, k, k * 1000000000 + 20)]
        k += 1
    last = 3 * W + 900000000
    recs += [(101, B, X, 7, 3 * W + 800000000), (100, A, X, k, last)]
    put("wrap-idle-thread.trace",
        head(n=len(recs), threads=MAIN + "101\tidle\n", elapsed=last) + bhead() +
        b"".join(rec(*x) for x in recs),
        [(100, 0, 1, last, last - 10 * k, k, k, A, nm(A)), (100, 1, k, 10 * k, 10 * k, 0, 0, C, nm(C)),
         (101, 0, 1, 3 * W + 799999995, 3 * W + 799999995, 7, 7, B, nm(B))],
        records=len(recs), last_wall=last, threads_seen=2)
    put("backwards.trace", v3([(A, E, 10, 100), (B, E, 11, 90), (B, X, 12, 120), (A, X, 13, 130)]),
        [(100, 0, 1, 30, 10, 3, 2, A, nm(A)), (100, 1, 1, 20, 20, 1, 1, B, nm(B))],
        records=4, backwards=1, wraps=0)
    put("blocks-out-of-order.trace",
        head(n=4, threads=MAIN + "101\tw\n") + bhead() +
        rec(101, B, E, 0, 500) + rec(101, B, X, 9, 900) +
        rec(100, A, E, 0, 10) + rec(100, A, X, 4, 700),
        [(101, 0, 1, 400, 400, 9, 9, B, nm(B)), (100, 0, 1, 690, 690, 4, 4, A, nm(A))],
        records=4, backwards=0, wraps=0, last_wall=900)


def names():
    """Thread ids and names."""
    put("tid-listed-twice.trace",
        head(n=2, threads="101\told-name\n100\tmain\n101\tnew-name\n") + bhead() +
        rec(101, A, E, 0, 0) + rec(101, A, X, 1, 5),
        [(101, 0, 1, 5, 5, 1, 1, A, nm(A))], records=2, dup_tids=1, threads_listed=3)
    put("same-thread-name.trace",
        head(n=4, threads=MAIN + "101\tOkHttp\n102\tOkHttp\n") + bhead() +
        rec(101, A, E, 0, 0) + rec(102, A, E, 0, 1) + rec(101, A, X, 1, 5) + rec(102, A, X, 1, 9),
        [(101, 0, 1, 5, 5, 1, 1, A, nm(A)), (102, 0, 1, 8, 8, 1, 1, A, nm(A))],
        records=4, threads_seen=2, dup_tids=0)
    put("tid-over-16-bits.trace",
        head(n=2, pid=70000, threads="70000\tmain\n") + bhead() +
        rec(70000, A, E, 0, 0) + rec(70000, A, X, 1, 5),
        [(70000 & 0xffff, 0, 1, 5, 5, 1, 1, A, nm(A))], records=2, unknown_thread_records=0)
    put("unknown-thread.trace", head(n=2) + bhead() + rec(777, A, E, 0, 0) + rec(777, A, X, 1, 5),
        [(777, 0, 1, 5, 5, 1, 1, A, nm(A))], records=2, unknown_thread_records=2)
    put("unknown-method.trace", v3([(A, E, 0, 0), (0xbeef0, E, 1, 1), (0xbeef0, X, 2, 5), (A, X, 3, 9)]),
        [(100, 0, 1, 9, 5, 3, 2, A, nm(A)),
         (100, 1, 1, 4, 4, 1, 1, 0xbeef0, "<unknown method 0xbeef0>")],
        records=4, unknown_methods=1, unknown_method_records=2)
    put("thread-name-escape.trace",
        head(n=2, threads="100\tma\x1b[31min\x07\x01 \u00e9\u4e2d\n") + bhead() +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2, threads_listed=1)
    put("thread-name-tab.trace", head(n=0, threads="100\tpool\tworker\n") + bhead(),
        records=0, threads_listed=1)
    put("invalid-utf8.trace",
        head(n=2, methods="0x10\tpkg.C\udcff\udcfels\ta\t()V\tC.java\n") + bhead() +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2, methods_listed=1)


def texts():
    """Variants of the text section."""
    put("columns-4-5-6.trace",
        head(n=0, methods="0x10\tpkg.Cls\ta\t()V\n0x14\tpkg.Cls\tb\t()V\tCls.java\n"
             "0x18\tpkg/Cls\tc\t()V\tCls.java\t29\n0x1c\tpkg.Cls\td\t()V\tCls.java\t-2\n") + bhead(),
        records=0, methods_listed=4)
    put("ids-decimal-and-hex.trace",
        head(n=2, methods="16\tpkg.Cls\ta\t()V\tCls.java\n0X14\tpkg.Cls\tb\t()V\tCls.java\n") +
        bhead() + rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5),
        records=2, unknown_methods=0, methods_listed=2)
    put("crlf-text.trace", head(n=2, eol="\r\n") + bhead() + rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5),
        [(100, 0, 1, 5, 5, 1, 1, A, nm(A))], records=2, clock="dual")
    put("key-order.trace",
        b"*version\n3\npid=100\nvm=art\nclock=dual\nfuture-key=a=b\nnum-method-calls=2\n"
        b"data-file-overflow=false\nelapsed-time-usec=9\nalloc-count=5\nalloc-size=99\ngc-count=1\n"
        b"*threads\n100\tmain\n*methods\n" + METHODS.encode() + b"*end\n" + bhead() +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2, clock="dual", pid=100)
    put("alloc-wrapped.trace",
        b"*version\n3\nalloc-count=7\nalloc-size=-1000\ngc-count=3\nclock=dual\nnum-method-calls=2\n"
        b"*threads\n100\tmain\n*methods\n" + METHODS.encode() + b"*end\n" + bhead() +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2, clock="dual")
    put("slow-in-text.trace",
        head(n=2, threads="100\tSLOWmain\n",
             methods="0x10\tpkg.SLOWPOKE\tSLOW\t()V\tSLOW.java\n") + bhead() +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2)
    put("star-in-name.trace",
        head(n=2, threads="100\t*end\n101\t*methods\n") + bhead() +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2, threads_listed=2)
    put("no-clock-key.trace",
        b"*version\n2\ndata-file-overflow=false\n*threads\n1\tmain\n*methods\n" + METHODS.encode() +
        b"*end\n" + bhead(2) + rec(1, A, E, 3, 0, 2, "thread-cpu") + rec(1, A, X, 9, 0, 2, "thread-cpu"),
        [(1, 0, 1, 0, 0, 6, 6, A, nm(A))], records=2, clock="thread-cpu", record_size=10)
    put("no-pid.trace", head(n=0, pid=None) + bhead(), records=0)


def versions():
    """Versions, clocks and record sizes."""
    put("v1-9-bytes.trace", head("thread-cpu", 1, n=2, threads="1\tmain\n") + bhead(1) +
        rec(1, A, E, 3, 0, 1, "thread-cpu") + rec(1, A, X, 9, 0, 1, "thread-cpu"),
        [(1, 0, 1, 0, 0, 6, 6, A, nm(A))], records=2, record_size=9, version=1)
    put("v2-wall.trace", head("wall", 2, n=2) + bhead(2) +
        rec(100, A, E, 0, 3, 2, "wall") + rec(100, A, X, 0, 9, 2, "wall"),
        [(100, 0, 1, 6, 6, 0, 0, A, nm(A))], records=2, record_size=10, clock="wall")
    put("v2-cpu.trace", head("thread-cpu", 2, n=2) + bhead(2) +
        rec(100, A, E, 3, 0, 2, "thread-cpu") + rec(100, A, X, 9, 0, 2, "thread-cpu"),
        [(100, 0, 1, 0, 0, 6, 6, A, nm(A))], records=2, record_size=10, clock="thread-cpu")
    put("v3-wall-10-bytes.trace", head("wall", 3, n=2) + bhead(3, 10) +
        rec(100, A, E, 0, 3, 3, "wall") + rec(100, A, X, 0, 9, 3, "wall"),
        [(100, 0, 1, 6, 6, 0, 0, A, nm(A))], records=2, record_size=10)
    put("v3-record-20-bytes.trace", head(n=2) + bhead(3, 20) +
        rec(100, A, E, 0, 3) + b"future" + rec(100, A, X, 4, 9) + b"future",
        [(100, 0, 1, 6, 6, 4, 4, A, nm(A))], records=2, record_size=20)
    put("data-offset-48.trace", head(n=2) + bhead(off=48) + b"\xff" * 16 +
        rec(100, A, E, 0, 3) + rec(100, A, X, 4, 9),
        [(100, 0, 1, 6, 6, 4, 4, A, nm(A))], records=2)
    put("sampling.trace",
        v3([(A, E, 0, 1000), (B, E, 0, 1000), (C, E, 0, 1000), (C, X, 3, 2000), (B, X, 3, 2000),
            (D, E, 3, 2000), (D, X, 9, 4000), (B, E, 9, 4000), (B, X, 12, 5000), (A, X, 12, 5000)]),
        [(100, 0, 1, 4000, 0, 12, 0, A, nm(A)), (100, 1, 2, 2000, 1000, 6, 3, B, nm(B)),
         (100, 2, 1, 1000, 1000, 3, 3, C, nm(C)), (100, 1, 1, 2000, 2000, 6, 6, D, nm(D))],
        records=10, sampled_guess=1, time_groups=4)


def damage():
    """Files cut short or lying."""
    good = v3([(A, E, 0, 0), (B, E, 1, 5), (B, X, 2, 9), (A, X, 3, 12)])
    put("overflow.trace", v3([(A, E, 0, 0), (B, E, 1, 10)], overflow="true"),
        [(100, 0, 1, 10, 10, 1, 1, A, nm(A)), (100, 1, 1, 0, 0, 0, 0, B, nm(B))],
        records=2, open=2, overflow="true")
    put("cut-record.trace", good[:-5], [(100, 0, 1, 9, 5, 2, 1, A, nm(A)), (100, 1, 1, 4, 4, 1, 1, B, nm(B))],
        records=3, tail_bytes=9, open=1)
    put("cut-header.trace", good[:good.index(b"SLOW") + 10], error=1)
    put("cut-text.trace", good[:good.index(b"*methods") + 20], error=1)
    put("no-magic.trace", good.replace(b"SLOW", b"FAST"), error=1)
    put("version-9.trace", head(n=0) + bhead(9), error=1)
    put("record-size-0.trace", head(n=2) + bhead(3, 0) + rec(100, A, E, 0, 3) + rec(100, A, X, 4, 9),
        records=2, record_size=14)
    put("record-size-3.trace", head(n=2) + bhead(3, 3) + b"\0" * 28, error=1)
    put("record-size-65535.trace", head(n=2) + bhead(3, 65535) + b"\0" * 28, records=0, tail_bytes=28)
    put("offset-past-end.trace", head(n=2) + bhead(3, 14, 65000), error=1)
    put("calls-key-lies.trace", head(n=4000000000) + bhead() + rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5),
        records=2, calls_key=4000000000)
    put("cut-between-records.trace", good[:-14], [(100, 0, 1, 9, 5, 2, 1, A, nm(A)), (100, 1, 1, 4, 4, 1, 1, B, nm(B))],
        records=3, tail_bytes=0, open=1, lost_records=1)
    put("overflow-counts-more.trace", head(n=9, overflow="true") + bhead() + rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5),
        records=2, lost_records=0)
    put("text-version-differs.trace", head(ver=2, n=2) + bhead(3) +
        rec(100, A, E, 0, 0) + rec(100, A, X, 1, 5), records=2, version=3)
    put("long-line.trace", head(n=0, methods="0x10\t" + "x" * 1000000 + "\ta\t()V\tC.java\n") + bhead(),
        records=0, methods_listed=1)
    put("empty.trace", b"", error=1)
    put("only-version.trace", b"*version\n", error=1)
    put("utf8-mangled.trace", good.decode("latin-1").encode("utf-8", "replace")[:0] +
        good.decode("utf-8", "replace").encode("utf-8"), version=3)
    put("gzip.trace.gz", gzip.compress(good, mtime=0), records=4, open=0)


def stream():
    """Version 1, streaming: records and packets."""
    def m(k, op=1):
        s = "0x%x\tpkg.Cls\t%s\t()V\tCls.java\n" % (k, NAMES[k])
        return struct.pack("<HBH", 0, 1, len(s)) + s.encode()

    def th(tid, s):
        b = s.encode()
        return struct.pack("<HBHH", 0, 2, tid, len(b)) + b

    def summ(ver, clock, more=""):
        s = ("*version\n%d\ndata-file-overflow=false\nclock=%s\nelapsed-time-usec=99\n"
             "clock-call-overhead-nsec=100\nvm=art\npid=100\n%s*end\n" % (ver, clock, more)).encode()
        return struct.pack("<HBI", 0, 3, len(s)) + s

    tree = [(100, 0, 1, 9, 5, 4, 3, A, nm(A)), (100, 1, 1, 4, 4, 1, 1, B, nm(B))]
    r = [(A, E, 0, 0), (B, E, 1, 3), (B, X, 2, 7), (A, X, 4, 9)]

    def body(ver, clock, pad=0):
        p = lambda i: rec(100, r[i][0], r[i][1], r[i][2], r[i][3], ver, clock) + b"\xa5" * pad
        return m(A) + th(100, "main") + p(0) + m(B) + p(1) + p(2) + p(3)

    put("stream-f3.trace", bhead(0xf3) + body(3, "dual") + summ(3, "dual"), tree,
        records=4, record_size=14, complete=1, threads_listed=1, methods_listed=2)
    tw = [(100, 0, 1, 9, 5, 0, 0, A, nm(A)), (100, 1, 1, 4, 4, 0, 0, B, nm(B))]
    put("stream-f2-10.trace", bhead(0xf2, 10) + body(2, "wall") + summ(2, "wall"), tw,
        records=4, record_size=10, complete=1)
    # the field says 10, the records have 14 bytes, the last 4 are noise
    put("stream-f2-14.trace", bhead(0xf2, 10) + body(2, "wall", 4) + summ(2, "wall"), tw,
        records=4, record_size=14, complete=1)
    # cut before the summary: nothing names the clock, and there is room for one only
    put("stream-wall-cut.trace", bhead(0xf3, 10) + body(3, "wall"), tw, records=4, record_size=10, complete=0,
        clock="wall")
    # the field is too small for the clocks: the records say how large they are
    put("stream-small-records.trace", bhead(0xf3, 7) + body(3, "dual") + summ(3, "dual"), tree,
        records=4, record_size=14, complete=1)
    put("stream-no-summary.trace", bhead(0xf3) + body(3, "dual"), tree, records=4, complete=0)
    put("stream-cut.trace", (bhead(0xf3) + body(3, "dual"))[:-5],
        [(100, 0, 1, 7, 3, 2, 1, A, nm(A)), (100, 1, 1, 4, 4, 1, 1, B, nm(B))],
        records=3, complete=0, tail_bytes=9)
    put("stream-late-method.trace", bhead(0xf3) + th(100, "main") +
        rec(100, A, E, 0, 0) + rec(100, A, X, 4, 9) + m(A) + summ(3, "dual"),
        [(100, 0, 1, 9, 9, 4, 4, A, nm(A))], records=2, unknown_methods=0)
    put("stream-rename.trace", bhead(0xf3) + m(A) + th(100, "Thread-5") + rec(100, A, E, 0, 0) +
        rec(100, A, X, 4, 9) + th(100, "worker") + rec(100, A, E, 5, 20) + rec(100, A, X, 9, 25) +
        summ(3, "dual"), [(100, 0, 2, 14, 14, 8, 8, A, nm(A))], records=4, renames=1)
    put("stream-summary-tables.trace", bhead(0xf3) + body(3, "dual") +
        summ(3, "dual", "*threads\n100\tmain\n101\tidle\n*methods\n" + METHODS), tree,
        records=4, threads_listed=2, complete=1)


def v2():
    """Revisions a, b and c of V2; the tid does not fit 16 bits."""
    tid = 100000
    address = [0x7f00aa00, 0x7f00ab40]
    line = [b"pkg.Cls\ta\t()V\tCls.java\n", b"pkg.Cls\tb\t()V\tCls.java\n"]
    recs = [(0, E, 0, 100), (1, E, 1000, 3100), (1, X, 2000, 7100), (0, X, 4000, 9100)]
    for rev in "abc":
        ids = [4, 8] if rev == "a" else address
        for clock in ("dual", "wall"):
            dual = clock == "dual"
            ver = 5 if dual else 4
            tree = [(tid, 0, 1, 9000, 5000, 4000 * dual, 3000 * dual, ids[0], nm(A)),
                    (tid, 1, 1, 4000, 4000, 1000 * dual, 1000 * dual, ids[1], nm(B))]
            body = mk.thread(tid, b"main") + b"".join(
                mk.method(rev, ids[i], line[i]) for i in (0, 1))
            block = mk.block(rev, clock, tid, [(ids[i], a, c, w) for i, a, c, w in recs])
            last = mk.summary(ver, clock, rev, 9200, 4, tid)
            head = mk.header(ver | 0xf0, freq=1000000000 if rev == "c" else 0)
            put("v2%s-%s.trace" % (rev, clock), head + body + block + last, tree, records=4,
                complete=1, threads_listed=1, methods_listed=2, kind="v2%s-stream" % rev,
                last_wall=9100)
            if rev == "b" and dual:
                put("v2b-no-summary.trace", head + body + block, tree, records=4, complete=0)
                put("v2b-cut-block.trace", head + body + block[:-4], records=0, complete=0)
                put("v2b-file.trace", mk.header(5) + body + block + last, tree,
                    records=4, kind="v2b-file", complete=1)


def main(argv):
    global out
    if len(argv) != 2:
        sys.stderr.write(__doc__)
        return 2
    out = argv[1]
    os.makedirs(out, exist_ok=True)
    for section in (repairs, clocks, names, texts, versions, damage):
        section()
    stream()
    v2()
    with open(os.path.join(out, "edges.tsv"), "w") as h:
        h.write("file\tkey\tvalue\n")
        for fact in facts:
            h.write("%s\t%s\t%s\n" % fact)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
