# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jobs.py BUILD SCRATCH heaps|texts - --jobs N changes no answer, no message and no byte of a column of an index, as TAP.

heaps: of many segments or one, whole and damaged.  texts: what is read in parts, whole and damaged.  One text in HURT_STEP is
read by two threads as well, and its calls are made; which ones depends on TEST_DAY.
"""
import glob
import gzip
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import icx  # noqa: E402
import jobsheaps  # noqa: E402
import sampled  # noqa: E402
from tap import check, plan  # noqa: E402

DEMO = os.path.join(HERE, "..", "..", "demo")
HEAP = ["info", "dominators | head 50", "objects | sum retained", "objects | top 20 length", "referrers java.lang.Object[] | count",
        "objects | group reachable", "info"]
SAMPLES = ["info", "events", "threads", "stacks | tail 100"]
CALLS = ["calls | head 300", "methods | top 100 calls"]
TABLE = ["info", "records | group key : count sum n", "records | tail 100"]
SCHED = ["info", "tasks", "cpus", "switches | tail 300", "waits | head 300", "threads", "calls | head 100"]


class Jobs:
    def __init__(self, build, scratch):
        self.program, self.build, self.scratch = answers.Program(os.path.join(build, "icecore")), build, scratch

    def made(self, name, data):
        path = os.path.join(self.scratch, name)
        with open(path, "wb") as f:
            f.write(data)
        return path

    def run(self, program, *args):
        return subprocess.run([os.path.join(self.build, "tests/mk", program), *args], stdout=subprocess.PIPE, check=True).stdout

    def answers(self, path, jobs, queries, options):
        """The output, the columns of the index, and the files next to it."""
        index = os.path.join(self.scratch, "index")
        os.mkdir(index)
        words = [word for query in queries for word in ("-e", query)]
        a = self.program.run(["--jobs", str(jobs), "--index", index, "--no-history", *options, *words, path], timeout=600)
        out = {"answer": (a.code, a.out), "message": a.err}
        for name in os.listdir(index):
            file = os.path.join(index, name)
            if name.endswith(".icx"):
                out.update(icx.content(file))
                if icx.FACTS not in out:
                    out["no facts"] = jobs
            else:
                with open(file, "rb") as f:
                    out[name] = f.read()
        shutil.rmtree(index)
        if path.endswith(".gz"):
            out.pop(icx.FACTS)    # when it was unpacked is one
        return out

    def same(self, name, path, queries, jobs=(2, 7), options=()):
        want = self.answers(path, 1, queries, options)
        others = [(n, self.answers(path, n, queries, options)) for n in jobs]
        check(name, *("--jobs %d: another %s" % (n, what) for n, got in others for what in sorted(want.keys() | got.keys())
                      if want.get(what) != got.get(what)))

    def heaps(self):
        queries = [*HEAP[:-1], "findings", HEAP[-1]]
        for demo in ("demo", "phone"):
            packed = os.path.join(DEMO, demo + ".hprof.gz")
            with gzip.open(packed) as f:
                self.same(demo, self.made(demo + ".hprof", f.read()), queries)
        self.same("packed", shutil.copy(os.path.join(DEMO, "demo.hprof.gz"), self.scratch), queries)
        self.same("several heaps", shutil.copy(os.path.join(self.build, "tests/data/art.hprof"), self.scratch), queries)
        mesh = self.run("heapshape", "mesh", "60000")
        path = self.made("mesh.hprof", mesh)
        self.same("many segments", path, queries)
        self.same("a dump that is not there", path, queries, options=("--dump", "3"))
        for name, data in jobsheaps.of_mesh(mesh):
            self.same(name, self.made("case.hprof", data), queries)
        self.same("an instance with the address of a class", self.made("other.hprof", jobsheaps.other()), queries)
        # Findings follow from columns, and take nine tenths of the time here.
        self.same("objects in no order", self.made("strewn.hprof", jobsheaps.strewn()), HEAP)

    def texts(self):
        sampled.tell()
        subprocess.run([sys.executable, os.path.join(HERE, "..", "mk", "jobstext.py"), self.scratch], check=True)
        self.made("random.folded", self.run("genfolded", "-s", "3", "-b", "8000000", "-r", "-o", "/dev/stdout"))
        files = sorted(glob.glob(os.path.join(self.scratch, "*.folded")) + glob.glob(os.path.join(self.scratch, "*.perf")))
        for i, path in enumerate(files):
            name = os.path.basename(path)
            whole = name.startswith(("plain", "random")) or i % sampled.STEP == sampled.DAY % sampled.STEP
            self.same(name, path, SAMPLES + CALLS if whole else SAMPLES, (2, 7) if whole else (7,))
        for path in sorted(glob.glob(os.path.join(self.scratch, "*.sched"))):
            self.same(os.path.basename(path), path, SCHED)
        for path in sorted(glob.glob(os.path.join(self.scratch, "*.csv")) + glob.glob(os.path.join(self.scratch, "*.jsonl"))):
            self.same(os.path.basename(path), path, TABLE, (2, 7) if path.endswith("plain.csv") else (7,))


def main(build, scratch, kind):
    getattr(Jobs(build, scratch), kind)()
    plan()


if __name__ == "__main__":
    main(*sys.argv[1:])
