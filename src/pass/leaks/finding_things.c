/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_things: fields of phrases about accumulated objects: how many of which classes, in which container,
 * linked how, their most frequent class, and what most of them are.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_content.h"
#include "icecore/heap_names.h"
#include "icecore/values.h"
#include "bounds.h"

#define SAMPLE 1000u		/* elements of an array that are looked at */
#define ROWS 4096u		/* rows of equal strings and arrays that are looked at */
#define EACH_LEAST 8u		/* things inside each thing that are worth a word, and */
#define EACH_SHARE 3u		/* they have at least one part in this many of the bytes */
#define KEPT_ALL 50u		/* elements that are worth it */
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
	buf_text(b, begins_with_vowel(n->class) ? ", each with an " : ", each with a ");
	buf_str(b, n->class);
}

uint64_t
finding_suspended(const struct findings *f, const struct finding *x)
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
	struct name_node n, owner;
	uint32_t in = names_of(f->heap, x->other);

	if (in == 0 || in == x->content || x->one != 0)
		return;
	names_get(f->heap, in, &n);
	if (!name_is_collection(&n))
		return;
	if (x->owners != 0 && x->owner != 0) {
		names_get(f->heap, x->owner, &owner);
		n.count = n.count == owner.count ? x->owners : n.count;
	}
	buf_text(b, n.count != 1 ? " in " : begins_with_vowel(n.class) ? " in an " : " in a ");
	if (n.count != 1) {
		buf_num(b, num_show_count, n.count);
		buf_chr(b, ' ');
	}
	buf_str(b, n.class);
}

/* ---- both levels ------------------------------------------------------------------------------ */

/* The heaviest child if it has at least 1/share of the bytes of the node; 0: none. */
static uint32_t
things_child(const struct findings *f, uint32_t id, const struct name_node *n, unsigned share,
    struct name_node *child)
{
	if (n->size < 2)
		return 0;
	names_get(f->heap, id + 1, child);
	return child->total >= n->total / share ? id + 1 : 0;
}

/* The content of a finding, unless the finding joins the contents of several nodes; 0: it does. */
static uint32_t
things_content(const struct findings *f, const struct finding *x, struct name_node *n)
{
	if (x->content == 0)
		return 0;
	names_get(f->heap, x->content, n);
	return n->count > 0 && n->count <= x->count && x->count - n->count <= x->count / 20 && n->folded == 0 ?
	    x->content : 0;
}

/* "150 java.util.LinkedHashSet (90 000 in all)": what each of the things has many of. */
void
finding_parts(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node content, n;
	uint32_t id = things_content(f, x, &content);

	n = content;
	while (id != 0 && (id = things_child(f, id, &n, EACH_SHARE, &n)) != 0)
		if (n.count / EACH_LEAST >= content.count) {
			if (!name_is_even(&content))
				buf_text(b, "about ");
			buf_num(b, num_show_count, n.count / content.count);
			buf_chr(b, ' ');
			buf_str(b, n.class);
			buf_text(b, " (");
			buf_num(b, num_show_count, n.count);
			buf_text(b, " in all)");
			return;
		}
}

/* "11.4 MiB of it in shop.Session.log": the innermost field of the things that has most of their bytes. */
void
finding_inside(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node content, n, found = { .total = 0 };
	uint32_t id = things_content(f, x, &content);

	n = content;
	while (id != 0 && (id = things_child(f, id, &n, 2, &n)) != 0 && n.total >= content.total / 2)
		if (n.kind == NAME_FIELD && (n.holder_whose & CLASS_PROGRAM))
			found = n;
		else if (n.kind != NAME_FIELD)
			break;
	if (found.total == 0 || !(content.whose & CLASS_PROGRAM))
		return;
	buf_num(b, num_show_size, found.total);
	buf_text(b, " of it in ");
	name_add_field(&found, b);
}

/* The node whose objects a reader compares: of several owners those, otherwise the things; 0: one object. */
static uint32_t
things_compared(const struct findings *f, const struct finding *x, struct name_node *n)
{
	uint32_t id = x->owner;

	if (id == 0 || x->content == 0)
		return 0;
	names_get(f->heap, id, n);
	if (n->count < 2 || n->folded != 0)
		names_get(f->heap, id = x->content, n);
	return n->count < 2 || n->folded != 0 ? 0 : id;
}

static int
things_by_size(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return num_order(*a, *b, 0);
}

bool
finding_spread(const struct findings *f, const struct finding *x, struct work *w, struct buf *b,
    struct err *err)
{
	const struct heap *h = f->heap;
	OWN_ARRAY(uint64_t) sizes = ARRAY_INIT;
	struct name_node n, in;
	uint32_t at, id = things_compared(f, x, &n), class = id == 0 ? 0 : heap_class(h, n.object);
	uint64_t count = 0, size;

	for (uint32_t object = 1; id != 0 && object <= h->objects; object++) {
		if (!work_each(w, object, FINDINGS_TICK, err))
			return false;
		if (heap_class(h, object) != class || (at = names_of(h, object)) == 0)
			continue;
		names_get(h, at, &in);
		if (at != id && (x->owners == 0 || !name_is_same_field(&in, &n)))
			continue;
		size = heap_retained(h, object);
		if (!array_add(&sizes, &count, &size, err))
			return false;
	}
	if (count < 2)
		return true;
	qsort(sizes.at, count, sizeof size, things_by_size);
	buf_num(b, num_show_count, count);
	buf_chr(b, ' ');
	buf_str(b, n.class);
	buf_text(b, ": least ");
	buf_num(b, num_show_size, sizes.at[0]);
	buf_text(b, ", median ");
	buf_num(b, num_show_size, sizes.at[count / 2]);
	buf_text(b, ", most ");
	buf_num(b, num_show_size, sizes.at[count - 1]);
	return true;
}

/* Return the node of the things, x->number; 0: none, or out of range in a damaged index. */
static uint32_t
things_of(const struct findings *f, const struct finding *x)
{
	return x->kind != FINDING_NETTY && x->number <= names_count(f->heap) ? (uint32_t)x->number : 0;
}

/* The node where the things are: that of x->other, unless who is blamed has them only by references. */
static uint32_t
things_place(const struct findings *f, const struct finding *x)
{
	uint32_t in = names_of(f->heap, x->other), things = things_of(f, x);
	struct name_node n, up;

	if (in == 0 || things == 0)
		return in;
	names_get(f->heap, in, &n);
	if (x->content >= in && x->content - in < n.size)
		return in;
	names_get(f->heap, things, &n);
	if (n.parent == 0)
		return in;
	names_get(f->heap, n.parent, &up);
	return up.role == ROLE_PLAIN || name_is_collection(&up) ? n.parent : things;
}

/* "shop.Cache.maxEntries = 12 000": what limits the number of the things, or may. */
void
finding_bound(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node content;
	struct bound bound;
	uint32_t in = things_place(f, x);
	uint64_t count;

	if (in == 0 || x->content == 0)
		return;
	names_get(f->heap, x->content, &content);
	/* A limit is that of one node, also where the finding joins several. */
	count = x->count <= content.count + content.count / 20 ? x->count : content.count;
	bound_find(f->heap, in, count, bound_backlog(&content, count), &bound);
	if (bound.sure == BOUND_NONE || (bound.sure == BOUND_REACHED) != (x->kind == FINDING_CACHE))
		return;
	heap_stable_name(f->heap, bound.class, b);
	if (bound.field.n == 0) {
		buf_text(b, bound.removes ? ".removeEldestEntry" : "");
		return;
	}
	buf_chr(b, '.');
	buf_str(b, bound.field);
	buf_text(b, " = ");
	buf_num(b, num_show_count, bound.limit);
}

bool
finding_cut(const struct findings *f, const struct finding *x, struct cut_found *c)
{
	uint32_t node = names_of(f->heap, x->other);

	return node != 0 && x->number != 0 && cut_find(f->heap, node, c) && c->things == x->number;
}

/* "shop.Context.byKey, shop.Entries.all and 2 more": the collections that share the things. */
void
finding_by(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;
	struct cut_found c;

	if (!finding_cut(f, x, &c))
		return;
	for (unsigned i = 0; i < c.fields && i < CUT_FIELDS; i++) {
		bool last = i + 1 == c.fields;

		buf_text(b, i == 0 ? "" : last ? " and " : ", ");
		names_get(f->heap, c.field[i], &n);
		name_add_field(&n, b);
	}
	if (c.fields > CUT_FIELDS)
		buf_printf(b, " and %u more", c.fields - CUT_FIELDS);
}

/* A channel of gRPC lives until it is shut down: grpc-java 1.0 to 1.63. */
uint64_t
finding_running(const struct findings *f, const struct finding *x)
{
	struct name_node n = { .object = 0 };
	struct heap_slot slot;

	if (x->content != 0)
		names_get(f->heap, x->content, &n);
	return object_is(f->heap, n.object, "io.grpc.internal.ManagedChannelImpl") &&
	    heap_field(f->heap, heap_field_object(f->heap, n.object, "shutdown"), "value", 0, &slot) &&
	    slot.bits == 0;
}

/*
 * The collection counts its changes, and there were as many as it has elements: each of them added one.
 */
uint64_t
finding_kept_all(const struct findings *f, const struct finding *x)
{
	uint32_t in = x->other, node = names_of(f->heap, in), map;
	uint64_t size, changes;
	struct name_node n;

	if (node == 0)
		return false;
	names_get(f->heap, node, &n);
	if (n.role != ROLE_COLLECTION || n.count != 1)
		return false;
	if ((map = heap_field_object(f->heap, in, "map")) != 0)
		in = map;
	return bound_changes(f->heap, in, &size, &changes) && size == changes && size >= KEPT_ALL;
}

/* ---- of several classes ----------------------------------------------------------------------- */

/* The contents of a collection or array. */
struct mixture {
	uint64_t	n;
	uint32_t	classes;
	bool		more;		/* the tree sums up further classes in one node */
};

/*
 * Return whether no class has most of the contents; the classes of the keys and of the values count together.
 */
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
	most = name_weight(&n) + (at != up + 1 ? name_weight(&things) : 0);
	for (uint32_t id = up + 1; id < up + in.size; id += n.size) {
		names_get(f->heap, id, &n);
		m->n += n.count;
		m->classes++;
		m->more |= n.kind == NAME_REST;
		all = num_add(all, name_weight(&n));
	}
	return m->classes > 2 && most < all - most;
}

/*
 * Append the main content of each object: for a coroutine an object of the program, for a stand-alone entry
 * its key or value.  Other objects are described well enough by their class.
 */
void
finding_each(const struct findings *f, const struct finding *x, struct buf *b)
{
	static const char *const entries[] = { "java.util.*Entry", "java.util.*Node",
	    "java.util.KeyValueHolder" };
	struct name_node content = { .size = 0 }, n;
	bool coroutine = finding_suspended(f, x);

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

uint64_t
finding_mixed(const struct findings *f, const struct finding *x)
{
	struct mixture m;

	return is_mixed(f, x, &m) ? m.n : 0;
}

uint64_t
finding_mixed_classes(const struct findings *f, const struct finding *x)
{
	struct mixture m;

	return is_mixed(f, x, &m) && !m.more ? m.classes : 0;
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

void
finding_linked(const struct findings *f, const struct finding *x, struct name_node *n)
{
	uint32_t id = links_of(f, x, n);

	if (id == 0 || x->content == 0 || x->content == id)
		*n = (struct name_node){ .count = 0 };
}

void
finding_linked_each(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node content;

	names_get(f->heap, x->content, &content);
	finding_things_add_each(b, &content);
}

/* ---- what most of them are ------------------------------------------------------------------------ */

static bool
is_objects(const struct heap *h, uint32_t object)
{
	return object != 0 && heap_is_array(h, object) &&
	    column_get(h->class_element, heap_class(h, object) - 1ull) == HEAP_OBJECT;
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
	uint32_t array = finding_things_array_of(f->heap, x->other),
	    n = array == 0 ? 0 : heap_length(f->heap, array), seen = 0, are = 0;
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

	return object_is(h, object, "java.lang.ref.Reference") &&
	    heap_field(h, object, "referent", 0, &slot) && slot.type == HEAP_OBJECT && slot.bits == 0;
}

uint64_t
finding_cleared(const struct findings *f, const struct finding *x)
{
	return most_are(f, x, is_cleared);
}

#define CANCELLED 4		/* FutureTask.state; above it, by an interrupt */
#define TIMER_CANCELLED 3	/* TimerTask.state */

static bool
is_cancelled(const struct heap *h, uint32_t object)
{
	bool future = object_is(h, object, "java.util.concurrent.FutureTask");
	struct heap_slot slot;

	return (future || object_is(h, object, "java.util.TimerTask")) && heap_field(h, object, "state", 0, &slot) &&
	    slot.type == HEAP_INT && (future ? slot.bits >= CANCELLED : slot.bits == TIMER_CANCELLED);
}

uint64_t
finding_cancelled(const struct findings *f, const struct finding *x)
{
	return most_are(f, x, is_cancelled);
}

/* x->other is the queue or is in it. */
uint64_t
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

/* ---- copies and estimates --------------------------------------------------------------------- */

/*
 * Return the cell of column col for the group of equal strings or arrays with this object; the worst groups
 * come first.
 */
static uint64_t
copies_cell(const struct findings *f, uint32_t object, column_id col)
{
	const struct column *firsts = heap_column(f->heap, COL_EACH_DUP_FIRST);
	const struct column *copies = heap_column(f->heap, COL_EACH_DUP_COPIES);
	const struct column *member = heap_column(f->heap, COL_EACH_DUP_MEMBER),
	    *cells = heap_column(f->heap, col);
	uint64_t rows = column_rows(firsts), all = column_rows(member), first, end, at;

	for (uint64_t row = 0; row < rows && row < ROWS; row++) {
		first = column_get(firsts, row);
		end = first > all || column_get(copies, row) > all - first ? first :
		    first + column_get(copies, row);
		at = column_place_in(member, first, end, object);
		if (at < end && column_get(member, at) == object)
			return column_get(cells, row);
	}
	return 0;
}

uint64_t
finding_most(const struct findings *f, const struct finding *x)
{
	return copies_cell(f, x->object, COL_EACH_DUP_WASTE) >= x->retained / 2;
}

uint64_t
finding_zeros(const struct findings *f, const struct finding *x)
{
	return copies_cell(f, x->object, COL_EACH_DUP_STRING) == COPIES_ZEROS;
}

uint64_t
finding_zlib(const struct findings *f, const struct finding *x)
{
	struct name_node n;
	uint64_t bytes = 0, end = x->owner, id = x->owner;

	for (; id != 0 && id <= names_count(f->heap) &&
	    (id == x->owner || (id < end && id - x->owner < ROWS)); id++) {
		names_get(f->heap, (uint32_t)id, &n);
		end = id == x->owner ? id + n.size : end;
		bytes += str_glob(STR("java.util.zip.*"), n.class) ? n.native : 0;
	}
	return bytes * 2 > x->native;
}
