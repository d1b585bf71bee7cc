# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Stack dumps: a log with dumps of 3000 threads, and a dump of a million goroutines, beside counting their lines; for bench.py."""
import os
import random
import statistics

THREADS = 3000
POOLS = ("http-nio-8080-exec", "pool-3-thread", "ForkJoinPool.commonPool-worker", "kafka-coordinator", "db-pool")
KINDS = 60                    # different stacks
QUERIES = ("identical_stacks | count", "pools | count", "findings | count", "thread_changes | count")
MOVES = ("j", "j", " ", "j", "k", "b", "G", "g")
PANES = (("Blocked", MOVES, "2"), ("Threads", MOVES, "3"), ("Identical stacks", MOVES, "4"), ("Pools", MOVES, "8"))


def java_stacks(rnd):
    out = []
    for k in range(KINDS):
        frames = ["\tat com.example.app%d.Service%d.handle%d(Service%d.java:%d)\n" % (k % 7, k, i, k, 20 + i) for i in range(rnd.randint(3, 14))]
        out.append("".join(frames) + "\tat java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@17.0.9/ThreadPoolExecutor.java:1136)\n"
                   "\tat java.lang.Thread.run(java.base@17.0.9/Thread.java:840)\n")
    return out


def java_log(path, size):
    rnd, written, at = random.Random(3), 0, 0
    stacks = java_stacks(rnd)
    heads = ('"%s-%d" #%d daemon prio=5 os_prio=0 cpu=%d.25ms elapsed=%d.50s tid=0x00007f%08x nid=0x%x %s  [0x00007f1200000000]\n'
             "   java.lang.Thread.State: %s\n")
    with open(path, "w", encoding="ascii") as f:
        while written < size:
            dump = ["2026-03-02 %02d:%02d:%02d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):\n\n" % (
                at // 3600 % 24, at // 60 % 60, at % 60)]
            for t in range(THREADS):
                held = t % 10 == 3
                state = ("waiting for monitor entry", "BLOCKED (on object monitor)") if held else ("runnable", "RUNNABLE")
                dump.append(heads % (POOLS[t % 5], t, t + 10, t * 7 + at, 100 + at, t * 256, t + 1000, *state))
                stack = stacks[(t * 31 + at * (t % 3)) % KINDS]
                cut = stack.index("\n") + 1
                dump += [stack[:cut], "\t- waiting to lock <0x0000000700%06x> (a com.example.Lock)\n" % (t % 4)] if held else [stack[:cut]]
                dump += [stack[cut:], "\n"]
            dump.append("JNI global refs: 9, weak refs: 0\n\n")
            written += f.write("".join(dump))
            at += 5


def go_dump(path, goroutines):
    rnd = random.Random(4)
    stacks = ["".join("main.(*Server%d).step%d(0xc000%%06x, {0x%%x, 0x3})\n\t/src/app/server%d.go:%d +0x%x\n" % (k, i, k, 10 + i, 16 + i)
                      for i in range(rnd.randint(1, 4))) for k in range(KINDS)]
    states = ("chan receive", "select", "IO wait", "sync.Mutex.Lock", "chan send")
    with open(path, "w", encoding="ascii") as f:
        for g in range(goroutines):
            stack = stacks[g * 17 % KINDS]
            f.write("goroutine %d [%s, %d minutes]:\n%screated by main.main in goroutine 1\n\t/src/app/main.go:44 +0x1d\n\n" % (
                g + 1, states[g % 5], g % 90, stack % ((g, g * 3) * (stack.count("%") // 2))))


def measure(b, cost, runs, name, path):
    """Load and queries: CPU time, which includes that of the system, beside counting lines."""
    size = os.path.getsize(path) / 1e6
    lines, load = [], []
    for _ in range(runs):
        lines.append(cost("wc", "-l", path)[0])
        load.append(cost(b.icecore, "--no-index", "-e", "thread_dumps | count", path)[0])
    name = "%s, %d MB: " % (name, size)
    opened = statistics.median(load)
    b.row(name + "load, of CPU time", size / opened, "MB/s", 200, at_least=True)
    b.row(name + "load, times as long as wc -l", opened / statistics.median(lines), "")
    for query in QUERIES:
        seconds = statistics.median(cost(b.icecore, "--no-index", "-e", query, path)[0] for _ in range(runs))
        b.row(name + query.split()[0] + ", after the load", max(0.0, seconds - opened), "s", 1)
    b.row(name + "anonymous memory", b.anonymous(path, "thread_dumps | count"), "MiB")


def bench_dumps(b, cost, keys, runs, megabytes, goroutines):
    """cost, keys: of bench.py."""
    path = os.path.join(b.scratch, "dumps.txt")
    for name, make, amount in (("stack dumps of Java", java_log, megabytes * 1000000), ("a stack dump of Go", go_dump, goroutines)):
        make(path, amount)
        measure(b, cost, runs, name, path)
        keys(b, path, PANES, name + ": ")
        os.unlink(path)
