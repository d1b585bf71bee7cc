/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * picture: the picture next to the lines of the overview.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/sampled.h"
#include "icecore/view.h"
#include "overview.h"

/* ---- CPU use of threads ------------------------------------------------------------ */

/* Tracks of one thread: CPU time in user and in system mode, or its states. */
struct thread_use {
	uint32_t	 thread;
	struct track	 cpu[2], states;
	unsigned	 ncpu;
	bool		 has_states;
};

static void
take_track(struct thread_use *u, const struct track *t)
{
	if (t->kind == TRACK_CPU && u->ncpu < NELEM(u->cpu))
		u->cpu[u->ncpu++] = *t;
	if (t->kind == TRACK_STATE && !u->has_states) {
		u->states = *t;
		u->has_states = true;
	}
}

/*
 * Like Timeline take what was measured more often: a track, or samples.  Switches of a scheduler are exact.
 */
static bool
take_tracks(struct answering *a, const struct store *st, struct thread_use *use, size_t n, struct err *err)
{
	struct track t;

	for (size_t i = 0; i < tracks_count(st); i++) {
		if (!work_tick(a->work, i))
			return fail_cancel(err);
		if (!track_get(st, i, &t) || t.n == 0 || t.cpu != 0 || t.thread == 0)
			continue;
		for (size_t k = 0; k < n; k++)
			if (use[k].thread == t.thread)
				take_track(&use[k], &t);
	}
	for (size_t k = 0; k < n; k++) {
		if (load_shapes(st) & SHAPE_TASKS)
			use[k].ncpu = 0;
		else if (sampled_has(st) && sampled_track(st, use[k].thread, &t) &&
		    t.n > (use[k].ncpu > 0 ? use[k].cpu[0].n : 0)) {
			use[k].cpu[0] = t;
			use[k].ncpu = 1;
		}
	}
	return true;
}

struct piece {
	uint64_t from, until, end;	/* ns; end: of the file */
};

/* From the first to the last record of these threads, in the range of the view. */
static struct piece
picture_piece_of(const struct session *s, const struct store *st, const struct thread_use *use, size_t n)
{
	struct piece p = { UINT64_MAX, 0, tracks_end(st) };
	uint64_t from, until, first, last;

	for (size_t k = 0; k < n; k++)
		for (unsigned i = 0; i < use[k].ncpu + use[k].has_states; i++) {
			const struct track *t = i < use[k].ncpu ? &use[k].cpu[i] : &use[k].states;

			first = column_get(t->time, t->first);
			last = i < use[k].ncpu ? column_get(t->time, t->first + t->n - 1) : p.end;
			p.from = first < p.from ? first : p.from;
			p.until = last > p.until ? last : p.until;
		}
	if (view_range(session_store(s), &from, &until)) {
		p.from = from > p.from ? from : p.from;
		p.until = until < p.until ? until : p.until;
	}
	p.from = p.from < p.until ? p.from : p.until;
	return p;
}

/* The bars of one thread; none if it is not known how long it ran. */
static bool
draw_use(struct answering *a, const struct store *st, const struct thread_use *u, const struct piece *p,
    struct overview_item *to, struct err *err)
{
	uint64_t time, run, was = 0, before = 0, sum[KINDS];
	struct sums_place place = { .n = 0 };
	struct track_sums sums = { .nkinds = 0 };
	bool states = u->ncpu == 0;

	if (states && !sums_make(&sums, st, &u->states, p->end, true, a->work, err)) {
		sums_free(&sums);
		return false;
	}
	for (unsigned i = 0; i <= OVERVIEW_PARTS && (!states || sums.total[KIND_RUN] > 0); i++) {
		time = p->from + (uint64_t)((unsigned __int128)(p->until - p->from) * i / OVERVIEW_PARTS);
		run = 0;
		if (states) {
			sums_at(&sums, time, &place, sum);
			run = sum[KIND_RUN];
		}
		for (unsigned k = 0; k < u->ncpu; k++)
			run = num_add(run, track_total(&u->cpu[k], time));
		if (i > 0)
			to->bar[to->bars++] = (uint8_t)use_step(run > was ? run - was : 0, time - before);
		was = run;
		before = time;
	}
	sums_free(&sums);
	return true;
}

/* Bars of the threads that its query finds.  Without any bar there is no picture. */
static bool
own_use(struct answering *a, struct err *err)
{
	struct store *st = a->session->store[a->session->at];
	struct thread_use use[OVERVIEW_ROWS] = { { .thread = 0 } };
	struct overview_item *to;
	struct piece piece;
	bool ok, some = false;

	for (uint64_t row = 0; row < OVERVIEW_ROWS && rows_reach(a->asked.rows, row + 1) > row; row++)
		if ((to = answering_row(a, row)) != NULL)
			use[a->answer->n - 1].thread = to->id;
	ok = rows_whole(a->asked.rows, err) && ((load_shapes(st) & SHAPE_TRACKS) == 0 ||
	    pass_want(st, COL_TRACK_KIND, a->work, err)) &&
	    (!sampled_has(st) || pass_want(st, COL_SAMPLED_FIRST, a->work, err)) &&
	    take_tracks(a, st, use, a->answer->n, err);
	piece = picture_piece_of(a->session, st, use, ok ? a->answer->n : 0);
	for (size_t i = 0; ok && i < a->answer->n; i++) {
		to = &a->answer->item[i];
		ok = (use[i].ncpu == 0 && !use[i].has_states) || draw_use(a, st, &use[i], &piece, to, err);
		for (size_t k = 0; k < to->bars; k++)
			some = some || to->bar[k] > 0;
	}
	if (ok && !some)
		overview_free(a->answer);
	return ok;
}

/* ---- which picture ------------------------------------------------------------------ */

/* The first one with rows is shown. */
static const struct overview_line pictures[] = {
	{ SHAPE_TASKS, 0, "CPU use over time",
	    "tasks | where cpu > 0 | top 16 cpu | select cpu as value label id as thread_id", "{label}",
	    "tasks", .own = own_use },
	{ SHAPE_CALLS, SHAPE_TASKS, "CPU use over time",
	    "threads | where cpu > 0 | top 16 cpu | select cpu as value label id as thread_id",
	    "{label}", "threads", .own = own_use, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_TRACKS, SHAPE_CALLS | SHAPE_TASKS | SHAPE_SAMPLES, "CPU use over time",
	    "tracks | where kind = cpu and growth > 0 | "
	    "top 16 growth | select growth as value thread thread_id", "{thread}", "tracks", .own = own_use },
	{ SHAPE_SAMPLES, SHAPE_CALLS | SHAPE_MONEY | SHAPE_GRAPH | SHAPE_DUMPS, "CPU use over time",
	    "threads | where total > 0 | top 16 total | "
	    "select total as value label id as thread_id", "{label}", "threads", .own = own_use,
	    .threads = true, .weights = WEIGHTS_OF_ONE },
	{ SHAPE_TREES, SHAPE_MONEY | SHAPE_GRAPH, "hottest path", .own = own_hot_steps, .opens = "calls",
	    .weights = WEIGHTS_OF_ONE },
	{ SHAPE_GRAPH, 0, "largest classes",
	    "classes | where name != java.lang.Class and retained > 0 | top 16 retained | "
	    "select retained as value name", "{name}", "classes",
	    .of = "info | where field = percent_of | select value", .rows = OVERVIEW_ROWS, .objects = true },
	{ .name = NULL }
};

/* Return whether the answer is a picture. An explanation of a missing picture has no number. */
static bool
is_picture(const struct overview_answer *answer)
{
	return answer->n > 0 && (answer->item[0].shared || answer->item[0].value.type != CELL_NONE);
}

bool
overview_picture(const struct overview_line **line, struct session *session, struct overview_answer *answer,
    struct work *work, struct err *err)
{
	for (*line = pictures; (*line)->name != NULL; ++*line) {
		if (!overview_fits(*line, session, false))
			continue;
		if (!overview_answer(*line, session, answer, work, err))
			return false;
		if (is_picture(answer))
			return true;
		overview_free(answer);
	}
	return true;
}
