/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/overview: a line of an overview, and how it is answered.
 */
#ifndef QUERY_OVERVIEW_H
#define QUERY_OVERVIEW_H

#include "icecore/overview.h"
#include "query/lang/lang.h"

struct answering {
	const struct overview_line *line;
	struct session	*session;
	struct work	*work;
	struct overview_answer *answer;
	struct reply	 given[OVERVIEW_GIVEN], asked;
	double		 whole;		/* that shares are of; 0: none */
};

/* The next item; NULL: there are enough. */
struct overview_item *answering_add(struct answering *);
/* The item of a row of its query, without its words if it has none. */
struct overview_item *answering_row(struct answering *, uint64_t row);

/*
 * Where most of what is reachable comes together: down along the dominators from the largest object.  0: there is no
 * such object.  *holder: the last class on that way, or 0.
 */
uint32_t heap_gathering(const struct heap *, uint32_t *holder);

bool	own_hottest_path(struct answering *, struct err *);
bool	own_hot_steps(struct answering *, struct err *);	/* a row where it becomes narrower */
bool	own_elsewhere(struct answering *, struct err *);
bool	own_accumulation(struct answering *, struct err *);
bool	own_held_by(struct answering *, struct err *);
bool	own_owners(struct answering *, struct err *);
bool	own_unread(struct answering *, struct err *);

#endif
