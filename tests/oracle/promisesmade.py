# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""promisesmade.py: files with known faults, each with the facts that they must have, for promisescheck.py."""
import datetime
import json
import os
import struct

import made  # noqa: F401: the folder of makers
import perfettomake
import recorded

DUPLICATES, UNKNOWN, OVERHEAD, CLOCK = 2, 3, 300, 1700000000
WRONG, UNOPENED, SECONDS = 5, 4, 12


def trace_text():
    """The text of a method trace: a thread that is listed three times, and a clock that takes time to read."""
    lines = ["*version", "3", "data-file-overflow=false", "clock=dual", "elapsed-time-usec=90", "num-method-calls=%d" % (8 + UNKNOWN)]
    lines += ["clock-call-overhead-nsec=%d" % OVERHEAD, "vm=art", "pid=7", "*threads", "7\tmain"]
    lines += ["7\tmain %d" % i for i in range(DUPLICATES)]
    return "\n".join(lines + ["*methods", "0x4\ta.B\trun\t()V\tB.java\t1", "0x8\ta.B\tgo\t()V\tB.java\t2", "*end"]).encode() + b"\n"


def trace_records():
    """Two calls in a call, twice, and actions that no version has."""
    actions = [4, 8, 9, 5, 4, 8, 9, 5] + [4 | 3] * UNKNOWN
    head = struct.pack("<4sHHQH", b"SLOW", 3, 32, 0, 14).ljust(32, b"\0")
    return head + b"".join(struct.pack("<HIII", 7, action, 10 * i, 11 * i) for i, action in enumerate(actions))


def perfetto():
    packets = perfettomake.plain() + [perfettomake.pkt(perfettomake.I(10, 1), perfettomake.B(33, perfettomake.I(3, 1000 * SECONDS)))]
    return b"".join(packets)


def events():
    """Events of Chrome; WRONG times are words."""
    good = [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(3)]
    return json.dumps(good + [dict(good[0], dur="long") for _ in range(WRONG)]).encode()


def sched():
    """Ends of markers that did not begin."""
    line = "  %s-%d [000] %d.000000: %s\n"
    switch = "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=%s next_pid=%d next_prio=120"
    rows = [("<idle>", 0, 1, switch % ("swapper/0", 0, "app", 9)), ("app", 9, 2, "tracing_mark_write: B|9|work")]
    rows += [("app", 9, 3 + i, "tracing_mark_write: E|9") for i in range(1 + UNOPENED)]
    rows += [("app", 9, 20, switch % ("app", 9, "swapper/0", 0))]
    return "".join(line % row for row in rows).encode()


def written(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(content)
    return path


def refused(folder):
    """Files without a record, and what is said of them."""
    text, records = trace_text(), trace_records()
    yield written(folder, "cut.trace", text), "truncated at byte %d, before the first record" % len(text)
    mangled = text + records[:32] + ("\ufffd" * 9 + records[32:].decode("utf-8", "replace")).encode()
    yield written(folder, "mangled.trace", mangled), "damaged by UTF-8 conversion from byte %d on" % (len(text) + 32)


def files(folder):
    """The paths of files, and facts of them."""
    dump, (recording,) = recorded.story()
    # The first event is 1000 s after the start of the clock.
    start = datetime.datetime.fromtimestamp(CLOCK + 1000, datetime.timezone.utc)
    yield [written(folder, "odd.trace", trace_text() + trace_records())], {
        "clock_overhead": OVERHEAD, "repair.dup_tids": DUPLICATES, "repair.action3": UNKNOWN, "loss.cut_text": 0, "loss.mangled": 0}
    yield [written(folder, "odd.pftrace", perfetto())], {
        "recorder_duration": SECONDS * 10 ** 9, "recorded_at": start.strftime("%Y-%m-%d %H:%M:%S UTC")}
    yield [written(folder, "odd.json", events())], {"repair.number": WRONG}
    yield [written(folder, "odd.sched", sched())], {"repair.unopened": UNOPENED}
    yield [written(folder, "app.hprof", dump), written(folder, "rec.jfr", recording)], {}
