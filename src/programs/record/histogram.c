/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram: the classes of a JVM by size, once, or again and again to show which ones grow.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/name.h"
#include "live.h"

/* Append a row; grown: with the difference to the first histogram. */
static void
histogram_put_row(const struct counted_class *row, bool grown, struct buf *b)
{
	char bytes[NUM_TEXT], count[NUM_TEXT];

	num_show_count(count, sizeof count, row->instances);
	num_show_size(bytes, sizeof bytes, row->bytes);
	if (grown)
		put_growth(row, 11, b);
	buf_printf(b, "%12s %12s  ", count, bytes);
	text_fit_buf(b, row->name);
	buf_chr(b, '\n');
}

static bool
histogram_print(struct class_counts *h, const struct class_counts *first, size_t most, struct err *err)
{
	struct buf b = BUF_INIT;
	const struct counted_class *was;
	bool ok;

	for (size_t i = 0; first != NULL && i < h->n; i++) {
		was = histogram_find(first, h->row[i].name);
		h->row[i].before = was == NULL ? 0 : was->bytes;
	}
	qsort(h->row, h->n, sizeof *h->row, first == NULL ? class_by_bytes : class_by_growth);
	buf_printf(&b, "%s%12s %12s  %s\n", first == NULL ? "" : " growth      ", "instances", "size",
	    "class");
	for (size_t i = 0; i < h->n && i < most; i++)
		histogram_put_row(&h->row[i], first != NULL, &b);
	ok = !b.bad || fail(err, E_SYSTEM, "out of memory");
	if (ok)
		fwrite(b.s, 1, b.n, stdout);
	buf_free(&b);
	return ok && (fflush(stdout) == 0 || fail_errno(err, "cannot write"));
}

/* ---- again and again ------------------------------------------------------------------------------------------ */

#define GROWING 20u	/* classes to print each time */

static bool
histogram_watch(struct recording *r, struct err *err)
{
	struct class_counts first = { .n = 0 }, now = { .n = 0 };
	struct buf text = BUF_INIT, again = BUF_INIT;
	uint64_t at = os_now();
	struct err why = { .kind = E_NONE };
	bool ok = histogram_ask(r, &text, &first, &why);

	for (unsigned i = 1; ok && (r->o->n == 0 || i < r->o->n) && stop_wait(at += r->o->every); i++) {
		if (i > 1)
			putchar('\n');
		ok = histogram_ask(r, &again, &now, &why) && histogram_print(&now, &first, GROWING, &why);
	}
	histogram_free(&first);
	histogram_free(&now);
	buf_free(&text);
	buf_free(&again);
	if (!ok && why.kind != E_CANCEL)
		return fail_about(err, NULL, &why);
	return stop_keeps(r, err);
}

bool
record_histogram(struct recording *r, struct err *err)
{
	struct class_counts h = { .n = 0 };
	struct buf text = BUF_INIT;
	bool ok;

	if (!target_takes(&r->target, err))
		return false;
	record_say("histogram of %ld (%s): the JVM stops %s%s", (long)r->target.pid, r->target.name,
	    r->o->all ? "while it counts its objects" : "for a full GC, and while it counts its objects",
	    r->o->every > 0 ? ", each time" : "");
	if (r->o->dry_run)
		return true;
	if (r->o->every > 0)
		return r->o->n == 0 && isatty(STDIN_FILENO) &&
		    isatty(STDOUT_FILENO) ? live_run(r, err) : histogram_watch(r, err);
	ok = histogram_ask(r, &text, &h, err) && histogram_print(&h, NULL, SIZE_MAX, err);
	histogram_free(&h);
	buf_free(&text);
	return ok;
}
