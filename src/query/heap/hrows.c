/*
 * hrows: rows over a heap dump, declared by tables.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "hrows.h"

/* ---- cells -------------------------------------------------------------------------- */

static const void *
item_at(struct heap_rows *s, uint64_t row)
{
	const struct heap_source *from = s->source;

	if (s->numbered) {
		s->number = (uint32_t)row + 1;
		return &s->number;
	}
	if (from->item_at != NULL)
		return from->item_at(s, row);
	return s->list.data + row * (from->item == 0 ? sizeof(uint32_t) : from->item);
}

static uint64_t
number_in(const uint8_t *item, const struct origin *o)
{
	switch (o->bytes) {
	case 1:
		return item[o->at];
	case 8:
		return *(const uint64_t *)(const void *)(item + o->at);
	default:
		assert(o->bytes == 0 || o->bytes == sizeof(uint32_t));
		return *(const uint32_t *)(const void *)(item + o->at);
	}
}

static void
heap_rows_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct heap_rows *s = (struct heap_rows *)r;
	const struct origin *o = r->cols[col].origin;
	uint64_t n;

	c->type = r->cols[col].type;
	s->item = item_at(s, row);
	n = number_in(s->item, o);
	if (o->by != COL_NONE)
		n = column_get(s->by[col], n - 1);
	if (o->then != COL_NONE)
		n = column_get(s->then[col], n - 1);
	if (o->cell != NULL)
		o->cell(s, n, c);
	else if (o->text != NULL && !o->text(s, n, cell_begin(s)))
		c->type = CELL_NONE;
	else if (o->text != NULL)
		cell_text(r, c, &s->view.text);
	else if (o->words != NULL || o->word != NULL)
		cell_word(c, o->words != NULL ? o->words[n] : o->word((unsigned)n));
	else
		view_cell(r, &s->view, n, o->show, c);
}

/* Read the numbers of the items, then look up the columns of the origin. */
static bool
heap_rows_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct heap_rows *s = (struct heap_rows *)r;
	const struct origin *o = r->cols[col].origin;

	if (o->cell != NULL || o->text != NULL || o->words != NULL || o->word != NULL)
		return false;
	assert(o->by != COL_NONE || o->then == COL_NONE);
	if (s->numbered && o->by != COL_NONE)
		column_copy(s->by[col], first, b->u, n);
	else if (s->numbered)
		b->u[0] = first + 1;
	for (size_t i = 0; !s->numbered && i < n; i++)
		b->u[i] = number_in(item_at(s, first + i), o);
	if (!s->numbered && o->by != COL_NONE)
		column_look_up(s->by[col], b->u, n);
	if (o->then != COL_NONE)
		column_look_up(s->then[col], b->u, n);
	return view_batch(&s->view, b, n, s->numbered && o->by == COL_NONE, o->show, r->cols[col].type);
}

static void
heap_rows_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	view_value(r, &((struct heap_rows *)r)->view, value, r->cols[col].origin->show, c);
}

void
cell_share(struct cell *c, uint64_t part, uint64_t whole)
{
	c->type = whole == 0 ? CELL_NONE : CELL_PERCENT;
	c->f = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* ---- rows ------------------------------------------------------------------------ */

bool
heap_rows_add(struct heap_rows *s, const void *item)
{
	return scratch_add(&s->list, &s->n, item, s->source->item, &s->rows.err);
}

bool
heap_rows_add_number(struct heap_rows *s, uint32_t number)
{
	return scratch_add(&s->list, &s->n, &number, sizeof number, &s->rows.err);
}

bool
heap_rows_next(struct heap_rows *s, uint32_t *object)
{
	return object_next(s->rows.in, &s->row, s->col, &s->view.heap, object);
}

bool
heap_rows_classes(struct heap_rows *s, bool others)
{
	const struct heap *h = &s->view.heap;
	uint32_t object, class;

	if (!classes_make(&s->classes, h, &s->rows.err))
		return false;
	while (s->rows.in != NULL && heap_rows_next(s, &object)) {
		class = heap_class_of_object(h, object);
		if (others && object != 0 && class == 0)
			class = heap_class(h, object);
		if (class != 0)
			s->classes.has[class] = 1;
	}
	return s->rows.in == NULL || rows_error(s->rows.in) == NULL;
}

bool
heap_rows_threads(struct heap_rows *s)
{
	const struct column *objects = store_column(s->view.heap.st, COL_JTHREAD_OBJECT);
	struct scratch named = SCRATCH_INIT;
	uint32_t object;
	bool ok;

	if (s->rows.in == NULL)
		return true;
	s->threads.n = objects == NULL ? 0 : (uint32_t)objects->rows;
	s->threads.has = mem_array(s->threads.n + 1ull, 1);
	ok = s->threads.has != NULL || fail(&s->rows.err, E_SYSTEM, "out of memory (threads)");
	ok = ok && scratch_array(&named, s->view.heap.objects / 64 + 1ull, sizeof(uint64_t), &s->rows.err);
	while (ok && heap_rows_next(s, &object))
		set_bit(&named, object);
	for (uint32_t i = 1; ok && i <= s->threads.n; i++) {
		object = (uint32_t)column_get(objects, i - 1);
		s->threads.has[i] = object != 0 && has_bit(&named, object);
	}
	scratch_free(&named);
	return ok && rows_error(s->rows.in) == NULL;
}

void
heap_rows_numbered(struct heap_rows *s, uint64_t n)
{
	s->numbered = s->ended = true;
	s->n = n;
}

static uint64_t
heap_rows_reach(struct rows *r, uint64_t n)
{
	struct heap_rows *s = (struct heap_rows *)r;
	const struct heap_source *from = s->source;
	unsigned left = 0;

	for (; s->n < n && !s->ended && r->err.kind == E_NONE; left--) {
		if (left == 0) {
			left = from->steps == 0 ? 1 : from->steps;
			s->ended = !rows_tick(r, s->n);
		}
		s->ended = s->ended || !from->step(s);
	}
	return s->n;
}

static void
heap_rows_close(struct rows *r)
{
	struct heap_rows *s = (struct heap_rows *)r;

	if (s->began && s->source->end != NULL)
		s->source->end(s);
	scratch_free(&s->list);
	classes_free(&s->classes);
	jthreads_free(&s->threads);
	link_index_free(&s->links);
	heap_view_close(&s->view);
}

static const struct rows_ops heap_ops = {
	.reach = heap_rows_reach, .cell = heap_rows_cell, .close = heap_rows_close, .touch = touch_own,
	.batch = heap_rows_batch, .value = heap_rows_value
};

/* ---- opening ----------------------------------------------------------------------- */

static void
hrows_find_columns(struct heap_rows *s)
{
	const struct origin *o;

	assert(s->rows.ncols <= HEAP_ROWS_COLUMNS);
	for (size_t i = 0; i < s->rows.ncols; i++) {
		o = s->rows.cols[i].origin;
		if (o->by != COL_NONE)
			s->by[i] = view_column(&s->view, o->by);
		if (o->then != COL_NONE)
			s->then[i] = view_column(&s->view, o->then);
	}
}

/* The classes that a source is about; a stage is about those of its rows. */
static bool
read_classes(struct heap_rows *s, const struct stage *stage, struct err *err)
{
	if (s->rows.in != NULL)
		return true;
	return classes_of_stage(&s->classes, &s->view.heap, stage, err);
}

static bool
hrows_read_arguments(struct heap_rows *s, const struct stage *stage, struct err *err)
{
	switch (s->source->args) {
	case ARGS_CLASSES:
		return read_classes(s, stage, err);
	case ARGS_THREADS:
		return s->rows.in != NULL || jthreads_of_stage(&s->threads, &s->view.heap, stage, err);
	case ARGS_NONE:
	case ARGS_OWN:
	case ARGS_OBJECTS:
		break;
	}
	return true;
}

/* Note which class a name without a package was resolved to. */
static void
note_class(struct heap_rows *s)
{
	struct buf name = BUF_INIT;
	struct str package, simple;

	if (s->classes.simple == 0)
		return;
	heap_class_name(&s->view.heap, s->classes.simple, &name);
	if (!name.bad && str_divide_last(buf_view(&name), '.', &package, &simple))
		rows_note_add(&s->rows, "'%.*s' is %.*s", (int)simple.n, simple.s, (int)name.n, name.s);
	buf_free(&name);
}

static bool
heap_rows_begin(struct heap_rows *s, const struct stage *stage, struct err *err)
{
	const struct heap_source *from = s->source;
	const struct column *all;

	if (!heap_view_open(&s->view, s->rows.session, err))
		return false;
	s->ended = from->step == NULL || store_is_blank(s->view.heap.st);
	hrows_find_columns(s);
	if (from->rows_of != COL_NONE) {
		all = view_column(&s->view, from->rows_of);
		heap_rows_numbered(s, all == NULL ? 0 : all->rows);
	}
	if (!hrows_read_arguments(s, stage, err))
		return false;
	s->began = true;
	if (from->begin == NULL || from->begin(s, stage, err)) {
		note_class(s);
		return true;
	}
	if (s->rows.err.kind != E_NONE)
		*err = s->rows.err;
	return false;
}

struct rows *
heap_rows_over(struct session *session, const struct command *command, const struct stage *stage,
    struct rows *in, size_t col, struct err *err)
{
	const struct heap_source *from = command->source;
	struct heap_rows *s = rows_new(from->size == 0 ? sizeof *s : from->size, &heap_ops, session, in, err);

	if (s == NULL)
		return NULL;
	s->source = from;
	s->col = col;
	s->rows.reads = COLUMN_BIT(col);
	s->rows.cols = command->cols;
	s->rows.ncols = command->ncols;
	if (heap_rows_begin(s, stage, err))
		return &s->rows;
	rows_close(&s->rows);
	return NULL;
}

/* The objects of the arguments as rows; errors speak of the stage. */
static bool
open_objects(struct session *session, const struct stage *stage, struct rows **in, struct err *err)
{
	/* "dominator all" names none. */
	if (stage->n == 0)
		return fail_needs(stage, err);
	*in = heap_rows_over(session, &source_objects, stage, NULL, 0, err);
	return *in != NULL;
}

/* Open the input rows of a command: none, the rows in front, or the objects of its arguments. */
static bool
open_in(struct session *session, const struct stage *stage, struct rows **in, size_t *col, struct err *err)
{
	const struct heap_source *from = stage->command->source;
	bool objects = from->args == ARGS_OBJECTS && *in == NULL;
	struct stage read = *stage;
	int found;

	if (from->count_objects != NULL)
		read.n = from->count_objects(stage);
	if (from->args == ARGS_NONE || (*in != NULL && from->args != ARGS_OWN)) {
		if (!stage_at_most(&read, 0, err))
			return false;
	}
	if (objects && !open_objects(session, &read, in, err))
		return false;
	if (*in == NULL)
		return true;
	found = object_column(stage, *in, err);
	*col = found < 0 ? 0 : (size_t)found;
	return found >= 0;
}

bool
heap_rows_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	const struct heap_rows *s;
	struct rows *r;
	size_t col = 0;

	if (!open_in(session, stage, &in, &col, err)) {
		rows_close(in);
		return false;
	}
	r = heap_rows_over(session, stage->command, stage, in, col, err);
	s = (const struct heap_rows *)r;
	return r != NULL && fields_over(session, stage, r, s->of_classes ? &s->classes : NULL, out, err);
}
