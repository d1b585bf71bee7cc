/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_step: the records of a heap dump, their sub-records, and the members of classes.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/hprof.h"

#define HEADERS_SURE 3		/* consecutive records that confirm a place */
#define VERSION_MOST 64u
#define VAIN_LEAST (1u << 20)
#define VAIN_TIMES 8

/* ---- records ------------------------------------------------------------------- */

bool
hprof_version(const uint8_t *d, uint64_t size, uint64_t *p)
{
	const uint64_t most = sizeof HPROF_MARK - 1 + VERSION_MOST;

	for (*p = sizeof HPROF_MARK - 1; *p < size && d[*p] != 0 && *p < most; ++*p)
		;
	return *p < size && size - *p >= 13 && d[*p] == 0;
}

bool
heap_known_tag(unsigned tag)
{
	return (tag >= RECORD_STRING && tag <= RECORD_SUMMARY) ||
	    (tag >= RECORD_START_THREAD && tag <= RECORD_SETTINGS) ||
	    tag == RECORD_SEGMENT || tag == RECORD_END;
}

bool
heap_header_ok(const uint8_t *d, uint64_t size, uint64_t p)
{
	uint64_t length;

	for (unsigned n = 0; n < HEADERS_SURE; n++) {
		assert(p <= size);
		if (p == size)
			return n > 0;
		if (size - p < HPROF_HEAD || !heap_known_tag(d[p]))
			return false;
		length = be32(d + p + 5);
		if (d[p] == RECORD_END && length != 0)
			return false;
		/* A segment that is truncated by the end of the file is valid. */
		if (length > size - p - HPROF_HEAD)
			return n > 0 && heap_is_dump(d[p]);
		p += HPROF_HEAD + length;
	}
	return true;
}

uint64_t
hprof_heap_end(const uint8_t *d, uint64_t size, unsigned tag, uint64_t p, uint64_t length, bool *open)
{
	uint64_t left = size - p;

	assert(p <= size && heap_is_dump(tag));
	*open = length == 0 && left > 0 && !heap_header_ok(d, size, p);
	if (tag == RECORD_HEAP && left > length && ((left - length) & UINT32_MAX) == 0)
		*open = true;
	return *open || length > left ? size : p + length;
}

/* ---- members of a class ---------------------------------------------------------------- */

struct hprof_members
hprof_members(const uint8_t *d, unsigned id_size, const struct heap_record *r)
{
	assert(r->tag == TAG_CLASS && r->next - r->data >= 7 * (uint64_t)id_size + 14);
	return (struct hprof_members){ .d = d, .at = r->data + 7 * (uint64_t)id_size + 8, .end = r->next,
	    .id_size = id_size };
}

/*
 * The lists of a class: u2 count, then { u2 index or id of the name, u1 type, value } for each. Counts and types come
 * from the file, so each step is checked against the remaining bytes first.
 */
bool
hprof_member(struct hprof_members *m)
{
	unsigned key;

	assert(m->at <= m->end && !m->whole);
	for (; m->left == 0; m->list++, m->at += 2) {
		m->whole = m->list == LIST_FIELDS;
		if (m->whole || m->end - m->at < 2)
			return false;
		m->left = be16(m->d + m->at);
	}
	key = m->list == LIST_CONSTANTS ? 2 : m->id_size;
	if (m->end - m->at < key + 1)
		return false;
	m->key = m->at;
	m->type = m->d[m->at + key];
	m->width = heap_width(m->type, m->id_size);
	m->value = m->at += key + 1;
	m->left--;
	if (m->list == LIST_FIELDS)
		return m->width > 0;
	if (m->width == 0 || m->end - m->at < m->width)
		return false;
	m->at += m->width;
	return true;
}

/* ---- sub-records ---------------------------------------------------------------- */

static void
step_class(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t *vain, struct heap_record *r)
{
	struct hprof_members m = { .d = d, .at = r->data + 7 * (uint64_t)id_size + 8, .end = end, .id_size = id_size };

	if (end - r->data < m.at - r->data || (vain != NULL && *vain >= VAIN_LEAST &&
	    (*vain - VAIN_LEAST) / VAIN_TIMES >= r->offset))
		return;
	while (hprof_member(&m))
		;
	r->id = heap_id(d + r->data, id_size);
	r->bytes = m.at - r->data;
	r->next = m.whole ? m.at : 0;
	if (!m.whole && vain != NULL)
		*vain += r->bytes;
}

/* Return the length of a sub-record that is not an object: a root, or the beginning of a part; 0: unknown tag. */
static unsigned
other_size(unsigned tag, unsigned id_size)
{
	switch (tag) {
	case ROOT_UNKNOWN: case ROOT_STICKY_CLASS: case ROOT_MONITOR: case ROOT_INTERNED: case ROOT_FINALIZING:
	case ROOT_DEBUGGER: case ROOT_CLEANUP: case ROOT_VM: case ROOT_UNREACHABLE:
		return 1 + id_size;
	case ROOT_JNI_GLOBAL:
		return 1 + 2 * id_size;
	case ROOT_NATIVE_STACK: case ROOT_THREAD_BLOCK: case TAG_PART:
		return 5 + id_size;
	case ROOT_JNI_LOCAL: case ROOT_JAVA_FRAME: case ROOT_THREAD: case ROOT_JNI_MONITOR:
		return 9 + id_size;
	}
	return 0;
}

struct heap_record
hprof_step_rare(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t p, uint64_t *vain)
{
	const unsigned tag = d[p], size = tag == TAG_NODATA ? id_size + 10 :
	    other_size(tag, id_size), id_at = tag == TAG_PART ? 5 : 1;
	struct heap_record r = { .offset = p, .data = p + 1, .tag = (uint8_t)tag };

	if (tag == TAG_CLASS)
		step_class(d, end, id_size, vain, &r);
	if (size == 0 || size > end - p)
		return r;
	r.type = tag == TAG_NODATA ? d[p + id_size + 9] : 0;
	if (tag == TAG_NODATA && (r.type <= HEAP_OBJECT || heap_width(r.type, id_size) == 0))
		return r;
	r.length = tag == TAG_NODATA ? be32(d + p + id_size + 5) : 0;
	r.id = heap_id(d + p + id_at, id_size);
	r.next = p + size;
	r.data = tag == TAG_NODATA ? r.next : p + id_at + id_size;
	r.bytes = r.next - r.data;
	return r;
}

static bool
step_sees(void *arg, const struct heap_record *r)
{
	(void)arg;
	(void)r;
	return true;
}

bool
hprof_step(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t p, uint64_t *vain, struct heap_record *r)
{
	assert(p < end);
	return id_size == 8 ? hprof_visit(d, end, 8, p, vain, r, step_sees, NULL) :
	    hprof_visit(d, end, 4, p, vain, r, step_sees, NULL);
}

bool
heap_record(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t offset, struct heap_record *r)
{
	return offset < end && hprof_step(d, end, id_size, offset, NULL, r) && heap_is_object(r->tag);
}

bool
heap_next_record(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t p, struct heap_record *r)
{
	for (; p < end && hprof_step(d, end, id_size, p, NULL, r); p = r->next)
		if (heap_is_object(r->tag))
			return true;
	r->next = end;
	return false;
}
