# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""workcheck.py BUILD SCRATCH - twice as many things are twice the work, as TAP: instructions are counted, by valgrind, and no seconds.
Readers of frames are also counted against the bytes that they read.

scaling.py measures seconds, so it must leave room for a busy machine, and looks at large files only.  A count is the same each time: small
files show which growth it is.  Each case is a shape and what is asked about N of its things, and about 2 N.  The work for a few things is
subtracted.  The growth is at most MOST, or somewhat more than that of the answer.

WORK_CASES=TEXT: cases whose names contain it.  WORK_SHOW=1: all counts.
"""
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk"))

import graphs
import sampled
import shapes
import tap

MOST = 3.0              # for twice as much: 2 is linear, 4 a square
BESIDE = 1.4            # times the growth of the answer, where that is more
EACH = 100              # instructions for a byte of frames that were seen before
FEW = 8                 # a part of N, for the work that any file costs
SHOW = os.environ.get("WORK_SHOW") == "1"

REPORT, PAGE = ("--report", "--no-hash"), ("page", "-o", "page.html")


def ask(*queries):
    return sum((["-e", q] for q in queries), ["-o", "tsv"])


def heap_hub(n):
    """Objects that refer to one array, which refers to as many others: each of these is reached over all of those."""
    def fill(d):
        hub = d.refs("java.lang.Object[]", [d.obj("com.example.Node", v=i) for i in range(n)])
        return d.refs("java.lang.Object[]", [d.obj("com.example.Node", next=hub, v=i) for i in range(n)])
    return shapes.heap(fill)


def sparse_keys(n):
    """JSON lines, each with a key of its own."""
    return "".join(json.dumps({"id": i, "key%d" % i: i % 7}) + "\n" for i in range(n))


def short_records(n):
    """As many columns as records, which have a field or two."""
    return ",".join("c%d" % i for i in range(n)) + "\n" + "".join("%d,%d\n" % (i, i % 7) if i % 3 else "%d\n" % i for i in range(n))


def nested_keys(n):
    """JSON lines with objects of their own keys."""
    return "".join(json.dumps({"id": i, "user%d" % (i % (n // 2 + 1)): {"name": "u%d" % i, "age": i % 90}}) + "\n" for i in range(n))


FRAME = "std::map<int, acme::Order>::at%d"
# How the formats write the first line of a thread, its frames, and the line behind them.
STACKS = {"HotSpot": ("\"worker-{t}\" #{t} prio=5 os_prio=0 tid=0x{t:x} nid=0x{t:x} runnable\n   java.lang.Thread.State: RUNNABLE",
                      "\tat com.acme.orders.Shop{k}.take(Shop.java:{k})", ""),
          "py-spy": ("Thread {t} (idle): \"worker-{t}\"", "    take{k} (acme/orders/shop.py:{k})", ""),
          "gdb": ("Thread {t} (Thread 0x7f{t:010x} (LWP {t}) \"worker\"):", "#{k}  0x{t:016x} in %s (this=0x{t:x}, x={t}) at /src/acme/orders/shop.cc:{k}" % FRAME.replace("%d", "{k}"), ""),
          "eu-stack": ("TID {t}:", "#{k}  0x{t:016x} %s - /usr/lib/libacme.so.6" % FRAME.replace("%d", "{k}"), ""),
          "Go": ("goroutine {t} [running]:", "main.(*Shop{k}).Take(0x{t:x})\n\t/src/acme/orders/shop.go:{k} +0x1d", ""),
          "perf script": ("worker {t} {t}.000001:     250000 cycles:u: ", "\t{k:16x} %s+0x4f (/usr/lib/libacme.so.6)" % FRAME.replace("%d", "{k}"), "")}
FIRST = {"HotSpot": "2026-01-06 12:00:00\nFull thread dump OpenJDK 64-Bit Server VM (21.0.1+12 mixed mode):\n\n", "py-spy": "Process 1: python3 a.py\nPython v3.11.2 (/usr/bin/python3.11)\n\n",
         "eu-stack": "PID 1 - process\n"}
DEEP = 60


def stacks(form):
    """N threads, each with the same frames."""
    head, frame, last = STACKS[form]
    return lambda n: FIRST.get(form, "") + "".join("\n".join(
        [head.format(t=t), *(frame.format(t=t, k=k) for k in range(DEEP)), last, ""]) for t in range(1000, 1000 + n))


OWN = {"heap hub": heap_hub, "sparse keys.jsonl": sparse_keys, "nested keys.jsonl": nested_keys, "short records.csv": short_records, **{form + " frames": stacks(form) for form in STACKS}}
PATHS = ask("objects | path")
HEAP = [ask("objects | referrers | count", "objects | refs | count", "objects | dominator | count"), ask("objects | retained"),
        ask("objects | merge_paths"), ask("findings", "findings | leaktrace"), REPORT, PAGE]
GRAPHS = ["heap %s, %s" % (told, kind) for told in ("arrays", "nodes all held", "weak all roots") for kind in
          ("chain", "star", "fan", "ring", "wheel", "clique")] + ["heap bucket", "heap garbage"]
# (shape, N, what is asked): the first are always checked, and some of the others.
ALWAYS = [("heap hub", 500, PATHS), ("sparse keys.jsonl", 500, REPORT), ("sparse keys.jsonl", 500, PAGE)]
OTHERS = [("heap hub", 500, asked) for asked in HEAP] + [(name, 300, asked) for name in GRAPHS for asked in [PATHS] + HEAP] + \
    [(name, 500, asked) for name in ("nested keys.jsonl", "short records.csv") for asked in (REPORT, PAGE, ask("columns"))]


class Program:
    def __init__(self, path, scratch):
        self.path, self.scratch = path, scratch

    def file(self, shape, n):
        folder = os.path.join(self.scratch, re.sub(r"\W", "_", shape), str(n))
        path = os.path.join(folder, shape.replace(" ", "_") if shape in OWN else "a")
        if os.path.exists(path):
            return path
        if shape not in OWN:
            shapes.write(shape, n, folder)
            return path
        os.makedirs(folder, exist_ok=True)
        made = OWN[shape](n)
        with open(path, "wb") as f:
            f.write(made if isinstance(made, bytes) else made.encode())
        return path

    def work(self, shape, n, asked):
        """(instructions of all its processes, bytes of the answer)"""
        path, page = self.file(shape, n), os.path.join(self.scratch, "page.html")
        if os.path.exists(page):
            os.remove(page)
        counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--vgdb=no", "--log-file=count.%p", "--cachegrind-out-file=out.%p"]
        command, *rest = asked if asked[0] == "page" else ("", *asked)
        p = subprocess.run([*counter, self.path, *([command] if command else []), "--no-sandbox", "--no-index", "--jobs", "1", *rest, path], cwd=self.scratch,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if p.returncode not in (0, 1, 3):      # 1: no findings; 3: the file is damaged
            raise ValueError("%s: status %d: %s" % (" ".join(asked), p.returncode, p.stderr.decode("utf-8", "replace")[-500:]))
        count = 0
        for log in glob.glob(os.path.join(self.scratch, "count.*")):
            with open(log, encoding="utf-8", errors="replace") as f:
                count += sum(int(n.replace(",", "")) for n in re.findall(r"I\s+refs:\s+([\d,]+)", f.read()))
            os.remove(log)
        for out in glob.glob(os.path.join(self.scratch, "out.*")):
            os.remove(out)
        return count, len(p.stdout) + (os.path.getsize(page) if os.path.exists(page) else 0)

    def grows(self, shape, n, asked):
        """The counts if they grow too much, otherwise ""."""
        (few, some_few), (once, some), (twice, more) = (self.work(shape, size, asked) for size in (max(n // FEW, 4), n, 2 * n))
        if not few:
            return "valgrind counted nothing"
        growth = (twice - few) / max(once - few, few / 100)
        most = max(MOST, BESIDE * (more - some_few) / (some - some_few) if some > 2 * some_few else 0)
        told = "%d, %d, %d instructions for %d, %d, %d: %.2f times, at most %.2f; %d, %d, %d bytes" % (
            few, once, twice, max(n // FEW, 4), n, 2 * n, growth, most, some_few, some, more)
        SHOW and print("# %s: %s: %s" % (shape, " ".join(asked), told))
        return told if growth > most else ""


    def reads(self, shape):
        """The count for a byte if it is too much, otherwise ""."""
        sizes = 600, 1000
        (once, _), (twice, _) = (self.work(shape, n, ask("info")) for n in sizes)
        small, large = (os.path.getsize(self.file(shape, n)) for n in sizes)
        told = "%.1f instructions for a byte, at most %d" % ((twice - once) / (large - small), EACH)
        SHOW and print("# %s: %s" % (shape, told))
        return told if not 0 < twice - once <= EACH * (large - small) else ""


def name_of(shape, asked):
    return "%s: %s" % (shape, "; ".join(asked[3::2]) if asked[0] == "-o" else " ".join(asked[:1]))


def main(build, scratch):
    program = Program(os.path.abspath(os.environ.get("ICECORE", os.path.join(build, "icecore"))), scratch)
    named = os.environ.get("WORK_CASES")
    cases = [c for c in ALWAYS + OTHERS if named in name_of(c[0], c[2])] if named else ALWAYS + sampled.turns(OTHERS, 5)
    for shape, n, asked in cases:
        tap.check(name_of(shape, asked), program.grows(shape, n, list(asked)))
    for shape in (form + " frames" for form in STACKS):
        if named is None or named in shape:
            tap.check("reading %s" % shape, program.reads(shape))
    tap.check("all shapes are there", [s for s, *_ in ALWAYS + OTHERS if s not in OWN and s not in shapes.SHAPES and s not in graphs.NAMES])
    tap.plan()


if __name__ == "__main__":
    main(*sys.argv[1:])
