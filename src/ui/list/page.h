/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page: the part of a list on the screen, as drawn; a part of list.h.
 */
#ifndef UI_PAGE_H
#define UI_PAGE_H

#include "ui/term/term.h"

enum { COLUMNS_MAX = 32 };

/* Highlighting of a cell. */
struct cell_look {
	bool	 hit;			/* the cell matches the search */
	uint8_t	 share;			/* percent */
	enum role role;			/* ROLE_NORMAL: use the role of its row */
};

/* All zeros: nothing drawn. */
struct list_page {
	struct buf	*line;			/* column names, then the rows */
	struct buf	*cell;			/* text of one column */
	struct cell_look *look;			/* highlighting, COLUMNS_MAX cells per row */
	bool		*alike;			/* rows whose function name is not unique on the page */
	size_t		 nlines, h;		/* capacity in lines; rows drawn */
	int		 w;
	uint64_t	 top;			/* the first row */
	bool		 ok;			/* the page shows the current state of the list */
	size_t		 more;			/* columns dropped for lack of room */
	size_t		 shown[COLUMNS_MAX];	/* width of each column; 0: hidden */
	size_t		 width[COLUMNS_MAX];	/* width needed for all rows drawn so far */
	size_t		 core[COLUMNS_MAX];	/* the same for the part of texts that is never dropped */
	bool		 filled[COLUMNS_MAX];	/* the column had a value in a drawn row */
};

bool	list_page_room(struct list_page *, size_t h);	/* allocate h rows; false: out of memory, nothing changed */
void	list_page_free(struct list_page *);

#endif
