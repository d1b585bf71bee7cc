/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: leak traces: the path from a root to an object as lines for people, with the
 * references to blame.
 */
#ifndef ICECORE_QUERY_LEAKTRACE_H
#define ICECORE_QUERY_LEAKTRACE_H

#include "hrows.h"

/* ---- blame ----------------------------------------------------------------- */

/* State that decides which references of a path are to blame. Zero it, then call blame_open. */
struct blame {
	struct heap		 links;		/* strong references only */
	struct link_index	 index;		/* their slots */
	struct inspector	*inspector;
	ARRAY(struct verdict)	verdicts;	/* verdict for each hop of the last path */
	size_t			 kept;		/* the last hop that is not leaking */
	bool			 leaks;		/* a hop is leaking */
	size_t			 from, to;	/* hops of the suspect references; from == n: none */
	size_t			 owner;		/* the hop that owns the rest; n: none is known */
};

bool	blame_open(struct blame *, const struct session *, struct err *);
void	blame_close(struct blame *);
/* Mark the hops of a path, root first. owner: its reference is to blame if no hop leaks; 0: unknown. */
bool	blame_path(struct blame *, const uint32_t *object, size_t n, uint32_t owner, struct err *);
/* "static com.example.Leaky.sActivity", "com.example.Node.next", "java.lang.Object[3]"; appends raw bytes. */
void	blame_reference(struct blame *, uint32_t holder, uint32_t object, struct buf *);
/* The slot of a reference of a path, as heap_link(). */
bool	blame_link(struct blame *, uint32_t holder, uint32_t object, struct heap_slot *);
/* Append the suspect references of a path in that form; nothing if there are none. */
bool	blame_text(struct blame *, const uint32_t *object, size_t n, uint32_t owner, struct buf *,
    struct err *);

/* ---- lines ------------------------------------------------------------------- */

#define TRACE_WIDTH 78		/* columns of a line, where names let it: a pane has a mark in front of it */

enum trace_line {
	TRACE_HEAD,		/* what the trace is of */
	TRACE_WHY, TRACE_SIGNATURE, TRACE_ROOT, TRACE_HOP, TRACE_MARK, TRACE_NOTE,
	TRACE_REFERENCE, TRACE_UNDERLINE,
	TRACE_FOLD,		/* replaces hops that repeat */
	TRACE_EMPTY, TRACE_LINES
};
extern const char *const trace_line_names[TRACE_LINES];

/* An object on a path; holder: the one before it, 0 at the root. */
struct trace_hop {
	uint32_t	object, holder, depth, of, finding, root;
	struct verdict	verdict;
	bool		suspect;	/* the reference to it is suspect */
	bool		inside;		/* the holder is a part of the collection that holds it */
};

/* A line: bytes of chars; hop: row of hops. */
struct trace_row {
	uint64_t	at, hop;
	uint32_t	n;
	uint8_t		line;		/* enum trace_line */
};

/* Lines of several traces, in order. */
struct traces {
	struct rows	*rows;		/* that they are for: ticks and errors */
	struct blame	*blame;
	bool		 ascii;		/* characters take the columns they take as '?' */
	ARRAY(struct trace_hop)	hops;
	ARRAY(struct trace_row)	lines;
	ARRAY(char)	chars;
	ARRAY(struct step)	steps;
	ARRAY(uint32_t)	path;
	uint64_t	 nhops, nlines, nchars;
	struct buf	 raw, text;
};

/* A path as of heap_routes_to, or the other way round. */
struct trace_path {
	const uint32_t	*object;
	size_t		 n;
	bool		 root_first;
	uint32_t	 root;		/* row of root.*, 0: the dump has none */
	uint32_t	 of, finding;
	uint32_t	 owner;		/* an object on it; 0: none is known */
};

void	traces_open(struct traces *, struct rows *, struct blame *);
void	traces_close(struct traces *);
/* Both false with rows->err filled.  sizes: for what the objects retain. */
bool	trace_add(struct traces *, const struct heap *sizes, const struct trace_path *);
/* Add a line. Text that is too wide is wrapped and indented. */
bool	trace_say(struct traces *, enum trace_line, uint32_t of, uint32_t finding, size_t indent,
	    struct str raw);

#endif
