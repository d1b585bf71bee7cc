/*
 * Private to src/query/heap: what the commands over references of a heap dump share.
 */
#ifndef ICECORE_QUERY_SLOTS_H
#define ICECORE_QUERY_SLOTS_H

#include "hrows.h"

/* All append, raw bytes. */
/* What stands for a reference to an object that the dump does not have. */
void	slot_missing_add(const struct heap_slot *, struct buf *);
/* "java.util.HashMap @17", "byte[12] @18". */
void	slot_object_add(const struct heap *, uint32_t object, struct buf *);
/* "name" of a field, of others as heap_slot_name. */
void	slot_name_add(const struct heap *, const struct heap_slot *, struct buf *);

/* The name as a cell; NULL: empty. */
void	slot_name_cell(struct heap_rows *, const struct heap_slot *, struct cell *);
void	slot_value_cell(struct heap_rows *, const struct heap_slot *, struct cell *);
/* On a path: what leads from the holder to the object by references of links; of holder 0 what root it is. */
void	hop_name_cell(struct heap_rows *, const struct heap *links, uint32_t holder, uint32_t object, uint32_t root,
	    struct cell *);

/* ---- arrays with many elements ---------------------------------------------- */

/* Start from ARRAY_INDEX_INIT. */
struct array_index {
	struct idmap	seen;		/* arrays to how often they were asked for, then to their row in arrays */
	struct scratch	keys, arrays;
	uint64_t	nkeys, narrays;
};

#define ARRAY_INDEX_INIT ((struct array_index){ IDMAP_INIT, SCRATCH_INIT, SCRATCH_INIT, 0, 0 })

/* Whether it has the elements of an array: of a large one that was asked for several times before.  False on failure too. */
bool	array_index_has(struct array_index *, const struct heap *, uint32_t array, struct err *);
/* The nth element (from 0) that is the object. */
bool	array_index_find(const struct array_index *, uint32_t array, uint32_t object,
	    uint32_t nth, uint32_t *element);
void	array_index_free(struct array_index *);

#endif
