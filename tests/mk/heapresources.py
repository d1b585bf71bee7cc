# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapresources.py - a heap dump of an application whose resources are open, released, held and lost, for mkheap.py.

resources   expected() works out from the list of objects alone what must be reported: a second implementation of the rule.
"""
from heapleaks import Case
from heapphone import ANDROID, RECENT, Phone

MANY, LOST = 100, 10            # held in one way, by the program; reachable only by finalizers: more, or as many, are reported
ROWS = (
    ("java.io.InputStream", "java.lang.Object", ""),
    ("java.io.FileDescriptor", "java.lang.Object", "descriptor:I"),
    ("java.io.FileInputStream", "java.io.InputStream", "fd closed:Z"),
    ("java.io.FilterInputStream", "java.io.InputStream", "in"),
    ("java.io.BufferedInputStream", "java.io.FilterInputStream", "count:I"),
    ("java.net.Socket", "java.lang.Object", "closed:Z created:Z"),
    ("java.net.ServerSocket", "java.lang.Object", "closed:Z created:Z"),
    ("java.util.zip.ZStreamRef", "java.lang.Object", "address:J"),
    ("java.util.zip.Inflater", "java.lang.Object", "zsRef"),
    ("java.util.zip.ZipFile", "java.lang.Object", "jzfile:J closeRequested:Z"),
    ("org.postgresql.jdbc.PgStatement", "java.lang.Object", "isClosed:Z"),
    ("java.util.concurrent.locks.AbstractOwnableSynchronizer", "java.lang.Object", "exclusiveOwnerThread"),
    ("java.util.concurrent.locks.ReentrantLock$Sync", "java.util.concurrent.locks.AbstractOwnableSynchronizer", ""),
    ("java.lang.Thread", "java.lang.Object", "contextClassLoader name target threadLocals id:J priority:I daemon:Z threadStatus:I"),
    ("android.content.res.TypedArray", "java.lang.Object", "mRecycled:Z"),
    ("android.media.MediaPlayer", "java.lang.Object", "mNativeContext:J"),
    ("android.os.PowerManager$WakeLock", "java.lang.Object", "mHeld:Z"),
    ("android.app.LoadedApk$ReceiverDispatcher", "java.lang.Object", "mContext mForgotten:Z"),
)
SMALL = ("java.net.Socket", "java.net.ServerSocket", "android.content.res.TypedArray", "android.media.MediaPlayer", "java.util.zip.ZipFile",
         "android.os.PowerManager$WakeLock", "java.util.zip.Inflater", "org.postgresql.jdbc.PgStatement", "java.io.FileInputStream")


class Resources(Case):
    def __init__(self, phone):
        super().__init__(phone)
        self.made = []              # (class, open, how it is held)

    def resource(self, name, is_open, how):
        p = self.p
        self.made.append((name, is_open, how))
        if name == "java.io.FileInputStream":
            return p.obj(name, fd=p.obj("java.io.FileDescriptor", descriptor=40 if is_open else -1), closed=not is_open)
        if name == "java.util.zip.Inflater":
            return p.obj(name, zsRef=p.obj("java.util.zip.ZStreamRef", address=0x7b10 if is_open else 0))
        if name in ("java.net.Socket", "java.net.ServerSocket"):
            return p.obj(name, closed=not is_open, created=True)
        if name == "java.util.zip.ZipFile":
            return p.obj(name, closeRequested=not is_open, jzfile=0x7b20 if is_open else 0)
        if name == "org.postgresql.jdbc.PgStatement":
            return p.obj(name, isClosed=not is_open)
        if name == "android.media.MediaPlayer":
            return p.obj(name, mNativeContext=0x7b30 if is_open else 0)
        if name == "android.os.PowerManager$WakeLock":
            return p.obj(name, mHeld=is_open)
        return p.obj(name, mRecycled=not is_open)


def ended(c):
    """Resources that only a destroyed Activity holds, open and released; one in a stream around it."""
    p = c.p
    things = [c.resource(name, is_open, "ended") for name in SMALL for is_open in (True, False)]
    things.append(p.obj("java.io.BufferedInputStream", **{"in": c.resource("java.io.FileInputStream", True, "ended, in a stream")}))
    activity, base = c.dead_activity("com.example.OldActivity", "mThings", mThings=p.list(things))
    receivers = [p.obj("android.app.LoadedApk$ReceiverDispatcher", mContext=of, mForgotten=forgotten)
                 for of, forgotten in ((activity, False), (activity, True), (c.activity, False))]
    c.keep(sOld=activity, sReceivers=p.list(receivers))


def locks(c):
    """Locks of an ended thread, of one that runs, and of none."""
    p, sync = c.p, "java.util.concurrent.locks.ReentrantLock$Sync"
    done = p.obj("java.lang.Thread", name=p.text("done"), threadStatus=2)
    c.keep(sLocks=p.list([p.obj(sync, exclusiveOwnerThread=t) for t in (done, c.main, 0)]))


def held(c):
    """Just above and just below what is reported, by the program's classes and by others."""
    p = c.p
    for field, n in (("sMany", MANY + 1), ("sFew", MANY)):
        c.keep(**{field: p.list([p.obj("com.example." + field, mIn=c.resource("java.util.zip.Inflater", True, field)) for _ in range(n)])})
    c.keep(sSockets=p.list([c.resource("java.net.Socket", True, "sSockets") for _ in range(MANY + 1)]),
           sClosed=p.list([c.resource("java.io.FileInputStream", False, "sClosed") for _ in range(MANY + 1)]),
           sOne=c.resource("java.io.FileInputStream", True, "sOne"),
           sStandard=p.list([p.obj("java.io.FileInputStream", fd=p.obj("java.io.FileDescriptor", descriptor=2)) for _ in range(MANY + 1)]))
    p.thread("reader", 2)
    p.root("java frame", c.resource("java.io.FileInputStream", True, "local"), 2, 0)
    p.root("jni global", c.resource("java.io.FileInputStream", True, "native"))


def lost(c):
    """Reachable only by finalizers."""
    p, head = c.p, 0
    for name, n in (("java.util.zip.ZipFile", LOST), ("java.io.FileInputStream", LOST - 1)):
        for is_open in (True, False):
            for _ in range(n):
                head = p.obj("java.lang.ref.FinalizerReference", referent=c.resource(name, is_open, "lost"), next=head)
    p.platform_static("java.lang.ref.FinalizerReference", "head", head)


def expected(made):
    """(class, how many, why, severity)"""
    counts = {}
    for name, is_open, how in made:
        if is_open:
            counts[name, how] = counts.get((name, how), 0) + 1
    out = [("android.app.LoadedApk$ReceiverDispatcher", 1, ", held by com.example.OldActivity, which has ended", "warning")]
    out.append(("java.util.concurrent.locks.ReentrantLock$Sync", 1, ", held by java.lang.Thread, which has ended", "warning"))
    for (name, how), n in counts.items():
        if how.startswith("ended"):
            out.append((name, n, ", held by com.example.OldActivity, which has ended", "warning"))
        elif how == "lost" and n >= LOST:
            out.append((name, n, ", reachable only by finalizers", "warning"))
        elif how in ("sMany", "sFew") and n > MANY:
            out.append((name, n, "", "note"))
    return sorted(out)


MADE = []


def resources():
    c = Resources(Phone(ANDROID + RECENT + ROWS))
    c.p.stack(2, 2, [c.p.frame(0x200, "com.example.Repository", "read", "()V", "Repository.java", 12)])
    for name in ("sMany", "sFew"):
        c.p.app("com.example." + name, fields="mIn")
    ended(c)
    locks(c)
    held(c)
    lost(c)
    MADE[:] = c.made
    return c.built()


MAKERS = {"resources": resources}
