/*
 * branches: the tree of dominators as the lines of a list: which lines there are
 * (branches.c), what they say (twigs.c), objects put in groups (kin.c), the pane (dominators.c).
 */
#ifndef UI_BRANCHES_H
#define UI_BRANCHES_H

#include "icecore/query.h"

enum kinship { KIN_NONE, KIN_CLASS, KIN_PACKAGE, KIN_LOADER, KINSHIPS };

/* Objects that one object dominates at once and that have something in common. */
struct kin_group {
	uint32_t	class;		/* of one of them */
	uint32_t	first, n;	/* in row */
	uint64_t	retained, shallow;
};

struct kin {
	enum kinship		 kind;
	struct kin_group	*group;	/* by falling retained size */
	size_t			 n, cap;
	uint32_t		*row;	/* which of the children, group by group */
};

/* NULL with err filled on failure; kind is not KIN_NONE.  Any thread. */
struct kin *kin_make(const struct heap *, uint32_t object, enum kinship, struct work *, struct err *);
void	 kin_free(struct kin *);
/* "com.example.Entry", "com.example", "boot". */
void	 kin_name(const struct heap *, const struct kin *, size_t group, struct buf *);

/* What a line stands for: an object, or a group of them. */
struct twig {
	uint32_t	object;		/* 0: a group */
	uint32_t	holder;		/* that dominates it */
	size_t		branch;		/* whose line it is */
	size_t		group;		/* if it is one */
	size_t		open;		/* the branch under it; 0: it is folded */
	size_t		depth;
	bool		leaf;		/* nothing can be unfolded */
};

/* The rows; only branches.c and twigs.c change them. */
/* Lines that lie under one line; branches begin behind those they lie under. */
struct branch {
	uint32_t	 object;	/* that dominates what is in it */
	struct siblings	 children;	/* none: it is a group */
	uint64_t	 first, n;	/* how many lines; of a group: from which on in the kin of the branch above */
	struct kin	*kin;		/* lines are groups of children */
	bool		 group;		/* lines are the objects of a group */
	size_t		 up;		/* the branch it lies in */
	uint64_t	 at;		/* under which line of that */
	uint64_t	 under;		/* lines of the branches in it */
	size_t		 below, next;	/* the first branch in it, the next one in up, by rising at; 0: none */
	size_t		 depth;
	bool		 gone;
};

struct branches {
	struct rows	 rows;
	struct heap	 heap;
	struct branch	*branch;	/* [0] is the topmost */
	size_t		 n, cap;
	struct idmap	 roots;		/* object to 1 + the first kind of root that it is */
	uint64_t	 live;
	bool		 pseudo;	/* the dump has no roots */
	struct simple_names *names;	/* of its classes */
	struct collections *known;	/* which of them are collections */
	size_t		 object_w;	/* columns for the names of objects */
	struct buf	 text;
};

/* Names of classes without packages, with as many as tell them apart: simple_names.c.  All append. */
struct simple_names;
bool	 simple_names_open(struct simple_names **, const struct heap *, struct err *);
void	 simple_names_close(struct simple_names *);	/* NULL is fine */
void	 simple_names_add(const struct simple_names *, uint32_t class, struct buf *);

/* The names of objects are to be fitted in so many columns. */
size_t	 branches_mark(const struct rows *, uint64_t line);	/* which column of its name says whether it is unfolded */
void	 branches_width(struct rows *, size_t object_w);
/* The lines below the root; takes over in, also on failure. */
struct rows *branches_new(struct rows *in, struct err *);
const struct heap *branches_heap(const struct rows *);
uint64_t branches_lines(const struct rows *);
struct twig branches_at(const struct rows *, uint64_t line);
/* Appends the simple name of its class, or of the class that it is. */
void	 branches_class_name(const struct rows *, uint32_t object, struct buf *);
/* kin, if not NULL, is taken over, also on failure; false: no memory. */
bool	 branches_unfold(struct rows *, uint64_t line, struct kin *);
void	 branch_free(struct branch *);
void	 branches_fold(struct rows *, uint64_t line);
uint64_t branches_line(const struct rows *, size_t branch, uint64_t at);	/* of one of the lines of a branch */
/* Line of what the branch lies under; ROWS_ALL for the topmost. */
uint64_t branches_head(const struct rows *, size_t branch);
bool	 branches_start(struct rows *, uint32_t object);	/* only the lines that it dominates, folded; false: no memory, no lines */
/* Unfolds all above an object; its line, or ROWS_ALL when it is unreachable or there is no memory. */
uint64_t branches_goto(struct rows *, uint32_t object);
/* The branch of all that the same object dominates, for one that may hold one group of it only. */
size_t	 branches_whole(const struct rows *, size_t branch);
const struct branch *branches_get(const struct rows *, size_t branch);	/* 0: the topmost, of the object whose branches are shown */
/* Groups the lines of a whole branch another way; NULL: each alone.  Takes over kin. */
void	 branches_group(struct rows *, size_t branch, struct kin *);

#endif
