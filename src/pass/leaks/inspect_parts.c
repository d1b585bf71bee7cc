/*
 * inspect_parts: smaller parts of Android and of its libraries.
 */
#include "config.h"

#include "inspect.h"

/* ---- message queues and what works with them --------------------------------------- */

/* on thread "name", of a Looper. */
static void
label_looper(struct inspector *in, uint32_t looper, struct buf *b)
{
	static const struct inspect_field thread = { "android.os.Looper", "mThread" };
	static const struct inspect_field name = { "java.lang.Thread", "name" };

	label_text(in, field_object(in, looper, &thread), &name, "on thread", b);
}

static const struct inspect_field message_target = { "android.os.Message", "target" };
static const struct inspect_field handler_looper = { "android.os.Handler", "mLooper" };

void
inspect_queue(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field new = { "android.os.MessageQueue", "mQuitting" };
	static const struct inspect_field old = { "android.os.MessageQueue", "mQuiting" };
	int quit = field_flag(in, object, &new);
	bool is_old = quit < 0;

	if (is_old)
		quit = field_flag(in, object, &old);
	if (quit == 1)
		verdict_yes(v, FINDING_OTHER, is_old ? "mQuiting is true" : "mQuitting is true");
	else if (quit == 0)
		verdict_not(v, is_old ? "mQuiting is false" : "mQuitting is false");
}

void
label_queue(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field head = { "android.os.MessageQueue", "mMessages" };
	uint32_t target = field_object(in, field_object(in, object, &head), &message_target);

	label_looper(in, field_object(in, target, &handler_looper), b);
}

void
label_handler(struct inspector *in, uint32_t object, struct buf *b)
{
	label_looper(in, field_object(in, object, &handler_looper), b);
}

void
label_choreographer(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field looper = { "android.view.Choreographer", "mLooper" };

	label_looper(in, field_object(in, object, &looper), b);
}

/* what 3, target com.example.MyHandler. */
void
label_message(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field what = { "android.os.Message", "what" };
	uint32_t target = field_object(in, object, &message_target);
	int64_t n;

	if (field_number(in, object, &what, &n)) {
		label_sep(b);
		buf_printf(b, "what %lld", (long long)n);
	}
	if (target != 0) {
		label_sep(b);
		buf_str(b, STR("target "));
		heap_label(&in->h, target, b);
	}
}

void
label_animator(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field property =
	    { "android.animation.ObjectAnimator", "mPropertyName" };
	static const struct inspect_field started = { "android.animation.ValueAnimator", "mStarted" };

	label_text(in, object, &property, "mPropertyName", b);
	if (field_flag(in, object, &started) == 1) {
		label_sep(b);
		buf_str(b, STR("running"));
	}
}

/* ---- pictures and cursors ----------------------------------------------------------------- */

static const struct inspect_field recycled = { "android.graphics.Bitmap", "mRecycled" };

void
inspect_bitmap(struct inspector *in, uint32_t object, struct verdict *v)
{
	if (field_flag(in, object, &recycled) == 1)
		verdict_yes(v, FINDING_BITMAP_RECYCLED, "mRecycled is true");
}

void
label_bitmap(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field width = { "android.graphics.Bitmap", "mWidth" };
	static const struct inspect_field height = { "android.graphics.Bitmap", "mHeight" };
	int64_t w, h;

	if (!field_number(in, object, &width, &w) || !field_number(in, object, &height, &h))
		return;
	label_sep(b);
	buf_printf(b, "%lldx%lld", (long long)w, (long long)h);
}

void
label_cursor(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field closed = { "android.database.AbstractCursor", "mClosed" };
	static const struct inspect_field query = { "android.database.sqlite.SQLiteCursor", "mQuery" };
	static const struct inspect_field sql = { "android.database.sqlite.SQLiteProgram", "mSql" };
	int is_closed = field_flag(in, object, &closed);

	if (is_closed >= 0) {
		label_sep(b);
		buf_str(b, is_closed == 1 ? STR("closed") : STR("open"));
	}
	label_text(in, field_object(in, object, &query), &sql, "mSql", b);
}

/* Closing one frees what is behind the pointer. */
void
label_cursor_window(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field window = { "android.database.CursorWindow", "mWindowPtr" };
	static const struct inspect_field name = { "android.database.CursorWindow", "mName" };
	int64_t p;

	if (field_number(in, object, &window, &p)) {
		label_sep(b);
		buf_str(b, p == 0 ? STR("closed") : STR("open"));
	}
	label_text(in, object, &name, "mName", b);
}

/* ---- libraries ------------------------------------------------------------------------------ */

void
inspect_view_model(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field cleared = { "androidx.lifecycle.ViewModel", "mCleared" };
	static const struct inspect_field own = { "androidx.lifecycle.ViewModel", "isCleared" };
	static const struct inspect_field impl = { "androidx.lifecycle.ViewModel", "impl" };
	static const struct inspect_field of_impl = { NULL, "isCleared" };
	int gone = field_flag(in, object, &cleared);
	bool is_old = gone >= 0;

	if (gone < 0)
		gone = field_flag(in, object, &own);
	if (gone < 0)
		gone = field_flag(in, field_object(in, object, &impl), &of_impl);
	if (gone == 1)
		verdict_yes(v, FINDING_OTHER, is_old ? "mCleared is true" : "isCleared is true");
	else if (gone == 0)
		verdict_not(v, is_old ? "mCleared is false" : "isCleared is false");
}

void
inspect_composition(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field disposed =
	    { "androidx.compose.runtime.CompositionImpl", "disposed" };
	static const struct inspect_field state = { "androidx.compose.runtime.CompositionImpl", "state" };
	int gone = field_flag(in, object, &disposed);
	int64_t n;

	if (gone == 1)
		verdict_yes(v, FINDING_OTHER, "disposed is true");
	else if (gone == 0)
		verdict_not(v, "disposed is false");
	else if (!field_number(in, object, &state, &n))
		return;
	else if (n == 3)
		verdict_yes(v, FINDING_OTHER, "state is 3: disposed");
	else if (n == 0)
		verdict_not(v, "state is 0: running");
}

/* Its state is the value of a flow; which field of that, depends on how the library was built. */
void
inspect_recomposer(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field flow = { "androidx.compose.runtime.Recomposer", "_state" };
	static const struct inspect_field plain = { "kotlinx.coroutines.flow.StateFlowImpl", "_state" };
	static const struct inspect_field built =
	    { "kotlinx.coroutines.flow.StateFlowImpl", "_state$volatile" };
	static const char *const names[] = { "ShutDown", "ShuttingDown", "Idle", "PendingWork" };
	uint32_t of = field_object(in, object, &flow);
	int state = field_enum(in, of, &plain, names, NELEM(names));

	if (state < 0)
		state = field_enum(in, of, &built, names, NELEM(names));
	if (state == 0 || state == 1)
		verdict_yes(v, FINDING_OTHER, state == 0 ? "its state is ShutDown" :
		    "its state is ShuttingDown");
	else if (state > 1)
		verdict_not(v, state == 2 ? "its state is Idle" : "its state is PendingWork");
}

void
inspect_mortar(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field dead = { "mortar.MortarScope", "dead" };
	int is_dead = field_flag(in, object, &dead);

	if (is_dead == 1)
		verdict_yes(v, FINDING_OTHER, "dead is true");
	else if (is_dead == 0)
		verdict_not(v, "dead is false");
}
