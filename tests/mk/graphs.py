# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""graphs.py SHAPE N FOLDER: more shapes, of N relations; graphs.py list.

A graph is a list of pairs of numbers: a chain, a star, a ring ...  A teller writes it as a file whose things have such relations: functions
that call, tasks that wake, threads that wait, objects that refer.  Spans are pairs of times, in order of their begin: nested, overlapping ...
A teller of spans writes them as what has a begin and an end.  Each graph and each teller make a shape, with names that differ, and with one
name for all.
"""
import math
import sys

import codemake
import shapes
from heapfile import INT, OBJECT
from jfrfile import Chunk, java_class, method, stack, thread
from perfettomake import B, F64, I, pkt, ptree, service, sync
from pprofmake import message, number, varint
from shapes import METHODS, event, events, gecko, heap, java_dump, netty, sampled
from sidemake import trace

# ---- graphs and spans --------------------------------------------------------------------


def clique(n):
    k = math.isqrt(n) + 1
    return [(i, j) for i in range(k) for j in range(k) if i != j][:n]


GRAPHS = {
    "chain": lambda n: [(i, i + 1) for i in range(n)],
    "star": lambda n: [(i, 0) for i in range(1, n + 1)],
    "fan": lambda n: [(0, i) for i in range(1, n + 1)],
    "ring": lambda n: [(i, (i + 1) % n) for i in range(n)],
    "wheel": lambda n: [e for i in range(1, n // 2 + 1) for e in ((i, i % (n // 2) + 1), (i, 0))],
    "tree": lambda n: [((i - 1) // 2, i) for i in range(1, n + 1)],
    "pairs": lambda n: [(2 * i, 2 * i + 1) for i in range(n)],
    "clique": clique,
}
SPANS = {
    "apart": lambda n: [(2 * i, 2 * i + 1) for i in range(n)],
    "stairs": lambda n: [(2 * i, 2 * i + 3) for i in range(n)],
    "overlapping": lambda n: [(i, n + i) for i in range(n)],
    "nested": lambda n: [(i, 2 * n - i) for i in range(n)],
    "around": lambda n: [(0, 2 * n)] + [(2 * i, 2 * i + 1) for i in range(1, n)],
    "equal": lambda n: [(0, 9)] * n,
}


NAMES = []      # of the shapes that are made here


def graph(name, n, options, make):
    NAMES.append(name)
    shapes.shape(name, n, options)(make)


def named(text, distinct):
    """Return what names number i."""
    return (lambda i: "%s%d" % (text, i)) if distinct else (lambda i: text)


def tell(thing, of, n, text="step", options=()):
    """A teller: (pairs, name of a number) to a file."""
    def keep(teller):
        for kind, pairs in of.items():
            for distinct in (True, False):
                def make(size, pairs=pairs, distinct=distinct):
                    return teller(pairs(size), named(text, distinct))
                graph("%s, %s%s" % (thing, kind, "" if distinct else " of one name"), n, options, make)
        return teller
    return keep


def nodes(edges):
    return range(max(max(e) for e in edges) + 1)


def targets(edges):
    """Return for each node those to which it has edges."""
    out = [[] for _ in nodes(edges)]
    for a, b in edges:
        out[a].append(b)
    return out


def holders(edges):
    """Return for each node the first one with an edge to it; 0: none."""
    out = [0] * len(nodes(edges))
    for a, b in edges:
        if b > a and out[b] == 0:
            out[b] = a
    return out


def ends(spans):
    """(time, whether it begins, number) in the order of the times; of equal ones the inner span ends first."""
    return sorted([(a, 1, k) for k, (a, _) in enumerate(spans)] + [(b, 0, k) for k, (_, b) in enumerate(spans)],
                  key=lambda e: (e[0], e[1], e[2] if e[1] else -e[2]))


# ---- calls --------------------------------------------------------------------------------


@tell("trace calls", GRAPHS, 6000)
def trace_calls(edges, name):
    methods = [(4 * i, "com.example.C\t%s\t()V\tC.java\t%d" % (name(i), i % 900)) for i in nodes(edges)]
    return trace([(1, "main")], methods, [(1, 4 * m, action, 4 * t + k) for t, (a, b) in enumerate(edges)
                                          for k, (m, action) in enumerate(((a, 0), (b, 0), (b, 1), (a, 1)))])


@tell("trace threads", GRAPHS, 6000, "worker")
def trace_threads(edges, name):
    return trace([(i + 1, name(i)) for i in nodes(edges)], METHODS, [(1 + who, 4 * (1 + t % 8), action, 4 * t + k) for t, (a, b) in enumerate(edges)
                                                                     for k, (who, action) in enumerate(((a, 0), (b, 0), (b, 1), (a, 1)))])


@tell("trace spans", SPANS, 6000)
def trace_spans(spans, name):
    """Spans that are not nested: exits of other methods than the innermost."""
    methods = [(4 * i, "com.example.C\t%s\t()V\tC.java\t%d" % (name(i), i % 900)) for i in range(len(spans))]
    return trace([(1, "main")], methods, [(1, 4 * k, 1 - begins, t) for t, begins, k in ends(spans)])


@tell("folded calls", GRAPHS, 12000, options=("--as", "folded"))
def folded_calls(edges, name):
    return "".join("App.%s;App.%s 1\n" % (name(a), name(b)) for a, b in edges)


@tell("perf calls", GRAPHS, 6000)
def perf_calls(edges, name):
    return "".join("%s %d/%d [%03d] %d.%06d: 10 cycles:u: \n\t 7f3c%05x %s+0x1f (/tmp/lib%s.so)\n\t 5b0a1 main (/usr/bin/java)\n\n" % (
        name(a), 100 + a, 100 + b, a % 4, 1 + t // 10 ** 5, t % 10 ** 5 * 10, b, name(b), name(a)) for t, (a, b) in enumerate(edges))


@tell("callgrind calls", GRAPHS, 6000)
def callgrind_calls(edges, name):
    return "events: Ir\n" + "".join("fl=%s.c\nfn=%s\n%d 7\ncfi=%s.c\ncfn=%s\ncalls=1 1\n1 9\n" % (name(a), name(a), a % 900 + 1, name(b), name(b)) for a, b in edges)


@tell("callgrind inlined", GRAPHS, 6000)
def callgrind_inlined(edges, name):
    return "events: Ir\n" + "".join("ob=%s.so\nfl=a.c\nfn=%s\nfi=%s.h\n%d 7\n" % (name(b), name(a), name(b), a % 900 + 1) for a, b in edges)


def pprof(samples, locations, name, count, mappings=()):
    """samples: lists of locations and {label: text}; locations: lists of functions, the innermost first, and a mapping."""
    texts = {"": 0}

    def text(s):
        return texts.setdefault(s, len(texts))
    out = [message(1, number(1, text("cpu")) + number(2, text("count")))]
    out += [message(2, message(1, b"".join(varint(i + 1) for i in ids)) + message(2, varint(3)) + b"".join(
        message(3, number(1, text(k)) + number(2, text(v))) for k, v in labels.items())) for ids, labels in samples]
    out += [message(3, number(1, i + 1) + number(2, 4096 * i + 4096) + number(3, 4096 * i + 8192) + number(5, text("/lib/%s.so" % name(i)))) for i in mappings]
    out += [message(4, number(1, i + 1) + (number(2, where + 1) if where is not None else b"") + number(3, 0x400000 + 16 * i) +
                    b"".join(message(4, number(1, f + 1) + number(2, 5)) for f in lines)) for i, (lines, where) in enumerate(locations)]
    out += [message(5, number(1, i + 1) + number(2, text("main." + name(i)))) for i in range(count)]
    return b"".join(out) + b"".join(message(6, s) for s in texts)


@tell("pprof calls", GRAPHS, 6000)
def pprof_calls(edges, name):
    count = len(nodes(edges))
    return pprof([((b, a), {}) for a, b in edges], [((i,), None) for i in range(count)], name, count)


@tell("pprof inlined", GRAPHS, 6000)
def pprof_inlined(edges, name):
    return pprof([((k,), {}) for k in range(len(edges))], [((b, a), None) for a, b in edges], name, len(nodes(edges)))


@tell("pprof lines", {"all inlined": range}, 2000)
def pprof_lines(lines, name):
    """Into one place, which as many samples have, each of another caller."""
    return pprof([((0, 1 + k), {}) for k in lines], [(lines, None)] + [((k,), None) for k in lines], name, len(lines))


@tell("pprof libraries", GRAPHS, 6000)
def pprof_libraries(edges, name):
    return pprof([((k,), {"thread": name(a)}) for k, (a, b) in enumerate(edges)], [((a,), b) for a, b in edges], name, len(nodes(edges)), nodes(edges))


@tell("pprof labels", GRAPHS, 3000)
def pprof_labels(edges, name):
    return pprof([((0,), {name(a): name(b)}) for a, b in edges], [((0,), None)], lambda i: "run", 1)


@tell("firefox calls", GRAPHS, 6000)
def firefox_calls(edges, name):
    """A stack for each, below that of the caller where it has one already."""
    at, prefix, frame = {}, [], []
    for a, b in edges:
        if a not in at:
            at[a] = len(frame)
            frame.append(a)
            prefix.append(None)
        at.setdefault(b, len(frame))
        frame.append(b)
        prefix.append(at[a])
    k = len(nodes(edges))
    return gecko([dict(name="T", pid=1, tid=1, stringArray=[name(i) for i in range(k)], funcTable=dict(length=k, name=list(range(k))),
                       frameTable=dict(length=k, func=list(range(k)), category=[0] * k, subcategory=[0] * k),
                       stackTable=dict(length=len(frame), frame=frame, prefix=prefix),
                       samples=dict(length=50, stack=[len(frame) - 1 - i * len(frame) // 50 for i in range(50)], time=list(range(1, 51))))])


@tell("recording calls", GRAPHS, 3000)
def recording_calls(edges, name):
    chunk = Chunk()
    for t, (a, b) in enumerate(edges):
        sampled(chunk, t, stack([(method("com/example/" + name(i), "run"), 7, "JIT compiled") for i in (b, a)]), thread(100, "main"))
    return chunk.metadata().checkpoint().bytes(duration=1000 * len(edges))


# ---- waits ----------------------------------------------------------------------------------


@tell("recording locks", GRAPHS, 3000, "worker")
def recording_locks(edges, name):
    chunk = Chunk()
    for t, (a, b) in enumerate(edges):
        chunk.event("jdk.JavaMonitorEnter", startTime=1000 + 100 * t, duration=150, eventThread=thread(100 + a, name(a)),
                    stackTrace=stack([(method("com/example/Main", "run"), 7, "JIT compiled")]),
                    monitorClass=java_class("com/example/Lock"), previousOwner=thread(100 + b, name(b)), address=a)
    return chunk.metadata().checkpoint().bytes(duration=1000 * len(edges))


@tell("dump locks", GRAPHS, 6000, "worker")
def dump_locks(edges, name):
    """A thread waits for one lock only: the last one that the graph names."""
    want = dict(edges)
    return java_dump([(name(i), want.get(i), i, ("C.run", "C.main")) for i in nodes(edges)], 0)


@tell("dump owners", GRAPHS, 6000, "worker")
def dump_owners(edges, name):
    """Each lock is held by one thread, which may hold many."""
    held = {}
    for a, b in edges:
        held.setdefault(b, a)
    holds = targets([(a, b) for b, a in held.items()] + [(max(nodes(edges)), 0)])
    out = java_dump([(name(i), None, None, ("C.run", "C.main")) for i in nodes(edges)], 0).split("\n\n")
    for i in nodes(edges):
        out[i + 1] += "".join("\n\t- locked <0x%016x> (a com.example.Lock)" % b for b in holds[i] if held.get(b) == i)
    return "\n\n".join(out)


@tell("dump goroutines", GRAPHS, 6000)
def dump_goroutines(edges, name):
    by = holders(edges)
    return "".join("goroutine %d [chan receive]:\nmain.%s(0xc%06x)\n\t/a/b.go:%d +0x1d\ncreated by main.%s in goroutine %d\n\t/a/b.go:4 +0x1d\n\n" % (
        i + 1, name(i), i, i % 900, name(by[i]), by[i] + 1) for i in nodes(edges))


@tell("dump calls", GRAPHS, 6000)
def dump_calls(edges, name):
    return java_dump([("t%d" % k, None, None, ("C." + name(b), "C." + name(a))) for k, (a, b) in enumerate(edges)], 0)


def ftrace(lines):
    """lines: (task, process, name, event), 10 us apart."""
    return "# tracer: nop\n#\n" + "".join("%16s-%-7d (%5d) [%03d] d..3 %d.%06d: %s\n" % (
        name, task, group, task % 4, 100 + t // 10 ** 5, t % 10 ** 5 * 10, what) for t, (task, group, name, what) in enumerate(lines))


def ran(task, name, inside):
    """Lines of ftrace() for a task that runs; inside: those that it writes."""
    switch = "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120"
    cpu = task % 4
    idle = "swapper/%d" % cpu
    return [(0, 0, "<idle>", switch % (idle, 0, "R", name, task))] + inside + [(task, task, name, switch % (name, task, "S", idle, 0))]


@tell("sched wakers", GRAPHS, 3000, "task")
def sched_wakers(edges, name):
    lines = []
    for a, b in edges:
        lines += ran(100 + a, name(a), [(100 + a, 100 + a, name(a), "sched_wakeup: comm=%s pid=%d prio=120 target_cpu=%03d" % (name(b), 100 + b, b % 4))])
        lines += ran(100 + b, name(b), [])
    return ftrace(lines)


@tell("sched owners", GRAPHS, 3000, "task")
def sched_owners(edges, name):
    """Sections that tell whose lock a task waits for."""
    lines = []
    for a, b in edges:
        mark = "tracing_mark_write: B|%d|monitor contention with owner %s (%d) at void C.put()(C.java:7) waiters=0 blocking from void C.get()(C.java:9)" % (
            100 + a, name(b), 100 + b)
        lines += ran(100 + a, name(a), [(100 + a, 100 + a, name(a), mark)]) + ran(100 + b, name(b), [])
        lines += ran(100 + a, name(a), [(100 + a, 100 + a, name(a), "tracing_mark_write: E|%d" % (100 + a))])
    return ftrace(lines)


@tell("sched async", SPANS, 3000)
def sched_async(spans, name):
    return ftrace(ran(100, "app", []) + [(100, 100, "app", "tracing_mark_write: %s|100|%s|%d" % ("S" if begins else "F", name(k), k)) for _, begins, k in ends(spans)])


@tell("sched sections", SPANS, 3000)
def sched_sections(spans, name):
    return ftrace(ran(100, "app", []) + [(100, 100, "app", "tracing_mark_write: " + ("B|100|" + name(k) if begins else "E|100")) for _, begins, k in ends(spans)])


@tell("sched counters", SPANS, 3000)
def sched_counters(spans, name):
    return ftrace(ran(100, "app", []) + [(100, 100, "app", "tracing_mark_write: C|100|%s|%d" % (name(k), t)) for t, _, k in ends(spans)])


# ---- what a browser and Perfetto write ------------------------------------------------------


@tell("chrome flows", GRAPHS, 3000, "worker")
def chrome_flows(edges, name):
    """Between threads."""
    rows = [event(0, "M", "thread_name", tid=i, args=dict(name=name(i))) for i in nodes(edges)]
    for k, (a, b) in enumerate(edges):
        rows += [event(10 * k, "X", "send", tid=a, dur=20), event(10 * k + 1, "s", "flow", tid=a, cat="c", id=k),
                 event(10 * k + 5, "X", "get", tid=b, dur=20), event(10 * k + 6, "f", "flow", tid=b, cat="c", id=k, bp="e")]
    return events(rows)


@tell("chrome calls", GRAPHS, 3000)
def chrome_calls(edges, name):
    return events(e for k, (a, b) in enumerate(edges) for e in (event(10 * k, "X", name(a), pid=a % 7, dur=90), event(10 * k + 1, "X", name(b), pid=a % 7, dur=30)))


@tell("chrome threads", GRAPHS, 3000, "process")
def chrome_threads(edges, name):
    """A thread for each relation, in the process from which it is."""
    rows = [event(0, "M", "process_name", i, i, args=dict(name=name(i))) for i in nodes(edges)]
    return events(rows + [event(k, "X", "step", pid=a, tid=b, dur=50) for k, (a, b) in enumerate(edges)])


def chrome_spans(spans, begin, end, name, **more):
    return events(event(t, begin if begins else end, name(k), **{key: value(k) for key, value in more.items()}) for t, begins, k in ends(spans))


@tell("chrome async", SPANS, 3000)
def chrome_async(spans, name):
    """A track for each."""
    return chrome_spans(spans, "b", "e", name, cat=name, id=lambda k: k)


@tell("chrome async of one id", SPANS, 3000)
def chrome_async_one(spans, name):
    return chrome_spans(spans, "b", "e", name, cat=lambda k: "net", id=lambda k: 1)


@tell("chrome old async", SPANS, 3000)
def chrome_async_old(spans, name):
    return chrome_spans(spans, "S", "F", name, cat=name, id=lambda k: k)


@tell("chrome sections", SPANS, 3000)
def chrome_sections(spans, name):
    return chrome_spans(spans, "B", "E", name)


@tell("chrome durations", SPANS, 3000)
def chrome_durations(spans, name):
    return events(event(a, "X", name(k), dur=10 * (b - a)) for k, (a, b) in enumerate(spans))


@tell("firefox markers", SPANS, 6000)
def firefox_markers(spans, name):
    n = len(spans)
    one = shapes.gecko_thread(0, ["main", "step"], [1, 0])
    one["stringArray"] += [name(k) for k in range(n)]
    one["markers"] = dict(length=n, name=[2 + k for k in range(n)], startTime=[a for a, _ in spans], endTime=[b for _, b in spans],
                          phase=[1] * n, data=[None] * n, category=[0] * n)
    return gecko([one])


@tell("recording waits", SPANS, 3000)
def recording_waits(spans, name):
    chunk = Chunk()
    for k, (a, b) in enumerate(spans):
        chunk.event("jdk.ThreadPark", startTime=1000 + 100 * a, duration=100 * (b - a), eventThread=thread(100, "main"),
                    stackTrace=stack([(method("com/example/Main", name(k)), 7, "JIT compiled")]), parkedClass=java_class("com/example/" + name(k)))
    return chunk.metadata().checkpoint().bytes(duration=1000 * len(spans))


@tell("recording waits of threads", SPANS, 3000, "worker")
def recording_parked(spans, name):
    chunk = Chunk()
    for k, (a, b) in enumerate(spans):
        chunk.event("jdk.ThreadPark", startTime=1000 + 100 * a, duration=100 * (b - a), eventThread=thread(100 + k, name(k)),
                    stackTrace=stack([(method("com/example/Main", "run"), 7, "JIT compiled")]))
    return chunk.metadata().checkpoint().bytes(duration=1000 * len(spans))


T0 = 10 ** 9


def perfetto(packets, processes=((100, 1, ["app"], 1),), threads=((100, "app", 100),)):
    return sync(T0) + ptree(T0, processes, threads) + b"".join([pkt(I(10, 5), I(13, 1))] + list(packets))


def track(uuid, name, parent=0, more=b""):
    return pkt(I(8, T0), I(10, 5), I(13, 2), B(60, I(1, uuid) + (I(5, parent) if parent else b"") + B(2, name) + more))


def happens(t, uuid, kind, *more):
    return pkt(I(8, T0 + 1000 * t), I(10, 5), I(13, 2), B(11, I(9, kind) + I(11, uuid) + b"".join(more)))


@tell("perfetto tracks", GRAPHS, 3000, "track")
def perfetto_tracks(edges, name):
    """Each below its first holder."""
    by = holders(edges)
    return perfetto([track(1 + i, name(i), 1 + by[i] if by[i] != i else 0) for i in nodes(edges)] +
                    [happens(i, 1 + i, kind, B(23, "step")) for i in nodes(edges) for kind in (1, 2)])


@tell("perfetto flows", GRAPHS, 3000)
def perfetto_flows(edges, name):
    packets = [track(1 + i, "track %d" % i) for i in nodes(edges)]
    for k, (a, b) in enumerate(edges):
        packets += [happens(4 * k, 1 + a, 1, B(23, name(a)), F64(47, k + 1)), happens(4 * k + 1, 1 + a, 2),
                    happens(4 * k + 2, 1 + b, 1, B(23, name(b)), F64(48, k + 1)), happens(4 * k + 3, 1 + b, 2)]
    return perfetto(packets)


@tell("perfetto one flow", GRAPHS, 3000)
def perfetto_one_flow(edges, name):
    packets = [track(1 + i, "track %d" % i) for i in nodes(edges)]
    for k, (a, _) in enumerate(edges):
        packets += [happens(4 * k, 1 + a, 1, B(23, name(a)), F64(47, 1)), happens(4 * k + 1, 1 + a, 2)]
    return perfetto(packets)


@tell("perfetto processes", GRAPHS, 3000, "process")
def perfetto_processes(edges, name):
    by, n = holders(edges), nodes(edges)
    tracks = [track(1 + i, name(i), 0, B(3, I(1, 100 + i) + B(6, name(i)))) for i in n]
    return perfetto(tracks + [happens(i, 1 + i, kind, B(23, "step")) for i in n for kind in (1, 2)],
                    [(100 + i, 100 + by[i], [name(i)], 1) for i in n], [(100 + i, name(i), 100 + by[i]) for i in n])


@tell("perfetto spans", SPANS, 3000)
def perfetto_spans(spans, name):
    """A track for each."""
    return perfetto([track(1 + k, name(k)) for k in range(len(spans))] + [happens(t, 1 + k, 1 if begins else 2, *([B(23, name(k))] if begins else [])) for t, begins, k in ends(spans)])


@tell("perfetto sections", SPANS, 3000)
def perfetto_sections(spans, name):
    return perfetto([track(1, "all")] + [happens(t, 1, 1 if begins else 2, *([B(23, name(k))] if begins else [])) for t, begins, k in ends(spans)])


@tell("perfetto counters", SPANS, 3000, "counter")
def perfetto_counters(spans, name):
    return perfetto([track(1 + k, name(k), 0, B(8, b"")) for k in range(len(spans))] + [happens(t, 1 + k, 4, I(30, t)) for t, _, k in ends(spans)])


@tell("perfetto frames", SPANS, 3000, "app")
def perfetto_frames(spans, name):
    """Each is of another process, and later than expected."""
    def frame(t, field, body):
        return pkt(I(8, T0 + 1000 * t), I(10, 5), I(13, 2), B(76, B(field, body)))
    packets = []
    for t, begins, k in ends(spans):
        token = I(2, k + 1) + I(3, k + 1) + I(4, 100 + k) + B(5, name(k))
        packets += [frame(t, 3, I(1, 2 * k + 1) + token), frame(t, 4, I(1, 2 * k + 2) + token + I(6, 2) + I(7, 0) + I(9, 64))] if begins else \
            [frame(t, 5, I(1, 2 * k + 1)), frame(t + 1, 5, I(1, 2 * k + 2))]
    return perfetto(packets, [(100 + k, 1, [name(k)], 1) for k in range(len(spans))], [(100 + k, name(k), 100 + k) for k in range(len(spans))])


@tell("perfetto allocations", GRAPHS, 3000)
def perfetto_allocations(edges, name):
    n = nodes(edges)
    body = b"".join(B(1, I(1, i + 1) + B(2, name(i))) + B(2, I(1, i + 1) + I(2, i + 1) + I(3, 1)) for i in n) + B(4, I(1, 1))
    body += b"".join(B(3, I(1, k + 1) + I(2, a + 1) + I(2, b + 1)) for k, (a, b) in enumerate(edges))
    body += B(5, I(1, 100) + I(9, T0 + 5) + B(11, "libc.malloc") + b"".join(B(2, I(1, k + 1) + I(2, 64) + I(5, 1)) for k in range(len(edges))))
    return perfetto([pkt(I(8, T0 + 9), I(10, 9), B(37, body + I(6, 1)))])


# ---- heap dumps -------------------------------------------------------------------------------


def objects(edges, make, roots):
    """make: (dump, address, targets, number).  roots: of whom."""
    def fill(d):
        ids = [d.place(32) for _ in nodes(edges)]
        for i, to in enumerate(targets(edges)):
            make(d, ids[i], [ids[k] for k in to], i)
        return roots(d, ids)
    return heap(fill)


def one_root(d, ids):
    return ids[0]


def all_held(d, ids):
    return d.refs("java.lang.Object[]", ids)


def all_roots(d, ids):
    for k, i in enumerate(ids):
        d.root("jni global", i, k + 1)
    return 0


def two_roots(d, ids):
    """The first one, and an array of all whose class is none of arrays."""
    d.root("unknown", ids[0])
    d.root("unknown", d.refs("java.lang.Object", ids))
    return 0


def as_array(d, at, to, i):
    d.refs("java.lang.Object[]", to, at)


def as_list(d, at, to, i):
    d.obj("java.util.ArrayList", at, elementData=d.refs("java.lang.Object[]", to), size=len(to), modCount=1)


def as_node(d, at, to, i):
    """One with two fields; of more the others are in an array."""
    if "com.example.Two" not in d.classes:
        d.klass("com.example.Two", fields=[("a", OBJECT), ("b", OBJECT)])
    more = d.refs("java.lang.Object[]", to[1:]) if len(to) > 2 else (to + [0, 0])[1]
    d.obj("com.example.Two", at, a=(to + [0])[0], b=more)


def as_weak(d, at, to, i):
    """Held by weak and soft references alone, the last one strongly."""
    kind = "WeakReference" if i % 2 else "SoftReference"
    d.refs("java.lang.Object[]", [d.obj("java.lang.ref." + kind, referent=x) for x in to] + to[-1:], at)


def as_statics(d, at, to, i):
    d.klass("com.example.S%d" % i, at=at, statics=[("s%d" % k, OBJECT, x) for k, x in enumerate(to)])


def as_map(d, at, to, i):
    table = [d.obj("java.util.HashMap$Node", hash=k, key=x, value=x) for k, x in enumerate(to)]
    d.obj("java.util.HashMap", at, table=d.refs("java.util.HashMap$Node[]", table), size=len(to), threshold=len(to))


for told, made in (("arrays", as_array), ("lists", as_list), ("nodes", as_node), ("weak", as_weak), ("statics", as_statics), ("maps", as_map)):
    for whose, held in (("", one_root), (" all held", all_held), (" all roots", all_roots), (" two roots", two_roots)):
        for kind, relations in GRAPHS.items():
            graph("heap %s%s, %s" % (told, whose, kind), 3000, (),
                  lambda n, made=made, held=held, relations=relations: objects(relations(n), made, held))


@tell("heap classes", GRAPHS, 3000, "C")
def heap_classes(edges, name):
    """Each below its first holder, with an object of it; of one name: each of a loader of its own."""
    by = holders(edges)

    def fill(d):
        distinct, kept = name(0) != name(1), []
        for i in nodes(edges):
            loader = 0 if distinct else d.obj("java.lang.ClassLoader", name=d.text("l%d" % i))
            above = "key%d" % by[i] if i > 0 and by[i] < i else "java.lang.Object"
            d.klass("com.example." + name(i), above, fields=[("v", INT)] * (i % 2), key="key%d" % i, loader=loader)
            if i < 300 or i % 100 == 0:
                kept.append(d.obj("key%d" % i))
        return d.refs("java.lang.Object[]", kept)
    return heap(fill)


@tell("heap loaders", GRAPHS, 3000, "plugin")
def heap_loaders(edges, name):
    """Each with a class, its parent the first holder."""
    by = holders(edges)

    def fill(d):
        loaders = []
        for i in nodes(edges):
            loaders.append(d.obj("java.lang.ClassLoader", name=d.text(name(i)), parent=loaders[by[i]] if i > 0 and by[i] < i else 0))
            d.klass("com.example.P%d" % (i % 9), key="key%d" % i, loader=loaders[i], statics=[("cache", OBJECT, d.obj("com.example.Node", v=i))])
        return d.refs("java.lang.Object[]", loaders)
    return heap(fill)


@tell("heap locals", GRAPHS, 3000, "worker")
def heap_locals(edges, name):
    def fill(d):
        own = [d.obj("java.lang.Thread", name=d.text(name(i)), tid=i + 1, priority=5, threadStatus=5) for i in nodes(edges)]
        for i, to in enumerate(targets(edges)):
            d.stack(i + 2, i + 1, [d.frame(2 * i + k + 1, "java.lang.Thread", "step%d" % ((i + k) % 8), "()V", "Thread.java", 10 + k) for k in range(2)])
            d.root("thread", own[i], i + 1, i + 2)
            for k in to:
                d.root("java frame", own[k], i + 1, k % 2)
        return 0
    return heap(fill)


@tell("heap thread locals", GRAPHS, 3000, "Job")
def heap_netty(edges, name):
    """An edge is a value of a thread for a key of Netty, which is a static."""
    def fill(d):
        netty(d)
        for i in nodes(edges):
            d.klass("com.example." + name(i), key="key%d" % i, statics=[("KEY", OBJECT, d.obj("io.netty.util.concurrent.FastThreadLocal", index=i))])
        for i, to in enumerate(targets(edges)):
            if not to:
                continue
            values = [0] * (max(to) + 1 if len(to) > 9 or i < 9 else 1)
            for k in to:
                values[k if k < len(values) else 0] = d.obj("com.example.Node", v=k)
            local = d.obj("io.netty.util.internal.InternalThreadLocalMap", indexedVariables=d.refs("java.lang.Object[]", values))
            own = d.obj("io.netty.util.concurrent.FastThreadLocalThread", name=d.text("io-%d" % i), tid=i + 1, priority=5, threadStatus=5, threadLocalMap=local)
            d.stack(i + 2, i + 1, [d.frame(i + 1, "java.lang.Thread", "run", "()V", "Thread.java", 10)])
            d.root("thread", own, i + 1, i + 2)
        return 0
    return heap(fill)


# ---- bytecode, tables, statements ----------------------------------------------------------------


@tell("code calls", GRAPHS, 1500)
def code_calls(edges, name):
    """Static methods that run others."""
    body = [[("run", "m%d" % k) for k in to[:8000]] + [("return",)] for to in targets(edges)]
    return {"a.jar": codemake.jar([("demo/Random.class", codemake.class_file([("m%d" % i, "()V", True, b, []) for i, b in enumerate(body)]))])}


@tell("code branches", GRAPHS, 300)
def code_branches(edges, name):
    """One method with a block for each node, whose branches are the edges, around a Cursor."""
    start, at = [], 4
    to = targets(edges)
    for block in to:
        start.append(at)
        at += 1 + len(block) + 1
    body = [("null", 1), ("null", 2), ("flag", 0), ("query", 1)]
    for i, block in enumerate(to):
        body += [("flag", i % 3)] + [("ifflag", start[k]) for k in block] + [("use", 1, codemake.OPS[0])]
    return {"a.jar": codemake.jar([("demo/Random.class", codemake.class_file([("m", "()V", True, body + [("return",)], [])]))])}


@tell("table paths", GRAPHS, 6000, "n", ("--path", "a,b", "--weight", "size"))
def table_paths(edges, name):
    return {"a.csv": "a,b,size\n" + "".join("%s,%s,%d\n" % (name(a), name(b), 1 + (a + b) % 99) for a, b in edges)}


@tell("statements", GRAPHS, 2000, "Payee ")
def statements(edges, name):
    """A transaction for each, of one of them with the other."""
    to = targets(edges)
    return shapes.ofxmake.document([shapes.ofxmake.statement(False, "12345%06d" % i, 2025, [
        (1 + k % 12, 1 + k % 28, "POS", 100 + k % 7000, name(k), "") for k in to[i]], 1000) for i in nodes(edges)], 2025)


if __name__ == "__main__":
    sys.exit(shapes.main(sys.argv))
