/*
 * q_classes: the classes of a heap dump, above and below each other, and their loaders.
 */
#include "config.h"

#include "heap.h"

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NONE };

enum class_col { CLASS_ID, CLASS_NAME, CLASS_LOADER, CLASS_SUPER, CLASS_OBJECTS, CLASS_SHALLOW,
	CLASS_RETAINED, CLASS_SIZE, CLASS_LIVE, CLASS_NUMBER, CLASS_SUPER_ID, CLASS_LOADER_ID,
	CLASS_ADDR, CLASS_OBFUSCATED, CLASS_COLS };

static const struct coldef class_cols[CLASS_COLS] = {
	[CLASS_ID] = { "id", CELL_ID, "its Class object; empty: not in the dump", false },
	[CLASS_NAME] = { "name", CELL_TEXT, "its name", false },
	[CLASS_LOADER] = { "loader", CELL_TEXT, "class and id of what loaded it, or boot", false },
	[CLASS_SUPER] = { "super", CELL_TEXT, "the class it extends", false },
	[CLASS_OBJECTS] = { "objects", CELL_COUNT, "its instances, without those of subclasses", false },
	[CLASS_SHALLOW] = { "shallow", CELL_BYTES, "size of these", false },
	[CLASS_RETAINED] = { "retained", CELL_BYTES, "what would be freed with these, each byte once", false },
	[CLASS_SIZE] = { "instance_size", CELL_BYTES, "size of one; empty: they differ", false },
	[CLASS_LIVE] = { "live", CELL_COUNT, "instances that are reachable", true },
	[CLASS_NUMBER] = { "class", CELL_ID, "number of the class, in order of the file", true },
	[CLASS_SUPER_ID] = { "super_id", CELL_ID, "Class object of the class it extends", true },
	[CLASS_LOADER_ID] = { "loader_id", CELL_ID, "the object that loaded it", true },
	[CLASS_ADDR] = { "addr", CELL_ADDR, "address of its Class object", true },
	[CLASS_OBFUSCATED] = { "obfuscated", CELL_TEXT, "what the dump calls it, where --mapping has another name", true }
};

struct classes {
	struct rows		 rows;
	struct heap_view	 view;
	const struct column	*object, *addr, *super, *loader, *objects, *shallow, *live,
				*retained, *element, *size, *loader_object;
	struct scratch		 list;		/* u32: the class of each row */
	uint64_t		 n;
	bool			 all;		/* class n is row n - 1 */
	bool			 known;		/* n is */
	struct class_set	 from;		/* list gets what is above or below these */
	bool			 up;
	int			 col;		/* of in, where they are yet to be read; or -1 */
};

/* ---- cells ----------------------------------------------------------------------- */

static uint32_t
class_at(const struct classes *s, uint64_t row)
{
	return s->all ? (uint32_t)row + 1 : SCRATCH(s->list, uint32_t)[row];
}

/* The boot loader is no object. */
static void
loader_cell(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	c->type = CELL_TEXT;
	c->text = STR("boot");
	if (object == 0)
		return;
	buf_clear(&v->text);
	v->class = 0;
	heap_label(&v->heap, object, &v->text);
	buf_printf(&v->text, " @%u", object);
	cell_text(r, c, &v->text);
}

static uint32_t
object_of_class(const struct classes *s, uint64_t class)
{
	return class == 0 ? 0 : (uint32_t)column_get(s->object, class - 1);
}

static uint32_t
object_of_loader(const struct classes *s, uint64_t loader)
{
	return loader == 0 ? 0 : (uint32_t)column_get(s->loader_object, loader - 1);
}

static void
classes_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct classes *s = (struct classes *)r;
	uint32_t class = class_at(s, row);
	uint64_t i = class - 1;

	c->type = r->cols[col].type;
	switch ((enum class_col)col) {
	case CLASS_ID:
		cell_number(c, CELL_ID, column_get(s->object, i));
		break;
	case CLASS_NAME:
		cell_class(r, &s->view, class, c);
		break;
	case CLASS_LOADER:
		loader_cell(r, &s->view, object_of_loader(s, column_get(s->loader, i)), c);
		break;
	case CLASS_SUPER:
		cell_class(r, &s->view, (uint32_t)column_get(s->super, i), c);
		break;
	case CLASS_OBJECTS:
		c->u = column_get(s->objects, i);
		break;
	case CLASS_SHALLOW:
		c->u = column_get(s->shallow, i);
		break;
	case CLASS_RETAINED:
		c->u = column_get(s->retained, i);
		break;
	case CLASS_SIZE:
		cell_number(c, CELL_BYTES, class == s->view.heap.class_class ||
		    column_get(s->element, i) != 0 ? 0 : column_get(s->size, i));
		break;
	case CLASS_LIVE:
		c->u = column_get(s->live, i);
		break;
	case CLASS_NUMBER:
		c->u = class;
		break;
	case CLASS_SUPER_ID:
		cell_number(c, CELL_ID, object_of_class(s, column_get(s->super, i)));
		break;
	case CLASS_LOADER_ID:
		cell_number(c, CELL_ID, object_of_loader(s, column_get(s->loader, i)));
		break;
	case CLASS_ADDR:
		cell_number(c, CELL_ADDR, column_get(s->addr, i));
		break;
	case CLASS_OBFUSCATED:
		buf_clear(&s->view.text);
		s->view.class = 0;
		heap_class_obfuscated(&s->view.heap, class, &s->view.text);
		cell_text(r, c, &s->view.text);
		break;
	case CLASS_COLS:
		break;
	}
}

/* ---- which classes --------------------------------------------------------------- */

/* MARKED are those that others have to be above or below of; 1, as in a set. */
enum { MARKED = 1, BELOW = 2, NOT_BELOW = 4, ABOVE = 8 };

static bool
add_class(struct classes *s, uint32_t class)
{
	if (!scratch_array(&s->list, s->n + 1, sizeof(uint32_t), &s->rows.err))
		return false;
	SCRATCH(s->list, uint32_t)[s->n++] = class;
	return true;
}

/* Marks the classes of the rows; an object that is no class stands for its own. */
static bool
mark_rows(struct classes *s, uint8_t *mark)
{
	struct heap *h = &s->view.heap;
	struct rows *in = s->rows.in;
	uint32_t object, class;
	uint64_t row = 0;

	while (object_next(in, &row, (size_t)s->col, h, &object)) {
		if (object == 0)
			continue;
		class = heap_class_of_object(h, object);
		mark[class != 0 ? class : heap_class(h, object)] = MARKED;
	}
	return rows_error(in) == NULL;
}

/* The nearest first, of the first class first. */
static bool
list_above(struct classes *s, uint8_t *mark)
{
	uint32_t class, super;

	for (class = 1; class <= s->view.heap.classes; class++) {
		if (!(mark[class] & MARKED))
			continue;
		for (super = class;;) {
			super = (uint32_t)column_get(s->super, super - 1);
			if (super == 0 || super > s->view.heap.classes || mark[super] & ABOVE)
				break;
			mark[super] |= ABOVE;
			if (!add_class(s, super))
				return false;
		}
	}
	return true;
}

/*
 * Goes up to a class of which it is known whether it is below a marked one, and
 * tells all on the way.
 */
static void
settle(struct classes *s, uint8_t *mark, uint32_t class)
{
	uint32_t at, super, hops = s->view.heap.classes;
	uint8_t what = NOT_BELOW;

	for (at = class; hops > 0; at = super, hops--) {
		super = (uint32_t)column_get(s->super, at - 1);
		if (super == 0 || super > s->view.heap.classes)
			break;
		if (mark[super] & (MARKED | BELOW)) {
			what = BELOW;
			break;
		}
		if (mark[super] & NOT_BELOW)
			break;
	}
	for (at = class; at != 0 && !(mark[at] & (BELOW | NOT_BELOW)); at = super) {
		mark[at] |= what;
		super = (uint32_t)column_get(s->super, at - 1);
		if (super > s->view.heap.classes || mark[super] & MARKED)
			break;
	}
}

static bool
list_below(struct classes *s, uint8_t *mark)
{
	uint32_t class;

	for (class = 1; class <= s->view.heap.classes; class++) {
		if (!(mark[class] & (BELOW | NOT_BELOW)))
			settle(s, mark, class);
		if (mark[class] & BELOW && !add_class(s, class))
			return false;
	}
	return true;
}

static bool
list_near(struct classes *s)
{
	struct class_set *from = &s->from;

	if (from->has == NULL)
		from->has = mem_array(s->view.heap.classes + 1ull, 1);
	if (from->has == NULL)
		return fail(&s->rows.err, E_SYSTEM, "no memory for a set of classes");
	if (s->col >= 0 && !mark_rows(s, from->has))
		return false;
	return s->up ? list_above(s, from->has) : list_below(s, from->has);
}

static uint64_t
classes_reach(struct rows *r, uint64_t n)
{
	struct classes *s = (struct classes *)r;

	if (n > 0 && !s->known) {
		s->known = true;
		if (s->view.heap.st != NULL)
			list_near(s);
	}
	return s->n;
}

static void
classes_close(struct rows *r)
{
	struct classes *s = (struct classes *)r;

	scratch_free(&s->list);
	classes_free(&s->from);
	heap_view_close(&s->view);
}

static const struct rows_ops classes_ops = { .reach = classes_reach, .cell = classes_cell,
	.close = classes_close };

/* ---- opening --------------------------------------------------------------------- */

static void
find_columns(struct classes *s)
{
	const struct heap *h = &s->view.heap;

	s->object = store_column(h->st, COL_CLASS_OBJECT);
	s->addr = store_column(h->st, COL_CLASS_ADDR);
	s->super = store_column(h->st, COL_CLASS_SUPER);
	s->loader = store_column(h->st, COL_CLASS_LOADER);
	s->objects = store_column(h->st, COL_CLASS_OBJECTS);
	s->shallow = heap_class_shallow(h->st, h->sizes);
	s->live = view_column(&s->view, COL_EACH_CLASS_LIVE);
	s->retained = view_column(&s->view, COL_EACH_CLASS_RETAINED);
	s->element = h->class_element;
	s->size = h->class_size;
	s->loader_object = store_column(h->st, COL_LOADER_OBJECT);
}

static struct classes *
classes_new(struct session *session, struct rows *in, struct err *err)
{
	struct classes *s = rows_new(sizeof *s, &classes_ops, session, in, err);

	if (s == NULL)
		return NULL;
	s->list = SCRATCH_INIT;
	s->rows.cols = class_cols;
	s->rows.ncols = CLASS_COLS;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return NULL;
	}
	if (s->view.heap.st != NULL)
		find_columns(s);
	return s;
}

/* Those of the arguments, by number. */
static bool
list_arguments(struct classes *s, const struct stage *stage, struct err *err)
{
	struct class_set set = { .has = NULL };
	bool ok = classes_of_stage(&set, &s->view.heap, stage, err);
	uint32_t class;

	for (class = 1; ok && set.has != NULL && class <= s->view.heap.classes; class++)
		if (set.has[class] && !add_class(s, class)) {
			*err = s->rows.err;
			ok = false;
		}
	classes_free(&set);
	return ok;
}

static bool
classes_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct classes *s = classes_new(session, in, err);

	if (s == NULL)
		return false;
	s->known = true;
	s->all = stage->n == 0;
	if (s->all)
		s->n = s->view.heap.classes;
	else if (!list_arguments(s, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

static bool
near_open(struct session *session, const struct stage *stage, struct rows *in, bool up,
    struct rows **out, struct err *err)
{
	struct classes *s = classes_new(session, in, err);
	bool ok;

	if (s == NULL)
		return false;
	s->up = up;
	s->col = in == NULL ? -1 : object_column(stage, in, err);
	if (in != NULL)
		ok = s->col >= 0 && stage_at_most(stage, 0, err);
	else
		ok = stage->n > 0 ? classes_of_stage(&s->from, &s->view.heap, stage, err) :
		    fail_at(err, E_USAGE, stage->end, "'%s' needs a class, as in '%s'",
		    stage->command->word, stage->command->example);
	if (!ok) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

static bool
superclasses_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return near_open(session, stage, in, true, out, err);
}

static bool
subclasses_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return near_open(session, stage, in, false, out, err);
}

const struct command source_classes = {
	.word = "classes",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.what = "the classes, all or these, with their instances",
	.example = "classes | sort -retained | head 10",
	.needs = needs,
	.cols = class_cols,
	.ncols = CLASS_COLS,
	.names = { "name", "loader" },
	.numbered = true,
	.open = classes_open
};

const struct command source_superclasses = {
	.word = "superclasses",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_MANY }),
	.what = "the classes that these extend, the nearest first",
	.example = "superclasses java.lang.Thread",
	.needs = needs,
	.cols = class_cols,
	.ncols = CLASS_COLS,
	.open = superclasses_open
};

const struct command stage_superclasses = {
	.word = "superclasses",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "the classes that those of the rows extend",
	.example = "threads | superclasses",
	.needs = needs,
	.cols = class_cols,
	.ncols = CLASS_COLS,
	.open = superclasses_open
};

const struct command source_subclasses = {
	.word = "subclasses",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_MANY }),
	.what = "the classes that extend these, at any distance",
	.example = "subclasses java.lang.Object | sort -shallow | head 10",
	.needs = needs,
	.cols = class_cols,
	.ncols = CLASS_COLS,
	.open = subclasses_open
};

const struct command stage_subclasses = {
	.word = "subclasses",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "the classes that extend those of the rows",
	.example = "classes java.lang.Object | subclasses | count",
	.needs = needs,
	.cols = class_cols,
	.ncols = CLASS_COLS,
	.open = subclasses_open
};
