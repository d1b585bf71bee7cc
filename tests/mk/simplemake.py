#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""simplemake.py CASE - profiles of simpleperf, to stdout.

report          of Android Studio, with everything that a report may have
recording       perf.data with Java, native and kernel code, and waits
report SEED, recording SEED    anything the formats allow, and some that they do not
"""
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from pprofmake import message, number, varint  # noqa: E402

NONE = 2 ** 64 - 1


def record(kind, data, r=None):
    body = message(kind, data)
    if r is not None and r.random() < 0.03:
        body = body[:-1] if r.random() < 0.5 else message(9, b"x")
    return struct.pack("<I", len(body)) + body


# ---- reports --------------------------------------------------------------------------------------


def sample(time, tid, chain, weight, event, broken=False):
    """chain: (file, symbol, execution or None), innermost first."""
    data = number(1, time) + number(2, tid)
    for file, symbol, execution in chain:
        data += message(3, number(1, 0x1000 + symbol % 64) + number(2, file) + number(3, symbol) +
                        (b"" if execution is None else number(4, execution)))
    return data + number(4, weight) + number(5, event) + (message(6, number(1, 5)) if broken else b"")


def table(ident, path, *symbols):
    return number(1, ident) + message(2, path) + b"".join(message(3, s) for s in symbols)


def thread(tid, pid, name):
    return number(1, tid) + number(2, pid) + message(3, name)


def switch(on, time, tid):
    return number(1, on) + number(2, time) + number(3, tid)


def meta(events, app="", off_cpu=False):
    return b"".join(message(1, e) for e in events) + (message(2, app) + message(4, "34") + message(5, "userdebug") if app else b"") + \
        (number(6, 1) if off_cpu else b"")


def close(records, end=True):
    return b"SIMPLEPERF" + struct.pack("<H", 1) + b"".join(records) + (struct.pack("<I", 0) if end else b"")


def report():
    ms, app, main = 10 ** 6, "com.example.shop", 4100
    java = [(4, 0, 2), (4, 1, 1), (1, 0, 0)]
    out = [(5, meta(["cpu-clock", "sched:sched_switch"], app, True))]
    for i in range(8):
        out.append((1, sample((10 + i) * ms, main, [(4, 2, 2 if i > 3 else 1)] + java, ms, 0)))
    out += [(1, sample(20 * ms, main, [(3, -1, 0), (2, 0, 0)] + java, 1, 1)), (6, switch(0, 20 * ms + 9, main)),
            (1, sample(21 * ms, 4101, [(2, 1, 0), (1, 1, 0)], ms, 0)), (1, sample(22 * ms, 4101, [(3, -1, 0), (2, 0, 0)], 1, 1, True)),
            (6, switch(1, 26 * ms, main)), (1, sample(27 * ms, main, [(5, 0, 3)] + java, ms, 0)),
            (1, sample(31 * ms, 4101, [(2, 1, 0), (1, 1, 0)], ms, 0)), (1, sample(32 * ms, 4101, [(3, -1, 0)], 1, 1)),
            (2, number(1, 14) + number(2, 2)),
            (3, table(1, "/apex/com.android.runtime/lib64/bionic/libc.so", "__libc_init", "__pthread_start(void*)")),
            (3, table(2, "/system/lib64/libutils.so", "android::Looper::pollOnce(int)", "android::Thread::_threadLoop(void*)")),
            (3, table(3, "[kernel.kallsyms]")),
            (3, table(4, "/data/app/base.apk", "a.b.c", "android.os.Looper.loop", "a.b.a")),
            (3, table(5, "/apex/com.android.art/lib64/libart.so", "art::Thread::Park()")),
            (4, thread(main, main, app)), (4, thread(4101, main, "RenderThread"))]
    return close([record(*x) for x in out])


def random_report(seed):
    r = random.Random(seed)
    tids, files = [r.randrange(1, 99) for _ in range(4)], list(range(r.randrange(1, 5)))
    words = ["main", "a.b.run", "a.b.C.run", "java.lang.Thread.run", "std::f<int>", "", "x;y", "\udcff", "art::Run"]
    paths = ["/lib/libc.so", "[kernel.kallsyms]", "/a/base.apk", "/x/boot.oat", "", "[", "[x]", "/data/jit_app_cache:1-2", "/m/x.ko"]
    events = [r.choice(["cpu-clock", "cpu-cycles:u", "sched:sched_switch", "task-clock:u", ":"]) for _ in range(r.randrange(4))]
    out = [(5, meta(events, "com.a" * r.randrange(2), r.random() < 0.7))]
    n = r.randrange(1, 30)
    for _ in range(n):
        chain = [(r.choice(files + [7]), r.randrange(-1, 5), r.choice([None, 0, 1, 2, 3, 9])) for _ in range(r.randrange(5))]
        out.append((1, sample(r.randrange(40), r.choice(tids), chain, r.choice([0, 1, 250000]), r.randrange(len(events) + 1), r.random() < 0.1)))
        if r.random() < 0.5:
            out.append((6, switch(r.randrange(2), r.randrange(40), r.choice(tids))))
    out.append((2, number(1, n if r.random() < 0.8 else n + 1) + number(2, r.randrange(3))))
    out += [(3, table(f, r.choice(paths), *(r.choice(words) for _ in range(r.randrange(5))))) for f in files if r.random() < 0.95]
    out += [(4, thread(t, r.choice(tids), r.choice(["", "main", "Binder:1_2", "t"]))) for t in tids if r.random() < 0.9]
    if r.random() < 0.3:
        r.shuffle(out)
    data = close([record(*x, r) for x in out], r.random() < 0.9) + b"more" * (r.random() < 0.1)
    return data[:-1] if r.random() < 0.05 else data


# ---- recordings -----------------------------------------------------------------------------------

HAS = 1 | 2 | 4 | 32 | 64 | 128 | 256       # IP, TID, TIME, CHAIN, ID, CPU, PERIOD
TAIL = 2 | 4 | 64 | 128                     # these are behind other records


def raw(kind, body, misc=0):
    body += b"\0" * (-len(body) % 8)
    size = len(body) + 8
    return struct.pack("<IHH", kind, misc, size) + body if kind < 32768 else struct.pack("<IHH", kind, size >> 16, size & 0xffff) + body


def tail(pid, tid, time):
    return struct.pack("<IIQQQ", pid, tid, time, 1, 0)


def mapped(pid, start, length, offset, path, jit=False, kernel=False):
    return raw(10, struct.pack("<IIQQQ", pid, pid, start, length, offset) + b"\0" * 24 + struct.pack("<II", 0x4000 if jit else 5, 2) +
               path.encode() + b"\0", 1 if kernel else 2)


def mapped_old(pid, start, length, offset, path):
    return raw(1, struct.pack("<IIQQQ", pid, pid, start, length, offset) + path.encode() + b"\0", 2)


def named(pid, tid, name):
    return raw(3, struct.pack("<II", pid, tid) + name.encode() + b"\0")


def sampled(pid, tid, time, chain, ident=1, weight=250000, kernel=False):
    context = [2 ** 64 - 128] * kernel + chain
    if kernel and len(chain) > 1:
        context = [2 ** 64 - 128, chain[0], 2 ** 64 - 512] + chain[1:]
    return raw(9, struct.pack("<QIIQQQQ", chain[0], pid, tid, time, ident, 0, weight) + struct.pack("<%dQ" % (len(context) + 1), len(context), *context),
               1 if kernel else 2)


def switched(pid, tid, time, out):
    return raw(14, tail(pid, tid, time), 0x2000 if out else 0)


def forked(pid, parent, tid, of, time=0):
    return raw(7, struct.pack("<IIIIQ", pid, parent, tid, of, time))


def split(rec, n):
    """A large record in parts."""
    return b"".join(raw(32772, rec[i:i + n]) for i in range(0, len(rec), n)) + raw(32773, b"")


def kallsyms(lines):
    text = "".join("%x %s %s\n" % x for x in lines).encode()
    return raw(32769, struct.pack("<I", len(text)) + text)


def new_file(path, kind, low, symbols, offset=None):
    data = message(1, path) + number(2, kind) + number(3, low)
    for start, length, name in symbols:
        data += message(4, number(1, start) + number(2, length) + message(3, name))
    if offset is not None:
        data += message(7 if kind == 1 else 6, number(1, offset))
    return data


def old_file(path, kind, low, symbols, offset=None):
    data = path.encode() + b"\0" + struct.pack("<IQI", kind, low, len(symbols))
    for start, length, name in symbols:
        data += struct.pack("<QI", start, length) + name.encode("utf-8", "surrogateescape") + b"\0"
    return data + (struct.pack("<I", 0) if kind == 3 else b"" if offset is None else struct.pack("<Q", offset))


def perf_data(records, files, meta_info, events=((1, 0),), old=False, has=HAS, pack=None):
    """events: type and config; each has the id of its number from 1."""
    data = b"".join(records)
    if pack is not None:
        packed = pack(data)
        data = b"".join(struct.pack("<IHH", 81, 0, len(p) + 8) + p for p in (packed[i:i + 500] for i in range(0, len(packed), 500)))
    attributes, ids, n = b"", b"", len(events)
    for i, (kind, config) in enumerate(events):
        attributes += struct.pack("<IIQQQQQ", kind, 112, config, 1, has, 0, 1 << 18) + b"\0" * 64
        attributes += struct.pack("<QQ", 104 + n * 128 + 8 * i, 8)
        ids += struct.pack("<Q", i + 1)
    at = 104 + len(attributes) + len(ids)
    parts = {129: b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in meta_info.items()),
             128 if old else 132: b"".join(struct.pack("<I", len(f)) + f for f in files)}
    bits, place, where = bytearray(32), at + len(data) + 16 * len(parts), b""
    for i in sorted(parts):
        bits[i // 8] |= 1 << i % 8
        where += struct.pack("<QQ", place, len(parts[i]))
        place += len(parts[i])
    head = b"PERFILE2" + struct.pack("<8Q", 104, 128, 104, len(attributes), at, len(data), 0, 0)
    return head + bytes(bits) + attributes + ids + data + where + b"".join(parts[i] for i in sorted(parts))


def recording(pack=None, old=False):
    ms, pid, kernel = 10 ** 6, 5000, 0xffffff8000000000
    looper, thread_loop = "_ZN7android6Looper8pollOnceEi", "_ZN7android6Thread11_threadLoopEPv"
    make = old_file if old else new_file
    files = [make("[kernel.kallsyms]", 0, kernel, [(kernel + 0x1000, 0x100, "schedule"), (kernel + 0x2000, 0x100, "do_futex")]),
             make("/system/lib64/libutils.so", 2, 0x1000, [(0x1100, 0x80, looper), (0x1200, 0x40, thread_loop)], 0x1000),
             make("/apex/lib64/libart.so", 2, 0, [(0x10, 0x1000, "art::interpreter::Execute")], 0),
             make("/data/app/base.vdex", 3, 0, [(0x400, 0x100, "a.b.c"), (0x600, 0x40, "a.b.a")]),
             make("perf.data_jit_app_cache:0-64", 2, 0, [(0x70000100, 0x80, "a.b.c"), (0x70000180, 0x80, "a.b.d")])]
    java = [0x30000010, 0x40000410, 0x30000020, 0x10001110]
    records = [mapped(0xffffffff, kernel, 0x100000, 0, "[kernel.kallsyms]", kernel=True), named(pid, pid, "com.example.shop"),
               mapped(pid, 0x10000000, 0x10000, 0, "/system/lib64/libutils.so"), mapped(pid, 0x30000000, 0x2000, 0, "/apex/lib64/libart.so"),
               mapped(pid, 0x40000000, 0x1000, 0, "/data/app/base.vdex"), forked(pid, pid, 5001, pid), named(pid, 5001, "RenderThread")]
    for i in range(6):
        records.append(sampled(pid, pid, (10 + i) * ms, [0x40000610] + java))
    records += [mapped(pid, 0x70000100, 0x100, 0, "perf.data_jit_app_cache:0-64", jit=True)]
    records += [sampled(pid, pid, (16 + i) * ms, [0x70000110 + 0x80 * i] + java[1:]) for i in range(2)]
    records += [sampled(pid, pid, 20 * ms, [kernel + 0x1010, 0x10001110] + java, 2, 1, kernel=True), switched(pid, pid, 20 * ms + 9, True),
                sampled(pid, 5001, 21 * ms, [0x10001210]), sampled(pid, 5001, 22 * ms, [kernel + 0x2010, 0x10001210], 2, 1, kernel=True),
                switched(pid, pid, 26 * ms, False), sampled(pid, pid, 27 * ms, java), sampled(pid, 5001, 31 * ms, [0x10001110, 0x10001210]),
                raw(2, struct.pack("<QQ", 1, 3)), raw(32777, b"formats")]
    return perf_data(records, files, {"simpleperf_version": "1.build.1", "app_package_name": "com.example.shop", "android_sdk_version": "34",
                                      "trace_offcpu": "true", "event_type_info": "cpu-clock,1,0\nsched:sched_switch,2,77"},
                     ((1, 0), (2, 77)), old, pack=pack)


def random_recording(seed):
    r = random.Random(seed)
    kernel, pids, old = 2 ** 63, [10, 11, 12], r.random() < 0.3
    make = old_file if old else new_file
    paths = ["[kernel.kallsyms]", "/m/x.ko", "/l/libc.so", "/l/libart.so", "/d/a.dex", "[JIT app cache]", "/n/y.odex"]
    words = ["a.b.c", "a.b.a", "art_jni_trampoline", "main", "_ZN1a1bEv", "f", ""]
    files = []
    for path, kind in zip(paths, (0, 1, 2, 2, 3, 2, 5)):
        symbols = [((kernel if kind < 2 else 0) + 16 * r.randrange(64), r.choice([16, 40, 400]), r.choice(words)) for _ in range(r.randrange(8))]
        if r.random() < 0.9:
            files.append(make(path, kind, r.choice([0, 0x40]), symbols, r.choice([None, 0, 0x20]) if kind in (1, 2) else None))
    records, time = [], 0
    addresses = [kernel + 16 * i for i in range(64)] + [4096 * i + 16 * k for i in range(1, 6) for k in range(16)]
    for _ in range(r.randrange(1, 80)):
        time += r.randrange(3)
        pid, what = r.choice(pids), r.random()
        tid = pid + 100 * r.randrange(2)
        if what < 0.25:
            start = 4096 * r.randrange(1, 6)
            records.append(r.choice([mapped, mapped, mapped_old])(pid, start, r.choice([0, 64, 4096, 9000, 2 ** 40]), r.choice([0, 32]),
                                                                  r.choice(paths[2:] + ["//anon", "/no/file"])))
        elif what < 0.3:
            records.append(mapped(pid, 16 * r.randrange(256), 256, 0, "[JIT app cache]", jit=True))
        elif what < 0.4:
            records.append(mapped(pid, kernel + r.choice([0, 512]), 1024, 0, r.choice(paths[:2]), kernel=True))
        elif what < 0.5:
            records.append(named(pid, tid, r.choice(["main", "t;1", "x"])))
        elif what < 0.55:
            records.append(forked(r.choice(pids), pid, tid, pid))
        elif what < 0.6:
            records.append(switched(pid, tid, time, r.random() < 0.5))
        elif what < 0.65:
            rec = kallsyms([(kernel + 16 * r.randrange(64), "t", r.choice(["sys_a", "sys_b"])) for _ in range(9)])
            records.append(rec if r.random() < 0.5 else split(rec, 40))
        elif what < 0.7:
            records.append(raw(r.choice([2, 13, 6, 68, 200, 32775, 32900]), struct.pack("<QQ", r.randrange(9), 2)))
        else:
            records.append(sampled(pid, tid, time, [r.choice(addresses) for _ in range(r.randrange(1, 9))], r.randrange(1, 3), kernel=r.random() < 0.3))
        if r.random() < 0.02:
            records[-1] = raw(r.choice([1, 3, 7, 9, 10, 14]), records[-1][8:r.randrange(8, 24)])
    records.append(sampled(10, 10, time, [addresses[0]]))
    out = perf_data(records, files, {"trace_offcpu": r.choice(["true", "false"]), "event_type_info": "cpu-clock,1,0"},
                    ((1, 0), (r.randrange(3), r.randrange(5)))[:r.randrange(1, 3)], old)
    return out[:r.randrange(700, len(out))] if r.random() < 0.05 and len(out) > 800 else out


CASES = {"report": report, "recording": recording}

if __name__ == "__main__":
    make = CASES[sys.argv[1]] if len(sys.argv) < 3 else {"report": random_report, "recording": random_recording}[sys.argv[1]]
    sys.stdout.buffer.write(make(*map(int, sys.argv[2:])))
