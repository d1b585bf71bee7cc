/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ahead: pages of large arrays are populated in bulk, by a second thread if there is a processor for it.
 *
 * A new page costs more than writing to it. The thread only saves time: a range that was freed or reused meanwhile is
 * left unchanged.
 */
#include "config.h"

#include <pthread.h>
#include <sys/mman.h>

#include "icecore/os.h"
#include "icecore/thread.h"
#include "icecore/work.h"

#define RANGES 16u
#define STEP (2u << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct range {
	char	*data;
	size_t	 size;
} queue[RANGES];
static size_t first, count;
static struct thread *thread;	/* until the program ends */
static enum { UNKNOWN, RUNNING, NONE } state;

static void
touch(const struct range *r)
{
#ifdef MADV_POPULATE_WRITE
	for (size_t at = 0; at < r->size; at += STEP)
		if (madvise(r->data + at, r->size - at < STEP ? r->size - at : STEP,
		    MADV_POPULATE_WRITE) < 0)
			return;
#else
	(void)r;
#endif
}

static void
ahead_run(void *unused)
{
	struct range r;

	(void)unused;
	for (;;) {
		pthread_mutex_lock(&lock);
		while (count == 0)
			pthread_cond_wait(&more, &lock);
		r = queue[first];
		first = (first + 1) % RANGES;
		count--;
		pthread_mutex_unlock(&lock);
		touch(&r);
	}
}

void
os_ahead(void *data, size_t size)
{
	/* With one processor a second thread is not faster, but populating many pages at once costs less than one by one. */
	if (pool_size() < 2) {
		touch(&(struct range){ data, size });
		return;
	}
	pthread_mutex_lock(&lock);
	if (state == UNKNOWN)
		state = thread_start(&thread, ahead_run, NULL) == 0 ? RUNNING : NONE;
	if (state == RUNNING && count < RANGES) {
		queue[(first + count++) % RANGES] = (struct range){ data, size };
		pthread_cond_signal(&more);
	}
	pthread_mutex_unlock(&lock);
}
