/*
 * load: recognises an input format by its content and fills base columns
 * from it.  Base columns hold offsets into the source, never copies.
 */
#ifndef ICECORE_LOAD_H
#define ICECORE_LOAD_H

#include "icecore/store.h"

enum shape {
	SHAPE_SAMPLES = 1,	/* weighted paths: call trees, folded stacks */
	SHAPE_INTERVALS = 2,	/* tracks of (start, end, value): calls in time order */
	SHAPE_GRAPH = 4,	/* objects and references */
	SHAPE_ROWS = 8		/* everything else */
};

struct loader {
	const char	*name;		/* "trace" */
	const char	*what;		/* for --list-formats: "Android method trace ..." */
	unsigned	 shapes;	/* or of enum shape */
	/* Looks at the first n bytes (at most SNIFF_MAX) of size. */
	bool		(*sniff)(const uint8_t *head, size_t n);
	/*
	 * Makes base columns and facts from store_source().  Salvages: damage
	 * is counted in loss.* facts and is no failure as long as anything was read.
	 */
	bool		(*load)(struct store *, struct work *, struct err *);
};

#define SNIFF_MAX 65536

extern const struct loader *const loaders[];	/* src/tables.c; ends with NULL */

/*
 * Opens path and its index, unpacks gzip once into a cache file, and runs the
 * loader that recognises the content, unless a valid index has its columns.
 * A file that no loader takes is an E_INPUT error that names what it is, if that is known.
 */
bool	load_open(struct store **, const char *path, const struct store_options *,
	    struct work *, struct err *);
const struct loader *load_loader(const struct store *);

/* ---- method traces: the records ----------------------------------------- */

/*
 * Facts of a method trace beyond those for people: trace.tick = ns per unit of all
 * stored times (1000 or 1), trace.clocks = or of 1 << enum clock.
 *
 * Columns: listed.method (raw id), listed.class, listed.name,
 * listed.signature, listed.file (refs), listed.line (i64, -1 unknown):
 * one row for each distinct id, last line wins;
 * listed.tid, listed.thread (ref), listed.before (id of the row that listed this tid before, 0: none):
 * one row a line, file order.
 * segment.*: where the records lie; read through struct records only.
 */
enum clock { CLOCK_WALL, CLOCK_CPU, CLOCK_OFF, CLOCKS };	/* OFF = wall - cpu, never below 0 */

enum action { ACT_ENTER, ACT_EXIT, ACT_UNROLL, ACT_OTHER,
	/* An exit that names no method: it leaves the innermost open call. */
	ACT_EXIT_TOP, ACT_UNROLL_TOP };

/* One record as it stands in the file; times in ticks, not yet unwrapped. */
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
	uint64_t	 seg, seg_end;	/* present segment, its end row */
	uint64_t	 at;		/* offset of the next record */
	uint64_t	 freq;		/* ticks of the counter per second, V2 C; else 0 */
	struct {			/* running values inside a V2 block */
		uint64_t method, wall, cpu;
		uint32_t tid, left;
		uint64_t end;
		bool first;
	} block;
};

bool	records_open(struct records *, const struct store *, struct err *);
bool	records_seek(struct records *, uint64_t row);
/* Up to max records; offsets (may be NULL) get each one's place in the source.  0 at the end. */
size_t	records_read(struct records *, struct record *, uint64_t *offsets, size_t max);

#endif
