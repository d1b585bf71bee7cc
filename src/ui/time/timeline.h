/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline: declarations shared by the files of the Timeline pane: making its lines (timeline_lines.c), their
 * order (timeline_rows.c), cells (timeline_cells.c), values (timeline_values.c), groups (timeline_groups.c),
 * keys (timeline_keys.c), and the pane (timeline_pane.c).
 */
#ifndef UI_TIMELINE_H
#define UI_TIMELINE_H

#include "icecore/sums.h"
#include "icecore/view.h"
#include "lane.h"

enum line_order { ORDER_BLOCKED, ORDER_CPU, ORDER_RUNQ, ORDER_WAIT, ORDER_FILE, ORDERS };

/* The mark of a cell. */
enum cell_mark {
	MARK_BLANK, MARK_ALIVE,		/* not alive; alive, without CPU time */
	MARK_BAR,			/* the lowest of eight bars */
	MARK_RUNQ = MARK_BAR + 8, MARK_DISK, MARK_SOCKET, MARK_MONITOR, MARK_GC,
	MARKS
};

/* Cells of a window; the first done cells are computed. */
struct cells {
	uint8_t		*mark;		/* enum cell_mark */
	size_t		 cap;
	int		 width, done;
	uint64_t	 from, to;	/* ns */
};

#define CPU_TRACKS 2u	/* tracks of a thread: time in user mode, and in system mode */

/* A thread or a CPU. */
struct tline {
	struct lane	 lane;		/* intervals of states or tasks, or of CPU use */
	struct track	 cpu_track[CPU_TRACKS];	/* CPU time, or time in user and system mode */
	unsigned	 cpu_tracks;	/* 0: CPU time comes from the states */
	struct track_sums sums;		/* index of the lane; none if it has only CPU time */
	struct cells	 cells;
	struct buf	 name;		/* raw */
	uint32_t	 thread, cpu;	/* cpu: number + 1 */
	bool		 of_process;	/* a track of the process below the threads: it has only the lane */
	bool		 idle, folds;	/* folds: may be folded into the line of idle threads */
	bool		 recorded;	/* states are the waits of a recording, with gaps between them */
	/* ns; for a CPU, on and off are busy and idle, and waits counts switches */
	uint64_t	 on, off, run_queue, disk, blocked, waits;
	uint64_t	 gap, gap_at;	/* the longest time off-CPU, from switch to switch */
	uint32_t	 process;	/* 0: unknown */
	/* first sort key, equal for all lines of a process; 0: not grouped by process */
	uint64_t	 together;
	size_t		 of_group;	/* number of lines of the process, in its first line; else 0 */
	uint64_t	 weight;	/* next sort key; 0: sort by number */
};

struct tlines {
	struct tline	*at;
	size_t		 n, cap;
	struct idmap	 of_thread;	/* 1 + index of the line, while lines are built */
	size_t		 of_process;	/* number of such lines */
	size_t		 name_w;	/* width of the longest name */
	size_t		 busy;		/* number of lines before the idle ones */
	bool		 folds;		/* idle lines can be folded */
	bool		 with_cpu;	/* CPU use is known for at least one line */
	struct sums_grid run_queue;		/* waits of all lines */
};

/* A row about several lines: mean use of the CPUs, waiting tasks, or the sum of idle lines. */
struct total {
	struct cells	 cells;
	uint64_t	*sum;		/* ns, by cell */
	size_t		 cap, next;	/* line to add next */
	uint64_t	 all;		/* ns in the window */
	uint64_t	 most;		/* ns of the cell with the highest value */
};

enum { TOTAL_USE, TOTAL_RUNNABLE, TOTAL_IDLE, TOTALS };

/* A wait; key e visits one after the other. */
struct longest {
	uint32_t	 thread, cpu;
	uint64_t	 at, length;	/* length 0: none visited yet */
};

/* The choices of the user. */
struct timeline_view {
	uint64_t	 cursor;	/* ns */
	uint64_t	 sel;
	size_t		 top;
	enum line_order	 order;
	bool		 cpus;		/* lines are CPUs, otherwise threads */
	bool		 unfolded;	/* idle lines are shown individually */
	bool		 flat;		/* lines are not grouped by process */
};

struct timeline {
	struct task	 task;
	struct pane	*pane;
	struct store	*st, *next;	/* next: store of the lines being built, or built last */
	bool		 ready;		/* false: no lines */
	char		 error[480];
	struct tlines	 lines, new;	/* new: owned by the worker; threads or CPUs */
	struct tlines	 other, new_other;	/* the CPUs while threads are shown */
	bool		 tasks;		/* lines of a scheduler trace */
	bool		 by_stacks;	/* idle threads are known by their stacks; otherwise: by their times */
	unsigned	 marks;		/* mark_version() of these lines */
	struct timeline_view	 at;
	struct axis	 axis;
	struct time_window part;	/* the lines' values are of that time; none: of the whole file */
	int		 value_w;
	char		 find[256];
	struct buf	 kept;		/* name of the selected line, kept over snapshots */
	uint64_t	 kept_from, kept_to;
	struct total	 total[TOTALS];
	struct longest	 longest;
};

extern const char *const order_names[ORDERS];

/* timeline_rows.c */
/* True if the CPU use of the line is known. Recordings know it for some threads only. */
bool	line_has_cpu(const struct tline *);
bool	timeline_has_cpu(const struct timeline *);	/* CPU use is known for any line */
bool	timeline_groups(const struct timeline *);	/* lines are grouped by process */
void	timeline_sort(struct timeline *);
/* current order: the chosen one, or the next one that has values */
enum line_order timeline_order(const struct timeline *);
const char *timeline_order_name(const struct timeline *);
void	timeline_modes(struct pane *, struct buf *);
void	line_name(const struct tline *, struct buf *);
size_t	timeline_rows(const struct timeline *);	/* selectable rows: lines, and one for the folded lines */
struct tline *timeline_line(const struct timeline *, size_t row);	/* NULL: the row of folded lines */
struct tline *timeline_selected(const struct timeline *);
void	timeline_keep(struct timeline *);	/* remember the selected line, for another order or file */
void	timeline_find_kept(struct timeline *);

/* timeline_lines.c */
/* Return whether there are samples, dumps with times, or tracks of threads or CPUs. */
bool	timeline_has_lines(const struct store *);
bool	timeline_run(struct task *, struct work *, struct err *);	/* on the worker: new */
void	timeline_ask(struct timeline *);	/* rebuild the lines */
void	tlines_free(struct tlines *);		/* free the lines and clear the struct */
/* Find the next shorter wait between two times on a CPU, or a hang to the end, except idle sleep; false: none. */
bool	line_longest(const struct tline *, struct longest *);

/* timeline_cells.c */
/* Compute the cells of rows first .. end - 1 and of the totals; true if the deadline came first. */
bool	timeline_step(struct timeline *, size_t first, size_t end, uint64_t deadline);
void	cells_draw(const struct cells *, int y, int x, int first, int last);	/* highlight cells first .. last - 1 */
void	cells_free(struct cells *);
void	total_free(struct total *);
void	line_sums(const struct tline *, uint64_t from, uint64_t to, uint64_t sum[KINDS]);
void	marks_legend(const struct timeline *, struct area);
enum time_kind mark_kind(enum cell_mark);	/* kind of a letter, from MARK_RUNQ on */
const char *mark_word(const struct timeline *, enum cell_mark);	/* names of the file's states of that kind */
void	timeline_legend_items(struct pane *, struct items *);

/* timeline_values.c: values to the right of the cells. */
struct line_column {
	const char	*name;
	size_t		 time;	/* offset of ns in struct tline */
	/* NULL: show as time */
	void		(*show)(const struct tline *, const struct timeline *, char s[NUM_TEXT]);
};
enum cell_mark line_mark(const struct tline *, const uint64_t sum[KINDS], uint64_t length);
/* number of values that fit into w columns */
size_t	line_values(const struct timeline *, int w, const struct line_column **);
void	timeline_details(struct pane *, struct items *);
void	timeline_subject(struct pane *, struct buf *), timeline_status(struct pane *, struct buf *);
void	timeline_path(struct pane *, struct buf *), timeline_strip(struct pane *, struct buf *);
void	line_show(const struct line_column *, const struct tline *, const struct timeline *,
    char s[NUM_TEXT]);

struct tline timeline_sum(const struct timeline *, size_t first, size_t n);	/* sum of some lines */
int	timeline_values_width(const struct timeline *);	/* maximum width of a value, with the gap before it */

/* timeline_groups.c */
void	timeline_groups_change(struct timeline *);	/* group them, or not */
size_t	timeline_groups_first(const struct timeline *, size_t row);	/* row of the first line of the same process */
/* The number of lines of the process of a row; 1: it has no heading. */
size_t	timeline_groups_of(const struct timeline *, size_t row);
/* how many headings are drawn above the row: 0 or 1 */
size_t	timeline_groups_heads(const struct timeline *, size_t row);
/* The row drawn y lines below the first one; SIZE_MAX: none, such as a heading. */
size_t	timeline_groups_row(const struct timeline *, int y);
/* show the selected row on h lines, with the headings above it */
void	timeline_groups_scroll(struct timeline *, size_t h);

/* timeline_keys.c */
bool	timeline_act(struct pane *, enum verb);
void	timeline_click(void *timeline, size_t, int y, int x);	/* y counts from the first row */
/* shown window, ns; false: all is shown */
bool	timeline_zoomed(const struct pane *, uint64_t *from, uint64_t *to);
/* like PLACE_WINDOW; false: no lines yet */
bool	timeline_go_window(struct timeline *, uint64_t from, uint64_t to);
void	timeline_find(struct pane *, const char *what, bool backward);
extern const struct placed_kind timeline_places;

#endif
