/*
 * watch: icecore watch: dumps have rows as they come in, and a page tells of all of them.
 *
 * A file is taken when it came by a rename, or when it was closed and has not changed for a while since.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet.h"

#define STILL_NS 2000000000u		/* unchanged for so long: whoever wrote it is done */
#define LIST_NS 60000000000u		/* network file systems tell nothing */
#define PAGE_NS 10000000000u		/* the page is made anew at most so often */
#define EVENTS (IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

/* A file that may be whole soon. */
struct waiting {
	uint64_t	name;		/* of names */
	uint64_t	size, mtime, since;
	bool		whole;		/* it came by a rename */
};

struct watching {
	struct fleet_options	 o;
	const char		*inbox;
	int			 fd;		/* inotify */
	struct path_list		 names;
	struct scratch		 waiting;	/* struct waiting */
	struct idmap		 by_path;	/* to its number among these, from 1 */
	uint64_t		 nwaiting, listed, paged;
	struct row_file		 out;
	struct triage_tally		 tally;
	bool			 gone, fresh;	/* the inbox was removed; rows came since the page was made */
};

static bool
is_wanted(struct str s)
{
	static const char *const ends[] = { ".part", ".tmp", ".crdownload", ".filepart" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(s, str_of(ends[i])))
			return false;
	return s.n > 0 && s.s[0] != '.';
}

/* ---- what comes in ------------------------------------------------------------------------------ */

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
see(struct watching *w, const char *name, bool whole, struct err *err)
{
	struct buf path = BUF_INIT;
	struct waiting new = { .whole = whole, .since = os_now() };
	struct stat st;
	uint32_t old;
	bool ok = is_wanted(str_of(name)) ? path_of(w, name, &path, err) : true;

	if (ok && path.n > 0 && lstat(path.s, &st) == 0 && S_ISREG(st.st_mode)) {
		old = idmap_get(&w->by_path, idmap_hash_text(buf_view(&path), 0));
		new.size = (uint64_t)st.st_size;
		new.mtime = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
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
	DIR *d = opendir(w->inbox);
	struct dirent *e;
	bool ok = d != NULL || fail_errno(err, "%s", w->inbox);

	w->listed = os_now();
	while (ok && (e = readdir(d)) != NULL)
		ok = see(w, e->d_name, false, err);
	if (d != NULL)
		closedir(d);
	return ok;
}

static bool
take_events(struct watching *w, struct err *err)
{
	_Alignas(struct inotify_event) char room[16384];
	const struct inotify_event *e;
	bool ok = true, all = false;
	ssize_t n;

	while (ok && (n = read(w->fd, room, sizeof room)) > 0)
		for (ssize_t at = 0; ok && at < n; at += (ssize_t)(sizeof *e + e->len)) {
			e = (const struct inotify_event *)(const void *)(room + at);
			w->gone |= (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0;
			all |= (e->mask & IN_Q_OVERFLOW) != 0;
			if (e->len > 0)
				ok = see(w, e->name, (e->mask & IN_MOVED_TO) != 0, err);
		}
	return ok && (!all || list_all(w, err));
}

/* ---- what is whole ---------------------------------------------------------------------------------- */

enum readiness { NOT_YET, READY, LOST };

static enum readiness
look_at(struct waiting *f, const char *path, uint64_t now)
{
	struct stat st;
	uint64_t mtime;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return LOST;
	mtime = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	if (f->size != (uint64_t)st.st_size || f->mtime != mtime) {
		f->size = (uint64_t)st.st_size;
		f->mtime = mtime;
		f->since = now;
	}
	return f->whole || now - f->since >= STILL_NS ? READY : NOT_YET;
}

/* Moves whole files from those that wait to ready. */
static bool
take_ready(struct watching *w, struct path_list *ready, struct err *err)
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

		is = look_at(&f[i], path.s, now);
		if (is == READY)
			ok = names_add(ready, path, err);
		else if (is == NOT_YET)
			ok = add_waiting(w, path, &f[i], err);
	}
	names_free(&names);
	scratch_free(&old);
	return ok;
}

/* What has rows goes away, if that is asked for. */
static bool
move_done(const struct watching *w, const struct path_list *ready, struct err *err)
{
	struct buf to = BUF_INIT;
	bool ok = true;

	for (uint64_t i = 0; ok && w->o.done != NULL && fleet_stop == 0 && i < ready->n; i++) {
		const char *from = names_get(ready, i);

		buf_clear(&to);
		buf_printf(&to, "%s/%s", w->o.done, strrchr(from, '/') + 1);
		ok = !to.bad || fail(err, E_SYSTEM, "out of memory (names)");
		if (ok && rename(from, to.s) != 0 && errno != ENOENT)
			ok = fail_errno(err, "%s", to.s);
	}
	buf_free(&to);
	return ok;
}

static bool
work_off(struct watching *w, struct err *err)
{
	struct path_list ready = NAMES_INIT;
	uint64_t had = w->tally.all - w->tally.skipped;
	bool ok = take_ready(w, &ready, err) && (ready.n == 0 || crew_run(&w->out, &w->o, &ready, &w->tally, err)) &&
	    move_done(w, &ready, err);

	w->fresh |= w->tally.all - w->tally.skipped > had;
	names_free(&ready);
	return ok;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static bool
make_page(struct watching *w, struct err *err)
{
	struct fleet_options o = { .format = FORMAT_HTML };
	struct session session = { .nstores = 0 };
	struct buf text = BUF_INIT, path = BUF_INIT;
	uint64_t n;
	bool ok = out_read(w->o.out, &text, err);

	w->paged = os_now();
	w->fresh = false;
	buf_printf(&path, "%s/page", w->o.out);
	if (ok && text.n > 0) {
		ok = !path.bad && (mkdir(path.s, 0700) == 0 || errno == EEXIST);
		buf_str(&path, STR("/index.html"));
		ok = (ok && !path.bad) || fail_errno(err, "%s", w->o.out);
		ok = ok && rows_session(&session, &text, err) && rows_answer(&session, "groups", &o, path.s, &n, err);
		session_close(&session);
	}
	buf_free(&text);
	buf_free(&path);
	return ok;
}

/* ---- the watch --------------------------------------------------------------------------------------------- */

static bool
same_disk(const char *a, const char *b, struct err *err)
{
	struct stat x, y;

	if (stat(a, &x) != 0 || stat(b, &y) != 0)
		return fail_errno(err, "%s", b);
	return (S_ISDIR(y.st_mode) && x.st_dev == y.st_dev) ||
	    fail(err, E_USAGE, "%s: --done needs a directory on the file system of %s", b, a);
}

/* Until something happens or a file may be whole. */
static void
wait_for_more(struct watching *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };
	uint64_t now = os_now(), until = w->listed + LIST_NS, at;

	for (uint64_t i = 0; i < w->nwaiting; i++) {
		at = SCRATCH(w->waiting, struct waiting)[i].since + STILL_NS;
		until = at < until ? at : until;
	}
	if (w->fresh && w->paged + PAGE_NS < until)
		until = w->paged + PAGE_NS;
	(void)poll(&p, 1, until > now ? (int)((until - now) / 1000000u) + 1 : 0);
}

/* In order: events, what is whole, and when nothing waits any more, or it was long ago, the page. */
static bool
turn(struct watching *w, struct err *err)
{
	bool ok = take_events(w, err) && (os_now() - w->listed < LIST_NS || w->gone || list_all(w, err)) && work_off(w, err);

	if (ok && w->fresh && (w->nwaiting == 0 || os_now() - w->paged >= PAGE_NS))
		ok = make_page(w, err);
	return ok;
}

static bool
watch(struct watching *w, struct err *err)
{
	bool ok = (w->o.done == NULL || same_disk(w->inbox, w->o.done, err)) && out_open(&w->out, &w->o, err);

	if (!ok)
		return false;
	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (w->fd < 0 || inotify_add_watch(w->fd, w->inbox, EVENTS) < 0)
		return fail_errno(err, "%s", w->inbox);
	ok = list_all(w, err) && turn(w, err);
	while (ok && fleet_stop == 0 && !w->gone && !(w->o.once && w->nwaiting == 0)) {
		wait_for_more(w);
		ok = turn(w, err);
	}
	return ok && (!w->fresh || make_page(w, err)) && (w->o.keep == 0 || keep_exemplars(&w->o, err));
}

bool
fleet_watch(int argc, char **argv, int *status, struct err *err)
{
	struct watching w = { .fd = -1, .names = NAMES_INIT, .waiting = SCRATCH_INIT, .by_path = IDMAP_INIT,
	    .out = OUT_INIT };
	bool ok;

	*status = E_NONE;
	if (!fleet_options_read(&w.o, true, argc, argv, err))
		return false;
	if (w.o.help) {
		fleet_help(true);
		return true;
	}
	w.inbox = w.o.paths[0];
	w.o.out = w.o.paths[1];
	fleet_catch();
	ok = watch(&w, err);
	*status = w.gone ? E_INPUT : fleet_stop == SIGINT ? E_CANCEL : E_NONE;
	if (w.fd >= 0)
		close(w.fd);
	out_close(&w.out);
	names_free(&w.names);
	scratch_free(&w.waiting);
	idmap_free(&w.by_path);
	return ok;
}
