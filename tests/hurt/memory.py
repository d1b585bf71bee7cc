#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""memory.py BUILD SRCDIR SHIM SCRATCH DONE - no memory for any example of the manual, as TAP.

Each example runs with an allocation or a system call that fails, once, or that one and all later ones.  Its outcome
is that of the undisturbed run, to the byte, with the files that it wrote; or exit status 4 and a message that says
what failed.  Nothing else: no shorter answer, no half-written file, nothing left behind.

Points are places of the program: the calls that led there (see shim.c).  MEMORY_RUNS=N makes about N runs, with places that no
example before had, of some of the examples when N is small; MEMORY_RUNS=all tries the first and the last time at
every place of every example, MEMORY_RUNS=every every single call.  MEMORY_ONLY=TEXT keeps the commands that have that text.
DONE is how many tests were printed before.
"""
import collections
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

import answers  # noqa: E402
import manual  # noqa: E402

TIMEOUT = 60
NOTES = 12
# Its cells make what they need when a row asks for it, and crashed when that failed: all its places, each time.
ALWAYS = "threads | where name = main | waits | top 5 wall"


class Command:
    def __init__(self, name, argv, setup=(), others=()):
        """setup: what is run before, in the same folder; others: with other files, when argv has no answer."""
        self.name, self.argv, self.setup, self.others = name, argv, setup, others


def folder_of(path):
    """The files in a directory: names and bytes."""
    found = {}
    for where, _, names in os.walk(path):
        for name in names:
            full = os.path.join(where, name)
            with open(full, "rb") as f:
                found[os.path.relpath(full, path)] = f.read()
    return found


class Memory:
    def __init__(self, build, srcdir, shim, scratch, done):
        self.icecore = os.path.abspath(os.path.join(build, "icecore"))
        self.build, self.srcdir, self.shim, self.scratch = map(os.path.abspath, (build, srcdir, shim, scratch))
        self.n = int(done)
        self.work = os.path.join(self.scratch, "work")
        self.temp = os.path.join(self.scratch, "temp")
        self.runs = 0
        self.outcomes = collections.Counter()
        self.seen = set()

    def ok(self, name, bad):
        self.n += 1
        print("%sok %d - %s" % ("not " if bad else "", self.n, name))
        for line in bad[:NOTES]:
            print("#   " + line)
        if len(bad) > NOTES:
            print("#   and %d more" % (len(bad) - NOTES))
        sys.stdout.flush()

    def demo(self, name):
        return os.path.join(self.srcdir, "demo", name)

    # ---- the commands ------------------------------------------------------

    def examples(self):
        for query, ways in manual.Manual(answers.Program(self.icecore), self.srcdir).examples():
            if os.path.exists(ways[0][0]):
                first, *others = [["--no-index", "-o", "tsv", "-e", query, *files] for files in ways]
                yield Command(query, first, others=others)

    def options(self):
        """Yield commands for code that the examples of queries do not reach: other outputs, files beside the file, the index."""
        trace, heap, sched = map(self.demo, ("demo.trace.gz", "demo.hprof.gz", "sched.txt.gz"))
        profile, money = self.demo("profile.txt.gz"), self.demo("money.ofx.gz")
        side = self.path("mapping.txt")
        with open(side, "w") as f:
            f.write("# compiler: R8\ncom.example.Real -> icecore.query.Long:\n"
                    "    1:3:void work(int):10:12 -> rows_print\n    1:3:void outer():20:20 -> rows_print\n"
                    "com.example.tickets.RealSession -> com.example.tickets.Session:\n    java.lang.String secret -> token\n")
        dump = self.path("jstack.txt")
        with open(dump, "w") as f:
            f.write('"main" #1 prio=5 os_prio=0 tid=0x1 nid=0x3e9 runnable\n'
                    '"pool-1-thread-2" #12 prio=5 os_prio=0 tid=0x2 nid=0x3ea waiting\n')
        table = self.path("access.csv")
        with open(table, "w") as f:
            f.write("url,status,bytes,ms\n" + "".join(
                "/a%d/b%d,%d,%d,%d\n" % (i % 3, i % 7, 200 + i % 2 * 300, i * 37, i) for i in range(40)))
        none = ["--no-index"]
        for name, argv in (
                ("--help", ["--help"]), ("--version", ["--version"]), ("--list-formats", ["--list-formats"]),
                ("--list-keys", ["--list-keys"]), ("help without a file", ["-e", "help"]),
                ("help of a command", ["-e", "help calls"]),
                ("--report of a heap dump", [*none, "--report", heap]),
                ("--report of a trace", [*none, "--report", trace]),
                ("--report of a profile", [*none, "--report", profile]),
                ("--text of a heap dump", [*none, "--text", heap]),
                ("--text of a trace", [*none, "--text", trace]),
                ("--mapping of a trace", [*none, "--mapping", side, "-e", "methods | top 20 self", trace]),
                ("--mapping of a heap dump", [*none, "--mapping", side, "-e", "classes | top 20 retained", heap]),
                ("--threads of a profile", [*none, "--threads", dump, "-e", "threads", profile]),
                ("--classes of a heap dump", [*none, "--classes", self.demo("notes.jar"), "-e", "classes | head 20", heap]),
                ("a table", [*none, "--path", "url:dir,status", "--weight", "bytes", "-e", "calls", "-e", "records", table]),
                ("columns of a table", [*none, "-e", "columns", "-e", "records | where status >= 500", table]),
                ("levels of bank statements", [*none, "--by", "month,payee", "-e", "calls", money]),
                ("two files", [*none, "-e", "methods | diff normalised | top 10 self_delta",
                               self.demo("clock.trace.gz"), trace]),
                ("a trace and its threads", [*none, "-e", "threads", trace, sched]),
                *[("-o %s" % word, [*none, "-o", word, "-e", "merged | where depth < 4", trace])
                  for word in ("table", "csv", "json", "md", "folded", "tree", "dot", "svg", "html")],
                ("CPU clock", [*none, "-o", "folded", "--clock", "cpu", "-e", "calls", trace]),
                ("an index is made", ["--index", "index", "-e", "methods | top 5 self", trace]),
                ("an index of a heap dump is made", ["--index", "index", "-e", "findings", heap]),
                ("small --memory", [*none, "--memory", "64k", "-e", "classes | top 5 retained", heap])):
            yield Command(name, argv)
        for name, argv, first in (
                ("an index is read", ["-e", "methods | top 5 self", trace], ["-e", "methods | top 5 self", trace]),
                ("an index grows", ["-e", "calls | top 5 self", trace], ["-e", "info", trace])):
            yield Command(name, ["--index", "index", *argv], ["--index", "index", *first])
        yield Command("keys: demo", [*none, "--no-history", "--keys", self.demo("demo.keys"), trace])

    def path(self, name):
        return os.path.join(self.scratch, name)

    # ---- one run -----------------------------------------------------------

    def run(self, command, **env):
        """Status, output, messages and files of a command in a folder of its own."""
        for folder in (self.work, self.temp):
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
        env = {**os.environ, "TMPDIR": self.temp, "HOME": self.temp, "TERM": "xterm-256color", **env}
        if command.setup:
            subprocess.run([self.icecore, *command.setup], cwd=self.work, stdout=subprocess.DEVNULL, check=True)
        with open(self.path("stdout"), "wb+") as out, open(self.path("stderr"), "wb+") as err:
            p = subprocess.Popen([self.icecore, *command.argv], cwd=self.work, env=env,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            try:
                code = p.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
                code = "hangs"
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read(), folder_of(self.work), folder_of(self.temp)

    def judge(self, command, want, got):
        """None, or what is wrong."""
        code, out, err, files, left = got
        index = {n for n in files if n.startswith("index/")}
        kept = (".icx", ".raw")
        if left:
            return "left in $TMPDIR: %s" % sorted(left)
        strange = {n for n in files if n not in want[3] and n not in index} | {n for n in index if not n.endswith(kept)}
        if strange:
            return "left behind: %s" % sorted(strange)
        # The list names the copies of those pictures that were written; the next run adds to it.
        cut = [n for n in files if n not in index and files[n] != want[3][n] and
               not (n.endswith("duplicates.tsv") and set(files[n].splitlines(True)) < set(want[3][n].splitlines(True)))]
        if cut:
            return "status %s, other bytes in %s" % (code, sorted(cut))
        if code == want[0] and out == want[1] and set(files) - index == {n for n in want[3] if not n.startswith("index/")}:
            self.outcomes["same"] += 1
            return None
        if code == 4 and re.search(rb"icecore: .{5,}\n", err):
            self.outcomes["status 4"] += 1
            return None
        if code == 4:
            return "status 4 and no message"
        return "status %s (%s), %s" % (
            code, want[0], "the answer is shorter" if len(out) < len(want[1]) else
            "another answer" if out != want[1] else "files missing") + (": %r" % err[:150] if err else "")

    def points(self, command):
        """{(kind, hash): [k, ...]} of the calls."""
        for argv in command.others:
            if self.run(command)[0] == 0:
                break
            command.argv = argv
        # There it may write.
        path = os.path.join(self.temp, "points")
        self.run(command, LD_PRELOAD=self.shim, HURT_POINTS=path)
        found, count = {}, collections.Counter()
        with open(path) as f:
            for line in f:
                kind, where = line.split()
                count[kind] += 1
                found.setdefault((kind, where), []).append(count[kind])
        return found

    def chosen(self, found, runs):
        faults = set()
        for (kind, where), ks in found.items():
            if runs == "every":
                faults |= {(kind, k) for k in ks}
            elif runs == "all":
                faults |= {(kind, ks[0]), (kind, ks[-1])}
            elif (kind, where) not in self.seen:
                faults.add((kind, ks[len(ks) // 2]))
            self.seen.add((kind, where))
        return sorted(faults)

    def check(self, command, faults, after=("", "+")):
        want = self.run(command)
        bad = []
        if isinstance(want[0], str) or want[0] not in (0, 1):
            bad.append("undisturbed: status %s %r" % (want[0], want[2][:200]))
        for kind, k in faults:
            for stays in after:
                fault = "%s:%d%s" % (kind, k, stays)
                wrong = self.judge(command, want, self.run(command, LD_PRELOAD=self.shim, HURT=fault))
                self.runs += 1
                if wrong:
                    self.outcomes[re.sub(r"[\[:].*", "", wrong)] += 1
                    bad.append("%s: %s" % (fault, wrong))
        return bad

    def main(self):
        runs = os.environ.get("MEMORY_RUNS", "300")
        only = os.environ.get("MEMORY_ONLY", "")
        commands = [c for c in (*self.options(), *self.examples()) if only in c.name]
        if runs.isdigit():
            always = [c for c in commands if c.name == ALWAYS]
            rest = [c for c in commands if c.name != ALWAYS]
            commands = rest[::max(1, 8 * len(rest) // max(1, int(runs)))]
            for command in always:
                places = [p for p in self.chosen(self.points(command), runs) if p[0] == "alloc"]
                self.ok("%s: every allocation" % command.name, self.check(command, places, after=("",)))
        work = [(c, self.chosen(self.points(c), runs)) for c in commands]
        total = sum(len(faults) for _, faults in work)
        if runs.isdigit():
            step = max(1, 2 * total // max(1, int(runs)))
            at = 0
            for _, faults in work:
                mine = [f for i, f in enumerate(faults, at) if i % step == 0]
                at += len(faults)
                faults[:] = mine
        bad = 0
        for command, faults in work:
            if faults:
                wrong = self.check(command, faults)
                bad += bool(wrong)
                self.ok("%s: %d points fail" % (command.name, len(faults)), wrong)
        print("# %d commands, %d points, %d runs: %s" % (len(commands), total, self.runs, ", ".join(
            "%s %d" % pair for pair in self.outcomes.most_common())))
        print("1..%d" % self.n)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    Memory(*sys.argv[1:]).main()
