/*
 * coroutines: suspended coroutines of Kotlin: objects of the classes that its compiler makes of suspending functions.  What one of
 * them waits for is seldom who keeps it: that is the scope it was started in.
 *
 * Source of the fields: kotlin-stdlib 1.3 to 2.2 (kotlin.coroutines.jvm.internal), kotlinx-coroutines 1.3 to 1.10 (JobSupport).
 */
#include "config.h"

#include "owners.h"

#define CALLS 64u		/* suspending functions that wait for each other */
#define JOBS 16u		/* scopes in scopes */

bool
coroutine_is(const struct heap *h, uint32_t object)
{
	uint32_t class = object == 0 ? 0 : heap_class(h, object);

	return class != 0 && class <= h->classes && class_named(h, class, STR("kotlin.coroutines.jvm.internal.BaseContinuationImpl")) != 0;
}

/* The job that an object of AbstractCoroutine or JobImpl was started in; 0: none. */
static uint32_t
parent_job(const struct heap *h, uint32_t job)
{
	uint32_t handle = heap_field_object(h, job, STR("_parentHandle$volatile"));

	if (handle == 0)
		handle = heap_field_object(h, job, STR("_parentHandle"));
	return heap_field_object(h, handle, STR("job"));
}

/* The field of the program above a node; 0: none. */
static uint32_t
field_above(const struct owners *o, uint32_t id)
{
	for (; id != 0 && !owners_is_top(o, id); id = owners_at(o, id)->parent)
		if (owners_is_of_program(o, id))
			return id;
	return 0;
}

/* Of a job: all that was started in it refers to it, and one context, which the scope has. */
static uint32_t
field_with(const struct owners *o, uint32_t job)
{
	uint32_t found = field_above(o, names_of(o->h, job)), last = 0, id, holder;
	struct heap_walk w;

	heap_in(o->h, job, &w);
	while (found == 0 && (holder = heap_next(&w, NULL)) != 0) {
		id = heap_dominator(o->h, holder) == 0 ? 0 : names_of(o->h, holder);
		found = id == last ? 0 : field_above(o, id);
		last = id;
	}
	return found;
}

uint32_t
coroutine_owner(const struct owners *o, uint32_t object)
{
	uint32_t job = object, found;

	for (unsigned i = 0; i < CALLS && coroutine_is(o->h, job); i++)
		job = heap_field_object(o->h, job, STR("completion"));
	for (unsigned i = 0; i < JOBS && (job = parent_job(o->h, job)) != 0; i++)
		if ((found = field_with(o, job)) != 0)
			return found;
	return 0;
}
