/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gecko: profiles in the format of Firefox (JSON), also written by samply and others. A process has threads, a thread
 * has tables: processed profiles store them as columns, raw Gecko profiles as rows with a schema (gecko_table.c).
 * Threads are read one after the other, when their tables were found. Samples, markers and counters are kept.
 */
#ifndef LOAD_GECKO_H
#define LOAD_GECKO_H

#include "load/native/native.h"
#include "profile.h"

/* ---- tables ------------------------------------------------------------------------------------ */

#define GECKO_COLUMNS 8
#define GECKO_SCHEMA 64

/* A table read row by row. */
struct gecko_table {
	struct json	rows, column[GECKO_COLUMNS];	/* stored by rows, not by columns */
	struct str	value[GECKO_COLUMNS];	/* fields of the current row, raw, strings without quotes;
						 * empty: null or missing */
	struct str	weight_type;
	uint64_t	n, at;			/* stated number of rows, and number of rows read */
	uint8_t		wanted[GECKO_SCHEMA];	/* 1 + column at this position in a row */
	bool		by_rows, there;
};

enum gecko_name { GECKO_SAMPLES, GECKO_STACKS, GECKO_FRAMES, GECKO_FUNCS, GECKO_RESOURCES, GECKO_SOURCES,
    GECKO_MARKERS, GECKO_JS,
	GECKO_NATIVE, GECKO_TABLES };

/* Columns of each table, in the order of gecko_columns. */
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
	bool		cut;		/* truncated */
};

struct gecko_form {
	const char	*name;
	const char	*const *columns;
	const char	*const *quiet;	/* further ones, which say nothing about the program */
};

extern const struct gecko_form gecko_counter_form, gecko_source_form;

/*
 * Find the columns of the table at j and advance j; a value that is not a table has none.  Other columns are counted,
 * unless jload is NULL.
 */
void	gecko_table_open(struct jload *, struct json *j, const struct gecko_form *, struct gecko_table *);
bool	gecko_table_next(struct gecko_table *);
uint64_t gecko_table_at(const struct gecko_table *);	/* the place of the row in the file */
/* Find all tables in the object at j, which has that name, and advance j. */
void	gecko_tables_open(struct jload *, struct json *j, const char *object, struct gecko_tables *);

/* ---- file ----------------------------------------------------------------------------------------- */

struct gecko_thread {
	uint64_t	first, last;	/* range of all times from TIME_ZERO on; first 0: none */
	uint32_t	process;	/* index in processes */
};

struct gecko_units {
	double		cpu;		/* ns per unit of threadCPUDelta; 0: not a time unit */
	bool		cycles;		/* that unit is cycles */
	bool		offsets;	/* times are offsets in a file: none is valid */
};

/* Categories of the process. */
struct gecko_categories {
	struct scratch	rows, subs;	/* subs: words */
	uint64_t	n, nsubs;
};

/* Counts for the facts. */
struct gecko_counts {
	uint64_t	whole, no_stack, bad_prefix, bad_index, negative, never_end;
};

struct gecko {
	struct jload	*l;
	struct into	*to;
	struct marks_in	marks;		/* their times count from TIME_ZERO during reading */
	struct gecko_tables shared, own;	/* metadata of the process, of the thread */
	struct native_names *names;	/* names for addresses; NULL: not looked up */
	struct json	doc;		/* source of the process: the file, or a text in it */
	struct json	libs;		/* libraries of the process */
	double		start, delta;	/* ms: meta.startTime of the first process; offset of the current one */
	struct gecko_units unit;
	bool		raw;		/* raw Gecko format */
	/* Tables of the current thread; each is loaded once if threads share it. */
	bool		is_shared[GECKO_TABLES + 1];
	struct scratch	strings, funcs, frames, stacks, resources, sources, libs_of, path;
	struct scratch	callers;	/* u32: by native name, frames with other frames inlined into them;
					 * outermost first */
	uint64_t	nstrings, nfuncs, nframes, nstacks, nresources, nsources, nlibs, ncallers;
	struct scratch	raw_sources;	/* struct str: files of the sources of a process in a raw profile */
	uint64_t	nraw_sources;
	struct gecko_categories cat;
	struct mark_set	uses;
	struct scratch	threads;	/* struct gecko_thread, by id of the thread */
	uint64_t	nthreads;
	uint32_t	thread;		/* id of the current thread, or of the last one of the process; 0: none */
	struct idmap	by_id, unique, labels;	/* maps for markers: by id, by unique field, by label */
	struct buf	detail;
	struct points	points;		/* points of CPU use first, from TIME_ZERO on until all times are known */
	uint64_t	first, last;	/* earliest and latest time, from TIME_ZERO on; 0: none */
	uint64_t	nprocesses;
	struct gecko_counts counts;
};

/* Parse a JSON number; false: missing, or not finite. */
bool	gecko_number(struct str, double *);
/* Return 1 + an index into a table of n rows; 0: none; an invalid index is counted. */
uint32_t gecko_index(struct gecko *, struct str, uint64_t n);
/* Convert a duration in milliseconds to ns. */
uint64_t gecko_interval(double ms);
/* Convert milliseconds since the start of the process to ns from TIME_ZERO on. */
uint64_t gecko_time(const struct gecko *, double ms);
/* Note a time at which the thread, or anything in the file, had an event. */
void	gecko_see(struct gecko *, uint64_t time);
void	gecko_see_any(struct gecko *, uint64_t time);
struct gecko_thread *gecko_thread_at(struct gecko *, uint32_t thread);

/* Load the tables of the thread that changed. */
void	gecko_lookups(struct gecko *);
/* Read the sources of a process in a raw profile: its frames name them by their row. */
void	gecko_raw_sources(struct gecko *, struct json table);
void	gecko_lookups_forget(struct gecko *);	/* call it when another process begins */
/* Return a raw string by its row; empty: none. */
struct str gecko_string(const struct gecko *, uint32_t row);
/* Return the stack of a table row, and its category as rows of categories and subcategories, 0: none. */
uint32_t gecko_stack(struct gecko *, uint32_t row, uint32_t category[2]);

/* Read the categories of the process from meta. */
void	gecko_categories(struct gecko *, struct json array);
/* Return the names of a category and subcategory, given by gecko_stack, as words. */
void	gecko_category_words(const struct gecko *, const uint32_t category[2], uint32_t words[2]);
/* Count a sample of the current thread, with its weight, category and CPU use. */
void	gecko_use(struct gecko *, const uint32_t category[2], uint64_t weight, double cpu);
bool	gecko_category_columns(struct gecko *, struct err *);

void	gecko_samples(struct gecko *);
void	gecko_allocations(struct gecko *, enum gecko_name);
void	gecko_markers(struct gecko *);
/* Read the marker schema: fields whose values are rows of the string table, and labels of marker types. */
void	gecko_schema(struct gecko *, struct json array);
/* Describe the data of a marker with that name as a word: a name, the expanded label of its type, or its fields. */
uint32_t gecko_detail(struct gecko *, struct str name, struct str data);
void	gecko_counters(struct gecko *, struct json array);
/* Return the process with that id. */
uint32_t gecko_process(struct gecko *, struct str pid, struct str name, struct str type);

/* Write all markers as columns, when all times are known. */
bool	gecko_marker_columns(struct gecko *, struct err *);
extern const struct mark_scale gecko_scale;

#endif
