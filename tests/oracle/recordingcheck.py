#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""recordingcheck.py BUILD SCRATCH [DUMP RECORDING...] - heap dumps with recordings beside them, as TAP.

The join once more, slowly: events as slowjfr.py reads them, summed in dictionaries by class and site.  With files: only these.
"""
import collections
import gzip
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import recorded  # noqa: E402
import sampled  # noqa: E402
import slowjfr as oracle  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 40
SAMPLE, BUFFERS, OLD = "jdk.ObjectAllocationSample", ("jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB"), "jdk.OldObjectSample"
JAVA = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
CLASSES = "classes | select name alloc_bytes alloc_rate alloc_samples old_objects alloc_site old_site"
SITES = "allocations | select class site alloc_bytes samples old_objects"


def kinds_of(c, e):
    """(name, whether it is a method of Java) of each frame, the innermost first."""
    s, ap = oracle.stack_of(c, e), oracle.kernel_names(c)
    if s is None:
        return [(x, False) for x in oracle.frames_of(c, e)]
    out = []
    for f in s.get("frames") or []:
        name, kind = oracle.frame_name(c, f, ap), oracle.frame_type(c, f)
        out.append((name, name != "[unknown]" and kind not in ("C++", "Kernel") and not (kind == "Native" and ap)))
    return out + ([("[truncated]", False)] if s.get("truncated") else [])


def site_of(c, e):
    frames = kinds_of(c, e)
    java = [n for n, is_java in frames if is_java]
    own = [n for n in java if not n.startswith(JAVA)]
    return (own or java or [n for n, _ in frames] or [""])[0]


def read(path, into):
    """(class, site) -> bytes, samples, old objects; how long it took."""
    f = oracle.load(path)
    events = oracle.profile(f)
    counts = (SAMPLE,) if any(n == SAMPLE for _, _, _, n in events) else BUFFERS
    for c, t, e, n in events:
        name = oracle.class_of(c, e["objectClass"]) if n in counts and oracle.frames_of(c, e) else None
        if name:
            row = into[name, site_of(c, e)]
            row[0] += oracle.weight_of(f, c, t, e, n)
            row[1] += 1
    for c, _, e, n in f.all:
        old = c.get(e.get("object")) if n == OLD else None
        name = oracle.class_of(c, old.get("type")) if isinstance(old, dict) else None
        if name:
            into[name, site_of(c, e)][2] += 1
    return f.elapsed


def ask(program, query, files, options=()):
    a = program.run(["--no-index", "-o", "tsv", *options, "-e", query, *files])
    if a.code not in (0, 1, 3):
        raise ValueError("%s: status %d: %s" % (query, a.code, a.err.strip()))
    return [line.split("\t") for line in a.out.split("\n")[1:] if line]


def number(n):
    return str(n) if n else ""


def check_sites(want, rows):
    got = collections.Counter((r[0], r[1], int(r[2]), int(r[3]), int(r[4])) for r in rows)
    all_of = collections.Counter((answers.fit(k[0]), answers.fit(k[1]), *v) for k, v in want.items())
    totals = collections.Counter()
    for r in rows:
        totals[r[0]] += int(r[2])
    order = [totals[r[0]] for r in rows]
    return answers.differences("allocations", all_of, got) + ([] if order == sorted(order, reverse=True) else ["classes are not by their bytes"])


def check_class(row, sites, elapsed):
    """A row of `classes` against the sites of its name."""
    name, made, rate, samples, old, site, old_site = row
    sums = [sum(v[i] for v in sites.values()) for i in range(3)]
    want = [number(sums[0]), str(sums[0] * 1000000000 // elapsed) if sums[0] and elapsed else "", number(sums[1]), number(sums[2])]
    bad = [] if want == [made, rate, samples, old] else ["%s: %r, not %r" % (name, [made, rate, samples, old], want)]
    most, oldest = max([v[0] for v in sites.values()], default=0), max([v[2] for v in sites.values()], default=0)
    if sites and (most if made else 0) != max([v[0] for s, v in sites.items() if answers.fit(s) == site], default=-1):
        bad.append("%s: alloc_site is %r" % (name, site))
    if (oldest == 0 and old_site) or (oldest and oldest != max([v[2] for s, v in sites.items() if answers.fit(s) == old_site], default=-1)):
        bad.append("%s: old_site is %r" % (name, old_site))
    return bad


def name_of(row):
    """The name of a class of the dump as in a recording."""
    plain = row.rstrip("[]")
    return answers.fit(oracle.class_name(plain) + row[len(plain):])


def check_files(program, dump, recordings):
    want = collections.defaultdict(lambda: [0, 0, 0])
    elapsed = sum(read(path, want) for path in recordings)
    by_class = collections.defaultdict(dict)
    for (name, site), v in want.items():
        by_class[answers.fit(name)][site] = v
    files = [dump, *recordings]
    if not want and not ask(program, "info | where field = recording.elapsed", files):
        return []
    bad = check_sites(want, ask(program, SITES, files))
    rows = ask(program, CLASSES, files)
    for row in rows:
        bad += check_class(row, by_class.get(name_of(row[0]), {}), elapsed)
    if sorted(r[0] for r in rows) != sorted(r[0] for r in ask(program, "classes | select name", [dump])):
        bad.append("other classes than without the recording")
    return bad + check_order(program, files, rows)


def check_order(program, files, rows):
    """Which file comes first does not matter, and --file N gives the recording itself."""
    bad = [] if ask(program, CLASSES, files[1:] + files[:1]) == rows else ["another answer in another order"]
    alone = ask(program, "events", files[1:2])
    return bad + ([] if ask(program, "events", files, ("--file", "2")) == alone else ["--file 2 is another recording"])


def check_seed(program, scratch, seed):
    dump, recordings = recorded.mixture(random.Random(seed)) if seed else recorded.story()
    paths = []
    for i, data in enumerate([dump, *recordings]):
        paths.append(os.path.join(scratch, "%d.%d" % (seed, i)))
        with open(paths[-1], "wb") as f:
            f.write(gzip.compress(data) if seed % 5 == 4 else data)
    if seed % 5 != 4:
        return check_files(program, paths[0], paths[1:]) + check_files(program, paths[0], paths[1:2])
    return check_packed(program, paths, [dump, *recordings], scratch)


def check_packed(program, paths, plain, scratch):
    """Packed files say what plain ones say."""
    names = []
    for i, data in enumerate(plain):
        names.append(os.path.join(scratch, "plain.%d" % i))
        with open(names[-1], "wb") as f:
            f.write(data)
    bad = check_files(program, names[0], names[1:])
    return bad if bad or ask(program, "allocations", names) == ask(program, "allocations", paths) else ["another answer of packed files"]


def check_index(program, scratch):
    """The index of a dump does not store the values that a recording adds: another recording adds other values."""
    dump, recordings = recorded.story()
    other = recorded.mixture(random.Random(3))[1]
    paths = [os.path.join(scratch, n) for n in ("kept.hprof", "one.jfr", "other.jfr")]
    for path, data in zip(paths, (dump, recordings[0], other[0])):
        with open(path, "wb") as f:
            f.write(data)
    bad = []
    for files in (paths[:2], [paths[0], paths[2]], paths[:2]):
        a = program.run(["-o", "tsv", "-e", CLASSES, *files])
        if [line.split("\t") for line in a.out.split("\n")[1:] if line] != ask(program, CLASSES, files):
            bad.append("another answer with an index: " + os.path.basename(files[1]))
    a = program.run(["-e", "classes | select alloc_bytes", paths[0]])
    return bad + ([] if a.code == 2 and "'alloc_bytes' needs a recording: icecore DUMP.hprof REC.jfr" in a.err else ["without one: " + a.err])


def main(argv):
    build, scratch = argv[1:3]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    if argv[3:]:
        attempt(tap, os.path.basename(argv[3]), check_files, program, argv[3], argv[4:])
        tap.end()
        return 0
    for seed in sampled.seeds(SEEDS):
        attempt(tap, "a dump and recordings of seed %d" % seed, check_seed, program, scratch, seed)
    attempt(tap, "an index", check_index, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
