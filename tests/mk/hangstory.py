#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""hangstory.py - the stack dumps of the demo: four kill -3 dumps in the log of a booking service that hangs.

The workers of the HTTP pool want the price list.  Worker 4 holds its lock and waits for an answer of the exchange-rate server,
which never comes.  A report thread copies rows between two ledgers while a transfer does the same the other way round: these
two are in a deadlock, which the virtual machine reports, but it delays only one thread more.  The indexer burns CPU.  The other threads wait
for work.  Always the same bytes.
"""
import sys

START = 4 * 3600 + 11 * 60 + 7      # s of the day of the first dump
STEP = 5                            # s between dumps
DUMPS = 4
WORKERS, SLOW = 16, 4
PRICES, CUSTOMERS, LEDGER_A, LEDGER_B = 0x7100a1f20, 0x7100a1f48, 0x7100b3010, 0x7100b3038
QUEUE, MAILBOX = 0x7100c0f08, 0x7100c1e30

POOL = ["java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@17.0.9/ThreadPoolExecutor.java:1136)",
        "java.util.concurrent.ThreadPoolExecutor$Worker.run(java.base@17.0.9/ThreadPoolExecutor.java:635)",
        "java.lang.Thread.run(java.base@17.0.9/Thread.java:840)"]
SERVE = ["com.example.booking.Http.serve(Http.java:71)", *POOL]
PARK = ["jdk.internal.misc.Unsafe.park(java.base@17.0.9/Native Method)", "- park %s",
        "java.util.concurrent.locks.LockSupport.park(java.base@17.0.9/LockSupport.java:341)",
        "java.util.concurrent.LinkedBlockingQueue.take(java.base@17.0.9/LinkedBlockingQueue.java:435)",
        "java.util.concurrent.ThreadPoolExecutor.getTask(java.base@17.0.9/ThreadPoolExecutor.java:1062)"]
READ = ["sun.nio.ch.SocketDispatcher.read0(java.base@17.0.9/Native Method)",
        "sun.nio.ch.NioSocketImpl.read(java.base@17.0.9/NioSocketImpl.java:355)",
        "java.net.Socket$SocketInputStream.read(java.base@17.0.9/Socket.java:966)"]
RATES = ["com.example.booking.Rates.fetch(Rates.java:44)", "com.example.booking.Prices.reload(Prices.java:88)", "- hold prices",
         "com.example.booking.Prices.of(Prices.java:61)", "com.example.booking.Booking.quote(Booking.java:102)", *SERVE]
NAMES = {"prices": (PRICES, "com.example.booking.Prices"), "customers": (CUSTOMERS, "com.example.booking.Customers"),
         "a": (LEDGER_A, "com.example.booking.Ledger"), "b": (LEDGER_B, "com.example.booking.Ledger"),
         "queue": (QUEUE, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"),
         "mail": (MAILBOX, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject")}
WORDS = {"hold": "locked", "want": "waiting to lock", "park": "parking to wait for "}
INDEX = ["com.example.booking.Index.merge(Index.java:212)", "com.example.booking.Index.add(Index.java:140)",
         "com.example.booking.Index.run(Index.java:57)", "java.lang.Thread.run(java.base@17.0.9/Thread.java:840)"]
LOG = ("INFO  booking.Http    request 4711 accepted", "WARN  booking.Http    queue is full, 320 requests wait",
       "INFO  booking.Health  readiness probe failed: no answer within 1 s")


def clock(s):
    return "%02d:%02d:%02d" % (s // 3600, s // 60 % 60, s % 60)


class Dump:
    def __init__(self, number):
        self.number, self.lines, self.id = number, [], 10

    def thread(self, name, state, frames, cpu, word="", daemon=False, number=None):
        """A thread: the frames begin innermost; "- hold NAME" is a line on a lock."""
        self.id += 1
        n = self.id if number is None else number
        head = '"%s"%s%s prio=5 os_prio=0 cpu=%.2fms elapsed=%.2fs tid=0x00007f20%06x nid=0x%x %s  [0x00007f1f%06x]' % (
            name, "" if n == 0 else " #%d" % n, " daemon" if daemon else "", cpu, 3600.5 + STEP * self.number, 0x1000 + n * 64, 0x5d00 + n + 1,
            word or ("runnable" if state == "RUNNABLE" else "waiting for monitor entry" if state.startswith("BLOCKED") else "waiting on condition"),
            0x100 * n)
        self.lines += [head] + (["   java.lang.Thread.State: " + state] if state else [])
        for f in frames:
            if f.startswith("- "):
                what, lock = f[2:].split(" ")
                key, cls = NAMES[lock]
                self.lines.append("\t- %s <0x%016x> (a %s)" % (WORDS[what], key, cls))
            else:
                self.lines.append("\tat " + f)
        self.lines.append("")

    def vm(self, name, cpu):
        self.thread(name, "", [], cpu, "runnable", number=0)


def park(lock):
    return [f.replace("%s", lock) for f in PARK]


def dump(k):
    d = Dump(k)
    d.thread("main", "TIMED_WAITING (sleeping)", ["java.lang.Thread.sleep(java.base@17.0.9/Native Method)",
                                                  "com.example.booking.Main.main(Main.java:33)"], 812.4, "waiting on condition", number=1)
    for w in range(1, WORKERS + 1):
        name = "http-worker-%d" % w
        if w == SLOW:
            d.thread(name, "RUNNABLE", READ + RATES, 140.2)
        elif w <= 12:
            d.thread(name, "BLOCKED (on object monitor)", ["com.example.booking.Prices.of(Prices.java:60)", "- want prices",
                                                           "com.example.booking.Booking.quote(Booking.java:102)", *SERVE], 90.0 + w)
        elif w <= 14:
            d.thread(name, "BLOCKED (on object monitor)", ["com.example.booking.Customers.find(Customers.java:29)", "- want customers",
                                                           "com.example.booking.Booking.confirm(Booking.java:140)", *SERVE], 70.0 + w)
        elif w == 15:
            d.thread(name, "BLOCKED (on object monitor)", ["com.example.booking.Prices.of(Prices.java:60)", "- want prices",
                                                           "com.example.booking.Customers.discount(Customers.java:75)", "- hold customers",
                                                           "com.example.booking.Booking.confirm(Booking.java:143)", *SERVE], 81.5)
        else:
            d.thread(name, "WAITING (parking)", park("queue") + POOL, 55.0, "waiting on condition")
    for n in range(1, 5):
        d.thread("mailer-%d" % n, "WAITING (parking)", park("mail") + POOL, 3.1, "waiting on condition", daemon=True)
    d.thread("transfer", "BLOCKED (on object monitor)", ["com.example.booking.Ledger.add(Ledger.java:18)", "- want b",
                                                         "com.example.booking.Ledger.move(Ledger.java:41)", "- hold a",
                                                         "java.lang.Thread.run(java.base@17.0.9/Thread.java:840)"], 12.0)
    d.thread("monthly-report", "BLOCKED (on object monitor)", ["com.example.booking.Ledger.add(Ledger.java:18)", "- want a",
                                                               "com.example.booking.Ledger.copy(Ledger.java:66)", "- hold b",
                                                               "java.lang.Thread.run(java.base@17.0.9/Thread.java:840)"], 34.0)
    d.thread("audit", "BLOCKED (on object monitor)", ["com.example.booking.Ledger.sum(Ledger.java:80)", "- want a",
                                                      "com.example.booking.Audit.run(Audit.java:22)",
                                                      "java.lang.Thread.run(java.base@17.0.9/Thread.java:840)"], 1.5)
    d.thread("indexer", "RUNNABLE", INDEX[k % 2:], 61000.0 + 4900.0 * k)
    for name, cpu in (("VM Thread", 402.0), ("G1 Main Marker", 12.3), ("VM Periodic Task Thread", 88.0)):
        d.vm(name, cpu)
    return d.lines


def deadlock():
    lock = "  waiting to lock monitor 0x00007f1ff800%04x (object 0x%016x, a com.example.booking.Ledger),"
    return ["Found one Java-level deadlock:", "=============================", '"transfer":', lock % (0x2a00, LEDGER_B),
            '  which is held by "monthly-report"', "", '"monthly-report":', lock % (0x2b00, LEDGER_A), '  which is held by "transfer"', "",
            "Java stack information for the threads listed above:", "===================================================", "Found 1 deadlock.", ""]


def main():
    out = []
    for k in range(DUMPS):
        now = START + STEP * k
        out += ["2026-03-02 %s %s" % (clock(now - 2), LOG[k % len(LOG)]), "2026-03-02 " + clock(now),
                "Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):", ""]
        out += dump(k) + ["JNI global refs: 24, weak refs: 0", ""] + deadlock()
    sys.stdout.write("\n".join(out) + "\n")


main()
