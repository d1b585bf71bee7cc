/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview: decode a bitmap of a heap dump on the worker, and draw it.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_objects.h"
#include "preview.h"

enum { LATE_NS = 200000000 };

static uint64_t	pictures_made;		/* over all previews: identifies pictures to the screen */

/* ---- on the worker ------------------------------------------------------- */

static bool
open_bitmaps(struct preview *pv, struct work *work, struct err *err)
{
	const struct session *s = ui_seen(pv->task.ui);

	if (pv->bitmaps != NULL)
		return true;
	return ui_heap_want(s, COL_OBJECT_OFFSET, work, err) &&
	    ui_heap_want(s, COL_NATIVE_OBJECT, work, err) &&
	    heap_open(&pv->heap, session_store(s), s->refs, s->sizes, err) &&
	    bitmaps_open(&pv->bitmaps, &pv->heap, work, err);
}

/* Reduce it to w * h. */
static bool
shrink(struct preview *pv, uint32_t w, uint32_t h, struct work *work, struct err *err)
{
	free(pv->new_rgba);
	pv->new_rgba = mem_array(4 * (size_t)w, h);
	if (pv->new_rgba == NULL)
		return fail(err, E_SYSTEM, "out of memory (preview)");
	pv->new_image = (struct image){ .w = w, .h = h, .rgba = pv->new_rgba,
	    .reduced = w < pv->new_bitmap.width || h < pv->new_bitmap.height };
	work_start(work, "pixels", 0);
	return bitmap_shrink(&pv->new_bitmap, w, h, pv->new_rgba, work, err);
}

/* If an encoded picture has too many bytes, make it smaller. */
static bool
fetch_pixels(struct preview *pv, struct work *work, struct err *err)
{
	const struct wish *wish = &pv->asked;
	struct bitmap	*b = &pv->new_bitmap;
	struct encoded	*e = &pv->new_encoded;
	uint32_t	 w, h;

	if (!bitmap_get(pv->bitmaps, wish->object, b))
		return fail(err, E_INPUT, "not a bitmap");
	if (wish->format != BITMAP_UNKNOWN)
		bitmap_choose(b, wish->format);
	if (b->lack != NULL || b->data == NULL || b->width == 0 || b->height == 0)
		return true;
	w = b->width;
	h = b->height;
	image_fit(&w, &h, (uint64_t)wish->columns * (uint64_t)wish->how.cell_w,
	    (uint64_t)wish->lines * (uint64_t)wish->how.cell_h);
	if (!shrink(pv, w, h, work, err))
		return false;
	if (wish->how.form == PICTURE_CELLS) {
		image_level(&pv->new_image);
		return true;
	}
	while (!image_encode(&pv->new_image, &wish->how, wish->columns, wish->lines, &e->bytes, &e->w,
	    &e->h)) {
		image_fit(&w, &h, w - w / 4, h - h / 4);
		if (!shrink(pv, w, h, work, err))
			return false;
	}
	return !e->bytes.bad || fail(err, E_SYSTEM, "out of memory (preview)");
}

static bool
preview_run(struct task *task, struct work *work, struct err *err)
{
	struct preview	*pv = (struct preview *)task;

	return open_bitmaps(pv, work, err) && fetch_pixels(pv, work, err);
}

/* ---- back from it -------------------------------------------------------- */

static void
drop_new(struct preview *pv)
{
	free(pv->new_rgba);
	pv->new_rgba = NULL;
	buf_free(&pv->new_encoded.bytes);
	pv->new_encoded = (struct encoded){ .bytes = BUF_INIT };
}

static void
preview_done(struct task *task, bool ok, const struct err *err)
{
	struct preview	*pv = (struct preview *)task;

	if (!ok && task->put_off && err->kind == E_CANCEL) {
		drop_new(pv);
		return;
	}
	buf_free(&pv->encoded.bytes);
	pv->encoded = pv->new_encoded;
	pv->encoded.serial = ++pictures_made;
	pv->new_encoded = (struct encoded){ .bytes = BUF_INIT };
	free(pv->rgba);
	pv->rgba = pv->new_rgba;
	pv->new_rgba = NULL;
	pv->got = pv->asked;
	pv->bitmap = pv->new_bitmap;
	pv->image = ok ? pv->new_image : (struct image){ .w = 0 };
	pv->new_image = (struct image){ .w = 0 };
	pv->lack[0] = '\0';
	if (!ok)
		TEXT_COPY(pv->lack, err->kind == E_CANCEL ?
		    hint(VERB_REDRAW, "stopped; _ resumes").s : err->text);
	else if (pv->image.w == 0)
		snprintf(pv->lack, sizeof pv->lack, "no preview: %s",
		    pv->bitmap.lack != NULL ? pv->bitmap.lack : "unknown width and height");
}

/* ---- for its pane -------------------------------------------------------- */

void
preview_init(struct preview *pv, struct pane *pane)
{
	pv->task.run = preview_run;
	pv->task.done = preview_done;
	pv->task.pane = pane;
}

void
preview_reset(struct preview *pv)
{
	task_drop(&pv->task);
	bitmaps_close(pv->bitmaps);
	drop_new(pv);
	free(pv->rgba);
	buf_free(&pv->encoded.bytes);
	pv->bitmaps = NULL;
	pv->rgba = NULL;
	pv->got = (struct wish){ 0 };
	pv->image = (struct image){ .w = 0 };
}

void
preview_free(struct preview *pv)
{
	preview_reset(pv);
	free(pv->choice);
}

enum bitmap_format
preview_choice(const struct preview *pv, uint32_t object)
{
	for (size_t i = 0; i < pv->nchoices; i++)
		if (pv->choice[i].object == object)
			return pv->choice[i].format;
	return BITMAP_UNKNOWN;
}

static bool
preview_choose(struct preview *pv, uint32_t object, enum bitmap_format format)
{
	size_t	i;

	for (i = 0; i < pv->nchoices && pv->choice[i].object != object; i++)
		;
	if (i == pv->nchoices) {
		if (!MEM_ROOM(pv->choice, pv->cap, i))
			return false;
		pv->nchoices++;
	}
	pv->choice[i] = (struct format_choice){ object, format };
	return true;
}

const struct bitmap *
preview_bitmap(const struct preview *pv, uint32_t object)
{
	return object != 0 && pv->got.object == object && pv->bitmap.object == object ?
	    &pv->bitmap : NULL;
}

bool
preview_next_format(struct preview *pv, uint32_t object)
{
	const struct bitmap *b = preview_bitmap(pv, object);
	struct bitmap	 other;
	unsigned	 format, first;

	if (b == NULL)
		return false;
	/* ARGB_4444 and RGB_565 both have two bytes a pixel; try RGB_565 before other formats. */
	first = b->format == BITMAP_ARGB_4444 && preview_choice(pv, object) == BITMAP_UNKNOWN ?
	    BITMAP_RGB_565 : b->format + 1;
	for (unsigned i = 0; i < BITMAP_FORMATS - 1; i++) {
		format = (first + i) % BITMAP_FORMATS;
		other = *b;
		if (format != BITMAP_UNKNOWN && bitmap_choose(&other, format))
			return preview_choose(pv, object, format);
	}
	return false;
}

/* ---- drawing ------------------------------------------------------------- */

static bool
same_wish(const struct wish *a, const struct wish *b)
{
	return a->object == b->object && a->format == b->format &&
	    a->columns == b->columns && a->lines == b->lines && a->how.form == b->how.form &&
	    a->how.cell_w == b->how.cell_w && a->how.cell_h == b->how.cell_h;
}

static void
draw_encoded(const struct preview *pv, struct area a)
{
	const struct encoded *e = &pv->encoded;

	screen_picture((struct area){ a.y + (a.h - e->h) / 2, a.x + (a.w - e->w) / 2, e->h, e->w },
	    buf_view(&e->bytes),
	    pv->got.how.form, e->serial);
}

void
preview_draw(struct preview *pv, uint32_t object, struct area a)
{
	struct wish	wish = { object, preview_choice(pv, object), a.w, a.h, { 0 } };
	struct buf	fit = BUF_INIT;

	if (object == 0 || a.w <= 0 || a.h <= 0 || !screen_pictures(&wish.how))
		return;
	if (!same_wish(&wish, &pv->got)) {
		if (!pv->task.given) {
			pv->asked = wish;
			pv->since = os_now();
			memset(&pv->new_bitmap, 0, sizeof pv->new_bitmap);
			task_give(pv->task.pane->ui, &pv->task);
		}
		if (ui_options(pv->task.ui)->keys == NULL && os_now() - pv->since > LATE_NS)
			screen_words(a, ROLE_DIM, str_of(hint(VERB_CANCEL, "working; _ stops").s));
		return;
	}
	if (pv->image.w > 0 && pv->got.how.form == PICTURE_CELLS)
		image_draw(&pv->image, a);
	else if (pv->image.w > 0)
		draw_encoded(pv, a);
	screen_fit(&fit, str_of(pv->lack));
	screen_words(a, ROLE_DIM, buf_view(&fit));
	buf_free(&fit);
}
