/*
 * time_undo: where the chart and the timeline are, for the history.
 */
#include "config.h"

#include <string.h>

#include "time.h"
#include "timeline.h"

/* ---- the chart -------------------------------------------------------------- */

struct time_at {
	struct time_window	now;
	uint64_t		sel_start, stretch;
	size_t			focus, top, frames_top;
	uint32_t		thread, sel_depth;
};

void
time_tell(struct pane *p, struct buf *b)
{
	struct time_pane *t = p->data;
	const struct span *s = time_selected(t);
	struct time_at spot;

	if (!t->ready || t->thread == 0)
		return;
	memset(&spot, 0, sizeof spot);
	spot.now = t->now;
	spot.sel_start = s != NULL && !t->fresh ? s->start : t->sel_start;
	spot.sel_depth = s != NULL && !t->fresh ? s->depth : t->sel_depth;
	spot.stretch = t->stretch;
	spot.focus = t->focus;
	spot.top = t->top;
	spot.frames_top = t->f.top;
	spot.thread = t->thread;
	buf_str(b, (struct str){ (const char *)&spot, sizeof spot });
}

void
time_put(struct pane *p, struct str place, bool moved)
{
	struct time_pane *t = p->data;
	struct time_at spot;

	if (!t->ready || t->thread == 0 || place.n != sizeof spot)
		return;
	memcpy(&spot, place.s, sizeof spot);
	if (!moved && spot.thread != t->thread)
		time_thread(t, spot.thread);
	time_stop(t);
	time_window(t, spot.now.from, spot.now.to, false);
	t->fresh = true;
	t->begin = t->under = false;
	t->sel_start = spot.sel_start;
	t->sel_depth = spot.sel_depth;
	if (moved)
		return;
	t->focus = spot.focus <= t->nlanes ? spot.focus : 0;
	t->stretch = t->focus == spot.focus ? spot.stretch : 0;
	t->top = spot.top;
	t->f.top = spot.frames_top;
}

/* ---- the timeline ------------------------------------------------------------ */

void
timeline_tell(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct timeline_at spot = t->going;

	if (!t->goes)
		spot = (struct timeline_at){ .from = t->from, .to = t->to, .cursor = t->cursor, .sel = t->sel,
		    .top = t->top, .order = t->order, .cpus = t->cpus, .unfolded = t->unfolded };
	if (t->ready || t->goes)
		buf_str(b, (struct str){ (const char *)&spot, sizeof spot });
}

void
timeline_arrive(struct timeline *t)
{
	const struct timeline_at *s = &t->going;

	if (!t->goes)
		return;
	t->goes = false;
	t->order = s->order;
	t->unfolded = s->unfolded;
	timeline_sort(t);
	timeline_window(t, s->from, s->to);
	t->cursor = s->cursor >= t->from && s->cursor < t->to ? s->cursor : t->from;
	t->sel = s->sel < timeline_rows(t) ? s->sel : 0;
	t->top = s->top;
}

/* Restore a place.  If it shows CPUs instead of threads or vice versa, make its lines first. */
void
timeline_put(struct pane *p, struct str place, bool moved)
{
	struct timeline	*t = p->data;
	bool		 other;

	if (place.n != sizeof t->going)
		return;
	memcpy(&t->going, place.s, sizeof t->going);
	if (moved)
		t->going.sel = t->sel;
	other = t->going.cpus != t->cpus;
	if (other)
		task_drop(&t->task);
	t->cpus = t->going.cpus;
	t->goes = true;
	if (other || t->task.given)
		timeline_ask(t);
	else if (t->ready)
		timeline_arrive(t);
}
