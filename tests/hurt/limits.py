#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""limits.py BUILD SCRATCH - icecore and inputs that would use up the disk, the time or the patience of a user, as TAP."""
import gzip
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
import zipfile

for folder in ("mk", "oracle"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))
import answers                # noqa: E402
import bombs                  # noqa: E402
import codemake               # noqa: E402
import heapodd                # noqa: E402
import nativecheck            # noqa: E402

CPU = 100 if os.environ.get("SANITIZE") == "yes" else 10        # seconds of one run
WAIT = 300                    # for a run that hangs
MIB = 1 << 20
USAGE, DAMAGED, SYSTEM, REFUSED = 2, 3, 4, 5
TIMEOUTS = ("10ms", "50ms", "0.2s", "0.2")


class Ended:
    def __init__(self, code, out, err, cpu):
        self.code, self.out, self.err, self.cpu = code, out, err, cpu

    def __str__(self):
        return "status %d: %s" % (self.code, (self.err.strip() or repr(self.out[:200])))


class Limits:
    def __init__(self, build, scratch):
        self.icecore = os.path.join(build, "icecore")
        self.parts = answers.parts_of(build)
        self.scratch = scratch
        self.n = 0
        self.places = []
        for name in ("tmp", "cache", "files"):
            os.mkdir(self.path(name))
            self.places.append(self.path(name))
        self.env = {**os.environ, "TMPDIR": self.path("tmp"), "XDG_CACHE_HOME": self.path("cache")}

    def path(self, *names):
        return os.path.join(self.scratch, *names)

    def ok(self, name, bad, directive=""):
        self.n += 1
        print("%sok %d - %s%s" % ("not " if bad else "", self.n, name, directive))
        for line in bad:
            print("#   " + line)
        sys.stdout.flush()

    def there(self):
        """All files of all places, hidden ones too."""
        return sorted(os.path.join(at, name) for place in self.places for at, _, names in os.walk(place) for name in names)

    def run(self, *args, stdin=subprocess.DEVNULL):
        with subprocess.Popen([self.icecore, *args], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.env) as p:
            timer = threading.Timer(WAIT, p.kill)
            timer.start()
            parts = {}
            reader = threading.Thread(target=lambda: parts.update(err=p.stderr.read()))
            reader.start()
            out = p.stdout.read()
            reader.join()
            _, status, used = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(status)
            timer.cancel()
        return Ended(p.returncode, out, parts["err"].decode("utf-8", "replace"), used.ru_utime + used.ru_stime)

    def ends(self, name, code, says, *args, stdin=subprocess.DEVNULL, leaves=False):
        before = self.there()
        end = self.run(*args, stdin=stdin)
        bad = []
        if end.code != code:
            bad.append("status %d, not %d" % (end.code, code))
        if says not in end.err or not end.err.startswith("icecore: ") or end.err.count("\n") != 1:
            bad.append("it says: %s" % end.err.strip())
        if end.cpu > CPU:
            bad.append("%.1f s of CPU time" % end.cpu)
        if not leaves and self.there() != before:
            bad.append("left behind: %s" % [f for f in self.there() if f not in before])
        self.ok(name, bad)
        return end

    def fed(self, data, run):
        """run with an endless pipe of data, by number and as a FIFO."""
        def write(fd):
            try:
                while os.write(fd, data) > 0:
                    pass
            except OSError:
                pass
            os.close(fd)
        reader, writer = os.pipe()
        thread = threading.Thread(target=write, args=(writer,))
        thread.start()
        run("pipe", "-", reader)
        os.close(reader)
        thread.join()
        fifo = self.path("files", "fifo")
        os.mkfifo(fifo)
        thread = threading.Thread(target=lambda: write(os.open(fifo, os.O_WRONLY)))
        thread.start()
        run("FIFO", fifo, subprocess.DEVNULL)
        thread.join()
        os.unlink(fifo)

    # ---- what is too much ----------------------------------------------------

    def check_bombs(self):
        for name, data in bombs.bombs().items():
            with open(self.path("files", name), "wb") as f:
                f.write(data)
        at = {name: self.path("files", name) for name in os.listdir(self.path("files"))}
        unknown = "nothing but zeros at the start"
        for name, says in (("zeros.gz", unknown), ("twice.gz", unknown), ("utf16.gz", unknown),
                           ("thrice.gz", "compressed more than twice; decompress it first"), ("brackets.json.gz", "JSON of an unknown kind"),
                           ("lines.gz.gz", "unpacks to more than 2000 times its size"), ("entry.apk", ""), ("entry.jar", ""),
                           ("streamed.jar", "")):
            self.ends(name, REFUSED, says, "-e", "info", at[name])
        for macro, cases in (("USE_ZSTD", {"zeros.zst": unknown}), ("USE_XZ", {"zeros.xz": unknown, "lines.xz": "unpacks to more than 2000 times its size"}),
                             ("USE_BZIP2", {"zeros.bz2": unknown, "lines.bz2": "unpacks to more than 2000 times its size"})):
            for name, says in cases.items():
                if macro in self.parts:
                    self.ends(name, REFUSED, says, "-e", "info", at[name])
        for name in ("zeros.gz", "twice.gz", "utf16.gz"):
            self.ends("--mapping " + name, USAGE, "not a text file", "--no-index", "--mapping", at[name], "-e", "info", self.demo)
        self.ends("--classes entry.jar", USAGE, "", "--no-index", "--classes", at["entry.jar"], "-e", "info", self.demo)
        self.check_part(at["lines.gz"])
        for name in at.values():
            os.unlink(name)

    def check_part(self, lines):
        """The first ones of endless lines are an answer, with another limit other lines."""
        part = "unpacks to more than 24 MiB; to allow more, use --unpacked SIZE"
        query = ("-o", "tsv", "-e", "methods | where name = work | select self")
        end = self.ends("a part of what unpacks to too much", DAMAGED, part, "--unpacked", "24M", *query, lines)
        self.ok("has the lines of the part", [] if end.out == b"self\n%d\n" % (24 * MIB // 16) else [repr(end.out)])
        self.ends("nothing whole in the part", REFUSED, "unpacks to more than 10 B", "--unpacked", "10", *query, lines)
        # Beside the other one there may be an index.
        jar = shutil.copy(self.jar, self.path("files"))
        self.ends("too much for a jar", REFUSED, "unpacks to more than 10 B", "--unpacked", "10", "-e", "info", jar)
        os.unlink(jar)
        end = self.run(*query, lines)
        self.ok("with the limit of every day all of it", [] if end.out == b"self\n%d\n" % (64 * MIB // 16) else [end.err])

    def check_endless(self):
        def zeros(how, path, stdin):
            self.ends("endless zeros from a " + how, REFUSED, "nothing but zeros at the start", "-e", "info", path, stdin=stdin)

        def lines(how, path, stdin):
            end = self.ends("endless lines from a " + how, DAMAGED, "gives more than 24 MiB; to allow more, use --unpacked SIZE",
                            "--unpacked", "24M", "-o", "tsv", "-e", "methods | where name = work | select self", path, stdin=stdin)
            self.ok("the first lines count", [] if end.out == b"self\n%d\n" % (24 * MIB // 16) else [repr(end.out)])

        def packed(how, path, stdin):
            self.ends("endless gzip of zeros from a " + how, REFUSED, "unrecognised binary data", "-e", "info", path, stdin=stdin)
        self.fed(bytes(MIB), zeros)
        self.fed(b"main;run;work 1\n" * 4096, lines)
        # Some begin like JSON.
        for first in (b"{", b"[", b"\x7f", b"%", b"\xd7", os.urandom(1)):
            self.fed(bombs.gzip_of(first + os.urandom(63) + bytes(64), 4096), packed)

    def check_devices(self):
        for name in ("/dev/zero", "/dev/null", "/dev/tty"):
            self.ends(name, REFUSED, name + ": is a character device", "-e", "info", name)
        with open("/dev/zero", "rb") as zero:
            self.ends("/dev/zero as standard input", REFUSED, "nothing but zeros at the start", "-e", "info", "-", stdin=zero)
        disks = [e.path for e in os.scandir("/dev") if not e.is_symlink() and stat.S_ISBLK(e.stat().st_mode)]
        if disks:
            self.ends("a block device", REFUSED, disks[0] + ": is a block device", "-e", "info", disks[0])
        else:
            self.ok("a block device", [], " # SKIP there is none")

    def check_kernel(self):
        """A file of the kernel has no size: the name of a thread is one, and folded stacks."""
        comm, is_there = "/proc/self/task/%d/comm" % threading.get_native_id(), os.path.exists("/proc/self/comm")
        if not is_there:
            self.ok("a file of the kernel", [], " # SKIP there is none")
            return
        with open(comm, "r+", encoding="ascii") as f:
            was = f.read().rstrip("\n")
            f.write("main;work 12")
            f.flush()
            path = "/proc/%d/task/%d/comm" % (os.getpid(), threading.get_native_id())
            query = ("--as", "folded", "-o", "tsv", "-e", "methods | where name = work | select self")
            end = self.run(*query, path)
            self.ok("a file of the kernel is read like a pipe", [] if os.stat(path).st_size == 0 and (end.code, end.out) == (0, b"self\n12\n") else
                    [repr(end.out), end.err])
            with open(path, "rb") as given:
                end = self.run(*query, "-", stdin=given)
            self.ok("as standard input too", [] if (end.code, end.out) == (0, b"self\n12\n") else [repr(end.out), end.err])
            f.write(was)
        empty = self.path("files", "empty.folded")
        with open(empty, "wb"):
            pass
        self.ends("an empty file is empty", REFUSED, "", "-e", "info", empty)
        os.unlink(empty)

    def check_descriptors(self):
        """Whatever number of open files is allowed: the answer is right, or a message says that there are too many."""
        # Curses keeps some memory when it finds no terminal.
        env = {**self.env, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
        path = shutil.copy(self.demo, self.path("files"))
        jar = shutil.copy(self.jar, self.path("files"))
        plain = self.path("files", "plain.trace")
        with gzip.open(path) as packed, open(plain, "wb") as f:
            f.write(packed.read())
        for name, args in (("a packed file", ("-e", "methods | count", path)), ("one without an index", ("--no-index", "-e", "methods | count", path)),
                           ("three files", ("--no-index", "-e", "methods | count", path, plain, path)),
                           ("a page", ("--text", plain)), ("an archive", ("-e", "info | where field = format", jar)),
                           ("the explorer", ("--keys", "/dev/null", plain))):
            want, bad, told = self.run(*args), [], 0
            for limit in range(4, 40):
                p = subprocess.run(["sh", "-c", 'ulimit -n "$1"; shift; exec "$@"', "sh", str(limit), self.icecore, *args], env=env,
                                   stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT, check=False)
                err = p.stderr.decode("utf-8", "replace")
                # The program itself could not be loaded.
                if p.returncode == 127 or "error while loading" in err:
                    continue
                late = p.returncode == SYSTEM and "too many open files (limit: %d); raise it with 'ulimit -n'" % limit in err
                told += late
                if not late and (p.returncode, p.stdout) != (want.code, want.out):
                    bad.append("%d files: status %d, %s" % (limit, p.returncode, err.strip()))
            self.ok("too many open files: " + name, bad + ([] if told else ["never told"]))
            for left in self.there():
                if left not in (path, jar, plain):
                    os.unlink(left)
        for used in (path, jar, plain):
            os.unlink(used)

    # ---- the disk ------------------------------------------------------------

    def check_reserve(self):
        lines = self.path("files", "lines.gz")
        with open(lines, "wb") as f:
            f.write(bombs.bombs()["lines.gz"])
        # Beside the file, then in the cache, then here.
        for how in ["--no-index"], []:
            self.ends(" ".join(["--reserve keeps the disk", *how]), SYSTEM, self.path("tmp") + ": not enough space: ",
                      *how, "--reserve", "1000000T", "-e", "info", lines)
        self.ends("a pipe and --reserve", SYSTEM, self.path("tmp") + ": not enough space: ", "--reserve", "1000000T", "-e", "info",
                  "-", stdin=subprocess.Popen(["echo", "a;b 1"], stdout=subprocess.PIPE).stdout)
        end = self.run("--index", self.path("cache"), "--reserve", "1000000T", "-e", "methods | count", self.demo)
        self.ok("packed and --reserve", [] if end.code == SYSTEM else [end.err])
        plain = self.path("files", "plain.trace")
        with gzip.open(self.demo) as packed, open(plain, "wb") as f:
            f.write(packed.read())
        end = self.run("--reserve", "1000000T", "-e", "methods | count", plain)
        self.ok("an answer without an index", [] if end.code == 0 and end.out and "not enough space" in end.err and
                not os.path.exists(plain + ".icx") else [end.err])
        os.unlink(plain)
        self.check_small_disk(lines)
        os.unlink(lines)

    def check_small_disk(self, lines):
        """In name spaces of our own: a file system of 48 MiB, less than what is unpacked, for temporary files."""
        small = self.path("small")
        os.mkdir(small)
        script = ('mount -t tmpfs -o size=48m tmpfs "$1" || exit 77; TMPDIR=$1 "$2" --no-index $4 -e "methods | count" "$3"; '
                  'code=$?; ls -A "$1"; exit $code')
        for name, options, code, says in (("5 % of a small disk", "", SYSTEM, small + ": not enough space: "),
                                          ("a disk that is full", "--reserve 0", SYSTEM, small + ": not enough space: "),
                                          ("what fits", "--unpacked 2M", DAMAGED, "unpacks to more than 2 MiB")):
            p = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", small, self.icecore, lines, options],
                               capture_output=True, env=self.env, timeout=WAIT, check=False)
            err = p.stderr.decode("utf-8", "replace")
            if p.returncode == 77 or "unshare" in err:
                self.ok(name, [], " # SKIP no file system can be mounted here")
                continue
            bad = [] if p.returncode == code and says in err else ["status %d: %s" % (p.returncode, err.strip())]
            if p.stdout not in (b"", b"count\n3\n"):
                bad.append("it leaves %r" % p.stdout)
            self.ok(name, bad)

    # ---- time ----------------------------------------------------------------

    def check_time(self):
        """A run that has no end of its own ends in time; others end as they would, or are late and say so."""
        fifo = self.path("files", "fifo")
        os.mkfifo(fifo)
        began = time.monotonic()
        self.ends("a FIFO that nobody writes to", SYSTEM, "timed out after 200 ms (reading); the output is incomplete",
                  "--timeout", "200ms", "-e", "info", fifo)
        self.ok("not before its time", [] if time.monotonic() - began >= 0.2 else ["too early"])
        began = time.monotonic()
        self.ends("a plain number is seconds", SYSTEM, "timed out after 1 s (reading)", "--timeout", "1", "-e", "info", fifo)
        self.ok("and not before them", [] if time.monotonic() - began >= 1 else ["too early"])
        os.unlink(fifo)
        lines = self.path("files", "lines.gz")
        with open(lines, "wb") as f:
            f.write(bombs.bombs()["lines.gz"] * 160)
        for args in (("-e", "methods"), ("--text",), ("--report",)):
            self.ends("%s in time" % args[0], SYSTEM, "timed out after 300 ms (unpacking)", "--timeout", "300ms", *args, lines)
        os.unlink(lines)
        large = self.path("files", "large.jar")
        with open(large, "wb") as f:
            f.truncate(1900 << 20)
            f.seek(0, os.SEEK_END)
            with zipfile.ZipFile(f, "a") as packed:
                packed.writestr("a.class", codemake.class_file(codemake.methods(1, 1)))
        self.ends("a large file has a checksum", SYSTEM, "timed out after 300 ms (SHA-256 of the file)",
                  "--no-index", "--timeout", "300ms", "--text", large)
        os.unlink(large)
        for args in (("-e", "calls | sort -total | top 3 total"), ("--text",), ("--report", "--no-hash")):
            want = self.run("--no-index", *args, self.demo)
            for limit in TIMEOUTS:
                end = self.run("--no-index", "--timeout", limit, *args, self.demo)
                late = end.code == SYSTEM and "timed out after " in end.err
                right = end.code == want.code and end.out == want.out
                self.ok("%s --timeout %s: all of it, or late" % (args[0], limit),
                        [] if late or right else ["status %d: %s" % (end.code, end.err)])
        for args, says in ((("--timeout", "0", "-e", "info"), "'0' is not a time"), (("--timeout", "x", "-e", "info"), "'x' is not a time"),
                           (("--timeout", "-1.5", "-e", "info"), "'-1.5' is not a time"),
                           (("--unpacked", "x", "-e", "info"), "'x' is not a size"), (("--reserve", "-1", "-e", "info"), "is not a size"),
                           (("--timeout", "3", "--keys", "/dev/null"), "--timeout needs -e, -f, --report or --text")):
            self.ends("%s %s is wrong" % args[:2], 2, says, *args, self.demo)

    def check_query(self):
        """Long lists are not a mistake; what no user writes is refused by the name of the limit."""
        wide = "methods | where id in (%s) | count" % ", ".join(map(str, range(1, 100001)))
        deep = "methods | where %sself > 1%s | count" % ("(" * 10000, ")" * 10000)
        for name, query in (("a list of 100000 numbers", wide), ("10000 parentheses", deep)):
            end = self.script(query)
            self.ok(name, [] if end.code == 0 else [end.err[-200:]])
        for name, says, query in (("a query of 2 MiB", "query too long: ", "methods | where name = '%s'" % ("x" * 2 * MIB)),
                                  ("65 stages", "too many stages (limit: 64)", "methods" + " | head 1" * 64),
                                  ("5 queries in one another", "nested too deeply (limit: 4)",
                                   "methods | where id in (" * 5 + "methods | select id" + ") | select id" * 5),
                                  ("65 parentheses in a number", "parentheses nested too deeply (limit: 64)",
                                   "methods | select %sself%s" % ("(" * 65, ")" * 65)),
                                  ("a regex that never ends", "regex too slow on a 64-byte string; simplify it",
                                   "methods | where name ~ /^(a+)+$/")):
            end = self.script(query)
            self.ok(name, [] if end.code == 2 and says in end.err and end.cpu < CPU else
                    ["status %d, %.1f s: %s" % (end.code, end.cpu, end.err[-200:])])

    def check_dumps(self):
        """Heap dumps of which much seems to be read twice take no longer than their size allows."""
        path = self.path("files", "slow.hprof")
        for name, data in (("places that seem to be classes", heapodd.seeming_classes(5 << 20)),
                           ("classes that overlap", heapodd.overlapping_classes(8 << 20))):
            with open(path, "wb") as f:
                f.write(data)
            for dump, code in (("1", DAMAGED), ("2", USAGE)):
                end = self.run("--no-index", "--dump", dump, "-e", "objects | count", path)
                self.ok("%s, dump %s: no slowness" % (name, dump), [] if end.code == code and end.cpu < CPU else ["%s, %.1f s" % (end, end.cpu)])
        os.unlink(path)

    def check_columns(self):
        """To read a value again takes part of the file: what puts a column of a table in order keeps the numbers."""
        path = self.path("files", "long.csv")
        with open(path, "w", encoding="utf-8") as f:
            f.write("g,v\n" + "".join("%d,%.2f\n" % (i % 1000, i * 7919 % 100000 / 100) for i in range(300000)))
        for query, want in (("records | p50 v", "499.99"), ("records | group g : p90 v | max p90_v", "899.99")):
            end = self.run("--no-index", "-e", query, path)
            got = end.out.decode("utf-8").split("\n")[1:2]
            self.ok("'%s' of 300000 records" % query, [] if end.code == 0 and got == [want] and end.cpu < CPU else
                    ["status %d, %.1f s: %s %s" % (end.code, end.cpu, got, end.err[-200:])])
        os.unlink(path)

    # ---- defaults and the policy of the machine ---------------------------------

    def check_memory(self):
        """A sanitized build has no limit of memory, and needs none for this."""
        end = self.run("--no-index", "--max-memory", "3M", "-e", "methods | count", self.demo)
        says = "; the limit is 3 MiB: raise it with --max-memory SIZE"
        self.ok("--max-memory", [] if end.code == 0 or (end.code == SYSTEM and "out of memory" in end.err and says in end.err) else [str(end)])
        self.limited = end.code != 0
        for sizes, name in (((), "nothing"), (("--max-memory", "1g", "--timeout", "1h"), "limits that are not met")):
            end = self.run("--no-index", *sizes, "-e", "methods | count", self.demo)
            self.ok("with %s the answer is whole" % name, [] if end.code == 0 and end.err == "" else [str(end)])

    def ruled(self, text, *args, mode=0o644):
        """Run with that policy in a mount namespace of our own, where /etc is a copy of what programs need there."""
        etc = self.path("etc")
        shutil.rmtree(etc, ignore_errors=True)
        os.makedirs(os.path.join(etc, "icecore"), 0o755)
        for name in ("passwd", "group", "ld.so.cache", "nsswitch.conf"):
            if os.path.exists("/etc/" + name):
                shutil.copy("/etc/" + name, etc)
        if text is not None:
            with open(os.path.join(etc, "icecore", "policy"), "w", encoding="utf-8") as f:
                f.write(text)
            os.chmod(f.name, mode)
        script = 'mount --bind "$1" /etc || exit 77; shift; exec "$@"'
        p = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", etc, self.icecore, *args], capture_output=True, env=self.env, timeout=WAIT,
                           stdin=subprocess.DEVNULL, check=False)
        return Ended(p.returncode, p.stdout, p.stderr.decode("utf-8", "replace"), 0)

    def check_policy(self):
        end = self.ruled(None, "--show-policy")
        if end.code == 77 or "unshare" in end.err:
            self.ok("the policy of the machine", [], " # SKIP no file system can be mounted here")
            return
        self.ok("without a policy everything is allowed", [] if end.code == 0 and b"everything is allowed" in end.out else [str(end)])
        by = "allowed by /etc/icecore/policy"
        dump = os.path.join(os.path.dirname(self.demo), "demo.hprof.gz")
        out, table = self.path("files", "out"), self.path("files", "tracks.csv")
        with open(table, "w", encoding="utf-8") as f:
            f.write("time,load\n1,2\n2,3\n")
        names = self.path("files", "names.map")
        with open(names, "w", encoding="utf-8") as f:
            f.write("com.example.Whole -> a.a:\n    void run() -> b\n")
        for name, policy, code, says, args in (
                ("a format", "formats hprof jfr", 2, "is not " + by, ("--no-index", "-e", "info", self.demo)),
                ("a format by --as", "formats hprof", 2, "is not " + by, ("--no-index", "--as", "folded", "-e", "info", self.demo)),
                ("the format of --classes", "formats hprof trace", 2, "the format classes is not " + by,
                 ("--no-index", "--classes", os.path.join(os.path.dirname(self.demo), "notes.jar"), "-e", "bugs", self.demo)),
                ("the format of --classes, a folder", "formats hprof trace", 2, "the format classes is not " + by,
                 ("--no-index", "--classes", os.path.dirname(self.demo), "-e", "bugs", self.demo)),
                ("mappings are settings", "formats trace", 0, "", ("--no-index", "--mapping", names, "-e", "info", self.demo)),
                ("the format of --tracks", "formats trace", 2, "the format table is not " + by,
                 ("--no-index", "--tracks", table, "-e", "info", self.demo)),
                ("a format of redact", "formats jfr", 2, "is not " + by, ("redact", dump, out)),
                ("a format of slice", "formats jfr", 2, "is not " + by, ("slice", "1s", "2s", os.path.join(os.path.dirname(self.demo), "sched.txt.gz"), out)),
                ("a format of page", "formats jfr", 2, "is not " + by, ("page", "--no-index", "-o", out, dump)),
                ("a format that is allowed", "formats hprof", 0, "", ("--no-index", "-e", "info", dump)),
                ("recording", "record no", 2, "recording is not " + by, ("record", "heap", "1")),
                ("recording for mcp", "record no", 2, "recording is not " + by, ("mcp", "--record", "--root", self.path("files"))),
                ("perf", "run no", 2, "running perf is not " + by, ("record", "cpu", "--all", "1s")),
                ("adb", "run no", 2, "running adb is not " + by, ("record", "--adb", "a.b", "heap")),
                ("a smaller sandbox", "sandbox required", 2, "a smaller sandbox is not " + by, ("--no-sandbox", "--no-index", "-e", "info", dump)),
                ("the size of an unpacked file", "unpacked 100k", 3, "100 KiB, the limit of /etc/icecore/policy", ("--no-index", "--unpacked", "1g", "-e", "info", self.demo)),
                ("time", "time 1ms", SYSTEM, "the limit is in /etc/icecore/policy", ("--no-index", "--timeout", "1h", "--report", dump)),
                ("less time than allowed", "time 1h", SYSTEM, "raise the limit with --timeout", ("--no-index", "--timeout", "1ms", "--report", dump)),
                ("a damaged policy", "run no\nrun\n", SYSTEM, "/etc/icecore/policy:2: 'run' a second time", ("--version",)),
                ("a damaged policy, of redact", "walk", SYSTEM, "/etc/icecore/policy:1: unknown key 'walk'", ("redact", "--help")),
                ("an unknown format", "formats hprof nonsense", SYSTEM, "policy:1: unknown format 'nonsense'", ("triage", "--help"))):
            end = self.ruled(policy + "\n", *args)
            self.ok("policy: " + name, [] if end.code == code and says in end.err else [str(end)])
        folder = self.path("files", "native")
        profile = nativecheck.profile(os.path.join(folder, "p.json"), [nativecheck.lib(nativecheck.write(os.path.join(folder, "app"), nativecheck.elf()))],
                                      [(0, 0x1000)])
        for policy, says in (("formats json", b"app: not allowed by the policy"), ("formats symbols json", b"app: .symtab 1"), ("", b"app: .symtab 1")):
            end = self.ruled(policy + "\n", "--no-index", "-e", "info", profile)
            self.ok("policy: symbols, %s" % (policy or "all formats"), [] if end.code == 0 and says in end.out else [str(end)])
        keys = self.path("keys")
        with open(keys, "w", encoding="utf-8") as f:
            f.write("size 100x24\nframe\n")
        end = self.ruled("formats jfr\n", "--no-index", "--keys", keys, dump)
        self.ok("policy: a format of the explorer", [] if b"is not allowed by" in end.out or by in end.err else [str(end)])
        if self.limited:
            end = self.ruled("memory 3M\n", "--no-index", "--max-memory", "1g", "-e", "methods | count", self.demo)
            self.ok("policy: memory", [] if end.code == SYSTEM and "the limit is 3 MiB, in /etc/icecore/policy" in end.err else [str(end)])
        end = self.ruled("run no\n", "--version", mode=0o664)
        self.ok("policy: one that its group can write", [] if end.code == SYSTEM and "unsafe policy" in end.err else [str(end)])
        end = self.ruled("formats hprof jfr\ntime 5min\n", "triage", "--one", "x", self.demo)
        self.ok("policy: a format of triage", [] if b"is not allowed by" in end.out else [str(end)])
        end = self.ruled("formats hprof jfr\ntime 5min\n", "--show-policy")
        self.ok("--show-policy", [] if b"formats   hprof jfr" in end.out and b"time      5 min" in end.out and b"memory    no limit" in end.out else [str(end)])
        self.ok("policy: the example is valid", self.example())

    def example(self):
        with open(os.path.join(os.path.dirname(self.demo), "..", "packaging", "policy.example"), encoding="utf-8") as f:
            text = f.read()
        whole = "".join(line.lstrip("#") if line[:1] == "#" and line[1:2].islower() else line for line in text.splitlines(True))
        return [str(end) for end in (self.ruled(text, "--show-policy"), self.ruled(whole, "--show-policy")) if end.code != 0]

    def script(self, query):
        path = self.path("query")
        with open(path, "w", encoding="utf-8") as f:
            f.write(query)
        folded = self.path("folded")
        with open(folded, "w", encoding="utf-8") as f:
            f.write("main;%sb 1\n" % ("a" * 63))
        return self.run("--no-index", "-f", path, folded)


def main():
    limits = Limits(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "demo")
    limits.demo = os.path.join(here, "demo.trace.gz")
    limits.jar = os.path.join(here, "notes.jar")
    limits.check_bombs()
    limits.check_endless()
    limits.check_devices()
    limits.check_kernel()
    limits.check_descriptors()
    limits.check_reserve()
    limits.check_time()
    limits.check_query()
    limits.check_dumps()
    limits.check_columns()
    limits.check_memory()
    limits.check_policy()
    print("1..%d" % limits.n)


if __name__ == "__main__":
    main()
