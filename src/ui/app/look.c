/*
 * look: the session's view, made from stages of queries, and which of several files is looked at.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "look.h"

/* ---- stages as text ------------------------------------------------------ */

/* All stages with mark between them. */
void
look_join(const char *stages, const char *mark, struct buf *b)
{
	struct str	rest = str_of(stages), one;
	size_t		n = 0;

	while (str_split(&rest, '\n', &one))
		if (one.n > 0) {
			if (n++ > 0)
				buf_str(b, str_of(mark));
			buf_str(b, one);
		}
}

void
look_stages(const struct ui *ui, struct buf *b)
{
	if (ui->look.now[0] != '\0')
		buf_str(b, STR(" | "));
	look_join(ui->look.now, " | ", b);
}

/* A range as times are written elsewhere; false: the stage is none that keys made. */
static bool
add_range(struct str stage, struct buf *b)
{
	char		 text[80], from[NUM_TEXT], to[NUM_TEXT];
	uint64_t	 start, end;
	int		 used = 0;

	snprintf(text, sizeof text, "%.*s", (int)stage.n, stage.s);
	if (stage.n >= sizeof text ||
	    sscanf(text, "range %" SCNu64 "ns %" SCNu64 "ns%n", &start, &end, &used) != 2 || (size_t)used != stage.n)
		return false;
	time_exact(from, sizeof from, start, end - start);
	time_exact(to, sizeof to, end, end - start);
	buf_printf(b, "range %s to %s", from, to);
	return true;
}

void
look_path(const struct ui *ui, struct buf *b)
{
	struct str	rest = str_of(ui->look.now), one;
	size_t		n = 0;

	while (str_split(&rest, '\n', &one)) {
		if (one.n == 0)
			continue;
		if (n++ > 0)
			buf_str(b, STR(" > "));
		if (!add_range(one, b))
			buf_str(b, one);
	}
}

/* The stage that begins with a word; n 0: there is none. */
struct str
look_stage(const char *stages, const char *word)
{
	struct str	rest = str_of(stages), one, name, left;

	while (str_split(&rest, '\n', &one)) {
		left = one;
		if (str_split(&left, ' ', &name) && str_eq(name, str_of(word)))
			return one;
	}
	return STR("");
}

static void
drop_stage(char *stages, const char *word)
{
	struct str	one = look_stage(stages, word);
	char		*at = stages;

	if (one.n == 0)
		return;
	at += one.s - stages;
	memmove(at, at + one.n + 1, strlen(at + one.n + 1) + 1);
}

bool
look_begins(struct str s)
{
	static const char *const words[] = { "hide", "keep", "drop", "fold", "by", "range",
	    "event", "diff" };
	struct str	word;
	size_t		i;

	s = str_trim(s);
	if (!str_split(&s, ' ', &word))
		return false;
	for (i = 0; i < NELEM(words); i++)
		if (str_eq(str_trim(word), str_of(words[i])))
			return true;
	return false;
}

/* A line as it was typed: a stage ends where behind a bar another one begins. */
void
look_split(const char *line, struct buf *b)
{
	const char	*from = line, *s;
	struct str	one;

	for (s = line;; s++) {
		if (*s != '\0' && (*s != '|' || !look_begins(str_of(s + 1))))
			continue;
		one = str_trim((struct str){ from, (size_t)(s - from) });
		if (one.n > 0) {
			buf_str(b, one);
			buf_chr(b, '\n');
		}
		if (*s == '\0')
			return;
		from = s + 1;
	}
}

/* ---- making it ----------------------------------------------------------- */

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct look_state *l = (struct look_state *)task;
	struct session	 s = *task->ui->session;
	struct buf	 text = BUF_INIT;
	bool		 ok = true;

	if (l->base != NULL)
		s.store[0] = l->base;
	s.at = l->asked_at;
	s.clock = l->asked_clock;
	s.view = NULL;
	l->made = NULL;
	look_join(l->asked, " | ", &text);
	if (text.bad)
		ok = fail(err, E_SYSTEM, "no memory for the view");
	else if (text.n > 0)
		ok = query_view(&s, buf_view(&text), &l->made, work, err);
	buf_free(&text);
	return ok;
}

/* What differs is what this clock counts; c then walks after, before and delta. */
enum clock
look_clock(const struct ui *ui)
{
	return look_stage(ui->look.now, "diff").n > 0 ? ui->look.clock : ui->session->clock;
}

static void
give(struct ui *ui)
{
	struct look_state *l = &ui->look;

	if (l->task.given)
		return;
	memcpy(l->asked, l->want, sizeof l->asked);
	l->asked_at = l->at;
	l->asked_clock = look_clock(ui);
	task_give(ui, &l->task);
}

/* Of another dump nothing can stay. */
static void
renew_heap(struct ui *ui)
{
	const struct pane_kind *shown = ui_pane(ui)->kind;
	struct pane	*p;
	size_t		 i;

	for (i = ui->npanes; i-- > 0;) {
		p = ui->pane[i];
		if ((p->kind->shapes & SHAPE_GRAPH) != 0 ||
		    (p->extra && p->kind != &pane_query && p->kind != &pane_help))
			ui_remove(ui, p);
	}
	ui->preparer.begun = ui->preparer.stopped = false;
	if (ui_place(ui, &ui->err) && (p = ui_find(ui, shown)) != NULL)
		ui_show(ui, p);
}

static void
show_file(struct ui *ui)
{
	const struct session *s = ui->session;

	if (ui_shapes(ui) & SHAPE_GRAPH)
		renew_heap(ui);
	else if (!ui_place(ui, &ui->err))
		ui_fail(ui, &ui->err);
	ui_say(ui, "file %zu of %zu: %s", s->at + 1, s->nstores, store_path(s->store[s->at]));
}

static void
take_view(struct ui *ui)
{
	struct look_state *l = &ui->look;
	struct session	*s = ui->session;
	bool		 differed = look_stage(l->now, "diff").n > 0, other = s->at != l->asked_at;
	bool		 differs = look_stage(l->asked, "diff").n > 0;

	if (differs && !differed) {
		l->clock = s->clock;
		s->clock = CLOCK_OFF;
	} else if (differed && !differs)
		s->clock = l->clock;
	memcpy(l->now, l->asked, sizeof l->now);
	ui_swap(ui, l->asked_at, l->base, l->made);
	l->base = NULL;
	if (other)
		show_file(ui);
}

/* The new snapshot is there all the same. */
static void
no_view(struct ui *ui)
{
	struct look_state *l = &ui->look;

	if (l->base != NULL) {
		l->now[0] = '\0';
		ui_swap(ui, ui->session->at, l->base, NULL);
		l->base = NULL;
	}
	memcpy(l->want, l->now, sizeof l->want);
	l->at = ui->session->at;
	if (l->npast > 0 && strcmp(l->past[l->npast - 1], l->now) == 0)
		l->npast--;
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct look_state *l = (struct look_state *)task;
	struct ui	*ui = task->ui;

	if (!ok) {
		ui_fail(ui, err);
		no_view(ui);
		return;
	}
	take_view(ui);
	if (strcmp(l->want, l->asked) != 0 || l->at != l->asked_at)
		give(ui);
}

void
look_make(struct ui *ui)
{
	ui->look.task.run = run;
	ui->look.task.done = done;
	give(ui);
}

void
ui_swap_store(struct ui *ui, struct store *st)
{
	struct look_state *l = &ui->look;

	if (l->want[0] == '\0' && !l->task.given) {
		ui_swap(ui, ui->session->at, st, NULL);
		return;
	}
	/* The view of it comes first; of several that came meanwhile the last counts. */
	store_close_pile(l->base, NULL);
	l->base = st;
	look_make(ui);
}

/* What is wanted from here on; keep: U comes back to what was. */
void
look_set(struct ui *ui, const char *stages, bool keep)
{
	struct look_state *l = &ui->look;

	if (strlen(stages) >= LOOK_MAX) {
		ui_say(ui, "so many stages do not fit; C begins anew");
		return;
	}
	if (keep && strcmp(stages, l->want) != 0) {
		if (l->npast == LOOK_PAST)
			memmove(l->past, l->past + 1, --l->npast * sizeof *l->past);
		memcpy(l->past[l->npast++], l->want, sizeof l->want);
	}
	snprintf(l->want, sizeof l->want, "%s", stages);
	look_make(ui);
}

/* One more stage; others that begin with drop go. */
void
look_add(struct ui *ui, const char *drop, struct str stage)
{
	char		 left[LOOK_MAX];
	struct buf	 b = BUF_INIT;

	memcpy(left, ui->look.want, sizeof left);
	if (drop != NULL)
		drop_stage(left, drop);
	buf_str(&b, str_of(left));
	if (stage.n > 0) {
		buf_str(&b, stage);
		buf_chr(&b, '\n');
	}
	if (b.bad)
		ui_say(ui, "no memory for the view");
	else
		look_set(ui, b.n > 0 ? b.s : "", true);
	buf_free(&b);
}

/* ---- for other panes ----------------------------------------------------- */

void
ui_weight(const struct ui *ui, struct buf *b)
{
	enum clock	clock = ui->session->clock;
	struct weights	w;

	weights_of(ui_store(ui), &w);
	if (!w.clocks && !w.differs && w.type == WEIGHT_COUNT && w.unit.n > 0)
		screen_fit(b, w.unit);
	else
		buf_str(b, str_of(w.name[clock] != NULL ? w.name[clock] : "weight"));
}

void
look_threads(struct ui *ui, uint32_t method)
{
	struct buf	b = BUF_INIT;

	buf_str(&b, STR("methods"));
	look_stages(ui, &b);
	buf_printf(&b, " | where id = %" PRIu32 " | threads", method);
	if (!b.bad)
		ui_enter(ui, b.s);
	buf_free(&b);
}

/* ---- from a view to its file --------------------------------------------- */

/*
 * The id that something of the view has in the file: the same one, where that has the name, else the first
 * that has it; 0: none.
 */
static uint32_t
same_in_file(const struct ui *ui, uint32_t id, const char *column,
    void (*name)(const struct store *, uint32_t, struct buf *))
{
	const struct store *st = ui->session->store[ui->session->at];
	const struct column *all = store_column(st, column);
	struct buf	want = BUF_INIT, b = BUF_INIT;
	uint32_t	i, n = all != NULL ? (uint32_t)all->rows : 0;

	name(ui_store(ui), id, &want);
	name(st, id, &b);
	if (id <= n && str_eq(buf_view(&b), buf_view(&want)))
		n = i = id;
	else
		for (i = 1; i <= n; i++) {
			buf_clear(&b);
			name(st, i, &b);
			if (str_eq(buf_view(&b), buf_view(&want)))
				break;
		}
	buf_free(&want);
	buf_free(&b);
	return i <= n ? i : 0;
}

void
look_time(struct ui *ui, uint32_t thread, uint32_t method)
{
	if (ui_find(ui, &pane_time) == NULL) {
		ui_say(ui, "this file does not say what came first");
		return;
	}
	if (ui->session->view != NULL && thread != 0)
		thread = same_in_file(ui, thread, "thread.tid", thread_name);
	if (ui->session->view != NULL && method != 0)
		method = same_in_file(ui, method, "method.raw", method_name);
	time_thread(ui, thread, method);
}
