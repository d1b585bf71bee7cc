#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sidemake.py DIR - writes small traces, and the other files about them:
thread dumps of every form, lists of threads, mapping files of R8.
"""
import gzip
import os
import struct
import sys

out = "."


def put(name, data):
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    with open(os.path.join(out, name), "wb") as f:
        f.write(data)


def trace(threads, methods, records):
    """A method trace, version 3, both clocks; records: (tid, method, action, time)."""
    text = "*version\n3\ndata-file-overflow=false\nclock=dual\nelapsed-time-usec=1000\n"
    text += "num-method-calls=%d\nclock-call-overhead-nsec=100\nvm=art\npid=100\n*threads\n" % len(
        records)
    text += "".join("%d\t%s\n" % t for t in threads) + "*methods\n"
    text += "".join("0x%x\t%s\n" % m for m in methods) + "*end\n"
    head = b"SLOW" + struct.pack("<HHQH", 3, 32, 5000000, 14)
    body = b"".join(struct.pack("<HIII", tid & 0xffff, m | a, t, t) for tid, m, a, t in records)
    return text.encode("utf-8", "surrogateescape") + head.ljust(32, b"\0") + body


def spans(tids, method):
    """One call of 10 us on each thread."""
    recs = []
    for i, tid in enumerate(tids):
        recs += [(tid, method, 0, 100 * i), (tid, method, 1, 100 * i + 10 + i)]
    return recs


# ---- threads ----------------------------------------------------------------------

TIDS = [100, 101, 102, 103, 104, 105, 106, 65636 + 7]
COMMS = ["main", "java", "java", "C2 CompilerThre", "Signal Catcher", "dw-17", "worker\tof tabs",
         "high"]

HEAD = "2024-03-27 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (%s mixed mode):\n\n"
STACK = "\tat a.b.C.run(C.java:1)\n\t- locked <0x1> (a b.C)\n\n   Locked ownable synchronizers:\n\t- None\n\n"


def dumps():
    put("jdk5.txt", HEAD % "1.5.0_06-b05" +
        '"main" prio=1 tid=0x08256e88 nid=0x64 in Object.wait() [0xa967c000..0xa967c1c0]\n' + STACK +
        '"TimerQueue" daemon prio=1 tid=0x1 nid=0x65 runnable [0x0..0x0]\n\n')
    put("jdk8.txt", HEAD % "25.91-b14" +
        '"main" #1 prio=5 os_prio=0 tid=0x7f nid=0x64 runnable [0x7f]\n'
        "   java.lang.Thread.State: RUNNABLE\n" + STACK +
        '"dw-17 "quoted" #3" #19 daemon prio=5 os_prio=0 tid=0x7f nid=0x65 '
        "waiting on condition [0x7f]\n   java.lang.Thread.State: WAITING (parking)\n" + STACK +
        '"VM Thread" os_prio=0 tid=0x7f nid=0x66 runnable \n\nJNI global references: 5\n')
    put("jdk21.txt", HEAD % "21.0.2" +
        '"main" #1 [100] prio=5 os_prio=0 cpu=336.25ms elapsed=1.34s allocated=54522K '
        "defined_classes=2237 tid=0x1 nid=100 runnable  [0x1]\n"
        "   java.lang.Thread.State: RUNNABLE\n" + STACK +
        '"ForkJoinPool-1-worker-1" #65 [101] daemon prio=5 os_prio=31 cpu=3.9ms tid=0x2  [0x3]\n'
        "   Carrying virtual thread #206\n" + STACK +
        '"virt" #206 [101] virtual\n' + STACK +
        '"" #207 virtual\n\n'
        '"G1 Service" os_prio=0 cpu=5.1ms elapsed=5.2s tid=0x5 nid=102 runnable  \n\n'
        "JNI global refs: 5, weak refs: 0\n\n"
        "Found one Java-level deadlock:\n=============================\n"
        '"A":\n  waiting to lock monitor 0x1 (object 0x2, a T),\n  which is held by "B"\n\n'
        '"B":\n  waiting for ownable synchronizer 0x3, (a T),\n  which is held by "A"\n\n'
        "Java stack information for the threads listed above:\n"
        '===================================================\n"A":\n' + STACK + '"B":\n' + STACK +
        "Found 1 deadlock.\n")
    put("tops.txt", HEAD % "17" +
        '"main" #1 prio=5 tid=0x1 nid=0x64 in Object.wait()\n'
        "   java.lang.Thread.State: WAITING (on object monitor)\n"
        "\tat java.base@17.0.1/java.lang.Object.wait!(Native Method)\n\t- waiting on <0x1>\n"
        "\tat com.example.Queue.take(Queue.java:5)\n\n"
        '"none" #2 tid=0x1 nid=0x65 runnable\n\n'
        '"app" #3 tid=0x1 nid=0x66 runnable\n\tat app//com.example.Loop.<init>(Unknown Source)\n\n'
        '"Worker" #4 tid=0x1 nid=0x1016 waiting\n\tat java.util.concurrent.Queue.poll(Queue.java:9)\n\n')
    put("twice.txt", HEAD % "17" +
        '"first" #1 prio=5 tid=0x1 nid=0x64 runnable\n\n"kept" #2 prio=5 tid=0x1 nid=0x65 runnable\n\n'
        '"clash" #4 prio=5 tid=0x1 nid=0x66 runnable\n\n"clash too" #5 tid=0x1 nid=0x66 runnable\n\n' +
        HEAD % "17" +
        '"second" #3 prio=5 tid=0x1 nid=0x64 runnable\n\n"kept" #2 prio=5 tid=0x1 nid=0x65 sleeping\n\n')
    put("jmx.txt", HEAD.replace("\n", "\r\n") % "11.0-b15" +
        '"C2 CompilerThread0" - Thread t@254\r\n   java.lang.Thread.State: RUNNABLE\r\n\r\n'
        '"dw-17" id=3149 in RUNNABLE (running in native)\r\n\tat a.b.C.run(C.java:1)\r\n\r\n'
        '"Signal Catcher" id=7 in WAITING\r\n\r\n')
    put("tofile.txt", "100\n2024-03-27T10:00:00Z\n21.0.2+13\n\n"
        '#9 "Signal Catcher"\n      java.base/a.b.C.run(C.java:1)\n\n#21 "v" virtual\n')
    put("anr.txt", "----- pid 100 at 2021-01-25 17:33:59 -----\nCmd line: com.app\n\n"
        '"main" prio=5 tid=1 Sleeping\n  | group="main" sCount=1 dsCount=0 obj=0x1 self=0x2\n'
        "  | sysTid=100 nice=-10 cgrp=default sched=0/0 handle=0x3\n"
        "  | state=S schedstat=( 1 2 3 ) utm=1 stm=2\n  at a.b.C.run(C.java:1)\n\n"
        '"Jit thread pool worker thread 0" daemon prio=5 tid=2 Native (still starting up)\n'
        '  | group="" sCount=1\n  | sysTid=103 nice=9\n  kernel: __switch_to+0x94/0xa0\n\n'
        '"Binder:100_1" prio=5 tid=9 Native\n  | sysTid=104 nice=0\n\n----- end 100 -----\n')
    put("javacore.txt", "0SECTION       TITLE subcomponent dump routine\nNULL           =======\n"
        "1LKDEADLOCK    Deadlock detected !!!\n2LKDEADLOCKTHR  Thread \"main\" (0x0000000000020200)\n"
        "1XMCURTHDINFO  Current thread\n"
        '3XMTHREADINFO      "main" J9VMThread:0x20200, omrthread_t:0x7F, java/lang/Thread:0x7, state:CW, prio=5\n'
        "3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)\n"
        "3XMTHREADINFO1            (native thread ID:0x64, native priority:0x5, vmstate:CW)\n"
        "4XESTACKTRACE                at a/b/C.run(C.java:1(Compiled Code))\n"
        '3XMTHREADINFO      "dw-17 - GET "/x"" J9VMThread:0x20300, j9thread_t:0x7F, state:R, prio=5\n'
        "3XMTHREADINFO1            (native thread ID:0x65, native priority:0xB, vmstate:R)\n"
        "3XMTHREADINFO      Anonymous native thread\n"
        "3XMTHREADINFO1            (native thread ID:0x66, native priority: 0x0, native policy:UNKNOWN)\n"
        '3XMTHREADINFO      "old" (TID:0x000CC100, sys_thread_t:0x3D5600, state:B, native ID:0x67) prio=5\n')
    with open(os.path.join(out, "jdk21.txt"), "rb") as f:
        text = f.read().decode()
    put("utf16.txt", text.replace("\n", "\r\n").encode("utf-16-le"))
    with open(os.path.join(out, "dump.txt.gz"), "wb") as f:
        f.write(gzip.compress(text.encode(), mtime=0))
    put("hostile.txt", '"a\x1b[31m;b\u202e" #1 tid=0x1 nid=0x64 run\x07ning [0x1]\n'
        '"' + "long" * 5000 + '" #2 nid=0x65\n"no end #3 nid=0x66\n"" #4 nid=0x67 runnable\n'
        '"huge" #5 nid=0xffffffffffffffffff runnable\n"over" #6 nid=99999999999999999999999\n'
        '"nul\0in" #7 nid=0x68 x\0y\n" #8 nid=0x69\n"\n""\n')


def lists():
    put("ps.txt", "    TID COMMAND\n    100 main\n    101 two words\n    103 C2 CompilerThre\n")
    put("ps-default.txt", "    PID TTY          TIME CMD\n    100 pts/0    00:00:01 main\n    102 ?        00:00:00 two words\n")
    put("ps-pid.txt", "  PID     TID CMD\n  100     100 main\n  100     102 [kworker/0:1]\n")
    put("android.txt", "USER PID TID PPID VSZ RSS WCHAN ADDR S CMD\n"
        "u0 100 100 1 5 5 0 0 S com.app\nu0 100 104 1 5 5 0 0 S Signal Catcher\n")
    put("tabs.txt", "100\tmain\n101\tname of  blanks \n102\t\ttab\nno line\n")
    put("proc.txt", "/proc/100/task/100/comm:main\n/proc/100/task/102/comm:two words\n")
    put("stat.txt", "101 (a) b) S 1 2 3\n102 (plain) R 1 2 3\n")


def samples():
    """A profile of threads of which two have one name, and one a name longer than Linux keeps."""
    threads = [("java", 100), ("java", 101), ("C2 CompilerThread0", 102), ("worker", 103), ("Reference Handler", 104)]
    put("perf.txt", "".join("%s 100/%d 1.00000%d: 1 cpu-clock:\n\tffff main (/bin/x)\n\n" % (name, tid, i)
                            for i, (name, tid) in enumerate(threads)))
    put("others.txt", "999 somebody\n998 else\n")
    put("top.txt", "    PID COMMAND\n    100 main\n    102 C2 CompilerThr+\n    104 Reference Handl\n")


# ---- mapping ------------------------------------------------------------------------

METHODS = [
    (0x10, "a.a\ta\t(La/b;I)V\tSourceFile"),
    (0x14, "a.a\ta\t([La/b;)La/b;\tSourceFile"),
    (0x18, "a/a\tb\t()V\tSourceFile"),
    (0x1c, "a.a\tc\t()V\tSourceFile\t12"),
    (0x20, "a.b\ta\t()V\tSourceFile"),
    (0x24, "a.b\tzz\t()V\tSourceFile"),
    (0x28, "java.lang.Object\tnotify\t()V\tObject.java"),
    (0x2c, "a.b\tm\t(La/b;)V\tSourceFile"),
    (0x30, "a.b\t<init>\t()V\tSourceFile"),
    (0x34, "a.a\ta\t(Z)V\tSourceFile"),
    (0x38, "a.c\tp\t()V\tSourceFile\t7"),
]

MAPPING = """# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.app.Main -> a.a:
# {"id":"sourceFile","fileName":"Main.java"}
    int size -> a
    com.app.Other[] list -> a
    1:4:void draw(com.app.Other,int):10:13 -> a
    1:2:com.app.Other pick(com.app.Other[]):20:21 -> a
    1:3:void first():30:32 -> b
    4:6:void second():40:42 -> b
    1:5:void early():50:54 -> c
    10:14:void com.app.Helper.inner():70 -> c
    10:14:void late():60:64 -> c
com.app.Other -> a.b:
    void run() -> a
    1:1:void com.app.Base.moved():5:5 -> m
      # {"id":"com.android.tools.r8.residualsignature","signature":"(La/b;)V"}
    2:2:void stays():6:6 -> m
      # {"id":"com.android.tools.r8.residualsignature","signature":"()V"}
    1:3:void <init>():1:3 -> <init>
com.app.Gone -> R8$$REMOVED$$CLASS$$12:
    12:14:void kept() -> zz
com.app.Unused -> a.c:
    6:8:void asItWas() -> p
    9:9:int inlinedHere(int) -> p
this line is none
java.lang.Object -> java.lang.Object:
"""


def mapping():
    put("mapping.txt", MAPPING)
    put("mapping-crlf.txt", MAPPING.replace("\n", "\r\n"))
    recs = []
    t = 0
    for m, _ in METHODS:
        recs += [(100, m, 0, t), (100, m, 1, t + 10)]
        t += 20
    put("renamed.trace", trace([(100, "main")], METHODS, recs))
    put("renamed.folded", "main;a.a.a;a.b.a 5\nmain;a/b.a_[j];a/b:::m 3\nmain;none;x.y 2\n")
    put("renamed.nano.txt", "100:void a.a.a(a.b, int)\n200:a.b a.a.a(a.b[])\n300:void a.a.a(long)\n"
        "400:void a.b.a()\n500:POP\n600:POP\n")
    put("mapping-lines.txt", "com.app.Main -> a.b:\n# {\"id\":\"sourceFile\",\"fileName\":\"Main.kt\"}\n"
        "    1:3:void start():10:12 -> a\n    4:4:void helper(int):20 -> a\n    4:4:void stop():30 -> a\n"
        "    5:6:void com.app.Other.moved():40:41 -> a\n")
    put("lines.folded", "a.b.a:1 1\na.b.a:4 2\na.b.a(SourceFile:2) 3\na.b.a(SourceFile) 4\na.b.a(SourceFile:5) 5\n"
        "a.b.a:99 6\na.b.a 7\na/b.a:6_[j] 8\na.b::12 9\na.b.a(x 10\na.b.a: 11\n(a.b.a:1) 12\na.b.a:99999999999999999999 13\n")
    put("mapping-odd.txt", "x -> y\n -> :\nA -> \n -> a.a:\na.a -> a.a:\n    -> a\n    void -> a\n"
        "    1:void x() -> a\n    1:2:3:void x() -> a\n    void x( -> a\n"
        "    99999999999999999999:1:void x():1:2:3 -> a\n    5:1:void back():9:3 -> a\n"
        "  # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"\n"
        "com.x.Y -> a.b:\ncom.x.Z -> a.b:\n    void \x1b[31m;\u202e() -> a\n")


# ---- a service: a profile, its thread dump, who ran when ----------------------------------

SERVICE = [(901, "main"), (902, "C2 CompilerThread0"), (903, "dw-17"), (904, "dw-18 - GET /hello")]
STACKS = {
    901: [["start_thread", "Main.run"]],
    902: [["start_thread", "CompileBroker::loop", "C2Compiler::compile_method", "Parse::do_call"],
          ["start_thread", "CompileBroker::loop", "PhaseIdealLoop::build"]],
    903: [["start_thread", "Server.handle", "Resource.get", "ch.qos.logback.classic.Logger.info", "write"],
          ["start_thread", "Server.handle", "Json.write"]],
    904: [["start_thread", "Server.handle", "Filter.log", "ch.qos.logback.classic.Logger.info"]],
    905: [["start_thread", "VMThread::run"]],
}


def service():
    perf, now = "", 0
    for tid in STACKS:
        for i, stack in enumerate(STACKS[tid]):
            for _ in range(i + 2):
                perf += "java   900/%d [001] 10.%06d:     1000 cycles: \n" % (tid, now)
                perf += "".join("\t    7f00 %s+0x1c (/x/lib.so)\n" % f for f in reversed(stack)) + "\n"
                now += 100
    put("service.perf.txt", perf)
    put("service.dump.txt", HEAD % "17" + "".join(
        '"%s" #%d prio=5 os_prio=0 tid=0x7f nid=0x%x runnable [0x7f]\n' % (name, tid, tid) + STACK
        for tid, name in SERVICE))
    sched, now = "# tracer: nop\n", 100
    for i in range(30):
        tid, gone = SERVICE[i % 4][0], SERVICE[(i + 3) % 4][0]
        now += 10 + 37 * (i % 5)
        sched += "            java-%d  [002] d..3    5.%06d: sched_switch: prev_comm=java prev_pid=%d " % (
            gone, now, gone)
        sched += "prev_prio=120 prev_state=S ==> next_comm=java next_pid=%d next_prio=120\n" % tid
    put("service.sched.txt", sched)


def main():
    global out
    out = sys.argv[1]
    put("threads.trace", trace(list(zip(TIDS, COMMS)), METHODS, spans(TIDS, 0x10)))
    dumps()
    lists()
    samples()
    mapping()
    service()


if __name__ == "__main__":
    main()
