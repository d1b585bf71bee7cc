#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Makes Perfetto traces for tests: own encoder, standard library only, same bytes for the same seed.

  perfettomake.py big MEGABYTES OUT [SEED]   sched + waking + atrace + track events + counters + perf samples + logs
  perfettomake.py odd DIR                    small edge cases, one file each
"""
import sys, os, random, struct, zlib, gzip, zipfile, io

SYNC = bytes.fromhex('82477a76b28d42ba81dc33326d57a079')


def vi(n):
    n &= (1 << 64) - 1
    o = bytearray()
    while n > 127:
        o.append(n & 127 | 128)
        n >>= 7
    o.append(n)
    return bytes(o)


def I(f, v):                       # varint field
    return vi(f << 3) + vi(v)


def B(f, b):                       # bytes / text / message field
    if isinstance(b, str):
        b = b.encode()
    return vi(f << 3 | 2) + vi(len(b)) + b


def F64(f, v):
    return vi(f << 3 | 1) + struct.pack('<Q', v)


def D(f, v):
    return vi(f << 3 | 1) + struct.pack('<d', v)


def P(f, vs):                      # packed varints
    return B(f, b''.join(vi(v) for v in vs))


def pkt(*parts):
    return B(1, b''.join(parts))


def padded(f, b):                  # length as 4 bytes 80-padded, as the real writers reserve it
    n = len(b)
    return vi(f << 3 | 2) + bytes([n & 127 | 128, n >> 7 & 127 | 128, n >> 14 & 127 | 128, n >> 21 & 127]) + b


def clocks(ts, boot=True, mono_off=-5000000000, real=1700000000000000000, prim=6):
    c = I(1, 6) + I(2, ts), I(1, 1) + I(2, real + ts), I(1, 3) + I(2, ts + mono_off), I(1, 4) + I(2, ts + mono_off), \
        I(1, 5) + I(2, ts + mono_off - 1000)
    return pkt(I(8, ts), I(10, 1), B(6, b''.join(B(1, x) for x in c) + (I(2, prim) if prim else b'')))


def sync(ts):
    return pkt(I(8, ts), I(10, 1), B(36, SYNC))


def ptree(ts, procs, threads, seq=2):
    b = b''.join(B(1, I(1, p) + I(2, pp) + b''.join(B(3, x) for x in cl) + I(5, uid)) for p, pp, cl, uid in procs)
    b += b''.join(B(2, I(1, t) + B(2, n) + I(3, g)) for t, n, g in threads)
    return pkt(I(8, ts), I(10, seq), B(2, b))


def uuid_pkt(a, b):
    return pkt(I(10, 1), B(89, I(1, a) + I(2, b)))


def service(ts, field):
    return pkt(I(8, ts), I(10, 1), B(69, I(field, 1)))


def fe(ts, pid, kind, body):
    return B(2, I(1, ts) + I(2, pid) + B(kind, body))


def bundle(cpu, evs, extra=b'', seq=2):
    return pkt(I(10, seq), B(1, I(1, cpu) + b''.join(evs) + extra))


def switch(ts, pp, pc, st, np, nc, prio=120):
    return fe(ts, pp, 4, B(1, pc) + I(2, pp) + I(3, prio) + I(4, st) + B(5, nc) + I(6, np) + I(7, prio))


def waking(ts, by, pid, comm, cpu=0):
    return fe(ts, by, 20, B(1, comm) + I(2, pid) + I(3, 120) + I(4, 1) + I(5, cpu))


def mark(ts, pid, text):
    return fe(ts, pid, 3, B(2, text + '\n'))


def compact(sw, wk):
    """sw: (ts, prev_state, next pid, prio, comm); wk: (ts, pid, cpu, prio, comm, flags)"""
    tab = {}
    ix = lambda s: tab.setdefault(s, len(tab))
    a = [ix(x[4]) for x in sw]
    w = [ix(x[4]) for x in wk]
    o = b''.join(B(5, s) for s in tab)
    d = lambda xs: [x - y for x, y in zip(xs, [0] + xs[:-1])]
    o += P(1, d([x[0] for x in sw])) + P(2, [x[1] for x in sw]) + P(3, [x[2] for x in sw]) + P(4, [x[3] for x in sw]) + P(6, a)
    if wk:
        o += P(7, d([x[0] for x in wk])) + P(8, [x[1] for x in wk]) + P(9, [x[2] for x in wk]) + P(10, [x[3] for x in wk]) + \
            P(11, w) + P(12, [x[5] for x in wk])
    return B(4, o)


# ------------------------------------------------------------------ big
NAMES = ['Choreographer#doFrame', 'traversal', 'measure', 'layout', 'draw', 'Record View#draw()', 'inflate', 'obtainView', 'RV OnBindView',
         'binder transaction', 'VerifyClass com.example.Feed', 'monitor contention with owner worker-3 (312) at void com.example.Cache.put()',
         'HeapTaskDaemon', 'DrawFrames', 'eglSwapBuffers', 'queueBuffer', 'latchBuffer', 'onMessageReceived', 'deliverInputEvent',
         'Lock contention on thread suspend count lock (owner tid: 1200)', 'JIT compiling', 'decodeBitmap', 'animation', 'input']
CATS = ['toplevel', 'cc', 'v8', 'disabled-by-default-x', 'input,benchmark', 'app']
FUNCS = ['main', 'run', 'loop', 'poll', 'dispatch', 'handle', 'parse', 'decode', 'read', 'write', 'copy', 'hash', 'find', 'insert', 'alloc',
         'release', 'lock', 'unlock', 'compress', 'render', 'blend', 'scale', 'encode', 'flush']


def big(mb, out, seed=1):
    R = random.Random(seed)
    f = open(out, 'wb')
    size = 0
    T0 = 100 * 10 ** 9
    ncpu = 8
    procs = []
    threads = []
    tid = 1000
    for p in range(40):
        pid = tid
        nm = ['system_server', '/system/bin/surfaceflinger', 'com.android.systemui', 'com.example.feed'][p] if p < 4 else 'com.example.app%d' % p
        procs.append((pid, 1, [nm], 10000 + p))
        for t in range(12):
            n = nm[-15:] if t == 0 else ['RenderThread', 'binder:%d_%d' % (pid, t), 'worker-%d' % t, 'HeapTaskDaemon', 'Jit thread pool'][t % 5]
            threads.append((tid, n, pid))
            tid += 1
    comm = {t: n for t, n, _ in threads}
    tg = {t: g for t, _, g in threads}
    tids = [t for t, _, _ in threads]

    def w(b):
        nonlocal size
        f.write(b)
        size += len(b)
    w(uuid_pkt(seed, 0x1234567))
    w(clocks(T0))
    w(sync(T0))
    w(pkt(I(10, 1), B(45, B(1, B(1, 'Linux') + B(3, '5.15.100-android14') + B(4, 'aarch64')))))
    w(service(T0, 2))
    w(ptree(T0, procs, threads))
    # 4 app sequences with track events, 1 perf sequence
    apps = []
    for k in range(4):
        pid = procs[k][0]
        th = [t for t, _, g in threads if g == pid][:4]
        apps.append(dict(seq=10 + k, pid=pid, th=th, names=set(), cats=set(), cleared=0, open={t: [] for t in th}, flow=0))
    perf = dict(seq=20, next=1, stacks={}, frames={})
    now = T0
    cur = [0] * ncpu
    held = {}
    depth = {}
    slept = []
    step = 0
    target = mb * 1000000
    mem = 200000
    while size < target:
        step += 1
        end = now + 100 * 10 ** 6
        for cpu in range(ncpu):
            t = now + R.randrange(100000)
            sw, wk, ev = [], [], []
            while t < end:
                dt = int(R.expovariate(1 / 80000)) + 2000
                t += dt
                if t >= end:
                    break
                c = cur[cpu]
                st = R.choice((1, 1, 1, 2, 0x100)) if c else 0
                if c:
                    held.pop(c, None)
                    if st in (1, 2):
                        slept.append(c)
                nxt = 0
                if slept and R.random() < .8:
                    x = slept.pop(R.randrange(len(slept)))
                    if x not in held:
                        wk.append((t - R.randrange(1, 1500), x, cpu, 120, comm[x], R.choice((0, 0, 8))))
                        nxt = x
                if not nxt and R.random() < .3:
                    x = R.choice(tids)
                    if x not in held and x not in slept:
                        nxt = x
                sw.append((t, st, nxt, 120, comm.get(nxt, 'swapper/%d' % cpu)))
                cur[cpu] = nxt
                if nxt:
                    held[nxt] = cpu
                    if R.random() < .5:
                        d = depth.setdefault(nxt, 0)
                        if d < 6 and R.random() < .55:
                            ev.append(mark(t + 500, nxt, 'B|%d|%s' % (tg[nxt], NAMES[(nxt + d) % len(NAMES)])))
                            depth[nxt] = d + 1
                        elif d:
                            ev.append(mark(t + 700, nxt, 'E|%d' % tg[nxt]))
                            depth[nxt] = d - 1
                if R.random() < .01:
                    ev.append(fe(t + 900, nxt or cur[cpu] or 1, 11, I(1, R.choice((576000, 1190000, 1900000, 2800000))) + I(2, cpu)))
                if R.random() < .01:
                    ev.append(mark(t + 950, tids[0], 'C|%d|queue.depth|%d' % (tg[tids[0]], R.randrange(20))))
                if R.random() < .005 and nxt:
                    ev.append(fe(t + 960, nxt, 313, I(1, 1) + I(2, R.randrange(1 << 27) * 4096 % (1 << 28)) + I(3, 1) + I(4, tg[nxt])))
            wk.sort()
            if sw:
                w(bundle(cpu, ev, compact(sw, wk)))
        for a in apps:
            parts = []
            if step - a['cleared'] > 50 or not a['cleared']:
                a['cleared'] = step
                a['names'], a['cats'] = set(), set()
                # clearing drops names and defaults; descriptors are sent again
                parts.append(pkt(I(10, a['seq']), I(13, 1), I(79, a['pid']), B(59, I(58, 6) + B(11, I(11, 1000 + a['th'][0]))), I(87, 1)))
                parts.append(pkt(I(8, now), I(10, a['seq']), I(13, 2), B(60, I(1, 500 + a['pid']) + B(3, I(1, a['pid']) + B(6, procs[a['seq'] - 10][2][0])))))
                for x in a['th']:
                    parts.append(pkt(I(8, now), I(10, a['seq']), I(13, 2), B(60, I(1, 1000 + x) + I(5, 500 + a['pid']) + B(4, I(1, a['pid']) + I(2, x) + B(5, comm[x])))))
                parts.append(pkt(I(8, now), I(10, a['seq']), I(13, 2), B(60, I(1, 9000 + a['pid']) + I(5, 500 + a['pid']) + B(2, 'frame time') + B(8, I(3, 1)))))
                parts.append(pkt(I(8, now), I(10, a['seq']), I(13, 2), B(60, I(1, 9500 + a['pid']) + I(5, 500 + a['pid']) + B(2, 'requests'))))
            t = now
            for _ in range(150):
                t += R.randrange(200000, 900000)
                x = R.choice(a['th'])
                o = a['open'][x]
                nid = R.randrange(len(NAMES)) + 1
                cid = R.randrange(len(CATS)) + 1
                inn = b''
                r = R.random()
                if len(o) < 8 and r < .5:
                    if nid not in a['names']:
                        a['names'].add(nid)
                        inn += B(2, I(1, nid) + B(2, NAMES[nid - 1]))
                    if cid not in a['cats']:
                        a['cats'].add(cid)
                        inn += B(1, I(1, cid) + B(2, CATS[cid - 1]))
                    te = I(9, 1) + I(3, cid) + I(10, nid) + (b'' if x == a['th'][0] else I(11, 1000 + x))
                    if R.random() < .2:
                        te += B(4, B(10, 'n') + I(4, R.randrange(1000)))
                    if R.random() < .05:
                        a['flow'] += 1
                        te += F64(47, a['seq'] << 32 | a['flow'])
                    elif a['flow'] and R.random() < .06:
                        te += F64(48, a['seq'] << 32 | a['flow'])
                    o.append(nid)
                elif o and r < .97:
                    o.pop()
                    te = I(9, 2) + (b'' if x == a['th'][0] else I(11, 1000 + x))
                elif r < .985:
                    te = I(9, 4) + I(11, 9000 + a['pid']) + I(30, R.randrange(4000000, 40000000))
                else:
                    te = I(9, 3) + B(22, 'app') + B(23, 'tick') + I(11, 9500 + a['pid'])
                parts.append(pkt(I(8, t), I(10, a['seq']), I(13, 2), B(11, te), (B(12, inn) if inn else b'')))
            w(b''.join(parts))
        # perf samples
        parts = []
        if step % 50 == 1:
            perf['stacks'], perf['frames'] = {}, {}
            parts.append(pkt(I(10, 20), I(13, 1), B(59, B(12, B(1, I(2, 100) + I(4, 1)) + I(2, 0)))))
            inn = b''.join(B(5, I(1, k + 1) + B(2, n)) for k, n in enumerate(FUNCS))
            inn += B(17, I(1, 1) + B(2, 'system')) + B(17, I(1, 2) + B(2, 'lib64')) + B(17, I(1, 3) + B(2, 'libexample.so'))
            inn += B(16, I(1, 1) + B(2, bytes(range(20)))) + B(19, I(1, 1) + I(2, 1) + I(4, 0x7000000000) + I(5, 0x7000100000) + I(7, 1) + I(7, 2) + I(7, 3))
            inn += b''.join(B(6, I(1, k + 1) + I(2, k + 1) + I(3, 1) + I(4, 0x1000 + 64 * k)) for k in range(len(FUNCS)))
            parts.append(pkt(I(8, now), I(10, 20), I(13, 2), B(12, inn)))
        for _ in range(8 * 10):
            x = R.choice(tids)
            st = (1, 2, 3) + tuple(sorted(R.sample(range(4, len(FUNCS) + 1), R.randrange(2, 9))))
            inn = b''
            if st not in perf['stacks']:
                if len(perf['stacks']) > 2000:
                    st = R.choice(list(perf['stacks']))
                else:
                    perf['stacks'][st] = len(perf['stacks']) + 1
                    inn = B(12, B(7, I(1, perf['stacks'][st]) + b''.join(I(2, z) for z in st)))
            ts = now + R.randrange(100 * 10 ** 6)
            parts.append(pkt(I(8, ts), I(10, 20), I(13, 2), B(66, I(1, R.randrange(ncpu)) + I(2, tg[x]) + I(3, x) + I(4, perf['stacks'][st]) + I(5, 2) + I(6, step)), inn))
        w(b''.join(parts))
        if step % 10 == 0:
            mem += R.randrange(-2000, 2100)
            w(pkt(I(8, now), I(10, 3), B(7, B(1, I(1, 2) + I(2, mem)) + B(1, I(1, 5) + I(2, mem // 2)))))
            w(pkt(I(8, now), I(10, 3), B(9, b''.join(B(1, I(1, p[0]) + I(3, R.randrange(20000, 90000)) + I(10, R.choice((0, 100, 900)))) for p in procs[:8]))))
            w(pkt(I(8, now), I(10, 3), B(39, B(1, I(1, 0) + I(2, procs[3][0]) + I(3, procs[3][0]) + I(5, 1700000000000000000 + now) + B(6, 'Feed') + I(7, 4) + B(8, 'loaded %d items' % step)))))
        if step % 100 == 0:
            w(clocks(now))
            w(sync(now))
        now = end
    for a in apps:
        for x in a['th']:
            while a['open'][x]:
                a['open'][x].pop()
                w(pkt(I(8, now), I(10, a['seq']), I(13, 2), B(11, I(9, 2) + (b'' if x == a['th'][0] else I(11, 1000 + x)))))
    w(service(now, 5))
    w(pkt(I(8, now), I(10, 1), B(35, B(1, I(12, 64 << 20) + I(1, size)))))
    f.close()


# ------------------------------------------------------------------ odd
def plain():
    t = 10 ** 12
    o = [uuid_pkt(7, 9), clocks(t), sync(t),
         pkt(I(10, 1), B(45, B(1, B(1, 'Linux') + B(3, '6.1.0-test') + B(4, 'x86_64')))),
         ptree(t, [(100, 1, ['/usr/bin/server', '-v'], 0), (200, 1, ['client'], 1000)], [(100, 'server', 100), (101, 'io', 100), (200, 'client', 200)])]
    ev = [switch(t + 1000, 0, 'swapper/0', 0, 100, 'server'), mark(t + 1500, 100, 'B|100|request'), mark(t + 1700, 100, 'B|100|parse'),
          mark(t + 1900, 100, 'E|100'), mark(t + 2000, 100, 'S|100|job|5'), mark(t + 2100, 100, 'C|100|queue|3'),
          switch(t + 3000, 100, 'server', 1, 200, 'client'), waking(t + 3500, 200, 100, 'server'),
          switch(t + 4000, 200, 'client', 256, 100, 'server'), mark(t + 4500, 100, 'F|100|job|5'), mark(t + 4600, 100, 'E|100'),
          fe(t + 4700, 100, 11, I(1, 1800000) + I(2, 0)), switch(t + 5000, 100, 'server', 2, 0, 'swapper/0')]
    o.append(bundle(0, ev))
    s = 5
    o.append(pkt(I(10, s), I(13, 1), I(87, 1), B(59, I(58, 6) + B(11, I(11, 77)))))
    o.append(pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 70) + B(3, I(1, 100) + B(6, 'server')))))
    o.append(pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 77) + I(5, 70) + B(4, I(1, 100) + I(2, 101) + B(5, 'io')))))
    o.append(pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 78) + I(5, 70) + B(2, 'bytes in') + B(8, I(3, 3)))))
    o.append(pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 79) + I(5, 70) + B(2, 'connections'))))
    te = lambda dt, body, inn=b'': pkt(I(8, t + dt), I(10, s), I(13, 2), B(11, body), B(12, inn) if inn else b'')
    o.append(te(100, I(9, 1) + I(3, 1) + I(10, 1), B(1, I(1, 1) + B(2, 'net')) + B(2, I(1, 1) + B(2, 'accept'))))
    o.append(te(150, I(9, 1) + I(3, 1) + I(10, 2) + F64(47, 99), B(2, I(1, 2) + B(2, 'read'))))
    o.append(te(180, I(9, 4) + I(11, 78) + I(30, 4096)))
    o.append(te(190, I(9, 3) + B(22, 'net') + B(23, 'eof') + I(11, 77)))
    o.append(te(200, I(9, 2)))
    o.append(te(210, I(9, 1) + B(23, 'conn 1') + I(11, 79)))
    o.append(te(230, I(9, 2) + I(11, 79)))
    o.append(te(300, I(9, 2)))
    o.append(te(350, I(9, 1) + I(10, 2) + F64(48, 99)))
    o.append(te(400, I(9, 2)))
    return o


def flows():
    """Flows of old events: from a call to the next one and to the one around; and of today's events, at ends of calls and of a slice."""
    t, s = 10 ** 12, 5
    te = lambda dt, body: pkt(I(8, t + dt), I(10, s), I(13, 2), B(11, B(22, 'test') + body))
    old = lambda dt, track, phase, number, around=0: te(dt, B(23, 'flow') + I(11, track) + B(6, I(2, ord(phase)) + I(6, number) + I(12, around)))
    begin = lambda dt, track, name, more=b'': te(dt, I(9, 1) + B(23, name) + I(11, track) + more)
    end = lambda dt, track, more=b'': te(dt, I(9, 2) + I(11, track) + more)
    return plain() + [pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 80) + I(5, 70) + B(4, I(1, 100) + I(2, 102) + B(5, 'worker')))),
                      begin(1000, 77, 'send'), begin(1010, 77, 'inner'), old(1020, 77, 's', 7), end(1030, 77), end(1040, 77),
                      begin(1050, 80, 'before'), old(1060, 80, 'f', 7), end(1070, 80), begin(1080, 80, 'next'), end(1090, 80),
                      begin(1100, 77, 'ask'), old(1110, 77, 's', 8), end(1120, 77), begin(1130, 80, 'step'), old(1140, 80, 't', 8), end(1150, 80),
                      begin(1160, 77, 'answer'), old(1170, 77, 'f', 8, 1), end(1180, 77), old(1190, 77, 's', 9), old(1195, 77, 'f', 10, 1),
                      begin(1200, 77, 'starts at its end'), end(1210, 77, F64(47, 500)), begin(1220, 80, 'ends at its end'), begin(1225, 80, 'in it'), end(1226, 80),
                      end(1230, 80, F64(47, 500)), begin(1240, 79, 'slice'), end(1250, 79, F64(48, 500)), begin(1260, 77, 'whole', F64(47, 501)), end(1270, 77),
                      te(1280, B(23, 'old whole') + I(11, 80) + B(6, I(2, 88) + I(3, 1)) + F64(48, 501))]


def odd(d):
    os.makedirs(d, exist_ok=True)

    def put(name, b):
        open('%s/%s.pftrace' % (d, name), 'wb').write(b if isinstance(b, bytes) else b''.join(b))
    p = plain()
    whole = b''.join(p)
    t = 10 ** 12
    put('plain', p)
    put('flows', flows())
    put('empty', b'')
    put('meta-only', p[:4])
    put('cut', whole[:-7])
    put('cut-in-length', whole + b'\x0a\xff')
    put('cut-huge-length', whole + b'\x0a' + vi(1 << 40) + b'xx')
    put('shuffled', p[:5] + p[5:6] + p[6:11] + sorted(p[11:], key=len))
    # framing
    put('padded', b''.join(b'\x0a' + padded(1, x[1 + len(vi(len(x))) - (0 if len(x) - 2 < 128 else 0):])[1:] if False else
                           repad(x) for x in p))
    put('unknown-fields', b''.join(B(1, body(x) + I(1500, 7) + B(1999, b'abc') + F64(1998, 5) + I(77777, 1)) for x in p) + B(9, b'zz'))
    put('empty-packets', b''.join(b'\x0a\x00' + x for x in p))
    put('group-wire', p[:5] + [B(1, b'\x0b\x0c')] + p[5:])
    put('garbage-middle', b''.join(p[:5]) + b'\xff\xfe\xfd' * 40 + sync(t + 1) + b''.join(p[5:]))
    put('garbage-tail', whole + b'\xff' * 100)
    put('length-lies', b''.join(p[:6]) + b'\x0a\x05' + b'\x08\x01' + sync(t + 1) + b''.join(p[6:]))
    mid = p[:6] + [service(t + 1, 1)] * 3 + [sync(t + 1), clocks(t + 1)] + p[6:]
    mw = b''.join(mid)
    put('second-half', mw[len(b''.join(mid[:6])) - 100:])
    # compression
    put('compressed', p[:3] + [pkt(B(50, zlib.compress(b''.join(p[3:8]), 6))), pkt(B(50, zlib.compress(b''.join(p[8:]), 9)))])
    z = zlib.compress(b''.join(p[3:]), 6)
    put('compressed-cut', p[:3] + [pkt(B(50, z[:len(z) * 2 // 3]))])
    put('compressed-garbage', p[:3] + [pkt(B(50, b'\x78\x9c' + b'\x55' * 50))] + p[3:])
    put('compressed-nested', [pkt(B(50, zlib.compress(pkt(B(50, zlib.compress(whole))))))])
    put('compressed-bomb', [p[1], pkt(B(50, zlib.compress(b'\x0a\x00' * 8000000, 9)))])
    # an empty zstd frame with a raw block (no compressor needed): magic, header, one raw block
    raw = b''.join(p[5:])
    put('zstd', p[:5] + [pkt(B(133, zraw(raw)))])
    open(d + '/plain-gz.pftrace', 'wb').write(gzip.compress(whole, mtime=0))
    zf = io.BytesIO()
    with zipfile.ZipFile(zf, 'w', zipfile.ZIP_DEFLATED) as zz:
        zz.writestr(zipfile.ZipInfo('trace.perfetto-trace', (2024, 1, 1, 0, 0, 0)), whole)
        zz.writestr(zipfile.ZipInfo('readme.txt', (2024, 1, 1, 0, 0, 0)), 'not a trace')
    open(d + '/plain-zip.pftrace', 'wb').write(zf.getvalue())
    zf = io.BytesIO()
    with zipfile.ZipFile(zf, 'w', zipfile.ZIP_DEFLATED) as zz:
        for name in ('boot.pftrace', 'app.pftrace'):
            zz.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), whole)
    open(d + '/zip-of-two.pftrace', 'wb').write(zf.getvalue())
    # concatenated: a second session, the same sequence ids, names and clocks of its own
    q = [uuid_pkt(8, 10)] + p[1:]
    put('concatenated', p + q)
    # incremental state
    s = 5
    te = lambda dt, body, fl=2, inn=b'', extra=b'', seq=5: pkt(I(8, t + dt), I(10, seq), I(13, fl), B(11, body), B(12, inn) if inn else b'', extra)
    put('dropped', p + [te(500, I(9, 1) + I(10, 1), extra=I(42, 1)), te(600, I(9, 2)),
                        pkt(I(10, s), I(13, 1), B(59, B(11, I(11, 77)))), te(700, I(9, 1) + I(10, 1), inn=B(2, I(1, 1) + B(2, 'after clear'))), te(800, I(9, 2))])
    put('loss-reasons', p + [te(500, I(9, 1) + I(10, 1), extra=I(42, 0x41)), te(600, I(9, 2), extra=I(42, 0x101))])
    put('never-cleared', p[:6] + p[7:])
    put('rebound', p + [te(500, I(9, 1) + I(10, 1)), te(550, I(9, 2)), te(600, I(9, 1) + I(10, 2), 3, B(2, I(1, 2) + B(2, 'same id, new name')), extra=B(59, B(11, I(11, 77)))), te(650, I(9, 2))])
    put('unknown-iid', p + [te(500, I(9, 1) + I(10, 55) + I(3, 66)), te(550, I(9, 2))])
    put('late-intern', p[:11] + [te(90, I(9, 1) + I(10, 3)), te(95, I(9, 2), inn=B(2, I(1, 3) + B(2, 'told later')))] + p[11:])
    put('no-sequence', p[:6] + [pkt(I(8, t + 50), B(11, I(9, 1) + I(11, 77) + B(23, 'lost')))] + p[6:])
    # threads of Chrome stay apart from marks of the kernel; their CPU time is a sum of differences, which begins again with the state
    thread = lambda fl, tid, dt: [pkt(I(8, t + dt), I(10, 20 + tid), I(13, fl), B(60, I(1, 500 + tid) + B(4, I(1, 100) + I(2, tid) + B(5, 'thread %d' % tid)) + I(9, 1))),
                                  pkt(I(8, t + dt), I(10, 20 + tid), I(13, 2), B(60, I(1, 600 + tid) + I(5, 500 + tid) + B(10, 'thread_time') + B(8, I(1, 1) + I(4, 1000) + I(5, 1))),
                                      B(59, B(11, I(11, 500 + tid) + I(31, 600 + tid))))]
    on = lambda tid, dt, body, us: te(dt, body + I(12, us), seq=20 + tid)
    named = lambda name: I(9, 1) + B(23, name)
    put('apart', p + thread(1, 101, 300) + [on(101, 310, named('outer'), 5000), on(101, 320, named('inner'), 3), on(101, 330, I(9, 2), 2)] + thread(1, 101, 400)
        + [on(101, 410, I(9, 2), 5009), on(101, 420, named('after'), 1), on(101, 440, I(9, 2), 7), te(450, I(9, 3) + I(11, 0) + B(23, 'of nobody'), seq=121),
           te(460, I(11, 0) + B(23, 'Profile') + B(6, I(2, ord('P'))), seq=121)])
    put('apart-and-marks', p + thread(1, 100, 300) + [on(100, 310, named('event'), 5), on(100, 900, I(9, 2), 2),
                                                      bundle(0, [mark(t + 320, 100, 'B|100|mark'), mark(t + 2000, 100, 'E|100')])])
    # tracks
    put('track-cycle', p + [pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 300) + I(5, 301) + B(2, 'a'))), pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 301) + I(5, 300) + B(2, 'b'))),
                            te(500, I(9, 1) + I(11, 300) + B(23, 'x')), te(510, I(9, 2) + I(11, 300))])
    put('track-unknown', p + [te(500, I(9, 1) + I(11, 12345) + B(23, 'orphan')), te(510, I(9, 2) + I(11, 12345))])
    put('track-late', p[:8] + p[11:] + p[8:11])
    put('async-lanes', p + [x for k in range(5) for x in (pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 400 + k) + I(5, 70) + B(2, 'fetch'))),
                                                         te(500 + 10 * k, I(9, 1) + I(11, 400 + k) + B(23, 'get %d' % k)), te(545 + 10 * k, I(9, 2) + I(11, 400 + k)))])
    put('deep', p + [te(500 + k, I(9, 1) + B(23, 'd%d' % k)) for k in range(700)] + [te(5000 + k, I(9, 2)) for k in range(700)])
    put('overlap', p + [pkt(I(8, t + a), I(10, s), I(13, 2), B(11, I(9, 0) + B(23, n) + I(11, 77) + B(6, I(2, 88) + I(3, d_)))) for a, d_, n in
                        ((500000, 100, 'first'), (550000, 20, 'inside'), (560000, 90, 'straddles'), (700000, 10, 'after'))])
    put('end-without-begin', p + [te(500, I(9, 2)), te(510, I(9, 2)), te(600, I(9, 1) + B(23, 'open'))])
    put('counters', p + [pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, 500) + I(5, 77) + B(2, 'delta') + B(8, I(4, 1000) + I(5, 1)))),
                         te(500, I(9, 4) + I(11, 500) + I(30, 5)), te(510, I(9, 4) + I(11, 500) + I(30, -2 & (1 << 64) - 1)), te(520, I(9, 4) + I(11, 500) + D(44, 0.5)),
                         te(530, I(9, 1) + B(23, 'with extra') + I(31, 500) + I(12, 3)), te(540, I(9, 2)), te(550, I(9, 4) + I(11, 79) + I(30, 1)), te(560, I(9, 4) + I(11, 500))])
    # args: of names and texts with numbers, nested, in the old form, of a begin and its end, in compressed packets
    arg = lambda *v: B(4, b''.join(v))
    args = [te(500, I(9, 1) + B(23, 'plain') + arg(I(1, 7), I(4, -3 & (1 << 64) - 1)) + arg(B(10, 'size'), I(3, 4096)) + arg(B(10, 'ok'), I(2, 1)) + arg(B(10, 'ratio'), D(5, 0.25)) +
               arg(B(10, 'state'), I(17, 4)) + arg(B(10, 'at'), I(7, 0xbeef)) + arg(B(10, 'text'), B(6, 'a b'))), te(510, I(9, 2) + arg(B(10, 'size'), I(3, 8192)) + arg(B(10, 'result'), B(6, 'done')),
               inn=B(3, I(1, 7) + B(2, 'delta')) + B(29, I(1, 4) + B(2, 'opening'))),
            te(520, I(9, 1) + B(23, 'nested') + arg(B(10, 'rect'), B(11, B(10, 'w') + I(4, 3)) + B(11, B(10, 'corners') + B(12, I(4, 1)) + B(12, I(4, 2)))) +
               arg(B(10, 'old'), B(8, B(2, 'a') + B(2, 'b') + B(3, I(5, 7)) + B(3, B(4, B(8, 'x')) + B(4, I(7, 1))))) + arg(B(10, 'json'), B(9, '{"k":[1]}'))), te(530, I(9, 2)),
            te(540, I(9, 3) + B(23, 'instant') + arg(B(10, 'why'), B(6, 'test'))),
            te(550, I(9, 1) + B(23, 'conn 2') + I(11, 79) + arg(I(1, 7), B(6, 'async'))), te(560, I(9, 2) + I(11, 79)),
            te(570, I(9, 1) + B(23, 'damaged') + arg(b'\x52\x7f') + arg(I(1, 99), I(3, 5))), te(580, I(9, 2))]
    put('args', p + args)
    put('args-compressed', p[:6] + [pkt(B(50, zlib.compress(b''.join(p[6:] + args))))])
    line = lambda dt, pid, tid, tag, prio, text: B(1, I(1, 0) + I(2, pid) + I(3, tid) + I(5, 1700000000000000000 + t + dt) + B(6, tag) + I(7, prio) + B(8, text))
    put('log', p + [pkt(I(8, t + 800), I(10, 14), B(39, line(600, 100, 101, 'Net', 5, 'slow') + line(700, 200, 200, 'client', 6, 'no answer') + line(750, 200, 0, 'x', 9, '') + line(-900000, 100, 100, 'early', 4, 'before the recording'))),
                    te(900, I(9, 3) + B(23, 'said') + B(21, I(1, 3) + I(2, 4) + I(3, 6)), inn=B(4, I(1, 3) + B(2, 'a.cc') + I(4, 12)) + B(20, I(1, 4) + B(2, 'lost')))])
    named = lambda name, value: B(9, B(1, name) + value)
    told = lambda dt, tag, text, *args: B(1, I(1, 2) + I(2, 100) + I(3, 101) + I(5, 1700000000000000000 + t + dt) + B(6, tag) + I(7, 4) + (B(8, text) if text else b'') + b''.join(args))
    put('log-args', p + [pkt(I(8, t + 800), I(10, 14), B(39, told(600, 'am_anr', '', named('User', I(2, 0)), named('pid', I(2, 1234)), named('Package Name', B(4, 'com.a'))) +
        told(700, 'wm_pause_activity', 'paused', named('Component', B(4, 'com.a/.Main')), named('ratio', vi(3 << 3 | 5) + struct.pack('<f', 0.5)), named('delta', I(2, (1 << 64) - 7)), named('none', b''))))])
    # clocks
    mono = lambda dt, body, seq=5: pkt(I(8, t + dt - 5000000000), I(58, 3), I(10, seq), I(13, 2), B(11, body))
    put('mono-events', p + [mono(500, I(9, 1) + B(23, 'mono')), mono(600, I(9, 2))])
    put('no-snapshot', [x for x in p if x is not p[1]] + [mono(500, I(9, 1) + B(23, 'mono')), mono(600, I(9, 2))])
    put('late-snapshot', p[:1] + p[2:] + [mono(500, I(9, 1) + B(23, 'mono')), mono(600, I(9, 2)), p[1]])
    put('primary-mono', [p[0], clocks(t, prim=3)] + p[2:])
    put('sequence-clock', p + [pkt(I(10, 6), I(13, 1), B(59, I(58, 64) + B(11, I(11, 77)))),
                               pkt(I(10, 6), I(13, 2), B(6, B(1, I(1, 6) + I(2, t + 10000)) + B(1, I(1, 64) + I(2, 0) + I(3, 1) + I(4, 1000))))] +
        [pkt(I(8, dt), I(10, 6), I(13, 2), B(11, I(9, ty) + B(23, 'us') * (ty == 1))) for dt, ty in ((5, 1), (7, 2), (1, 1), (3, 2))])
    put('legacy-delta', p + [pkt(I(10, 7), I(13, 1), B(44, I(1, 200) + I(2, 201) + B(5, 'legacy') + I(6, (t - 5000000000) // 1000) + I(7, 50)))] +
        [pkt(I(10, 7), I(13, 2), B(11, I(1, d_) + I(2, 1) + B(6, I(2, ord(ph)) + I(1, 1))), B(12, B(2, I(1, 1) + B(2, 'old style')))) for d_, ph in ((10, 'B'), (5, 'E'))])
    # ftrace
    put('lost-events', p + [bundle(0, [switch(t + 9000, 0, 'swapper/0', 0, 100, 'server')], I(3, 1))])
    put('switch-gap', p + [bundle(0, [switch(t + 9000, 200, 'client', 1, 100, 'server'), switch(t + 9500, 100, 'server', 1, 0, 'swapper/0')])])
    put('per-cpu-start', p[:5] + [bundle(0, [switch(t + 10, 0, 'swapper/0', 0, 100, 'server'), switch(t + 2000, 100, 'server', 1, 0, 'swapper/0')], I(10, t)),
                                  bundle(1, [switch(t + 1500, 0, 'swapper/1', 0, 200, 'client'), switch(t + 1800, 200, 'client', 1, 0, 'swapper/1')], I(10, t + 1000))])
    put('before-start', p[:5] + [service(t + 3200, 2)] + p[5:])
    put('compact', p[:5] + [bundle(0, [mark(t + 1500, 100, 'B|100|request'), mark(t + 2500, 100, 'E|100')],
                                   compact([(t + 500, 0, 0, 120, 'swapper/0'), (t + 1000, 0, 100, 120, 'server'), (t + 3000, 1, 200, 120, 'client'), (t + 4000, 256, 100, 120, 'server'), (t + 5000, 2, 0, 120, 'swapper/0')],
                                           [(t + 3500, 100, 0, 120, 'server', 0), (t + 3600, 100, 0, 120, 'server', 8)]))])
    put('compact-bad-index', p[:5] + [bundle(0, [], B(4, B(5, 'a') + P(1, [t, 10, 10]) + P(2, [0, 0, 0]) + P(3, [1, 2, 3]) + P(4, [1, 1, 1]) + P(6, [0, 0, 9])))])
    put('compact-short-column', p[:5] + [bundle(0, [], B(4, B(5, 'a') + P(1, [t, 10, 10]) + P(2, [0, 0]) + P(3, [1, 2, 3]) + P(4, [1, 1, 1]) + P(6, [0, 0, 0])))])
    put('cpu-too-large', p + [bundle(5000, [switch(t + 9000, 0, 'x', 0, 100, 'y')])])
    put('bad-marks', p + [bundle(0, [mark(t + 6000, 100, x) for x in ('B', 'B|', 'B|x|y', 'B|100|', 'E', 'S|100|a', 'C|100|q|x', 'Q|1|2', 'C|100|q|-5|cat', 'B|100|a|b|c', 'E|100', 'E|100', '', 'trace_event_clock_sync: realtime_ts=1', 'N|100|track|now', 'G|100|track|long|1', 'H|100|track|1', 'H|100|track|old|1', 'I|100|inst', 'C|100|below|-5', 'C|100|below|7', 'C|1|kill_one_process|200', 'C|1|ScreenState|2')])])
    put('tid-reuse', p[:6] + [bundle(0, [fe(t + 6000, 100, 235, I(1, 101) + B(2, 'io') + I(3, 0x10f00)), switch(t + 6100, 0, 'swapper/0', 0, 101, 'io'), fe(t + 6200, 101, 236, I(1, 101) + B(2, 'io') + B(3, 'io-renamed')),
                                         switch(t + 6300, 101, 'io', 16, 0, 'swapper/0'), fe(t + 6400, 0, 240, B(1, 'io-renamed') + I(2, 101)), fe(t + 6500, 200, 235, I(1, 101) + B(2, 'child') + I(3, 0x1200011)), switch(t + 6600, 0, 'swapper/0', 0, 101, 'child')])])
    put('blocked', p + [pkt(I(10, 2), I(13, 1)), pkt(I(10, 2), I(13, 2), B(1, I(1, 0) + switch(t + 7000, 0, 'swapper/0', 0, 100, 'server') + switch(t + 7100, 100, 'server', 2, 0, 'swapper/0') + waking(t + 7300, 0, 100, 'server') + fe(t + 7301, 0, 18, I(1, 100) + I(2, 4) + I(3, 1)) + switch(t + 7400, 0, 'swapper/0', 0, 100, 'server')), B(12, B(26, I(1, 4) + B(2, 'io_schedule'))))])
    put('generic-event', p + [bundle(0, [fe(t + 6000, 100, 327, B(1, 'my_event') + B(2, B(1, 'x') + I(5, 7)))])])
    put('unknown-ftrace', p + [bundle(0, [fe(t + 6000, 100, 9999, I(1, 1)), B(2, I(1, t + 6001) + I(2, 100)), B(2, I(2, 100) + B(4, b'')), B(2, b'\x08')])])
    # profiles
    iid = B(5, I(1, 1) + B(2, 'main')) + B(5, I(1, 2) + B(2, 'work')) + B(17, I(1, 1) + B(2, 'usr')) + B(17, I(1, 2) + B(2, 'server')) + B(16, I(1, 1) + B(2, b'\xab\xcd')) + \
        B(19, I(1, 1) + I(2, 1) + I(7, 1) + I(7, 2)) + B(6, I(1, 1) + I(2, 1) + I(3, 1) + I(4, 16)) + B(6, I(1, 2) + I(2, 2) + I(3, 1) + I(4, 32)) + B(6, I(1, 3) + I(3, 1) + I(4, 48)) + \
        B(7, I(1, 1) + I(2, 1) + I(2, 2)) + B(7, I(1, 2) + I(2, 1) + I(2, 3)) + B(7, I(1, 3) + I(2, 1) + I(2, 9))
    ps = lambda dt, body: pkt(I(8, t + dt), I(10, 8), I(13, 2), B(66, body))
    perf = [pkt(I(10, 8), I(13, 1), B(59, B(12, B(1, I(2, 100) + I(4, 10)))), B(12, iid)), ps(100, I(1, 0) + I(2, 100) + I(3, 100) + I(4, 1) + I(5, 2) + I(6, 1000)),
            ps(200, I(2, 100) + I(3, 101) + I(4, 2)), ps(300, I(2, 100) + I(3, 101) + I(4, 3)), ps(400, I(2, 200) + I(3, 200) + I(18, 2)), ps(500, I(1, 1) + I(17, 12)), ps(600, I(2, 200) + I(3, 200) + I(4, 77)),
            pkt(I(10, 8), B(61, B(1, '/usr/server') + B(2, b'\xab\xcd') + B(3, I(1, 48) + B(2, B(1, 'inlined') + B(2, 'a.c') + I(3, 10)) + B(2, B(1, 'symbolised') + B(2, 'a.c') + I(3, 99)))))]
    put('perf', p + perf)
    put('perf-symbols-cut', p + perf + [pkt(I(10, 8), B(61, b'\x0a\x05abc'))])
    hp = B(1, I(1, 1) + B(2, 'main')) + B(1, I(1, 2) + B(2, 'alloc')) + B(1, I(1, 3) + B(2, 'libc.so')) + B(4, I(1, 1) + I(7, 3)) + B(2, I(1, 1) + I(2, 1) + I(3, 1)) + B(2, I(1, 2) + I(2, 2) + I(3, 1)) + B(3, I(1, 1) + I(2, 1) + I(2, 2))
    dump = lambda ts, a, fr, c, e: B(5, I(1, 100) + I(9, ts) + B(11, 'libc.malloc') + I(12, 4096) + B(2, I(1, 1) + I(2, a) + I(3, fr) + I(5, c) + I(6, e)))
    m = t - 5000000000
    put('heapprofd', p + [pkt(I(8, t), I(10, 9), B(37, hp + dump(m + 1000, 8192, 4096, 2, 1) + I(6, 1))), pkt(I(8, t), I(10, 9), B(37, dump(m + 1000, 0, 0, 0, 0)[:0] + I(7, 1))),
                          pkt(I(8, t + 9), I(10, 9), B(37, hp + dump(m + 9000, 20480, 8192, 5, 2) + I(7, 2)))])
    put('heapprofd-gap', p + [pkt(I(8, t), I(10, 9), B(37, hp + dump(m + 1000, 8192, 4096, 2, 1) + I(7, 1)))])
    java = B(1, I(1, 5) + B(2, 'a.b')) + B(1, I(1, 6) + B(2, 'data/app/~~x==/com.shop-y==/base.apk')) + B(1, I(1, 7) + B(2, 'c.d')) + \
        B(1, I(1, 8) + B(2, b'\xab\xcd')) + B(4, I(1, 2) + I(7, 6) + I(2, 8)) + B(2, I(1, 3) + I(2, 5) + I(3, 2) + I(4, 16)) + \
        B(2, I(1, 4) + I(2, 7) + I(3, 2) + I(4, 32)) + B(2, I(1, 5) + I(3, 2) + I(4, 48)) + B(3, I(1, 2) + P(2, [3, 4])) + B(3, I(1, 3) + P(2, [3, 5])) + B(3, I(1, 4) + I(2, 9))
    deob = lambda package, new: pkt(I(10, 9), B(64, B(1, package) + B(3, B(1, 'a') + B(2, new) + B(4, B(1, 'b') + B(2, 'pay')) + B(4, B(1, 'b') + B(2, 'refund')) + B(4, B(1, 'x') + B(2, 'other'))) + B(3, B(1, 'c') + B(2, new + 'Too'))))
    put('heapprofd-names', p + [pkt(I(8, t), I(10, 9), B(37, hp + java + B(5, I(1, 100) + I(9, m + 1000) + B(2, I(1, 2) + I(2, 64) + I(5, 1)) + B(2, I(1, 3) + I(2, 32) + I(5, 2)) + B(2, I(1, 4) + I(2, 9) + I(5, 1))))),
                                deob('com.other', 'Wrong'), deob('com.shop', 'com.shop.Pay'), deob('', 'None'),
                                pkt(I(10, 9), B(61, B(1, '/data/app/~~x==/com.shop-y==/base.apk') + B(2, 'abcd') + B(3, I(1, 48) + B(2, B(1, 'a.x') + B(2, 'P.java') + I(3, 7)) + B(2, B(1, 'outer')))))])
    # Methods of merged classes, and lines at which methods were inlined: of two packages that have the same short names.
    method = lambda short, name, *n: B(4, B(1, short) + B(2, name) + b''.join(I(3 + i, v) for i, v in enumerate(n)))
    merged = lambda package, new: pkt(I(10, 9), B(64, B(1, package) + B(3, B(1, 'a') + B(2, new) + method('c', 'foo') + method('b', 'com.B.bar') + method('a', 'com.B.baz') + method('a', 'baz') +
        method('d', 'inner', 1, 1, 54) + method('d', 'outer', 1, 1, 50) + method('d', 'com.B.deep', 2, 3, 9) + method('d', 'outer', 2, 3, 60))))
    lines = ((1, 'a.a', 0), (2, 'a.b', 0), (3, 'a.c', 0), (4, 'a.d', 1), (5, 'a.d', 3), (6, 'a.d', 7))
    r8 = b''.join(B(1, I(1, n) + B(2, name)) + B(2, I(1, n) + I(2, n) + I(3, 1) + I(4, 16 * n)) + B(2, I(1, n + 10) + I(2, n) + I(3, 2) + I(4, 16 * n)) + B(3, I(1, n) + I(2, n)) + B(3, I(1, n + 10) + I(2, n + 10)) for n, name, _ in lines) + \
        B(1, I(1, 20) + B(2, 'data/app/com.one/base.apk')) + B(1, I(1, 21) + B(2, 'data/app/~~y==/com.two-z==/base.apk')) + B(4, I(1, 1) + I(7, 20)) + B(4, I(1, 2) + I(7, 21))
    said = lambda path: pkt(I(10, 9), B(61, B(1, path) + b''.join(B(3, I(1, 16 * n) + B(2, B(1, name) + B(2, 'SourceFile') + I(3, line))) for n, name, line in lines if line)))
    put('heapprofd-merged', p + [pkt(I(8, t), I(10, 9), B(37, r8 + B(5, I(1, 100) + I(9, m + 1000) + b''.join(B(2, I(1, n + k) + I(2, 64 + n) + I(5, 1)) for n, _, _ in lines for k in (0, 10))))),
                                 merged('com.one', 'com.A'), merged('com.three', 'com.C'), said('/data/app/com.one/base.apk'), said('/data/app/~~y==/com.two-z==/base.apk')])
    # One callstack of two heaps, and a number that means another one in the next dump; the last dump is below the sums so far.
    two = lambda ts, heap, cs, a: B(5, I(1, 200) + I(9, ts) + B(11, heap) + B(2, I(1, cs) + I(2, a) + I(3, a // 4) + I(5, a // 16)))
    hq = hp + B(3, I(1, 2) + I(2, 1))
    hr = hp.replace(B(3, I(1, 1) + I(2, 1) + I(2, 2)), b'') + B(3, I(1, 1) + I(2, 1)) + B(3, I(1, 2) + I(2, 1) + I(2, 2))
    put('heapprofd-heaps', p + [pkt(I(8, t), I(10, 9), B(37, hq + two(m + 1000, 'libc.malloc', 1, 640) + two(m + 1000, 'com.android.art', 1, 320) + two(m + 1000, 'custom', 2, 160))),
                                pkt(I(8, t + 5), I(10, 9), B(37, hr + two(m + 5000, 'libc.malloc', 1, 64) + two(m + 5000, 'custom', 2, 80) + I(7, 1))),
                                pkt(I(8, t + 9), I(10, 9), B(37, hr + two(m + 9000, 'libc.malloc', 1, 32) + I(7, 2)))])
    put('streaming', p + [pkt(I(10, 11), I(13, 1), B(44, I(1, 200) + I(2, 200) + I(6, m // 1000)), B(12, iid)), pkt(I(10, 11), I(13, 2), B(54, I(1, 1) + I(1, 2) + I(1, 1) + I(2, 100) + I(2, 50) + I(2, 50)))])
    # the door
    put('json-inside', [p[1], pkt(I(8, t), I(10, 1), B(5, B(5, I(1, 0) + B(2, '[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]'))))])
    put('unread-kinds', p + [pkt(I(8, t), I(10, 1), B(n, b'\x08\x01')) for n in (52, 53, 57, 84, 88, 93, 95, 99, 110, 135)])
    graph = pkt(I(8, t), I(10, 3), B(56, I(1, 100) + I(6, 0)))
    gpu = lambda dt, body: pkt(I(8, t + dt), I(10, 12), B(52, body))
    value = lambda n, v: B(2, I(1, n) + (I(2, v) if isinstance(v, int) else D(3, v)))
    put('gpu-counters', p + [gpu(1000, B(1, B(1, I(1, 1) + B(2, 'busy')) + B(1, I(1, 2)) + B(1, I(1, 3) + B(2, 'clock') + I(11, 2))) + value(1, 10) + value(3, 500)),
                             gpu(2000, value(1, 20) + value(2, 1.5) + value(3, 600) + value(9, 1)), gpu(3000, value(1, 30) + value(2, 2.5)),
                             pkt(I(10, 13), I(13, 1), B(12, B(47, I(1, 5) + B(2, B(1, I(1, 1) + B(2, 'vertices'))) + I(3, 1)))),
                             pkt(I(8, t + 2500), I(10, 13), I(13, 2), B(52, I(4, 5) + value(1, 7))), pkt(I(8, t + 3500), I(10, 13), I(13, 2), B(52, I(4, 5) + value(1, 8))),
                             pkt(I(8, t + 3600), I(10, 13), I(13, 2), B(52, I(4, 6) + value(1, 9))), pkt(I(10, 13), B(52, value(1, 9)))])
    put('gpu-described-first', [p[1], pkt(I(10, 12), B(52, B(1, B(1, I(1, 1) + B(2, 'busy'))))), pkt(I(8, 0), I(10, 12), B(52, B(1, B(1, I(1, 2) + B(2, 'clock') + I(11, 2))))),
                                gpu(1000, value(1, 10)), gpu(2000, value(1, 20) + value(2, 5))])
    put('syscalls', p + [pkt(I(10, 1), B(45, B(1, B(1, 'Linux') + B(3, '6.1.0') + B(4, 'aarch64')))),
                         bundle(1, [fe(t + 1100, 300, 329, I(1, 63)), fe(t + 1200, 300, 330, I(1, 63) + I(2, 5)), fe(t + 1300, 300, 329, I(1, 64)), mark(t + 1400, 300, 'B|300|in'),
                                    fe(t + 1500, 300, 330, I(1, 64)), mark(t + 1600, 300, 'E|300'), fe(t + 1700, 300, 329, I(1, 9999)), fe(t + 1800, 300, 329, I(1, 98))])])
    rails = lambda body: pkt(I(8, t + 100), I(10, 1), B(40, body))
    put('rails', p + [rails(B(1, I(1, 0) + B(2, 'CPU_RAIL')) + B(1, I(1, 1) + B(2, 'GPU_RAIL'))), rails(B(2, I(1, 0) + I(2, (t + 1000000) // 1000000) + I(3, 25))),
                      rails(B(2, I(1, 1) + I(3, 7)) + b'\x12\x09GP'), rails(B(2, I(1, 1) + I(3, 9)))])
    # numbers of /proc/vmstat, stalls, disks, temperatures and idle states
    stats = lambda k: pkt(I(8, t + 1000 * k), I(10, 1), B(7, b''.join(B(2, I(1, n) + I(2, n * k)) for n in (1, 37, 100, 188)) + b''.join(B(14, I(1, n) + I(2, 10 * k)) for n in range(1, 7)) +
        B(15, B(1, 'zone0') + I(2, 40 + k) + B(3, 'cpu-thermal')) + B(16, I(1, 2) + B(2, B(1, 'C1') + I(2, 5 * k)) + B(2, B(1, 'C3') + I(2, 7 * k))) +
        b''.join(B(13, B(1, name) + b''.join(I(n, n * k * k) for n in fields)) for name, fields in (('sda', range(2, 10)), ('sdb', (2, 4))))))
    put('system', p + [stats(k) for k in (1, 2, 4)])
    # an incremental counter of two writers; one of them begins again
    told = lambda seq, dt, v: te(dt, I(9, 4) + I(11, 700) + I(30, v), seq=seq)
    both = lambda seq: pkt(I(8, t), I(10, seq), I(13, 1), B(60, I(1, 700) + B(2, 'bytes') + B(8, I(5, 1))))
    put('writers', p + [both(31), both(32), told(31, 500, 100), told(32, 550, 50), told(31, 600, 10), told(32, 650, 5), both(31), told(31, 700, 3), told(32, 750, 5)])
    # one pid of two processes: as descriptors of tracks say, and as the kernel says; with memory of both
    of = lambda uuid, pid, name: pkt(I(8, t + uuid), B(60, I(1, uuid) + B(3, I(1, pid) + B(6, name))))
    its = lambda uuid, pid, tid, name: pkt(I(8, t + uuid), B(60, I(1, uuid) + B(4, I(1, pid) + I(2, tid) + B(5, name))))
    put('pid-twice', p + [of(800, 55, 'first'), its(801, 55, 56, 't1'), te(900, I(9, 1) + I(11, 801) + B(23, 'a')), te(910, I(9, 2) + I(11, 801)), te(920, I(9, 3) + I(11, 800) + B(23, 'mark1')),
                          of(1000, 55, 'second'), its(1001, 55, 57, 't2'), te(1100, I(9, 1) + I(11, 1001) + B(23, 'b')), te(1110, I(9, 2) + I(11, 1001)), te(1120, I(9, 3) + I(11, 1000) + B(23, 'mark2'))])
    put('process-descriptor', p + [pkt(I(8, t + 400), I(10, 5), B(43, I(1, 66) + B(2, '/usr/bin/tool') + B(2, '-v') + B(6, 'tool'))), pkt(I(10, 5), B(43, B(6, 'of nobody')))])
    fork = lambda dt, name: fe(t + dt, 100, 235, I(1, 101) + B(2, name) + I(3, 0x1200011))
    rss = lambda dt, size: fe(t + dt, 101, 313, I(1, 1) + I(2, size) + I(3, 1) + I(4, 7))
    put('pid-twice-kernel', p[:6] + [bundle(0, [fork(6000, 'one'), switch(t + 6100, 0, 'swapper/0', 0, 101, 'one'), mark(t + 6150, 101, 'B|101|work'), rss(6200, 4096), mark(t + 6250, 101, 'E|101'),
                                                switch(t + 6300, 101, 'one', 16, 0, 'swapper/0'), fe(t + 6400, 0, 240, B(1, 'one') + I(2, 101)), fork(6500, 'two'), switch(t + 6600, 0, 'swapper/0', 0, 101, 'two'),
                                                mark(t + 6650, 101, 'B|101|more'), rss(6700, 8192), mark(t + 6750, 101, 'E|101')])])
    def scan(at, ppid, name, start):
        return pkt(I(8, t + at), I(10, 2), B(2, B(1, I(1, 300) + I(2, ppid) + B(3, name) + (I(7, start) if start else b'')) + B(2, I(1, 301) + I(3, 300) + B(2, 'thread'))))

    def pid300(name, first, second):
        does = lambda at, what, kb: [pkt(I(8, t + at), B(9, B(1, I(1, 300) + I(3, kb)))), bundle(0, [mark(t + at + 10, 301, 'B|300|' + what), mark(t + at + 20, 301, 'E|300')])]
        put(name, p[:6] + [scan(5000, *first)] + does(5100, 'work', 77) + [scan(5200, *second)] + does(5300, 'more', 88))
    pid300('pid-other-parent', (1, '/bin/one', 0), (100, '/bin/two', 0))
    pid300('pid-other-start', (1, '/bin/one', 500), (1, '/bin/two', 900))
    pid300('pid-adopted', (100, '/bin/one', 0), (1, '/bin/one', 0))
    pid300('pid-adopted-later', (100, '/bin/one', 500), (1, '/bin/two', 500))
    pid300('pid-other-name', (1, '/bin/one', 0), (1, '/bin/two', 0))
    # two counters of one name: of two rails, and of two tracks
    put('counters-of-one-name', p + [rails(B(1, I(1, 0) + B(2, 'CPU')) + B(1, I(1, 1) + B(2, 'CPU'))), rails(B(2, I(1, 0) + I(3, 25)) + B(2, I(1, 1) + I(3, 70))), rails(B(2, I(1, 0) + I(3, 26)))] +
        [pkt(I(8, t), I(10, s), I(13, 2), B(60, I(1, n) + I(5, 77) + B(2, 'same') + B(8, b''))) for n in (950, 951)] +
        [te(500 + k, I(9, 4) + I(11, 950 + k % 2) + I(30, k)) for k in range(5)])
    put('generic-events', p + [bundle(0, [fe(t + 1100, 100, 327, B(1, 'gpu_submit') + B(2, B(1, 'ring') + I(4, 3))), fe(t + 1200, 101, 327, B(1, 'gpu_done')),
                                         fe(t + 1300, 100, 327, b'')])])
    put('unread-more', p + [graph, graph, pkt(B(133, b'x')), pkt(I(8, t), I(10, 1), B(140, b'')), pkt(I(8, t), I(10, 1), I(1234, 5)), pkt(I(8, t), I(10, 1), B(1234, b'x')),
                            bundle(0, [fe(t + 5000, 100, 307, I(1, 1)), fe(t + 5001, 100, 307, I(1, 2)), fe(t + 5002, 100, 41, I(1, 2)), fe(t + 5003, 100, 639, I(1, 2))])])
    put('heap-graph-alone', p[:2] + [graph])
    put('heap-graph-cut', b''.join(p[:2] + [graph])[:-1])


def body(x):
    """The body of one encoded packet field."""
    p = 1
    while x[p] & 128:
        p += 1
    return x[p + 1:]


def repad(x):
    """The packet again, with its own length and the length of its longest inner field padded to 4 bytes."""
    b = body(x)
    out, p = b'', 0
    while p < len(b):
        q = p
        key = sh = 0
        while True:
            c = b[p]
            key |= (c & 127) << sh
            p += 1
            sh += 7
            if c < 128:
                break
        if key & 7 == 0:
            while b[p] & 128:
                p += 1
            p += 1
            out += b[q:p]
        elif key & 7 == 2:
            l = sh = 0
            while True:
                c = b[p]
                l |= (c & 127) << sh
                p += 1
                sh += 7
                if c < 128:
                    break
            out += padded(key >> 3, b[p:p + l])
            p += l
        else:
            p += 8 if key & 7 == 1 else 4
            out += b[q:p]
    return padded(1, out)


def zraw(b):
    """A zstd frame of raw (stored) blocks."""
    o = b'\x28\xb5\x2f\xfd' + bytes([0x00 | 0x80 | 0x20]) + struct.pack('<I', len(b))
    k = 0
    while True:
        c = b[k:k + 100000]
        k += len(c)
        o += struct.pack('<I', len(c) << 3 | (k >= len(b)))[:3] + c
        if k >= len(b):
            return o


if __name__ == '__main__':
    if len(sys.argv) >= 4 and sys.argv[1] == 'big':
        big(float(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    elif len(sys.argv) == 3 and sys.argv[1] == 'odd':
        odd(sys.argv[2])
    else:
        sys.exit(__doc__)
