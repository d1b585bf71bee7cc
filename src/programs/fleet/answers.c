/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * answers: query the rows of all dumps.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "fleet.h"

/* Hottest paths, those of most files first. */
#define PATHS "dumps | where hot_path != '' | group hot_path weight : count as files, distinct build as builds, " \
    "max hot_share as share_max, " \
	"p50 hot_share as share_median, first path as exemplar | sort -files -share_max"
#define CHANGES "changes | where verdict != same"
#define WIDE 160	/* terminal width from which on all columns are shown */

bool
rows_session(struct session *session, const struct buf *text, struct err *err)
{
	const struct str bytes = buf_view(text);
	const struct store_options options = { .memory_only = true, .bytes = &bytes, .as = "triage" };

	*session = (struct session){ .nstores = 0 };
	if (!load_open(&session->store[0], "rows", &options, NULL, err))
		return false;
	session->nstores = 1;
	return true;
}

const char *
rows_query(const struct fleet_options *o)
{
	bool narrow = output_format(o->format) == FORMAT_TABLE && output_width() > 0 && output_width() < WIDE;

	if (o->groups != NULL && o->by == BY_PATH)
		return narrow ? PATHS " | select files share_max hot_path" : PATHS;
	if (o->groups != NULL && o->by == BY_BUILD)
		return narrow ? CHANGES " | select method verdict what" : CHANGES;
	if (o->groups != NULL)
		return narrow ? "groups | select dumps retained_max kind content holder exemplar" : "groups";
	return narrow ? "dumps | select path state findings worst story reason" : "dumps";
}

bool
rows_answer(struct session *session, const char *query, const struct fleet_options *o, uint64_t *n,
    struct err *err)
{
	enum format format = output_format(o->format);
	struct reply a;
	bool ok = query_ask(&a, str_of(query), format_shows(format) ? ASK_SHOWN : 0, session, NULL, err) &&
	    rows_print(a.rows, format, output_width(), stdout, n, err);

	reply_close(&a);
	return ok;
}

/* ---- the last line of --groups ---------------------------------------------------------------- */

/* Builds that were not compared. */
static bool
tell_few(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct cell n;
	struct buf build = BUF_INIT, text = BUF_INIT;

	(void)to;
	(void)err;
	(void)rows_text(r, row, "build", &text);
	text_fit_buf(&build, buf_view(&text));
	rows_cell(r, row, (size_t)rows_column(r, STR("n")), &n);
	fprintf(stderr, "build %s is not compared: %llu file%s, at least 5 are needed\n",
	    build.n > 0 ? build.s : "", (unsigned long long)n.u, n.u == 1 ? "" : "s");
	buf_free(&text);
	buf_free(&build);
	return true;
}

bool
rows_foot(struct session *session, const struct fleet_options *o, struct err *err)
{
	struct triage_tally t = { .all = 0 };

	fflush(stdout);
	if (o->by == BY_BUILD && !rows_each(session,
	    "dumps | where weight != '' and build != '' | group app build weight : count as n | where n < 5",
	    NULL, tell_few, NULL, err))
		return false;
	if (!rows_each(session, "dumps | select state", NULL, tally_count, &t, err))
		return false;
	tally_tell_states(&t);
	fputc('\n', stderr);
	return true;
}

/* ---- exemplars -------------------------------------------------------------------------------- */

#define NAME_KEPT 200	/* maximum bytes of a name */

static bool
copy_file(int fd, const char *from, const struct out_dir *d, const char *name, struct err *err)
{
	struct buf to = BUF_INIT;
	struct file f = FILE_INIT;
	struct err why = { .kind = E_NONE };
	struct map m;
	bool ok;

	if (!map_open_fd(&m, fd, NULL, NULL, &why))
		return fail_about(err, from, &why);
	outdir_path(d, name, &to);
	ok = to.bad ? fail(err, E_SYSTEM, "out of memory (names)") : (file_begin(&f, to.s, err) &&
	    file_write(&f, m.data, m.size, err) && file_commit(&f, true, err)) || outdir_fail(d, name, err);
	if (!ok)
		file_abandon(&f);
	map_close(&m);
	buf_free(&to);
	return ok;
}

/* Name a dump in OUT/keep/HASH, with a hash of its path: dumps of several directories may share a name. */
static void
kept_name(struct buf *to, struct str path)
{
	struct str name = path;
	char hash[HASH_TEXT];
	const char *slash = memrchr(path.s, '/', path.n);

	if (slash != NULL)
		name = (struct str){ slash + 1, path.n - (size_t)(slash + 1 - path.s) };
	if (name.n > NAME_KEPT)
		name = (struct str){ name.s + name.n - NAME_KEPT, NAME_KEPT };
	hash_text(path, hash);
	buf_clear(to);
	buf_printf(to, "%.8s-", hash);
	buf_str(to, name);
}

static bool
answers_is_regular(int directory, const char *name)
{
	struct stat st;

	return fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

/* Link or copy a file that exists. path: for messages. */
static bool
keep_file(int in, const char *from, const char *path, const struct out_dir *d, const char *name,
    struct err *err)
{
	int fd;
	bool ok;

	if (linkat(in, from, d->fd, name, 0) == 0)
		return true;
	fd = directory_file(in, from, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	ok = fd < 0 ? errno == ENOENT || errno == ELOOP || fail_path(err, path) :
	    copy_file(fd, path, d, name, err);
	below_leave(fd);
	return ok;
}

/* *there: the dump is kept now. If the dump was deleted or replaced meanwhile, that is not an error. */
static bool
keep_one(const struct out_dir *d, const struct fleet_options *o, const struct buf *path, bool *there,
    struct err *err)
{
	struct buf name = BUF_INIT;
	const char *from;
	int in;
	bool ok;

	kept_name(&name, buf_view(path));
	ok = !name.bad || fail(err, E_SYSTEM, "out of memory (names)");
	*there = ok && answers_is_regular(d->fd, name.s);
	if (ok && !*there && (in = below_enter(o, path->s, &from)) != -1) {
		ok = !answers_is_regular(in, from) || keep_file(in, from, path->s, d, name.s, err);
		below_leave(in);
		/* A link that took its place may have got the second name. */
		*there = ok && answers_is_regular(d->fd, name.s);
		if (!*there)
			(void)unlinkat(d->fd, name.s, 0);
	}
	buf_free(&name);
	return ok;
}

/* Remove a dump that is no longer among the kept ones. */
static void
drop_one(const struct out_dir *d, const struct buf *path)
{
	struct buf name = BUF_INIT;

	kept_name(&name, buf_view(path));
	if (!name.bad)
		(void)unlinkat(d->fd, name.s, 0);
	buf_free(&name);
}

struct keeping {
	const struct fleet_options	*o;
	struct out_dir			 keep, dir;	/* OUT/keep, and its directory for last_sig */
	struct buf			 sig, shown, path, last_sig, last_path;
	uint64_t			 kept;		/* dumps kept of this signature */
};

/* Keep the first --keep dumps of a signature, remove the others. Rows come sorted, largest first. */
static bool
keep_row(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct keeping *k = to;
	bool same, there = false, ok = true;

	if (!rows_text(r, row, "hash", &k->sig) || strspn(k->sig.s, "0123456789abcdef") != k->sig.n ||
	    !rows_text(r, row, "path", &k->shown))
		return true;
	buf_clear(&k->path);
	text_unescape(&k->path, buf_view(&k->shown));
	if (k->path.bad || memchr(k->path.s, '\0', k->path.n) != NULL)
		return true;
	same = str_eq(buf_view(&k->sig), buf_view(&k->last_sig));
	if (same && str_eq(buf_view(&k->path), buf_view(&k->last_path)))
		return true;
	k->kept = same ? k->kept : 0;
	if (!same) {
		outdir_close(&k->dir);
		ok = outdir_below(&k->dir, &k->keep, k->sig.s, true, err);
	}
	if (ok && k->kept < k->o->keep)
		ok = keep_one(&k->dir, k->o, &k->path, &there, err);
	else if (ok)
		drop_one(&k->dir, &k->path);
	k->kept += there;
	buf_clear(&k->last_sig);
	buf_clear(&k->last_path);
	buf_str(&k->last_sig, buf_view(&k->sig));
	buf_str(&k->last_path, buf_view(&k->path));
	return ok;
}

bool
keep_exemplars(const struct out_dir *out, const struct fleet_options *o, struct err *err)
{
	struct keeping k = { .o = o, .keep = OUT_DIR_INIT, .dir = OUT_DIR_INIT };
	struct session session = { .nstores = 0 };
	struct buf text = BUF_INIT;
	bool ok = outdir_below(&k.keep, out, "keep", true, err) && out_read(out, &text, err) &&
	    rows_session(&session, &text, err) &&
	    rows_each(&session, "findings | sort hash -retained", NULL, keep_row, &k, err);

	outdir_close(&k.dir);
	outdir_close(&k.keep);
	buf_free(&k.sig);
	buf_free(&k.shown);
	buf_free(&k.path);
	buf_free(&k.last_sig);
	buf_free(&k.last_path);
	session_close(&session);
	buf_free(&text);
	return ok;
}
