#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heap.py WHAT FILE - slow, plain reader of HPROF heap dumps, independent of icecore; keep it so.

WHAT: facts, histogram, dominators, layout, threads, strings, cuts.  Options --sizes vm|mat and
--refs soft|strong|all mean what they mean to icecore; vm of an Android dump is the number in it.
About 1 kB of memory an object: for dumps up to some 50 MB.
"""
import argparse
import collections
import copy
import gc
import itertools
import math
import sys

from heapread import ON_THREADS, WIDTH, Reader, Refused, pretty
from heapgrow import Larger, stack_bytes
from heapvalues import Values

TYPE = {4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long"}
ARRAY = {t: name + "[]" for t, name in TYPE.items()}
STRONG, SOFT, FINALIZER, WEAK, PHANTOM, CHAINED, UNREACHABLE = range(7)
LEVELS = ("strong", "soft", "finalizer", "weak", "phantom", "discovered", "unreachable")
COUNTS = {"strong": {STRONG}, "soft": {STRONG, SOFT}, "all": {STRONG, SOFT, FINALIZER, WEAK, PHANTOM, CHAINED}}
COUNTS["unreachable"] = COUNTS["all"]
STRENGTH = {"java.lang.ref.SoftReference": SOFT, "java.lang.ref.WeakReference": WEAK,
            "java.lang.ref.PhantomReference": PHANTOM, "java.lang.ref.FinalReference": FINALIZER,
            "java.lang.ref.Finalizer": FINALIZER, "java.lang.ref.FinalizerReference": FINALIZER}
SUPER_ROOT = 0

# Header, reference and array header of the layouts, by size of the ids.
LAYOUTS = {4: {"32": (8, 4, 12)},
           8: {"coops": (12, 4, 16), "nocoops": (16, 8, 24), "zgc_ccp": (12, 8, 16), "compact_coops": (8, 4, 12),
               "compact_zgc": (8, 8, 12), "coops_noccp": (16, 4, 24), "coops_noccp_tight": (16, 4, 20),
               "nocoops_tight": (16, 8, 20)}}

VOTING, VOTERS = 8, 8         # objects of a class that votes, classes for a verdict by them alone

# Objects live as long as their heap, so the collector need not scan them again and again.
gc.set_threshold(1 << 20)


def up(n, to):
    return (n + to - 1) // to * to


class Heap(Values, Larger):
    """Objects, sizes and references of a dump: of the bytes of a file, or of a Reader of them."""

    def __init__(self, data, refs="soft", sizes="vm"):
        self.r = r = data if isinstance(data, Reader) else Reader(data)
        self.refs, self.sizes = refs, sizes
        self.solved = {}
        self.known = {}
        self.by_name = {}
        for c in r.classes:
            self.by_name.setdefault(self.name(c), c)
        self.jlc = self.by_name.get("java.lang.Class")
        self.addresses = sorted(r.objects)
        self.number = {a: k + 1 for k, a in enumerate(self.addresses)}
        self.chains = {}
        self.listed = {}
        self.referring = {}
        self.by_field = {}
        self.edges = {}
        self.link()
        self.android = r.version == "1.0.3" or any(t > 0x88 and t != 0xff for t in getattr(r, "subs", ())) or \
            any(r.names.get(n, b"") in (b"shadow$_klass_", b"$staticOverhead") for c in r.classes.values()
                for n, *_ in list(c.fields) + list(c.statics))
        self.measured = {}

    def by_rules(self, refs, sizes):
        """The same objects, counted otherwise; what does not depend on that is computed once for both."""
        h = copy.copy(self)
        h.refs, h.sizes = refs, sizes
        vars(h).pop("retained", None)
        return h

    def once(self, what, compute):
        if what not in self.solved:
            self.solved[what] = compute()
        return self.solved[what]

    # ---- classes --------------------------------------------------------------------

    def name(self, c):
        if c not in self.known:
            raw = self.r.names.get(self.r.class_name.get(c))
            self.known[c] = "class@%x" % c if raw is None or raw == b"" else pretty(raw)
        return self.known[c]

    def link(self):
        """Superclasses; the link that would close a circle is cut."""
        self.sup = {}
        for c, k in self.r.classes.items():
            x = k.sup
            while x in self.sup and x != c:
                x = self.sup[x]
            if k.sup in self.r.classes and x != c:
                self.sup[c] = k.sup

    def chain(self, c):
        """A class and its superclasses."""
        if c not in self.chains:
            self.chains[c] = [c] if c in self.r.classes else []
            while self.chains[c] and self.chains[c][-1] in self.sup:
                self.chains[c].append(self.sup[self.chains[c][-1]])
        return self.chains[c]

    def class_of(self, a):
        o = self.r.objects[a]
        return "java.lang.Class" if o.kind == "c" else ARRAY[o.cls] if o.kind == "p" else self.name(o.cls)

    def label(self, a):
        return "class " + self.name(a) if self.r.objects[a].kind == "c" else self.class_of(a)

    def fields(self, c):
        """(declaring class, name, type, offset) in the order of the values."""
        if c not in self.listed:
            self.listed[c], at = [], 0
            for k in self.chain(c):
                for n, t in self.r.classes[k].fields:
                    self.listed[c].append((k, self.r.names.get(n, b"?"), t, at))
                    at += self.r.width(t)
        return self.listed[c]

    def idle(self, declaring, n):
        """A field in which the VM keeps its own: the class once more; the list of references that were cleared."""
        return n == b"shadow$_klass_" or n == b"discovered" and self.name(declaring) == "java.lang.ref.Reference"

    def references(self, c):
        """(name, offset, strength) of the fields that refer to objects, except the class."""
        if c not in self.referring:
            self.referring[c] = out = []
            for declaring, n, t, at in self.fields(c):
                if t in (1, 2) and not self.idle(declaring, n):
                    weak = n == b"referent" and self.name(declaring) == "java.lang.ref.Reference"
                    out.append((n.decode("utf-8", "replace"), at, self.strength(c) if weak else STRONG))
        return self.referring[c]

    def strength(self, c):
        for k in self.chain(c):
            if self.name(k) in STRENGTH:
                return STRENGTH[self.name(k)]
        return STRONG

    # ---- sizes -----------------------------------------------------------------------

    def fields_end(self, c, header, ref, flat, memo):
        """Fields of java.lang.Object are in its header."""
        if c not in memo:
            end = header
            for k in reversed(self.chain(c)):
                own = self.r.classes[k]
                if own.sup != 0:
                    end += sum(ref if t in (1, 2) else WIDTH[t] for _, t in own.fields)
                    end = end if flat else up(end, ref)
            memo[c] = end
        return memo[c]

    def rule_end(self, c, layout, flat, memo):
        """Stack chunks have a reference, pc, a number and two flags of the VM besides."""
        header, ref, _ = layout
        return self.fields_end(c, header, ref, flat, memo) + (ref + 14 if c == self.stack_class() else 0)

    def form(self, o):
        """Return the facts that the size depends on: class and words of the stack of an instance, or kind, element width and length of an array."""
        if o.kind == "i":
            return o.kind, o.cls, self.words(o) if o.cls == self.stack_class() else 0
        return o.kind, WIDTH.get(o.cls, 0) if o.kind == "p" else 0, o.n

    def form_size(self, form, layout, ends, align=8):
        """ends: where the fields of a class end."""
        kind, what, n = form
        _, ref, array = layout
        if kind == "i":
            return up(up(ends(what), align) + stack_bytes(n, self.r.ids, ref), align)
        if kind == "o":
            return up(up(array, ref) + n * ref, align)
        return up((up(array, 8) if what == 8 else array) + n * what, align)

    def class_sizes(self, ref, java, align):
        """Of Class objects; java: of one without statics."""
        if self.sizes == "vm":
            return {a: self.statics_bytes(a, ref, align) + java for a in self.r.classes}
        return {a: up(sum(ref if t in (1, 2) else WIDTH[t] for _, t, _ in c.statics), align) + java
                for a, c in self.r.classes.items()}

    def vote(self):
        """Best first: refuted, -classes, -hits, alignment, name, not flat, layout, percent, part of the classes that vote."""
        out, objects = [], self.r.objects
        gaps = collections.Counter(((objects[a].kind, objects[a].cls), self.form(objects[a]), b - a)
                                   for a, b in zip(self.addresses, self.addresses[1:]) if objects[a].kind != "c")
        n = sum(gaps.values())
        count = collections.Counter()
        for (cls, _, _), k in gaps.items():
            count[cls] += k
        voters = {cls for cls, k in count.items() if k >= VOTING}
        for name, layout in LAYOUTS[self.r.ids].items():
            for flat, align in itertools.product((False, True), {8, self.align()}):
                memo = {}
                rows = [(cls, gap, self.form_size(form, layout, lambda c: self.rule_end(c, layout, flat, memo), align), k)
                        for (cls, form, gap), k in gaps.items()]
                hits = sum(k for _, gap, size, k in rows if gap == size)
                wrong = sum(k for _, gap, size, k in rows if gap < size)
                agree = {cls for cls, gap, size, _ in rows if gap == size} - {cls for cls, gap, size, _ in rows if gap < size}
                refuted = wrong > 0.002 * n
                out.append((refuted, -len(agree & voters) if len(voters) >= VOTERS and not refuted else 0, -hits, align, name, not flat, layout,
                            100 * hits / max(n, 1), len(agree & voters) / len(voters) if len(voters) >= VOTERS else 0))
        return sorted(out)

    def align(self):
        """What all addresses are multiples of, if it is a power of two and there are enough of them."""
        g = math.gcd(*self.addresses) if len(self.addresses) >= 1000 else 8
        return g if 8 < g <= 256 and g & (g - 1) == 0 else 8

    def layout_facts(self):
        """The second-best layout, with the share of gaps that fit, and how many classes are larger than their fields themselves."""
        (_, _, _, first, _, mat, best, *_), (_, _, _, align, name, second, layout, *_) = self.vote()[:2]
        sizes, differ = self.larger(layout, not second, align)
        gaps = [(self.r.objects[a], b - a) for a, b in zip(self.addresses, self.addresses[1:]) if self.r.objects[a].kind != "c"]
        hits = sum(gap == self.form_size(self.form(o), layout, sizes.get, align) for o, gap in gaps)
        percent = min(100 * hits / len(gaps), 99.9 if differ else 100)
        (header, ref, _), memo, sizes = best, {}, self.larger(best, not mat, first)[0]
        fields = {c: self.fields_end(c, header, ref, not mat, memo) + (ref + 14 if c == self.stack_class() else 0) for c in sizes}
        more = {c for c in sizes if sizes[c] > fields[c]}
        return "%s/%s%s %.1f%%" % (name, "mat" if second else "flat", "/%d" % align if align > 8 else "", percent), sum(self.sup.get(c) not in more for c in more)

    def layout(self):
        best = self.vote()[0]
        if best[0] or best[7] < 30 and best[8] < .6:
            name = "32" if self.r.ids == 4 else "coops"
            return name, False, LAYOUTS[self.r.ids][name], 0
        return best[4], not best[5], best[6], best[3]

    def mat_ref(self):
        last = None
        if self.r.ids == 8:
            for a, o in self.r.objects.items():       # in the order of the file
                if o.kind == "o":
                    if last and last[0] < a < last[1]:
                        return 4
                    last = (a, a + 16 + 8 * o.n)
        return self.r.ids

    def mat_align(self):
        g = 0
        for a, b in zip(self.addresses, self.addresses[1:]):
            g = math.gcd(g, b - a)
            if g <= 8 and g:
                break
        return max(min(g, 256), 8)

    @property
    def shallow(self):
        """Sizes by address, where they are asked for: they depend on the rule, not on what counts as a reference."""
        if self.sizes not in self.measured:
            self.measured[self.sizes] = {}
            self.measure()
        return self.measured[self.sizes]

    def measure(self):
        if self.android and self.sizes == "vm":
            return self.measure_android()
        if self.sizes == "mat":
            ref, align = self.mat_ref(), self.mat_align()
            header, flat = self.r.ids + ref, False
            layout = (header, ref, up(self.r.ids + ref + 4, ref))
            memo = {}
            for a, o in self.r.objects.items():
                if o.kind == "i":
                    self.shallow[a] = up(self.fields_end(o.cls, header, ref, False, memo), align)
                elif o.kind == "o":
                    self.shallow[a] = up(self.r.ids + ref + 4 + o.n * ref, align)
                elif o.kind == "p":
                    self.shallow[a] = up(layout[2] + o.n * WIDTH[o.cls], align)
            java = up(self.fields_end(self.jlc, header, ref, flat, memo), align)
        else:
            _, flat, layout, aligned = self.layout()
            header, ref, _ = layout
            align, memo, sizes = aligned or 8, {}, {}
            larger = self.larger(layout, flat, align)[0] if aligned else {}

            def end(c):
                return larger[c] if c in larger else self.rule_end(c, layout, flat, memo)
            java = up(end(self.jlc), align)
            for a, o in self.r.objects.items():
                if o.kind != "c":
                    form = self.form(o)
                    if form not in sizes:
                        sizes[form] = self.form_size(form, layout, end, align)
                    self.shallow[a] = sizes[form]
        self.shallow.update(self.class_sizes(ref, java, align))

    def measure_android(self):
        java = self.r.classes[self.jlc].size if self.jlc else 0
        for a, o in self.r.objects.items():
            if o.kind == "i":
                self.shallow[a] = self.r.classes[o.cls].size if o.cls in self.r.classes else 0
            elif o.kind == "c":
                self.shallow[a] = java + sum(self.r.width(t) for _, t, _ in self.r.classes[a].statics)
            else:
                self.shallow[a] = o.bytes

    # ---- references -----------------------------------------------------------------------

    def slots(self, a):
        """(name, address, strength) of each reference that is not null, without the class of an instance."""
        r, o = self.r, self.r.objects[a]
        if o.kind == "o":
            for k, v in enumerate(r.elements(o)):
                if v:
                    yield "[%d]" % k, v, STRONG
        elif o.kind == "i":
            for name, at, strength in self.references(o.cls):
                if at + r.ids <= o.bytes:
                    v = r.id(o.data + at)
                    if v:
                        yield name, v, strength
        elif o.kind == "c":
            c = r.classes[a]
            for n, t, v in c.statics:
                v = int.from_bytes(v, "big") if t in (1, 2) else 0
                if v:
                    yield "static " + r.names.get(n, b"?").decode("utf-8", "replace"), v, STRONG
            for what, v in (("<super>", c.sup), ("<classloader>", c.loader), ("<signers>", c.signers),
                            ("<domain>", c.domain)):
                if v:
                    yield what, v, STRONG
        for v in self.locals().get(a, ()):
            yield "<Java Local>", v, STRONG

    def locals(self):
        """Thread object -> what its stack holds."""
        if not hasattr(self, "on_stack"):
            self.on_stack = collections.defaultdict(list)
            for tag, a, serial, _ in self.r.roots:
                thread = self.r.threads.get(serial, (0,))[0]
                if tag in ON_THREADS and a in self.r.objects and thread in self.r.objects:
                    self.on_stack[thread].append(a)
        return self.on_stack

    def class_edge(self, a):
        """The Class object that an object implies, or 0."""
        o = self.r.objects[a]
        c = self.jlc if o.kind == "c" else self.by_name.get(ARRAY[o.cls]) if o.kind == "p" else o.cls
        return c if c in self.r.objects else 0

    def out(self, a, classes=True):
        """(object, strength), only to objects that are there."""
        if a not in self.edges:
            r, o, there = self.r, self.r.objects[a], self.r.objects
            if o.kind == "c" or a in self.locals():
                own = [(v, s) for _, v, s in self.slots(a) if v in there]
            elif o.kind == "o":
                own = [(v, STRONG) for v in r.elements(o) if v in there]
            else:
                held = [] if o.kind == "p" else [(r.id(o.data + at), s) for _, at, s in self.references(o.cls) if at + r.ids <= o.bytes]
                own = [(v, s) for v, s in held if v in there]
            c = self.class_edge(a)
            self.edges[a] = own + [(c, STRONG)] if c else own
        return self.edges[a] if classes or not self.class_edge(a) else self.edges[a][:-1]

    def chained(self, a):
        """The next element of the list of cleared references: (object, strength), at most one."""
        o = self.r.objects[a]
        if o.kind != "i":
            return []
        at = [at for k, n, t, at in self.fields(o.cls) if n == b"discovered" and t in (1, 2) and self.name(k) == "java.lang.ref.Reference"]
        return [(v, CHAINED) for v in (self.r.id(o.data + p) for p in at[-1:] if p + self.r.ids <= o.bytes) if v in self.r.objects]

    def unreferred(self):
        """Classes, and what nothing refers to."""
        referred = {v for a in self.r.objects for v, _ in self.out(a, classes=False)}
        if self.refs in ("all", "unreachable"):
            referred |= {v for a in self.r.objects for v, _ in self.chained(a)}
        return set(self.r.classes) | (set(self.r.objects) - referred)

    def pseudo_roots(self, roots):
        """Beside these the first of each circle that is left."""
        graph = self.graph()
        seen = self.reach(graph, roots)
        for a in self.addresses:
            if a not in seen:
                roots.add(a)
                seen |= self.reach(graph, [a])
        return roots

    def root_set(self):
        return self.once(("roots", self.refs), self.find_roots)

    def find_roots(self):
        if not self.r.roots:
            return self.pseudo_roots(self.unreferred())
        out = self.held_roots()
        if self.refs == "unreachable":
            seen = self.reach(self.graph(), out)
            out = self.pseudo_roots(out | {a for a in self.unreferred() - seen if a not in self.r.classes})
        return out

    def held_roots(self):
        out = set()
        for tag, a, serial, _ in self.r.roots:
            thread = self.r.threads.get(serial, (0,))[0]
            if a in self.r.objects and not (tag in ON_THREADS and thread in self.r.objects):
                out.add(a)
        if not any(t == 5 for t, *_ in self.r.roots):
            out.update(c for c in self.r.classes if self.r.classes[c].loader == 0 and not self.name(c).endswith("[]"))
        return out

    def graph(self, refs=None, classes=True, chains=True):
        refs = refs or self.refs
        return self.once(("graph", refs, classes, chains), lambda: {
            a: [v for v, s in (self.chained(a) if chains else []) + self.out(a, classes) if s in COUNTS[refs]] for a in self.r.objects})

    def levels(self):
        """The strongest way to each object; UNREACHABLE: none."""
        return self.once("levels", self.find_levels)

    def find_levels(self):
        if not self.r.roots:
            return dict.fromkeys(self.r.objects, STRONG)
        level = dict.fromkeys(self.r.objects, UNREACHABLE)
        todo = [[] for _ in range(UNREACHABLE)]
        for a in self.held_roots():
            todo[0].append(a)
        for now in range(UNREACHABLE):
            stack = todo[now]
            while stack:
                a = stack.pop()
                if level[a] <= now:
                    continue
                level[a] = now
                for v, s in self.chained(a) + self.out(a):
                    (stack if s <= now else todo[s]).append(v)
        return level

    # ---- dominators ------------------------------------------------------------------------

    def dominators(self, graph, roots):
        """Cooper, Harvey and Kennedy: object -> dominator; SUPER_ROOT: none but the root."""
        order, seen, stack = [], {SUPER_ROOT}, [(SUPER_ROOT, iter(sorted(roots)))]
        while stack:
            a, rest = stack[-1]
            for v in rest:
                if v not in seen:
                    seen.add(v)
                    stack.append((v, iter(graph[v])))
                    break
            else:
                order.append(a)
                stack.pop()
        rank = {a: k for k, a in enumerate(order)}
        before = collections.defaultdict(list)
        for a in order:
            for v in (roots if a == SUPER_ROOT else graph[a]):
                before[rank[v]].append(rank[a])
        top = len(order) - 1
        dom = [-1] * top + [top]
        changed = True
        while changed:
            changed = False
            for k in range(top - 1, -1, -1):
                new, below = -1, set()      # below: what new is known to dominate
                for p in before[k]:
                    if new < 0 and dom[p] >= 0:
                        new = p
                    elif dom[p] >= 0:
                        while p != new and p not in below:
                            if p < new:
                                below.add(p)
                                p = dom[p]
                            else:
                                below.add(new)
                                new = dom[new]
                if dom[k] != new:
                    dom[k], changed = new, True
        return {a: order[dom[k]] for a, k in rank.items() if a != SUPER_ROOT}, order

    def solve(self):
        """parent and retained, by the graph chosen; cached."""
        if not hasattr(self, "retained"):
            self.parent, order = self.once(("dominators", self.refs), lambda: self.dominators(self.graph(), self.root_set()))
            self.retained = {a: self.shallow[a] for a in order if a != SUPER_ROOT}
            for a in order:
                if a != SUPER_ROOT and self.parent[a] != SUPER_ROOT:
                    self.retained[self.parent[a]] += self.retained[a]
        return self.parent, self.retained

    def reach(self, graph, roots, without=None):
        seen, stack = set(), [a for a in roots if a != without]
        while stack:
            a = stack.pop()
            if a not in seen and a != without:
                seen.add(a)
                stack.extend(graph[a])
        return seen

    def solve_by_definition(self):
        """The same, from nothing but reachability: for small graphs."""
        graph, roots = self.graph(), self.root_set()
        live = self.reach(graph, roots)
        lost = {a: live - self.reach(graph, roots, a) for a in live}
        parent = {a: min((d for d in live if d != a and a in lost[d]), key=lambda d: len(lost[d]), default=SUPER_ROOT)
                  for a in live}
        return parent, {a: sum(self.shallow[v] for v in lost[a]) for a in live}

    def top_retained(self, group):
        """Sum of the retained sizes of members that no other member dominates; group(object): key or None."""
        parent, retained = self.solve()
        total = collections.Counter()
        for a in retained:
            key = group(a)
            p = parent[a]
            while p != SUPER_ROOT and group(p) != key:
                p = parent[p]
            if key is not None and p == SUPER_ROOT:
                total[key] += retained[a]
        return total

    def distances(self, classes, roots=None):
        """Nodes on the shortest path from a root to each object; paths do not follow Reference.discovered."""
        graph, now, out, d = self.graph(classes=classes, chains=False), sorted(roots or self.root_set()), {}, 1
        while now:
            new = []
            for a in now:
                if a not in out:
                    out[a] = d
                    new += graph[a]
            now, d = new, d + 1
        return out


def load(path, refs="soft", sizes="vm"):
    with open(path, "rb") as f:
        return Heap(f.read(), refs, sizes)


# ---- command line -----------------------------------------------------------------------


def histogram(h):
    count, size = collections.Counter(), collections.Counter()
    for a in h.r.objects:
        count[h.class_of(a)] += 1
        size[h.class_of(a)] += h.shallow[a]
    for name in sorted(count, key=lambda n: (-size[n], n)):
        yield name, count[name], size[name]


def dominators(h):
    parent, retained = h.solve()
    for a in sorted(retained, key=lambda a: (-retained[a], a)):
        yield "0x%x" % a, h.label(a), h.shallow[a], retained[a], "0x%x" % parent[a] if parent[a] else "root"


def facts(h):
    kinds = collections.Counter(o.kind for o in h.r.objects.values())
    return [("version", h.r.version), ("id size", h.r.ids), ("dumps", h.r.dumps), ("classes", kinds["c"]),
            ("instances", kinds["i"]), ("object arrays", kinds["o"]), ("primitive arrays", kinds["p"]),
            ("roots", len(h.r.roots)), ("doubled", h.r.doubled), ("damage", "; ".join(h.r.damage) or "-")]


def threads(h):
    stacks = h.stacks()
    for s, (a, _) in h.r.threads.items():
        yield s, "0x%x" % a, h.thread_name(s), len(stacks[s]), len(h.locals().get(a, ()))


def strings(h):
    for a in h.addresses:
        if h.class_of(a) == "java.lang.String":
            yield "0x%x" % a, repr(h.text(a))


def cuts(path):
    """For each length of the file: the objects that are whole, -1 when it is refused."""
    with open(path, "rb") as f:
        data = f.read()
    for n in range(len(data) + 1):
        try:
            yield n, len(Reader(data[:n]).objects)
        except Refused:
            yield n, -1


def main():
    a = argparse.ArgumentParser(description=__doc__)
    what = {f.__name__: f for f in (histogram, dominators, facts, threads, strings)}
    a.add_argument("what", choices=sorted(what) + ["cuts", "layout"])
    a.add_argument("--sizes", choices=("vm", "mat"), default="vm")
    a.add_argument("--refs", choices=tuple(COUNTS), default="soft")
    a.add_argument("file")
    z = a.parse_args()
    if z.what == "cuts":
        rows = cuts(z.file)
    else:
        h = load(z.file, z.refs, z.sizes)
        rows = what[z.what](h) if z.what in what else h.vote()
    for row in rows:
        print("\t".join(map(str, row)))


if __name__ == "__main__":
    sys.exit(main())
