#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""fakeadb.py WORDS... - a stand-in for adb and one Android device, for tests of icecore record --adb.

The environment variable FAKE_ADB names a directory: "how" has words that make it misbehave, "device/" has the files of the device, and
"log" gets the arguments of each call as a line of JSON.  Answers are those of the public documentation and sources of adb, am, debuggerd
and perfetto.  A command that no step of a recording needs fails.
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import time

HOME = os.environ["FAKE_ADB"]
DEMO = os.environ["FAKE_DEMO"]
SERIAL, PID, APP, PERFETTO = "emulator-5554", "4711", "com.example.shop", "9876"
DUMP = """
----- pid 4711 at 2026-11-27 02:30:00.000000000+0000 -----
Cmd line: com.example.shop
Build fingerprint: 'generic/sdk/generic:14/UE1A/1:userdebug/dev-keys'
ABI: 'x86_64'
DALVIK THREADS (2):
"main" prio=5 tid=1 Blocked
  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x7a0 self=0xb40
  | sysTid=4711 nice=-10 cgrp=top-app sched=0/0 handle=0x7f0
  at com.example.shop.Cart.total(Cart.java:20)
  - waiting to lock <0x0a1b2c3d> (a java.lang.Object) held by thread 2
  at android.os.Looper.loop(Looper.java:288)

"worker" prio=5 tid=2 Sleeping
  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x7a1 self=0xb41
  | sysTid=4720 nice=0 cgrp=top-app sched=0/0 handle=0x7f1
  at java.lang.Thread.sleep(Native method)
  - locked <0x0a1b2c3d> (a java.lang.Object)
  at com.example.shop.Sync.run(Sync.java:11)

----- end 4711 -----
"""
DEBUGGABLE = """
Exception occurred while executing '%s':
java.lang.SecurityException: Process not debuggable: ProcessRecord{1a2b3c 4711:com.example.shop/u0a123}
\tat com.android.server.am.ActivityManagerService.enforceDebuggable(ActivityManagerService.java:8000)
"""


def read(name):
    try:
        with open(os.path.join(HOME, name), encoding="utf-8") as f:
            return f.read()
    except OSError:
        return ""


HOW = read("how").split()


def on_device(path):
    assert path.startswith("/data/"), path
    return os.path.join(HOME, "device", path[1:])


def set_state(name, value):
    with open(os.path.join(HOME, name), "w", encoding="utf-8") as f:
        f.write(value)


def fill(path, demo):
    with gzip.open(os.path.join(DEMO, demo)) as f, open(on_device(path), "wb") as to:
        shutil.copyfileobj(f, to)


def say(code, out="", err=""):
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.stdout.flush()
    sys.exit(code)


def devices():
    rows = {"none": "", "several": "%s\tdevice\nR58M\tdevice\n" % SERIAL, "unauthorized": SERIAL + "\tunauthorized\n", "offline": SERIAL + "\toffline\n"}
    rows = [rows[how] for how in HOW if how in rows] or [SERIAL + "\tdevice\n"]
    say(0, "List of devices attached\n" + rows[0] + "\n")


def dumpheap(words):
    if words[:1] == ["-g"]:
        words = words[1:]
    if len(words) != 2 or words[0] != PID:
        say(255, err="Error: Unknown process: %s\n" % words)
    if "release" in HOW:
        say(255, err=DEBUGGABLE % "dumpheap")
    if "old" in HOW:
        # The app writes after the command has ended.
        code = "import sys, time\nf = open(sys.argv[1], 'ab')\nfor i in range(3): f.write(b'x'); f.flush(); time.sleep(0.3)\n" \
               "import gzip\nf.truncate(0)\nf.write(gzip.open(sys.argv[2]).read())"
        with open(on_device(words[1]), "wb"):
            pass
        subprocess.Popen([sys.executable, "-c", code, on_device(words[1]), os.path.join(DEMO, "phone.hprof.gz")],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        say(0)
    if "slow" in HOW:
        time.sleep(0.5)
    fill(words[1], "phone.hprof.gz")
    if "slow" in HOW:
        time.sleep(0.5)
    say(0, "Waiting for dump to finish...\n")


def profile(words):
    if words[:3] == ["start", "--sampling", "1000"] and words[3:4] == [PID] and len(words) == 5:
        if "release" in HOW:
            say(255, err=DEBUGGABLE % "profile")
        with open(on_device(words[4]), "wb"):
            pass
        set_state("profile", words[4])
        say(0)
    if words == ["stop", PID]:
        path = read("profile")
        if path:
            os.unlink(os.path.join(HOME, "profile"))
            fill(path, "demo.trace.gz")
        say(0)
    say(255, err="Error: unknown command\n")


def perfetto(words):
    config = sys.stdin.read()
    if words[:5] != ["--background", "--txt", "-c", "-", "-o"] or len(words) != 6 or 'atrace_apps: "%s"' % APP not in config or "duration_ms: " not in config:
        say(1, err="Could not parse TraceConfig\n")
    if "busy" in HOW:
        say(1, err="[123] perfetto_cmd.cc: Service error: too many concurrent tracing sessions\n")
    set_state("perfetto", json.dumps([time.time() + int(config.split("duration_ms: ")[1].split()[0]) / 1000, words[5]]))
    with open(on_device(words[5]), "wb"):
        pass
    say(0, "%s\n" % PERFETTO)


def perfetto_ends(now):
    state = read("perfetto")
    if state and (now or json.loads(state)[0] < time.time()):
        os.unlink(os.path.join(HOME, "perfetto"))
        if os.path.exists(on_device(json.loads(state)[1])):
            fill(json.loads(state)[1], "recipes.pftrace.gz")
    return not read("perfetto")


def kill(words):
    if words == ["-3", PID]:
        if "user" in HOW:
            say(1, err="/system/bin/sh: kill: 4711: Operation not permitted\n")
        with open(on_device("/data/anr/trace_00"), "w", encoding="utf-8") as f:
            f.write(DUMP)
        say(0)
    if words in (["-0", PERFETTO], ["-TERM", PERFETTO]):
        gone = perfetto_ends(words[0] == "-TERM")
        say(1 if gone and words[0] == "-0" else 0)
    say(1, err="kill: %s\n" % words)


def file_command(words):
    path = on_device(words[-1])
    if words[:-1] == ["stat", "-c", "%s"]:
        if not os.path.exists(path):
            say(1, err="stat: '%s': No such file or directory\n" % words[-1])
        say(0, "%d\n" % os.stat(path).st_size)
    if words[:-1] == ["rm", "-f"]:
        if os.path.exists(path):
            os.unlink(path)
        say(0)
    if words == ["ls", "/data/anr/"]:
        say(0, "".join(n + "\n" for n in sorted(os.listdir(path))))


def shell(words):
    if words[0] == "pidof":
        say(*((1,) if words != ["pidof", APP] or "stopped" in HOW else (0, PID + "\n")))
    if words[:2] == ["am", "dumpheap"]:
        dumpheap(words[2:])
    if words[:2] == ["am", "profile"]:
        profile(words[2:])
    if words[0] == "perfetto":
        perfetto(words[1:])
    if words[0] == "kill":
        kill(words[1:])
    if words == ["debuggerd", "-j", PID]:
        if "user" in HOW or "anr" in HOW:
            say(1, err="debuggerd: failed to dump process 4711: Operation not permitted\n")
        say(0, DUMP)
    if words[0] in ("stat", "rm", "ls"):
        file_command(words)


def main():
    words = sys.argv[1:]
    with open(os.path.join(HOME, "log"), "a", encoding="utf-8") as f:
        f.write(json.dumps(words) + "\n")
    if "hang" in HOW:
        time.sleep(1000)
    if words == ["devices"]:
        devices()
    if words[:2] == ["-s", SERIAL]:
        words = words[2:]
        if words[:1] == ["shell"]:
            shell(words[1:])
        if words[:2] == ["exec-out", "cat"] and len(words) == 3:
            with open(on_device(words[2]), "rb") as f:
                data = f.read()
            sys.stdout.buffer.write(data[:len(data) // 2] if "cut" in HOW else data)
            say(0)
    say(3, err="unexpected: %s\n" % words)


main()
