#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""fakejvm.py LOG DEMO HOW... - a process that answers requests as HotSpot does, for tests of icecore record without a JVM.

It publishes counters in /tmp/hsperfdata_test-PID, makes the socket /tmp/.java_pidPID on SIGQUIT if somebody asked for it, and writes each
request to LOG as one line.  DEMO is the directory of the recordings that it "writes".  HOW are words that make it misbehave.
"""
import gzip
import os
import shutil
import signal
import socket
import struct
import sys
import threading
import time

CLASSES = ("[B", "java.lang.String", "com.example.Leak", "com.example.Evil\x1b[31m")
DEADLOCK = """2026-11-27 02:30:00
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):

"main-%d" #1 prio=5 os_prio=0 cpu=1.0ms elapsed=1.0s tid=0x00007f0001 nid=0x10 waiting for monitor entry  [0x00007f01]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat com.example.Main.one(Main.java:10)
\t- waiting to lock <0x0000000700000001> (a java.lang.Object)
\t- locked <0x0000000700000002> (a java.lang.Object)

"other" #2 prio=5 os_prio=0 cpu=1.0ms elapsed=1.0s tid=0x00007f0002 nid=0x11 waiting for monitor entry  [0x00007f02]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat com.example.Main.two(Main.java:20)
\t- waiting to lock <0x0000000700000002> (a java.lang.Object)
\t- locked <0x0000000700000001> (a java.lang.Object)

JNI global refs: 15, weak refs: 0

"""


def counters(how):
    """The counters, as JDK 17 writes them."""
    arguments = "-Xmx200m" + (" -XX:+DisableAttachMechanism" if "disabled" in how else "")
    text = {"sun.rt.javaCommand": "com.example.Main 60 secret", "java.property.java.vm.version": "17.0.15+6", "java.rt.vmArgs": arguments,
            "sun.gc.policy.name": "GarbageFirst"}
    number = {"java.threads.live": 14, "sun.gc.generation.0.space.0.used": 3 << 20, "sun.gc.generation.1.space.0.used": 40 << 20,
              "sun.gc.generation.0.maxCapacity": 200 << 20, "sun.gc.generation.1.maxCapacity": 200 << 20}
    entries = b""
    for name, value in list(text.items()) + list(number.items()):
        data = value.encode() + b"\0" if isinstance(value, str) else struct.pack("<q", value)
        kind, count = ("B", len(data)) if isinstance(value, str) else ("J", 0)
        at = 20 + len(name) + 1
        at += -at % 8
        size = at + len(data) + -len(data) % 8
        entry = struct.pack("<iiicBBBi", size, 20, count, kind.encode(), 0, 1, 1, at) + name.encode() + b"\0"
        entries += entry.ljust(at, b"\0") + data.ljust(size - at, b"\0")
    head = struct.pack(">I", 0xcafec0c0) + bytes((1, 2, 0, 1)) + struct.pack("<iiqii", 32 + len(entries), 0, 0, 32, len(text) + len(number))
    return (head + entries).ljust(32768, b"\0")


class Jvm:
    def __init__(self, log, demo, how):
        self.log, self.demo, self.how = log, demo, how
        self.asked = 0
        self.kept = []      # connections that get no answer
        self.recordings = [] if "idle" in how else ["other"]
        self.pid = os.getpid()
        self.socket = "/tmp/.java_pid%d" % self.pid
        self.directory = "/tmp/hsperfdata_test-%d" % self.pid

    def note(self, line):
        with open(self.log, "a", encoding="utf-8") as f:
            f.write(line + "\n")

    def write(self, path, name):
        """Write a recording as a JVM does: a new file of its own."""
        if "nowhere" in self.how:
            return
        if "linked" in self.how:
            os.symlink("/etc/passwd", path)
            return
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with gzip.open(os.path.join(self.demo, name)) as f, os.fdopen(fd, "wb") as to:
            if "cut" in self.how:
                to.write(f.read(8192))
                return
            if "slow" in self.how:
                for _ in range(40):
                    to.write(f.read(1000))
                    to.flush()
                    time.sleep(0.05)
            shutil.copyfileobj(f, to)

    def histogram(self):
        self.asked += 1
        lines = [" num     #instances         #bytes  class name (module)", "-" * 55]
        for i, name in enumerate(CLASSES):
            n = 1000 * (i + 1) + (500 * self.asked if "Leak" in name else 0)
            lines.append("%4d: %14d %14d  %s (java.base@17.0.15)" % (i + 1, n, n * 24, name))
        lines.append("Total %16d %14d" % (10000, 240000))
        return "\n".join(lines) + "\n"

    def jcmd(self, line):
        word = line.split(" ", 1)[0]
        if word == "GC.heap_info":
            return " garbage-first heap   total 204800K, used 51200K [0x1, 0x2)\n  region size 1024K\n Metaspace       used 900000K\n"
        if word == "JFR.start":
            if "unwilling" in self.how:
                return "No recording is possible\n"
            self.recordings.append(line.split("name=")[1].split()[0])
            return "Started recording 7.\n"
        if word == "JFR.check":
            rows = ["Recording %d: name=%s maxsize=250.0MB (running)\n" % (i + 3, name) for i, name in enumerate(self.recordings)]
            return "".join(rows) or "No available recordings.\n"
        if word == "JFR.dump":
            self.write(line.split('filename="')[1].rstrip('"'), "shop.jfr.gz")
            return "Dumped recording\n"
        if word == "JFR.stop":
            name = line.split("name=")[1]
            if name not in self.recordings:
                return "Could not find recording\n"
            self.recordings.remove(name)
            return "Stopped recording\n"
        return None

    def answer(self, request):
        """Code and text."""
        word = request[0]
        if word == "dumpheap":
            self.write(request[1], "demo.hprof.gz")
            return 0, "Heap dump file created\n"
        if word == "threaddump":
            self.asked += 1
            return 0, DEADLOCK % self.asked
        if word == "inspectheap":
            return 0, self.histogram()
        text = self.jcmd(request[1]) if word == "jcmd" else None
        return (0, text) if text is not None else (1, "\nOperation \x1b[31mfailed: no such command\n")

    def serve(self, listener):
        while True:
            c, _ = listener.accept()
            try:
                self.serve_one(c)
            except (OSError, IndexError):     # the client is gone, also in the middle of a request
                c.close()

    def does(self, how, request):
        """Whether to misbehave in that way: always, or at that request: how=REQUEST."""
        return how in self.how or any("%s=%s" % (how, r.split(" ")[0]) in self.how for r in request if r)

    def serve_one(self, c):
        data = b""
        while data.count(b"\0") < 5:
            piece = c.recv(65536)
            if not piece:
                break
            data += piece
        if not data:
            return
        request = data.decode().split("\0")
        self.note("request " + "|".join(request[:-1]))
        if self.does("mute", request):
            self.kept.append(c)
            return
        try:
            code, text = self.answer(request[1:])
        except OSError as e:
            code, text = 1, str(e) + "\n"
        for how, what in (("nocode", "hello\n"), ("nothing", ""), ("longcode", "0" * 100 + "\n"), ("silent", "0\n")):
            if how in self.how:
                text = what
                break
        else:
            text = "%d\n%s" % (code, text)
        while self.does("dribble", request):      # until the client is gone
            c.sendall(b" ")
            time.sleep(0.05)
        c.sendall(text.encode())
        c.close()

    def listen(self):
        s = socket.socket(socket.AF_UNIX)
        # As HotSpot does: the socket has its name once it takes requests.
        s.bind(self.socket + ".tmp")
        s.listen(0 if "crowded" in self.how else 5)
        os.rename(self.socket + ".tmp", self.socket)
        if "crowded" in self.how:
            # One that nobody accepts fills the queue.
            self.kept.append(s)
            self.kept.append(socket.socket(socket.AF_UNIX))
            self.kept[-1].connect(self.socket)
            return
        threading.Thread(target=self.serve, args=(s,), daemon=True).start()

    def quit(self, *_):
        asked = os.path.exists("/tmp/.attach_pid%d" % self.pid)
        self.note("SIGQUIT" + ("" if asked else " without request"))
        if asked and "deaf" not in self.how and not os.path.exists(self.socket):
            self.listen()

    def stranger(self):
        """The socket belongs to another process."""
        if os.fork() == 0:
            self.listen()
            while os.getppid() == self.pid:
                time.sleep(0.05)
            os._exit(0)
        while not os.path.exists(self.socket):
            time.sleep(0.01)

    def thread(self, name):
        """A thread with that name, cut as the kernel does."""
        begun = threading.Event()

        def live():
            with open("/proc/thread-self/comm", "w", encoding="utf-8") as f:
                f.write(name[:15])
            begun.set()
            threading.Event().wait()
        threading.Thread(target=live, daemon=True).start()
        begun.wait()

    def remove_stale(self):
        """As HotSpot does: files of a process that had the same id are not its own."""
        for path in (self.socket, "/tmp/.attach_pid%d" % self.pid, "/tmp/perf-%d.map" % self.pid):
            if os.path.lexists(path):
                os.unlink(path)

    def run(self):
        self.remove_stale()
        shutil.rmtree(self.directory, ignore_errors=True)
        if "xrs" not in self.how:
            signal.signal(signal.SIGQUIT, self.quit)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        if "nojvm" not in self.how:
            os.mkdir(self.directory, 0o755)
            with open(os.path.join(self.directory, str(self.pid)), "wb") as f:
                f.write(counters(self.how))
        try:
            if "stranger" in self.how:
                self.stranger()
            if "loop" in self.how:
                os.symlink("/dev/null", self.socket)
            for name in [how[len("named="):] for how in self.how if how.startswith("named=")]:
                self.thread(name)
            self.note("ready")
            parent = os.getppid()
            while os.getppid() == parent:
                time.sleep(0.1)
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
            if os.path.lexists(self.socket):
                os.unlink(self.socket)


Jvm(sys.argv[1], sys.argv[2], sys.argv[3:]).run()
