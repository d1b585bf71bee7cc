#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""bench.py [--big] [BUILD] - what opening and walking a trace costs.

Generates traces of 1 and 10 million records (and 100 with --big) and
measures, beside a raw decode of the same file in the same run: cold open to
the finished call tree, anonymous memory, reopening with an index to the
first screen, and key to frame.  Then how fast names are compared, beside a
plain table of distances, what queries cost inside the program, a regex
beside a bare loop over the same names, and what a Nanoscope trace of 1 GB costs.  Runs are interleaved and medians are shown,
each beside its goal.  The page cache is warm, as after a copy.
"""
import fcntl
import os
import random
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

from dumps import bench_dumps

RUNS = 5
WIDTH, HEIGHT = 120, 40
SHAPE = "-s 9 -r 17"          # 10 million records: 365 thousand nodes
HARD = "-s 9"                 # the same: 3.8 million nodes
SETTLED = 0.02                # quiet for so long: the frame is there
KEYS_MERGED = ("j", "j", "\r", "j", "\x7f", "j", "k", "l", "c", "c", "c", "i", "i")
KEYS_TRACKS = ("+", "+", "+", "+", "+", "l", "l", "h", "l", "-", "-", "-", "-", "-", "0", "]", "]", "[", "\t", "\t")
KEYS_TIME = ("+", "+", "+", "+", "+", "l", "l", "h", "l", "-", "-", "-", "-", "-", "0")


class Bench:
    def __init__(self, build, scratch):
        self.icecore = os.path.join(build, "icecore")
        self.gentrace = os.path.join(build, "tests/mk/gentrace")
        self.floor = os.path.join(build, "tests/bench/floor")
        self.query = os.path.join(build, "tests/bench/query")
        self.lev = os.path.join(build, "tests/bench/lev")
        self.nano = os.path.join(build, "tests/bench/nano")
        self.nanogen = os.path.join(build, "tests/mk/nanogen")
        self.pffloor = os.path.join(build, "tests/bench/pffloor")
        self.genperfetto = os.path.join(build, "tests/mk/genperfetto")
        self.genfolded = os.path.join(build, "tests/mk/genfolded")
        self.scratch = scratch
        self.missed = 0

    def row(self, what, value, unit, goal=None, at_least=False):
        verdict = ""
        if goal is not None:
            good = value >= goal if at_least else value <= goal
            self.missed += not good
            verdict = "ok" if good else "MISSED"
        print("%-66s %10.2f %-4s %10s  %s" % (
            what, value, unit, "" if goal is None else "%s %g" % (">=" if at_least else "<=", goal), verdict))
        sys.stdout.flush()

    def generate(self, records, shape):
        path = os.path.join(self.scratch, "bench.trace")
        subprocess.run([self.gentrace, *shape.split(), "-n", str(records), "-o", path], check=True)
        return path

    def nodes(self, path):
        p = subprocess.run([self.icecore, "--no-index", "-o", "tsv", "-e", "calls | count", path],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        return int(p.stdout.split()[1])

    # ---- opening ---------------------------------------------------------------

    def timed(self, *args):
        start = time.perf_counter()
        p = subprocess.run([self.icecore, *args], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if p.returncode not in (0, 1):     # 1: no rows, as the path to garbage has none
            raise RuntimeError("icecore %s: status %d: %s" % (" ".join(args), p.returncode, p.stderr.decode()))
        return time.perf_counter() - start

    def raw(self, path):
        p = subprocess.run([self.floor, path], stdout=subprocess.PIPE, check=True)
        return float(p.stdout.split()[2])

    def open_times(self, path):
        index = os.path.join(self.scratch, "index")
        floor, cold, kept = [], [], []
        for _ in range(RUNS):
            shutil.rmtree(index, ignore_errors=True)
            os.mkdir(index)
            floor.append(self.raw(path))
            cold.append(self.timed("--no-index", "-e", "calls | count", path))
            kept.append(self.timed("--index", index, "-e", "calls | count", path))
        return [statistics.median(x) for x in (floor, cold, kept)]

    def anonymous(self, path, query="calls | count"):
        """Peak of anonymous memory, sampled, in MiB."""
        p = subprocess.Popen([self.icecore, "--no-index", "-e", query, path],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        peak = 0
        try:
            with open("/proc/%d/status" % p.pid, "rb", buffering=0) as f:
                while p.poll() is None:
                    f.seek(0)
                    text = f.read()
                    at = text.find(b"RssAnon:")
                    if at >= 0:
                        peak = max(peak, int(text[at + 8:text.find(b"kB", at)]))
                    time.sleep(0.0005)
        except ProcessLookupError:
            pass
        p.wait()
        return peak / 1024

    # ---- the screen ----------------------------------------------------------------

    def start(self, path, index):
        pid, fd = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.environ["XDG_STATE_HOME"] = self.scratch
            for name in ("NO_COLOR", "LINES", "COLUMNS"):
                os.environ.pop(name, None)
            os.execv(self.icecore, [self.icecore, "--index", index, path])
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        return pid, fd

    def settle(self, fd, limit=10.0, quiet=SETTLED):
        """Reads until nothing came for a while; (first byte, last byte, bytes) from now."""
        start = time.perf_counter()
        first = last = None
        data = b""
        while time.perf_counter() - start < limit:
            ready, _, _ = select.select([fd], [], [], quiet if first is not None else limit)
            if not ready:
                break
            try:
                piece = os.read(fd, 65536)
            except OSError:
                break
            if not piece:
                break
            last = time.perf_counter() - start
            first = last if first is None else first
            data += piece
        return first, last, data

    def stop(self, pid, fd):
        """Quits, and waits: the index is written on the way out."""
        os.write(fd, b"Q")
        end = time.monotonic() + 20
        while os.waitpid(pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                break
            self.settle(fd, 0.01)
        os.close(fd)

    def first_screen(self, path, index):
        """Until a frame of the call tree stands and no progress is shown."""
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            pid, fd = self.start(path, index)
            at = 0.0
            data = b""
            while b"main" not in data or b"100%" not in data:
                first, last, piece = self.settle(fd, 5.0, 0.005)
                if first is None:
                    break
                data += piece
                at = time.perf_counter() - start - 0.005
            times.append(at)
            self.stop(pid, fd)
        return statistics.median(times)

    def key_times(self, fd, keys, rounds):
        """Milliseconds from each key to the last byte of its frame."""
        out = []
        for i in range(rounds):
            key = keys[i % len(keys)]
            os.write(fd, key.encode())
            first, last, _ = self.settle(fd, 0.25)
            if last is not None:
                out.append(last * 1000)
        return sorted(out)

    def walk(self, path, index, keys, before, rounds=200):
        pid, fd = self.start(path, index)
        self.settle(fd, 10.0, 0.3)
        for key in before:
            os.write(fd, key.encode())
            self.settle(fd, 2.0, 0.2)
        times = self.key_times(fd, keys, rounds)
        self.stop(pid, fd)
        return times

    def walk_while_indexing(self, path, index):
        """Keys in the first moments of a file without an index; all of them change the screen."""
        times = []
        for _ in range(20):
            shutil.rmtree(index, ignore_errors=True)
            os.mkdir(index)
            pid, fd = self.start(path, index)
            self.settle(fd, 1.0, 0.002)
            for key in ("2", "3", "5", "1", "4", "3", "2", "1"):
                os.write(fd, key.encode())
                first, _, _ = self.settle(fd, 0.5, 0.004)
                if first is not None:
                    times.append(first * 1000)
            self.stop(pid, fd)
        return sorted(times)


def p99(times):
    return times[min(len(times) - 1, int(len(times) * 0.99))] if times else float("nan")


def bench_open(b, records, path, goals=True):
    name = "%d M records, %.2f M nodes: " % (records // 1000000, b.nodes(path) / 1e6)
    floor, cold, kept = b.open_times(path)
    b.row(name + "raw decode", floor * 1000, "ms")
    b.row(name + "cold open to call tree", cold * 1000, "ms")
    b.row("    ... of the raw decode", cold / floor, "x", 10 if goals else None)
    b.row(name + "with the index written", kept * 1000, "ms")
    b.row("    ... of the raw decode", kept / floor, "x")
    b.row(name + "anonymous memory", max(b.anonymous(path) for _ in range(3)), "MiB", 40 if goals else None)


def bench_screen(b, records, path):
    name = "%d M records: " % (records // 1000000)
    index = os.path.join(b.scratch, "index")
    pid, fd = b.start(path, index)      # leaves the whole index
    b.settle(fd, 60.0, 3.0)
    b.stop(pid, fd)
    b.row(name + "reopen to the first screen", b.first_screen(path, index) * 1000, "ms", 30)
    times = b.walk(path, index, KEYS_MERGED, ())
    b.row(name + "key to frame, merged, p99 of %d" % len(times), p99(times), "ms", 16)
    times = b.walk(path, index, KEYS_TIME, ("2", "\r", "4"))
    b.row(name + "key to frame, time order, p99 of %d" % len(times), p99(times), "ms", 16)
    times = b.walk_while_indexing(path, index)
    b.row(name + "key to frame while indexing, p99 of %d" % len(times), p99(times), "ms", 16)
    shutil.rmtree(index, ignore_errors=True)


def bench_names(b):
    p = subprocess.run([b.lev], stdout=subprocess.PIPE, check=True)
    got = {k: float(v) for k, v in (x.split() for x in p.stdout.decode().splitlines())}
    b.row("distances of names, plain table", got["table_pairs"] / 1e6, "M/s")
    b.row("distances of names, search in slices", got["search_pairs"] / 1e6, "M/s")
    b.row("    ... of the plain table", got["search_pairs"] / got["table_pairs"], "x", 25, at_least=True)
    b.row("    ... longest slice", got["step_ms"], "ms")
    b.row("slices against one go, 1 M names", got["slicing_names_percent"], "%", 5)
    b.row("slices against one go, a pair of 10 000", got["slicing_pair_percent"], "%", 5)
    b.row("names a slip away, of 1 M", got["slips_ms"], "ms")
    b.row("names with a part a slip away, of 1 M", got["part_ms"], "ms")


def bench_queries(b):
    p = subprocess.run([b.query], stdout=subprocess.PIPE, check=True)
    got = {k: float(v) for k, v in (x.split() for x in p.stdout.decode().splitlines())}
    b.row("one row of 64 threads, parsed before", got["point_prepared"], "/s", 200000, at_least=True)
    b.row("one row of 64 threads, with the parsing", got["point_parsed"], "/s", 50000, at_least=True)
    b.row("methods | sort -self | head 10, 1 M methods", got["top_ms"], "ms", 15)
    b.row("a regex over 1 M names, bare loop", got["regex_bare_ms"], "ms")
    b.row("a regex over 1 M names, as a query", got["regex_ms"], "ms")
    b.row("    ... of the bare loop", got["regex_ratio"], "x", 1.5)


def bench_nano(b, calls):
    """A Nanoscope trace of that many calls, beside counting its lines."""
    path = os.path.join(b.scratch, "nano.txt")
    subprocess.run([b.nanogen, "-s", "1", "-n", str(calls), "-o", path], check=True)
    size = os.path.getsize(path) / 1e6
    runs = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(["wc", "-l", path], stdout=subprocess.DEVNULL, check=True)
        lines = time.perf_counter() - start
        p = subprocess.run([b.nano, path], stdout=subprocess.PIPE, check=True)
        runs.append(dict((k, float(v)) for k, v in (x.split() for x in p.stdout.decode().splitlines())))
        runs[-1]["lines"] = lines
    middle = {k: statistics.median(r[k] for r in runs) for k in runs[0]}
    name = "Nanoscope, %d calls: " % calls
    b.row(name + "load", size / middle["load"], "MB/s")
    b.row(name + "load, times as long as wc -l", middle["load"] / middle["lines"], "")
    b.row(name + "time order and marks", middle["order"], "s")
    b.row(name + "tracks from the files beside it", middle["sides"], "s")
    b.row(name + "pan and zoom with tracks, p99", middle["frame_p99"], "ms", 16)
    bench_keys(b, path, (("time and tracks", KEYS_TRACKS, "4"),), name)
    for suffix in ("", ".timer", ".state"):
        os.unlink(path + suffix)


def bench_keys(b, path, panes, name):
    """Key to frame in some panes of a file with its index."""
    index = os.path.join(b.scratch, "index")
    os.mkdir(index)
    for what, keys, tab in panes:
        pid, fd = b.start(path, index)      # leaves what the pane needs in the index
        b.settle(fd, 60.0, 3.0)
        os.write(fd, tab.encode())
        b.settle(fd, 60.0, 3.0)
        b.stop(pid, fd)
        times = b.walk(path, index, keys, (tab,))
        b.row(name + "key to frame, %s, p99 of %d" % (what, len(times)), p99(times), "ms", 16)
    shutil.rmtree(index, ignore_errors=True)


def perf_text(path, megabytes):
    """Eight pieces again and again."""
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk", "perfdemo.py")
    some = b"".join(subprocess.run([sys.executable, "-B", maker, str(seed)], stdout=subprocess.PIPE, check=True).stdout
                    for seed in range(8))
    with open(path, "wb") as f:
        for _ in range(megabytes * 1000000 // len(some) + 1):
            f.write(some)


def perf_text_new(path, megabytes):
    """Samples that never repeat: threads, times, and stacks of some hundred thousand functions."""
    rnd = random.Random(5)
    names = ["_ZN%d%s%sEv" % (len(w), w, x) for w in ("alpha", "store", "index", "query") for x in map(str, range(60000))]
    size, at = 0, 0
    with open(path, "w", encoding="ascii") as f:
        while size < megabytes * 1000000:
            at += rnd.randint(1, 20000)
            top = "worker %5d [%03d] %6d.%06d: %10d cycles:\n" % (
                1000 + rnd.randint(0, 50), at % 8, at // 1000000, at % 1000000, rnd.randint(1, 2000000))
            begin = rnd.randint(0, 200)
            frames = "".join("\t%16x %s+0x%x (/usr/lib/lib%d.so)\n" % (
                rnd.getrandbits(47), names[rnd.randrange(begin * 100, len(names))], rnd.randint(0, 4095), begin % 7)
                for _ in range(rnd.randint(5, 40)))
            size += f.write(top + frames + "\n")


def bench_perf(b, megabytes):
    """Output of perf script, beside counting its lines."""
    path = os.path.join(b.scratch, "perf.txt")
    perf_text(path, megabytes)
    size = os.path.getsize(path) / 1e6
    lines, load, tree = [], [], []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(["wc", "-l", path], stdout=subprocess.DEVNULL, check=True)
        lines.append(time.perf_counter() - start)
        load.append(b.timed("--no-index", "-e", "events", path))
        tree.append(b.timed("--no-index", "-e", "calls | count", path))
    name = "perf script, %d MB: " % megabytes
    b.row(name + "load", size / statistics.median(load), "MB/s")
    b.row(name + "load, times as long as wc -l", statistics.median(load) / statistics.median(lines), "")
    b.row(name + "call tree", statistics.median(tree), "s")
    os.unlink(path)


def script_time(*command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def bench_folded(b, megabytes):
    """
    Folded stacks to the finished call tree, beside the flame graph script in Perl that draws them ($FLAMEGRAPH,
    flamegraph.pl in the path, or that of Debian's libdevel-nytprof-perl), and beside the least that such a script must do.
    """
    path = os.path.join(b.scratch, "folded.txt")
    debian = "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"
    peer = os.environ.get("FLAMEGRAPH") or shutil.which("flamegraph.pl") or (debian if os.path.exists(debian) else None)
    floor = os.path.join(os.path.dirname(os.path.abspath(__file__)), "foldfloor.pl")
    scripts = [("flamegraph.pl", peer, 10)] if peer else []
    scripts += [("a bare script", floor, None if peer else 10)]
    for order in ("", "-r"):
        subprocess.run([b.genfolded, "-b", str(megabytes * 1000000), "-o", path, *order.split()], check=True)
        name = "folded stacks, %d MB%s: " % (megabytes, ", in no order" if order else "")
        tree = statistics.median(b.timed("--no-index", "-e", "calls | count", path) for _ in range(RUNS))
        b.row(name + "call tree", tree, "s")
        b.row(name + "anonymous memory", b.anonymous(path), "MiB")
        for what, script, goal in scripts if shutil.which("perl") else []:
            b.row("    ... times as fast as " + what, script_time("perl", script, path) / tree, "x", goal, at_least=True)
    os.unlink(path)


def sched_text(path, megabytes):
    """One piece again and again, each thousand seconds later."""
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk", "schedmake.py")
    piece = subprocess.run([sys.executable, "-B", maker, "-", "n=150000", "cpus=16", "tasks=900", "start=5000000", "style=atrace"],
                           stdout=subprocess.PIPE, check=True).stdout
    with open(path, "wb") as f:
        for i in range(min(megabytes * 1000000 // len(piece) + 1, 1000)):
            f.write(piece.replace(b" 5000", b" 5%03d" % i))


def bench_sched(b, megabytes):
    """A scheduler trace, beside counting its lines."""
    path = os.path.join(b.scratch, "sched.txt")
    sched_text(path, megabytes)
    size = os.path.getsize(path) / 1e6
    lines, load, tasks = [], [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(["wc", "-l", path], stdout=subprocess.DEVNULL, check=True)
        lines.append(time.perf_counter() - start)
        load.append(b.timed("--no-index", "-e", "wakeups | count", path))
        tasks.append(b.timed("--no-index", "-e", "tasks | count", path))
    name = "scheduler trace, %d MB: " % size
    b.row(name + "load", size / statistics.median(load), "MB/s")
    b.row(name + "load, times as long as wc -l", statistics.median(load) / statistics.median(lines), "")
    b.row(name + "tasks", statistics.median(tasks), "s")
    b.row(name + "anonymous memory", b.anonymous(path, "tasks | count"), "MiB", max(96, size / 3))
    os.unlink(path)



def cost(*command):
    """CPU time in seconds, which others on the machine do not change much, and peak resident memory in MiB."""
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode != 0:
        raise RuntimeError("%s: status %d" % (" ".join(command), p.returncode))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def bench_rows(b, name, path, options, query, most, ratio, script):
    """Text as samples, beside counting its lines, and beside awk that adds up one column, in the same run."""
    size = os.path.getsize(path) / 1e6
    lines, load, awk, peak = [], [], [], []
    for _ in range(RUNS):
        lines.append(cost("wc", "-l", path)[0])
        seconds, memory = cost(b.icecore, "--no-index", *options, "-e", query, path)
        load.append(seconds)
        peak.append(memory)
        awk.append(cost("awk", *script, path)[0])
    name = "%s, %d MB: " % (name, size)
    b.row(name + "load, of CPU time", size / statistics.median(load), "MB/s")
    b.row(name + "load, times as long as wc -l", statistics.median(load) / statistics.median(lines), "")
    b.row("    ... times as fast as awk that adds up one column", statistics.median(awk) / statistics.median(load), "x", ratio, at_least=True)
    b.row(name + "peak of resident memory", max(peak), "MiB", most)
    os.unlink(path)


def bench_money(b, megabytes):
    """A statement of one account; memory is that of its transactions, whose texts stay in the file."""
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk", "ofxmake.py")
    path = os.path.join(b.scratch, "bench.ofx")
    with open(path, "wb") as f:
        subprocess.run([sys.executable, "-B", maker, "big", str(megabytes * 7000)], stdout=f, check=True)
    bench_rows(b, "bank statement", path, [], "calls | count", os.path.getsize(path) / 1e6 * 2.5,
               0.15, ["-F>", "/<TRNAMT>/ { sum += $2 } END { print sum }"])


def bench_table(b, megabytes):
    """Requests by URL and status; memory is that of the different paths."""
    path = os.path.join(b.scratch, "bench.csv")
    with open(path, "w") as f:
        f.write("time,method,url,status,bytes,ms\n")
        for i in range(megabytes * 15000):
            f.write("2026-11-20T10:%02d:%02d.000Z,GET,/a/page%d.html,%d,%d,%d.%d\n" % (i // 60 % 60, i % 60, i * 7919 % 2000,
                (200, 200, 304, 404)[i % 4], i * 31 % 90000, i % 300, i % 10))
    bench_rows(b, "table", path, ["--path", "url,status", "--weight", "bytes"], "calls | count", os.path.getsize(path) / 1e6 + 24, 1,
               ["-F,", "{ sum[$3, $4] += $5 } END { for (i in sum) print i, sum[i] }"])


def main(argv):
    big = "--big" in argv
    rest = [a for a in argv[1:] if a != "--big"]
    if len(rest) > 1 or any(a.startswith("-") for a in rest):
        sys.stderr.write(__doc__)
        return 2
    with tempfile.TemporaryDirectory(prefix="icecore-bench-") as scratch:
        b = Bench(rest[0] if rest else ".", scratch)
        print("%-66s %10s %-4s %10s" % ("", "measured", "", "goal"))
        for records in (1000000, 10000000) + ((100000000,) if big else ()):
            path = b.generate(records, SHAPE)
            bench_open(b, records, path)
            bench_screen(b, records, path)
        bench_open(b, 10000000, b.generate(10000000, HARD), False)
        bench_names(b)
        bench_queries(b)
        bench_nano(b, 10000000)
        bench_folded(b, 281)
        bench_perf(b, 300)
        bench_sched(b, 1000 if big else 300)
        bench_dumps(b, cost, bench_keys, 3, 300, 1000000)
        bench_money(b, 60)
        bench_table(b, 200)
    print("%d goal%s missed" % (b.missed, "" if b.missed == 1 else "s"))
    return 0 if b.missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
