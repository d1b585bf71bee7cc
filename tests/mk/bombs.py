# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Small files that unpack to much: python3 bombs.py FOLDER.

Equal pieces of zeros: members of gzip, or blocks of deflate that nothing before them is needed for, so that gigabytes are made
in no time."""
import bz2
import lzma
import struct
import sys
import zlib
from pathlib import Path

MIB = 1 << 20


def pack(data, wbits=31):
    deflate = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return deflate.compress(data) + deflate.flush()


def gzip_of(piece, times):
    """A valid gzip file: members follow each other."""
    return pack(piece) * times


def deflate_of(piece, times):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (deflate.compress(piece) + deflate.flush(zlib.Z_FULL_FLUSH)) * times + b"\x03\x00"


def zip_of(name, packed, size, directory=True):
    """One entry of that many bytes; without a directory its sizes follow it."""
    wide = struct.pack("<HHQQ", 1, 16, size, len(packed))
    flags = 0 if directory else 8
    local = struct.pack("<IHHHHHIIIHH", 0x04034b50, 45, flags, 8, 0, 0, 0, 0xffffffff, 0xffffffff, len(name), len(wide))
    entry = local + name + wide + packed
    if not directory:
        return entry + struct.pack("<IIII", 0x08074b50, 0, len(packed), size)
    central = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 45, 45, flags, 8, 0, 0, 0, 0xffffffff, 0xffffffff, len(name),
                          len(wide), 0, 0, 0, 0, 0) + name + wide
    end = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 1, 1, len(central), len(entry), 0)
    return entry + central + end


def zstd_of(byte, blocks):
    """Blocks of one byte, each 128 KiB."""
    return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(struct.pack("<I", (i == blocks - 1) | 2 | 1 << 20)[:3] + byte for i in range(blocks))


def bombs():
    zeros = bytes(16 * MIB)
    four = gzip_of(zeros, 256)
    utf16 = gzip_of(b"\xff\xfe" + bytes(MIB - 2), 1) + gzip_of(zeros, 256)
    lines = b"main;run;work 1\n" * (MIB // 16)
    return {
        "zeros.gz": gzip_of(zeros, 320),
        "twice.gz": pack(four),
        "thrice.gz": pack(pack(four)),
        "utf16.gz": utf16,
        "brackets.json.gz": gzip_of(b"[" * MIB, 2048),
        "lines.gz": gzip_of(lines, 64),
        "lines.gz.gz": pack(gzip_of(lines, 1024)),
        "zeros.zst": zstd_of(b"\0", 40 * 1024),
        "zeros.xz": lzma.compress(zeros, preset=0) * 320,
        "zeros.bz2": bz2.compress(zeros) * 320,
        "lines.bz2": bz2.compress(lines) * 128,
        "lines.xz": lzma.compress(lines * 16) * 32,
        "entry.apk": zip_of(b"classes.dex", deflate_of(bytes(MIB), 5 * 1024), 5 << 30),
        "entry.jar": zip_of(b"A.class", deflate_of(bytes(MIB), 5 * 1024), 5 << 30),
        "streamed.jar": zip_of(b"A.class", deflate_of(bytes(MIB), 200), 200 * MIB, False) * 12,
    }


def main():
    for name, data in bombs().items():
        Path(sys.argv[1], name).write_bytes(data)


if __name__ == "__main__":
    main()
