/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse: from the text of a query to its stages, checked as far as that is
 * possible without a file; shows where it is wrong.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"

static bool
fail_command(const struct token *t, bool first, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];

	if (hint_of(t->text) != NULL)
		return fail_at(err, E_USAGE, t->at, "no %s '%.*s'; %s", first ? "source" : "stage",
		    (int)t->text.n, t->text.s, hint_of(t->text));
	for (size_t i = 0; commands[i] != NULL; i++)
		if ((commands[i]->kind == COMMAND_SOURCE) == first && command_leads(i, 0))
			guess_try(&guess, commands[i]->word);
	return fail_at(err, E_USAGE, t->at, "unknown %s '%.*s'%s",
	    first ? "source" : "stage", (int)t->text.n, t->text.s,
	    guess_text(&guess, text, sizeof text));
}

/* Find the command of a word; first: the word begins the query. */
static bool
parse_command(const struct token *t, bool first, const struct command **command,
    struct err *err)
{
	const struct command *c;

	if (t->kind != TOKEN_WORD)
		return fail_at(err, E_USAGE, t->at, "expected a command");
	c = command_find(t->text, first, 0);
	if (c == NULL)
		return fail_command(t, first, err);
	if (first && c->kind != COMMAND_SOURCE && hint_of(t->text) != NULL)
		return fail_at(err, E_USAGE, t->at, "%s", hint_of(t->text));
	if (first && c->kind != COMMAND_SOURCE)
		return fail_at(err, E_USAGE, t->at,
		    "'%s' is a stage; start with a source, e.g. '%s'", c->word,
		    c->example);
	if (!first && c->kind == COMMAND_SOURCE)
		return fail_at(err, E_USAGE, t->at,
		    "'%s' starts a query; it cannot follow |", c->word);
	*command = c;
	return true;
}

/* Find the command of the same word that does not need rows of threads. */
static const struct command *
not_of_threads(const struct command *c)
{
	for (size_t i = 0; commands[i] != NULL; i++)
		if (commands[i]->kind != COMMAND_SOURCE && !commands[i]->of_threads &&
		    strcmp(commands[i]->word, c->word) == 0)
			return commands[i];
	return c;
}

/* Parse the stage at token i; *next is its pipe or the end. */
static bool
parse_stage(struct query *q, size_t i, size_t *next, struct err *err)
{
	const struct tokens *ts = &q->tokens;
	struct stage *s = &q->stage[q->nstages];
	size_t end = i;

	if (q->nstages == STAGES_MAX)
		return fail_at(err, E_USAGE, ts->token[i].at,
		    "too many stages (limit: %d)", STAGES_MAX);
	while (end < ts->n && ts->token[end].kind != TOKEN_PIPE)
		end++;
	if (end == i && i > 0 && i < ts->n && ts->token[i].at == ts->token[i - 1].at + 1)
		return fail_at(err, E_USAGE, ts->token[i - 1].at, "'||' does not join rows; %s",
		    hint_of(STR("||")));
	if (end == i)
		return fail_at(err, E_USAGE,
		    i < ts->n ? ts->token[i].at : q->text.n,
		    "expected a %s", q->nstages == 0 ? "source" : "stage");
	if (!parse_command(&ts->token[i], q->nstages == 0, &s->command, err))
		return false;
	if (q->nstages > 0 && s->command->of_threads && !q->stage[0].command->lists_threads)
		s->command = not_of_threads(s->command);
	s->word = ts->token[i].text;
	s->token = &ts->token[i + 1];
	s->n = end - i - 1;
	s->at = ts->token[i].at;
	s->end = end < ts->n ? ts->token[end].at : q->text.n;
	if (q->nstages > 0 && s[-1].command->kind == COMMAND_SINK)
		return fail_at(err, E_USAGE, s->at,
		    "'%s' must be last",
		    s[-1].command->word);
	q->nstages++;
	*next = end;
	return true;
}

static bool
parse_stages(struct query *q, struct err *err)
{
	size_t i = 0;

	for (;;) {
		if (!parse_stage(q, i, &i, err))
			return false;
		if (i == q->tokens.n)
			return true;
		i++;
	}
}

/* ---- queries in parentheses ----------------------------------------------------- */

/* Like query_parse, but restricted to the files of the query around it.  depth: of parentheses around it. */
static bool query_read(struct query **, struct str text, unsigned depth, struct err *);

static bool
check_stages(struct nested_query *n, struct err *err)
{
	const struct query *q = n->query;
	const struct stage *s;

	for (size_t i = 0; i < q->nstages; i++) {
		s = &q->stage[i];
		if (s->command->kind == COMMAND_SINK)
			return fail_at(err, E_USAGE, n->at + s->at, "'%s' is not allowed in parentheses",
			    s->command->word);
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

/* Make a token of each query in parentheses. */
static bool
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

/* ---- queries --------------------------------------------------------------------- */

static bool
query_read(struct query **out, struct str text, unsigned depth, struct err *err)
{
	struct query *q = mem_array(1, sizeof *q);

	if (q != NULL) {
		pthread_mutex_init(&q->lock, NULL);
		q->bytes = mem_array(text.n + 1, 1);
	}
	if (q == NULL || q->bytes == NULL) {
		query_free(q);
		return fail(err, E_SYSTEM, "out of memory (query)");
	}
	if (text.n > 0)
		memcpy(q->bytes, text.s, text.n);
	q->text = (struct str){ q->bytes, text.n };
	if (!tokens_read(&q->tokens, q->text, err) || !nested_read(q, depth, err) || !parse_stages(q, err)) {
		query_free(q);
		return false;
	}
	*out = q;
	return true;
}

bool
query_parse(struct query **out, struct str text, struct err *err)
{
	struct query *q;

	if (!query_read(&q, text, 0, err))
		return false;
	if (!query_check(q, err)) {
		query_free(q);
		return false;
	}
	*out = q;
	return true;
}

static void
nested_free(struct query *q)
{
	struct nested_query *n;

	while ((n = q->nested) != NULL) {
		q->nested = n->next;
		query_free(n->query);
		free(n);
	}
}

void
query_free(struct query *q)
{
	if (q == NULL)
		return;
	made_free(q);
	needed_free(q);
	nested_free(q);
	pthread_mutex_destroy(&q->lock);
	tokens_free(&q->tokens);
	free(q->bytes);
	free(q);
}

/*
 * Append the names of arguments up to a colon, which may be attached to the last one; nothing if one is more than a
 * name.
 */
static void
add_keys(const struct token *t, const struct token *end, struct buf *keys)
{
	bool colon = false;
	struct str rest, name;

	for (; t < end && t->kind != TOKEN_PIPE && !colon; t++) {
		rest = t->text;
		name = rest;
		colon = t->kind == TOKEN_WORD && memchr(rest.s, ':', rest.n) != NULL && str_split(&rest, ':', &name);
		if ((t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT && t->kind != TOKEN_COMMA) || token_is(t, "by") ||
		    token_is(t, "as")) {
			buf_clear(keys);
			return;
		}
		if (t->kind != TOKEN_COMMA && name.n > 0) {
			buf_str(keys, name);
			buf_chr(keys, '\0');
		}
	}
}

bool
query_find_stage(struct str query, const char *word, struct str *before, struct buf *keys)
{
	struct tokens ts;
	struct err err;
	size_t found = 0;

	if (!tokens_read(&ts, query, &err))
		return false;
	for (size_t i = 1; i < ts.n; i++)
		if (ts.token[i - 1].kind == TOKEN_PIPE && token_is(&ts.token[i], word))
			found = i;
	if (found > 0) {
		*before = (struct str){ query.s, ts.token[found - 1].at };
		if (keys != NULL)
			add_keys(ts.token + found + 1, ts.token + ts.n, keys);
	}
	tokens_free(&ts);
	return found > 0;
}

/* ---- mistakes ------------------------------------------------------------------- */

#define AROUND 60		/* bytes shown on each side of the mistake */

static bool
inside_character(struct str s, size_t at)
{
	return at > 0 && at < s.n && ((uint8_t)s.s[at] & 0xc0) == 0x80;
}

/* Show only the part of a long query that is near the mistake. */
static void
show_near(struct str query, size_t at, struct buf *b)
{
	size_t from = at > AROUND ? at - AROUND : 0, to, caret;
	size_t start = b->n;

	to = query.n - at > AROUND ? at + AROUND : query.n;
	while (inside_character(query, from))
		from--;
	while (inside_character(query, to))
		to++;
	if (from > 0)
		buf_str(b, STR("..."));
	text_fit_buf(b, (struct str){ query.s + from, at - from });
	caret = b->bad ? 0 :
	    text_width(str_after(buf_view(b), start));
	text_fit_buf(b, (struct str){ query.s + at, to - at });
	if (to < query.n)
		buf_str(b, STR("..."));
	buf_chr(b, '\n');
	while (caret-- > 0)
		buf_chr(b, ' ');
	buf_str(b, STR("^\n"));
}

static bool
parses(struct str text)
{
	struct query *q = NULL;
	struct err err;
	bool ok = query_parse(&q, text, &err);

	query_free(q);
	return ok;
}

/* Suggest a valid query for one with words of another query language.  Stages alone get a source. */
static void
show_try(struct str query, struct buf *b)
{
	static const char *const sources[] = { "methods", "classes", "threads", "spans", "objects", "tasks" };
	struct buf text = BUF_INIT, whole = BUF_INIT;
	struct str words, word;
	size_t i = 0;

	if (!parses(query))
		habits_rewrite(query, &text);
	words = buf_view(&text);
	buf_str(&whole, words);
	if (words.n > 0 && str_split(&words, ' ', &word) && command_find(word, false, 0) != NULL)
		for (; i < NELEM(sources) && !parses(buf_view(&whole)); i++) {
			buf_clear(&whole);
			buf_printf(&whole, "%s | ", sources[i]);
			buf_str(&whole, buf_view(&text));
		}
	if (text.n > 0 && !text.bad && !whole.bad && parses(buf_view(&whole))) {
		buf_str(b, STR("  try: "));
		text_fit_buf(b, buf_view(&whole));
		buf_chr(b, '\n');
	}
	buf_free(&text);
	buf_free(&whole);
}

void
query_show_error(struct str query, const struct err *err, struct buf *b)
{
	text_fit_buf(b, str_of(err->text));
	buf_chr(b, '\n');
	if (err->at == ERR_NOWHERE || err->at > query.n || query.n == 0)
		return;
	show_near(query, (size_t)err->at, b);
	show_try(query, b);
}
