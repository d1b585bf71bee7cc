#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""chrome.py FILE - what is in trace events of Chrome, slowly: tables, tab separated. Their first field identifies them."""
import gzip
import itertools
import json
import re
import sys
from decimal import Decimal


def load(b):
    if b[:2] == b"\x1f\x8b":
        b = gzip.decompress(b)
    s = b.decode("utf-8", "replace").strip()
    try:
        return json.loads(s, parse_float=Decimal), False
    except ValueError:
        pass
    dec = json.JSONDecoder(parse_float=Decimal)        # a bare array that nobody closed
    at, out = s.find("[") + 1, []
    while True:
        m = re.compile(r"[\s,]*").match(s, at)
        at = m.end()
        try:
            v, at = dec.raw_decode(s, at)
        except ValueError:
            return out, s[at:at + 1] not in ("", "]")
        out.append(v)


def ns(v):
    try:
        return int(Decimal(str(v)) * 1000)
    except Exception:
        return None


def ident(e):
    i2 = e.get("id2")
    if isinstance(i2, dict):
        if "global" in i2:
            return ("global", str(i2["global"]))
        return (str(e.get("pid")), str(i2.get("local")))
    ph = e.get("ph")
    if "id" in e:
        return (str(e.get("pid")) if ph in "STpF" else "", str(e["id"]))
    return (str(e.get("pid")), "")


def frame(cf):
    n = cf.get("functionName") or ""
    if not n:
        u = (cf.get("url") or "").rsplit("/", 1)[-1]
        l = int(cf.get("lineNumber", -1))
        n = "(anonymous)" + (" (%s%s)" % (u, ":%d" % (l + 1) if l >= 0 else "") if u else "")
    return n


def near(timed):
    """Puts times that are over a year from all others next to them, on the clock of most; returns how many were moved."""
    length = lambda e: max(0, ns(e.get("dur", 0)) or 0) if e["ph"] == "X" else 0
    eras = []
    for start, end, counts in sorted((ns(e["ts"]), ns(e["ts"]) + length(e), "none" not in e) for e in timed):
        if not eras or start - eras[-1][1] > 365 * 86400 * 10**9:
            eras.append([start, end, 0])        # the third: how many; those without a time do not count
        eras[-1][1] = max(end, eras[-1][1])
        eras[-1][2] += counts
    if len(eras) < 2:
        return 0
    best = max(range(len(eras)), key=lambda i: (eras[i][2], i))
    at = [x[0] for x in eras]
    for i in range(best - 1, -1, -1):
        at[i] = at[i + 1] - (eras[i][1] - eras[i][0])
    for i in range(best + 1, len(eras)):
        at[i] = at[i - 1] + (eras[i - 1][1] - eras[i - 1][0])
    for e in timed:
        i = max(i for i in range(len(eras)) if eras[i][0] <= ns(e["ts"]))
        e["ts"] = Decimal(ns(e["ts"]) - eras[i][0] + at[i]) / 1000
    return sum(x[2] for x in eras) - eras[best][2]


def closes(b, e):
    """Whether an end may be that of a begin: a name or a category that both have is the same."""
    return (not e.get("name") or e["name"] == b.get("name")) and (not e.get("cat") or not b.get("cat") or e["cat"] == b["cat"])


def paired(events):
    """(begin or None, end or None, how it ended) of one thread.  open_: begins, each with the ends that named no open begin when it
    was the innermost one.  Of ends at one time, the one of the innermost begin is first."""
    open_, events = [], list(events)

    def named(e):
        return [i for i, (b, _) in enumerate(open_) if closes(b, e)]

    def shut(depth, e):
        left = [[b, True] for b, _ in open_]
        for i, (_, strange) in enumerate(open_):
            for x in strange:
                mine = [k for k in range(depth, i + 1) if left[k][1]]
                yield (left[mine[-1]][0], x, "another") if mine else (None, x, "bad") if i >= depth - 1 else None
                if mine:
                    left[mine[-1]][1] = False
        for b, alone in left[depth:]:
            if alone:
                yield b, e, "outer" if e else "never"
    for at in range(len(events)):
        if events[at]["ph"] == "B":
            open_.append((events[at], []))
            continue
        together = itertools.takewhile(lambda i: events[i]["ph"] == "E" and ns(events[i]["ts"]) == ns(events[at]["ts"]), range(at, len(events)))
        if named(events[at]):
            first = next((i for i in together if named(events[i])[-1:] == [len(open_) - 1]), at)
            events[at], events[first] = events[first], events[at]
        e = events[at]
        mine = named(e)
        if not mine:
            if open_:
                open_[-1][1].append(e)
            else:
                yield None, e, "bad"
            continue
        yield from filter(None, shut(mine[-1] + 1, e))
        yield open_[mine[-1]][0], e, "own"
        del open_[mine[-1]:]
    yield from filter(None, shut(0, None))


STATES = "CPU_TIME", "UNMANAGED_CODE_TIME", "BLOCKED_TIME"     # dotnet-trace puts them on top of stacks; they are no calls


def nested(events, thread, frames):
    """How many begins and ends have a stack that names the open calls, as they are in the file."""
    open_, n = {}, 0
    for e in events:
        if e["ph"] not in "BE" or "sf" not in e or "stack" in e or "esf" in e or ns(e.get("ts")) is None:
            continue
        mine, names, at = open_.setdefault(thread(e), []), [], frames.get(str(e["sf"]))
        mine += [e.get("name", "")] if e["ph"] == "B" else []
        while at is not None:
            names.insert(0, at.get("name", ""))
            at = frames.get(str(at.get("parent")))
        n += names == mine and (e["ph"] == "B" or e.get("name", mine[-1]) == mine[-1])
        del mine[len(mine) - (e["ph"] == "E"):]
    return n


WORK = ("kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset")


def is_apart(e):
    """Whether a complete event of PyTorch is an async operation: a recording, a step, an annotation or a wait of a GPU."""
    return e["ph"] == "X" and (str(e.get("name")).startswith("ProfilerStep#") or e.get("cat") in ("gpu_user_annotation", "cuda_sync") or
                               (e.get("cat") == "Trace" and e.get("pid") == "Spans"))


def gpu_time(events):
    """By GPU: the gaps, and the time between the first and the last kernel."""
    work, out = {}, {}
    for e in events:
        if e["ph"] == "X" and not is_apart(e) and e.get("cat") in WORK and "stream" in (e.get("args") or {}):
            work.setdefault(str(e.get("pid")), []).append((ns(e["ts"]), ns(e["ts"]) + max(0, ns(e.get("dur", 0)) or 0)))
    for gpu, spans in work.items():
        edges = sorted({t for s in spans for t in s})
        busy = [any(s[0] <= a and b <= s[1] for s in spans) for a, b in zip(edges, edges[1:])]
        gaps = [0]
        for some, a, b in zip(busy, edges, edges[1:]):
            if some and gaps[-1]:
                gaps.append(0)
            elif not some:
                gaps[-1] += b - a
        out[gpu] = [g for g in gaps if g], edges[-1] - edges[0]
    return out


def main(a):
    j, cut = load(open(a[1], "rb").read())
    ev = j if isinstance(j, list) else j.get("traceEvents", [])
    ev = [e for e in ev if isinstance(e, dict) and isinstance(e.get("ph"), str)]
    for e in ev:
        # It joins the main thread.
        e.setdefault("tid", e.get("pid"))
    P = lambda *x: print("\t".join(str(v).replace("\t", " ").replace("\n", " ") for v in x))
    tally = {}
    for e in ev:
        tally[e["ph"]] = tally.get(e["ph"], 0) + 1
    P("cut", int(cut))
    for k in sorted(tally):
        P("ph", k, tally[k])
    totals = [e for e in ev if e["ph"] == "X" and e.get("ts") == 0 and str(e.get("name")).startswith("Total ") and {"count", "avg ms"} <= set(e.get("args") or ())]
    P("totals", len(totals))
    system = j.get("systemTraceEvents") if isinstance(j, dict) else None
    known = re.compile(r"^#|^$|: sched_(switch|wak(eup(_new)?|ing)): ")
    P("system", len([x for x in system.split("\n") if not known.search(x)]) if isinstance(system, str) else 0)
    ev = [e for e in ev if e not in totals]
    timed = [e for e in ev if e["ph"] not in ("M",) and ns(e.get("ts")) is not None]
    pos = [ns(e["ts"]) for e in timed if ns(e["ts"]) > 0]
    low = min(pos) if pos else 0
    lost = 0
    if low >= 3600 * 10**9:
        for e in timed:
            if ns(e["ts"]) <= 0:
                e["ts"], e["none"] = Decimal(low) / 1000, True
                lost += 1
    P("no_time", lost)
    moved = near(timed)
    P("moved", moved)
    # Switches beside the events begin the time, too.
    switched = [int(a) * 10**9 + int(b.ljust(9, "0")) for a, b in re.findall(r" ([0-9]+)\.([0-9]{6,9}): sched_switch: ", str(system))]
    P("first_ns", max(0, min([ns(e["ts"]) for e in timed] + switched)) if timed else 0)
    thread = lambda e: "%s/%s" % (e.get("pid"), e.get("tid"))
    timed = [e for k, e in sorted(enumerate(timed), key=lambda x: (ns(x[1]["ts"]), x[0]))]
    # calls
    st, spans, bad, mis, cpu, lone = {}, {}, 0, 0, {}, []
    for e in timed:
        t = thread(e)
        if is_apart(e):
            lone.append(e)
        elif e["ph"] == "X":
            spans.setdefault(t, []).append((ns(e["ts"]), max(0, ns(e.get("dur", e.get("tdur", 0))) or 0), e.get("name", "")))
            if ns(e.get("tdur")) is not None:
                cpu[t] = cpu.get(t, 0) + 1
        elif e["ph"] in "BE":
            st.setdefault(t, []).append(e)
    last = max([ns(e["ts"]) + (max(0, ns(e.get("dur", e.get("tdur", 0))) or 0) if e["ph"] == "X" else 0) for e in timed], default=0)
    outer = never = 0
    for t, both in st.items():
        for b, e, how in paired(both):
            bad += how == "bad"
            mis += how == "another"
            outer += how == "outer"
            never += how == "never"
            if b is None:
                continue
            spans.setdefault(t, []).append((ns(b["ts"]), max(0, (ns(e["ts"]) if e else last) - ns(b["ts"])), b.get("name", "")))
            if how in ("own", "another") and ns(b.get("tts")) is not None and ns(e.get("tts")) is not None:
                cpu[t] = cpu.get(t, 0) + 1
    P("end_without_begin", bad)
    P("end_of_another_name", mis)
    P("outer_end", outer)
    P("open", never)
    for t in sorted(spans):
        s = [x for x in spans[t] if x[2] not in STATES]
        if not s:
            continue
        P("calls", t, len(s), sum(x[1] for x in s), "with_cpu=%d" % cpu.get(t, 0))
    # async
    open_, done, wrong = {}, {}, 0
    for e in timed:
        ph, cat, name = e["ph"], e.get("cat", ""), e.get("name", "")
        if ph in "bne":
            k = ("n", cat, e.get("scope", "")) + ident(e)
            if ph == "b":
                open_.setdefault(k, []).append(e)
            elif ph == "n":
                d = done.setdefault((cat, name), [0, 0, 0, 0, 0])
                d[3] += 1
            else:
                q = open_.get(k, [])
                hit = [i for i, b in enumerate(q) if b.get("name", "") == name] if name else list(range(len(q)))
                if not hit:
                    wrong += 1
                    continue
                b = q.pop(hit[-1])
                d = done.setdefault((cat, b.get("name", "")), [0, 0, 0, 0, 0])
                du = ns(e["ts"]) - ns(b["ts"])
                d[0] += 1
                d[1] += du
                d[2] = max(d[2], du)
        elif ph in "STpF":
            k = ("l", cat, name) + ident(e)
            if ph == "S":
                open_.setdefault(k, []).append(e)
            elif ph in "Tp":
                done.setdefault((cat, name), [0, 0, 0, 0, 0])[3] += 1
            elif open_.get(k):
                b = open_[k].pop()
                d = done.setdefault((cat, name), [0, 0, 0, 0, 0])
                du = ns(e["ts"]) - ns(b["ts"])
                d[0] += 1
                d[1] += du
                d[2] = max(d[2], du)
            else:
                wrong += 1
    gpus = gpu_time(timed)
    for cat, name, lengths in [(e.get("cat", ""), e["name"].partition("#")[0] if e["name"].startswith("ProfilerStep#") else e["name"],
                                [max(0, ns(e.get("dur", 0)) or 0)]) for e in lone] + [("", "GPU idle", g) for g, _ in gpus.values() if g]:
        d = done.setdefault((cat, name), [0, 0, 0, 0, 0])
        d[:3] = d[0] + len(lengths), d[1] + sum(lengths), max(d[2], *lengths)
    P("gpus", len(gpus))
    P("gpu_time", sum(t for _, t in gpus.values()))
    P("gpu_idle", sum(sum(g) for g, _ in gpus.values()))
    P("gpu_busy", sum(t - sum(g) for g, t in gpus.values()))
    for k, q in open_.items():
        for b in q:
            done.setdefault((b.get("cat", ""), b.get("name", "")), [0, 0, 0, 0, 0])[4] += 1
    P("async_end_without_begin", wrong)
    for k in sorted(done):
        P("async", k[0], k[1], "count=%d" % done[k][0], "total_ns=%d" % done[k][1], "max_ns=%d" % done[k][2], "points=%d" % done[k][3], "open=%d" % done[k][4])
    # counters, instants, flows
    c = {}
    for e in timed:
        if e["ph"] == "C":
            for k, v in (e.get("args") or {}).items():
                try:
                    v = Decimal(str(v))
                except Exception:
                    continue
                x = c.setdefault((str(e.get("pid")), e.get("name", "") + ("[%s]" % e["id"] if "id" in e else ""), k), [0, v, v, v])
                x[0] += 1
                x[1], x[2], x[3] = min(x[1], v), max(x[2], v), v
    for k in sorted(c):
        P("counter", *k, "points=%d" % c[k][0], "min=%s" % c[k][1], "max=%s" % c[k][2], "last=%s" % c[k][3])
    ins = {}
    for e in timed:
        if e["ph"] in ("i", "I", "R"):
            k = (e.get("name", ""), e.get("s", "t"))
            ins[k] = ins.get(k, 0) + 1
    for k in sorted(ins):
        P("instant", k[0], k[1], ins[k])
    fl = {}
    for e in timed:
        if e["ph"] in "stf":
            k = (e.get("cat", ""), e.get("name", "")) + ident(e)
            fl.setdefault(k, []).append(e["ph"])
        elif e["ph"] in "XBE" and "bind_id" in e and (e.get("flow_in") is True or e.get("flow_out") is True):
            # Calls with one id, whatever they are called.
            fl.setdefault(str(e["bind_id"]), []).append("f" if e.get("flow_out") is not True else "t" if e.get("flow_in") is True else "s")
    P("own_stacks", sum(any(k in e for k in ("sf", "stack", "esf")) for e in ev) - nested(ev, thread, j.get("stackFrames", {}) if isinstance(j, dict) else {}))
    # Each step and end has an arrow from the start or step before it.  A chain without an arrow is whole if its end is early.
    flows = whole = 0
    for letters in fl.values():
        before = [letters[:i] for i in range(len(letters))]
        arrows = sum(p in "tf" and any(q in "st" for q in b) for p, b in zip(letters, before))
        flows += arrows or 1
        whole += arrows or "f" in letters and any(p in "st" for p in letters)
    P("flows", flows, "whole=%d" % whole)
    # samples
    prof = {}
    for e in ev:
        d = (e.get("args") or {}).get("data") or {}
        if e.get("name") == "Profile" and e["ph"] == "P":
            p = prof.setdefault((str(e.get("pid")), str(e.get("id"))), dict(tid=None, start=None, nodes={}, ids=[], deltas=[], end=None))
            p["tid"], p["start"] = e.get("tid"), d.get("startTime", e.get("ts"))
        elif e.get("name") == "ProfileChunk" and e["ph"] == "P":
            p = prof.setdefault((str(e.get("pid")), str(e.get("id"))), dict(tid=None, start=None, nodes={}, ids=[], deltas=[], end=None))
            cp = d.get("cpuProfile") or {}
            for n in cp.get("nodes") or []:
                p["nodes"][n["id"]] = n
            p["ids"] += cp.get("samples") or []
            p["deltas"] += d.get("timeDeltas") or cp.get("timeDeltas") or []
            p["end"] = d.get("endTime") or cp.get("endTime") or p["end"]
            if p["tid"] is None:
                p.setdefault("chunk_tid", e.get("tid"))
        elif e.get("name") == "CpuProfile" and d.get("cpuProfile"):
            cp = d["cpuProfile"]
            prof[(str(e.get("pid")), "CpuProfile-%s" % e.get("tid"))] = dict(tid=e.get("tid"), start=cp.get("startTime"), end=cp.get("endTime"),
                nodes={n["id"]: n for n in cp.get("nodes", [])}, ids=cp.get("samples", []), deltas=cp.get("timeDeltas", []))
    for k in sorted(prof):
        p = prof[k]
        par = {i: n.get("parent") for i, n in p["nodes"].items()}
        for i, n in p["nodes"].items():
            for ch in n.get("children") or []:
                par[ch] = i
        t, tm = ns(p["start"] or 0), []
        for i, x in enumerate(p["ids"]):
            t += ns(p["deltas"][i]) if i < len(p["deltas"]) else 0
            tm.append((t, i, x))
        tm.sort()
        agg, unknown = {}, 0
        for q, (t, i, x) in enumerate(tm):
            end = tm[q + 1][0] if q + 1 < len(tm) else ns(p["end"]) if p["end"] and 0 <= ns(p["end"]) - t <= 60 * 10**9 else t
            names, seen = [], 0
            while x is not None and seen < 100000:
                if x not in p["nodes"]:
                    unknown += not names
                    break
                names.append(frame(p["nodes"][x].get("callFrame") or p["nodes"][x]))
                x = par.get(x)
                seen += 1
            s = ";".join(z.replace(";", ":") for z in names[::-1])
            v = agg.setdefault(s, [0, 0])
            v[0] += 1
            v[1] += end - t
        P("profile", k[0], k[1], "thread=%s/%s" % (k[0], p["tid"] if p["tid"] is not None else p.get("chunk_tid")), "samples=%d" % len(tm), "nodes=%d" % len(p["nodes"]), "ns=%d" % sum(v[1] for v in agg.values()), "unknown=%d" % unknown)
        for s in sorted(agg):
            P("stack", k[0], k[1], s, agg[s][0], agg[s][1])
    sf = j.get("stackFrames", {}) if isinstance(j, dict) else {}
    agg = {}
    for s in (j.get("samples", []) if isinstance(j, dict) else []):
        names, x, n = [], str(s.get("sf")), 0
        while x in sf and n < 100000:
            names.append(sf[x].get("name", ""))
            x = str(sf[x].get("parent"))
            n += 1
        k = ("%s/%s" % (s.get("pid", ""), s.get("tid", s.get("pid"))), s.get("name", ""), ";".join(z.replace(";", ":") for z in names[::-1]))
        v = agg.setdefault(k, [0, 0])
        v[0] += 1
        v[1] += int(Decimal(str(s.get("weight", 1))))
    for k in sorted(agg):
        P("top_sample", *k, *agg[k])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
