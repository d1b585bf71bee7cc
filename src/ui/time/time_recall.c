/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_recall: places of the Chart pane: for marks the thread by name and tid, the window and the selected call; and for undo.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "time.h"

void
time_mark(struct pane *p, struct buf *b)
{
	struct time_pane *t = p->data;
	const struct span *s = time_selected(t);
	struct buf	 name = BUF_INIT;

	if (!t->ready || t->thread == 0)
		return;
	note_number(b, "tid", column_get(store_column(t->st, COL_THREAD_TID), t->thread - 1));
	thread_name(t->st, t->thread, &name);
	note_add(b, "thread", buf_view(&name));
	buf_free(&name);
	note_number(b, "from", time_ns(t, t->now.from));
	note_number(b, "to", time_ns(t, t->now.to));
	note_number(b, "start", time_ns(t, s != NULL ? s->start : t->sel_start));
	note_number(b, "depth", s != NULL ? s->depth : t->sel_depth);
}

bool
time_recall(struct pane *p, struct str text, bool moved)
{
	struct time_pane *t = p->data;
	static const char *const words[] = { "tid", "from", "to", "start", "depth" };
	uint64_t	 number[NELEM(words)] = { 0 };
	struct buf	 value = BUF_INIT;
	struct str	 word;
	uint32_t	 thread;
	struct time_window w;

	(void)moved;
	if (!t->ready || t->task.given)
		return false;
	buf_clear(&t->kept.thread);
	while (note_next(&text, &word, &value)) {
		if (str_eq(word, STR("thread")))
			buf_str(&t->kept.thread, buf_view(&value));
		for (size_t i = 0; i < NELEM(words); i++)
			if (str_eq(word, str_of(words[i])) && !num_u64(buf_view(&value), 10, &number[i]))
				number[i] = 0;
	}
	buf_free(&value);
	t->kept.tid = (uint32_t)number[0];
	thread = time_kept_thread(t);
	if (thread != 0 && thread != t->thread)
		time_thread(t, thread);
	if (thread == 0)
		ui_say(p->ui, "the thread of this mark is not in this file");
	w = (struct time_window){ time_ticks(t, number[1]), time_ticks(t, number[2]) };
	if (thread == 0 || w.from >= w.to || w.from >= t->all.to || w.to <= t->all.from)
		return true;
	time_stop(t);
	time_window(t, w.from, w.to, false);
	t->fresh = true;
	t->begin = t->under = false;
	t->sel_start = time_ticks(t, number[3]);
	t->sel_depth = (uint32_t)number[4];
	return true;
}

/* ---- its place, for undo --------------------------------------------------- */

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

	if (!t->ready)
		return;
	memset(&spot, 0, sizeof spot);
	spot.now = t->now;
	spot.sel_start = s != NULL && !t->fresh ? s->start : t->sel_start;
	spot.sel_depth = s != NULL && !t->fresh ? s->depth : t->sel_depth;
	spot.stretch = t->lanes.stretch;
	spot.focus = t->lanes.focus;
	spot.top = t->lanes.top;
	spot.frames_top = t->f.top;
	spot.thread = t->thread;
	buf_str(b, (struct str){ (const char *)&spot, sizeof spot });
}

void
time_put(struct pane *p, struct str place, bool moved)
{
	struct time_pane *t = p->data;
	struct time_at spot;

	if (!t->ready || place.n != sizeof spot)
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
	t->lanes.focus = spot.focus <= t->lanes.n ? spot.focus : 0;
	t->lanes.stretch = t->lanes.focus == spot.focus ? spot.stretch : 0;
	t->lanes.top = spot.top;
	t->f.top = spot.frames_top;
}
