# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Two scheduler traces, before.txt and after.txt, in a folder: the second has a CPU more and two tasks more, one of which has
a name that another one has.

usage: schedtwo.py FOLDER
"""
import os
import sys

import schedmake


def main():
    for name, seed, cpus, tasks in (("before.txt", 1, 2, 10), ("after.txt", 2, 3, 12)):
        schedmake.main(["", os.path.join(sys.argv[1], name), "seed=%d" % seed, "n=200", "cpus=%d" % cpus,
                        "tasks=%d" % tasks, "plain=1"])


if __name__ == "__main__":
    main()
