#!/usr/bin/env python3
"""Compares what icecore reads of Perfetto traces with tables that another reader made of them.

  perfettocheck.py ICECORE FOLDER [NAME ...]     FOLDER has data/KIND/NAME.pftrace and expected/KIND/NAME.tsv

A line of a table begins with its name.  Switches are compared by time, CPU and task; spans, instants and counters by their names and
times.  What is known to differ is listed with the reason in DIFFERS.
"""
import collections
import glob
import os
import subprocess
import sys

DIFFERS = {"deep": "icecore shows all 700 spans, not 512"}
QUERIES = ["info | where field = clock_start | select value", "switches | select time cpu to_id", "tasks | select id tid",
           "spans | select method start_wall wall", "async_spans | select name start_wall wall open", "marks | select name time cat",
           "counters | select counter points"]


def ask(program, path, query):
    r = subprocess.run([program, "--no-index", "--no-history", "--clock", "wall", "-e", query, path], capture_output=True, text=True,
                       timeout=120)
    if r.returncode not in (0, 3):
        return r.returncode, r.stderr.strip(), []
    rows = [x.split("\t") for x in r.stdout.split("\n")[1:] if x]
    return r.returncode, "", rows


def expected(path):
    tables = collections.defaultdict(list)
    for line in open(path, newline="\n"):
        word, _, rest = line.rstrip("\n").partition("\t")
        tables[word].append(rest.split("\t"))
    return {k: [dict(zip(v[0], x)) for x in v[1:]] for k, v in tables.items()}


def text(s):
    return s.replace("\\t", "\t").replace("\\n", "\n").replace("\\\\", "\\")


def compare(program, trace, table):
    want = expected(table)
    bad = []
    code, err, start = ask(program, trace, QUERIES[0])
    some = any(want.get(k) for k in ("sched", "slices", "counters", "logs"))
    if code not in (0, 3):
        return ["%d: %s" % (code, err)] if some else []
    base = int(start[0][0].replace(" ", "")) if start else 0
    get = lambda q: ask(program, trace, q)[2]

    def same(what, ours, theirs):
        a, b = collections.Counter(ours), collections.Counter(theirs)
        if a != b:
            bad.append("%s: %d more, %d less: %s | %s" % (what, sum((a - b).values()), sum((b - a).values()), list((a - b).elements())[:2],
                                                         list((b - a).elements())[:2]))

    tid = {r[0]: r[1] for r in get(QUERIES[2])}
    tid["0"] = "0"
    same("switches", [(int(r[0]) + base, r[1], tid.get(r[2])) for r in get(QUERIES[1])],
         [(int(r["ts"]), r["cpu"], r["tid"]) for r in want.get("sched", [])])
    marks = get(QUERIES[5])
    spans = [(text(r[0]), int(r[1]) + base, int(r[2])) for r in get(QUERIES[3])] + \
        [(text(r[0]), int(r[1]) + base, -1 if r[3] == "true" else int(r[2])) for r in get(QUERIES[4])] + \
        [(text(r[0]), int(r[1]) + base, 0) for r in marks if r[2] != "log"]
    theirs = [(r["name"] or r["track"], int(r["ts"]), int(r["dur"])) for r in want.get("slices", [])]
    # A call that is open lasts to the end of the trace.
    open_at = collections.Counter(x[:2] for x in theirs if x[2] == -1)
    left = []
    for s in spans:
        if open_at[s[:2]] > 0:
            open_at[s[:2]] -= 1
            s = s[:2] + (-1,)
        left.append(s)
    same("spans", left, theirs)
    same("log", [int(r[1]) + base for r in marks if r[2] == "log"], [int(r["ts"]) for r in want.get("logs", [])])
    same("counters", [int(r[1]) for r in [[0, str(sum(int(x[1]) for x in get(QUERIES[6])))]]], [len([r for r in want.get("counters", []) if r["track"] not in ("thread_time", "thread_instruction_count")])])
    return bad


def main():
    program, folder, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    n = failed = 0
    for kind in ("odd", "upstream"):
        for trace in sorted(glob.glob(os.path.join(folder, "data", kind, "*"))):
            name = os.path.basename(trace).replace(".gz", "").replace(".pftrace", "").replace(".zip", "")
            table = os.path.join(folder, "expected", kind, os.path.basename(trace).replace(".gz", "").replace(".pftrace", "") + ".tsv")
            if not os.path.exists(table) or (only and name not in only):
                continue
            n += 1
            bad = [] if name in DIFFERS else compare(program, trace, table)
            if bad:
                failed += 1
                print("not ok %d - %s" % (n, name))
                for x in bad:
                    print("#   " + x)
            else:
                print("ok %d - %s" % (n, name))
    print("1..%d" % n)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
