/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lane: a track as one row of cells, and the axis above it, for panes that show time.
 */
#ifndef UI_LANE_H
#define UI_LANE_H

#include "icecore/sampled.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

/* The axis: its cells, and the ns that they stand for. */
struct axis {
	int		y, x, w;
	uint64_t	from, to;
};

int	 axis_cell(const struct axis *, uint64_t ns);	/* past the last time */
uint64_t axis_begin(const struct axis *, int cell);	/* ns where the cell begins */
void	 axis_rule(const struct axis *);
void	 axis_ticks(const struct axis *);
void	 axis_range(const struct axis *, uint64_t from, uint64_t to);	/* a marked range */
/* The marked range (ns), which all other panes use; from == to: the whole file. */
void	 axis_choose(struct ui *, uint64_t from, uint64_t to);

struct lane {
	const struct store	*st;		/* file of the track */
	struct track		 track;
	size_t			 number;	/* of the track in it */
	uint64_t		 end;		/* of its file, on the clock of the track; 0: unknown */
	int64_t			 offset;	/* ns to add to track times to get axis times */
	bool			 hidden;
	bool			 heads, folded;	/* heads: nested tracks follow it; folded: they are not shown */
	bool			 below;		/* it is below a folded one */
	bool			 of_all;	/* tracks of all processes are shown, so the label has its process */
	unsigned		 file;		/* from 1 for a file other than the one shown; otherwise 0 */
	struct track_piece	*piece;		/* one per cell */
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
 * Compute the cells of a window (ns of the axis); true if the deadline came first: the remaining cells are then
 * estimates.
 */
bool	 lane_step(struct lane *, uint64_t from, uint64_t to, int width, uint64_t deadline);
/* Highlight sel_from .. sel_to (ns), unless that range is empty. */
void	 lane_draw(const struct lane *, int y, int x, uint64_t sel_from, uint64_t sel_to);
/* Append a short value of the lane in a range: "41%", "Native 62 ms"; nothing if unknown. */
void	 lane_value(struct lane *, uint64_t from, uint64_t to, struct buf *);
void	 lane_label(const struct lane *, struct buf *);	/* append "state", "CPU 3", or for another file "2: state" */
void	 lane_head(const struct lane *, struct buf *);	/* the same, indented below the tracks above it */

/*
 * Stretches: periods without change; for running totals, periods of growth. A stretch is identified by its row in
 * point.time, from 1; 0: none.
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
