/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thread: start and join threads.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "icecore/ending.h"
#include "icecore/os.h"
#include "icecore/thread.h"

struct thread {
	pthread_t	 id;
	void		(*run)(void *);
	void		*arg;
	pthread_mutex_t	 lock;
	pthread_cond_t	 ended;
	bool		 done;		/* under lock */
};

#define SECOND 1000000000u

static void *
thread_begin(void *arg)
{
	struct thread *t = arg;
	stack_t before;

	/* The address sanitizer has its own stack and expects it at the end. */
	(void)sigaltstack(NULL, &before);
	ending_stack();
	t->run(t->arg);
	(void)sigaltstack(&before, NULL);
	pthread_mutex_lock(&t->lock);
	t->done = true;
	pthread_cond_signal(&t->ended);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void
make_waitable(struct thread *t)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&monotonic);
#ifndef __APPLE__
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
#endif
	pthread_cond_init(&t->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static void
free_thread(struct thread *t)
{
	pthread_cond_destroy(&t->ended);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

int
thread_start(struct thread **out, void (*run)(void *), void *arg)
{
	static const int faults[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };
	struct thread *t = mem_array(1, sizeof *t);
	sigset_t all, before;
	int error;

	*out = NULL;
	if (t == NULL)
		return ENOMEM;
	t->run = run;
	t->arg = arg;
	make_waitable(t);
	sigfillset(&all);
	for (size_t i = 0; i < NELEM(faults); i++)
		sigdelset(&all, faults[i]);
	/* A new thread inherits the mask. */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&t->id, NULL, thread_begin, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		*out = t;
	else
		free_thread(t);
	return error;
}

bool
thread_wait(struct thread *t, uint64_t ns)
{
#ifdef __APPLE__
	uint64_t end = ns;
#else
	uint64_t end = os_now() + ns;
#endif
	const struct timespec until = { (time_t)(end / SECOND), (long)(end % SECOND) };
	bool done;

	pthread_mutex_lock(&t->lock);
#ifdef __APPLE__
	if (!t->done)
		(void)pthread_cond_timedwait_relative_np(&t->ended, &t->lock, &until);
#else
	if (!t->done)
		(void)pthread_cond_timedwait(&t->ended, &t->lock, &until);
#endif
	done = t->done;
	pthread_mutex_unlock(&t->lock);
	return done;
}

void
thread_join(struct thread *t)
{
	if (t == NULL)
		return;
	pthread_join(t->id, NULL);
	free_thread(t);
}
