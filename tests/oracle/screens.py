# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""screens.py BUILD SRCDIR SCRATCH - the explorer without a terminal: scripts of keys and the frames they lead to, as TAP.

tests/screen/NAME.keys is a script, NAME.scr its frames.  A script says in comments what it opens:
  # trace: ARGUMENT...            a trace of gentrace, app.trace; with "# other: ARGUMENT..." a second one, app2.trace
  # heap: NAME...                 tests/data/NAME.hprof as app.hprof, a second one as app2.hprof
  # input: FILE                   the lines behind it that begin with "#|"; several files are opened together
  # made: MAKER FILE ARGUMENT...  what a program of tests/mk writes
  # beside: MAKER                 that one writes many files, of which "# open: FILE..." are opened
  # demo: FILE                    a file of demo/
  # file: FILE                    a file of the sources
and how: "# piped" (the file comes through a pipe), "# options: OPTION..." of icecore, SRC/ in them the sources, "# locale: NAME" (else C).

In the title of Help, which counts the keys, lines have no numbers.  Frames are text: colours change none.  So most scripts are played once, half of them with colours; one in ten is played both ways.
UPDATE=1 writes NAME.scr; ICECORE is another program to ask.
"""
import glob
import os
import re
import shutil
import sys
import tempfile
import threading

import answers
import made
import tap

HINT = "as it should be now? cd build && UPDATE=1 srcdir=.. sh ../tests/screen.test, then git diff"
SECONDS = 300


class Script:
    def __init__(self, path, srcdir):
        self.path, self.srcdir, self.want = path, srcdir, path[:-len("keys")] + "scr"
        self.name = os.path.basename(path)[:-len(".keys")]
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            self.text = f.read()

    def said(self, word):
        """The lines of a word, each as a list of words."""
        return [line.split() for line in re.findall(r"(?m)^# %s: (.*)$" % word, self.text)]

    def words(self, word):
        return sum(self.said(word), [])

    def missing(self):
        return [name for name in self.words("heap") if not os.path.exists("tests/data/%s.hprof" % name)]

    def open(self, folder):
        """Writes the files to a folder; the names of those to be opened."""
        def copy(*path):
            return os.path.basename(shutil.copy(os.path.join(*path), folder))

        def make(*words):
            shutil.copytree(made.files(*words), folder, dirs_exist_ok=True)

        if self.said("heap"):
            names = ["app.hprof", "app2.hprof"][:len(self.words("heap"))]
            for name, to in zip(self.words("heap"), names):
                shutil.copy("tests/data/%s.hprof" % name, os.path.join(folder, to))
            return names
        if self.said("input"):
            texts = re.findall(r"(?m)^# input: (.*)$|^#\|(.*)$", self.text)
            for name, text in texts:
                if name:
                    out = os.path.join(folder, name)
                with open(out, "a", encoding="utf-8", errors="surrogateescape", newline="") as f:
                    f.write("" if name else text + "\n")
            return self.words("input")
        if self.said("beside"):
            make(*self.words("beside"), ".")
            return self.words("open")
        if self.said("demo") or self.said("file"):
            return [copy(self.srcdir, "demo", name) for name in self.words("demo")] or [copy(self.srcdir, *self.words("file"))]
        if self.said("made"):
            for words in self.said("made"):
                make(*words)
            return [words[1] for words in self.said("made")]
        traces = [("app.trace", self.words("trace"))] + [("app2.trace", self.words("other"))] * bool(self.said("other"))
        for name, words in traces:
            make("gentrace", *words, "-o", name)
        return [name for name, _ in traces]

    def play(self, program, folder, colours, fresh):
        files, stdin = self.open(folder), None
        if re.search(r"(?m)^# piped$", self.text):
            stdin = os.path.join(folder, "pipe")
            os.mkfifo(stdin)
            threading.Thread(target=write, args=(stdin, [os.path.join(folder, name) for name in files]), daemon=True).start()
            files = ["-"]
        options = [word.replace("SRC/", self.srcdir + "/") for word in self.words("options")]
        changes = {"LC_ALL": (self.words("locale") or ["C"])[0], "INPUTRC": os.path.join(self.srcdir, "tests", "inputrc"), "NO_COLOR": None if colours else "1",
                   "XDG_CONFIG_HOME": os.path.join(folder, "config")}
        return program.run(["--no-index", "--keys", self.path, *options, *files], stdin, SECONDS, folder, changes, fresh=fresh)


def write(pipe, paths):
    with open(pipe, "wb") as out:
        for path in paths:
            with open(path, "rb") as f:
                shutil.copyfileobj(f, out)


def check(program, script, scratch, colours, fresh):
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        answer = script.play(program, folder, colours, fresh)
    text = re.sub(r"(?m)^( Help: .*?) +\d+-\d+ of \d+", r"\1  LINES", answer.out)
    wrong = ["status %d" % answer.code, answer.err] if answer.code != 0 or answer.err else []
    if not wrong and not colours and os.environ.get("UPDATE") == "1":
        with open(script.want, "w", encoding="utf-8", errors="surrogateescape", newline="") as f:
            f.write(text)
    wrong = wrong or tap.differences(script.want, text, "-u").splitlines()[:39]
    tap.check(script.name + " with colours" * colours, "\n".join(wrong + [HINT]) if wrong else None)


def main(build, srcdir, scratch):
    program, srcdir = answers.program_of(build), os.path.abspath(srcdir)
    for name in ("LINES", "COLUMNS"):
        os.environ.pop(name, None)
    alone, twice = [], []
    for path in sorted(glob.glob(os.path.join(glob.escape(srcdir), "tests/screen/*.keys"))):
        script = Script(path, srcdir)
        if script.name not in (os.environ.get("SCREENS") or script.name).split():
            continue
        if script.missing() and os.environ.get("REQUIRE_ALL") != "1":
            tap.skip(script.name, "no %s.hprof" % script.missing()[0])
            continue
        fresh, both = answers.turn(script.name, 20), answers.turn("both ways: " + script.name, 10) or os.environ.get("UPDATE") == "1"
        alone += [script.name] * fresh
        twice += [script.name] * both
        for colours in (False, True) if both else (answers.turn("colours: " + script.name, 2),):
            check(program, script, scratch, colours, fresh)
    answers.tell_turn(alone)
    print("# both ways: " + " ".join(twice))
    tap.plan()


main(*sys.argv[1:])
