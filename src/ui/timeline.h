/*
 * timeline: what the drawing (time.c) and the pane (tpane.c) share.
 */
#ifndef UI_TIMELINE_H
#define UI_TIMELINE_H

#include "room.h"

#define SPANS_BUDGET 200000

/* A piece of time, in ticks. */
struct window {
	uint64_t	from, to;
};

struct timeline {
	struct task	 task;
	struct pane	*pane;
	uint32_t	 thread;
	uint32_t	 method;	/* to be selected when it was laid out; 0: none */
	bool		 ready;		/* the pass ran */
	bool		 fresh;		/* the window is to be read again */
	struct window	 all, now, *back;
	size_t		 nback, capback;
	struct spans	 spans;
	struct frames	 f;
	int		 width;
	uint64_t	 sel_start;	/* what was selected, over windows */
	uint32_t	 sel_depth;
	char		 error[480];

	/* The next or previous call of a method, on the worker. */
	enum { TIME_PREPARE, TIME_SEEK } job;
	bool		 backward, hit;
	uint32_t	 seek_method;
	uint64_t	 seek_start;
	struct span	 found;
};

void	time_lay(struct timeline *);
void	time_draw(struct pane *, struct area);
void	time_window(struct timeline *, uint64_t from, uint64_t to, bool keep);
const struct span *time_selected(struct timeline *);
bool	time_seek(struct timeline *, struct work *, struct err *);

#endif
