/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_words: the reason of a finding, in a line: the phrase of its kind, and the tables of the fields of
 * phrases: numbers, conditions, owners.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "icecore/columns_objects.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "icecore/phrase.h"
#include "pools.h"

/* ---- words ----------------------------------------------------------------------------- */

double
finding_percent(const struct findings *f, const struct finding *x)
{
	uint64_t whole = heap_whole(f->heap->st, f->heap->refs, f->heap->sizes);

	/* The whole excludes objects that only finalizers reach. */
	if (x->kind == FINDING_FINALIZER)
		whole = num_add(whole, x->retained);
	return whole == 0 ? 0 : 100.0 * (double)x->retained / (double)whole;
}

/* "12.4 MiB (63%)" */
static void
finding_words_add_part(const struct findings *f, const struct finding *x, struct buf *b)
{
	buf_num(b, num_show_size, x->retained);
	buf_printf(b, " (%.0f%%)", finding_percent(f, x));
}

static void
finding_words_add_object(const struct findings *f, const struct finding *x, struct buf *b)
{
	heap_label(f->heap, x->object, b);
	if (heap_class_of_object(f->heap, x->object) == 0)
		buf_printf(b, " @%" PRIu32, x->object);
}

/* ---- owners: data from the tree of names ----------------------------------------------------- */

static uint32_t
words_owners(const struct findings *f, const struct finding *x)
{
	struct name_node n = { .count = 1 };

	if (x->owner != 0)
		names_get(f->heap, x->owner, &n);
	/*
	 * A finding below a single object (x->one) has one owner.  Shared objects are held by one field,
	 * however many objects have this field.  The queues of a ForkJoinPool belong to one pool.
	 */
	if (n.count - n.folded <= 1 || x->one != 0)
		return 1;
	if (x->owners != 0)
		return x->owners;
	return n.kind == NAME_SHARED && (x->owner == x->content ||
	    str_glob(STR("*.ForkJoinPool$WorkQueue"), n.class)) ? 1 : n.count - n.folded;
}

/* ---- other holders ---------------------------------------------------------------------------- */

#define REFERRERS 12u	/* referrers of a shared object that are looked at */
#define ALSO 2u		/* that are named */

/*
 * Find the first node, from the content up to the owner, whose objects are not held by the node above alone.
 */
static uint32_t
shared_node(const struct findings *f, const struct finding *x, struct name_node *n)
{
	for (uint32_t id = x->content; id > 1; id = n->parent) {
		names_get(f->heap, id, n);
		if (n->kind == NAME_SHARED ||
		    (n->kind == NAME_ELEMENT && names_of(f->heap,
		    heap_above(f->heap, n->object)) != n->parent))
			return id;
		if (id == x->owner)
			break;
	}
	return 0;
}

/*
 * Append the field by which an object of a node holds another one; for a part of a collection, the field that
 * has the collection.  Skip fields of libraries: the reader cannot fix them, and they may hold the object for
 * the owner.
 */
static void
finding_words_add_holder(const struct findings *f, uint32_t id, uint32_t object, uint32_t held, struct buf *b)
{
	struct heap_slot slot;
	struct name_node n;

	names_get(f->heap, id, &n);
	if ((n.role == ROLE_PLAIN || n.role == ROLE_CLASS) && heap_link(f->heap, object, held, &slot)) {
		if (!(n.whose & CLASS_PROGRAM) || slot.name.n == 0)
			return;
		if (f->heap->form != NULL)
			buf_str(b, n.class);
		else
			heap_stable_name(f->heap, slot.class, b);
		buf_chr(b, '.');
		buf_str(b, slot.name);
		return;
	}
	name_leave_elements(f->heap, &n);
	if (!(n.holder_whose & CLASS_PROGRAM))
		return;
	name_add_field(&n, b);
}

/* "shop.ByName.PARCELS": the bytes of what several share count for one of them alone. */
static void
add_also(const struct findings *f, const struct finding *x, struct buf *b)
{
	OWN_BUF owner = BUF_INIT, name = BUF_INIT, first = BUF_INIT;
	struct name_node n;
	struct heap_walk walk;
	uint32_t id = shared_node(f, x, &n), from, at, named = 0;
	struct cut_found cut;

	/* The collections of a cut are named already. */
	if (id == 0 || finding_cut(f, x, &cut))
		return;
	finding_owner(f, x, &owner);
	heap_in(f->heap, n.object, &walk);
	for (uint32_t i = 0; i < REFERRERS && named < ALSO && (from = heap_next(&walk, NULL)) != 0; i++) {
		at = names_of(f->heap, from);
		if (at == 0 || (at >= id && at < id + n.size))
			continue;
		buf_clear(&name);
		finding_words_add_holder(f, at, from, n.object, &name);
		if (name.n == 0 || str_eq(buf_view(&name), buf_view(&owner)) ||
		    str_eq(buf_view(&name), buf_view(&first)))
			continue;
		buf_text(b, named++ == 0 ? "" : " and ");
		buf_str(b, buf_view(&name));
		buf_str(&first, buf_view(&name));
	}
}

/* The field of the program that has all the objects of which each has the owner's field: "shop.Shop.shards". */
static void
add_among(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;
	uint32_t owners;

	names_get(f->heap, x->owner, &n);
	owners = n.count - n.folded;
	/* Others of the objects may be elsewhere. */
	if (owners != words_owners(f, x))
		return;
	while (n.parent > 1) {
		names_get(f->heap, n.parent, &n);
		if (n.kind != NAME_FIELD && n.kind != NAME_STATIC && n.kind != NAME_SHARED && n.kind != NAME_ELEMENT)
			return;
		if (n.kind == NAME_ELEMENT || !(n.holder_whose & CLASS_PROGRAM) ||
		    (n.kind == NAME_FIELD && n.count >= owners))
			continue;
		name_add_field(&n, b);
		return;
	}
}

/* The field with most of the bytes of mostly empty collections, "shop.Order.attributes". */
static void
add_most_in(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;

	if (x->content == 0)
		return;
	names_get(f->heap, x->content, &n);
	name_leave_elements(f->heap, &n);
	if (n.holder.n > 0)
		name_add_field(&n, b);
}

static void
finding_words_add_string(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t from = b->n;

	heap_string(f->heap, x->object, 40, b);
	mask_text(b, from);
}

static void
add_label(const struct findings *f, const struct finding *x, struct buf *b)
{
	heap_label(f->heap, x->object, b);
}

static void
add_other(const struct findings *f, const struct finding *x, struct buf *b)
{
	heap_label(f->heap, x->other, b);
}

/* Append the class of what makes the threads of a pool. */
static void
finding_words_add_factory(const struct findings *f, const struct finding *x, struct buf *b)
{
	heap_stable_name(f->heap, heap_class(f->heap, x->other), b);
}

/* The number is in hundredths of a percent. */
static void
add_collide(UNUSED const struct findings *f, const struct finding *x, struct buf *b)
{
	buf_printf(b, "%.4g%%", (double)x->number / 100);
}

/* ---- class loaders ------------------------------------------------------------------------------- */

#define WAYS_TOLD 3u

/* "12 in shop.Main.plugins": each kind of holder of loaders of the same class is a separate finding. */
static void
add_kept_otherwise(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t class = heap_class(f->heap, x->object), told = 0;
	struct finding other;

	for (uint64_t i = 0; i < f->n && told < WAYS_TOLD; i++) {
		finding_get(f, i, &other);
		if (other.kind != FINDING_LOADER || other.object == x->object || other.other == 0 ||
		    heap_class(f->heap, other.object) != class)
			continue;
		buf_text(b, told++ == 0 ? "" : ", ");
		buf_num(b, num_show_count, other.count);
		buf_text(b, " in ");
		finding_loader_place(f, &other, b);
	}
}

/* ---- by name ------------------------------------------------------------------------------- */

/* Subject of a phrase; missing nodes are zeros. */
struct telling {
	const struct findings	*f;
	const struct finding	*x;
	struct name_node	 owner, content, one, linked;
};

/* Fields computed from other fields. */
static const char *const phrases[][2] = {
	/*
	 * "the fields shop.Shard.map of 4 objects in shop.Shop.shards hold ...".  Objects with other holders do not
	 * belong to a field alone: "3 shop.Page of shop.Shop.pages".
	 */
	{ "subject", "{owners:{owner} holds {part}|[field_of?the fields {field} of {owners} objects[among? in {among}]|"
	    "{owners} [shared?{owner_class}[known? of {owner}]|{owner}]] hold {part} together}" },
	{ "one_of", "[one_count?; one {one_class} of {one_count} has most of it]" },
	{ "things", "[mixed?{mixed} objects of [mixed_classes?{mixed_classes}|many] classes, mostly ]"
	    "{count} [suspended?suspended {count:coroutine|coroutines} ]{class}" },
	{ "dead", "[cleared?, most of them cleared: their objects were collected]"
	    "[cancelled?, most of them cancelled: purge() removes them]"
	    "[running?, the largest of them not shut down]" },
	{ "contents", "[parts?, each with {parts}][inside?; {inside}]" },
	{ "other_holders", "[by?; by {by}][; also held by {also}]" },
	/* "20 000 shop.Link, each with a shop.Item" */
	{ "links", "[linked?{linked} {linked_class}[paired?{linked_each}| with {things}]|{things}]" }
};

/* Where the largest of the objects was made. */
static void
add_made(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n = { .object = 0 };

	if (x->content != 0)
		names_get(f->heap, x->content, &n);
	heap_site_name(f->heap, (uint32_t)store_cell(f->heap->st, COL_OBJECT_SITE, n.object), b);
}

static const struct {
	const char	*name;
	finding_text	*add;
} texts[] = {
	{ "also", add_also }, { "among", add_among }, { "awaited", finding_awaited }, { "bound", finding_bound },
	{ "borrower", finding_borrower }, { "by", finding_by }, { "class", finding_class },
	{ "collide", add_collide }, { "context", finding_context },
	{ "does", finding_does }, { "each", finding_each }, { "factory", finding_words_add_factory },
	{ "finalizer", finding_finalizer },
	{ "holder", finding_holder },
	{ "frame", finding_frame }, { "held", finding_held }, { "in", finding_in },
	{ "inside", finding_inside },
	{ "keeper", finding_keeper }, { "kept_otherwise", add_kept_otherwise },
	{ "keys", finding_keys }, { "made", add_made },
	{ "known_leak", finding_known_leak }, { "label", add_label }, { "linked_each", finding_linked_each },
	{ "loader_place", finding_loader_place }, { "most_in", add_most_in }, { "names", finding_names },
	{ "object", finding_words_add_object }, { "other", add_other }, { "owner", finding_owner },
	{ "part", finding_words_add_part },
	{ "parts", finding_parts }, { "pattern", finding_pattern }, { "place", finding_place },
	{ "pool", finding_pool }, { "reason", finding_reason },
	{ "request", finding_request }, { "state", finding_state }, { "string", finding_words_add_string },
	{ "taken_by", finding_taken_by }, { "waiter", finding_waiter },
	{ "with", finding_with },
	{ "worker", finding_worker },
	{ "worker_frame", finding_worker_frame }
};

/* Numbers and conditions that take some computing. */
static const struct {
	const char	*name;
	finding_count	*count;
} counts[] = {
	{ "await_holder", finding_await_holder }, { "cancelled", finding_cancelled },
	{ "cleared", finding_cleared }, { "held_class", finding_held_class },
	{ "keepers", finding_keepers }, { "kept_all", finding_kept_all }, { "mixed", finding_mixed },
	{ "mixed_classes", finding_mixed_classes }, { "most", finding_most },
	{ "most_local", finding_most_local }, { "of_thread", finding_of_thread },
	{ "running", finding_running }, { "scheduled", finding_scheduled }, { "stack", finding_has_stack },
	{ "suspended", finding_suspended },
	{ "workers", finding_workers }, { "workers_differ", finding_workers_differ },
	{ "zeros", finding_zeros }, { "zlib", finding_zlib }
};

/* Find a number, or a condition, which is 1 or 0.  False: it is none of these. */
static bool
telling_number(const struct telling *t, struct str name, uint64_t *n, bool *size)
{
	const struct finding *x = t->x;
	const struct heap *h = t->f->heap;
	uint64_t live = heap_fact(h->st, FACT_LIVE_BYTES, h->refs, h->sizes),
	    all = heap_all_bytes(h->st, h->sizes);
	const struct pool_figures pool = pool_figures_unpack(x->number);
	const struct {
		const char	*name;
		uint64_t	 n;
		bool		 size;
	} numbers[] = {
		{ "count", x->count }, { "number", x->number }, { "retained", x->retained, .size = true },
		{ "native", x->native, .size = true },
		{ "owners", words_owners(t->f, x) }, { "threads", t->owner.count - t->owner.folded },
		{ "one_count", t->one.count },
		{ "linked", t->linked.count },
		{ "paired", t->content.count == t->linked.count && t->content.count == x->count },
		{ "held_count", t->content.count }, { "unreachable_size", all > live ? all - live : 0,
		    .size = true },
		{ "elements", x->other != 0 && heap_is_array(h, x->other) ? heap_length(h, x->other) : 0 },
		{ "used", pool.used }, { "all", pool.all }, { "limit", pool.limit }, { "waiting", pool.waiting },
		{ "used_bytes", x->number >> 1, .size = true },
		{ "unheld", !str_glob(STR("*ByteBuf"), t->content.class) },
		{ "rest", x->number & 1 },
		{ "several", x->number > 1 }, { "some", x->number > x->count },
		{ "single", x->number == x->count },
		{ "calls", x->number == x->owner }, { "has_other", x->other != 0 },
		{ "locals", x->content != 0 && x->owner != 0 },
		{ "unsure", finding_severity(x) == SEVERITY_NOTE },
		{ "program", (t->owner.holder_whose & CLASS_PROGRAM) != 0 },
		{ "unreachable", x->number == CURSOR_UNREACHABLE }, { "static", x->number == CURSOR_STATIC },
		{ "ended", x->number == CURSOR_ENDED }, { "lost", t->owner.kind == NAME_LOST_LOCAL },
		{ "static_local", t->owner.kind == NAME_STATIC_LOCAL },
		{ "local", t->owner.kind == NAME_LOCAL },
		{ "shared", t->owner.kind == NAME_SHARED },
		{ "known", (t->owner.holder_whose & ~(unsigned)CLASS_JDK) != 0 },
		{ "field_of", t->owner.kind == NAME_FIELD && t->owner.holder.n > 0 }
	};
	size_t i = 0;

	*size = false;
	for (; i < NELEM(counts); i++)
		if (str_is(name, counts[i].name)) {
			*n = counts[i].count(t->f, x);
			return true;
		}
	i = 0;
	while (i < NELEM(numbers) && !str_is(name, numbers[i].name))
		i++;
	if (i == NELEM(numbers))
		return false;
	*n = numbers[i].n;
	*size = numbers[i].size;
	return true;
}

static enum amount telling_amount(void *of, struct str name);

static void
telling_add(void *of, struct str name, struct buf *b)
{
	const struct telling *t = of;
	const struct {
		const char	*name;
		struct str	 class;
	} classes[] = {
		{ "owner_class", t->owner.class }, { "one_class", t->one.class },
		{ "linked_class", t->linked.class }
	};
	uint64_t n;
	bool size;

	if (telling_number(t, name, &n, &size)) {
		buf_num(b, size ? num_show_size : num_show_count, n);
		return;
	}
	for (size_t i = 0; i < NELEM(phrases); i++)
		if (str_is(name, phrases[i][0])) {
			phrase_add(str_of(phrases[i][1]),
			    &(struct phrase_fields){ telling_amount, telling_add, of }, b);
			return;
		}
	for (size_t i = 0; i < NELEM(texts); i++)
		if (str_is(name, texts[i].name)) {
			texts[i].add(t->f, t->x, b);
			return;
		}
	for (size_t i = 0; i < NELEM(classes); i++)
		if (str_is(name, classes[i].name)) {
			buf_str(b, classes[i].class);
			return;
		}
	assert(str_is(name, "field"));
	name_add_field(&t->owner, b);
}

static enum amount
telling_amount(void *of, struct str name)
{
	const struct telling *t = of;
	struct buf b = BUF_INIT;
	uint64_t n = 0;
	bool size;

	if (!telling_number(t, name, &n, &size)) {
		telling_add(of, name, &b);
		n = b.n > 0 ? 2 : 0;
		buf_free(&b);
	}
	return n == 0 ? AMOUNT_NONE : n == 1 ? AMOUNT_ONE : AMOUNT_MANY;
}

void
finding_why(const struct findings *f, struct inspector *in, const struct finding *x, struct buf *b)
{
	struct findings all = *f;
	struct telling t = { .f = &all, .x = x };

	all.inspector = in;
	if (x->owner != 0)
		names_get(f->heap, x->owner, &t.owner);
	if (x->content != 0)
		names_get(f->heap, x->content, &t.content);
	if (x->one != 0)
		names_get(f->heap, x->one, &t.one);
	finding_linked(f, x, &t.linked);
	phrase_add(str_of(finding_rows[x->kind].why),
	    &(struct phrase_fields){ telling_amount, telling_add, &t }, b);
}
