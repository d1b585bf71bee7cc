# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Samples inside calls against a slow model, for chromecheck.py: which frames are open in each piece of time of a thread."""
import json

import chrome

QUIET = {"(program)", "(idle)", "(root)", "[root]"}


def samples_of(j):
    """By thread: (time, end of the last one, names from the outermost one on) in order of time."""
    nodes, out, ends = {}, {}, {}
    for e in j["traceEvents"]:
        data = e.get("args", {}).get("data", {})
        if e["name"] == "Profile":
            out[e["id"]], nodes[e["id"]] = [e["tid"], chrome.ns(data["startTime"])], {}
    for e in j["traceEvents"]:
        data = e.get("args", {}).get("data", {})
        if e["name"] == "ProfileChunk":
            nodes[e["id"]] = {n["id"]: (n["callFrame"]["functionName"], n.get("parent")) for n in data["cpuProfile"]["nodes"]}
            at = out[e["id"]][1]
            for node, delta in zip(data["cpuProfile"]["samples"], data["timeDeltas"]):
                at += chrome.ns(delta)
                out[e["id"]].append((at, node))
            ends[out[e["id"]][0]] = chrome.ns(data["endTime"])
    threads = {v[0]: [(t, names(nodes[k], x)) for t, x in sorted(v[2:], key=lambda s: s[0])] for k, v in out.items()}
    frames = {str(k): (v["name"], v.get("parent")) for k, v in j.get("stackFrames", {}).items()}
    for s in j.get("samples", []):
        threads.setdefault(s["tid"], []).append((chrome.ns(s["ts"]), names(frames, str(s["sf"]), str)))
    return {t: (sorted(rows, key=lambda s: s[0]), ends.get(t)) for t, rows in threads.items()}


def names(nodes, at, key=lambda x: x):
    found = []
    while at is not None:
        name, at = nodes[at]
        found.insert(0, name)
        at = None if at is None else key(at)
    return found


def shown(rows):
    """The frames that each sample shows: none of idle ones; a collection is in the function before it."""
    before, out = [], []
    for time, stack in rows:
        if stack[-1] == "(garbage collector)":
            stack = before + stack[-1:]
        else:
            stack = before = [] if stack[-1] in QUIET else stack
        out.append((time, [name for name in stack if name not in QUIET]))
    return out


def step_of(rows):
    gaps = sorted(b[0] - a[0] for a, b in zip(rows, rows[1:]))
    return 2 << (max(1, gaps[len(gaps) // 2 if len(gaps) % 2 else len(gaps) // 2]).bit_length() - 1) if gaps else 2


def nested(spans):
    """Calls of a thread with the calls around them; a longer one is cut to end with the one around it."""
    open_, out = [], []
    for start, length, order, name in sorted(spans, key=lambda s: (s[0], -s[1], s[2])):
        while open_ and open_[-1][1] <= start:
            open_.pop()
        end = min([start + length] + [c[1] for c in open_[-1:]])
        call = (start, end, name, len(out))
        open_.append(call)
        out.append((call, list(open_)))
    return out


def model(path):
    """By thread and stack: the self time, with samples and without."""
    with open(path) as f:
        j = json.load(f)
    spans, full, alone = {}, {}, {}
    for order, e in enumerate(j["traceEvents"]):
        if e["ph"] == "X":
            spans.setdefault(e["tid"], []).append((chrome.ns(e["ts"]), chrome.ns(e["dur"]), order, e["name"]))
    first = min([chrome.ns(e["ts"]) for e in j["traceEvents"] if e["ph"] != "M"])
    for tid, (rows, end) in samples_of(j).items():
        calls = nested(spans.get(tid, []))
        around = lambda t: max((c for c in calls if c[0][0] <= t < c[0][1]), key=lambda c: len(c[1]), default=(None, []))[1]
        rows = [(max(t, first), stack) for t, stack in shown(rows)]
        step = step_of(rows)
        last = end if end is not None else 2 * rows[-1][0] - rows[-2][0]
        until = [t for t, _ in rows[1:]] + [max(rows[-1][0], min(last, rows[-1][0] + step))]
        edges = sorted({t for c, _ in calls for t in c[:2]} | {t for t, _ in rows} | set(until))
        for a, b in zip(edges, edges[1:]):
            chain, stack = around(a), []
            for (t, frames), stop in zip(rows, until):
                if t <= a < stop and around(t) == chain:
                    stack = frames
            for out, names_ in ((full, stack), (alone, [])):
                key = ";".join([c[2] for c in chain] + names_)
                if key:
                    out[key] = out.get(key, 0) + b - a
    return full, alone


def asked(program, path, *options):
    """Self time by stack, of all threads."""
    a = program.ask(path, "calls | select id parent method self_wall", options=("--no-index",) + options)
    got, stacks = {}, {"0": ()}
    for r in a.tables()[0].rows if a.out else []:
        stacks[r["id"]] = stacks[r["parent"]] + (r["method"],)
        if int(r["self_wall"]):
            key = ";".join(stacks[r["id"]])
            got[key] = got.get(key, 0) + int(r["self_wall"])
    return got


def compare(program, path):
    bad = []
    for want, options in zip(model(path), ((), ("--event", "calls"))):
        got = asked(program, path, *options)
        bad += ["%s %s: %s, not %s" % (" ".join(options), k, got.get(k), want.get(k)) for k in sorted(set(got) | set(want)) if got.get(k) != want.get(k)]
    return bad[:8]
