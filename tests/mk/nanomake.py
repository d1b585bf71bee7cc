#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""nanomake.py OUT [SEED [FRAMES]] - writes a made-up Nanoscope trace OUT with OUT.timer and OUT.state.

An application draws frames on its main thread.  Once it waits for a fence of the graphics driver: long in state
Native and nearly without CPU time (nFence).  It also decodes a picture in native code, just as long but busy, waits
for a lock, for the collector, in Object.wait(), and loads classes.  One seed gives always the same files.
"""
import bisect
import random
import sys

MS = 1000000
BASE = 123456789012345
TERMINATED, RUNNABLE, WAIT, SLEEPING, BLOCKED, GC, NATIVE = 66, 67, 68, 69, 70, 72, 89
NAMES = [
    "void com.example.feed.RowView.onMeasure(int, int)",
    "void com.example.feed.RowView.onLayout(boolean, int, int, int, int)",
    "void com.example.feed.RowView.onDraw(android.graphics.Canvas)",
    "java.lang.String com.example.feed.Dates.ago(long)",
    "java.lang.CharSequence android.text.TextUtils.ellipsize(java.lang.CharSequence, android.text.TextPaint, float)",
    "float android.graphics.Paint.measureText(java.lang.String)",
    "boolean java.util.HashMap.containsKey(java.lang.Object)",
    "int java.lang.String.hashCode()",
]


class Run:
    """The thread: what it called, the state it was in, how fast its CPU clock went."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.now = 0
        self.events = []
        self.states = []
        self.pieces = []          # (until, CPU use, minor faults a ms, bytes a ms)
        self.state = RUNNABLE

    def enter(self, name):
        self.events.append((self.now, name))

    def leave(self):
        self.events.append((self.now, "POP"))

    def spend(self, ns, use=0.97, faults=0.2, bytes_=9000):
        self.now += ns
        self.pieces.append((self.now, use, faults, bytes_))

    def become(self, state):
        self.states.append((self.now, self.state, state))
        self.state = state

    def call(self, name, ns, state=RUNNABLE, use=0.97):
        before = self.state
        self.enter(name)
        if state != before:
            self.become(state)
        if state == RUNNABLE:
            self.spend(ns, use)
        else:
            self.spend(ns, use, 0, 0)
        if state != before:
            self.become(before)
        self.leave()

    def small(self, n):
        """Some short calls, some of them nested."""
        depth = 0
        for _ in range(n):
            self.enter(self.random.choice(NAMES))
            depth += 1
            self.spend(self.random.randrange(200, 40000))
            while depth and self.random.random() < 0.6:
                self.leave()
                depth -= 1
                self.spend(self.random.randrange(0, 900))
        for _ in range(depth):
            self.leave()

    def frame(self, calls):
        self.enter("void android.view.Choreographer.doFrame(long, int)")
        self.enter("void android.view.ViewRootImpl.performTraversals()")
        self.small(calls)
        self.leave()
        self.call("int android.view.ThreadedRenderer.nSyncAndDrawFrame(long, long[], int)",
                  self.random.randrange(1, 7) * MS, NATIVE, 0.5)
        self.leave()
        self.call("void android.os.MessageQueue.nativePollOnce(long, int)",
                  self.random.randrange(1, 9) * MS, NATIVE, 0.001)

    def cpu(self, times):
        """CPU time, faults and bytes allocated up to each of some times, which rise."""
        sums, before, i = (0.0, 0.0, 0.0), 0, 0

        def up_to(at):
            ns, (use, per_ms, bytes_) = at - before, self.pieces[i][1:]
            return sums[0] + ns * use, sums[1] + ns / MS * per_ms, sums[2] + ns / MS * bytes_
        for at in times:
            while i < len(self.pieces) and self.pieces[i][0] < at:
                sums, before, i = up_to(self.pieces[i][0]), self.pieces[i][0], i + 1
            yield tuple(map(int, up_to(at) if i < len(self.pieces) and before < at else sums))


def app(seed, frames):
    run = Run(seed)
    special = {
        frames // 6: ("android.graphics.Bitmap android.graphics.BitmapFactory.nativeDecodeStream("
                      "java.io.InputStream, byte[], android.graphics.Rect, "
                      "android.graphics.BitmapFactory$Options)", 72 * MS, NATIVE, 0.96),
        frames // 3: ("void com.example.feed.Store.lock()", 31 * MS, BLOCKED, 0.0),
        frames // 2: ("void android.view.ThreadedRenderer.nFence(long)", 84 * MS, NATIVE, 0.02),
        frames * 2 // 3: ("void java.lang.Object.wait(long, int)", 64 * MS, WAIT, 0.0),
        frames * 5 // 6: ("void dalvik.system.VMRuntime.trackExternalAllocation(int)", 12 * MS, GC, 0.05),
    }
    run.enter("void android.os.Looper.loop()")
    for i in range(frames):
        if i % 7 == 3:
            run.call("Class loading#com.example.feed.Row$%d" % i, run.random.randrange(20000, 900000))
        if i in special:
            run.enter("void com.example.feed.FeedActivity.onScrolled(int)")
            run.spend(30000)
            run.call(*special[i])
            run.leave()
        run.frame(run.random.randrange(20, 60))
    run.leave()
    run.become(TERMINATED)
    return run


def write(path, run):
    with open(path, "w", newline="\n") as h:
        for at, name in run.events:
            h.write("%d:%s\n" % (BASE + at, name))
    with open(path + ".state", "w", newline="\n") as h:
        for at, old, new in run.states:
            h.write("%d, %d, %d\n" % (BASE + at, old, new))
    with open(path + ".timer", "w", newline="\n") as h:
        waits = sorted(t for t, old, new in run.states if new not in (RUNNABLE, NATIVE))
        times = range(0, run.now + 1, MS)
        for at, (cpu, faults, size) in zip(times, run.cpu(times)):
            switches = bisect.bisect_right(waits, at)
            freed = size // 3 // 65536 * 65536
            h.write("%d, %d, %d, %d, %d, %d, %d, %d, %d\n" % (
                BASE + at, 7000000 + cpu, 3 + at // (200 * MS), 100 + faults, 50 + switches,
                (12 << 20) + size - freed, 90000 + (size - freed) // 48, size, freed))


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    frames = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    write(sys.argv[1], app(seed, frames))


if __name__ == "__main__":
    main()
