#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""gecko.py demo | seed=N | edge=NAME | big=SAMPLES - profiles in the format of Firefox (JSON) to standard output, of all its versions."""
import json
import random
import sys

LIBS = ["libxul.so", "libc.so.6", "firefox \u00e9", "app\"x\\y"]
CATEGORIES = [("Other", ["Other"]), ("JavaScript", ["Other", "Parsing", "JIT"]), ("Layout", ["Other", "Reflow"]), ("Idle", [])]
NAMES = ["main", "run;loop", "nsThread::Process", "f<int>(a, b)", "0x1a2b", "(root)", "Array.map", "\u3042 js", "g\nh", "parse"]
FILES = [None, "resource://a/b.js", "src/x.cpp"]
LABELS = [{}, {"tableLabel": "{marker.data.uri} ({marker.data.count}) of {marker.name}", "chartLabel": ""}, {"chartLabel": "{marker.data.eventType}\u2026"},
          {"tooltipLabel": "{marker.name}"}, {"tableLabel": "{marker.data.nothing}{marker.data.deep}"}, {"tableLabel": "{odd} {marker.data.latency"},
          {"chartLabel": "x" * 500, "tableLabel": "y"}, {"tableLabel": "z" * 199 + "{marker.data.flag}{marker.data.flag}"}]
MARKERS = ["Reflow", "GCMinor", "DOMEvent", "Load 1: http://x/", "Text"]


class Strings:
    def __init__(self):
        self.list, self.at = [], {}

    def __call__(self, s):
        if s is None:
            return None
        if s not in self.at:
            self.at[s] = len(self.list)
            self.list.append(s)
        return self.at[s]


def columns(names, rows, r, odd=True):
    """A processed table."""
    t = {"length": len(rows)}
    for i, name in enumerate(names):
        values = [row[i] for row in rows]
        if odd and values and r.random() < 0.05:
            while values and values[-1] is None:
                values.pop()                  # shorter: null
        t[name] = values
    items = list(t.items())
    r.shuffle(items)
    return dict(items)


def schema(names, rows, r):
    """A raw one, whose rows may be shorter."""
    out = []
    for row in rows:
        row = list(row)
        while row and row[-1] is None and r.random() < 0.7:
            row.pop()
        out.append(row)
    return {"schema": {n: i for i, n in enumerate(names)} if r.random() < 0.8 else list(names), "data": out}


class Tables:
    """Functions, frames and stacks that one thread has, or all share."""

    def __init__(self, r, raw, version):
        self.r, self.raw, self.version, self.s = r, raw, version, Strings()
        self.funcs = [(r.choice(NAMES), r.choice(FILES), r.choice([-1, 0, 1, 2])) for _ in range(r.randrange(3, 12))]
        self.frames = []
        for _ in range(r.randrange(3, 16)):
            cat = r.choice([None, None, 0, 1, 2])
            self.frames.append((r.randrange(len(self.funcs)), cat, None if cat is None else r.randrange(len(CATEGORIES[cat][1])), r.randrange(3) == 0))
        self.stacks = []
        for i in range(r.randrange(1, 40)):
            self.stacks.append((r.randrange(len(self.frames)), r.randrange(i) if i and r.random() < 0.9 else None))

    def put(self, to):
        s, r, v = self.s, self.r, self.version
        if self.raw:
            to["frameTable"] = schema(["location", "relevantForJS", "line", "category", "subcategory"],
                                      [(s(self.funcs[f][0] + (" (%s:%d)" % (self.funcs[f][1], f) if self.funcs[f][1] else "")), False, f, c, sub)
                                       for f, c, sub, _ in self.frames], r)
            to["stackTable"] = schema(["prefix", "frame"], [(p, f) for f, p in self.stacks], r)
            return
        own = v >= 58 and r.random() < 0.9
        names = ["name", "source" if own else "fileName", "resource", "isJS", "lineNumber"]
        sources = []
        rows = []
        for name, file, resource in self.funcs:
            where = s(file)
            if own and file is not None:
                if where not in sources:
                    sources.append(where)
                where = sources.index(where)
            rows.append((s(name), where, resource if v < 70 else -1, False, None if r.random() < 0.3 else len(rows) + 10))
        to["funcTable"] = columns(names, rows, r)
        if own:
            self.sources = columns(["filename", "id"], [(x, None) for x in sources], r)
        to["resourceTable"] = columns(["lib", "name", "type"], [(0, s("libxul"), 1), (1, s("libc"), 1), (None, s("http://host"), 2)], r, False)
        libs = [r.choice([-1, 0, 1, 2, 3]) if v >= 70 else None for _ in self.frames]
        names = ["address", "func", "category", "subcategory", "inlineDepth", "line"] + (["lib"] if v >= 70 else [])
        to["frameTable"] = columns(names, [(-1, f, c, sub, int(i), f + 1) + ((lib,) if v >= 70 else ()) for (f, c, sub, i), lib in zip(self.frames, libs)], r)
        if v >= 66:
            to["stackTable"] = columns(["frame", "prefixOffset"], [(f, 0 if p is None else i - p) for i, (f, p) in enumerate(self.stacks)], r)
        else:
            to["stackTable"] = columns(["frame", "prefix"], [(f, -1 if p is None and r.random() < 0.2 else p) for f, p in self.stacks], r)


def time_of(r, t):
    return round(t, r.choice([0, 3, 6, 12])) if r.random() < 0.9 else float("%.3g" % t)


def marker_rows(r, s, version, raw, n):
    """name, category, data, startTime, endTime, phase, time"""
    old = version < (18 if raw else 28)
    rows, clock = [], r.random() * 5
    for i in range(n):
        clock += r.random() * 3
        name, phase = r.choice(MARKERS), r.choice([0, 0, 1, 1, 1, 2, 3])
        data = r.choice([None, {"type": "Text", "name": "hello %d" % (i % 3)}, {"type": "DOMEvent", "eventType": "click", "latency": 2.5, "deep": {"a": [1]}, "flag": True},
                         {"type": "CSS", "uri": s("about:blank"), "count": 12}])
        start, end = time_of(r, clock), time_of(r, clock + r.random() * 8)
        if name.startswith("Load"):
            data = {"type": "Network", "id": i // 2, "status": r.choice(["STATUS_START", "STATUS_STOP"]), "URI": "http://x/"}
            phase = 1
        if not old:
            rows.append((s(name), r.choice([None, 0, 1, 2]), data, start if phase != 3 else None, end if phase in (1, 3) else None, phase, None))
            continue
        data = dict(data or {})
        if phase == 1:
            data.update(startTime=start, endTime=end)
        elif phase in (2, 3):
            data.update(type="tracing", category="Paint", interval="start" if phase == 2 else "end")
        rows.append((s(name), None, data or None, None, None, None, start))
    return old, rows


def samples(r, t, version, raw, cpu, kind):
    n, clock, was = r.randrange(0, 60), r.random() * 10, 0.0
    deltas = not raw and version >= 30 and r.random() < 0.5
    rows = []
    for _ in range(n):
        clock += r.random() * 4
        at = max(was + 0.001, time_of(r, clock))
        weight = {None: None, "samples": r.choice([1, 2, 2.5, 40]), "tracing-ms": r.choice([0.5, 1.25, 3]), "bytes": r.choice([8, 4096])}[kind]
        used = r.choice([None, 0, 0, r.randrange(5000)]) if cpu else None
        rows.append((r.choice([None, -1]) if r.random() < 0.1 and not raw else r.randrange(len(t.stacks)), at - was if deltas else at, weight, used))
        was = at
    names = ["stack", "timeDeltas" if deltas else "time", "weight", "threadCPUDelta"]
    if raw:
        return schema(["stack", "time", "eventDelay", "threadCPUDelta"], [(a, b, 0.5, d) for a, b, _, d in rows], r)
    out = columns(names, rows, r)
    if kind is None and r.random() < 0.5:
        out["weight"] = None
    out["weightType"] = kind or "samples"
    return out


def allocations(r, t, raw, native):
    rows, clock = [], r.random() * 9
    for _ in range(r.randrange(1, 9)):
        clock += r.random()
        rows.append((time_of(r, clock), r.choice([16, 4096, -64 if native else 32]), r.choice([None, r.randrange(len(t.stacks))])))
    names = ["time", "weight", "stack"]
    return schema(names, rows, r) if raw else columns(names, rows, r)


def counter(r, raw, pid):
    rows, clock = [], r.random() * 3
    for _ in range(r.randrange(1, 12)):
        clock += r.random() * 2
        rows.append((time_of(r, clock), r.choice([0, 7, -3, 100, 1.5]), r.randrange(4)))
    t = schema(["time", "count", "number"], rows, r) if raw else columns(["time", "count", "number"], rows, r)
    c = {"name": r.choice(["malloc", "processCPU"]), "category": r.choice(["Memory", "CPU", "power", "Bandwidth"]), "description": "x"}
    if not raw or r.random() < 0.5:
        c["pid"] = pid
    r.choice([lambda: c.update(samples=t), lambda: c.update(sampleGroups={"id": 0, "samples": t}), lambda: c.update(sample_groups=[{"id": 0, "samples": t}])])()
    return c


def process(r, raw, version, number, cpu, kind, start):
    shared = Tables(r, raw, version) if not raw and version >= 60 else None
    one = Strings() if not raw and 56 <= version < 60 else shared.s if shared else None
    threads = []
    for i in range(r.randrange(1, 4)):
        t = shared or Tables(r, raw, version)
        if one is not None:
            t.s = one
        th = {"name": r.choice(["GeckoMain", "Compositor", "names", ""]), "processType": r.choice(["default", "tab"]),
              "tid": r.choice([100 * number + i, "%d" % (700 + i), "23163.%d" % i])}
        if r.random() < 0.8:
            th["pid"] = r.choice([number, str(number), "Unknown Process %d" % number])
        if r.random() < 0.5:
            th["processName"] = "web %d" % number
        if shared is None:
            t.put(th)
            if version >= 58 and not raw and hasattr(t, "sources"):
                th["sources"] = t.sources
        th["samples"] = samples(r, t, version, raw, cpu, kind)
        old, rows = marker_rows(r, t.s, version, raw, r.randrange(0, 14))
        names = ["name", "category", "data", "startTime", "endTime", "phase", "time"]
        if old:
            names, rows = ["name", "data", "time"], [(a, c, g) for a, b, c, d, e, f, g in rows]
        th["markers"] = schema(names, rows, r) if raw else columns(names, rows, r)
        if r.random() < 0.3:
            th["jsAllocations"] = allocations(r, t, raw, False)
        if r.random() < 0.3:
            th["nativeAllocations"] = allocations(r, t, raw, True)
        if one is None:
            th["stringTable" if raw or version < 20 else "stringArray"] = t.s.list
        items = list(th.items())
        r.shuffle(items)
        threads.append(dict(items))
    meta = {"interval": 1, "startTime": start, "product": "Firefox", "version": version if raw else 30, "processType": 0,
            "categories": [{"name": n, "color": "grey", "subcategories": s} for n, s in CATEGORIES],
            "markerSchema": [{"name": "CSS", "fields": [{"key": "uri", "format": "unique-string"}], **r.choice(LABELS)},
                             {"name": "DOMEvent", **r.choice(LABELS)}]}
    if not raw:
        meta["preprocessedProfileVersion"] = version
    if cpu:
        meta["sampleUnits"] = {"time": "ms", "eventDelay": "ms", "threadCPUDelta": cpu}
    doc = {"meta": meta, "libs": [{"name": n, "path": "/x/" + n} for n in LIBS], "threads": threads}
    if one is not None:
        doc["shared"] = {"stringArray": one.list}
        if shared is not None:
            shared.put(doc["shared"])
            if hasattr(shared, "sources"):
                doc["shared"]["sources"] = shared.sources
    if r.random() < 0.6:
        doc["counters"] = [counter(r, raw, number) for _ in range(r.randrange(1, 3))]
    items = list(doc.items())
    r.shuffle(items)
    return dict(items)


def made(seed):
    r = random.Random(seed)
    raw = r.random() < 0.4
    version = r.choice([3, 13, 17, 18, 25, 30]) if raw else r.choice([0, 5, 24, 27, 28, 40, 55, 56, 58, 60, 65, 66, 68, 70])
    cpu = r.choice([None, "ns", "\u00b5s", "variable CPU cycles"])
    kind = None if raw else r.choice([None, None, "samples", "tracing-ms", "bytes"])
    start = 1460221352723.438
    doc = process(r, raw, version, 1, cpu, kind, start)
    if raw and r.random() < 0.6:
        doc["processes"] = [process(r, raw, version, 2 + i, cpu, kind, start + r.choice([0, 1000, -3.5])) for i in range(r.randrange(1, 3))]
        if r.random() < 0.4:
            doc["processes"][0]["processes"] = [process(r, raw, version, 9, cpu, kind, start + 1)]
    if raw and version == 3:
        doc["threads"].insert(r.randrange(2), json.dumps(process(r, raw, version, 7, cpu, kind, start + 20)))
    return doc


def small(**more):
    """Two samples of a(b), with what is given instead; None: without it."""
    thread = {"name": "T", "pid": 1, "tid": 1, "stringArray": ["a", "b"], "funcTable": {"length": 2, "name": [0, 1]},
              "frameTable": {"length": 2, "func": [0, 1]}, "stackTable": {"length": 2, "frame": [0, 1], "prefix": [None, 0]},
              "samples": {"length": 2, "stack": [1, 0], "time": [1, 2]}, "markers": {"length": 0, "name": [], "data": []}}
    doc = {"meta": {"interval": 1, "preprocessedProfileVersion": 30, "startTime": 0}, "threads": [thread]}
    for k, v in more.items():
        if k in ("meta", "shared", "counters", "processes"):
            doc[k] = dict(doc["meta"], **v) if k == "meta" else v
        elif v is None:
            del thread[k]
        else:
            thread[k] = v
    return doc


NONE = {"length": 0}
EDGES = {
    "circle": small(stackTable={"length": 3, "frame": [0, 1, 0], "prefix": [1, 0, 2]}, samples={"length": 3, "stack": [0, 1, 2], "time": [1, 2, 3]}),
    "outside": small(stackTable={"length": 2, "frame": [0, 99], "prefix": [None, 77]}, samples={"length": 3, "stack": [1, 0, 55], "time": [1, 2, 3]}),
    "uneven": small(samples={"length": 1000000000000, "stack": [1, 0, 1], "time": [1]}),
    "no_length": small(samples={"stack": [1, 0, 1], "time": [1, 2, 3]}),
    "times": small(samples={"length": 4, "stack": [1, 1, 1, 1], "time": [1e300, -1e300, 5, None]}),
    "negative_weights": small(samples={"length": 2, "stack": [1, 0], "time": [1, 2], "weight": [-3, 2], "weightType": "samples"}),
    "negative_cpu": small(meta={"sampleUnits": {"threadCPUDelta": "ns"}, "categories": [{"name": "A", "subcategories": []}]},
                          frameTable={"length": 2, "func": [0, 1], "category": [0, None]},
                          samples={"length": 4, "stack": [1, 0, 1, 1], "time": [1, 2, 3, 4], "threadCPUDelta": [5, -3, 1e3, 7]}),
    "columns_no_arrays": small(samples={"length": 2, "stack": 5, "time": {"a": 1}}),
    "only_markers": small(samples=dict(NONE, stack=[], time=[]), markers={"length": 2, "name": [0, 1], "startTime": [1, 3], "endTime": [2, None], "phase": [1, 0], "data": [None, None]}),
    "newer": small(meta={"preprocessedProfileVersion": 99}),
    "meta_last": dict(reversed(list(small().items()))),
    "markers_open": small(markers={"length": 4, "name": [0, 0, 1, 1], "startTime": [1.5, 1.75, None, 9], "endTime": [None, None, 3, None], "phase": [2, 2, 3, 7], "data": [None] * 4}),
}
deep = None
for level in range(12, 0, -1):
    deep = dict(small(name="level %d" % level), processes=[deep] if deep else [])
EDGES["deep_processes"] = deep
EDGES["requests"] = small(markers={"length": 6, "name": [0, 0, 1, 1, 0, 0], "startTime": [1, 2, 9, 1, 5, 6], "endTime": [None, None, None, 4, None, 8], "phase": [1] * 6,
    "data": [{"type": "Network", "id": n, "status": "STATUS_START", "URI": "u%d" % i} for i, n in enumerate((1, 1, 2, 2, 3, 3))]})
MANY = 400
EDGES["markers_many"] = small(stringArray=["n%d" % i for i in range(MANY)], markers={"length": 2 * MANY, "name": [*range(MANY), *range(MANY)],
    "startTime": [*range(MANY), *[None] * MANY], "endTime": [*[None] * MANY, *range(MANY, 2 * MANY)], "phase": [2] * MANY + [3] * MANY, "data": [None] * (2 * MANY)})
# Refused, with what is said of it.
BAD = {
    "no_stacks": (small(stackTable=None), "stackTable"),
    "no_frames": (small(frameTable=None), "frameTable"),
    "no_samples": (small(samples=None), "samples"),
    "no_strings": (small(stringArray=None), "stringTable"),
    "no_threads": ({"meta": {"interval": 1, "preprocessedProfileVersion": 30}, "threads": []}, "no threads"),
}


def demo():
    """A browser that loads a page, in two processes."""
    def table(names, *rows):
        return {"schema": {n: i for i, n in enumerate(names)}, "data": list(rows)}

    def thread(name, tid, stacks, cpu, markers, process):
        strings = ["(root)", "main", "Reflow", "frobnicate (https://example.org/a.js:34)", "Paint", "GCMinor", "DOMEvent", "Load 7: https://example.org/"]
        return {"name": name, "tid": tid, "pid": 4000 + (process == "tab"), "processType": process, "registerTime": 0,
                "samples": table(["stack", "time", "eventDelay", "threadCPUDelta"], *[[s, 10 + 2 * i, 0, c] for i, (s, c) in enumerate(zip(stacks, cpu))]),
                "markers": table(["name", "startTime", "endTime", "phase", "category", "data"], *markers),
                "stackTable": table(["prefix", "frame"], [None, 0], [0, 1], [1, 2], [2, 3], [1, 3]),
                "frameTable": table(["location", "relevantForJS", "line", "category", "subcategory"], [0, False], [1, False], [2, False, None, 2, 1], [3, True, 34, 1, 2]),
                "stringTable": strings}

    def meta(start):
        return {"version": 30, "interval": 2, "startTime": start, "product": "Firefox", "processType": 0, "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "\u00b5s"},
                "categories": [{"name": n, "color": "grey", "subcategories": s} for n, s in CATEGORIES],
                "markerSchema": [{"name": "DOMEvent", "fields": [{"key": "target", "format": "unique-string"}]}]}
    parent = [thread("GeckoMain", 4000, [1, 2, 2, 3, 4], [0, 1500, 2000, 900, None],
                     [[4, 11, 15, 1, 2], [5, 12.5, None, 0, 1], [6, 13, 14.25, 1, 0, {"type": "DOMEvent", "eventType": "click", "target": 4}],
                      [7, 10, None, 2, 0, {"type": "Network", "id": 7, "status": "STATUS_START", "URI": "https://example.org/"}], [7, None, 17, 3, 0]], "default"),
              thread("Compositor", 4007, [0, 1, 1], [0, 10, 20], [], "default")]
    content = [thread("GeckoMain", 4001, [4, 4, 3], [0, 1900, 2000], [[4, 12, 13, 1, 2], [4, 12.5, 15, 1, 2]], "tab")]
    counter = {"name": "malloc", "category": "Memory", "description": "heap", "samples": table(["time", "count", "number"], [10, 4096, 1], [12, 512, 3], [14, -1024, 1])}
    return {"meta": meta(1700000000000), "libs": [], "threads": parent, "counters": [counter],
            "processes": [{"meta": meta(1700000000500), "libs": [], "threads": content}]}


def sources():
    """Three processes with sources of their own, so the same function has another number in each; and columns that are empty."""
    def table(names, *rows):
        return {"schema": {n: i for i, n in enumerate(names)}, "data": list(rows)}

    def process(pid, files, names, samples, **more):
        frames = [[i, False, 0, None, None, None, 0, 0] for i in range(len(names))]
        thread = {"name": "GeckoMain", "tid": pid, "pid": pid, "samples": table(["stack", "time", "eventDelay"], *[[s, i, None] for i, s in enumerate(samples)]),
                  "markers": table(["name", "startTime", "endTime", "phase", "category", "data"]), "stringTable": names,
                  "stackTable": table(["prefix", "frame"], *[[i - 1 if i else None, i] for i in range(len(names))]),
                  "frameTable": table(["location", "relevantForJS", "innerWindowID", "implementation", "line", "column", "category", "subcategory"], *frames)}
        return dict({"meta": {"version": 34, "interval": 1, "startTime": 1700000000000, "product": "Firefox", "categories": []}, "libs": [], "pages": [],
                     "sources": table(["id", "filename", "startLine", "startColumn", "sourceMapURL"], *files), "pausedRanges": [], "threads": [thread]}, **more)
    app, more = ["u%d" % 1, "https://x.test/app.js", 1, 1, None], ["u2", "resource://gre/a (b).mjs", 1, 1, None]
    calls = ["(root)", "tick (https://x.test/app.js:4:14)[%d]", "hot (https://x.test/app.js:2:14)[%d]"]
    return process(10, [], ["(root)", "arr[3]", "operator() (x.cpp)[1]"], [0, 1, 2], processes=[
        process(20, [more, app], [c % 1 if "%" in c else c for c in calls] + ["https://x.test/app.js:9:1[1]"], [2, 2, 2, 1, 3]),
        process(21, [more, more, more, app], [c % 3 if "%" in c else c for c in calls] + ["f (resource://gre/a (b).mjs:7)[0]", "gone (https://x.test/b.js:3:5)[99]"], [2, 2, 3, 4])])


EDGES["sources"] = sources()


def nested():
    """Objects in objects, far deeper than anything that is read."""
    return json.dumps(small()).replace('"interval": 1', '"interval": 1, "deep": ' + "[" * 100000 + "]" * 100000)


def double_keys():
    return json.dumps(small()).replace('"threads": [', '"threads": 5, "threads": [', 1)


def big(n, out):
    """So many samples in 8 threads, as samply writes them: shared by none."""
    r = random.Random(1)
    out.write('{"meta":{"interval":1,"startTime":1700000000000,"preprocessedProfileVersion":55,"product":"made","categories":[{"name":"User","color":"y",'
              '"subcategories":["Other"]},{"name":"Kernel","color":"o","subcategories":["Other"]}],"sampleUnits":{"time":"ms","eventDelay":"ms",'
              '"threadCPUDelta":"\u00b5s"}},"libs":[{"name":"app"}],"threads":[')
    for t in range(8):
        funcs, frames, depth = 5000, 20000, 200000
        out.write("%s{\"name\":\"worker %d\",\"pid\":1,\"tid\":%d,\"processName\":\"app\"," % ("," if t else "", t, t + 10))
        put = lambda name, cols: out.write('"%s":{"length":%d,%s},' % (name, len(cols[0][1]), ",".join('"%s":%s' % (k, json.dumps(v, separators=(",", ":"))) for k, v in cols)))
        put("frameTable", [("address", [r.randrange(1 << 24) for _ in range(frames)]), ("func", [r.randrange(funcs) for _ in range(frames)]),
                           ("category", [r.choice([0, 0, 1]) for _ in range(frames)]), ("subcategory", [0] * frames), ("line", [None] * frames),
                           ("inlineDepth", [0] * frames)])
        put("funcTable", [("name", list(range(funcs))), ("resource", [0] * funcs), ("fileName", [None] * funcs), ("isJS", [False] * funcs)])
        put("resourceTable", [("lib", [0]), ("name", [0]), ("type", [1])])
        put("stackTable", [("prefix", [None if i < 4 else i - 1 - r.randrange(min(i, 5000)) for i in range(depth)]), ("frame", [r.randrange(frames) for _ in range(depth)])])
        out.write('"stringArray":%s,' % json.dumps(["function_%d(std::string const&)" % i for i in range(funcs)]))
        m = n // 8
        clock, times = 0.0, []
        for _ in range(m):
            clock += 1 + r.random() / 50
            times.append(round(clock, 6))
        put("samples", [("stack", [r.randrange(depth) for _ in range(m)]), ("time", times), ("weight", [1] * m), ("threadCPUDelta", [r.randrange(1100) for _ in range(m)])])
        out.write('"markers":{"length":0,"name":[],"data":[]}}')
    out.write("]}")


def main(argv):
    what, _, value = argv[1].partition("=")
    if what == "seed":
        json.dump(made(int(value)), sys.stdout, ensure_ascii=int(value) % 2 == 0, separators=(",", ":"))
    elif what == "demo":
        json.dump(demo(), sys.stdout, separators=(",", ":"))
    elif what == "big":
        big(int(value), sys.stdout)
    elif value in EDGES:
        json.dump(EDGES[value], sys.stdout, indent=1 if value == "uneven" else None)
    elif value in BAD:
        json.dump(BAD[value][0], sys.stdout)
    else:
        sys.stdout.write({"nested": nested, "double_keys": double_keys}[value]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
