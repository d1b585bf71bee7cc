/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_findings: what a report says of findings: what they come to, then each as a sentence.
 */
#include "config.h"

#include "icecore/leak.h"
#include "report.h"

#define INDENT 3u		/* behind their first lines */
#define WORDS 3			/* severity, kind, why */

/* Print the sums of all findings and of all bytes of the heap. */
void
report_sums(struct printer *p, const struct session *session)
{
	struct buf text = BUF_INIT;
	struct findings f;
	struct heap h;

	print_unless(p, heap_open(&h, session_store(session), session->refs, session->sizes, p->err));
	if (p->ended)
		return;
	if (findings_open(&f, &h))
		findings_told(&f, &text);
	p->line.bad |= text.bad;
	page_paragraph(p, buf_view(&text), 0);
	buf_clear(&text);
	if (heap_told(&h, &text)) {
		p->line.bad |= text.bad;
		buf_str(&p->line, p->page == PAGE_MD ? STR("\n") : STR(""));
		page_paragraph(p, buf_view(&text), 0);
	}
	buf_free(&text);
}

/* Append where the objects were allocated, from a recording opened with the dump. */
static void
add_made_at(struct rows *rows, uint64_t row, struct buf *text)
{
	struct cell c = { .type = CELL_NONE };

	if (rows->ncols > WORDS)
		rows_cell(rows, row, WORDS, &c);
	if (c.type != CELL_TEXT)
		return;
	buf_str(text, STR("; allocated at: "));
	buf_str(text, c.text);
}

/* "1. warning, accumulation: shop.Registry.done holds 9.28 MiB (76%): ..." */
void
report_findings(struct printer *p, struct rows *rows)
{
	struct buf text = BUF_INIT;
	struct cell c[WORDS];

	for (uint64_t row = 0; !p->ended && rows_reach(rows, row + 1) > row; row++) {
		for (size_t i = 0; i < NELEM(c); i++)
			rows_cell(rows, row, i, &c[i]);
		buf_clear(&text);
		buf_printf(&text, "%llu. ", (unsigned long long)row + 1);
		buf_str(&text, c[0].text);
		buf_str(&text, STR(", "));
		buf_str(&text, c[1].text);
		buf_str(&text, STR(": "));
		if (c[2].type == CELL_TEXT)
			buf_str(&text, c[2].text);
		add_made_at(rows, row, &text);
		print_unless(p, rows_tick(rows, row));
		page_paragraph(p, buf_view(&text), INDENT);
	}
	buf_free(&text);
}
