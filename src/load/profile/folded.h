/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folded stacks being read: interface between folded.c and folded_look.c.
 */
#ifndef LOAD_FOLDED_H
#define LOAD_FOLDED_H

#include "profile.h"

/* A frame of the last stack: its end in the line, and its id. */
struct open_frame {
	uint64_t	end;
	uint32_t	stack;
	bool		waker;		/* the frame, or an earlier one, is "--" */
};

struct named {
	uint64_t	key;
	struct str	name;
};

/* Number of lines, */
struct folded_lines {
	uint64_t	ones, twos;	/* by number of counts */
	uint64_t	comments, ignored;
	struct str	mode;
};

/* A part of the text, or all of it; the other parts are joined to the first one. */
struct folded {
	struct samples	 s;
	struct work	*work;
	const char	*data;		/* bytes of the file */
	uint64_t	 from, size;	/* start and size of the part */
	uint64_t	 parts;
	struct folded_lines lines;	/* lines counted by the last detection or reading */
	/* Form of the lines, as detected by folded_look(). */
	struct str	 mode;		/* written by Austin */
	bool		 differs;
	bool		 threads;	/* every stack begins with a thread */
	bool		 unthreaded;	/* at least one stack does not */
	struct idmap	 by_tid;	/* process and thread to index in names, from 1 */
	struct scratch	 names;		/* struct named: not every line names its thread */
	uint64_t	 nnames;
	const struct folded *all;	/* the first part, which owns the names */
	/* The last stack, because most stacks begin like the previous one. */
	struct str	 last;
	struct scratch	 open;		/* struct open_frame */
	uint64_t	 nopen, too_deep;
	uint32_t	 thread, event;
};

void	folded_comment(struct folded_lines *, struct str line);
void	folded_add(struct folded_lines *all, const struct folded_lines *);
/* A trailing number is a count unless names that end in numbers dominate. */
bool	folded_differs(const struct folded_lines *);
/* Report progress: the other parts have progressed about as far. */
bool	folded_go_on(struct folded *, const char *at, struct err *);
/* Call the function with each line in the first bytes of a part; lines are counted again. */
bool	folded_each(struct folded *, uint64_t size, bool (*take)(struct folded *, struct str, struct err *),
    struct err *);
uint64_t folded_thread(const struct thread_told *);	/* return the key of the thread in by_tid */
/*
 * Detect how to read all parts. Usually the first lines decide and reading checks the others, which needs one pass
 * instead of two. sure: examine all lines.
 */
bool	folded_look(struct folded *all, bool sure, struct work *, struct err *);

/*
 * Split off the counts of a line. False: it has no stack; otherwise the text before its count, and before a second
 * one (n is 0: none).
 */
static inline bool
folded_line(struct folded_lines *l, struct str line, struct str *stack, struct str *count,
    struct str *shorter, struct str *before)
{
	*stack = line;
	if (line.n > 0 && line.s[0] == '#') {
		folded_comment(l, line);
		return false;
	}
	if (!folded_count(stack, count)) {
		l->ignored += folded_trim(line).n > 0;
		return false;
	}
	*shorter = *stack;
	if (folded_count(shorter, before)) {
		l->twos++;
	} else {
		*before = STR("");
		l->ones++;
	}
	return true;
}

#endif
