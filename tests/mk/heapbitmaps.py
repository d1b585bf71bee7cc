# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapbitmaps.py - dumps with bitmaps, laid out as Android did it from version to version, for mkheap.py.

Field facts: Bitmap.java of the Android platform at each API level; NativeAllocationRegistry.java.
"""
import struct
import zlib

from heapfile import BOOLEAN, BYTE, INT, LONG, OBJECT, Dump
from heapodd import android_classes

BITMAP = "android.graphics.Bitmap"
REGISTRY = "libcore.util.NativeAllocationRegistry"

# ---- pictures: lists of (r, g, b, a), not multiplied -------------------------------------


def slope(w, h, alpha=255):
    """Colours that change slowly; alpha None: from nothing to opaque."""
    return [(x * 255 // max(w - 1, 1), y * 255 // max(h - 1, 1), (x + y) * 127 // (w + h),
             (x + y) * 255 // max(w + h - 2, 1) if alpha is None else alpha) for y in range(h) for x in range(w)]


def disc(w, h):
    """Orange on nothing, with a soft edge."""
    out = []
    for y in range(h):
        for x in range(w):
            d = (2 * x + 1 - w) ** 2 + (2 * y + 1 - h) ** 2
            out.append((255, 140, 20, max(0, min(255, (w * w - d) * 400 // (w * w)))))
    return out


def multiplied(px):
    return [tuple(c * a // 255 for c in (r, g, b)) + (a,) for r, g, b, a in px]


def as_8888(px, premultiplied=True):
    return b"".join(bytes(p) for p in (multiplied(px) if premultiplied else px))


def as_565(px):
    return b"".join(struct.pack("<H", r >> 3 << 11 | g >> 2 << 5 | b >> 3) for r, g, b, _ in px)


def as_4444(px):
    return b"".join(struct.pack("<H", r >> 4 << 12 | g >> 4 << 8 | b >> 4 << 4 | a >> 4)
                    for r, g, b, a in multiplied(px))


def as_alpha(px):
    return bytes(a for _, _, _, a in px)


def as_f16(px):
    """Beyond 0 .. 1 too, and no numbers."""
    odd = {3: 2.5, 5: -0.5, 7: float("inf"), 11: float("nan"), 13: 5.9e-08}
    return b"".join(struct.pack("<4e", *(odd.get(i, c / 255) for c in p)) for i, p in enumerate(multiplied(px)))


# ---- PNG --------------------------------------------------------------------------------


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(w, h, kind, depth, rows, more=b"", interlaced=0):
    """rows: the bytes of each row (of each pass), which get the filters by turns where pixels are whole bytes."""
    size = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind] * depth // 8
    raw, last = b"", b""
    for i, row in enumerate(rows):
        how = i % 3 if size and not interlaced else 0
        left = bytes(size) + row
        up = last if len(last) == len(row) else bytes(len(row))
        raw += bytes([how]) + (row if how == 0 else bytes(
            (c - (left[k] if how == 1 else up[k])) & 255 for k, c in enumerate(row)))
        last = row
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, kind, 0, 0, interlaced)) +
            more + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def png_rgba(w, h, px):
    return png(w, h, 6, 8, [b"".join(bytes(p) for p in px[y * w:y * w + w]) for y in range(h)])


def png_grey16(w, h):
    return png(w, h, 0, 16, [b"".join(struct.pack(">H", (x * 4099 + y * 257) & 0xffff) for x in range(w))
                             for y in range(h)])


def png_palette(w, h):
    """Four colours of two bits, one of them half transparent."""
    rows = []
    for y in range(h):
        bits = "".join(format((x + y) % 4, "02b") for x in range(w))
        rows.append(bytes(int(bits[i:i + 8].ljust(8, "0"), 2) for i in range(0, len(bits), 8)))
    return png(w, h, 3, 2, rows, chunk(b"PLTE", bytes(range(10, 130, 10))) + chunk(b"tRNS", b"\xff\x80"))


def png_interlaced(w, h, px):
    rows = []
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        for y in range(y0, h, dy):
            row = b"".join(bytes(px[y * w + x]) for x in range(x0, w, dx))
            if row:
                rows.append(row)
    return png(w, h, 6, 8, rows, interlaced=1)


# ---- the dump ------------------------------------------------------------------------------


class Android:
    """A dump of an API level, and the bitmaps in it."""

    def __init__(self, api):
        self.api = api
        self.d = d = Dump("1.0.3", 4, "32", "java", 0x70000000, 900, mixed=True, trace=0)
        d.string_form = "art"
        d.stack(0, 0, [])
        d.part("zygote" if api < 28 else "image")
        self.klass = android_classes(d)
        self.klass(BITMAP, fields=self.fields(), size=60, statics=[("sScale", INT, 1)] + (
            [("dumpData", OBJECT, 0)] if api >= 35 else []))
        self.klass("com.example.Picture", BITMAP, [("mWidth", INT), ("mName", OBJECT)], 72)
        d.part("app")
        d.free = 0x12c00000
        self.kept = []

    def fields(self):
        api = self.api
        out = [("mNinePatchChunk", OBJECT), ("mWidth", INT), ("mHeight", INT), ("mDensity", INT),
               ("mRecycled", BOOLEAN), ("mIsMutable", BOOLEAN)]
        if 11 <= api <= 25:
            out.insert(0, ("mBuffer", OBJECT))
        if api >= 22:
            out.insert(1, ("mNinePatchInsets", OBJECT))
        if api >= 29:
            out.insert(1, ("mHardwareBuffer", OBJECT))
        out.append(("mNativePtr", LONG) if api >= 23 else ("mNativeBitmap", LONG if api >= 21 else INT))
        if api >= 19:
            out.append(("mRequestPremultiplied" if api >= 21 else "mIsPremultiplied", BOOLEAN))
        return out

    def bitmap(self, w, h, data=None, cname=BITMAP, **values):
        """data: bytes of a new array, or the address of one; native memory has an address of its own."""
        d = self.d
        native = "mNativePtr" if self.api >= 23 else "mNativeBitmap"
        if data is not None:
            values["mBuffer"] = d.prims(BYTE, data) if isinstance(data, bytes) else data
        values.setdefault(native, 0x5a000000 + 64 * len(self.kept))
        if self.api >= 19:
            values.setdefault("mRequestPremultiplied" if self.api >= 21 else "mIsPremultiplied", True)
        wide = "Bitmap__mWidth" if cname != BITMAP else "mWidth"
        at = d.obj(cname, mDensity=160, mHeight=h, **{wide: w}, **values)
        self.kept.append(at)
        return at

    def build(self):
        keep = self.d.refs("java.lang.Object[]", self.kept)
        cache = self.klass("com.example.ImageCache", statics=[("images", OBJECT, keep)])
        self.d.root("sticky class", cache.id)
        for c in list(self.d.classes.values()):
            self.d.root("vm internal", c.id)
        return self.d.build()

    # ---- native memory ---------------------------------------------------------------

    def registry_classes(self, flagged=True):
        self.klass("sun.misc.Cleaner", "java.lang.ref.PhantomReference",
                   [("next", OBJECT), ("prev", OBJECT), ("thunk", OBJECT)], 36)
        self.klass("com.example.OwnCleaner", "sun.misc.Cleaner", size=36)
        self.klass(REGISTRY, fields=[("classLoader", OBJECT), ("freeFunction", LONG), ("size", LONG)], size=32,
                   statics=[("IS_MALLOCED", LONG, 1)] if flagged else [])
        self.klass(REGISTRY + "$CleanerThunk", fields=[("nativePtr", LONG), ("this$0", OBJECT)], size=24)

    def native(self, at, size, cleaned=False, pointer=0x7000, cname="sun.misc.Cleaner"):
        d = self.d
        registry = d.obj(REGISTRY, size=size, freeFunction=0x1234)
        thunk = d.obj(REGISTRY + "$CleanerThunk", nativePtr=pointer, **{"this$0": registry})
        cleaner = d.reserve(cname)
        own = cleaner if cleaned else 0
        d.obj(cname, cleaner, referent=at, thunk=thunk, next=own, prev=own)
        self.kept.append(cleaner)


# ---- one for each layout ----------------------------------------------------------------------


def bitmaps10():
    """Pixels are native; sides that nobody asked for are -1."""
    a = Android(10)
    a.bitmap(-1, -1)
    a.bitmap(64, 48)
    a.bitmap(20, 20, mRecycled=True)
    return a.build()


def bitmaps15():
    """Each format in an array; copies, spare bytes, one array of two, a nine-patch, a subclass."""
    a = Android(15)
    photo = as_8888(slope(10, 6))
    for w, h in ((10, 6), (10, 6), (6, 10)):
        a.bitmap(w, h, photo)
    a.bitmap(9, 7, as_8888(slope(9, 7, None)))
    a.bitmap(32, 24, as_565(slope(32, 24)))
    a.bitmap(32, 32, as_4444(disc(32, 32)))
    a.bitmap(24, 16, as_4444(slope(24, 16)))
    a.bitmap(7, 7, as_alpha(disc(7, 7)))
    a.bitmap(7, 3, as_8888(slope(7, 3)) + bytes(5))
    a.bitmap(5, 5, mRecycled=True, mNativeBitmap=0)
    a.bitmap(5, 5, as_8888(slope(5, 5)), mRecycled=True)
    shared = a.d.prims(BYTE, as_8888(disc(8, 8)))
    a.bitmap(8, 8, shared, mNinePatchChunk=a.d.prims(BYTE, bytes(84)))
    a.bitmap(8, 8, shared)
    a.bitmap(6, 4, as_8888(slope(6, 4, 128)), "com.example.Picture", Picture__mWidth=9999,
             mName=a.d.text("a picture"))
    return a.build()


def bitmaps19():
    """Some are not multiplied with their alpha."""
    a = Android(19)
    a.bitmap(9, 7, as_8888(slope(9, 7, None)))
    a.bitmap(9, 7, as_8888(slope(9, 7, None), False), mIsPremultiplied=False)
    a.bitmap(40, 30, as_565(slope(40, 30)))
    a.bitmap(24, 24, as_4444(disc(24, 24)))
    return a.build()


def bitmaps22():
    a = Android(22)
    a.bitmap(16, 16, as_8888(disc(16, 16)), mNativeBitmap=0xb400007712345678 - (1 << 64))
    a.bitmap(8, 4, as_alpha(slope(8, 4, None)))
    return a.build()


def bitmaps25():
    """Without an array: in shared memory."""
    a = Android(25)
    a.bitmap(100, 50)
    a.bitmap(12, 12, as_8888(disc(12, 12)))
    a.bitmap(6, 5, as_f16(slope(6, 5, None)))
    bare = a.d.place(600)
    a.d.add(b"\xc3" + a.d.id(bare) + struct.pack(">IIB", 0, 576, BYTE))
    a.bitmap(12, 12, bare)
    a.bitmap(4, 4, mNativePtr=0)
    return a.build()


def bitmaps28():
    """Native, with sizes of the registry: several of one, cleaned, negative, absurd."""
    a = Android(28)
    a.registry_classes()
    sizes = ([40001], [1000, 24], [], [-5], [1 << 60])
    for own in sizes:
        at = a.bitmap(100, 100)
        for size in own:
            a.native(at, size)
    gone = a.bitmap(10, 10)
    a.native(gone, 4096, cleaned=True)
    a.native(gone, 2048, pointer=0)
    a.native(a.bitmap(10, 10), 400, cname="com.example.OwnCleaner")
    a.native(a.bitmap(5, 5, mRecycled=True, mNativePtr=0), 100)
    a.native(a.d.text("text with native memory"), 77)
    return a.build()


def dump_data(a, images, count=None, spare=0, **odd):
    """images: (native, bytes, an address, or None).  The arrays are longer than what is used."""
    d = a.d
    at = {}
    refs = []
    for _, data in images:
        if isinstance(data, bytes):
            at.setdefault(data, 0) or at.update({data: d.prims(BYTE, data)})
        refs.append(at[data] if isinstance(data, bytes) else data or 0)
    values = dict(natives=d.prims(LONG, [n for n, _ in images] + [0] * spare),
                  buffers=d.refs("byte[][]", refs + [0] * spare), format=1,
                  count=len(images) if count is None else count)
    values.update(odd)
    d.static(BITMAP, "dumpData", d.obj(BITMAP + "$DumpData", **values))


def dump_class(a):
    a.klass(BITMAP + "$DumpData", fields=[("count", INT), ("format", INT), ("natives", OBJECT), ("buffers", OBJECT)], size=24)


def webp(w, h):
    body = b"VP8X" + struct.pack("<IB3x", 10, 0) + struct.pack("<I", w - 1)[:3] + struct.pack("<I", h - 1)[:3]
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def jpeg(w, h):
    return (b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0" + b"\xff\xc0\0\x11\x08" + struct.pack(">HH", h, w) +
            b"\3\1\x11\0\2\x11\0\3\x11\0" + b"\xff\xd9")


def bitmaps35():
    """Images of native bitmaps that the dump carries, of each kind of PNG."""
    a = Android(35)
    a.registry_classes()
    dump_class(a)
    wrong = b"P6 no image at all" * 9
    two = png_rgba(6, 6, disc(6, 6))
    images = [(12, 9, png_rgba(12, 9, slope(12, 9, None))), (6, 6, two), (6, 6, two), (11, 7, png_grey16(11, 7)),
              (13, 5, png_palette(13, 5)), (17, 11, png_interlaced(17, 11, slope(17, 11, None))),
              (3, 3, wrong), (3, 3, wrong), (20, 10, jpeg(20, 10)), (21, 10, webp(21, 10)), (22, 10, jpeg(10, 22)),
              (23, 10, webp(24, 10)), (8, 8, png_rgba(4, 4, disc(4, 4))), (9, 9, None),
              (16, 4, png_rgba(16, 4, slope(16, 4))[:-30])]
    table = []
    for w, h, data in images:
        native = 0xb400007700000000 - (1 << 64) + 4096 * len(table)
        a.native(a.bitmap(w, h, mNativePtr=native), 4 * w * h + 33)
        table.append((native, data))
    # An address that was used again: the image of the bitmap that is alive comes later.
    native = table[0][0] - 64
    a.bitmap(5, 4, mNativePtr=native)
    table[3:3] = [(native, png_rgba(4, 4, disc(4, 4)))]
    table.append((native, png_rgba(5, 4, disc(5, 4))))
    a.bitmap(30, 30)
    dump_data(a, table, spare=3)
    return a.build()


def bitmaps_bad():
    """Absurd sides, short arrays, arrays of other types, loops, a count that lies."""
    a = Android(25)
    data = as_8888(slope(4, 4))
    for w, h in ((0, 4), (4, 0), (-4, -4), (1 << 31, 4), (65537, 1), (65536, 65536), (70000, 70000), (17, 4), (65, 1)):
        a.bitmap(w if w < 1 << 31 else -w, h, data)
    a.bitmap(4, 4, data[:15])
    a.bitmap(4, 4, b"")
    a.bitmap(3, 3, bytes(range(27)))
    a.bitmap(4, 4, a.d.prims(INT, [1, 2, 3, 4]))
    a.bitmap(4, 4, a.d.refs("java.lang.Object[]", [0] * 8))
    a.bitmap(4, 4, 0x13370000)
    at = a.d.reserve(BITMAP)
    a.kept.append(a.d.obj(BITMAP, at, mBuffer=at, mNinePatchChunk=at, mWidth=4, mHeight=4, mNativePtr=at))
    a.d.instance(a.d.place(64), a.d.classes[BITMAP].id, bytes(10))
    return a.build()


def bitmaps_bad35():
    """Tables of images with arrays of wrong types and lengths, and a registry that goes round."""
    a = Android(35)
    a.registry_classes(flagged=False)
    dump_class(a)
    good = png_rgba(4, 4, slope(4, 4))
    native = [0x1000 * i for i in range(1, 6)]
    for n in native:
        a.bitmap(4, 4, mNativePtr=n)
    at = a.d.reserve(REGISTRY + "$CleanerThunk")
    a.d.obj(REGISTRY + "$CleanerThunk", at, nativePtr=1, **{"this$0": at})
    a.kept.append(a.d.obj("sun.misc.Cleaner", referent=a.kept[0], thunk=at))
    a.native(a.kept[1], 101)
    a.native(a.kept[1], (1 << 47) + 1)
    images = [(native[0], good), (native[1], 0x13370000), (native[2], a.d.prims(LONG, [1, 2])), (native[3], good[:20]),
              (native[4], a.kept[0])]
    dump_data(a, images, count=2 ** 31 - 1)
    return a.build()


def bitmaps_lies():
    """natives is not an array of longs."""
    a = Android(35)
    dump_class(a)
    a.bitmap(4, 4, mNativePtr=0x1000)
    dump_data(a, [(0x1000, png_rgba(4, 4, slope(4, 4)))], count=-1, natives=a.d.prims(INT, [0, 0x1000]))
    return a.build()


MAKERS = {f.__name__: f for f in (bitmaps10, bitmaps15, bitmaps19, bitmaps22, bitmaps25, bitmaps28, bitmaps35,
                                  bitmaps_bad, bitmaps_bad35, bitmaps_lies)}
