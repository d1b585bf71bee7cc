/*
 * field_names: names of fields as candidates for a query.
 *
 * The file does not say of which class a field is; what the first objects hold there does.
 */
#include "config.h"

#include "fields.h"
#include "query/lang/lang.h"

#define SAMPLES 32		/* objects that are looked at */

struct name_of_field {
	uint32_t	class;		/* that declares it; 0: what all have */
	uint8_t		type;
};

struct field_names {
	struct rows		 rows;
	struct heap_view	 view;
	size_t			 object;	/* column of in */
	struct buf		 prefix;	/* of each name: the path with its point */
	struct path		*path;		/* NULL: the objects themselves */
	struct idmap		 classes;	/* whose fields are there */
	struct keys		 names;
	struct scratch		 what;		/* struct name_of_field of each name */
	uint64_t		 next;		/* row of in */
	struct buf		 text;
	bool			 ended;
};

enum { NAME_NAME, NAME_WHAT, NAME_COLS };

static const struct coldef name_cols[NAME_COLS] = {
	[NAME_NAME] = { "name", CELL_TEXT, "path of a field", false },
	[NAME_WHAT] = { "what", CELL_TEXT, "its type and the class that declares it", false }
};

static bool
add_name(struct field_names *f, struct str name, struct name_of_field what)
{
	struct err *err = &f->rows.err;
	uint32_t number;

	buf_clear(&f->text);
	buf_str(&f->text, buf_view(&f->prefix));
	buf_str(&f->text, name);
	if (f->text.bad)
		return fail(err, E_SYSTEM, "no memory for a name");
	if (!keys_number(&f->names, buf_view(&f->text), &number, err) ||
	    !scratch_array(&f->what, number, sizeof what, err))
		return false;
	SCRATCH(f->what, struct name_of_field)[number - 1] = what;
	return true;
}

/* The fields of an object, or the statics of a class. */
static bool
add_fields(struct field_names *f, uint32_t object)
{
	struct heap_slots slots;
	struct heap_slot slot;

	if (!heap_slots(&f->view.heap, object, &slots))
		return true;
	while (heap_slot(&slots, &slot)) {
		if (slot.kind == SLOT_ELEMENT)
			break;
		if ((slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC) && !add_name(f,
		    slot.name, (struct name_of_field){ slot.class, slot.type }))
			return false;
	}
	return true;
}

static bool
add_object(struct field_names *f, uint32_t object)
{
	const struct heap *h = &f->view.heap;
	uint32_t class = heap_class(h, object);
	struct heap_text text;

	/* Each class has statics of its own. */
	if (heap_kind(h, object) != HEAP_CLASS && idmap_get(&f->classes, class) != 0)
		return true;
	if (!idmap_put(&f->classes, class, 1, &f->rows.err) || !add_fields(f, object))
		return false;
	if (f->path == NULL)
		return true;
	if ((heap_is_array(h, object) || heap_text(h, object, &text)) &&
	    !add_name(f, STR("length"), (struct name_of_field){ 0, HEAP_INT }))
		return false;
	return add_name(f, STR("class"), (struct name_of_field){ 0, 0 });
}

static bool
names_step(struct field_names *f)
{
	struct rows *in = rows_origin(f->rows.in);
	uint32_t object;

	if (f->next == SAMPLES ||
	    !object_next(in, &f->next, f->object, &f->view.heap, &object))
		return false;
	if (object != 0 && f->path != NULL &&
	    !path_object(f->path, &f->view.heap, object, &object, &f->rows.err))
		return false;
	return object == 0 || add_object(f, object);
}

static uint64_t
names_reach(struct rows *r, uint64_t n)
{
	struct field_names *f = (struct field_names *)r;

	while (f->names.n < n && !f->ended)
		f->ended = !names_step(f);
	return f->names.n;
}

static void
what_cell(struct field_names *f, uint64_t row, struct cell *c)
{
	struct name_of_field what = SCRATCH(f->what, struct name_of_field)[row];

	buf_clear(&f->text);
	buf_str(&f->text, str_of(heap_type_name(what.type)));
	if (what.class != 0) {
		buf_str(&f->text, STR(" of "));
		heap_class_name(&f->view.heap, what.class, &f->text);
	}
	cell_text(&f->rows, c, &f->text);
}

static void
names_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct field_names *f = (struct field_names *)r;

	if (col == NAME_WHAT) {
		what_cell(f, row, c);
		return;
	}
	c->type = CELL_TEXT;
	c->text = keys_text(&f->names, (uint32_t)row + 1);
}

static void
names_close(struct rows *r)
{
	struct field_names *f = (struct field_names *)r;

	path_free(f->path);
	buf_free(&f->prefix);
	buf_free(&f->text);
	idmap_free(&f->classes);
	keys_free(&f->names);
	scratch_free(&f->what);
	heap_view_close(&f->view);
}

static const struct rows_ops names_ops = { names_reach, names_cell, names_close };

/* "friends." to the path of friends; one point in front only says that a field is meant. */
static bool
read_prefix(struct field_names *f, struct str prefix, struct err *err)
{
	buf_str(&f->prefix, prefix);
	if (f->prefix.bad)
		return fail(err, E_SYSTEM, "no memory for a name");
	if (prefix.n < 2 || prefix.s[prefix.n - 1] != '.')
		return true;
	prefix.n--;
	if (!path_read(&f->path, prefix, true, err))
		return false;
	if (f->path == NULL)
		f->ended = true;
	else
		path_attach(f->path, &f->view.heap);
	return true;
}

bool
field_names_open(struct session *session, struct rows *in, size_t object, struct str prefix,
    struct rows **out, struct err *err)
{
	struct field_names *f = rows_new(sizeof *f, &names_ops, session, in, err);

	if (f == NULL)
		return false;
	f->names = KEYS_INIT;
	f->what = SCRATCH_INIT;
	f->classes = IDMAP_INIT;
	f->object = object;
	f->rows.cols = name_cols;
	f->rows.ncols = NAME_COLS;
	return rows_opened(&f->rows, heap_view_open(&f->view, session, err) && read_prefix(f, prefix, err), out);
}
