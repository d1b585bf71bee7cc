/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * saved: named queries, one "NAME = QUERY" per line. Other lines of the file are kept unchanged.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/home.h"
#include "menu.h"

/* ---- the file of queries ------------------------------------------------- */

/* False: the line contains no query. */
static bool
saved_split(struct str line, struct str *name, struct str *query)
{
	if (line.n == 0 || line.s[0] == '#' || !str_split(&line, '=', name))
		return false;
	*name = str_trim(*name);
	*query = str_trim(line);
	return bookmark_named(*name) && query->n > 0;
}

static char *
file_path(struct err *err)
{
	char	*path = home_path("XDG_CONFIG_HOME", ".config", "queries");

	if (path == NULL)
		fail(err, E_USAGE, "cannot save: neither XDG_CONFIG_HOME nor HOME is set");
	return path;
}

void
saved_read(struct buf *file)
{
	char	*path = file_path(NULL);

	if (path != NULL && !home_read(path, file, NULL))
		buf_clear(file);
	free(path);
}

bool
saved_next(struct str *rest, struct str *name, struct str *query)
{
	struct str	line;

	while (str_split(rest, '\n', &line))
		if (saved_split(line, name, query))
			return true;
	return false;
}

bool
saved_get(struct str name, struct buf *query)
{
	struct buf	file = BUF_INIT;
	struct str	rest, other, text;

	saved_read(&file);
	for (rest = buf_view(&file); saved_next(&rest, &other, &text);)
		if (str_eq(other, name)) {
			buf_clear(query);
			buf_str(query, text);
		}
	buf_free(&file);
	return query->n > 0;
}

/* Make the file's text with the query: replace the one with that name, or append it. */
static void
put(struct buf *to, struct str file, struct str name, struct str query, bool *replaced)
{
	struct str	line, other, text;

	*replaced = false;
	while (str_split(&file, '\n', &line)) {
		if (saved_split(line, &other, &text) && str_eq(other, name)) {
			*replaced = true;
			continue;
		}
		buf_str(to, line);
		buf_chr(to, '\n');
	}
	buf_str(to, name);
	buf_str(to, STR(" = "));
	buf_str(to, query);
	buf_chr(to, '\n');
}

static bool
saved_check(struct str name, struct str query, struct err *err)
{
	struct str	other, text;
	struct buf	line = BUF_INIT;
	bool		ok;

	buf_str(&line, name);
	buf_str(&line, STR("=x"));
	ok = saved_split(buf_view(&line), &other, &text) && str_eq(other, name);
	buf_free(&line);
	if (!ok)
		return fail(err, E_USAGE, "names: letters, digits, _ and -; at most %d",
		    BOOKMARK_NAME);
	if (memchr(query.s, '\n', query.n) != NULL || query.n == 0)
		return fail(err, E_USAGE, "this query cannot be saved: it has line breaks");
	return true;
}

bool
saved_put(struct str name, struct str query, bool *replaced, struct err *err)
{
	char		*path = NULL;
	struct buf	 before = BUF_INIT, after = BUF_INIT;
	bool		 ok;

	query = str_trim(query);
	ok = saved_check(name, query, err) && (path = file_path(err)) != NULL &&
	    home_read(path, &before, err);
	if (ok) {
		put(&after, buf_view(&before), name, query, replaced);
		ok = home_write(path, &after, err);
	}
	buf_free(&before);
	buf_free(&after);
	free(path);
	return ok;
}
