#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""idlemake.py FILE [WORKERS [PARKED [SEED]]] - writes a method trace with two clocks, most of whose threads do nothing.

In one second main and WORKERS (default 2) threads work; PARKED (4) wait in a pool.  Next to workers are threads just
within the limits of an idle thread and just beyond: 1 % of the second on a CPU, 95 % of the time in stacks that wait for work;
and threads that wait for something else all the time.  With a SEED all threads are random, near these limits.
"""
import random
import struct
import sys

SECOND = 1000000
METHODS = {0x10: ("app.Main", "main"), 0x14: ("app.Looper", "loop"), 0x18: ("app.Looper", "poll"), 0x1c: ("app.Work", "step"),
           0x20: ("app.Work", "draw"), 0x24: ("java.lang.Thread", "run"), 0x28: ("java.util.concurrent.ThreadPoolExecutor", "getTask"),
           0x2c: ("java.util.concurrent.locks.LockSupport", "park"), 0x30: ("app.Binder", "talk"),
           0x34: ("java.util.concurrent.locks.ReentrantLock", "lock"), 0x38: ("java.util.Timer", "work")}
MAIN, LOOP, POLL, STEP, DRAW, RUN, TASK, PARK, TALK, LOCK, TIMER = METHODS


class Thread:
    def __init__(self, name):
        self.name = name
        self.records = []     # (wall, id | action, cpu)

    def call(self, method, begin, end, inner=()):
        """begin, end: (wall, cpu); inner: what makes the calls within."""
        self.records.append((begin[0], method, begin[1]))
        for make in inner:
            make()
        self.records.append((end[0], method | 1, end[1]))
        return self


def worker(name, method, cpu):
    """Turns of 100 ms: work, then a wait."""
    t = Thread(name)

    def turns():
        for i in range(10):
            wall, done, work = i * 100000, i * cpu // 10, 40000 + 5000 * i
            t.call(method, (wall + 1000, done), (wall + 1000 + work, done + cpu // 10))
            t.call(POLL, (wall + 2000 + work, done + cpu // 10), (wall + 99000, done + cpu // 10))
    return t.call(LOOP, (0, 0), (SECOND, cpu), [turns])


def parked(name, wall, longest, cpu, begin=0, method=PARK, task=TASK):
    """For wall us, longest of them in one stack; the rest in another one before it."""
    t = Thread(name)
    end = (begin + wall, cpu)
    park = (begin + wall - longest, cpu)
    return t.call(RUN, (begin, 0), end, [lambda: t.call(task, park, end, [lambda: t.call(method, park, end)])])


def between(name, cpu):
    """On a CPU outside of all calls."""
    return Thread(name).call(RUN, (0, 50), (20, 50)).call(RUN, (500000, 50 + cpu), (500020, 50 + cpu))


def story(workers, many):
    threads = [worker("main", DRAW, 200000)]
    threads += [worker("worker %d" % (i + 1), STEP, 300000 - 50000 * i) for i in range(workers)]
    threads += [parked("Binder:77_%d" % (i + 1), SECOND - 10 * i, SECOND - 50 - 10 * i, 40 + i) for i in range(many)]
    if workers == 0:
        return threads
    threads.append(parked("just idle", SECOND, 950000, 9999))
    threads.append(parked("1 % on a CPU", SECOND, 950000, 10000))
    threads.append(parked("just not waiting", SECOND, 949999, 9999))
    threads.append(parked("in a call of the program", SECOND, SECOND, 40, 0, PARK, TALK))
    threads.append(parked("the lock of a queue", SECOND, SECOND, 40, 0, LOCK, TASK))
    threads.append(parked("in a library", SECOND, SECOND, 40, 0, PARK, TIMER))
    return threads + [parked("one sample", 0, 0, 0, 500000)]


def near_limits(seed):
    r = random.Random(seed)
    threads = [worker("main", DRAW, 200000)]
    for i in range(r.randrange(1, 30)):
        wall = r.choice((0, 1, 20, 100, 1000, 20000, 600000))
        longest = max(0, min(wall, wall * 95 // 100 + r.randrange(-1, 2)))
        cpu = r.choice((0, 1, 9999, 10000, 10001))
        ways = ((PARK, TASK), (PARK, TIMER), (PARK, TALK), (LOCK, TIMER), (TALK, TASK))
        threads.append(parked("t%d" % i, wall, longest, cpu, r.randrange(SECOND - wall), *r.choice(ways)))
    for cpu in (9999, 10000):
        threads.append(between("%d between calls" % cpu, cpu))
    return threads


def main(argv):
    numbers = [int(v) for v in argv[2:]]
    threads = near_limits(numbers[2]) if len(numbers) > 2 else story(*(numbers + [2, 4][len(numbers):]))
    text = "*version\n3\ndata-file-overflow=false\nclock=dual\nelapsed-time-usec=%d\nclock-call-overhead-nsec=100\nvm=art\npid=1\n" % SECOND
    text += "*threads\n" + "".join("%d\t%s\n" % (i + 1, t.name) for i, t in enumerate(threads))
    text += "*methods\n" + "".join("0x%x\t%s\t%s\t()V\t\n" % (k, *v) for k, v in METHODS.items()) + "*end\n"
    records = [(wall, tid + 1, at, method, cpu) for tid, t in enumerate(threads) for at, (wall, method, cpu) in enumerate(t.records)]
    with open(argv[1], "wb") as out:
        out.write(text.encode() + b"SLOW" + struct.pack("<HHQH", 3, 32, 5000000, 14) + bytes(14))
        for wall, tid, _, method, cpu in sorted(records, key=lambda r: (r[0], r[1], r[2])):
            out.write(struct.pack("<HIII", tid, method, cpu, wall))


main(sys.argv)
