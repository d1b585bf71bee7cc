/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_view: views, the windows and dialogs that show them, and editors.
 */
#include "config.h"

#include "inspect.h"

const struct inspect_flags inspect_dialog = {
	FINDING_DIALOG, {
		{ PART_DESTROYED, "mDestroyed of its Activity is true", NULL,
		    { "android.app.Dialog", "mContext" } },
		{ PART_DESTROYED, "mDestroyed of its Activity is true", NULL,
		    { "android.app.Dialog", "mOwnerActivity" } },
		{ PART_FLAG, "mDestroyed of its mWindow is true", NULL,
		    { "android.view.Window", "mDestroyed" },
		    { { "android.app.Dialog", "mWindow" } } },
		{ PART_FLAG, "mShowing is true", NULL, { "android.app.Dialog", "mShowing" }, .alive = true }
	}
};

/* ---- views ------------------------------------------------------------------------ */

/*
 * The topmost view above a view, or the view itself; *window: its parent is a window, or it is the decoration
 * of one.
 */
static uint32_t
root_view(struct inspector *in, uint32_t view, bool *window)
{
	uint32_t up, seen = view;
	enum inspect_is is = IS_VIEW;

	for (unsigned hops = 1; hops < INSPECT_HOPS; hops++) {
		up = field_object(in, view, FIELD("android.view.View", "mParent"));
		is = inspect_is(in, up);
		if (up == seen || (is != IS_VIEW && is != IS_DECOR))
			break;
		view = up;
		if ((hops & (hops - 1)) == 0)
			seen = view;
	}
	*window = is == IS_VIEW_ROOT || (is != IS_VIEW && inspect_is(in, view) == IS_DECOR);
	return view;
}

/* A Dialog, or the one that a wrapper around the callbacks of a window has in some field. */
static uint32_t
callback_dialog(struct inspector *in, uint32_t callback)
{
	struct heap_slots s;
	struct heap_slot slot;

	if (inspect_is(in, callback) == IS_DIALOG)
		return callback;
	/* An Activity may have a Dialog besides its own window. */
	if (inspect_is(in, callback) == IS_ACTIVITY || !heap_slots(&in->h, callback, &s))
		return 0;
	heap_slots_skip(&s);
	while (heap_slot(&s, &slot) && slot.kind == SLOT_FIELD)
		if (inspect_is(in, slot.object) == IS_DIALOG)
			return slot.object;
	return 0;
}

/* The Dialog whose window a decoration is; 0: none. */
static uint32_t
decor_dialog(struct inspector *in, uint32_t decor)
{
	uint32_t of = field_object(in, decor, FIELD("com.android.internal.policy.DecorView", "mWindow")),
	    dialog = 0;

	if (of == 0)
		of = field_object(in, decor, FIELD(NULL, "this$0"));
	of = field_object(in, of, FIELD("android.view.Window", "mCallback"));
	for (unsigned hops = 0; of != 0 && dialog == 0 && hops < 16; hops++) {
		dialog = callback_dialog(in, of);
		of = field_object(in, of, FIELD(NULL, "mWrapped"));
	}
	return dialog;
}

/* A dialog that was dismissed can be shown again. */
static bool
can_come_back(struct inspector *in, uint32_t root)
{
	uint32_t dialog = inspect_is(in, root) == IS_DECOR ? decor_dialog(in, root) : 0;
	struct verdict of = { .mark = LEAK_UNKNOWN };

	if (dialog != 0)
		inspect_flags(in, dialog, &inspect_dialog, &of);
	return dialog != 0 && of.mark != LEAK_YES;
}

static void
inspect_detached(struct inspector *in, uint32_t view, struct verdict *v)
{
	bool window;
	uint32_t root = root_view(in, view, &window);
	int64_t count;

	if (window && field_number(in, view, FIELD("android.view.View", "mWindowAttachCount"), &count) &&
	    count > 0 && !can_come_back(in, root))
		verdict_yes(v, FINDING_VIEW, "mAttachInfo is null: detached, but part of a window");
}

void
inspect_view(struct inspector *in, uint32_t object, struct verdict *v)
{
	int attached;

	if (inspect_destroyed(in, field_object(in, object, FIELD("android.view.View", "mContext"))) == 1) {
		verdict_yes(v, FINDING_VIEW,
		    "mContext is an Activity whose mDestroyed is true, or wraps one");
		return;
	}
	attached = field_ref(in, object, FIELD("android.view.View", "mAttachInfo"));
	if (attached == 1)
		verdict_not(v, "mAttachInfo is not null: attached to a window");
	else if (attached == 0)
		inspect_detached(in, object, v);
}

void
label_view(struct inspector *in, uint32_t object, struct buf *b)
{
	int64_t n;

	if (!field_number(in, object, FIELD("android.view.View", "mID"), &n) || n == -1 || n == 0)
		return;
	label_sep(b);
	buf_printf(b, "id 0x%08x", (unsigned)n);
}

/* ---- editors ------------------------------------------------------------------------------ */

/* An Editor lives as long as its view. */
void
inspect_editor(struct inspector *in, uint32_t object, struct verdict *v)
{
	struct verdict of = { .mark = LEAK_UNKNOWN };
	uint32_t view = field_object(in, object, FIELD("android.widget.Editor", "mTextView"));

	if (view == 0)
		return;
	inspect_view(in, view, &of);
	if (of.mark == LEAK_YES)
		verdict_yes(v, FINDING_OTHER, "its mTextView is leaking");
	else if (of.mark == LEAK_NOT)
		verdict_not(v, "its mTextView is attached to a window");
}
