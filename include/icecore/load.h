/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load: recognises an input format by its content and fills base columns from it.  They hold offsets into
 * the source, never copies.
 */
#ifndef ICECORE_LOAD_H
#define ICECORE_LOAD_H

#include "icecore/meant.h"
#include "icecore/sandbox.h"
#include "icecore/store.h"

enum shape {
	SHAPE_SAMPLES = 1,	/* stacks with weights: profiles, and differences of two files */
	SHAPE_INTERVALS = 2,	/* calls in time order */
	SHAPE_GRAPH = 4,	/* objects and references: heaps */
	SHAPE_VALUES = 4096,	/* heap dumps with values of fields and elements, and stacks of threads */
	SHAPE_TEXTS = 8192,	/* heap dumps with texts of strings */
	SHAPE_ROWS = 8,		/* everything else */
	SHAPE_CALLS = 16,	/* calls with their clocks: method traces */
	SHAPE_TRACKS = 32,	/* values and states over time: track.h */
	SHAPE_TASKS = 64,	/* tasks on CPUs over time */
	SHAPE_MARKS = 128,	/* trace events that may be no calls: columns_marks.h */
	SHAPE_EVENTS = 256,	/* samples recorded with calls; a view shows their events */
	SHAPE_TABLE = 512,	/* records with columns: table.h */
	SHAPE_MONEY = 1024,	/* accounts, transactions, balances: columns_money.h */
	SHAPE_CODE = 2048,	/* bytecode of classes, alone or with a call tree or a heap dump: code.h */
	SHAPE_TRIAGE = 16384,		/* rows about many heap dumps: triage.h */
	SHAPE_LASTING = 32768,		/* events that last: interval.* */
	SHAPE_MADE = 65536,		/* a heap dump with a recording of its allocations: made. */
	SHAPE_DUMPS = 131072,		/* stack dumps: dumps.h */
	SHAPE_FOLDER = 524288,		/* files of a directory, as a table */
	SHAPE_COUNTS = 1048576,		/* class histograms: columns_counts.h */
	SHAPE_NATIVE = 2097152,		/* reports of Native Memory Tracking: columns_counts.h */
	SHAPE_SITES = 4194304,		/* heaps with the places in the program that made their objects: site.* */
	SHAPE_DISTANCES = 8388608,	/* heaps with distances from roots and states of DOM nodes: object.distance */
	SHAPE_COSTS = 262144,		/* functions and arcs with costs: columns_costs.h */
	SHAPE_TREES = SHAPE_SAMPLES | SHAPE_CALLS,	/* files with a call tree */
	/* A file is compared with another one that has the same of these. */
	SHAPE_COMPARED = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_COSTS | SHAPE_CODE | SHAPE_TABLE
};

struct heap_form;
struct slicing;
/* A format of files.  Tests of its rows: tables install man. */
struct loader {
	const char	*name;		/* "trace" */
	const char	*what;		/* for --list-formats: "Android method trace ..." */
	unsigned	 shapes;	/* or of enum shape */
	/* Reads the first n bytes: at most SNIFF_MAX, unless whole is set. */
	bool		(*sniff)(const uint8_t *head, size_t n);
	/*
	 * Makes base columns and facts from store_source().  Salvages: damage is counted in loss.* facts and
	 * is not a failure as long as any record was read whole; otherwise E_UNREADABLE.
	 */
	bool		(*load)(struct store *, struct work *, struct err *);
	/* True if the loader would make other columns now than an index has; NULL: never. */
	bool		(*stale)(const struct store *);
	/*
	 * Before load: merges the file and the files that belong to it into one source; no index is kept.
	 * NULL: not needed.
	 */
	bool		(*gather)(struct store *, struct work *, struct err *);
	/* Writes a part of a file (slice.h); NULL: cannot. */
	bool		(*slice)(const struct slicing *, struct err *);
	/*
	 * Reports the parts of a file that it reads (meant.h); *lost: bytes that are damaged. NULL: such
	 * files cannot be redacted.
	 */
	bool		(*meant)(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *,
	    struct err *);
	/* Reads references and texts of a heap that is not an HPROF file (edges.h); NULL: of other files. */
	const struct heap_form *heap;
	bool		whole;		/* the format shows anywhere in it: sniff reads all of the file */
	bool		threads;	/* load uses all threads: nothing runs at the same time */
	/* The fact dump is that of --dump, 0 without it: load reads no later heap dumps of a process, or fails. */
	bool		dumps;
};

#define SNIFF_MAX 65536

/*
 * Options of the command line for loaders; all may be NULL. They find it as facts, trace.ask_path and so on
 * (asks.c).
 */
struct ask_options {
	/* Tables: columns, separated by commas; NULL: no samples are made. */
	const char		*path;
	const char *const	*weight;	/* columns; NULL-terminated, or NULL */
	const char		*time, *sep, *decimal, *header;
	bool			 raw;		/* records have the cut-off rest */
	const char		*by;		/* levels of paths in bank statements, separated by commas */
	const char		*categories;	/* text of rules that give transactions a category */
	/* Account numbers are not shortened; pending transactions count. */
	bool			 full, pending;
	bool			 detail;	/* names of calls in trace events include their detail */
};

extern const struct loader *const loaders[];	/* src/tables.c; ends with NULL */
/*
 * Opens path and its index, decompresses gzip, converts UTF-16 and similar formats once into a cache file,
 * and runs the loader that recognises the content, unless a valid index has its columns.  A file without
 * readable data is an E_UNREADABLE error that names its format, if known.  A text file whose name ends as a
 * table's (.csv, .jsonl) is read as a table if no other format matches.  A directory is a table of the files
 * that can be opened.
 */
bool	load_open(struct store **, const char *path, const struct store_options *, struct work *,
    struct err *) MUST_USE;
/*
 * For struct intake_check: can a loader read data that begins like this, packed or not? name may mark a
 * table.
 */
bool	load_knows(const struct map *, const void *name, struct err *) MUST_USE;
/* Loader for data that begins like this, packed or not, and has that name; NULL: none so far. */
const struct loader *load_format(const struct map *, const char *path);
/* The policy allows its format; otherwise E_USAGE. */
bool	load_permits(const struct map *, const char *path, struct err *);
bool	load_is_name(struct str);	/* whether a loader has that name */
/*
 * Detect the format of an open file; NULL: unknown.  confined: this process may use the libraries of zstd, xz and
 * bzip2.
 */
const struct loader *load_format_fd(int fd, const char *path, bool confined);
/* Store the base columns again, in a store that has none. */
bool	load_again(struct store *, struct work *, struct err *) MUST_USE;
const struct loader *load_loader(const struct store *);
/* Shapes that other files of its formats have: a trace may be without calls, tasks or tracks. */
unsigned load_possible_shapes(unsigned shapes);
/* Shapes of the open file: those of its loader, or of a store over it (fact "shapes"). */
unsigned load_shapes(const struct store *);
/* Number of heap dumps in the file, of which --dump reads one; *at: the one that was read, from 1.  0: no choice. */
uint64_t load_dumps(const struct store *, uint64_t *at);
bool	load_graph_only(unsigned shapes);	/* a call graph that does not say the paths of its calls */
/* Lines of a text that are not of its format, if they are the majority: it may be of another.  Else 0. */
uint64_t load_left_out(const struct store *);

/*
 * A text file next to the open one, unpacked and converted to UTF-8; map_close frees it.  *cut: it is packed
 * and damaged; only its readable part is returned.
 */
bool	text_file_open(struct map *, const char *path, bool *cut, struct work *, struct err *) MUST_USE;
/* text_file_open for any file, or standard input, without conversion; known checks its first part. */
bool	unpacked_open(struct map *, const char *path, const struct intake_check *known, bool *cut,
    struct work *, struct err *) MUST_USE;
/* unpacked_open; *packed gets the packed map, which must be closed, too; size 0: the file is not packed. */
bool	unpacked_open_both(struct map *, struct map *packed, const char *, const struct intake_check *,
    bool *, struct work *, struct err *);

/* ---- sides: data about this file from other files --------------------------- */

struct side_options {	/* NULL-terminated lists of paths, or NULL */
	const char *const	*threads;	/* --threads: thread dumps, lists of "tid comm" */
	const char *const	*mappings;	/* --mapping: mapping.txt of R8 or ProGuard */
	const char *const	*classes;	/* classes: files and directories of bytecode */
	const char *const	*resources;	/* --resources: tables of resources.h */
	const char *const	*checks;	/* --checks: rules of resources.h */
	const char *const	*tables;	/* --tracks: tables whose numbers are tracks */
	const struct ask_options *asked;	/* for tables: time, sep, decimal, header; or NULL */
	int64_t			 offset;		/* ns to add to the times of tables */
};

/* side.by: how a thread of the file was found; 0: by its tid, but its own name is longer. */
enum side_by { SIDE_BY_TID = 1, SIDE_BY_NAME };

/*
 * If one file is a heap dump and the other a recording of allocations or surviving objects: dump becomes a
 * store over it with the recording (store_beside) and SHAPE_MADE.  With a report of native memory it becomes
 * a store with the same report, and SHAPE_NATIVE.  Otherwise nothing is done.  The recording must live as
 * long.
 */
bool	load_recording(struct store **dump, struct store *recording, struct err *) MUST_USE;
/* The file describes a heap dump that is open with it: a recording, or a report of native memory. */
bool	load_goes_beside(const struct store *);
/* True if the data of a file has an axis of time that other files can share. */
bool	load_has_times(const struct store *);
/* The shapes that such a file may have with others beside it. */
static inline unsigned
load_beside_shapes(unsigned shapes)
{
	return shapes | (shapes & SHAPE_GRAPH ? SHAPE_MADE | SHAPE_NATIVE : 0);
}
/*
 * A store over base with the data of side files: the names of threads and methods or classes, and the tracks
 * of the side files of a Nanoscope trace.  *out is base itself if they add nothing.  A side file that was
 * requested and cannot be read is an error, E_USAGE if it is of another kind.  Facts side.* count matches,
 * conflicts and leftovers.  Names of a mapping file are in columns that shadow those of the file, with refs
 * to own text (store_own_text).
 */
bool	load_sides(struct store **out, struct store *base, const struct side_options *,
	    struct work *, struct err *) MUST_USE;

/*
 * Before the sandbox, for a perf.data or trace.dat that the user named: starts perf script or trace-cmd report on it,
 * which is confined as well. Ignores other files.
 */
void	load_run(const char *path, bool inlined, enum sandbox_level);
/*
 * Before the sandbox, for a profile that the user named: opens ELF files and .syms.json that it names, if
 * build ids agree. Ignores others.
 */
void	load_symbols(const char *path, enum sandbox_level);
/* Before the sandbox: whether the explorer opens other files, which this one names: rows of triage do. */
bool	load_leads(const char *path);
/* All files, and their directories, that loading path and its side files may open. */
void	load_files(const char *path, const struct side_options *, void (*each)(void *to, const char *file),
    void *to);

/* ---- live: scheduler text while it is written -------------------------------- */

/*
 * Reads a pipe in bounded memory: sums for each task and CPU, and the last switches and wakeups.  On one
 * thread at a time.
 */
struct live;

/*
 * Reads the first bytes of fd, however long they take.  Scheduler text: *live reads fd from then on, which
 * it closes in the end.  Anything else: *live is NULL, all of it is in a file without a name that has taken
 * the place of fd.
 */
bool	live_open(struct live **live, int fd, struct work *, struct err *) MUST_USE;
/* Takes available data, and more for at most wait_ms; *end: the input ended. */
bool	live_read(struct live *, unsigned wait_ms, bool *end, struct work *, struct err *) MUST_USE;
/*
 * The present state as a store in memory, the caller's: columns and facts of a scheduler trace of which only
 * the last switches are there, and those of pass tasks about all of them (p50, p99 and p99_delay to within
 * 6 %).
 */
bool	live_store(const struct live *, struct store **, struct err *) MUST_USE;
void	live_close(struct live *);	/* NULL is fine */

/* ---- profiles: samples ------------------------------------------------------- */

/*
 * A profile names its frames in listed.* as a method trace names its methods, and its threads, thread id =
 * row.  Names that are not in the source are generated (listed.own).  Columns: columns_trace.h.  Facts:
 * weight.scale (a power of 10; weights are fixed-point), weight.type, weight.unit (text: "samples",
 * "cycles", "us"), weight.tick (ns of one unit when it is a time), weight.differs (1: two weights), event
 * (id of the current one).  Samples recorded with calls have no current event, and only weight.scale.
 */
enum weight_type { WEIGHT_COUNT, WEIGHT_TIME, WEIGHT_BYTES,
	WEIGHT_MONEY,	/* exact, in the currency that the unit names */
	WEIGHT_WHOLE	/* counts without decimals next to weights with decimals */
};

/*
 * Meaning of an event for objects (event.role).  For allocations the first of these roles in a file is
 * used.
 */
enum event_role { EVENT_NO_ROLE, EVENT_ALLOCATES, EVENT_ALLOCATES_BUFFER, EVENT_SURVIVES };

/* num_time_unit; 1 of another unit. */
uint64_t unit_ns(struct str unit);

/* ---- method traces: the records ----------------------------------------- */

/*
 * Facts of a method trace beyond those for people: trace.tick = ns per unit of all stored times (1000 or 1),
 * trace.clocks = or of 1 << enum clock.  Text formats have no records that can be read in place: their
 * loaders make event.time, event.word, event.cpu with CLOCK_CPU and, for several threads, event.tid;
 * trace.layout is LAYOUT_COLUMNS, trace.wide 1, and segment.* one segment.  With the fact trace.all_threads
 * the rows of listed.tid, which must be distinct, are the threads, in that order, including those without
 * records.  Columns: columns_trace.h; scheduler traces: columns_sched.h; trace events: columns_marks.h.
 */
enum clock { CLOCK_WALL, CLOCK_CPU, CLOCK_OFF, CLOCKS };	/* OFF = wall - cpu, never below 0 */

enum action { ACT_ENTER, ACT_EXIT, ACT_UNROLL, ACT_OTHER,
	/* An exit that names no method: it leaves the innermost open call. */
	ACT_EXIT_TOP, ACT_UNROLL_TOP };

/* Encoding of the records of a segment (trace.layout); text formats use columns. */
enum records_kind { LAYOUT_FIXED, LAYOUT_V2A, LAYOUT_V2B, LAYOUT_V2C, LAYOUT_COLUMNS };

/* A record as stored in the file; times in ticks, not yet unwrapped. */
struct record {
	uint64_t	method;		/* raw id, action bits removed */
	uint64_t	wall, cpu;	/* 0 where the file has no such clock */
	uint32_t	tid;
	uint32_t	action;
};

/* A place in the records.  A plain value: copy it to remember the place; nothing to free. */
struct records {
	const uint8_t	*data;
	uint64_t	 size;
	uint64_t	 row, rows;	/* next row, number of rows in the file */
	bool		 wide;		/* 64-bit clocks and thread ids (V2) */
	struct records_layout {
		uint8_t	 kind, tidsize, wall_at, cpu_at;
		uint16_t recsize;
	} layout;
	const struct column *seg_offset, *seg_row;	/* segments by first row */
	struct {			/* event.*, of text formats */
		const uint64_t *time, *cpu;	/* cpu: or NULL */
		const uint32_t *word, *tid;
		uint32_t only;		/* tid of all, without such a column */
	} event;
	uint64_t	 seg, seg_end;	/* present segment, its end row */
	uint64_t	 at;		/* offset of the next record */
	uint64_t	 freq;		/* ticks of the counter per second in V2 C; otherwise 0 */
	struct {			/* running values inside a V2 block */
		uint64_t method, wall, cpu;
		uint32_t tid, left;
		uint64_t end;
		bool first;
	} block;
};

/*
 * The records of a trace from the first one on, and from a row on: records_seek is false if there is no such
 * row.
 */
bool	records_open(struct records *, const struct store *, struct err *) MUST_USE;
bool	records_seek(struct records *, uint64_t row);
/*
 * Read up to max records; 0 at the end. offsets (may be NULL) get the position of each in the source,
 * UINT64_MAX if unknown.
 */
size_t	records_read(struct records *, struct record *, uint64_t *offsets, size_t max);

#endif
