/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * duplicates_bytes: contents of Strings and arrays, hashed and compared.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "duplicates.h"

#define PART 128u		/* characters or bytes at the start, in the middle and at the end that are hashed */

/* ---- where they are ------------------------------------------------------------------ */

/*
 * Without the check of the address, which costs more than all other steps: it detects a file that changed,
 * and so does store_lost.
 */
bool
dup_record(const struct heap *h, uint32_t object, struct heap_record *r)
{
	return heap_record(h->data, h->size, h->id_size, heap_offset(h, object), r);
}

static bool
chars_of_array(const struct duplicates *d, uint32_t array, struct heap_record *r)
{
	return array != 0 && dup_record(&d->h, array, r) && r->tag == TAG_PRIMS;
}

bool
dup_bytes_string(const struct duplicates *d, const struct heap_record *string,
    uint32_t array, struct dup_bytes *b, enum dup_form *form)
{
	struct heap_record r;
	struct heap_text t;
	uint32_t whole;

	if (!chars_of_array(d, array, &r) ||
	    !text_take(&d->h, &d->text, string, array, &r, &t))
		return false;
	*b = (struct dup_bytes){ d->h.data + r.data + (uint64_t)t.first * (t.coder == 0 ? 1 : 2),
	    t.length, HEAP_OBJECT, t.coder };
	whole = t.coder == 1 ? 2 * t.length : t.length;
	*form = whole == r.length ? (enum dup_form)t.coder : FORM_PART;
	return true;
}

static bool
bytes_of_array(const struct duplicates *d, uint32_t array, struct dup_bytes *b)
{
	struct heap_record r;

	if (!dup_record(&d->h, array, &r) || r.tag != TAG_PRIMS)
		return false;
	*b = (struct dup_bytes){ d->h.data + r.data, r.length, r.type, 0 };
	return true;
}

/* The text of an object of a heap without records, as its source shows it. */
static bool
text_of_form(const struct heap *h, uint32_t object, struct dup_bytes *b)
{
	struct str raw = h->form->raw != NULL ? h->form->raw(h->st, object) : (struct str){ NULL, 0 };

	*b = (struct dup_bytes){ (const uint8_t *)raw.s, raw.n < UINT32_MAX ? (uint32_t)raw.n : UINT32_MAX, HEAP_OBJECT,
	    0 };
	return raw.s != NULL;
}

/* Except for FORM_PART the form is enough: the String is not read again. */
bool
dup_bytes(const struct duplicates *d, enum duplicate_kind kind, const struct dup_item *item,
    struct dup_bytes *b)
{
	struct heap_record r;
	enum dup_form form = dup_form(item);

	if (d->h.form != NULL)
		return text_of_form(&d->h, item->object, b);
	if (kind != DUP_STRINGS)
		return bytes_of_array(d, item->object, b);
	if (form == FORM_PART)
		return dup_record(&d->h, item->object, &r) && r.tag == TAG_INSTANCE &&
		    dup_bytes_string(d, &r, item->array, b, &form);
	if (!chars_of_array(d, item->array, &r))
		return false;
	*b = (struct dup_bytes){ d->h.data + r.data,
	    form == FORM_UTF16 ? r.length / 2 : r.length, HEAP_OBJECT, (uint8_t)form };
	return true;
}

/* ---- hashes ------------------------------------------------------------------------------ */

static inline uint64_t
duplicates_bytes_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static uint64_t
hash_run(uint64_t h, const uint8_t *p, size_t n)
{
	uint64_t word;

	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&word, p, 8);
		h = duplicates_bytes_mix(h, word);
	}
	if (n == 0)
		return h;
	word = 0;
	memcpy(&word, p, n);
	return duplicates_bytes_mix(h, word);
}

static inline uint32_t
duplicates_bytes_unit(const struct dup_bytes *b, uint64_t i)
{
	const uint8_t *p = b->p + 2 * i;

	if (b->coder == 0)
		return b->p[i];
	return b->coder == 1 ? (uint32_t)p[1] << 8 | p[0] : be16(p);
}

/*
 * Hash UTF-16 characters as one byte each if all of them fit, so that the hash does not depend on the form.
 */
static uint64_t
hash_wide(uint64_t h, const struct dup_bytes *b, uint64_t from, size_t n)
{
	uint8_t low[PART], both[2 * PART];
	uint32_t all = 0, c;

	assert(n <= PART);
	for (size_t i = 0; i < n; i++) {
		c = duplicates_bytes_unit(b, from + i);
		all |= c;
		low[i] = both[2 * i] = (uint8_t)c;
		both[2 * i + 1] = (uint8_t)(c >> 8);
	}
	return all < 256 ? hash_run(h, low, n) : hash_run(h, both, 2 * n);
}

static uint64_t
hash_part(uint64_t h, const struct dup_bytes *b, uint64_t from, size_t n)
{
	return b->type == HEAP_OBJECT && b->coder != 0 ? hash_wide(h, b, from, n) :
	    hash_run(h, b->p + from, n);
}

/* Characters of a text, bytes of an array. */
static uint64_t
duplicates_bytes_size_of(const struct dup_bytes *b)
{
	return b->type == HEAP_OBJECT ? b->n : (uint64_t)b->n * heap_width(b->type, 8);
}

uint32_t
dup_hash(const struct dup_bytes *b)
{
	uint64_t n = duplicates_bytes_size_of(b), h = duplicates_bytes_mix(n, b->type);

	for (uint64_t at = 0; n <= 3 * PART && at < n; at += PART)
		h = hash_part(h, b, at, n - at < PART ? (size_t)(n - at) : PART);
	if (n > 3 * PART) {
		h = hash_part(h, b, 0, PART);
		h = hash_part(h, b, n / 2, PART);
		h = hash_part(h, b, n - PART, PART);
	}
	return (uint32_t)(duplicates_bytes_mix(h, 0) >> 16);
}

/* ---- comparing ------------------------------------------------------------------------------ */

bool
dup_zeros(const struct dup_bytes *b)
{
	uint64_t n = duplicates_bytes_size_of(b);

	/* All are as the one before, and the first is 0. */
	return n > 0 && b->p[0] == 0 && memcmp(b->p, b->p + 1, n - 1) == 0;
}

int
dup_order(const struct dup_bytes *a, const struct dup_bytes *b)
{
	uint32_t x, y;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	if (a->type != HEAP_OBJECT)
		return memcmp(a->p, b->p, duplicates_bytes_size_of(a));
	if (a->coder == 0 && b->coder == 0)
		return memcmp(a->p, b->p, a->n);
	for (uint64_t i = 0; i < a->n; i++) {
		x = duplicates_bytes_unit(a, i);
		y = duplicates_bytes_unit(b, i);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

bool
dup_equal(const struct dup_bytes *a, const struct dup_bytes *b)
{
	if (a->type != b->type || a->n != b->n)
		return false;
	if (a->type == HEAP_OBJECT && a->coder == b->coder)
		return memcmp(a->p, b->p, (size_t)a->n * (a->coder == 0 ? 1 : 2)) == 0;
	return dup_order(a, b) == 0;
}
