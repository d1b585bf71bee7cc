# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapnames.py - the tree of names of a heap dump once more, slowly, over the reader heap.py; used by namecheck.py.

The tree of dominators is folded by the names of fields.  An object that several objects hold is named by a search that has
bounds; they are here as well, so that all is compared.  The bound on the number of nodes is not.
"""
import collections
import re

from heap import COUNTS, SUPER_ROOT
from heapanswers import plain, spread
from heapread import ON_THREADS, ROOTS

JDK = ("java.", "javax.", "jdk.", "sun.", "com.sun.", "com.oracle.svm.", "com.oracle.graal.", "com.ibm.oti.", "com.ibm.jvm.", "openj9.")
PRIMITIVE = {"boolean", "byte", "char", "short", "int", "long", "float", "double"}
LIBRARY = tuple(x + "." for x in """
    com.google.common com.google.protobuf com.github.benmanes io.netty org.jctools reactor io.reactivex rx
    org.reactivestreams scala kotlin kotlinx groovy clojure akka play org.apache org.springframework org.hibernate
    org.eclipse org.h2 com.fasterxml org.slf4j ch.qos it.unimi.dsi gnu.trove org.agrona com.carrotsearch io.vavr
    org.roaringbitmap okhttp3 okio retrofit2 dagger com.squareup com.bumptech org.codehaus net.bytebuddy com.zaxxer
    jakarta org.jboss org.w3c com.mchange org.postgresql com.mysql org.mariadb oracle io.micrometer io.grpc org.joda
    org.aspectj org.yaml io.undertow io.vertx io.quarkus io.lettuce redis net.sf org.ehcache org.jetbrains leakcanary
    shark androidx android dalvik libcore com.android com.google.gson com.google.inject com.google.firebase
    com.google.android com.google.api com.google.cloud io.prometheus io.opentelemetry io.opencensus io.opentracing
    io.jaegertracing io.dropwizard com.codahale io.ktor io.micronaut io.smallrye io.helidon io.github.resilience4j
    io.swagger io.jsonwebtoken io.fabric8 io.kubernetes io.sentry io.realm io.objectbox com.amazonaws software.amazon
    com.azure com.microsoft.sqlserver com.mongodb org.bson com.datastax com.couchbase com.aerospike org.neo4j
    org.elasticsearch co.elastic org.opensearch com.rabbitmq com.hazelcast org.infinispan org.redisson org.mybatis
    com.baomidou org.jooq org.flywaydb liquibase org.thymeleaf freemarker org.glassfish org.quartz org.xerial org.sqlite
    org.hsqldb org.duckdb org.rocksdb com.clickhouse com.influxdb io.minio org.bouncycastle com.nimbusds org.objectweb
    org.json net.minidev com.jayway com.alibaba brave zipkin2 com.newrelic datadog com.dynatrace com.appdynamics
    org.threeten org.mockito org.junit org.testng coil com.airbnb org.koin javassist org.javassist cn.hutool
    com.esotericsoftware org.xnio org.wildfly org.osgi org.antlr weblogic com.ibm.ws org.keycloak com.lmax net.openhft
    org.asynchttpclient com.vaadin org.primefaces com.atomikos org.tinylog org.graalvm com.oracle.truffle""".split())
ENDS = "Map|Set|List|Queue|Deque|Vector|Stack|Hashtable|Collection|Collections|Arrays|Properties|BitSet"
COLLECTION = re.compile(r"java\.util\.(?!(logging|jar|zip|regex|stream|function|prefs)\.)("
                        r"[^$]*(%s)|(Collections|Arrays|ImmutableCollections)\$.*|concurrent\.atomic\.Atomic.*Array|"
                        r"concurrent\.(ScheduledThreadPoolExecutor\$DelayedWorkQueue|ConcurrentHashMap\$KeySetView))" % ENDS)
INNER = re.compile(r"java\.util\.(?!AbstractMap\$Simple|Map\$Entry$)(concurrent\.locks\..*|[^$]*\$(.*(Node|Entry|Bin|Segment|Index|Link|Item|Cell|Sync|Pair)|"
                   r"Values|KeySet|EntrySet|ValuesView|Itr|Keys))")
LINKS = re.compile(r"java\.lang\.ref\.Reference|kotlin\.coroutines\.jvm\.internal\..*ContinuationImpl")
PUT_IN = {b"value", b"val", b"key", b"item", b"element", b"data", b"referent", b"v", b"k", b"e0", b"e1", b"k0", b"v0"}
WITHIN = {b"map", b"m", b"c", b"al", b"list", b"mutex", b"s", b"q", b"set", b"coll", b"ss", b"sm", b"keySet"}
MARKS = ("$$Lambda", "ByCGLIB$$", "ByMockitoWithCGLIB$$", "$$SpringCGLIB$$", "$$EnhancerBy", "$MockitoMock$",
         "$ByteBuddy$", "$HibernateProxy$", "_$$_jvst")
LOCALS = "java.lang.ThreadLocal$ThreadLocalMap"
ENTRY = LOCALS + "$Entry"
VALUES = "java.lang.ClassValue$"
VALUE = VALUES + "Entry"
RANKS = (8, 3, 2, 1, 5, 7)      # kinds of roots, the first one to report; the others follow
OWN_ABOVE, ANY_ABOVE, MANY_ABOVE = 6, 12, 3
HOLDERS, CLIMB = 12, 64
LOOKED, FIRST, LATER, ALIKE, STEPS, DEEP, NEAR = 64, 12, 6, 4, 32, 3, 4
PROGRAM, BEHIND, THREAD_LOCAL, OF_LIBRARY, JDK_STATIC, LOCAL, STATIC_BEHIND, JDK_LOCAL, OF_JDK, QUEUED, OF_ROOT, NONE = range(12)
THREAD_LOCALS = ("thread local", "static local", "lost local")
ON_THREAD = THREAD_LOCALS + ("local",)

Label = collections.namedtuple("Label", "kind text holder cls declares", defaults=(b"", b"", None, None))


def element(name):
    while name.endswith("[]"):
        name = name[:-2]
    return name


def stable(name):
    """Without what differs from run to run."""
    base = element(name)
    tail, ends = name[len(base):], []
    for m in MARKS:
        at = base.find(m)
        if at == 0 or (at > 0 and base[at - 1] != "-"):
            ends.append((MARKS.index(m), at + len(m)))
    if ends:
        base = base[:min(ends)[1]]
    base = re.sub(r"[./+]0x[0-9a-f]+", "", base)
    base = re.sub(r"(?<=\$Proxy)[0-9]+|(?<=Accessor)[0-9]+|(?<=jdk\.proxy)[0-9]+|(?<=class@)[0-9a-f]+", "", base)
    return base + tail


def raw(s):
    return s.encode("utf-8", "surrogateescape")


def shown(s):
    return spread(plain(s.decode("utf-8", "surrogateescape") if isinstance(s, bytes) else s))

# Classes that show native memory: class, fields of address and size, whether it maps a file.  LISTS: the lists of memory that arenas free.
SHOWERS = (("jdk.internal.foreign.MappedMemorySegmentImpl", b"min", b"length", True),
           ("jdk.internal.foreign.NativeMemorySegmentImpl", b"min", b"length", False),
           ("org.apache.arrow.memory.ArrowBuf", b"addr", b"capacity", False), ("com.sun.jna.Memory", b"peer", b"size", False))
LISTS = tuple(("jdk.internal.foreign.%s$ResourceList" % owner, b"val$" + address, b"val$" + size) for owner, address, size in (
    ("MemorySessionImpl", b"allocationBase", b"allocationSize"), ("MemorySessionImpl", b"buf", b"alignedSize"),
    ("ResourceScopeImpl", b"buf", b"alignedSize")))


class Kind:
    """The kind of a class; whose: 1 the JDK's, 2 a library's, 4 a program's."""

    def __init__(self, name, own=""):
        base = element(name)
        self.text = raw(stable(name))
        library = base.startswith(LIBRARY) and not (own and (base + ".").startswith(own + "."))
        self.whose = 1 if base in PRIMITIVE or base.startswith(JDK) else 2 if library else 4
        self.array = name != base and (base not in PRIMITIVE or name != base + "[]")
        self.collection = bool(COLLECTION.fullmatch(name)) or name == VALUES + "ClassValueMap"
        self.inner, self.table = bool(INNER.fullmatch(name)), self.array and bool(INNER.fullmatch(base))
        self.string = name == "java.lang.String"
        self.fast = name.endswith("netty.util.internal.InternalThreadLocalMap")
        self.locals = name.startswith((LOCALS, VALUES)) or self.fast
        self.entry, self.value = name in (ENTRY, VALUE), name == VALUE
        self.thread = self.loader = False
        self.part = self.collection or self.inner


class Node:
    def __init__(self, up, name, cls, role, loader=False, key=None):
        self.up, self.name, self.cls, self.role, self.loader, self.key = up, name, cls, role, loader, key
        self.kids, self.holder_whose = {}, 0
        self.count = self.folded = self.self = self.total = self.native = self.native_total = self.most = 0
        self.object = 0


class Names:
    def __init__(self, h, native=None):
        self.h = h
        self.parent, self.retained = h.solve()
        self.counts = COUNTS[h.refs]
        self.kinds, self.kind_at, self.found, self.keys, self.into, self.fast_keys = {}, {}, {}, {}, None, None
        self.instances = self.extending = None
        self.nothing = Kind("")
        self.nothing.whose = 0
        self.own = self.debugged()
        self.read_locals()
        self.root = Node(None, b"heap", b"", "root")
        self.root.count, self.nodes, self.of = 1, [self.root], {}
        for a in self.parent:
            self.place_below(a)
        self.buffers()
        for a, n in (native or {}).items():
            if a in self.of:
                self.of[a].native += n
        for n in reversed(self.nodes):
            n.total += n.self
            n.native_total += n.native
            if n.up:
                n.up.total += n.total
                n.up.native_total += n.native_total

    # ---- classes ---------------------------------------------------------------------------

    def debugged(self):
        """The first parts of the class that thread main began in: a library under inspection does not count as one."""
        h, stacks = self.h, self.h.stacks()
        mains = [stacks[s] for s in h.r.threads if h.thread_name(s) == "main" and stacks.get(s)]
        frame = h.r.frames.get(mains[0][-1]) if mains else None
        c = h.r.serial.get(frame[3]) if frame else None
        parts = h.name(c).split(".") if c else []
        return ".".join(parts[:-1][:3]) if len(parts) > 2 and not parts[-1].endswith("Launcher") else ""

    def class_of(self, a):
        o = self.h.r.objects[a]
        return self.h.jlc if o.kind == "c" else self.h.class_of(a) if o.kind == "p" else o.cls

    def kind(self, c):
        """The name of the class at an address, or of a class of arrays of values."""
        if c not in self.kinds:
            h = self.h
            k = Kind(c if isinstance(c, str) else h.name(c), self.own) if c else self.nothing
            chain = [h.name(x) for x in h.chain(c)] if not isinstance(c, str) else []
            if k.whose > 1 and any(COLLECTION.fullmatch(n) for n in chain):
                k.collection = k.part = True
            k.thread = "java.lang.Thread" in chain
            k.loader = "java.lang.ClassLoader" in chain
            self.kinds[c] = k
        return self.kinds[c]

    def kind_of(self, a):
        if a not in self.kind_at:
            self.kind_at[a] = self.kind(self.class_of(a))
        return self.kind_at[a]

    # ---- labels -----------------------------------------------------------------------------

    def read_locals(self):
        h = self.h
        self.local, stacks = collections.defaultdict(dict), h.stacks()
        for tag, a, serial, frame in h.r.roots:
            thread = h.r.threads.get(serial, (0,))[0]
            if tag in ON_THREADS and a in h.r.objects and thread in h.r.objects:
                frames = stacks.get(serial, ())
                text = self.method(frames[frame]) if 0 <= frame < len(frames) else (b"", b"an unknown method", None)
                old = self.local[thread].get(a)
                self.local[thread][a] = text if old is None else min(old, text, key=lambda t: t[:2])

    def method(self, frame):
        """Name of the class, of the method, and the class."""
        got = self.h.r.frames.get(frame)
        if got is None:
            return b"", b"an unknown method", None
        c = self.h.r.serial.get(got[3])
        name = self.h.r.names.get(got[0], b"")
        if b"lambda$" in name or name.startswith(b"$anonfun$"):
            name = re.sub(rb"\$[0-9]+\Z", b"", name)
        return self.kind(c).text if c else b"", name, c

    def fields(self, a):
        """(name, declaring class, object) of references that count, in the order of the object; statics of a class."""
        h = self.h
        r, o = h.r, h.r.objects[a]
        if o.kind == "c":
            for n, t, v in r.classes[a].statics:
                if t in (1, 2):
                    yield r.names.get(n) or b"?", None, int.from_bytes(v, "big")
        elif o.kind == "i":
            for declares, n, t, at in h.fields(o.cls):
                if t not in (1, 2) or h.idle(declares, n) or at + r.ids > o.bytes:
                    continue
                weak = n == b"referent" and h.name(declares) == "java.lang.ref.Reference"
                if not weak or h.strength(o.cls) in self.counts:
                    yield n or b"?", declares, r.id(o.data + at)

    def label(self, holder, a):
        """By which reference holder has a; None: by none."""
        key = holder, a
        if key not in self.found:
            self.found[key] = self.find(holder, a)
        return self.found[key]

    def find(self, holder, a):
        k, o = self.kind_of(holder), self.h.r.objects[holder]
        if k.array and o.kind != "c":
            return Label("element")
        if k.thread and a in self.local[holder]:
            cls, method, c = self.local[holder][a]
            return Label("local", method, cls, c)
        best = None
        for name, declares, v in self.fields(holder):
            if v == a and (best is None or name < best[0]):
                best = name, declares
        if best is None:
            return None
        if o.kind == "c":
            return Label("static", best[0], self.kind(holder).text, holder)
        links = LINKS.fullmatch(self.h.name(best[1])) and self.kind(best[1]).whose == 2
        c = best[1] if links or self.kind(best[1]).whose >= self.kind(o.cls).whose else o.cls
        return Label("field", best[0], self.kind(c).text, c, best[1])

    def holders(self, a):
        """Referrers, reachable or not, as often as they refer, by rising address."""
        if self.into is None:
            self.into = collections.defaultdict(list)
            for x in self.h.addresses:
                for v, _ in self.h.out(x, classes=False):
                    self.into[v].append(x)
        return self.into[a]

    def live(self, a):
        """The first of the holders that are reachable, each once."""
        return [x for k, x in enumerate(self.holders(a)[:LOOKED]) if x != a and x in self.parent and x not in self.holders(a)[:k]]

    # ---- held by several ------------------------------------------------------------------------

    def is_class(self, a):
        return self.class_of(a) == self.h.jlc

    def climb(self, a, up):
        for _ in range(CLIMB):
            if not a or a not in self.parent or self.is_class(a):
                return 0
            if self.parent[a] == up:
                return a
            a = self.parent[a]
        return 0

    def below(self, a, up):
        """Return the object that up holds by a field and that is or dominates a holder of a (0: none); of several the one with the first name."""
        best, name = 0, b""
        for x in self.live(a)[:HOLDERS]:
            at = self.climb(x, up)
            if at in (0, a, best):
                continue
            label = self.label(up, at)
            if label and label.text and (not best or label.text < name):
                best, name = at, label.text
        return best

    def inside(self, a):
        return self.kind_of(a).part or self.kind_of(a).array

    def shared(self, a):
        todo, seen = [], set()

        def push(x, held, depth):
            if x not in seen and len(todo) < STEPS:
                seen.add(x)
                todo.append((x, held, depth))

        def push_holders(held, most, depth):
            chosen = []
            if len(self.holders(held)) <= LOOKED:
                self.choose(self.live(held), chosen)
            else:       # of many the best
                every = [x for x in dict.fromkeys(self.holders(held)) if x != held and x in self.parent]
                self.choose([x for x in every if self.is_own(x)], chosen)
                self.choose([x for x in every if not self.is_own(x) and self.is_class(x)], chosen)
                self.choose([x for x in every if not self.is_own(x) and not self.is_class(x)], chosen)
            for x in chosen[:most]:
                push(x, held, depth)

        def push_above(x, depth):
            up = self.parent.get(x, SUPER_ROOT)
            if up != SUPER_ROOT and ((self.inside(x) and self.inside(up)) or self.label(up, x)):
                push(up, x, depth)
            else:
                push_holders(x, LATER, depth)

        best = NONE, Label("root")

        def take(rank, label):
            return min(best, (rank, label), key=lambda b: (b[0], b[1].holder, b[1].text))
        push_holders(a, FIRST, 0)
        at = 0
        while at < len(todo):
            x, held, depth = todo[at]
            at += 1
            if depth > 0 and best[0] == PROGRAM:
                continue
            k = self.kind_of(x)
            if self.inside(x):
                push_above(x, depth)
                root = self.root_kind(x)
                if root.kind == "root":
                    best = take(OF_ROOT, root)
                continue
            label = self.label(x, held)
            if label is None:
                continue
            if k.entry:
                best = take(THREAD_LOCAL, self.thread_local(x))
                continue
            rank = self.rank(label)
            if rank <= OF_LIBRARY and self.back(x, held):
                rank = QUEUED
            static = label.kind == "static"
            label = label if label.kind == "local" else label._replace(kind="shared")
            if depth == 0:
                best = take(rank, label)
            elif rank == PROGRAM:
                best = take(BEHIND, label)
            elif rank == OF_JDK and static:
                best = take(STATIC_BEHIND, label)
            if rank == OF_JDK and depth < DEEP and not k.thread and not k.loader and not self.is_class(x):
                push_above(x, depth + 1)
        if best[0] in (LOCAL, JDK_LOCAL):    # of the JDK only what a static has is better
            for x, held, depth in todo:
                label = None if depth or self.inside(x) or self.kind_of(x).entry else self.label(x, held)
                if label and self.rank(label) == OF_JDK and self.static(x):
                    best = take(JDK_STATIC, label._replace(kind="shared"))
        if best[0] >= OF_ROOT:
            own = self.root_kind(a)
            return best[1] if own.kind != "root" and best[0] == OF_ROOT else own
        return best[1]

    def back(self, x, a):
        """It hangs on a itself."""
        for _ in range(8):
            if x == a or x == SUPER_ROOT:
                break
            x = self.parent.get(x, SUPER_ROOT)
        return x == a

    def rank(self, label):
        whose = self.kind(label.cls).whose if label.cls else 0
        queued = label.declares and LINKS.fullmatch(self.h.name(label.declares))
        if label.kind == "local":
            return JDK_LOCAL if whose == 1 else LOCAL
        return QUEUED if queued else OF_JDK if label.text.startswith(b"<") else \
            PROGRAM if whose == 4 else OF_LIBRARY if whose == 2 else OF_JDK

    def static(self, a):
        """Below a class, or below what a class refers to."""
        way = [a]
        while not self.is_class(way[-1]) and len(way) <= CLIMB and self.parent[way[-1]] != SUPER_ROOT:
            way.append(self.parent[way[-1]])
        if self.is_class(way[-1]) or self.kind_of(way[-1]).thread:
            return self.is_class(way[-1])
        return any(self.is_class(x) and x in self.parent for x in self.holders(way[-1])[:LOOKED])

    def is_own(self, a):
        """It has a name of its own: what is of the JDK is of different owners."""
        k = self.kind(a) if self.h.r.objects[a].kind == "c" else self.kind_of(a)
        return not (k.whose == 1 or k.part or k.array or k.thread)

    def choose(self, holders, chosen):
        """One instance of a class of a program is enough."""
        for x in holders:
            c = self.class_of(x)
            same = sum(1 for y in chosen if self.class_of(y) == c)
            if len(chosen) < FIRST and (c == self.h.jlc or same < (1 if self.is_own(x) else ALIKE)):
                chosen.append(x)

    def alive(self, thread):
        """Started, and not ended; or not known."""
        if "java.lang.VirtualThread" in (self.h.name(c) for c in self.h.chain(self.class_of(thread))):
            v = self.h.value(thread, b"state")
            return v is None or v[1] & ~0x100 not in (0, 99)
        v = self.h.value(thread, b"threadStatus") or self.h.value((self.h.value(thread, b"holder") or (0, 0))[1], b"threadStatus")
        return v is None or v[1] & 0x435 != 0

    def root_kind(self, a):
        h = self.h
        if not hasattr(self, "rooted"):
            self.rooted = collections.defaultdict(list)
            for root in h.r.roots:
                self.rooted[root[1]].append(root)
        tags = [t for t, _, serial, _ in self.rooted[a]
                if not (t in ON_THREADS and h.r.threads.get(serial, (0,))[0] in h.r.objects)]
        if tags:
            best = min(tags, key=lambda t: (RANKS + (t,)).index(t) if t in RANKS else len(RANKS))
            return Label("root", raw(ROOTS[best]))
        return Label("shared", b"(no field)")

    def thread_local(self, entry):
        def at(a, field):
            return (self.h.value(a, field) or (0, 0))[1]
        if self.kind_of(entry).value:       # the ClassValue is that of a version, to which the entry or an object of it refers weakly
            version = at(at(entry, b"version") or entry, b"referent")
            key = version and at(version, b"classValue")
            return self.of_key(key if key in self.parent else 0)._replace(kind="shared")
        key = at(entry, b"referent")
        return self.of_key(key if key in self.parent else 0)

    def of_key(self, key):
        if not key:
            return Label("lost local", b"(key gone)")
        if key not in self.keys:
            best, instances = None, 0
            for x in dict.fromkeys(self.holders(key)):
                k = self.kind_of(x)
                if x not in self.parent or k.locals or k.part or k.array or k.thread:
                    continue
                instances += not self.is_class(x)
                if instances > LOOKED and not self.is_class(x):
                    continue
                label = self.label(x, key)
                if label and label.holder:
                    one = (label.kind != "static", label.holder, label.text, label.cls)
                    best = one if best is None else min(best, one, key=lambda b: b[:3])
            self.keys[key] = Label("thread local", self.kind_of(key).text, cls=self.class_of(key)) if best is None else \
                Label("thread local" if best[0] else "static local", best[2], best[1], best[3])
        return self.keys[key]

    # ---- places ---------------------------------------------------------------------------------

    def place_below(self, a):
        way = []
        while a != SUPER_ROOT and a not in self.of:
            way.append(a)
            a = self.parent[a]
        for a in reversed(way):
            if a not in self.of:
                self.place(a)

    def is_part(self, a, up, above):
        k, over, within = self.kind_of(a), self.kind_of(up), above.role == "collection"
        if k.locals or over.string or (not within and k.array and over.array and not self.fast_table(up)):
            return True
        if over.fast and k.array:
            return True
        if not within:
            return False
        if k.collection and over.collection:
            label = self.label(up, a)
            return label is not None and label.kind == "field" and label.text in WITHIN and self.kind(label.declares).whose == 1
        if not k.inner and not k.array:
            return False
        built = self.built_of(up, a)
        if built is None and k.inner:
            near = [x for x in self.holders(a)[:NEAR] if x != a and x in self.parent]
            return any(self.built_of(x, a) for x in near)
        return bool(built)

    def fast_table(self, a):
        """The array of Netty's thread locals of a thread."""
        return self.kind_of(a).array and self.parent[a] != SUPER_ROOT and self.kind_of(self.parent[a]).fast

    def fast_local(self, table, a):
        """By the key that has the index at which a stands."""
        if self.fast_keys is None:
            self.fast_keys = {}
            for x in self.parent:
                if any(c.endswith("netty.util.concurrent.FastThreadLocal") for c in map(self.h.name, self.h.chain(self.class_of(x)))):
                    self.fast_keys[(self.h.value(x, b"index") or (0, -1))[1]] = x
        places = [i for i, v in enumerate(self.h.r.elements(self.h.r.objects[table])) if v == a]
        return self.of_key(self.fast_keys.get(places[0], 0) if places else 0)

    def built_of(self, up, a):
        """Return whether the collection up is built of a, and was not given it; None: up holds it by no field."""
        over = self.kind_of(up)
        if over.array:
            return over.table and self.kind_of(a).inner
        if not over.part:
            return False
        label = self.label(up, a)
        if label is None or label.kind != "field":
            return None
        return self.kind(label.declares).whose == 1 and label.text not in PUT_IN

    def several(self, a, up, above):
        below = self.below(a, up) if up and not self.kind_of(up).thread else 0
        if not below:
            return (self.root if above.loader else above), self.shared(a)
        if below not in self.of:
            self.place(below)
        node = self.of[below]
        if node is not above and node.cls != self.kind_of(a).text:
            return node, Label("element")
        return above, self.label(up, below)._replace(kind="shared")

    def where(self, a, up, above):
        if up == SUPER_ROOT:
            return above, self.shared(a)
        if self.kind_of(up).entry:
            return above, self.thread_local(up)
        if self.fast_table(up):
            return above, self.fast_local(up, a)
        label = self.label(up, a)
        if above.role in ("collection", "array"):
            k = self.kind_of(up)
            if k.collection and k.whose != 1 and label and label.kind == "field" and self.kind(label.declares).whose != 1:
                return above, label
            if above.loader and up not in self.holders(a)[:LOOKED]:
                return self.root, self.shared(a)
            return above, Label("element")
        if above.role == "threads" and label and label.kind == "element":
            label = None
        return (above, label) if label else self.several(a, up, above)

    def name(self, label):
        if label.kind == "element":
            return b"[]"
        front = {"static": b"static ", "local": b"local of ", "thread local": b"thread local ", "lost local": b"thread local ",
                 "static local": b"thread local static ", "root": b"root: "}
        return front.get(label.kind, b"") + label.holder + (b"." if label.holder and label.text else b"") + label.text

    def child(self, up, key, name, cls, role, loader=False):
        node = up.kids.get(key)
        if node is None:
            node = up.kids[key] = Node(up, name, cls, role, loader, key)
            self.nodes.append(node)
        return node

    def node(self, a, up, above):
        k = self.kind_of(a)
        if self.h.r.objects[a].kind == "c":
            text = self.kind(a).text
            return self.child(self.root, ("class", text), b"class " + text, b"", "class")
        if k.thread and (self.root_kind(a).kind == "root" or self.alive(a)):
            return self.child(self.root, "threads", b"threads", b"", "threads")
        above, label = self.where(a, up, above)
        role = "collection" if k.collection else "array" if k.array else "plain"
        nearest, seen, at = None, 0, above
        for n in range(ANY_ABOVE):
            if at.role == "root":
                break
            if at.cls == k.text and at.role == role:
                nearest, seen = nearest or at, seen + 1
                if (k.whose != 1 and n < OWN_ABOVE) or seen >= MANY_ABOVE:
                    nearest.folded += 1
                    return nearest
            at = at.up
        loader = k.loader or bool(label.cls and label.kind not in ON_THREAD and self.kind(label.cls).loader)
        child = self.child(above, (label.kind, label.text, label.holder, k.text), self.name(label), k.text, role, loader)
        child.holder_whose = self.kind(label.cls).whose if label.cls else 0
        return child

    def place(self, a):
        up = self.parent[a]
        above = self.of[up] if up != SUPER_ROOT else self.root
        if up != SUPER_ROOT and not self.is_class(a) and self.is_part(a, up, above):
            node = above
        else:
            node = self.node(a, up, above)
            node.count += 1
            if self.retained[a] > node.most or (self.retained[a] == node.most and a < node.object):
                node.most, node.object = self.retained[a], a
        node.self += self.h.shallow[a]
        self.of[a] = node

    # ---- beside the heap -------------------------------------------------------------------------

    def image(self, a):
        for _ in range(12):
            if not a:
                return False
            if self.kind_of(a).text.startswith(b"jdk.internal."):
                return True
            up = self.parent.get(a, SUPER_ROOT)
            a = up if up != SUPER_ROOT else next(iter(self.holders(a)), 0)
        return False

    def shown(self, a, address, size):
        """The memory that an object shows, by its fields; None."""
        at, n = self.h.value(a, address), self.h.value(a, size)
        if not at or not n or at[0] not in (10, 11) or n[0] not in (10, 11) or any(v[0] == 10 and v[1] >> 31 for v in (at, n)) or not at[1]:
            return None
        from_, bytes_ = at[1] % 2 ** 64, n[1]
        return (from_, bytes_) if 0 < bytes_ <= 1 << 40 and from_ + bytes_ <= 2 ** 64 - 1 else None

    def closed(self, a):
        scope = self.h.value(a, b"scope")
        state, closed = (self.h.value(scope[1], f) if scope and scope[1] in self.h.r.objects else None for f in (b"state", b"closed"))
        return bool((state and state[0] == 10 and state[1] >> 31) or (closed and closed[1]))

    def of_class(self, name):
        """Objects of a class and of those that extend it."""
        h = self.h
        if self.instances is None:
            self.instances, self.extending = collections.defaultdict(list), collections.defaultdict(set)
            for k, a in enumerate(self.parent):
                self.instances[self.class_of(a)].append((k, a))
            for c in h.r.classes:
                for x in h.chain(c):
                    self.extending[h.name(x)].add(c)
        return [a for _, a in sorted(o for c in self.extending.get(name, ()) for o in self.instances.get(c, ()))]

    def cleanups(self, a):
        for field in (b"fst", b"cache"):
            at, seen = self.h.value(a, field), set()
            while at and at[1] in self.h.r.objects and at[1] not in seen:
                seen.add(at[1])
                yield at[1]
                at = self.h.value(at[1], b"next")

    def arena(self, a):
        for _ in range(2):
            up = self.parent.get(a, SUPER_ROOT)
            if up == SUPER_ROOT or not self.kind_of(up).text.startswith(b"jdk.internal.foreign."):
                break
            a = up
        return a

    def buffers(self):
        there = lambda v: bool(v and v[1] in self.h.r.objects)
        spans, freed = [], []
        for a in self.of_class("java.nio.DirectByteBuffer"):
            fd, cleaner, heap = (self.h.value(a, f) for f in (b"fd", b"cleaner", b"hb"))
            span = self.shown(a, b"address", b"capacity")
            if span and not there(heap):         # Android's lie in the heap
                spans.append((*span, a, there(fd) or (not there(cleaner) and self.image(a))))
        for name, address, size, mapped in SHOWERS:
            for a in self.of_class(name):
                span = self.shown(a, address, size)
                if span and not self.closed(a):
                    spans.append((*span, a, mapped))
        for name, address, size in LISTS:
            for a in self.of_class(name):
                freed += [(*span, self.arena(a), False) for span in (self.shown(x, address, size) for x in self.cleanups(a)) if span]
        taken = []
        for group in (spans, freed):
            for at, n, a, mapped in sorted(group, key=lambda s: (s[0], -s[1], not s[3], s[2])):
                left = [(at, at + n)]
                for x, y in taken:
                    left = [(p, q) for f, t in left for p, q in ((f, min(t, x)), (max(f, y), t)) if p < q]
                taken.append((at, at + n))
                if not mapped:
                    self.of[a].native += sum(t - f for f, t in left)
        for name, bytes_ in (("java.util.zip.Inflater", 39 << 10), ("java.util.zip.Deflater", 262 << 10)):
            for a in self.of_class(name):
                ref = self.h.value(a, b"zsRef")
                address = self.h.value(ref[1], b"address") if there(ref) else None
                if address and address[1]:
                    self.of[a].native += bytes_
