/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_dump: a heap dump in which each rule of the inspectors has what it needs, and lacks it; opened.
 */
#ifndef UNIT_INSPECT_DUMP_H
#define UNIT_INSPECT_DUMP_H

#include "check.h"
#include "folder.h"
#include "heaps.h"

#include "icecore/columns_objects.h"
#include "icecore/leak.h"

#define FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

/* Classes, then objects that the cases refer to; the class and the object of case i follow CASE. */
enum {
	OBJECT = 0x1000, CLASS = 0x1010, STRING = 0x1020, BYTES = 0x1030, ARRAY = 0x1040, INTS = 0x1050,
	ENUM = 0x1060, CONTEXT = 0x1070, ACTIVITY = 0x1080, APPLICATION = 0x1090, REGISTRY = 0x10a0,
	VIEW = 0x10b0, DECOR = 0x10c0, VIEW_ROOT = 0x10d0, DIALOG = 0x10e0, WINDOW = 0x10f0, MAP = 0x1100,
	THREADS = 0x1110, SERVICE = 0x1120, FLOW = 0x1130, TOAST_TN = 0x1140, IMPL = 0x1150, LOADER = 0x1160,
	THREAD = 0x1170, MANAGER = 0x1180, HOLDER = 0x1190, OWN_LOADED = 0x11a0,
	LIVE = 0x2000, DEAD = 0x2100, WRAPS_LIVE = 0x2200, WRAPS_DEAD = 0x2300, RING_1 = 0x2400, RING_2 = 0x2500,
	APP = 0x2600, DECOR_ON = 0x2700, DECOR_OFF = 0x2800, ROOT = 0x2900, SOME = 0x2a00, DIALOG_LIVE = 0x2b00,
	WINDOW_LIVE = 0x2c00, DECOR_DIALOG = 0x2d00, RUNNING = 0x2e00, ENDED = 0x2f00, NOT_BEGUN = 0x3000,
	TN_DONE = 0x3100, TN_SHOWN = 0x3200, TN_NEW = 0x3300, IMPL_DEAD = 0x3400, IMPL_LIVE = 0x3500,
	CLEARED = 0x3600, CHILD_OFF = 0x3700, CHILD_ON = 0x3800, BASE_DEAD = 0x3900, OWN_LOADER = 0x3a00,
	WRAPPED = 0x4000, DECOR_WRAPPED = 0x4100, HOST = 0x4200, DECOR_HOST = 0x4300, DECOR_OF_LIVE = 0x4400,
	DECOR_OF_DEAD = 0x4500, DIALOG_DEAD = 0x4600, CUT = 0x4700,
	MAIN = 0x3b00, IDLE = 0x3c00, METHODS = 0x3d00, HOLDING = 0x3e00, WINDOW_DEAD = 0x3f00,
	STATES = 0x5000, CASE = 0x10000, STEP = 0x400, MISSING = 0xdead0
};

/* Constants of enums: the object, a registry or flow with it, and its name. */
static const char *const states[] = {
	"DESTROYED", "INITIALIZED", "CREATED", "STARTED", "RESUMED", "ShutDown", "ShuttingDown", "Idle", "odd"
};
enum { DESTROYED, INITIALIZED, CREATED, STARTED, RESUMED, SHUT_DOWN, SHUTTING_DOWN, FLOW_IDLE, ODD };
#define IN_REGISTRY(state) (STATES + 0x200 * (state) + 0x40)
#define IN_FLOW(state) (STATES + 0x200 * (state) + 0x80)

#define REF(name, to) { name, HEAP_OBJECT, false, to }
#define FLAG(name, value) { name, HEAP_BOOLEAN, false, value }
#define INT(name, value) { name, HEAP_INT, false, (uint32_t)(value) }
#define LONG(name, value) { name, HEAP_LONG, false, value }

/* A class of that name with these fields, and one object of it with these values. */
struct rule {
	const char		*class;
	struct put_field	 field[5];
	enum leak_mark		 mark;
	enum finding_kind	 kind;
	const char		*why;		/* is in it */
	const char		*label;
};

#define Y LEAK_YES
#define N LEAK_NOT
#define U LEAK_UNKNOWN
#define X_FRAGMENT "androidx/fragment/app/Fragment"
#define V4_FRAGMENT "android/support/v4/app/Fragment"
#define COMPOSITION "androidx/compose/runtime/CompositionImpl"
#define RECOMPOSER "androidx/compose/runtime/Recomposer"

static const struct rule rules[] = {
	{ "android/app/Activity", { FLAG("mDestroyed", 1) }, Y, FINDING_ACTIVITY, "mDestroyed is true", "" },
	{ "android/app/Activity", { FLAG("mDestroyed", 0), FLAG("mFinished", 1) }, N, 0, "mDestroyed is false", "finishing" },
	{ "android/app/Activity", { INT("mDestroyed", 1) }, U, 0, "", "" },
	{ "android/app/Activity", { INT("other", 1) }, U, 0, "", "" },
	{ "android/app/Fragment", { REF("mFragmentManager", 0) }, Y, FINDING_FRAGMENT, "mFragmentManager is null", "" },
	{ "android/app/Fragment", { REF("mFragmentManager", 0), FLAG("mCalled", 1) }, Y, FINDING_FRAGMENT, "is null", "" },
	{ "android/app/Fragment", { REF("mFragmentManager", 0), FLAG("mCalled", 0) }, U, 0, "", "" },
	{ "android/app/Fragment", { REF("mFragmentManager", SOME), FLAG("mCalled", 1) }, N, 0, "not null", "" },
	{ "android/app/Fragment", { REF("mFragmentManager", MISSING) }, N, 0, "not null", "" },
	{ "android/app/Fragment", { FLAG("mCalled", 1) }, U, 0, "", "" },
	{ V4_FRAGMENT, { REF("mFragmentManager", 0), FLAG("mCalled", 1) }, Y, FINDING_FRAGMENT, "is null", "" },
	{ V4_FRAGMENT, { REF("mFragmentManager", 0), FLAG("mCalled", 0) }, U, 0, "", "" },
	{ V4_FRAGMENT, { REF("mFragmentManager", SOME) }, N, 0, "not null", "" },
	{ V4_FRAGMENT, { REF("mTag", STATES + 0x20) }, U, 0, "", "mTag \"DESTROYED\"" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(DESTROYED)) }, Y, FINDING_FRAGMENT, "DESTROYED", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(RESUMED)), REF("mFragmentManager", 0) }, N, 0, "RESUMED", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(INITIALIZED)), REF("mFragmentManager", 0),
	    REF("mMaxState", 0), FLAG("mCalled", 1) }, Y, FINDING_FRAGMENT, "mCalled is true", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(INITIALIZED)), REF("mFragmentManager", 0),
	    REF("mMaxState", 0), FLAG("mCalled", 0) }, U, 0, "", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(INITIALIZED)), REF("mFragmentManager", 0),
	    FLAG("mCalled", 1) }, U, 0, "", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(INITIALIZED)), REF("mFragmentManager", SOME) }, N, 0, "not null", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", IN_REGISTRY(ODD)) }, U, 0, "", "" },
	{ X_FRAGMENT, { REF("mLifecycleRegistry", MISSING) }, U, 0, "", "" },
	{ "androidx/lifecycle/LifecycleRegistry", { REF("state", STATES + 0x200 * STARTED) }, N, 0, "STARTED", "" },
	{ "androidx/lifecycle/LifecycleRegistry", { REF("mState", STATES + 0x200 * DESTROYED) }, U, 0, "", "" },

	{ "android/view/View", { REF("mContext", DEAD), REF("mAttachInfo", SOME) }, Y, FINDING_VIEW, "mContext", "" },
	{ "android/view/View", { REF("mContext", WRAPS_DEAD) }, Y, FINDING_VIEW, "mContext", "" },
	{ "android/view/View", { REF("mContext", WRAPS_LIVE), REF("mAttachInfo", SOME), INT("mID", 0x7f010203) }, N, 0, "attached",
	    "id 0x7f010203" },
	{ "android/view/View", { REF("mContext", RING_1), INT("mID", -1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_ON), INT("mWindowAttachCount", 1) },
	    Y, FINDING_VIEW, "mAttachInfo is null", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", CHILD_ON), INT("mWindowAttachCount", 1) },
	    Y, FINDING_VIEW, "mAttachInfo is null", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_OFF), INT("mWindowAttachCount", 1) },
	    Y, FINDING_VIEW, "mAttachInfo is null", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", ROOT), INT("mWindowAttachCount", 1) },
	    Y, FINDING_VIEW, "mAttachInfo is null", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_DIALOG), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_WRAPPED), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_HOST), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_OF_LIVE), INT("mWindowAttachCount", 1) },
	    Y, FINDING_VIEW, "mAttachInfo is null", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_OF_DEAD), INT("mWindowAttachCount", 1) },
	    Y, FINDING_VIEW, "mAttachInfo is null", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_ON), INT("mWindowAttachCount", 0) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", DECOR_ON) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", CHILD_OFF), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", 0), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mAttachInfo", 0), REF("mParent", SOME), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/View", { REF("mParent", DECOR_ON), INT("mWindowAttachCount", 1) }, U, 0, "", "" },
	{ "android/view/ViewRootImpl", { REF("mView", 0) }, Y, FINDING_ROOT_VIEW, "mView is null", "" },
	{ "android/view/ViewRootImpl", { REF("mView", SOME), REF("mContext", WRAPS_DEAD) }, Y, FINDING_ROOT_VIEW, "mContext", "" },
	{ "android/view/ViewRootImpl", { REF("mView", SOME), FLAG("mAdded", 1) }, N, 0, "mAdded", "" },
	{ "android/view/ViewRootImpl", { REF("mView", SOME) }, U, 0, "", "" },
	{ "android/view/Window", { FLAG("mDestroyed", 1) }, Y, FINDING_DIALOG, "mDestroyed", "" },
	{ "android/view/Window", { FLAG("mDestroyed", 0) }, U, 0, "", "" },
	{ "android/app/Dialog", { REF("mContext", WRAPS_DEAD), REF("mDecor", 0) }, Y, FINDING_DIALOG, "Activity", "mDecor is null" },
	{ "android/app/Dialog", { REF("mOwnerActivity", DEAD) }, Y, FINDING_DIALOG, "Activity", "" },
	{ "android/app/Dialog", { REF("mContext", APP), REF("mWindow", WINDOW_DEAD) }, Y, FINDING_DIALOG, "mWindow", "" },
	{ "android/app/Dialog", { REF("mContext", WRAPS_LIVE), FLAG("mShowing", 1) }, N, 0, "mShowing", "" },
	{ "android/app/Dialog", { REF("mContext", WRAPS_LIVE), FLAG("mShowing", 0), REF("mDecor", SOME) }, U, 0, "",
	    "mDecor is not null" },
	{ "android/widget/Toast", { REF("mTN", TN_DONE) }, Y, FINDING_DIALOG, "hidden", "" },
	{ "android/widget/Toast", { REF("mTN", TN_SHOWN) }, N, 0, "shown", "" },
	{ "android/widget/Toast", { REF("mTN", TN_NEW) }, U, 0, "", "" },
	{ "android/widget/Toast", { REF("mTN", SOME) }, U, 0, "", "" },
	{ "android/widget/Editor", { REF("mTextView", DECOR_OFF) }, Y, FINDING_OTHER, "mTextView", "" },
	{ "android/widget/Editor", { REF("mTextView", DECOR_ON) }, N, 0, "mTextView", "" },
	{ "android/widget/Editor", { REF("mTextView", 0) }, U, 0, "", "" },

	{ "android/content/ContextWrapper", { REF("mBase", WRAPS_DEAD) }, Y, FINDING_CONTEXT, "wraps", "wraps android.app.Activity" },
	{ "android/content/ContextWrapper", { REF("mBase", WRAPS_LIVE) }, U, 0, "", "wraps android.app.Activity" },
	{ "android/content/ContextWrapper", { REF("mBase", RING_2) }, U, 0, "", "" },
	{ "android/content/ContextWrapper", { INT("mBase", 1) }, U, 0, "", "" },
	{ "android/app/ContextImpl", { REF("mOuterContext", DEAD) }, Y, FINDING_CONTEXT, "mOuterContext", "of android.app.Activity" },
	{ "android/app/ContextImpl", { REF("mOuterContext", WRAPS_DEAD) }, Y, FINDING_CONTEXT, "mOuterContext",
	    "of android.content.ContextWrapper" },
	{ "android/app/ContextImpl", { REF("mOuterContext", LIVE) }, N, 0, "false", "of android.app.Activity" },
	{ "android/app/ContextImpl", { REF("mOuterContext", APP) }, N, 0, "Application", "of android.app.Application" },
	{ "android/app/ContextImpl", { REF("mOuterContext", 0) }, U, 0, "", "" },
	{ "android/app/ApplicationPackageManager", { REF("mContext", IMPL_DEAD) }, Y, FINDING_CONTEXT, "mOuterContext", "" },
	{ "android/app/ApplicationContextManager", { REF("mContext", IMPL_DEAD) }, Y, FINDING_CONTEXT, "mOuterContext", "" },
	{ "android/app/ApplicationPackageManager", { REF("mContext", IMPL_LIVE) }, U, 0, "", "" },

	{ "android/os/MessageQueue", { FLAG("mQuitting", 1) }, Y, FINDING_OTHER, "mQuitting is true", "" },
	{ "android/os/MessageQueue", { FLAG("mQuiting", 1) }, Y, FINDING_OTHER, "mQuiting is true", "" },
	{ "android/os/MessageQueue", { FLAG("mQuitting", 0) }, N, 0, "mQuitting is false", "" },
	{ "android/os/MessageQueue", { LONG("mPtr", 1) }, U, 0, "", "" },
	{ "androidx/lifecycle/ViewModel", { FLAG("mCleared", 1) }, Y, FINDING_OTHER, "mCleared", "" },
	{ "androidx/lifecycle/ViewModel", { FLAG("isCleared", 1) }, Y, FINDING_OTHER, "isCleared", "" },
	{ "androidx/lifecycle/ViewModel", { REF("impl", CLEARED) }, Y, FINDING_OTHER, "isCleared", "" },
	{ "androidx/lifecycle/ViewModel", { FLAG("mCleared", 0) }, N, 0, "mCleared", "" },
	{ "androidx/lifecycle/ViewModel", { REF("impl", SOME) }, U, 0, "", "" },
	{ COMPOSITION, { FLAG("disposed", 1) }, Y, FINDING_OTHER, "disposed", "" },
	{ COMPOSITION, { FLAG("disposed", 0) }, N, 0, "disposed", "" },
	{ COMPOSITION, { INT("state", 3) }, Y, FINDING_OTHER, "state", "" },
	{ COMPOSITION, { INT("state", 0) }, N, 0, "state", "" },
	{ COMPOSITION, { INT("state", 1) }, U, 0, "", "" },
	{ RECOMPOSER, { REF("_state", IN_FLOW(SHUT_DOWN)) }, Y, FINDING_OTHER, "ShutDown", "" },
	{ RECOMPOSER, { REF("_state", IN_FLOW(SHUTTING_DOWN)) }, Y, FINDING_OTHER, "ShuttingDown", "" },
	{ RECOMPOSER, { REF("_state", IN_FLOW(FLOW_IDLE)) }, N, 0, "Idle", "" },
	{ RECOMPOSER, { REF("_state", IN_FLOW(ODD)) }, U, 0, "", "" },
	{ "mortar/MortarScope", { FLAG("dead", 1) }, Y, FINDING_OTHER, "dead", "" },
	{ "mortar/MortarScope", { FLAG("dead", 0) }, N, 0, "dead", "" },
	{ "android/graphics/Bitmap", { FLAG("mRecycled", 1), INT("mWidth", 7), INT("mHeight", 5) }, Y,
	    FINDING_BITMAP_RECYCLED, "mRecycled", "7x5" },
	{ "android/graphics/Bitmap", { FLAG("mRecycled", 0), INT("mWidth", 7) }, U, 0, "", "" },
	{ "android/database/AbstractCursor", { FLAG("mClosed", 0) }, U, 0, "", "open" },
	{ "android/database/AbstractCursor", { FLAG("mClosed", 1) }, U, 0, "", "closed" },
	{ "android/database/CursorWindow", { LONG("mWindowPtr", 0x7000), REF("mName", STATES + 0x20) }, U, 0, "",
	    "open, mName \"DESTROYED\"" },
	{ "android/database/CursorWindow", { INT("mWindowPtr", 0) }, U, 0, "", "closed" },
	{ "android/animation/Animator", { INT("x", 0) }, U, 0, "", "" },
	{ "android/app/ActivityThread", { INT("x", 0) }, N, 0, "singleton", "" },
	{ "com/example/Nothing", { FLAG("mDestroyed", 1) }, U, 0, "", "" },
};

static char *folder;
static struct store *st;
static struct heap heap;
static struct inspector *inspector;

/* ---- the dump -------------------------------------------------------------------- */

static void
put_object(struct heap_writer *w, uint64_t at, uint64_t class, const struct put_field *f, size_t n)
{
	uint32_t bytes = 0;
	size_t i;

	for (i = 0; i < n; i++)
		bytes += heap_width(f[i].type, 8);
	put_instance(w, at, class, bytes);
	for (i = 0; i < n; i++)
		put(&w->body, f[i].value, heap_width(f[i].type, 8));
}

static void
write_java(struct heap_writer *w)
{
	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, STRING, "java/lang/String", OBJECT, 0, FIELDS(REF("value", 0)));
	put_class(w, BYTES, "[B", OBJECT, 0, NULL, 0);
	put_class(w, INTS, "[I", OBJECT, 0, NULL, 0);
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, ENUM, "java/lang/Enum", OBJECT, 0, FIELDS(REF("name", 0)));
	put_class(w, THREAD, "java/lang/Thread", OBJECT, 0, FIELDS(REF("name", 0)));
	put_class(w, LOADER, "java/lang/ClassLoader", OBJECT, 0, NULL, 0);
	put_class(w, OWN_LOADED, "com/example/Own", OBJECT, OWN_LOADER, NULL, 0);
	put_class(w, HOLDER, "com/example/Holder", OBJECT, 0, FIELDS(REF("held", 0)));
	put_object(w, OWN_LOADER, LOADER, NULL, 0);
}

static void
write_android(struct heap_writer *w)
{
	put_class(w, CONTEXT, "android/content/ContextWrapper", OBJECT, 0, FIELDS(REF("mBase", 0)));
	put_class(w, ACTIVITY, "android/app/Activity", CONTEXT, 0, FIELDS(FLAG("mDestroyed", 0)));
	put_class(w, APPLICATION, "android/app/Application", CONTEXT, 0, NULL, 0);
	put_class(w, SERVICE, "android/app/Service", CONTEXT, 0, FIELDS(REF("mThread", 0)));
	put_class(w, IMPL, "android/app/ContextImpl", OBJECT, 0, FIELDS(REF("mOuterContext", 0)));
	put_class(w, REGISTRY, "androidx/lifecycle/LifecycleRegistry", OBJECT, 0, FIELDS(REF("mState", 0)));
	put_class(w, FLOW, "kotlinx/coroutines/flow/StateFlowImpl", OBJECT, 0, FIELDS(REF("_state", 0)));
	put_class(w, VIEW, "android/view/View", OBJECT, 0, FIELDS(REF("mParent", 0),
	    REF("mAttachInfo", 0), INT("mWindowAttachCount", 0)));
	put_class(w, DECOR, "com/android/internal/policy/DecorView", VIEW, 0, FIELDS(REF("mWindow", 0)));
	put_class(w, VIEW_ROOT, "android/view/ViewRootImpl", OBJECT, 0, NULL, 0);
	put_class(w, WINDOW, "android/view/Window", OBJECT, 0, FIELDS(REF("mCallback", 0), FLAG("mDestroyed", 0)));
	put_class(w, DIALOG, "android/app/Dialog", OBJECT, 0, FIELDS(REF("mContext", 0)));
	put_class(w, MAP, "android/util/ArrayMap", OBJECT, 0, FIELDS(REF("mArray", 0), INT("mSize", 0)));
	put_class(w, THREADS, "android/app/ActivityThread", OBJECT, 0, FIELDS(
	    { "sCurrentActivityThread", HEAP_OBJECT, true, METHODS }, REF("mServices", 0)));
	put_class(w, TOAST_TN, "android/widget/Toast$TN", OBJECT, 0, FIELDS(REF("mWM", 0), REF("mView", 0)));
	put_class(w, MANAGER, "android/view/inputmethod/InputMethodManager", OBJECT, 0,
	    FIELDS(REF("mNextServedView", 0)));
}

static void
write_contexts(struct heap_writer *w)
{
	put_object(w, SOME, OBJECT, NULL, 0);
	put_object(w, LIVE, ACTIVITY, FIELDS(FLAG("", 0), REF("", 0)));
	put_object(w, DEAD, ACTIVITY, FIELDS(FLAG("", 1), REF("", BASE_DEAD)));
	put_object(w, CUT, ACTIVITY, NULL, 0);
	put_object(w, BASE_DEAD, IMPL, FIELDS(REF("", DEAD)));
	put_object(w, WRAPS_LIVE, CONTEXT, FIELDS(REF("", LIVE)));
	put_object(w, WRAPS_DEAD, CONTEXT, FIELDS(REF("", DEAD)));
	put_object(w, RING_1, CONTEXT, FIELDS(REF("", RING_2)));
	put_object(w, RING_2, CONTEXT, FIELDS(REF("", RING_1)));
	put_object(w, APP, APPLICATION, FIELDS(REF("", 0)));
	put_object(w, IMPL_DEAD, IMPL, FIELDS(REF("", DEAD)));
	put_object(w, IMPL_LIVE, IMPL, FIELDS(REF("", LIVE)));
	put_object(w, RUNNING, SERVICE, FIELDS(REF("", METHODS), REF("", 0)));
	put_object(w, ENDED, SERVICE, FIELDS(REF("", METHODS), REF("", 0)));
	put_object(w, NOT_BEGUN, SERVICE, FIELDS(REF("", 0), REF("", 0)));
	put_object(w, METHODS, THREADS, FIELDS(REF("", METHODS + 0x40)));
	put_object(w, METHODS + 0x40, MAP, FIELDS(REF("", METHODS + 0x80), INT("", 1)));
	put_objects(w, METHODS + 0x80, ARRAY, 4);
	put(&w->body, SOME, 8);
	put(&w->body, RUNNING, 8);
	put(&w->body, SOME, 8);
	put(&w->body, ENDED, 8);
}

/* A detached decoration of a window that has this callback; the window is at 0x40. */
static void
write_decor(struct heap_writer *w, uint64_t decor, uint64_t callback)
{
	put_object(w, decor, DECOR, FIELDS(REF("", decor + 0x40), REF("", 0), REF("", 0), INT("", 1)));
	put_object(w, decor + 0x40, WINDOW, FIELDS(REF("", callback), FLAG("", 0)));
}

/* Wrappers around a dialog, a part of a library that has one, an Activity, and a dialog whose Activity is dead. */
static void
write_callbacks(struct heap_writer *w)
{
	put_class(w, WRAPPED + 0x80, "androidx/appcompat/view/WindowCallbackWrapper", OBJECT, 0, FIELDS(REF("mWrapped", 0)));
	put_object(w, WRAPPED, WRAPPED + 0x80, FIELDS(REF("", WRAPPED + 0x40)));
	put_object(w, WRAPPED + 0x40, WRAPPED + 0x80, FIELDS(REF("", DIALOG_LIVE)));
	put_class(w, HOST + 0x80, "com/example/Callbacks", OBJECT, 0, FIELDS(REF("a", 0), REF("b", 0)));
	put_object(w, HOST, HOST + 0x80, FIELDS(REF("", SOME), REF("", DIALOG_LIVE)));
	put_object(w, DIALOG_DEAD, DIALOG, FIELDS(REF("", WRAPS_DEAD)));
	write_decor(w, DECOR_WRAPPED, WRAPPED);
	write_decor(w, DECOR_HOST, HOST);
	write_decor(w, DECOR_OF_LIVE, LIVE);
	write_decor(w, DECOR_OF_DEAD, DIALOG_DEAD);
}

static void
write_views(struct heap_writer *w)
{
	put_object(w, ROOT, VIEW_ROOT, NULL, 0);
	put_object(w, DECOR_ON, DECOR, FIELDS(REF("", 0), REF("", ROOT), REF("", SOME), INT("", 1)));
	put_object(w, DECOR_OFF, DECOR, FIELDS(REF("", 0), REF("", 0), REF("", 0), INT("", 1)));
	put_object(w, DECOR_DIALOG, DECOR, FIELDS(REF("", WINDOW_LIVE), REF("", 0), REF("", 0), INT("", 1)));
	put_object(w, WINDOW_LIVE, WINDOW, FIELDS(REF("", DIALOG_LIVE), FLAG("", 0)));
	put_object(w, WINDOW_DEAD, WINDOW, FIELDS(REF("", 0), FLAG("", 1)));
	put_object(w, DIALOG_LIVE, DIALOG, FIELDS(REF("", WRAPS_LIVE)));
	write_callbacks(w);
	put_object(w, CHILD_OFF, VIEW, FIELDS(REF("", 0), REF("", 0), INT("", 1)));
	put_object(w, CHILD_ON, VIEW, FIELDS(REF("", DECOR_ON), REF("", SOME), INT("", 1)));
	put_object(w, TN_DONE, TOAST_TN, FIELDS(REF("", SOME), REF("", 0)));
	put_object(w, TN_SHOWN, TOAST_TN, FIELDS(REF("", SOME), REF("", SOME)));
	put_object(w, TN_NEW, TOAST_TN, FIELDS(REF("", 0), REF("", 0)));
}

/* Each has its name at 0x20, a registry at 0x40 and a flow at 0x80. */
static void
write_states(struct heap_writer *w)
{
	uint64_t at;
	size_t i;

	for (i = 0; i < NELEM(states); i++) {
		at = STATES + 0x200 * i;
		put_object(w, at, ENUM, FIELDS(REF("", at + 0x20)));
		put_object(w, at + 0x20, STRING, FIELDS(REF("", at + 0xc0)));
		put_prims(w, at + 0xc0, HEAP_BYTE, (uint32_t)strlen(states[i]));
		buf_str(&w->body, str_of(states[i]));
		put_object(w, at + 0x40, REGISTRY, FIELDS(REF("", at)));
		put_object(w, at + 0x80, FLOW, FIELDS(REF("", at)));
	}
}

static size_t
fields_of(const struct rule *f)
{
	size_t n = 0;

	while (n < NELEM(f->field) && f->field[n].name != NULL)
		n++;
	return n;
}

/* The object of CLEARED stands for ViewModelImpl; threads: one that runs, one that does not. */
static void
write_cases(struct heap_writer *w)
{
	size_t i, n;

	for (i = 0; i < NELEM(rules); i++) {
		n = fields_of(&rules[i]);
		put_class(w, CASE + STEP * i, rules[i].class, OBJECT, 0, rules[i].field, n);
		put_object(w, CASE + STEP * i + 0x200, CASE + STEP * i, rules[i].field, n);
	}
	put_class(w, CASE - 0x100, "com/example/Impl", OBJECT, 0, FIELDS(FLAG("isCleared", 0)));
	put_object(w, CLEARED, CASE - 0x100, FIELDS(FLAG("", 1)));
	put_object(w, MAIN, THREAD, FIELDS(REF("", 0)));
	put_object(w, IDLE, THREAD, FIELDS(REF("", 0)));
	put_thread_root(w, ROOT_THREAD, MAIN, 1, 0);
	put_object(w, HOLDING, MANAGER, FIELDS(REF("", WRAPS_DEAD)));
	put_object(w, HOLDING + 0x40, HOLDER, FIELDS(REF("", LIVE)));
	put_object(w, HOLDING + 0x80, HOLDER, FIELDS(REF("", DEAD)));
	put_root(w, ROOT_JNI_GLOBAL, SOME);
}

static bool
open_heap(const char *path, struct err *err)
{
	static const column_id wanted[] = { COL_OBJECT_OFFSET, COL_IN_LEN };
	static const struct store_options options = { .memory_only = true };
	size_t i;

	if (!load_open(&st, path, &options, NULL, err))
		return false;
	for (i = 0; i < NELEM(wanted); i++)
		if (!pass_want(st, wanted[i], NULL, err))
			return false;
	return heap_open(&heap, st, REFS_SOFT, SIZES_VM, err) &&
	    inspector_open(&inspector, &heap, err);
}

static int
set_up(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	struct err err = { .kind = E_NONE };
	char *path;

	(void)state;
	write_java(&w);
	write_android(&w);
	write_contexts(&w);
	write_views(&w);
	write_states(&w);
	write_cases(&w);
	put_file(&w, &file);
	folder = folder_make();
	path = folder_path(folder, "inspect.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!open_heap(path, &err))
		print_error("%s\n", err.text);
	free(path);
	return err.kind;
}

static int
tear_down(void **state)
{
	(void)state;
	inspector_close(inspector);
	store_close(st);
	folder_remove(folder);
	return 0;
}

static uint32_t
at(uint64_t addr)
{
	uint32_t object = heap_find(&heap, addr);

	assert_int_not_equal(object, 0);
	return object;
}

#endif
