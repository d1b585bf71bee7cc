/*
 * overview: the first pane of every file; its lines are those of icecore/overview.h.
 */
#ifndef UI_OVERVIEW_H
#define UI_OVERVIEW_H

#include "icecore/overview.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

/* A row as shown: an item of a line's answer; item NULL: no answer yet. */
struct overview_row {
	size_t				 line;
	const struct overview_item	*item;
	bool				 first;		/* first row of its line: it shows the name */
};

struct overview {
	struct task		 task;
	struct overview_answer	 answer[OVERVIEW_LINES];
	bool			 known[OVERVIEW_LINES];	/* the answer is, without items if the file has no such line */
	size_t			 asked;		/* line that the worker computes */
	struct session		 session;	/* copy for the worker: the user may change the clock meanwhile */
	struct overview_answer	 fresh;		/* the answer of the worker */
	bool			 stale;		/* the answer will be out of date */
	bool			 stopped;	/* as drawn: unknown lines wait for the user */
	bool			 diff;		/* lines compare two files */
	bool			 shares;	/* some row has a share */
	struct overview_row	 row[OVERVIEW_LINES * OVERVIEW_ITEMS];
	size_t			 nrows, top;
	uint64_t		 sel;
	struct pattern		*pattern;	/* pattern of the last search */
	char			 find[256];	/* its text */
};

void	overview_draw_row(const struct overview *, const struct overview_row *, struct area, bool selected);
/* Append the row as fitted text, for a search, the clipboard and details. */
void	overview_row_text(const struct overview_row *, struct buf *);

#endif
