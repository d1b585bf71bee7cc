/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view: opens views, step by step, each a store over the one before.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_costs.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/view.h"
#include "views.h"

/* Filters that only samples have, besides their event. */
static bool
picks_samples(const struct view *v)
{
	return v->state != NULL || v->nlabels > 0 || v->per != PER_THREAD || v->dump != 0;
}

/* Every step of a view but the comparison with another file. */
static bool
open_side(struct store **top, const struct view *v, struct work *work, struct err *err)
{
	bool samples = trace_is_profile(*top) ? v->ranged || picks_samples(v) || v->event != 0 :
	    v->event != 0 && store_column(*top, COL_SAMPLE_STACK) != NULL;

	if (!pass_want(*top, COL_CALL_METHOD, work, err))
		return false;
	if (samples) {
		if (!view_samples(top, v, work, err))
			return false;
	} else if (v->event != 0) {
		return fail(err, E_USAGE, "only profiles have events to choose from");
	} else if (v->state != NULL) {
		return fail(err, E_USAGE, "only samples have states: choose their event first");
	} else if (picks_samples(v)) {
		return fail(err, E_USAGE, "'per', 'label' and 'dump' work on samples");
	} else if (v->ranged && store_column(*top, COL_SEGMENT_ROW) == NULL) {
		return fail(err, E_USAGE, "no times in this file: 'range' not available");
	} else if (v->ranged && !view_records(top, v, work, err)) {
		return false;
	}
	/* At least one store is on top of the file. */
	return (!v->called && v->nrules == 0 && v->group == VIEW_METHOD && v->threads == NULL &&
	    (v->ranged || picks_samples(v) || v->event != 0)) || view_rules(top, v, work, err);
}

/* Another event of a call graph.  Its costs are columns already. */
static bool
view_costs(struct store **top, const struct view *v, struct err *err)
{
	struct store *st;

	return store_over(&st, *top, NULL, err) && view_put(top, st, fact_set(st, FACT_EVENT,
	    v->event != 0 ? v->event : fact_value(*top, FACT_EVENT), err));
}

/* The event of that name in another profile. */
static bool
same_event(const struct store *st, const struct store *other, struct view *v, struct err *err)
{
	struct str name = event_name(st, v->event);

	v->event = event_named(other, name);
	return v->event != 0 || fail(err, E_USAGE, "the other file has no event '%.*s'", (int)name.n, name.s);
}

/* The threads of another file that have the names of the view's. */
static bool
same_threads(const struct store *st, const struct store *other, struct view *v, uint32_t **ids,
    struct err *err)
{
	uint32_t i, number, n = (uint32_t)store_column(other, COL_THREAD_CALL)->rows;
	struct text_pool wanted = { .n = 0 };
	struct buf name = BUF_INIT;
	bool ok = true;
	size_t k;

	*ids = mem_array(n + 1u, sizeof **ids);
	if (*ids == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	for (k = 0; ok && k < v->nthreads; k++) {
		buf_clear(&name);
		thread_name(st, v->threads[k], &name);
		ok = texts_number(&wanted, buf_view(&name), &number, err);
	}
	k = wanted.n;
	v->nthreads = 0;
	for (i = 1; ok && i <= n; i++) {
		buf_clear(&name);
		thread_name(other, i, &name);
		ok = texts_number(&wanted, buf_view(&name), &number, err);
		if (ok && number <= k)
			(*ids)[v->nthreads++] = i;
	}
	v->threads = *ids;
	buf_free(&name);
	texts_free(&wanted);
	return ok;
}

/*
 * Subtracts the other file, seen in the same way, from *top, which is on top of base.  event: of the other
 * file, if it differs.
 */
static bool
take_less(struct store **top, struct store *base, const struct view *v, uint32_t event, struct work *work,
    struct err *err)
{
	struct store *before = v->before;
	struct view other = *v;
	uint32_t *ids = NULL;
	struct str name = event_name(before, event);
	bool ok = pass_want(before, COL_CALL_METHOD, work, err) &&
	    (v->event == 0 || same_event(base, before, &other, err)) &&
	    (v->threads == NULL || same_threads(base, before, &other, &ids, err)) &&
	    open_side(&before, &other, work, err) && view_less(top, before, v, name, work, err);

	store_close_pile(before, v->before);
	free(ids);
	return ok;
}

bool
view_open(struct store **out, struct store *base, const struct view *v, struct work *work,
    struct err *err)
{
	struct store *top = base;
	struct view mine = *v;
	uint32_t other = 0;

	*out = NULL;
	if (load_graph_only(load_shapes(base)))
		return view_costs(&top, v, err) && (*out = top) != NULL;
	if (v->event != 0 && v->event == fact_value(base, FACT_TRACE_CALLS)) {
		mine.event = 0;
		mine.called = true;
	}
	if (v->times)
		return view_times(&top, v, err) && (*out = top) != NULL;
	if (v->before != NULL && mine.event == 0)
		events_common(base, v->before, &mine.event, &other);
	if (open_side(&top, &mine, work, err) &&
	    (v->before == NULL || take_less(&top, base, &mine, other, work, err))) {
		*out = top;
		return true;
	}
	store_close_pile(top, base);
	return false;
}

static bool
no_event(const struct store *st, const char *name, struct err *err)
{
	uint64_t i, n = column_rows(store_column(st, COL_EVENT_TYPE));
	OWN_BUF b = BUF_INIT;

	if (n == 0)
		return fail(err, E_USAGE, "--event '%s': only profiles have events", name);
	for (i = 1; i <= n && b.n < 300; i++) {
		buf_text(&b, i > 1 ? ", " : "");
		buf_str(&b, event_name(st, (uint32_t)i));
	}
	fail(err, E_USAGE, "unknown event '%s'; events: %.*s", name, b.bad ? 0 : (int)b.n,
	    b.n > 0 ? b.s : "");
	return false;
}

bool
view_event(struct store **top, const char *name, struct work *w, struct err *err)
{
	struct view v = { .event = event_find(*top, str_of(name)) };
	struct store *view;

	if (v.event == 0)
		return no_event(*top, name, err);
	if (v.event == fact_value(*top, FACT_EVENT))
		return true;
	if (!view_open(&view, *top, &v, w, err))
		return false;
	*top = view;
	return true;
}
