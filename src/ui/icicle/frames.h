/*
 * frames: rows of boxes, for icicles and time: where they are drawn, and how keys move among them.
 */
#ifndef UI_FRAMES_H
#define UI_FRAMES_H

#include "icecore/ui.h"

struct box {
	uint32_t	x, w;
	uint32_t	node;		/* of the tree (of a group: the parent); or index of a span */
	uint32_t	method, thread;
	uint32_t	group;		/* 0: one call or frame; else how many */
	bool		crowd;		/* a group of calls in time */
	bool		idle;		/* a group of threads that are folded */
	bool		match;
	char		 kind;		/* method_kind */
	bool		 bug;		/* the bytecode beside it has bugs in the method */
	int8_t		 shade;		/* how much it grew (above 0) or shrank, up to SHADES */
	uint64_t	weight;
};

struct frames {
	struct box	*at;
	size_t		 n, cap;
	size_t		*level;		/* first frame of each level; one more than nlevels */
	size_t		 nlevels, caplevels;
	size_t		 top, sel, sel_level;
	const struct store *st;		/* that tells the modules of methods; or NULL */
	bool		 objects;	/* of a heap: named as such */
	bool		 differ;	/* coloured by how much they grew or shrank */
};

/* Which box of its node it is: its own, that of the children too narrow to draw, or that of the folded ones. */
enum box_part { PART_OWN, PART_REST, PART_IDLE };

static inline enum box_part
box_part(const struct box *b)
{
	return b->group == 0 ? PART_OWN : b->idle ? PART_IDLE : PART_REST;
}

void	 box_idle_name(uint32_t n, struct buf *);	/* "+19 idle threads"; appends */
void	 frames_clear(struct frames *);
void	 frames_free(struct frames *);
bool	 frames_level(struct frames *);		/* what is added from here on lies one level deeper */
struct box *frames_add(struct frames *);	/* zeroed; NULL: no memory */
size_t	 frames_begin(const struct frames *, size_t level);
size_t	 frames_end(const struct frames *, size_t level);
struct box *frames_selected(struct frames *);	/* NULL: there is none */
void	 frames_select(struct frames *, size_t i);
bool	 frames_move(struct frames *, enum verb, size_t height);
void	 frames_click(struct frames *, int y, int x);	/* selects what was drawn there, from the corner of the area */
bool	 frames_next_match(struct frames *, bool backward);
/* name appends the full name, raw, of what is no group. */
void	 frames_draw(struct frames *, struct area, void *,
	    void (*name)(void *, const struct box *, struct buf *));
/* What their colours and marks mean; appends.  Of the marks alone those of some kinds, as method_kind tells them. */
void	 frames_legend(const struct frames *, struct items *);
void	 kinds_legend(const char *kinds, struct items *);
/* "Class.method" of "a.b.Class.method"; what has no packages, whole. */
struct str frame_short(struct str full);
/* What tells most of "class a.b.Map$Node @12": the name without its packages, less of it where w is short; appends. */
void	 object_short(struct buf *, struct str full, size_t w);

extern const struct pane_kind pane_icicle, pane_retained;

#endif
