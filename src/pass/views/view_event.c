/*
 * view_event: the view in which the event of a name counts.
 */
#include "config.h"

#include "icecore/view.h"

static bool
no_event(const struct store *st, const char *name, struct err *err)
{
	const struct column *types = store_column(st, COL_EVENT_TYPE);
	uint64_t i, n = types == NULL ? 0 : types->rows;
	struct buf b = BUF_INIT;

	if (n == 0)
		return fail(err, E_USAGE, "no event '%s': only profiles have events", name);
	for (i = 1; i <= n && b.n < 300; i++) {
		buf_str(&b, i > 1 ? STR(", ") : STR(""));
		buf_str(&b, event_name(st, (uint32_t)i));
	}
	fail(err, E_USAGE, "there is no event '%s'; there are: %.*s", name, b.bad ? 0 : (int)b.n,
	    b.n > 0 ? b.s : "");
	buf_free(&b);
	return false;
}

bool
view_event(struct store **top, const char *name, struct work *w, struct err *err)
{
	struct view v = { .event = event_find(*top, str_of(name)) };
	struct store *view;

	if (v.event == 0)
		return no_event(*top, name, err);
	if (v.event == store_fact_get(*top, "event"))
		return true;
	if (!view_open(&view, *top, &v, w, err))
		return false;
	*top = view;
	return true;
}
