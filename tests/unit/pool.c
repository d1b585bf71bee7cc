/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool: parts on several threads: each is run once, errors do not depend on timing, and all end when it is cancelled; threads
 * beside this one; how many there may be; pages made ahead; items that one thread makes and another takes.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "check.h"
#include "folder.h"
#include "icecore/os.h"
#include "icecore/thread.h"
#include "icecore/work.h"

#define PARTS 1000u
#define PATIENCE 300		/* seconds: only a hang takes so long */

struct parts {
	_Atomic unsigned runs[PARTS], all;
	uint64_t	 bad, worse;	/* parts that fail */
	pthread_t	 caller;
	_Atomic unsigned elsewhere;
	pthread_mutex_t	 lock;
	pthread_cond_t	 met;
	unsigned	 waiting;
};

/* ---- threads, which the system may refuse ------------------------------------------ */

struct thread {
	pthread_t	 id;
	void		(*run)(void *);
	void		*arg;
	atomic_bool	 ended;
};

static atomic_int most_threads;	/* that are given; -1: all that are asked for */
static atomic_int threads, threads_seen;	/* now; at most, with this one */

static void *
begin_thread(void *arg)
{
	struct thread *t = arg;
	int n = atomic_fetch_add(&threads, 1) + 2;

	if (n > atomic_load(&threads_seen))
		atomic_store(&threads_seen, n);
	t->run(t->arg);
	atomic_fetch_sub(&threads, 1);
	atomic_store(&t->ended, true);
	return NULL;
}

int
thread_start(struct thread **out, void (*run)(void *), void *arg)
{
	struct thread *t = calloc(1, sizeof *t);

	assert_non_null(t);
	if (atomic_load(&most_threads) == 0) {
		free(t);
		return EAGAIN;
	}
	atomic_fetch_sub(&most_threads, 1);
	*t = (struct thread){ .run = run, .arg = arg };
	assert_int_equal(pthread_create(&t->id, NULL, begin_thread, t), 0);
	*out = t;
	return 0;
}

bool
thread_wait(struct thread *t, uint64_t ns)
{
	uint64_t end = os_now() + ns;

	while (!atomic_load(&t->ended) && os_now() < end)
		sched_yield();
	return atomic_load(&t->ended);
}

void
thread_join(struct thread *t)
{
	pthread_join(t->id, NULL);
	free(t);
}

/* ---- parts ------------------------------------------------------------------------------ */

static bool
run(void *arg, uint64_t part, struct work *w, struct err *err)
{
	struct parts *p = arg;

	atomic_fetch_add(&p->runs[part], 1);
	atomic_fetch_add(&p->all, 1);
	if (!pthread_equal(pthread_self(), p->caller))
		atomic_fetch_add(&p->elsewhere, 1);
	if (!work_tick(w, part))
		return fail_cancel(err);
	return (part != p->bad && part != p->worse) || fail(err, E_SYSTEM, "part %u", (unsigned)part);
}

static void
begin(struct parts *p, unsigned jobs)
{
	*p = (struct parts){ .bad = PARTS, .worse = PARTS, .caller = pthread_self() };
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->met, NULL);
	pool_jobs(jobs);
	most_threads = -1;
}

static void
each_once(void **state)
{
	static struct parts p;
	struct err e;

	(void)state;
	for (unsigned jobs = 1; jobs <= 9; jobs += 4) {
		begin(&p, jobs);
		assert_true(pool_run(NULL, PARTS, run, &p, &e));
		for (size_t i = 0; i < PARTS; i++)
			assert_int_equal(p.runs[i], 1);
		assert_true(jobs > 1 || p.elsewhere == 0);
		assert_true(pool_run(NULL, 0, run, &p, &e));
	}
}

/* Continues when another one is here as well. */
static bool
meet(void *arg, uint64_t part, struct work *w, struct err *err)
{
	struct parts *p = arg;
	struct timespec end;
	int late = 0;

	(void)part;
	(void)w;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE;
	pthread_mutex_lock(&p->lock);
	p->waiting++;
	pthread_cond_broadcast(&p->met);
	while (p->waiting < 2 && late == 0)
		late = pthread_cond_timedwait(&p->met, &p->lock, &end);
	pthread_mutex_unlock(&p->lock);
	return late == 0 || fail(err, E_SYSTEM, "alone");
}

static void
at_once(void **state)
{
	static struct parts p;
	struct err e;

	(void)state;
	begin(&p, 2);
	assert_true(pool_run(NULL, 2, meet, &p, &e));
}

static void
first_error(void **state)
{
	static struct parts p;
	struct err e;

	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		begin(&p, round % 8 + 1);
		p.bad = 7;
		p.worse = 9;
		assert_false(pool_run(NULL, PARTS, run, &p, &e));
		assert_string_equal(e.text, "part 7");
		for (size_t i = 0; i <= 7; i++)
			assert_int_equal(p.runs[i], 1);
	}
}

static void
cancelled(void **state)
{
	static struct parts p;
	struct work w;
	struct err e;

	(void)state;
	work_init(&w, NULL);
	atomic_store(&w.cancel, true);
	begin(&p, 4);
	assert_false(pool_run(&w, PARTS, run, &p, &e));
	assert_int_equal(e.kind, E_CANCEL);
	assert_true(p.all <= 4);
}

static void
no_threads(void **state)
{
	static struct parts p;
	struct err e;

	(void)state;
	for (int most = 0; most < 3; most++) {
		begin(&p, 9);
		most_threads = most;
		p.bad = 7;
		assert_false(pool_run(NULL, PARTS, run, &p, &e));
		assert_string_equal(e.text, "part 7");
		begin(&p, 9);
		most_threads = most;
		assert_true(pool_run(NULL, PARTS, run, &p, &e));
		assert_true(p.all == PARTS && (most > 0 || p.elsewhere == 0));
	}
	begin(&p, 9);
	most_threads = 0;
	assert_null(aside_start(NULL, NULL, NULL));
	most_threads = -1;
}

/* Each part has parts, which find all threads busy or do not. */
static bool
inner(void *arg, uint64_t part, struct work *w, struct err *err)
{
	(void)part;
	return pool_run(w, 8, run, arg, err);
}

static void
parts_of_parts(void **state)
{
	static struct parts p;
	struct err e;

	(void)state;
	for (unsigned jobs = 1; jobs <= 4; jobs++) {
		begin(&p, jobs);
		atomic_store(&threads_seen, 1);
		assert_true(pool_run(NULL, 50, inner, &p, &e));
		assert_int_equal(p.all, 50 * 8);
		assert_true(jobs > 1 || atomic_load(&threads_seen) == 1);
		assert_int_equal(atomic_load(&threads), 0);
	}
}

/* ---- beside ----------------------------------------------------------------------------- */

static atomic_bool shown;

static void
show(struct work *w)
{
	(void)w;
	atomic_store(&shown, true);
}

/* Ends when progress was shown, or when it is cancelled. */
static void
wait_for_show(void *arg, struct work *w)
{
	_Atomic int *end = arg;
	uint64_t until = os_now() + PATIENCE * UINT64_C(1000000000);

	work_start(w, "beside", 100);
	while (*end == 0 && os_now() < until)
		*end = !work_tick(w, 61) ? 2 : atomic_load(&shown) ? 1 : 0;
}

/* The waiting thread shows where the other one is. */
static void
shows_while_waiting(void **state)
{
	_Atomic int end = 0;
	struct aside *a;
	struct work w;

	(void)state;
	pool_jobs(2);
	atomic_store(&shown, false);
	work_init(&w, show);
	work_start(&w, "mine", 7);
	a = aside_start(&w, wait_for_show, &end);
	assert_non_null(a);
	/* There are two. */
	assert_null(aside_start(&w, wait_for_show, &end));
	aside_join(a, &w);
	assert_int_equal(end, 1);
	assert_string_equal(atomic_load(&w.label), "beside");
	assert_int_equal(atomic_load(&w.total), 100);
	assert_int_equal(atomic_load(&w.done), 61);
	aside_join(NULL, &w);
}

static void
cancelled_beside(void **state)
{
	_Atomic int end = 0;
	struct aside *a;
	struct work w;

	(void)state;
	pool_jobs(2);
	atomic_store(&shown, false);
	work_init(&w, NULL);
	a = aside_start(&w, wait_for_show, &end);
	assert_non_null(a);
	aside_cancel(a);
	aside_join(a, &w);
	assert_int_equal(end, 2);
	assert_false(atomic_load(&w.cancel));
	/* Cancelling the work also cancels its part beside. */
	end = 0;
	a = aside_start(&w, wait_for_show, &end);
	assert_non_null(a);
	atomic_store(&w.cancel, true);
	aside_join(a, &w);
	assert_int_equal(end, 2);
}

/* ---- how many --------------------------------------------------------------------------- */

static char *folder;

static void
file(const char *name, const char *text)
{
	char *path = folder_path(folder, name);

	for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		(void)mkdir(path, 0777);
	}
	folder_write(path, text, strlen(text));
	free(path);
}

static void
has_quota(const char *groups, uint64_t n)
{
	char *path = folder_path(folder, "groups");

	file("groups", groups);
	assert_int_equal(cores_quota(path, folder), n);
	free(path);
}

static void
quotas(void **state)
{
	(void)state;
	folder = folder_make();
	assert_int_equal(cores_quota("/nonexistent", folder), 0);
	/* Version 2: the least of a group and those around it. */
	file("a/cpu.max", "350000 100000\n");
	file("a/b/cpu.max", "max 100000\n");
	file("a/c/cpu.max", "150000 100000\n");
	file("broken/cpu.max", "1 0\n");
	has_quota("0::/a/b\n", 4);
	has_quota("0::/a/c\n", 2);
	has_quota("0::/a/gone\n", 4);
	has_quota("0::/broken\n", 0);
	has_quota("0::/\n", 0);
	has_quota("nothing\n::\n\n", 0);
	/* Version 1; -1 means no limit. */
	file("cpu/d/cpu.cfs_quota_us", "250000\n");
	file("cpu/d/cpu.cfs_period_us", "100000\n");
	file("cpu/e/cpu.cfs_quota_us", "-1\n");
	file("cpu/e/cpu.cfs_period_us", "100000\n");
	has_quota("12:pids:/d\n4:cpu,cpuacct:/d\n", 3);
	has_quota("4:cpuacct,cpu:/d/deeper\n", 3);
	has_quota("4:cpu:/e\n", 0);
	has_quota("4:cpuset:/d\n", 0);
	/* Both, and a container, which sees its own group as the root. */
	has_quota("4:cpu:/d\n0::/a/c\n", 2);
	file("cpu/cpu.cfs_quota_us", "50000\n");
	file("cpu/cpu.cfs_period_us", "100000\n");
	has_quota("4:cpu:/docker/7f\n", 1);
	folder_remove(folder);
}

/* As many as are asked for, else as there are. */
static void
how_many(void **state)
{
	(void)state;
	pool_jobs(3);
	assert_int_equal(pool_size(), 3);
	pool_jobs(0);
	assert_in_range(pool_size(), 1, 8);
	pool_jobs(1);
}

/* Pages of large arrays are made by a thread of their own, but none where there is to be one only; it stays, so this is the last. */
static void
pages_ahead(void **state)
{
	char *data = calloc(1, AHEAD_MIN);

	(void)state;
	assert_non_null(data);
	atomic_store(&most_threads, 5);
	pool_jobs(1);
	os_ahead(data, AHEAD_MIN);
	assert_int_equal(atomic_load(&most_threads), 5);
	pool_jobs(2);
	os_ahead(data, AHEAD_MIN);
	os_ahead(data, AHEAD_MIN);
	assert_int_equal(atomic_load(&most_threads), 4);
	pool_jobs(1);
	free(data);
}

/* ---- items from another thread ------------------------------------------------------ */

struct items {
	uint64_t	 made, most;	/* how many there are; most UINT64_MAX: no end */
	uint64_t	 bad;		/* at which fill fails; 0: none */
	uint64_t	 taken, stop;	/* each fails there; 0: nowhere */
	pthread_t	 maker, taker;
};

static bool
fill_items(void *arg, void *to, size_t room, size_t *n, struct err *err)
{
	struct items *i = arg;
	uint32_t *item = to;

	i->maker = pthread_self();
	for (*n = 0; *n < room && i->made < i->most; (*n)++) {
		if (i->bad != 0 && i->made == i->bad)
			return fail(err, E_SYSTEM, "item %llu", (unsigned long long)i->made);
		item[*n] = (uint32_t)i->made++;
	}
	return true;
}

static bool
take_items(void *to, const void *items, size_t n, struct err *err)
{
	struct items *i = to;

	for (size_t k = 0; k < n; k++, i->taken++) {
		assert_int_equal(((const uint32_t *)items)[k], i->taken);
		if (i->stop != 0 && i->taken == i->stop)
			return fail(err, E_CANCEL, "enough");
	}
	i->taker = pthread_self();
	return true;
}

/* All items come in order, to the end or to the first error of either side, with a second thread and without one. */
static void
relays(void **state)
{
	struct err err;

	(void)state;
	for (unsigned jobs = 1; jobs <= 2; jobs++)
		for (int given = 0; given <= 1; given++) {
			struct items all = { .most = 1000003 }, none = { .most = 0 }, bad = { .most = 100000, .bad = 31000 },
			    stop = { .most = UINT64_MAX, .stop = 50000 };

			pool_jobs(jobs);
			atomic_store(&most_threads, given == 0 ? 0 : -1);
			assert_true(relay_run(NULL, sizeof(uint32_t), 1000, fill_items, &all, take_items, &all, &err));
			assert_int_equal(all.taken, 1000003);
			assert_int_equal(pthread_equal(all.maker, all.taker) == 0, jobs == 2 && given == 1);
			assert_true(relay_run(NULL, sizeof(uint32_t), 1000, fill_items, &none, take_items, &none, &err));
			assert_int_equal(none.taken, 0);
			assert_false(relay_run(NULL, sizeof(uint32_t), 1000, fill_items, &bad, take_items, &bad, &err));
			assert_string_equal(err.text, "item 31000");
			assert_int_equal(bad.taken, 31000);
			assert_false(relay_run(NULL, sizeof(uint32_t), 1000, fill_items, &stop, take_items, &stop, &err));
			assert_int_equal(err.kind, E_CANCEL);
			assert_int_equal(stop.taken, 50000);
		}
	pool_jobs(1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(at_once),
		cmocka_unit_test(first_error),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(no_threads),
		cmocka_unit_test(parts_of_parts),
		cmocka_unit_test(shows_while_waiting),
		cmocka_unit_test(cancelled_beside),
		cmocka_unit_test(quotas),
		cmocka_unit_test(how_many),
		cmocka_unit_test(pages_ahead),
		cmocka_unit_test(relays)
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
