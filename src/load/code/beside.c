/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside: bytecode next to another file: archives, class files, dex files and directories of them, as one
 * bundle.
 */
#include "config.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/columns_code.h"
#include "icecore/columns_findings.h"
#include "icecore/make.h"
#include "icecore/resources.h"
#include "icecore/facts.h"
#include "icecore/named.h"
#include "bytes.h"

#define FOLDERS_DEEP 64
#define FILES_MOST 1000000u

struct beside {
	struct bundle	 bundle;
	struct work	*work;
	uint64_t	 files, refused;
};

/*
 * In a directory only files with these suffixes are read; a file named on the command line is read whatever
 * its suffix.
 */
static bool
is_code_name(struct str name)
{
	static const char *const ends[] = { ".class", ".jar", ".aar", ".war", ".apk", ".aab", ".dex" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(name, str_of(ends[i])))
			return true;
	return false;
}

static bool
is_code(const struct map *m, const void *arg, struct err *err)
{
	(void)arg;
	return code_is_piece(m->data, m->size) || zip_is(m->data, m->size) ||
	    fail(err, E_UNREADABLE, "no bytecode: not a class file, dex file or archive");
}

/* *known: the file is bytecode, or an archive. */
static bool
beside_add_file(struct beside *s, const char *path, const char *name, bool *known, struct err *err)
{
	struct str as = str_of(name);
	struct map m;
	bool ok = true;

	if (!map_open_known(&m, path, "classes", &(struct intake_check){ is_code, NULL }, s->work, err))
		return false;
	*known = m.size > 0 && is_code(&m, NULL, NULL);
	if (*known)
		ok = code_is_piece(m.data, m.size) ? bundle_add(&s->bundle, as, m.data, m.size, err) :
		    bundle_zip(&s->bundle, as, m.data, m.size, err);
	if (ok && map_lost(&m))
		ok = fail(err, E_SYSTEM, "%s changed while reading; run icecore again", path);
	map_close(&m);
	s->files++;
	return ok;
}

/* ---- folders ---------------------------------------------------------------------------------- */

struct folder {
	struct dirent	**entry;
	int		 n, i;
	size_t		 path;		/* length of the path up to it */
};

static bool
beside_enter(struct folder *f, struct buf *path, struct err *err)
{
	*f = (struct folder){ .path = path->n };
	f->n = path->bad ? -1 : named_scan(path->s, &f->entry);
	return f->n >= 0 || fail_path(err, path->bad ? "a class directory" : path->s);
}

static void
beside_leave(struct folder *f)
{
	for (int i = 0; i < f->n; i++)
		free(f->entry[i]);
	free(f->entry);
}

/*
 * Return the next entry of the innermost directory. Links are not followed, so that no directory is visited
 * twice.
 */
static bool
beside_take_entry(struct beside *s, struct folder *folder, size_t *depth, struct buf *path, size_t top,
    struct err *err)
{
	struct folder *f = &folder[*depth - 1];
	struct stat sb;
	bool known;

	assert(*depth > 0 && *depth <= FOLDERS_DEEP);
	assert(f->i < f->n);
	path->n = f->path;
	buf_printf(path, "/%s", f->entry[f->i++]->d_name);
	if (path->bad)
		return fail(err, E_SYSTEM, "out of memory (path)");
	if (lstat(path->s, &sb) != 0)
		return true;
	if (S_ISDIR(sb.st_mode) && *depth < FOLDERS_DEEP) {
		++*depth;
		if (beside_enter(&folder[*depth - 1], path, err))
			return true;
		--*depth;
		return false;
	}
	if (!S_ISREG(sb.st_mode) || !is_code_name(buf_view(path)))
		return true;
	if (s->files >= FILES_MOST)
		return fail_file(err, E_UNREADABLE, path->s, "too many class files (limit: %u)", FILES_MOST);
	if (!work_go(s->work, s->files, err) || !beside_add_file(s, path->s, path->s + top + 1, &known, err))
		return false;
	s->refused += !known;
	return true;
}

static bool
add_folder(struct beside *s, const char *name, struct err *err)
{
	struct folder folder[FOLDERS_DEEP];
	struct buf path = BUF_INIT;
	size_t depth = 1, top;
	bool ok;

	buf_str(&path, str_of(name));
	top = path.n;
	ok = beside_enter(&folder[0], &path, err);
	depth = ok ? 1 : 0;
	while (ok && depth > 0)
		if (folder[depth - 1].i < folder[depth - 1].n)
			ok = beside_take_entry(s, folder, &depth, &path, top, err);
		else
			beside_leave(&folder[--depth]);
	while (depth > 0)
		beside_leave(&folder[--depth]);
	buf_free(&path);
	return ok;
}

/* ---- all files ---------------------------------------------------------------------------------- */

static bool
beside_add_path(struct beside *s, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct stat sb;
	bool known;

	if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
		return add_folder(s, path, err);
	return beside_add_file(s, path, slash == NULL ? path : slash + 1, &known, err) &&
	    (known || fail_file(err, E_UNREADABLE, path,
	    "no bytecode: not a class file, dex file or archive"));
}

static bool
make_bundle(struct beside *s, const char *const *path, struct map *out, struct err *err)
{
	struct intake to = { .most = intake_allowed() };
	bool ok;

	if (!fd_temporary(&to.fd, NULL, err))
		return false;
	ok = bundle_begin(&s->bundle, &to, s->work, err);
	for (; ok && *path != NULL; path++)
		ok = beside_add_path(s, *path, err);
	ok = ok && bundle_end(&s->bundle, err) && map_open_fd(out, to.fd, NULL, s->work, err);
	close(to.fd);
	return ok;
}

static bool
beside_fill(struct store *over, struct store *below, struct beside *s, const char *first, struct err *err)
{
	unsigned shapes = load_shapes(below);
	struct str all = store_own(over);

	if (!code_load(over, (const uint8_t *)all.s, all.n, store_own_at(over), s->work, err) ||
	    !fact_set(over, FACT_SHAPES, shapes | SHAPE_CODE, err) ||
	    (s->refused > 0 && !fact_set(over, FACT_LOSS_CODE_FILES,
	    fact_value(over, FACT_LOSS_CODE_FILES) + s->refused, err)))
		return false;
	return fact_value(over, FACT_CODE_CLASSES) > 0 || code_fail_empty(over, first, err);
}

/*
 * Columns computed by passes from bytecode belong to the store with the bytecode, not to the file below: the
 * limits of collections in findings, too.
 */
static const column_id made_above[] = {
	COL_CODE_METHOD_BUGS, COL_CODE_METHOD_TRACED, COL_METHOD_CODE, COL_BUG_METHOD, COL_BUG_KIND,
	    COL_BUG_RULES, COL_BUG_SITE,
	COL_BUG_PC, COL_BUG_WHY, COL_BUG_AT, COL_BUG_RESOURCE, COL_BUG_CHECK, FINDINGS_MAKES, COL_NONE
};

/* Text of one option: a table of resources, or rules. */
struct table {
	const char	*option;
	column_id	 column;
	bool		(*read)(struct resources *, struct str, struct err *);
};

/* The file is such a table; its text is appended. */
static bool
add_table(const struct table *t, struct buf *to, const char *path, struct work *w, struct err *err)
{
	struct resources r = { .nrows = 0 };
	struct err why = { .kind = E_NONE };
	struct str text;
	struct map m;
	bool cut, ok;

	if (!text_file_open(&m, path, &cut, w, err))
		return false;
	text = (struct str){ (const char *)m.data, m.data == NULL ? 0 : (size_t)m.size };
	ok = t->read(&r, text, &why) || fail_about(err, path, &why);
	if (ok)
		buf_str(to, text);
	buf_chr(to, '\n');
	map_close(&m);
	resources_free(&r);
	return ok;
}

static bool
tables_beside(struct store **st, const struct table *t, const char *const *path, struct work *w,
    struct err *err)
{
	struct store *over;
	struct buf text = BUF_INIT;
	bool ok = true;

	if ((load_shapes(*st) & SHAPE_CODE) == 0)
		return fail(err, E_USAGE, "--%s needs bytecode; pass it with --classes", t->option);
	for (; ok && *path != NULL; path++)
		ok = add_table(t, &text, *path, w, err);
	ok = ok && (!text.bad || fail(err, E_SYSTEM, "out of memory (%s)", t->option)) &&
	    store_over(&over, *st, made_above, err);
	if (ok && !make_copy(over, t->column, COL_BYTES, text.s, text.n, err)) {
		store_discard(over);
		store_close(over);
		ok = false;
	} else if (ok) {
		store_publish(over);
		*st = over;
	}
	buf_free(&text);
	return ok;
}

bool
resources_beside(struct store **st, const char *const *path, struct work *w, struct err *err)
{
	return tables_beside(st, &(struct table){ "resources", COL_CODE_RESOURCES, resources_read }, path, w,
	    err);
}

bool
checks_beside(struct store **st, const char *const *path, struct work *w, struct err *err)
{
	return tables_beside(st, &(struct table){ "checks", COL_CODE_CHECKS, checks_read }, path, w, err);
}

bool
code_beside(struct store **st, const char *const *path, struct work *w, struct err *err)
{
	struct beside s;
	struct store *over;
	struct map m;

	s.work = w;
	s.files = s.refused = 0;
	work_start(w, "classes", 0);
	if (!make_bundle(&s, path, &m, err))
		return false;
	if (!store_over(&over, *st, made_above, err)) {
		map_close(&m);
		return false;
	}
	store_own_map(over, &m);
	if (!beside_fill(over, *st, &s, *path, err)) {
		store_discard(over);
		store_close(over);
		return false;
	}
	store_publish(over);
	*st = over;
	return true;
}
