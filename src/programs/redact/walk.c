/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk: split a dump into pieces, in the order of the file, as the loader reads it. Unrecognised bytes are
 * lost and completely masked.
 */
#include "config.h"

#include <string.h>

#include "redact.h"

#define TICK (1u << 20)
#define WINDOW (4u << 20)
#define SURE 3			/* sub-records in a row that confirm the end of a piece */

uint64_t
redact_time_at(const uint8_t *d, uint64_t size)
{
	const size_t mark = sizeof HPROF_MARK - 1;
	uint32_t id_size;
	uint64_t p;

	if (size <= mark || memcmp(d, HPROF_MARK, mark) != 0 || !hprof_version(d, size, &p))
		return 0;
	id_size = be32(d + p + 1);
	return id_size == 4 || id_size == 8 ? p + 5 : 0;
}

bool
walk_begin(struct dump_walk *w, const struct map *m, struct work *work, struct err *err)
{
	uint64_t time = redact_time_at(m->data, m->size);

	if (time == 0)
		return fail(err, E_UNREADABLE,
		    "not an HPROF heap dump: it does not start with '" HPROF_MARK "'");
	*w = (struct dump_walk){ .map = m, .work = work, .err = err, .d = m->data, .size = m->size,
	    .id_size = be32(m->data + time - 4) };
	return true;
}

/* ---- records ------------------------------------------------------------------------------- */

/*
 * Bytes of a record that are numbers and ids; further bytes are unknown. 0: the record is invalid, as it is
 * shorter than its minimum, or its length does not fit its count. A wrong length would swallow the records
 * behind it, and a wrong count would call their texts numbers.
 */
static uint64_t
numbers_of(const struct dump_walk *w, unsigned tag, uint64_t body, uint64_t n)
{
	static const struct { uint8_t ids, bytes, count_at, each; } form[] = {
		[RECORD_LOAD_CLASS] = { 2, 8, 0, 0 }, [RECORD_UNLOAD_CLASS] = { 0, 4, 0, 0 },
		[RECORD_FRAME] = { 4, 8, 0, 0 }, [RECORD_TRACE] = { 0, 12, 8, 0 },
		[RECORD_ALLOC_SITES] = { 0, 34, 30, 25 }, [RECORD_SUMMARY] = { 0, 24, 0, 0 },
		[RECORD_START_THREAD] = { 4, 8, 0, 0 }, [RECORD_END_THREAD] = { 0, 4, 0, 0 },
		[RECORD_SAMPLES] = { 0, 8, 4, 8 }, [RECORD_SETTINGS] = { 0, 6, 0, 0 }
	};
	uint64_t size, each;

	if (tag >= NELEM(form))
		return 0;
	size = form[tag].ids * w->id_size + form[tag].bytes;
	if (n < size)
		return 0;
	each = tag == RECORD_TRACE ? w->id_size : form[tag].each;
	if (form[tag].count_at > 0 && size + each * be32(w->d + body + form[tag].count_at) != n)
		return 0;
	return form[tag].count_at > 0 ? n : size;
}

static void
begin_dump(struct dump_walk *w, unsigned tag, uint64_t body, uint64_t n)
{
	bool open;

	w->heap = true;
	w->open |= tag == RECORD_SEGMENT;
	w->cut = n > w->size - body;
	w->heap_end = hprof_heap_end(w->d, w->size, tag, body, n, &open);
	w->endless |= open && n == 0;
}

bool
walk_is_cut(const struct dump_walk *w)
{
	return !w->heap || w->open || w->cut || w->endless;
}

static bool
go(struct dump_walk *w, uint64_t p)
{
	if (p < w->next)
		return true;
	w->next = p + TICK;
	if (p - w->window >= WINDOW) {
		map_forget(w->map, w->window, p);
		w->window = p;
	}
	return work_go(w->work, p, w->err);
}

/* Return the next place after p that has a record, or the end. */
static bool
walk_search(struct dump_walk *w, uint64_t *p)
{
	do
		++*p;
	while (*p < w->size && !heap_header_ok(w->d, w->size, *p) && go(w, *p));
	return go(w, *p);
}

static bool
walk_lose(struct dump_walk *w, struct dump_piece *p, uint64_t end)
{
	p->kind = PIECE_LOST;
	p->end = end;
	w->at = end;
	return true;
}

/* No record is there, or one that claims more bytes than remain. */
static bool
lose_record(struct dump_walk *w, struct dump_piece *p)
{
	uint64_t end = p->at;

	if (!walk_search(w, &end))
		return false;
	p->body = p->at;
	return walk_lose(w, p, end);
}

static bool
next_record(struct dump_walk *w, struct dump_piece *p)
{
	uint64_t body = p->at + 9, n;

	if (w->size - p->at < 9) {
		p->body = p->at;
		return walk_lose(w, p, w->size);
	}
	n = be32(w->d + p->at + 5);
	p->body = body;
	if (heap_is_dump(p->tag)) {
		begin_dump(w, p->tag, body, n);
		w->at = p->end = body;
		return true;
	}
	if (n > w->size - body || (!heap_known_tag(p->tag) && !heap_header_ok(w->d, w->size, body + n)))
		return lose_record(w, p);
	p->end = w->at = body + n;
	w->open &= p->tag != RECORD_END || n > 0;
	if (p->tag == RECORD_STRING && n >= w->id_size) {
		p->kind = PIECE_STRING;
		p->id = heap_id(w->d + body, w->id_size);
		p->body = body + w->id_size;
		return true;
	}
	p->body = body + numbers_of(w, p->tag, body, n);
	p->kind = p->body < p->end ? PIECE_LOST : PIECE_NUMBERS;
	return true;
}

/* ---- sub-records ----------------------------------------------------------------------------- */

/* A sub-record, whose end may be after the end of the file; false: not recognised. */
static bool
read_sub(struct dump_walk *w, uint64_t at, struct heap_record *r)
{
	return hprof_step(w->d, w->size, w->id_size, at, &w->vain, r) || r->next > w->size;
}

/* Sub-records follow, or their end; the last one may be truncated by the end of the file. */
static bool
walk_goes_on(struct dump_walk *w, uint64_t at)
{
	struct heap_record r;

	for (unsigned n = 0; n < SURE; n++, at = r.next) {
		if (at >= w->heap_end)
			return at == w->heap_end || at == w->size || heap_header_ok(w->d, w->size, at);
		if (hprof_is_short(w->d, w->size, at))
			return true;
		if (!read_sub(w, at, &r))
			return false;
		if (r.next > w->size)
			return n > 0;
	}
	return true;
}

/*
 * Set kind, body and end, which are in the file. The bytes after it must confirm a length from the file.
 * Otherwise values of other objects could pass as references of an array, or the rest of an array as
 * sub-records.
 */
static bool
believe_sub(struct dump_walk *w, struct dump_piece *p)
{
	bool has_length = p->tag == TAG_INSTANCE || p->tag == TAG_OBJECTS || p->tag == TAG_PRIMS;
	const struct heap_record *r = &p->record;

	if (!read_sub(w, p->at, &p->record) || r->next > w->size || (has_length && !walk_goes_on(w, r->next)))
		return false;
	p->body = p->end = r->next;
	if (p->tag == TAG_CLASS)
		p->kind = PIECE_CLASS;
	else if (p->tag == TAG_INSTANCE)
		p->kind = PIECE_INSTANCE;
	else if (p->tag == TAG_PRIMS || p->tag == TAG_NODATA)
		p->kind = PIECE_ARRAY;
	else
		return true;
	p->body = r->data;
	p->id = r->class;
	p->type = r->type;
	return true;
}

/*
 * Bytes up to the end of the segment are lost. If its end is not confirmed either, bytes up to the next
 * record are lost.
 */
static bool
lose_sub(struct dump_walk *w, struct dump_piece *p)
{
	uint64_t end = w->heap_end;

	p->body = p->at;
	if (end < w->size && !heap_header_ok(w->d, w->size, end) && !walk_search(w, &end))
		return false;
	return walk_lose(w, p, end);
}

static bool
next_sub(struct dump_walk *w, struct dump_piece *p)
{
	uint64_t end;

	p->heap = true;
	p->body = p->end = p->at;
	if (!believe_sub(w, p))
		return lose_sub(w, p);
	end = hprof_go_on(w->d, w->size, w->heap_end, p->end);
	/* If another record cuts a class or the length field of a piece, the piece is lost. */
	if (end < (p->kind == PIECE_CLASS ? p->end : p->body)) {
		p->body = p->at;
		return walk_lose(w, p, end);
	}
	p->end = w->at = end;
	return true;
}

static bool
next_piece(struct dump_walk *w, struct dump_piece *p)
{
	if (w->at >= w->heap_end || hprof_is_short(w->d, w->size, w->at)) {
		w->heap_end = 0;
		w->cut = false;
	}
	return w->heap_end > 0 ? next_sub(w, p) : next_record(w, p);
}

bool
walk_next(struct dump_walk *w, struct dump_piece *p, bool *end)
{
	*end = w->at == w->size;
	if (*end || !go(w, w->at))
		return false;
	*p = (struct dump_piece){ .kind = PIECE_NUMBERS, .at = w->at, .tag = w->d[w->at] };
	if (w->at == 0) {
		w->at = p->body = p->end = redact_time_at(w->d, w->size) + 8;
		return true;
	}
	if (!next_piece(w, p))
		return false;
	w->lost += p->kind == PIECE_LOST ? p->end - p->body : 0;
	return true;
}
