/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events_out: choose the events of the profile after reading all of them: only then is it known whether a type ever
 * has stacks, or durations above 0.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "jfr.h"

/* An event that is part of the profile. */
struct kept {
	struct str	name;
	uint32_t	event;		/* number before */
	size_t		rank;
	const char	*unit;
	enum weight_type type;
	enum event_role	role;
	bool		one;		/* each counts as one */
};

static int
by_rank(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return num_order(x->rank, y->rank, str_cmp(x->name, y->name));
}

static bool
keep_events(struct jfr *j, struct scratch *kept, uint64_t *n, struct buf *names, struct err *err)
{
	const struct jfr_known *known = SCRATCH(j->known, struct jfr_known);
	struct kept *k;

	*n = 0;
	for (uint32_t i = 0; i < j->nknown; i++) {
		struct str name = samples_event_name(&j->s, i + 1);

		if (known[i].stacks == 0)
			continue;
		if ((k = make_row(kept, *n, sizeof *k, MAKE_MOST, "events", err)) == NULL)
			return false;
		++*n;
		/* The pointer is set at the end, when the text no longer grows. */
		*k = (struct kept){ .name = { NULL, name.n }, .event = i + 1, .rank = known[i].rank };
		k->one = known[i].rule == NULL && !known[i].lasts;
		k->type = known[i].rule != NULL ? known[i].rule->type : k->one ? WEIGHT_COUNT : WEIGHT_TIME;
		k->role = known[i].rule != NULL ? known[i].rule->role : EVENT_NO_ROLE;
		k->unit = known[i].rule != NULL ? known[i].rule->unit : k->one ? "events" : "ns";
		buf_str(names, name);
	}
	if (names->bad)
		return fail(err, E_SYSTEM, "out of memory (events)");
	for (uint64_t i = 0, at = 0; i < *n; i++) {
		k = &SCRATCH(*kept, struct kept)[i];
		k->name.s = names->s + at;
		at += k->name.n;
		assert(at <= names->n);
	}
	return true;
}

/* Renumber the events of samples in this order; place: new number of each old one. */
static bool
number_events(struct jfr *j, const struct kept *kept, uint64_t n, uint32_t *place, struct err *err)
{
	j->s.nevents = 0;
	texts_free(&j->s.event_text);
	idmap_free(&j->s.by_event);
	for (uint64_t i = 0; i < n; i++) {
		if ((place[kept[i].event] = samples_event(&j->s, kept[i].name, kept[i].type, kept[i].unit, err)) == 0)
			return false;
		/* Names are unique, so the number of an event is its index among the kept ones. */
		assert(place[kept[i].event] == i + 1);
	}
	return true;
}

/* Write the column of event roles (allocations, surviving objects), if any event has a role. */
static bool
put_roles(struct jfr *j, const struct kept *kept, uint64_t n, struct err *err)
{
	bool any = false;
	uint8_t *role;

	for (uint64_t i = 0; i < n; i++)
		any |= kept[i].role != EVENT_NO_ROLE;
	if (!any)
		return true;
	if ((role = store_make(j->st, COL_EVENT_ROLE, COL_U8, n, err)) == NULL)
		return false;
	for (uint64_t i = 0; i < n; i++)
		role[i] = (uint8_t)kept[i].role;
	return true;
}

static bool
move_samples(struct samples *s, const struct kept *kept, const uint32_t *place, struct err *err)
{
	struct sample_event *e = SCRATCH(s->events, struct sample_event);
	uint64_t n = 0;

	for (uint64_t i = 0; i < s->nsamples; i++) {
		uint32_t event = place[narrow_get(&s->rows.event, i)];
		struct sample row;

		assert(n <= i && event <= s->nevents);
		if (event == 0)
			continue;
		if (n < i) {
			row = sample_rows_get(&s->rows, i);
			if (!sample_rows_set(&s->rows, n, &row, err))
				return false;
		}
		if (!narrow_set(&s->rows.event, n, event, err) ||
		    (kept[event - 1].one && !narrow_set(&s->rows.weight, n, 1, err)))
			return false;
		e[event - 1].samples++;
		e[event - 1].weight += narrow_get(&s->rows.weight, n++);
	}
	s->nsamples = n;
	sample_rows_keep(&s->rows, n);
	return true;
}

bool
jfr_events_settle(struct jfr *j, struct err *err)
{
	struct scratch kept = SCRATCH_INIT, place = SCRATCH_INIT;
	struct buf names = BUF_INIT;
	uint64_t n;
	bool ok = keep_events(j, &kept, &n, &names, err) && scratch_array(&place, j->nknown + 1, sizeof(uint32_t), err);

	if (ok && n > 0)
		qsort(kept.data, n, sizeof(struct kept), by_rank);
	ok = ok && number_events(j, SCRATCH(kept, struct kept), n, SCRATCH(place, uint32_t), err) &&
	    put_roles(j, SCRATCH(kept, struct kept), n, err);
	ok = ok && move_samples(&j->s, SCRATCH(kept, struct kept), SCRATCH(place, uint32_t), err);
	j->s.chosen = n > 0 ? 1 : 0;
	j->s.chosen_by = n > 1 ? "CPU time first, then allocations, then durations" : NULL;
	SCRATCH_FREE(&kept, &place);
	buf_free(&names);
	return ok;
}
