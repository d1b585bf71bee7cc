# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""v8check.py BUILD SCRATCH - heap snapshots of V8 against the slow model v8model.py, as TAP.

Random snapshots of mkv8.py, whole, damaged and cut at many bytes.  corpus.py calls check_corpus: real snapshots against tables that
DevTools confirmed.
"""
import fnmatch
import glob
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import mkv8  # noqa: E402
import mkv8leaks  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402
from v8model import Model, Refused, salvage  # noqa: E402

QUICK = ("--no-index", "--quiet")
OBJECTS = "objects | select addr class shallow retained dominator distance detached id"
CLASSES = "classes | select name live shallow retained distance"
STATES = {"": 0, "attached": 1, "detached": 2}
FEW = 6
PLANTED = ("accumulation", "SessionStore.sessions holds * 1 500 Session in a Map*")


def objects_of(answer, root=None):
    """id, class, shallow, retained, dominator's id, distance, state: the root holds all that no object dominates."""
    rows = answer.tables()[0].rows
    ids = {r["id"]: int(r["addr"], 16) for r in rows}
    root = int(rows[0]["addr"], 16) if root is None else root
    whole = sum(int(r["retained"]) for r in rows if not r["dominator"])
    return [(ids[r["id"]], r["class"], int(r["shallow"]), whole if ids[r["id"]] == root else int(r["retained"]),
             ids.get(r["dominator"], root), int(r["distance"]) if r["distance"] else None, STATES[r["detached"]]) for r in rows]


def classes_of(answer):
    return {r["name"]: (int(r["live"]), int(r["shallow"]), int(r["retained"]), int(r["distance"] or -5))
            for r in answer.tables()[0].rows if r["live"] != "0"}


def differ(got, want):
    if isinstance(want, dict):
        return ["%s: %s, not %s" % (k, got.get(k), want.get(k)) for k in sorted({*got, *want}) if got.get(k) != want.get(k)][:FEW]
    return ["%s, not %s" % pair for pair in zip(got, want) if pair[0] != pair[1]][:FEW] + (
        ["%d objects, not %d" % (len(got), len(want))] if len(got) != len(want) else [])


def shown(s):
    """As cells show it."""
    return answers.fit(s)


def compare(program, path, doc, codes):
    wrong = []
    for sizes in ("vm", "mat"):
        m = Model(doc, sizes)
        a = program.ask(path, OBJECTS, options=(*QUICK, "--sizes", sizes))
        b = program.ask(path, CLASSES, options=(*QUICK, "--sizes", sizes))
        if a.code not in codes or b.code not in codes:
            return ["status %d, %d: %s" % (a.code, b.code, a.err.strip())]
        want = [(i, shown(c), s, r, d, f, st if st in (1, 2) else 0) for i, c, s, r, d, f, st in m.objects()]
        wrong += [sizes + ": " + w for w in differ(objects_of(a, m.id[m.root]), want)]
        wrong += [sizes + ": " + w for w in differ(classes_of(b), {shown(k): r for k, r in m.table().items()})]
    return wrong


def compare_rest(program, path, doc):
    """References, texts, paths."""
    m = Model(doc)
    a = program.ask(path, "objects | refs | select owner name object strength", "objects | select id addr", "strings | select object value",
                    "objects | path | group target : max depth as depth", options=QUICK)
    refs, objects, texts, paths = (t.rows for t in a.tables())
    ids = {r["id"]: int(r["addr"], 16) for r in objects}
    wrong = differ([(ids[r["owner"]], r["name"], ids[r["object"]], r["strength"]) for r in refs],
                   [(a, shown(name), b, s) for a, name, b, s in m.references()])
    got, want = {ids[r["object"]]: r["value"] for r in texts}, m.texts()
    wrong += differ({i: got.get(i) for i in want}, {i: shown(t) for i, t in want.items()})
    return wrong + differ({ids[r["target"]]: int(r["depth"]) for r in paths}, m.steps())


def write(path, text):
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


def check_random(program, scratch, seeds, damage):
    path, wrong = os.path.join(scratch, "random.heapsnapshot"), []
    for seed in seeds:
        text = mkv8.random_text(seed, damage)
        write(path, text if seed % 5 else gzip.compress(text.encode()))
        wrong += ["seed %d: %s" % (seed, w) for w in compare(program, path, json.loads(text), (0, 3) if damage else (0,))]
        if not damage:
            wrong += ["seed %d: %s" % (seed, w) for w in compare_rest(program, path, json.loads(text))]
    return wrong


def check_cuts(program, scratch, seed):
    """Cut at a byte, a snapshot has its whole rows; without its header it is refused."""
    text, path, wrong = mkv8.random_text(seed).encode(), os.path.join(scratch, "cut.heapsnapshot"), []
    for at in sampled.sampled(range(len(text))):
        write(path, text[:at])
        try:
            doc = salvage(text[:at].decode("utf-8", "ignore"))
        except Refused:
            doc = {"nodes": []}
        if len(doc["nodes"]) >= 5 and Model(doc).n > 0:
            wrong += ["byte %d: %s" % (at, w) for w in compare(program, path, doc, (3,) if b"}" not in text[at - 1:at] else (0, 3))]
        elif (code := program.ask(path, "info", options=QUICK).code) != 5:
            wrong.append("byte %d: status %d" % (at, code))
    return wrong


# ---- findings --------------------------------------------------------------------------------------


def first_finding(program, path, want):
    """want: kind and a pattern of the reason, or None: there is none."""
    a = program.ask(path, "findings | select kind why", options=QUICK)
    rows = a.tables()[0].rows if a.code == 0 else []
    if want is None and a.code == 1 and "No accumulation point" in a.err:
        return []
    if a.code != 0 or want is None or not rows:
        return ["status %d, %s" % (a.code, [r["why"] for r in rows] or a.err.strip())]
    return [] if rows[0]["kind"] == want[0] and fnmatch.fnmatchcase(rows[0]["why"], want[1].replace("[", "[[]")) else [
        "%s: %s, not %s: %s" % (rows[0]["kind"], rows[0]["why"], *want)]


def check_leaks(program, scratch):
    path, wrong = os.path.join(scratch, "leak.heapsnapshot"), []
    for name, want in mkv8leaks.CASES.items():
        write(path, mkv8leaks.leak_text(name))
        wrong += [name + ": " + w for w in first_finding(program, path, want)]
    return wrong


def check_node(program, scratch, source):
    """A program whose second line says what the first finding is."""
    path = os.path.join(scratch, "node.heapsnapshot")
    subprocess.run(["node", "--expose-gc", source, path], check=True, timeout=300, stdin=subprocess.DEVNULL)
    with open(source, encoding="utf-8") as f:
        kind, _, why = f.read().split("\n")[1][3:].partition(": ")
    return first_finding(program, path, None if kind == "nothing" else (kind, why))


# ---- real snapshots ------------------------------------------------------------------------------


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f]


def check_tables(program, path, tables):
    wrong = []
    for name in sorted(glob.glob(tables + ".classes*.tsv")):
        sizes = "mat" if "file-sizes" in name else "vm"
        got = classes_of(program.ask(path, CLASSES, options=(*QUICK, "--sizes", sizes)))
        rows = lines_of(name)
        for text, place, *numbers in rows:
            several = sum(r[0] == text for r in rows) > 1 or text not in got
            text = text + " " + place if several and place != "-" else text
            if got.pop(text, None) != tuple(map(int, numbers)):
                wrong.append("%s: %s is not %s" % (sizes, text, numbers))
        if sizes == "vm":
            wrong += ["class %s, not expected" % (k,) for k in got]
    got = {r[0]: r for r in objects_of(program.ask(path, OBJECTS, options=QUICK))}
    for r in lines_of(tables + ".objects.tsv"):
        want = (*map(int, r[3:6]), None if r[6] == "-5" else int(r[6]), int(r[7]))
        if got[int(r[0])][2:] != want:
            wrong.append("@%s: %s, not %s" % (r[0], got[int(r[0])][2:], want))
    return wrong[:FEW]


def check_hash(program, path, want):
    rows = objects_of(program.ask(path, OBJECTS, options=QUICK))
    lines = sorted("%d\t%d\t%d\t%d" % (i, s, r, d) for i, _, s, r, d, _, _ in rows)
    return [] if hashlib.sha256("\n".join(lines).encode()).hexdigest() == want or \
        hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest() == want else ["sizes and dominators of all objects differ"]


def check_corpus(tap, program, folder):
    for path in sorted(glob.glob(os.path.join(folder, "data", "*.heapsnapshot.gz")) + glob.glob(os.path.join(folder, "data", "odd", "*"))):
        name = os.path.basename(path).split(".")[0]
        tables = os.path.join(folder, "expected", ("odd-" if "/odd/" in path else "") + name)
        if os.path.exists(tables + ".objects.tsv"):
            attempt(tap, "V8: %s: tables" % name, check_tables, program, path, tables)
    summary = os.path.join(folder, "expected", "summary.tsv")
    for r in lines_of(summary)[1:] if os.path.exists(summary) else []:
        path = os.path.join(folder, "data", r[0] + ".heapsnapshot.gz")
        if os.path.exists(path):
            attempt(tap, "V8: %s: all objects" % r[0], check_hash, program, path, r[-1])
            if r[0].startswith("leaks"):
                attempt(tap, "V8: %s: first finding" % r[0], first_finding, program, path, PLANTED)


def check_programs(tap, program, scratch):
    for source in sorted(glob.glob(os.path.join(HERE, "..", "leaks", "node", "*.js"))):
        name = os.path.basename(source)
        if not shutil.which("node"):
            tap.ok("program of Node.js: %s # SKIP no node" % name, [])
        elif name != "write.js":
            attempt(tap, "program of Node.js: " + name, check_node, program, scratch, source)
    tap.end()


def main(argv):
    build, scratch, *what = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    if what == ["node"]:
        return check_programs(tap, program, scratch)
    sampled.tell()
    attempt(tap, "random snapshots", check_random, program, scratch, sorted({*range(20), *sampled.seeds(20)}), False)
    attempt(tap, "damaged snapshots", check_random, program, scratch, sampled.seeds(20), True)
    for seed in (2, 3):
        attempt(tap, "cut at many bytes, seed %d" % seed, check_cuts, program, scratch, seed)
    attempt(tap, "first findings", check_leaks, program, scratch)
    tap.end()


if __name__ == "__main__":
    main(sys.argv)
