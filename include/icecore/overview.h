/*
 * overview: what a file holds, in a few lines that fill in one by one.
 *
 * Lines are rows of one table for all kinds of files: a name, a query that answers it, what of the answer is shown, and
 * what Enter opens.  A line has any number of items, each a line of its own on the screen.
 */
#ifndef ICECORE_OVERVIEW_H
#define ICECORE_OVERVIEW_H

#include "icecore/query.h"
#include "icecore/sums.h"

#define OVERVIEW_LINES 128	/* fewer are in the table */
#define OVERVIEW_ITEMS 8	/* of one line */

struct overview_line;

/* What an item is about, by its id.  A path is that to a method; a stretch is a time of a thread. */
enum overview_about { ABOUT_NOTHING, ABOUT_OBJECT, ABOUT_STRETCH, ABOUT_METHOD, ABOUT_PATH, ABOUT_CPU, ABOUT_THREAD };

struct overview_item {
	struct cell	 value;		/* CELL_NONE: none */
	enum cell_type	 unit;		/* of a value that may be below 0; else CELL_NONE */
	bool		 shared;
	double		 share;		/* percent, if shared */
	bool		 bars;
	uint8_t		 bar[USE_PARTS];	/* CPU use over time, if bars: steps 0 to 8 */
	struct buf	 words;		/* raw */
	bool		 named;		/* they begin with a name: they stand where names of lines with shares do */
	size_t		 name, name_n;	/* bytes of words that are the name of a function or class; n 0: none */
	bool		 class_name;
	bool		 tail;		/* they are a path, whose end says most */
	enum overview_about about;
	uint32_t	 id;
	uint64_t	 from, until;	/* ns, of a stretch */
	struct buf	 opens;		/* the query that tells more; empty: none */
};

struct overview_answer {
	struct overview_item	item[OVERVIEW_ITEMS];
	size_t			n;
	bool			late;		/* this line took too long; only where session->piecewise is set */
};

/* Lines of the files that the session is about; diff: of what differs between its two files.  NULL behind the last. */
const struct overview_line *overview_line(size_t i);
bool	 overview_fits(const struct overview_line *, const struct session *, bool diff);
bool	 overview_is_late(const struct overview_line *);	/* to be asked when all others are answered */
bool	 overview_in_header(const struct overview_line *);	/* the header of a report says it as well */
const char *overview_name(const struct overview_line *);
/*
 * Runs what it needs: on the worker or inline.  No items: the file has nothing of it.  An error of a pass is an item
 * that says so, and so is, if the session is piecewise, that half of the time that was left is over; false: the work was cancelled.
 */
bool	 overview_answer(const struct overview_line *, struct session *, struct overview_answer *, struct work *, struct err *);
void	 overview_value(const struct overview_item *, struct buf *);	/* for people; of changes with their sign; appends */
void	 overview_free(struct overview_answer *);	/* starts from zeros */

#endif
