/*
 * tpane: time as a pane: which thread, which window, what keys do.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

/* ---- on the worker ------------------------------------------------------- */

static bool
want_order(struct store *st, struct work *work, struct err *err)
{
	size_t	i;

	for (i = 0; passes[i] != NULL; i++)
		if (strcmp(passes[i]->name, "order") == 0)
			return pass_want(st, passes[i]->makes[0], work, err);
	return fail(err, E_USAGE, "this file has no calls in time order");
}

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct timeline	*t = (struct timeline *)task;
	struct store	*st = ui_store(task->ui);

	if (t->job == TIME_SEEK)
		return time_seek(t, work, err);
	return pass_want(st, "call.method", work, err) &&
	    pass_want(st, "method.calls", work, err) && want_order(st, work, err);
}

/* ---- which thread -------------------------------------------------------- */

/* The main one; else the first. */
static uint32_t
some_thread(const struct store *st)
{
	const struct column *is_main = store_column(st, "thread.main");
	uint64_t	 i;

	for (i = 0; is_main != NULL && i < is_main->rows; i++)
		if (column_get(is_main, i) != 0)
			return (uint32_t)i + 1;
	return is_main != NULL && is_main->rows > 0 ? 1 : 0;
}

static void
set_thread(struct timeline *t)
{
	struct store	*st = ui_store(t->pane->ui);

	if (t->thread == 0)
		t->thread = some_thread(st);
	if (t->thread == 0) {
		snprintf(t->error, sizeof t->error, "there are no threads in this file");
		return;
	}
	t->all.from = column_get(store_column(st, "thread.start"), t->thread - 1);
	t->all.to = column_get(store_column(st, "thread.end"), t->thread - 1);
	if (t->all.to <= t->all.from)
		t->all.to = t->all.from + 1;
	t->now = t->all;
	t->nback = 0;
	t->f.n = 0;
	t->f.top = t->f.sel_level = 0;
	t->sel_start = 0;
	t->sel_depth = 0;
	t->fresh = true;
}

/* ---- back from the worker ------------------------------------------------ */

/* Shown in the middle of the window, at least three cells wide. */
static void
show_found(struct timeline *t)
{
	uint64_t	len = t->found.end - t->found.start, w = t->now.to - t->now.from;
	uint64_t	from, cells = (uint64_t)(t->width > 0 ? t->width : 80);

	if (len < w / cells * 3 && len < UINT64_MAX / cells)
		w = len * cells / 3 + 1;
	from = t->found.start + len / 2;
	from = from > w / 2 ? from - w / 2 : 0;
	if (t->found.start < t->now.from || t->found.end > t->now.to ||
	    w < t->now.to - t->now.from)
		time_window(t, from, from + w, true);
	t->sel_start = t->found.start;
	t->sel_depth = t->found.depth;
	t->fresh = true;
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!ok && t->job == TIME_SEEK)
		ui_fail(task->ui, err);
	else if (!ok)
		snprintf(t->error, sizeof t->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter goes on" : err->text);
	else if (t->job == TIME_PREPARE) {
		t->ready = true;
		t->error[0] = '\0';
		set_thread(t);
	} else if (t->hit)
		show_found(t);
	else
		ui_say(task->ui, "no %s call of it in this thread",
		    t->backward ? "earlier" : "later");
}

static void
give(struct timeline *t, int job)
{
	if (t->task.given || ui_store(t->pane->ui) == NULL)
		return;
	t->job = job;
	task_give(t->pane->ui, &t->task);
}

/* ---- the pane ------------------------------------------------------------ */

static void
reset(struct pane *p)
{
	struct timeline	*t = p->data;

	if (!t->ready)
		give(t, TIME_PREPARE);
}

static bool
pane_open(struct pane *p, const char *query, struct err *err)
{
	struct timeline	*t = mem_array(1, sizeof *t);

	(void)query;
	if (t == NULL)
		return fail(err, E_SYSTEM, "no memory for a pane");
	t->pane = p;
	t->task.run = run;
	t->task.done = done;
	p->data = t;
	return true;
}

static void
pane_close(struct pane *p)
{
	struct timeline	*t = p->data;

	task_drop(&t->task);
	spans_free(&t->spans);
	frames_free(&t->f);
	free(t->back);
	free(t);
}

/* Near one another, times differ in their last digits only. */
static void
exact_time(char *s, size_t size, uint64_t ns, uint64_t window)
{
	if (window >= 1000000000)
		num_show_duration(s, size, ns);
	else if (window >= 1000000)
		snprintf(s, size, "%" PRIu64 ".%03u ms", ns / 1000000,
		    (unsigned)(ns / 1000 % 1000));
	else
		snprintf(s, size, "%" PRIu64 ".%03u us", ns / 1000, (unsigned)(ns % 1000));
}

static void
path(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct store	*st = ui_store(p->ui);
	struct buf	 name = BUF_INIT;
	char		 from[NUM_TEXT], to[NUM_TEXT], len[NUM_TEXT];
	uint64_t	 ns;

	if (!t->ready || t->thread == 0)
		return;
	thread_name(st, t->thread, &name);
	screen_fit(b, buf_view(&name));
	buf_free(&name);
	ns = trace_ns(st, t->now.to - t->now.from);
	exact_time(from, sizeof from, trace_ns(st, t->now.from), ns);
	exact_time(to, sizeof to, trace_ns(st, t->now.to), ns);
	num_show_duration(len, sizeof len, ns);
	buf_printf(&name, "%s%s to %s (%s)", glyph(GLYPH_INTO), from, to, len);
	screen_fit(b, buf_view(&name));
	buf_free(&name);
}

static void
modes(struct pane *p, struct buf *b)
{
	(void)p;
	buf_str(b, STR("time order"));
}

static void
show_time(struct timeline *t, const char *name, uint64_t ticks, struct buf *b)
{
	char	s[NUM_TEXT];

	num_show_duration(s, sizeof s, trace_ns(ui_store(t->pane->ui), ticks));
	buf_printf(b, "  %s %s", name, s);
}

static void
show_method(struct timeline *t, uint32_t method, struct buf *b)
{
	const struct store *st = ui_store(t->pane->ui);
	uint64_t	 calls = column_get(store_column(st, "method.calls"), method - 1);
	const char	*total = trace_has_clock(st, CLOCK_WALL) ?
			    "method.total_wall" : "method.total_cpu";
	char		 n[NUM_TEXT];

	if (calls == 0)
		return;
	show_time(t, "avg", column_get(store_column(st, total), method - 1) / calls, b);
	num_show_count(n, sizeof n, calls);
	buf_printf(b, "  calls %s", n);
}

static void
status(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	const struct frame *fr = frames_selected(&t->f);
	const struct span *s = time_selected(t);
	struct buf	 c = BUF_INIT, name = BUF_INIT, rest = BUF_INIT;

	if (!t->ready || s == NULL)
		return;
	if (fr->group > 0)
		buf_printf(&c, "%u short calls", fr->group);
	else
		method_name(ui_store(p->ui), s->method, &c);
	screen_fit(&name, buf_view(&c));
	buf_clear(&c);
	show_time(t, "at", s->start, &c);
	if (fr->group == 0) {
		show_time(t, "took", s->end - s->start, &c);
		if (trace_has_clock(ui_store(p->ui), CLOCK_CPU))
			show_time(t, "cpu", s->end_cpu - s->start_cpu, &c);
		show_method(t, s->method, &c);
	}
	screen_fit(&rest, buf_view(&c));
	screen_pair(b, buf_view(&name), buf_view(&rest), (size_t)p->area.w);
	buf_free(&c);
	buf_free(&name);
	buf_free(&rest);
}

static void
copy(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	const struct span *s = time_selected(t);
	struct buf	 c = BUF_INIT;

	if (s == NULL || s->crowd > 0)
		return;
	method_name(ui_store(p->ui), s->method, &c);
	text_fit_buf(b, buf_view(&c));
	buf_free(&c);
}

static void
text(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct store	*st = ui_store(p->ui);

	buf_printf(b, "spans @%u", t->thread);
	if (st != NULL && (t->now.from != t->all.from || t->now.to != t->all.to))
		buf_printf(b, " from %" PRIu64 "ns to %" PRIu64 "ns",
		    trace_ns(st, t->now.from), trace_ns(st, t->now.to));
}

/* ---- keys ---------------------------------------------------------------- */

static void
zoom(struct timeline *t, bool in)
{
	const struct span *s = time_selected(t);
	uint64_t	w = t->now.to - t->now.from, mid = t->now.from + w / 2, from;

	if (s != NULL && s->end > t->now.from && s->start < t->now.to) {
		from = s->start > t->now.from ? s->start : t->now.from;
		mid = from + ((s->end < t->now.to ? s->end : t->now.to) - from) / 2;
	}
	w = in ? w / 2 : w < UINT64_MAX / 2 ? w * 2 : w;
	if (w == 0)
		return;
	from = mid > w / 2 ? mid - w / 2 : 0;
	time_window(t, from, from + w, true);
}

static void
pan(struct timeline *t, bool left)
{
	uint64_t	w = t->now.to - t->now.from, by = w / 4 > 0 ? w / 4 : 1, room;

	room = left ? t->now.from - t->all.from : t->all.to - t->now.to;
	by = by < room ? by : room;
	if (left)
		time_window(t, t->now.from - by, t->now.to - by, false);
	else
		time_window(t, t->now.from + by, t->now.to + by, false);
}

static void
fit(struct timeline *t)
{
	const struct span *s = time_selected(t);

	if (s != NULL)
		time_window(t, s->start, s->end, true);
}

static void
next_call(struct timeline *t, bool backward)
{
	const struct frame *fr = frames_selected(&t->f);
	const struct span *s = time_selected(t);

	if (s == NULL || fr->group > 0) {
		ui_say(t->pane->ui, "these are calls of several methods; + zooms in");
		return;
	}
	t->seek_method = s->method;
	t->seek_start = s->start;
	t->backward = backward;
	give(t, TIME_SEEK);
}

static void
go_back(struct timeline *t)
{
	struct window	w;

	if (t->nback == 0) {
		ui_show(t->pane->ui, ui_find(t->pane->ui, &pane_icicle));
		return;
	}
	w = t->back[--t->nback];
	time_window(t, w.from, w.to, false);
}

static bool
act(struct pane *p, enum verb verb)
{
	struct timeline	*t = p->data;

	if (!t->ready) {
		if (verb != VERB_ENTER)
			return false;
		give(t, TIME_PREPARE);
		return true;
	}
	if (t->fresh && t->width > 0)
		time_lay(t);
	switch (verb) {
	case VERB_ZOOM_IN: case VERB_ZOOM_OUT:
		zoom(t, verb == VERB_ZOOM_IN);
		return true;
	case VERB_PAN_LEFT: case VERB_PAN_RIGHT:
		pan(t, verb == VERB_PAN_LEFT);
		return true;
	case VERB_FIT: case VERB_ENTER:
		fit(t);
		return true;
	case VERB_ALL:
		time_window(t, t->all.from, t->all.to, true);
		return true;
	case VERB_PREV_CALL: case VERB_NEXT_CALL:
		next_call(t, verb == VERB_PREV_CALL);
		return true;
	case VERB_BACK: case VERB_UNDO:
		go_back(t);
		return true;
	case VERB_TIME:
		ui_show(p->ui, ui_find(p->ui, &pane_icicle));
		return true;
	case VERB_GOTO:
		if (time_selected(t) != NULL && time_selected(t)->crowd == 0)
			methods_goto(p->ui, time_selected(t)->method);
		return true;
	default:
		return frames_move(&t->f, verb, (size_t)(p->area.h > 1 ? p->area.h - 1 : 1));
	}
}

static void
find(struct pane *p, const char *what, bool backward)
{
	struct timeline	*t = p->data;
	size_t		 i;

	if (what != NULL) {
		found_start(p->ui, what, backward);
		return;
	}
	for (i = 0; i < t->f.n; i++)
		t->f.at[i].match = found_has(p->ui, t->f.at[i].method);
	if (p->ui->found.calls > 0 && !frames_next_match(&t->f, backward))
		ui_say(p->ui, "no match is wide enough to be seen here");
}

void
time_thread(struct ui *ui, uint32_t thread, uint32_t method)
{
	struct pane	*p = ui_find(ui, &pane_time);
	struct timeline	*t = p->data;

	ui_show(ui, p);
	if (t->task.given && t->job == TIME_SEEK)
		return;
	t->method = method;
	if (thread == 0 || (t->ready && thread == t->thread)) {
		t->fresh = true;
		return;
	}
	t->thread = thread;
	if (t->ready)
		set_thread(t);
}

const struct pane_kind pane_time = {
	.name = "Time",
	.what = "the calls of a thread in the order of time",
	.query = "spans",
	.shapes = SHAPE_INTERVALS,
	.where = IN_TIME,
	.format = FORMAT_TSV,
	.open = pane_open,
	.close = pane_close,
	.reset = reset,
	.draw = time_draw,
	.act = act,
	.path = path,
	.modes = modes,
	.status = status,
	.copy = copy,
	.text = text,
	.find = find
};
