#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""schedstory.py - the scheduler trace of the demo as text: two seconds of a phone on which frames come late.

The app draws a frame every 16.7 ms: main, then RenderThread, then surfaceflinger, each woken by the one before.  Sometimes
main must have the settings: it waits for a lock that Worker holds, which reads a file: the kernel thread of the disk
wakes it, and when the four busy Encoder threads have the CPUs, it waits for one of these as well.  Other threads sleep most of
the time or all of it.  Always the same text; no randomness but a generator of its own.
"""
import heapq
import sys

CPUS = 4
SLICE = 6000        # us that a busy task keeps a CPU when others wait for one
END = 2_000_000
START = 81_000_000_000

NAMES = {}          # tid: (name, tgid)


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 33) % n


class Task:
    """A program: a generator of ("run", us), ("sleep", us), ("disk", us), ("wait", channel), ("wake", channel), ("mark", text)."""

    def __init__(self, tid, name, tgid, program, weight=1):
        self.tid, self.name, self.program, self.weight = tid, name, program, weight
        self.tgid = tgid
        self.left = 0           # us of CPU time until its next step
        self.cpu = None
        self.since = 0


class Machine:
    def __init__(self, seed):
        self.random = Random(seed)
        self.now = 0
        self.lines, self.queue, self.events, self.count = [], [], [], 0
        self.running = [None] * CPUS
        self.waiting = {}       # channel: task
        self.pending = set()    # channels woken before anybody waited
        self.tasks = []

    def at(self, when, what, *args):
        self.count += 1
        heapq.heappush(self.events, (when, self.count, what, args))

    def line(self, cpu, event, flags="d..3"):
        task = self.running[cpu]
        name, tid, tgid = (task.name, task.tid, "(%5d)" % task.tgid) if task else ("<idle>", 0, "(-----)")
        us = START + self.now
        self.lines.append("%16s-%-5d %s [%03d] %s %d.%06d: %s" % (name, tid, tgid, cpu, flags, us // 10 ** 6, us % 10 ** 6, event))

    def add(self, task, delay=0):
        self.tasks.append(task)
        self.at(delay, self.wake_timer, task)

    # ---- the events as text; perfettostory.py writes packets

    def write_wake(self, cpu, task, target, flags):
        self.line(cpu, "sched_waking: comm=%s pid=%d prio=120 target_cpu=%03d" % (task.name, task.tid, target), flags)
        self.now += 2
        self.line(cpu, "sched_wakeup: comm=%s pid=%d prio=120 target_cpu=%03d" % (task.name, task.tid, target), flags)

    def write_switch(self, cpu, old, new, state):
        name = lambda t: (t.name, t.tid) if t else ("swapper/%d" % cpu, 0)
        self.line(cpu, "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d "
                  "next_prio=120" % (name(old) + (state,) + name(new)))

    def write_mark(self, cpu, text):
        self.line(cpu, "tracing_mark_write: " + text, "...1")

    # ---- who runs

    def wake(self, task, cpu, flags="d..3"):
        target = next((c for c in range(CPUS) if self.running[c] is None), task.tid % CPUS)
        self.write_wake(cpu, task, target, flags)
        self.queue.append(task)
        self.at(self.now + 5, self.fill)

    def wake_timer(self, task):
        """An interrupt of the timer, on whatever CPU."""
        self.wake(task, task.tid % CPUS, "d.h3")

    def wake_disk(self, task):
        self.wake(task, 0, "d.s3")

    def switch(self, cpu, new, state):
        old = self.running[cpu]
        self.write_switch(cpu, old, new, state)
        if old:
            old.cpu = None
        self.running[cpu] = new
        if new:
            new.cpu, new.since = cpu, self.now
            self.at(self.now + new.left, self.step, new, self.now)
            self.at(self.now + SLICE, self.tick, new, self.now)

    def fill(self):
        for cpu in range(CPUS):
            if self.running[cpu] is None and self.queue:
                self.switch(cpu, self.take(), "R")
        busy = [c for c in range(CPUS) if self.running[c] and self.running[c].weight > 1]
        if busy and any(t.weight == 1 for t in self.queue):
            cpu = min(busy, key=lambda c: self.running[c].since)
            self.preempt(self.running[cpu])

    def preempt(self, task):
        task.left = max(1, task.left - (self.now - task.since))
        cpu = task.cpu
        self.queue.append(task)
        self.switch(cpu, self.take(), "R")

    def take(self):
        """Light tasks first, as the kernel does for those that sleep a lot."""
        best = min(range(len(self.queue)), key=lambda i: (self.queue[i].weight, i))
        return self.queue.pop(best)

    def leave(self, cpu, state):
        self.switch(cpu, self.take() if self.queue else None, state)

    def tick(self, task, since):
        """Its time is up, if others wait."""
        if task.cpu is None or task.since != since:
            return
        if not self.queue:
            self.at(self.now + SLICE, self.tick, task, since)
            return
        self.preempt(task)

    # ---- what it does

    def step(self, task, since):
        if task.cpu is None or task.since != since or self.now - task.since < task.left:
            return
        cpu = task.cpu
        for what, arg in task.program:
            if what == "run":
                task.left, task.since = arg, self.now
                self.at(self.now + arg, self.step, task, self.now)
                self.at(self.now + SLICE, self.tick, task, self.now)
                return
            if what == "mark":
                self.write_mark(cpu, arg)
                self.now += 1
            elif what == "wake":
                self.now += 1
                if arg in self.waiting:
                    self.wake(self.waiting.pop(arg), cpu)
                else:
                    self.pending.add(arg)
            elif what == "do":
                arg(cpu, task)
                self.now += 1
            elif what == "wait":
                if arg in self.pending:
                    self.pending.discard(arg)
                    continue
                self.waiting[arg] = task
                task.left = 5
                self.leave(cpu, "S")
                return
            else:
                task.left = 5
                self.at(self.now + arg, self.wake_disk if what == "disk" else self.wake_timer, task)
                self.leave(cpu, "D" if what == "disk" else "S")
                return

    def go(self, end=END):
        while self.events and self.events[0][0] < end:
            when, _, what, args = heapq.heappop(self.events)
            self.now = max(self.now, when)
            what(*args)


# ---- the story --------------------------------------------------------------------------

def main_thread(random):
    frame = 0
    while True:
        yield "wait", "vsync"
        frame += 1
        yield "mark", "B|4100|doFrame"
        yield "run", 1500 + random.below(900)
        if frame % 24 == 12:
            yield "mark", "B|4100|Settings.get"
            yield "mark", "B|4100|lock contention on Settings lock (owner tid: 4118)"
            yield "wake", "load"
            yield "wait", "settings"
            yield "mark", "E|4100"
            yield "run", 300
            yield "mark", "E|4100"
        yield "run", 1200 + random.below(600)
        yield "mark", "B|4100|draw"
        yield "run", 700
        yield "wake", "render"
        yield "mark", "E|4100"
        yield "mark", "E|4100"


def worker(random):
    while True:
        yield "wait", "load"
        yield "mark", "B|4100|Settings.load"
        yield "run", 400
        yield "mark", "B|4100|read settings.xml"
        for _ in range(3):
            yield "disk", 9000 + random.below(4000)
            yield "run", 250
        yield "mark", "E|4100"
        yield "mark", "B|4100|parse"
        yield "run", 5200
        yield "mark", "E|4100"
        yield "mark", "E|4100"
        yield "wake", "settings"
        yield "run", 100


def render(random):
    while True:
        yield "wait", "render"
        yield "mark", "B|4100|DrawFrame"
        yield "run", 2200 + random.below(1200)
        yield "wake", "compose"
        yield "mark", "E|4100"


def surfaceflinger(random):
    while True:
        yield "wait", "compose"
        yield "run", 900 + random.below(400)


def vsync(random):
    while True:
        yield "sleep", 16667 - 60
        yield "run", 40
        yield "wake", "vsync"
        yield "run", 10


def encoder(random, n):
    """Busy when the camera has something: the first second and a half except for pauses."""
    while True:
        yield "mark", "B|4200|encode"
        yield "run", 30000 + random.below(90000)
        yield "mark", "E|4200"
        yield "sleep", 4000 + random.below(30000) + 5000 * n


def camera(random):
    while True:
        yield "sleep", 33333
        yield "run", 1800 + random.below(500)


def disk_thread(random):
    while True:
        yield "sleep", 20000 + random.below(30000)
        yield "run", 60
        yield "disk", 600 + random.below(900)
        yield "run", 30


def sleeper(period, length):
    while True:
        yield "run", length
        yield "sleep", period


def story():
    m = Machine(20)
    r = m.random
    m.add(Task(4100, "main", 4100, main_thread(r)))
    m.add(Task(4117, "RenderThread", 4100, render(r)))
    m.add(Task(4118, "Worker", 4100, worker(r), 2))
    m.add(Task(610, "surfaceflinger", 610, surfaceflinger(r)))
    m.add(Task(623, "DispSync", 610, vsync(r)), 1000)
    for n in range(4):
        m.add(Task(4210 + n, "Encoder %d" % (n + 1), 4200, encoder(r, n), 2), 5000 + 40000 * n)
    m.add(Task(4203, "CameraLoop", 4200, camera(r)), 2500)
    m.add(Task(71, "kworker/0:1", 71, disk_thread(r)), 3000)
    m.add(Task(7, "rcu_preempt", 7, sleeper(11000, 25)), 700)
    m.add(Task(4104, "HeapTaskDaemon", 4100, sleeper(700000, 60)), 9000)
    m.add(Task(4103, "FinalizerDaemon", 4100, sleeper(900000, 40)), 12000)
    m.add(Task(4106, "Binder:4100_1", 4100, sleeper(600000, 90)), 15000)
    m.add(Task(4107, "Binder:4100_2", 4100, sleeper(3000000, 50)), 16000)
    m.add(Task(402, "logd", 402, sleeper(250000, 110)), 4000)
    m.go()
    return "# tracer: nop\n#\n" + "\n".join(m.lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(story())
