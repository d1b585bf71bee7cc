/*
 * q_objects: the objects of a heap dump, all or those of some classes, and the strings.
 */
#include "config.h"

#include "heap.h"

#define SLICE 16384		/* objects looked at between two ticks */

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_REACH_OBJECT,
	COL_NATIVE_OBJECT, COL_NONE };

const struct coldef object_cols[OBJECT_COLUMNS] = {
	{ "id", CELL_ID, "number of the object, by rising address", false },
	{ "addr", CELL_ADDR, "its address, or what the file uses as such", false },
	{ "class", CELL_TEXT, "its class", false },
	{ "kind", CELL_TEXT, "instance, object array, primitive array or class", false },
	{ "length", CELL_COUNT, "elements of an array", false },
	{ "shallow", CELL_BYTES, "its own size", false },
	{ "retained", CELL_BYTES, "what would be freed with it; 0: it is unreachable", false },
	{ "reachable", CELL_TEXT, "how it can be reached: strong, soft, finalizer, weak, phantom or unreachable", false },
	{ "label", CELL_TEXT, "its class, or of a class its own name", true },
	{ "dominator", CELL_ID, "object without which it could not be reached", true },
	{ "heap", CELL_TEXT, "Android: the part of the heap it lies in", true },
	{ "offset", CELL_ID, "where its record lies in the file, unpacked", true },
	{ "native", CELL_BYTES, "Android: native memory that is freed with it", true }
};

const enum object_col object_fields[OBJECT_COLUMNS] = {
	OBJECT_ID, OBJECT_ADDR, OBJECT_CLASS, OBJECT_KIND, OBJECT_LENGTH, OBJECT_SHALLOW,
	OBJECT_RETAINED, OBJECT_REACHABLE, OBJECT_LABEL, OBJECT_DOMINATOR, OBJECT_HEAP,
	OBJECT_OFFSET, OBJECT_NATIVE
};

/* ---- objects of classes ---------------------------------------------------------- */

struct scan {
	struct objects		 o;
	struct class_set	 classes;
	int			 col;		/* of in: the classes are yet to be read there */
	uint32_t		 next;		/* object */
};

/* The classes whose Class objects are in the rows. */
static bool
read_classes(struct scan *s)
{
	struct heap *h = &s->o.view.heap;
	struct rows *in = s->o.rows.in;
	uint32_t object, class;
	uint64_t row = 0;

	s->classes.has = mem_array(h->classes + 1ull, 1);
	if (s->classes.has == NULL)
		return fail(&s->o.rows.err, E_SYSTEM, "no memory for a set of classes");
	while (object_next(in, &row, (size_t)s->col, h, &object)) {
		class = heap_class_of_object(h, object);
		if (class != 0)
			s->classes.has[class] = 1;
	}
	return rows_error(in) == NULL;
}

static bool
scan_step(struct objects *o)
{
	struct scan *s = (struct scan *)o;
	struct heap *h = &o->view.heap;
	uint32_t end;

	if (s->classes.has == NULL && !read_classes(s))
		return false;
	end = h->objects - s->next < SLICE ? h->objects : s->next + SLICE;
	while (s->next < end)
		if (s->classes.has[heap_class(h, ++s->next)] && !objects_add(o, s->next))
			return false;
	return s->next < h->objects;
}

static void
scan_release(struct objects *o)
{
	classes_free(&((struct scan *)o)->classes);
}

static struct scan *
scan_new(struct session *session, const struct command *command,
    const enum object_col *field, struct rows *in, struct err *err)
{
	struct scan *s = objects_new(sizeof *s, session, command, field, in, err);

	if (s == NULL)
		return NULL;
	s->o.step = scan_step;
	s->o.release = scan_release;
	return s;
}

/* ---- objects --------------------------------------------------------------------- */

static uint32_t
object_of_row(const struct objects *o, uint64_t row)
{
	(void)o;
	return (uint32_t)row + 1;
}

/* The objects of the arguments, or those of the classes of the arguments. */
static bool
take_arguments(struct scan *s, const struct stage *stage, struct object_args *args,
    struct err *err)
{
	size_t i;

	if (!objects_of_stage(args, &s->o.view.heap, stage, err))
		return false;
	if (args->n > 0 && args->classes.n > 0)
		return fail_at(err, E_USAGE, stage_at(stage, 0), "objects or classes: "
		    "one query cannot take both");
	for (i = 0; i < args->n; i++)
		if (!objects_add(&s->o, args->id[i])) {
			*err = s->o.rows.err;
			return false;
		}
	s->classes = args->classes;
	args->classes.has = NULL;
	if (args->n > 0)
		s->o.step = NULL;
	return true;
}

static bool
objects_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct object_args args = { .id = NULL };
	struct scan *s = scan_new(session, stage->command, object_fields, in, err);
	bool ok;

	if (s == NULL)
		return false;
	ok = take_arguments(s, stage, &args, err);
	object_args_free(&args);
	if (!ok) {
		rows_close(&s->o.rows);
		return false;
	}
	if (stage->n == 0) {
		s->o.step = NULL;
		s->o.object = object_of_row;
		s->o.n = s->o.view.heap.objects;
	}
	*out = &s->o.rows;
	return true;
}

bool
objects_of_arguments(struct session *session, const struct stage *stage, struct rows **out,
    struct err *err)
{
	char usage[USAGE_TEXT];

	if (stage->n == 0)
		return fail_at(err, E_USAGE, stage->end, "'%s' needs %s, as in '%s'", stage->command->word,
		    command_usage(stage->command, usage), stage->command->example);
	return objects_open(session, stage, NULL, out, err);
}

const struct command source_objects = {
	.word = "objects",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.what = "the objects, all or those of some classes; also @ID or 0xADDR",
	.example = "objects java.lang.String | sort -retained | head 10",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = objects_open
};

/* ---- instances ------------------------------------------------------------------- */

static bool
instances_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct scan *s;

	(void)in;
	if (stage->n == 0)
		return fail_at(err, E_USAGE, stage->end, "'instances' needs a class, as in '%s'",
		    stage->command->example);
	s = scan_new(session, stage->command, object_fields, NULL, err);
	if (s == NULL)
		return false;
	if (!classes_of_stage(&s->classes, &s->o.view.heap, stage, err)) {
		rows_close(&s->o.rows);
		return false;
	}
	*out = &s->o.rows;
	return true;
}

static bool
instances_stage(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct scan *s = scan_new(session, stage->command, object_fields, in, err);

	if (s == NULL)
		return false;
	s->col = object_column(stage, in, err);
	if (s->col < 0 || !stage_at_most(stage, 0, err)) {
		rows_close(&s->o.rows);
		return false;
	}
	*out = &s->o.rows;
	return true;
}

const struct command source_instances = {
	.word = "instances",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_class, ARG_MANY }),
	.what = "the objects of classes; also of a class by its @ID",
	.example = "instances java.lang.Class | count",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = instances_open
};

const struct command stage_instances = {
	.word = "instances",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "the objects of the classes in the rows",
	.example = "classes | top 1 objects | instances | head",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = instances_stage
};

/* ---- strings --------------------------------------------------------------------- */

static const struct coldef string_cols[] = {
	{ "object", CELL_ID, "the String", false },
	{ "value", CELL_TEXT, "its text, at most 1 Mi characters of it", false },
	{ "length", CELL_COUNT, "its length in characters of UTF-16, or in bytes of Latin-1", false },
	{ "coder", CELL_TEXT, "how the text is stored: latin1, utf16, char, or ascii where Android compressed it", false },
	{ "copies", CELL_COUNT, "strings of this text that can be reached, with itself", false },
	{ "shallow", CELL_BYTES, "size of the String without its array", false },
	{ "retained", CELL_BYTES, "what would be freed with it", true },
	{ "array", CELL_ID, "the array with its characters", true },
	{ "shared", CELL_COUNT, "strings that have this array", true },
	{ "waste", CELL_BYTES, "what it takes if another string of this text comes before it", true }
};

static const enum object_col string_fields[NELEM(string_cols)] = {
	OBJECT_ID, OBJECT_VALUE, OBJECT_CHARS, OBJECT_CODER, OBJECT_COPIES, OBJECT_SHALLOW,
	OBJECT_RETAINED, OBJECT_ARRAY, OBJECT_SHARED, OBJECT_WASTE
};

static bool
strings_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct scan *s;
	struct heap *h;

	(void)in;
	if (!stage_at_most(stage, 0, err))
		return false;
	s = scan_new(session, stage->command, string_fields, NULL, err);
	if (s == NULL)
		return false;
	h = &s->o.view.heap;
	s->classes.has = mem_array(h->classes + 1ull, 1);
	if (s->classes.has == NULL) {
		rows_close(&s->o.rows);
		return fail(err, E_SYSTEM, "no memory for a set of classes");
	}
	if (h->string_class != 0)
		s->classes.has[h->string_class] = 1;
	else
		s->o.ended = true;
	*out = &s->o.rows;
	return true;
}

static const enum col string_needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT,
	COL_EACH_DUP_MEMBER, COL_NONE };

const struct command source_strings = {
	.word = "strings",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.what = "the objects of java.lang.String with their texts",
	.example = "strings | sort -length | head 10",
	.needs = string_needs,
	.cols = string_cols,
	.ncols = NELEM(string_cols),
	.open = strings_open
};
