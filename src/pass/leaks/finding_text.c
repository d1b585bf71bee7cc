/*
 * finding_text: why a finding is one, in a line: the phrase of its kind, filled in, or what the inspector of an object says.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_content.h"
#include "icecore/heap_names.h"
#include "findings.h"

#define HOPS_MAX 65536u	/* paths up to that length are looked at for known leaks */
#define ROWS 4096u	/* of equal strings and arrays that are looked at */

/* ---- conditions ------------------------------------------------------------------------ */

/* Return the cell of column col for the group of equal strings or arrays with this object; the worst groups come first. */
static uint64_t
finding_text_copies_cell(const struct findings *f, uint32_t object, column_id col)
{
	const struct column *firsts = heap_column(f->heap, COL_EACH_DUP_FIRST);
	const struct column *copies = heap_column(f->heap, COL_EACH_DUP_COPIES);
	const struct column *member = heap_column(f->heap, COL_EACH_DUP_MEMBER), *cells = heap_column(f->heap, col);
	uint64_t rows = column_rows(firsts), all = column_rows(member), first, end, at;

	for (uint64_t row = 0; row < rows && row < ROWS; row++) {
		first = column_get(firsts, row);
		end = first > all || column_get(copies, row) > all - first ? first : first + column_get(copies, row);
		at = column_place_in(member, first, end, object);
		if (at < end && column_get(member, at) == object)
			return column_get(cells, row);
	}
	return 0;
}

bool
finding_most(const struct findings *f, const struct finding *x)
{
	return finding_text_copies_cell(f, x->object, COL_EACH_DUP_WASTE) >= x->retained / 2;
}

bool
finding_zeros(const struct findings *f, const struct finding *x)
{
	return finding_text_copies_cell(f, x->object, COL_EACH_DUP_STRING) == COPIES_ZEROS;
}

bool
finding_zlib(const struct findings *f, const struct finding *x)
{
	struct name_node n;
	uint64_t bytes = 0, end = x->owner, id = x->owner;

	for (; id != 0 && id <= names_count(f->heap) && (id == x->owner || (id < end && id - x->owner < ROWS)); id++) {
		names_get(f->heap, (uint32_t)id, &n);
		end = id == x->owner ? id + n.size : end;
		bytes += str_glob(STR("java.util.zip.*"), n.class) ? n.native : 0;
	}
	return bytes * 2 > x->native;
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
	finding_phrase(f, finding, "; {retained} retained{count:|; {count} leaking objects in all}", b);
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
		finding_phrase(f, finding, text, b);
	else
		why_leak(f, in, finding, b);
}
