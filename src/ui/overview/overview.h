/*
 * overview: the first pane of every file; its lines are those of icecore/overview.h.
 */
#ifndef UI_OVERVIEW_H
#define UI_OVERVIEW_H

#include "icecore/overview.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

/* What is known of a line of the table. */
enum line_known { KNOWN_NOT, KNOWN_ABSENT, KNOWN_YES };

/* A line as shown: an item of an answer; item NULL: there is none yet. */
struct overview_row {
	size_t				 line;
	const struct overview_item	*item;
	bool				 first;		/* of its line: it shows the name */
};

struct overview {
	struct task		 task;
	struct overview_answer	 answer[OVERVIEW_LINES];
	enum line_known		 known[OVERVIEW_LINES];
	size_t			 asked;		/* line that the worker answers */
	struct session		 session;	/* as it was when it was asked; the user changes the clock meanwhile */
	struct overview_answer	 fresh;		/* what it found */
	bool			 stale;		/* it finds what nobody wants to know any more */
	bool			 stopped;	/* as drawn: lines that are not known wait for the user */
	bool			 diff;		/* of two files, by their rows */
	bool			 shares;	/* some row has one */
	struct overview_row	 row[OVERVIEW_LINES * OVERVIEW_ITEMS];
	size_t			 nrows, top;
	uint64_t		 sel;
	struct pattern		*pattern;	/* that was searched last */
	char			 find[256];	/* its text */
};

void	overview_draw_row(const struct overview *, const struct overview_row *, struct area, bool selected);
/* The row in words for a search, the clipboard and details; fitted, appends. */
void	overview_row_text(const struct overview_row *, struct buf *);

#endif
