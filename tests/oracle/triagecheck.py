# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""triagecheck.py BUILD SCRATCH [FOLDER] - icecore triage and icecore watch, as TAP; of a folder only the table and the groups.

Folders of dumps, good and bad; TRIAGE_KILLS (3) times the program is killed on its way, and TRIAGE_CUTS (9) times its last rows
are cut off: what a rerun makes of it must be what an undisturbed run says.
"""
import fcntl, grp, hashlib, html, json, os, pwd, random, re, resource, shutil, signal, subprocess, sys, time, zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mk"))
import dumpsmake  # noqa: E402
import mkheap  # noqa: E402
import tap  # noqa: E402
from tap import check  # noqa: E402

BUILD, SCRATCH = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
ICECORE = str(BUILD / "icecore")
SLOW = [sys.executable, str(HERE / "slowtriage.py"), "--icecore", ICECORE]
KILLS, CUTS = int(os.environ.get("TRIAGE_KILLS", 3)), int(os.environ.get("TRIAGE_CUTS", 9))
PATIENCE = 300          # seconds that a condition may take on a busy machine
dice = random.Random(21)


def triage(*args, **more):
    return subprocess.run([ICECORE, "triage", *map(str, args)], capture_output=True, timeout=PATIENCE * 5, **more)


def rows(out):
    """Return the rows in the files of a run, as jq would read them."""
    return [json.loads(line) for f in sorted(Path(out).glob("rows-*.jsonl")) for line in f.read_bytes().splitlines()]


COLUMNS = ("path", "state", "objects", "live_bytes", "dumped_at", "sigs")


def table(out):
    p = triage("--table", out, "-o", "json")
    assert p.returncode == 0, p
    found = [json.loads(line) for line in p.stdout.splitlines()]
    return ["\t".join("" if r[c] is None else str(r[c]) for c in COLUMNS) for r in found]


def groups(out):
    p = triage("--groups", out, "-o", "json")
    columns = ("hash", "kind", "dumps", "first", "last", "retained_max", "retained_median", "exemplar")
    return ["\t".join(str(r[c]) for c in columns) for r in map(json.loads, p.stdout.splitlines())]


def differ(a, b):
    only = ["< " + x for x in a if x not in b] + ["> " + x for x in b if x not in a]
    return "\n".join(only) if a != b and only else "" if a == b else "another order"


def until(what, condition, process=None):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        if process is not None and process.poll() is not None:
            return condition()
        time.sleep(0.002)       # between two looks at the condition
    raise AssertionError("never: " + what)


def size(path):
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def oracle(folder):
    ours, theirs = SCRATCH / "ours", SCRATCH / "slow"
    p = triage("--unpacked", "64m", "-o", ours, folder)
    check("a folder of all kinds: exit 0", p.returncode != 0 and p)
    q = subprocess.run(SLOW + ["run", "-o", str(theirs), "--unpacked", str(64 << 20), str(folder)], capture_output=True, text=True)
    slow = [subprocess.run(SLOW + [what, str(theirs)], capture_output=True, text=True).stdout.splitlines() for what in ("table", "groups")]
    check("the same table as the slow program", differ(table(ours), slow[0]), q.returncode and q.stderr)
    check("the same groups", differ(groups(ours), slow[1]), len(slow[1]) < 3 and "only %d groups" % len(slow[1]))
    keys = [[r["key"] for r in rows(o) if r["row"] == "dump"] for o in (ours, theirs)]
    check("the same keys", set(keys[0]) != set(keys[1]) and "%s\n%s" % (sorted(keys[0]), sorted(keys[1])))
    states = {r["state"] for r in rows(ours) if r["row"] == "dump"}
    check("all kinds of states", {"ok", "clean", "salvaged", "unreadable", "empty", "toobig"} - states)
    bad = [r for r in rows(ours) if "\n" in str(r.get("path")) or "\033" in str(r.get("path"))]
    check("names pass the gate", bad)
    found = {field for r in rows(ours) for field in r}
    for name in "icecore_triage.py", "rows.sql":
        text = (HERE.parent.parent / "contrib/spark" / name).read_text()
        check("contrib/spark/%s has each column" % name, sorted(field for field in found if not re.search("[\"']%s[\"']" % field, text)))
    before = (ours / "rows-0of1.jsonl").read_bytes()
    p = triage("--unpacked", "64m", "-o", ours, folder)
    check("nothing to do: no row more", p.returncode != 0 and p, (ours / "rows-0of1.jsonl").read_bytes() != before and p.stderr)
    return table(ours)


def jobs(folder, want):
    for n in (1, 8):
        out = SCRATCH / ("jobs%d" % n)
        p = triage("--unpacked", "64m", "--jobs", n, "-o", out, folder)
        check("--jobs %d: the same table" % n, p.returncode and p, differ(table(out), want))
    out = SCRATCH / "shards"
    running = [subprocess.Popen([ICECORE, "triage", "--unpacked", "64m", "--shard", "%d/3" % i, "-o", str(out), str(folder)],
                                stderr=subprocess.DEVNULL) for i in range(3)]
    codes = [p.wait(PATIENCE * 5) for p in running]
    check("three shards at once: the same table", any(codes) and codes, differ(table(out), want))
    shard = next(i for i in range(2) if i != zlib.crc32(b"empty") % 2)
    (SCRATCH / "empty").touch()
    p = subprocess.run([ICECORE, "triage", "--shard", "%d/2" % shard, "-o", "share", "empty"], cwd=SCRATCH, capture_output=True, text=True)
    check("the share of a shard may be empty", p.returncode and p, not p.stderr.startswith("0 dumps; 0 skipped") and p)


def killed(folder, want):
    out, wrong = SCRATCH / "killed", []
    path, full = out / "rows-0of1.jsonl", size(SCRATCH / "ours" / "rows-0of1.jsonl")
    for i in range(KILLS):
        if i % 5 == 0:
            shutil.rmtree(out, ignore_errors=True)
        p = subprocess.Popen([ICECORE, "triage", "--unpacked", "64m", "-o", str(out), str(folder)], stderr=subprocess.DEVNULL)
        more = size(path) + dice.randrange(full // 3)
        until("rows", lambda: size(path) >= more, p)
        p.kill()
        p.wait()
        if i % 5 == 4 or i == KILLS - 1:
            p = triage("--unpacked", "64m", "-o", out, folder)
            wrong += [p.returncode and p, differ(table(out), want)]
    check("killed %d times, then run again: the same table" % KILLS, *wrong)


def blocks(data):
    """Where each block begins."""
    at, starts = 0, []
    for line in data.splitlines(True):
        if line.startswith(b'{"row":"dump"'):
            starts.append(at)
        at += len(line)
    return starts


def torn(folder, want):
    out = SCRATCH / "torn"
    shutil.copytree(SCRATCH / "ours", out)
    path = out / "rows-0of1.jsonl"
    data = path.read_bytes()
    first, wrong = blocks(data)[-3], []
    for cut in sorted(dice.sample(range(first, len(data)), min(CUTS, len(data) - first))):
        path.write_bytes(data[:cut])
        p = triage("--unpacked", "64m", "-o", out, folder)
        wrong += [p.returncode and p, "cut at %d: %s" % (cut, differ(table(out), want)) if table(out) != want else ""]
    check("cut off within the last three blocks, then run again: the same table", *wrong)
    path.write_bytes(data[:-5])
    p = triage("--table", out)
    check("torn rows are reported", p.returncode not in (0, 3) and p)


def children(process):
    try:
        return [int(x) for x in Path("/proc/%d/task/%d/children" % (process.pid, process.pid)).read_text().split()]
    except OSError:
        return []


def opened(process):
    """Targets of its descriptors; it may close one meanwhile."""
    found = []
    for fd in os.listdir("/proc/%d/fd" % process.pid):
        try:
            found.append(os.readlink("/proc/%d/fd/%s" % (process.pid, fd)))
        except FileNotFoundError:
            pass
    return found


def attacked(sig, *options):
    """One dump whose process gets a signal; the rows, or None when it was faster."""
    folder, out = SCRATCH / "one", SCRATCH / "attacked"
    shutil.rmtree(out, ignore_errors=True)
    p = subprocess.Popen([ICECORE, "triage", *options, "-o", str(out), str(folder)], stderr=subprocess.DEVNULL)
    until("a child", lambda: children(p), p)
    for pid in children(p):
        try:
            os.kill(pid, sig)
        except ProcessLookupError:
            pass
    code = p.wait(PATIENCE)
    return code, [r for r in rows(out) if r["row"] == "dump"]


def attacks():
    folder = SCRATCH / "one"
    folder.mkdir()
    (folder / "large.hprof").write_bytes(subprocess.run([BUILD / "tests/mk/heapshape", "mesh", "300000"], stdout=subprocess.PIPE).stdout)
    for name, sig, state, options in (("kill -9 of its process: oom", signal.SIGKILL, "oom", ()),
                                      ("a process that stands still: timeout", signal.SIGSTOP, "timeout", ("--timeout", "1"))):
        for _ in range(20):
            code, found = attacked(sig, *options)
            if found and found[0]["state"] not in ("ok", "clean"):
                break
        check(name, (not found or found[0]["state"] != state) and found, code and "exit %d" % code)
        p = triage("-o", SCRATCH / "attacked", folder)
        last = rows(SCRATCH / "attacked")
        last = [r for r in last if r["row"] == "dump"][-1]
        check("the next run heals it", (last["state"] not in ("ok", "clean") or last["attempt"] != 2) and last, p.returncode and p)
    p = triage("--timeout", "1ns", "--max-bad", "0", "-o", SCRATCH / "late", folder)
    check("more than --max-bad fail: exit 3", p.returncode != 3 and p)
    more, out = SCRATCH / "resumed", SCRATCH / "resumed_out"
    more.mkdir()
    for i in range(4):
        (more / ("%d.hprof" % i)).write_bytes(subprocess.run([BUILD / "tests/mk/heapshape", "mesh", str(300 + i)], stdout=subprocess.PIPE).stdout)
        p = triage("--max-bad", "0", "-o", out, more) if i < 3 else triage("--timeout", "1ns", "--max-bad", "50", "-o", out, more)
        check("--max-bad is of the dumps that this run opened, run %d" % i, p.returncode != 3 * (i == 3) and p)
    for _ in range(4):
        triage("--timeout", "1ns", "-o", SCRATCH / "late", folder)
    tried = [r["attempt"] for r in rows(SCRATCH / "late") if r["row"] == "dump"]
    check("what fails is tried three times", tried != [1, 2, 3] and tried)


def codes(folder):
    nothing = SCRATCH / "nothing"
    nothing.mkdir()
    p = triage("-o", SCRATCH / "none", nothing)
    check("no file: exit 1", p.returncode != 1 and p)
    wrong = [a for a in (["x"], ["-o"], ["--shard", "3/3", "-o", "o", "x"], ["--nonsense"], ["--retry", "never", "-o", "o", "x"],
                         ["--one", "n"], ["--timeout", "0", "-o", "o", "x"],
                         ["--keep=1", "--redact", "-o", "o", "x"], ["--null=x", "-o", "o", "x"], ["--null", "-o", "o", folder],
                         ["--mapping-dir", folder, "-o", "o", folder], ["--one", "n", "-o", "o", folder / "leaks.hprof.gz"],
                         ["--one", "n", "--jobs", "2", folder / "leaks.hprof.gz"], ["--one", "n", "--retry", "oom", folder / "leaks.hprof.gz"],
                         ["--groups", SCRATCH / "ours", "--redact"], ["--table", SCRATCH / "ours", "--from", folder / "leaks.hprof.gz"]) if triage(*a).returncode != 2]
    check("usage: exit 2", wrong)
    p = triage("-o", SCRATCH / "none", folder, SCRATCH / "mistyped")
    check("no such DIR or FILE: exit 4, nothing is begun", (p.returncode != 4 or b"mistyped: No such file" not in p.stderr) and p,
          size(SCRATCH / "none" / "rows-0of1.jsonl") and "rows")
    p = triage("--groups", nothing)
    check("no rows: exit 1, and said so", (p.returncode != 1 or b"no output" not in p.stderr) and p)
    for args in ([nothing, nothing], ["--done", nothing, nothing, SCRATCH / "none"]):
        p = subprocess.run([ICECORE, "watch", "--once", *map(str, args)], capture_output=True)
        check("watch: what it writes does not come in", p.returncode != 2 and p)
    (SCRATCH / "file").write_bytes(b"")
    p = triage("-o", SCRATCH / "file", folder)
    check("OUT is not a directory: exit 4", p.returncode != 4 and p)
    with open(SCRATCH / "ours" / "rows-0of1.jsonl", "rb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        p = triage("-o", SCRATCH / "ours", folder)
        check("two writers: exit 4", (p.returncode != 4 or b"another icecore triage" not in p.stderr) and p)
    out = SCRATCH / "full"
    p = triage("-o", out, folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)))
    data = (out / "rows-0of1.jsonl").read_bytes()
    whole = [r for r in rows(out) if r["row"] == "dump"]
    check("no space: exit 4, whole blocks stay", p.returncode != 4 and p, not data.endswith(b"\n") and data[-99:], not whole and "no row",
          sum(r["findings"] + 1 for r in whole) != len(rows(out)) and "a block is not whole")
    out = SCRATCH / "stopped"
    p = subprocess.Popen([ICECORE, "triage", "--jobs", "1", "-o", str(out), str(folder)], stderr=subprocess.DEVNULL)
    until("a row", lambda: size(out / "rows-0of1.jsonl") > 0, p)
    p.send_signal(signal.SIGTERM)
    code = p.wait(PATIENCE)
    check("SIGTERM: exit 130", code not in (130, 0) and code, not (out / "rows-0of1.jsonl").read_bytes().endswith(b"\n") and "torn")


def sandboxed(folder):
    """A kernel without Landlock: tests/hurt/sandboxed forbids it."""
    dump = next(folder.glob("heap.hprof*"))
    hurt = [str(BUILD / "tests/hurt/sandboxed"), "triage"]
    env = dict(os.environ, FORBID="landlock:38")
    p, free = (subprocess.run(hurt + more + ["--one", "n", dump], capture_output=True, env=env) for more in (["--sandbox=required"], []))
    check("--sandbox required: exit 4 where it is not whole", (p.returncode, b"sandbox is incomplete" in p.stdout) != (4, True) and p,
          free.returncode != 0 and free)
    out = SCRATCH / "required"
    (SCRATCH / "map.txt").write_text("a.B -> c:\n")
    p = triage("--sandbox", "required", "--mapping", SCRATCH / "map.txt", "-o", out, dump)
    check("--sandbox required: the same rows where it is", p.returncode != 0 and p, [r["reason"] for r in rows(out) if r.get("state", "ok") != "ok"])


def limits_of(pid):
    """Soft and hard, by the names the kernel has for them."""
    lines = Path("/proc/%d/limits" % pid).read_text().splitlines()[1:]
    return {line[:26].strip(): tuple(line[26:68].split()) for line in lines}


def greedy():
    """One of three takes all the memory or the time it gets (tests/hurt/sandboxed): it alone is ended."""
    folder, out = SCRATCH / "three", SCRATCH / "greedy"
    folder.mkdir()
    for name, kind in (("a", "leaks19"), ("b", "leaks"), ("c", "tinyart")):
        (folder / (name + ".hprof")).write_bytes(mkheap.make(kind))
    taken = size(folder / "a.hprof")
    hurt = [str(BUILD / "tests/hurt/sandboxed"), "triage", "--jobs", "1", "--timeout", "500ms", "--memory", "96m", "--unpacked", "8m", "-o", out]

    def ended():
        found = {Path(r["path"]).stem: r for r in rows(out) if r["row"] == "dump"}
        shutil.rmtree(out)
        return found.pop("a"), {name: r["state"] for name, r in found.items()}

    def took_time():
        # Its parent stands still: nobody but the kernel counts its time.
        p = subprocess.Popen(hurt + [folder], stderr=subprocess.DEVNULL, env=dict(os.environ, GREEDY="time:%d" % taken))
        try:
            until("a child", lambda: children(p), p)
            p.send_signal(signal.SIGSTOP)
            child = children(p)[0]
            until("its program", lambda: limits_of(child)["Max open files"][0] == "64")
            limits = limits_of(child)
            until("its end", lambda: state_of(child) == "Z")
            p.send_signal(signal.SIGCONT)
            return p.wait(PATIENCE), *ended(), limits
        finally:
            p.kill()

    def took_memory():
        p = subprocess.run(hurt + [folder], capture_output=True, env=dict(os.environ, GREEDY="memory:%d" % taken))
        return p, *ended()

    def again(act):
        """Half a second is little for the others on a busy machine: then once more."""
        for _ in range(20):
            result = act()
            if "timeout" not in result[2].values():
                break
        return result

    code, one, others, limits = again(took_time)
    # Without options they follow the size of the file: 4 MiB in a second, and 2 bytes for a byte.
    (SCRATCH / "sparse").mkdir()
    with open(SCRATCH / "sparse" / "a.hprof", "wb") as f:
        f.truncate(1 << 30)
    p = subprocess.Popen([hurt[0], "triage", "-o", SCRATCH / "sparse rows", SCRATCH / "sparse"], stderr=subprocess.DEVNULL,
                         env=dict(os.environ, GREEDY="time:%d" % (1 << 30)))
    try:
        until("a child", lambda: children(p), p)
        until("its program", lambda: limits_of(children(p)[0])["Max open files"][0] == "64")
        by_size = limits_of(children(p)[0])
    finally:
        p.terminate()
        p.wait(PATIENCE)
    check("limits follow the size of the file", by_size["Max cpu time"][0] != "377" and by_size,
          os.environ.get("SANITIZE") != "yes" and by_size["Max data size"][0] != str((512 << 20) + (2 << 30)) and by_size)
    want = {"Max cpu time": ("1", "2"), "Max file size": ("8388608",) * 2, "Max core file size": ("0",) * 2, "Max open files": ("64",) * 2}
    if os.environ.get("SANITIZE") != "yes":
        want["Max data size"] = (str(96 << 20),) * 2
    check("a process that takes all the time: timeout, by its limit of CPU time", code and "exit %d" % code,
          (one["state"], one["signal"]) != ("timeout", signal.SIGXCPU) and one)
    check("and the others are read", others != {"b": "ok", "c": "clean"} and others)
    check("limits of a process", {name: limits[name] for name in want} != want and limits)
    if os.environ.get("SANITIZE") != "yes":
        p, one, others = again(took_memory)
        check("a process that takes all the memory: oom", p.returncode and p, (one["state"], one["reason"]) != ("oom", "out of memory") and one)
        check("the others are read", others != {"b": "ok", "c": "clean"} and others)


def extras(folder):
    dump = folder / "leaks.hprof.gz"
    p = triage("--one", "a name", "-", stdin=open(dump, "rb"))
    q = triage("--one", "a name", "-", input=dump.read_bytes())
    r = triage("--one", "a name", dump)
    one = json.loads(p.stdout.splitlines()[0])
    check("--one: by file, standard input and pipe", p.stdout != q.stdout and q, p.stdout != r.stdout and r,
          (one["path"], one["state"]) != ("a name", "ok") and one, len(p.stdout.splitlines()) != one["findings"] + 1 and p)
    p = triage("--one", "ci/7/web-a name.gz", "--redact", "--name-pattern", "{app}/{build}/{process}-{any}.gz", dump)
    found = [json.loads(line) for line in p.stdout.splitlines()]
    hashed = hashlib.sha256(b"ci/7/web-a name.gz").hexdigest()[:32]
    check("--one --redact: neither name nor descriptions", found[0]["path"] != hashed and found[0], [r for r in found if r.get("why")],
          len(found) != found[0]["findings"] + 1 and found)
    check("--one --name-pattern", [found[0][x] for x in ("app", "build", "process")] != ["ci", "7", "web"] and found[0])
    large = SCRATCH / "one" / "large.hprof"
    found = [json.loads(triage("--one", "n", *a, large).stdout.splitlines()[0])["state"] for a in (["--timeout", "1ms"], ["--memory", "8m"])]
    # A sanitizer maps all memory: then memory is not limited.
    check("--one has the limits that are given", found[0] != "timeout" and found, found[1] not in ("oom", "ok", "clean") and found,
          found[1] != "oom" and b"__asan" not in Path(ICECORE).read_bytes() and b"__tsan" not in Path(ICECORE).read_bytes() and found)
    p = triage("--one", "x", "/dev/null")
    check("--one of a device: unreadable, exit 0", (p.returncode or json.loads(p.stdout)["state"] != "unreadable") and p)
    named = SCRATCH / "named" / "shop" / "7"
    named.mkdir(parents=True)
    shutil.copy(dump, named / "web-1.hprof.gz")
    out = SCRATCH / "extras"
    p = triage("-o", out, "--name-pattern", "named/{app}/{build}/{process}-{any}.hprof.gz", "--keep", "1", SCRATCH / "named")
    first = rows(out)[0]
    check("app, build and process by the path", [first[x] for x in ("app", "build", "process")] != ["shop", "7", "web"] and first)
    kept = sorted(str(f.relative_to(out)) for f in out.glob("keep/*/*"))
    sigs = {r["sig"] for r in rows(out) if r["row"] == "finding"}
    names = ["keep/%s/%s-web-1.hprof.gz" % (s, hashlib.sha256(bytes(named / "web-1.hprof.gz")).hexdigest()[:8]) for s in sigs]
    check("--keep: the largest of each signature", kept != sorted(names) and kept)
    (SCRATCH / "named" / "larger").mkdir()
    (SCRATCH / "named" / "larger" / "web-1.hprof").write_bytes(mkheap.make("leaks19"))
    inside = SCRATCH / "named" / "rows"
    for _ in range(2):
        triage("-o", inside, "--keep", "1", SCRATCH / "named")
    found = [r["path"] for r in rows(inside) if r["row"] == "dump"]
    check("OUT within DIR: kept dumps are not new dumps", len(found) != 2 and found)
    most = {}
    for r in rows(inside):
        if r["row"] == "finding":
            most[r["sig"]] = most.get(r["sig"], 0) + 1
    kept = [f.parent.name for f in inside.glob("keep/*/*")]
    check("--keep: no more than that of each", sorted(kept) != sorted(most) and kept)
    p = triage("--groups", inside)
    check("--groups: how many dumps ended how", (p.returncode or not p.stderr.startswith(b"2 dumps: 2 with findings, 0 clean, 0 damaged\n")) and p)
    out = SCRATCH / "redacted"
    p = triage("-o", out, "--redact", named)
    text = (out / "rows-0of1.jsonl").read_text()
    check("--redact: no path, no description", "web-1" in text and text, any(r.get("why") for r in rows(out)) and text)
    listing = SCRATCH / "listing"
    listing.write_bytes(b"\0".join(bytes(f) for f in sorted(folder.iterdir()) if f.suffix in (".hprof", ".gz") and not f.is_dir()) + b"\0" +
                        bytes(folder / "sub" / "twin.hprof"))
    p = triage("--unpacked", "64m", "-o", SCRATCH / "listed", "--from", listing, "--null")
    got = [line for line in table(SCRATCH / "listed") if "/.hidden" not in line]
    check("--from --null: the same table", p.returncode and p, differ(got, table(SCRATCH / "ours")))
    p = subprocess.run([ICECORE, "--no-index", "-o", "json", "-e", "findings | group path : count | count",
                        str(SCRATCH / "ours" / "rows-0of1.jsonl")], capture_output=True)
    check("the rows are a file that icecore opens", p.returncode and p)
    for how in ("--text", "--report"):
        p = subprocess.run([ICECORE, "--no-index", how, str(SCRATCH / "ours" / "rows-0of1.jsonl")], capture_output=True, text=True)
        sigs = {line.split("\t")[0] for line in groups(SCRATCH / "ours")}
        check("%s of rows prints the groups" % how, p.returncode and p, not any(s in p.stdout for s in sigs) and p.stdout)


def raw_of(shown):
    """The bytes of a name, as in rows."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), shown.encode())


def names():
    """Dumps whose names look alike are as many, in rows, tables, groups, pages and among those that are kept; each name identifies its file."""
    folder, out, inbox, watched = (SCRATCH / x for x in ("alike", "alike.out", "alike.in", "alike.watched"))
    raw = [b"d\xfe.hprof", b"d\xff.hprof", b"d\x01.hprof", b"d\x02.hprof", b"d\\xff.hprof", b"d\xe2\x80\xae.hprof", b"d\n.hprof", "d\u00e9.hprof".encode()]
    inbox.mkdir()
    for i, name in enumerate(raw):
        app = folder / os.fsdecode(b"app" + name[1:-6])
        app.mkdir(parents=True)
        for place in app, inbox:
            (place / os.fsdecode(name)).write_bytes(mkheap.make("leaks"))
    p = triage("-o", out, "--name-pattern", "alike/{app}/{any}", "--keep", "99", folder)
    dumps = [r for r in rows(out) if r["row"] == "dump"]
    there = sorted(os.path.join(os.fsencode(folder), b"app" + name[1:-6], name) for name in raw)
    check("names that look alike: a row of each, and its name leads to the file", p.returncode and p,
          sorted(raw_of(r["path"]) for r in dumps) != there and dumps, [r for r in dumps if not r["path"].isprintable()])
    check("--table and --groups tell them apart", sorted({raw_of(line.split("\t")[0]) for line in table(out)}) != there and table(out),
          [g for g in groups(out) if g.split("\t")[2] != str(len(raw))])
    p = subprocess.run([ICECORE, "--no-index", "-o", "json", "-e", "groups | select apps", out / "rows-0of1.jsonl"], capture_output=True)
    check("and so do apps", {json.loads(line)["apps"] for line in p.stdout.splitlines()} != {len(raw)} and p)
    kept = [os.fsencode(f.name)[9:] for f in out.glob("keep/*/*")]
    check("--keep keeps each", {kept.count(name) for name in raw} != {len(set(out.glob("keep/*")))} and kept)
    for _ in range(2):
        p = subprocess.run([ICECORE, "watch", "--once", str(inbox), str(watched)], capture_output=True)
    shown = {r["path"] for r in rows(watched) if r["row"] == "dump"}
    pages = {hashlib.sha256(path.encode()).hexdigest()[:32] + ".html" for path in shown}
    check("watch: a row and a page of each", p.returncode and p, len(shown) != len(raw) and shown,
          pages - {f.name for f in (watched / "page").iterdir()})


def start_watch(inbox, out, *options):
    return subprocess.Popen([ICECORE, "watch", *options, str(inbox), str(out)], stderr=subprocess.PIPE)


def has_row(out, path):
    try:
        return any(r.get("path") == str(path) for r in rows(out))
    except (OSError, ValueError):
        return False    # the last line is being written


def unprivileged():
    """Files and directories that a user who is not root may not read."""
    folder, out = SCRATCH / "closed", SCRATCH / "closed.out"
    (folder / "shut").mkdir(parents=True)
    (folder / "shut.hprof").write_bytes(mkheap.make("leaks"))
    (folder / "open.hprof").write_bytes(mkheap.make("leaks"))
    out.mkdir(0o700)
    for path in (folder / "shut", folder / "shut.hprof"):
        path.chmod(0)
    if os.getuid() == 0:
        os.chown(out, 65534, 65534)
    SCRATCH.chmod(0o711)

    def nobody():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

    try:
        # The folder of the test, then the program.
        subprocess.run(["ls", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=nobody, cwd="/", check=True)
        p = triage("-o", out, folder, preexec_fn=nobody)
    except (PermissionError, subprocess.CalledProcessError):
        print("# nobody may not come here")
        return
    found = {Path(r["path"]).name: (r["state"], r["reason"]) for r in rows(out) if r["row"] == "dump"}
    denied = ("system", "Permission denied")
    check("a file and a directory that may not be read: rows that say so",
          found != {"open.hprof": ("ok", None), "shut.hprof": denied, "shut": denied} and "%s\n%s" % (found, p))


def listed(folder):
    """Everything below it, and what is in it."""
    return sorted((str(f), f.read_bytes() if f.is_file() else b"") for f in folder.rglob("*"))


def private_group(group):
    """Only this user is in it."""
    user, named = pwd.getpwuid(os.getuid()), grp.getgrgid(group)
    return (user.pw_gid == group and named.gr_name == user.pw_name and set(named.gr_mem) <= {user.pw_name} and
            all(u.pw_gid != group or u.pw_uid == user.pw_uid for u in pwd.getpwall()))


def guarded():
    """OUT belongs to this user, and nobody else can redirect it."""
    dumps, other, inbox = SCRATCH / "guarded", SCRATCH / "elsewhere", SCRATCH / "guarded.inbox"
    for made in (dumps, other, inbox):
        made.mkdir()
    for made in (dumps, inbox):
        (made / "a.hprof").write_bytes(mkheap.make("leaks"))
    (other / "index.html").write_bytes(b"of somebody")
    (other / "rows").write_bytes(b"")
    before = listed(other)

    def refused(name, prepare, says, *options, watch=False):
        out = SCRATCH / "guarded.out"
        out.mkdir(0o700)
        prepare(out)
        what = [ICECORE, "watch", "--once", *options, str(inbox), str(out)] if watch else [ICECORE, "triage", *options, "-o", str(out), str(dumps)]
        p = subprocess.run(what, capture_output=True, text=True)
        check(name + ": refused, and what to do is said", (p.returncode != 4 or says not in p.stderr) and p, listed(other) != before and listed(other))
        shutil.rmtree(out)

    def planted(name, to=other):
        def prepare(out):
            (out / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            (out / name).symlink_to(to)
        return prepare

    link = ": is a symbolic link; remove it"
    for watch in (False, True):
        word = "watch" if watch else "triage"
        for mode in (0o777, 0o1777):
            refused("%s: OUT that other users may write to (%o)" % (word, mode), lambda out, mode=mode: out.chmod(mode), "'chmod go-w'", watch=watch)
        groups = [g.gr_gid for g in grp.getgrall()] if os.getuid() == 0 else os.getgroups()
        shared = next((g for g in groups if not private_group(g)), None)
        if shared is None:
            print("# OUT of a shared group: this user is in none")
        else:
            refused(word + ": OUT that a shared group may write to", lambda out: (os.chown(out, -1, shared), out.chmod(0o775)), "'chmod go-w'", watch=watch)
        if not private_group(os.getgid()):
            print("# OUT of a private group: this user has none")
        else:
            out = SCRATCH / "private.out"
            (out / "keep").mkdir(parents=True)
            for made in (out, out / "keep"):
                os.chown(made, -1, os.getgid())
                made.chmod(0o775)
            what = [ICECORE, "watch", "--once", "--keep", "1", str(inbox), str(out)] if watch else [ICECORE, "triage", "--keep", "1", "-o", str(out), str(dumps)]
            p = subprocess.run(what, capture_output=True, text=True)
            check(word + ": OUT and keep of the group of this user alone", p.returncode and p, not rows(out) and listed(out))
            shutil.rmtree(out)
        refused(word + ": a link in place of the rows", planted("rows-0of1.jsonl", other / "rows"), "rows-0of1.jsonl" + link, watch=watch)
        refused(word + ": a link in place of rows of another shard", planted("rows-1of2.jsonl", other / "rows"), "rows-1of2.jsonl" + link, watch=watch)
        refused(word + ": a FIFO in place of rows", lambda out: os.mkfifo(out / "rows-1of2.jsonl"), "not a regular file", watch=watch)
        refused(word + ": a link in place of keep", planted("keep"), "keep" + link, "--keep", "1", watch=watch)
        refused(word + ": keep that other users may write to", lambda out: ((out / "keep").mkdir(), (out / "keep").chmod(0o777)), "'chmod go-w'",
                "--keep", "1", watch=watch)
        if os.getuid() == 0:
            refused(word + ": OUT of another user", lambda out: os.chown(out, 65534, 65534), "belongs to another user", watch=watch)
        else:
            print("# OUT of another user: not root")
    refused("watch: a link in place of page", planted("page"), "page" + link, watch=True)
    refused("watch: a link in place of pieces", planted("pieces"), "pieces" + link, watch=True)
    refused("watch: a link in place of a directory that is kept", lambda out: [planted("keep/" + s)(out) for s in sigs_of(dumps)], link, "--keep", "1", watch=True)
    out = SCRATCH / "linked"
    (SCRATCH / "real").mkdir(0o700)
    out.symlink_to(SCRATCH / "real")
    p = triage("-o", out, dumps)
    check("OUT itself may be a link", p.returncode and p, len(rows(out)) < 2 and rows(out))
    # A page and a dump that are links are replaced, not written through.
    page = SCRATCH / "real" / "page"
    page.mkdir(0o700)
    (page / "index.html").symlink_to(other / "index.html")
    p = subprocess.run([ICECORE, "watch", "--once", "--keep", "1", str(inbox), str(out)], capture_output=True, text=True)
    check("a page that is a link is replaced", p.returncode and p, (page / "index.html").is_symlink(), listed(other) != before and listed(other))


def sigs_of(dumps):
    return {json.loads(line)["sig"] for f in dumps.iterdir() for line in triage("--one", "x", f).stdout.splitlines() if b'"row":"finding"' in line}


def watched():
    inbox, out, stage, n = SCRATCH / "inbox", SCRATCH / "watched", SCRATCH / "stage", 80
    inbox.mkdir()
    stage.mkdir()
    data = mkheap.make("tinyart")
    path = out / "rows-0of1.jsonl"
    process = start_watch(inbox, out)
    for i in range(n):
        (stage / "f").write_bytes(data)
        os.rename(stage / "f", inbox / ("d%03d.hprof" % i))
        if i % 20 == 10:
            until("another row", lambda s=size(path): size(path) > s, process)
            process.kill()
            process.wait()
            process = start_watch(inbox, out)
    until("a row of each dump", lambda: sum(1 for line in open(path, "rb") if line.startswith(b'{"row":"dump"') and line.endswith(b"\n")) >= n)
    check("watch opens no socket", [s for s in opened(process) if s.startswith("socket")])
    # A file in pieces: another one has its row after each of them.
    slow = open(inbox / "slow.hprof", "wb")
    for i in range(3):
        slow.write(data[i * len(data) // 3:(i + 1) * len(data) // 3])
        slow.flush()
        (stage / "f").write_bytes(data)
        os.rename(stage / "f", inbox / ("mark%d.hprof" % i))
        until("a row", lambda i=i: has_row(out, inbox / ("mark%d.hprof" % i)), process)
        early = has_row(out, inbox / "slow.hprof")
        if early:
            break
    # As it is found by a listing, unchanged for long: it is open still.
    process.terminate()
    process.wait(PATIENCE)
    os.utime(inbox / "slow.hprof", (1, 1))
    process = start_watch(inbox, out)
    (inbox / "closed.hprof").write_bytes(data)
    until("a row", lambda: has_row(out, inbox / "closed.hprof"), process)
    early = early or has_row(out, inbox / "slow.hprof")
    slow.close()
    until("its row", lambda: has_row(out, inbox / "slow.hprof"), process)
    found = [r for r in rows(out) if r.get("path") == str(inbox / "slow.hprof")]
    check("a file in pieces: one row, of all of it", early and "too early", [r["bytes"] for r in found] != [len(data)] and found)
    until("a page", lambda: size(out / "page" / "index.html") > 0, process)
    process.terminate()
    code = process.wait(PATIENCE)
    check("SIGTERM: exit 0", code and "exit %d: %s" % (code, process.stderr.read()))
    found = [r["path"] for r in rows(out) if r["row"] == "dump"]
    check("%d files through %d restarts: a row of each" % (n, n // 20), len(found) != n + 5 and len(found), len(set(found)) != n + 5 and "one has two")
    page = (out / "page" / "index.html").read_text()
    check("the page needs nothing else", [w for w in ("http://", "https://", "src=", "@import") if w in page.replace("http://www.w3.org", "")])
    pages = {f.name for f in (out / "page").iterdir()}
    links = {hashlib.sha256(p.encode()).hexdigest()[:32] + ".html" for p in found}
    check("a page for each dump, and one of them all", pages != links | {"index.html", "dumps.html"} and pages,
          [name for name in links if name not in (out / "page" / "dumps.html").read_text()],
          "dumps.html" not in page and page)
    read = [r for r in rows(out) if r["row"] == "dump" and r["state"] in ("ok", "clean", "salvaged")]
    check("the index counts the dumps, the page of one has its findings", "<h1>Findings in " not in page and page, "with findings</div>" not in page and page,
          [r["path"] for r in read if title_of(out, r) not in page_of(out, r["path"])])
    done = SCRATCH / "done"
    done.mkdir()
    (done / "d000.hprof").write_bytes(b"of before")
    p = subprocess.run([ICECORE, "watch", "--once", "--done", str(done), str(inbox), str(out)], capture_output=True)
    check("--once --done: the inbox is empty", p.returncode and p, list(inbox.iterdir()))
    check("--done replaces no file", (done / "d000.hprof").read_bytes() != b"of before", size(done / "2-d000.hprof") != len(data))
    replaced(inbox, out, done, stage, data)
    p = subprocess.run([ICECORE, "watch", "--once", str(inbox), str(SCRATCH / "none")], capture_output=True)
    check("--once without a dump: exit 1", p.returncode != 1 and p)
    process = start_watch(inbox, out)
    (stage / "f").write_bytes(data)
    os.rename(stage / "f", inbox / "last.hprof")
    until("a row", lambda: has_row(out, inbox / "last.hprof"), process)
    shutil.rmtree(inbox)
    code = process.wait(PATIENCE)
    check("INBOX is removed: exit 3", code != 3 and "exit %d" % code)


def page_of(out, path):
    return (out / "page" / (hashlib.sha256(path.encode()).hexdigest()[:32] + ".html")).read_text()


def title_of(out, dump):
    severities = [r["severity"] for r in rows(out) if r["row"] == "finding" and r["key"] == dump["key"]]
    told = ["%d %s%s" % (n, s, "" if n == 1 else "s") for s in ("leak", "warning") for n in [severities.count(s)] if n]
    told = told or ["no findings"] if dump["state"] in ("ok", "clean", "salvaged") else [dump["state"]]
    return "<h1>%s - %s%s</h1>" % (html.escape(dump["path"].split("/")[-1]), ", ".join(told), ", damaged" if dump["state"] == "salvaged" else "")


def lines_of(query, dump):
    p = subprocess.run([ICECORE, "--no-index", "-o", "json", "-e", query, str(dump)], capture_output=True)
    return [list(json.loads(line).values())[0] for line in p.stdout.splitlines()]


def paged():
    """The page of a dump is its report: overview, findings with leak traces, classes; without its piece it has what rows say."""
    inbox, out, bare = SCRATCH / "paged.in", SCRATCH / "paged", SCRATCH / "bare"
    inbox.mkdir()
    leaks = inbox / "a&<b>.hprof"
    leaks.write_bytes(mkheap.make("leaks"))
    (inbox / "cut.hprof").write_bytes(mkheap.make("heap")[:-9000])
    (inbox / "garbage.hprof").write_bytes(b"hello " * 100)
    (inbox / "empty.hprof").write_bytes(b"")
    p = subprocess.run([ICECORE, "watch", "--once", str(inbox), str(out)], capture_output=True)
    dumps = {r["path"].split("/")[-1]: r for r in rows(out) if r["row"] == "dump"}
    pages = {name: page_of(out, r["path"]) for name, r in dumps.items()}
    check("pages: a title that counts leaks and warnings", p.returncode and p, [n for n, r in dumps.items() if title_of(out, r) not in pages[n]])
    page = pages[leaks.name]
    kinds = "where line ~ /^(hop|reference)$/ | select text"
    trace = [html.escape(line.strip()) for line in lines_of("findings | where severity != note | head 15 | leaktrace | " + kinds, leaks)]
    classes = [html.escape(c) for c in lines_of("classes | top 15 retained | select name", leaks)]
    check("pages: overview, leak traces in order, largest classes", len(trace) < 20 and trace, [line for line in trace if line not in page],
          [c for c in classes if "<td class=\"text\">%s</td>" % c not in page], "<h2>At a glance</h2>" not in page and page,
          page.count("<details><summary class=\"dim\">signature") != dumps[leaks.name]["findings"] and page)
    check("pages: why a dump was not read", [n for n in ("garbage.hprof", "empty.hprof") if "<h3>Not read</h3>\n<p>%s: %s</p>" % (dumps[n]["state"],
          html.escape(dumps[n]["reason"])) not in pages[n]], "<h3>Damaged</h3>" not in pages["cut.hprof"] and pages["cut.hprof"])
    # Pieces are data: whatever is in one, it is text of a page. Without them, and with --redact, pages have what rows say.
    piece = out / "pieces" / (dumps[leaks.name]["key"] + ".json")
    kept = piece.read_text()
    check("pieces are small", len(kept) > 1 << 18 and len(kept))
    found = []
    bad = ("<script>hurt()</script>", "<p onclick=\"hurt()\">", "<meta http-equiv=\"refresh\" content=\"0;url=hurt\">", "<p>hurt\0", {"hurt": 1}, 7, None)
    for text in [json.dumps({"row": "page", "schema": 1, "key": "k", "parts": parts}) for parts in bad] + \
            [json.dumps({"row": "page", "schema": 1, "key": "k", "parts": "<p>kept</p>"}), "[]", kept[:99], None]:
        shutil.rmtree(out / "page")
        piece.unlink() if text is None else piece.write_text(text)
        # Pages are rebuilt after new rows.
        (inbox / ("again%d.hprof" % len(found))).write_bytes(b"")
        p = subprocess.run([ICECORE, "watch", "--once", str(inbox), str(out)], capture_output=True)
        found.append((p.returncode, page_of(out, dumps[leaks.name]["path"])))
    check("pieces hold nothing that does something", [f for f in found if f[0] or "hurt" in f[1] or f[1].count("<script") != 1 or
          title_of(out, dumps[leaks.name]) not in f[1]], "<p>kept</p>" not in found[len(bad)][1] and found[len(bad)][1])
    check("a dump without a piece has a page of its rows", "<h2>Overview" in found[-1][1], "<pre>" in found[-1][1],
          found[-1][1].count("<details>") != dumps[leaks.name]["findings"] and found[-1][1])
    p = subprocess.run([ICECORE, "watch", "--once", "--redact", str(inbox), str(bare)], capture_output=True)
    check("--redact keeps no pieces", p.returncode and p, (bare / "pieces").exists())
    p = triage("--one", "n", leaks), triage("--one", "n", "--page", leaks), triage("--page", "-o", SCRATCH / "paged.triage", inbox)
    more = json.loads(p[1].stdout.splitlines()[-1])
    check("triage --page: one more row, or pieces", p[1].stdout.splitlines()[:-1] != p[0].stdout.splitlines() and p, more["row"] != "page" and more,
          p[2].returncode and p[2], not (SCRATCH / "paged.triage/pieces").exists())


def escaped():
    """Names of folders in messages have no bytes that steer a terminal."""
    folder = SCRATCH / "steer" / "\x1b]2;OWNED\x07\x1b[41mRED"
    folder.mkdir(parents=True)
    (folder / "x.txt").touch()
    for command in "triage", "compare":
        p = subprocess.run([ICECORE, command, *(["-o", SCRATCH / "steered"] if command == "triage" else ["--of", "span a"]), str(folder), str(folder)], capture_output=True)
        check("messages of %s steer no terminal" % command, b"RED" not in p.stderr and p.stderr, (b"\x1b" in p.stderr or b"\x07" in p.stderr) and p.stderr)


def retained():
    """Old files of INBOX go, and what OUT has about them; files that are new or wait stay."""
    inbox, out = SCRATCH / "retain.in", SCRATCH / "retain"
    inbox.mkdir()

    def run(*options):
        return subprocess.run([ICECORE, "watch", "--once", *options, str(inbox), str(out)], capture_output=True, text=True)

    def left():
        return sorted(f.name for f in inbox.iterdir()), sorted(r["path"].split("/")[-1] for r in rows(out) if r["row"] == "dump"), \
            len(list((out / "pieces").iterdir())), len([f for f in (out / "page").iterdir() if len(f.stem) == 32]), \
            [n for n in ("a", "b", "c") if (out / "page/dumps.html").exists() and n + ".folded" in (out / "page/dumps.html").read_text()]

    for name in ("a", "b", "c"):
        (inbox / (name + ".folded")).write_bytes(b"main;%s 7\n" % name.encode() * 1000)
        os.utime(inbox / (name + ".folded"), (1, 1))
        # Their order is that of the clock of the file system, which ticks every few milliseconds.
        first = os.stat(inbox / (name + ".folded")).st_ctime_ns
        until("the clock", lambda f=first: probe(inbox.parent) > f)
    size = sum(f.stat().st_size for f in inbox.iterdir())
    p = run("--retain", "1h", "--retain-size", str(size))
    check("--retain: nothing is old", p.returncode and p, left() != (["a.folded", "b.folded", "c.folded"], ) * 2 + (3, 3, ["a", "b", "c"]) and left())
    p = run("--retain-size", str(size - 1))
    check("--retain-size removes the oldest", p.returncode and p, left() != (["b.folded", "c.folded"], ) * 2 + (2, 2, ["b", "c"]) and left())
    (inbox / "a.folded").write_bytes(b"main;a 7\n" * 1000)
    p = run()
    check("a removed file that returns is read again", p.returncode and p, left()[1] != ["a.folded", "b.folded", "c.folded"] and left())
    (inbox / ".hidden").write_bytes(b"x")
    p = run("--retain", "1ns")
    check("--retain removes all", p.returncode and p, left() != ([".hidden"], [], 0, 0, []) and left())
    slow, old = inbox / "slow.folded", inbox / "old.folded"
    with open(slow, "wb") as f:
        f.write(b"main;slow 7\n")
        f.flush()
        with subprocess.Popen([ICECORE, "watch", "--retain", "1ns", str(inbox), str(out)], stderr=subprocess.DEVNULL) as p:
            old.write_bytes(b"main;old 7\n")
            until("the old file", lambda: not old.exists(), p)
            stayed = slow.exists()
            f.close()
            until("the other", lambda: not slow.exists(), p)
            p.terminate()
    check("--retain leaves what is being written or waits", not stayed and "removed while it was written")
    for other in (("--done", str(SCRATCH)), ("--keep", "1")):
        p = run("--retain", "1h", *other)
        check("--retain with " + other[0], p.returncode != 2 and p, "do not reach the copies" not in p.stderr and p.stderr)


def probe(directory):
    (directory / "clock").write_bytes(b"")
    os.utime(directory / "clock")
    return (directory / "clock").stat().st_ctime_ns


def sent(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def stands(pid):
    """Whether it stands still; false when it has ended."""
    until("it stands still or ends", lambda: state_of(pid) in ("T", "Z", ""))
    return state_of(pid) == "T"


def state_of(pid):
    try:
        return Path("/proc/%d/stat" % pid).read_text().rsplit(") ", 1)[1][0]
    except OSError:
        return ""


def replaced(inbox, out, done, stage, data):
    """Another dump takes the name of one that is read: it is not moved unread."""
    path = inbox / "twice.hprof"
    for _ in range(20):
        shutil.copy(SCRATCH / "one" / "large.hprof", path)
        process = start_watch(inbox, out, "--once", "--done", str(done))
        until("a child", lambda: children(process), process)
        stopped = [pid for pid in children(process) if sent(pid, signal.SIGSTOP) and stands(pid)]
        if stopped:
            break
        # It was faster: once more.
        process.wait(PATIENCE)
        (done / "twice.hprof").unlink()
    (stage / "f").write_bytes(data)
    os.rename(stage / "f", path)
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    code = process.wait(PATIENCE)
    found = [r["bytes"] for r in rows(out) if r.get("path") == str(path)]
    check("--done moves nothing that was not read", code and "exit %d: %s" % (code, process.stderr.read()),
          found[-1:] != [len(data)] and found, (done / "twice.hprof").read_bytes() != data, list(inbox.iterdir()))


def given(folder):
    ours, theirs = SCRATCH / "ours", SCRATCH / "slow"
    p = triage("-o", ours, folder)
    q = subprocess.run(SLOW + ["run", "-o", str(theirs), str(folder)], capture_output=True, text=True)
    slow = [subprocess.run(SLOW + [what, str(theirs)], capture_output=True, text=True).stdout.splitlines() for what in ("table", "groups")]
    check("%s: the same table of %d dumps" % (folder, len(slow[0])), p.returncode and p, q.returncode and q, differ(table(ours), slow[0]))
    check("%s: the same groups, %d" % (folder, len(slow[1])), differ(groups(ours), slow[1]))


def main():
    if len(sys.argv) > 3:
        given(Path(sys.argv[3]))
        tap.plan()
        return
    folder = SCRATCH / "dumps"
    dumpsmake.fill(folder)
    want = oracle(folder)
    jobs(folder, want)
    killed(folder, want)
    torn(folder, want)
    attacks()
    codes(folder)
    sandboxed(folder)
    # The runtime of ThreadSanitizer maps all memory, and delivers signals when it likes.
    if "TSAN_OPTIONS" not in os.environ:
        greedy()
    extras(folder)
    names()
    unprivileged()
    guarded()
    paged()
    retained()
    escaped()
    watched()
    tap.plan()


main()
