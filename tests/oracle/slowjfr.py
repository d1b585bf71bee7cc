# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Reads Java Flight Recorder files slowly and plainly: the oracle of the loader.

File: chunks with types, constants and events.  Then the answers of icecore
about a file: events, folded, threads, tracks, states, intervals, facts, each
as plain Python values.  `slowjfr.py COMMAND FILE [ARGUMENT]` prints one of
them.  It shares no code with the program.
"""
import collections
import re
import struct
import sys
import zlib


MAGIC = b'FLR\0'


class Bad(Exception):
    pass


# ---- unpacking -----------------------------------------------------------------

def lz4_length(src, i, length):
    """The length of which 15 says that more bytes follow, the last of them below 255; where it ends."""
    more = length == 15
    while more:
        length += src[i]
        more = src[i] == 255
        i += 1
    return length, i


def lz4_block(src, out, base):
    """Appends the bytes of one LZ4 block; base: where back references may reach."""
    i, n = 0, len(src)
    while i < n:
        token = src[i]
        i += 1
        length, i = lz4_length(src, i, token >> 4)
        out += src[i:i + length]
        i += length
        if i >= n:
            break
        offset = src[i] | src[i + 1] << 8
        i += 2
        length, i = lz4_length(src, i, token & 15)
        length += 4
        at = len(out) - offset
        if offset == 0 or at < base:
            raise Bad('lz4: bad offset')
        for k in range(length):
            out.append(out[at + k])


def lz4_frames(data):
    """Return the data of the frames, and whether the last one is truncated or damaged."""
    out = bytearray()
    try:
        lz4_all(data, out)
        return bytes(out), False
    except (IndexError, struct.error, Bad):
        return bytes(out), True


def lz4_all(data, out):
    i = 0
    while i + 7 <= len(data):
        magic = struct.unpack_from('<I', data, i)[0]
        if 0x184D2A50 <= magic <= 0x184D2A5F:                 # skippable
            i += 8 + struct.unpack_from('<I', data, i + 4)[0]
            continue
        if magic != 0x184D2204:
            break
        flg = data[i + 4]
        i += 6
        if flg & 8:
            i += 8
        if flg & 1:
            i += 4
        i += 1                                                # header checksum
        base = len(out)
        while True:
            size = struct.unpack_from('<I', data, i)[0]
            i += 4
            if size == 0:
                break
            raw, size = size >> 31, size & 0x7fffffff
            block = data[i:i + size]
            if len(block) < size:
                raise Bad('lz4: a block is cut')
            i += size + (4 if flg & 16 else 0)
            if raw:
                out += block
            else:
                lz4_block(block, out, base if not flg & 32 else len(out))
        if flg & 4:
            i += 4


def unpack(data):
    """Returns the bytes and whether the packing was cut."""
    for _ in range(4):
        if data[:2] == b'\x1f\x8b':
            out, rest, cut = bytearray(), data, False
            while rest[:2] == b'\x1f\x8b':
                z = zlib.decompressobj(31)
                try:
                    out += z.decompress(rest)
                    if not z.eof:
                        return bytes(out), True
                except zlib.error:
                    z = zlib.decompressobj(31)
                    for k in range(0, len(rest), 64):
                        try:
                            out += z.decompress(rest[k:k + 64])
                        except zlib.error:
                            break
                    return bytes(out), True
                rest = z.unused_data
            data = bytes(out)
        elif data[:4] == b'\x04\x22\x4d\x18':
            data, cut = lz4_frames(data)
            if cut:
                return data, True
        else:
            break
    return data, False


# ---- reading -------------------------------------------------------------------

class Ref:
    """A key into the constant pool of a type."""
    __slots__ = ('type', 'key')

    def __init__(self, type, key):
        self.type, self.key = type, key


class In:
    def __init__(self, data, at, end):
        self.d, self.at, self.end = data, at, end

    def byte(self):
        if self.at >= self.end:
            raise Bad('end of data')
        self.at += 1
        return self.d[self.at - 1]

    def u64(self):
        """7 bits a byte, low ones first; the ninth byte has 8 bits."""
        v = 0
        for shift in range(0, 56, 7):
            b = self.byte()
            v |= (b & 127) << shift
            if b < 128:
                return v
        return v | self.byte() << 56

    def i64(self):
        v = self.u64()
        return v - (1 << 64) if v >> 63 else v

    def i32(self):
        v = self.u64() & 0xffffffff
        return v - (1 << 32) if v >> 31 else v

    def take(self, n):
        if n < 0 or self.at + n > self.end:
            raise Bad('%d bytes past the end' % n)
        self.at += n
        return self.d[self.at - n:self.at]

    def count(self):
        n = self.u64() & 0xffffffff
        if n > self.end - self.at:                            # each element takes a byte at least
            raise Bad('count %d is more than what is left' % n)
        return n

    def string(self, string_type=None):
        kind = self.byte()
        if kind == 0:
            return None
        if kind == 1:
            return ''
        if kind == 2:
            return Ref(string_type, self.u64())
        if kind == 3:
            return self.take(self.count()).decode('utf-8', 'replace')
        if kind == 4:
            units = [self.u64() & 0xffff for _ in range(self.count())]
            return struct.pack('<%dH' % len(units), *units).decode('utf-16le', 'replace')
        if kind == 5:
            return self.take(self.count()).decode('latin-1')
        raise Bad('string of kind %d' % kind)


def id_of(text):
    """The id of a type; -1, which none has, where it is damaged."""
    return int(text) if text is not None and re.fullmatch('[0-9]+', text, re.ASCII) and int(text) < 1 << 64 else -1


class Field:
    def __init__(self, e):
        a = e['attr']
        self.name = a.get('name') or ''
        self.type = id_of(a.get('class'))
        self.pool = a.get('constantPool') == 'true'
        self.array = a.get('dimension', '0') != '0'
        self.notes = [(id_of(c['attr'].get('class')), c['attr']) for c in e['kids'] if c['tag'] == 'annotation']


class Type:
    def __init__(self, e):
        a = e['attr']
        self.id = id_of(a.get('id'))
        self.name = a.get('name') or ''
        self.sup = a.get('superType')
        self.simple = a.get('simpleType') == 'true'
        self.fields = [Field(k) for k in e['kids'] if k['tag'] == 'field']
        self.notes = [(id_of(c['attr'].get('class')), c['attr']) for c in e['kids'] if c['tag'] == 'annotation']


class Chunk:
    def __init__(self, data, start, limit):
        self.data, self.start = data, start
        h = struct.unpack_from('>4sHHqqqqqqqBBBB', data, start)
        (_, self.major, self.minor, self.size, self.pool_at, self.meta_at, self.start_ns, self.duration_ns,
         self.start_ticks, self.frequency, self.state, _, _, self.flags) = h
        self.frequency_told = self.frequency
        if self.frequency <= 0:
            self.frequency = 1000000000                       # times make no sense then; counts do
            self.bad_clock = True
        self.finished = self.state == 0 and self.meta_at > 0 and self.pool_at > 0
        end = start + self.size
        self.known_end = self.size >= 68 and end <= limit and self.finished
        self.end = end if self.known_end else limit
        self.cut = self.size >= 68 and end > limit
        self.lost = []
        self.types, self.by_name, self.pools = {}, {}, {}
        self.asked = {}                                       # answers that functions of it gave
        self.depth, self.lost_types = 0, 0
        self.scan()
        self.unknown = collections.Counter(t for _, _, t in self.where if t not in self.types)
        # Only what a whole chunk does not describe is stepped over; in another one it is damage.
        self.whole = self.walked and self.lost_types == 0 and not (self.finished and not self.known_end and not 0 <= self.size < 68)

    # -- first walk: where everything is
    def scan(self):
        self.metas, self.checks, self.where = [], [], []      # offsets
        self.string_type = -1
        at = self.start + 68
        while at < self.end:
            if not self.known_end and self.data[at:at + 4] == MAGIC and at + 68 <= self.end \
                    and self.data[at + 4:at + 6] in (b'\0\1', b'\0\2'):
                self.end = at                                 # the next chunk
                break
            r = In(self.data, at, self.end)
            try:
                size = r.u64()
                type = r.u64()
            except Bad:
                self.lost.append('%d bytes at the end' % (self.end - at))
                break
            if size == 0 or size < r.at - at:
                self.lost.append('event of size %d at %d, %d bytes left' % (size, at - self.start, self.end - at))
                break
            if at + size > self.end:
                if type == 1:
                    self.checks.append(at)
                self.lost.append('event at %d is cut: %d of %d bytes' % (at - self.start, self.end - at, size))
                break
            if type == 0:
                self.metas.append(at)
            elif type == 1:
                self.checks.append(at)
            else:
                self.where.append((at, size, type))
            at += size
        self.end_seen = at
        self.walked = not self.lost
        if not self.metas:
            self.lost.append('no metadata')
            return
        # types: those of all metadata events of the chunk, later ones count
        for m in self.metas:
            try:
                self.metadata(m)
            except (Bad, IndexError, KeyError, ValueError, TypeError, AttributeError) as e:
                self.lost.append('metadata at %d: %s' % (m - self.start, e))
                self.lost_types += 1
        for c in self.checks:                                 # file order: oldest first
            try:
                self.checkpoint(c)
            except Bad as e:
                self.lost.append('checkpoint at %d: %s' % (c - self.start, e))

    def metadata(self, at):
        r = In(self.data, at, self.end)
        r.end = at + r.u64()
        for _ in range(4):
            r.u64()
        strings = [r.string() for _ in range(r.count())]

        def element(depth):
            if depth > 32:
                raise Bad('deep metadata')
            tag = strings[r.u64()]
            attr = {}
            for _ in range(r.count()):
                k = strings[r.u64()]
                attr[k] = strings[r.u64()]
            return {'tag': tag, 'attr': attr, 'kids': [element(depth + 1) for _ in range(r.count())]}
        root = element(0)
        self.region = next((k['attr'] for k in root['kids'] if k['tag'] == 'region'), {})
        # All of them or, where the event is damaged, none.
        types, left = [], [root]                              # wherever damage has put them
        while left:
            e = left.pop()
            types += [Type(e)] if e['tag'] == 'class' else []
            left += reversed(e['kids'])
        for t in types:
            self.types[t.id] = t
            self.by_name[plain_name(t.name)] = t
        if 'java.lang.String' in self.by_name:
            self.string_type = self.by_name['java.lang.String'].id

    def value(self, r, f):
        if f.array:
            return [self.one(r, f) for _ in range(r.count())]
        return self.one(r, f)

    def one(self, r, f):
        if f.pool:
            return Ref(f.type, r.u64())
        t = self.types.get(f.type)
        if t is None:
            raise Bad('type %d is not there' % f.type)
        return self.plain(r, t)

    def plain(self, r, t):
        n = t.name
        if self.depth > 32:
            raise Bad('type %s in itself' % n)
        if n == 'int':
            return r.i32()
        if n == 'long':
            return r.i64()
        if n == 'short':
            v = r.u64() & 0xffff
            return v - 65536 if v >> 15 else v
        if n == 'char':
            return r.u64() & 0xffff
        if n == 'byte':
            v = r.byte()
            return v - 256 if v >> 7 else v
        if n == 'boolean':
            return r.byte() != 0
        if n == 'float':
            return struct.unpack('>f', r.take(4))[0]
        if n == 'double':
            return struct.unpack('>d', r.take(8))[0]
        if n == 'java.lang.String':
            return r.string(self.string_type)
        self.depth += 1
        v = {f.name: self.value(r, f) for f in t.fields}
        self.depth -= 1
        return v

    def checkpoint(self, at):
        r = In(self.data, at, self.end)
        size = r.u64()
        r.end = min(at + size, self.end)
        r.u64(), r.u64(), r.u64()
        r.u64(), r.byte()
        for _ in range(r.u64() & 0xffffffff):
            tid = r.u64()
            t = self.types.get(tid)
            if t is None:
                raise Bad('constants of type %d, which is not there' % tid)
            pool = self.pools.setdefault(tid, {})
            for _ in range(r.u64() & 0xffffffff):
                key = r.u64()
                if t.name == 'java.lang.String':
                    v = r.string(tid)
                else:
                    self.depth = 0
                    v = {f.name: self.value(r, f) for f in t.fields}
                pool.setdefault(key, v)                       # the oldest counts
        if at + size > self.end:
            raise Bad('cut')

    # -- values
    def get(self, v):
        """Return the value that a reference refers to; None: no value."""
        for _ in range(16):                                   # hostile ones lead in a circle
            if not isinstance(v, Ref):
                return v
            v = self.pools.get(v.type, {}).get(v.key)
        return None

    def text(self, v):
        v = self.get(v)
        for _ in range(16):
            if not isinstance(v, dict) or len(v) == 0:
                break
            v = self.get(next(iter(v.values())))
        return None if v is None or isinstance(v, (dict, list)) else str(v)

    def events(self, want=None):
        for at, size, tid in self.where:
            t = self.types.get(tid)
            if t is None or want is not None and t.name not in want:
                continue
            r = In(self.data, at, at + size)
            r.u64(), r.u64()
            self.depth = 0
            try:
                e = {f.name: self.value(r, f) for f in t.fields}
            except Bad as x:
                self.lost.append('%s at %d: %s' % (t.name, at - self.start, x))
                continue
            yield t, e, at

    def ns(self, ticks):
        """Ticks since the epoch of the chunk, as ns since 1970: whole numbers, rounded down to 0."""
        d = ticks - self.start_ticks
        q = abs(d) * 1000000000 // self.frequency
        return self.start_ns + (q if d >= 0 else -q)

    def span(self, ticks):
        return max(ticks, 0) * 1000000000 // self.frequency


class File:
    def __init__(self, raw):
        self.data, self.packing_cut = unpack(raw)
        if self.data[:4] != MAGIC or len(self.data) < 8:
            raise Bad('no Flight Recorder file')
        major, minor = struct.unpack_from('>HH', self.data, 4)
        if major == 0:
            raise Bad('Flight Recorder file of version %d.%d (JDK 7 and 8 of Oracle, JRockit): not read' % (major, minor))
        if major not in (1, 2):
            raise Bad('Flight Recorder file of version %d.%d' % (major, minor))
        self.chunks, self.lost = [], []
        at = 0
        while at < len(self.data):
            if self.data[at:at + 4] != MAGIC:
                nxt = find_chunk(self.data, at)
                self.lost.append('%d bytes between chunks' % ((nxt if nxt >= 0 else len(self.data)) - at))
                if nxt < 0:
                    break
                at = nxt
            if at + 68 > len(self.data):
                self.lost.append('chunk header cut: %d bytes' % (len(self.data) - at))
                break
            c = Chunk(self.data, at, len(self.data))
            self.chunks.append(c)
            at = c.end if c.known_end else max(c.end_seen, at + 68)

    def events(self, want=None):
        for c in self.chunks:
            for t, e, at in c.events(want):
                yield c, t, e


def find_chunk(data, at):
    while True:
        at = data.find(MAGIC, at)
        if at < 0 or at + 68 > len(data):
            return -1
        if data[at + 4:at + 6] in (b'\0\1', b'\0\2') and struct.unpack_from('>q', data, at + 56)[0] > 0:
            return at
        at += 1


# ---- names ---------------------------------------------------------------------

PRIMITIVE = {'B': 'byte', 'C': 'char', 'D': 'double', 'F': 'float', 'I': 'int', 'J': 'long', 'S': 'short', 'Z': 'boolean'}


HIDDEN = re.compile(r'[+/.]0x[0-9a-f]+(/[0-9]+)?$')      # hidden classes: JDK 17, 21 and later, async-profiler
NUMBERED = re.compile(r'(\$\$Lambda|GeneratedMethodAccessor|GeneratedConstructorAccessor)\$?[0-9]+$')


def java_name(s):
    """java/lang/String -> java.lang.String; [[I -> int[][]; [Ljava/lang/String; -> java.lang.String[]"""
    depth = 0
    while depth < len(s) and s[depth] == '[':
        depth += 1
    if depth:
        b = s[depth:]
        s = PRIMITIVE.get(b, b[1:-1] if b[:1] == 'L' and b[-1:] == ';' else b)
    return NUMBERED.sub(r'\1', HIDDEN.sub('', s)).replace('/', '.') + '[]' * depth


def class_name(s):
    """Without numbers and addresses that differ from run to run: a/B$$Lambda$88+0x00007f99/1790 -> a.B$$Lambda"""
    return java_name(s)


def class_of(c, ref):
    k = c.get(ref)
    if not isinstance(k, dict):
        return None
    s = c.text(k.get('name'))
    return class_name(s) if s is not None else None


def method_of(c, ref):
    """Class, name, descriptor of a method; '' if unknown."""
    m = c.get(ref)
    if not isinstance(m, dict):
        return None
    k = c.get(m.get('type'))
    cls = (c.text(k.get('name')) or '') if isinstance(k, dict) else ''
    return cls, c.text(m.get('name')) or '', c.text(m.get('descriptor')) or ''


def frame_type(c, f):
    return c.text(f.get('type')) or ''


def once(c, key, answer):
    """The pools of a chunk are whole when it is made: an answer about them stays."""
    if key not in c.asked:
        c.asked[key] = answer()
    return c.asked[key]


def kernel_names(c):
    """async-profiler wrote the chunk: its "Native" frames are C functions."""
    return once(c, 'kernel names', lambda: has_kernel_names(c))


def has_kernel_names(c):
    t = c.by_name.get('jdk.types.FrameType')
    return t is not None and any(c.text(v) == 'Kernel' for v in c.pools.get(t.id, {}).values())


def frame_name(c, f, ap):
    f = c.get(f)                                          # frames may be constants themselves
    about = [f.get(x) for x in ('method', 'type')] if isinstance(f, dict) else []
    if not about or not all(isinstance(x, Ref) for x in about):
        return frame_name_anew(c, f, ap)
    return once(c, (ap, *((x.type, x.key) for x in about)), lambda: frame_name_anew(c, f, ap))


def frame_name_anew(c, f, ap):
    m = method_of(c, f.get('method')) if isinstance(f, dict) else None
    if m is None:
        return '[unknown]'
    cls, name, desc = m
    kind = frame_type(c, f)
    if cls == '' or (kind in ('C++', 'Kernel') or kind == 'Native' and ap):
        return name or '[unknown]'
    return class_name(cls) + ('.' + name if name else '')


def stack_of(c, e):
    s = c.get(e.get('stackTrace'))
    return s if isinstance(s, dict) else None


def frames_of(c, e):
    """Outermost first.  [] without a stack; [truncated] stands for frames that were left out."""
    s = stack_of(c, e)
    if s is None:
        v = e.get('stackTrace')
        return ['[lost stack]'] if isinstance(v, Ref) and v.key != 0 else []
    v = e.get('stackTrace')
    return [*(once(c, ('stack', v.type, v.key), lambda: frames_anew(c, s)) if isinstance(v, Ref) else frames_anew(c, s))]


def frames_anew(c, s):
    ap = kernel_names(c)
    out = [frame_name(c, f, ap) for f in reversed(s.get('frames') or [])]
    if s.get('truncated'):
        out.insert(0, '[truncated]')
    return out


def thread_name(c, ref):
    """(id of the system, name) of a java.lang.Thread constant: what makes a thread.  (0, ''): none, or unknown."""
    t = c.get(ref)
    if not isinstance(t, dict):
        return 0, ''
    os = t.get('osThreadId', 0)
    name = c.text(t.get('javaName')) or c.text(t.get('osName')) or ''
    if name == '' and os == 0 and t.get('virtual'):
        name = '(virtual threads)'
    return os, name


def thread_field(t):
    for n in ('sampledThread', 'eventThread', 'thread'):
        for f in t.fields:
            if f.name == n:
                return n
    return None


# ---- profile events ------------------------------------------------------------

# The prefixes of names in a chunk of version 1.0, and the present ones.
ALIAS = {'com.oracle.jdk.': 'jdk.', 'com.oracle.jfr.types.': 'jdk.types.'}


def plain_name(n):
    for a, b in ALIAS.items():
        if n.startswith(a):
            return b + n[len(a):]
    return n


# In the order of `events`; field whose value is the weight, unit, field of the class that was allocated or waited for.
EVENTS = {
    'jdk.CPUTimeSample': ('samplingPeriod', 'ns', None),
    'cpu': (None, 'samples', None),
    'jdk.ExecutionSample': (None, 'samples', None),
    'wall': ('samples', 'samples', None),
    'profiler.WallClockSample': ('samples', 'samples', None),
    'jdk.NativeMethodSample': (None, 'samples', None),
    'jdk.ObjectAllocationSample': ('weight', 'bytes', 'objectClass'),
    'jdk.ObjectAllocationInNewTLAB': ('tlabSize', 'bytes', 'objectClass'),
    'jdk.ObjectAllocationOutsideTLAB': ('allocationSize', 'bytes', 'objectClass'),
    'profiler.LiveObject': ('allocationSize', 'bytes', 'objectClass'),
    'jdk.OldObjectSample': ('objectSize', 'bytes', None),
    'profiler.Malloc': ('size', 'bytes', None),
}
LOCKS = {'jdk.JavaMonitorEnter': 'monitorClass', 'jdk.JavaMonitorWait': 'monitorClass', 'jdk.ThreadPark': 'parkedClass'}


def pool(c, name):
    """The texts of its constants of the type of that name."""
    t = c.by_name.get(name)
    return {c.text(Ref(t.id, k)) for k in c.pools.get(t.id, {})} if t else set()


def carry(chunks):
    """Give a chunk without states of threads, or kinds of frames, those of the last chunk that had some."""
    for name in ('jdk.types.ThreadState', 'jdk.types.FrameType'):
        kept = {}
        for c in chunks:
            t = c.by_name.get(name)
            if t is None:
                continue
            own = c.pools.get(t.id)
            if own is None:
                c.pools[t.id] = dict(kept)
            else:
                kept = {k: v for k, v in own.items() if not isinstance(next(iter(v.values())), Ref)}


def find_processes(chunks, events):
    """The process of each chunk; one that does not tell it has that of the chunk before, if the same recorder wrote both."""
    last, native, before = 0, None, None
    for c in chunks:
        told = [number(e.get('pid')) for of, t, e in events if of is c and plain_name(t.name) == 'jdk.JVMInformation']
        if told or native != kernel_names(c):
            last, before = told[0] if told else 0, None
        c.pid, c.before, native, before = last, before, kernel_names(c), c


class Kinds:
    """The event of each sample of async-profiler in a chunk, by name."""

    def __init__(self, c, events, before):
        states, frames = pool(c, 'jdk.types.ThreadState'), pool(c, 'jdk.types.FrameType')
        self.by_state = 'STATE_DEFAULT' in states or ('Kernel' in frames and 'STATE_NEW' in states)
        self.by_async = self.by_state or 'Kernel' in frames
        told = [c.text(e.get('value')) for of, t, e in events if of is c and plain_name(t.name) == 'jdk.ActiveSetting' and c.text(e.get('name')) == 'event']
        self.told = {'itimer': 'cpu', 'ctimer': 'cpu'}.get(told[0], told[0]) if told else None

        # A recorder says its event once, for all its chunks; without that, a thread that sleeps shows that the clock was sampled.
        self.pid = c.pid
        if not self.by_async or self.by_state:
            self.told, self.pid = (before.told, before.pid) if before else (None, 0)
            return
        if self.told is None and before and before.pid == c.pid:
            self.told = before.told
        seen = {c.text(e.get('state')) for of, t, e in events if of is c and plain_name(t.name) == 'jdk.ExecutionSample'}
        if self.told is None and seen - {None, '', 'STATE_RUNNABLE'}:
            self.told = 'wall'

    def name(self, c, e, n):
        if self.by_async and n == 'profiler.WallClockSample':
            return 'wall'
        if not self.by_async or n != 'jdk.ExecutionSample':
            return n
        if not self.by_state:
            return self.told or n
        state = c.text(e.get('state'))
        return n if state is None else 'cpu' if state in ('STATE_DEFAULT', 'STATE_NEW') else 'wall'


class Recording(File):
    """With what holds for all chunks together."""

    def __init__(self, raw):
        super().__init__(raw)
        self.read = [c for c in self.chunks if c.types]
        events = list(super().events())
        carry(self.read)
        for c in self.chunks:
            c.pid = 0
        find_processes(self.read, events)
        kinds, before = {}, None
        for c in self.read:
            before = kinds[id(c)] = Kinds(c, events, before)
        self.all = [(c, t, e, kinds[id(c)].name(c, e, plain_name(t.name))) for c, t, e in events]
        self.timed = {n for c, _, e, n in self.all if c.span(number(e.get('duration'))) > 0}
        for c in self.read:
            c.window = window(self, c)
        # Events whose time makes no sense, by the identity of their fields.
        self.far = {id(e) for c, _, e, n in self.all if n not in UNTIMED and is_far(c, e)}
        self.lasting = {n for c, _, e, n in self.all if id(e) not in self.far and c.span(number(e.get('duration'))) > 0}
        self.zero, self.elapsed = extent(self)
        self.samples = None
        self.periods = {n: sorted(rows) for n, rows in periods(self).items()}


def number(v):
    return v if isinstance(v, (int, float)) else 0


UNTIMED = ('jdk.ActiveRecording', 'jdk.ActiveSetting')
MINUTE = 60 * 10 ** 9


def moments(c, e):
    """When an event began and ended, or None."""
    if not isinstance(e.get('startTime'), int):
        return None
    begin = max(c.ns(e['startTime']), 0)
    return begin, begin + c.span(number(e.get('duration')))


def window(f, c):
    """The possible times of a chunk: those at which it was written, and a bit."""
    length = max(c.duration_ns, 0)
    written = [c.start_ns, c.start_ns + length]
    for at in c.metas + c.checks:
        r = In(c.data, at, c.end)
        try:
            r.u64(), r.u64()
            written.append(c.ns(r.i64()))
        except Bad:
            pass
    slack = MINUTE + length // 2
    both = min(written) - slack, max(written) + (slack if c.finished and length else 7 * 24 * 60 * MINUTE)
    seen = [m for m in (moments(c, e) for d, _, e, n in f.all if d is c and n not in UNTIMED) if m][:64]
    if c.frequency_told <= 0 or 2 * sum(outside(both, m) for m in seen) > len(seen):
        return None                                       # it is the chunk that is wrong
    return both


def outside(both, m):
    return m[1] < both[0] or m[1] > both[1]


def is_far(c, e):
    m = moments(c, e)
    return m is not None and c.window is not None and outside(c.window, m)


def extent(f):
    """The zero of the time axis (ns since 1970) and how long it is."""
    lo, hi = min((c.start_ns for c in f.read), default=0), None
    for c, _, e, n in f.all:
        if 'startTime' not in e or n in UNTIMED or id(e) in f.far:
            continue
        a = c.ns(e['startTime'])
        b = c.ns(e['startTime'] + max(number(e.get('duration')), 0))
        lo = min(lo, a)
        hi = b if hi is None or b > hi else hi
    return lo, (hi or lo) - lo


def unit_of(f, t, n):
    names = {x.name for x in t.fields}
    field, unit, _ = EVENTS.get(n, (None, None, None))
    if plain_name(t.name) == 'jdk.ExecutionSample':           # whatever it is called
        return None, 'samples'
    if unit is not None and (field is None or field in names):
        return field, unit
    return ('duration', 'ns') if 'duration' in names and n in f.timed and n not in EVENTS else (None, 'events')


TIMERS = ('cpu', 'itimer', 'ctimer', 'cpu-clock')
NS = {'ns': 1, 'us': 10 ** 3, 'ms': 10 ** 6, 's': 10 ** 9}


def periods(f):
    """Event -> rows of a time, and the ns between its samples from then on."""
    out = collections.defaultdict(list)
    for c in f.read:
        told = {}
        for of, t, e, n in f.all:
            kind = c.types.get(e.get('id')) if of is c and n == 'jdk.ActiveSetting' else None
            if kind is None or plain_name(kind.name) not in ('jdk.ExecutionSample', 'jdk.ActiveRecording'):
                continue
            name, value = c.text(e.get('name')), c.text(e.get('value')) or ''
            told.update({name: value} if name == 'event' or value.isdecimal() else {})
            number_, _, unit = value.partition(' ')
            if name == 'period' and plain_name(kind.name) == 'jdk.ExecutionSample' and number_.isdecimal() and unit in NS:
                out['jdk.ExecutionSample'].append((c.ns(e['startTime']), int(number_) * NS[unit]))
        if told.get('event') in TIMERS and 'interval' in told:
            out['cpu'].append((c.start_ns, int(told['interval']) or 10 ** 7))
        if 'wall' in told or (told.get('event') == 'wall' and 'interval' in told):
            out['wall'].append((c.start_ns, int(told['wall'] if 'wall' in told else told['interval']) or 5 * 10 ** 7))
    return out


def weight_of(f, c, t, e, n):
    """In ns if each sample stands for the period that held at its time."""
    rows = f.periods.get(n)
    v = plain_weight_of(f, c, t, e, n)
    if not rows:
        return v
    at = c.ns(e['startTime']) if 'startTime' in e and id(e) not in f.far else float('inf')
    return v * ([ns for since, ns in rows if since <= at] or [rows[0][1]])[-1]


def plain_weight_of(f, c, t, e, n):
    field, unit = unit_of(f, t, n)
    if field is None:
        return 1
    v = number(e[field])
    if unit == 'ns' and (field == 'duration' or content(c, t, field) == 'TICKS'):
        v = c.span(v)
    return max(v, 0)


def content(c, t, field):
    """The unit in an annotation of jdk.jfr.Timespan or Timestamp."""
    for f in t.fields:
        for tid, a in f.notes if f.name == field else ():
            n = c.types.get(tid)
            if n is not None and n.name in ('jdk.jfr.Timespan', 'jdk.jfr.Timestamp'):
                return a.get('value')
    return None


# The profiler's own frames, which call malloc and the like for the program.
HOOK = re.compile(r"(libasyncProfiler[^;]*\.)?(malloc|calloc|realloc|free|posix_memalign|aligned_alloc)_hook")


def frames_leaf(c, e, n, own=False):
    """Outermost first; the class of the object is the innermost frame.  own: with those of the profiler."""
    out = frames_of(c, e)
    while out and not own and HOOK.fullmatch(out[-1]):
        out = out[:-1]
    field = EVENTS[n][2] if n in EVENTS else LOCKS.get(n)
    leaf = class_of(c, e[field]) if out and field in e else None
    return out + [leaf] if leaf else out


def thread_of(c, t, e):
    """pid, id of the system, name; None: no thread."""
    field = thread_field(t)
    tid, name = thread_name(c, e[field]) if field else (0, '')
    return (c.pid, tid, name) if (tid, name) != (0, '') else None


# ---- answers of icecore ---------------------------------------------------------

def profile(f):
    """(chunk, type, event, name) of each that can have a stack, of types of which one has."""
    if f.samples is None:
        some = [x for x in f.all if any(field.name == 'stackTrace' for field in x[1].fields)]
        have = {n for c, _, e, n in some if frames_of(c, e) or stack_of(c, e) is not None and e['stackTrace'].key != 0}
        f.samples = [x for x in some if x[3] in have]
    return f.samples


def events(f):
    """Rows of name, unit, samples, weight, stacks, samples without a stack, with a truncated one, threads."""
    rows = {}
    for c, t, e, n in profile(f):
        r = rows.setdefault(n, ['ns' if f.periods.get(n) else unit_of(f, t, n)[1], 0, 0, set(), 0, 0, set()])
        frames = frames_leaf(c, e, n)
        r[1] += 1
        r[2] += weight_of(f, c, t, e, n)
        r[3].add(tuple(frames_leaf(c, e, n, True)))
        r[4] += frames == []
        r[5] += frames[:1] == ['[truncated]']
        r[6].add(thread_of(c, t, e))
    order = {n: i for i, n in enumerate(EVENTS)}
    return [(n, r[0], r[1], r[2], len(r[3]), r[4], r[5], len(r[6]))
            for n, r in sorted(rows.items(), key=lambda x: (x[1][3] == {()}, order.get(x[0], len(order)), x[0].encode()))]


def folded(f, event):
    out = collections.Counter()
    for c, t, e, n in profile(f):
        if n == event:
            out[';'.join(x.replace(';', ':') for x in frames_leaf(c, e, n))] += weight_of(f, c, t, e, n)
    return ['%s %d' % (k, out[k]) for k in sorted(out, key=lambda k: k.encode('utf-8', 'surrogateescape'))]


def threads(f, event):
    """(pid, tid, name) or None -> samples, weight."""
    out = {}
    for c, t, e, n in profile(f):
        if n == event:
            o = out.setdefault(thread_of(c, t, e), [0, 0])
            o[0] += 1
            o[1] += weight_of(f, c, t, e, n)
    return out


def times(f, event):
    """When each sample was, from zero on: sorted, without those whose time makes no sense."""
    out = []
    for c, _, e, n in profile(f):
        if n == event and id(e) not in f.far:
            at = c.ns(number(e.get('allocationTime' if n == 'jdk.OldObjectSample' else 'startTime')))
            out += [max(at - f.zero, 0)] if c.window is None or at <= c.window[1] else []
    return sorted(out)


# Event, field, name of the track, what it is of, how a value becomes that of a point.
TRACKS = (
    ('jdk.CPULoad', 'jvmUser', 'cpu jvm user', 'process', 'share'),
    ('jdk.CPULoad', 'jvmSystem', 'cpu jvm system', 'process', 'share'),
    ('jdk.CPULoad', 'machineTotal', 'cpu machine', 'process', 'share'),
    ('jdk.ThreadCPULoad', 'user', 'cpu user', 'eventThread', 'share'),
    ('jdk.ThreadCPULoad', 'system', 'cpu system', 'eventThread', 'share'),
    ('jdk.GCHeapSummary', 'heapUsed', 'heap used', 'process', 'bytes'),
    ('jdk.GCHeapSummary', 'heapSpace.committedSize', 'heap committed', 'process', 'bytes'),
    ('jdk.MetaspaceSummary', 'metaspace.used', 'metaspace used', 'process', 'bytes'),
    ('jdk.ResidentSetSize', 'size', 'rss', 'process', 'bytes'),
    ('jdk.PhysicalMemory', 'usedSize', 'memory used', 'machine', 'bytes'),
    ('jdk.JavaThreadStatistics', 'activeCount', 'threads', 'process', ''),
    ('jdk.ClassLoadingStatistics', 'loadedClassCount', 'classes', 'process', ''),
    ('jdk.ExceptionStatistics', 'throwables', 'exceptions', 'process', ''),
    ('jdk.ThreadContextSwitchRate', 'switchRate', 'context switches', 'machine', '1/s'),
    ('jdk.ThreadAllocationStatistics', 'allocated', 'allocated', 'thread', 'bytes'),
    ('jdk.NetworkUtilization', 'readRate', 'read', 'machine', 'bit/s'),
    ('jdk.NetworkUtilization', 'writeRate', 'write', 'machine', 'bit/s'),
)


def field_at(e, path):
    for part in path.split('.'):
        e = e.get(part) if isinstance(e, dict) else None
    return e if isinstance(e, (int, float)) else None


CONTAINER, MACHINE = ('jdk.ContainerConfiguration', 'effectiveCpuCount'), ('jdk.CPUInformation', 'hwThreads')


def processors(f, *tellers):
    """chunk -> the divisor of shares of CPU, from the first event that contains it."""
    out = {}
    for event, path in tellers:
        first = {}
        for c, _, e, n in f.all:
            if n == event:
                first.setdefault(c, field_at(e, path))
        for c, n in first.items():
            if n is not None and 0 < n <= 65536:
                out.setdefault(c, n)
    for c in f.read:
        if c.before in out:
            out.setdefault(c, out[c.before])
    return out


def tracks(f):
    """(name, pid or 0, thread or None) -> unit, [(time, value)], in order of time.  Shares are those of one CPU if the number of CPUs is known."""
    out, known = {}, {}
    divided = {'jdk.ThreadCPULoad': processors(f, CONTAINER, MACHINE), 'jdk.CPULoad': processors(f, MACHINE)}
    for c, _, e, n in f.all:
        for event, path, name, of, unit in TRACKS:
            v = field_at(e, path) if n == event and id(e) not in f.far else None
            if v is None:
                continue
            who = None
            if of in ('eventThread', 'thread'):
                tid, text = thread_name(c, e.get(of))
                if (tid, text) == (0, ''):
                    continue
                who = (c.pid, tid, text)
            if n == 'jdk.NetworkUtilization':
                name = (name + ' ' + (c.text(e.get('networkInterface')) or '')).rstrip()
            pid = 0 if of == 'machine' else c.pid
            if n in divided:
                v *= divided[n].get(c, 1)
                known.setdefault((name, pid, who), c in divided[n])
                name += '' if known[name, pid, who] else ' (share of the machine)'
            out.setdefault((name, pid, who), (unit, []))[1].append((max(c.ns(number(e.get('startTime'))) - f.zero, 0), v, c))
    for unit, points in out.values():
        points.sort(key=lambda p: p[0])
    return out


# Event -> what the interval is about.
WHAT = {
    'jdk.JavaMonitorEnter': ('monitorClass',), 'jdk.JavaMonitorWait': ('monitorClass',), 'jdk.ThreadPark': ('parkedClass',),
    'jdk.SocketRead': ('host', 'address', 'port'), 'jdk.SocketWrite': ('host', 'address', 'port'), 'jdk.FileRead': ('path',),
    'jdk.FileWrite': ('path',), 'jdk.FileForce': ('path',), 'jdk.GarbageCollection': ('name', 'cause'),
    'jdk.GCPhasePause': ('name',), 'jdk.GCPhaseConcurrent': ('name',), 'jdk.ClassLoad': ('loadedClass',),
    'jdk.Compilation': ('method',), 'jdk.VirtualThreadPinned': ('pinnedReason',), 'jdk.ExecuteVMOperation': ('operation',),
    'profiler.Span': ('tag',), 'jdk.MethodTrace': ('method',),
}
BYTES = ('bytesRead', 'bytesWritten')
NO_INTERVAL = {'jdk.ActiveRecording', 'jdk.ActiveSetting', 'jdk.GCPhaseParallel', 'jdk.OldObjectSample', 'jdk.YoungGarbageCollection',
               'jdk.OldGarbageCollection', 'jdk.G1GarbageCollection', 'jdk.ParallelOldGarbageCollection'}
STATES = {
    'jdk.JavaMonitorEnter': 'blocked', 'jdk.JavaMonitorWait': 'wait', 'jdk.ThreadPark': 'parked',
    'jdk.ThreadSleep': 'sleep', 'jdk.SocketRead': 'socket', 'jdk.SocketWrite': 'socket', 'jdk.FileRead': 'file',
    'jdk.FileWrite': 'file', 'jdk.FileForce': 'file', 'jdk.VirtualThreadPinned': 'pinned',
}


def about(c, e, n):
    parts = []
    for k in WHAT.get(n, ()):
        v = e.get(k)
        if k.endswith('Class'):
            v = class_of(c, v)
        elif k == 'method':
            m = method_of(c, v)
            v = class_name(m[0]) + '.' + m[1] if m else None
        else:
            v = c.text(v)
        if v:
            parts.append(v)
    return (', ' if n == 'jdk.GarbageCollection' else ' ').join(parts)


def intervals(f):
    """Rows of start, length, thread or None, event, what it is about, bytes or None: in order of time."""
    rows = []
    for c, t, e, n in f.all:
        if n in f.lasting and n not in NO_INTERVAL and 'duration' in e and id(e) not in f.far:
            rows.append((max(c.ns(number(e.get('startTime'))) - f.zero, 0), c.span(number(e['duration'])), thread_of(c, t, e), n,
                         about(c, e, n), next((max(number(e[b]), 0) for b in BYTES if b in e), None)))
    return sorted(rows, key=lambda r: r[0])


def pauses(f):
    """Each collection: its start, its pauses in all, and the longest."""
    return [(max(c.ns(number(e.get('startTime'))) - f.zero, 0), c.span(number(e['sumOfPauses'])), c.span(number(e['longestPause'])))
            for c, _, e, n in f.all if n == 'jdk.GarbageCollection' and n in f.lasting and 'duration' in e and id(e) not in f.far and
            'sumOfPauses' in e and 'longestPause' in e]


def states(f):
    """thread -> [(start, length, state)] by intervals() of that thread; None: the collector's pauses."""
    out = {}
    for start, length, who, n, _, _ in intervals(f):
        if n in STATES and who is not None and length > 0:
            out.setdefault(who, []).append((start, length, STATES[n]))
        elif n == 'jdk.GCPhasePause' and length > 0:
            out.setdefault(None, []).append((start, length, 'GC pause'))
    return out


def lost_stacks(f):
    return sum(frames_of(c, e) == ['[lost stack]'] for c, t, e, n in profile(f))


TOLD = {'profiler': ('version', 'event', 'interval', 'alloc', 'wall', 'lock', 'jstackdepth')}
FACT_ROOM = 38                                            # a fact has a short name; of a long event the last parts
OF_EVENTS = ('period', 'threshold', 'throttle', 'enabled')


def settings(f):
    """Fact -> value, of events that are shown and of the profiler; warnings of the profiler."""
    shown, values, out = {e[0] for e in events(f)}, {}, {}
    for c, _, e, n in f.all:
        if n == 'profiler.Log' and (c.text(e.get('level')) or '') not in ('', 'TRACE', 'DEBUG', 'INFO', 'NONE') and len(out) < 20:
            out['log.%d' % (len(out) + 1)] = '%s %s' % (c.text(e.get('level')), c.text(e.get('message')) or '')
        of = c.types.get(e.get('id')) if n == 'jdk.ActiveSetting' else None
        if of is None:
            continue
        event = plain_name(of.name)
        event = 'profiler' if event == 'jdk.ActiveRecording' else event
        name, value = c.text(e.get('name')), c.text(e.get('value'))
        if name not in TOLD.get(event, OF_EVENTS) or not value or (name, value) == ('enabled', 'true') or event not in shown | {'profiler'}:
            continue
        while len(event) + len(name) > FACT_ROOM and ('.' in event or '$' in event):
            event = event[event.index('.' if '.' in event else '$') + 1:]
        if len(event) + len(name) > FACT_ROOM:
            continue
        seen = values.setdefault('setting.%s.%s' % (event, name), [])
        if value not in seen:
            seen.append(value)
    return {**{k: ', '.join(v) for k, v in values.items()}, **out}


def facts(f):
    pids = [c.pid for c in f.read if c.pid]
    return {
        'pid': pids[0] if pids else 0, 'processes': len(set(pids)), 'far': len(f.far), 'lost_types': sum(c.lost_types for c in f.chunks),
        'lost_bytes': sum(max(number(e.get('amount')), 0) for _, _, e, n in f.all if n == 'jdk.DataLoss'),
        'lost_samples': sum(max(number(e.get('lostSamples')), 0) for _, _, e, n in f.all if n == 'jdk.CPUTimeSamplesLost'),
        'settings': settings(f),
        'chunks': len(f.read), 'versions': ', '.join(sorted({'%d.%d' % (c.major, c.minor) for c in f.read})),
        'unfinished': sum(not c.finished for c in f.chunks), 'zero': f.zero, 'elapsed': f.elapsed,
        'pids': ','.join(sorted({str(c.pid) for c in f.chunks if c.pid})), 'lost_stacks': lost_stacks(f),
        'lost': f.lost + [x for c in f.chunks for x in c.lost], 'unknown': sum(sum(c.unknown.values()) for c in f.read if not c.whole),
        'unread': {'unread.event.type_%d' % k: n for c in f.read if c.whole for k, n in c.unknown.items()},
        'packing_cut': f.packing_cut,
    }


def load(path):
    with open(path, 'rb') as f:
        return Recording(f.read())


def main(argv):
    if len(argv) < 3 or argv[1] not in ('events', 'folded', 'threads', 'tracks', 'states', 'intervals', 'facts'):
        sys.exit(__doc__)
    try:
        got = globals()[argv[1]](load(argv[2]), *argv[3:])
    except Bad as e:
        sys.exit('slowjfr: ' + str(e))
    for row in got.items() if isinstance(got, dict) else got:
        print(*row if isinstance(row, tuple) else (row,), sep='\t')


if __name__ == '__main__':
    main(sys.argv)
