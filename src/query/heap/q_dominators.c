/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_dominators: what objects dominate, retain, and are dominated by.
 */
#include "config.h"

#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 4096		/* objects found between two ticks */

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_EACH_CHILDREN, COL_NONE };
static const column_id needs_top[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NONE };

/* ---- dominators ------------------------------------------------------------------ */

static const struct coldef dominator_cols[] = {
	{ "object", CELL_ID, "object", SOME_OF(), OBJECT_ID },
	{ "class", CELL_TEXT, "class (of a Class object: its name)", FROM(OBJECT_LABEL) },
	{ "shallow", CELL_BYTES, "shallow size", FROM(OBJECT_SHALLOW) },
	{ "retained", CELL_BYTES, "retained size", FROM(OBJECT_RETAINED), SUMS(objects) },
	{ "percent", CELL_PERCENT, "share of the reachable heap and its native memory", FROM(OBJECT_PERCENT) },
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR) },
	{ "dominator", CELL_ID, "immediate dominator", MORE, FROM(OBJECT_DOMINATOR), OBJECT_ID }
};

struct children {
	struct item_rows	rows;
	uint32_t		object;		/* that dominates them */
	struct siblings		of;
};

/* Any of them when the rows have failed. */
static const void *
child_at(struct item_rows *s, uint64_t row)
{
	struct siblings *of = &((struct children *)s)->of;

	return &of->object[siblings_sort(of, &HEAP(s)->view.heap, row, s->rows.work, &s->rows.err) ? row : 0];
}

/* Read the object whose children are listed (default: the root). */
static bool
children_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	const struct heap *h = &HEAP(s)->view.heap;
	uint32_t *object = &((struct children *)s)->object;

	*object = HEAP_ROOT;
	if (!stage_at_most(stage, 1, err))
		return false;
	if (stage->n > 0 && !token_is_object(&stage->token[0]))
		return fail_at(err, E_USAGE, stage_at(stage, 0),
		    "expected an object, e.g. @12 or 0x7f001230");
	return stage->n == 0 || object_of_token(h, &stage->token[0], object, err);
}

static bool
children_step(struct item_rows *s)
{
	struct children *c = (struct children *)s;

	if (siblings_open(&c->of, &HEAP(s)->view.heap, c->object, s->rows.work, &s->rows.err))
		s->n = c->of.n;
	s->rows.slow = s->n >= SIBLINGS_MANY;
	return false;
}

static void
children_end(struct item_rows *s)
{
	siblings_close(&((struct children *)s)->of);
}

static const struct source children = {
	.domain = &heap_domain, .size = sizeof(struct children), .args = ARGS_OWN, .begin = children_begin,
	    .step = children_step,
	.item_at = child_at, .end = children_end
};

const struct command source_dominators = {
	HEAP_SOURCE("dominators", "top of the dominator tree, or children of one object",
	    "dominators | head 10", dominator_cols, children, needs_top),
	.arg_needs = needs, .args = ARGS({ &arg_object, ARG_OPTIONAL }),
	.draws = DRAWS_DOMINATORS
};

/* ---- moves ----------------------------------------------------------------------- */

struct move {
	struct item_rows rows;
	struct scratch	 seen;		/* a bit for each object that is in the list or was visited */
	struct siblings	 children;	/* children of the last object */
	ARRAY(uint32_t)	todo;		/* children that are yet to be added, the last first */
	uint64_t	 ntodo;
	bool		 all;		/* also what dominates the dominators */
};

/* "all" is the last argument. */
static bool
says_all(const struct stage *stage)
{
	return stage->n > 0 && token_is(&stage->token[stage->n - 1], "all");
}

static bool
move_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct move *m = (struct move *)s;

	m->all = says_all(stage);
	return scratch_array(&m->seen, HEAP(s)->view.heap.objects / 64 + 1ull, sizeof(uint64_t), err);
}

static void
move_end(struct item_rows *s)
{
	struct move *m = (struct move *)s;

	siblings_close(&m->children);
	SCRATCH_FREE(&m->seen, &m->todo);
}

/* Remembers an object; whether it was not seen before. */
static bool
q_dominators_see(struct move *m, uint32_t object)
{
	bool first = !has_bit(&m->seen, object);

	set_bit(&m->seen, object);
	return first;
}

/* Return the object of the next row that has one; 0: no more rows. */
static uint32_t
q_dominators_next_object(struct item_rows *s)
{
	uint32_t object = 0;

	while (object == 0 && heap_rows_next(s, &object))
		continue;
	return object;
}

static bool
up_step(struct item_rows *s)
{
	struct move *m = (struct move *)s;
	uint32_t object;

	for (unsigned i = 0; i < SLICE; i++) {
		if ((object = q_dominators_next_object(s)) == 0)
			return false;
		do {
			object = heap_dominator(&HEAP(s)->view.heap, object);
			if (object == 0 || object == HEAP_ROOT || !q_dominators_see(m, object))
				break;
			if (!item_rows_add_number(s, object))
				return false;
		} while (m->all);
	}
	return true;
}

static bool
push_children(struct move *m, uint32_t object)
{
	const struct heap *h = &HEAP(&m->rows)->view.heap;
	struct siblings *s = &m->children;

	if (!heap_has_children(h, object))
		return true;
	if (!siblings_open(s, h, object, m->rows.rows.work, &m->rows.rows.err) ||
	    !array_grow(&m->todo, m->ntodo + s->n, &m->rows.rows.err))
		return false;
	for (uint64_t i = s->n; i-- > 0;) {
		if (!siblings_sort(s, h, i, m->rows.rows.work, &m->rows.rows.err))
			return false;
		m->todo.at[m->ntodo++] = s->object[i];
	}
	return true;
}

static uint32_t
pop_child(struct move *m)
{
	return m->todo.at[--m->ntodo];
}

/* List the objects that the input objects directly dominate; duplicate input rows count once. */
static bool
dominated_step(struct item_rows *s)
{
	struct move *m = (struct move *)s;
	uint32_t object;

	if (m->ntodo > 0)
		return item_rows_add_number(s, pop_child(m));
	object = q_dominators_next_object(s);
	return object != 0 && (!q_dominators_see(m, object) || push_children(m, object));
}

/* List the input objects and everything below them in the dominator tree, each object once. */
static bool
q_dominators_below_step(struct item_rows *s)
{
	struct move *m = (struct move *)s;
	uint32_t object;

	if (m->ntodo > 0)
		object = pop_child(m);
	else if ((object = q_dominators_next_object(s)) == 0)
		return false;
	if (heap_dominator(&HEAP(s)->view.heap, object) == 0 || !q_dominators_see(m, object))
		return true;
	return item_rows_add_number(s, object) && push_children(m, object);
}

static size_t
objects_before_all(const struct stage *stage)
{
	return stage->n - says_all(stage);
}

static const struct source dominator = {
	.domain = &heap_domain, .size = sizeof(struct move), OVER_OBJECTS,
	    .leading = objects_before_all,
	.begin = move_begin, .step = up_step, .end = move_end
};

const struct command source_dominator = {
	HEAP_SOURCE("dominator", "immediate dominator; all: every dominator",
	    "dominator java.lang.String all | top 5 retained", object_cols, dominator, needs),
	.args = ARGS({ &arg_class, ARG_MANY }, { &arg_object, ARG_OR }, { NULL, ARG_OPTIONAL, "all" }),
	.draws = DRAWS_OBJECTS
};

const struct command stage_dominator = {
	HEAP_STAGE("dominator", "immediate dominators of the rows; all: every dominator",
	    "strings | top 10 length | dominator all", object_cols, dominator, needs),
	.args = ARGS({ NULL, ARG_OPTIONAL, "all" }),
	.draws = DRAWS_OBJECTS
};

static const struct source dominated = {
	.domain = &heap_domain, .size = sizeof(struct move), OVER_OBJECTS, .begin = move_begin,
	    .step = dominated_step,
	.steps = SLICE, .end = move_end
};

const struct command source_dominated = {
	HEAP_SOURCE("dominated", "immediately dominated objects", "dominated java.lang.Thread",
	    object_cols, dominated, needs),
	.args = ARGS({ &arg_class, ARG_MANY }, { &arg_object, ARG_OR }),
	.draws = DRAWS_OBJECTS
};

const struct command stage_dominated = {
	HEAP_STAGE("dominated", "objects immediately dominated by the rows",
	    "dominators | head 1 | dominated | head 10", object_cols, dominated, needs),
	.draws = DRAWS_OBJECTS
};

static const struct source retained = {
	.domain = &heap_domain, .size = sizeof(struct move), OVER_OBJECTS, .begin = move_begin,
	    .step = q_dominators_below_step,
	.steps = SLICE, .end = move_end
};

const struct command source_retained = {
	HEAP_SOURCE("retained", "retained set of these objects",
	    "retained java.lang.Thread | count", object_cols, retained, needs),
	.args = ARGS({ &arg_class, ARG_MANY }, { &arg_object, ARG_OR }),
	.draws = DRAWS_OBJECTS
};

const struct command stage_retained = {
	HEAP_STAGE("retained", "retained set of the rows",
	    "threads | retained | sum shallow", object_cols, retained, needs),
	.draws = DRAWS_OBJECTS
};
