/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_loaders: fields of phrases about class loaders: what of their world is held, and by whom.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/content.h"
#include "icecore/heap_names.h"
#include "findings.h"

/* An instance of the class, or the class itself, to which the holder refers; 0: it refers to neither. */
static uint32_t
finding_loaders_held_by(const struct heap *h, uint32_t holder, uint32_t class)
{
	uint32_t itself = heap_class_object(h, class), to;
	struct heap_slot slot;
	struct heap_walk walk;

	if (itself != 0 && heap_link(h, holder, itself, &slot))
		return itself;
	heap_out(h, holder, &walk);
	while ((to = heap_next(&walk, NULL)) != 0 && heap_class(h, to) != class)
		continue;
	return to;
}

/* A thread runs if the dump has a record of it, or if its own state says so. */
static bool
runs(const struct heap *h, uint32_t thread)
{
	uint64_t threads = column_rows(h->jthread_object);

	for (uint64_t i = 0; i < threads; i++)
		if (column_get(h->jthread_object, i) == thread)
			return true;
	return heap_thread_alive(h, thread);
}

static bool
finding_loaders_add_thread(const struct heap *h, uint32_t object, struct buf *b)
{
	/* A thread that was not started only waits somewhere to be started. */
	if (!object_is(h, object, "java.lang.Thread") || !runs(h, object))
		return false;
	buf_text(b, "the thread \"");
	heap_own_thread_name(h, object, b);
	buf_chr(b, '"');
	return true;
}

/* Return whether readers know the name: fields of the JDK are unknown to them, unless static. */
static bool
finding_loaders_is_known(const struct name_node *n)
{
	switch (n->kind) {
	case NAME_FIELD:
		return (n->holder_whose & ~(unsigned)CLASS_JDK) != 0;
	case NAME_STATIC:
	case NAME_SHARED:
	case NAME_LOCAL:
	case NAME_THREAD_LOCAL:
	case NAME_STATIC_LOCAL:
		return n->label.n > 0;
	default:
		return n->kind == NAME_LOST_LOCAL;
	}
}

static void
add_known(const struct name_node *n, struct buf *b)
{
	if (n->kind == NAME_LOST_LOCAL) {
		buf_text(b, "a collected ThreadLocal");
		return;
	}
	if (n->kind == NAME_LOCAL)
		buf_text(b, "a local variable of ");
	else if (name_is_thread_local(n->kind))
		buf_text(b, "the ThreadLocal ");
	buf_str(b, n->holder);
	if (n->holder.n > 0)
		buf_chr(b, '.');
	buf_str(b, n->label);
}

/*
 * Return the held object's node if nobody else holds it (thread locals: it names the value); otherwise the
 * holder's.
 */
static uint32_t
finding_loaders_node_of(const struct heap *h, uint32_t holder, uint32_t held)
{
	uint32_t id = held == 0 ? 0 : names_of(h, held);
	struct name_node n = { .parent = 0 };

	if (id != 0)
		names_get(h, id, &n);
	return n.parent > 1 && n.kind != NAME_SHARED ? id : names_of(h, holder);
}

/* The field of the program by which the holder has it; else the nearest name on the way up. */
static void
finding_loaders_add_place(const struct heap *h, uint32_t holder, uint32_t held, struct buf *b)
{
	struct heap_slot slot;
	struct name_node n;

	if (finding_loaders_add_thread(h, holder, b))
		return;
	if (held != 0 && !heap_is_array(h, holder) && heap_link(h, holder, held, &slot) && slot.class != 0 &&
	    slot.name.n > 0 &&
	    (slot.kind == SLOT_STATIC || !heap_is_platform(h, slot.class, PLATFORM_OWNER))) {
		heap_stable_name(h, slot.class, b);
		buf_chr(b, '.');
		buf_str(b, slot.name);
		return;
	}
	for (uint32_t id = finding_loaders_node_of(h, holder, held); id > 1; id = n.parent) {
		names_get(h, id, &n);
		if (finding_loaders_is_known(&n)) {
			add_known(&n, b);
			return;
		}
		if (finding_loaders_add_thread(h, n.object, b))
			return;
	}
	heap_label(h, holder, b);
	if (heap_class_of_object(h, holder) == 0)
		buf_printf(b, " @%" PRIu32, holder);
}

void
loader_place(const struct heap *h, uint32_t holder, uint32_t class, struct buf *b)
{
	finding_loaders_add_place(h, holder, finding_loaders_held_by(h, holder, class), b);
}

uint64_t
finding_held_class(const struct findings *f, const struct finding *x)
{
	return heap_class_of_object(f->heap, finding_loaders_held_by(f->heap, x->other, x->class)) != 0;
}

void
finding_loader_place(const struct findings *f, const struct finding *x, struct buf *b)
{
	loader_place(f->heap, x->other, x->class, b);
}

/* ---- classes ------------------------------------------------------------------------------------ */

/*
 * Return the start of the last part of the name with a number: after the last dot, or after a $ before
 * digits.
 */
static size_t
counted_part(struct str name)
{
	bool digits = false;
	size_t i = name.n;

	while (i > 0 && name.s[i - 1] != '.' && !(name.s[i - 1] == '$' && digits))
		digits |= is_digit(name.s[--i]);
	return i;
}

void
class_family(const struct heap *h, uint32_t class, struct buf *b)
{
	size_t from = b->n;
	OWN_BUF name = BUF_INIT;

	heap_class_name(h, class, &name);
	heap_stable_name(h, class, b);
	if (b->n - from == name.n)
		name_pool(b, from + counted_part(buf_view(&name)));
	else
		buf_chr(b, '*');
}

/* Hidden classes are unloaded with their last instance; other classes stay as long as their class loader. */
bool
class_is_hidden(const struct heap *h, uint32_t class)
{
	static const char *const hidden[] = { "*/0x*", "*+0x*", "*.0x*" };

	return heap_class_like(h, class, hidden, NELEM(hidden));
}

void
finding_names(const struct findings *f, const struct finding *x, struct buf *b)
{
	class_family(f->heap, x->class, b);
}
