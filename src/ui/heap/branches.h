/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches: the dominator tree as the lines of a list: the lines (branches.c), their texts (twigs.c),
 * groups of objects (kin.c), the pane (dominators.c).
 */
#ifndef UI_BRANCHES_H
#define UI_BRANCHES_H

#include "icecore/query.h"

enum kinship { KIN_NONE, KIN_CLASS, KIN_PACKAGE, KIN_LOADER, KINSHIPS };

/* Objects with the same immediate dominator and the same class, package or loader. */
struct kin_group {
	uint32_t	class;		/* class of one object */
	uint32_t	first, n;	/* part of row */
	uint64_t	retained, shallow;
};

struct kin {
	enum kinship		 kind;
	struct kin_group	*group;	/* groups by decreasing retained size */
	size_t			 n, cap;
	uint32_t		*row;	/* indexes of the children, group by group */
};

/* NULL with err set on failure; kind is not KIN_NONE. Any thread. */
struct kin *kin_make(const struct heap *, uint32_t object, enum kinship, struct work *, struct err *);
void	 kin_free(struct kin *);
/* Append the name of a group: "com.example.Entry", "com.example" or "boot". */
void	 kin_name(const struct heap *, const struct kin *, size_t group, struct buf *);

/* A line: an object, or a group of objects. */
struct twig {
	uint32_t	object;		/* 0: a group */
	uint32_t	holder;		/* immediate dominator of the object */
	size_t		branch;		/* branch that contains the line */
	size_t		group;		/* index of the group, if the line is one */
	size_t		open;		/* the branch below it; 0: collapsed */
	size_t		depth;
	bool		leaf;		/* the line cannot be expanded */
};

/* The rows; only branches.c and twigs.c change them. */
/* The lines directly below one line.  A branch has a higher index than the branch that contains it. */
struct branch {
	uint32_t	 object;	/* dominator of its objects */
	struct siblings	 children;	/* kind of groups, or none */
	uint64_t	 first, n;	/* n: number of lines; first: in a group, its first line in up's kin */
	struct kin	*kin;		/* lines are groups of children */
	bool		 group;		/* lines are the objects of a group */
	size_t		 up;		/* the branch that contains it */
	uint64_t	 at;		/* line in up */
	uint64_t	 under;		/* number of lines of all branches below */
	size_t		 below, next;	/* first branch below, next one in up; 0: none */
	size_t		 depth;
	bool		 gone;
};

struct branches {
	struct rows	 rows;
	struct heap	 heap;
	struct branch	*branch;	/* [0] is the topmost */
	size_t		 n, cap;
	struct idmap	 roots;		/* object to 1 + its first root type */
	uint64_t	 whole;		/* that percentages are of: heap_whole */
	bool		 pseudo;	/* the dump has no roots */
	struct simple_names *names;	/* names of the classes */
	struct collections *known;	/* classes that are collections */
	size_t		 object_w;	/* width of object names */
	struct buf	 text;
};

/* Class names with only as many packages as make them unique: simple_names.c.  simple_names_add appends. */
struct simple_names;
bool	 simple_names_open(struct simple_names **, const struct heap *, struct err *);
void	 simple_names_close(struct simple_names *);	/* NULL is permitted */
void	 simple_names_add(const struct simple_names *, uint32_t class, struct buf *);

/* branches_width sets the width of object names. */
size_t	 branches_mark(const struct rows *, uint64_t line);	/* column of the line's fold mark */
void	 branches_width(struct rows *, size_t object_w);
/* Open the lines below the root. Takes over in, also on failure. */
struct rows *branches_new(struct rows *in, struct err *);
const struct heap *branches_heap(const struct rows *);
uint64_t branches_lines(const struct rows *);
struct twig branches_at(const struct rows *, uint64_t line);
/* Append the simple name of an object's class; of a Class object, the name of the class itself. */
void	 branches_class_name(const struct rows *, uint32_t object, struct buf *);
/* Expand a line. Takes over kin (or NULL), also on failure; false: out of memory. */
bool	 branches_unfold(struct rows *, uint64_t line, struct kin *);
void	 branch_free(struct branch *);
void	 branches_fold(struct rows *, uint64_t line);
/* dominator of one of the branch's lines */
uint64_t branches_line(const struct rows *, size_t branch, uint64_t at);
/* Return the line that the branch belongs to; ROWS_ALL for the topmost branch. */
uint64_t branches_head(const struct rows *, size_t branch);
/* show what the object dominates; false: out of memory, no lines */
bool	 branches_start(struct rows *, uint32_t object);
/* Expand all dominators of an object and return its line; ROWS_ALL: unreachable, or out of memory. */
uint64_t branches_goto(struct rows *, uint32_t object);
/* Return the branch of all objects with the same dominator, if the given branch may be only a group of them. */
size_t	 branches_whole(const struct rows *, size_t branch);
const struct branch *branches_get(const struct rows *, size_t branch);	/* object at the top; 0: the root */
/* Regroup the lines of a whole branch; kin NULL: ungroup. Takes over kin. */
void	 branches_group(struct rows *, size_t branch, struct kin *);

#endif
