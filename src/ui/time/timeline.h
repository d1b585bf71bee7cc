/*
 * timeline: what the files of the pane Timeline share: its lines (timeline_rows.c), its keys (timeline_keys.c), the pane
 * (timeline_pane.c).
 */
#ifndef UI_TIMELINE_H
#define UI_TIMELINE_H

#include "lane.h"

enum line_order { ORDER_CPU, ORDER_OFF, ORDER_GAP, ORDER_FILE, ORDERS };

/* A thread or a CPU. */
struct tline {
	struct lane	 lane;
	uint32_t	 thread, cpu;	/* cpu: number + 1 */
	uint64_t	 on, off;	/* ns on the CPU and off it; of a CPU busy and idle */
	uint64_t	 gap, gap_at;	/* the longest time off it, from switch to switch */
	uint64_t	 weight;	/* what they are sorted by; 0: by their numbers */
};

struct tlines {
	struct tline	*at;
	size_t		 n, cap;
};

struct timeline {
	struct task	 task;
	struct pane	*pane;
	struct store	*st, *next;	/* next: whose lines are being made, or were */
	bool		 ready;
	char		 error[480];
	struct tlines	 lines, new;	/* new: of the worker */
	bool		 cpus;		/* one line a CPU, else a thread */
	enum line_order	 order;
	uint64_t	 sel;
	size_t		 top;
	uint64_t	 cursor;	/* ns */
	uint64_t	 all_from, all_to, from, to;
	int		 x, width;
	bool		 ranging, ranged;	/* a range was begun, is set */
	uint64_t	 anchor, range_from, range_to;
	char		 find[256];
	struct buf	 kept;		/* the name of the selected line, over snapshots */
	uint64_t	 kept_from, kept_to;
};

extern const char *const order_names[ORDERS];

/* timeline_rows.c */
bool	timeline_make(struct timeline *, struct work *, struct err *);	/* on the worker: new */
void	tlines_free(struct tlines *);		/* and empties them */
void	timeline_sort(struct timeline *);
void	line_name(const struct timeline *, const struct tline *, struct buf *);
uint64_t line_value(const struct timeline *, const struct tline *);	/* what they are sorted by */

/* timeline_pane.c */
void	timeline_ask(struct timeline *);		/* has the lines made anew */
void	timeline_keep(struct timeline *);		/* which line is selected, over another order or file */
void	timeline_find_kept(struct timeline *);

/* timeline_keys.c */
bool	timeline_act(struct pane *, enum verb);
void	timeline_find(struct pane *, const char *what, bool backward);

#endif
