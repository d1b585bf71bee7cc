# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""side.py - slow and independent: what thread dumps, lists of threads and mapping files say."""
import re

CUT = 15                      # bytes of a name that Linux keeps
THREAD = re.compile(r'^"(.*)"(| .*)$', re.S)
BEHIND = re.compile(r"^ (#|daemon|prio=|os_prio=|virtual|- Thread t@|id=|tid=|nid=)")
NUMBERED = re.compile(r'^#(\d+) "(.*)"(.*)$')


class Row:
    def __init__(self, dump, name):
        self.dump, self.name, self.tid, self.state, self.virtual, self.top = dump, name, None, "", False, ""


def number(s):
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", s):
        return int(s, 16)
    return int(s) if re.fullmatch(r"\d+", s) else None


def thread_line(line):
    """Name and the rest: the name ends at the last quote that something of a thread follows."""
    for at in range(len(line) - 1, 0, -1):
        if line[at] == '"' and line.startswith('"') and BEHIND.match(line[at + 1:]):
            return line[1:at], line[at + 1:]
    return None


def read_dump(text, dump=0):
    rows, row, seen = [], None, False
    for line in text.split("\n"):
        line = line.rstrip("\r")
        if line.startswith("Full thread dump") or line.startswith("----- pid "):
            seen, row = False, None     # a dump without threads does not count
        elif line == "":
            row = None
        elif line.startswith('"'):
            found, row = thread_line(line), None
            if found:
                dump, seen = dump + (not seen), True
                row = Row(dump, found[0])
                rows.append(row)
                read_words(row, found[1])
        elif NUMBERED.match(line):
            m, row = NUMBERED.match(line), None
            dump, seen = dump + (not seen), True
            rows.append(Row(dump, m.group(2)))
            rows[-1].virtual = "virtual" in m.group(3)
        elif row is not None and line[0] in " \t":
            detail = line.strip(" \t") if "java.lang.Thread.State" in line else line.lstrip(" \t")
            if detail.startswith("java.lang.Thread.State: "):
                row.state = detail[24:].strip(" ")
            elif detail.startswith("Carrying virtual thread"):
                row.state = detail
            elif detail.startswith("at ") and not row.top:
                row.top = frame(detail[3:])
            elif detail.startswith("| ") and re.search(r"sysTid=(\d+)", detail):
                row.tid = int(re.search(r"sysTid=(\d+)", detail).group(1))
    return rows, dump, seen


def frame(text):
    """Class and method; class loader, module, address of a hidden class and place in the source go."""
    parts = text.split("(")[0].strip().split("/")
    while len(parts) > 1 and re.match(r"[0-9]", parts[-1]):
        parts[-2:] = [re.sub(r"(\$\$Lambda)\$[0-9]+$", r"\1", parts[-2]) + parts[-1][parts[-1].find("."):]]
    return parts[-1]


def read_words(row, rest):
    nid = re.search(r" nid=(\S*)(.*)$", rest)
    jmx = re.search(r" (?:id=\d+|t@\d+)(.*)$", rest)
    head = rest[:nid.start()] if nid else rest
    bracket = re.match(r"^ #\S*(?: [^= ]*)*? \[(\d+)\]( |$)", head)
    row.virtual = bool(re.search(r" virtual", head))
    if bracket:
        row.tid = int(bracket.group(1))
    if nid:
        if number(nid.group(1)) is not None:
            row.tid = number(nid.group(1))
        row.state = clean(nid.group(2))
    elif jmx:
        row.state = jmx.group(1)[4:] if jmx.group(1).startswith(" in ") else ""
    elif " tid=" in rest:
        row.state = clean(re.sub(r"^.* tid=\S*", "", rest))


def clean(state):
    return re.sub(r"\[[^\[]*\]$", "", state).strip(" ")


def is_cut(a, b):
    return len(a.encode()) == CUT and b.startswith(a)


def names(rows):
    """tid to (name, state, earlier names, conflict, reuse, innermost frame)."""
    out = {}
    for tid in sorted({r.tid for r in rows if r.tid is not None}):
        mine = [r for r in rows if r.tid == tid]
        real = {r.dump for r in mine if not r.virtual}
        mine = [r for r in mine if r.name and not (r.virtual and r.dump in real)]
        if not mine:
            continue
        now = mine[-1]
        for r in reversed(mine):
            if is_cut(now.name, r.name):
                now = r
        earlier, clash, change = [], False, False
        for late, r in zip(mine[:0:-1], mine[-2::-1]):
            if late.name != r.name and not is_cut(late.name, r.name) and not is_cut(r.name, late.name):
                clash |= late.dump == r.dump
                change |= late.dump != r.dump
                earlier += [r.name] if r.name != now.name else []
        out[tid] = (now.name, now.state, earlier, clash, change, now.top)
    return out


def join(rows, listed):
    """For each (tid, comm): (name, named by, state, earlier, innermost frame)."""
    by_tid, out = names(rows), []
    free = {r.name: r for r in rows if r.tid is None and r.name}
    for tid, comm in listed:
        if tid in by_tid:
            name, state, earlier, _, _, frame_ = by_tid[tid]
            if earlier[-1:] != [comm] and comm and not name.startswith(comm):
                earlier = earlier + [comm]
            out.append((name, "tid", state, ", ".join(earlier), frame_))
            continue
        fits = [n for n in free if (n.startswith(comm) if len(comm.encode()) == CUT else n == comm)]
        if comm and len(fits) == 1:
            out.append((fits[0], "name", free[fits[0]].state, "" if fits[0].startswith(comm) else comm, free[fits[0]].top))
        else:
            out.append((comm, "file", "", "", ""))
    return out


# ---- mapping files ------------------------------------------------------------------

CLASS = re.compile(r"^(\S.*?) -> (.+):$")
METHOD = re.compile(r"^\s+(?:(\d+):(\d+):)?(\S+) ([^\s(]+)\(([^)]*)\)(?::\d+)?(?::\d+)? -> (.+)$")


def read_mapping(text):
    """Class now: (class before, [(name now, range, type, name before, arguments)])."""
    classes, now = {}, None
    for line in text.split("\n"):
        if line[:1] not in (" ", "\t", "#", "") and CLASS.match(line):
            m = CLASS.match(line)
            now = None
            if m.group(2) not in classes:
                now = classes[m.group(2)] = (m.group(1), [])
        elif now is not None and METHOD.match(line):
            m = METHOD.match(line)
            lines = (int(m.group(1)), int(m.group(2))) if m.group(1) else None
            now[1].append((m.group(6), lines, m.group(3), m.group(4), m.group(5)))
    return classes


def types(classes, descriptor):
    """The words for a signature: (arguments, result)."""
    out = []
    for depth, name, letter in re.findall(r"(\[*)(?:L([^;]*);|([A-Z]))", descriptor):
        name = name.replace("/", ".")
        word = classes[name][0] if name in classes else name
        if letter:
            word = {"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long",
                    "F": "float", "D": "double", "V": "void"}[letter]
        out.append(word + "[]" * len(depth))
    return ",".join(out[:-1]), out[-1]


def retrace(classes, cls, name, signature, line):
    """The name a method had, with its class."""
    if cls not in classes:
        return cls + "." + name
    before, members = classes[cls]
    members = [m for m in members if m[0] == name]
    runs = []
    for m in members:             # of one range the last is the method, the others are inlined
        if runs and m[1] is not None and runs[-1][1] == m[1]:
            runs[-1] = m
        else:
            runs.append(m)
    typed = [m for m in runs if (m[4], m[2]) == types(classes, signature)]
    runs = typed or runs
    lined = [m for m in runs if line > 0 and m[1] and m[1][0] <= line <= m[1][1]]
    found = list(dict.fromkeys(m[3] for m in lined or runs))
    if not found:
        return before + "." + name
    if len(found) > 1:
        return before + "." + "|".join(found) + " (ambiguous)"
    return found[0] if "." in found[0] else before + "." + found[0]
