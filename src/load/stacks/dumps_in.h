/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumps_in: stack dumps being read: a reader of a form names the dumps, threads, frames and locks in the
 * order of the text.
 *
 * A thread is open from dumps_thread until the next one, its dump until the next dumps_begin.  Failures (no
 * memory, too many rows) are kept: after one, nothing more is added and dumps_line ends the text.  Texts are
 * copied unless they are in the source.
 */
#ifndef LOAD_DUMPS_IN_H
#define LOAD_DUMPS_IN_H

#include "icecore/dumped.h"
#include "icecore/lines.h"
#include "icecore/telling.h"
#include "icecore/unread.h"
#include "icecore/runtime.h"
#include "load/counts/counts.h"
#include "load/profile/profile.h"

/* Counts of dropped or unknown data, which become facts. */
enum dump_count {
	DROP_OTHER, DROP_REPORT, DROP_PREFIX, DROP_ELIMINATED, DROP_UNRELIABLE, DROP_LOCALS, DROP_NATIVE, DROP_CUT,
	DROP_UNAVAILABLE,
	DROP_AMBIGUOUS, DROP_OUTSIDE, DROP_NO_END, DROP_REPEATED, DROP_UNTOLD, DROP_HANDLES,
	DROP_LOCKS, DROP_DEEP, DROP_STACKS,
	DUMP_COUNTS
};

/* How the dump names the holder of a wanted lock. */
enum dump_owner { OWNER_NONE, OWNER_NAME, OWNER_ID, OWNER_TID };

/* A text in the source, or the place of a copy. */
struct text_at {
	uint64_t	ref;
	uint32_t	own;
};

struct in_dump {
	enum dump_kind	kind;
	uint32_t	first;		/* first row of threads of the dump, from 0 */
	uint64_t	pid, time, when, program, reason, other;
};

struct in_thread {
	struct text_at	name, id, raw;
	uint64_t	tid, cpu, elapsed, queue, parent;
	/* Hashes of the name, and of the name of the holder */
	uint64_t	name_key, owner, offset;
	uint32_t	listed, lock, holder, stack, count;
	uint32_t	unread;		/* lines not read before its first frame */
	uint32_t	labels;		/* set of labels */
	enum dump_state	state;
	enum dump_want	want;
	enum dump_owner	owner_kind;
	uint8_t		how, flags;
};

/* Members of threads of all dumps, as columns. */
enum in_column {
	IN_LISTED, IN_NAME, IN_NAME_OWN, IN_ID, IN_ID_OWN, IN_TID, IN_STATE, IN_RAW, IN_RAW_OWN, IN_WANT,
	IN_LOCK, IN_HOLDER, IN_HOW,
	IN_STACK, IN_CPU, IN_ELAPSED, IN_COUNT, IN_FLAGS, IN_QUEUE, IN_PARENT, IN_LABELS, IN_COLUMNS
};

struct in_lock {
	struct text_at	key, class;
	uint64_t	reported;	/* hash of the name of its holder in a reported deadlock; 0: none */
	uint32_t	dump;
	uint32_t	first, holders;		/* first thread that holds it, number of such threads */
	uint32_t	last;			/* last thread whose stack holds it */
};

struct in_hold {
	uint32_t	thread, lock;
};

/* A thread of a deadlock that the dump reports. */
struct in_report {
	uint64_t	name, holder;
	uint32_t	dump, number, lock;
};

struct in_frame {
	struct text_at	place;
	uint32_t	method;
	uint16_t	marks;		/* enum runtime, once they are known */
	bool		known;
};

struct in_exact {
	struct text_at	place;
	uint32_t	method, parent, depth;
	uint32_t	frame, child, stack;
};

/* A piece of the source that was joined with others in name_buf. */
struct in_join {
	const char	*from;
	size_t		 at, n;		/* in name_buf */
};

/* Tables that are found by a hash. */
enum in_map { BY_LINE, BY_FRAME, BY_EXACT, BY_LOCK, BY_WHO, BY_SEEN, BY_LISTED, BY_LABELS, IN_MAPS };

struct dumps_in;

/* How the form is read. */
struct in_reader {
	void		(*finish)(struct dumps_in *);	/* called before the open thread ends; or NULL */
	void		*state;				/* for finish */
};

/* The meaning of the text, if that is asked for. */
struct in_meaning {
	struct tells	*to;		/* for meant.h: the dump is not loaded; or NULL */
	uint64_t	 reported;	/* bytes of the text whose lines were reported */
	const char	*line;		/* the present line */
	struct scratch	 joins;		/* struct in_join: pieces of the text in name_buf */
	uint64_t	 njoins;
};

/* Numbers of rows. */
struct in_rows {
	uint64_t	locks, holds, reports;
};

/* The labels of a set that is being read. */
struct in_labels {
	struct scratch	 set;		/* u32 */
	uint64_t	 n;
};

struct dumps_in {
	struct samples	 s;
	struct err	*err;
	bool		 bad;
	struct str	 text;		/* all of it */
	struct lines	 lines;
	bool		 json;		/* the text has no lines */
	struct in_reader reader;
	struct in_meaning meaning;
	struct idmap	 by[IN_MAPS];
	struct text_pool own;
	/* Tables of all dumps; threads: those of the open dump. */
	struct scratch	 dumps, threads, locks, holds, reports, frames, exact;
	uint64_t	 ndumps, nthreads, nlocks, nholds, nreports, nframes, nexact;
	struct narrow	 columns[IN_COLUMNS];
	struct scratch	 last;		/* u32 by thread: its last row in a dump */
	struct in_rows	 before;	/* rows before the open dump */
	struct in_thread t;		/* the open thread */
	struct scratch	 stack;		/* u32: frames of the open thread */
	uint64_t	 nstack, thread_holds;	/* thread_holds: rows of holds before it */
	struct in_labels labels;
	struct in_dump	 none;		/* in place of a dump */
	uint64_t	 reason;	/* reason of the dump that begins next */
	bool		 in_dump, in_thread, owned;
	struct buf	 text_buf, other_buf, name_buf;	/* buffers for readers */
	uint32_t	 event;
	uint64_t	 count[DUMP_COUNTS];
	struct str	 version;	/* version of the program that wrote the dump */
	struct unread	 unread;	/* dumps of other forms */
	struct counts	 counts;	/* class histograms between dumps */
};

void	dumps_end(struct dumps_in *);		/* end the open dump */
void	dumps_open(struct dumps_in *, struct store *, struct work *, struct err *);
void	dumps_close(struct dumps_in *);
/* End the last dump and write columns and facts; format: of a dump. */
bool	dumps_columns(struct dumps_in *, const char *format);

/* ---- text --------------------------------------------------------------------------- */

/* The next line; false: none, cancelled, or failed. */
bool	dumps_line(struct dumps_in *, struct str *line);
/* A reader has come to that offset; false: cancelled, or failed. */
bool	dumps_tick(struct dumps_in *, uint64_t at);
/* Find out which prefix the lines have: the text before the first mark. */
void	dump_lines_prefix(struct lines *);
/* A state of threads, with its words, separated by '|'. */
struct dump_words {
	enum dump_state	 state;
	const char	*words;
};

/*
 * The state of the first word that fits a text, as str_eq, str_has_prefix or str_has; words: ends with NULL.
 */
enum dump_state dumps_state(struct str, bool (*fits)(struct str, struct str word),
	    const struct dump_words *words);
static inline struct text_at
dumps_text(struct dumps_in *in, struct str s)
{
	struct text_at at = { 0, 0 };

	s = str_head(s, REF_MAX);
	in->bad = in->bad || !samples_text(&in->s, &in->own, s, &at.ref, &at.own, in->err);
	return at;
}

static inline struct str
dumps_str(const struct dumps_in *in, struct text_at at)
{
	return at.own != 0 ? str_of(texts_at(&in->own, at.own)) : store_text(in->s.st, at.ref);
}

/* Begin name_buf, or add a piece of the source to it. */
void	dumps_join_begin(struct dumps_in *);
void	dumps_join(struct dumps_in *, struct str);

/*
 * ---- what the text means, if that is asked for: tell.c.  Texts may be in name_buf.
 *
 * Functions that take a name, an id, a frame or a lock report these, too.  A reader reports what it took
 * otherwise, and marks lines of which it took nothing but words.
 */
void	dumps_tell(struct dumps_in *, struct str, enum meaning, const char *path);
/* A name of a function, class or file. */
void	dumps_tell_name(struct dumps_in *, struct str, const char *path);
void	dumps_tell_id(struct dumps_in *, struct str);		/* report an id; numbers stay */
/* Numbers and known words in this line stay. */
void	dumps_tell_words(struct dumps_in *, struct str line);
void	dumps_tell_other(struct dumps_in *);			/* the present line was not read */
/* A string or number of JSON, still escaped; MEANT_FORM: an id. */
void	dumps_tell_member(struct dumps_in *, struct str raw, enum meaning, const char *path);
/* All parts of the lines, or of the JSON, before that place are known. */
void	dumps_tell_lines(struct dumps_in *, const char *at);

/* ---- dumps and threads ------------------------------------------------------------------ */

void	dumps_begin(struct dumps_in *, enum dump_kind);
void	dumps_when(struct dumps_in *, struct str);	/* the time of the open dump */
void	dumps_program(struct dumps_in *, struct str);	/* the program of the open dump */
/*
 * Begin a dump, and return true, if none is open, or if the open one has the number of the thread that comes
 * next.
 */
bool	dumps_begin_for(struct dumps_in *, enum dump_kind, struct str number);
/*
 * A line that says why the dump was made, or what the runtime found: of the open dump, or of the next one.
 * Only the first counts.
 */
void	dumps_reason(struct dumps_in *, struct str, bool next);
/* The open dump; a row without effect if there is none. */
static inline struct in_dump *
dumps_dump(struct dumps_in *in)
{
	assert(!in->in_dump || in->ndumps > 0);
	return in->in_dump ? &SCRATCH(in->dumps, struct in_dump)[in->ndumps - 1] : &in->none;
}

/* Begin a thread in the open dump.  Members of in->t may be set until it ends. */
void	dumps_thread(struct dumps_in *, struct str name, const char *at);
void	dumps_thread_end(struct dumps_in *);
void	dumps_id(struct dumps_in *, struct str);
void	dumps_raw(struct dumps_in *, struct str);
/* Count a line that belongs to no thread, unless it is a banner (banner_of_dump); between: of s, a part of the line. */
void	dumps_other(struct dumps_in *);
void	dumps_between(struct dumps_in *, struct str s);
void	dumps_unread(struct dumps_in *);	/* counts it alone */
/* Count a line of a crash report that is about no thread: its registers, its memory, the machine. */
void	dumps_context(struct dumps_in *);
/* Note a number of the thread that comes next in the open dump; true: it was there already. */
bool	dumps_repeats(struct dumps_in *, struct str number);
/* The open dump has a thread with that id and without a name. */
bool	dumps_lists(struct dumps_in *, struct str id);
/* The thread with a number of dumps_repeats, which has ended; NULL: there is none. */
struct in_thread *dumps_of_number(struct dumps_in *, struct str number);

/* ---- frames, leaf first ------------------------------------------------------------------ */

/* A frame; module: place is that of a module, and functions with the same name in several modules differ. */
void	dumps_frame(struct dumps_in *, struct str function, struct str place, bool module);
/* A name or a place without the text behind it, which is reported as such: name_end, name_end_place. */
struct str dumps_name(struct dumps_in *, struct str, size_t (*length)(struct str));
/* Add the frame of a line that was there before; false: dumps_line_is must follow the frame. */
bool	dumps_line_frame(struct dumps_in *, struct str line, uint64_t *key);
void	dumps_line_is(struct dumps_in *, uint64_t key);
/* Replace the place of the frame added last. */
void	dumps_replace_place(struct dumps_in *, struct str place);
struct str dumps_top_name(const struct dumps_in *, uint64_t i);	/* frame i from the leaf; empty: none */
/* Return the marks of the first n frames, or'ed. */
unsigned dumps_marks(struct dumps_in *, uint64_t n);

/* ---- locks --------------------------------------------------------------------------------- */

uint32_t dumps_lock(struct dumps_in *, struct str key, struct str class);	/* key empty: unknown */
void	dumps_want(struct dumps_in *, enum dump_want, struct str key, struct str class);
void	dumps_want_not(struct dumps_in *);
void	dumps_hold(struct dumps_in *, struct str key, struct str class);
/* The open thread does not hold the lock that it waits for. */
void	dumps_gave_up(struct dumps_in *);
void	dumps_owner(struct dumps_in *, enum dump_owner, struct str);
/* A thread of a deadlock that the dump reports; number: that of the deadlock in its dump. */
void	dumps_report(struct dumps_in *, uint32_t number, struct str name);
/* About the thread that dumps_report added last. */
void	dumps_report_lock(struct dumps_in *, struct str key, struct str class);
void	dumps_report_holder(struct dumps_in *, struct str name);
uint64_t dumps_owner_key(enum dump_owner, struct str);
/* dumps_resolve: find the holders of wanted locks of the open dump. */
void	dumps_resolve(struct dumps_in *);
/* A thread of the open dump that has ended, by its row in all dumps. */
static inline struct in_thread *
dumps_row(struct dumps_in *in, uint64_t row)
{
	assert(row > dumps_dump(in)->first && row <= in->nthreads);
	return &SCRATCH(in->threads, struct in_thread)[row - 1 - dumps_dump(in)->first];
}

#endif
