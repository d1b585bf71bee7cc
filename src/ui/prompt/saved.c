/*
 * saved: queries kept under a name, one "NAME = QUERY" a line.  Other lines of
 * the file are left as they are.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/directory.h"
#include "icecore/named.h"
#include "menu.h"

enum { FILE_MAX_SIZE = 1 << 20, NAME_MAX_SIZE = 40 };

/* ---- where they are ------------------------------------------------------ */

char *
home_path(const char *variable, const char *otherwise, const char *name)
{
	const char	*base = getenv(variable), *home = getenv("HOME");
	struct buf	 b = BUF_INIT;

	if (base != NULL && *base == '/')
		buf_printf(&b, "%s/icecore/%s", base, name);
	else if (home != NULL && *home == '/')
		buf_printf(&b, "%s/%s/icecore/%s", home, otherwise, name);
	if (b.bad) {
		buf_free(&b);
		return NULL;
	}
	return b.s;
}

static void
tell_folder(char *path, void (*each)(void *, const char *), void *to)
{
	char	*slash = path != NULL ? strrchr(path, '/') : NULL;

	if (slash != NULL) {
		*slash = '\0';
		each(to, path);
	}
	free(path);
}

void
ui_directories(const struct ui_options *opt, void (*each)(void *, const char *), void *to)
{
	tell_folder(home_path("XDG_CONFIG_HOME", ".config", "queries"), each, to);
	if (opt->keys == NULL && !opt->no_history)
		tell_folder(home_path("XDG_STATE_HOME", ".local/state", "history"), each, to);
}

/* ---- the file of queries ------------------------------------------------- */

static bool
is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_' || c == '-';
}

/* False when the line holds no query. */
static bool
saved_split(struct str line, struct str *name, struct str *query)
{
	size_t	i;

	if (line.n == 0 || line.s[0] == '#' || !str_split(&line, '=', name))
		return false;
	*name = str_trim(*name);
	*query = str_trim(line);
	for (i = 0; i < name->n && is_name_byte(name->s[i]); i++)
		;
	return i > 0 && i == name->n && i <= NAME_MAX_SIZE && query->n > 0;
}

/* Read the whole file; a missing file counts as empty. */
static bool
saved_read_file(const char *path, struct buf *b, struct err *err)
{
	char	 piece[4096];
	FILE	*f = named_stream(path);
	size_t	 n;
	bool	 ok = true;

	if (f == NULL)
		return errno == ENOENT || fail_path(err, path);
	while (ok && (n = fread(piece, 1, sizeof piece, f)) > 0) {
		buf_add(b, piece, n);
		ok = b->n <= FILE_MAX_SIZE && !b->bad;
	}
	if (!ok)
		fail_file(err, E_USAGE, path, "file too large");
	else if (ferror(f))
		ok = fail_path(err, path);
	fclose(f);
	return ok;
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

	if (path != NULL && !saved_read_file(path, file, NULL))
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

/* The file with the query in it: in place of the one of that name, or at the end. */
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
saved_write_file(char *path, const struct buf *b, struct err *err)
{
	struct file	file;

	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (saved queries)");
	if (!named_directories(path))
		return fail_path(err, path);
	if (!file_begin(&file, path, err))
		return false;
	if (file_write(&file, b->s, b->n, err) && file_commit(&file, true, err))
		return true;
	file_abandon(&file);
	return false;
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
		    NAME_MAX_SIZE);
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
	    saved_read_file(path, &before, err);
	if (ok) {
		put(&after, buf_view(&before), name, query, replaced);
		ok = saved_write_file(path, &after, err);
	}
	buf_free(&before);
	buf_free(&after);
	free(path);
	return ok;
}
