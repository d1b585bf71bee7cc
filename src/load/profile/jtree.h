/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jtree: a call tree of nested objects in JSON, as deep as the text is long.
 */
#ifndef LOAD_JTREE_H
#define LOAD_JTREE_H

#include "jload.h"

enum { JTREE_WORDS = 4 };

/* A node that is being read: its children follow its other members. */
struct jtree_node {
	struct str	word[JTREE_WORDS];
	uint64_t	inside, at;	/* a sum over its children, for the reader; position of its text */
	uint32_t	stack;
	bool		ready;		/* stack is known */
};

struct jtree {
	struct jload	*l;
	const char	*keys[JTREE_WORDS];	/* members that are words; the array "children" has the nodes */
	/* The stack of a node on that of the node above it, which is 0 of the outermost one. */
	uint32_t	(*stack)(struct jtree *, const struct jtree_node *, uint32_t parent);
	/* All of a node is read; above: NULL for the outermost one. */
	void		(*leave)(struct jtree *, struct jtree_node *, struct jtree_node *above);
	struct scratch	 open;		/* struct jtree_node, outermost first */
	uint64_t	 n;
	struct sample	 one;		/* for the reader, as is what */
	void		*what;
};

/* Read the tree at a value.  The caller sets the first members; nothing remains to be freed. */
void	jtree_read(struct jtree *, struct json);

#endif
