# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapanswers.py - what icecore says about a heap dump, and how that differs from the oracle heap.py.

Each compare function takes the oracle's Heap and tables of the program; it
returns a list of differences, empty when all is well.
"""
import collections
import re
import unicodedata

from answers import differences, fit, missing_columns, number
from heap import LEVELS, SUPER_ROOT
from heapread import ON_THREADS, ROOTS

NAME = 200                    # characters of a thread's name that are compared
KINDS = {"i": "instance", "o": "object array", "p": "primitive array", "c": "class"}


def plain(s):
    """Text as the program lets it out: the format escapes tabs and line ends, the rest is replaced."""
    s = s.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(ch if ch in "\t\n\r" else fit(ch) for ch in s)


def spread(text):
    """Runs of stand-ins count as one and marks over letters as part of them: how many come out is the printer's affair."""
    if text.isascii():
        return text
    out = []
    for ch in text:
        ch = "\ufffd" if unicodedata.category(ch)[0] == "M" else ch
        if ch != "\ufffd" or out[-1:] != [ch]:
            out.append(ch)
    return "".join(out)


def name_of(h, a):
    return spread(plain(h.class_of(a)))


def compare_info(h, info):
    got = {r["field"]: r["value"] for r in info.rows}
    parent, _ = h.solve()
    live = sum(h.shallow[a] for a in parent)
    want = {"live_objects": len(parent), "live_bytes": live,
            "unreachable_objects": len(h.shallow) - len(parent),
            "unreachable_bytes": sum(h.shallow.values()) - live}
    return ["info: %s is %s, should be %s" % (k, got.get(k), v) for k, v in want.items() if got.get(k) != str(v)]


def compare_objects(h, table):
    bad = missing_columns(table, "id addr class kind length shallow retained reachable dominator offset")
    if bad:
        return bad
    parent, retained = h.solve()
    levels = h.levels()
    want = collections.Counter()
    for a, o in h.r.objects.items():
        above = parent.get(a, SUPER_ROOT)
        want[(h.number[a], "0x%x" % a, name_of(h, a), KINDS[o.kind], o.n if o.kind in "op" else 0, h.shallow[a],
              retained.get(a, 0), LEVELS[levels[a]], h.number.get(above, 0), o.at)] += 1
    got = collections.Counter(
        (int(r["id"]), r["addr"], spread(r["class"]), r["kind"], number(r["length"]), number(r["shallow"]),
         number(r["retained"]), r["reachable"], number(r["dominator"]), number(r["offset"])) for r in table.rows)
    return differences("objects", want, got)


def class_groups(h):
    """Objects by class: the key is the class's address; arrays of values by name; classes by java.lang.Class."""
    def key(a):
        o = h.r.objects[a]
        return h.class_edge(a) or name_of(h, a) if o.kind != "i" else o.cls
    return key


def compare_histogram(h, table):
    bad = missing_columns(table, "name objects shallow")
    if bad:
        return bad
    count, size = collections.Counter(), collections.Counter()
    for a in h.r.objects:
        key = class_groups(h)(a), name_of(h, a)
        count[key] += 1
        size[key] += h.shallow[a]
    want = collections.Counter((k[1], count[k], size[k]) for k in count)
    got = collections.Counter((spread(r["name"]), number(r["objects"]), number(r["shallow"])) for r in table.rows)
    bad = differences("histogram", want, got)
    sizes = [number(r["shallow"]) for r in table.rows]
    return bad + ([] if sizes == sorted(sizes, reverse=True) else ["histogram: not by falling size"])


def super_name(h, a):
    """Empty where it is missing or the class itself."""
    chain = h.chain(a)
    return spread(plain(h.name(chain[1]))) if len(chain) > 1 else ""


def compare_classes(h, table):
    """Fields of the dumped classes."""
    bad = missing_columns(table, "id name loader super objects shallow retained instance_size live")
    if bad:
        return bad
    key = class_groups(h)
    groups = collections.defaultdict(list)
    for a in h.r.objects:
        groups[key(a)].append(a)
    retained = h.top_retained(key)
    live = h.solve()[1]
    want = collections.Counter()
    for a, c in h.r.classes.items():
        mine = groups.get(a, [])
        want[(h.number[a], spread(plain(h.name(a))), super_name(h, a), len(mine),
              sum(h.shallow[x] for x in mine), retained.get(a, 0), sum(x in live for x in mine))] += 1
    got = collections.Counter(
        (int(r["id"]), spread(r["name"]), spread(r["super"]), number(r["objects"]), number(r["shallow"]),
         number(r["retained"]), number(r["live"])) for r in table.rows if r["id"])
    bad = differences("classes", want, got)
    for r in table.rows:
        if r["id"]:
            c = h.r.classes.get(h.addresses[int(r["id"]) - 1])
            if c and (c.loader in h.r.objects) == (r["loader"] == "boot"):
                bad.append("classes: loader of %s is %s" % (r["name"], r["loader"]))
    return bad


def compare_loaders(h, table):
    """A loader holds itself, its classes and their instances; an object may belong to two loaders."""
    bad = missing_columns(table, "id classes objects shallow retained")
    if bad:
        return bad
    loaders = {c.loader for c in h.r.classes.values() if c.loader in h.r.objects}
    want = collections.Counter()
    for loader in loaders:
        mine = {a for a, c in h.r.classes.items() if c.loader == loader}
        inside = mine | {loader} | {a for a, o in h.r.objects.items() if o.kind != "c" and h.class_edge(a) in mine}
        retained = h.top_retained(lambda a: "in" if a in inside else None)
        count = [a for a in h.r.objects if h.r.objects[a].kind != "c" and h.class_edge(a) in mine]
        want[(h.number[loader], len(mine), len(count), sum(h.shallow[a] for a in count), retained["in"])] += 1
    got = collections.Counter((int(r["id"]), number(r["classes"]), number(r["objects"]), number(r["shallow"]),
                               number(r["retained"])) for r in table.rows if r["id"])
    return differences("loaders", want, got)


def compare_roots(h, table):
    bad = missing_columns(table, "object kind")
    if bad:
        return bad
    want = collections.Counter((h.number[a], ROOTS[t]) for t, a, _, _ in h.r.roots if a in h.number)
    if h.r.roots and not any(t == 5 for t, *_ in h.r.roots):
        want.update((h.number[a], "boot class") for a, c in h.r.classes.items()
                    if c.loader == 0 and not h.name(a).endswith("[]"))
    got = collections.Counter((int(r["object"]), r["kind"]) for r in table.rows if r["kind"] != "unreferenced")
    return differences("roots", want, got)


def frame_text(h, frame):
    """(class, method, file, line); line 0: not known."""
    raw = h.r.frames.get(frame)
    if raw is None:
        return None
    text = lambda n: spread(plain(h.r.names.get(n, b"").decode("utf-8", "surrogateescape")))
    c = h.r.serial.get(raw[3])
    return spread(plain(h.name(c))) if c else "", text(raw[0]), text(raw[2]), max(raw[4], 0)


def compare_threads(h, table):
    bad = missing_columns(table, "id serial name frames locals retained")
    if bad:
        return bad
    stacks = h.stacks()
    retained = h.solve()[1]
    held = collections.Counter(s for t, a, s, _ in h.r.roots if t in ON_THREADS and a in h.r.objects)
    want = collections.Counter()
    for serial, (a, _) in h.r.threads.items():
        want[(h.number.get(a, 0), serial, spread(plain(h.thread_name(serial)))[:NAME], len(stacks[serial]), held[serial],
              retained.get(a, 0))] += 1
    got = collections.Counter()
    for r in table.rows:
        serial = number(r["serial"])
        if serial in h.r.threads:
            name = spread(r["name"])[:NAME] if h.thread_name(serial) else ""
            got[(number(r["id"]), serial, name, number(r["frames"]), number(r["locals"]), number(r["retained"]))] += 1
    others = {number(r["serial"]) for r in table.rows} - set(h.r.threads)
    if others != h.r.rootless_threads():
        bad.append("threads without a root: %s, should be %s" % (sorted(others), sorted(h.r.rootless_threads())))
    return bad + differences("threads", want, got)


def compare_frames(h, table):
    bad = missing_columns(table, "thread depth method class file line")
    if bad:
        return bad
    want = collections.Counter()
    for frames in h.stacks().values():
        for k, f in enumerate(frames):
            text = frame_text(h, f)
            if text:
                want[(k,) + text] += 1
    got = collections.Counter((number(r["depth"]), spread(r["class"]), spread(r["method"]), spread(r["file"]),
                               number(r["line"])) for r in table.rows)
    return differences("frames", want, got)


def compare_strings(h, table):
    bad = missing_columns(table, "object value shallow")
    if bad:
        return bad
    want = collections.Counter()
    for a, o in h.r.objects.items():
        if o.kind == "i" and h.name(o.cls) == "java.lang.String":
            text = h.text(a)
            text = (text or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            want[(h.number[a], spread(plain(text)), h.shallow[a])] += 1
    got = collections.Counter((int(r["object"]), spread(r["value"]), number(r["shallow"])) for r in table.rows)
    return differences("strings", want, got)


def compare_refs(h, object, table):
    """Rows of refs @object, except the class of an instance."""
    a = h.addresses[object - 1]
    want = collections.Counter((spread(plain(n)) if n[0] != "<" else "<>", h.number.get(v, 0))
                               for n, v, _ in h.slots(a))
    got = collections.Counter((spread(r["name"]) if r["name"][:1] != "<" else "<>", number(r["object"]))
                              for r in table.rows if r["name"] != "<class>")
    return differences("refs @%d" % object, want, got)


def compare_referrers(h, object, table, into):
    want = collections.Counter(h.number[a] for a in into[h.addresses[object - 1]])
    got = collections.Counter(number(r["object"]) for r in table.rows if r["name"] != "<class>")
    return differences("referrers @%d" % object, want, got)


def referrers(h):
    """object -> those that refer to it, once for each reference, without the classes of instances."""
    into = collections.defaultdict(list)
    for a in h.r.objects:
        for v, _ in h.out(a, classes=False):
            into[v].append(a)
    return into


def nearest(h, some):
    """
    Nodes on the shortest path to each object, without the classes of instances.  In a dump without roots a circle
    counts for what only circles lead to: there, for some objects, from the first of all that do.
    """
    if h.r.roots and h.refs != "unreachable":
        return h.distances(False)
    roots = h.unreferred()
    if h.r.roots:
        roots = h.held_roots() | {a for a in roots if a not in h.r.classes}
    near, into = h.distances(False, roots), collections.defaultdict(list)
    by_instances = h.distances(True, roots) if h.r.roots else ()
    for a, held in h.graph(classes=False).items():
        for v in held:
            into[v].append(a)
    for a in some:
        if a not in near and a not in by_instances:
            near[a] = h.distances(False, [min(h.reach(into, [a]))])[a]
    return near


def refers(h, x, y, links):
    """Whether x refers to y by so many references, through parts of a collection."""
    met = {x}
    for _ in range(links - 1):
        met = {v for at in met for v, _ in h.out(at) if re.search(r"\[\]$|\$\w*(Node|Entry|Link)$|\.\w*Map$", name_of(h, v))}
    return any(v == y for at in met for v, _ in h.out(at))


def compare_path(h, object, table, near, far):
    """
    Its length, and that each step is a reference, or several through arrays and nodes of a collection.  near: distances
    without the classes of instances; for other objects, any way over an instance to its class will do.
    """
    a = h.addresses[object - 1]
    length = sum(int(r["links"]) for r in table.rows) + 1 if table.rows else 0
    if (a in near and length != near[a]) or (a in far) != (length > 0):
        return ["path @%d: %d objects, should be %s" % (object, length, near.get(a, far.get(a)))]
    if not table.rows:
        return []
    steps = [h.addresses[int(r["object"]) - 1] for r in table.rows]
    bad = ["path @%d: 0x%x does not refer to 0x%x" % (object, x, y)
           for x, y, r in zip(steps, steps[1:], table.rows[1:]) if not refers(h, x, y, int(r["links"]))]
    bad += ["path @%d: 0x%x is part of the collection 0x%x" % (object, y, x) for x, y in zip(steps, steps[1:-1])
            if re.match(r"java\.util\.\w+$", name_of(h, x)) and name_of(h, y) == "java.lang.Object[]"]
    if steps[-1] != a:
        bad.append("path @%d ends at another object" % object)
    if steps[0] not in h.root_set():
        bad.append("path @%d begins at no root" % object)
    return bad
