/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * components: classes grouped by package, by class loader, or one by one.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "heap.h"

uint32_t
heap_class_loader(const struct heap *h, uint32_t class)
{
	return (uint32_t)store_cell(h->st, COL_LOADER_OBJECT, store_cell(h->st, COL_CLASS_LOADER, class));
}

/* Return a key that all classes of a component share; name is a scratch buffer. */
static uint64_t
components_key_of(const struct heap *h, enum component_by by, uint32_t class, struct buf *name)
{
	if (by == BY_LOADER)
		return heap_class_loader(h, class) + 1ull;
	buf_clear(name);
	heap_class_package(h, class, name);
	return idmap_hash_text(buf_view(name), 0);
}

bool
heap_components(const struct heap *h, enum component_by by, uint32_t *first, struct err *err)
{
	OWN_IDMAP known = IDMAP_INIT;
	OWN_BUF name = BUF_INIT;
	bool ok = true;
	uint64_t key;

	for (uint32_t class = 1; ok && class <= h->classes; class++) {
		first[class] = class;
		if (by == BY_CLASS)
			continue;
		key = components_key_of(h, by, class, &name);
		first[class] = idmap_get(&known, key);
		assert(first[class] < class);
		if (first[class] != 0)
			continue;
		first[class] = class;
		ok = name.bad ? fail_memory(err, "components") : idmap_put(&known, key, class, err);
	}
	return ok;
}
