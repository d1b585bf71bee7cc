/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_damage: find where to continue after damage in a heap dump: the next record, or the next sub-record.
 */
#include "config.h"

#include <assert.h>

#include "hprof.h"

#define TICK_BYTES (1u << 20)
#define SURE 8			/* sub-records in a row */

/* ---- records ------------------------------------------------------------------------- */

bool
hprof_tick(struct hprof *h, uint64_t p)
{
	return work_go(h->work, p, h->err) || hprof_fail(h);
}

void
hprof_lost(struct hprof *h, uint64_t *loss, uint64_t at, uint64_t bytes)
{
	*loss += bytes;
	if (h->lost.first == 0 && bytes > 0)
		h->lost.first = at;
}

bool
hprof_search_tick(struct hprof *h, uint64_t from, uint64_t p)
{
	if ((p - from) % TICK_BYTES != 0)
		return true;
	if (p > from)
		map_forget(store_source(h->st), p - TICK_BYTES, p);
	return hprof_tick(h, p);
}

/* ---- sub-records ---------------------------------------------------------------------- */

static bool
hprof_damage_step(struct hprof *h, uint64_t p, uint64_t end, struct heap_record *r)
{
	assert(p < end && end <= h->size);
	return hprof_step(h->data, end, h->id_size, p, &h->vain, r);
}

bool
hprof_pass(struct hprof *h, uint64_t *p, uint64_t end)
{
	struct heap_record r;
	bool ok = hprof_damage_step(h, *p, end, &r);

	*p = ok ? r.next : *p;
	return ok;
}

/*
 * Return the end of the sub-record at p if it looks valid. A root is accepted only if an object is near its target.
 * Other parts have no recognisable contents.
 */
static bool
plausible(struct hprof *h, uint64_t *p, uint64_t end)
{
	struct heap_record r;
	bool ok;

	if (!hprof_damage_step(h, *p, end, &r))
		return false;
	h->vain += r.tag == TAG_CLASS ? r.bytes : 0;
	if (!heap_is_object(r.tag))
		ok = r.tag != TAG_PART && idmap_get(&h->ids.map, 1 + r.id / HEAP_PAGE) != 0;
	else
		ok = r.id != 0 && ((r.tag != TAG_INSTANCE && r.tag != TAG_OBJECTS) ||
		    idmap_get(&h->class_map, r.class + 1) != 0);
	*p = ok ? r.next : *p;
	return ok;
}

bool
hprof_is_heap(struct hprof *h, uint64_t p, uint64_t end)
{
	unsigned n;

	for (n = 0; n < SURE && p < end && plausible(h, &p, end); n++)
		;
	/* A few sub-records suffice if a record follows. */
	return n == SURE || (n > 0 && (p == end ? n > 1 : hprof_header_ok(h, p)));
}

bool
hprof_begins_heap(struct hprof *h, uint64_t p, uint64_t end)
{
	for (unsigned n = 0; n < SURE && p < end; n++)
		if (heap_is_object(h->data[p]) ? !plausible(h, &p, end) : !hprof_pass(h, &p, end))
			return n > 0 && end == h->size;
	return true;
}

static uint64_t
heap_stop(const struct hprof *h, uint64_t p, uint64_t length)
{
	/* A writer that did not know the length wrote 0. */
	return length > 0 && length < h->size - p ? p + length : h->size;
}

bool
hprof_believable(struct hprof *h, uint64_t p, uint64_t length)
{
	uint64_t end = p + length;

	return (length <= h->size - p && (end == h->size || hprof_header_ok(h, end))) ||
	    hprof_begins_heap(h, p, heap_stop(h, p, length));
}

bool
hprof_is_record(struct hprof *h, uint64_t p)
{
	return hprof_header_ok(h, p) && (!heap_is_dump(h->data[p]) ||
	    hprof_begins_heap(h, p + 9, heap_stop(h, p + 9, be32(h->data + p + 5))));
}

uint64_t
hprof_search(struct hprof *h, uint64_t p, uint64_t end)
{
	uint64_t from = p;

	for (; p < end && !hprof_is_record(h, p); p++)
		if (!hprof_search_tick(h, from, p))
			return h->size;
	return p;
}

uint64_t
hprof_resync(struct hprof *h, uint64_t p, uint64_t end)
{
	uint64_t from = p;

	while (p < end && hprof_search_tick(h, from, p) && !hprof_is_heap(h, p, end))
		p++;
	return p;
}

/* ---- bytes claimed by two records --------------------------------------------------------- */

uint64_t
hprof_overrun(struct hprof *h, uint64_t end, uint64_t stop)
{
	uint64_t next = hprof_go_on(h->data, h->size, end, stop);

	if (stop - next > h->size - h->twice)
		return stop;
	h->twice += stop - next;
	return next;
}
