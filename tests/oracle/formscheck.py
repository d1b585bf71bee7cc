#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""formscheck.py BUILD SCRATCH - forms of text as people paste them: each with queries and the rows that they print, as TAP."""
import json
import os
import re
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

GO = """
    goroutine 1 [running]:
    main.work(0x1, {0x2, 0x3})
    \t/src/main.go:10 +0x1d
    main.main()
    \t/src/main.go:4 +0x2
    """
HOTSPOT = """
    2026-03-02 04:11:00
    Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):

    "main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000040 nid=0x2 waiting for monitor entry  [0x00007f10]
       java.lang.Thread.State: BLOCKED (on object monitor)
    \tat app.Work.run(Work.java:10)
    \t- waiting to lock <0x0000000000000001> (a app.Lock)
    \tat app.Main.main(Main.java:3)

    "holder" #2 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000080 nid=0x3 runnable  [0x00007f10]
       java.lang.Thread.State: RUNNABLE
    \tat app.Hold.run(Hold.java:10)
    \t- locked <0x0000000000000001> (a app.Lock)
    """
PYTHON = """
    Fatal Python error: Segmentation fault

    Thread 0x00007f12 (most recent call first):
      File "/a/c.py", line 9 in g
      File "/a/c.py", line 3 in <module>

    Current thread 0x00007f11 (most recent call first):
      File "/a/b.py", line 2 in f
    """
GDB = """
    Thread 2 (LWP 8 "worker"):
    #0  0x0000000000000001 in poll () at poll.c:1
    #1  0x0000000000000002 in loop (x=1) at a.c:5

    Thread 1 (LWP 7 "main"):
    #0  0x0000000000000001 in f () at a.c:1
    #1  0x0000000000000002 in main () at a.c:9
    """

LLDB = """
    * thread #1, name = 'main', stop reason = signal SIGSTOP
      * frame #0: 0x00007fff20348cde libc.so.6`read + 10
        frame #1: 0x000000010000321c app`main at main.c:10:5
      thread #2, name = 'worker'
        frame #0: 0x00007fff20348cde libc.so.6`read + 10
    """


def each(line, end="", begin=""):
    """Write each line of a text as another one."""
    return lambda lines: begin + "".join(line(x) + "\n" for x in lines) + end


# How a dump is written into another text.
WRAPS = {
    "indented in a ticket": each(lambda x: "    " + x if x else "", "\nAny idea?\n", "We saw this:\n\n"),
    "indented in a list": each(lambda x: "   " + x, "   ```\n", "1. first\n\n   ```\n"),
    "quoted": each(lambda x: "> " + x if x else ">", "\nYes.\n", "Bob wrote:\n"),
    "quoted twice": each(lambda x: "> > " + x if x else "> >", "\nYes.\n", "Bob wrote:\n"),
    "in a fence": each(str, "```\nAny idea?\n", "# Ticket 12\n\n```java\n"),
    "in a log of Docker": each(lambda x: json.dumps({"log": x + "\n", "stream": "stdout", "time": "2026-03-02T04:11:00Z"})),
    "in a log of objects": each(lambda x: json.dumps({"level": "info", "msg": x, "ts": 1.5})),
    "in one object of a log": lambda lines: json.dumps({"msg": "started"}) + "\n" + json.dumps({"msg": "\n".join(lines)}) + "\n",
    "in a field of its own": lambda lines: json.dumps({"message": "hangs", "level": "WARN", "stack_trace": "\n".join(lines), "line": "12"}) + "\r\n",
    "in the journal as JSON": each(lambda x: json.dumps({"__CURSOR": "s=1", "_PID": "77", "MESSAGE": x})),
    "in an export of the journal": each(lambda x: "__CURSOR=s=1\n_PID=77\nMESSAGE=%s\n_COMM=java\n" % x),
    "in binary fields of the journal": lambda lines: "".join("__CURSOR=s=1\nMESSAGE\n%s\0\0\0\0\0\0\0%s\n\n" % (chr(len(x)), x) for x in lines if len(x) < 128),
    "in a log with levels": each(lambda x: "[04:11:00.%03d] INFO: " % len(x) + x),
    "in a log of containerd": each(lambda x: "2026-03-02T04:11:00.000000001Z stdout F " + x),
}
FORMS = {"HotSpot, one thread": ("\n".join(HOTSPOT.split("\n")[4:9]), ["main 1 blocked 2"]), "HotSpot": (HOTSPOT, ["main 1 blocked 2", "holder 2 running 1"]), "Go": (GO, ["#1 1 running 2"]),
         "faulthandler": (PYTHON, ["#0x00007f12 0x00007f12 unknown 2", "#0x00007f11 0x00007f11 unknown 1"]),
         "gdb": (GDB, ["worker 2 io 2", "main 1 unknown 2"]), "lldb": (LLDB, ["main 1 io 2", "worker 2 io 1"])}

# Name of the form: its text, and by query: the rows that are printed.
CASES = {
    "go: labels in brackets": (GO + """
    goroutine 57 [chan receive, 61 minutes, locked to thread labels:{"priority": "bg", "service": "users"}]:
    main.wait()
    \t/src/main.go:20 +0x1
    """, {"threads | select number raw state elapsed depth": ["1 running running  2", "57 chan receive waiting 3660000000000 1"],
          "threads | where label.service = users | select number labels": ["57 priority=bg, service=users"],
          "threads | group label.priority : count": [" 1", "bg 1"]}),
    "go: labels behind brackets": ("""
    goroutine 8 [running]: {"b":"x, y=]: {","a":"\\"q\\" \\u00e9\\x41"}:
    main.main()
    \t/src/main.go:4 +0x2

    goroutine 9 [select] {"a":""}:
    main.main()
    \t/src/main.go:4 +0x2

    goroutine 10 [select labels:{"a": "cut":]:
    main.main()
    \t/src/main.go:4 +0x2

    goroutine 11 [select labels:{"a": "x", b}]:
    main.main()
    \t/src/main.go:4 +0x2
    """, {"threads | select number labels label.b": ['8 a="q" \u00e9A, b=x, y=]: { x, y=]: {', "9 a= ", "10  ", "11 a=x "],
          "info | where field = unread.lines | select value": ["1"]}),
    "go: labels of counts": ("""
    goroutine profile: total 9
    7 @ 0x1 0x2
    # labels: {"job":"mail", "queue":"a\\tb"}
    #\t0x1\tmain.send+0x1d\t/src/a.go:10

    1 @ 0x1
    # labels: {"job":"mail"}
    #\t0x1\tmain.send+0x1d\t/src/a.go:10

    1 @ 0x1
    #\t0x1\tmain.send+0x1d\t/src/a.go:10
    """, {"threads | group label.job : sum count": ["mail 8", " 1"], "labels | select labels total": [" 1", "job=mail, queue=a\tb 7", "job=mail 1"],
          "methods | label job mail | select name total": ["main.send 8"]}),
    "go: a frame without a file": ("""
    goroutine 1 [running]:
    main._Cfunc_seek()
     ??:0 +0x6d
    main.main()
    \t/src/main.go:4 +0x2
    """, {"threads | select number depth top": ["1 2 main._Cfunc_seek (??:0)"]}),
    "go: places after blanks": ("""
    goroutine 0 [idle]:
    runtime.epollwait(0x4, 0x71c)
            /go/src/sys_amd64.s:400 +0x19
    runtime.netpoll(0x901b01, 0x0)
            /go/src/netpoll.go:68 +0xa3
    """, {"threads | select number depth top": ["0 2 runtime.epollwait (sys_amd64.s:400)"]}),
    "go: indented in a report": ("""
    Failures:

      Expected: 'x'
      (Should resemble)!
      goroutine 8 [running]:
      foo/bar.TestArchive.func1.2()
            /src/bar_test.go:209 +0x469
      testing.tRunner(0x3, 0x1)
            /go/src/testing.go:865 +0xc0
      created by testing.(*T).Run
            /go/src/testing.go:916 +0x35a
    """, {"threads | select number depth top": ["8 2 foo/bar.TestArchive.func1.2 (bar_test.go:209)"]}),
    "go: ancestors": ("""
    goroutine 25 [chan receive]:
    main.bar(0x1, 0x0)
    \t/src/a.go:57 +0x1
    created by main.d1
    \t/src/a.go:69 +0x34
    [originating from goroutine 24]:
    main.d1(...)
    \t/src/a.go:70 +0x34
    main.foo(...)
    \t/src/a.go:52 +0xec
    [originating from goroutine 1]:
    main.main(...)
    \t/src/a.go:5 +0xec
    """ + GO, {"threads | select number depth parent": ["25 1 24", "1 2 "], "info | where field = unread.lines | select value": ["8"]}),
    "kernel: frames of 32-bit ARM": ("""
    [ 6141.921740] INFO: task flush-8:0:5 blocked for more than 120 seconds.
    [ 6141.921785] flush-8:0    D    0     5      2 0x00000000
    [ 6141.921849] [<807762c0>] (__schedule) from [<80776938>] (schedule+0x50/0xa8)
    [ 6141.921868] [<80776938>] (schedule) from [<8014ac8c>] (wait_here+0x20/0x40)
    [ 6141.921985] [<8022bb78>] (wait_here) from [<7f4ba618>] (my_pages+0x80/0xe4 [mine])
    [ 6141.922075] [<7f4ba618>] (my_pages [mine]) from [<8022e284>] (all_pages+0x30/0x8c)
    """, {"threads | select name tid state depth doing": ["flush-8:0 5 blocked 5 wait_here"],
          "stack 1 | select frame place": ["__schedule [kernel]", "schedule [kernel]", "wait_here [kernel]", "my_pages mine", "all_pages [kernel]"]}),
    "kernel: frames of 32-bit ARM since 5.18": ("""
    task:flush           state:D stack:    0 pid:    9 ppid:     2 flags:0x00000000
     __schedule from schedule+0x50/0xa8
     schedule from my_wait+0x20/0x40 [mine]
     my_wait [mine] from kthread+0x1/0x2
    """, {"stack 1 | select frame place": ["__schedule [kernel]", "schedule [kernel]", "my_wait mine", "kthread [kernel]"]}),
    "kernel: an oops": ("""
    [   12.345678] BUG: kernel NULL pointer dereference, address: 0000000000000008
    [   12.345680] Oops: 0000 [#1] PREEMPT SMP PTI
    [   12.345681] CPU: 3 UID: 0 PID: 1234 Comm: my task Tainted: G           OE      6.12.0-13-amd64 #1
    [   12.345683] RIP: 0010:bad_func+0x12/0x40 [mine]
    [   12.345685] RSP: 0018:ffffb0a1c0a3bd10 EFLAGS: 00010246
    [   12.345690] Call Trace:
    [   12.345691]  <TASK>
    [   12.345692]  ? __die+0x20/0x70
    [   12.345697]  init_it+0x55/0x1000 [mine]
    [   12.345700]  entry+0x6e/0xd8
    [   12.345701]  </TASK>
    [   12.345702] ---[ end trace 0000000000000000 ]---
    [   99.000000] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [spin:77]
    [   99.000001] CPU: 1 PID: 77 Comm: spin Not tainted 6.1.0 #1
    [   99.000002] Call Trace:
    [   99.000003]  <IRQ>
    [   99.000004]  tick+0x1/0x2
    [   99.000005]  </IRQ>
    [   99.000006] RIP: 0010:turn+0x3/0x4
    [   99.000007] RSP: 0018:ffffb0a1c0a3bd10 EFLAGS: 00010246
    [   99.000008]  turn+0x3/0x4
    [   99.000009]  loop+0x1/0x2
    """, {"threads | select dump name tid state raw depth doing": ["1 my task 1234 running CPU: 3 3 bad_func", "2 spin 77 running CPU: 1 3 tick"],
          "thread_dumps | select reason": ["BUG: kernel NULL pointer dereference, address: 0000000000000008", "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [spin:77]"],
          "stack 2 | select frame": ["tick", "turn", "loop"]}),
    "kernel: backtraces of CPUs": ("""
    rcu: INFO: rcu_sched self-detected stall on CPU
    NMI backtrace for cpu 0
    CPU: 0 PID: 0 Comm: swapper/0 Not tainted 5.10.0 #1
    Call trace:
     idle_a+0x1/0x2
    NMI backtrace for cpu 1
    CPU: 1 PID: 0 Comm: swapper/1 Not tainted 5.10.0 #1
    Call trace:
     idle_b+0x1/0x2
    """, {"threads | select dump name doing": ["1 swapper/0 idle_a", "1 swapper/1 idle_b"], "thread_dumps | select reason": ["rcu: INFO: rcu_sched self-detected stall on CPU"]}),
    "kernel: a CPU that found its own stall, and what it interrupted": ("""
    [  300.100000] rcu: INFO: rcu_preempt self-detected stall on CPU
    [  300.100030] NMI backtrace for cpu 1
    [  300.100040] CPU: 1 PID: 555 Comm: spinner Not tainted 6.6.9 #1
    [  300.100070] Call Trace:
    [  300.100080]  <IRQ>
    [  300.100085]  dump_stack_lvl+0x48/0x60
    [  300.100086]  nmi_cpu_backtrace+0xf5/0x120
    [  300.100090]  nmi_trigger_cpumask_backtrace+0xfb/0x110
    [  300.100095]  rcu_dump_cpu_stacks+0xc4/0x100
    [  300.100096]  rcu_sched_clock_irq+0x100/0x200
    [  300.100097]  update_process_times+0x60/0xa0
    [  300.100098]  </IRQ>
    [  300.100099]  <TASK>
    [  300.100100]  asm_sysvec_apic_timer_interrupt+0x1a/0x20
    [  300.100101] RIP: 0010:spin_forever+0x5/0x10 [spin]
    [  300.100103] RSP: 0018:ffffb5a0c0a3fe10 EFLAGS: 00000246
    [  300.100112]  spin_ioctl+0x40/0x80 [spin]
    [  300.100140]  </TASK>
    """, {"threads | select name state depth doing top": ["spinner running 9 spin_forever dump_stack_lvl ([kernel])"]}),
    "kernel: running tasks, before 5.11": ("""
    INFO: rcu_sched detected stalls on CPUs/tasks:
    \t(detected by 0, t=5252 jiffies, g=10, c=9, q=5)
    Task dump for CPU 3:
    looper          R  running task        0   991      1 0x00000002
    Call trace:
    [<ffffff8008085b40>] __switch_to+0x90/0xa8
    [<ffffff8008085b40>] turn+0x90/0xa8
    Task dump for CPU 4:
    my task         R running      0   992      1 0x00000002
    Call trace:
    [<ffffff8008085b40>] __schedule_bug+0x90/0xa8
    [<ffffff8008085b40>] again+0x90/0xa8
    """, {"threads | select name tid state raw doing": ["looper 991 running R turn", "my task 992 running R again"]}),
    "kernel: who waits for a buffer": ("""
    INFO: task jbd2/sda1-8:301 blocked for more than 120 seconds.
    task:jbd2/sda1-8     state:D stack:0     pid:301   tgid:301   ppid:2      flags:0x00004000
    Call Trace:
     <TASK>
     __schedule+0x27c/0x6a0
     schedule+0x33/0x110
     io_schedule+0x46/0x80
     bit_wait_io+0x11/0x90
     __wait_on_bit+0x4a/0x120
     out_of_line_wait_on_bit+0x8c/0xb0
     __wait_on_buffer+0x30/0x50
     commit_it+0x11f8/0x1a70
     </TASK>
    """, {"threads | select name state depth doing": ["jbd2/sda1-8 blocked 8 commit_it"]}),
    "go: what the program does, below packages of Go": ("""
    goroutine 6 [IO wait]:
    internal/poll.runtime_pollWait(0x7f, 0x72)
    \t/go/src/runtime/netpoll.go:343 +0x85
    net.(*netFD).Read(0xc0)
    \t/go/src/net/fd_posix.go:55 +0x25
    net/http.(*connReader).Read(0xc0)
    \t/go/src/net/http/server.go:791 +0x14b
    bufio.(*Reader).Read(...)
    \t/go/src/bufio/bufio.go:244
    app/db.(*Conn).fetch(0xc0)
    \t/app/db.go:3 +0x1

    goroutine 8 [sleep]:
    time.Sleep(0x1)
    \t/go/src/runtime/time.go:195 +0x125
    net.tick()
    \t/app/net/m.go:30 +0x20
    """, {"threads | select number doing": ["6 app/db.(*Conn).fetch", "8 net.tick"]}),
    "own frames are not those that wait": ("""
    Thread 2 (LWP 102):
    #0  0x00007f01 in __GI___poll () from /lib/libc.so.6
    #1  serve () at a.c:3
    Thread 1 (LWP 101):
    #0  0x00007f01 in epoll_wait () from /lib/libc.so.6
    #1  parser::read () at b.c:3
    """, {"threads | select tid state own": ["102 io serve (a.c:3)", "101 io parser::read (b.c:3)"]}),
    "dotnet-stack: states": ("""
    Thread (0x10C8):
      [Native Frames]
      System.Private.CoreLib!System.Threading.Monitor.Wait(class System.Object,int32)
      App!App.Program.Main(class System.String[])

    Thread (0x10D2):
      System.Private.CoreLib!System.Threading.Thread.Sleep(int32)
      App!App.Program.Nap()

    Thread (0x10D3):
      App!App.Program.Work()
      System.Private.CoreLib!System.Threading.Tasks.Task.InnerInvoke()
    """, {"threads | select tid state doing": ["4296 waiting App.Program.Main", "4306 sleep App.Program.Nap", "4307 unknown App.Program.Work"]}),
    "jhsdb: a deadlock": ("""
    Found one Java-level deadlock:
    =============================

    "two":
      waiting to lock Monitor@0x00007fe2d80015a0 (Object@0x00000006a8, a java/lang/Object),
      which is held by "one"
    "one":
      waiting to lock Monitor@0x00007fe2cc068610 (Object@0x00000006b8, a java/lang/Object),
      which is held by "two"

    Found a total of 1 deadlock.

    "one" #12 prio=5 tid=0x00007fe370117f90 nid=0x391c waiting for monitor entry [0x00007fe33defe000]
       java.lang.Thread.State: BLOCKED (on object monitor)
       JavaThread state: _thread_blocked
     - Dead.one() @bci=17, line=3 (Interpreted frame)
    	- locked <0x00000006a8> (a java.lang.Object)
    	- locked <0x00000006b8> (a java.lang.Object)
     - Dead$$Lambda$1+0x00007fe2f0000a08.run() @bci=0 (Interpreted frame)

    "two" #13 prio=5 tid=0x00007fe3701190c0 nid=0x391d waiting for monitor entry [0x00007fe33ddfe000]
       java.lang.Thread.State: BLOCKED (on object monitor)
       JavaThread state: _thread_blocked
     - Dead.two(int, java.lang.Object) @bci=17, line=3 (Compiled frame; information may be imprecise)
    	- locked <0x00000006b8> (a java.lang.Object)
    	- locked <0x00000006a8> (a java.lang.Object)
    """, {"deadlocks | select thread waits_for holder source": ["one java.lang.Object two reported", "two java.lang.Object one reported"],
          "threads | select name state holds doing depth": ["one blocked 0x00000006a8 Dead.one 2", "two blocked 0x00000006b8 Dead.two 1"],
          "stack 1 | select frame place": ["Dead.one line=3", "Dead$$Lambda.run "]}),
    "jstack -F": ("""
    Debugger attached successfully.
    Thread 14583: (state = BLOCKED)
     - java.lang.Object.wait(long) @bci=0 (Interpreted frame)
     - app.Queue.take() @bci=2, line=44 (Interpreted frame)


    Thread 14584: (state = IN_NATIVE)
     - java.net.Socket.read0() @bci=0 (Interpreted frame)
    """, {"threads | select number state raw doing depth": ["14583 waiting BLOCKED app.Queue.take 2", "14584 native IN_NATIVE  1"]}),
    "coredumpctl": ("""
               PID: 1234 (app)
            Signal: 6 (ABRT)
           Message: Process 1234 (app) of user 1000 dumped core.

                    Stack trace of thread 1234:
                    #0  0x00007f1b2c3d4e5f __pthread_kill_implementation (libc.so.6 + 0x8aeec)
                    #1  0x00007f1b2c3d4f00 raise (libc.so.6 + 0x3bfb2)
                    #2  0x000055d0c0ffee00 app_fail (app + 0x1234)
                    #3  0x00007f1b2c3d4f02 n/a (libc.so.6 + 0x271ca)
                    ELF object binary architecture: AMD x86-64

                    Stack trace of thread 1240:
                    #0  0x00007f1b2c3d4e61 pthread_cond_wait (libc.so.6 + 0x885d8)
                    #1  0x000055d0c0ffee02 worker_loop (app + 0x1500)
    """, {"threads | select tid state depth doing": ["1234 unknown 4 app_fail", "1240 waiting 2 worker_loop"],
          "thread_dumps | select pid reason program": ["1234 Signal: 6 (ABRT) app"],
          "stack 1 | select frame place": ["__pthread_kill_implementation libc.so.6", "raise libc.so.6", "app_fail app", "[libc.so.6] libc.so.6"]}),
    "a tombstone in a log": ("""
    01-06 12:00:00.000  1234  1240 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    01-06 12:00:00.000  1234  1240 F DEBUG   : pid: 1234, tid: 1240, name: worker 1  >>> com.ex.app <<<
    01-06 12:00:00.001  1234  1240 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
    01-06 12:00:00.001  1234  1240 F DEBUG   :     x0  0000000000000000  x1  00000000000004d8
    01-06 12:00:00.001  1234  1240 F DEBUG   : backtrace:
    01-06 12:00:00.001  1234  1240 F DEBUG   :       #00 pc 000000000004e1b2  /apex/lib64/libc.so (abort+164) (BuildId: a1b2)
    01-06 12:00:00.001  1234  1240 F DEBUG   :       #01 pc 0000000000001234  /data/app/libmine.so (mine::fail(int)+44)
    01-06 12:00:00.002  1234  1240 F DEBUG   : --- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---
    01-06 12:00:00.002  1234  1240 F DEBUG   : pid: 1234, tid: 1234, name: com.ex.app  >>> com.ex.app <<<
    01-06 12:00:00.002  1234  1240 F DEBUG   :       #00 pc 000000000009e1b2  /apex/lib64/libc.so (__epoll_pwait+8)
    """, {"threads | select name tid state depth doing": ["worker 1 1240 unknown 2 mine::fail(int)", "com.ex.app 1234 io 1 "],
          "thread_dumps | select pid reason program": ["1234 signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr -------- com.ex.app"]}),
    "AddressSanitizer": ("""
    ==1234==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x0000004f1234
    READ of size 4 at 0x602000000010 thread T1
        #0 0x4f1233 in use_it(int, char const*) /src/a.c:10:5
        #1 0x7f0000000000 in start_thread (/lib/x86_64-linux-gnu/libc.so.6+0x89043) (BuildId: 12ab)

    0x602000000010 is located 0 bytes inside of 4-byte region
    freed by thread T0 here:
        #0 0x4c1233 in free (/src/a+0x4c1233)
        #1 0x4f1400 in main /src/a.c:30:3

    SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:10:5 in use_it
    """, {"threads | select name number depth own": ["READ of size 4 T1 2 use_it (a.c:10)", "freed by T0 2 main (a.c:30)"], "thread_dumps | select pid": ["1234"],
          "stack 1 | select frame place": ["use_it a.c:10", "start_thread libc.so.6"]}),
    "ThreadSanitizer": ("""
    WARNING: ThreadSanitizer: data race (pid=77)
      Write of size 4 at 0x7b04 by thread T1:
        #0 add a.c:10:5 (prog+0x12)
        #1 <null> <null> (libc.so.6+0x12)

      Previous write of size 4 at 0x7b04 by main thread:
        #0 main a.c:12 (prog+0x34)
    """, {"threads | select name number depth own": ["Write of size 4 T1 2 add (a.c:10)", "Previous write of size 4  1 main (a.c:12)"], "thread_dumps | select pid": ["77"]}),
    "a panic of Rust": ("""
    thread 'worker' panicked at src/main.rs:10:5:
    index out of bounds
    stack backtrace:
       0: rust_begin_unwind
                 at /rustc/9fc6b/library/std/src/panicking.rs:665:5
       1: app::work::h0123456789abcdef
                 at ./src/main.rs:10:5
    note: Some details are omitted.
    """, {"threads | select name depth own": ["worker 2 app::work (main.rs:10)"], "thread_dumps | select reason": ["index out of bounds"],
          "info | where field ~ /^unread[.]|^loader$/ | select value": ["stacks"]}),
    "a panic of Rust without a message": ("""
    thread 'worker' panicked at src/main.rs:10:5:
    stack backtrace:
       0: app::work
                 at ./src/main.rs:10:5
    """, {"threads | select name depth own": ["worker 1 app::work (main.rs:10)"], "thread_dumps | select reason": ["thread 'worker' panicked at src/main.rs:10:5"]}),
    "a crash report of macOS": ("""
    Process:               App [1234]
    Crashed Thread:        1  worker

    Exception Type:        EXC_BAD_ACCESS (SIGSEGV)

    Thread 0:: Dispatch queue: com.apple.main-thread
    0   libsystem_kernel.dylib        	0x00007fff6c2ccdfa mach_msg_trap + 10
    1   com.ex.App                    	0x000000010f3b1234 main + 52

    Thread 1 Crashed:: worker
    0   com.ex.App                    	0x000000010f3b2345 crash_me + 21 (a.c:12)
    1   libsystem_pthread.dylib       	0x00007fff6c38f109 0x7fff6c380000 + 61705

    Thread 1 crashed with X86 Thread State (64-bit):
      rax: 0x0000000000000000  rbx: 0x0000000000000001

    Binary Images:
           0x10f3b0000 -        0x10f3c0fff +com.ex.App (1.0 - 1) <AA> /Applications/App.app/Contents/MacOS/App
    """, {"threads | select name number raw depth own": ["com.apple.main-thread 0  2 main (com.ex.App)", "worker 1 Crashed 2 crash_me (a.c:12)"],
          "thread_dumps | select pid reason program": ["1234 EXC_BAD_ACCESS (SIGSEGV) App"], "stack 2 | select frame place": ["crash_me a.c:12", "[libsystem_pthread.dylib] libsystem_pthread.dylib"]}),
    "WinDbg": ("""
    0:000> ~*k

    .  0  Id: 1a2c.2b3c Suspend: 1 Teb: 00000000`7ffde000 Unfrozen "main"
     # Child-SP          RetAddr           Call Site
    00 00000000`0012f8a8 00007ffb`1234abcd ntdll!NtWaitForSingleObject+0x14
    01 00000000`0012f8b0 00007ffb`1234abce app!Work::Wait+0x3f [C:\src\work.cpp @ 12]

       1  Id: 1a2c.2b40 Suspend: 1 Teb: 00000000`7ffdd000 Unfrozen
     # Child-SP          RetAddr           Call Site
    00 00000000`0022f8a8 00007ffb`1234abcf app!spin+0x2
    """, {"threads | select name number tid state depth own": ["main 0 11068 waiting 2 Work::Wait (work.cpp:12)", "#1 1 11072 unknown 1 spin (app)"]}),
    "clrstack": ("""
    OS Thread Id: 0x5cc (0)
            Child SP               IP Call Site
    00007FFE8B0D5F50 00007fc8a1b2d1a9 [GCFrame: 00007ffe8b0d5f50]
    00007FFE8B0D6040 00007fc8a1b2d1a9 [HelperMethodFrame_1OBJ: 00007ffe8b0d6040] System.Threading.Monitor.ObjWait(Int32, System.Object)
    00007FFE8B0D61A0 00007FC82B5F4C0B App.Program.Main(System.String[]) [/src/App/Program.cs @ 12]
    OS Thread Id: 0x5d0 (1)
            Child SP               IP Call Site
    00007FC827FFE9D8 00007fc8a1b2d1a9 [DebuggerU2MCatchHandlerFrame: 00007fc827ffe9d8]
    OS Thread Id: 0x5d3 (4)
            Child SP               IP Call Site
    00007FC817FFE0B0 00007fc8a1b2d1a9 [HelperMethodFrame_1OBJ: 00007fc817ffe0b0] System.Threading.Monitor.ReliableEnter(System.Object, Boolean ByRef)
    00007FC817FFE200 00007FC82B5F5C9B App.Program+<>c.<Main>b__0() [/src/App/Program.cs @ 20]
    """, {"threads | select number tid state depth own": ["0 1484 waiting 3 App.Program.Main (Program.cs:12)", "1 1488 unknown 1 ", "4 1491 blocked 2 App.Program+<>c.<Main>b__0 (Program.cs:20)"]}),
    "frames of a program, below those of a runtime": ("""
    "main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000040 nid=0x2 runnable  [0x00007f10]
       java.lang.Thread.State: RUNNABLE
    \tat com.ibm.jvm.Dump.JavaDumpImpl(Native Method)
    \tat com.ex.Shop.main(Shop.java:12)
    \tat app.util.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:666)
    \tat java.lang.Thread.run(Thread.java:8)
    """, {"threads | select own": ["com.ex.Shop.main (Shop.java:12)"]}),
    "threads that wait for work": ("""
    "timer" #1 daemon prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000040 nid=0x2 in Object.wait()  [0x00007f10]
       java.lang.Thread.State: TIMED_WAITING (on object monitor)
    \tat java.lang.Object.wait(Native Method)
    \tat jdk.jfr.internal.PlatformRecorder.takeNap(PlatformRecorder.java:550)
    \tat java.lang.Thread.run(Thread.java:8)

    "joins" #2 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000080 nid=0x3 in Object.wait()  [0x00007f10]
       java.lang.Thread.State: WAITING (on object monitor)
    \tat java.lang.Object.wait(Native Method)
    \tat java.lang.Thread.join(Thread.java:1257)
    \tat com.ex.Shop.close(Shop.java:12)
    \tat java.lang.Thread.run(Thread.java:8)

    "takes" #3 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f00000000c0 nid=0x4 waiting on condition  [0x00007f10]
       java.lang.Thread.State: WAITING (parking)
    \tat jdk.internal.misc.Unsafe.park(Native Method)
    \tat java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)
    \tat com.ex.Shop.serve(Shop.java:20)
    \tat java.lang.Thread.run(Thread.java:8)

    "contends" #4 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000100 nid=0x5 waiting on condition  [0x00007f10]
       java.lang.Thread.State: WAITING (parking)
    \tat jdk.internal.misc.Unsafe.park(Native Method)
    \tat java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(AbstractQueuedSynchronizer.java:754)
    \tat java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:432)
    \tat com.ex.Shop.serve(Shop.java:20)
    \tat java.lang.Thread.run(Thread.java:8)
    """, {"threads | select name idle": ["timer true", "joins false", "takes true", "contends false"]}),
    "coroutines of Kotlin": ("""
    Coroutines dump 2026/01/06 12:00:00

    Coroutine "coroutine#1":StandaloneCoroutine{Active}@5a01ccaa, state: SUSPENDED
    	at com.ex.MainKt$main$1.invokeSuspend(Main.kt:10)
    	at kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)

    Coroutine "coroutine#2":DeferredCoroutine{Active}@1b2c3d4e, state: RUNNING (Last suspension stacktrace, not an actual stacktrace)
    	at com.ex.MainKt$main$2.invokeSuspend(Main.kt:20)
    """, {"threads | select name number state depth": ["coroutine#1 5a01ccaa waiting 2", "coroutine#2 1b2c3d4e running 1"], "thread_dumps | select time": ["2026/01/06 12:00:00"]}),
    "slow log of php-fpm": ("""
    [06-Jan-2026 12:00:00]  [pool www] pid 1234
    script_filename = /var/www/index.php
    [0x00007f3a1c0b2e40] curl_exec() /var/www/client.php:12
    [0x00007f3a1c0b2d00] fetch() /var/www/index.php:5

    [06-Jan-2026 12:00:09]  [pool www] pid 1240
    script_filename = /var/www/index.php
    [0x00007f3a1c0b2e40] sleep() /var/www/index.php:7
    """, {"threads | select dump name tid depth top": ["1 www 1234 2 curl_exec (client.php:12)", "2 www 1240 1 sleep (index.php:7)"]}),
    "sigdump": ("""
    Sigdump at 2026-01-06 12:00:00 +0000 process 1234 (puma)
      Thread #<Thread:0x00007f3a1c0b2e40 run> status=run priority=0
          /app/a.rb:12:in `work'
          /app/a.rb:30:in `block in <main>'
      Thread #<Thread:0x00007f3a1c0b2e88@pool /app/p.rb:3 sleep_forever> status=sleep priority=0
          /app/p.rb:12:in 'Pool#take'
    """, {"threads | select name number state depth top": ["#0x00007f3a1c0b2e40 0x00007f3a1c0b2e40 running 2 work (a.rb:12)", "pool 0x00007f3a1c0b2e88 sleep 1 Pool#take (p.rb:12)"]}),
    "threads whose frames are not read": ("""
    "main" #1 prio=5 os_prio=0 tid=0x00007f01 nid=0x65 runnable [0x00007f02]
       ~~ a.Main.run
       ~~ a.Main.main

    "VM Thread" os_prio=0 tid=0x00007f02 nid=0x66 runnable

    "other" #2 prio=5 os_prio=0 tid=0x00007f01 nid=0x67 runnable [0x00007f02]
       java.lang.Thread.State: RUNNABLE
    	at a.Main.run(Main.java:1)
    """, {"info | where field = unread.stacks | select value": ["1"]}),
    "parallelstacks": ("""
    ________________________________________________
        ~~~~ 8f8c
           1 (dynamicClass).IL_STUB_PInvoke(IntPtr, Byte*)
           ...
           1 App.Program.Main(String[])

    ________________________________________________
               ~~~~ 7034
                  1 System.Threading.Monitor.Wait(Object, Int32, Boolean)
                  1 App.Program.First(Object)
                   ~~~~ 9c6c,4020
                      2 App.Program.Deep()
                   ~~~~ 9c70
                      1 App.Program.Other()
                  3 App.Program.Second()
             4 App.Pool.Run(Object)
        5 App.Start(Object)

    ==> 6 threads with 2 roots
    """, {"threads | select number count depth state doing": ["8f8c 1 2 unknown App.Program.Main", "7034 1 4 waiting App.Program.First", "9c6c 2 4 unknown App.Program.Deep",
                                                              "9c70 1 4 unknown App.Program.Other"],
          "stack 4 | select frame": ["App.Program.Other", "App.Program.Second", "App.Pool.Run", "App.Start"], "info | where field = loss.unreported_threads | select value": ["1"]}),
    "dumpasync": ("""
    STACK 1
    00007fb59e6c 00007fb59e70 (3) App.Program+<Main>d__1
      ..00007fb59e80 00007fb59e90 (2) App.Program+<Work>d__2
    STACK 2
    00007fb59e6d 00007fb59e71 (0) App.Program+<Idle>d__4
    """, {"threads | select number state depth top": ["STACK 1 waiting 2 App.Program+<Main>d__1", "STACK 2 waiting 1 App.Program+<Idle>d__4"]}),
    "a crash report of macOS in JSON": ("""
    {"app_name":"App","timestamp":"2026-01-06 12:00:00.00 +0100","bug_type":"309","name":"App"}
    {
      "captureTime" : "2026-01-06 12:00:00.0000 +0100", "procName" : "App", "pid" : 1234,
      "exception" : {"codes":"0x1","type":"EXC_BAD_ACCESS","signal":"SIGSEGV"}, "faultingThread" : 1,
      "threads" : [
        {"id":7001,"queue":"com.apple.main-thread","frames":[{"imageOffset":3578,"symbol":"mach_msg2_trap","symbolLocation":8,"imageIndex":1},
          {"imageOffset":100,"symbol":"main","symbolLocation":52,"imageIndex":0,"sourceFile":"main.c","sourceLine":12}]},
        {"triggered":true,"id":7002,"name":"worker","frames":[{"imageOffset":9,"symbol":"crash_me","imageIndex":0},{"imageOffset":33,"imageIndex":1}]}],
      "usedImages" : [{"name":"App","path":"/Applications/App"},{"name":"libsystem_kernel.dylib"}]
    }
    """, {"threads | select name number tid state raw depth own": ["com.apple.main-thread 0 7001 io  2 main (main.c:12)", "worker 1 7002 unknown Crashed 2 crash_me (App)"],
          "thread_dumps | select kind pid reason program": ["macOS 1234 EXC_BAD_ACCESS App"], "stack 2 | select frame place": ["crash_me App", "[libsystem_kernel.dylib] libsystem_kernel.dylib"]}),
    "asyncio pstree": ("""
    \u2514\u2500\u2500 (T) Task-1
        \u2514\u2500\u2500  main example.py:13
            \u2514\u2500\u2500  TaskGroup._aexit Lib/asyncio/taskgroups.py:121
                \u251c\u2500\u2500 (T) Sun set
                \u2502   \u2514\u2500\u2500  album example.py:8
                \u2514\u2500\u2500 (T) other
                    \u2514\u2500\u2500  play example.py:4
                        \u2514\u2500\u2500  sleep Lib/asyncio/tasks.py:702
    """, {"threads | select name depth top": ["Task-1 2 TaskGroup._aexit (taskgroups.py:121)", "Sun set 1 album (example.py:8)", "other 2 sleep (tasks.py:702)"]}),
    "jhsdb jstack --mixed": ("""
    ----------------- 15 -----------------
    "main" #1 prio=5 tid=0x00007f01 nid=0xf waiting on condition [0x00007f02]
       java.lang.Thread.State: TIMED_WAITING (sleeping)
       JavaThread state: _thread_blocked
    0x00007f8a7c4d7ad3\t__pthread_cond_timedwait + 0x273
    0x00007f8a63ff8a72\t* java.lang.Thread.sleep(long) bci:0 (Interpreted frame)
    0x00007f8a63ff8a73\t* App.main(java.lang.String[]) bci:4 line:12 (Interpreted frame)
    ----------------- 16 -----------------
    0x00007f8a7c4d0fa3\tVMThread::run() + 0x12
    """, {"threads | select name number tid depth doing": ["main 1 15 3 App.main", "#16 16 16 1 VMThread::run()"], "stack 1 | select frame place": ["__pthread_cond_timedwait ", "java.lang.Thread.sleep ", "App.main line:12"]}),
    "kernel: PowerPC, times of dmesg -T": ("""
    [Mon Jan  5 12:00:00 2026] Kernel attempted to read user page
    [Mon Jan  5 12:00:00 2026] BUG: Unable to handle kernel data access at 0x10
    [Mon Jan  5 12:00:00 2026] CPU: 1 PID: 123 Comm: kworker/1:2 Kdump: loaded Tainted: G W 5.10
    [Mon Jan  5 12:00:00 2026] NIP [c000000000123456] ppc_bad+0x20/0x40
    [Mon Jan  5 12:00:00 2026] Call Trace:
    [Mon Jan  5 12:00:01 2026] [c00000001fb3b8a0] [c000000000123456] ppc_bad+0x20/0x40 (unreliable)
    [Mon Jan  5 12:00:01 2026] [c00000001fb3b8d0] [c000000000123457] ppc_caller+0x20/0x40
    """, {"stack 1 | select frame": ["ppc_bad", "ppc_caller"], "threads | select name tid state": ["kworker/1:2 123 running"]}),
    "systrace: no blank between flags and time": ("""
    # tracer: nop
               app-10    (   10) [000] ....   316.000100: tracing_mark_write: B|10|one
               app-10    (   10) [000] ....316.000200: tracing_mark_write: E|10
               app-10    (   10) [001] d..2316.000300: tracing_mark_write: B|10|two
               app-10    (   10) [001] d..2.316.000400: tracing_mark_write: E|10
               app-10    (   10) [001] .....316.000500: tracing_mark_write: C|10|n|3
    \x20\x20\x20\x20""", {"spans | select method start_wall wall": ["one 0 100000", "two 200000 100000"]}),
    "systrace: blanks at the ends of lines": ("""
    # tracer: nop
               app-10    (   10) [000] ...1   316.000100: tracing_mark_write: B|10|one\x20\x20
               app-10    (   10) [000] ...1   316.000200: tracing_mark_write: E|10\x20
               app-10    (   10) [000] ...1   316.000300: tracing_mark_write: B|10|two
               app-10    (   10) [000] ...1   316.000400: tracing_mark_write: E|10|two\x20
               app-10    (   10) [000] ...1   316.000500: tracing_mark_write: I|10|mark\x20
    """, {"spans | select method start_wall wall": ["one 0 100000", "two 200000 100000"], "marks | select name": ["mark"]}),
    "UndefinedBehaviorSanitizer": ("""
    a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
        #0 0x4f1233 in f /src/a.c:3:5
        #1 0x4f1300 in main /src/a.c:9:3

    SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.c:3:5 in
    """, {"threads | select depth own": ["2 f (a.c:3)"], "info | where field ~ /^unread[.]|^loader$/ | select value": ["stacks"]}),
    "LeakSanitizer": ("""
    ==7829==ERROR: LeakSanitizer: detected memory leaks

    Direct leak of 7 byte(s) in 1 object(s) allocated from:
        #0 0x42c0c5 in __interceptor_malloc (/usr/home/a.out+0x42c0c5)
        #1 0x43ef81 in main /usr/home/leak.c:6:7
    """, {"threads | select name depth own": ["Direct leak of 7 byte(s) in 1 object(s) allocated from 2 main (leak.c:6)"]}),
    "systemd-coredump in a journal": ("""
    Jan 06 12:00:00 host systemd-coredump[4242]: Process 1234 (app) of user 1000 dumped core.

                                                 Stack trace of thread 1234:
                                                 #0  0x00007f1b2c3d4e5f raise (libc.so.6 + 0x8aeec)
                                                 #1  0x000055d0c0ffee00 main (/usr/bin/app (deleted) + 0x1234)
    """, {"threads | select tid depth own": ["1234 2 main (app)"], "thread_dumps | select pid program": ["1234 app"]}),
    "systemd-coredump with a stamp on each line": ("""
    Jan 06 12:00:00 host systemd-coredump[4242]: Process 1234 (app) of user 1000 dumped core.
    Jan 06 12:00:00 host systemd-coredump[4242]: Stack trace of thread 1234:
    Jan 06 12:00:00 host systemd-coredump[4242]: #0  0x000055d0c0ffee00 main (app + 0x1234)
    """, {"threads | select tid depth own": ["1234 1 main (app)"], "thread_dumps | select pid": ["1234"]}),
    "a crash report of iOS": ("""
    Process:             App [77]
    Exception Type:  EXC_CRASH (SIGABRT)

    Thread 0 name:   Dispatch queue: com.apple.main-thread
    Thread 0 Crashed:
    0   App                           	       0x1004a1234 -[AppDelegate crash:] + 52 (AppDelegate.m:12)

    Thread 1:
    0   libsystem_pthread.dylib       	       0x1e4f1b674 start_wqthread + 0
    """, {"threads | select name number raw own": ["com.apple.main-thread 0 Crashed -[AppDelegate crash:] (AppDelegate.m:12)", "#1 1  "]}),
}
CASES.update({"%s %s" % (form, name): (wrap(textwrap.dedent(text).strip("\n").split("\n")), {"threads | select name number state depth": want})
              for form, (text, want) in FORMS.items() for name, wrap in WRAPS.items() if not form.startswith("HotSpot") or "binary" not in name})


# ---- logs of Android ----------------------------------------------------------------------------------

# Each entry is a message of one or more lines: priority, tag, pid, tid, text.
CRASH = [("I", "ActivityManager", 900, 950, "Start proc 1234:com.ex.app/u0a1 for activity"),
         ("E", "AndroidRuntime", 1234, 1240, """FATAL EXCEPTION: worker 1
Process: com.ex.app, PID: 1234
java.lang.RuntimeException: cannot load
\tat com.ex.Loader.run(Loader.java:10)
\tat com.ex.Pool.work(Pool.java:20)
\tat java.lang.Thread.run(Thread.java:1012)
Caused by: java.io.IOException: no such file
\tat com.ex.Disk.read(Disk.java:7)
\tat com.ex.Loader.load(Loader.java:30)
\t... 2 more
Caused by: java.lang.IllegalStateException: closed
\tat com.ex.Stream.check(Stream.java:3)
\t... 3 more"""),
         ("I", "Process", 1234, 1240, "Sending signal. PID: 1234 SIG: 9"),
         ("F", "DEBUG", 777, 777, """*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
pid: 555, tid: 560, name: render  >>> com.ex.game <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
    #00 pc 000000000004e1b2  /data/app/libgame.so (draw(int)+164)
    #01 pc 000000000001a1b2  /apex/lib64/libc.so (__start_thread+64)""")]


def each_line(form):
    """Every line of a message has the prefix of its message."""
    return lambda: "--------- beginning of crash\n" + "".join(form(*entry[:4], line) + "\n" for entry in CRASH for line in entry[4].split("\n"))


def each_message(form, indent):
    """Only the first line of a message has it."""
    return lambda: "".join(form(*entry[:4], ("\n" + indent).join(entry[4].split("\n"))) for entry in CRASH)


T = "01-06 12:00:00.000"
LOGCATS = {
    "threadtime": each_line(lambda p, tag, pid, tid, x: "%s %5d %5d %s %-8s: %s" % (T, pid, tid, p, tag, x)),
    "threadtime,year,usec,zone": each_line(lambda p, tag, pid, tid, x: "2026-%s000 +0100 %5d %5d %s %-8s: %s" % (T, pid, tid, p, tag, x)),
    "uid,epoch": each_line(lambda p, tag, pid, tid, x: "1783344171.851 10519 %5d %5d %s %-8s: %s" % (pid, tid, p, tag, x)),
    "time": each_line(lambda p, tag, pid, tid, x: "%s %s/%-8s(%5d): %s" % (T, p, tag, pid, x)),
    "brief": each_line(lambda p, tag, pid, tid, x: "%s/%-8s(%5d): %s" % (p, tag, pid, x)),
    "tag": each_line(lambda p, tag, pid, tid, x: "%s/%-8s: %s" % (p, tag, x)),
    "process": each_line(lambda p, tag, pid, tid, x: "%s(%5d) %s  (%s)" % (p, pid, x, tag)),
    "raw": each_line(lambda p, tag, pid, tid, x: x),
    "long": each_message(lambda p, tag, pid, tid, x: "[ %s %5d:%5d %s/%-8s ]\n%s\n\n" % (T, pid, tid, p, tag, x), ""),
    "Android Studio": each_message(lambda p, tag, pid, tid, x: "2026-%s %5d-%-5d %-23s %-30s %s  %s\n" % (T, pid, tid, tag, "com.ex.app", p, x), " " * 100),
    "Android Studio, older": each_message(lambda p, tag, pid, tid, x: "2026-%s %d-%d/com.ex.app %s/%s: %s\n" % (T, pid, tid, p, tag, x), "    "),
    "quoted": each_line(lambda p, tag, pid, tid, x: "> %s %5d %5d %s %-8s: %s" % (T, pid, tid, p, tag, x)),
    "indented in a ticket": each_line(lambda p, tag, pid, tid, x: "  %s %5d %5d %s %-8s: %s" % (T, pid, tid, p, tag, x)),
    "CRLF": lambda: each_line(lambda p, tag, pid, tid, x: "%s %5d %5d %s %-8s: %s\r" % (T, pid, tid, p, tag, x))(),
}
CASES.update({"logcat -v %s" % name: (make(), {
    "threads | select dump name state raw depth doing": ["1 worker 1 running java.lang.IllegalStateException: closed 4 com.ex.Stream.check", "2 render unknown  2 draw(int)"],
    "thread_dumps | select kind pid program reason": ["logcat 1234 com.ex.app java.lang.RuntimeException: cannot load", "tombstone 555 com.ex.game signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0"],
    "stack 1 | select frame": ["com.ex.Stream.check", "com.ex.Loader.load", "com.ex.Pool.work", "java.lang.Thread.run"]}) for name, make in LOGCATS.items()})
CASES["a bugreport of Android"] = ("""
    ========================================================
    == dumpstate: 2026-01-06 12:00:00
    ========================================================
    Build: XYZ
    ------ SYSTEM LOG (logcat -v threadtime -v printable -v uid -d *:v) ------
    01-06 12:00:00.000  1000   900   950 I ActivityManager: ANR in com.ex.app
    01-06 12:00:00.000 10200  1234  1234 E AndroidRuntime: FATAL EXCEPTION: main
    01-06 12:00:00.000 10200  1234  1234 E AndroidRuntime: Process: com.ex.app, PID: 1234
    01-06 12:00:00.000 10200  1234  1234 E AndroidRuntime: java.lang.Error
    01-06 12:00:00.000 10200  1234  1234 E AndroidRuntime: \tat com.ex.Main.go(Main.java:10)
    ------ 0.5s was the duration of 'SYSTEM LOG' ------
    ------ VM TRACES JUST NOW (/data/anr/dumptrace_1: 2026-01-06 12:00:00) ------
    ----- pid 99 at 2026-01-06 12:00:00.5 -----
    Cmd line: com.ex.other
    DALVIK THREADS (1):
    "main" prio=5 tid=1 Blocked
      | sysTid=99 nice=0 cgrp=default sched=0/0 handle=0x1
      at com.ex.Lock.take(Lock.java:5)
      - waiting to lock <0x0a> (a java.lang.Object) held by thread 3

    ----- end 99 -----
    ------ TOMBSTONES ------
    *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    pid: 55, tid: 56, name: render  >>> com.ex.game <<<
    signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
          #00 pc 000000000004e1b2  /apex/lib64/libc.so (abort+164)
    """, {"threads | select dump name tid state depth": ["1 main  running 1", "2 main 99 blocked 1", "3 render 56 unknown 1"],
          "thread_dumps | select kind pid program": ["logcat 1234 com.ex.app", "ART 99 com.ex.other", "tombstone 55 com.ex.game"]})

# ---- tasks of asyncio as a table ------------------------------------------------------------------------

TASKS = [("1935500", "0x7fc930c18050", "Task-1", "TaskGroup._aexit -> main", "", "", "0x0"),
         ("1935500", "0x7fc930c18230", "a task with a long name", "sleep -> play", "TaskGroup._aexit -> main", "Task-1", "0x7fc930c18050"),
         ("1935500", "0x7fc930c18440", "Task-3", "sleep -> very_long_name_of_a_function -> another_long_name_of_a_function", "main", "Task-1", "0x7fc930c18050"),
         ("1935500", "0x7fc930c18440", "Task-3", "sleep -> very_long_name_of_a_function -> another_long_name_of_a_function", "other", "Task-2", "0x7fc930c18230"),
         ("1935501", "0x7fc930c18550", "", "", "", "", "0x0")]
WIDTHS = "%-10s %-20s %-20s %-50s %-50s %-15s %-15s\n"
CASES["asyncio ps"] = (WIDTHS % ("tid", "task id", "task name", "coroutine stack", "awaiter chain", "awaiter name", "awaiter id") + "-" * 180 + "\n" +
                       "".join(WIDTHS % row for row in TASKS),
                       {"threads | select name number tid depth top parent": [
                           "Task-1 0x7fc930c18050 1935500 2 TaskGroup._aexit ", "a task with a long name 0x7fc930c18230 1935500 2 sleep Task-1",
                           "Task-3 0x7fc930c18440 1935500 3 sleep Task-1", "#0x7fc930c18550 0x7fc930c18550 1935501 0  "],
                        "info | where field = repair.repeated_threads | select value": ["1"]})

# ---- crashes of HotSpot -----------------------------------------------------------------------------------

HEAD = """
    #
    # A fatal error has been detected by the Java Runtime Environment:
    #
    #  SIGSEGV (0xb) at pc=0x00007f1f, pid=19449, tid=19453
    #
    # JRE version: OpenJDK Runtime Environment (17.0.15+6) (build 17.0.15+6)
    # Java VM: OpenJDK 64-Bit Server VM (17.0.15+6, mixed mode, g1 gc, linux-amd64)
    # Problematic frame:
    # V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124
    #
    """
CASES["hs_err: JDK 17"] = (HEAD + """
    ---------------  S U M M A R Y ------------

    Time: Sat Nov 28 20:32:52 2026 UTC elapsed time: 1.882844 seconds (0d 0h 0m 1s)

    ---------------  T H R E A D  ---------------

    Current thread (0x00007f1fbc0180e0):  JavaThread "main" [_thread_in_vm, id=19453, stack(0x00007f1fc3020000,0x00007f1fc3120000)]

    Stack: [0x00007f1fc3020000,0x00007f1fc3120000],  sp=0x00007f1fc311dfb0,  free space=1015k
    Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
    V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124  (unsafe.cpp:77)
    j  jdk.internal.misc.Unsafe.putLong(Ljava/lang/Object;JJ)V+0 java.base@17.0.15
    J 1234% c2 app.Work.run(Ljava/lang/Object;)V app@1 (53 bytes) @ 0x00007f1fac [0x00007f1f+0x1]
    v  ~StubRoutines::call_stub
    C  [libc.so.6+0x89044]

    Java frames: (J=compiled Java code, j=interpreted, Vv=VM code)
    j  jdk.internal.misc.Unsafe.putLong(Ljava/lang/Object;JJ)V+0 java.base@17.0.15
    J 1234% c2 app.Work.run(Ljava/lang/Object;)V app@1 (53 bytes) @ 0x00007f1fac [0x00007f1f+0x1]
    v  ~StubRoutines::call_stub

    siginfo: si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x0000000000000010

    ---------------  P R O C E S S  ---------------

    Java Threads: ( => current thread )
    =>0x00007f1fbc0180e0 JavaThread "main" [_thread_in_vm, id=19453, stack(0x00007f1fc3020000,0x00007f1fc3120000)]
      0x00007f1fbc0f6cd0 JavaThread "Reference "Handler"" daemon [_thread_blocked, id=19466, stack(0x00007f1f993f2000,0x00007f1f994f2000)]

    Other Threads:
      0x00007f1fbc0f2c10 VMThread "VM Thread" [stack: 0x00007f1f994f3000,0x00007f1f995f3000] [id=19465]
      0x00007f1fbc181360 WatcherThread [stack: 0x00007f1f9899b000,0x00007f1f98a9b000] [id=19488]

    VM state: not at safepoint (normal execution)
    """, {"threads | select name tid state raw depth daemon": ["main 19453 running _thread_in_vm 5 false", 'Reference "Handler" 19466 waiting _thread_blocked 0 true', "VM Thread 19465 unknown  0 false",
                                                              "WatcherThread 19488 unknown  0 false"],
          "stack 1 | select frame place": ["Unsafe_PutLong unsafe.cpp:77", "jdk.internal.misc.Unsafe.putLong ", "app.Work.run ", "StubRoutines::call_stub ", "[libc.so.6] libc.so.6"],
          "thread_dumps | select kind pid reason time": ["HotSpot crash 19449 SIGSEGV (0xb) Sat Nov 28 20:32:52 2026 UTC"]})
# Three headings, the stack, siginfo, VM state and the end; what a log writes behind it is not of the report.
PARTS = "info | where field ~ /^(unread|loss|report)/ and field != loss.reason | select field value"
CASES["hs_err: the parts of a report"] = (CASES["hs_err: JDK 17"][0] + "\nEND.\nservice restarted\n", {PARTS: ["unread.lines 1", "report_lines 7"]})
CASES["hs_err: a report without its end"] = (CASES["hs_err: JDK 17"][0], {PARTS: ["report_lines 6", "loss.dump_end 1"]})
CASES["hs_err: another report behind one without its end"] = (CASES["hs_err: JDK 17"][0] + CASES["hs_err: JDK 17"][0] + "\nEND.\n", {PARTS: ["report_lines 13", "loss.dump_end 1"]})
CASES["hs_err: JDK 8, frames of Java apart, in the VM thread"] = (HEAD.replace("SIGSEGV (0xb) at pc=0x00007f1f,", "Internal Error (g1.cpp:12),") + """
    Current thread (0x00007f1f):  VMThread [stack: 0x00007f1f994f3000,0x00007f1f995f3000] [id=19453]

    Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
    V  [libjvm.so+0xed2f94]  G1::collect()+0x124

    VM_Operation (0x00007f1f): G1CollectForAllocation, mode: safepoint, requested by thread 0x00007f1f

    Java Threads: ( => current thread )
      0x00007f1fbc0f6cd0 JavaThread "Finalizer" daemon [_thread_blocked, id=19466, stack(0x00007f1f993f2000,0x00007f1f994f2000)]

    Other Threads:
    =>0x00007f1f VMThread [stack: 0x00007f1f994f3000,0x00007f1f995f3000] [id=19453]

    time: Sat Nov 28 20:32:52 2026
    elapsed time: 5 seconds
    """, {"threads | select name tid raw depth doing": ["VMThread 19453 G1CollectForAllocation, mode: safepoint, requested by thread 0x00007f1f 1 G1::collect()", "Finalizer 19466 _thread_blocked 0 "],
          "thread_dumps | select reason time": ["Internal Error (g1.cpp:12), pid=19449, tid=19453 Sat Nov 28 20:32:52 2026"]})
CASES["hs_err: native frames without Java, then those of Java"] = (HEAD + """
    Current thread (0x00007f1f):  JavaThread "a" [_thread_in_native, id=7, stack(0x1,0x2)]

    Current CompileTask:
    C2:   1234  567       4       app.Work::run (53 bytes)

    Native frames: (J=compiled Java code, A=aot compiled Java code, j=interpreted, Vv=VM code, C=native code)
    C  [libmine.so+0x94]  mine+0x4
    Java frames: (J=compiled Java code, j=interpreted, Vv=VM code)
    j  app.Mine.call()V+0
    """, {"stack 1 | select frame": ["mine", "app.Mine.call"], "threads | select state raw": ["native C2:   1234  567       4       app.Work::run (53 bytes)"]})
CASES["hs_err: the head alone, in a log"] = ("".join("2026-01-06T12:00:00Z stdout F %s\n" % line for line in textwrap.dedent(HEAD).strip().split("\n")),
                                            {"threads | select tid depth doing": ["19453 1 Unsafe_PutLong"], "thread_dumps | select pid reason": ["19449 SIGSEGV (0xb)"]})
CASES["a crash report of iOS with a head in JSON"] = ('{"app_name":"App","bug_type":"109","name":"App","os_version":"iPhone OS 14.1"}\n' + textwrap.dedent(CASES["a crash report of iOS"][0]).lstrip("\n"),
                                                     CASES["a crash report of iOS"][1])

# Lines that tools write around their data are no losses.
NOTHING_UNREAD = {"info | where field ~ /^unread[.]|^loader$/ | select field": ["loader"]}
THREAD = """
    "main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000040 nid=0x2 runnable  [0x00007f10]
       java.lang.Thread.State: RUNNABLE
    \tat app.Work.run(Work.java:10)
    """
HEAD_JDK = "4711:\n2026-03-02 04:11:00\nFull thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):\n\n"
SMR = "Threads class SMR info:\n_java_thread_list=0x00007fe6f8002670, length=2, elements={\n0x00007fe788019710, 0x00007fe7880fae20, 0x00007fe7880fc200, 0x00007fe788103c60,\n"
BARS = "     usecs               : count     distribution\n         0 -> 1          : %d        |****|\n"
STACKS = "    f\n    main\n    -                app (42)\n        7\n"
for banner, text in {
        "jcmd Thread.print": HEAD_JDK + SMR + "0x00007fe788105010\n}\n" + textwrap.dedent(THREAD) + "\nJNI global refs: 20, weak refs: 0\n",
        "the list of threads to delete": HEAD_JDK + SMR + "}\n_to_delete_list=0x00007fe6f8002671, length=1, elements={\n0x00007fe788105010\n}\n" + textwrap.dedent(THREAD),
        "kill -3": textwrap.dedent(THREAD) + "\nJNI global references: 20\n\nHeap\n PSYoungGen      total 9728K, used 1K [0x01, 0x02, 0x03)\n  eden space 8704K, 6% used [0x01,0x02,0x03)\n"
                   " Metaspace       used 3M, committed 4M, reserved 1G\n",
        "jstack -l": textwrap.dedent(THREAD) + "\n   Locked ownable synchronizers:\n\t- None\n\nJNI global refs memory usage: 20, weak refs: 0\n",
        "jstack -F": "Attaching to process ID 42, please wait...\nDebugger attached successfully.\nServer compiler detected.\nJVM version is 17.0.9+9\nDeadlock Detection:\n\n"
                     "No deadlocks found.\n\nThread 43: (state = IN_NATIVE)\n - app.Work.run() @bci=0 (Interpreted frame)\n",
        "bpftrace": "Attaching 1 probe...\n^C\n@[\n    f+1\n]: 2\n",
        "bpftrace 0.24": "Attached 3 probes\nSampling CPU at 99hz... Hit Ctrl-C to end.\n@[\n    f+1\n]: 2\n",
        "bpftrace at intervals": "Attaching 2 probes...\n04:18:49\n@[\n    f+1\n]: 2\n\n04:18:50\n@[\n    f+1\n]: 3\n",
        "bpftrace in JSON": '{"type": "attached_probes", "data": {"probes": 2}}\n{"type": "printf", "data": "Tracing VFS calls... Hit Ctrl-C to end.\\n"}\n'
                            '{"type": "time", "data": "04:18:49\\n"}\n{"type": "map", "data": {"@": {"\\nf+1\\n": 2}}}\n',
        "profile": "Sampling at 49 Hertz of all threads by user + kernel stack for 5 secs.\n" + STACKS,
        "profile of a process": "Sampling at 99 Hertz of PID [42] by user stack... Hit Ctrl-C to end.\n^C\n" + STACKS,
        "offcputime": "Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to end.\n^C\n" + STACKS,
        "offcputime for a time": "Tracing off-CPU time (us) of PID 42 by user stack for 1 sec.\n" + STACKS,
        "offcputime of libbpf-tools": "Tracing off-CPU time (us)...\n" + STACKS,
        "stackcount": 'Tracing 3 functions for "ip_*"... Hit Ctrl-C to end.\n^C\n  f\n  main\n    app [42]\n    7\n\nDetaching...\n',
        "memleak": "Attaching to pid 42, Ctrl+C to quit.\n[11:16:33] Top 1 stacks with outstanding allocations:\n\t80 bytes in 5 allocations from stack\n\t\tf+0x6d [shop]\n",
        "memleak of libbpf-tools": "using default object: libc.so.6\nusing page size: 4096\ntracing kernel: false\nTracing outstanding memory allocs...  Hit Ctrl-C to end\n"
                                   "[11:16:33] Top 1 stacks with outstanding allocations:\n80 bytes in 5 allocations from stack\n\t0 [<00007f5c1041646a>] f+0x6d [shop]\n",
        "wakeuptime of libbpf-tools": "Tracing blocked time (us) by kernel stack\n\n\ttarget:          work\n\tffffffffc0026cf8 f\n\tffffffff814ba40d g\n\t          waker: python3\n\t3067\n",
        "a shell before a tracer": "$ sudo bpftrace -e 'profile:hz:99 { @[kstack] = count(); }'\nAttaching 1 probe...\n^C\n@[\n    f+1\n]: 2\n",
        "a shell before jcmd": "root@web1:~# jcmd 4711 Thread.print  # for $ a day\n" + HEAD_JDK + textwrap.dedent(THREAD),
        "a shell with brackets": "[me@web1 ~]$ jcmd 4711 Thread.print\n" + HEAD_JDK + textwrap.dedent(THREAD),
        "biolatency": "Tracing block device I/O... Hit Ctrl-C to end.\n^C\n" + BARS % 5,
        "runqlen": "Sampling run queue length... Hit Ctrl-C to end.\n\n04:06:51\n" + BARS % 5}.items():
    CASES["banners of " + banner] = (text, NOTHING_UNREAD)

# A frame as a tool prints it: the function has one name, without its number, address and offset.
for shape, (lines, want) in {
        "with numbers and addresses": (["#0  0xffffffffa7c9e7e8 schedule+0x43", "#1  0x00007fa0bffd14a1 nap+0x94 (/usr/lib/libc-2.31.so+0x9ed14)", "#10 0x0000555555555151 main+0x11 (/opt/app+0x1151)"],
                                       ["0 main /opt/app", "1 nap /usr/lib/libc-2.31.so", "2 schedule "]),
        "without a symbol": (["#0  0xffffffffa7c9e7e8 schedule+0x43", "#1  0x00007fa0bfe0ad0a (/usr/lib/libc-2.31.so+0x23d0a)", "#2  0x00005555 [unknown] (/opt/app+0x1151)"],
                             ["0 [app] /opt/app", "1 [libc-2.31.so] /usr/lib/libc-2.31.so", "2 schedule "]),
        "without a module": (["#0  0x00007fa0bffd14a1", "#1  0x00007fa0bffd14a2 main+0x1"], ["0 main ", "1 0x00007fa0bffd14a1 "]),
        "with addresses in brackets": (["0 [<00007f5c1041646a>] f+0x6d", "11 [<00007f5c1041646b>] main+0x6d"], ["0 main ", "1 f "]),
        "with addresses": (["0x00007f5c1041646a f+0x6d (/lib/x.so)", "7f5c1041646b main+12 (/bin/app)"], ["0 main /bin/app", "1 f /lib/x.so"]),
        "whose names have numbers": (["abcd", "f2 (x)", "std::f(int (*)(int)) (/lib/x y.so)", "libstdc++"], ["0 libstdc++ ", "1 std::f(int (*)(int)) /lib/x y.so", "2 f2 (x) ", "3 abcd "])}.items():
    CASES["frames of libbpf-tools " + shape] = ("Tracing off-CPU time (us)...\n" + "".join("    %s\n" % x for x in lines) + "    -                app (42)\n        9\n",
                                                {"merged | select depth method module": want})
    CASES["frames of bpftrace " + shape] = ("@[\n" + "".join("    %s\n" % x for x in lines) + "]: 9\n", {"merged | select depth method module": want})
CASES["frames of memleak"] = ("[11:16:33] Top 1 stacks with outstanding allocations:\n80 bytes in 5 allocations from stack\n\t0 [<00007f5c1041646a>] f+0x6d [shop]\n"
                              "\t1 [<00007f5c1041646b>] [libc.so.6]\n\t0x00007f5d\tmain+0x9 [shop]\n", {"merged | select depth method module": ["0 main shop", "1 [libc.so.6] libc.so.6", "2 f shop"]})

# Empty frames in front of the first one are none.
for shape, text in {"of some lines": "a.php;work;hot 149\n;a.php;work 1\n;a.php;work;warm 9\n", "of all lines": ";a.php;work;hot 149\n;a.php;work 1\n;a.php;work;warm 9\n",
                    "several": ";;a.php;work;hot 149\n;a.php;work 1\na.php;work;warm 9\n", "behind a thread": "tid:7;;a.php;work;hot 149\ntid:7;a.php;work 1\ntid:8;;;a.php;work;warm 9\n",
                    "of a comparison": ";a.php;work;hot 1 149\na.php;work 1 1\n;a.php;work;warm 1 9\n"}.items():
    CASES["empty first frames " + shape] = (text, {"merged | select depth method self total": ["0 a.php 0 159", "1 work 1 159", "2 hot 149 149", "2 warm 9 9"]})
CASES["empty frames elsewhere stay"] = ("a;;b 3\na;;b 2\na;c; 4\n", {"merged | select depth method self": ["0 a 0", "1 [unnamed] 0", "2 b 5", "1 c 0", "2 [unnamed] 4"]})
for shape, (text, want) in {
        "Tachyon": ("tid:4321;a.py:f:3;a.py:g:9 70\ntid:4399;a.py:f:3;<GC> 30\n", ["thread 4321 4321 70", "thread 4399 4399 30"]),
        "Tachyon, one thread": ("tid:4321;a.py:f:3;a.py:g:9 70\ntid:4321;a.py:f:3 2\n", ["thread 4321 4321 72"]),
        "async-profiler": ("[main tid=7];a;b 70\n[tid=8];a;c 30\n", ["main 7 70", "thread 8 8 30"]),
        "py-spy": ("process 6:\"app\";thread (7): w;f (a.py:3) 70\nprocess 6:\"app\";thread (0x8): v;f (a.py:3) 30\n", ["w 7 70", "v 8 30"]),
        "Austin": ("P6;T7;a.py:f:3 70\nP6;T0:8;a.py:f:3 30\n", ["thread 7 7 70", "thread 8 8 30"]),
        "none: one stack lacks it": ("tid:4321;a;b 70\na;c 30\n", ["all 0 100"]), "none: no number": ("tid:x;a;b 70\ntid:7y;a;c 30\n", ["all 0 100"])}.items():
    CASES["threads of folded stacks: " + shape] = (text, {"threads | select name tid samples": want})

CASES["go: leaked goroutines"] = ("".join("goroutine %d [%s]:\nmain.%s()\n\t/a.go:20 +0x1\n\n" % x for x in (
    (1, "running", "dump"), (2, "chan receive (leaked)", "wait"), (3, "chan receive (leaked)", "wait"), (4, "select (leaked), 5 minutes", "pick"), (5, "chan send (nil chan) (leaked)", "send"),
    (6, "chan receive", "wait"), (7, "sync.Mutex.Lock (leaked), locked to thread", "lock"))), {
    "threads | where leaked | select number raw state": ["2 chan receive waiting", "3 chan receive waiting", "4 select waiting", "5 chan send (nil chan) waiting", "7 sync.Mutex.Lock blocked"],
    "threads | where not leaked | select number state": ["1 running", "6 waiting"],
    "findings | where kind = leaked | select threads what": ["2 leaked: chan receive; waiting in main.wait", "1 leaked: select; waiting in main.pick",
                                                              "1 leaked: chan send (nil chan); waiting in main.send", "1 leaked: sync.Mutex.Lock; blocked in main.lock"],
    "overview | where line = leaked | select value subject": ["2 leaked: chan receive; waiting in main.wait", "1 leaked: select; waiting in main.pick",
                                                               "1 leaked: chan send (nil chan); waiting in main.send"],
    "overview | head 1 | select line subject": ["story 2 goroutines leaked: chan receive; waiting in main.wait"],
    "overview | where line = leaked or line = deadlock | select line": ["leaked", "leaked", "leaked", "deadlock"]})
PARKED = '"%s" #%d prio=5 os_prio=0 cpu=1.00ms elapsed=60.00s tid=0x%x nid=0x%x waiting on condition  [0x0000]\n   java.lang.Thread.State: WAITING (parking)\n' \
    "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x%x> (a %s)\n\tat java.util.concurrent.locks.LockSupport.park(LockSupport.java:1)\n"
CASES["java: idle threads, and one that waits for a lock"] = ("Full thread dump OpenJDK 64-Bit Server VM (21.0.4+7 mixed mode):\n\n" + "".join(
    PARKED % ("pool-1-thread-%d" % k, 30 + k, 0x1000 + k, 0x2000 + k, 0x700000001, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject") +
    "\tat java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1)\n"
    "\tat java.lang.Thread.run(Thread.java:1)\n\n" for k in range(9)) +
    PARKED % ("req", 50, 0x3000, 0x4000, 0x700001000, "java.util.concurrent.locks.ReentrantLock$NonfairSync") +
    "\tat java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:1)\n\tat a.B.pay(B.java:1)\n\n", {
    "overview | head 2 | select line subject": ["story 1 waits for a lock: 9 of 10 threads are idle",
                                                "holder unknown req, for java.util.concurrent.locks.ReentrantLock$NonfairSync 0x700001000"]})
CASES["go: creators"] = ("".join("goroutine %d [%s]:\nmain.wait()\n\t/a.go:20 +0x1\n%s\n" % x for x in (
    (1, "running", ""), (2, "chan receive (leaked)", "created by main.(*Pool).start in goroutine 1\n\t/a.go:9 +0x2\n"),
    (3, "select", "created by main.old\n\t/a.go:7 +0x2\n\nzebra\n"))), {
    "thread_dumps | select other_lines": ["1"],
    "threads | select number parent": ["1 ", "2 main.(*Pool).start in goroutine 1", "3 main.old"],
    "findings | where kind = leaked | select what": ["leaked: chan receive; created by main.(*Pool).start; waiting in main.wait"]})
CASES["go: creators of ancestors"] = ("goroutine 8 [chan receive (leaked)]:\nmain.f()\n\t/a.go:5 +0x1\ncreated by main.g in goroutine 7\n\t/a.go:9 +0x2\n"
                                     "[originating from goroutine 7]:\nmain.g(...)\n\t/a.go:9 +0x2\ncreated by main.top in goroutine 1\n\t/a.go:12 +0x3\n", {
    "threads | select number parent": ["8 main.g in goroutine 7"],
    "findings | where kind = leaked | select what": ["leaked: chan receive; created by main.g; waiting in main.f"]})
CASES["go: threads of unknown creators"] = ("threadcreate profile: total 3\n2 @ 0x0 0x0\n#\t0x0\n\n1 @ 0x48412e\n#\t0x48412d\tmain.send+0x24\t/a.go:21\n",
                                            {"threads | select top count": [" 2", "main.send (a.go:21) 1"], "info | where field ~ /^unread[.]|^loader$/ | select field value": ["loader stacks"]})
for name in "goroutine", "threadcreate", "goroutineleak", "shop/conn.open", "my pool":
    CASES["go: a profile of counts, " + name] = ("%s profile: total 4\n3 @ 0x48412e 0x4168ee\n#\t0x48412d\tmain.wait+0x1b\t/a.go:20\n\n1 @ 0x48412e\n#\t0x48412d\tmain.send+0x24\t/a.go:21\n" % name,
                                                {"threads | select top count leaked": ["main.wait (a.go:20) 3 %s" % ("true" if name == "goroutineleak" else "false"),
                                                                                       "main.send (a.go:21) 1 %s" % ("true" if name == "goroutineleak" else "false")],
                                                 "info | where field ~ /^unread[.]|^loader$/ | select field value": ["loader stacks"]})

BAR = "|@@@@                       |\n"
HIST = {"merged | select depth method self": ["0 [4, 8) usecs 149", "0 [1] usecs 11", "0 [1K, 2K) usecs 3", "0 [0] usecs 1"], "events | select name weight unit": ["@usecs 164 values"],
        **NOTHING_UNREAD}
ROWS = "[0]                    1 " + BAR + "[1]                   11 " + BAR + "[2, 4)                 0 " + BAR + "[4, 8)               149 " + BAR + "[1K, 2K)               3 " + BAR
for shape, (text, queries) in {
        "of a script": ("Attaching 5 probes...\nTracing CPU scheduler... Hit Ctrl-C to end.\n^C\n\n@usecs:\n" + ROWS, HIST),
        "with a blank": ("@usecs: \n" + ROWS + "\n", HIST),
        "that grow": ("@usecs:\n[4, 8)               100 " + BAR + "\n@usecs:\n" + ROWS, HIST),
        "at intervals": ("04:18:49\n@usecs:\n[1]                   11 " + BAR + "\n04:18:50\n@usecs:\n[0]                    1 " + BAR + "[4, 8)               149 " + BAR
                         + "[1K, 2K)               3 " + BAR, HIST),
        "of keys": ("@read_us[app, 1]: \n[2, 4)                7 " + BAR + "\n@read_us[db, 2]: \n[2, 4)                5 " + BAR + "[4, 8)                2 " + BAR,
                    {"merged | select depth method self": ["0 app 0", "1 1 0", "2 [2, 4) us 7", "0 db 0", "1 2 0", "2 [2, 4) us 5", "2 [4, 8) us 2"], "events | select name weight": ["@read_us 14"]}),
        "linear, open at the ends": ("@load:\n(..., 0)               2 " + BAR + "[0, 10)               5 " + BAR + "[10, ...)              1 " + BAR,
                                     {"merged | select method self": ["[0, 10) 5", "(..., 0) 2", "[10, ...) 1"]}),
        "of two maps": ("@usecs:\n" + ROWS + "\n@size:\n[8, 16)               2 " + BAR, {"events | select name weight unit": ["@usecs 164 values", "@size 2 values"]})}.items():
    CASES["histograms of bpftrace " + shape] = (text, queries)

# The words around a dump of Python are form, and the current thread is the one that crashed.
WORKER = 'Thread 0x00007f12 [worker-1] (most recent call first):\n  File "/app/q.py", line 12 in pop\n\n'
CURRENT = 'Current thread 0x00007f13 [python] (most recent call first):\n  File "/app/m.py", line 7 in crash\n  File "/app/m.py", line 9 in <module>\n\n'
C_STACK = "Current thread's C stack trace (most recent call first):\n  Binary file \"/usr/lib/libpython3.14.so.1.0\", at _Py_DumpStack+0x31 [0x7f3b2e0a1c51]\n  Binary file \"/lib/libc.so.6\", at +0x42520 [0x7f3b2e042520]\n" \
    "  Binary file \"/app/ext.so\", at do_crash+0x4 [0x7f3b2c0011a4]\n  Binary file \"/usr/lib/libpython3.14.so.1.0\", at _PyEval_EvalFrameDefault+0x2c81 [0x7f3b2df00c81]\n\n"
for shape, (text, what) in {
        "current thread last": ("Fatal Python error: Segmentation fault\n\n" + WORKER + CURRENT + C_STACK + "Extension modules: ext (total: 1)\n",
                                "Fatal Python error: Segmentation fault, in do_crash (ext.so), called by crash; thread python"),
        "current thread first": ("Fatal Python error: Aborted\n\n" + CURRENT + WORKER + C_STACK, "Fatal Python error: Aborted, in do_crash (ext.so), called by crash; thread python"),
        "without the C stack": ("Fatal Python error: Bus error\n\n" + WORKER + CURRENT + "Extension modules: a, b.c (total: 2)\n",
                                "Fatal Python error: Bus error, in crash (m.py:7), called by <module>; thread python"),
        "threads without names": ("Fatal Python error: Aborted\n\n" + (WORKER + CURRENT).replace(" [worker-1]", "").replace(" [python]", ""),
                                  "Fatal Python error: Aborted, in crash (m.py:7), called by <module>"),
        "a timeout": ("Timeout (0:00:05)!\n" + WORKER, "Timeout (0:00:05)!")}.items():
    CASES["faulthandler: " + shape] = (text, {"findings | where kind = reason | select what": [what], **NOTHING_UNREAD})

CASES["faulthandler: frames of C"] = ("Fatal Python error: Aborted\n\n" + CURRENT + WORKER + C_STACK, {
    "stack 1": ["3 do_crash ext.so 1", "2 crash m.py:7 2", "1 <module> m.py:9 3"], "info | where field = native_frames | select value": ["3"]})

# The list of tasks alone, as people paste it out of sched_debug.
for shape, (head, rows, want) in {
        "cut columns": ("            task   PID         tree-key  switches  prio  ...", ["         cpuhp/7   134         0.943766        14   120", "R         feedrd 40825   1306133.326251       479   110"],
                        ["cpuhp/7 134 14", "feedrd 40825 479"]),
        "no more columns": ("            task   PID         tree-key  switches  prio", ["    migration/7   136         0.000000        26     0", "    ksoftirqd/7   137        -5.236392         6   120"],
                            ["ksoftirqd/7 137 6", "migration/7 136 26"]),
        "states": (" S            task   PID         tree-key  switches  prio", [" S         cpuhp/7   134         0.943766        14   120", ">R         feed rd 40825   1306133.326251       479   110"],
                   ["cpuhp/7 134 14", "feed rd 40825 479"])}.items():
    CASES["runnable tasks, " + shape] = ("runnable tasks:\n" + head + "\n" + "".join(row + "\n" for row in rows),
                                         {"threads | sort name | select name tid total": want, "labels | group : sum total": [
                                             str(sum(int(row.split()[-2]) for row in rows))], "info | where field = format | select value": ["sched_debug of Linux"], **NOTHING_UNREAD})
# Two reports in different units: what the larger one cannot show is no change (Code: 10300 KB, then 10 MB).
NMT = """Native Memory Tracking:

Total: reserved=%s, committed=%s

-                      Code (reserved=%s, committed=%s)

-                        GC (reserved=%s, committed=%s)

"""
CASES["native memory, in KB and then in MB"] = (NMT % ("30000KB", "22000KB", "20000KB", "10300KB", "10000KB", "11700KB") + NMT % ("30MB", "25MB", "20MB", "10MB", "10MB", "15MB"),
    {"native_memory | select name committed committed_delta": ["Code 10485760 0", "GC 15728640 3747840"]})
# The CPU time of a thread is what it used between all dumps, also of one that ended before the last.
USED = ['"%s" #%d prio=5 os_prio=0 cpu=%d.00ms elapsed=9.00s tid=0x00007f00000000%d0 nid=0x%d runnable  [0x00007f10]\n   java.lang.Thread.State: RUNNABLE\n\tat app.Work.%s(Work.java:10)\n\n'
        % (name, number, cpu, number, number, frame) for name, number, cpu, frame in (("early", 2, 100, "hot"), ("late", 3, 100, "warm"), ("early", 2, 3100, "hot"), ("late", 3, 150, "warm"), ("late", 3, 200, "cold"))]
VERBOSE = "".join("%s    #0  0x0000563a1c001199 %s+0x19 (/root/app+0x1199)\n    #1  0x0000563a1c001136 main+0x16 (/root/app+0x1136)\n    -                app (4243)\n        %d\n\n"
                  % row for row in (("", "hot", 70), ("", "warm", 30)))
for tool in "Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n", "Tracing off-CPU time (us)...\n":
    CASES["libbpf-tools -v: " + tool.split(" ")[0]] = (tool + VERBOSE, {"info | where field ~ /^unread[.]|^loader$/ | select value": ["tracers"],
                                                                        "methods | where self > 0 | sort -self | select name": ["hot", "warm"]})
CASES["CPU time over a series of dumps"] = ("".join("2026-03-02 04:11:0%d\n%s" % (i, HEAD_JDK.split("\n", 2)[2]) + dump for i, dump in enumerate((USED[0] + USED[1], USED[2] + USED[3], USED[4]))),
    {"overview | where line = 'used CPU' | select value subject": ["3000000000 early, running, in app.Work.hot", "100000000 late, running, in app.Work.cold"]})
CASES["what scripts print is no banner"] = ("Attaching 1 probe...\nzebra\nTracing zebras\n@[\n    f+1\n]: 2\n", {"info | where field = unread.lines | select value": ["2"]})
CASES["a price is no shell"] = (HEAD_JDK + textwrap.dedent(THREAD) + "\nit costs 5$ a day\nsee # 7 of me@web\n", {"info | where field = unread.lines | select value": ["2"]})
CASES["what follows a dump is no heap"] = (textwrap.dedent(THREAD) + "\nHeap\n Metaspace       used 3M\nzebra\n zebra\n", {"info | where field = unread.lines | select value": ["2"]})
CASES["histograms at intervals"] = ("Tracing run queue latency... Hit Ctrl-C to end.\n\n23:59:59\n" + BARS % 5 + "\n00:00:01\n" + BARS % 7 + "         2 -> 3          : 1        |*|\n\n00:00:02\n" + BARS % 0,
                                    {"metrics values | select start_wall value": ["0 5", "2000000000 8", "3000000000 0"], "metrics maximum | select value": ["1", "3", "0"],
                                     "events | select weight": ["13"]})


# A thread that leaves its CPU ends in finish_task_switch, whatever the compiler made of its name.
WALL = "app 100/101 [000] 1.0%d0000:   10000000 %s:\n%s\t7f10 %s (/bin/a)\n\t7f11 main (/bin/a)\n\n"
SWITCHED = "\tffff1000 finish_task_switch%s+0x1 ([kernel.kallsyms])\n\tffff1002 schedule+0x1 ([kernel.kallsyms])\n"
for name in "", ".isra.0":
    CASES["off the CPU in finish_task_switch" + name] = (WALL % (1, "wall", SWITCHED % name, "work") + WALL % (2, "wall", "", "compute"), {
        "overview | where line in (waiting, 'top self') | select line subject": ["waiting finish_task_switch" + name, "top self compute"]})


CASES["the hook of a profiler of malloc"] = ("a;main;keep;malloc_hook 3\na;main;keep;libasyncProfiler.so.calloc_hook 4\na;main;malloc_hook;keep 5\nmalloc_hook 6\n", {
    "merged | where self > 0 | sort self | select method self": ["keep 5", "malloc_hook 6", "keep 7"]})


UFTRACE = [(0, "B", "main"), (10, "B", "hot"), (100, "B", "linux:schedule"), (5000, "E", "linux:schedule"), (6000, "E", "hot"), (6100, "E", "main")]
CASES["time off the CPU in a trace of uftrace"] = (json.dumps({"traceEvents": [{"ts": t, "ph": ph, "pid": 1, "tid": 1, "name": n} for t, ph, n in UFTRACE]}), {
    "overview | where line ~ /^(off the CPU|top self time)$/ | select line value subject": [
        "off the CPU 4900000 linux:schedule of uftrace", "top self time 1090000 hot", "top self time 110000 main"],
    "methods | where waits | select method": ["linux:schedule"]})


# Scripts print the file wchan of each task behind its stack, or before it.
PROC = "/proc/12/task/%d/stack\n%s[<0>] %s+0x60/0x90\n[<0>] do_it+0xd4/0x1a0\n%s\n"
for shape, stacks, unread in (("behind", PROC % (12, "", "futex_wait", "futex_wait\n") + PROC % (13, "", "ep_poll", "0\n"), ["stacks"]),
                              ("before", PROC % (12, "wchan: futex_wait\n", "futex_wait", "") + PROC % (13, "wchan: 0\n", "ep_poll", ""), ["stacks"]),
                              ("of nothing", PROC % (12, "", "futex_wait", "zebra\n") + PROC % (13, "", "ep_poll", "ep_poll zebra\n"), ["2", "stacks"])):
    CASES["wchan " + shape] = (stacks, {"threads | select tid depth top": ["12 2 futex_wait ([kernel])", "13 2 ep_poll ([kernel])"],
                                        "info | where field ~ /^(loader|unread.lines)$/ | select value": unread})

# A task that runs and one that waits to: older kernels only mark the former.
for shape, head, marks, want in (("a column", " S", (">R", " R", " S"), ["prio=1, state=running", "prio=2, state=runnable", "prio=3, state=sleeping"]),
                                 ("a mark", "  ", ("R ", "  ", "  "), ["prio=1, state=running", "prio=2", "prio=3"])):
    CASES["runnable tasks, states in " + shape] = ("runnable tasks:\n%s            task   PID         tree-key  switches  prio\n" % head + "".join(
        "%s           task%d   %d         0.943766        14   %d\n" % (mark, i, 100 + i, i + 1) for i, mark in enumerate(marks)),
        {"labels | sort labels | select labels": want})


LONGEST = [("09:59:59.999999", "a is b", 4), ("10:00:01.000009", "kworker/2:1", 1000003), ("10:00:01.120617", "a is b", 38120)]
CASES["longest times off the CPU at intervals"] = ("".join("2026-11-30 %s max offcpu for %s is %dus\n" % row for row in LONGEST), {
    "threads | sort name | select name samples total": ["a is b 2 38124000", "kworker/2:1 1 1000003000"],
    "info | where field = elapsed | select value": ["1120618000"], "events | select name": ["off-cpu"], **NOTHING_UNREAD})


GPROF2DOT = {"version": 0, "costs": [{"description": "Memory", "unit": "bytes"}, {"description": "Calls", "unit": "calls"}],
             "functions": [{"name": n, "module": "/a/%s.py" % n} for n in ("f", "main", "g\u00e9")],
             "events": [{"callchain": chain, "cost": cost} for chain, cost in (([0, 1], [100, 2]), ([2, 0, 1], [50, 7]), ([3], [5, 1]), ([0, 1], [1, 1]))]}
for shape, keys in (("functions first", ("version", "costs", "functions", "events")), ("events first", ("events", "functions", "costs", "version"))):
    CASES["gprof2dot, " + shape] = (json.dumps({k: GPROF2DOT[k] for k in keys}), {
        "merged | sort depth | select depth method self total": ["0 main 0 151", "1 f 101 151", "2 g\u00e9 50 50"],
        "events | select name weight unit": ["Memory 151 bytes", "Calls 10 (as printed)"], "info | where field ~ /format|stackless/ | select value": ["stacks of gprof2dot (JSON)", "1"]})
CASES["gprof2dot, units"] = (json.dumps({"costs": [{"description": n, "unit": u} for n, u in (("Time", "s"), ("Idle", "ms"), ("Disk", "kb"))],
                                         "functions": GPROF2DOT["functions"], "events": [{"callchain": [0, 1], "cost": cost} for cost in ([0.25, 1.5, 3], [2, 2.5e-1, 1])]}), {
    "events | sort name | select name weight samples": ["Disk 4096 2", "Idle 1750000 2", "Time 2250000000 2"], **NOTHING_UNREAD})


# Ids of the C library are too long for ids of the system: threads without another name stay apart.
for shape, thread in (("Austin", "P12;T%s"), ("Austin with interpreters", "P12;T0:%s"), ("py-spy", "thread (%s)"), ("Tachyon", "tid:%s")):
    CASES["long ids of threads, " + shape] = ("".join("%s;main (a.py:3);%s (a.py:9) %d\n" % (thread % tid, f, n) for tid, f, n in (
        ("0x7f4564564601", "work", 20), ("0x7f4564564602", "wait", 30), ("0x7f4564564601", "wait", 5))), {
        "threads | sort name | select name samples": ["0x7f4564564601 25", "0x7f4564564602 30"], **NOTHING_UNREAD})


STORY = "overview | where line = story | select subject"
# A deferred function that runs, or fails again, says less than who failed.
for shape, said, above in (("in a deferred function", "panic: boom", "sync.(*Mutex).Lock(0x1)\n\t/usr/local/go/src/sync/mutex.go:90 +0x1\nmain.(*Cart).clean(0x1)\n\t/src/cart.go:40 +0x1\n"),
                           ("raised again", "panic: boom [recovered]\n\tpanic: again", "testing.tRunner.func1.2({0x1, 0x2})\n\t/go/testing.go:1631 +0x1\npanic({0x1, 0x2})\n\t/go/panic.go:770 +0x1\nmain.guard()\n\t/src/a.go:3 +0x1\n")):
    CASES["a panic, " + shape] = (said + "\n\ngoroutine 7 [running]:\n" + above + "panic({0x1, 0x2})\n\t/go/panic.go:770 +0x1\nruntime.goPanicIndex(0x5, 0x3)\n"
                                  "\t/go/panic.go:114 +0x1\nmain.(*Cart).Add(0x1)\n\t/src/cart.go:12 +0x1\nmain.main()\n\t/src/main.go:9 +0x1\n", {
        STORY: [said.split("\n", 1)[0] + ", in main.(*Cart).Add (cart.go:12), called by main.main"], **NOTHING_UNREAD})

# The kernel says again that the same tasks hang; the last time counts.
HUNG = "INFO: task kworker/u8:%d:%d blocked for more than %d seconds.\ntask:kworker/u8:%d state:D stack:0 pid:%d ppid:2\nCall Trace:\n schedule+0x1/0x2\n %s+0x1/0x2\n"
CASES["tasks that hang, twice each"] = ("".join(HUNG % (i, 100 + i, seconds, i, 100 + i, "receive_%s" % ("long_name" * 9)) for seconds in (120, 241) for i in (2, 3)), {
    "findings | where newest and kind = reason | select what": [
        "INFO: task kworker/u8:2:102 blocked for more than 241 seconds, in %s" % ("receive_" + "long_name" * 9)],
    STORY: ["INFO: task kworker/u8:2:102 blocked for more than 241 seconds, ..."]})

# Words of a program that differ in a number are two failures; it is started again after the first.
NO_HANDLER = "panic: no handler for %d\n\ngoroutine 1 [running]:\nmain.serve(0x1)\n\t/src/a.go:%d +0x1\nmain.main()\n\t/src/main.go:9 +0x1\nexit status 2\n"
CASES["two panics of a program"] = (NO_HANDLER % (7, 7) + NO_HANDLER % (8, 7), {
    "findings | where newest and kind = reason | sort what | select what": ["panic: no handler for %d, in main.serve (a.go:7), called by main.main%s" % x for x in ((7, "; not in the last dump"), (8, ""))]})

# A log says of a failure what the lines below it show, with no empty line before or after; a server goes on.
LOGGED = "2024/01/02 10:00:0%d %s\n%sgoroutine 3%d [running]:\nmain.recovers.func1()\n\t/src/a.go:3 +0x1\npanic({0x1, 0x2})\n\t/go/panic.go:770 +0x1\n" \
    "main.total(...)\n\t/src/cart.go:%d\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/go/server.go:3086 +0x5cb\n"
NEWEST = "findings | where newest and kind = reason | sort what | select what"
for shape, said, more in (("by net/http", "http: panic serving 127.0.0.1:51234: boom (no.%d)", ""), ("by a logger", "ERROR panic: boom (no.%d)", "\n"),
                          ("by a handler", "[error] panic recovered: boom (no.%d)", ""), ("with a signal", "fatal error: boom (no.%d)", "[signal SIGSEGV: x]\n")):
    CASES["a panic that is logged, " + shape] = ("".join(LOGGED % (i, said % i, more, i, i) for i in (1, 2)), {
        NEWEST: ["%s, in main.total (cart.go:%d)%s" % (re.search("(http: )?(panic|fatal).*", said % i)[0], i, "" if i == 2 else "; not in the last dump") for i in (1, 2)],
        **NOTHING_UNREAD})
# Of the log of a server: each client has another address; a message may be long; a line may end as one of a function does.
SERVED = "http: panic serving 10.0.0.%d:5123%d: runtime error (%s)\n%s"
CASES["panics that are logged, of two clients"] = ("".join(SERVED % (i, i, "nil map", LOGGED.split("%s", 2)[2] % (i, 7)) for i in (1, 2)), {
    NEWEST: ["http: panic serving 10.0.0.2:51232: runtime error (nil map), in main.total (cart.go:7)"], "threads | group number : count as n | select n": ["1", "1"],
    **NOTHING_UNREAD})
CASES["a panic with a long message"] = ("panic: %s\n\ngoroutine 1 [running]:\nmain.serve(0x1)\n\t/src/a.go:7 +0x1\nmain.main()\n\t/src/main.go:9 +0x1\n" % ("a message, in words, \u00e9" * 9), {
    STORY: [("panic: " + "a message, in words, \u00e9" * 9).encode()[:93].decode(errors="ignore") + "..., in main.serve (a.go:7)"]})
CASES["a panic that is logged, long before"] = ("2024/01/02 10:00:00 WARN panic: handled\n2024/01/02 10:00:01 started\n\ngoroutine 1 [select]:\nmain.main()\n\t/src/a.go:3 +0x1\n", {
    NEWEST: [], "info | where field = unread.lines | select value": ["2"]})

# What ended a program is said before the frames; where it stopped is said twice.
SESSION = "Reading symbols from ./app...\n[New LWP 345]\nCore was generated by `./app'.\n%s#0  0x0000555555555261 in shop::total (n=5) at cart.cc:12\n12\t  return *p;\n%s"
HEADS = "(gdb) thread apply all bt\n\nThread 2 (Thread 0x7f2 (LWP 346)):\n#0  0x00007ffff78e57f8 in pause () at pause.c:1\n#1  0x0000555555555300 in other () at main.cc:40\n\n" \
    "Thread %d (Thread 0x7f1 (LWP 345)):\n#0  0x0000555555555261 in shop::total (n=5) at cart.cc:12\n#1  0x00005555555552f0 in main () at main.cc:9\n"
BARE = "(gdb) bt\n#0  0x0000555555555261 in shop::total (n=5) at cart.cc:12\n#1  0x00005555555552f0 in main () at main.cc:9\n(gdb) quit\n"
TERMINATED, RECEIVED = "Program terminated with signal SIGSEGV, Segmentation fault", 'Thread 3 "app" received signal SIGABRT, Aborted'
THREW = "terminate called after throwing an instance of 'std::runtime_error'\n"
for shape, said, more, want in (
        ("a core", TERMINATED + ".\n", BARE, [TERMINATED]), ("a core with threads", TERMINATED + ".\n", "[Current thread is 3 (LWP 345)]\n" + HEADS % 3, [TERMINATED]),
        ("an exception", THREW + "  what():  boom\n\n" + RECEIVED + ".\n", HEADS % 3, ["what():  boom"]),
        ("an exception without a message", THREW + RECEIVED + ".\n", HEADS % 3, [THREW.strip()]), ("a signal", RECEIVED + ".\n", HEADS % 3, [RECEIVED]),
        ("an assertion", "app: cart.cc:12: int total(): Assertion `p != 0' failed.\n\n" + RECEIVED + ".\n", BARE, ["app: cart.cc:12: int total(): Assertion `p != 0' failed"]),
        ("glibc", "free(): invalid pointer\n\nProgram received signal SIGABRT, Aborted.\n", BARE, ["free(): invalid pointer"]),
        ("a user", 'Thread 1 "app" received signal SIGINT, Interrupt.\n', BARE, [])):
    CASES["gdb, stopped by " + shape] = (SESSION % (said, more), {
        NEWEST: [w + ", in shop::total (cart.cc:12), called by main" for w in want], "threads | select depth": ["2"] * (1 + (more[:11] != BARE[:11])), **NOTHING_UNREAD})
# A session looks at single frames and at other threads; a second session has a failure of its own.
STOP = SESSION % (TERMINATED + ".\n", "")
LOOKS = "(gdb) frame 1\n#1  0x00005555555552f0 in main () at main.cc:9\n9\t  return total(5);\n(gdb) up\n#1  0x00005555555552f0 in main () at main.cc:9\n9\t  return total(5);\n"
THREAD = "(gdb) thread 2\n[Switching to thread 2 (Thread 0x7f2 (LWP 346))]\n#0  0x00007ffff78e57f8 in pause () at pause.c:1\n1\tpause.c: No such file or directory.\n" \
    "(gdb) bt\n#0  0x00007ffff78e57f8 in pause () at pause.c:1\n#1  0x0000555555555300 in other () at main.cc:40\n"
BOTH = ["1 shop::total (cart.cc:12) 2", "2 pause (pause.c:1) 2"]
for shape, text, want in (("single frames", LOOKS + BARE[:-11] + LOOKS, BOTH[:1]), ("another thread", BARE[:-11] + THREAD, BOTH), ("another thread alone", THREAD, ["1 pause (pause.c:1) 2"]),
                          ("another thread and frames", LOOKS + BARE[:-11] + LOOKS + THREAD + LOOKS, BOTH)):
    CASES["gdb, a session that shows " + shape] = (STOP + text, {
        "threads | sort number | select number top depth": want, **NOTHING_UNREAD})
CASES["gdb, two sessions"] = (SESSION % (TERMINATED + ".\n[Current thread is 3 (LWP 345)]\n", HEADS % 3) + "(gdb) quit\n" + SESSION % (RECEIVED.replace("3", "2") + ".\n", HEADS.replace("%d", "3")), {
    NEWEST: [TERMINATED + ", in shop::total (cart.cc:12), called by main; not in the last dump", RECEIVED.replace("3", "2") + ", in pause (pause.c:1), called by other"],
    **NOTHING_UNREAD})
CASES["gdb, a number before a tab is no line of the source elsewhere"] = (HEADS % 1 + "12\t  return *p;\n", {"info | where field = unread.lines | select value": ["1"]})
for reason, fails in (("EXC_BAD_ACCESS (code=1, address=0x0)", True), ("signal SIGSEGV: address not mapped to object (fault address: 0x0)", True),
                      ("signal SIGABRT", True), ("signal SIGSTOP", False), ("breakpoint 1.1", False)):
    CASES["lldb, stopped by " + reason] = ("(lldb) bt all\n  thread #1, name = 'app'\n    frame #0: 0x00007fff20348cde libc.so.6`pause + 10\n"
                                           "* thread #2, name = 'worker', stop reason = %s\n  * frame #0: 0x0000000100003210 app`shop::total(n=5) at cart.cc:12\n"
                                           "    frame #1: 0x000000010000321c app`work at main.cc:9:5\n" % reason, {
        NEWEST: [reason + ", in shop::total (cart.cc:12), called by work"] if fails else [], **NOTHING_UNREAD})

# A handler of the program above the failure is not where it failed.
THROWN = ("raise", "abort", "app::on_terminate", "__cxxabiv1::__terminate", "__cxa_throw"), ("raise", "abort", "app::on_terminate", "std::terminate"), (
    "app::write_dump", "app::on_signal", "<signal handler called>"), ("std::process::abort", "app::hook", "std::panicking::rust_panic_with_hook", "core::panicking::panic_fmt")
for above in THROWN:
    CASES["a failure below " + above[-1]] = ("Thread 1 (Thread 0x7f1 (LWP 7) \"main\"):\n" + "".join(
        "#%-2d %s\n" % (i, f if f[0] == "<" else "0x%016x in %s () at a.cc:%d" % (i + 1, f, i + 1)) for i, f in enumerate(above + ("shop::total", "main"))), {
        "threads | select own": ["shop::total (a.cc:%d)" % (len(above) + 1)], **NOTHING_UNREAD})

CASES["a signal that a sanitizer saw"] = ("==42==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010 (pc 0x55d0c1a2 bp 0x7ffd sp 0x7ffc T0)\n"
                                          "==42==The signal is caused by a READ memory access.\n    #0 0x4a2 in total /src/cart.c:12:5\n    #1 0x4c0 in main /src/main.c:30\n", {
    STORY: ["ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010, in total (cart.c:12), called by main"], **NOTHING_UNREAD})


def check(program, scratch, name):
    text, queries = CASES[name]
    path = os.path.join(scratch, "form.txt")
    with open(path, "w", encoding="utf-8") as f:
        f.write(textwrap.dedent(text).lstrip("\n"))
    a = program.ask(path, *queries, options=("--no-index",))
    if a.code not in (0, 3):
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    bad = []
    for (query, want), table in zip(queries.items(), a.tables(), strict=True):
        got = [" ".join(row.values()) for row in table.rows]
        bad += [] if got == want else ["%s: %s, not %s" % (query, got, want)]
    return bad


# What tools write around the threads of a dump, by file of the fuzz targets; ART does so in front of them.
AROUND = {
    "gdb": "[New LWP 7574]|[New Thread 0x7f01 (LWP 12)]|[Thread debugging using libthread_db enabled]|Using host libthread_db library \"/lib/libthread_db.so.1\".|"
           "Core was generated by `./shop'.|[Inferior 1 (process 7573) detached]|[Switching to thread 1 (Thread 0x7f37 (LWP 10))]|"
           "No symbol table info available.|warning: Could not load vsyscall page because no executable was specified|0x00007f3763871545 in poll () from /lib/x86_64-linux-gnu/libc.so.6|"
           "0x00007f3763871545 in ?? () from /lib/libc.so.6|0x0000000000401126 in spin (p=0x7ffd) at dl.c:14|main () at dl.c:50|"
           "__futex_wait (private=128, abstime=0x0) at ./nptl/futex-internal.c:57|57\t./nptl/futex-internal.c: No such file or directory.|"
           "warning: 57\t./nptl/futex-internal.c: No such file or directory|57\tin ./nptl/futex-internal.c",
    "lldb": "Executable module set to \"/src/shop\".|Architecture set to: x86_64-pc-linux-gnu.",
    "go": "nohup: ignoring input|--- FAIL: TestAdd (0.00s)|FAIL|FAIL\texample.com/shop\t0.004s|SIGABRT: abort|SIGQUIT: quit|PC=0x408a8e m=0 sigcode=0|rax    0xfffffffffffffffc|r10    0x36eda9|"
          "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x49a2f4]|exit status 2",
    "kernel": "      Tainted: G         C      6.1.0 #1|      Not tainted 6.1.0 #1|\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.|"
              "Workqueue: writeback wb_workfn (flush-8:1)|Call Trace:|#PF: supervisor read access in kernel mode|Code: 00 00 66 90|Modules linked in: nfs|Hardware name: QEMU",
    "coredump": "           UID: 1000 (u)|     Timestamp: Tue 2026-01-06 12:00:00 CET|  Command Line: /usr/bin/app|       Boot ID: 7f|"
                "                Module libc.so.6 from deb glibc-2.36|                ELF object binary architecture: AMD x86-64",
    "mac": "Path:                  /Applications/App.app|Identifier:            com.ex.App|Code Type:             X86-64 (Native)|Date/Time:             2026-01-06|"
           "OS Version:            Mac OS X 10.15.7|       0x10f3b0000 -        0x10f3c0fff +com.ex.App (1.0 - 1) <AA> /Applications/App",
    "sanitizer": "0x602000000010 is located 0 bytes inside of 4-byte region|SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:10:5 in use_it|"
                 "==4242==The signal is caused by a READ memory access.|==4242==Hint: address points to the zero page.|"
                 "AddressSanitizer can not provide additional info.|==4242==ABORTING",
    "faulthandler": "Extension modules: numpy.core._multiarray_umath (total: 1)|Segmentation fault (core dumped)|Aborted",
    "rust": "note: run with `RUST_BACKTRACE=full` for a verbose backtrace.",
    "hotspot": "os_prio=0 cpu=40.19ms elapsed=22.17s tid=0x00007f8cdd02dcf0 nid=0x1bb6 runnable  |os_prio=31 cpu=0.20ms elapsed=9.25s tid=0x0000000101bcb200 nid=38915 runnable",
    "art": "Build fingerprint: 'a/b/c:12/X/1:user/release-keys'|ABI: 'arm64'|Zygote loaded classes=1 post zygote classes=2|Total GC count: 3|"
           "ProcessMarkStack:\tSum: 1.2ms 99% C.I. 2us-600us Avg: 60us Max: 600us",
}


def check_around(program, scratch, kind):
    """They are no lines that were not read, and others are."""
    with open(os.path.join(os.path.dirname(HERE), "fuzz", "corpus", "stacks", kind), encoding="utf-8") as f:
        text = f.read()
    at = re.search(r"(?m)^Cmd line: .*\n", text).end() if kind == "art" else len(text)
    counts = []
    for lines in "", AROUND[kind].replace("|", "\n") + "\n", "zebra of stripes\n" if kind != "art" else "\"zebra\n":
        path = os.path.join(scratch, "around.txt")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text[:at] + "\n" * (kind != "art") + lines + text[at:])
        rows = program.ask(path, "info | select field value", options=("--no-index",)).tables()[0].rows
        counts.append(int(next((r["value"] for r in rows if r["field"] == "unread.lines"), "0")))
    return [] if counts[0] == counts[1] == counts[2] - 1 else ["lines not read: %d without, %d with them, %d with another one" % tuple(counts)]


FALLS = "".join("   app-500   [000] ....  100.%d00000: rss_stat: mm_id=1 curr=1 type=MM_ANONPAGES size=%dB\n" % (i, 1 << 30 - i) for i in range(4))
BELOW = "".join("   app-500   [000] ....  100.%d00000: dma_heap_stat: inode=%d len=-%d total_allocated=5\n" % (i, i, 1 << 20 + i) for i in range(4))
SHOWN = {"memory that only falls": (FALLS, "tracks | where kind = gauge | select growth max", ["-896 MiB", "1 GiB"]),
         "sizes below 0": (BELOW, "counters | where counter ~ change | select min max last", ["-8 MiB", "-1 MiB", "-8 MiB"]),
         "the growth of sizes below 0": (BELOW, "tracks | where track ~ change | select growth max", ["-7 MiB", "-1 MiB"])}


def check_shown(program, scratch, name):
    """What a table says, with its units."""
    text, query, want = SHOWN[name]
    path = os.path.join(scratch, "shown.txt")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    lines = program.run(["--no-index", "-o", "table", "-e", query, path]).out.split("\n")
    got = re.split("  +", lines[1].strip())
    return [] if got == want else [repr(got)]


def check_table(program, scratch):
    """A log of objects with a dump stays a table for those who ask for one."""
    path = os.path.join(scratch, "log.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        f.write(WRAPS["in a log of objects"](textwrap.dedent(GO).strip("\n").split("\n")))
    tables = [program.ask(path, "columns | select name", options=("--no-index", "--as", "table")).tables()[0],
              program.ask(path, "methods | select name", options=("--no-index", "--path", "level")).tables()[0]]
    got = [[r["name"] for r in t.rows] for t in tables]
    return [] if got == [["level", "msg", "ts"], ["info"]] else [repr(got)]


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.program_of(build)
    for name in CASES:
        attempt(tap, name, check, program, scratch, name)
    for kind in AROUND:
        attempt(tap, "lines around the threads: " + kind, check_around, program, scratch, kind)
    for name in SHOWN:
        attempt(tap, name, check_shown, program, scratch, name)
    attempt(tap, "a log of objects as a table", check_table, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
