/*
 * Private to src/query: what the sources of traces, profiles and tracks share.  The manual of this room.
 */
#ifndef ICECORE_QUERY_TRACE_H
#define ICECORE_QUERY_TRACE_H

#include "icecore/track.h"
#include "query/lang/lang.h"

/* ---- columns that are declared: struct coldef ------------------------------------------ */

enum field_kind {
	FIELD_NONE,
	/* Tables: their rows are in columns of the store, by id.  v: the value of the column, or the id. */
	FIELD_ID,		/* the id */
	FIELD_NUMBER,		/* v, with the type of the cell */
	FIELD_MOMENT,		/* the same: rising times in ns; of a view only those in its range are rows */
	FIELD_CLOCK,		/* that moment by the clock of the world, where the file tells when it began */
	FIELD_PROCESSOR,	/* v, unless it is SWITCH_NO_CPU */
	FIELD_LINE,		/* i64, negative: unknown */
	FIELD_TICKS,		/* v, a time by the clock that the file has */
	FIELD_WEIGHT,		/* as the weights of the file have it: of traces ticks */
	FIELD_WEIGHT_CPU,	/* the same, by the CPU clock */
	FIELD_OFF,		/* the same: v less the other column; of traces never below 0 */
	FIELD_CPU,		/* ticks of a thread; where the records have no CPU clock its track tells */
	FIELD_OFF_CPU,		/* ticks: v less that */
	FIELD_SHARE,		/* percent of the weights of all threads */
	FIELD_PART_OF_SELF,	/* v, by the CPU clock the other column: percent of the self weights of all calls, by the chosen clock */
	FIELD_PART_OF_CPU,	/* percent of what such a column, or the function of this one, has for all threads */
	FIELD_PART,		/* percent of v and the other column together */
	FIELD_REAL,		/* f64 */
	FIELD_TEXT,		/* ref */
	FIELD_WORD,		/* word v */
	FIELD_PROCESS,		/* name of process v */
	FIELD_PID,		/* its id in the file */
	FIELD_DOTTED,		/* ref to a class name, slashes shown as dots */
	FIELD_NAME,		/* ref to a method's name; of unknown methods what METHOD gives */
	FIELD_METHOD,		/* name of method v */
	FIELD_THREAD,		/* name of thread v */
	FIELD_LABEL,		/* the same for people: thread_label */
	FIELD_WAKER,		/* who woke a task: v as in wake.by */
	FIELD_POOL,		/* thread name, each number as * */
	FIELD_EARLIER,		/* other names of the thread */
	FIELD_BY, FIELD_STATE, FIELD_TOP,	/* where its name is from; what it did and in which frame, as a thread dump says */
	FIELD_LETTER,		/* a character; 0: none */
	FIELD_KIND,		/* what kind of frame method v is */
	FIELD_MODULE,		/* what has method v */
	FIELD_FILE,		/* where method v was written */
	FIELD_PACKAGE,		/* the package of method v, as "by package" has it */
	FIELD_ANY,		/* the frames of the call, a line each */
	FIELD_CELL,		/* what the function of the column says */
	/* Rows that are structs: a member of the struct. */
	FIELD_U32, FIELD_U64,
	FIELD_U32_THREAD, FIELD_U32_LABEL, FIELD_U32_METHOD,	/* name of the one with that id */
	FIELD_OWN		/* this and above: what the rows' own function knows */
};

/* A number that is a member of the struct that is a row. */
#define FIELD_OF(type, member) \
	.kind = sizeof(((type *)NULL)->member) == sizeof(uint32_t) ? FIELD_U32 : FIELD_U64, .at = offsetof(type, member)
/* The name of a thread or method by such a number, or by one of a column: threads of a pool differ at their ends. */
#define THREAD_OF(type, member) .kind = FIELD_U32_THREAD, .at = offsetof(type, member), .cut = CUT_MIDDLE
#define THREAD_IN(by) .kind = FIELD_THREAD, .column = (by), .cut = CUT_MIDDLE
/* Labels of threads: they distinguish threads that have the same name. */
#define THREAD_LABEL_OF(type, member) \
	{ "label", CELL_TEXT, LABEL_MEANS, true, .kind = FIELD_U32_LABEL, .at = offsetof(type, member), .cut = CUT_MIDDLE }
#define THREAD_LABEL(...) \
	{ "label", CELL_TEXT, LABEL_MEANS, true, .kind = FIELD_LABEL, .column = COL_NONE, .cut = CUT_MIDDLE, __VA_ARGS__ }
#define LABEL_MEANS "name, and the tid where threads share the name"
#define METHOD_OF(type, member) .kind = FIELD_U32_METHOD, .at = offsetof(type, member)
/* A column that only traces have, or only profiles. */
#define TIMED .only = SHAPE_CALLS | SHAPE_TASKS
#define SAMPLED .only = SHAPE_SAMPLES

/*
 * The cell of a column that is a member of a row; false: it is none.  The buffer keeps its text.  c->type is that of
 * the column in any case.
 */
bool	cell_member(struct rows *, const struct store *, const void *row, size_t col, struct buf *, struct cell *c);

/* ---- tables: table.c -------------------------------------------------------------------- */

/* ids first .. first + n - 1 are rows from row on. */
struct id_range {
	uint64_t	row;
	uint32_t	first, n;
};

/* Open the columns of the command of a stage; the first one has a row for each id.  ranges: taken over; NULL: all ids. */
bool	table_open(struct session *, const struct stage *, struct id_range *, size_t nranges,
	    struct rows **, struct err *);
/* Open a source that is a table without arguments.  TABLE_SOURCE: the first members of its command. */
bool	table_source(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);
#define TABLE_SOURCE(name, says, query, files, table) SOURCE(name, says, query, table_source), OVER(files, table)
/* A table of scheduler traces. */
#define TASK_TABLE(name, says, query, table) TABLE_SOURCE(name, says, query, SHAPE_TASKS, table), .views = VIEWS_OF_TIMES

/* Return true if table_open opened the rows with a row for each call. */
bool	table_is_calls(const struct rows *);
/* Return the greatest number that a column names things by, plus 1; 0: it does not name things by number. */
uint64_t values_named(const struct store *, const struct coldef *);

/* ---- call trees ------------------------------------------------------------------------ */

extern const struct coldef call_cols[CALL_COLS];

/* Trees that are made while they are walked: q_tree.c. */
bool	merged_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);
bool	inverted_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);

/* ---- weights and times: weigh.c --------------------------------------------------------- */

/*
 * Gives rows the columns of the command of a stage for its file, in a set of theirs.  Columns without a type get that of the
 * store's weights; those that tell of two weights are only there where they differ.
 */
void	rows_weigh(struct rows *, struct column_set *, const struct stage *, const struct store *st);
void	cell_weight(struct cell *, const struct weights *, enum clock, uint64_t value);

/* Compute the weight by the session's clock from those by both clocks; false: the file lacks that clock. */
bool	weight_by_clock(const struct rows *, const struct weights *, uint64_t wall, uint64_t cpu, uint64_t *weight);
/* Sum the self weights of all calls of the file, by the session's clock. */
uint64_t self_weights(const struct rows *, const struct store *, const struct weights *);
void	cell_part(struct cell *, uint64_t part, uint64_t whole);	/* a percentage; of nothing empty */
/* Fill the cell with the package of a method; text keeps it. */
void	cell_package(struct rows *, const struct store *, uint32_t method, struct buf *, struct cell *);

/* Ticks of a trace as a time. */
static inline void
cell_ticks(struct cell *c, uint64_t ticks, uint64_t tick)
{
	c->type = CELL_TIME;
	c->u = tick != 0 && ticks > UINT64_MAX / tick ? UINT64_MAX : ticks * tick;
}

/* ---- what arguments mean by names: named.c ------------------------------------------------ */

/* Things 1 .. n that have names. */
struct named {
	const char		*what, *query;	/* "thread", and what lists them: for errors */
	uint32_t		 n;
	const struct store	*st;
	void			(*name)(const struct store *, uint32_t number, struct buf *);
	/* Instead of these two, of things in a heap. */
	const struct heap	*heap;
	void			(*heap_name)(const struct heap *, uint32_t number, struct buf *);
};

/* Match by name or by glob. */
bool	token_means(const struct token *, struct str name);
/*
 * Marks in has (0 .. n) those that a token means by name, glob or, unless it is NULL, the regex compiled from it; adds
 * to *hits.
 */
bool	named_mark(const struct named *, const struct token *, struct regex *, uint8_t *has, uint32_t *hits,
	    struct err *);
/* Mark in has the things with that number in a column; adds to *hits. */
void	named_mark_number(const struct named *, const struct column *, uint64_t number, uint8_t *has, uint32_t *hits);
/* Fails: no thing has that name. */
bool	fail_no_named(const struct named *, const struct token *, struct err *);

/* Ids of threads, in ascending order. */
struct thread_list {
	uint32_t	*id;
	size_t		 n;
};

/*
 * The threads that the arguments of a stage mean: by name, glob, tid or @id; of none all, or the list is
 * empty.  Fails where an argument means none.  No store: only checks.  The caller frees id, also on failure.
 */
bool	threads_of_stage(struct thread_list *, const struct store *, const struct stage *, bool all, struct err *);

/* ---- facts about the file: meanings.c ----------------------------------------------------- */

/* The value of a field, of rows with columns field and value; returns the latter, or NULL: there is no such field. */
const struct coldef *info_find(struct rows *, struct str field, struct cell *);

#define INFO_FLAG STR("1: ")	/* begins the phrases of facts that are 1 or not there */

/* The phrase that explains a fact about files of these shapes, see facts.h; "" if it is unknown. */
struct str info_phrase(struct str name, unsigned shapes);
/* Append what a phrase says behind a value: "records" of many, "record" of one, without INFO_FLAG; NULL: on its own, of many. */
void	 info_meaning(struct str phrase, const struct cell *value, struct buf *);
bool	 info_shows(struct str name);	/* not a fact between loaders and passes, or of one of several graphs */

/* ---- values over time: track_cells.c ------------------------------------------------------ */

/* The tracks of one name by their threads; starts from a name and zeros. */
struct track_index {
	const char	*name;
	struct idmap	 places;	/* thread to 1 + place of its track */
	bool		 made;
};

#define TRACK_INDEX(name) ((struct track_index){ (name), IDMAP_INIT, false })

/* As track_find; false too when there is no memory. */
bool	track_index_find(struct track_index *, const struct store *, uint32_t thread, struct track *);

/* Fill the cell with a value of the track: a time, bytes or a number. */
void	cell_track(const struct track *, uint64_t value, struct cell *);
/* Growth a second, of what the unit says; nothing for no time. */
void	cell_rate(uint64_t growth, uint64_t ns, struct cell *);
/* CPU time as a share of a time; empty for no time. */
void	cell_use(uint64_t cpu, uint64_t ns, struct cell *);
/* CPU time in a piece of time from the thread's track: CELL_NONE where there is none.  The index is of "cpu". */
void	cell_cpu_inside(struct track_index *, const struct store *, uint32_t thread, uint64_t from, uint64_t to,
	    struct cell *cpu, struct cell *use);
/* Append who woke a task, from wake.by; nothing if it is unknown. */
void	waker_name(const struct store *, uint32_t by, struct buf *);
const char *waker_context(uint32_t by);		/* "task", "irq", "softirq", "new"; NULL: not known */
/* The name of a thread, nothing for thread 0. */
void	cell_thread_name(struct rows *, const struct store *, uint32_t thread, struct buf *, struct cell *);

#endif
