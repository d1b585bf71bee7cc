/*
 * look: the session's view, as keys make it from stages of queries, and which of several files is looked at.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "room.h"

/* ---- stages as text ------------------------------------------------------ */

/* All stages with mark between them. */
static void
join(const char *stages, const char *mark, struct buf *b)
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
	join(ui->look.now, " | ", b);
}

void
look_path(const struct ui *ui, struct buf *b)
{
	join(ui->look.now, " > ", b);
}

/* The stage that begins with a word; n 0: there is none. */
static struct str
stage_of(const char *stages, const char *word)
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
	struct str	one = stage_of(stages, word);
	char		*at = stages;

	if (one.n == 0)
		return;
	at += one.s - stages;
	memmove(at, at + one.n + 1, strlen(at + one.n + 1) + 1);
}

static bool
begins_stage(struct str s)
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
static void
split_stages(const char *line, struct buf *b)
{
	const char	*from = line, *s;
	struct str	one;

	for (s = line;; s++) {
		if (*s != '\0' && (*s != '|' || !begins_stage(str_of(s + 1))))
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

	s.at = l->asked_at;
	s.clock = l->asked_clock;
	s.view = NULL;
	l->made = NULL;
	join(l->asked, " | ", &text);
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
	return stage_of(ui->look.now, "diff").n > 0 ? ui->look.clock : ui->session->clock;
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
	bool		 differed = stage_of(l->now, "diff").n > 0, other = s->at != l->asked_at;
	bool		 differs = stage_of(l->asked, "diff").n > 0;

	if (differs && !differed) {
		l->clock = s->clock;
		s->clock = CLOCK_OFF;
	} else if (differed && !differs)
		s->clock = l->clock;
	memcpy(l->now, l->asked, sizeof l->now);
	ui_swap(ui, l->asked_at, NULL, l->made);
	if (other)
		show_file(ui);
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct look_state *l = (struct look_state *)task;
	struct ui	*ui = task->ui;

	if (!ok) {
		ui_fail(ui, err);
		memcpy(l->want, l->now, sizeof l->want);
		l->at = ui->session->at;
		if (l->npast > 0 && strcmp(l->past[l->npast - 1], l->now) == 0)
			l->npast--;
		return;
	}
	take_view(ui);
	if (strcmp(l->want, l->asked) != 0 || l->at != l->asked_at)
		give(ui);
}

static void
make(struct ui *ui)
{
	ui->look.task.run = run;
	ui->look.task.done = done;
	give(ui);
}

/* What is wanted from here on; keep: U comes back to what was. */
static void
set(struct ui *ui, const char *stages, bool keep)
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
	make(ui);
}

/* One more stage; others that begin with drop go. */
static void
add(struct ui *ui, const char *drop, struct str stage)
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
		set(ui, b.n > 0 ? b.s : "", true);
	buf_free(&b);
}

/* ---- patterns ------------------------------------------------------------ */

/* As it is looked for with /: a regular expression, either case when it has no capitals.  Quotes and slashes say it themselves. */
static void
add_pattern(struct buf *b, const char *line)
{
	const char	*flag = "i", *s;

	if (line[0] == '/' || line[0] == '\'' || line[0] == '"') {
		buf_str(b, str_of(line));
		return;
	}
	buf_chr(b, '/');
	for (s = line; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0')
			buf_chr(b, *s++);
		else if (*s == '/')
			buf_chr(b, '\\');
		else if (isupper((unsigned char)*s))
			flag = "";
		buf_chr(b, *s);
	}
	buf_printf(b, "/%s", flag);
}

static void
entered(struct ui *ui, const char *word, const char *line)
{
	struct buf	b = BUF_INIT;

	if (line == NULL || *line == '\0')
		return;
	buf_printf(&b, "%s ", word);
	add_pattern(&b, line);
	add(ui, NULL, buf_view(&b));
	buf_free(&b);
}

static void
hide_entered(struct ui *ui, const char *line)
{
	entered(ui, "hide", line);
}

static void
keep_entered(struct ui *ui, const char *line)
{
	entered(ui, "keep", line);
}

static void
fold_entered(struct ui *ui, const char *line)
{
	entered(ui, "fold", line);
}

static void
view_entered(struct ui *ui, const char *line)
{
	struct buf	b = BUF_INIT;

	if (line == NULL)
		return;
	split_stages(line, &b);
	if (!b.bad)
		set(ui, b.n > 0 ? b.s : "", true);
	buf_free(&b);
}

/* A pattern to begin with: everything of the class of that name, or of its package. */
static void
ask_pattern(struct ui *ui, const char *label, struct str name, bool package,
    void (*take)(struct ui *, const char *))
{
	struct buf	b = BUF_INIT;
	size_t		i, dots = package ? 2 : 1, n;

	for (n = name.n; n > 0 && dots > 0; n--)
		if (name.s[n - 1] == '.' && --dots == 0)
			break;
	n = n > 0 ? n : name.n;
	if (n > 0)
		buf_chr(&b, '^');
	for (i = 0; i < n; i++) {
		if (strchr("\\^$.[]|()*+?{}", name.s[i]) != NULL)
			buf_chr(&b, '\\');
		buf_chr(&b, name.s[i]);
	}
	prompt_open(ui, label, b.n > 0 && !b.bad ? b.s : "", take);
	buf_free(&b);
}

static void
ask_view(struct ui *ui)
{
	struct buf	b = BUF_INIT;

	join(ui->look.want, " | ", &b);
	prompt_open(ui, "view: ", b.n > 0 && !b.bad ? b.s : "", view_entered);
	buf_free(&b);
}

/* ---- what keys do -------------------------------------------------------- */

static void
add_exact(struct ui *ui, const char *word, struct str name)
{
	struct buf	b = BUF_INIT;

	buf_printf(&b, "%s ", word);
	if (name.n == 0)
		ui_say(ui, "this is no frame that could be hidden or kept");
	else if (!list_quote(name, &b))
		ui_say(ui, "the name is too long; X takes a pattern");
	else
		add(ui, NULL, buf_view(&b));
	buf_free(&b);
}

static void
next_group(struct ui *ui)
{
	static const char *const groups[] = { "", "by class", "by package", "by file" };
	struct str	now = stage_of(ui->look.want, "by");
	size_t		i;

	for (i = 0; i < NELEM(groups) && !str_eq(now, str_of(groups[i])); i++)
		;
	i = (i + 1) % NELEM(groups);
	add(ui, "by", str_of(groups[i]));
	ui_say(ui, "frames by %s", i == 0 ? "method" : groups[i] + 3);
}

static bool
event_stage(const struct store *st, uint64_t i, struct buf *b)
{
	buf_clear(b);
	buf_str(b, STR("event "));
	return list_quote(store_text(st, column_get(store_column(st, "event.name"), i)), b);
}

static void
next_event(struct ui *ui)
{
	const struct store *st = ui->session->store[ui->session->at];
	const struct column *name = store_column(st, "event.name");
	struct str	now = stage_of(ui->look.want, "event");
	uint64_t	i, n = name != NULL ? name->rows : 0, at = store_fact_get(st, "event");
	struct buf	b = BUF_INIT;

	for (i = 0; i < n; i++)
		if (event_stage(st, i, &b) && str_eq(now, buf_view(&b)))
			at = i + 1;
	if (n < 2)
		ui_say(ui, "this file has one kind of samples only");
	else if (event_stage(st, at % n, &b)) {
		add(ui, "event", buf_view(&b));
		ui_say(ui, "%s", b.s);
	}
	buf_free(&b);
}

void
ui_view_range(struct ui *ui, uint64_t from, uint64_t to)
{
	struct buf	b = BUF_INIT;

	if (from != to)
		buf_printf(&b, "range %" PRIu64 "ns %" PRIu64 "ns", from, to);
	add(ui, "range", buf_view(&b));
	buf_free(&b);
}

static void
undo(struct ui *ui)
{
	struct look_state *l = &ui->look;

	if (l->npast == 0)
		ui_say(ui, "there is nothing to take back");
	else
		set(ui, l->past[--l->npast], false);
}

static void
other_file(struct ui *ui)
{
	ui->look.at = (ui->look.at + 1) % ui->session->nstores;
	make(ui);
}

/* What is compared are the first file and this one, or the second. */
static bool
can_differ(const struct session *s)
{
	return (load_shapes(s->store[0]) & SHAPE_TREES) != 0 &&
	    (load_shapes(s->store[s->at != 0 ? s->at : 1]) & SHAPE_TREES) != 0;
}

static void
next_delta(struct ui *ui, enum verb verb)
{
	struct str	now = stage_of(ui->look.want, "diff");

	if (ui_shapes(ui) & SHAPE_GRAPH)
		ui_say(ui, "two heap dumps are looked at one by one; b changes to the other");
	else if (!can_differ(ui->session))
		ui_say(ui, "one of the two files has no call tree that could be compared");
	else if (verb == VERB_DELTA)
		add(ui, "diff", now.n > 0 ? STR("") : STR("diff"));
	else
		add(ui, "diff", str_eq(now, STR("diff normalised")) ? STR("diff") : STR("diff normalised"));
}

bool
look_act(struct ui *ui, enum verb verb, struct str name)
{
	switch (verb) {
	case VERB_HIDE: case VERB_KEEP:
		add_exact(ui, verb == VERB_HIDE ? "hide" : "keep", name);
		return true;
	case VERB_HIDE_LIKE:
		ask_pattern(ui, "hide: ", name, false, hide_entered);
		return true;
	case VERB_KEEP_LIKE:
		ask_pattern(ui, "keep: ", name, false, keep_entered);
		return true;
	case VERB_FOLD_LIKE:
		ask_pattern(ui, "fold: ", name, true, fold_entered);
		return true;
	case VERB_BY:
		next_group(ui);
		return true;
	case VERB_VIEW:
		ask_view(ui);
		return true;
	case VERB_VIEW_UNDO:
		undo(ui);
		return true;
	case VERB_VIEW_ALL:
		set(ui, "", true);
		return true;
	case VERB_EVENT:
		next_event(ui);
		return true;
	case VERB_OTHER:
		other_file(ui);
		return true;
	case VERB_DELTA: case VERB_SCALE:
		next_delta(ui, verb);
		return true;
	default:
		return false;
	}
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

bool
look_has_method(struct ui *ui, uint32_t *method)
{
	const struct session *s = ui->session;
	struct buf	a = BUF_INIT, b = BUF_INIT;
	bool		same = s->view == NULL;

	if (!same) {
		method_name(s->store[s->at], *method, &a);
		method_name(s->view, *method, &b);
		same = str_eq(buf_view(&a), buf_view(&b));
	}
	if (!same)
		ui_say(ui, "the view has other methods; C in the icicle takes it away");
	buf_free(&a);
	buf_free(&b);
	return same;
}
