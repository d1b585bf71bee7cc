/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run: from a parsed query to its rows.
 *
 * View stages do not work on rows: with the source in front of them they say what the source sees.  So a
 * query falls into steps, each a source with its view stages or another stage, and each begins with the
 * session that the step before left.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/code.h"
#include "icecore/facts.h"
#include "run.h"

/* ---- steps --------------------------------------------------------------- */

/* Find the command with the same word and kind that fits these shapes; otherwise c. */
static const struct command *
command_like(const struct command *c, unsigned shapes)
{
	for (size_t i = 0; commands[i] != NULL; i++)
		if (commands[i]->of_threads == c->of_threads &&
		    (commands[i]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) &&
		    command_fits(commands[i], shapes) && strcmp(commands[i]->word, c->word) == 0)
			return commands[i];
	return c;
}

struct stage
stage_for(const struct query *q, size_t i, unsigned shapes)
{
	struct stage s = q->stage[i];

	s.command = i == 0 ? command_find(str_of(s.command->word), true, shapes) :
	    command_like(s.command, shapes);
	return s;
}

/*
 * Kinds of files, most specific first, by one of their shapes and by their side files.  A kind is not listed
 * together with a part of it.
 */
static const struct {
	unsigned	 shapes;
	const char	*name;
	unsigned	 part, with;
} kinds[] = {
	{ SHAPE_GRAPH, "heap dumps" }, { SHAPE_VALUES, "Java heap dumps", SHAPE_GRAPH },
	{ SHAPE_TEXTS, "heap dumps with texts", SHAPE_GRAPH | SHAPE_VALUES }, { SHAPE_CODE, "bytecode" },
	{ SHAPE_MONEY, "bank statements" },
	{ SHAPE_TABLE, "tables" },
	{ SHAPE_COSTS, "call graphs" }, { SHAPE_TRIAGE, "rows of icecore triage" },
	{ SHAPE_DUMPS, "stack dumps" }, { SHAPE_COUNTS, "class histograms" },
	{ SHAPE_NATIVE, "reports of native memory" },
	{ SHAPE_TASKS, "scheduler traces" }, { SHAPE_LASTING, "recordings" },
	{ SHAPE_CALLS | SHAPE_INTERVALS, "traces" }, { SHAPE_SAMPLES, "profiles" },
	{ SHAPE_EVENTS, "traces with samples" },
	{ SHAPE_MARKS, "trace events" }, { SHAPE_TRACKS, "traces with tracks",
	    SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TASKS },
	{ SHAPE_TREES, "traces and profiles with bytecode (--classes)", SHAPE_TREES, SHAPE_CODE },
	{ SHAPE_GRAPH, "heap dumps with bytecode (--classes)", SHAPE_GRAPH, SHAPE_CODE },
	{ SHAPE_MADE, "heap dumps with a recording", SHAPE_GRAPH },
	    { SHAPE_SITES, "heap dumps with allocation sites", SHAPE_GRAPH }
};

static const char *
run_kind_of(unsigned shapes)
{
	for (size_t i = 0; i < NELEM(kinds); i++)
		if ((kinds[i].shapes & shapes) != 0 && (kinds[i].with & ~shapes) == 0)
			return kinds[i].name;
	return "this file";
}

/* Return the shapes of files on which a word works in that place. */
static unsigned
shapes_of_word(const struct command *c, unsigned with)
{
	unsigned shapes = 0;

	for (size_t i = 0; commands[i] != NULL; i++)
		if ((commands[i]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) &&
		    commands[i]->with == with && strcmp(commands[i]->word, c->word) == 0)
			shapes |= commands[i]->shapes;
	return shapes;
}

/* Append the kinds of files that a word works on in that place: "traces, profiles and heap dumps". */
static void
list_kinds(struct buf *b, const struct command *c)
{
	const char *found[NELEM(kinds)];
	unsigned alone = shapes_of_word(c, 0);
	size_t n = 0;

	for (size_t i = 0; i < NELEM(kinds); i++)
		if ((kinds[i].shapes & shapes_of_word(c, kinds[i].with)) != 0 && (kinds[i].part & alone) == 0)
			found[n++] = kinds[i].name;
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", found[i]);
}

/* List the sources that can begin a query over such a file. */
static void
list_sources(struct buf *b, unsigned shapes)
{
	const char *between = "; use ";

	for (size_t i = 0; commands[i] != NULL; i++) {
		if (commands[i]->kind != COMMAND_SOURCE || commands[i]->no_file ||
		    !command_fits(commands[i], shapes) || !command_leads(i, shapes))
			continue;
		buf_printf(b, "%s%s", between, commands[i]->word);
		between = ", ";
	}
}

/* Fail if the command does not fit files of these shapes. */
static bool
check_fit(const struct stage *s, unsigned shapes, struct err *err)
{
	const struct command *c = s->command;
	struct buf what = BUF_INIT;

	if (command_fits(c, shapes))
		return true;
	list_kinds(&what, c);
	if (c->to_get != NULL)
		buf_printf(&what, "; it needs %s", c->to_get);
	else
		buf_printf(&what, ", not on %s", run_kind_of(shapes));
	if (load_graph_only(shapes) && (c->shapes & SHAPE_TREES) != 0)
		buf_str(&what, STR(": a call graph does not say the paths; see Methods and its callers"));
	if ((shapes & SHAPE_COUNTS) != 0 && (c->shapes & (SHAPE_GRAPH | SHAPE_VALUES | SHAPE_TEXTS)) != 0)
		buf_str(&what, STR(": a class histogram has no objects; dump the heap: jcmd PID GC.heap_dump FILE"));
	if (c->to_get == NULL && c->kind == COMMAND_SOURCE)
		list_sources(&what, shapes);
	fail_at(err, E_USAGE, s->at, "'%s' works on %s", c->word, what.bad ? "other files" : what.s);
	buf_free(&what);
	return false;
}

size_t
views_behind(const struct query *q, size_t i, unsigned shapes)
{
	enum command_views views = q->stage[i].command->view == NULL ? q->stage[i].command->views :
	    VIEWS_NONE;
	const struct command *source = command_find(str_of(q->stage[i].command->word), true, shapes);
	bool trees = (shapes & SHAPE_TREES) != 0 && views == VIEWS_OF_TREES &&
	    !(source != NULL && source->by_rows);
	size_t n = 0;

	while (views != VIEWS_NONE && i + n + 1 < q->nstages && q->stage[i + n + 1].command->view != NULL &&
	    (trees || !compares(q, i + n + 1)))
		n++;
	return n;
}

bool
compares(const struct query *q, size_t i)
{
	return i > 0 && q->stage[i].command->compares;
}

bool
of_threads(const struct query *q, size_t i)
{
	return i > 0 && q->stage[i].command->of_threads;
}

struct stage
source_for(const struct query *q, size_t i, unsigned shapes)
{
	struct stage s = q->stage[i];

	s.command = command_find(str_of(s.command->word), true, shapes);
	return s;
}

/* ---- views that were made --------------------------------------------------- */

/* Hash everything that a view of the session depends on. */
uint64_t
made_stamp(const struct session *s)
{
	uint64_t of[5 + SESSION_STORES] = { store_serial(session_store(s)), s->at, s->clock, s->refs,
	    s->sizes };

	for (size_t i = 0; i < s->nstores; i++)
		of[5 + i] = store_serial(s->store[i]);
	return hash_bytes(of, sizeof of, 0);
}

struct made *
find_made(struct query *q, size_t i, const struct session *session)
{
	uint64_t stamp = made_stamp(session);
	struct made *m;

	pthread_mutex_lock(&q->lock);
	for (m = q->made; m != NULL; m = m->next)
		if (m->stage == i && m->stamp == stamp)
			break;
	pthread_mutex_unlock(&q->lock);
	return m;
}

/* ---- rows ---------------------------------------------------------------- */

/*
 * Mark all rows that the command opened.  It may stack several: fields of objects, objects of its arguments.
 */
static void
mark_rows(struct rows *r, const struct rows *in, const struct command *c, size_t i)
{
	for (; r != NULL && r != in; r = r->in) {
		r->command = c;
		r->step = i;
	}
}

/* i: its number. */
static bool
open_stage(struct session *session, const struct stage *s, size_t i, unsigned shapes,
    struct rows **rows, struct err *err)
{
	struct stage fit = *s;
	struct rows *in = *rows;

	*rows = NULL;
	if (!check_fit(s, shapes, err) || !stage_has_needed(s, err)) {
		rows_close(in);
		return false;
	}
	/* A view stage: directly behind a source it would be part of that source's view. */
	if (s->command->open == NULL) {
		rows_close(in);
		return fail_at(err, E_USAGE, s->at, "'%s' must directly follow calls, merged, inverted, methods or "
		    "threads, e.g. '%s'", s->command->word, s->command->example);
	}
	fit.shapes = shapes;
	if (!s->command->open(session, &fit, in, rows, err)) {
		*rows = NULL;
		return false;
	}
	mark_rows(*rows, in, s->command, i);
	/* Columns may have been made for its arguments. */
	if ((*rows)->same) {
		(*rows)->cols = (*rows)->in->cols;
		(*rows)->ncols = (*rows)->in->ncols;
	}
	return true;
}

/* A stage for threads must follow rows of source threads that still have column id. */
static bool
check_threads(const struct stage *s, const struct command *source, const struct rows *rows,
    struct err *err)
{
	int col = rows_column(rows, STR("id"));

	if (source->lists_threads && col >= 0 &&
	    rows->cols[col].type == CELL_ID)
		return true;
	return fail_at(err, E_USAGE, s->at, "'%s' starts a query or follows threads (column id), e.g. '%s'",
	    s->command->word, s->command->example);
}

static bool
check_views(const struct query *q, size_t i, size_t n, const struct session *session,
    unsigned *shapes, struct err *err)
{
	struct plan *plan;
	struct stage s;

	for (size_t k = i; k <= i + n; k++) {
		s = stage_for(q, k, *shapes);
		/* The costs of a graph do not change with its tree. */
		if (!check_fit(&s, source_for(q, i, *shapes).command->shapes == SHAPE_COSTS ? SHAPE_COSTS :
		    *shapes, err))
			return false;
	}
	if (!plan_open(&plan, session, &q->stage[i], n, err))
		return false;
	if (plan_samples(plan) && (*shapes & SHAPE_COSTS) == 0)
		*shapes = SHAPE_SAMPLES;
	plan_close(plan);
	return true;
}

/* Note the compared event, if the two files would show different ones by default. */
static void
note_event(struct rows *rows, const struct store *view)
{
	struct str event = fact_text(view, FACT_TRACE_COMPARED);

	if (event.n > 0)
		rows_note_add(rows, "compared by event %.*s, which both files have; choose with --event",
		    (int)event.n, event.s);
}

/* Open a source over its view; set *session and *shapes to those of the view. */
static bool
open_shown(struct query *q, size_t i, size_t n, struct session **session,
    unsigned *shapes, struct touching *touching, struct rows **rows, struct err *err)
{
	struct made *made = NULL;
	struct stage s;

	/* Making the view read the ids of the threads in front of the source. */
	if (*rows != NULL && touching != NULL)
		rows_touch(*rows, COLUMN_BIT((size_t)rows_column(*rows, STR("id"))), touching);
	rows_close(*rows);
	*rows = NULL;
	if (!check_views(q, i, n, *session, shapes, err))
		return false;
	if ((*session)->nstores > 0) {
		made = find_made(q, i, *session);
		if (made == NULL)
			return fail(err, E_USAGE,
			    "still indexing; try again when done");
		*session = &made->session;
		*shapes = session_shapes(*session);
	}
	s = source_for(q, i, *shapes);
	if (!open_stage(*session, &s, i, *shapes, rows, err))
		return false;
	if (made != NULL && made->view != NULL)
		note_event(*rows, made->view);
	return true;
}

/*
 * Open the rows in front of diff over both files.  Only once: each further diff would double the work before
 * it.
 */
static bool
open_compared(struct query *q, size_t i, const struct command *source, bool compared,
    struct session **session, unsigned shapes, struct touching *touching, struct rows **rows, struct err *err)
{
	struct session *first = *session;
	struct rows *before, *after;
	struct made *made = NULL;

	rows_close(*rows);
	*rows = NULL;
	if (compared)
		return fail_at(err, E_USAGE, q->stage[i].at, "rows are already a diff");
	if ((*session)->nstores > 0) {
		made = find_made(q, i, *session);
		if (made == NULL)
			return fail(err, E_USAGE, "still indexing; try again when done");
		first = &made->before;
		*session = &made->session;
	}
	if (!open_until(q, i, first, made == NULL ? shapes : session_shapes(first), touching, &before, err))
		return false;
	if (!open_until(q, i, *session, made == NULL ? shapes : session_shapes(*session), touching, &after,
	    err)) {
		rows_close(before);
		return false;
	}
	return diff_open(*session, &q->stage[i], source, before, after, rows, err);
}

bool
open_until(struct query *q, size_t end, struct session *session, unsigned shapes,
    struct touching *touching, struct rows **out, struct err *err)
{
	const struct command *source = NULL;
	struct rows *rows = NULL;
	bool compared = false;
	struct stage s;
	size_t n;

	for (size_t i = 0; i < end; i += 1 + n) {
		n = views_behind(q, i, shapes);
		s = stage_for(q, i, shapes);
		if (compares(q, i)) {
			if (!open_compared(q, i, source, compared, &session, shapes, touching, &rows, err))
				return false;
			compared = true;
			rows->asked = (struct str){ q->text.s, s.end };
			continue;
		}
		if (of_threads(q, i) && !check_threads(&s, source, rows, err)) {
			rows_close(rows);
			return false;
		}
		if (i == 0 || of_threads(q, i))
			source = s.command;
		if (!(n > 0 || of_threads(q, i) ?
		    open_shown(q, i, n, &session, &shapes, touching, &rows, err) :
		    open_stage(session, &s, i, shapes, &rows, err)))
			return false;
		rows->asked = (struct str){ q->text.s, q->stage[i + n].end };
	}
	*out = rows;
	return true;
}

bool
query_rows(struct query *q, struct session *session, unsigned shapes,
    struct rows **out, struct err *err)
{
	return open_until(q, q->nstages, session, shapes, NULL, out, err);
}

/* ---- queries in parentheses ------------------------------------------------ */

struct session *
nested_session(struct session *s)
{
	return s->plain != NULL ? s->plain : s;
}

static unsigned
own_shapes(const struct session *own, unsigned shapes)
{
	return own->nstores == 0 ? shapes : session_shapes(own);
}

bool
nested_shift(const struct nested_query *n, struct err *err)
{
	if (err->at != ERR_NOWHERE)
		err->at += n->at;
	return false;
}

bool
nested_open(const struct nested *nested, struct session *session, unsigned shapes, struct rows **out,
    struct err *err)
{
	const struct nested_query *n = (const struct nested_query *)nested;
	struct session *own = nested_session(session);

	return query_rows(n->query, own, own_shapes(own, shapes), out, err) || nested_shift(n, err);
}
