/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect: whether an object should be alive: the table of inspectors, and marks along a path.
 *
 * Facts: the sources of Android and AndroidX by version, LeakCanary's manual.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "inspect.h"

const char *const leak_mark_names[LEAK_MARKS] = { "unknown", "not leaking", "leaking" };

/* The thread of a Looper. */
#define OF_THREAD { "android.os.Looper", "mThread" }
#define ON_THREAD PART_TEXT, "on thread", NULL, { "java.lang.Thread", "name" }

#define OUTER { "android.app.ContextImpl", "mOuterContext" }
#define LAYOUT "android.view.WindowManager$LayoutParams"
#define ROOT "android.view.ViewRootImpl"

static const struct inspect_part
	activity_label[] = {
		{ PART_FLAG, NULL, NULL, { "android.app.Activity", "mFinished" }, .gate = GATE_YES },
		{ PART_FLAG, NULL, "finishing", { "android.app.Activity", "mDestroyed" } }, { PART_NONE }
	},
	context_label[] = { { PART_OBJECT, "of", NULL, OUTER }, { PART_NONE } },
	fragment_label[] = { { PART_TEXT, "mTag", NULL, { "android.app.Fragment", "mTag" } }, { PART_NONE } },
	support_label[] = {
		{ PART_TEXT, "mTag", NULL, { "android.support.v4.app.Fragment", "mTag" } }, { PART_NONE }
	},
	androidx_label[] = {
		{ PART_TEXT, "mTag", NULL, { "androidx.fragment.app.Fragment", "mTag" } }, { PART_NONE }
	},
	dialog[] = {
		{ PART_REF, "mDecor is not null", "mDecor is null", { "android.app.Dialog", "mDecor" } },
		{ PART_NONE }
	},
	queue[] = {
		{ ON_THREAD, { { "android.os.MessageQueue", "mMessages" }, { "android.os.Message", "target" },
		    { "android.os.Handler", "mLooper" }, OF_THREAD } }, { PART_NONE }
	},
	handler[] = { { ON_THREAD, { { "android.os.Handler", "mLooper" }, OF_THREAD } }, { PART_NONE } },
	choreographer[] = { { ON_THREAD, { { "android.view.Choreographer", "mLooper" }, OF_THREAD } },
	    { PART_NONE } },
	animator[] = {
		{ PART_TEXT, "mPropertyName", NULL, { "android.animation.ObjectAnimator", "mPropertyName" } },
		{ PART_FLAG, "running", NULL, { "android.animation.ValueAnimator", "mStarted" } },
		{ PART_NONE }
	},
	cursor[] = {
		{ PART_FLAG, "closed", "open", { "android.database.AbstractCursor", "mClosed" } },
		{ PART_TEXT, "mSql", NULL, { "android.database.sqlite.SQLiteProgram", "mSql" },
		    { { "android.database.sqlite.SQLiteCursor", "mQuery" } } }, { PART_NONE }
	},
	/* Closing one frees the native memory of the pointer. */
	cursor_window[] = {
		{ PART_NUMBER, "open", "closed", { "android.database.CursorWindow", "mWindowPtr" } },
		{ PART_TEXT, "mName", NULL, { "android.database.CursorWindow", "mName" } }, { PART_NONE }
	},
	message[] = {
		{ PART_VALUE, "what", NULL, { "android.os.Message", "what" } },
		{ PART_OBJECT, "target", NULL, { "android.os.Message", "target" } }, { PART_NONE }
	},
	root_label[] = {
		{ PART_TEXT, "mTitle", NULL, { LAYOUT, "mTitle" }, { { ROOT, "mWindowAttributes" } } },
		{ PART_EQUALS, "a toast", NULL, { LAYOUT, "type" }, { { ROOT, "mWindowAttributes" } },
		    .value = 2005 },
		{ PART_NONE }
	},
	thread[] = { { PART_TEXT, "name", NULL, { "java.lang.Thread", "name" } }, { PART_NONE } };

#define OUTER_OF_CONTEXT PART_DESTROYED, \
	"mContext.mOuterContext is a destroyed Activity", NULL, OUTER

#define COMPOSITION "androidx.compose.runtime.CompositionImpl"
#define TOAST "android.widget.Toast"

/*
 * A fragment that was never added looks like one that was removed, except for mCalled, which the callbacks of
 * its life cycle set.  If that field is missing, the missing manager is the only evidence.
 */
#define FRAGMENT(class) { FINDING_FRAGMENT, { \
	{ PART_REF, "mFragmentManager is not null", NULL, { class, "mFragmentManager" }, .alive = true }, \
	{ PART_FLAG, NULL, NULL, { class, "mCalled" }, .gate = GATE_NOT_NO }, \
	{ PART_REF, NULL, "mFragmentManager is null", { class, "mFragmentManager" }, .alive = true } } }

static const struct inspect_flags
	activity = { FINDING_ACTIVITY, { INSPECT_FLAG("android.app.Activity", "mDestroyed") } },
	/* Only the windows of Activities are ever destroyed: false proves nothing. */
	window = { FINDING_DIALOG, { { PART_FLAG, "mDestroyed is true", NULL,
	    { "android.view.Window", "mDestroyed" } } } },
	message_queue = { FINDING_OTHER, { INSPECT_FLAG("android.os.MessageQueue", "mQuitting"),
	    INSPECT_FLAG("android.os.MessageQueue", "mQuiting") } },
	bitmap = { FINDING_BITMAP_RECYCLED, {
		{ PART_FLAG, "mRecycled is true", NULL, { "android.graphics.Bitmap", "mRecycled" } }
	} },
	view_model = { FINDING_OTHER, { INSPECT_FLAG("androidx.lifecycle.ViewModel", "mCleared"),
	    INSPECT_FLAG("androidx.lifecycle.ViewModel", "isCleared"),
	    { PART_FLAG, "isCleared is true", "isCleared is false", { NULL, "isCleared" },
	    { { "androidx.lifecycle.ViewModel", "impl" } } } } },
	wrapper = { FINDING_CONTEXT, { { PART_DESTROYED, "wraps a destroyed Activity" } } },
	context = { FINDING_CONTEXT, { { PART_DESTROYED,
	    "mOuterContext is an Activity whose mDestroyed is true, or wraps one",
	    "mOuterContext is an Activity whose mDestroyed is false", OUTER } } },
	packages = { FINDING_CONTEXT, {
		{ OUTER_OF_CONTEXT, { { "android.app.ApplicationPackageManager", "mContext" } } },
		{ OUTER_OF_CONTEXT, { { "android.app.ApplicationContextManager", "mContext" } } }
	} },
	composition = { FINDING_OTHER, { INSPECT_FLAG(COMPOSITION, "disposed"),
	    { PART_EQUALS, "state is 3: disposed", NULL, { COMPOSITION, "state" }, .value = 3 },
	    { PART_EQUALS, "state is 0: running", NULL, { COMPOSITION, "state" }, .alive = true } } },
	platform_fragment = FRAGMENT("android.app.Fragment"),
	support_fragment = FRAGMENT("android.support.v4.app.Fragment"),
	root = { FINDING_ROOT_VIEW, {
		{ PART_REF, NULL, "mView is null: its window was closed", { ROOT, "mView" }, .alive = true },
		{ PART_DESTROYED, "mContext is an Activity whose mDestroyed is true, or wraps one", NULL,
		    { ROOT, "mContext" } },
		{ PART_REF, NULL, NULL, { ROOT, "mView" }, .gate = GATE_YES },
		{ PART_FLAG, "mAdded is true: its window is shown", NULL, { ROOT, "mAdded" }, .alive = true }
	} },
	singleton = { FINDING_OTHER, {
		{ PART_ALWAYS, "singleton: lives as long as the process", .alive = true }
	} },
	/* mWM is set when a toast is first shown, mView until it is hidden. */
	toast = { FINDING_DIALOG, {
		{ PART_REF, NULL, NULL, { TOAST "$TN", "mWM" }, { { TOAST, "mTN" } }, .gate = GATE_YES },
		{ PART_REF, "shown: mTN.mView is not null",
		    "shown, then hidden: mTN.mWM is set and mTN.mView is null", { TOAST "$TN", "mView" },
		    { { TOAST, "mTN" } }, .alive = true }
	} },
	mortar = { FINDING_OTHER, { INSPECT_FLAG("mortar.MortarScope", "dead") } };

/* The order does not matter: the row of the nearest superclass counts. */
static const struct inspect_row rows[] = {
	{ "android.app.Activity", IS_ACTIVITY, .flags = &activity, .rule = inspect_activity, .parts = activity_label },
	{ "android.app.Application", IS_APPLICATION, .flags = &singleton },
	{ "android.app.Service", IS_SERVICE, .rule = inspect_service },
	{ "android.app.ContextImpl", IS_CONTEXT, .flags = &context, .rule = inspect_context,
	    .parts = context_label },
	{ "android.content.ContextWrapper", IS_WRAPPER, .flags = &wrapper, .label = label_wrapper },
	{ "com.android.internal.policy.DecorContext", IS_DECOR_CONTEXT, .flags = &wrapper,
	    .label = label_wrapper },
	{ "android.app.ApplicationPackageManager", IS_OTHER, .flags = &packages },
	{ "android.app.ApplicationContextManager", IS_OTHER, .flags = &packages },
	{ "android.app.ActivityThread", IS_OTHER, .flags = &singleton },
	{ "android.view.inputmethod.InputMethodManager", IS_OTHER, .flags = &singleton },
	{ "android.app.Fragment", IS_OTHER, .flags = &platform_fragment, .parts = fragment_label },
	{ "android.support.v4.app.Fragment", IS_OTHER, .flags = &support_fragment,
	    .parts = support_label },
	{ "androidx.fragment.app.Fragment", IS_OTHER, .rule = inspect_androidx_fragment,
	    .parts = androidx_label },
	{ "androidx.lifecycle.LifecycleRegistry", IS_OTHER, .rule = inspect_lifecycle },
	{ "android.view.View", IS_VIEW, .rule = inspect_view, .label = label_view },
	{ "com.android.internal.policy.DecorView", IS_DECOR, .rule = inspect_view, .label = label_view },
	{ "com.android.internal.policy.impl.PhoneWindow$DecorView", IS_DECOR, .rule = inspect_view,
	    .label = label_view },
	{ "com.android.internal.policy.PhoneWindow$DecorView", IS_DECOR, .rule = inspect_view,
	    .label = label_view },
	{ ROOT, IS_VIEW_ROOT, .flags = &root, .parts = root_label },
	{ "android.view.ViewRoot", IS_VIEW_ROOT },
	{ "android.view.Window", IS_OTHER, .flags = &window },
	{ "android.app.Dialog", IS_DIALOG, .flags = &inspect_dialog, .parts = dialog },
	{ TOAST, IS_OTHER, .flags = &toast },
	{ "android.widget.Editor", IS_OTHER, .rule = inspect_editor },
	{ "android.os.MessageQueue", IS_OTHER, .flags = &message_queue, .parts = queue },
	{ "android.os.Handler", IS_OTHER, .parts = handler },
	{ "android.os.Message", IS_OTHER, .parts = message },
	{ "android.view.Choreographer", IS_OTHER, .parts = choreographer },
	{ "android.animation.Animator", IS_OTHER, .parts = animator },
	{ "android.graphics.Bitmap", IS_OTHER, .flags = &bitmap, .label = label_bitmap },
	{ "android.database.AbstractCursor", IS_OTHER, .parts = cursor },
	{ "android.database.CursorWindow", IS_OTHER, .parts = cursor_window },
	{ "androidx.lifecycle.ViewModel", IS_OTHER, .flags = &view_model },
	{ COMPOSITION, IS_OTHER, .flags = &composition },
	{ "androidx.compose.runtime.Recomposer", IS_OTHER, .rule = inspect_recomposer },
	{ "mortar.MortarScope", IS_OTHER, .flags = &mortar },
	{ "leakcanary.KeyedWeakReference", IS_OTHER, .label = label_reference },
	{ "com.squareup.leakcanary.KeyedWeakReference", IS_OTHER, .label = label_reference },
	{ "java.lang.Thread", IS_OTHER, .rule = inspect_thread, .parts = thread },
	{ "java.lang.ThreadLocal$ThreadLocalMap$Entry", IS_OTHER, .rule = inspect_entry },
	{ "java.lang.ClassLoader", IS_OTHER, .rule = inspect_loader },
	{ "java.lang.Class", IS_OTHER, .rule = inspect_class_object }
};

bool
inspect_number(size_t *i, struct kept_field *f)
{
	for (size_t row = 0; row < NELEM(rows); row++)
		if ((rows[row].flags != NULL && inspect_part_number(rows[row].flags->flag, i, f)) ||
		    inspect_part_number(rows[row].parts, i, f))
			return true;
	return false;
}

/* ---- classes ------------------------------------------------------------------------- */

static const struct inspect_row *
row_named(struct str name)
{
	for (size_t i = 0; i < NELEM(rows); i++)
		if (heap_same_name(name, str_of(rows[i].class)))
			return &rows[i];
	return NULL;
}

/* Rows of superclasses that have none yet are found on the way: each class is looked at twice at most. */
static void
fill_class(struct inspector *in, bool *done, uint32_t class)
{
	uint32_t c, super;
	const struct inspect_row *row = NULL;

	for (c = class; c != 0 && c <= in->h.classes && !done[c]; c = super) {
		done[c] = true;
		super = (uint32_t)column_get(in->super, c - 1ull);
		if (in->row[c] != NULL)
			break;
	}
	if (c != 0 && c <= in->h.classes)
		row = in->row[c];
	/* Again down to the same place, and each gets what its superclass has. */
	for (; class != c; class = (uint32_t)column_get(in->super, class - 1ull))
		in->row[class] = row;
}

static bool
fill_classes(struct inspector *in, struct err *err)
{
	bool *done = mem_array(in->h.classes + 1ull, sizeof *done);

	if (done == NULL)
		return fail_memory(err, "classes");
	for (uint32_t c = 1; c <= in->h.classes; c++)
		in->row[c] = row_named(class_text(&in->h, c));
	for (uint32_t c = 1; c <= in->h.classes; c++)
		fill_class(in, done, c);
	free(done);
	return true;
}

/* ---- opening ----------------------------------------------------------------------------- */

bool
inspector_open(struct inspector **out, const struct heap *h, struct err *err)
{
	struct inspector *in = mem_array(1, sizeof *in);

	*out = NULL;
	if (in == NULL)
		return fail_memory(err, "inspectors");
	in->h = *h;
	in->record = h->form == NULL ? 0 : class_find(h, "android.app.ActivityThread$ActivityClientRecord", 0);
	in->super = store_column(h->st, COL_CLASS_SUPER);
	in->class_loader = store_column(h->st, COL_CLASS_LOADER);
	in->loader_object = store_column(h->st, COL_LOADER_OBJECT);
	in->android = fact_value(h->st, FACT_HEAP_ANDROID) != 0;
	in->row = mem_array(h->classes + 1ull, sizeof *in->row);
	in->watched_class = mem_array(h->classes + 1ull, sizeof *in->watched_class);
	if (in->row == NULL || in->watched_class == NULL)
		(void)fail_memory(err, "classes");
	else if (fill_classes(in, err) && inspect_watches_open(in, err))
		*out = in;
	if (*out == NULL)
		inspector_close(in);
	return *out != NULL;
}

void
inspector_close(struct inspector *in)
{
	if (in == NULL)
		return;
	free(in->row);
	free(in->watched_class);
	array_free(&in->watches);
	idmap_free(&in->watch_of);
	idmap_free(&in->running);
	idmap_free(&in->services);
	free(in);
}

/* ---- one object ------------------------------------------------------------------------------ */

bool
inspector_knows(const struct inspector *in, uint32_t class)
{
	const struct inspect_row *row = inspect_row_of(in, class);

	return row->rule != NULL || row->flags != NULL ||
	    (class <= in->h.classes && in->watched_class[class]);
}

void
inspect(struct inspector *in, uint32_t object, struct verdict *v)
{
	uint32_t class = inspect_class(in, object);
	const struct inspect_row *row = inspect_row_of(in, class);
	const struct watch *w;

	*v = (struct verdict){ LEAK_UNKNOWN, FINDING_OTHER, "", NULL };
	if (class == 0)
		return;
	if (row->flags != NULL)
		inspect_flags(in, object, row->flags, v);
	if (row->rule != NULL && v->mark == LEAK_UNKNOWN)
		row->rule(in, object, v);
	if (v->mark != LEAK_UNKNOWN || !in->watched_class[class])
		return;
	w = inspect_watch(in, object);
	if (w != NULL && w->retained)
		verdict_yes(v, FINDING_WATCHED, w->why);
}

void
inspect_label(struct inspector *in, uint32_t object, struct buf *b)
{
	uint32_t class = inspect_class(in, object);
	const struct inspect_row *row = inspect_row_of(in, class);
	const struct watch *w;
	OWN_BUF own = BUF_INIT;
	struct verdict v;

	if (class == 0)
		return;
	if (row->parts != NULL)
		label_parts(in, object, row->parts, &own);
	if (row->label != NULL)
		row->label(in, object, &own);
	w = in->watched_class[class] ? inspect_watch(in, object) : NULL;
	if (w != NULL) {
		inspect(in, object, &v);
		label_watch(in, w, v.why == w->why, &own);
	}
	buf_str(b, buf_view(&own));
}

/* ---- a path ------------------------------------------------------------------------------------ */

static const char *
link_note(const struct heap *h, uint32_t holder, uint32_t object)
{
	struct heap_slot slot;

	return heap_link(h, holder, object, &slot) ?
	    leak_known_reference(h, slot.class, slot.name) : NULL;
}

void
inspect_path(struct inspector *in, const uint32_t *object, size_t n, struct verdict *v,
    size_t *from, size_t *to)
{
	size_t fine = 0, first = n;

	for (size_t i = 0; i < n; i++) {
		inspect(in, object[i], &v[i]);
		if (v[i].mark == LEAK_NOT) {
			fine = i + 1;
			first = n;
		} else if (v[i].mark == LEAK_YES && first == n) {
			first = i;
		}
		if (i > 0)
			v[i - 1].note = link_note(&in->h, object[i - 1], object[i]);
	}
	/* Hops in front of the last one that is not leaking; a rule that says otherwise is overruled. */
	for (size_t i = 0; i + 1 < fine; i++)
		if (v[i].mark != LEAK_NOT)
			verdict_not(&v[i], "references an object that is not leaking");
	for (size_t i = first + 1; i < n; i++)
		if (v[i].mark != LEAK_YES)
			verdict_yes(&v[i], v[first].kind, "held by a leaking object");
	/* The first hop has no incoming reference. */
	*from = first == 0 || first == n ? n : fine == 0 ? 1 : fine;
	*to = first == 0 ? n : first;
}
