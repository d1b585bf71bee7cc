/*
 * timeline: what the files of the pane Timeline share: its lines (timeline_rows.c), their cells (timeline_cells.c), its
 * keys (timeline_keys.c), the pane (timeline_pane.c).
 */
#ifndef UI_TIMELINE_H
#define UI_TIMELINE_H

#include "icecore/sums.h"
#include "icecore/view.h"
#include "lane.h"

enum line_order { ORDER_CPU, ORDER_RUNQ, ORDER_WAIT, ORDER_FILE, ORDERS };

/* What a cell shows. */
enum cell_mark {
	MARK_BLANK, MARK_ALIVE,		/* not there; there, without CPU time */
	MARK_BAR,			/* the lowest of eight */
	MARK_RUNQ = MARK_BAR + 8, MARK_DISK, MARK_MONITOR, MARK_GC,
	MARKS
};

/* Cells of a window, made as far as there is time. */
struct cells {
	uint8_t		*mark;		/* enum cell_mark */
	size_t		 cap;
	int		 width, done;
	uint64_t	 from, to;	/* ns */
};

#define CPU_TRACKS 2u	/* of a thread: time in user mode, in system mode */

/* A thread or a CPU. */
struct tline {
	struct lane	 lane;		/* its stretches: of states or tasks, or how it used the CPU */
	struct track	 cpu_track[CPU_TRACKS];	/* of CPU time, as in user and system mode */
	unsigned	 cpu_tracks;	/* 0: its states tell it */
	struct track_sums sums;		/* of the lane; of CPU time alone there are none */
	struct cells	 cells;
	struct buf	 name;		/* raw */
	uint32_t	 thread, cpu;	/* cpu: number + 1 */
	bool		 idle, folds;	/* folds: it can be one of those that are one line */
	bool		 recorded;	/* its states are the waits of a recording, with nothing in between */
	uint64_t	 on, off, runq, disk, waits;	/* ns; of a CPU on and off are busy and idle, waits its switches */
	uint64_t	 gap, gap_at;	/* the longest time off the CPU, from switch to switch */
	uint64_t	 weight;	/* what they are sorted by; 0: by their numbers */
};

struct tlines {
	struct tline	*at;
	size_t		 n, cap;
	struct idmap	 of_thread;	/* 1 + its place, while they are made */
	size_t		 busy;		/* so many stand before the idle ones */
	bool		 folds;		/* these can be one line */
	bool		 with_cpu;	/* of one line or more it is known how it used the CPU */
};

/* A row about many lines: the mean over CPUs, how many tasks wait, what idle ones have together. */
struct total {
	struct cells	 cells;
	uint64_t	*sum;		/* ns, a cell each */
	size_t		 cap, next;	/* line that is added next */
	uint64_t	 all;		/* ns in the window */
	uint64_t	 most;		/* ns of the fullest cell */
};

enum { TOTAL_USE, TOTAL_RUNNABLE, TOTAL_IDLE, TOTALS };

/* A wait, as e goes from one to the next. */
struct longest {
	uint32_t	 thread, cpu;
	uint64_t	 at, length;	/* length 0: none yet */
};

struct timeline_at {
	uint64_t	 from, to, cursor, sel;
	size_t		 top;
	enum line_order	 order;
	bool		 cpus, unfolded;
};

struct timeline {
	struct task	 task;
	struct pane	*pane;
	struct store	*st, *next;	/* next: whose lines are being made, or were */
	bool		 ready;
	char		 error[480];
	struct tlines	 lines, new;	/* new: of the worker; threads or CPUs */
	struct tlines	 other, new_other;	/* the CPUs while threads are shown */
	bool		 cpus;		/* one line a CPU, else a thread */
	bool		 tasks;		/* of a scheduler trace */
	bool		 by_stacks;	/* those are idle that spent their time in one stack; else those with hardly any CPU time */
	bool		 unfolded;	/* idle lines stand one by one */
	enum line_order	 order;
	unsigned	 marks;		/* mark_version() of these lines */
	uint64_t	 sel;
	size_t		 top;
	uint64_t	 cursor;	/* ns */
	uint64_t	 all_from, all_to, from, to;
	int		 x, width, value_w;
	bool		 ranging, ranged;	/* a range was begun, is set */
	uint64_t	 anchor, range_from, range_to;
	char		 find[256];
	struct buf	 kept;		/* the name of the selected line, over snapshots */
	uint64_t	 kept_from, kept_to;
	struct total	 total[TOTALS];
	struct longest	 longest;
	bool		 goes;		/* a step leads there, as soon as the lines are those */
	struct timeline_at	 going;
};

extern const char *const order_names[ORDERS];

/* timeline_rows.c */
bool	timeline_has_lines(const struct store *);	/* its tracks, as far as they are made, tell of a thread or CPU */
bool	timeline_make(struct timeline *, struct work *, struct err *);	/* on the worker: new */
void	tlines_free(struct tlines *);		/* and empties them */
void	timeline_sort(struct timeline *);
enum line_order timeline_order(const struct timeline *);	/* by which they are sorted: the one chosen, or the next that a line has */
void	timeline_modes(struct pane *, struct buf *);
void	timeline_refold(struct timeline *);	/* if other threads are marked than before */
void	line_name(const struct tline *, struct buf *);
size_t	timeline_rows(const struct timeline *);	/* that can be selected: lines, and one for those that are folded */
struct tline *timeline_line(const struct timeline *, size_t row);	/* NULL: the folded ones */
struct tline *timeline_selected(const struct timeline *);
/* The next shorter wait between two times on a CPU that no idle sleep is; false: there is none. */
bool	line_longest(const struct tline *, struct longest *);

/* timeline_cells.c */
/* What of a cell is shown; known: the parts of sum[] are of its kinds. */
enum cell_mark cell_mark(const uint64_t sum[KINDS], uint64_t length);
/* Makes the cells of the window known, of rows first .. end - 1 and of those about many; true when the deadline came first. */
bool	timeline_step(struct timeline *, size_t first, size_t end, uint64_t deadline);
void	cells_draw(const struct cells *, int y, int x, int first, int last);	/* cells first .. last - 1 stand out */
void	cells_free(struct cells *);
void	total_free(struct total *);
void	line_sums(const struct tline *, uint64_t from, uint64_t to, uint64_t sum[KINDS]);
uint64_t cell_begins(const struct timeline *, int cell);	/* ns */
void	marks_legend(const struct timeline *, struct area);
const char *mark_text(enum cell_mark);
enum role mark_role(enum cell_mark);

/* legend.c */
void	timeline_legend_items(struct pane *, struct items *);

/* timeline_values.c: what stands right of the cells of a line. */
struct line_column {
	const char	*name;
	size_t		 time;	/* offset of ns in struct tline */
	void		(*show)(const struct tline *, const struct timeline *, char s[NUM_TEXT]);	/* NULL: as that time */
};
/* It is known how it used the CPU: a recording tells it of some threads. */
bool	line_has_cpu(const struct tline *);
bool	timeline_has_cpu(const struct timeline *);	/* of any line */
bool	timeline_has_mark(const struct timeline *, enum cell_mark);	/* it can be in some cell */
enum cell_mark line_mark(const struct tline *, const uint64_t sum[KINDS], uint64_t length);
size_t	line_values(const struct timeline *, int w, const struct line_column **);	/* those that fit w columns */
void	timeline_details(struct pane *, struct items *);
void	timeline_subject(struct pane *, struct buf *);
void	line_show(const struct line_column *, const struct tline *, const struct timeline *, char s[NUM_TEXT]);

/* The whole of the lines that are folded; columns that a value needs at most, with the gap before it. */
struct tline timeline_folded(const struct timeline *);
int	timeline_values_width(const struct timeline *);

/* timeline_pane.c */
void	line_place(const struct timeline *, struct tline *, struct buf *);	/* where the cursor stands */
void	timeline_ask(struct timeline *);		/* has the lines made anew */
void	timeline_keep(struct timeline *);		/* which line is selected, over another order or file */
void	timeline_find_kept(struct timeline *);

/* time_undo.c */
void	timeline_tell(struct pane *, struct buf *);
void	timeline_put(struct pane *, struct str place, bool moved);
void	timeline_arrive(struct timeline *);	/* where a step leads, if one does */

/* timeline_keys.c */
bool	timeline_act(struct pane *, enum verb);
void	timeline_click(void *timeline, size_t, int y, int x);	/* from the first row */
void	timeline_window(struct timeline *, uint64_t from, uint64_t to);
void	timeline_find(struct pane *, const char *what, bool backward);

#endif
