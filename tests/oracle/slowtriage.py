#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowtriage: what `icecore triage` has to answer, by a slow program around `icecore -e`.

  slowtriage.py [--icecore EXE] run -o OUT [--shard I/N] [--timeout S] DIR|FILE...
  slowtriage.py table OUT                              the merged rows, last row of a key wins
  slowtriage.py groups OUT

Serial; OUT/rows-<I>of<N>.jsonl is appended with one write a dump.
"""
import hashlib, json, os, re, resource, struct, stat, subprocess, sys, time, zlib

RULE = 2
STATES = ("ok", "clean", "salvaged", "unreadable", "not read", "empty", "toobig", "timeout", "oom", "crash", "system")
UNPACKED = 64 << 30

def gate(s):
    """Control, bidi and zero-width points as U+FFFD: enough for an oracle."""
    return "".join("\ufffd" if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u3164\u115f\u1160\u2800" else c for c in s)

def escaped(name):
    """A name that is bytes: what the gate would replace, and a backslash, as \\xNN."""
    return "".join(c if gate(c) == c and c != "\\" and not "\ud800" <= c <= "\udfff" else
                   "".join("\\x%02x" % b for b in c.encode("utf-8", "surrogateescape")) for c in name)

def key_of(name, size, sum_, exe_version):
    t = "\n".join((name, str(size), sum_, exe_version, str(RULE)))
    return hashlib.sha256(t.encode("utf-8", "surrogateescape")).hexdigest()[:32]

def content_sum(path):
    """64 KiB of the front, 64 KiB of the end, the size: what a listing cannot see."""
    h, size = hashlib.sha256(), os.path.getsize(path)
    with open(path, "rb") as f:
        h.update(f.read(65536))
        if size > 65536:
            f.seek(max(65536, size - 65536))
            h.update(f.read(65536))
    h.update(struct.pack(">Q", size))
    return h.hexdigest()[:32]

def unpacked_size(path, limit):
    """Bytes after gunzip, stopping above limit; None if it is not gzip, or does not contain a dump."""
    with open(path, "rb") as f:
        if f.read(2) != b"\x1f\x8b":
            return None
        f.seek(0)
        d, n = zlib.decompressobj(31), 0
        while True:
            b = f.read(1 << 16)
            if not b:
                return n
            while b:
                try:
                    o = d.decompress(b, 1 << 20)
                except zlib.error:
                    return n
                if n == 0 and o[:13] != b"JAVA PROFILE ":
                    return None
                n += len(o)
                if n > limit:
                    return n
                b = d.unconsumed_tail
                if d.eof:
                    b = d.unused_data
                    if b[:2] != b"\x1f\x8b":
                        return n
                    d = zlib.decompressobj(31)

def ask(exe, query, path, timeout):
    def limits():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(timeout) + 1, int(timeout) + 2))
    p = subprocess.Popen([exe, "--no-index", "--no-history", "-o", "json", "-e", query, path], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limits)
    try:
        out, err = p.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, 9)
        p.communicate()
        return "timeout", None, [], ""
    rows = [json.loads(l) for l in out.decode("utf-8", "replace").splitlines() if l]
    return None, p.returncode, rows, err.decode("utf-8", "replace").strip()

def unopened(path):
    """The state of an unreadable file, and why."""
    try:
        mode = os.lstat(path).st_mode
    except OSError as e:
        return "system", e.strerror
    if not stat.S_ISREG(mode):
        return "unreadable", "not a regular file"
    return ("system", "no permission") if not os.access(path, os.R_OK) else None

def one(exe, version, name, path, timeout, unpacked):
    t0 = time.monotonic()
    row = dict(row="dump", schema=1, key=None, path=escaped(name), bytes=None, sum=None, state=None, exit=None,
               signal=None, reason=None, lost_bytes=None, format=None, unpacked=None, objects=None, live_objects=None,
               live_bytes=None, dumped_at=None, findings=0, seconds=None, rss=None, version=version, rule=RULE)
    out, bad = [], unopened(path)
    if bad:
        row.update(key=key_of(name, 0, "", version), state=bad[0], reason=bad[1])
        return [row]
    size = os.path.getsize(path)
    sum_ = content_sum(path)
    row.update(key=key_of(name, size, sum_, version), bytes=size, sum=sum_)
    if size == 0:
        row.update(state="empty", reason="the file is empty")
    else:
        u = unpacked_size(path, unpacked)
        if u is not None and u > unpacked:
            row.update(state="toobig", reason="unpacks to more than %d bytes" % unpacked)
    if row["state"] is None:
        how, rc, info, err = ask(exe, "info", path, timeout)
        facts = {r["field"]: r["value"] for r in info}
        if how:
            row.update(state=how)
        elif rc < 0:
            row.update(state="crash", signal=-rc)
        elif rc == 4:
            row.update(state="oom" if "memory" in err else "system", exit=rc, reason=gate(err)[:400])
        elif not info or "live_objects" not in facts or (rc == 3 and facts["objects"] == 0):
            row.update(state="unreadable", exit=rc, reason=gate(err)[:400])
        else:
            row.update(exit=rc, reason=gate(err)[:400] or None, format=facts.get("format"), unpacked=facts.get("unpacked"),
                       objects=facts["objects"], live_objects=facts.get("live_objects"), live_bytes=facts.get("live_bytes"),
                       lost_bytes=sum(v for k, v in facts.items() if k.startswith("loss.") and k.endswith("_bytes")))
            if facts.get("dumped_at"):
                row["dumped_at"] = facts["dumped_at"].replace(" UTC", "Z").replace(" ", "T")
            how, rc, found, err = ask(exe, "findings", path, timeout)
            found = [f for f in found if f["severity"] != "note"]
            for rank, f in enumerate(found, 1):
                # The hash once more, of what it stands for.
                sig = hashlib.sha256((f["signature"] or "").encode()).hexdigest()[:16]
                assert sig == f["hash"], (path, sig, f)
                out.append(dict(row="finding", schema=1, key=row["key"], rank=rank, severity=f["severity"], kind=f["kind"],
                                sig=sig, rule=int(f["rule"][1:]), holder=f["holder"], content=f["content"],
                                retained=f["retained"], percent=round(f["percent"], 3), count=f["count"],
                                signature=f["signature"], why=gate(f["why"])))
            row["findings"] = len(out)
            row["state"] = "salvaged" if row["exit"] == 3 else "ok" if out else "clean"
    row["seconds"] = round(time.monotonic() - t0, 3)
    return [row] + out

def dumps_lines(rows):
    return "".join(json.dumps(r, sort_keys=False, ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows)

def listing(args):
    seen = []
    for a in args:
        if os.path.isdir(a):
            for base, dirs, files in os.walk(a):
                dirs[:] = sorted(d for d in dirs if not d.startswith("."))
                seen += [os.path.join(base, f) for f in files if not f.startswith(".") and re.search(r"\.hprof(\.gz)?$|\.hprof\.gz$", f)]
        else:
            seen.append(a)
    return sorted(set(seen), key=os.fsencode)

def shard_of(name, n):
    return zlib.crc32(os.fsencode(name)) % n

def read_rows(out):
    """Every whole line of every shard; a torn last line is dropped."""
    for f in sorted(os.listdir(out)):
        if not re.fullmatch(r"rows-\d+of\d+\.jsonl", f):
            continue
        with open(os.path.join(out, f), "rb") as h:
            for line in h:
                if line.endswith(b"\n"):
                    try:
                        yield json.loads(line)
                    except ValueError:
                        pass

def table(out):
    """Keys whose dump row and all findings are there; the last complete group wins."""
    done, open_ = {}, {}
    for r in read_rows(out):
        if r["row"] == "dump":
            open_[r["key"]] = [r]
        elif r["key"] in open_:
            open_[r["key"]].append(r)
        g = open_.get(r["key"])
        if g and len(g) == 1 + g[0]["findings"]:
            done[r["key"]] = g
    return done

def main(argv):
    exe = "icecore"
    if argv and argv[0] == "--icecore":
        exe, argv = argv[1], argv[2:]
    version = "0"
    if argv[0] == "run":
        version = subprocess.run([exe, "--version"], capture_output=True, text=True).stdout.split("\n")[0].split()[-1]
    if argv[0] == "run":
        out, i, n, timeout, unpacked, files = None, 0, 1, 120, UNPACKED, []
        it = iter(argv[1:])
        for a in it:
            if a == "-o":
                out = next(it)
            elif a == "--shard":
                i, n = (int(x) for x in next(it).split("/"))
            elif a == "--timeout":
                timeout = float(next(it))
            elif a == "--unpacked":
                unpacked = int(next(it))
            else:
                files.append(a)
        os.makedirs(out, exist_ok=True)
        path = os.path.join(out, "rows-%dof%d.jsonl" % (i, n))
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        data = os.pread(fd, os.fstat(fd).st_size, 0)
        whole = data.rfind(b"\n") + 1
        os.ftruncate(fd, whole)
        os.lseek(fd, whole, 0)
        have = set(table(out))
        told = {}
        for f in listing(files):
            if shard_of(f, n) != i:
                continue
            rows = one(exe, version, f, f, timeout, unpacked)
            if rows[0]["key"] in have:
                told["skipped"] = told.get("skipped", 0) + 1
                continue
            told[rows[0]["state"]] = told.get(rows[0]["state"], 0) + 1
            os.write(fd, dumps_lines(rows).encode())
        os.fsync(fd)
        print(" ".join("%s=%d" % kv for kv in sorted(told.items())))
    elif argv[0] == "table":
        for key, g in sorted(table(argv[1]).items(), key=lambda kv: kv[1][0]["path"].encode()):
            r = g[0]
            cells = (r["path"], r["state"], r["objects"], r["live_bytes"], r["dumped_at"], ",".join(x["sig"] for x in g[1:]))
            print("\t".join("" if c is None else str(c) for c in cells))
    elif argv[0] == "groups":
        by = {}
        for g in table(argv[1]).values():
            for f in g[1:]:
                by.setdefault(f["sig"], []).append((g[0], f))
        lines = []
        for sig, m in by.items():
            times = sorted(d["dumped_at"] for d, _ in m if d["dumped_at"])
            retained = sorted(f["retained"] for _, f in m)
            paths = sorted({d["path"] for d, _ in m}, key=lambda p: p.encode())
            most, _, kind = min((d["path"].encode(), f["rank"], f["kind"]) for d, f in m if f["retained"] == retained[-1])
            lines.append((-len(paths), -retained[-1], sig, [sig, kind, len(paths), times[0] if times else "",
                          times[-1] if times else "", retained[-1], retained[(len(retained) - 1) // 2], most.decode()]))
        for line in sorted(lines):
            print("\t".join(map(str, line[3])))

main(sys.argv[1:])
