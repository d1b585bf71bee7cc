/*
 * report_findings: what a report says of findings: what they come to, then each as a sentence.
 */
#include "config.h"

#include "icecore/leak.h"
#include "print.h"

#define INDENT 3u		/* behind their first lines */

/* What all findings and all bytes come to. */
bool
report_sums(struct printer *p, const struct session *session, struct err *err)
{
	struct buf text = BUF_INIT;
	struct findings f;
	struct heap h;
	bool ok = heap_open(&h, session_store(session), session->refs, session->sizes, err);

	if (ok && findings_open(&f, &h))
		findings_told(&f, &text);
	ok = ok && report_words(p, buf_view(&text), 0, err);
	buf_clear(&text);
	if (ok && heap_told(&h, false, &text)) {
		text.s[0] = 'H';
		ok = report_words(p, buf_view(&text), 0, err);
	}
	buf_free(&text);
	return ok;
}

/* "1. warning, accumulation: shop.Registry.done holds 9.28 MiB (76%): ..." */
bool
report_findings(struct printer *p, struct rows *rows, struct err *err)
{
	struct buf text = BUF_INIT;
	struct cell c[4];
	bool ok = true;

	for (uint64_t row = 0; ok && rows_reach(rows, row + 1) > row; row++) {
		for (size_t i = 0; i < NELEM(c); i++)
			rows_cell(rows, row, i, &c[i]);
		buf_clear(&text);
		buf_printf(&text, "%llu. ", (unsigned long long)c[0].u);
		buf_str(&text, c[1].text);
		buf_str(&text, STR(", "));
		buf_str(&text, c[2].text);
		buf_str(&text, STR(": "));
		if (c[3].type == CELL_TEXT)
			buf_str(&text, c[3].text);
		if (row == 0)
			buf_chr(&p->line, '\n');
		ok = rows_tick(rows, row) && report_words(p, buf_view(&text), INDENT, err);
	}
	buf_free(&text);
	return ok;
}
