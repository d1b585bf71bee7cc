/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_things: phrases about accumulated objects: how many of which classes, in which container, linked how, and their
 * most frequent class.
 */
#include "config.h"

#include <string.h>

#include "icecore/heap_names.h"
#include "findings.h"

#define SAMPLE 1000u		/* elements of an array that are looked at */
#define PARTS 16u		/* references of an object that are looked at for its array */

void
finding_class(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n = { .count = 0 };

	if (x->content != 0)
		names_get(f->heap, x->content, &n);
	if (n.class.n > 0)
		buf_str(b, n.class);
	else
		heap_stable_name(f->heap, x->class, b);
}

/* Choose "an" or "a" by the usual pronunciation: "an int[]", "a user". */
static bool
begins_with_vowel(struct str name)
{
	return name.n > 0 && is_one_of(name.s[0], "aeioAEIO");
}

static void
finding_things_add_each(struct buf *b, const struct name_node *n)
{
	buf_str(b, begins_with_vowel(n->class) ? STR(", each with an ") : STR(", each with a "));
	buf_str(b, n->class);
}

static bool
is_coroutine(const struct findings *f, const struct finding *x)
{
	struct name_node n = { .object = 0 };

	if (x->content != 0)
		names_get(f->heap, x->content, &n);
	return coroutine_is(f->heap, n.object);
}

/* " in a java.util.ArrayList" */
void
finding_in(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;
	uint32_t in = names_of(f->heap, x->other);

	if (in == 0 || in == x->content || x->one != 0)
		return;
	names_get(f->heap, in, &n);
	if (!name_is_collection(&n))
		return;
	buf_str(b, n.count != 1 ? STR(" in ") : begins_with_vowel(n.class) ? STR(" in an ") : STR(" in a "));
	if (n.count != 1) {
		finding_number(n.count, b);
		buf_chr(b, ' ');
	}
	buf_str(b, n.class);
}

/* ---- of several classes ----------------------------------------------------------------------- */

/* Return the node of the things, x->number; 0: none, or out of range in a damaged index. */
static uint32_t
things_of(const struct findings *f, const struct finding *x)
{
	return x->number <= names_count(f->heap) ? (uint32_t)x->number : 0;
}

static uint64_t
finding_things_weight(const struct name_node *n)
{
	return num_add(n->total, n->native_total);
}

/* The contents of a collection or array. */
struct mixture {
	uint64_t	n;
	uint32_t	classes;
	bool		more;		/* the tree sums up further classes in one node */
};

/* Return whether no class has most of the contents; the classes of the keys and of the values count together. */
static bool
is_mixed(const struct findings *f, const struct finding *x, struct mixture *m)
{
	struct name_node things, in, n, content;
	uint32_t at = things_of(f, x), up;
	uint64_t most, all = 0;

	*m = (struct mixture){ .n = 0 };
	if (at == 0 || x->content == 0)
		return false;
	names_get(f->heap, at, &things);
	names_get(f->heap, x->content, &content);
	up = things.parent;
	/* A finding that joins several owners knows the place of only one. */
	if (up == 0 || content.count != x->count)
		return false;
	names_get(f->heap, up, &in);
	if (!name_is_collection(&in))
		return false;
	names_get(f->heap, up + 1, &n);
	most = finding_things_weight(&n) + (at != up + 1 ? finding_things_weight(&things) : 0);
	for (uint32_t id = up + 1; id < up + in.size; id += n.size) {
		names_get(f->heap, id, &n);
		m->n += n.count;
		m->classes++;
		m->more |= n.kind == NAME_REST;
		all = num_add(all, finding_things_weight(&n));
	}
	return m->classes > 2 && most < all - most;
}

/*
 * Append the main content of each object: for a coroutine an object of the program, for a stand-alone entry its key or
 * value.  Other objects are described well enough by their class.
 */
void
finding_each(const struct findings *f, const struct finding *x, struct buf *b)
{
	static const char *const entries[] = { "java.util.*Entry", "java.util.*Node", "java.util.KeyValueHolder" };
	struct name_node content = { .size = 0 }, n;
	bool coroutine = is_coroutine(f, x);

	if (x->content != 0)
		names_get(f->heap, x->content, &content);
	if (!coroutine && !str_glob_any(entries, NELEM(entries), content.class))
		return;
	for (uint32_t id = x->content + 1; id < x->content + content.size; id += n.size) {
		names_get(f->heap, id, &n);
		if (n.count >= content.count / 2 && !coroutine_is(f->heap, n.object) &&
		    (!coroutine || ((n.whose & CLASS_PROGRAM) && n.role == ROLE_PLAIN))) {
			finding_things_add_each(b, &n);
			return;
		}
	}
}

void
finding_things(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct mixture m;

	if (is_mixed(f, x, &m)) {
		finding_number(m.n, b);
		buf_str(b, STR(" objects of "));
		if (m.more)
			buf_str(b, STR("many"));
		else
			finding_number(m.classes, b);
		buf_str(b, STR(" classes, mostly "));
	}
	finding_number(x->count, b);
	if (is_coroutine(f, x))
		buf_str(b, x->count == 1 ? STR(" suspended coroutine") : STR(" suspended coroutines"));
	buf_chr(b, ' ');
	finding_class(f, x, b);
}

/* ---- linked ---------------------------------------------------------------------------------- */

/* The node whose objects are held by one another: that of the things, or above them; 0: none. */
static uint32_t
links_of(const struct findings *f, const struct finding *x, struct name_node *n)
{
	for (uint32_t id = things_of(f, x); id > 1; id = n->parent) {
		names_get(f->heap, id, n);
		if (n->folded > 0)
			return id;
		if (id == x->owner)
			break;
	}
	return 0;
}

/* "20 000 shop.Link, each with a shop.Item" */
void
finding_links(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node links, things;
	uint32_t id = links_of(f, x, &links);

	if (id == 0 || x->content == 0 || x->content == id) {
		finding_things(f, x, b);
		return;
	}
	names_get(f->heap, x->content, &things);
	finding_number(links.count, b);
	buf_chr(b, ' ');
	buf_str(b, links.class);
	if (things.count != links.count || x->count != things.count) {
		buf_str(b, STR(" with "));
		finding_things(f, x, b);
		return;
	}
	finding_things_add_each(b, &things);
}

/* ---- what most of them are ------------------------------------------------------------------------ */

static bool
is_objects(const struct heap *h, uint32_t object)
{
	return object != 0 && heap_is_array(h, object) && column_get(h->class_element, heap_class(h, object) - 1ull) == HEAP_OBJECT;
}

/* The array that it is, has, or is in; 0: none of these. */
static uint32_t
finding_things_array_of(const struct heap *h, uint32_t object)
{
	struct heap_walk walk;
	uint32_t at;

	if (object == 0 || is_objects(h, object))
		return object;
	for (unsigned way = 0; way < 2; way++) {
		if (way == 0)
			heap_out(h, object, &walk);
		else
			heap_in(h, object, &walk);
		for (uint32_t i = 0; i < PARTS && (at = heap_next(&walk, NULL)) != 0; i++)
			if (is_objects(h, at))
				return at;
	}
	return 0;
}

/* Return whether is() holds for most of the elements, by a sample spread over the array. */
static bool
most_are(const struct findings *f, const struct finding *x, bool (*is)(const struct heap *, uint32_t object))
{
	uint32_t array = finding_things_array_of(f->heap, x->other), n = array == 0 ? 0 : heap_length(f->heap, array), seen = 0, are = 0;
	struct heap_slot slot;

	for (uint64_t i = 0; i < n; i += n / SAMPLE + 1ull) {
		if (!heap_element(f->heap, array, (uint32_t)i, &slot) || slot.object == 0)
			continue;
		seen++;
		are += is(f->heap, slot.object);
	}
	return are > seen / 2;
}

static bool
is_cleared(const struct heap *h, uint32_t object)
{
	struct heap_slot slot;

	return class_named(h, heap_class(h, object), STR("java.lang.ref.Reference")) != 0 &&
	    heap_field(h, object, STR("referent"), 0, &slot) && slot.type == HEAP_OBJECT && slot.bits == 0;
}

bool
finding_cleared(const struct findings *f, const struct finding *x)
{
	return most_are(f, x, is_cleared);
}

#define CANCELLED 4	/* FutureTask.state; above it, by an interrupt */

static bool
is_cancelled(const struct heap *h, uint32_t object)
{
	struct heap_slot slot;

	return class_named(h, heap_class(h, object), STR("java.util.concurrent.FutureTask")) != 0 &&
	    heap_field(h, object, STR("state"), 0, &slot) && slot.type == HEAP_INT && slot.bits >= CANCELLED;
}

bool
finding_cancelled(const struct findings *f, const struct finding *x)
{
	return most_are(f, x, is_cancelled);
}

/* x->other is the queue or is in it. */
bool
finding_scheduled(const struct findings *f, const struct finding *x)
{
	static const char *const queues[] = { "*$DelayedWorkQueue" };
	struct name_node n = { .parent = names_of(f->heap, x->other) };

	for (uint32_t id = n.parent, i = 0; id > 1 && i < 2; i++, id = n.parent) {
		names_get(f->heap, id, &n);
		if (str_glob_any(queues, NELEM(queues), n.class))
			return true;
	}
	return false;
}
