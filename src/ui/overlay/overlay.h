/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlay: windows over a pane until Esc: help, details, legend. At most two, one over the other.
 */
#ifndef UI_OVERLAY_H
#define UI_OVERLAY_H

#include "sheet.h"

enum { OVERLAYS = 2 };

/* Subject of an overlay: a pane, or the overlay below it. */
struct overlay_of {
	struct ui	*ui;
	const char	*name;
	uint64_t	 where;
	bool		 all;		/* all panes */
};

struct overlay_kind {
	const char	*name;		/* text of the title: "Help" */
	enum verb	 verb;		/* verb of the key that opens it */
	uint64_t	 where;		/* key context */
	int		 left;		/* width of the name column; 0: as needed */
	bool		 more;		/* the key shows all panes if pressed again; otherwise it closes the overlay */
	/* Items are keys or choices: one is selected, and Enter runs or takes it. */
	bool		 chooses;
	void		(*take)(struct ui *, uint32_t choice);	/* NULL: items are keys */
	const char	*empty;		/* message if there are no items */
	void		(*fill)(const struct overlay_of *, struct items *);
};

/* help.c: offers what the keys of the panes do; each act has its row in keys, and 0 or its pane, from 1. */
void	 help_offer(const struct ui *, struct completion *);

extern const struct overlay_kind overlay_help, overlay_details, overlay_legend, overlay_events;

struct overlay {
	const struct overlay_kind *kind;
	struct overlay_of of;
	struct items	 items;
	size_t		 sel;		/* selected item; without a selection, the top item */
	int		 top, lines, h;	/* first visible line, number of lines, visible lines */
	struct spread	 sheet;
	char		 search[256];
	struct pattern	*pattern;	/* highlights search matches */
};

struct overlays {
	struct overlay	 at[OVERLAYS];
	size_t		 n;
};

uint64_t overlay_where(struct overlays *, struct ui *);	/* key context of the top overlay, otherwise of the pane */
/* True: the open overlay handled the verb, or the verb opened an overlay. */
bool	 overlay_act(struct overlays *, struct ui *, enum verb);
const struct remark *overlay_chosen(struct overlays *);	/* the item whose key Enter presses; or NULL */
/* close the overlay and take the selected choice; false: it is a key */
bool	 overlay_choose(struct overlays *, struct ui *);
void	 overlay_close(struct overlays *);		/* close the top one */
void	 overlay_draw(struct overlays *, struct area);
void	 overlay_text(struct overlays *, struct buf *);	/* append the text of the top overlay */

#endif
