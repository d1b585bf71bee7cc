/*
 * gecko: profiles in the format of Firefox (JSON), which samply and others write too.  A process has threads, a thread tables: processed
 * profiles have them as columns, raw ones of Gecko as rows with a schema (gecko_table.c).  A thread is read when its tables were found, one
 * after the other; what is kept of all of them are samples, markers and counters.
 */
#ifndef LOAD_GECKO_H
#define LOAD_GECKO_H

#include "load/native/native.h"
#include "marks_in.h"

/* ---- tables ------------------------------------------------------------------------------------ */

#define GECKO_COLUMNS 8
#define GECKO_SCHEMA 64

/* One that is read row by row, from its begin to its end. */
struct gecko_table {
	struct json	rows, column[GECKO_COLUMNS];	/* which of both: by_rows */
	struct str	value[GECKO_COLUMNS];	/* of the row, as they stand, strings without quotes; empty: null, or there is none */
	struct str	weight_type;
	uint64_t	n, at;			/* rows it is told to have, and that were read */
	uint8_t		wanted[GECKO_SCHEMA];	/* 1 + the column at this place of a row */
	bool		by_rows, there;
};

enum gecko_name { GECKO_SAMPLES, GECKO_STACKS, GECKO_FRAMES, GECKO_FUNCS, GECKO_RESOURCES, GECKO_SOURCES, GECKO_MARKERS, GECKO_JS,
	GECKO_NATIVE, GECKO_TABLES };

/* Their columns, in the order of gecko_columns. */
enum { SAMPLE_STACK, SAMPLE_TIME, SAMPLE_DELTAS, SAMPLE_WEIGHT, SAMPLE_CPU, SAMPLE_DURATION };
enum { STACK_FRAME, STACK_PREFIX, STACK_OFFSET, STACK_CATEGORY, STACK_SUBCATEGORY };
enum { FRAME_LOCATION, FRAME_FUNC, FRAME_CATEGORY, FRAME_SUBCATEGORY, FRAME_INLINE, FRAME_LIB, FRAME_ADDRESS };
enum { FUNC_NAME, FUNC_FILE, FUNC_SOURCE, FUNC_RESOURCE, FUNC_LINE };
enum { RESOURCE_LIB, RESOURCE_NAME };
enum { SOURCE_FILE };
enum { MARKER_NAME, MARKER_CATEGORY, MARKER_DATA, MARKER_START, MARKER_END, MARKER_PHASE, MARKER_TIME };
enum { COUNTER_TIME, COUNTER_DELTAS, COUNTER_COUNT, COUNTER_NUMBER };

/* Tables of a thread, or tables shared by the threads of a process. */
struct gecko_tables {
	struct gecko_table table[GECKO_TABLES];
	struct json	strings, libs;
	struct str	name, pid, tid, process_name, process_type;
	bool		cut;		/* it ends before its end */
};

extern const char *const gecko_counter_names[];

/* Finds the columns of the table at j, which goes behind it; of one that is no table there is none. */
void	gecko_table_open(struct json *j, const char *const *columns, struct gecko_table *);
bool	gecko_table_next(struct gecko_table *);
/* All tables in the object at j, which goes behind it. */
void	gecko_tables_open(struct json *j, struct gecko_tables *);
struct json gecko_nothing(struct json);	/* a value that is not there */

/* ---- the file ------------------------------------------------------------------------------------- */

struct gecko_thread {
	uint64_t	first, last;	/* times from TIME_ZERO on, of anything in it; first 0: there is nothing */
	uint32_t	process;	/* row of processes */
};

struct gecko {
	struct jload	*l;
	struct marks_in	marks;		/* their times are from TIME_ZERO on while they are read */
	struct gecko_tables shared, own;	/* of the process, of the thread */
	struct native_names *names;	/* of addresses; NULL: they are not looked up */
	struct json	doc;		/* of the process: the file, or a text in it */
	struct json	meta, libs;	/* of the process */
	double		start, delta;	/* ms: meta.startTime of the first process, what that of this one is later */
	double		cpu_unit;	/* ns of one of threadCPUDelta; 0: it has no such unit */
	bool		cpu_cycles;	/* which is then one of cycles */
	bool		raw, offsets;	/* Gecko's; times are no times */
	/* Lookups of the thread that is read; each is loaded once where threads share it. */
	bool		is_shared[GECKO_TABLES + 1];
	struct scratch	strings, funcs, frames, stacks, resources, sources, libs_of, path;
	struct scratch	callers;	/* u32: frames into which others are inlined, by native names; outermost first */
	uint64_t	nstrings, nfuncs, nframes, nstacks, nresources, nsources, nlibs, ncallers;
	struct scratch	categories, subcategories;
	uint64_t	ncategories, nsubcategories;
	struct mark_set	uses;
	struct scratch	threads;	/* struct gecko_thread, by id of the thread */
	uint32_t	thread;		/* id of the one that is read, or was read last of the process; 0: none */
	struct idmap	by_id, unique, labels;	/* of markers */
	struct buf	detail;
	struct points	points;		/* first those of the use of CPUs, from TIME_ZERO on until all times are known */
	uint64_t	first, last;	/* the earliest and the latest time of all, from TIME_ZERO on; 0: there is none */
	/* Counts for the facts. */
	uint64_t	nprocesses, nthreads, whole, no_stack, bad_prefix, bad_index, negative, never_end;
};

/* A number as a JSON text tells it; false: there is none, or none that is finite. */
bool	gecko_number(struct str, double *);
/* 1 + an index into a table of n rows; 0: none, which is counted when it is one of no row. */
uint32_t gecko_index(struct gecko *, struct str, uint64_t n);
/* ns of milliseconds that are no time of a clock. */
uint64_t gecko_interval(double ms);
/* Milliseconds from the start of the process as ns from TIME_ZERO on. */
uint64_t gecko_time(const struct gecko *, double ms);
/* Note a time at which the thread had an event. */
void	gecko_see(struct gecko *, uint64_t time);
struct gecko_thread *gecko_thread_at(struct gecko *, uint32_t thread);

/* The lookups of the thread, as far as they are new. */
bool	gecko_lookups(struct gecko *, struct err *);
void	gecko_lookups_forget(struct gecko *);	/* another process begins */
/* Row of a string in its table as it stands in the file; empty: there is none. */
struct str gecko_string(const struct gecko *, uint32_t row);
/* The stack of a row of the table, and its category: rows of categories and subcategories, 0: none. */
bool	gecko_stack(struct gecko *, uint32_t row, uint32_t *stack, uint32_t category[2], struct err *);

/* Categories of the process, by what meta says. */
bool	gecko_categories(struct gecko *, struct json array, struct err *);
/* Names of a category and its subcategory, rows that gecko_stack gave, as words. */
void	gecko_category_words(const struct gecko *, const uint32_t category[2], uint32_t words[2]);
/* A sample of the thread that is read, with its weight, was in that category, and used so much of a CPU. */
bool	gecko_use(struct gecko *, const uint32_t category[2], uint64_t weight, double cpu, struct err *);
bool	gecko_category_columns(struct gecko *, struct err *);

bool	gecko_samples(struct gecko *, struct err *);
bool	gecko_allocations(struct gecko *, enum gecko_name, struct err *);
bool	gecko_markers(struct gecko *, struct err *);
/* Fields of markers whose values are rows of the string table, and what markers of a type are labelled with. */
bool	gecko_schema(struct gecko *, struct json array, struct err *);
/* Describe the data of a marker of that name: a name, the expanded label of its type, or its fields. */
bool	gecko_detail(struct gecko *, struct str name, struct str data, uint32_t *word, struct err *);
bool	gecko_counters(struct gecko *, struct json array, struct err *);
/* The process with that id. */
uint32_t gecko_process(struct gecko *, struct str pid, struct str name, struct str type, struct err *);

/* All markers as columns, when all times are known. */
bool	gecko_marker_columns(struct gecko *, struct err *);
extern const struct mark_scale gecko_scale;

#endif
