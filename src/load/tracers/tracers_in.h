/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracers_in: weighted stacks without time being read: a reader of a form adds frames and samples in the
 * order of the text.
 *
 * Failures (no memory, too many rows, cancelled) are kept: after one, nothing more is added and tracers_line
 * ends the text. Texts are copied unless they are in the source.  Counts of dropped data become facts.
 */
#ifndef LOAD_TRACERS_IN_H
#define LOAD_TRACERS_IN_H

#include "icecore/lines.h"
#include "load/profile/profile.h"
#include "load/stacks/text.h"
#include "icecore/points.h"

/* Counts of data that is in no stack, or was changed; tracers.c names the facts. */
enum traced_count {
	TRACED_MESSAGES, TRACED_OTHER, TRACED_HISTOGRAMS, TRACED_STACK_HISTOGRAMS, TRACED_SINGLE,
	TRACED_PLAIN, TRACED_TEXTS,
	TRACED_NEGATIVE, TRACED_LARGE, TRACED_CUT, TRACED_NO_VALUE, TRACED_NO_STACK, TRACED_CHILDREN,
	TRACED_LEVELS,
	TRACED_ALLOCATIONS, TRACED_SNAPSHOTS, TRACED_LOST_EVENTS, TRACED_LOST_STACKS, TRACED_ADDRESSES,
	TRACED_JSON, TRACED_XML,
	TRACED_DEEP, TRACED_ROWS, TRACED_SUMS, TRACED_GUESSED, TRACED_BOXES, TRACED_WIDTHS, TRACED_NAMES, TRACED_COUNTS
};

/*
 * A frame as a line names it.  kind: of listed.kind, 'k': kernel.  library: only a library is known, name,
 * shown in brackets.
 */
struct traced_frame {
	struct str	name, module, file;	/* file: empty if unknown */
	uint64_t	line;			/* in the file; 0: unknown */
	char		kind;
	bool		library;
};

/* A line of a stack that is not yet complete; part: of its key, from 0. */
struct traced_line {
	struct str	text;
	uint32_t	part;
};

/* A node of a tree whose lines are indented; levels are numbered from 0. */
struct traced_level {
	uint32_t	frame, stack;
	uint64_t	value, children;	/* children: sum of their values */
	const char	*at;
};

struct tracers_in {
	struct samples	 s;
	struct err	*err;
	bool		 bad;
	struct str	 text;
	struct lines	 lines;
	/* Frames from the root, struct traced_line, struct traced_level */
	struct scratch	 path, kept, levels;
	uint64_t	 npath, nkept, nlevels;
	uint32_t	 part;			/* part to which the next line belongs */
	/* The next sample has these; thread 0: the one without a name; state 0: unknown; labels 0: none */
	uint32_t	 thread, event, state, labels;
	uint64_t	 time;			/* time of the next sample; used if s.times is set */
	bool		 upwards;		/* parents of nodes are their callees */
	/* buf: of readers; if it has no memory, the next frame fails */
	struct buf	 buf, name;
	/* Texts of FACT_PRINTED, FACT_PEAK, FACT_OTHER_VALUES and FACT_PICTURE. */
	struct buf	 notes, peak, others, picture;
	const char	*values;		/* meaning of the values, or NULL */
	struct points	 points;		/* tracks, if the form has some */
	/* Unit that the tracks use instead of nanoseconds; NULL: none */
	const char	*axis;
	uint64_t	 count[TRACED_COUNTS];
};

void	tracers_open(struct tracers_in *, struct store *, struct work *, struct err *);
void	tracers_close(struct tracers_in *);

/* ---- text --------------------------------------------------------------------------- */

/* The next line, of which the last one may be cut; false: none, cancelled, or failed. */
bool	tracers_line(struct tracers_in *, struct str *line);
/* The next line stays the next one. */
bool	tracers_peek(const struct tracers_in *, struct str *line);
/* A reader without lines has come to that offset; false: cancelled, or failed. */
bool	tracers_tick(struct tracers_in *, uint64_t at);
/*
 * A whole number without anything else; false with the count of large ones increased: it does not fit into 64
 * bits.
 */
bool	tracers_number(struct tracers_in *, struct str, uint64_t *);

/* A line without data: it is counted unless it is blank or a banner (banner_is). */
void	tracers_message(struct tracers_in *, struct str line);

/* ---- samples ------------------------------------------------------------------------ */

/* The event of the next samples: what is measured. */
void	tracers_event(struct tracers_in *, struct str name, enum weight_type, const char *unit);
void	tracers_period(struct tracers_in *, struct str event, uint64_t n, uint64_t unit);
void	tracers_thread(struct tracers_in *, uint32_t pid, uint32_t tid, struct str name);
/* A frame on top of the path. */
void	tracers_push(struct tracers_in *, struct traced_frame);
/* Add a frame; the name may be in the buffers. */
void	tracers_push_name(struct tracers_in *, struct str);
void	tracers_push_id(struct tracers_in *, uint32_t frame);
/* The stack of the path, which is emptied; 0: it has no frames, or failed. */
uint32_t tracers_stack(struct tracers_in *);
/* count: samples that it stands for. */
void	tracers_add(struct tracers_in *, uint32_t stack, uint64_t weight, uint64_t count, const char *at);

/* ---- stacks by lines, leaf first ------------------------------------------------------ */

void	tracers_keep(struct tracers_in *, struct str line);
/* The next line belongs to another stack of the same key. */
void	tracers_part(struct tracers_in *);
/*
 * Add the kept lines to the path: the stacks of users first, then that of the kernel.  A stack is of the
 * kernel if it begins at an entry of the kernel; if none does, the first stack is on top.  kernel_first:
 * there are several stacks and the first is of the kernel.
 */
void	tracers_join(struct tracers_in *, bool kernel_first);
void	tracers_forget(struct tracers_in *);		/* the kept lines */
/* "7f5c name+12 (/lib/x.so)", "name+0x1f": the parts of a frame. */
struct traced_frame traced_frame_of(struct str line);

/* ---- trees by indentation --------------------------------------------------------------- */

/*
 * Close levels until only depth are open; a deeper one than there can be is counted and gets the depth that
 * is possible.
 */
void	tracers_level(struct tracers_in *, size_t depth,
	    void (*close)(struct tracers_in *, const struct traced_level *));
/* A node above the open ones.  Its value is added to the children of the node below it. */
void	tracers_node(struct tracers_in *, struct traced_frame, uint64_t value, const char *at);
/* A node that is not a frame but a thread, or all. */
void	tracers_root(struct tracers_in *, uint64_t value, const char *at);
/* The value of a node without those of its children; 0, and counted: these are larger. */
uint64_t tracers_self(struct tracers_in *, const struct traced_level *);
/* For nodes with the values of their children: add a sample with the rest. */
void	tracers_close_level(struct tracers_in *, const struct traced_level *);

#endif
