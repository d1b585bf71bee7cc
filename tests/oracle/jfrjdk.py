#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jfrjdk.py BUILD SCRATCH JDK... - recordings that JDKs make here, in all states that they are found in, against the oracle and `jfr summary`.

They stay in folders of SCRATCH, one for each JDK.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import jfrcheck  # noqa: E402
import slowjfr as oracle  # noqa: E402
from check import Tap, attempt  # noqa: E402

SOURCE = os.path.join(HERE, "..", "mk", "Flight.java")
QUIET = ("jdk.InitialEnvironmentVariable", "jdk.SystemProcess", "jdk.InitialSystemProperty")
BOUND = 120             # seconds that anything may take
# States of a recording -> how it may have been read: one that was being written may lack the stacks of its last events.
WHOLE, DAMAGED, EITHER = (0,), (3,), (0, 3)
STATES = {"whole": WHOLE, "dumped": WHOLE, "live": EITHER, "killed": EITHER, "several": EITHER, "lz4": WHOLE, "gzip": WHOLE, "cut": DAMAGED}


class Maker:
    """Recordings of one JDK, in a folder."""

    def __init__(self, jdk, folder):
        self.jdk, self.folder = jdk, folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.run("javac", "-d", folder, SOURCE)

    def tool(self, name):
        return os.path.join(self.jdk, "bin", name)

    def run(self, tool, *arguments):
        return subprocess.run([self.tool(tool), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=BOUND, check=True,
                              env={"PATH": "/usr/bin:/bin"}, text=True).stdout

    def path(self, state):
        return os.path.join(self.folder, state + ".jfr")

    def start(self, state, milliseconds):
        off = "".join(",%s#enabled=false" % event for event in QUIET)
        repository = os.path.join(self.folder, "chunks of " + state)
        process = subprocess.Popen([self.tool("java"), "-Xmx64m", "-XX:FlightRecorderOptions:repository=" + repository,
                                    "-XX:StartFlightRecording:filename=%s,settings=profile%s" % (self.path(state), off),
                                    "-cp", self.folder, "Flight", str(milliseconds)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"})
        return process, os.path.join(repository, "*", "*.jfr")

    def chunk(self, pattern):
        """The chunk that is being written, when it has something."""
        end = time.monotonic() + BOUND
        while time.monotonic() < end:
            for path in glob.glob(pattern):
                with open(path, "rb") as f:
                    data = f.read()
                if self.has_samples(data):
                    return path, data
            time.sleep(0.2)
        raise ValueError("no chunk with samples in %d s" % BOUND)

    @staticmethod
    def has_samples(data):
        try:
            return len(oracle.events(oracle.Recording(data))) > 2
        except oracle.Bad:
            return False

    def write(self, state, data):
        with open(self.path(state), "wb") as out:
            out.write(data)

    def make(self):
        process, _ = self.start("whole", 1500)
        try:
            process.wait(BOUND)
        finally:
            process.kill()
        process, pattern = self.start("ended", 1000 * BOUND)
        try:
            path, data = self.chunk(pattern)
            self.write("live", data)
            self.run("jcmd", str(process.pid), "JFR.dump", "filename=" + self.path("dumped"))
            path, data = self.chunk(pattern)
            process.send_signal(signal.SIGKILL)
            process.wait(BOUND)
            with open(path, "rb") as f:
                self.write("killed", f.read())
        finally:
            process.kill()
        with open(self.path("whole"), "rb") as f:
            whole = f.read()
        with open(self.path("killed"), "rb") as f:
            self.write("several", whole + f.read() + whole)
        self.write("cut", whole[:len(whole) * 2 // 3])
        subprocess.run(["gzip", "-kf", self.path("whole")], check=True)
        os.replace(self.path("whole") + ".gz", self.path("gzip"))
        if shutil.which("lz4"):
            subprocess.run(["lz4", "-qf", self.path("whole"), self.path("lz4")], check=True)


def counted(maker, state):
    """Type -> events, as the JDK says."""
    return {m[1]: int(m[2]) for m in re.finditer(r"^ (\S+) +(\d+) +\d+$", maker.run("jfr", "summary", maker.path(state)), re.M)}


def check_summary(program, maker, state):
    """As many events in all as the JDK counts, and those with stacks each as many."""
    info, events = jfrcheck.ask(program, maker.path(state), "info", "events")
    want = counted(maker, state)
    total = sum(n for name, n in want.items() if name.lower() not in ("jdk.metadata", "jdk.checkpoint"))
    got = {r["field"]: r["value"] for r in info.rows}
    bad = jfrcheck.same("events", str(total), got["recorded_events"])
    for r in events.rows:
        bad += jfrcheck.same(r["name"], want.get(r["name"]), int(r["samples"]))
    return bad


def check_state(program, maker, state):
    path = maker.path(state)
    a = program.ask(path, "info", options=jfrcheck.NO_INDEX)
    bad = [] if a.code in STATES[state] else ["status %d: %s" % (a.code, a.err.strip())]
    return bad + jfrcheck.check_recording(program, path, oracle.load(path))


def check_jdk(tap, program, jdk, folder):
    name, maker = os.path.basename(jdk), None
    try:
        maker = Maker(jdk, folder)
        maker.make()
    except (OSError, ValueError, subprocess.SubprocessError) as e:
        tap.ok("%s: recordings # SKIP it makes none: %s" % (name, str(e).replace("\n", " ")[:200]), [])
        return
    for state in STATES:
        if os.path.exists(maker.path(state)):
            attempt(tap, "%s: %s" % (name, state), check_state, program, maker, state)
    for state in ("whole", "dumped"):
        attempt(tap, "%s: %s, as jfr summary counts" % (name, state), check_summary, program, maker, state)


def main(argv):
    build, scratch, *found = argv[1:]
    tap, program = Tap(), answers.Program(os.path.join(build, "icecore"))
    for i, jdk in enumerate(found):
        check_jdk(tap, program, jdk, os.path.join(scratch, "jdk%d" % i))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
