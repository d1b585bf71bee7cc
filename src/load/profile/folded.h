/*
 * Folded stacks while they are read: what folded.c makes of lines, and folded_look.c tells of them before.
 */
#ifndef LOAD_FOLDED_H
#define LOAD_FOLDED_H

#include "profile.h"

/* A frame of the last stack: where it ends in its line, and what it stands for. */
struct open_frame {
	uint64_t	end;
	uint32_t	stack;
	bool		waker;		/* it, or one before it, is "--" */
};

struct named {
	uint64_t	key;
	struct str	name;
};

/* Lines as they are counted. */
struct folded_lines {
	uint64_t	ones, twos;	/* by their counts */
	uint64_t	comments, ignored;
	struct str	mode;
};

/* One part of the text, or all of it; the first one becomes all. */
struct folded {
	struct samples	 s;
	struct work	*work;
	const char	*data;		/* of the file */
	uint64_t	 from, size;	/* of the part */
	uint64_t	 parts;
	struct folded_lines lines;	/* of the last look, or reading */
	/* How lines are read, as folded_look() found out. */
	struct str	 mode;		/* of Austin */
	bool		 differs;
	bool		 threads;	/* every stack begins with one: told.c */
	bool		 unthreaded;	/* one stack at least does not */
	struct idmap	 by_tid;	/* process and thread to a place in names, from 1 */
	struct scratch	 names;		/* struct named: threads are not named on each line */
	uint64_t	 nnames;
	const struct folded *all;	/* the first part, whose names count */
	/* The last stack: most begin as the one before. */
	struct str	 last;
	struct scratch	 open;		/* struct open_frame */
	uint64_t	 nopen, too_deep;
	uint32_t	 thread, event;
};

void	folded_comment(struct folded_lines *, struct str line);
void	folded_add(struct folded_lines *all, const struct folded_lines *);
/* Names that end in a number are no count as long as they are fewer. */
bool	folded_differs(const struct folded_lines *);
/* Tells of the progress: other parts are about as far. */
bool	folded_go_on(struct folded *, const char *at, struct err *);
/* Each line of the first so many bytes of a part goes to one function; they are counted anew. */
bool	folded_each(struct folded *, uint64_t size, bool (*take)(struct folded *, struct str, struct err *), struct err *);
uint64_t folded_thread(const struct thread_told *);	/* its key in by_tid */
/*
 * Tells what all parts are to be read as.  The first lines mostly do, and reading sees whether the others are alike: that is one
 * way through the file and not two.  sure: all lines are looked at.
 */
bool	folded_look(struct folded *all, bool sure, struct work *, struct err *);

/* Counts a line.  False: it has no stack; else what is before its count, and before a second one (n is 0: there is none). */
static inline bool
folded_line(struct folded_lines *l, struct str line, struct str *stack, struct str *count, struct str *shorter, struct str *before)
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
