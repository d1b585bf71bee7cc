/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_page: any bytes as a file whose names reach pages: the report as HTML and Markdown, its lists and pictures.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "heapwalk.h"
#include "icecore/query.h"
#include "shown.h"
#include "target.h"
#include "walk.h"

static void
show_report(struct session *session, enum format format)
{
	const struct report_options o = { .page = PAGE_REPORT, .format = format, .no_hash = true };
	struct err err = { .kind = E_NONE };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	MUST(f != NULL);
	MUST(report_prepare(session, &o, NULL, &err) && report_print(session, &o, f, NULL, &err));
	fclose(f);
	(format == FORMAT_MD ? shown_md : shown_page)((struct str){ text, size });
	free(text);
}

static void
show_query(struct session *session, const char *query, enum format format)
{
	struct draw_options draw = DRAW_OPTIONS;
	struct err err = { .kind = E_NONE };
	struct reply a;
	char *text = NULL;
	size_t size;
	uint64_t n;
	FILE *f;

	/* The file may lack what it is about. */
	if (!query_ask(&a, str_of(query), 0, session, NULL, &err)) {
		MUST(err.kind == E_USAGE || err.kind == E_EMPTY);
		return;
	}
	draw.interactive = true;
	f = open_memstream(&text, &size);
	MUST(f != NULL);
	if (rows_draw(a.rows, format, &draw, 0, f, &n, &err)) {
		fclose(f);
		(format == FORMAT_MD ? shown_md : shown_page)((struct str){ text, size });
	} else {
		MUST(err.kind == E_USAGE || err.kind == E_EMPTY);
		fclose(f);
	}
	free(text);
	reply_close(&a);
}

TARGET(page, &mutate_text)
{
	static const char *const queries[] = { "calls", "methods", "threads", "spans", "tasks", "dumps", "records", "files", "info" };
	const struct str bytes = { (const char *)data, size };
	struct session session = { .nstores = 1, .sealed = true };
	struct err err = { .kind = E_NONE };

	if (!load_open(&session.store[0], "<b>@ann.txt", &(struct store_options){ .bytes = &bytes }, NULL, &err)) {
		MUST(err.kind == E_UNREADABLE);
		return;
	}
	show_report(&session, FORMAT_HTML);
	show_report(&session, FORMAT_MD);
	show_query(&session, queries[size % NELEM(queries)], FORMAT_HTML);
	show_query(&session, queries[size % NELEM(queries)], FORMAT_MD);
	show_query(&session, "calls", FORMAT_SVG);
	session_close(&session);
}
