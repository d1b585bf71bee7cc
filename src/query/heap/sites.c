/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sites: allocation sites of objects in dumps of the HPROF agent: the stack trace of their records.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SERIALS 8192u		/* looked at between two ticks */
#define FRAMES 256u		/* frames of a stack that are looked at */

struct sites {
	struct idmap	trace;		/* 1 + serial, to row of trace.* */
	struct idmap	class;		/* 1 + serial, to class */
};

/* Map serial numbers in a column to rows; for duplicates the first row wins. */
static bool
map_serials(struct idmap *map, const struct column *serial, struct work *work, struct err *err)
{
	uint64_t i, n = serial == NULL ? 0 : serial->rows, key;

	for (i = 0; i < n; i++) {
		if (!work_each(work, i, SERIALS, err))
			return false;
		key = column_get(serial, i) + 1;
		if (idmap_get(map, key) == 0 && !idmap_put(map, key, (uint32_t)i + 1, err))
			return false;
	}
	return true;
}

void
sites_close(struct sites *s)
{
	if (s == NULL)
		return;
	idmap_free(&s->trace);
	idmap_free(&s->class);
	free(s);
}

static struct sites *
sites_new(const struct heap *h, struct work *work, struct err *err)
{
	struct sites *s = mem_array(1, sizeof *s);

	if (s == NULL)
		fail_memory(err, "allocation sites");
	else if (!map_serials(&s->trace, store_column(h->st, COL_TRACE_SERIAL), work, err) ||
	    !map_serials(&s->class, store_column(h->st, COL_CLASS_SERIAL), work, err)) {
		sites_close(s);
		s = NULL;
	}
	return s;
}

/* The method of a STACK_FRAME record. */
struct site_frame {
	uint32_t	class;
	uint64_t	method;		/* ref of its name */
};

static bool
sites_read_frame(const struct sites *s, const struct heap *h, uint64_t at, struct site_frame *call)
{
	const unsigned w = h->id_size;
	uint64_t frame, name;

	if (at > h->size || h->size - at < w)
		return false;
	frame = column_find(store_column(h->st, COL_SFRAME_ID), heap_id(h->data + at, w));
	at = column_get(store_column(h->st, COL_SFRAME_OFFSET), frame - 1);
	if (frame == 0 || at > h->size || h->size - at < 4 * w + 8)
		return false;
	name = column_find(store_column(h->st, COL_NAME_ID), heap_id(h->data + at + w, w));
	/* A mapping file overrides the method name in the dump. */
	call->method = column_get(store_column(h->st, COL_SFRAME_METHOD), frame - 1);
	if (call->method == 0)
		call->method = column_get(store_column(h->st, COL_NAME_REF), name - 1);
	call->class = idmap_get(&s->class, (uint64_t)be32(h->data + at + 4 * w) + 1);
	return true;
}

/* The trace follows the tag and the address of each kind of record. */
static uint64_t
trace_of(const struct sites *s, const struct heap *h, uint32_t object)
{
	struct heap_record r;

	if (!heap_read(h, object, &r))
		return 0;
	return idmap_get(&s->trace, (uint64_t)be32(h->data + r.offset + 1 + h->id_size) + 1);
}

/*
 * "com.example.Cache.put": the innermost method outside the Java library when the object was allocated,
 * otherwise the outermost in the file; nothing if unknown.  Appends, raw bytes.
 */
static void
sites_add(const struct sites *s, const struct heap *h, uint32_t object, struct buf *b)
{
	uint64_t row = trace_of(s, h, object), n, at, i;
	struct site_frame frame, found = { 0, 0 };
	struct str name;

	n = row == 0 ? 0 : column_get(store_column(h->st, COL_TRACE_FRAMES), row - 1);
	at = row == 0 ? 0 : column_get(store_column(h->st, COL_TRACE_OFFSET), row - 1);
	for (i = 0; i < n && i < FRAMES; i++) {
		if (!sites_read_frame(s, h, at + i * h->id_size, &frame) || frame.class == 0)
			continue;
		found = frame;
		if (!heap_is_platform(h, frame.class, PLATFORM_SITE))
			break;
	}
	if (found.class == 0)
		return;
	heap_class_name(h, found.class, b);
	name = store_text(h->st, found.method);
	buf_chr(b, '.');
	buf_str(b, name.n > 0 ? name : STR("?"));
}

#define SAMPLE 1000u		/* objects checked to see whether any has an allocation site */

static bool
sites_any(const struct sites *s, const struct heap *h)
{
	OWN_BUF b = BUF_INIT;
	bool any;

	for (uint64_t i = 0; i < SAMPLE && b.n == 0 && h->objects > 0; i++)
		sites_add(s, h, (uint32_t)(1 + i * h->objects / SAMPLE), &b);
	any = b.n > 0;
	return any;
}

void
view_site_cell(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	uint64_t site = store_cell(v->heap.st, COL_OBJECT_SITE, object);

	c->type = CELL_NONE;
	buf_clear(&v->text);
	if (site != 0)
		heap_site_name(&v->heap, (uint32_t)site, &v->text);
	if (site == 0 && v->heap.form == NULL && v->sites == NULL && r->err.kind == E_NONE) {
		v->sites = sites_new(&v->heap, r->work, &r->err);
		if (v->sites != NULL && !sites_any(v->sites, &v->heap))
			rows_note_add(r, "no allocation sites in this dump");
	}
	if (v->sites != NULL)
		sites_add(v->sites, &v->heap, object, &v->text);
	if (v->text.n > 0)
		cell_text(r, c, &v->text);
}
