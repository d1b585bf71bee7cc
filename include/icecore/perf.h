/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf: the text output of perf script, sample by sample, and the names of its frames.  Used by the loader
 * and by code that folds stacks by its own rules.
 */
#ifndef ICECORE_PERF_H
#define ICECORE_PERF_H

#include "icecore/kernel.h"
#include "icecore/os.h"

#define PERF_LOST "perf lost events; lower the frequency or enlarge -m"	/* reason of a loss */
#define PERF_EVENTS 32	/* limit of events for which perf_fields detects a CPU field */

struct perf_event {
	uint64_t	key;		/* hash of the event's name */
	uint64_t	headers, with_cpu;
};

/* The numbers between name and time, except pid/tid, which each header shows. */
enum perf_ids {
	PERF_IDS_NONE,
	PERF_IDS_TID,
	PERF_IDS_PERIOD,	/* no time: a number that cannot be an id */
	PERF_IDS_BOTH		/* tid and period, without a time */
};

/* The fields of all headers of a text, as perf script -F chose them. */
struct perf_fields {
	bool		 time, event;	/* event: it ends the header, as there is no time */
	bool		 event_behind;	/* a number, a CPU or flags precede it */
	bool		 period_behind;	/* without a time: the period is behind a CPU or flags */
	bool		 misc;		/* letters behind the name or the ids, without a CPU */
	bool		 flags;		/* letters behind some CPUs */
	bool		 pair, period, named;	/* some headers have pid/tid, a period, an event */
	bool		 one_line;	/* headers have no frames below */
	bool		 sure;		/* hardly another text looks like this */
	enum perf_ids	 ids;
	uint32_t	 nevents;
	struct perf_event events[PERF_EVENTS];
};

struct perf_text {
	const char	*base;
	uint64_t	 size, at;	/* begin of the next line */
	struct perf_fields fields;
	bool		 all;		/* records other than samples come, too, as PERF_OTHER */
	/* Names end before the first number, as flame graph scripts take them. */
	bool		 exact;
	/* A header lacks the number announced by fields.ids: read all of them as names. */
	bool		 misfit;
	uint64_t	 stray;		/* lines outside of samples */
	uint64_t	 lost;		/* lost events, by such records */
};

enum perf_record { PERF_SAMPLE, PERF_OUT, PERF_PREEMPTED, PERF_IN, PERF_OTHER };

struct perf_sample {
	/* PERF_OUT and PERF_IN: a PERF_RECORD_SWITCH of the task that leaves or gets a CPU. */
	enum perf_record record;
	struct str	comm, event;	/* event: "cycles:u"; "" when the header names none */
	struct str	details;	/* fields of a tracepoint, after the event */
	struct str	frames;		/* lines, or the end of the header */
	uint64_t	offset;		/* offset of the header in the text */
	uint64_t	time, period;	/* ns; the number before the event */
	uint32_t	pid, tid;	/* pid 0: unknown */
	bool		has_pid, has_time, has_period;
};

struct perf_frame {
	struct str	address, symbol, module;	/* module: "" for none */
};

/* Rules for making names of symbols, as bits. */
enum perf_names {
	PERF_ADDRESSES = 1,	/* unknown symbols show theirs */
	PERF_JAVA = 2,		/* the L before class names is dropped */
	PERF_RUST = 4,		/* $LT$ and similar escapes are decoded, the final hash is dropped */
	PERF_EXACT = 8		/* names are read as flame graph scripts do, even where they split one name */
};

/* Decides by all headers, or by many of a long text, which fields they have.  False: they have no sample. */
bool	perf_fields_find(struct perf_fields *, const char *base, uint64_t size);
/* Their names as perf script -F has them: "comm pid tid time event". */
void	perf_fields_text(const struct perf_fields *, struct buf *);
/* False: the line is not a header. */
bool	perf_header(const struct perf_fields *, struct str line, struct perf_sample *);

/* Finds the fields of headers.  False: the text has no sample. */
bool	perf_open(struct perf_text *, const char *base, uint64_t size);
/* The next sample, or switch where times are there; false: none. */
bool	perf_next(struct perf_text *, struct perf_sample *);
/* Skips to the line after the next empty line, where a sample ends. */
void	perf_apart(struct perf_text *);
/* Takes the last line of *frames that may be one: the outermost frame comes first.  False: none left. */
bool	perf_line(struct str *frames, struct str *line);
/* False: the line is not a frame.  *bad counts lines that are not valid there in any other way. */
bool	perf_frame(struct str line, unsigned names, struct perf_frame *, uint64_t *bad);
/*
 * Bytes of a last line that is incomplete: perf script ends each with a line end.  0: there is none, or a
 * frame with its module, as files have that people wrote.
 */
uint64_t perf_cut(const char *base, uint64_t size);
/*
 * Takes the next of a symbol's functions from *symbol: of "a->b->c" first a, then b and c, which were
 * inlined into it.
 */
bool	perf_part(struct str *symbol, unsigned names, struct str *part);
/* Return a frame's name: a slice of the text, otherwise the contents of the buffer. */
struct str perf_name(const struct perf_frame *, struct str part, unsigned names, struct buf *);
/* 'k', 'j' or 0: by the module. */
char	perf_kind(const struct perf_frame *, unsigned names);

/* ---- cache of frames ----------------------------------------------------------------- */

/*
 * Frames as numbers of the caller: per line, and as nodes, which combine a frame with all frames before
 * it.  All zeros: empty.  Its size is bounded, whatever the file contains.
 */
struct perf_seen {
	struct scratch	 lines, frames;
	struct str	 last;		/* frames of the last sample */
	unsigned	 names;		/* rules by which they were read */
	uint32_t	 node;		/* nodes that they are on top of */
	uint64_t	 n, most;	/* number of frames, and its limit */
	struct perf_seen_ahead {
		struct str	left, line;	/* text after the line; text of the line */
		uint64_t	key;		/* hash of the line */
		bool		is;
	} ahead;			/* the next line, whose number is being fetched */
};

/* For a sample: consumes from *frames the lines shared with the last one, and moves *node to their node. */
bool	perf_seen_begin(struct perf_seen *, struct str *frames, unsigned names, uint32_t *node,
    struct err *) MUST_USE;
/*
 * Takes the next line of the sample, as perf_line does. *number: to be read and set: 0 as long as nobody
 * did. *frames must not change in between.
 */
bool	perf_seen_next(struct perf_seen *, struct str *frames, struct str *line, uint32_t **number);
/* Records that the last line consumed, with frames remaining, gave node. */
void	perf_seen_frame(struct perf_seen *, struct str frames, uint32_t node);
/* The next sample is to look at the lines from here on again. */
void	perf_seen_end(struct perf_seen *);
void	perf_seen_free(struct perf_seen *);

/* ---- perfdata: recordings of perf ---------------------------------------------------- */

#define PERF_FEATURES_AT 72u	/* offset of the 256 bits of features in perf.data */
#define PERF_HEAD 104u		/* bytes of the head, whose end they are */
/* Whether simpleperf wrote the recording: it has features of its own, so perf reads no names from it. */
bool	perf_is_simple(const void *head, uint64_t n);

/*
 * Write the text of an open recording that this process made to a file, as when it is opened.  perf: path
 * of the program, which is confined.
 */
bool	load_perf_text(const char *perf, int recording, int to, struct err *) MUST_USE;
/* The machine that made a recording; MACHINE_OTHER: unknown, or the file is none. */
enum kernel_machine load_perf_machine(const struct map *);

#endif
