/*
 * overlay: what lies over a pane until Esc: help, details, the legend.  At most two, one over the other.
 */
#ifndef UI_OVERLAY_H
#define UI_OVERLAY_H

#include "sheet.h"

enum { OVERLAYS = 2 };

/* What it is about: a pane, or the overlay below it. */
struct overlay_of {
	struct ui	*ui;
	const char	*name;
	uint64_t	 where;
	bool		 all;		/* all panes */
};

struct overlay_kind {
	const char	*name;		/* in its title: "Help" */
	enum verb	 verb;		/* of the key that opens it */
	uint64_t	 where;		/* which keys apply in it */
	int		 left;		/* columns of names; 0: what they need */
	bool		 more;		/* the key that opens it, once more, shows all panes; else it closes it */
	/* Items are about keys: one is selected, and Enter does it. */
	bool		 chooses;
	const char	*empty;		/* what is said instead of showing nothing */
	void		(*fill)(const struct overlay_of *, struct items *);
};

extern const struct overlay_kind overlay_help, overlay_details, overlay_legend;

struct overlay {
	const struct overlay_kind *kind;
	struct overlay_of of;
	struct items	 items;
	size_t		 sel;		/* item; where none is selected its first line is the top one */
	int		 top, lines, h;	/* first line seen, of how many, how many are seen */
	struct spread	 sheet;
	char		 search[256];
	struct pattern	*pattern;	/* marks what was found */
};

struct overlays {
	struct overlay	 at[OVERLAYS];
	size_t		 n;
};

struct overlay *overlay_top(struct overlays *);		/* NULL: none is open */
uint64_t overlay_where(struct overlays *, struct ui *);	/* which keys apply: of the top one, else of the pane */
/* True: the verb was for the overlay that is open, or opens one. */
bool	 overlay_act(struct overlays *, struct ui *, enum verb);
const struct remark *overlay_chosen(struct overlays *);	/* the item of a key that Enter does; or NULL */
void	 overlay_close(struct overlays *);		/* the top one */
void	 overlay_draw(struct overlays *, struct area);
void	 overlay_text(struct overlays *, struct buf *);	/* all of the top one; appends */

#endif
