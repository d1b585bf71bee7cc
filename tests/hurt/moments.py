#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""moments.py PROGRAM KILLED DUMP OTHER PICTURES FOLDER ROUNDS - the world changes while an index is made, as TAP.

All are heap dumps: DUMP and OTHER of one size, PICTURES with bitmaps.  The program is killed at random moments while
it reads KILLED, four of it build one index, the disk is full at every 64 KiB, folders and files may not be read or written, the
dump is overwritten with the other one, pictures go to folders with hostile names.  Whatever happens, what it
answers is right or it says what went wrong, the next answer is right, and nothing is left behind.
"""
import ctypes
import gzip
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib

STEP = 1 << 16
QUERIES = ["classes | top 20 shallow", "dominators | top 20 retained", "referrers @9", "findings",
           "objects | where retained > 1k | count"]
NOBODY = 65534
NO_NEW_NAMES = ("", "x\n\x1b]0;owned\x07\x1b[2J", "-e", "%s%n%d", " ", "ü\u202etxt", "a" * 255, "~", "$(touch owned)",
                "'\"", "..\\..")


class Moments:
    def __init__(self, program, other, pictures, folder, rounds):
        self.program, self.other, self.pictures = (os.path.abspath(path) for path in (program, other, pictures))
        self.folder, self.rounds = folder, int(rounds)
        self.rng = random.Random(5)
        self.n = 0
        self.index = os.path.join(folder, "index")

    def of(self, dump):
        """Use this dump from now on: store its answers and the time that queries with a new index take."""
        self.dump, self.want = dump, self.answers(dump)
        begin = time.monotonic()
        self.run(self.command(dump, QUERIES, self.fresh()))
        self.whole = time.monotonic() - begin

    def ok(self, name, bad, directive=""):
        self.n += 1
        print("%sok %d - %s%s" % ("not " if bad else "", self.n, name, directive))
        for line in bad[:12]:
            print("#   " + line.replace("\n", "\n#   "))
        sys.stdout.flush()

    def path(self, name):
        return os.path.join(self.folder, name)

    def fresh(self):
        shutil.rmtree(self.index, ignore_errors=True)
        os.mkdir(self.index)
        return self.index

    def command(self, source, queries, index=None):
        command = [self.program, "--quiet", "-o", "tsv"]
        command += ["--index", index] if index else ["--no-index"]
        for query in queries:
            command += ["-e", query]
        return command + [source]

    def run(self, command, **how):
        p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=3600, check=False, **how)
        return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")

    def answers(self, source):
        """Return the status and output of each query."""
        return {query: self.run(self.command(source, [query]))[:2] for query in QUERIES}

    def check_next(self, query, want=None, index=None):
        """Return the errors of the next answer and of the index directory."""
        code, out, err = self.run(self.command(self.dump, [query], index or self.index))
        bad = []
        if (code, out) != (want or self.want)[query]:
            bad.append("%s: then status %d, %s: %s" % (
                query, code, "right" if out == (want or self.want)[query][1] else "wrong", err))
        left = [name for name in os.listdir(index or self.index) if not name.endswith(".icx")]
        if left:
            bad.append("left behind: %s" % left)
        return bad

    # ---- moments --------------------------------------------------------------

    def start(self, queries, index):
        return subprocess.Popen(self.command(self.dump, queries, index), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def check_kills(self):
        """Half of the kills meet an index that others have begun."""
        bad, met = [], 0
        for i in range(self.rounds):
            if i % 2 == 0:
                self.fresh()
            p = self.start(self.rng.sample(QUERIES, 2), self.index)
            try:
                p.wait(self.rng.uniform(0, self.whole))
            except subprocess.TimeoutExpired:
                met += 1
            p.kill()
            p.communicate()
            bad += ["kill %d: %s" % (i, b) for b in self.check_next(self.rng.choice(QUERIES))]
            if len(bad) >= 12:
                break
        self.ok("killed %d times (%d while it worked) on a dump of %d bytes: the next answer is right" % (
            self.rounds, met, os.path.getsize(self.dump)), bad)

    def check_four(self):
        """Four begin at once; one of them is killed in every other round."""
        bad, rounds = [], max(3, self.rounds // 10)
        for i in range(rounds):
            self.fresh()
            queries = [self.rng.choice(QUERIES) for _ in range(4)]
            all_four = [self.start([query], self.index) for query in queries]
            if i % 2:
                time.sleep(self.rng.uniform(0, self.whole))
                all_four[0].kill()
            for k, (p, query) in enumerate(zip(all_four, queries)):
                out, err = p.communicate(timeout=3600)
                if (p.returncode, out) != self.want[query] and not (k == 0 and p.returncode == -signal.SIGKILL):
                    bad.append("round %d, %s: status %d, %r" % (i, query, p.returncode, err[:200]))
            bad += ["round %d: %s" % (i, b) for b in self.check_next(self.rng.choice(QUERIES))]
        self.ok("four build one index, %d times" % rounds, bad)

    def check_overwritten(self):
        """The other dump is written over the dump, whose size stays, while it is read."""
        path, keep = self.path("over.hprof"), self.dump
        other, bad, rounds = self.answers(self.other), [], max(3, self.rounds // 10)
        with open(self.dump, "rb") as a, open(self.other, "rb") as b:
            before, after = a.read(), b.read()
        assert len(before) == len(after) and before != after
        self.dump = path
        for i in range(rounds):
            with open(path, "wb") as f:
                f.write(before)
            self.fresh()
            query = self.rng.choice(QUERIES)
            p = self.start([query], self.index)
            try:
                p.wait(self.rng.uniform(0, self.whole))
            except subprocess.TimeoutExpired:
                pass
            with open(path, "r+b") as f:
                f.write(after)
            out, err = p.communicate(timeout=3600)
            if (p.returncode, out) not in (self.want[query], other[query]) and not err:
                bad.append("round %d, %s: status %d and no message" % (i, query, p.returncode))
            if p.returncode < 0:
                bad.append("round %d, %s: signal %d" % (i, query, -p.returncode))
            bad += ["round %d: %s" % (i, b) for b in self.check_next(self.rng.choice(QUERIES), other)]
        self.dump = keep
        self.ok("a dump overwritten while it is read, %d times: the next answer is of what it is now" % rounds, bad)

    # ---- full disks ---------------------------------------------------------------

    def sizes(self, last):
        step = STEP if self.rounds >= 1000 else max(STEP, last // 12 // STEP * STEP)
        return range(STEP, last + 2 * step, step)

    def full(self, size, folder, limit):
        """One run with so much room for the index; then the disk has room again."""
        query = QUERIES[size // STEP % len(QUERIES)]
        queries = ["dominators | count", "referrers @9 | count", query]
        code, out, err = self.run(self.command(self.dump, queries, folder), preexec_fn=limit)
        bad = []
        if code not in (0, 1, 4) or (code == 4 and not err) or (code != 4 and not out.endswith(self.want[query][1])):
            bad.append("%d bytes, %s: status %d, %s" % (size, query, code, err))
        return bad + ["%d bytes: %s" % (size, b) for b in self.check_next(query, index=folder)]

    def check_file_limit(self, last):
        """No file may be larger than that: a quota that every system has."""
        bad = []
        for size in self.sizes(last):
            bad += self.full(size, self.fresh(), lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        self.ok("no file beyond %d KiB, 128 KiB ... %d bytes" % (STEP >> 10, last), bad)

    def check_full_disk(self, last):
        """A file system of that size in memory, of this process alone."""
        name = "a disk full at each of %d places" % len(self.sizes(last))
        libc = ctypes.CDLL(None, use_errno=True)
        clone_newns, ms_rec_private = 0x20000, 0x44000
        if libc.unshare(clone_newns) or libc.mount(b"none", b"/", None, ms_rec_private, None):
            self.ok(name, [], " # SKIP needs root, or unshare -rm, to mount a file system of its own")
            return
        disk, bad = self.path("disk"), []
        os.makedirs(disk, exist_ok=True)
        for size in self.sizes(last):
            if libc.mount(b"none", disk.encode(), b"tmpfs", 0, b"size=%d" % size):
                bad.append("mount: %s" % os.strerror(ctypes.get_errno()))
                break
            bad += self.full(size, disk, None)
            libc.umount2(disk.encode(), 2)
        self.ok(name, bad)

    # ---- permissions ----------------------------------------------------------------

    def as_nobody(self):
        """Root may do everything: then the program is run as nobody."""
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    def check_permissions(self):
        if self.run(["ls", self.folder], preexec_fn=self.as_nobody, cwd="/")[0] != 0:
            self.ok("folders and files without permission", [], " # SKIP nobody may not reach the folder of the test")
            return
        query = QUERIES[0]
        room, cache, temporary = (self.path(name) for name in ("room", "cache", "temporary"))
        os.mkdir(temporary)
        os.chmod(temporary, 0o1777)
        # nobody may not reach a build below a private folder.
        program = shutil.copy(self.program, self.path("icecore"))
        bad = []

        def ask(what, fine, mode=0o755, source=0o644, index=None, cache_mode=0o755, packed=False, **env):
            """One file in a folder of that mode; fine: whether there is an answer."""
            for folder in room, cache:
                if os.path.isdir(folder):
                    os.chmod(folder, 0o755)
                shutil.rmtree(folder, ignore_errors=True)
                os.mkdir(folder)
            dump = shutil.copy(self.dump, room)
            if packed:
                with open(dump, "rb") as f:
                    data = gzip.compress(f.read(), 1)
                os.unlink(dump)
                dump += ".gz"
                with open(dump, "wb") as f:
                    f.write(data)
            if index is not None:
                self.run([self.program, "-e", query, dump])
                os.chmod(dump + ".icx", index)
            for path in [dump, room, cache] + [dump + ".icx"] * (index is not None):
                if os.geteuid() == 0:
                    os.chown(path, NOBODY, NOBODY)
            os.chmod(dump, source)
            os.chmod(cache, cache_mode)
            os.chmod(room, mode)
            code, out, err = self.run([program, "--quiet", "-o", "tsv", "-e", query, dump], preexec_fn=self.as_nobody,
                                      env={**os.environ, "XDG_CACHE_HOME": cache, "TMPDIR": temporary, **env}, cwd="/")
            right = (code, out) == self.want[query] if fine else code == 4 and out == b"" and err.count("\n") == 1
            if not right:
                bad.append("%s: status %d, %d bytes: %s" % (what, code, len(out), err))
            os.chmod(room, 0o755)
            left = [name for name in os.listdir(room) if not name.endswith((".hprof", ".gz", ".icx"))]
            if left:
                bad.append("%s: left behind: %s" % (what, left))
            return sorted(os.listdir(room)), [name for _, _, names in os.walk(cache) for name in names]

        beside, cached = ask("nothing forbidden", True)
        if len(beside) != 2 or cached:
            bad.append("the index is not beside the dump: %s %s" % (beside, cached))
        beside, cached = ask("a folder read-only", True, mode=0o555)
        if len(beside) != 1 or len(cached) != 1:
            bad.append("the index is not in the cache: %s %s" % (beside, cached))
        beside, cached = ask("no folder for an index", True, mode=0o555, cache_mode=0o555)
        if len(beside) != 1 or cached:
            bad.append("an index where nothing may be written: %s %s" % (beside, cached))
        for env in {}, {"XDG_CACHE_HOME": "/proc/none"}:
            beside, cached = ask("packed, and no folder for an index %s" % env, True, mode=0o555, cache_mode=0o555, packed=True, **env)
            if len(beside) != 1 or cached:
                bad.append("a copy where nothing may be written: %s %s" % (beside, cached))
        ask("a dump without permission", False, source=0)
        ask("a folder without permission", False, mode=0)
        ask("an index without permission", True, index=0)
        ask("an index read-only", True, index=0o444)
        ask("an index that other users may write", True, index=0o666)
        ask("no folder for temporary files", True, TMPDIR="/proc/none")
        self.ok("folders and files without permission", bad)

    # ---- pictures ---------------------------------------------------------------------

    def pictures_in(self, folder):
        """The number of whole pictures there; any other file, except the list of duplicates, is a fault."""
        n = 0
        for name in set(os.listdir(folder)) - {"duplicates.tsv"}:
            with open(os.path.join(folder, name), "rb") as f:
                data = f.read()
            at = 8
            while at < len(data):
                size, = struct.unpack_from(">I", data, at)
                if zlib.crc32(data[at + 4:at + 8 + size]) != struct.unpack_from(">I", data, at + 8 + size)[0]:
                    raise ValueError(name)
                at += 12 + size
            if not data.startswith(b"\x89PNG") or not data.endswith(b"IEND\xaeB`\x82"):
                raise ValueError(name)
            n += 1
        return n

    def check_pictures(self):
        home = self.path("pictures")
        bad, said = [], "icecore: "

        def export(what, target, fine, query="bitmaps | png %s"):
            before = set(os.listdir(home))
            word = "'" + target.replace("\\", "\\\\").replace("'", "\\'") + "'"
            code, out, err = self.run([self.program, "--quiet", "--no-index", "-o", "tsv", "-e", query % word, self.pictures],
                                      cwd=home)
            if any(ord(c) < 32 and c not in "\t\n" for c in err + out.decode()) or (err and not err.startswith(said)):
                bad.append("%s: %r, %r" % (what, err, out))
            if (code == 0) != fine or (not fine and (code not in (2, 4) or not err)):
                bad.append("%s: status %d: %s" % (what, code, err))
            new = set(os.listdir(home)) - before
            if not fine and new:
                bad.append("%s: left behind: %s" % (what, new))

        os.makedirs(home)
        for name in NO_NEW_NAMES:
            export("folder %r" % name, name, name != "")
            if name and not self.pictures_in(os.path.join(home, name)):
                bad.append("no pictures in %r" % name)
            shutil.rmtree(os.path.join(home, name) if name else "/nonexistent", ignore_errors=True)
        export("folder", "whole", True)
        count = self.pictures_in(os.path.join(home, "whole"))
        export("the same again", "whole", True)
        if count == 0 or self.pictures_in(os.path.join(home, "whole")) != count:
            bad.append("%d pictures, then %d" % (count, self.pictures_in(os.path.join(home, "whole"))))
        names = sorted(os.listdir(os.path.join(home, "whole")))
        export("256 bytes", "a" * 256, False)
        export("a folder in nothing", "none/such/folder", False)
        export("a file for a folder", "whole/" + names[0], False)
        os.symlink("whole", os.path.join(home, "link"))
        export("a link to a folder", "link", True)
        os.symlink("nowhere", os.path.join(home, "loose"))
        export("a link to nothing", "loose", False)
        os.mkfifo(os.path.join(home, "pipe"))
        export("a pipe for a folder", "pipe", False)
        # Links, directories and pipes that have the name of a picture: a link is neither followed nor replaced, and the others are not opened.
        odd = os.path.join(home, "odd")
        os.mkdir(odd)
        victim = self.path("victim")
        with open(victim, "w", encoding="ascii") as f:
            f.write("mine")
        os.symlink(victim, os.path.join(odd, names[0]))
        os.symlink(self.path("absent"), os.path.join(odd, names[1]))
        os.mkfifo(os.path.join(odd, names[2]))
        os.mkdir(os.path.join(odd, names[3]))
        code, _, err = self.run([self.program, "--quiet", "--no-index", "-e", "bitmaps | png odd", self.pictures], cwd=home)
        with open(victim, encoding="ascii") as f:
            if f.read() != "mine":
                bad.append("a link was followed")
        if os.path.exists(self.path("absent")):
            bad.append("a link to nothing was followed")
        if code not in (0, 4) or not all(os.path.lexists(os.path.join(odd, name)) for name in names[:4]):
            bad.append("names that are taken: status %d: %s" % (code, err))
        for query in "classes | export %s", "classes | export! %s":
            for what, target in ("a folder for a file", "whole"), ("no folder", "none/classes.tsv"), ("256 bytes", "a" * 252 + ".tsv"), \
                    ("a link to nothing for a file", "loose.tsv"):
                if what.startswith("a link"):
                    if os.path.lexists(os.path.join(home, target)):
                        os.unlink(os.path.join(home, target))
                    os.symlink(self.path("absent"), os.path.join(home, target))
                export("%s, %s" % (query, what), target, what.startswith("a link") and "!" in query, query)
                if what.startswith("a link") and (os.path.exists(self.path("absent")) != ("!" in query) or not os.path.islink(os.path.join(home, target))):
                    bad.append("%s, %s: its file is not written, or the link is gone" % (query, what))
        self.ok("pictures and exports into %d names of folders and files" % (len(NO_NEW_NAMES) + 15), bad)

    def check_room(self):
        self.run(self.command(self.dump, QUERIES, self.fresh()))
        last = max(os.path.getsize(os.path.join(self.index, name)) for name in os.listdir(self.index))
        self.check_file_limit(last)
        self.check_full_disk(last)


def main(argv):
    program, killed, dump, *rest = argv[1:]
    moments = Moments(program, *rest)
    moments.of(killed)
    moments.check_kills()
    moments.of(dump)
    moments.check_four()
    moments.check_overwritten()
    moments.check_permissions()
    moments.check_pictures()
    moments.check_room()
    print("1..%d" % moments.n)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
