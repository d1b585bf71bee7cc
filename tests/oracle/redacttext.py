#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""redacttext.py BUILD SCRATCH [FILE...] - texts that icecore redact wrote, as TAP: scheduler text, perf script, stack dumps.

Words of random letters stand wherever a made text may have words: what is private is looked for in the output, and answers are
compared.  FILES are real ones, whose answers are compared.
"""
import json
import os
import random
import re
import sys
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import sampled  # noqa: E402
from check import Tap  # noqa: E402

MODES = [(mode, names) for mode in ("shape", "stable") for names in ("keep", "hash", "hash-all")]
# Answers that do not depend on texts, by the kind of text.
SCHED = ("info | where field !~ /^(index|sha|path|file|marks.unknown|unread)/", "switches | select time cpu state from_id to_id", "wakeups | select time cpu task_id",
         "tasks | select tid pid cpu switches", "calls | select thread_id depth method_id total_wall", "counters | select points min max last pid")
PERF = ("info | where field !~ /^(index|sha|path|file|weight|unread[.]pair)/", "threads | select tid pid samples", "methods | count", "events | select samples weight")
# A masked banner is a line like any other.
DUMPS = ("info | where field !~ /^(index|sha|path|file|line_prefixes|program|runtime|version|thread dumps|unread.lines)/", "thread_dumps | select dump kind pid threads blocked deadlocks virtual latest",
         "threads | select dump state waiters waits known depth deadlock same tid cpu elapsed count queue daemon virtual cut group thread_id",
         "identical_stacks | select threads | sort threads", "deadlocks | count", "locks | select dump waiters signal_waiters latest", "blocked | count", "methods | count")


class Words:
    """Secrets: {t} is always private, {w} names a task, {n} is a name of the program, {c} a number that is text.

    {b} and {h} are numbers of cards with blanks and hyphens, {p} is one of a telephone.
    """

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.always, self.names = set(), set()
        self.same = {}

    def word(self, n):
        return "".join(self.dice.choice("bcdfghjkmnpqrtvwz") for _ in range(n))

    def digits(self, kind):
        """Of a card, any two groups that follow each other are private."""
        groups = ["%04d" % self.dice.randrange(1000, 10000) for _ in range(4)]
        mark = {"b": " ", "h": "-"}.get(kind)
        if mark is None:
            groups, mark = ["49%09d" % self.dice.randrange(10 ** 8, 10 ** 9)], ""
        self.always |= {mark.join(groups[i:i + 2]) for i in range(max(1, len(groups) - 1))}
        return mark.join(groups)

    def fill(self, text):
        def one(m):
            kind, key = m.group(1), m.group(2)
            if kind in "bhp":
                return self.digits(kind)
            if key and (kind, key) in self.same:
                return self.same[kind, key]
            got = self.word(9) if kind != "c" else "%d" % self.dice.randrange(4 * 10 ** 15, 5 * 10 ** 15)
            (self.names if kind == "n" else self.always).add(got)
            if key:
                self.same[kind, key] = got
            return got
        return re.sub(r"\{([twncbhp])(\d*)\}", one, text)


FTRACE = """# tracer: nop
#
# entries-in-buffer/entries-written: 20/20   #P:2
# hostname {t} {c}
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
          <idle>-0       [000] d..2   100.000001: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={w1} next_pid=7 next_prio=120
       {w1}-7       [000] d..2   100.000002: sched_waking: comm={w2} pid=8 prio=120 target_cpu=001
       {w1}-7       [000] d..2   100.000003: sched_wakeup: comm={w2} pid=8 prio=120 success=1 target_cpu=001
       {w1}-7       [000] d..2   100.000004: sched_switch: prev_comm={w1} prev_pid=7 prev_prio=120 prev_state=S ==> next_comm={w2} next_pid=8 next_prio=120
       {w2}-8       [000] d..2   100.000005: sched_stat_runtime: comm={t} pid=8 runtime=12345 [ns] vruntime=99 [ns] {t} {c}
       {w2}-8       [000] ....   100.000006: tracing_mark_write: B|8|{n}
       {w2}-8       [000] ....   100.000007: tracing_mark_write: E|8
       {w2}-8       [000] ....   100.000008: tracing_mark_write: C|8|{n}|5
       {w2}-8       [000] ....   100.000009: tracing_mark_write: S|8|{n1}|77
       {w2}-8       [000] ....   100.000010: tracing_mark_write: F|8|{n1}|77
       {w2}-8       [000] ....   100.000011: tracing_mark_write: Error: {t} password={t} card {c}
       {w2}-8       [000] ....   100.000012: tracing_mark_write: E{t} {c}
       {w2}-8       [000] ....   100.000013: tracing_mark_write: trace_event_clock_sync: {t}={c}
       {w2}-8       [000] ....   100.000014: tracing_mark_write: trace_event_clock_sync: parent_ts=5.25
       {w2}-8       [000] ....   100.000015: print: {t}: {t} 4{c}
       {w2}-8       [000] ....   100.000015: bprint: {t}: card={c} {n}={c}, {c} {t}={t}
       {w2}-8       [000] ....   100.000015: bputs: {c} {t}
       {w2}-8       [000] ....   100.000015: console: [    1.000000] {t} pin={c}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: B|8|{n}|{t}={t};{t}={c}|{t}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: E|8|{t}|{t}={t};{t}={c}|{t}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: C|8|{n}|5|{n}|{t}={c}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: C|8|{n}|5|user={t} card {c}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: C|8|{n}|5|x{c}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: C|8|{n}|5|a2{t}
       {w2}-8       [000] ....   100.000015: tracing_mark_write: I|8|{n}|{t}={c}
       {w2}-8       [000] ....   100.000015: print: B|8|{n}
{t}={t} {c}
       {w2}-8       [000] ....   100.000016: {n}: {n}=17 {n}=0x1f name={t} path=/home/{t}/{t} say "{t} {c}" {t}
       {w2}-8       [000] ....   100.000017: sched_process_exec: filename=/opt/{t}/{t} pid=8 old_pid=8
       {w2}-8       [000] d..2   100.000018: sched_switch: {t} {c}
       {w2}-8       [000] d..2   100.000019: sched_process_exit: comm={w2} pid=8 prio=120
       {w2}-8       [001] d..2   100.000020: cpu_frequency: state=1200000 cpu_id=1 {t} {c}
CPU:1 [LOST 12 EVENTS]
{t} a line of a log with {t} and {c}
{t}={t}
"""
OLD = """# tracer: nop
#
          <idle>-0     [001] d..2. 649562.112017: sched_switch:         swapper/1:0 [120] R ==> {w1}:100 [110]
       {w1}-100   [001] d..2. 649562.112019: sched_switch:         {w1}:100 [120] X ==> {w2} {w3}:114 [110]
   {w2} {w3}-114   [001] 649562.112026: sched_switch: 114:120:S ==> 100:120: {w1}
       {w1}-100   [000] d..2. 649562.122058: sched_wakeup:         {w2} {w3}:114 [120] success=1 CPU:000
       {w1}-100   [000] d..2. 649562.122059: sched_wakeup:         {w2} {w3}:114 [120] success=0 CPU:000 {t} {c}
version = 7
cpus=2
"""
TIMEHIST = """           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
   79371.874569 [0011]  {w1}[31949]                     0.014      0.000      1.148
   79371.874603 [0010]  {w2}[59/58]                     3.350      0.004      0.011  S  {t} <- {t} {c}
   79371.874723 [0005]  a [x] {w3}[31949/31900]         0.016      0.003      0.100  {t} <- {c}
"""
PERF_TEXT = """# ========
# hostname : {t}
# cmdline : /usr/bin/perf record -p {c} {t}
# ========
#
{w1} 24636/25607 [000] 4794564.109216: 10 cycles:u:
	ffffffff8160bd4f {n1}+0x1f ([kernel.kallsyms])
	    7f3c2010a2b4 {n2}::{n3}(int, {n})+0x44 (/home/{t1}/{t}/lib{n}.so)
	    7f3c20ffffff [unknown] (/usr/lib/lib{n}.so (deleted))
	           5b0a1 main (/usr/bin/{n})
  {n}.c:12
|12  {t} = "{t}"; // {c}

{w1} {w2} 24636/25608 [001] 4794564.109300: 7 cycles:u:
	    7f3c2010a2b4 {n2}::{n3}(int, {n})+0x44 (/home/{t1}/{t}/lib{n}.so)
	           5b0a1 main (/usr/bin/{n})

{t} is a stray line with {c}
{w1} 24636/25607 [000] 4794564.109317: PERF_RECORD_MMAP2 24636/24636: [0x7f(0x1000) @ 0 08:01 123 0]: r-xp /opt/{t}
{w1} 24636/25607 [000] 4794564.109318: PERF_RECORD_LOST lost 12
{w1} 24636/25607 [000] 4794564.109319: 10 syscalls:sys_enter_{n}: dfd: 0xffff, filename: {t}, "{t} {c}", count=12
	    7f3c2010b000 {n1} (/usr/bin/{n})

"""
HOTSPOT = """{t} a log of {t} with card {c}
2026-01-02 03:04:05
Full thread dump OpenJDK 64-Bit Server VM (17.0.8+7-{t} mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f0000000001, length=3, elements={
0x00007f0000000001
}

"{w1}" #1 prio=5 os_prio=0 cpu=12.50ms elapsed=3.00s tid=0x00007f01 nid=0x65 waiting for monitor entry  [0x00007f02]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at com.{n}.{n1}.{n2}({n}.java:1)
	- waiting to lock <0x0000000a> (a com.{n}.{n3})
	- locked <0x0000000b> (a com.{n}.{n3})
	at com.{n}.{n1}.main({n}.java:2)

"{w2} of {w3} 12" #3 daemon prio=5 tid=0x3 nid=0x66 waiting for monitor entry  [0x4]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at app//com.{n}.{n1}.{n2}(java.base@17.0.1/{n}.java:3)
	- waiting to lock <0x0000000b> (a com.{n}.{n3})
	- locked <0x0000000a> (a com.{n}.{n3})
	at com.{n}.{n1}$$Lambda$7/0x00000a.run(Unknown Source)

"{w4}" #4 daemon prio=5 tid=0x5 nid=0x67 waiting on condition  [0x6]
   java.lang.Thread.State: WAITING (parking)
	at jdk.internal.misc.Unsafe.park(java.base@17.0.1/Native Method)
	- parking to wait for  <0x0000000c> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
	at java.lang.Thread.run(Thread.java:1)

   Locked ownable synchronizers:
	- <0x0000000d> (a java.util.concurrent.ThreadPoolExecutor$Worker)

"{w5}" #5 prio=5 tid=0x7 nid=0x68 runnable  [0x8]
   java.lang.Thread.State: RUNNABLE
	at java.net.SocketInputStream.socketRead0(Native Method)
	at com.{n}.{n1}.{n2}({n}.java:9)
	{t} {t} {c}

JNI global refs: 12, weak refs: 3

Found one Java-level deadlock:
=============================
"{w1}":
  waiting to lock monitor 0x00007f01 (object 0x0000000a, a com.{n}.{n3}),
  which is held by "{w2} of {w3} 12"
"{w2} of {w3} 12":
  waiting to lock monitor 0x00007f02 (object 0x0000000b, a com.{n}.{n3}),
  which is held by "{w1}"

Java stack information for the threads listed above:
===================================================
"{w1}":
	at com.{t}.{n1}.{n2}({t}.java:1)

Found 1 deadlock.

{t} more of a log: {t} {c}
java.lang.IllegalStateException: {t} {c}
	at com.{t}.{t}({t}.java:12)
"""
INFO = """"{w1}" prio=5 Id=7 BLOCKED on com.{n}.{n1}@1f owned by "{w2} {w3}" Id=8
	at com.{n}.{n2}.x({n}.java:1)
	-  blocked on com.{n}.{n1}@1f
	...

"{w2} {w3}" daemon prio=5 Id=8 RUNNABLE (in native)
	at com.{n}.{n2}.y({n}.java:2)
	-  locked com.{n}.{n1}@1f

	Number of locked synchronizers = 1
	- java.util.concurrent.ThreadPoolExecutor$Worker@2e
"""
TOFILE = """77
2026-01-02T03:04:05.678Z
25.0.1+2-{t}

#1 "{w1}" BLOCKED 2026-01-02T03:04:05.700Z
    at java.base/com.{n}.{n1}.x({n}.java:1)
    - locked <com.{n}.{n2}@b>
    - waiting to lock <com.{n}.{n2}@a>

#9 "" virtual TIMED_WAITING 2026-01-02T03:04:05.701Z
    at java.base/java.lang.Thread.sleep(Thread.java:1)
"""
GO = """{t} log of {t} {c}
fatal error: all goroutines are asleep - deadlock! {t} {c}

goroutine 1 [chan receive (nil chan), 3 minutes]:
main.{n1}(0x1234567890, {0x2, 0x3})
	/home/{t}/{t}/{n}.go:10 +0x1d

goroutine 7 gp=0x1 m=3 mp=0x2 [sync.Mutex.Lock, 1 minutes, locked to thread]:
internal/sync.(*Mutex).lockSlow(0xc000a)
	/usr/local/go/{n}.go:1 +0x1 fp=0x1 sp=0x2 pc=0x3
main.(*{n2}[...]).{n3}(0x1?, {0x2, 0x3})
	/src/{n}.go:20
...additional frames elided...
created by main.{n} in goroutine 1
	/src/{n}.go:30 +0x2

goroutine 8 [running]: {"{t}":"{t} {c}"}:
main.{n1}(0x1)
	/src/{n}.go:11
{t}: {t} {c}

panic: {t} {c}

goroutine 9 [select]:
main.{n1}()
	/src/{n}.go:11
[originating from goroutine 8]:
main.{n1}(...)
	/src/{n}.go:12 +0x1

goroutine 10 [select, 2 minutes labels:{"{t}": "{t} {c}"}]:
main.{n1}()
 ??:0 +0x6d
"""
GO_COUNTS = """goroutine profile: total 9
7 @ 0x1 0x2
# labels: {"{t}":"{t} {c}"}
#	0x1	main.{n1}+0x1d	/home/{t}/{n}.go:10
#	0x2	main.main+0x2	/src/{n}.go:2

1 @ 0x3
#	0x3	main.(*{n2}).{n3}	/src/{n}.go:3
"""
GDB = """[New LWP 102]
warning: {t} {c}
Core was generated by `{t} --password={t} {c}'.
Program terminated with signal SIGSEGV, Segmentation fault.

Thread 2 (Thread 0x7f (LWP 102) "{w1}"):
#0  __lll_lock_wait (futex=futex@entry=0x1240 <{n1}>, private=0) at ./{n}.c:52
#1  0x00007f01 in ___pthread_mutex_lock (mutex=0x1240 <{n1}>) at
    ./{n}.c:93
#2  {n2} (name="{t} ({t}", n={c}, s=0x55 "{t} {c}") at /home/{t}/{n}.c:1
        n = {c}
        {t} = "{t}"
No locals.
#3  <signal handler called>
#4  {n2} (name="{t}",
    other="{t} {c}") at {n}.c:1
Backtrace stopped: {t} {c}

Thread 1 (LWP 101):
#0  0x00007f02 in operator()(int) const () from /home/{t}/lib{n}.so
#1  main (argc=12, argv={c}) at {n}.c:9

#0  poll ()
#1  main ()
"""
EU = """PID 101 - {t} --{t} {c}
TID 101:
#0  0x00007f01 - 1 pthread_cond_wait@@GLIBC_2.3.2 - /lib/libc.so.6
    ./{n}.c:503:12
#1  0x00007f02 {n1}
TID 102:
#0  0x00007f03 - /home/{t}/lib{n}.so
{t} {c}
"""
LLDB = """(lldb) process attach --name {t}
Process 101 stopped
* thread #1, name = '{w1}', stop reason = signal SIGSTOP
    frame #0: 0x00007f01 libc.so.6`read
(lldb) bt all
* thread #1, name = '{w1}', stop reason = signal SIGSTOP
  * frame #0: 0x00007f01 libc.so.6`___pthread_mutex_lock [inlined] lll_lock(mutex=0x0000000000001240) at {n}.c:48:7
    frame #1: 0x00007f02 {n}`{n1}(argc={c}, s="{t}") + 12 at {n}.c:2:3
  thread #2, queue = '{w2}'
    frame #0: 0x00007f03 libc.so.6`__GI___nanosleep + 20
{t} {c}
"""
PYSPY = """Process 101: python3 {t}.py --token={t} {c}
Python v3.11.2 (/home/{t}/python3.11)

Thread 101 (active+gil): "{w1}"
    {n1} ({n2}.py:3)
        Arguments:
            {t}: {c}
            {t}: "{t}"
    <module> ({n2}.py:9)
Thread 0x7F01 (idle): "{w2} (y)"
    wait (threading.py:320)
"""
FAULT = """Timeout (0:00:02)!
Thread 0x00007f01 [{w1}] (most recent call first):
  File "/home/{t}/{n1}.py", line 3 in {n2}
  File "/a/{n1}.py", line ??? in run
  ...

Current thread 0x00007f02 (most recent call first):
  <no Python frame>
  File "/a/{n1}.py", line 9 in <module>

Fatal Python error: {t} {c}

Thread 0x00007f01 [{w1}] (most recent call first):
  File "/a/{n1}.py", line 3 in {n2}
{t} {c}
"""
DOTNET = """Thread (0x65):
  [Native Frames]
  System.Private.CoreLib!System.Threading.Monitor.Wait(class System.Object,int32)
  {n1}!{n1}.{n2}.Main(class System.String[])

Thread (0x66):
  {n1}!{n1}.{n2}.{n3}()
"""
ART = """Subject: {t} ANR in {t} {c}
{t} of a log

----- pid 101 at 2026-01-02 03:04:05.678901234+0100 -----
Cmd line: com.{w9}.app
Build fingerprint: '{t}/{t}:{c}'
ABI: 'arm64'

suspend all histogram:	Sum: 1ms {t}
DALVIK THREADS (3):
"main" prio=5 tid=1 Blocked
  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x72a4b8f8 self=0xb400007a
  | sysTid=101 nice=-10 cgrp=top-app sched=0/0 handle=0x7f8f
  | state=S schedstat=( 100 200 30 ) utm=7 stm=8 core=1 HZ=100
  | stack=0x7fc0-0x7fc2 stackSize=8188KB
  | held mutexes=
  at com.{n1}.{n2}.{n3}({n}.java:10)
  - waiting to lock <0x0a1b2c3d> (a com.{n1}.{n2}) held by thread 8
  at java.lang.reflect.Method.invoke(Native method)

"{w1} of {w2}" daemon prio=5 tid=8 Native
  | group="{t}" sCount=1 dsCount=0 flags=1 obj=0x1 self=0x2
  | sysTid=108 nice=0 cgrp=default sched=0/0 handle=0x3
  native: #00 pc 000000000004a1b2  /apex/com.android.runtime/lib64/bionic/libc.so (syscall+28) (BuildId: a1b2c3d4e5f60718)
  native: #01 pc 0000000000071234  /data/app/~~{n}==/com.{n}/lib/arm64/lib{n}.so (offset 0x1000) ({n1}::{n}(int)+44)
  kernel: futex_wait_queue+0x60/0x90
  at com.{n1}.{n2}.{n}(unavailable:-1)
  - locked <0x0a1b2c3d> (a com.{n1}.{n2})
  {t} {c} {t}

"{w3}" prio=10 (not attached)
  | sysTid=109 nice=0 cgrp=default
  (no managed stack frames)

----- end 101 -----

{t} {c}
"""
KERNEL = """{t} a log of {t} {c}
[  604.123456] INFO: task {w1}:101 blocked for more than 120 seconds.
[  604.123457]       Tainted: G        W  {t} {c}
[  604.123458] task:{w1}          state:D stack:0     pid:101   tgid:101   ppid:2      task_flags:0x400040 flags:0x00004000
[  604.123459] Call Trace:
[  604.123460]  <TASK>
[  604.123461]  {n1}+0x3d1/0x8b0
[  604.123462]  ? {n2}+0x10/0x20 [{n3}]
[  604.123463]  {n2}+0x5/0x60 [{n3}]
[  604.123464]  </TASK>
[  604.123465] INFO: task {w1}:101 is blocked on a mutex likely owned by task {w2}:102.
[  604.123466] task:{w2}          state:S stack:0     pid:102   tgid:102   ppid:2      flags:0x00004000
[  604.123467] Call Trace:
[  604.123468]  [<ffffffff81234567>] {n1}+0x3d1/0x8b0
[  604.123469] RIP: 0033:0x7f12 {t} {c}
[  604.123470] {t}: {t} {c}
"""
JAVACORE = """NULL           ------------------------------------------------------------------------
0SECTION       TITLE subcomponent dump routine {t} {c}
NULL           ===============================
1TICHARSET     {t}
1TISIGINFO     Dump Event "systhrow" (00040000) Detail "java/lang/OutOfMemoryError" "{c} {t} {c}" received
1TIDATETIMEUTC Date: 2026/01/02 at 02:04:05:678 (UTC) {t}
1TIDATETIME    Date: 2026/01/02 at 03:04:05:678 {t} {c}
1TIFILENAME    Javacore filename:    /home/{t}/{t}/javacore.20260102.030405.{c}.0001.txt
1TIREQFLAGS    Request Flags: 0x81 {t}
0SECTION       GPINFO subcomponent dump routine
2XHHOSTNAME    Host: {t}.{t}.example
1HPTRUNK       {t} {c}
0SECTION       ENVINFO subcomponent dump routine
1CIJAVAVERSION JRE 17 Linux amd64-64 (build {t} {c})
1CICMDLINE     /home/{t}/bin/java -Dpassword={t} -Dcard={c} {t}
1CIJAVAHOMEDIR Java Home Dir:   /home/{t}/java
1CIUSERARGS    UserArgs:
2CIUSERARG               -Djava.home=/opt/{t}
2CIUSERARG               -D{t}={t}
1CIENVVARS     Environment Variables
2CIENVVAR      SECRET_{t}={t}
2CIENVVAR      HOME=/home/{t}
2CIENVVAR      CARD={c}
2CIENVVAR      3XMTHREADINFO="{t}"
2CIENVVAR      MANY={t}
{t} second line of a variable
0SECTION       MEMINFO subcomponent dump routine
1STHEAPTYPE    Object Memory {t} {c}
0SECTION       LOCKS subcomponent dump routine
1LKDEADLOCK    Deadlock detected !!! {t}
2LKDEADLOCKTHR  Thread "{w1}" (0x0000000000F1D100) {t}
3LKDEADLOCKWTR    is waiting for: {t}
4LKDEADLOCKMON      sys_mon_t:0x00007F5E24013F10 infl_mon_t: 0x00007F5E24013F88: {t}
4LKDEADLOCKOBJ      com/{n1}/{n2}@0x000000004D9EC0A8 {t}
3LKDEADLOCKOWN    which is owned by:
2LKDEADLOCKTHR  Thread "{w2} of {w3} 12" (0x0000000000F1D200)
4LKDEADLOCKOBJ      com/{n1}/{n2}@0x000000004D9EC098
2LKDEADLOCKTHR  Thread "{w1}" (0x0000000000F1D100)
4LKDEADLOCKOBJ      com/{n1}/{n2}@0x000000004D9EC0A8
2LKMONINUSE      sys_mon_t:0x1 {t}
3LKMONOBJECT       com/{t}/{t}@0x5: owner "{t}" {c}
0SECTION       THREADS subcomponent dump routine
1XMPOOLINFO    JVM Thread pool info: {t}
1XMCURTHDINFO  Current thread {t}
3XMTHREADINFO      "{w1}" J9VMThread:0x0000000000F1D100, omrthread_t:0x00007F, java/lang/Thread:0x4D, state:R, prio=5
4XESTACKTRACE                at com/{t}/{t}.{t}(Native Method)
1XMTHDINFO     Thread Details {t}
NULL
3XMTHREADINFO      "{w1}" J9VMThread:0x0000000000F1D100, omrthread_t:0x00007F, java/lang/Thread:0x4D, state:B, prio=5 {t} {c}
3XMJAVALTHREAD            (java/lang/Thread getId:0x13, isDaemon:false) {t} {c}
3XMJAVALTHRCCL            com/{t}/{t}(0x00000000E0012345)
3XMTHREADINFO1            (native thread ID:0x66, native priority:0x5, native policy:UNKNOWN, vmstate:B, vm thread flags:0x201) {t} {c}
3XMTHREADINFO2            (native stack address range from:0x1, to:0x2, size:0x3) {t}
3XMCPUTIME               CPU usage total: 0.250000000 secs, current category="{t}" {c}
3XMTHREADBLOCK     Blocked on: com/{n1}/{n2}@0x000000004D9EC0A8 Owned by: "{w2} of {w3} 12" (J9VMThread:0x0000000000F1D200, java/lang/Thread:0x5) {t}
3XMHEAPALLOC             Heap bytes allocated since last GC cycle={c} (0x1) {t}
3XMTHREADINFO3           Java callstack: {t}
4XESTACKTRACE                at com/{n1}/{n}.{n3}({n}.java:151(Compiled Code))
4XESTACKTRACE                at com/{n1}/{n}.run({n}.java:90)
5XESTACKTRACE                   (entered lock: com/{n1}/{n2}@0x000000004D9EC098, entry count: 1) {t} {c}
3XMTHREADINFO3           Native callstack:
4XENATIVESTACK               {t} (0x00007F5E2A0B1D2F [lib{t}.so+0x2ad2f])
3XMTHREADINFO      "{w2} of {w3} 12" J9VMThread:0x0000000000F1D200, omrthread_t:0x00007F, java/lang/Thread:0x4D, state:B, prio=5
3XMTHREADBLOCK     Blocked on: com/{n1}/{n2}@0x000000004D9EC098 Owned by: "{w1}" (J9VMThread:0x0000000000F1D100, java/lang/Thread:0x5)
4XESTACKTRACE                at com/{n1}/{n}.{n3}({n}.java:151)
5XESTACKTRACE                   (entered lock: com/{n1}/{n2}@0x000000004D9EC0A8, entry count: 1)
3XMTHREADINFO      "{w4} GET "/{w5}"" J9VMThread:0x0000000000F1D300, j9thread_t:0x7F, state:CW, prio=5
3XMTHREADBLOCK     Waiting on: java/lang/J9VMInternals$ClassInitializationLock@0x4D9EC400 Owned by: <unowned> Initializing thread: "{w1}"
4XESTACKTRACE                at java/lang/Object.wait(Native Method)
3XMTHREADINFO      "{w1}" J9VMThread:0x0000000000F1D100, state:B, prio=5
3XMTHREADINFO      "{t}" without an address {c}
3XMTHREADINFO      Anonymous native thread {t}
3XMTHREADINFO1            (native thread ID:0x6A, {t})
1XMTHDSUMMARY  Threads CPU Usage Summary {t}
0SECTION       CLASSES subcomponent dump routine
2CLTEXTCLLOADER         Loader com/{t}/{t}(0x1), Parent {t}
3CLTEXTCLASS                    com/{t}/{t}(0x2)
{t}: {t} {c}
"""
ERLANG = """=erl_crash_dump:0.5
Fri Jan  2 03:04:05 2026 {t}
Slogan: {t} terminating ({{badmatch,{t},{c}}}) {c}
System version: Erlang/OTP 25 [erts-13.1.5] [{t}] {t}
Compiled: {t} {c}
Taints: {t},{t}
Atoms: {c}
Calling Thread: scheduler:{t}
=scheduler:1
Current Process: {t}
=memory
total: {c}
processes: {t}
=proc:<0.9.0>
State: Waiting {c} {t}
Name: {w1}
Spawned as: {n1}:{n2}/3
Last scheduled in for: {t}:{t}/2
Spawned by: {t}
Started: {t} {c}
Message queue length: 3 {t} {c}
Number of heap fragments: {c}
Link list: [{t}, {t}]
Reductions: {c}
Arity = {c}
Program counter: 0x00007f01 ({n1}:{n3}/2 + 92) {t}
CP: 0x0 ({t}) {c}
{t}: {t}
=proc:<0.10.0>
State: Running
Message queue length: 0
Internal State: ACT_PRIO_NORMAL | {t}
=port:#Port<0.1>
Slot: {c}
Port controls linked-in driver: {t}
Name: {t}
State: {t}
=ets:<0.9.0>
Slot: {c}
Table: {t}
Named: {t}
=node:'{t}@{t}'
Name: '{t}@{t}'
Controller: {t}
=mod:{t}
Current size: {c}
=proc_dictionary:<0.9.0>
{t}:H7F01
=proc_messages:<0.9.0>
H7F02:H7F03 {t}
=proc_stack:<0.9.0>
0x00007f01:SReturn addr 0x7F02 ({n1}:{n}/3 + 8) {t}
y(0):A5:{t}
y1:I{c}
0x00007f03:SReturn addr 0x7F04 ('{n2}.{n3}':'-{n}/2-fun-0-'/1 + 96)
0x00007f05:SReturn addr 0x7F06 (<terminate process normally>) {t}
=proc_heap:<0.9.0>
7F02:lH7F04|A5:{t}
7F03:Yh10:{t}
7F04:t2:I{c},A5:{t}
=proc_stack:<0.10.0>
0x00007f07:SReturn addr 0x7F08 ({n1}:{n}/0 + 8)
=proc_stack:<0.77.0>
0x00007f09:SReturn addr 0x7F08 ({n1}:{n}/0 + 8)
=binary:7F05
C:{t}
=loaded_modules
{t}
=atoms
{t}
{t}
=end
{t} {c}
"""
# Secrets also in escapes, in members that nobody reads, in names of members, as numbers, twice, and where another value is expected.
DUMPFILE = """{
  "{t}": "{t} {c}", "format{t}": {c},
  "threadDump": {
    "processId": "77", "time": "2026-01-02T03:04:05.678Z {t}", "runtimeVersion": "25.0.1+2-{t}",
    "{t}": {"{t}": ["{t}", {c}, -{c}.5e+3, true, null, {"threads": "{t}", "name": "{t}"}]},
    "threadContainers": [
      {"container": "{w9}", "parent": "{t}", "owner": {c}, "threads": [
        {"tid": "1", "time": "{t}", "name": "{w1}", "name": "{t}", "state": "BLOCKED {t}", "blockedOn": "com.{n1}.{n2}@1f", "carrier": "{t}",
          "stack": ["java.base\\/com.{n}.{n1}.x({n}.java:1)", "com.{n}.{n1}$$Lambda\\/0x00a1.run(Unknown Source)", {"{t}": "{t}"}, {c}],
          "monitorsOwned": [{"depth": {c}, "{t}": "{t}", "locks": ["com.{n1}.{n2}@2a", null, 5]}]},
        {"tid": 2, "name": "{w2} of \\"{w3}\\" \\\\ 12", "state": "BLOCKED", "virtual": true, "stack": ["com.{n}.y({n}.java:2)"],
          "monitorsOwned": [{"depth": 1, "locks": ["com.{n1}.{n2}@1f"]}], "blockedOn": "com.{n1}.{n2}@2a"},
        {"tid": "3", "name": "{w4}\\n{w5}\\u0041{w6}", "state": "WAITING", "stack": [],
          "parkBlocker": {"object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@3b", "{t}": "{t}", "owner": "2"}},
        {"tid": "4", "name": "", "state": "{t}", "stack": ["com.{n}.{n1}\\u003cinit\\u003e({n}.java:2)"], "waitingOn": "com.\\u0041{n}@4c"},
        {"tid": "x{t}", "name": {c}, "state": {c}, "stack": ["{t} {t}", "xoxb-{t}7{t}"], "blockedOn": "{t}.{t}@{t}.example", "monitorsOwned": [{"depth": 1, "locks": ["{t}@{t}.example"]}], "parkBlocker": "{t}@{t}"},
        {"tid": "6", "name": true, "state": "RUNNABLE", "sta\\u0063k": ["{t}"]}
      ], "threadCount": "{c}"},
      {"container": "<{w8}>", "{t}\\n{t}": "{t}\\\\{t}\\n", "threads": []}
    ]
  }
}
{t} {c}
"""
BEANS = """{"{t}": "{t}", "{t}": {c}, "threads": [
{"threadName": "{w1}", "threadId": 7, "threadState": "BLOCKED", "daemon": false, "blockedTime": {c}, "blockedCount": -{c}, "lockName": "com.{n1}.{n2}@1f",
 "lockOwnerId": 8, "lockOwnerName": "{w2} {w3}", "lockInfo": {"className": "com.{t}.{t}", "identityHashCode": {c}, "{t}": "{t}"},
 "stackTrace": [{"classLoaderName": "{t}", "moduleName": "{t}", "moduleVersion": "{t}", "className": "com.{n1}.{n}", "methodName": "{n3}", "fileName": "{n}.java",
  "lineNumber": 1, "nativeMethod": false, "{t}": "{t}", "format": {c}}, {"className": "java.lang.Thread", "methodName": "run", "lineNumber": -2, "nativeMethod": true}]},
{"threadName": "{w2} {w3}", "threadId": 8, "threadState": "TIMED_WAITING", "daemon": true, "lockName": null, "lockOwnerId": -1, "{t}": ["{t}", ["{t}", {c}]],
 "stackTrace": [{"className": "com.{n1}.{n}$\\u003c{n}", "methodName": "{n3}", "fileName": "\\/home\\/{t1}\\/{n}.java", "lineNumber": "{t}", "nativeMethod": "{t}"}, "{t}"],
 "lockedMonitors": [{"className": "com.{n1}.{n2}", "identityHashCode": 31, "lockedStackDepth": {c}, "lockedStackFrame": {"className": "{t}", "methodName": "{t}"}}],
 "lockedSynchronizers": [{"className": "com.{n}", "identityHashCode": "{t}"}]},
{"threadName": "{w4} \\u00e9 {w5}", "threadId": "{t}", "threadState": "{t} {c}", "lockName": "{t} {t}", "lockOwnerId": "{t}", "priority": {c}, "stackTrace": null}
], "{t}": {"threadName": "{t}"}}
"""
PYSPY_JSON = """[
 {"pid": 101, "thread_id": 139877521798848, "thread_name": "{w1}", "os_thread_id": 101, "active": true, "owns_gil": true, "{t}": {c},
  "frames": [
   {"name": "{n1}", "filename": "/home/{t}/{t}.py", "module": "{t}", "short_filename": "{n2}.py", "line": 15, "is_entry": true,
    "locals": [{"name": "{t}", "addr": {c}, "arg": true, "repr": "'{t} {c}'"}, {"name": "{t}", "repr": "{t}\\n\\"{t}\\"\\u00e9"}]},
   {"name": "Thread.run", "filename": "/home/{t1}/{t}/threading.py", "short_filename": null, "line": 9, "locals": null},
   {"name": "<module>", "filename": "C:\\\\Users\\\\{t1}\\\\{n}.py", "line": 9}]},
 {"pid": 101, "thread_id": 8, "thread_name": "{w2} {w3}", "os_thread_id": null, "active": false, "owns_gil": false, "frames": [],
  "process_info": {"pid": {c}, "command_line": "{t} --{t} {c}", "ppid": {c}, "parent": {"pid": {c}, "command_line": "{t}"}}},
 {"pid": 101, "thread_id": "{t}", "thread_name": null, "os_thread_id": 103, "active": "{t}", "owns_gil": false,
  "frames": [{"name": "{n1}\\u003clambda\\u003e", "short_filename": "a\\tb{n}.py", "line": "{t}"}, {c}, "{t}"]},
 "{t}", {c}, ["{t}"]
]
"""
NODE = """{
 "header": {
  "reportVersion": 3, "event": "{c} {t}\\n{t}: {c}", "trigger": "Exception", "filename": "/home/{t}/report.{t}.json", "dumpEventTime": "2026-01-02T03:04:05Z",
  "dumpEventTimeStamp": "{c}", "processId": 101, "threadId": 0, "cwd": "/home/{t}/{t}",
  "commandLine": ["/usr/bin/node", "--{t}={t}", "{t} {c}"], "nodejsVersion": "v20.1.0", "componentVersions": {"node": "{t}", "v8": "{t}"},
  "release": {"name": "{t}", "sourceUrl": "https://{t}/{t}"}, "osName": "{t}", "osRelease": "{t}", "osVersion": "{t}", "cpus": [{"model": "{t}", "speed": {c}}],
  "networkInterfaces": [{"name": "{t}", "internal": true, "mac": "{t}", "address": "{t}"}], "host": "{t}.{t}"
 },
 "javascriptStack": {"message": "Error: {t} {c}\\n{t}", "stack": ["at {n1}.{n2} (/home/{t1}/{n}.js:3:5)", "at async {n1}.all (index 0)", "at /home/{t1}/{t}/{n}.js:9:1",
   "at new {n3} (C:\\\\Users\\\\{t1}\\\\{n}.js:1:2)", "at node:{n}/\\u0041{n}:1:2", "{t} {t}", {c}], "errorProperties": {"{t}": "{t}", "code": {c}}},
 "javascriptHeap": {"totalMemory": {c}, "heapSpaces": {"{t}": {"used": {c}}}},
 "nativeStack": [{"pc": "0x1", "symbol": "{t}::{t}(int) [{t}]"}, {"pc": "0x2", "symbol": "{t}"}],
 "resourceUsage": {"rss": "{c}", "userCpuSeconds": {c}},
 "libuv": [{"type": "tcp", "localEndpoint": {"host": "{t}", "port": {c}}, "remoteEndpoint": {"ip4": "{t}"}}, {"type": "pipe", "filename": "{t}"}, {"type": "loop", "address": "{t}"}],
 "workers": [{"header": {"trigger": "API", "threadId": 1, "cwd": "{t}", "commandLine": ["{t}"]}, "javascriptStack": {"stack": ["Unavailable."], "message": "{t}"},
   "environmentVariables": {"{t}": "{t}"}}],
 "environmentVariables": {"PATH": "/home/{t}/bin:/{t}", "SECRET_{t}": "{t}", "CARD": "{c}", "QUOTED": "\\"{t}\\"\\n{t}\\\\{t}", "{t}\\"{t}": ""},
 "userLimits": {"core_file_size_blocks": {"soft": "{t}", "hard": {c}}}, "sharedObjects": ["/lib/{t}.so", "/home/{t}/{t}.node"]
}
"""
JHSDB = """Debugger attached successfully. {t} {c}
Found one Java-level deadlock:
=============================

"{w1}":
  waiting to lock Monitor@0x00007fe2d80015a0 (Object@0x00000006a8, a com/{n1}/{n2}),
  which is held by "{w2}"

Found a total of 1 deadlock.

"{w1}" #12 prio=5 tid=0x00007fe370117f90 nid=0x391c waiting for monitor entry [0x00007fe33defe000]
   java.lang.Thread.State: BLOCKED (on object monitor)
   JavaThread state: _thread_blocked
 - com.{n1}.{n3}(int, com.{n1}) @bci=17, line=3 (Interpreted frame)
	- locked <0x00000006a8> (a com.{n1}.{n2})
 - com.{n1}$$Lambda$1+0x00007fe2f0000a08.run() @bci=0 (Interpreted frame)

Thread 14583: (state = IN_NATIVE)
 - com.{n1}.{n3}(int) @bci=0 (Interpreted frame)
 {t} {c}
"""
OOPS = """[   12.345678] BUG: kernel NULL pointer {t}, address: {c}
[   12.345681] CPU: 3 PID: 1234 Comm: {w1} Tainted: G   {t} {c} 6.1.0-13-{t} #1
[   12.345682] Hardware name: {t}
[   12.345683] RIP: 0010:{n1}+0x12/0x40 [{n3}]
[   12.345684] Code: {c}
[   12.345690] Call Trace:
[   12.345694]  ? {n2}+0x17/0x30
[   12.345696]  {n1}+0x12/0x40 [{n3}]
[   12.345697]  {n2}+0x55/0x1000
[   12.345702] ---[ end trace {c} ]---
[ 6141.921785] {w2}    D    0     5      2 0x00000000
[ 6141.921849] [<807762c0>] ({n1}) from [<80776938>] ({n2}+0x50/0xa8)
[ 6141.921868] [<80776938>] ({n2} [{n3}]) from [<8014ac8c>] ({n}+0x20/0x40 [{n3}])
[ 6141.921869] {t} {c}
"""
COREDUMP = """           PID: 1234 ({t})
  Command Line: /usr/bin/{t} --{t} {c}
       Message: Process 1234 ({t}) of user 1000 dumped core.
        Signal: 6 (ABRT)
                Module {t}.so from deb {t}
                Stack trace of thread 1234:
                #0  0x00007f1b2c3d4e5f {n1} ({n3}.so + 0x8aeec)
                #1  0x00007f1b2c3d4f02 n/a ({n3}.so + 0x271ca)
                ELF object binary architecture: {t}
"""
TOMBSTONE = """*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
Build fingerprint: '{t}/{t}:{c}'
pid: 1234, tid: 1240, name: {w1}  >>> com.{t}.app <<<
signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr {t}
Abort message: '{t} {c}'
backtrace:
      #00 pc 000000000004e1b2  /apex/lib64/lib{n3}.so ({n1}+164) (BuildId: a1b2)
      #01 pc 0000000000001234  /data/app/lib{n3}.so ({n1}::{n2}(int)+44)
memory near x0 ({t}):
    {t} {c}
"""
SANITIZER = """==1234==ERROR: AddressSanitizer: heap-use-after-free on address {t}
READ of size 4 at 0x602000000010 thread T1
    #0 0x4f1233 in {n1}::{n2}(int, {n} const*) /home/{t1}/{n}.c:10:5
    #1 0x7f0000000000 in {n1} (/lib/{n3}.so+0x89043) (BuildId: 12ab)

0x602000000010 is located 0 bytes inside of 4-byte region {t}
freed by thread T0 here:
    #0 0x4c1233 in {n2} (/src/{n3}+0x4c1233)

SUMMARY: AddressSanitizer: heap-use-after-free /home/{t}.c:10:5 in {n1}
{t} {c}
"""
RUST = """{t} {c}
thread '{w1}' panicked at src/{t}.rs:10:5:
{t} {c}
stack backtrace:
   0: {n1}::{n2}
             at /home/{t}/{n}.rs:665:5
   1: <{n1}::{n2} as {n1}::{n3}>::call::h0123456789abcdef
             at ./src/{n}.rs:10:5
note: {t}
"""
MAC = """Process:               {t} [1234]
Path:                  /Users/{t}/{t}
Exception Type:        EXC_BAD_ACCESS (SIGSEGV) {t}

Thread 0:: Dispatch queue: {w1}
0   {n3}.dylib        \t0x00007fff6c2ccdfa {n1} + 10
1   {n3}              \t0x000000010f3b1234 -[{n2} {n1}:] + 52 ({n}.m:12)

Thread 1 Crashed:: {w2}
0   {n3}              \t0x000000010f3b2345 0x10f3b0000 + 21

Binary Images:
       0x10f3b0000 -        0x10f3c0fff +com.{t} (1.0 - 1) <AA> /Users/{t}/{t}
"""
WINDBG = """.  0  Id: 1a2c.2b3c Suspend: 1 Teb: 00000000`7ffde000 Unfrozen "{w1}"
 # Child-SP          RetAddr           Call Site
00 00000000`0012f8a8 00007ffb`1234abcd {n3}!{n1}+0x14
01 00000000`0012f8b0 00007ffb`1234abce {n3}!{n1}::{n2}+0x3f [C:\\Users\\{t1}\\{n}.cpp @ 12]
{t} {c}
"""
SOS = """OS Thread Id: 0x5cc (0)
        Child SP               IP Call Site
00007FFE8B0D5F50 00007fc8a1b2d1a9 [GCFrame: 00007ffe8b0d5f50]
00007FFE8B0D6040 00007fc8a1b2d1a9 [HelperMethodFrame_1OBJ: 00007ffe8b0d6040] {n1}.{n2}.{n3}(Int32, System.Object)
00007FFE8B0D61A0 00007FC82B5F4C0B {n1}.{n2}+<>c.<{n3}>b__0(System.String[]) [/home/{t1}/{n}.cs @ 12]
{t} {c}
"""
KOTLIN = """Coroutines dump 2026/01/06 12:00:00

Coroutine "{w1}":StandaloneCoroutine{Active}@5a01ccaa, state: SUSPENDED
	at com.{n1}.{n2}$main$1.invokeSuspend({n}.kt:10)
	{t} {c}
"""
PHP = """[06-Jan-2026 12:00:00]  [pool {w1}] pid 1234
script_filename = /var/{t}/{t}.php
[0x00007f3a1c0b2e40] {n1}() /home/{t1}/{n}.php:12
[0x00007f3a1c0b2e40] {n2}->{n1}() /home/{t1}/{n}.php:2
{t} {c}
"""
SIGDUMP = """Sigdump at 2026-01-06 12:00:00 +0000 process 1234 ({t})
  Thread #<Thread:0x00007f3a1c0b2e88@{w1} /home/{t}.rb:3 sleep_forever> status=sleep priority=0
      /home/{t1}/{n}.rb:12:in `{n1}'
      /home/{t1}/{n}.rb:12:in '{n2}#{n1}'
{t} {c}
"""
IPS = """{"app_name":"{t}","timestamp":"{t}","bug_type":"309","name":"{t}"}
{
  "captureTime" : "2026-01-06 12:00:00.0000 +0100", "procName" : "{t}", "pid" : 1234, "{t}": {c}, "procPath" : "/Users/{t}/{t}",
  "exception" : {"codes":"{t}","type":"EXC_BAD_ACCESS","signal":"SIGSEGV"},
  "threads" : [
    {"id":7001,"queue":"{w1}","frames":[{"imageOffset":{c},"symbol":"{n1}","symbolLocation":8,"imageIndex":1},
      {"imageOffset":100,"symbol":"-[{n2} {n1}:]","imageIndex":0,"sourceFile":"{n}.c","sourceLine":12}]},
    {"triggered":true,"id":7002,"name":"{w2}","threadState":{"{t}":{c}},"frames":[{"imageOffset":9,"symbol":"{n2}","imageIndex":0},{"imageOffset":33,"imageIndex":1}, {c}]}],
  "usedImages" : [{"name":"{n3}","path":"/Users/{t}/{t}"},{"name":"lib{n}.dylib","uuid":"{t}"}]
}
"""
ASYNCIO = """\u2514\u2500\u2500 (T) {w1}
    \u2514\u2500\u2500  {n1} {n}.py:13
        \u2514\u2500\u2500  {n2}.{n1} /home/{t1}/{n}.py:121
            \u251c\u2500\u2500 (T) {w2} {w3}
            \u2502   \u2514\u2500\u2500  {n2} {n}.py:8
{t} {c}
"""
LOGCAT = """--------- beginning of {t}
01-06 12:00:00.000  1234  1240 I {t}: {t} {c}
01-06 12:00:00.000  1234  1240 E AndroidRuntime: FATAL EXCEPTION: {w1}
01-06 12:00:00.000  1234  1240 E AndroidRuntime: Process: com.{t}.app, PID: 1234
01-06 12:00:00.000  1234  1240 E AndroidRuntime: {t}.{t}: {t} {c}
01-06 12:00:00.000  1234  1240 E AndroidRuntime: {t} {c}
01-06 12:00:00.000  1234  1240 E AndroidRuntime: 	at com.{n1}.{n2}.{n3}({n}.java:10)
01-06 12:00:00.000  1234  1240 E AndroidRuntime: 	at com.{n1}.{n2}.{n}({n}.java:20)
01-06 12:00:00.000  1234  1240 E AndroidRuntime: Caused by: {t}.{t}: {t} {c}
01-06 12:00:00.000  1234  1240 E AndroidRuntime: 	at com.{n1}.{n2}.{n3}({n}.java:30)
01-06 12:00:00.000  1234  1240 E AndroidRuntime: 	... 1 more
01-06 12:00:00.000   777   777 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
01-06 12:00:00.000   777   777 F DEBUG   : pid: 555, tid: 560, name: {w2}  >>> com.{t}.game <<<
01-06 12:00:00.000   777   777 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr {t}
01-06 12:00:00.000   777   777 F DEBUG   :       #00 pc 000000000004e1b2  /apex/lib64/lib{n3}.so ({n1}+164) (BuildId: a1b2)
01-06 12:00:00.000   777   777 F DEBUG   : {t} {c}
[ 01-06 12:00:00.000  1234: 1240 E/AndroidRuntime ]
FATAL EXCEPTION: {w3}
Process: com.{t}.app, PID: 1234
{t} {c}
	at com.{n1}.{n2}.{n3}({n}.java:10)

----- pid 101 at 2026-01-02 03:04:05.678901234+0100 -----
Cmd line: com.{w9}.app
DALVIK THREADS (1):
"{w4}" prio=5 tid=1 Blocked
  | sysTid=101 nice=-10 cgrp=top-app sched=0/0 handle=0x7f8f
  at com.{n1}.{n2}.{n3}({n}.java:10)
----- end 101 -----
{t} {c}
"""
HSERR = """#
# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGSEGV (0xb) at pc=0x00007f1f, pid=19449, tid=19453
#
# JRE version: OpenJDK Runtime Environment (17.0.15+6) (build {t})
# Java VM: OpenJDK 64-Bit Server VM (17.0.15+6, mixed mode, {t})
# Problematic frame:
# V  [lib{n3}.so+0xed2f94]  {n1}+0x124
#
Command Line: -Dpassword={t} {t} {c}
Host: {t}
Time: Sat Nov 28 20:32:52 2026 UTC elapsed time: 1.882844 seconds (0d 0h 0m 1s)
Current thread (0x00007f1fbc0180e0):  JavaThread "{w1}" [_thread_in_vm, id=19453, stack(0x00007f1fc3020000,0x00007f1fc3120000)]
Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
V  [lib{n3}.so+0xed2f94]  {n1}::{n2}({n}*)+0x124  ({n}.cpp:77)
j  com.{n1}.{n2}.{n}(Ljava/lang/Object;JJ)V+0 java.base@17.0.15
J 1234% c2 com.{n1}.{n2}.{n3}(Ljava/lang/Object;)V app@1 (53 bytes) @ 0x00007f1fac [0x00007f1f+0x1]
v  ~StubRoutines::call_stub
C  [lib{n}.so+0x89044]

VM_Operation (0x00007f1f): {t}, mode: {t}
siginfo: {t} {c}
RAX={c} {t}
Java Threads: ( => current thread )
=>0x00007f1fbc0180e0 JavaThread "{w1}" [_thread_in_vm, id=19453, stack(0x00007f1fc3020000,0x00007f1fc3120000)]
  0x00007f1fbc0f6cd0 JavaThread "{w2} {w3}" daemon [_thread_blocked, id=19466, stack(0x00007f1f993f2000,0x00007f1f994f2000)]
  0x00007f1fbc181360 WatcherThread [stack: 0x00007f1f9899b000,0x00007f1f98a9b000] [id=19488]

Event: 0.1 {t} {c}
java_command: {t} {c}
PATH=/home/{t}
"""
ASYNCIO_PS = """tid        task id              task name            coroutine stack                                    awaiter chain                                      awaiter name    awaiter id
------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
1935500    0x7fc930c18050       {w1}            {n1}.{n2} -> {n3}                                                                         {w2}       0x7fc930c18230
1935500    0x7fc930c18230       {w2}            {n1}                                                                                                              0x0
{t} {c}
"""
MADE = {"art": (ART, DUMPS), "kernel": (KERNEL, DUMPS), "ftrace": (FTRACE, SCHED), "old": (OLD, SCHED), "timehist": (TIMEHIST, SCHED), "perf": (PERF_TEXT, PERF), "hotspot": (HOTSPOT, DUMPS),
        "threadinfo": (INFO, DUMPS), "tofile": (TOFILE, DUMPS), "go": (GO, DUMPS), "go_counts": (GO_COUNTS, DUMPS), "gdb": (GDB, DUMPS), "eu_stack": (EU, DUMPS),
        "lldb": (LLDB, DUMPS), "py_spy": (PYSPY, DUMPS), "faulthandler": (FAULT, DUMPS), "dotnet": (DOTNET, DUMPS), "javacore": (JAVACORE, DUMPS), "erlang": (ERLANG, DUMPS),
        "tofile_json": (DUMPFILE, DUMPS), "threadinfo_json": (BEANS, DUMPS), "py_spy_json": (PYSPY_JSON, DUMPS), "node": (NODE, DUMPS),
        "jhsdb": (JHSDB, DUMPS), "oops": (OOPS, DUMPS), "coredump": (COREDUMP, DUMPS), "tombstone": (TOMBSTONE, DUMPS), "sanitizer": (SANITIZER, DUMPS), "rust": (RUST, DUMPS),
        "mac": (MAC, DUMPS), "windbg": (WINDBG, DUMPS), "sos": (SOS, DUMPS), "kotlin": (KOTLIN, DUMPS), "php": (PHP, DUMPS), "sigdump": (SIGDUMP, DUMPS), "ips.json": (IPS, DUMPS), "asyncio": (ASYNCIO, DUMPS),
        "logcat": (LOGCAT, DUMPS), "hserr": (HSERR, DUMPS), "asyncio_ps": (ASYNCIO_PS, DUMPS)}

JSON = ("tofile_json", "threadinfo_json", "py_spy_json", "node", "ips.json")


class Pairs:
    """Members of an object, also those of one name."""

    def __init__(self, pairs):
        self.pairs = pairs


class Check:
    def __init__(self, build, scratch, tap):
        self.program, self.scratch, self.tap = os.path.join(build, "icecore"), Path(scratch), tap
        self.tailed = self.survived = 0
        self.key = self.scratch / "key"
        self.key.write_bytes(b"a key of the test, long enough")
        self.key.chmod(0o600)

    def run(self, *args):
        return answers.quick(self.program).result([*map(str, args)])

    def redact(self, path, mode, names):
        out = self.scratch / "out"
        out.unlink(missing_ok=True)
        got = self.run("redact", "--quiet", "--mode", mode, "--names", names, *(["--key-file", self.key] if (mode, names) != ("shape", "keep") else []), path, out)
        return got, out.read_bytes() if out.exists() else None

    def answers(self, path, queries):
        """By query; a query that fails has its status."""
        out = []
        for q in queries:
            got = self.run("--no-index", "--format", "tsv", "-e", q, path)
            out.append(got.stdout.decode("utf-8", "replace") if got.returncode in (0, 3) else "status %d" % got.returncode)
        return out

    def differ(self, queries, before, data):
        """Answers that are not the same about a redacted text."""
        out = self.scratch / "redacted"
        out.write_bytes(data)
        after = self.answers(out, queries)
        return ["%s: %s" % (q, " / ".join(sorted(set(a.split("\n")) ^ set(b.split("\n"))))[:800]) for q, a, b in zip(queries, before, after) if a != b]

    def other_json(self, data, out):
        """The first value of both texts differs in more than texts and numbers."""
        def shape(v):
            return ([shape(x) for x in v] if isinstance(v, list) else {"members": [shape(x) for _, x in v.pairs]} if isinstance(v, Pairs) else
                    v if v is None or isinstance(v, bool) else type(v).__name__)
        read = json.JSONDecoder(object_pairs_hook=Pairs, strict=False).raw_decode
        try:
            before = read(data.decode())[0] if data[:1] in (b"{", b"[") else None
        except ValueError:
            before = None
        if before is None:
            return []
        try:
            return [] if shape(before) == shape(read(out.decode())[0]) else ["another JSON"]
        except ValueError as e:
            return ["not JSON: %s" % e]

    def form(self, name, data, queries, words=None):
        """One text in all modes."""
        path, copy = self.scratch / "text", self.scratch / "copy"
        path.write_bytes(data)
        copy.write_bytes(data)
        before = self.answers(path, queries)
        left, wrong, odd = [], [], []
        for mode, names in MODES:
            got, out = self.redact(path, mode, names)
            if out is None:
                wrong.append("%s %s: %s" % (mode, names, got.stderr.decode()[:300]))
                continue
            if len(out) != len(data) or [i for i, c in enumerate(out) if c == 10] != [i for i, c in enumerate(data) if c == 10]:
                odd.append("%s %s: another length or other lines" % (mode, names))
            odd += self.other_json(data, out)
            if words is not None:
                private = words.always | (set() if names == "keep" else words.names)
                left += ["%s %s: %s" % (mode, names, w) for w in sorted(private) if w.encode() in out]
                if names == "keep":
                    odd += ["keep: %s is lost" % w for w in sorted(words.names) if w.encode() not in out]
            # Answers take long: those of one mode of values for each mode of names.
            if mode == ("stable" if names == "hash" else "shape"):
                wrong += ["%s %s: %s" % (mode, names, d) for d in self.differ(queries, before, out)]
            for key in [()] + [("--key-file", self.key)] * ((mode, names) != ("shape", "keep")):
                status = self.run("redact", "--quiet", "--check", "--mode", mode, "--names", names, *key, path, copy).returncode
                odd += [] if status == 3 or out == data else ["%s %s: --check of a plain copy ends with status %d" % (mode, names, status)]
            if (mode, names) == ("shape", "keep"):
                (self.scratch / "again").write_bytes(out)
                again = self.redact(self.scratch / "again", "shape", "keep")[1]
                whos = re.compile(rb"[a-z]+")
                odd += [] if again is not None and whos.sub(b"", again) == whos.sub(b"", out) else ["a second time changes more than letters"]
        if words is not None:
            self.tap.ok(name + ": nothing private is left", left)
        self.tap.ok(name + ": same answers", [line for w in wrong[:4] for line in w.split("\n")])
        self.tap.ok(name + ": same lines, names that stay, and again", odd)


def mutants(check, text):
    """Whatever damaged lines mean, with --names hash-all no word of them is left, and lines stay."""
    dice, bad, path = random.Random(7), [], check.scratch / "mutant"
    for seed in range(6):
        words = Words(seed)
        lines = words.fill(text).split("\n")
        for _ in range(dice.randrange(1, 12)):
            i, how = dice.randrange(len(lines)), dice.randrange(4)
            at = dice.randrange(len(lines[i]) + 1)
            if how == 0:
                lines[i] = lines[i][:at]
            elif how == 1:
                lines[i] = lines[i][:at] + dice.choice(" \"()[]<>:=|\t\\-/,.@#{}'%0_") + lines[i][at:]
            elif how == 2:
                lines.insert(i, lines[dice.randrange(len(lines))])
            else:
                other = lines[dice.randrange(len(lines))]
                lines[i] = lines[i][:at] + other[dice.randrange(len(other) + 1):]
        data = "\n".join(lines).encode()
        path.write_bytes(data)
        got, out = check.redact(path, dice.choice(("shape", "stable")), "hash-all")
        if got.returncode not in (0, 3, 5):
            bad.append("status %d: %s" % (got.returncode, got.stderr.decode()[:200]))
        if out is None:
            continue
        if len(out) != len(data) or out.count(b"\n") != data.count(b"\n"):
            bad.append("%d: other lines" % seed)
        bad += check.other_json(data, out)
        bad += ["%d: %s is left" % (seed, w) for w in sorted(words.always | words.names) if w.encode() in out]
    return bad


# Texts of others that came into a line: two programs that write to one log, or a message with brackets.
TAILS = ("2026-06-03 10:11:12 INFO {t} of {t} with {t}={t}", " {t} of {t}, {t} {t}", " {t}(\"{t}\") ({t}.py:12)", " ({t} {t} {c})", "({t} of {t} {c})", " \"{t}\" of '{t}' [{t}] <{t}>", " - {t}: {t} at {t}.c:12",
         "\t{t}.{t}({t}.java:12) {t}", ": {t}::{t} in {t}", " {b}", "\t{h}", " +{p}", "+{p}", " ({b})", " [{h}]", " {p}")


def tails(check, data):
    """A text behind every line, and behind every second one: with default options none of its words is left."""
    bad, path = [], check.scratch / "tail"
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for shift in range(len(TAILS)):
        words, mine, text = Words(99), {}, list(lines)
        for i in range(shift % 2, len(lines), 1 + (shift > 3)):
            # Programs name their marks as they like: such a name ends with its line.
            if not lines[i].strip() or re.search(r"(tracing_mark_write|print): [A-Z]\|", lines[i]):
                continue
            before = set(words.always)
            text[i] = lines[i].rstrip("\r") + words.fill(TAILS[(i // (1 + (shift > 3)) + shift) % len(TAILS)])
            mine.update(dict.fromkeys(words.always - before, i))
        path.write_bytes("\n".join(text).encode("utf-8", "surrogateescape"))
        got, out = check.redact(path, "shape", "keep")
        check.tailed += len(set(mine.values()))
        if out is not None:
            bad += ["line %d: %s" % (i + 1, text[i][:200]) for i in sorted({i for w, i in mine.items() if w.encode() in out})]
        elif got.returncode != 5:
            # The texts may end what the format is known by.
            bad.append("status %d: %s" % (got.returncode, got.stderr.decode()[:200]))
    check.survived += len(bad)
    return bad


# Directories of users; {w1} is a user, whose name other names repeat, {1} its first letter, {2} two.
USERS = ("/home/{w1}/a.py", "/home/users/{w1}/a.py", "/home/{1}/{w1}/a.py", "/export/home/{w1}/a.py", "/homes/{w1}/a.py", "/u/{w1}/a.py", "/Users/{w1}/a.py", "C:\\Users\\{w1}\\a.py",
         "/home/.ecryptfs/{w1}/.Private/a.py", "/run/user/{w1}/a.py", "/run/media/{w1}/stick/a.py", "/media/{w1}/stick/a.py", "/afs/cell.example/user/{w1}/a.py", "/afs/cell.example/user/{1}/{2}/{w1}/a.py",
         "/var/mail/{w1}", "https://{w1}:{t}@host.example/a.py", "ssh://{w1}@host.example/a.py", "/mnt/~{w1}/a.py", "/home/{w2}/x/home/{w1}/a.py",
         "/home/CORP.EXAMPLE/{w1}", "/home/CORP/{w1}/a.py", "/home/CORP/users/{w1}/a.py", "/afs/cell.example/user/q/{w1}/a.py", "/home1/{w1}/a.py", "/home27/{w1}/src/a.py", "~{w1}/a.py",
         "C:\\DOCUME~1\\{w1}\\a.py", "\\\\srv\\home$\\{w1}\\a.py", "\\\\srv\\users\\{w1}", "\\\\srv\\users\\{w1}\\a.py", "/home/{w1}/src/{n}/a.py", "/home/{w1}/{n}",
         "/home/{w1}/.{n}/a.py", "/scratch/{w1}/a.py", "/scratch2/users/{w1}/a.py", "/mnt/nfs/users/{w1}/a.py", "/tmp/hsperfdata_{w1}/12", "/var/tmp/hsperfdata_{w1}/12")
# What goes only in the path: it may be a user or not; and names that stay.
PLACES = ("/home/{t}/{t}/a.py", "/home/{t}/{t}/{n}/a.py", "/export/home/{t}/{t}/a.py", "/home/jo/a.py", "/home/user/a.py", "/home/main/{t}/a.py", "/home/user/src/{n}/a.py", "/homestead/{n}/a.py",
          "/opt/users/{n}/a.py", "/opt/~jo/a.py", "/home/j/app/{n}/a.py",
          "/opt/scratch/{n}/a.py", "/scratchpad/{n}/a.py", "/srv/nfs/{n}/a.py")


def users(check):
    """No path names its user, and neither does another name of the file."""
    bad, path = [], check.scratch / "users"
    for place in PLACES:
        words = Words(4)
        filled = words.fill(place)
        path.write_text("Process 4711: python3\nPython v3.11.2 (/usr/bin/python3)\n\nThread 4711 (idle): \"MainThread\"\n    one (%s:12)\n    jo (b.py:3)\n    main (user.py:3)\n" % filled)
        out = check.redact(path, "shape", "keep")[1] or b""
        left = [w for w in (*sorted(words.always), "/jo/", "~jo", "/user/", "/main/") if w in filled and w.encode() in out]
        bad += ["%s: %s is left" % (place, left)] * bool(left) + ["%s: %s is lost" % (place, w) for w in (*sorted(words.names), "jo (b.py:3)", "main (user.py:3)", "a.py:12") if w.encode() not in out]
    for place in USERS:
        words = Words(3)
        user = words.fill("{w1}")
        path.write_text(words.fill("Process 4711: python3\nPython v3.11.2 (/usr/bin/python3)\n\nThread 4711 (idle): \"MainThread\"\n"
                                   "    one (" + place.replace("{1}", user[:1]).replace("{2}", user[:2]) + ":12)\n    {w1}_main (b.py:3)\n    run (/opt/{w1}-tools/c.py:3)\n    {n1} (b.py:4)\n"))
        got, out = check.redact(path, "shape", "keep")
        bad += ["%s: %s is left" % (place, w) for w in sorted(words.always) if out is None or w.encode() in out]
        bad += ["%s: %s is lost" % (place, w) for w in sorted(words.names) if out is None or w.encode() not in out]
    return bad


def marks_of_users(check):
    """Nor does a mark."""
    bad, path = [], check.scratch / "marks"
    line = "       app-8       [000] ....   100.%06d: tracing_mark_write: %s\n"
    for place in USERS:
        words = Words(3)
        user = words.fill("{w1}")
        name = place.replace("{1}", user[:1]).replace("{2}", user[:2])
        marks = ("B|8|{n1} of {w1}", "B|8|open " + name, "E|8", "E|8", "C|8|" + name + "|5", "S|8|{n2}_{w1}|5", "F|8|{n2}_{w1}|5", "I|8|" + name)
        path.write_text("# tracer: nop\n#\n" + "".join(line % (i, words.fill(m)) for i, m in enumerate(marks)))
        got, out = check.redact(path, "shape", "keep")
        bad += ["%s: %s is left" % (place, w) for w in sorted(words.always) if out is None or w.encode() in out]
        bad += ["%s: %s is lost" % (place, w) for w in (*sorted(words.names), "open ") if out is None or w.encode() not in out]
    return bad


# Names that stay by default, as programs call their marks, and whether somebody should look at them.
NAMES = (("pay user=alice", True), ("mail bob@example.org", True), ("login of the third customer", True), ("java.base@17.0.9/Thread.run", False),
         ("memcpy@GLIBC_2.14", False), ("operator==(int)", False), ("std::map<int, char> f(int, char)", False), ("x" * 300 + " token=secret9", True), ("0x00007f1234567890", False))

# What goes from the name of a mark, and what stays of it.
NUMBERS = (("card {}", "4111111111111111"), ("pay4 {}", "4507-6562-4018-5446"), ("{} is paid", "4507 6562 4018 5446"), ("call{}", "+49976520747"), ("of {} in /srv/a.so", "DE79401467559679359745"), ("key={}", "sk_live_51H8xyzAB"))


def numbers_of_marks(check):
    """Numbers of cards, accounts and telephones and keys go from names of marks, and nothing else."""
    bad, path = [], check.scratch / "numbered"
    line = "       app-8       [000] ....   100.%06d: tracing_mark_write: B|8|%s\n"
    path.write_text("# tracer: nop\n#\n" + "".join(line % (i, name.format(number)) for i, (name, number) in enumerate(NUMBERS)))
    for mode in "shape", "stable":
        got, out = check.redact(path, mode, "keep")
        lines = (out or b"").decode().split("\n")[2:]
        bad += ["%s: %s" % (name, text) for (name, number), text in zip(NUMBERS, lines) if not re.search("[|]8[|]%s$" % re.escape(name).replace(r"\{\}", "(?:x+|[a-z ]{%d})" % len(number)), text)]
        bad += [] if len(lines) > len(NUMBERS) else ["%d lines" % len(lines)]
    return bad


def looked(check):
    """After writing, redact shows the rarest names that look like values with their lines, and no others; --list-text has them whole."""
    path, out, bad = check.scratch / "looks", check.scratch / "looks.out", []
    line = "       app-8       [000] ....   100.%06d: tracing_mark_write: %s|8|%s\n"
    text = "# tracer: nop\n#\n" + "".join(line % (i, "B", name) + line % (i, "E", "") for i, (name, _) in enumerate(NAMES))
    for names, most in (NAMES, None), (tuple(n for n in NAMES if not n[1]), "no text that is left looks like a value"):
        path.write_text("".join(part for part in text.splitlines(True) if "|8|" not in part or part.split("|8|")[1].strip() in ("", *(n for n, _ in names))))
        out.unlink(missing_ok=True)
        said = check.run("redact", path, out).stderr.decode()
        told = [s for s in said.split("\n") if s.startswith("icecore:   line ")]
        left = out.read_text().split("\n") if out.exists() else []
        for name, value in names:
            shown = [s for s in told if s.endswith(": " + name) or s.endswith(": " + name[:160] + "...")]
            if len(shown) != value:
                bad.append("%s: %d lines: %s" % (name, len(shown), said[-900:]))
            elif value and name not in left[int(shown[0].split()[2].rstrip(",")) - 1]:
                bad.append("%s: another line: %s" % (name, shown[0]))
        if most is not None and most not in said:
            bad.append("not said: %s: %s" % (most, said[-600:]))
        listed = check.run("redact", "--list-text", out).stdout.decode().split("\n")
        bad += ["not listed: " + name for name, _ in names if not any(row.endswith("\t" + name) for row in listed)]
    # Each a different number of times, of which the ten rarest are shown, the rarest first.
    path.write_text("# tracer: nop\n#\n" + "".join(line % (n * 100 + i, "B", "pay number %d of alice" % n) + line % (n * 100 + i, "E", "")
                                                  for n in range(14, 1, -1) for i in range(n)))
    out.unlink(missing_ok=True)
    said = re.findall(r"pay number (\d+) of", check.run("redact", path, out).stderr.decode())
    bad += [] if said == [str(n) for n in range(2, 12)] else ["the rarest: %s" % said]
    return bad


# Lines of a program's own that stand between those of a dump.  Each is one word, as the name of a function is.
STRAYS = ("{c}", "sk_live_{t}", "{t}@{t}.example", "password={t}", "--token={t}", "10.{d}.{d}.{d}", "DE{c}1234", "eyJ{t}.{t}.{t}", "  {c}", "  {t}@{t}.example", "\tat {t}@{t}.example",
          "\tat {c}", "\tat password={t}", "\tat com.acme.A.b(password={t})", "#3 {t}@{t}.example", "#3 password={t}", " #3 {c}", "    take ({t}@{t}.example:12)",
          "    b40000704f3a1230 6769627570{x} 000000007a716d65  pw={t}....", "\tat {t}//com.acme.A.b(A.java:12)", "\t- locked <0x1> (a {t}@{t}.example)", "\tat com.acme.A.b({t}:{t}@{t}/x.java:12)", "\tat com.acme.A.b(card:{c})",
          "  login({t})", "INFO {b}", "- {h}", "INFO +{p}", "==> {h}", "\tat {b}(Login.java:12)", "\tat {h}(Login.java:12)", "# {b}", "[{h}]", "{b}", "at +{p}", "\t- locked <{c}> (a java.lang.Object)", "  native: #02 pc eyJhbGciOiJ9{t}.{t}  /system/lib64/libart.so (f+3)", "1   com.apple.Core      \tAKIA{t}7{t}      \t0x00007fff3240285a f + 247",
          "\"x\" prio=5 tid={c} Runnable", "#\t0x4dc33b\tinternal/sync.(*Mutex)password={t}.Lock+0x5b\t/usr/local/go/src/a.go:70", "internal/sync.(*Mutex){t}.{t}@{t}.example(0xa4d6e8)", "    frame #2: 0x00007f37638a1295 libc.so.6`usleep(useconds=100) +{p} at usleep.c:31:10",
          "#3  0x00007f37637c924a __libc_start_call_mainDE79{c}12", "created by ghp_{t}7{t} main.main in goroutine 1",
          "\tat com.acme.A.b(eyJ{t}9.{t})", "\tat DE{c}1234(Login.java:12)", "sk_live_{t}7(...)", "\t- parking to wait for  <{t}.{t}@{t}.example> (a java.lang.Object)")
# What the readers cannot tell from what the dump has in such places: the value of a member, text of a trace.
MARKED = ("ftrace", "timehist", "perf")


def strays(check, text):
    """Nothing of such a line is left, wherever it stands; a third of the lines of a dump has one behind it at a time.  HURT_STEP=1:
    each third."""
    bad, read, tried, path, words = [], 0, 0, check.scratch / "stray", Words(77)
    lines = words.fill(text).split("\n")
    for n, stray in enumerate(STRAYS):
        for shift in range(3) if sampled.STEP == 1 else [n % 3]:
            mine, out_of, tried = {}, [], tried + 1
            for i, line in enumerate(lines):
                out_of.append(line)
                if i % 3 == shift and line.strip():
                    before = set(words.always)
                    more = words.fill(stray)
                    new = words.always - before
                    for mark, digits in ("{d}", 3), ("{x}", 6):
                        while mark in more:
                            number = "%d" % words.dice.randrange(10 ** (digits - 1), 10 ** digits)
                            more = more.replace(mark, number, 1)
                            new |= {number} if digits > 3 else set()
                    out_of.append(more)
                    mine.update(dict.fromkeys(new, more))
            path.write_text("\n".join(out_of))
            got, out = check.redact(path, "shape", "keep")
            if out is not None:
                read += 1
                bad += sorted({"%d: %s" % (n, line) for word, line in mine.items() if word.encode() in out})[:2]
            elif got.returncode != 5:
                bad.append("status %d: %s" % (got.returncode, got.stderr.decode()[:200]))
    return bad if 2 * read > tried else bad + ["only %d of %d are read" % (read, tried)]


# Prefixes that logs write in front of each line: the time stays, all else goes.
PREFIXES = ("10.203.117.145 ", "[user={w1} session={c} card 4475 4709 3606 7389] ", "+49 179 84104699: ", "268-83-9080 | ", "[acct {c}] ", "12:34:56[{c}] ")


def prefixes(check):
    bad, path, words = [], check.scratch / "prefixed", Words(5)
    dump = words.fill(MADE["hotspot"][0]).split("\n")
    for prefix in PREFIXES:
        made = words.fill(prefix)
        path.write_text("".join("2026-11-25T04:14:%02d.123Z %s%s\n" % (i % 60, made, line) for i, line in enumerate(dump)))
        got, out = check.redact(path, "shape", "keep")
        text = out.decode() if out is not None else ""
        bad += ["%s: %s is left" % (prefix, w) for w in re.findall(r"\d{3,}|[a-z]{9}", made) if w in text.replace("1" * len(w), "")]
        bad += ["%s: %s" % (prefix, text.split("\n")[3][:90])] * ("2026-11-25T04:14:09.123Z " not in text or "T04:14:07.123Z " not in text)
        bad += ["%s: %s" % (prefix, q) for q in ("threads | count", "methods | count") if check.answers(path, [q]) != check.answers(check.scratch / "out", [q])]
    return bad


# Symbols, and what has to stay of them.
SYMBOLS = {"Script:~https://h.example/a.js?u=fepe&token=70458d72:1": r"Script:~https://h.example/a.js\?x=xxxx&xxxxx=xxxxxxxx:1",
           "RegExp:^(4539148803436467|fepe)$": r"RegExp:\^\(x{16}\|xxxx\)\$", "JS:*login https://h.example/a.js?t=fepe:1:2": r"JS:\*login https://h.example/a.js\?x=xxxx:1:2",
           "call(fepe, 4427053005052388)": r"call\(xxxx, x{16}\)", "Foo.empty?(x)": r"Foo.empty\?\(x\)", "JS:~f blob:https://h.example/fepe-70458d72:1:2": "JS:~f blob:https://h.example/xxxx-x{8}:1:2", "parse(char const*)": r"parse\(char const\*\)", "data::get<12>(int)": r"data::get<12>\(int\)",
           "JS:~f /srv/a.js:1:2": r"JS:~f /srv/a.js:1:2"}


def scripts(check):
    """Queries, code and regular expressions in names of scripts are data, and nothing else of a name is."""
    text = "a 1/1 [001] 100.000001:          1 cycles:u: \n" + "".join("\t    7f1e214c24d9 %s (/lib/x.so)\n" % s for s in SYMBOLS) + "\n"
    report = {"header": {"reportVersion": 3, "processId": 1, "nodejsVersion": "v20"}, "javascriptStack": {"message": "x", "stack": [
        "at f (data:text/javascript;base64,Y29uc3Qg/fepeQ==:1:2)", "at g (https://h.example/a.js?token=fepe:1:2)"]}, "nativeStack": [], "libuv": []}
    path, out, wrong = check.scratch / "scripts", check.scratch / "scripts.out", []
    for data in (text, json.dumps(report, indent=1)):
        path.write_text(data)
        check.run("redact", "--force", path, out)
        got = out.read_text()
        wrong += [got] if re.search("fepe|70458|4539|4427|Y29u", got) else []
        if data is text:
            wrong += ["%s: %s" % (s, got) for s, p in SYMBOLS.items() if not re.search("d9 %s [(]/lib" % p, got)]
    return wrong


# Files of programs in frames, and what becomes of them; None: they stay.
PARTS = {"/mnt/CloudStorage/GoogleDrive-fepe@mail.example/x.so": "/mnt/CloudStorage/x+-x+@x+[.]x+/x.so", "/srv/4539148803436467/x.so": "/srv/x+/x.so",
         "/srv/password=fepe/x.so": "/srv/x+=x+/x.so", "/srv/x.so?token=fepe": "/srv/x.so[?]x+=x+", "/srv/x.so?fepe": "/srv/x.so[?]xxxx", "src/x.rs?fepe": "src/x.rs[?]xxxx",
         "C:\\srv\\x.dll?fepe": r"C:\\srv\\x.dll[?]xxxx", "//fepe:70458pw@nas/x.so": "//[a-z]{4}:x+@x+/x.so",
         "/srv/fepe/x.so": "/srv/[a-z]{4}/x.so", "/go/pkg/mod/github.com/x/y@v1.2.3/z.so": None, "/srv/node_modules/@scope/x.so": None,
         "/run/systemd/getty@tty1.service/x.so": None, "/usr/lib/python3.11/x.cpython-311-x86_64.so": None, "/nix/store/0123456789abcdfghijk-glibc-2.38/x.so": None,
         "/tmp/perf-4711.map": None, "/lib/modules/6.1.0-13-amd64/x.ko": None}


# Events of perf script and of the kernel's trace, and what becomes of them; None: they stay.
EVENTS = {"cycles:u": None, "cpu/event=0x3c,umask=0x0/u": None, "probe_libc:malloc": None, "L1-dcache-load-misses:u": None, "mem:0x1234:rw": None, "cpu_core/cycles/": None, "acme:pay": None,
          "fepe.quux@mail.example": "x+[.]x+@x+[.]x+", "https://fepe:70458pw@db.example/x?token=70458": "https://[a-z]{4}:x+@db.example/x[?]x+=x+", "/home/fepe/.ssh/id_rsa": "/home/[a-z]{4}/.ssh/id_rsa",
          "C:\\Users\\fepe/.ssh/id_rsa": "C:.Users.[a-z]{4}/.ssh/id_rsa", "aws_secret_access_key=70458rzreeu": "x+=x+", "sk_live_fepe70458wu": "x+", "eyJhbGciOiJIUzI1NiJ9.fepe70458": "x+[.]x+",
          "DE89494666693370458638": "x+"}
# Lines of frames: what stands in front of the address or in place of it, in a name and behind it.
PERF_FRAMES = ("sk_live_fepe70458wu 7f89cc467bf1 main+0x1 (/usr/bin/x)", "DE89494666693370458638 \t    7f89cc467bf1 main+0x1 (/usr/bin/x)", "7f89cc467bf1 4391736270458330 (/usr/bin/x)",
               "7f89cc467bf1 main+0x1 (/usr/bin/x) 4061-7045-8326-1039", "7f89cc467bf1 La/b/C;aws_secret_access_key=fepe70458 (/tmp/perf-1.map)", "7f89cc467bf1 main+0x1 (ghp_fepe70458rzreeu5huzz)",
               "7f89cc467bf1 f<xoxb-fepe70458rz>+0x2 (/x)", "7f89cc467bf1 [eyJhbGciOiJIUzI1NiJ9.fepe70458] ([unknown])", "7f89cc467bf1 [unknown] ([DE89494666693370458638])", "4391736270458330 7f89cc467bf1 main (/x)", "4391736270458330 main (/x)")


def events(check):
    """What stands in the place of an event is masked unless it is the name of one; so is what stands in a frame of perf script."""
    path, out, wrong = check.scratch / "events", check.scratch / "events.out", []
    for form, line in ("perf", "prog  4711 [000]  1.000000: %s:     250000 cycles:u: \n\t    7f89cc467bf0 work+0x1 (/usr/bin/prog)\n\n"), ("perf", "prog  4711 [000]  1.000000:     250000 %s: \n\t    7f89cc467bf0 work+0x1 (/usr/bin/prog)\n\n"), \
            ("ftrace", "           app-4711  [000] d..2.   100.000001: %s: sched_wakeup: comm=app pid=4711 prio=120 target_cpu=000\n"):
        for event, want in EVENTS.items():
            path.write_text(line % event if form == "perf" else "# tracer: nop\n#\n" + line % event + line.replace("%s: ", "") * 3)
            check.run("redact", "--force", "--quiet", path, out)
            got = out.read_text()
            wrong += ["%s: %s: %s" % (form, event, got)] if re.search("fepe|7045", got) else []
            if form == "perf":
                wrong += ["%s: %s: %s" % (form, event, got)] if not re.search("(?m)" + (want or re.escape(event)) + ":", got) else []
    text = "prog  4711 [000]  1.000000:     250000 cycles:u: \n" + "".join("\t    %s\n" % f for f in PERF_FRAMES) + "\n"
    path.write_text(text)
    check.run("redact", "--force", "--quiet", path, out)
    return wrong + [line for line in out.read_text().split("\n") if re.search("fepe|7045|DE89", line)]


def parts(check):
    """What is data in the parts of a path is masked, and the user in front of a host wherever it stands."""
    path, out = check.scratch / "parts", check.scratch / "parts.out"
    path.write_text("a 1/1 [001] 100.000001:          1 cycles:u: \n" + "".join("\t    7f1e214c24d9 f (%s)\n" % p for p in PARTS) + "\n")
    check.run("redact", "--force", path, out)
    got = out.read_text()
    places = re.findall(r"(?m)[(](.*)[)]$", got)
    wrong = ["%s: %s" % (p, is_now) for (p, want), is_now in zip(PARTS.items(), places) if not re.fullmatch(want or re.escape(p), is_now)]
    return wrong + ([got] if len(places) != len(PARTS) or re.search("fepe|70458|4539", got) else [])


# Frames of Java, and what becomes of them; None: they stay.
FRAMES = {"com.acme.A.b(fepe:70458pw@nas/x.java:12)": r"com.acme.A.b[(]x+:x+@x+/x.x+:xx[)]", "com.acme.A.b(//fepe:70458pw@nas/x.java:12)": "com.acme.A.b[(]//[a-z]{4}:x+@xxx/x.java:12[)]",
          "com.acme.A.b(card:4539148803436467)": "com.acme.A.b[(]x{4}:x{16}[)]", "com.acme.A.b(4539148803436467.java:12)": "com.acme.A.b[(]x{16}.xxxx:xx[)]", "com.acme.A.b(fepe)": "com.acme.A.b[(]xxxx[)]",
          "com.acme.A.b(4539148803436467)": "com.acme.A.b[(]x{16}[)]", "com.acme.A.4539148803436467(A.java:1)": "com.acme.A.x{16}[(]A.java:1[)]", "com.acme.A.b(fepe@1.example/Native Method)": "com.acme.A.b[(]xxxx@x.x+/x+ x+[)]",
          **dict.fromkeys(("com.acme.A.b(A.java:12)", "com.acme.A.b(A.java)", "com.acme.A.b(java.base@17.0.1-ea/A.java:12)", "com.acme.A.b(java.base@17/Native Method)", "com.acme.A.b(Native Method)",
                           "com.acme.A.b(Unknown Source)", "com.acme.A.b(Unknown Source:7)", "com.acme.A.b(<generated>)", "com.acme.A.b(SourceFile:33)", "com.acme.A.b(A.java:-1)", "com.acme.A.b(A.java:~10)",
                           "com.acme.A.b(java.base@17/LambdaForm$MH)", "com.acme.A.b(LambdaForm$MH)", "app//com.acme.A.b(Größe.java:3)", "com.acme.A$$Lambda$14/0x00007f5a.run(Unknown Source)",
                           "com.acme.A.b(/srv/a.groovy:3)", "com.acme.A.b(C:\\srv\\a.groovy:3)", "com.acme.A.b(file:/srv/a.groovy:3)", "com.acme.A.b(jar:file:/srv/a.jar!/a.groovy:3)", "com.acme.A.b(org/jruby/A.java:3)"))}
JAVA_FORMS = {"jstack": ("\"main\" #1 prio=5 os_prio=0 tid=0x00007fa5f0017970 nid=0x5dc1 runnable [0x00007fa5f75f9000]\n   java.lang.Thread.State: RUNNABLE\n", "\tat %s\n", ""),
              "json": ("{\"threadDump\": {\"processId\": \"1\", \"time\": \"2026-01-02T03:04:05.678Z\", \"runtimeVersion\": \"25\", \"threadContainers\": [{\"container\": \"<root>\", \"threads\": [{\"tid\": \"1\", "
                       "\"name\": \"main\", \"stack\": [\n", "\"%s\",\n", "\"com.acme.A.b(A.java:12)\"]}]}]}}\n"),
              "javacore": ("0SECTION       THREADS subcomponent dump routine\n3XMTHREADINFO      \"main\" J9VMThread:0x0000000000F1D100, omrthread_t:0x1, java/lang/Thread:0x2, state:R, prio=5\n3XMTHREADINFO3           Java callstack:\n",
                           "4XESTACKTRACE                at %s\n", "")}


def frames(check):
    """The brackets of a Java frame have a file or words that stand for one, and its method is no number; all else is data."""
    path, out, wrong = check.scratch / "frames", check.scratch / "frames.out", []
    for form, (head, line, end) in JAVA_FORMS.items():
        # A frame in JSON has its slashes escaped, and is then masked as a whole, as is what javacore has for none.
        texts = [f.replace("\\", "\\\\").replace("/", "\\/") if form == "json" else f for f in FRAMES]
        path.write_text(head + "".join(line % f for f in texts) + end)
        check.run("redact", "--force", path, out)
        got = out.read_text()[len(head):].split("\n")
        wrong += ["%s: %s: %s" % (form, f, is_now) for f, want, is_now in zip(texts, FRAMES.values(), got)
                  if not (line % f).rstrip() == is_now.rstrip() and (want is None or (form == "jstack" and not re.search(want, is_now)))]
        wrong += ["%s: %s" % (form, got)] if re.search("fepe|70458|4539", "".join(got)) else []
    return wrong


def quiet(check):
    path, out, bad = check.scratch / "quiet", check.scratch / "quiet.out", []
    path.write_text(Words(3).fill(OLD))
    for options, silent in ((), False), (("--quiet",), True):
        out.unlink(missing_ok=True)
        got = check.run("redact", *options, path, out)
        bad += ["%s: status %d: %r" % (options, got.returncode, got.stderr)] * (got.returncode != 0 or (got.stderr == b"") != silent)
    return bad


# Events that a program defines itself, and one of the kernel.
OWN = (("own.txt", """# tracer: nop
#
       app-8       [000] d..2   100.000001: sched_switch: prev_comm=app prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=bb next_pid=9 next_prio=120
       app-8       [000] ....   100.000002: pay: card=4222222222222222 pin=2345, phone=0x2fab neg=-0x26 size 2777 pin: 2378 2782
       app-8       [000] ....   100.000002: bprint: 10.163.125.175 pay: card=4222222222222222
       app-8       [000] ....   100.000002: console: [ 1.0] pin=2345, size 2777
       app-8       [000] ....   100.000002: bputs: 2378
       app-8       [000] ....   100.000003: cpu_frequency: state=1200000 cpu_id=1
"""), ("own.perf", """app  1000 [000]  1.000001:          1 acme:pay: card=4222222222222222 pin=2345, phone=0x2fab neg=-0x26 size 2777 2782
	            1000 main+0x4f (/usr/bin/app)

app  1000 [000]  1.000002:          1 ftrace:print: ip: 0x7f card=4222222222222222 2777 buf: 2378
	            1000 main+0x4f (/usr/bin/app)

app  1000 [000]  1.000002:          1 printk:console: 2782 10.163.125.175 pin=2345,
	            1000 main+0x4f (/usr/bin/app)

app  1000 [000]  1.000003:          1 power:cpu_frequency: state=1200000 cpu_id=1
	            1000 main+0x4f (/usr/bin/app)

app  1000 [000]  1.000004:          1 vmscan:mm_vmscan_kswapd_wake: nid=26 order=37
	            1000 main+0x4f (/usr/bin/app)

"""))


def numbers(check):
    """Numbers of a program's own events stay if they are asked for, those of the kernel's always; --check sees the difference."""
    bad = []
    for name, text in OWN:
        path, out = check.scratch / name, check.scratch / "own.out"
        path.write_text(text)
        for asked, stays in ((), False), (("--numbers", "mask"), False), (("--numbers", "keep"), True):
            out.unlink(missing_ok=True)
            check.run("redact", "--quiet", *asked, path, out)
            data = out.read_text()
            bad += ["%s %s: %s" % (name, asked, w) for w in ("card=4222222222222222", "pin=2345,", "phone=0x2fab", "neg=-0x26") if (w in data) != stays]
            bad += ["%s %s: %s is left" % (name, asked, w) for w in ("2777", "2378", "2782", "10.163") if w in data]
            bad += ["%s %s: %s is lost" % (name, asked, w) for w in ("state=1200000", "cpu_id=1", "nid=26 order=37") if w in text and w not in data]
            bad += ["%s: %s is passed as %s" % (name, asked, words) for words in ("mask", "keep")
                    if (check.run("redact", "--quiet", "--check", "--numbers", words, path, out).returncode == 0) != (stays == (words == "keep"))]
    return bad


def unread(check):
    """A copy that icecore cannot open any more is told, and not called a heap dump."""
    lines = Words(3).fill(OOPS).split("\n")
    path, out = check.scratch / "unread", check.scratch / "unread.out"
    lines[1] = "fepe quux " + lines[1]
    path.write_text("\n".join(lines[:10]))
    got = check.run("redact", "--force", path, out)
    said = got.stderr.decode()
    return [] if got.returncode == 0 and "icecore cannot open this copy" in said and "HPROF" not in said else ["status %d: %s" % (got.returncode, said)]


def refused(check):
    """Files that icecore opens, but cannot redact."""
    bad, words = [], Words(9)
    old = words.fill(OLD)
    page = "<!DOCTYPE html>\n<script class=\"trace-data\" type=\"application/text\">\n" + old + "</script>\n"
    for name, data in ("UTF-16", old.encode("utf-16")), ("page", page.encode()):
        path = check.scratch / "encoded"
        path.write_bytes(data)
        out = check.redact(path, "shape", "keep")[1]
        if out is None or b"sched_switch" not in out or any(w.encode() in out or w.encode("utf-16-le") in out for w in words.always):
            bad.append(name + ": not redacted")
    for name, data, word in (("folded", b"a;b;c 5\na;b 7\n" * 9, b"cannot be redacted"),
                             ("cut JSON", b'{"threadDump": {"processId": "7", "threadContainers": [', b"truncated")):
        path = check.scratch / "kept"
        path.write_bytes(data)
        got, out = check.redact(path, "shape", "keep")
        if out is not None or got.returncode != 5 or word not in got.stderr:
            bad.append("%s: status %d: %s" % (name, got.returncode, got.stderr.decode()))
    return bad


def main(argv):
    build, scratch, files = argv[1], argv[2], argv[3:]
    tap = Tap()
    check = Check(build, scratch, tap)
    for name, (text, queries) in MADE.items():
        if files:
            break
        for seed in range(1):
            words = Words(seed)
            check.form("%s %d" % (name, seed), words.fill(text).encode(), queries, words)
    for name, (text, _) in MADE.items():
        if not files:
            tap.ok(name + ": mutants", mutants(check, text))
    for name, (text, _) in MADE.items():
        if not files and name not in JSON:
            tap.ok(name + ": a text behind every line", tails(check, Words(5).fill(text).encode()))
    for name, (text, _) in MADE.items():
        if not files and name not in JSON and name not in MARKED:
            tap.ok(name + ": lines of a program between", strays(check, text))
    tap.ok("prefixes of logs", prefixes(check)) if not files else None
    tap.ok("users", users(check)) if not files else None
    tap.ok("scripts and regular expressions", scripts(check)) if not files else None
    tap.ok("data in place of events and of frames", events(check)) if not files else None
    tap.ok("data in parts of paths", parts(check)) if not files else None
    tap.ok("data in frames of Java", frames(check)) if not files else None
    tap.ok("users in marks", marks_of_users(check)) if not files else None
    tap.ok("numbers in names of marks", numbers_of_marks(check)) if not files else None
    tap.ok("--quiet has no summary", quiet(check)) if not files else None
    tap.ok("numbers of a program's own events", numbers(check)) if not files else None
    tap.ok("names that look like values are shown", looked(check)) if not files else None
    tap.ok("a copy that cannot be opened is told", unread(check)) if not files else None
    tap.ok("what cannot be redacted is refused by name", refused(check)) if not files else None
    for f in files:
        check.form(f, Path(f).read_bytes(), SCHED if "sched" in f else PERF if "perf" in f else DUMPS)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv))
