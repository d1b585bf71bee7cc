/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool: run work on several processors: a side task of a thread, or parts of one job.
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "icecore/thread.h"
#include "icecore/work.h"

#define RANGE_LEAST 65536u	/* rows */
#define RANGES_EACH 4u		/* parts per thread, so that all threads end at about the same time */

struct aside {
	struct thread	*thread;
	aside_job	 run;
	void		*arg;
	struct work	 work;
};

struct pool {
	pool_part	 run;
	void		*arg;
	_Atomic uint64_t next, end;	/* parts not yet taken; none after a failed part */
	pthread_mutex_t	 lock;
	struct err	*err;		/* error of part end, if one failed; under lock */
	bool		 failed;
};

static unsigned jobs = 1;
static atomic_int running;	/* threads started here, without waiting ones */
static struct work nobody;	/* used if nobody watches the work */

void
pool_jobs(unsigned n)
{
	jobs = n > 0 ? n : cores_count();
}

unsigned
pool_size(void)
{
	return jobs;
}

/* ---- beside ------------------------------------------------------------------------ */

/* Reserve a thread if one is free. */
static bool
pool_take_thread(void)
{
	int n = atomic_load(&running);

	while (n + 1 < (int)jobs)
		if (atomic_compare_exchange_weak(&running, &n, n + 1))
			return true;
	return false;
}

static void
run_aside(void *arg)
{
	struct aside *a = arg;

	a->run(a->arg, &a->work);
	atomic_fetch_sub(&running, 1);
}

struct aside *
aside_start(struct work *w, aside_job run, void *arg)
{
	struct aside *a = pool_size() > 1 ? mem_array(1, sizeof *a) : NULL;

	if (a == NULL || !pool_take_thread()) {
		free(a);
		return NULL;
	}
	a->run = run;
	a->arg = arg;
	work_init(&a->work, NULL);
	a->work.of = w != NULL ? w : &nobody;
	if (thread_start(&a->thread, run_aside, a) == 0)
		return a;
	atomic_fetch_sub(&running, 1);
	free(a);
	return NULL;
}

void
aside_cancel(struct aside *a)
{
	atomic_store(&a->work.cancel, true);
}

void
aside_join(struct aside *a, struct work *w)
{
	bool done;

	if (a == NULL)
		return;
	/* Another thread may use this processor meanwhile. */
	atomic_fetch_sub(&running, 1);
	do {
		done = thread_wait(a->thread, WORK_LOOK);
		work_follow(w, &a->work);
	} while (!done);
	atomic_fetch_add(&running, 1);
	thread_join(a->thread);
	free(a);
}

/* ---- parts ------------------------------------------------------------------------- */

/* Report the error of the lowest part: parts before a failed one still run, later ones no longer start. */
static void
fail_part(struct pool *p, uint64_t part, const struct err *err)
{
	pthread_mutex_lock(&p->lock);
	if (!p->failed || part < atomic_load(&p->end)) {
		p->failed = true;
		*p->err = *err;
		atomic_store(&p->end, part);
	}
	pthread_mutex_unlock(&p->lock);
}

static void
run_parts(void *arg, struct work *work)
{
	struct pool *p = arg;
	struct err err;
	uint64_t part;

	while ((part = atomic_fetch_add(&p->next, 1)) < atomic_load(&p->end))
		if (!p->run(p->arg, part, work, &err))
			fail_part(p, part, &err);
}

bool
pool_run(struct work *w, uint64_t parts, pool_part run, void *arg, struct err *err)
{
	struct pool p = { .run = run, .arg = arg, .err = err, .lock = PTHREAD_MUTEX_INITIALIZER };
	uint64_t more = parts < jobs ? parts : jobs, n = 0;
	struct aside **other = NULL;

	atomic_init(&p.next, 0);
	atomic_init(&p.end, parts);
	/* Without memory or threads the existing threads do the work. */
	if (more > 1)
		other = mem_array((size_t)more - 1, sizeof(struct aside *));
	while (other != NULL && n + 1 < more && (other[n] = aside_start(w, run_parts, &p)) != NULL)
		n++;
	run_parts(&p, w);
	while (n > 0)
		aside_join(other[--n], w);
	free(other);
	pthread_mutex_destroy(&p.lock);
	return !p.failed;
}

/* ---- ranges ------------------------------------------------------------------------ */

struct ranges {
	pool_range	 run;
	void		*arg;
	uint64_t	 n, each;
};

static bool
run_range(void *arg, uint64_t part, struct work *w, struct err *err)
{
	const struct ranges *r = arg;
	uint64_t from = part * r->each, to = r->n - from < r->each ? r->n : from + r->each;

	return r->run(r->arg, from, to, w, err);
}

bool
pool_ranges(struct work *w, uint64_t n, pool_range run, void *arg, struct err *err)
{
	struct ranges r = { run, arg, n, n / (jobs * RANGES_EACH) };

	r.each = r.each > RANGE_LEAST ? (r.each + POOL_RANGE - 1) / POOL_RANGE * POOL_RANGE : RANGE_LEAST;
	return pool_run(w, (n + r.each - 1) / r.each, run_range, &r, err);
}
