/*
 * overview: what the overview of a heap dump and its lines share.
 */
#ifndef UI_OVERVIEW_H
#define UI_OVERVIEW_H

#include "heap.h"

enum { LINES = 40 };

/* One line, and where Enter goes: an object, a pane, or a query. */
struct overview_line {
	const char		*name;
	char			 value[NUM_TEXT];
	struct buf		 text;		/* fitted */
	bool			 wide;		/* it has no value; the text begins where that would */
	uint32_t		 object;
	const struct pane_kind	*pane;
	const char		*query;
};

struct overview {
	struct overview_line line[LINES];
	uint64_t	 sel;
	size_t		 n, top;
	size_t		 passes;	/* that were done when the lines were made */
	bool		 stopped;	/* as they were then */
	bool		 tallied;	/* likewise */
	bool		 stale;
	struct tally	 tally;
};

/* Makes the lines anew, of what is known by now. */
void	overview_lines(struct overview *, struct ui *);
/*
 * Where most of what is reachable comes together: down along the dominators from the largest object.  0: there is no
 * such object.  *holder: the last class on that way, or 0.
 */
uint32_t heap_gathering(const struct heap *, uint32_t *holder);

#endif
