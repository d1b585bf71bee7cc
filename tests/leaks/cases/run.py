#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""run.py - programs with a known leak (P..) and healthy ones (C..): is the first row of findings the truth?

    run.py -o DIR -j JDK17 -j JDK25 [-g=-XX:+UseZGC] [-m live|all] [-k] ICECORE [CASE ...]

Compiles the cases, runs each on the JDKs that are new enough for it, takes a dump with jcmd, and judges the findings by expected.tsv: kind,
owner, content, bytes and severity were written before any answer was seen. The sizes of all classes are compared with the histogram of the
machine. -k keeps dumps and uses those that are there.
Jars of Caffeine and Guava (com.github.ben-manes.caffeine:caffeine:3.1.8, com.google.guava:guava:33.2.1-jre) are named by CASES_CP; cases
that need them are left out without.  Those in Kotlin need KOTLIN_CP: the jars of org.jetbrains.kotlin:kotlin-compiler-embeddable:1.9.25 with
what it depends on, and org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.1; the oldest JDK compiles them. Ends with 0 when all is as expected."""
import argparse
import csv
import glob
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def major(jdk):
    text = subprocess.run([jdk + "/bin/java", "-version"], capture_output=True, text=True, check=True).stderr
    return int(re.search(r'"(\d+)', text)[1])


def compile_for(jdk, version, out):
    jars = os.environ.get("CASES_CP", "")
    files = []
    for f in sorted(glob.glob(HERE + "/*.java") + glob.glob(HERE + "/com/**/*.java", recursive=True)):
        text = open(f).read()
        known = jars or not re.search(r"import com\.(google\.common\.cache|github)", text)
        if known and (version >= 21 or "JDK 21 or later" not in text):
            files.append(f)
    where = f"{out}/classes-{version}"
    os.makedirs(where, exist_ok=True)
    subprocess.run([jdk + "/bin/javac", "-nowarn", "-Xlint:-options", "-cp", jars + ":", "-d", where] + files, check=True, stderr=subprocess.DEVNULL)
    return where + ":" + jars


def compile_kotlin(jdk, out):
    """Class path of the cases in Kotlin; empty without a compiler."""
    jars, where = os.environ.get("KOTLIN_CP", ""), f"{out}/classes-kotlin"
    if not jars:
        return ""
    os.makedirs(where, exist_ok=True)
    subprocess.run([jdk + "/bin/java", "-cp", jars, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-nowarn", "-no-stdlib", "-no-reflect", "-cp", jars,
                    "-d", where] + sorted(glob.glob(HERE + "/*.kt")), check=True, stderr=subprocess.DEVNULL)
    return f":{where}:{jars}"


def dump(jdk, cp, case, gc, mode, name):
    log = name + ".out"
    env = {k: v for k, v in os.environ.items() if k != "JAVA_TOOL_OPTIONS"}
    with open(log, "w") as to:
        java = subprocess.Popen([jdk + "/bin/java", f"-Xmx{case['heap']}m"] + gc + ["-cp", cp, case["case"]], stdout=to, stderr=to, env=env)
    try:
        for _ in range(600):
            if "READY" in open(log).read() or java.poll() is not None:
                break
            time.sleep(.1)
        if os.path.exists(name):
            os.remove(name)
        for what, to in (("GC.heap_dump", [name]), ("GC.class_histogram", [])):
            ran = subprocess.run([jdk + "/bin/jcmd", str(java.pid), what] + ["-all"] * (mode == "all") + to, capture_output=True, text=True, env=env,
                                 timeout=300, check=False)
        with open(name[:-5] + "histogram", "w") as f:
            f.write(ran.stdout)
    finally:
        java.kill()
        java.wait()
    return os.path.exists(name)


def of_machine(path):
    """{class: (objects, bytes)} of a histogram that jcmd wrote; classes of a run, whose names hold an address, are left out."""
    out = {}
    for n, size, name in re.findall(r"^ *\d+: +(\d+) +(\d+) +(\S+)", open(path).read(), re.M):
        if not re.search("0x[0-9a-f]+|^\\[", name):
            have = out.get(name, (0, 0))
            out[name] = have[0] + int(n), have[1] + int(size)
    return out


def wrong_sizes(icecore, name):
    """Classes whose instances have another size than the machine says.  Those that differ in size are compared when none came or went."""
    ask = [icecore, "--no-index", "--quiet", "-o", "tsv", "-e", "classes | where objects > 0 | select name objects shallow instance_size", name]
    got = {}
    for line in subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split("\n")[1:-1]:
        cls, objects, shallow, each = line.split("\t")
        have = got.get(cls, (0, 0))
        got[cls] = have[0] + int(objects), have[1] + int(shallow), each
    bad = []
    for cls, (n, size) in sorted(of_machine(name[:-5] + "histogram").items()):
        if cls in got and n and (got[cls][2] or got[cls][0] == n) and size * got[cls][0] != got[cls][1] * n:
            bad.append(f"{cls} {got[cls][1] / got[cls][0]:.0f} and not {size / n:.0f}")
    return ["sizes: " + ", ".join(bad)] * bool(bad)


def told(row):
    return re.sub(r" @\d+", "", "\t".join(v for k, v in row.items() if k not in ("signature", "path") and v))


def wrong_first(case, rows):
    """What is wrong with the first row, as words; nothing if it is as expected."""
    if not rows:
        return ["nothing is told"]
    row, bad = rows[0], []
    for column in ("kind", "severity"):
        want = "note" if case[column] == "silent" else case[column]
        if not re.fullmatch(want, row[column]):
            bad.append(f"{column} {row[column]}")
    for column in ("owner", "content"):
        if not re.search(case[column], told(row)):
            bad.append(column)
    size = int(row["retained"])
    if size < int(case["min"]) or case["max"] != "-" and size > int(case["max"]):
        bad.append(f"bytes {size}")
    return bad


def judge(case, rows, sum_):
    loud = [r for r in rows if r["severity"] != "note"]
    bad = [] if case["kind"] == "-" else wrong_first(case, rows)
    if case["severity"] == "silent":
        sum_["healthy"] += 1
        sum_["silent"] += not loud
        return bad + [f"{len(loud)} false alarms"] * bool(loud)
    right = [r for r in loud if r is rows[0] and not bad or case["also"] != "-" and re.search(case["also"], told(r))]
    sum_["planted"] += 1
    sum_["first"] += not bad
    sum_["loud"] += len(loud)
    sum_["right"] += len(right)
    return bad + [f"{len(loud) - len(right)} of {len(loud)} rows above note wrong"] * (len(right) < len(loud))


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("-o", default="cases.out")
    ask.add_argument("-j", action="append", required=True)
    ask.add_argument("-g", action="append", default=[])
    ask.add_argument("-m", choices=("live", "all"))
    ask.add_argument("-k", action="store_true")
    ask.add_argument("icecore")
    ask.add_argument("case", nargs="*")
    args = ask.parse_args()
    os.makedirs(args.o, exist_ok=True)
    jdks = [(j, major(j)) for j in args.j]
    kotlin = compile_kotlin(min(jdks, key=lambda j: j[1])[0], args.o)
    classes = {v: compile_for(j, v, args.o) + kotlin for j, v in jdks}
    sum_ = dict.fromkeys(("planted", "first", "loud", "right", "healthy", "silent", "odd"), 0)
    with open(HERE + "/expected.tsv") as f:
        cases = [c for c in csv.DictReader(f, delimiter="\t") if not args.case or c["case"] in args.case]
    for case in cases:
        signatures = set()
        for jdk, version in jdks:
            if version < int(case["jdk"]) or not any(os.path.exists(f"{d}/{case['case']}.class") for d in classes[version].split(":") if d):
                continue
            name = f"{args.o}/{case['case']}-{version}.hprof"
            if not (args.k and os.path.exists(name) and os.path.exists(name[:-5] + "histogram")) and not dump(jdk, classes[version], case, args.g, args.m or case["mode"], name):
                print(case["case"], version, "no dump", sep="\t")
                sum_["odd"] += 1
                continue
            mapping = ["--mapping", f"{HERE}/{case['case']}.map"] if os.path.exists(f"{HERE}/{case['case']}.map") else []
            run = subprocess.run([args.icecore, "--no-index", "-o", "tsv"] + mapping + ["-e", "findings", name], capture_output=True, text=True, check=False)
            with open(name[:-5] + "tsv", "w") as f:
                f.write(run.stdout)
            rows = list(csv.DictReader(run.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
            bad = judge(case, rows, sum_) + wrong_sizes(args.icecore, name)
            sum_["odd"] += bool(bad)
            print(case["case"], version, "; ".join(bad) or "ok", sep="\t", flush=True)
            signatures.add(rows[0]["signature"] if rows else "")
            if not args.k:
                os.remove(name)
                os.remove(name[:-5] + "histogram")
        if len(signatures) > 1 and case["severity"] != "silent":
            print(case["case"], "-", "signatures differ", *signatures, sep="\t")
            sum_["odd"] += 1
    print("first row right {first} of {planted} planted; rows above note right {right} of {loud}; silent {silent} of {healthy} healthy".format(**sum_))
    return sum_["odd"] > 0


sys.exit(main())
