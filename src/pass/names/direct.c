/*
 * direct: pass "direct": memory outside the heap that direct buffers of java.nio have; and, as facts beside it, what live
 * objects registered on Android, and what only waits for finalizers.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/make.h"
#include "pass/heap/heap.h"

#define IMAGE_STEPS 12u		/* holders up from a buffer to the module image of the VM */

/* What a buffer shows; views of one memory have one address, or one within it. */
struct span_of {
	uint64_t	from, bytes;
	uint32_t	object;
	bool		mapped;		/* a file */
};

struct buffer_bytes {
	uint64_t	bytes;
	uint32_t	object;
};

struct buffers {
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	struct scratch	 spans, rows;	/* struct span_of; struct buffer_bytes */
	uint64_t	 nspans, nrows, direct, mapped;
};

/* The VM's own file of modules is mapped by classes of jdk.internal, without a cleaner. */
static bool
is_image(const struct heap *h, uint32_t object)
{
	static const char *const makers[] = { "jdk.internal.*" };
	struct heap_walk w;

	for (uint32_t n = 0; n < IMAGE_STEPS && object != 0; n++) {
		if (heap_class_like(h, heap_class(h, object), makers, NELEM(makers)))
			return true;
		heap_in(h, object, &w);
		object = heap_above(h, object) != 0 ? heap_above(h, object) : heap_next(&w, NULL);
	}
	return false;
}

/* Android from 7 on allocates direct buffers in the heap: field hb is the array then. */
static bool
add_buffer(struct buffers *s, uint32_t object)
{
	const struct heap *h = &s->h;
	struct heap_slot address, capacity;
	struct span_of span = { .object = object };

	if (heap_dominator(h, object) == 0 || !heap_field(h, object, STR("address"), 0, &address) ||
	    !heap_field(h, object, STR("capacity"), 0, &capacity) || address.type != HEAP_LONG || capacity.type != HEAP_INT ||
	    address.bits == 0 || capacity.bits == 0 || capacity.bits > INT32_MAX || address.bits > UINT64_MAX - capacity.bits ||
	    heap_field_object(h, object, STR("hb")) != 0)
		return true;
	span.from = address.bits;
	span.bytes = capacity.bits;
	span.mapped = heap_field_object(h, object, STR("fd")) != 0 ||
	    (heap_field_object(h, object, STR("cleaner")) == 0 && is_image(h, object));
	return make_add(&s->spans, &s->nspans, &span, sizeof span, MAKE_MOST, "direct buffers", s->err);
}

static int
by_address(const void *x, const void *y)
{
	const struct span_of *a = x, *b = y;

	/* The largest first: views that begin where it does show what it has. */
	return num_order(a->from, b->from, num_order(b->bytes, a->bytes, num_order(a->object, b->object, 0)));
}

/* Each byte once, for the first buffer that shows it. */
static bool
sum_buffers(struct buffers *s)
{
	const struct span_of *span = SCRATCH(s->spans, struct span_of);
	uint64_t end = 0;

	if (s->nspans > 1)
		qsort(s->spans.data, s->nspans, sizeof *span, by_address);
	for (uint64_t i = 0; i < s->nspans; i++) {
		uint64_t to = span[i].from + span[i].bytes;
		struct buffer_bytes row = { to - (span[i].from > end ? span[i].from : end), span[i].object };

		if (to <= end)
			continue;
		end = to;
		if (span[i].mapped)
			s->mapped = num_add(s->mapped, row.bytes);
		else
			s->direct = num_add(s->direct, row.bytes);
		if (!span[i].mapped && !make_add(&s->rows, &s->nrows, &row, sizeof row, MAKE_MOST, "direct buffers", s->err))
			return false;
	}
	return true;
}

static bool
find_buffers(struct buffers *s)
{
	struct members m;
	uint32_t object;
	bool ok = members_open(&m, &s->h, STR("java.nio.DirectByteBuffer"), s->err);

	while (ok && (ok = members_next(&m, &object, s->work, s->err)) && object != 0)
		ok = add_buffer(s, object);
	members_close(&m);
	return ok;
}

static uint64_t
registered(const struct heap *h)
{
	uint64_t bytes = 0, object;

	for (uint64_t i = 0; i < column_rows(h->native_object); i++) {
		object = column_get(h->native_object, i);
		if (object != 0 && object <= h->objects && heap_dominator(h, (uint32_t)object) != 0)
			bytes = num_add(bytes, column_get(h->native_bytes, i));
	}
	return bytes;
}

static bool
run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_EACH_DIRECT_OBJECT, buffer_bytes, object), MAKE(COL_EACH_DIRECT_BYTES, buffer_bytes, bytes)
	};
	struct buffers s = { .work = w, .err = err };
	uint64_t waits;
	bool ok = heap_open(&s.h, st, refs, sizes, err);

	if (ok)
		work_start(w, "direct buffers", s.h.objects);
	ok = ok && find_buffers(&s) && sum_buffers(&s) && finalizable_bytes(&s.h, w, &waits, err) &&
	    heap_make_columns(st, &s.h, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(s.rows, struct buffer_bytes), s.nrows), err) &&
	    heap_fact_set(st, "direct_bytes", refs, sizes, FACT_BYTES, s.direct, err) &&
	    heap_fact_set(st, "mapped_bytes", refs, sizes, FACT_BYTES, s.mapped, err) &&
	    heap_fact_set(st, "registered_bytes", refs, sizes, FACT_BYTES, registered(&s.h), err) &&
	    heap_fact_set(st, "finalizable_bytes", refs, sizes, FACT_BYTES, waits, err);
	SCRATCH_FREE(&s.spans, &s.rows);
	return ok;
}

const struct pass pass_direct = {
	.name = "direct", .what = "native memory of direct buffers", .beside = 1, .run_choice = run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT, COL_IN_LEN, COL_NATIVE_OBJECT),
	.makes = PASS_COLUMNS(COL_EACH_DIRECT_OBJECT, COL_EACH_DIRECT_BYTES)
};
