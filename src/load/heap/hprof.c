/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof: heap dumps of JVMs and of Android: the top-level records.
 *
 * One pass over the file; hprof_heap.c reads the heap sub-records.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/calendar.h"
#include "icecore/facts.h"

#include "hprof.h"

#define MARK_SIZE (sizeof HPROF_MARK - 1)
#define FORMAT_MAX 128
#define HEAP_LEAST 1024u		/* bytes checked in a heap record whose tag may be damaged */

/* ---- records other than heap records ---------------------------------------------- */

static bool
read_load_class(struct hprof *h, uint64_t p)
{
	struct class_row *c;
	uint32_t class;

	if ((class = hprof_class(h, hprof_id(h, p + 4))) == 0)
		return false;
	c = hprof_class_row(h, class);
	/*
	 * LOAD_CLASS: the first one is used, but one directly before the wanted dump overrides those of earlier
	 * dumps.
	 */
	if (c->named > h->dumps || (c->named > 0 && h->dumps >= h->want))
		return true;
	c->named = h->dumps + 1;
	c->serial = be32(h->data + p);
	c->name = hprof_id(h, p + 8 + h->id_size);
	if (c->name != 0 && c->name == h->stack_name)
		h->stack_class = class;
	if (c->name != 0 && c->name == h->values_name)
		h->values_class = class;
	return true;
}

/*
 * hprof-conv removes Android's marks except names that Android VMs give to a field of java.lang.Object and, before
 * 5.0, to statics. These names, those of stack chunks and their size, and those of HotSpot's extra statics come
 * before the objects.
 */
static bool
read_string(struct hprof *h, uint64_t p, uint64_t length)
{
	struct str name = { (const char *)h->data + p + h->id_size, (size_t)(length - h->id_size) };

	if (str_eq(name, STR("shadow$_klass_")))
		h->android_field = hprof_id(h, p);
	else if (str_eq(name, STR("$staticOverhead")))
		h->android_static = hprof_id(h, p);
	else if (str_eq(name, STR("<resolved_references>")))
		h->added_name[0] = hprof_id(h, p);
	else if (str_eq(name, STR("<init_lock>")))
		h->added_name[1] = hprof_id(h, p);
	else if (str_eq(name, STR("size")))
		h->size_name = hprof_id(h, p);
	else if (heap_same_name(name, STR("jdk.internal.vm.StackChunk")))
		h->stack_name = hprof_id(h, p);
	else if (heap_same_name(name, STR("java.lang.ClassValue$ClassValueMap")))
		h->values_name = hprof_id(h, p);
	return hprof_add_pair(h, STRINGS, hprof_id(h, p), ref_make(p + h->id_size, length - h->id_size));
}

static bool
read_trace(struct hprof *h, uint64_t p, uint64_t length)
{
	struct trace_row t = { .serial = be32(h->data + p), .thread = be32(h->data + p + 4),
	    .frames = be32(h->data + p + 8), .offset = p + 12 };
	uint64_t room = (length - 12) / h->id_size;

	/* Readers read this number of ids from there without further checks. */
	if (t.frames > room) {
		t.frames = (uint32_t)room;
		h->lost.bad_records++;
	}
	return hprof_add(h, &h->table[TRACES], &t, sizeof t);
}

static bool
read_start_thread(struct hprof *h, uint64_t p)
{
	struct thread_row *t = hprof_thread(h, be32(h->data + p));

	if (t == NULL)
		return false;
	t->name = hprof_id(h, p + 8 + h->id_size);
	t->started = h->dumps;
	t->ended = NOT_ENDED;
	if (!t->rooted) {
		t->object = hprof_id(h, p + 4);
		t->trace = be32(h->data + p + 4 + h->id_size);
	}
	return true;
}

static bool
read_record(struct hprof *h, unsigned tag, uint64_t p, uint64_t length)
{
	/* Minimum length of a record of each kind; shorter records are skipped. */
	static const struct { uint8_t ids, bytes; } least[] = {
		[RECORD_STRING] = { 1, 0 }, [RECORD_LOAD_CLASS] = { 2, 8 }, [RECORD_FRAME] = { 4, 8 },
		[RECORD_TRACE] = { 0, 12 }, [RECORD_START_THREAD] = { 4, 8 }, [RECORD_END_THREAD] = { 0, 4 },
	};
	uint32_t row;

	assert(p <= h->size && length <= h->size - p);
	if (tag < NELEM(least) && length < least[tag].ids * h->id_size + least[tag].bytes) {
		h->lost.bad_records++;
		return true;
	}
	h->whole = true;
	switch (tag) {
	case RECORD_STRING:
		return read_string(h, p, length);
	case RECORD_LOAD_CLASS: return read_load_class(h, p);
	case RECORD_FRAME: return hprof_add_pair(h, FRAMES, hprof_id(h, p), p);
	case RECORD_TRACE: return read_trace(h, p, length);
	case RECORD_START_THREAD: return read_start_thread(h, p);
	case RECORD_END_THREAD:
		if ((row = idmap_get(&h->thread_map, (uint64_t)be32(h->data + p) + 1)) != 0)
			ROW(h->table[THREADS], struct thread_row, row - 1)->ended = h->dumps;
		break;
	}
	return true;
}

/* ---- the file ------------------------------------------------------------------------ */

/* Find the next record from p on, or the rest of a heap record whose header is lost; h->size: neither. */
static uint64_t
hprof_find_next(struct hprof *h, uint64_t p, bool *heap)
{
	uint64_t from = p;

	*heap = false;
	while (p < h->size && hprof_search_tick(h, from, p) && !hprof_is_record(h, p) &&
	    !(*heap = hprof_is_heap(h, p, h->size)))
		p++;
	return h->failed ? h->size : p;
}

/* Search the next record: skip zeros, then any bytes. */
static uint64_t
find_header(struct hprof *h, uint64_t p)
{
	uint64_t from = p;
	bool heap;

	for (; p < h->size && h->data[p] == 0; p++)
		if (!hprof_search_tick(h, from, p))
			return h->size;
	h->lost.zeros += p - from;
	from = p;
	p = hprof_find_next(h, p, &heap);
	assert(p >= from && p <= h->size);
	hprof_lost(h, &h->lost.skipped_bytes, from, p - from);
	return heap ? hprof_dump_rest(h, p) : p;
}

/* The record at p claims more bytes than are left: its length is wrong or the file is truncated. */
static uint64_t
read_cut(struct hprof *h, uint64_t p, uint64_t missing)
{
	bool heap;
	uint64_t next = hprof_find_next(h, p, &heap);

	if (next < h->size) {
		hprof_lost(h, &h->lost.skipped_bytes, p, next - p);
		return heap ? hprof_dump_rest(h, next) : next;
	}
	h->lost.cut_bytes += missing;
	hprof_lost(h, &h->lost.tail_bytes, p, h->size - p);
	return h->size;
}

/* After a record: the next record follows, possibly truncated by the end of the file. */
static bool
may_follow(struct hprof *h, uint64_t p)
{
	return p >= h->size || h->size - p < 9 || hprof_header_ok(h, p) ||
	    (heap_is_dump(h->data[p]) && hprof_believable(h, p + 9, be32(h->data + p + 5)));
}

/*
 * No record at next: either the length of the record at p is wrong and another record begins inside it, or the next
 * record is damaged.
 */
static bool
is_lie(struct hprof *h, uint64_t p, uint64_t *next)
{
	uint64_t found;

	if (may_follow(h, *next) || (found = hprof_search(h, p + 1, *next)) >= *next)
		return false;
	hprof_lost(h, &h->lost.skipped_bytes, p, found - p);
	*next = found;
	return true;
}

/* Records of the old profiler hprof that are not the heap. */
static const char *const of_profiler[RECORD_END + 1] = {
	[RECORD_ALLOC_SITES] = "alloc_sites", [RECORD_SUMMARY] = "heap_summary", [RECORD_SAMPLES] = "cpu_samples",
	[RECORD_SETTINGS] = "control_settings", [RECORD_UNLOAD_CLASS] = "unload_class",
};

static void
hprof_add_unread(struct hprof *h, unsigned tag)
{
	char text[8];

	snprintf(text, sizeof text, "0x%02x", tag);
	unread_add(&h->unread, UNREAD_RECORD,
	    str_of(tag <= RECORD_END && of_profiler[tag] != NULL ? of_profiler[tag] : text), 1);
}

/* Read the record at p and return the offset after it. */
static uint64_t
read_one(struct hprof *h, uint64_t p)
{
	unsigned tag = h->data[p];
	uint64_t length = be32(h->data + p + 5), body = p + 9, next;

	assert(body <= h->size);
	/* The length may be too short even for the first sub-record. */
	if (heap_is_dump(tag))
		return hprof_believable(h, body, length) || hprof_begins_heap(h, body, h->size) ?
		    hprof_dump(h, tag, body, length) : find_header(h, p);
	if (tag == RECORD_END && length == 0) {
		hprof_dump_end(h);
		return body;
	}
	/* The tag is damaged if the body consists of heap sub-records. */
	if (length >= HEAP_LEAST && hprof_is_heap(h, body, length > h->size - body ? h->size : body + length)) {
		h->lost.bad_records++;
		return hprof_dump(h, RECORD_SEGMENT, body, length);
	}
	if (length > h->size - body)
		return read_cut(h, p, length - (h->size - body));
	if (!heap_known_tag(tag) && !hprof_header_ok(h, body + length))
		return find_header(h, p);
	next = body + length;
	if (is_lie(h, p, &next))
		return next;
	if (!heap_known_tag(tag) || of_profiler[tag] != NULL) {
		hprof_add_unread(h, tag);
		h->whole = true;
	} else if (!read_record(h, tag, body, length))
		return h->size;
	return next;
}

static bool
hprof_read_all(struct hprof *h, uint64_t p)
{
	uint64_t next;

	work_start_bytes(h->work, "reading the dump", h->size);
	while (p < h->size && !h->failed) {
		if (!work_go(h->work, p, h->err))
			return false;
		if (h->size - p < 9) {
			hprof_lost(h, &h->lost.tail_bytes, p, h->size - p);
			break;
		}
		next = read_one(h, p);
		/* Every step advances, whatever a record claims, so that the loop ends. */
		p = next > p ? next : p + 1;
	}
	if (!h->failed && h->want > 1 && h->dumps < h->want)
		return fail(h->err, E_USAGE, "no heap dump %u; the file has %u",
		    h->want, h->dumps);
	return !h->failed;
}

static bool
hprof_sniff(const uint8_t *head, size_t n)
{
	return n > MARK_SIZE && memcmp(head, HPROF_MARK, MARK_SIZE) == 0;
}

/* ---- header ---------------------------------------------------------------------------- */

/* Return the offset of the first record. */
static bool
hprof_read_header(struct hprof *h, uint64_t *first, struct err *err)
{
	char format[FORMAT_MAX], date[64];
	struct str version;
	uint64_t p, stamp;
	bool known, dated;

	if (!hprof_sniff(h->data, h->size < SNIFF_MAX ? (size_t)h->size : SNIFF_MAX))
		return fail(err, E_UNREADABLE, "not an HPROF heap dump: it must start with " HPROF_MARK);
	if (!hprof_version(h->data, h->size, &p))
		return fail_at(err, E_UNREADABLE, p, "heap dump header truncated or damaged");
	h->id_size = be32(h->data + p + 1);
	if (h->id_size != 4 && h->id_size != 8)
		return fail_at(err, E_UNREADABLE, p + 1, "bad id size %u; must be 4 or 8", h->id_size);
	*first = p + 13;
	version = (struct str){ (const char *)h->data + MARK_SIZE, (size_t)(p - MARK_SIZE) };
	snprintf(format, sizeof format, "HPROF %.*s", (int)version.n, version.s);
	stamp = be64(h->data + p + 5);
	/* Damaged files may contain any value. */
	dated = calendar_text(stamp / 1000, false, date);
	if (!dated)
		snprintf(date, sizeof date, "%llu ms since 1970", (unsigned long long)stamp);
	h->android = str_eq(version, STR("1.0.3"));
	known = h->android || str_eq(version, STR("1.0.1")) || str_eq(version, STR("1.0.2"));
	const struct make_fact facts[] = {
		{ FACT_REPAIR_VERSION, !known, MAKE_ANY },
		{ FACT_FORMAT, .text = str_of(format) }, { FACT_ID_SIZE, h->id_size },
		{ FACT_DUMPED_AT, .text = str_of(date) }, { FACT_HEAP_ID_SIZE, h->id_size },
		{ FACT_HEAP_DUMPED_MS, dated ? stamp : 0 },
	};

	return make_facts(h->st, facts, NELEM(facts), err);
}

static void
free_all(struct hprof *h)
{
	for (size_t i = 0; i < TABLES; i++)
		scratch_free(&h->table[i].rows);
	ids_in_free(&h->ids);
	idmap_free(&h->class_map);
	idmap_free(&h->thread_map);
	free(h->samples.row);
}

static bool
hprof_load(struct store *st, struct work *w, struct err *err)
{
	struct hprof *h = mem_array(1, sizeof *h);
	uint64_t first = 0;
	bool ok;

	if (h == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	h->st = st;
	h->work = w;
	h->err = err;
	h->data = store_source(st)->data;
	h->size = store_source(st)->size;
	h->samples.stride = 1;
	h->want = store_dump(st);
	h->ended = true;
	ids_in_init(&h->ids, err);
	/* More than one object per eight bytes is impossible. */
	h->samples.most = h->size / 16 * 2 + 2 < SAMPLES_MAX ? h->size / 16 * 2 + 2 : SAMPLES_MAX;
	h->samples.row = mem_array(h->samples.most, sizeof *h->samples.row);
	ok = h->samples.row != NULL || fail(err, E_SYSTEM, "out of memory");
	ok = ok && hprof_read_header(h, &first, err) && hprof_read_all(h, first) && hprof_choose(h) &&
	    hprof_out(h, err) &&
	    make_whole(st, h->whole, err);
	free_all(h);
	free(h);
	return ok;
}

const struct loader load_hprof = {
	"hprof", "Java and Android heap dump (HPROF 1.0.1, 1.0.2, 1.0.3)",
	SHAPE_GRAPH | SHAPE_VALUES | SHAPE_TEXTS, hprof_sniff, hprof_load, .gather = hprof_gather
};
