/*
 * q_switches: the switches and wakeups of a scheduler trace, one by one.
 */
#include "config.h"

#include "query/trace/trace.h"
#include "icecore/sched.h"
#include "icecore/view.h"

enum kind { KIND_ID, KIND_NUMBER, KIND_CPU, KIND_TASK, KIND_LETTER };

struct source {
	const struct coldef	*cols;
	size_t			 ncols;
	const struct shown {
		enum kind	 kind;
		const char	*column;
	}			*shown;
};

#define SHOWN_MAX 8

struct switches {
	struct rows		 rows;
	const struct store	*store;
	const struct source	*source;
	const struct column	*column[SHOWN_MAX];
	uint64_t		 first, n;	/* rows of the columns */
	struct buf		 text;
	char			 letter;
};

static uint64_t
switches_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct switches *)r)->n;
}

static void
switches_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct switches *s = (struct switches *)r;
	uint64_t at = s->first + row, v = column_get(s->column[col], at);

	c->type = r->cols[col].type;
	switch (s->source->shown[col].kind) {
	case KIND_ID:
		c->u = at + 1;
		break;
	case KIND_NUMBER:
		c->u = v;
		break;
	case KIND_CPU:
		c->u = v;
		if (v == SWITCH_NO_CPU)
			c->type = CELL_NONE;
		break;
	case KIND_TASK:
		buf_clear(&s->text);
		thread_name(s->store, (uint32_t)v, &s->text);
		cell_text(r, c, &s->text);
		break;
	case KIND_LETTER:
		s->letter = (char)v;
		c->text = (struct str){ &s->letter, v != 0 };
		break;
	}
}

static void
switches_close(struct rows *r)
{
	buf_free(&((struct switches *)r)->text);
}

static const struct rows_ops switches_ops = { .reach = switches_reach, .cell = switches_cell,
	.close = switches_close };

/* Times rise. */
static void
limit(struct switches *s, const struct column *time)
{
	uint64_t from, to;

	s->n = time == NULL ? 0 : time->rows;
	if (!view_range(s->store, &from, &to))
		return;
	s->first = column_place(time, from);
	s->n = column_place(time, to) - s->first;
}

static bool
open_source(struct session *session, const struct stage *stage, const struct source *source,
    struct rows *in, struct rows **out, struct err *err)
{
	struct switches *s;
	size_t i;

	if (!stage_at_most(stage, 0, err) ||
	    (s = rows_new(sizeof *s, &switches_ops, session, in, err)) == NULL)
		return false;
	s->rows.cols = source->cols;
	s->rows.ncols = source->ncols;
	s->source = source;
	s->store = session_store(session);
	for (i = 0; s->store != NULL && i < source->ncols; i++)
		if (source->shown[i].column != NULL)
			s->column[i] = store_column(s->store, source->shown[i].column);
	/* All sources show the time behind the number. */
	if (s->store != NULL)
		limit(s, s->column[1]);
	*out = &s->rows;
	return true;
}

/* ---- switches ---------------------------------------------------------------------- */

static const struct coldef switch_cols[] = {
	{ "id", CELL_ID, "number of the switch, in order of time", false },
	{ "time", CELL_TIME, "when, since the first event", false },
	{ "cpu", CELL_ID, "on which CPU, where the file tells", false },
	{ "from", CELL_TEXT, "the task that leaves; empty: the idle task", false },
	{ "state", CELL_TEXT, "the letter of the state it leaves in", false },
	{ "to", CELL_TEXT, "the task that comes; empty: the idle task", false },
	{ "from_id", CELL_ID, "id of the task that leaves, 0: the idle task", true },
	{ "to_id", CELL_ID, "id of the task that comes, 0: the idle task", true }
};

static bool
switches_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	static const struct shown shown[NELEM(switch_cols)] = {
		{ KIND_ID, NULL }, { KIND_NUMBER, "switch.time" }, { KIND_CPU, "switch.cpu" },
		{ KIND_TASK, "switch.from" }, { KIND_LETTER, "switch.state" }, { KIND_TASK, "switch.to" },
		{ KIND_NUMBER, "switch.from" }, { KIND_NUMBER, "switch.to" }
	};
	static const struct source source = { switch_cols, NELEM(switch_cols), shown };

	return open_source(session, stage, &source, in, out, err);
}

static const char *const switches_needs[] = { "switch.time", "thread.tid", NULL };

const struct command source_switches = {
	.word = "switches",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the switches from task to task",
	.example = "switches | where cpu = 0 | head 3",
	.needs = switches_needs,
	.cols = switch_cols,
	.ncols = NELEM(switch_cols),
	.views = VIEWS_OF_TIMES,
	.open = switches_open
};

/* ---- wakeups ------------------------------------------------------------------------- */

static const struct coldef wakeup_cols[] = {
	{ "id", CELL_ID, "number of the wakeup, in order of time", false },
	{ "time", CELL_TIME, "when, since the first event", false },
	{ "task", CELL_TEXT, "who is woken", false },
	{ "task_id", CELL_ID, "id of that task", true }
};

static bool
wakeups_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	static const struct shown shown[NELEM(wakeup_cols)] = {
		{ KIND_ID, NULL }, { KIND_NUMBER, "wake.time" }, { KIND_TASK, "wake.thread" },
		{ KIND_NUMBER, "wake.thread" }
	};
	static const struct source source = { wakeup_cols, NELEM(wakeup_cols), shown };

	return open_source(session, stage, &source, in, out, err);
}

static const char *const wakeups_needs[] = { "wake.time", "thread.tid", NULL };

const struct command source_wakeups = {
	.word = "wakeups",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the wakeups of tasks",
	.example = "wakeups | group task : count | sort -count | head 5",
	.needs = wakeups_needs,
	.cols = wakeup_cols,
	.ncols = NELEM(wakeup_cols),
	.views = VIEWS_OF_TIMES,
	.open = wakeups_open
};
