/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * work: progress, cancel, and the worker thread.
 */
#include "config.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "icecore/policy.h"
#include "icecore/thread.h"

#define SHOW_EVERY 100000000u	/* ns */
#define LEFT_AFTER 2000000000u
#define SECOND UINT64_C(1000000000)
#define LOOK_MOST 64u		/* work_tick calls without reading the clock: 64 ms, as calls are at most 1 ms apart */
#define LOOK_SOON 500000u	/* ns: if two reads are closer than this, the next one may come later */

enum worker_state { IDLE, BUSY, ENDED };

struct worker {
	struct thread		*thread;
	pthread_mutex_t		 lock;
	pthread_cond_t		 wake;
	struct work		 work;
	int			 notify_fd;
	/* Under lock. */
	enum worker_state	 state;
	bool			 stop, ok;
	worker_job		 job;
	void			*arg;
	struct err		 err;
};

/* Deadline of --timeout; late: the label of the work that missed it. */
static _Atomic uint64_t deadline, deadline_ns;
static _Atomic(const char *) late;
static _Thread_local struct work *mine;

/* Per thread: time of the last clock read, and how many calls of work_tick to skip. */
static _Thread_local struct {
	uint64_t	 at;
	unsigned	 every, left;
} look;

/* ---- progress --------------------------------------------------------------- */

void
work_init(struct work *w, void (*show)(struct work *))
{
	atomic_init(&w->label, NULL);
	atomic_init(&w->done, 0);
	atomic_init(&w->total, 0);
	atomic_init(&w->bytes, false);
	atomic_init(&w->step, 0);
	atomic_init(&w->steps, 0);
	atomic_init(&w->began, os_now());
	atomic_init(&w->left, 0);
	atomic_init(&w->asked, 0);
	atomic_init(&w->cancel, false);
	atomic_init(&w->shown, os_now());
	atomic_init(&w->apart, NULL);
	w->show = show;
	w->final = false;
	w->of = NULL;
}

void
work_start(struct work *w, const char *label, uint64_t total)
{
	if (w == NULL)
		return;
	atomic_store_explicit(&w->done, 0, memory_order_relaxed);
	atomic_store_explicit(&w->total, total, memory_order_relaxed);
	atomic_store_explicit(&w->bytes, false, memory_order_relaxed);
	atomic_store_explicit(&w->left, 0, memory_order_relaxed);
	atomic_store_explicit(&w->began, os_now(), memory_order_relaxed);
	atomic_store_explicit(&w->label, label, memory_order_release);
	look.left = 0;
}

void
work_start_bytes(struct work *w, const char *label, uint64_t total)
{
	work_start(w, label, total);
	if (w != NULL)
		atomic_store_explicit(&w->bytes, true, memory_order_relaxed);
}

void
work_step(struct work *w, unsigned step, unsigned steps)
{
	if (w == NULL)
		return;
	atomic_store_explicit(&w->step, step, memory_order_relaxed);
	atomic_store_explicit(&w->steps, steps, memory_order_relaxed);
}

/*
 * Return ns until it ends at the current rate; 0: too early to estimate. Smooth them: weight 3:1 towards the
 * previous value, growth of at most 25 % per update.
 */
static uint64_t
work_left(struct work *w)
{
	uint64_t now = os_now(), done = atomic_load(&w->done), total = atomic_load(&w->total),
	    was = atomic_load(&w->left);
	uint64_t spent = now - atomic_load(&w->began), since = now - atomic_load(&w->asked);
	double left, least;

	if (spent < LEFT_AFTER || done >= total || done < total / 20 || done == 0)
		return 0;
	left = (double)spent / (double)done * (double)(total - done);
	if (was != 0) {
		least = was > since ? (double)(was - since) : 0;
		left = (3 * least + left) / 4;
		left = left > (double)was * 1.25 ? (double)was * 1.25 : left;
	}
	atomic_store(&w->left, (uint64_t)left + 1);
	atomic_store(&w->asked, now);
	return (uint64_t)left + 1;
}

/*
 * Return whether this call of work_tick reads the clock, which costs more than a row of many loops. Fast
 * loops read it every LOOK_MOST calls, slow ones every call.
 */
static bool
is_time_to_look(uint64_t *now)
{
	if (look.left > 0) {
		look.left--;
		return false;
	}
	*now = os_now();
	look.every = *now - look.at >= LOOK_SOON ? 1 : look.every < LOOK_MOST ? look.every * 2 : LOOK_MOST;
	look.left = look.every - 1;
	look.at = *now;
	return true;
}

static void
show_now_and_then(struct work *w, uint64_t now)
{
	if (now - atomic_load_explicit(&w->shown, memory_order_relaxed) <
	    SHOW_EVERY)
		return;
	atomic_store_explicit(&w->shown, now, memory_order_relaxed);
	w->show(w);
}

void
work_deadline(uint64_t ns)
{
	atomic_store(&deadline_ns, ns);
	atomic_store(&deadline, ns > 0 ? num_add(os_now(), ns) : 0);
	atomic_store(&late, NULL);
	look.left = 0;
}

bool
work_deadline_half(struct work_deadline_was *was)
{
	uint64_t now = os_now();

	*was = (struct work_deadline_was){ atomic_load(&deadline), atomic_load(&deadline_ns) };
	if (was->at == 0)
		return false;
	work_deadline(was->at > now + 1 ? (was->at - now) / 2 : 1);
	return true;
}

void
work_deadline_end(const struct work_deadline_was *was)
{
	atomic_store(&deadline_ns, was->ns);
	atomic_store(&deadline, was->at);
	atomic_store(&late, NULL);
	look.left = 0;
}

/* Pass now = 0 if the clock was not read. */
static bool
is_late(struct work *w, uint64_t now)
{
	uint64_t end = atomic_load_explicit(&deadline, memory_order_relaxed);
	const char *label;

	if (end == 0)
		return false;
	if (now < end)
		return atomic_load_explicit(&late, memory_order_relaxed) != NULL;
	label = atomic_load_explicit(&w->label, memory_order_acquire);
	atomic_store(&late, label != NULL ? label : "working");
	return true;
}

static bool
goes_on(struct work *w, uint64_t now)
{
	for (; w->of != NULL; w = w->of)
		if (atomic_load_explicit(&w->cancel, memory_order_relaxed))
			return false;
	return (!w->final && atomic_load_explicit(&w->apart, memory_order_relaxed) != NULL) ||
	    (!atomic_load_explicit(&w->cancel, memory_order_relaxed) && !is_late(w, now));
}

bool
work_tick(struct work *w, uint64_t done)
{
	uint64_t now = 0;
	bool looks = is_time_to_look(&now);

	if (looks)
		resident_check();
	if (w == NULL)
		return true;
	atomic_store_explicit(&w->done, done, memory_order_relaxed);
	if (looks && w->show != NULL)
		show_now_and_then(w, now);
	return goes_on(w, now);
}

void
work_waited(void)
{
	look.left = 0;
}

bool
work_sleep(const char *what, int ms)
{
	struct work none, *w = mine;
	const char *label;
	bool ok;

	if (w == NULL) {
		work_init(&none, NULL);
		w = &none;
	}
	label = atomic_exchange(&w->label, what);
	(void)poll(NULL, 0, ms);
	work_waited();
	ok = work_tick(w, atomic_load(&w->done));
	atomic_store(&w->label, label);
	return ok;
}

void
work_follow(struct work *w, struct work *other)
{
	const char *label = atomic_load_explicit(&other->label, memory_order_acquire);

	if (w != NULL && label != NULL && label != atomic_load(&w->label))
		work_start(w, label, atomic_load(&other->total));
	work_waited();
	(void)work_tick(w, label != NULL ? atomic_load(&other->done) : w != NULL ? atomic_load(&w->done) : 0);
}

void
work_of_thread(struct work *w)
{
	mine = w;
}

struct work_was
work_apart(const char *what)
{
	struct work_was was = { .work = mine };

	if (mine == NULL)
		return was;
	was.label = atomic_load(&mine->label);
	was.total = atomic_load(&mine->total);
	was.step = atomic_load(&mine->step);
	was.steps = atomic_load(&mine->steps);
	was.bytes = atomic_load(&mine->bytes);
	atomic_store(&mine->apart, what);
	atomic_store(&mine->shown, 0);
	look.left = 0;
	return was;
}

void
work_back(const struct work_was *was)
{
	if (was->work == NULL)
		return;
	work_start(was->work, was->label, was->total);
	atomic_store(&was->work->bytes, was->bytes);
	work_step(was->work, was->step, was->steps);
	atomic_store(&was->work->apart, NULL);
}

bool
fail_cancel(struct err *err)
{
	const char *doing = atomic_load(&late);
	char time[NUM_TEXT];

	if (doing == NULL)
		return fail(err, E_CANCEL, "cancelled");
	num_show_duration(time, sizeof time, atomic_load(&deadline_ns));
	return fail_for(err, REASON_TIME, E_SYSTEM, ERR_NOWHERE,
	    "timed out after %s (%s); the output is incomplete; %s", time, doing,
	    atomic_load(&deadline_ns) == policy_now()->time ? "the limit is in " POLICY_FILE :
	    "raise the limit with --timeout");
}

static void
add_bytes(uint64_t done, uint64_t total, struct buf *b)
{
	char part[NUM_TEXT], whole[NUM_TEXT];
	const char *unit, *same;

	num_show_size(part, sizeof part, done < total ? done : total);
	num_show_size(whole, sizeof whole, total);
	unit = strchr(part, ' ');
	same = strchr(whole, ' ');
	if (unit != NULL && same != NULL && strcmp(unit, same) == 0)
		part[unit - part] = '\0';
	buf_printf(b, "  %s of %s", part, whole);
}

void
work_text(struct work *w, bool timed, struct buf *b)
{
	const char *label = atomic_load_explicit(&w->label, memory_order_acquire),
	    *apart = atomic_load(&w->apart);
	uint64_t total = atomic_load(&w->total), done = atomic_load(&w->done),
	    left = timed ? work_left(w) : 0;
	unsigned steps = atomic_load(&w->steps);

	if (total > 0)
		buf_printf(b, "[%3u%% ] ", (unsigned)(done >= total ? 100 :
		    (double)done / (double)total * 100));
	buf_printf(b, "%s%s%s", apart != NULL ? apart : "", apart != NULL ? ": " : "",
	    label != NULL ? label : "working");
	if (steps > 1)
		buf_printf(b, " %u/%u", atomic_load(&w->step), steps);
	if (atomic_load(&w->bytes) && total > 0)
		add_bytes(done, total, b);
	if (left > 60 * SECOND)
		buf_printf(b, "  ~%u min", (unsigned)((left + 30 * SECOND) / (60 * SECOND)));
	else if (left > 0)
		buf_printf(b, "  ~%u s", (unsigned)((left + SECOND - 1) / SECOND));
	else if (total == 0 && timed && os_now() - atomic_load(&w->began) >= SECOND)
		buf_printf(b, ", %u s", (unsigned)((os_now() - atomic_load(&w->began)) / SECOND));
}

/* ---- the worker ------------------------------------------------------------- */

static void
run_job(struct worker *w)
{
	worker_job job = w->job;
	void *arg = w->arg;
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	ssize_t wrote;
	bool ok;

	pthread_mutex_unlock(&w->lock);
	ok = job(arg, &w->work, &err);
	pthread_mutex_lock(&w->lock);
	w->ok = ok;
	w->err = err;
	w->state = ENDED;
	/* A full pipe already contains a byte, which is enough. */
	wrote = write(w->notify_fd, "", 1);
	(void)wrote;
}

static void
worker_main(void *arg)
{
	struct worker *w = arg;

	work_of_thread(&w->work);
	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		if (w->state == BUSY)
			run_job(w);
		else
			pthread_cond_wait(&w->wake, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
}

bool
worker_start(struct worker **out, int notify_fd, struct err *err)
{
	struct worker *w = mem_array(1, sizeof *w);
	int error;

	if (w == NULL)
		return fail(err, E_SYSTEM, "out of memory (worker)");
	w->notify_fd = notify_fd;
	work_init(&w->work, NULL);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	error = thread_start(&w->thread, worker_main, w);
	if (error != 0) {
		free(w);
		return fail(err, E_SYSTEM, "cannot start a thread: %s",
		    strerror(error));
	}
	*out = w;
	return true;
}

bool
worker_give(struct worker *w, worker_job job, void *arg)
{
	bool free_now;

	pthread_mutex_lock(&w->lock);
	free_now = w->state == IDLE;
	if (free_now) {
		/* Other threads may be reading it, so work_init cannot be used. */
		work_start(&w->work, NULL, 0);
		work_step(&w->work, 0, 0);
		atomic_store(&w->work.cancel, false);
		w->job = job;
		w->arg = arg;
		w->state = BUSY;
		pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
	return free_now;
}

bool
worker_take(struct worker *w, bool *ok, struct err *err)
{
	bool ended;

	pthread_mutex_lock(&w->lock);
	ended = w->state == ENDED;
	if (ended) {
		*ok = w->ok;
		if (err != NULL)
			*err = w->err;
		w->state = IDLE;
	}
	pthread_mutex_unlock(&w->lock);
	return ended;
}

struct work *
worker_work(struct worker *w)
{
	return &w->work;
}

void
worker_stop(struct worker *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	atomic_store(&w->work.cancel, true);
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	thread_join(w->thread);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
