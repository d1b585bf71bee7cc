/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asks: queries as they were given, alone or in files.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define SCRIPT_MAX (16u << 20)	/* bytes */

bool
asks_add(struct asks *asks, struct str text, size_t line, struct err *err)
{
	struct ask *ask;

	if (!mem_grow(&asks->ask, &asks->cap, asks->n + 1, sizeof *asks->ask))
		return fail(err, E_SYSTEM, "out of memory (saved queries)");
	ask = &asks->ask[asks->n];
	ask->line = line;
	ask->path = NULL;
	ask->title = STR("");
	ask->query = NULL;
	ask->bytes = mem_array(text.n + 1, 1);
	if (ask->bytes == NULL)
		return fail(err, E_SYSTEM, "out of memory (saved queries)");
	if (text.n > 0)
		memcpy(ask->bytes, text.s, text.n);
	ask->text = (struct str){ ask->bytes, text.n };
	asks->n++;
	return true;
}

void
asks_free(struct asks *asks)
{
	for (size_t i = 0; i < asks->n; i++) {
		query_free(asks->ask[i].query);
		free(asks->ask[i].bytes);
	}
	free(asks->ask);
	*asks = (struct asks){ .ask = NULL };
}

static bool
asks_read_all(const char *path, struct buf *b, struct err *err)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char part[4096];
	size_t n;
	bool ok;

	if (f == NULL)
		return fail_errno(err, "cannot open script %s", path);
	while ((n = fread(part, 1, sizeof part, f)) > 0 && b->n <= SCRIPT_MAX)
		buf_add(b, part, n);
	ok = !ferror(f) || fail_errno(err, "cannot read script %s", path);
	if (f != stdin)
		fclose(f);
	if (ok && (b->bad || b->n > SCRIPT_MAX))
		return fail(err, E_USAGE, "script %s is too large (limit: %u MiB)", path, SCRIPT_MAX >> 20);
	return ok;
}

static struct str
asks_trim(struct str s)
{
	while (s.n > 0 && memchr(" \t\r", s.s[s.n - 1], 3) != NULL)
		s.n--;
	return str_skip_blanks(s);
}

bool
asks_read(struct asks *asks, const char *path, struct err *err)
{
	struct buf all = BUF_INIT, query = BUF_INIT;
	struct str rest, line;
	size_t number = 0, first = 0;
	bool ok = asks_read_all(path, &all, err), open = false;

	rest = buf_view(&all);
	while (ok && str_split(&rest, '\n', &line)) {
		number++;
		line = asks_trim(line);
		if (line.n == 0 || line.s[0] == '#')
			continue;
		if (open)
			buf_chr(&query, ' ');
		else
			first = number;
		buf_str(&query, line);
		open = line.s[line.n - 1] == '|';
		if (open)
			continue;
		ok = asks_add(asks, buf_view(&query), first, err);
		buf_clear(&query);
	}
	if (ok && open)
		ok = asks_add(asks, buf_view(&query), first, err);
	buf_free(&all);
	buf_free(&query);
	return ok;
}

bool
asks_use_event(const struct asks *asks, unsigned shapes)
{
	const struct command *source;
	const struct query *q;

	for (size_t i = 0; i < asks->n; i++) {
		q = asks->ask[i].query;
		source = q != NULL ? command_find(str_of(q->stage[0].command->word), true, shapes) : NULL;
		/*
		 * Rows of stacks are samples; filters, of which one names an event, belong to other sources
		 * of samples.
		 */
		if (source != NULL && !names_event(q) && !source->by_rows &&
		    (source->views == VIEWS_OF_TREES || source->shapes == SHAPE_SAMPLES))
			return true;
	}
	return false;
}
