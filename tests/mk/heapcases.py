# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapcases.py - leaks of Android applications as people reported them in public, each in a dump of its own, for mkheap.py.

case_message       a Runnable that was posted for later, behind another Message in the queue of the main thread
case_fragment      the same of a Fragment that was destroyed, which holds a view of the Activity: the Fragment is to blame
case_idle          ActivityThread.mNewActivities: a record behind that of a live Activity, until the main thread is idle
case_binder        another process holds the Binder (JNI global) of a Service that was destroyed
case_rx            a thread of RxJava waits; its chain of subscribers ends at an anonymous class of the Activity
case_toast         Toast$TN.mNextView, held for another process: a view of an Activity that was destroyed
case_animator      an endless animation, held by the thread-local AnimationHandler: its listener's view is detached
case_network       ConnectivityManager.sInstance got an Activity as its context
case_location      LocationManager$ListenerTransport, held for another process, leads to the ContextImpl of an Activity
case_binding       a Fragment on the back stack keeps its binding, and so the view that was destroyed
case_view_model    a ViewModel that lives on got the Activity as its context
case_dialog        a worker thread's last Message, which a Dialog took from the pool for its listener
case_callbacks     Application.mActivityLifecycleCallbacks, names made short by R8, a LinkedList of what was seen
case_web_view      a WebView that is kept for the next Activity still has the last one as its context
case_async_task    tasks that wait behind the one that the thread runs; one of them is of a detached EditText
case_text_line     a pooled TextLine keeps a text with a span of a Fragment; a known leak
case_span          a static builder keeps a span whose outer object has a context
case_connection    Application.mLoadedApk.mServices: an Activity that did not unbind
case_root_view     a Message for the handler of a window that is closed; the window's callback leads to the Activity

case_both          a known leak of the platform is the shorter way to the Activity, a listener of the application the longer one
case_soft          a destroyed Activity that only a SoftReference and a WeakReference have: it goes when memory is needed
case_collected     two objects that LeakCanary watched, which nothing else has any more
case_collected_soft    an Activity that LeakCanary watched, which only a SoftReference has besides
case_calm          what was asked about and is not a leak: views taken out of live windows, a Fragment on the back stack, a finishing
                   Activity, a dismissed Dialog, running animations, waiting Messages, receivers and toasts of what lives

In the other cases, com.example.LastActivity (or the Fragment, Service or view of the case) leaks, once; com.example.MainActivity lives.
"""
from heapleaks import Case
from heapphone import ANDROID, RECENT, Phone

MORE = (
    ("android.app.ActivityThread$ActivityClientRecord", "java.lang.Object", "activity nextIdle token window"),
    ("android.app.LoadedApk", "java.lang.Object", "mApplication mPackageName mReceivers mServices"),
    ("android.os.Binder", "java.lang.Object", "mDescriptor mOwner mObject:J"),
    ("android.os.AsyncTask$SerialExecutor", "java.lang.Object", "mActive mTasks"),
    ("android.os.AsyncTask$SerialExecutor$1", "java.lang.Object", "this$0 val$r"),
    ("android.widget.TextView$3", "java.lang.Object", "this$0"),
    ("android.widget.LinearLayout", "android.view.ViewGroup", "mGravity:I"),
    ("android.widget.Toast$TN", "android.os.Binder", "mHandler mNextView mParams mView mWM"),
    ("android.animation.AnimationHandler", "java.lang.Object", "mAnimationCallbacks mDelayedCallbackStartTime"),
    ("android.net.ConnectivityManager", "java.lang.Object", "mContext mService"),
    ("android.location.LocationManager", "java.lang.Object", "mContext mService"),
    ("android.location.LocationManager$ListenerTransport", "android.os.Binder", "mListener mListenerHandler this$0"),
    ("android.webkit.WebView", "android.view.ViewGroup", "mProvider mWebViewThread"),
    ("android.text.TextLine", "java.lang.Object", "mPaint mSpanned mText mLen:I"),
    ("android.text.SpannableStringBuilder", "java.lang.Object", "mSpans mText mSpanCount:I"),
    ("android.view.ViewRootImpl$ViewRootHandler", "android.os.Handler", "this$0"),
    ("androidx.lifecycle.ViewModelStore", "java.lang.Object", "map"),
    ("androidx.fragment.app.FragmentManagerImpl", "java.lang.Object", "mFragmentStore mHost"),
    ("androidx.constraintlayout.widget.ConstraintLayout", "android.view.ViewGroup", "mConstraintSet"),
    ("java.lang.ThreadLocal$ThreadLocalMap", "java.lang.Object", "table size:I threshold:I"),
    ("java.lang.ThreadLocal$ThreadLocalMap$Entry", "java.lang.ref.WeakReference", "value"),
    ("java.lang.ref.SoftReference", "java.lang.ref.Reference", "timestamp:J"),
    ("java.util.ArrayDeque", "java.lang.Object", "elements head:I tail:I"),
    ("java.util.LinkedList", "java.lang.Object", "first last size:I modCount:I"),
    ("java.util.LinkedList$Node", "java.lang.Object", "item next prev"),
)
ARRAYS = ("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", "android.text.TextLine[]")
LAST = "com.example.LastActivity"


class Told(Case):
    """A live application, to which a case adds one leak."""

    def __init__(self):
        rows = [r for r in ANDROID if r[0] != "android.app.ActivityThread"] + list(RECENT)
        rows.append(("android.app.ActivityThread", "java.lang.Object",
                     "mActivities mInitialApplication mLooper mNewActivities mServices"))
        rows = [(n, s, f + " mRootView" if n == "android.view.ViewRootImpl" else f) for n, s, f in rows]
        super().__init__(Phone(rows + list(MORE)))
        for name in ARRAYS:
            c = self.p.klass(name)
            self.p.root("sticky class", c.id)

    def last(self):
        return self.dead_activity(LAST)[0]

    def made(self, name, sup="java.lang.Object", fields="", **values):
        """A class of the application and one object of it."""
        if name not in self.p.classes:
            self.p.app(name, sup, fields)
        return self.p.obj(name, **values)

    def wrap(self, rows, at):
        """Objects that hold each other, the last of them at: (class, field) from the holder on."""
        for name, field in reversed(rows):
            at = self.made(name, "java.lang.Object", field, **{field: at})
        return at

    def waiting(self, name, local):
        """A thread, and what its only frame holds."""
        p = self.p
        p.frame(1, "java.lang.Object", "wait", "()V", "Object.java", 442)
        p.stack(7, 7, [1])
        t = p.obj("java.lang.Thread", name=p.text(name), id=7, priority=5)
        p.root("thread", t, 7, 7)
        p.root("java frame", local, 7, 0)

    def queue_holds(self, message):
        """Before what is there already."""
        p, first = self.p, self.p.obj("android.os.Message", target=self.handler, what=1, next=message)
        other = p.obj("android.os.MessageQueue", mMessages=first, mPtr=0x7b00000020)
        p.root("jni local", other, 1, -1)


def message(c):
    p = c.p
    lambda_ = c.wrap([("com.example.LastActivity$$ExternalSyntheticLambda23", "f$0")], c.last())
    c.queue_holds(p.obj("android.os.Message", target=c.handler, callback=lambda_))


def fragment(c):
    p = c.p
    registry = p.obj("androidx.lifecycle.LifecycleRegistry", state=c.state("androidx.lifecycle.Lifecycle$State", "DESTROYED"))
    p.app("com.example.HomeFragment", "androidx.fragment.app.Fragment")
    view = p.obj("android.widget.LinearLayout", mContext=c.last(), mWindowAttachCount=1, mID=0x7f0a0051)
    home = p.obj("com.example.HomeFragment", mLifecycleRegistry=registry, mTag=p.text("home"), mCalled=True, mView=view)
    lambda_ = c.wrap([("com.example.HomeFragment$$ExternalSyntheticLambda3", "f$0")], home)
    c.queue_holds(p.obj("android.os.Message", target=c.handler, callback=lambda_))


def idle(c):
    p = c.p
    record = p.obj("android.app.ActivityThread$ActivityClientRecord", activity=c.last())
    first = p.obj("android.app.ActivityThread$ActivityClientRecord", activity=c.activity, nextIdle=record)
    p.platform_static("android.app.ActivityThread", "sOther",
                      p.obj("android.app.ActivityThread", mLooper=c.looper, mNewActivities=first, mInitialApplication=c.app))


def binder(c):
    c.p.app("com.example.SyncService$LocalBinder", "android.os.Binder", "this$0")
    c.p.root("jni global", c.p.obj("com.example.SyncService$LocalBinder", **{"this$0": c.dead_service()}))


def rx(c):
    c.waiting("RxIoScheduler-2", c.wrap([
        ("rx.internal.operators.OperatorObserveOn$ObserveOnSubscriber", "child"),
        ("rx.internal.operators.OperatorMap$MapSubscriber", "actual"), ("rx.observers.SafeSubscriber", "actual"),
        ("rx.internal.util.ActionSubscriber", "onError"), ("com.example.LastActivity$4", "this$0")], c.last()))


def toast(c):
    p = c.p
    view = p.obj("android.widget.LinearLayout", mContext=c.last(), mWindowAttachCount=1, mID=-1)
    p.root("jni global", p.obj("android.widget.Toast$TN", mNextView=view, mHandler=c.handler))


def animator(c):
    p = c.p
    view = c.view("com.example.SecondsView", mContext=c.last(), mWindowAttachCount=1, mID=0x7f0a0042)
    inner = c.wrap([("com.example.SecondsView$1", "this$0")], view)
    endless = p.obj("android.animation.ValueAnimator", mListeners=p.list([inner]), mStarted=True, mRunning=True)
    handler = p.obj("android.animation.AnimationHandler", mAnimationCallbacks=p.list([endless]))
    entry = p.obj("java.lang.ThreadLocal$ThreadLocalMap$Entry", value=handler)
    table = p.refs("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", [0, 0, entry, 0])
    local = p.obj("java.lang.ThreadLocal$ThreadLocalMap", table=table, size=1)
    p.root("thread", p.obj("java.lang.Thread", name=p.text("main"), id=1, priority=5, threadLocals=local), 1, -1)


def network(c):
    p = c.p
    p.platform_static("android.net.ConnectivityManager", "sInstance",
                      p.obj("android.net.ConnectivityManager", mContext=c.last()))


def location(c):
    p = c.p
    manager = p.obj("android.location.LocationManager", mContext=c.context(c.last()))
    transport = {"this$0": manager, "mListener": c.made("com.example.WeakLocationListener", fields="mTarget")}
    p.root("jni global", p.obj("android.location.LocationManager$ListenerTransport", **transport))


def binding(c):
    """The Fragment is in use: only LeakCanary, which watches its view, can tell."""
    p = c.p
    root = p.obj("androidx.constraintlayout.widget.ConstraintLayout", mContext=c.activity, mWindowAttachCount=1, mID=0x7f0a0050)
    held = c.wrap([("com.example.databinding.GardenBinding", "rootView")], root)
    registry = p.obj("androidx.lifecycle.LifecycleRegistry", state=c.state("androidx.lifecycle.Lifecycle$State", "CREATED"))
    manager = p.obj("androidx.fragment.app.FragmentManagerImpl")
    p.app("com.example.GardenFragment", "androidx.fragment.app.Fragment", "binding")
    c.extra = [p.obj("com.example.GardenFragment", binding=held, mFragmentManager=manager, mLifecycleRegistry=registry,
                     mTag=p.text("garden"), mCalled=True)]
    c.keep(sWatches=p.list([c.watch("garden-view", root, 12000, 7000)]))


def view_model(c):
    p = c.p
    p.app("com.example.FeedModel", "androidx.lifecycle.ViewModel", "context")
    model = p.obj("com.example.FeedModel", context=c.last())
    c.extra = [p.obj("androidx.lifecycle.ViewModelStore", map=p.hash_map([(p.text("feed"), model)]))]


def dialog(c):
    p = c.p
    listener = c.wrap([("com.example.LastActivity$2", "this$0")], c.last())
    c.waiting("worker", p.obj("android.os.Message", obj=listener, what=0x44, target=c.handler))


def callbacks(c):
    p = c.p
    status = c.wrap([("com.tealium.core.ActivityManager$ActivityStatus", "activity")], c.last())
    node = p.obj("java.util.LinkedList$Node", item=status)
    seen = p.obj("java.util.LinkedList", first=node, last=node, size=1)
    inner = c.wrap([("com.tealium.core.internal.a$a", "a"), ("com.tealium.core.internal.a$b", "a")], seen)
    app = p.obj("com.example.App", mBase=c.app_context, mActivityLifecycleCallbacks=p.list([inner]))
    p.root("jni global", app)


def web_view(c):
    p = c.p
    view = p.obj("android.webkit.WebView", mContext=c.last(), mWindowAttachCount=1, mID=-1)
    c.keep(sWebViews=c.made("com.example.WebPool", fields="mFree", mFree=p.list([view])))


def async_task(c):
    p = c.p
    text = p.obj("android.widget.EditText", mContext=c.last(), mWindowAttachCount=1, mID=0x7f0a0051)
    task = p.obj("android.os.AsyncTask$SerialExecutor$1", **{"val$r": p.obj("android.widget.TextView$3", **{"this$0": text})})
    tasks = p.obj("java.util.ArrayDeque", elements=p.refs("java.lang.Object[]", [0, 0, task, 0]), head=2, tail=3)
    executor = p.obj("android.os.AsyncTask$SerialExecutor", mTasks=tasks)
    c.waiting("AsyncTask #10", p.obj("android.os.AsyncTask$SerialExecutor$1", **{"this$0": executor}))


def text_of(c, span):
    p = c.p
    return p.obj("android.text.SpannableStringBuilder", mSpans=p.refs("java.lang.Object[]", [0, span, 0]), mSpanCount=1)


def text_line(c):
    p = c.p
    registry = p.obj("androidx.lifecycle.LifecycleRegistry", state=c.state("androidx.lifecycle.Lifecycle$State", "DESTROYED"))
    p.app("com.example.TermsFragment", "androidx.fragment.app.Fragment")
    gone = p.obj("com.example.TermsFragment", mLifecycleRegistry=registry, mTag=p.text("terms"), mCalled=True)
    line = p.obj("android.text.TextLine", mText=text_of(c, c.wrap([("com.example.TermsFragment$link$1", "this$0")], gone)))
    p.platform_static("android.text.TextLine", "sCached", p.refs("android.text.TextLine[]", [0, 0, line]))


def span(c):
    inner = c.wrap([("com.example.SpanUtils$SpaceSpan", "this$0"), ("com.example.SpanUtils", "mContext")], c.last())
    c.keep(sBuilder=text_of(c, inner))


def connection(c):
    p = c.p
    apk = p.obj("android.app.LoadedApk", mServices=p.array_map([(c.last(), p.obj("java.lang.Object"))]))
    p.root("jni global", p.obj("com.example.App", mBase=c.app_context, mLoadedApk=apk))


def root_view(c):
    p = c.p
    record = p.obj("android.app.ActivityThread$ActivityClientRecord", activity=c.last())
    title = p.obj("android.view.WindowManager$LayoutParams", mTitle=p.text("com.example/LastActivity"), type=1)
    root = p.obj("android.view.ViewRootImpl", mContext=c.app, mThread=c.main, mWindowAttributes=title,
                 mRootView=c.wrap([("com.example.ConfigCallback", "record")], record))
    handler = {"this$0": root, "mLooper": c.looper}
    c.queue_holds(p.obj("android.os.Message", target=p.obj("android.view.ViewRootImpl$ViewRootHandler", **handler)))


def both(c):
    p, gone = c.p, c.last()
    view = p.obj("android.widget.LinearLayout", mContext=c.app, mWindowAttachCount=1, mTag=gone)
    p.platform_static("android.view.inputmethod.InputMethodManager", "sInstance",
                      p.obj("android.view.inputmethod.InputMethodManager", mServedView=view))
    p.app("com.example.Bus", listeners=p.list([c.wrap([("com.example.LastActivity$5", "this$0")], gone)]))


def soft(c):
    p, gone = c.p, c.last()
    p.root("jni global", p.obj("java.lang.ref.SoftReference", referent=gone))
    p.root("jni global", p.obj("java.lang.ref.WeakReference", referent=gone))


def collected(c):
    p = c.p
    p.app("com.example.Presenter", fields="mItems")
    c.keep(sWatches=p.list([c.watch(key, p.obj("com.example.Presenter"), 9000, 4000) for key in ("first-key", "second-key")]))


def collected_soft(c):
    gone = c.last()
    c.p.root("jni global", c.p.obj("java.lang.ref.SoftReference", referent=gone))
    c.keep(sWatches=c.p.list([c.watch("last-key", gone, 9000, 4000)]))


def waiting_for_live(c):
    p = c.p
    later = c.wrap([("com.example.MainActivity$$ExternalSyntheticLambda1", "f$0")], c.activity)
    c.queue_holds(p.obj("android.os.Message", target=c.handler, callback=later))
    text = p.obj("android.widget.LinearLayout", mContext=c.app, mID=-1)
    p.root("jni global", p.obj("android.widget.Toast$TN", mNextView=text, mHandler=c.handler))
    apk = p.obj("android.app.LoadedApk", mReceivers=p.array_map([(c.activity, p.obj("java.lang.Object"))]))
    p.root("jni global", p.obj("com.example.App", mBase=c.app_context, mLoadedApk=apk))
    inner = c.wrap([("com.example.MainActivity$3", "this$0")], c.activity)
    return [p.obj("android.animation.ValueAnimator", mListeners=p.list([inner]), mStarted=True, mRunning=True)]


def calm(c):
    p = c.p
    p.app("com.example.GardenFragment", "androidx.fragment.app.Fragment", "binding")
    registry = p.obj("androidx.lifecycle.LifecycleRegistry", state=c.state("androidx.lifecycle.Lifecycle$State", "CREATED"))
    fragment = p.obj("com.example.GardenFragment", mFragmentManager=p.obj("androidx.fragment.app.FragmentManagerImpl"),
                     mLifecycleRegistry=registry, mTag=p.text("garden"), mCalled=True)
    p.app("com.example.ClosingActivity", "android.app.Activity")
    closing = p.reserve("com.example.ClosingActivity")
    p.obj("com.example.ClosingActivity", closing, mBase=c.context(closing), mApplication=c.app, mFinished=True, mStopped=True)
    taken_out = p.obj("android.widget.LinearLayout", mContext=c.activity, mWindowAttachCount=2, mID=0x7f0a0060)
    below = p.obj("android.widget.EditText", mContext=c.activity, mParent=taken_out, mWindowAttachCount=2, mID=0x7f0a0061)
    themed = p.obj("android.view.ContextThemeWrapper", mBase=c.activity)
    dismissed = p.obj("android.app.Dialog", mContext=themed, mCreated=True)
    spare = p.obj("android.webkit.WebView", mContext=p.obj("android.content.ContextWrapper", mBase=c.app), mID=-1)
    pool = c.made("com.example.WebPool", fields="mFree", mFree=p.list([spare]))
    p.platform_static("android.net.ConnectivityManager", "sInstance", p.obj("android.net.ConnectivityManager", mContext=c.app_context))
    p.platform_static("android.text.TextLine", "sCached", p.refs("android.text.TextLine[]", [0, p.obj("android.text.TextLine")]))
    c.keep(sContext=c.app, sThemed=p.obj("android.view.ContextThemeWrapper", mBase=c.app), sPool=pool)
    c.extra = [fragment, closing, taken_out, below, dismissed] + waiting_for_live(c)


CASES = {"message": message, "fragment": fragment, "idle": idle, "binder": binder, "rx": rx, "toast": toast,
         "animator": animator, "network": network, "location": location, "binding": binding, "view_model": view_model, "dialog": dialog,
         "callbacks": callbacks, "web_view": web_view, "async_task": async_task, "text_line": text_line, "span": span,
         "connection": connection, "root_view": root_view, "both": both, "soft": soft, "collected": collected,
         "collected_soft": collected_soft, "calm": calm}


def make(add):
    c = Told()
    add(c)
    return c.built()


MAKERS = {"case_" + name: (lambda add=add: make(add)) for name, add in CASES.items()}
