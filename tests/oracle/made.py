#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""made.py FILE... - writes heap dumps, FOLDER/NAME.hprof the dump NAME of tests/mk/mkheap.py.

As a module: what the programs of tests/mk write.  Each output is made once and kept for all tests of all builds, as the folder
KEY/SUM of a store.  KEY is the hash of what decides the output: the source of the maker, the sources of tests/ that it imports,
its arguments, Python.  SUM is the hash of the files, so a damaged entry is rebuilt.  A process that
makes an entry renames it into place when it is whole.  An entry that was not used for a week is removed.  Entries are marked as used,
replaced and removed under a lock of the store, so that no process removes what another one uses.

The store is build/made of the sources, which all builds share; where that cannot be written, tests/home/made of the build.
Makers in C are programs of the build, which is the current folder.
"""
import contextlib
import fcntl
import functools
import hashlib
import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
MODULES = (TESTS / "mk", TESTS / "oracle")
UNUSED = 7 * 24 * 3600      # seconds
sys.path[1:1] = map(str, MODULES)


class Failed(Exception):
    """A maker failed."""


@contextlib.contextmanager
def locked(folder):
    with open(folder / "lock", "wb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


@functools.lru_cache(None)
def store():
    shared = TESTS.parent / "build"
    folder = (shared if os.access(shared, os.W_OK) else Path("tests/home")).resolve() / "made"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        for entry in folder.iterdir():
            if entry.name != "lock" and time.time() - entry.stat().st_mtime > UNUSED:
                shutil.rmtree(entry)
    return folder


@functools.lru_cache(None)
def imported(path):
    """The sources of tests/ that a source imports by itself."""
    names = re.findall(r"(?m)^\s*(?:from (\w+) import|import ([\w, ]+))", path.read_text(encoding="utf-8"))
    words = [part.split()[0] for one, several in names for part in (one or several).split(",")]
    places = [[module / (word + ".py") for module in MODULES] for word in words]
    return {next(filter(Path.exists, two)) for two in places if any(map(Path.exists, two))}


def sources(maker):
    """The source of a maker, and those of tests/ that it imports, directly or by way of others."""
    found, new = set(), {TESTS / "mk" / (maker if maker.endswith(".py") else maker + ".c")}
    while new:
        found |= new
        new = set().union(*map(imported, new)) - found
    return found


def sum_of(folder):
    h = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        h.update(b"%s\0" % os.fsencode(path.relative_to(folder)))
        if path.is_file():
            h.update(b"%d\0" % path.stat().st_size + path.read_bytes())
    return h.hexdigest()[:32]


def whole(entry):
    """The files of an entry, or None."""
    return next((folder for folder in entry.glob("*") if folder.name == sum_of(folder)), None)


@functools.lru_cache(None)
def files(maker, *args, output=os.devnull):
    """The folder of the files that a maker writes to its current folder; output is the one that gets its standard output."""
    h = hashlib.sha256(repr((sys.version, maker, args, output)).encode())
    needs = sources(maker)
    for path in sorted(needs):
        h.update(hashlib.sha256(path.read_bytes()).digest())
    entry = store() / h.hexdigest()[:32]
    with locked(store()):
        if entry.exists():
            os.utime(entry)
    found = whole(entry)
    if found:
        return found
    work = Path(tempfile.mkdtemp(prefix="new-", dir=store()))
    (work / "files").mkdir()
    run(maker, args, work / "files", output, needs)
    (work / "files").rename(work / sum_of(work / "files"))
    with locked(store()):
        if whole(entry):                # another process was first
            shutil.rmtree(work)
        else:
            shutil.rmtree(entry, ignore_errors=True)
            work.rename(entry)
        return whole(entry)


def output(maker, *args):
    """Return the output of a maker."""
    return (files(maker, *args, output="output") / "output").read_bytes()


def run(maker, args, folder, output, needs):
    """A child of this process is the maker: of Python it has imported what that imports already."""
    python, program = maker.endswith(".py"), os.path.abspath("tests/mk/" + maker)
    for path in needs:
        if python and path.name != maker:
            importlib.import_module(path.stem)
        elif not python and os.path.getmtime(program) < path.stat().st_mtime:
            raise Failed("%s is older than its source" % program)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT, 0o666), 1)
            code = run_python(maker, args, needs) if python else subprocess.call([program, *args])
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1] != 0:
        raise Failed("%s failed: %s" % (maker, " ".join(args)))


def run_python(maker, args, needs):
    here, path = os.getcwd(), str(TESTS / "mk" / maker)

    def refuse_unknown(event, about):
        """An input that is not part of the key would leave old outputs in use."""
        opened = os.path.abspath(about[0]) if event == "open" and isinstance(about[0], str) else ""
        if opened.startswith(str(TESTS) + "/") and not opened.startswith(here) and not opened.endswith(".pyc") and \
                Path(opened) not in needs:
            raise Failed("%s reads %s, which is not part of its key" % (maker, opened))

    sys.argv = [path, *args]
    sys.addaudithook(refuse_unknown)
    try:
        runpy.run_path(path, run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code or 0
    sys.stdout.flush()
    return status


def dump(name):
    """The path of a dump of mkheap.py."""
    return str(files("mkheap.py", name, "dump") / "dump")


def dumps():
    """name -> path of all dumps of mkheap.py but the random ones."""
    return {path.stem: str(path) for path in sorted(files("mkheap.py", "all", ".").glob("*.hprof"))}


def main():
    for path in map(Path, sys.argv[1:]):
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(dump(path.stem), path)


if __name__ == "__main__":
    main()
