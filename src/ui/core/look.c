/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look: the session's view as query stages, and which of several files is shown. Other files build the view.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "state.h"
#include "ui/term/term.h"

/* ---- stages as text ------------------------------------------------------ */

/* Append all stages, separated by mark. */
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

/* Omit diff if the panes compare rows in their own queries. */
void
look_stages(const struct ui *ui, struct buf *b)
{
	char	stages[LOOK_MAX];

	memcpy(stages, ui->look.now, sizeof stages);
	if (!look_two(ui, SHAPE_TREES))
		look_drop(stages, "diff");
	if (stages[0] != '\0')
		buf_str(b, STR(" | "));
	look_join(stages, " | ", b);
}

/* Append a range with times as shown elsewhere; false: the stage is not a range made by keys. */
static bool
add_range(struct str stage, struct buf *b)
{
	char		 text[80];
	uint64_t	 start, end;
	int		 used = 0;

	snprintf(text, sizeof text, "%.*s", (int)stage.n, stage.s);
	if (stage.n >= sizeof text ||
	    sscanf(text, "range %" SCNu64 "ns %" SCNu64 "ns%n", &start, &end, &used) != 2 || (size_t)used != stage.n)
		return false;
	buf_str(b, STR("range "));
	scale_window(b, start, end);
	return true;
}

void
look_chip(struct str stage, struct buf *b)
{
	if (!add_range(stage, b))
		buf_str(b, stage);
}

void
look_chips(const struct ui *ui, struct buf *b)
{
	struct str	rest = str_of(ui->look.now), one;

	while (str_split(&rest, '\n', &one)) {
		if (one.n == 0)
			continue;
		look_chip(one, b);
		buf_chr(b, '\n');
	}
}

bool
look_hides(const struct ui *ui)
{
	static const char *const words[] = { "hide", "keep", "drop", "range", "dump" };
	bool	hides = false;

	for (size_t i = 0; i < NELEM(words); i++)
		hides |= look_stage(ui->look.now, words[i]).n > 0;
	return hides;
}

static bool
has_stage(const char *stages, struct str stage)
{
	struct str	rest = str_of(stages), one;

	while (str_split(&rest, '\n', &one))
		if (str_eq(one, stage))
			return true;
	return false;
}

/* Return the first stage that others lack; n 0: none. */
static struct str
new_stage(const char *stages, const char *others)
{
	struct str	rest = str_of(stages), one;

	while (str_split(&rest, '\n', &one))
		if (one.n > 0 && !has_stage(others, one))
			return one;
	return STR("");
}

bool
look_has(const struct ui *ui, struct str stage)
{
	return has_stage(ui->look.want, stage);
}

void
look_name(const char *stages, const char *next, struct buf *b)
{
	struct str	more = new_stage(next, stages), less = new_stage(stages, next);

	if (more.n > 0)
		look_chip(more, b);
	else if (*next == '\0' && less.s + less.n + 1 < stages + strlen(stages))
		buf_str(b, STR("clear"));
	else if (str_has_prefix(less, STR("by ")))
		buf_str(b, STR("by method"));
	else if (less.n > 0) {
		buf_str(b, STR("without "));
		look_chip(less, b);
	} else
		buf_str(b, STR("order of filters"));
}

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

void
look_drop(char *stages, const char *word)
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
	    "event", "state", "per", "dump", "diff" };
	struct str	word;

	s = str_trim(s);
	if (!str_split(&s, ' ', &word))
		return false;
	for (size_t i = 0; i < NELEM(words); i++)
		if (str_eq(str_trim(word), str_of(words[i])))
			return true;
	return false;
}

/* ---- requested stages -------------------------------------------------- */

/* Return the clock of the weights.  While call trees are compared, session->clock selects after, before or delta. */
enum clock
look_clock(const struct ui *ui)
{
	return ui->look.clocked ? ui->look.clock : ui->session->clock;
}

void
look_set_clock(struct ui *ui, enum clock clock)
{
	struct weights	 w;

	weights_of(ui_file(ui), &w);
	if (clock == look_clock(ui) || w.name[clock] == NULL)
		return;
	if (ui->look.clocked)
		ui->look.clock = clock;
	else
		ui->session->clock = clock;
	ui_reset(ui);
}

const char *
look_now(const struct ui *ui)
{
	return ui->look.now;
}

const char *
look_wanted(const struct ui *ui)
{
	return ui->look.want;
}

size_t
look_file(const struct ui *ui)
{
	return ui->look.at;
}

bool
look_differs(const struct ui *ui)
{
	return look_stage(ui->look.now, "diff").n > 0;
}

void
look_choose(struct ui *ui, size_t file)
{
	step_view(ui, ui->look.want, NULL);
	ui->look.at = file;
	ui->look.due = true;
}

void
look_open(struct ui *ui, struct str path, const char *query)
{
	buf_clear(&ui->look.file);
	buf_clear(&ui->look.query);
	buf_str(&ui->look.file, path);
	buf_str(&ui->look.query, str_of(query));
	ui->look.file_due = path.n > 0 && !ui->look.file.bad && !ui->look.query.bad;
}

const char *
look_opened(struct ui *ui)
{
	bool	due = ui->look.file_due;

	ui->look.file_due = false;
	return due ? ui->look.file.s : NULL;
}

const char *
look_asking(const struct ui *ui)
{
	return ui->look.query.n > 0 ? ui->look.query.s : NULL;
}

bool
look_due(struct ui *ui)
{
	bool	due = ui->look.due;

	ui->look.due = false;
	return due;
}

void
look_taken(struct ui *ui, const char *stages)
{
	struct look_state *l = &ui->look;
	bool		 differs = look_stage(stages, "diff").n > 0 && look_two(ui, SHAPE_TREES);

	if (differs && !l->clocked) {
		l->clock = ui->session->clock;
		ui->session->clock = CLOCK_OFF;
	} else if (l->clocked && !differs)
		ui->session->clock = l->clock;
	l->clocked = differs;
	snprintf(l->now, sizeof l->now, "%s", stages);
}

void
look_refused(struct ui *ui, bool none)
{
	struct look_state *l = &ui->look;

	if (none)
		l->now[0] = '\0';
	history_refused(ui);
	memcpy(l->want, l->now, sizeof l->want);
	l->at = ui->session->at;
}

void
look_set(struct ui *ui, const char *stages, bool keep)
{
	struct look_state *l = &ui->look;

	if (strlen(stages) >= LOOK_MAX) {
		ui_say(ui, "too many filters; C clears them");
		return;
	}
	if (keep && strcmp(stages, l->want) != 0)
		step_view(ui, l->want, stages);
	snprintf(l->want, sizeof l->want, "%s", stages);
	l->due = true;
}

static const char *const single[] = { "by", "range", "event", "state", "per", "dump", "diff" };	/* stages that a view has only once */

/* True if a later stage overrides this one. */
static bool
look_is_void(struct str one, const char *after)
{
	struct str	word;

	str_split(&one, ' ', &word);
	for (size_t i = 0; i < NELEM(single); i++)
		if (str_eq(word, str_of(single[i])))
			return look_stage(after, single[i]).n > 0;
	return false;
}

void
look_join_in(struct ui *ui, const char *stages)
{
	char		 left[LOOK_MAX];
	struct buf	 b = BUF_INIT;
	struct str	 rest = str_of(stages), one;

	memcpy(left, ui->look.want, sizeof left);
	for (size_t i = 0; i < NELEM(single); i++)
		if (look_stage(stages, single[i]).n > 0)
			look_drop(left, single[i]);
	buf_str(&b, str_of(left));
	while (str_split(&rest, '\n', &one))
		if (one.n > 0 && !has_stage(left, one) && !look_is_void(one, rest.s)) {
			buf_str(&b, one);
			buf_chr(&b, '\n');
		}
	if (b.bad)
		ui_say(ui, "out of memory (filters)");
	else
		look_set(ui, b.s, true);
	buf_free(&b);
}

void
look_add(struct ui *ui, const char *drop, struct str stage)
{
	char		 left[LOOK_MAX];
	struct buf	 b = BUF_INIT;

	if (drop == NULL && look_has(ui, stage)) {
		ui_say(ui, "%.*s: already a filter", (int)stage.n, stage.s);
		return;
	}
	memcpy(left, ui->look.want, sizeof left);
	if (drop != NULL)
		look_drop(left, drop);
	buf_str(&b, str_of(left));
	if (stage.n > 0) {
		buf_str(&b, stage);
		buf_chr(&b, '\n');
	}
	if (b.bad)
		ui_say(ui, "out of memory (filters)");
	else
		look_set(ui, b.n > 0 ? b.s : "", true);
	buf_free(&b);
}

/* ---- for other panes ----------------------------------------------------- */

void
look_threads(struct ui *ui, uint32_t method)
{
	struct buf	b = BUF_INIT;

	buf_str(&b, STR("methods"));
	look_stages(ui, &b);
	buf_printf(&b, " | where id = %" PRIu32 " | threads", method);
	if (!b.bad)
		ui_ask(ui, b.s);
	buf_free(&b);
}

void
look_bytecode(struct ui *ui, uint32_t method)
{
	struct buf	b = BUF_INIT;

	if (method == 0 || (ui_shapes(ui) & SHAPE_CODE) == 0) {
		ui_say(ui, method == 0 ? "select a method first" : "no bytecode; pass it with --classes");
		return;
	}
	buf_printf(&b, "methods | where id = %" PRIu32 " | bytecode | select method offset line bug share opcode operands handlers note", method);
	if (!b.bad)
		ui_visit(ui, &(struct visit){ .to = PLACE_BYTECODE, .query = b.s });
	buf_free(&b);
}

void
look_code(struct ui *ui, uint32_t method, uint64_t at)
{
	bool traced = (ui_shapes(ui) & SHAPE_CODE) != 0 && (ui_shapes(ui) & SHAPE_TREES) != 0;
	char query[140];

	snprintf(query, sizeof query, "bytecode @%" PRIu32 " | select method offset line bug %sopcode operands handlers note", method,
	    traced ? "share " : "");
	ui_visit(ui, &(struct visit){ .to = PLACE_BYTECODE, .query = query, .id = at < UINT32_MAX ? (uint32_t)at : 0 });
}

void
look_range(struct ui *ui, uint64_t from, uint64_t to)
{
	struct buf	b = BUF_INIT;

	if (from != to)
		buf_printf(&b, "range %" PRIu64 "ns %" PRIu64 "ns", from, to);
	look_add(ui, "range", buf_view(&b));
	buf_free(&b);
}

void
look_say_range(struct ui *ui)
{
	struct buf	b = BUF_INIT;

	look_chip(look_stage(ui->look.want, "range"), &b);
	if (b.n > 0 && !b.bad)
		ui_say(ui, "[%s] in all panes; u undoes it", b.s);
	buf_free(&b);
}

void
look_stretch(struct ui *ui, uint32_t thread, uint64_t from, uint64_t to)
{
	if (thread != 0 && ui_answers(ui, PLACE_STRETCH) != NULL) {
		ui_visit(ui, &(struct visit){ .to = PLACE_STRETCH, .id = thread, .from = from, .until = to });
		return;
	}
	look_range(ui, from, to);
	look_say_range(ui);
}

bool
look_ranged(const struct ui *ui, uint64_t *from, uint64_t *to)
{
	struct str	stage = look_stage(ui->look.want, "range");
	struct err	err;

	return stage.n > 0 && query_range(ui->session, stage, from, to, &err);
}

bool
look_extent(const struct ui *ui, uint64_t *from, uint64_t *to)
{
	const struct store *st = ui_file(ui);
	const struct column *start = store_column(st, COL_THREAD_START), *end = store_column(st, COL_THREAD_END);
	uint64_t	first = UINT64_MAX, last = 0;

	for (uint64_t i = 0; start != NULL && end != NULL && i < start->rows && i < end->rows; i++) {
		if (column_get(end, i) == 0)
			continue;
		first = column_get(start, i) < first ? column_get(start, i) : first;
		last = column_get(end, i) > last ? column_get(end, i) : last;
	}
	*from = trace_ns(st, first);
	*to = trace_ns(st, last);
	return first < last;
}

/* The compared files are the first one and the file shown, or the second if the first is shown. */
bool
look_two(const struct ui *ui, unsigned shapes)
{
	const struct session *s = ui->session;

	return s->nstores > 1 && (load_shapes(s->store[0]) & shapes) != 0 &&
	    (load_shapes(s->store[s->at != 0 ? s->at : 1]) & shapes) != 0;
}

bool
look_alike(const struct ui *ui)
{
	return look_two(ui, SHAPE_TREES) || look_two(ui, SHAPE_GRAPH) || look_two(ui, SHAPE_TASKS);
}
