/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relay: one thread makes items in batches, another one takes them in the same order.
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "icecore/work.h"

#define BATCHES 4u	/* so that the threads rarely wait for each other */

struct relay_batch {
	void		*items;
	size_t		 n;		/* 0: the end */
	bool		 failed;
	struct err	 err;
};

struct relay {
	struct relay_batch batch[BATCHES];
	size_t		 room;		/* items in a batch */
	relay_fill	 fill;
	void		*arg;
	struct aside	*aside;		/* NULL: the taker makes the batches */
	pthread_mutex_t	 lock;
	pthread_cond_t	 changed;
	uint64_t	 made, taken;	/* batches; under lock */
	bool		 stop;		/* under lock */
};

/* Return whether more batches may follow. */
static bool
relay_make(struct relay *r, struct relay_batch *b)
{
	b->n = 0;
	b->failed = !r->fill(r->arg, b->items, r->room, &b->n, &b->err);
	return !b->failed && b->n > 0;
}

/* Get the batch to fill; NULL: the taker wants no more. */
static struct relay_batch *
relay_space(struct relay *r)
{
	struct relay_batch *b;

	pthread_mutex_lock(&r->lock);
	while (r->made - r->taken == BATCHES && !r->stop)
		pthread_cond_wait(&r->changed, &r->lock);
	b = r->stop ? NULL : &r->batch[r->made % BATCHES];
	pthread_mutex_unlock(&r->lock);
	return b;
}

static void
relay_maker(void *arg, struct work *w)
{
	struct relay *r = arg;
	struct relay_batch *b;
	bool more = true;

	(void)w;
	while (more && (b = relay_space(r)) != NULL) {
		more = relay_make(r, b);
		pthread_mutex_lock(&r->lock);
		r->made++;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
	}
}

/* ---- the taker --------------------------------------------------------------------- */

static const struct relay_batch *
relay_wait(struct relay *r)
{
	const struct relay_batch *b;

	pthread_mutex_lock(&r->lock);
	while (r->made == r->taken)
		pthread_cond_wait(&r->changed, &r->lock);
	b = &r->batch[r->taken % BATCHES];
	pthread_mutex_unlock(&r->lock);
	work_waited();
	return b;
}

static void
relay_leave(struct relay *r, bool stop)
{
	pthread_mutex_lock(&r->lock);
	r->taken++;
	r->stop = stop;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

static bool
relay_take(struct relay *r, relay_each each, void *to, struct err *err)
{
	const struct relay_batch *b = &r->batch[0];
	bool ok = true, more = true;

	while (ok && more) {
		if (r->aside != NULL)
			b = relay_wait(r);
		else
			relay_make(r, &r->batch[0]);
		ok = !b->failed;
		more = b->n > 0;
		if (!ok)
			*err = b->err;
		else if (more)
			ok = each(to, b->items, b->n, err);
		if (r->aside != NULL)
			relay_leave(r, !ok);
	}
	return ok;
}

bool
relay_run(struct work *w, size_t size, size_t room, relay_fill fill, void *arg, relay_each each, void *to,
    struct err *err)
{
	struct relay r = { .room = room, .fill = fill, .arg = arg, .lock = PTHREAD_MUTEX_INITIALIZER,
	    .changed = PTHREAD_COND_INITIALIZER };
	bool ok = true;

	for (size_t i = 0; ok && i < BATCHES; i++)
		ok = (r.batch[i].items = mem_array(room, size)) != NULL;
	if (!ok)
		fail(err, E_SYSTEM, "out of memory");
	else {
		r.aside = aside_start(w, relay_maker, &r);
		ok = relay_take(&r, each, to, err);
		aside_join(r.aside, w);
	}
	for (size_t i = 0; i < BATCHES; i++)
		free(r.batch[i].items);
	pthread_cond_destroy(&r.changed);
	pthread_mutex_destroy(&r.lock);
	return ok;
}
