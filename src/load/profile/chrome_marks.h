/*
 * chrome_marks: trace events of Chrome that are no calls: instants (chrome_marks.c), async operations (chrome_async.c), counters
 * (chrome_counters.c), flows (chrome_flows.c), and what is said of processes and threads (chrome_names.c).  They are kept as
 * rows of numbers while the file is read; when all are there they are put in order and become columns (columns_marks.h).
 */
#ifndef LOAD_CHROME_MARKS_H
#define LOAD_CHROME_MARKS_H

#include "chrome.h"

/* Rows that differ in the bytes they begin with, which have no gaps; numbered from 1. */
struct chrome_set {
	struct scratch	 rows;
	struct idmap	 by_key;
	uint64_t	 n;
};

/* All async slices of a category and a name. */
struct operation {
	uint32_t	cat, name;
	uint64_t	count, total, max, points, open;
};

struct chrome_marks {
	struct jload	*l;
	struct text_pool own;
	struct scratch	 words, instants, asyncs, spans, counts, flows;
	struct idmap	 by_word;
	struct chrome_set processes;
	struct chrome_set keys, names, operations, tracks;	/* of async operations */
	struct chrome_set counters, chains;
	struct scratch	 orders;	/* int64_t by thread: its sort index */
	struct scratch	 place;		/* uint32_t by thread: its number once they are in order */
	struct scratch	 series, levels;	/* both as tracks */
	struct scratch	 args;		/* uint64_t: where those of calls stand */
	struct scratch	 frames;	/* uint32_t by frame with what args say: as which it was read */
	uint64_t	 nargs, nwords, ninstants, nasyncs, nspans, ncounts, nseries, nlevels, nflows, norders;
	uint64_t	 no_begin;		/* ends of async operations that did not begin */
	uint64_t	 negative;		/* values of counters */
	uint64_t	 plain;			/* calls without what their args say in their name: there are too many names */
	struct chrome_times *times;
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

/* The number of a text as it stands in the file; false: no memory. */
bool	chrome_word(struct chrome_marks *, struct str raw, uint32_t *word, struct err *);
/* Like chrome_word, for a text without escapes. */
bool	chrome_word_of(struct chrome_marks *, struct str, uint32_t *word, struct err *);
/* Rows of struct operation, by falling total.  chrome_async.c */
bool	chrome_operation_columns(const struct chrome_set *, const struct jload *, struct err *);
bool	chrome_word_columns(const struct chrome_marks *, struct err *);
/*
 * Describe the args of an event by the conventions of its writer; *word 0: nothing to show.  places: 1 +
 * position of the args of the begin and of the end, 0: none; the end takes precedence.  chrome_detail.c
 */
bool	chrome_detail(struct chrome_marks *, const uint64_t places[2], uint32_t *word, struct err *);
uint64_t chrome_args(struct json args);		/* the place of args that may say something */
/*
 * When calls are made, and before their names are used: the columns of what their args say and where these stand.  With --detail calls
 * are called after both their name and what their args say.  chrome_args.c
 */
bool	chrome_args_columns(struct chrome_marks *, struct err *);
uint32_t chrome_args_frame(const struct chrome_marks *, uint32_t frame);	/* as which a frame of calls was read */
struct str chrome_text(const struct chrome_marks *, uint32_t word);
/* The row that begins with the same key bytes as this one, which is added where there is none; 0: no memory. */
uint32_t chrome_set_add(struct chrome_set *, const void *row, size_t key, size_t size, const char *what, struct err *);
void	chrome_set_free(struct chrome_set *);
/* The process with that id. */
uint32_t chrome_process(struct chrome_marks *, struct str pid, struct err *);
/* The number of a thread in order. */
uint32_t chrome_thread(const struct chrome_marks *, uint32_t thread);
/* Puts rows that begin with their time in order, by the clock of the calls. */
bool	chrome_in_order(const struct chrome_marks *, struct scratch *rows, uint64_t n, size_t size, struct err *);

/* ---- what the others read -------------------------------------------------------------- */

/* Scope of an id: unscoped, global, or local to a process. */
enum chrome_id_kind { ID_ANY, ID_GLOBAL, ID_LOCAL };

struct chrome_id {
	uint32_t	kind, process, id;	/* enum chrome_id_kind; of ID_LOCAL; word */
};

/* Where id2 is not there id counts, which of local ones is one of their process. */
bool	chrome_id(struct chrome_marks *, const struct chrome_event *, struct json id2, bool local, struct chrome_id *, struct err *);

struct chrome_series {
	uint32_t	name, process;
	uint8_t		kind, decimals;		/* enum series_kind */
};

struct chrome_level {
	uint64_t	series;			/* from 0 */
	uint64_t	time, value;
};

/* The number of a new one from 0, in *series. */
bool	chrome_series(struct chrome_marks *, const struct chrome_series *, uint32_t *series, struct err *);
/* Levels of a series are added in order of time. */
bool	chrome_level(struct chrome_marks *, uint32_t series, uint64_t time, uint64_t value, struct err *);

bool	chrome_async_add(struct chrome_marks *, const struct chrome_event *, struct err *);
bool	chrome_async_columns(struct chrome_marks *, struct err *);
bool	chrome_counter_add(struct chrome_marks *, const struct chrome_event *, struct err *);
bool	chrome_counter_columns(struct chrome_marks *, struct err *);
bool	chrome_flow_add(struct chrome_marks *, const struct chrome_event *, struct err *);
bool	chrome_flow_columns(struct chrome_marks *, struct err *);
bool	chrome_name_columns(struct chrome_marks *, struct err *);

#endif
