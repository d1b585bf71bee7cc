#!/usr/bin/env python3
"""doorcheck.py BUILD SCRATCH - what a file is read as, and what is said of one that is not, as TAP."""
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

INPUTS = os.path.join(HERE, "..", "fuzz", "corpus")
FORMATS = ("trace", "hprof", "nanoscope", "sched", "perf", "json", "folded")


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


# ---- --as ---------------------------------------------------------------------------------------


def info(a):
    return {row["field"]: row["value"] for row in a.tables()[0].rows}


def check_as(program, path):
    """Any file as any format: read, or refused in one line."""
    bad = []
    for name in FORMATS:
        a = program.ask(path, "info", options=("--no-index", "--as", name))
        if a.code == 3 and a.out == "":
            if len(a.err.strip().split("\n")) != 1 or a.err.strip() == "":
                bad.append("--as %s: not one line on stderr: %r" % (name, a.err))
        elif a.code not in (0, 3) or info(a).get("loader") != name:
            bad.append("--as %s: status %d: %s" % (name, a.code, a.err.strip()[:200]))
    return bad


def loader_of(program, path, index, *options):
    a = program.ask(path, "info", options=("--index", index) + options)
    return info(a).get("loader") if a.code == 0 else a.code


def check_as_index(program, scratch):
    """What was asked for does not stay behind in the index, and an index does not keep it from being done."""
    index = os.path.join(scratch, "as-index")
    os.makedirs(index, exist_ok=True)
    path = write(os.path.join(scratch, "as.json"), b'{"traceEvents": [\n'
                 b'{"ph": "X", "name": "a;b", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]}\nmain;f 5\n')
    got = [loader_of(program, path, index, *options) for options in
           ((), ("--as", "folded"), ("--as=folded",), (), ("--as", "json"), ())]
    want = ["json", "folded", "folded", "json", "json", "json"]
    return [] if got == want else ["read as %s, not %s" % (got, want)]


def check_as_pipe(program, scratch):
    path = write(os.path.join(scratch, "one"), b"sleep 4\nmain 1\n")
    with open(path, "rb") as f:
        a = program.ask("-", "methods | select name self", options=("--as", "folded"), stdin=f)
    return [] if a.out == "name\tself\nsleep\t4\nmain\t1\n" else ["%d %r %r" % (a.code, a.out, a.err)]


def check_as_wrong(program, scratch):
    a = program.ask(write(os.path.join(scratch, "one"), b"main;f 1\n"), "info", options=("--as", "flame"))
    return [] if a.code == 2 and all(name in a.err for name in FORMATS) else ["%d %r" % (a.code, a.err)]


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for path in sorted(glob.glob(os.path.join(INPUTS, "*", "*"))):
        attempt(tap, "--as: %s" % os.path.relpath(path, INPUTS), check_as, program, path)
    attempt(tap, "--as: empty", check_as, program, write(os.path.join(scratch, "empty"), b""))
    attempt(tap, "--as and an index", check_as_index, program, scratch)
    attempt(tap, "--as and standard input", check_as_pipe, program, scratch)
    attempt(tap, "--as of no format", check_as_wrong, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
