#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfdemo.py [SEED] - the demo profile, as perf script prints it: a web server in Java under load, to standard output.

Worker threads, the compiler, the collector; kernel, JIT and native frames; two events.
"""
import random
import sys

JAVA = "/tmp/perf-4711.map"
JVM = "/usr/lib/jvm/libjvm.so"
LIBC = "/usr/lib/libc.so.6"
KERNEL = "[kernel.kallsyms]"
START = [("start_thread", LIBC), ("thread_native_entry", JVM), ("JavaThread::run", JVM)]
CALLS = [("call_stub", "/tmp/perf-4711.map"), ("java.lang.Thread::run", JAVA)]
SERVE = CALLS + [("org.shop.http.Worker::loop", JAVA), ("org.shop.http.Worker::serve", JAVA)]
SHOW = SERVE + [("org.shop.web.TicketPage::show", JAVA)]
BUY = SERVE + [("org.shop.web.OrderPage::buy", JAVA)]
LOG = [("org.slf4j.Logger::info", JAVA), ("ch.qos.logback.classic.Logger::log", JAVA),
       ("ch.qos.logback.core.OutputStreamAppender::append", JAVA)]
WRITE = [("write", LIBC), ("entry_SYSCALL_64", KERNEL), ("sys_write", KERNEL), ("vfs_write", KERNEL)]

# Weight, thread, frames from the outermost on.
STACKS = (
    (60, "dw", SHOW + [("org.shop.web.Template::render", JAVA), ("java.lang.StringBuilder::append", JAVA)]),
    (25, "dw", SHOW + [("org.shop.web.Template::render", JAVA),
                       ("org.shop.web.Escape::html->java.lang.String::charAt", JAVA)]),
    (22, "dw", SHOW + [("org.shop.store.Tickets::find", JAVA), ("java.util.HashMap::get", JAVA)]),
    (18, "dw", SHOW + LOG + WRITE + [("ext4_file_write", KERNEL)]),
    (9, "dw", BUY + LOG + WRITE),
    (7, "dw", BUY + LOG + [("java.lang.String::format", JAVA)]),
    (30, "dw", BUY + [("org.shop.store.Orders::add", JAVA), ("org.shop.store.Orders::price", JAVA)]),
    (12, "dw", SERVE + [("org.shop.http.Parser::parse", JAVA), ("[unknown]", JAVA)]),
    (16, "dw", SERVE + [("read", LIBC), ("entry_SYSCALL_64", KERNEL), ("sys_read", KERNEL),
                        ("sock_read_iter", KERNEL), ("copy_user", KERNEL)]),
    (20, "C2 CompilerThre", START + [("CompileBroker::compiler_thread_loop", JVM), ("C2Compiler::compile_method", JVM),
                                     ("Compile::Optimize", JVM), ("PhaseIdealLoop::build_loop_late", JVM)]),
    (11, "C2 CompilerThre", START + [("CompileBroker::compiler_thread_loop", JVM), ("C2Compiler::compile_method", JVM),
                                     ("Compile::Code_Gen", JVM), ("PhaseChaitin::Split(unsigned int)", JVM)]),
    (6, "C1 CompilerThre", START + [("CompileBroker::compiler_thread_loop", JVM), ("Compilation::compile_method", JVM)]),
    (14, "GC Thread#0", START[:2] + [("GangWorker::loop", JVM), ("G1ParScanThreadState::copy_to_survivor_space", JVM)]),
    (8, "GC Thread#0", START[:2] + [("GangWorker::loop", JVM), ("memcpy", LIBC), ("page_fault", KERNEL)]),
    (3, "java", [("_start", "/usr/bin/java"), ("main", "/usr/bin/java"), ("JLI_Launch", "/usr/lib/libjli.so")]),
)
TIDS = {"java": (4711,), "dw": (4721, 4722, 4723, 4724), "C2 CompilerThre": (4715,), "C1 CompilerThre": (4716,),
        "GC Thread#0": (4712,)}


def main(argv):
    r = random.Random(int(argv[1]) if len(argv) > 1 else 6)
    bag = [s for s in STACKS for _ in range(s[0])]
    us = 1200000
    print("# ========\n# captured on: a machine that served tickets\n# cmdline : perf record -F 999 -g\n# ========\n#")
    for _ in range(900):
        us += r.randrange(900, 1200)
        _, comm, frames = r.choice(bag)
        tid = r.choice(TIDS[comm])
        name = "dw-%d-worker" % (tid - 4720) if comm == "dw" else comm
        fault = frames[-1][0] in ("page_fault", "copy_user") and r.randrange(2) == 0
        print("%s  4711/%d [%03d] %d.%06d: %10d %s: " % (
            name, tid, r.randrange(4), us // 1000000 + 5000, us % 1000000,
            1 if fault else r.randrange(900000, 1100000), "page-faults" if fault else "cpu-clock"))
        for i, (symbol, module) in reversed(list(enumerate(frames))):
            base = 0xffffffff81000000 if module == KERNEL else 0x7f0012340000
            print("\t%16x %s+0x%x (%s)" % (base + 0x1000 * i + len(symbol), symbol, 4 + len(symbol), module)
                  if symbol != "[unknown]" else "\t%16x %s (%s)" % (base + 0x1000 * i, symbol, module))
        print()


if __name__ == "__main__":
    main(sys.argv)
