/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass/dominators: the path of each object that heap_paths_next finds first, from one search
 * for all of them.
 */
#ifndef PASS_DOMINATORS_PATH_TREE_H
#define PASS_DOMINATORS_PATH_TREE_H

#include "pass/heap/heap.h"

/* PATH_UNKNOWN: only a search for the object itself finds its path. */
enum path_known { PATH_UNKNOWN, PATH_NONE, PATH_FOUND };

struct path_tree {
	const struct heap *heap;
	/* By object: the object that refers to it on its path, itself for a root; 0: not met. */
	ARRAY(uint32_t)	 from;
	ARRAY(uint32_t)	 way;
	struct idmap	 rows;		/* root objects to their rows in root.* */
	bool		 whole;		/* an object that was not met has no path */
	/* Answer of path_tree_to. */
	enum path_known	 known;
	struct heap_path path;		/* PATH_FOUND */
};

/* roots, late: bits by object, as of heap_paths.  On failure nothing is left to close. */
bool	path_tree_open(struct path_tree *, const struct heap *, const struct scratch *roots,
    const struct scratch *late, struct work *, struct err *);
bool	path_tree_to(struct path_tree *, uint32_t object, struct err *);
void	path_tree_close(struct path_tree *);

#endif
