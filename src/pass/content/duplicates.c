/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * duplicates: Strings of one text and arrays of one content, and the bytes they waste.
 *
 * Visits the objects once and hashes those that may have a copy.  Objects come by their number, which is
 * nearly their order in the file, in batches: each step of a batch reads data that the step before has
 * prefetched.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "duplicates.h"

#define BATCH 64u
#define RECENT 65536u		/* recently seen texts, or a slot per this many objects: most copies are of few texts */
#define RECENT_SHARE 16u
#define HITS 200u		/* texts that a text which was met again outlasts, at most */

struct one {
	uint32_t		object, array;
	uint64_t		at;		/* offset of a record, or an address */
	struct heap_record	record;		/* record of a String */
	struct dup_bytes	bytes;		/* content of a String; p NULL: it has none */
	uint32_t		key;
};

/* A text of that hash. */
struct recent {
	struct dup_bytes	bytes;
	uint32_t		key;
	uint32_t		hits;		/* number of other texts that it outlasts in its slot */
};

struct scan {
	struct duplicates	*d;
	ARRAY(uint32_t)	least;		/* by class: 0: a String; elements an array must have */
	ARRAY(uint32_t)	arrays;	/* arrays to be looked at when all Strings are known */
	ARRAY(struct recent)	recent;
	uint32_t		 mask;		/* mask of a place in recent */
	uint64_t		 narrays;
	struct one		 one[BATCH];
	unsigned		 n;
};

#define NO_ARRAY UINT32_MAX	/* neither a String nor an array of numbers */

/* ---- lists --------------------------------------------------------------------------- */

static bool
duplicates_list_add(struct duplicates *d, enum duplicate_kind kind, const struct one *o, uint32_t key)
{
	struct dup_item item = { key, o->object, o->array };

	return array_add(&d->list[kind].items, &d->list[kind].n, &item, d->err);
}

/* A String has that array. */
static bool
duplicates_take_array(struct duplicates *d, uint32_t array)
{
	if (!has_bit(&d->taken, array)) {
		set_bit(&d->taken, array);
		return true;
	}
	set_bit(&d->shared.raw, array);
	return array_add(&d->more, &d->nmore, &array, d->err);
}

/* ---- strings --------------------------------------------------------------------------- */

static void
fetch_records(struct scan *s)
{
	const struct heap *h = &s->d->h;

	for (struct one *o = s->one; o < s->one + s->n; o++) {
		o->at = heap_offset(h, o->object);
		if (o->at < h->size)
			__builtin_prefetch(h->data + o->at);
	}
}

/* The arrays of Strings: first their addresses, then their numbers, then their records. */
static void
fetch_arrays(struct scan *s)
{
	const struct heap *h = &s->d->h;

	for (struct one *o = s->one; o < s->one + s->n; o++) {
		o->at = 0;
		if (dup_record(h, o->object, &o->record) && o->record.tag == TAG_INSTANCE)
			o->at = text_value(h, &s->d->text, &o->record);
		heap_ids_fetch(&h->ids, o->at);
	}
	for (struct one *o = s->one; o < s->one + s->n; o++) {
		o->array = o->at == 0 ? 0 : heap_find(h, o->at);
		o->at = h->size;
		if (o->array != 0)
			o->at = heap_offset(h, o->array);
		if (o->at < h->size)
			__builtin_prefetch(h->data + o->at);
	}
}

static inline struct recent *
recent_of(const struct scan *s, uint32_t key)
{
	return &s->recent.at[(key >> DUP_HASH) & s->mask];
}

/*
 * Whether a text of that hash, met before, was the same in the same form; else it is this one from now on,
 * unless that one is met often.
 */
static bool
seen_before(struct scan *s, uint32_t key, const struct dup_bytes *b)
{
	struct recent *r = recent_of(s, key);

	if (r->bytes.p != NULL && r->key == key && dup_equal(&r->bytes, b)) {
		r->hits = r->hits + 10 < HITS ? r->hits + 10 : HITS;
		return true;
	}
	if (r->hits > 0)
		r->hits--;
	else
		*r = (struct recent){ *b, key, 0 };
	return false;
}

static void
hash_strings(struct scan *s)
{
	enum dup_form form;

	for (struct one *o = s->one; o < s->one + s->n; o++) {
		if (!dup_bytes_string(s->d, &o->record, o->array, &o->bytes, &form)) {
			o->bytes.p = NULL;
			continue;
		}
		o->key = dup_hash(&o->bytes) << DUP_HASH | form;
		__builtin_prefetch(recent_of(s, o->key));
	}
}

/* Texts of a heap without records. */
static void
hash_texts(struct scan *s)
{
	for (struct one *o = s->one; o < s->one + s->n; o++) {
		o->bytes.p = NULL;
		if (dup_bytes(s->d, DUP_STRINGS, &(struct dup_item){ FORM_PART, o->object, o->object }, &o->bytes))
			o->key = dup_hash(&o->bytes) << DUP_HASH | FORM_PART;
	}
}

static bool
flush_strings(struct scan *s)
{
	struct duplicates *d = s->d;

	fetch_records(s);
	if (d->h.form != NULL)
		hash_texts(s);
	else {
		fetch_arrays(s);
		hash_strings(s);
	}
	for (struct one *o = s->one; o < s->one + s->n; o++) {
		if (o->bytes.p == NULL)
			continue;
		assert(o->array != 0);
		if ((o->key & DUP_FORM) != FORM_PART && seen_before(s, o->key, &o->bytes))
			o->key |= DUP_SEEN;
		if (!duplicates_take_array(d, o->array) || !duplicates_list_add(d, DUP_STRINGS, o, o->key))
			return false;
	}
	s->n = 0;
	return true;
}

/* ---- arrays ----------------------------------------------------------------------------- */

/* Arrays of zeros are equal if their type and length are. */
static bool
flush_arrays(struct scan *s)
{
	struct duplicates *d = s->d;
	struct dup_item item = { .key = FORM_BYTES };
	struct dup_bytes b;
	bool zeros;

	fetch_records(s);
	for (const struct one *o = s->one; o < s->one + s->n; o++) {
		item.object = o->object;
		if (!dup_bytes(d, DUP_ARRAYS, &item, &b))
			continue;
		zeros = dup_zeros(&b);
		if (!duplicates_list_add(d, zeros ? DUP_ZEROS : DUP_ARRAYS, o,
		    dup_hash(&b) << DUP_HASH | FORM_BYTES))
			return false;
	}
	s->n = 0;
	return true;
}

static inline bool
duplicates_put(struct scan *s, uint32_t object, bool (*flush)(struct scan *))
{
	assert(s->n < BATCH);
	s->one[s->n].object = s->one[s->n].array = object;
	return ++s->n < BATCH || flush(s);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool
make_least(struct scan *s)
{
	const struct heap *h = &s->d->h;
	unsigned element, width;

	if (!array_grow(&s->least, (uint64_t)h->classes + 1, s->d->err))
		return false;
	for (uint32_t i = 1; i <= h->classes; i++) {
		element = (unsigned)column_get(h->class_element, i - 1ull);
		/* A type that does not exist (damaged index) has no width. */
		width = element > HEAP_OBJECT && element <= HEAP_LONG ? heap_width(element, h->id_size) : 0;
		s->least.at[i] = h->form != NULL ? (element == HEAP_CHAR ? 0 : NO_ARRAY) :
		    width > 0 ? DUP_BYTES / width : NO_ARRAY;
	}
	s->least.at[0] = NO_ARRAY;
	if (h->string_class != 0)
		s->least.at[h->string_class] = 0;
	return true;
}

static bool
scan_strings(struct scan *s)
{
	const struct heap *h = &s->d->h;
	const uint32_t *least = s->least.at;
	uint32_t n;

	work_start(s->d->work, "duplicates: strings", h->objects);
	for (uint32_t i = 1; i <= h->objects; i++) {
		if (!work_each(s->d->work, i, DUP_TICK, s->d->err))
			return false;
		n = least[heap_class(h, i)];
		/* A length that is too long for the column is stored as 255. */
		if (n == NO_ARRAY || column_get(h->length, i - 1ull) < n ||
		    column_get(h->parent, i - 1ull) == 0)
			continue;
		if (!(n == 0 ? duplicates_put(s, i, flush_strings) :
		    array_add(&s->arrays, &s->narrays, &i, s->d->err)))
			return false;
	}
	return flush_strings(s);
}

static bool
scan_arrays(struct scan *s)
{
	uint32_t object;

	/* The batch is that of the strings, which were all flushed. */
	assert(s->n == 0);
	work_start(s->d->work, "duplicates: arrays", s->narrays);
	for (uint64_t i = 0; i < s->narrays; i++) {
		if (!work_each(s->d->work, i, 256, s->d->err))
			return false;
		object = s->arrays.at[i];
		if (!has_bit(&s->d->taken, object) && !duplicates_put(s, object, flush_arrays))
			return false;
	}
	return flush_arrays(s);
}

static bool
scan_all(struct duplicates *d)
{
	struct scan *s = mem_array(1, sizeof *s);
	uint64_t words = d->h.objects / 64 + 1ull;
	bool ok;

	if (s == NULL)
		return fail_memory(d->err, "batch of strings");
	s->d = d;
	for (s->mask = RECENT - 1; s->mask < d->h.objects / RECENT_SHARE; s->mask = s->mask * 2 + 1)
		;
	ok = scratch_array(&d->taken, words, sizeof(uint64_t), d->err) &&
	    array_grow(&d->shared, words, d->err) &&
	    array_grow(&s->recent, s->mask + 1ull, d->err) &&
	    make_least(s) && scan_strings(s) && scan_arrays(s) && dup_count_sharers(d);
	SCRATCH_FREE(&s->least, &s->arrays, &s->recent);
	free(s);
	return ok;
}

/* ---- the pass --------------------------------------------------------------------------- */

static void
duplicates_close_all(struct duplicates *d)
{
	for (unsigned i = 0; i < DUP_KINDS; i++)
		array_free(&d->list[i].items);
	SCRATCH_FREE(&d->taken, &d->shared, &d->more, &d->before, &d->sharers, &d->groups, &d->members,
	    &d->owns);
}

static bool
duplicates_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct duplicates d = { .st = st, .work = w, .err = err };
	bool ok;

	if (!heap_open(&d.h, st, refs, sizes, err))
		return false;
	scratch_budget_input(d.h.size, d.h.objects);
	text_fields_open(&d.h, &d.text);
	ok = scan_all(&d);
	for (unsigned i = 0; ok && i < DUP_KINDS; i++)
		ok = dup_find(&d, (enum duplicate_kind)i);
	ok = ok && dup_put(&d);
	duplicates_close_all(&d);
	return ok;
}

const struct pass pass_duplicates = {
	.name = "duplicates", .what = "duplicate strings and arrays", .beside = 3,
	    .run_choice = duplicates_run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT),
	.makes = PASS_COLUMNS(COL_EACH_DUP_STRING, COL_EACH_DUP_OBJECT, COL_EACH_DUP_COPIES,
	    COL_EACH_DUP_ARRAYS, COL_EACH_DUP_WASTE, COL_EACH_DUP_FIRST, COL_EACH_DUP_MEMBER,
	    COL_EACH_DUP_OWNS, COL_EACH_DUP_SHARED, COL_EACH_DUP_SHARERS)
};
