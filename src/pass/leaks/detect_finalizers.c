/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_finalizers: objects that only their finalizer still waits for, by class, with all that they hold.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_frames.h"
#include "findings.h"

#define WAIT_MANY 1000u
#define WAIT_BYTES (1u << 20)	/* bytes of a class */
#define FRAMES 8u		/* innermost ones of the Finalizer thread */
#define WAIT_SHARE 50u		/* share of the live bytes: one part in this many, at least */

struct waiting {
	uint32_t	object, class;
};

struct queue {
	uint32_t	queue;		/* java.lang.ref.Finalizer.queue; 0: there is none */
	struct scratch	 list;		/* struct waiting */
	uint64_t	 n;
	struct finalizable counted;
};

static bool
detect_finalizers_wants(struct finder *f, void *state, uint32_t class)
{
	struct queue *q = state;
	struct heap_slot slot;

	if (!finalizer_class(&f->h, class))
		return false;
	if (heap_static(&f->h, class, STR("queue"), &slot) && slot.object != 0 &&
	    heap_dominator(&f->h, slot.object) != 0)
		q->queue = slot.object;
	return true;
}

/*
 * A reference whose object the last collection before the dump found unreachable still names its queue: it is
 * not enqueued yet.  A reference in the queue names ReferenceQueue.ENQUEUED instead.
 */
static bool
detect_finalizers_look(struct finder *f, void *state, uint32_t object)
{
	struct queue *q = state;
	uint32_t waits = finalizer_waits(&f->h, object);
	struct waiting w = { waits, waits == 0 ? 0 : heap_class(&f->h, waits) };
	bool queued = q->queue == 0 || heap_field_object(&f->h, object, "queue") != q->queue;

	return waits == 0 || !queued || scratch_add(&q->list, &q->n, &w, sizeof w, f->err);
}

static int
detect_finalizers_by_class(const void *x, const void *y)
{
	const struct waiting *a = x, *b = y;

	return num_order(a->class, b->class, num_order(a->object, b->object, 0));
}

/*
 * Return whether the Finalizer thread waits for the queue: then it will take the queued objects as soon as it
 * runs.
 */
static bool
detect_finalizers_is_idle(const struct heap *h)
{
	uint32_t thread = heap_thread_named(h, "Finalizer");
	uint64_t frame = thread == 0 ? 0 : store_cell(h->st, COL_JTHREAD_FRAME, thread),
	    n = store_cell(h->st, COL_JTHREAD_FRAMES, thread);

	for (unsigned i = 0; frame != 0 && i < n && i < FRAMES; i++) {
		uint32_t class = (uint32_t)store_cell(h->st, COL_FRAME_CLASS, frame + i);

		if (class != 0 && class <= h->classes && class_is(h, class, "java.lang.ref.ReferenceQueue") &&
		    str_has_prefix(store_text(h->st, store_cell(h->st, COL_FRAME_METHOD, frame + i)),
		    STR("remove")))
			return true;
	}
	return false;
}

static bool
detect_finalizers_end(struct finder *f, void *state)
{
	struct queue *q = state;
	struct waiting *w = SCRATCH(q->list, struct waiting);
	uint64_t to, bytes;

	if (detect_finalizers_is_idle(&f->h))
		return true;
	if (q->n > 1)
		qsort(w, q->n, sizeof *w, detect_finalizers_by_class);
	for (uint64_t from = 0; from < q->n; from = to) {
		for (bytes = 0, to = from; to < q->n && w[to].class == w[from].class; to++)
			if (!finalizable_add(&q->counted, &f->h, w[to].object, f->work, &bytes, f->err))
				return false;
		if (to - from < WAIT_MANY && (bytes < WAIT_BYTES || bytes < f->live / WAIT_SHARE))
			continue;
		/* The queue has a path: to the class that keeps it. */
		if (!finding_add(f, &(struct finding){ .kind = FINDING_FINALIZER, .object = q->queue,
		    .class = w[from].class,
		    .retained = bytes, .count = to - from > UINT32_MAX ? UINT32_MAX :
		    (uint32_t)(to - from) }))
			return false;
	}
	return true;
}

static void
detect_finalizers_release(void *state)
{
	struct queue *q = state;

	scratch_free(&q->list);
	finalizable_close(&q->counted);
}

const struct detector detector_finalizers = {
	.state_size = sizeof(struct queue), .wants = detect_finalizers_wants,
	    .object = detect_finalizers_look,
	    .end = detect_finalizers_end, .release = detect_finalizers_release
};
