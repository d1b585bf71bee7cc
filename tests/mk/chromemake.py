#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""chromemake.py DIR - edge cases of trace events of Chrome, one fact a file."""
import json
import os
import sys


def e(ph, name, ts, pid=1, tid=1, **kw):
    d = dict(ph=ph, name=name, pid=pid, tid=tid)
    if ts is not None:
        d["ts"] = ts
    d.update(kw)
    return d


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
    "fractions-and-strings.json": [e("X", "a", "10.5", dur="2.0625"), e("X", "b", 10.7501, dur=1), e("X", "c", 1e1, dur=0.001)],
    "no-dur.json": [e("X", "a", 10), e("X", "b", 20, dur=-5)],
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
for n in F:
    with open(os.path.join(sys.argv[1], n), "w") as h:
        json.dump(F[n], h)
s = json.dumps(F["async-nest.json"] + [e("X", "a", 10, dur=5)])
open(os.path.join(sys.argv[1], "open-end.json"), "w").write(s[:-1].replace("}, {", "},\n{") + ",\n")
open(os.path.join(sys.argv[1], "cut-in-event.json"), "w").write(s[:-20])
