#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""recordcheck.py BUILD SCRATCH - icecore ps and icecore record, as TAP.

Without a JVM: tests/mk/fakejvm.py answers as one, or misbehaves.  With one on the machine, also on a small program.
perf and ftrace are used where they work.
"""
import concurrent.futures
import fcntl
import os
import pty
import random
import select
import shutil
import signal
import stat
import struct
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import recordadb  # noqa: E402
import recordandroid  # noqa: E402
import tap  # noqa: E402
from check import Tap, attempt  # noqa: E402

MOMENTS = 50    # of each signal that ends a recording
JVMS = 10       # at the same time
FAKE = os.path.join(HERE, "..", "mk", "fakejvm.py")
JAVA = """
import java.util.*;
public class Busy {
    static final List<byte[]> leak = new ArrayList<>();
    static final class Hoard { byte[] kept = new byte[100000]; }
    static final List<Hoard> hoards = new ArrayList<>();
    static double spin(long ms) {
        double x = 1;
        long end = System.nanoTime() + ms * 1000000L;
        while (System.nanoTime() < end)
            for (int i = 1; i < 1000; i++)
                x += Math.sqrt(x * i) % 7;
        return x;
    }
    static void start(String name, Runnable r) { Thread t = new Thread(r, name); t.setDaemon(true); t.start(); }
    public static void main(String[] a) throws Exception {
        final Object one = new Object(), two = new Object();
        for (int i = 0; i < 2; i++) start("dw-" + i, () -> { while (true) { spin(20); try { Thread.sleep(20); } catch (InterruptedException e) { } } });
        start("left", () -> { synchronized (one) { pause(300); synchronized (two) { } } });
        start("right", () -> { synchronized (two) { pause(300); synchronized (one) { } } });
        for (int i = 0; i < (a.length > 0 ? 1000000 : 50); i++) hoards.add(new Hoard());
        System.out.println("ready");
        System.out.flush();
        System.in.read();
    }
    static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { } }
}
"""


class Bench:
    """The program, and a directory to record in."""

    def __init__(self, build, scratch, srcdir):
        self.program = os.path.abspath(os.environ.get("ICECORE", os.path.join(build, "icecore")))
        self.scratch = scratch
        self.demo = os.path.abspath(os.path.join(srcdir, "demo"))
        self.count = 0

    def room(self):
        self.count += 1
        path = os.path.join(self.scratch, "room%d" % self.count)
        os.mkdir(path)
        return path

    def run(self, *args, **more):
        return subprocess.run([self.program, *args], capture_output=True, check=False, text=True, errors="replace", **more)

    def record(self, room, *args):
        return self.run("record", *args, cwd=room, stdin=subprocess.DEVNULL)

    def start(self, room, *args):
        return subprocess.Popen([self.program, "record", *args], cwd=room, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Fake:
    def __init__(self, bench, *how):
        self.room = bench.room()
        self.log = os.path.join(bench.scratch, "log%d" % bench.count)
        self.process = subprocess.Popen([sys.executable, FAKE, self.log, bench.demo, *how], cwd=self.room)
        self.pid = str(self.process.pid)
        tap.until(lambda: "ready\n" in self.lines())

    def lines(self):
        try:
            with open(self.log, encoding="utf-8") as f:
                return f.readlines()
        except OSError:
            return []

    def requests(self):
        return [line[len("request "):-1] for line in self.lines() if line.startswith("request ")]

    def alive(self):
        return self.process.poll() is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def left(room, pid, *kept):
    """Files that a recording left behind, except these."""
    bad = [n for n in os.listdir(room) if n not in kept]
    bad += [n for n in os.listdir("/tmp") if n in (".attach_pid" + pid, "perf-%s.map" % pid) or n.startswith(".icecore-%s-" % pid)]
    return ["left behind: %s" % bad] if bad else []


def wants(p, code, *texts):
    """That exit code, and these texts among the messages."""
    bad = [] if p.returncode == code else ["exit status %d, not %d: %s" % (p.returncode, code, p.stderr)]
    return bad + ["no '%s' in: %s" % (t, p.stderr) for t in texts if t not in p.stderr]


def shows(p, *texts):
    return ["no '%s' in: %s" % (t, p.stdout[:400]) for t in texts if t not in p.stdout]


# ---- the stand-in --------------------------------------------------------------------------------------------


def check_ps(bench):
    with Fake(bench) as jvm:
        p = bench.run("ps")
        row = [line.split() for line in p.stdout.splitlines() if line.split()[:1] == [jvm.pid]]
        if not row:
            return ["no row", p.stdout]
        bad = [] if "JVM" in row[0] and row[0][-1] == "com.example.Main" else row
        return bad + ([] if row[0][-5:-1] == ["43", "MiB", "200", "MiB"] else row) + ([] if p.returncode == 0 else [p.stderr])


def check_heap(bench):
    with Fake(bench) as jvm:
        p = bench.record(jvm.room, "heap", jvm.pid, "-o", "a.hprof", "-e", "info | where field == 'format'", "--", "--no-index")
        bad = wants(p, 0, "heap dump of %s (Main, 50 MiB used): runs a full GC, then pauses the JVM" % jvm.pid, "wrote a.hprof") + shows(p, "format\t")
        bad += left(jvm.room, jvm.pid, "a.hprof")
        if stat.S_IMODE(os.stat(os.path.join(jvm.room, "a.hprof")).st_mode) != 0o600:
            bad.append("others can read the dump")
        asked = jvm.requests()
        if len(asked) != 2 or asked[0] != "1|jcmd|GC.heap_info||" or not asked[1].startswith("1|dumpheap|" + os.path.realpath(jvm.room) + "/.icecore-") or \
                not asked[1].endswith("|-live|"):
            bad.append(asked)
        p = bench.record(jvm.room, "heap", jvm.pid, "-o", "a.hprof")
        bad += wants(p, 2, "already exists") + ([] if len(jvm.requests()) == 2 else ["asked although the file exists"])
        p = bench.record(jvm.room, "heap", jvm.pid, "--all", "--no-open")
        names = [n for n in os.listdir(jvm.room) if n.startswith("Main-%s-20" % jvm.pid) and n.endswith(".hprof")]
        return bad + wants(p, 0) + ([] if len(names) == 1 and jvm.requests()[-1].endswith("|-all|") else [names])


def check_dry(bench):
    with Fake(bench) as jvm:
        bad = []
        for args in (("heap",), ("histogram",), ("threads",), ("jfr",)):
            bad += wants(bench.record(jvm.room, args[0], jvm.pid, "--dry-run"), 0, "of %s (Main" % jvm.pid)
        return bad + left(jvm.room, jvm.pid) + ([] if jvm.lines() == ["ready\n"] else jvm.lines())


def check_space(bench):
    with Fake(bench) as jvm:
        p = bench.record(jvm.room, "heap", jvm.pid, "--reserve", "1000000g")
        return wants(p, 4, "not enough space: 60 MiB needed,", " free;") + left(jvm.room, jvm.pid)


def check_histogram(bench):
    with Fake(bench) as jvm:
        p = bench.record(jvm.room, "histogram", jvm.pid)
        rows = [line.split()[-1] for line in p.stdout.splitlines()[1:]]
        bad = wants(p, 0) + ([] if "\x1b" not in p.stdout and len(rows) == 4 and rows[0].startswith("com.example.Evil") else [p.stdout])
        p = bench.record(jvm.room, "histogram", jvm.pid, "--every", "50ms", "-n", "3")
        parts = p.stdout.split("\n\n")
        bad += wants(p, 0) + ([] if len(parts) == 2 else [p.stdout])
        for part, grown in zip(parts, ("11.7", "23.4")):
            first = part.splitlines()[1].split()
            bad += [] if first[0] == "+" + grown and first[-1] == "com.example.Leak" else [first]
        return bad + left(jvm.room, jvm.pid)


def check_threads(bench):
    with Fake(bench) as jvm:
        p = bench.record(jvm.room, "threads", jvm.pid, "-n", "3", "--every", "100ms", "-o", "t.txt", "-e", "thread_dumps | count", "-e", "deadlocks | count", "--", "--no-index")
        bad = wants(p, 0, "3 thread dumps of %s" % jvm.pid) + ([] if p.stdout.split() == ["count", "3", "count", "6"] else [p.stdout])
        return bad + left(jvm.room, jvm.pid, "t.txt") + ([] if jvm.requests() == ["1|threaddump|-l|-e|"] * 3 else jvm.requests())


def check_jfr(bench):
    with Fake(bench) as jvm:
        p = bench.record(jvm.room, "jfr", jvm.pid, "100ms", "-o", "a.jfr", "-e", "info | where field == 'format'", "--", "--no-index")
        bad = wants(p, 0, "for 100 ms") + shows(p, "Java Flight Recorder") + left(jvm.room, jvm.pid, "a.jfr")
        asked = [r.split("|")[2].split()[0] for r in jvm.requests()]
        bad += [] if asked == ["JFR.check", "JFR.start", "JFR.dump", "JFR.stop"] else asked
        p = bench.record(jvm.room, "jfr", jvm.pid, "-o", "b.jfr", "--no-open")
        asked = [r.split("|")[2] for r in jvm.requests()[4:]]
        bad += wants(p, 0, "continues") + ([] if len(asked) == 2 and asked[1].startswith("JFR.dump name=3 filename=") else asked)
        bad += wants(bench.record(jvm.room, "jfr", jvm.pid, "1s", "--settings", "a b"), 2, "does not name settings")
    with Fake(bench, "idle", "unwilling") as jvm:
        bad += wants(bench.record(jvm.room, "jfr", jvm.pid), 2, "no active recording")
        bad += wants(bench.record(jvm.room, "jfr", jvm.pid, "1s"), 4, "No recording is possible")
        return bad + left(jvm.room, jvm.pid)


def until(condition):
    end = time.time() + 30
    while not condition() and time.time() < end:
        time.sleep(0.02)
    return [] if condition() else ["it does not happen"]


def check_killed(bench):
    """The next icecore ends the recording of a killed one; that of a living one continues."""
    with Fake(bench) as jvm:
        other = bench.start(jvm.room, "jfr", jvm.pid, "100s", "-o", "other.jfr", "--no-open")
        bad = until(lambda: len([r for r in jvm.requests() if "JFR.start" in r]) == 1)
        p = bench.start(jvm.room, "jfr", jvm.pid, "100s", "--no-open")
        bad += until(lambda: len([r for r in jvm.requests() if "JFR.start" in r]) == 2)
        p.kill()
        os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)     # a zombie, as its parent does not wait for it
        dead = p
        names = [r.split("name=")[1].split()[0] for r in jvm.requests() if "JFR.start" in r]
        p = bench.record(jvm.room, "jfr", jvm.pid, "-o", "a.jfr", "--no-open")
        bad += wants(p, 0, "ends a flight recording that a killed icecore left: " + names[-1])
        dead.communicate()
        stopped = [r for r in jvm.requests() if "JFR.stop" in r]
        bad += [] if stopped == ["1|jcmd|JFR.stop name=%s||" % names[-1]] else stopped
        other.send_signal(signal.SIGINT)
        other.communicate()
        return bad + ([] if other.returncode == 0 else ["the other recording failed"]) + left(jvm.room, jvm.pid, "a.jfr", "other.jfr")


def stop(jvm):
    os.kill(jvm.process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, jvm.process.pid, os.WSTOPPED | os.WNOWAIT)


def check_stopped(bench):
    """A JVM that is stopped, or does not answer, does not hold icecore."""
    bad = []
    with Fake(bench) as jvm:
        stop(jvm)
        p = bench.record(jvm.room, "threads", jvm.pid)
        bad += wants(p, 4, "is stopped, by a signal or a debugger", "kill -CONT " + jvm.pid)
        os.kill(jvm.process.pid, signal.SIGCONT)
        bad += jvm.lines()[1:] + wants(bench.record(jvm.room, "threads", jvm.pid, "-o", "t.txt", "--no-open"), 0) + left(jvm.room, jvm.pid, "t.txt")
    with Fake(bench, "slow") as jvm:
        p = bench.start(jvm.room, "heap", jvm.pid, "--no-open")
        bad += until(lambda: [n for n in os.listdir(jvm.room) if n.startswith(".icecore-")])
        stop(jvm)
        told = p.communicate(timeout=300)[1]
        os.kill(jvm.process.pid, signal.SIGCONT)
        bad += [] if p.returncode == 4 and "is stopped" in told else [p.returncode, told]
        bad += left(jvm.room, jvm.pid)
    return bad


def check_timeout(bench):
    """--timeout is one limit for all answers, however they come: a byte does not renew it, and a full queue does not keep it off."""
    def late(jvm, how, limit, asked, *kinds):
        """These recordings, and the requests of all."""
        bad = []
        with jvm:
            for kind, *words in kinds:
                p = bench.run("record", kind, jvm.pid, *words, "--timeout", limit.replace(" ", ""), cwd=jvm.room, stdin=subprocess.DEVNULL, timeout=tap.PATIENCE)
                bad += ["%s, %s: %s" % (how, kind, b) for b in wants(p, 4, "has not answered for %s; --timeout" % limit)]
                bad += ["the file that may come is not told: " + p.stderr] if how == "mute=dumpheap" and "may still write" not in p.stderr else []
            got = [(r.split("|")[2] if "|jcmd|" in r else r.split("|")[1]).split(" ")[0] for r in jvm.requests()]
            return bad + ([] if got == asked else ["%s: asked %s" % (how, got)]) + left(jvm.room, jvm.pid)
    kinds = ("threads",), ("heap",), ("jfr",), ("jfr", "1s"), ("histogram",)
    first, heap, jfr = ["threaddump", "GC.heap_info", "JFR.check", "JFR.check", "inspectheap"], ["GC.heap_info", "dumpheap"], ["JFR.check", "JFR.start", "JFR.dump", "JFR.stop"]
    cases = [(how, "300 ms", asked, *kinds) for how, asked in (("mute", first), ("dribble", first), ("crowded", []), ("deaf", []))]
    for how in "mute", "dribble":
        cases += [(how + "=dumpheap", "1 s", heap, ("heap",)), (how + "=JFR.dump", "1 s", jfr, ("jfr", "10ms"))]
    with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
        return sum(pool.map(lambda c: late(*c), [(Fake(bench, c[0]), *c) for c in cases]), [])


def check_cut(bench):
    """A file that icecore cannot read is not a recording that was written."""
    with Fake(bench, "cut") as jvm:
        p = bench.record(jvm.room, "jfr", jvm.pid, "10ms", "-o", "a.jfr")
        bad = wants(p, 5, "a.jfr: the recording (8 KiB) cannot be read: ", "nothing can be read") + (["it was written"] if "wrote" in p.stderr else [])
        p = bench.record(jvm.room, "heap", jvm.pid, "-o", "a.hprof", "--no-open")
        return bad + wants(p, 3, "a.hprof: the recording (8 KiB) is damaged: ") + left(jvm.room, jvm.pid, "a.jfr", "a.hprof")


def check_perf_fails(bench):
    """A perf that fails: its message, or how it ended."""
    room, bad = bench.room(), []
    for script, text in (("exit 1", "perf record failed without a message (exit status 1)"), ("kill -XFSZ $$", "perf record was ended by signal %d" % signal.SIGXFSZ),
                         ("echo; echo no counters >&2; exit 3", "perf record failed: no counters")):
        with open(os.path.join(room, "perf"), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\n" + script + "\n")
        os.chmod(f.name, 0o755)
        p = bench.run("record", "cpu", str(os.getpid()), "10ms", "-o", "c.txt", cwd=room, env={**os.environ, "PATH": room + ":" + os.environ["PATH"]})
        bad += wants(p, 4, text) + [n for n in os.listdir(room) if n != "perf"]
    return bad


FAKE_PERF = """#!/bin/sh
[ "$1" = script ] && { printf 'a 1/1 1.000000: 1 cpu-clock: \\n\\t 1 f (/x)\\n\\n'; exit; }
while [ "$1" != -o ]; do shift; done
echo recording >"$2"
"""


def stand_in(room, name, text):
    with open(os.path.join(room, name), "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(f.name, 0o755)
    return {**os.environ, "PATH": room + ":" + os.environ["PATH"]}


def check_names(bench):
    """The JVM is asked for names of threads only if one is cut, and not for its own threads."""
    bad = []
    for name, asked, text in (("dw-1", False, ", 0 of them cut at 15 letters; the JVM was not stopped"), ("C2 CompilerThread0", False, "1 of them cut at 15 letters, all of the JVM itself"),
                              ("dw-connection-12", True, "1 are cut at 15 letters, so a thread dump was taken")):
        with Fake(bench, "named=" + name) as jvm:
            env = stand_in(jvm.room, "perf", FAKE_PERF)
            p = bench.run("record", "cpu", jvm.pid, "10ms", "-o", "c.txt", "--no-open", cwd=jvm.room, env=env)
            bad += wants(p, 0, "names of threads: 3 from /proc/%s/task" % jvm.pid, text)
            bad += [] if asked == any("threaddump" in r for r in jvm.requests()) else [name, jvm.requests()]
            bad += left(jvm.room, jvm.pid, "perf", "c.txt", *(["c.txt.threads.txt"] if asked else []))
    return bad


def bpftrace_works():
    try:
        return os.geteuid() == 0 and b"@n" in subprocess.run(["bpftrace", "-q", "-e", "tracepoint:sched:sched_switch { @n = count(); exit(); }"],
                                                              capture_output=True, check=False, timeout=tap.PATIENCE).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False


SLEEPER = "import threading, time\nopen('/proc/thread-self/comm', 'w').write('main one')\nprint('ready', flush=True)\nwhile True: time.sleep(0.01)\n"


def check_offcpu(bench):
    """A process that only sleeps is off its CPU nearly all the time, in one thread."""
    with subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE) as p:
        p.stdout.readline()
        room = bench.room()
        r = bench.record(room, "offcpu", str(p.pid), "1s", "-o", "o.txt", "-e", "threads | select name pid total", "-e", "methods | where name ~ /nanosleep/ | count",
                         "--", "--no-index")
        p.kill()
    bad = wants(r, 0, "by bpftrace: the machine switches", "switches of the process cost about 10 us more", "names of threads: 1 from") + shows(r, "main one")
    row = [line.split("\t") for line in r.stdout.splitlines() if line.startswith("main one")]
    bad += [] if row and row[0][1] == str(p.pid) and 0.5e9 < int(row[0][2]) < 1.5e9 else [r.stdout]
    return bad + ([] if not r.stdout.endswith("count\n0\n") else ["no sleep"]) + [n for n in os.listdir(room) if n != "o.txt"]


WAITING = """#!/bin/sh
echo "off-CPU time of process 1 (ns), by bpftrace"
trap 'printf "@offcpu_ns[\\n    __schedule+1\\n, \\n    __futex_abstimed_wait_common+1\\n, 1, 17, other]: count 1, average 5000, total 5000\\n"; exit 0' INT
while :; do sleep 0.02; done
"""


def check_offcpu_jvm(bench):
    """Stacks of a JVM end before the frames of Java: its thread dump says where the threads were."""
    with Fake(bench, "named=dw-1") as jvm:
        r = bench.run("record", "offcpu", jvm.pid, "10ms", "-o", "o.txt", "-e", "overview | where line = 'most time' | select value subject", "--", "--no-index",
                      cwd=jvm.room, env=stand_in(jvm.room, "bpftrace", WAITING))
        bad = wants(r, 0, "stacks end below the frames of Java: a thread dump was taken") + shows(r, "5000\tother, in com.example.Main.two by the thread dump")
        return bad + left(jvm.room, jvm.pid, "bpftrace", "o.txt", "o.txt.threads.txt")


def check_offcpu_ftrace(bench):
    """A bpftrace that fails: the switches of the process, and the reason."""
    room = bench.room()
    env = stand_in(room, "bpftrace", "#!/bin/sh\necho no BPF here >&2\nexit 1\n")
    with subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE) as p:
        p.stdout.readline()
        r = bench.run("record", "offcpu", str(p.pid), "500ms", "-o", "o.txt", "-e", "tasks | where pid == %d | select off_cpu" % p.pid, "--", "--no-index", cwd=room, env=env)
        p.kill()
    bad = wants(r, 0, "no BPF here; ftrace records the switches, without stacks", "scheduler of process %d" % p.pid)
    off = r.stdout.split()[1:]
    return bad + ([] if off and int(off[0]) > 0.005e9 else [r.stdout]) + [n for n in os.listdir(tracefs()) if n.startswith("icecore-")]


def check_refused(bench):
    bad = []
    with Fake(bench, "nojvm") as other:
        bad += wants(bench.record(other.room, "threads", other.pid), 2, "is not a JVM") + other.lines()[1:]
    with subprocess.Popen(["sleep", "100"]) as sleep:
        bad += wants(bench.record(bench.room(), "heap", str(sleep.pid)), 2, "is not a JVM")
        bad += [] if sleep.poll() is None else ["sleep was ended"]
        sleep.kill()
    with Fake(bench, "xrs") as jvm:
        bad += wants(bench.record(jvm.room, "threads", jvm.pid), 2, "does not handle SIGQUIT") + ([] if jvm.alive() else ["the JVM was ended"])
    with Fake(bench, "disabled") as jvm:
        bad += wants(bench.record(jvm.room, "threads", jvm.pid), 2, "DisableAttachMechanism") + jvm.lines()[1:]
    with Fake(bench, "deaf") as jvm:
        bad += wants(bench.record(jvm.room, "threads", jvm.pid), 4, "does not take requests") + left(jvm.room, jvm.pid)
    for args, text in ((("heap",), "takes PID"), (("heap", "x"), "not a process id"), (("hea", "1"), "use heap, histogram"), ((), "the kind of recording"),
                       (("heap", "999999999"), "no process"), (("heap", "1", "2"), "too many"), (("cpu", "1"), "with a time"), (("sched",), "with a time"),
                       (("threads", "1", "-n", "2"), "needs --every"), (("heap", "1", "--every", "1s"), "unknown option"),
                       (("heap", "1", "--no-open", "-e", "info"), "leaves nothing")):
        bad += wants(bench.record(bench.room(), *args), 2, text)
    return bad


def check_hostile(bench):
    bad = []
    for how, text in (("nocode", "did not answer as a JVM"), ("nothing", "did not answer as a JVM"), ("longcode", "did not answer as a JVM"),
                      ("stranger", "nothing was sent"), ("loop", "does not take requests")):
        with Fake(bench, how) as jvm:
            p = bench.record(jvm.room, "threads", jvm.pid)
            bad += wants(p, 4, text) + left(jvm.room, jvm.pid) + (jvm.requests() if how in ("stranger", "loop") else [])
    with Fake(bench, "silent") as jvm:
        bad += wants(bench.record(jvm.room, "jfr", jvm.pid, "10ms"), 4, "starts no recording") + wants(bench.record(jvm.room, "jfr", jvm.pid), 2, "no active")
        bad += wants(bench.record(jvm.room, "histogram", jvm.pid), 4, "without a histogram")
        bad += left(jvm.room, jvm.pid)
    with Fake(bench, "linked") as jvm:
        bad += wants(bench.record(jvm.room, "heap", jvm.pid, "--no-open"), 4, "wrote no recording") + left(jvm.room, jvm.pid)
    with Fake(bench, "nowhere") as jvm:
        bad += wants(bench.record(jvm.room, "heap", jvm.pid, "--no-open"), 4, "wrote no recording") + left(jvm.room, jvm.pid)
    with Fake(bench) as jvm:
        os.chmod(jvm.room, 0o500)
        if os.geteuid() != 0:
            bad += wants(bench.record(jvm.room, "heap", jvm.pid), 4) + left(jvm.room, jvm.pid)
        os.chmod(jvm.room, 0o700)
    return bad


def signals_at(bench, jvm, moments):
    """Signals at these moments of recordings of a slow JVM: a heap dump and a flight recording in turn."""
    bad = []
    with jvm:
        for i, (sig, moment) in enumerate(moments):
            p = bench.start(jvm.room, *(("heap", jvm.pid) if i % 2 else ("jfr", jvm.pid, "1s")), "--no-open")
            time.sleep(moment)
            p.send_signal(sig)
            try:
                told = p.communicate(timeout=300)[1]
            except subprocess.TimeoutExpired:
                p.kill()
                return bad + ["%s does not end by signal %d" % (p.args, sig)]
            kept = [n for n in os.listdir(jvm.room) if n.endswith(".jfr") and sig == signal.SIGINT] if p.returncode == 0 else []
            early = -sig if p.returncode == -sig else None
            if p.returncode not in (0, 130, early):
                bad.append("exit status %d by signal %d: %s" % (p.returncode, sig, told))
            bad += left(jvm.room, jvm.pid, *kept)
            for n in kept:
                os.unlink(os.path.join(jvm.room, n))
    started = [r for r in jvm.requests() if "JFR.start" in r]
    if len(started) > len([r for r in jvm.requests() if "JFR.stop" in r]):
        bad.append("a recording was not stopped")
    return bad


def check_signals(bench):
    """Whenever a signal comes, nothing is left, and an interrupted series of dumps is kept."""
    choose = random.Random(int(os.environ.get("TEST_DAY", "0")))
    moments = [(sig, choose.random() * 0.8) for sig in [signal.SIGINT, signal.SIGTERM] * MOMENTS + [signal.SIGHUP] * (MOMENTS // 5)]
    choose.shuffle(moments)
    with concurrent.futures.ThreadPoolExecutor(JVMS) as pool:
        bad = sum(pool.map(lambda k: signals_at(bench, k[0], k[1]), [(Fake(bench, "slow"), moments[i::JVMS]) for i in range(JVMS)]), [])
    with Fake(bench) as jvm:
        p = bench.start(jvm.room, "threads", jvm.pid, "-n", "100", "--every", "200ms", "-o", "t.txt", "--no-open")
        tap.until(lambda: len(jvm.requests()) >= 2)
        p.send_signal(signal.SIGINT)
        p.communicate()
        bad += ([] if p.returncode == 0 else [p.returncode]) + left(jvm.room, jvm.pid, "t.txt")
        bad += [] if os.path.exists(os.path.join(jvm.room, "t.txt")) else ["the dumps before the interrupt are lost"]
    return bad


class Terminal:
    """icecore record on a terminal."""

    def __init__(self, bench, room, *words):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(room)
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", XDG_STATE_HOME=room, XDG_CONFIG_HOME=room)
            os.execv(bench.program, [bench.program, "record", *words])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))

    def until(self, *texts):
        end = time.monotonic() + tap.PATIENCE
        while time.monotonic() < end and not all(t in self.seen for t in texts):
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.fd, 65536)
                except OSError:
                    break
        return ["no %s on the screen" % (t,) for t in texts if t not in self.seen]

    def press(self, keys, *texts):
        os.write(self.fd, keys)
        return self.until(*texts)

    def end(self, sig=None):
        """Its status at its end; sig ends it."""
        if sig:
            os.kill(self.pid, sig)
            os.close(self.fd)
        else:
            self.until(b"no such text")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def check_pane(bench):
    """On a terminal a histogram is a pane: w writes a table, Enter opens a dump with the objects of the class."""
    with Fake(bench) as jvm:
        t = Terminal(bench, jvm.room, "histogram", jvm.pid, "--every", "200ms", "--", "--no-index", "--no-history")
        bad = t.until(b"by growth, histogram 3", b"com.example.Leak", "\u2581".encode())
        bad += t.press(b"w", b"wrote ./Main-")
        bad += t.press(b"k\r", b"heap dump of " + jvm.pid.encode(), b"objects 'com.example.Leak'")
        t.end(signal.SIGTERM)
        kept = os.listdir(jvm.room)
        tables = [n for n in kept if n.endswith(".classes.tsv")]
        bad += [] if len(tables) == 1 else kept
        for n in tables:
            p = bench.run("--no-index", "--path", "class", "--weight", "growth", "-e", "methods | top 1 total | select name", os.path.join(jvm.room, n))
            bad += shows(p, "com.example.Leak")
        return bad + left(jvm.room, jvm.pid, *[n for n in kept if not n.startswith(".")])


def check_live(bench):
    """--live shows the overview of what is recorded so far, and q ends the recording and keeps it."""
    with Fake(bench) as jvm:
        refused = ((("heap", jvm.pid), "use threads, jfr, cpu or sched"), (("threads", jvm.pid), "needs a terminal"))
        bad = [b for words, text in refused for b in wants(bench.record(jvm.room, *words, "--live"), 2, text)]
        for words, file, text in ((("threads", jvm.pid, "-n", "900", "--every", "200ms"), "a.txt", b"2 threads wait for each other"),
                                  (("jfr", jvm.pid, "100s"), "b.jfr", b"threads waited 14.5 s"), (("jfr", jvm.pid), "c.jfr", b"threads waited 14.5 s")):
            t = Terminal(bench, jvm.room, *words, "--live", "-o", file, "--no-open")
            bad += t.until(b"of %s (Main): the first" % jvm.pid.encode(), text, b"q: end the recording") + t.press(b"q", b"wrote " + file.encode())
            bad += ["%s: status %d" % (words, code) for code in [t.end()] if code]
        t = Terminal(bench, jvm.room, "jfr", jvm.pid, "100s", "--live", "-o", "d.jfr", "--no-open")
        bad += t.until(b"threads waited 14.5 s")
        bad += [code for code in [t.end(signal.SIGTERM)] if code not in (-signal.SIGTERM, -signal.SIGHUP)]
        asked = "\n".join(jvm.requests())
        bad += [] if asked.count("JFR.dump") >= 5 and asked.count("JFR.start") == asked.count("JFR.stop") == 2 else [asked]
        return bad + left(jvm.room, jvm.pid, "a.txt", "b.jfr", "c.jfr")


def check_live_cpu(bench):
    """perf samples piece by piece; the recording ends with the process."""
    room, busy = bench.room(), subprocess.Popen([sys.executable, "-c", "while True: pass"])
    t = Terminal(bench, room, "cpu", str(busy.pid), "100s", "--live", "-o", "c.txt", "--no-open")
    bad = t.until(b"busiest", b"q: end the recording")
    busy.kill()
    busy.wait()
    bad += t.until(b"wrote c.txt") + [code for code in [t.end()] if code]
    return bad + [n for n in os.listdir(room) if n != "c.txt"]


# ---- other users and containers ---------------------------------------------------------------------------------


def child_of(parent):
    """Its only child, "": none.  /proc/PID/task/PID/children may leave out children while others end."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
                if f.read().rpartition(")")[2].split()[1] == str(parent):
                    return pid
        except OSError:
            pass
    return ""


class Contained(Fake):
    """The stand-in in a PID and mount namespace of its own."""

    def __init__(self, bench):
        self.room = bench.room()
        self.log = os.path.join(bench.scratch, "log%d" % bench.count)
        script = 'exec 9>>"$1" && mount -t tmpfs none /tmp && exec "$2" "$3" /proc/self/fd/9 "$4"'
        self.process = subprocess.Popen(["unshare", "--pid", "--mount", "--fork", "--kill-child", "sh", "-c", script, "sh", self.log, sys.executable,
                                         os.path.abspath(FAKE), bench.demo])
        tap.until(lambda: "ready\n" in self.lines())
        self.pid = tap.until(lambda: child_of(self.process.pid))

    def __exit__(self, *_):
        if self.pid:
            os.kill(int(self.pid), signal.SIGKILL)
        self.process.wait()


def namespaces():
    try:
        return os.geteuid() == 0 and subprocess.run(["unshare", "--pid", "--mount", "--fork", "mount", "-t", "tmpfs", "none", "/tmp"],
                                                     capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def check_container(bench):
    with Contained(bench) as jvm:
        row = [line.split() for line in bench.run("ps").stdout.splitlines() if line.split()[:1] == [jvm.pid]]
        bad = [] if row and row[0][1] == "1" and row[0][-1] == "com.example.Main" else ["ps: %s" % row]
        p = bench.record(jvm.room, "heap", jvm.pid, "-o", "a.hprof", "-e", "info | where field == 'format'", "--", "--no-index")
        bad += wants(p, 0) + shows(p, "format\t")
        bad += [] if jvm.requests() and jvm.requests()[-1].startswith("1|dumpheap|/tmp/.icecore-") else jvm.requests()
        bad += ["left in the container: " + n for n in os.listdir("/proc/%s/root/tmp" % jvm.pid) if n.startswith((".icecore", ".attach"))]
        bad += wants(bench.record(jvm.room, "threads", jvm.pid, "--no-open", "-o", "t.txt"), 0)
        return bad + left(jvm.room, jvm.pid, "a.hprof", "t.txt")


def check_users(bench):
    """Another user gets the way out, and no signal is sent."""
    with Fake(bench) as jvm:
        # Who builds in a home of his own has a program that others do not reach.
        copy = shutil.copy(bench.program, bench.scratch)
        other = {"user": 65534, "group": 65534, "extra_groups": (), "executable": copy}
        os.chmod(bench.scratch, 0o755)
        p = bench.run("record", "threads", jvm.pid, cwd="/", **other)
        bad = wants(p, 4, "belongs to root; run this as that user: sudo -u root") + jvm.lines()[1:]
        p = bench.run("ps", cwd="/", **other)
        return bad + wants(p, 0, "processes of other users") + ([] if "com.example.Main" not in p.stdout else ["the counters are readable"])


def fill(directory, room):
    """Leave only that room on a disk."""
    space = os.statvfs(directory)
    with open(os.path.join(directory, "fill"), "wb") as f:
        f.write(b"x" * (space.f_bavail * space.f_frsize - room))


def check_full(bench):
    """A disk that is too small: the JVM says so, and nothing is left."""
    with Fake(bench) as jvm:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", jvm.room], check=False).returncode != 0:
            return ["no tmpfs"]
        bad = wants(bench.record(jvm.room, "heap", jvm.pid), 4, "not enough space") + left(jvm.room, jvm.pid)
        p = bench.record(jvm.room, "jfr", jvm.pid, "10ms")
        bad += wants(p, 0 if p.returncode == 0 else 4)
        bad += [n for n in os.listdir(jvm.room) if n.startswith(".")]
        with open(os.path.join(jvm.room, "perf"), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\necho cannot write the data >&2; exit 1\n")
        os.chmod(f.name, 0o755)
        fill(jvm.room, 8192)
        p = bench.run("record", "cpu", jvm.pid, "10ms", cwd=jvm.room, env={**os.environ, "PATH": jvm.room + ":" + os.environ["PATH"], "TMPDIR": jvm.room})
        bad += wants(p, 4, "perf record failed: cannot write the data; no space left in .")
    with Fake(bench, "cut") as cut:
        p = bench.record(jvm.room, "jfr", cut.pid, "10ms", "-o", "a.jfr")
        bad += wants(p, 5, "a.jfr: the recording (8 KiB) cannot be read: ", "; no space left in .")
    subprocess.run(["umount", jvm.room], check=False)
    return bad


# ---- the scheduler ---------------------------------------------------------------------------------------------


def tracefs():
    for path in ("/sys/kernel/tracing/instances", "/sys/kernel/debug/tracing/instances"):
        if os.access(path, os.W_OK):
            return path
    return None


def check_sched(bench):
    room = bench.room()
    p = bench.record(room, "sched", "600ms", "--every", "200ms", "-o", "s.txt", "-e", "tasks | where off_cpu > 0 | count", "--", "--no-index")
    bad = wants(p, 0, "scheduler of all CPUs for 600 ms") + shows(p, "came back to a CPU", "count\n")
    bad += [n for n in os.listdir(tracefs()) if n.startswith("icecore-")]
    bad += wants(bench.record(room, "sched", "1s", "--cpu", "4000"), 2, "no CPU 4000")
    for sig, code in ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGQUIT, -signal.SIGQUIT)):
        p = bench.start(room, "sched", "100s", "-o", "x.txt", "--no-open")
        tap.until(lambda: [n for n in os.listdir(tracefs()) if n.startswith("icecore-")])
        time.sleep(0.3)
        p.send_signal(sig)
        p.communicate()
        bad += [] if p.returncode == code else ["exit status %d by signal %d" % (p.returncode, sig)]
        bad += ["instance left: " + n for n in os.listdir(tracefs()) if n.startswith("icecore-")]
        if os.path.exists(os.path.join(room, "x.txt")):
            os.unlink(os.path.join(room, "x.txt"))
    return bad + [n for n in os.listdir(room) if n != "s.txt"]


# ---- a JVM ----------------------------------------------------------------------------------------------------------


class Java:
    def __init__(self, bench, classes):
        self.room = bench.room()
        self.process = subprocess.Popen(["java", "-Xmx64m", "-XX:+PreserveFramePointer", "-cp", classes, "Busy"], cwd=self.room, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.process.stdout.readline()
        time.sleep(0.5)
        self.pid = str(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate(b"\n")


def jcmd(pid, *words):
    return subprocess.run(["jcmd", pid, *words], capture_output=True, check=False, text=True).stdout


def check_java(bench, classes):
    with Java(bench, classes) as jvm:
        room, pid = jvm.room, jvm.pid
        bad = shows(bench.run("ps"), "  Busy\n")
        p = bench.record(room, "heap", pid, "-o", "a.hprof", "-e", "histogram | where name == 'Busy$Hoard' | select objects", "--", "--no-index")
        bad += wants(p, 0) + ([] if p.stdout.split() == ["objects", "50"] else [p.stdout])
        p = bench.record(room, "histogram", pid)
        bad += wants(p, 0) + shows(p, "Busy$Hoard\n", "[B\n")
        p = bench.record(room, "threads", pid, "-o", "t.txt", "-e", "deadlocks | select thread", "--", "--no-index")
        bad += wants(p, 0) + shows(p, "left\n", "right\n")
        p = bench.record(room, "jfr", pid, "2s", "-o", "a.jfr", "-e", "info | where field == 'format'", "--", "--no-index")
        bad += wants(p, 0) + shows(p, "Java Flight Recorder")
        p = bench.start(room, "jfr", pid, "100s", "--no-open")
        told = [p.stderr.readline()]
        bad += until(lambda: "icecore-%d-" % p.pid in jcmd(pid, "JFR.check"))
        p.kill()
        p.communicate()
        bad += wants(bench.record(room, "jfr", pid, "1s", "-o", "b.jfr", "--no-open"), 0, "ends a flight recording that a killed icecore left: icecore-%d-" % p.pid)
        bad += [] if "icecore-" not in jcmd(pid, "JFR.check") else [told, "a recording is left"]
        return bad + left(room, pid, "a.hprof", "t.txt", "a.jfr", "b.jfr")


def check_oom(bench, classes):
    """The printed options make a JVM leave a dump, and triage finds it."""
    room = bench.room()
    p = bench.record(room, "heap", "--on-oom", room)
    options = [line.split() for line in p.stdout.splitlines() if line.startswith("-XX:")]
    bad = wants(p, 0) + shows(p, "JAVA_TOOL_OPTIONS=-XX:+HeapDump", "mountPath: " + room) + wants(bench.record(room, "heap", "--on-oom", "a b"), 2, "absolute path")
    if not options:
        return bad + ["no options"]
    dead = subprocess.run(["java", "-Xmx16m", *options[0], "-cp", classes, "Busy", "full"], cwd=room, capture_output=True, check=False, input=b"")
    bad += [] if dead.returncode == 3 and [n for n in os.listdir(room) if n.endswith(".hprof")] else [dead.returncode, os.listdir(room), dead.stderr]
    p = bench.run("triage", "-o", os.path.join(bench.scratch, "rows"), room)
    return bad + wants(p, 0)


def check_cpu(bench, classes):
    with Java(bench, classes) as jvm:
        p = bench.record(jvm.room, "cpu", jvm.pid, "2s", "-F", "199", "-o", "c.txt", "-e", "threads | top 2 total | select name", "-e", "methods | where name ~ /Busy.spin/ | count",
                         "--", "--no-index")
        return wants(p, 0) + shows(p, "dw-0", "dw-1") + ([] if not p.stdout.endswith("count\n0\n") else ["no names of compiled code"]) + \
            left(jvm.room, jvm.pid, "c.txt", "c.txt.threads.txt")


class ContainedJava(Java):
    """The program in a PID and mount namespace of its own, which sees neither /tmp nor the classes of this machine."""

    def __init__(self, bench, classes):
        self.room = bench.room()
        script = 'mount -t tmpfs none /mnt && cp -r "$1"/. /mnt && mount -t tmpfs none /tmp && exec java -Xmx64m -XX:+PreserveFramePointer -cp /mnt Busy'
        self.process = subprocess.Popen(["unshare", "--pid", "--mount", "--fork", "--kill-child", "sh", "-c", script, "sh", classes], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.process.stdout.readline()
        time.sleep(0.5)
        self.pid = child_of(self.process.pid)


def check_contained_cpu(bench, classes):
    """The JVM writes the names of its compiled code inside its container."""
    with ContainedJava(bench, classes) as jvm:
        p = bench.record(jvm.room, "cpu", jvm.pid, "2s", "-F", "199", "-o", "c.txt", "-e", "threads | top 2 total | select name",
                         "-e", "methods | where name ~ /Busy.spin/ | count", "--", "--no-index")
        bad = wants(p, 0) + shows(p, "dw-0", "dw-1") + ([] if not p.stdout.endswith("count\n0\n") else ["no names of compiled code"])
        bad += ["left in the container: " + n for n in os.listdir("/proc/%s/root/tmp" % jvm.pid) if n.startswith(("perf-", ".attach", ".icecore"))]
        return bad + left(jvm.room, jvm.pid, "c.txt", "c.txt.threads.txt")


def perf_works(scratch):
    data = os.path.join(scratch, "perf.try")
    try:
        return subprocess.run(["perf", "record", "-q", "-o", data, "--", "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


SHORT = [sys.executable, "-I", "-S", "-c", "import time\ntime.sleep(0.05)\nfor i in range(1000000): pass"]


def check_perf_data(bench):
    """Recordings of perf alone, which icecore reads by perf script: stacks of tracepoints, alone and beside a clock, and calls of the kernel."""
    room, bad = bench.room(), []

    def recorded(*args):
        return subprocess.run(["perf", "record", "-q", *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=room, text=True, check=False)

    def told(*args):
        p = bench.run("--no-index", "-o", "tsv", *args, "real.data", cwd=room)
        lines = p.stdout.splitlines()
        return [int(cell or 0) for cell in lines[1].split("\t")] if len(lines) > 1 else []
    for events in (("-e", "sched:sched_switch"), ("-e", "sched:sched_switch", "-e", "cpu-clock"), ("-e", "sched:sched_switch", "--switch-events")):
        p = recorded(*events, "-g", "-o", "real.data", *SHORT)
        if p.returncode != 0:
            print("# perf record %s: %s" % (" ".join(events), p.stderr.strip()[-200:].replace("\n", " ")))
            continue
        counts = told("-e", "events | where name = sched:sched_switch | select samples no_stack")
        bad += [] if len(counts) == 2 and counts[0] > 0 and counts[1] == 0 else ["%s: samples, and those without a stack: %s" % (events, counts)]
        # Other events do not tell when a thread that was recorded alone returned.
        if "--switch-events" in events:
            waited = told("--event", "off-cpu", "-e", "threads | max total")
            bad += [] if waited and waited[0] >= 50000000 else ["%s: the sleep of 50 ms is not a wait: %s" % (events, waited)]
    p = recorded("-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit", "-o", "real.data", "sleep", "0.05")
    if p.returncode == 0:
        slept = told("-e", "intervals | where what ~ /nanosleep/ | max wall")
        bad += [] if slept and slept[0] >= 50000000 else ["the sleep of 50 ms is not a call of the kernel: %s" % slept]
    return bad


def skip(tap, name, why):
    tap.n += 1
    print("ok %d - %s # SKIP %s" % (tap.n, name, why))


def main():
    build, scratch = sys.argv[1:3]
    bench = Bench(build, scratch, os.environ.get("srcdir", os.path.join(HERE, "..", "..")))
    tap = Tap()
    for name, check in (("ps", check_ps), ("heap dumps", check_heap), ("a dry run asks nothing", check_dry), ("not enough space", check_space),
                        ("histograms", check_histogram), ("thread dumps", check_threads), ("flight recordings", check_jfr),
                        ("recordings of a killed icecore", check_killed), ("a JVM that does not answer", check_stopped), ("--timeout", check_timeout), ("recordings that cannot be read", check_cut),
                        ("a perf that fails", check_perf_fails), ("names of threads", check_names), ("refusals", check_refused), ("hostile answers", check_hostile), ("signals leave nothing behind", check_signals), ("the pane", check_pane), ("overviews of what is recorded", check_live)):
        attempt(tap, name, check, bench)
    for name, check in recordadb.CHECKS:
        attempt(tap, name, check, bench, wants, shows)
    for name, check in (("containers", check_container), ("other users", check_users), ("a full disk", check_full)):
        if namespaces():
            attempt(tap, name, check, bench)
        else:
            skip(tap, name, "needs root and namespaces")
    if tracefs():
        attempt(tap, "the scheduler", check_sched, bench)
    else:
        skip(tap, "the scheduler", "no tracefs that this user may write")
    for name, check, works, why in (("off-CPU stacks", check_offcpu, bpftrace_works(), "bpftrace does not work here"),
                                    ("off-CPU stacks of a JVM", check_offcpu_jvm, os.geteuid() == 0, "needs root"),
                                    ("off-CPU time without bpftrace", check_offcpu_ftrace, tracefs() and os.geteuid() == 0, "needs root and tracefs")):
        if works:
            attempt(tap, name, check, bench)
        else:
            skip(tap, name, why)
    if perf_works(scratch):
        attempt(tap, "overviews of CPU samples", check_live_cpu, bench)
        attempt(tap, "recordings of perf alone", check_perf_data, bench)
    else:
        skip(tap, "overviews of CPU samples", "perf does not work here")
        skip(tap, "recordings of perf alone", "perf does not work here")
    classes = os.path.join(scratch, "classes")
    os.mkdir(classes)
    with open(os.path.join(classes, "Busy.java"), "w", encoding="utf-8") as f:
        f.write(JAVA)
    java = shutil.which("javac") and shutil.which("java") and \
        subprocess.run(["javac", "-d", classes, os.path.join(classes, "Busy.java")], check=False).returncode == 0
    if java:
        attempt(tap, "a JVM", check_java, bench, classes)
        attempt(tap, "a JVM that runs out of memory", check_oom, bench, classes)
        attempt(tap, "an Android app that runs out of memory", recordandroid.check_android, bench)
    else:
        skip(tap, "a JVM", "no JDK")
        skip(tap, "a JVM that runs out of memory", "no JDK")
        skip(tap, "an Android app that runs out of memory", "no JDK")
    if java and perf_works(scratch):
        attempt(tap, "CPU samples of a JVM", check_cpu, bench, classes)
    else:
        skip(tap, "CPU samples of a JVM", "no JDK, or perf does not work here")
    if java and perf_works(scratch) and namespaces():
        attempt(tap, "CPU samples of a JVM in a container", check_contained_cpu, bench, classes)
    else:
        skip(tap, "CPU samples of a JVM in a container", "needs root, namespaces, a JDK and perf")
    tap.end()


main()
