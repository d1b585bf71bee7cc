# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapleaks.py - heap dumps of an Android application that leaks, or does not, for mkheap.py.

All four have class com.example.App (Application), the main thread, an ActivityThread with a running com.example.PlayerService
in mServices, and com.example.MainActivity, which is alive: its window, DecorView and ViewRootImpl are attached.
Classes of the application hang on PathClassLoader.runtimeInternalObjects; "static x" is one of com.example.Leaky.

leaks     Android 14, AndroidX, LeakCanary 2; each leak once:
          activity    com.example.DetailActivity (mCache byte[40000]), static sActivity; watched: key "detail-key", retained 62.0 s
          activity    com.example.SettingsActivity, only by a ContextThemeWrapper, static sThemed            (and context)
          activity    com.example.LoginActivity, com.example.Analytics.mContext (a ContextImpl) .mOuterContext  (and context)
          activity    com.example.ChatActivity: InputMethodManager.mNextServedView (EditText, id 0x7f0a0007) .mContext; a known leak
          fragment    com.example.OldFragment (android.app, mTag "old", mCalled true), in static sFragments, an ArrayList
          fragment    com.example.PageFragment mTag "page-1": life cycle DESTROYED; mTag "page-2": INITIALIZED, mCalled true;
                      both in the same list
          view        com.example.BadgeView id 0x7f0a0042: detached, its mParent is in the window of MainActivity;
                      static sAnimator (ObjectAnimator "alpha") .mTarget
          static view static sLastClicked -> com.example.LikeButton, attached, id 0x7f0a0043
          root view   ViewRootImpl with mView null, title "Closed", static sRoot
          service     com.example.SyncService, not in mServices, static sService
          dialog      com.example.WarningDialog of the destroyed com.example.EditActivity, static sDialog  (and activity)
          other       MessageQueue with mQuitting true: static sWorker (HandlerThread "worker", ended) .mLooper.mQueue
          other       PhoneWindow with mDestroyed true, static sWindow
          other       Editor whose mTextView is a detached EditText of DetailActivity, static sEditor
          other       com.example.FeedModel (ViewModel) mCleared true, static sModel
          other       CompositionImpl disposed; Recomposer ShutDown; MortarScope "cart" dead: static sCompose, an Object[]
          other       ApplicationPackageManager of LoginActivity's ContextImpl, static sPackages (kind context)
          watched     com.example.Presenter, key "presenter-key", retained 5.0 s, static sPresenter
          cursor      SQLiteCursor "SELECT * FROM mail", open, and its CursorWindow "mail.db", static sCursor
          cursor      CursorWindow "photo.db" alone, open, static sCursorWindow
          recycled    Bitmap 64x32, static sIcon
          finalizer   300 com.example.NativeBuffer wait in the list of FinalizerReference.head (zombie set)
          not leaking com.example.Session: watched for 1.0 s, not retained, static sSession
leaks19   Android 4.4, support library, LeakCanary 1: char[] strings, HashMap of services, mQuiting, PhoneWindow$DecorView:
          activity com.example.DetailActivity (key "old-key"), support fragment com.example.PageFragment (mTag "page"), view
          com.example.BadgeView, MessageQueue, Toast that was hidden (static sToast), watched com.example.Presenter,
          ApplicationContextManager of the activity's ContextImpl (static sPackages), com.example.SyncService
noleaks   the classes of leaks and leaks19, all in use (a dialog that was dismissed, a view that LeakCanary found retained and that
          is attached again, fresh fragments, an open cursor in an adapter): nothing may be reported
leaks_bad fields that have another type, are missing, null or dangle; rings of mBase, mParent and HashMap nodes; no
          class that is not needed: nothing may be reported, and nothing may hang
"""
from heapfile import BYTE, INT, LONG, OBJECT
from heapphone import ANDROID, KITKAT, RECENT, Phone

UPTIME = 500000          # ms, when the dump was taken


class Case:
    """An application at one moment: what every dump has, and what hangs on statics of com.example.Leaky."""

    def __init__(self, phone, old=False):
        self.p, self.old, self.held = phone, old, {}
        p = phone
        self.app_context = p.obj("android.app.ContextImpl")
        p.app("com.example.App", "android.app.Application")
        self.app = p.obj("com.example.App", mBase=self.app_context)
        self.main = p.thread("main", 1)
        self.queue = p.reserve("android.os.MessageQueue")
        self.looper = p.obj("android.os.Looper", mQueue=self.queue, mThread=self.main)
        self.handler = p.obj("android.os.Handler", mLooper=self.looper, mQueue=self.queue)
        message = p.obj("android.os.Message", target=self.handler, what=7)
        p.obj("android.os.MessageQueue", self.queue, mMessages=message, mPtr=0x7b00000010)
        p.platform_static("android.os.Looper", "sMainLooper", self.looper)
        p.app("com.example.MainActivity", "android.app.Activity", "mView mExtra")
        self.activity, self.extra = p.reserve("com.example.MainActivity"), []
        self.decor, self.attach = self.window(self.activity)
        self.player()

    def keep(self, **objects):
        self.held.update(objects)

    # ---- contexts and windows ------------------------------------------------------

    def context(self, outer):
        return self.p.obj("android.app.ContextImpl", mOuterContext=outer)

    def dead_activity(self, name, fields="", **values):
        """A class and its one destroyed object, with a context of its own."""
        self.p.app(name, "android.app.Activity", fields)
        at = self.p.reserve(name)
        base = self.context(at)
        self.p.obj(name, at, mBase=base, mApplication=self.app, mDestroyed=True, mFinished=True, **values)
        return at, base

    def decor_class(self):
        return "com.android.internal.policy." + ("impl.PhoneWindow$DecorView" if self.old else "DecorView")

    def window_class(self):
        return "com.android.internal.policy." + ("impl.PhoneWindow" if self.old else "PhoneWindow")

    def window(self, activity, **more):
        """An attached window of an activity: its decoration, and what says that it is attached."""
        p = self.p
        phone, decor, root = (p.reserve(c) for c in (self.window_class(), self.decor_class(), "android.view.ViewRootImpl"))
        attach = p.obj("android.view.View$AttachInfo", mHandler=self.handler, mRootView=decor, mViewRootImpl=root)
        p.obj(self.window_class(), phone, mCallback=activity, mContext=activity, mDecor=decor, mIsActive=True)
        values = {"this$0": phone} if self.old else {"mWindow": phone}
        context = activity if self.old else p.obj("com.android.internal.policy.DecorContext", mBase=self.app, mPhoneWindow=phone)
        p.obj(self.decor_class(), decor, mContext=context, mParent=root, mAttachInfo=attach, mWindowAttachCount=1, mID=-1,
              **values)
        title = p.obj("android.view.WindowManager$LayoutParams", mTitle=p.text("com.example/MainActivity"), type=1)
        p.obj("android.view.ViewRootImpl", root, mAttachInfo=attach, mContext=activity, mThread=self.main, mView=decor,
              mWindowAttributes=title, mAdded=True, **more)
        return decor, attach

    def view(self, name, sup="android.view.View", **values):
        if name not in self.p.classes:
            self.p.app(name, sup)
        return self.p.obj(name, **values)

    # ---- services ---------------------------------------------------------------------

    def player(self):
        p = self.p
        self.thread = p.reserve("android.app.ActivityThread")
        p.app("com.example.PlayerService", "android.app.Service", "mQueue")
        service = p.obj("com.example.PlayerService", mBase=self.app_context, mApplication=self.app, mThread=self.thread)
        pairs = [(p.obj("java.lang.Object"), service)]
        p.obj("android.app.ActivityThread", self.thread, mInitialApplication=self.app, mLooper=self.looper,
              mServices=p.hash_map(pairs) if self.old else p.array_map(pairs),
              mActivities=p.list([self.activity]))
        p.platform_static("android.app.ActivityThread", "sCurrentActivityThread", self.thread)

    def dead_service(self):
        self.p.app("com.example.SyncService", "android.app.Service")
        return self.p.obj("com.example.SyncService", mApplication=self.app, mThread=self.thread)

    # ---- the rest ------------------------------------------------------------------------

    def state(self, cname, name):
        return self.p.obj(cname, name=self.p.text(name))

    def watch(self, key, referent, since, retained):
        """since, retained: ms before the dump; retained None: not."""
        p = self.p
        return p.obj("leakcanary.KeyedWeakReference", referent=referent, key=p.text(key), watchUptimeMillis=UPTIME - since,
                     retainedUptimeMillis=-1 if retained is None else UPTIME - retained,
                     description=p.text(key + " was to be let go"))

    def quit_thread(self, quitting="mQuitting"):
        p = self.p
        thread, queue = p.reserve("android.os.HandlerThread"), p.obj("android.os.MessageQueue", **{quitting: True})
        looper = p.obj("android.os.Looper", mQueue=queue, mThread=thread)
        return p.obj("android.os.HandlerThread", thread, name=p.text("worker"), mLooper=looper)

    def cursor(self, sql, name, closed=False):
        p = self.p
        window = p.obj("android.database.CursorWindow", mName=p.text(name), mWindowPtr=0 if closed else 0x7b00a000)
        return p.obj("android.database.sqlite.SQLiteCursor", mWindow=window, mCount=12, mClosed=closed, mPos=-1,
                     mQuery=p.obj("android.database.sqlite.SQLiteQuery", mSql=p.text(sql)))

    def finalizers(self, n, waiting):
        p = self.p
        p.app("com.example.NativeBuffer", fields="mPointer:J")
        head = 0
        for i in range(n):
            one = p.obj("com.example.NativeBuffer", mPointer=0x7b10000000 + i)
            head = p.obj("java.lang.ref.FinalizerReference", next=head, **{"zombie" if waiting else "referent": one})
        p.platform_static("java.lang.ref.FinalizerReference", "head", head)

    def built(self):
        p = self.p
        p.obj("com.example.MainActivity", self.activity, mBase=self.context(self.activity), mApplication=self.app,
              mDecor=self.decor, mResumed=True, mExtra=p.refs("java.lang.Object[]", self.extra))
        p.app("com.example.Leaky", **self.held)
        return p.built()


# ---- Android 14 ---------------------------------------------------------------------------


def activities(c):
    p = c.p
    detail, _ = c.dead_activity("com.example.DetailActivity", "mCache", mCache=p.prims(BYTE, bytes(40000)))
    settings, _ = c.dead_activity("com.example.SettingsActivity")
    login, base = c.dead_activity("com.example.LoginActivity")
    chat, _ = c.dead_activity("com.example.ChatActivity")
    p.app("com.example.Analytics", fields="mContext")
    c.keep(sActivity=detail, sThemed=p.obj("android.view.ContextThemeWrapper", mBase=settings),
           sAnalytics=p.obj("com.example.Analytics", mContext=base),
           sPackages=p.obj("android.app.ApplicationPackageManager", mContext=base))
    served = p.obj("android.widget.EditText", mContext=chat, mID=0x7f0a0007, mWindowAttachCount=1)
    p.platform_static("android.view.inputmethod.InputMethodManager", "sInstance",
                      p.obj("android.view.inputmethod.InputMethodManager", mNextServedView=served))
    text = p.reserve("android.widget.EditText")
    editor = p.obj("android.widget.Editor", mTextView=text)
    p.obj("android.widget.EditText", text, mContext=detail, mEditor=editor, mID=-1, mWindowAttachCount=1)
    c.keep(sEditor=editor)
    return detail


def fragments(c):
    p = c.p
    p.app("com.example.OldFragment", "android.app.Fragment")
    p.app("com.example.PageFragment", "androidx.fragment.app.Fragment")
    names = {n: c.state("androidx.lifecycle.Lifecycle$State", n) for n in ("DESTROYED", "INITIALIZED", "RESUMED")}
    made = [p.obj("com.example.OldFragment", mTag=p.text("old"), mCalled=True, mIndex=-1)]
    for tag, state in (("page-1", "DESTROYED"), ("page-2", "INITIALIZED")):
        registry = p.obj("androidx.lifecycle.LifecycleRegistry", state=names[state])
        made.append(p.obj("com.example.PageFragment", mLifecycleRegistry=registry, mMaxState=names["RESUMED"],
                          mTag=p.text(tag), mCalled=True))
    c.keep(sFragments=p.list(made))


def views(c):
    p = c.p
    group = p.obj("android.widget.FrameLayout", mContext=c.activity, mParent=c.decor, mAttachInfo=c.attach,
                  mWindowAttachCount=1, mID=-1)
    badge = c.view("com.example.BadgeView", mContext=c.activity, mParent=group, mWindowAttachCount=1, mID=0x7f0a0042)
    c.keep(sAnimator=p.obj("android.animation.ObjectAnimator", mTarget=badge, mPropertyName=p.text("alpha"), mStarted=True),
           sLastClicked=c.view("com.example.LikeButton", mContext=c.activity, mParent=group, mAttachInfo=c.attach,
                               mWindowAttachCount=1, mID=0x7f0a0043))
    title = p.obj("android.view.WindowManager$LayoutParams", mTitle=p.text("Closed"), type=2)
    c.keep(sRoot=p.obj("android.view.ViewRootImpl", mContext=c.app, mThread=c.main, mWindowAttributes=title),
           sWindow=p.obj(c.window_class(), mContext=c.app, mDestroyed=True))
    edit, _ = c.dead_activity("com.example.EditActivity")
    p.app("com.example.WarningDialog", "android.app.Dialog")
    c.keep(sDialog=p.obj("com.example.WarningDialog", mContext=p.obj("android.view.ContextThemeWrapper", mBase=edit),
                         mCreated=True))


def libraries(c):
    p = c.p
    p.app("com.example.FeedModel", "androidx.lifecycle.ViewModel")
    flow = p.obj("kotlinx.coroutines.flow.StateFlowImpl",
                 **{"_state$volatile": c.state("androidx.compose.runtime.Recomposer$State", "ShutDown")})
    c.keep(sModel=p.obj("com.example.FeedModel", mCleared=True), sCompose=p.refs("java.lang.Object[]", [
        p.obj("androidx.compose.runtime.CompositionImpl", disposed=True),
        p.obj("androidx.compose.runtime.Recomposer", _state=flow),
        p.obj("mortar.MortarScope", name=p.text("cart"), dead=True)]))


def watched(c, detail):
    p = c.p
    p.app("com.example.Presenter", fields="mItems")
    p.app("com.example.Session", fields="mUser")
    presenter, session = p.obj("com.example.Presenter"), p.obj("com.example.Session")
    p.platform_static("leakcanary.KeyedWeakReference", "heapDumpUptimeMillis", UPTIME, LONG)
    c.keep(sPresenter=presenter, sSession=session, sWatches=p.list([
        c.watch("detail-key", detail, 67000, 62000), c.watch("presenter-key", presenter, 10000, 5000),
        c.watch("session-key", session, 1000, None), c.watch("gone-key", 0, 90000, None)]))


def leaks():
    c = Case(Phone(ANDROID + RECENT))
    p = c.p
    detail = activities(c)
    fragments(c)
    views(c)
    libraries(c)
    watched(c, detail)
    c.keep(sService=c.dead_service(), sWorker=c.quit_thread(), sCursor=c.cursor("SELECT * FROM mail", "mail.db"),
           sCursorWindow=p.obj("android.database.CursorWindow", mName=p.text("photo.db"), mWindowPtr=0x7b00b000),
           sIcon=p.obj("android.graphics.Bitmap", mWidth=64, mHeight=32, mRecycled=True))
    c.finalizers(300, True)
    return c.built()


# ---- Android 4.4 ----------------------------------------------------------------------------


def leaks19():
    c = Case(Phone(ANDROID + KITKAT, "mQuiting", "char"), True)
    p = c.p
    detail, base = c.dead_activity("com.example.DetailActivity")
    p.app("com.example.PageFragment", "android.support.v4.app.Fragment")
    p.app("com.example.Presenter")
    group = p.obj("android.widget.FrameLayout", mContext=c.activity, mParent=c.decor, mAttachInfo=c.attach,
                  mWindowAttachCount=1, mID=-1)
    badge = c.view("com.example.BadgeView", mContext=c.activity, mParent=group, mWindowAttachCount=2, mID=0x7f0a0042)
    tn = p.obj("android.widget.Toast$TN", mWM=p.obj("android.widget.WindowManagerStub"))
    presenter = p.obj("com.example.Presenter")
    watches = [p.obj("com.squareup.leakcanary.KeyedWeakReference", referent=at, key=p.text(key), name=p.text(""))
               for key, at in (("old-key", detail), ("presenter-key", presenter))]
    c.keep(sActivity=detail, sService=c.dead_service(), sWorker=c.quit_thread("mQuiting"), sPresenter=presenter,
           sFragment=p.obj("com.example.PageFragment", mTag=p.text("page"), mCalled=True),
           sAnimator=p.obj("android.animation.ObjectAnimator", mTarget=badge), sWatches=p.list(watches),
           sToast=p.obj("android.widget.Toast", mContext=c.app, mTN=tn),
           sPackages=p.obj("android.app.ApplicationContextManager", mContext=base))
    return c.built()


# ---- nothing to find ----------------------------------------------------------------------------


def live_fragments(c):
    """Attached ones, and fresh ones that were never added."""
    p = c.p
    manager = p.obj("java.lang.Object")
    out = []
    for cname, sup in (("com.example.OldFragment", "android.app.Fragment"),
                       ("com.example.SupportFragment", "android.support.v4.app.Fragment")):
        p.app(cname, sup)
        out += [p.obj(cname, mFragmentManager=manager, mCalled=True, mAdded=True, mTag=p.text("shown")),
                p.obj(cname, mTag=p.text("fresh"))]
    p.app("com.example.PageFragment", "androidx.fragment.app.Fragment")
    for state, called in (("RESUMED", True), ("INITIALIZED", False)):
        registry = p.obj("androidx.lifecycle.LifecycleRegistry", state=c.state("androidx.lifecycle.Lifecycle$State", state))
        out.append(p.obj("com.example.PageFragment", mLifecycleRegistry=registry, mMaxState=0, mCalled=called,
                         mFragmentManager=manager if called else 0))
    return out


def live_views(c):
    """An attached one, one that waits to be used again, and a dialog that was dismissed, to be shown again."""
    p = c.p
    dialog, window, decor = p.reserve("android.app.Dialog"), p.reserve(c.window_class()), p.reserve(c.decor_class())
    themed = p.obj("android.view.ContextThemeWrapper", mBase=c.activity)
    p.obj("android.app.Dialog", dialog, mContext=themed, mWindow=window, mCreated=True)
    p.obj(c.window_class(), window, mCallback=dialog, mContext=themed, mDecor=decor)
    p.obj(c.decor_class(), decor, mContext=themed, mWindow=window, mWindowAttachCount=3, mID=-1)
    text = p.reserve("android.widget.EditText")
    editor = p.obj("android.widget.Editor", mTextView=text)
    p.obj("android.widget.EditText", text, mContext=c.activity, mParent=c.decor, mAttachInfo=c.attach, mEditor=editor,
          mWindowAttachCount=1)
    p.platform_static("android.view.inputmethod.InputMethodManager", "sInstance",
                      p.obj("android.view.inputmethod.InputMethodManager", mNextServedView=text, mCurRootView=c.decor))
    button = p.obj("android.widget.TextView", mContext=themed, mParent=decor, mWindowAttachCount=3)
    c.extra.append(c.watch("reused-key", text, 20000, 15000))
    return [dialog, text, button, c.view("com.example.BadgeView", mContext=c.activity, mWindowAttachCount=2),
            c.view("com.example.BadgeView", mContext=c.activity)]


def live_parts(c):
    p = c.p
    tn = [p.obj("android.widget.Toast$TN"), p.obj("android.widget.Toast$TN", mWM=c.looper, mView=c.decor)]
    flow = p.obj("kotlinx.coroutines.flow.StateFlowImpl",
                 **{"_state$volatile": c.state("androidx.compose.runtime.Recomposer$State", "Idle")})
    p.app("com.example.FeedModel", "androidx.lifecycle.ViewModel")
    adapter = p.obj("android.widget.CursorAdapter", mContext=c.activity, mCursor=c.cursor("SELECT 1", "a.db"), mDataValid=True)
    p.app("com.example.Session")
    session = p.obj("com.example.Session")
    p.platform_static("leakcanary.KeyedWeakReference", "heapDumpUptimeMillis", UPTIME, LONG)
    watches = p.list([c.watch("session-key", session, 1000, None), c.watch("gone-key", 0, 90000, 85000)])
    fresh = p.app("com.example.SyncService", "android.app.Service")
    return [p.obj("android.widget.Toast", mTN=t) for t in tn] + [
        adapter, session, watches, c.cursor("SELECT 2", "b.db", True), p.obj("com.example.FeedModel"),
        p.obj("androidx.compose.runtime.CompositionImpl"), p.obj("androidx.compose.runtime.Recomposer", _state=flow),
        p.obj("mortar.MortarScope", name=p.text("root")), p.obj(fresh.name), p.obj("android.app.ApplicationPackageManager",
                                                                                  mContext=c.app_context),
        p.obj("android.graphics.Bitmap", mWidth=8, mHeight=8, mNativePtr=0x7b00c000)]


def noleaks():
    c = Case(Phone(ANDROID + RECENT + tuple(r for r in KITKAT if "policy" not in r[0])))
    p = c.p
    queue = p.obj("android.os.MessageQueue")
    worker = p.reserve("android.os.HandlerThread")
    looper = p.obj("android.os.Looper", mQueue=queue, mThread=worker)
    p.obj("android.os.HandlerThread", worker, name=p.text("worker"), mLooper=looper)
    p.root("thread", worker, 2, -1)
    p.app("com.example.SecondActivity", "android.app.Activity")
    stopped = p.reserve("com.example.SecondActivity")
    p.obj("com.example.SecondActivity", stopped, mBase=c.context(stopped), mStopped=True, mFinished=False)
    c.window(stopped)
    c.extra += live_fragments(c) + live_views(c) + live_parts(c) + [
        stopped, p.obj("android.view.ContextThemeWrapper", mBase=c.activity), c.app_context,
        p.obj("android.animation.ObjectAnimator", mTarget=c.decor, mPropertyName=p.text("alpha"))]
    c.finalizers(20, False)
    return c.built()


# ---- nothing as it should be -----------------------------------------------------------------------


def rings(p):
    wrappers = [p.reserve("android.content.ContextWrapper") for _ in range(3)]
    parents = [p.reserve("android.view.View") for _ in range(3)]
    for i in range(3):
        p.obj("android.content.ContextWrapper", wrappers[i], mBase=wrappers[(i + 1) % 3])
        p.obj("android.view.View", parents[i], mParent=parents[(i + 1) % 3], mContext=wrappers[i], mWindowAttachCount=1)
    alone = p.reserve("android.content.ContextWrapper")
    p.obj("android.content.ContextWrapper", alone, mBase=alone)
    own = p.reserve("android.view.View")
    p.obj("android.view.View", own, mParent=own, mContext=alone, mWindowAttachCount=1)
    return wrappers + parents + [alone, own]


def other_types(p):
    """Classes of the right names whose fields have other types, or are not there."""
    out = []
    for name, fields in (("android.app.Activity", "mDestroyed:I"), ("android.app.Fragment", "mFragmentManager:I mCalled:I"),
                         ("androidx.fragment.app.Fragment", "mLifecycleRegistry mFragmentManager:Z"),
                         ("androidx.lifecycle.LifecycleRegistry", "mState:I"), ("android.view.ViewRootImpl", "mView:J"),
                         ("android.view.Window", "mDestroyed"), ("android.app.Dialog", "mContext:J mWindow:I"),
                         ("android.widget.Toast", "mTN:I"), ("android.widget.Editor", ""), ("android.os.MessageQueue", "mQuitting:I"),
                         ("androidx.lifecycle.ViewModel", "mCleared:I impl"), ("mortar.MortarScope", "dead"),
                         ("androidx.compose.runtime.CompositionImpl", "disposed state"),
                         ("androidx.compose.runtime.Recomposer", "_state:I"), ("android.graphics.Bitmap", "mRecycled:I mWidth"),
                         ("android.database.AbstractCursor", "mClosed:I"), ("android.database.CursorWindow", "mWindowPtr"),
                         ("leakcanary.KeyedWeakReference", ""), ("android.app.ContextImpl", "mOuterContext:J"),
                         ("android.app.ApplicationPackageManager", "mContext:I"), ("android.app.Service", "mThread")):
        sup = "java.lang.ref.WeakReference" if "Keyed" in name else "java.lang.Object"
        p.klass(name, sup, [], size=8, key=name + "?")
        c = p.android(name, sup, fields)
        out += [p.obj(name + "?"), p.obj(name, **{n: 1 for n, t in c.fields})]
    return out


def leaks_bad():
    needed = ("android.content.", "android.view.View", "android.app.ActivityThread")
    p = Phone([r for r in ANDROID if r[0].startswith(needed) and r[0] not in ("android.view.ViewRootImpl", "android.view.View$AttachInfo")])
    out = rings(p) + other_types(p)
    ring = p.reserve("java.util.HashMap$Node")
    p.obj("java.util.HashMap$Node", ring, next=ring, value=0x31337000)
    services = p.obj("java.util.HashMap", table=p.refs("java.util.HashMap$Node[]", [ring, 0x31337000]), size=2 ** 31 - 1)
    p.platform_static("android.app.ActivityThread", "sCurrentActivityThread",
                      p.obj("android.app.ActivityThread", mServices=services))
    p.platform_static("leakcanary.KeyedWeakReference", "heapDumpUptimeMillis", 7, INT)
    out += [p.obj("leakcanary.KeyedWeakReference", referent=0x31337000), p.obj("leakcanary.KeyedWeakReference")]
    p.app("com.example.Leaky", sAll=p.refs("java.lang.Object[]", out))
    return p.built()


MAKERS = {"leaks": leaks, "leaks19": leaks19, "noleaks": noleaks, "leaks_bad": leaks_bad}
