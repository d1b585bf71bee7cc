/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ui: the explorer.  Panes are queries, drawn; keys are rows of one table.
 *
 * The screen thread runs the loop: wait, read all input, act, draw once.  Long operations are tasks for the
 * worker; a pane whose task runs shows partial results.
 */
#ifndef ICECORE_UI_H
#define ICECORE_UI_H

#include "icecore/query.h"

struct ui;
struct key;
struct pane;
struct placed_kind;
struct items;
struct list;
struct list_spec;
struct task;
struct visit;

/* ---- running ------------------------------------------------------------- */

/* The columns of a pane that the user chose. */
struct pane_columns {
	char		*pane, *names;		/* "Methods", "self total method" */
	unsigned	 line;			/* line of the configuration file */
};

/* How pictures are shown: as the terminal says that it can, by a protocol, or in cells. */
enum graphics { GRAPHICS_AUTO, GRAPHICS_KITTY, GRAPHICS_SIXEL, GRAPHICS_CELLS, GRAPHICS };
extern const char *const graphics_names[GRAPHICS];

struct ui_options {
	const char *const		*paths;		/* all files to open; "-" is standard input */
	size_t				 npaths;
	struct store_options		 store;
	struct side_options		 sides;		/* other files about it */
	bool				 has_offset;
	int64_t				 offset;	/* offset of the second file's times, ns */
	const char			*event;		/* the selected file of several; or NULL */
	bool				 no_history;	/* no file keeps the lines of the prompt */
	/* File with marks, also while a script runs; NULL: the usual one. */
	const char			*marks;
	bool				 no_mouse;	/* until a key turns it on */
	/* Configuration file, also while a script runs; NULL: the usual one. */
	const char			*config;
	const char			*config_read;	/* path of the configuration file that ui_run reads */
	/* The event to show, if the file contains it; or NULL. */
	const char			*event_liked;
	const struct pane_columns	*chosen;
	size_t				 nchosen;
	bool				 tour;		/* name the keys to press, one after the other */
	bool				 idle_shown;	/* idle threads are not folded */
	size_t				 graphics;	/* value of enum graphics */
	/* Enter on a row started the process: its end shows the list. */
	bool				 of_row;
	struct report_options		 page;		/* options of the overview that y copies */
	/* Keys that are pressed when the file is open; or NULL. */
	const char			*typed;
	/* Script for tests: no terminal is touched; or NULL. */
	const char			*keys;
	FILE				*frames;	/* output for the frames of the script */
	/* Called before the first file is read; or NULL. */
	bool				(*confine)(const void *, struct err *);
	const void			*confined;	/* argument of confine */
};

/* Files of the user with data of the explorer that belongs to no file; they may be missing. */
void	ui_kept(const struct ui_options *, void (*each)(void *to, const char *path), void *to);
/* Append the beginning of the names that w proposes for a file. */
void	ui_stem(const char *path, struct buf *);

/*
 * Appends the paths of files that were opened recently, the latest last, each with a NUL.  The
 * configuration file is not read.
 */
bool	ui_recent(const struct ui_options *, struct buf *, struct err *) MUST_USE;

/*
 * Opens the explorer at once, loads the first file in the background into
 * session->store[0] (the session must have no store yet; the caller closes it), and
 * returns when the user quits.  A file that cannot be loaded is
 * an error after the terminal was put back.
 */
bool	ui_run(struct session *, const struct ui_options *, struct err *);

/* ---- verbs: actions of keys ----------------------------------------- */

enum verb {
	VERB_NONE,
	/* everywhere */
	VERB_HELP, VERB_QUIT, VERB_CLOSE, VERB_NEXT_PANE, VERB_PREV_PANE, VERB_SPLIT, VERB_SIDE, VERB_PANE, VERB_GO,
	VERB_PALETTE, VERB_PROMPT, VERB_QUERY, VERB_REDRAW, VERB_MOUSE, VERB_CANCEL, VERB_DETAILS, VERB_LEGEND,
	VERB_COPY, VERB_COPY_ADDRESS, VERB_COPY_PAGE, VERB_COPY_ALL, VERB_WRITE,
	VERB_SET_MARK, VERB_MARKS,
	VERB_FIND, VERB_FIND_NAME, VERB_FIND_NEXT, VERB_FIND_PREV, VERB_UNDO, VERB_REDO, VERB_CLEAR,
	/* moving */
	VERB_UP, VERB_DOWN, VERB_LEFT, VERB_RIGHT, VERB_PAGE_UP, VERB_PAGE_DOWN,
	VERB_HALF_UP, VERB_HALF_DOWN, VERB_TOP, VERB_BOTTOM, VERB_ENTER, VERB_BACK,
	/* lists */
	VERB_FILTER, VERB_SORT_LEFT, VERB_SORT_RIGHT, VERB_REVERSE,
	VERB_FOLD, VERB_UNFOLD, VERB_FOLD_ALL, VERB_POOLS, VERB_MARK, VERB_FOCUS, VERB_GOTO,
	/* icicles and time */
	VERB_INVERT, VERB_SANDWICH, VERB_TIME, VERB_CLOCK, VERB_TOGETHER, VERB_NAMES,
	VERB_ZOOM_IN, VERB_ZOOM_OUT, VERB_PAN_LEFT, VERB_PAN_RIGHT, VERB_FIT, VERB_ALL,
	VERB_PREV_CALL, VERB_NEXT_CALL,
	/* time and its tracks */
	VERB_PREV_EVENT, VERB_NEXT_EVENT, VERB_HIDE_TRACK, VERB_ALL_TRACKS, VERB_FOCUS_BACK,
	VERB_EARLIER, VERB_LATER, VERB_RANGE, VERB_RANGE_WINDOW, VERB_BORDERS, VERB_BORDER_LENGTH,
	VERB_PREV_LONGER, VERB_NEXT_LONGER, VERB_TO_START, VERB_TO_END, VERB_AT, VERB_ORDER, VERB_LINES,
	    VERB_FLOW, VERB_FLOW_BACK, VERB_FIND_ALL,
	/* views and files */
	VERB_HIDE, VERB_HIDE_LIKE, VERB_KEEP, VERB_FOLD_LIKE, VERB_BY,
	VERB_VIEW, VERB_EVENT, VERB_ON_THREADS, VERB_BYTECODE,
	VERB_OTHER, VERB_DELTA, VERB_SCALE, VERB_PREV_DUMP, VERB_NEXT_DUMP,
	/* heaps */
	VERB_PATH, VERB_DOMINATORS, VERB_REFERRERS, VERB_ENTRIES, VERB_REFS, VERB_WEAK, VERB_GROUP,
	VERB_FORMAT, VERB_PNG, VERB_PNG_ALL, VERB_EXPLAIN,
	VERBS
};

/*
 * The table as text for tests, a line for each key and each pane where it does something: the key, the
 * pane ("everywhere": all), "heaps" or "traces", "list" where the pane is one, the hint, the help.
 */
void	ui_list_keys(FILE *);
void	ui_list_config(FILE *);	/* print a configuration file with every key and its default */

/* ---- panes --------------------------------------------------------------- */

/* A piece of the screen. */
struct area {
	int	y, x, h, w;
};

/* Information that a pane gives, appended to a text. */
enum tell {
	TELL_PATH,			/* the line under the tabs */
	TELL_STRIP,			/* position in the whole time, "[..==..]" */
	TELL_MODES,			/* text at the right of the tabs */
	TELL_STATUS,			/* text about the selection */
	TELL_COPY,			/* text that y copies */
	TELL_SORTED,			/* criterion, fitted, in a word: "self"; empty: it has no name */
	TELL_SUBJECT,			/* name of the selection, raw, for a search */
	TELL_QUERY,			/* query of the displayed rows */
	TELL_FILE,			/* query of the rows that w writes; empty: TELL_QUERY */
	TELL_FRAME,			/* the full name of the method that is selected, raw */
	TELL_LIMITS,			/* limits of the pane, one per line, raw */
	TELLS
};

/* Events of a pane. */
enum pane_event {
	PANE_BEGINS,			/* before open: steps that cannot fail */
	PANE_CLOSES,
	/* The store is ready, or clock, size or threads changed: recompute derived data. */
	PANE_RESET,
	PANE_FORGETS,			/* release data of the store, which will be closed */
	PANE_FOLLOWS,			/* before each step: request data about the selection */
	PANE_UNMARKS,			/* forget its searches, in addition to the shared ones */
	PANE_MARKED,			/* other methods match than before; nothing moves */
	PANE_EVENTS
};

/*
 * All functions run on the screen thread; long work goes to the worker as a struct task of its own.  If a
 * function is NULL, that of the kind in .like is used, or nothing happens: core.h has the calls.
 * Tests of its rows: keys names screen man.
 */
struct pane_kind {
	/* The row that each begins with. */
	const char	*name;		/* title on the tab: "Icicle" */
	const char	*query;		/* the source it draws; NULL: opened on demand */
	unsigned	 shapes;	/* files it is for, an or of enum shape; 0: all */
	uint64_t	 where;		/* an or of IN_X: keys.h */
	size_t		 size;		/* size of the pane's data, zeroed before open; 0: as nlists needs */

	const struct pane_kind *like;	/* base, which has no base itself; or NULL */
	const struct list_spec *lists;	/* lists to which the data begins with pointers: list.h */
	size_t		 nlists;
	unsigned	 places;	/* a bit for each enum place that it answers */
	enum format	 format;	/* format that w writes; FORMAT_TABLE: tsv */
	bool		 compares;	/* two files, while the view is to */
	const char	*diff;		/* the query that does, where the pane itself cannot; or NULL */
	bool		 plain;		/* queries are about the file, not about the session's view of it */
	bool		 ranged;	/* except the range of that view, which limits them too */
	/* True if the file has data for the pane; NULL: always.  Not inherited. */
	bool		(*fits)(const struct ui *);

	void		(*on[PANE_EVENTS])(struct pane *);
	void		(*tell[TELLS])(struct pane *, struct buf *);
	/* The places of where that apply now; NULL: all of them. */
	uint64_t	(*now)(const struct pane *);
	/* True if something is open in the pane, which q closes; NULL: never. */
	bool		(*inside)(const struct pane *);
	/* Task functions, if the data begins with a struct task; NULL: it does not. */
	bool		(*run)(struct task *, struct work *, struct err *);
	void		(*done)(struct task *, bool ok, const struct err *);
	bool		(*open)(struct pane *, const char *query, struct err *);
	/* Work until the deadline (ns); true if work is left. */
	bool		(*step)(struct pane *, uint64_t deadline);
	void		(*draw)(struct pane *, struct area);
	/* True if the pane shows partial data, because a pass that it needs still runs or was stopped. */
	bool		(*partial)(struct pane *);
	bool		(*busy)(struct pane *);	/* the worker has the rows that keys are about */
	/* False when the verb means nothing here. */
	bool		(*act)(struct pane *, enum verb);
	/* Whether hints show that key now; NULL: they always do. */
	bool		(*offers)(struct pane *, enum verb);
	/* All details of the selection; empty: the text of y. */
	void		(*details)(struct pane *, struct items *);
	void		(*legend)(struct pane *, struct items *);	/* meaning of its colours and marks */
	/* Searches for text; text NULL: the next match. */
	void		(*find)(struct pane *, const char *text, bool backward);
	/*
	 * The mouse is dragged from one column of the screen to another, in the pane's area; end: the
	 * button was released.
	 */
	void		(*drag)(struct pane *, int from, int to, bool end);
	bool		(*go)(struct pane *, const struct visit *);	/* goes there; false: it cannot now */
	const struct placed_kind *place;	/* places, for undo and marks: placed.h */
	uint32_t	(*object)(struct pane *);	/* selected object of a heap; 0: none */
};

/* src/tables.c; both end with NULL. */
extern const struct pane_kind *const panes[];		/* the panes that fit the file, in order */
/* The panes that come first for scheduler traces, in this order. */
extern const struct pane_kind *const task_panes[];
extern const struct pane_kind *const called_panes[];	/* the panes that are opened on request */

/*
 * The letter of a pane behind g, the same in every file. Panes that no file has together may share one. Ends with a
 * NULL name.
 */
struct pane_letter {
	const char	*name;
	char		 letter;
};

extern const struct pane_letter pane_letters[];

#endif
