# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""rubyheap.py - a slow reader of Ruby heap dumps, with tables of what is in them.

Dominators by removing an object and walking again, so only small dumps.
"""
import collections
import json
import re

NO_OBJECTS = ("ROOT", "SHAPE", "NONE", "ZOMBIE")
CLASSES = ("CLASS", "MODULE", "ICLASS")
AFTER = rb'", "(?:line|method|generation)":'
KEYS = {"address": rb'^\{"address":"(0x[0-9a-fA-F]+)"', "type": rb'"type":"([A-Z_]+)"', "root": rb'"root":"(.*?)"',
        "class": rb'"class":"(0x[0-9a-fA-F]+)"', "superclass": rb'"superclass":"(0x[0-9a-fA-F]+)"', "slot_size": rb'"slot_size":(\d+)',
        "memsize": rb'.*"memsize":(\d+)', "generation": rb'.*"generation":(\d+)', "line": rb'.*"line":(\d+)',
        "file": rb'.*"file":"(.*?)' + AFTER, "method": rb'.*"method":"(.*?)", "generation":', "imemo_type": rb'"imemo_type":"(.*?)"',
        "struct": rb'"struct":"(.*?)", "', "references": rb'.*"references":\[([^\]]*)\]',
        "name": rb'"name":"(.*?)"(?:, "(?:references|singleton|file|line|generation|memsize|superclass)"|\})'}


def number(s):
    """An address; 0: it is none."""
    return int(s, 16) if re.fullmatch("0[xX][0-9a-fA-F]+", s or "") else 0


def addresses(words):
    return [int(x, 16) for x in re.findall("0[xX][0-9a-fA-F]+", ",".join(words))]


def text(b):
    return b.decode("utf-8", "backslashreplace")


def by_keys(raw):
    """The members of a line that is not JSON."""
    d = {}
    for key, pattern in KEYS.items():
        m = re.search(pattern, raw, re.S)
        if m:
            d[key] = re.findall("0x[0-9a-fA-F]+", text(m[1])) if key == "references" else \
                int(m[1]) if m[1].isdigit() and key not in ("file", "method", "name") else text(m[1])
    return d if "type" in d and ("address" in d or "root" in d) else None


class Heap:
    def __init__(self, data, which=1):
        self.count = collections.Counter(dumps=1)
        self.keys, self.lines, self.roots = set(), {}, []
        seen, objects = set(), False
        for raw in self.whole(data):
            self.count["heap_lines"] += 1
            flaws = collections.Counter()
            d = self.read(raw, flaws)
            if d is not None and d["type"] == "ROOT":
                if objects and d["root"] in seen:
                    self.count["dumps"] += 1
                    seen, objects = set(), False
                seen.add(d["root"])
            if self.count["dumps"] == which:
                self.count.update(flaws)
            if d is None:
                continue
            if d["type"] == "ROOT":
                if self.count["dumps"] == which:
                    self.roots.append((d["root"], addresses(d.get("references", []))))
                continue
            objects |= d["type"] not in NO_OBJECTS
            if self.count["dumps"] != which or "address" not in d:
                continue
            known = {"NONE": "free_slots", "ZOMBIE": "zombies", "SHAPE": "object_shapes"}.get(d["type"])
            if known:
                self.count[known] += 1
                continue
            self.keys |= set(d)
            self.count["repair.no_size"] += "memsize" not in d
            self.count["repair.line_doubles"] += int(d["address"], 16) in self.lines
            self.lines.pop(int(d["address"], 16), None)
            self.lines[int(d["address"], 16)] = d
        self.at = sorted(self.lines)
        self.word = 8 if self.at and self.at[-1] >> 32 else 4
        if not self.keys & {"superclass", "singleton"}:
            self.find_singletons()
        self.graph()

    def whole(self, data):
        *lines, tail = data.split(b"\n")
        if tail.strip() and not tail.rstrip().endswith(b"}"):
            self.count["loss.tail_bytes"] = len(tail)
        elif tail.strip():
            lines.append(tail)
        return [line for line in (x.strip(b" \t\r") for x in lines) if line]

    @staticmethod
    def read(raw, count):
        escaped = text(raw)
        try:
            raw.decode()
        except UnicodeDecodeError:
            count["repair.line_encoding"] += 1
            escaped = re.sub(r"(?<!\\)\\x(..)", r"\\\\x\1", escaped)
        try:
            d = json.loads(escaped)
        except ValueError:
            try:
                d = json.loads(escaped, strict=False)
                count["repair.line_controls"] += 1
            except ValueError:
                d = by_keys(raw)
                count["repair.line_json"] += d is not None
                count["loss.object_lines" if raw[:1] == b"{" else "unread.object_lines"] += d is None
                return d
        m = re.search(KEYS["file"], raw, re.S) if b"\\" in raw else None
        if isinstance(d, dict) and "file" in d and m and b'":' not in m[1]:
            d["file"] = text(m[1])
        if not isinstance(d, dict) or "type" not in d or \
                not ("root" in d or re.fullmatch("0[xX][0-9a-fA-F]+", str(d.get("address")))):
            count["unread.object_lines"] += 1
            return None
        return d

    # ---- classes

    def find_singletons(self):
        """Ruby 3.0: a class without a name is a singleton class if it refers to an object of this class."""
        def above(a):
            found = [r for r in self.targets(a) if r != a and r in self.lines]
            return [r for kind in ("CLASS", "ICLASS") for r in found if self.lines[r]["type"] == kind][:1]

        for a, d in list(self.lines.items()):
            own = [r for r in self.targets(a) if r in self.lines and self.lines[r]["type"] != "IMEMO" and self.field(r) == a]
            if d["type"] == "CLASS" and not d.get("name") and self.field(a) and own and above(a):
                d["singleton"] = True
            if above(a) and (d["type"] == "ICLASS" or d.get("singleton")):
                d["superclass"] = hex(above(a)[0])

    def field(self, a):
        return number(self.lines[a].get("class"))

    def targets(self, a):
        return addresses(self.lines[a].get("references", []))

    def class_name(self, a):
        if a not in self.lines:
            return "class@0x%x" % a
        start, seen = self.lines[a], set()
        if start.get("singleton") and start["type"] in CLASSES:
            while a in self.lines and a not in seen and \
                    (self.lines[a]["type"] not in ("CLASS", "MODULE") or self.lines[a].get("singleton")):
                seen.add(a)
                a = number(self.lines[a].get("superclass"))
            if a not in self.lines or a in seen:
                return start.get("real_class_name") or "singleton@0x%x" % int(start["address"], 16)
        d = self.lines[a]
        return d["type"] in CLASSES and d.get("name") or "#<%s:0x%x>" % ("Module" if d["type"] == "MODULE" else "Class", a)

    def class_of(self, a):
        d = self.lines[a]
        kind = d["type"]
        fixed = {"CLASS": "(singleton class)" if d.get("singleton") else "Class", "MODULE": "Module", "ICLASS": "(iclass)",
                 "IMEMO": "(imemo %s)" % d.get("imemo_type", "?"), "NODE": "(node %s)" % d.get("node_type", "?")}
        if kind in fixed:
            return fixed[kind]
        name = self.class_name(self.field(a)) if self.field(a) else None
        if kind == "DATA" and name in (None, "Object"):
            return "(data %s)" % d.get("struct", "?")
        return name or "(%s)" % kind.lower()

    # ---- graph

    def graph(self):
        self.out, self.kind = {}, {}
        for a in self.at:
            d, hold = self.lines[a], self.targets(a)
            self.count["references"] += len(hold)
            self.count["missing"] += sum(x not in self.lines for x in hold)
            cls = 0 if d["type"] == "IMEMO" else self.field(a)
            self.count["missing_classes"] += cls != 0 and cls not in self.lines
            self.out[a] = {x for x in hold + [cls] * (cls != 0) if x in self.lines and x != a}
        for kind, some in self.roots:
            for x in some:
                if x in self.lines:
                    self.kind.setdefault(x, kind)
                else:
                    self.count["repair.absent_roots"] += 1
        met = self.reach(self.kind)
        order = [a for a in self.lines if a not in met and (not self.roots or self.lines[a].get("flags", {}).get("marked"))]
        behind = set().union(*(self.out[a] for a in order))
        for circles in (False, True):
            for a in order:
                if a not in met and (circles or a not in behind):
                    self.kind[a] = "not in dump" if self.roots else "no root in file"
                    met |= self.reach([a])
        self.live = self.reach(self.kind)

    def reach(self, start, without=None):
        met = {x for x in start if x != without}
        todo = list(met)
        while todo:
            new = self.out[todo.pop()] - met - {without}
            met |= new
            todo += new
        return met

    def size(self, a):
        d = self.lines[a]
        return d["memsize"] if "memsize" in d else d.get("slot_size") or 5 * self.word

    def idoms(self):
        """address: (shallow, retained, dominator)"""
        below = {a: self.live - self.reach(self.kind, a) for a in self.live}
        rows = {a: (self.size(a), 0, 0) for a in self.at if a not in self.live}
        for a in self.live:
            above = [b for b in self.live if b != a and a in below[b]]
            rows[a] = (self.size(a), sum(map(self.size, below[a])), min(above, key=lambda b: len(below[b]), default=0))
        return rows

    # ---- tables: rows of texts and numbers

    def table(self, key, some=None, sizes=True):
        rows = collections.defaultdict(lambda: [0, 0, 0, 0])
        for a in self.at if some is None else some:
            k = key(a)
            if k is not None:
                live = a in self.live
                rows[k] = [x + y for x, y in zip(rows[k], (1, self.size(a), live, live and self.size(a)))]
        return {k: tuple(v) for k, v in rows.items()}

    def types(self):
        return self.table(lambda a: self.lines[a]["type"])

    def classes(self):
        return self.table(self.class_of)

    def sites(self):
        def site(a):
            d = self.lines[a]
            return (d["file"], d.get("line", 0), d.get("method", "-"), self.class_of(a)) if "file" in d else None
        return self.table(site)

    def generations(self):
        return self.table(lambda a: self.lines[a].get("generation", "-"))

    def dups(self):
        # An object whose class is Class counts as a class, which has no text.
        text = lambda a: self.lines[a]["type"] == "STRING" and self.class_of(a) != "Class"
        rows = self.table(lambda a: self.lines[a].get("value") if text(a) else None, self.live)
        return {k: (n, b - b // n) for k, (n, b, _, _) in rows.items() if n > 1}
