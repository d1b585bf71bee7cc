#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""faults.py BUILD SHIM SCRATCH - icecore when the system fails it, as TAP.

Every allocation and system call fails once, or from then on; the program is
killed at each change of its index; its source shrinks.
Whatever happens, what it printed is right or it says what went wrong, and
the index is whole or not there.  SHIM is the library made of shim.c, or -.
"""
import os
import random
import signal
import subprocess
import sys
import time

import icx
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import sampled

# The most points of each kind, and how many at the start are all tried.
RUNS, FIRST = (400, 60) if sampled.STEP == 1 else (60 // sampled.FEWER, 15 // sampled.FEWER)
SHRINKS = 12
QUERY = "calls"


class Faults:
    def __init__(self, build, shim, scratch):
        self.icecore = os.path.join(build, "icecore")
        self.gentrace = os.path.join(build, "tests/mk/gentrace")
        self.heapshape = os.path.join(build, "tests/mk/heapshape")
        self.shim = shim
        self.scratch = scratch
        self.n = 0

    def ok(self, name, bad, directive=""):
        self.n += 1
        print("%sok %d - %s%s" % ("not " if bad else "", self.n, name, directive))
        for line in bad[:12]:
            print("#   " + line)
        sys.stdout.flush()

    def path(self, name):
        return os.path.join(self.scratch, name)

    def generate(self, name, options):
        subprocess.run([self.gentrace, *options.split(), "-o", self.path(name)], check=True)
        return self.path(name)

    def shape(self, kind, n):
        path = self.path(kind + ".hprof")
        with open(path, "wb") as f:
            subprocess.run([self.heapshape, kind, str(n)], stdout=f, check=True)
        return path

    def command(self, trace, query=QUERY, index=None):
        where = ["--index", index] if index else ["--no-index"]
        return [self.icecore, *where, "-o", "tsv", "-e", query, trace]

    def run(self, trace, index=None, query=QUERY, timeout=300, **env):
        p = subprocess.run(self.command(trace, query, index), stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env={**os.environ, **env}, timeout=timeout)
        return p.returncode, p.stdout, p.stderr

    def fresh(self):
        folder = self.path("index")
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        return folder

    # ---- one call fails ------------------------------------------------------

    def kept(self, index):
        """The files in the directory: each name with its bytes and times."""
        found = []
        for entry in sorted(os.scandir(index), key=lambda e: e.name):
            with open(entry.path, "rb") as f:
                stat = os.fstat(f.fileno())
                found.append((entry.name, f.read(), (stat.st_atime_ns, stat.st_mtime_ns)))
        return found

    def again(self, kept):
        """A folder with that in it."""
        index = self.fresh()
        for name, data, times in kept:
            path = os.path.join(index, name)
            with open(path, "wb") as f:
                f.write(data)
            os.chmod(path, 0o600)
            os.utime(path, ns=times)
        return index

    def one_fault(self, trace, want, fault, before, query, sound):
        """Runs with the fault, and again without it on the files it left, except for those in sound: they were right already."""
        index = self.again(before)
        code, out, err = self.run(trace, index, query, LD_PRELOAD=self.shim, HURT=fault)
        bad = []
        if code not in (0, 3, 4) or (code == 3 and fault.startswith("alloc")):
            bad.append("status %d" % code)
        if code == 0 and out != want:
            bad.append("wrong answer and status 0")
        if code != 0 and (b"\n" not in err or err.count(b"\n") > 2):
            bad.append("not one or two lines on stderr: %r" % err[:200])
        left = [n for n in os.listdir(index) if not n.endswith((".icx", ".raw"))]
        if left:
            bad.append("left behind: %s" % left)
        now = tuple(file[:2] for file in self.kept(index))
        if now and now not in sound:
            code, out, err = self.run(trace, index, query)
            if code == 0 and out == want:
                sound.add(now)
            else:
                bad.append("the next run: status %d, %s: %s" % (
                    code, "right" if out == want else "wrong", err.decode("utf-8", "replace").strip()))
        return ["%s: %s" % (fault, b) for b in bad]

    def check_faults(self, trace, what, before=None, query=QUERY):
        """before: a query that leaves an index, which then grows."""
        code, want, err = self.run(trace, None, query)
        count = self.path("count")
        index = self.fresh()
        if before:
            self.run(trace, index, before)
        before, sound = self.kept(index), set()
        self.run(trace, self.again(before), query, LD_PRELOAD=self.shim, HURT_COUNT=count)
        with open(count) as f:
            totals = dict(zip(("alloc", "call"), map(int, f.read().split())))
        if code != 0:
            self.ok(what + ": faultless run", ["status %d: %r" % (code, err)])
        for kind in ("alloc", "call"):
            for stays in ("", "+"):
                total = totals[kind]
                step = max(1, -(-total // (RUNS if kind == "call" else RUNS // 2)))
                points = sorted(set(range(1, total + 1, step)) | set(range(1, min(total, FIRST) + 1)))
                bad = []
                for k in points:
                    try:
                        bad += self.one_fault(trace, want, "%s:%d%s" % (kind, k, stays), before, query, sound)
                    except subprocess.TimeoutExpired:
                        bad.append("%s:%d%s: hangs" % (kind, k, stays))
                    if len(bad) >= 12:
                        break
                self.ok("%s: each of %d %ss fails%s (%d tried)" % (
                    what, total, kind, " and all later ones" if stays else "", len(points)), bad)

    def check_full_disk(self, trace):
        if not os.path.exists("/dev/full"):
            self.ok("output to a full disk", [], " # SKIP no /dev/full")
            return
        with open("/dev/full", "wb") as full:
            p = subprocess.run(self.command(trace), stdout=full, stderr=subprocess.PIPE)
        self.ok("output to a full disk: status 4", [] if p.returncode == 4 and p.stderr else [
            "status %d, %r" % (p.returncode, p.stderr)])
        p = subprocess.Popen(self.command(trace), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdout.read(100)
        p.stdout.close()
        err = p.stderr.read()
        p.stderr.close()
        code = p.wait()
        self.ok("a reader that goes away: no message, no signal", [] if code in (0, 141) and err == b"" else [
            "status %d, %r" % (code, err)])

    # ---- a build that resumes ---------------------------------------------------

    def columns(self, folder):
        """(inode, {column: place}) of the index there; the inode is None when there is none."""
        names = [n for n in os.listdir(folder) if n.endswith(".icx")]
        if not names:
            return None, {}
        path = os.path.join(folder, names[0])
        with open(path, "rb") as f:
            data = f.read()
        return os.stat(path).st_ino, {name: offset for name, offset, _ in icx.columns(data)}

    def one_kill(self, command, want, k, reached):
        """Killed in front of the k-th change of a file; then what was finished is not made again."""
        index = self.fresh()
        p = subprocess.run(command(index), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL,
                           env={**os.environ, "LD_PRELOAD": self.shim, "HURT": "kill:%d" % k}, timeout=120)
        if p.returncode != -signal.SIGKILL:
            return ["status %d instead of a kill" % p.returncode]
        left = [n for n in os.listdir(index) if not n.endswith(".icx")]
        inode, before = self.columns(index)
        reached.append(set(before))
        p = subprocess.run(command(index), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=120)
        bad = ["left behind: %s" % left] if left else []
        if (p.returncode, p.stdout) != (0, want):
            bad.append("the next run: status %d, %s: %r" % (
                p.returncode, "right" if p.stdout == want else "wrong", p.stderr[:200]))
        again, after = self.columns(index)
        if inode is not None and again != inode:
            bad.append("another index took the place of one that was sound")
        moved = [c for c in before if c != icx.FACTS and after.get(c) != before[c]]
        if moved:
            bad.append("made again: %s" % " ".join(sorted(moved)[:5]))
        return bad

    def check_goes_on(self, path, what, queries, passes):
        """passes: a column of each pass, in the order in which they are made."""
        def command(index):
            asks = [a for q in queries for a in ("-e", q)]
            return [self.icecore, "--index", index, "-o", "tsv", *asks, path]
        count, index = self.path("count"), self.fresh()
        p = subprocess.run(command(index), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           env={**os.environ, "LD_PRELOAD": self.shim, "HURT_COUNT": count})
        whole = set(self.columns(index)[1])
        with open(count) as f:
            total = int(f.read().split()[2])
        bad = [] if p.returncode == 0 else ["status %d" % p.returncode]
        reached = []
        kills = sampled.sampled(range(1, total + 1), min(sampled.STEP, 2 * sampled.FEWER))
        for k in kills:
            bad += ["kill %d: %s" % (k, b) for b in self.one_kill(command, p.stdout, k, reached)]
            if len(bad) >= 12:
                break
        reached.append(whole)
        for a, b in zip(reached, reached[1:]):
            if not a <= b:
                bad.append("a later kill left less")
        for i, column in enumerate(passes):
            if len(kills) == total and not any(column in r and not r & set(passes[i + 1:]) for r in reached):
                bad.append("not kept before the next pass: %s" % column)
        self.ok("%s: killed at %d of %d changes of the index: the next run resumes there" % (
            what, len(kills), total), bad)

    # ---- moments --------------------------------------------------------------

    def check_shrinking(self, trace):
        with open(trace, "rb") as f:
            data = f.read()
        start = time.monotonic()
        self.run(trace, None, "threads")
        whole = time.monotonic() - start
        rnd = random.Random(2)
        bad = []
        for i in range(SHRINKS):
            path = self.path("shrinks.trace")
            with open(path, "wb") as f:
                f.write(data)
            p = subprocess.Popen(self.command(path, "threads", self.fresh()), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
            time.sleep(rnd.uniform(0, whole))
            os.truncate(path, len(data) // rnd.choice((2, 3, 100)))
            try:
                out, err = p.communicate(timeout=300)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
                bad.append("round %d: hangs" % i)
                continue
            if p.returncode not in (0, 3, 4) or (p.returncode != 0 and not err):
                bad.append("round %d: status %d, %r" % (i, p.returncode, err[:200]))
        self.ok("a source that shrinks at %d moments: status 0, 3 or 4" % SHRINKS, bad)

    def check_stale(self):
        """Another file of the same name and size: its index must not be believed."""
        index = self.fresh()
        a = self.generate("stale.trace", "-s 90 -n 2000 -v 1")
        stamp = os.stat(a)
        self.run(a, index, "threads")
        self.generate("other.trace", "-s 91 -n 2000 -v 1")
        with open(self.path("other.trace"), "rb") as f:
            data = f.read()
        with open(a, "r+b") as f:     # same inode, same size, other bytes
            f.truncate(0)
            f.write(data[:stamp.st_size].ljust(stamp.st_size, b"\0"))
        os.utime(a, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        want = self.run(a, None, "records")[:2]
        self.ok("same name, size and time, other bytes: the index is rebuilt",
                [] if self.run(a, index, "records")[:2] == want else ["answers of the old file"])

    def check_damaged_index(self, trace):
        """Bytes of a kept index changed or cut: rebuilt, or still right."""
        index = self.fresh()
        code, want, _ = self.run(trace, index)
        names = [n for n in os.listdir(index) if n.endswith(".icx")]
        if not names:
            self.ok("a damaged index", ["no index was written"])
            return
        path = os.path.join(index, names[0])
        with open(path, "rb") as f:
            good = f.read()
        rnd = random.Random(3)
        bad = []
        places = list(range(0, min(len(good), 4096), 37)) + [rnd.randrange(len(good)) for _ in range(100)]
        for i, at in enumerate(places):
            data = bytearray(good)
            if i % 5 == 4:
                del data[at:]
            else:
                data[at] ^= 1 << rnd.randrange(8)
            with open(path, "wb") as f:
                f.write(data)
            try:
                code, out, err = self.run(trace, index)
            except subprocess.TimeoutExpired:
                code, out, err = "hangs", b"", b""
            if (code, out) != (0, want):
                bad.append("%s at %d: status %s, %s: %r" % (
                    "cut" if i % 5 == 4 else "flip", at, code, "right" if out == want else "wrong", err[:100]))
        self.ok("an index cut or changed at %d places: the answer is right" % len(places), bad)


def main(argv):
    f = Faults(*argv[1:])
    small = f.generate("small.trace", "-s 80 -n 300 -t 3 -m 40")
    stream = f.generate("stream.trace", "-s 81 -n 300 -t 3 -m 40 -S")
    if f.shim == "-":
        f.ok("calls that fail", [], " # SKIP the sanitizers do not go with the shim")
    else:
        f.check_faults(small, "regular")
        f.check_faults(stream, "streaming")
        with open(small, "rb") as plain:
            packed = subprocess.run(["gzip", "-c"], stdin=plain, stdout=subprocess.PIPE, check=True)
        with open(f.path("small.trace.gz"), "wb") as h:
            h.write(packed.stdout)
        f.check_faults(f.path("small.trace.gz"), "gzip")
        f.check_faults(small, "an index that grows", "records | count", "methods")
        f.check_faults(f.shape("mesh", 60), "heap dump", None, "dominators")
        f.check_faults(f.path("mesh.hprof"), "heap dump, an index that grows", "histogram", "referrers @5")
        # So many nodes that each pass is worth saving.
        f.check_goes_on(f.generate("nodes.trace", "-s 9 -n 1200000"), "trace",
                        ["calls | count", "methods | sum calls", "spans main | count"],
                        ["call.parent", "method.node", "span.start"])
        f.check_goes_on(f.shape("ring", 400000), "heap dump", ["dominators | count", "referrers @1 | count"],
                        ["object.offset", "soft.vm.parent", "in.data"])
    big = f.generate("big.trace", "-s 82 -n 1000000")
    f.check_full_disk(big)
    f.check_damaged_index(small)
    f.check_stale()
    f.check_shrinking(big)
    print("1..%d" % f.n)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv))
