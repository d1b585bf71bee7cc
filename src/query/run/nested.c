/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nested: queries in parentheses: "in (QUERY)", "union (QUERY)".
 *
 * Each becomes one token of its stage.  It is checked with the query around it, prepared before that, and opened by its
 * stage over the same files.
 */
#include "config.h"

#include <stdlib.h>

#include "run.h"

struct nested_query {
	struct nested		 of;		/* first */
	struct query		*query;
	size_t			 at;		/* of its text in the query around it */
	struct nested_query	*next;
};

/* Return the session of a query in parentheses: it does not see the views of the query around it. */
static struct session *
own_session(struct session *s)
{
	return s->plain != NULL ? s->plain : s;
}

static unsigned
own_shapes(const struct session *own, unsigned shapes)
{
	return own->nstores == 0 ? shapes : session_shapes(own);
}

static bool
nested_shift(const struct nested_query *n, struct err *err)
{
	if (err->at != ERR_NOWHERE)
		err->at += n->at;
	return false;
}

static bool
nested_open(const struct nested *nested, struct session *session, unsigned shapes, struct rows **out, struct err *err)
{
	const struct nested_query *n = (const struct nested_query *)nested;
	struct session *own = own_session(session);

	return query_rows(n->query, own, own_shapes(own, shapes), out, err) || nested_shift(n, err);
}

static void
nested_touch(const struct nested *nested, struct rows *rows, uint64_t columns, struct touching *touching)
{
	const struct nested_query *n = (const struct nested_query *)nested;

	if (touching == NULL)
		rows_touch(rows, columns, NULL);
	else
		needed_add(n->query, (const struct needed *)touching, rows, columns);
}

/* ---- parsing ------------------------------------------------------------------------ */

static bool
check_stages(struct nested_query *n, struct err *err)
{
	const struct query *q = n->query;
	const struct stage *s;

	for (size_t i = 0; i < q->nstages; i++) {
		s = &q->stage[i];
		if (s->command->kind == COMMAND_SINK)
			return fail_at(err, E_USAGE, n->at + s->at, "'%s' is not allowed in parentheses", s->command->word);
		if (s->command->compares && n->of.diff == 0)
			n->of.diff = n->at + s->at;
	}
	return true;
}

/* Replace the tokens from the parenthesis at open to the one at close by one token. */
static bool
add_nested(struct query *q, size_t open, size_t close, unsigned depth, struct token *to, struct err *err)
{
	const struct token *t = q->tokens.token;
	struct nested_query *n = mem_array(1, sizeof *n);

	if (n == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	n->next = q->nested;
	q->nested = n;
	n->of.open = nested_open;
	n->of.touch = nested_touch;
	n->at = t[open].at + 1ull;
	*to = (struct token){ .kind = TOKEN_QUERY, .at = t[open].at, .nested = &n->of,
	    .text = { q->text.s + t[open].at, t[close].at + 1ull - t[open].at } };
	if (depth == NESTED_MAX)
		return fail_at(err, E_USAGE, to->at, "queries nested too deeply (limit: %d)", NESTED_MAX);
	if (!query_read(&n->query, (struct str){ q->text.s + n->at, t[close].at - n->at }, depth + 1, err))
		return nested_shift(n, err);
	return check_stages(n, err);
}

/* Report the | at token i: its parentheses follow neither in nor union.  n tokens before it were kept. */
static bool
fail_pipe(const struct query *q, size_t n, size_t i, struct err *err)
{
	const struct token *t = q->tokens.token;
	size_t open = n - 1, depth;

	for (depth = 0; t[open].kind != TOKEN_OPEN || depth > 0; open--) {
		depth += t[open].kind == TOKEN_CLOSE;
		depth -= t[open].kind == TOKEN_OPEN;
	}
	for (depth = 1; i < q->tokens.n && depth > 0; i++) {
		depth += t[i].kind == TOKEN_OPEN;
		depth -= t[i].kind == TOKEN_CLOSE;
	}
	return fail_at(err, E_USAGE, t[open].at, depth > 0 ? "missing )" :
	    "a query in parentheses is allowed only after 'in' and 'union'");
}

bool
nested_read(struct query *q, unsigned depth, struct err *err)
{
	struct token *t = q->tokens.token;
	size_t n = 0, open = 0, close;
	bool joins, query;

	for (size_t i = 0; i < q->tokens.n; i++) {
		if (t[i].kind == TOKEN_PIPE && open > 0)
			return fail_pipe(q, n, i, err);
		open -= t[i].kind == TOKEN_CLOSE && open > 0;
		joins = i > 1 && token_is(&t[i - 1], "union") && t[i - 2].kind == TOKEN_PIPE;
		if (t[i].kind != TOKEN_OPEN || !(joins || (i > 0 && t[i - 1].kind == TOKEN_WORD &&
		    str_eq_nocase(t[i - 1].text, STR("in"))))) {
			open += t[i].kind == TOKEN_OPEN;
			t[n++] = t[i];
			continue;
		}
		close = token_closing(q->tokens.token, q->tokens.n, i, &query);
		if (close == q->tokens.n && (joins || query))
			return fail_at(err, E_USAGE, t[i].at, "missing )");
		if (!joins && !query) {
			open++;
			t[n++] = t[i];
			continue;
		}
		if (!add_nested(q, i, close, depth, &t[n], err))
			return false;
		n++;
		i = close;
	}
	q->tokens.n = n;
	return true;
}

void
nested_free(struct query *q)
{
	struct nested_query *n;

	while ((n = q->nested) != NULL) {
		q->nested = n->next;
		query_free(n->query);
		free(n);
	}
}

/* ---- preparing ----------------------------------------------------------------------- */

bool
nested_missing(const struct stage *s, struct session *session, struct missing *m)
{
	const struct nested_query *n;

	for (size_t i = 0; i < s->n; i++) {
		if (s->token[i].kind != TOKEN_QUERY)
			continue;
		n = (const struct nested_query *)s->token[i].nested;
		if (query_missing(n->query, own_session(session), m))
			return true;
	}
	return false;
}

bool
nested_words_fit(const struct query *q, unsigned shapes)
{
	for (const struct nested_query *n = q->nested; n != NULL; n = n->next)
		if (!words_fit(n->query, shapes))
			return false;
	return true;
}
