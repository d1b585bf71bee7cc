# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""golden.py BUILD SRCDIR SCRATCH - queries and the exact bytes of their answers: tests/query, as TAP.

NAME.q holds queries, NAME.out what they print on standard output and standard error, and the exit status.  Lines of NAME.q:
  # args: OPTION...    options of icecore, words without blanks; SRC/ in them stands for the sources, DIR/ for the folder of "dir"
  # heap: NAME         asks tests/data/NAME.hprof
  # file: FILE         asks a file of the sources
  # make: MAKER ARG... asks what a program of tests/mk prints
  # dir: MAKER         of tests/mk writes files into a folder
  # open: FILE         asks one of these
  # needs: MACRO       skips it in a build whose config.h does not define that
Without any of these a trace of gentrace is asked.

The cases columns_* show all columns of each source, once for each kind of file.  Other cases select those that they are about:
then a new column changes the answer that is about columns, not dozens.

RENEW=1 writes NAME.out.  ICECORE is another program to ask.  GOLDEN_TURN=N: one in N of them, others on other days.
"""
import glob
import os
import re
import shutil
import sys

import answers
import made
import tap

NARROW = 3                    # columns of a source that need no choice, such as those of info
ELSEWHERE = {"info": "facts are rows, each answer selects its own", "stacks": "narrow", "help": "texts of the program, in help.q",
             "schema": "as help", "columns": "of a source as help, of a table in table_*.q, as each table has other ones"}
HINT = "as it should be now? cd build && RENEW=1 srcdir=.. sh ../tests/query.test, then git diff"


class Golden:
    def __init__(self, build, srcdir, scratch):
        self.program = answers.program_of(build)
        self.srcdir, self.scratch = srcdir, scratch
        self.parts = answers.parts_of(build)
        shutil.copy(made.files("gentrace", *"-s 5 -n 300 -t 3 -d 6 -x 2 -o small.trace".split()) / "small.trace", scratch)

    def path(self, name):
        return os.path.join(self.scratch, name)

    def input(self, said):
        """The file to be asked; what makers write is in the scratch folder."""
        if "dir" in said:
            shutil.rmtree(self.path("dir"), ignore_errors=True)
            shutil.copytree(made.files(said["dir"], "."), self.path("dir"))
        if "make" in said:
            maker, *args = said["make"].split()
            with open(self.path("made"), "wb") as f:
                f.write(made.output(maker, *args))
            return self.path("made")
        if "heap" in said:
            return "tests/data/%s.hprof" % said["heap"]
        if "file" in said:
            return os.path.join(self.srcdir, said["file"])
        return self.path("dir/" + said["open"] if "open" in said else "small.trace")

    def ask(self, query, said, fresh):
        """Paths are printed as in the golden answers, wherever the build is; each kernel has another sandbox, each build another version."""
        args = [arg.replace("SRC/", self.srcdir + "/").replace("DIR/", self.path("dir/")) for arg in said.get("args", "").split()]
        answer = self.program.run(["--no-index", *args, "-f", query, said["input"]], together=True, fresh=fresh)
        text = re.sub(r"(?m)^sandbox\t.*", lambda line: re.sub(r"\t(landlock|seccomp|none|off)[^\t]*", "\tCONFINED", line.group()),
                      answer.out + "exit %d\n" % answer.code)
        text = re.sub(r" +icecore \d+\.\d+\.\d+(-dev\S*)?$", " icecore VERSION", text, flags=re.M)
        return re.sub(r"(?m)^(icecore: )?%s/(tests|demo)/" % re.escape(self.srcdir), r"\1../\2/", text.replace(self.scratch + "/", ""))

    def check(self, query):
        """Whether a process of its own was asked."""
        name, want = os.path.basename(query)[:-2], query[:-2] + ".out"
        with open(query, encoding="utf-8", errors="surrogateescape") as f:
            said = dict(re.findall(r"(?m)^# (args|heap|make|dir|open|file|needs): (.*)$", f.read()))
        if "needs" in said and said["needs"] not in self.parts:
            return tap.skip(name, "built without " + said["needs"])
        said["input"] = self.input(said)
        if not os.path.exists(said["input"]) and os.environ.get("REQUIRE_ALL") != "1":
            return tap.skip(name, "no " + said["input"])
        fresh = answers.turn(name, 20)
        text = self.ask(query, said, fresh).replace(self.srcdir + "/demo/", "../demo/")
        if os.environ.get("RENEW"):
            with open(want, "w", encoding="utf-8", errors="surrogateescape", newline="") as f:
                f.write(text)
        wrong = tap.differences(want, text).splitlines()[:20]
        tap.check(name, "\n".join(wrong + [HINT]) if wrong else None)
        return fresh


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


def wide(folder, sources):
    """Answers with nearly all columns of a source, other than the one that is for it; sources that have none."""
    bad, shown = [], {}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "columns_*.q"))):
        asked = [re.findall(r"(?:^|[|] )(\w+)", line)[-2] for line in read(path).splitlines() if not line.startswith("#")]
        answers_to = re.sub(r"(?m)^icecore: .*\n", "", read(path[:-2] + ".out")).split("\n\n")
        if len(asked) != len(answers_to):
            bad.append(path + ": not every query has an answer")
        for source, answer in zip(asked, answers_to):
            columns = frozenset(answer.split("\n")[0].split("\t"))
            if (source, columns) in shown:
                bad.append("%s: all columns of %s are in %s, too" % (path, source, shown[source, columns]))
            shown[source, columns] = path
    bad += ["%s: no columns_*.q shows its columns" % source for source in sorted(sources - ELSEWHERE.keys() - {source for source, _ in shown})]
    kinds = {columns: source for source, columns in shown if len(columns) > NARROW}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.out"))):
        name = os.path.basename(path)[:-4]
        for n, line in enumerate(() if name.startswith("columns_") else read(path).splitlines(), 1):
            cells = set(re.findall(r"[\w.]+", line))
            source = next((kinds[columns] for columns in kinds if 5 * len(columns & cells) > 4 * len(columns)), None)
            if source:
                bad.append("%s:%d: select the columns that it is about; columns_*.q show all those of %s" % (path, n, source))
    return bad


def main(build, srcdir, scratch):
    golden = Golden(build, srcdir, scratch)
    queries = [query for query in sorted(glob.glob(os.path.join(glob.escape(srcdir), "tests/query/*.q")))
               if answers.turn(os.path.basename(query), int(os.environ.get("GOLDEN_TURN", "1")))]
    tap.check("answers have queries", *(path for path in glob.glob(os.path.join(glob.escape(srcdir), "tests/query/*.out")) if not os.path.exists(path[:-3] + "q")))
    asked = [query for query in queries if golden.check(query)]
    answers.tell_turn(os.path.basename(query)[:-2] for query in asked)
    sources = golden.program.run(["-o", "tsv", "-e", "schema | distinct source | select source"]).out.split()[1:]
    bad = wide(os.path.join(srcdir, "tests/query"), set(sources))
    tap.check("one answer shows all columns of a source", "\n".join(bad))
    tap.plan()


main(*sys.argv[1:])
