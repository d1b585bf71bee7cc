/*
 * perf: the text that perf script writes, sample by sample, and the names of its frames.  The loader reads it, and
 * whatever folds stacks by rules of its own.
 */
#ifndef ICECORE_PERF_H
#define ICECORE_PERF_H

#include "icecore/base.h"

struct perf_text {
	const char	*base;
	uint64_t	 size, at;	/* where the next line begins */
	bool		 one_line;	/* headers are indented, and the frame follows them */
	bool		 names;		/* headers are names alone */
	bool		 exact;		/* names end before the first number, as flame graph scripts take them */
	uint64_t	 stray;		/* lines outside of samples */
	uint64_t	 others;	/* records other than samples */
	uint64_t	 lost;		/* lost events, by such records */
};

struct perf_sample {
	struct str	comm, event;	/* event: "cycles:u"; "" when the header names none */
	struct str	details;	/* fields of a tracepoint, after the event */
	struct str	frames;		/* lines, or the end of the header */
	uint64_t	offset;		/* of the header in the text */
	uint64_t	time, period;	/* ns; the number before the event */
	uint32_t	pid, tid;	/* pid 0: unknown */
	bool		has_pid, has_time, has_period;
};

struct perf_frame {
	struct str	address, symbol, module;	/* module: "" for none */
};

/* How names are made of symbols. */
enum perf_names {
	PERF_ADDRESSES = 1,	/* unknown symbols show theirs */
	PERF_JAVA = 2,		/* the L before class names is dropped */
	PERF_RUST = 4,		/* $LT$ and the like are decoded, the final hash is dropped */
	PERF_EXACT = 8		/* as flame graph scripts do, also where they cut a name in two that is one */
};

/* Finds the layout of headers in the first n bytes (at most 64 KiB are needed).  False: they have no sample. */
bool	perf_open(struct perf_text *, const char *base, uint64_t size);
/* The next sample; false: none. */
bool	perf_next(struct perf_text *, struct perf_sample *);
/* Takes the last line of *frames: the outermost frame comes first.  False: none left.  *bad counts lines that are no frames. */
bool	perf_frame(struct str *frames, unsigned names, struct perf_frame *, uint64_t *bad);
/* Takes the next of a symbol's functions from *symbol: of "a->b->c" first a, then b and c, which were inlined into it. */
bool	perf_part(struct str *symbol, unsigned names, struct str *part);
/* Its name: a piece of the text, or else the contents of the buffer. */
struct str perf_name(const struct perf_frame *, struct str part, unsigned names, struct buf *);
/* 'k', 'j' or 0: by the module. */
char	perf_kind(const struct perf_frame *, unsigned names);

#endif
