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

bool
jfr_event_kept(const struct jfr *j, uint32_t event)
{
	const struct jfr_known *known = &SCRATCH(j->known, struct jfr_known)[event - 1];

	assert(event != 0 && event <= j->nknown);
	return known->stacks > 0 || known->bare;
}

static void
keep_events(struct jfr *j, struct scratch *kept, uint64_t *n, struct buf *names)
{
	const struct jfr_known *known = SCRATCH(j->known, struct jfr_known);

	*n = 0;
	for (uint32_t i = 0; i < j->nknown; i++) {
		struct str name = samples_event_name(&j->s, i + 1);
		const struct jfr_rule *rule = known[i].rule;
		/* The pointer is set at the end, when the text no longer grows. */
		struct kept k = { .name = { NULL, name.n }, .event = i + 1, .rank = known[i].rank };

		if (!jfr_event_kept(j, i + 1)) {
			if (!known[i].elsewhere && known[i].n > 0)
				unread_add(&j->unread, UNREAD_EVENT, name, known[i].n);
			continue;
		}
		/* Events that never have frames come last. */
		k.rank = known[i].stacks == 0 ? SIZE_MAX : k.rank;
		k.one = rule == NULL && !known[i].lasts;
		k.type = rule != NULL ? rule->type : k.one ? WEIGHT_COUNT : WEIGHT_TIME;
		k.role = rule != NULL ? rule->role : EVENT_NO_ROLE;
		k.unit = rule != NULL ? rule->unit : k.one ? "events" : "ns";
		buf_str(names, name);
		INTO_ROW(&j->to, *kept, *n, k, "events");
	}
	into_made(&j->to, names);
	for (uint64_t i = 0, at = 0; i < *n && !j->to.bad; i++) {
		struct kept *k = &SCRATCH(*kept, struct kept)[i];

		k->name.s = names->s + at;
		at += k->name.n;
		assert(at <= names->n);
	}
}

/* Renumber the events of samples in this order; place: new number of each old one. */
static void
number_events(struct jfr *j, const struct kept *kept, uint64_t n, uint32_t *place)
{
	j->s.nevents = 0;
	texts_free(&j->s.event_text);
	idmap_free(&j->s.by_event);
	for (uint64_t i = 0; i < n; i++) {
		place[kept[i].event] = into_event(&j->to, kept[i].name, kept[i].type, kept[i].unit);
		/* Names are unique, so the number of an event is its index among the kept ones. */
		assert(j->to.bad || place[kept[i].event] == i + 1);
	}
}

/* Write the column of event roles (allocations, surviving objects), if any event has a role. */
static void
put_roles(struct jfr *j, const struct kept *kept, uint64_t n)
{
	bool any = false;
	uint8_t *role = NULL;

	for (uint64_t i = 0; i < n; i++)
		any |= kept[i].role != EVENT_NO_ROLE;
	assert(n <= j->nknown);
	INTO(&j->to, !any || (role = store_make(j->st, COL_EVENT_ROLE, COL_U8, n, j->to.err)) != NULL);
	for (uint64_t i = 0; role != NULL && i < n; i++)
		role[i] = (uint8_t)kept[i].role;
}

static void
move_samples(struct into *to, const struct kept *kept, const uint32_t *place)
{
	struct samples *s = to->samples;
	struct sample_event *e = SCRATCH(s->events, struct sample_event);
	uint64_t n = 0;

	for (uint64_t i = 0; i < s->nsamples && !to->bad; i++) {
		uint32_t event = place[narrow_get(&s->rows.event, i)];
		struct sample row;

		assert(n <= i && event <= s->nevents);
		if (event == 0)
			continue;
		if (n < i) {
			row = sample_rows_get(&s->rows, i);
			INTO(to, sample_rows_set(&s->rows, n, &row, to->err));
		}
		INTO(to, narrow_set(&s->rows.event, n, event, to->err) &&
		    (!kept[event - 1].one || narrow_set(&s->rows.weight, n, 1, to->err)));
		e[event - 1].samples++;
		e[event - 1].weight += narrow_get(&s->rows.weight, n++);
	}
	s->nsamples = n;
	sample_rows_keep(&s->rows, n);
}

void
jfr_events_settle(struct jfr *j)
{
	struct scratch kept = SCRATCH_INIT, place = SCRATCH_INIT;
	struct buf names = BUF_INIT;
	uint64_t n;

	keep_events(j, &kept, &n, &names);
	INTO(&j->to, scratch_array(&place, j->nknown + 1, sizeof(uint32_t), j->to.err));
	if (!j->to.bad) {
		if (n > 0)
			qsort(kept.data, n, sizeof(struct kept), by_rank);
		number_events(j, SCRATCH(kept, struct kept), n, SCRATCH(place, uint32_t));
		put_roles(j, SCRATCH(kept, struct kept), n);
		move_samples(&j->to, SCRATCH(kept, struct kept), SCRATCH(place, uint32_t));
	}
	j->s.chosen = n > 0 ? 1 : 0;
	j->s.chosen_by = n > 1 ? "CPU time first, then allocations, then durations" : NULL;
	if (!j->to.bad && n > 0 && str_is(samples_event_name(&j->s, 1), JFR_UNRELEASED))
		samples_choose_heap(&j->s);
	SCRATCH_FREE(&kept, &place);
	buf_free(&names);
}
