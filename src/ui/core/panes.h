/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panes: the open panes, the visible one, and calls of the functions of pane kinds; a part of core.h.
 */
#ifndef UI_PANES_H
#define UI_PANES_H

#include "icecore/ui.h"

struct pane {
	const struct pane_kind	*kind;
	struct ui		*ui;
	void			*data;
	size_t			 focus;		/* index of the list with the focus */
	struct area		 area;		/* area of the last drawing */
	size_t			 status_w;	/* width of its status line, columns */
	bool			 status_cut;	/* the status line was truncated */
	bool			 extra;		/* opened by a query or help: can be closed */
	bool			 stale;		/* reset the pane when it is shown next */
	bool			 unfinished;	/* the drawing continues with the next step */
	bool			 entered;	/* opened by Enter in another pane: Backspace returns there */
	struct buf		 query;		/* query it was opened with; empty: none */
	char			 name[16];	/* name on its tab if it differs from its kind's: the source of its query; or "" */
	struct buf		 led;		/* its subject, "Classes › java.lang.Class", raw; or empty */
	struct pane		*from;		/* the pane shown when it was opened */
	const struct pane_kind	*came;		/* kind of the pane that led here last; NULL: none */
};

/* The function of a pane's kind, or of the kind that it is based on; NULL: neither has one. */
#define PANE_DOES(p, function) \
	((p)->kind->function != NULL || (p)->kind->like == NULL ? (p)->kind->function : (p)->kind->like->function)

/* Without a function, these do nothing and return false or 0. */
void	 pane_on(struct pane *, enum pane_event);
void	 pane_tell(struct pane *, enum tell, struct buf *);
bool	 pane_act(struct pane *, enum verb);
bool	 pane_busy(struct pane *);
uint32_t pane_selected(struct pane *);		/* the selected object of a heap */

/* Query that compares two dumps by package, because dominator trees cannot be compared. */
#define COMPARE_PACKAGES "components package | diff component | select retained_delta retained objects_delta objects component change | " \
	"sort -abs(retained_delta)"

struct pane *ui_pane(const struct ui *);	/* the visible pane */
size_t	 ui_panes(const struct ui *);		/* number of open panes */
struct pane *ui_nth(const struct ui *, size_t tab);	/* NULL: no more */
const char *pane_name(const struct pane *);	/* on its tab */
/* Return the open pane of a kind with that query, which must not be empty; NULL: none. */
struct pane *ui_asked(const struct ui *, const struct pane_kind *, struct str query);
struct pane *ui_find(const struct ui *, const struct pane_kind *);	/* NULL: the file has no such pane */
bool	 ui_add(struct ui *, const struct pane_kind *, const char *query, struct err *);	/* and show it */
/* Close a pane; panes opened from it will return to the pane where it was opened itself. */
void	 ui_remove(struct ui *, struct pane *);
void	 ui_close(struct ui *);			/* close the visible pane, if the user may close it */
void	 ui_show(struct ui *, const struct pane *);
void	 ui_turn(struct ui *, bool backward);	/* to the next tab */
void	 ui_reset(struct ui *);			/* reset every pane */
/* Open the panes that fit the file shown, and close the others. */
bool	 ui_place(struct ui *, struct err *);
void	 ui_find_places(struct ui *);		/* compute ui_places again, after panes were opened */
uint64_t ui_places(const struct ui *);		/* contexts of keys in panes that are open or can be opened */
size_t	 ui_opened(const struct ui *);		/* number of panes that queries or help opened */
bool	 ui_leads_out(const struct pane *);	/* the pane has nothing for q to close */
uint64_t ui_where(const struct ui *, const struct pane *);	/* key contexts of the pane's current state */

#endif
