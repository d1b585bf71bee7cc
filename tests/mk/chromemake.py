#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""chromemake.py DIR - edge cases of trace events of Chrome, one fact a file."""
import json
import os
import random
import sys


def main(event):
    """The event without its tid."""
    del event["tid"]
    return event


def e(ph, name, ts, pid=1, tid=1, **kw):
    d = dict(ph=ph, name=name, pid=pid, tid=tid)
    if ts is not None:
        d["ts"] = ts
    d.update(kw)
    return d


def ends(seed):
    """Begins and ends of two threads: most ends name the innermost call, others an outer one, none, or nothing that is open."""
    r, out, open_ = random.Random(seed), [], {1: [], 2: []}
    coarse = r.choice((1, 1, 4))
    for ts in (t // coarse * coarse for t in range(10, 10 + r.choice((20, 60, 200)))):
        tid = r.choice((1, 2))
        mine = open_[tid]
        if r.random() < (0.6 if len(mine) < 4 else 0.3):
            mine.append((r.choice("abcdef"), r.choice(({}, {}, dict(cat="x"), dict(cat="y")))))
            out.append(e("B", mine[-1][0], ts, tid=tid, tts=ts * 2 // 3, **mine[-1][1]))
            continue
        name, cat = mine.pop() if mine else ("a", {})
        how = r.random()
        if how < 0.15 and mine:
            del mine[r.randrange(len(mine)):]
        name = name if how < 0.7 else r.choice("abcdefgh") if how < 0.9 else ""
        out.append(e("E", name, ts, tid=tid, **(cat if r.random() < 0.8 else dict(cat="z")), **(dict(tts=ts * 2 // 3) if r.random() < 0.9 else {})))
    return out


def clocks(seed):
    """Calls of two threads whose CPU clocks are coarse, begin late, run ahead, or are missing in some events."""
    r, out = random.Random(seed), []
    for tid in (1, 2):
        base, tick, ts = r.choice((0, 10 ** 9)), r.choice((1, 7, 50)), 10
        late, speed = r.choice((0, 100)), r.choice((0.3, 1, 1.7))
        cpu = lambda t: base + int(t * speed) // tick * tick
        for _ in range(40):
            length = r.randrange(1, 30)
            some = lambda t, **kw: {k: v for k, v in kw.items() if t >= late and r.random() < 0.9}
            out.append(e("X", r.choice("abc"), ts, tid=tid, dur=length, **some(ts, tts=cpu(ts), tdur=cpu(ts + length) - cpu(ts))))
            if r.random() < 0.5 and length > 4:
                out.append(e("B", "in", ts + 1, tid=tid, **some(ts + 1, tts=cpu(ts + 1))))
                out.append(e("E", "in", ts + length - 1, tid=tid, **some(ts + length, tts=cpu(ts + length - 1))))
            if r.random() < 0.1:
                out.append(e("X", "never", ts, tid=tid, dur=1))
            ts += length + r.randrange(3)
    return out


def wild(seed):
    """Nested calls whose CPU times are missing, wrong, coarse, or those of another thread."""
    r, out, coarse = random.Random(seed), [], random.Random(seed).choice((1, 15600))

    def call(tid, start, end, depth):
        length = end - start
        cpu = dict(tdur=r.choice((r.randrange(length + 1), length, 3 * length, 0)) // coarse * coarse) if r.random() < 0.8 else {}
        if cpu and r.random() < 0.7:
            cpu["tts"] = r.choice((start // 2, start, 2 * start, 5, 162 * 10 ** 6 + start)) // coarse * coarse
        out.append(e("X", r.choice("abcdef"), start, tid=tid, dur=length, **cpu))
        for _ in range(r.randrange(4) if depth < 4 else 0):
            begin = r.randrange(start, end + 1)
            start = r.randrange(begin, end + 1)
            call(tid, begin, start + r.choice((0, 0, 0, 7)), depth + 1)
    for tid in (1, 2, 3):
        for start in (0, 3000, 50000):
            call(tid, start + r.randrange(500), start + 500 + r.randrange(20000), 0)
    return out


def filled(seed):
    """Nested calls of two threads, with CPU times or without, and samples of V8 or of stack frames in them, between them and around them."""
    r, out, names = random.Random(seed), [], ["(root)", "(program)", "(idle)", "(garbage collector)", "f", "g", "h", "f"]
    clock, top = seed % 2, seed % 3 == 2
    parent = {2: 1, 3: 1, 4: 1, **{i: r.choice([1] + list(range(5, i))) for i in range(5, 16)}}
    name = lambda i: names[i - 1] if i <= len(names) else "fn%d" % i

    def calls(tid, start, end, depth):
        while start < end:
            length = min(end - start, r.choice((0, 1, 3, 10, 40, 200)))
            cpu = dict(tts=start * 3 // 4, tdur=(start + length) * 3 // 4 - start * 3 // 4) if clock and r.random() < 0.7 else {}
            out.append(e("X", r.choice(("task", "call", "layout")), start, tid=tid, dur=length, **cpu))
            if depth < 4 and r.random() < 0.7:
                calls(tid, start + r.choice((0, 1, length // 3)), start + length, depth + 1)
            start += length + r.choice((0, 1, 5, 30))
    samples, profiles = [], []
    for tid in (1, 2):
        calls(tid, 1000 + r.randrange(20), 1500, 0)
        ids, deltas, at = [], [], 990
        while at < 1520:
            step = r.choice((0, 1, 7, 10, 10, 10, 11, 12, 60))
            at += step
            ids.append(r.choice(ids) if ids and r.random() < 0.4 else r.randrange(1, 16))
            deltas.append(step)
            samples.append(dict(pid=1, tid=tid, ts=at, sf=ids[-1], weight=1))
        profiles += [e("P", "Profile", 1000, tid=tid, id="0x%d" % tid, args=dict(data=dict(startTime=990))),
                     e("P", "ProfileChunk", 1600, tid=9, id="0x%d" % tid, args=dict(data=dict(timeDeltas=deltas, endTime=at + r.choice((0, 5, 1000)), cpuProfile=dict(
                         samples=ids, nodes=[dict(id=i, callFrame=dict(functionName=name(i)), **(dict(parent=parent[i]) if i in parent else {})) for i in range(1, 16)]))))]
    out.sort(key=lambda x: (x["ts"], x["tid"]))
    if not top:
        return T(out + profiles)
    r.shuffle(samples)
    return T(out, samples=samples, stackFrames={str(i): dict(name=name(i), **(dict(parent=parent[i]) if i in parent else {})) for i in range(1, 16)})


def x(name, ts, dur, depth, **kw):
    """A complete event that is to be called at that depth."""
    return e("X", name, ts, dur=dur, args=dict(depth=depth), **kw)


# Calls that cross others, and the ns that they lose at least.  A call without an end loses none.
CROSSED = {
    "short-first-400": [x("short", 100, 0.6, 0), x("long", 100.2, 400, 0), x("child", 150, 300, 1)],
    "rounded-end-2000": [x("long", 100, 400, 0), x("child", 150, 351, 1), x("in", 160, 341, 2), x("next", 600, 5, 0)],
    "two-open-3000": [x("around", 10, 990, 0), x("run", 100, 3, 1), x("call", 100.5, 2.5, 2), x("step", 101.5, 300, 1), x("child", 200, 200, 2)],
    "one-of-two-1900": [x("long", 100, 300, 0), x("short", 390, 5, 1), x("cross", 394, 6.9, 1), x("after", 401, 1, 0)],
    "both-sides-600": [x("around", 10, 500, 0), x("short", 100, 0.6, 1), x("long", 100.2, 410, 1), x("child", 150, 300, 2)],
    "steps-in-turn-300": [x("step", 100 + 99.9 * i, 100, 0) for i in range(4)] + [x("in", 250, 20, 1)],
    "equal-5000": [x("first", 100, 10, 0), x("second", 105, 10, 1), x("third", 120, 1, 0)],
    "begin-end-200": [x("short", 100, 0.4, 0), e("B", "long", 100.2, args=dict(depth=0)), x("child", 120, 50, 1), e("E", "long", 300)],
    "never-ends-0": [x("around", 100, 50, 0), e("B", "lost", 110, args=dict(depth=1)), x("later", 300, 10, 0)],
    "other-thread-0": [x("short", 100, 0.6, 0), x("long", 100.2, 400, 0, tid=2)],
}


def dotnet(*calls, frames=True, names=True, other=None, first=False):
    """Calls as dotnet-trace writes them: (thread, begin, end, outermost call, ..., innermost call), with the number of the stack; other: the end of that call has
    another stack."""
    ids, found = {}, []
    for tid, begin, end, *stack in calls:
        for i in range(len(stack)):
            ids.setdefault(tuple(stack[:i + 1]), len(ids) + 1)
        sf = dict(sf=ids[tuple(stack)]) if frames else {}
        found += [(begin, len(stack), e("B", stack[-1], begin, tid=tid, **sf)), (end, -len(stack), e("E", stack[-1], end, tid=tid, **(dict(sf=1) if stack[-1] == other else sf)))]
    out = [x for _, _, x in sorted(found, key=lambda x: x[:2])]
    for x in out:
        if not names and x["ph"] == "E":
            del x["name"]
    told = {str(n): dict(name=s[-1], **(dict(parent=ids[s[:-1]]) if s[1:] else {})) for s, n in ids.items()}
    return dict(stackFrames=told, traceEvents=out) if first else dict(traceEvents=out, stackFrames=told)


MAIN = (7, 10, 100, "Thread (7)"), (7, 10, 100, "Thread (7)", "Main"), (7, 20, 50, "Thread (7)", "Main", "Hot"), (7, 60, 90, "Thread (7)", "Main", "Wait")
DOTNET = MAIN + ((7, 20, 50, "Thread (7)", "Main", "Hot", "CPU_TIME"), (7, 60, 90, "Thread (7)", "Main", "Wait", "UNMANAGED_CODE_TIME"))


def torch(seed):
    """A recording of PyTorch: steps, operators, and kernels of two GPUs on several streams, which overlap or leave gaps."""
    r, named = random.Random(seed), seed % 2
    out = [e("X", "PyTorch Profiler (0)", 900, pid="Spans", tid="PyTorch Profiler", dur=3000, cat="Trace", args={"Op count": 0}),
           e("i", "Record Window End", 4000, pid="", tid="", s="g")]
    for step in range(3):
        out.append(e("X", "ProfilerStep#%d" % step, 1000 + 500 * step, pid=77, tid=77, dur=490, cat="user_annotation", args={}))
        for k in range(6):
            ts = 1000 + 500 * step + 80 * k
            out.append(e("X", "aten::" + r.choice(("add", "mm")), ts, pid=77, tid=77, dur=70, cat="cpu_op", args={"External id": k}))
            out.append(e("X", "cudaLaunchKernel", ts + 5, pid=77, tid=77, dur=20, cat="cuda_runtime", args=dict(correlation=k)))
            gpu, stream, what = r.choice((0, 1)), r.choice((7, 20)), r.choice(("kernel", "kernel", "gpu_memcpy", "gpu_memset"))
            out.append(e("X", {"gpu_memcpy": "Memcpy HtoD (Pageable -> Device)", "gpu_memset": "Memset (Device)"}.get(what, r.choice(("gemm", "relu"))), ts + 30, pid=gpu,
                         tid=stream, dur=r.choice((10, 50, 60)), cat=what, args=dict(device=gpu, stream=stream, correlation=k)))
        out.append(e("X", "ProfilerStep#%d" % step, 1030 + 500 * step, pid=0, tid=7, dur=400, cat="gpu_user_annotation", args={}))
        out.append(e("X", "Stream Sync", 1490 + 500 * step, pid=0, tid=7, dur=9, cat="cuda_sync", args=dict(stream=7)))
    # A category of this name without a stream is another tool's.
    out.append(e("X", "irq", 2900, pid=77, tid=77, dur=5, cat="kernel", args={}))
    if named:
        out += [e("M", "process_labels", 0, pid=0, tid=0, args=dict(labels="GPU 0")), e("M", "process_name", 0, pid=0, tid=0, args=dict(name="python")),
                e("M", "thread_name", 0, pid=0, tid=7, args=dict(name="stream 7 "))]
    return T(out, schemaVersion=1)


T = lambda ev, **kw: dict(kw, traceEvents=ev)
nodes = [dict(id=1, callFrame=dict(functionName="(root)")), dict(id=2, parent=1, callFrame=dict(functionName="f", url="a/b.js", lineNumber=0)),
         dict(id=3, parent=2, callFrame=dict(functionName="", url="http://x/y/c.js", lineNumber=9)), dict(id=4, parent=1, callFrame=dict(functionName="(idle)"))]
prof = e("P", "Profile", 1000, tid=7, id="0x1", cat="disabled-by-default-v8.cpu_profiler", args=dict(data=dict(startTime=1000)))
ch1 = e("P", "ProfileChunk", 1100, tid=99, id="0x1", args=dict(data=dict(cpuProfile=dict(nodes=nodes[:3], samples=[2, 3, 3]), timeDeltas=[100, 50, 50])))
ch2 = e("P", "ProfileChunk", 1900, tid=99, id="0x1", args=dict(data=dict(endTime=1500, cpuProfile=dict(nodes=nodes[3:], samples=[4, 2]), timeDeltas=[-20, 120])))
run = e("X", "RunTask", 1000, tid=7, dur=600, tdur=400, tts=5)
F = {
    "profile-chunks.json": T([prof, ch1, ch2, run]),
    "profile-only.json": T([ch2, prof, ch1]),
    "profile-two-same-thread.json": T([prof, ch1, dict(prof, id="0x2"), dict(ch1, id="0x2")]),
    "profile-no-head.json": T([ch1, run]),
    "profile-unknown-node.json": T([prof, dict(ch1, args=dict(data=dict(cpuProfile=dict(nodes=nodes[:2], samples=[2, 77]), timeDeltas=[10, 10])))]),
    "cpuprofile-event.json": T([e("I", "CpuProfile", 2000, tid=7, s="t", args=dict(data=dict(cpuProfile=dict(startTime=1000, endTime=1400, samples=[2, 3], timeDeltas=[100, 100],
        nodes=[dict(id=1, callFrame=dict(functionName="(root)"), children=[2]), dict(id=2, callFrame=dict(functionName="f"), children=[3]), dict(id=3, callFrame=dict(functionName="g"))]))))]),
    "stack-frames.json": dict(traceEvents=[], stackFrames={"5": dict(name="main"), "7": dict(name="f", parent="5"), "9": dict(name="g", parent=7)},
        samples=[dict(cpu=0, tid=1, ts=10.5, name="cycles:HG", sf=9, weight=1), dict(cpu=0, tid=1, ts=11.5, name="cycles:HG", sf=7, weight=3), dict(cpu=1, tid=2, ts=12, name="cycles:HG", sf="9", weight=1)]),
    "async-nest.json": [e("b", "req", 10, cat="net", id="0xa"), e("b", "dns", 11, cat="net", id="0xa"), e("n", "hit", 12, cat="net", id="0xa"), e("e", "dns", 15, cat="net", id="0xa", tid=2), e("e", "req", 20, cat="net", id="0xa", pid=2)],
    "async-same-id-other-cat.json": [e("b", "r", 10, cat="a", id=1), e("b", "r", 11, cat="b", id=1), e("e", "r", 15, cat="a", id=1), e("e", "r", 30, cat="b", id=1)],
    "async-id2-local.json": [e("b", "r", 10, cat="a", id2=dict(local="0x1")), e("b", "r", 11, cat="a", pid=2, id2=dict(local="0x1")), e("e", "r", 15, cat="a", id2=dict(local="0x1")), e("e", "r", 40, cat="a", pid=2, id2=dict(local="0x1"))],
    "async-scope.json": [e("b", "r", 10, cat="a", id=1, scope="s1"), e("b", "r", 11, cat="a", id=1, scope="s2"), e("e", "r", 15, cat="a", id=1, scope="s1")],
    "async-overlap.json": [e("b", "r", 10, cat="a", id=1), e("b", "r", 12, cat="a", id=2), e("e", "r", 20, cat="a", id=1), e("e", "r", 22, cat="a", id=2)],
    "async-end-first.json": [e("e", "r", 5, cat="a", id=1), e("b", "r", 10, cat="a", id=1), e("e", "x", 12, cat="a", id=1), e("e", "r", 20, cat="a", id=1)],
    "async-legacy.json": [e("S", "r", 10, cat="a", id=1), e("T", "r", 12, cat="a", id=1, args=dict(step="x")), e("p", "r", 13, cat="a", id=1), e("F", "r", 20, cat="a", id=1), e("S", "q", 30, cat="a", id=1)],
    "counters.json": [e("C", "mem", 10, args=dict(used=5, free=1)), e("C", "mem", 20, args=dict(used=7)), e("C", "mem", 15, args=dict(used="6.5")), e("C", "mem", 30, id="b", args=dict(used=1)), e("C", "mem", 40, pid=2, args=dict(used=9, label="x"))],
    "instants.json": [e("i", "mark", 10, s="g"), e("I", "mark", 11, s="p"), e("i", "mark", 12), e("R", "navigationStart", 13)],
    "flow.json": [e("X", "a", 10, dur=5), e("s", "fl", 12, cat="c", id=1), e("X", "b", 20, tid=2, dur=5), e("f", "fl", 21, tid=2, cat="c", id=1, bp="e"), e("s", "fl", 30, cat="c", id=2)],
    "thread-clock.json": [e("X", "a", 10, dur=100, tts=1000, tdur=40), e("B", "b", 20, tts=1005), e("E", "b", 60, tts=1025), e("X", "c", 200, dur=10)],
    "ts-zero-among-epoch.json": [e("X", "zero", 0, dur=5), e("X", "a", 1700000000000000, dur=10), e("B", "b", 1700000000000020), e("E", "b", 1700000000000030)],
    "ts-zero-honest.json": [e("X", "zero", 0, dur=5), e("X", "a", 100, dur=10)],
    "unsorted.json": [e("E", "a", 30), e("B", "b", 15), e("B", "a", 10), e("E", "b", 20)],
    "end-of-another-name.json": [e("B", "a", 10), e("B", "b", 12), e("E", "a", 20), e("E", "b", 30)],
    **{"ends-%d.json" % seed: ends(seed) for seed in range(24)},
    **{"crossed-%s.json" % name: events for name, events in CROSSED.items()},
    "dotnet.json": dotnet(*DOTNET),
    "dotnet-blocked.json": dotnet(*DOTNET, (8, 15, 95, "Thread (8)"), (8, 15, 95, "Thread (8)", "BLOCKED_TIME"), (9, 30, 40, "BLOCKED_TIME"), first=True),
    "dotnet-nameless-ends.json": dotnet(*DOTNET, names=False),
    "dotnet-no-stacks.json": dotnet(*DOTNET, frames=False),
    "dotnet-other-stack.json": dotnet(*DOTNET, other="Hot"),
    "dotnet-no-frames.json": dotnet(*DOTNET)["traceEvents"],
    "dotnet-complete.json": [e("X", stack[-1], begin, tid=tid, dur=end - begin) for tid, begin, end, *stack in DOTNET],
    **{"clocks-%d.json" % seed: clocks(seed) for seed in range(16)},
    **{"clocks-wild-%d.json" % seed: wild(seed) for seed in range(12)},
    "clocks-jump.json": [e("X", "a", 0, dur=600, tts=1000, tdur=162 * 10 ** 6), e("X", "b", 10000, dur=1000, tts=170 * 10 ** 6, tdur=100), e("X", "c", 20000, dur=100, tts=5, tdur=40)],
    "clocks-none.json": [e("X", "a", 0, dur=100, tts=0, tdur=70), e("X", "d", 200, dur=100, tts=71, tdur=30), e("X", "b", 0, tid=2, dur=100), e("X", "c", 200, tid=2, dur=100)],
    "clocks-inner.json": [e("X", "top", 0, dur=10000), e("X", "kid", 5000, dur=100, tts=9 * 10 ** 8, tdur=80), e("X", "kid", 6000, dur=100, tts=9 * 10 ** 8 + 500, tdur=90)],
    **{"filled-%d.json" % seed: filled(seed) for seed in range(18)},
    **{"torch-%d.json" % seed: torch(seed) for seed in range(6)},
    "fractions-and-strings.json": [e("X", "a", "10.5", dur="2.0625"), e("X", "b", 10.7501, dur=1), e("X", "c", 1e1, dur=0.001)],
    "no-dur.json": [e("X", "a", 10), e("X", "b", 20, dur=-5), e("X", "c", 30, tdur=7)],
    "no-tid.json": [main(e("X", "a", 10, pid=5, tid=5, dur=5)), main(e("B", "b", 20, pid=5)), e("X", "c", 21, pid=5, tid=5, dur=2), main(e("E", "b", 30, pid=5)),
        main(e("M", "thread_name", 0, pid=5, args=dict(name="ui"))), e("X", "a", 10, pid=5, tid=6, dur=5), main(e("C", "mem", 12, pid=5, args=dict(used=1))), main(e("i", "mark", 13, pid=5))],
    "ids-text.json": [e("X", "a", 10, pid="proc", tid="ui", dur=5), e("X", "b", 12, pid="proc", tid="io", dur=5)],
    "names-late.json": [e("X", "a", 10, dur=5), e("M", "thread_name", None, args=dict(name="late")), e("M", "process_name", 0, args=dict(name="P")), e("M", "thread_sort_index", 0, args=dict(sort_index=-5))],
    "only-metadata.json": T([e("M", "process_name", 0, args=dict(name="P"))]),
    "metadata-first-70k.json": dict(metadata=dict(source="DevTools", sourceMaps=[dict(url="x" * 70000)]), traceEvents=[run]),
    "events-after-1m.json": dict(beginningOfTime=1, otherData=dict(x=["y" * 1000] * 1000), traceEvents=[run]),
    "other-json-with-ph.json": dict(items=[dict(ph=7.1, name="water")]),
    "async-ends-crossed.json": [e("b", "a", 10, cat="c", id=1), e("b", "b", 11, cat="c", id=1), e("b", "a", 12, cat="c", id=1), e("e", "b", 13, cat="c", id=1),
        e("n", "a", 14, cat="c", id=1), e("e", "", 15, cat="c", id=1), e("e", "a", 16, cat="c", id=1), e("e", "a", 17, cat="c", id=1), e("e", "", 18, cat="c", id=1)],
    "async-ids.json": [e("b", "r", 10, cat="a", id2={"global": "1"}), e("b", "r", 11, cat="a", id=1), e("b", "r", 12, cat="a"), e("e", "r", 20, pid=2, cat="a", id2={"global": "1"}),
        e("e", "r", 22, pid=2, cat="a", id="1"), e("e", "r", 24, pid=2, cat="a"), e("S", "l", 30, cat="a", id=1), e("F", "l", 31, pid=2, cat="a", id=1), e("F", "l", 33, cat="a", id="1")],
    "async-unsorted.json": [e("e", "r", 30, cat="a", id=1), e("b", "r", 10, cat="a", id=1), e("b", "\u00e4\"\\", 12, cat="a", id=2)],
    "async-epoch.json": [e("b", "r", 0, cat="a", id=1), e("e", "r", 1700000000000010, cat="a", id=1), e("X", "x", 1700000000000000, dur=5)],
    "counters-odd.json": [e("C", "m", 10, args=dict(a=-5, b=0.1, c=1e300, d="x", e=None, f=True, g=[1], h={"i": 1}, j="", k=123456789.25)), e("C", "m", 12, args=dict(a=2.5, b=1e-7, c=0)),
        e("C", "m", 11, args={}), e("C", "m", 13), e("C", "", 14, id=0, args=dict(a=1)), e("C", "m", -5, args=dict(a=7))],
    "instants-odd.json": [e("i", "a", 10, s="p"), e("i", "", 11), e("I", "CpuProfile", 12), e("R", "a", 13, s="g"), dict(ph="i", ts=14, name="a")],
    "flow-bound.json": [e("X", "a", 10, dur=5, bind_id=7, flow_out=True), e("B", "b", 20, bind_id="7", flow_in=True, flow_out=True), e("E", "b", 25), e("X", "c", 30, tid=2, bind_id="7", flow_in=True),
        e("X", "d", 40, bind_id=8, flow_in=True), e("X", "e", 50, bind_id=9), e("f", "x", 5, id=1), e("s", "x", 60, id=1), e("f", "x", 61, id=1), e("t", "y", 62)],
    "sorted-threads.json": [e("X", "a", 10, tid=10, dur=1), e("X", "a", 10, tid=9, dur=1), e("X", "a", 10, pid=2, tid="ui", dur=1), e("X", "a", 10, pid=2, tid=3, dur=1), e("X", "a", 10, pid="z", dur=1),
        e("M", "process_sort_index", 0, pid=2, args=dict(sort_index=-1)), e("M", "thread_sort_index", 0, tid=10, args=dict(sort_index=-2)), e("M", "process_labels", 0, args=dict(labels="tab"))],
    "unknown-phases.json": [e("X", "a", 10, dur=1), e("O", "snap", 11, id=1), e("N", "obj", 11, id=1), e("D", "obj", 12, id=1), e("v", "dump", 12), e("V", "dump", 12), e("c", "clk", 12), e("(", "ctx", 12), e("=", "link", 12), e("Q", "?", 12)],
}
F["system-events.json"] = T([e("X", "x%d" % i, 100100000 + 10 * i, pid=10, tid=10, dur=5) for i in range(5)], systemTraceEvents="# tracer: nop\n#\n"
    "  <idle>-0     (-----) [000] d..3 100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=10 next_prio=120\n"
    "     app-10    (   10) [000] d..3 100.300000: sched_switch: prev_comm=app prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n")
F["system-events-first.json"] = dict(systemTraceEvents=F["system-events.json"]["systemTraceEvents"], traceEvents=F["system-events.json"]["traceEvents"])
YEAR = 365 * 86400 * 10**6
F["epochs.json"] = [e("X", "early", 1000, dur=5), e("X", "work", 50 * YEAR, dur=500000), e("X", "work2", 50 * YEAR + 10**6, dur=700000)]
F["epochs-years.json"] = [e("X", "a%d" % i, 3 * i * YEAR + 7 * i, dur=10 + i) for i in range(9)] + [e("B", "b", 6 * YEAR + 2, tid=2), e("E", "b", 9 * YEAR + 30, tid=2),
    e("C", "m", 3 * YEAR + 9, args=dict(a=1)), e("i", "i", -4 * YEAR), e("s", "f", 12 * YEAR, id=1), e("f", "f", 15 * YEAR, id=1)]
F["epochs-long.json"] = [e("X", "long", 5, dur=1.5 * YEAR), e("X", "in", 1.2 * YEAR, dur=9), e("X", "far", 3.1 * YEAR, dur=4), e("X", "far", 3.2 * YEAR, dur=4)]
F["epochs-below.json"] = T([e("b", "Startup", -46 * YEAR, cat="x", id=1), e("e", "Startup", 2000, cat="x", id=1), e("X", "work", -1000, dur=500), e("X", "work", 2000, dur=700),
    e("e", "r", -2 * YEAR, cat="x", id=2), e("b", "r", 1500, cat="x", id=2), e("B", "c", 1800), e("E", "c", -1800)])
F["epochs-zero.json"] = [e("X", "a", 50 * YEAR, dur=5), e("X", "a", 50 * YEAR + 9, dur=5), e("X", "b", 0, dur=5), e("i", "c", -60 * YEAR), e("X", "d", 70 * YEAR, dur=5)]
F["epochs-samples.json"] = T([dict(prof, ts=46 * YEAR, args=dict(data=dict(startTime=46 * YEAR))), dict(ch1, ts=46 * YEAR), e("X", "RunTask", 46 * YEAR, tid=7, dur=600), e("X", "old", 1000, tid=7, dur=5)])
F["profile-beside-two.json"] = T([prof, ch1, dict(prof, id="0x2"), dict(ch1, id="0x2", args=dict(data=dict(cpuProfile=dict(nodes=nodes, samples=[2, 4, 4, 3]), timeDeltas=[10, 5, 5, 7]))),
    e("M", "thread_name", 0, tid=7, args=dict(name="main")), run, e("X", "RunTask", 1000, pid=2, tid=7, dur=50), dict(prof, pid=2), dict(ch1, pid=2)])
F["profile-beside-unknown.json"] = T([run, prof, ch1, dict(ch2, args=dict(data=dict(cpuProfile=dict(nodes=nodes[3:], samples=[77, 4, 77]), timeDeltas=[5, 5, 5])))])
F["profile-before-calls.json"] = T([dict(prof, ts=5000, args=dict(data=dict(startTime=0))), ch1, e("X", "RunTask", 5000, tid=7, dur=600)])
F["stack-frames-beside.json"] = dict(F["stack-frames.json"], traceEvents=[e("X", "a", 10, pid=3, tid=1, dur=5), e("B", "b", 20, pid=4, tid=1), e("E", "b", 30, pid=4, tid=1)],
    samples=[dict(s, pid=4) for s in F["stack-frames.json"]["samples"]] + [dict(pid=4, tid=1, ts=13, name="faults", sf=5)])
F["cpuprofile-beside.json"] = T(F["cpuprofile-event.json"]["traceEvents"] + [run, e("I", "other", 1500)])
F["time-trace-totals.json"] = T([e("X", "Source", 548, dur=501, args=dict(detail="a.h")), e("X", "Total Source", 0, tid=2, dur=501, args={"count": 1, "avg ms": 0}),
    e("X", "Total control", 0, tid=3, dur=9, args=dict(count=1)), e("X", "Total Source", 7, tid=4, dur=5, args={"count": 1, "avg ms": 0})], beginningOfTime=1)
F["own-stacks.json"] = [e("X", "a", 10, dur=5, sf=7, esf=9), e("X", "b", 20, dur=5, stack=["0x1"]), e("X", "c", 30, dur=5, sfx=1)]
F["ends-together.json"] = [e(ph, name, ts) for ph, name, ts in (("B", "a", 1), ("B", "b", 2), ("B", "c", 3), ("E", "a", 9), ("X", "d", 9), ("E", "", 9), ("E", "c", 9), ("B", "a", 9))]
for n in F:
    with open(os.path.join(sys.argv[1], n), "w") as h:
        json.dump(F[n], h)
s = json.dumps(F["async-nest.json"] + [e("X", "a", 10, dur=5)])
open(os.path.join(sys.argv[1], "open-end.json"), "w").write(s[:-1].replace("}, {", "},\n{") + ",\n")
open(os.path.join(sys.argv[1], "cut-in-event.json"), "w").write(s[:-20])
