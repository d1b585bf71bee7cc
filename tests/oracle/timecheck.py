# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""timecheck.py BUILD SRCDIR SCRATCH: icecore triage of traces, profiles and stack dumps, as TAP.

Shares and hottest paths are computed again from folded stacks, and the test of two builds by trying every choice of files.
"""
import html, itertools, json, math, re, shutil, statistics, subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mk"))
import mkheap  # noqa: E402
import releasesmake  # noqa: E402
import tap  # noqa: E402
from tap import check  # noqa: E402

BUILD, SRC, SCRATCH = (Path(a).resolve() for a in sys.argv[1:4])
ICECORE = str(BUILD / "icecore")
PATTERN = "{app}/{build}/{any}.folded"
TIME = ("weight", "elapsed", "hot_path", "hot_share", "wait", "wait_in", "main_blocks", "main_longest", "methods")


def run(*args):
    return subprocess.run([ICECORE, *map(str, args)], capture_output=True, text=True)


def triage(*args):
    return run("triage", *args)


def ask(query, path):
    p = run("--no-index", "-o", "json", "-e", query, path)
    return [json.loads(line) for line in p.stdout.splitlines()]


def rows(out):
    return [json.loads(line) for f in sorted(Path(out).glob("rows-*.jsonl")) for line in f.read_text().splitlines()]


def near(a, b, by=1e-9):
    return a is not None and b is not None and abs(a - b) <= by * max(1, abs(a), abs(b))


# ---- rows of files of all kinds

PANIC = """panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.work(0x5)
\t/src/main.go:12 +0x1d
main.main()
\t/src/main.go:5 +0x20
"""
LATE = """Timeout (0:00:02)!
Thread 0x00007f1c2d3e4f50 (most recent call first):
  File "/src/app.py", line 7 in wait
  File "/src/app.py", line 12 in main
"""


def name_is_event(name):
    return name.startswith(("recipes", "sched"))


def frames():
    """Slices of 1 ms with a number each, each under a thousandth of the time, and one of 20 ms."""
    marks = [(i * 2, i * 2 + 1, "doFrame %d" % (700000 + i)) for i in range(2000)] + [(4000, 4020, "rest")]
    return "# tracer: nop\n" + "".join(" app-100 ( 100) [000] .... %.6f: tracing_mark_write: %s\n" % (1 + at / 1000, text)
                                       for start, end, name in marks for at, text in ((start, "B|100|" + name), (end, "E|100")))


def kinds():
    folder, out = SCRATCH / "kinds", SCRATCH / "kinds.out"
    folder.mkdir()
    for name in ("demo.trace.gz", "shop.jfr.gz", "recipes.pftrace.gz", "demo.hprof.gz"):
        shutil.copy(SRC / "demo" / name, folder)
    shutil.copy(SRC / "demo/sched.txt.gz", folder / "sched.systrace.gz")
    shutil.copy(SRC / "demo/profile.txt.gz", folder / "script.perf.gz")
    (folder / "sched_frames.systrace").write_text(frames())
    (folder / "notes.txt").write_text("nobody's trace\n")
    (folder / "cut.trace").write_bytes(subprocess.run(["gzip", "-dc", SRC / "demo/demo.trace.gz"], stdout=subprocess.PIPE).stdout[:-100001])
    (folder / "garbage.trace").write_bytes(bytes(range(256)) * 20)
    dump = SRC / "demo/hang.log.gz"
    logs = {"panic.log": PANIC, "late.log": LATE}
    for name, text in logs.items():
        (SCRATCH / name).write_text(text)
    p = triage("-o", out, folder, dump, *(SCRATCH / name for name in logs))
    found = {Path(r["path"]).name: r for r in rows(out) if r["row"] == "dump"}
    check("a file with another name is counted", "kinds: skipped 1 file without a known extension; --all reads them\n" not in p.stderr and p.stderr)
    check("a folder of files of all kinds", p.returncode and p, sorted(found) != sorted([f.name for f in folder.iterdir() if f.name != "notes.txt"] + [dump.name, *logs]) and found)
    heap = found["demo.hprof.gz"]
    check("rows of heap dumps have no times", {k: heap[k] for k in TIME if heap[k] is not None}, heap["objects"] != 8644 and heap)
    wrong = []
    for name, r in found.items():
        path = folder / name if name != dump.name else dump
        if name in ("demo.hprof.gz", "garbage.trace", dump.name, *logs):
            continue
        sums = {}
        for m in ask("methods | where self_pct > 0 | select method self_pct", path):
            method = re.sub(r"(?<![A-Za-z_0-9])\d+(?![A-Za-z_0-9])", "*", m["method"]) if name_is_event(name) else m["method"]
            sums[method] = sums.get(method, 0) + m["self_pct"]
        sums = {method: share for method, share in sums.items() if share >= 0.1}
        most = max(sums, key=sums.get)
        first = {"method": most, "self_pct": sums[most]}
        busy = [b for b in rows(out) if b["row"] == "method" and b["key"] == r["key"]]
        words = ask("overview | where line = 'hottest path' | select subject share", path)[0]
        wrong.append((len(busy) != r["methods"] or busy[0]["method"] != first["method"] or not near(busy[0]["self"], first["self_pct"], 1e-3)) and (name, busy[:1], first))
        wrong.append((r["hot_path"] != words["subject"] or not near(r["hot_share"], words["share"], 1e-3)) and (name, r, words))
        wrong.append(any(not near(b["self"], sums.get(b["method"], -1), 1e-3) for b in busy) and (name, "shares"))
        wrong.append([b["self"] for b in busy] != sorted((b["self"] for b in busy), reverse=True) and (name, "order"))
        wrong.append([b["rank"] for b in busy] != list(range(1, len(busy) + 1)) and (name, "ranks"))
    check("their busiest methods and hottest paths", *wrong)
    stories = {name: ask("overview | where line = story | select subject", SCRATCH / name if name in logs else folder / name if name != dump.name else dump)
               for name, r in found.items() if r["state"] in ("ok", "clean")}
    check("the sentence of the overview", *[(name, found[name]["story"], told) for name, told in stories.items()
                                            if found[name]["story"] != (told[0]["subject"] if told else None)],
          sum(bool(told) for told in stories.values()) < 5 and stories)
    wrong = []
    for name in "demo.trace.gz", "recipes.pftrace.gz", "sched.systrace.gz", "shop.jfr.gz":
        r, longest = found[name], ask("waits | where not idle | top 1 wall | select label wall", folder / name)[0]
        wrong.append((r["wait"] != longest["wall"] or not r["wait_in"].startswith(longest["label"] + " in ")) and (r, longest))
    check("their longest waits", *wrong)
    busy = [(b["method"], round(b["self"], 2)) for b in rows(out) if b["row"] == "method" and b["key"] == found["sched_frames.systrace"]["key"]]
    check("small methods with the same name are added before small ones are left out", busy != [("doFrame *", 99.01), ("rest", 0.99)] and busy)
    mains = {"demo.trace.gz": "waits | where not idle and label = main and wall > 16ms", "shop.jfr.gz": "waits | where label = main and wall > 16ms",
             "sched.systrace.gz": "waits | where not idle and label = main and wall > 16ms and waiting_in != ''",
             "recipes.pftrace.gz": "waits | where not idle and process ~ recipes and label = 'example.recipes' and wall > 16ms and waiting_in != ''"}
    wrong = []
    for name, query in mains.items():
        blocks, r = [b["wall"] for b in ask(query, folder / name)], found[name]
        wrong.append((r["main_blocks"], r["main_longest"]) != (len(blocks), max(blocks, default=None)) and (name, r, blocks))
    check("their main threads, blocked for more than 16 ms", *wrong, found["demo.trace.gz"]["main_blocks"] < 5 and found["demo.trace.gz"])
    told = {name: [(f["severity"], f["kind"], f["holder"], f["count"]) for f in rows(out) if f["row"] == "finding" and f["key"] == r["key"]] for name, r in found.items()}
    check("findings, the worst first", told[dump.name] != [("deadlock", "deadlock", "transfer", 2), ("wait", "convoy", "http-worker-4", 14)] and told[dump.name],
          told["recipes.pftrace.gz"][1:] != [("jank", "main blocked", "example.recipes", 2), ("jank", "late frames", "com.example.recipes", 10),
                                             ("jank", "late frames", "/system/bin/surfaceflinger", 1), ("wait", "wait", "ActivityManager", None)] and told["recipes.pftrace.gz"],
          told["script.perf.gz"], found["script.perf.gz"]["state"] != "clean" and found["script.perf.gz"])
    wrong = []
    for name, want in (("panic.log", ("crash", "crash", "main.work", PANIC.splitlines()[0] + ", in main.work (main.go:12), called by main.main")), ("late.log", ("jank", "hang", "wait", "Timeout (0:00:02)!"))):
        got = [(f["severity"], f["kind"], f["content"], f["why"]) for f in rows(out) if f["row"] == "finding" and f["key"] == found[name]["key"]]
        wrong.append(got[:1] != [want] and (name, got))
    check("a panic is a crash, a timeout is jank, each with its place", *wrong)
    stable = [f["signature"] for f in rows(out) if f["row"] == "finding" and f["rule"] == 1 and re.search(r"\d", f["signature"]) and f["kind"] != "activity"]
    check("no number of one run is in their signatures", [s for s in stable if not s.startswith("static ")])
    cut, garbage = found["cut.trace"], found["garbage.trace"]
    check("a damaged trace: salvaged, with what was lost", (cut["state"] != "salvaged" or not cut["reason"] or not cut["methods"] or cut["exit"] != 3) and cut,
          (garbage["state"] != "unreadable" or not garbage["reason"] or garbage["methods"]) and garbage)
    before = (out / "rows-0of1.jsonl").read_bytes()
    p = triage("-o", out, folder, dump, *(SCRATCH / name for name in logs))
    check("again: nothing to do", p.returncode and p, (out / "rows-0of1.jsonl").read_bytes() != before and p.stderr)
    asked = ask("methods | where rank = 1 | select path method", out / "rows-0of1.jsonl")
    check("their rows are a file with methods", len(asked) != len([r for r in found.values() if r["methods"]]) and asked)
    p = triage("--redact", "-o", SCRATCH / "hidden.out", folder)
    hidden = rows(SCRATCH / "hidden.out")
    check("--redact: neither paths nor descriptions", p.returncode and p, [r for r in hidden if r.get("wait_in") or r.get("story") or r.get("why") or "demo" in str(r.get("path"))],
          sum(r["row"] == "method" for r in hidden) != sum(r["row"] == "method" for r in rows(out)) and hidden)
    # Cut off within the methods of the last file: it is read once more.
    (out / "rows-0of1.jsonl").write_bytes(before[:-200])
    p = triage("-o", out, folder, dump, *(SCRATCH / name for name in logs))
    table = ask("dumps | select path methods", out / "rows-0of1.jsonl")
    check("cut off within methods: read again", p.returncode and p, {Path(r["path"]).name: r["methods"] for r in table} != {n: r["methods"] for n, r in found.items()} and table)
    p = triage("--all", "-o", SCRATCH / "all.out", folder)
    check("--all: of any name", "notes.txt" not in [Path(r["path"]).name for r in rows(SCRATCH / "all.out") if r["row"] == "dump"] and p)
    for args in (["--by", "path", "-o", "x", folder], ["--groups", out, "--by", "day"], ["--table", out, "--by", "path"], ["--groups", out, "--all"]):
        p = triage(*args)
        check("usage: exit 2: " + " ".join(map(str, args[-2:])).replace(str(SCRATCH), ""), p.returncode != 2 and p)


# ---- builds

def shares(path):
    """Percent of the samples by innermost method."""
    self_, all_ = {}, 0
    for line in path.read_text().splitlines():
        stack, n = line.rsplit(" ", 1)
        name = stack.split(";")[-1]
        self_[name], all_ = self_.get(name, 0) + int(n), all_ + int(n)
    return {name: 100 * n / all_ for name, n in self_.items()}


def midranks(values):
    return [(sum(x < v for x in values) + sum(x <= v for x in values) + 1) / 2 for v in values]


def chance(before, after):
    """p of the rank-sum test with two sides: of every choice of ranks, or of the normal distribution."""
    ranks, n = midranks(before + after), len(before) + len(after)
    off = abs(sum(ranks[len(before):]) - len(after) * (n + 1) / 2)
    if n <= 20:
        sums = [sum(c) for c in itertools.combinations(ranks, len(after))]
        return sum(abs(s - len(after) * (n + 1) / 2) >= off - 1e-9 for s in sums) / len(sums)
    same = [list(ranks).count(r) for r in set(ranks)]
    spread = len(before) * len(after) / 12 * (n + 1 - sum(t ** 3 - t for t in same) / (n * (n - 1)))
    return 1 if off <= 0.5 or spread <= 0 else 2 * statistics.NormalDist().cdf(-(off - 0.5) / math.sqrt(spread))


def corrected(p):
    order, q, least = sorted(p, key=p.get), {}, 1
    for place in range(len(order), 0, -1):
        least = min(least, p[order[place - 1]] * len(order) / place)
        q[order[place - 1]] = least
    return q


def builds():
    folder, out = SCRATCH / "releases", SCRATCH / "releases.out"
    releasesmake.fill(folder)
    p = triage("-o", out, "--name-pattern", PATTERN, folder)
    found = {r["path"]: r for r in rows(out) if r["row"] == "dump"}
    check("profiles of four builds", p.returncode and p, len(found) != 65 and len(found), {r["build"] for r in found.values()} != set(releasesmake.FILES) and found)
    wrong = []
    of = {r["key"]: path for path, r in found.items()}
    said = {}
    for r in rows(out):
        if r["row"] == "method":
            said.setdefault(of[r["key"]], {})[r["method"]] = r["self"]
    for path in found:
        want = {n: s for n, s in shares(Path(path)).items() if s >= 0.1}
        got = said[path]
        wrong.append((set(got) != set(want) or any(not near(got[n], want[n], 1e-3) for n in want)) and (path, got, want))
    check("shares as in the files", *wrong)
    changes = ask("changes", out / "rows-0of1.jsonl")
    wrong, told = [], {(c["before"], c["after"]) for c in changes}
    for before, after in (("2.0", "2.1"), ("2.1", "2.10")):
        sides = [[said[p] for p in sorted(found) if found[p]["build"] == b] for b in (before, after)]
        names = {n for s in sides[0] + sides[1] for n in s}
        values = {n: [[f.get(n, 0) for f in side] for side in sides] for n in names}
        values = {n: v for n, v in values.items() if sum(x >= 1 for x in v[0] + v[1]) >= 3}
        p = {n: chance(*v) for n, v in values.items()}
        q = corrected(p)
        got = {c["method"]: c for c in changes if (c["before"], c["after"]) == (before, after)}
        wrong.append(set(got) != set(values) and (sorted(got), sorted(values)))
        for n, c in got.items():
            medians = [statistics.median(v) for v in values[n]]
            wrong.append((not near(c["p"], p[n], 1e-6) or not near(c["q"], q[n], 1e-6) or not near(c["share_before"], medians[0], 1e-6) or
                          not near(c["share_after"], medians[1], 1e-6) or (c["files_before"], c["files_after"]) != tuple(map(len, sides))) and
                         (n, c, p[n], q[n], medians))
            wrong.append((c["verdict"] == "same") != (q[n] > 0.05) and (n, c["verdict"], q[n]))
    check("the test of two builds, as by trying every choice, and for many files by the normal distribution", *wrong)
    check("builds in order; those with fewer than 5 files are left out", told != {("2.0", "2.1"), ("2.1", "2.10")} and told)
    verdicts = {(c["after"], c["method"]): c["verdict"] for c in changes}
    check("what was made slower is found", verdicts["2.1", "shop.Rule.matches"] != "slower" and changes, verdicts["2.1", "shop.Gone.old"] != "faster" and changes,
          verdicts["2.10", "shop.Store.query"] != "slower" and changes, verdicts["2.1", "shop.Text.append"] != "same" and changes)
    p = triage("--groups", out, "--by", "build")
    words = r"slower in 2\.1 than in 2\.0: 1\d\.\d % instead of [34]\.\d % of the time, 9 against 8 files, p (< 0\.001|= 0\.\d+)"
    check("in words", p.returncode and p, not re.search(words, p.stdout) and p.stdout, "build 2.2 is not compared: 3 files, at least 5 are needed" not in p.stderr and p.stderr,
          "no difference" in p.stdout and p.stdout)
    p = triage("--groups", out, "--by", "path", "-o", "json")
    paths = [json.loads(line) for line in p.stdout.splitlines()]
    counts = {}
    for r in found.values():
        counts[r["hot_path"]] = counts.get(r["hot_path"], 0) + 1
    check("by hottest path", p.returncode and p, {r["hot_path"]: r["files"] for r in paths} != counts and (paths, counts), [r["files"] for r in paths] != sorted(counts.values(), reverse=True) and paths)
    once = releasesmake.METHODS
    check("a method that is in each file equally: no difference", verdicts["2.1", "shop.Rare.call"] != "same" and once)
    # Files with one share each are all ties: no p can be small.
    flat = SCRATCH / "flat"
    for build in "1", "2":
        (flat / "a" / build).mkdir(parents=True)
        for i in range(6):
            (flat / "a" / build / ("%d.folded" % i)).write_text("main;x 50\nmain;y 50\n")
    p = triage("-o", SCRATCH / "flat.out", "--name-pattern", PATTERN, flat)
    flats = ask("changes", SCRATCH / "flat.out/rows-0of1.jsonl")
    check("equal files: p is 1", [c for c in flats if c["p"] != 1 or c["verdict"] != "same"], len(flats) != 2 and flats)
    p = triage("--groups", SCRATCH / "flat.out", "--by", "build")
    check("nothing differs: exit 1", p.returncode != 1 and p)


# ---- watch

def watched():
    inbox, out = SCRATCH / "inbox", SCRATCH / "watched"
    inbox.mkdir()
    for name in ("demo.trace.gz", "hang.log.gz", "profile.txt.gz"):
        shutil.copy(SRC / "demo" / name, inbox)
    (inbox / "leaks.hprof").write_bytes(mkheap.make("leaks"))
    p = run("watch", "--once", inbox, out)
    table = (out / "page/dumps.html").read_text()
    cells = re.findall(r'<td class="text" data-order="(\d+)">([^<]*)</td>', table)
    waits = cells[1::2]
    cells = cells[::2]
    check("and longest waits, ordered as numbers", ("2507418000", "2.51 s") not in waits and waits)
    check("watch: the table has the worst finding of each kind, and its order", p.returncode and p,
          sorted(cells) != [("1", "deadlock"), ("2", "leak, activity"), ("4", "jank, main blocked"), ("6", "")] and cells)
    index = (out / "page/index.html").read_text()
    check("and the index lists them", [w for w in ("deadlock", "main blocked", "activity") if w not in index], "<h2>Findings, most frequent first</h2>" not in index and index)
    titles = {html.unescape(m) for f in (out / "page").iterdir() for m in re.findall("<h1>(.*?)</h1>", f.read_text())}
    check("pages count findings", [t for t in ("hang.log.gz - 2 findings", "demo.trace.gz - 5 findings", "profile.txt.gz - perf script (text)") if t not in titles] and titles)


def main():
    kinds()
    builds()
    watched()
    tap.plan()


main()
