# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapsuspects.py - a server's heap, healthy and with one trouble each, for mkheap.py: suspects_NAME.

healthy      Services, caches, sessions and threads of a pool as they should be: none of them has a tenth of the
             1.9 MB.  Two web applications with the same classes, both known to the manager of them; a third loader is
             the parent of another.  A thread that is not of a pool has a large thread local; the JDK's own tables.
cache        static com.example.Sessions.open, a HashMap of 2000 com.example.Session, holds half of it.
list         static com.example.Audit.first, a list of 12000 com.example.Entry that are linked by themselves.
group        400 com.example.Connection, each a JNI global root with byte[2000].
thread       Thread import-1, where memory ran out, holds 700 com.example.Row by the local ArrayList of its second frame.
thread_app   the same, but the local is a com.example.Import with the list.
loader       A web application was replaced: its classes exist twice, and the old loader is only held because
             static com.example.Drivers.known has an instance of one of its classes.
closed       A URLClassLoader that is closed, but still in a list of the application.
local        Four threads of a pool keep a com.example.Buffer with byte[300000] each in a ThreadLocal; one
             ThreadLocal is gone.
sparse       3000 HashMaps of one element in tables of 128.
strings      20000 Strings "status=ACTIVE;region=eu-west" with an array each.
arrays       500 equal int[1000].
chunks       static com.example.Images.loaded, a list of three byte[900000], half of the heap.
shards       static com.example.Shards.parts, four com.example.Shard in an array, each with a list of a tenth of the heap.
kinds        static com.example.Mixed.all, a list of Items, Connections and Rows, a third each.
zips         30 java.util.zip.ZipFile$Source of 50000 bytes, held by nothing else: open zip files are harmless.
locks        Each of 4000 names has its lock in a map of the class loader: a note.
twins        As local, but two of the Buffers are of the same class by another loader.
"""
import functools

from heapfile import BOOLEAN, BYTE, INT, LONG, OBJECT, Dump
from heapjava import array_list, boot, hash_map

LAYERS = ("Accounts", "Orders", "Prices", "Rates", "Routes", "Rules", "Tariffs", "Users", "Zones", "Depots", "Plans", "Stock",
          "Claims", "Offers", "Visits", "Notes")
JAVA = (
    ("java.lang.ThreadLocal", "java.lang.Object", ()),
    ("java.lang.ThreadLocal$ThreadLocalMap", "java.lang.Object", (("table", OBJECT), ("size", INT))),
    ("java.lang.ThreadLocal$ThreadLocalMap$Entry", "java.lang.ref.WeakReference", (("value", OBJECT),)),
    ("java.util.concurrent.ThreadPoolExecutor$Worker", "java.lang.Object", (("thread", OBJECT), ("firstTask", OBJECT))),
    ("java.net.URLClassLoader", "java.lang.ClassLoader", (("ucp", OBJECT),)),
    ("jdk.internal.loader.URLClassPath", "java.lang.Object", (("closed", BOOLEAN), ("path", OBJECT))),
    ("jdk.internal.loader.ClassLoaders$AppClassLoader", "java.lang.ClassLoader", ()),
    ("java.util.zip.ZipFile$Source", "java.lang.Object", (("cen", OBJECT),)),
)
APP = (
    ("com.example.Item", "java.lang.Object", (("id", LONG), ("name", OBJECT), ("data", OBJECT))),
    ("com.example.Session", "java.lang.Object", (("user", OBJECT), ("payload", OBJECT), ("created", LONG))),
    ("com.example.Entry", "java.lang.Object", (("next", OBJECT), ("text", OBJECT), ("time", LONG))),
    ("com.example.Connection", "java.lang.Object", (("buffer", OBJECT), ("port", INT))),
    ("com.example.Row", "java.lang.Object", (("cells", OBJECT), ("number", INT))),
    ("com.example.Import", "java.lang.Object", (("rows", OBJECT), ("source", OBJECT))),
    ("com.example.Buffer", "java.lang.Object", (("bytes", OBJECT),)),
    ("com.example.WebLoader", "java.net.URLClassLoader", ()),
    ("com.example.Shard", "java.lang.Object", (("items", OBJECT),)),
    ("com.example.RealmLoader", "java.lang.ClassLoader", (("locks", OBJECT),)),
    ("com.example.WebApp", "java.lang.Object", (("loader", OBJECT), ("name", OBJECT))),
)


@functools.lru_cache(maxsize=None)
def noise(seed, n):
    """Bytes that no other seed gives."""
    out, x = bytearray(), seed * 2654435761 + 1 & 0xffffffff
    while len(out) < n:
        x = x * 1103515245 + 12345 & 0xffffffff
        out += x.to_bytes(4, "big")
    return bytes(out[:n])


class Server:
    """The heap; troubles are added before build()."""

    def __init__(self, **options):
        self.d = d = Dump(**options)
        d.stack(1, 0, [])
        boot(d, ("com.example.Row[]", "com.example.Shard[]", "java.lang.ThreadLocal$ThreadLocalMap$Entry[]"))
        d.classes["java.lang.Thread"].fields.append(("threadLocals", OBJECT))
        for name, sup, fields in JAVA:
            d.klass(name, sup, fields)
        self.loader = d.reserve("jdk.internal.loader.ClassLoaders$AppClassLoader")
        for name, sup, fields in APP:
            d.klass(name, sup, fields, loader=self.loader)
        self.seed, self.apps, self.threads = 0, [], 0
        self.healthy()

    # ---- pieces ---------------------------------------------------------------

    def data(self, n):
        self.seed += 1
        return self.d.prims(BYTE, noise(self.seed, n))

    def statics(self, name, **values):
        self.d.klass("com.example." + name, statics=[(k, OBJECT, v) for k, v in values.items()], loader=self.loader)

    def items(self, word, n, size):
        d = self.d
        return [("%s-%d" % (word, i), d.obj("com.example.Item", id=i, name=d.text("%s number %d" % (word, i)),
                                            data=self.data(size))) for i in range(n)]

    def thread(self, name, pooled=False, values=(), top=("java.lang.Object", "wait", "(J)V", "Object.java", -3)):
        """values: (key, value) of its ThreadLocals; top: its innermost call."""
        d = self.d
        at, worker, table = d.reserve("java.lang.Thread"), 0, 0
        if pooled:
            worker = d.obj("java.util.concurrent.ThreadPoolExecutor$Worker", thread=at)
        if values:
            entries = [d.obj("java.lang.ThreadLocal$ThreadLocalMap$Entry", referent=k, value=v) for k, v in values]
            table = d.obj("java.lang.ThreadLocal$ThreadLocalMap", size=len(entries), table=d.refs(
                "java.lang.ThreadLocal$ThreadLocalMap$Entry[]", entries + [0] * (16 - len(entries))))
        self.threads += 1
        d.obj("java.lang.Thread", at, name=d.text(name), tid=self.threads, priority=5, target=worker, threadStatus=0x91,
              contextClassLoader=self.loader, threadLocals=table)
        frames = [d.frame(10 * self.threads + i, *where) for i, where in enumerate((
            top, ("com.example.Import", "read", "()V", "Import.java", 41),
            ("java.lang.Thread", "run", "()V", "Thread.java", 840)))]
        d.stack(self.threads + 1, self.threads, frames)
        d.root("thread", at, self.threads, self.threads + 1)
        return self.threads

    def web(self, name, known=True, closed=False):
        """A web application with classes of its own: (loader, instance of its Driver)."""
        d = self.d
        at, key = d.reserve("com.example.WebLoader"), "%s/%d" % (name, len(d.classes))
        classes = [d.klass("com.web.Pages", loader=at, key=key + "p", statics=[("all", OBJECT, self.data(4000))]),
                   d.klass("com.web.Driver", fields=[("config", OBJECT)], loader=at, key=key,
                           statics=[("cache", OBJECT, self.data(9000))])]
        d.obj("com.example.WebLoader", at, parent=self.loader, name=d.text(name), classes=array_list(d, [c.id for c in classes]),
              ucp=d.obj("jdk.internal.loader.URLClassPath", closed=closed))
        one = d.obj(key, config=d.text("settings of " + name))
        if known:
            self.apps.append(d.obj("com.example.WebApp", loader=at, name=d.text(name)))
        return at, one

    # ---- health ---------------------------------------------------------------

    def healthy(self):
        d = self.d
        for k, word in enumerate(LAYERS):
            # Different kinds of things, 60 to 170 kB each.
            self.statics(word, all=hash_map(d, self.items(word.lower(), 100 + 5 * k, 450 + 30 * k), 256),
                         names=array_list(d, [d.text("%s of %s" % (word, i)) for i in range(40)]))
        key = d.obj("java.lang.ThreadLocal")
        self.statics("Formats", current=key)
        for i in range(4):
            self.thread("pool-1-thread-%d" % (i + 1), True, [(key, self.data(2000))])
        self.thread("main", False, [(key, d.obj("com.example.Buffer", bytes=self.data(90000)))])
        for name in ("shop", "admin"):
            self.web(name)
        parent, _ = self.web("shared")
        child = d.reserve("com.example.WebLoader")
        d.klass("com.web.Addon", loader=child)
        d.obj("com.example.WebLoader", child, parent=parent, name=d.text("addon"))
        self.apps.append(d.obj("com.example.WebApp", loader=child, name=d.text("addon")))
        d.root("sticky class", d.klass("java.lang.Tables", statics=[("all", OBJECT, self.data(180000))]).id)

    def build(self):
        d = self.d
        self.statics("Manager", apps=array_list(d, self.apps))
        d.obj("jdk.internal.loader.ClassLoaders$AppClassLoader", self.loader, name=d.text("app"),
              classes=array_list(d, [c.id for c in d.classes.values() if c.loader == self.loader]))
        d.root("jni global", self.loader)
        for c in d.classes.values():
            if c.loader == 0 and c.name != "java.lang.Tables":
                d.root("sticky class", c.id)
        return d.build()


# ---- troubles ---------------------------------------------------------------------


def sessions(s):
    d = s.d
    pairs = [("session-%d" % i, d.obj("com.example.Session", user=d.text("user %d" % i), payload=s.data(800), created=i))
             for i in range(2000)]
    s.statics("Sessions", open=hash_map(d, pairs, 4096))


def linked(s):
    at = 0
    for i in range(12000):
        at = s.d.obj("com.example.Entry", next=at, text=s.d.text("event %d" % i), time=i)
    s.statics("Audit", first=at)


def group(s):
    for i in range(400):
        s.d.root("jni global", s.d.obj("com.example.Connection", buffer=s.data(2000), port=i), 0x7f0000000000 + i)


def rows(s):
    d = s.d
    return array_list(d, [d.obj("com.example.Row", number=i, cells=s.data(1500)) for i in range(700)])


def thread(s):
    s.d.klass("java.lang.OutOfMemoryError")
    top = ("java.lang.OutOfMemoryError", "<init>", "()V", "OutOfMemoryError.java", 48)
    s.d.root("java frame", rows(s), s.thread("import-1", top=top), 1)


def thread_app(s):
    local = s.d.obj("com.example.Import", rows=rows(s), source=s.d.text("rows.csv"))
    s.d.root("java frame", local, s.thread("import-1"), 1)


def loader(s):
    _, old = s.web("orders", known=False)
    s.web("orders")
    s.statics("Drivers", known=array_list(s.d, [old]))


def closed(s):
    s.web("orders", closed=True)


def local(s, twin="com.example.Buffer"):
    d = s.d
    key = d.obj("java.lang.ThreadLocal")
    s.statics("Buffers", current=key)
    for i in range(4):
        value = d.obj(twin if i > 1 else "com.example.Buffer", bytes=s.data(300000))
        s.thread("http-nio-8080-exec-%d" % (i + 1), True, [(key if i else 0, value)])


def sparse(s):
    d = s.d
    s.statics("Attributes", all=array_list(d, [hash_map(d, [("only-%d" % i, d.text("attribute %d" % i))], 128)
                                               for i in range(3000)]))


def strings(s):
    d = s.d
    s.statics("States", all=array_list(d, [d.text("status=ACTIVE;region=eu-west") for _ in range(20000)]))


def arrays(s):
    d = s.d
    s.statics("Grids", all=array_list(d, [d.prims(INT, range(1000)) for _ in range(500)]))


def chunks(s):
    s.statics("Images", loaded=array_list(s.d, [s.data(900000) for _ in range(3)]))


def shards(s):
    d = s.d
    parts = [d.obj("com.example.Shard", items=array_list(d, [s.data(2000) for _ in range(250)])) for _ in range(4)]
    s.statics("Shards", parts=d.refs("com.example.Shard[]", parts))


def kinds(s):
    d = s.d
    s.statics("Mixed", all=array_list(d, [one for i in range(250) for one in (
        d.obj("com.example.Item", id=i, data=s.data(2000)), d.obj("com.example.Connection", port=i, buffer=s.data(2000)),
        d.obj("com.example.Row", number=i, cells=s.data(2000)))]))


def zips(s):
    for i in range(30):
        s.d.root("jni global", s.d.obj("java.util.zip.ZipFile$Source", cen=s.data(50000)), 0x7f0000000000 + i)


def locks(s):
    d = s.d
    names = hash_map(d, [("com.example.generated.Name%d" % i, d.obj("java.lang.Object")) for i in range(4000)], 8192)
    d.root("jni global", d.obj("com.example.RealmLoader", parent=s.loader, locks=names), 0x7f0000000000)


def twins(s):
    s.d.klass("com.example.Buffer", fields=[("bytes", OBJECT)], loader=s.web("buffers")[0], key="other Buffer")
    local(s, "other Buffer")


def made(*troubles):
    def make():
        s = Server()
        for t in troubles:
            t(s)
        return s.build()
    return make


SUSPECTS = {"suspects_healthy": made(), "suspects_cache": made(sessions), "suspects_list": made(linked)}
SUSPECTS.update({"suspects_" + f.__name__: made(f) for f in (group, thread, thread_app, loader, closed, local, sparse,
                                                            strings, arrays, chunks, shards, kinds, zips, locks, twins)})
