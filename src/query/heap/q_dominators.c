/*
 * q_dominators: what objects dominate, retain, and are dominated by.
 */
#include "config.h"

#include "heap.h"

#define SLICE 4096		/* objects found between two ticks */

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT,
	COL_EACH_CHILDREN, COL_REACH_OBJECT, COL_NATIVE_OBJECT, COL_NONE };

/* ---- dominators ------------------------------------------------------------------ */

static const struct coldef dominator_cols[] = {
	{ "object", CELL_ID, "the object", false },
	{ "class", CELL_TEXT, "its class, or of a class its own name", false },
	{ "shallow", CELL_BYTES, "its own size", false },
	{ "retained", CELL_BYTES, "what would be freed with it", false },
	{ "percent", CELL_PERCENT, "of all that is reachable", false },
	{ "addr", CELL_ADDR, "its address", true },
	{ "dominator", CELL_ID, "object without which it could not be reached", true }
};

static const enum object_col dominator_fields[NELEM(dominator_cols)] = {
	OBJECT_ID, OBJECT_LABEL, OBJECT_SHALLOW, OBJECT_RETAINED, OBJECT_PERCENT, OBJECT_ADDR,
	OBJECT_DOMINATOR
};

struct children {
	struct objects	o;
	uint64_t	first;		/* of its rows in children */
};

static uint32_t
child_of_row(const struct objects *o, uint64_t row)
{
	return heap_child(&o->view.heap, ((const struct children *)o)->first + row);
}

/* HEAP_ROOT without an argument; without a file only its form is checked. */
static bool
read_object(const struct heap *h, const struct stage *stage, uint32_t *object, struct err *err)
{
	*object = HEAP_ROOT;
	if (stage->n == 0)
		return true;
	if (h->st != NULL)
		return object_of_token(h, &stage->token[0], object, err);
	return token_is_object(&stage->token[0]) || fail_at(err, E_USAGE,
	    stage_at(stage, 0), "expected an object here, as @12 or 0x7f001230");
}

static bool
dominators_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct children *s;
	uint32_t object;

	(void)in;
	if (!stage_at_most(stage, 1, err))
		return false;
	s = objects_new(sizeof *s, session, stage->command, dominator_fields, NULL, err);
	if (s == NULL)
		return false;
	s->o.object = child_of_row;
	if (!read_object(&s->o.view.heap, stage, &object, err)) {
		rows_close(&s->o.rows);
		return false;
	}
	if (s->o.view.heap.st != NULL)
		s->o.n = heap_children(&s->o.view.heap, object, &s->first);
	*out = &s->o.rows;
	return true;
}

const struct command source_dominators = {
	.word = "dominators",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object, ARG_OPTIONAL }),
	.what = "the objects that nothing dominates, or that one dominates; the largest first",
	.example = "dominators | head 10",
	.needs = needs,
	.cols = dominator_cols,
	.ncols = NELEM(dominator_cols),
	.open = dominators_open
};

/* ---- moves ----------------------------------------------------------------------- */

struct move {
	struct objects	 o;
	size_t		 col;		/* of in */
	uint64_t	 row;		/* of in, the next one */
	struct scratch	 seen;		/* a bit for each object that is in the list or was gone through */
	struct scratch	 range;		/* struct range: children that are yet to be added, the last first */
	uint64_t	 nranges;
	bool		 all;		/* also what dominates the dominators */
	bool		 deep;		/* also what they dominate in turn */
};

struct range {
	uint64_t	next, end;
};

/* False, or it was not seen before, and is from now on. */
static bool
see(struct move *m, uint32_t object)
{
	bool first = !has_bit(&m->seen, object);

	set_bit(&m->seen, object);
	return first;
}

/* The object of the next row of in that has one; 0: there is none. */
static uint32_t
next_object(struct move *m)
{
	uint32_t object = 0;

	while (object == 0 && object_next(m->o.rows.in, &m->row, m->col, &m->o.view.heap, &object))
		continue;
	return object;
}

static bool
move_begin(struct move *m)
{
	return m->seen.data != NULL || scratch_array(&m->seen,
	    m->o.view.heap.objects / 64 + 1ull, sizeof(uint64_t), &m->o.rows.err);
}

static void
move_release(struct objects *o)
{
	struct move *m = (struct move *)o;

	scratch_free(&m->seen);
	scratch_free(&m->range);
}

static bool
up_step(struct objects *o)
{
	struct move *m = (struct move *)o;
	uint32_t object;
	unsigned i;

	if (!move_begin(m))
		return false;
	for (i = 0; i < SLICE; i++) {
		if ((object = next_object(m)) == 0)
			return false;
		do {
			object = heap_dominator(&o->view.heap, object);
			if (object == 0 || object == HEAP_ROOT || !see(m, object))
				break;
			if (!objects_add(o, object))
				return false;
		} while (m->all);
	}
	return true;
}

static bool
push_children(struct move *m, uint32_t object)
{
	struct range r;

	r.end = heap_children(&m->o.view.heap, object, &r.next);
	if (r.end == 0)
		return true;
	r.end += r.next;
	if (!scratch_array(&m->range, m->nranges + 1, sizeof r, &m->o.rows.err))
		return false;
	SCRATCH(m->range, struct range)[m->nranges++] = r;
	return true;
}

/* A row's object: what it dominates comes next. */
static bool
down_begin(struct move *m, uint32_t object)
{
	if (!m->deep)
		return !see(m, object) || push_children(m, object);
	if (heap_dominator(&m->o.view.heap, object) == 0 || !see(m, object))
		return true;
	return objects_add(&m->o, object) && push_children(m, object);
}

/* The next child of the last range. */
static bool
down_child(struct move *m)
{
	struct range *r = &SCRATCH(m->range, struct range)[m->nranges - 1];
	uint32_t child = heap_child(&m->o.view.heap, r->next++);

	if (r->next == r->end)
		m->nranges--;
	if (!m->deep)
		return objects_add(&m->o, child);
	return !see(m, child) || (objects_add(&m->o, child) && push_children(m, child));
}

static bool
down_step(struct objects *o)
{
	struct move *m = (struct move *)o;
	uint32_t object;
	unsigned i;

	if (!move_begin(m))
		return false;
	for (i = 0; i < SLICE; i++) {
		if (m->nranges > 0) {
			if (!down_child(m))
				return false;
			continue;
		}
		if ((object = next_object(m)) == 0 || !down_begin(m, object))
			return false;
	}
	return true;
}

/* Over the rows, or over those of the arguments. */
static bool
move_open(struct session *session, const struct stage *stage, struct rows *in,
    bool (*step)(struct objects *), struct move **out, struct err *err)
{
	bool source = stage->command->kind == COMMAND_SOURCE;
	struct move *m;
	int col;

	if (source && !objects_of_arguments(session, stage, &in, err))
		return false;
	col = object_column(stage, in, err);
	if (col < 0) {
		rows_close(in);
		return false;
	}
	m = objects_new(sizeof *m, session, stage->command, object_fields, in, err);
	if (m == NULL)
		return false;
	m->col = (size_t)col;
	m->seen = m->range = SCRATCH_INIT;
	m->o.step = step;
	m->o.release = move_release;
	*out = m;
	return true;
}

static bool
no_arguments(const struct stage *stage, struct rows *in, struct err *err)
{
	if (stage->command->kind == COMMAND_SOURCE || stage_at_most(stage, 0, err))
		return true;
	rows_close(in);
	return false;
}

static bool
down_open(struct session *session, const struct stage *stage, struct rows *in, bool deep,
    struct rows **out, struct err *err)
{
	struct move *m;

	if (!no_arguments(stage, in, err) ||
	    !move_open(session, stage, in, down_step, &m, err))
		return false;
	m->deep = deep;
	*out = &m->o.rows;
	return true;
}

static bool
dominated_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return down_open(session, stage, in, false, out, err);
}

static bool
retained_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return down_open(session, stage, in, true, out, err);
}

/* "all" is the last argument. */
static bool
dominator_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct stage rest = *stage;
	bool all = stage->n > 0 && token_is(&stage->token[stage->n - 1], "all");
	struct move *m;

	rest.n -= all;
	if (!no_arguments(&rest, in, err) ||
	    !move_open(session, &rest, in, up_step, &m, err))
		return false;
	m->all = all;
	*out = &m->o.rows;
	return true;
}

const struct command source_dominator = {
	.word = "dominator",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_MANY }, { &arg_object, ARG_OR }, { NULL, ARG_OPTIONAL, "all" }),
	.what = "the object that dominates each of these; all: those up to the top",
	.example = "dominator java.lang.String all | top 5 retained",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = dominator_open
};

const struct command stage_dominator = {
	.word = "dominator",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ NULL, ARG_OPTIONAL, "all" }),
	.what = "the objects that dominate those of the rows; all: up to the top",
	.example = "strings | top 10 length | dominator all",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = dominator_open
};

const struct command source_dominated = {
	.word = "dominated",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_MANY }, { &arg_object, ARG_OR }),
	.what = "the objects that these dominate at once",
	.example = "dominated java.lang.Thread",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = dominated_open
};

const struct command stage_dominated = {
	.word = "dominated",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "the objects that those of the rows dominate at once",
	.example = "dominators | head 1 | dominated | head 10",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = dominated_open
};

const struct command source_retained = {
	.word = "retained",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_MANY }, { &arg_object, ARG_OR }),
	.what = "all objects that would be freed with these, and these",
	.example = "retained java.lang.Thread | count",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = retained_open
};

const struct command stage_retained = {
	.word = "retained",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "all objects that would be freed with those of the rows, and those",
	.example = "threads | retained | sum shallow",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = retained_open
};
