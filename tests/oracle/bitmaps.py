#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""bitmaps.py FILE... - the bitmaps of Android heap dumps, found and decoded slowly and plainly.

One line each: address, sides, place, bytes, copies, and for each format that the pixels can have its name and
the SHA-256 of the R G B A bytes.  For checks: bitmaps(Reader), natives(Reader).
"""
import hashlib
import struct
import sys

import pngany
from heapread import WIDTH, Reader, pretty

BITMAP = "android.graphics.Bitmap"
REGISTRY = "libcore.util.NativeAllocationRegistry"
SIDE, PIXELS, ABSURD = 65536, 1 << 28, 1 << 40
OBJECT, BOOLEAN, BYTE, INT, LONG = 2, 4, 8, 10, 11
SIZE = {"ARGB_8888": 4, "RGB_565": 2, "ARGB_4444": 2, "ALPHA_8": 1, "RGBA_F16": 8}


class View:
    """Fields by name, over the records."""

    def __init__(self, r):
        self.r = r
        self.named = {c: pretty(r.names.get(n, b"")) for c, n in r.class_name.items()}
        self.extended = {}

    def chain(self, c):
        seen = set()
        while c in self.r.classes and c not in seen:
            seen.add(c)
            yield c
            c = self.r.classes[c].sup

    def extends(self, c, name):
        if (c, name) not in self.extended:
            self.extended[c, name] = any(self.named.get(k) == name for k in self.chain(c))
        return self.extended[c, name]

    def field(self, at, owner, name):
        """(type, value) of the field that class owner declares; None: there is none."""
        o = self.r.objects.get(at)
        if o is None or o.kind != "i":
            return None
        p, end = o.data, o.data + o.bytes
        mine = next((c for c in self.chain(o.cls) if self.named.get(c) == owner), None)
        for c in self.chain(o.cls):
            for n, t in self.r.classes[c].fields:
                w = self.r.width(t)
                if c == mine and self.r.names.get(n) == name.encode():
                    return (t, self.number(t, self.r.b[p:p + w])) if p + w <= end else None
                p += w
        return None

    def number(self, t, raw):
        return int.from_bytes(raw, "big", signed=t not in (1, OBJECT, BOOLEAN))

    def get(self, at, owner, name, kinds):
        f = self.field(at, owner, name)
        return f[1] if f is not None and f[0] in kinds else None

    def static(self, c, name):
        for n, t, raw in self.r.classes[c].statics if c in self.r.classes else ():
            if self.r.names.get(n) == name.encode():
                return self.number(t, raw)
        return None

    def instances(self, name):
        return sorted(a for a, o in self.r.objects.items() if o.kind == "i" and self.extends(o.cls, name))

    def array(self, at, kind, t=0):
        o = self.r.objects.get(at)
        return o if o is not None and o.kind == kind and (kind == "o" or o.cls == t) else None

    def data(self, o):
        return None if self.r.b[o.at] == 0xc3 else self.r.b[o.data:o.data + o.bytes]


# ---- native memory -----------------------------------------------------------------------


def natives(r):
    """{address: bytes}."""
    v, out = View(r), {}
    for c in v.instances("sun.misc.Cleaner"):
        thunk = v.get(c, "sun.misc.Cleaner", "thunk", (OBJECT,))
        owner = v.get(c, "java.lang.ref.Reference", "referent", (OBJECT,))
        registry = v.get(thunk, REGISTRY + "$CleanerThunk", "this$0", (OBJECT,))
        size = v.get(registry, REGISTRY, "size", (LONG,)) or 0
        if size < 0 or size >= ABSURD or owner not in r.objects:
            continue
        classes = [k for k in v.chain(r.objects[registry].cls) if v.named.get(k) == REGISTRY] if registry in r.objects else []
        if classes and v.static(classes[0], "IS_MALLOCED") is not None:
            size &= ~1
        gone = v.field(thunk, REGISTRY + "$CleanerThunk", "nativePtr")
        if size and v.get(c, "sun.misc.Cleaner", "next", (OBJECT,)) != c and not (gone and gone[1] == 0):
            out[owner] = out.get(owner, 0) + size
    return out


# ---- pixels ----------------------------------------------------------------------------------


def divided(px):
    r, g, b, a = px
    return bytes(min(255, c * 255 // a) for c in (r, g, b)) + bytes([a]) if 0 < a < 255 else bytes(px)


def half(v):
    if v != v or v <= 0:
        return 0
    return 255 if v >= 1 else int(v * 255 + 0.5)


def decoded(data, n, fmt, premultiplied):
    if fmt == "ARGB_8888":
        px = [tuple(data[4 * i:4 * i + 4]) for i in range(n)]
    elif fmt == "RGB_565":
        px = [((v >> 11) * 8 | v >> 13, (v >> 5 & 63) * 4 | (v >> 9 & 3), (v & 31) * 8 | (v >> 2 & 7), 255)
              for v in struct.unpack_from("<%dH" % n, data)]
    elif fmt == "ARGB_4444":
        px = [tuple(17 * (v >> s & 15) for s in (12, 8, 4, 0)) for v in struct.unpack_from("<%dH" % n, data)]
    elif fmt == "ALPHA_8":
        px = [(0, 0, 0, a) for a in data[:n]]
    else:
        px = [tuple(map(half, struct.unpack_from("<4e", data, 8 * i))) for i in range(n)]
    return b"".join(divided(p) if premultiplied else bytes(p) for p in px)


def formats(each):
    if each in (1, 4):
        return [{1: "ALPHA_8", 4: "ARGB_8888"}[each]]
    return [f for f, n in SIZE.items() if n <= each and (each != 2 or n == 2)]


# ---- bitmaps -------------------------------------------------------------------------------------


class Bitmap:
    """place: none java dump native; pixels: {format: bytes}, of an image in the dump {"": bytes}; raw: what is compared."""

    def __init__(self, at, w, h):
        self.at, self.w, self.h = at, w, h
        self.place, self.bytes, self.estimated = "none", 0, False
        self.pixels, self.image, self.raw, self.copies = {}, "", None, 1


def images(v):
    """{native address: addresses of byte[]}, those that come first first."""
    out = {}
    for c in sorted(v.r.classes):
        at = v.static(c, "dumpData") if v.extends(c, BITMAP) else None
        if not at:
            continue
        owner = next((v.named.get(k) for k in v.chain(v.r.objects[at].cls)), "") if at in v.r.objects else ""
        table = v.array(v.get(at, owner, "natives", (OBJECT,)), "p", LONG)
        buffers = v.array(v.get(at, owner, "buffers", (OBJECT,)), "o")
        if table is None or buffers is None:
            continue
        n, count = min(table.n, buffers.n), v.get(at, owner, "count", (INT,))
        n = min(n, count) if count is not None and count >= 0 else n
        for i in range(n):
            ptr = int.from_bytes(v.r.b[table.data + 8 * i:table.data + 8 * i + 8], "big")
            out.setdefault(ptr, []).append(v.r.id(buffers.data + i * v.r.ids))
    return out


def jpeg_sides(d):
    p = 2
    while len(d) - p >= 9 and d[p] == 0xff:
        if 0xc0 <= d[p + 1] <= 0xcf and d[p + 1] not in (0xc4, 0xc8, 0xcc):
            return struct.unpack_from(">HH", d, p + 5)[::-1]
        p += 2 + struct.unpack_from(">H", d, p + 2)[0]
    return None


def image_kind(d):
    """("png" "jpeg" "webp" or "other", sides or None)."""
    if pngany.sides(d):
        return "png", pngany.sides(d)
    if d[:3] == b"\xff\xd8\xff":
        return "jpeg", jpeg_sides(d)
    if d[:4] == b"RIFF" and d[8:12] == b"WEBP":
        at = (int.from_bytes(d[24:27], "little") + 1, int.from_bytes(d[27:30], "little") + 1)
        return "webp", at if d[12:16] == b"VP8X" and len(d) >= 30 else None
    return "other", None


def find_image(v, b, arrays):
    for a in arrays:
        o = v.array(a, "p", BYTE)
        d = v.data(o) if o is not None else None
        if not d or not b.w or not b.h:
            continue
        kind, sides = image_kind(d)
        if sides not in (None, (b.w, b.h)) or (kind == "other" and b.image):
            continue
        b.place, b.image, b.raw = "dump", kind, d
        if kind == "png":
            try:
                b.pixels = {"": pngany.read(d)[2]}
            except Exception:
                b.pixels = {}
        if kind != "other":
            return


def of_array(v, b, o, recycled, premultiplied):
    b.place, b.bytes = "java", o.bytes
    d, n = v.data(o), b.w * b.h
    if recycled or d is None or not n or n > PIXELS or o.bytes < n:
        return
    for f in formats(o.bytes // n):
        b.pixels[f] = decoded(d, n, f, premultiplied)
    b.raw = d if o.bytes // n not in (1, 2, 4) else d[:n * (o.bytes // n)]


def bitmap(v, at, table, memory):
    side = lambda name: v.get(at, BITMAP, name, (INT,)) or 0
    w, h = (s if 0 < s <= SIDE else 0 for s in (side("mWidth"), side("mHeight")))
    b = Bitmap(at, w, h)
    first = lambda *names: next((f for f in (v.field(at, BITMAP, n) for n in names) if f is not None), None)
    recycled = (first("mRecycled") or (0, 0))[1] != 0
    pre = first("mRequestPremultiplied", "mIsPremultiplied")
    native = (first("mNativePtr", "mNativeBitmap") or (0, 0))[1]
    buffer = (first("mBuffer") or (0, 0))[1]
    o = v.array(buffer, "p", BYTE)
    if o is not None:
        of_array(v, b, o, recycled, pre is None or pre[1] != 0)
    elif native and not buffer and not recycled:
        b.place, b.bytes = "native", memory.get(at, 0)
        if b.bytes == 0:
            b.bytes = 4 * w * h
            b.estimated = b.bytes > 0
        find_image(v, b, table.get(native & (1 << 64) - 1, ()))
    return b


def bitmaps(r):
    v = View(r)
    table, memory = images(v), natives(r)
    out = [bitmap(v, at, table, memory) for at in v.instances(BITMAP)]
    alike = {}
    for b in out:
        if b.raw is not None:
            alike.setdefault((b.w, b.h, b.place, b.raw), []).append(b)
    for same in alike.values():
        for b in same:
            b.copies = len(same)
    return out


def main(paths):
    for path in paths:
        with open(path, "rb") as f:
            found = bitmaps(Reader(f.read()))
        for b in found:
            sums = ["%s:%s" % (f or b.image, hashlib.sha256(p).hexdigest()) for f, p in sorted(b.pixels.items())]
            print("\t".join(["0x%x" % b.at, str(b.w), str(b.h), b.place, str(b.bytes), str(b.copies)] + (sums or [b.image or "-"])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
