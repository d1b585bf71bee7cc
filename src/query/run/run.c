/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run: from a parsed query to its rows.
 *
 * View stages do not work on rows: with the source in front of them they say what the source sees.  So a query falls into
 * steps, each a source with its view stages or another stage, and each begins with the session that the step before left.
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
		if (commands[i]->of_threads == c->of_threads && (commands[i]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) &&
		    command_fits(commands[i], shapes) && strcmp(commands[i]->word, c->word) == 0)
			return commands[i];
	return c;
}

struct stage
stage_for(const struct query *q, size_t i, unsigned shapes)
{
	struct stage s = q->stage[i];

	s.command = i == 0 ? command_find(str_of(s.command->word), true, shapes) : command_like(s.command, shapes);
	return s;
}

/*
 * Kinds of files, most specific first, by one of their shapes and by their side files.  A kind is not listed together
 * with a part of it.
 */
static const struct {
	unsigned	 shapes;
	const char	*name;
	unsigned	 part, with;
} kinds[] = {
	{ SHAPE_GRAPH, "heap dumps" }, { SHAPE_CODE, "bytecode" }, { SHAPE_MONEY, "bank statements" }, { SHAPE_TABLE, "tables" },
	{ SHAPE_COSTS, "call graphs" }, { SHAPE_TRIAGE, "rows of icecore triage" }, { SHAPE_DUMPS, "stack dumps" }, { SHAPE_TASKS, "scheduler traces" }, { SHAPE_LASTING, "recordings" },
	{ SHAPE_CALLS | SHAPE_INTERVALS, "traces" }, { SHAPE_SAMPLES, "profiles" }, { SHAPE_EVENTS, "traces with samples" },
	{ SHAPE_MARKS, "trace events" }, { SHAPE_TRACKS, "traces with tracks", SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TASKS },
	{ SHAPE_TREES, "traces and profiles with bytecode (--classes)", SHAPE_TREES, SHAPE_CODE },
	{ SHAPE_GRAPH, "heap dumps with bytecode (--classes)", SHAPE_GRAPH, SHAPE_CODE },
	{ SHAPE_MADE, "heap dumps with a recording", SHAPE_GRAPH }
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
		if ((commands[i]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) && commands[i]->with == with &&
		    strcmp(commands[i]->word, c->word) == 0)
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
	if (c->to_get == NULL && c->kind == COMMAND_SOURCE)
		list_sources(&what, shapes);
	fail_at(err, E_USAGE, s->at, "'%s' works on %s", c->word, what.bad ? "other files" : what.s);
	buf_free(&what);
	return false;
}

size_t
views_behind(const struct query *q, size_t i, unsigned shapes)
{
	enum command_views views = q->stage[i].command->view == NULL ? q->stage[i].command->views : VIEWS_NONE;
	const struct command *source = command_find(str_of(q->stage[i].command->word), true, shapes);
	bool trees = (shapes & SHAPE_TREES) != 0 && views == VIEWS_OF_TREES && !(source != NULL && source->by_rows);
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

/* ---- rows ---------------------------------------------------------------- */

/* Mark all rows that the command opened.  It may stack several: fields of objects, objects of its arguments. */
static void
run_mark_rows(struct rows *r, const struct rows *in, const struct command *c, size_t i)
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
	run_mark_rows(*rows, in, s->command, i);
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
		if (!check_fit(&s, source_for(q, i, *shapes).command->shapes == SHAPE_COSTS ? SHAPE_COSTS : *shapes, err))
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
		rows_note_add(rows, "compared by event %.*s, which both files have; choose with --event", (int)event.n, event.s);
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

/* Open the rows in front of diff over both files.  Only once: each further diff would double the work before it. */
static bool
open_compared(struct query *q, size_t i, const struct command *source, bool compared, struct session **session,
    unsigned shapes, struct touching *touching, struct rows **rows, struct err *err)
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
	if (!open_until(q, i, *session, made == NULL ? shapes : session_shapes(*session), touching, &after, err)) {
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

/* ---- checks -------------------------------------------------------------- */

enum query_files
query_files(const struct query *q)
{
	const struct command *c = q->stage[0].command;

	if (c->one_by_one)
		return QUERY_FILES_IN_TURN;
	for (size_t i = 1; i < q->nstages; i++)
		if (q->stage[i].command->names_file)
			return QUERY_KNOWS_FILES;
	return c->all_files || c->no_file || (c->args_no_file && q->stage[0].n > 0) ? QUERY_KNOWS_FILES : QUERY_ONE_FILE;
}

/*
 * A query is checked by opening it over the store of no file: every command looks at its arguments and at the columns it gets when
 * it is opened, and at rows only when it is asked for some.
 */
static bool
check_for(struct query *q, unsigned shapes, struct err *err)
{
	struct session nothing = { .view = store_blank() };
	struct rows *rows;

	if (!query_rows(q, &nothing, shapes, &rows, err))
		return false;
	rows_close(rows);
	return true;
}

bool
words_fit(const struct query *q, unsigned shapes)
{
	for (size_t i = 0; i < q->nstages; i++)
		if (!command_fits(stage_for(q, i, shapes).command, shapes))
			return false;
	return nested_words_fit(q, shapes);
}

/* Rank an error: higher if all words fit this kind of file, and if it is not a column that another kind may have. */
static unsigned
mistake_rank(const struct query *q, unsigned shapes, const struct err *err)
{
	return 2 * words_fit(q, shapes) + (err->reason != REASON_NO_COLUMN);
}

/* The most helpful error so far and its rank (0: no error yet). */
struct mistake {
	struct err	err;
	unsigned	rank;
};

static bool
check_kind(struct query *q, unsigned shapes, struct mistake *worst)
{
	struct err err = { .at = ERR_NOWHERE };
	unsigned rank;

	if (check_for(q, shapes, &err))
		return true;
	rank = 1 + mistake_rank(q, shapes, &err);
	if (rank > worst->rank || (rank == worst->rank && err.at > worst->err.at))
		*worst = (struct mistake){ err, rank };
	return false;
}

/* Formats of the same shapes allow the same queries. */
static bool
checked_before(size_t i)
{
	size_t k = 0;

	while (loaders[k]->shapes != loaders[i]->shapes)
		k++;
	return k < i;
}

/*
 * The query must be valid for at least one kind of file.  Otherwise report the error of the highest rank; among equal
 * ranks the one farthest to the right.
 */
bool
query_check(struct query *q, struct err *err)
{
	struct mistake worst = { .rank = 0 };
	bool right = false;

	for (size_t i = 0; !right && loaders[i] != NULL; i++)
		right = !checked_before(i) && check_kind(q, loaders[i]->shapes, &worst);
	/* Bytecode may be opened with any file, a recording with a heap dump. */
	for (size_t i = 0; !right && loaders[i] != NULL; i++)
		right = !checked_before(i) && check_kind(q, loaders[i]->shapes | SHAPE_CODE, &worst);
	for (size_t i = 0; !right && loaders[i] != NULL; i++)
		right = !checked_before(i) && check_kind(q, load_recording_shapes(loaders[i]->shapes), &worst);
	if (!right)
		*err = worst.err;
	return right;
}

bool
query_fits(struct query *q, const struct session *session, struct err *err)
{
	struct str hint = fact_text(session_store(session), FACT_TRACE_HINT);

	/* The query may fit a table once its columns are chosen: report how to choose them. */
	return check_for(q, session_shapes(session), err) || (hint.n > 0 && !words_fit(q, session_shapes(session)) ?
	    fail(err, E_USAGE, "%.*s", (int)hint.n, hint.s) : false);
}

bool
query_writes(const struct query *q)
{
	return q->stage[q->nstages - 1].command->writes;
}

bool
query_only_asks(const struct query *q, struct err *err)
{
	const struct stage *s = &q->stage[q->nstages - 1];

	return s->command->kind != COMMAND_SINK || fail_at(err, E_USAGE, s->at, "'%s' cannot be used here: results are rows",
	    s->command->word);
}

struct str
query_target(const struct query *q)
{
	const struct stage *s = &q->stage[q->nstages - 1];

	return s->command->writes && s->n > 0 ? s->token->text : STR("");
}

void
query_nothing(const struct query *q, const struct session *session, struct buf *why)
{
	const struct command *source = source_for(q, 0, session_shapes(session)).command;

	if (source != NULL && source->nothing != NULL)
		source->nothing(session, why);
}
