# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jobsheaps: heap dumps that are hard to read in parts."""
import struct

ADDRESSES = 0x100000
INSTANCE, ARRAY = struct.Struct(">BIIIB").pack, struct.Struct(">BIIII").pack


def u4(*values):
    return struct.pack(">%dI" % len(values), *values)


def record(tag, body):
    return struct.pack(">BII", tag, 0, len(body)) + body


def head(names, classes):
    return b"JAVA PROFILE 1.0.2\0" + u4(4, 0, 0) + b"".join(record(1, u4(100 + i) + name.encode()) for i, name in enumerate(names)) + \
        b"".join(record(2, u4(i + 1, 0x1000 + i * 16, 0, 100 + i)) for i in range(classes))


def class_dump(i, fields=(), statics=(), size=8):
    return b"\x20" + u4(0x1000 + i * 16, 0, 0 if i == 0 else 0x1000, 0, 0, 0, 0, 0, size) + struct.pack(">HH", 0, len(statics)) + \
        b"".join(u4(name) + b"\2" + u4(value) for name, value in statics) + struct.pack(">H", len(fields)) + \
        b"".join(u4(name) + b"\2" for name in fields)


def of_mesh(d):
    """(name, dump) made of a whole one of many segments."""
    at, heap = d.index(b"\0") + 13, []
    while at < len(d):
        end = at + 9 + int.from_bytes(d[at + 5:at + 9], "big")
        if d[at] in (0x0c, 0x1c):
            heap.append((at, end))
        at = end
    if len(heap) < 8:
        raise ValueError("few segments")
    one = b"".join(d[p + 9:q] for p, q in heap)
    begin = d[:heap[0][0]] + b"\x0c" + d[heap[0][0] + 1:heap[0][0] + 5]
    size, middle = len(one).to_bytes(4, "big"), len(one) // 2
    yield "one segment", begin + size + one
    yield "one segment with a hole", begin + size + one[:middle] + bytes(300) + one[middle + 300:]
    yield "one segment whose length is too small", begin + middle.to_bytes(4, "big") + one
    at = heap[len(heap) // 2][0] + 5000
    yield "zeros in the middle of a segment", d[:at] + bytes(300) + d[at + 300:]
    # A thread that begins with the second one is there before that of the first.
    yield "each segment twice", d[:heap[0][0]] + b"".join(2 * d[p:q] for p, q in heap) + d[heap[-1][1]:]
    yield "cut off", d[:1500000]
    # The checksum is made beside the loader, which fails here.
    yield "nothing in it", d[:31] + bytes(30000000)


def other():
    """An instance in one segment with the address of a class in a later one."""
    out = [head(["java/lang/Object", "java/lang/Class", "[B", "A", "B", "f"], 5)]
    part, address = b"".join(class_dump(i, [105] if i == 3 else []) for i in range(4)), 0x10000
    for k in range(40):
        if k == 6:
            part += class_dump(4, [], [(105, 0x20000)])
        part += b"".join(INSTANCE(0x23, address + 16 * i, 0, 0, 8) for i in range(8000))
        address += 16 * 8000
        if k == 4:
            part += b"\x21" + u4(0x1040, 0, 0x1030, 4, 0x30000)
        if k == 39:
            part += b"\xff" + u4(0x1040)
        out.append(record(0x1c, part))
        part = b""
    return b"".join(out) + record(0x2c, b"")


def strewn(n=140000):
    """Each object is far from the ones beside it in the file, as some collectors write them."""
    def at(k):
        return ADDRESSES + 32 * (k * 7919 % n)

    out = [head(["java/lang/Object", "java/lang/Class", "[Ljava/lang/Object;"], 3)]
    part = [class_dump(i) for i in range(3)]
    for k in range(n):
        part += ARRAY(0x22, at(k), 0, k % 7, 0x1020), u4(*(at(k * 31 + i) for i in range(k % 7)))
        if k % 20000 == 0:
            out.append(record(0x1c, b"".join(part) + b"\xff" + u4(at(k))))
            part = []
    return b"".join(out) + record(0x1c, b"".join(part)) + record(0x2c, b"")
