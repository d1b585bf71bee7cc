#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowgecko.py FILE - a profile of Firefox or samply (JSON), slowly: threads, stacks by event, markers, counters, categories."""
import gzip
import json
import re
import sys

CPU_UNITS = {"ns": 1, "us": 1000, "\u00b5s": 1000, "\u03bcs": 1000}
EVENTS = {"tracing-ms": ("tracing-ms", 10 ** 6), "bytes": ("bytes", 1)}
HIDDEN = ("type", "category", "startTime", "endTime", "interval", "stack", "cause", "time")
STRINGS = ("unique-string", "flow-id", "terminating-flow-id")
MOST = 2 ** 61 - 1


class Number(str):
    """Unchanged."""


def number(v):
    if not isinstance(v, str):
        return None
    try:
        x = float(v)
    except ValueError:
        return None
    return x if abs(x) < 1e308 else None


def index(v, n, bad=None):
    """A row of a table of n, or None."""
    if not isinstance(v, str) or v == "" or v[0] == "-":
        return None
    if v.isdigit() and int(v) < n:
        return int(v)
    if bad is not None:
        bad[0] += 1
    return None


def rows(t):
    """How many rows a table of either kind has, and the columns of one."""
    if not isinstance(t, dict):
        return 0, lambda c, i: None
    if t.get("schema") is not None and isinstance(t.get("data"), list):
        schema = t["schema"]
        if isinstance(schema, list):
            schema = {k: i for i, k in enumerate(schema)}
        schema = {k: int(v) for k, v in schema.items()}
        data = t["data"]
        return len(data), lambda c, i: data[i][schema[c]] if c in schema and isinstance(data[i], list) and schema[c] < len(data[i]) else None
    columns = {k: v for k, v in t.items() if isinstance(v, list)}
    n = max([len(v) for v in columns.values()] or [0])
    if isinstance(t.get("length"), Number):
        n = min(n, int(t["length"]))
    return n, lambda c, i: columns[c][i] if c in columns and i < len(columns[c]) else None


def words(v):
    return v if isinstance(v, str) and not isinstance(v, Number) else ""


def texts(v):
    return v if isinstance(v, str) else ""


class Process:
    def __init__(self, doc, start):
        self.doc = doc
        self.meta = doc.get("meta") if isinstance(doc.get("meta"), dict) else {}
        own = number(self.meta.get("startTime"))
        self.delta = 0.0 if own is None else own - start
        self.shared = doc.get("shared") if isinstance(doc.get("shared"), dict) else {}
        self.first_thread = None


class Profile:
    def __init__(self, data):
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        self.load = lambda s: json.loads(s, parse_float=Number, parse_int=Number, parse_constant=lambda s: None)
        doc = self.load(data)
        self.start = number((doc.get("meta") or {}).get("startTime")) or 0.0
        self.threads, self.folded, self.spans, self.instants, self.counters = [], {}, [], [], []
        self.categories, self.cpu, self.facts = {}, {}, dict.fromkeys(("no_stack", "stack", "index", "ends", "open", "negative", "dropped", "bad"), 0)
        self.names, self.unit, self.seen, self.cats, self.unique, self.labels, self.places = [], None, [], [], set(), {}, set()
        self.processes = 0
        self.walk(doc)
        times = [t for t in self.seen if t is not None]
        self.first = min(times) if times else 0

    # ---- processes

    def walk(self, doc, level=0):
        texts_of = self.process(doc)
        for s in texts_of:
            self.process(self.load(s))
        for inner in doc.get("processes") if isinstance(doc.get("processes"), list) and level < 8 else []:
            self.walk(inner, level + 1)

    def process(self, doc):
        p = Process(doc, self.start)
        units = p.meta.get("sampleUnits")
        if self.processes == 0:
            # Only a recorder, which names its units, knows the interval: samples are times.
            interval = round((number(p.meta.get("interval")) or 0) * 1e6) if units is not None and units.get("time") != "bytes" else 0
            self.period = interval if 0 < interval <= 3600 * 10 ** 9 else 1
        if units is not None or self.processes == 0:
            self.unit = (units or {}).get("threadCPUDelta")
        if "categories" in p.meta or self.processes == 0:
            self.cats = [(words(c.get("name")), [words(s) for s in c.get("subcategories") or []]) for c in p.meta.get("categories") or []]
            for s in p.meta.get("markerSchema") or []:
                for f in (s.get("fields") or []) + (s.get("data") or []):
                    if f.get("format") in STRINGS:
                        self.unique.add((s.get("name"), f.get("key")))
                label = next((s[k] for k in ("chartLabel", "tableLabel", "tooltipLabel") if words(s.get(k))), "")
                if 0 < len(label.encode()) <= 300:
                    self.labels[s.get("name")] = label
        self.processes += 1
        said = []
        last = None
        for t in doc.get("threads") or []:
            if isinstance(t, str):
                said.append(t)
            elif isinstance(t, dict):
                last = self.thread(p, t) or last
        for c in doc.get("counters") or []:
            self.counter(p, c, last)
        return said

    def ns(self, p, ms):
        return max(-MOST, min(MOST, round((ms + p.delta) * 1e6)))

    # ---- a thread

    def thread(self, p, t):
        pick = lambda k: t[k] if isinstance(t.get(k), dict) else p.shared.get(k)
        strings = next((x[k] for x in (t, p.shared) for k in ("stringArray", "stringTable") if k in x), None)
        if strings is None or any(not isinstance(pick(k), dict) for k in ("samples", "stackTable", "frameTable")):
            self.facts["dropped"] += 1
            return None
        th = Thread(self, p, t, strings, pick)
        self.threads.append(th)
        self.names.append(th.name)
        th.read()
        return th

    # ---- counters

    def counter(self, p, c, last):
        groups = c.get("sampleGroups") or c.get("sample_groups")
        groups = [] if groups is None else groups if isinstance(groups, list) else [groups]
        sums = c.get("category") not in ("power", "CPU")
        process = last.process if "pid" not in c and last is not None else texts(c.get("pid"))
        for table in [g.get("samples") for g in groups if isinstance(g, dict)] + [c.get("samples")]:
            for key in ("count", "number"):
                n, get = rows(table)
                clock, level, points = 0.0, 0.0, []
                for i in range(n):
                    d, at = number(get("timeDeltas", i)), number(get("time", i))
                    if d is None and at is None:
                        continue
                    clock = clock + d if d is not None else at
                    v = number(get(key, i))
                    if v is None:
                        continue
                    level = level + v if sums and key == "count" else v
                    points.append((self.ns(p, clock), level))
                if points:
                    self.seen += [t for t, _ in points]
                    self.counters.append((words(c.get("name")), key, process, points))


class Thread:
    def __init__(self, profile, p, t, strings, pick):
        self.of, self.p, self.t, self.pick = profile, p, t, pick
        self.number = len(profile.threads) + 1
        self.strings = [words(s) for s in strings] if isinstance(strings, list) else []
        self.raw_name = texts(t.get("name"))
        tid, pid = texts(t.get("tid")), texts(t.get("pid"))
        self.tid = int(tid) if tid.isdigit() and int(tid) < 2 ** 32 else 0
        self.pid = int(pid) if pid.isdigit() and int(pid) < 2 ** 32 else 0
        self.name = self.raw_name if self.raw_name or self.tid else tid
        self.process = pid
        self.process_name = texts(t.get("processName")) or texts(t.get("processType"))
        self.with_stack, self.first, self.last = 0, None, None
        self.bad = [0]
        self.tables()

    def text(self, v):
        i = index(v, len(self.strings), self.bad)
        return None if i is None else self.strings[i]

    def see(self, time):
        self.of.seen.append(time)
        self.first = time if self.first is None else min(self.first, time)
        self.last = time if self.last is None else max(self.last, time)

    def tables(self):
        libs = self.t.get("libs") if isinstance(self.t.get("libs"), list) else self.p.doc.get("libs") or []
        n, get = rows(self.pick("sources"))
        sources = [self.text(get("filename", i)) for i in range(n)]
        n, get = rows(self.pick("resourceTable"))
        self.resources = [(index(get("lib", i), len(libs), self.bad), self.text(get("name", i))) for i in range(n)]
        n, get = rows(self.pick("funcTable"))
        self.funcs = [(self.text(get("name", i)), self.text(get("fileName", i)), index(get("source", i), len(sources), self.bad),
                       index(get("resource", i), len(self.resources), self.bad), get("lineNumber", i)) for i in range(n)]
        self.of.places |= {(f[0] or "[unknown]", (sources[f[2]] if f[2] is not None else f[1]) or "", f[4] if (f[4] or "").isdigit() and f[4] != "0" else "")
                           for f in self.funcs}
        n, get = rows(self.pick("frameTable"))
        self.frames = []
        for i in range(n):
            name = self.text(get("location", i))
            js = re.fullmatch(r"((?:.* )?\(?(.+?):([0-9]+)(?::[0-9]+)?\)?)\[([0-9]+)\]", name or "", re.S)
            if js:                                # the number is a row of the sources of the process
                name, file, number = js[1], js[2], int(js[4])
                files = (self.p.doc.get("sources") or {}).get("data", [])
                file = (files[number][int(self.p.doc["sources"]["schema"]["filename"])] if number < len(files) else None) or file
                self.of.places.add((name, file, js[3]))
            f = index(get("func", i), n and len(self.funcs), self.bad)
            lib = index(get("lib", i), len(libs), self.bad)
            cat = index(get("category", i), len(self.of.cats), self.bad) if self.of.cats else None
            module = ""
            if f is not None:
                name = self.funcs[f][0] if name is None else name
                r = self.funcs[f][3]
                if lib is None and r is not None:
                    lib = self.resources[r][0]
                    module = self.resources[r][1] or ""
            if lib is not None:
                module = words(libs[lib].get("name")) if isinstance(libs[lib], dict) else ""
            sub = get("subcategory", i)
            inlined = texts(get("inlineDepth", i))
            name = (name or "[unknown]") + ("_[i]" if inlined.isdigit() and int(inlined) else "")
            self.frames.append((name or "[unknown]", module, cat, int(sub) if isinstance(sub, Number) and sub.isdigit() else 0))
        n, get = rows(self.pick("stackTable"))
        self.stacks = []
        for i in range(n):
            off, prefix = get("prefixOffset", i), get("prefix", i)
            if off is not None:
                ok = off.isdigit()
                to = i - int(off) if ok and 0 < int(off) <= i else None
                broken = not (ok and int(off) == 0) and off != "-1"
            else:
                ok = prefix is not None and prefix.isdigit()
                to = int(prefix) if ok and int(prefix) < i else None
                broken = prefix is not None and prefix != "-1"
            self.of.facts["stack"] += to is None and broken
            f = index(get("frame", i), len(self.frames), self.bad)
            cat = index(get("category", i), len(self.of.cats), self.bad) if self.of.cats else None
            sub = get("subcategory", i)
            kind = (cat, int(sub) if isinstance(sub, Number) and sub.isdigit() else 0) if cat is not None else None
            if kind is None and f is not None and self.frames[f][2] is not None:
                kind = self.frames[f][2:]
            if kind is None and to is not None:
                kind = self.stacks[to][2]
            self.stacks.append((f, to, kind))

    def stack(self, i):
        out = []
        while i is not None:
            f, to, _ = self.stacks[i]
            out.append("[unknown]" if f is None else self.frames[f][0])
            i = to
        return ";".join(x.replace(";", ":") for x in reversed(out))

    def add(self, event, stack, weight):
        table = self.of.folded.setdefault((self.number, event), {})
        table[stack] = table.get(stack, 0) + weight

    def when(self, get, i, clock):
        d, at = number(get("timeDeltas", i)), number(get("time", i))
        if get("timeDeltas", i) is None:
            return (clock, None) if at is None else (at, self.of.ns(self.p, at))
        return (clock, None) if d is None else (clock + d, self.of.ns(self.p, clock + d))

    def samples(self):
        table = self.t["samples"] if isinstance(self.t.get("samples"), dict) else self.p.shared["samples"]
        event, unit = EVENTS.get(table.get("weightType"), ("samples", 0))
        unit_cpu = CPU_UNITS.get(self.of.unit, 0)
        cycles = self.of.unit == "variable CPU cycles"
        n, get = rows(table)
        clock, total = 0.0, []
        for i in range(n):
            clock, time = self.when(get, i, clock)
            if time is None:
                self.of.facts["bad"] += 1
            else:
                self.see(time)
            used = number(get("threadCPUDelta", i))
            used = 0 if used is None else round(used * (1 if cycles else unit_cpu))
            if time is not None and unit_cpu and (total or texts(get("threadCPUDelta", i))):
                total.append((time, max(used, 0)))
            s = index(get("stack", i), len(self.stacks), self.bad)
            if s is None:
                self.of.facts["no_stack"] += 1
                continue
            w = get("weight", i)
            v = 1.0 if w is None or w == "" else number(w)
            if v is None:
                self.of.facts["bad"] += 1
                v = 0.0
            self.of.facts["negative"] += v < 0
            self.with_stack += 1
            self.add(event, self.stack(s), max(0, v * self.of.period if unit == 0 else round(v * unit)))
            if self.stacks[s][2] is not None:
                c, sub = self.stacks[s][2]
                name, subs = self.of.cats[c]
                key = (self.number, name, subs[sub] if 0 < sub < len(subs) else "")
                was = self.of.categories.get(key, (0, 0))
                self.of.categories[key] = was[0] + 1, was[1] + max(used, 0)
            if used > 0:
                self.add("cpu-cycles" if cycles else "cpu", self.stack(s), used)
        self.cpu = total

    def allocations(self, name, js):
        n, get = rows(self.t.get(name) if isinstance(self.t.get(name), dict) else None)
        clock = 0.0
        for i in range(n):
            s = index(get("stack", i), len(self.stacks), self.bad)
            w = get("weight", i)
            v = number(get("duration", i) if w is None or w == "" else w)
            if v is None:
                self.of.facts["bad"] += 1
                continue
            clock, time = self.when(get, i, clock)
            if time is None:
                self.of.facts["bad"] += 1
                continue
            self.see(time)
            event = "js-allocations" if js else "native-frees" if v < 0 else "native-allocations"
            self.add(event, "" if s is None else self.stack(s), max(0, round(-v if v < 0 and not js else v)))

    # ---- markers

    def value(self, data, k):
        """The word of a field, or None if it is not one."""
        v = data.get(k)
        if v is None or isinstance(v, (dict, list)):
            return None
        if isinstance(v, Number) and v.isdigit() and int(v) < len(self.strings) and (words(data.get("type")), k) in self.of.unique:
            return self.strings[int(v)]
        return "true" if v is True else "false" if v is False else v

    def label(self, name, data):
        out = ""
        for text, what in re.findall(r"([^{]*)(\{[^}]*\}|\{.*$|$)", self.of.labels.get(words(data.get("type")), ""), re.S):
            if len(out.encode()) >= 200:
                break
            out += text
            if what == "{marker.name}":
                out += name
            elif what.startswith("{marker.data.") and what.endswith("}"):
                out += self.value(data, what[13:-1]) or ""
            elif not what.endswith("}"):
                out += what
        return "" if out == name else out

    def detail(self, name, data):
        if not isinstance(data, dict):
            return ""
        if "name" in data and isinstance(data["name"], str) and not isinstance(data["name"], Number):
            return data["name"]
        out = self.label(name, data)
        if out:
            return out
        for k in data:
            if len(out.encode()) >= 200:
                break
            v = self.value(data, k)
            if v is not None and k not in HIDDEN:
                out += (", " if out else "") + k + " " + v
        return out

    def markers(self):
        n, get = rows(self.t.get("markers") if isinstance(self.t.get("markers"), dict) else None)
        time = lambda v: None if number(v) is None else self.of.ns(self.p, number(v))
        spans, opened, requests = [], {}, {}
        for i in range(n):
            cat = index(get("category", i), len(self.of.cats), self.bad) if self.of.cats else None
            row = index(get("name", i), len(self.strings), self.bad)
            name = "" if row is None else self.strings[row]
            data = get("data", i)
            phase = get("phase", i)
            cat = None if cat is None else self.of.cats[cat][0]
            if phase is not None and phase.isdigit() and int(phase) < 4:
                phase, start, end = int(phase), time(get("startTime", i)), time(get("endTime", i))
            else:
                phase, start, end = 0, time(get("time", i)), None
                if isinstance(data, dict):
                    start = time(data["startTime"]) if "startTime" in data else start
                    end = time(data.get("endTime"))
                    iv = data.get("interval")
                    phase = 2 if iv == "start" else 3 if iv == "end" else 0 if end is None else 1
                    cat = texts(data.get("category")) if not cat else cat
                    end = start if phase == 3 and end is None else end
            at = (start if start is not None else end) if phase != 3 else (end if end is not None else start)
            if at is None:
                self.of.facts["bad"] += 1
                continue
            self.see(at)
            start, end = (start, at) if phase == 3 else (at, end)
            if phase == 1 and end is not None:
                self.see(end)
            detail = self.detail(name, data)
            if phase == 0:
                self.of.instants.append((start, name, cat or "", detail, self.number))
                continue
            span = [start, end, name, cat or "", detail, self.number, False, False]
            if phase == 2:
                span[6] = True
                opened.setdefault(row, []).append(span)
                spans.append(span)
            elif phase == 3:
                if opened.get(row):
                    s = opened[row].pop()
                    s[1], s[6] = max(end, s[0]), False
                    s[4] = detail or s[4]
                else:
                    self.of.facts["ends"] += 1
                    span[0], span[7] = end, True
                    spans.append(span)
            else:
                key = None
                if isinstance(data, dict) and data.get("type") == "Network" and "status" in data and texts(data.get("id")):
                    key = data["id"]
                if key is not None and key in requests:
                    s = requests[key]
                    s[4] = detail
                    if end is not None:
                        s[1], s[6] = max(end, s[0], s[0] if s[6] else s[1]), False
                    continue
                span[6] = end is None
                if end is not None:
                    span[1] = max(end, start)
                spans.append(span)
                if key is not None:
                    requests[key] = span
        for s in spans:
            self.of.facts["open"] += s[6]
            if s[7]:
                s[0] = self.first
            if s[6]:
                s[1] = max(self.last, s[0])
        self.of.spans += [tuple(s[:7]) for s in spans]

    def read(self):
        self.samples()
        self.allocations("jsAllocations", True)
        self.allocations("nativeAllocations", False)
        self.markers()
        self.of.facts["index"] += self.bad[0]


def main(argv):
    with open(argv[1], "rb") as f:
        p = Profile(f.read())
    for t in p.threads:
        print("thread", t.number, t.name, t.pid, t.tid, t.process, t.process_name, t.with_stack, sep="\t")
    for (thread, event), stacks in sorted(p.folded.items()):
        for stack in sorted(stacks):
            print("stack", thread, event, stack, stacks[stack], sep="\t")
    for s in sorted(p.spans):
        print("span", *s, sep="\t")
    for s in sorted(p.instants):
        print("instant", *s, sep="\t")
    for c in p.counters:
        print("counter", *c, sep="\t")
    print(p.facts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
