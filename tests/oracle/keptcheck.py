# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""keptcheck.py BUILD SCRATCH: which numbers and flags do answers depend on, and does icecore redact keep them all?  As TAP.

All values of a field in a dump become 0, 1, or all bits: where findings, collections, bitmaps or owners are others then, the analysis
reads that field, however it does so, and --list-kept must have it.  Fields that are not kept are changed all at once, and one by one
where that changes an answer.  And every field that is kept is named by something that reads it.
"""
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heapcases  # noqa: E402
import mkheap  # noqa: E402
import redact as oracle  # noqa: E402
import tap  # noqa: E402

QUESTIONS = ("findings | where kind !~ /^equal/ | select severity kind retained percent count object class holder content signature related why",
             "collections | select object size capacity fill_ratio waste", "bitmaps | select object width height format recycled premultiplied",
             "dominators | select object shallow retained dominator", "info | where field ~ /native|bitmap/")
LARGEST = 100000        # bytes of a dump that is asked so often
IMPL = "androidx.lifecycle.viewmodel.internal.ViewModelImpl"
FEW = 55                # fields that answers depend on in all dumps, at least


class Places(oracle.Redact):
    """Where the values of each field stand, and whether it is kept."""

    def __init__(self, data, kept):
        super().__init__(data, "shape", "keep", b"", kept, False)
        self.places, self.stays = {}, set()
        self.run()

    def place(self, c, sid, at, width, kept, where=""):
        name = self.text_of(self.classname.get(c, 0)), self.text_of(sid) + where
        self.places.setdefault(name, []).append((at, width))
        if kept:
            self.stays.add(name)

    def text_of(self, sid):
        return oracle.dotted(self.string.get(sid, b"?"))

    def instance(self, c, at, end, obj):
        seen = 0
        while c in self.fields and seen < 1000:
            for i, (sid, t) in enumerate(self.fields[c]):
                w = self.width(t)
                if at + w > end:
                    break
                if t in oracle.SIZE:
                    kept = self.keeps(c, i, obj)
                    self.place(c, sid, at, w, kept, " elsewhere" if (c, i) in self.kept_if and not kept else "")
                at += w
            c, seen = self.super[c], seen + 1

    def class_dump(self, at, mask):
        super().class_dump(at, mask)
        if not mask:
            return
        I, c = self.id, self.u(at, self.id)
        p = at + 7 * I + 8
        n, p = self.u(p, 2), p + 2
        for _ in range(n):
            p += 3 + self.width(self.d[p + 2])
        n, p = self.u(p, 2), p + 2
        for _ in range(n):
            w = self.width(self.d[p + I])
            if self.d[p + I] in oracle.SIZE:
                self.place(c, self.u(p, I), p + I + 1, w, self.static_kept(c, self.u(p, I)))
            p += I + 1 + w


class Asking:
    def __init__(self, build, scratch):
        self.program, self.path = answers.Program(os.path.join(build, "icecore"), ["--no-index", "--quiet"]), os.path.join(scratch, "changed.hprof")
        kept = os.path.join(scratch, "kept")
        with open(kept, "w", encoding="utf-8") as f:
            f.write(self.program.run(["redact", "--list-kept"]).out)
        self.kept = oracle.kept_of(kept)

    def answers(self, data):
        with open(self.path, "wb") as f:
            f.write(data)
        return self.program.ask(self.path, *QUESTIONS).out

    def depend(self, data, first, fields):
        """Whether answers depend on the values at the places of some fields."""
        for value in (0, 1, -1):
            changed = bytearray(data)
            for at, width in (place for where in fields for place in where):
                changed[at:at + width] = (value % (1 << 8 * width)).to_bytes(width, "big")
            if changed != data and self.answers(changed) != first:
                return True
        return False

    def read_in(self, data, known):
        """Return (fields that answers depend on, the same without the kept ones).  Kept fields are tried unless they are in known."""
        places, first = Places(data, self.kept), self.answers(data)
        others = {name: where for name, where in places.places.items() if name not in places.stays}
        if not self.depend(data, first, others.values()):
            others = {}
        asked = others | {name: places.places[name] for name in places.stays - known}
        read = {name for name, where in asked.items() if self.depend(data, first, [where])}
        return read, read - places.stays


def ended_model():
    """A ViewModel of recent libraries: another object has its flag."""
    rows = heapcases.RECENT
    heapcases.RECENT = [(n, s, "impl" if n == "androidx.lifecycle.ViewModel" else f) for n, s, f in rows]
    c = heapcases.Told()
    heapcases.RECENT = rows
    c.p.app(IMPL, "java.lang.Object", "isCleared:Z")
    impl = c.p.obj(IMPL, isCleared=1)
    c.p.app("com.example.FeedModel", "androidx.lifecycle.ViewModel", "context")
    c.extra = [c.p.obj("com.example.FeedModel", impl=impl, context=c.last())]
    return c.built()


def nobody_reads(kept):
    """Fields, and texts, that no source of the analysis asks for; the list of what redact keeps does not count as a reader."""
    src, text = os.path.join(HERE, "..", "..", "src"), ""
    for folder in ("pass/heap", "pass/content", "pass/names", "pass/leaks", "query/heap"):
        for path in glob.glob(os.path.join(src, folder, "*.c")):
            if not path.endswith("leaks/kept.c"):
                with open(path, encoding="utf-8") as f:
                    text += f.read()
    return ["%s.%s" % (c, f) for c, fields in kept.items() if c is not None for f in fields if '"%s"' % f not in text] + \
        [word.decode() for word in kept.get(None, ()) if '"%s"' % word.decode() not in text]


def main(build, scratch):
    asking, read = Asking(build, scratch), set()
    tap.check("every field that is kept has a reader", nobody_reads(asking.kept))
    tap.check("... and one that nobody reads is noticed", nobody_reads({"java.lang.Enum": {"ordinal"}}) != ["java.lang.Enum.ordinal"])
    for name, maker in [("ended_model", ended_model)] + list(mkheap.MAKERS.items()):
        data = maker()
        if not data.startswith(b"JAVA PROFILE ") or len(data) > LARGEST:
            continue
        more, lost = asking.read_in(data, read)
        print("# %s: %s" % (name, ", ".join(".".join(f) for f in sorted(more))))
        read |= more
        if lost:
            tap.check("%s: answers depend on fields that are not kept" % name, sorted(lost))
    del asking.kept[IMPL]
    tap.check("one that is not kept is noticed", asking.read_in(ended_model(), read)[1] != {(IMPL, "isCleared")})
    tap.check("every field that answers depend on is kept", len(read) < FEW and "only %d fields were seen: %s" % (len(read), sorted(read)))
    tap.plan()


main(*sys.argv[1:])
