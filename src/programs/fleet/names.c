/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names: collect the files to process.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "icecore/directory.h"
#include "icecore/inflate.h"
#include "icecore/lev.h"
#include "fleet.h"

bool
names_add(struct path_list *n, struct str s, struct err *err)
{
	uint64_t at = n->ntext;

	if (!scratch_array(&n->text, n->ntext + s.n + 1, 1, err) ||
	    !scratch_add(&n->at, &n->n, &at, sizeof at, err))
		return false;
	memcpy(n->text.data + at, s.s, s.n);
	n->text.data[at + s.n] = '\0';
	n->ntext += s.n + 1;
	return true;
}

void
names_free(struct path_list *n)
{
	SCRATCH_FREE(&n->text, &n->at);
	*n = NAMES_INIT;
}

/*
 * Ends of names of heap dumps, traces and profiles; files with names such as .txt, .log and .json mostly are
 * something else.
 */
static bool
names_wants(const struct fleet_options *o, struct str s)
{
	static const char *const ends[] = { ".hprof", ".trace", ".pftrace", ".perfetto-trace", ".systrace",
	    ".ftrace", ".atrace", ".jfr",
	    ".pprof", ".prof", ".pb", ".folded", ".collapsed", ".perf", "perf.data", ".cpuprofile" };

	s = inflate_stem(s);
	if (o->all)
		return true;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(s, str_of(ends[i])))
			return true;
	return false;
}

/* Skip hidden files, files that tools keep next to dumps, and incomplete files. */
static bool
is_left_out(struct str s)
{
	static const char *const ends[] = { ".icx", ".part", ".tmp" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(s, str_of(ends[i])))
			return true;
	return s.n == 0 || s.s[0] == '.' || s.s[0] == '_';
}

/* A directory that was listed and has others below it. */
struct level {
	dev_t	 device;
	ino_t	 inode;
	size_t	 length;	/* of its path */
};

/*
 * Directories are listed depth first, each opened from the one above it: a path that is opened part by part
 * from the top would cost its depth each time. Only the last level is open, however deep it is; the way back
 * up is "..", if that still is the same directory.
 */
struct walk {
	const struct fleet_options *o;
	struct path_list	*names;
	struct path_list	 waiting;	/* names of directories to list, the next one last */
	ARRAY(uint64_t)		 depth;		/* number of levels above each */
	uint64_t		 ndepth;
	ARRAY(struct level)	 level;
	uint64_t		 nlevel;
	struct buf		 path;		/* of the last level, then of what is in it */
	int			 at;		/* the last level; -1: not open */
	struct stat		 out;	/* the output directory: dumps kept there are not new */
	uint64_t		 others;	/* files whose names are not those of dumps, traces and profiles */
};

static bool
is_out(const struct walk *w, const struct stat *st)
{
	return w->out.st_ino == st->st_ino && w->out.st_dev == st->st_dev;
}

/* Make this name the end of the path, behind a directory whose path is that long. */
static bool
walk_name(struct walk *w, size_t length, const char *name, struct err *err)
{
	w->path.n = length;
	if (length > 0 && w->path.s[length - 1] != '/')
		buf_chr(&w->path, '/');
	buf_str(&w->path, str_of(name));
	return !w->path.bad || fail(err, E_SYSTEM, "out of memory (names)");
}

static bool
walk_later(struct walk *w, const char *name, uint64_t depth, struct err *err)
{
	return names_add(&w->waiting, str_of(name), err) && array_add(&w->depth, &w->ndepth, &depth, err);
}

/* Directories with longer paths than the system takes get a row that says so. */
static bool
walk_entry(struct walk *w, DIR *d, const char *name, size_t length, struct err *err)
{
	struct stat st;

	if (is_left_out(str_of(name)))
		return true;
	if (!walk_name(w, length, name, err))
		return false;
	if (fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
		return is_out(w, &st) || (w->path.n < PATH_MAX ? walk_later(w, name, w->nlevel + 1, err) :
		    names_add(w->names, buf_view(&w->path), err));
	if (names_wants(w->o, str_of(name)))
		return names_add(w->names, buf_view(&w->path), err);
	w->others++;
	return true;
}

/* Go back to the level with that many levels in all. A directory that was moved meanwhile is not left by "..". */
static void
walk_up(struct walk *w, uint64_t levels)
{
	struct stat st;
	int up;

	for (; w->nlevel > levels; w->nlevel--) {
		const struct level *was = &w->level.at[w->nlevel - 2];

		up = w->at >= 0 ? openat(w->at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
		if (up >= 0 && (fstat(up, &st) != 0 || st.st_dev != was->device || st.st_ino != was->inode)) {
			close(up);
			up = -1;
		}
		below_leave(w->at);
		w->at = up;
	}
}

/* The directory that was listed is the last level now. */
static bool
walk_down(struct walk *w, DIR *d, size_t length, struct err *err)
{
	struct level now = { .length = length };
	struct stat st;

	below_leave(w->at);
	w->at = fcntl(dirfd(d), F_DUPFD_CLOEXEC, 3);
	if (fstat(dirfd(d), &st) == 0) {
		now.device = st.st_dev;
		now.inode = st.st_ino;
	}
	return array_add(&w->level, &w->nlevel, &now, err);
}

/* Open the next directory, whose path becomes that of the walk. */
static DIR *
walk_open(struct walk *w, bool *ok, struct err *err)
{
	uint64_t i = w->waiting.n - 1, levels = w->depth.at[i];
	const char *name = names_get(&w->waiting, i);
	DIR *d = NULL;
	int fd = -1;

	walk_up(w, levels);
	*ok = walk_name(w, levels > 0 ? w->level.at[levels - 1].length : 0, name, err);
	if (*ok && levels > 0 && w->at >= 0)
		fd = directory_file(w->at, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOCTTY);
	else if (*ok)
		fd = below_open(w->o, w->path.s, O_DIRECTORY);
	if (fd >= 0 && (d = fdopendir(fd)) == NULL)
		close(fd);
	w->waiting.ntext = SCRATCH(w->waiting.at, uint64_t)[i];
	w->waiting.n = w->ndepth = i;
	return d;
}

/*
 * List a directory: add its files and queue its subdirectories. An unreadable directory gets a row like a
 * file.
 */
static bool
walk_one(struct walk *w, struct err *err)
{
	uint64_t before = w->waiting.n - 1;
	struct dirent *e;
	size_t length;
	bool ok;
	DIR *d = walk_open(w, &ok, err);

	if (d == NULL)
		return ok && names_add(w->names, buf_view(&w->path), err);
	length = w->path.n;
	while (ok && fleet_stop == 0 && (e = readdir(d)) != NULL)
		ok = walk_entry(w, d, e->d_name, length, err);
	ok = ok && (w->waiting.n == before || walk_down(w, d, length, err));
	closedir(d);
	return ok;
}

static bool
names_walk(struct path_list *n, const char *folder, const struct fleet_options *o, struct err *err)
{
	struct walk w = { .o = o, .names = n, .waiting = NAMES_INIT, .depth = ARRAY_INIT, .level = ARRAY_INIT,
	    .path = BUF_INIT, .at = -1 };
	struct buf shown = BUF_INIT;
	bool ok = walk_later(&w, folder, 0, err);

	if (o->out != NULL)
		(void)stat(o->out, &w.out);
	while (ok && w.waiting.n > 0 && fleet_stop == 0)
		ok = walk_one(&w, err);
	ok = ok && (fleet_stop == 0 || fail_cancel(err));
	below_leave(w.at);
	names_free(&w.waiting);
	array_free(&w.depth);
	array_free(&w.level);
	buf_free(&w.path);
	if (ok && w.others > 0) {
		text_fit_buf(&shown, str_of(shown_path(folder)));
		fprintf(stderr, "icecore: %s: skipped %llu %s without a known extension; --all reads them\n",
		    shown.n > 0 ? shown.s : "",
		    (unsigned long long)w.others, w.others == 1 ? "file" : "files");
	}
	buf_free(&shown);
	return ok;
}

/* Read a list of paths, one a line; # does not begin a comment. */
static bool
read_list(struct path_list *n, const struct fleet_options *o, struct err *err)
{
	bool std = strcmp(o->from, "-") == 0;
	FILE *f = std ? stdin : fopen(o->from, "re");
	char *line = NULL;
	size_t cap = 0;
	int end = o->null ? '\0' : '\n';
	ssize_t got;
	bool ok = f != NULL || fail_path(err, o->from);

	while (ok && (got = getdelim(&line, &cap, end, f)) > 0) {
		got -= line[got - 1] == end;
		if (got > 0)
			ok = names_add(n, (struct str){ line, (size_t)got }, err);
	}
	ok = ok && (ferror(f) == 0 || fail_path(err, o->from));
	free(line);
	if (f != NULL && !std)
		fclose(f);
	return ok;
}

/* qsort passes no context. */
static const char *sorted_text;

static int
names_by_text(const void *a, const void *b)
{
	return strcmp(sorted_text + *(const uint64_t *)a, sorted_text + *(const uint64_t *)b);
}

/* Sort the names, drop duplicates, and keep those of the shard. */
static void
names_settle(struct path_list *n, const struct fleet_options *o)
{
	uint64_t *at = SCRATCH(n->at, uint64_t), kept = 0;
	const char *last = NULL, *s;

	sorted_text = (const char *)n->text.data;
	if (n->n > 0)
		qsort(at, n->n, sizeof *at, names_by_text);
	for (uint64_t i = 0; i < n->n; i++) {
		s = names_get(n, i);
		if (last != NULL && strcmp(s, last) == 0)
			continue;
		n->all++;
		if (o->shards == 1 || crc32(0, (const Bytef *)s, (uInt)strlen(s)) % o->shards == o->shard)
			at[kept++] = at[i];
		last = s;
	}
	n->n = kept;
}

#define NEAR_MOST 10000u	/* names that are tried */

static struct str
names_nth(void *of, uint64_t i)
{
	return str_of(names_get(of, i));
}

/* Say why a path is not there; a name without directory may be misspelt. */
static bool
names_missing(const char *path, struct err *err)
{
	int error = errno;
	DIR *d = error == ENOENT && strchr(path, '/') == NULL ? opendir(".") : NULL;
	struct path_list near = NAMES_INIT;
	char why[ERRNO_TEXT], guess[GUESS_TEXT];
	struct dirent *e;
	bool ok = d != NULL;

	while (ok && near.n < NEAR_MOST && (e = readdir(d)) != NULL)
		ok = names_add(&near, str_of(e->d_name), err);
	if (d != NULL)
		closedir(d);
	guess_among(str_of(path), names_nth, &near, near.n, guess, sizeof guess);
	names_free(&near);
	errno = error;
	return guess[0] == '\0' ? fail_path(err, path) :
	    fail_file(err, E_SYSTEM, path, "%s%s", errno_text(why, error), guess);
}

bool
names_gather(struct path_list *n, struct fleet_options *o, struct err *err)
{
	struct stat st;
	bool ok = below_begin(o, o->npaths, false, err) && (o->from == NULL || read_list(n, o, err));

	for (size_t i = 0; ok && i < o->npaths; i++)
		ok = below_is(o, i) ? names_walk(n, o->paths[i], o, err) :
		    lstat(o->paths[i], &st) == 0 ? names_add(n, str_of(o->paths[i]), err) :
		    names_missing(o->paths[i], err);
	if (ok)
		names_settle(n, o);
	return ok;
}
