/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * draw: rows as pictures to hand on: call trees, field paths and dominators as flame graphs, references as
 * graphs.
 *
 * Private to src/query.  A picture is one text that is bounded, fetches nothing and is the same for the same
 * rows.
 */
#ifndef ICECORE_QUERY_DRAW_H
#define ICECORE_QUERY_DRAW_H

#include "query/heap/heap.h"

/* ---- stacks: the rows of a call tree, or what can be walked as one --------------------- */

/* A distinct stack: its innermost frame on top of that of its caller, which has a smaller number. */
struct tree_stack {
	uint32_t	caller;		/* 0: none */
	uint32_t	name;
	uint32_t	child;		/* the first one; the others are in by_key */
	uint64_t	weight, before;	/* own weight, and that before, in 1/unit of the numbers shown */
};

/* More about a stack, for pictures. */
struct stack_about {
	union {
		uint64_t	calls, start;	/* start: of timed ones */
	};
	uint64_t	total[2];	/* with all above it, as its rows say, and that before; 0: no row is about it */
	uint32_t	more;		/* stacks too small to be drawn that it replaces; 0: none */
};

struct stack_tree {
	bool		 picture;	/* input: names begin with the kind of a frame; .about is filled */
	/* input: percent of all; the stacks below smaller ones are not read; 0: everything is read */
	double		 least;
	bool		 profile, table;
	bool		 bare;		/* folded stacks are names of frames alone: fact trace.bare */
	bool		 calls;		/* calls are counted */
	bool		 differs;	/* there is a weight before */
	bool		 objects;	/* weights are what objects retain */
	bool		 timed;		/* calls at their times, callers first */
	const struct store *st;		/* or NULL */
	struct weights	 weights;
	uint64_t	 unit;
	enum cell_type	 type;		/* type of weights */
	uint64_t	 left_out[2];	/* parts of weight and before that the query left out */
	struct text_pool names;
	struct scratch	 list;		/* struct tree_stack of number n at n - 1 */
	struct scratch	 about;
	uint32_t	 n;
	struct idmap	 by_key;
	struct buf	 text;
};

/*
 * In pictures the first byte of a name: method_kind, or one of these.  KIND_LEFT_OUT: what the query left out
 * of a stack.
 */
enum { KIND_NONE = ' ', KIND_THREAD = 'T', KIND_LEFT_OUT = '-' };

static inline struct tree_stack *
stack_at(const struct stack_tree *s, uint32_t number)
{
	return &SCRATCH(s->list, struct tree_stack)[number - 1];
}

static inline struct stack_about *
stack_about(const struct stack_tree *s, uint32_t number)
{
	return &SCRATCH(s->about, struct stack_about)[number - 1];
}

/* Return true if the rows have the columns of a call tree. */
bool	stacks_fit(struct rows *);
/* Starts from zeros; free it in any case.  An error of the rows themselves is left to the caller. */
bool	stacks_read(struct stack_tree *, struct rows *, struct err *);
void	stacks_free(struct stack_tree *);
/* Fit a name for output and return its number. */
bool	stacks_name(struct stack_tree *, struct str raw, char kind, uint32_t *name, struct err *);
/* a frame on top of *stack */
bool	stacks_push_named(struct stack_tree *, uint32_t name, uint32_t *stack, struct err *);
/* stacks_name and stacks_push_named in one. */
bool	stacks_push(struct stack_tree *, struct str raw, char kind, uint32_t *stack, struct err *);
/* Add a stack that is unlike all others, as objects are. */
bool	stacks_add(struct stack_tree *, struct str raw, char kind, const struct tree_stack *,
    const struct stack_about *,
	    struct err *);
/* A name by its number, fitted. */
struct str stack_name(const struct stack_tree *, uint32_t name);
/* A weight for people, as table shows it; appends. */
void	stacks_show(const struct stack_tree *, uint64_t weight, struct buf *);

/* ---- objects: dominators as stacks ------------------------------------------------------ */

/* Return true if the rows are objects that dominate others. */
bool	objects_fit(struct rows *);
/* Read the objects and what they dominate; objects smaller than that share of all are joined as "more". */
bool	objects_read(struct stack_tree *, struct rows *, double share, struct err *);
/* Likewise; small objects of one class below one object are one stack, "450 x shop.Session". */
bool	alike_read(struct stack_tree *, struct rows *, double share, struct err *);
#define ALIKE_OF " x "		/* between the number and the class */

/* ---- chart: calls in time order ------------------------------------------------------- */

bool	chart_fits(struct rows *);
/* Read the calls of one thread; those deeper than pictures show are left out. */
bool	chart_read(struct stack_tree *, struct rows *, struct err *);

/* ---- pictures: which stacks are drawn, and where ------------------------------------------ */

#define BOXES_MAX 20000u
#define LEVELS_MAX 800u		/* deeper ones are too small, whatever their width */

struct flame {
	uint64_t	at, width;	/* start and width, in weight plus that before */
	uint64_t	weight, before;	/* before: of what differs */
	uint64_t	self;		/* of its share, as that is */
	uint64_t	calls;		/* or its start, of timed stacks */
	uint32_t	name;		/* 0: all, or several in one */
	uint32_t	above;		/* number of its caller, from 1; 0: this is the first box */
	uint32_t	first, last;	/* callees' boxes, joined ones last; first 0, or above last: none */
	uint32_t	more;		/* boxes too small to be drawn that it replaces; 0: none */
	uint32_t	level;
};

struct drawing {
	struct stack_tree	 stacks;
	uint64_t	*total, *before;	/* sums of each stack and those above it, [0] of all */
	struct scratch	 totals, befores, levels;
	struct flame	*box;		/* level by level, the largest first; [0] represents all */
	size_t		 n, cap;
	uint32_t	 deepest;	/* levels */
	double		 share;		/* percent of all: smaller stacks are joined */
	bool		 raised;	/* because there would be too many */
	bool		 down;		/* frames of whole stacks, callers first, with one weight */
	uint64_t	 joined, joined_width;	/* boxes that are not drawn, and how wide they are */
};

/* Return the width of a stack; 0: of all.  Stacks that exist only before have a width, too. */
static inline uint64_t
picture_width(const struct drawing *p, uint32_t stack)
{
	return num_add(p->total[stack], p->before[stack]);
}

/* Starts from zeros; close it in any case.  An error of the rows themselves is left to the caller. */
bool	picture_open(struct drawing *, struct rows *, const struct draw_options *, struct err *);
void	picture_close(struct drawing *);
/* Return the next box in pre-order; NULL: that was the last one. */
const struct flame *picture_next(const struct drawing *, const struct flame *);

/* ---- texts ---------------------------------------------------------------------------------- */

/* Append the names of the files, or the title that was given: fitted. */
void	title_add(struct rows *, const struct draw_options *, struct buf *);
/* Append the share of a box in the total weight, or in the total before if the box is only there. */
void	share_add(const struct drawing *, const struct flame *, struct buf *);
/*
 * "3.1 ms"; of what differs "3.0 ms, before 2.0 ms, change +1.0 ms (+50.0%)", the change alone; they append.
 */
void	weight_add(const struct drawing *, const struct flame *, struct buf *);
void	change_add(const struct stack_tree *, uint64_t weight, uint64_t before, struct buf *);
/*
 * Append fitted lines below the title: the clock or event of the widths, their total, the filtered part; the
 * query.
 */
void	lead_add(struct rows *, const struct drawing *, struct buf *);	/* picture NULL: of a table */
/* Append notes as fitted lines: the meaning of colours, what was omitted or lost. */
void	notes_add(struct rows *, const struct drawing *, struct buf *);	/* picture NULL: of a table */
bool	picture_calls(const struct drawing *);	/* boxes are frames and their callers, with one weight */
void	kinds_add(const struct drawing *, struct buf *);	/* append as HTML what the colours of its boxes mean */
/*
 * "name", and details after a line end: "12.3% of the total, 45.6% of its caller, self 1.2%, 3.1 ms, 12
 * calls".
 */
void	tip_add(const struct drawing *, const struct flame *, struct buf *);
/* "all", "java.lang.Thread.run", "12 more"; and what kind of frame it is.  Fitted. */
void	box_name(const struct drawing *, const struct flame *, struct buf *);
/* Return what the colour shows: frame_tone in pictures of calls, else the kind of the frame. */
char	box_tone(const struct drawing *, const struct flame *);
/* Append fitted text, cut in the middle to that many columns. */
void	words_cut(struct buf *, struct str fitted, size_t columns);
/* Append "12.3%"; for small shares "0.04%". */
void	percent_add(struct buf *, uint64_t part, uint64_t whole);

/* ---- files ---------------------------------------------------------------------------------- */

/* Append a whole file; *n: the boxes, rows or nodes that it shows. */
bool	draw_svg(struct rows *, const struct draw_options *, struct buf *, uint64_t *n, struct err *);
bool	draw_html(struct rows *, const struct draw_options *, struct buf *, uint64_t *n, struct err *);
bool	draw_dot(struct rows *, const struct draw_options *, struct buf *, uint64_t *n, struct err *);
/* Append the legend of colours of changes as an element; y: its place in a picture file, or 0. */
void	legend_add(uint64_t y, struct buf *);
/* Append the picture as an element; alone: as a file with title, notes, style and, on request, the script. */
void	svg_add(struct rows *, const struct drawing *, const struct draw_options *, bool alone, struct buf *);
/* Append HTML tables of the names with the largest self and the largest total weights. */
bool	tops_add(const struct drawing *, struct buf *, struct err *);

/*
 * Parts of a page with several pictures; both append.  html_add_figure: the rows as a picture, whose number
 * on the page is .figure of the options.  html_add_rows: a table; *n starts from 0.
 */
bool	html_add_figure(struct rows *, const struct draw_options *, struct buf *, struct err *);
void	html_add_rows(struct rows *, struct buf *, uint64_t *n);

/* Made of the files of that name when icecore is built. */
extern const char draw_picture_css[], draw_page_css[], draw_page_js[];

#endif
