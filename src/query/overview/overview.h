/*
 * Private to src/query/overview: a line of an overview, and how it is answered.
 */
#ifndef QUERY_OVERVIEW_H
#define QUERY_OVERVIEW_H

#include "icecore/overview.h"
#include "query/lang/lang.h"

#define OVERVIEW_GIVEN 3

/* Whether the weights of the file are those of one file, or differ between a first and a second. */
enum line_weights { WEIGHTS_ANY, WEIGHTS_OF_ONE, WEIGHTS_DIFFER };

struct answering {
	const struct overview_line *line;
	struct session	*session;
	struct work	*work;
	struct overview_answer *answer;
	struct reply	 given[OVERVIEW_GIVEN], asked;
	double		 whole;		/* that shares are of; 0: none */
};

/*
 * Words are text with {COLUMN} for a cell of the row, or of the first row of a given query, and {COLUMN NOUN} for a number
 * with a noun, with an s or what follows it unless it is 1.  What stands in [] is left out where a cell in it is empty
 * or 0.  Of rows of info COLUMN is a field.  Queries may have {COLUMN} of given queries, as plain numbers.
 *
 * A row tells what it is about by columns object, thread_id, method_id, cpu, and start_wall with length.
 */
struct overview_line {
	unsigned	 shapes, but;	/* files it is for, unless they have one of these; or of enum shape */
	const char	*name;
	const char	*query;		/* columns value and share, and those of words */
	const char	*words;
	const char	*opens;		/* query of a pane, or any other; NULL: what the row is about */
	const char	*given[OVERVIEW_GIVEN];	/* asked first */
	const char	*of;		/* one number, of which the value is a share */
	const char	*value;		/* instead of "value" */
	const char	*none;		/* said where there are no rows, or only 0; NULL: the line is left out */
	uint8_t		 rows;		/* at most so many; 0: 1 */
	uint8_t		 weights;	/* enum line_weights */
	bool		 count;		/* the value is how many rows there are; the words are of the first */
	bool		 threads;	/* only where threads are known */
	bool		 objects;	/* about objects of a dump */
	bool		 change;	/* the value is what differs between two files */
	bool		 late;		/* asked when all others are answered */
	bool		 diff;		/* of two files that are compared by their rows */
	bool		 header;	/* the header of a report says it as well */
	/* Instead of the rows of the query, which is only prepared. */
	bool		(*own)(struct answering *, struct err *);
};

extern const struct overview_line overview_table[];	/* ends with one without a name */

/* The next item; NULL: there are enough. */
struct overview_item *answering_add(struct answering *);
/* The item of a row of its query, but for its words if it has none. */
struct overview_item *answering_row(struct answering *, uint64_t row);
bool	answering_words(struct answering *, const char *form, uint64_t row, struct overview_item *);

/*
 * Where most of what is reachable comes together: down along the dominators from the largest object.  0: there is no
 * such object.  *holder: the last class on that way, or 0.
 */
uint32_t heap_gathering(const struct heap *, uint32_t *holder);

bool	own_largest_path(struct answering *, struct err *);
bool	own_off_path(struct answering *, struct err *);
bool	own_accumulation(struct answering *, struct err *);
bool	own_held_through(struct answering *, struct err *);
bool	own_owners(struct answering *, struct err *);
bool	own_cpu_use(struct answering *, struct err *);

#endif
