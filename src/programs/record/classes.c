/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * classes: the classes of a JVM with their objects, as it counts them.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/name.h"
#include "histogram.h"

/* ---- reading: "   1:   1234   56789  java.lang.String (java.base@17)" ------------------------------------- */

static bool
histogram_line(struct str line, struct counted_class *row)
{
	struct str word[4];
	uint64_t rank;
	size_t n = 0;

	for (line = str_skip_blanks(line); n < NELEM(word) && line.n > 0; line = str_skip_blanks(line))
		(void)str_split(&line, ' ', &word[n++]);
	if (n < NELEM(word) || word[0].n < 2 || word[0].s[word[0].n - 1] != ':' ||
	    !num_u64(str_head(word[0], word[0].n - 1), 10, &rank))
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
	attach_begin(&r->target);
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

/* ---- growth --------------------------------------------------------------------------------------------------- */

int
class_by_bytes(const void *a, const void *b)
{
	const struct counted_class *x = a, *y = b;

	return num_order(y->bytes, x->bytes, str_cmp(x->name, y->name));
}

int
class_by_growth(const void *a, const void *b)
{
	const struct counted_class *x = a, *y = b;
	int64_t gx = (int64_t)(x->bytes - x->before), gy = (int64_t)(y->bytes - y->before);

	return gx == gy ? class_by_bytes(a, b) : gx > gy ? -1 : 1;
}

void
put_growth(const struct counted_class *row, int width, struct buf *b)
{
	char change[NUM_TEXT];
	bool less = row->bytes < row->before;

	num_show_size(change, sizeof change, less ? row->before - row->bytes : row->bytes - row->before);
	buf_printf(b, "%s%-*s ", row->bytes == row->before ? " " : less ? "-" : "+", width, change);
}
