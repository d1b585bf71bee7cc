/*
 * heap_rule: how large objects are, and what their classes are called.
 */
#include "config.h"

#include <assert.h>

#include "icecore/heap.h"

const struct heap_layout_row heap_layouts[HEAP_LAYOUTS] = {
	[LAYOUT_32] = { "32", 8, 4, 12 },
	[LAYOUT_COOPS] = { "coops", 12, 4, 16 },
	[LAYOUT_NOCOOPS] = { "nocoops", 16, 8, 24 },
	[LAYOUT_ZGC] = { "zgc_ccp", 12, 8, 16 },
	[LAYOUT_COMPACT] = { "compact_coops", 8, 4, 12 },
	[LAYOUT_COMPACT_ZGC] = { "compact_zgc", 8, 8, 12 }
};

struct heap_rule
heap_rule_vm(enum heap_layout layout, bool flat, unsigned align, unsigned id_size)
{
	const struct heap_layout_row *l = &heap_layouts[layout];

	assert(layout < HEAP_LAYOUTS && align > 0);
	return (struct heap_rule){ .header = l->header, .ref = l->ref, .prims = l->array,
	    .objects = (uint8_t)heap_up(l->array, l->ref), .wide = (uint8_t)heap_up(l->array, 8),
	    .flat = flat, .align = align, .id_size = id_size };
}

struct heap_rule
heap_rule_mat(bool narrow, unsigned align, unsigned id_size)
{
	unsigned ref = narrow ? 4 : id_size, array = id_size + ref + 4;

	return (struct heap_rule){ .header = (uint8_t)(id_size + ref), .ref = (uint8_t)ref,
	    .objects = (uint8_t)array, .prims = (uint8_t)heap_up(array, ref),
	    .wide = (uint8_t)heap_up(array, ref), .align = align, .id_size = id_size };
}

/* Facts of an index can be anything: what does not fit gives the sizes of a usual VM. */
struct heap_rule
heap_rule(const struct store *st, enum heap_sizes sizes)
{
	unsigned id_size = store_fact_get(st, "heap.id_size") == 4 ? 4 : 8;
	uint64_t layout = store_fact_get(st, "heap.layout");
	uint64_t align = store_fact_get(st, sizes == SIZES_MAT ? "heap.mat_align" : "heap.align");
	struct heap_rule r;

	if (align == 0 || align > 256)
		align = 8;
	if (layout >= HEAP_LAYOUTS)
		layout = id_size == 4 ? LAYOUT_32 : LAYOUT_COOPS;
	if (sizes == SIZES_MAT)
		return heap_rule_mat(store_fact_get(st, "heap.mat_ref") == 4, (unsigned)align, id_size);
	r = heap_rule_vm((enum heap_layout)layout, store_fact_get(st, "heap.flat") != 0,
	    (unsigned)align, id_size);
	r.android = store_fact_get(st, "heap.android") != 0;
	return r;
}

bool
heap_same_name(struct str name, struct str dotted)
{
	if (name.n != dotted.n)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] != dotted.s[i] && !(name.s[i] == '/' && dotted.s[i] == '.'))
			return false;
	return true;
}
