/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lane: a track as one row of cells, for panes that show time.
 */
#ifndef UI_LANE_H
#define UI_LANE_H

#include "icecore/sampled.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

/* ---- axis -------------------------------------------------------------------------- */

/*
 * The time axis of Stack chart and Timeline: what is shown of the time, and a range that the user marks
 * by cells.  Times are ns.
 */

/* A range while the user marks it, with keys or the mouse. */
struct marking {
	bool		 open;
	uint64_t	 anchor, at;	/* start and current end: starts of cells */
	uint64_t	 cell;		/* length of the cell at "at" */
};

/* Times from .. to; both 0: none. */
struct time_window {
	uint64_t	 from, to;
};

enum { NAMES_NARROW = 18 };	/* columns of names beside a narrow axis, as on a side of a split screen */

struct axis {
	int		 y, x, w;
	uint64_t	 from, to;		/* shown */
	uint64_t	 all_from, all_to;	/* time of the file */
	uint64_t	 tick;			/* windows begin and end at a multiple of it; 0: 1 ns */
	struct marking	 mark;
	struct time_window range;		/* of all panes, as axis_follow saw it last */
	/* keep the window at the next one: it was marked here, or a visit or an undo chose the window */
	bool		 own;
};

int	 axis_cell(const struct axis *, uint64_t ns);	/* past the last time */
uint64_t axis_begin(const struct axis *, int cell);	/* start of the cell */
uint64_t axis_step(const struct axis *);		/* length of a cell, at least 1 */
uint64_t axis_floor(const struct axis *, uint64_t ns);	/* down to a tick */
uint64_t axis_part(const struct axis *, uint64_t ns, uint64_t n);	/* an n-th, in whole ticks */
bool	 axis_zoomed(const struct axis *);		/* only a part is shown */
/* more time of the file; all_from UINT64_MAX, all_to 0: none yet */
void	 axis_extend(struct axis *, uint64_t from, uint64_t to);
void	 axis_extended(struct axis *);			/* after all of it: an empty file has one tick */
void	 axis_all(struct axis *);			/* show all */

void	 axis_window(struct axis *, uint64_t from, uint64_t to);	/* show it, within the file */
/* show a window that begins before a time */
void	 axis_around(struct axis *, uint64_t at, uint64_t before, uint64_t length);
void	 axis_center(struct axis *, uint64_t at);	/* without changing the length of the window */
void	 axis_pan(struct axis *, bool left);		/* move by a quarter of the window */

void	 axis_rule(const struct axis *);
void	 axis_ticks(const struct axis *, const struct ui *);	/* times and the range */

/* The marked range, which all other panes use; from == to: the whole file. */
void	 axis_choose(struct ui *, uint64_t from, uint64_t to);
void	 axis_mark(struct axis *, uint64_t at, uint64_t cell);	/* start marking if it is not active */
/* The key of the range: start marking at a cell, or make the marked range that of all panes. */
void	 axis_range(struct axis *, struct ui *, uint64_t at);
/* mouse drag between columns of the screen */
void	 axis_drag(struct axis *, struct ui *, int from, int to, bool end);
/*
 * Call it before each step: the window becomes the range of all panes that a prompt or another pane chose, and all
 * again without that range.  True: the range changed.
 */
bool	 axis_follow(struct axis *, const struct pane *);
void	 axis_fade(const struct axis *, int y, int h);	/* dim what is drawn on these lines outside of the range */
void	 axis_status(const struct axis *, struct buf *);	/* append both ends of the marked range, and the keys */

struct lane {
	const struct store	*st;		/* file of the track */
	struct track		 track;
	size_t			 number;	/* number of the track in it */
	uint64_t		 end;		/* end of the file, on the clock of the track; 0: unknown */
	int64_t			 offset;	/* ns to add to track times to get axis times */
	bool			 hidden;
	bool			 heads, folded;	/* heads: nested tracks follow it; folded: they are not shown */
	bool			 below;		/* the lane is below a folded one */
	bool			 of_all;	/* tracks of all processes are shown, so the label has its process */
	uint32_t		 same;		/* how many tracks before it have the same label but for this number */
	unsigned		 file;		/* from 1 for a file other than the one shown; otherwise 0 */
	struct track_piece	*piece;		/* pieces, one for each cell */
	size_t			 cap;
	int			 width, done;	/* cells of the window, and how many are computed */
	int			 seen;		/* cells that can be drawn: computed or estimated */
	uint64_t		 from, to;	/* range of the computed cells: ns of the axis */

	/* Cache: the values of the range that was asked for last. */
	uint64_t		 part_from, part_to;
	bool			 part_known;
	struct track_piece	 part;
};

/* On the worker: compute the tracks of a file. A file without tracks is not an error. */
bool	 lane_want(struct store *, struct work *, struct err *);
void	 lane_free(struct lane *);
/*
 * Compute the cells of a window (ns of the axis); true if the deadline came first: the remaining cells are
 * then estimates.
 */
bool	 lane_step(struct lane *, uint64_t from, uint64_t to, int width, uint64_t deadline);
/* Highlight sel_from .. sel_to (ns), unless that range is empty. */
void	 lane_draw(const struct lane *, int y, int x, uint64_t sel_from, uint64_t sel_to);
/* Append a short value of the lane in a range: "41%", "Native 62 ms"; nothing if unknown. */
void	 lane_value(struct lane *, uint64_t from, uint64_t to, struct buf *);
/* Append "state", "CPU 3"; for another file "2: state"; for the second track of that name "state (2)". */
void	 lane_label(const struct lane *, struct buf *);
void	 lane_head(const struct lane *, struct buf *);	/* lane_label, indented below the tracks above it */

/*
 * Stretches: periods without change; for running totals, periods of growth. A stretch is identified by its
 * row in point.time, from 1; 0: none.
 */
uint64_t lane_at(const struct lane *, uint64_t time);
uint64_t lane_next(const struct lane *, uint64_t row, bool backward);
/* The instant of a row of a TRACK_MOMENT: its row of instant.*, from 1; 0: another track, or row 0. */
uint64_t lane_moment(const struct lane *, uint64_t row);
/* from and to: ns of the axis; the last state or level lasts to the end of the file, an instant 1 ns. */
void	 lane_stretch(const struct lane *, uint64_t row, uint64_t *from, uint64_t *to);
uint64_t lane_end(const struct lane *);		/* time of its last point on the axis */

uint64_t lane_states(const struct lane *);	/* bits of the first 64 states that are drawn */
/* Draw the legend of the state letters on the last lines of the area, if it fits. */
void	 lane_legend(const struct store *, uint64_t states, struct area);
enum role state_role(enum state_class);	/* axis.c: colour of a state */

#endif
