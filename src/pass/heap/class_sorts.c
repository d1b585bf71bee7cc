/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * class_sorts: which classes are of an application, and which are threads and
 * class loaders.
 */
#include "config.h"

#include "icecore/columns_heap.h"
#include "heap.h"

/* int[] and int[][] belong to no class. */
static bool
is_of_primitives(struct str name)
{
	struct str element = heap_element_name(name);

	return element.n < name.n && heap_is_primitive_name(element);
}

static void
mark_apps(const struct heap *h, uint8_t *sorts)
{
	const struct column *loader = store_column(h->st, COL_CLASS_LOADER);
	OWN_BUF b = BUF_INIT;
	bool loaded = false;

	for (uint32_t c = 1; c <= h->classes; c++) {
		buf_clear(&b);
		heap_class_name(h, c, &b);
		if (!platform_named(PLATFORM_BLAME, buf_view(&b)) && !is_of_primitives(buf_view(&b)))
			sorts[c] |= SORT_APP;
		loaded |= (sorts[c] & SORT_APP) != 0 && column_get(loader, c - 1ull) > 1;
	}
	/* Classes of the boot loader belong to the platform, unless the file has no other loader. */
	for (uint32_t c = 1; loaded && c <= h->classes; c++)
		if (column_get(loader, c - 1ull) <= 1)
			sorts[c] &= (uint8_t)~SORT_APP;
}

static bool
class_sorts_mark_members(const struct heap *h, uint8_t *sorts, const char *name, enum class_sort sort,
    struct err *err)
{
	struct members m;
	bool ok = members_open(&m, h, str_of(name), err);

	for (uint32_t c = 1; ok && c <= h->classes; c++)
		if (members_has(&m, c))
			sorts[c] |= (uint8_t)sort;
	members_close(&m);
	return ok;
}

bool
class_sorts(const struct heap *h, struct scratch *to, struct err *err)
{
	uint8_t *sorts;

	if (!scratch_array(to, h->classes + 1ull, 1, err))
		return false;
	sorts = to->data;
	mark_apps(h, sorts);
	for (uint32_t c = 1; c <= h->classes; c++)
		if (column_get(h->class_element, c - 1ull) != 0)
			sorts[c] |= SORT_ARRAY;
	if (h->class_class != 0)
		sorts[h->class_class] |= SORT_CLASS;
	return class_sorts_mark_members(h, sorts, "java.lang.Thread", SORT_THREAD, err) &&
	    class_sorts_mark_members(h, sorts, "java.lang.ClassLoader", SORT_LOADER, err);
}

bool
is_app(const struct heap *h, const struct scratch *sorts, uint32_t object)
{
	uint32_t class = heap_class_of_object(h, object);

	if (class != 0)
		return class <= h->classes && (sorts->data[class] & SORT_APP) != 0;
	return (sort_of(h, sorts, object) & SORT_APP) != 0;
}
