#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""redactjfr.py BUILD SCRATCH [RECORDING...] - recordings that icecore redact wrote, as TAP.

A text is planted in each field that holds one, in each encoding, and looked for in the output.  All values of redacted recordings are
compared with those of the originals, as the slow reader slowjfr.py reads them.  jdkcheck.py: JDKs that are installed record a program with secrets, and their own `jfr`
reads the result.
"""
import glob
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import jfrfile as jf  # noqa: E402
import jfrmake  # noqa: E402
import slowjfr as slow  # noqa: E402
from check import Tap, attempt  # noqa: E402

MODES = ((), ("--mode", "stable"), ("--names", "hash"), ("--mode", "stable", "--names", "hash-all"))
JDKS = 2
BOUND = 120             # seconds that anything of a JDK may take
# Fields with texts of JDKs 8 to 25 that jfrfile.py lacks.
MORE = """
jdk.types.Module name:jdk.types.Symbol* version:jdk.types.Symbol* location:jdk.types.Symbol*
jdk.types.OldObjectField name:S
jdk.types.OldObjectGcRoot description:S
jdk.types.OldObjectRootType type:S
jdk.types.CalleeMethod type:S name:S descriptor:S
jdk.types.DeoptimizationReason reason:S
jdk.types.Bytecode bytecode:S
"""
MORE_EVENTS = """
jdk.InitialSystemProperty T key:S value:S
jdk.InitialEnvironmentVariable T key:S value:S
jdk.InitialSecurityProperty T key:S value:S
jdk.SecurityPropertyModification T key:S value:S
jdk.SystemProcess T pid:S commandLine:S
jdk.OSInformation T osVersion:S
jdk.VirtualizationInformation T name:S
jdk.NativeLibrary T name:S baseAddress:long
jdk.NativeLibraryLoad T D H K name:S errorMessage:S
jdk.NativeAgent T name:S options:S path:S
jdk.JavaAgent T name:S options:S
jdk.JavaExceptionThrow T H K message:S thrownClass:java.lang.Class*
jdk.JavaErrorThrow T H K message:S
jdk.StringFlag T name:S value:S
jdk.StringFlagChanged T name:S oldValue:S newValue:S
jdk.BooleanFlag T name:S value:boolean
jdk.ThreadDump T result:S
jdk.Shutdown T K H reason:S
jdk.DumpReason T reason:S
jdk.HeapDump T destination:S
jdk.ProcessStart T H K pid:long directory:S command:S
jdk.TLSHandshake T H K peerHost:S peerPort:int protocolVersion:S cipherSuite:S
jdk.X509Certificate T H K algorithm:S serialNumber:S subject:S issuer:S keyType:S
jdk.SecurityProviderService T H K type:S algorithm:S provider:S
jdk.Deserialization T H K filterStatus:S exceptionMessage:S
jdk.SerializationMisdeclaration T H K message:S
jdk.CompilationFailure T failureMessage:S
jdk.CompilerInlining T message:S callee:jdk.types.CalleeMethod
jdk.FinalizerStatistics T codeSource:jdk.types.Symbol* finalizableClass:java.lang.Class*
jdk.SocketConnect T D H K host:S address:S port:int
jdk.GCPhasePauseLevel1 T D H gcId:int name:S
jdk.GCPhaseConcurrentLevel1 T D H gcId:int name:S
jdk.SafepointCleanupTask T D H name:S
jdk.GCHeapMemoryPoolUsage T name:S
jdk.ModuleRequire T source:jdk.types.Package* requiredModule:jdk.types.Module*
jdk.OldThings T root:jdk.types.OldObjectGcRoot* field:jdk.types.OldObjectField* kind:jdk.types.OldObjectRootType*
jdk.Deoptimization T reason:jdk.types.DeoptimizationReason* instruction:jdk.types.Bytecode*
jdk.Payload T data:byte[] letters:char[]
datadog.Endpoint T H endpoint:S operation:S spanId:long
jdk.Payslip T text:S salary:long
com.initech.Payslip T D H K employee:S salary:long pin:int rate:double factor:float grade:char place:app.Place
"""
# Texts that stay: words of the VM, by where they are; names, which stay unless they become letters; then methods, which stay without hash-all.
WORDS = {"jdk.types.%s.%s" % pair for pair in (
    ("FrameType", "description"), ("ThreadState", "name"), ("GCName", "name"), ("GCCause", "cause"), ("GCWhen", "when"), ("VMOperationType", "type"),
    ("PinnedReason", "reason"), ("OldObjectRootType", "type"), ("DeoptimizationReason", "reason"), ("Bytecode", "bytecode"))} | {
    "jdk.%s.name" % event for event in (
        "GCPhasePause", "GCPhaseConcurrent", "GCPhaseParallel", "GCPhasePauseLevel1", "GCPhaseConcurrentLevel1", "SafepointCleanupTask",
        "GCHeapMemoryPoolUsage", "BooleanFlag", "StringFlag", "StringFlagChanged")}
NAMES = {"java.lang.Class.name", "jdk.types.Package.name", "jdk.types.Module.name", "jdk.types.ClassLoader.name", "jdk.types.Method.descriptor",
         "jdk.types.CalleeMethod.type", "jdk.types.CalleeMethod.descriptor", "native function", "type name", "field name", "category"}
SPOOFED = ("jdk.Payslip", "jdk.OldThings", "jdk.Payload")       # no JDK has such events
METHODS = {"jdk.types.Method.name", "jdk.types.CalleeMethod.name", "jdk.types.OldObjectField.name"}


def run(build, *args):
    program = os.environ.get("ICECORE", os.path.join(build, "icecore"))
    return answers.quick(program).result(["redact", "--force", "--quiet", *args])


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


# ---- a recording with a text in each field -------------------------------------------------------------


class Planted(jf.Chunk):
    """encoding: 2 a constant, 3 UTF-8, 4 numbers, 5 Latin-1."""

    def __init__(self):
        super().__init__()
        self.types = {**jf.TYPES, **jf.parse(MORE), **jf.parse(MORE_EVENTS)}
        self.places, self.encoding, self.at = [], 3, ""

    def plant(self, place):
        """A text that stands for the place."""
        self.places.append(place)
        return "sweptplace%04dx" % (len(self.places) - 1)

    def string(self, out, s):
        if self.encoding == 2 and s:
            out.append(2)
            out.num(self.key(("java.lang.String", s)))
        else:
            out.text(s, self.encoding)

    def value(self, owner, f):
        """With texts wherever there can be some."""
        place = "%s.%s" % (owner, f.name)
        if f.type == "java.lang.String":
            return (self.plant(place),) if f.array else self.plant(place)
        if f.type in jf.PRIMITIVES:
            if f.name == "startTime":
                return self.start + 1000
            v = 5.5 if f.type in ("float", "double") else 1 if f.type == "boolean" else 83 if f.type == "byte" else 7351
            return (v, v) if f.array else v
        if f.type == "java.lang.Thread":
            return ("java.lang.Thread", self.plant(f.type + ".osName"), 5, self.plant(f.type + ".javaName"), 5, None, False)
        if f.type == "java.lang.Class":
            return jf.java_class("com/initech/" + self.plant("java.lang.Class.name"))
        if f.type == "jdk.types.StackTrace":
            own = jf.java_class("com/initech/" + self.plant("java.lang.Class.name"))
            frames = (jf.method(own, self.plant("jdk.types.Method.name"), "(Lcom/initech/%s;I)V" % self.plant("jdk.types.Method.descriptor")),
                      jf.method("", self.plant("native function"), ""), jf.method("java/lang/Thread", "runOfThePlatform"))
            return jf.stack([(m, 7, "Interpreted") for m in frames])
        if f.type == "jdk.types.Symbol":
            return jf.symbol(self.plant(place))
        v = ((f.type,) if f.pool else ()) + tuple(self.value(f.type, x) for x in self.types[f.type])
        return (v,) if f.array else v


def planted():
    """A chunk for each encoding."""
    chunks = []
    for encoding in (3, 2, 4, 5):
        c = Planted()
        c.encoding = encoding
        for name in [*jf.parse(jf.EVENTS), *jf.parse(MORE_EVENTS)]:
            if name != "app.Place":
                c.event(name, **{f.name: c.value(name, f) for f in c.types[name]})
        loader = ("jdk.types.ClassLoader", None, jf.symbol(c.plant("jdk.types.ClassLoader.name")))
        c.event("app.Order", text="", what=("java.lang.Class", loader, jf.symbol("java/lang/PlatformClass"), ("jdk.types.Package", jf.symbol("java/lang/platform")), 1, False),
                states=())
        c.checkpoint().metadata()
        chunks.append(c)
    return chunks


def check_planted(build, scratch, chunks, options):
    path, out = os.path.join(scratch, "planted.jfr"), os.path.join(scratch, "planted-safe.jfr")
    names, bad = options[options.index("--names") + 1] if "--names" in options else "keep", []
    kept = WORDS | (NAMES if names == "keep" else set()) | (METHODS if names != "hash-all" else set())
    for c in chunks:
        data = c.bytes()
        missing = [p for i, p in enumerate(c.places) if b"sweptplace%04dx" % i not in data]
        bad += ["encoding %d, not in the input: %s" % (c.encoding, missing[:3])] * bool(missing)
        p = run(build, *options, write(path, data), out)
        safe = read(out)
        found = {c.places[int(m)] for m in re.findall(rb"sweptplace([0-9]{4})", safe)}
        want = {p for p in c.places if p in kept}
        bad += ["encoding %d: survives: %s; is lost: %s" % (c.encoding, sorted(found - want), sorted(want - found))] * (found != want)
        bad += ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 0) + ["%d bytes, not %d" % (len(safe), len(data))] * (len(safe) != len(data))
        bad += ["%s" % b for b in same_recording(slow.Recording(data), slow.Recording(safe))[:3]]
        bad += ["the platform is lost: " + s for s in ("runOfThePlatform", "java/lang/PlatformClass", "java/lang/platform") if s.encode() not in safe]
    return bad


class Named(jf.Chunk):
    """The application's types have names, and annotations, with secrets."""

    def element(self, name):
        tag, a, fields = super().element(name)
        note = lambda kind, **values: ("annotation", {"class": str(self.id(kind)), **values}, [])
        if name.startswith("app."):
            a = {**a, "name": "com.initech." + self.plant("type name")}
            fields = [(t, {**b, "name": b["name"] if b["name"] in ("startTime", "duration", "eventThread", "stackTrace") else self.plant("field name")},
                       k + [note("jdk.jfr.Label", value=self.plant("label")), note("com.initech.Audit", team=self.plant("annotation"), grade="7")])
                      for t, b, k in fields]
            fields += [note("jdk.jfr.Label", value=self.plant("label")), note("jdk.jfr.Category", **{"value-0": self.plant("category")}),
                       ("setting", {"name": self.plant("field name"), "class": str(self.id("jdk.jfr.Label")), "defaultValue": self.plant("setting")}, [])]
        return tag, a, fields


def check_metadata(build, program, scratch, options):
    names, c = options[options.index("--names") + 1] if "--names" in options else "keep", Named()
    c.types = {**jf.TYPES, "com.initech.Audit": [jf.Field("team:S"), jf.Field("grade:int")]}
    c.places, c.plant = [], lambda place: Planted.plant(c, place)
    for i in range(5):
        c.event("app.Tick", startTime=c.start + 1000 + i, count=5)
    for name in ("jdk.jfr.Label", "jdk.jfr.Category", "com.initech.Audit"):
        c.id(name)
    c.checkpoint().metadata()
    path, out = write(os.path.join(scratch, "named.jfr"), c.bytes()), os.path.join(scratch, "named-safe.jfr")
    p = run(build, *options, path, out)
    found = {c.places[int(m)] for m in re.findall(rb"sweptplace([0-9]{4})", read(out))}
    want = {"type name", "field name", "category"} if names == "keep" else set()
    types = [slow.Recording(read(x)).chunks[0] for x in (path, out)]
    bad = ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 0) + ["survives, or is lost: %s" % sorted(found ^ want)] * (found != want)
    bad += ["types: %s" % [[len(t.fields) for t in x.types.values()] for x in types]] * (len(types[0].types) != len(types[1].types))
    for x in types:
        own = [t for t in x.types.values() if t.name.startswith("com.initech") or len([f for f in t.fields if f.name == "startTime"])]
        bad += ["fields of %s: %s" % (t.name, [f.name for f in t.fields]) for t in own if len({f.name for f in t.fields}) != len(t.fields)]
    a, b = [program.ask(x, "info | where field = recorded_events", options=("--no-index",)).out for x in (path, out)]
    return bad + ["%s, not %s" % (b, a)] * (a != b)


def check_kept(build, program, scratch):
    """Where and by whom a recording was made, as numbers."""
    path, out = write(os.path.join(scratch, "kept.jfr"), jfrmake.random_file(3)), os.path.join(scratch, "kept-safe.jfr")
    run(build, path, out)
    a, b = [slow.Recording(read(x)) for x in (path, out)]
    zones, pids = [[(c.region.get("gmtOffset"), c.region.get("dst")) for c in x.chunks] for x in (a, b)], [[c.pid for c in x.chunks] for x in (a, b)]
    return ["zones: %s" % zones] * (zones[0] != zones[1] or None in zones[0][0]) + ["processes: %s" % pids] * (pids[0] != pids[1] or not any(pids[0]))


# ---- values ------------------------------------------------------------------------------------------------


def same_value(where, own, a, b, bad):
    """Texts may change; own: numbers become 0."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and len(a) == len(b):
        for x, y in zip(a, b):
            same_value(where, own, x, y, bad)
    elif isinstance(a, dict) and isinstance(b, dict) and len(a) == len(b):
        for (k, x), (_, y) in zip(a.items(), b.items()):
            same_value(where + "." + k, own and k not in ("startTime", "duration"), x, y, bad)
    elif isinstance(a, slow.Ref) and isinstance(b, slow.Ref):
        if a.key != b.key:
            bad.append("%s: key %s, not %s" % (where, b.key, a.key))
    elif isinstance(a, str) and isinstance(b, str):
        if bool(a) != bool(b):
            bad.append("%s: %r, not %r" % (where, b, a))
    elif (a is None) != (b is None) or (a is not None and b != 0 if own else repr(a) != repr(b)):
        bad.append("%s: %r, not %r" % (where, b, a))


def events_of(c):
    for at, size, kind in c.where:
        r = slow.In(c.data, at, at + size)
        r.u64()
        r.u64()
        t = c.types.get(kind)
        try:
            yield t, None if t is None else {f.name: c.value(r, f) for f in t.fields}
        except slow.Bad:
            yield t, None


def same_recording(a, b, keep=False):
    """Every event has the same values, but texts and, unless keep, numbers of the application."""
    bad = []
    if [(len(c.where), len(c.types), {k: len(v) for k, v in c.pools.items()}) for c in a.chunks] != \
       [(len(c.where), len(c.types), {k: len(v) for k, v in c.pools.items()}) for c in b.chunks]:
        return ["other events, types or constants"]
    for c, d in zip(a.chunks, b.chunks):
        for (t, v), (_, w) in zip(events_of(c), events_of(d)):
            if v is not None and w is not None and len(bad) < 5:
                own = not keep and (not t.name.startswith(("jdk.", "java.", "com.oracle.jdk.", "com.oracle.jfr.", "profiler.")) or t.name in SPOOFED)
                same_value(t.name, own, v, w, bad)
    return bad


SAME = ("info | where field !~ /^(index|sha|encoding|path|file|arguments|vm|setting|log|loss|repair|unfinished|unpacked)/ | where field !~ /lost/",
        "threads | count", "intervals | select start end bytes", "tracks | select points min max last", "states | select state start_wall wall")


def same_answers(program, path, out, names):
    events = "events | select samples weight no_stack truncated threads" if names != "keep" else "events | select name samples weight no_stack"
    a, b = [sorted(program.ask(f, *SAME, events, options=("--no-index",)).out.split("\n")) for f in (path, out)]
    bad = ["%s" % [x for x in zip(a, b) if x[0] != x[1]][:2]] * (a != b)
    folded = [program.run(["--no-index", "-o", "folded", "-e", "merged", f]).out.split("\n")[:-1] for f in (path, out)]
    weights = [sorted(int(line.rsplit(" ", 1)[1]) for line in f) for f in folded]
    if weights[0] != weights[1]:
        bad.append("stacks have other weights: %d and %d" % (len(weights[0]), len(weights[1])))
    if names == "keep" and sorted(folded[0]) != sorted(folded[1]):
        bad.append("stacks: %s" % [x for x in zip(sorted(folded[0]), sorted(folded[1])) if x[0] != x[1]][:1])
    return bad


# Fields of real recordings that hold secrets of machines and people.
SECRET_FIELDS = {"jdk.InitialSystemProperty": ("value",), "jdk.InitialEnvironmentVariable": ("value",), "jdk.SystemProcess": ("commandLine",),
                 "jdk.JVMInformation": ("jvmArguments", "javaArguments"), "jdk.JavaExceptionThrow": ("message",), "jdk.FileRead": ("path",),
                 "jdk.FileWrite": ("path",), "jdk.ActiveRecording": ("destination",), "jdk.OSInformation": ("osVersion",), "jdk.NativeLibrary": ("name",)}


def secrets_of(recording):
    found = set()
    for c in recording.chunks:
        for t, v in events_of(c):
            for f in SECRET_FIELDS.get(t.name, ()) if v else ():
                text = c.get(v.get(f)) if isinstance(v.get(f), slow.Ref) else v.get(f)
                found |= {text} if isinstance(text, str) and len(text) > 9 and "VM" not in text else set()
    return found


def check_same(build, program, scratch, path, options):
    out = os.path.join(scratch, "same.jfr")
    names = options[options.index("--names") + 1] if "--names" in options else "keep"
    p = run(build, *options, path, out)
    if p.returncode not in (0, 3):
        return ["%d: %s" % (p.returncode, p.stderr)]
    data, safe = slow.unpack(read(path))[0], read(out)
    bad = ["%d bytes, not %d" % (len(safe), len(data))] * (len(data) != len(safe))
    a, b = slow.Recording(data), slow.Recording(safe)
    bad += ["survives: %r" % s for s in sorted(secrets_of(a)) if s.encode() in safe or s.encode("latin-1", "replace") in safe][:3]
    if p.returncode == 0 and not any(c.lost for c in a.chunks):
        bad += same_recording(a, b, "--numbers" in options) + same_answers(program, path, out, names)
    return bad


# Cases of jfrmake.py that redact cannot read either, or whose damage differs: only that the program ends well.
def check_cases(build, program, scratch, options):
    bad = []
    for name, (make, want) in sorted(cases().items()):
        path = write(os.path.join(scratch, "case.jfr"), make())
        if want == "ok":
            bad += ["%s: %s" % (name, b) for b in check_same(build, program, scratch, path, options)]
        else:
            p = run(build, *options, path, os.path.join(scratch, "case-safe.jfr"))
            bad += ["%s: %d: %s" % (name, p.returncode, p.stderr[-300:])] * (p.returncode not in (0, 3, 5))
    return bad


def cases():
    return {name: (make, want) for name, (want, make) in jfrmake.CASES.items()}


# ---- damage ------------------------------------------------------------------------------------------------


def check_cut(build, scratch, chunks):
    """No secret of a cut recording survives."""
    data, r, bad = b"".join(c.bytes() for c in chunks), random.Random(68), []
    kept = WORDS | METHODS
    for _ in range(40):
        path = write(os.path.join(scratch, "cut.jfr"), data[:r.randrange(200, len(data))])
        p = run(build, "--names", "hash", path, path + "-safe")
        found = {chunks[0].places[int(m)] for m in re.findall(rb"sweptplace([0-9]{4})", read(path + "-safe"))} if p.returncode in (0, 3) else set()
        bad += ["%d: %s" % (p.returncode, p.stderr[-300:])] * (p.returncode not in (0, 3)) + ["survives: %s" % sorted(found - kept)] * bool(found - kept)
    return bad


def mutants(chunks, n, seed):
    """Recordings with changed bytes; some are cut, or lack bytes."""
    r, whole = random.Random(seed), [c.bytes() for c in chunks]
    for _ in range(n):
        b = bytearray(r.choice([*whole, b"".join(whole)]))
        for _ in range(r.randrange(1, 8)):
            b[r.randrange(len(b))] = r.randrange(256)
        if r.random() < .2:
            del b[r.randrange(200, len(b)):]
        elif r.random() < .1:
            at = r.randrange(68, len(b))
            del b[at:at + r.randrange(1, 64)]
        yield bytes(b)


def check_damaged(build, scratch, chunks):
    """No secret of a damaged recording survives: what cannot be attributed is masked."""
    kept, bad, path = WORDS | NAMES | METHODS, [], os.path.join(scratch, "damaged.jfr")
    secret = re.compile(rb"sweptplace(?:%s)x" % b"|".join(b"%04d" % i for i, place in enumerate(chunks[0].places) if place not in kept))
    given = set(secret.findall(chunks[0].bytes()))
    for i, data in enumerate(mutants(chunks, 300, 1)):
        p = run(build, write(path, data), path + "-safe")
        bad += ["%d: %d: %s" % (i, p.returncode, p.stderr[-300:])] * (p.returncode not in (0, 3, 5))
        if p.returncode in (0, 3):
            found = given & set(secret.findall(read(path + "-safe")))
            bad += ["%d: survives: %s" % (i, sorted(chunks[0].places[int(f[10:14])] for f in found)[:5])] * bool(found)
    return bad


def check_mutants(build, scratch, data):
    r, bad = random.Random(69), []
    for i in range(60):
        b = bytearray(data)
        for _ in range(r.randrange(1, 8)):
            b[r.randrange(0, len(b))] = r.randrange(256)
        path = write(os.path.join(scratch, "mutant.jfr"), bytes(b))
        p = run(build, "--names", ("keep", "hash", "hash-all")[i % 3], path, path + "-safe")
        if p.returncode not in (0, 3, 5):
            bad.append("%d: %d %s" % (i, p.returncode, p.stderr[-300:]))
        elif p.returncode != 5 and len(read(path + "-safe")) != len(b):
            bad.append("%d: %d bytes" % (i, len(read(path + "-safe"))))
    return bad


def check_strict(build, scratch, data):
    path, out = write(os.path.join(scratch, "strict.jfr"), data[:-40]), os.path.join(scratch, "strict-safe.jfr")
    p = run(build, "--strict", path, out)
    bad = ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 3 or os.path.exists(out))
    p = run(build, path, out)
    return bad + ["%d without --strict" % p.returncode] * (p.returncode != 3)


def check_numbers(build, program, scratch, path):
    """Numbers of the application's events stay if they are asked for."""
    out = [os.path.join(scratch, name) for name in ("masked.jfr", "kept.jfr")]
    for asked, name in zip(("mask", "keep"), out):
        run(build, "--numbers", asked, path, name)
    bad = ["the same bytes"] * (read(out[0]) == read(out[1]))
    bad += ["%s is passed as %s" % (name, asked) for i, name in enumerate(out) for k, asked in enumerate(("mask", "keep"))
            if (run(build, "--check", "--numbers", asked, path, name).returncode == 0) != (i == k)]
    return bad + check_same(build, program, scratch, path, ("--numbers", "keep"))


def check_version(build, scratch):
    """Recordings that the loader refuses are refused."""
    path = write(os.path.join(scratch, "old.jfr"), jfrmake.old_version(0, 9))
    p = run(build, path, path + "-safe")
    return ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 5 or b"version 0.9" not in p.stderr or os.path.exists(path + "-safe"))


def check_key(build, scratch, path):
    """With a key, runs agree; equal names have equal letters."""
    key, outs = write(os.path.join(scratch, "key"), b"k" * 32), [os.path.join(scratch, "k%d" % i) for i in range(2)]
    os.chmod(key, 0o600)
    codes = [run(build, "--mode", "stable", "--names", "hash", "--key-file", key, path, out).returncode for out in outs]
    return ["two runs differ"] * (read(outs[0]) != read(outs[1])) + ["%s" % codes] * (codes != [0, 0])


# ---- recordings of JDKs ------------------------------------------------------------------------------------


SECRET = re.compile(rb"hunter2|initech-env|4111111111111111|73515473")
SECRET_NAMES = re.compile(rb"SalaryEvent|VaultException|Payslips|employeeName|initech")


def jdks():
    found = {}
    for path in sorted(glob.glob("/usr/lib/jvm/*")):
        if all(os.access(os.path.join(path, "bin", tool), os.X_OK) for tool in ("java", "javac", "jfr")):
            found[os.path.realpath(path)] = True
    return sorted(found)[:JDKS]


def tool(jdk, name, *args, env=None):
    return subprocess.run([os.path.join(jdk, "bin", name), *args], capture_output=True, timeout=BOUND, check=True, env={"PATH": "/usr/bin:/bin", **(env or {})})


def record(jdk, folder):
    """A recording of the program with secrets."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "secrets.jfr")
    tool(jdk, "javac", "-d", folder, os.path.join(HERE, "..", "mk", "FlightSecrets.java"))
    tool(jdk, "java", "-Xmx64m", "-Dsystem.property=property-hunter2", "-Dkey-hunter2=1", "-XX:StartFlightRecording:filename=%s,settings=profile,name=recording-hunter2" % path,
         "-cp", folder, "com.initech.payroll.FlightSecrets", folder, "argument-hunter2", env={"SECRET_HUNTER2": "environment-hunter2"})
    return path


def counted(jdk, path):
    return re.findall(r"^ (\S+) +(\d+) +\d+$", tool(jdk, "jfr", "summary", path).stdout.decode(), re.M)


def check_jdk(build, program, scratch, jdk, path, options):
    out = os.path.join(scratch, "jdk-safe.jfr")
    names = options[options.index("--names") + 1] if "--names" in options else "keep"
    bad = [] if SECRET.search(read(path)) else ["no secrets in the input"]
    p = run(build, *options, path, out)
    bad += ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 0)
    text = tool(jdk, "jfr", "print", out).stdout + tool(jdk, "jfr", "metadata", out).stdout
    for where, data in (("the file", read(out)), ("jfr print", text)):
        bad += ["survives in %s: %s" % (where, sorted(set(re.findall(rb"[\x20-\x7e]{0,20}(?:%s)[\x20-\x7e]{0,20}" % SECRET.pattern, data)))[:3])] * bool(SECRET.search(data))
        if names != "keep" and SECRET_NAMES.search(data):
            bad.append("name survives in %s: %s" % (where, sorted(set(re.findall(rb"[\x20-\x7e]{0,20}(?:%s)[\x20-\x7e]{0,20}" % SECRET_NAMES.pattern, data)))[:3]))
    bad += ["the platform is lost: %s" % s for s in (b"java.lang.Thread", b"jdk.ExecutionSample") if s not in text]
    a, b = counted(jdk, path), counted(jdk, out)
    bad += ["jfr summary: %s" % [x for x in zip(a, b) if x[0] != x[1]][:3]] * (sorted(n for _, n in a) != sorted(n for _, n in b) or (names == "keep" and a != b))
    return bad + check_same(build, program, scratch, path, options)


def check_jdks(tap, build, program, scratch):
    found = jdks()
    if not found:
        tap.ok("recordings of JDKs # SKIP no JDK in /usr/lib/jvm", [])
    for i, jdk in enumerate(found):
        name = os.path.basename(jdk)
        try:
            path = record(jdk, os.path.join(scratch, "jdk%d" % i))
        except (OSError, subprocess.SubprocessError) as e:
            tap.ok("%s # SKIP it makes no recording: %s" % (name, str(e).replace("\n", " ")[:200]), [])
            continue
        for options in MODES:
            attempt(tap, "%s: %s" % (name, " ".join(options)), check_jdk, build, program, scratch, jdk, path, options)


def main():
    build, scratch, *more = sys.argv[1:]
    program, tap, chunks = answers.program_of(build), Tap(), planted()
    for options in MODES:
        how = " ".join(options)
        attempt(tap, "no text survives in any field: " + how, check_planted, build, scratch, chunks, options)
        attempt(tap, "nor in the metadata: " + how, check_metadata, build, program, scratch, options)
    for options in MODES[1:3]:
        attempt(tap, "cases keep their values and answers: " + " ".join(options), check_cases, build, program, scratch, options)
    for seed in range(3):
        path = write(os.path.join(scratch, "seed.jfr"), jfrmake.random_file(seed))
        attempt(tap, "random recording %d" % seed, check_same, build, program, scratch, path, MODES[seed % 2 * 2])
    attempt(tap, "time zones and process ids are kept", check_kept, build, program, scratch)
    attempt(tap, "numbers of the application's events", check_numbers, build, program, scratch, write(os.path.join(scratch, "own.jfr"), chunks[0].bytes()))
    attempt(tap, "nothing survives in what is cut", check_cut, build, scratch, chunks)
    attempt(tap, "nor in what is damaged", check_damaged, build, scratch, chunks)
    attempt(tap, "mutants", check_mutants, build, scratch, jfrmake.random_file(5))
    attempt(tap, "damage", check_strict, build, scratch, chunks[0].bytes())
    attempt(tap, "an old version is refused", check_version, build, scratch)
    attempt(tap, "letters depend on the key alone", check_key, build, scratch, write(os.path.join(scratch, "one.jfr"), chunks[0].bytes()))
    for path in more:
        for options in MODES:
            attempt(tap, "%s %s" % (os.path.basename(path), " ".join(options)), check_same, build, program, scratch, path, options)
    tap.end()


if __name__ == "__main__":
    main()
