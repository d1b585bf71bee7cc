/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool_files: which files beneath the root can be opened.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/calendar.h"
#include "mcp.h"

#define MOST 100000u		/* names that are looked at */

/* Paths from the root on. */
struct list {
	char	**path;
	size_t	 n, cap;
};

struct walk {
	const struct mcp_options	*o;
	struct list		 directories, files;
	struct buf		 path;
	size_t			 seen, unfit;
	struct work		*work;
};

static bool
list_add(struct list *l, struct str path, struct err *err)
{
	if (!mem_grow(&l->path, &l->cap, l->n + 1, sizeof *l->path) ||
	    (l->path[l->n] = mem_copy(path)) == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	l->n++;
	return true;
}

static void
tool_files_list_free(struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->path[i]);
	free(l->path);
}

/* ---- the walk ------------------------------------------------------------------------------- */

static unsigned char
type_of(int directory, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN || fstatat(directory, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return e->d_type;
	return S_ISREG(st.st_mode) ? DT_REG : S_ISDIR(st.st_mode) ? DT_DIR : S_ISLNK(st.st_mode) ? DT_LNK :
	    DT_UNKNOWN;
}

/* Hidden files and our own are not listed; a name that would be truncated cannot be passed to other tools. */
static bool
add_entry(struct walk *w, int directory, const char *under, const struct dirent *e,
    struct err *err)
{
	struct str name = str_of(e->d_name);
	unsigned char type = type_of(directory, e);
	struct buf shown = BUF_INIT;
	bool fit;

	if (e->d_name[0] == '.' || str_glob(STR("*.icx*"), name) || (type != DT_REG && type != DT_DIR &&
	    (type != DT_LNK || !w->o->follow)))
		return true;
	w->seen++;
	buf_clear(&w->path);
	buf_printf(&w->path, "%s%s%s", under, under[0] != '\0' ? "/" : "", e->d_name);
	text_escape(&shown, buf_view(&w->path));
	fit = shown.n <= PAGE_TEXT_MOST && !shown.bad;
	buf_free(&shown);
	w->unfit += !fit;
	if (!fit)
		return true;
	return list_add(type == DT_DIR ? &w->directories : &w->files, buf_view(&w->path), err);
}

/* Read a directory; a missing or unreadable one counts as empty. */
static bool
read_directory(struct walk *w, const char *under, struct err *err)
{
	struct file_id id;
	struct dirent *e;
	bool ok = true;
	DIR *d;
	int fd;

	if (!path_open(w->o, str_of(under), true, &fd, &id, NULL))
		return true;
	d = fdopendir(fd);
	if (d == NULL) {
		close(fd);
		return true;
	}
	while (ok && w->seen < MOST && (e = readdir(d)) != NULL)
		ok = work_go(w->work, w->seen, err) && add_entry(w, fd, under, e, err);
	closedir(d);
	return ok;
}

static int
tool_files_by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
walk_all(struct walk *w, struct str under, struct err *err)
{
	bool ok = list_add(&w->directories, under, err);

	for (size_t i = 0; ok && i < w->directories.n; i++)
		ok = read_directory(w, w->directories.path[i], err);
	if (ok && w->files.n > 0)
		qsort(w->files.path, w->files.n, sizeof *w->files.path, tool_files_by_path);
	return ok;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void
tool_files_put_row(struct page *p, const char *path, const char *format, const struct file_id *id,
    bool indexed)
{
	char stamp[CALENDAR_TEXT];
	struct buf shown = BUF_INIT;

	(void)calendar_text(id->mtime / 1000000000u, true, stamp);
	text_escape(&shown, str_of(path));
	page_row(p);
	page_cell(p, &(const struct cell){ .type = CELL_TEXT, .text = buf_view(&shown) });
	p->row.bad |= shown.bad;
	buf_free(&shown);
	page_cell(p, &(struct cell){ .type = CELL_BYTES, .u = id->size });
	page_cell(p, &(const struct cell){ .type = CELL_TEXT, .text = str_of(format) });
	page_cell(p, &(const struct cell){ .type = CELL_TEXT, .text = str_of(stamp) });
	page_cell(p, &(const struct cell){ .type = CELL_BOOL, .u = indexed });
}

/* Whether the file at a path has a row, and no room for it. */
static bool
add_file(struct page *p, const struct mcp_options *o, const char *path, bool *full)
{
	const struct loader *format;
	struct file_id id;
	int fd;

	*full = false;
	if (!path_open(o, str_of(path), false, &fd, &id, NULL))
		return false;
	format = load_format_fd(fd, path, true);
	close(fd);
	if (format == NULL)
		return false;
	tool_files_put_row(p, path, format->name, &id, store_has_index(path, &o->store));
	*full = !page_keep(p);
	return !*full;
}

static bool
tool_files_put_rows(struct page *p, struct call *c, struct walk *w, uint64_t *at, struct err *err)
{
	bool full = false;

	for (; *at < w->files.n && p->rows < call_number(c, CALL_LIMIT); ++*at) {
		if (!work_go(w->work, *at, err))
			return false;
		(void)add_file(p, c->o, w->files.path[*at], &full);
		if (full)
			break;
	}
	return true;
}

static void
tool_files_finish(struct page *p, struct call *c, const struct walk *w, uint64_t at, uint64_t key)
{
	struct buf cursor = BUF_INIT, unfit = BUF_INIT;
	const char *notes[3] = { NULL };
	size_t n = 0;

	if (at < w->files.n)
		cursor_put(&cursor, at, key);
	if (w->seen == MOST)
		notes[n++] = "too many names to list; narrow the search with under";
	buf_printf(&unfit, "names that cannot be shown: %zu", w->unfit);
	if (w->unfit > 0 && !unfit.bad)
		notes[n++] = unfit.s;
	page_end(p, c, buf_view(&cursor), UINT64_MAX, notes);
	c->out.bad |= cursor.bad;
	buf_free(&cursor);
	buf_free(&unfit);
}

/* Hash the names seen: with another name among them the cursor is no longer valid. */
static uint64_t
tool_files_key_of(const struct walk *w, struct str under)
{
	uint64_t key = cursor_key(under, NULL, 0);

	for (size_t i = 0; i < w->files.n; i++)
		key = idmap_hash_text(str_of(w->files.path[i]), key);
	return key;
}

bool
tool_files(struct call *c, struct work *work, struct err *err)
{
	struct str under = c->text[CALL_UNDER].s != NULL ? c->text[CALL_UNDER] : STR(""),
	    cursor = c->text[CALL_CURSOR];
	struct walk w = { .o = c->o, .work = work };
	uint64_t at = 0, key;
	struct file_id id;
	struct page p;
	bool ok;
	int fd;

	if (!path_open(c->o, under, true, &fd, &id, err))
		return false;
	close(fd);
	page_begin(&p, c);
	page_column(&p, "file", CELL_TEXT);
	page_column(&p, "size", CELL_BYTES);
	page_column(&p, "format", CELL_TEXT);
	page_column(&p, "modified", CELL_TEXT);
	page_column(&p, "indexed", CELL_BOOL);
	ok = walk_all(&w, under, err);
	key = tool_files_key_of(&w, under);
	ok = ok && (cursor.s == NULL || cursor_read(cursor, key, &at, err)) &&
	    tool_files_put_rows(&p, c, &w, &at, err);
	if (ok)
		tool_files_finish(&p, c, &w, at, key);
	page_free(&p);
	tool_files_list_free(&w.directories);
	tool_files_list_free(&w.files);
	buf_free(&w.path);
	return ok;
}
