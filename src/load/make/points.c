/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points: build tracks.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/points.h"
#include "icecore/make.h"

struct track_row {
	uint64_t	first;		/* number of its points */
	uint64_t	below;
	uint8_t		depth;
	uint32_t	name, unit, thread, cpu, process;
	uint8_t		kind, decimals;
};

void
points_open(struct points *p)
{
	memset(p, 0, sizeof *p);
}

void
points_close(struct points *p)
{
	SCRATCH_FREE(&p->track, &p->time, &p->value, &p->state);
	texts_free(&p->text);
}

/* *at: offset of a name in the text, which begins with the empty name. */
static bool
points_keep_name(struct points *p, const char *name, uint32_t *at, struct err *err)
{
	if (!texts_place(&p->text, STR(""), at, err) || !texts_place(&p->text, str_of(name), at, err))
		return false;
	--*at;
	return true;
}

bool
points_track(struct points *p, enum track_kind kind, const char *name, const char *unit, uint32_t thread,
    uint32_t cpu, struct err *err)
{
	struct track_row row = { .first = p->n, .thread = thread, .cpu = cpu, .kind = (uint8_t)kind };

	return points_keep_name(p, name, &row.name, err) && points_keep_name(p, unit, &row.unit, err) &&
	    make_add(&p->track, &p->ntracks, &row, sizeof row, MAKE_MOST, "tracks", err);
}

void
points_of(struct points *p, uint32_t process, unsigned decimals)
{
	struct track_row *t = &SCRATCH(p->track, struct track_row)[p->ntracks - 1];

	assert(p->ntracks > 0);
	t->process = process;
	t->decimals = (uint8_t)decimals;
}

void
points_below(struct points *p, uint64_t below)
{
	assert(p->ntracks > 0);
	SCRATCH(p->track, struct track_row)[p->ntracks - 1].below = below;
}

void
points_depth(struct points *p, unsigned depth)
{
	assert(p->ntracks > 0);
	SCRATCH(p->track, struct track_row)[p->ntracks - 1].depth = (uint8_t)depth;
}

uint32_t
points_state(struct points *p, const char *name, struct err *err)
{
	uint32_t at;

	if (!points_keep_name(p, name, &at, err))
		return STATE_NONE;
	for (uint32_t i = 0; i < p->nstates; i++)
		if (SCRATCH(p->state, uint32_t)[i] == at)
			return i;
	return make_add(&p->state, &p->nstates, &at, sizeof at, MAKE_MOST, "states", err) ?
	    (uint32_t)p->nstates - 1 : STATE_NONE;
}

bool
points_add(struct points *p, uint64_t time, uint64_t value, struct err *err)
{
	const struct track_row *t = &SCRATCH(p->track, struct track_row)[p->ntracks - 1];
	uint64_t n = p->n;

	assert(p->ntracks > 0);
	if (n + 1 > p->time.size / sizeof time &&
	    (!scratch_array(&p->time, n + 1, sizeof time, err) ||
	    !scratch_array(&p->value, n + 1, sizeof value, err)))
		return false;
	if (n > t->first && time < SCRATCH(p->time, uint64_t)[n - 1])
		time = SCRATCH(p->time, uint64_t)[n - 1];
	SCRATCH(p->time, uint64_t)[n] = time;
	SCRATCH(p->value, uint64_t)[n] = value;
	p->n++;
	return true;
}

void
points_since(struct points *p, uint64_t first)
{
	uint64_t *time = SCRATCH(p->time, uint64_t);

	for (uint64_t i = 0; i < p->n; i++) {
		assert(time[i] >= first);
		time[i] -= first;
	}
}

/* ---- columns -------------------------------------------------------------------- */

bool
points_columns(struct points *p, struct store *st, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_TRACK_KIND, track_row, kind), MAKE(COL_TRACK_NAME, track_row, name),
		MAKE(COL_TRACK_UNIT, track_row, unit), MAKE(COL_TRACK_THREAD, track_row, thread),
		MAKE(COL_TRACK_CPU, track_row, cpu), MAKE(COL_TRACK_PROCESS, track_row, process),
		MAKE(COL_TRACK_DECIMALS, track_row, decimals), MAKE(COL_TRACK_BELOW, track_row, below),
		MAKE(COL_TRACK_DEPTH, track_row, depth),
	};
	const struct track_row *t = SCRATCH(p->track, struct track_row);
	uint64_t *first, *last;
	uint32_t none;

	if (!points_keep_name(p, "", &none, err) ||
	    !make_columns(st, columns, NELEM(columns), MAKE_ROWS(t, p->ntracks), err) ||
	    (first = store_make(st, COL_TRACK_FIRST, COL_U64, p->ntracks + 1ull, err)) == NULL ||
	    (last = store_make(st, COL_TRACK_LAST, COL_U64, p->ntracks, err)) == NULL)
		return false;
	for (uint32_t i = 0; i < p->ntracks; i++) {
		assert(t[i].first <= p->n && (i == 0 || t[i].first >= t[i - 1].first));
		first[i] = t[i].first;
	}
	first[p->ntracks] = p->n;
	for (uint32_t i = 0; i < p->ntracks; i++)
		last[i] = first[i + 1] > first[i] ? SCRATCH(p->time, uint64_t)[first[i + 1] - 1] : 0;
	return make_copy(st, COL_TRACK_TEXT, COL_BYTES, p->text.bytes.data, p->text.size, err) &&
	    make_copy(st, COL_POINT_TIME, COL_U64, p->time.data, p->n, err) &&
	    make_copy(st, COL_POINT_VALUE, COL_U64, p->value.data, p->n, err) &&
	    make_copy(st, COL_STATE_NAME, COL_U32, p->state.data, p->nstates, err);
}
