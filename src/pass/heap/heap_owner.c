/*
 * heap_owner: which object on a path a person knows.
 */
#include "config.h"

#include "icecore/leak.h"

/* Collections, and what drawing is made of. */
static const char *const parts[] = {
	"java.*", "javax.*", "jdk.*", "sun.*", "libcore.*", "kotlin.*", "kotlinx.*", "android.util.*",
	"androidx.collection.*", "android.support.v4.util.*", "com.android.internal.util.*",
	"com.google.common.collect.*", "android.graphics.*", "*$Node", "*$Entry", "*$*Node",
	"*$*Entry", "*$Link", "*$Segment", "*$Itr"
};

static bool
is_part(const struct heap *h, uint32_t object)
{
	uint32_t class = heap_class_of_object(h, object);

	return heap_class_like(h, class != 0 ? class : heap_class(h, object), parts, NELEM(parts));
}

size_t
heap_owner(const struct heap *h, const struct heap_path *path)
{
	size_t i, nearest = 0;

	for (i = 1; i < path->n; i++) {
		if (heap_is_array(h, path->object[i]))
			continue;
		if (!is_part(h, path->object[i]))
			return i;
		if (nearest == 0)
			nearest = i;
	}
	return nearest;
}
