# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapvalues.py - fields, texts and stacks, for heap.py."""

NOT_OF_JAVA = ("Service Thread", "Monitor Deflation Thread", "C1 CompilerThread", "C2 CompilerThread",
               "Sweeper thread")


class Values:
    """A part of Heap."""

    def named(self, c, name):
        """(type, offset, width) of the fields of that name, the nearest first."""
        if (c, name) not in self.by_field:
            self.by_field[c, name] = [(t, at, self.r.width(t)) for _, n, t, at in self.fields(c) if n == name]
        return self.by_field[c, name]

    def value(self, a, name):
        """The nearest field of that name: (type, value or address)."""
        o = self.r.objects.get(a)
        if o is None or o.kind != "i":
            return None
        for t, at, w in self.named(o.cls, name):
            if at + w <= o.bytes:
                return t, int.from_bytes(self.r.b[o.data + at:o.data + at + w], "big")
        return None

    def characters(self, a, first=0, n=None, coder=0):
        o = self.r.objects.get(a)
        if o is None or o.kind != "p" or o.cls not in (5, 8) or self.r.b[o.at] == 0xc3:
            return None
        raw = self.r.b[o.data:o.data + o.bytes]
        if o.cls == 5:
            raw = raw[2 * first:] if n is None else raw[2 * first:2 * (first + n)]
            return raw.decode("utf-16-be", "surrogatepass")
        if coder == 1:
            return raw[:len(raw) // 2 * 2].decode("utf-16-le", "surrogatepass")
        return raw.decode("latin-1")

    def text(self, a):
        """The text of a java.lang.String; None: it has no characters."""
        field = lambda name: (self.value(a, name) or (0, None))[1]
        value = field(b"value")
        if value is None:
            return None
        n, first = field(b"count"), field(b"offset")
        if first is None:
            return self.characters(value, 0, None, field(b"coder") or 0)
        return self.characters(value, first, n)

    def thread_name(self, serial):
        a = self.r.threads[serial][0]
        got = self.value(a, b"name")
        o = self.r.objects.get(got[1]) if got else None
        if o is not None:
            text = self.text(got[1]) if o.kind == "i" else self.characters(got[1]) if o.cls == 5 else ""
            if text:
                return text
        raw = self.r.names.get(self.r.thread_names.get(serial), b"")
        return raw.decode("utf-8", "replace")

    def stacks(self):
        """serial -> ids of frames, innermost first."""
        traces, threads = self.r.traces, self.r.threads
        out = {s: traces.get(t, (0, []))[1] for s, (_, t) in threads.items()}
        if len(threads) > 1 and len({t for _, t in threads.values()}) == 1 and not any(out.values()):
            of_java = [s for s in threads if not self.thread_name(s).startswith(NOT_OF_JAVA)]
            named = [f for t, f in ((t, f) for t, (s, f) in traces.items()) if f or traces[t][0]]
            if len(named) == len(of_java):
                out.update(zip(of_java, named))
        return out
