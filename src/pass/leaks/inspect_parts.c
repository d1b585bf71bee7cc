/*
 * inspect_parts: smaller parts of Android and of its libraries.
 */
#include "config.h"

#include "inspect.h"

/* ---- message queues and what works with them --------------------------------------- */

void
inspect_queue(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_flag flags[] = {
		INSPECT_FLAG("android.os.MessageQueue", "mQuitting"), INSPECT_FLAG("android.os.MessageQueue", "mQuiting")
	};

	inspect_flags(in, object, flags, NELEM(flags), FINDING_OTHER, v);
}

/* what 3, target com.example.MyHandler. */
void
label_message(struct inspector *in, uint32_t object, struct buf *b)
{
	static const struct inspect_field what = { "android.os.Message", "what" };
	static const struct inspect_field to = { "android.os.Message", "target" };
	uint32_t target = field_object(in, object, &to);
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

/* ---- pictures and cursors ----------------------------------------------------------------- */

void
inspect_bitmap(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_flag flag =
	    { { "android.graphics.Bitmap", "mRecycled" }, "mRecycled is true", NULL };

	inspect_flags(in, object, &flag, 1, FINDING_BITMAP_RECYCLED, v);
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

/* ---- libraries ------------------------------------------------------------------------------ */

void
inspect_view_model(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_flag flags[] = {
		INSPECT_FLAG("androidx.lifecycle.ViewModel", "mCleared"),
		INSPECT_FLAG("androidx.lifecycle.ViewModel", "isCleared")
	};
	static const struct inspect_flag of_impl = INSPECT_FLAG(NULL, "isCleared");
	static const struct inspect_field impl = { "androidx.lifecycle.ViewModel", "impl" };

	inspect_flags(in, object, flags, NELEM(flags), FINDING_OTHER, v);
	if (v->mark == LEAK_UNKNOWN)
		inspect_flags(in, field_object(in, object, &impl), &of_impl, 1, FINDING_OTHER, v);
}

void
inspect_composition(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_flag disposed =
	    INSPECT_FLAG("androidx.compose.runtime.CompositionImpl", "disposed");
	static const struct inspect_field state = { "androidx.compose.runtime.CompositionImpl", "state" };
	int64_t n;

	inspect_flags(in, object, &disposed, 1, FINDING_OTHER, v);
	if (v->mark != LEAK_UNKNOWN || !field_number(in, object, &state, &n))
		return;
	if (n == 3)
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
	static const struct inspect_flag dead = INSPECT_FLAG("mortar.MortarScope", "dead");

	inspect_flags(in, object, &dead, 1, FINDING_OTHER, v);
}
