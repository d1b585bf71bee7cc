/*
 * Private to src/query: what the commands over references of a heap dump share.
 */
#ifndef ICECORE_QUERY_SLOTS_H
#define ICECORE_QUERY_SLOTS_H

#include "heap.h"

/*
 * The rows of objects that a command goes through: those it gets, or as a source those of its
 * arguments; *col is the column that tells the object.  On failure *in is still to be closed.
 */
bool	holders_open(struct session *, const struct stage *, struct rows **in, size_t *col,
	    struct err *);

/* What columns say of a slot; texts are made in the buffer. */
/* What stands for a reference to an object that the dump does not have; appends. */
void	slot_missing_add(const struct heap_slot *, struct buf *);
/* "java.util.HashMap @17", "byte[12] @18"; appends. */
void	slot_object_add(const struct heap *, uint32_t object, struct buf *);
/* "name" of a field, of others as heap_slot_name; appends. */
void	slot_name_add(const struct heap *, const struct heap_slot *, struct buf *);
void	slot_name_cell(struct rows *, const struct heap *, const struct heap_slot *,
	    struct buf *, struct cell *);
void	slot_value_cell(struct rows *, const struct heap *, const struct heap_slot *,
	    struct buf *, struct cell *);
void	slot_class_cell(struct rows *, struct heap_view *, const struct heap_slot *,
	    struct buf *, struct cell *);
void	slot_strength_cell(const struct heap_slot *, struct cell *);
void	slot_addr_cell(const struct heap_slot *, struct cell *);

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
