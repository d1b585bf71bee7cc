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
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import codemake  # noqa: E402
import jfrfile  # noqa: E402
import tap  # noqa: E402
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


def jfr():
    chunk = jfrfile.Chunk()
    chunk.types = {**chunk.types, "app.Zebra": [jfrfile.Field("startTime:long@jdk.jfr.Timestamp=TICKS"), jfrfile.Field("stripes:int")]}
    stack = jfrfile.stack([(jfrfile.method("app/Main", "run"), 1, "Interpreted")])
    for i in range(5):
        chunk.event("jdk.ExecutionSample", startTime=chunk.start + 1000 * i, sampledThread=jfrfile.thread(1, "main", 1), stackTrace=stack)
    for i in range(3):
        chunk.event("app.Zebra", startTime=chunk.start + 1000 * i, stripes=i)
    chunk.checkpoint()
    chunk.metadata()
    return {"unread.event.app.Zebra": 3}, chunk.bytes()


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
    return {**{"unread.field." + f: 1 for f in fields}, "unread.key.endpoint": 1}, data


def perfetto():
    return {"unread.packet.heap_graph": 2, "unread.packet.zstd_compressed_packets": 1, "unread.packet.140": 1, "unread.packet.1234": 2,
            "unread.kernel.mm_page_alloc": 2, "unread.kernel.639": 1}, corpus("perfetto/unread_more")


def chrome():
    events = [{"ph": "X", "ts": 1000 * i, "dur": 500, "pid": 1, "tid": 1, "name": "work"} for i in range(3)]
    events += [{"ph": "Z", "ts": 100, "pid": 1, "tid": 1, "name": "zebra"}, {"ph": "zebra", "ts": 100, "pid": 1, "tid": 1},
               {"ph": "i", "ts": 100, "pid": 1, "tid": 1, "name": "x", "stack": ["a"]}]
    return {"unread.phase.Z": 1, "unread.entries": 1, "unread.stack": 1, "unread.key.zebras": 1}, \
        json.dumps({"traceEvents": events, "zebras": [1]}).encode()


def fields():
    """Fields of Perfetto's packets that are read."""
    data = b""
    for packet in (message(7, message(13, message(1, "sda"))) + number(10, 1), message(9, message(1, number(1, 9) + number(21, 5) + number(11, 3))),
                   message(60, number(1, 7) + message(2, "zebra")),
                   message(11, number(9, 3) + number(11, 7) + message(23, "x") + number(56, 3) + number(99, 1)) + number(10, 1)):
        data += message(1, number(8, 1000 + len(data)) + packet)
    return {"unread.field.sys_stats.disk_stat": 1, "unread.field.process_stats.runtime_user": 1, "unread.field.process_stats.threads": 1,
            "unread.field.track_event.callstack": 1, "unread.field.track_event.99": 1}, data


def speedscope():
    profile = {"type": "sampled", "name": "main", "unit": "none", "startValue": 0, "endValue": 1, "samples": [[0]], "weights": [1]}
    return {"unread.key.zebras": 1}, json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "zebras": 1,
                                                 "shared": {"frames": [{"name": "main"}]}, "profiles": [profile]}).encode()


def cpuprofile():
    node = {"id": 1, "callFrame": {"functionName": "main", "scriptId": "0", "url": "", "lineNumber": 0, "columnNumber": 0}, "hitCount": 1}
    return {"unread.key.zebras": 1}, json.dumps({"nodes": [node], "startTime": 0, "endTime": 9, "samples": [1], "timeDeltas": [5], "zebras": 1}).encode()


def sched():
    lines = demo("sched.txt.gz").split(b"\n")
    at = [i for i, line in enumerate(lines) if b"sched_switch:" in line][5]
    lines[at:at] = [lines[at].split(b"sched_switch:")[0] + b"zebra_event: stripes=3"] * 2
    return {"unread.kernel.zebra_event": 2}, b"\n".join(lines)


def stray(name, mark=b"\nzebra zebra zebra\n"):
    return None, corpus(name) + mark


def ofx():
    data = demo("money.ofx.gz").replace(b"<STMTTRN>", b"<STMTTRN><ZEBRA>1", 2)
    return {"unread.element.ZEBRA": 2}, data


LOADERS = {
    "trace": trace, "hprof": hprof, "jfr": jfr, "pprof": pprof, "perfetto": perfetto, "perfetto fields": fields, "json": chrome, "json speedscope": speedscope,
    "json cpuprofile": cpuprofile, "sched": sched, "ofx": ofx,
    "classes": classes,
    "stacks": lambda: ({"unread.lines": 4}, corpus("stacks/hotspot") + b"\nzebra zebra\n"),
    "tracers": lambda: stray("tracers/dtrace"), "callgrind": lambda: stray("callgrind/threads"), "perf": lambda: stray("perf/whole"),
    "nanoscope": lambda: (None, b"10:void a.b.C.d()\n20:void a.b.C.e()\n30:POP\nzebra\n40:POP\n"), "triage": lambda: stray("triage/rows", b'{"row":"zebra","schema":1,"key":"x"}\n'),
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
              *("%s: %s instead of %d" % (k, facts.get(k), n) for k, n in want.items() if facts.get(k) != str(n)))
    overview = program.ask(path, "overview", options=("--no-index",)).out
    tap.check("%s: no losses of none beside it" % name, re.search(r"(?m)^losses\t\t\tnone|^losses +none", overview))
    shown = {k.split(".", 2)[2] for k in want if k.count(".") > 1}
    for where, text in (("overview", overview), ("screen", first_screen(program, path, scratch)),
                        ("report", program.run(["--no-index", "--report", path]).out),
                        ("page", program.run(["--no-index", "--report", "-o", "html", path]).out)):
        tap.check("%s: names in %s" % (name, where), "not read" not in text and text,
                  *("%s is missing in %s" % (k, text) for k in shown if k not in text and "more kind" not in text))


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
