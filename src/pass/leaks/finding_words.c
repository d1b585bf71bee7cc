/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_words: the fields of the phrases about findings: numbers, conditions, owners.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "icecore/phrase.h"
#include "findings.h"

/* ---- words ----------------------------------------------------------------------------- */

static void
add_size(uint64_t bytes, struct buf *b)
{
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_str(b, str_of(text));
}

void
finding_number(uint64_t n, struct buf *b)
{
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, n);
	buf_str(b, str_of(text));
}

double
finding_percent(const struct findings *f, const struct finding *x)
{
	static const enum fact_id parts[] = { FACT_LIVE_BYTES, FACT_DIRECT_BYTES, FACT_ZLIB_BYTES, FACT_REGISTERED_BYTES };
	uint64_t live = 0;

	for (size_t i = 0; i < NELEM(parts); i++)
		live = num_add(live, heap_fact(f->heap->st, parts[i], f->heap->refs, f->heap->sizes));
	/* Live bytes exclude objects that only finalizers reach. */
	if (x->kind == FINDING_FINALIZER)
		live = num_add(live, x->retained);
	return live == 0 ? 0 : 100.0 * (double)x->retained / (double)live;
}

/* "12.4 MiB (63%)" */
static void
finding_words_add_part(const struct findings *f, const struct finding *x, struct buf *b)
{
	add_size(x->retained, b);
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

static void
finding_words_add_field(const struct name_node *n, struct buf *b)
{
	buf_str(b, n->holder);
	if (n->holder.n > 0)
		buf_chr(b, '.');
	buf_str(b, n->label);
}

/* The field, without what kind it is of. */
static void
add_owner(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;

	if (x->owner == 0)
		return;
	names_get(f->heap, x->owner, &n);
	if (n.holder.n == 0 && (n.label.n == 0 || n.kind == NAME_GC_ROOT)) {
		buf_str(b, n.class);
		return;
	}
	finding_words_add_field(&n, b);
}

uint32_t
finding_owners(const struct findings *f, const struct finding *x)
{
	struct name_node n = { .count = 1 };

	if (x->owner != 0)
		names_get(f->heap, x->owner, &n);
	/*
	 * A finding below a single object (x->one) has one owner.  Shared objects are held by one field, however many objects
	 * have this field.  The queues of a ForkJoinPool belong to one pool.
	 */
	if (n.count - n.folded <= 1 || x->one != 0)
		return 1;
	return n.kind == NAME_SHARED && (x->owner == x->content || str_glob(STR("*.ForkJoinPool$WorkQueue"), n.class)) ? 1 : n.count - n.folded;
}

/* ---- other holders ---------------------------------------------------------------------------- */

#define REFERRERS 12u	/* of a shared object that are looked at */
#define ALSO 2u		/* that are named */

/* Find the first node, from the content up to the owner, whose objects are not held by the node above alone. */
static uint32_t
shared_node(const struct findings *f, const struct finding *x, struct name_node *n)
{
	for (uint32_t id = x->content; id > 1; id = n->parent) {
		names_get(f->heap, id, n);
		if (n->kind == NAME_SHARED ||
		    (n->kind == NAME_ELEMENT && names_of(f->heap, heap_above(f->heap, n->object)) != n->parent))
			return id;
		if (id == x->owner)
			break;
	}
	return 0;
}

/*
 * Append the field by which an object of a node holds another one; for a part of a collection, the field that has the
 * collection.  Skip fields of libraries: the reader cannot fix them, and they may hold the object for the owner.
 */
static void
finding_words_add_holder(const struct findings *f, uint32_t id, uint32_t object, uint32_t held, struct buf *b)
{
	struct heap_slot slot;
	struct name_node n;

	names_get(f->heap, id, &n);
	if ((n.role == ROLE_PLAIN || n.role == ROLE_CLASS) && heap_link(f->heap, object, held, &slot)) {
		if (!(n.whose & CLASS_PROGRAM))
			return;
		heap_stable_name(f->heap, slot.class, b);
		buf_chr(b, '.');
		buf_str(b, slot.name);
		return;
	}
	while (n.kind == NAME_ELEMENT && n.parent != 0)
		names_get(f->heap, n.parent, &n);
	if (!(n.holder_whose & CLASS_PROGRAM))
		return;
	finding_words_add_field(&n, b);
}

/* "; also held by shop.ByName.PARCELS": the bytes of what several share count for one of them alone. */
static void
add_also(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct buf owner = BUF_INIT, name = BUF_INIT, first = BUF_INIT;
	struct name_node n;
	struct heap_walk walk;
	uint32_t id = shared_node(f, x, &n), from, at, told = 0;

	if (id == 0)
		return;
	add_owner(f, x, &owner);
	heap_in(f->heap, n.object, &walk);
	for (uint32_t i = 0; i < REFERRERS && told < ALSO && (from = heap_next(&walk, NULL)) != 0; i++) {
		at = names_of(f->heap, from);
		if (at == 0 || (at >= id && at < id + n.size))
			continue;
		buf_clear(&name);
		finding_words_add_holder(f, at, from, n.object, &name);
		if (name.n == 0 || str_eq(buf_view(&name), buf_view(&owner)) || str_eq(buf_view(&name), buf_view(&first)))
			continue;
		buf_str(b, told++ == 0 ? STR("; also held by ") : STR(" and "));
		buf_str(b, buf_view(&name));
		buf_str(&first, buf_view(&name));
	}
	buf_free(&owner);
	buf_free(&name);
	buf_free(&first);
}

/* The field with most of the bytes of mostly empty collections, "shop.Order.attributes". */
static void
add_most_in(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n = { .kind = NAME_ROOT };

	for (uint32_t id = x->content; id > 1 && (n.kind == NAME_ROOT || n.kind == NAME_ELEMENT); id = n.parent)
		names_get(f->heap, id, &n);
	if (n.holder.n > 0)
		finding_words_add_field(&n, b);
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
add_factory(const struct findings *f, const struct finding *x, struct buf *b)
{
	heap_stable_name(f->heap, heap_class(f->heap, x->other), b);
}

/* The number is in hundredths of a percent. */
static void
add_collide(const struct findings *f, const struct finding *x, struct buf *b)
{
	(void)f;
	buf_printf(b, "%.4g%%", (double)x->number / 100);
}

/* ---- by name ------------------------------------------------------------------------------- */

/* Subject of a phrase; missing nodes are zeros. */
struct telling {
	const struct findings	*f;
	const struct finding	*x;
	struct name_node	 owner, content, one;
};

/* Fields computed from other fields. */
static const char *const phrases[][2] = {
	/*
	 * "the fields shop.Shard.map of 4 objects hold ...".  Objects with other holders do not belong to a field alone:
	 * "3 shop.Page of shop.Shop.pages".
	 */
	{ "subject", "{owners:{owner} holds {part}|[field_of?the fields {field} of {owners} objects|"
	    "{owners} [shared?{owner_class}[known? of {owner}]|{owner}]] hold {part} together}" },
	{ "one_of", "[one_count?; one {one_class} of {one_count} has most of it]" }
};

static const struct {
	const char	*name;
	void		(*add)(const struct findings *, const struct finding *, struct buf *);
} texts[] = {
	{ "also", add_also }, { "awaited", finding_awaited }, { "class", finding_class }, { "collide", add_collide },
	{ "does", finding_does }, { "each", finding_each }, { "factory", add_factory }, { "finalizer", finding_finalizer },
	{ "frame", finding_frame }, { "held", finding_held }, { "in", finding_in }, { "keepers", finding_keepers },
	{ "kept_otherwise", finding_kept_otherwise }, { "label", add_label }, { "links", finding_links },
	{ "loader_place", finding_loader_place }, { "most_in", add_most_in }, { "names", finding_names },
	{ "object", finding_words_add_object }, { "other", add_other }, { "owner", add_owner }, { "part", finding_words_add_part },
	{ "pattern", finding_pattern }, { "place", finding_place }, { "string", finding_words_add_string }, { "things", finding_things },
	{ "worker", finding_worker }, { "workers", finding_workers }
};

/* Conditions that take some computing. */
static const struct {
	const char	*name;
	bool		(*holds)(const struct findings *, const struct finding *);
} conditions[] = {
	{ "cancelled", finding_cancelled }, { "cleared", finding_cleared }, { "held_class", finding_held_class },
	{ "most", finding_most }, { "most_local", finding_most_local }, { "of_thread", finding_of_thread },
	{ "scheduled", finding_scheduled }, { "stack", finding_has_stack }, { "zeros", finding_zeros }, { "zlib", finding_zlib }
};

/* Find a number, or a condition, which is 1 or 0.  False: it is none of these. */
static bool
telling_number(const struct telling *t, struct str name, uint64_t *n, bool *size)
{
	const struct finding *x = t->x;
	const struct heap *h = t->f->heap;
	uint64_t live = heap_fact(h->st, FACT_LIVE_BYTES, h->refs, h->sizes), all = heap_all_bytes(h->st, h->sizes);
	const struct {
		const char	*name;
		uint64_t	 n;
		bool		 size;
	} numbers[] = {
		{ "count", x->count }, { "number", x->number }, { "retained", x->retained, .size = true }, { "native", x->native, .size = true },
		{ "owners", finding_owners(t->f, x) }, { "threads", t->owner.count - t->owner.folded }, { "one_count", t->one.count },
		{ "held_count", t->content.count }, { "unreachable_size", all > live ? all - live : 0, .size = true },
		{ "elements", x->other != 0 && heap_is_array(h, x->other) ? heap_length(h, x->other) : 0 },
		{ "several", x->number > 1 }, { "some", x->number > x->count }, { "single", x->number == x->count },
		{ "calls", x->number == x->owner }, { "has_other", x->other != 0 }, { "locals", x->content != 0 && x->owner != 0 },
		{ "unsure", finding_severity(x) == SEVERITY_NOTE }, { "program", (t->owner.holder_whose & CLASS_PROGRAM) != 0 },
		{ "unreachable", x->number == CURSOR_UNREACHABLE }, { "static", x->number == CURSOR_STATIC },
		{ "ended", x->number == CURSOR_ENDED }, { "lost", t->owner.kind == NAME_LOST_LOCAL },
		{ "static_local", t->owner.kind == NAME_STATIC_LOCAL }, { "local", t->owner.kind == NAME_LOCAL },
		{ "shared", t->owner.kind == NAME_SHARED }, { "known", (t->owner.holder_whose & ~(unsigned)CLASS_JDK) != 0 },
		{ "field_of", t->owner.kind == NAME_FIELD && t->owner.holder.n > 0 }
	};
	size_t i = 0;

	while (i < NELEM(numbers) && !str_eq(name, str_of(numbers[i].name)))
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
	uint64_t n;
	bool size;

	if (telling_number(t, name, &n, &size)) {
		(size ? add_size : finding_number)(n, b);
		return;
	}
	for (size_t i = 0; i < NELEM(phrases); i++)
		if (str_eq(name, str_of(phrases[i][0]))) {
			phrase_add(str_of(phrases[i][1]), &(struct phrase_fields){ telling_amount, telling_add, of }, b);
			return;
		}
	for (size_t i = 0; i < NELEM(texts); i++)
		if (str_eq(name, str_of(texts[i].name))) {
			texts[i].add(t->f, t->x, b);
			return;
		}
	if (str_eq(name, STR("field"))) {
		finding_words_add_field(&t->owner, b);
		return;
	}
	assert(str_eq(name, STR("owner_class")) || str_eq(name, STR("one_class")));
	buf_str(b, str_eq(name, STR("owner_class")) ? t->owner.class : t->one.class);
}

static enum amount
telling_amount(void *of, struct str name)
{
	const struct telling *t = of;
	struct buf b = BUF_INIT;
	uint64_t n = 0;
	bool size;

	for (size_t i = 0; i < NELEM(conditions); i++)
		if (str_eq(name, str_of(conditions[i].name)))
			return conditions[i].holds(t->f, t->x) ? AMOUNT_MANY : AMOUNT_NONE;
	if (!telling_number(t, name, &n, &size)) {
		telling_add(of, name, &b);
		n = b.n > 0 ? 2 : 0;
		buf_free(&b);
	}
	return n == 0 ? AMOUNT_NONE : n == 1 ? AMOUNT_ONE : AMOUNT_MANY;
}

void
finding_phrase(const struct findings *f, const struct finding *x, const char *phrase, struct buf *b)
{
	struct telling t = { .f = f, .x = x };

	if (x->owner != 0)
		names_get(f->heap, x->owner, &t.owner);
	if (x->content != 0)
		names_get(f->heap, x->content, &t.content);
	if (x->one != 0)
		names_get(f->heap, x->one, &t.one);
	phrase_add(str_of(phrase), &(struct phrase_fields){ telling_amount, telling_add, &t }, b);
}

/* The last field on the path that is of no collection and no wrapper of a Cursor. */
static void
add_last_field(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t i = x->hops, end = i > DEEP ? i - DEEP : 0;
	struct heap_slot slot;

	while (i > end + 1 && cursor_passed_on(f->heap, x->hop[i - 2]))
		i--;
	if (i < end + 2 || !heap_link(f->heap, x->hop[i - 2], x->hop[i - 1], &slot) || slot.class == 0 || slot.name.n == 0)
		return;
	heap_class_name(f->heap, slot.class, b);
	buf_chr(b, '.');
	buf_str(b, slot.name);
}

void
finding_holder(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->kind == FINDING_CURSOR || x->kind == FINDING_RESOURCE)
		add_last_field(f, x, b);
	else if (x->kind == FINDING_VIRTUAL)
		finding_place(f, x, b);
	else
		add_owner(f, x, b);
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
