/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names: collect the files to process.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "icecore/directory.h"
#include "icecore/inflate.h"
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

struct walk {
	const struct fleet_options *o;
	struct path_list	*names, folders;
	struct stat		 out;	/* the output directory: dumps kept there are not new */
	uint64_t		 others;	/* files whose names are not those of dumps, traces and profiles */
};

static bool
is_out(const struct walk *w, const struct stat *st)
{
	return w->out.st_ino == st->st_ino && w->out.st_dev == st->st_dev;
}

/*
 * List a directory: add its files and queue its subdirectories. An unreadable directory gets a row like a
 * file.
 */
static bool
walk_one(struct walk *w, const char *folder, struct err *err)
{
	DIR *d = below_list(w->o, folder);
	struct buf path = BUF_INIT;
	struct dirent *e;
	struct stat st;
	bool ok = d != NULL || names_add(w->names, str_of(folder), err);

	while (ok && d != NULL && (e = readdir(d)) != NULL) {
		if (is_left_out(str_of(e->d_name)))
			continue;
		buf_clear(&path);
		buf_str(&path, str_of(folder));
		if (!str_has_suffix(buf_view(&path), STR("/")))
			buf_chr(&path, '/');
		buf_str(&path, str_of(e->d_name));
		ok = !path.bad || fail(err, E_SYSTEM, "out of memory (names)");
		if (ok && fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
			ok = is_out(w, &st) || names_add(&w->folders, buf_view(&path), err);
		else if (ok && names_wants(w->o, str_of(e->d_name)))
			ok = names_add(w->names, buf_view(&path), err);
		else
			w->others++;
	}
	if (d != NULL)
		closedir(d);
	buf_free(&path);
	return ok;
}

static bool
names_walk(struct path_list *n, const char *folder, const struct fleet_options *o, struct err *err)
{
	struct walk w = { .o = o, .names = n, .folders = NAMES_INIT };
	struct buf shown = BUF_INIT;
	bool ok = names_add(&w.folders, str_of(folder), err);
	char *now;

	if (o->out != NULL)
		(void)stat(o->out, &w.out);
	for (uint64_t i = 0; ok && i < w.folders.n; i++) {
		/* The list grows during the loop. */
		now = mem_copy(str_of(names_get(&w.folders, i)));
		ok = now != NULL ? walk_one(&w, now, err) : fail(err, E_SYSTEM, "out of memory (names)");
		free(now);
	}
	names_free(&w.folders);
	if (ok && w.others > 0) {
		text_fit_buf(&shown, str_of(shown_path(folder)));
		fprintf(stderr, "icecore: %s: skipped %llu %s without a known extension; --all reads them\n", shown.n > 0 ? shown.s : "",
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

bool
names_gather(struct path_list *n, struct fleet_options *o, struct err *err)
{
	struct stat st;
	bool ok = below_begin(o, o->npaths, false, err) && (o->from == NULL || read_list(n, o, err));

	for (size_t i = 0; ok && i < o->npaths; i++)
		ok = below_is(o, i) ? names_walk(n, o->paths[i], o, err) :
		    lstat(o->paths[i], &st) == 0 ? names_add(n, str_of(o->paths[i]), err) :
		    fail_path(err, o->paths[i]);
	if (ok)
		names_settle(n, o);
	return ok;
}
