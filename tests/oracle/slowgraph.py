#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowgraph.py: a slow and plain reader of Java heap graphs in Perfetto traces.

tables(path, n, refs): its facts, classes, objects and references of graph n as rows of text; None: there is none.
Objects: id, class, shallow, native, part, root, live, dominator, retained, retained native, objects held.
"""
import gzip
import zlib

ROOTS = ('unknown', 'JNI global', 'JNI local', 'java frame', 'native stack', 'sticky class', 'thread block',
         'monitor', 'thread', 'interned string', 'finalizing', 'debugger', 'reference cleanup', 'VM internal',
         'JNI monitor')
RANK = {5: 0, 1: 1, 2: 2}
PARTS = ('', 'app', 'zygote', 'image')
KINDS = ('', 'normal', 'noreferences', 'string', 'array', 'class', 'classloader', 'dexcache', 'soft', 'weak',
         'finalizer', 'phantom')
REFERENT = 'java.lang.ref.Reference.referent'


class Damage(Exception):
    pass


def varint(b, i, end):
    v = shift = 0
    while True:
        if i >= end or shift > 63:
            raise Damage('varint')
        c = b[i]
        i += 1
        v |= (c & 127) << shift
        if c < 128:
            return v & (1 << 64) - 1, i
        shift += 7


def fields(b):
    """(number, wire type, value) of one message; value is a number or bytes."""
    i, end = 0, len(b)
    while i < end:
        key, i = varint(b, i, end)
        wire, number = key & 7, key >> 3
        if not number:
            raise Damage('field 0')
        if wire == 0:
            v, i = varint(b, i, end)
        elif wire == 1:
            v, i = int.from_bytes(b[i:i + 8], 'little'), i + 8
        elif wire == 5:
            v, i = int.from_bytes(b[i:i + 4], 'little'), i + 4
        elif wire == 2:
            n, i = varint(b, i, end)
            v, i = b[i:i + n], i + n
        else:
            raise Damage('wire type %d' % wire)
        if i > end:
            raise Damage('cut field')
        yield number, wire, v


def one(b, number, default=0):
    v = default
    for k, _, x in fields(b):
        if k == number:
            v = x
    return v


def signed(v):
    return v - (1 << 64) if v >> 63 else v


def numbers(b, number):
    """A repeated number, packed or not or mixed."""
    out = []
    for k, wire, v in fields(b):
        if k != number:
            continue
        if wire == 0:
            out.append(v)
        elif wire == 2:
            i = 0
            while i < len(v):
                n, i = varint(v, i, len(v))
                out.append(n)
    return out


def text(b):
    return b.decode('utf-8', 'replace')


def packets(data, lost):
    """Packets of a trace, those inside compressed ones too."""
    i = 0
    while i < len(data):
        j = i
        try:
            key, j = varint(data, i, len(data))
            if key != 0x0a:
                raise Damage('no packet')
            n, j = varint(data, j, len(data))
            if j + n > len(data):
                raise Damage('cut packet')
        except Damage:
            lost[0] += len(data) - i
            if len(lost) > 2:
                lost[2] = data[j:] if j > i and data[i] == 0x0a else b''
            return
        p = data[j:j + n]
        i = j + n
        try:
            inner = [v for k, _, v in fields(p) if k == 50]
        except Damage:
            lost[1] += 1
            continue
        if inner:
            for z in inner:
                d = zlib.decompressobj()
                try:
                    plain = d.decompress(z)
                except zlib.error:
                    lost[1] += 1
                    continue
                yield from inner_packets(plain, lost)
        else:
            yield p


def inner_packets(data, lost):
    """Nothing of a cut one counts."""
    own = [0, 0]
    yield from packets(data, own)
    lost[0] += own[0]
    lost[1] += own[1]


def begun(b):
    """The fields of a message that is cut, the last one with the bytes that are there."""
    i = 0
    while i < len(b):
        try:
            key, j = varint(b, i, len(b))
            if key & 7 == 2:
                n, k = varint(b, j, len(b))
                yield key >> 3, 2, b[k:k + n], k + n <= len(b)
                i = k + n
                continue
            number, wire, v = next(fields(b[i:]))
            i = len(b) - len(b[i:]) + field_size(b[i:])
            yield number, wire, v, True
        except (Damage, StopIteration):
            return


def field_size(b):
    """Bytes of the first field, a number."""
    key, i = varint(b, 0, len(b))
    return varint(b, i, len(b))[1] if key & 7 == 0 else i + (8 if key & 7 == 1 else 4)


class Graph:
    def __init__(self, seq, pid, ts):
        self.seq, self.pid, self.ts = seq, pid, ts
        self.objects, self.order, self.types, self.names, self.places, self.roots = {}, [], {}, {}, {}, []
        self.last = self.part = 0
        self.index = None
        self.gaps = self.bad = self.packets = 0
        self.done = False
        self.heap_bytes = None


class Trace:
    def __init__(self, path):
        with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as f:
            data = f.read()
        self.lost = [0, 0, b'']
        self.graphs, self.cmd, self.uid, self.stats, self.maps, self.packages, self.art = [], {}, {}, {}, [], {}, {}
        self.counts = {}
        running = {}
        now = 0
        for p in packets(data, self.lost):
            try:
                self.packet(p, running)
            except Damage:
                self.lost[1] += 1

        for k, wire, v, whole in begun(self.lost[2]):
            if k == 56 and wire == 2:
                self.cut_graph(v)
        self.graphs = [g for g in self.graphs if g.order or g.bad]

    def cut_graph(self, b):
        """Whole fields of a message that the end of the file cuts: of the last unfinished graph of the process, or of a new one."""
        found = [x[:3] for x in begun(b) if x[3]]
        pid = next((v for k, _, v in reversed(found) if k == 1), 0)
        g = next((g for g in reversed(self.graphs) if not g.done and g.pid == pid), None)
        if g is None:
            g = Graph(0, pid, 0)
            self.graphs.append(g)
        self.take(g, found)

    def packet(self, p, running):
        ts = one(p, 8, None)
        seq = one(p, 10)
        for k, wire, v in fields(p):
            self.counts[k] = self.counts.get(k, 0) + 1
            if k == 2:
                for n, _, q in fields(v):
                    if n == 1:
                        pid = one(q, 1)
                        argv = [text(x) for m, _, x in fields(q) if m == 3]
                        if argv:
                            self.cmd[pid] = argv[0].split('\0')[0]
                        self.uid[pid] = one(q, 5)
            elif k == 9:
                for n, _, q in fields(v):
                    if n == 1:
                        self.stats.setdefault(one(q, 1), []).append((ts or 0, {m: x for m, _, x in fields(q)}))
            elif k == 47:
                for n, _, q in fields(v):
                    if n == 1:
                        self.packages[one(q, 2)] = text(one(q, 1, b''))
            elif k == 64:
                self.maps.append(v)
            elif k == 131:
                self.art[one(v, 1)] = {m: x for m, _, x in fields(v)}
            elif k == 56:
                self.heap_graph(seq, ts, v, running)

    def heap_graph(self, seq, ts, b, running):
        pid = signed(one(b, 1))
        g = running.get(seq)
        if g is None:
            g = Graph(seq, pid, ts)
            running[seq] = g
            self.graphs.append(g)
        index = one(b, 6)
        if index != (0 if g.index is None else g.index + 1):
            g.gaps += 1
        g.index = index
        g.packets += 1
        if g.pid != pid:
            g.bad += 1
            return
        if not self.take(g, fields(b)):
            g.done = True
            del running[seq]

    def take(self, g, all_fields):
        more = 0
        for k, wire, v in all_fields:
            if k == 10:
                g.heap_bytes = signed(v)
            elif k == 5:
                more = v
            elif k == 2:
                try:
                    self.object(g, v)
                except Damage:
                    g.bad += 1
            elif k == 9:
                self.type(g, v)
            elif k == 4:
                g.names[one(v, 1)] = text(one(v, 2, b''))
            elif k == 8:
                g.places[one(v, 1)] = text(one(v, 2, b''))
            elif k == 7:
                kind = one(v, 2)
                g.roots.append((kind if kind < len(ROOTS) else 0, numbers(v, 1)))
        return more

    @staticmethod
    def object(g, b):
        delta = one(b, 7)
        i = g.last + delta & (1 << 64) - 1 if delta else one(b, 1)
        part = one(b, 9, None)
        base = one(b, 6)
        names = numbers(b, 4)
        to = [x + base & (1 << 64) - 1 if x else 0 for x in numbers(b, 5)]
        if names and len(names) != len(to):
            g.bad += 1
            return
        g.last = i
        if part is not None:
            g.part = part
        if i not in g.objects:
            g.order.append(i)
        g.objects[i] = dict(type=one(b, 2), size=one(b, 3), names=names, to=to, inner=numbers(b, 10), part=g.part,
                            nar=one(b, 8, None), values={k: v for k, _, v in fields(b) if 11 <= k <= 15})

    @staticmethod
    def type(g, b):
        g.types[one(b, 1)] = dict(name=text(one(b, 3, b'')), place=one(b, 2, None), size=one(b, 4), super=one(b, 5),
                                  fields=numbers(b, 6), kind=one(b, 7), loader=one(b, 8))


class Heap:
    """One graph: names, references, what holds what."""

    def __init__(self, trace, g, refs='soft'):
        self.g, self.trace = g, trace
        self.maps = self.mapping()
        self.slots, self.size, self.cls = {}, {}, {}
        none = dict(name='', place=None, size=0, super=0, fields=[], kind=0, loader=0)
        self.unnamed = 0
        for i in g.order:
            o = g.objects[i]
            t = g.types.get(o['type'], none)
            self.cls[i] = o['type']
            self.size[i] = o['size'] or t['size']
            self.slots[i] = self.slots_of(o, t)
        self.kept = {KINDS.index(k) for k in {'soft': ('weak', 'finalizer', 'phantom'), 'all': (),
                                              'strong': ('soft', 'weak', 'finalizer', 'phantom')}[refs]}
        self.dominate()
        self.natives()

    def type_name(self, t):
        x = self.g.types.get(t)
        return x['name'] if x else 'type@%d' % t

    def place(self, t):
        x = self.g.types.get(t)
        return self.g.places.get(x['place'], '') if x and x['place'] is not None else ''

    def slots_of(self, o, t):
        """Names, targets, and the type whose place says which mapping names the field: the one that declares it, if the object does not name it."""
        out = []
        if o['names']:
            out = [(self.field(n), x, o['type']) for n, x in zip(o['names'], o['to'])]
        elif t['kind'] in (2, 3, 4) or t['name'].endswith('[]'):
            out = [('[%d]' % k, x, 0) for k, x in enumerate(o['to'])]
        else:
            c, k, seen, at = t, 0, 0, o['type']
            for x in o['to']:
                while c is not None and k >= len(c['fields']):
                    at = c['super']
                    c = self.g.types.get(at) if at else None
                    k = 0
                    seen += 1
                    if seen > 10000:
                        c = None
                if c is None:
                    self.unnamed += 1
                    out.append(('?', x, 0))
                    continue
                out.append((self.field(c['fields'][k]), x, at))
                k += 1
        return out + [('<runtime>', x, 0) for x in o['inner']]

    def field(self, n):
        s = self.g.names.get(n)
        if s is None:
            self.unnamed += 1
            return '?'
        return s.split(' ', 1)[1] if ' ' in s else s

    # ---- original names -----------------------------------------------------
    def mapping(self):
        out = {}
        for m in self.trace.maps:
            package = text(one(m, 1, b''))
            for k, _, c in fields(m):
                if k == 3:
                    new = text(one(c, 2, b''))
                    members = {}
                    for n, _, x in fields(c):
                        if n == 3:
                            members[text(one(x, 1, b''))] = text(one(x, 2, b''))
                    out[(package, text(one(c, 1, b'')))] = (new, members)
        return out

    def package(self, place):
        if place.startswith('/data/app/'):
            part = place[10:].split('/')
            if part[0].startswith('~~'):
                part = part[1:]
            if part and '-' in part[0]:
                return part[0].split('-')[0]
        return self.trace.packages.get(self.trace.uid.get(self.g.pid))

    def plain(self, name):
        """The name without Class<> and []: a function adds what was removed."""
        static = name.startswith('java.lang.Class<') and name.endswith('>')
        inner = name[16:-1] if static else name
        dims = 0
        while inner.endswith('[]'):
            inner, dims = inner[:-2], dims + 1
        return inner, lambda s: ('java.lang.Class<%s>' if static else '%s') % (s + '[]' * dims)

    def look(self, inner, place):
        package = self.package(place)
        for key in ((package, inner), ('', inner)):
            if key in self.maps:
                return self.maps[key]
        if package is None:
            hits = [v for k, v in self.maps.items() if k[1] == inner]
            if len(hits) == 1:
                return hits[0]
        return None

    def class_name(self, t):
        name, place = self.type_name(t), self.place(t)
        inner, back = self.plain(name)
        m = self.look(inner, place)
        return back(m[0]) if m else name

    def field_name(self, kind, raw):
        if '.' not in raw or raw[0] in '[<':
            return raw
        cls, member = raw.rsplit('.', 1)
        m = self.look(cls, self.place(kind) or self.place(next((i for i, t in self.g.types.items() if t['name'] == cls), 0)))
        if not m:
            return raw
        new = m[1].get(member, member)
        return new if '.' in new else m[0] + '.' + new

    # ---- which references count -------------------------------------------------
    def weak(self, i):
        t = self.g.types.get(self.cls[i])
        return t is not None and t['kind'] in self.kept

    def out(self, i):
        weak = self.weak(i)
        for name, x, _ in self.slots[i]:
            if x and x in self.slots and not (weak and name == REFERENT):
                yield x

    def dominate(self):
        g = self.g
        self.root = {}
        for kind, ids in g.roots:
            for i in ids:
                if i in self.slots and (i not in self.root or RANK.get(kind, 3) < RANK.get(self.root[i], 3)):
                    self.root[i] = kind
        for i in g.order:
            if g.objects[i]['part'] in (2, 3):
                self.root.setdefault(i, 13)
        TOP = 0
        succ = {i: list(self.out(i)) for i in g.order}
        succ[TOP] = [i for i in g.order if i in self.root]
        order, seen, stack = [], {TOP}, [(TOP, iter(succ[TOP]))]
        while stack:
            v, it = stack[-1]
            for x in it:
                if x not in seen:
                    seen.add(x)
                    stack.append((x, iter(succ[x])))
                    break
            else:
                stack.pop()
                order.append(v)
        number = {v: k for k, v in enumerate(order)}
        pred = {v: [] for v in order}
        for v in order:
            for x in succ[v]:
                pred[x].append(v)
        dom = {TOP: TOP}
        changed = True
        while changed:
            changed = False
            for v in reversed(order[:-1]):
                new = None
                for p in pred[v]:
                    if p not in dom:
                        continue
                    if new is None:
                        new = p
                        continue
                    a, b = p, new
                    while a != b:
                        while number[a] < number[b]:
                            a = dom[a]
                        while number[b] < number[a]:
                            b = dom[b]
                    new = a
                if dom.get(v) != new:
                    dom[v] = new
                    changed = True
        self.dom, self.live = dom, seen - {TOP}
        self.rpo = order[:-1]

    def natives(self):
        g = self.g
        native = {}

        def slot(i, name):
            for n, x, _ in self.slots[i]:
                if n == name and x in self.slots:
                    return x
            return 0
        for i in g.order:
            if self.type_name(self.cls[i]) != 'sun.misc.Cleaner':
                continue
            if slot(i, 'sun.misc.Cleaner.next') == i:
                continue
            what, thunk = slot(i, REFERENT), slot(i, 'sun.misc.Cleaner.thunk')
            if not what or not thunk:
                continue
            reg = slot(thunk, 'libcore.util.NativeAllocationRegistry$CleanerThunk.this$0')
            if reg and g.objects[reg]['nar'] is not None:
                native[what] = native.get(what, 0) + (g.objects[reg]['nar'] & ~1)
        self.native = native
        kids = {}
        for v, d in self.dom.items():
            if v:
                kids.setdefault(d, []).append(v)
        self.kids = kids
        self.retained, self.retained_native, self.held = {}, {}, {}
        order, stack = [], [0]
        while stack:
            v = stack.pop()
            order.append(v)
            stack.extend(kids.get(v, ()))
        for v in reversed(order):
            self.retained[v] = self.size.get(v, 0) + sum(self.retained[k] for k in kids.get(v, ()))
            self.retained_native[v] = native.get(v, 0) + sum(self.retained_native[k] for k in kids.get(v, ()))
            self.held[v] = 1 + sum(self.held[k] for k in kids.get(v, ()))

    def class_retained(self):
        out, inside, stack = {}, {}, [(k, False) for k in self.kids.get(0, ())]
        while stack:
            i, leave = stack.pop()
            c = self.cls[i]
            if leave:
                inside[c] -= 1
                continue
            if not inside.get(c):
                out[c] = out.get(c, 0) + self.retained[i]
            inside[c] = inside.get(c, 0) + 1
            stack.append((i, True))
            stack.extend((k, False) for k in self.kids.get(i, ()))
        return out


def show(s):
    return ''.join(c if c >= ' ' and c != '\\' else '\\u%04x' % ord(c) for c in s)


def facts(t, h, which):
    g = h.g
    art = t.art.get(g.pid, {})
    live = sum(h.size[i] for i in h.live)
    rows = [('graphs', len(t.graphs)), ('graph', which), ('pid', g.pid), ('process', t.cmd.get(g.pid, '')),
            ('sequence', g.seq), ('timestamp', g.ts if g.ts is not None else 0), ('packets', g.packets),
            ('complete', int(g.done and not g.gaps)), ('gaps', g.gaps), ('bad', g.bad),
            ('objects', len(g.order)), ('bytes', sum(h.size.values())), ('live objects', len(h.live)),
            ('live bytes', live), ('types', len(g.types)), ('field names', len(g.names)),
            ('locations', len(g.places)), ('references', sum(len(s) for s in h.slots.values())),
            ('null references', sum(1 for s in h.slots.values() for _, x, _ in s if not x)),
            ('missing references', sum(1 for s in h.slots.values() for _, x, _ in s if x and x not in h.slots)),
            ('unnamed references', h.unnamed), ('roots', len(h.root)),
            ('native bytes', sum(h.native.values())),
            ('live native bytes', sum(v for k, v in h.native.items() if k in h.live)),
            ('heap bytes allocated', g.heap_bytes if g.heap_bytes is not None else '')]
    for part in (1, 2, 3):
        n = [i for i in g.order if g.objects[i]['part'] == part]
        rows.append(('part ' + PARTS[part], '%d %d' % (len(n), sum(h.size[i] for i in n))))
    for k, name in enumerate(ROOTS):
        n = sum(1 for v in h.root.values() if v == k)
        if n:
            rows.append(('root ' + name, n))
    near = None
    for ts, s in t.stats.get(g.pid, []):
        if near is None or abs(ts - (g.ts or 0)) < abs(near[0] - (g.ts or 0)):
            near = (ts, s)
    if near:
        for k, name in ((10, 'oom_score_adj'), (4, 'rss_anon_kb'), (7, 'vm_swap_kb'), (24, 'dmabuf_rss_kb')):
            if k in near[1]:
                rows.append((name, signed(near[1][k])))
    for k, name in ((5, 'oom allocation'), (6, 'oom free'), (7, 'oom free until limit'), (9, 'oom message')):
        if k in art:
            rows.append((name, text(art[k]) if isinstance(art[k], bytes) else art[k]))
    rows += [('lost bytes', t.lost[0]), ('lost packets', t.lost[1])]
    return rows


def classes(h):
    g = h.g
    ret = h.class_retained()
    rows = {}
    for i in g.order:
        r = rows.setdefault(h.cls[i], [0, 0, 0, 0])
        r[0] += 1
        r[1] += h.size[i]
        if i in h.live:
            r[2] += 1
            r[3] += h.size[i]
    out = [(show(h.class_name(c)), show(h.place(c)), *r, ret.get(c, 0)) for c, r in rows.items()]
    return sorted(out, key=lambda r: (-r[6], -r[3], r[0], r[1]))


def objects(h):
    g = h.g
    for i in g.order:
        live = i in h.live
        yield ('%x' % i, show(h.class_name(h.cls[i])), h.size[i], h.native.get(i, 0),
               PARTS[g.objects[i]['part']] if g.objects[i]['part'] < 4 else '', ROOTS[h.root[i]] if i in h.root else '-',
               int(live), '%x' % h.dom[i] if live else '-', h.retained[i] if live else 0,
               h.retained_native[i] if live else 0, h.held[i] if live else 0)


def references(h):
    for i in h.g.order:
        for name, x, kind in h.slots[i]:
            yield '%x' % i, show(h.field_name(kind, name)), '%x' % x


def tables(path, n=1, refs='soft'):
    t = Trace(path)
    if not t.graphs:
        return None
    h = Heap(t, t.graphs[n - 1], refs)
    found = {'facts': facts(t, h, n), 'classes': classes(h), 'objects': objects(h), 'refs': references(h)}
    return {what: [[str(x) for x in row] for row in rows] for what, rows in found.items()}
