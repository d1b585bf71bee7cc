#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""unreadcheck.py BUILD SCRATCH - kinds of things that no loader knows are named on the first screen, as TAP.

For each loader a file is made with one unknown kind of each level that its format has.  The name must be in the first screen of 80x24,
in the overview, the report and the page; info must count it; no line says that there are no losses.  Formats of lines have no names for
what they do not know: there a stray line is counted on the first screen.
"""
import gzip
import io
import json
import os
import re
import struct
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "perfetto"))
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import codemake  # noqa: E402
import jfrfile  # noqa: E402
import slowperfetto  # noqa: E402
import tap  # noqa: E402
import otlpmake  # noqa: E402
import perfettocases  # noqa: E402
from pprofmake import message, number  # noqa: E402

CORPUS = os.path.join(HERE, "..", "fuzz", "corpus")
DEMO = os.path.join(HERE, "..", "..", "demo")


def corpus(name):
    with open(os.path.join(CORPUS, name), "rb") as f:
        data = f.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def demo(name):
    with gzip.open(os.path.join(DEMO, name)) as f:
        return f.read()


# ---- one file for each loader: {fact: count}, data ------------------------------------------------


def trace():
    data = demo("demo.trace.gz").replace(b"\nclock=", b"\nzebra-count=7\nclock=", 1).replace(b"*threads\n", b"*zebras\nstripes\n*threads\n", 1)
    return {"unread.key.zebra-count": 1, "unread.section.zebras": 1}, data


def hprof():
    data = demo("demo.hprof.gz")
    at = data.index(b"\0") + 13
    head, rest = data[:at], b""
    for i in range(30):
        size = 9 + struct.unpack(">I", data[at + 5:at + 9])[0]
        rest += data[at:at + size]
        at += size
        if i % 10 == 5:
            rest += struct.pack(">BII", {5: 0x77, 15: 0x0d, 25: 0x77}[i], 0, 6) + b"zebras"
    return {"unread.record.0x77": 2, "unread.record.cpu_samples": 1}, head + rest + data[at:]


CONTEXT = "jdk.InitialSystemProperty", "jdk.OSInformation", "jdk.NativeLibrary", "jdk.UnsignedIntFlag"


def jfr():
    """Events of an application: without a duration; only committed; without a stack that they could have; shown by their stacks, or because one of them lasts."""
    chunk, field = jfrfile.Chunk(), jfrfile.Field
    start, lasts, stacked = field("startTime:long@jdk.jfr.Timestamp=TICKS"), field("duration:long@jdk.jfr.Timespan=TICKS"), field("stackTrace:jdk.types.StackTrace*")
    chunk.types = {**chunk.types, "app.Zebra": [start, field("stripes:int")], "app.Tick": [start, lasts, field("n:int")], "app.Stackless": [start, stacked],
                   "app.Both": [start, lasts, stacked], "app.Stacked": [start, lasts, stacked], "app.Lasting": [start, lasts], "jdk.Stripes": [start, field("n:int")],
                   **{name: [start, field("n:int")] for name in CONTEXT}}
    stack = jfrfile.stack([(jfrfile.method("app/Main", "run"), 1, "Interpreted")])
    for i in range(5):
        chunk.event("jdk.ExecutionSample", startTime=chunk.start + 1000 * i, sampledThread=jfrfile.thread(1, "main", 1), stackTrace=stack)
    for i in range(3):
        chunk.event("app.Zebra", startTime=chunk.start + 1000 * i, stripes=i)
    # A JVM's own, more often than those of the program, and after them.
    for i in range(9):
        chunk.event("jdk.Stripes", startTime=chunk.start + 1000 * i, n=i)
    for i in range(4):
        at = chunk.start + 1000 * i
        chunk.event("app.Tick", startTime=at, duration=0, n=i)
        chunk.event("app.Stackless", startTime=at)
        chunk.event("app.Both", startTime=at, duration=0)
        chunk.event("app.Stacked", startTime=at, duration=0, stackTrace=stack)
        chunk.event("app.Lasting", startTime=at, duration=500 * (i == 2))
    # About the process: no loss.
    for name in CONTEXT:
        chunk.event(name, startTime=chunk.start, n=1)
    chunk.checkpoint()
    chunk.metadata()
    return {**{"context." + name: 1 for name in CONTEXT}, "unread.event.app.Zebra": 3, "unread.event.app.Tick": 4, "unread.event.app.Stackless": 4, "unread.event.app.Both": 4, "unread.event.jdk.Stripes": 9}, chunk.bytes()


def classes():
    with open(os.path.join(DEMO, "notes.jar"), "rb") as f:
        jar = io.BytesIO(f.read())
    with zipfile.ZipFile(jar, "a") as z:
        z.writestr("zebra.txt", "stripes")
        z.writestr("demo/Random.class", codemake.class_file(codemake.methods(1, 2), unknown=True))
    n = len(codemake.methods(1, 2))
    return {"unread.archive_entries": 1, "unread.attribute.ClassZebra": 1, "unread.attribute.FieldZebra": 2, "unread.attribute.MethodZebra": n,
            "unread.attribute.ComponentZebra": 2, "unread.attribute.CodeZebra": n}, jar.getvalue()


def pprof():
    names = ["", "samples", "count", "main", "endpoint", "/zebra"]
    line = number(1, 1) + number(94, 1)
    data = message(1, number(1, 1) + number(2, 2))
    data += message(2, number(1, 1) + number(2, 7) + number(98, 1) + message(3, number(1, 4) + number(2, 5) + number(97, 1)))
    data += message(3, number(1, 1) + number(96, 1)) + message(4, number(1, 1) + message(4, line) + number(95, 1))
    data += message(5, number(1, 1) + number(2, 3) + number(93, 1)) + number(99, 1)
    data += b"".join(message(6, name) for name in names)
    fields = ("Sample.98", "Label.97", "Mapping.96", "Location.95", "Line.94", "Function.93", "Profile.99")
    return {"unread.field." + f: 1 for f in fields}, data


def otlp():
    story = otlpmake.Story("unread")
    data = story.encode("1.10") + message(1, message(2, message(2, message(2, number(98, 1)) + number(97, 1)) + number(96, 1)) + number(95, 1))
    return {"unread.field.%s" % f: 1 for f in ("Sample.98", "Profile.97", "ScopeProfiles.96", "ResourceProfiles.95")}, data


def perfetto():
    return {"unread.packet.140": 1, "unread.packet.1234": 2,
            "unread.kernel.mm_page_alloc": 2,
            "unread.kernel.ext4_da_write_begin": 1, "unread.kernel.639": 1}, corpus("perfetto/unread_more")


def chrome():
    events = [{"ph": "X", "ts": 1000 * i, "dur": 500, "pid": 1, "tid": 1, "name": "work"} for i in range(3)]
    events += [{"ph": "Z", "ts": 100, "pid": 1, "tid": 1, "name": "zebra"}, {"ph": "zebra", "ts": 100, "pid": 1, "tid": 1},
               {"ph": "X", "ts": 100, "pid": 1, "tid": 1, "name": "x", "stack": ["a"]}]
    events[1]["stripes"] = events[2]["stripes"] = {"dur": 1}
    events[1].update({"cat": "c", "tts": 1, "tdur": 1, "args": {"hooves": 1}, "id": 1, "cname": "good"})
    return {"unread.phase.Z": 1, "unread.entries": 1, "unread.stack": 1, "unread.key.zebras": 1, "unread.key.stripes": 2,
            "context.savanna": 1, "context.deviceProperties": 1, "context.WARNING": 1, "context.recordShapes": 1}, \
        json.dumps({"traceEvents": events, "zebras": [1], "savanna": {"stripes": [1]}, "deviceProperties": [{"id": 0}], "WARNING": ["late"], "recordShapes": 1}).encode()


def fields():
    """Fields of Perfetto's packets that are read."""
    data = b""
    for packet in (message(7, message(19, message(1, "/top-app"))) + number(10, 1), message(9, message(1, number(1, 9) + number(21, 5) + number(11, 3))),
                   message(60, number(1, 7) + message(2, "zebra")),
                   message(11, number(9, 3) + number(11, 7) + message(23, "x") + number(56, 3) + number(99, 1)) + number(10, 1)):
        data += message(1, number(8, 1000 + len(data)) + packet)
    return {"unread.field.sys_stats.cgroup": 1, "unread.field.process_stats.runtime_user": 1, "unread.field.process_stats.threads": 1,
            "unread.field.track_event.callstack": 1, "unread.field.track_event.99": 1}, data


def inside():
    """Unknown fields of messages inside packets that are read, and known ones that are not shown."""
    state = number(10, 1)
    surface = number(1, 1) + number(2, 2) + number(3, 3) + number(4, 9) + message(5, "layer")
    track = number(1, 7) + message(2, "zebras") + message(8, number(3, 3) + message(2, "hooves") + number(77, 1)) + number(88, 1)
    threads = number(1, 8) + message(4, number(1, 9) + number(2, 10) + message(5, "main") + number(76, 1)) + message(14, "stripes") + number(12, 1)
    process = number(1, 6) + message(3, number(1, 9) + message(2, "zebra") + number(75, 1)) + message(6, number(1, 1) + number(74, 1)) + message(7, number(73, 1))
    data = message(1, message(6, message(1, number(1, 6) + number(2, 1)) + message(1, number(1, 1) + number(2, 1))))
    for packet in (state + number(41, 1) + message(12, message(2, number(1, 1) + message(2, "work")) + message(300, number(1, 1)) + message(25, number(1, 1))) +
                   message(59, number(58, 6) + number(72, 1)),
                   state + message(60, track), state + message(60, threads), state + message(60, process), message(44, number(1, 9) + number(2, 10) + number(71, 1)),
                   state + message(11, number(9, 1) + number(10, 1) + number(11, 8) + message(6, number(70, 1))), state + message(11, number(9, 2) + number(11, 8)),
                   message(76, message(4, surface + number(11, 1) + number(69, 1))), message(76, message(5, number(1, 1))),
                   message(52, message(1, message(1, number(1, 1) + message(2, "busy") + number(68, 1))) + message(2, number(1, 1) + number(2, 5)) + number(67, 1)),
                   message(2, message(1, number(1, 9) + message(3, "zebra") + number(6, 1) + number(66, 1)) + message(2, number(1, 10) + number(65, 1)) + number(64, 1)),
                   message(39, message(1, number(2, 9) + number(3, 10) + number(5, 1) + number(7, 4) + message(8, "x") + number(4, 1) + number(63, 1)))):
        data += message(1, number(8, 1000 + len(data)) + packet)
    facts = ("interned_data.300", "interned_data.histogram_names", "trace_packet_defaults.72", "track_descriptor.88", "counter_descriptor.77", "counter_descriptor.categories",
             "thread_descriptor.76", "track_descriptor.description", "process_descriptor.75", "chrome_process.74", "chrome_thread.73",
             "thread_descriptor.71", "track_event.legacy_event.70", "frame_timeline_event.surface_frame.69", "frame_timeline_event.surface_frame.is_buffer", "gpu_counter_event.specs.68",
             "gpu_counter_event.67", "process_tree.processes.66", "process_tree.processes.nspid", "process_tree.threads.65", "process_tree.64", "android_log.events.uid", "android_log.events.63")
    return {"unread.field." + f: 1 for f in facts}, data


def packets():
    """A packet of each number: each that is not read is named, those of no name by number."""
    about = {3, 8, 10, 12, 13, 41, 42, 58, 59, 79, 87, 98}
    read = {1, 2, 6, 7, 9, 11, 33, 34, 35, 36, 37, 38, 39, 40, 43, 44, 45, 47, 50, 52, 54, 56, 60, 61, 64, 66, 69, 70, 76, 82, 86, 89, 90, 117, 118, 120, 122, 131, 135}
    data = message(1, number(10, 1) + number(41, 1) + number(8, 1) + message(60, number(1, 8) + message(4, number(1, 9) + number(2, 10))))
    for kind in (1, 2):
        data += message(1, number(10, 1) + number(8, kind) + message(11, number(9, kind) + number(11, 8) + message(23, "work")))
    for i in range(1, 146):
        data += message(1, number(10, 1) + number(8, 10) + message(i, b"")) if i not in about | read else b""
    return {"unread.packet." + slowperfetto.PACKET_NAMES.get(i, str(i)): 1 for i in range(1, 146) if i not in about | read}, data


def kernel():
    """A switch, and an event with a long name."""
    switch = message(4, message(1, "a") + number(2, 1) + number(3, 120) + number(4, 1) + message(5, "b") + number(6, 2) + number(7, 120))
    event = lambda time, what: message(2, number(1, time) + number(2, 1) + what)
    return {"unread.kernel.ext4_es_find_delayed_extent_range_enter": 1}, \
        message(1, message(1, number(1, 0) + event(1000, switch) + event(2000, message(150, number(1, 1)))) + number(10, 1))


def speedscope():
    profile = {"type": "sampled", "name": "main", "unit": "none", "startValue": 0, "endValue": 1, "samples": [[0]], "weights": [1]}
    return {"unread.key.zebras": 1}, json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "zebras": 1,
                                                 "shared": {"frames": [{"name": "main"}]}, "profiles": [profile]}).encode()


def gecko():
    """Columns, and rows with a schema."""
    table = lambda **columns: {"length": 1, "nothings": [None], **columns}
    thread = {"name": "main", "pid": 1, "tid": 1, "registerTime": 0, "hooves": {"a": 1}, "pausedRanges": [], "stringArray": ["main"],
              "samples": table(stack=[0, 0], time=[1, 2], eventDelay=[1, 2]), "stackTable": table(frame=[0], prefix=[None], stripes=[1]),
              "frameTable": table(func=[0], line=[7]), "funcTable": table(name=[0], isJS=[False]), "manes": table(a=[1])}
    rows = {"name": "raw", "pid": 1, "tid": 2, "stringTable": ["main"],
            "samples": {"schema": {"stack": 0, "time": 1, "tails": 2}, "data": [[0, 1, 3]]},
            "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[None, 0]]}, "frameTable": {"schema": ["location", "ears"], "data": [[0, 1]]}}
    counter = {"name": "c", "pid": 1, "samples": table(time=[1], count=[2], number=[1], spots=[1])}
    facts = ("zebras", "threads.hooves", "threads.manes", "samples.eventDelay", "stackTable.stripes", "frameTable.line", "samples.tails", "frameTable.ears",
             "counters.spots")
    return {"unread.key." + f: 1 for f in facts}, json.dumps({"meta": {"preprocessedProfileVersion": 50, "interval": 1}, "threads": [thread, rows],
                                                              "counters": [counter], "zebras": 1, "pages": []}).encode()


def cpuprofile():
    """Ticks of lines: of a function in two lines, in one, in none; nothing, and no list."""
    ticks = [{"line": 13, "ticks": 8}, {"line": 17, "ticks": 2}], [{"line": 1, "ticks": 1}], [], None, 5
    nodes = [{"id": 1 + i, "callFrame": {"functionName": "main", "scriptId": "0", "url": "", "lineNumber": i, "columnNumber": 0}, "hitCount": 1, "positionTicks": t}
             for i, t in enumerate(ticks)]
    return {"unread.key.zebras": 1}, json.dumps({"nodes": nodes, "startTime": 0, "endTime": 9, "samples": [1], "timeDeltas": [5], "zebras": 1}).encode()


def sched():
    lines = demo("sched.txt.gz").split(b"\n")
    at = [i for i, line in enumerate(lines) if b"sched_switch:" in line][5]
    head = lines[at].split(b"sched_switch:")[0]
    lines[at:at] = [head + b"ext4_sync_fs: dev 8,1 wait 1"] * 2 + [head + b"sched_stat_sleep: comm=a pid=1 delay=9 [ns]"] * 3 + \
        [head + b"sched_migrate_task: comm=a pid=1 prio=120 orig_cpu=0 dest_cpu=1", head + b"sched_process_fork: comm=a pid=1 child_comm=a child_pid=9"]
    return {"unread.kernel.ext4_sync_fs": 2, "context.sched_stat_sleep": 3, "context.sched_migrate_task": 1, "context.sched_process_fork": 1}, b"\n".join(lines)


def perf_records():
    """So much text that its parts are read in parallel; records of lost events are losses."""
    sample = "app 1/1 [000] 1.%06d: 3 cycles: \n\t 10 main+0x1 (/bin/%s)\n\t 12 _start+0x2 (/bin/app)\n\n"
    record = "app 1/1 [000] 1.%06d: PERF_RECORD_%s\n\n"
    text = ""
    for i in range(8):
        text += sample % (100000 * i, "x" * 200) * 5000
        text += record % (100000 * i + 1, "MMAP2 1/1: [0x1(0x2) @ 0 08:01 1 2]: r-xp /x") + record % (100000 * i + 2, "ZEBRA stripes: 3" if i % 2 else "LOST lost 3")
    return {"unread.record.MMAP2": 8, "unread.record.ZEBRA": 4, "loss.events": 12}, text.encode()


def stray(name, mark=b"\nzebra zebra zebra\n"):
    return None, corpus(name) + mark


def ofx():
    data = demo("money.ofx.gz").replace(b"<STMTTRN>", b"<STMTTRN><ZEBRA>1", 2)
    return {"unread.element.ZEBRA": 2}, data


def snapshot():
    d = json.loads(corpus("v8heap/page"))
    meta, width = d["snapshot"]["meta"], len(d["snapshot"]["meta"]["node_fields"])
    meta["node_fields"].append("stripes")
    meta["node_types"].append("number")
    rows = [d["nodes"][i:i + width] + [7] for i in range(0, len(d["nodes"]), width)]
    to = meta["edge_fields"].index("to_node")
    d["edges"] = [e // width * (width + 1) if i % len(meta["edge_fields"]) == to else e for i, e in enumerate(d["edges"])]
    d.update({"nodes": sum(rows, []), "zebras": [1], "hooves": []})
    return {"unread.field.stripes": len(rows), "unread.key.zebras": 1}, json.dumps(d).encode()


def simpleperf():
    data = corpus("simpleperf/report")
    record = message(9, "zebra")
    return {"unread.record.9": 2}, data[:-4] + 2 * (struct.pack("<I", len(record)) + record) + data[-4:]


LOADERS = {
    "trace": trace, "hprof": hprof, "jfr": jfr, "pprof": pprof, "otlp": otlp, "perfetto": perfetto, "perfetto fields": fields, "perfetto kernel": kernel,
    "perfetto followers": lambda: ({"unread.field.perf_sample.follower_counts": 1}, b"".join(perfettocases.followers())),
    "perfetto messages": inside, "perfetto packets": packets,
    "json": chrome, "json speedscope": speedscope, "json gecko": gecko, "json cpuprofile": cpuprofile, "sched": sched, "ofx": ofx,
    "classes": classes, "v8heap": snapshot, "simpleperf": simpleperf,
    "graph": lambda: ({"unread.kernel.zebra": 2, "unread.kernel.print": 1},
                       corpus("sched/graph_switches") + b" 0)               |  /* zebra: a=1 */\n" * 2),
    "functions": lambda: ({"unread.kernel.zebra": 2, "unread.kernel.sched_wakeup": 1},
                           corpus("sched/functions") + b"          <idle>-0       [000] d..1.  9999.000000: zebra: 1\n" * 2),
    "ruby": lambda: ({"unread.object_lines": 1}, corpus("ruby/catalog") + b'{"zebra":1}\n'),
    "stacks": lambda: ({"unread.lines": 1}, corpus("stacks/hotspot") + b"\nzebra zebra\n"),
    "stacks forms": lambda: ({"unread.form.gdb": 1, "unread.form.Linux_kernel": 1, "unread.lines": 28},
                             corpus("stacks/hotspot") + corpus("stacks/gdb") + corpus("stacks/kernel")),
    "tracers": lambda: stray("tracers/dtrace"), "callgrind": lambda: stray("callgrind/threads"), "perf": lambda: stray("perf/whole"), "perf records": perf_records,
    "nanoscope": lambda: (None, b"10:void a.b.C.d()\n20:void a.b.C.e()\n30:POP\nzebra\n40:POP\n"), "triage": lambda: stray("triage/rows", b'{"row":"zebra","schema":1,"key":"x"}\n'),
    "counts": lambda: ({"unread.report_lines": 1}, corpus("counts/summary").replace(b"(classes #591)", b"(classes #591)\n  (zebra zebra)")),
    "folded": lambda: (None, b"main;work 5\nmain;idle 2\nzebra zebra\n" * 3),
}
# Everything in a table is a record or a column, and all of them are shown.
WHOLE = {"table"}


def first_screen(program, path, scratch):
    keys = os.path.join(scratch, "first.keys")
    with open(keys, "w", encoding="utf-8") as f:
        f.write("size 80x24\nframe\n")
    return program.run(["--no-index", "--keys", keys, path]).out


def check_loader(program, scratch, name, make):
    want, data = make()
    path = os.path.join(scratch, "a.txt" if want is None else "a." + name.split()[0])
    with open(path, "wb") as f:
        f.write(data)
    a = program.ask(path, "info", options=("--no-index",))
    if want is None:
        screen = first_screen(program, path, scratch)
        tap.check("%s: a stray line is counted on the first screen" % name, a.code not in (0, 3) and a,
                  not re.search(r"(?m)^[> ]*(not read|repairs|losses) +[1-9]", screen) and screen)
        return
    facts = {row["field"]: row["value"] for row in a.tables()[0].rows}
    tap.check("%s: info counts what is unknown" % name, a.code not in (0, 3) and a, facts.get("loader") != name.split()[0] and facts.get("loader"),
              *("%s: %s instead of %d" % (k, facts.get(k), n) for k, n in want.items() if facts.get(k) != str(n)),
              ["%s is in no list" % k for k in facts if k.startswith(("unread.", "context.")) and k not in want])
    overview = program.ask(path, "overview", options=("--no-index",)).out
    tap.check("%s: no losses of none beside it" % name, re.search(r"(?m)^losses\t\t\tnone|^losses +none", overview))
    listed = [(" jdk." in kind, -int(re.match("[0-9]{1,3}( [0-9]{3})*(?= )", kind).group().replace(" ", ""))) for line in re.findall(r"(?m)^not read\t\t\t([^\t]*)", overview)
              for kind in line.split(", ") if re.match("[0-9]", kind) and not re.search(" more kind| in all", kind)]
    tap.check("%s: the most frequent first" % name, not listed and overview, listed != sorted(listed) and listed)
    shown = {k.split(".", 2)[2] for k in want if k.count(".") > 1 and k.startswith("unread.")}
    hidden = {k.split(".", 1)[1] for k in want if k.startswith("context.")}
    for where, text in (("overview", overview), ("screen", first_screen(program, path, scratch)),
                        ("report", program.run(["--no-index", "--report", path]).out),
                        ("page", program.run(["--no-index", "--report", "-o", "html", path]).out)):
        tap.check("%s: names in %s" % (name, where), "not read" not in text and text,
                  *("%s is missing in %s" % (k, text) for k in shown if k not in text and "more kind" not in text),
                  *("%s is in %s" % (k, text) for k in hidden if k in text))


def check_triage(program, scratch):
    """A file of which nothing could be shown is not clean."""
    path = os.path.join(scratch, "only.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": [{"ph": "Z", "ts": 1, "pid": 1, "tid": 1, "name": "zebra"}]}, f)
    p = program.run(["triage", "--one", "a", path])
    row = json.loads(p.out.splitlines()[0])
    tap.check("triage: not read, with the reason and status 5", row["state"] != "not read" and row, "Z" not in row["reason"] and row,
              row["exit"] != 5 and row)
    tap.check("the file alone ends with status 5", program.ask(path, "overview", options=("--no-index",)).code != 5)
    out = os.path.join(scratch, "out")
    p = program.run(["triage", "-o", out, path])
    tap.check("triage counts it apart", "0 clean" not in p.err and p.err, "1 not read" not in p.err and p.err)


def main(build, scratch):
    program = answers.program_of(build)
    listed = {line.split()[0] for line in program.run(["--list-formats"]).out.splitlines()}
    tap.check("each loader has a file", listed - {name.split()[0] for name in LOADERS} - WHOLE)
    for name, make in LOADERS.items():
        check_loader(program, scratch, name, make)
    check_triage(program, scratch)
    print("1..%d" % tap.count)


main(*sys.argv[1:])
