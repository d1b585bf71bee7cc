/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ahead: pages of large arrays are populated in bulk, by a second thread if there is a processor for it.
 *
 * A new page costs more than writing to it. The thread only saves time: a range that was freed or reused
 * meanwhile is left unchanged.
 */
#include "config.h"

#include <pthread.h>
#include <sys/mman.h>

#include "icecore/os.h"
#include "icecore/thread.h"
#include "icecore/work.h"

#define RANGES 16u
/* Number of steps of a range; ranges take turns, as columns are often written together. */
#define STEPS 64u
#define STEP_LEAST (2u << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct range {
	char	*data;
	size_t	 size, step;
} queue[RANGES];
static size_t count;
static struct thread *thread;	/* until the program ends */
static enum { UNKNOWN, RUNNING, NONE } state;

static bool
touch(char *data, size_t size)
{
#ifdef MADV_POPULATE_WRITE
	return madvise(data, size, MADV_POPULATE_WRITE) == 0;
#else
	(void)data;
	(void)size;
	return false;
#endif
}

/* Only this thread removes ranges. */
static void
ahead_run(void *unused)
{
	struct range *r;
	size_t turn = 0, n;
	char *data;
	bool ok;

	(void)unused;
	pthread_mutex_lock(&lock);
	for (;; turn++) {
		while (count == 0)
			pthread_cond_wait(&more, &lock);
		turn = turn < count ? turn : 0;
		r = &queue[turn];
		data = r->data;
		n = r->size < r->step ? r->size : r->step;
		pthread_mutex_unlock(&lock);
		ok = touch(data, n);
		pthread_mutex_lock(&lock);
		r->data += n;
		r->size = ok ? r->size - n : 0;
		if (r->size == 0)
			*r = queue[--count];
	}
}

void
os_ahead(void *data, size_t size)
{
	/*
	 * With one processor a second thread is not faster, but populating many pages at once costs less than
	 * one by one.
	 */
	if (pool_size() < 2) {
		touch(data, size);
		return;
	}
	pthread_mutex_lock(&lock);
	if (state == UNKNOWN)
		state = thread_start(&thread, ahead_run, NULL) == 0 ? RUNNING : NONE;
	if (state == RUNNING && count < RANGES) {
		queue[count++] = (struct range){ data, size,
		    size / STEPS > STEP_LEAST ? size / STEPS : STEP_LEAST };
		pthread_cond_signal(&more);
	}
	pthread_mutex_unlock(&lock);
}
