/*
 * The objects of a class of the platform and of the classes that extend it.
 */
#ifndef PASS_MEMBERS_H
#define PASS_MEMBERS_H

#include "icecore/values.h"

struct members {
	const struct heap	*h;
	struct scratch		 marks;		/* u8 by class number: enum member_mark of members.c */
	uint64_t		 left;		/* objects still to be found */
	uint32_t		 next;		/* object to look at, from 1 */
};

/* Start from zeros.  Several classes may have the name (with dots), or none. */
bool	members_open(struct members *, const struct heap *, struct str name, struct err *);
void	members_close(struct members *);
bool	members_has(const struct members *, uint32_t class);
/* Rising numbers, 0 at the end; does not look at the objects where no class has the name.  False: cancelled. */
bool	members_next(struct members *, uint32_t *object, struct work *, struct err *);

#endif
