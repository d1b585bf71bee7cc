/*
 * icicle: what the layout (icicle_draw.c) and the pane (icicle_pane.c) share.
 */
#ifndef UI_ICICLE_H
#define UI_ICICLE_H

#include "frames.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

#define ICICLE_FRAME_NS 4000000

/* What takes the whole width: a node, or those n of its children, of weight rest, that come after (weight, id). */
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

/* Threads that are one box of the root: how many, their weight, and which is the heaviest one; n 0: none are. */
struct folded {
	uint32_t	n, first;
	uint64_t	sum, most;
};

struct gathered {
	uint64_t	sum, rest;
	uint32_t	nrest;
	bool		match;
};

struct icicle {
	struct task	 task;
	struct pane	*pane;
	struct tree	*tree;
	const struct store *st;			/* the tree is of */
	struct weights	 w;
	unsigned	 version;		/* of ui->version, when it was opened */
	size_t		 at;			/* and the file */
	uint32_t	 root;			/* of what is drawn: without the thread where there is one alone, nameless */
	enum tree_kind	 kind, chosen;		/* chosen: to be opened next, while another is being opened */
	uint32_t	*threads;
	size_t		 nthreads;
	struct zoom	 zoom;
	char		 error[480];

	/* Making the children of a node that has many is left to the worker: the tree is lent to it. */
	bool		 lent, again;
	uint32_t	 heavy;
	struct buf	 path;			/* as it was before */

	/* The layout: frames are laid under frame next; fresh: from the start. */
	struct frames	 f;
	int		 width;
	size_t		 above;			/* levels over that of the zoomed node */
	size_t		 next, goal;		/* goal: levels below the zoomed node that must be there */
	bool		 fresh, done;
	struct kid	*kid;
	size_t		 nkids, capkids;
	uint32_t	 sel_node;		/* to be selected when laid out; 0: as it is */
	enum box_part	 sel_part;
	bool		 unfolded;		/* idle threads stand one by one */
	struct folded	 folded;		/* of the layout */

	/* Looking for the heaviest node of a method, or of what was found. */
	bool		 begun;			/* something was shown */
	bool		 walking;
	uint32_t	 walk, best, walk_method;
	uint32_t	 wanted;		/* object to be shown when there is a tree */
	uint64_t	 best_weight;
	int		 find;			/* 1 next, -1 previous match, once laid out */

	/* Where a step leads, in a tree that is not there yet; empty: nowhere, or another place was chosen since. */
	struct buf	 going;
	unsigned	 going_version;		/* of ui_version() */
	bool		 going_moved;		/* and its nodes have other numbers there */

	/* Where we were in another store: names from the root to the selected frame, each ends with NUL. */
	struct buf	 kept;
	size_t		 kept_zoom;		/* so many of them lead to the zoomed one */
};

/* It is of a heap dump. */
static inline bool
of_objects(const struct icicle *ic)
{
	return ic->kind >= TREE_DOMINATORS;
}

/* What decides its width: of a delta, which may be below 0, what it weighs in both. */
uint64_t icicle_weight(struct icicle *, uint32_t node);
void	icicle_keep(struct icicle *);		/* the place, by names */
void	icicle_find_kept(struct icicle *);	/* and goes there again, as far as it is there */
void	icicle_name(struct icicle *, uint32_t node, struct buf *);
bool	icicle_matches(struct icicle *, uint32_t id, const struct tree_node *);	/* it was looked for */
const char *icicle_counted(struct icicle *);	/* "calls", "samples", "transactions" */
const char *icicle_empty(struct icicle *);	/* why there is nothing to draw */
/* Expanding it takes too long for a key. */
static inline bool
icicle_heavy(const struct icicle *ic, uint32_t node)
{
	return tree_cost(ic->tree, node) >= 4000;
}

bool	icicle_lend(struct icicle *, uint32_t node);	/* true: the worker expands it */
void	icicle_relay(struct icicle *);
void	icicle_select(struct icicle *, uint32_t node);
bool	icicle_lay(struct icicle *, uint64_t deadline);
void	icicle_fold(struct icicle *);		/* which threads are folded, by the clock; icicle_fold.c */
bool	icicle_folds(struct icicle *, uint32_t node);	/* it is one of these */
uint32_t icicle_fold_width(struct icicle *, const struct box *);	/* of their box, in that of the root */
void	icicle_unfold(struct icicle *);		/* a step */
void	icicle_draw(struct pane *, struct area);
void	icicle_zoom(struct icicle *, struct zoom);
uint32_t icicle_top(struct icicle *);		/* the node that is drawn first */
void	icicle_reopen(struct icicle *);
void	icicle_choose(struct icicle *, const uint32_t *threads, size_t n);	/* a step; n 0: all */
void	icicle_threads(struct icicle *, const uint32_t *, size_t n);	/* that the next tree is of */
void	icicle_tell(struct pane *, struct buf *);	/* icicle_undo.c: where it is */
void	icicle_put(struct pane *, struct str place, bool moved);
void	icicle_arrive(struct icicle *);
bool	icicle_arrives(struct icicle *);	/* now that there is a tree; false: it was going nowhere */
bool	icicle_walk(struct icicle *, uint64_t deadline);	/* true: there is more to do at once */
void	icicle_show(struct icicle *, uint32_t node);	/* zooms so that it can be seen, and selects it */
void	icicle_find(struct icicle *);		/* the next match, now that all is laid out */
bool	icicle_go(struct pane *, const struct visit *);
void	icicle_marked(struct pane *);
void	icicle_path(struct pane *, struct buf *);
void	icicle_modes(struct pane *, struct buf *);
void	icicle_status(struct pane *, struct buf *);
void	icicle_copy(struct pane *, struct buf *);
void	icicle_details(struct pane *, struct items *);
void	icicle_legend(struct pane *, struct items *);
void	icicle_subject(struct pane *, struct buf *);
void	icicle_text(struct pane *, struct buf *);
void	icicle_frame(struct pane *, struct buf *);

#endif
