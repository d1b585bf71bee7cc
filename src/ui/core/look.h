/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look: the session's view, and which of several files is shown; a part of core.h.
 */
#ifndef UI_LOOK_H
#define UI_LOOK_H

#include "icecore/ui.h"

/* Stages are text in query syntax; each ends with a newline. */
const char *look_now(const struct ui *);	/* stages of the current view */
const char *look_wanted(const struct ui *);	/* stages requested last; the view may not be built yet */
size_t	 look_file(const struct ui *);		/* index of the requested file */
void	 look_choose(struct ui *, size_t file);	/* choose a file, as an undo step */
/* Open and show a file, then run the query on it. */
void	 look_open(struct ui *, struct str path, const char *query);
const char *look_opened(struct ui *);		/* return the requested path, once; NULL: none */
const char *look_asking(const struct ui *);	/* the query for that file; NULL: none */
/* Set the requested stages; keep: add an undo step. */
void	 look_set(struct ui *, const char *stages, bool keep);
/* Add a stage; remove the one that begins with drop (NULL: none). */
void	 look_add(struct ui *, const char *drop, struct str stage);
void	 look_join_in(struct ui *, const char *stages);	/* add stages; only one of range, by, event, state, per, dump and diff remains */
bool	 look_differs(const struct ui *);	/* two files are compared */
bool	 look_due(struct ui *);			/* the view must be rebuilt; true once */
void	 look_taken(struct ui *, const char *stages);	/* the view was built from these stages */
void	 look_refused(struct ui *, bool none);	/* building the view failed; none: no view any more */
void	 look_set_clock(struct ui *, enum clock);	/* if the file has that clock */
enum clock look_clock(const struct ui *);	/* clock for queries that contain the stages of the view */
bool	 look_two(const struct ui *, unsigned shapes);	/* both compared files have this data */
bool	 look_alike(const struct ui *);			/* the files can be compared */
void	 look_join(const char *stages, const char *mark, struct buf *);	/* append the stages, separated by mark */
/* Return the stage that begins with a word; n 0: none. */
struct str look_stage(const char *stages, const char *word);
void	 look_drop(char *stages, const char *word);	/* remove the stage that begins with word */
bool	 look_begins(struct str);	/* the text begins with the name of a view stage */
void	 look_stages(const struct ui *, struct buf *);	/* " | hide /x/ | by package"; appends */
void	 look_chips(const struct ui *, struct buf *);	/* "hide /x/", "range 1-2 s", raw, one per line */
bool	 look_has(const struct ui *, struct str stage);	/* the stage is requested */
bool	 look_hides(const struct ui *);		/* the view omits part of the file */
void	 look_chip(struct str stage, struct buf *);	/* append one chip */
void	 look_threads(struct ui *, uint32_t method);	/* list the threads that a method runs on */
void	 look_bytecode(struct ui *, uint32_t method);	/* show the instructions of a method */
void	 look_code(struct ui *, uint32_t method, uint64_t at);	/* show a method of the bytecode; at: see PLACE_BYTECODE */
/* Restrict all other panes to a range of time (ns on the clock of spans); from == to: remove the range. */
void	 look_range(struct ui *, uint64_t from, uint64_t to);
void	 look_say_range(struct ui *);		/* report the requested range, and how to undo it */
/* Go to the thread's track at that time, if a pane shows tracks; otherwise make that time the range of all panes. */
void	 look_stretch(struct ui *, uint32_t thread, uint64_t from, uint64_t to);
bool	 look_ranged(const struct ui *, uint64_t *from, uint64_t *to);	/* the requested range; false: none */
bool	 look_extent(const struct ui *, uint64_t *from, uint64_t *to);	/* of all threads of the file, ns; false: unknown */

/* ---- scale: a common unit and number of decimals for the times of a window ---------- */

struct scale {
	const char	*unit;
	uint64_t	 per, least;	/* ns of the unit, and of its last decimal */
	int		 decimals;
};

struct scale scale_of(uint64_t most, uint64_t step);	/* for times up to most in steps of step, ns */
struct scale scale_within(uint64_t from, uint64_t to);	/* for positions in a window */
const char *scale_show(char *, size_t, const struct scale *, uint64_t ns);	/* without the unit; returns the text */
void	 scale_window(struct buf *, uint64_t from, uint64_t to);	/* append "2.234-2.872 s" */
/* The same, with " of 5.11 s" if the window is smaller than the file. */
void	 scale_window_of(struct buf *, uint64_t from, uint64_t to, uint64_t all_from, uint64_t all_to);
/* Append the window's position in the file, "[....====....]"; nothing if it shows the whole file. */
void	 scale_strip(struct buf *, uint64_t from, uint64_t to, uint64_t all_from, uint64_t all_to);
void	 scale_at(struct buf *, const char *name, uint64_t ns, uint64_t from, uint64_t to);	/* append a time in a window */

#endif
