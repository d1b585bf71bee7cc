#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""
pairmake.py KIND SEED - the output of perf script for tracepoints that begin and end something, on standard output; as a module also
what happened, as rows.  KIND: lock, contended, block, raw, calls, irq, work, kmem or switch.
"""
import random
import sys

COMMS = ("app", "my worker 1", "kworker/0:1H-kb", "a [1] b")
LOCKS = (("__pv_queued_spin_lock_slowpath", "_raw_spin_lock"), ("__mutex_lock.constprop.0",), ("rwsem_down_read_slowpath", "down_read"), ("schedule", "io_schedule"))
FLAGS = {"SPIN": "spinlock", "MUTEX|SPIN": "mutex", "READ": "rwsem:R", "SPIN|READ": "rwlock:R", "0x0": "semaphore", "": "semaphore", "NEW|SPIN": "NEW|SPIN"}
CALLS = {0: "read", 1: "write", 202: "futex", 257: "openat", 60: "exit"}
SOFT = ("HI", "TIMER", "NET_TX", "NET_RX", "BLOCK")
WAITS = (("__schedule", "schedule", "schedule_timeout"), ("finish_task_switch.isra.0", "__schedule", "schedule"), ("__schedule", "schedule", "io_schedule"), ("__schedule", "schedule"))


class Recording:
    """Lines, and for each sample (time in us, thread, cpu, event, fields, stack from the outside, the rest that the kind knows)."""

    def __init__(self, kind, seed):
        self.rnd = random.Random("%s %s" % (kind, seed))
        self.kind, self.seed, self.now, self.rows, self.lines = kind, seed, 5 * 10 ** 6, [], []
        self.old, self.pid, self.crlf = seed % 2 == 1, seed % 3 == 1, seed % 4 == 3
        self.threads = [(self.rnd.choice(COMMS), 100 + i) for i in range(5)] + [("swapper", 0)]

    def event(self, thread, cpu, event, fields, stack, **more):
        self.now += self.rnd.randrange(1, 90)
        self.rows.append(dict(more, time=self.now, comm=thread[0], tid=thread[1], cpu=cpu, event=event, stack=stack))
        self.lines.append("%s %5s [%03d] %d.%06d: %s%s: %s" % (thread[0], "%d/%d" % ((thread[1],) * 2) if self.pid else thread[1], cpu, self.now // 10 ** 6,
                                                            self.now % 10 ** 6, " " * self.rnd.choice((0, 3, 17)), event, fields))
        self.lines += ["\t%16x %s+0x%x (/bin/a)" % (0x7f0000 + i, f, i) for i, f in enumerate(reversed(stack))] + [""]

    def text(self):
        return ("\r\n" if self.crlf else "\n").join(self.lines) + "\n"

    def stack(self, *top):
        """From the outside; top from the inside."""
        return ["main", "work_%d" % self.rnd.randrange(3)] + ["step_%d" % self.rnd.randrange(3)] * self.rnd.randrange(2) + list(reversed(top))

    def any(self):
        return self.rnd.choice(self.threads), self.rnd.randrange(3)


def locks(r):
    names = ("contention_begin", "contention_end") if r.kind == "lock" else ("lock_contended", "lock_acquired")
    for _ in range(400):
        thread, cpu = r.any()
        lock, begins = r.rnd.randrange(3), r.rnd.random() < 0.5
        address = "0xffff888%09x" % lock
        key = (lock, thread[1] or ("idle", cpu))
        what = r.rnd.choice(list(FLAGS)) if r.kind == "lock" else "&rq->lock %d" % lock
        fields = address + (" (flags=%s)" % what if r.kind == "lock" and begins else " (ret=0)" if r.kind == "lock" else " " + what)
        r.event(thread, cpu, "lock:" + names[not begins], fields, r.stack(*(r.rnd.choice(LOCKS) if begins else ())), key=key, begins=begins,
                kind="lock contention", what=FLAGS.get(what, what), quiet=r.kind != "lock")


def block(r):
    for _ in range(400):
        thread, cpu = r.any()
        dev, sector, rw = "%d,0" % r.rnd.randrange(2), r.rnd.choice((0, 8, 18446744073709551615)), r.rnd.choice(("R", "WS", "FF"))
        step = r.rnd.choice(("insert", "issue", "issue", "complete", "complete"))
        more = " (28 00 0a)" if r.old else " ()"
        tail = "" if r.old else " 0x2,0,4"
        fields = "%s %s%s%s %d + 8%s [%s]" % (dev, rw, " 4096" if step != "complete" else "", more, sector, tail, "0" if step == "complete" else thread[0])
        r.event(thread, cpu, "block:block_rq_" + step, fields, r.stack("blk_mq_start_request"), key=(dev, sector), step=step, what=dev + " " + rw)


def calls(r):
    for _ in range(400):
        thread, cpu = r.any()
        number, begins = r.rnd.choice(list(CALLS)), r.rnd.random() < 0.5
        name = CALLS[number]
        if r.kind == "raw":
            event = "raw_syscalls:sys_" + ("enter" if begins else "exit")
            fields = "NR %d (%x, 7f, 0, 0, 1, 0)" % (number, number) if begins else "NR %d = %d" % (number, -number)
        else:
            event, fields = "syscalls:sys_%s_%s" % ("enter" if begins else "exit", name), "fd: 0x%08x" % number if begins else "0x%x" % number
        r.event(thread, cpu, event, fields, r.stack("syscall_trace_enter", "do_syscall_64", "entry_SYSCALL_64_after_hwframe") if begins else [],
                key=(number, thread[1] or ("idle", cpu)), begins=begins, kind="syscalls", what=name)


def interrupts(r):
    for _ in range(400):
        thread, cpu = r.any()
        begins, sort, n = r.rnd.random() < 0.5, r.rnd.randrange(3), r.rnd.randrange(3)
        if sort == 0:
            event, fields = "irq:irq_handler_" + ("entry" if begins else "exit"), "irq=%d " % n + ("name=eth%d-rx 0" % n if begins else "ret=handled")
            what, kind = "eth%d-rx 0" % n, "irq"
        elif sort == 1:
            event, fields, what, kind = "irq:softirq_" + ("entry" if begins else "exit"), "vec=%d [action=%s]" % (n, SOFT[n]), SOFT[n], "softirq"
        else:
            what = ("local_timer", "reschedule", "call_function_single")[n]
            event, fields, kind = "irq_vectors:%s_%s" % (what, "entry" if begins else "exit"), "vector=%d" % (236 + n), "irq"
        r.event(thread, cpu, event, fields, r.stack("handle") if begins else [], key=(sort, n, cpu), begins=begins, kind=kind, what=what)


def work(r):
    for _ in range(300):
        thread, cpu = r.any()
        begins, n = r.rnd.random() < 0.5, r.rnd.randrange(3)
        fields = "work struct %sffff88810000%04x" % ("" if r.seed % 3 == 0 else "0x", n) + \
            (": function fn_%d" % n if begins or not r.old else "")
        r.event(thread, cpu, "workqueue:workqueue_execute_" + ("start" if begins else "end"), fields, r.stack("process_one_work"),
                key=(n, thread[1] or ("idle", cpu)), begins=begins, kind="workqueue", what="fn_%d" % n)


def memory(r):
    for _ in range(500):
        thread, cpu = r.any()
        n, allocates, pages, caller = r.rnd.randrange(0, 12), r.rnd.random() < 0.6, r.rnd.random() < 0.3, "alloc_%d" % r.rnd.randrange(4)
        if pages:
            order = r.rnd.randrange(4)
            fields = "page=%s pfn=%s order=%d" % ("(nil)" if n == 0 else "0x%x" % (n * 64), "0x%x" % n, order)
            fields += " migratetype=0 gfp_flags=GFP_KERNEL" if allocates else ""
            event, bytes_, stack = "kmem:mm_page_" + ("alloc" if allocates else "free"), 4096 << order, r.stack("__alloc_pages")
        else:
            bytes_, cache = 32 * r.rnd.randrange(1, 9), r.rnd.random() < 0.5
            event = "kmem:" + (("kmem_cache_alloc" if cache else "kmalloc") + r.rnd.choice(("", "_node")) if allocates else "kmem_cache_free" if cache else "kfree")
            fields = "call_site=%s+0x10 ptr=%s" % (caller, ("(null)" if r.old else "0x0000000000000000") if n == 0 else "0xffff8880%04x" % n)
            fields += " name=filp" if cache and not r.old else ""
            fields += " bytes_req=%d bytes_alloc=%d gfp_flags=GFP_KERNEL" % (bytes_ - 1, bytes_) if allocates else ""
            stack = r.stack("__kmalloc_noprof", caller)
        r.event(thread, cpu, event, fields, stack, key=(pages, n), begins=allocates, nowhere=n == 0, bytes=bytes_,
                kind="pages not freed" if pages else "kmem not freed", caller=caller)


def switches(r):
    """Tasks on three CPUs; 0 is idle.  Some end."""
    on, ready, ended = {cpu: ("swapper", 0) for cpu in range(3)}, list(r.threads[:-1]), set()
    for _ in range(300):
        cpu = r.rnd.randrange(3)
        leaves = on[cpu]
        comes = ready.pop(r.rnd.randrange(len(ready))) if ready and (leaves[1] == 0 or r.rnd.random() < 0.7) else ("swapper", 0)
        if comes == leaves:
            continue
        state = "R" if leaves[1] == 0 else r.rnd.choice(("S", "D", "R", "R+", "I", "S")) if len(ended) > 1 or r.rnd.random() < 0.9 else "Z"
        stack = r.stack(*r.rnd.choice(WAITS)) if state in "SDI" else r.stack("__schedule", "schedule", "exit_to_user_mode_loop")
        form = "%s:%d [120] %s ==> %s:%d [120]" if r.old else "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120"
        r.event(leaves, cpu, "sched:sched_switch", form % (leaves + (state,) + comes), stack, leaves=leaves[1], comes=comes[1], state=state)
        on[cpu] = comes
        if state == "Z":
            ended.add(leaves)
        elif leaves[1] != 0:
            ready.append(leaves)


MAKERS = {"lock": locks, "contended": locks, "block": block, "raw": calls, "calls": calls, "irq": interrupts, "work": work, "kmem": memory, "switch": switches}


def recording(kind, seed):
    r = Recording(kind, seed)
    MAKERS[kind](r)
    return r


if __name__ == "__main__":
    sys.stdout.write(recording(sys.argv[1], int(sys.argv[2])).text())
