/*
 * Private to src/query: distinct byte strings, numbered from 1 in the order
 * they came.
 */
#ifndef ICECORE_QUERY_KEYS_H
#define ICECORE_QUERY_KEYS_H

#include "stage.h"

struct keys {
	struct scratch	bytes, end;	/* u64: where the bytes of key n end, at n - 1 */
	struct scratch	chain;		/* u32: the key before with the same hash */
	struct idmap	last;		/* by hash */
	uint32_t	n;
};

#define KEYS_INIT ((struct keys){ SCRATCH_INIT, SCRATCH_INIT, SCRATCH_INIT, IDMAP_INIT, 0 })

/* The number of a key; one that is not there yet is added. */
bool	keys_number(struct keys *, struct str key, uint32_t *number, struct err *);
struct str keys_text(const struct keys *, uint32_t number);
void	keys_free(struct keys *);
/* Appends what tells the cell from all that are not equal to it. */
void	keys_add_cell(struct buf *, const struct cell *);

#endif
