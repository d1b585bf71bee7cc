# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapcursors.py - a heap dump of an Android application whose Cursors are held in every way, for mkheap.py.

cursors   The Cursors have their SQL for a name.  TOLD: what must be reported about them: SQL, their holders, why; each once.
          Closed, used or garbage are all others:
          closed                  static sClosed
          sorted, plain           closed, in a com.example.Sorted (CursorWrapper), static sSorted; in a CursorWrapper, static sPlain
          fields                  its class has an mClosed of its own, false; that of AbstractCursor is true; static sFields
          adapter                 of a CursorAdapter with MainActivity, in a list of that
          both                    of such an adapter, and of static sBoth too
          static adapter          of a CursorAdapter with MainActivity, static sAdapter
          loader                  of a CursorLoader, static sLoader
          activity                of com.example.MainActivity (mExtra), and of static sShown too
          local                   local variable of running thread "reader"
          native, remote          JNI global root; in a CursorToBulkCursorAdaptor that is one
          repository              field of com.example.Repository, static sRepository: it may be in use
          weak                    static sWeak, a WeakReference
          garbage                 nothing refers to it
          few-1 .. few-20         each in a com.example.Few, all in a list, static sFew
"""
from heapleaks import Case
from heapphone import ANDROID, RECENT, Phone

ROWS = (
    ("android.database.CursorWrapper", "java.lang.Object", "mCursor"),
    ("android.database.CursorToBulkCursorAdaptor", "java.lang.Object", "mCursor mProviderName"),
    ("android.database.ContentObservable", "java.lang.Object", "mObservers"),
    ("android.content.Loader", "java.lang.Object", "mContext mListener mId:I mReset:Z mStarted:Z"),
    ("android.content.CursorLoader", "android.content.Loader", "mCursor mUri"),
)

# SQL, how many the row stands for, field that holds it, and the end of why; leaks.py asks for these and no others.
LEAKY = "com.example.Leaky."
STATIC = ", held by a static field of class com.example.Leaky"
TOLD = (
    ("list-1", 2, LEAKY + "sList", STATIC),
    ("wrapped", 1, LEAKY + "sWrapped", STATIC),
    ("observed", 1, LEAKY + "sObserved", STATIC),
    ("fields-open", 1, LEAKY + "sOpen", STATIC),
    ("ended", 1, "com.example.OldActivity.mCursor", ", held by com.example.OldActivity, which has ended"),
    ("old adapter", 1, "android.widget.CursorAdapter.mCursor", ", held by android.widget.CursorAdapter, which has ended"),
    ("finalizer", 1, "", ", reachable only by finalizers"),
    ("many-", 21, "com.example.Many.mCursor", ""),
)


def held(c):
    """Nobody is left to close these."""
    p = c.p
    observed = p.reserve("android.database.sqlite.SQLiteCursor")
    part = p.obj("com.example.Observer", mOwner=observed)
    observable = p.obj("android.database.ContentObservable", mObservers=p.list([part]))
    c.cursor("observed", "o.db", at=observed, mContentObservable=observable)
    old = c.cursor("old adapter", "p.db")
    activity, _ = c.dead_activity("com.example.OldActivity", "mCursor", mCursor=c.cursor("ended", "e.db"))
    open_field = c.cursor("fields-open", "f.db", cname="com.example.FieldCursor", FieldCursor__mClosed=True)
    c.keep(sList=p.list([c.cursor("list-1", "l.db"), c.cursor("list-2", "l.db")]),
           sWrapped=p.obj("com.example.Sorted", mCursor=c.cursor("wrapped", "w.db")), sObserved=observed, sOpen=open_field,
           sOld=activity, sOldAdapter=p.obj("android.widget.CursorAdapter", mContext=activity, mCursor=old),
           sMany=p.list([p.obj("com.example.Many", mCursor=c.cursor("many-%d" % i, "m.db")) for i in range(21)]))
    head = p.obj("java.lang.ref.FinalizerReference", referent=c.cursor("finalizer", "z.db"))
    p.platform_static("java.lang.ref.FinalizerReference", "head", head)


def used(c):
    p = c.p
    both, shown = c.cursor("both", "b.db"), c.cursor("activity", "s.db")
    c.extra += [p.obj("android.widget.CursorAdapter", mContext=c.activity, mCursor=x) for x in (c.cursor("adapter", "a.db"), both)]
    c.extra.append(shown)
    c.keep(sBoth=both, sShown=shown,
           sAdapter=p.obj("android.widget.CursorAdapter", mContext=c.activity, mCursor=c.cursor("static adapter", "t.db")),
           sLoader=p.obj("android.content.CursorLoader", mContext=c.app, mStarted=True, mCursor=c.cursor("loader", "d.db")),
           sRepository=p.obj("com.example.Repository", mCursor=c.cursor("repository", "r.db")))
    p.thread("reader", 2)
    p.root("java frame", c.cursor("local", "v.db"), 2, 0)
    p.root("jni global", c.cursor("native", "n.db"))
    p.root("jni global", p.obj("android.database.CursorToBulkCursorAdaptor", mCursor=c.cursor("remote", "x.db")))
    few = [p.obj("com.example.Few", mCursor=c.cursor("few-%d" % i, "q.db")) for i in range(20)]
    c.keep(sFew=p.list(few))


def gone(c):
    p = c.p
    c.cursor("garbage", "g.db")
    c.keep(sClosed=c.cursor("closed", "c.db", True), sSorted=p.obj("com.example.Sorted", mCursor=c.cursor("sorted", "k.db", True)),
           sPlain=p.obj("android.database.CursorWrapper", mCursor=c.cursor("plain", "k.db", True)),
           sFields=c.cursor("fields", "f.db", cname="com.example.FieldCursor", AbstractCursor__mClosed=True),
           sWeak=p.obj("java.lang.ref.WeakReference", referent=c.cursor("weak", "y.db")))


class Cursors(Case):
    def cursor(self, sql, name, closed=False, at=None, cname="android.database.sqlite.SQLiteCursor", **more):
        """Those that are not closed have a window with memory."""
        p = self.p
        closed = closed or bool(more.get("AbstractCursor__mClosed"))
        window = p.obj("android.database.CursorWindow", mName=p.text(name), mWindowPtr=0 if closed else 0x7b00a000)
        if closed:
            more.setdefault("AbstractCursor__mClosed", True)
        query = p.obj("android.database.sqlite.SQLiteQuery", mSql=p.text(sql))
        return p.obj(cname, at, mWindow=window, mCount=12, mPos=-1, mQuery=query, **more)


def cursors():
    c = Cursors(Phone(ANDROID + RECENT + ROWS))
    p = c.p
    p.app("com.example.Sorted", "android.database.CursorWrapper")
    p.app("com.example.FieldCursor", "android.database.sqlite.SQLiteCursor", "mClosed:Z")
    p.app("com.example.Observer", fields="mOwner")
    for name in ("Repository", "Many", "Few"):
        p.app("com.example." + name, fields="mCursor")
    p.stack(2, 2, [p.frame(0x200, "com.example.Repository", "read", "()V", "Repository.java", 12)])
    held(c)
    used(c)
    gone(c)
    return c.built()


MAKERS = {"cursors": cursors}
