/*
 * heap_record: one sub-record of a heap dump.
 */
#include "config.h"

#include <assert.h>

#include "icecore/heap.h"

/*
 * Moves *p behind a list of a class: u2 count, then { u2 index or id of the name, u1 type, value } each.  The count and
 * the types come from the file, so every step is compared with what is left before it is taken.
 */
static bool
skip_values(const uint8_t *d, uint64_t end, unsigned id_size, unsigned key, bool values,
    uint64_t *p)
{
	uint32_t n, i;
	unsigned width;

	assert(*p <= end);
	if (end - *p < 2)
		return false;
	n = be16(d + *p);
	*p += 2;
	for (i = 0; i < n; i++) {
		if (end - *p < key + 1)
			return false;
		width = heap_width(d[*p + key], id_size);
		*p += key + 1;
		if (width == 0 || (values && end - *p < width))
			return false;
		*p += values ? width : 0;
	}
	return true;
}

static bool
read_class(const uint8_t *d, uint64_t end, unsigned id_size, struct heap_record *r)
{
	uint64_t p = r->data + 7 * (uint64_t)id_size + 8;
	bool whole;

	/* The fixed part may reach beyond the end. */
	if (p > end || p < r->data)
		return false;
	r->class = 0;
	whole = skip_values(d, end, id_size, 2, true, &p) &&
	    skip_values(d, end, id_size, id_size, true, &p) &&
	    skip_values(d, end, id_size, id_size, false, &p);
	r->bytes = p - r->data;
	return whole;
}

/* Where the header of each kind has its class, its length and its type, and ends; in ids and bytes. */
bool
heap_record(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t offset,
    struct heap_record *r)
{
	uint64_t p = offset + 1, left;
	unsigned head;

	if (offset >= end)
		return false;
	*r = (struct heap_record){ .offset = offset, .data = p, .tag = d[offset] };
	left = end - p;
	head = r->tag == TAG_PRIMS || r->tag == TAG_NODATA ? id_size + 9 : 2 * id_size + 8;
	if (left < head)
		return false;
	r->id = heap_id(d + p, id_size);
	switch (r->tag) {
	case TAG_CLASS:
		if (!read_class(d, end, id_size, r))
			return false;
		break;
	case TAG_INSTANCE:
		r->class = heap_id(d + p + id_size + 4, id_size);
		r->bytes = be32(d + p + 2 * id_size + 4);
		break;
	case TAG_OBJECTS:
		r->length = be32(d + p + id_size + 4);
		r->class = heap_id(d + p + id_size + 8, id_size);
		r->type = HEAP_OBJECT;
		r->bytes = (uint64_t)r->length * id_size;
		break;
	case TAG_PRIMS:
	case TAG_NODATA:
		r->length = be32(d + p + id_size + 4);
		r->type = d[p + id_size + 8];
		/* A type of no width would make an array of any length fit. */
		if (r->type <= HEAP_OBJECT || heap_width(r->type, id_size) == 0)
			return false;
		r->bytes = r->tag == TAG_PRIMS ?
		    (uint64_t)r->length * heap_width(r->type, id_size) : 0;
		break;
	default:
		return false;
	}
	if (r->tag != TAG_CLASS)
		r->data = p + head;
	assert(r->data <= end);
	r->next = r->data + r->bytes;
	return r->bytes <= end - r->data;
}

/* Behind the constants. */
uint32_t
heap_statics(const uint8_t *d, unsigned id_size, const struct heap_record *r, uint64_t *at)
{
	uint64_t p = r->data + 7 * (uint64_t)id_size + 8, end = r->next;

	assert(r->tag == TAG_CLASS);
	if (p > end || !skip_values(d, end, id_size, 2, true, &p) || end - p < 2)
		return 0;
	*at = p + 2;
	return be16(d + p);
}

bool
heap_root_form(unsigned tag, unsigned *ids, unsigned *numbers)
{
	*ids = tag == ROOT_JNI_GLOBAL;
	*numbers = 0;
	switch (tag) {
	case ROOT_UNKNOWN: case ROOT_JNI_GLOBAL: case ROOT_STICKY_CLASS: case ROOT_MONITOR:
	case ROOT_INTERNED: case ROOT_FINALIZING: case ROOT_DEBUGGER: case ROOT_CLEANUP:
	case ROOT_VM: case ROOT_UNREACHABLE:
		return true;
	case ROOT_NATIVE_STACK: case ROOT_THREAD_BLOCK:
		*numbers = 1;
		return true;
	case ROOT_JNI_LOCAL: case ROOT_JAVA_FRAME: case ROOT_THREAD: case ROOT_JNI_MONITOR:
		*numbers = 2;
		return true;
	}
	return false;
}

unsigned
heap_other_size(unsigned tag, unsigned id_size)
{
	unsigned ids, numbers;

	if (tag == TAG_PART)
		return 5 + id_size;
	return heap_root_form(tag, &ids, &numbers) ? 1 + id_size + ids * id_size + numbers * 4 : 0;
}

bool
heap_next_record(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t p,
    struct heap_record *r)
{
	uint64_t size;

	for (; p < end; p += size) {
		size = heap_other_size(d[p], id_size);
		if (size == 0 && heap_record(d, end, id_size, p, r))
			return true;
		if (size == 0 || size > end - p)
			break;
	}
	r->next = end;
	return false;
}
