# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""check.py BUILD SCRATCH SRCDIR: the Spark job, the queries of DuckDB, the job array and the recipe for Kubernetes, as TAP.

The rows that Spark writes must equal those of icecore triage for the same dumps, here and in an S3 server on the loopback: after one run, after a
run that was killed and another, after dumps that failed.
"""
import argparse
import gzip
import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow.dataset as ds
import yaml
from moto.server import ThreadedMotoServer
from pyarrow import fs

BUILD, SCRATCH, SRC = (Path(a).resolve() for a in sys.argv[1:4])
ICECORE = str(BUILD / "icecore")
SPARK = SRC / "contrib/spark"
sys.path[:0] = [str(SRC / "tests/mk"), str(SRC / "tests/oracle"), str(SPARK)]
import dumpsmake  # noqa: E402
import icecore_triage as job  # noqa: E402
import mkheap  # noqa: E402
import releasesmake  # noqa: E402
import tap  # noqa: E402
from tap import check  # noqa: E402

PATIENCE = 120          # seconds that a condition may take on a busy machine
OWN = {"key", "seconds", "rss", "mtime", "day", "attempt"}      # what differs between runs, or is of the job
GROUP = ("hash", "kind", "holder", "content", "dumps", "apps", "builds", "first", "last", "retained_max", "retained_median", "exemplar", "signature")


def differ(got, want):
    return "\n".join(["only here: %s" % (x,) for x in got if x not in want] + ["missing: %s" % (x,) for x in want if x not in got] or
                     ["another order or number: %d, %d" % (len(got), len(want))]) if got != want else ""


def until(what, condition, process):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end or process.poll() is not None:
            raise AssertionError("never: " + what)
        time.sleep(0.002)       # between two looks at the condition


def wrapper(name, text):
    path = SCRATCH / name
    path.write_text("#!/bin/sh\n%s\nexec %s \"$@\"\n" % (text, ICECORE))
    path.chmod(0o755)
    return str(path)


# ---- rows

def plain(rows):
    """By dump its row and its findings, without what is of one run; so that they can be compared."""
    of = {r["key"]: r["path"] for r in rows if r["row"] == "dump"}
    kept = [(of[r["key"]], r["row"], r.get("rank") or 0, sorted((k, v) for k, v in r.items() if k not in OWN and v is not None)) for r in rows]
    return sorted(kept, key=lambda r: r[:3])


def triaged(out):
    return [json.loads(line) for f in sorted(Path(out).glob("rows-*.jsonl")) for line in f.read_bytes().splitlines()]


def triage(out, *args):
    return subprocess.run([ICECORE, "triage", "-o", str(out), *map(str, args)], capture_output=True, timeout=PATIENCE * 5)


def groups(out):
    p = subprocess.run([ICECORE, "triage", "--groups", str(out), "-o", "json"], capture_output=True)
    return [tuple(None if r[c] == "" else r[c] for c in GROUP) for r in map(json.loads, p.stdout.splitlines())]


def saved(out, system=None):
    return ds.dataset(out + "/rows", format="parquet", partitioning="hive", filesystem=system).to_table().to_pylist()


def files(out, system=None):
    found = (system or fs.LocalFileSystem()).get_file_info(fs.FileSelector(str(out), recursive=True, allow_not_found=True))
    return sorted((f.path, f.mtime_ns) for f in found if f.type == fs.FileType.File)


# ---- the job

def start(*args):
    conf = {"driver.memory": "600m", "ui.enabled": "false", "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1",
            "driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
    return subprocess.Popen([os.path.dirname(sys.executable) + "/spark-submit", "--master", "local[2,2]",
                             *(x for k, v in conf.items() for x in ("--conf", "spark.%s=%s" % (k, v))), str(SPARK / "icecore_triage.py"),
                             *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                            env=dict(os.environ, PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable, PYTHONDONTWRITEBYTECODE="1"))


def spark(status, said, *args):
    """Return the errors of a run that should end with this status and message."""
    p = start(*args)
    told = p.communicate(timeout=PATIENCE * 5)[0].splitlines()
    ours = [line for line in told if " dumps: " in line or line.startswith("icecore_triage: ")]
    wrong = p.returncode != status or not any(said in line for line in ours)
    return (wrong and "exit %d: %s" % (p.returncode, "\n".join(ours or told[-20:])),)


def local(folder, want):
    out = SCRATCH / "local"
    check("a program that cannot be run: exit 4, no rows", *spark(4, "cannot run", "--icecore", SCRATCH / "absent", "-o", out, folder),
          files(out))
    stale = out / "_staging/stale.parquet"
    stale.parent.mkdir(parents=True)
    stale.write_bytes(b"half a file")
    os.utime(stale, (0, 0))
    check("a directory of all kinds", *spark(0, "%d dumps: " % len({r["path"] for r in want if r["row"] == "dump"}), "--icecore", ICECORE,
                                            "--unpacked", "64m", "-o", out, folder))
    check("the same rows as icecore triage", differ(plain(saved(str(out))), plain(want)))
    days = {r["day"] for r in saved(str(out))}
    check("by day", {str(d) for d in days} != {time.strftime("%Y-%m-%d", time.gmtime(DAY)), "2001-09-09"} and days)
    check("nothing is left in staging", files(out / "_staging"))
    before = files(out)
    check("again: nothing to do", *spark(0, "0 dumps: none", "--icecore", ICECORE, "--unpacked", "64m", "-o", out, folder),
          before != files(out) and "rows were added")
    return out


def killed(folder, want):
    out, fifo = SCRATCH / "killed", SCRATCH / "fifo"
    os.mkfifo(fifo)
    slow = wrapper("slow", 'case "$*" in *leaks19*) read x <"%s";; esac' % fifo)
    args = "--unpacked", "64m", "--files-per-task", "1", "-o", out, folder
    p = start("--icecore", slow, *args)
    until("rows of some", lambda: len(files(out / "rows")) >= 5, p)
    os.killpg(p.pid, signal.SIGKILL)
    p.communicate()
    done = len({r["path"] for r in saved(str(out)) if r["row"] == "dump"})
    all_ = len({r["path"] for r in want if r["row"] == "dump"})
    check("killed on its way", not 0 < done < all_ and "%d of %d" % (done, all_))
    try:
        os.write(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK), b"\n")
    except OSError:
        pass            # nobody waits any more
    check("run again", *spark(0, " skipped", "--icecore", ICECORE, *args))
    check("the same rows as of one run", differ(plain(saved(str(out))), plain(want)))


def names():
    o = argparse.Namespace(icecore=ICECORE)
    want = {b"d\xfe": "d\\xfe", b"d\xff": "d\\xff", b"d\\xff": "d\\x5cxff", "d\u00e9".encode(): "d\u00e9", b"plain": "plain"}
    got = {raw: job.shown(o, os.fsdecode(raw)) for raw in want}
    check("names are bytes, as icecore shows them", got != want and got)
    o.icecore = str(SCRATCH / "absent")
    got = job.shown(o, os.fsdecode(b"e\xff"))
    check("also where it cannot be run", got != "e\\xff" and got)


def states():
    """The rows of a dump whose process ends in other ways."""
    o = argparse.Namespace(unpacked=64 << 20, memory=512 << 20, timeout=PATIENCE, pattern=job.pattern("{app}/{build}/{process}-{any}.hprof"),
                           version="9", rule=2)
    at = SCRATCH / "shop/7/web-1.hprof"
    at.parent.mkdir(parents=True)
    at.write_bytes(mkheap.make("gallery"))
    d = {"system": fs.LocalFileSystem(), "at": str(at), "path": str(at), "bytes": at.stat().st_size, "mtime": 0, "key": "k", "attempt": 2}
    wrong = []
    for text, state, more in ((":", "ok", {}), ("exec sleep 1000", "timeout", {"timeout": 1}), ("exec yes", "crash", {}), ("kill -9 $$", "oom", {}),
                              ("kill -SEGV $$", "crash", {}), ("echo nonsense; exit 0", "crash", {}), (":", "oom", {"memory": 3 << 19}),
                              ('"%s" "$@" | head -n 1; exit 0' % ICECORE, "crash", {})):
        rows = job.judge(argparse.Namespace(**{**vars(o), "icecore": wrapper("bad", text), **more}), d)
        r = rows[0]
        wrong.append((r["state"], r["attempt"], r["key"], r["app"], r["build"], r["process"], len(rows) - 1) !=
                     (state, 2, "k", "shop", "7", "web", r["findings"]) and (text, more, r))
    check("states of dumps whose processes end badly", *wrong)
    out = SCRATCH / "tried"
    place = job.place(str(out))
    o.icecore, wrong = wrapper("bad", "exec false"), []
    o.version, o.rule = job.probe(ICECORE)
    for attempt in 1, 2, 3, 4:
        left = job.forget_done([d], place)
        wrong.append([x["attempt"] for x in left] != [attempt][:attempt < 4] and left)
        for x in left:
            rows = job.judge(o, x)
            job.save(place, rows, ["%s %d" % (x["key"], x["attempt"])])
            job.save(place, rows, ["%s %d" % (x["key"], x["attempt"])])         # as a task that is run twice
    rows = saved(str(out))
    check("a dump that fails is tried three times", *wrong, sorted(r["attempt"] for r in rows) != [1, 2, 3] and rows)


def file_of(shown):
    """The file that a row names."""
    return Path(os.fsdecode(re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), os.fsencode(shown))))


def s3(folder, want):
    os.environ.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_EC2_METADATA_DISABLED="true")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    where = "?endpoint_override=127.0.0.1:%d&scheme=http&region=us-east-1" % server.get_host_and_port()[1]
    system = fs.S3FileSystem(endpoint_override="127.0.0.1:%d" % server.get_host_and_port()[1], scheme="http", region="us-east-1",
                             allow_bucket_creation=True)
    system.create_dir("dumps")
    system.create_dir("rows")
    system.create_dir("dumps/a/empty/")
    names = {}
    for r in want:
        path = file_of(r.get("path", "/"))
        if r["row"] == "dump" and path.is_file() and not path.is_symlink() and path.name.isprintable():
            with system.open_output_stream("dumps/a/" + str(path.relative_to(folder)), compression=None) as f:
                f.write(path.read_bytes())
            names[r["key"]] = "s3://dumps/a/" + r["path"][len(str(folder)) + 1:]
    want = [dict(r, path=names[r["key"]]) if r["row"] == "dump" else r for r in want if r["key"] in names]
    ends = wrapper("ends", 'case "$*" in *old32*) kill -9 $$;; esac')
    args = "--unpacked", "64m", "-o", "s3://rows/heap" + where, "s3a://dumps/a" + where
    check("S3, and more than --max-bad fail: exit 3", *spark(3, "1 oom", "--icecore", ends, "--max-bad", "1", *args))
    check("S3 again: what failed is done", *spark(0, "1 dumps: 1 ", "--icecore", ICECORE, "--max-bad", "1", *args))
    rows = saved("rows/heap", system)
    failed = {r["path"] for r in rows if r["row"] == "dump" and r["state"] == "oom"}
    rows = [r for r in rows if r.get("state") != "oom"]
    check("the same rows as icecore triage", differ(plain(rows), plain(want)), len(failed) != 1 and failed)
    check("nothing is left in staging", files("rows/heap/_staging", system))
    o = argparse.Namespace(icecore=ICECORE, unpacked=64 << 20, memory=512 << 20, timeout=PATIENCE, pattern=None, version="9", rule=2)
    r = job.judge(o, {"system": system, "at": "dumps/a/gone", "path": "gone", "bytes": 5, "mtime": 0, "key": "k", "attempt": 1})
    check("an object that cannot be read: system", (len(r) != 1 or r[0]["state"] != "system" or not r[0]["reason"]) and r)
    server.stop()


# ---- roll-ups

def asked(rows, what, columns="*", before="select 1"):
    db = duckdb.connect()
    db.execute("set python_enable_replacements = false")
    for text in (SPARK / "rows.sql").read_text(), "create view triage as from " + rows, (SPARK / "rollup.sql").read_text():
        db.execute(text)
    db.execute(before)
    return db.execute("select %s from %s" % (columns, what)).fetchall()


def rollup(ours, spark_out):
    columns = ", ".join(GROUP)
    want = groups(ours)
    rows = "local_rows('%s/rows-*.jsonl')" % ours
    check("DuckDB over the rows of triage: the groups of --groups", differ(asked(rows, "groups", columns), want), len(want) < 3 and want)
    check("DuckDB over the rows of Spark: the same", differ(asked("spark_rows('%s/rows/*/*.parquet')" % spark_out, "groups", columns), want))
    p = subprocess.run([ICECORE, "--no-index", "-o", "json", "-e", "dumps | group state : count", str(ours / "rows-0of1.jsonl")],
                       capture_output=True, text=True)
    by = sorted((r["state"], r["count"]) for r in map(json.loads, p.stdout.splitlines()))
    check("states", differ(asked(rows, "states group by state order by state", "state, sum(dumps)::bigint"), by), not by and p)
    made = SCRATCH / "made.jsonl"
    said = []
    for path, build, version, attempt, state, sigs in (
            ("a", "1", "0.9.0", 1, "ok", "xx"), ("a", "1", "0.10.0", 1, "ok", "x"), ("b", "1", "0.10.0", 1, "timeout", ""),
            ("b", "1", "0.10.0", 2, "ok", "xy"), ("c", "2", "0.10.0", 1, "ok", "yz"), ("d", "2", "0.10.0", 1, "clean", "")):
        key = path + version if state != "timeout" else path + "0.10.0"
        said.append({"row": "dump", "key": key, "path": path, "build": build, "version": version, "rule": 2, "attempt": attempt, "state": state,
                     "findings": len(sigs), "dumped_at": "2026-01-0%dT00:00:00Z" % (1 + (path > "b"))})
        said += [{"row": "finding", "key": key, "rank": i, "sig": s, "retained": 10 * i, "kind": "k"} for i, s in enumerate(sigs, 1)]
    made.write_text("".join(json.dumps(r) + "\n" for r in said))
    made = "local_rows('%s')" % made
    check("of each path the newest rows count", differ(asked(made, "dumps order by path", "path, version, attempt"),
                                                      [("a", "0.10.0", 1), ("b", "0.10.0", 2), ("c", "0.10.0", 1), ("d", "0.10.0", 1)]),
          differ(asked(made, "findings order by 1, 2", "path, rank, sig"), [("a", 1, "x"), ("b", 1, "x"), ("b", 2, "y"), ("c", 1, "y"), ("c", 2, "z")]))
    check("groups of rows of several versions", differ(asked(made, "groups", "hash, dumps, builds, retained_max, retained_median, exemplar"),
                                                       [("y", 2, 2, 20, 10, "b"), ("x", 2, 1, 10, 10, "a"), ("z", 1, 1, 20, 20, "c")]))
    check("groups that are new", differ(asked(made, "new_groups", "hash"), [("z",)]))
    check("groups by build", differ(asked(made, "groups_by_build order by all", 'build, hash, dumps, "of"'),
                                    [("1", "x", 2, 2), ("1", "y", 1, 2), ("2", "y", 1, 2), ("2", "z", 1, 2)]))


def releases():
    """Profiles of two builds: rows of Spark, roll-ups, and the test of the builds over what DuckDB writes."""
    folder, ours, theirs = SCRATCH / "releases", SCRATCH / "releases.ours", SCRATCH / "releases.spark"
    releasesmake.fill(folder, ("2.0", "2.1"))
    named = "--name-pattern", "{app}/{build}/{any}.folded"
    p = triage(ours, *named, folder)
    want = triaged(ours)
    check("profiles: the same rows from Spark", p.returncode and p, *spark(0, "17 dumps: ", "--icecore", ICECORE, *named, "-o", theirs, folder),
          differ(plain(saved(str(theirs))), plain(want)), sum(r["row"] == "method" for r in want) < 50 and want)
    local, far = "local_rows('%s/rows-*.jsonl')" % ours, "spark_rows('%s/rows/*/*.parquet')" % theirs
    for name, rows in (("triage", local), ("Spark", far)):
        p = subprocess.run([ICECORE, "triage", "--groups", str(ours), "--by", "path", "-o", "json"], capture_output=True)
        paths = [(r["hot_path"], r["files"], r["builds"], r["share_max"]) for r in map(json.loads, p.stdout.splitlines())]
        check("DuckDB over the rows of %s: hottest paths as of --by path" % name, differ(asked(rows, "hot_paths", "hot_path, files, builds, share_max"), paths),
              not paths and p)
        of = {r["key"]: r["build"] for r in want if r["row"] == "dump"}
        sums = {}
        for r in want:
            if r["row"] == "method":
                sums.setdefault((r["method"], of[r["key"]]), []).append(r["self"])
        means = sorted((m, b, len(v), releasesmake.FILES[b], round(sum(v) / releasesmake.FILES[b], 6)) for (m, b), v in sums.items())
        check("shares by build", differ(sorted(asked(rows, "methods_by_build", 'method, build, files, "of", round(share, 6)')), means))
        made = SCRATCH / ("blocks.%s.jsonl" % name)
        asked(rows, "(select 1)", before="copy (from blocks) to '%s' (format json)" % made)
        tested = [subprocess.run([ICECORE, "--no-index", "-o", "json", "-e", "changes", str(f)], capture_output=True, text=True)
                  for f in (made, ours / "rows-0of1.jsonl")]
        check("the test of the builds over rows that DuckDB wrote", tested[0].stdout != tested[1].stdout and tested, "slower in 2.1" not in tested[1].stdout and tested)


# ---- job arrays, Kubernetes

def shards(folder, want):
    out, n = SCRATCH / "shards", 4
    env = dict(os.environ, PATH="%s:%s" % (BUILD, os.environ["PATH"]), SLURM_ARRAY_TASK_COUNT=str(n), SLURM_CPUS_PER_TASK="1")
    codes = [subprocess.run(["sh", SRC / "contrib/slurm/triage.sbatch", out, "--unpacked", "64m", folder], env=dict(env, SLURM_ARRAY_TASK_ID=str(i)),
                            stderr=subprocess.DEVNULL).returncode for i in range(n)]
    found = [f.name for f in sorted(out.glob("rows-*.jsonl"))]
    check("a job array of %d: together the rows of one run" % n, any(codes) and codes, found != ["rows-%dof%d.jsonl" % (i, n) for i in range(n)] and found,
          differ(plain(triaged(out)), plain(want)))


def recipe():
    documents = list(yaml.safe_load_all((SRC / "contrib/kubernetes/heap-dumps.yaml").read_text()))
    kinds = {d["kind"]: d for d in documents}
    pod = kinds["Deployment"]["spec"]["template"]["spec"]
    volumes = {v["name"]: v for v in pod["volumes"]}
    mounts = [m["name"] for c in pod["containers"] + pod["initContainers"] for m in c["volumeMounts"]]
    command = kinds["CronJob"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]["command"]
    sys.argv = command[3:]
    o = job.options()
    check("the recipe for Kubernetes", sorted(kinds) != ["ConfigMap", "CronJob", "Deployment"] and kinds,
          set(mounts) != set(volumes) and mounts, "emptyDir" not in volumes["dumps"] and volumes,
          volumes["heap-dumps"]["configMap"]["name"] != kinds["ConfigMap"]["metadata"]["name"] and volumes,
          "-XX:HeapDumpPath=/dumps" not in pod["containers"][0]["env"][0]["value"] and pod, not o.pattern.search("s3://b/day=1/app=a/build=b/p-1.hprof.gz"))
    dumps, bucket, bin_ = SCRATCH / "emptydir", SCRATCH / "bucket", SCRATCH / "bin"
    for d in dumps, bucket, bin_:
        d.mkdir()
    aws = bin_ / "aws"
    aws.write_text('#!/bin/sh\n[ -z "$BROKEN" ] || exit 1\nto=%s/${5#s3://}\nmkdir -p "${to%%/*}" && cp "$4" "$to"\n' % bucket)
    aws.chmod(0o755)
    heap = mkheap.make("heap")
    (dumps / "java_pid1.hprof").write_bytes(heap)
    (dumps / "packed.hprof").write_bytes(gzip.compress(heap))
    for i, name in enumerate(("java_pid1.hprof", "packed.hprof")):
        os.utime(dumps / name, (1000000000 + i, 1000000000 + i))
    env = dict(os.environ, PATH="%s:%s" % (bin_, os.environ["PATH"]), DUMPS=str(dumps), APP="shop", BUILD="7", POD="web-0", BUCKET="b", QUIET="0",
               ONCE="1", LC_ALL="C", TZ="UTC")
    run = lambda **more: subprocess.run(["sh", "-c", kinds["ConfigMap"]["data"]["upload.sh"]], env=dict(env, **more), capture_output=True)
    with open(dumps / "open.hprof", "wb") as f:
        f.write(heap)
        f.flush()
        run(BROKEN="1")
        check("the upload fails: the dumps stay", sorted(x.name for x in dumps.iterdir()) !=
              ["open.hprof", "web-0-20010909T014640Z.hprof.gz", "web-0-20010909T014641Z.hprof.gz"] and list(dumps.iterdir()))
        p = run()
        got = sorted(str(x.relative_to(bucket)) for x in bucket.rglob("*.gz"))
        check("what nobody writes is compressed and uploaded", [x.name for x in dumps.iterdir()] != ["open.hprof"] and (p, list(dumps.iterdir())),
              differ(got, ["b/day=2001-09-09/app=shop/build=7/web-0-20010909T01464%dZ.hprof.gz" % i for i in range(2)]),
              [x for x in bucket.rglob("*.gz") if gzip.decompress(x.read_bytes()) != heap])
    run()
    check("a dump that is whole now follows", list(dumps.iterdir()), len(list(bucket.rglob("*.gz"))) != 3)


DAY = 1700000000


def main():
    folder, ours = SCRATCH / "dumps", SCRATCH / "ours"
    dumpsmake.fill(folder)
    for name in "demo.trace.gz", "shop.jfr.gz":
        (folder / name).write_bytes((SRC / "demo" / name).read_bytes())
    for f in folder.rglob("*"):
        if not f.is_symlink():
            os.utime(f, (DAY, DAY))
    os.utime(folder / "link.hprof", (DAY, DAY), follow_symlinks=False)
    os.utime(folder / "twin.hprof", (1000000000, 1000000000))
    assert triage(ours, "--unpacked", "64m", folder).returncode == 0
    want = triaged(ours)
    names()
    states()
    out = local(folder, want)
    killed(folder, want)
    s3(folder, want)
    rollup(ours, out)
    releases()
    recipe()
    shards(folder, want)
    tap.plan()


main()
