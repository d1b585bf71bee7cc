/*
 * finding_text_jvm: why a finding is one, in a line: the kinds that any heap can have.
 */
#include "config.h"

#include <inttypes.h>

#include "findings.h"

#define DEEP 1000u	/* dominators that are followed */
#define ROWS 4096u	/* of equal arrays and Strings that are looked at */
#define ZEROS 2u	/* dup.string of arrays of nothing but zeros */

/* ---- words ----------------------------------------------------------------------------- */

/* "12.4 MiB (63%)" */
static void
add_part(const struct findings *f, uint64_t bytes, struct buf *b)
{
	char name[HEAP_COLUMN];
	uint64_t live = store_fact_get(f->heap->st, heap_column(name, "REFS.SIZES.live_bytes",
	    f->heap->refs, f->heap->sizes));

	finding_size(b, bytes);
	if (live > 0)
		buf_printf(b, " (%.0f%%)", 100.0 * (double)bytes / (double)live);
}

static void
add_object(const struct findings *f, uint32_t object, struct buf *b)
{
	heap_label(f->heap, object, b);
	if (heap_class_of_object(f->heap, object) == 0)
		buf_printf(b, " @%" PRIu32, object);
}

/* "60 com.example.Session" */
static void
add_objects(const struct findings *f, uint64_t n, uint32_t class, struct buf *b)
{
	finding_count(b, n);
	buf_chr(b, ' ');
	heap_class_name(f->heap, class, b);
}

static void
add_thread(const struct findings *f, uint32_t thread, struct buf *b)
{
	const struct column *objects = store_column(f->heap->st, "jthread.object");
	struct heap_slot slot;
	uint64_t row, rows = objects == NULL ? 0 : objects->rows;

	buf_chr(b, '"');
	for (row = 0; row < rows && column_get(objects, row) != thread; row++)
		continue;
	if (row < rows)
		heap_thread_name(f->heap, (uint32_t)row + 1, b);
	else if (heap_field(f->heap, thread, STR("name"), 0, &slot) && slot.object != 0)
		heap_string(f->heap, slot.object, 100, b);
	buf_chr(b, '"');
}

/* ---- suspects ---------------------------------------------------------------------------- */

/* What an object holds on the way down to another: the name of its field. */
static void
add_field(const struct findings *f, uint32_t holder, uint32_t object, struct buf *b)
{
	struct heap_slot slot;
	uint32_t up = heap_dominator(f->heap, object), n;

	for (n = 0; up != holder && up != 0 && up != HEAP_ROOT && n < DEEP; n++) {
		object = up;
		up = heap_dominator(f->heap, up);
	}
	if (up == holder && heap_link(f->heap, holder, object, &slot) &&
	    (slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC)) {
		buf_chr(b, '.');
		buf_str(b, slot.name);
	}
}

static void
add_pile(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->number > 0 && x->class != 0) {
		buf_str(b, STR(": "));
		add_objects(f, x->number, x->class, b);
	} else if (heap_is_array(f->heap, x->other)) {
		buf_str(b, STR(", of "));
		finding_count(b, heap_length(f->heap, x->other));
		buf_str(b, STR(" elements"));
	} else {
		buf_str(b, STR(", of many kinds"));
	}
}

static void
add_suspect(const struct findings *f, const struct finding *x, struct buf *b)
{
	add_object(f, x->object, b);
	if (x->other != x->object)
		add_field(f, x->object, x->other, b);
	buf_str(b, STR(" holds "));
	add_part(f, x->retained, b);
	if (x->other != 0 && x->other != x->object) {
		buf_str(b, STR(", accumulated in "));
		add_object(f, x->other, b);
	}
	add_pile(f, x, b);
}

static void
add_suspect_class(const struct findings *f, const struct finding *x, struct buf *b)
{
	add_objects(f, x->count, x->class, b);
	buf_str(b, STR(" hold "));
	add_part(f, x->retained, b);
	buf_str(b, STR(" together; the largest is @"));
	buf_printf(b, "%" PRIu32 " with ", x->object);
	finding_size(b, heap_retained(f->heap, x->object));
}

/* ---- threads ------------------------------------------------------------------------------- */

/* What the thread dominates at once on the way down to an object. */
static uint32_t
part_of(const struct findings *f, uint32_t thread, uint32_t object)
{
	uint32_t up, n;

	for (n = 0; object != 0 && n < DEEP; n++) {
		up = heap_dominator(f->heap, object);
		if (up == thread)
			return object;
		object = up == HEAP_ROOT ? 0 : up;
	}
	return 0;
}

/* By a local, and in which frame that is, or by a field; false: by neither, but by several of them. */
static bool
add_local(const struct findings *f, uint32_t thread, uint32_t part, struct buf *b)
{
	struct heap_slot slot;
	uint32_t frame;

	if (part == 0 || !heap_link(f->heap, thread, part, &slot))
		return false;
	buf_str(b, heap_retained(f->heap, part) >= heap_retained(f->heap, thread) / 2 ? STR(", most by ") :
	    STR(", the largest part by "));
	buf_str(b, slot.kind == SLOT_FIELD ? STR("its field ") : STR("the local "));
	if (slot.kind == SLOT_FIELD) {
		buf_str(b, slot.name);
		buf_str(b, STR(", "));
	}
	add_object(f, part, b);
	buf_str(b, STR(" with "));
	finding_size(b, heap_retained(f->heap, part));
	frame = slot.kind != SLOT_LOCAL || slot.index == 0 ? 0 :
	    (uint32_t)column_get(store_column(f->heap->st, "root.frame"), slot.index - 1ull);
	if (frame == 0)
		return true;
	buf_str(b, STR(" in "));
	heap_frame_name(f->heap, frame, b);
	return true;
}

static void
add_thread_finding(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t part;

	buf_str(b, STR("thread "));
	add_thread(f, x->object, b);
	buf_str(b, STR(" holds "));
	add_part(f, x->retained, b);
	part = part_of(f, x->object, x->other);
	if ((!add_local(f, x->object, part, b) || part != x->other) && x->other != 0) {
		buf_str(b, STR(", accumulated in "));
		add_object(f, x->other, b);
	}
	if (x->number > 0)
		add_pile(f, x, b);
}

static void
add_thread_local(const struct findings *f, const struct finding *x, struct buf *b)
{
	add_objects(f, x->count, x->class, b);
	buf_str(b, x->count == 1 ? STR(" in a ThreadLocal of a pooled thread holds ") :
	    STR(" in ThreadLocals of pooled threads hold "));
	add_part(f, x->retained, b);
	if (x->number > 0) {
		buf_str(b, STR(", "));
		finding_count(b, x->number);
		buf_str(b, STR(" of a ThreadLocal that is gone"));
	}
	buf_str(b, x->count == 1 ? STR("; thread ") : STR("; the largest in thread "));
	add_thread(f, x->other, b);
}

/* ---- others ---------------------------------------------------------------------------------- */

static void
add_loader(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->count == 1) {
		buf_str(b, STR("class loader "));
		add_object(f, x->object, b);
		buf_str(b, STR(" seems to be given up"));
	} else {
		finding_count(b, x->count);
		buf_str(b, STR(" class loaders "));
		heap_label(f->heap, x->object, b);
		buf_str(b, STR(" seem to be given up"));
	}
	if (x->number > x->count) {
		buf_str(b, STR(" (of "));
		finding_count(b, x->number);
		buf_str(b, STR(" of that class)"));
	}
	buf_str(b, STR(" and cannot go, with "));
	add_part(f, x->retained, b);
	buf_str(b, x->count == 1 ? STR(": it loaded class ") : STR(": one loaded class "));
	heap_class_name(f->heap, x->class, b);
	if (x->other == 0)
		return;
	buf_str(b, STR(", which "));
	add_object(f, x->other, b);
	buf_str(b, STR(" holds"));
}

static void
add_collection(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->count == 1 && x->retained == heap_retained(f->heap, x->object)) {
		add_object(f, x->object, b);
		buf_str(b, STR(" of "));
		finding_count(b, x->number);
		buf_str(b, STR(" elements holds "));
		add_part(f, x->retained, b);
		return;
	}
	add_objects(f, x->count, x->class, b);
	buf_str(b, STR(" are mostly empty, "));
	finding_count(b, x->number);
	buf_str(b, STR(" have no element: they waste "));
	add_part(f, x->retained, b);
}

/* The pass that found them says so; the worst stand in front. */
static bool
is_zeros(const struct findings *f, uint32_t object)
{
	char name[HEAP_COLUMN];
	const struct column *objects = store_column(f->heap->st, heap_column(name,
	    "REFS.SIZES.dup.object", f->heap->refs, f->heap->sizes));
	const struct column *strings = store_column(f->heap->st, heap_column(name,
	    "REFS.SIZES.dup.string", f->heap->refs, f->heap->sizes));
	uint64_t row, rows = objects == NULL ? 0 : objects->rows;

	for (row = 0; row < rows && row < ROWS; row++)
		if (column_get(objects, row) == object)
			return column_get(strings, row) == ZEROS;
	return false;
}

static void
add_copies(const struct findings *f, const struct finding *x, struct buf *b)
{
	bool text = x->kind == FINDING_STRING_COPIES;

	finding_count(b, x->count);
	buf_str(b, text ? STR(" Strings") : STR(" arrays"));
	if (x->number == 1) {
		buf_str(b, text ? STR(" have the same text") : STR(" have the same content"));
	} else {
		buf_str(b, STR(" have only "));
		finding_count(b, x->number);
		buf_str(b, text ? STR(" different texts") : STR(" different contents"));
	}
	buf_str(b, STR(": the copies waste "));
	add_part(f, x->retained, b);
	buf_str(b, x->number == 1 ? STR("; ") : STR("; most of that is "));
	if (!text) {
		add_object(f, x->object, b);
		if (is_zeros(f, x->object))
			buf_str(b, STR(", of nothing but zeros"));
		return;
	}
	buf_chr(b, '"');
	heap_string(f->heap, x->object, 40, b);
	buf_chr(b, '"');
}

void
finding_why_jvm(const struct findings *f, const struct finding *x, struct buf *b)
{
	switch (x->kind) {
	case FINDING_SUSPECT:
		add_suspect(f, x, b);
		break;
	case FINDING_SUSPECT_CLASS:
		add_suspect_class(f, x, b);
		break;
	case FINDING_THREAD:
		add_thread_finding(f, x, b);
		break;
	case FINDING_THREAD_LOCAL:
		add_thread_local(f, x, b);
		break;
	case FINDING_LOADER:
		add_loader(f, x, b);
		break;
	case FINDING_COLLECTION:
		add_collection(f, x, b);
		break;
	case FINDING_STRING_COPIES:
	case FINDING_ARRAY_COPIES:
		add_copies(f, x, b);
		break;
	default:
		break;
	}
}
