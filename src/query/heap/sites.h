/*
 * Private to src/query: where objects were made, as dumps of the HPROF agent tell.
 */
#ifndef ICECORE_QUERY_SITES_H
#define ICECORE_QUERY_SITES_H

#include "hrows.h"

/* Starts from zeros; the first question makes it. */
struct sites {
	bool		made;
	struct idmap	trace;		/* 1 + serial, to row of trace.* */
	struct idmap	class;		/* 1 + serial, to class */
};

void	sites_free(struct sites *);
bool	sites_make(struct sites *, const struct heap *, struct work *, struct err *);
/*
 * "com.example.Cache.put": the first method that is not Java's own of those that were running when the object was
 * made, else the outermost the file has; nothing where it does not tell.  Appends, raw bytes.
 */
void	sites_add(const struct sites *, const struct heap *, uint32_t object, struct buf *);

#endif
