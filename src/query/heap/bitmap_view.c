/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap_view: the bitmaps of a heap that rows are read from, and who holds them.
 */
#include "config.h"

#include <stdlib.h>
#include <strings.h>

#include "heap.h"

static bool
pixels_word(size_t i, const char **word, const char **what)
{
	if (BITMAP_UNKNOWN + 1 + i >= BITMAP_FORMATS)
		return false;
	*word = bitmap_format_names[BITMAP_UNKNOWN + 1 + i];
	*what = "pixel format";
	return true;
}

const struct arg_type arg_pixels = { .name = "PIXELS", .hint = "pixel format, e.g. RGB_565",
    .look = LOOK_WORDS,
	.word = pixels_word };

#define WORD_MIN 3u		/* letters of a format that identify it */

void
bitmap_view_close(struct bitmap_view *v)
{
	heap_routes_close(v->routes);
	bitmaps_close(v->list);
	free(v->waste);
}

bool
bitmap_view_list(struct bitmap_view *v, struct work *work, struct err *err)
{
	return v->list != NULL || bitmaps_open(&v->list, v->heap, work, err);
}

static uint32_t *
all_of_them(const struct bitmaps *list)
{
	uint32_t n = bitmaps_count(list), *object = mem_array(n + 1ull, sizeof *object);

	for (uint32_t i = 0; object != NULL && i < n; i++)
		object[i] = bitmaps_object(list, i);
	return object;
}

bool
bitmap_view_routes(struct bitmap_view *v, const uint32_t *object, size_t n,
    struct work *work, struct err *err)
{
	uint32_t *all = NULL;
	bool ok;

	if (v->routes != NULL)
		return true;
	if (object == NULL) {
		object = all = all_of_them(v->list);
		n = bitmaps_count(v->list);
		if (all == NULL)
			return fail_memory(err, "paths to bitmaps");
	}
	ok = heap_routes_open(&v->routes, v->heap, ROUTE_PLAIN, object, n, work, err);
	free(all);
	return ok;
}

void
bitmap_link(const struct heap *h, uint32_t holder, uint32_t object, struct buf *b)
{
	uint32_t class = heap_class_of_object(h, holder);
	struct heap_slot slot;

	if (!heap_link(h, holder, object, &slot)) {
		heap_label(h, holder, b);
	} else if (slot.kind == SLOT_STATIC && class != 0) {
		buf_text(b, "static ");
		heap_class_name(h, class, b);
		buf_chr(b, '.');
		buf_str(b, slot.name);
	} else {
		heap_label(h, holder, b);
		heap_slot_name(h, &slot, b);
	}
}

/* ---- copies ----------------------------------------------------------------------- */

static bool
bitmap_view_add_waste(struct bitmap_view *v, uint64_t *waste, struct work *work, struct err *err)
{
	uint32_t n = bitmaps_count(v->list);
	struct bitmap_twins t;
	struct bitmap b;

	for (uint32_t row = 0; row < n; row++) {
		if (!work_each(work, row, 64, err))
			return false;
		if (!bitmap_twins(v->list, bitmaps_object(v->list, row), &t, work, err))
			return false;
		if (bitmap_get(v->list, bitmaps_object(v->list, row), &b) &&
		    t.first != b.object && !t.shares)
			waste[bitmaps_row(v->list, t.first)] += b.bytes;
	}
	return true;
}

bool
bitmap_view_waste(struct bitmap_view *v, uint64_t row, uint64_t *waste, struct work *work,
    struct err *err)
{
	bool ok = true;

	if (v->waste == NULL) {
		v->waste = mem_array(bitmaps_count(v->list) + 1ull, sizeof *v->waste);
		if (v->waste == NULL)
			return fail_memory(err, "copies of bitmaps");
		ok = bitmap_view_add_waste(v, v->waste, work, err);
	}
	*waste = v->waste[row];
	return ok;
}

/* ---- formats ---------------------------------------------------------------------- */

static bool
fail_format(const struct token *t, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];

	for (unsigned i = BITMAP_UNKNOWN + 1; i < BITMAP_FORMATS; i++)
		guess_try(&guess, bitmap_format_names[i]);
	guess_text(&guess, text, sizeof text);
	return fail_at(err, E_USAGE, t->at, "unknown pixel format '%.*s'%s", (int)t->text.n,
	    t->text.s, text[0] != '\0' ? text :
	    "; use ARGB_8888, RGB_565, ARGB_4444, ALPHA_8 or RGBA_F16");
}

bool
bitmap_format_read(const struct token *t, enum bitmap_format *format, struct err *err)
{
	unsigned found = 0;

	if ((t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT) || t->text.n < WORD_MIN)
		return fail_format(t, err);
	for (unsigned i = BITMAP_UNKNOWN + 1; i < BITMAP_FORMATS; i++)
		if (str_has_nocase(str_of(bitmap_format_names[i]), t->text)) {
			*format = (enum bitmap_format)i;
			found++;
		}
	return found == 1 || fail_format(t, err);
}
