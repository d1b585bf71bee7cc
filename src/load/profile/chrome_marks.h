/*
 * chrome_marks: trace events of Chrome that are no calls: instants (chrome_marks.c), async operations (chrome_async.c), counters
 * (chrome_counters.c), flows (chrome_flows.c), and what is said of processes and threads (chrome_names.c).  They go into struct marks_in, or
 * are kept as rows of numbers until all are there and can be put in order.
 */
#ifndef LOAD_CHROME_MARKS_H
#define LOAD_CHROME_MARKS_H

#include "chrome.h"
#include "marks_in.h"

struct chrome_marks {
	struct marks_in	 in;
	struct scratch	 asyncs, flows;
	struct mark_set	 keys;		/* of async operations */
	struct mark_set	 chains;
	struct scratch	 orders;	/* int64_t by thread: its sort index */
	struct scratch	 place;		/* uint32_t by thread: its number once they are in order */
	struct scratch	 args;		/* uint64_t: where those of calls stand */
	struct scratch	 frames;	/* uint32_t by frame with what args say: as which it was read */
	uint64_t	 nargs, nasyncs, nflows, norders;
	uint64_t	 negative;		/* values of counters */
	uint64_t	 plain;			/* calls without what their args say in their name: there are too many names */
	const struct chrome_times *times;
};

/* An event as chrome.c found it. */
struct chrome_event {
	struct json	 json;
	uint64_t	 time;			/* from TIME_ZERO on */
	uint32_t	 thread;
	char		 letter;
	struct str	 name, pid;		/* as they stand in the file */
	struct json	 id, args;
};

/* Whether events of this letter are read here. */
bool	chrome_marks_read(char letter);
/* A call that a flow leaves or reaches, with the id that it is bound to. */
bool	chrome_flow_bind(struct chrome_marks *, const struct chrome_event *, struct str id, uint32_t frame, struct err *);
/* "M": what a process or a thread is called, and where it stands among others; the last one counts. */
bool	chrome_name(struct chrome_marks *, const struct chrome_event *, struct err *);
/* When all threads are there, and before they become calls. */
bool	chrome_order_threads(struct chrome_marks *, struct err *);
bool	chrome_mark(struct chrome_marks *, const struct chrome_event *, struct err *);
/* All that are there, as columns and facts. */
bool	chrome_marks_columns(struct chrome_marks *, struct err *);
bool	chrome_marks_any(const struct chrome_marks *);
void	chrome_marks_close(struct chrome_marks *);

/* ---- for the files of marks ----------------------------------------------------------- */

/*
 * Describe the args of an event by the conventions of its writer; *word 0: nothing to show.  places: 1 +
 * position of the args of the begin and of the end, 0: none; the end takes precedence.  chrome_detail.c
 */
bool	chrome_detail(struct chrome_marks *, const uint64_t places[2], uint32_t *word, struct err *);
/* Append the detail to an empty text.  Uses and clears the text buffer of jload. */
void	chrome_detail_add(struct jload *, const struct json args[2], struct buf *);
struct json chrome_args_at(struct json doc, uint64_t place);	/* at = size: there are none */
uint64_t chrome_args(struct json args);		/* the place of args that may say something */
/*
 * When calls are made, and before their names are used: the columns of where their args stand.  With --detail calls are called
 * after both their name and what their args say.  chrome_args.c
 */
bool	chrome_args_columns(struct chrome_marks *, struct err *);
uint32_t chrome_args_frame(const struct chrome_marks *, uint32_t frame);	/* as which a frame of calls was read */
/* The number of a thread in order. */
uint32_t chrome_thread(const struct chrome_marks *, uint32_t thread);

/* ---- what the others read -------------------------------------------------------------- */

/* Scope of an id: unscoped, global, or local to a process. */
enum chrome_id_kind { ID_ANY, ID_GLOBAL, ID_LOCAL };

struct chrome_id {
	uint32_t	kind, process, id;	/* enum chrome_id_kind; of ID_LOCAL; word */
};

/* Where id2 is not there id counts, which of local ones is one of their process. */
bool	chrome_id(struct chrome_marks *, const struct chrome_event *, struct json id2, bool local, struct chrome_id *, struct err *);

bool	chrome_async_add(struct chrome_marks *, const struct chrome_event *, struct err *);
bool	chrome_async_columns(struct chrome_marks *, struct err *);
bool	chrome_counter_add(struct chrome_marks *, const struct chrome_event *, struct err *);
bool	chrome_flow_add(struct chrome_marks *, const struct chrome_event *, struct err *);
bool	chrome_flow_columns(struct chrome_marks *, struct err *);
bool	chrome_name_columns(struct chrome_marks *, struct err *);

#endif
