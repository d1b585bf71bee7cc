#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of tracers with random stacks: form(random) -> (text, {event: {(thread, frames from the root): value}}).  FORMS has them."""
import collections
import json
import random
from xml.sax.saxutils import quoteattr

NAMES = ("main", "serve", "std::map<int, long>::find(int const&)", "grow", "copy", "read_page", "Cart::add(Item const&)", "operator()", "größe", "a", "b",
         "sum<Cart, 3>", "work.part.0", "~Cart")
KERNEL = ("do_nap", "schedule", "vfs_read", "filemap_read")
COMMS = ("shop", "db writer", "kworker/u8:3", "my app (x)")


def stack(r, names=NAMES, most=8):
    return tuple(r.choice(names) for _ in range(r.randint(1, most)))


def offset(r):
    return "+%d" % r.randrange(5000)


def noise(r):
    return r.choice(("", "04:18:%02d\n" % r.randrange(60), "\n", "some message\n"))


def bpf_part(r, frames, modules):
    if not modules:
        return "".join("    %s%s\n" % (f, offset(r)) for f in reversed(frames))
    return "".join("\t%x %s%s (/usr/lib/lib%d.so)\n" % (r.randrange(1 << 32, 1 << 47), f, offset(r), len(f) % 2) for f in reversed(frames))


def bpf_key(r, modules, map_name, user, kernel, comm, value):
    parts = [bpf_part(r, user, modules)] if user else [""]
    if kernel:
        parts.insert(r.randint(0, 1), bpf_part(r, ("entry_SYSCALL_64_after_hwframe",) + kernel, modules))
    if not user and not kernel:
        return "@%s[, , %s]: %d\n" % (map_name, comm, value)
    return "@%s[%s, %s]: %d\n" % (map_name, ", ".join("\n" + p if p else "" for p in parts), comm, value)


def bpftrace(r):
    """Maps that are cleared between prints, and maps that are not."""
    modules = r.random() < 0.5
    out, want = ["Attaching 3 probes...\n"], collections.OrderedDict()
    for map_name in ("", "bytes", "x_1")[:r.randint(1, 3)]:
        rows = {}
        for _ in range(r.randint(1, 9)):
            user, kernel = (stack(r) if r.random() < 0.8 else ()), (stack(r, KERNEL, 4) if r.random() < 0.5 else ())
            rows[user, kernel, r.choice(COMMS)] = r.randrange(1, 1 << 40)
        clears, prints, sums = r.random() < 0.5, r.randint(1, 3), collections.Counter()
        for n in range(prints):
            keys = list(rows)
            if clears and n > 0:
                # Another first key, or smaller values: no running total.
                for k in keys:
                    rows[k] = max(1, rows[k] // 2)
                rows[keys[0]] = max(1, rows[keys[0]] - 1)
            for k in keys:
                value = rows[k] if clears else rows[k] * (n + 1)
                out.append(bpf_key(r, modules, map_name, *k, value))
                sums[k] = sums[k] + value if clears and rows[k] > 1 else value
            out.append(noise(r) + "other line\n")
        if clears and any(v < 4 for v in rows.values()):
            return bpftrace(r)
        want["@" + map_name] = {("", (k[2],) + (k[0] + (("entry_SYSCALL_64_after_hwframe",) + k[1] if k[1] else ()) or ("[no stack]",))): v
                                for k, v in sums.items()}
    out.append("@lat[\n    f+1\n]: \n[0]    1 |@@@@|\n\n@all: 7\n")
    return "".join(out), want


def bcc(r):
    out, want = ["Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n"], collections.Counter()
    for _ in range(r.randint(1, 20)):
        user, kernel, comm, value = stack(r), stack(r, KERNEL, 4) if r.random() < 0.5 else (), r.choice(COMMS), r.randrange(1, 1 << 30)
        lines = ["    %s\n" % f for f in reversed(kernel)] + (["    --\n"] if kernel else []) + ["    %s\n" % f for f in reversed(user)]
        out.append("".join(lines) + "    -                %s (%d)\n        %d\n\n" % (comm, 100 + COMMS.index(comm), value))
        want[comm, user + kernel] += value * (10 ** 9 // 49)
    return "".join(out), {"samples": want}


def dtrace(r):
    out, want = ["CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s \n\n"], collections.Counter()
    for _ in range(r.randint(1, 20)):
        user, kernel, comm, value = stack(r), stack(r, KERNEL, 4) if r.random() < 0.5 else (), r.choice(("shopd", "")), r.randrange(1, 1 << 30)
        user, kernel = tuple("shop`" + f for f in user), tuple("genunix`" + f for f in kernel)
        out.append("  %-17s\n" % comm if comm else "")
        for part in (kernel, user):
            out += ["              %s+0x%x\n" % (f, r.randrange(1 << 12)) for f in reversed(part)] + ["\n"] * (part is kernel and part != ())
        out.append("%17d\n\n" % value)
        want["", ((comm,) if comm else ()) + user + kernel] += value
    return "".join(out), {"count": want}


# ---- trees: {frames from the root: its own value} -----------------------------------------------


def tree(r, own=lambda r: r.choice((0, 1, 5, 1000))):
    """Paths in the order of a walk, each after its parent."""
    out = collections.OrderedDict()

    def grow(path, depth):
        out[path] = own(r)
        for name in r.sample(NAMES, r.randint(0, 3 if depth < 6 else 0)):
            grow(path + (name,), depth + 1)
    grow((r.choice(NAMES),), 0)
    return out


def inclusive(nodes):
    sums = collections.Counter()
    for path, own in nodes.items():
        for n in range(1, len(path) + 1):
            sums[path[:n]] += own
    return sums


def positive(nodes, thread=""):
    return {(thread, path): own for path, own in nodes.items() if own > 0}


def sample(r):
    out, want = ["Analysis of sampling Shop (pid 4211) every 1 millisecond\n\nCall graph:\n"], {}
    for n in range(r.randint(1, 4)):
        nodes, name = tree(r), "thread %d" % n
        nodes[next(iter(nodes))] += 1
        sums = inclusive(nodes)
        out.append("    %d Thread_%d: %s\n" % (sums[next(iter(nodes))], 1000 + n, name))
        for path in nodes:
            marks = "".join(r.choice("+!:| ") + " " for _ in path)
            out.append("    %s%d %s  (in Shop) + 12  [0x1f]\n" % (marks, sums[path], path[-1]))
        want.update(positive(nodes, name))
    return "".join(out) + "\nTotal number in stack\n", {"samples": {k: v * 10 ** 6 for k, v in want.items()}}


def spindump(r):
    out, want = ["Date/Time: 2025-06-03\nSteps:            9 (10ms sampling interval)\n\n"], collections.OrderedDict()
    for p in range(r.randint(1, 3)):
        process, rows = "Shop%d [42%d]" % (p, p), {}
        out.append("Process:          %s\nPath:             /x\n\n" % process)
        for n in range(r.randint(1, 3)):
            nodes, name = tree(r, lambda r: r.randint(0, 3)), "thread %d" % n
            nodes[next(iter(nodes))] += 1
            sums = inclusive(nodes)
            out.append("  Thread 0x%x    Thread name \"%s\"    %d samples (1-9)    priority 31\n" % (1000 * p + n, name, sums[next(iter(nodes))]))
            for path in nodes:
                out.append("  %s%-5d %s + 8 (Shop + 4120) [0x1]\n" % ("  " * (len(path) - 1), sums[path], path[-1]))
            out.append("\n")
            rows.update(positive(nodes, name))
        want[process] = {k: v * 10 ** 7 for k, v in rows.items()}
    return "".join(out), want


def ghc(r):
    ticks, out = tree(r), []
    size = {path: r.choice((0, 64, 1 << 40)) for path in ticks}
    ticks[next(iter(ticks))] += 1
    size[next(iter(ticks))] += 1
    names = {f: "c%d" % i for i, f in enumerate(NAMES)}
    for path in ticks:
        out.append("%s%s  Shop  src/a b.hs:(1,2)-(3,4)  12  0   1.0  2.0   3.0  4.0  %d  %d\n" % (" " * (len(path) - 1), names[path[-1]], ticks[path], size[path]))
    text = ("\tSun Time and Allocation Profiling Report  (Final)\n\n\ttotal time = 1.00 secs (10 ticks @ 1000 us)\n\nCOST CENTRE MODULE SRC %time ticks bytes\n\n"
            "x Shop y 1.0 1.0 1 1\n\nCOST CENTRE MODULE SRC no. entries %time %alloc %time %alloc ticks bytes\n\n")
    want = {k: {("", tuple("Shop." + names[f] for f in path)): v for path, v in of.items() if v > 0} for k, of in (("ticks", ticks), ("bytes", size))}
    return text + "".join(out), want


def vtune(r):
    nodes = tree(r, lambda r: r.choice((0, 1, 16612, 1500000)))
    nodes[next(iter(nodes))] += 1
    out = ["Function Stack,CPU Time:Self,Module\nTotal,0.0,[Unknown]\n"]
    for path, own in nodes.items():
        name = path[-1] if "," not in path[-1] else '"%s"' % path[-1]
        out.append("%s%s,%d.%06d,shop.exe\n" % (" " * len(path), name, own // 1000000, own % 1000000))
    return "".join(out), {"CPU time": {k: v * 1000 for k, v in positive(nodes).items()}}


def massif(r):
    out, want = ["desc: --x\ncmd: ./shop\ntime_unit: i\n"], collections.OrderedDict()
    for n in range(r.randint(1, 3)):
        nodes, peak = tree(r, lambda r: r.randint(0, 900)), n == 0
        nodes[next(iter(nodes))] += 1
        sums, head = inclusive(nodes), next(iter(nodes))
        out.append("#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=1\nmem_stacks_B=0\nheap_tree=%s\n" % (
            n, 100 * n, sums[head], "peak" if peak else "detailed"))
        rows = {}
        for path, own in nodes.items():
            kids = sum(1 for p in nodes if len(p) == len(path) + 1 and p[:-1] == path)
            name = "(heap functions) malloc" if len(path) == 1 else "0x4A: %s (cart.cc:%d)" % (path[-1], r.randrange(1, 99))
            out.append("%sn%d: %d %s\n" % (" " * (len(path) - 1), kids, sums[path], name))
            if own > 0:
                rows["", tuple(reversed(("(heap functions)",) + path[1:]))] = own
        want[("peak snapshot %d" if peak else "snapshot %d") % n] = rows
    return "".join(out), want


def heapprofile(r):
    nodes = tree(r, lambda r: r.choice((0, 16, 4096)))
    nodes[next(iter(nodes))] += 1

    def node(path):
        kids = [node(p) for p in nodes if len(p) == len(path) + 1 and p[:-1] == path]
        return {"callFrame": {"functionName": path[-1], "scriptId": "1", "url": "", "lineNumber": -1, "columnNumber": -1}, "selfSize": nodes[path],
                "id": len(path), "children": kids}
    return json.dumps({"head": node(next(iter(nodes))), "samples": []}), {"live bytes, sampled": positive(nodes)}


def xctrace_rows(r):
    """A table, and its samples: thread, path, weight, time and state, "" if it has none.  Each element is written once."""
    ids, out, rows, now = {}, [], [], r.randrange(1 << 40)

    def once(key, tag, attributes, inner=""):
        if key in ids:
            return '<%s ref="%d"/>' % (tag, ids[key])
        ids[key] = len(ids) + 1
        return '<%s id="%d"%s>%s</%s>' % (tag, ids[key], attributes, inner() if callable(inner) else inner, tag)

    def frame(name):
        return once(("f", name), "frame", " name=%s addr=\"0x1\"" % quoteattr(name), lambda: once(("b",), "binary", ' name="shop" path="/shop"'))
    paths = [stack(r) for _ in range(4)]
    for _ in range(r.randint(1, 20)):
        path, thread, weight = r.choice(paths), r.choice(COMMS), r.choice((1000000, 999))
        now, state = now + r.choice((0, 1000000, 999)), r.choice(("Running", "Blocked", "Running", ""))
        trace = once(("s", path), "backtrace", "", lambda: "".join(map(frame, reversed(path))))
        at = once(("at", now), "sample-time", ' fmt="00:00"', str(now)) + (once(("s", state), "thread-state", ' fmt="%s"' % state, state) if state else "<sentinel/>")
        out.append("<row>%s%s%s%s</row>\n" % (at, once(("t", thread), "thread", " fmt=%s" % quoteattr("%s  0x%x (shop, pid: 12)" % (thread, 1 + COMMS.index(thread)))),
                                             once(("w", weight), "weight", ' fmt="1 ms"', str(weight)), trace))
        rows.append((thread, path, weight, now, state))
    return '<?xml version="1.0"?>\n<trace-query-result>\n<node xpath="x"><schema name="time-profile"></schema>\n%s</node></trace-query-result>\n' % "".join(out), rows


def xctrace(r):
    text, rows = xctrace_rows(r)
    want = collections.Counter()
    for thread, path, weight, _, _ in rows:
        want[thread, path] += weight
    return text, {"time-profile": want}


class Box:
    """A frame of a flame graph with all that is above it; the root is not a frame."""

    def __init__(self, name, below=None):
        self.name, self.own, self.on = name, 0, collections.OrderedDict()
        self.level = 0 if below is None else below.level + 1

    def total(self):
        return self.own + sum(b.total() for b in self.on.values())

    def walk(self, x=0):
        """Boxes from the root on, each before those on it: box, place, width."""
        yield self, x, self.total()
        for b in self.on.values():
            yield from b.walk(x)
            x += b.total()


def pictured(r, values=(1, 2, 7, 1000, 12345)):
    """A flame graph of random stacks, and their values."""
    root, want = Box("all"), collections.Counter()
    for _ in range(r.randint(1, 12)):
        path, value = stack(r), r.choice(values)
        box = root
        for name in path:
            box = box.on.setdefault(name, Box(name, box))
        box.own += value
        want["", path] += value
    return root, want


def svg_title(name, count, unit, percent, oldest):
    text = "%s (%s %s, %s%%)" % (name, "{:,}".format(count), unit, percent)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "\\'" if oldest else "'").replace('"', "&quot;")


def svg(r):
    """By FlameGraph (pixels, titles or the oldest form) and inferno (places as counts); flames and icicles, elements in any order."""
    how, down, unit = r.choice(("pixels", "counts", "oldest")), r.random() < 0.5, r.choice(("samples", "bytes", "I/O"))
    # Boxes of less than a tenth of a pixel may be read as callees of a neighbour.
    root, want = pictured(r, (1, 2, 7, 1000, 12345) if how == "counts" else (1, 2, 7, 300, 900))
    boxes, all_ = list(root.walk()), root.total()
    high = max(b.level for b, _, _ in boxes)
    if how == "counts":
        r.shuffle(boxes)
    out = []
    for b, x, w in boxes:
        y = 36 + 16 * (b.level if down else high - b.level)
        percent = "100" if b is root else "%.2f" % (100.0 * w / all_)
        title = svg_title(b.name, w, unit, percent, how == "oldest")
        place = 'x="%.1f" y="%d" width="%.1f" height="15"' % (10 + 1180.0 * x / all_, y, 1180.0 * w / all_)
        if how == "counts":
            out.append('<g><title>%s</title><rect %s fg:x="%d" fg:w="%d" fill="rgb(1,2,3)"/><text x="1">%s</text></g>' % (title, place, x, w, b.name[:1]))
        elif how == "pixels":
            out.append('<g class="func_g"><title>%s</title><rect %s rx="2"/><text>..</text></g>' % (title, place))
        else:
            out.append('<rect %s onmouseover="s(\'%s\')" onmouseout="c()"/>' % (place, title))
    head = '<?xml version="1.0" standalone="no"?>\n<svg version="1.1" width="1200">\n<script><![CDATA[ if (a < b) "x" ]]></script>\n<style>text { a: b }</style>\n'
    return head + '<rect x="0.0" y="0" width="1200.0" height="100"/>\n' + "\n".join(out) + "\n</svg>\n", {unit: want}


def quoted(name):
    return name.replace("\\", "\\\\").replace("'", "\\'")


def ap_page(r):
    """Pages of async-profiler 2 and 3: boxes as calls of functions."""
    root, want = pictured(r)
    boxes, new = list(root.walk()), r.random() < 0.6
    out, unit = [], r.choice(("samples", "bytes")) if new else "samples"
    if not new:
        out = ["f(%d,%d,%d,%d,'%s')" % (b.level, x, w, 3 if b is root else 1, quoted(b.name)) for b, x, w in boxes]
    else:
        pool = ["all"] + sorted({b.name for b, _, _ in boxes} - {"all"})
        lines, level, left, width = ["const units = '%s';" % unit, "const cpool = [", "'all'"], 0, 0, 0
        for n, name in enumerate(pool[1:], 1):
            same = 0
            while n > 1 and same < min(len(name), len(pool[n - 1]), 90) and name[same] == pool[n - 1][same] and ord(name[same]) < 128:
                same += 1
            lines[-1] += ","
            lines.append("'%s'" % quoted(chr(32 + same) + name[same:]))
        out = lines + ["];", "unpack(cpool);", ""]
        for n, (b, x, w) in enumerate(boxes):
            key = pool.index(b.name) << 3 | (3 if b is root else 1)
            more = "" if w == width and n else ",%d" % w
            if n and b.level == level + 1 and x == left and r.random() < 0.9:
                out.append("u(%d%s)" % (key, more))
            elif b.level == level and x == left + width and r.random() < 0.9:
                out.append("n(%d%s)" % (key, more))
            else:
                out.append("f(%d,%d,%d%s)" % (key, b.level, x - left, more))
            level, left, width = b.level, x, w
    page = "<!DOCTYPE html>\n<html><head></head><body>\n<h1>A <b> & 'c'</h1>\nProduced by async-profiler\n<script>\n%s\n</script></body></html>\n"
    return page % "\n".join(out), {unit: want}


def ap_tree(r):
    root, want = pictured(r)
    old, out = r.random() < 0.5, []

    def escape(name):
        return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def item(b):
        numbers = ("[%d] 1.00%% %s self: 0.50%% %s" if old else "%.0s1.00%% [%s] &#8226; self: 0.50%% [%s]") % (
            b.level - 1, "{:,}".format(b.total()), "{:,}".format(b.own))
        out.append('<li><div>%s</div><span class="t1"> %s</span>' % (numbers, escape(b.name)))
        if b.on:
            out.append("<ul>")
            for c in b.on.values():
                item(c)
            out.append("</ul>")
    for c in root.on.values():
        item(c)
    quote = "'" if old else '"'
    return "<!DOCTYPE html>\n<html>\n<body>\n<ul class=%stree%s>\n%s\n</ul>\n</body>\n</html>\n" % (quote, quote, "\n".join(out)), {"samples": want}


def flamebearer(r):
    root, want = pictured(r)
    levels, names = collections.OrderedDict(), ["total"] + sorted({b.name for b, _, _ in root.walk()} - {"all"})
    ends = collections.Counter()
    for b, x, w in root.walk():
        levels.setdefault(b.level, []).extend((x - ends[b.level], w, b.own, 0 if b is root else names.index(b.name)))
        ends[b.level] = x + w
    unit = r.choice(("samples", "bytes", "objects"))
    fb, meta = {"names": names, "levels": list(levels.values()), "numTicks": root.total(), "maxSelf": 1}, {"format": "single", "units": unit, "sampleRate": 0}
    whole = {"version": 1, "flamebearer": fb, "metadata": meta} if r.random() < 0.5 else {**fb, **meta}
    return json.dumps(whole, ensure_ascii=r.random() < 0.5), {unit: want}


def d3(r):
    root, want = pictured(r)
    page = r.random() < 0.5
    n, v, c = ("n", "v", "c") if page else ("name", "value", "children")

    def node(b):
        return {n: b.name, **({"l": ""} if page else {}), v: b.total() if b.level or not page else 0, c: [node(x) for x in b.on.values()]}
    text = json.dumps(node(root))
    return ("<!DOCTYPE html>\n<html><body><script>\nvar stacks = [%s];\n</script></body></html>\n" if page else "%s") % text, {"samples": want}


FORMS = (svg, ap_page, ap_tree, flamebearer, d3, bpftrace, bcc, dtrace, sample, spindump, ghc, vtune, massif, heapprofile, xctrace)


def make(form, seed):
    return form(random.Random("%s %d" % (form.__name__, seed)))
