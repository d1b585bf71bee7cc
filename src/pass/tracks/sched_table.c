/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_table: the tracks of a scheduler trace, whose points follow.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "sched_tracks.h"

const char *const sched_state_names[ST_STATES] = { "running", "runnable", "preempted", "sleeping",
	"disk sleep", "stopped", "traced", "dead", "zombie", "parked", "idle", "waiting" };

/* Columns of tracks while they are filled. */
struct table {
	uint8_t		*kind, *decimals, *depth;
	uint64_t	*below;
	uint32_t	*name, *unit, *thread, *cpu, *process;
	uint64_t	*first;
	uint64_t	 n, points;
};

static uint32_t
sched_tracks_add_text(struct tracks *t, struct str s)
{
	uint32_t at = (uint32_t)t->text.n;

	for (size_t i = 0; i < s.n; i++)
		buf_chr(&t->text, s.s[i] == '\0' ? ' ' : s.s[i]);
	buf_chr(&t->text, '\0');
	return at;
}

/* Adds a track; the number of its points, counted before, becomes the place where they go. */
static void
sched_tracks_add_track(struct table *to, enum track_kind kind, uint32_t name, uint32_t unit, uint32_t thread,
    uint32_t cpu,
    struct filling *f)
{
	uint64_t n = f->at;

	to->kind[to->n] = (uint8_t)kind;
	to->name[to->n] = name;
	to->unit[to->n] = unit;
	to->thread[to->n] = thread;
	to->cpu[to->n] = cpu;
	to->first[to->n++] = to->points;
	*f = (struct filling){ .at = to->points, .end = to->points + n, .done = to->points, .run = to->points,
	    .value = UINT64_MAX,
	    .wait = (uint32_t)to->n - 1 };
	to->points += n;
}

static void
add_series(struct tracks *t, struct table *to)
{
	uint32_t none = sched_tracks_add_text(t, STR("")), open = sched_tracks_add_text(t, STR("open")), name,
	    unit, of;

	for (uint32_t i = 0; i < t->nseries; i++) {
		name = t->text.n >= UINT32_MAX - REF_MAX - 1 ? none :
		    sched_tracks_add_text(t, word_text(t->st, (uint32_t)column_get(t->series_word, i)));
		to->process[to->n] = (uint32_t)store_cell(t->st, COL_SERIES_PROCESS, i + 1ull);
		to->decimals[to->n] = (uint8_t)store_cell(t->st, COL_SERIES_DECIMALS, i + 1ull);
		to->below[to->n] = store_cell(t->st, COL_SERIES_BELOW, i + 1ull);
		to->depth[to->n] = (uint8_t)store_cell(t->st, COL_SERIES_DEPTH, i + 1ull);
		of = (uint32_t)store_cell(t->st, COL_SERIES_UNIT, i + 1ull);
		unit = column_get(t->series_kind, i) == SERIES_ASYNC ? open : none;
		unit = of != 0 ? sched_tracks_add_text(t, word_text(t->st, of)) : unit;
		sched_tracks_add_track(to, TRACK_LEVEL, name, unit, 0, 0, &t->series.at[i]);
	}
}

static void
sched_tracks_add_tracks(struct tracks *t, struct table *to)
{
	uint32_t task = sched_tracks_add_text(t, STR("task")), cpu = sched_tracks_add_text(t, STR("cpu")),
	    ns = sched_tracks_add_text(t, STR("ns"));
	uint32_t state = sched_tracks_add_text(t, STR("state")), none = sched_tracks_add_text(t, STR(""));

	for (uint32_t i = 0; i < t->cpus.n; i++)
		sched_tracks_add_track(to, TRACK_TASK, task, none, 0, t->cpus.number.at[i] + 1,
		    &t->cpu.at[i]);
	for (uint32_t i = 1; i <= t->feed.threads; i++) {
		if (sched_tracks_task_at(t, i)->state.at == 0)
			continue;
		sched_tracks_add_track(to, TRACK_STATE, state, none, i, 0,
		    &sched_tracks_task_at(t, i)->state);
		if (sched_tracks_task_at(t, i)->cpu.at > 0)
			sched_tracks_add_track(to, TRACK_CPU, cpu, ns, i, 0,
			    &sched_tracks_task_at(t, i)->cpu);
	}
	add_series(t, to);
	assert(to->n == t->ntracks);
	to->first[to->n] = to->points;
}

static bool
make_tracks_table(struct tracks *t, struct table *to, struct err *err)
{
	uint64_t n = t->ntracks;

	*to = (struct table){ .n = 0 };
	return (to->kind = store_make(t->st, COL_TRACK_KIND, COL_U8, n, err)) != NULL &&
	    (to->name = store_make(t->st, COL_TRACK_NAME, COL_U32, n, err)) != NULL &&
	    (to->unit = store_make(t->st, COL_TRACK_UNIT, COL_U32, n, err)) != NULL &&
	    (to->thread = store_make(t->st, COL_TRACK_THREAD, COL_U32, n, err)) != NULL &&
	    (to->cpu = store_make(t->st, COL_TRACK_CPU, COL_U32, n, err)) != NULL &&
	    (to->process = store_make(t->st, COL_TRACK_PROCESS, COL_U32, n, err)) != NULL &&
	    (to->decimals = store_make(t->st, COL_TRACK_DECIMALS, COL_U8, n, err)) != NULL &&
	    (to->below = store_make(t->st, COL_TRACK_BELOW, COL_U64, n, err)) != NULL &&
	    (to->depth = store_make(t->st, COL_TRACK_DEPTH, COL_U8, n, err)) != NULL &&
	    (to->first = store_make(t->st, COL_TRACK_FIRST, COL_U64, n + 1, err)) != NULL &&
	    (t->last = store_make(t->st, COL_TRACK_LAST, COL_U64, n, err)) != NULL;
}

bool
sched_table_make(struct tracks *t, uint64_t *points, struct err *err)
{
	struct table to;

	if (!make_tracks_table(t, &to, err))
		return false;
	sched_tracks_add_tracks(t, &to);
	*points = to.points;
	return true;
}

bool
sched_table_text(struct tracks *t, struct err *err)
{
	uint32_t *name = store_make(t->st, COL_STATE_NAME, COL_U32, ST_STATES, err);
	uint8_t *text;

	if (name == NULL)
		return false;
	for (uint32_t i = 0; i < ST_STATES; i++)
		name[i] = sched_tracks_add_text(t, str_of(sched_state_names[i]));
	if (t->text.bad)
		return fail_memory(err, "names");
	text = store_make(t->st, COL_TRACK_TEXT, COL_BYTES, t->text.n, err);
	if (text != NULL)
		memcpy(text, t->text.s, t->text.n);
	return text != NULL;
}
