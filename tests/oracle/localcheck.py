# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Names of locals and stack-map frames of bytecode: what javap prints of class files, and what slowdex.py reads of dex files."""
import re
import subprocess

import slowdex


def javap(path, owner):
    """(method, descriptor): locals (slot, start, end, name, type), and entries of the stack map, of the class in a file."""
    p = subprocess.run(["javap", "-v", "-p", "-l", path], stdout=subprocess.PIPE, check=True, timeout=300)
    out, name, mode, method = {}, None, None, None
    for line in p.stdout.decode("utf-8", "replace").split("\n"):
        words = line.split()
        if re.match(r"  [a-zA-Z].*[;)}]$", line) and ("(" in line or "{}" in line):
            name, method, mode = "<clinit>" if "{}" in line else line.split("(")[0].split()[-1], None, None
            name = "<init>" if name == owner else name
        elif line.startswith("    descriptor: ("):
            desc = words[1]
        elif line.startswith("    flags: ") and name is not None:
            method = out.setdefault((name, desc), {"static": "ACC_STATIC" in line, "locals": [], "raw": []})
            name = None
        elif method is None:
            continue
        elif line.startswith("      LocalVariableTable:") or line.startswith("      StackMapTable:"):
            mode = words[0]
        elif re.match(r" {0,6}\S", line):
            mode = None
        elif mode == "LocalVariableTable:" and words and words[0].isdigit():
            method["locals"].append((int(words[2]), int(words[0]), int(words[0]) + int(words[1]), words[3], slowdex.bare(words[4])))
        elif mode == "StackMapTable:" and len(words) > 2:
            if words[0] == "frame_type":
                method["raw"].append({"kind": int(words[2])})
            else:
                method["raw"][-1][words[0]] = line.split("=", 1)[1].strip()
    return out


TYPES = {"Z": "int", "B": "int", "C": "int", "S": "int", "I": "int", "J": "long", "F": "float", "D": "double"}


def told(text):
    """the types of a list as icecore shows them"""
    texts = text.strip("[] ").split(", ") if text.strip("[] ") else []
    return [re.sub(r'^class "?([^"]*)"?$', r"\1", t).replace("/", ".").replace("uninitialized ", "new at ") for t in texts]


def frames(owner, name, desc, method):
    """{offset: text}"""
    if not method["raw"]:
        return {}
    now = [] if method["static"] else ["this" if name == "<init>" else owner]
    for t in re.findall(r"\[*(?:L[^;]*;|[A-Z])", desc[1:desc.index(")")]):
        now.append(TYPES.get(t, slowdex.bare(t).replace("/", ".")))
    out, at = {0: "[%s]" % ", ".join(now)}, -1
    for f in method["raw"]:
        kind = f["kind"]
        at += 1 + int(f["offset_delta"] if kind >= 247 else kind % 64)
        if 248 <= kind < 251:
            now = now[:kind - 251]
        elif kind == 255:
            now = told(f["locals"])
        elif kind > 251:
            now = now + told(f["locals"])
        stack = told(f.get("stack", ""))
        out[at] = "[%s]" % ", ".join(now) + (" stack [%s]" % ", ".join(stack) if stack else "")
    return out


def name_of(variables, slot, pc):
    """(name, type) of the variable in a slot; of those that are live there the one that began last"""
    live = [v for v in variables if v[0] == slot and v[1] <= pc < v[2]]
    return max(live, key=lambda v: v[1])[3:] if live else ("", "")


def expected(variables, regs, stores, pc, after):
    out = []
    for k, reg in enumerate(regs):
        found = name_of(variables, reg, after) if stores and k == 0 else ("", "")
        found = found if found[0] else name_of(variables, reg, pc)
        if found[0]:
            out.append(("v%d " % reg if len(regs) > 1 else "", found))
    return tuple(", ".join(v + t[i].replace("/", ".") for v, t in out) for i in (0, 1))


def class_rows(owner, methods, rows):
    """Errors in rows (method, descriptor, offset, size, opcode, operands, locals, types, frame) of class files."""
    bad, seen, known = [], 0, {}
    for method, desc, pc, size, opcode, operands, names, types, frame in rows:
        m, pc = methods[method[len(owner) + 1:], desc], int(pc)
        if (method, desc) not in known:
            known[method, desc] = frames(owner, method[len(owner) + 1:], desc, m)
        opcode = opcode.replace("wide ", "")
        slot = re.match(r"[ilfda](?:load|store)(?:_(\d))?$|iinc$|ret$", opcode)
        regs = [] if not slot else [int(slot.group(1) or re.match(r"\d+", operands).group())]
        want = expected(m["locals"], regs, "store" in opcode, pc, pc + int(size)) + (known[method, desc].get(pc, ""),)
        seen += want != ("", "", "")
        if want != (names, types, frame):
            bad.append("%s%s %d: %s, not %s" % (method, desc, pc, (names, types, frame), want))
    return bad + ([] if seen else ["nothing to compare"])


def dex_rows(classes, rows):
    methods = {(c.name.replace("/", ".") + "." + m.name, m.desc): m for c in classes for m in c.methods}
    bad, seen = [], 0
    for method, desc, pc, size, _, _, names, types, frame in rows:
        m, pc = methods[method, desc], int(pc)
        _, _, regs, _, n, effect = m.decode()[pc]
        want = expected(m.locals, regs, effect != "", pc, pc + n)
        seen += want != ("", "")
        if want != (names, types) or frame or n != int(size):
            bad.append("%s%s %d: %s, not %s" % (method, desc, pc, (names, types, frame), want))
    return bad + ([] if seen else ["nothing to compare"])
