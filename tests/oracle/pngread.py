# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pngread.py - a slow and strict reader of PNG files of 8-bit RGBA, for pngcheck.py."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Bad(ValueError):
    pass


class Image:
    """width, height, rows (bytes, R G B A), texts (keyword: text), filters that were used."""

    def __init__(self):
        self.width = self.height = 0
        self.rows, self.texts, self.filters = [], {}, set()


def chunks(data):
    if data[:8] != SIGNATURE:
        raise Bad("no PNG")
    at, out = 8, []
    while at < len(data):
        if len(data) - at < 12:
            raise Bad("cut in a chunk")
        n, kind = struct.unpack_from(">I4s", data, at)
        if n > len(data) - at - 12:
            raise Bad("a chunk %r longer than the file" % kind)
        body = data[at + 8:at + 8 + n]
        if struct.unpack_from(">I", data, at + 8 + n)[0] != zlib.crc32(kind + body):
            raise Bad("wrong checksum of %r" % kind)
        out.append((kind, body))
        at += 12 + n
    return out


def text_of(kind, body):
    key, rest = body.split(b"\0", 1)
    if kind == b"tEXt":
        return key.decode("latin-1"), rest.decode("latin-1")
    if rest[:2] != b"\0\0":
        raise Bad("a packed text")
    language, translated, text = rest[2:].split(b"\0", 2)
    if language or translated:
        raise Bad("a text in a language")
    return key.decode("latin-1"), text.decode("utf-8")


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(kind, row, above):
    out = bytearray(row)
    for i in range(len(row)):
        a = out[i - 4] if i >= 4 else 0
        b = above[i]
        c = above[i - 4] if i >= 4 else 0
        out[i] = (row[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255
    return bytes(out)


def check_order(kinds):
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or kinds.count(b"IHDR") != 1 or kinds.count(b"IEND") != 1:
        raise Bad("chunks in a wrong order: %s" % kinds)
    data = [i for i, k in enumerate(kinds) if k == b"IDAT"]
    if not data or data != list(range(data[0], data[-1] + 1)):
        raise Bad("the pixels are not in one piece")
    unknown = {k for k in kinds if not k[0] & 32} - {b"IHDR", b"IDAT", b"IEND"}
    if unknown:
        raise Bad("chunks that nobody expects: %s" % sorted(unknown))


def parse(data):
    """(image without rows, the rows as they are filtered, in one piece) of a file that is whole."""
    image, found = Image(), chunks(data)
    check_order([k for k, _ in found])
    image.width, image.height, *form = struct.unpack(">IIBBBBB", found[0][1])
    if form != [8, 6, 0, 0, 0]:
        raise Bad("not 8-bit RGBA, row by row: %s" % form)
    for kind, body in found:
        if kind in (b"tEXt", b"iTXt"):
            key, text = text_of(kind, body)
            if key in image.texts:
                raise Bad("%s twice" % key)
            image.texts[key] = text
    z = zlib.decompressobj()
    raw = z.decompress(b"".join(body for kind, body in found if kind == b"IDAT"))
    if not z.eof or z.unused_data or len(raw) != image.height * (4 * image.width + 1):
        raise Bad("%d bytes of pixels for %d x %d" % (len(raw), image.width, image.height))
    return image, raw


def read(data):
    image, raw = parse(data)
    size = 4 * image.width + 1
    above = bytes(size - 1)
    for y in range(image.height):
        kind, row = raw[y * size], raw[y * size + 1:(y + 1) * size]
        if kind > 4:
            raise Bad("filter %d" % kind)
        image.filters.add(kind)
        above = unfilter(kind, row, above)
        image.rows.append(above)
    return image
