/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * opened: files that stay open between calls, each with the rows of its last query, so that the next page is
 * at hand.
 *
 * Every call looks up the path again: cached rows are used only if it is the same, unchanged file.  Sorted or
 * grouped rows are scratch arrays.  Together with all others of the process they stay within --memory; the
 * excess is in files without a name, which the kernel may write out.  So only the number of files is limited
 * here.
 */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "icecore/pass.h"
#include "mcp.h"

#define KEPT 4

struct files {
	struct opened	*item[KEPT];
	uint64_t	 calls;
};

/* Paths as the caller gave them, with the files they refer to now. */
struct found {
	struct str	path[2];
	int		fd[2];
	struct file_id	id[2];
	size_t		n;
};

struct files *
files_new(void)
{
	return mem_array(1, sizeof(struct files));
}

void
opened_forget(struct opened *f)
{
	reply_close(&f->asked);
	free(f->text);
	f->text = NULL;
}

static void
opened_close(struct opened *f)
{
	if (f == NULL)
		return;
	opened_forget(f);
	session_close(&f->session);
	free(f->path[0]);
	free(f->path[1]);
	free(f);
}

void
files_free(struct files *all)
{
	for (size_t i = 0; all != NULL && i < KEPT; i++)
		opened_close(all->item[i]);
	free(all);
}

/* ---- opening ------------------------------------------------------------------------- */

static void
found_close(struct found *found)
{
	for (size_t i = 0; i < found->n; i++)
		close(found->fd[i]);
}

static bool
opened_find(struct call *c, size_t n, struct found *found, struct err *err)
{
	*found = (struct found){ .path = { c->text[CALL_FILE], c->text[CALL_OTHER] } };
	for (; found->n < n; found->n++)
		if (!path_open(c->o, found->path[found->n], false, &found->fd[found->n], &found->id[found->n],
		    err)) {
			found_close(found);
			return false;
		}
	return true;
}

static bool
opened_is_same(const struct opened *f, const struct found *found)
{
	bool same = f->n == found->n;

	for (size_t i = 0; same && i < f->n; i++)
		same = memcmp(&f->id[i], &found->id[i], sizeof f->id[i]) == 0 &&
		    str_eq(str_of(f->path[i]), found->path[i]);
	return same;
}

static bool
opened_load(struct call *c, struct opened *f, const struct found *found, size_t i, struct work *w,
    struct err *err)
{
	struct store_options o = c->o->store;
	struct err why = { .at = ERR_NOWHERE };
	struct store *st;
	bool ok;

	f->path[i] = mem_copy(found->path[i]);
	if (f->path[i] == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	o.fd = &found->fd[i];
	if (!load_open(&st, f->path[i], &o, w, &why))
		return fail_about(err, f->path[i], &why);
	ok = load_sides(&st, st, &c->o->sides, w, err);
	f->session.store[f->session.nstores++] = st;
	f->id[i] = found->id[i];
	f->n++;
	return ok;
}

static struct opened *
load_all(struct call *c, const struct found *found, struct work *w, struct err *err)
{
	struct opened *f = mem_array(1, sizeof *f);
	bool ok = f != NULL || fail(err, E_SYSTEM, "out of memory");

	if (!ok)
		return NULL;
	f->session = c->o->session;
	for (size_t i = 0; ok && i < found->n; i++)
		ok = opened_load(c, f, found, i, w, err) && (i == 0 || session_together(&f->session, i, err));
	if (!ok) {
		opened_close(f);
		return NULL;
	}
	session_choose_clock(&f->session, session_store(&f->session));
	return f;
}

/* The place of the same files, else of those that were used longest ago. */
static struct opened **
opened_place_of(struct files *all, const struct found *found)
{
	struct opened **place = &all->item[0];

	for (size_t i = 0; i < KEPT; i++)
		if (all->item[i] != NULL && opened_is_same(all->item[i], found))
			return &all->item[i];
	for (size_t i = 0; i < KEPT && *place != NULL; i++)
		if (all->item[i] == NULL || all->item[i]->used < (*place)->used)
			place = &all->item[i];
	return place;
}

bool
files_open(struct call *c, size_t n, struct opened **out, struct work *w, struct err *err)
{
	struct opened **place;
	struct found found;

	if (!opened_find(c, n, &found, err))
		return false;
	place = opened_place_of(c->files, &found);
	if (*place == NULL || !opened_is_same(*place, &found) || store_lost((*place)->session.store[0])) {
		opened_close(*place);
		*place = load_all(c, &found, w, err);
	}
	found_close(&found);
	if (*place == NULL)
		return false;
	(*place)->used = ++c->files->calls;
	*out = *place;
	return true;
}

/* ---- asking --------------------------------------------------------------------------- */

bool
opened_ask(struct opened *f, struct str text, struct work *w, struct err *err)
{
	bool ok;

	if (f->asked.rows != NULL && str_eq(str_of(f->text), text) && rows_error(f->asked.rows) == NULL)
		return true;
	opened_forget(f);
	f->session.late = false;
	f->text = mem_copy(text);
	ok = (f->text != NULL || fail(err, E_SYSTEM, "out of memory")) &&
	    query_ask(&f->asked, text, ASK_ROWS | ASK_SHOWN, &f->session, w, err);
	if (!ok)
		opened_forget(f);
	return ok;
}

bool
opened_save(struct opened *f)
{
	struct err err;
	bool ok = true;

	for (size_t i = 0; i < f->session.nstores; i++)
		ok = store_save(f->session.store[i], &err) && ok;
	return ok;
}
