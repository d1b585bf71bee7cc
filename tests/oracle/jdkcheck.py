#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jdkcheck.py BUILD SCRATCH - what the JDKs of this machine make, redacted, and what their tools say of it, as TAP."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import codecheck  # noqa: E402
import redactcheck  # noqa: E402
import redactjfr  # noqa: E402
from check import Tap  # noqa: E402


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    redactjfr.check_jdks(tap, build, program, scratch)
    redactcheck.check_java(tap, redactcheck.Tool(build, scratch))
    codecheck.check_classes(tap, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
