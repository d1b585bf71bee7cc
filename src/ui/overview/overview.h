/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overview: the first pane of every file; its lines are defined in icecore/overview.h.
 */
#ifndef UI_OVERVIEW_H
#define UI_OVERVIEW_H

#include "icecore/overview.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

/* A row as shown: an item of a line; item NULL: not computed yet. */
struct overview_row {
	const struct overview_line	*line;
	const struct overview_item	*item;
	bool				 first;		/* first row of its line: shows the name */
	size_t				 part, parts;	/* of the words of its item: which, from 0, and how many */
};

struct overview {
	struct task		 task;
	struct overview_answer	 answer[OVERVIEW_LINES];
	/* the line is known, without items if it does not apply to the file */
	bool			 known[OVERVIEW_LINES];
	size_t			 asked;		/* line that the worker computes; OVERVIEW_LINES: the picture */
	struct session		 session;	/* copy for the worker: the user may change the clock meanwhile */
	struct overview_answer	 fresh;		/* result of the worker */
	bool			 stale;		/* the result will be out of date */
	bool			 stopped;	/* unknown lines, as drawn, wait for the user */
	bool			 diff;		/* lines compare two files */
	bool			 shares;	/* a row has a share */
	struct overview_row	 row[OVERVIEW_LINES * OVERVIEW_ITEMS + OVERVIEW_ROWS];
	size_t			 nlines;	/* number of rows of lines; those of the picture follow */
	size_t			 nrows, top;
	uint64_t		 left;		/* selected row of a line: Left goes back to it from the picture */
	struct overview_answer	 picture;
	const struct overview_line *picture_line, *fresh_line;
	bool			 pictured;	/* the picture is known, without items if the file has none */
	uint64_t		 sel;
	struct pattern		*pattern;	/* pattern of the last search */
	char			 find[256];	/* text of the search */
};

/* Returns the column after its text. */
int	overview_draw_row(const struct overview *, const struct overview_row *, struct area, bool selected);
/* Rows of an item in that area: sentences take up to three. */
size_t	overview_parts(const struct overview_line *, const struct overview_item *, struct area);
/* Append the subject of an item, shortened to w columns. */
void	overview_words(const struct overview_item *, size_t w, struct buf *);
bool	overview_has_room(struct area);		/* next to a picture, if lines are short */
/*
 * Draw the picture where the lines, whose texts end at the columns in behind, leave most room. Drops rows
 * that do not fit.
 */
void	overview_draw_picture(struct overview *, struct area, const int *ends);
/* Append the row as fitted text, for a search, the clipboard and details. */
void	overview_row_text(const struct overview_row *, struct buf *);

#endif
