/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle: declarations shared by the layout (icicle_draw.c) and the pane (icicle_pane.c).
 */
#ifndef UI_ICICLE_H
#define UI_ICICLE_H

#include "frames.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

#define ICICLE_FRAME_NS 4000000

/* The zoom that fills the width: a node, or the n children (total weight: rest) that sort after (weight, id). */
struct zoom {
	uint32_t	node;
	bool		group;
	uint32_t	id, n;
	uint64_t	weight, rest;
};

struct kid {
	uint64_t	weight;
	uint32_t	id;
};

/* Threads folded into one box below the root: number (0: none), total weight and heaviest one. */
struct folded {
	uint32_t	n, first;
	uint64_t	sum, most;
};

/* Children of a node that are at least a cell wide, and the others: nrest. */
struct gathered {
	uint64_t	sum, rest;
	uint32_t	nrest;
	bool		match;		/* of the others */
	struct kid	*kid;
	size_t		n, cap;
};

/* How frames share rows: see icicle_rows.c. */
struct row_names {
	bool		each;		/* each frame has a row of its own */
	bool		some;		/* the layout has a row of several frames */
	/* names in front of the last one of the row being laid out; own: without glue */
	struct buf	own, all;
};

/* A method, by name, whose callers or callees are shown. */
struct icicle_method {
	struct buf	 name;
	uint32_t	 id;			/* id in the store of that version */
	unsigned	 version;
	bool		 twins;			/* other methods have the same name; set by the worker */
	struct tree	*made;			/* the worker's tree of it */
};

struct icicle {
	struct task	 task;
	struct pane	*pane;
	struct tree	*tree;
	const struct store *st;			/* store of the tree */
	struct weights	 w;
	unsigned	 version;		/* ui_version() when the tree was opened */
	size_t		 at;			/* file of the tree */
	uint32_t	 root;			/* root of the drawing; a single unnamed thread is skipped */
	struct icicle_method of;		/* for TREE_CALLERS and TREE_CALLEES */
	enum tree_kind	 kind, chosen;		/* chosen: the tree to open next, while another one is being opened */
	uint32_t	*threads;
	size_t		 nthreads;
	bool		 outdated;	/* the tree is of other threads */
	struct zoom	 zoom;
	char		 error[480];

	/* The worker expands nodes with many children and owns the tree meanwhile. */
	bool		 lent, again;
	uint32_t	 heavy;
	struct buf	 path;			/* icicle_path before the worker got the tree */

	/* Layout: children of frame next come next; fresh: start again. */
	struct frames	 f;
	int		 width;
	size_t		 above;			/* levels above the zoomed node */
	size_t		 next, goal;		/* goal: levels needed below the zoomed node */
	bool		 fresh, done;
	struct gathered	 g;
	struct row_names row;
	uint32_t	 sel_node;		/* node to select when laid out; 0: keep the selection */
	enum box_part	 sel_part;
	bool		 unfolded;		/* idle threads are not folded */
	struct folded	 folded;		/* threads folded in the layout */

	/* Search for the heaviest node of a method, or of the search's matches. */
	bool		 begun;			/* the icicle was shown before */
	bool		 walking;
	bool		 largest;		/* follow the hottest path, do not search the tree */
	uint32_t	 walk, best, walk_method;
	uint32_t	 wanted;		/* object to show when the tree is ready */
	uint64_t	 best_weight;
	int		 find;			/* 1 next, -1 previous match, after the layout */

	/* The place in the previous store: names from the root to the selected frame, each ends with NUL. */
	struct buf	 kept;
	size_t		 kept_zoom;		/* number of names up to the zoomed node */
};

/* The icicles of a pane: one, or the halves of a sandwich; and the one with the focus. */
static inline size_t
icicle_count(const struct pane *p)
{
	return p->kind->size / sizeof(struct icicle);
}

static inline struct icicle *
icicle_of(const struct pane *p)
{
	return (struct icicle *)p->data + p->focus;
}

/* True for the trees of a method. */
static inline bool
of_method(const struct icicle *ic)
{
	return ic->kind == TREE_CALLERS || ic->kind == TREE_CALLEES;
}

/* True for the node of a process; of one whose process is unknown, too. */
static inline bool
icicle_is_process(const struct icicle *ic, const struct tree_node *n)
{
	return ic->kind == TREE_PROCESSES && n->depth == 1;
}

/* True for the trees of a heap dump. */
static inline bool
of_objects(const struct icicle *ic)
{
	return ic->kind >= TREE_DOMINATORS;
}

/* Weight that decides the width.  A delta may be below 0, so a node of a comparison weighs the sum of both files. */
uint64_t icicle_weight(struct icicle *, uint32_t node);
void	icicle_keep(struct icicle *);		/* save the place by names */
void	icicle_find_kept(struct icicle *);	/* restore the place, as far as the names exist */
/* Sets what names the node of a call tree; the name of such a box, without looking at the tree. */
void	icicle_box(const struct icicle *, uint32_t id, const struct tree_node *, struct box *);
void	icicle_label(const struct icicle *, const struct box *, struct buf *);
void	icicle_name(struct icicle *, uint32_t node, struct buf *);
bool	icicle_matches(struct icicle *, uint32_t id, const struct tree_node *);	/* the node matches the search */
const char *icicle_counted(struct icicle *);	/* "calls", "samples", "transactions" */
struct hint icicle_empty(struct icicle *);	/* why nothing can be drawn */
/* Expanding the node takes too long for a key press. */
static inline bool
icicle_heavy(const struct icicle *ic, uint32_t node)
{
	return tree_cost(ic->tree, node) >= 4000;
}

/* Fills in what a box shows of a node. */
void	icicle_describe(struct icicle *, struct box *, uint32_t node);
bool	icicle_lend(struct icicle *, uint32_t node);	/* true: the worker expands it */
void	icicle_relay(struct icicle *);
void	icicle_select(struct icicle *, uint32_t node);
bool	icicle_lay(struct icicle *, uint64_t deadline);
bool	icicle_row_folds(const struct icicle *);	/* frames may share rows; icicle_rows.c */
/* True: the row took in the child of its last frame, which has nearly all of the weight. */
bool	icicle_row_takes(struct icicle *, struct box *, const struct kid *);
void	icicle_row_end(struct icicle *, struct box *);	/* it is complete */
bool	icicle_row_has(struct icicle *, const struct box *, uint32_t node);
void	icicle_fold(struct icicle *);		/* compute the folded threads for the clock; icicle_fold.c */
bool	icicle_folds(struct icicle *, uint32_t node);	/* the node is a folded thread */
uint32_t icicle_fold_width(struct icicle *, const struct box *);	/* width of the box of folded threads */
void	icicle_unfold(struct icicle *);		/* show the folded threads, as an undo step */
void	icicle_draw(struct pane *, struct area);
bool	icicle_ready(struct icicle *, struct area);	/* lay it out; false: it draws the reason instead */
void	icicle_draw_in(struct icicle *, struct area);	/* the path, when it is ready */
void	icicle_set_method(struct icicle *, struct str name, uint32_t id);	/* for TREE_CALLERS and TREE_CALLEES */
/* main thread of the process, otherwise its first one */
uint32_t icicle_process_thread(const struct icicle *, uint32_t process);
/* tree of calls by process if threads of several have calls */
enum tree_kind icicle_first_kind(const struct icicle *);
bool	icicle_act(struct pane *, enum verb);
bool	icicle_run(struct task *, struct work *, struct err *);		/* icicle_tree.c */
void	icicle_done(struct task *, bool ok, const struct err *);
void	icicle_pane_begin(struct pane *), icicle_pane_reset(struct pane *),
    icicle_pane_forget(struct pane *), icicle_pane_close(struct pane *);
void	icicle_zoom(struct icicle *, struct zoom);
uint32_t icicle_top(struct icicle *);		/* the topmost drawn node */
void	icicle_reopen(struct icicle *);
/* Show only these threads, as an undo step; n 0: all. */
void	icicle_choose(struct icicle *, const uint32_t *threads, size_t n);
void	icicle_threads(struct icicle *, const uint32_t *, size_t n);	/* threads of the next tree */
extern const struct placed_kind icicle_places;	/* icicle_recall.c */
bool	icicle_walk(struct icicle *, uint64_t deadline);	/* true: more work to do at once */
void	icicle_show(struct icicle *, uint32_t node);	/* zoom until the node is visible, and select it */
void	icicle_find(struct icicle *);		/* go to the next match when the layout is complete */
bool	icicle_go(struct pane *, const struct visit *);
void	icicle_marked(struct pane *);
void	icicle_path(struct pane *, struct buf *);
void	icicle_strip(struct pane *, struct buf *);	/* range in that of the file */
void	icicle_modes(struct pane *, struct buf *);
void	icicle_status(struct pane *, struct buf *);
void	icicle_copy(struct pane *, struct buf *);
void	icicle_details(struct pane *, struct items *);
void	icicle_legend(struct pane *, struct items *);
void	icicle_subject(struct pane *, struct buf *);
void	icicle_text(struct pane *, struct buf *);
void	icicle_frame(struct pane *, struct buf *);

#endif
