#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""What icecore redact has to write, before gzip, by a slow program of its own.

  redact.py [--mode shape|stable] [--names keep|hash|hash-all] [--key FILE] [--kept FILE] [--no-time 1] IN OUT
  redact.py --scan IN WORD...      exit 1 when a word is in IN: as bytes, in UTF-16, base64 or hex

Byte n of the output describes the same thing as byte n of the input.  --kept: what icecore redact --list-kept prints.
"""
import base64, gzip, hashlib, hmac, re, struct, sys

SIZE = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
KNOWN = {1, 2, 3, 4, 5, 6, 7, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x1C, 0x2C}
TAG = re.compile(b"[" + re.escape(bytes(KNOWN)) + b"]")
# Ids and bytes of a record, where it has a count and what that counts.
FORMS = {2: (2, 8, 0, 0), 3: (0, 4, 0, 0), 4: (4, 8, 0, 0), 5: (0, 12, 8, None), 6: (0, 34, 30, 25), 7: (0, 24, 0, 0),
         0x0A: (4, 8, 0, 0), 0x0B: (0, 4, 0, 0), 0x0D: (0, 8, 4, 8), 0x0E: (0, 6, 0, 0)}
ROOTS = {0xFF: 0, 0x01: None, 0x02: 8, 0x03: 8, 0x04: 4, 0x05: 0, 0x06: 4, 0x07: 0, 0x08: 8,
         0x89: 0, 0x8A: 0, 0x8B: 0, 0x8C: 0, 0x8D: 0, 0x8E: 8, 0x90: 0}
PLATFORM = tuple("java. javax. jdk. sun. com.sun. android. androidx. com.android. dalvik. libcore. kotlin. kotlinx. leakcanary. "
                 "com.squareup.leakcanary.".split())
PRIMITIVE = (b"boolean", b"byte", b"char", b"short", b"int", b"long", b"float", b"double", b"void")
CUT = re.compile(rb"([./$;()\[\]<>])")


def dotted(b):
    return b.decode("latin-1").replace("/", ".")


def is_platform(b):
    return dotted(b).startswith(PLATFORM)


def apart(text, letters):
    """Letters of which at most half are those of the text."""
    alike = sum(a == b for a, b in zip(text, letters))
    return bytes((b - 96) % 26 + 97 for b in letters) if 2 * alike > len(text) else letters


class Redact:
    def __init__(self, data, mode, names, key, kept, no_time):
        self.d, self.o, self.mode, self.names, self.key, self.kept_pairs = data, bytearray(data), mode, names, key, kept
        self.string, self.kind, self.no_time = {}, {}, no_time
        self.classname, self.fields, self.super, self.order = {}, {}, {}, []
        self.serial, self.members, self.again, self.counting = {}, [], {}, False
        if not data.startswith(b"JAVA PROFILE "):
            sys.exit("no HPROF header")
        self.zero = data.find(b"\0")
        self.id = self.u(self.zero + 1, 4)
        if self.id not in (4, 8) or len(data) < self.zero + 13:
            sys.exit("no HPROF header")

    def u(self, at, n):
        return int.from_bytes(self.d[at:at + n], "big")

    def width(self, t):
        return SIZE.get(t, self.id if t in (1, 2) else 0)

    # ---- records ---------------------------------------------------------------------------------
    def header_ok(self, p):
        for n in range(3):
            if p == len(self.d):
                return n > 0
            if len(self.d) - p < 9 or self.d[p] not in KNOWN:
                return False
            length = self.u(p + 5, 4)
            if self.d[p] == 0x2C and length:
                return False
            if length > len(self.d) - p - 9:
                return n > 0 and self.d[p] in (0x0C, 0x1C)
            p += 9 + length
        return True

    def next_header(self, p):
        while p < len(self.d) and not self.header_ok(p):
            known = TAG.search(self.d, p + 1)
            p = known.start() if known else len(self.d)
        return p

    def lost(self, at, end):
        self.o[at:end] = bytes(end - at)

    def numbers(self, tag, at, n):
        if tag not in FORMS:
            return 0
        ids, size, count, each = FORMS[tag]
        size += ids * self.id
        if n < size:
            return 0
        if count:
            size += (self.id if each is None else each) * self.u(at + count, 4)
            # Length and count differ: either may be damaged, and what is in it is not known.
            return n if size == n else 0
        return size

    def records(self, mask):
        """Yields (tag, body, end); bytes outside of records are zeroed by the masking walk."""
        d, at = self.d, self.zero + 13
        while at < len(d):
            if len(d) - at < 9:
                if mask:
                    self.lost(at, len(d))
                return
            tag, n, body = d[at], self.u(at + 5, 4), at + 9
            left = len(d) - body
            if tag in (0x0C, 0x1C):
                end = body + n
                if n > left or (n == 0 and left > 0 and not self.header_ok(body)) or \
                        (tag == 0x0C and left > n and (left - n) % (1 << 32) == 0):
                    end = len(d)
                at = self.heap(body, end, mask)
                continue
            if n > left or (tag not in KNOWN and not self.header_ok(body + n)):
                p = self.next_header(at + 1)
                if mask:
                    self.lost(at, p)
                at = p
                continue
            yield tag, body, body + n
            at = body + n

    # ---- values ------------------------------------------------------------------------------------
    def stream(self, what, content, n):
        k = hmac.new(self.key, what + content, hashlib.sha256).digest()
        out, i = b"", 0
        while len(out) < n:
            out += hashlib.sha256(k + struct.pack(">Q", i)).digest()
            i += 1
        return out[:n]

    def letters(self, what, content, n):
        return bytes(97 + b % 26 for b in self.stream(what, content, n))

    def other(self, new, s, t):
        """No value becomes itself: its first element is another one."""
        if new != s or t == 4 or not new:
            return new
        if t in (5, 8):
            at = 1 if t == 5 else 0
            return new[:at] + bytes(((new[at] - 96) % 26 + 97,)) + new[at + 1:] if len(new) > at else new
        at = {6: 3, 7: 7, 9: 1, 10: 3, 11: 7}[t]
        return new[:at] + bytes((new[at] ^ 0x55,)) + new[at + 1:] if len(new) > at else new

    def value(self, at, n, t):
        s = bytes(self.d[at:at + n])
        if self.mode == "shape" or not any(s):
            self.o[at:at + n] = bytes(n)
        elif t == 4:
            self.o[at] = self.stream(b"v4", s, 1)[0] & 1
        else:
            new = self.stream(b"v%d" % t, s, n)
            self.o[at:at + n] = bytes((new[0] ^ 0x55,)) + new[1:] if new == s else new

    def array(self, at, n, t):
        s = bytes(self.d[at:at + n])
        if t in (5, 8) and any(s == (w if t == 8 else w.decode().encode("utf-16-be")) for w in self.kept_pairs.get(None, ())):
            return
        if self.mode == "shape" or not any(s):
            new = bytes(n)
        elif t == 4:
            new = bytes(b & 1 for b in self.stream(b"a", s, n))
        elif t == 8:
            new = self.letters(b"a", s, n)
        elif t == 5:
            new = b"".join(bytes((0, c)) for c in self.letters(b"a", s, n // 2)) + bytes(n % 2)
        else:
            new = self.stream(b"a", s, n)
        self.o[at:at + n] = self.other(new, s, t) if any(new) else new

    def text(self, at, end):
        s = bytes(self.d[at:end])
        self.o[at:end] = b"x" * len(s) if self.mode == "shape" else self.other(self.letters(b"t", s, len(s)), s, 8)

    # ---- first walk ----------------------------------------------------------------------------------
    def use(self, sid, what):
        if sid:
            self.kind.setdefault(sid, set()).add(what)

    def learn(self):
        I = self.id
        frames = []
        for tag, at, end in self.records(False):
            n = end - at
            if tag == 0x01 and n >= I:
                self.string[self.u(at, I)] = bytes(self.d[at + I:end])
                self.string_all.setdefault(self.u(at, I), []).append(bytes(self.d[at + I:end]))
            elif self.numbers(tag, at, n) == 0:
                continue
            elif tag == 0x02:
                c, s = self.u(at + 4, I), self.u(at + 8 + I, I)
                self.classname[c] = s
                self.serials.append((self.u(at, 4), c))
                self.use(s, "class")
            elif tag == 0x04:
                self.use(self.u(at + I, I), "method")
                self.use(self.u(at + 2 * I, I), "signature")
                self.use(self.u(at + 3 * I, I), "file")
                frames.append((self.u(at + 4 * I, 4), self.u(at + I, I), self.u(at + 3 * I, I)))
            elif tag == 0x0A:
                for k in (1, 2, 3):
                    self.use(self.u(at + 8 + k * I, I), "thread")
        self.learn_platform(frames)
        self.learn_collisions()
        self.learn_kept()

    def learn_platform(self, frames):
        ids = set()
        for sid, kinds in self.kind.items():
            if "class" in kinds:
                for s in self.string_all.get(sid, []):
                    base = s.lstrip(b"[")
                    if is_platform(base[1:] if base != s else base):
                        ids.add(sid)
        self.platform = set(ids)
        of = {c for c, s in self.classname.items() if s in ids}
        serials = {n for n, c in self.serials if c in of}
        for c, sid in self.members:
            if c in of and sid:
                self.platform.add(sid)
        for n, method, file in frames:
            if n in serials:
                self.platform |= {method, file} - {0}

    def learn_collisions(self):
        """The later one of two classes that would have the same name gets other letters for its last part."""
        texts = {s for sid, kinds in self.kind.items() if "class" in kinds for s in self.string_all.get(sid, ())}
        own = set()
        for s in texts:
            if not is_platform(s) and s[:1] != b"[" and 0 < len(s) <= 65536 and self.names != "keep":
                while s.endswith(b"[]"):
                    s = s[:-2]
                own.add(s.replace(b"/", b"."))
        taken = set()
        for s in sorted(own):
            for self.again[s] in range(256):
                masked = self.plain_class(s)
                if masked not in taken:
                    taken.add(masked)
                    break
            else:
                self.again[s] = 0

    def learn_kept(self):
        name = lambda c: dotted(self.string.get(self.classname.get(c, 0), b""))
        self.kept = self.find_kept(name)
        self.kept_if = self.find_kept(lambda c: (name(c),)) - self.kept         # in objects that those of count refer to
        self.count, self.counted = self.find_kept(lambda c: ("count", name(c))), set()
        if self.count:
            self.counting = True
            for _ in self.records(False):
                pass
            self.counting = False

    def find_kept(self, key):
        found = set()
        for c in self.order:
            for field in self.kept_pairs.get(key(c), ()):
                at, steps = c, 0
                while at in self.fields and steps < 1000:
                    hit = [i for i, (sid, _) in enumerate(self.fields[at]) if dotted(self.string.get(sid, b"")) == field]
                    if hit:
                        found.add((at, hit[0]))
                        break
                    at, steps = self.super[at], steps + 1
        return found

    def keeps(self, c, i, obj):
        return (c, i) in self.kept or ((c, i) in self.kept_if and obj in self.counted)

    def values_of(self, c, at, end):
        """Class, number, type, place and width of each field of an instance, as far as its bytes go."""
        seen = 0
        while c in self.fields and seen < 1000:
            for i, (_, t) in enumerate(self.fields[c]):
                w = self.width(t)
                if at + w > end:
                    break
                yield c, i, t, at, w
                at += w
            c, seen = self.super[c], seen + 1

    def learn_counted(self, c, at, end):
        for k, i, t, p, w in self.values_of(c, at, end):
            if t not in SIZE and (k, i) in self.count:
                self.counted.add(self.u(p, w))

    # ---- sub-records ---------------------------------------------------------------------------------
    def whole_class(self, at):
        """The end of a class, or None."""
        d, I, p = self.d, self.id, at + 7 * self.id + 8
        if p > len(d):
            return None
        for key, values in ((2, True), (I, True), (I, False)):
            if len(d) - p < 2:
                return None
            n, p = self.u(p, 2), p + 2
            for _ in range(n):
                if len(d) - p < key + 1 or self.width(d[p + key]) == 0:
                    return None
                p += key + 1 + (self.width(d[p + key]) if values else 0)
                if p > len(d):
                    return None
        return p

    def sub(self, at, end):
        """(kind, body, stop) of the sub-record; kind None: unknown."""
        d, I, tag = self.d, self.id, self.d[at]
        left = len(d) - at - 1
        if tag in ROOTS or tag == 0xFE:
            n = I + 4 if tag == 0xFE else I + (I if ROOTS[tag] is None else ROOTS[tag])
            return ("root" if n <= left else None), at + 1 + n, at + 1 + n
        if tag == 0x20:
            stop = self.whole_class(at + 1)
            return ("class" if stop else None), at + 1, stop
        if tag == 0x21 and left >= 2 * I + 8:
            body = at + 9 + 2 * I
            return "instance", body, body + self.u(body - 4, 4)
        if tag == 0x22 and left >= 2 * I + 8:
            stop = at + 9 + 2 * I + self.u(at + 5 + I, 4) * I
            return "objects", stop, stop
        if tag in (0x23, 0xC3) and left >= I + 9 and d[at + 9 + I] in SIZE:
            body = at + 10 + I
            return "array", body, body + (0 if tag == 0xC3 else self.u(at + 5 + I, 4) * SIZE[d[at + 9 + I]])
        return None, at, end

    def goes_on(self, at, end):
        """Behind an object: three sub-records, or the end."""
        d = self.d
        for n in range(3):
            if at >= end:
                return at in (end, len(d)) or self.header_ok(at)
            if d[at] in (0x0C, 0x1C, 0x2C) and self.header_ok(at):
                return True
            kind, _, at = self.sub(at, end)
            if not kind or at > len(d):
                return bool(kind and n)
        return True

    def behind_lost(self, end):
        while end < len(self.d) and not self.header_ok(end):
            end += 1
        return end

    def heap(self, at, end, mask):
        d, I = self.d, self.id
        while at < end:
            if d[at] in (0x0C, 0x1C, 0x2C) and self.header_ok(at):
                return at
            kind, body, stop = self.sub(at, end)
            if kind and (stop > len(d) or (d[at] in (0x21, 0x22, 0x23) and not self.goes_on(stop, end))):
                kind = None
            clipped = False
            if kind:
                to = stop
                if end < to < len(d) and not self.header_ok(to) and self.header_ok(end):
                    to = end
                clipped = to < (stop if kind == "class" else body)
                stop = to
            if not kind or clipped:
                stop = stop if kind else self.behind_lost(end)
                if mask:
                    self.lost(at, stop)
            elif not mask and kind == "root" and d[at] == 0xFE:
                self.use(self.u(at + 5, I), "heap")
            elif kind == "class" and not self.counting:
                self.class_dump(at + 1, mask)
            elif mask and kind == "instance":
                self.instance(self.u(at + 5 + I, I), body, stop, self.u(at + 1, I))
            elif self.counting and kind == "instance":
                self.learn_counted(self.u(at + 5 + I, I), body, stop)
            elif mask and kind == "array":
                self.array(body, stop - body, d[at + 9 + I])
            at = stop
        return at

    def class_dump(self, at, mask):
        I, c = self.id, self.u(at, self.id)
        p = at + 7 * I + 8
        for key in (2, I):
            n, p = self.u(p, 2), p + 2
            for _ in range(n):
                t = self.d[p + key]
                w = self.width(t)
                if not mask and key != 2:
                    self.use(self.u(p, I), "field")
                    self.members.append((c, self.u(p, I)))
                elif mask and t in SIZE and (key == 2 or not self.static_kept(c, self.u(p, I))):
                    self.value(p + key + 1, w, t)
                p += key + 1 + w
        n, p = self.u(p, 2), p + 2
        if not mask:
            own = [(self.u(p + k * (I + 1), I), self.d[p + k * (I + 1) + I]) for k in range(n)]
            for sid, _ in own:
                self.use(sid, "field")
                self.members.append((c, sid))
            if c not in self.fields:
                self.fields[c], self.super[c] = own, self.u(at + I + 4, I)
                self.order.append(c)

    def static_kept(self, c, sid):
        name = dotted(self.string.get(self.classname.get(c, 0), b""))
        return dotted(self.string.get(sid, b"")) in self.kept_pairs.get(name, ())

    def instance(self, c, at, end, obj):
        for k, i, t, p, w in self.values_of(c, at, end):
            if t in SIZE and not self.keeps(k, i, obj):
                self.value(p, w, t)
            at = p + w
        self.lost(at, end)

    # ---- names -----------------------------------------------------------------------------------------
    def parts(self, s, stay=(), again=0):
        words = CUT.split(s)
        own = [i for i, w in enumerate(words) if w and not CUT.fullmatch(w) and not w.isdigit() and w not in stay and
               (w != b"Lambda" or words[max(i - 3, 0):i] != [b"$", b"", b"$"])]
        for i in own:
            words[i] = apart(words[i], self.letters(b"n", words[i] + (bytes((again,)) if again and i == own[-1] else b""), len(words[i])))
        return b"".join(words)

    def plain_class(self, s):
        base = s
        while base.endswith(b"[]"):
            base = base[:-2]
        if is_platform(base) or base in PRIMITIVE:
            return s
        made = re.search(rb"[+/.]0x[0-9a-fA-F]*\Z", base)
        made = made.start() if made else len(base)
        return self.parts(base[:made], (), self.again.get(base.replace(b"/", b"."), 0)) + s[made:]

    def descriptor(self, s):
        out, i = b"", 0
        while i < len(s):
            c = s[i:i + 1]
            if c in b"LT" or c in b"BCDFIJSZV[]();<>:*+-":
                out, i = out + c, i + 1
                if c not in b"LT":
                    continue
            m = re.compile(rb"[;()\[<>:]").search(s, i)
            j = m.start() if m else len(s)
            out, i = out + self.plain_class(s[i:j]), j
        return out

    def name(self, sid, s, kinds):
        if self.names == "keep" or sid in self.platform:
            return s
        member = kinds & {"field", "method"}
        if "class" in kinds:
            return self.descriptor(s) if s[:1] == b"[" else self.plain_class(s)
        if member and self.names == "hash-all" and s and s[:1] != b"<":
            return self.parts(s, (b"this", b"access", b"lambda", b"val"))
        if member:
            m = re.match(rb"\$SwitchMap\$|\$SWITCH_TABLE\$|class\$", s)
            return m[0] + self.parts(s[m.end():]) if m else s
        if "heap" in kinds:
            return s
        if "signature" in kinds:
            return self.descriptor(s)
        m = re.search(rb"\.(java|kt|scala|groovy|clj)\Z", s)
        n = m.start() if m else len(s)
        return self.parts(s[:n]) + s[n:]

    # ---- second walk -------------------------------------------------------------------------------------
    def run(self):
        self.string_all, self.serials = {}, []
        self.learn()
        I = self.id
        for tag, at, end in self.records(True):
            if tag == 0x01 and end - at >= I:
                sid = self.u(at, I)
                kinds = self.kind.get(sid, set())
                s = bytes(self.d[at + I:end])
                if not kinds - {"thread"} or (self.names != "keep" and len(s) > 65536):
                    self.text(at + I, end)
                else:
                    self.o[at + I:end] = self.name(sid, s, kinds)
            else:
                self.lost(at + self.numbers(tag, at, end - at), end)
        if self.no_time:
            self.o[self.zero + 5:self.zero + 13] = bytes(8)
        assert len(self.o) == len(self.d)
        return self.o


def encodings(word):
    yield "bytes", word
    yield "utf-16be", word.decode().encode("utf-16-be")
    yield "utf-16le", word.decode().encode("utf-16-le")
    if all(ord(c) < 256 for c in word.decode()):
        yield "latin-1", word.decode().encode("latin-1")
    yield "hex", word.hex().encode()
    for k in range(3):
        b = base64.b64encode(bytes(k) + word)
        yield "base64", b[(k * 8 + 5) // 6:(k + len(word)) * 8 // 6]


def read(path):
    with open(path, "rb") as f:
        b = f.read()
    if b[:2] == b"\x1f\x8b":
        z = __import__("zlib").decompressobj(31)
        out = b""
        while b:
            try:
                out += z.decompress(b)
            except Exception:
                break
            b, z = z.unused_data, __import__("zlib").decompressobj(31)
        return out
    return b


def kept_of(path):
    pairs = {}
    with open(path) as f:
        for line in f:
            # These are for traces.
            if line.startswith("# Names of tasks"):
                break
            if line[:1] == "#":
                continue
            if line[:1] == '"':
                pairs.setdefault(None, []).append(line.strip()[1:-1].encode())
                continue
            count, arrow, field = line.strip().rpartition(" -> ")
            c, _, n = field.rpartition(".")
            pairs.setdefault((c,) if arrow else c, []).append(n)
            if arrow:
                c, _, n = count.rpartition(".")
                pairs.setdefault(("count", c), []).append(n)
    return pairs


def main(argv):
    o = {"mode": "shape", "names": "keep", "key": None, "kept": None, "no-time": None}
    while argv and argv[0].startswith("--") and argv[0] != "--scan":
        o[argv[0][2:]] = argv[1]
        argv = argv[2:]
    if argv[0] == "--scan":
        d, hit = read(argv[1]), 0
        for w in argv[2:]:
            for name, b in encodings(w.encode()):
                if b in d:
                    print("%s: %s (%s) at %d" % (argv[1], w, name, d.index(b)))
                    hit = 1
        sys.exit(hit)
    key = bytes(32)
    if o["key"]:
        with open(o["key"], "rb") as f:
            key = f.read()
    kept = kept_of(o["kept"]) if o["kept"] else {}
    r = Redact(read(argv[0]), o["mode"], o["names"], key, kept, o["no-time"])
    with open(argv[1], "wb") as f:
        f.write(r.run())


if __name__ == "__main__":
    main(sys.argv[1:])
