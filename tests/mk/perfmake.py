#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfmake.py small|headers|events|switches|gone|odd|lost|lines|simpleperf|wall_equal|...|seed=N - output of perf script, to standard output.

seed=N is a random file in one of the forms that perf scripts come in.
"""
import random
import sys

SMALL = """# ========
# captured on: Wed Aug 15 16:01:24 2018
# ========
#
java 24636/25607 [000] 4794564.109216: 10 cycles:u: 
\tffffffff8160bd4f sys_read+0x1f ([kernel.kallsyms])
\t    7f3c2010a2b4 Lorg/acme/Io;::read+0x44 (/tmp/perf-24636.map)
\t    7f3c2010b000 Lorg/acme/Main;::step(I)V->Lorg/acme/Deep;::dive+0x10 (/tmp/perf-24636.map)
\t    7f3c20ffffff [unknown] (/usr/lib/libjvm.so)
\t           5b0a1 main (/usr/bin/java)

java 24636/25608 [001] 4794564.109300: 7 cycles:u: 
\t    7f3c2010a2b4 Lorg/acme/Io;::read+0x44 (/tmp/perf-24636.map)
\t           5b0a1 main (/usr/bin/java)

rustc 301/301 [001] 4794564.209300: 5 cycles:u: 
\t    55aa00001000 _$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef+0x8 (/usr/bin/rustc)
\t    55aa00001000 std::shared_ptr<Node>::operator->() const (/usr/bin/rustc)
\t    55aa00001000 (anonymous namespace)::run(int, char) (/usr/bin/rustc)
\t    55aa00001000 gone+0x8 (/usr/lib/gone.so (deleted))
\t    55aa00001000 [unknown] ([unknown])

V8 WorkerThread 25 25607 [002] 4794564.309300: 3 cycles:u: 
\t  401b97 Builtin:"quoted';name (/tmp/perf-9.map)
\t  401b94 github.com/acme/pkg.(*T).Run (/usr/bin/node)
not a frame
"""

HEADERS = """java 25607 4794564.109216: 1 cycles:
\t 1 a (/x)

java 12688 [002] 6544038.708352: 235 cycles:
\t 1 b (/x)

V8 WorkerThread 25607 6544038.708353000: 2 cycles:
\t 1 c (/x)

java 24636/25607 [000] 6544039.1: 1 cycles:
\t 1 d (/x)

java 19983 cycles:
\t 1 e (/x)

firefox  7564/7564  6544040.839818:          1 cycles: 
\t 1 f (/x)

Gecko\t25122 [007] 6544041.936601:\t\t1000000 cycles:
\t 1 g (/x)

x 5 6544042.000000: 4 cycles:
\t 1 h (/x)

no frames 77 6544042.000000: 8 cycles:

perf 1/1 6544042.100000: PERF_RECORD_COMM exec: java:123/123
java 1/9 6544043.000000: cycles:
\t 1 i
"""

EVENTS = """aa 1/1 [000] 1.000000: 250000 cpu-clock:uhH: 
\t 1 f (/x)

aa 1/1 [000] 1.000100: 500 instructions:u: 
\t 1 g (/x)
\t 1 f (/x)

bb 2/2 [000] 1.000200: 500000 cpu-clock:uhH: 
\t 1 g (/x)

bb 2/2 [000] 1.000300: page-faults: 
\t 1 h (/x)

aa 1/1 [000] 1.000400: 700 instructions:u: 
\t 1 f (/x)
"""

SWITCHES = """java 10/33233 [020] 5.873080: sched:sched_switch: prev_comm=a prev_pid=1 prev_pid=33233 prev_prio=120 prev_state=S ==> next_comm=sw next_pid=0 next_prio=120
\tffffffff81000001 schedule ([kernel.kallsyms])
\t    7f0000000001 wait (/x)

swapper 0/0 [020] 5.873083: sched:sched_switch: prev_comm=swapper/20 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=java next_pid=33233 next_prio=120
\tffffffff81000001 schedule ([kernel.kallsyms])

java 10/33233 [021] 5.873100: sched:sched_switch: java:33233 [120] D ==> other:7 [120]
\tffffffff81000001 schedule ([kernel.kallsyms])
\t    7f0000000002 read (/x)

other 7/7 [021] 5.873251: sched:sched_switch: other:7 [120] R ==> java:33233 [120]
\tffffffff81000001 schedule ([kernel.kallsyms])
\t    7f0000000003 spin (/x)

java 10/33233 [021] 5.873300: sched:sched_switch: prev_comm=java prev_pid=33233 prev_prio=120 prev_state=S ==> next_comm=sw next_pid=0 next_prio=120
\tffffffff81000001 schedule ([kernel.kallsyms])
"""

GONE = """a 10 [000] 1.000000: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=b next_pid=11 next_prio=120
\tffffffff81000001 schedule+0x1 ([kernel.kallsyms])
  core.c:6012
\t    7f0000000001 wait+0x2 (/x)
  [x][7f0000000001]

:-1    -1 [000] 1.000100: sched:sched_switch: prev_comm=b prev_pid=11 prev_prio=120 prev_state=X ==> next_comm=a next_pid=10 next_prio=120
\tffffffff81000001 schedule+0x1 ([kernel.kallsyms])
  core.c:6012

a 10 [000] 1.000300: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=c next_pid=12 next_prio=120
\tffffffff81000001 schedule+0x1 ([kernel.kallsyms])
  core.c:6012

:-1 -1/-1 [000] 1.000500: sched:sched_switch: prev_comm=c prev_pid=12 prev_prio=120 prev_state=X ==> next_comm=a next_pid=10 next_prio=120
\tffffffff81000001 schedule+0x1 ([kernel.kallsyms])

a 10 [000] 1.000600: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=R ==> next_comm=d next_pid=13 next_prio=120

d 13 [000] 1.001000: sched:sched_switch: prev_comm=d prev_pid=13 prev_prio=120 prev_state=S ==> next_comm=a next_pid=10 next_prio=120
\tffffffff81000001 schedule+0x1 ([kernel.kallsyms])
"""

ODD = """node 1/1 [000] 1.000000: 5 cycles: 
\t 1 LazyCompile:*f /a/b.js:10:3 (/tmp/perf-1.map)
\t 2 Lorg/acme/Io;::read (/tmp/perf-1.map)
\t 3 g(int) (/tmp/a (b).so)
\t 4 h(int) (/tmp/a(b)
\t 5 java.lang.String.hashCode ([JIT app cache])
\t 6 k ([kernel.kallsyms]) <= 7 m (/x)

"""

LOST = """a 1/1 [000] 1.000000: 5 cycles: 
\t 1 f (/x)

a 1/1 [000] 1.000100: PERF_RECORD_LOST lost 12
a 1/1 [000] 1.000200: PERF_RECORD_MMAP2 1/1: [0x1(0x2) @ 0 08:01 1 2]: r-xp /x lost 9
a 1/1 [000] 1.000300: PERF_RECORD_LOST lost 3

"""

LINES = """           false 39654 19115.489713:          1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])
           false 39654 19115.489719:          1 cycles:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)
              dd 39655 19115.489819:          3 cycles:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)
"""

SIMPLEPERF = """Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:
        b3cea6c4\tLock::unlock() (/system/lib/libc.so)
        b3cea535\tshould_trace() (/system/lib/libc.so)

Gecko\t25122 [007] 115539.937601:\t\t2000000 task-clock:u:
        b3cea535\tshould_trace() (/system/lib/libc.so)

"""

# Names that were cut: three lambdas, operators, one function of two modules; what a JIT inlined, marks, names of Rust.
WHOLE = """app 1/1 [000] 1.000001: 3 cycles: 
\t 10 main::{lambda(int)#1}::operator()(int) const+0x1 (/bin/app)
\t 11 std::function<void (int)>::operator()(int) const+0x1 (/bin/app)
\t 12 main+0x2 (/bin/app)

app 1/1 [000] 1.000002: 5 cycles: 
\t 20 main::{lambda(int)#2}::operator()(int) const+0x1 (/bin/app)
\t 21 std::function<void (char)>::operator()(char) const+0x1 (/bin/app)
\t 12 main+0x2 (/bin/app (deleted))

app 1/1 [000] 1.000003: 7 cycles: 
\t 30 main::{lambda(int)#3}::operator()(int) const+0x1 (/bin/app)
\t 31 (anonymous namespace)::Fn::operator<<(int) const+0x1 (/bin/app)
\t 32 Ptr::operator->() const+0x1 (/bin/app)
\t 33 _start+0x1 (/lib/ld.so)

app 1/1 [000] 1.000004: 11 cycles: 
\t 40 _$LT$T$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef+0x1 (/bin/app)
\t 41 static Foo.bar(Swift.Int) -> Swift.String+0x1 (/bin/app)
\t 42 La/B;::run->inner->leaf+0x1 (/tmp/jitted-1-2.so)
\t 43 vm_fn+0x1 (/usr/lib/debug/vmlinux-5.4.0-42-generic)
\t 44 (/usr/lib/lib c.so)
\t 33 _start+0x1 (/bin/app)

"""
# perf script -F comm,ip,sym
ALONE = """two words
\t    7f0000001000 (anonymous namespace)::hot(int)
\t    7f0000001001 main

app
\t    7f0000001001 main

"""

NAMES = ("read", "write", "Lorg/acme/Foo;::bar", "a->b->c", "std::vector<int, std::alloc>::push_back(int const&)", "[unknown]",
         "pkg.(*T).Run", "(bad)", "operator()(int)", "x;y", "it's", "\"q\"", "(anonymous namespace)::f(int)", "a b c", "L/",
         "do_it+0x", "foo+0x1f", "_ZN3foo17h0123456789abcde", "core..fmt$LT$T$GT$::fmt::h0123456789abcdef", "\xe9t\xe9", "a(b",
         "vmlinux_main", "deep.isra.0", "Interpreter", "~x", "a  b")
MODULES = ("[kernel.kallsyms]", "/usr/lib/libc.so.6", "/tmp/perf-12.map", "[unknown]", "/boot/vmlinux", "[vdso]", "/usr/bin/a b",
           "//anon", "inlined", "/tmp/perf-x.map", "/x/perf-12.map")
COMMS = ("java", "swapper", "V8 WorkerThread", "a", "kworker/0:1", "java", "my app", "C2 CompilerThre", "x-1", "[k]")
EVENT_NAMES = ("cycles:u", "instructions", "cpu-clock", "page-faults:u")


# Fields pid,tid,event: no names.
NAMELESS = """ 4409/4409           1      page-faults: 
\t    7f00 main+0x1 (/bin/x)

14409/14410          3      page-faults: 
\t    7f08 run+0x1 (/bin/x)
\t    7f00 main+0x1 (/bin/x)

"""
# perf script -D
DUMPED = """
0x248@perf.data [0xd0]: event: 9
.
. ... raw event: size 208 bytes
.  0000:  45 00 00 00 00 00 d0 00 06 00 00 00 00 00 00 00  E...............

1 37964818568 0x318 [0x58]: PERF_RECORD_SAMPLE(IP, 0x1): 4409/4409: 0x7f00 period: 1 addr: 0
... FP chain: nr:1
.....  0: 0000000000007f00
 ... thread: x:4409
x  4409  37964.818568:          1 cpu-clock: 
\t            7f00 main+0x1 (/bin/x)

"""
# The first event is rare.
RARE = "x 7 1.0: 1 faults:\n\tf main (/x)\n\n" + "x 7 2.0: 1 cpu-clock:\n\tf main (/x)\n\n" * 10


def wall(*threads):
    """A profile of wall-clock time: each thread has a sample a tick, of functions in turn."""
    out = []
    for tick in range(10):
        for i, (name, functions) in enumerate(threads):
            out.append("%s 500/%d 1.%06d: 10000000 wall-clock: \n\t 10 %s+0x1 (/bin/app)\n\t 11 loop+0x1 (/bin/app)\n\t 12 start_thread+0x1 (/lib/libc.so.6)\n\n"
                       % (name, 500 + i, tick * 10000, functions[tick % len(functions)]))
    return "".join(out)


WORKER = ("futex_wait",) * 4 + ("epoll_wait",) * 3 + ("price", "price", "render")
# Workers that mostly wait; the same with a thread that works; ...; all wait.
WALL_EQUAL = wall(("server", ("pthread_join",)), *(("worker-%d" % i, WORKER) for i in range(4)))
WALL_BUSY = wall(("server", ("pthread_join",)), ("indexer", ("merge",)), *(("worker-%d" % i, WORKER) for i in range(3)))
# One of 40 threads works, the others are in a system call of a new glibc, which has no frame of the function that waits.
WALL_MANY = wall(("cruncher", ("merge",)), *(("pool-%d" % i, ("__syscall_cancel_arch_end",)) for i in range(39)))
WALL_WAITS = wall(("server", ("pthread_join",)), ("worker-0", ("futex_wait",)))


def randomly(seed):
    """Return a random text that the oracle can read, too: its regular expressions want names of two bytes."""
    r = random.Random(seed)
    form, out = r.randrange(4), []
    if r.random() < 0.3:
        out.append("# captured by nobody\n#\n")
    events = EVENT_NAMES[:r.randrange(1, 5)]
    time = r.randrange(10 ** 12)
    for _ in range(r.randrange(1, 60)):
        time += r.randrange(10 ** 6)
        comm = r.choice([c for c in COMMS if len(c) > 1])
        ids = "%d" % r.randrange(1, 99) if form % 2 else "%d/%d" % (r.randrange(1, 9), r.randrange(1, 99))
        cpu = " [%03d]" % r.randrange(8) if form < 3 else ""
        period = " %10d" % r.choice((0, 1, 250000, 77)) if r.random() < 0.9 else ""
        out.append("%s %6s%s %d.%06d: %s %s: \n" % (comm, ids, cpu, time // 10 ** 6, time % 10 ** 6, period, r.choice(events)))
        for _ in range(r.choice((0, 1, 2, 5, 9))):
            offset = "+0x%x" % r.randrange(1, 999) if r.random() < 0.5 else ""
            out.append("\t%16x %s%s (%s)\n" % (r.randrange(1 << 44, 1 << 47), r.choice(NAMES), offset, r.choice(MODULES)))
        if r.random() < 0.05:
            out.append("\tTHIS_IS_NO_FRAME\n")
        out.append("\n")
    text = "".join(out)
    # A line without its end would be damage, were it no frame.
    return text if r.random() < 0.7 or not text.endswith(")\n\n") else text.rstrip("\n")


def main(a):
    what = a[1]
    if what.startswith("seed="):
        data = randomly(int(what[5:])).encode("utf-8", "surrogateescape")
    else:
        data = globals()[what.upper()].encode("utf-8")
    sys.stdout.buffer.write(data)


if __name__ == "__main__":
    main(sys.argv)
