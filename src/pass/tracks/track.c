/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * track: what a piece of time has of a track.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "icecore/track.h"

/* The next store with tracks of a table, from *at down; NULL: none. */
static const struct store *
track_beside(const struct store **at)
{
	const struct store *of = NULL;

	for (; of == NULL && *at != NULL; *at = store_below(*at))
		of = store_beside(*at);
	return of;
}

/*
 * Return the store of track i, and make i its place there; NULL: none. Those of tables beside the trace come
 * last.
 */
static const struct store *
track_owner(const struct store *st, uint64_t *i)
{
	for (const struct store *of = st, *at = st; of != NULL; of = track_beside(&at)) {
		uint64_t n = column_rows(store_column(of, COL_TRACK_KIND));

		if (*i < n)
			return of;
		*i -= n;
	}
	return NULL;
}

size_t
tracks_count(const struct store *st)
{
	uint64_t rest = UINT64_MAX;

	(void)track_owner(st, &rest);
	return (size_t)(UINT64_MAX - rest);
}

/* A name in track.text. */
static const char *
track_text_at(const struct store *st, uint64_t at)
{
	const struct column *text = store_column(st, COL_TRACK_TEXT);
	struct str s = column_text(text, at + 1);

	/* Without its NUL it is none. */
	return s.n == 0 || at + s.n >= text->rows ? "" : s.s;
}

bool
track_get(const struct store *file, size_t n, struct track *t)
{
	uint64_t i = n;
	const struct store *st = track_owner(file, &i);
	uint64_t kind = st == NULL ? TRACK_MOMENT : column_get(store_column(st, COL_TRACK_KIND), i);

	if (kind > TRACK_LEVEL)
		return false;
	t->beside = st != file;
	t->kind = (enum track_kind)kind;
	t->name = track_text_at(st, column_get(store_column(st, COL_TRACK_NAME), i));
	t->unit = track_text_at(st, column_get(store_column(st, COL_TRACK_UNIT), i));
	t->thread = (uint32_t)column_get(store_column(st, COL_TRACK_THREAD), i);
	t->cpu = (uint32_t)column_get(store_column(st, COL_TRACK_CPU), i);
	t->process = (uint32_t)column_get(store_column(st, COL_TRACK_PROCESS), i);
	t->decimals = (unsigned)column_get(store_column(st, COL_TRACK_DECIMALS), i);
	t->below = column_get(store_column(st, COL_TRACK_BELOW), i);
	t->depth = (unsigned)column_get(store_column(st, COL_TRACK_DEPTH), i);
	t->time = store_column(st, COL_POINT_TIME);
	t->value = store_column(st, COL_POINT_VALUE);
	t->n = column_list(store_column(st, COL_TRACK_FIRST), t->time, i, &t->first);
	return t->time != NULL && t->value != NULL && t->time->type == COL_U64 && t->value->type == COL_U64 &&
	    t->value->rows == t->time->rows;
}

bool
track_of_system(const struct store *st, const struct track *t)
{
	return t->thread == 0 && (t->process == 0 || store_cell(st, COL_PROCESS_PID, t->process) == 0);
}

bool
track_is_foreign(const struct store *st, const struct track *t, uint32_t thread)
{
	uint32_t process = thread_process(st, thread);

	return t->process != 0 && process != 0 && t->process != process && !track_of_system(st, t);
}

uint64_t
tracks_end(const struct store *st)
{
	uint64_t end = fact_value(st, FACT_LAST_WALL);

	if (end == 0 && column_rows(store_column(st, COL_TRACK_LAST)) == 0)
		end = fact_value(st, FACT_ELAPSED);
	for (const struct store *of = st, *at = st; of != NULL; of = track_beside(&at)) {
		const struct column *last = store_column(of, COL_TRACK_LAST);

		for (uint64_t i = 0; i < column_rows(last); i++)
			end = column_get(last, i) > end ? column_get(last, i) : end;
	}
	return end;
}

bool
track_find(const struct store *st, uint32_t thread, const char *name, struct track *t)
{
	const struct column *threads = store_column(st, COL_TRACK_THREAD);
	size_t n = tracks_count(st);

	for (size_t i = 0; i < n; i++)
		if (column_get(threads, i) == thread &&
		    track_get(st, i, t) && strcmp(t->name, name) == 0)
			return true;
	return false;
}

static inline const uint64_t *
times(const struct track *t)
{
	return column_span(t->time, t->first, t->n);
}

static inline const uint64_t *
values(const struct track *t)
{
	return column_span(t->value, t->first, t->n);
}

/* How many points are at or before a time. */
static uint64_t
track_points_until(const struct track *t, uint64_t time)
{
	const struct column at = { COL_NONE, COL_U64, t->n, times(t) };

	return time == UINT64_MAX ? t->n : column_place(&at, time + 1);
}

uint64_t
track_before(const struct track *t, uint64_t time)
{
	uint64_t n = track_points_until(t, time);

	return n == 0 ? 0 : t->first + n;
}

double
track_real(const struct track *t, uint64_t value)
{
	double v = value < t->below ? -(double)(t->below - value) : (double)(value - t->below);

	for (unsigned i = 0; i < t->decimals; i++)
		v /= 10;
	return v;
}

/* ---- running totals --------------------------------------------------------------- */

/* The total at a time behind the first i points: between two points it grows evenly. */
static uint64_t
total_at(const struct track *t, uint64_t i, uint64_t time)
{
	const uint64_t *at = times(t), *v = values(t);
	uint64_t length, growth;

	assert(i <= t->n);
	if (i == 0)
		return t->n > 0 ? v[0] : 0;
	if (i == t->n || v[i] <= v[i - 1])
		return v[i - 1];
	length = at[i] - at[i - 1];
	growth = v[i] - v[i - 1];
	return v[i - 1] + (uint64_t)((unsigned __int128)growth * (time - at[i - 1]) / length);
}

uint64_t
track_total(const struct track *t, uint64_t time)
{
	return total_at(t, track_points_until(t, time), time);
}

static void
total_piece(const struct track *t, uint64_t i, uint64_t from, uint64_t to, struct track_piece *p,
    uint64_t *next)
{
	const uint64_t *at = times(t), *v = values(t);
	uint64_t before = total_at(t, i, from), after, first, last;

	for (; i < t->n && at[i] <= to; i++) {
		if (i > 0 && v[i] > v[i - 1] && v[i] - v[i - 1] > p->max)
			p->max = v[i] - v[i - 1];
		/* A counter that falls was reset: the fall does not count. */
		p->sum = num_add(p->sum, v[i] > before ? v[i] - before : 0);
		before = v[i];
	}
	if (i > 0 && i < t->n && at[i - 1] < to && v[i] > v[i - 1] && v[i] - v[i - 1] > p->max)
		p->max = v[i] - v[i - 1];
	after = total_at(t, i, to);
	p->sum = num_add(p->sum, after > before ? after - before : 0);
	*next = i;
	if (t->n == 0)
		return;
	first = at[0] > from ? at[0] : from;
	last = at[t->n - 1] < to ? at[t->n - 1] : to;
	p->known = last > first ? last - first : 0;
	if (t->kind == TRACK_CPU && p->known > 0)
		p->use = (double)p->sum / (double)p->known;
}

/* ---- levels ------------------------------------------------------------------------ */

static void
level_piece(const struct track *t, uint64_t i, uint64_t from, uint64_t to, struct track_piece *p,
    uint64_t *next)
{
	const uint64_t *at = times(t), *v = values(t);
	unsigned __int128 area = 0;
	uint64_t end;

	/* Before the first value a track has that one, or 0 if no value is below 0. */
	p->sum = p->max = i > 0 ? v[i - 1] : t->below > 0 && t->n > 0 ? v[0] : 0;
	for (;; i++) {
		end = i < t->n && at[i] <= to ? at[i] : to;
		if (i > 0) {
			area += (unsigned __int128)v[i - 1] * (end - from);
			p->known += end - from;
		}
		from = end;
		if (i == t->n || at[i] > to)
			break;
		p->max = v[i] > p->max ? v[i] : p->max;
		p->sum = v[i];
	}
	if (p->known > 0)
		p->sum = (uint64_t)(area / p->known);
	*next = i;
}

/* ---- states ------------------------------------------------------------------------ */

/*
 * Times of the states met in a piece, by hash.  Beyond so many different ones (a CPU that runs hundreds of
 * tasks in the width of a column) further ones count as none.
 */
#define MET 256u
#define MET_MOST 192u

struct met {
	uint64_t	ns[MET], state[MET];
	uint8_t		used[MET];
	unsigned	n;
};

static void
met_add(struct met *m, uint64_t state, uint64_t ns)
{
	unsigned i = (unsigned)(state * 0x9e3779b97f4a7c15u >> 56);

	/* A place is free, so that the search ends. */
	assert(m->n <= MET_MOST);
	while (m->used[i] && m->state[i] != state)
		i = (i + 1) % MET;
	if (!m->used[i]) {
		if (m->n == MET_MOST)
			return;
		m->n++;
		m->used[i] = 1;
		m->state[i] = state;
		m->ns[i] = 0;
	}
	m->ns[i] += ns;
}

static uint32_t
track_state_of(uint64_t value)
{
	return value < STATE_NONE ? (uint32_t)value : STATE_NONE;
}

/* The one with most; of two with the same time the smaller number. */
static void
take_most(const struct met *m, struct track_piece *p)
{
	for (unsigned k = 0; k < MET; k++)
		if (m->used[k] && (m->ns[k] > p->sum ||
		    (m->ns[k] == p->sum && track_state_of(m->state[k]) < p->state))) {
			p->sum = m->ns[k];
			p->state = track_state_of(m->state[k]);
		}
}

static void
state_piece(const struct track *t, uint64_t i, uint64_t from, uint64_t to, struct track_piece *p,
    uint64_t *next)
{
	const uint64_t *at = times(t), *v = values(t);
	struct met m;
	uint64_t end;

	m.n = 0;
	memset(m.used, 0, sizeof m.used);
	p->state = i > 0 ? track_state_of(v[i - 1]) : STATE_NONE;
	for (;; i++) {
		end = i < t->n && at[i] <= to ? at[i] : to;
		if (i > 0 && end > from && v[i - 1] < STATE_NONE) {
			met_add(&m, v[i - 1], end - from);
			p->known += end - from;
		}
		from = end;
		if (i == t->n || at[i] > to)
			break;
	}
	take_most(&m, p);
	*next = i;
}

/* For drawing, a piece with many points is sampled: RUN adjacent points from each of PARTS parts. */
#define PARTS 64u
#define RUN 8u
#define DENSE (2 * PARTS * RUN)

static void
rough_piece(const struct track *t, uint64_t i, uint64_t from, uint64_t to, struct track_piece *p,
    uint64_t *next)
{
	const uint64_t *at = times(t) + i, *v = values(t) + i;
	uint64_t n = track_points_until(t, to) - i, place, room, seen = 0;
	struct met m;

	assert(n > DENSE);
	m.n = 0;
	memset(m.used, 0, sizeof m.used);
	*next = i + n;
	for (uint64_t k = 0; k < PARTS; k++) {
		place = (n - 1) * k / PARTS;
		room = (n - 1) * (k + 1) / PARTS - place - RUN;
		/* Not always the same place of a part: what repeats itself must not hide. */
		place += k * 2654435761u % (room + 1);
		for (uint64_t j = place; j < place + RUN; j++) {
			seen += at[j + 1] - at[j];
			if (v[j] >= STATE_NONE)
				continue;
			met_add(&m, v[j], at[j + 1] - at[j]);
			p->known += at[j + 1] - at[j];
		}
	}
	take_most(&m, p);
	if (seen == 0)
		return;
	p->sum = (uint64_t)((unsigned __int128)(to - from) * p->sum / seen);
	p->known = (uint64_t)((unsigned __int128)(to - from) * p->known / seen);
}

/* ---- pieces ------------------------------------------------------------------------ */

static bool
is_dense(const struct track *t, uint64_t i, uint64_t to)
{
	return t->n - i > DENSE && times(t)[i + DENSE] <= to;
}

/* A moment belongs to the piece that begins at its time. */
static uint64_t
moments_before(const struct track *t, uint64_t time)
{
	return time > 0 ? track_points_until(t, time - 1) : 0;
}

static uint64_t
track_points_begin(const struct track *t, uint64_t from)
{
	return t->kind == TRACK_MOMENT ? moments_before(t, from) : track_points_until(t, from);
}

/* i: how many points are at or before from; afterwards, at or before to. */
static void
piece(const struct track *t, uint64_t *i, uint64_t from, uint64_t to, bool rough, struct track_piece *p)
{
	uint64_t before = *i;

	memset(p, 0, sizeof *p);
	p->state = STATE_NONE;
	switch (t->kind) {
	case TRACK_STATE:
	case TRACK_TASK:
		if (rough && is_dense(t, before, to))
			rough_piece(t, before, from, to, p, i);
		else
			state_piece(t, before, from, to, p, i);
		break;
	case TRACK_TOTAL:
	case TRACK_CPU:
		total_piece(t, before, from, to, p, i);
		break;
	case TRACK_LEVEL:
		level_piece(t, before, from, to, p, i);
		break;
	case TRACK_MOMENT:
		p->known = to - from;
		*i = moments_before(t, to);
		p->sum = *i > before ? values(t)[before] : 0;
		break;
	}
	p->points = *i - before;
}

void
track_piece(const struct track *t, uint64_t from, uint64_t to, struct track_piece *p)
{
	uint64_t i = track_points_begin(t, from);

	piece(t, &i, from, to > from ? to : from, false, p);
}

void
track_pieces(const struct track *t, uint64_t from, uint64_t to, struct track_piece *p, size_t n)
{
	uint64_t i = track_points_begin(t, from), start = from, end;

	to = to > from ? to : from;
	for (size_t k = 0; k < n; k++) {
		end = from + (uint64_t)((unsigned __int128)(to - from) * (k + 1) / n);
		piece(t, &i, start, end, true, &p[k]);
		start = end;
	}
}

void
track_states(const struct track *t, uint64_t from, uint64_t to, uint64_t *ns, size_t n)
{
	const uint64_t *at = times(t), *v = values(t);
	uint64_t i = track_points_until(t, from), end;

	if (to < from || (t->kind != TRACK_STATE && t->kind != TRACK_TASK))
		return;
	for (;; i++) {
		end = i < t->n && at[i] <= to ? at[i] : to;
		if (i > 0 && v[i - 1] < n)
			ns[v[i - 1]] += end - from;
		from = end;
		if (i == t->n || at[i] > to)
			break;
	}
}

/* ---- states have names -------------------------------------------------------------- */

size_t
states_count(const struct store *st)
{
	return (size_t)column_rows(store_column(st, COL_STATE_NAME));
}

const char *
state_name(const struct store *st, uint32_t state)
{
	const struct column *name = store_column(st, COL_STATE_NAME);

	return name == NULL || state >= name->rows ? "" : track_text_at(st, column_get(name, state));
}
