#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""refusalscheck.py BUILD SCRATCH - what is advised for formats that icecore does not read, as TAP.

A command in a message is run as it is printed, with names in place of the words in capitals, and icecore must open what it made.  A case
is skipped where a tool is missing.
"""
import contextlib
import lzma
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

FOLDED = b"main;f 4\nmain;g 5\n" * 50
JAVA = "public class Wait { public static void main(String[] a) throws Exception { Thread.sleep(3600000); } }\n"
GO = """package main
import ("os"; "runtime/trace"; "sync")
func main() {
	trace.Start(os.Stdout)
	var w sync.WaitGroup
	for i := 0; i < 4; i++ { w.Add(1); go func() { w.Done() }() }
	w.Wait()
	trace.Stop()
}
"""


class Skip(Exception):
    pass


def run(command, cwd, timeout=300):
    return subprocess.run(["bash", "-c", command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                          check=False, text=True, errors="replace")


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise Skip("no " + tool)


class Check:
    def __init__(self, program, build, scratch, name):
        self.program, self.icecore = program, os.path.abspath(os.path.join(build, "icecore"))
        self.folder = os.path.join(scratch, re.sub(r"\W", "_", name))
        os.makedirs(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def advice(self, name, **names):
        """The command in the message about a file."""
        a = self.program.ask(self.path(name), "info", options=("--no-index",))
        found = re.search(r"; .*: (.+)$", a.err.strip())
        if a.code != 5 or found is None:
            raise ValueError("status %d: %s" % (a.code, a.err.strip()))
        command = found.group(1)
        for word, value in {"FILE": name, **names}.items():
            command = command.replace(word, value)
        if re.search(r"\b[A-Z]{4,}\b", re.sub(r"SELECT|FROM|ELF|ARGV|JSON", "", command)):
            raise ValueError("a word without a name: " + command)
        return re.sub(r"\bicecore\b", self.icecore, command)

    def try_out(self, name, **names):
        p = run(self.advice(name, **names), self.folder)
        if p.returncode != 0:
            raise ValueError("status %d: %s" % (p.returncode, p.stderr))
        return p.stdout

    def opens(self, name, loader):
        a = self.program.ask(self.path(name), "info", options=("--no-index",))
        got = {r["field"]: r["value"] for r in a.tables()[0].rows}.get("loader") if a.code in (0, 3) else a.err
        return [] if got == loader else ["%s: read as %s, not %s" % (name, got, loader)]


def check_lzma(c):
    need("xz")
    c.write("packed", lzma.compress(FOLDED, format=lzma.FORMAT_ALONE))
    out = c.try_out("packed")
    return [] if "main" in out and "folded stacks" in out else [out[:200]]


def check_sqlite(c):
    need("sqlite3")
    with contextlib.closing(sqlite3.connect(c.path("a.db"))) as db:
        db.execute("CREATE TABLE t (name, n)")
        db.executemany("INSERT INTO t VALUES (?, ?)", [("a", 1), ("b", 2)])
        db.commit()
    c.try_out("a.db", TABLE="t")
    return c.opens("table.csv", "table")


def check_core(c):
    need("gdb")
    p = run("gdb -batch -ex 'break main' -ex starti -ex 'generate-core-file core' /bin/sleep", c.folder)
    if not os.path.exists(c.path("core")):
        raise Skip("gdb cannot write a core: " + p.stderr.strip().split("\n")[-1])
    c.try_out("core", PROGRAM="/bin/sleep")
    return c.opens("stacks.txt", "stacks")


def check_massif(c):
    need("valgrind")
    c.write("dhat.out", b'{"dhatFileVersion":2,"mode":"heap","pps":[],"ftbl":["[root]"]}')
    c.try_out("dhat.out", PROGRAM="/bin/ls /usr/bin")
    return c.opens(next(n for n in os.listdir(c.folder) if n.startswith("massif.out")), "tracers")


def check_cprofile(c):
    c.write("work.py", b"def f():\n    return sum(range(9))\nf()\n")
    c.write("table.txt", subprocess.run([sys.executable, "-m", "cProfile", c.path("work.py")], stdout=subprocess.PIPE, check=True).stdout)
    p = run(c.advice("table.txt", PROGRAM="work.py").replace("python ", sys.executable + " "), c.folder)
    return c.opens("out.pstats", "callgrind") if p.returncode == 0 else [p.stderr]


def check_java(c):
    need("java", "jcmd")
    c.write("Wait.java", JAVA.encode())
    with subprocess.Popen(["java", "-Xmx32m", "-Xlog:gc*:file=gc.log", "Wait.java"], cwd=c.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        try:
            end = time.monotonic() + 300
            while time.monotonic() < end:
                out = run("jcmd %d GC.class_histogram" % p.pid, c.folder)
                if out.returncode == 0 and "#instances" in out.stdout:
                    break
                time.sleep(0.2)
            else:
                raise Skip("jcmd does not answer: " + out.stderr.strip()[-200:])
            c.write("histogram.txt", out.stdout.encode())
            started = c.try_out("gc.log", PID=str(p.pid))
            return c.opens("histogram.txt", "counts") + ([] if "Started recording" in started else [started])
        finally:
            p.kill()


def check_go(c):
    need("go")
    c.write("a.go", GO.encode())
    p = subprocess.run(["go", "run", "a.go"], cwd=c.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=900, check=False)
    if p.returncode != 0:
        raise Skip("go run: " + p.stderr.decode("utf-8", "replace").strip()[-200:])
    c.write("go.trace", p.stdout)
    c.try_out("go.trace")
    return c.opens("sched.pprof", "pprof")


def check_jq(c):
    need("jq")
    c.write("a.ips", b'{"bug_type":"298"}\n{"largestProcess":"a","processes":[{"name":"a","rpages":7},{"name":"b","rpages":9}]}\n')
    c.try_out("a.ips")
    return c.opens("processes.jsonl", "table")


def check_scalene(c):
    need("jq")
    c.write("scalene.json", b'{"elapsed_time_sec":1,"files":{},"stacks":[[["a.py main:3;","a.py f:9;"],{"count":7}],[["a.py main:3;","a.py g:1;"],{"count":2}]]}')
    c.try_out("scalene.json")
    return c.opens("stacks.folded", "folded")


def check_ninja(c):
    c.write("ninja_log", b"# ninja log v5\n" + b"".join(b"%d\t%d\t0\tobj/%d.o\t7f\n" % (i, i + 9, i) for i in range(9)))
    c.try_out("ninja_log")
    return c.opens("build.csv", "table")


def check_node(c):
    need("node")
    c.write("app.js", b"let n = 0; while (process.cpuUsage().user < 400000) for (let i = 0; i < 100000; i++) n += Math.sqrt(i);\n")
    run("node --prof app.js", c.folder)
    logs = [n for n in os.listdir(c.folder) if n.startswith("isolate")]
    if not logs:
        raise Skip("node --prof writes no log")
    os.rename(c.path(logs[0]), c.path("log"))
    c.try_out("log")
    return c.opens("ticks.json", "json")


def check_stackprof(c):
    need("ruby")
    run("ruby -e 'File.binwrite(\"a.dump\", Marshal.dump({version: 1.2, mode: :wall, interval: 1000, samples: 2, missed_samples: 0, "
        "frames: {7 => {name: \"f\", file: \"a.rb\"}}, raw: [1, 7, 2]}))'", c.folder)
    c.try_out("a.dump")
    return c.opens("profile.json", "json")


def check_lfs(c):
    need("git-lfs")
    c.write("a", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
    return [] if c.advice("a") == "git lfs pull" else [c.advice("a")]


def check_zip(c):
    need("zip")
    c.write("a.folded", FOLDED)
    subprocess.run(["zip", "-q", "a.zip", "a.folded"], cwd=c.folder, check=True)
    with open(c.path("a.zip"), "rb") as f:
        c.write("cut.zip", f.read()[:-30])
    run("yes | " + c.advice("cut.zip"), c.folder)
    return c.opens("whole.zip", "folded")


CASES = {
    "LZMA": check_lzma,
    "SQLite": check_sqlite, "a core dump": check_core, "DHAT": check_massif, "a table of cProfile": check_cprofile, "a histogram and a GC log of a JVM": check_java,
    "a trace of Go": check_go, "a report of low memory of iOS": check_jq, "scalene": check_scalene, "a log of ninja": check_ninja,
    "the log of node --prof": check_node, "stackprof": check_stackprof, "a pointer of Git LFS": check_lfs, "a cut zip archive": check_zip,
}


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    for name, check in CASES.items():
        try:
            attempt(tap, name, check, Check(program, build, scratch, name))
        except Skip as e:
            tap.ok("%s # SKIP %s" % (name, e), [])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
