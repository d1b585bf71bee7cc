/*
 * pool: parts on several threads: each is run once, errors do not depend on timing, and all end when it is cancelled.
 */
#include "config.h"

#include <pthread.h>
#include <time.h>

#include "check.h"
#include "icecore/work.h"

#define PARTS 1000u
#define PATIENCE 60		/* seconds */

struct parts {
	_Atomic unsigned runs[PARTS], all;
	uint64_t	 bad, worse;	/* parts that fail */
	pthread_t	 caller;
	_Atomic unsigned elsewhere;
	pthread_mutex_t	 lock;
	pthread_cond_t	 met;
	unsigned	 waiting;
};

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

/* Goes on when another one is here as well. */
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(at_once),
		cmocka_unit_test(first_error),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(how_many)
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
