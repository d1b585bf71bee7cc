/*
 * work: progress, cancel, and the worker thread.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "icecore/os.h"

#define SHOW_EVERY 100000000u	/* ns */

enum worker_state { IDLE, BUSY, ENDED };

struct worker {
	pthread_t		 thread;
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

uint64_t
os_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- progress --------------------------------------------------------------- */

void
work_init(struct work *w, void (*show)(struct work *))
{
	atomic_init(&w->label, NULL);
	atomic_init(&w->done, 0);
	atomic_init(&w->total, 0);
	atomic_init(&w->cancel, false);
	atomic_init(&w->shown, os_now());
	w->show = show;
}

void
work_start(struct work *w, const char *label, uint64_t total)
{
	if (w == NULL)
		return;
	atomic_store_explicit(&w->done, 0, memory_order_relaxed);
	atomic_store_explicit(&w->total, total, memory_order_relaxed);
	atomic_store_explicit(&w->label, label, memory_order_release);
}

static void
show_now_and_then(struct work *w)
{
	uint64_t now = os_now();

	if (now - atomic_load_explicit(&w->shown, memory_order_relaxed) <
	    SHOW_EVERY)
		return;
	atomic_store_explicit(&w->shown, now, memory_order_relaxed);
	w->show(w);
}

bool
work_tick(struct work *w, uint64_t done)
{
	resident_check();
	if (w == NULL)
		return true;
	atomic_store_explicit(&w->done, done, memory_order_relaxed);
	if (w->show != NULL)
		show_now_and_then(w);
	return !atomic_load_explicit(&w->cancel, memory_order_relaxed);
}

bool
fail_cancel(struct err *err)
{
	return fail(err, E_CANCEL, "cancelled");
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
	/* A full pipe already has a byte in it, which is all that is needed. */
	wrote = write(w->notify_fd, "", 1);
	(void)wrote;
}

static void *
worker_main(void *arg)
{
	struct worker *w = arg;

	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		if (w->state == BUSY)
			run_job(w);
		else
			pthread_cond_wait(&w->wake, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

bool
worker_start(struct worker **out, int notify_fd, struct err *err)
{
	static const int faults[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT };
	struct worker *w = mem_array(1, sizeof *w);
	sigset_t all, before;
	int error;

	if (w == NULL)
		return fail(err, E_SYSTEM, "out of memory (worker)");
	w->notify_fd = notify_fd;
	work_init(&w->work, NULL);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	/*
	 * A new thread inherits the mask: signals are for the screen thread,
	 * but for those that a fault of the worker itself raises.
	 */
	sigfillset(&all);
	for (size_t i = 0; i < NELEM(faults); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&w->thread, NULL, worker_main, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
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
		/* Others may be looking at it, so no work_init. */
		work_start(&w->work, NULL, 0);
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
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
