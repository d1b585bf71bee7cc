/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * direct: pass "direct": memory outside the heap that direct buffers of java.nio, memory segments and buffers
 * of some libraries have, and what zlib takes, estimated; and, as facts beside it, what live objects
 * registered on Android, and what only waits for finalizers.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "icecore/heap_facts.h"
#include "icecore/make.h"
#include "pass/heap/heap.h"

#define LIST_TICK 4096u
#define IMAGE_STEPS 12u		/* holders up from a buffer to the module image of the VM */
/* Ignore larger sizes: such a segment represents the whole address space. */
#define SPAN_END ((uint64_t)1 << 40)
/*
 * Bytes that zlib allocates for each stream.  Deflater at the default level: state, two windows, links and
 * heads of the hash, and pending output.  Inflater: state and a window.
 */
#define DEFLATER_BYTES (256u * 1024 + 6 * 1024)
#define INFLATER_BYTES (32u * 1024 + 7 * 1024)

/* Objects that show memory: the field with its address and that with its size. */
struct shows {
	const char	*class, *address, *size;
	bool		 file;		/* always that of a file */
	bool		 deflates;	/* a stream of zlib that compresses */
};

static const struct shows buffer_class = { "java.nio.DirectByteBuffer", "address", "capacity" };
/* A class in this list comes before its superclass. */
static const struct shows showers[] = {
	{ "jdk.internal.foreign.MappedMemorySegmentImpl", "min", "length", .file = true },
	{ "jdk.internal.foreign.NativeMemorySegmentImpl", "min", "length" },
	{ "org.apache.arrow.memory.ArrowBuf", "addr", "capacity" },
	{ "com.sun.jna.Memory", "peer", "size" },
};
/*
 * The lists of what arenas run when they are closed: the memory is there even if no segment shows it any
 * more.  The elements have no class of a name, and the fields of one of these rows, by the JDK.
 */
static const struct shows lists[] = {
	{ "jdk.internal.foreign.MemorySessionImpl$ResourceList", "val$allocationBase", "val$allocationSize" },
	{ "jdk.internal.foreign.MemorySessionImpl$ResourceList", "val$buf", "val$alignedSize" },
	{ "jdk.internal.foreign.ResourceScopeImpl$ResourceList", "val$buf", "val$alignedSize" },
};

/* The memory that an object shows.  Views of the same memory start at its address or inside of it. */
struct span_of {
	uint64_t	from, bytes;
	uint32_t	object;
	bool		mapped;		/* a file */
};

/* Memory of which each byte counts once, rising. */
struct buffer_bytes {
	uint64_t	from, bytes;
	uint32_t	object;
	bool		mapped;
};

struct buffers {
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	ARRAY(struct span_of)	spans;
	ARRAY(struct buffer_bytes)	rows;	/* struct span_of; struct buffer_bytes */
	uint64_t	 nspans, nrows, direct, mapped, zlib;
	uint64_t	 steps;		/* along lists, which may be circles */
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

/* ---- what shows memory ------------------------------------------------------------- */

static bool
number_field(const struct heap *h, uint32_t object, const char *name, uint64_t *value)
{
	struct heap_slot slot;

	if (!heap_field(h, object, name, 0, &slot) || (slot.type != HEAP_LONG && slot.type != HEAP_INT) ||
	    slot.bits == 0)
		return false;
	*value = slot.bits;
	return slot.type == HEAP_LONG || slot.bits <= INT32_MAX;
}

/* The memory of an arena that is closed is free. */
static bool
is_closed(const struct heap *h, uint32_t segment)
{
	uint32_t scope = heap_field_object(h, segment, "scope");
	struct heap_slot slot;

	return scope != 0 && ((heap_field(h, scope, "state", 0, &slot) && slot.type == HEAP_INT &&
	    slot.bits > INT32_MAX) ||
	    (heap_field(h, scope, "closed", 0, &slot) && slot.bits != 0));
}

/* Add the memory that shower points to; it counts for object. */
static bool
direct_add_span(struct buffers *s, const struct shows *as, uint32_t shower, uint32_t object, bool mapped)
{
	struct span_of span = { .object = object, .mapped = mapped };

	if (heap_dominator(&s->h, object) == 0 || !number_field(&s->h, shower, as->address, &span.from) ||
	    !number_field(&s->h, shower, as->size, &span.bytes) || span.bytes > SPAN_END ||
	    span.from > UINT64_MAX - span.bytes ||
	    is_closed(&s->h, shower))
		return true;
	return make_add(&s->spans.raw, &s->nspans, &span, sizeof span, MAKE_MOST, "direct buffers", s->err);
}

/* Android from 7 on allocates direct buffers in the heap: field hb is the array then. */
static bool
add_buffer(struct buffers *s, const struct shows *as, uint32_t object)
{
	const struct heap *h = &s->h;

	return heap_field_object(h, object, "hb") != 0 ||
	    direct_add_span(s, as, object, object, heap_field_object(h, object, "fd") != 0 ||
	    (heap_field_object(h, object, "cleaner") == 0 && is_image(h, object)));
}

static bool
add_shower(struct buffers *s, const struct shows *as, uint32_t object)
{
	return direct_add_span(s, as, object, object, as->file);
}

/* The arena that owns the list, or its known part. */
static uint32_t
arena_of(const struct heap *h, uint32_t list)
{
	static const char *const parts[] = { "jdk.internal.foreign.*" };
	uint32_t above;

	for (unsigned n = 0; n < 2 && (above = heap_above(h, list)) != 0 &&
	    heap_class_like(h, heap_class(h, above), parts, NELEM(parts)); n++)
		list = above;
	return list;
}

static bool
add_list(struct buffers *s, const struct shows *as, uint32_t list)
{
	static const char *const heads[] = { "fst", "cache" };
	uint32_t object = heap_dominator(&s->h, list) != 0 ? arena_of(&s->h, list) : list;

	for (size_t i = 0; i < NELEM(heads); i++)
		for (uint32_t at = heap_field_object(&s->h, list, heads[i]); at != 0 &&
		    s->steps < s->h.objects; s->steps++) {
			if ((s->steps % LIST_TICK == 0 && !work_go(s->work, at, s->err)) ||
			    !direct_add_span(s, as, at, object, false))
				return false;
			at = heap_field_object(&s->h, at, "next");
		}
	return true;
}

/* Ended ones have no address.  Before JDK 9 and on Android the fields differ, but not their names. */
static bool
add_stream(struct buffers *s, const struct shows *as, uint32_t object)
{
	const struct heap *h = &s->h;
	uint32_t stream = heap_field_object(h, object, "zsRef");
	struct buffer_bytes row = { .bytes = as->deflates ? DEFLATER_BYTES : INFLATER_BYTES,
	    .object = object };
	uint64_t address;

	if (heap_dominator(h, object) == 0 || stream == 0 || !number_field(h, stream, as->address, &address))
		return true;
	s->zlib = num_add(s->zlib, row.bytes);
	return make_add(&s->rows.raw, &s->nrows, &row, sizeof row, MAKE_MOST, "direct buffers", s->err);
}

/* Calls add with each object of the class. */
static bool
each_of(struct buffers *s, const struct shows *as, bool (*add)(struct buffers *, const struct shows *,
    uint32_t object))
{
	struct members m;
	uint32_t object;
	bool ok = members_open(&m, &s->h, str_of(as->class), s->err);

	while (ok && (ok = members_next(&m, &object, s->work, s->err)) && object != 0)
		ok = add(s, as, object);
	members_close(&m);
	return ok;
}

/* ---- each byte once ------------------------------------------------------------------- */

static int
by_address(const void *x, const void *y)
{
	const struct span_of *a = x, *b = y;

	/*
	 * The largest first: views that begin where it does show what it has; of a file, before what does not
	 * know of it.
	 */
	return num_order(a->from, b->from, num_order(b->bytes, a->bytes, num_order(b->mapped, a->mapped,
	    num_order(a->object, b->object, 0))));
}

/* Bytes of from .. to that the n rows have, which rise; *at: the first one that may reach there. */
static uint64_t
covered(const struct buffer_bytes *row, uint64_t n, uint64_t *at, uint64_t from, uint64_t to)
{
	uint64_t sum = 0, first, last;

	while (*at < n && row[*at].from + row[*at].bytes <= from)
		++*at;
	for (uint64_t i = *at; i < n && row[i].from < to; i++) {
		first = row[i].from > from ? row[i].from : from;
		last = row[i].from + row[i].bytes < to ? row[i].from + row[i].bytes : to;
		assert(first < last);
		sum += last - first;
	}
	return sum;
}

/* Count each byte for the first object that shows it, except for bytes that earlier rows cover. */
static bool
sum_spans(struct buffers *s)
{
	struct span_of *span = s->spans.at;
	uint64_t end = 0, n = s->nrows, at = 0;

	if (s->nspans > 1)
		qsort(span, s->nspans, sizeof *span, by_address);
	for (uint64_t i = 0; i < s->nspans; i++) {
		uint64_t to = span[i].from + span[i].bytes, from = span[i].from > end ? span[i].from : end;
		struct buffer_bytes row = { from, to - from, span[i].object, span[i].mapped };

		if (to <= end)
			continue;
		assert(from < to && row.bytes == to - from);
		end = to;
		row.bytes -= covered(s->rows.at, n, &at, from, to);
		if (row.bytes > 0 && !make_add(&s->rows.raw, &s->nrows, &row, sizeof row, MAKE_MOST,
		    "direct buffers", s->err))
			return false;
	}
	s->nspans = 0;
	return true;
}

/* Mapped files are reported as a sum only: drop their rows. */
static void
drop_mapped(struct buffers *s)
{
	struct buffer_bytes *row = s->rows.at;
	uint64_t n = 0;

	for (uint64_t i = 0; i < s->nrows; i++)
		if (row[i].mapped)
			s->mapped = num_add(s->mapped, row[i].bytes);
		else {
			s->direct = num_add(s->direct, row[i].bytes);
			row[n++] = row[i];
		}
	assert(n <= s->nrows);
	s->nrows = n;
}

static bool
direct_find_all(struct buffers *s)
{
	static const struct shows streams[] = {
		{ "java.util.zip.Inflater", "address" },
		{ "java.util.zip.Deflater", "address", .deflates = true }
	};
	bool ok = each_of(s, &buffer_class, add_buffer);

	for (size_t i = 0; ok && i < NELEM(showers); i++)
		ok = each_of(s, &showers[i], add_shower);
	ok = ok && sum_spans(s);
	for (size_t i = 0; ok && i < NELEM(lists); i++, s->steps = 0)
		ok = each_of(s, &lists[i], add_list);
	if (!ok || !sum_spans(s))
		return false;
	drop_mapped(s);
	for (size_t i = 0; ok && i < NELEM(streams); i++)
		ok = each_of(s, &streams[i], add_stream);
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
direct_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_EACH_DIRECT_OBJECT, buffer_bytes, object),
		MAKE(COL_EACH_DIRECT_BYTES, buffer_bytes, bytes)
	};
	struct buffers s = { .work = w, .err = err };
	uint64_t waits;
	bool ok = heap_open(&s.h, st, refs, sizes, err);

	if (ok)
		work_start(w, "direct buffers", s.h.objects);
	ok = ok && direct_find_all(&s) && finalizable_bytes(&s.h, w, &waits, err) &&
	    heap_make_columns(st, &s.h, columns, NELEM(columns),
	    MAKE_ROWS(s.rows.at, s.nrows), err) &&
	    heap_fact_set(st, FACT_DIRECT_BYTES, refs, sizes, s.direct, err) &&
	    heap_fact_set(st, FACT_ZLIB_BYTES, refs, sizes, s.zlib, err) &&
	    heap_fact_set(st, FACT_MAPPED_BYTES, refs, sizes, s.mapped, err) &&
	    heap_fact_set(st, FACT_REGISTERED_BYTES, refs, sizes, registered(&s.h), err) &&
	    heap_fact_set(st, FACT_FINALIZABLE_BYTES, refs, sizes, waits, err);
	SCRATCH_FREE(&s.spans, &s.rows);
	return ok;
}

const struct pass pass_direct = {
	.name = "direct", .what = "native memory of buffers and segments", .beside = 1,
	    .run_choice = direct_run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT, COL_IN_LEN, COL_NATIVE_OBJECT),
	.makes = PASS_COLUMNS(COL_EACH_DIRECT_OBJECT, COL_EACH_DIRECT_BYTES)
};
