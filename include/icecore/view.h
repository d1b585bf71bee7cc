/*
 * view: a filtered call tree: frames hidden, kept, collapsed or grouped, a range of time, one event of several,
 * the difference of two files.  A view is a store over the one it was made from, with call.*, thread.* and
 * method.* of its own, so whatever works on a file works on a view of it.
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

enum view_group { VIEW_METHOD, VIEW_CLASS, VIEW_PACKAGE, VIEW_FILE, VIEW_MODULE };

struct view {
	bool			 times;		/* not of a call tree: all that counts is the piece of time */
	const struct view_rule	*rule;		/* applied in this order */
	size_t			 nrules;
	enum view_group		 group;		/* frames of one class, package, file or module that follow each other are one */
	bool			 ranged;
	uint64_t		 from, to;	/* ns: calls count as far as they lie in it, samples when they were taken in it */
	uint32_t		 event;		/* of a profile, 0: as the store has it */
	/* Samples whose thread was in a state that matches; called once per state.  NULL: all. */
	bool			(*state)(void *arg, struct str name);
	void			*state_arg;
	struct store		*before;	/* compared with this, or NULL: the difference, matched by the names of threads and methods */
	bool			 normalised;	/* before is scaled to the same total */
	enum clock		 clock;		/* of method traces: what is compared */
	const uint32_t		*threads;	/* only these, NULL: all */
	size_t			 nthreads;
};

/*
 * Threads keep their ids, methods too unless they are grouped or compared.  Needs what it says by itself: runs passes of base (and
 * of before).  base must live longer.
 */
bool	view_open(struct store **, struct store *base, const struct view *, struct work *, struct err *);
/* Set the buffer to the group of a frame; the text of a file is that of listed.file. */
void	view_group_name(const struct store *, uint32_t method, enum view_group, struct buf *);
/* The piece of time that a view is limited to, but for samples; false: all of it, 0 to UINT64_MAX. */
bool	view_range(const struct store *, uint64_t *from, uint64_t *to);
/* Idle threads are found from calls: the file has both clocks, and no context switches, which would be more precise. */
bool	trace_has_idle(const struct store *);
/* The thread did almost nothing (pass idle); in a range no thread counts as idle.  Needs thread.idle. */
bool	thread_idle(const struct store *, uint32_t thread);

/*
 * Makes the event of that name count: *top becomes a view of what it is.  "cycles" is "cycles:u" where only one event begins so.
 */
bool	view_event(struct store **top, const char *name, struct work *, struct err *);

#endif
