# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""v8model.py - a heap snapshot of V8, slowly: classes, sizes, dominators and distances by the rules of DevTools.

Sets instead of walks, for snapshots of a hundred nodes.
"""
import collections
import json
import re

SYSTEM = 100000000
PAIR = re.compile(r"\d+( / part of key \(.*\) -> value \(.*\) pair in WeakMap \(table @(\d+)\))", re.S)
FIXED = {"hidden": "(system)", "closure": "Function", "regexp": "RegExp", "code": "(compiled code)"}


class Refused(Exception):
    pass


def salvage(text):
    """The complete rows of a file that was cut."""
    step, doc = json.JSONDecoder(), {}
    at = text.find('"snapshot"')
    try:
        doc["snapshot"], _ = step.raw_decode(text, re.compile(r'"snapshot"\s*:\s*').match(text, at).end())
    except (ValueError, AttributeError):
        raise Refused from None
    for name in ("nodes", "edges", "locations"):
        m = re.search(r'"%s"\s*:\s*\[([\d\s,]*)(.?)' % name, text)
        doc[name] = [int(x) for x in re.findall(r"\d+(?=[\s,\]])", m.group(1) + m.group(2))] if m else []
    doc["strings"] = []
    m = re.search(r'"strings"\s*:\s*\[\s*', text)
    at = m.end() if m else len(text)
    while at < len(text) and text[at] == '"':
        try:
            one, at = step.raw_decode(text, at)
        except ValueError:
            break
        doc["strings"].append(one)
        at = re.compile(r"[\s,]*").match(text, at).end()
    return doc


def units(s):
    return len(s.encode("utf-16-le", "surrogatepass")) // 2


class Model:
    def __init__(self, doc, sizes="vm"):
        meta = doc["snapshot"]["meta"]
        nf, ef = meta["node_fields"], meta["edge_fields"]
        types, kinds = meta["node_types"][nf.index("type")], meta["edge_types"][ef.index("type")]
        strings = doc["strings"]
        rows = [dict(zip(nf, doc["nodes"][i:i + len(nf)])) for i in range(0, len(doc["nodes"]) - len(nf) + 1, len(nf))]
        edges = [dict(zip(ef, doc["edges"][i:i + len(ef)])) for i in range(0, len(doc["edges"]) - len(ef) + 1, len(ef))]
        self.n = len(rows)
        self.type = [types[r["type"]] if r["type"] < len(types) else "type %d" % r["type"] for r in rows]
        self.name = [strings[r["name"]] if r["name"] < len(strings) else "?" for r in rows]
        self.id = [r["id"] for r in rows]
        self.size = [r["self_size"] for r in rows]
        self.state = [r.get("detachedness") for r in rows]
        root = doc["snapshot"].get("root_index", 0) // len(nf)
        self.root = root if root < self.n else 0
        self.out, at = [], 0
        for r in rows:
            self.out.append([])
            for e in edges[at:at + r["edge_count"]]:
                label, kind = e["name_or_index"], kinds[e["type"]]
                if kind not in ("element", "hidden"):
                    label = strings[label] if label < len(strings) else "?"
                if e["to_node"] % len(nf) == 0 and e["to_node"] // len(nf) < self.n:
                    self.out[-1].append((kind, label, e["to_node"] // len(nf)))
            at += r["edge_count"]
        k = len(meta["location_fields"])
        self.place = {}
        for i in range(0, len(doc["locations"]) - k + 1, k):
            place = doc["locations"][i:i + k]
            self.place[place[0] // len(nf)] = tuple(place[1:])
        if self.n:
            self.know(sizes)

    def know(self, sizes):
        self.states()
        self.users = [t for _, _, t in self.out[self.root] if self.is_user(t)]
        starts = [t for kind, _, t in self.out[self.root] if kind == "shortcut" or
                  kind == "element" and self.type[t] == "synthetic" and self.name[t] == "(Document DOM trees)"]
        self.page = self.reached(starts, lambda i: [t for kind, _, t in self.out[i] if kind != "weak"])
        if sizes == "vm" and self.users:
            self.give()
        self.classes()
        self.dominators()
        self.distances()

    def is_user(self, i):
        return self.type[i] != "synthetic" or self.name[i] == "(Document DOM trees)"

    @staticmethod
    def reached(starts, below):
        seen, todo = set(), list(starts)
        while todo:
            i = todo.pop()
            if i not in seen:
                seen.add(i)
                todo += below(i)
        return seen

    def states(self):
        self.prefix = [""] * self.n
        if self.state[0] is None:
            self.state = [2 if t == "native" and n.startswith("Detached ") else 0 for t, n in zip(self.type, self.name)]
            return
        first = list(self.state)
        for state in (1, 2):
            todo = [i for i in range(self.n) if first[i] == state and self.type[i] == "native"]
            while todo:
                for kind, _, t in self.out[todo.pop()]:
                    if kind not in ("hidden", "weak") and self.type[t] == "native" and self.state[t] == 0:
                        self.state[t] = state
                        todo.append(t)
        self.prefix = ["Detached " if t == "native" and s == 2 else "" for t, s in zip(self.type, self.state)]

    def give(self):
        """The bytes of hidden nodes to their only owner."""
        poor = {i for i in range(self.n) if self.type[i] in ("hidden", "array") or
                self.type[i] == "native" and self.name[i] == "system / ExternalStringData"}
        owners, more = [set() if i in poor else {i} for i in range(self.n)], True
        while more:
            more = False
            for i in range(self.n):
                for kind, _, t in self.out[i]:
                    if kind != "weak" and t in poor and not owners[i] <= owners[t]:
                        owners[t] |= owners[i]
                        more = True
        was = list(self.size)
        for i in poor:
            if len(owners[i]) == 1:
                owner, = owners[i]
                if owner != self.root and self.type[owner] != "synthetic":
                    self.size[owner] += was[i]
                    self.size[i] -= was[i]

    def interfaces(self):
        plain = [i for i in range(self.n) if self.type[i] == "object" and self.name[i] == "Object"]
        found = {}
        for i in plain:
            cut, length = (), 1
            for p in (name for kind, name, _ in self.out[i] if kind == "property" and name != "__proto__"):
                word = json.dumps(p, ensure_ascii=False) if set(p) & set(",'\"{}") else p
                if cut and length + units(word) > 120:
                    break
                length += units(word) + (2 if cut else 0)
                cut += (word, p),
            if cut:
                found[cut] = found.get(cut, 0) + 1
        ranked = [cut for cut in sorted(found, key=lambda cut: -found[cut]) if found[cut] >= max(2, len(plain) / 1000)]
        for i in plain:
            has = {name for kind, name, _ in self.out[i] if kind == "property"}
            fit = [cut for cut in ranked if {p for _, p in cut} <= has]
            if fit:
                self.text[i] = "{%s}" % ", ".join(word for word, _ in max(fit, key=len))

    def classes(self):
        self.text = []
        for kind, name, prefix in zip(self.type, self.name, self.prefix):
            name = prefix + name
            if kind in ("object", "native"):
                m = re.match(r"((?:Detached )?<[^ ]*) ", name, re.S)
                self.text.append(m.group(1) + ">" if m else name)
            else:
                self.text.append(FIXED.get(kind, "(%s)" % kind))
        self.interfaces()
        keys = [(t, self.place.get(i) if self.type[i] == "object" else None) for i, t in enumerate(self.text)]
        several = collections.Counter(text for text, _ in set(keys))
        self.cls = [t + " %d:%d:%d" % p if p and several[t] > 1 else t for t, p in keys]

    def counts(self, i, edge):
        kind, name, t = edge
        m = PAIR.fullmatch(name) if kind == "internal" else None
        return not (kind == "weak" or t == i or m and int(m.group(2)) == self.id[i] or i != self.root and (
            kind == "shortcut" or t in self.page and i not in self.page))

    def holds(self, i):
        return (edge[2] for edge in self.out[i] if self.counts(i, edge))

    def dominators(self):
        root, out = self.root, [list(self.holds(i)) for i in range(self.n)]
        held = {t for some in out for t in some}
        live, top = self.reached([root], lambda i: out[i]), []
        for i in range(self.n):
            if i not in live and i not in held:
                top.append(i)
                live |= self.reached([i], lambda i: out[i])
        above = [[] for _ in range(self.n)]
        for i in live:
            for t in out[i]:
                above[t].append(i)
        for i in top:
            above[i].append(root)
        by = [1 << root if i == root else -1 for i in range(self.n)]
        more = True
        while more:
            more = False
            for i in live - {root}:
                new = -1
                for a in above[i]:
                    new &= by[a]
                new |= 1 << i
                more |= new != by[i]
                by[i] = new
        self.dom = [root] * self.n
        self.retained = list(self.size)
        for i in live - {root}:
            over = [a for a in live if a != i and by[i] >> a & 1]
            self.dom[i] = max(over, key=lambda a: bin(by[a]).count("1"))
        for i in range(self.n):
            while i != root and self.size[i] and (a := self.dom[i]) is not None:
                for a in self.over(i):
                    self.retained[a] += self.size[i]
                break

    def over(self, i):
        while i != self.root:
            i = self.dom[i]
            yield i

    def distances(self):
        self.far, met = [None] * self.n, collections.Counter()

        def walk(todo):
            while todo:
                i = todo.popleft()
                for kind, name, t in self.out[i]:
                    if kind == "weak" or self.far[t] is not None:
                        continue
                    if self.type[i] == "hidden" and name == "sloppy_function_map" and self.name[i] == "system / NativeContext":
                        continue
                    m = re.match(r" *(\d+)", str(name))
                    if self.type[i] == "array" and self.name[i] == "(map descriptors)":
                        if not m or int(m.group(1)) >= 2 and int(m.group(1)) % 3 == 1:
                            continue
                    m = PAIR.fullmatch(name) if kind == "internal" else None
                    if m:
                        met[m.group(1)] += 1
                        if met[m.group(1)] % 2:
                            continue
                    self.far[t] = self.far[i] + 1
                    todo.append(t)
        for t in self.users:
            self.far[t] = 1
        walk(collections.deque(dict.fromkeys(self.users)))
        self.far[self.root] = SYSTEM if self.users else 0
        walk(collections.deque([self.root]))

    def references(self):
        """owner's id, name, target's id, strength; in the order of the file"""
        forms = {"property": "%s", "shortcut": "%s", "context": "->%s", "element": "[%s]"}
        return [(self.id[i], forms.get(kind, "{%s}") % name, self.id[t], "strong" if self.counts(i, (kind, name, t)) else "weak")
                for i in range(self.n) for kind, name, t in self.out[i]]

    def texts(self):
        """id: text of strings, and of ropes of two strings"""
        found = {self.id[i]: self.name[i] for i in range(self.n) if self.type[i] in ("string", "sliced string")}
        for i in range(self.n):
            part = {name: t for kind, name, t in self.out[i] if kind == "internal"}
            parts = [part[k] for k in ("first", "second") if k in part]
            if self.type[i] == "concatenated string" and all(self.type[t] == "string" for t in parts):
                found[self.id[i]] = "".join(self.name[t] for t in parts)
        return found

    def steps(self):
        """id: references on a shortest path from a root of the program; only if there is none, from one of V8"""
        out = [list(self.holds(i)) for i in range(self.n)]
        first = [t for t in out[self.root] if self.is_user(t)]
        found = {}
        for starts in (first, [self.root, *out[self.root]]):
            far, todo = dict.fromkeys(starts, 0), collections.deque(dict.fromkeys(starts))
            while todo:
                i = todo.popleft()
                # All objects that the root refers to are roots.
                for t in out[i] if i != self.root else ():
                    if t not in far:
                        far[t] = far[i] + 1
                        todo.append(t)
            found = {**far, **found}
        return {self.id[i]: n for i, n in found.items()}

    def objects(self):
        """id, class, shallow, retained, dominator's id, distance, state"""
        return [(self.id[i], self.cls[i], self.size[i], self.retained[i], self.id[self.dom[i]], self.far[i], self.state[i])
                for i in range(self.n)]

    def table(self):
        """class: objects, shallow, retained, distance (-5: some are not reached)"""
        rows = {}
        for i in range(self.n):
            if self.size[i]:
                row = rows.setdefault(self.cls[i], [0, 0, 0, SYSTEM * 9])
                row[0] += 1
                row[1] += self.size[i]
                row[3] = min(row[3], -5 if self.far[i] is None else self.far[i])
                if not any(self.cls[a] == self.cls[i] and self.size[a] for a in self.over(i)):
                    row[2] += self.retained[i]
        return {name: tuple(row) for name, row in rows.items()}
