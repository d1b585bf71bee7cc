/*
 * q_states: what threads were doing, stretch after stretch, with the CPU time in it.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/view.h"
#include "query/trace/trace.h"

struct stretch {
	uint64_t	start, end;
	uint32_t	thread, state;
};

struct states_rows {
	struct rows		 rows;
	const struct store	*store;
	struct thread_list	 threads;	/* empty: all */
	size_t			 next;		/* track to be read */
	struct track		 track;		/* the one that is read */
	uint64_t		 at;		/* its next point */
	struct scratch		 list;		/* struct stretch */
	uint64_t		 n, end;
	uint64_t		 from, to;	/* what is wanted of them */
	struct track_index	 cpu;
	struct buf		 text;
};

/* What is not a member of struct stretch. */
enum { STATES_STATE = FIELD_OWN, STATES_WALL, STATES_CPU, STATES_CPU_PCT, STATES_CLASS };

static const struct coldef states_cols[] = {
	{ "thread", CELL_TEXT, "name of the thread", false, THREAD_OF(struct stretch, thread) },
	{ "state", CELL_TEXT, "what it was doing, in the words of the file", false, STATES_STATE },
	{ "start_wall", CELL_TIME, "when that began", false, FIELD_OF(struct stretch, start) },
	{ "wall", CELL_TIME, "how long it took", false, STATES_WALL },
	{ "cpu", CELL_TIME, "CPU time of the thread in it, where the file tells", false, STATES_CPU },
	{ "cpu_pct", CELL_PERCENT, "the same as part of the time", false, STATES_CPU_PCT },
	{ "class", CELL_TEXT, "running, runnable, native, sleeping, blocked or other", true, STATES_CLASS },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct stretch, thread) }
};

/* ---- reading ----------------------------------------------------------------------- */

static bool
is_chosen(const struct thread_list *list, uint32_t thread)
{
	size_t i;

	for (i = 0; i < list->n && list->id[i] != thread; i++)
		;
	return list->n == 0 || i < list->n;
}

static bool
next_track(struct states_rows *s)
{
	size_t n = tracks_count(s->store);

	s->at = 0;
	while (s->next < n)
		if (track_get(s->store, s->next++, &s->track) && s->track.kind == TRACK_STATE &&
		    is_chosen(&s->threads, s->track.thread))
			return true;
	return false;
}

/* One stretch of points with one state; those that take no time, or of which nothing is known, are left out. */
static bool
read_stretch(struct states_rows *s)
{
	const struct track *t = &s->track;
	uint64_t i = t->first + s->at, end = t->first + t->n, state = column_get(t->value, i);
	struct stretch x = { column_get(t->time, i), 0, t->thread, (uint32_t)state };

	for (i++; i < end && column_get(t->value, i) == state; i++)
		;
	x.end = i < end ? column_get(t->time, i) : s->end;
	s->at = i - t->first;
	x.start = x.start > s->from ? x.start : s->from;
	x.end = x.end < s->to ? x.end : s->to;
	if (x.end <= x.start || state >= STATE_NONE)
		return true;
	return scratch_add(&s->list, &s->n, &x, sizeof x, &s->rows.err);
}

static uint64_t
states_reach(struct rows *r, uint64_t n)
{
	struct states_rows *s = (struct states_rows *)r;

	while (s->store != NULL && s->n < n && r->err.kind == E_NONE) {
		if (!rows_tick(r, s->n) || (s->at >= s->track.n && !next_track(s)))
			break;
		if (s->at < s->track.n && !read_stretch(s))
			break;
	}
	return s->n;
}

/* ---- rows -------------------------------------------------------------------------- */

static void
states_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const char *const classes[] = {
		[STATE_RUNNING] = "running", [STATE_RUNNABLE] = "runnable",
		[STATE_NATIVE] = "native", [STATE_SLEEPING] = "sleeping",
		[STATE_BLOCKED] = "blocked", [STATE_OTHER] = "other"
	};
	struct states_rows *s = (struct states_rows *)r;
	const struct stretch *x = &SCRATCH(s->list, struct stretch)[row];
	unsigned what = r->cols[col].kind;
	struct cell cpu, use;

	if (cell_member(r, s->store, x, col, &s->text, c))
		return;
	if (what == STATES_STATE)
		c->text = str_of(state_name(s->store, x->state));
	else if (what == STATES_CLASS)
		c->text = str_of(classes[state_class(s->store, x->state)]);
	else if (what == STATES_WALL)
		c->u = x->end - x->start;
	else {
		cell_cpu_inside(&s->cpu, s->store, x->thread, x->start, x->end, &cpu, &use);
		*c = what == STATES_CPU ? cpu : use;
	}
}

static void
states_close(struct rows *r)
{
	struct states_rows *s = (struct states_rows *)r;

	free(s->threads.id);
	scratch_free(&s->list);
	idmap_free(&s->cpu.places);
	buf_free(&s->text);
}

static const struct rows_ops states_ops = { .reach = states_reach, .cell = states_cell,
	.close = states_close };

static bool
states_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct states_rows *s = rows_of_command(sizeof *s, &states_ops, session, stage, in, err);

	if (s == NULL)
		return false;
	s->cpu = TRACK_INDEX("cpu");
	s->store = session_store(session);
	if (s->store != NULL) {
		s->end = tracks_end(s->store);
		view_range(s->store, &s->from, &s->to);
	}
	return rows_opened(&s->rows, threads_of_stage(&s->threads, s->store, stage, false, err), out);
}

static const enum col needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

const struct command source_states = {
	SOURCE("states", "what threads were doing over time, as far as the file tells",
	    "states | where class = native and wall > 50ms and cpu_pct < 10", states_open),
	OVER(SHAPE_TRACKS, states_cols),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
