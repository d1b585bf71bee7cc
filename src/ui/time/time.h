/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time: declarations shared by the files of the pane Stack chart: its window (time_lay.c), drawing (time_draw.c),
 * tracks (time_tracks.c, lanes.c), search (time_seek.c), texts (time_words.c, time_details.c), keys
 * (time_keys.c), marks (time_recall.c), the thread (time_thread.c), and the pane (time_pane.c).
 */
#ifndef UI_TIME_H
#define UI_TIME_H

#include "lanes.h"
#include "ui/icicle/frames.h"

#define SPANS_BUDGET 200000
#define FRAME_NS 16666667		/* frame time of a 60 Hz display */

/* The result of a search. */
struct time_hit {
	uint64_t	start, end;
	uint32_t	depth, method;
};

enum time_job { TIME_PREPARE, TIME_SEEK, TIME_SEARCH, TIME_LONGEST, TIME_FLOW };

/* Request to the worker, times in ns: the next or previous call of a method, or a call longer than a display frame. */
struct time_seek {
	bool		 backward, hit;
	uint32_t	 method;	/* 0: any */
	uint64_t	 start, longer;	/* times of the call to start from */
	/* the requested call; the longest one of time_pane.method; the call at the other end of a flow */
	struct span	 found;
	struct span	 left;		/* the selected call, from or to which a flow is followed */
	uint32_t	 thread;	/* thread of the longest call, or of the other end of a flow */
	uint64_t	 at, there;	/* times of that end, and of the end at the selected call */
};

/* All calls of a thread that match a pattern. */
struct time_search {
	char		 text[256];	/* pattern of the hits; "": none, also while the worker has them */
	char		 asked[256];	/* pattern that the worker searches for */
	uint32_t	 thread;
	uint8_t		*set;		/* matching methods, a byte per method */
	uint32_t	 nset;
	struct scratch	 hits;		/* struct time_hit */
	uint64_t	 n;
};

/* Place to restore in another file or snapshot. */
struct time_kept {
	struct buf	 thread;	/* name of the thread */
	uint32_t	 tid;
	struct time_window	 window;
};

/* Display frames, ns. */
struct time_display {
	bool		 on;
	uint64_t	 length, from;
};

struct time_pane {
	struct task	 task;
	struct pane	*pane;
	struct store	*st;		/* store of the file, without views; NULL: not known yet */
	struct store	*next;		/* store being prepared, or prepared last */
	uint32_t	 thread;	/* 0: the file has none, only tracks */
	uint32_t	 method;	/* show the longest call of this method; 0: none */
	bool		 any;		/* search the longest call in all threads, otherwise in this one */
	bool		 ready;		/* the pass ran */
	bool		 calls;		/* the file has calls in time order */
	bool		 stacks;	/* the thread has no calls, but samples in time order */
	bool		 fresh;		/* the window must be read again */
	bool		 begin;		/* nothing of the thread was shown yet */
	bool		 led;		/* another pane led here: Backspace returns to it, not to the previous window */
	/* another pane requested a call: u returns to the previous window, Backspace to that pane */
	bool		 visit;
	struct axis	 axis;
	struct spans	 spans;		/* calls, with times in ns */
	struct frames	 f;
	uint64_t	 sel_start;	/* start of the selection, kept when the window changes */
	uint32_t	 sel_depth;
	bool		 under;		/* after the layout, select the call under the interval */
	char		 error[480];

	struct lanes	 lanes;		/* without a focus, keys go to the calls */
	size_t		 files;		/* number of open files when the tracks were computed */
	int64_t		 lined_up;	/* estimated offset of the other file, ns */
	unsigned	 sure;		/* confidence in lined_up, percent; 0: no estimate to report */

	bool		 extend;	/* the selection moved: extend the range being marked to it */

	struct time_display	 display;
	enum time_job	 job;
	struct time_seek	 seek;
	struct time_search	 search;
	struct time_kept	 kept;
	struct time_window	 wanted, aim;	/* requested by another pane: to be shown; to be selected */
	bool		 exactly;	/* show the time to be selected, no more */
	uint32_t	 aim_method;	/* the method of the call to be selected at the start of that time; 0: any */
	bool		 aim_end;	/* the call is selected at the end of that time */
	struct buf	 track;		/* name of the track to select; empty: none */
	uint32_t	 track_process;	/* process of that track, or 0 */
	size_t		 track_before;	/* tracks of that name and process before it */
};

/* time_draw.c */
void	time_draw(struct pane *, struct area);
void	time_drag(struct pane *, int from, int to, bool end);

/* time_lay.c */
void	time_lay(struct time_pane *);
void	time_marked(struct pane *);
/* false: a message shows when the thread has data */
bool	time_has_data(const struct time_pane *, uint64_t from, uint64_t to);
/* show that window; keep: u returns to the old one */
void	time_axis(struct time_pane *, const struct axis *, bool keep);
void	time_window(struct time_pane *, uint64_t from, uint64_t to, bool keep);
/* show the call completely, at least three cells wide */
void	time_show(struct time_pane *, uint64_t from, uint64_t to);
/* center the window at at, keeping its length */
void	time_center(struct time_pane *, uint64_t at, bool keep);
const struct span *time_selected(struct time_pane *);
bool	time_piece(struct time_pane *, uint64_t *from, uint64_t *to);	/* time of the selected call or interval */
void	time_read(const struct store *, struct span *, size_t n);	/* times of spans from ticks to ns */

/* time_tracks.c */
bool	time_tracks_want(struct time_pane *, struct work *, struct err *);	/* on the worker */
/*
 * Find the first id, from that one on, with the name; 0: none, or the name is empty. column: any column
 * with a row per id.
 */
uint32_t time_named(const struct store *, column_id column, void (*name)(const struct store *, uint32_t,
    struct buf *),
	    struct str want, uint32_t from);
void	time_tracks_told(struct time_pane *);	/* report the shift of the other file */
void	time_tracks(struct time_pane *);		/* tracks of the thread */
void	time_tracks_select(struct time_pane *);		/* the one that another pane asked for */
bool	time_tracks_step(struct time_pane *, uint64_t deadline);
int	time_tracks_draw(struct time_pane *, bool resized, struct area);	/* returns the lines used */
void	time_point(struct time_pane *, uint64_t from, uint64_t to);
bool	time_tracks_act(struct time_pane *, enum verb);

/* time_seek.c */
bool	time_flow_call(struct time_pane *, uint32_t thread, uint32_t method, uint64_t time, struct span *,
    struct err *);
/* a key: go to the other end of a flow of the selected call */
void	time_flow(struct time_pane *, bool backward);
bool	time_flow_find(struct time_pane *, struct work *, struct err *);	/* on the worker */
void	time_flow_show(struct time_pane *, const struct span *call, uint64_t from, uint64_t to);
void	time_give(struct time_pane *, enum time_job);
void	time_stop(struct time_pane *);		/* stop the search, before another search or thread */
bool	time_seek(struct time_pane *, struct work *, struct err *);
bool	time_search(struct time_pane *, struct work *, struct err *);
bool	time_longest(struct time_pane *, struct work *, struct err *);
void	time_found(struct time_pane *);		/* results of the worker, but flows */
void	time_unmark(struct pane *);
void	time_find(struct pane *, const char *what, bool backward);

/* time_thread.c */
uint32_t time_kept_thread(struct time_pane *);	/* find the thread of kept by tid and name; 0: not in this file */
void	time_set_thread(struct time_pane *);	/* show the thread; 0: the kept one, or the best one */
void	time_thread(struct time_pane *, uint32_t thread);	/* stop the search, and show all of it */
/* Select what another pane asked for, and show the window it asked for; false: none did. */
bool	time_take_wanted(struct time_pane *);

/* time_recall.c */
extern const struct placed_kind time_places;

/* time_words.c */
void	time_path(struct pane *, struct buf *);
void	time_strip(struct pane *, struct buf *);
void	time_modes(struct pane *, struct buf *);
void	time_status(struct pane *, struct buf *);
void	time_copy(struct pane *, struct buf *);
void	time_text(struct pane *, struct buf *);
/* Time of one call of a method in ns, the mean of all its calls; false: it has none here. */
bool	time_average(const struct time_pane *, uint32_t method, uint64_t *ns, uint64_t *calls);
void	time_legend(const struct time_pane *, struct area);	/* legend of the shown states, if there are any */
void	time_legend_items(struct pane *, struct items *);

/* time_details.c */
void	time_details(struct pane *, struct items *);
void	time_subject(struct pane *, struct buf *);

/* time_keys.c */
bool	time_act(struct pane *, enum verb);
void	time_extend(struct time_pane *);		/* extend the range being marked to the selection */

#endif
