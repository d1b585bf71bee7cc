/*
 * heap_view: a heap that rows are read from, and what columns say of an object.
 */
#include "config.h"

#include <stdlib.h>

#include "copies.h"

#define STRING_MAX (1u << 20)	/* characters of a string that a cell shows */

bool
heap_view_open(struct heap_view *v, const struct session *session, struct err *err)
{
	const struct store *st = session_store(session);

	v->text = BUF_INIT;
	v->copies = NULL;
	if (st == NULL)
		return true;
	if (!heap_open(&v->heap, st, session->refs, session->sizes, err))
		return false;
	v->live = heap_fact(st, "live_bytes", session->refs, session->sizes);
	return true;
}

void
heap_view_close(struct heap_view *v)
{
	buf_free(&v->text);
	if (v->copies != NULL)
		copies_free(v->copies);
	free(v->copies);
	v->copies = NULL;
}

const struct column *
view_column(const struct heap_view *v, enum col col)
{
	return store_column(v->heap.st, heap_col(col, v->heap.refs, v->heap.sizes));
}

/* ---- texts --------------------------------------------------------------------- */

static void
text_begin(struct heap_view *v)
{
	buf_clear(&v->text);
	v->class = 0;
}

/* Objects of one class often follow each other: its name is made once. */
void
cell_class(struct rows *r, struct heap_view *v, uint32_t class, struct cell *c)
{
	c->type = CELL_NONE;
	if (class == 0)
		return;
	if (class != v->class) {
		text_begin(v);
		heap_class_name(&v->heap, class, &v->text);
		v->class = class;
	}
	cell_text(r, c, &v->text);
}

void
cell_label(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	c->type = CELL_NONE;
	if (object == 0)
		return;
	if (heap_class_of_object(&v->heap, object) == 0) {
		cell_class(r, v, heap_class(&v->heap, object), c);
		return;
	}
	text_begin(v);
	heap_label(&v->heap, object, &v->text);
	cell_text(r, c, &v->text);
}

void
cell_thread(struct rows *r, struct heap_view *v, uint32_t jthread, struct cell *c)
{
	c->type = CELL_NONE;
	if (jthread == 0)
		return;
	text_begin(v);
	heap_thread_name(&v->heap, jthread, &v->text);
	cell_text(r, c, &v->text);
}

void
cell_frame(struct rows *r, struct heap_view *v, uint32_t frame, struct cell *c)
{
	c->type = CELL_NONE;
	if (frame == 0)
		return;
	text_begin(v);
	heap_frame_name(&v->heap, frame, &v->text);
	cell_text(r, c, &v->text);
}

void
cell_number(struct cell *c, enum cell_type type, uint64_t n)
{
	c->type = n == 0 ? CELL_NONE : type;
	c->u = n;
}

/* ---- objects ------------------------------------------------------------------- */

static struct str
kind_name(enum heap_kind kind)
{
	switch (kind) {
	case HEAP_INSTANCE:
		return STR("instance");
	case HEAP_OBJECT_ARRAY:
		return STR("object array");
	case HEAP_PRIM_ARRAY:
		return STR("primitive array");
	case HEAP_CLASS:
		break;
	}
	return STR("class");
}

/* Android keeps a text in bytes only where all of it is ASCII. */
static struct str
coder_name(const struct heap *h, unsigned coder)
{
	if (coder == 0 && store_fact_get(h->st, "heap.android") != 0)
		return STR("ascii");
	return coder == 0 ? STR("latin1") : coder == 1 ? STR("utf16") : STR("char");
}

static void
length_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	c->type = heap_is_array(h, object) ? CELL_COUNT : CELL_NONE;
	c->u = heap_length(h, object);
}

/* Empty for what no object dominates and for what is unreachable. */
static void
dominator_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	uint32_t by = heap_dominator(h, object);

	cell_number(c, CELL_ID, by == HEAP_ROOT ? 0 : by);
}

/* Of strings that can be reached: the others were not compared. */
static void
copies_cell(struct rows *r, struct heap_view *v, uint32_t object, enum object_col col,
    struct cell *c)
{
	uint64_t row;
	struct heap_text t;

	c->type = CELL_NONE;
	if (heap_dominator(&v->heap, object) == 0 || !heap_text(&v->heap, object, &t))
		return;
	if (v->copies == NULL && (v->copies = mem_array(1, sizeof *v->copies)) == NULL)
		fail(&r->err, E_SYSTEM, "no memory for the copies of strings");
	if (v->copies == NULL || !copies_make(v->copies, v, r->work, &r->err))
		return;
	c->type = col == OBJECT_WASTE ? CELL_BYTES : CELL_COUNT;
	if (col == OBJECT_WASTE) {
		c->u = copies_waste(v->copies, &v->heap, object);
	} else if (col == OBJECT_SHARED) {
		c->u = t.array == 0 ? 0 : copies_sharers(v->copies, t.array);
	} else {
		row = copies_row(v->copies, object);
		c->u = row == 0 ? 1 : column_get(v->copies->copies,
		    copies_group(v->copies, row) - 1);
	}
}

static void
string_cell(struct rows *r, struct heap_view *v, uint32_t object, enum object_col col,
    struct cell *c)
{
	struct heap_text t;

	c->type = CELL_NONE;
	if (col == OBJECT_VALUE) {
		text_begin(v);
		if (heap_string(&v->heap, object, STRING_MAX, &v->text))
			cell_text(r, c, &v->text);
		return;
	}
	if (!heap_text(&v->heap, object, &t))
		return;
	if (col == OBJECT_ARRAY)
		cell_number(c, CELL_ID, t.array);
	else if (col == OBJECT_CHARS) {
		c->type = CELL_COUNT;
		c->u = t.length;
	} else if (t.array != 0) {
		c->type = CELL_TEXT;
		c->text = coder_name(&v->heap, t.coder);
	}
}

static void
amount_cell(const struct heap_view *v, uint32_t object, enum object_col col, struct cell *c)
{
	uint64_t retained;

	c->type = CELL_BYTES;
	if (col == OBJECT_SHALLOW || col == OBJECT_NATIVE) {
		c->u = col == OBJECT_SHALLOW ? heap_shallow(&v->heap, object) :
		    heap_native(&v->heap, object);
		return;
	}
	retained = heap_retained(&v->heap, object);
	c->u = retained;
	if (col == OBJECT_RETAINED)
		return;
	c->type = CELL_PERCENT;
	c->f = v->live == 0 ? 0 : 100.0 * (double)retained / (double)v->live;
}

void
object_cell(struct rows *r, struct heap_view *v, uint32_t object, enum object_col col,
    struct cell *c)
{
	c->type = CELL_NONE;
	if (object == 0)
		return;
	switch (col) {
	case OBJECT_ID:
		cell_number(c, CELL_ID, object);
		break;
	case OBJECT_ADDR:
		c->type = CELL_ADDR;
		c->u = heap_addr(&v->heap, object);
		break;
	case OBJECT_CLASS:
		cell_class(r, v, heap_class(&v->heap, object), c);
		break;
	case OBJECT_LABEL:
		cell_label(r, v, object, c);
		break;
	case OBJECT_KIND:
		c->type = CELL_TEXT;
		c->text = kind_name(heap_kind(&v->heap, object));
		break;
	case OBJECT_LENGTH:
		length_cell(&v->heap, object, c);
		break;
	case OBJECT_SHALLOW:
	case OBJECT_RETAINED:
	case OBJECT_PERCENT:
	case OBJECT_NATIVE:
		amount_cell(v, object, col, c);
		break;
	case OBJECT_REACHABLE:
		c->type = CELL_TEXT;
		c->text = str_of(heap_strength_name(heap_reach(&v->heap, object)));
		break;
	case OBJECT_DOMINATOR:
		dominator_cell(&v->heap, object, c);
		break;
	case OBJECT_HEAP:
		c->type = CELL_TEXT;
		c->text = heap_part(&v->heap, object);
		break;
	case OBJECT_OFFSET:
		c->type = CELL_ID;
		c->u = heap_offset(&v->heap, object);
		break;
	case OBJECT_VALUE:
	case OBJECT_CHARS:
	case OBJECT_CODER:
	case OBJECT_ARRAY:
		string_cell(r, v, object, col, c);
		break;
	case OBJECT_COPIES:
	case OBJECT_SHARED:
	case OBJECT_WASTE:
		copies_cell(r, v, object, col, c);
		break;
	}
}
