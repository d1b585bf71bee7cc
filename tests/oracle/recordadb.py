# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""recordadb: icecore record --adb on a stand-in for adb and a device (tests/mk/fakeadb.py): every argument of every step."""
import json
import os
import signal
import stat
import subprocess
import sys
import time

import tap

FAKE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk", "fakeadb.py"))
SERIAL, PID, APP, PERFETTO = "emulator-5554", "4711", "com.example.shop", "9876"
DEVICES = ["devices"]
NO_PATH = "/nonexistent"


class Device:
    def __init__(self, bench, *how):
        self.bench, self.room = bench, bench.room()
        self.home = self.room + ".adb"
        bin_dir = os.path.join(self.home, "bin")
        os.makedirs(bin_dir)
        for path in ("data/local/tmp", "data/misc/perfetto-traces", "data/anr"):
            os.makedirs(os.path.join(self.home, "device", path))
        with open(os.path.join(bin_dir, "adb"), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nexec '%s' '%s' \"$@\"\n" % (sys.executable, FAKE))
        os.chmod(os.path.join(bin_dir, "adb"), 0o755)
        with open(os.path.join(self.home, "how"), "w", encoding="utf-8") as f:
            f.write(" ".join(how))
        self.env = {k: v for k, v in os.environ.items() if k != "ANDROID_SERIAL"}
        self.env.update(PATH=bin_dir + ":" + os.environ["PATH"], FAKE_ADB=self.home, FAKE_DEMO=bench.demo)

    def record(self, *args, **more):
        return self.bench.run("record", "--adb", APP, *args, cwd=self.room, stdin=subprocess.DEVNULL, env=dict(self.env, **more))

    def start(self, *args):
        return subprocess.Popen([self.bench.program, "record", "--adb", APP, *args], cwd=self.room, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env=self.env)

    def calls(self):
        try:
            with open(os.path.join(self.home, "log"), encoding="utf-8") as f:
                return [json.loads(line) for line in f]
        except OSError:
            return []

    def left(self, *kept):
        """Names of files left on the device and in the directory of the recording, except these."""
        bad = ["left on the device: " + os.path.join(d, n) for d, _, names in os.walk(os.path.join(self.home, "device")) for n in names]
        bad += ["still runs: " + n for n in ("profile", "perfetto") if os.path.exists(os.path.join(self.home, n))]
        return bad + ["left: " + n for n in os.listdir(self.room) if n not in kept]


def on(*words):
    return ["-s", SERIAL, *words]


def steps(device, *expected):
    """These calls and no others; FILE stands for the file on the device, and a step with "+" may be repeated."""
    calls = [[("FILE" if w.startswith("/data/") and "icecore-" in w else w) for w in call] for call in device.calls()]
    at = 0
    for step in expected:
        repeat = step[-1] == "+"
        step = step[:-1] if repeat else step
        if at >= len(calls) or calls[at] != step:
            return ["call %d is %s, not %s" % (at, calls[at] if at < len(calls) else "missing", step)]
        at += 1
        while repeat and at < len(calls) and calls[at] == step:
            at += 1
    return ["more calls: %s" % calls[at:]] if at < len(calls) else []


PIDOF = on("shell", "pidof", APP)
STAT = on("shell", "stat", "-c", "%s", "FILE")
CAT = on("exec-out", "cat", "FILE")
RM = on("shell", "rm", "-f", "FILE")
TAKE = (STAT, CAT, RM)


def check_heap(bench, wants, shows):
    device = Device(bench)
    p = device.record("heap", "-o", "a.hprof", "-e", "info | where field == 'format'", "--", "--no-index")
    bad = wants(p, 0, "heap dump of %s on device %s: runs a full GC; the app stops" % (APP, SERIAL), "wrote a.hprof") + shows(p, "format\t")
    bad += steps(device, DEVICES, PIDOF, on("shell", "am", "dumpheap", "-g", PID, "FILE"), *TAKE) + device.left("a.hprof")
    if stat.S_IMODE(os.stat(os.path.join(device.room, "a.hprof")).st_mode) != 0o600:
        bad.append("others can read the dump")
    bad += wants(device.record("heap", "-o", "a.hprof"), 2, "already exists")
    device = Device(bench, "old")
    bad += wants(device.record("heap", "--all", "--no-open", "-o", "b.hprof"), 0, "wrote b.hprof") + device.left("b.hprof")
    bad += steps(device, DEVICES, PIDOF, on("shell", "am", "dumpheap", PID, "FILE"), STAT + ["+"], CAT, RM)
    p = bench.run("--no-index", "-e", "info | where field == 'format'", os.path.join(device.room, "b.hprof"))
    return bad + wants(p, 0) + shows(p, "format\t")


def check_trace(bench, wants, shows):
    device = Device(bench)
    p = device.record("trace", "100ms", "-o", "a.trace", "-e", "methods | count", "--", "--no-index")
    bad = wants(p, 0, "for 100 ms: a sample each millisecond") + shows(p, "count\n") + device.left("a.trace")
    return bad + steps(device, DEVICES, PIDOF, on("shell", "am", "profile", "start", "--sampling", "1000", PID, "FILE"),
                       on("shell", "am", "profile", "stop", PID), STAT + ["+"], CAT, RM)


def check_threads(bench, wants, shows):
    device = Device(bench)
    p = device.record("threads", "-o", "t.txt", "-e", "thread_dumps | count", "--", "--no-index")
    bad = wants(p, 0, "thread dump of %s" % APP) + shows(p, "count\n1\n") + device.left("t.txt")
    bad += steps(device, DEVICES, PIDOF, on("shell", "debuggerd", "-j", PID))
    device = Device(bench, "anr")
    bad += wants(device.record("threads", "-o", "t.txt", "--no-open"), 0)
    ls = on("shell", "ls", "/data/anr/")
    dump = "/data/anr/trace_00"
    bad += steps(device, DEVICES, PIDOF, on("shell", "debuggerd", "-j", PID), ls, on("shell", "kill", "-3", PID), ls, on("shell", "stat", "-c", "%s", dump, "+"),
                 on("exec-out", "cat", dump), on("shell", "rm", "-f", dump)) + device.left("t.txt")
    device = Device(bench, "user")
    return bad + wants(device.record("threads"), 4, "'adb root' first", "Operation not permitted") + device.left()


def check_perfetto(bench, wants, shows):
    device = Device(bench, "stopped")
    p = device.record("perfetto", "300ms", "-o", "a.pftrace", "-e", "info | where field == 'format'", "--", "--no-index")
    bad = wants(p, 0, "Perfetto trace of device %s" % SERIAL) + shows(p, "Perfetto") + device.left("a.pftrace")
    bad += steps(device, DEVICES, on("shell", "perfetto", "--background", "--txt", "-c", "-", "-o", "FILE"), on("shell", "kill", "-0", PERFETTO, "+"), *TAKE)
    device = Device(bench, "busy")
    return bad + wants(device.record("perfetto"), 4, "too many concurrent tracing sessions") + device.left()


def check_refusals(bench, wants, _):
    bad = []
    for how, kind, code, text in (("none", "heap", 4, "adb sees no device"), ("several", "heap", 2, "several devices: emulator-5554, R58M; choose one with -s"),
                                  ("unauthorized", "heap", 4, "allow USB debugging on its screen"), ("offline", "heap", 4, "offline"),
                                  ("stopped", "heap", 2, "does not run on device"), ("release", "heap", 4, "is not debuggable"),
                                  ("release", "trace", 4, "is not debuggable"), ("cut", "heap", 4, "could not be copied")):
        device = Device(bench, how)
        bad += wants(device.record(kind), code, text) + device.left()
    device = Device(bench, "several")
    bad += wants(device.record("heap", "-s", SERIAL, "--dry-run"), 0, "on device " + SERIAL)
    bad += wants(device.record("heap", "--dry-run", ANDROID_SERIAL=SERIAL), 0, "on device " + SERIAL)
    bad += wants(device.record("heap", "-s", "X"), 2, "no device 'X'; adb sees emulator-5554, R58M")
    bad += ["a dry run did more: %s" % c for c in device.calls() if c not in (DEVICES, PIDOF)]
    bad += wants(device.record("heap", PATH=NO_PATH), 4, "adb is not installed")
    for args, text in ((("--adb", "a;b", "heap"), "not the name of an app"), (("--adb", APP, "cpu"), "use heap, trace, threads or perfetto"),
                       (("--adb", APP), "the kind of recording"), (("heap", "1", "-s", "x"), "unknown option"), (("--adb", APP, "heap", "1s"), "too many")):
        bad += wants(bench.run("record", *args, cwd=device.room, env=device.env), 2, text)
    return bad + device.left()


def check_cancel(bench, wants, _):
    """Whenever a signal comes, nothing is left on the device; an interrupted trace is kept."""
    bad = []
    for how, kind, step, sig, codes in (
            (("slow",), ("heap",), "dumpheap", signal.SIGINT, (130,)), (("slow",), ("heap",), "dumpheap", signal.SIGTERM, (-signal.SIGTERM,)),
            ((), ("trace", "100s"), "start", signal.SIGINT, (0,)), ((), ("trace", "100s"), "start", signal.SIGHUP, (-signal.SIGHUP,)),
            ((), ("perfetto", "100s"), "perfetto", signal.SIGINT, (0,)), ((), ("perfetto", "100s"), "perfetto", signal.SIGTERM, (-signal.SIGTERM,)),
            (("hang",), ("heap",), "devices", signal.SIGINT, (130,))):
        device = Device(bench, *how)
        p = device.start(*kind, "-o", "x", "--no-open")
        tap.until(lambda: any(step in call for call in device.calls()))
        time.sleep(0.2)
        p.send_signal(sig)
        try:
            _, said = p.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            p.kill()
            return bad + ["%s does not end" % (kind,)]
        bad += [] if p.returncode in codes else ["%s by signal %d: %s %s" % (kind, sig, p.returncode, said)]
        bad += device.left(*(("x",) if codes == (0,) else ()))
        if codes == (0,) and not os.path.exists(os.path.join(device.room, "x")):
            bad.append("%s: the trace so far is lost" % (kind,))
    return bad


CHECKS = (("heap dumps of an app", check_heap), ("method traces of an app", check_trace), ("thread dumps of an app", check_threads),
          ("Perfetto traces", check_perfetto), ("refusals of adb", check_refusals), ("signals leave nothing on a device", check_cancel))
