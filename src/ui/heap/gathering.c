/*
 * gathering: where most of a heap comes together.
 */
#include "config.h"

#include "gathering.h"

enum { WAY_MAX = 1000, LIST_MIN = 30 };

/* The first of a class on the way down along the largest. */
static uint32_t
first_of_class(const struct heap *h, uint32_t class)
{
	uint32_t	at = HEAP_ROOT;
	uint64_t	first;

	for (size_t i = 0; i < WAY_MAX && heap_children(h, at, &first) > 0; i++) {
		at = heap_child(h, first);
		if (heap_class(h, at) == class)
			return at;
	}
	return 0;
}

uint32_t
heap_gathering(const struct heap *h, uint32_t *holder)
{
	uint32_t	at = HEAP_ROOT, head = 0, next;
	uint64_t	first, least = 0;
	size_t		i;

	*holder = 0;
	for (i = 0; i < WAY_MAX && heap_children(h, at, &first) > 0; i++) {
		next = heap_child(h, first);
		if (heap_retained(h, next) < least)
			break;
		if (i == 0)
			least = heap_retained(h, next) / 2;
		/* Of objects of one class below each other the uppermost is it. */
		if (i == 0 || heap_class(h, next) != heap_class(h, at))
			head = next;
		if (heap_class_of_object(h, next) != 0)
			*holder = next;
		at = next;
	}
	/* So far down things lie behind each other: the head of the list is it. */
	return i > LIST_MIN ? first_of_class(h, heap_class(h, at)) : head;
}
