/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check: whether a query is right, for which files, and what it will do with them.
 */
#include "config.h"

#include "icecore/edges.h"
#include "icecore/facts.h"
#include "run.h"

bool
query_compares(const struct query *q)
{
	const struct stage *first = &q->stage[0];
	bool yes = first->n > 0 && token_is(&first->token[0], "diff");

	for (size_t i = 1; !yes && i < q->nstages; i++)
		yes = q->stage[i].command->compares;
	return yes;
}

enum query_files
query_files(const struct query *q)
{
	const struct command *c = q->stage[0].command;

	if (c->one_by_one)
		return QUERY_FILES_IN_TURN;
	for (size_t i = 1; i < q->nstages; i++)
		if (q->stage[i].command->names_file)
			return QUERY_KNOWS_FILES;
	return c->all_files || c->no_file || (c->args_no_file && q->stage[0].n > 0) ? QUERY_KNOWS_FILES :
	    QUERY_ONE_FILE;
}

/*
 * A query is checked by opening it over the store of no file: every command looks at its arguments and at the
 * columns it gets when it is opened, and at rows only when it is asked for some.
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

/* Whether all commands of a query fit files of these shapes. */
static bool
words_fit(const struct query *q, unsigned shapes)
{
	for (size_t i = 0; i < q->nstages; i++)
		if (!command_fits(stage_for(q, i, shapes).command, shapes))
			return false;
	for (const struct nested_query *n = q->nested; n != NULL; n = n->next)
		if (!words_fit(n->query, shapes))
			return false;
	return true;
}

/*
 * Rank an error: higher if all words fit this kind of file, and if it is not a column that another kind may
 * have.
 */
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
 * Whether a kind of file has all words of the query, and the query is right for it: most are, and no error is worded.
 */
static bool
right_by_words(struct query *q)
{
	struct err err;

	for (size_t i = 0; loaders[i] != NULL; i++)
		if (!checked_before(i) && words_fit(q, loaders[i]->shapes) && check_for(q, loaders[i]->shapes, &err))
			return true;
	return false;
}

/*
 * The query must be valid for at least one kind of file.  Otherwise report the error of the highest rank;
 * among equal ranks the one farthest to the right.
 */
bool
query_check(struct query *q, struct err *err)
{
	struct mistake worst = { .rank = 0 };
	bool right = right_by_words(q);

	for (size_t i = 0; !right && loaders[i] != NULL; i++)
		right = !checked_before(i) && check_kind(q, loaders[i]->shapes, &worst);
	/* Bytecode may be opened with any file, a recording with a heap dump. */
	for (size_t i = 0; !right && loaders[i] != NULL; i++)
		right = !checked_before(i) && check_kind(q, loaders[i]->shapes | SHAPE_CODE, &worst);
	for (size_t i = 0; !right && loaders[i] != NULL; i++)
		right = !checked_before(i) && check_kind(q, load_beside_shapes(loaders[i]->shapes),
		    &worst);
	if (!right)
		*err = worst.err;
	return right;
}

bool
query_fits(struct query *q, const struct session *session, struct err *err)
{
	const struct store *st = session_store(session);
	const struct loader *l = load_loader(st);
	unsigned shapes = session_shapes(session), values = shapes & SHAPE_GRAPH ? SHAPE_VALUES | SHAPE_TEXTS : 0;
	struct str hint = fact_text(st, FACT_TRACE_HINT);

	if (check_for(q, shapes, err))
		return true;
	/* The query is right for heaps with more than this one has. */
	if (l != NULL && l->heap != NULL && l->heap->lacks != NULL && words_fit(q, shapes | values))
		hint = str_of(l->heap->lacks);
	/* The query may fit a table once its columns are chosen: report how to choose them. */
	return hint.n > 0 && !words_fit(q, shapes) ? fail(err, E_USAGE, "%.*s", (int)hint.n, hint.s) : false;
}

unsigned
query_lacks(struct query *q, const struct session *session)
{
	unsigned shapes = session_shapes(session), possible = load_possible_shapes(shapes);
	struct err err;

	return possible == shapes || words_fit(q, shapes) || !check_for(q, possible, &err) ? 0 : possible;
}

bool
query_may_fit(struct query *q, const struct session *session, struct err *err)
{
	return query_fits(q, session, err) || query_lacks(q, session) != 0;
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

	return s->command->kind != COMMAND_SINK || fail_at(err, E_USAGE, s->at,
	    "'%s' cannot be used here: results are rows", s->command->word);
}

struct str
query_target(const struct query *q)
{
	const struct stage *s = &q->stage[q->nstages - 1];

	return s->command->writes && s->n > 0 ? s->token->text : STR("");
}

void
query_nothing(struct query *q, const struct session *session, struct buf *why)
{
	const struct command *source = source_for(q, 0, session_shapes(session)).command;

	if (query_lacks(q, session) != 0)
		buf_printf(why, "no %s recorded", q->stage[0].command->word);
	else if (source != NULL && source->nothing != NULL)
		source->nothing(session, why);
}
