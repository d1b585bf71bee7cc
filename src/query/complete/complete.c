/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complete: what is expected at a place of a query.  The stages before that place are
 * opened over the store of no file, so that their columns are known whatever they are.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "complete.h"

/* ---- words ---------------------------------------------------------------- */

/* Narrow the word to a column name after a sign or a parenthesis; a quoted word is the whole name. */
static void
narrow_to_name(struct place *p)
{
	struct completion *c = p->c;
	struct str word = buf_view(&c->word);
	size_t n = word.n;

	if (c->from < c->to && memchr("'\"", p->text.s[c->from], 2) != NULL)
		return;
	while (n > 0 && is_name_char(word.s[n - 1]))
		n--;
	if (n == 0)
		return;
	c->from += n;
	p->text.n = c->from;
	memmove(c->word.s, c->word.s + n, word.n - n);
	c->word.n -= n;
}

/* ---- arguments ----------------------------------------------------------- */

static void
offer_list(struct place *p, const struct arg_type *t)
{
	struct buf quoted = BUF_INIT;
	const char *word, *what;

	for (size_t i = 0; t->word(i, &word, &what); i++) {
		buf_clear(&quoted);
		name_quote(&quoted, str_of(word), t->quoted);
		if (!quoted.bad)
			completion_offer(p->c, quoted.s, what);
	}
	buf_free(&quoted);
}

/* Offer the possible arguments of a type. */
static void
offer_type(struct place *p, const struct arg_type *t)
{
	switch (t->look) {
	case LOOK_NOWHERE:
		break;
	case LOOK_NAMES:
		offer_names(p->c, p->session, str_of(t->query), t->column, t->quoted);
		break;
	case LOOK_WORDS:
		offer_list(p, t);
		break;
	case LOOK_COLUMNS:
		narrow_to_name(p);
		offer_columns(p, CELL_NONE);
		break;
	case LOOK_CONDITION:
		expect_condition(p);
		break;
	case LOOK_SOURCES:
	case LOOK_COMMANDS:
		offer_commands(p, true, t->look == LOOK_COMMANDS);
		break;
	}
}

static void
expect_usage(struct place *p)
{
	char usage[USAGE_TEXT];

	expect(p, command_usage(p->command, usage));
}

static void
offer_arg(struct place *p, const struct arg *a)
{
	const char *hint = a->type->hint;
	char either[sizeof p->c->hint];

	if (hint == NULL && a->type->look != LOOK_CONDITION)
		expect_usage(p);
	else if (hint != NULL)
		expect(p, hint);
	offer_type(p, a->type);
	/* An optional argument may be omitted where columns follow: offer the columns too. */
	if (hint == NULL || (a->flags & ARG_OPTIONAL) == 0 || arg_is_end(&a[1]) || a[1].type != &arg_column ||
	    a[1].word != NULL)
		return;
	snprintf(either, sizeof either, "%.*s, or %s", (int)strcspn(hint, ","), hint, a[1].type->hint);
	expect(p, either);
	offer_type(p, a[1].type);
}

static bool
args_have(const struct arg *a, unsigned flags)
{
	for (; !arg_is_end(a); a++)
		if ((a->flags & flags) != 0)
			return true;
	return false;
}

/*
 * Return the argument expected next, by the keyword before it, otherwise by position; NULL: a word, or none.
 */
static const struct arg *
expected_arg(struct place *p)
{
	const struct token *last = p->nargs > 0 ? &p->arg[p->nargs - 1] : NULL;
	bool repeats = args_have(p->form, ARG_MANY | ARG_AGAIN);
	const struct arg *found = NULL;
	size_t at = 0;

	for (const struct arg *a = p->form; !arg_is_end(a); a++) {
		if (a->type == NULL || (a->flags & ARG_OR) != 0)
			continue;
		if (a->word != NULL) {
			p->after_keyword = last != NULL && token_is(last, a->word);
			if (p->after_keyword)
				return a;
			continue;
		}
		if (at == p->nargs || (at < p->nargs && (repeats || a->type->look == LOOK_CONDITION)))
			found = a;
		at++;
	}
	return found;
}

static bool
is_colon(const struct arg *a)
{
	return a->word != NULL && strcmp(a->word, ":") == 0;
}

/* Offer keywords; first: there is no argument yet, so only those that replace the first argument. */
static void
offer_keywords(struct place *p, bool first)
{
	char usage[USAGE_TEXT];

	command_usage(p->command, usage);
	for (const struct arg *a = p->form; !arg_is_end(a); a++)
		if (a->word != NULL && !is_colon(a) && (!first || (a->flags & ARG_OR) != 0))
			completion_offer(p->c, a->word, usage);
}

/* Arguments after a colon have a form of their own.  The colon may be part of a word. */
static void
read_form(struct place *p)
{
	static const struct arg none = { .type = NULL };
	const struct arg *a = p->command->args == NULL ? &none : p->command->args;
	char usage[USAGE_TEXT];
	size_t i = p->nargs;

	p->form = a;
	while (!arg_is_end(a) && !is_colon(a))
		a++;
	if (arg_is_end(a))
		return;
	while (i > 0 && memchr(p->arg[i - 1].text.s, ':', p->arg[i - 1].text.n) == NULL)
		i--;
	if (i > 0) {
		p->behind[0] = *a;
		p->behind[0].word = NULL;
		p->form = p->behind;
		p->arg += i;
		p->nargs -= i;
	} else if (p->nargs > 0)
		completion_offer(p->c, ":", command_usage(p->command, usage));
}

static void
at_argument(struct place *p)
{
	const struct arg *a;

	read_form(p);
	a = expected_arg(p);
	if (a != NULL)
		offer_arg(p, a);
	else if (p->nargs == 0 || args_have(p->form, ARG_OR))
		expect_usage(p);
	if (!p->after_keyword)
		offer_keywords(p, p->nargs == 0 && a != NULL);
}

/* ---- the place ----------------------------------------------------------- */

/* A quoted text that has no end yet is the word typed. */
static bool
read_open_text(struct place *p, size_t at)
{
	struct buf closed = BUF_INIT;
	struct tokens tokens;
	struct err err;
	bool ok;

	if (p->text.s[at] == '/') {
		expect(p, "regex; end with / or /i (ignore case)");
		return false;
	}
	buf_str(&closed, p->text);
	buf_chr(&closed, p->text.s[at]);
	ok = !closed.bad && tokens_read(&tokens, buf_view(&closed), &err);
	buf_free(&closed);
	if (!ok)
		return false;
	buf_str(&p->c->word, tokens.token[tokens.n - 1].text);
	tokens_free(&tokens);
	p->c->from = at;
	p->text.n = at;
	return tokens_read(&p->tokens, p->text, &err);
}

/* Take the word at the cursor as the word typed; false: nothing can be completed. */
static bool
read_place(struct place *p, struct str query, size_t point)
{
	struct completion *c = p->c;
	struct token *last;
	struct err err = { .at = ERR_NOWHERE };

	p->text = (struct str){ query.s, point };
	c->from = c->to = point;
	if (!tokens_read(&p->tokens, p->text, &err)) {
		if (err.at >= point || !read_open_text(p, (size_t)err.at))
			return false;
		if (point < query.n && query.s[point] == query.s[c->from])
			c->to++;
		return true;
	}
	last = p->tokens.n > 0 ? &p->tokens.token[p->tokens.n - 1] : NULL;
	if (last == NULL || last->kind != TOKEN_WORD || last->at + last->text.n != point)
		return last == NULL || is_one_of(query.s[point - 1], " \t\n\r") ||
		    (last->kind != TOKEN_TEXT && last->kind != TOKEN_REGEX);
	buf_str(&c->word, last->text);
	c->from = p->text.n = last->at;
	p->tokens.n--;
	while (c->to < query.n && !is_one_of(query.s[c->to], " \t\n\r|(),=!<>~'\""))
		c->to++;
	return true;
}

static bool
opens_query(const struct token *t, size_t i, bool piped)
{
	return i > 0 && ((token_is(&t[i - 1], "in") && piped) ||
	    (i > 1 && token_is(&t[i - 1], "union") && t[i - 2].kind == TOKEN_PIPE));
}

/*
 * Find the start of the innermost query at the end of the text, and its last stage.  A query in open
 * parentheses counts as such a query; closed parentheses are part of a stage.
 */
static void
find_query(struct place *p, size_t *start, size_t *first)
{
	const struct token *t = p->tokens.token;
	size_t i = p->tokens.n, depth = 0;
	bool piped = false;

	*first = 0;
	for (; i > 0; i--) {
		if (t[i - 1].kind == TOKEN_CLOSE)
			depth++;
		else if (t[i - 1].kind == TOKEN_OPEN && depth > 0)
			depth--;
		else if (t[i - 1].kind == TOKEN_OPEN && opens_query(t, i - 1, piped))
			break;
		else if (t[i - 1].kind == TOKEN_PIPE && depth == 0 && !piped) {
			*first = i;
			piped = true;
		}
	}
	*start = i;
	p->from = i > 0 ? t[i - 1].at + 1ull : 0;
	if (!piped)
		*first = i;
}

/* The tokens of the last stage go to p->arg, what precedes them is its input. */
static void
at_place(struct place *p)
{
	struct session nothing = { .view = store_blank(), .clock = p->session->clock };
	unsigned shapes = session_shapes(p->session);
	const struct token *token = p->tokens.token;
	size_t start, first, source;
	struct query *q = NULL;
	struct rows *rows = NULL;
	struct err err;

	find_query(p, &start, &first);
	for (source = start; source < p->tokens.n && token[source].kind != TOKEN_PIPE;)
		source++;
	p->c->first = p->tokens.n == 0;
	if (first == p->tokens.n) {
		expect(p, first == start ? "type a source (Tab lists them)" : "stage");
		offer_commands(p, first == start, first > start);
		return;
	}
	p->source = (struct str){ p->text.s + p->from,
	    (source < p->tokens.n ? token[source].at : p->text.n) - p->from };
	p->command = command_find(token[first].text, first == start, shapes);
	p->arg = &token[first + 1];
	p->nargs = p->tokens.n - first - 1;
	if (p->command == NULL)
		return;
	if (first > start)
		p->before = (struct str){ p->text.s + p->from, token[first - 1].at - p->from };
	if (first > start && query_parse(&q, p->before, &err) &&
	    query_rows(q, &nothing, shapes, &rows, &err))
		p->in = rows;
	at_argument(p);
	rows_close(rows);
	query_free(q);
}

/* Offer a pipe where the query is complete. */
static void
offer_pipe(struct place *p)
{
	struct completion *c = p->c;
	struct query *q;
	struct err err;

	if (c->word.n > 0 || p->tokens.n == 0 || !query_parse(&q,
	    (struct str){ p->text.s + p->from, p->text.n - p->from }, &err))
		return;
	query_free(q);
	completion_offer(c, "|", "then | and a stage");
	if (p->from > 0)
		completion_offer(c, ")", "ends the query in parentheses");
	if (c->hint[0] == '\0')
		expect(p, "| stage, or Enter");
}

/* Explain a word that is typed in full. */
static void
complete_explain(struct completion *c)
{
	size_t i;

	for (i = 0; c->word.n > 0 && i < c->n; i++)
		if (str_eq(buf_view(&c->word), str_of(c->item[i].text)))
			break;
	if (c->word.n > 0)
		snprintf(c->hint, sizeof c->hint, "%s", i < c->n ? c->item[i].what : "");
}

void
completion_begin(struct completion *c, struct str query, size_t point,
    struct session *session)
{
	struct place p = { .c = c, .session = session };

	memset(c, 0, sizeof *c);
	if (read_place(&p, query, point < query.n ? point : query.n)) {
		at_place(&p);
		offer_pipe(&p);
	}
	complete_explain(c);
	tokens_free(&p.tokens);
}
