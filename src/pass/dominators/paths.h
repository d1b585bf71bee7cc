/*
 * What the parts of the search for paths share: what was met, and where paths end.
 */
#ifndef PASS_PATHS_H
#define PASS_PATHS_H

#include "pass/heap/heap.h"

/* An object met; from: index of the node it refers to. */
struct path_node {
	uint32_t	object, from;
};

/* The end of a path: what root refers to.  Root and node are the same where the object is a root itself. */
struct path_hit {
	uint32_t	node, root, row, rank;
};

/* For each class the instances that hold it. */
struct path_instances {
	struct scratch	start;		/* u32: by class, where its instances begin; size 0: not made */
	struct scratch	list;
};

struct heap_paths {
	const struct heap	*heap;
	const struct column	*strength;	/* class.strength */
	bool			 chains;
	bool			 pseudo;	/* the dump has no roots */
	struct scratch		 seen, roots;	/* u64 words of bits, by object */
	struct scratch		 nodes;
	uint64_t		 n, at;		/* nodes; the one whose referrers are looked at */
	uint64_t		 level;		/* nodes in front of it are of the present distance, or nearer */
	struct heap_walk	 walk;		/* the referrers of node at */
	bool			 walking;
	uint32_t		 last;		/* referrer before */
	struct scratch		 hits;		/* of the present distance */
	uint64_t		 nhits, hit;
	bool			 ready;		/* they are complete and in order; those in front of hit were given out */
	struct idmap		 rows;		/* root objects to their rows in root.*, once there was a hit */
	bool			 found;
	struct path_instances	 instances;
	uint64_t		 classes;	/* nodes in front of it have given their instances */
	struct scratch		 path;
};

void	path_mark_roots(struct heap_paths *);
bool	path_is_root(const struct heap_paths *, uint32_t object);
/* The instances of all classes. */
bool	path_find_instances(struct heap_paths *, struct work *, struct err *);

#endif
