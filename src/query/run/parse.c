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
		return fail_at(err, E_USAGE, t->at, "no %s '%.*s'; %s", first ? "source" : "stage", (int)t->text.n, t->text.s,
		    hint_of(t->text));
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
		if (commands[i]->kind != COMMAND_SOURCE && !commands[i]->of_threads && strcmp(commands[i]->word, c->word) == 0)
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
		return fail_at(err, E_USAGE, ts->token[i - 1].at, "'||' does not join rows; %s", hint_of(STR("||")));
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

bool
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

bool
query_find_stage(struct str query, const char *word, struct str *before, struct str *first)
{
	struct str rest;
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
		rest = found + 1 < ts.n && ts.token[found + 1].kind == TOKEN_WORD ? ts.token[found + 1].text : STR("");
		str_split(&rest, ':', first);
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
	    text_width(str_behind(buf_view(b), start));
	text_fit_buf(b, (struct str){ query.s + at, to - at });
	if (to < query.n)
		buf_str(b, STR("..."));
	buf_chr(b, '\n');
	while (caret-- > 0)
		buf_chr(b, ' ');
	buf_str(b, STR("^\n"));
}

/* Suggest a valid query for a word of another query language. */
static void
show_try(struct str query, size_t at, struct buf *b)
{
	struct buf text = BUF_INIT;
	struct query *q = NULL;
	struct err err;

	hint_try(query, at, &text);
	if (text.n > 0 && !text.bad && query_parse(&q, buf_view(&text), &err)) {
		buf_str(b, STR("  try: "));
		text_fit_buf(b, buf_view(&text));
		buf_chr(b, '\n');
	}
	query_free(q);
	buf_free(&text);
}

void
query_show_error(struct str query, const struct err *err, struct buf *b)
{
	text_fit_buf(b, str_of(err->text));
	buf_chr(b, '\n');
	if (err->at == ERR_NOWHERE || err->at > query.n || query.n == 0)
		return;
	show_near(query, (size_t)err->at, b);
	show_try(query, (size_t)err->at, b);
}
