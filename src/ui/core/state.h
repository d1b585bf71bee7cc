/*
 * state: what the files of core share: struct ui, which nobody else looks into.
 */
#ifndef UI_STATE_H
#define UI_STATE_H

#include "core.h"

enum { UI_PANES = 64, LOOK_MAX = 2048, STEPS = 64 };

/* The view of the file: stages as queries have them, each ends with a newline. */
struct look_state {
	char		 now[LOOK_MAX];		/* of session->view */
	char		 want[LOOK_MAX];
	size_t		 at;			/* file that is wanted */
	enum clock	 clock;			/* by which two files are compared, */
	bool		 clocked;		/* while their call trees are */
	bool		 due;			/* another view is wanted than before */
	struct buf	 file, query;		/* to be opened as well, and what is asked of it then; empty: none */
	bool		 file_due;
};

/* Where a pane is, in its own words. */
struct pane_at {
	const struct pane_kind	*kind;
	const struct pane	*extra;		/* the one, of a kind that may be open more than once; or NULL */
	size_t			 file;
	unsigned		 snapshot;	/* of the file, which the ids are of */
	struct buf		 place;
};

/* Something that was done, or was undone: what lies on its other side. */
struct step {
	enum step_kind		 kind;
	struct buf		 name;		/* "hide /^java/" */
	char			*stages;	/* of the view; NULL: it left them as they were */
	size_t			 file;		/* that they are of */
	struct pane_at		*spot;
	size_t			 nspots, capspots;
	bool			 visit;		/* the way to the pane made it */
};

struct history {
	struct step		 step[STEPS];
	size_t			 n, at;		/* those from at on were undone */
	unsigned		 snapshot;
	bool			 leaving;	/* the view that is wanted is not there yet */
	size_t			 from;		/* where that began */
	struct pane_at		*coming;	/* where panes go when it is */
	size_t			 ncoming, capcoming;
};

/* The methods (of a heap: classes) that match, and what they weigh. */
struct found_state {
	struct task	 task;
	struct sought	 told;
	char		 next_text[256];
	struct pattern	*pattern;	/* of what is told; NULL: none */
	uint8_t		*set, *next_set;	/* one byte a method */
	uint32_t	 n, next_n;
	const uint32_t	*chosen;	/* the threads that count, of who chose them; nchosen 0: all */
	size_t		 nchosen;
	uint32_t	*threads;	/* the threads it weighs, nthreads 0: all */
	size_t		 nthreads;
	enum clock	 clock;
	uint64_t	 weight, whole;	/* ticks, or bytes */
	bool		 backward, quiet;	/* quiet: nothing is said, nothing moves */
};

/* Threads of a file. */
struct mark_state {
	uint32_t	*id;
	size_t		 n, cap, file;
	unsigned	 version;
};

/* The heap as it was opened last, of a store, its version and the choices of the session. */
struct heap_state {
	struct heap	 heap;
	uint64_t	 serial, version;
	bool		 stopped;
};

/* The session as it was once, without its view. */
struct plain {
	struct session	 session;
	struct plain	*older;
};

struct ui {
	struct session		*session;
	const struct ui_options	*opt;
	struct worker		*worker;
	struct task		*queue, *running;
	struct session		 seen;		/* as it was when what runs began: ui_seen */
	uint64_t		 since;		/* when the running task began */
	unsigned		 stopped;	/* at how many percent; 0: nothing was */
	bool			 visiting;	/* a pane is being led to */
	unsigned		 version;	/* how often a store took the place of another one */
	struct plain		*plain;		/* the newest first: ui_plain */
	struct pane		*pane[UI_PANES];
	size_t			 npanes, cur;
	uint64_t		 where;		/* all places where keys apply */
	struct message		 message;
	char			 search[256];	/* that is marked */
	struct look_state	 look;
	struct history		 history;
	struct found_state	 found;
	struct heap_state	 heap;
	struct mark_state	 marks;
};

void	pane_free(struct pane *);

/*
 * history.c: the view changes from stages to next (NULL: to another file), by a step; the panes of the file will not be able
 * to tell any more.
 */
void	step_view(struct ui *, const char *stages, const char *next);
void	history_refused(struct ui *);		/* the view that is wanted cannot be made: it stays what it was */
void	history_forget(const struct pane *);	/* it is closed */
void	history_free(struct ui *);

/* look.c: what the one does to the other in a word or two: "hide /x/", "clear"; appends. */
void	look_name(const char *stages, const char *next, struct buf *);

#endif
