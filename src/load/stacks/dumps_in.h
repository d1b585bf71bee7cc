/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumps_in: stack dumps being read: a reader of a form names the dumps, threads, frames and locks in the order of the text.
 *
 * A thread is open from dumps_thread until the next one, its dump until the next dumps_begin.  Failures (no memory, too many
 * rows) are kept: after one, nothing more is added and dumps_line ends the text.  Texts are copied unless they are in the source.
 */
#ifndef LOAD_DUMPS_IN_H
#define LOAD_DUMPS_IN_H

#include "icecore/dumped.h"
#include "icecore/telling.h"
#include "icecore/unread.h"
#include "load/profile/profile.h"

/* Counts of dropped or unknown data, which become facts. */
enum dump_count {
	DROP_OTHER, DROP_PREFIX, DROP_ELIMINATED, DROP_UNRELIABLE, DROP_LOCALS, DROP_NATIVE, DROP_CUT, DROP_UNAVAILABLE,
	DROP_AMBIGUOUS, DROP_OUTSIDE, DROP_HISTOGRAM, DROP_NO_END, DROP_REPEATED, DROP_UNTOLD, DROP_HANDLES, DROP_LOCKS, DROP_DEEP,
	DUMP_COUNTS
};

/* How the dump names the holder of a wanted lock. */
enum dump_owner { OWNER_NONE, OWNER_NAME, OWNER_ID, OWNER_TID };

/* Properties of a thread that the name of a function shows. */
enum frame_mark {
	FRAME_SLEEPS = 1, FRAME_IO = 2, FRAME_WAITS = 4, FRAME_BLOCKED = 8, FRAME_TIMED = 16, FRAME_NAPS = 32
};

/* A text in the source, or the place of a copy. */
struct text_at {
	uint64_t	ref;
	uint32_t	own;
};

struct in_dump {
	uint8_t		kind;
	uint32_t	first;		/* its first row of threads, from 0 */
	uint64_t	pid, time, when, program, reason, other;
};

struct in_thread {
	uint64_t	name, id, raw, tid, cpu, elapsed, queue, parent;
	uint64_t	name_key, owner, offset;	/* hashes of the name, and of what names the holder */
	uint32_t	name_own, id_own, raw_own, listed, lock, holder, stack, count;
	uint8_t		state, want, how, flags, owner_kind;
};

/* Members of threads of all dumps, as columns. */
enum in_column {
	IN_LISTED, IN_NAME, IN_NAME_OWN, IN_ID, IN_ID_OWN, IN_TID, IN_STATE, IN_RAW, IN_RAW_OWN, IN_WANT, IN_LOCK, IN_HOLDER, IN_HOW,
	IN_STACK, IN_CPU, IN_ELAPSED, IN_COUNT, IN_FLAGS, IN_QUEUE, IN_PARENT, IN_COLUMNS
};

struct in_lock {
	uint64_t	key, class, told;	/* hash of the name of its holder in a reported deadlock; 0: none */
	uint32_t	key_own, class_own, dump;
	uint32_t	first, holders;		/* thread that holds it, number of those */
	uint32_t	last;			/* thread that named it as held last */
};

struct in_hold {
	uint32_t	thread, lock;
};

struct in_told {
	uint64_t	name, holder;
	uint32_t	dump, number, lock;
};

struct in_frame {
	uint64_t	place;
	uint32_t	own, method;
	uint8_t		marks;
};

struct in_exact {
	uint64_t	place;
	uint32_t	own, method, parent, depth;
	uint32_t	frame, child, stack;
};

/* A piece of the source that was joined with others in name_buf. */
struct in_join {
	const char	*from;
	size_t		 at, n;		/* in name_buf */
};

/* Lines of the text, without their ends and without the prefix of a log. */
struct dump_lines {
	struct str	rest;
	struct str	prefix;		/* digits and blanks may vary; empty: there is none */
	uint64_t	prefixed;
};

struct dumps_in {
	struct samples	 s;
	struct store	*st;
	struct work	*work;
	struct err	*err;
	const char	*base;
	struct str	 text;		/* all of it */
	uint64_t	 ticked;
	const char	*line_at;	/* the present line */
	struct dump_lines lines;
	struct scratch	 threads;	/* of the open dump */
	struct narrow	 columns[IN_COLUMNS];
	struct scratch	 dumps, locks, holds, told, frames, exact, open_frames;
	struct scratch	 last;		/* u32 by thread: its last row in a dump */
	uint64_t	 ndumps, nthreads, nlocks, nholds, ntold, nframes, nexact, nopen;
	uint64_t	 dump_locks, dump_holds, dump_told;	/* rows before the open dump */
	struct idmap	 by_line, by_frame, by_exact, by_lock, by_who, by_seen, by_listed;
	struct text_pool own;
	struct buf	 text_buf, other_buf, name_buf;	/* of readers */
	struct in_thread t;		/* the open thread */
	struct in_dump	 none;		/* in place of a dump */
	uint64_t	 reason;	/* of the dump that begins next */
	uint64_t	 thread_holds;	/* rows of holds before it */
	bool		 in_dump, in_thread, bad, owned;
	bool		 json;		/* the text has no lines */
	bool		 headed, closed;	/* for readers: the open dump has a heading, its end mark */
	uint8_t		 (*marks)(struct str function);	/* enum frame_mark; or NULL */
	void		 (*finish)(struct dumps_in *);	/* called before the open thread ends; or NULL */
	void		*reader;	/* state of the reader, for finish */
	struct tells	*tell;		/* for meant.h: the dump is not loaded; or NULL */
	uint64_t	 told_to;	/* bytes of the text whose lines were reported */
	struct scratch	 joins;		/* struct in_join: pieces of the text in name_buf */
	uint64_t	 njoins;
	uint32_t	 event;
	uint64_t	 count[DUMP_COUNTS];
	struct str	 version;	/* of what wrote the dump */
	struct unread	 unread;	/* dumps of other forms */
};

void	dumps_end(struct dumps_in *);		/* of the open dump */
void	dumps_open(struct dumps_in *, struct store *, struct work *, struct err *);
void	dumps_close(struct dumps_in *);
/* End the last dump and write columns and facts; format: of a dump. */
bool	dumps_columns(struct dumps_in *, const char *format);

/* ---- text --------------------------------------------------------------------------- */

/* The next line; false: none, cancelled, or failed. */
bool	dumps_line(struct dumps_in *, struct str *line);
/* A reader of JSON has come to that offset; false: cancelled, or failed. */
bool	dumps_tick(struct dumps_in *, uint64_t at);
/* The next line of a copy of the place, without effects. */
bool	dump_lines_next(struct dump_lines *, struct str *line);
/* Find out which prefix the lines have: the text before the first mark. */
void	dump_lines_prefix(struct dump_lines *);
struct text_at dumps_text(struct dumps_in *, struct str);
struct str dumps_str(const struct dumps_in *, uint64_t ref, uint32_t own);
/* "2026-11-25 04:14:39.5", also with T, slashes and " at ": ns since 1970, ignoring the zone.  UINT64_MAX: no time. */
uint64_t dumps_time(struct str);

/* Begin name_buf, or add a piece of the source to it. */
void	dumps_join_begin(struct dumps_in *);
void	dumps_join(struct dumps_in *, struct str);

/*
 * ---- what the text means, if that is asked for: tell.c.  Texts may be in name_buf.
 *
 * Functions that take a name, an id, a frame or a lock report these, too.  A reader reports what it took otherwise, and marks lines of which
 * it took nothing but words.
 */
void	dumps_tell(struct dumps_in *, struct str, enum meaning, const char *path);
void	dumps_tell_name(struct dumps_in *, struct str, const char *path);	/* of a function, class or file */
void	dumps_tell_id(struct dumps_in *, struct str);		/* it stays if it is a number */
void	dumps_tell_words(struct dumps_in *, struct str line);	/* numbers and known words in this line stay */
void	dumps_tell_other(struct dumps_in *);			/* the present line was not read */
/* A string or number of JSON, still escaped; MEANT_FORM: an id. */
void	dumps_tell_member(struct dumps_in *, struct str raw, enum meaning, const char *path);
/* All parts of the lines, or of the JSON, before that place are known. */
void	dumps_tell_lines(struct dumps_in *, const char *at);

/* ---- dumps and threads ------------------------------------------------------------------ */

/* Begin a dump; when: its time, or empty. */
void	dumps_begin(struct dumps_in *, enum dump_kind, struct str when);
/* A line that says why the dump was made, or what the runtime found: of the open dump, or of the next one.  Only the first counts. */
void	dumps_reason(struct dumps_in *, struct str, bool next);
struct in_dump *dumps_dump(struct dumps_in *);	/* the open one; a row without effect if there is none */
/* Begin a thread in the open dump.  Members of in->t may be set until it ends. */
void	dumps_thread(struct dumps_in *, struct str name, const char *at);
void	dumps_thread_end(struct dumps_in *);
void	dumps_id(struct dumps_in *, struct str);
void	dumps_raw(struct dumps_in *, struct str);
void	dumps_other(struct dumps_in *);		/* count a line that belongs to no thread */
/* Note a number of the thread that comes next in the open dump; true: it was there already. */
bool	dumps_repeats(struct dumps_in *, struct str number);
/* The open dump has a thread with that id and without a name. */
bool	dumps_lists(struct dumps_in *, struct str id);
/* The thread with a number of dumps_repeats, which has ended; NULL: there is none. */
struct in_thread *dumps_of_number(struct dumps_in *, struct str number);

/* ---- frames, leaf first ------------------------------------------------------------------ */

/* A frame; module: place is that of a module, and functions with the same name in several modules differ. */
void	dumps_frame(struct dumps_in *, struct str function, struct str place, bool module);
/* The frame that line stands for, if it was there before; else *row is 0 and dumps_line_is must follow the frame. */
bool	dumps_line_frame(struct dumps_in *, struct str line, uint64_t *key);
void	dumps_line_is(struct dumps_in *, uint64_t key);
void	dumps_replace_place(struct dumps_in *, struct str place);	/* of the frame added last */
const struct in_frame *dumps_top(const struct dumps_in *, uint64_t i);	/* frame i from the leaf, or NULL */
struct str dumps_top_name(const struct dumps_in *, uint64_t i);
uint8_t	dumps_marks(const struct dumps_in *, uint64_t n);	/* of the first n frames, or'ed */

/* ---- locks --------------------------------------------------------------------------------- */

uint32_t dumps_lock(struct dumps_in *, struct str key, struct str class);	/* key empty: unknown */
void	dumps_want(struct dumps_in *, enum dump_want, struct str key, struct str class);
void	dumps_want_not(struct dumps_in *);
void	dumps_hold(struct dumps_in *, struct str key, struct str class);
void	dumps_gave_up(struct dumps_in *);		/* the open thread does not hold the lock that it waits for */
void	dumps_owner(struct dumps_in *, enum dump_owner, struct str);
/* A thread of a deadlock that the dump reports; number: of the deadlock in its dump. */
void	dumps_told(struct dumps_in *, uint32_t number, struct str name);
/* About the thread that dumps_told added last. */
void	dumps_told_lock(struct dumps_in *, struct str key, struct str class);
void	dumps_told_holder(struct dumps_in *, struct str name);
uint64_t dumps_owner_key(enum dump_owner, struct str);
/* dumps_resolve: find the holders of wanted locks of the open dump. */
void	dumps_resolve(struct dumps_in *);
/* A thread of the open dump that has ended, by its row in all dumps. */
struct in_thread *dumps_row(struct dumps_in *, uint64_t row);

#endif
