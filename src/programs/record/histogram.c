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

/* ---- reading: "   1:   1234   56789  java.lang.String (java.base@17)" ------------------------------------- */

static bool
histogram_line(struct str line, struct counted_class *row)
{
	struct str word[4];
	uint64_t rank;
	size_t n = 0;

	for (line = str_skip_blanks(line); n < NELEM(word) && line.n > 0; line = str_skip_blanks(line))
		(void)str_split(&line, ' ', &word[n++]);
	if (n < NELEM(word) || word[0].n < 2 || word[0].s[word[0].n - 1] != ':' || !num_u64(str_head(word[0], word[0].n - 1), 10, &rank))
		return false;
	row->name = word[3];
	return num_u64(word[1], 10, &row->instances) && num_u64(word[2], 10, &row->bytes);
}

static int
row_by_name(const void *a, const void *b)
{
	const struct counted_class *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

bool
histogram_read(struct str text, struct class_counts *h, struct err *err)
{
	struct counted_class row;
	struct str line;

	h->n = 0;
	while (str_split(&text, '\n', &line)) {
		if (!histogram_line(line, &row))
			continue;
		if (!mem_grow(&h->row, &h->cap, h->n + 1, sizeof *h->row))
			return fail(err, E_SYSTEM, "out of memory");
		h->row[h->n++] = row;
	}
	if (h->n == 0)
		return fail(err, E_SYSTEM, "the JVM answered without a histogram");
	qsort(h->row, h->n, sizeof *h->row, row_by_name);
	return true;
}

const struct counted_class *
histogram_find(const struct class_counts *h, struct str name)
{
	const struct counted_class key = { .name = name };

	return h->n == 0 ? NULL : bsearch(&key, h->row, h->n, sizeof *h->row, row_by_name);
}

bool
histogram_ask(struct recording *r, struct buf *text, struct class_counts *h, struct err *err)
{
	const char *const request[] = { "inspectheap", r->o->all ? "-all" : "-live", NULL };

	buf_clear(text);
	return attach_ask(&r->target, request, text, err) && histogram_read(buf_view(text), h, err);
}

void
histogram_free(struct class_counts *h)
{
	free(h->row);
	*h = (struct class_counts){ .n = 0 };
}

void
class_source_name(struct str s, struct buf *b)
{
	size_t depth;

	buf_str(b, name_element(s, &depth));
	while (depth-- > 0)
		buf_str(b, STR("[]"));
}

/* ---- printing ------------------------------------------------------------------------------------------------ */

static int
row_by_bytes(const void *a, const void *b)
{
	const struct counted_class *x = a, *y = b;

	return num_order(y->bytes, x->bytes, str_cmp(x->name, y->name));
}

int
class_by_growth(const void *a, const void *b)
{
	const struct counted_class *x = a, *y = b;
	int64_t gx = (int64_t)(x->bytes - x->before), gy = (int64_t)(y->bytes - y->before);

	return gx == gy ? row_by_bytes(a, b) : gx > gy ? -1 : 1;
}

void
put_growth(const struct counted_class *row, int width, struct buf *b)
{
	char change[NUM_TEXT];
	bool less = row->bytes < row->before;

	num_show_size(change, sizeof change, less ? row->before - row->bytes : row->bytes - row->before);
	buf_printf(b, "%s%-*s ", row->bytes == row->before ? " " : less ? "-" : "+", width, change);
}

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
	qsort(h->row, h->n, sizeof *h->row, first == NULL ? row_by_bytes : class_by_growth);
	buf_printf(&b, "%s%12s %12s  %s\n", first == NULL ? "" : " growth      ", "instances", "size", "class");
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
	    r->o->all ? "while it counts its objects" : "for a collection, and while it counts its objects", r->o->every > 0 ? ", each time" : "");
	if (r->o->dry_run)
		return true;
	if (r->o->every > 0)
		return r->o->n == 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? live_run(r, err) : histogram_watch(r, err);
	ok = histogram_ask(r, &text, &h, err) && histogram_print(&h, NULL, SIZE_MAX, err);
	histogram_free(&h);
	buf_free(&text);
	return ok;
}
