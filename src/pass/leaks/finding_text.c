/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_text: a finding in a few words: its holder and what that holds.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/heap_names.h"
#include "pools.h"

/* ---- the parts -------------------------------------------------------------------------------- */

/* The last field on the path that is of no collection and no wrapper of a Cursor. */
static void
add_last_field(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t i = x->hops, end = i > DEEP ? i - DEEP : 0;
	struct heap_slot slot;

	while (i > end + 1 && cursor_passed_on(f->heap, x->hop[i - 2]))
		i--;
	if (i < end + 2 || !heap_link(f->heap, x->hop[i - 2], x->hop[i - 1], &slot) || slot.class == 0 ||
	    slot.name.n == 0)
		return;
	heap_class_name(f->heap, slot.class, b);
	buf_chr(b, '.');
	buf_str(b, slot.name);
}

/* The nearest reference on the path that has a name. */
static void
finding_text_add_named(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t end = x->hops > DEEP ? x->hops - DEEP : 0;
	struct heap_slot slot;
	struct name_node n;
	uint32_t id;

	for (size_t i = x->hops; i >= end + 2; i--) {
		id = names_of(f->heap, x->hop[i - 2]);
		if (id == 0 || !heap_link(f->heap, x->hop[i - 2], x->hop[i - 1], &slot) || slot.name.n == 0 ||
		    (slot.kind != SLOT_FIELD && slot.kind != SLOT_VARIABLE))
			continue;
		names_get(f->heap, id, &n);
		buf_str(b, n.class);
		buf_chr(b, '.');
		buf_str(b, slot.name);
		return;
	}
}

void
finding_holder(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->kind == FINDING_CURSOR || x->kind == FINDING_RESOURCE)
		add_last_field(f, x, b);
	else if (x->kind == FINDING_DETACHED)
		finding_text_add_named(f, x, b);
	else if (x->kind == FINDING_VIRTUAL)
		finding_place(f, x, b);
	else if (x->kind == FINDING_OBJECT_POOL)
		finding_pool_owner(f, x, b);
	else
		finding_owner(f, x, b);
}

void
finding_content(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->kind == FINDING_VIRTUAL && !finding_most_local(f, x))
		heap_stable_name(f->heap, x->class, b);
	else if (x->kind == FINDING_CLASSES)
		finding_names(f, x, b);
	else if (x->content != 0 || (x->class != 0 && x->kind != FINDING_LOADER))
		finding_class(f, x, b);
}

/* ---- names without packages --------------------------------------------------------------- */

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

	while (!is_upper(name) && str_divide(name, STR("."), &part, &rest) &&
	    (is_upper(rest) || str_divide(rest, STR("."), &one, &two)))
		name = rest;
	buf_str(b, name);
}

/* Append the words without the packages of those that are names; other languages than Java have no packages. */
static void
add_short(const struct findings *f, struct str words, struct buf *b)
{
	struct str one;

	if (heap_language_of(f->heap) != NULL) {
		buf_str(b, words);
		return;
	}
	for (bool some = false; str_split(&words, ' ', &one); some = true) {
		buf_text(b, some ? " " : "");
		add_without_package(one, b);
	}
}

/* Bitmaps of one class differ in their sizes. */
static void
add_pixels(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct heap_slot w, h;

	if ((x->kind == FINDING_BITMAP_COPIES || x->kind == FINDING_BITMAP_RECYCLED) && x->object != 0 &&
	    heap_field(f->heap, x->object, "mWidth", 0, &w) &&
	    heap_field(f->heap, x->object, "mHeight", 0, &h))
		buf_printf(b, " %" PRIu64 "x%" PRIu64, w.bits, h.bits);
}

/* Append " with HomeActivity", which what has ended holds; return how many leaking objects are named. */
static uint32_t
add_with(const struct findings *f, const struct finding *x, struct buf *b)
{
	OWN_BUF class = BUF_INIT;

	if (finding_rows[x->kind].severity != SEVERITY_LEAK || x->other == 0)
		return 1;
	heap_stable_name(f->heap, heap_class(f->heap, x->other), &class);
	buf_text(b, " with ");
	add_short(f, buf_view(&class), b);
	return 2;
}

void
finding_what(const struct findings *f, const struct finding *x, struct buf *b)
{
	OWN_BUF holder = BUF_INIT, content = BUF_INIT;
	bool leaks = finding_severity(x) == SEVERITY_LEAK;
	uint32_t named;
	struct str held;

	finding_holder(f, x, &holder);
	finding_content(f, x, &content);
	if (content.n == 0 && x->object != 0)
		heap_label(f->heap, x->object, &content);
	held = buf_view(&content);
	held = str_has_prefix(held, STR("class ")) ? str_after(held, STR("class ").n) : held;
	if (holder.n > 0 && !str_eq(buf_view(&holder), held)) {
		add_short(f, buf_view(&holder), b);
		buf_text(b, held.n > 0 ? ": " : "");
	}
	if (x->kind == FINDING_OBJECT_POOL) {
		struct pool_figures p = pool_figures_unpack(x->number);

		buf_printf(b, "%u of %u in use", p.used, p.all);
		return;
	}
	if (held.n > 0 && (holder.n > 0 || (x->count > 1 && !leaks))) {
		buf_num(b, num_show_count, x->count);
		buf_chr(b, ' ');
	}
	add_short(f, held, b);
	add_pixels(f, x, b);
	/* Leaking objects of other classes are counted with the one that retains most. */
	named = add_with(f, x, b);
	if (leaks && holder.n == 0 && x->count > named)
		buf_printf(b, " +%" PRIu32, x->count - named);
	if (b->n == 0)
		buf_text(b, finding_rows[x->kind].what);
}
