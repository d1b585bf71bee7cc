# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapphone.py - the classes of an Android application by version, and a Phone to build heap dumps of one with.

A class is written as its fields: "mBase mDestroyed:Z mID:I", a reference where nothing else is said.
"""
from heapfile import BOOLEAN, BYTE, FLOAT, INT, LONG, OBJECT, WIDTH, Dump
from heapjava import PRIMS

LETTERS = {"Z": BOOLEAN, "I": INT, "J": LONG, "F": FLOAT, "B": BYTE}

RUNTIME = (
    ("java.lang.Object", None, "shadow$_klass_ shadow$_monitor_:I"),
    ("java.lang.Class", "java.lang.Object", "name accessFlags:I"),
    ("java.lang.String", "java.lang.Object", "count:I hash:I value"),
    ("java.lang.Enum", "java.lang.Object", "name ordinal:I"),
    ("java.lang.ref.Reference", "java.lang.Object", "pendingNext queue queueNext referent"),
    ("java.lang.ref.WeakReference", "java.lang.ref.Reference", ""),
    ("java.lang.ref.FinalizerReference", "java.lang.ref.Reference", "next prev zombie"),
    ("java.lang.Thread", "java.lang.Object", "contextClassLoader name target threadLocals id:J priority:I daemon:Z"),
    ("java.lang.ClassLoader", "java.lang.Object", "packages parent runtimeInternalObjects"),
    ("dalvik.system.PathClassLoader", "java.lang.ClassLoader", ""),
    ("java.util.ArrayList", "java.lang.Object", "elementData modCount:I size:I"),
    ("java.util.HashMap", "java.lang.Object", "table loadFactor:F size:I threshold:I"),
    ("java.util.HashMap$Node", "java.lang.Object", "key next value hash:I"),
    ("android.util.ArrayMap", "java.lang.Object", "mArray mHashes mSize:I"),
)

ANDROID = (
    ("android.content.Context", "java.lang.Object", ""),
    ("android.content.ContextWrapper", "android.content.Context", "mBase"),
    ("android.view.ContextThemeWrapper", "android.content.ContextWrapper", "mInflater mResources mTheme mThemeResource:I"),
    ("android.app.ContextImpl", "android.content.Context", "mMainThread mOuterContext mPackageInfo mPackageManager mFlags:I"),
    ("android.app.ApplicationPackageManager", "java.lang.Object", "mContext mPM"),
    ("android.app.Application", "android.content.ContextWrapper", "mActivityLifecycleCallbacks mLoadedApk"),
    ("android.app.Service", "android.content.ContextWrapper", "mActivityManager mApplication mClassName mThread mToken mStartCompatibility:Z"),
    ("android.app.Activity", "android.view.ContextThemeWrapper",
     "mApplication mDecor mFragments mTitle mWindow mResultCode:I mCalled:Z mChangingConfigurations:Z mDestroyed:Z mFinished:Z mResumed:Z mStopped:Z"),
    ("android.app.ActivityThread", "java.lang.Object", "mActivities mInitialApplication mLooper mServices"),
    ("android.app.Fragment", "java.lang.Object",
     "mActivity mContainer mFragmentManager mHost mTag mView mWho mFragmentId:I mIndex:I mState:I mAdded:Z mCalled:Z mDetached:Z mRemoving:Z"),
    ("android.view.View", "java.lang.Object",
     "mAttachInfo mBackground mContext mLayoutParams mParent mTag mID:I mPrivateFlags:I mWindowAttachCount:I"),
    ("android.view.ViewGroup", "android.view.View", "mChildren mChildrenCount:I"),
    ("android.widget.FrameLayout", "android.view.ViewGroup", "mForegroundPaddingLeft:I"),
    ("android.widget.TextView", "android.view.View", "mEditor mText"),
    ("android.widget.EditText", "android.widget.TextView", ""),
    ("android.widget.Editor", "java.lang.Object", "mSelectionModifierCursorController mTextView"),
    ("android.view.View$AttachInfo", "java.lang.Object", "mHandler mRootView mViewRootImpl"),
    ("android.view.Window", "java.lang.Object", "mCallback mContext mContainer mDestroyed:Z mIsActive:Z"),
    ("android.view.ViewRootImpl", "java.lang.Object", "mAttachInfo mContext mThread mView mWindowAttributes mAdded:Z mFirst:Z mStopped:Z"),
    ("android.view.WindowManager$LayoutParams", "java.lang.Object", "mTitle token type:I"),
    ("android.app.Dialog", "java.lang.Object", "mContext mDecor mOwnerActivity mWindow mCanceled:Z mCreated:Z mShowing:Z"),
    ("android.view.inputmethod.InputMethodManager", "java.lang.Object", "mCurRootView mH mNextServedView mServedView"),
    ("android.os.Looper", "java.lang.Object", "mQueue mThread"),
    ("android.os.MessageQueue", "java.lang.Object", "mIdleHandlers mMessages mPtr:J mBlocked:Z"),
    ("android.os.Message", "java.lang.Object", "callback next obj target when:J arg1:I flags:I what:I"),
    ("android.os.Handler", "java.lang.Object", "mCallback mLooper mQueue"),
    ("android.os.HandlerThread", "java.lang.Thread", "mHandler mLooper mPriority:I mTid:I"),
    ("android.view.Choreographer", "java.lang.Object", "mHandler mLooper"),
    ("android.animation.Animator", "java.lang.Object", "mListeners"),
    ("android.animation.ValueAnimator", "android.animation.Animator", "mValues mStartTime:J mRunning:Z mStarted:Z"),
    ("android.animation.ObjectAnimator", "android.animation.ValueAnimator", "mProperty mPropertyName mTarget"),
    ("android.graphics.Bitmap", "java.lang.Object",
     "mColorSpace mHardwareBuffer mNinePatchChunk mNativePtr:J mDensity:I mHeight:I mWidth:I mRecycled:Z mRequestPremultiplied:Z"),
    ("android.database.sqlite.SQLiteClosable", "java.lang.Object", "mReferenceCount:I"),
    ("android.database.sqlite.SQLiteProgram", "android.database.sqlite.SQLiteClosable", "mBindArgs mDatabase mSql mNumParameters:I"),
    ("android.database.sqlite.SQLiteQuery", "android.database.sqlite.SQLiteProgram", "mCancellationSignal"),
    ("android.database.AbstractCursor", "java.lang.Object", "mContentObservable mNotifyUri mPos:I mClosed:Z"),
    ("android.database.AbstractWindowedCursor", "android.database.AbstractCursor", "mWindow"),
    ("android.database.sqlite.SQLiteCursor", "android.database.AbstractWindowedCursor", "mColumns mDriver mEditTable mQuery mCount:I"),
    ("android.database.CursorWindow", "android.database.sqlite.SQLiteClosable", "mCloseGuard mName mWindowPtr:J mStartPos:I"),
    ("android.widget.CursorAdapter", "java.lang.Object", "mContext mCursor mDataValid:Z"),
)

RECENT = (
    ("com.android.internal.policy.DecorContext", "android.view.ContextThemeWrapper", "mContext mPhoneWindow"),
    ("com.android.internal.policy.PhoneWindow", "android.view.Window", "mContentParent mDecor"),
    ("com.android.internal.policy.DecorView", "android.widget.FrameLayout", "mContentRoot mWindow"),
    ("androidx.lifecycle.Lifecycle$State", "java.lang.Enum", ""),
    ("androidx.lifecycle.LifecycleRegistry", "java.lang.Object", "lifecycleOwner state addingObserverCounter:I"),
    ("androidx.fragment.app.Fragment", "java.lang.Object",
     "mContainer mFragmentManager mHost mLifecycleRegistry mMaxState mTag mView mWho mState:I mAdded:Z mCalled:Z mRemoving:Z"),
    ("androidx.lifecycle.ViewModel", "java.lang.Object", "mBagOfTags mCloseables mCleared:Z"),
    ("androidx.compose.runtime.CompositionImpl", "java.lang.Object", "applier parent slotTable disposed:Z"),
    ("androidx.compose.runtime.Recomposer$State", "java.lang.Enum", ""),
    ("androidx.compose.runtime.Recomposer", "java.lang.Object", "_state broadcastFrameClock changeCount:J"),
    ("kotlinx.coroutines.flow.StateFlowImpl", "java.lang.Object", "_state$volatile slots sequence:I"),
    ("mortar.MortarScope", "java.lang.Object", "children name parent tearDowns dead:Z"),
    ("leakcanary.KeyedWeakReference", "java.lang.ref.WeakReference", "description key retainedUptimeMillis:J watchUptimeMillis:J"),
)

KITKAT = (
    ("com.android.internal.policy.impl.PhoneWindow", "android.view.Window", "mContentParent mDecor"),
    ("com.android.internal.policy.impl.PhoneWindow$DecorView", "android.widget.FrameLayout", "mContentRoot this$0"),
    ("android.support.v4.app.Fragment", "java.lang.Object",
     "mActivity mContainer mFragmentManager mTag mView mWho mIndex:I mState:I mAdded:Z mCalled:Z mDetached:Z"),
    ("android.app.ApplicationContextManager", "java.lang.Object", "mContext mPM"),
    ("android.widget.Toast", "java.lang.Object", "mContext mNextView mTN mDuration:I"),
    ("android.widget.Toast$TN", "java.lang.Object", "mHandler mNextView mParams mView mWM"),
    ("android.widget.WindowManagerStub", "java.lang.Object", ""),
    ("com.squareup.leakcanary.KeyedWeakReference", "java.lang.ref.WeakReference", "key name"),
)


def fields_of(text):
    out = []
    for word in text.split():
        name, _, letter = word.partition(":")
        out.append((name, LETTERS[letter] if letter else OBJECT))
    return out


class Phone(Dump):
    """An Android heap dump with an application in it; rows: the classes of the platform and its libraries."""

    def __init__(self, rows, quit="mQuitting", strings="art"):
        super().__init__("1.0.3", 4, "32", "java", 0x70000000, 4000, mixed=True, trace=0)
        self.string_form = strings
        self.stack(0, 0, [])
        self.part("image")
        for name, sup, fields in RUNTIME + tuple(rows):
            if name == "android.os.MessageQueue":
                fields += " %s:Z" % quit
            if name == "java.lang.String" and strings == "char":
                fields = "value hash:I offset:I count:I"
            self.android(name, sup, fields)
        for p in PRIMS:
            self.klass(p + "[]")
        for name in ("java.lang.Object[]", "java.util.HashMap$Node[]"):
            self.klass(name)
        for c in list(self.classes.values()):
            self.root("sticky class", c.id)
        self.part("app")
        self.free = 0x12c00000
        self.loader = self.reserve("dalvik.system.PathClassLoader")
        self.free += 1024 - 24
        self.mine = []

    def android(self, name, sup, fields, statics=()):
        fields = fields_of(fields)
        size = sum(self.ids if t == OBJECT else WIDTH[t] for _, t in fields)
        size += self.classes[sup].size if sup else 0
        return self.klass(name, sup, fields, statics, size=size)

    def app(self, name, sup="java.lang.Object", fields="", **statics):
        """A class of the application; statics: objects."""
        c = self.android(name, sup, fields, [(n, OBJECT, v) for n, v in statics.items()])
        c.loader = self.loader
        self.mine.append(c.id)
        return c

    def platform_static(self, cname, name, value, kind=OBJECT):
        self.classes[cname].statics.append([name, kind, value])

    def list(self, items):
        return self.obj("java.util.ArrayList", elementData=self.refs("java.lang.Object[]", list(items) + [0, 0]),
                        size=len(items))

    def array_map(self, pairs):
        flat = [x for pair in pairs for x in pair] + [0, 0]
        return self.obj("android.util.ArrayMap", mArray=self.refs("java.lang.Object[]", flat),
                        mHashes=self.prims(INT, list(range(len(pairs) + 1))), mSize=len(pairs))

    def hash_map(self, pairs):
        """All in one bucket of two."""
        node = 0
        for i, (key, value) in enumerate(pairs):
            node = self.obj("java.util.HashMap$Node", key=key, value=value, next=node, hash=2 * i)
        return self.obj("java.util.HashMap", table=self.refs("java.util.HashMap$Node[]", [node, 0]), size=len(pairs),
                        threshold=2, loadFactor=0.75)

    def thread(self, name, serial, cname="java.lang.Thread", **values):
        t = self.obj(cname, name=self.text(name), id=serial, priority=5, **values)
        self.root("thread", t, serial, -1)
        return t

    def built(self):
        """The loader of the application holds its classes, as in ART."""
        self.obj("dalvik.system.PathClassLoader", self.loader, runtimeInternalObjects=self.loader + 24)
        assert len(self.mine) < 240
        self.refs("java.lang.Object[]", self.mine, self.loader + 24)
        self.root("jni global", self.loader)
        return self.build()
