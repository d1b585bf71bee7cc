# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""triagehost.py BUILD SCRATCH - icecore triage and the machine it runs on, as TAP: rows cut at every byte, full disks, scratch
files in memory, Ctrl-C at a terminal, and how much memory many rows take."""
import fcntl
import gzip
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mk"))
import mkheap  # noqa: E402
import tap  # noqa: E402
from tap import check  # noqa: E402

BUILD, SCRATCH = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
ICECORE = str(BUILD / "icecore")
ROWS = int(os.environ.get("TRIAGE_ROWS", 10000))        # dumps that have rows already
PATIENCE = 120          # seconds that a condition may take on a busy machine
SANITIZED = os.environ.get("SANITIZE") == "yes"
MEMORY = 20 << 10       # KiB of the program that starts the others
OWN = ("seconds", "rss", "attempt")     # what differs between two runs


def triage(*args, **more):
    return subprocess.run([ICECORE, "triage", *map(str, args)], capture_output=True, timeout=PATIENCE * 5, **more)


def rows(out):
    found = [json.loads(line) for f in sorted(Path(out).glob("rows-*.jsonl")) for line in f.read_bytes().splitlines()]
    return [{k: v for k, v in r.items() if k not in OWN} for r in found]


def by_path(found):
    """Rows of dumps, each with its findings."""
    blocks = {}
    for r in found:
        if r["row"] == "dump":
            block = blocks[r["path"]] = []
        block.append(json.dumps(r, sort_keys=True))
    return blocks


def folder_of(name, *dumps):
    folder = SCRATCH / name
    folder.mkdir()
    for d in dumps:
        (folder / (d + ".hprof")).write_bytes(mkheap.make(d))
    return folder


def until(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("never: " + what)
        time.sleep(0.002)       # between two looks at the condition


def children(pid):
    try:
        return [int(x) for x in Path("/proc/%d/task/%d/children" % (pid, pid)).read_text().split()]
    except OSError:
        return []


def read_all(terminal):
    said = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            return said         # the other end is closed
        if not more:
            return said
        said += more


def alive(pid):
    try:
        return not Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return False


def cut_at_every_byte():
    """A run that was killed may have written any part of its last block, or of a block that is the first."""
    folder, out = folder_of("two", "bitmaps15", "tinyart"), SCRATCH / "two.rows"
    p = triage("--jobs", 1, "-o", out, folder)
    path, want, wrong = out / "rows-0of1.jsonl", rows(out), [p.returncode and p]
    data = path.read_bytes()
    for cut in range(0, len(data), 7 if SANITIZED else 1):
        path.write_bytes(data[:cut])
        p = triage("--jobs", 1, "-o", out, folder)
        if p.returncode != 0 or rows(out) != want:
            wrong.append("cut at %d: %s\n%s" % (cut, p, rows(out)))
    check("rows cut at every byte, then run again: the same rows", len(want) != 3 and want, *wrong)


def many_rows():
    """A table lists the dumps with rows; the rows themselves are read, and released."""
    folder, out = folder_of("large"), SCRATCH / "many"
    out.mkdir()
    (folder / "large.hprof").write_bytes(subprocess.run([BUILD / "tests/mk/heapshape", "mesh", "300000"], stdout=subprocess.PIPE).stdout)
    one = [json.loads(line) for line in triage("--one", "n", SCRATCH / "two" / "bitmaps15.hprof").stdout.splitlines()]
    with open(out / "rows-0of1.jsonl", "w") as f:
        for i in range(ROWS):
            for r in one:
                f.write(json.dumps(dict(r, key="%032x" % i, path="/srv/dumps/%d.hprof" % i) if "path" in r else dict(r, key="%032x" % i),
                                   separators=(",", ":")) + "\n")
    p = subprocess.Popen([ICECORE, "triage", "-o", out, folder], stderr=subprocess.PIPE)
    until("a process for the dump", lambda: children(p.pid) or p.poll() is not None)
    status = Path("/proc/%d/status" % p.pid).read_text() if p.poll() is None else ""
    most = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
    p.communicate()
    print("# %d dumps with rows, %d bytes of them: %s KiB" % (ROWS, os.path.getsize(out / "rows-0of1.jsonl"), most))
    check("%d dumps that have rows: at most 20 MB" % ROWS, p.returncode and p, not most and "too fast", most and most[0] > MEMORY and not SANITIZED and most)
    with open(out / "rows-0of1.jsonl", "rb") as f:
        check("... and one more", sum(line.startswith(b'{"row":"dump"') for line in f) != ROWS + 1 and "another number of rows")


def interrupted():
    """Ctrl-C as a terminal sends it: to the program in front; its processes are in sessions of their own."""
    folder, out = folder_of("slow", "bitmaps15", "leaks"), SCRATCH / "slow.rows"
    large = (SCRATCH / "large" / "large.hprof").read_bytes()
    for i in range(6):
        (folder / ("large%d.hprof" % i)).write_bytes(large)
    undisturbed = SCRATCH / "slow.whole"
    p = triage("-o", undisturbed, folder)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(ICECORE, [ICECORE, "triage", "--jobs", "2", "-o", str(out), str(folder)])
    until("rows", lambda: (out / "rows-0of1.jsonl").exists() and os.path.getsize(out / "rows-0of1.jsonl") > 0 and children(pid))
    started = children(pid)
    os.write(terminal, b"\x03")
    said = read_all(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    check("Ctrl-C: exit 130, and what to do then", code != 130 and (code, said), b"interrupted; run the same command again to resume" not in said and said)
    check("Ctrl-C: it counts the dumps that have rows", b"\n%d dump" % len(by_path(rows(out))) not in said and said)
    check("Ctrl-C: no process stays", [c for c in started if alive(c)])
    found = by_path(rows(out))
    whole = by_path(rows(undisturbed))
    check("Ctrl-C: rows of whole dumps", [n for n, block in found.items() if whole[n] != block], len(found) == len(whole) and "all were read")
    p = triage("-o", out, folder)
    check("... and the same command resumes", p.returncode and p, by_path(rows(out)) != whole and p,
          b" %d skipped" % len(found) not in p.stderr and p)


def ends_ignored():
    """Who started it ignores the end of children, which those it starts inherit."""
    p = subprocess.Popen([ICECORE, "triage", "-o", SCRATCH / "ignored", folder_of("one", "tinyart")], stderr=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    try:
        said = p.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        p.kill()
        said = p.communicate()[1]
    check("SIGCHLD is ignored at the start: the dump is read", p.returncode and (p.returncode, said), not rows(SCRATCH / "ignored") and said)


def on_terminal(columns, *args):
    """Return the lines that a terminal of so many columns gets."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(ICECORE, [ICECORE, "triage", *map(str, args)])
    said = read_all(terminal)
    os.waitpid(pid, 0)
    return said.decode().splitlines()


def narrow():
    """Many columns in few places would be dots."""
    out = SCRATCH / "slow.rows"
    for what, some in (("--groups", "dumps retained_max kind content holder exemplar"), ("--table", "path state findings worst story reason")):
        few, all_of_them = on_terminal(80, what, out), on_terminal(240, what, out)
        check("%s: what a terminal has room for" % what, few[0].split() != some.split() and few[0],
              [line for line in few if "dumps: " not in line and len(line) > 80], len(all_of_them[0].split()) < 7 and all_of_them[0])


def on_disk(size, script, *args):
    """The script's $1 is a file system of that size, in memory, in name spaces of their own; None: none can be mounted here."""
    place = SCRATCH / "small"
    place.mkdir(exist_ok=True)
    p = subprocess.run(["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=%s tmpfs "$1" || exit 77; %s' % (size, script), "sh", place,
                        *map(str, args)], capture_output=True, timeout=PATIENCE * 5)
    return None if p.returncode == 77 or b"unshare" in p.stderr else p


def full_disks():
    folder, out = folder_of("packed", "bitmaps15"), SCRATCH / "packed.rows"
    (folder / "gallery.hprof.gz").write_bytes(gzip.compress(mkheap.make("gallery"), 1, mtime=0))
    p = on_disk("1m", 'TMPDIR=$1 exec "$2" triage -o "$3" "$4"', ICECORE, out, folder)
    if p is None:
        for name in ("scratch files in memory", "a scratch folder that is full", "rows on a disk that is full"):
            tap.skip(name, "no file system can be mounted here")
        return
    check("scratch files in memory: that is said", b"small is in memory (tmpfs); " not in p.stderr and p)
    found = {Path(r["path"]).name: (r["state"], r["reason"]) for r in rows(out) if r["row"] == "dump"}
    check("a scratch folder that is full: a row that says so, the others as ever", p.returncode and p,
          found.get("bitmaps15.hprof") != ("ok", None) and found, found.get("gallery.hprof.gz", "?")[0] != "system" and found,
          "space" not in (found.get("gallery.hprof.gz", "?")[1] or "") and found)
    p = triage("-o", out, folder)
    last = [r for r in rows(out) if r["row"] == "dump"][-1]
    check("... and a run with space heals it", p.returncode and p, last["state"] != "ok" and last)
    many, want, kept = folder_of("many.dumps"), SCRATCH / "want", SCRATCH / "kept"
    for i in range(12):
        (many / ("d%02d.hprof" % i)).write_bytes(mkheap.make("leaks"))
    p = triage("-o", want, many)
    kept.mkdir()
    p = on_disk("64k", '"$2" triage -o "$1/rows" "$3"; code=$?; cp "$1"/rows/* "$4"; mount -o remount,size=8m "$1"; "$2" triage -o "$1/rows" "$3"; '
                'mkdir "$4/then"; cp "$1"/rows/* "$4/then"; exit $code', ICECORE, many, kept)
    whole = by_path(rows(want))
    check("rows on a disk that is full: exit 4, said by name", p.returncode != 4 and p, b"rows-0of1.jsonl: No space left" not in p.stderr and p)
    found = by_path(rows(kept))
    check("... whole blocks stay", [n for n, block in found.items() if whole[n] != block], not 0 < len(found) < len(whole) and found)
    check("... and with more space it resumes", by_path(rows(kept / "then")) != whole and p)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    cut_at_every_byte()
    many_rows()
    interrupted()
    ends_ignored()
    narrow()
    full_disks()
    shutil.rmtree(SCRATCH / "small", ignore_errors=True)
    tap.plan()


main()
