/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Markers that userspace writes into the trace: begin and end of calls, counters, asynchronous slices; and switches
 * as columns.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/mark.h"
#include "sched.h"

void
sched_marks_close(struct sched_marks *m)
{
	SCRATCH_FREE(&m->events, &m->points, &m->series, &m->names);
	idmap_free(&m->by_name);
	idmap_free(&m->by_series);
}

/* ---- names and series by name ---------------------------------------------------- */

/* Return the number of a call's name, from 1; 0: failure. */
static uint32_t
sched_marks_name_of(struct sched_marks *m, struct str s, struct err *err)
{
	uint32_t id;

	if (!idmap_enter(&m->by_name, idmap_hash_text(s, 0), (uint32_t)m->nnames + 1, &id, err))
		return 0;
	/* A name and an action share 32 bits. */
	return id <= m->nnames || make_add(&m->names, &m->nnames, &s, sizeof s, UINT32_MAX / 4 - 1, "names of calls", err) ? id : 0;
}

static inline struct sched_series *
series_at(const struct sched_marks *m, uint32_t id)
{
	assert(id != 0 && id <= m->nseries);
	return &SCRATCH(m->series, struct sched_series)[id - 1];
}

static uint32_t
sched_marks_series_of(struct sched_marks *m, enum series_kind kind, uint32_t owner, struct str name, struct err *err)
{
	uint64_t key = idmap_hash_text(name, (uint64_t)owner << 8 | kind);
	struct sched_series new = { name, owner, (uint8_t)kind, 0 };
	uint32_t id;

	if (!idmap_enter(&m->by_series, key, (uint32_t)m->nseries + 1, &id, err))
		return 0;
	return id <= m->nseries || make_add(&m->series, &m->nseries, &new, sizeof new, MAKE_MOST, "counters", err) ? id : 0;
}

/* ---- single markers ------------------------------------------------------------------ */

static bool
sched_marks_add_event(struct sched_marks *m, const struct sched_line *l, uint32_t word, struct err *err)
{
	struct sched_event e = { l->time, word, l->tid };

	return make_add(&m->events, &m->nevents, &e, sizeof e, UINT64_MAX, "calls", err);
}

static bool
sched_marks_add_point(struct sched_marks *m, uint32_t series, uint64_t time, uint64_t value, struct err *err)
{
	struct sched_point p = { time, value, series - 1 };

	assert(series <= m->nseries);
	return series != 0 && make_add(&m->points, &m->npoints, &p, sizeof p, UINT64_MAX, "values", err);
}

static bool
counter(struct sched_marks *m, const struct sched_line *l, const struct user_mark *mark, struct err *err)
{
	m->negative += mark->value < 0;
	return sched_marks_add_point(m, sched_marks_series_of(m, SERIES_COUNTER, mark->pid, mark->name, err), l->time,
	    mark->value < 0 ? 0 : (uint64_t)mark->value, err);
}

static bool
async(struct sched_marks *m, const struct sched_line *l, uint32_t pid, struct str name, bool begin,
    struct err *err)
{
	uint32_t id = sched_marks_series_of(m, SERIES_ASYNC, pid, name, err);
	struct sched_series *s;

	if (id == 0)
		return false;
	s = series_at(m, id);
	if (!begin && s->open == 0) {
		m->unopened++;
		return true;
	}
	assert(s->kind == SERIES_ASYNC);
	s->open += begin ? 1 : (uint64_t)-1;
	return sched_marks_add_point(m, id, l->time, s->open, err);
}

static void
clock_sync(struct sched_marks *m, const struct sched_line *l, const struct user_mark *mark)
{
	if (!mark->synced)
		m->unknown++;
	else if (mark->realtime) {
		m->has_realtime = true;
		m->realtime = mark->time;
		m->realtime_at = l->time;
	} else {
		m->has_parent = true;
		m->parent = mark->time;
		m->parent_at = l->time;
	}
}

static bool
begin(struct sched_marks *m, const struct sched_line *l, struct str name, uint32_t *depth, struct err *err)
{
	uint32_t id = sched_marks_name_of(m, name, err);

	++*depth;
	return id != 0 && sched_marks_add_event(m, l, id * 4 + ACT_ENTER, err);
}

/* An end carries no name, so an end without a start is only counted. */
static bool
end(struct sched_marks *m, const struct sched_line *l, uint32_t *depth, struct err *err)
{
	if (*depth == 0) {
		m->unopened++;
		return true;
	}
	--*depth;
	assert(m->nevents > 0);
	return sched_marks_add_event(m, l, ACT_EXIT, err);
}

bool
sched_marks_end(struct sched_marks *m, uint32_t tid, uint32_t depth, uint64_t time, struct err *err)
{
	const struct sched_line l = { .time = time, .tid = tid };

	for (m->no_end += depth; depth > 0; depth--)
		if (!sched_marks_add_event(m, &l, ACT_EXIT, err))
			return false;
	return true;
}

bool
sched_mark(struct sched_marks *m, const struct sched_line *l, uint32_t *depth, struct err *err)
{
	struct user_mark mark;

	if (!mark_read(l->text, &mark)) {
		m->unknown++;
		return true;
	}
	switch (mark.letter) {
	case 'B':
		return begin(m, l, mark.name, depth, err);
	case 'E':
		return end(m, l, depth, err);
	case 'C':
		return counter(m, l, &mark, err);
	case 'S': case 'F':
		return async(m, l, mark.pid, mark.name, mark.letter == 'S', err);
	case 'G': case 'H':
		return async(m, l, mark.pid, mark.track, mark.letter == 'G', err);
	case MARK_SYNC:
		clock_sync(m, l, &mark);
		return true;
	default:
		m->instants++;
		return true;
	}
}

bool
sched_level(struct sched_marks *m, const struct sched_line *l, struct err *err)
{
	return sched_marks_add_point(m, sched_marks_series_of(m, SERIES_CPU, l->cpu + 1, STR(""), err), l->time, l->value, err);
}

/* ---- columns ------------------------------------------------------------------------------ */

void
sched_marks_begin(struct sched_marks *m, uint64_t base)
{
	for (uint64_t i = 0; i < m->nevents; i++)
		SCRATCH(m->events, struct sched_event)[i].time -= base;
	for (uint64_t i = 0; i < m->npoints; i++)
		SCRATCH(m->points, struct sched_point)[i].time -= base;
}

/* Names of calls are stored as methods. */
bool
sched_marks_columns(const struct sched_marks *m, struct store *st, const char *text, struct err *err)
{
	static const struct make_column names[] = {
		MAKE_CONST(COL_LISTED_CLASS, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_SIGNATURE, 8, MAKE_ZERO),
		MAKE_CONST(COL_LISTED_FILE, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_METHOD, 8, MAKE_METHOD),
		MAKE_CONST(COL_LISTED_NAME, 8, MAKE_REF), MAKE_CONST(COL_LISTED_LINE, 8, MAKE_NO_LINE),
	}, events[] = {
		MAKE(COL_EVENT_TIME, sched_event, time), MAKE(COL_EVENT_WORD, sched_event, word),
		MAKE(COL_EVENT_TID, sched_event, tid),
	}, series[] = {
		MAKE(COL_SERIES_KIND, sched_series, kind), MAKE_COLUMN(COL_SERIES_NAME, sched_series, name, MAKE_REF),
		MAKE(COL_SERIES_OWNER, sched_series, owner),
	}, levels[] = {
		MAKE(COL_LEVEL_TIME, sched_point, time), MAKE(COL_LEVEL_VALUE, sched_point, value),
		MAKE(COL_LEVEL_SERIES, sched_point, series),
	};

	return make_columns(st, names, NELEM(names),
	    MAKE_TEXT_ROWS(SCRATCH(m->names, struct str), m->nnames, text), err) &&
	    make_columns(st, events, NELEM(events),
	    MAKE_ROWS(SCRATCH(m->events, struct sched_event), m->nevents), err) &&
	    make_segment(st, err) &&
	    make_columns(st, series, NELEM(series),
	    MAKE_TEXT_ROWS(SCRATCH(m->series, struct sched_series), m->nseries, text), err) &&
	    make_columns(st, levels, NELEM(levels),
	    MAKE_ROWS(SCRATCH(m->points, struct sched_point), m->npoints), err);
}

bool
sched_switch_columns(struct store *st, struct make_rows rows, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_SWITCH_TIME, sched_row, time), MAKE(COL_SWITCH_CPU, sched_row, cpu),
		MAKE(COL_SWITCH_FROM, sched_row, from), MAKE(COL_SWITCH_TO, sched_row, to),
		MAKE(COL_SWITCH_STATE, sched_row, state),
	};

	return make_columns(st, columns, NELEM(columns), rows, err);
}
