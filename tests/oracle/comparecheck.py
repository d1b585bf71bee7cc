# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""comparecheck.py BUILD SRCDIR SCRATCH: icecore compare against a slow model, as TAP.

The model finds Student's quantile by adding up the density, and draws the bootstrap with its own generator.
"""
import json, math, random, re, shutil, statistics, subprocess, sys
import xml.etree.ElementTree as ET
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mk"))
import tap  # noqa: E402
from tap import check  # noqa: E402

BUILD, SRC, SCRATCH = (Path(a).resolve() for a in sys.argv[1:4])
ICECORE = str(BUILD / "icecore")
PATTERN = "{build}/{device}/{process}-{any}.trace"
RESAMPLES, SEED, MASK = 9999, 1, (1 << 64) - 1


def compare(*args):
    return subprocess.run([ICECORE, "compare", *map(str, args)], capture_output=True, text=True, cwd=SCRATCH)


def rows(*args):
    return [json.loads(line) for line in compare("-o", "json", *args).stdout.splitlines()]


def near(a, b, by):
    return a is not None and b is not None and abs(a - b) <= by


# ---- the model

def student(freedom):
    """The quantile at 97.5 %: the density is added up by Simpson's rule from 0 on, until half of 95 % is reached."""
    front = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def area(t, n=4000):
        h = t / n
        f = [front * (1 + (i * h) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(n + 1)]
        return h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
    low, high = 0.0, 20.0
    for _ in range(40):
        t = (low + high) / 2
        low, high = (t, high) if area(t) < 0.475 else (low, t)
    return low


class Draws:
    """SplitMix64."""

    def __init__(self):
        self.state = SEED

    def below(self, n):
        self.state = z = self.state + 0x9e3779b97f4a7c15 & MASK
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
        return (z ^ z >> 31) * n >> 64


def version(text):
    return [(int(re.match(r"\d*", p).group() or 0), p) for p in text.split(".")]


def ends(means):
    means = sorted(means)
    return means[249], means[9749]


def model(files, strata, base=None):
    """files: (group, stratum, value or None).  base: the first group.  Return the rows that the command should print, as dictionaries."""
    parts, draws, boot = {}, Draws(), {}
    for group, stratum, value in files:
        parts.setdefault((group, stratum), []).append(value)
    keys = sorted(parts, key=lambda k: (k[0] != base, version(k[0]), version(k[1])))
    values = {k: sorted(v for v in parts[k] if v is not None) for k in keys}
    for k in keys:
        v = values[k]
        if len(v) > 1:
            boot[k] = [sum(v[draws.below(len(v))] for _ in v) / len(v) for _ in range(RESAMPLES)]
    groups = list(dict.fromkeys(k[0] for k in keys))
    names = list(dict.fromkeys(k[1] for k in keys))
    used = [s for s in names if not strata or all(len(values.get((g, s), [])) > 1 for g in groups)]
    weight = {s: sum(len(values.get((g, s), [])) for g in groups) for s in used}
    answer = []
    for only in [None] + (names if strata else []):
        first = None
        for g in groups:
            taken = [s for s in (used if only is None else [only]) if values.get((g, s))]
            if only is not None and (g, only) not in parts and g != groups[0]:
                continue
            share = {s: weight[s] / sum(weight[t] for t in taken) if only is None else 1 for s in taken}
            own = [values[g, s] for s in taken]
            row = {"build": g, "stratum": only or "all", "n": sum(map(len, own))}
            row["omitted"] = sum(len(parts[k]) for k in keys if k[0] == g and only in (None, k[1])) - row["n"]
            if own:
                row["mean"] = mean = sum(share[s] * statistics.mean(values[g, s]) for s in taken)
            if len(own) == 1:
                row["median"] = statistics.median(own[0])
            if own and all(len(v) > 1 for v in own):
                terms = [(share[s] ** 2 * statistics.variance(values[g, s]) / len(values[g, s]), len(values[g, s]) - 1) for s in taken]
                var = sum(t for t, _ in terms)
                half = student(var ** 2 / sum(t * t / n for t, n in terms)) * math.sqrt(var) if var else 0
                means = [sum(share[s] * boot[g, s][r] for s in taken) for r in range(RESAMPLES)]
                row["low"], row["high"] = mean - half, mean + half
                row["boot_low"], row["boot_high"] = ends(means)
                if first and first["terms"]:
                    both = terms + first["terms"]
                    var = sum(t for t, _ in both)
                    half = student(var ** 2 / sum(t * t / n for t, n in both)) * math.sqrt(var) if var else 0
                    diff = mean - first["mean"]
                    row["diff_low"], row["diff_high"] = diff - half, diff + half
                    row["diff_boot_low"], row["diff_boot_high"] = ends(a - b for a, b in zip(means, first["means"]))
                    row["change_low"], row["change_high"] = 100 * (diff - half) / first["mean"], 100 * (diff + half) / first["mean"]
                    row["verdict"] = "same" if diff - half <= 0 <= diff + half else "slower" if diff > 0 else "faster"
            else:
                terms, means = None, None
            if first is None:
                first = {"mean": row.get("mean"), "terms": terms, "means": means}
            elif own and first["mean"] is not None:
                row["diff"], row["change"] = mean - first["mean"], 100 * (mean - first["mean"]) / first["mean"]
            if own and first["mean"]:
                row["ratio"] = mean / first["mean"]
            answer.append(row)
    return answer


def differ(told, wanted):
    wrong = [] if len(told) == len(wanted) else [(len(told), len(wanted))]
    for t, w in zip(told, wanted):
        for name, v in t.items():
            if name == "sd":
                continue
            want = w.get(name, "" if name == "verdict" else None)
            if v != want and (isinstance(v, str) or want is None or not near(v, want, 0.51 + 1e-7 * abs(want) if name != "ratio" else 1e-6)):
                wrong.append((t["build"], t["stratum"], name, v, want))
    return wrong


# ---- the files

def write(path, spans, cut=False):
    text = json.dumps({"traceEvents": [{"name": n, "ph": "X", "ts": 100 + i * 1000000, "dur": ns / 1000, "pid": 1, "tid": 1} for i, (n, ns) in enumerate(spans)]})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text[:len(text) // 2] if cut else text)


def starts(folder):
    """Builds 1.2, 1.9 and 1.10; the share of the slow process differs, 1.10 is slower within each.  One group has one file."""
    r = random.Random(11)
    files = []
    for build, many, by in (("1.2", (9, 3), 1.0), ("1.9", (4, 8), 1.0), ("1.10", (7, 6), 1.15)):
        for process, n, usual in (("main", many[0], 80e6), ("remote", many[1], 300e6)):
            for i in range(n):
                ns = int(r.gauss(usual * by, usual * 0.02)) // 1000 * 1000
                device = "pixel" if i % 2 else "nokia"
                path = folder / build / device / ("%s-%d.trace" % (process, i))
                write(path, [("activityStart", ns), ("other", 5000)] if i != 2 else [("other", 5000)])
                files.append((build, process, device, ns if i != 2 else None, path))
    path = folder / "1.2" / "nokia" / "alone-0.trace"
    write(path, [("activityStart", 70000000)])
    return files + [("1.2", "alone", "nokia", 70000000, path)]


folder = SCRATCH / "starts"
files = starts(folder)
named = ("--name-pattern", PATTERN, "--of", "span activityStart", folder)
told = rows(*named)
check("means, medians, intervals, differences: as the model", differ(told, model([(b, "", v) for b, _, _, v, _ in files], False)))
check("the intervals of the two methods are near each other", [t for t in told if not near(t["low"], t["boot_low"], 0.35 * (t["mean"] - t["low"]))])
check("builds in the order of their numbers", [t["build"] for t in told] != ["1.2", "1.9", "1.10"] and told)
plain = [(b, "", v) for b, _, _, v, _ in files]
for base, args in (("1.9", ("--base", "1.9", *named)), ("1.10", ("--base", "starts/1.10/", *named)),
                   ("1.10", (*named[:-1], folder / "1.10", folder / "1.2/", folder / "1.9")), ("1.9", ("--base", "1.9", *named[:-1], folder / "1.10", folder / "1.9", folder / "1.2"))):
    check("the base is %s: %s" % (base, " ".join(args[:2])), differ(rows(*args), model(plain, False, base)))
check("strata: as the model, with another base", differ(rows("--strata", "process", "--base", "1.10", *named), model([(b, p, v) for b, p, _, v, _ in files], True, "1.10")))
check("the head names value, clock and base", "icecore: span activityStart by build, wall clock; differences from 1.9\n" not in compare("--base", "1.9", *named).stderr)
p = compare("--base", "1.01", *named)
check("a base that no path has", p.returncode != 2 or p.stdout, "--base: no file is of build '1.01'; did you mean '1.10'?\n" not in p.stderr and p.stderr)
p = compare("--of", "span x", "strats")
check("a directory that is misspelt", p.returncode != 4 or p.stdout, p.stderr.count("did you mean 'starts'?\n") != 1 and p.stderr)
check("a changed mix looks like a change", told[1]["ratio"] < 1.3 and told)
again = compare("-o", "json", *named)
check("the same bytes each time, also with one job", again.stdout != compare("-o", "json", "--jobs", 1, *named).stdout)
missing = sorted(str(p.relative_to(SCRATCH)) for *_, v, p in files if v is None)
lost = [line.split(": ")[2] for line in again.stderr.splitlines() if line.startswith("icecore: omitted: ")]
check("the first file without the span is named, and how many there are", [p.partition("/starts/")[2] for p in lost] != ["%s and %d more" % (missing[0][len("starts/"):], len(missing) - 1)] and (lost, missing),
      "%d files: %d measured, %d omitted" % (len(files), len(files) - len(missing), len(missing)) not in again.stderr and again.stderr)

by_process = rows("--strata", "process", *named)
check("strata: as the model", differ(by_process, model([(b, p, v) for b, p, _, v, _ in files], True)))
found = {(t["build"], t["stratum"]): t["verdict"] for t in by_process}
check("within processes only 1.10 is slower", (found["1.9", "all"], found["1.10", "all"]) != ("same", "slower") and found)
p = compare("--strata", "process", *named)
check("a stratum that not all builds have is named", "not in the mean: alone of 1.2: 1 file" not in p.stderr and p.stderr)
both = rows("--strata", "process,device", *named)
check("strata by process and device", differ(both, model([(b, p + " " + d, v) for b, p, d, v, _ in files], True)),
      "main nokia" not in {t["stratum"] for t in both} and both)
devices = rows("--by", "device", *named)
check("--by device", [t["device"] for t in devices] != ["nokia", "pixel"] and devices,
      not near(devices[0]["mean"], statistics.mean(v for *_, d, v, _ in files if d == "nokia" and v is not None), 1) and devices)

# ---- pictures

def rects(svg):
    """For each bar: left end and right end of the bar, then of the lines of its error bars."""
    tree, found = ET.fromstring(svg), []
    for g in tree.iter("{http://www.w3.org/2000/svg}g"):
        boxes = [(float(r.get("x")), float(r.get("x")) + float(r.get("width"))) for r in g]
        found.append(boxes if g.get("class") == "h2" else boxes[::3])
    return [a + b for a, b in zip(found[::2], found[1::2])]


p = compare("-o", "svg", *named)
drawn = rects(p.stdout)
ranges = [[(0, t["mean"]), (t["low"], t["high"]), (t["boot_low"], t["boot_high"])] for t in rows(*named)]
scale = (drawn[0][0][1] - drawn[0][0][0]) / ranges[0][0][1]
zero = drawn[0][0][0]
check("the picture: bars and error bars in proportion", len(drawn) != 3 and drawn,
      [(d, r) for ds, rs in zip(drawn, ranges) for d, r in zip(ds, rs) if not (near(d[0], zero + scale * r[0], 2.5) and near(d[1], zero + scale * r[1], 2.5))])
page = compare("-o", "html", "--strata", "process", *named).stdout
inner = re.search(r"<svg .*?</svg>", page, re.S)
check("the page: the same picture of the strata, and the table", not inner and page, len(rects(inner.group())) != len(by_process) and inner.group(),
      len(re.findall("<tr><td", page)) != len(by_process) and page, "<script src" in page or "http-equiv" not in page)
ids = re.findall(r' id="([^"]*)"', page)
check("ids of the page are unique", len(ids) != len(set(ids)) and ids)
write(SCRATCH / "evil" / "<b>&\x1b[31m" / "a.trace", [("<i>", 5000)])
write(SCRATCH / "evil" / "<b>&\x1b[31m" / "b.trace", [("<i>", 6000)])
evil = compare("-o", "svg", "--of", "span <i>", "evil").stdout
check("names cannot mark up a picture", "\x1b" in evil, len(rects(evil)) != 1, "<b>" in evil or "<i>" in evil)

# ---- other values, other files

folder = SCRATCH / "others"
for build in "a", "b":
    for i in range(3):
        write(folder / build / ("%d.trace" % i), [("load", 1000000 * (i + 1)), ("load", 3000000), ("it's \\odd", 7000)])
cases = {"span load": 2500000, "method load": 5000000, "span /^loa/": 2500000, "method it's \\odd": 7000, "fact elapsed": None, "query spans | count": 3}
for of, want in cases.items():
    told = rows("--of", of, folder)
    check("--of " + of, len(told) != 2 and told, [t for t in told if t["n"] != 3 or (want and t["mean"] != want)])
# A task sleeps twice inside its section "load": 2 ms, and 3 ms more in each file.
for build in "a", "b":
    (SCRATCH / "waits" / build).mkdir(parents=True)
    for i in range(3):
        now, lines = 100.0, []
        lines.append("worker-7 [000] d..2 %.6f: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=worker next_pid=7 next_prio=120" % now)
        lines.append("worker-7 [000] d..2 %.6f: tracing_mark_write: B|7|load" % (now + 0.001))
        for ms in (2, 3 * (i + 1)):
            now += 0.002
            lines.append("worker-7 [000] d..2 %.6f: sched_switch: prev_comm=worker prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120" % now)
            now += ms / 1000
            lines.append("<idle>-0 [000] d..2 %.6f: sched_waking: comm=worker pid=7 prio=120 target_cpu=000" % now)
            lines.append("<idle>-0 [000] d..2 %.6f: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=worker next_pid=7 next_prio=120" % now)
        lines.append("worker-7 [000] d..2 %.6f: tracing_mark_write: E|7" % (now + 0.001))
        (SCRATCH / "waits" / build / ("%d.txt" % i)).write_text("# tracer: nop\n" + "".join(" %s\n" % line for line in lines))
told = rows("--of", "wait load", "waits")
check("--of wait load", len(told) != 2 and told, [t for t in told if t["n"] != 3 or t["mean"] != 8000000])
shutil.copy(SRC / "demo/demo.hprof.gz", folder / "b")
(folder / "b/garbage.trace").write_bytes(bytes(range(256)) * 20)
(folder / "b/empty.trace").write_text("")
shutil.copy(folder / "a/0.trace", SCRATCH / "stray.trace")
p = compare("--of", "span load", "-o", "tsv", folder, "stray.trace")
wrong = [w for w in ("demo.hprof.gz: 'spans' works", "garbage.trace: unreadable", "empty.trace: empty", "stray.trace: its path does not match", "10 files: 6 measured, 4 omitted")
         if w not in p.stderr]
check("files of other kinds, damaged and stray ones are named", wrong and (wrong, p.stderr), p.returncode and p)
by_name = {r["build"]: r for r in rows("--of", "span load", folder, "stray.trace")}
check("a file without a build is not the base", by_name["b"]["ratio"] != 1 and by_name)
for i, clock in enumerate(("wall", "wall", "thread-cpu")):
    (SCRATCH / "clocks" / "ab"[i % 2]).mkdir(parents=True, exist_ok=True)
    subprocess.run([BUILD / "tests/mk/gentrace", "-n", "300", "-c", clock, "-o", SCRATCH / "clocks" / "ab"[i % 2] / ("%d.trace" % i)], check=True)
p = compare("--of", "method /./", "clocks")
check("times by another clock are omitted", "2.trace: its value is by the cpu clock, that of files before it by the wall clock" not in p.stderr and p.stderr,
      "method /./ by build, wall clock; differences from a" not in p.stderr and p.stderr)
# CPU time alone, whichever row of the names finds the method; numbers that are no times have no clock.
sub = subprocess.run([ICECORE, "--no-index", "-e", "methods | top 1 calls | select method name", "-o", "json", SCRATCH / "clocks/a/2.trace"], capture_output=True, text=True)
method = json.loads(sub.stdout)
for build in "a", "b":
    (SCRATCH / "cpu" / build).mkdir(parents=True)
    shutil.copy(SCRATCH / "clocks/a/2.trace", SCRATCH / "cpu" / build)
    (SCRATCH / "counts" / build).mkdir(parents=True)
    (SCRATCH / "counts" / build / "p.folded").write_text("main;work 5\nmain;rest 2\n")
for of, where, clock in (("method " + method["method"], "cpu", ", cpu clock"), ("method " + method["name"], "cpu", ", cpu clock"), ("span " + method["method"], "cpu", ", cpu clock"),
                         ("method work", "counts", ""), ("fact elapsed", "cpu", ""), ("query methods | count", "cpu", "")):
    p = compare("--of", of, where)
    check("clock of %s: '%s'" % (of.split()[0], clock), "icecore: %s by build%s; differences from a\n" % (of, clock) not in p.stderr and p.stderr)
for build in "old", "new":
    for i in range(2):
        write(SCRATCH / "bare" / build / ("%d.trace" % i), [("com.example.Shop.load", 1000000 + 2 * i), ("com.example.Shop.reload", 5)])
bare = ("bare/old", "bare/new")
check("a name without a dot is the last part of longer ones", [t["mean"] for t in rows("--of", "span load", *bare)] != [1000001] * 2 and rows("--of", "span load", *bare))
p = compare("--of", "span laod", *bare)
check("one line for files that lack the same", "omitted: bare/new/0.trace and 3 more: has no number for span laod; did you mean 'load'?" not in p.stderr and p.stderr,
      "com.example.Shop.load'" not in compare("--of", "span com.example.Shop.laod", *bare).stderr)
p = compare("--of", "span load", "--base", "olld", *bare)
check("a build is proposed once", "did you mean 'old'?" not in p.stderr and p.stderr)
p = compare("--of", "span nothing", "-o", "json", folder)
check("no file has it: rows without numbers, status 1", p.returncode != 1 and p, [line for line in p.stdout.splitlines() if json.loads(line)["n"] != 0])
whole = subprocess.run(["gzip", "-dc", SRC / "demo/demo.trace.gz"], stdout=subprocess.PIPE, check=True).stdout
(SCRATCH / "cut").mkdir()
(SCRATCH / "cut/cut.trace").write_bytes(whole[:-100001])
p = compare("--of", "fact elapsed", "cut")
check("a damaged file has no value", "cut.trace: damaged" not in p.stderr and p.stderr, p.returncode != 1 and p)
for args, why in ((("--base", "x", "--of", "span x"), "no files given"), (("x",), "needs --of"), (("--of", "spam x", "x"), "is not span, method"), (("--of", "span x"), "no files given"),
                  (("--of", "query spans |", "x"), "stage"), (("--of", "query objects | export 'y'", "x"), ""), (("--of", "span x", "--strata", "process", "x"), "--name-pattern"),
                  (("--of", "span x", "--strata", "build", "--name-pattern", "{build}/{any}", "x"), "both"), (("--of", "span x", "--strata", "word", "x"), "not app")):
    p = compare(*args)
    check("refused: " + " ".join(args), p.returncode != 2 and p, why not in p.stderr and p.stderr)
tap.plan()
