/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_layout: the VM's object layout, which the dump does not state: choose the layout whose sizes best match the
 * distances of adjacent objects.
 *
 * Where a dump has only what lives, there are gaps behind many objects.  But of a class with some objects one mostly
 * touches the next one, so that classes vote first, each with its smallest distance.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "grow.h"

#define RULES (2 * 2 * HEAP_LAYOUTS)
#define EXACT_MIN 0.30		/* minimum pairs for a verdict */
#define AGREE_MIN 0.60		/* or this part of the classes */
#define VOTING 8u		/* minimum objects of a class that votes */
#define VOTERS 8u		/* minimum classes that are asked at all */
#define VIOLATIONS_MAX 0.002
#define ENOUGH 4u		/* number of samples per vote in a large dump */
#define ALIGN_OBJECTS 1000u	/* minimum to judge alignment */
/* bytes that the VM adds to a stack chunk besides a reference: pc, a number, two flags */
#define STACK_FIELDS 14u

struct vote {
	struct heap_rule rule;
	enum heap_layout layout;
	uint64_t	 exact, violated, n;	/* objects */
	uint32_t	 agree, classes;	/* classes that vote for it, and that vote */
	struct larger	 larger;
};

/* The objects of a class by a rule. */
struct ballot {
	uint32_t	n;
	bool		exact, violated;	/* one touches the next object; one would overlap it */
};

/* ---- instances ---------------------------------------------------------------- */

/* Bytes of header and fields of each class, not yet aligned. */
static void
class_sizes(const struct hprof *h, const struct heap_rule *r, const uint32_t *order,
    uint64_t *size)
{
	const struct class_row *c;
	uint64_t own;

	for (uint64_t i = 0; i < h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, order[i]);
		own = (uint64_t)c->field_refs * r->ref + c->field_bytes;
		if (r->android)
			size[order[i] - 1] = c->size;
		else if (c->super == 0)
			size[order[i] - 1] = r->header;
		else if (r->flat)
			size[order[i] - 1] = size[c->super - 1] + own;
		else
			size[order[i] - 1] = heap_up(size[c->super - 1] + own, r->ref);
	}
}

/* Like class_sizes, with the hidden fields that the VM adds to stack chunks. */
static void
vm_sizes(const struct hprof *h, const struct heap_rule *r, const uint32_t *order, uint64_t *size)
{
	class_sizes(h, r, order, size);
	if (h->stack_class != 0 && !r->android)
		size[h->stack_class - 1] += r->ref + STACK_FIELDS;
}

static uint64_t
object_size(const struct hprof *h, const struct heap_rule *r, const uint64_t *size,
    uint32_t class, uint32_t length)
{
	const struct class_row *c;

	assert(class != 0);
	if (class >= PRIM_CLASS)
		return heap_rule_array(r, class - PRIM_CLASS, length);
	c = hprof_class_row(h, class);
	if (c->element != 0)
		return heap_rule_array(r, c->element, length);
	if (r->android)
		return size[class - 1];
	return heap_up(heap_up(size[class - 1], r->align) + (class == h->stack_class ? heap_rule_stack(r, length) : 0),
	    r->align);
}

/* ---- the vote --------------------------------------------------------------------- */

/* Replace the ids of the samples with the distances to the next object; 0: there is none. */
static void
hprof_layout_measure(struct heap_sample *sample, uint64_t n, const struct heap_ids *ids)
{
	uint64_t after;

	for (uint64_t i = 0; i < n; i++) {
		after = heap_ids_after(ids, sample[i].id);
		sample[i].id = after == 0 ? 0 : after - sample[i].id;
	}
}

/* In a small dump all samples vote; in a large one every ENOUGH-th. */
static void
count_votes(const struct hprof *h, const uint64_t *size, struct vote *v)
{
	const struct heap_sample *s;
	unsigned step = h->samples.stride == 1 ? 1 : ENOUGH;
	uint64_t bytes;

	for (uint64_t i = 0; i < h->samples.n; i += step) {
		s = &h->samples.row[i];
		if (s->id == 0)
			continue;
		bytes = object_size(h, &v->rule, size, s->class, s->length);
		v->n++;
		v->exact += s->id == bytes;
		v->violated += s->id < bytes;
	}
}

static void
cast_votes(const struct hprof *h, const uint64_t *size, const struct vote *v, const struct heap_sample *s, uint64_t n,
    struct ballot *ballot)
{
	struct ballot *b;
	uint64_t bytes;

	for (; n > 0; n--, s++) {
		if (s->id == 0)
			continue;
		bytes = object_size(h, &v->rule, size, s->class, s->length);
		b = &ballot[s->class < PRIM_CLASS ? s->class : h->table[CLASSES].n + 1 + (s->class - PRIM_CLASS)];
		b->n++;
		b->exact |= s->id == bytes;
		b->violated |= s->id < bytes;
	}
}

/* ballot: a place for each class, and for each type of primitive arrays behind them. */
static void
count_classes(const struct hprof *h, const uint64_t *size, struct ballot *ballot, struct vote *v)
{
	uint64_t n = h->table[CLASSES].n + 1 + PRIM_TYPES;

	memset(ballot, 0, n * sizeof *ballot);
	cast_votes(h, size, v, SCRATCH(h->table[FIRSTS].rows, struct heap_sample), h->table[FIRSTS].n, ballot);
	cast_votes(h, size, v, h->samples.row, h->samples.n, ballot);
	for (uint64_t i = 0; i < n; i++)
		if (ballot[i].n >= VOTING) {
			v->classes++;
			v->agree += ballot[i].exact && !ballot[i].violated;
		}
}

static bool
refuted(const struct vote *v)
{
	return (double)v->violated > VIOLATIONS_MAX * (double)v->n;
}

/* Sort layouts: refuted ones last, then by classes if there are enough, then by exact hits; what is usual first. */
static int
hprof_layout_better(const void *a, const void *b)
{
	const struct vote *x = a, *y = b;
	int names = strcmp(heap_layouts[x->layout].name, heap_layouts[y->layout].name);

	if (refuted(x) != refuted(y))
		return refuted(x) - refuted(y);
	if (x->classes >= VOTERS && x->agree != y->agree)
		return x->agree < y->agree ? 1 : -1;
	if (x->exact != y->exact)
		return x->exact < y->exact ? 1 : -1;
	if (x->rule.align != y->rule.align)
		return x->rule.align < y->rule.align ? -1 : 1;
	return names != 0 ? names : y->rule.flat - x->rule.flat;
}

static double
hprof_layout_share(const struct vote *v)
{
	return v->n == 0 ? 0 : (double)v->exact / (double)v->n;
}

static bool
by_classes(const struct vote *v)
{
	return v->classes >= VOTERS && v->agree >= AGREE_MIN * v->classes;
}

static bool
hprof_layout_say(struct hprof *h, enum fact_id id, const struct vote *v, const char *why,
    struct err *err)
{
	double percent = 100 * hprof_layout_share(v);
	char text[160], classes[64] = "", align[16] = "";

	/* Show 100 % only if every class agrees. */
	if (v->larger.differ > 0 && percent > 99.9)
		percent = 99.9;
	if (by_classes(v) && hprof_layout_share(v) < EXACT_MIN)
		snprintf(classes, sizeof classes, ", %u of %u classes", v->agree, v->classes);
	if (v->rule.align > 8)
		snprintf(align, sizeof align, "/%u", v->rule.align);
	snprintf(text, sizeof text, "%s/%s%s %.1f%%%s%s", heap_layouts[v->layout].name,
	    v->rule.flat ? "flat" : "mat", align, percent, classes, why);
	return fact_set_text(h->st, id, str_of(text), err);
}

/* Best rule first; n of them.  align: what all addresses are multiples of; it may be chance. */
static size_t
vote_all(struct hprof *h, const struct heap_ids *ids, const uint32_t *order, unsigned align, uint64_t *size,
    struct ballot *ballot, struct vote *vote)
{
	size_t n = 0;

	hprof_layout_measure(h->samples.row, h->samples.n, ids);
	hprof_layout_measure(SCRATCH(h->table[FIRSTS].rows, struct heap_sample), h->table[FIRSTS].n, ids);
	for (unsigned i = 0; i < RULES; i++) {
		unsigned layout = i / 4, to = i & 1 ? align : 8;

		if ((h->id_size == 4) != (layout == LAYOUT_32) || ((i & 1) != 0 && align == 8))
			continue;
		vote[n] = (struct vote){ .layout = (enum heap_layout)layout,
		    .rule = heap_rule_vm((enum heap_layout)layout, (i & 2) != 0, to, h->id_size) };
		vm_sizes(h, &vote[n].rule, order, size);
		count_votes(h, size, &vote[n]);
		if (!refuted(&vote[n]))
			count_classes(h, size, ballot, &vote[n]);
		assert(n < RULES);
		n++;
	}
	qsort(vote, n, sizeof *vote, hprof_layout_better);
	return n;
}

/* Compute the sizes by a rule, also of classes larger than their fields, and how well they fit. */
static bool
hprof_layout_fit(struct hprof *h, const struct heap_ids *ids, const uint32_t *order, uint32_t class_class,
    uint64_t *size, struct vote *v)
{
	vm_sizes(h, &v->rule, order, size);
	if (!hprof_grow(h, ids, &v->rule, order, class_class, size, &v->larger))
		return false;
	v->exact = v->violated = v->n = 0;
	count_votes(h, size, v);
	return true;
}

/* Store the sizes of the classes by the rule, not yet aligned. */
static bool
hprof_layout_decide(struct hprof *h, const struct heap_ids *ids, const uint32_t *order, uint32_t class_class,
    uint64_t *size, struct heap_rule *rule, struct err *err)
{
	struct vote vote[RULES];
	struct ballot *ballot = mem_array(h->table[CLASSES].n + 1 + PRIM_TYPES, sizeof *ballot);
	unsigned align = h->gcd > 8 && h->gcd <= 256 && (h->gcd & (h->gcd - 1)) == 0 &&
	    ids->n >= ALIGN_OBJECTS ? (unsigned)h->gcd : 8;
	size_t n;
	bool sure;

	if (ballot == NULL)
		return fail_memory(err, "classes");
	n = vote_all(h, ids, order, align, size, ballot, vote);
	free(ballot);
	sure = n > 0 && !refuted(&vote[0]) && (hprof_layout_share(&vote[0]) >= EXACT_MIN || by_classes(&vote[0]));
	if (sure)
		align = vote[0].rule.align;
	else {
		align = vote[0].rule.align = 8;
		vote[0].layout = h->id_size == 4 ? LAYOUT_32 : LAYOUT_COOPS;
		vote[0].rule.flat = false;
	}
	for (size_t i = n < 2 ? n : 2; sure && !h->android && i-- > 0;)
		if (!hprof_layout_fit(h, ids, order, class_class, size, &vote[i]))
			return false;
	*rule = heap_rule_vm(vote[0].layout, vote[0].rule.flat, align, h->id_size);
	rule->android = h->android;
	if (!sure || h->android)
		vm_sizes(h, rule, order, size);
	if (h->android) {
		if (!fact_set_text(h->st, FACT_LAYOUT, STR("android: sizes of the dump"), err))
			return false;
	} else if (!hprof_layout_say(h, FACT_LAYOUT, &vote[0], sure ? "" : " (no verdict: assumed)", err) ||
	    (sure && n > 1 && !hprof_layout_say(h, FACT_LAYOUT_RUNNER_UP, &vote[1],
	    refuted(&vote[1]) ? " (refuted)" : "", err)))
		return false;
	return fact_set(h->st, FACT_HEAP_LAYOUT, vote[0].layout, err) &&
	    fact_set(h->st, FACT_HEAP_FLAT, rule->flat, err) &&
	    fact_set(h->st, FACT_HEAP_ALIGN, rule->align, err) &&
	    fact_set(h->st, FACT_HEAP_STACK_CLASS, h->android ? 0 : h->stack_class, err) &&
	    fact_set(h->st, FACT_HEAP_STACK_FIELD, h->stack_field, err) &&
	    (vote[0].larger.classes == 0 ||
	    fact_set(h->st, FACT_LAYOUT_LARGER, vote[0].larger.classes, err)) &&
	    fact_set(h->st, FACT_HEAP_ANDROID, rule->android, err);
}

/* ---- bytes of all instances ----------------------------------------------------------- */

/* Compute the size of arrays from the sums of the reading pass, which assume multiples of 8. */
static uint64_t
array_sum(const struct class_row *c, const struct heap_rule *r, unsigned type)
{
	unsigned width = heap_rule_width(r, type), head = heap_rule_head(r, type);

	if (r->android)
		return c->elements * width;
	if (width == 8)
		return c->elements * 8 + c->count * heap_up(head, 8);
	if (head % 8 == 0)
		return c->up0 + c->count * head;
	return c->up4 + c->count * (head - 4);
}

/* The rule used to sum up classes. */
struct sums {
	struct hprof		*h;
	const struct heap_rule	*rule;
	const uint64_t		*size;		/* sizes of the classes, not yet aligned */
	bool			 vm;		/* the sums follow the rule of SIZES_VM */
	uint64_t		*sum;		/* by class */
};

/* Read every object again if sums of multiples of 8 are not sufficient. */
static bool
hprof_layout_add_exact(void *arg, const struct heap_record *r)
{
	struct sums *s = arg;
	uint32_t class;

	if (r->tag == TAG_CLASS)
		return true;
	class = idmap_get(&s->h->class_map, r->class + 1);
	if (r->tag == TAG_INSTANCE && s->vm && class != 0 && class == s->h->stack_class)
		s->sum[class - 1] += heap_up(heap_rule_stack(s->rule,
		    heap_stack_words(s->h->data + r->data, r->bytes, s->h->stack_field)), s->rule->align);
	if (r->tag == TAG_INSTANCE)
		return true;
	if (r->tag != TAG_OBJECTS)
		class = s->h->prim_number[r->type];
	if (class != 0)
		s->sum[class - 1] += heap_rule_array(s->rule, r->type, r->length);
	return true;
}

static void
class_sums(struct sums *s, bool exact)
{
	const struct heap_rule *r = s->rule;
	const struct class_row *c;

	for (uint64_t i = 0; i < s->h->table[CLASSES].n; i++) {
		c = hprof_class_row(s->h, (uint32_t)i + 1);
		if (c->element == 0)
			s->sum[i] = c->count * (r->android ? s->size[i] : heap_up(s->size[i], r->align));
		else if (!exact)
			s->sum[i] = array_sum(c, r, c->element);
		if (i + 1 == s->h->stack_class && s->vm && !r->android && !exact)
			s->sum[i] += r->ref == 4 ? c->up0 : c->up4;
	}
}

/* Class objects contain their statics in addition to the fields of java.lang.Class. */
static void
add_statics(struct sums *s, uint32_t class_class)
{
	const struct class_row *c;

	if (class_class == 0)
		return;
	for (uint64_t i = 0; i < s->h->table[CLASSES].n; i++) {
		c = hprof_class_row(s->h, (uint32_t)i + 1);
		if (c->dump == 0)
			continue;
		s->sum[class_class - 1] += s->vm ?
		    heap_rule_statics(s->rule, c->static_refs - c->static_added, c->static_bytes, c->static_wide != 0) :
		    heap_rule_statics(s->rule, c->static_refs, c->static_bytes, false);
	}
}

static bool
put_rule(struct sums *s, uint32_t class_class, column_id one, column_id all, struct err *err)
{
	const struct heap_rule *r = s->rule;
	uint64_t n = s->h->table[CLASSES].n;
	bool exact = r->align > 8 && !r->android;
	uint32_t *each;

	s->sum = store_make(s->h->st, all, COL_U64, n, err);
	each = s->sum == NULL ? NULL : store_make(s->h->st, one, COL_U32, n, err);
	if (each == NULL)
		return false;
	for (uint64_t i = 0; i < n; i++)
		each[i] = (uint32_t)(r->android ? s->size[i] : heap_up(s->size[i], r->align));
	class_sums(s, exact);
	if (exact && !hprof_each(s->h, s, hprof_layout_add_exact))
		return false;
	add_statics(s, class_class);
	return true;
}

bool
hprof_layout(struct hprof *h, const struct heap_ids *ids, const uint32_t *order,
    uint32_t class_class, struct err *err)
{
	uint64_t gcd = h->gcd < 8 ? 8 : h->gcd > 256 ? 256 : h->gcd;
	uint64_t *size = mem_array(h->table[CLASSES].n + 1, sizeof *size);
	bool narrow = h->id_size == 4 || h->mat_narrow, ok;
	struct heap_rule vm, mat;
	struct sums of_vm = { .h = h, .rule = &vm, .size = size, .vm = true };
	struct sums of_mat = { .h = h, .rule = &mat, .size = size };

	if (size == NULL)
		return fail(err, E_SYSTEM, "out of memory (classes)");
	mat = heap_rule_mat(narrow, (unsigned)gcd, h->id_size);
	ok = hprof_layout_decide(h, ids, order, class_class, size, &vm, err) &&
	    put_rule(&of_vm, class_class, COL_CLASS_VM_SIZE, COL_CLASS_SHALLOW, err);
	if (ok)
		class_sizes(h, &mat, order, size);
	ok = ok && put_rule(&of_mat, class_class, COL_CLASS_MAT_SIZE, COL_CLASS_MAT_SHALLOW, err) &&
	    fact_set(h->st, FACT_HEAP_MAT_ALIGN, gcd, err) &&
	    fact_set(h->st, FACT_HEAP_MAT_REF, mat.ref, err);
	free(size);
	return ok;
}
