#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfview.py FILE [--event NAME] - perf script's text as in every view except stacks: whole names, and the event that counts."""
import re
import sys

import perf

HEAD = re.compile(r"^(\S.*?)\s+(?:(\d+)/)?(\d+)\s+(?:\[\d+\]\s+)?(?:[^\s:]+\s+)?(?:(\d+\.\d+):)?\s*(.*)$")
EVENT = re.compile(r"(?:^|\s)(?:(\d+)\s+)?([^\s:][^\s]*):\s*$")
RUST = [("$SP$", "@"), ("$BP$", "*"), ("$RF$", "&"), ("$LT$", "<"), ("$GT$", ">"), ("$LP$", "("), ("$RP$", ")"), ("$C$", ",")]


def module_at(s):
    """(symbol part, module or None): the brackets that close at the line's end"""
    s = s.rstrip()
    if not s.endswith(")"):
        return s, None
    depth = 0
    for i in range(len(s) - 1, -1, -1):
        depth += (s[i] == ")") - (s[i] == "(")
        if depth == 0:
            if i == 0 or s[i - 1] in " \t":
                m = s[i + 1:-1]
                if m.endswith(" (deleted)"):
                    m = m[:-10]
                return s[:i].rstrip(), m
            return s, None
    i = s.rfind(" (")
    return (s[:i].rstrip(), s[i + 2:-1]) if i >= 0 else (s, None)


def arrows(sym):
    """a->b->c of Java's maps: at bracket depth 0, no blank at its sides, not of an operator"""
    out, depth, at, i = [], 0, 0, 0
    while i < len(sym):
        c = sym[i]
        if sym.startswith("->", i):
            left, right = sym[:i], sym[i + 2:i + 3]
            if depth == 0 and i > at and right not in ("", " ", "*", "(", ")") and not left.endswith("operator") and left[-1:] != " ":
                out.append(sym[at:i])
                at = i + 2
            i += 2
            continue
        if c in "<([{":
            if not (c == "<" and re.search(r"operator<?$", sym[:i])):
                depth += 1
        elif c in ">)]}":
            if not (c == ">" and re.search(r"operator(<=|>)?$", sym[:i])):
                depth = max(0, depth - 1)
        i += 1
    out.append(sym[at:])
    return out


def rust(s):
    m = re.search(r"::h[0-9a-f]{16}(?=$| \(\.llvm\.|\.llvm\.)", s)
    if not m:
        return s
    s = s[:m.start()]
    s = re.sub(r"^_\$", "$", s).replace("::_$LT$", "::$LT$")
    for a, b in RUST:
        s = s.replace(a, b)
    s = re.sub(r"\$u([0-9a-f]{1,6})\$", lambda m: chr(int(m.group(1), 16)), s)
    return s.replace("..", "::")


def frame(ln):
    """[(name, module, kind)] outermost first, of one line"""
    body, mod = module_at(ln.strip())
    m = re.match(r"^([0-9a-fA-F]+)(?:\s+(.*))?$", body)
    if m and (m.group(2) is not None or mod is not None):
        sym = m.group(2) or ""
    elif mod is not None:
        sym = body
    else:
        return []
    sym = re.sub(r"\+0x[0-9a-f]+$", "", sym)
    mod = mod if mod is not None else ""
    if sym in ("", "[unknown]"):
        base = mod.rsplit("/", 1)[-1]
        base = base[1:-1] if base.startswith("[") and base.endswith("]") else base
        sym = "[%s]" % (base or "unknown")
    kind = ""
    mb = mod.rsplit("/", 1)[-1]
    if mod == "inlined":
        kind = "i"
    elif (mod.startswith("[") and "unknown" not in mod and mod not in ("[vdso]", "[vsyscall]", "[heap]", "[stack]", "[anon]")) or re.match(r"^vmlinux", mb):
        kind = "k"
    elif re.match(r"^(perf-\d+\.map|jitted-\d+-\d+\.so)$", mb):
        kind = "j"
    parts = arrows(sym)
    return [(rust(p), mod, kind if k == 0 else "i") for k, p in enumerate(parts)]


def view(text, want=None):
    """Events with their samples and weights, the one that counts, and folded stacks of that: text, weight."""
    text = perf.whole(text)
    events, order, samples = {}, [], []
    cur = None
    for ln in text.split("\n") + [""]:
        if ln.startswith("#"):
            continue
        if not ln.strip():
            if cur:
                samples.append(cur)
            cur = None
            continue
        if ln[0] not in " \t" or cur is None:
            m = HEAD.match(ln)
            if m and ln[0] not in " \t":
                e = EVENT.search(ln)
                if cur:
                    samples.append(cur)
                cur = dict(comm=m.group(1), pid=m.group(2) or "", tid=m.group(3), ev=e.group(2) if e else "", w=int(e.group(1) or 0) or 1 if e else 1, st=[])
                continue
            if ln[0] not in " \t" and cur is None:
                cur = dict(comm=ln.strip(), pid="", tid="", ev="", w=1, st=[])
                continue
            if cur is None:
                continue
        cur["st"][0:0] = frame(ln)
    for s in samples:
        if s["ev"] not in events:
            order.append(s["ev"])
        n, w = events.get(s["ev"], (0, 0))
        events[s["ev"]] = (n + 1, w + s["w"])
    pick = [e for e in order if not e.startswith("dummy")] or order
    best = want if want is not None else (max(pick, key=lambda e: (events[e][0], -pick.index(e))) if pick else None)
    out = {}
    for s in samples:
        if s["ev"] == best:
            key = ";".join([s["comm"].replace(";", ":")] + [n.replace(";", ":") + ("_[%s]" % k if k else "") for n, m, k in s["st"]])
            out[key] = out.get(key, 0) + s["w"]
    return events, best, out


def main(a):
    want = a[a.index("--event") + 1] if "--event" in a else None
    events, best, out = view(perf.read(a[1]), want)
    for e in events:
        print("event\t%s\t%d\t%d%s" % (e, *events[e], "\tcounts" if e == best else ""))
    for k in sorted(out):
        sys.stdout.buffer.write(("%s %d\n" % (k, out[k])).encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main(sys.argv)
