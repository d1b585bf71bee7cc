/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_text: the reason of a finding, in a line: the phrase of its kind, filled in, or the text of the inspector of an
 * object.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "icecore/columns_content.h"
#include "icecore/heap_names.h"
#include "icecore/values.h"
#include "findings.h"

#define HOPS_MAX 65536u	/* paths up to that length are looked at for known leaks */
#define ROWS 4096u	/* of equal strings and arrays that are looked at */

/* ---- conditions ------------------------------------------------------------------------ */

/* Return the cell of column col for the group of equal strings or arrays with this object; the worst groups come first. */
static uint64_t
finding_text_copies_cell(const struct findings *f, uint32_t object, column_id col)
{
	const struct column *firsts = heap_column(f->heap, COL_EACH_DUP_FIRST);
	const struct column *copies = heap_column(f->heap, COL_EACH_DUP_COPIES);
	const struct column *member = heap_column(f->heap, COL_EACH_DUP_MEMBER), *cells = heap_column(f->heap, col);
	uint64_t rows = column_rows(firsts), all = column_rows(member), first, end, at;

	for (uint64_t row = 0; row < rows && row < ROWS; row++) {
		first = column_get(firsts, row);
		end = first > all || column_get(copies, row) > all - first ? first : first + column_get(copies, row);
		at = column_place_in(member, first, end, object);
		if (at < end && column_get(member, at) == object)
			return column_get(cells, row);
	}
	return 0;
}

bool
finding_most(const struct findings *f, const struct finding *x)
{
	return finding_text_copies_cell(f, x->object, COL_EACH_DUP_WASTE) >= x->retained / 2;
}

bool
finding_zeros(const struct findings *f, const struct finding *x)
{
	return finding_text_copies_cell(f, x->object, COL_EACH_DUP_STRING) == COPIES_ZEROS;
}

bool
finding_zlib(const struct findings *f, const struct finding *x)
{
	struct name_node n;
	uint64_t bytes = 0, end = x->owner, id = x->owner;

	for (; id != 0 && id <= names_count(f->heap) && (id == x->owner || (id < end && id - x->owner < ROWS)); id++) {
		names_get(f->heap, (uint32_t)id, &n);
		end = id == x->owner ? id + n.size : end;
		bytes += str_glob(STR("java.util.zip.*"), n.class) ? n.native : 0;
	}
	return bytes * 2 > x->native;
}

/* ---- leaks ------------------------------------------------------------------------------- */

/* A reference of a library that is known to leak, on the way. */
static const char *
known_leak(struct inspector *in, const struct finding *finding)
{
	struct verdict *v;
	const char *note = NULL;
	size_t from, to;

	if (finding->hops == 0 || finding->hops > HOPS_MAX ||
	    (v = mem_array(finding->hops, sizeof *v)) == NULL)
		return NULL;
	inspect_path(in, finding->hop, finding->hops, v, &from, &to);
	for (size_t i = 0; i < finding->hops && note == NULL; i++)
		note = v[i].note;
	free(v);
	return note;
}

static void
why_leak(const struct findings *f, struct inspector *in, const struct finding *finding, struct buf *b)
{
	struct verdict v;
	const char *note;
	size_t before;

	inspect(in, finding->object, &v);
	buf_str(b, str_of(v.mark == LEAK_YES ? v.why : finding_rows[finding->kind].what));
	before = b->n;
	buf_str(b, STR(", "));
	inspect_label(in, finding->object, b);
	if (b->n == before + 2)
		b->n = before;
	finding_phrase(f, finding, "; {retained} retained{count:|; {count} leaking objects in all}", b);
	note = known_leak(in, finding);
	if (note != NULL)
		buf_printf(b, "; known leak: %s", note);
}

void
finding_why(const struct findings *f, struct inspector *in, const struct finding *finding,
    struct buf *b)
{
	const char *text = finding_rows[finding->kind].why;

	if (text != NULL)
		finding_phrase(f, finding, text, b);
	else
		why_leak(f, in, finding, b);
}

/* ---- in a few words -------------------------------------------------------------------- */

static bool
is_upper(struct str s)
{
	return s.n > 0 && s.s[0] >= 'A' && s.s[0] <= 'Z';
}

/* Append a name without its package; of names without capitals the last two parts stay. */
static void
add_without_package(struct str name, struct buf *b)
{
	struct str part, rest, one, two;

	while (!is_upper(name) && str_divide(name, STR("."), &part, &rest) && (is_upper(rest) || str_divide(rest, STR("."), &one, &two)))
		name = rest;
	buf_str(b, name);
}

/* Append the words without the packages of those that are names. */
static void
add_short(struct str words, struct buf *b)
{
	struct str one;

	for (bool some = false; str_split(&words, ' ', &one); some = true) {
		buf_str(b, some ? STR(" ") : STR(""));
		add_without_package(one, b);
	}
}

/* Bitmaps of one class differ in their sizes. */
static void
add_pixels(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct heap_slot w, h;

	if ((x->kind == FINDING_BITMAP_COPIES || x->kind == FINDING_BITMAP_RECYCLED) && x->object != 0 &&
	    heap_field(f->heap, x->object, STR("mWidth"), 0, &w) && heap_field(f->heap, x->object, STR("mHeight"), 0, &h))
		buf_printf(b, " %" PRIu64 "x%" PRIu64, w.bits, h.bits);
}

void
finding_what(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct buf holder = BUF_INIT, content = BUF_INIT;
	bool leaks = finding_severity(x) == SEVERITY_LEAK;
	struct str held;

	finding_holder(f, x, &holder);
	finding_content(f, x, &content);
	if (content.n == 0 && x->object != 0)
		heap_label(f->heap, x->object, &content);
	held = buf_view(&content);
	held = str_has_prefix(held, STR("class ")) ? str_behind(held, STR("class ").n) : held;
	if (holder.n > 0 && !str_eq(buf_view(&holder), held)) {
		add_short(buf_view(&holder), b);
		buf_str(b, held.n > 0 ? STR(": ") : STR(""));
	}
	if (held.n > 0 && (holder.n > 0 || (x->count > 1 && !leaks))) {
		finding_number(x->count, b);
		buf_chr(b, ' ');
	}
	add_short(held, b);
	add_pixels(f, x, b);
	/* Leaking objects of other classes are counted with the one that retains most. */
	if (leaks && holder.n == 0 && x->count > 1)
		buf_printf(b, " +%" PRIu32, x->count - 1);
	if (b->n == 0)
		buf_str(b, str_of(finding_rows[x->kind].what));
	buf_free(&holder);
	buf_free(&content);
}
