#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# TAP: the lines of the overview against numbers computed here from the basic sources: overview.py ICECORE FILE ...
import collections, csv, itertools, os, re, sys

import answers
import idle

csv.field_size_limit(1 << 30)
program = None


def ask(files, *queries, options=()):
    args = [a for q in queries for a in ("-e", q)]
    run = program.run(["--no-index", "-o", "tsv", *options, *args, *files], timeout=600)
    if run.code not in (0, 1, 3):
        raise ValueError("exit %d: %s" % (run.code, run.err.strip()))
    tables, block = [], []
    for line in run.out.split("\n"):
        if line == "" and block:
            head = block[0].split("\t")
            tables.append([dict(zip(head, row.split("\t"))) for row in block[1:]])
            block = []
        elif line != "":
            block.append(line)
    return tables


def num(text):
    return float(text) if text not in ("", None) else 0.0


def top(rows, key, n):
    """The largest first; of equal ones the first."""
    return sorted((r for r in rows if num(r[key]) > 0), key=lambda r: -num(r[key]))[:n]


def is_named(thread):
    """Samples without a thread are of one called all."""
    return thread["name"] != "all" or thread["tid"] not in ("", "0")


# Jank types of a frame that the user saw late.
SEEN = {"App Deadline Missed", "App Resynced Jitter", "Unknown Jank", "SurfaceFlinger Scheduling", "Display HAL", "SurfaceFlinger CPU Deadline Missed",
        "SurfaceFlinger GPU Deadline Missed"}


class Expect:
    def __init__(self, files):
        self.files, self.rows = files, []
        self.info = {r["field"]: r["value"] for r in ask(files, "info")[0]}

    def one(self, query):
        return ask(self.files, query)[0]

    def add(self, line, value, share=None, words="", zero=False):
        if value is None or num(value) != 0 or share is not None or zero:
            self.rows.append((line, value, share, words))

    def labels(self, threads):
        """By id what people call each: the tid behind the name where, and only where, others have that name; the pid, too, where tids repeat."""
        names = collections.Counter(t["name"] for t in threads)
        tids = collections.Counter((t["name"], t["tid"]) for t in threads)

        def label(t):
            pid = t.get("pid", "0") if tids[t["name"], t["tid"]] > 1 else "0"
            ids = [i for i in (pid, t["tid"]) if i not in ("", "0")] if names[t["name"]] > 1 else []
            return " ".join([t["name"]] + ["/".join(ids)][:len(ids)])
        return {t["id"]: label(t) for t in threads}

    def losses(self, lines=("repairs", "losses")):
        """A line can come once; losses of a trace of a whole system come early."""
        for line, prefix in (("repairs", "repair."), ("losses", "loss.")):
            if line not in lines or any(r[0] == line for r in self.rows):
                continue
            some = [(k, v) for k, v in self.info.items() if k.startswith(prefix) and k != "loss.reason" and v != "0"]
            for _, v in some[:8]:
                self.add(line, v)
            if not some and (line == "repairs" or not self.unread()):
                self.add(line, None, None, "none")

    def unread(self):
        return [k.split(".", 2)[-1] for k, v in self.info.items() if k.startswith("unread.") and v != "0"]

    # ---- trees

    def numbered(self):
        """So many names with numbers hide others."""
        return num(self.info.get("methods_numbered")) > 0

    def merged(self, total):
        """The nodes of the merged tree below each node, and what each node costs."""
        rows = self.one("merged | %sselect id parent method method_id %s %s" % ("by name | " if self.numbered() else "", total, total.replace("total", "self")))
        below = {}
        for r in rows:
            below.setdefault(r["parent"], []).append(r)
        return below, {r["id"]: num(r[total]) for r in rows}

    def branch(self, total, below, node, above):
        """The methods of a branch: on while one callee keeps more than half of it, and through frames of runtimes that spend less
        themselves than in their largest callee."""
        way, whole = list(above), 0
        while node is not None and num(node[total]) > 0:
            narrow = num(node[total]) <= whole // 2
            if narrow and (not idle.is_frame(way[-1]["method"]) or num(way[-1][total.replace("total", "self")]) > num(node[total])):
                break
            whole = num(node[total]) if narrow or whole == 0 else whole
            way.append(node)
            node = max(below.get(node["id"], []), key=lambda r: num(r[total]), default=None)
        return way

    def branches(self, total):
        """The four hottest branches, by what they cost where they become narrow; and the whole."""
        below, _ = self.merged(total)
        roots = below.get("0", [])
        main = self.branch(total, below, max(roots, key=lambda r: num(r[total]), default=None), [])
        ways = [main] if main else []
        for depth in range(len(main)):
            children = below.get(main[depth - 1]["id"], []) if depth > 0 else roots
            ways += [self.branch(total, below, r, main[:depth]) for r in children if num(r[total]) > 0 and r["id"] != main[depth]["id"]]
        return sorted(ways, key=lambda way: -num(way[-1][total]))[:4], sum(num(r[total]) for r in roots)

    @staticmethod
    def repeats(path):
        """How often each method of a path calls itself."""
        return [len(list(same)) for _, same in itertools.groupby(p["method_id"] for p in path)]

    def calls(self, clock):
        self_, total = "self_" + clock, "total_" + clock
        methods = self.one("methods | select method %s" % self_)
        if self.numbered():
            sums = {}
            for m in methods:
                name = NUMBER.sub("*", m["method"])
                sums[name] = sums.get(name, 0) + num(m[self_])
            methods = [{"method": name, self_: str(value)} for name, value in sums.items()]
        whole = sum(num(m[self_]) for m in methods)
        for m in top([r for r in self.one("methods") if r.get("sampled") == "true"], self_, 3):
            self.add("top sampled", m[self_], num(m[self_]) * 100 / whole, m["method"])
        for m in top(methods, self_, 3):
            self.add("top self time", m[self_], num(m[self_]) * 100 / whole, m["method"])
        ways, all_ = self.branches(total)
        if ways:
            self.add("hottest path", num(ways[0][-1][total]), num(ways[0][-1][total]) * 100 / all_, self.repeats(ways[0]))
        return whole

    def longest_call(self, still=()):
        """Of those that do more than begin a thread: the innermost that takes 95 % of the longest one's time."""
        spans = self.one("spans | select wall method method_id thread_id depth start_wall")
        if not spans:
            return
        known = idle.outer(spans, self.one("calls | select id parent thread_id method_id self_wall"),
                           self.one("threads | select id main wall start end"), int(num(self.info.get("elapsed"))))
        some = [r for r in spans if r["thread_id"] not in still and not idle.is_outer(r, *known)]
        for longest in top(some, "wall", 1):
            start, end, wall = num(longest["start_wall"]), num(longest["start_wall"]) + num(longest["wall"]), num(longest["wall"])
            within = [r for r in some if r["thread_id"] == longest["thread_id"] and num(r["start_wall"]) >= start and
                      num(r["start_wall"]) + num(r["wall"]) <= end and num(r["wall"]) >= wall - wall // 20]
            inner = max(within, key=lambda r: num(r["depth"]))
            self.add("longest call", inner["wall"], None, inner["method"])

    def longest_wait(self, with_state=False):
        waits = [r for r in self.one("waits") if r["idle"] == "false"]
        labels = self.labels(self.one("threads"))
        locked = top([r for r in waits if with_state and "contention" in r.get("waiting_in", "")], "wall", 1)
        for line, rows in ("lock contention", locked), ("longest wait", top(waits, "wall", 1)):
            for r in rows:
                label = labels[r["thread_id"]]
                self.add(line, r["wall"], None, "%s, %s" % (label, r["state"]) if with_state and rows is not locked else label)

    def frames(self):
        frame = [m for m in self.one("methods | select class name calls") if m["class"] == "android.view.Choreographer" and
                 m["name"] == "doFrame"]
        if frame:
            over = [r for r in self.one("spans | select method wall") if r["method"] == "android.view.Choreographer.doFrame" and
                    num(r["wall"]) > 16666667]
            self.add("long frames", str(len(over)))

    def marks(self, sources):
        if "async" not in sources:
            return
        longest = collections.Counter()
        for r in self.one("async_spans | where open"):
            wall = num(r["wall"])
            if self.info.get("elapsed") and (wall >= 10 ** 8 or wall * 10 >= num(self.info["elapsed"])):
                longest[r["name"]] = max(longest[r["name"]], wall)
        for name, wall in sorted(longest.items(), key=lambda s: -s[1])[:3]:
            self.add("never ended", wall, None, name)
        for r in top([r for r in self.one("async") if not re.match("(Actual|Expected) Timeline", r["name"])], "total", 3):
            self.add("async slices", r["total"], None, r["name"])
        marks, counters = self.one("marks | select name"), self.one("counters")
        self.add("instant events", str(len(marks)))
        whole = {c["process_id"] for c in counters if c["counter"] == "mem.rss"}
        is_part = lambda r, name: r["process"] and (r[name] == "mem.rss" or r["process_id"] not in whole and
                                                    r[name] in ("mem.rss.anon", "mem.rss.file", "mem.rss.shmem"))
        for line, rows, name, column in (("most memory", counters, "counter", "last"),
                                         ("memory grew", self.one("tracks | where kind = gauge") if "tracks" in sources else [], "track", "growth")):
            sums = collections.Counter()
            for r in rows:
                if is_part(r, name) and num(r[column] or "0") > 0:
                    sums[r["process_id"]] += num(r[column])
            for process, value in sorted(sums.items(), key=lambda s: -s[1])[:3]:
                self.add(line, str(value), None, next("%(process)s %(pid)s" % c for c in counters if c["process_id"] == process))
        self.add("counters", str(len(counters)))

    def alone(self, sources):
        tracks = self.one("tracks")
        if tracks:
            self.add("duration", max(num(t["wall"]) for t in tracks), None, "%d track" % len(tracks))
        for t in top([t for t in tracks if t["kind"] == "cpu"], "growth", 3):
            self.add("busiest", t["growth"], num(t["utilisation"]), t["thread"])
        self.marks(sources)

    def trace(self, sources):
        threads = self.one("threads")
        if not threads:
            return
        start, end = min(num(t["start"]) for t in threads), max(num(t["end"]) for t in threads)
        both = any(m["total_cpu"] != "" for m in self.one("methods | select total_cpu | head 1"))
        self.add("duration", num(self.info["elapsed"]), None, "%d thread" % len(threads))
        cpu = sum(num(t["cpu"]) for t in threads)
        labels = self.labels(threads)
        for t in top(threads, "cpu", 3):
            self.add("busiest", t["cpu"], num(t["cpu"]) * 100 / cpu, labels[t["id"]])
        waited, above = collections.Counter(), []
        for c in self.one("calls | select thread_id depth method self_wall"):
            del above[int(c["depth"]):]
            above.append(c["method"])
            waited[c["thread_id"]] += num(c["self_wall"]) if idle.stack(above[::-1]) else 0
        tracks = self.one("tracks | where kind = cpu | select thread_id growth") if both else []
        clocks = {t["thread_id"]: num(t["growth"]) for t in tracks}
        still = [t for t in threads if both and idle.thread(end - start, max(num(t["cpu"]), clocks.get(t["id"], 0)), num(t["wall"]), waited[t["id"]])]
        self.add("idle threads", str(len(still)))
        self.calls("cpu" if both else "wall")
        self.longest_call({t["id"] for t in still})
        if "waits" in sources:
            self.longest_wait()
        self.frames()
        self.marks(sources)

    # ---- scheduler traces

    def disk_sleep(self):
        """Of waits, as those of a task that has not come back count as well."""
        disk = {}
        for r in self.one("waits | select thread_id wall state"):
            if r["state"] == "disk":
                disk[r["thread_id"]] = disk.get(r["thread_id"], 0) + num(r["wall"])
        most = max(disk.values(), default=0)
        if most > 0:
            at = next(t for t in disk if disk[t] == most)
            self.add("disk sleep", str(most), None, self.labels(self.one("threads"))[at])

    def sched(self, sources):
        tasks, cpus = self.one("tasks"), self.one("cpus")
        elapsed = num(self.info["elapsed"])
        self.add("duration", elapsed, None, "%d CPU" % len(cpus))
        self.add("scheduling", self.info.get("scheduling", "0"))
        if "processes" in sources:
            self.processes(elapsed, sources)
            self.losses(("losses",))
        busy = top(cpus, "busy", 8)
        if len(busy) < 8:
            busy += [c for c in cpus if c not in busy][:8 - len(busy)]
        for c in sorted(busy, key=lambda c: num(c["cpu"])):
            self.add("CPU use", None, num(c["utilisation"]) if c["utilisation"] else None, "CPU " + c["cpu"])
        labels = self.labels(tasks)
        for t in top(tasks, "cpu", 3):
            self.add("busiest", t["cpu"], num(t["cpu"]) * 100 / elapsed, labels[t["id"]])
        for t in top(tasks, "run_queue", 1):
            self.add("run queue", t["run_queue"], None, labels[t["id"]])
        self.disk_sleep()
        if "methods" in sources and num(self.info.get("records")) > 0:
            both = any(m["total_cpu"] != "" for m in self.one("methods | select total_cpu | head 1"))
            self.calls("cpu" if both else "wall")
            self.longest_call()
        self.longest_wait(True)
        self.add("idle tasks", str(sum(t["idle"] == "true" for t in tasks)))
        self.marks(sources)

    def processes(self, elapsed, sources):
        """CPU time, frames and waits of main threads, in a trace of several processes."""
        cpu, threads, frames, late = collections.Counter(), collections.Counter(), collections.Counter(), collections.Counter()
        for t in self.one("tasks | select process cpu"):
            threads[t["process"]] += 1
            cpu[t["process"]] += num(t["cpu"])
        several = sum(num(p["threads"]) > 0 for p in self.one("processes | select threads")) > 1
        for name, value in sorted(cpu.items(), key=lambda x: -x[1])[:3] if several else []:
            self.add("busiest process", value, value * 100 / num(self.info.get("scheduling", elapsed)), name or "(process unknown)")
        for f in self.one("frames | select process present jank") if "frames" in sources else []:
            frames[f["process"]] += 1
            late[f["process"]] += f["present"] == "late" and not SEEN.isdisjoint(f["jank"].split(", "))
        shown = [(n, p) for p, n in cpu.items() if frames[p] > 0 and not re.search("surfaceflinger|systemui|system_server", p)]
        if shown:
            self.add("foreground app", max(shown)[0], max(shown)[0] * 100 / elapsed, max(shown)[1])
        for name, value in sorted(((p, n) for p, n in late.items() if n > 0), key=lambda x: -x[1])[:3]:
            self.add("late frames", value, None, name)
        main = {p["main_id"] for p in self.one("processes | select main_id threads") if num(p["threads"]) > 1} - {"0", ""}
        blocked = [w for w in self.one("waits | select thread_id state wall waiting_in idle") if w["thread_id"] in main and w["idle"] == "false" and
                   w["waiting_in"] and w["state"] not in ("runnable", "preempted")]
        labels = self.labels(self.one("threads"))
        for w in top(blocked, "wall", 3):
            self.add("main blocked", w["wall"], None, labels[w["thread_id"]])

    # ---- profiles

    def profile(self, sources):
        threads, methods = self.one("threads"), self.one("methods")
        events = self.one("events")
        now = [e for e in events if e["current"] == "true"]
        if "records" in self.info and "columns" in self.info:
            self.add("samples", self.info["samples"])
            self.add("records", self.info["records"])
        elif num(self.info["samples"]) > 0:
            tells = num(now[0]["no_stack"]) > 0
            self.add("samples", self.info["samples"], None, now[0]["no_stack"] + " without a stack" if tells else " thread" if any(is_named(t) for t in threads) else "")
            if now[0]["name"] != "samples":
                self.add("event", None, None, now[0]["name"])
        elif "intervals" in sources and self.one("intervals"):
            self.add("samples", None, None, "none in this recording")
        labels = self.labels(threads)
        for t in top([t for t in threads if is_named(t)], "total", 3):
            self.add({"bytes": "most memory", "values": "most values"}.get(now[0]["unit"], "busiest"), t["total"], num(t["total_pct"]), labels[t["id"]])
        bare = [m for m in methods if re.fullmatch("0x[0-9a-f]+", m["method"])]
        if sum(num(m["self_pct"]) for m in bare) > 50:
            self.add("no names", sum(num(m["self"]) for m in bare), sum(num(m["self_pct"]) for m in bare))
        for m in top(methods, "self", 3):
            self.add("top self", m["self"], num(m["self_pct"]), m["method"])
        ways, whole = self.branches("total")
        for way in ways:
            self.add("hottest path" if way is ways[0] else "elsewhere", num(way[-1]["total"]), num(way[-1]["total"]) * 100 / whole, self.repeats(way))
        kernel = sum(num(m["self"]) for m in methods if m["kind"] == "k")
        if kernel > 0:
            self.add("kernel share", kernel, kernel * 100 / sum(num(m["self"]) for m in methods))
        if "intervals" in sources:
            for p in top(self.one("intervals jdk.GCPhasePause"), "wall", 1):
                self.add("longest pause", p["wall"], None, p["what"])
            some = self.one("intervals jdk.GarbageCollection | select paused longest_pause what")
            if some:
                worst = max(some, key=lambda i: num(i["longest_pause"]))
                self.add("collections", len(some), None, " (%s)" % worst["what"] if sum(num(i["paused"]) for i in some) > 0 else " in all")
            locks = collections.Counter()
            for i in self.one("intervals jdk.JavaMonitorEnter | select what function wall"):
                locks[i["what"], i["function"]] += num(i["wall"])
            for (what, function), wall in locks.most_common(3):
                self.add("lock waits", wall, None, "%s in %s, " % (what, function) if what and function else what)
        if "tracks" in sources:
            for t in self.one("tracks")[:]:
                if t["track"] == "heap used":
                    self.add("heap used", t["max"], None, "peak")
                    break
        if "intervals" in sources:
            self.longest_wait()
            lasting = {}
            for i in self.one("intervals"):
                lasting[i["event"]] = lasting.get(i["event"], 0) + num(i["wall"])
            for wall in sorted(lasting.values(), reverse=True)[:3]:
                self.add("top event time", wall, None, " time")
        if "recorded_events" in self.info:
            self.add("recorded", self.info["recorded_events"], None, self.info["chunks"] + " chunk")
        if len(events) > 1:
            self.add("events", str(len(events)))
        self.marks(sources)

    def differs(self, sources):
        methods = self.one("methods | select method self_before self self_delta")
        self.add("before", sum(num(m["self_before"]) for m in methods))
        self.add("after", sum(num(m["self"]) for m in methods))
        for line, sign in (("largest increase", 1), ("largest decrease", -1)):
            some = [m for m in methods if num(m["self_delta"]) * sign > 0]
            for m in sorted(some, key=lambda m: -num(m["self_delta"]) * sign)[:3]:
                self.add(line, m["self_delta"], None, m["method"])
            if not some:
                self.add(line, None, None, "none")

    # ---- heap dumps

    def heap(self, sources):
        classes = self.one("classes | select name retained objects")
        objects = self.one("objects | select class shallow reachable")
        # Heaps of other languages have no threads, values and packages.
        java = "distance" not in self.one("objects | head 1")[0]
        values = self.one if java else lambda query: []
        for t in values("threads"):
            if t["top"].startswith("java.lang.OutOfMemoryError."):
                self.add("OutOfMemoryError", None, None, "thread " + t["name"])
        self.findings()
        if "command" in self.info:
            self.add("program", None, None, self.info["command"])
        self.add("heap", sum(num(o["shallow"]) for o in objects), None, "object")
        reach = sum(num(o["shallow"]) for o in objects if o["reachable"] in ("strong", "soft"))
        self.add("reachable", reach)
        lost = {}
        for o in objects:
            if o["reachable"] == "unreachable":
                lost[o["class"]] = lost.get(o["class"], 0) + num(o["shallow"])
        most = [c for c in lost if lost[c] == max(lost.values())]
        self.add("unreachable", sum(num(o["shallow"]) for o in objects) - reach, None, " in " + (most[0] if len(most) == 1 else ""))
        if "filler_bytes" in self.info:
            self.add("fillers", self.info["filler_bytes"], None, "int arrays")
        self.rows.append(("accumulation", "any", None, ""))
        self.rows.append(("held by", "any", None, ""))
        for d in self.one("dominators | where retained > 0 | head 5"):
            self.add("largest", d["retained"], num(d["percent"]), "@" + d["object"])
        for c in top([c for c in classes if c["name"] != "java.lang.Class"], "retained", 1):
            self.add("largest class", c["retained"], num(c["retained"]) * 100 / num(self.info["percent_of"]), c["name"])
        platform = re.compile(r"^([(]primitive[)]$|(java|javax|jdk|sun|com[.]sun|android|com[.]android|androidx|dalvik|libcore|kotlin|kotlinx)([.]|$))")
        for p in top([p for p in values("components package") if not platform.search(p["component"])], "retained", 3):
            self.add("top package", p["retained"], num(p["share"]), p["component"])
        for line, key in (("direct buffers", "direct_bytes"), ("zlib", "zlib_bytes"), ("native memory", "registered_bytes"), ("mapped files", "mapped_bytes"), ("finalizable", "finalizable_bytes"),
                          ("classes", "classes"), ("class loaders", "loaders")):
            self.add(line, self.info.get(key, ""))
        roots = self.one("roots | select kind")
        self.add("GC roots", str(len(roots)))
        if not roots:
            self.add("GC roots", None, None, "none")
        self.add("threads", self.info.get("threads", ""))
        if num(self.info.get("stackless_threads", "")) > 0:
            self.add("no stack", self.info["stackless_threads"])
        strings = [r for r in values("histogram") if r["name"] == "java.lang.String"]
        self.add("strings", strings[0]["objects"] if strings else "")
        waste = self.one("duplicates | select waste")
        self.add("duplicates", sum(num(d["waste"]) for d in waste))
        unused = [num(c["waste"]) for c in values("collections | select waste") if num(c["waste"]) > 0]
        self.add("unused capacity", sum(unused), None, "%d collection" % len(unused) if unused else "")
        bitmaps = values("bitmaps | select bytes")
        self.add("bitmaps", sum(num(b["bytes"]) for b in bitmaps), None, "%d bitmap" % len(bitmaps) if bitmaps else "")
        if num(self.info.get("dumps", "")) > 1:
            self.add("dumps", self.info["dumps"])
        by = self.info.get("device", self.info.get("jvm"))
        if by is not None:
            self.add("written by", None, None, by)

    def findings(self):
        """They come first, then the largest owners."""
        found = {}
        for f in self.one("findings | sort -grade -retained | select severity what percent"):
            found.setdefault(f["severity"], []).append("%.1f%% %s" % (num(f["percent"]), f["what"]))
        for severity, of in found.items():
            self.add("findings", str(len(of)), None, severity + ": " + of[0] + (" and %d more" % (len(of) - 1) if len(of) > 1 else ""))
        if not found:
            self.add("findings", None, None, "no leak")
        self.rows.append(("largest owner", "any", None, ""))

    # ---- bank statements, bytecode

    def money(self, sources):
        ts = [t for t in self.one("transactions") if t["state"] == "booked"]
        self.add("transactions", str(len(ts)))
        for a in self.one("accounts")[:8]:
            self.add("balance", a["ledger"], None, a["account"])
        for line, sign, up in (("paid", -1, 1), ("received", 1, -1)):
            sums = {}
            for t in ts:
                if num(t["amount"]) * sign > 0:
                    n, s = sums.get(t["currency"], (0, 0))
                    sums[t["currency"]] = n + 1, s + num(t["amount"])
            for n, s in sorted(sums.values(), key=lambda v: -v[0])[:3]:
                self.add(line, s, None, "%d transaction" % n)
        payees = {}
        for t in ts:
            if num(t["amount"]) < 0:
                key = t["payee"], t["currency"]
                payees[key] = payees.get(key, 0) + num(t["amount"])
        for (payee, _), s in sorted(payees.items(), key=lambda v: v[1])[:3]:
            self.add("top payee", s, None, payee)
        for b in self.one("balance_check")[:8]:
            self.add("balance check", None, None, b["verdict"])

    def code(self, sources):
        self.add("classes", self.info.get("code.classes"))
        self.add("methods", self.info.get("code.methods"))
        self.add("code size", self.info.get("code.bytes"))
        methods = self.one("methods | select method bytes")
        whole = sum(num(m["bytes"]) for m in methods)
        for m in top(methods, "bytes", 3):
            self.add("largest method", m["bytes"], num(m["bytes"]) * 100 / whole)
        kinds = {}
        bugs = self.one("bugs all | select kind")
        for b in bugs:
            if b["kind"] != "throw-leak":
                kinds[b["kind"]] = kinds.get(b["kind"], 0) + 1
        if sum(kinds.values()) != len(self.one("bugs")):
            raise ValueError("%d bugs, where the pane has %d" % (sum(kinds.values()), len(self.one("bugs"))))
        for kind, n in sorted(kinds.items(), key=lambda k: -k[1])[:8]:
            self.add("bugs", str(n))
        if not kinds:
            self.add("bugs", None, None, "none")
        self.add("leaks on throw", len(bugs) - sum(kinds.values()))


# ---- where Enter leads ----------------------------------------------------------------


ONE = re.compile(r"^objects @|where (id|cpu|thread_id) = \d")
BY_NAME = "methods | by name | sort -self"
NUMBER = re.compile(r"(?<![A-Za-z_\d])\d+(?![A-Za-z_\d])")


def amounts(row):
    return [float(v) for v in row.values() if re.fullmatch(r"-?\d+([.]\d+)?(e[+-]?\d+)?", v)]


def leads_to_waits(g, rows):
    """All sleeps of one task; of more than eight the first ones."""
    of_one = {(r["state"], r["thread"]) for r in rows}
    total = sum(num(r["wall"]) for r in rows)
    if len(of_one) != 1 or not g["subject"].startswith(next(iter(of_one))[1]):
        return "%s: %r" % (g["opens"], of_one)
    return None if near(total, num(g["value"])) or len(rows) == 8 and total < num(g["value"]) else "%s: %d" % (g["opens"], total)


def leads(g, rows, rank):
    """The row that a line leads to is the one that it names; of a list its rows come in the order of the list."""
    if g["line"] == "disk sleep":
        return leads_to_waits(g, rows)
    one = ONE.search(g["opens"])
    # The outermost of calls that begin and end together is the first.
    if one and len(rows) != 1 and " start_wall = " not in g["opens"]:
        return "%s: %d rows" % (g["opens"], len(rows))
    if not rows:
        return None if not num(g["value"]) else "%s opens nothing" % g["opens"]
    if g["line"] == "long frames":
        return None if len(rows) == min(8, num(g["value"])) else "%s: %d rows" % (g["opens"], len(rows))
    if not one and g["line"] != "top package" and g["opens"] != BY_NAME:
        return None
    row = rows[0 if one else rank]
    if g["line"] == "elsewhere":
        # The function may have been called from other places too.
        ends = re.sub(r" x\d+$", "", g["subject"]).split(" > ")[-1].replace("/", ".") in row["method"].replace("/", ".")
        return None if ends and num(row["total"]) >= num(g["value"]) else "%s: %r, not %s" % (g["opens"], row, g["subject"])
    names = [v for v in row.values() if v and (v == g["subject"] or not re.fullmatch(r"-?\d[\d.]*", v)) and v in g["subject"]]
    shown = g["value"] or g["share"]
    if g["line"] == "CPU use":
        names = ["CPU"] if "CPU %s" % row["cpu"] == g["subject"] else []
    # The field that holds an object is not a column of it.
    if not names and g["line"] not in ("largest owner", "OutOfMemoryError"):
        return "%s: %r, not %s" % (g["opens"], row, g["subject"])
    if shown and g["line"] != "largest owner" and not any(near(a, num(shown), not g["value"]) for a in amounts(row)):
        return "%s: %r, not %s" % (g["opens"], row, shown)
    return None


def targets(files, got):
    some = [g for g in got if g["opens"]]
    bad, before = ["%s: opens %r" % (g["line"], g["opens"]) for g in got if not g["opens"] or g["line"] in NAMED and not ONE.search(g["opens"]) and g["opens"] != BY_NAME], []
    for g, rows in zip(some, ask(files, *[g["opens"] + " | head 8" for g in some])):
        before.append(g["line"])
        bad.append(leads(g, rows, before.count(g["line"]) - 1))
    return [b for b in bad if b]


# Lines about one thing.
NAMED = ("busiest", "top sampled", "longest pause", "CPU use", "run queue", "disk sleep", "top self time", "top self", "elsewhere", "longest call", "longest wait", "accumulation",
         "held by", "largest", "largest owner", "OutOfMemoryError")


# ---- CPU use over time --------------------------------------------------------------------


STEPS = (0.188, 0.313, 0.438, 0.563, 0.7, 0.813, 0.938)


def runs(rows, elapsed):
    """By CPU, when it ran a task: from a switch to it until the one that leaves it, while no switch says that it is elsewhere."""
    found, since = {}, {}       # since: task: (CPU, time)
    for r in rows:
        out, into, cpu, time = r["from_id"], r["to_id"], r["cpu"], num(r["time"])
        if since.get(out, ("",))[0] == cpu:
            found.setdefault("CPU " + cpu, []).append((since[out][1], time))
        since = {task: at for task, at in since.items() if task != out and at[0] != cpu}
        if into not in ("", "0"):
            since[into] = (cpu, time)
    for cpu, time in since.values():
        found.setdefault("CPU " + cpu, []).append((time, elapsed))
    return found


def bars(files, got, elapsed):
    """20 pieces of time, and how much of each the CPU ran a task."""
    rows, bad = ask(files, "switches | select time cpu from_id to_id")[0], []
    ran = runs(rows, elapsed)
    for g in got:
        if g["line"] != "CPU use":
            continue
        busy, want = ran.get(g["subject"], []), ""
        for i in range(20):
            a, b = elapsed * i // 20, elapsed * (i + 1) // 20
            run = sum(max(0, min(b, t) - max(a, f)) for f, t in busy)
            want += str(1 + sum(run >= s * (b - a) for s in STEPS) if run else 0)
        if g["use"] != want:
            bad.append("%s: use %s, not %s" % (g["subject"], g["use"], want))
    return bad


def kind_of(sources, info):
    return ("heap" if "dominators" in sources else "money" if "transactions" in sources else "sched" if "tasks" in sources else
            "code" if "bugs" in sources and "threads" not in sources else "profile" if "events" in sources and "spans" not in sources else
            "trace" if "spans" in sources else "alone" if "async" in sources else None)


def sources_of(files):
    """Return the sources that work on these files; each is asked for its first row."""
    words = ("dominators", "transactions", "tasks", "bugs", "threads", "events", "spans", "methods", "async", "waits", "records", "intervals", "tracks", "processes",
             "frames", "thread_dumps")
    run = program.run(["--no-index", "-o", "tsv", *(a for word in words for a in ("-e", word + " | head 1")), *files], timeout=600)
    return set(words) - set(re.findall(r"(?:'|: no )(\w+)(?:' works on| recorded)", run.err)) if 0 <= run.code <= 3 else set()


def near(a, b, share=False):
    return abs(a - b) <= max(1e-6 if share else 0.51, abs(b) * 1e-9)


def compare(expect, got):
    bad, i = [], 0
    for line, value, share, words in expect:
        if value == "any":
            while i < len(got) and got[i]["line"] == line:
                i += 1
            continue
        if i >= len(got) or got[i]["line"] != line:
            return bad + ["%s %s is missing; %s" % (line, value, got[i] if i < len(got) else "end")]
        g = got[i]
        i += 1
        if value is not None and not near(num(g["value"]), num(str(value))):
            bad.append("%s: %s, not %s" % (line, g["value"], value))
        if value is None and g["value"] != "":
            bad.append("%s: %s, not nothing" % (line, g["value"]))
        if share is not None and not near(num(g["share"]), share, True):
            bad.append("%s: share %s, not %s" % (line, g["share"], share))
        if isinstance(words, list):
            shown = [int((re.search(r" x(\d+)$", part) or [0, 1])[1]) for part in g["subject"].split(" > ")]
            if shown != words:
                bad.append("%s: path %s, not of %s" % (line, g["subject"], words))
        elif words not in g["subject"] or (line == "busiest" and words != g["subject"]):
            bad.append("%s: %s, without %s" % (line, g["subject"], words))
    return bad + ["%s is too much" % g for g in got[i:]]


OF_OBJECTS = ("reachable", "unreachable", "accumulation", "largest", "largest class", "top package", "findings", "strings", "duplicates",
              "unused capacity")


def empty(got):
    """A dump without objects: each line about them says so, none has a number of them."""
    said = [g["line"] for g in got if g["subject"] == "not checked: no objects in the file" and not g["value"] and not g["share"]]
    return ["lines about objects: %s" % said] if sorted(said) != sorted(OF_OBJECTS) else [
        str(g) for g in got if g["line"] in OF_OBJECTS and g["line"] not in said or g["line"] == "heap" and g["subject"] != "no objects"]


def check(files):
    got = ask(files, "overview")
    got = got[0] if got else []
    bad = [str(g) for g in got if g["subject"].startswith("not computed")]
    e = Expect(files)
    told = " ".join(g["subject"] for g in got if g["line"] == "not read")
    if bool(told) != bool(e.unread()):
        bad.append("not read: %r of %s" % (told, e.unread()))
    # Noise is compared by check.py, the story by storycheck.py.
    got = [g for g in got if g["line"] not in ("not read", "below noise", "story")]
    sources = sources_of(files)
    # dumpscheck.py compares the sources of stack dumps.
    if "thread_dumps" in sources:
        return bad
    kind = "differs" if "total_before" in e.info else kind_of(sources, e.info)
    if kind is None:
        return bad + ["of what kind?"]
    if kind == "heap" and not num(e.info.get("objects", "")):
        return bad + empty(got)
    bad += targets(files, got) + (bars(files, got, num(e.info["elapsed"])) if kind == "sched" else [])
    getattr(e, kind)(sources)
    e.losses()
    return bad + compare(e.rows, got)


def checked(path):
    """Return the errors of the answers; None: the file is refused."""
    if not program.run(["--no-index", "-e", "info", path], timeout=600).out:
        return None
    try:
        return check([path])
    except (ValueError, KeyError, IndexError) as error:
        return [repr(error)]


def check_corpus(tap, asked, corpus):
    """Every real file that is not refused."""
    global program
    program = asked
    for folder in ("trace/art", "trace/sched", "trace/perf", "trace/folded", "trace/other", "profiles/chrome/data", "other/ofx/data",
                   "heap"):
        folder = os.path.join(corpus, folder)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            asks = os.path.isfile(path) and not name.endswith((".tsv", ".py", ".map")) and answers.compared_slowly(path)
            bad = checked(path) if asks else None
            if bad is not None:
                tap.ok("%s: overview" % name, bad)


def main():
    global program
    program, count = answers.Program(sys.argv[1]), 0
    for path in sys.argv[2:]:
        count += 1
        bad = checked(path)
        bad = ["it is refused"] if bad is None else bad
        print("%s %d - overview of %s" % ("not ok" if bad else "ok", count, os.path.basename(path)))
        for line in bad[:12]:
            print("# " + line)
        sys.stdout.flush()
    print("1..%d" % count)


if __name__ == "__main__":
    main()
