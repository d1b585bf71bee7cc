/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the trace loader: the tables being read, and the three containers of method traces.
 */
#ifndef LOAD_TRACE_H
#define LOAD_TRACE_H

#include "icecore/bytes.h"
#include "icecore/make.h"
#include "icecore/unread.h"

#define NO_CLOCK 0xff		/* wall_at, cpu_at */

/* Keys of the version section that are used. */
enum trace_key {
	KEY_OVERFLOW, KEY_CLOCK, KEY_ELAPSED_US, KEY_ELAPSED_NS, KEY_CALLS,
	KEY_OVERHEAD, KEY_VM, KEY_PID, KEY_ALLOC_COUNT, KEY_ALLOC_SIZE, KEY_GC_COUNT, TRACE_KEYS
};

struct trace {
	struct store		*st;
	struct work		*work;
	const uint8_t		*data;
	uint64_t		 size;
	const char		*kind;		/* "v1-regular", ... */
	unsigned		 version;
	uint64_t		 tick;		/* ns */
	uint64_t		 freq;
	unsigned		 recsize, clocks;	/* clocks: 1 << enum clock */
	bool			 wide, guessed;	/* guessed: the file does not state its clocks */
	struct records_layout	 layout;
	struct str		 key[TRACE_KEYS];
	bool			 crlf;
	struct scratch		 methods, threads, segments;
	struct idmap		 ids;		/* raw method id to its number */
	struct idmap		 tids;		/* thread id to its last row in threads */
	uint64_t		 nmethods, nthreads, nsegments;
	uint64_t		 method_lines, records;
	struct unread		 unread;
	/* Repairs and losses. */
	uint64_t		 bad_lines, dup_tids, renames, trailing;
	uint64_t		 lost_bytes, lost_at;	/* at: offset where reading stopped */
	uint64_t		 lost_records;		/* records announced but not in the file */
	bool			 in_summary;	/* the current section repeats earlier tables */
	bool			 no_summary, cut_text, mangled;
};

/* Start of a run of records: in the source, and as a row. */
struct segment {
	uint64_t	offset, row;
};

/*
 * Read the text section from pos up to end: keys, threads, methods. *after: the offset after the *end line; if there
 * is none, end, and *whole is false.
 */
bool	trace_text(struct trace *, uint64_t pos, uint64_t end, uint64_t *after,
	    bool *whole, struct err *);
/* Parse a line of the method table without its id, which is raw. */
bool	trace_method(struct trace *, uint64_t raw, struct str line, struct err *);
/* "id TAB rest" in the announcements of streams. */
bool	trace_method_line(struct trace *, struct str line, struct err *);
bool	trace_thread(struct trace *, uint32_t tid, struct str name, struct err *);
bool	trace_segment(struct trace *, uint64_t offset, struct err *);
/* Clocks from the clock key; without a key they are guessed. */
void	trace_clock(struct trace *, unsigned otherwise);

/* Write the tables read so far as columns. */
bool	trace_tables(struct trace *, struct err *);

bool	trace_regular(struct trace *, struct err *);
bool	trace_stream(struct trace *, struct err *);

/* The recorder dropped the records that did not fit into its buffer. */
static inline bool
trace_overflowed(const struct trace *t)
{
	return str_is(t->key[KEY_OVERFLOW], "true");
}

/* Read a LEB128 number between *p and end; false: truncated or longer than 10 bytes. */
static inline bool
uleb(const uint8_t *data, uint64_t *p, uint64_t end, uint64_t *v)
{
	unsigned shift = 0;

	/* Ten bytes hold 64 bits; without the limit, a file of 0xff would shift too far. */
	for (*v = 0; *p < end && shift < 70; shift += 7) {
		uint8_t c = data[(*p)++];

		if (shift < 64)
			*v |= (uint64_t)(c & 127) << shift;
		if (!(c & 128))
			return true;
	}
	return false;
}

static inline bool
sleb(const uint8_t *data, uint64_t *p, uint64_t end, uint64_t *v)
{
	uint64_t from = *p;
	unsigned bits;

	if (!uleb(data, p, end, v))
		return false;
	bits = 7 * (unsigned)(*p - from);
	if ((data[*p - 1] & 64) && bits < 64)
		*v |= UINT64_MAX << bits;
	return true;
}

#endif
