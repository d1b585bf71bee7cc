/*
 * labels: what the boxes of a level are called, each in its width, so that they can be told apart.
 */
#ifndef UI_LABELS_H
#define UI_LABELS_H

#include "icecore/name.h"
#include "frames.h"

/* A box that has room for a name. */
struct label {
	struct buf	 full, fit, marks;
	uint32_t	 method;
	bool		 alike;		/* another name of its level has the same short form */
};

struct labels {
	struct label	 *at;
	struct name_shown *shown;
	size_t		 n, most;
};

/* As many as the widest level from the top one to end has boxes; false: no memory.  Free them in any case. */
bool	labels_open(struct labels *, const struct frames *, size_t end);
void	labels_free(struct labels *);
/* Those of the boxes of a level that are no group and at least two columns wide, in their order. */
void	labels_level(struct labels *, const struct frames *, size_t level, void *,
	    void (*name)(void *, const struct box *, struct buf *));
/* "a.b.Node" of "a.b.Node @12". */
struct str object_without_number(struct str full);

#endif
