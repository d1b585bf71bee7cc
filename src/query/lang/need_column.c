/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * need_column: the column that a query names, or suggestions.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lang.h"

/* Return candidate i for a guess: a column, a short name of a column, or a column that can be made. */
static struct str
column_candidate(void *arg, uint64_t i)
{
	static const char *const clocked[] = { "self", "total" };
	struct rows *r = arg;
	struct str name = { NULL, 0 };

	if (i < r->ncols)
		return str_of(r->cols[i].name);
	i -= r->ncols;
	if (i < NELEM(clocked))
		return str_of(rows_column(r, str_of(clocked[i])) >= 0 ? clocked[i] : NULL);
	if (r->ops->known != NULL)
		r->ops->known(r, i - NELEM(clocked), &name);
	return name;
}

/* Return the first name of a path: no other name can be wrong. */
static struct str
first_name(struct str path)
{
	size_t n = 0;

	if (str_has_prefix(path, STR(".")))
		path.s++, path.n--;
	while (n < path.n && path.s[n] != '.' && path.s[n] != '[')
		n++;
	return (struct str){ path.s, n };
}

static uint64_t
column_candidates(struct rows *r)
{
	uint64_t n = 0;
	struct str name;

	while (r->ops->known != NULL && r->ops->known(r, n, &name))
		n++;
	return r->ncols + 2 + n;
}

#define FEW 8u		/* columns that a message lists */
#define NEAREST 3u	/* columns that a message names by their meaning, where there are many */

static size_t
shown_columns(const struct rows *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->ncols; i++)
		n += !r->cols[i].more;
	return n;
}

/* "; columns: id name"; truncated to the room left. */
static const char *
need_column_list_columns(const struct rows *r, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, "; columns:");

	for (size_t i = 0; i < r->ncols && n < size; i++)
		if (!r->cols[i].more)
			n += (size_t)snprintf(text + n, size - n, " %s", r->cols[i].name);
	if (n >= size)
		memcpy(text + size - 4, "...", 4);
	return text;
}

/* "; nearest: run_queue p99_run_queue": columns whose meanings have the word. */
static void
near_meanings(const struct rows *r, struct str word, char *text, size_t size)
{
	size_t n = 0, found = 0;

	text[0] = '\0';
	for (size_t i = 0; i < r->ncols && word.n > 0 && found < NEAREST && n < size; i++)
		if (str_has_nocase(str_of(r->cols[i].what), word))
			n += (size_t)snprintf(text + n, size - n, "%s%s", found++ == 0 ? "; nearest: " : " ",
			    r->cols[i].name);
}

/* Whether a comparison of two files has it, as total_delta of total. */
static bool
compares_column(const struct rows *r, struct str name)
{
	static const struct str ends[] = { { "_delta", 6 }, { "_before", 7 } };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(name, ends[i]) && rows_column(r, str_head(name, name.n - ends[i].n)) >= 0)
			return true;
	return false;
}

/* Suggest a column.  Without a guess list all columns, or the nearest and the query that lists all. */
static const char *
guess_or_list(struct rows *r, struct str part, char *text, size_t size)
{
	bool source = r->command != NULL && r->command->kind == COMMAND_SOURCE;
	uint64_t candidates = column_candidates(r);
	size_t n;

	if (source && compares_column(r, part)) {
		snprintf(text, size, "; with two files, '%s | diff' has it", r->command->word);
		return text;
	}
	if (*guess_among(part, column_candidate, r, candidates, text, size) != '\0')
		return text;
	if (shown_columns(r) <= FEW)
		return need_column_list_columns(r, text, size);
	if (*guess_nearest(part, column_candidate, r, candidates, text, size) == '\0')
		near_meanings(r, part, text, size);
	n = strlen(text);
	snprintf(text + n, size - n, "; '%s%s' lists all", source ? "columns " : "| columns",
	    source ? r->command->word : "");
	return text;
}

/* Explain how to get a column that the source has for other files; NULL: no such column. */
static const char *
how_to_get(const struct rows *r, struct str name)
{
	for (size_t i = 0; r->command != NULL && commands[i] != NULL; i++) {
		const struct command *c = commands[i];

		if (c->to_get == NULL || c == r->command || strcmp(c->word, r->command->word) != 0)
			continue;
		for (size_t k = 0; k < c->ncols; k++)
			if (str_eq(str_of(c->cols[k].name), name))
				return c->to_get;
	}
	return NULL;
}

int
rows_need_column(struct rows *r, const struct token *t, struct str name,
    struct err *err)
{
	struct rows *origin = rows_origin(r);
	struct str part = origin->ops->known == NULL ? name : first_name(name);
	bool quoted = t->kind == TOKEN_TEXT;
	char text[GUESS_TEXT];
	const char *hint = t->kind == TOKEN_WORD ? hint_of(name) : NULL, *get = how_to_get(origin, name);
	int col = -1;

	if (t->kind == TOKEN_WORD || quoted)
		col = rows_find(r, name, quoted);
	if (col >= 0)
		return col;
	if (origin->err.kind != E_NONE)
		*err = origin->err;
	else if (t->kind != TOKEN_WORD && !quoted)
		fail_at(err, E_USAGE, t->at, "expected a column");
	else if (get != NULL)
		fail_for(err, REASON_NO_COLUMN, E_USAGE, t->at, "'%.*s' needs %s", (int)name.n, name.s, get);
	else if (hint != NULL)
		fail_for(err, REASON_NO_COLUMN, E_USAGE, t->at, "no column '%.*s'; %s", (int)name.n, name.s,
		    hint);
	else
		fail_for(err, REASON_NO_COLUMN, E_USAGE, t->at + (quoted ? 0 :
		    (uint32_t)(t->text.n - name.n)), "no column '%.*s' here%s", (int)name.n, name.s,
		    guess_or_list(origin, part, text, sizeof text));
	return -1;
}
