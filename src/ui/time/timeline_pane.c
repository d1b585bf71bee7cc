/*
 * timeline_pane: the timeline: a line for each thread, or for each CPU, over time.
 */
#include "config.h"

#include <stdio.h>

#include "timeline.h"

/* ---- on the worker ------------------------------------------------------- */

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct timeline	*t = (struct timeline *)task;
	struct err	 why = { .kind = E_NONE };

	if (!pass_want(t->next, COL_THREAD_TID, work, err))
		return false;
	if (load_shapes(t->next) & SHAPE_TASKS && !pass_want(t->next, COL_TASK_ON, work, err))
		return false;
	if (store_column(t->next, COL_TRACK_KIND) == NULL && !pass_want(t->next, COL_TRACK_KIND, work, &why) &&
	    why.kind == E_CANCEL) {
		*err = why;
		return false;
	}
	return timeline_make(t, work, err);
}

/* ---- back from it -------------------------------------------------------- */

/* From the first point of any line to the last. */
static void
set_extent(struct timeline *t)
{
	uint64_t	from, to;
	bool		all = !t->ready || (t->from == t->all_from && t->to == t->all_to);

	t->all_from = UINT64_MAX;
	t->all_to = 0;
	for (size_t i = 0; i < t->n; i++) {
		lane_stretch(&t->line[i].lane, lane_at(&t->line[i].lane, 0), &from, &to);
		to = lane_end(&t->line[i].lane);
		t->all_from = from < t->all_from ? from : t->all_from;
		t->all_to = to > t->all_to ? to : t->all_to;
	}
	if (t->all_from >= t->all_to)
		t->all_to = (t->all_from = t->all_from == UINT64_MAX ? 0 : t->all_from) + 1;
	if (all) {
		t->from = t->all_from;
		t->to = t->all_to;
	}
	if (t->kept_to > t->kept_from && t->kept_from < t->all_to) {
		t->from = t->kept_from;
		t->to = t->kept_to < t->all_to ? t->kept_to : t->all_to;
	}
	t->kept_to = t->kept_from = 0;
	if (t->cursor < t->from || t->cursor >= t->to)
		t->cursor = t->from;
}

void
timeline_keep(struct timeline *t)
{
	if (t->sel >= t->n)
		return;
	buf_clear(&t->kept);
	line_name(t, &t->line[t->sel], &t->kept);
}

void
timeline_find_kept(struct timeline *t)
{
	struct buf	name = BUF_INIT;

	t->sel = 0;
	for (size_t i = 0; i < t->n && t->kept.n > 0; i++) {
		buf_clear(&name);
		line_name(t, &t->line[i], &name);
		if (str_eq(buf_view(&name), buf_view(&t->kept))) {
			t->sel = i;
			break;
		}
	}
	buf_free(&name);
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!ok) {
		timeline_free(t->new_line, t->new_n);
		t->new_line = NULL;
		t->new_n = t->new_cap = 0;
		snprintf(t->error, sizeof t->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter goes on" : err->text);
		return;
	}
	t->error[0] = '\0';
	timeline_keep(t);
	timeline_free(t->line, t->n);
	t->st = t->next;
	t->line = t->new_line;
	t->n = t->new_n;
	t->new_line = NULL;
	t->new_n = t->new_cap = 0;
	timeline_sort(t);
	timeline_find_kept(t);
	set_extent(t);
	t->ready = true;
}

void
timeline_ask(struct timeline *t)
{
	if (t->task.given || t->next == NULL)
		return;
	task_give(t->pane->ui, &t->task);
}

/* ---- the pane ------------------------------------------------------------ */

static bool
fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);

	return ui_shapes(ui) & SHAPE_TASKS || store_column(st, COL_TRACK_KIND) != NULL ||
	    (trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU));
}

static void
forget(struct pane *p)
{
	struct timeline	*t = p->data;

	task_drop(&t->task);
	if (t->ready) {
		timeline_keep(t);
		if (t->from != t->all_from || t->to != t->all_to) {
			t->kept_from = t->from;
			t->kept_to = t->to;
		}
	}
	timeline_free(t->line, t->n);
	timeline_free(t->new_line, t->new_n);
	t->line = t->new_line = NULL;
	t->n = t->new_n = t->new_cap = 0;
	t->st = t->next = NULL;
	t->ready = t->ranging = t->ranged = false;
}

/* Until the lines of the other file are ready, those that are shown stay. */
static void
reset(struct pane *p)
{
	struct timeline	*t = p->data;
	struct store	*st = ui_file(p->ui);

	if (t->ready && t->st == st)
		return;
	if (t->next != st)
		task_drop(&t->task);
	t->next = st;
	timeline_ask(t);
}

static void
begin(struct pane *p)
{
	struct timeline	*t = p->data;

	t->pane = p;
}

static void
pane_close(struct pane *p)
{
	struct timeline	*t = p->data;

	forget(p);
	buf_free(&t->kept);
}

static bool
step(struct pane *p, uint64_t deadline)
{
	struct timeline	*t = p->data;

	return t->ready && t->width > 0 && timeline_step(t, deadline);
}

/* ---- from other panes ------------------------------------------------------ */

static bool
go(struct pane *p, const struct visit *v)
{
	struct timeline	*t = p->data;

	if (t->task.given)
		return false;
	forget(p);
	t->cpus = true;
	buf_clear(&t->kept);
	buf_printf(&t->kept, "CPU %u", v->id);
	p->stale = true;
	return true;
}

/* ---- its query ------------------------------------------------------------- */

static void
text(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (t->cpus)
		buf_str(b, STR("cpus"));
	else if (ui_shapes(p->ui) & SHAPE_TASKS)
		buf_printf(b, "tasks | sort %s", t->order == ORDER_GAP ? "-max_gap" :
		    t->order == ORDER_OFF ? "-off" : t->order == ORDER_CPU ? "-on" : "id");
	else
		buf_str(b, STR("tracks"));
}

const struct pane_kind pane_timeline = {
	"Timeline", "tracks", SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS, IN_TIMELINE, sizeof(struct timeline),
	.plain = true,
	.fits = fits,
	.run = run,
	.done = done,
	.begin = begin,
	.close = pane_close,
	.forget = forget,
	.reset = reset,
	.step = step,
	.draw = timeline_draw,
	.act = timeline_act,
	.path = timeline_path,
	.modes = timeline_modes,
	.status = timeline_status,
	.text = text,
	.places = 1 << PLACE_CPU,
	.go = go,
	.find = timeline_find
};
