/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * growth: growth over several heap dumps of one process.  Belongs to layer pass.
 *
 * Only the field paths and classes of a dump are kept, with numbers, so that a dump may be closed before the
 * next one is opened.  A path is one node in all dumps; dumps may come in any order.
 */
#ifndef ICECORE_GROWTH_H
#define ICECORE_GROWTH_H

#include "icecore/graph.h"

#define GROWTH_DUMPS 64

struct growth;

/* Of up to GROWTH_DUMPS dumps, which stay open as long as it.  growth_free also takes NULL. */
bool	growth_new(struct growth **, struct err *) MUST_USE;
void	growth_free(struct growth *);
/* Adds a dump, after pass "names". */
bool	growth_add(struct growth *, const struct store *, enum heap_refs, enum heap_sizes, struct work *,
    struct err *) MUST_USE;
size_t	growth_dumps(const struct growth *);
/* The n dumps added, by time; in the order they were added if one of them has no time. */
void	growth_order(const struct growth *, size_t order[GROWTH_DUMPS]);
/* growth_order for open stores. */
void	growth_order_stores(struct store *const *, size_t n, size_t order[GROWTH_DUMPS]);
/* Time when a dump was written, in ms since 1970; 0: unknown. */
uint64_t growth_time(const struct store *);

/* Size and count of a node in one dump. */
struct growth_amount {
	/* Paths: including everything below; classes: shallow size of the reachable instances. */
	uint64_t	bytes;
	uint32_t	count;
};

struct growth_row {
	struct str	class;		/* or site; valid as long as the growth */
	uint32_t	id;		/* node of the last dump (heap_names.h); 0: the row is a class */
	bool		counts;		/* more objects in every dump than in the one before it */
	const struct growth_amount *amount;	/* values in each dump, by their order */
	uint64_t	retained;	/* values in the last dump */
	double		slope;		/* bytes from dump to dump, by least squares */
};

/* The nodes that grew, or all classes.  Starts from zeros. */
struct growth_found {
	struct scratch	rows, amounts;	/* struct growth_row; struct growth_amount */
	uint64_t	n;
	size_t		dumps;
};

/*
 * Paths with more objects in every dump, largest first, without those below a path that grew as fast.  Then
 * paths with more bytes of their own in every dump, unless a path above or below explains the growth.
 */
bool	growth_paths(const struct growth *, struct growth_found *, struct work *, struct err *) MUST_USE;
/* All classes, or all allocation sites, fastest first. */
bool	growth_classes(const struct growth *, struct growth_found *, struct work *, struct err *) MUST_USE;
bool	growth_sites(const struct growth *, struct growth_found *, struct work *, struct err *) MUST_USE;
void	growth_found_free(struct growth_found *);

#endif
