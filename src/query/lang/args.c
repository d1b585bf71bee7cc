/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * args: the arguments of a command: what help calls them, and how stages read them.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang.h"

/* ---- usage ------------------------------------------------------------------ */

static void
add_dots(struct buf *b)
{
	if (b->n == 0 || b->s[b->n - 1] != '.')
		buf_str(b, STR(" ..."));
}

static void
add_arg(const struct arg *a, struct buf *b)
{
	if (a->word != NULL)
		buf_str(b, str_of(a->word));
	if (a->word != NULL && a->type != NULL && a->word[strlen(a->word) - 1] != '(')
		buf_chr(b, ' ');
	if (a->type != NULL)
		buf_str(b, str_of(a->name != NULL ? a->name : a->type->name));
}

/* Append an argument and its alternatives; return the argument after them. */
static const struct arg *
add_place(const struct arg *first, struct buf *b)
{
	const struct arg *a = first;
	bool again = false;

	if (first->flags & ARG_OPTIONAL)
		buf_chr(b, '[');
	do {
		if (a != first)
			buf_str(b, a->flags & ARG_MANY ? STR(" | ") : STR("|"));
		add_arg(a, b);
		if (a != first && (a->flags & ARG_MANY) != 0)
			add_dots(b);
		again |= (a->flags & ARG_AGAIN) != 0;
		a++;
	} while ((a->flags & ARG_OR) != 0);
	if (first->flags & ARG_MANY)
		add_dots(b);
	if (first->flags & ARG_OPTIONAL)
		buf_chr(b, ']');
	if (again)
		add_dots(b);
	return a;
}

const char *
command_usage(const struct command *c, char text[USAGE_TEXT])
{
	const struct arg *a = c->args;
	struct buf b = BUF_INIT;

	while (a != NULL && !arg_is_end(a)) {
		if (b.n > 0)
			buf_chr(&b, ' ');
		a = add_place(a, &b);
	}
	snprintf(text, USAGE_TEXT, "%.*s", b.bad ? 0 : (int)b.n, b.n > 0 ? b.s : "");
	buf_free(&b);
	return text;
}

bool
fail_needs(const struct stage *s, struct err *err)
{
	char usage[USAGE_TEXT];

	return fail_at(err, E_USAGE, s->end, "'%s' needs %s, e.g. '%s'", s->command->word,
	    command_usage(s->command, usage), s->command->example);
}

/* ---- reading ------------------------------------------------------------------ */

/* Return true if some argument, or one of its alternatives, is required. */
static bool
needs_arguments(const struct command *c)
{
	const struct arg *a = c->args;
	bool optional;

	while (a != NULL && !arg_is_end(a)) {
		optional = (a->flags & ARG_OPTIONAL) != 0;
		for (a++; (a->flags & ARG_OR) != 0; a++)
			optional |= (a->flags & ARG_OPTIONAL) != 0;
		if (!optional)
			return true;
	}
	return false;
}

bool
stage_has_needed(const struct stage *s, struct err *err)
{
	return s->n > 0 || !needs_arguments(s->command) || fail_needs(s, err);
}

size_t
stage_at(const struct stage *s, size_t i)
{
	return i < s->n ? s->token[i].at : s->end;
}

const struct token *
stage_next(const struct stage *s, size_t *i)
{
	while (*i > 0 && *i < s->n && s->token[*i].kind == TOKEN_COMMA)
		++*i;
	return *i < s->n ? &s->token[(*i)++] : NULL;
}

bool
fail_no_name(const struct token *t, const char *what, const char *query,
    struct str (*name)(void *, uint64_t), void *arg, uint64_t n, struct err *err)
{
	char near[GUESS_TEXT];

	guess_among(t->text, name, arg, n, near, sizeof near);
	if (near[0] != '\0')
		return fail_at(err, E_EMPTY, t->at, "unknown %s '%.*s'%s", what,
		    (int)t->text.n, t->text.s, near);
	return fail_at(err, E_EMPTY, t->at, "unknown %s '%.*s'; '%s' lists them",
	    what, (int)t->text.n, t->text.s, query);
}

bool
stage_per(const struct stage *s, struct stage *front, struct stage *per)
{
	size_t i = 0;

	while (i < s->n && !token_is(&s->token[i], "per"))
		i++;
	*front = *per = *s;
	front->n = i;
	if (i == s->n)
		return false;
	front->end = s->token[i].at;
	per->token = &s->token[i + 1];
	per->n = s->n - i - 1;
	return true;
}

bool
stage_at_most(const struct stage *s, size_t n, struct err *err)
{
	char usage[USAGE_TEXT];

	if (s->n <= n)
		return true;
	if (s->command->args == NULL)
		return fail_at(err, E_USAGE, stage_at(s, n),
		    "'%s' takes no arguments", s->command->word);
	return fail_at(err, E_USAGE, stage_at(s, n),
	    "'%s' takes only %s", s->command->word, command_usage(s->command, usage));
}

/* Parse abs(column), whose parenthesis is argument *i; *i becomes the closing parenthesis. */
static int
column_in_abs(const struct stage *s, size_t *i, struct rows *in, struct err *err)
{
	const struct token *t = *i + 1 < s->n ? &s->token[*i + 1] : NULL;
	int col;

	if (t == NULL || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT) || *i + 2 >= s->n ||
	    t[1].kind != TOKEN_CLOSE) {
		fail_at(err, E_USAGE, stage_at(s, *i + 1), "'abs' needs one column: abs(self_delta)");
		return -1;
	}
	col = rows_need_column(in, t, t->text, err);
	if (col >= 0 && in->cols[col].type == CELL_TEXT) {
		fail_at(err, E_USAGE, t->at, "'%s' is text; 'abs' needs a number", in->cols[col].name);
		return -1;
	}
	*i += 2;
	return col;
}

/* Parse one column reference at *i; advance *i to its last token. */
static int
column_ref(const struct stage *s, size_t *i, struct rows *in, enum ref_forms forms, struct column_ref *ref,
    struct err *err)
{
	const struct token *t = &s->token[*i];
	struct str name = t->text;

	ref->down = forms == REFS_ORDERS && t->kind == TOKEN_WORD && str_has_prefix(name, STR("-"));
	name = str_after(name, ref->down);
	if (ref->down && name.n == 0 && *i + 1 < s->n && t[1].kind == TOKEN_TEXT)
		name = (t = &s->token[++*i])->text;
	ref->abs = forms != REFS_PLAIN && t->kind == TOKEN_WORD && str_eq(name, STR("abs")) &&
	    *i + 1 < s->n && t[1].kind == TOKEN_OPEN;
	if (!ref->abs)
		return rows_need_column(in, t, name, err);
	++*i;
	return column_in_abs(s, i, in, err);
}

bool
stage_columns(const struct stage *s, struct rows *in, enum ref_forms forms, struct column_ref **out,
    size_t *n, struct err *err)
{
	struct column_ref *refs = mem_array(s->n, sizeof *refs);
	const struct token *t;
	int col;

	if (refs == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		t = &s->token[i];
		if (t->kind == TOKEN_COMMA && i > 0 && i + 1 < s->n)
			continue;
		if (forms == REFS_ORDERS && *n > 0 && (token_is(t, "asc") || token_is(t, "ASC")) &&
		    rows_find(in, t->text, false) < 0)
			continue;
		col = column_ref(s, &i, in, forms, &refs[*n], err);
		if (col < 0) {
			free(refs);
			return false;
		}
		refs[(*n)++].col = (size_t)col;
		if (forms != REFS_PLAIN)
			rows_note_order(in, &in->cols[col]);
	}
	if (*n == 0) {
		free(refs);
		return fail_needs(s, err);
	}
	*out = refs;
	return true;
}

static bool
args_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!((s.s[i] | 32) >= 'a' && (s.s[i] | 32) <= 'z') && s.s[i] != '_' &&
		    (i == 0 || s.s[i] < '0' || s.s[i] > '9'))
			return false;
	return s.n > 0;
}

bool
stage_name(const struct stage *s, size_t i, char **name, struct err *err)
{
	const struct token *t = i < s->n ? &s->token[i] : NULL;

	if (t == NULL || t->kind != TOKEN_WORD || !args_is_name(t->text) ||
	    token_is(t, "and") || token_is(t, "or") || token_is(t, "not"))
		return fail_at(err, E_USAGE, stage_at(s, i), "expected a name: letters, digits and _");
	*name = mem_copy(t->text);
	return *name != NULL || fail(err, E_SYSTEM, "out of memory (query)");
}
