/*
 * Private to src/query: objects of equal content, as pass "duplicates" left them.
 */
#ifndef ICECORE_QUERY_COPIES_H
#define ICECORE_QUERY_COPIES_H

#include "hrows.h"

/* Which copies an object has.  Starts from zeros; the first question makes it. */
struct copies {
	bool			 made;
	struct scratch		 has;		/* bits by object: it is a member of a group */
	struct scratch		 before;	/* u32: members in front of each word of has */
	struct scratch		 row;		/* u32: of each member, by rising number, its row in dup.member */
	const struct column	*first, *member, *owns, *copies, *waste, *shared, *sharers;
};

void	copies_free(struct copies *);
bool	copies_make(struct copies *, const struct heap_view *, struct work *, struct err *);
/* Row of dup.member of an object, from 1; 0: there is no other of its content, or it is unreachable. */
uint64_t copies_row(const struct copies *, uint32_t object);
/* The row of dup.* that has that row of dup.member, from 1. */
uint64_t copies_group(const struct copies *, uint64_t row);
/* Strings that have the array. */
uint64_t copies_sharers(const struct copies *, uint32_t array);
/* Bytes that would be free if its text or content were there only once. */
uint64_t copies_waste(const struct copies *, const struct heap *, uint32_t object);

#endif
