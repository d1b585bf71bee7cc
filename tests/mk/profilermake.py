#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles as profilers of languages write them in JSON: random ones, with what they say.

Each function returns the text, the weights of an event by stack, and how many samples the event has.
"""
import collections
import json


def random_stacks(r):
    names = ["f%d" % i for i in range(r.randint(2, 7))] + ['q"uote', "mod:é"]
    return [tuple(r.choice(names) for _ in range(r.randint(1, 6))) for _ in range(r.randint(1, 8))]


def session(r):
    """pyinstrument: the time since the last record with each stack; the thread is the first frame."""
    want, records = collections.Counter(), []
    for _ in range(r.randint(1, 20)):
        stack, ns, cls = r.choice(random_stacks(r)), r.randint(1, 10 ** 7), r.random() < 0.3
        frames = ["%s\0/a/%s.py\0%d%s" % (f, f[0], 3, "\1cShop\1l9" if cls else "\1l5") for f in stack]
        records.append([["MainThread\0<thread>\0004"] + frames, ns / 10 ** 9])
        want[tuple(("Shop." if cls else "") + f for f in stack)] += ns
    return json.dumps({"start_time": 1700000000.25, "sample_count": len(records), "frame_records": records}), want, len(records)


def stackprof(r):
    """Runs of equal stacks, with or without times; each sample is 1 ms."""
    want, raw, n = collections.Counter(), [], 0
    stacks = random_stacks(r)
    ids = {f: str(140000000000000 + 40 * i) for i, f in enumerate(sorted({f for s in stacks for f in s}))}
    for _ in range(r.randint(1, 12)):
        stack, count = r.choice(stacks), r.randint(1, 5)
        raw += [len(stack)] + [int(ids[f]) for f in stack] + [count]
        want[stack] += count * 10 ** 6
        n += count
    top = {"version": 1.2, "mode": "wall", "interval": 1000, "samples": n + 2, "gc_samples": 0, "missed_samples": 3,
           "frames": {i: {"name": f, "file": "a.rb", "line": None} for f, i in ids.items()}, "raw": raw}
    if r.random() < 0.5:
        top["raw_timestamp_deltas"] = [1000] * (n - r.choice((0, 0, 1)))
    return json.dumps(top), want, n


def ticks(r):
    """node --prof-process --preprocess: pairs of code and offset, innermost first; a function names its code."""
    stacks = random_stacks(r)
    names = sorted({f for s in stacks for f in s})
    code = [{"name": f, "type": "CPP"} if i % 2 else {"name": "x", "type": "JS", "kind": "Opt", "func": i} for i, f in enumerate(names)]
    want, rows = collections.Counter(), []
    for i in range(r.randint(1, 20)):
        stack = r.choice(stacks)
        rows.append({"tm": 1000 * i, "vm": 0, "s": [v for f in reversed(stack) for v in (names.index(f), 7)] + r.choice(([], [-1, 99]))})
        want[stack] += 1
    return json.dumps({"code": code, "functions": [{"name": f, "codes": []} for f in names], "ticks": rows}), want, len(rows)


def ghc(r):
    """A tree of cost centres with their own ticks, each 1 ms; the root only has its own."""
    names, want, n = ["f%d" % i for i in range(5)], collections.Counter(), 0
    centres = [{"id": 1, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>"}] + [
        {"id": i + 2, "label": f, "module": "M", "src_loc": "M.hs:%d:1-20" % (i + 1)} for i, f in enumerate(names)]

    def node(i, path, depth):
        nonlocal n
        t = r.randint(0, 9)
        want[path or ("MAIN.MAIN",)] += t * 10 ** 6
        n += t
        below = r.sample(range(5), r.randint(0, 3)) if depth < 4 else []
        return {"id": i, "entries": 1, "alloc": 8 * t, "ticks": t,
                "children": [node(k + 2, path + ("M." + names[k],), depth + 1) for k in below]}

    tree = node(1, (), 0)
    if n == 0:
        tree["ticks"], n = 1, 1
        want["MAIN.MAIN",] += 10 ** 6
    return json.dumps({"program": "a", "total_ticks": n, "tick_interval": 1000, "cost_centres": centres, "profile": tree}), want, n


def envelope(r):
    """Sentry: items behind a line with their length, or of one line; samples of stacks, leaf first."""
    stacks = random_stacks(r)
    names = sorted({f for s in stacks for f in s})
    want, samples = collections.Counter(), []
    for i in range(r.randint(1, 20)):
        k = r.randrange(len(stacks))
        samples.append({"stack_id": k, "thread_id": "7", "timestamp": 1700000000 + i / 100})
        want[stacks[k]] += 1
    chunk = json.dumps({"version": "2", "profile": {"frames": [{"function": f} for f in names], "samples": samples,
                                                    "stacks": [[names.index(f) for f in reversed(s)] for s in stacks]}})
    head = {"type": "profile_chunk"} if r.random() < 0.5 else {"type": "profile_chunk", "length": len(chunk)}
    return '{"event_id":"a"}\n{"type":"event"}\n{"x":1}\n' + json.dumps(head) + "\n" + chunk + "\n", want, len(samples)


KINDS = {"pyinstrument session": session, "stackprof": stackprof, "ticks of node": ticks, "GHC": ghc, "envelope of Sentry": envelope}
