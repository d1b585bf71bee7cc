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
	uint32_t	row;		/* row of the loader in loader.*, from 1 */
	uint32_t	class;		/* class of the loader */
	/* Application class that it loaded (if possible that of the held object); number of them. */
	uint32_t	first, classes;
	uint32_t	instances;	/* reachable instances of its classes */
	uint32_t	holds;		/* objects outside that refer to these, or to its classes; roots */
	struct hold {
		/* Holder outside; class of the world that it refers to, or to an instance of it. */
		uint32_t	by, class;
	}		hold[WORLD_HOLDS];	/* the first of them; by 0: no more */
	uint64_t	way;		/* by what fields and threads: alike for loaders that are held alike */
	bool		held;		/* something outside refers to the loader itself */
	bool		closed;		/* the state of the loader says closed or stopped */
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
