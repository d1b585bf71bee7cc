/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look_set: change the view, as undo steps, and open what other panes ask for in it.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

void
look_choose(struct ui *ui, size_t file)
{
	step_view(ui, ui->look.want, NULL);
	ui->look.at = file;
	ui->look.due = true;
}

bool
look_compare(struct ui *ui)
{
	struct look_state *l = &ui->look;

	if (!session_compares(ui->session) || *l->want != '\0' || l->at != 0)
		return false;
	l->at = 1;
	look_want(ui, "diff\n");
	return true;
}

void
look_refused(struct ui *ui, bool none)
{
	struct look_state *l = &ui->look;

	if (none)
		l->now[0] = '\0';
	history_refused(ui);
	memcpy(l->want, l->now, sizeof l->want);
	l->at = ui->main->at;
}

void
look_set(struct ui *ui, const char *stages)
{
	if (strlen(stages) < LOOK_MAX && strcmp(stages, ui->look.want) != 0)
		step_view(ui, ui->look.want, stages);
	look_want(ui, stages);
}

/* Set the stages in b, and free it. */
static void
set_stages(struct ui *ui, struct buf *b)
{
	if (b->bad)
		ui_say(ui, "out of memory (filters)");
	else
		look_set(ui, b->n > 0 ? b->s : "");
	buf_free(b);
}

/* stages that a view has only once */
static const char *const single[] = { "by", "range", "event", "state", "per", "dump", "diff" };

/* True if a later stage overrides this one. */
static bool
is_void(struct str one, const char *after)
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
		if (one.n > 0 && !look_has_stage(left, one) && !is_void(one, rest.s)) {
			buf_str(&b, one);
			buf_chr(&b, '\n');
		}
	set_stages(ui, &b);
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
	set_stages(ui, &b);
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
		ui_say(ui, "[%s] in all panes; %s", b.s, hint(VERB_UNDO, "_ undoes it").s);
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
	buf_printf(&b, "methods | where id = %" PRIu32 " | bytecode | select method offset line bug share opcode "
	    "operands handlers note", method);
	if (!b.bad)
		ui_visit(ui, &(struct visit){ .to = PLACE_BYTECODE, .query = b.s });
	buf_free(&b);
}

void
look_code(struct ui *ui, uint32_t method, uint64_t at)
{
	bool traced = (ui_shapes(ui) & SHAPE_CODE) != 0 && (ui_shapes(ui) & SHAPE_TREES) != 0;
	char query[140];

	snprintf(query, sizeof query, "bytecode @%" PRIu32 " | select method offset line bug %sopcode operands "
	    "handlers note", method,
	    traced ? "share " : "");
	ui_visit(ui, &(struct visit){ .to = PLACE_BYTECODE, .query = query, .id = at < UINT32_MAX ?
	    (uint32_t)at : 0 });
}
