/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folder: detect the formats of the files in a directory, and list the files as a table.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/named.h"
#include "folder.h"
#include "folder_table.h"

#define FOLDER_MOST 100000	/* names that are looked at */
#define KIND_MOST 26u		/* bytes of a kind; a longer one loses details */

struct folder_entry {
	char		*path;
	struct str	 name;		/* displayed name: the end of path, or all of path */
	const char	*kind;
	struct stat	 st;
	size_t		 nth;		/* recent: place of the entry in the list of recent files */
	enum { FOLDER_FILE, FOLDER_RECENT, FOLDER_DIRECTORY, FOLDER_REFUSED } of;	/* in this order */
};

struct folder {
	struct folder_entry	*entry;
	size_t			 n, cap;
	struct work		*work;
};

/* ---- entries ------------------------------------------------------------------------------------ */

/* Find the kind of a file; NULL: it has no known format. */
static void
folder_look(struct folder_entry *e)
{
	int fd = os_open_regular(e->path, &e->st);
	const struct loader *l = fd >= 0 ? load_format_fd(fd, e->path, true) : NULL;

	if (l != NULL)
		e->kind = l->what;
	else if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		e->kind = "may not be read";
		e->of = FOLDER_REFUSED;
	}
	if (fd >= 0)
		close(fd);
}

/* Own path.  Files without a known format, and recent files that the directory contains, add nothing. */
static bool
folder_add(struct folder *f, char *path, int of, struct err *err)
{
	struct folder_entry e = { .path = path, .nth = f->n, .of = of };
	bool recent = of == FOLDER_RECENT, known = false;

	if (path == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	e.name = recent ? str_of(path) : last_name(path);
	if (of == FOLDER_DIRECTORY)
		e.kind = "directory";
	else
		folder_look(&e);
	for (size_t i = 0; recent && !known && i < f->n; i++)
		known = f->entry[i].st.st_dev == e.st.st_dev && f->entry[i].st.st_ino == e.st.st_ino;
	if (e.kind == NULL || known) {
		free(path);
		return true;
	}
	if (!mem_grow(&f->entry, &f->cap, f->n + 1, sizeof *f->entry)) {
		free(path);
		return fail(err, E_SYSTEM, "out of memory");
	}
	f->entry[f->n++] = e;
	return true;
}

static bool
folder_add_name(struct folder *f, const char *directory, const struct dirent *e, struct err *err)
{
	struct buf path = BUF_INIT;
	struct stat st;
	size_t n = strlen(directory);
	bool ok;

	assert(strchr(e->d_name, '/') == NULL);
	buf_printf(&path, "%s%s%s", directory, n > 0 && directory[n - 1] == '/' ? "" : "/", e->d_name);
	ok = !path.bad || fail(err, E_SYSTEM, "out of memory");
	if (ok && stat(path.s, &st) == 0 && !str_glob(STR("*.icx*"), str_of(e->d_name)) &&
	    (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		ok = folder_add(f, mem_copy(buf_view(&path)), S_ISDIR(st.st_mode) ? FOLDER_DIRECTORY : FOLDER_FILE,
		    err);
	buf_free(&path);
	return ok;
}

static bool
folder_scan(struct folder *f, const char *path, const char *const *recent, struct err *err)
{
	struct dirent **list;
	int n = named_scan(path, &list);
	bool ok = n >= 0 || fail_errno(err, "cannot read the directory");

	work_start(f->work, "detecting formats", n > 0 ? (uint64_t)n : 0);
	for (int i = 0; i < n; i++) {
		ok = ok && (i >= FOLDER_MOST ||
		    (work_go(f->work, (uint64_t)i, err) && folder_add_name(f, path, list[i], err)));
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	for (; ok && recent != NULL && *recent != NULL; recent++)
		ok = folder_add(f, mem_copy(str_of(*recent)), FOLDER_RECENT, err);
	return ok;
}

/* ---- the table -------------------------------------------------------------------------------------- */

static int
folder_order(const void *a, const void *b)
{
	const struct folder_entry *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->of == FOLDER_RECENT)
		return x->nth > y->nth ? -1 : 1;
	if (x->st.st_mtime != y->st.st_mtime && x->of != FOLDER_DIRECTORY)
		return x->st.st_mtime > y->st.st_mtime ? -1 : 1;
	return str_cmp(x->name, y->name);
}

/* The description of a format up to its details, so that a list has room for it. */
static struct str
folder_kind(const char *what)
{
	static const char *const details[] = { " of ", " or ", " that " };
	struct str kind = str_trim((struct str){ what, strcspn(what, "(:;") });
	const char *at;

	for (size_t i = 0; i < NELEM(details); i++)
		if (kind.n > KIND_MOST &&
		    (at = memmem(kind.s, kind.n, details[i], strlen(details[i]))) != NULL)
			kind.n = (size_t)(at - kind.s);
	return kind;
}

static void
folder_table(const struct folder *f, struct buf *b)
{
	time_t now = time(NULL);

	assert(f->n > 0);
	folder_head(b);
	for (size_t i = 0; i < f->n; i++) {
		const struct folder_entry *e = &f->entry[i];
		bool file = e->of != FOLDER_DIRECTORY;

		assert(e->path != NULL && e->kind != NULL);
		/* A second that has begun counts.  A file from the future has no age. */
		folder_row(b, &(struct folder_row){ .name = e->name, .kind = folder_kind(e->kind),
		    .path = str_of(e->path), .sized = file, .size = (uint64_t)e->st.st_size,
		    .aged = file && e->st.st_mtime <= now,
		    .age = (int64_t)(now - e->st.st_mtime + (e->st.st_mtime == now)) * 1000000000,
		    .recent = e->of == FOLDER_RECENT });
	}
}

bool
folder_read(struct buf *table, const char *path, const char *const *recent, struct work *w, struct err *err)
{
	struct folder f = { .work = w };
	bool ok = folder_scan(&f, path, recent, err);

	if (ok && f.n == 0)
		ok = fail(err, E_UNREADABLE,
		    "no file in this directory has a known format; icecore --list-formats lists the formats, icecore "
		    "ps lists Java processes");
	if (ok) {
		qsort(f.entry, f.n, sizeof *f.entry, folder_order);
		folder_table(&f, table);
		ok = !table->bad || fail(err, E_SYSTEM, "out of memory");
	}
	while (f.n > 0)
		free(f.entry[--f.n].path);
	free(f.entry);
	return ok;
}
