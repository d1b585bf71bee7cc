/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view: a filtered call tree: frames hidden, kept, collapsed or grouped, a time range, one of several events,
 * the difference of two files.
 *
 * A view is a store on top of the one it was made from, with its own call.*, thread.* and method.*, so
 * everything that works on a file works on a view of it.
 */
#ifndef ICECORE_VIEW_H
#define ICECORE_VIEW_H

#include "icecore/pass.h"

enum view_rule_kind {
	VIEW_HIDE,	/* frames that match go; their self weight goes to the caller */
	VIEW_KEEP,	/* only stacks that pass through a frame that matches */
	VIEW_DROP,	/* only stacks that do not */
	VIEW_FOLD	/* chains of matching frames become their first one */
};

struct view_rule {
	enum view_rule_kind	 kind;
	/* Whether a frame matches, by its full name; called once per method. */
	bool			(*match)(void *arg, struct str name);
	void			*arg;
};

/*
 * The subject of a tree: a thread, or all samples of threads in one state, of one stack dump, of one pool, with
 * the same labels, with the same value of one label.
 */
enum view_per { PER_THREAD, PER_STATE, PER_DUMP, PER_POOL, PER_LABELS, PER_LABEL };

/* A label that samples have; match is called once per value. */
struct view_label {
	struct str	 key;
	bool		(*match)(void *arg, struct str value);
	void		*arg;
};


#define DUMP_LAST UINT32_MAX

enum view_group { VIEW_METHOD, VIEW_CLASS, VIEW_PACKAGE, VIEW_FILE, VIEW_MODULE, VIEW_NAME };

struct view {
	bool			 times;		/* not of a call tree: all that counts is the piece of time */
	const struct view_rule	*rule;		/* applied in this order */
	size_t			 nrules;
	/* Frames of one class, package, file, module, or name without its numbers, that follow each other are one. */
	enum view_group		 group;
	bool			 ranged;
	/* Ns: only the part of calls inside it counts; samples count if taken in it. */
	uint64_t		 from, to;
	uint32_t		 event;		/* profiles, 0: the current event of the store */
	bool			 called;	/* only the calls of the file, without the samples in them */
	/* Samples whose thread was in a state that matches; called once per state.  NULL: all. */
	bool			(*state)(void *arg, struct str name);
	void			*state_arg;
	const struct view_label	*label;		/* samples that have all of these */
	size_t			 nlabels;
	enum view_per		 per;		/* samples: the threads of the view */
	struct str		 per_key;	/* PER_LABEL: the key */
	/* Samples of stack dumps, 0: all; only those of this dump, or of DUMP_LAST. */
	uint32_t		 dump;
	/* Compared with this, or NULL: the difference, matched by the names of threads and methods. */
	struct store		*before;
	bool			 normalised;	/* before is scaled to the same total */
	enum clock		 clock;		/* method traces: compared weight */
	const uint32_t		*threads;	/* selected threads; NULL: all */
	size_t			 nthreads;
};

/*
 * Threads keep their ids unless a tree is of something else; methods too unless they are grouped or compared.
 *  Runs the passes of base (and of before) that it needs.  base must live longer.
 */
bool	view_open(struct store **, struct store *base, const struct view *, struct work *, struct err *);
/* Sets the buffer to the group of a frame; the text of a file is that of listed.file. */
void	view_group_name(const struct store *, uint32_t method, enum view_group, struct buf *);
/* The time range of a view, except for samples; false: unlimited, 0 to UINT64_MAX. */
bool	view_range(const struct store *, uint64_t *from, uint64_t *to);
/*
 * Idle threads are found from calls: the file has both clocks, and no context switches, which would be more
 * precise.
 */
bool	trace_has_idle(const struct store *);
/* The thread did almost nothing (pass idle); in a range no thread counts as idle.  Needs thread.idle. */
bool	thread_idle(const struct store *, uint32_t thread);

/*
 * Makes the event of that name current: *top becomes a view of it.  "cycles" means "cycles:u" if only one
 * event begins with it.
 */
bool	view_event(struct store **top, const char *name, struct work *, struct err *);

#endif
