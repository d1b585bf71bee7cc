/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owners: the tree of names for findings: the owner and the content to report for a node.
 */
#ifndef PASS_OWNERS_H
#define PASS_OWNERS_H

#include <assert.h>

#include "icecore/heap_names.h"
#include "findings.h"

struct owners {
	const struct heap	*h;
	ARRAY(struct name_node)	nodes;		/* by id */
	uint32_t		 n;
	uint64_t		 whole;		/* bytes: of the heap, and outside */
};

bool	owners_open(struct owners *, const struct heap *, struct err *);
void	owners_close(struct owners *);

static inline const struct name_node *
owners_at(const struct owners *o, uint32_t id)
{
	assert(id <= o->n);
	return &o->nodes.at[id];
}

static inline uint64_t
owners_weight(const struct owners *o, uint32_t id)
{
	return name_weight(owners_at(o, id));
}

/* The heaviest first; 0: there are no more. */
static inline uint32_t
owners_first(const struct owners *o, uint32_t id)
{
	return owners_at(o, id)->size > 1 ? id + 1 : 0;
}

static inline uint32_t
owners_next(const struct owners *o, uint32_t id)
{
	uint32_t up = owners_at(o, id)->parent, next = id + owners_at(o, id)->size;

	return up != 0 && next < up + owners_at(o, up)->size ? next : 0;
}

/* An owner cannot be a node where all paths meet. */
static inline bool
owners_is_top(const struct owners *o, uint32_t id)
{
	enum name_role role = owners_at(o, id)->role;

	return role == ROLE_ROOT || role == ROLE_CLASS || role == ROLE_THREADS;
}

/*
 * The nearest field of the program above that has no more than half as much again as the node; else that of a
 * library, else the first of either, else of the JDK; a thread local or a local variable owns as a field of
 * the program does.
 */
uint32_t owners_teller(const struct owners *, uint32_t id);
/*
 * For a field of a few objects in a collection of a local variable, or in local variables of several threads,
 * which belong to the calls that have not returned: return the local variable; otherwise the node itself.  The
 * method main() runs as long as the program.
 */
uint32_t owners_local(const struct owners *, uint32_t id);
/*
 * For a node of many objects that a field of a library shares with other holders: return the field or local
 * variable of the program that holds one of these holders, and how many objects it holds; otherwise the node
 * itself.
 */
uint32_t owners_behind(const struct owners *, uint32_t id, uint32_t *count);
/*
 * Return whether the node is a field, local variable or similar part of the program: the best kind of owner.
 */
bool	owners_is_of_program(const struct owners *, uint32_t id);
/*
 * Return the child that best describes the contents of a collection: the given child or a lighter one.  In a
 * map the keys may be heavier than the values if the values refer to them, too.
 */
uint32_t owners_element(const struct owners *, uint32_t child);
/* Look through boxes and collections for the class of the program with one object per entry. */
uint32_t owners_content(const struct owners *, uint32_t id);
/* Return the class kinds (enum class_kind) of all objects on the path from the top to a node, or-ed. */
unsigned owners_whose(const struct owners *, uint32_t id);
/* The first on the way up, at most so many nodes, whose class fits one of n globs; 0: none. */
uint32_t owners_above(const struct owners *, uint32_t id, uint32_t most, const char *const *globs, size_t n);
/* Return the field of the program with the scope of a suspended coroutine (see coroutine_is); 0: unknown. */
uint32_t coroutine_owner(const struct owners *, uint32_t object);
/* The object that has the field, static or local by which objects of a node are held; 0: none alone. */
uint32_t owners_object(const struct owners *, uint32_t id);

#endif
