/*
 * sites: from the stack trace that an object names to the method that made it.
 */
#include "config.h"

#include "hrows.h"

#define SLICE 8192u
#define FRAMES 256u		/* of a stack that are looked at */

void
sites_free(struct sites *s)
{
	idmap_free(&s->trace);
	idmap_free(&s->class);
}

/* From the serials in a column to its rows, of each the first. */
static bool
map_serials(struct idmap *map, const struct column *serial, struct work *work, struct err *err)
{
	uint64_t i, n = serial == NULL ? 0 : serial->rows, key;

	for (i = 0; i < n; i++) {
		if (i % SLICE == 0 && !work_tick(work, i))
			return fail_cancel(err);
		key = column_get(serial, i) + 1;
		if (idmap_get(map, key) == 0 && !idmap_put(map, key, (uint32_t)i + 1, err))
			return false;
	}
	return true;
}

bool
sites_make(struct sites *s, const struct heap *h, struct work *work, struct err *err)
{
	if (s->made)
		return true;
	s->made = true;
	return map_serials(&s->trace, store_column(h->st, COL_TRACE_SERIAL), work, err) &&
	    map_serials(&s->class, store_column(h->st, COL_CLASS_SERIAL), work, err);
}

/* A method, as a STACK_FRAME tells it. */
struct place {
	uint32_t	class;
	uint64_t	method;		/* ref of its name */
};

static bool
read_frame(const struct sites *s, const struct heap *h, uint64_t at, struct place *place)
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
	/* As a mapping file says, else as the dump does. */
	place->method = column_get(store_column(h->st, COL_SFRAME_METHOD), frame - 1);
	if (place->method == 0)
		place->method = column_get(store_column(h->st, COL_NAME_REF), name - 1);
	place->class = idmap_get(&s->class, (uint64_t)be32(h->data + at + 4 * w) + 1);
	return true;
}

/* The trace stands behind the tag and the address of each kind of record. */
static uint64_t
trace_of(const struct sites *s, const struct heap *h, uint32_t object)
{
	struct heap_record r;

	if (!heap_read(h, object, &r))
		return 0;
	return idmap_get(&s->trace, (uint64_t)be32(h->data + r.offset + 1 + h->id_size) + 1);
}

void
sites_add(const struct sites *s, const struct heap *h, uint32_t object, struct buf *b)
{
	uint64_t row = trace_of(s, h, object), n, at, i;
	struct place place, found = { 0, 0 };
	struct str name;

	n = row == 0 ? 0 : column_get(store_column(h->st, COL_TRACE_FRAMES), row - 1);
	at = row == 0 ? 0 : column_get(store_column(h->st, COL_TRACE_OFFSET), row - 1);
	for (i = 0; i < n && i < FRAMES; i++) {
		if (!read_frame(s, h, at + i * h->id_size, &place) || place.class == 0)
			continue;
		found = place;
		if (!heap_is_platform(h, place.class, PLATFORM_SITE))
			break;
	}
	if (found.class == 0)
		return;
	heap_class_name(h, found.class, b);
	name = store_text(h->st, found.method);
	buf_chr(b, '.');
	buf_str(b, name.n > 0 ? name : STR("?"));
}
