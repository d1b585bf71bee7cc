/*
 * side: what the parts share that read other files about the one that is open.
 */
#ifndef LOAD_SIDE_H
#define LOAD_SIDE_H

#include "icecore/make.h"

#define SIDE_NO_TID UINT64_MAX
#define COMM_MAX 15		/* bytes of a task's name that Linux keeps */

/* A thread as one dump or list has it; its text lies in the file. */
struct side_row {
	uint64_t	tid;		/* of the system, or SIDE_NO_TID */
	struct str	name, state, top;	/* top: "java/lang/Object.wait!(Native method)", the innermost frame */
	uint32_t	dump;		/* number of the dump, from 1, over all files */
	uint32_t	seq;		/* order of the rows */
	bool		slashes;	/* top has slashes for dots; else one ends the name of a module */
	bool		virtual;	/* a virtual thread, which only borrows the thread of the system */
};

struct sides {
	struct store	*base, *over;
	struct work	*work;
	struct scratch	 maps;		/* struct map: the files, mapped until all is copied */
	uint64_t	 nmaps;
	struct scratch	 rows;		/* struct side_row */
	uint64_t	 nrows;
	uint32_t	 dump;		/* dumps so far */
	uint64_t	 deadlocks, ignored;
	uint64_t	 cut;		/* files that are damaged, or end too early */
	struct buf	 text;		/* becomes the own text of over */
};

/* Copies into the text; the ref of the copy, 0 for nothing. */
uint64_t side_text(struct sides *, struct str);
/* A new row, of the dump we are in; NULL: failure. */
struct side_row *side_row(struct sides *, struct err *);
/* The next line without its end; false at the end of the text. */
bool	side_line(struct str *rest, struct str *line);

/* Thread dumps of HotSpot and ART; false in *any when the text has no thread of one. */
bool	side_dump(struct sides *, struct str text, bool *any, struct err *);
/* Columns and facts of the threads. */
bool	side_join(struct sides *, struct err *);

/* Files with samples or states lie beside the trace of this store: NAME.timer, NAME.state. */
bool	side_has_tracks(const struct store *);
/*
 * Their tracks (track.*, point.*, state.name) and facts, into a store over that of the trace; nothing is published.
 * What cannot be read of them is counted, and no failure.
 */
bool	side_tracks(struct store *, struct work *, struct err *);

#endif
