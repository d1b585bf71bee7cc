/*
 * objects: rows of objects, known from the start or found one after the other.
 */
#include "config.h"

#include "heap.h"

static uint64_t
objects_reach(struct rows *r, uint64_t n)
{
	struct objects *s = (struct objects *)r;

	while (s->n < n && s->step != NULL && !s->ended && r->err.kind == E_NONE)
		if (!rows_tick(r, s->n) || !s->step(s))
			s->ended = true;
	return s->n;
}

static uint32_t
objects_at(const struct objects *s, uint64_t row)
{
	return s->object != NULL ? s->object(s, row) : SCRATCH(s->list, uint32_t)[row];
}

static void
objects_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct objects *s = (struct objects *)r;

	object_cell(r, &s->view, objects_at(s, row), s->field[col], c);
}

static void
objects_close(struct rows *r)
{
	struct objects *s = (struct objects *)r;

	if (s->release != NULL)
		s->release(s);
	scratch_free(&s->list);
	heap_view_close(&s->view);
}

static const struct rows_ops objects_ops = { .reach = objects_reach, .cell = objects_cell,
	.close = objects_close };

void *
objects_new(size_t size, struct session *session, const struct command *command,
    const enum object_col *field, struct rows *in, struct err *err)
{
	struct objects *s = rows_new(size, &objects_ops, session, in, err);

	if (s == NULL)
		return NULL;
	s->list = SCRATCH_INIT;
	s->rows.cols = command->cols;
	s->rows.ncols = command->ncols;
	s->field = field;
	s->ended = session_store(session) == NULL;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return NULL;
	}
	return s;
}

bool
objects_add(struct objects *s, uint32_t object)
{
	if (!scratch_array(&s->list, s->n + 1, sizeof(uint32_t), &s->rows.err))
		return false;
	SCRATCH(s->list, uint32_t)[s->n++] = object;
	return true;
}
