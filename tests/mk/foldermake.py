# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""foldermake.py FOLDER: a folder d there with files that can be opened, whose time is in the future, and files that cannot."""
import os
import sys

FILES = (("a.folded", "main;run;work 3\nmain;run;wait 2\n", 40), ("b, \"c\".folded", "main;idle 5\nmain;run 1\n", 30), ("notes.txt", "Nothing to see here.\n", 20),
         ("a.folded.icx", "main;run 1\n", 10), (".hidden.folded", "main;run 1\n", 10), ("tab\there.csv", "name,size\nx,1\n", 5))


def main():
    top = os.path.join(sys.argv[1], "d")
    os.makedirs(os.path.join(top, "inner"))
    os.makedirs(os.path.join(top, "empty"))
    for name, text, minutes in FILES + (("inner/deep.folded", "main;deep 1\nmain;run 4\n", 1),):
        path = os.path.join(top, name)
        with open(path, "w") as f:
            f.write(text)
        os.utime(path, (4000000000 + 60 * minutes,) * 2)


main()
