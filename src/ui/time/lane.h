/*
 * lane: a track as one row of cells, and the axis of times above, for the panes that show time.
 */
#ifndef UI_LANE_H
#define UI_LANE_H

#include "icecore/sampled.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

/* The line of times: which cells, and which ns they stand for. */
struct axis {
	int		y, x, w;
	uint64_t	from, to;
};

int	 axis_cell(const struct axis *, uint64_t ns);	/* at the end of the times: behind the last one */
uint64_t axis_begin(const struct axis *, int cell);	/* ns, where the cell begins */
void	 axis_rule(const struct axis *);
void	 axis_ticks(const struct axis *);
void	 axis_range(const struct axis *, uint64_t from, uint64_t to);	/* a marked piece of it */
/* The piece that is marked (ns) is all that other panes count; from == to: everything again. */
void	 axis_choose(struct ui *, uint64_t from, uint64_t to);

struct lane {
	const struct store	*st;		/* of which file */
	struct track		 track;
	size_t			 number;	/* of the track in it */
	uint64_t		 end;		/* of its file, on the clock of the track; 0: not known */
	int64_t			 offset;	/* ns to add to its times to get times of the axis */
	bool			 hidden;
	unsigned		 file;		/* from 1, of another file than the one that is shown; else 0 */
	struct track_piece	*piece;		/* one a cell */
	size_t			 cap;
	int			 width, done;	/* cells of the window, and how many are computed */
	int			 seen;		/* cells that can be drawn: computed or estimated */
	uint64_t		 from, to;	/* what they show: ns of the axis */

	/* Cache: the values of the range that was asked for last. */
	uint64_t		 part_from, part_to;
	bool			 part_known;
	struct track_piece	 part;
};

/* On the worker: compute the tracks of a file.  A file without tracks is no failure. */
bool	 lane_want(struct store *, struct work *, struct err *);
void	 lane_free(struct lane *);
/* Compute the cells of a window (ns of the axis); true if the deadline came first: then the others are estimates. */
bool	 lane_step(struct lane *, uint64_t from, uint64_t to, int width, uint64_t deadline);
/* Highlight sel_from .. sel_to (ns), unless that range is empty. */
void	 lane_draw(const struct lane *, int y, int x, uint64_t sel_from, uint64_t sel_to);
/* Append the value of the lane in a range in a few words: "41%", "Native 62 ms"; nothing if it is unknown. */
void	 lane_value(struct lane *, uint64_t from, uint64_t to, struct buf *);
void	 lane_label(const struct lane *, struct buf *);	/* "state", "CPU 3", "2: state" of another file; appends */

/*
 * Stretches: pieces of time in which nothing changes; of running totals those in which they grew.  A stretch is
 * named by its row in point.time, from 1; 0: there is none.
 */
uint64_t lane_at(const struct lane *, uint64_t time);
uint64_t lane_next(const struct lane *, uint64_t row, bool backward);
/* from and to: ns of the axis; the last state or level lasts to the end of the file. */
void	 lane_stretch(const struct lane *, uint64_t row, uint64_t *from, uint64_t *to);
uint64_t lane_end(const struct lane *);		/* time of its last point on the axis */

uint64_t lane_states(const struct lane *);	/* bits of the first 64 states: those that are drawn */
/* Draw the legend of the state letters on the last lines of the area, if it fits. */
void	 lane_legend(const struct store *, uint64_t states, struct area);
enum role state_role(enum state_class);	/* axis.c: its colour */

#endif
