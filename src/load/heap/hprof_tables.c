/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_tables: tables filled by all parts of the heap dump loader: rows, classes, threads, objects.
 */
#include "config.h"

#include <assert.h>

#include "hprof.h"

bool
hprof_fail(struct hprof *h)
{
	h->failed = true;
	return false;
}

bool
hprof_add(struct hprof *h, struct table *t, const void *row, size_t size)
{
	return make_add(&t->rows, &t->n, row, size, MAKE_MOST, "rows in a table", h->err) || hprof_fail(h);
}

bool
hprof_add_pair(struct hprof *h, int table, uint64_t id, uint64_t offset)
{
	return hprof_add(h, &h->table[table], &(struct pair){ id, offset }, sizeof(struct pair));
}

uint64_t
hprof_id(const struct hprof *h, uint64_t offset)
{
	assert(h->id_size <= h->size && offset <= h->size - h->id_size);
	return h->id_size == 8 ? be64(h->data + offset) : be32(h->data + offset);
}

struct class_row *
hprof_class_row(const struct hprof *h, uint32_t class)
{
	assert(class != 0 && class <= h->table[CLASSES].n);
	return ROW(h->table[CLASSES], struct class_row, class - 1);
}

uint32_t
hprof_class(struct hprof *h, uint64_t addr)
{
	uint32_t class = idmap_get(&h->class_map, addr + 1);

	if (class != 0)
		return class;
	if (!hprof_add(h, &h->table[CLASSES], &(struct class_row){ .addr = addr }, sizeof(struct class_row)))
		return 0;
	class = (uint32_t)h->table[CLASSES].n;
	return idmap_put(&h->class_map, addr + 1, class, h->err) || hprof_fail(h) ? class : 0;
}

struct thread_row *
hprof_thread(struct hprof *h, uint32_t serial)
{
	uint32_t row = idmap_get(&h->thread_map, (uint64_t)serial + 1);
	struct thread_row new = { .serial = serial, .ended = NOT_ENDED };

	if (row == 0) {
		row = (uint32_t)h->table[THREADS].n + 1;
		if (!hprof_add(h, &h->table[THREADS], &new, sizeof new) ||
		    !(idmap_put(&h->thread_map, (uint64_t)serial + 1, row, h->err) || hprof_fail(h)))
			return NULL;
	}
	return ROW(h->table[THREADS], struct thread_row, row - 1);
}

bool
hprof_each(struct hprof *h, void *arg, bool (*add)(void *, const struct heap_record *))
{
	struct heap_record r;
	struct extent *e;

	for (uint64_t i = 0; i < h->table[EXTENTS].n; i++) {
		e = ROW(h->table[EXTENTS], struct extent, i);
		assert(e->from < e->to && e->to <= h->size);
		for (uint64_t p = e->from; p < e->to; p = r.next) {
			if (heap_next_record(h->data, e->to, h->id_size, p, &r) && !add(arg, &r))
				return false;
			if (p >> 20 != r.next >> 20)
				resident_check();
		}
	}
	return true;
}
