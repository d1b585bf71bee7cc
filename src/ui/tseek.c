/*
 * tseek: the next or the previous call of a method, wherever it is.
 */
#include "config.h"

#include "timeline.h"

enum { SEEK_FEW = 10000, SEEK_MANY = 200000 };

/* The first one is the answer when going forward, the last one when going back. */
static bool
look_in(struct timeline *t, const struct spans *s)
{
	const struct span *x;
	size_t		 i;
	bool		 hit = false;

	for (i = 0; i < s->n; i++) {
		x = &s->span[i];
		if (x->crowd > 0 || x->method != t->seek_method)
			continue;
		if (t->backward ? x->start >= t->seek_start : x->start <= t->seek_start)
			continue;
		if (!hit || (t->backward ? x->start > t->found.start : x->start < t->found.start))
			t->found = *x;
		hit = true;
	}
	return hit;
}

/* Reads window after window, each about as many calls as are read fast. */
bool
time_seek(struct timeline *t, struct work *work, struct err *err)
{
	struct store	*st = ui_store(t->task.ui);
	struct spans	 s = { 0 };
	uint64_t	 calls = column_get(store_column(st, "thread.calls"), t->thread - 1);
	uint64_t	 width = (t->all.to - t->all.from) / (calls / SEEK_FEW + 1) + 1;
	uint64_t	 at = t->seek_start, from, to;
	bool		 ok = true, end = false;

	t->hit = false;
	work_start(work, "looking for the call", t->all.to - t->all.from);
	while (ok && !t->hit && !end) {
		if (t->backward) {
			to = at;
			from = at - t->all.from > width ? at - width : t->all.from;
			end = from == t->all.from;
			at = from;
		} else {
			from = at;
			to = t->all.to - at > width ? at + width : t->all.to;
			end = to == t->all.to;
			at = to;
		}
		ok = spans_window(st, t->thread, from, to, 0, 0, &s, err);
		t->hit = ok && look_in(t, &s);
		if (s.n < SEEK_FEW && width < UINT64_MAX / 2)
			width *= 2;
		else if (s.n > SEEK_MANY && width > 1)
			width /= 2;
		if (ok && !work_tick(work, at - t->all.from))
			ok = fail_cancel(err);
	}
	spans_free(&s);
	return ok;
}
