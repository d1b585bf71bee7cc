/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * retain: icecore watch removes old files of INBOX, and what OUT has about them.
 *
 * The age of a file is that of its last change of status.  Its modification time is chosen by whoever sent
 * it.
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "retain.h"

struct retained {
	uint64_t	name;		/* index into the names */
	uint64_t	changed, bytes;
};

struct retaining {
	const struct fleet_options *o;
	struct path_list	 names;
	struct scratch		 files;		/* struct retained */
	uint64_t		 nfiles, bytes;	/* bytes: of all files */
	struct idmap		 gone;		/* rows_path_id of removed files, to 1 */
	uint64_t		 ngone;
};

static int
oldest_first(const void *a, const void *b)
{
	const struct retained *x = a, *y = b;

	return num_order(x->changed, y->changed, num_order(x->name, y->name, 0));
}

/* Hidden files belong to somebody else: they may be the unfinished copies of another program. */
static bool
retain_list(struct retaining *t, const char *inbox, struct err *err)
{
	DIR *d = below_list(t->o, inbox);
	struct buf path = BUF_INIT;
	struct dirent *e;
	struct stat st;
	bool ok = d != NULL || fail_path(err, inbox);

	while (ok && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		buf_clear(&path);
		buf_printf(&path, "%s/%s", inbox, e->d_name);
		if (path.bad)
			ok = fail(err, E_SYSTEM, "out of memory (names)");
		else if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)) {
			struct retained f = { t->names.n, os_ns(&st.st_ctim), (uint64_t)st.st_size };

			t->bytes = num_add(t->bytes, f.bytes);
			ok = names_add(&t->names, buf_view(&path), err) &&
			    scratch_add(&t->files, &t->nfiles, &f, sizeof f, err);
		}
	}
	if (d != NULL)
		closedir(d);
	buf_free(&path);
	return ok;
}

static bool
retain_remove(struct retaining *t, const struct out_dir *out, const struct retained *f, struct err *err)
{
	const char *path = names_get(&t->names, f->name), *name;
	int in = below_enter(t->o, path, &name);
	struct buf shown = BUF_INIT;
	char hash[HASH_TEXT];
	bool ok = in != -1 && unlinkat(in, name, 0) == 0;

	below_leave(in);
	if (!ok)
		return fail_path(err, path);
	t->bytes -= f->bytes;
	t->ngone++;
	pages_forget(out, str_of(name_shown(t->o, path, hash)));
	text_escape(&shown, str_of(name_shown(t->o, path, hash)));
	ok = shown.bad ? fail(err, E_SYSTEM, "out of memory (names)") :
	    idmap_put(&t->gone, rows_path_id(buf_view(&shown)), 1, err);
	buf_free(&shown);
	return ok;
}

bool
retain_apply(struct row_file *out, const struct fleet_options *o, const char *inbox, busy_fn *busy,
    const void *of, bool *removed, struct err *err)
{
	struct retaining t = { .o = o, .names = NAMES_INIT, .files = SCRATCH_INIT };
	struct retained *f;
	struct timespec now;
	bool ok = (clock_gettime(CLOCK_REALTIME, &now) == 0 || fail_errno(err, "cannot read the clock")) &&
	    retain_list(&t, inbox, err);

	f = SCRATCH(t.files, struct retained);
	if (ok && t.nfiles > 0)
		qsort(f, t.nfiles, sizeof *f, oldest_first);
	for (uint64_t i = 0; ok && i < t.nfiles; i++)
		if (((o->retain > 0 && os_ns(&now) > num_add(f[i].changed, o->retain)) ||
		    (o->retain_size > 0 && t.bytes > o->retain_size)) &&
		    !busy(of, names_get(&t.names, f[i].name)))
			ok = retain_remove(&t, &out->dir, &f[i], err);
	*removed = t.ngone > 0;
	/* Also after a failure: the files that are gone have no rows. */
	if (t.ngone > 0)
		ok = out_forget(out, o, &t.gone, ok ? err : NULL) && ok;
	idmap_free(&t.gone);
	names_free(&t.names);
	scratch_free(&t.files);
	return ok;
}
