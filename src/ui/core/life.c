/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * life: begin and end of the explorer, and its session without the view.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/facts.h"
#include "state.h"

struct ui *
ui_new(struct session *session, const struct ui_options *opt, int wake_fd, struct err *err)
{
	struct ui	*ui = mem_array(1, sizeof *ui);

	if (ui == NULL) {
		fail(err, E_SYSTEM, "out of memory (explorer)");
		return NULL;
	}
	ui->session = ui->main = session;
	ui->opt = opt;
	ui->plain = mem_array(1, sizeof *ui->plain);
	if (ui->plain == NULL)
		fail(err, E_SYSTEM, "out of memory (explorer)");
	if (ui->plain == NULL || !worker_start(&ui->worker, wake_fd, err)) {
		ui_free(ui);
		return NULL;
	}
	return ui;
}

void
ui_stop(struct ui *ui)
{
	for (size_t i = 0; i < ui->npanes; i++)
		pane_free(ui->pane[i]);
	ui->npanes = 0;
	history_free(ui);
	found_drop(ui, NULL);
	worker_stop(ui->worker);
}

void
ui_free(struct ui *ui)
{
	struct plain	*older;

	if (ui == NULL)
		return;
	for (; ui->plain != NULL; ui->plain = older) {
		older = ui->plain->older;
		free(ui->plain);
	}
	free(ui->marks.id);
	buf_free(&ui->look.file);
	buf_free(&ui->look.query);
	free(ui);
}

/* ---- the session without its view ------------------------------------------- */

/* The worker may still read older copies: free them at the end. */
struct session *
ui_plain(struct ui *ui)
{
	struct plain	*p = ui->plain;
	struct session	 now;

	memcpy(&now, ui->session, sizeof now);
	now.view = NULL;
	now.clock = look_clock(ui);
	for (; p != NULL; p = p->older)
		if (memcmp(&now, &p->session, sizeof now) == 0)
			return &p->session;
	p = mem_array(1, sizeof *p);
	if (p == NULL)
		return &ui->plain->session;
	memcpy(&p->session, &now, sizeof now);
	p->older = ui->plain;
	ui->plain = p;
	return &p->session;
}

/* The default event of the file needs no option. */
void
ui_command_options(struct ui *ui, struct buf *b)
{
	const struct report_options *page = &ui->opt->page;
	const struct store *st = ui_file(ui);
	struct report_options all = *page;
	struct report_option *given;

	if (ui->opt->event_liked == NULL || st == NULL || store_below(st) == NULL ||
	    event_find(st, str_of(ui->opt->event_liked)) != fact_value(st, FACT_EVENT) ||
	    (given = mem_array(page->ngiven + 1, sizeof *given)) == NULL) {
		command_options(ui_plain(ui), page, b);
		return;
	}
	for (size_t i = 0; i < page->ngiven; i++)
		given[i] = page->given[i];
	given[all.ngiven++] = (struct report_option){ .name = "event", .value = ui->opt->event_liked };
	all.given = given;
	command_options(ui_plain(ui), &all, b);
	free(given);
}
