# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A Java Flight Recorder file, written byte by byte: what jfrmake.py and jfrdemo.py tell their stories with.

A constant is a tuple of the name of its type and the values of its fields, in order; a reference to one is that tuple, a number
(the bare key) or None (key 0).  Constants are written by the next checkpoint behind their first use, those they need as well.
"""
import struct

PRIMITIVES = ("boolean", "byte", "char", "short", "int", "long", "float", "double", "java.lang.String")
ANNOTATIONS = ("jdk.jfr.Timespan", "jdk.jfr.Timestamp", "jdk.jfr.DataAmount", "jdk.jfr.Label", "jdk.jfr.Category")
STRUCTURES = """
java.lang.Thread osName:S osThreadId:long javaName:S javaThreadId:long group:jdk.types.ThreadGroup* virtual:boolean
java.lang.Class classLoader:jdk.types.ClassLoader* name:jdk.types.Symbol* package:jdk.types.Package* modifiers:int hidden:boolean
jdk.types.ClassLoader type:java.lang.Class* name:jdk.types.Symbol*
jdk.types.Package name:jdk.types.Symbol*
jdk.types.Symbol string:S
jdk.types.Method type:java.lang.Class* name:jdk.types.Symbol* descriptor:jdk.types.Symbol* modifiers:int hidden:boolean
jdk.types.StackTrace truncated:boolean frames:jdk.types.StackFrame[]
jdk.types.StackFrame method:jdk.types.Method* lineNumber:int bytecodeIndex:int type:jdk.types.FrameType*
jdk.types.FrameType description:S
jdk.types.ThreadState name:S
jdk.types.ThreadGroup parent:jdk.types.ThreadGroup* name:S
jdk.types.GCName name:S
jdk.types.GCCause cause:S
jdk.types.GCWhen when:S
jdk.types.VMOperationType type:S
jdk.types.NetworkInterfaceName networkInterface:S
jdk.types.PinnedReason reason:S
jdk.types.VirtualSpace start:long committedEnd:long committedSize:long reservedEnd:long reservedSize:long
jdk.types.MetaspaceSizes committed:long used:long reserved:long
jdk.types.ChunkHeader payload:byte[]
profiler.types.LogLevel name:S
"""
# T: startTime, D: duration, H: eventThread, K: stackTrace; S: a string.
EVENTS = """
jdk.ExecutionSample T sampledThread:java.lang.Thread* K state:jdk.types.ThreadState*
jdk.NativeMethodSample T sampledThread:java.lang.Thread* K state:jdk.types.ThreadState*
jdk.CPUTimeSample T K H failed:boolean samplingPeriod:long@jdk.jfr.Timespan=TICKS biased:boolean
jdk.ObjectAllocationSample T H K objectClass:java.lang.Class* weight:long
jdk.ObjectAllocationInNewTLAB T H K objectClass:java.lang.Class* allocationSize:long tlabSize:long
jdk.ObjectAllocationOutsideTLAB T H K objectClass:java.lang.Class* allocationSize:long
jdk.OldObjectSample T D H K allocationTime:long@jdk.jfr.Timestamp=TICKS objectSize:long lastKnownHeapUsage:long
profiler.LiveObject T H K objectClass:java.lang.Class* allocationSize:long allocationTime:long
profiler.Malloc T H K address:long size:long
profiler.Free T H address:long
profiler.WallClockSample T sampledThread:java.lang.Thread* K state:jdk.types.ThreadState* samples:int
jdk.JavaMonitorEnter T D H K monitorClass:java.lang.Class* previousOwner:java.lang.Thread* address:long
jdk.JavaMonitorWait T D H K monitorClass:java.lang.Class* notifier:java.lang.Thread* timeout:long timedOut:boolean address:long
jdk.ThreadPark T D H K parkedClass:java.lang.Class* timeout:long until:long address:long
jdk.ThreadSleep T D H K time:long@jdk.jfr.Timespan=NANOSECONDS
jdk.SocketRead T D H K host:S address:S port:int timeout:long bytesRead:long endOfStream:boolean
jdk.SocketWrite T D H K host:S address:S port:int bytesWritten:long
jdk.FileRead T D H K path:S bytesRead:long endOfFile:boolean
jdk.FileWrite T D H K path:S bytesWritten:long
jdk.FileForce T D H K path:S metaData:boolean
jdk.VirtualThreadPinned T D H K pinnedReason:jdk.types.PinnedReason*
jdk.GarbageCollection T D gcId:int name:jdk.types.GCName* cause:jdk.types.GCCause* sumOfPauses:long longestPause:long
jdk.YoungGarbageCollection T D gcId:int tenuringThreshold:int
jdk.GCPhasePause T D H gcId:int name:S
jdk.GCPhaseConcurrent T D H gcId:int name:S
jdk.GCPhaseParallel T D H gcId:int gcWorkerId:int name:S
jdk.ExecuteVMOperation T D H operation:jdk.types.VMOperationType* safepoint:boolean
jdk.CPULoad T jvmUser:float jvmSystem:float machineTotal:float
jdk.ThreadCPULoad T H user:float system:float
jdk.GCHeapSummary T gcId:int when:jdk.types.GCWhen* heapSpace:jdk.types.VirtualSpace heapUsed:long
jdk.MetaspaceSummary T gcId:int gcThreshold:long metaspace:jdk.types.MetaspaceSizes
jdk.PhysicalMemory T totalSize:long usedSize:long
jdk.ResidentSetSize T size:long peak:long
jdk.JavaThreadStatistics T activeCount:long daemonCount:long accumulatedCount:long peakCount:long
jdk.ClassLoadingStatistics T loadedClassCount:long unloadedClassCount:long
jdk.ExceptionStatistics T H K throwables:long
jdk.ThreadContextSwitchRate T switchRate:float
jdk.ThreadAllocationStatistics T allocated:long thread:java.lang.Thread*
jdk.NetworkUtilization T networkInterface:jdk.types.NetworkInterfaceName* readRate:long writeRate:long
jdk.ActiveSetting T D H K id:long name:S value:S
jdk.ActiveRecording T D H K id:long name:S destination:S maxAge:long maxSize:long recordingStart:long recordingDuration:long
jdk.JVMInformation T jvmName:S jvmVersion:S jvmArguments:S jvmFlags:S javaArguments:S jvmStartTime:long pid:long
jdk.ThreadDump T result:S
jdk.CPUInformation T cpu:S description:S sockets:int cores:int hwThreads:int
jdk.ContainerConfiguration T containerType:S effectiveCpuCount:long
jdk.DataLoss T amount:long total:long
jdk.CPUTimeSamplesLost T H lostSamples:int
profiler.Span T D H tag:S
profiler.Log T level:profiler.types.LogLevel* message:S
app.Order T D H K text:S number:int amount:long share:float ratio:double letter:char small:short tiny:byte paid:boolean \
 who:java.lang.Thread* what:java.lang.Class* lines:int[] names:S[] place:app.Place places:app.Place[] states:jdk.types.ThreadState*[]
app.Place row:int seat:S
app.Tick T H K count:long
"""
SHORT = {"T": "startTime:long@jdk.jfr.Timestamp=TICKS", "D": "duration:long@jdk.jfr.Timespan=TICKS",
         "H": "eventThread:java.lang.Thread*", "K": "stackTrace:jdk.types.StackTrace*"}
# The prefixes of names of types, and those of version 1.0.
OLD = (("jdk.types.", "com.oracle.jfr.types."), ("jdk.", "com.oracle.jdk."))
ALL = 0xffffffffffffffff


class Field:
    def __init__(self, text):
        text, _, note = text.partition("@")
        self.name, _, kind = text.partition(":")
        self.note = tuple(note.split("=")) if note else None
        self.array = kind.endswith("[]")
        self.pool = kind.removesuffix("[]").endswith("*")
        self.type = kind.removesuffix("[]").removesuffix("*")
        self.type = "java.lang.String" if self.type == "S" else self.type


def parse(text):
    out = {}
    for line in text.replace("\\\n", "").strip().split("\n"):
        name, *fields = line.split()
        out[name] = [Field(SHORT.get(x, x)) for x in fields]
    return out


TYPES = {**{n: [] for n in PRIMITIVES}, **parse(STRUCTURES), **parse(EVENTS),
         **{n: [Field("value:S")] for n in ANNOTATIONS}}
EVENT_TYPES = set(parse(EVENTS)) - {"app.Place"}


class Out(bytearray):
    """Compressed integers and strings."""

    def num(self, v, width=0):
        v &= ALL
        n = 0
        while n < 8 and (v > 127 or n < width - 1):
            self.append(v & 127 | 128)
            v >>= 7
            n += 1
        self.append(v)
        return self

    def text(self, s, kind=None):
        """kind: 3, 4 or 5 (0, 1 go without saying)."""
        if s is None or s == "":
            self.append(0 if s is None else 1)
            return self
        if kind == 5 and all(ord(ch) < 256 for ch in s):
            data = s.encode("latin-1")
            self.append(5)
            self.num(len(data)).extend(data)
        elif kind == 4:
            units = s.encode("utf-16-le", "surrogatepass")
            self.append(4)
            self.num(len(units) // 2)
            for u in struct.unpack("<%dH" % (len(units) // 2), units):
                self.num(u)
        else:
            data = s.encode("utf-8", "surrogateescape")
            self.append(3)
            self.num(len(data)).extend(data)
        return self


def framed(kind, body, padded=True):
    """An event: its size in front, in 4 bytes or as few as it needs."""
    head = Out().num(kind)
    size = len(head) + len(body)
    if padded:
        return bytes(Out().num(size + 4, 4) + head + body)
    whole = size + 1
    while len(Out().num(whole)) + size != whole:
        whole += 1
    return bytes(Out().num(whole) + head + body)


class Chunk:
    """r: chances of ids, keys and ways to write; None: the plainest ones."""

    def __init__(self, r=None, version=(2, 1), start_ns=1700000000000000000, start=1000, frequency=1000000000, state=0,
                 flags=1, old=False, padded=True):
        self.r, self.version, self.old, self.padded = r, version, old, padded
        self.start_ns, self.start, self.frequency, self.state, self.flags = start_ns, start, frequency, state, flags
        self.items, self.ids, self.used, self.told = [], {}, [], 0
        self.keys, self.pending, self.taken, self.hidden = {}, [], set(), set()
        self.types = TYPES

    # -- types
    def id(self, name):
        """The id of a type, whose fields' types get theirs too."""
        if name not in self.ids:
            n = len(self.ids) + 100
            if self.r:
                taken = set(self.ids.values())
                n = self.r.choice([n for n in range(2, 3000) if n not in taken])
            self.ids[name] = n
            self.used.append(name)
            for f in self.types[name]:
                self.id(f.type)
                if f.note:
                    self.id(f.note[0])
        return self.ids[name]

    def called(self, name):
        for new, old in OLD if self.old else ():
            if name.startswith(new) and not name.startswith("jdk.jfr."):
                return old + name[len(new):]
        return name

    def element(self, name):
        attributes = {"id": str(self.ids[name]), "name": self.called(name)}
        if name in EVENT_TYPES:
            attributes["superType"] = "jdk.jfr.Event"
        elif name in ANNOTATIONS:
            attributes["superType"] = "java.lang.annotation.Annotation"
        elif len(self.types[name]) == 1 and not self.types[name][0].array:
            attributes["simpleType"] = "true"
        fields = []
        for f in self.types[name]:
            a = {"name": f.name, "class": str(self.id(f.type))}
            if f.pool:
                a["constantPool"] = "true"
            if f.array:
                a["dimension"] = "1"
            notes = [("annotation", {"class": str(self.id(f.note[0])), "value": f.note[1]}, [])] if f.note else []
            fields.append(("field", a, notes))
        return "class", attributes, fields

    def metadata(self, names=None, drop=()):
        """All types so far; those that are used later need one more."""
        names = [n for n in (names or self.used) if n not in drop]
        tree = ("root", {}, [("metadata", {}, [self.element(n) for n in names]),
                             ("region", {"locale": "en_US", "gmtOffset": "3600000", "dst": "0"}, [])])
        self.items.append(framed(0, tree_bytes(tree, self.start), self.padded))
        return self

    # -- constants
    def key(self, const):
        if const is None:
            return 0
        if isinstance(const, int):
            return const
        if const not in self.keys:
            self.keys[const] = self.free_key()
            if const not in self.hidden:
                self.pending.append(const)
        return self.keys[const]

    def free_key(self):
        n = 0 if self.r else len(self.taken) + 1
        while self.r and (n in self.taken or n == 0):
            n = self.r.choice((self.r.randrange(1, 500), self.r.randrange(1, 1 << 40), self.r.randrange(1 << 63, 1 << 64)))
        self.taken.add(n)
        return n

    def hide(self, *constants):
        """These are referred to, and never written."""
        self.hidden.update(constants)

    def string(self, out, s):
        r = self.r
        if r and s and r.randrange(6) == 0:
            out.append(2)
            out.num(self.key(("java.lang.String", s)))
        else:
            out.text(s, r.choice((3, 4, 5)) if r else 3)

    def put(self, out, kind, v):
        if kind == "java.lang.String":
            self.string(out, v)
        elif kind in ("boolean", "byte"):
            out.append(int(v) & 255)
        elif kind in ("float", "double"):
            out.extend(struct.pack(">f" if kind == "float" else ">d", v))
        elif kind in PRIMITIVES:
            out.num(v if v >= 0 or not self.r or kind == "long" or self.r.randrange(2) else v & 0xffffffff)
        else:
            for f, x in zip(self.types[kind], v):
                self.field(out, f, x)

    def field(self, out, f, v):
        if f.array:
            out.num(len(v))
        for x in v if f.array else (v,):
            if f.pool:
                if isinstance(x, tuple):
                    self.id(x[0])
                out.num(self.key(x))
            else:
                self.put(out, f.type, x)

    def checkpoint(self, mask=0, more=(), constants=None):
        """Append the pending constants, more (type, key, value) and the constants that they refer to; bytes() fills in delta."""
        pools, rows = {}, list(more)
        for name, key, value in rows:
            self.pool(pools, name, key, value)
        while self.pending if constants is None else constants:
            const = (self.pending if constants is None else constants).pop(0)
            self.pool(pools, const[0], self.keys[const], const[1] if const[0] == "java.lang.String" else const[1:])
        body = Out([mask]).num(len(pools))
        for name, rows in pools.items():
            body.num(self.id(name)).num(len(rows))
            for row in rows:
                body.extend(row)
        self.items.append(body)
        return self

    def pool(self, pools, name, key, value):
        self.id(name)
        out = Out().num(key)
        if name == "java.lang.String":
            out.text(value, self.r.choice((3, 4, 5)) if self.r else 3)
        else:
            self.put(out, name, value)
        pools.setdefault(name, []).append(out)

    # -- events
    def event(self, kind, /, extra=b"", **values):
        """Fields that are not given are 0, nothing or empty.  extra: bytes behind the known fields."""
        self.items.append(framed(self.id(kind), self.body(kind, values) + extra, self.padded))
        return self

    def body(self, kind, values):
        out = Out()
        for f in self.types[kind]:
            v = values.pop(f.name, None)
            if v is None:
                v = () if f.array else self.nothing(f)
            self.field(out, f, v)
        assert not values, (kind, values)
        return out

    def nothing(self, f):
        if f.pool or f.type == "java.lang.String":
            return None
        return 0 if f.type in PRIMITIVES else tuple(() if x.array else self.nothing(x) for x in self.types[f.type])

    def raw(self, data):
        self.items.append(bytes(data))
        return self

    # -- the whole
    def bytes(self, size=None, checkpoint_at=None, metadata_at=None, duration=1000000000):
        out, last, first_meta = Out(), 0, 0
        for item in self.items:
            at = 68 + len(out)
            if isinstance(item, Out):
                body = Out().num(self.start).num(0).num(last - at if last else 0) + item
                out.extend(framed(1, body, self.padded))
                last = at
            else:
                if not first_meta and (item[4:5] if self.padded else item[len(Out().num(len(item))):][:1]) == b"\0":
                    first_meta = at
                out.extend(item)
        head = struct.pack(">4sHHqqqqqqqBHB", b"FLR\0", *self.version, 68 + len(out) if size is None else size,
                           last if checkpoint_at is None else checkpoint_at, first_meta if metadata_at is None else metadata_at,
                           self.start_ns, duration, self.start, self.frequency, self.state, 0, self.flags)
        return head + bytes(out)


def tree_bytes(tree, start):
    strings = {}

    def index(s):
        return strings.setdefault(s, len(strings))

    def write(out, node):
        name, attributes, children = node
        out.num(index(name)).num(len(attributes))
        for k, v in attributes.items():
            out.num(index(k)).num(index(v))
        out.num(len(children))
        for child in children:
            write(out, child)

    body = Out()
    write(body, tree)
    head = Out().num(start).num(0).num(1).num(len(strings))
    for s in strings:
        head.text(s)
    return head + body


# ---- constants by what they mean -----------------------------------------------------


def symbol(s):
    return ("jdk.types.Symbol", s)


def java_class(name, hidden=False):
    return ("java.lang.Class", None, symbol(name), None, 1, hidden)


def method(owner, name, descriptor="()V"):
    return ("jdk.types.Method", java_class(owner) if isinstance(owner, str) else owner, symbol(name), symbol(descriptor), 1, False)


def frame_type(name):
    return ("jdk.types.FrameType", name)


def stack(frames, truncated=False):
    """frames: (method, line, frame type), the innermost first."""
    return ("jdk.types.StackTrace", truncated, tuple((m, line, 0, frame_type(kind)) for m, line, kind in frames))


def thread(tid, name, java_id=None, os_name=None, virtual=False):
    return ("java.lang.Thread", os_name if os_name is not None else name, tid, name, tid if java_id is None else java_id, None, virtual)


def state(name="STATE_RUNNABLE"):
    return ("jdk.types.ThreadState", name)
