/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state: struct ui, private to the files of core.
 */
#ifndef UI_STATE_H
#define UI_STATE_H

#include "core.h"

enum { UI_PANES = 64, LOOK_MAX = 2048, STEPS = 64 };

/* The view of the file: stages in query syntax, each ends with a newline. */
struct look_state {
	char		 now[LOOK_MAX];		/* stages of session->view */
	char		 want[LOOK_MAX];
	size_t		 at;			/* index of the requested file */
	enum clock	 clock;			/* clock for comparing two files, */
	bool		 clocked;		/* while their call trees are compared */
	bool		 due;			/* the requested view changed */
	struct buf	 file, query;		/* file to open, and query to run on it then; empty: none */
	bool		 file_due;
};

struct bookmark {
	char		 name[BOOKMARK_NAME + 1];
	struct buf	 text;
	unsigned	 snapshot;	/* file in which its ids are valid */
	bool		 moved;		/* ids in the text are not valid any more */
	bool		 kept;		/* the mark is from an earlier session */
};

/* The marks by name, and the mark that the explorer goes to as soon as its pane is ready. */
struct bookmarks {
	struct bookmark	 at[BOOKMARKS];
	size_t		 n;
	struct buf	 coming;	/* text of the mark whose pane is not open yet; empty: none */
	bool		 moved;
};

/* The place of a pane. */
struct pane_at {
	const struct pane_kind	*kind;
	const struct pane	*extra;		/* the pane, if its kind may be open more than once; or NULL */
	size_t			 file;
	unsigned		 snapshot;	/* snapshot of the file that the ids belong to */
	enum placed_use		 use;
	/* 1 + ui_version() when its pane first tried to go there; 0: it waits for its view */
	unsigned		 version;
	struct buf		 place;
};

/* The places that panes go to when the view is built and they are ready; one for each pane. */
struct coming {
	struct pane_at		*at;
	size_t			 n, cap;
};

/* An undo or redo step: the state to restore. */
struct step {
	enum step_kind		 kind;
	struct buf		 name;		/* "hide /^java/" */
	char			*stages;	/* stages of the view; NULL: the step did not change the view */
	size_t			 file;		/* file of the stages */
	struct pane_at		*spot;
	size_t			 nspots, capspots;
	bool			 visit;		/* the step was made by navigation to the pane */
	/* the step leads to a mark: it also changes the visible pane and the clock */
	bool			 jump;
	struct pane		*shown;		/* visible pane before a jump; NULL: closed */
	enum clock		 clock;
};

struct history {
	struct step		 step[STEPS];
	size_t			 n, at;		/* steps from at on were undone */
	unsigned		 snapshot;
	bool			 leaving;	/* the requested view is not built yet */
	size_t			 from;		/* previous value of at */
};

/* The methods (in a heap: classes) that match, and their weight. */
struct found_state {
	struct task	 task;
	struct sought	 told;
	char		 next_text[256];
	struct pattern	*pattern;	/* pattern of the message; NULL: none */
	uint8_t		*set, *next_set;	/* matching methods, a byte per method */
	uint32_t	 n, next_n;
	const uint32_t	*chosen;	/* threads to count, owned by the caller that chose them; nchosen 0: all */
	size_t		 nchosen;
	uint32_t	*threads;	/* copy for the task; nthreads 0: all */
	size_t		 nthreads;
	enum clock	 clock;
	uint64_t	 weight, whole;	/* ticks, or bytes */
	bool		 backward, quiet;	/* quiet: no message, no move */
};

/* The marked threads of a file. */
struct mark_state {
	uint32_t	*id;
	size_t		 n, cap, file;
	unsigned	 version;
};

/* Cached heap, valid for one store, store version and session choices. */
struct heap_state {
	struct heap	 heap;
	uint64_t	 serial, version;
	bool		 stopped;
};

/* A copy of the session without its view. */
struct plain {
	struct session	 session;
	struct plain	*older;
};

/* The sides of a split screen. */
struct split_state {
	bool		 on, files;
	bool		 right;		/* the focus is on the right side */
	bool		 couples, went;	/* in couple_follow; a visit reached the other pane */
	struct pane	*beside;
	struct session	 session;	/* of the other file */
	uint64_t	 seen;		/* checksum of the selection that was coupled last */
	bool		 turned;	/* the focus moved: what is selected there is no news */
};

struct ui {
	struct session		*session;	/* of the pane that is asked: main, or that of split */
	struct session		*main;
	struct split_state	 split;
	const struct ui_options	*opt;
	struct worker		*worker;
	struct task		*queue, *running;
	struct session		 seen;		/* the session when the running task began: ui_seen */
	uint64_t		 since;		/* time of its start */
	unsigned		 stopped;	/* percent done when stopped; 0: not stopped */
	bool			 visiting;	/* navigation to a pane is in progress */
	unsigned		 version;	/* number of times that a store replaced another */
	struct plain		*plain;		/* newest first: ui_plain */
	struct pane		*pane[UI_PANES];
	size_t			 npanes, cur;
	uint64_t		 where;		/* key contexts: ui_places */
	struct message		 message;
	char			 search[256];	/* text of the marked matches */
	struct look_state	 look;
	struct history		 history;
	struct found_state	 found;
	struct heap_state	 heap;
	struct mark_state	 marks;
	struct bookmarks	 bookmarks;
	struct coming		 coming;
};

/* placed.c: the places that panes are in, and those that they go to. */
struct pane *placed_pane(const struct ui *, const struct pane_at *);	/* NULL: it is not open */
bool	placed_is(const struct pane_at *, const struct pane *);	/* a place of that pane */
struct pane_at placed_now(struct pane *);		/* place for undo: the one that it goes to, if there is one */
void	placed_come(struct ui *, const struct pane_at *);	/* go there as soon as possible */
/* Go to the places that can be reached now; all: not only in the visible pane.  True: some were. */
bool	placed_arrive(struct ui *, bool all);
void	placed_drop(struct ui *, unsigned use);	/* do not go to places of that use */

static inline void
bookmark_stay(struct ui *ui)			/* do not go to a mark */
{
	buf_clear(&ui->bookmarks.coming);
	placed_drop(ui, OF_MARK);
}

void	pane_free(struct pane *);
void	split_lead(struct ui *, const struct visit *);	/* a visit within couple_follow */
/* ui->session becomes that of panes of the other file, or of this one */
void	split_enter(struct ui *, bool other);

/*
 * history.c: add a step that changes the view from stages to next (NULL: to another file).  It saves the
 * places of all panes now, since they are lost with the view.
 */
void	step_view(struct ui *, const char *stages, const char *next);
/* history.c: call it before going to a mark. to: its pane, if open; view: the mark has another view. */
void	step_jump(struct ui *, const char *mark, struct pane *to, bool view);
void	history_refused(struct ui *);		/* the requested view cannot be built; keep the old one */
void	history_forget(const struct pane *);	/* drop the steps of a closed pane */
void	history_free(struct ui *);

/* look.c: append a short name of the change from stages to next: "hide /x/", "clear". */
void	look_name(const char *stages, const char *next, struct buf *);
void	look_want(struct ui *, const char *stages);	/* look.c: request that view */
bool	look_has_stage(const char *stages, struct str stage);	/* look.c: it is one of them */

#endif
