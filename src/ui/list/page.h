/*
 * page: the part of a list that is on the screen, as it was drawn; a part of list.h.
 */
#ifndef UI_PAGE_H
#define UI_PAGE_H

#include "ui/term/term.h"

enum { COLUMNS_MAX = 32 };

/* How a cell of the page stands out. */
struct cell_look {
	bool	 hit;			/* it matches the search */
	uint8_t	 share;			/* percent */
	enum role role;			/* ROLE_NORMAL: the role of its row */
};

/* All zeros: nothing was drawn. */
struct list_page {
	struct buf	*line;			/* the names of columns, then the rows */
	struct buf	*cell;			/* one column of it */
	struct cell_look *look;			/* of its cells, COLUMNS_MAX a row */
	bool		*alike;			/* rows whose function name is not unique on the page */
	size_t		 nlines, h;		/* room for lines; rows drawn */
	int		 w;
	uint64_t	 top;			/* the first row */
	bool		 ok;			/* it shows what the list has */
	bool		 more;			/* some columns were dropped for lack of room */
	size_t		 shown[COLUMNS_MAX];	/* width of each column; 0: the column is not on it */
	size_t		 width[COLUMNS_MAX];	/* that it would need for all rows drawn so far */
	bool		 filled[COLUMNS_MAX];	/* the column has something in a row that was drawn */
};

bool	list_page_room(struct list_page *, size_t h);	/* makes room for h rows; false: no memory, nothing changed */
void	list_page_free(struct list_page *);

#endif
