#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""storymake.py - small files that have one thing to tell, and files just below the threshold that have nothing to tell.

FILES: name of the file, its text, and the sentence that a reader would want, or None.
"""
import json


def folded(*stacks):
    return "".join("%s %d\n" % s for s in stacks)


def perf(*stacks):
    """Text of perf script: (number of samples, frames from the innermost, each with its module)."""
    out, at = [], 0
    for n, frames in stacks:
        for _ in range(n):
            at += 1
            out.append("app  100 %d.%06d:    1000000 cpu-clock: \n" % (at // 1000, at % 1000 * 1000))
            out += ["\tffff00000000%04x %s (%s)\n" % (i, f, m) for i, (f, m) in enumerate(frames)]
            out.append("\n")
    return "".join(out)


def massif(*sites):
    """The peak of a heap: (function, bytes), called by main."""
    whole, rule = sum(size for _, size in sites), "#-----------\n"
    return ("desc: --massif-out-file=massif.out\ncmd: ./app\ntime_unit: i\n" + rule + "snapshot=0\n" + rule + "time=0\nmem_heap_B=%d\nmem_heap_extra_B=0\n"
            "mem_stacks_B=0\nheap_tree=peak\nn%d: %d (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n" % (whole, len(sites), whole)
            + "".join(" n1: %d 0x10981%d: %s (app.c:%d)\n  n0: %d 0x1096C7: main (app.c:90)\n" % (size, i, name, i + 1, size) for i, (name, size) in enumerate(sites)))


def java(*dumps):
    """Dumps of HotSpot: in each, how many threads wait for the lock that keeper holds."""
    out = []
    for i, waiters in enumerate(dumps):
        out.append("2026-01-02 10:00:%02d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):\n\n" % (10 + i))
        threads = [("keeper", "waiting on condition", "TIMED_WAITING (sleeping)",
                    ["java.lang.Thread.sleep(java.base@17.0.9/Native Method)", "shop.Store.audit(Store.java:9)"], "locked" if waiters else None)]
        threads += [("worker-%d" % k, "waiting for monitor entry", "BLOCKED (on object monitor)", ["shop.Store.get(Store.java:5)"], "waiting to lock")
                    for k in range(waiters)]
        threads += [("worker-%d" % k, "runnable", "RUNNABLE", ["shop.Task%d.compute(Task.java:7)" % k], None) for k in range(waiters, 4)]
        for k, (name, how, state, frames, lock) in enumerate(threads):
            out.append('"%s" #%d prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f000000%04x nid=0x%x %s [0x00007f0000100000]\n   java.lang.Thread.State: %s\n'
                       % (name, 10 + k, 16 * k, 100 + k, how, state))
            out += ["\tat %s\n" % f for f in frames]
            out.append("\t- %s <0x0000000700000010> (a shop.Store)\n" % lock if lock else "")
            out.append("\n")
        out.append("\n")
    return "".join(out)


def gpu(busy, kernel, cpu):
    """A trace of PyTorch, 100 ms.  Times in us: of the GPU, of its longest kernel, and of an operation of the CPU."""
    def event(name, cat, pid, tid, ts, dur):
        return {"ph": "X", "name": name, "cat": cat, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {"stream": tid} if pid == 0 else {}}
    names = [{"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 0"}}, {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}},
             {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"}}, {"ph": "M", "name": "process_labels", "pid": 9, "args": {"labels": "CPU"}}]
    other = (busy - kernel) // 4
    events = [event("aten::to", "cpu_op", 9, 9, 0, cpu), event("aten::mm", "cpu_op", 9, 9, cpu, 100000 - cpu), event("gemm", "kernel", 0, 7, 0, kernel)]
    events += [event("relu_%s" % "abcd"[k], "kernel", 0, 7, kernel + k * other, other) for k in range(4)]
    events.append(event("end", "kernel", 0, 7, 99999, 1))
    return json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A GPU"}], "traceEvents": names + events})


def start(took):
    """A start of an application as text of atrace, in ms: half of it in bindApplication, a third in activityStart."""
    lines, head = [], "# tracer: nop\n#\n#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n"

    def at(ms, task, text):
        lines.append((ms, "%16s-%-5d (%5d) [000] .... %5d.%06d: %s\n" % (*task, 100 + ms // 1000, ms % 1000 * 1000, text)))

    server, main = ("system_server", 500, 500), ("main", 900, 900)
    at(0, server, "tracing_mark_write: S|500|launching: com.shop|0")
    at(took, server, "tracing_mark_write: F|500|launching: com.shop|0")
    now = 10
    for name, wall in (("bindApplication", took // 2), ("activityStart", took // 3), ("Choreographer#doFrame", took // 10)):
        at(now, main, "tracing_mark_write: B|900|%s" % name)
        at(now + wall, main, "tracing_mark_write: E|900")
        now += wall + 5
    for k in range(0, took, 20):
        at(k, server, "sched_switch: prev_comm=main prev_pid=900 prev_prio=120 prev_state=R ==> next_comm=system_server next_pid=500 next_prio=120")
        at(k + 1, main, "sched_switch: prev_comm=system_server prev_pid=500 prev_prio=120 prev_state=S ==> next_comm=main next_pid=900 next_prio=120")
    return head + "".join(text for _, text in sorted(lines, key=lambda one: one[0]))


FLAT = [("main;step%s;leaf%s" % (c, c), 10) for c in "abcdefgh"]
WRITE = [("vfs_write", "[kernel.kallsyms]"), ("ksys_write", "[kernel.kallsyms]"), ("do_syscall_64", "[kernel.kallsyms]"), ("__GI___libc_write", "/lib/libc.so.6"), ("save", "/app")]
READ = [("vfs_read", "[kernel.kallsyms]"), ("ksys_read", "[kernel.kallsyms]"), ("do_syscall_64", "[kernel.kallsyms]"), ("__GI___libc_read", "/lib/libc.so.6"), ("load", "/app")]
OWN = [(9, [("own%s" % c, "/app"), ("main", "/app")]) for c in "abcdef"]
LINES = '{"a": 1}\n' * 6

FILES = (
    ("gc.folded", folded(("start_thread;GangWorker::run;GangWorker::loop;copy", 20), *FLAT), "garbage collection takes 20.0% of samples"),
    ("gc-little.folded", folded(("start_thread;GangWorker::run;GangWorker::loop;copy", 8), *FLAT), None),
    ("jit.folded", folded(("start_thread;CompileBroker::compiler_thread_loop;C2Compiler::compile_method", 30), *FLAT), "the JIT compiler takes 27.3% of samples"),
    ("jit-less.folded", folded(("start_thread;CompileBroker::compiler_thread_loop;C2Compiler::compile_method", 30), ("main;serve;hash", 60)),
     "hash takes 66.7% of samples"),
    ("library.folded", folded(("main;App.load;java.util.HashMap.get", 50), ("main;App.save;java.util.HashMap.get", 10), *FLAT[:4]),
     "java.util.HashMap.get takes 60.0% of samples, under App.load"),
    ("library-of-many.folded", folded(*(("main;App.m%s;java.util.HashMap.get" % c, 10) for c in "abcdef"), *FLAT[:4]), "java.util.HashMap.get takes 60.0% of samples"),
    ("path.folded", folded(*(("main;App.render;java.util.List.each;part%s" % c, 9) for c in "abcdef"), *FLAT[:4]), "App.render and its callees take 57.4% of samples"),
    ("android.folded", folded(*(("__libc_init;main;android::AndroidRuntime::start(char const*);_JNIEnv::CallStaticVoidMethod;"
                                "art::JNI<true>::CallStaticVoidMethodV;art::ArtMethod::Invoke(art::Thread*);com.android.internal.os.ZygoteInit.main;"
                                "art::Method_invoke(_JNIEnv*);android.app.ActivityThread.main;android.os.Looper.loop;app.Main.onCreate;part%s" % c, 9)
                                for c in "abcdef"), *FLAT[:4]), "app.Main.onCreate and its callees take 57.4% of samples"),
    ("node.folded", folded(*(("node::Start(int, char**);uv_run;uv__io_poll;v8::Function::Call;Builtins_JSEntry;handler;part%s" % c, 9) for c in "abcdef"),
                           *FLAT[:4]), "handler and its callees take 57.4% of samples"),
    ("kernel.perf", perf((40, WRITE), (6, READ), *OWN), "the kernel takes 46.0% of cpu-clock, most of it under ksys_write"),
    ("kernel-little.perf", perf((13, WRITE), (6, READ), *OWN), None),
    ("site.massif", massif(("load", 50000), ("parse", 30000), ("other", 20000)), "load allocated 50.0% of peak snapshot 0"),
    ("site-less.massif", massif(("load", 39000), ("parse", 33000), ("other", 28000)), None),
    ("waited.threads.txt", java(3, 3, 3, 1, 0), "3 threads waited for keeper (sleep, in shop.Store.audit), in 4 of 5 dumps; free in the last dump"),
    ("waits.threads.txt", java(3, 3), "3 threads wait for keeper (sleep, in shop.Store.audit), in 2 of 2 dumps"),
    ("two-wait.threads.txt", java(2, 2), None),
    ("gpu.json", gpu(80000, 60000, 50000), "the GPU was busy for 80.0 ms of 100 ms, 60 ms of it with gemm"),
    ("gpu-idle.json", gpu(10000, 2000, 70000), "the GPU was busy for 10.0 ms of 100 ms; aten::to took 70 ms"),
    ("start.systrace", start(1800), "launching: com.shop took 1.80 s: bindApplication 900 ms, activityStart 600 ms, Choreographer#doFrame 180 ms"),
    ("start-fast.systrace", start(800), "the CPUs are 100.0% busy, most with main"),
    ("lines.jsonl", LINES + "x\n" * 4, "4 of 10 lines are not JSON objects"),
    ("lines-whole.jsonl", LINES + "x\n", None),
)
