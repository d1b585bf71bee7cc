#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""newest.py BUILD [TOOL...]: the newest of each recorder against icecore, on one known program.

Each recorder is installed below BUILD/newest from its registry, or by apt-get, records known.*, and says a figure by
its own report.  icecore reads the recording and must say the same.  Speaks TAP; BUILD/newest.tsv is the table.  Nothing
is pinned: a producer that changed is a red line.  A recorder that this machine cannot have is a skip.  Where the tool
prints no such figure, a reader here counts in its file; such figures begin with "read:".  What known.* is known to do
begins with "known:".  A figure that the tool rounds may differ by half of its last digit; the column "within" says by
how much.
"""
import glob
import os
import pstats
import re
import shutil
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import HERE, Failed, Kit, Skip, best, found, leaf_sums, number, numbers, read, read_json  # noqa: E402

RECORDERS = []
CALLS = 12  # of heavy


def recorder(*tools):
    def add(f):
        RECORDERS.extend((tool, f) for tool in tools)
        return f

    return add


def known(language):
    return os.path.join(HERE, "known." + language)


# ---- Python


@recorder("py-spy")
def py_spy(kit):
    kit.version = kit.pip("py-spy")
    ways = ("raw", ("-f", "raw", "-F")), ("speedscope", ("-f", "speedscope", "-F")), ("flamegraph", ())
    for name, options in ways:
        file = kit.fresh("py-spy." + name)
        said = kit.run(kit.bin("py-spy"), "record", "-r", 100, *options, "-o", file, "--", kit.bin("python"),
                       known("py"), 1.5, both=True)
        # Samples without a frame, as of a program that starts, are in no file.
        kit.near(name + ", samples", number(found(r"Samples: (\d+)", said)), kit.samples(file), 10)
        if name == "flamegraph":
            kit.same("flamegraph, samples in its title", found(r"all \((\d+) samples", read(file)), kit.samples(file))
        if name == "raw":
            leaf, count = best(leaf_sums(read(file).splitlines()))
            kit.same("read: raw, top function", leaf, kit.top(file)[0])
            kit.same("read: raw, samples of it", count, kit.one("methods | top 1 self | select self", file))
        else:
            kit.same("known: %s, top function" % name, "heavy", kit.top(file)[0].split(" ")[0])
    process = kit.start(kit.bin("python"), known("py"), 20, ready="")
    try:
        time.sleep(1)
        file = kit.fresh("py-spy.dump")
        said = kit.run(kit.bin("py-spy"), "dump", "--pid", process.pid, to=file)
    finally:
        kit.stop(process)
    kit.same("dump, threads", len(re.findall(r"^Thread ", said, re.M)), kit.fact("samples", file))
    kit.same("dump, innermost function", found(r"^Thread .*\n +(\w+)", said),
             kit.one("methods | top 1 self | select name", file))


@recorder("viztracer")
def viztracer(kit):
    kit.version = kit.pip("viztracer")
    file = kit.fresh("viztracer.json")
    said = kit.run(kit.bin("viztracer"), "-o", file, known("py"), .5, both=True)
    names = sum(e["ph"] == "M" for e in read_json(file)["traceEvents"])
    kit.same("entries without names of threads",
             number(found(r"Total Entries: (\d+)", said)) - names, kit.one("spans | count", file))
    kit.same("known: calls of heavy", CALLS, kit.one("methods | where name ~ /^heavy / | select calls", file))
    took = sum(e["dur"] for e in read_json(file)["traceEvents"] if e["ph"] == "X" and e["name"].startswith("heavy "))
    kit.near("read: microseconds of heavy", took,
             int(kit.one("methods | where name ~ /^heavy / | select total_wall", file))/1000, .001*CALLS)


@recorder("memray")
def memray(kit):
    kit.version = kit.pip("memray")
    raw, file, stats = kit.fresh("memray.bin"), kit.fresh("memray.speedscope.json"), kit.fresh("memray.json")
    kit.run(kit.bin("memray"), "run", "-q", "-f", "-o", raw, known("py"), .2)
    kit.run(kit.bin("memray"), "stats", "--json", "-f", "-o", stats, raw)
    kit.run(kit.bin("memray"), "transform", "speedscope", "-f", "-o", file, raw)
    kit.same("transform speedscope, bytes at the peak",
             read_json(stats)["metadata"]["peak_memory"], kit.fact("total", file))
    kit.near("known: MiB in keep, and a little", 64,
             int(kit.one("methods | where name ~ keep | select total", file))/2**20, .1, "MiB")


@recorder("pyinstrument")
def pyinstrument(kit):
    kit.version = kit.pip("pyinstrument")
    program, session = kit.bin("pyinstrument"), kit.fresh("pyinstrument.pyisession")
    kit.run(program, "-r", "session", "-o", session, known("py"), 1.5)
    said = kit.run(program, "--load", session, "-r", "text", "-p", "flat=true")
    kit.same("session, samples", number(found(r"Samples: +(\d+)", said)), kit.samples(session))
    kit.near("session, seconds", found(r"Duration: ([\d.]+)", said),
             int(kit.fact("total", session))/1e9, .0005 + .01, "s")
    top = re.search(r"^([\d.]+) (\w+)  known", said, re.M)
    for renderer in ("session", "json", "speedscope", "pstats"):
        file = session if renderer == "session" else kit.fresh("pyinstrument." + renderer)
        if file != session:
            kit.run(program, "--load", session, "-r", renderer, "-o", file)
        kit.same(renderer + ", top function", top[2], kit.top(file)[0].split(" ")[0])
        kit.near(renderer + ", seconds of it", top[1],
                 int(kit.one("methods | top 1 self | select self", file))/1e9, .0005, "s")


@recorder("austin")
def austin(kit):
    kit.version = kit.pip("austin-dist")
    program = kit.bin("austin")
    try:
        kit.run(program, "--version")
    except Failed as e:
        # The wheel for another C library may start where that for this one does not.
        kit.apt("musl", "true")
        wheel = kit.fresh("austin.wheel")
        kit.install("austin-dist", kit.bin("python"), "-m", "pip", "download", "-q", "--no-deps",
                    "--only-binary=:all:", "--platform", "musllinux_1_1_" + os.uname().machine, "-d", wheel,
                    "austin-dist")
        shutil.unpack_archive(glob.glob(wheel + "/*.whl")[0], wheel, "zip")
        program = glob.glob(wheel + "/*.data/scripts/austin")[0]
        os.chmod(program, 0o755)
        try:
            kit.run(program, "--version")
        except Failed:
            raise Skip(str(e)) from None
    kit.pip("austin-python")
    raw, file = kit.fresh("austin.mojo"), kit.fresh("austin.austin")
    said = kit.run(program, "-i", 5000, "-o", raw, kit.bin("python"), known("py"), 1.5, both=True, okay=range(256))
    said = re.sub(r"\x1b\[[\d;]*m", "", said)
    kit.run(kit.bin("mojo2austin"), raw, file)
    kit.same("samples", number(found(r"Error rate[ .]+\d+/(\d+)", said)), kit.samples(file))
    top = kit.one("methods | top 1 self | select name", file)
    kit.same("known: top function", "heavy", found(r":(\w+):\d+$", top))
    lines = [line for line in read(file).splitlines() if not line.startswith("#") and " " in line]
    total = sum(int(line.split(" ")[-1]) for line in lines)
    kit.same("read: microseconds", total, int(kit.fact("total", file)) // 1000)


@recorder("cProfile")
def cprofile(kit):
    kit.version = ".".join(map(str, sys.version_info[:3]))
    file = kit.fresh("cprofile.pstats")
    kit.run(sys.executable, known("py"), 1, file)
    text = kit.fresh("cprofile.txt")
    with open(text, "w", encoding="utf-8") as to:
        pstats.Stats(file, stream=to).sort_stats("tottime").print_stats(3)
    top = re.search(r"^ +(\d+) +([\d.]+) .*\((\w+)\)$", read(text), re.M)
    kit.same("top function", top[3], kit.top(file)[0])
    kit.same("calls of it", top[1], kit.one("methods | top 1 self | select calls", file))
    kit.near("seconds of it", top[2], int(kit.one("methods | top 1 self | select self", file))/1e9, .0005, "s")


@recorder("profiling.sampling")
def tachyon(kit):
    have = (p for d in os.environ["PATH"].split(":") for p in glob.glob(d + "/python3.[0-9]*"))
    python = max((p for p in have if re.search(r"\.\d+$", p)), key=lambda p: numbers(os.path.basename(p)), default=None)
    if not python or numbers(os.path.basename(python)) < [3, 15]:
        raise Skip("no Python 3.15 or later on PATH")
    kit.version = kit.run(python, "--version").split()[1]
    file = kit.fresh("tachyon.collapsed")
    kit.run(python, "-m", "profiling.sampling", "run", "--collapsed", "-o", file, known("py"), 1.5)
    kit.same("read: samples", sum(leaf_sums(read(file).splitlines()).values()), kit.samples(file))
    kit.same("known: top function", "heavy", found(r"(heavy)", kit.top(file)[0]))


# ---- Node.js


@recorder("node")
def node(kit):
    package = "node-linux-" + ("x64" if os.uname().machine == "x86_64" else "arm64")
    program = os.path.join(kit.npm(package), "bin/node")
    kit.version = kit.run(program, "--version").strip()
    folder = kit.fresh("node")
    os.makedirs(folder)
    file = folder + "/known.cpuprofile"
    kit.run(program, "--cpu-prof", "--cpu-prof-name=" + os.path.basename(file), known("js"), 2000000, folder=folder)
    profile = read_json(file)
    names = {n["id"]: n["callFrame"]["functionName"] for n in profile["nodes"]}
    sums = {}
    # A sample lasts until the next one: the first delta is before the first, and the last one has the time to the end.
    at = [profile["startTime"]]
    for delta in profile["timeDeltas"]:
        at.append(at[-1] + delta)
    at = sorted(at[1:]) + [profile["endTime"]]
    for sample, begin, end in zip(profile["samples"], at, at[1:]):
        sums[names[sample]] = sums.get(names[sample], 0) + end - begin
    kit.same("read: --cpu-prof, samples", len(profile["samples"]), kit.samples(file))
    kit.same("read: --cpu-prof, top function", best(sums)[0], kit.top(file)[0].split(" ")[0])
    kit.near("read: --cpu-prof, ms of it", best(sums)[1]/1000,
             int(kit.one("methods | top 1 self | select self", file))/1e6, .05, "ms")

    log, file = folder + "/v8.log", folder + "/ticks.json"
    kit.run(program, "--prof", "--logfile=" + log, "--no-logfile-per-isolate", known("js"), 1000000, folder=folder)
    said = kit.run(program, "--prof-process", log, folder=folder)
    kit.run(program, "--prof-process", "--preprocess", log, folder=folder, to=file)
    kit.same("--prof, ticks", number(found(r"\((\d+) ticks", said)), kit.samples(file))
    flat = said.split("[C++]")[0].split("[Summary]")[0]
    ticks = sum(int(n) for n in re.findall(r"^ +(\d+) .*JS: .heavy ", flat, re.M))
    # Handlers of bytecodes are functions of their own here; there they are the function that they interpret.
    kit.near("--prof, ticks of heavy", ticks, kit.one("methods | where name ~ /^heavy / | select self", file), 10)

    file = folder + "/known.heapsnapshot"
    said = kit.run(program, known("js"), 10, file, folder=folder)
    kit.same("heap snapshot, objects of Leaf (queryObjects)", found(r"^(\d+)$", said),
             kit.one("classes | where name = Leaf | select objects", file))
    heap = read_json(file)
    fields = heap["snapshot"]["meta"]["node_fields"]
    size = sum(heap["nodes"][fields.index("self_size")::len(fields)])
    kit.same("read: heap snapshot, bytes", size, kit.fact("live_bytes", file))


# ---- Go


@recorder("go")
def go(kit):
    program = kit.need("go", "Go")
    folder = kit.fresh("go")
    os.makedirs(folder)
    shutil.copy(known("go"), folder)
    with open(folder + "/go.mod", "w", encoding="utf-8") as f:
        f.write("module known\n\ngo 1.21\n")
    kit.install("the newest Go", program, "get", "go@latest", folder=folder)
    kit.version = kit.run(program, "version", folder=folder).split()[2]
    kit.run(program, "build", "-o", "known", ".", folder=folder, seconds=300)
    said = kit.run(folder + "/known", folder, folder=folder)

    def pprof(file, *options):
        text = kit.run(program, "tool", "pprof", "-top", "-nodecount=5", *options, folder + "/known",
                       folder + "/" + file, folder=folder, seconds=120)
        flat = re.search(r"^ *([\d.]+)(\w+) +([\d.]+)% +[\d.]+% +\S+ +\S+ +(\S+)", text, re.M)
        return text, flat

    file = folder + "/cpu"
    text, flat = pprof("cpu")
    kit.same("cpu, top function", flat[4], kit.top(file)[0].split(" ")[0])
    kit.near("cpu, share of it", flat[3], kit.top(file)[1], .05 + .005, "%")
    total = re.search(r"Total samples = ([\d.]+)(m?s)", text)
    kit.near("cpu, seconds", float(total[1])/(1000 if total[2] == "ms" else 1),
             int(kit.fact("total", file))/1e9, .005, "s")
    raw = kit.run(program, "tool", "pprof", "-raw", folder + "/cpu", folder=folder)
    kit.same("cpu, samples", sum(int(n) for n in re.findall(r"^ +(\d+) +\d+: ", raw, re.M)), kit.samples(file))
    for name, event in (("heap.0", "inuse_space"), ("allocs.0", "alloc_space")):
        text, flat = pprof(name, "-sample_index=" + event, "-unit=kb")
        file = folder + "/" + name
        kit.same("%s, top function" % event, flat[4], kit.top(file, "--event", event)[0].split(" ")[0])
        kit.near("%s, kB of it" % event, flat[1],
                 int(kit.one("methods | top 1 self | select self", file, "--event", event))/1024, .005, "kB")
    for debug in (0, 1, 2):
        file = folder + "/goroutine.%d" % debug
        kit.same("goroutine debug=%d, goroutines" % debug,
                 said.split()[0], kit.fact("total" if debug == 0 else "samples", file))


# ---- Linux


def compiled(kit, name="known", *options):
    """The known program in C."""
    program = kit.path(name)
    kit.run(kit.need(os.environ.get("CC", "cc").split()[-1], "a C compiler"), "-O1", "-g", "-pthread",
            "-fno-omit-frame-pointer", *options, "-o", program, known("c"))
    return program


def report_of_perf(kit, perf, file):
    text = kit.run(perf, "report", "-i", file, "--stdio", "--no-children", "-g", "none")
    top = re.search(r"^ +([\d.]+)% .*\[[.k]\] (\S+)", text, re.M)
    script = kit.run(perf, "script", "-i", file)
    return top, len(re.findall(r"^\S.* cpu-clock:", script, re.M)), script


@recorder("perf")
def perf(kit):
    program = kit.apt("linux-perf", "perf")
    kit.version = kit.run(program, "--version").split()[-1]
    target, file, text = compiled(kit), kit.fresh("perf.data"), kit.fresh("perf.txt")
    try:
        kit.run(program, "record", "-q", "-F", 997, "-e", "cpu-clock", "-g", "-o", file, target, 20000000, both=True)
    except Failed as e:
        raise Skip("perf may not record here: %s" % e) from None
    top, count, script = report_of_perf(kit, program, file)
    with open(text, "w", encoding="utf-8") as to:
        to.write(script)
    for what, path in (("perf.data", file), ("perf script", text)):
        kit.same(what + ", samples", count, kit.samples(path))
        kit.same(what + ", top function", top[2], kit.top(path)[0].split(" ")[0])
        kit.near(what + ", share of it", top[1], kit.top(path)[1], .05 + .005, "%")


TRACED = """mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
mount -t debugfs nodev /sys/kernel/debug 2>/dev/null
exec "$@\""""


def traced(kit, *command):
    """The command with tracefs, in a mount namespace of its own."""
    try:
        return kit.run("unshare", "-m", "sh", "-c", TRACED, "sh", *command, both=True)
    except Failed as e:
        raise Skip("this kernel or user gives no tracepoints: %s" % e) from None


@recorder("perf sched")
def perf_sched(kit):
    program = kit.apt("linux-perf", "perf")
    kit.version = kit.run(program, "--version").split()[-1]
    file, text = kit.fresh("sched.data"), kit.fresh("sched.txt")
    traced(kit, program, "sched", "record", "-q", "-o", file, compiled(kit), 5000000)
    said = kit.run(program, "script", "-i", file, to=text)
    # Those that the recorder lost are made from other events.
    made = int(kit.fact("repair.made_switches", text) or 0)
    kit.same("sched_switch", len(re.findall(r" sched:sched_switch: ", said)),
             int(kit.one("switches | count", text)) - made)
    kit.same("sched_waking and sched_wakeup_new", len(re.findall(r" sched:sched_wak(?:ing|eup_new): ", said)),
             kit.one("wakeups | count", text))


@recorder("trace-cmd")
def trace_cmd(kit):
    program = kit.apt("trace-cmd", "trace-cmd")
    kit.version = found(r"version ([\d.]+)", kit.run(program, "--version", both=True, okay=range(256)))
    file = kit.fresh("trace.dat")
    traced(kit, program, "record", "-q", "-e", "sched_switch", "-o", file, compiled(kit), 5000000)
    kit.same("sched_switch", len(re.findall(r" sched_switch: ", kit.run(program, "report", "-i", file))),
             kit.one("switches | count", file))


@recorder("bpftrace")
def bpftrace(kit):
    program = kit.apt("bpftrace", "bpftrace")
    kit.version = kit.run(program, "--version").split()[-1]
    process = kit.start(compiled(kit), 4000000000, ready="")
    code = "profile:hz:99 /pid == %d/ { @stacks[ustack(perf)] = count(); @all = count(); }" % process.pid
    code += " interval:s:2 { exit(); }"
    try:
        for form in ("text", "json"):
            file = kit.fresh("bpftrace." + form)
            try:
                said = kit.run(program, "-f", form, "-p", process.pid, "-e", code, to=file)
            except Failed as e:
                raise Skip("bpftrace may not trace here: %s" % e) from None
            total = found(r"^@all: (\d+)" if form == "text" else r'"@all": (\d+)', said)
            kit.same(form + ", counts", total, kit.fact("total", file))
            kit.same("known: %s, top function" % form, "heavy", kit.top(file)[0].split(" ")[0])
    finally:
        kit.stop(process)


@recorder("uftrace")
def uftrace(kit):
    program = kit.apt("uftrace", "uftrace")
    kit.version = found(r"v([\d.]+)", kit.run(program, "--version"))
    folder = kit.fresh("uftrace")
    kit.run(program, "record", "-d", folder, compiled(kit, "known-pg", "-pg"), 100000, both=True)
    said = kit.run(program, "report", "-d", folder)
    row = re.search(r"^ +([\d.]+) (\w+) +[\d.]+ \w+ +(\d+) +heavy$", said, re.M)
    unit = {"us": 1000, "ms": 10**6, "s": 10**9}[row[2]]
    for name, command in (("replay", ("replay",)), ("chrome", ("dump", "--chrome"))):
        file = kit.fresh("uftrace." + name)
        kit.run(program, *command, "-d", folder, to=file)
        kit.same(name + ", calls of heavy", row[3], kit.one("methods | where name = heavy | select calls", file))
        kit.near("%s, %s of heavy" % (name, row[2]), row[1],
                 int(kit.one("methods | where name = heavy | select total_wall", file))/unit, .0005*(CALLS+1), row[2])
    file = kit.fresh("uftrace.folded")
    kit.run(program, "dump", "--flame-graph", "-d", folder, to=file)
    # Its stacks lose their callers where a thread was pre-empted, so its sums are not those of the report.
    kit.same("read: flame graph, sum", sum(leaf_sums(read(file).splitlines()).values()), kit.fact("total", file))


@recorder("valgrind")
def valgrind(kit):
    program = kit.apt("valgrind", "valgrind")
    kit.version = kit.run(program, "--version").strip().split("-")[1]
    target = compiled(kit)
    for tool, annotate in (("callgrind", "callgrind_annotate"), ("cachegrind", "cg_annotate")):
        file = kit.fresh(tool + ".out")
        more = ("--cache-sim=yes",) if tool == "cachegrind" else ()
        kit.run(program, "--tool=" + tool, "--%s-out-file=%s" % (tool, file), *more, target, 20000, both=True)
        said = kit.run(annotate, file)
        kit.same(tool + ", instructions", number(found(r"^([\d,]+) .*PROGRAM TOTALS", said)),
                 sum(int(r["self"]) for r in kit.ask("methods", file)))
        top = re.search(r"^ *([\d,]+) .*known\.c:(\w+)", said, re.M)
        kit.same(tool + ", top function", top[2], kit.top(file)[0])
        kit.same(tool + ", instructions of it", number(top[1]), kit.one("methods | top 1 self | select self", file))
    file = kit.fresh("massif.out")
    kit.run(program, "--tool=massif", "--massif-out-file=" + file, target, 1000, both=True)
    said = kit.run("ms_print", file)
    kit.same("massif, snapshots with a tree", len(found(r"Detailed snapshots: \[(.*)\]", said).split(",")),
             kit.one("events | count", file))
    peak = found(r"(\d+) \(peak\)", said)
    useful = re.search(r"^ +%s +[\d,]+ +[\d,]+ +([\d,]+) " % peak, said, re.M)[1]
    kit.same("massif, useful bytes at the peak", number(useful), kit.fact("total", file))
    kit.same("known: massif, bytes of keep", 64 << 20, kit.one("methods | where name = keep | select total", file))


@recorder("heaptrack")
def heaptrack(kit):
    program = kit.apt("heaptrack", "heaptrack")
    kit.version = kit.run(program, "--version").split()[-1]
    name = kit.path("heaptrack.known")
    for old in glob.glob(name + ".*"):
        os.remove(old)
    said = kit.run(program, "-o", name, compiled(kit), 1000, both=True)
    raw, file = glob.glob(name + ".*")[0], kit.fresh("heaptrack.folded")
    said = kit.run("heaptrack_print", "-f", raw, "-F", file)
    kit.same("allocations", number(found(r"calls to allocation functions: (\d+)", said)), kit.samples(file))
    kit.same("known: allocations of keep", 64, kit.one("methods | where name ~ /^keep/ | select total", file))


@recorder("gdb")
def gdb(kit):
    program = kit.apt("gdb", "gdb")
    kit.version = kit.run(program, "--version").split("\n")[0].split()[-1]
    process = kit.start(compiled(kit), 1000, "wait")
    try:
        file = kit.fresh("gdb.txt")
        kit.run(program, "-p", process.pid, "-batch", "-ex", "thread apply all bt", to=file)
        threads = kit.run(program, "-p", process.pid, "-batch", "-ex", "info threads")
    finally:
        kit.stop(process)
    kit.same("threads (info threads)", len(re.findall(r"^[* ] +\d+ +Thread ", threads, re.M)),
             kit.fact("samples", file))
    kit.same("known: threads in idle", 4, kit.one("methods | where name = idle | select total", file))


@recorder("clang")
def clang(kit):
    program = kit.apt("clang", "clang")
    kit.version = found(r"version ([\d.]+)", kit.run(program, "--version"))
    file = kit.fresh("clang.json")
    kit.run(program, "-O2", "-c", "-ftime-trace", "-ftime-trace-granularity=0", "-o", kit.path("clang.o"), known("c"))
    totals = [e for e in read_json(file)["traceEvents"] if e["name"].startswith("Total ")]
    most = max(totals, key=lambda e: e["args"]["count"])
    name = most["name"][len("Total "):]
    kit.same("-ftime-trace, number of " + name, most["args"]["count"],
             kit.one("methods | where name = '%s' | select calls" % name, file))


# ---- Java


def jdks():
    """The newest of each version that is installed: {major: folder}."""
    jdk = {}
    installed = glob.glob("/usr/lib/jvm/*") + [os.environ.get("JAVA_HOME", "")]
    for folder in os.environ.get("JDKS", "").split() or installed:
        if os.path.exists(folder + "/bin/jcmd") and os.path.exists(folder + "/release"):
            version = found(r'JAVA_VERSION="([^"]+)', read(folder + "/release"))
            major = numbers(version)[0]
            if major not in jdk or numbers(version) > numbers(jdk[major][1]):
                jdk[major] = folder, version
    return jdk


def java(kit, major):
    """The folder of its JDK; the known program is compiled."""
    have = jdks()
    if major not in have and major == 17 and not os.environ.get("JDKS"):
        kit.apt("openjdk-17-jdk-headless", "javac")
        have = jdks()
    if major not in have:
        raise Skip("no JDK %d in /usr/lib/jvm or JDKS" % major)
    folder, kit.version = have[major]
    classes = kit.path("classes-%d" % major)
    kit.run(folder + "/bin/javac", "-d", classes, os.path.join(HERE, "Known.java"))
    return folder + "/bin/", classes


@recorder("JDK 17", "JDK 25")
def jdk(kit):
    major = int(kit.tool.split()[1])
    tools, classes = java(kit, major)
    file = kit.fresh("jdk%d.jfr" % major)
    kit.run(tools + "java", "-Xmx128m", "-XX:StartFlightRecording:filename=%s,settings=profile" % file, "-cp",
            classes, "Known", 3, both=True)
    said = kit.run(tools + "jfr", "summary", file)
    count = int(found(r"jdk\.ExecutionSample +(\d+)", said))
    kit.same("JFR, samples (jfr summary)", count, kit.samples(file))
    if major >= 21:
        top = re.search(r"^(\S+)\(.*\) +(\d+) +([\d.]+)%",
                        kit.run(tools + "jfr", "view", "--width", 120, "hot-methods", file), re.M)
        kit.same("JFR, top method (jfr view)", top[1], kit.top(file)[0])
        kit.near("JFR, share of it", top[3], kit.top(file)[1], .05 + .005, "%")
    else:
        printed = kit.run(tools + "jfr", "print", "--events", "jdk.ExecutionSample", "--stack-depth", 1, file)
        tops = {}
        for name in re.findall(r"stackTrace = \[\s*([\w.$]+)\(", printed):
            tops[name] = tops.get(name, 0) + 1
        kit.same("JFR, top method (jfr print)", best(tops)[0], kit.top(file)[0])
        kit.near("JFR, share of it", 100*best(tops)[1]/count, kit.top(file)[1], .05, "%")

    process = kit.start(tools + "java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:NativeMemoryTracking=summary", "-cp",
                        classes, "Known", .1, "wait")
    try:
        dump, histogram, stacks = (kit.fresh("jdk%d.%s" % (major, name)) for name in ("hprof", "histogram", "jstack"))
        kit.run(tools + "jmap", "-dump:live,format=b,file=" + dump, process.pid)
        said = kit.run(tools + "jcmd", process.pid, "GC.class_histogram", to=histogram)
        threads = kit.run(tools + "jstack", process.pid, to=stacks)
        written = kit.fresh("jdk%d.threads.json" % major)
        if major >= 21:
            kit.run(tools + "jcmd", process.pid, "Thread.dump_to_file", "-format=json", written)
    finally:
        kit.stop(process)
    leaf = re.search(r"^ *\d+: +(\d+) +(\d+) +Known\$Leaf", said, re.M)
    kit.same("heap dump, objects of Leaf (GC.class_histogram)", leaf[1],
             kit.one("classes | where name = 'Known$Leaf' | select objects", dump))
    kit.same("heap dump, bytes of Leaf", leaf[2],
             kit.one("classes | where name = 'Known$Leaf' | select shallow", dump))
    objects = found(r"^objects .*?  (\d[\d ]*) objects of", kit.screen(histogram))
    kit.same("histogram, objects", number(found(r"^Total +(\d+) ", said)), number(objects))
    kit.same("jstack, threads", len(re.findall(r'^"', threads, re.M)), kit.fact("samples", stacks))
    kit.same("known: jstack, threads in idle", 6, kit.one("methods | where name ~ /idle$/ | select total", stacks))
    if major >= 21:
        count = sum(int(c["threadCount"]) for c in read_json(written)["threadDump"]["threadContainers"])
        kit.same("Thread.dump_to_file JSON, threads", count, kit.fact("samples", written))


@recorder("async-profiler")
def async_profiler(kit):
    have = jdks()
    if not have:
        raise Skip("no JDK in /usr/lib/jvm or JDKS")
    jar, version = kit.maven("tools.profiler:async-profiler")
    converter, _ = kit.maven("tools.profiler:jfr-converter")
    tools, classes = java(kit, max(have))
    kit.version = version
    folder = kit.fresh("async-profiler")
    shutil.unpack_archive(jar, folder, "zip")
    agent = "%s/linux-%s/libasyncProfiler.so" % (folder, "x64" if os.uname().machine == "x86_64" else "arm64")
    if not os.path.exists(agent):
        raise Skip("the jar has no library for this machine")
    file, folded = folder + "/known.jfr", folder + "/jfr.collapsed"
    kit.run(tools + "java", "-agentpath:%s=start,event=itimer,interval=5ms,file=%s" % (agent, file), "-cp", classes,
            "Known", 2, both=True)
    kit.run(tools + "java", "-jar", converter, "-o", "collapsed", file, folded)
    sums = leaf_sums(read(folded).splitlines())
    kit.same("JFR, samples (jfr-converter)", sum(sums.values()), kit.samples(file))
    top = re.sub(r"_\[\w\]$", "", best(sums)[0]).replace("/", ".")
    kit.same("JFR, top method (jfr-converter)", top, kit.top(file)[0])

    process = kit.start(tools + "java", "-cp", classes, "Known", 6, "wait", ready="")
    try:
        time.sleep(1)
        forms = ("flat=3", "txt"), ("collapsed", "collapsed"), ("flamegraph", "html"), ("otlp", "otlp")
        dumps = ["dump,%s,file=%s/dump.%s" % (options, folder, name) for options, name in forms]
        for command in ["start,event=itimer,interval=5ms", "stop"] + dumps:
            said = kit.run(tools + "jcmd", process.pid, "JVMTI.agent_load", agent, '"%s"' % command, both=True)
            if "return code: 0" not in said:
                raise Failed("async-profiler: %s: %s" % (command, said.strip()))
            time.sleep(2*command.startswith("start"))
    finally:
        kit.stop(process)
    said = read(folder + "/dump.txt")
    total = number(found(r"Total samples *: *(\d+)", said))
    top = re.search(r"^ *\d+ +([\d.]+)% +(\d+) +(\S+)", said, re.M)
    for name in ("collapsed", "html", "otlp"):
        file = "%s/dump.%s" % (folder, name)
        kit.same(name + ", samples", total, kit.samples(file))
        kit.same(name + ", top method", re.sub(r"_\[\w\]$", "", top[3]), kit.top(file)[0].replace("/", "."))
        kit.near(name + ", share of it", top[1], kit.top(file)[1], .05 + .005, "%")


# ---- Ruby


@recorder("ruby")
def ruby(kit):
    program = kit.apt("ruby", "ruby")
    kit.version = kit.run(program, "--version").split()[1]
    file = kit.fresh("ruby.dump")
    said = kit.run(program, known("rb"), file)
    kit.same("heap dump, objects of Leaf (each_object)", said.strip(),
             kit.one("classes | where name = Leaf | select objects", file))


# ---- browsers

PAGE = """<script>
%s
for (let i = 0; i < 12; i++) {
	performance.mark("known");
	heavy(1500000);
	light(1500000);
}
</script>
"""


def page(kit):
    """A page with the functions of the known program."""
    path = kit.fresh("known.html")
    with open(path, "w", encoding="utf-8") as f:
        f.write(PAGE % "\n".join(re.findall(r"^function (?:heavy|light)\(.*?^}\n", read(known("js")), re.M | re.S)))
    return "file://" + path


@recorder("chromium")
def chromium(kit):
    program = kit.apt("chromium", "chromium")
    kit.version = found(r"Chromium ([\d.]+)", kit.run(program, "--version", both=True))
    address = page(kit)
    for form in ("json", "proto"):
        file = kit.fresh("chromium." + form)
        kit.run(program, "--headless", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=" + kit.fresh("chromium.user"),
                "--trace-startup=devtools.timeline,v8,blink.user_timing,disabled-by-default-v8.cpu_profiler",
                "--trace-startup-format=" + form, "--trace-startup-file=" + file, "--dump-dom", address,
                env={"HOME": kit.path("home")})
        kit.same("known: %s, marks" % form, CALLS, kit.one("marks | where name = known | count", file))
        kit.same("known: %s, top function" % form, "heavy", kit.top(file)[0].split(" ")[0])
        if form == "json":
            events = read_json(file)["traceEvents"]
            chunks = [e["args"]["data"] for e in events if e["name"] == "ProfileChunk"]
            kit.same("read: json, samples", sum(len(c.get("cpuProfile", {}).get("samples", ())) for c in chunks),
                     kit.samples(file, "--event", "cpu-samples"))


def samples_of_gecko(profile):
    """Samples with a stack of all threads of all processes."""
    at = lambda t: t["samples"]["schema"].get("stack", 0)
    return (sum(
        sum(row[at(t)] is not None for row in t["samples"]["data"] if at(t) < len(row))
        for t in profile["threads"]) + sum(samples_of_gecko(p) for p in profile.get("processes", ())))


@recorder("firefox")
def firefox(kit):
    program = kit.apt("firefox-esr", "firefox-esr")
    kit.version = kit.run(program, "--version", both=True, env={"HOME": kit.path("home")}).strip().split()[-1]
    file, user = kit.fresh("firefox.json"), kit.fresh("firefox.user")
    os.makedirs(user)
    kit.run(program, "--headless", "--no-remote", "--profile", user, "--screenshot", kit.fresh("firefox.png"),
            page(kit), seconds=120, both=True, env={
                "HOME": kit.path("home"), "MOZ_PROFILER_STARTUP": "1", "MOZ_PROFILER_STARTUP_FEATURES": "js,cpu",
                "MOZ_PROFILER_SHUTDOWN": file
            })
    kit.same("read: samples with a stack", samples_of_gecko(read_json(file)), kit.samples(file))
    kit.same("known: marks", CALLS, kit.one("async_spans | where detail ~ known | count", file))
    top = kit.one("methods | where name ~ /^(heavy|light) .*known.html/ | top 1 total | select name", file)
    kit.same("known: top function of the page", "heavy", (top or "nothing").split(" ")[0])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    kit = Kit(sys.argv[1])
    wanted = sys.argv[2:]
    for tool in wanted:
        if tool not in dict(RECORDERS):
            sys.exit("newest.py: no recorder '%s'; there are: %s" % (tool, ", ".join(t for t, _ in RECORDERS)))
    for tool, record in RECORDERS:
        if wanted and tool not in wanted:
            continue
        kit.tool, kit.version = tool, "-"
        try:
            record(kit)
        except Skip as e:
            kit.skip(str(e))
        except (Failed, ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as e:
            at = e.__traceback__
            while at.tb_next and at.tb_next.tb_frame.f_code.co_filename == __file__:
                at = at.tb_next
            kit.broken("%s (line %d)" % (e, at.tb_lineno))
    kit.write(os.path.join(sys.argv[1], "newest.tsv"))
    print("1..%d" % kit.number)
    verdicts = [row[-1] for row in kit.rows]
    passed, skipped = verdicts.count("same"), sum(v.startswith("skipped") for v in verdicts)
    print("# %d skipped; the table is %s/newest.tsv" % (skipped, sys.argv[1]))
    print("%d passed, %d failed" % (passed, len(verdicts) - passed - skipped))
    return len(verdicts) > passed + skipped


if __name__ == "__main__":
    sys.exit(main())
