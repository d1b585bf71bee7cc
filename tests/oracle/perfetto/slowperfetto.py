#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, independent reader of Perfetto traces (TracePacket protobuf streams).

Only the Python standard library; own varint reader.  Meant as an oracle for
icecore, not as a product: clarity before speed.

  slowperfetto.py COMMAND FILE [OUT]
  info packets procs threads tracks slices sched states wakes counters
  samples heap flows logs frames packages losses   one TSV on stdout
  all FILE DIR          every TSV into DIR/NAME.<command>.tsv
"""
import sys, os, re, subprocess, zlib, gzip, zipfile, io, struct, bisect, collections

sys.setrecursionlimit(10000)
U64 = (1 << 64) - 1
NOTRACK = -1
EMPTY = re.compile(rb"(?:\x0a\x00)+")       # packets without bytes


class Damage(Exception):
    pass


# ---------------------------------------------------------------- wire level
def varint(b, p, end):
    r = s = 0
    while True:
        if p >= end:
            raise Damage("varint cut")
        c = b[p]
        p += 1
        r |= (c & 127) << s
        if c < 128:
            return r & U64, p
        s += 7
        if s >= 70:
            raise Damage("varint too long")


class M(dict):
    """A decoded message: field number -> list of raw values.
    int for wire types 0, 1, 5; bytes for wire type 2."""

    def one(self, n, d=None):
        v = self.get(n)
        return d if v is None else v[-1]

    def u(self, n, d=0):
        v = self.get(n)
        if v is None:
            return d
        v = v[-1]
        return v if isinstance(v, int) else d

    def i(self, n, d=0):           # int64 / int32 / enum
        v = self.u(n, None)
        if v is None:
            return d
        return v - (1 << 64) if v >> 63 else v

    def i32(self, n, d=0):
        v = self.u(n, None)
        if v is None:
            return d
        v &= 0xffffffff
        return v - (1 << 32) if v >> 31 else v

    def u32(self, n, d=0):
        v = self.u(n, None)
        return d if v is None else v & 0xffffffff

    def dbl(self, n, d=0.0):
        v = self.u(n, None)
        return d if v is None else struct.unpack('<d', struct.pack('<Q', v))[0]

    def flt(self, n, d=0.0):
        v = self.u(n, None)
        return d if v is None else struct.unpack('<f', struct.pack('<I', v & 0xffffffff))[0]

    def s(self, n, d=''):
        v = self.one(n)
        return v.decode('utf-8', 'replace') if isinstance(v, bytes) else d

    def raw(self, n, d=b''):
        v = self.one(n)
        return v if isinstance(v, bytes) else d

    def strs(self, n):
        return [v.decode('utf-8', 'replace') for v in self.get(n, ()) if isinstance(v, bytes)]

    def m(self, n):                # absent: None; there with another wire type: an empty message
        v = self.one(n)
        return None if v is None else msg(v) if isinstance(v, bytes) else M()

    def ms(self, n):
        return [msg(v) for v in self.get(n, ()) if isinstance(v, bytes)]

    def us(self, n):               # repeated varint, packed or not
        out = []
        for v in self.get(n, ()):
            if isinstance(v, int):
                out.append(v)
            else:
                p = 0
                while p < len(v):
                    x, p = varint(v, p, len(v))
                    out.append(x)
        return out

    def is_(self, n):
        return [v - (1 << 64) if v >> 63 else v for v in self.us(n)]

    def f64s(self, n):             # repeated fixed64, packed or not
        out = []
        for v in self.get(n, ()):
            if isinstance(v, int):
                out.append(v)
            else:
                out += [x[0] for x in struct.iter_unpack('<Q', v[:len(v) // 8 * 8])]
        return out


def msg(b, p=0, end=None):
    end = len(b) if end is None else end
    m = M()
    while p < end:
        key, p = varint(b, p, end)
        n, w = key >> 3, key & 7
        if n == 0:
            raise Damage("field number 0")
        if w == 0:
            v, p = varint(b, p, end)
        elif w == 2:
            l, p = varint(b, p, end)
            if l > end - p:
                raise Damage("length past the end")
            v = b[p:p + l]
            p += l
        elif w == 1:
            if p + 8 > end:
                raise Damage("fixed64 cut")
            v = int.from_bytes(b[p:p + 8], 'little')
            p += 8
        elif w == 5:
            if p + 4 > end:
                raise Damage("fixed32 cut")
            v = int.from_bytes(b[p:p + 4], 'little')
            p += 4
        else:
            raise Damage("wire type %d" % w)
        m.setdefault(n, []).append(v)
    return m


PACKET_NAMES = {1: 'ftrace_events', 2: 'process_tree', 4: 'inode_file_map', 5: 'chrome_events', 6: 'clock_snapshot',
    7: 'sys_stats', 9: 'process_stats', 11: 'track_event', 33: 'trace_config', 34: 'ftrace_stats', 35: 'trace_stats',
    36: 'synchronization_marker', 37: 'profile_packet', 38: 'battery', 39: 'android_log', 40: 'power_rails',
    43: 'process_descriptor', 44: 'thread_descriptor', 45: 'system_info', 46: 'trigger', 47: 'packages_list',
    48: 'chrome_benchmark_metadata', 49: 'perfetto_metatrace', 50: 'compressed_packets', 51: 'chrome_metadata',
    52: 'gpu_counter_event', 53: 'gpu_render_stage_event', 54: 'streaming_profile_packet', 56: 'heap_graph',
    57: 'graphics_frame_event', 60: 'track_descriptor', 61: 'module_symbols', 62: 'vulkan_memory_event', 63: 'gpu_log',
    64: 'deobfuscation_mapping', 65: 'vulkan_api_event', 66: 'perf_sample', 67: 'cpu_info', 68: 'smaps_packet',
    69: 'service_event', 70: 'initial_display_state', 71: 'gpu_mem_total_event', 72: 'extension_descriptor',
    73: 'memory_tracker_snapshot', 74: 'streaming_allocation', 75: 'streaming_free', 76: 'frame_timeline_event',
    77: 'android_energy_estimation_breakdown', 78: 'ui_state', 82: 'translation_table',
    83: 'android_game_intervention_list', 84: 'statsd_atom', 86: 'android_system_property', 88: 'network_packet',
    89: 'trace_uuid', 90: 'track_event_range_of_interest', 91: 'entity_state_residency', 92: 'network_packet_bundle',
    93: 'surfaceflinger_layers_snapshot', 94: 'surfaceflinger_transactions', 95: 'etw_events', 96: 'shell_transition',
    97: 'shell_handler_mappings', 99: 'v8_js_code', 100: 'v8_internal_code', 101: 'v8_wasm_code',
    102: 'v8_reg_exp_code', 103: 'v8_code_move', 104: 'protolog_message', 105: 'protolog_viewer_config',
    107: 'remote_clock_sync', 109: 'chrome_trigger', 110: 'pixel_modem_events', 111: 'pixel_modem_token_database',
    112: 'winscope_extensions', 113: 'clone_snapshot_trigger', 114: 'bluetooth_trace_event',
    115: 'kernel_wakelock_data', 116: 'app_wakelock_bundle', 117: 'generic_kernel_task_state_event',
    118: 'generic_kernel_cpu_freq_event', 119: 'cpu_per_uid_data', 120: 'generic_kernel_task_rename_event',
    121: 'evdev_event', 122: 'generic_kernel_process_tree', 123: 'user_list', 124: 'trace_provenance', 125: 'protovms',
    126: 'trace_attributes', 127: 'android_aflags', 128: 'gpu_info', 129: 'generic_gpu_frequency_event',
    130: 'interrupt_info', 131: 'art_process_metadata', 132: 'journald_event', 133: 'zstd_compressed_packets',
    134: 'concurrent_session_event', 135: 'stack_sample', 900: 'for_testing'}
PACKET_META = {3, 8, 10, 12, 13, 41, 42, 58, 59, 79, 87, 98}
READ_PACKETS = {52, 70, 90, 1, 2, 5, 6, 7, 9, 11, 34, 35, 36, 37, 38, 39, 40, 44, 45, 47, 50, 54, 60, 61, 64, 66, 69, 76, 86, 89, 135,
                33, 46, 117, 118, 120, 122}

FTRACE_NAMES = {}


# ------------------------------------------------------------------ container
def trace_parts(path):
    """Yield (name, bytes) of every proto trace inside FILE."""
    b = open(path, 'rb').read()
    return list(unwrap(os.path.basename(path), b, 0))


def unwrap(name, b, depth):
    if depth > 4:
        return
    if b[:2] == b'\x1f\x8b':
        try:
            d = zlib.decompressobj(31)
            out = d.decompress(b)
            while d.unused_data[:2] == b'\x1f\x8b':     # several gzip members
                rest = d.unused_data
                d = zlib.decompressobj(31)
                out += d.decompress(rest)
        except zlib.error:
            out = partial_inflate(b, 31)
        yield from unwrap(name, out, depth + 1)
    elif b[:4] == b'PK\x03\x04':
        try:
            z = zipfile.ZipFile(io.BytesIO(b))
            names = z.namelist()
        except Exception:
            return
        for n in names:
            try:
                c = z.read(n)
            except Exception:
                continue
            yield from unwrap(name + '!' + n, c, depth + 1)
    elif b[257:262] == b'ustar':
        import tarfile
        t = tarfile.open(fileobj=io.BytesIO(b))
        for n in t.getmembers():
            if n.isfile():
                yield from unwrap(name + '!' + n.name, t.extractfile(n).read(), depth + 1)
    elif depth == 0 or b[:1] == b'\x0a':
        yield name, b


SYNC = bytes.fromhex('82477a76b28d42ba81dc33326d57a079')


class Clocks:
    """Graph of clock snapshots."""

    def __init__(self):
        self.snaps = {}        # clock -> {set key -> ([ns], [snap id])}
        self.values = {}       # (snap id, clock) -> ns
        self.props = {}        # clock -> [mult, incremental, last ns]
        self.edges = {}        # clock -> [(other, key)]
        self.nonmono = set()
        self.trace = None      # the trace clock
        self.default = 6
        self.n = 0
        self.bad = 0

    def add(self, clocks):     # [(clock, value, mult, incremental)]
        sid = self.n
        self.n += 1
        key = tuple(c[0] for c in clocks)
        for c, v, mult, inc in clocks:
            p = self.props.get(c)
            if p is None:
                if inc and not isinstance(c, tuple):
                    self.bad += 1
                    return
                p = self.props[c] = [mult, inc, 0]
            elif p[0] != mult or p[1] != inc:
                self.bad += 1
                return
            if c == (self.trace or 6) and mult != 1:
                self.bad += 1
                return
            ns = v * p[0]
            p[2] = ns
            t, i = self.snaps.setdefault(c, {}).setdefault(key, ([], []))
            if i and i[-1] == sid:
                self.bad += 1
                return
            if t and ns < t[-1]:
                if c == (self.trace or 6):
                    self.bad += 1
                    return
                self.nonmono.add(c)
                self.edges[c] = []
            t.append(ns)
            i.append(sid)
            self.values[(sid, c)] = ns
        for a in range(len(key)):
            for b in range(a + 1, len(key)):
                x, y = key[a], key[b]
                if x not in self.nonmono and (y, key) not in self.edges.setdefault(x, []):
                    self.edges[x].append((y, key))
                if y not in self.nonmono and (x, key) not in self.edges.setdefault(y, []):
                    self.edges[y].append((x, key))

    def to_trace(self, clock, ts):
        """None: no way to convert (yet)."""
        target = self.trace if self.trace is not None else 6
        p = self.props.get(clock)
        if p:
            if p[1]:
                p[2] += ts * p[0]
                ns = p[2]
            else:
                ns = ts * p[0]
        else:
            ns = ts
        if clock == target:
            return ns
        path = self.path(clock, target)
        if path is None:
            return None
        for src, dst, key in path:
            t, i = self.snaps[src][key]
            k = max(bisect.bisect_right(t, ns) - 1, 0)
            ns += self.values[(i[k], dst)] - t[k]
        return ns

    def path(self, a, b):
        if a not in self.edges:
            return None
        seen = {a}
        q = collections.deque([(a, [])])
        while q:
            c, p = q.popleft()
            for d, key in self.edges.get(c, ()):
                if d in seen:
                    continue
                np = p + [(c, d, key)]
                if d == b:
                    return np
                seen.add(d)
                q.append((d, np))
        return None


class Gen:
    """One generation of incremental state of a sequence."""
    __slots__ = ('tab', 'defaults', 'valid', 'thread', 'te_ref', 'te', 'ctr', 'pp')

    def __init__(self):
        self.tab = {}          # InternedData field -> {iid: M}
        self.defaults = None
        self.valid = False
        self.thread = None     # (pid, tid)
        self.te = None         # [ns, thread ns, instructions] or None
        self.ctr = {}          # incremental counters: uuid -> value

    def child(self):
        g = Gen()
        g.tab, g.defaults, g.valid, g.thread, g.te, g.ctr = \
            self.tab, self.defaults, self.valid, self.thread, self.te, self.ctr
        return g

    def get(self, field, iid):
        return self.tab.get(field, {}).get(iid)

    def text(self, field, iid):
        e = self.get(field, iid)
        return None if e is None else e.s(2)


class Seq:
    def __init__(self):
        self.gen = Gen()
        self.lost = True       # until the first "cleared"
        self.seen = 0
        self.drops = 0


# --------------------------------------------------------------------- tables
class Slice:
    __slots__ = ('id', 'ts', 'dur', 'track', 'cat', 'name', 'depth', 'parent', 'tts', 'tdur', 'args', 'tic', 'tid_')

    def __init__(self, id, ts, dur, track, cat, name, depth, parent):
        self.id, self.ts, self.dur, self.track, self.cat, self.name, self.depth, self.parent = \
            id, ts, dur, track, cat, name, depth, parent
        self.tts = self.tdur = None
        self.tic = self.tid_ = None
        self.args = {}


TASK = 'S D T t X Z'.split()


def task_state(v, kernel):
    """prev_state -> letters.  kernel = (major, minor) or None."""
    raw = v & 0xffff
    parts = [TASK[i] for i in range(6) if raw >> i & 1]
    pre = False
    if kernel and kernel >= (4, 14):
        if raw & 0xfe00:
            return '?'
        if raw & 0x40:
            parts.append('P')
        if raw & 0x80:
            parts.append('I')
        pre = bool(raw & 0x100)
    else:
        names = {0x40: 'x', 0x80: 'K', 0x100: 'W', 0x200: 'P', 0x400: 'N'}
        up = [(b, n) for b, n in names.items() if raw & b]
        if (raw & 0x3f) == 2 and [b for b, _ in up] == [0x400]:
            parts = ['I']
        else:
            order = {'P': 0, 'x': 1, 'K': 2, 'W': 3, 'N': 4}
            parts += sorted((n for _, n in up), key=lambda n: order[n])
        pre = bool(raw & (0x1000 if kernel and kernel >= (4, 8) else 0x800))
    if not parts:
        return 'R+' if pre else 'R'
    return ''.join(parts)


class Trace:
    def __init__(self, tp=False):
        self.tp = tp           # True: as trace_processor does; False: with the decisions marked [ours]
        self.stats = collections.Counter()
        self.packets = collections.Counter()
        self.ftrace_kinds = collections.Counter()
        self.unread = collections.Counter()
        self.events = []
        self.order = 0
        self.meta = {}
        # processes and threads: index 0 is the idle task
        self.procs = [dict(pid=0, name=None, start=None, end=None, parent=None, uid=None, cmdline=None, prio=0)]
        self.threads = [dict(tid=0, name='swapper', start=None, end=None, upid=0, main=True, prio=5)]
        self.tids = {0: [0]}
        self.live = {0: 0}
        self.pids = {0: 0}
        self.pend_assoc = []
        self.pend_parent = []
        self.slices = []
        self.tracks = []
        self.track_key = {}
        self.translated = {}
        self.stacks = {}
        self.counters = []     # (ts, track, value)
        self.sched = []        # [ts, dur, cpu, utid, end_state, prio]
        self.states = []       # dict
        self.spurious = []
        self.pending = {}      # cpu -> [slice index or None, last utid, pid, prio]
        self.last_state = {}
        self.last_blocked = {}
        self.flows = []
        self.flow_map = {}
        self.flow_v1 = {}
        self.flow_pending = {}
        self.compress = {}
        self.samples = []
        self.heap = []
        self.frames = []
        self.frame_table = {}
        self.logs = []
        self.packages = []
        self.symbols = []
        self.renames = []
        self.kernel = None
        self.seqs = {}
        self.clocks = Clocks()
        self.deferred = []
        self.max_ts = 0
        self.desc = {}         # uuid -> reservation dict
        self.resolved = {}
        self.uuid_by_utid = {}
        self.uuid_by_upid = {}
        self.unnest = set()
        self.proc_counters = []
        self.mm = {}
        self.write_open = set()
        self.binder = {}
        self.heap_prev = {}
        self.rails = {}
        self.ft_cookie = {}
        self.ft_tokens = {}
        self.ft_disp = {}
        self.arch = None
        self.sync = 0
        self.concat = 0
        self.ftrace_start = None
        self.first_bundle = set()
        self.trusted = {}      # track uuid -> pid
        self.nsproc = {}
        self.nsthread = {}
        self.lossy = collections.Counter()
        self.async_root = {}
        self.resynced = set()

    # -------- reading
    def read(self, path):
        parts = trace_parts(path)
        for name, b in parts:
            self.stream(b, 0, len(b), True)
        for d in self.deferred:
            self.packet_time(*d, last=True)
        self.run()

    def stream(self, b, p, end, top):
        bad = None                       # start of the packet before this one, if it did not parse
        while p < end:
            empty = EMPTY.match(b, p, end)
            if empty:
                p, bad = empty.end(), None
                continue
            start = p
            try:
                key, q = varint(b, p, end)
                n, w = key >> 3, key & 7
                if n == 0:
                    raise Damage("0")
                if w == 0:
                    _, p = varint(b, q, end)
                elif w in (1, 5):
                    p = q + (8 if w == 1 else 4)
                elif w == 2:
                    l, q = varint(b, q, end)
                    p = q + l
                else:
                    raise Damage("wire")
                if n != 1 or w != 2:     # never written; skip it only if a packet or the end follows
                    if p == end or (p < end and b[p] == 0x0a):
                        self.stats['other_top_fields'] += 1
                        bad = None
                        continue
                    raise Damage("not a packet")
            except Damage:
                p = self.resync(b, start if bad is None else bad + 1, end, start)
                bad = None
                continue
            if p > end:                  # cut, or a length that lies
                nxt = self.find_sync(b, start + 1 if bad is None else bad + 1, end)
                if nxt is not None and nxt not in self.resynced:
                    self.resynced.add(nxt)
                    self.stats['resyncs'] += 1
                    self.stats['lost_bytes'] += max(nxt - start, 0)
                    p, bad = nxt, None
                    continue
                self.stats['cut_packets'] += 1
                self.stats['lost_bytes'] += end - start
                return
            bad = None
            if l == 0:
                continue
            try:
                m = msg(b[q:p])
            except Damage:
                self.stats['bad_packets'] += 1
                bad = start
                continue
            if 50 in m:
                self.packets[50] += 1
                d = zlib.decompressobj()
                try:
                    out = d.decompress(m.raw(50))
                    if not d.eof:
                        self.stats['bad_compressed'] += 1
                except zlib.error:
                    out = partial_inflate(m.raw(50))
                    self.stats['bad_compressed'] += 1
                self.stream(out, 0, len(out), False)
                continue
            if 133 in m:
                self.packets[133] += 1
                out = unzstd(m.raw(133))
                if out is None:
                    self.stats['zstd_packets_not_read'] += 1
                else:
                    self.stream(out, 0, len(out), False)
                continue
            self.packet(m)

    def find_sync(self, b, p, end):
        k = b.find(SYNC, p, end)
        while k >= 0:
            # the marker packet starts a few bytes before; try the nearest 0A len that covers it
            for s in range(k - 4, max(k - 64, 0) - 1, -1):
                if b[s] == 0x0a:
                    try:
                        l, q = varint(b, s + 1, end)
                    except Damage:
                        continue
                    if q < k and q + l >= k + 16 and q + l <= end:
                        try:
                            if SYNC == msg(b[q:q + l]).raw(36):
                                return s
                        except Damage:
                            pass
            k = b.find(SYNC, k + 1, end)
        return None

    def resync(self, b, base, end, start):
        nxt = self.find_sync(b, base, end)
        if nxt is None or nxt in self.resynced:
            self.stats['lost_bytes'] += end - start
            self.stats['bad_framing'] += 1
            return end
        self.resynced.add(nxt)
        self.stats['resyncs'] += 1
        self.stats['lost_bytes'] += max(nxt - start, 0)
        return nxt

    def seq(self, m):
        return self.seqs.setdefault(m.u32(10), Seq())

    def packet(self, m):
        kinds = [n for n in m if n not in PACKET_META]
        if m.u32(98):
            self.stats['other_machine'] += 1
        for n in kinds:
            self.packets[n] += 1
        self.stats['packets'] += 1
        if not kinds and 12 not in m and 59 not in m:
            self.stats['empty_packets'] += 1
        sid = m.u32(10)
        q = self.seq(m)
        if 10 in m and q.seen and m.u(42):
            q.drops += 1
            self.stats['previous_packet_dropped'] += 1
            for bit, nm in ((2, 'read_gap'), (4, 'chunk_corrupted'), (8, 'orphan_continuation'), (16, 'reassembly_gap'),
                            (32, 'broken_chain'), (64, 'overwrite'), (128, 'writer_abort'), (256, 'smb_full')):
                if m.u(42) & bit:
                    self.stats['loss_reason.' + nm] += 1
        q.seen += 1
        if m.u(41) or m.u(13) & 1:
            if 10 in m:
                g = Gen()
                g.valid = True
                g.thread = q.gen.thread
                q.gen = g
                q.lost = False
        elif m.u(42):
            if 10 in m:
                g = q.gen.child()
                g.valid = False
                g.te = None
                g.ctr = {}
                q.gen = g
                q.lost = True
        try:
            if 59 in m and 10 in m:
                g = q.gen.child()
                g.defaults = m.m(59)
                q.gen = g
            if 12 in m:
                if 10 not in m:
                    self.stats['interned_without_sequence'] += 1
                elif q.lost:
                    self.stats['interned_skipped'] += 1
                else:
                    for f, vals in m.m(12).items():
                        t = q.gen.tab.setdefault(f, {})
                        for v in vals:
                            if isinstance(v, bytes):
                                e = msg(v)
                                t.setdefault(e.u(1), e)
        except Damage:
            self.stats['bad_interned'] += 1
        try:
            if 6 in m:
                return self.clock_snapshot(m.m(6), sid)
            if 35 in m:
                self.trace_stats(m.m(35))
            if 69 in m:
                return self.service_event(m)
            if 36 in m:
                self.sync += 1
            if 89 in m:
                u = m.m(89)
                k = (u.u(1), u.u(2))
                if 'uuid' in self.meta and self.meta['uuid'] != k:
                    self.concat += 1
                    if not self.tp:
                        self.seqs = {}
                        q = self.seq(m)
                self.meta['uuid'] = k
            if m.u(13) & 2:
                if q.lost or not sid:
                    self.stats['skipped_needs_state'] += 1
                    self.lossy[sid] += 1
                    for n in kinds:
                        self.stats['skipped_needs_state.' + PACKET_NAMES.get(n, str(n))] += 1
                    return
            if 45 in m:
                self.system_info(m.m(45))
            self.packet_time(m, q.gen, sid)
        except Damage:
            self.stats['bad_packets'] += 1

    def packet_time(self, m, gen, sid, last=False):
        if 8 in m:
            ts = m.i(8)
            clk = m.u32(58) or (gen.defaults.u32(58) if gen.defaults else 0)
            if 5 in m and clk in (0, 3):
                t = self.clocks.to_trace(3, ts)
                ts = ts if t is None else t
            elif clk or self.clocks.trace is not None:
                if not clk:
                    clk = self.clocks.trace
                key = (sid, clk) if 64 <= clk < 128 else clk
                t = self.clocks.to_trace(key, ts)
                if t is None:
                    if not last:
                        self.deferred.append((m, gen, sid))
                        return
                    if self.tp or self.clocks.n or isinstance(key, tuple):
                        self.stats['clock_sync_failure'] += 1
                        return
                    self.stats['clock_assumed'] += 1
                    t = ts
                ts = t
        else:
            ts = self.max_ts
        self.max_ts = max(self.max_ts, ts)
        try:
            self.tokenize(m, gen, sid, ts)
        except Damage:
            self.stats['bad_packets'] += 1

    def push(self, ts, *what):
        self.events.append((ts, self.order, what))
        self.order += 1
        if ts > self.max_ts:
            self.max_ts = ts

    def clock_snapshot(self, c, sid):
        cl = []
        for k in c.ms(1):
            i = k.u32(1)
            if 64 <= i < 128:
                if not sid:
                    self.stats['clock_snapshot_without_sequence'] += 1
                    return
                i = (sid, i)
            cl.append((i, k.i(2), k.i(4) or 1, bool(k.u(3))))
        prim = c.u(2)
        ids = [x[0] for x in cl]
        if prim:
            self.clocks.trace = prim
        elif 6 in ids and 11 not in ids:
            self.clocks.trace = 6
        self.clocks.add(cl)
        self.stats['clock_snapshots'] += 1

    def service_event(self, m):
        e = m.m(69)
        ts = m.i(8)
        t = self.clocks.to_trace(m.u32(58) or 6, ts)
        ts = ts if t is None else t
        for n, k in ((2, 'tracing_started'), (1, 'all_data_sources_started'), (5, 'tracing_disabled'),
                     (3, 'all_data_sources_flushed')):
            if e.u(n):
                self.meta[k] = ts

    def trace_stats(self, s):
        for k, b in enumerate(s.ms(1)):
            for n, nm in ((1, 'bytes_written'), (3, 'chunks_overwritten'), (13, 'bytes_overwritten'),
                          (18, 'chunks_discarded'), (6, 'patches_failed'), (9, 'abi_violations'),
                          (19, 'trace_writer_packet_loss'), (12, 'buffer_size')):
                if n in b:
                    self.meta['buf%d.%s' % (k, nm)] = b.u(n)
        for n, nm in ((8, 'chunks_discarded'), (9, 'patches_discarded'), (10, 'invalid_packets'), (14, 'flushes_failed')):
            if s.u(n):
                self.meta['trace_stats.' + nm] = s.u(n)

    def system_info(self, s):
        u = s.m(1)
        if u:
            rel = u.s(3)
            self.meta['kernel'] = rel
            self.arch = u.s(4)
            d = rel.split('.')
            try:
                self.kernel = (int(d[0]), int(''.join(x for x in d[1] if x.isdigit())[:3] or 0))
            except (ValueError, IndexError):
                pass

    # -------- second level: what a packet holds
    def tokenize(self, m, gen, sid, ts):
        for table in m.m(82).ms(4) if 82 in m else ():
            self.translated.update((e.s(1), e.s(2)) for e in table.ms(1))
        if 60 in m:
            self.track_descriptor(m, gen, ts)
            self.push(ts, 'desc', m, gen)
        if 44 in m:
            self.thread_descriptor(m, gen, ts)
        if 11 in m:
            self.tok_track_event(m, gen, sid, ts)
        if 1 in m:
            self.ftrace_bundle(m.m(1), gen, sid)
        if 90 in m:
            self.meta['range_start'] = m.m(90).i(1) * 1000
        if 70 in m:
            self.push(ts, 'display', m, gen)
        if 54 in m:
            self.tok_streaming(m.m(54), gen)
        if 34 in m:
            self.ftrace_stats(m.m(34))
        for n, k in ((2, 'ptree'), (43, 'pdesc'), (9, 'pstats'), (7, 'sysstats'), (38, 'battery'), (37, 'profile'), (66, 'perf'),
                     (76, 'ftl'), (86, 'prop'), (61, 'symbols'), (64, 'renames'), (135, 'stack_sample'),
                     (52, 'gpuctr'), (117, 'gk_task'), (118, 'gk_freq'), (120, 'gk_rename'), (122, 'gk_tree'), (5, 'chrome')):
            if n in m:
                self.push(ts, k, m, gen)
        if 39 in m:
            for e in m.m(39).ms(1):
                t = self.clocks.to_trace(1, e.i(5))
                self.push(e.i(5) if t is None else t, 'log', e)
        if 40 in m:
            r = m.m(40)
            for d in r.ms(1):
                nm = d.s(2)
                self.rails.setdefault((r.u(3), d.u32(1)), nm)
            for d in r.ms(2):
                t = ts
                if 2 in d:
                    t = self.clocks.to_trace(6, d.u(2) * 1000000)
                    if t is None:
                        self.stats['clock_sync_failure'] += 1
                        continue
                self.push(t, 'rail', r.u(3), d)
        if 47 in m:
            for p in m.m(47).ms(1):
                self.packages.append((p.s(1), p.u(2), p.u(3), p.u(4), p.i(5)))
        for n in m:
            if n not in PACKET_META and n not in READ_PACKETS:
                self.unread[n] += 1

    # ---- track descriptors
    def track_descriptor(self, m, gen, ts):
        d = m.m(60)
        if 1 not in d:
            self.stats['track_descriptor_without_uuid'] += 1
            return
        uuid = d.u(1)
        r = dict(parent=d.u(5), name=None, pid=None, tid=None, counter=None, state=False, sep=bool(d.u(9)),
                 merge=('name', None), ts=ts, synth=False)
        mb = d.u(15)
        if mb == 2:
            r['merge'] = ('none', None)
        elif mb == 3:
            r['merge'] = ('key', d.s(16) if 16 in d else 'sibling_merge_key_int:%d' % d.u(17))
        for n in (2, 10, 13):
            if n in d:
                r['name'] = d.s(n)
                break
        if 79 in m:
            self.trusted[uuid] = m.i32(79)
        if 4 in d:
            t = d.m(4)
            if 1 not in t or 2 not in t:
                self.stats['thread_descriptor_without_ids'] += 1
                return
            r['pid'], r['tid'] = t.i32(1), t.i(2)
            if 7 in d and d.m(7).u(3):
                r['synth'] = True
            self.reserve(uuid, r)
            if gen.valid:
                gen.thread = (r['pid'], r['tid'])
                gen.te = [t.i(6) * 1000, t.i(7) * 1000, t.i(8)]
            return
        if 3 in d:
            p = d.m(3)
            if 1 not in p:
                self.stats['process_descriptor_without_pid'] += 1
                return
            r['pid'] = p.i32(1)
            self.reserve(uuid, r)
            return
        if 8 in d:
            c = d.m(8)
            if r['name'] is None:
                r['name'] = {1: 'thread_time', 2: 'thread_instruction_count'}.get(c.u(1))
            unit = {1: 'ns', 2: 'count', 3: 'bytes'}.get(c.u(3)) or c.s(6) or None
            if c.u(1):
                unit = {1: 'ns', 2: 'count'}.get(c.u(1), unit)
            r['counter'] = dict(mult=c.i(4), inc=bool(c.u(5)), unit=unit, builtin=c.u(1))
        if 18 in d:
            r['state'] = True
        self.reserve(uuid, r)

    def reserve(self, uuid, r):
        if uuid == 0 and r['parent']:
            return
        o = self.desc.get(uuid)
        if o is None:
            self.desc[uuid] = r
            return
        if (o['parent'], o['pid'], o['tid'], o['counter'] is None) != (r['parent'], r['pid'], r['tid'], r['counter'] is None):
            self.stats['track_descriptor_conflict'] += 1
            return
        if r['name'] is not None:
            none = r['merge'][0] == 'none'
            if o['name'] is None or none:
                o['name'] = r['name']
                if none and o.get('track') is not None:
                    self.tracks[o['track']]['name'] = r['name']
        o['ts'] = min(o['ts'], r['ts'])

    def thread_descriptor(self, m, gen, ts):
        if 10 not in m:
            return
        if not gen.valid:
            self.stats['thread_descriptor_skipped'] += 1
            return
        t = m.m(44)
        gen.thread = (t.i32(1), t.i(2))
        gen.te = [t.i(6) * 1000, t.i(7) * 1000, t.i(8)]
        self.push(ts, 'tdesc', m, gen)

    def tok_track_event(self, m, gen, sid, ts):
        if 10 not in m:
            self.stats['track_event_without_sequence'] += 1
            return
        e = m.m(11)
        conv = False
        if 1 in e:
            if gen.te is None:
                self.stats['delta_time_without_state'] += 1
                return
            gen.te[0] += e.i(1) * 1000
            ts, conv = gen.te[0], True
        elif e.i(16):
            ts, conv = e.i(16) * 1000, True
        elif 8 not in m:
            self.stats['track_event_without_time'] += 1
            return
        if ts < 0:
            self.stats['track_event_bad_time'] += 1
            return
        if conv:
            t = self.clocks.to_trace(3, ts)
            ts = ts if t is None else t
        tt = ti = None
        if 2 in e:
            if gen.te is None:
                self.stats['delta_time_without_state'] += 1
                return
            gen.te[1] += e.i(2) * 1000
            tt = gen.te[1]
        elif 17 in e:
            tt = e.i(17) * 1000
        if 8 in e:
            if gen.te is None:
                return
            gen.te[2] += e.i(8)
            ti = gen.te[2]
        elif 20 in e:
            ti = e.i(20)
        dfl = gen.defaults.m(11) if gen.defaults else None
        uuid = e.u(11) if 11 in e else dfl.u(11) if dfl and 11 in dfl else 0
        val = None
        if e.u(9) == 4:
            if 11 not in e and not (dfl and 11 in dfl):
                self.stats['counter_without_track'] += 1
                return
            if 30 not in e and 44 not in e:
                self.stats['counter_without_value'] += 1
                return
            val = self.abs_counter(gen, uuid, float(e.i(30)) if 30 in e else e.dbl(44))
            if val is None:
                self.stats['counter_bad_track'] += 1
                return
        extra = []
        for vals, uf in ((e.is_(12), 31), ([struct.unpack('<d', struct.pack('<Q', x))[0] for x in e.f64s(46)], 45)):
            if not vals:
                continue
            us = e.us(uf) or (dfl.us(uf) if dfl else [])
            for k, v in enumerate(vals):
                if k >= len(us):
                    self.stats['extra_counter_bad'] += 1
                    return
                a = self.abs_counter(gen, us[k], float(v))
                if a is None:
                    self.stats['extra_counter_bad'] += 1
                    return
                extra.append((us[k], a))
        self.push(ts, 'te', e, gen, sid, uuid, 11 in e, val, extra, tt, ti)

    def abs_counter(self, gen, uuid, v):
        r = self.desc.get(uuid)
        if r is None or r['counter'] is None:
            return None
        if r['counter']['mult'] > 0:
            v *= r['counter']['mult']
        if r['counter']['inc']:
            gen.ctr[uuid] = gen.ctr.get(uuid, 0.0) + v
            v = gen.ctr[uuid]
        return v

    # ---- ftrace
    def ftrace_bundle(self, b, gen, sid):
        if 1 not in b:
            self.stats['ftrace_bundle_without_cpu'] += 1
            return
        cpu = b.u32(1)
        if cpu >= 1024:
            raise Damage("cpu")
        if b.u(3):
            self.meta['ftrace_lost.cpu%d' % cpu] = 1
        clk = 6
        fc = b.u(5)
        if 5 in b and fc:
            if fc == 4:
                clk = 5
            elif fc in (2, 3):
                clk = (sid, 64)
            else:
                self.stats['ftrace_unknown_clock'] += 1
                return
            if b.u(6) and b.u(7) and cpu == 0:
                self.clocks.add([(clk, b.i(6), 1, False), (6, b.i(7), 1, False)])
        for er in b.ms(8):
            self.stats['ftrace_errors'] += 1
        conv = lambda t: t if clk == 6 and self.clocks.trace in (None, 6) else self.clocks.to_trace(clk, t)
        if 4 in b:
            self.compact(b.m(4), cpu, conv)
        for raw in b.get(2, ()):
            if not isinstance(raw, bytes):
                continue
            try:
                e = msg(raw)
            except Damage:
                self.stats['bad_ftrace_events'] += 1
                continue
            if 1 not in e:
                self.stats['bad_ftrace_events'] += 1
                continue
            t = conv(e.i(1))
            if t is None:
                self.stats['clock_sync_failure'] += 1
                continue
            k = next((n for n, v in e.items() if isinstance(v[0], bytes)), None)
            if k is None:
                self.stats['ftrace_without_kind'] += 1
                continue
            self.ftrace_kinds[k] += 1
            self.push(t, 'ft', cpu, e.u32(2) if 2 in e else None, k, e, gen)
        if cpu not in self.first_bundle:
            self.first_bundle.add(cpu)
            t = b.i(10) if 10 in b else b.i(9) if 9 in b else None
            if t is not None:
                t = conv(t)
                if t is not None and (self.ftrace_start is None or t > self.ftrace_start):
                    self.ftrace_start = t

    def compact(self, c, cpu, conv):
        tab = c.strs(5)
        acc = 0
        cols = [c.us(1), c.is_(2), c.is_(3), c.is_(4), c.us(6)]
        if len(set(map(len, cols))) > 1:
            self.stats['compact_sched_errors'] += 1
        for t, st, pid, prio, ci in zip(*cols):
            acc += t
            if ci >= len(tab):
                self.stats['compact_sched_errors'] += 1
                break
            tt = conv(acc)
            if tt is None:
                return
            self.ftrace_kinds['compact_switch'] += 1
            self.push(tt, 'csw', cpu, st, pid & 0xffffffff, prio, tab[ci])
        acc = 0
        cols = [c.us(7), c.is_(8), c.is_(9), c.is_(10), c.us(11)]
        fl = c.us(12) or [0] * len(cols[0])
        if len(set(map(len, cols))) > 1:
            self.stats['compact_sched_errors'] += 1
        for t, pid, tcpu, prio, ci, f in zip(*cols, fl):
            acc += t
            if ci >= len(tab):
                self.stats['compact_sched_errors'] += 1
                break
            tt = conv(acc)
            if tt is None:
                return
            self.ftrace_kinds['compact_waking'] += 1
            self.push(tt, 'cwk', cpu, pid & 0xffffffff, tcpu, prio, tab[ci], f)

    def ftrace_stats(self, s):
        ph = {1: 'begin', 2: 'end'}.get(s.u(1), 'none')
        for c in s.ms(2):
            for n, nm in ((2, 'entries'), (3, 'overrun'), (4, 'commit_overrun'), (8, 'dropped_events'), (9, 'read_events')):
                self.meta['ftrace.%s.cpu%d.%s' % (nm, c.u(1), ph)] = c.u(n)
        for n in s.strs(6):
            self.meta['ftrace.unknown_event.' + n] = 1
        for n in s.strs(7):
            self.meta['ftrace.failed_event.' + n] = 1
        if 5 in s:
            self.meta['ftrace.atrace_errors'] = s.s(5)
        if s.u(8):
            self.meta['ftrace.preserve_buffer'] = 1

    def tok_streaming(self, s, gen):
        if gen.te is None:
            gen.te = [0, 0, 0]
        start = gen.te[0]
        t = self.clocks.to_trace(3, start)
        off = 0 if t is None else t - start
        ts = start + off
        iids, deltas = s.us(1), s.is_(2)
        for k, i in enumerate(iids):
            if k >= len(deltas):
                self.stats['streaming_profile_short'] += 1
                break
            gen.te[0] += deltas[k] * 1000
            ts += deltas[k] * 1000
            self.push(ts, 'stream', gen, i)
        for d in deltas[len(iids):]:
            gen.te[0] += d * 1000

    # ----------------------------------------------------- time order
    def run(self):
        self.events.sort(key=lambda e: e[0])
        drop = self.meta.get('tracing_started', 0) if not self.meta.get('ftrace.preserve_buffer') else 0
        soft = max(self.ftrace_start or 0, drop)
        for ts, _, w in self.events:
            try:
                k = w[0]
                if k in ('ft', 'csw', 'cwk'):
                    if ts < drop:
                        self.stats['ftrace_before_start'] += 1
                        continue
                    if ts < soft:
                        if k == 'csw':
                            self.csw(ts, *w[1:], raw=True)
                        self.stats['ftrace_before_all_cpus'] += 1
                        continue
                if k == 'te' and ts < self.meta.get('range_start', 0):
                    self.stats['before_range_of_interest'] += 1
                    continue
                getattr(self, 'ev_' + k)(ts, *w[1:])
            except Damage:
                self.stats['bad_events'] += 1
        self.events = []
        self.finish()

    # ---- processes and threads
    def new_thread(self, ts, tid):
        self.threads.append(dict(tid=tid, name=None, start=ts, end=None, upid=None, main=False, prio=0))
        u = len(self.threads) - 1
        self.tids.setdefault(tid, []).append(u)
        self.live[tid] = u
        return u

    def alive(self, u):
        t = self.threads[u]
        if t['end'] is not None:
            return False
        if t['upid'] is None:
            return True
        p = self.procs[t['upid']]
        if p['end'] is not None:
            return False
        return self.pids.get(p['pid'], t['upid']) == t['upid']

    def refresh(self, tid):
        for u in reversed(self.tids.get(tid, [])):
            if self.alive(u):
                self.live[tid] = u
                return
        self.live.pop(tid, None)

    def find_thread(self, tid, pid=None):
        if pid is None:
            return self.live.get(tid)
        for u in reversed(self.tids.get(tid, [])):
            if not self.alive(u):
                continue
            up = self.threads[u]['upid']
            if up is None or self.procs[up]['pid'] == pid:
                return u
        return None

    def thread(self, tid):
        u = self.live.get(tid)
        return self.new_thread(None, tid) if u is None else u

    def proc(self, pid, main=True):
        u = self.pids.get(pid)
        if u is not None:
            return u
        self.procs.append(dict(pid=pid, name=None, start=None, end=None, parent=None, uid=None, cmdline=None, prio=0))
        u = len(self.procs) - 1
        self.pids[pid] = u
        if main:
            self.upd_thread(pid, pid)
        return u

    def upd_thread(self, tid, pid):
        up = self.proc(pid)
        u = self.find_thread(tid, pid)
        if u is None:
            u = self.new_thread(None, tid)
        else:
            self.live[tid] = u
            v = self.tids.get(tid, [])
            if v and v[-1] != u:
                v.remove(u)
                v.append(u)
        if self.threads[u]['upid'] is None:
            self.assoc(u, up, tid == pid)
        self.resolve_pending(u, self.threads[u]['upid'])
        return u

    def assoc(self, u, up, main):
        self.threads[u]['upid'] = up
        self.threads[u]['main'] = main
        if main and self.threads[u]['start'] is None:
            pass

    def resolve_pending(self, u, up):
        work = [u]
        while work:
            x = work.pop()
            for k in [k for k in self.pend_parent if k[0] == x]:
                self.procs[k[1]]['parent'] = up
                self.pend_parent.remove(k)
            for k in [k for k in self.pend_assoc if x in k]:
                o = k[1] if k[0] == x else k[0]
                self.pend_assoc.remove(k)
                if self.threads[o]['upid'] is None:
                    self.assoc(o, up, self.threads[o]['tid'] == self.procs[up]['pid'])
                work.append(o)

    def assoc_threads(self, a, b):
        ua, ub = self.threads[a]['upid'], self.threads[b]['upid']
        if ua is not None and ub is None:
            self.assoc(b, ua, self.threads[b]['tid'] == self.procs[ua]['pid'])
            self.resolve_pending(b, ua)
        elif ub is not None and ua is None:
            self.assoc(a, ub, self.threads[a]['tid'] == self.procs[ub]['pid'])
            self.resolve_pending(a, ub)
        elif ua is not None and ua != ub:
            self.stats['process_association_errors'] += 1
        elif ua is None:
            self.pend_assoc.append((a, b))

    def new_proc(self, ts, pid, name):
        old = self.pids.pop(pid, None)
        self.tids.pop(pid, None)
        self.live.pop(pid, None)
        u = self.new_thread(ts, pid)
        self.tname(u, name, 1)
        up = self.proc(pid)
        self.procs[up]['start'] = ts
        self.pname(up, name, 4)
        if old is not None:
            for t in self.threads:
                if t['upid'] == old:
                    self.refresh(t['tid'])
        return up

    def end_thread(self, ts, tid):
        u = self.live.get(tid)
        if u is None:
            return
        t = self.threads[u]
        t['end'] = ts
        v = self.tids.get(tid, [])
        if u in v:
            v.remove(u)
        self.refresh(tid)
        if t['upid'] is None:
            return
        p = self.procs[t['upid']]
        if p['pid'] != tid:
            return
        p['end'] = ts
        self.pids.pop(tid, None)
        for x in self.threads:
            if x['upid'] == t['upid']:
                self.refresh(x['tid'])

    def tname(self, u, name, prio):
        t = self.threads[u]
        if name and prio >= t['prio']:
            t['name'], t['prio'] = name, prio
        elif name == '' and prio >= t['prio']:
            t['name'], t['prio'] = name, prio

    def pname(self, up, name, prio):
        p = self.procs[up]
        if name is not None and prio >= p['prio']:
            p['name'], p['prio'] = name, prio

    # ---- tracks and slices
    def track(self, key, **kw):
        t = self.track_key.get(key)
        if t is None:
            t = len(self.tracks)
            self.track_key[key] = t
            self.tracks.append(dict(id=t, kind=key[0], name=kw.get('name'), utid=kw.get('utid'), upid=kw.get('upid'),
                                    cpu=kw.get('cpu'), parent=kw.get('parent'), unit=kw.get('unit'),
                                    counter=kw.get('counter', False)))
        return t

    def thread_track(self, u):
        return self.track(('thread', u), utid=u)

    def close_stack(self, st, ts, dur):
        """-> the duration that fits; None: the slice [ts, ts+dur) straddles the end of an open one."""
        inc = False
        i = len(st) - 1
        while i >= 0:
            s = st[i]
            if s.dur == -1:
                inc = True
                i -= 1
                continue
            end = s.ts + s.dur
            if inc:
                if ts > end:
                    self.stats['misplaced_end'] += 1
                    for c in st[i + 1:]:
                        c.dur = end - c.ts
                    del st[i:]
                    inc = False
                i -= 1
                continue
            if end < ts or (end == ts and not (s.dur == 0 and dur == 0)):
                st.pop()
                i -= 1
                continue
            if dur != -1 and ts < end and ts + dur > end:
                if self.tp:
                    self.stats['slice_dropped_overlap'] += 1
                    return None
                return self.cross(st, ts, dur)
            i -= 1
        return dur

    def cross(self, st, ts, dur):
        """-> the duration that fits, where the least time is lost: the slice ends with an open one, and the ones inside that end at ts."""
        least = None
        for kept in range(len(st), -1, -1):
            around = [s.ts + s.dur for s in st[:kept] if s.dur != -1]
            fits = min([dur] + [end - ts for end in around])
            cost = sum(s.ts + s.dur - ts for s in st[kept:]) + dur - fits
            if least is None or cost < least[0]:
                least = cost, kept, fits
            if kept and st[kept - 1].dur == -1:
                break
        for s in st[least[1]:]:
            s.dur = ts - s.ts
        self.stats['slice_cut_overlap'] += len(st) - least[1] + (least[2] < dur)
        del st[least[1]:]
        return least[2]

    def sl_begin(self, ts, tr, cat, name, dur=-1, unnest=False):
        st = self.stacks.setdefault(tr, [])
        if tr in self.unnest and st:
            return None
        dur = self.close_stack(st, ts, dur)
        if dur is None:
            return None
        if len(st) >= 512:
            self.stats['slice_too_deep'] += 1
            return None
        s = Slice(len(self.slices), ts, dur, tr, cat, name, len(st), st[-1].id if st else None)
        self.slices.append(s)
        st.append(s)
        for f in self.flow_pending.pop(tr, ()):
            if f in self.flow_map:
                self.flows.append((self.flow_map[f], s.id, f))
        return s

    def sl_end(self, ts, tr, cat=None, name=None):
        st = self.stacks.get(tr)
        if st is None:
            self.stats['end_without_begin'] += 1
            return None
        self.close_stack(st, ts, -1)
        for i in range(len(st) - 1, -1, -1):
            s = st[i]
            if s.dur != -1:
                continue
            if cat is not None and s.cat != cat:
                continue
            if name is not None and s.name is not None and s.name != name:
                continue
            s.dur = ts - s.ts
            if i == len(st) - 1:
                st.pop()
            return s
        self.stats['end_without_begin'] += 1
        return None

    def sl_scoped(self, ts, tr, cat, name, dur):
        if dur < 0:
            self.stats['slice_negative_duration'] += 1
            return None
        return self.sl_begin(ts, tr, cat, name, dur)

    # lanes of a merged track (the async case): (key) -> [dict(cookie, nest, end, track)]
    def lane_begin(self, key, cookie, mk, nestable=True):
        ls = self.compress.setdefault(key, [])
        k = self.lane_find(ls, cookie)
        if nestable:
            ls[k]['nest'] += 1
        else:
            ls[k]['nest'] = 1
        return self.lane_track(ls, k, key, mk)

    def lane_end(self, key, cookie, mk):
        ls = self.compress.setdefault(key, [])
        k = self.lane_find(ls, cookie)
        if ls[k]['nest'] > 0:
            ls[k]['nest'] -= 1
        return self.lane_track(ls, k, key, mk)

    def lane_scoped(self, key, ts, dur, mk):
        ls = self.compress.setdefault(key, [])
        for k, l in enumerate(ls):
            if l['cookie'] is None and l['end'] <= ts:
                l['end'] = ts + dur
                return self.lane_track(ls, k, key, mk)
        ls.append(dict(cookie=None, nest=0, end=ts + dur, track=None))
        return self.lane_track(ls, len(ls) - 1, key, mk)

    def lane_find(self, ls, cookie):
        for k, l in enumerate(ls):
            if l['cookie'] is not None and l['cookie'] == cookie:
                return k
        for k, l in enumerate(ls):
            if l['cookie'] is not None and l['nest'] == 0:
                l['cookie'] = cookie
                return k
        ls.append(dict(cookie=cookie, nest=0, end=0, track=None))
        return len(ls) - 1

    def lane_track(self, ls, k, key, mk):
        if ls[k]['track'] is None:
            ls[k]['track'] = self.track(key + (k,), **mk)
        return ls[k]['track']

    def counter(self, ts, tr, v):
        self.tracks[tr]['counter'] = True
        self.counters.append((ts, tr, float(v)))
        return len(self.counters) - 1

    def proc_counter(self, ts, kind, name, u, v):
        self.proc_counters.append((len(self.counters), kind, name, u))
        self.counters.append((ts, NOTRACK, float(v)))

    # ---- descriptors in time order
    def ev_desc(self, ts, m, gen):
        d = m.m(60)
        if 1 not in d:
            return
        if self.resolve(d.u(1)) is None:
            self.stats['track_unresolved'] += 1
            return
        if 4 in d:
            t = d.m(4)
            if 1 not in t or 2 not in t:
                return
            tid = t.i(2)
            if 7 in d and d.m(7).u(3):
                tid = synth(tid, t.i32(1))
            u = self.upd_thread(tid, t.i32(1))
            if t.s(5):
                self.tname(u, t.s(5), 4)
            elif t.u(4):
                self.tname(u, CHROME_THREADS.get(t.u(4)), 4)
            if 7 in d and d.m(7).u(1) and not t.s(5):
                self.tname(u, CHROME_THREADS.get(d.m(7).u(1)), 3)
        elif 3 in d:
            p = d.m(3)
            if 1 not in p:
                return
            up = self.proc(p.i32(1) & 0xffffffff)
            if p.s(6):
                self.pname(up, p.s(6), 2)
            if p.i(7) > 0 and self.procs[up]['start'] is None:
                self.procs[up]['start'] = p.i(7)
            if 4 in p:
                n = CHROME_PROCS.get(p.u(4))
                self.pname(up, n, 3 if p.u(4) == 2 else 1)
            if 6 in d:
                n = CHROME_PROCS2.get(d.m(6).u(1))
                self.pname(up, n, 3 if d.m(6).u(1) in (2, 37) else 1)

    def ev_pdesc(self, ts, m, gen):
        if m.m(43).i32(1):
            up = self.proc(m.m(43).i32(1))
            if m.m(43).s(6):
                self.pname(up, m.m(43).s(6), 2)

    def ev_tdesc(self, ts, m, gen):
        t = m.m(44)
        u = self.upd_thread(t.i(2), t.i32(1))
        if t.s(5):
            self.tname(u, t.s(5), 4)
        elif t.u(4):
            self.tname(u, CHROME_THREADS.get(t.u(4)), 4)

    def resolve(self, uuid, depth=0):
        """-> (scope, id, is_root) with scope thread/process/global, or None."""
        if uuid in self.resolved:
            return self.resolved[uuid]
        r = self.desc.get(uuid)
        if r is None:
            r = self.desc[uuid] = dict(parent=0, name='Default Track' if uuid == 0 else None, pid=None, tid=None,
                                       counter=None, state=False, sep=False, merge=('name', None), ts=0, synth=False)
        seen, x = set(), uuid
        while x:
            if x in seen or len(seen) > 100:
                self.stats['track_hierarchy_error'] += 1
                self.resolved[uuid] = None
                return None
            seen.add(x)
            y = self.desc.get(x)
            x = y['parent'] if y else 0
        par = self.resolve(r['parent']) if r['parent'] else None
        res = ('global', None, False)
        tp = self.trusted.get(uuid)
        if tp and r['pid'] is not None:
            n = self.ns_resolve(tp, r['pid'])
            if n:
                r['pid'] = n
        if tp and r['tid'] is not None:
            n = self.ns_resolve(tp, r['tid'])
            if n:
                r['tid'] = n
                r['synth'] = False
        if r['tid'] is not None:
            tid = r['tid']
            if r['synth']:
                tid = synth(tid, r['pid'])
            u = self.upd_thread(tid, r['pid'])
            if u in self.uuid_by_utid and self.uuid_by_utid[u] != uuid:
                u = self.new_thread(None, tid)
                self.upd_thread(tid, r['pid'])
            self.uuid_by_utid[u] = uuid
            res = ('thread', u, True)
        elif r['pid'] is not None:
            up = self.proc(r['pid'] & 0xffffffff)
            if up in self.uuid_by_upid and self.uuid_by_upid[up] != uuid:
                up = self.new_proc(None, r['pid'] & 0xffffffff, None)
            self.uuid_by_upid[up] = uuid
            res = ('process', up, True)
        elif par and par[0] in ('thread', 'process'):
            res = (par[0], par[1], False)
        self.resolved[uuid] = res
        return res

    def ns_resolve(self, root, tid):
        ns = self.nsproc.get(root)
        if not ns:
            return None
        if ns[-1] == tid:
            return root
        lev = len(ns) - 1
        for rt, v in self.nsthread.get(root, {}).items():
            if len(v) > lev and v[lev] == tid:
                return rt
        return None

    def desc_track(self, uuid, name, how, ts=0):
        """Track row for an event; how = begin/end/instant/counter/state/legacy/parent."""
        res = self.resolve(uuid)
        if res is None:
            return None
        r = self.desc[uuid]
        scope, sid, root = res
        par = None
        if r['parent']:
            par = self.desc_track(r['parent'], None, 'parent')
        if root:
            if scope == 'thread':
                if r['counter']:
                    return self.track(('thread_counter', sid, uuid), utid=sid, name=r['name'], unit=r['counter']['unit'])
                if r['sep']:
                    return self.track(('thread_te', sid, uuid), utid=sid, name=r['name'])
                return self.thread_track(sid)
            if r['counter']:
                return self.track(('process_counter', sid, uuid), upid=sid, name=r['name'], unit=r['counter']['unit'])
            return self.track(('process_te', sid, uuid), upid=sid, name=r['name'])
        nm = r['name'] if r['name'] is not None else name
        kw = dict(name=nm)
        if scope == 'thread':
            kw['utid'] = sid
        elif scope == 'process':
            kw['upid'] = sid
        proot = bool(r['parent']) and self.resolve(r['parent']) and self.resolve(r['parent'])[2]
        if par is not None and not (proot and scope != 'global'):
            kw['parent'] = par
        if r['counter']:
            kw['unit'] = r['counter']['unit']
            kw['name'] = r['name']
            return self.track((scope + '_counter', sid, uuid), **kw)
        if r['merge'][0] == 'none' or r['state']:
            t = self.track((scope + '_te', sid, uuid), **kw)
            r['track'] = t
            return t
        if 'key' not in r:           # a nameless track takes the name of its first event, for good
            r['key'] = (scope + '_merged', sid, r['parent'], r['merge'][0], r['merge'][1] if r['merge'][0] == 'key' else nm)
            r['kw'] = kw
        key, kw = r['key'], r['kw']
        if how == 'begin':
            return self.lane_begin(key, uuid, kw)
        if how == 'end':
            return self.lane_end(key, uuid, kw)
        if how == 'parent':
            ls = self.compress.setdefault(key, [])
            return self.lane_track(ls, self.lane_find(ls, uuid), key, kw)
        self.lane_begin(key, uuid, kw)      # instant: begin + end at once
        return self.lane_end(key, uuid, kw)

    # ---- track events
    def ev_te(self, ts, e, gen, sid, uuid, has_uuid, val, extra, tt, ti):
        leg = e.m(6)
        ph = leg.u(2) if leg and 2 in leg else 0
        typ = e.u(9)
        if not typ and not ph:
            self.stats['track_event_without_type'] += 1
            return
        cats = []
        for i in e.us(3):
            t = gen.text(1, i)
            if t is None and len(e.us(3)) == 1 and 22 not in e:
                t = 'unknown(%d)' % i
            if t is not None:
                cats.append(t)
        cats += e.strs(22)
        cat = ','.join(cats) if cats else None
        nid = e.u(10) or (leg.u(1) if leg else 0)
        if nid:
            name = gen.text(2, nid)
            if name is None:
                self.stats['name_not_interned'] += 1
        else:
            name = e.s(23) if 23 in e else None
        name = self.translated.get(name) or name
        utid = upid = None
        fallback = False
        if uuid:
            r = self.resolve(uuid)
            if r is None:
                self.stats['track_unresolved'] += 1
                return
            if r[0] == 'thread':
                utid = r[1]
                upid = self.threads[utid]['upid']
            elif r[0] == 'process':
                upid = r[1]
        else:
            ok = gen.thread is not None
            fallback = (not has_uuid or 9 not in e) and ok
            if leg and 18 in leg:
                fallback = True
            if leg and 19 in leg and ok:
                fallback = True
            if fallback:
                pid, tid = gen.thread or (0, 0)
                if leg and 18 in leg:
                    pid = leg.u32(18)
                    tid = synth(0xffffffff, pid)
                if leg and 19 in leg:
                    tid = leg.u32(19)
                if not pid or not tid:
                    self.stats['track_event_tid_zero'] += 1
                    return
                utid = self.upd_thread(tid, pid)
                upid = self.threads[utid]['upid']
        if ph in b'iI' and ph:
            sc = leg.u(14)
            if sc == 1:
                utid = None
            elif sc == 2:
                if upid is None:
                    return
                utid = None
            elif utid is None:
                self.stats['instant_without_thread'] += 1
                return
        # counters that ride along
        if utid is not None:
            if tt is not None:
                self.counter(ts, self.track(('thread_time', utid), utid=utid, name='thread_time'), tt)
            if ti is not None:
                self.counter(ts, self.track(('thread_instr', utid), utid=utid, name='thread_instruction_count'), ti)
        for u2, v in extra:
            t = self.desc_track(u2, None, 'counter')
            if t is None:
                continue
            self.counter(ts, t, v)
            if self.tracks[t]['name'] == 'thread_time':
                tt = int(v)
            elif self.tracks[t]['name'] == 'thread_instruction_count':
                ti = int(v)
        if typ == 4:
            t = self.desc_track(uuid, name, 'counter')
            if t is not None:
                self.counter(ts, t, val)
            return
        if typ == 5:
            t = self.desc_track(uuid, name, 'state')
            if t is not None:
                self.tracks[t]['state'] = True
                self.state_event(ts, t, name, cat)
            return
        if not ph:
            ph = {1: 'B' if utid is not None else 'b', 2: 'E' if utid is not None else 'e',
                  3: 'i' if utid is not None else 'n'}.get(typ)
            if ph is None:
                self.stats['track_event_unknown_type'] += 1
                return
        else:
            ph = chr(ph) if 32 < ph < 127 else '?'
        how = {'B': 'begin', 'b': 'begin', 'S': 'begin', 'E': 'end', 'e': 'end', 'F': 'end'}.get(ph, 'instant')
        if ph in 'BEX' and utid is None:
            self.stats['track_event_without_thread'] += 1
            return

        def get_track():
            lp = leg.u(2) if leg and 2 in leg else 0
            if lp and lp in b'benSTpF':
                return self.legacy_async(chr(lp), leg, name, cat, upid)
            if lp and lp in b'iI':
                if leg.u(14) == 1:
                    return self.track(('global_instant',), name=None)
                if leg.u(14) == 2:
                    return self.track(('process_instant', upid), upid=upid)
            if not uuid and fallback:
                return self.thread_track(utid)
            return self.desc_track(uuid, name, how, ts)

        if ph == 'M':
            self.metadata_event(e, name, utid, upid)
            return
        if ph not in 'BEXiIRbenSTpFst' and ph != 'f':
            self.stats['legacy_phase.' + ph] += 1
            return
        tr = get_track()
        if tr is None:
            self.stats['track_unresolved'] += 1
            return
        s = None
        if ph in 'Bb' or ph == 'S':
            s = self.sl_begin(ts, tr, cat, name)
            if s:
                s.tts, s.tic = tt, ti
        elif ph in 'Ee' or ph == 'F':
            s = self.sl_end(ts, tr, cat, name)
            if s and tt is not None and s.tts is not None:
                s.tdur = tt - s.tts
        elif ph == 'X':
            d = leg.i(3) * 1000
            if d < 0:
                return
            s = self.sl_scoped(ts, tr, cat, name, d)
            if s and tt is not None:
                s.tts, s.tdur = tt, leg.i(4) * 1000
        elif ph in 'stf':
            if 6 not in leg:
                self.stats['flow_without_id'] += 1
                return
            fid = self.flow_v1.setdefault((leg.u(6), cat, name), ('v1', len(self.flow_v1)))
            top = self.stacks.get(tr)
            top = top[-1].id if top else None
            if ph == 'f' and not leg.u(12):
                self.flow_pending.setdefault(tr, []).append(fid)
            elif top is None:
                self.stats['flow_without_slice'] += 1
            elif ph == 's':
                if fid in self.flow_map:
                    self.stats['flow_duplicate'] += 1
                self.flow_map[fid] = top
            else:
                self.flow_link(fid, top, 'step' if ph == 't' else 'end')
            return
        else:
            s = self.sl_scoped(ts, tr, cat, name, 0)
            if s and utid is not None:
                s.tts = tt
        if s is None:
            return
        if 4 in e:
            self.annotations(s, e, gen)
        if 21 in e and utid is not None:     # a log line of Chrome rides on an instant
            l = e.m(21)
            body = gen.text(20, l.u(2)) or ''
            loc = gen.get(4, l.u(1)) if 1 in l else None
            tag = '%s:%d' % (loc.s(2), loc.u(4)) if loc else ''
            self.logs.append((ts, utid, l.u(3) or 4, tag, body))
        # flows
        if leg and 8 in leg:
            d = leg.u(13)
            if d == 2:
                self.flow_map[leg.u(8)] = s.id
            elif d in (3, 1):
                self.flow_link(leg.u(8), s.id, 'step' if d == 3 else 'end')
            else:
                self.stats['flow_without_direction'] += 1
        ids = e.f64s(47) if 47 in e else e.us(36)
        for f in ids:
            if f not in self.flow_map:
                self.flow_map[f] = s.id
            else:
                self.flow_link(f, s.id, 'step')
        for f in (e.f64s(48) if 48 in e else e.us(42)):
            if f in self.flow_map:
                self.flow_link(f, s.id, 'close')

    def flow_link(self, f, sid, how):
        """how: step (the flow continues from here), end (it does not), close (and the id is free again)."""
        o = self.flow_map.get(f)
        if o is None:
            self.stats['flow_without_start'] += 1
            return
        a, b = (sid, o) if self.slices[o].ts > self.slices[sid].ts else (o, sid)
        self.flows.append((a, b, f))
        if how == 'close':
            del self.flow_map[f]
        elif how == 'step':
            self.flow_map[f] = sid

    def legacy_async(self, ph, leg, name, cat, upid):
        proc = False
        if 6 in leg:
            i = leg.u(6)
        elif 11 in leg:
            i = leg.u(11)
        elif 10 in leg:
            if upid is None:
                return None
            i, proc = leg.u(10), True
        else:
            self.stats['async_without_id'] += 1
            return None
        scope = name if ph in 'STpF' else cat
        if 7 in leg:
            scope = (cat or '') + ':' + leg.s(7)
        root = self.async_root.setdefault((upid if proc else None, i), name)
        if proc:
            key = ('legacy_async_process', upid, scope, root)
            kw = dict(upid=upid, name=name)
        else:
            key = ('legacy_async_global', scope, root)
            kw = dict(name=name)
        if ph in 'bS':
            return self.lane_begin(key, i, kw)
        if ph in 'eF':
            return self.lane_end(key, i, kw)
        self.lane_begin(key, i, kw)
        return self.lane_end(key, i, kw)

    def state_event(self, ts, tr, name, cat):
        st = self.stacks.setdefault(tr, [])
        if st and st[-1].dur == -1:
            if st[-1].name == name:
                return
            st[-1].dur = ts - st[-1].ts
            st.pop()
        if name:
            s = self.sl_begin(ts, tr, cat, name)

    def metadata_event(self, e, name, utid, upid):
        da = e.ms(4)
        if not da:
            return
        v = da[0].s(6)
        if name == 'thread_name' and utid is not None and v:
            self.tname(utid, v, 3)
        elif name == 'process_name' and upid is not None and v:
            self.pname(upid, v, 2)

    def annotations(self, s, e, gen):
        for a in e.ms(4):
            nm = a.s(10) if 10 in a else gen.text(3, a.u(1)) or '?'
            for n, f in ((2, lambda: bool(a.u(2))), (3, lambda: a.u(3)), (4, lambda: a.i(4)), (5, lambda: a.dbl(5)),
                         (6, lambda: a.s(6)), (7, lambda: '0x%x' % a.u(7)), (9, lambda: a.s(9)),
                         (17, lambda: gen.text(29, a.u(17)))):
                if n in a:
                    s.args['debug.' + nm] = f()
                    break
            else:
                s.args['debug.' + nm] = '{...}'

    # ---- scheduler
    def ev_ft(self, ts, cpu, pid, k, e, gen):
        if pid is None:
            self.stats['ftrace_without_pid'] += 1
            return
        f = FT.get(k)
        if f is None:
            self.unread['ftrace.%d' % k] += 1
            return
        f(self, ts, cpu, pid, e.m(k), gen)

    def ft_switch(self, ts, cpu, pid, x, gen):
        nu = self.thread(x.u32(6))
        self.tname(nu, x.s(5), 1)
        pu = self.thread(x.u32(2))
        p = self.pending.setdefault(cpu, [None, None, None, None])
        st = task_state(x.i(4), self.kernel)
        if p[0] is not None:
            if x.u32(2) == p[2]:
                s = self.sched[p[0]]
                s[1] = ts - s[0]
                s[4] = st
            else:
                self.stats['switch_mismatch'] += 1
        self.tname(pu, x.s(1), 1)
        self.sched.append([ts, -1, cpu, nu, None, x.i32(7)])
        p[:] = [len(self.sched) - 1, nu, x.u32(6), x.i32(7)]
        self.state_switch(ts, cpu, pu, st, nu)

    def csw(self, ts, cpu, state, npid, prio, comm, raw=False):
        nu = self.thread(npid)
        self.tname(nu, comm, 1)
        p = self.pending.setdefault(cpu, [None, None, None, None])
        if p[1] is None:
            self.stats['compact_switch_first'] += 1
            p[1:] = [nu, npid, prio]
            return
        st = task_state(state, self.kernel)
        if p[0] is not None:
            s = self.sched[p[0]]
            s[1] = ts - s[0]
            s[4] = st
        pu = p[1]
        p[1:] = [nu, npid, prio]
        if raw:
            return
        self.sched.append([ts, -1, cpu, nu, None, prio])
        p[0] = len(self.sched) - 1
        self.state_switch(ts, cpu, pu, st, nu)

    def ev_csw(self, ts, *a):
        self.csw(ts, *a)

    def ev_cwk(self, ts, cpu, pid, tcpu, prio, comm, flags):
        p = self.pending.get(cpu)
        if not p or p[1] is None:
            self.stats['compact_waking_first'] += 1
            return
        self.waking(ts, self.thread(pid), p[1], flags)

    def add_state(self, ts, u, st, cpu=None, waker=None, flags=None):
        if u == 0:
            return
        row = dict(ts=ts, dur=-1, utid=u, state=st, cpu=cpu, waker=waker, io=None, blocked=None, irq=None, wid=None)
        if flags is not None:
            row['irq'] = 1 if flags & 0x18 else 0
        if waker is not None and waker in self.last_state and self.states[self.last_state[waker]]['state'] == 'Running':
            row['wid'] = self.last_state[waker]
        self.states.append(row)
        i = len(self.states) - 1
        if st == 'Running':
            self.last_blocked.pop(u, None)
        elif st not in ('R', 'Running'):
            self.last_blocked[u] = i
        self.last_state[u] = i

    def close_state(self, ts, u, loss=False):
        i = self.last_state.get(u)
        if i is not None and not loss:
            self.states[i]['dur'] = ts - self.states[i]['ts']

    def state_switch(self, ts, cpu, pu, st, nu):
        loss = pu in self.last_state and self.states[self.last_state[pu]]['state'] != 'Running'
        self.close_state(ts, pu, loss)
        self.add_state(ts, pu, st)
        self.close_state(ts, nu)
        self.add_state(ts, nu, 'Running', cpu)

    def waking(self, ts, u, waker, flags=None):
        if u not in self.last_state:
            self.add_state(ts, u, 'R', None, waker, flags)
            return
        if self.states[self.last_state[u]]['state'] in ('R', 'Running'):
            self.spurious.append((ts, u, waker))
            return
        self.close_state(ts, u)
        self.add_state(ts, u, 'R', None, waker, flags)

    def ft_waking(self, ts, cpu, pid, x, gen):
        u = self.thread(x.u32(2))
        self.tname(u, x.s(1), 1)
        self.waking(ts, u, self.thread(pid))

    def ft_blocked(self, ts, cpu, pid, x, gen):
        u = self.thread(x.u32(1))
        i = self.last_blocked.get(u)
        if u not in self.last_state or i is None:
            return
        self.states[i]['io'] = bool(x.u(3))
        fn = gen.text(26, x.u32(2))
        if fn is not None:
            self.states[i]['blocked'] = fn

    def ft_newtask(self, ts, cpu, pid, x, gen):
        tid = x.u32(1)
        if tid == 0:
            return
        if not x.u(3) & 0x10000:
            up = self.new_proc(ts, tid, x.s(2))
            su = self.thread(pid)
            nu = self.thread(tid)
            pu = self.threads[su]['upid']
            if pu is not None:
                self.procs[up]['parent'] = pu
            else:
                self.pend_parent.append((su, up))
            self.add_state(ts, nu, 'R', None, su, 0)
            return
        su = self.thread(pid)
        nu = self.new_thread(ts, tid)
        self.tname(nu, x.s(2), 1)
        self.assoc_threads(su, nu)
        self.add_state(ts, nu, 'R', None, su, 0)

    def ft_rename(self, ts, cpu, pid, x, gen):
        u = self.thread(x.u32(1))
        self.tname(u, x.s(3), 1)
        up = self.threads[u]['upid']
        if up is not None and self.procs[up]['pid'] == self.threads[u]['tid']:
            self.pname(up, x.s(3), 4)

    def ft_free(self, ts, cpu, pid, x, gen):
        self.end_thread(ts, x.u32(2))

    # ---- user marks
    def ft_print(self, ts, cpu, pid, x, gen):
        u = self.live.get(pid)
        if u in self.write_open:
            self.write_open.discard(u)
            self.sl_end(ts, self.thread_track(u), None, 'sys_write')
        self.mark_text(ts, pid, x.s(2))

    def mark_text(self, ts, pid, text):
        t = text.rstrip('\n\0')
        f = t.split('|')
        ph = f[0][:1]
        if not ph or (ph == 't' and t.startswith('trace_event_clock_sync:')):
            if not ph:
                self.stats['mark_errors'] += 1
            return
        tg = int(f[1]) if len(f) > 1 and f[1].isdigit() else None
        try:
            if ph == 'B':
                if tg is None:
                    raise ValueError
                nm = '|'.join(f[2:]) or '[empty slice name]'
                self.mark(ts, pid, 'B', tg, nm)
            elif ph == 'E':
                self.mark(ts, pid, 'E', tg or 0)
            elif ph in 'SF':
                if tg is None or not f[2] or not f[3]:
                    raise ValueError
                self.mark(ts, pid, ph, tg, f[2], int(f[3]))
            elif ph == 'I':
                if tg is None or not f[2]:
                    raise ValueError
                self.mark(ts, pid, 'I', tg, f[2])
            elif ph == 'N':
                if tg is None or not f[2] or not f[3]:
                    raise ValueError
                self.mark(ts, pid, 'N', tg, f[3], 0, f[2])
            elif ph == 'C':
                if tg is None or not f[2] or not f[3]:
                    raise ValueError
                self.mark(ts, pid, 'C', tg, f[2], int(f[3]))
            elif ph == 'G':
                if tg is None or not f[2] or not f[3]:
                    raise ValueError
                self.mark(ts, pid, 'G', tg, f[3], int(f[4]), f[2])
            elif ph == 'H':
                if tg is None or not f[2]:
                    raise ValueError
                self.mark(ts, pid, 'H', tg, None, int(f[4] if len(f) > 4 and f[4] else f[3]), f[2])
            else:
                raise ValueError
        except (ValueError, IndexError):
            self.stats['mark_errors'] += 1

    def mark(self, ts, pid, ph, tg, name=None, val=0, track=None):
        if ph in 'BI':
            u = self.thread(pid) if not tg else self.upd_thread(pid, tg)
            tr = self.thread_track(u)
            if ph == 'B':
                self.sl_begin(ts, tr, None, name)
            else:
                self.sl_scoped(ts, tr, None, name, 0)
        elif ph == 'E':
            if not tg:
                u = self.live.get(pid)
                if u is None:
                    self.stats['end_without_begin'] += 1
                    return
            else:
                u = self.upd_thread(pid, tg)
            self.sl_end(ts, self.thread_track(u))
        elif ph in 'SF':
            up = self.proc(tg)
            key = ('atrace_async', up, name)
            kw = dict(upid=up, name=name)
            if ph == 'S':
                tr = self.lane_begin(key, val, kw, nestable=False)
                self.unnest.add(tr)
                self.sl_begin(ts, tr, None, name)
            else:
                self.sl_end(ts, self.lane_end(key, val, kw))
        elif ph in 'GHN':
            if ph == 'N' and track == 'DeviceStateChanged':
                self.sl_scoped(ts, self.track(('device_state',), name='DeviceStateChanged'), None, name, 0)
                return
            up = self.proc(tg)
            key = ('atrace_async_track', up, track)
            kw = dict(upid=up, name=track)
            if ph == 'G':
                self.sl_begin(ts, self.lane_begin(key, val, kw), None, name)
            elif ph == 'H':
                self.sl_end(ts, self.lane_end(key, val, kw))
            else:
                self.sl_scoped(ts, self.lane_scoped(key, ts, 0, kw), None, name, 0)
        elif ph == 'C':
            if name == 'kill_one_process':
                if val:
                    up = self.proc(val & 0xffffffff)
                    self.sl_scoped(ts, self.track(('lmk', up), upid=up, name='LMK'), None, 'mem.lmk', 0)
            elif name == 'ScreenState':
                self.counter(ts, self.track(('screen_state',), name='ScreenState'), val)
                return
            up = self.proc(tg)
            self.counter(ts, self.track(('atrace_counter', up, name), upid=up, name=name), val)

    def ft_zero(self, ts, cpu, pid, x, gen):
        f = x.i32(1)
        ph = 'B' if f & 1 else 'E' if f & 2 else 'C' if f & 4 else None
        if ph is None:
            self.stats['mark_errors'] += 1
            return
        self.mark(ts, pid, ph, x.u32(3), x.s(2), x.i(4))

    def kmark(self, ts, pid, tt, begin, name, tg, val):
        if tt == 0:
            ph = 'B' if begin else 'E'
        elif chr(tt & 0x7f) in 'BECI':
            ph = chr(tt & 0x7f)
        else:
            self.stats['mark_errors'] += 1
            return
        self.mark(ts, pid, ph, tg, name, val)

    def ft_sde(self, ts, cpu, pid, x, gen):
        if 3 not in x and 5 not in x:
            self.stats['mark_errors'] += 1
            return
        self.kmark(ts, pid, x.u(3), x.u(5), x.s(2), x.u32(1), x.i32(4))

    def ft_mali_mark(self, ts, cpu, pid, x, gen):
        self.kmark(ts, pid, x.u(3), 0, x.s(1), x.u32(2), x.i32(4))

    def ft_lwis(self, ts, cpu, pid, x, gen):
        self.kmark(ts, pid, x.u(2), 0, x.s(4), x.u32(3), x.i(5))

    def ft_samsung(self, ts, cpu, pid, x, gen):
        self.kmark(ts, pid, x.u(4), x.u(3), x.s(2), x.u32(1), x.i32(5))

    def ft_dpu(self, ts, cpu, pid, x, gen):
        if not x.u(5):
            self.stats['mark_errors'] += 1
            return
        self.kmark(ts, pid, x.u(5), 0, x.s(4), x.u32(1) if x.u(5) == 67 else 0, x.i32(6))

    def ft_g2d(self, ts, cpu, pid, x, gen):
        if not x.u(5):
            self.stats['mark_errors'] += 1
            return
        self.kmark(ts, pid, x.u(5), 0, x.s(4), x.u32(1), x.i32(6))

    def ft_mdss(self, ts, cpu, pid, x, gen):
        self.mark(ts, pid, 'B' if x.u(3) else 'E', x.u32(1), x.s(2))

    def ft_kprobe(self, ts, cpu, pid, x, gen):
        tr = self.thread_track(self.thread(pid))
        t = x.u(2)
        if t == 1:
            self.sl_begin(ts, tr, None, x.s(1))
        elif t == 2:
            self.sl_end(ts, tr, None, x.s(1))
        elif t == 3:
            self.sl_scoped(ts, tr, None, x.s(1), 0)

    def ft_suspend(self, ts, cpu, pid, x, gen):
        a = x.s(1)
        nm = '%s(%d)' % (a, 0 if a == 'timekeeping_freeze' else x.i32(2))
        key, kw = ('suspend',), dict(name='Suspend/Resume Latency')
        st = getattr(self, 'susp', 0)
        if not x.u(3):
            self.sl_end(ts, self.lane_end(key, nm, kw))
            if a == 'suspend_enter':
                self.susp = 0
            elif a == 'thaw_processes' and st == 2:
                self.sl_end(ts, self.lane_end(key, self.susp_cookie, kw))
                self.susp = 0
            return
        if a == 'suspend_enter':
            self.susp, self.susp_cookie = 1, nm
        elif a == 'freeze_processes' and st == 1:
            self.susp = 2
        self.sl_begin(ts, self.lane_begin(key, nm, kw), None, nm)

    def ft_wakelock_in(self, ts, cpu, pid, x, gen):
        nm = 'Wakelock(%s)' % x.s(1)
        c = self.__dict__.setdefault('wl', {})
        c[nm] = c.get(nm, 0) + 1
        if c[nm] == 1:
            self.sl_begin(ts, self.track(('wakelock', nm), name=nm), None, nm)

    def ft_wakelock_out(self, ts, cpu, pid, x, gen):
        nm = 'Wakelock(%s)' % x.s(1)
        c = self.__dict__.setdefault('wl', {})
        n = c.get(nm, 0)
        c[nm] = max(n - 1, 0)
        if n == 1:
            self.sl_end(ts, self.track(('wakelock', nm), name=nm))

    def fg_name(self, x, n, gen):
        fn = x.u(n)
        return gen.text(26, fn & 0xffffffff) or '0x%x' % fn

    def fg_track(self, pid, cpu):
        if pid:
            return self.track(('funcgraph', self.thread(pid)), utid=self.thread(pid), name='Funcgraph')
        return self.track(('funcgraph_cpu', cpu), cpu=cpu, name='swapper%d -funcgraph' % cpu)

    def ft_fg_in(self, ts, cpu, pid, x, gen):
        self.sl_begin(ts, self.fg_track(pid, cpu), None, self.fg_name(x, 2, gen))

    def ft_fg_out(self, ts, cpu, pid, x, gen):
        self.sl_end(ts, self.fg_track(pid, cpu), None, self.fg_name(x, 3, gen))

    # ---- counters of the kernel
    def ft_cpufreq(self, ts, cpu, pid, x, gen):
        self.counter(ts, self.track(('cpufreq', x.u32(2)), cpu=x.u32(2), name='cpufreq'), x.u32(1))

    def ft_cpulimits(self, ts, cpu, pid, x, gen):
        c = x.u32(3)
        self.counter(ts, self.track(('cpu_max', c), cpu=c, name='Cpu %d Max Freq Limit' % c), x.u32(2))
        self.counter(ts, self.track(('cpu_min', c), cpu=c, name='Cpu %d Min Freq Limit' % c), x.u32(1))

    def ft_cpuidle(self, ts, cpu, pid, x, gen):
        self.counter(ts, self.track(('cpuidle', x.u32(2)), cpu=x.u32(2), name='cpuidle'), x.u32(1))

    def ft_gpufreq(self, ts, cpu, pid, x, gen):
        self.counter(ts, self.track(('gpufreq', x.u32(1)), name='gpufreq'), x.u32(2))

    def ft_clock(self, ts, cpu, pid, x, gen):
        self.counter(ts, self.track(('clock_frequency', x.s(1)), name=x.s(1) + ' Frequency'), x.u(2))

    def ft_rss(self, ts, cpu, pid, x, gen):
        self.rss(ts, pid, x.i32(1), x.i(2), x.u(3) if 3 in x else None, x.u(4) if 4 in x else None)

    def ft_rss_thr(self, ts, cpu, pid, x, gen):
        self.rss(ts, pid, x.i32(2), x.i(4), x.u(1), x.u(3))

    def rss(self, ts, pid, member, size, curr, mm):
        nm = {0: 'rss.file', 1: 'rss.anon', 2: 'swap', 3: 'rss.shmem', 4: 'unreclaimable'}.get(member, 'unknown')
        if size < 0:
            self.stats['rss_negative'] += 1
            return
        if mm is not None and curr is not None:
            if curr:
                u = self.mm[mm] = self.thread(pid)
            else:
                u = self.mm.get(mm)
                if u is not None and not self.alive(u):
                    del self.mm[mm]
                    u = None
        else:
            u = self.thread(pid)
        if u is None:
            self.stats['rss_unknown_owner'] += 1
            return
        self.proc_counter(ts, 'process_memory', 'mem.' + nm, u, size)

    def ft_oom(self, ts, cpu, pid, x, gen):
        v = x.u(2) & 0xffff
        v = v - 65536 if v > 32767 else v
        self.proc_counter(ts, 'oom_score_adj', 'oom_score_adj', self.thread(x.u32(3)), v)

    def ft_ion(self, ts, cpu, pid, x, gen):
        self.counter(ts, self.track(('ion', ''), name='mem.ion'), x.u(3))
        u = self.thread(pid)
        self.counter(ts, self.track(('ion_change', '', u), utid=u, name='mem.ion_change'), x.i(2))
        key = ('ion_alloc',)
        if x.i(2) > 0:
            self.sl_begin(ts, self.lane_begin(key, x.u32(1), dict(name='mem.ion_buffer')), None, '%d kB' % (x.i(2) // 1024))
        else:
            self.sl_end(ts, self.lane_end(key, x.u32(1), dict(name='mem.ion_buffer')))

    def ft_dma(self, ts, cpu, pid, x, gen):
        self.counter(ts, self.track(('dma_heap',), name='mem.dma_heap'), x.u(3))
        u = self.thread(pid)
        self.counter(ts, self.track(('dma_change', u), utid=u, name='mem.dma_heap_change'), x.i(2))
        key = ('dma_alloc',)
        if x.i(2) > 0:
            self.sl_begin(ts, self.lane_begin(key, x.u(1), dict(name='mem.dma_buffer')), None, '%d kB' % (x.i(2) // 1024))
        else:
            self.sl_end(ts, self.lane_end(key, x.u(1), dict(name='mem.dma_buffer')))

    def ft_gpumem(self, ts, cpu, pid, x, gen):
        p = x.u32(2)
        if p == 0:
            tr = self.track(('gpu_memory', x.u32(1)), name='GPU Memory')
        else:
            if self.live.get(p) is None:
                return
            u = self.upd_thread(p, p)
            up = self.threads[u]['upid']
            tr = self.track(('gpu_memory', x.u32(1), up), upid=up, name='GPU Memory')
        self.counter(ts, tr, x.u(3))

    def ft_irq_in(self, ts, cpu, pid, x, gen):
        self.sl_begin(ts, self.track(('irq', cpu), cpu=cpu, name='Irq Cpu %d' % cpu), 'irq', 'IRQ (%s)' % x.s(2))

    def ft_irq_out(self, ts, cpu, pid, x, gen):
        self.sl_end(ts, self.track(('irq', cpu), cpu=cpu, name='Irq Cpu %d' % cpu), 'irq')

    def ft_softirq_in(self, ts, cpu, pid, x, gen):
        v = x.u(1)
        if v < len(SOFTIRQ):
            self.sl_begin(ts, self.track(('softirq', cpu), cpu=cpu, name='SoftIrq Cpu %d' % cpu), 'irq', SOFTIRQ[v])

    def ft_softirq_out(self, ts, cpu, pid, x, gen):
        self.sl_end(ts, self.track(('softirq', cpu), cpu=cpu, name='SoftIrq Cpu %d' % cpu), 'irq')

    def ft_wq_in(self, ts, cpu, pid, x, gen):
        fn = x.u(2)
        nm = gen.text(26, fn & 0xffffffff) or '0x%x' % fn
        self.sl_begin(ts, self.thread_track(self.thread(pid)), 'workqueue', nm)

    def ft_wq_out(self, ts, cpu, pid, x, gen):
        self.sl_end(ts, self.thread_track(self.thread(pid)), 'workqueue')

    def ft_sysin(self, ts, cpu, pid, x, gen):
        nm = syscall_name(self.arch, x.i(1))
        if nm is None:
            self.stats['syscall_unknown'] += 1
            return
        u = self.thread(pid)
        self.sl_begin(ts, self.thread_track(u), None, nm)
        if nm == 'sys_write':
            self.write_open.add(u)

    def ft_sysout(self, ts, cpu, pid, x, gen):
        nm = syscall_name(self.arch, x.i(1))
        if nm is None:
            return
        u = self.thread(pid)
        if nm == 'sys_write':
            if u not in self.write_open:
                return
            self.write_open.discard(u)
        self.sl_end(ts, self.thread_track(u), None, nm)

    def ft_signal(self, ts, cpu, pid, x, gen):
        u = self.thread(x.u32(4))
        self.sl_scoped(ts, self.thread_track(u), None, 'signal_generate', 0)

    def ft_sigdel(self, ts, cpu, pid, x, gen):
        self.sl_scoped(ts, self.thread_track(self.thread(pid)), None, 'signal_deliver', 0)

    def ft_victim(self, ts, cpu, pid, x, gen):
        u = self.thread(x.u32(1))
        self.sl_scoped(ts, self.thread_track(u), None, 'mem.oom_kill', 0)

    def ft_binder(self, ts, cpu, pid, x, gen):
        tr = self.thread_track(self.thread(pid))
        rep, oneway = bool(x.i32(5)), bool(x.u(7) & 1)
        if rep:
            s = self.sl_end(ts, tr)
        elif oneway:
            s = self.sl_scoped(ts, tr, 'binder', 'binder transaction async', 0)
        else:
            s = self.sl_begin(ts, tr, 'binder', 'binder transaction')
        self.binder[x.i32(1)] = (rep, oneway, s)

    def ft_binder_rcv(self, ts, cpu, pid, x, gen):
        b = self.binder.pop(x.i32(1), None)
        if b is None:
            return
        rep, oneway, s = b
        tr = self.thread_track(self.thread(pid))
        if rep:
            self.sl_end(ts, tr)
            return
        r = self.sl_scoped(ts, tr, 'binder', 'binder async rcv', 0) if oneway else \
            self.sl_begin(ts, tr, 'binder', 'binder reply')
        if s and r:
            self.flows.append((s.id, r.id, None))

    def ft_generic(self, ts, cpu, pid, x, gen):
        self.unread['ftrace.generic.' + x.s(1)] += 1

    # ---- probes
    def ev_ptree(self, ts, m, gen):
        t = m.m(2)
        kth = set()
        for p in t.ms(1):
            if 3 not in p:
                continue
            cl = p.strs(3) or ['']
            a0 = cl[0]
            pid, ppid = p.u32(1), p.u32(2)
            if 6 in p:
                self.nsproc[pid] = [x & 0xffffffff for x in p.us(6)]
            joined = None
            if ppid == 2:
                kth.add(pid)
                w = kworker(a0)
                if w != a0:
                    a0 = joined = w
            if len(cl) == 1 and joined is None and ' ' in a0:
                a0 = a0.split(' ')[0]
            elif len(cl) == 1 and ' ' in a0:
                a0 = a0.split(' ')[0]
            pup = self.proc(ppid)
            up = self.proc(pid)
            P = self.procs[up]
            scans = self.__dict__.setdefault('scans', {})
            start, parent = scans.get(up, (0, 0))
            if start and p.u(7):
                later = start != p.u(7)
            else:
                later = parent and ppid and parent != ppid and (ppid != 1 or P['name'] != a0)
            if later:
                up = self.new_proc(None, pid, None)
                P = self.procs[up]
            scans[up] = (p.u(7), ppid)
            if P['parent'] is None:
                P['parent'] = pup
            self.pname(up, a0, 4)
            P['cmdline'] = joined if joined is not None else ' '.join(cl)
            if p.u(9):
                self.tname(self.thread(pid), P['cmdline'], 2)
            if 5 in p:
                P['uid'] = p.u32(5)
            if 7 in p and P['start'] is None:
                P['start'] = self.clocks.to_trace(6, p.i(7))
        for th in t.ms(2):
            tid, tg = th.u32(1), th.u32(3)
            self.upd_thread(tid, tg)
            if 2 in th:
                nm = th.s(2)
                if tid == tg and tid in kth:
                    nm = kworker(nm)
                self.tname(self.thread(tid), nm, 2)
            if 4 in th:
                self.nsthread.setdefault(tg, {})[tid] = [x & 0xffffffff for x in th.us(4)]

    PS = {2: 'virt', 3: 'rss', 4: 'rss.anon', 5: 'rss.file', 6: 'rss.shmem', 7: 'swap', 8: 'locked', 9: 'rss.watermark',
          24: 'dmabuf_rss'}
    SM = {16: 'rss', 17: 'pss', 18: 'pss.anon', 19: 'pss.file', 20: 'pss.smem', 23: 'swap.pss'}

    def ev_pstats(self, ts, m, gen):
        for p in m.m(9).ms(1):
            pid = p.u32(1)
            for n, v in p.items():
                if n in (1, 11, 12, 13, 14, 15):
                    if n == 11:
                        for t in p.ms(11):
                            self.upd_thread(t.u32(1), pid)
                    continue
                up = self.proc(pid)
                if n == 10:
                    self.counter(ts, self.track(('oom_score_adj', up), upid=up, name='oom_score_adj'), p.i(10))
                elif n in self.PS:
                    self.counter(ts, self.track(('process_memory', up, 'mem.' + self.PS[n]), upid=up, name='mem.' + self.PS[n]), p.i(n) * 1024)
                elif n in self.SM:
                    self.counter(ts, self.track(('smaps', up, self.SM[n]), upid=up, name='mem.smaps.' + self.SM[n]), p.i(n) * 1024)
                elif n in (21, 22):
                    k = 'runtime.user_ns' if n == 21 else 'runtime.kernel_ns'
                    self.counter(ts, self.track((k, up), upid=up, name=k), p.i(n))

    def ev_sysstats(self, ts, m, gen):
        s = m.m(7)
        for x in s.ms(1):
            n = MEMINFO.get(x.u(1))
            if n:
                self.counter(ts, self.track(('meminfo', n), name=n), x.u(2) * 1024)
        for x in s.ms(10):
            self.counter(ts, self.track(('clock_frequency', x.s(1)), name=x.s(1) + ' Frequency'), x.u(2))
        for c, v in enumerate(s.us(11)):
            self.counter(ts, self.track(('cpufreq', c), cpu=c, name='cpufreq'), v)
        for x in s.ms(2):
            n = vmstat_name(x.u(1))
            self.counter(ts, self.track(('vmstat', n), name=n), x.u(2))
        for x in s.ms(3):
            c = x.u32(1)
            for n, k in enumerate('user_ns user_nice_ns system_mode_ns idle_ns io_wait_ns irq_ns softirq_ns steal_ns'.split()):
                if n + 2 == 9 and 9 not in x and False:
                    continue
                self.counter(ts, self.track(('cpustat', c, k), cpu=c, name='cpu.times.' + k), x.u(n + 2))
        for n, k in ((6, 'num_irq'), (8, 'num_softirq')):
            for x in s.ms(n):
                nm = '%s (id: %d)' % (k, x.u32(1))
                self.counter(ts, self.track((k, x.u32(1)), name=nm), x.u(2))
        for n, k in ((4, 'num_forks'), (5, 'num_irq_total'), (7, 'num_softirq_total')):
            if n in s:
                self.counter(ts, self.track((k,), name=k), s.u(n))
        for x in s.ms(12):
            for o, v in enumerate(x.us(3)):
                nm = 'mem.buddyinfo[%s][%s][%d kB]' % (x.s(1), x.s(2), (1 << o) * 4)
                self.counter(ts, self.track(('buddy', nm), name=nm), v)
        for x in s.ms(13):
            now = [x.u(n) for n in range(2, 10)]
            last = self.__dict__.setdefault('disks', {}).get(x.s(1))
            self.disks[x.s(1)] = now
            d = [a - b for a, b in zip(now, last)] if last else []
            for i, k in enumerate(('read', 'write', 'discard') if d else ()):
                mb, ms = d[2 * i] / 2048, d[2 * i + 1]
                for n, v in ((k + '_amount', mb), (k + '_throughput', mb * 1000 / ms if ms > 0 else 0)):
                    nm = 'diskstat.[%s].%s' % (x.s(1), n)
                    self.counter(ts, self.track(('disk', nm), name=nm), v)
            for n, v in zip(('flush_amount', 'flush_time'), d[6:]):
                nm = 'diskstat.[%s].%s' % (x.s(1), n)
                self.counter(ts, self.track(('disk', nm), name=nm), v)
        for x in s.ms(14):
            r = x.u(1)
            nm = 'psi.' + ('cpu', 'io', 'mem')[(r - 1) // 2] + ('.some', '.full')[(r - 1) % 2]
            self.counter(ts, self.track(('psi', nm), name=nm), x.u(2))
        for x in s.ms(15):
            self.counter(ts, self.track(('thermal', x.s(3)), name=x.s(3)), x.u(2))
        for x in s.ms(16):
            for y in x.ms(2):
                nm = 'cpuidle%d.%s' % (x.u32(1), y.s(1))
                self.counter(ts, self.track(('cpuidle', nm), name=nm), y.u(2))
        for g, v in enumerate(s.us(17)):
            self.counter(ts, self.track(('gpufreq', g), name='gpufreq'), v)

    def ev_battery(self, ts, m, gen):
        b = m.m(38)
        pre = 'batt.' + (b.s(5) + '.' if b.s(5) else '')

        def put(k, v):
            self.counter(ts, self.track(('battery', pre + k), name=pre + k), v)
        if 1 in b:
            put('charge_uah', b.i(1))
        elif 6 in b and 7 in b and b.i(7) > 0:
            put('charge_uah', trunc_div(b.i(6) * 1000000, b.i(7)))
        if 2 in b:
            put('capacity_pct', b.flt(2))
        if 3 in b:
            put('current_ua', b.i(3))
        if 4 in b:
            put('current.avg_ua', b.i(4))
        if 7 in b:
            put('voltage_uv', b.i(7))
        if 3 in b and 7 in b:
            put('power_mw', abs(trunc_div(b.i(3) * b.i(7), 1000000000)))

    def ev_rail(self, ts, sess, d):
        nm = self.rails.get((sess, d.u32(1)))
        if nm is None:
            self.stats['power_rail_unknown'] += 1
            return
        self.counter(ts, self.track(('rail', sess, d.u32(1)), name='power.%s_uws' % nm if not nm.startswith('power.') else nm), d.u(3))

    def ev_display(self, ts, m, gen):
        self.counter(ts, self.track(('screen_state',), name='ScreenState'), m.m(70).i32(1))

    def ev_gpuctr(self, ts, m, gen):
        g = m.m(52)
        desc = g.m(1) if 1 in g else None
        gpu = g.i32(3)
        if 4 in g:
            e = gen.get(47, g.u(4))
            desc, gpu = (e.m(2), e.i32(3) if 3 in e else gpu) if e else (None, gpu)
        st = self.__dict__.setdefault('gpu_state', {})
        key = (m.u32(10), gpu) if 4 in g else 'all'
        if desc:
            for s in desc.ms(1):
                st.setdefault((key, s.u32(1)), [s.s(2), s.u(11) == 2, None])
        if 8 not in m:
            self.stats['gpu_counter_without_time'] += 1
            return
        for c in g.ms(2):
            d = st.get((key, c.u32(1)))
            if d is None:
                self.stats['gpu_counter_unknown'] += 1
                continue
            v = float(c.i(2)) if 2 in c else c.dbl(3)
            tr = self.track(('gpu_counter', gpu, d[0] or str(c.u32(1))), name=d[0] or str(c.u32(1)))
            if d[1]:
                self.counter(ts, tr, v)
            else:                        # the value is of the time before ts: it belongs to the sample before
                if d[2] is not None:
                    self.counters[d[2]] = (self.counters[d[2]][0], tr, v)
                d[2] = self.counter(ts, tr, 0)

    def ev_prop(self, ts, m, gen):
        for v in m.m(86).ms(1):
            nm = v.s(1)
            if nm == 'debug.tracing.screen_state' and v.s(2).lstrip('-').isdigit():
                self.counter(ts, self.track(('screen_state',), name='ScreenState'), int(v.s(2)))
            elif nm == 'debug.tracing.device_state':
                st = v.s(2).split(':')
                s = st[1] if len(st) > 1 else v.s(2)
                self.sl_scoped(ts, self.track(('device_state',), name='DeviceStateChanged'), None, s, 0)

    def ev_log(self, ts, e):
        u = self.thread(e.u32(3)) if e.u32(3) else None
        if e.u32(3) and e.u32(2):
            u = self.upd_thread(e.u32(3), e.u32(2))
        p = e.u(7) or 4
        msgs = e.s(8)
        for a in e.ms(9):
            v = a.i(2) if 2 in a else '%f' % a.flt(3) if 3 in a else '"%s"' % a.s(4) if 4 in a else ''
            msgs += (' ' if msgs else '') + '%s=%s' % (a.s(1), v)
        self.logs.append((ts, u, p, e.s(6), msgs))

    def ev_chrome(self, ts, m, gen):
        self.stats['chrome_events'] += 1

    # ---- frame timeline
    def ev_ftl(self, ts, m, gen):
        f = m.m(76)
        for n, kind, disp in ((1, 'Expected', 1), (2, 'Actual', 1), (3, 'Expected', 0), (4, 'Actual', 0)):
            if n not in f:
                continue
            x = f.m(n)
            pf = 3 if disp else 4
            if 1 not in x or 2 not in x or pf not in x or (not disp and 3 not in x):
                self.stats['frame_timeline_errors'] += 1
                return
            ck, tok = x.i(1), x.i(2)
            up = self.proc(x.u32(pf))
            self.ft_cookie[ck] = (up, kind)
            if kind == 'Expected' and not disp:
                if tok in self.ft_tokens.setdefault(up, set()):
                    return
                self.ft_tokens[up].add(tok)
            tr = self.lane_begin(('frames_' + kind, up), ck, dict(upid=up, name=kind + ' Timeline'))
            s = self.sl_begin(ts, tr, None, str(tok))
            if s is None:
                return
            s.args['Display frame token' if disp else 'Surface frame token'] = tok
            if not disp:
                s.args['Display frame token'] = x.i(3)
                s.args['Layer name'] = x.s(5) if 5 in x else None
            if kind == 'Actual':
                a = (4, 5, 6, 7, 8, 9) if disp else (6, 7, 8, 9, 10, 12)
                pt, jt = x.u(a[0]), x.u(a[3])
                s.args['Present type'] = PRESENT[pt] if pt < len(PRESENT) else PRESENT[0]
                s.args['On time finish'] = x.u(a[1])
                s.args['GPU composition'] = x.u(a[2])
                s.args['Jank type'] = jank_text(jt)
                s.args['Prediction type'] = PREDICT[x.u(a[4])] if x.u(a[4]) < 4 else PREDICT[0]
                s.args['Jank severity type'] = SEVERITY[x.u(a[5])] if a[5] in x and x.u(a[5]) < 4 else 'None' if jt == 1 else 'Unknown'
                s.args['Jank tag'] = jank_tag(jt, disp, pt if a[0] in x else None)
                if disp:
                    for o in self.ft_disp.pop(tok, []):
                        self.flows.append((o, s.id, None))
                else:
                    s.args['Is Buffer?'] = {None: 'Unspecified', 0: 'No', 1: 'Yes'}[x.u(11) if 11 in x else None]
                    self.ft_disp.setdefault(x.i(3), []).append(s.id)
            self.frames.append((s, kind, 'display' if disp else 'surface'))
            return
        if 5 in f:
            ck = f.m(5).i(1)
            c = self.ft_cookie.pop(ck, None)
            if c is None:
                return
            tr = self.lane_end(('frames_' + c[1], c[0]), ck, dict(upid=c[0], name=c[1] + ' Timeline'))
            self.sl_end(ts, tr)

    # ---- profiles
    def frame(self, gen, iid):
        f = gen.get(6, iid)
        if f is None:
            return None
        fn = ''
        if f.u(2):
            fn = gen.text(5, f.u(2))
            if fn is None:
                return None
        mp = None
        if f.u(3):
            mp = self.mapping(gen, f.u(3))
            if mp is None:
                return None
        src = gen.text(18, f.u(5)) if 5 in f else None
        return self.intern_frame(mp, f.u(4), fn, src, f.u(6) if 6 in f else None)

    def intern_frame(self, mp, rel, fn, src=None, line=None):
        k = (mp, rel, fn, src, line)
        x = self.frame_table.get(k)
        if x is None:
            x = self.frame_table[k] = dict(map=mp[0] if mp else '', build=mp[1] if mp else '', rel=rel, name=fn,
                                           sym=None, src=src, line=line, deob=None)
        return x

    def mapping(self, gen, iid):
        m = gen.get(19, iid)
        if m is None:
            self.stats['bad_mapping'] += 1
            return None
        parts = []
        for i in m.us(7):
            t = gen.text(17, i)
            if t is None:
                break
            parts.append(t)
        bid = ''
        if m.u(2):
            e = gen.get(16, m.u(2))
            if e is None:
                return None
            bid = e.raw(2).hex()
        return map_name(parts), bid

    def callstack(self, gen, iid):
        c = gen.get(7, iid)
        if c is None:
            self.stats['bad_callstack'] += 1
            return None
        out = []
        for i in c.us(2):
            f = self.frame(gen, i)
            if f is None:
                self.stats['bad_frame'] += 1
                return None
            out.append(f)
        return out or None

    def ev_perf(self, ts, m, gen):
        s = m.m(66)
        if s.u(17):
            self.stats['perf_records_lost'] += s.u(17)
            return
        if 19 in s:
            return
        if 18 in s:
            r = s.u(18)
            k = {1: 'read', 2: 'unwind', 3: 'enqueue', 4: 'not_in_scope'}.get(r, 'unknown')
            self.stats['perf_skipped.' + k] += 1
        u = self.upd_thread(s.u32(3), s.u32(2))
        st = self.callstack(gen, s.u(4)) if 4 in s else None
        ev = 'perf'
        d = gen.defaults.m(12) if gen.defaults else None
        if d and d.m(1):
            ev = timebase_name(d.m(1))
        if 6 in s:
            self.counter(ts, self.track(('perf', ev, s.u32(1)), cpu=s.u32(1), name=ev), s.u(6))
        for follower, value in zip(d.ms(4) if d else (), s.us(7)):
            name = timebase_name(follower)
            self.counter(ts, self.track(('perf', name, s.u32(1)), cpu=s.u32(1), name=name), value)
        self.samples.append((ts, u, s.u32(1) if 1 in s else None, s.u(5), ev, 1,
                             st, UNWIND.get(s.u(16)) if 16 in s else None, s.u(6) if 6 in s else None))

    def ev_stack_sample(self, ts, m, gen):
        s = m.m(135)
        t = s.m(1) if 1 in s else gen.get(48, s.u(2)) if 2 in s else None
        if t is None:
            t = M()
        off = 1 if 1 not in s else 0
        u = self.upd_thread(t.u32(3), t.u32(2)) if t.u32(3) else None
        x = s.m(3) if 3 in s else gen.get(49, s.u(4)) if 4 in s else None
        if 5 in s:
            st = [self.intern_frame(None, 0, f.s(1), f.s(2) or None, f.u(3) or None) for f in s.m(5).ms(1)] or None
        else:
            st = self.callstack(gen, s.u(6)) if 6 in s else None
        d = gen.defaults.m(100) if gen.defaults else None
        pd = s.m(9) if 9 in s else gen.get(50, s.u(10)) if 10 in s else d.m(2) if d else None
        self.samples.append((ts, u, x.u32(2) if x and 2 in x else None, {1: 2, 2: 1}.get(x.u(3) if x else 0, 0), (pd.s(2) if pd else '') or 'stack_sample',
                             s.u(11) if 11 in s else 1, st, None, None))

    def ev_stream(self, ts, gen, iid):
        if gen.thread is None:
            self.stats['streaming_without_thread'] += 1
            return
        u = self.upd_thread(gen.thread[1], gen.thread[0])
        st = self.callstack(gen, iid)
        if st is None:
            return
        self.samples.append((ts, u, None, 0, 'cpu', 1, st, None, None))

    def ev_profile(self, ts, m, gen):
        p = m.m(37)
        sq = self.seqs.setdefault(m.u32(10), Seq())
        st = getattr(sq, 'pp', None)
        if st is None:
            st = sq.pp = dict(s={0: b''}, m={}, f={}, c={}, pend=[], idx=None, seen={}, corr={})
        i = p.u(7)
        if (st['idx'] is None and i) or (st['idx'] is not None and st['idx'] + 1 != i):
            self.stats['heapprofd_missing_packet'] += 1
        st['idx'] = i
        for x in p.ms(1):
            st['s'][x.u(1)] = x.raw(2)
        tx = lambda k: (st['s'].get(k) or b'').decode('utf-8', 'replace') if isinstance(st['s'].get(k), bytes) else ''
        for x in p.ms(4):
            st['m'][x.u(1)] = (map_name([tx(k) for k in x.us(7)]),
                               st['s'][x.u(2)].hex() if isinstance(st['s'].get(x.u(2)), bytes) else '')
        for x in p.ms(2):
            if x.u(3) in st['m'] and (x.u(2) in st['s']):
                st['f'][x.u(1)] = self.intern_frame(st['m'][x.u(3)], x.u(4), tx(x.u(2)))
            else:
                self.stats['bad_frame'] += 1
        for x in p.ms(3):
            fr = [st['f'].get(k) for k in x.us(2)]
            if fr and None not in fr:
                st['c'][x.u(1)] = fr
            else:
                self.stats['bad_callstack'] += 1
        for d in p.ms(5):
            t = self.clocks.to_trace(4, d.i(9))
            if t is None:
                self.stats['clock_sync_failure'] += 1
                continue
            for n, k in ((4, 'rejected'), (6, 'disconnected'), (7, 'overran'), (8, 'corrupted'), (10, 'guardrail')):
                if d.u(n):
                    self.stats['heapprofd.' + k] += 1
            pid = d.u32(1)
            hn = d.s(11) or 'unknown'
            for s in d.ms(2):
                if 8 in s:
                    a = (s.u(8), 0, s.u(9) if d.u(13) else 0, 0)
                else:
                    a = (s.u(2), s.u(3), s.u(5), s.u(6))
                st['pend'].append((t, pid, hn, s.u(1), a))
        if not p.u(6):
            for t, pid, hn, cs, a in st['pend']:
                up = self.proc(pid)
                fr = st['c'].get(cs) or self.callstack(gen, cs)
                if fr is None:
                    continue
                k = (up, tuple(id(x) for x in fr))
                pa = self.heap_prev.get(k, (0, 0, 0, 0))
                seen = st['seen'].setdefault((up, cs, hn), set())
                if k not in seen:        # a new meaning of this callstack id starts from the totals so far
                    seen.add(k)
                    st['corr'][cs] = pa
                a = tuple(x + y for x, y in zip(a, st['corr'].get(cs, (0, 0, 0, 0))))
                d = tuple(x - y for x, y in zip(a, pa))
                if min(d[0], d[2]) < 0 or min(d[1], d[3]) < 0:
                    self.stats['heapprofd_not_monotonic'] += 1
                    continue
                if d[0] or d[2]:
                    self.heap.append((t, up, hn, fr, d[2], d[0]))
                if hn != 'com.android.art' and (d[1] or d[3]):
                    self.heap.append((t, up, hn, fr, -d[3], -d[1]))
                self.heap_prev[k] = a
            st.update(pend=[], s={0: b''}, m={}, f={}, c={})

    def ev_symbols(self, ts, m, gen):
        try:
            s = m.m(61)
        except Damage:
            self.stats['bad_packets'] += 1
            return
        bid = s.raw(2)
        self.symbols.append((s.s(1), bid, {a.u(1): [(l.s(1), l.s(2), l.u(3)) for l in a.ms(2)] for a in s.ms(3)}))

    def ev_renames(self, ts, m, gen):
        r = m.m(64)
        for c in r.ms(3):
            self.renames.append((r.s(1), c.s(1), c.s(2), [(x.s(1), x.s(2), x.u(3) if 3 in x else None, x.u(4) if 4 in x else None, x.u(5)) for x in c.ms(4)]))

    def renamed(self, name, path, line=0):
        """The names of a method before it was made short, with lines, those inlined first: by the mapping of its package, or of none."""
        cls, _, method = name.rpartition('.')
        if not cls or not method:
            return [(name, line)]
        app = re.match(r'/data/app/(?:~~[^/]*/)?([^/]+?)(?:-[^/]*)?/', path)
        app = app.group(1) if app and ('-' in app.group(0) or '.' in app.group(1)) else ''
        rank = lambda r: (3 if r[0] == app else 2 if not r[0] else 0) if app else 2 if not r[0] else 1
        known = [r for r in self.renames if r[1] == cls and rank(r)]
        exact = [r for r in known if any(x[0] == method for x in r[3])]
        found = [(x[1] if '.' in x[1] else r[2] + '.' + x[1], x) for r in exact if rank(r) == max(map(rank, exact)) for x in r[3] if x[0] == method and x[1]]
        chain = [(full, x[4]) for full, x in found if line and x[2] is not None and line >= x[2] and (x[3] is None or line <= x[3])]
        if chain:
            return chain
        if found:
            return [(' | '.join(sorted({full for full, _ in found})), line)]
        for r in reversed(known):
            if rank(r) == max(map(rank, known)):
                return [((r[2] or cls) + '.' + method, line)]
        return [(name, line)]

    # ---- generic kernel (QNX and others)
    GK = [None, 'Created', 'R', 'Running', 'S', 'D', 'T', 'Z', 'X']

    def ev_gk_task(self, ts, m, gen):
        x = m.m(117)
        tid, st, cpu = x.i(3), x.u(4), x.u32(1)
        u = self.live.get(tid)
        if st == 1:
            if u is not None:
                self.stats['task_state_order'] += 1
                return
            u = self.new_thread(ts, tid)
            self.tname(u, x.s(2), 1)
        elif st == 8:
            if u is None:
                u = self.thread(tid)
                self.tname(u, x.s(2), 1)
            self.end_thread(ts, tid)
        elif 2 <= st <= 7:
            if u is not None:
                prev = self.states[self.last_state[u]]['state'] if u in self.last_state else None
                if prev == 'Z' or (st == 3 and prev == 'Running'):
                    self.stats['task_state_order'] += 1
                    return
            else:
                u = self.thread(tid)
            self.tname(u, x.s(2), 1)
        else:
            self.stats['task_state_invalid'] += 1
            return
        name = self.GK[st]
        p = self.pending.setdefault(('gk', cpu), [None, None, None, None])
        hang = self.__dict__.setdefault('gk_hang', {})
        how = 'none'
        if st == 3:
            how = 'start'
            if p[0] is not None:
                self.sched[p[0]][1] = ts - self.sched[p[0]][0]
                hang[p[1]] = p[0]
                self.gk_state(ts, p[1], None, None)
            self.sched.append([ts, -1, cpu, u, None, x.i32(5)])
            p[:] = [len(self.sched) - 1, u, tid, x.i32(5)]
        elif p[0] is not None and tid == p[2]:
            s = self.sched[p[0]]
            s[1], s[4] = ts - s[0], name
            p[:] = [None, None, None, None]
        elif u in hang and self.sched[hang[u]][0] + self.sched[hang[u]][1] == ts:
            self.sched[hang.pop(u)][4] = name
            if u in self.last_state:
                self.states[self.last_state[u]]['state'] = name
            return
        self.gk_state(ts, u, name, cpu if st == 3 else None)

    def gk_state(self, ts, u, name, cpu):
        self.close_state(ts, u)
        i = self.last_state.get(u)
        if i is not None and self.states[i]['ts'] == ts:
            self.stats['task_state_order'] += 1
        self.add_state(ts, u, name, cpu)

    def ev_gk_freq(self, ts, m, gen):
        x = m.m(118)
        self.counter(ts, self.track(('cpufreq', x.u32(1)), cpu=x.u32(1), name='cpufreq'), x.i(2) // 1000)

    def ev_gk_rename(self, ts, m, gen):
        x = m.m(120)
        self.tname(self.thread(x.i(1)), x.s(2), 1)

    def ev_gk_tree(self, ts, m, gen):
        t = m.m(122)
        for p in t.ms(1):
            if 3 not in p:
                continue
            pup = self.proc(p.i(2), False)
            up = self.proc(p.i(1), False)
            if self.procs[up]['parent'] is None:
                self.procs[up]['parent'] = pup
            self.pname(up, p.s(3).split(' ')[0], 4)
            self.procs[up]['cmdline'] = p.s(3)
        for th in t.ms(2):
            up = self.proc(th.i(2), False)
            u = self.find_thread(th.i(1), th.i(2))
            if u is None:
                u = self.new_thread(None, th.i(1))
            if self.threads[u]['upid'] is None:
                self.assoc(u, up, bool(th.u(4)))
            self.tname(u, th.s(3), 1)

    # ---- end of trace
    def finish(self):
        for path, bid, addrs in self.symbols:
            for f in self.frame_table.values():
                if f['map'] == path and (not bid or not f['build'] or bid.hex() == f['build'] or
                                         bid.decode('latin1').lower() == f['build']) and f['rel'] in addrs:
                    f['sym'] = addrs[f['rel']]
        for f in self.frame_table.values() if self.renames else ():
            own = self.renamed(f['name'], f['map'], 0 if f['sym'] else f.get('line') or 0)
            f['name'] = own[-1][0]
            if len(own) > 1:
                f['sym'] = [(n, '', line) for n, line in own]
            elif f['sym']:
                f['sym'] = [(n, x[1], line) for x in f['sym'] for n, line in self.renamed(x[0], f['map'], x[2])]
        for i, kind, name, u in self.proc_counters:
            ts, _, v = self.counters[i]
            up = self.threads[u]['upid']
            if up is None:
                tr = self.track((kind + '_thread', u, name), utid=u, name=name, counter=True)
            else:
                tr = self.track((kind, up, name) if kind == 'process_memory' else (kind, up), upid=up, name=name, counter=True)
            self.counters[i] = (ts, tr, v)


def partial_inflate(b, wbits=15):
    d = zlib.decompressobj(wbits)
    out = b''
    try:
        for i in range(0, len(b), 64):
            out += d.decompress(b[i:i + 64])
    except zlib.error:
        pass
    return out


def unzstd(b):
    if b[:5] == b'\x28\xb5\x2f\xfd\xa0':   # stored blocks, as perfettomake.py writes them
        out, at, last = b'', 9, 0
        while not last and len(b) - at >= 3:
            head = int.from_bytes(b[at:at + 3], 'little')
            last = head & 1
            out += b[at + 3:at + 3 + (head >> 3)]
            at += 3 + (head >> 3)
        return out if last and at == len(b) else None
    try:
        return subprocess.run(["zstd", "-dcq"], input=b, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def synth(tid, pid):
    return ((pid & 0xffffffff) << 32) | (tid & 0xffffffff)


def map_name(parts):
    """Path parts joined: each with a / in front unless it has one; empty ones are dropped."""
    out = ''
    for p in parts:
        if p and not p.startswith('/') and not (len(parts) == 1 and p.startswith('[')):
            out += '/' + p
        else:
            out += p
    return out


def kworker(n):
    if n.startswith('kworker/'):
        k = n.find('-')
        if k < 0:
            k = n.find('+')
        if k >= 0:
            return n[:k]
    return n


def timebase_name(t):
    if t.s(10):
        return t.s(10)
    if 4 in t:
        return {1: 'cpu-clock', 2: 'page-faults', 3: 'task-clock', 4: 'context-switches', 5: 'cpu-migrations', 6: 'minor-faults',
                7: 'major-faults', 8: 'alignment-faults', 9: 'emulation-faults', 10: 'cpu-cycles', 11: 'instructions',
                12: 'cache-references', 13: 'cache-misses', 14: 'branch-instructions', 15: 'branch-misses', 16: 'bus-cycles',
                17: 'stalled-cycles-frontend', 18: 'stalled-cycles-backend', 19: 'ref-cpu-cycles',
                20: 'dummy'}.get(t.u(4), 'counter%d' % t.u(4))
    if 3 in t:
        return t.m(3).s(1)
    return 'cpu-clock'


UNWIND = {0: 'unknown', 1: 'none', 2: 'memory_invalid', 3: 'unwind_info', 4: 'unsupported', 5: 'invalid_map', 6: 'max_frames_exceeded',
          7: 'repeated_frame', 8: 'invalid_elf', 9: 'system_call', 10: 'thread_timeout', 11: 'thread_does_not_exist', 12: 'bad_arch',
          13: 'maps_parse', 14: 'invalid_parameter', 15: 'ptrace_call'}
PRESENT = ['Unspecified Present', 'On-time Present', 'Late Present', 'Early Present', 'Dropped Frame', 'Unknown Present']
PREDICT = ['Unspecified Prediction', 'Valid Prediction', 'Expired Prediction', 'Unknown Prediction']
SEVERITY = ['Unknown', 'None', 'Partial', 'Full']
JANK = ((2, 'SurfaceFlinger Scheduling'), (4, 'Prediction Error'), (8, 'Display HAL'), (16, 'SurfaceFlinger CPU Deadline Missed'),
        (32, 'SurfaceFlinger GPU Deadline Missed'), (64, 'App Deadline Missed'), (4096, 'App Resynced Jitter'),
        (128, 'Buffer Stuffing'), (256, 'Unknown Jank'), (512, 'SurfaceFlinger Stuffing'), (1024, 'Dropped Frame'),
        (2048, 'Non Animating'), (8192, 'Display not ON'), (16384, 'ModeChange in progress'), (32768, 'PowerModeChange in progress'))


def jank_text(j):
    if j == 0:
        return 'Unspecified'
    if j == 1:
        return 'None'
    return ', '.join(n for b, n in JANK if j & b)


def jank_tag(j, disp, pt):
    dj = j not in (0, 1, 2048, 8192) and j & 0x3e
    sj = j not in (0, 1, 2048, 8192) and j & (64 | 4096 | 256)
    if j == 0:
        return 'Unspecified'
    if disp:
        if dj:
            return 'Self Jank'
        return {512: 'SurfaceFlinger Stuffing', 1024: 'Dropped Frame', 2048: 'Non-perceivable Jank', 8192: 'Non-perceivable Jank',
                32768: 'Non-perceivable Jank'}.get(j, 'No Jank')
    if sj:
        return 'Self Jank'
    if dj:
        return 'Other Jank'
    if j == 128:
        return 'Buffer Stuffing'
    if j == 512:
        return 'SurfaceFlinger Stuffing'
    if pt == 4:
        return 'Dropped Frame'
    if j in (2048, 8192, 32768):
        return 'Non-perceivable Jank'
    return 'No Jank'


SOFTIRQ = ['HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK', 'IRQ_POLL', 'TASKLET', 'SCHED', 'HRTIMER', 'RCU']
CHROME_THREADS = {1: 'CrProcessMain', 2: 'ChromeIOThread', 3: 'ThreadPoolBackgroundWorker&', 4: 'ThreadPoolForegroundWorker&',
                  5: 'ThreadPoolSingleThreadForegroundBlocking&', 6: 'ThreadPoolSingleThreadBackgroundBlocking&', 7: 'ThreadPoolService',
                  8: 'Compositor', 9: 'VizCompositorThread', 10: 'CompositorTileWorker&', 11: 'ServiceWorkerThread&',
                  50: 'MemoryInfra', 51: 'StackSamplingProfiler'}
CHROME_PROCS = {1: 'Browser', 2: 'Renderer', 3: 'Utility', 4: 'SandboxHelper', 5: 'SandboxHelper', 6: 'Gpu', 7: 'PpapiPlugin', 8: 'PpapiBroker'}
CHROME_PROCS2 = {1: 'Browser', 2: 'Renderer', 3: 'Utility', 4: 'SandboxHelper', 5: 'Gpu', 6: 'PpapiPlugin', 7: 'PpapiBroker', 37: 'Renderer Extension'}
MEMINFO = dict(enumerate('''MemTotal MemFree MemAvailable Buffers Cached SwapCached Active Inactive Active(anon) Inactive(anon)
Active(file) Inactive(file) Unevictable Mlocked SwapTotal SwapFree Dirty Writeback AnonPages Mapped Shmem Slab SReclaimable
SUnreclaim KernelStack PageTables CommitLimit Committed_AS VmallocTotal VmallocUsed VmallocChunk CmaTotal CmaFree Gpu Zram Misc
IonHeap IonHeapPool'''.split(), 1))
_tables = {}


def _table(name):
    if name not in _tables:
        t = {}
        p = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        if os.path.exists(p):
            for l in open(p):
                f = l.rstrip('\n').split('\t')
                t[tuple(f[:-1])] = f[-1]
        _tables[name] = t
    return _tables[name]


def vmstat_name(n):
    return _table('vmstat.tsv').get((str(n),), 'vmstat.%d' % n)


def syscall_name(arch, n):
    a = {'aarch64': 'aarch64', 'x86_64': 'x86_64', 'armv8l': 'aarch32', 'armv7l': 'aarch32', 'i686': 'x86'}.get(arch or '', None)
    if a is None:
        return None
    return _table('syscalls.tsv').get((a, str(n)))


FT = {4: Trace.ft_switch, 20: Trace.ft_waking, 18: Trace.ft_blocked, 235: Trace.ft_newtask, 236: Trace.ft_rename, 240: Trace.ft_free,
      3: Trace.ft_print, 331: Trace.ft_zero, 333: Trace.ft_sde, 348: Trace.ft_dpu, 349: Trace.ft_g2d, 350: Trace.ft_mali_mark,
      467: Trace.ft_lwis, 484: Trace.ft_samsung, 80: Trace.ft_mdss,
      11: Trace.ft_cpufreq, 12: Trace.ft_cpulimits, 13: Trace.ft_cpuidle, 332: Trace.ft_gpufreq, 16: Trace.ft_clock,
      313: Trace.ft_rss, 359: Trace.ft_rss_thr, 326: Trace.ft_oom, 335: Trace.ft_ion, 351: Trace.ft_dma, 340: Trace.ft_gpumem,
      36: Trace.ft_irq_in, 37: Trace.ft_irq_out, 24: Trace.ft_softirq_in, 25: Trace.ft_softirq_out,
      58: Trace.ft_wq_in, 57: Trace.ft_wq_out,
      329: Trace.ft_sysin, 330: Trace.ft_sysout, 325: Trace.ft_signal, 324: Trace.ft_sigdel, 334: Trace.ft_victim,
      50: Trace.ft_binder, 51: Trace.ft_binder_rcv, 327: Trace.ft_generic, 542: Trace.ft_kprobe, 113: Trace.ft_suspend,
      404: Trace.ft_wakelock_in, 405: Trace.ft_wakelock_out, 437: Trace.ft_fg_in, 438: Trace.ft_fg_out}



# --------------------------------------------------------------------- output
def clean(x):
    if x is None:
        return ''
    if isinstance(x, float):
        return '%.15g' % x
    return str(x).replace('\\', '\\\\').replace('\t', '\\t').replace('\n', '\\n').replace('\r', '\\r').replace('\0', '\\0')


def who(T, tr):
    t = T.tracks[tr]
    u, up = t['utid'], t['upid']
    if u is not None and up is None:
        up = T.threads[u]['upid']
    return u, up


def ids(T, u, up):
    return [T.procs[up]['pid'] if up is not None else '', T.threads[u]['tid'] if u is not None else '',
            T.procs[up]['name'] if up is not None else '', T.threads[u]['name'] if u is not None else '']


def stack_text(st):
    out = []
    for f in st or ():
        if f['sym']:
            out += [l[0] or '?' for l in reversed(f['sym'])]
        else:
            out.append(f['name'] or '%s+0x%x' % ((f['map'].rsplit('/', 1)[-1] or '?'), f['rel']))
    return ';'.join(x.replace(';', ':') for x in out)


def out_rows(T, cmd):
    if cmd == 'info':
        yield ['key', 'value']
        for k in ('uuid', 'kernel', 'tracing_started', 'all_data_sources_started', 'tracing_disabled'):
            if k in T.meta:
                yield [k, T.meta[k] if k != 'uuid' else '%016x%016x' % (T.meta[k][1], T.meta[k][0])]
        yield ['trace_clock', T.clocks.trace if T.clocks.trace is not None else 'none']
        yield ['packets', T.stats['packets']]
        yield ['sequences', len(T.seqs)]
        for k, v in (('processes', len(T.procs)), ('threads', len(T.threads)), ('slices', len(T.slices)),
                     ('open_slices', sum(s.dur == -1 for s in T.slices)), ('sched', len(T.sched)), ('states', len(T.states)),
                     ('spurious_wakeups', len(T.spurious)),
                     ('counter_tracks', sum(t['counter'] for t in T.tracks)), ('counter_values', len(T.counters)),
                     ('samples', len(T.samples)), ('samples_with_stack', sum(s[6] is not None for s in T.samples)),
                     ('heap_rows', len(T.heap)), ('frames', len(T.frames)), ('flows', len(T.flows)), ('logs', len(T.logs)),
                     ('packages', len(T.packages))):
            yield [k, v]
    elif cmd == 'packets':
        yield ['field', 'name', 'count', 'read']
        for n, c in sorted(T.packets.items()):
            yield [n, PACKET_NAMES.get(n, '?'), c, int(n in READ_PACKETS)]
        for n, c in sorted(T.ftrace_kinds.items(), key=str):
            yield ['ftrace', n, c, int(n in FT or isinstance(n, str))]
    elif cmd == 'procs':
        yield 'upid pid name start end parent_pid uid cmdline'.split()
        for i, p in enumerate(T.procs):
            yield [i, p['pid'], p['name'], p['start'], p['end'], T.procs[p['parent']]['pid'] if p['parent'] is not None else '', p['uid'], p['cmdline']]
    elif cmd == 'threads':
        yield 'utid tid name pid start end main'.split()
        for i, t in enumerate(T.threads):
            yield [i, t['tid'], t['name'], T.procs[t['upid']]['pid'] if t['upid'] is not None else '', t['start'], t['end'], int(t['main'])]
    elif cmd == 'tracks':
        yield 'id kind name pid tid cpu parent unit'.split()
        for t in T.tracks:
            u, up = who(T, t['id'])
            i = ids(T, u, up)
            yield [t['id'], t['kind'], t['name'], i[0], i[1], t['cpu'], t['parent'], t['unit']]
    elif cmd == 'slices':
        yield 'ts dur kind pid tid process thread track depth name category thread_dur args'.split()
        for s in sorted(T.slices, key=lambda s: (s.ts, s.id)):
            u, up = who(T, s.track)
            t = T.tracks[s.track]
            yield [s.ts, s.dur, t['kind']] + ids(T, u, up) + [t['name'], s.depth, s.name, s.cat, s.tdur,
                   '; '.join('%s=%s' % (k, clean(v)) for k, v in s.args.items())]
    elif cmd == 'sched':
        yield 'ts dur cpu pid tid thread end_state prio'.split()
        for s in T.sched:
            t = T.threads[s[3]]
            yield [s[0], s[1], s[2], T.procs[t['upid']]['pid'] if t['upid'] is not None else '', t['tid'], t['name'], s[4], s[5]]
    elif cmd == 'states':
        yield 'ts dur cpu tid thread state io_wait blocked_function waker_tid irq'.split()
        for r in sorted(T.states, key=lambda r: r['ts']):
            t = T.threads[r['utid']]
            yield [r['ts'], r['dur'], r['cpu'], t['tid'], t['name'], r['state'], None if r['io'] is None else int(r['io']), r['blocked'],
                   T.threads[r['waker']]['tid'] if r['waker'] is not None else '', r['irq']]
    elif cmd == 'wakes':
        yield 'ts tid thread waker_tid waker effective'.split()
        rows = [(r['ts'], r['utid'], r['waker'], 1) for r in T.states if r['waker'] is not None] + [(a, b, c, 0) for a, b, c in T.spurious]
        for ts, u, w, e in sorted(rows, key=lambda r: r[0]):
            yield [ts, T.threads[u]['tid'], T.threads[u]['name'], T.threads[w]['tid'], T.threads[w]['name'], e]
    elif cmd == 'counters':
        yield 'ts value track pid tid cpu unit'.split()
        for ts, tr, v in T.counters:
            u, up = who(T, tr)
            i = ids(T, u, up)
            t = T.tracks[tr]
            yield [ts, v, t['name'], i[0], i[1], t['cpu'], t['unit']]
    elif cmd == 'samples':
        yield 'ts pid tid thread cpu mode event weight unwind_error stack'.split()
        for ts, u, cpu, mode, ev, w, st, err, tb in T.samples:
            t = T.threads[u] if u is not None else None
            yield [ts, T.procs[t['upid']]['pid'] if t and t['upid'] is not None else '', t['tid'] if t else '', t['name'] if t else '',
                   cpu, mode, ev, w, err, stack_text(st)]
    elif cmd == 'heap':
        yield 'ts pid heap count bytes stack'.split()
        for ts, up, hn, fr, c, b in T.heap:
            yield [ts, T.procs[up]['pid'], hn, c, b, stack_text(fr)]
    elif cmd == 'flows':
        yield 'out_ts out_name in_ts in_name id'.split()
        for a, b, f in T.flows:
            A, B = T.slices[a], T.slices[b]
            yield [A.ts, A.name, B.ts, B.name, f if not isinstance(f, tuple) else 'v1:%d' % f[1]]
    elif cmd == 'logs':
        yield 'ts tid prio tag message'.split()
        for ts, u, p, tag, m in sorted(T.logs, key=lambda l: l[0]):
            yield [ts, T.threads[u]['tid'] if u is not None else '', p, tag, m]
    elif cmd == 'frames':
        yield 'ts dur kind layer_kind pid process token display_token layer jank_type jank_tag present on_time severity prediction'.split()
        for s, kind, dk in T.frames:
            u, up = who(T, s.track)
            a = s.args
            yield [s.ts, s.dur, kind, dk, T.procs[up]['pid'], T.procs[up]['name'], s.name, a.get('Display frame token'), a.get('Layer name'),
                   a.get('Jank type'), a.get('Jank tag'), a.get('Present type'), a.get('On time finish'), a.get('Jank severity type'),
                   a.get('Prediction type')]
    elif cmd == 'packages':
        yield 'name uid debuggable profileable version'.split()
        for p in T.packages:
            yield list(p)
    elif cmd == 'losses':
        yield ['key', 'value']
        for k, v in sorted(T.stats.items()):
            if k != 'packets' and v:
                yield [k, v]
        for k, v in sorted(T.meta.items()):
            if k.startswith(('buf', 'ftrace', 'trace_stats')):
                yield [k, v]
        for k, v in sorted(T.unread.items(), key=lambda x: str(x[0])):
            yield ['unread.%s' % (PACKET_NAMES.get(k, k)), v]
        for k, q in sorted(T.seqs.items()):
            if q.drops:
                yield ['sequence_loss.%d' % k, q.drops]
        if T.clocks.bad:
            yield ['bad_clock_snapshots', T.clocks.bad]
        if T.concat:
            yield ['concatenated', T.concat]


COMMANDS = 'info packets procs threads tracks slices sched states wakes counters samples heap flows logs frames packages losses'.split()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    cmd, path = sys.argv[1:3]
    T = Trace()
    T.read(path)
    if cmd == 'all':
        d = sys.argv[3]
        os.makedirs(d, exist_ok=True)
        base = os.path.basename(path)
        for s in ('.gz', '.pftrace', '.perfetto-trace'):
            base = base[:-len(s)] if base.endswith(s) else base
        for c in COMMANDS:
            rows = list(out_rows(T, c))
            if len(rows) > 1:
                with open('%s/%s.%s.tsv' % (d, base, c), 'w', newline='\n') as f:
                    f.writelines('\t'.join(map(clean, r)) + '\n' for r in rows)
        return
    if cmd not in COMMANDS:
        sys.exit(__doc__)
    o = sys.stdout
    for r in out_rows(T, cmd):
        o.write('\t'.join(map(clean, r)) + '\n')


if __name__ == '__main__':
    main()
