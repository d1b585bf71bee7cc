# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mkv8.py SEED OUT - a small random heap snapshot of V8, with all that its readers must tell apart.

Columns and types come in any order, with more of them than are known; some numbers are wrong if damage is asked for.
"""
import json
import random
import sys

TYPES = ["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic", "concatenated string",
         "sliced string", "symbol", "bigint", "object shape"]
EDGES = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]
NODE_FIELDS = ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]
EDGE_FIELDS = ["type", "name_or_index", "to_node"]
NAMES = {
    "object": ["Object", "Object", "Object", "Session", "Map", "Détente", "global / x", "A \"b\"", "<div>", "(string)"],
    "native": ["<div id=\"a\">", "<div class=b>", "HTMLDocument", "system / ExternalStringData", "Detached <span x>", "Node / Buffer"],
    "hidden": ["system / Map", "system / NativeContext", "(map descriptors)"],
    "array": ["(object elements)", "(map descriptors)", "(map descriptors)", "system / NativeContext"],
    "synthetic": ["(GC roots)", "(Strong roots)", "(Document DOM trees)", "", "Object"],
}
PROPERTIES = ["a", "b", "c", "name", "__proto__", "a, b", "it's", "q\"uote\\", "€uro", "\U0001f600", "{", "x" * 50, "y" * 60, "z" * 119]
INTERNAL = ["elements", "map", "sloppy_function_map", "0", "1", "3", " 4 of", "7up", "first", "second", "table"]


class Snapshot:
    """Nodes are [type, name, id, size, state], edges [type, name or number, node]; both lists are by node."""

    def __init__(self, r):
        self.nodes, self.out, self.locations = [], [], []
        n = r.choice((1, 2, 5, 12, 30, 60, 90))
        kinds = r.sample(TYPES, r.randrange(3, len(TYPES))) + ["object"] * 3 + ["native"] * r.randrange(3) + ["array", "hidden"]
        ids = r.sample(range(1, 40 * n + 9), n)
        for i in range(n):
            kind = r.choice(kinds)
            name = r.choice(NAMES.get(kind, ["a text", "t%d" % r.randrange(9), ""]))
            size = r.choice((0, 16, 24, 40, 7, r.randrange(1000), r.randrange(1000), 1 << 33 if r.random() < .03 else 8))
            self.nodes.append([kind, name, ids[i], size, r.choice((0, 0, 0, 0, 0, 1, 2))])
            self.out.append([])
        self.root = r.randrange(n) if r.random() < .3 else 0
        # It has no bytes of its own, in files of all writers.
        self.nodes[self.root][:2], self.nodes[self.root][3] = ("synthetic", ""), 0
        self.edges(r, n)
        for i in range(n):
            if r.random() < .4:
                self.locations.append([i, r.randrange(3), r.randrange(2), r.randrange(2)])
        r.shuffle(self.locations)

    def edges(self, r, n):
        far = r.random() < .7
        for _ in range(r.randrange(4 * n + 2)):
            a = r.randrange(n)
            b = r.randrange(n) if far else min(n - 1, max(0, a + r.randrange(-3, 5)))
            kind = r.choice(EDGES + ["property"] * 3 + ["internal", "element"])
            name = r.randrange(9) if kind in ("element", "hidden") else r.choice(PROPERTIES) if kind == "property" else r.choice(INTERNAL)
            self.out[a].append([kind, name, b])
        for _ in range(r.randrange(4)):
            self.out[self.root].append([r.choice(("shortcut", "element", "element", "weak")), r.randrange(9), r.randrange(n)])
            if self.out[self.root][-1][0] in ("shortcut", "weak"):
                self.out[self.root][-1][1] = "root edge"
        for k in range(r.randrange(4)):
            key, value, table = (r.randrange(n) for _ in range(3))
            tail = " / part of key (%s @%d) -> value (%s @%d) pair in WeakMap (table @%d)" % (
                *self.nodes[key][1:3], *self.nodes[value][1:3], self.nodes[table][2])
            for i in (key, table):
                self.out[i].insert(r.randrange(len(self.out[i]) + 1), ["internal", "%d%s" % (k + 2 * (i == table), tail), value])
        # A DOM node gives its state to others, but not over all kinds of edges.
        dom = [i for i in range(n) if self.nodes[i][0] == "native"]
        for _ in range(r.randrange(2 * len(dom) + 1)):
            self.out[r.choice(dom)].append([*r.choice((("hidden", 2), ("weak", "first"), ("property", "a"))), r.choice(dom)])
        for i in r.sample(range(n), min(n, 8)):
            if self.nodes[i][:2] == ["object", "Object"]:
                self.out[i] = [["property", p, r.randrange(n)] for p in r.choice((PROPERTIES[:2], PROPERTIES[:3], PROPERTIES[5:9], PROPERTIES[10:]))]


def document(s, r, damage=False, odd=1):
    """The snapshot as a dictionary in the order of the file; odd: with members and fields that nobody knows."""
    nf, ef = NODE_FIELDS + ["x_new"] * (odd * r.randrange(2)), EDGE_FIELDS + ["x_more"] * (odd * r.randrange(2))
    types, kinds = list(TYPES), list(EDGES)
    if r.random() < .3:
        nf.remove("detachedness")
    if r.random() < .5:
        for some in (nf, ef, types, kinds):
            r.shuffle(some)
    strings, at = ["<dummy>"] * r.randrange(2), {}

    def string(text):
        if text not in at:
            at[text] = len(strings)
            strings.append(text)
        return at[text]

    nodes, edges = [], []
    for (kind, name, ident, size, state), out in zip(s.nodes, s.out):
        row = {"type": types.index(kind), "name": string(name), "id": ident, "self_size": size, "edge_count": len(out), "trace_node_id": 0,
               "detachedness": state, "x_new": r.randrange(99)}
        nodes += [row[f] for f in nf]
        for what, label, to in out:
            row = {"type": kinds.index(what), "to_node": to * len(nf), "x_more": 5,
                   "name_or_index": label if what in ("element", "hidden") else string(str(label))}
            edges += [row[f] for f in ef]
    if damage:
        for row, width, column, values in ((nodes, len(nf), nf.index("type"), (17, 70)), (nodes, len(nf), nf.index("name"), (9999,)),
                                           (nodes, len(nf), nf.index("edge_count"), (0, 3, 500)), (edges, len(ef), ef.index("to_node"), (1, 10 ** 9)),
                                           (edges, len(ef), ef.index("name_or_index"), (9999,))):
            if row and r.random() < .5:
                row[r.randrange(len(row) // width) * width + column] = r.choice(values)
    meta = {"node_fields": nf, "node_types": [types if f == "type" else "number" for f in nf] + ["number"], "edge_fields": ef,
            "edge_types": [kinds if f == "type" else "node" for f in ef], "location_fields": ["object_index", "script_id", "line", "column"]}
    head = {"meta": meta, "node_count": len(s.nodes), "edge_count": len(edges) // len(ef), "trace_function_count": 0}
    if s.root:
        head["root_index"] = s.root * len(nf)
    members = [("nodes", nodes), ("edges", edges), ("trace_function_infos", []), ("trace_tree", [0, 0, [1, 2, []]] if odd else []), ("samples", []),
               ("locations", [x for i, *place in s.locations for x in (i * len(nf), *place)]), ("strings", strings)]
    members.insert(0, ("snapshot", head))
    if r.random() < .3:
        r.shuffle(members)
    return dict(members)


def text(doc, style):
    """0: as new versions write it; 1: with the line ends of old ones; 2: with blanks everywhere."""
    if style == 2:
        return json.dumps(doc, indent=1)
    out = json.dumps(doc, separators=(",", ":"), ensure_ascii=style == 0)
    if style == 1:
        meta = doc["snapshot"]["meta"]
        for name, width in (("nodes", len(meta["node_fields"])), ("edges", len(meta["edge_fields"]))):
            row = [str(x) for x in doc[name]]
            rows = "\n,".join(",".join(row[i:i + width]) for i in range(0, len(row), width))
            out = out.replace('"%s":[%s]' % (name, ",".join(row)), '"%s":[%s\n]' % (name, rows))
    return out


def random_text(seed, damage=False):
    r = random.Random(seed)
    return text(document(Snapshot(r), r, damage), r.randrange(3))


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(random_text(int(sys.argv[1])))
