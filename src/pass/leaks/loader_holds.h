/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A class loader and its world: what it loaded, and the instances of that; and what holds them from outside.
 */
#ifndef PASS_LOADER_HOLDS_H
#define PASS_LOADER_HOLDS_H

#include "findings.h"

#define WORLD_HOLDS 4u

struct world {
	uint32_t	object;		/* the loader */
	uint32_t	row;		/* of loader.*, from 1 */
	uint32_t	class;		/* its own class */
	uint32_t	first, classes;	/* of an application that it loaded: one of them (that of what is held), how many */
	uint32_t	instances;	/* of its classes, reachable */
	uint32_t	holds;		/* objects outside that refer to these, or to its classes; roots */
	struct hold {
		uint32_t	by, class;	/* one of these objects, and what class of the world it holds, or an instance of it */
	}		hold[WORLD_HOLDS];	/* the first of them; by 0: no more */
	uint64_t	way;		/* by what fields and threads: alike for loaders that are held alike */
	bool		held;		/* something outside refers to the loader itself */
	bool		closed;		/* its own state says closed or stopped */
	bool		running;	/* a thread is in its code */
	bool		twin;		/* another loader of the same class loaded a class of the same name */
};

/* The loader row that object belongs to: of its class, or of the class that it is.  1: boot. */
uint32_t world_row(const struct finder *, uint32_t object);
/* Return whether the loader's own state says that it was closed or stopped. */
bool	loader_closed(const struct heap *, uint32_t loader);
/* Fills held and closed. */
bool	world_look(struct finder *, struct world *);
/* Counts what holds an object of that world from outside, up to most in all. */
bool	world_count(struct finder *, struct world *, uint32_t object, uint32_t most);

#endif
