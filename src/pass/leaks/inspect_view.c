/*
 * inspect_view: views, and the windows, dialogs and toasts that show them.
 */
#include "config.h"

#include "inspect.h"

static const struct inspect_field attach = { "android.view.View", "mAttachInfo" };
static const struct inspect_field attach_count = { "android.view.View", "mWindowAttachCount" };

/* ---- views ------------------------------------------------------------------------ */

/* The topmost view above a view, or it; *window: what it hangs on is a window, or it is one's decoration. */
static uint32_t
root_view(struct inspector *in, uint32_t view, bool *window)
{
	static const struct inspect_field parent = { "android.view.View", "mParent" };
	uint32_t up, seen = view;
	enum inspect_is is = IS_VIEW;

	for (unsigned hops = 1; hops < INSPECT_HOPS; hops++) {
		up = field_object(in, view, &parent);
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
	static const struct inspect_field window = { "com.android.internal.policy.DecorView", "mWindow" };
	static const struct inspect_field outer = { NULL, "this$0" };
	static const struct inspect_field callback = { "android.view.Window", "mCallback" };
	static const struct inspect_field next = { NULL, "mWrapped" };
	uint32_t of = field_object(in, decor, &window), dialog = 0;

	of = field_object(in, of != 0 ? of : field_object(in, decor, &outer), &callback);
	for (unsigned hops = 0; of != 0 && dialog == 0 && hops < 16; hops++) {
		dialog = callback_dialog(in, of);
		of = field_object(in, of, &next);
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
		inspect_dialog(in, dialog, &of);
	return dialog != 0 && of.mark != LEAK_YES;
}

static void
inspect_detached(struct inspector *in, uint32_t view, struct verdict *v)
{
	bool window;
	uint32_t root = root_view(in, view, &window);
	int64_t count;

	if (window && field_number(in, view, &attach_count, &count) && count > 0 &&
	    !can_come_back(in, root))
		verdict_yes(v, FINDING_VIEW, "mAttachInfo is null: it was detached, "
		    "and still belongs to a window");
}

void
inspect_view(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field context = { "android.view.View", "mContext" };
	int attached;
	uint32_t to;

	if (inspect_destroyed(in, field_object(in, object, &context)) == 1) {
		verdict_yes(v, FINDING_VIEW,
		    "mContext is an Activity whose mDestroyed is true, or wraps one");
		return;
	}
	attached = field_ref(in, object, &attach, &to);
	if (attached == 1)
		verdict_not(v, "mAttachInfo is not null: it is attached to a window");
	else if (attached == 0)
		inspect_detached(in, object, v);
}

void
label_view(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field id = { "android.view.View", "mID" };
	int64_t n;

	if (!field_number(in, object, &id, &n) || n == -1 || n == 0)
		return;
	label_sep(b);
	buf_printf(b, "id 0x%08x", (unsigned)n);
}

/* ---- windows ---------------------------------------------------------------------------- */

void
inspect_view_root(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field view = { "android.view.ViewRootImpl", "mView" };
	static const struct inspect_field context = { "android.view.ViewRootImpl", "mContext" };
	static const struct inspect_field added = { "android.view.ViewRootImpl", "mAdded" };
	uint32_t to;
	int shows = field_ref(in, object, &view, &to);

	if (shows == 0)
		verdict_yes(v, FINDING_ROOT_VIEW, "mView is null: its window was closed");
	else if (inspect_destroyed(in, field_object(in, object, &context)) == 1)
		verdict_yes(v, FINDING_ROOT_VIEW,
		    "mContext is an Activity whose mDestroyed is true, or wraps one");
	else if (shows == 1 && field_flag(in, object, &added) == 1)
		verdict_not(v, "mAdded is true: its window is shown");
}

void
label_view_root(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field attributes =
	    { "android.view.ViewRootImpl", "mWindowAttributes" };
	static const struct inspect_field title =
	    { "android.view.WindowManager$LayoutParams", "mTitle" };
	static const struct inspect_field type = { "android.view.WindowManager$LayoutParams", "type" };
	uint32_t of = field_object(in, object, &attributes);
	int64_t n;

	label_text(in, of, &title, "mTitle", b);
	if (field_number(in, of, &type, &n) && n == 2005) {
		label_sep(b);
		buf_str(b, STR("a toast"));
	}
}

/* ---- dialogs ------------------------------------------------------------------------------ */

void
inspect_dialog(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field context = { "android.app.Dialog", "mContext" };
	static const struct inspect_field owner = { "android.app.Dialog", "mOwnerActivity" };
	static const struct inspect_field showing = { "android.app.Dialog", "mShowing" };
	static const struct inspect_field window = { "android.app.Dialog", "mWindow" };
	static const struct inspect_field gone = { "android.view.Window", "mDestroyed" };

	if (inspect_destroyed(in, field_object(in, object, &context)) == 1 ||
	    inspect_destroyed(in, field_object(in, object, &owner)) == 1)
		verdict_yes(v, FINDING_DIALOG, "mDestroyed of its Activity is true");
	else if (field_flag(in, field_object(in, object, &window), &gone) == 1)
		verdict_yes(v, FINDING_DIALOG, "mDestroyed of its mWindow is true");
	else if (field_flag(in, object, &showing) == 1)
		verdict_not(v, "mShowing is true");
}

/* mWM is set when a toast is first shown, mView until it is hidden. */
void
inspect_toast(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field tn = { "android.widget.Toast", "mTN" };
	static const struct inspect_field manager = { "android.widget.Toast$TN", "mWM" };
	static const struct inspect_field view = { "android.widget.Toast$TN", "mView" };
	uint32_t of = field_object(in, object, &tn), to;

	if (field_ref(in, of, &manager, &to) != 1)
		return;
	if (field_ref(in, of, &view, &to) == 0)
		verdict_yes(v, FINDING_OTHER,
		    "it was shown and is hidden again: mTN.mWM is set and mTN.mView is null");
	else if (field_ref(in, of, &view, &to) == 1)
		verdict_not(v, "it is shown: mTN.mView is not null");
}

/* It lives as long as its view. */
void
inspect_editor(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field text = { "android.widget.Editor", "mTextView" };
	struct verdict of = { .mark = LEAK_UNKNOWN };
	uint32_t view = field_object(in, object, &text);

	if (view == 0)
		return;
	inspect_view(in, view, &of);
	if (of.mark == LEAK_YES)
		verdict_yes(v, FINDING_OTHER, "its mTextView is leaking");
	else if (of.mark == LEAK_NOT)
		verdict_not(v, "its mTextView is attached to a window");
}
