/*
 * hprof_dumps: a file may hold several heap dumps: where each begins and
 * ends, and what of the file belongs to the one that is read.
 */
#include "config.h"

#include "hprof.h"

/*
 * Where a heap record ends: a length of 0, or one that is short by a multiple of 4 GiB, is
 * that of a writer that could not know better.
 */
static uint64_t
heap_end(const struct hprof *h, unsigned tag, uint64_t p, uint64_t length, bool *open)
{
	uint64_t left = h->size - p;

	*open = length == 0 && left > 0 && !hprof_header_ok(h, p);
	if (tag == RECORD_HEAP && left > length && ((left - length) & UINT32_MAX) == 0)
		*open = true;
	return *open || length > left ? h->size : p + length;
}

/*
 * A heap record begins: of the dump we are in, or of the next one.  A record of kind HEAP_DUMP is
 * one by itself; what holds nothing does not count, and leaves its number to the next one.
 */
static void
enter_dump(struct hprof *h, unsigned tag, bool empty)
{
	if (h->ended || tag == RECORD_HEAP) {
		h->counted = false;
		if (h->dumps + 1 == h->want)
			h->open_segments = h->end_record = false;
	}
	if (!h->counted && !empty) {
		h->counted = true;
		h->dumps++;
	}
	h->dump = h->dumps + !h->counted;
	h->ended = tag == RECORD_HEAP;
	h->heap = true;
}

void
hprof_dump_end(struct hprof *h)
{
	h->end_record |= h->dump == h->want;
	h->ended = true;
}

/* ---- another dump ------------------------------------------------------------------- */

/* Behind the sub-record at *p; false when no whole one lies there. */
static bool
pass_sub_record(const struct hprof *h, uint64_t *p)
{
	unsigned tag = h->data[*p], ids, numbers;
	struct heap_record r;
	uint64_t size;

	if (heap_record(h->data, h->size, h->id_size, *p, &r)) {
		*p = r.next;
		return true;
	}
	if (tag == TAG_PART)
		size = 5 + h->id_size;
	else if (heap_root_form(tag, &ids, &numbers))
		size = 1 + h->id_size + ids * h->id_size + numbers * 4;
	else
		return false;
	if (size > h->size - *p)
		return false;
	*p += size;
	return true;
}

/* Its length tells where the next record is, unless it is a lie: then the sub-records do. */
static uint64_t
skip_heap(struct hprof *h, uint64_t p, uint64_t end, bool open)
{
	if (!open && (end == h->size || hprof_header_ok(h, end)))
		return end;
	while (p < end && pass_sub_record(h, &p))
		if (!work_tick(h->work, p)) {
			fail_cancel(h->err);
			hprof_fail(h);
			return h->size;
		}
	if (open)
		return hprof_search(h, p);
	return p > end && hprof_header_ok(h, p) ? p : end;
}

/* ---- the dump that is read ------------------------------------------------------------ */

uint64_t
hprof_dump(struct hprof *h, unsigned tag, uint64_t p, uint64_t length)
{
	bool open;
	uint64_t end = heap_end(h, tag, p, length, &open), stop;

	enter_dump(h, tag, length == 0 && !open);
	if (h->dump != h->want)
		return skip_heap(h, p, end, open);
	h->open_segments |= tag == RECORD_SEGMENT;
	h->no_length |= open && length == 0;
	if (length == 0 && !open)
		return p;
	stop = hprof_heap(h, p, end, open);
	if (h->failed)
		return h->size;
	/* Cut, unless the length was a lie and all there is was read. */
	if (!open && length > h->size - p && stop == h->size)
		h->cut_bytes += length - (h->size - p);
	if (stop > end && stop < h->size && !hprof_header_ok(h, stop) && hprof_header_ok(h, end))
		return end;
	return stop;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* It began when the dump was over, and another one came, or it ended before. */
static bool
lives_elsewhere(const struct hprof *h, const struct thread_row *t)
{
	if (t->rooted || t->held)
		return false;
	return t->ended < h->want || (t->started >= h->want && h->dumps > h->want);
}

static void
hold_threads(struct hprof *h)
{
	const struct root_row *r;
	uint32_t thread;
	uint64_t i;

	for (i = 0; i < h->table[ROOTS].n; i++) {
		r = ROW(h->table[ROOTS], struct root_row, i);
		thread = root_is_local(r->kind) ?
		    idmap_get(&h->thread_map, (uint64_t)r->serial + 1) : 0;
		if (thread != 0)
			ROW(h->table[THREADS], struct thread_row, thread - 1)->held = true;
	}
}

bool
hprof_threads(struct hprof *h)
{
	struct table *t = &h->table[THREADS];
	uint64_t i, n = t->n;

	hold_threads(h);
	idmap_free(&h->thread_map);
	h->thread_map = IDMAP_INIT;
	for (i = t->n = 0; i < n; i++) {
		struct thread_row row = *ROW(*t, struct thread_row, i);

		if (lives_elsewhere(h, &row))
			continue;
		*ROW(*t, struct thread_row, t->n++) = row;
		if (!idmap_put(&h->thread_map, (uint64_t)row.serial + 1, (uint32_t)t->n, h->err))
			return hprof_fail(h);
	}
	return true;
}
