/*
 * hprof_tables: what all parts of the heap dump loader read and fill: rows, classes, threads, objects.
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

void *
hprof_row(struct hprof *h, struct table *t, size_t size)
{
	void *row = make_row(&t->rows, t->n, size, MAKE_MOST, "rows in a table", h->err);

	if (row == NULL)
		hprof_fail(h);
	else
		t->n++;
	return row;
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
	struct class_row *c;

	if (class != 0)
		return class;
	if ((c = hprof_row(h, &h->table[CLASSES], sizeof *c)) == NULL)
		return 0;
	c->addr = addr;
	class = (uint32_t)h->table[CLASSES].n;
	if (!idmap_put(&h->class_map, addr + 1, class, h->err)) {
		hprof_fail(h);
		return 0;
	}
	return class;
}

struct thread_row *
hprof_thread(struct hprof *h, uint32_t serial)
{
	uint32_t row = idmap_get(&h->thread_map, (uint64_t)serial + 1);
	struct thread_row *t;

	if (row != 0)
		return ROW(h->table[THREADS], struct thread_row, row - 1);
	if ((t = hprof_row(h, &h->table[THREADS], sizeof *t)) == NULL)
		return NULL;
	t->serial = serial;
	t->ended = NOT_ENDED;
	if (idmap_put(&h->thread_map, (uint64_t)serial + 1, (uint32_t)h->table[THREADS].n, h->err))
		return t;
	hprof_fail(h);
	return NULL;
}

bool
hprof_each(struct hprof *h, void *arg, bool (*add)(void *, const struct heap_record *))
{
	struct heap_record r;
	struct extent *e;

	for (uint64_t i = 0; i < h->table[EXTENTS].n; i++) {
		e = ROW(h->table[EXTENTS], struct extent, i);
		assert(e->from < e->to && e->to <= h->size);
		for (uint64_t p = e->from; p < e->to; p = r.next)
			if (heap_next_record(h->data, e->to, h->id_size, p, &r) && !add(arg, &r))
				return false;
	}
	return true;
}
