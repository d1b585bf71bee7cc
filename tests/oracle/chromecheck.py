"""Trace events of Chrome against the oracle chrome.py, for jsoncheck.py and corpus.py."""
import glob
import gzip
import os
import subprocess
import sys

from check import attempt, refused

HERE = os.path.dirname(os.path.abspath(__file__))

READ = "XBEM"                 # letters that are not counted as skipped
FACTS = {"no_time": "repair.no_time", "first_ns": "clock_start", "end_without_begin": "repair.end_without_begin",
         "end_of_another_name": "repair.end_name", "open": "repair.open", "cut": "loss.json"}


def tables(program, path, *queries):
    a = program.ask(path, *queries, options=("--no-index",))
    if a.code not in (0, 3) or not a.out:
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return a.tables()


def compare_facts(rows, info):
    got = {r["field"]: r["value"] for r in info.rows}
    bad = ["%s is %s, not %s" % (fact, got.get(fact, "0"), r[1]) for r in rows for key, fact in FACTS.items()
           if r[0] == key and got.get(fact, "0") != r[1]]
    want = {"skipped." + r[1]: r[2] for r in rows if r[0] == "ph" and len(r[1]) == 1 and r[1] not in READ}
    bad += ["%s is %s, not %s" % (k, got.get(k), want[k]) for k in want if got.get(k) != want[k]]
    cpu = sum(int(r[4].split("=")[1]) for r in rows if r[0] == "calls")
    bad += ["with_cpu is %s, not %d" % (got.get("with_cpu"), cpu)] if got.get("with_cpu", "0") != str(cpu) else []
    return bad + ["%s is not in the file" % k for k in got if k.startswith("skipped.") and k not in want]


def compare_calls(rows, program, path, threads, inexact):
    """Each thread has as many calls as it should, which last so long together; what was cut or is open lasts otherwise."""
    want = sorted((int(r[2]), max(0, int(r[3]))) for r in rows if r[0] == "calls")
    used = [t for t in threads.rows if int(t["calls"])]
    answers = tables(program, path, *["spans @" + t["id"] for t in used]) if used else []
    got = [(len(table.rows), sum(int(s["wall"]) for s in table.rows)) for table in answers]
    if inexact:
        want, got = [w[:1] for w in want], [g[:1] for g in got]
    return [] if sorted(got) == sorted(want) else ["calls are %s, not %s" % (sorted(got)[:20], want[:20])]


def compare_samples(rows, program, path):
    """Each stack has its weight: of all profiles, or of the first event of those beside the trace events."""
    want, most, profiles = {}, {}, [r for r in rows if r[0] == "profile"]
    for r in profiles:                                # of several of one thread the first one counts
        if r[4] != "samples=0":
            most.setdefault(r[3], r[1:3])
    for r in rows:
        if r[0] == "stack" and r[1:3] in most.values():
            want[r[3]] = want.get(r[3], 0) + int(r[5])
        elif r[0] == "top_sample":
            want[r[3]] = want.get(r[3], 0) + int(r[5])
    out = program.run(["--no-index", "-o", "folded", "-e", "calls", path]).out
    got = {}
    for line in out.split("\n")[:-1]:
        stack, _, n = line.rpartition(" ")
        stack = stack.partition(";")[2]               # without the thread
        got[stack] = got.get(stack, 0) + int(n)
    want = {k: n for k, n in want.items() if n}       # a sample without weight is no line there
    info, = tables(program, path, "info")
    facts = {r["field"]: r["value"] for r in info.rows}
    unknown = sum(int(r[7].split("=")[1]) for r in profiles)
    return ["%s: %s, not %s" % (k, got.get(k), want.get(k)) for k in sorted(set(want) | set(got)) if want.get(k) != got.get(k)] + \
        (["%s samples of no node, not %d" % (facts.get("repair.node"), unknown)] if facts.get("repair.node", "0") != str(unknown) else [])


def compare(program, path, lines):
    rows = [line.split("\t") for line in lines]
    if not any(r[0] == "calls" for r in rows):
        some = any(r[0] in ("stack", "top_sample") for r in rows)
        return compare_samples(rows, program, path) if some else refused(program, path)
    info, threads = tables(program, path, "info", "threads")
    inexact = any(r["field"] in ("repair.overlap", "repair.open") and int(r["value"]) for r in info.rows)
    return compare_facts(rows, info) + compare_calls(rows, program, path, threads, inexact)


def check_corpus(tap, program, folder):
    for path in sorted(glob.glob(os.path.join(folder, "data", "*.json*")) + glob.glob(os.path.join(folder, "data", "gen", "*"))):
        expected = os.path.join(folder, "expected", os.path.basename(path) + ".tsv")
        if os.path.exists(expected + ".gz"):
            with gzip.open(expected + ".gz", "rt", errors="surrogateescape") as f:
                lines = f.read().split("\n")[:-1]
        elif os.path.exists(expected):
            with open(expected, errors="surrogateescape") as f:
                lines = f.read().split("\n")[:-1]
        else:
            continue
        attempt(tap, os.path.basename(path) + ": trace events", compare, program, path, lines)


def check_made(tap, program, scratch):
    """What the oracle says of edge cases of our own."""
    folder = os.path.join(scratch, "chrome")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "mk", "chromemake.py"), folder], check=True)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        out = subprocess.run([sys.executable, "-B", os.path.join(HERE, "chrome.py"), path], stdout=subprocess.PIPE, check=True).stdout
        attempt(tap, name + ": trace events", compare, program, path, out.decode().split("\n")[:-1])
