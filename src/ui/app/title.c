/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * title: the first line of the screen: file, kind, size, and the current work or the file's damage.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/directory.h"
#include "icecore/facts.h"
#include "icecore/heap_facts.h"
#include "app.h"

enum { PROGRESS_NS = 100000000, NAME_LEAST = 8 };

static void
title_add_fact(struct buf *b, struct store *st, enum fact_id id, const char *one, const char *more)
{
	uint64_t n = fact_value(st, id);

	screen_number(b, "  ", num_show_count, n);
	buf_printf(b, " %s", n == 1 ? one : more);
}

/* Append the live bytes of the dump, or of two dumps; nothing until a pass has counted them. */
static void
title_add_live(const struct app *app, const struct store *st, struct buf *b)
{
	const struct session *s = app->session;
	bool		two = s->nstores == 2;
	uint64_t	live = heap_fact(two ? s->store[0] : st, FACT_LIVE_BYTES, s->refs, s->sizes);
	uint64_t	after = two ? heap_fact(s->store[1], FACT_LIVE_BYTES, s->refs, s->sizes) : 0;
	uint64_t	whole = two ? 0 : heap_whole(st, s->refs, s->sizes);

	if (live == 0 || (two && after == 0))
		return;
	screen_number(b, "  ", num_show_size, live);
	if (two)
		screen_number(b, glyph(GLYPH_TURNS), num_show_size, after);
	buf_str(b, STR(" live"));
	/* Percentages are of the sum. */
	if (whole > live) {
		screen_number(b, " + ", num_show_size, whole - live);
		buf_str(b, STR(" native"));
	}
}

static void
heap_title(struct app *app, struct buf *b)
{
	struct store	*st = ui_store(app->ui);

	buf_str(b, STR("  "));
	buf_str(b, fact_text(st, FACT_FORMAT));
	buf_printf(b, "  %s refs", heap_refs_names[app->session->refs]);
	if (app->session->sizes != SIZES_VM)
		buf_printf(b, "  %s sizes", heap_sizes_names[app->session->sizes]);
	title_add_fact(b, st, FACT_HEAP_OBJECTS, "object", "objects");
	title_add_live(app, st, b);
	if (fact_value(st, FACT_HEAP_ID_SIZE) != 0)
		buf_printf(b, "  %u-byte ids", (unsigned)fact_value(st, FACT_HEAP_ID_SIZE));
}

static void
trace_title(struct store *st, struct buf *b)
{
	const struct column *tid = store_column(st, COL_THREAD_TID);
	uint64_t	 version = fact_value(st, FACT_VERSION);

	buf_chr(b, ' ');
	/* Streamed traces have 0xf0 added to the version. */
	if (version > 0)
		buf_printf(b, "v%u%s", (unsigned)(version & 0xf), version >= 0xf0 ? " streamed" : "");
	buf_chr(b, ' ');
	buf_str(b, fact_text(st, FACT_CLOCK));
	if (fact_text(st, FACT_CLOCK_GUESSED).n > 0)
		buf_str(b, STR(" (guessed)"));
	if (fact_value(st, FACT_SAMPLED) > 0)
		buf_str(b, STR(" sampled"));
	if (load_shapes(st) & SHAPE_EVENTS) {
		buf_str(b, STR("  "));
		event_told(st, b);
	}
	title_add_fact(b, st, FACT_RECORDS, "record", "records");
	if (tid != NULL)
		buf_printf(b, "  %u thread%s", (unsigned)tid->rows, tid->rows == 1 ? "" : "s");
}

/* Append the current event and its number: "ExecutionSample 1/7". */
static void
title_add_event(const struct app *app, struct store *st, uint64_t event, struct buf *b)
{
	const struct column *samples = store_column(ui_file(app->ui), COL_EVENT_SAMPLES);
	struct str name = event_name(st, (uint32_t)event);
	uint64_t nth = 0;

	for (uint64_t i = 0; i < event && i < column_rows(samples); i++)
		nth += column_get(samples, i) > 0;
	buf_str(b, STR("  "));
	buf_str(b, str_has_prefix(name, STR("jdk.")) ? str_after(name, strlen("jdk.")) : name);
	buf_printf(b, " %llu/%zu", (unsigned long long)nth, ui_events(app->ui));
}

/* Append the current event and its number of samples. */
static bool
event_title(const struct app *app, struct store *st, struct buf *b)
{
	const struct column *samples = store_column(st, COL_EVENT_SAMPLES);
	uint64_t event = fact_value(st, FACT_EVENT), n;

	if (samples == NULL || event == 0 || event > samples->rows)
		return false;
	n = column_get(samples, event - 1);
	/* The calls that samples fill are not samples. */
	if (samples->rows - (fact_value(st, FACT_TRACE_CALLS) > 0) == 1) {
		title_add_fact(b, st, FACT_SAMPLES, "sample", "samples");
		if (!str_eq(event_name(st, 1), STR("samples"))) {
			buf_str(b, STR(" of "));
			buf_str(b, event_name(st, 1));
		}
		return true;
	}
	title_add_event(app, st, event, b);
	screen_number(b, "  ", num_show_count, n);
	/* In a table all events share the records; in other files events may have different samples. */
	if (load_shapes(st) & SHAPE_TABLE)
		screen_number(b, " of ", num_show_count, fact_value(st, FACT_RECORDS));
	buf_printf(b, " sample%s", n == 1 ? "" : "s");
	return true;
}

/* Append the sizes of files of other kinds, in the terms of each kind. */
static void
sizes_title(const struct app *app, struct store *st, struct buf *b)
{
	static const struct { unsigned shapes; enum fact_id fact; const char *one, *more; } sizes[] = {
		{ SHAPE_SAMPLES, FACT_SAMPLES, "sample", "samples" },
		{ SHAPE_SAMPLES, FACT_STACKS, "stack", "stacks" },
		{ SHAPE_SAMPLES, FACT_THREADS, "thread", "threads" },
		{ SHAPE_TASKS, FACT_SWITCHES, "switch", "switches" },
		{ SHAPE_TASKS, FACT_THREADS_LISTED, "task", "tasks" },
		{ SHAPE_COUNTS, FACT_HISTOGRAMS, "histogram", "histograms" },
		{ SHAPE_COUNTS, FACT_COUNTED_CLASSES, "class", "classes" },
		{ SHAPE_NATIVE, FACT_NATIVE_REPORTS, "report", "reports" },
		{ SHAPE_COSTS, FACT_FUNCTIONS, "function", "functions" },
		{ SHAPE_COSTS, FACT_ARCS, "arc", "arcs" },
		{ SHAPE_CODE, FACT_CODE_CLASSES, "class", "classes" },
		{ SHAPE_CODE, FACT_CODE_METHODS, "method", "methods" },
		{ SHAPE_MARKS, FACT_ASYNC, "async operation", "async operations" },
		{ SHAPE_MARKS, FACT_COUNTERS, "counter", "counters" },
		{ SHAPE_MARKS, FACT_INSTANTS, "mark", "marks" }
	};
	/* Ignore bytecode beside a profile. */
	unsigned	shapes = load_shapes(st) == SHAPE_CODE ? SHAPE_CODE :
	    load_shapes(st) & ~(unsigned)SHAPE_CODE;
	uint64_t	n;

	if (str_eq(fact_text(st, FACT_KIND), STR("differential")))
		buf_str(b, STR("  diff: before, after"));
	for (size_t i = 0; i < NELEM(sizes); i++) {
		n = shapes & sizes[i].shapes ? fact_value(st, sizes[i].fact) : 0;
		if (i == 0 && event_title(app, st, b))
			continue;
		if (n > 0)
			title_add_fact(b, st, sizes[i].fact, sizes[i].one, sizes[i].more);
	}
}

/* For example "out EUR  417 transactions  2 accounts  2026-01-01 to 2026-12-28". */
static void
money_title(struct store *st, struct buf *b)
{
	struct str first = fact_text(st, FACT_FIRST_DAY), last = fact_text(st, FACT_LAST_DAY);

	buf_str(b, STR("  "));
	buf_str(b, event_name(st, (uint32_t)fact_value(st, FACT_EVENT)));
	title_add_fact(b, st, FACT_TRANSACTIONS, "transaction", "transactions");
	title_add_fact(b, st, FACT_THREADS, "account", "accounts");
	if (fact_value(st, FACT_ACCOUNTS_LISTED) > 0)
		title_add_fact(b, st, FACT_ACCOUNTS_LISTED, "account listed", "accounts listed");
	if (first.n > 0) {
		buf_str(b, STR("  "));
		buf_str(b, first);
		buf_str(b, STR(" to "));
		buf_str(b, last);
	}
}

/* Drop the common prefix of two names that do not fit, because it does not distinguish them. */
static void
cut_names(struct buf name[2], size_t w)
{
	struct buf	cut;
	size_t		same = 0;

	while (same < name[0].n && same < name[1].n && name[0].s[same] == name[1].s[same])
		same++;
	while (same > 0 && ((unsigned char)name[0].s[same] & 0xc0) == 0x80)
		same--;
	for (size_t i = 0; i < 2; i++) {
		cut = (struct buf)BUF_INIT;
		if (same > 0)
			buf_str(&cut, str_of(glyph(GLYPH_CUT)));
		buf_str(&cut, str_after(buf_view(&name[i]), same));
		buf_clear(&name[i]);
		screen_short(&name[i], buf_view(&cut), w);
		buf_free(&cut);
	}
}

/* Name both files; the mark that says what is shown is never cut. */
static void
two_files(const struct session *s, size_t after, bool change, size_t w, struct buf *b)
{
	struct buf	name[2] = { BUF_INIT, BUF_INIT }, which = BUF_INIT;
	size_t		around;

	buf_printf(&which, " [%s]", change ? s->at == 0 ? "change, before" : "change" : s->at == 0 ? "before" :
	    "after");
	around = text_width(buf_view(&which)) + text_width(str_of(glyph(GLYPH_TURNS))) + 1;
	screen_fit(&name[0], shown_name(store_path(s->store[0])));
	screen_fit(&name[1], shown_name(store_path(s->store[after])));
	if (text_width(buf_view(&name[0])) + text_width(buf_view(&name[1])) + around > w)
		cut_names(name, around + 2 * NAME_LEAST < w ? (w - around) / 2 : NAME_LEAST);
	buf_str(b, buf_view(&name[0]));
	buf_str(b, str_of(glyph(GLYPH_TURNS)));
	buf_str(b, buf_view(&name[1]));
	buf_str(b, buf_view(&which));
	buf_free(&name[0]);
	buf_free(&name[1]);
	buf_free(&which);
}

/* Append the file names: both files if they can be compared, otherwise the shown one and its place. */
static void
which_title(struct app *app, size_t w, struct buf *b)
{
	const struct session *s = app->session;

	if (s->nstores > 1 && (s->nstores == 2 ? look_alike(app->ui) : look_differs(app->ui))) {
		two_files(s, s->at != 0 ? s->at : 1, look_differs(app->ui), w, b);
		return;
	}
	buf_str(b, shown_name(s->at < s->nstores ? store_path(s->store[s->at]) : app->opt->paths[0]));
	if (s->nstores > 1)
		buf_printf(b, "  (%zu of %zu%s)", s->at + 1, s->nstores,
		    app->opt->npaths > SESSION_STORES ? " open" : "");
}

static void
title_text(struct app *app, size_t w, struct buf *b)
{
	const struct session *s = app->session;
	struct store	*st = s->at < s->nstores ? s->store[s->at] : NULL;
	unsigned	 shapes = ui_shapes(app->ui);
	uint64_t	 dump, event = s->view != NULL ? fact_value(s->view, FACT_EVENT) : 0;

	/* The user chose an event: use the view. */
	if (st != NULL && event != 0 && event != fact_value(st, FACT_EVENT))
		st = s->view;
	which_title(app, w, b);
	if (st != NULL && load_dumps(ui_file(app->ui), &dump) > 0)
		buf_printf(b, "  dump %ju of %ju", (uintmax_t)dump, (uintmax_t)load_dumps(ui_file(app->ui), &dump));
	if (st != NULL && (shapes & SHAPE_GRAPH) != 0)
		heap_title(app, b);
	else if (st != NULL && (load_shapes(st) & SHAPE_MONEY) != 0)
		money_title(st, b);
	else if (st != NULL) {
		if (fact_text(st, FACT_FORMAT).n > 0)
			buf_str(b, STR("  "));
		buf_str(b, str_eq(fact_text(st, FACT_FORMAT), STR("Java Flight Recorder")) ? STR("JFR") :
		    fact_text(st, FACT_FORMAT));
		if ((load_shapes(st) & (SHAPE_SAMPLES | SHAPE_TASKS | SHAPE_TRIAGE | SHAPE_COSTS | SHAPE_COUNTS |
		    SHAPE_NATIVE)) != 0 ||
		    load_shapes(st) == SHAPE_CODE ||
		    (shapes & (SHAPE_MARKS | SHAPE_CALLS)) == SHAPE_MARKS)
			sizes_title(app, st, b);
		else
			trace_title(st, b);
	}
}

void
title_progress(struct app *app, struct buf *b)
{
	work_text(task_work(app->ui), app->opt->keys == NULL, b);
}

void
title_wait(struct work *w)
{
	struct buf	b = BUF_INIT;

	buf_chr(&b, ' ');
	work_text(w, true, &b);
	if (!b.bad)
		screen_notice(buf_view(&b));
	buf_free(&b);
}

/* Show the most serious state: losses, then doubts about all numbers, then repairs. */
static void
badge_text(struct app *app, struct buf *b)
{
	struct store	*st = ui_store(app->ui);
	uint64_t	 repairs;
	const char	*said;

	if (ui_stopped(app->ui) > 0 && app->opt->keys == NULL) {
		buf_printf(b, "stopped at %u%%", ui_stopped(app->ui));
		return;
	}
	if (st == NULL)
		return;
	said = stream_runs(app) ? "live" : map_lost(store_file(st)) ? "! file changed while open" :
	    store_damaged(st) ? str_has(fact_text(st, FACT_LOSS_REASON), STR("lost while recording")) ?
	    "! data lost: see Info" : str_has(fact_text(st, FACT_LOSS_REASON), STR("bank refused")) ?
	    "! refused by the bank" : fact_value(st, FACT_LOSS_DUMP_END) > 0 ? "end of dump missing: see Info" :
	    "! damaged file: see Info" :
	    load_left_out(st) > 0 ? "! most lines dropped: see Info" : NULL;
	if (said != NULL) {
		buf_str(b, str_of(said));
		return;
	}
	repairs = store_repairs(st);
	if (repairs == 0)
		return;
	screen_number(b, "", num_show_count, repairs);
	buf_printf(b, " repair%s", repairs == 1 ? "" : "s");
}

bool
app_partial(const struct app *app)
{
	struct pane	*p = ui_pane(app->ui);

	return app->state == LOAD_DONE && PANE_DOES(p, partial) != NULL && PANE_DOES(p, partial)(p);
}

/* Show no progress of background work. */
static bool
shows_progress(const struct app *app)
{
	uint64_t	 since;
	const struct task *t = task_running(app->ui, &since);

	if ((t == &app->save.task || t == &app->preparer.task.task) && !app_partial(app) &&
	    !task_waits(app->ui) &&
	    app->opt->keys == NULL)
		return false;
	return t != NULL && t != &app->stream.task.task &&
	    (app->state != LOAD_DONE || app->opt->keys != NULL ||
	    os_now() - since > PROGRESS_NS);
}

void
title_draw(struct app *app, int w)
{
	struct buf	left = BUF_INIT, right = BUF_INIT;
	int		room, n;
	bool		busy = shows_progress(app);

	if (app_partial(app))
		buf_str(&right, STR("partial"));
	if (right.n > 0 && (busy || ui_stopped(app->ui) > 0))
		buf_str(&right, STR("  "));
	if (busy)
		title_progress(app, &right);
	else if (right.n == 0 || ui_stopped(app->ui) > 0)
		badge_text(app, &right);
	n = (int)text_width(buf_view(&right));
	if (n > (busy ? w * 2 / 3 : w / 2))
		n = busy ? w * 2 / 3 : w / 2;
	room = n > 0 ? w - n - 2 : w;
	title_text(app, room > 0 ? (size_t)room : 0, &left);
	screen_name(0, 0, room, ROLE_TITLE, LOOK_BOLD, buf_view(&left));
	/* Red means losses; repairs and running work are not errors. */
	screen_put(0, w - n, n, str_has_prefix(buf_view(&right), STR("!")) ? ROLE_ERROR : ROLE_NORMAL,
	    LOOK_PLAIN, buf_view(&right));
	buf_free(&left);
	buf_free(&right);
}
