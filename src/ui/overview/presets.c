/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * presets: pane Presets, the queries of presets that fit the file; Enter runs one.
 */
#include "config.h"

#include "icecore/keys.h"
#include "icecore/preset.h"
#include "ui/list/list.h"

static const struct list_spec presets_list[] = { {
	.columns = "where fits = true | select preset title query", .naming = "query", .at_once = true,
	.empty = "no preset fits this file"
} };

static bool
presets_fits(const struct ui *ui)
{
	return ui_session(ui)->presets != NULL;
}

static bool
presets_act(struct pane *p, enum verb verb)
{
	struct buf	 query = BUF_INIT;
	struct cell	 c;

	if (verb != VERB_ENTER || !list_cell(list_of(p), "query", &c))
		return list_act(list_of(p), verb);
	buf_str(&query, c.text);
	if (!query.bad)
		ui_ask(p->ui, query.s);
	buf_free(&query);
	return true;
}

const struct pane_kind pane_presets = {
	"Presets", "presets", SHAPE_TASKS | SHAPE_MARKS, IN_LIST,
	LISTS_OF(presets_list), .plain = true, .tell[TELL_PATH] = list_pane_path, .fits = presets_fits, .act = presets_act
};
