#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""demojar.py OUT FOLDER: a jar of the class files of a folder, the same bytes whenever it is made; those of android are left out."""
import os, sys
import codemake

files = []
for folder, _, names in os.walk(sys.argv[2]):
    for n in names:
        path = os.path.join(folder, n)
        name = os.path.relpath(path, sys.argv[2])
        if name.endswith(".class") and not name.startswith("android/"):
            files.append((name, open(path, "rb").read()))
with open(sys.argv[1], "wb") as f: f.write(codemake.jar(sorted(files)))
