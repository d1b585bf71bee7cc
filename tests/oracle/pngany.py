# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pngany.py - a slow reader of PNG images of all colour types, to R G B A bytes, for bitmaps.py."""
import struct
import zlib

SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


class Bad(Exception):
    pass


def chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise Bad("no PNG")
    at, out = 8, []
    while not out or out[-1][0] != b"IEND":
        if len(data) - at < 12:
            raise Bad("cut")
        n, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + n]
        if len(data) - at - 12 < n or zlib.crc32(kind + body) != struct.unpack_from(">I", data, at + 8 + n)[0]:
            raise Bad("a damaged chunk")
        out.append((kind, body))
        at += 12 + n
    return out


def sides(data):
    """Width and height, if it begins as a PNG."""
    if len(data) < 24 or data[:16] != b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR":
        return None
    return struct.unpack_from(">II", data, 16)


def unfiltered(kind, row, above, step):
    out = bytearray(row)
    for i, v in enumerate(row):
        a, b = (out[i - step] if i >= step else 0), above[i]
        c = above[i - step] if i >= step else 0
        p = a + b - c
        best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        out[i] = v + (0, a, b, (a + b) // 2, best)[kind] & 255
    return bytes(out)


def samples(row, n, depth):
    if depth == 16:
        return list(struct.unpack(">%dH" % n, row))
    per = 8 // depth
    return [row[i // per] >> (8 - depth - i % per * depth) & ((1 << depth) - 1) for i in range(n)]


def scaled(v, depth):
    """To 8 bits, rounded as libpng does it."""
    return v * 255 + 32895 >> 16 if depth == 16 else v * 255 // ((1 << depth) - 1)


def pixel(s, kind, depth, palette, clear):
    if kind == 3:
        if 3 * s[0] + 3 > len(palette):
            raise Bad("a colour that the palette lacks")
        return bytes(palette[3 * s[0]:3 * s[0] + 3]) + bytes([clear[s[0]] if s[0] < len(clear) else 255])
    v = [scaled(c, depth) for c in s]
    if kind in (0, 4):
        v[:1] = v[:1] * 3
    if kind in (0, 2):
        hidden = clear and s == list(struct.unpack(">%dH" % len(s), clear[:2 * len(s)]))
        v.append(0 if hidden else 255)
    return bytes(v)


def read(data):
    """(width, height, bytes)."""
    found = chunks(data)
    w, h, depth, kind, packed, how, laced = struct.unpack(">IIBBBBB", found[0][1])
    if kind not in SAMPLES or depth not in DEPTHS[kind] or packed or how or laced > 1 or not w or not h:
        raise Bad("no such form")
    parts = dict(reversed(found))
    palette, clear = parts.get(b"PLTE", b""), parts.get(b"tRNS", b"")
    raw = zlib.decompressobj().decompress(b"".join(b for k, b in found if k == b"IDAT"))
    out, at, n = bytearray(4 * w * h), 0, SAMPLES[kind]
    for x0, y0, dx, dy in PASSES if laced else ((0, 0, 1, 1),):
        xs = range(x0, w, dx)
        size = (len(xs) * n * depth + 7) // 8
        above = bytes(size)
        for y in range(y0, h, dy) if xs else ():
            if len(raw) - at < size + 1 or raw[at] > 4:
                raise Bad("cut, or a filter that is none")
            above = unfiltered(raw[at], raw[at + 1:at + 1 + size], above, max(n * depth // 8, 1))
            at += size + 1
            s = samples(above, len(xs) * n, depth)
            for i, x in enumerate(xs):
                out[4 * (y * w + x):4 * (y * w + x) + 4] = pixel(s[i * n:i * n + n], kind, depth, palette, clear)
    return w, h, bytes(out)
