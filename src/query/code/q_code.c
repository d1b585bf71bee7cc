/*
 * q_code: the classes and methods of bytecode.
 */
#include "config.h"

#include "icecore/columns_code.h"
#include "code_rows.h"

#define OF(kind_, column_) .kind = (kind_), .column = (column_)

/* ---- classes --------------------------------------------------------------------------------- */

enum { CLASS_BYTES = CODE_MORE };

static const struct coldef class_cols[] = {
	{ "id", CELL_ID, "class number in file order", false, .kind = CODE_ID },
	{ "class", CELL_TEXT, "name", false, .kind = CODE_CLASS, .cut = CUT_FRONT },
	{ "super", CELL_TEXT, "superclass", false, OF(CODE_TEXT, COL_CODE_CLASS_SUPER), .cut = CUT_FRONT },
	{ "methods", CELL_COUNT, "declared methods", false, OF(CODE_NUMBER, COL_CODE_CLASS_METHODS) },
	{ "bytes", CELL_BYTES, "code size of all methods", false, .kind = CLASS_BYTES },
	{ "access", CELL_TEXT, "public, final, interface, ...", false, OF(CODE_ACCESS, COL_CODE_CLASS_ACCESS) },
	{ "source", CELL_TEXT, "source file", true, OF(CODE_RAW, COL_CODE_CLASS_SOURCE), .cut = CUT_MIDDLE },
	{ "file", CELL_TEXT, "class file or dex file", true, .kind = CODE_FILE, .cut = CUT_MIDDLE },
	{ "class_id", CELL_ID, "same as id", true, .kind = CODE_ID }
};

static void
class_more(struct code_rows *s, uint64_t row, unsigned kind, struct cell *c)
{
	uint32_t class = (uint32_t)code_row_number(s, row);
	uint64_t method, n = code_class_methods(s->code.st, class, &method);

	(void)kind;
	for (c->u = 0; n > 0; n--, method++)
		c->u += store_cell(s->code.st, COL_CODE_METHOD_BYTES, method);
}

static bool
classes_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	struct code_rows *s = code_rows_new(sizeof *s, session, stage, in, err);

	if (s == NULL)
		return false;
	s->item = CODE_OF_CLASS;
	s->more = class_more;
	s->n = s->there ? s->code.nclasses : 0;
	return rows_opened(&s->rows, stage_at_most(stage, 0, err), out);
}

const struct command source_code_classes = {
	SOURCE("classes", "classes of the bytecode, in file order", "classes | sort -bytes | head 10", classes_open),
	OVER(SHAPE_CODE, class_cols), .names = { "class" }
};

/* ---- methods --------------------------------------------------------------------------------- */

static const struct coldef method_cols[] = {
	{ "id", CELL_ID, "method number, class by class", false, .kind = CODE_ID, .of = ID_CODE_METHOD },
	{ "class", CELL_TEXT, "class", false, .kind = CODE_CLASS, .cut = CUT_FRONT },
	{ "name", CELL_TEXT, "name without the class", false, .kind = CODE_NAME },
	{ "descriptor", CELL_TEXT, "types of its arguments and its result", false, .kind = CODE_DESC },
	{ "access", CELL_TEXT, "public, static, synchronized, ...", false, OF(CODE_ACCESS, COL_CODE_METHOD_ACCESS) },
	{ "bytes", CELL_BYTES, "code size; 0: no code", false, OF(CODE_NUMBER, COL_CODE_METHOD_BYTES) },
	{ "first_line", CELL_COUNT, "first source line; empty: unknown", false,
	    OF(CODE_NUMBER_KNOWN, COL_CODE_METHOD_FIRST_LINE) },
	{ "last_line", CELL_COUNT, "last source line", false, OF(CODE_NUMBER_KNOWN, COL_CODE_METHOD_LAST_LINE) },
	{ "method", CELL_TEXT, "class and name, as in traces", true, .kind = CODE_METHOD, .cut = CUT_FRONT },
	{ "damaged", CELL_BOOL, "invalid code", true, OF(CODE_TRUTH, COL_CODE_METHOD_BAD) },
	{ "file", CELL_TEXT, "class file or dex file", true, .kind = CODE_FILE, .cut = CUT_MIDDLE },
	{ "code_id", CELL_ID, "same as id", true, .kind = CODE_ID, .of = ID_CODE_METHOD },
	{ "class_id", CELL_ID, "number of its class", true, OF(CODE_NUMBER, COL_CODE_METHOD_CLASS) }
};

static bool
methods_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	struct code_rows *s = code_rows_new(sizeof *s, session, stage, in, err);

	if (s == NULL)
		return false;
	s->item = CODE_OF_METHOD;
	s->n = s->there ? s->code.nmethods : 0;
	return rows_opened(&s->rows, stage_at_most(stage, 0, err), out);
}

const struct command source_code_methods = {
	SOURCE("methods", "methods of the bytecode, class by class", "methods | top 10 bytes", methods_open),
	OVER(SHAPE_CODE, method_cols), .names = { "class", "name", "descriptor" }
};
