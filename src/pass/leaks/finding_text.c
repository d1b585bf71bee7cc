/*
 * finding_text: why a finding is one, in a line.
 */
#include "config.h"

#include <stdlib.h>

#include "findings.h"

#define HOPS_MAX 65536u		/* paths up to that length are looked at for known leaks */

void
finding_size(struct buf *b, uint64_t bytes)
{
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_str(b, str_of(text));
}

void
finding_count(struct buf *b, uint64_t n)
{
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, n);
	buf_str(b, str_of(text));
}

/* ---- leaks ------------------------------------------------------------------------------- */

/* A reference of a library that is known to leak, on the way. */
static const char *
known_leak(struct inspector *in, const struct finding *finding)
{
	struct verdict *v;
	const char *note = NULL;
	size_t from, to, i;

	if (finding->hops == 0 || finding->hops > HOPS_MAX ||
	    (v = mem_array(finding->hops, sizeof *v)) == NULL)
		return NULL;
	inspect_path(in, finding->hop, finding->hops, v, &from, &to);
	for (i = 0; i < finding->hops && note == NULL; i++)
		note = v[i].note;
	free(v);
	return note;
}

static void
why_leak(struct inspector *in, const struct finding *finding, struct buf *b)
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
	buf_str(b, STR("; "));
	finding_size(b, finding->retained);
	buf_str(b, STR(" retained"));
	if (finding->count > 1) {
		buf_str(b, STR("; "));
		finding_count(b, finding->count);
		buf_str(b, STR(" leaking objects in all"));
	}
	note = known_leak(in, finding);
	if (note != NULL)
		buf_printf(b, "; known: %s", note);
}

/* ---- the other kinds of Android -------------------------------------------------------------- */

static void
why_static_view(const struct findings *f, const struct finding *finding, struct buf *b)
{
	buf_str(b, STR("held by a static of "));
	heap_label(f->heap, finding->other, b);
	buf_str(b, STR("; "));
	finding_size(b, finding->retained);
	buf_str(b, STR(" retained"));
}

static void
why_cursor(const struct finding *finding, struct buf *b)
{
	finding_count(b, finding->count);
	buf_str(b, finding->count == 1 ? STR(" is open") : STR(" are open"));
	if (finding->number != 0)
		buf_str(b, STR(" and only wait for their finalizer"));
	buf_str(b, STR("; "));
	finding_size(b, finding->retained);
	buf_str(b, STR(" retained"));
}

static void
why_recycled(const struct finding *finding, struct buf *b)
{
	finding_count(b, finding->count);
	buf_str(b, finding->count == 1 ? STR(" was recycled and is held") :
	    STR(" were recycled and are held"));
	if (finding->number != 0) {
		buf_str(b, STR(", "));
		finding_count(b, finding->number);
		buf_str(b, STR(" with pixels"));
	}
	buf_str(b, STR("; "));
	finding_size(b, finding->retained);
	buf_str(b, STR(" retained"));
}

static void
why_copies(const struct finding *finding, struct buf *b)
{
	finding_count(b, finding->count);
	buf_str(b, STR(" bitmaps show "));
	if (finding->number > 1) {
		buf_str(b, STR("only "));
		finding_count(b, finding->number);
		buf_str(b, STR(" different pictures; "));
	} else
		buf_str(b, STR("the same picture; "));
	finding_size(b, finding->retained);
	buf_str(b, STR(" could be saved"));
}

static void
why_finalizer(const struct finding *finding, struct buf *b)
{
	finding_count(b, finding->count);
	buf_str(b, STR(" of "));
	finding_count(b, finding->number);
	buf_str(b, STR(" objects with a finalizer wait for it; they take "));
	finding_size(b, finding->retained);
	buf_str(b, STR(" without what they hold"));
}

void
finding_why(const struct findings *f, struct inspector *in, const struct finding *finding,
    struct buf *b)
{
	switch (finding->kind) {
	case FINDING_STATIC_VIEW:
		why_static_view(f, finding, b);
		break;
	case FINDING_CURSOR:
		why_cursor(finding, b);
		break;
	case FINDING_BITMAP_RECYCLED:
		why_recycled(finding, b);
		break;
	case FINDING_BITMAP_COPIES:
		why_copies(finding, b);
		break;
	case FINDING_FINALIZER:
		why_finalizer(finding, b);
		break;
	default:
		if (finding_rows[finding->kind].severity == SEVERITY_LEAK)
			why_leak(in, finding, b);
		else
			finding_why_jvm(f, finding, b);
		break;
	}
}
