#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""icecore_triage.py: icecore triage under Spark, for dumps, traces and profiles in directories and object stores.

  spark-submit --master ... icecore_triage.py [options] -o OUT [--from LIST] [URI ...]

Rows go to OUT/rows/day=YYYY-MM-DD/*.parquet: for each dump, finding and busy method, with the columns of icecore-triage(1).
README.md has the options, the exit statuses and what a rerun does.
"""
import argparse
import hashlib
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyarrow import fs

TEXT, COUNT, REAL = pa.string(), pa.int64(), pa.float64()
DUMP = {"row": TEXT, "schema": COUNT, "key": TEXT, "path": TEXT, "bytes": COUNT, "sum": TEXT, "state": TEXT, "exit": COUNT, "signal": COUNT,
        "reason": TEXT, "lost_bytes": COUNT, "format": TEXT, "unpacked": COUNT, "objects": COUNT, "live_objects": COUNT, "live_bytes": COUNT,
        "dumped_at": TEXT, "app": TEXT, "build": TEXT, "process": TEXT, "findings": COUNT, "attempt": COUNT, "seconds": REAL, "rss": COUNT,
        "version": TEXT, "rule": COUNT, "weight": TEXT, "elapsed": COUNT, "hot_path": TEXT, "hot_share": REAL, "wait": COUNT, "wait_in": TEXT,
        "story": TEXT, "main_blocks": COUNT, "main_longest": COUNT, "methods": COUNT, "mtime": COUNT}
FINDING = {"row": TEXT, "schema": COUNT, "key": TEXT, "rank": COUNT, "severity": TEXT, "kind": TEXT, "sig": TEXT, "rule": COUNT, "holder": TEXT,
           "content": TEXT, "retained": COUNT, "percent": REAL, "count": COUNT, "signature": TEXT, "why": TEXT, "wall": COUNT}
METHOD = {"row": TEXT, "schema": COUNT, "key": TEXT, "rank": COUNT, "method": TEXT, "self": REAL, "total": REAL}
COLUMNS = {**DUMP, **FINDING, **METHOD}
ENDS = (".hprof", ".trace", ".pftrace", ".perfetto-trace", ".systrace", ".ftrace", ".atrace", ".jfr", ".pprof", ".prof", ".pb", ".folded",
        ".collapsed", ".perf", "perf.data", ".cpuprofile")
FAILED = ("timeout", "oom", "crash", "system")
STATES = FAILED + ("empty", "toobig", "unreadable", "not read", "salvaged", "ok", "clean")
ATTEMPTS = 3                    # of a dump that failed, over all runs
SAID, TOLD = 1 << 20, 64 << 10  # most bytes of standard output and standard error
TEXT_MOST, NAME_MOST = 4096, 16384
NAMES = ("path", "app", "build", "process")
STALE = 24 * 3600               # seconds after which what is left in _staging is removed
MISSING, BAD, BROKEN = 1, 3, 4  # exit statuses, as those of icecore triage


def die(status, text):
    print("icecore_triage: " + text, file=sys.stderr)
    sys.exit(status)


# ---- where dumps are

def place(uri, known={}):
    """(file system, path, prefix of its paths in rows); Arrow knows file, s3, gs, hdfs, abfs and their options."""
    if "://" not in uri and not uri.startswith("file:"):
        return fs.LocalFileSystem(), os.path.abspath(uri), ""
    u = urlsplit(re.sub("^s3[an]:", "s3:", uri))
    at = (u.scheme, u.netloc, u.query)
    if at not in known:
        system, path = fs.FileSystem.from_uri(u.geturl())
        known[at] = system, path[:len(path) - len(u.path)] if path.endswith(u.path) else ""
    system, head = known[at]
    return system, (head + u.path).rstrip("/"), "" if system.type_name == "local" else u.scheme + "://"


def is_dump(name):
    return name.removesuffix(".gz").endswith(ENDS) and not name.startswith((".", "_"))


def walk(top):
    """The files of a local directory, as in icecore triage: pipes, links and empty files have rows too."""
    for folder, below, names in os.walk(top, onerror=lambda e: die(BROKEN, str(e))):
        below[:] = sorted(d for d in below if not d.startswith((".", "_")))
        for name in sorted(names):
            if is_dump(name):
                yield os.path.join(folder, name)


def local(path):
    s = os.lstat(path)
    return path, s.st_size if stat.S_ISREG(s.st_mode) else 0, s.st_mtime_ns


def listed(system, path):
    """(path, bytes, mtime in ns) of each dump."""
    if system.type_name == "local":
        return [local(p) for p in (walk(path) if os.path.isdir(path) else [path])]
    top = system.get_file_info(path)
    if top.type == fs.FileType.File:
        found = [top]
    else:
        found = [f for f in system.get_file_info(fs.FileSelector(path, recursive=True)) if f.type == fs.FileType.File and
                 is_dump(f.base_name) and not re.search("/[._]", f.path[len(path):])]
    return [(f.path, f.size, f.mtime_ns or 0) for f in found]


def day_of(mtime):
    return time.strftime("%Y-%m-%d", time.gmtime(mtime // 1000000000))


def find(uris, version, rule):
    """Each dump once."""
    dumps = {}
    for uri in uris:
        system, path, scheme = place(uri)
        for path, size, mtime in listed(system, path):
            name = scheme + path
            text = "\n".join((name, str(size), str(mtime), version, str(rule)))
            key = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
            dumps[name] = {"system": system, "at": path, "path": name, "bytes": size, "mtime": mtime, "key": key}
    return list(dumps.values())


def forget_done(dumps, out):
    """Those without rows, or that failed and may be tried again."""
    system, path, _ = out
    tried = {}
    if system.get_file_info(path + "/rows").type == fs.FileType.Directory:
        by_day = ds.partitioning(pa.schema({"day": TEXT}), flavor="hive")
        rows = ds.dataset(path + "/rows", pa.schema({**COLUMNS, "day": TEXT}), "parquet", system, by_day)
        days = sorted({day_of(d["mtime"]) for d in dumps})
        for batch in rows.to_batches(["key", "state", "attempt"], filter=(ds.field("row") == "dump") & ds.field("day").isin(days)):
            for key, state, attempt in zip(*(c.to_pylist() for c in batch.columns)):
                tried[key] = max(tried.get(key, 0), attempt if state in FAILED else ATTEMPTS)
    return [dict(d, attempt=tried.get(d["key"], 0) + 1) for d in dumps if tried.get(d["key"], 0) < ATTEMPTS]


# ---- one dump

def limit(name, most):
    """An option of prlimit; no more than the executor may have."""
    hard = resource.getrlimit(getattr(resource, "RLIMIT_" + name.upper()))[1]
    return "--%s=%d" % (name, most if hard == resource.RLIM_INFINITY else min(most, hard))


class Child:
    """icecore at work on one dump, with limits; what it says is data."""

    def __init__(self, o, name, at):
        self.began, self.late, self.loud = time.monotonic(), False, False
        limits = (limit("data", o.memory), limit("fsize", o.unpacked), limit("cpu", o.timeout + 1), limit("core", 0))
        self.p = subprocess.Popen(["prlimit", *limits, o.icecore, "triage", "--one", name, "--unpacked", str(o.unpacked), "--memory",
                                   str(o.memory), "--", at],
                                  stdin=subprocess.PIPE if at == "-" else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  start_new_session=True)
        self.timer = threading.Timer(o.timeout, self.end_late)
        self.said, self.told = [], []
        self.readers = [threading.Thread(target=self.read, args=a, daemon=True) for a in
                        ((self.p.stdout, self.said, SAID), (self.p.stderr, self.told, TOLD))]
        for t in [self.timer] + self.readers:
            t.start()

    def end_late(self):
        self.late = True
        self.kill()

    def kill(self):
        os.kill(self.p.pid, signal.SIGKILL)     # not reaped before rest() has ended the threads

    def read(self, pipe, into, most):
        into.append(pipe.read(most))
        if pipe.read(1):
            self.loud = True
            self.kill()

    def feed(self, stream):
        """False: it has its verdict already."""
        while True:
            piece = stream.read(1 << 20)
            try:
                if not piece:
                    self.p.stdin.close()
                    return
                self.p.stdin.write(piece)
            except BrokenPipeError:
                return

    def rest(self):
        """(exit status or -signal, seconds).  Its memory is not known: the kernel counts that of the executor's process before exec."""
        os.waitid(os.P_PID, self.p.pid, os.WEXITED | os.WNOWAIT)
        self.timer.cancel()
        for t in [self.timer] + self.readers:
            t.join()
        status = self.p.wait()
        for pipe in (self.p.stdin, self.p.stdout, self.p.stderr):
            try:
                pipe is None or pipe.close()
            except BrokenPipeError:
                pass
        return status, round(time.monotonic() - self.began, 3)


def fit(value, kind, most):
    if kind == TEXT and isinstance(value, str):
        return value[:most].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if kind == COUNT and type(value) is int and 0 <= value < 1 << 63:
        return value
    if kind == REAL and type(value) in (int, float):
        return float(value)
    return None


def shown(o, name, known={}):
    """A name that is bytes as icecore shows it: so that names do not become one, and can be turned back."""
    if name.isascii() and name.isprintable() and "\\" not in name:
        return name
    if name not in known:
        try:
            done = subprocess.run([o.icecore, "triage", "--one", name, "/dev/null"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            known[name] = json.loads(done.stdout)["path"]
        except (OSError, ValueError, LookupError, TypeError, subprocess.TimeoutExpired):
            return "".join(c if c.isascii() and c.isprintable() and c != "\\" else
                           "".join("\\x%02x" % b for b in c.encode("utf-8", "surrogateescape")) for c in name)
    return known[name]


def row_of(columns, row):
    return {name: fit(row.get(name), kind, NAME_MOST if name in NAMES else TEXT_MOST) for name, kind in columns.items()}


def parse(said):
    """The dump, its findings and its methods, or None."""
    try:
        rows = [json.loads(line) for line in said.decode().splitlines()]
        dump, end = rows[0], 1 + rows[0]["findings"]
        findings, methods = rows[1:end], rows[end:]
        whole = dump["row"] == "dump" and dump["state"] in STATES and (dump["findings"], dump["methods"] or 0) == (len(findings), len(methods)) and \
            all(r["row"] == kind and r["rank"] == i for kind, those in (("finding", findings), ("method", methods)) for i, r in enumerate(those, 1))
        return (dump, findings, methods) if whole else None
    except (ValueError, LookupError, TypeError):
        return None


def judge(o, d):
    """The rows of one dump, even if reading it fails."""
    unread = None
    piped = d["system"].type_name != "local"
    child = Child(o, d["path"], "-" if piped else d["at"])
    if piped:
        try:
            # Without compression=None Arrow unpacks by the name.
            with d["system"].open_input_stream(d["at"], compression=None) as stream:
                child.feed(stream)
        except OSError as e:
            unread = str(e)
            child.kill()
    status, seconds = child.rest()
    block = parse(child.said[0])
    own = dict(key=d["key"], mtime=d["mtime"] // 1000000, attempt=d["attempt"], seconds=seconds, signal=-status if status < 0 else None)
    if child.loud:
        block, state, why = None, "crash", "output too long"
    elif child.late or status == -signal.SIGXCPU:
        block, state, why = None, "timeout", "out of time"
    elif unread is not None:
        block, state, why = None, "system", unread
    elif status == -signal.SIGKILL:
        block, state, why = None, "oom", "killed, probably by the kernel's out-of-memory killer"
    elif status < 0 or block is None:
        block, state, why = None, "crash", child.told[0].decode("utf-8", "replace").partition("\n")[0][:400] or None
    if block is None:
        own.update(row="dump", schema=1, path=shown(o, d["path"]), bytes=d["bytes"], state=state, reason=why, findings=0, version=o.version, rule=o.rule)
        block = {}, [], []
    found = o.pattern and o.pattern.search(d["path"])
    own.update({part: shown(o, name) for part, name in found.groupdict().items()} if found else {})
    return [row_of(DUMP, {**block[0], **own})] + [row_of(columns, {**r, "key": d["key"]}) for columns, rows in zip((FINDING, METHOD), block[1:])
                                                  for r in rows]


def probe(program):
    """(version, rule) of icecore on this machine; it must be able to run at all."""
    try:
        done = subprocess.run([program, "triage", "--one", "probe", "/dev/null"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        row = json.loads(done.stdout)
        return row["version"], row["rule"]
    except (OSError, ValueError, LookupError, subprocess.TimeoutExpired) as e:
        raise RuntimeError("cannot run %s: %s" % (program, e)) from None


# ---- one task

def save(out, rows, names):
    """Rows of one day.  A task that Spark runs twice replaces its own file, which others see whole or not at all."""
    system, path, _ = out
    day = path + "/rows/day=" + day_of(rows[0]["mtime"] * 1000000)
    staged = "%s/_staging/%s.parquet" % (path, uuid.uuid4().hex)
    if system.type_name != "s3":        # there a directory is an empty object
        system.create_dir(path + "/_staging")
        system.create_dir(day)
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(COLUMNS)), staged, filesystem=system)
    system.move(staged, "%s/%s.parquet" % (day, hashlib.sha256("\n".join(names).encode()).hexdigest()[:32]))


def work(o, out, dumps):
    """Dumps by state."""
    if probe(o.icecore) != (o.version, o.rule):
        raise RuntimeError("icecore is not %s on every machine" % o.version)
    days = {}
    states = Counter()
    for d in dumps:
        rows, names = days.setdefault(day_of(d["mtime"]), ([], []))
        block = judge(o, d)
        rows += block
        names.append("%s %d" % (d["key"], d["attempt"]))
        states[block[0]["state"]] += 1
    for rows, names in days.values():
        save(out, rows, sorted(names))
    return states


def deal(dumps, tasks):
    """The largest first, in turns."""
    dumps = sorted(dumps, key=lambda d: -d["bytes"])
    return [dumps[i::tasks] for i in range(tasks)]


def sweep(out):
    """Removes old files of killed runs."""
    system, path, _ = out
    for f in system.get_file_info(fs.FileSelector(path + "/_staging", allow_not_found=True)):
        if f.type == fs.FileType.File and time.time() - (f.mtime_ns or 0) / 1e9 > STALE:
            system.delete_file(f.path)


# ---- the run

def size(text):
    m = re.fullmatch(r"(\d+)([kmgt]?)", text.lower())
    if not m:
        raise argparse.ArgumentTypeError("'%s' is not a size; e.g. 64M or 1g" % text)
    return int(m[1]) << 10 * " kmgt".index(m[2] or " ")


def pattern(text):
    """As --name-pattern of icecore triage."""
    parts = re.split(r"\{(\w+)\}", text)
    named = ("app", "build", "process")
    holes = [("(?P<%s>[^/]+%s)" % (n, lazy) if n in named else "[^/]+" + lazy) for n, lazy in
             zip(parts[1::2], ["?"] * (len(parts) // 2 - 1) + [""])]
    return re.compile("(?:^|(?<=/))" + "".join(re.escape(a) + b for a, b in zip(parts[::2], holes + [""])) + r"\Z")


def options():
    a = argparse.ArgumentParser(prog="icecore_triage.py", description="icecore triage under Spark; see README.md")
    a.add_argument("-o", metavar="OUT", dest="out", required=True, help="output directory: a shared local one, or one in an object store")
    a.add_argument("--from", metavar="LIST", dest="source", help="also read the dumps in LIST, one path or URI per line")
    a.add_argument("--icecore", default="icecore", metavar="PROGRAM", help="icecore on the executors")
    a.add_argument("--timeout", type=int, default=120, metavar="SECONDS", help="time limit per dump, including its download; default: 120")
    a.add_argument("--memory", type=size, default="512m", metavar="SIZE", help="memory limit per dump; default: 512m")
    a.add_argument("--unpacked", type=size, default="64g", metavar="SIZE", help="limit for a decompressed dump; default: 64g")
    a.add_argument("--name-pattern", type=pattern, dest="pattern", metavar="PATTERN", help="find app, build and process in a path")
    a.add_argument("--files-per-task", type=int, default=64, metavar="N", help="maximum dumps per task; default: 64")
    a.add_argument("--max-bad", type=float, default=100, metavar="PERCENT", help="exit with status 3 if more dumps than this fail")
    a.add_argument("uri", nargs="*", metavar="URI", help="directory, bucket or dump")
    o = a.parse_args()
    if o.timeout < 1 or o.files_per_task < 1:
        a.error("--timeout and --files-per-task begin at 1")
    if o.source:
        with open(o.source, encoding="utf-8", errors="surrogateescape") as f:
            o.uri += [line for line in f.read().split("\n") if line]
    return o


def main():
    from pyspark import SparkContext
    began = time.monotonic()
    o = options()
    sc = SparkContext.getOrCreate()
    sc.setLogLevel("OFF")
    try:
        o.version, o.rule = sc.parallelize([o.icecore], 1).map(probe).first()
        out = place(o.out)
        sweep(out)
        dumps = find(o.uri, o.version, o.rule)
        new = forget_done(dumps, out)
        tasks = min(len(new), max(sc.defaultParallelism, -(-len(new) // o.files_per_task)))
        states = sum(sc.parallelize(deal(new, tasks), tasks).map(lambda part: work(o, out, part)).collect(), Counter()) if new else Counter()
    except OSError as e:
        die(BROKEN, str(e))
    except Exception as e:      # what a task raised is the last line that is not of Java
        lines = [line for line in str(e).splitlines() if re.match(r"\w*(Error|Exception)\b", line.strip())]
        die(BROKEN, lines[-1].strip() if lines else str(e))
    finally:
        sc.stop()
    print("%d dumps: %s; %d skipped; %.1f s" % (len(new), ", ".join("%d %s" % (n, s) for s, n in sorted(states.items())) or "none",
                                                len(dumps) - len(new), time.monotonic() - began), file=sys.stderr)
    bad = sum(states[s] for s in FAILED)
    sys.exit(MISSING if not dumps else BAD if 100 * bad > o.max_bad * len(new) else 0)


if __name__ == "__main__":
    main()
