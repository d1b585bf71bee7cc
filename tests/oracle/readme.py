# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""readme.py PROGRAM SRCDIR [update]: the screens of README.md are what the program shows.

A comment <!-- screen FILE KEY... --> precedes each; the text after it, indented by four, is the frame of 80 x 24 of that demo
after these keys, without empty lines at its end.
"""

import os
import re
import subprocess
import sys
import tempfile

SCREEN = re.compile(r"(<!-- screen (\S+)((?: \S+)*) -->\n\n)((?:    [^\n]*\n|\n(?=    ))*)")


def frame(program, demo, keys):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as script:
        script.write("size 80x24\n" + "".join("key %s\n" % key for key in keys) + "frame\n")
        script.flush()
        done = subprocess.run([program, "--no-index", "--keys", script.name, os.path.basename(demo)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=300, check=True, cwd=os.path.dirname(demo),
                              env=dict(os.environ, LC_ALL="C.UTF-8"))
    lines = [line.rstrip() for line in done.stdout.decode().split("\n") if not line.startswith("--- ")]
    return lines


def folded(lines):
    """Runs of empty lines in the middle of a screen are one."""
    out = []
    for line in lines:
        if line or (out and out[-1]):
            out.append(line)
    while out and not out[-1]:
        out.pop()
    return "".join("    %s\n" % line if line else "\n" for line in out)


def main():
    program, srcdir = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    path = os.path.join(srcdir, "README.md")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    seen = []

    def made(m):
        seen.append(m.group(2))
        return m.group(1) + folded(frame(program, os.path.join(srcdir, "demo", m.group(2)), m.group(3).split()))

    now = SCREEN.sub(made, text)
    if sys.argv[3:] == ["update"]:
        with open(path, "w", encoding="utf-8") as f:
            f.write(now)
        return 0
    if now != text or not seen:
        print("%d screens; make -C build readme renews them" % len(seen))
        for a, b in zip(text.split("\n"), now.split("\n")):
            if a != b:
                print("%s\n%s" % (a, b))
                break
    return now != text or not seen


sys.exit(main())
