#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfettocases.py NAME.pftrace - writes a small Perfetto trace that has what one test needs; of "." all of them.  NAME is one of

  frames    an app that draws two layers, whose frames are late for every reason; frames of the display that show them
  sampled   switches, reasons of sleeps and samples of stacks, but no calls
  counters  counters alone, of the battery and of the memory of two processes
  same      counters of one name, two of one process, one of another, one of none
  memory    parts of the memory of processes whose names end alike: one is large, one grows, one has the sum as well
  both      samples and the same counters, but no switches
  nested, nested_first    tracks below other tracks, of a process and of the system, with slices that nest
  before_frame  a late frame, and a call that began long before it
  drift     a clock whose distance changes
  flows     flows of old events, and at the ends of calls
  symbols   samples whose functions have names as compilers write them
  followers samples with two counters that were read with them, in both forms of a list of numbers; one has a third value without a name
  translated  calls, a slice and an instant whose names a table translates; it is the last packet and says one of them twice
"""
import sys

from perfettomake import B, I, bundle, clocks, fe, flows, pkt, ptree, switch, sync, uuid_pkt, waking

T = 10 ** 12        # ns of the trace clock
MS = 10 ** 6
APP, FLINGER = 100, 50


def begin():
    return [uuid_pkt(7, 9), clocks(T), sync(T),
            ptree(T, [(APP, 1, ["com.example.app"], 10001), (FLINGER, 1, ["/system/bin/surfaceflinger"], 1000), (2, 0, [], 0)],
                  [(APP, "m.example.app", APP), (FLINGER, "surfaceflinger", FLINGER), (2, "kworker/0:1", 2), (101, "worker", APP)])]


# ---- frames ------------------------------------------------------------------------------

NO, SCHEDULING, PREDICTION, CPU, APP_MISSED, STUFFING, FLINGER_STUFFING, NOT_ANIMATING = 1, 2, 4, 16, 64, 128, 512, 2048
ON_TIME, LATE, EARLY, DROPPED = 1, 2, 3, 4


def frame(ms, body):
    return int(T + ms * MS), pkt(I(8, int(T + ms * MS)), I(10, 7), B(76, body))


def surface(cookie, token, display, start, end, jank, present=ON_TIME, layer="TX - Main#1", expected=(0, 16), severity=None, gpu=0):
    """Times are ms; expected: from and to, or None."""
    same = I(2, token) + I(3, display) + I(4, APP) + B(5, layer)
    out = []
    if expected:
        out += [frame(start + expected[0], B(3, I(1, cookie) + same)), frame(start + expected[1], B(5, I(1, cookie)))]
    late = present in (LATE, DROPPED)
    out += [frame(start, B(4, I(1, cookie + 1) + same + I(6, present) + I(7, not late) + I(8, gpu) + I(9, jank) + I(10, 1)
                           + (I(12, severity) if severity else b""))),
            frame(end, B(5, I(1, cookie + 1)))]
    return out


def display(cookie, token, start, end, jank, present=ON_TIME):
    same = I(2, token) + I(3, FLINGER)
    return [frame(start, B(1, I(1, cookie) + same)), frame(start + 16, B(5, I(1, cookie))),
            frame(start, B(2, I(1, cookie + 1) + same + I(4, present) + I(5, present == ON_TIME) + I(7, jank) + I(8, 2) + I(9, 3))),
            frame(end, B(5, I(1, cookie + 1)))]


def frames():
    out = surface(10, 1, 101, 0, 12, NO, severity=1)
    out += surface(20, 2, 102, 20, 60, APP_MISSED, LATE, severity=3) + surface(30, 2, 102, 20, 62, APP_MISSED, LATE, "SurfaceView#2", severity=2, gpu=1)
    out += surface(40, 3, 103, 80, 95, CPU, LATE) + surface(50, 4, 104, 100, 130, STUFFING, LATE)
    out += surface(60, 5, 105, 140, 150, FLINGER_STUFFING, LATE) + surface(70, 6, 106, 160, 170, NO | 1024, DROPPED)
    out += surface(80, 7, 107, 180, 190, NOT_ANIMATING, LATE) + surface(90, 8, 108, 200, 210, 0, 0, expected=None)
    out += surface(100, 9, 109, 220, 230, PREDICTION | APP_MISSED, EARLY, expected=(-2, 14))
    out += surface(110, 10, 110, 231, 233, PREDICTION, LATE, expected=None) + surface(120, 11, 111, 234, 239, APP_MISSED, expected=None)
    out += display(200, 102, 60.5, 64, NO) + display(210, 103, 95.5, 99, SCHEDULING, LATE)
    events = [switch(T, 0, "swapper/0", 0, APP, "m.example.app"), mark_of("B|100|Choreographer#doFrame 2", 21), mark_of("B|100|decode", 22),
              mark_of("E|100", 55), mark_of("E|100", 58), switch(T + 240 * MS, APP, "m.example.app", 1, 0, "swapper/0")]
    return begin() + [bundle(0, events)] + [p for _, p in sorted(out, key=lambda one: one[0])]


def before_frame():
    """A call that began long before a late frame ends in it; most of the frame is spent in the next one."""
    out = surface(10, 1, 101, 0, 12, NO, severity=1) + surface(20, 2, 102, 120, 160, APP_MISSED, LATE, severity=3) + display(200, 102, 160.5, 164, NO)
    events = [switch(T, 0, "swapper/0", 0, APP, "m.example.app"), mark_of("B|100|load", 1), mark_of("E|100", 122), mark_of("B|100|decode", 122),
              mark_of("E|100", 158), switch(T + 240 * MS, APP, "m.example.app", 1, 0, "swapper/0")]
    return begin() + [bundle(0, events)] + [p for _, p in sorted(out, key=lambda one: one[0])]


def mark_of(text, ms):
    return fe(T + ms * MS, APP, 3, B(2, text + "\n"))


# ---- samples ------------------------------------------------------------------------------

def sampled():
    """The app waits for the disk, then sleeps; a kworker sleeps for longer."""
    name = {APP: "m.example.app", FLINGER: "surfaceflinger", 2: "kworker/0:1", 101: "worker", 0: "swapper/0"}
    at = lambda ms, old, state, new: switch(T + ms * MS, old, name[old], state, new, name[new])
    events = [at(0, 0, 0, APP), at(10, APP, 2, 2), at(11, 2, 1, FLINGER), waking(T + 40 * MS, FLINGER, APP, name[APP]),
              fe(T + 40 * MS, FLINGER, 18, I(1, APP) + I(2, 1) + I(3, 1)), at(41, FLINGER, 1, APP), at(50, APP, 1, 0),
              waking(T + 90 * MS, 0, 2, name[2]), at(91, 0, 0, 2), at(95, 2, 1, 0), waking(T + 99 * MS, 0, APP, name[APP]), at(100, 0, 0, APP),
              at(110, APP, 1, 101), at(111, 101, 1, 0)]
    return begin() + [pkt(I(10, 2), I(13, 1), B(12, B(26, I(1, 1) + B(2, "folio_wait_bit_common")))), bundle(0, events, I(13, 2))] + samples()


def samples(names=("main", "parse")):
    """Samples of one stack, outermost frame first."""
    stack = b"".join(B(5, I(1, i) + B(2, name)) + B(6, I(1, i) + I(2, i)) for i, name in enumerate(names, 1))
    stack += B(7, I(1, 1) + b"".join(I(2, i) for i in range(1, len(names) + 1)))
    one = [pkt(I(8, T + ms * MS), I(10, 9), I(13, 2), B(66, I(1, 0) + I(2, APP) + I(3, APP) + I(4, 1) + I(5, 2))) for ms in (2, 5, 45, 105)]
    return [pkt(I(10, 9), I(13, 1), B(59, B(12, B(1, I(2, 100) + I(4, 1))))), pkt(I(8, T), I(10, 9), I(13, 2), B(12, stack))] + one


# ---- counters -----------------------------------------------------------------------------

SYMBOLS = (
    "main", "_ZN4demo5parseERKSs", "_ZN4demo5CacheIiE3getEv.isra.0", "__ZN4demo7runLoopEv", "_ZN4core3fmt5write17h0123456789abcdefE",
    "_RNvNtCs1234_7mycrate3foo3bar", "_Znwm", "_Z", "_ZN4demo", "_R", "_Z1f" + "I" * 600,
    # Each argument is twice as long as the one before: the name would be longer than any memory.
    "_Z1fI1x1aIS0_S0_E" + "".join("S1_I%sE" % ("S%s_" % n * 2) for n in "23456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") + "EvT_",
    "_ZN" + "3abc" * 300 + "E")


def symbols():
    return begin() + samples(SYMBOLS)


def followers():
    rows = [(2, B(7, b"\x0a\x14")), (5, I(7, 30) + I(7, 40) + I(7, 50)), (45, B(7, b"\x32"))]
    defaults = B(1, I(2, 100) + I(4, 1)) + B(4, I(4, 11)) + B(4, I(4, 5) + B(10, "small faults"))
    return begin() + [pkt(I(10, 9), I(13, 1), B(59, B(12, defaults)))] + [
        pkt(I(8, T + ms * MS), I(10, 9), I(13, 2), B(66, I(1, 3) + I(2, APP) + I(3, APP) + I(5, 2) + I(6, ms) + values)) for ms, values in rows]


def translated():
    event = lambda ms, uuid, body, inn=b"": pkt(I(8, T + ms * MS), I(10, 5), I(13, 2), B(11, I(11, uuid) + body), inn)
    table = lambda *names: pkt(B(82, B(4, b"".join(B(1, B(1, old) + B(2, new)) for old, new in names))))
    return begin() + [
        pkt(I(8, T), I(10, 5), I(13, 1)), pkt(I(8, T), I(10, 5), I(13, 2), B(60, I(1, 10) + B(4, I(1, APP) + I(2, 101) + B(5, "worker")))),
        pkt(I(8, T), I(10, 5), I(13, 2), B(60, I(1, 11) + B(2, "jobs"))),
        event(0, 10, I(9, 1) + B(23, "a.a")), event(1, 10, I(9, 1) + I(10, 1), B(12, B(2, I(1, 1) + B(2, "b")))), event(2, 10, I(9, 1) + I(10, 1)),
        event(3, 10, I(9, 1) + B(23, "c")), event(4, 10, I(9, 3) + B(23, "d"))] + [event(5 + i, 10, I(9, 2)) for i in range(4)] + [
        event(2, 11, I(9, 1) + B(23, "e")), event(3, 11, I(9, 2)), table(("a.a", "Feed.load"), ("b", "Feed.old"), ("d", "cache full")),
        table(("b", "Feed.decode"), ("e", "upload"), ("f", "unused")), pkt(B(82, B(1, B(1, I(1, 5) + B(2, "Tab.Load")))))]


def both():
    return counters() + samples()


def counters():
    out = begin()
    for ms, charge, app, flinger in ((0, 3000000, 81000, 40000), (10, 2999000, 99000, 40000), (50, 2995000, 90000, 41000)):
        at = I(8, T + ms * MS) + I(10, 3)
        out += [pkt(at, B(38, I(1, charge) + I(3, -400 & (1 << 64) - 1))),
                pkt(at, B(9, B(1, I(1, APP) + I(3, app) + I(10, 900)) + B(1, I(1, FLINGER) + I(3, flinger))))]
    return out


def same():
    out = begin() + [pkt(I(8, T), I(10, 5), I(13, 1))]
    process = lambda uuid, pid: pkt(I(8, T), I(10, 5), I(13, 2), B(60, I(1, uuid) + B(3, I(1, pid))))
    counter = lambda uuid, parent: pkt(I(8, T), I(10, 5), I(13, 2), B(60, I(1, uuid) + I(5, parent) + B(2, "temp") + B(8, b"")))
    out += [process(1, APP), process(2, FLINGER), counter(10, 1), counter(11, 2), counter(12, 1), counter(13, 0)]
    for i in (0, 1):
        out += [pkt(I(8, T + 10 * MS * i), I(10, 5), I(13, 2), B(11, I(9, 4) + I(11, 10 + k) + I(30, 10 ** k * (5 + i)))) for k in range(4)]
    return out


def memory():
    names = {300: "com.example.photos.viewer", 301: "com.example.photos.uploader", 302: "com.example.photos.helper", 303: "com.example.photos.helper"}
    out = [uuid_pkt(7, 9), clocks(T), sync(T), ptree(T, [(pid, 1, [name], 10001) for pid, name in names.items()], [])]
    for i in range(5):
        parts = lambda anon, file: I(4, anon) + I(5, file) + I(7, 100)
        values = {300: parts(300000, 50000), 301: parts(9000 + 40000 * i, 8000), 302: I(3, 9000 - 1000 * i) + parts(5000, 4000), 303: parts(12000, 4000)}
        out.append(pkt(I(8, T + 250 * i * MS) + I(10, 3), B(9, b"".join(B(1, I(1, pid) + body) for pid, body in values.items()))))
    return out


def nested(network=5):
    track = lambda uuid, parent, name, more=b"": pkt(I(8, T), I(10, 5), I(13, 2), B(60, I(1, uuid) + I(5, parent) + B(2, name) + more))
    event = lambda ms, uuid, body: pkt(I(8, T + ms * MS), I(10, 5), I(13, 2), B(11, B(22, "gpu") + I(11, uuid) + body))
    begin_of = lambda ms, uuid, name: event(ms, uuid, I(9, 1) + B(23, name))
    end_of = lambda ms, uuid: event(ms, uuid, I(9, 2))
    out = begin() + [pkt(I(8, T), I(10, 5), I(13, 1))]
    out += [track(1, 0, "", B(3, I(1, APP))), track(2, 1, "GPU"), track(3, 2, "Queue 1"), track(4, 2, "Queue 2"), track(5, 3, "Pass"),
            track(6, 1, "Pass"), track(7, 1, "Network"), track(8, 0, "System"), track(9, 8, "Pass")]
    # A thread has calls, so that the file has more than slices.
    out += [track(10, 1, "", B(4, I(1, APP) + I(2, 101) + B(5, "worker"))), begin_of(0, 10, "run"), end_of(100, 10)]
    out += [begin_of(10, 3, "submit"), begin_of(20, 3, "wait"), end_of(30, 3), end_of(50, 3), begin_of(15, 4, "copy"), end_of(25, 4),
            begin_of(12, 5, "shadows"), end_of(18, 5), begin_of(18, 5, "colours"), end_of(40, 5), begin_of(60, 6, "alone"), end_of(70, 6),
            begin_of(network, 7, "GET /a"), begin_of(network + 1, 7, "connect"), begin_of(network + 2, 7, "look up"), end_of(network + 3, 7),
            end_of(network + 4, 7), end_of(network + 25, 7),
            begin_of(80, 9, "of the system"), end_of(90, 9)]
    # A chain of 12 tracks.
    out += [track(20 + i, 19 + i if i else 1, "level %d" % i) for i in range(12)] + [begin_of(91, 31, "deep"), end_of(92, 31)]
    return out


def drift():
    """A clock that is 1 ms further away in its second snapshot, with calls before, at and after it."""
    mono = lambda ms, off: T + ms * MS - 5 * 10 ** 9 - off * MS
    call = lambda at, body: pkt(I(8, at), I(58, 3), I(10, 5), I(13, 2), B(11, I(11, 10) + body))
    out = begin() + [clocks(T + 100 * MS, mono_off=-5001 * MS), pkt(I(8, T), I(10, 5), I(13, 1)),
                     pkt(I(8, T), I(10, 5), I(13, 2), B(60, I(1, 10) + B(4, I(1, APP) + I(2, 101) + B(5, "worker"))))]
    for name, begins, ends in (("before", mono(90, 0), mono(95, 0)), ("at", mono(100, 1), mono(105, 1)), ("after", mono(110, 1), mono(120, 1))):
        out += [call(begins, I(9, 1) + B(23, name)), call(ends, I(9, 2))]
    return out


if __name__ == "__main__":
    cases = {"frames.pftrace": frames, "sampled.pftrace": sampled, "counters.pftrace": counters, "same.pftrace": same, "memory.pftrace": memory,
             "both.pftrace": both, "symbols.pftrace": symbols, "followers.pftrace": followers, "translated.pftrace": translated,
             "flows.pftrace": flows, "nested.pftrace": nested, "nested_first.pftrace": lambda: nested(40), "before_frame.pftrace": before_frame, "drift.pftrace": drift}
    for name in list(cases) if sys.argv[1] == "." else sys.argv[1:]:
        with open(name, "wb") as f:
            f.write(b"".join(cases[name.rsplit("/", 1)[-1]]()))
