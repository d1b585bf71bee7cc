/*
 * finding_text: why a finding is one, in a line: the text of its kind, with what the finding has put in.
 *
 * In a text %x stands for a value: add_value has the letters.  {xYES|NO} is YES where a condition holds, else NO,
 * which may be left out: holds has the letters of the conditions.  Nothing stands in another one.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "findings.h"

#define HOPS_MAX 65536u	/* paths up to that length are looked at for known leaks */
#define ROWS 4096u	/* of equal arrays that are looked at */
#define ZEROS 2u	/* dup.string of arrays of nothing but zeros */

/* ---- words ----------------------------------------------------------------------------- */

static void
add_size(uint64_t bytes, struct buf *b)
{
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_str(b, str_of(text));
}

static void
add_count(uint64_t n, struct buf *b)
{
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, n);
	buf_str(b, str_of(text));
}

/* "12.4 MiB (63%)" */
static void
add_part(const struct findings *f, uint64_t bytes, struct buf *b)
{
	uint64_t live = heap_fact(f->heap->st, "live_bytes", f->heap->refs, f->heap->sizes);

	add_size(bytes, b);
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

/* Its name, in quotes. */
static void
add_thread(const struct findings *f, uint32_t thread, struct buf *b)
{
	const struct column *objects = store_column(f->heap->st, COL_JTHREAD_OBJECT);
	uint64_t row, rows = objects == NULL ? 0 : objects->rows;
	uint32_t name;

	buf_chr(b, '"');
	for (row = 0; row < rows && column_get(objects, row) != thread; row++)
		continue;
	if (row < rows)
		heap_thread_name(f->heap, (uint32_t)row + 1, b);
	else if ((name = heap_field_object(f->heap, thread, STR("name"))) != 0)
		heap_string(f->heap, name, 100, b);
	buf_chr(b, '"');
}

/* ---- suspects and threads ---------------------------------------------------------------- */

/* What an object dominates at once on the way down to another one; 0: it does not dominate that. */
static uint32_t
part_of(const struct findings *f, uint32_t holder, uint32_t object)
{
	uint32_t up;

	for (uint32_t n = 0; object != 0 && n <= DEEP; n++, object = up) {
		up = heap_above(f->heap, object);
		if (up == holder)
			return object;
	}
	return 0;
}

/* The field by which a suspect holds where the heap accumulates. */
static void
add_field(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t part = x->other == x->object ? 0 : part_of(f, x->object, x->other);
	struct heap_slot slot;

	if (part != 0 && heap_link(f->heap, x->object, part, &slot) &&
	    (slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC)) {
		buf_chr(b, '.');
		buf_str(b, slot.name);
	}
}

/* What it accumulates. */
static void
add_pile(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->number > 0 && x->class != 0) {
		buf_str(b, STR(": "));
		add_count(x->number, b);
		buf_chr(b, ' ');
		heap_class_name(f->heap, x->class, b);
	} else if (heap_is_array(f->heap, x->other)) {
		buf_str(b, STR(", of "));
		add_count(heap_length(f->heap, x->other), b);
		buf_str(b, STR(" elements"));
	} else {
		buf_str(b, STR(", of many kinds"));
	}
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
	add_size(heap_retained(f->heap, part), b);
	frame = slot.kind != SLOT_LOCAL || slot.index == 0 ? 0 :
	    (uint32_t)column_get(store_column(f->heap->st, COL_ROOT_FRAME), slot.index - 1ull);
	if (frame == 0)
		return true;
	buf_str(b, STR(" in "));
	heap_frame_name(f->heap, frame, b);
	return true;
}

/* How a thread holds what it keeps. */
static void
add_holding(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t part = part_of(f, x->object, x->other);

	if ((!add_local(f, x->object, part, b) || part != x->other) && x->other != 0) {
		buf_str(b, STR(", accumulated in "));
		add_object(f, x->other, b);
	}
}

static void
add_string(const struct findings *f, uint32_t object, struct buf *b)
{
	buf_chr(b, '"');
	heap_string(f->heap, object, 40, b);
	buf_chr(b, '"');
}

/* ---- texts of kinds ------------------------------------------------------------------------ */

static void
add_value(const struct findings *f, const struct finding *x, char letter, struct buf *b)
{
	uint32_t object = letter >= 'a' ? x->object : x->other;

	switch (letter) {
	case 'n':
		add_count(x->count, b);
		break;
	case 'm':
		add_count(x->number, b);
		break;
	case 'r':
		add_size(x->retained, b);
		break;
	case 'R':	/* of the object itself */
		add_size(heap_retained(f->heap, x->object), b);
		break;
	case 'p':
		add_part(f, x->retained, b);
		break;
	case 'o':
	case 'O':
		add_object(f, object, b);
		break;
	case 'l':	/* without its number */
	case 'L':
		heap_label(f->heap, object, b);
		break;
	case 'i':
		buf_printf(b, "@%" PRIu32, x->object);
		break;
	case 'c':
		heap_class_name(f->heap, x->class, b);
		break;
	case 't':
	case 'T':
		add_thread(f, object, b);
		break;
	case 's':
		add_string(f, x->object, b);
		break;
	case 'f':
		add_field(f, x, b);
		break;
	case 'h':
		add_holding(f, x, b);
		break;
	case 'P':
		add_pile(f, x, b);
		break;
	default:
		assert(!"a letter of a text that is no value");
	}
}

/* The pass that found equal arrays says so; the worst stand in front. */
static bool
is_zeros(const struct findings *f, uint32_t object)
{
	const struct column *objects = heap_column(f->heap, COL_EACH_DUP_OBJECT);
	const struct column *strings = heap_column(f->heap, COL_EACH_DUP_STRING);
	uint64_t rows = objects == NULL ? 0 : objects->rows;

	for (uint64_t row = 0; row < rows && row < ROWS; row++)
		if (column_get(objects, row) == object)
			return column_get(strings, row) == ZEROS;
	return false;
}

static bool
holds(const struct findings *f, const struct finding *x, char condition)
{
	switch (condition) {
	case '1':	/* it stands for one object */
		return x->count == 1;
	case 'm':
		return x->number > 0;
	case '2':
		return x->number > 1;
	case 'N':
		return x->number > x->count;
	case 'o':
		return x->other != 0;
	case 'a':	/* the heap accumulates elsewhere */
		return x->other != 0 && x->other != x->object;
	case 'w':	/* one large collection: the bytes are the whole object's */
		return x->count == 1 && x->retained == heap_retained(f->heap, x->object);
	case 'z':
		return is_zeros(f, x->object);
	default:
		assert(!"a letter of a text that is no condition");
		return false;
	}
}

static void
add_text(const struct findings *f, const struct finding *x, const char *text, struct buf *b)
{
	bool left_out = false;

	for (const char *p = text; *p != '\0'; p++)
		if (*p == '{')
			left_out = !holds(f, x, *++p);
		else if (*p == '|')
			left_out = !left_out;
		else if (*p == '}')
			left_out = false;
		else if (left_out)
			continue;
		else if (*p == '%')
			add_value(f, x, *++p, b);
		else
			buf_chr(b, *p);
}

/* ---- leaks ------------------------------------------------------------------------------- */

/* A reference of a library that is known to leak, on the way. */
static const char *
known_leak(struct inspector *in, const struct finding *finding)
{
	struct verdict *v;
	const char *note = NULL;
	size_t from, to;

	if (finding->hops == 0 || finding->hops > HOPS_MAX ||
	    (v = mem_array(finding->hops, sizeof *v)) == NULL)
		return NULL;
	inspect_path(in, finding->hop, finding->hops, v, &from, &to);
	for (size_t i = 0; i < finding->hops && note == NULL; i++)
		note = v[i].note;
	free(v);
	return note;
}

static void
why_leak(const struct findings *f, struct inspector *in, const struct finding *finding, struct buf *b)
{
	struct verdict v;
	const char *note;
	size_t before;

	inspect(in, finding->object, &v);
	buf_str(b, str_of(v.mark == LEAK_YES ? v.why : finding_rows[finding->kind].what));
	before = b->n;
	buf_str(b, STR(", "));
	inspect_label(in, finding->object, b);
	if (b->n == before + 2)
		b->n = before;
	add_text(f, finding, "; %r retained", b);
	if (finding->count > 1)
		add_text(f, finding, "; %n leaking objects in all", b);
	note = known_leak(in, finding);
	if (note != NULL)
		buf_printf(b, "; known: %s", note);
}

void
finding_why(const struct findings *f, struct inspector *in, const struct finding *finding,
    struct buf *b)
{
	const char *text = finding_rows[finding->kind].why;

	if (text != NULL)
		add_text(f, finding, text, b);
	else
		why_leak(f, in, finding, b);
}
