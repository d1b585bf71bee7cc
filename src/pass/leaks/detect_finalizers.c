/*
 * detect_finalizers: objects that wait for their finalizer, when they are many.
 */
#include "config.h"

#include "findings.h"

#define WAIT_MANY 1000u
#define WAIT_PART 10u		/* and at least one in so many that have a finalizer */

struct queue {
	uint32_t	class;		/* of java.lang.ref.Finalizer, or of Android's FinalizerReference */
	uint32_t	enqueued;	/* what the field queue of those that wait leads to, 0: none */
	uint64_t	all, waiting, bytes;
};

static bool
wants(struct finder *f, void *state, uint32_t class)
{
	struct queue *q = state;
	struct heap_slot slot;

	if (class_is(&f->h, class, STR("java.lang.ref.ReferenceQueue")) &&
	    heap_static(&f->h, class, STR("ENQUEUED"), &slot) && slot.object != 0)
		q->enqueued = slot.object;
	if (!class_is(&f->h, class, STR("java.lang.ref.Finalizer")) &&
	    !class_is(&f->h, class, STR("java.lang.ref.FinalizerReference")))
		return false;
	q->class = class;
	return true;
}

/* What waits: Android moves it to another field; else the reference has moved to another queue. */
static uint32_t
waiting(const struct finder *f, const struct queue *q, uint32_t object)
{
	struct heap_slot slot;

	if (heap_field(&f->h, object, STR("zombie"), 0, &slot))
		return slot.object;
	return q->enqueued == 0 || heap_field_object(&f->h, object, STR("queue")) != q->enqueued ? 0 :
	    heap_field_object(&f->h, object, STR("referent"));
}

static bool
look(struct finder *f, void *state, uint32_t object)
{
	struct queue *q = state;
	uint32_t waits = waiting(f, q, object);

	q->all++;
	if (waits == 0)
		return true;
	q->waiting++;
	q->bytes = num_add(q->bytes, heap_shallow(&f->h, waits));
	return true;
}

/* The queue itself has a path: to the class that keeps it. */
static bool
end(struct finder *f, void *state)
{
	struct queue *q = state;
	struct heap_slot slot;
	uint32_t object = 0;

	if (q->waiting < WAIT_MANY || q->waiting < q->all / WAIT_PART)
		return true;
	if (heap_static(&f->h, q->class, STR("queue"), &slot) && slot.object != 0 &&
	    heap_dominator(&f->h, slot.object) != 0)
		object = slot.object;
	return finding_add(f, &(struct finding){ .kind = FINDING_FINALIZER, .object = object,
	    .class = q->class, .retained = q->bytes, .number = q->all,
	    .count = q->waiting > UINT32_MAX ? UINT32_MAX : (uint32_t)q->waiting });
}

const struct detector detector_finalizers = {
	.state_size = sizeof(struct queue), .wants = wants, .object = look, .end = end
};
