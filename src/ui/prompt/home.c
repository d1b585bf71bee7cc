/*
 * home: the user's files: their paths, reading and writing them.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/directory.h"
#include "icecore/named.h"
#include "prompt.h"

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
	char	*directory = path != NULL ? directory_of(path) : NULL;

	if (directory != NULL)
		each(to, directory);
	free(directory);
	free(path);
}

void
ui_directories(const struct ui_options *opt, void (*each)(void *, const char *), void *to)
{
	tell_folder(home_path("XDG_CONFIG_HOME", ".config", "queries"), each, to);
	if (opt->keys == NULL && !opt->no_history)
		tell_folder(home_path("XDG_STATE_HOME", ".local/state", "history"), each, to);
	if (opt->marks != NULL)
		tell_folder(mem_copy(str_of(opt->marks)), each, to);
}

bool
home_read(const char *path, struct buf *b, struct err *err)
{
	char	 piece[4096];
	FILE	*f = named_stream(path);
	size_t	 n;
	bool	 ok = true;

	if (f == NULL)
		return errno == ENOENT || fail_path(err, path);
	while (ok && (n = fread(piece, 1, sizeof piece, f)) > 0) {
		buf_add(b, piece, n);
		ok = b->n <= HOME_MOST && !b->bad;
	}
	if (!ok)
		fail_file(err, E_USAGE, path, "file too large");
	else if (ferror(f))
		ok = fail_path(err, path);
	fclose(f);
	return ok;
}

bool
home_write(const char *path, const struct buf *b, struct err *err)
{
	struct file	file;

	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (file)");
	if (!named_directories(path))
		return fail_path(err, path);
	if (!file_begin(&file, path, err))
		return false;
	if (file_write(&file, b->s, b->n, err) && file_commit(&file, true, err))
		return true;
	file_abandon(&file);
	return false;
}
