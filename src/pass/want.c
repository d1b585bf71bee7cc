/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * want: runs the passes that make columns, and what these need; several at once where there are threads.
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "icecore/pass.h"

#define WANT_DEPTH 16		/* passes that need passes */
#define PASSES_MOST 128

/* In families, as lists of passes name it. */
static bool
has_col(const column_id *list, column_id col)
{
	for (; *list != COL_NONE; list++)
		if (*list == col)
			return true;
	return false;
}

static const struct pass *
maker_of(const struct store *st, column_id col)
{
	for (size_t i = 0; passes[i] != NULL; i++)
		if (has_col(passes[i]->makes, col_family(col)) &&
		    (passes[i]->when == COL_NONE || store_column(st, passes[i]->when) != NULL))
			return passes[i];
	return NULL;
}

/* ---- what is to be run ------------------------------------------------------------ */

/* A run of a pass. */
struct step {
	const struct pass *pass;
	struct store	*st;		/* for it */
	column_id	 col;		/* that is wanted of it */
	bool		 later;		/* so far nobody waits for it */
	bool		 taken;		/* some thread has begun; under lock */
	/* Only for a step that another thread runs: */
	struct plan	*plan;
	struct step	*first;		/* first step of the thread that runs this one; under lock */
	struct aside	*aside;		/* thread that runs the steps; in its first step only */
	struct store	*over;		/* what it makes, over st */
	bool		 ok;
	struct err	 err;
};

/* Steps in the order in which one thread would run them; their columns are published in this order. */
struct plan {
	struct store	*top;
	struct step	 step[PASSES_MOST];
	unsigned	 n;
	pthread_mutex_t	 lock;
	bool		 waits;		/* for another thread, which is to end */
};

/* Whether the column exists, or an earlier step makes it. */
static bool
is_planned(const struct plan *p, struct store *st, column_id col)
{
	const struct step *s;

	if (store_column(st, col) != NULL)
		return true;
	st = store_of(st, col);
	for (unsigned i = 0; i < p->n; i++) {
		s = &p->step[i];
		if (s->st == st && has_col(s->pass->makes, col_family(col)) &&
		    (!col_is_family(col_family(col)) ||
		    heap_col(col_family(col), col_refs(s->col), col_sizes(s->col)) == col))
			return true;
	}
	return false;
}

/* The first that is missing of what a pass needs to make col. */
static column_id
missing_need(const struct plan *p, struct store *st, const struct pass *pass, column_id col)
{
	column_id need;

	for (size_t i = 0; pass->needs[i] != COL_NONE; i++) {
		/* A pass that makes a column without a choice cannot mean one of a family. */
		assert(col_is_chosen(col) || !col_is_family(pass->needs[i]));
		need = heap_col(pass->needs[i], col_refs(col), col_sizes(col));
		if (!is_planned(p, st, need))
			return need;
	}
	return COL_NONE;
}

/* Adds the passes that make the column, and what these need. */
static bool
want_add_steps(struct plan *p, column_id col, bool later, struct err *err)
{
	column_id want[WANT_DEPTH] = { col }, need;
	const struct pass *pass;
	struct store *st;
	size_t n = 1;

	assert(!col_is_family(col));
	while (n > 0) {
		col = want[n - 1];
		st = store_of(p->top, col);
		if (is_planned(p, st, col)) {
			n--;
			continue;
		}
		if ((pass = maker_of(st, col)) == NULL)
			return fail(err, E_USAGE, "no %s in this file (%s)", column_names[col],
			    load_loader(st) ? load_loader(st)->what : "unknown format");
		if ((need = missing_need(p, st, pass, col)) != COL_NONE) {
			/* Made of what is above it, a column would stay below: it has to be masked there. */
			if (n == WANT_DEPTH || is_planned(p, p->top, need))
				return fail(err, E_SYSTEM, "passes depend on each other");
			want[n++] = need;
		} else if (p->n == PASSES_MOST)
			return fail(err, E_SYSTEM, "too many passes for %s", column_names[col]);
		else
			p->step[p->n++] = (struct step){ .pass = pass, .st = st, .col = col, .later = later,
			    .plan = p };
	}
	return true;
}

/* ---- running it ------------------------------------------------------------------- */

/* In the store of the step, or in one over it. */
static bool
run_in(const struct step *s, struct store *st, struct work *w, struct err *err)
{
	const struct pass *p = s->pass;

	assert((p->run != NULL) != (p->run_choice != NULL) && col_is_chosen(s->col) == (p->run == NULL));
	return p->run != NULL ? p->run(st, w, err) : p->run_choice(st, col_refs(s->col), col_sizes(s->col), w,
	    err);
}

/* All it needs is published. */
static bool
is_ready(const struct step *s)
{
	column_id need;

	for (size_t i = 0; s->pass->needs[i] != COL_NONE; i++) {
		need = heap_col(s->pass->needs[i], col_refs(s->col), col_sizes(s->col));
		if (store_column(s->st, need) == NULL)
			return false;
	}
	return true;
}

/* The longest step that another thread may begin now.  Under lock. */
static struct step *
find_beside(struct plan *p)
{
	struct step *s, *best = NULL;

	for (unsigned i = 0; !p->waits && i < p->n; i++) {
		s = &p->step[i];
		if (!s->taken && s->pass->beside > (best != NULL ? best->pass->beside : 0) && is_ready(s))
			best = s;
	}
	return best;
}

/*
 * Take a step for the thread whose first step is first; NULL: for a new thread, whose first step it becomes.
 */
static struct step *
take_beside(struct plan *p, struct step *first)
{
	struct step *s;

	pthread_mutex_lock(&p->lock);
	if ((s = find_beside(p)) != NULL) {
		s->taken = true;
		s->first = first != NULL ? first : s;
	}
	pthread_mutex_unlock(&p->lock);
	return s;
}

static void
run_beside(void *arg, struct work *w)
{
	struct step *first = arg, *s = first;

	do
		s->ok = store_over(&s->over, s->st, NULL, &s->err) && run_in(s, s->over, w, &s->err);
	while (s->ok && (s = take_beside(first->plan, first)) != NULL);
}

/* Start steps in other threads while threads are free. */
static void
begin_beside(struct plan *p, struct work *w)
{
	struct step *s;

	while (pool_size() > 1 && (s = take_beside(p, NULL)) != NULL) {
		assert(s->first == s && s->over == NULL);
		s->aside = aside_start(w, run_beside, s);
		if (s->aside != NULL)
			continue;
		pthread_mutex_lock(&p->lock);
		s->taken = false;
		pthread_mutex_unlock(&p->lock);
		return;
	}
}

/* Wait for the other thread, then move its columns into the store. */
static bool
take_over(struct plan *p, struct step *s, struct work *w, struct err *err)
{
	pthread_mutex_lock(&p->lock);
	p->waits = true;
	pthread_mutex_unlock(&p->lock);
	assert(s->taken && s->first != NULL);
	aside_join(s->first->aside, w);
	s->first->aside = NULL;
	pthread_mutex_lock(&p->lock);
	p->waits = false;
	pthread_mutex_unlock(&p->lock);
	if (!s->ok)
		*err = s->err;
	return s->ok && store_take(s->st, s->over, err);
}

static bool
run_step(struct plan *p, struct step *s, bool ours, struct work *w, struct err *err)
{
	/* Save the columns of the loader first. */
	store_save_worth(s->st, w);
	begin_beside(p, w);
	if (!(ours ? run_in(s, s->st, w, err) : take_over(p, s, w, err))) {
		store_discard(s->st);
		return false;
	}
	if (store_lost(s->st)) {
		store_discard(s->st);
		return work_go(w, 0, err) && fail(err, E_SYSTEM,
		    "file changed while reading; run icecore again");
	}
	store_publish(s->st);
	store_save_worth(s->st, w);
	return store_column(s->st, s->col) != NULL ||
	    fail(err, E_SYSTEM, "pass %s did not produce %s", s->pass->name, column_names[s->col]);
}

/*
 * Later steps are prefetches: they are finished only if another thread began them; their errors are not
 * reported.
 */
static bool
run_all(struct plan *p, struct work *w, struct err *err)
{
	struct step *s;
	unsigned steps = 0;
	bool ok = true, ours;
	struct err why;

	for (unsigned i = 0; i < p->n; i++)
		steps += !p->step[i].later;
	for (unsigned i = 0; ok && i < p->n; i++) {
		s = &p->step[i];
		pthread_mutex_lock(&p->lock);
		p->waits |= s->later;
		ours = !s->taken;
		s->taken |= !s->later;
		pthread_mutex_unlock(&p->lock);
		if (!s->later) {
			work_step(w, i + 1, steps);
			ok = run_step(p, s, ours, w, err);
		} else if (!ours && !run_step(p, s, false, w, &why))
			break;
	}
	return ok;
}

static void
want_end_all(struct plan *p, struct work *w, bool ok)
{
	for (unsigned i = 0; !ok && i < p->n; i++)
		if (p->step[i].aside != NULL)
			aside_cancel(p->step[i].aside);
	for (unsigned i = 0; i < p->n; i++)
		aside_join(p->step[i].aside, w);
	for (unsigned i = 0; i < p->n; i++)
		store_close(p->step[i].over);
}

bool
passes_want(struct store *st, const column_id *col, size_t n, const column_id *later, size_t nlater,
    struct work *w, struct err *err)
{
	struct plan *p = mem_array(1, sizeof *p);
	bool ok = p != NULL || fail_memory(err, "passes");
	struct err why;
	size_t i;

	if (ok) {
		p->top = st;
		pthread_mutex_init(&p->lock, NULL);
	}
	for (i = 0; ok && i < n; i++)
		ok = want_add_steps(p, col[i], false, err);
	for (i = 0; ok && i < nlater && pool_size() > 1; i++)
		if (!want_add_steps(p, later[i], true, &why))
			break;
	if (ok) {
		ok = run_all(p, w, err);
		want_end_all(p, w, ok);
		pthread_mutex_destroy(&p->lock);
	}
	free(p);
	work_step(w, 0, 0);

	/* Large arrays are reused from pass to pass; release them after the last one. */
	scratch_settle();
	return ok;
}

bool
pass_want(struct store *st, column_id col, struct work *w, struct err *err)
{
	return passes_want(st, &col, 1, NULL, 0, w, err);
}

bool
pass_rebuild(struct store *st, column_id col, struct work *w, struct err *err)
{
	return col == COL_NONE ? load_again(st, w, err) : pass_want(st, col, w, err);
}

size_t
passes_run(const struct store *st)
{
	size_t n = 0;
	column_id col;

	for (size_t i = 0; passes[i] != NULL; i++) {
		assert(passes[i]->makes[0] != COL_NONE);
		col = passes[i]->makes[0];
		if (col_is_derived(col))
			continue;
		for (unsigned k = 0; k < (col_is_family(col) ? COL_CHOICES : 1); k++)
			n += store_column(st, col_choice(col, k)) != NULL;
	}
	return n;
}
