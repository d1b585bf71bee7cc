/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples_join: several threads read parts of a text, and their results become one profile, as if one thread had read
 * everything.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/chunk.h"
#include "profile.h"

#define PART_LEAST CHUNK_OF(1u << 20)	/* minimum bytes of a text for each thread */
#define ROWS_A_TICK 4096

/* ---- parts of a text -------------------------------------------------------------------------- */

uint64_t
text_parts(uint64_t size)
{
	uint64_t n = size / PART_LEAST;

	return n > pool_size() ? pool_size() : n == 0 ? 1 : n;
}

uint64_t
text_part(const char *data, uint64_t size, uint64_t i, uint64_t n)
{
	uint64_t at = size / n * i;
	const char *nl;

	assert(i <= n);
	if (i == 0 || i == n)
		return i == 0 ? 0 : size;
	nl = memchr(data + at - 1, '\n', size - at + 1);
	return nl == NULL ? size : (uint64_t)(nl - data) + 1;
}

/* ---- results of parts --------------------------------------------------------------------------- */

/* Ids of a part, each with its id in the joined profile, from 1. */
struct ids {
	struct scratch	names, stacks, threads, events;
};

static inline uint32_t *
ids_of(const struct scratch *s)
{
	return SCRATCH(*s, uint32_t);
}

/* False if a single thread would round or clip different weights. */
static bool
samples_join_fits(const struct samples *to, const struct samples *from)
{
	const struct samples *both[] = { to, from };
	uint64_t most = WEIGHT_MOST / 4;
	unsigned decimals = to->decimals > from->decimals ? to->decimals : from->decimals;

	for (int k = 0; k < 2; k++) {
		const struct samples *s = both[k];
		const struct sample_event *e = SCRATCH(s->events, struct sample_event);
		uint64_t room = most;

		for (unsigned i = s->decimals; i < decimals; i++)
			room /= 10;
		if (s->saturated > 0 || (s->rounded > 0 && s->decimals < s->most_decimals))
			return false;
		for (uint64_t i = 0; i < s->nevents; i++)
			if (e[i].weight > room || e[i].before > room)
				return false;
	}
	return true;
}

static bool
join_names(struct samples *to, const struct samples *from, struct ids *ids, struct err *err)
{
	const struct sample_name *n = SCRATCH(from->names, struct sample_name);
	struct str text, file, module;

	for (uint64_t i = 0; i < from->nnames; i++, n++) {
		text = samples_text_at(from, &from->own, n->ref, n->own);
		file = samples_text_at(from, &from->own, n->file, n->file_own);
		module = samples_text_at(from, &from->own, n->module, n->module_own);
		if ((i % ROWS_A_TICK == 0 && !work_go(to->work, 0, err)) ||
		    (ids_of(&ids->names)[i + 1] = samples_placed(to, text, file, module, n->kind, err)) == 0)
			return false;
		if (n->line > 0)
			samples_line(to, ids_of(&ids->names)[i + 1], (uint64_t)n->line);
	}
	return true;
}

static bool
join_stacks(struct samples *to, const struct samples *from, struct ids *ids, struct err *err)
{
	const struct sample_stack *stack = SCRATCH(from->stacks, struct sample_stack);
	uint32_t *id = ids_of(&ids->stacks), *name = ids_of(&ids->names);

	for (uint64_t i = 1; i <= from->nstacks; i++) {
		assert(stack[i].parent < i && stack[i].frame != 0 && stack[i].frame <= from->nnames);
		if ((i % ROWS_A_TICK == 0 && !work_go(to->work, 0, err)) ||
		    (id[i] = samples_stack(to, id[stack[i].parent], name[stack[i].frame], err)) == 0)
			return false;
	}
	assert(from->no_frame <= from->nstacks);
	if (to->no_frame == 0)
		to->no_frame = id[from->no_frame];
	return true;
}

static bool
samples_join_join_threads(struct samples *to, const struct samples *from, struct ids *ids, struct err *err)
{
	const struct sample_thread *t = SCRATCH(from->threads, struct sample_thread);
	const struct sample_event *e = SCRATCH(from->events, struct sample_event);

	for (uint64_t i = 0; i < from->nthreads; i++)
		if ((ids_of(&ids->threads)[i + 1] = samples_thread(to, t[i].pid, t[i].tid,
		    samples_text_at(from, &from->own, t[i].ref, t[i].own), err)) == 0)
			return false;
	for (uint64_t i = 0; i < from->nevents; i++)
		if ((ids_of(&ids->events)[i + 1] = samples_event(to,
		    samples_event_name(from, (uint32_t)i + 1), e[i].type,
		    texts_at(&from->event_text, e[i].unit), err)) == 0)
			return false;
	return true;
}

static bool
join_rows(struct samples *to, const struct samples *from, struct ids *ids, struct err *err)
{
	struct sample s;

	for (uint64_t i = 0; i < from->nsamples; i++) {
		s = sample_rows_get(&from->rows, i);
		assert(s.stack <= from->nstacks && s.thread <= from->nthreads && s.event <= from->nevents);
		s.stack = ids_of(&ids->stacks)[s.stack];
		s.thread = ids_of(&ids->threads)[s.thread];
		s.event = ids_of(&ids->events)[s.event];
		if ((i % ROWS_A_TICK == 0 && !work_go(to->work, 0, err)) || !samples_add(to, &s, err))
			return false;
	}
	return true;
}

bool
samples_join(struct samples *to, struct samples *from, bool *alike, struct err *err)
{
	unsigned decimals = to->decimals > from->decimals ? to->decimals : from->decimals;
	struct ids ids = { SCRATCH_INIT, SCRATCH_INIT, SCRATCH_INIT, SCRATCH_INIT };
	bool ok;

	if (!(*alike = samples_join_fits(to, from)))
		return true;
	if (from->counts == COUNT_ONE)
		samples_count_rows(to);
	ok = samples_decimals(to, decimals, err) && samples_decimals(from, decimals, err) &&
	    scratch_array(&ids.names, from->nnames + 1, sizeof(uint32_t), err) &&
	    scratch_array(&ids.stacks, from->nstacks + 1, sizeof(uint32_t), err) &&
	    scratch_array(&ids.threads, from->nthreads + 1, sizeof(uint32_t), err) &&
	    scratch_array(&ids.events, from->nevents + 1, sizeof(uint32_t), err) && join_names(to, from, &ids, err) &&
	    join_stacks(to, from, &ids, err) && samples_join_join_threads(to, from, &ids, err) &&
	    join_rows(to, from, &ids, err);
	to->rounded += from->rounded;
	SCRATCH_FREE(&ids.names, &ids.stacks, &ids.threads, &ids.events);
	return ok;
}
