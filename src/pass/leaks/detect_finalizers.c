/*
 * detect_finalizers: objects that only their finalizer still waits for, by class, with all that they hold.
 */
#include "config.h"

#include <stdlib.h>

#include "findings.h"

#define WAIT_MANY 1000u
#define WAIT_BYTES (1u << 20)	/* of a class; */
#define WAIT_SHARE 50u		/* at least one part in so many of the live bytes */

struct waiting {
	uint32_t	object, class;
};

struct queue {
	uint32_t	queue;		/* java.lang.ref.Finalizer.queue; 0: there is none */
	struct scratch	 list;		/* struct waiting */
	uint64_t	 n;
	struct scratch	 seen, todo;	/* seen: a bit for each object that is counted */
};

static bool
wants(struct finder *f, void *state, uint32_t class)
{
	struct queue *q = state;
	struct heap_slot slot;

	if (!class_is(&f->h, class, STR("java.lang.ref.Finalizer")) && !class_is(&f->h, class, STR("java.lang.ref.FinalizerReference")))
		return false;
	if (heap_static(&f->h, class, STR("queue"), &slot) && slot.object != 0 && heap_dominator(&f->h, slot.object) != 0)
		q->queue = slot.object;
	return true;
}

/* Nothing but the finalizer's reference holds it; Android moves what waits to another field. */
static bool
look(struct finder *f, void *state, uint32_t object)
{
	struct queue *q = state;
	uint32_t waits = heap_field_object(&f->h, object, STR("zombie"));
	struct waiting w;

	if (waits == 0)
		waits = heap_field_object(&f->h, object, STR("referent"));
	if (waits == 0 || waits > f->h.objects || heap_dominator(&f->h, waits) != 0)
		return true;
	w = (struct waiting){ waits, heap_class(&f->h, waits) };
	return scratch_add(&q->list, &q->n, &w, sizeof w, f->err);
}

static int
by_class(const void *x, const void *y)
{
	const struct waiting *a = x, *b = y;

	return num_order(a->class, b->class, num_order(a->object, b->object, 0));
}

/* Bytes of what hangs on an object and was not counted yet. */
static bool
count_held(struct finder *f, struct queue *q, uint32_t object, uint64_t *bytes)
{
	enum heap_strength strength;
	struct heap_walk walk;
	uint64_t n = 0;

	do {
		if (!has_bit(&q->seen, object)) {
			set_bit(&q->seen, object);
			*bytes = num_add(*bytes, heap_shallow(&f->h, object));
			heap_out(&f->h, object, &walk);
			for (uint32_t to; (to = heap_next(&walk, &strength)) != 0; )
				if (heap_counts(&f->h, strength) && heap_dominator(&f->h, to) == 0 && !has_bit(&q->seen, to) &&
				    !scratch_add(&q->todo, &n, &to, sizeof to, f->err))
					return false;
		}
		if (n % FINDINGS_TICK == 0 && !work_go(f->work, n, f->err))
			return false;
		object = n == 0 ? 0 : SCRATCH(q->todo, uint32_t)[--n];
	} while (object != 0);
	return true;
}

static bool
end(struct finder *f, void *state)
{
	struct queue *q = state;
	struct waiting *w = SCRATCH(q->list, struct waiting);
	uint64_t to, bytes;

	if (q->n == 0)
		return true;
	if (!scratch_array(&q->seen, f->h.objects / 64 + 1ull, sizeof(uint64_t), f->err))
		return false;
	if (q->n > 1)
		qsort(w, q->n, sizeof *w, by_class);
	for (uint64_t from = 0; from < q->n; from = to) {
		for (bytes = 0, to = from; to < q->n && w[to].class == w[from].class; to++)
			if (!count_held(f, q, w[to].object, &bytes))
				return false;
		if (to - from < WAIT_MANY && (bytes < WAIT_BYTES || bytes < f->live / WAIT_SHARE))
			continue;
		/* The queue has a path: to the class that keeps it. */
		if (!finding_add(f, &(struct finding){ .kind = FINDING_FINALIZER, .object = q->queue, .class = w[from].class,
		    .retained = bytes, .count = to - from > UINT32_MAX ? UINT32_MAX : (uint32_t)(to - from) }))
			return false;
	}
	return true;
}

static void
release(void *state)
{
	struct queue *q = state;

	SCRATCH_FREE(&q->list, &q->seen, &q->todo);
}

const struct detector detector_finalizers = {
	.state_size = sizeof(struct queue), .wants = wants, .object = look, .end = end, .release = release
};
