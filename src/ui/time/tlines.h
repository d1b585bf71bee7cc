/*
 * tlines: what the drawing of the timeline pane (tldraw.c), its lines (tlrows.c), its keys (tlkeys.c) and the pane (tlpane.c) share.
 */
#ifndef UI_TLINES_H
#define UI_TLINES_H

#include "lane.h"

enum line_order { ORDER_CPU, ORDER_OFF, ORDER_GAP, ORDER_FILE, ORDERS };

/* A thread or a CPU. */
struct tline {
	struct lane	 lane;
	uint32_t	 thread, cpu;	/* cpu: number + 1 */
	uint64_t	 on, off;	/* ns on the CPU and off it; of a CPU busy and idle */
	uint64_t	 gap, gap_at;	/* the longest time off it, from switch to switch */
};

struct tlines {
	struct task	 task;
	struct pane	*pane;
	struct store	*st, *next;	/* next: whose lines are being made, or were */
	bool		 ready;
	char		 error[480];
	struct tline	*line, *new_line;	/* new: of the worker */
	size_t		 n, new_n, new_cap;
	bool		 cpus;		/* one line a CPU, else a thread */
	enum line_order	 order;
	size_t		 sel, top;
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

/* tlrows.c */
bool	lines_make(struct tlines *, struct work *, struct err *);	/* on the worker: new_line */
void	lines_free(struct tline *, size_t n);
void	lines_sort(struct tlines *);
void	line_name(const struct tlines *, const struct tline *, struct buf *);
uint64_t line_value(const struct tlines *, const struct tline *);	/* what they are sorted by */

/* tlpane.c */
void	lines_ask(struct tlines *);		/* has the lines made anew */
void	lines_keep(struct tlines *);		/* which line is selected, over another order or file */
void	lines_find_kept(struct tlines *);

/* tlkeys.c */
bool	lines_act(struct pane *, enum verb);
void	lines_find(struct pane *, const char *what, bool backward);

/* tldraw.c */
void	lines_draw(struct pane *, struct area);
void	lines_status(struct pane *, struct buf *);
void	lines_path(struct pane *, struct buf *);
void	lines_modes(struct pane *, struct buf *);
bool	lines_step(struct tlines *, uint64_t deadline);

#endif
