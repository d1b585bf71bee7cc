/*
 * What a class is to a person who looks for a leak.
 */
#ifndef PASS_CLASS_SORTS_H
#define PASS_CLASS_SORTS_H

#include "icecore/values.h"

enum class_sort {
	SORT_APP = 1,		/* of an application or a library: no part of the JDK or of Android */
	SORT_CLASS = 2,		/* java.lang.Class */
	SORT_ARRAY = 4,
	SORT_THREAD = 8,	/* java.lang.Thread, or extends it */
	SORT_LOADER = 16	/* java.lang.ClassLoader, or extends it */
};

/* Bits for each class, by its number (0: none). */
bool	class_sorts(const struct heap *, struct scratch *sorts, struct err *);
/* Of the object; a Class object is of an application when its class is. */
bool	is_app(const struct heap *, const struct scratch *sorts, uint32_t object);

static inline unsigned
sort_of(const struct heap *h, const struct scratch *sorts, uint32_t object)
{
	uint32_t class = heap_class(h, object);

	return class > h->classes ? 0 : sorts->data[class];
}

#endif
