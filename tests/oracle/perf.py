#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perf.py [pid|tid] [kernel] [jit] [all] [addrs] FILE - folds the output of perf script, slowly.

By the rules of the scripts that make flame graphs, but a last sample without
an empty line behind it counts, without a last line that is incomplete.  Does
not read samples on one line.
"""
import gzip
import re
import sys

HEAD = re.compile(r"^(\S.+?)\s+(\d+)/*(\d+)*\s+")
EVENT = re.compile(r":\s*(\d+)*\s+(\S+):\s*$")
FRAME = re.compile(r"^\s*(\w+)\s*(.+) \((.*)\)")


def tidy(func, mod, pc, root, o):
    if func == "[unknown]":
        base = mod.rsplit("/", 1)[-1] if mod != "[unknown]" else "unknown"
        func = "[%s <%s>]" % (base, pc) if "addrs" in o else "[%s]" % base
    func = func.replace(";", ":")
    if not re.search(r"\.\(.*\)\.", func):
        func = re.sub(r"\((?!anonymous namespace\)).*", "", func)
    func = func.replace('"', "").replace("'", "")
    if root == "java" and "/" in func and func.startswith("L"):
        func = func[1:]
    return func


def suffix(name, mod, o):
    if o & {"kernel", "all"} and re.search(r"(^\[|vmlinux$)", mod) and "unknown" not in mod:
        return "_[k]"
    if o & {"jit", "all"} and re.search(r"/tmp/perf-\d+\.map", mod) and "_[j]" not in name:
        return "_[j]"
    return ""


def functions(line, root, o):
    """The frames of a line, the outermost first."""
    m = FRAME.match(line)
    if not m:
        return []
    pc, raw, mod = m.groups()
    raw = re.sub(r"\+0x[0-9a-f]+$", "", raw)
    if raw.startswith("("):
        return []
    out = []
    for f in raw.split("->"):
        f = tidy(f, mod, pc, root, o)
        out.append(f + (suffix(f, mod, o) if not out else "" if "_[i]" in f else "_[i]"))
    return out


def root_of(m, o):
    comm, pid, tid = m.groups()
    if not tid:
        pid, tid = "?", pid
    if "tid" in o:
        comm = "%s-%s/%s" % (comm, pid, tid)
    elif "pid" in o:
        comm = "%s-%s" % (comm, pid)
    return comm.replace(" ", "_")


def most(text):
    """The event with the most samples, the first of them; "dummy" ones only without others."""
    n = {}
    for line in text.split("\n"):
        e = HEAD.match(line) and EVENT.search(line)
        if e:
            n[e.group(2)] = n.get(e.group(2), 0) + 1
    return max(n, key=lambda k: (not k.startswith("dummy"), n[k]), default=None)


def whole(text):
    """The text without a last line that is incomplete: one that has no end, unless it is a frame with its module."""
    last = text[text.rfind("\n") + 1:]
    done = last == "" or last[0] == "#" or re.search(r"(^|\s)\(([/\[].*|inlined)\)\s*$", last)
    return text if done else text[:len(text) - len(last)]


def fold(text, options=(), event=None):
    """Stacks with their weights; event: the one that counts, instead of the one with the most samples."""
    text = whole(text)
    o, out, event = set(options), {}, event or most(text)
    root, stack, weight = None, [], 1
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    for line in lines + [""]:
        if line.startswith("#"):
            continue
        if line == "":
            if root:
                key = ";".join([root] + stack)
                out[key] = out.get(key, 0) + weight
            root, stack = None, []
            continue
        m = HEAD.match(line)
        if m:
            weight, e = 0, EVENT.search(line)
            if e:
                weight, event = int(e.group(1) or 0), event or e.group(2)
                if event != e.group(2):
                    continue                    # its frames have no root
            weight, root = weight or 1, root_of(m, o)
        elif root:
            stack[0:0] = functions(line, root, o)
    return out


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8", "surrogateescape")


def main(a):
    stacks = fold(read(a[-1]), a[1:-1])
    for k in sorted(stacks, key=lambda s: s.encode("utf-8", "surrogateescape")):
        sys.stdout.buffer.write(("%s %d\n" % (k, stacks[k])).encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main(sys.argv)
