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

	if (ui->session != ui->main)
		return;
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
	    sscanf(text, "range %" SCNu64 "ns %" SCNu64 "ns%n", &start, &end, &used) != 2 ||
	    (size_t)used != stage.n)
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

bool
look_has_stage(const char *stages, struct str stage)
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
		if (one.n > 0 && !look_has_stage(others, one))
			return one;
	return STR("");
}

bool
look_has(const struct ui *ui, struct str stage)
{
	return look_has_stage(ui->look.want, stage);
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
	    "event", "state", "label", "per", "dump", "diff" };
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

void
look_want(struct ui *ui, const char *stages)
{
	if (strlen(stages) >= LOOK_MAX) {
		ui_say_hint(ui, VERB_CLEAR, "too many filters; _ clears them");
		return;
	}
	TEXT_COPY(ui->look.want, stages);
	ui->look.due = true;
}

size_t
look_file(const struct ui *ui)
{
	return ui->look.at;
}

bool
look_differs(const struct ui *ui)
{
	return ui->session == ui->main && look_stage(ui->look.now, "diff").n > 0;
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
	TEXT_COPY(l->now, stages);
}

/* ---- for other panes ----------------------------------------------------- */

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
	const struct column *start = store_column(st, COL_THREAD_START),
	    *end = store_column(st, COL_THREAD_END);
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

	return s->nstores > 1 &&
	    (load_shapes(s->store[0]) & load_shapes(s->store[s->at != 0 ? s->at : 1]) & shapes) != 0;
}

bool
look_alike(const struct ui *ui)
{
	return look_two(ui, SHAPE_COMPARED);
}
