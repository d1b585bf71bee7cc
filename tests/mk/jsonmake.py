#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jsonmake.py sampled|evented|both|events|nano|cpu|back|args|clock|hits|places|speedplaces|prose|escapes|states|steps|zero|numbered|waits|seed=N - profiles and traces in JSON, to standard output.

seed=N: calls of some threads, as trace events in any order.
"""
import json
import random
import sys

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
FRAMES = [{"name": "main"}, {"name": "a\"q\u00e9\U0001f4a9"}, {"name": "b", "file": "x.c", "line": 3}]


def sampled():
    profiles = [
        {"type": "sampled", "name": "worker 1", "unit": "milliseconds", "startValue": 0, "endValue": 4.5,
         "samples": [[0, 1], [0, 1, 2], [0]], "weights": [1.5, 2, 1.0]},
        {"type": "sampled", "name": "worker 2", "unit": "seconds", "startValue": 1, "endValue": 2,
         "samples": [[0, 2], [], [0, 9]], "weights": [25e-5, 0.000000001, 1]},
        {"type": "evented", "name": "other", "unit": "none", "startValue": 0, "endValue": 1, "events": []}]
    return json.dumps({"$schema": SCHEMA, "profiles": profiles, "shared": {"frames": FRAMES}})


def evented():
    events = [{"type": "O", "frame": 0, "at": 10}, {"type": "O", "frame": 1, "at": 12.5}, {"type": "C", "frame": 1, "at": 20},
              {"type": "O", "frame": 2, "at": 20}, {"at": 30, "frame": 2, "type": "C"}, {"type": "O", "frame": 7, "at": 31},
              {"type": "C", "frame": 0, "at": 40}]
    return json.dumps({"exporter": "x", "shared": {"frames": FRAMES}, "profiles": [
        {"type": "evented", "name": "t", "unit": "microseconds", "startValue": 10, "endValue": 40, "events": events}]}, indent=1)


def events():
    return json.dumps({"otherData": {"x": "}"}, "traceEvents": [
        {"name": "outer", "ph": "X", "ts": 100, "dur": 50.5, "pid": 1, "tid": 7},
        {"name": "inner", "ph": "X", "ts": 110, "dur": 10, "pid": 1, "tid": 7, "args": {"a": [1, 2, {"b": "}"}]}},
        {"name": "late", "ph": "X", "ts": 115, "dur": 10, "pid": 1, "tid": 7},
        {"name": "thread_name", "ph": "M", "pid": 1, "tid": 7, "args": {"name": "main"}},
        {"name": "x", "ph": "B", "ts": 200, "pid": 2, "tid": 7}, {"name": "y", "ph": "B", "ts": 210, "pid": 2, "tid": 7},
        {"ph": "E", "ts": 220, "pid": 2, "tid": 7}, {"ph": "E", "ts": 5, "pid": 2, "tid": 9},
        {"name": "c", "ph": "C", "ts": 210, "pid": 2, "tid": 7, "args": {"v": 3}},
        {"name": "named", "ph": "X", "ts": 1, "dur": 2, "pid": "p", "tid": "RenderThread"}], "displayTimeUnit": "ms"})


def nano():
    return '[{"name":"void a.b.C.d(int)","cat":"c","ph":"X","ts":1,"dur":9,"pid":1,"tid":1},\n' \
        '{"name":"x","cat":"c","ph":"X","ts":2,"dur":3,"pid":1,"tid":1},\n'


def cpu():
    return json.dumps({"nodes": [
        {"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "hitCount": 0, "children": [2, 4]},
        {"id": 2, "callFrame": {"functionName": "foo", "url": "a.js"}, "children": [3]},
        {"id": 3, "callFrame": {"functionName": ""}}, {"id": 4, "callFrame": {"functionName": "(idle)"}}],
        "startTime": 1000, "endTime": 2000, "samples": [2, 3, 4, 3, 99], "timeDeltas": [100, 200, 300, 100, -5]})


def back():
    """Steps of time that are below 0, fractions, texts and no numbers; samples of nodes that are none; counts below 0."""
    return json.dumps({"nodes": [
        {"id": 1, "callFrame": {"functionName": "(root)"}, "hitCount": -1, "children": [None, 2, "x", {}, 3, 4]},
        {"id": 2, "callFrame": {"functionName": "a"}}, {"id": 3, "callFrame": {"functionName": "b"}}, {"id": 4, "callFrame": {"functionName": "c"}}],
        "startTime": 1000, "endTime": 6000, "samples": [2, 2, 3, 2, None, -4, "4", 4, 4, [3], 4],
        "timeDeltas": [200, 400, -100, 500, 10.5, "20", None, 1000, [7], 1000]})


def args():
    """Args by the habits of several writers; of a begin and its end; long ones, nested ones, none; of async operations and instants."""
    said = [
        ("Source", {"detail": "/usr/include/a.h"}), ("Source", {"detail": "/usr/include/b.h"}), ("Source", {"detail": "/usr/include/a.h"}),
        ("run (v.py:7)", {"func_args": {"self": "<Box>", "k": "1 \n 2"}, "return_value": "[1, 2]"}), ("f (v.py:1)", {"func_args": {}, "return_value": None}),
        ("FunctionCall", {"data": {"functionName": "render", "url": "http://x/a.js", "lineNumber": 12}}), ("XHRReadyStateChange", {"data": {"url": "", "scriptName": "b.js"}}),
        ("EventDispatch", {"data": {"type": "click"}, "x": 1}), ("Compiling a.cc", {"target": "//a:b", "mnemonic": "CppCompile"}),
        ("aten::mm", {"External id": 3, "Input Dims": [[2, 3], ["a b", "\" c", []]]}), ("sgemm", {"stream": 7, "device": 0, "grid": [1, 1, 1], "bytes": None}),
        ("MajorGC", {"before": 100, "after": 0.5, "forced": True, "nothing": None, "deep": {"x": 1}, "frame": "0x1", "sort_index": 2}), ("DoSwapBuffers", {"offscreen": False, "frame": 602}),
        ("long", {"text": "\u00e9" * 120}), ("full", {"text": "x" * 194 + "  yy"}), ("fits", {"text": "x" * 195 + "  "}), ("control", {"text": "a\0b\tc"}),
        ("empty", {}), ("no object", "text"), ("none", None), ("no detail", {"detail": 5}), ("two", {"detail": {"x": 1}, "target": "t"})]
    found = [{"ph": "X", "name": name, "ts": 10 * i, "dur": 5, "pid": 1, "tid": 1, "args": what} for i, (name, what) in enumerate(said)]
    found += [{"ph": "B", "name": "request", "ts": 0, "pid": 1, "tid": 2, "args": {"id": 7, "path": "/a", "nested": {"x": 1}}},
              {"ph": "B", "name": "begin", "ts": 2, "pid": 1, "tid": 2, "args": {"a": 1}}, {"ph": "E", "ts": 3, "pid": 1, "tid": 2},
              {"ph": "B", "name": "end", "ts": 4, "pid": 1, "tid": 2}, {"ph": "E", "ts": 5, "pid": 1, "tid": 2, "args": {"status": 404}},
              {"ph": "E", "ts": 9, "pid": 1, "tid": 2, "args": {"status": 200, "id": 8}},
              {"ph": "b", "name": "load", "ts": 1, "pid": 1, "tid": 2, "cat": "net", "id": 1, "args": {"url": "x", "n": 1}},
              {"ph": "e", "name": "load", "ts": 8, "pid": 1, "tid": 2, "cat": "net", "id": 1, "args": {"n": 2}},
              {"ph": "i", "name": "mark", "ts": 6, "pid": 1, "tid": 2, "s": "t", "args": {"why": "because"}}]
    found += [{"ph": ph, "name": name, "ts": ts, "pid": 1, "tid": 4, "args": {"at": ts} if ph == "B" else {"of": name}}
              for ph, name, ts in (("B", "outer", 1), ("B", "inner", 2), ("E", "outer", 3), ("E", "inner", 3))]
    calls = [("root", 0, 90, None), ("same", 0, 10, "x"), ("same", 10, 10, "x"), ("inner", 12, 2, "y"), ("same", 20, 10, "x"), ("inner", 22, 2, "y"),
             ("inner", 50, 2, "z"), ("unlike", 60, 5, "x"), ("unlike", 70, 5, "y"), ("half", 75, 5, None), ("half", 80, 5, "x"), ("last", 85, 5, None)]
    found += [{"ph": "X", "name": name, "ts": ts, "dur": dur, "pid": 1, "tid": 3, "args": {"detail": what} if what else {}}
              for name, ts, dur, what in calls]
    return json.dumps({"traceEvents": found})


def called():
    """Calls with a flow between them, samples beside them, and names that are the same with what their args say."""
    def x(name, ts, dur, tid, **more):
        return {"ph": "X", "name": name, "ts": ts, "dur": dur, "pid": 1, "tid": tid, "args": {"detail": more.pop("detail")} if "detail" in more else {}, **more}

    return json.dumps({"traceEvents": [
        x("send", 0, 9, 1, detail="a", bind_id="1", flow_out=True), x("send", 0, 8, 1, detail="b"), x("get", 20, 9, 2, detail="c", bind_id="1", flow_in=True),
        x("one", 30, 2, 1, detail="two three"), x("one two", 33, 2, 1, detail="three"), x("\u00e9\n", 36, 2, 1, detail="\u00e8"),
        {"ph": "B", "name": "open", "ts": 40, "pid": 1, "tid": 1, "args": {"fd": 3}},
        {"ph": "B", "name": "read", "ts": 41, "pid": 1, "tid": 1}, {"ph": "E", "ts": 44, "pid": 1, "tid": 1, "args": {"got": 5}},
        {"ph": "E", "name": "shut", "ts": 45, "pid": 1, "tid": 1, "args": {"fd": 4}},
        {"ph": "I", "name": "CpuProfile", "ts": 50, "pid": 1, "tid": 1, "s": "t", "args": {"data": {"cpuProfile": {
            "nodes": [{"id": 1, "callFrame": {"functionName": "one"}}], "samples": [1, 1], "timeDeltas": [1, 1], "startTime": 1, "endTime": 4}}}}]})


def gpu_waits():
    """Flows of PyTorch to kernels, and to waits of a GPU, which are no calls: one in a kernel, one that begins with a kernel, one of another GPU."""
    def x(cat, name, ts, dur, pid, tid, **args):
        return {"ph": "X", "cat": cat, "name": name, "ts": ts, "dur": dur, "pid": pid, "tid": tid, "args": args}

    def flow(number, start, end, to=(0, 7)):
        return [{"ph": "s", "id": number, "ts": start, "pid": 10, "tid": 10, "cat": "ac2g", "name": "ac2g"},
                {"ph": "f", "id": number, "ts": end, "pid": to[0], "tid": to[1], "cat": "ac2g", "name": "ac2g", "bp": "e"}]

    calls = [x("cuda_runtime", name, ts, 6, 10, 10) for name, ts in (("cudaLaunchKernel", 100), ("cudaStreamSynchronize", 120), ("cudaDeviceSynchronize", 140),
                                                                  ("cudaStreamWaitEvent", 160), ("cudaLaunchKernel", 180), ("cudaEventSynchronize", 200))]
    gpu = [x("kernel", "gemm", 105, 30, 0, 7, device=0, stream=7), x("cuda_sync", "Stream Sync", 121, 14, 0, 7, stream=7), x("cuda_sync", "Context Sync", 141, 9, 0, -1, stream=-1),
           x("cuda_sync", "Stream Wait Event", 161, 2, 1, 7, stream=7), x("kernel", "relu", 190, 5, 0, 7, device=0, stream=7), x("cuda_sync", "Stream Sync", 190, 9, 0, 7, stream=7)]
    return json.dumps({"traceEvents": calls + gpu + flow(1, 101, 105) + flow(2, 121, 121) + flow(3, 141, 141, (0, -1)) + flow(4, 161, 161) + flow(5, 181, 190) + flow(6, 201, 202)})


def numbered():
    """Frames with numbers in their names, each with the same part inside, and one call that is longer than each of them."""
    events = [{"ph": "X", "name": "rest", "ts": 0, "dur": 900, "pid": 1, "tid": 1}]
    for i in range(40):
        events += [{"ph": "X", "name": "doFrame %d" % (700 + i), "ts": 1000 + 100 * i, "dur": 90, "pid": 1, "tid": 1},
                   {"ph": "X", "name": "decode2 of %d" % i, "ts": 1001 + 100 * i, "dur": 80, "pid": 1, "tid": 1}]
    return json.dumps({"traceEvents": events})


def many_details():
    """More names with what args say than are kept."""
    return "[" + ",".join('{"ph":"X","name":"n%d","ts":%d,"dur":1,"pid":1,"tid":1,"args":{"i":%d}}' % (i % 2, i, i // 2 % 50020)
                          for i in range(100100)) + "]"


def both():
    """Stacks with weights, some of them no numbers, and frames that open and close, in one file; times below 0."""
    return json.dumps({"$schema": SCHEMA, "shared": {"frames": FRAMES}, "profiles": [
        {"type": "sampled", "name": "s", "unit": "milliseconds", "startValue": -5, "endValue": 5,
         "samples": [[0], [0, 1], [[], 1, {"x": 1}, 2], [1], [2]], "weights": [1, None, -2, [], 3.5]},
        {"type": "evented", "name": "e", "unit": "milliseconds", "startValue": -10, "endValue": 5, "events": [
            {"type": "O", "frame": 0, "at": -10}, {"type": "O", "frame": 1, "at": -5.5}, {"type": "C", "frame": 1, "at": -1},
            {"type": "O", "frame": "1", "at": None}, {"type": "C", "frame": 0, "at": 5}]},
        {"type": "sampled", "name": "n", "unit": "none", "samples": [[0], [1]], "weights": [1.5]}]})


def places():
    """Functions with the same name in two files and at two lines, functions without a name, a path with escapes."""
    frames = [(0, "", "", []), ("main", "file:///x/a.js", 1, [3]), ("", "file:///x/a.js", 11, [4]), ("", "file:///x/a.js", 20, [5]),
              ("run", "C:\\y\\b.js", 1, [6]), ("run", "file:///x/a.js", 5, [7]), ("run", "file:///x/a.js", 9, [8]), ("", "", -1, [])]
    return json.dumps({"nodes": [
        {"id": i + 1, "callFrame": {"functionName": name or "", "url": url, "lineNumber": line}, "children": down or ([2] if i == 0 else [])}
        for i, (name, url, line, down) in enumerate(frames)], "startTime": 0, "endTime": 800,
        "samples": [2, 3, 4, 5, 6, 7, 8], "timeDeltas": [0] + [100] * 6})


def speedplaces():
    """The same for speedscope."""
    return json.dumps({"$schema": SCHEMA, "shared": {"frames": [
        {"name": "run", "file": "/x/a.py", "line": 3}, {"name": "run", "file": "/x/b.py", "line": 3},
        {"name": "run", "file": "/x/a.py", "line": 9}, {"name": "(anonymous)", "file": "c.js", "line": 7},
        {"name": "(anonymous)", "file": "c.js", "line": 8}, {"name": "(anonymous)"}]}, "profiles": [
        {"type": "sampled", "name": "m", "unit": "none", "samples": [[i] for i in range(6)], "weights": [1] * 6}]})


def steps():
    """Trace events of a sampler, every 5 ms except for some: at each time calls end, then others begin."""
    found, at = [], 0
    for i in range(40):
        found += [{"ph": "B", "name": name, "ts": at, "pid": 1, "tid": 1} for name in ("f%d" % (i % 3), "g")]
        at += 5000 if i % 4 else 15000
        found += [{"ph": "E", "ts": at, "pid": 1, "tid": 1}] * 2
    return json.dumps(found)


def prose():
    """Names with blanks, of a thread with a semicolon and of frames that are not functions, next to those of C++."""
    names = ("handler (conn)", "GET /users/list?x=a/b", "a.b.C.run", "operator new(unsigned long)", "void f<int>(A const&)", "read all")
    return json.dumps({"$schema": SCHEMA, "shared": {"frames": [{"name": name} for name in names]}, "profiles": [
        {"type": "sampled", "name": "Thread 25136 \"sleepy; one\"", "unit": "seconds", "samples": [list(range(len(names)))], "weights": [1]}]})


def escapes():
    """Paths of Windows that a program wrote without escapes: in names, in the name of a thread, in args; and one that it wrote right."""
    paths = (r"torch\cuda\__init__.py(219): _lazy_init", r"C:\users\x\new.py(3): run", r"\\server\share\job.py(7): main", r"say \"hi\" in D:\job", r"C:\\users\\x\\new.py(9): end")
    calls = ['{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%d,"dur":%d,"args":{"file":"%s"}}' % (p, 10 + i, 20 - 2 * i, p) for i, p in enumerate(paths)]
    return '[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"%s"}},\n%s]' % (r"D:\work\x.exe", ",\n".join(calls))


def states():
    """Samples of V8 whose tops are states of threads, as dotnet-trace names them; one is a stack of its own."""
    names = ("(root)", "Main", "CPU_TIME", "Wait", "UNMANAGED_CODE_TIME", "BLOCKED_TIME", "BLOCKED_TIME")
    nodes = [{"id": i + 1, "callFrame": {"functionName": name}, "hitCount": 0, "children": kids} for i, (name, kids) in
             enumerate(zip(names, ([2], [3, 4, 6], [], [5], [], [7], [])))]
    return json.dumps({"nodes": nodes, "startTime": 0, "endTime": 70, "samples": [2, 3, 3, 5, 5, 6, 7], "timeDeltas": [0] + [10] * 6})


def zero():
    """A thread 0, times since 1970, what is said of a process."""
    return json.dumps([
        {"name": "process_name", "ph": "M", "pid": 3, "args": {"name": "p"}},
        {"name": "f", "ph": "X", "ts": 1700000000000000, "dur": 5, "pid": 0, "tid": 0},
        {"name": "g", "ph": "B", "ts": 1700000000000007, "pid": 0, "tid": 0},
        {"name": "h", "ph": "X", "ts": 1700000000000008.5, "dur": 0.25, "pid": 0, "tid": 0}])


def clock():
    """CPU times: of all, of some, of none, a begin without one, one that steps back."""
    return json.dumps([
        {"name": "outer", "ph": "X", "ts": 0, "dur": 100, "pid": 1, "tid": 7},
        {"name": "known", "ph": "X", "ts": 10, "dur": 20, "tts": 500, "tdur": 15, "pid": 1, "tid": 7},
        {"name": "length", "ph": "X", "ts": 40, "dur": 20, "tdur": 7, "pid": 1, "tid": 7},
        {"name": "back", "ph": "X", "ts": 70, "dur": 20, "tts": 510, "tdur": 3, "pid": 1, "tid": 7},
        {"name": "both", "ph": "B", "ts": 200, "tts": 900, "pid": 1, "tid": 7}, {"ph": "E", "ts": 290, "tts": 940, "pid": 1, "tid": 7},
        {"name": "one", "ph": "B", "ts": 300, "pid": 1, "tid": 7}, {"ph": "E", "ts": 310, "tts": 950, "pid": 1, "tid": 7},
        {"name": "none", "ph": "X", "ts": 5, "dur": 5, "pid": 1, "tid": 8}])


def hits():
    """Counts instead of samples."""
    return json.dumps({"nodes": [
        {"id": 1, "callFrame": {"functionName": "(root)"}, "hitCount": 0, "children": [2]},
        {"id": 2, "callFrame": {"functionName": "foo"}, "hitCount": 5, "children": [3]},
        {"id": 3, "callFrame": {"functionName": "bar"}, "hitCount": 2}], "startTime": 1, "endTime": 2})


def randomly(seed):
    r = random.Random(seed)
    out = []
    for tid in range(1, r.randrange(2, 5)):
        out.append({"name": "thread_name", "ph": "M", "pid": 1, "tid": tid, "args": {"name": "T%d" % tid}})
        spread(r, out, tid, 0, 1000000, 0)
    r.shuffle(out)
    return json.dumps({"traceEvents": out})


def spread(r, out, tid, start, end, depth):
    """Calls within a stretch of time, in a row."""
    at = start
    while at < end and len(out) < 400:
        at += r.randrange(0, max(1, (end - start) // 3) + 1)
        last = min(end, at + r.randrange(0, max(1, (end - start) // 2) + 1))
        if at >= last:
            break
        out.append({"name": "f%d" % r.randrange(9), "ph": "X", "ts": at / 1000, "dur": (last - at) / 1000, "pid": 1, "tid": tid})
        if depth < 5 and r.random() < 0.7:
            spread(r, out, tid, at, last, depth + 1)
        at = last


def waits():
    """Wall-clock time as a time: a thread waits, one works a little, one all the time."""
    threads = (("main", [0]), ("worker 1", [1, 1, 1, 2]), ("worker 2", [3]))
    return json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": n} for n in ("futex_wait", "epoll_wait", "price", "merge")]},
                       "profiles": [{"type": "sampled", "name": name, "unit": "milliseconds", "startValue": 0, "endValue": 80,
                                     "samples": [[stacks[i % len(stacks)]] for i in range(8)], "weights": [10] * 8} for name, stacks in threads]})


def types():
    """A profile of samples between two of types that speedscope does not know; one has samples, too."""
    profile = lambda kind, name, samples: {"type": kind, "name": name, "unit": "none", "startValue": 0, "endValue": 3, "samples": samples, "weights": [1] * len(samples)}
    return json.dumps({"$schema": SCHEMA, "shared": {"frames": [{"name": "f"}, {"name": "g"}]}, "profiles": [
        profile("tree", "a", []), profile("sampled", "b", [[0, 1], [0]]), profile("sam\u00e9pled" + "x" * 80, "c", [[1], [1]])]})


def main(a):
    text = randomly(int(a[1][5:])) if a[1].startswith("seed=") else globals()[a[1]]()
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main(sys.argv)
