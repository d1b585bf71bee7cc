/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watch: icecore watch: write rows for dumps as they arrive, and a page about all dumps.
 *
 * A file is ready if it arrived by a rename, or if nobody has it open for writing and it has not changed for
 * a while.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "retain.h"

#define STILL_NS 2000000000u		/* unchanged for this long: complete */
#define LIST_NS 60000000000u		/* network file systems send no events */
#define PAGE_NS 10000000000u		/* minimum time between two updates of the page */

/* Identity and version of the file with a name. */
struct stamp {
	uint64_t	dev, ino, size, mtime;
};

/* A file that may soon be complete. */
struct waiting {
	uint64_t	name;		/* index into the names */
	struct stamp	stamp;
	uint64_t	since;
	bool		whole;		/* arrived by a rename */
};

/* Complete files, with their stamps before they were read. */
struct ready {
	struct path_list	 names;
	struct scratch		 stamps;	/* struct stamp */
	uint64_t		 nstamps;
};

struct watching {
	struct fleet_options	 o;
	const char		*inbox;
	struct arrivals		 arrivals;
	struct path_list		 names;
	struct scratch		 waiting;	/* struct waiting */
	struct idmap		 by_path;	/* to its number in that list, from 1 */
	uint64_t		 nwaiting, listed;
	uint64_t		 retained;	/* when old files were last removed */
	uint64_t		 paged, took;	/* when the last page was written; ns it took */
	struct row_file		 out;
	struct triage_tally		 tally;
	bool			 gone, fresh;	/* the inbox was removed; new rows since the last page */
};

static bool
watch_is_wanted(struct str s)
{
	static const char *const ends[] = { ".part", ".tmp", ".crdownload", ".filepart" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(s, str_of(ends[i])))
			return false;
	return s.n > 0 && s.s[0] != '.';
}

/* False: not a regular file. */
static bool
take_stamp(const struct watching *w, const char *path, struct stamp *s)
{
	struct stat st;

	if (!below_stat(&w->o, path, &st) || !S_ISREG(st.st_mode))
		return false;
	*s = (struct stamp){ (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
	    os_ns(&st.st_mtim) };
	return true;
}

static bool
same_stamp(const struct stamp *a, const struct stamp *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mtime == b->mtime;
}

/* ---- arrivals ----------------------------------------------------------------------------------- */

static bool
path_of(const struct watching *w, const char *name, struct buf *path, struct err *err)
{
	buf_clear(path);
	buf_printf(path, "%s/%s", w->inbox, name);
	return !path->bad || fail(err, E_SYSTEM, "out of memory (names)");
}

static bool
add_waiting(struct watching *w, struct str path, struct waiting *f, struct err *err)
{
	f->name = w->names.n;
	return names_add(&w->names, path, err) && scratch_add(&w->waiting, &w->nwaiting, f, sizeof *f, err) &&
	    idmap_put(&w->by_path, idmap_hash_text(path, 0), (uint32_t)w->nwaiting, err);
}

static bool
watch_see(struct watching *w, const char *name, bool whole, struct err *err)
{
	struct buf path = BUF_INIT;
	struct waiting new = { .whole = whole, .since = os_now() };
	uint32_t old;
	bool ok = watch_is_wanted(str_of(name)) ? path_of(w, name, &path, err) : true;

	if (ok && path.n > 0 && take_stamp(w, path.s, &new.stamp)) {
		old = idmap_get(&w->by_path, idmap_hash_text(buf_view(&path), 0));
		if (old != 0)
			SCRATCH(w->waiting, struct waiting)[old - 1].whole |= whole;
		else
			ok = add_waiting(w, buf_view(&path), &new, err);
	}
	buf_free(&path);
	return ok;
}

static bool
list_all(struct watching *w, struct err *err)
{
	DIR *d = below_list(&w->o, w->inbox);
	struct dirent *e;
	bool ok = d != NULL || fail_path(err, w->inbox);

	w->listed = os_now();
	while (ok && (e = readdir(d)) != NULL)
		ok = watch_see(w, e->d_name, false, err);
	if (d != NULL)
		closedir(d);
	return ok;
}

static bool
see_arrival(void *watching, const char *name, bool whole, struct err *err)
{
	return watch_see(watching, name, whole, err);
}

static bool
take_events(struct watching *w, struct err *err)
{
	struct arrival all;
	bool ok = arrivals_take(&w->arrivals, &all, see_arrival, w, err);

	w->gone |= all.gone;
	return ok && (!all.list || w->gone || list_all(w, err));
}

/* ---- complete files --------------------------------------------------------------------------------- */

enum readiness { NOT_YET, READY, LOST };

static bool
watch_is_written(const struct watching *w, const char *path)
{
	int fd = below_open(&w->o, path, O_RDONLY);
	bool written = fd >= 0 && system_is_written(fd);

	below_leave(fd);
	return written;
}

static enum readiness
watch_look_at(const struct watching *w, struct waiting *f, const char *path, uint64_t now)
{
	struct stamp is;

	if (!take_stamp(w, path, &is))
		return LOST;
	if (!same_stamp(&f->stamp, &is) || (!f->whole && now - f->since >= STILL_NS &&
	    watch_is_written(w, path))) {
		f->stamp = is;
		f->since = now;
	}
	return f->whole || now - f->since >= STILL_NS ? READY : NOT_YET;
}

/* Move complete files from the waiting list to ready. */
static bool
take_ready(struct watching *w, struct ready *ready, struct err *err)
{
	struct scratch old = w->waiting;
	struct path_list names = w->names;
	struct waiting *f = SCRATCH(old, struct waiting);
	uint64_t now = os_now(), n = w->nwaiting;
	enum readiness is;
	bool ok = true;

	w->waiting = SCRATCH_INIT;
	w->names = NAMES_INIT;
	w->nwaiting = 0;
	idmap_free(&w->by_path);
	for (uint64_t i = 0; ok && i < n; i++) {
		struct str path = str_of(names_get(&names, f[i].name));

		is = watch_look_at(w, &f[i], path.s, now);
		if (is == READY)
			ok = names_add(&ready->names, path, err) &&
			    scratch_add(&ready->stamps, &ready->nstamps, &f[i].stamp, sizeof f[i].stamp, err);
		else if (is == NOT_YET)
			ok = add_waiting(w, path, &f[i], err);
	}
	names_free(&names);
	scratch_free(&old);
	return ok;
}

/* Move a file to --done. If the name is taken, the new file gets a number. */
static bool
move_one(const struct watching *w, const char *from, struct err *err)
{
	const char *name;
	int in = below_enter(&w->o, from, &name);
	struct buf to = BUF_INIT;
	bool ok = false, taken = true;

	for (unsigned i = 1; !ok && taken && i > 0; i++) {
		buf_clear(&to);
		buf_printf(&to, "%s/", w->o.done);
		if (i > 1)
			buf_printf(&to, "%u-", i);
		buf_str(&to, str_of(name));
		if (to.bad)
			break;
		ok = system_rename_new(in, name, AT_FDCWD, to.s) || errno == ENOENT;
		taken = errno == EEXIST;
	}
	ok = ok || (to.bad ? fail(err, E_SYSTEM, "out of memory (names)") : fail_path(err, to.s));
	below_leave(in);
	buf_free(&to);
	return ok;
}

/* With --done, move the dumps that have rows. If another file has taken a name meanwhile, queue it. */
static bool
move_done(struct watching *w, const struct ready *ready, struct err *err)
{
	struct stamp is;
	bool ok = true;

	for (uint64_t i = 0; ok && w->o.done != NULL && fleet_stop == 0 && i < ready->names.n; i++) {
		const char *path = names_get(&ready->names, i);

		if (take_stamp(w, path, &is))
			ok = same_stamp(&is, &SCRATCH(ready->stamps, struct stamp)[i]) ?
			    move_one(w, path, err) : watch_see(w, strrchr(path, '/') + 1, false, err);
	}
	return ok;
}

static bool
work_off(struct watching *w, struct err *err)
{
	struct ready ready = { .names = NAMES_INIT, .stamps = SCRATCH_INIT };
	char hash[HASH_TEXT];
	uint64_t had = w->tally.all - w->tally.skipped;
	bool ok = take_ready(w, &ready, err) && (ready.names.n == 0 ||
	    crew_run(&w->out, &w->o, &ready.names, &w->tally, err)), fresh;

	fresh = w->tally.all - w->tally.skipped > had;
	w->fresh |= fresh;
	for (uint64_t i = 0; fresh && i < ready.names.n; i++)
		pages_forget(&w->out.dir, str_of(name_shown(&w->o, names_get(&ready.names, i), hash)));
	ok = ok && (!fresh || w->o.keep == 0 || keep_exemplars(&w->out.dir, &w->o, err)) &&
	    move_done(w, &ready, err);
	names_free(&ready.names);
	scratch_free(&ready.stamps);
	return ok;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static bool
make_page(struct watching *w, struct err *err)
{
	uint64_t since = os_now();
	bool ok = pages_make(&w->out.dir, w->inbox, err);

	w->fresh = false;
	w->paged = os_now();
	w->took = w->paged - since;
	return ok;
}

/* The first page is written at once. Later, many rows take time, and dumps should not wait for pages. */
static uint64_t
page_due(const struct watching *w)
{
	return w->paged == 0 ? 0 : w->paged + (w->took > PAGE_NS / 10 ? 10 * w->took : PAGE_NS);
}

/* ---- main loop --------------------------------------------------------------------------------------------- */

/* Reject INBOX as OUT or --done: files written or moved there would be read again. */
static bool
fit_directories(const struct watching *w, struct err *err)
{
	struct stat in = w->o.directory[0], out, done;

	if (stat(w->o.out, &out) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return fail(err, E_USAGE, "INBOX and OUT must be different directories");
	if (w->o.done == NULL)
		return true;
	if (stat(w->o.done, &done) != 0)
		return fail_path(err, w->o.done);
	return (S_ISDIR(done.st_mode) && in.st_dev == done.st_dev && in.st_ino != done.st_ino) ||
	    fail_file(err, E_USAGE, w->o.done, "--done must be another directory on the file system of %s",
	    w->inbox);
}

/* Wait for an event, or until a file may be complete. */
static void
wait_for_more(struct watching *w)
{
	struct pollfd p = { .fd = w->arrivals.fd, .events = POLLIN };
	uint64_t now = os_now(), until = w->listed + LIST_NS, at;

	for (uint64_t i = 0; i < w->nwaiting; i++) {
		at = SCRATCH(w->waiting, struct waiting)[i].since + STILL_NS;
		until = at < until ? at : until;
	}
	if (w->fresh && page_due(w) < until)
		until = page_due(w);
	(void)poll(&p, 1, until > now ? (int)((until - now) / 1000000u) + 1 : 0);
}

static bool
waits_for(const void *watching, const char *path)
{
	return idmap_get(&((const struct watching *)watching)->by_path,
	    idmap_hash_text(str_of(path), 0)) != 0;
}

/* After new rows, and as often as the directory is listed. */
static bool
watch_retain(struct watching *w, struct err *err)
{
	bool removed = false, ok = true, due = w->fresh || w->retained == 0 ||
	    os_now() - w->retained >= LIST_NS || (w->o.once && w->nwaiting == 0);

	if ((w->o.retain > 0 || w->o.retain_size > 0) && !w->gone && due) {
		w->retained = os_now();
		ok = retain_apply(&w->out, &w->o, w->inbox, waits_for, w, &removed, err);
		w->fresh |= removed;
	}
	return ok;
}

/* In order: events, complete files, old files, the page. */
static bool
watch_turn(struct watching *w, struct err *err)
{
	bool ok = take_events(w, err) && (os_now() - w->listed < LIST_NS || w->gone ||
	    list_all(w, err)) && work_off(w, err) && watch_retain(w, err);

	if (ok && w->fresh && os_now() >= page_due(w))
		ok = make_page(w, err);
	return ok;
}

static bool
watch_watch(struct watching *w, struct err *err)
{
	bool ok = below_begin(&w->o, 1, true, err) && fit_directories(w, err) &&
	    out_open(&w->out, &w->o, err);

	if (!ok)
		return false;
	if (!arrivals_begin(&w->arrivals, w->inbox))
		return fail_path(err, w->inbox);
	tally_begin();
	ok = list_all(w, err) && watch_turn(w, err);
	while (ok && fleet_stop == 0 && !w->gone && !(w->o.once && w->nwaiting == 0)) {
		wait_for_more(w);
		ok = watch_turn(w, err);
	}
	return ok && (!w->fresh || make_page(w, err));
}

bool
fleet_watch(int argc, char **argv, int *status, struct err *err)
{
	struct watching w = { .arrivals = ARRIVALS_NONE, .names = NAMES_INIT, .waiting = SCRATCH_INIT,
	    .by_path = IDMAP_INIT, .out = OUT_INIT };
	uint64_t since;
	bool ok;

	*status = E_NONE;
	if (!fleet_options_read(&w.o, FLEET_WATCH, argc, argv, err))
		return false;
	if (w.o.help) {
		fleet_help(FLEET_WATCH, w.o.help);
		return true;
	}
	w.inbox = w.o.paths[0];
	w.o.out = w.o.paths[1];
	fleet_catch();
	/* Sent when somebody opens a leased file for writing. */
	signal(SIGIO, SIG_IGN);
	since = os_now();
	ok = watch_watch(&w, err);
	*status = w.gone ? E_INPUT : fleet_stop == SIGTERM ? E_NONE : tally_status(&w.tally, &w.o);
	if (ok && (w.tally.all > 0 || w.o.once))
		tally_tell(&w.tally, os_now() - since, *status == E_CANCEL);
	arrivals_end(&w.arrivals);
	out_close(&w.out);
	below_end(&w.o);
	names_free(&w.names);
	scratch_free(&w.waiting);
	idmap_free(&w.by_path);
	return ok;
}
