/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_text: the text of a java.lang.String, in each of the forms virtual machines gave it.
 */
#include "config.h"

#include <assert.h>

#include "heap.h"

/* A field that the class of Strings declares itself; type 0: it has none of that name. */
static struct text_field
heap_text_find_field(const struct heap *h, const char *name)
{
	uint64_t at = 0;
	uint8_t type;

	if (!class_field(h, h->string_class, name, &at, &type))
		return (struct text_field){ 0, 0 };
	return (struct text_field){ (uint32_t)at, type };
}

void
text_fields_open(const struct heap *h, struct text_fields *f)
{
	*f = (struct text_fields){ .value = { 0, 0 } };
	if (h->string_class == 0)
		return;
	f->value = heap_text_find_field(h, "value");
	f->coder = heap_text_find_field(h, "coder");
	f->offset = heap_text_find_field(h, "offset");
	f->count = heap_text_find_field(h, "count");
	if (f->value.type > HEAP_OBJECT)
		f->value.type = 0;
}

/* False: there is no such field, or the record ends before it. */
static bool
heap_text_read_field(const struct heap *h, const struct heap_record *string, struct text_field f,
    uint64_t *bits)
{
	unsigned width = heap_width(f.type, h->id_size);

	if (f.type == 0 || width == 0 || string->bytes < (uint64_t)f.at + width)
		return false;
	*bits = heap_bits(h->data + string->data + f.at, width);
	return true;
}

uint64_t
text_value(const struct heap *h, const struct text_fields *f, const struct heap_record *string)
{
	uint64_t addr;

	return heap_text_read_field(h, string, f->value, &addr) ? addr : 0;
}

/* The part of the array that a String of old machines takes; offset and count may say anything. */
static void
heap_text_take_part(struct heap_text *t, uint32_t first, uint32_t n)
{
	if (first > t->length)
		first = t->length;
	if (n > t->length - first)
		n = t->length - first;
	t->first = first;
	t->length = n;
}

/* The characters of an array; for bytes, utf16 gives their encoding. */
static bool
text_of_record(uint32_t array, const struct heap_record *r, bool utf16, struct heap_text *t)
{
	*t = (struct heap_text){ .array = array };
	if ((r->tag != TAG_PRIMS && r->tag != TAG_NODATA) ||
	    (r->type != HEAP_CHAR && r->type != HEAP_BYTE))
		return false;
	t->coder = r->type == HEAP_CHAR ? 2 : utf16;
	t->length = t->coder == 1 ? r->length / 2 : r->length;
	return true;
}

bool
text_take(const struct heap *h, const struct text_fields *f, const struct heap_record *string,
    uint32_t array, const struct heap_record *chars, struct heap_text *t)
{
	uint64_t coder = 0, offset, count;

	heap_text_read_field(h, string, f->coder, &coder);
	if (!text_of_record(array, chars, coder == 1, t)) {
		t->array = 0;
		return false;
	}
	if (t->coder == 2 && heap_text_read_field(h, string, f->offset, &offset) &&
	    heap_text_read_field(h, string, f->count, &count))
		heap_text_take_part(t, (uint32_t)offset, (uint32_t)count);
	return true;
}

/* The arrays of n Strings: first all addresses, then all numbers, so that reads overlap. */
static void
find_arrays(const struct heap *h, const struct heap_record *string, size_t n, const struct text_fields *f,
    uint32_t *array)
{
	uint64_t addr[HEAP_TEXTS];

	for (size_t i = 0; i < n; i++) {
		addr[i] = string[i].tag == TAG_INSTANCE ? text_value(h, f, &string[i]) : 0;
		heap_ids_fetch(&h->ids, addr[i]);
	}
	for (size_t i = 0; i < n; i++) {
		array[i] = addr[i] == 0 ? 0 : heap_find(h, addr[i]);
		heap_fetch(h, array[i]);
	}
}

/* A heap without records: only the lengths. */
static uint64_t
form_texts(const struct heap *h, const uint64_t *object, size_t n, struct heap_text *to)
{
	uint64_t strings = 0, chars;
	OWN_BUF b = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		chars = 0;
		if (h->form->text != NULL && h->form->text(h->st, (uint32_t)object[i], 0, &b, &chars))
			strings |= UINT64_C(1) << i;
		to[i] = (struct heap_text){ .length = chars < UINT32_MAX ? (uint32_t)chars : UINT32_MAX };
	}
	return strings;
}

uint64_t
heap_texts(const struct heap *h, const uint64_t *object, size_t n, struct heap_text *to)
{
	struct heap_record string[HEAP_TEXTS], chars;
	uint32_t array[HEAP_TEXTS];
	struct text_fields f;
	uint64_t strings = 0;

	assert(n <= HEAP_TEXTS);
	if (h->form != NULL)
		return form_texts(h, object, n, to);
	text_fields_open(h, &f);
	for (size_t i = 0; i < n; i++)
		heap_fetch(h, (uint32_t)object[i]);
	for (size_t i = 0; i < n; i++) {
		if (h->string_class == 0 || heap_class(h, (uint32_t)object[i]) != h->string_class ||
		    !heap_take(h, (uint32_t)object[i], &string[i]))
			string[i].tag = 0;
		strings |= (uint64_t)(string[i].tag == TAG_INSTANCE) << i;
	}
	find_arrays(h, string, n, &f, array);
	for (size_t i = 0; i < n; i++) {
		to[i] = (struct heap_text){ .array = 0 };
		if (heap_take(h, array[i], &chars))
			text_take(h, &f, &string[i], array[i], &chars, &to[i]);
	}
	return strings;
}

bool
heap_text(const struct heap *h, uint32_t object, struct heap_text *t)
{
	uint64_t one = object;

	return heap_texts(h, &one, 1, t) != 0;
}

/* ---- decoding ------------------------------------------------------------------ */

void
code_add(uint32_t c, struct buf *b)
{
	char utf8[4];

	buf_add(b, utf8, text_encode(c, utf8));
}

/*
 * char[] is big-endian as all of the file; the bytes of a String are those of the machine, a little-endian
 * one.
 */
static uint32_t
heap_text_unit(const uint8_t *p, uint8_t coder)
{
	switch (coder) {
	case 0:
		return p[0];
	case 1:
		return (uint32_t)p[1] << 8 | p[0];
	default:
		return be16(p);
	}
}

void
text_add(const struct heap *h, const struct heap_text *t, size_t max, struct buf *b)
{
	struct heap_record r;
	unsigned width = t->coder == 0 ? 1 : 2;
	uint64_t i, end = (uint64_t)t->first + t->length;
	const uint8_t *p;
	uint32_t c, low;

	if (t->array == 0 || !heap_read(h, t->array, &r))
		return;
	assert(t->coder <= 2);
	if (end > r.bytes / width)
		end = r.bytes / width;
	p = h->data + r.data;
	for (i = t->first; i < end && max > 0 && !b->bad; i++, max--) {
		c = heap_text_unit(p + i * width, t->coder);
		if (width == 2 && c >= 0xd800 && c < 0xe000) {
			low = i + 1 < end ? heap_text_unit(p + (i + 1) * width, t->coder) : 0;
			if (c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i++;
			}
		}
		code_add(c, b);
	}
}

bool
heap_string(const struct heap *h, uint32_t object, size_t max, struct buf *b)
{
	struct heap_text t;
	uint64_t chars;

	if (h->form != NULL)
		return object != 0 && h->form->text != NULL && h->form->text(h->st, object, max, b, &chars);
	if (!heap_text(h, object, &t))
		return false;
	text_add(h, &t, max, b);
	return true;
}

bool
heap_chars(const struct heap *h, uint32_t object, size_t max, struct buf *b)
{
	struct heap_record r;
	struct heap_text t;

	if (!heap_read(h, object, &r) || !text_of_record(object, &r, false, &t) || t.coder != 2)
		return false;
	text_add(h, &t, max, b);
	return true;
}
