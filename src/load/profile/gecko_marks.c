/*
 * Markers of a profile of Firefox as columns, and as tracks: how many of a name are open.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "gecko.h"

/* One more or one less of a thread and a name is open. */
struct lane_step {
	uint64_t	key;		/* what is sorted by: its time, then its lane */
	uint64_t	time;
	uint32_t	lane;
	bool		more;
};

/* Key of a track: one for each thread, process and name. */
struct lane_key {
	uint32_t	thread, process, name;
};

static bool
see_operation(struct chrome_set *operations, const struct gecko_span *s, struct err *err)
{
	struct operation new = { .cat = s->cat, .name = s->name }, *o;
	uint32_t row = chrome_set_add(operations, &new, offsetof(struct operation, count), sizeof new, "names", err);

	if (row == 0)
		return false;
	o = &SCRATCH(operations->rows, struct operation)[row - 1];
	o->open += s->open;
	if (s->open)
		return true;
	o->count++;
	o->total = num_add(o->total, s->end - s->start);
	o->max = s->end - s->start > o->max ? s->end - s->start : o->max;
	return true;
}

static bool
span_columns(struct gecko *g, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_ASYNC_START, gecko_span, start), MAKE(COL_ASYNC_END, gecko_span, end),
		MAKE(COL_ASYNC_NAME, gecko_span, name), MAKE(COL_ASYNC_CAT, gecko_span, cat),
		MAKE(COL_ASYNC_DETAIL, gecko_span, detail), MAKE(COL_ASYNC_THREAD, gecko_span, thread),
		MAKE(COL_ASYNC_PROCESS, gecko_span, process), MAKE(COL_ASYNC_OPEN, gecko_span, open),
		MAKE_CONST(COL_ASYNC_ID, 4, MAKE_ZERO), MAKE_CONST(COL_ASYNC_PARENT, 4, MAKE_ZERO),
		MAKE_CONST(COL_ASYNC_POINTS, 4, MAKE_ZERO),
	};
	struct chrome_set operations = { .n = 0 };
	struct gecko_span *s = SCRATCH(g->spans, struct gecko_span);
	bool ok = true;

	for (uint64_t i = 0; ok && i < g->nspans; i++) {
		s[i].end -= g->first;
		s[i].start -= g->first;
		ok = see_operation(&operations, &s[i], err);
	}
	ok = ok && make_sort(&g->spans, g->nspans, sizeof *s, g->l->work, err) && make_columns(g->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(g->spans, struct gecko_span), g->nspans), err) && chrome_operation_columns(&operations, g->l, err);
	chrome_set_free(&operations);
	return ok;
}

static bool
gecko_marks_instant_columns(struct gecko *g, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_INSTANT_TIME, gecko_instant, time), MAKE(COL_INSTANT_NAME, gecko_instant, name),
		MAKE(COL_INSTANT_CAT, gecko_instant, cat), MAKE(COL_INSTANT_DETAIL, gecko_instant, detail),
		MAKE(COL_INSTANT_SCOPE, gecko_instant, scope), MAKE(COL_INSTANT_LETTER, gecko_instant, letter),
		MAKE(COL_INSTANT_THREAD, gecko_instant, thread), MAKE(COL_INSTANT_PROCESS, gecko_instant, process),
	};
	struct gecko_instant *in = SCRATCH(g->instants, struct gecko_instant);

	for (uint64_t i = 0; i < g->ninstants; i++)
		in[i].time -= g->first;
	return make_sort(&g->instants, g->ninstants, sizeof *in, g->l->work, err) && make_columns(g->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(g->instants, struct gecko_instant), g->ninstants), err);
}

/* ---- tracks ------------------------------------------------------------------------------------------------ */

static bool
gecko_marks_add_steps(struct chrome_set *lanes, const struct gecko_span *s, struct scratch *steps, uint64_t *n, struct err *err)
{
	struct lane_key key = { .thread = s->thread, .process = s->process, .name = s->name };
	uint32_t lane = chrome_set_add(lanes, &key, sizeof key, sizeof key, "tracks", err);
	struct lane_step more = { s->start, s->start, lane, true }, less = { s->end, s->end, lane, false };

	return lane != 0 && make_add(steps, n, &more, sizeof more, UINT64_MAX, "points", err) &&
	    make_add(steps, n, &less, sizeof less, UINT64_MAX, "points", err);
}

static bool
begin_lane(struct gecko *g, const struct lane_key *key, struct err *err)
{
	struct str name = chrome_text(&g->marks, key->name);

	buf_clear(&g->detail);
	buf_str(&g->detail, name);
	buf_chr(&g->detail, '\0');
	if (g->detail.bad)
		return fail(err, E_SYSTEM, "out of memory (name of a track)");
	if (!points_track(&g->points, TRACK_LEVEL, g->detail.s, "open", key->thread, 0, err))
		return false;
	points_of(&g->points, key->process, 0);
	return true;
}

/* Steps by lane, each lane's in order of time. */
static bool
put_steps(struct gecko *g, const struct chrome_set *lanes, struct scratch *steps, uint64_t n, struct err *err)
{
	struct lane_step *s;
	uint64_t open = 0;

	if (!make_sort(steps, n, sizeof *s, g->l->work, err))
		return false;
	s = SCRATCH(*steps, struct lane_step);
	for (uint64_t i = 0; i < n; i++)
		s[i].key = s[i].lane;
	if (!make_sort(steps, n, sizeof *s, g->l->work, err))
		return false;
	s = SCRATCH(*steps, struct lane_step);
	for (uint64_t i = 0; i < n; i++) {
		if (i == 0 || s[i - 1].lane != s[i].lane) {
			open = 0;
			if (!work_go(g->l->work, g->l->doc.size, err) ||
			    !begin_lane(g, &SCRATCH(lanes->rows, struct lane_key)[s[i].lane - 1], err))
				return false;
		}
		open = s[i].more ? open + 1 : open - 1;
		if (!points_add(&g->points, s[i].time, open, err))
			return false;
	}
	return true;
}

static bool
span_tracks(struct gecko *g, struct err *err)
{
	struct chrome_set lanes = { .n = 0 };
	struct scratch steps = SCRATCH_INIT;
	const struct gecko_span *s = SCRATCH(g->spans, struct gecko_span);
	uint64_t n = 0;
	bool ok = true;

	for (uint64_t i = 0; ok && i < g->nspans; i++)
		ok = gecko_marks_add_steps(&lanes, &s[i], &steps, &n, err);
	ok = ok && put_steps(g, &lanes, &steps, n, err);
	scratch_free(&steps);
	chrome_set_free(&lanes);
	return ok;
}

bool
gecko_marks_columns(struct gecko *g, struct err *err)
{
	return gecko_marks_instant_columns(g, err) && span_columns(g, err) && span_tracks(g, err);
}
