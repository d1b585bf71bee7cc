# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""coverage.py BUILD [PREFIX [LEAST]]: which lines of src/load/ the kept inputs reach, file by file.

BUILD was configured with --enable-coverage, and its fuzz targets have just replayed tests/fuzz/corpus.  With a PREFIX, such
as src/load/jfr, its lines that were not reached are printed too.  LEAST: the percentage below which a file fails.
"""
import glob
import json
import os
import subprocess
import sys


def lines_of(build, source):
    """{file: {line: times}} of all objects of a folder of sources."""
    found = {}
    objects = sorted(glob.glob(os.path.join(build, source, "**", "*.gcda"), recursive=True))
    for at in range(0, len(objects), 50):
        p = subprocess.run(["gcov", "--json-format", "--stdout", *(os.path.relpath(o, build) for o in objects[at:at + 50])], cwd=build,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        for text in p.stdout.splitlines():
            for f in json.loads(text)["files"]:
                name = f["file"][f["file"].find(source):] if source in f["file"] else ""
                of = found.setdefault(name, {}) if name.endswith(".c") else {}
                for line in f["lines"]:
                    of[line["line_number"]] = of.get(line["line_number"], 0) + line["count"]
    return {name: of for name, of in found.items() if of}


def spans(numbers):
    """12-15 17"""
    out = []
    for n in sorted(numbers):
        if out and n == out[-1][1] + 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return " ".join(str(a) if a == b else "%d-%d" % (a, b) for a, b in out)


def main(build, prefix="", least="0"):
    low, all_, reached, rooms = 0, 0, 0, {}
    for name, of in sorted(lines_of(build, prefix or "src/load/").items()):
        missed = [n for n, times in of.items() if times == 0]
        percent = 100 * (len(of) - len(missed)) / len(of)
        all_, reached, low = all_ + len(of), reached + len(of) - len(missed), low + (percent < float(least))
        room = rooms.setdefault(os.path.dirname(name), [0, 0])
        room[0], room[1] = room[0] + len(of), room[1] + len(of) - len(missed)
        print("%5.1f%%  %4d lines  %s" % (percent, len(of), name))
        if prefix and missed:
            print("        not reached: " + spans(missed))
    if all_ == 0:
        sys.exit("no objects with counts below %s; configure --enable-coverage" % build)
    for room, (lines, hit) in sorted(rooms.items()):
        print("%5.1f%%  %4d lines  all of %s" % (100 * hit / lines, lines, room))
    print("%5.1f%%  %4d lines  all, %d files below %s%%" % (100 * reached / all_, all_, low, least))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
