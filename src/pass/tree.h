/*
 * What a kind of tree answers, for the rooms that have one: call trees, merged and inverted ones, dominators.
 */
#ifndef PASS_TREE_H
#define PASS_TREE_H

#include "icecore/pass.h"

/* pass.h says what each means; ids are what the kind itself gave out, or any number of a caller who errs. */
struct tree_ops {
	void		(*get)(struct tree *, uint32_t id, struct tree_node *);	/* the node is zeroed */
	uint64_t	(*total)(struct tree *, uint32_t id, enum clock);
	uint32_t	(*first)(struct tree *, uint32_t id);
	uint32_t	(*next)(struct tree *, uint32_t id);
	uint32_t	(*parent)(struct tree *, uint32_t id);
	uint32_t	(*children)(struct tree *, uint32_t id);	/* NULL: not known */
	uint64_t	(*cost)(struct tree *, uint32_t id);		/* NULL: always cheap */
	void		(*close)(struct tree *);
};

/* Each kind begins with it. */
struct tree {
	const struct tree_ops	*ops;
	bool			 full;		/* some nodes lack their children */
};

#endif
