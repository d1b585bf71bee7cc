/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_code: the classes and methods of bytecode.
 */
#include "config.h"

#include "icecore/columns_code.h"
#include "code_rows.h"

/* ---- classes --------------------------------------------------------------------------------- */

static void
class_bytes_cell(struct item_rows *s, uint64_t class, struct cell *c)
{
	uint64_t method, n = code_class_methods(s->st, class, &method);

	for (c->u = 0; n > 0; n--, method++)
		c->u += store_cell(s->st, COL_CODE_METHOD_BYTES, method);
}

static const struct coldef class_cols[] = {
	{ "id", CELL_ID, "class number in file order", MADE(.show = SHOW_NUMBER) },
	{ "class", CELL_TEXT, "name", MADE(.show = CODE_CLASS), .cut = CUT_FRONT },
	{ "super", CELL_TEXT, "superclass", MADE(.show = CODE_TEXT, .by = COL_CODE_CLASS_SUPER),
	    .cut = CUT_FRONT },
	{ "methods", CELL_COUNT, "declared methods", MADE(.show = SHOW_NUMBER,
	    .by = COL_CODE_CLASS_METHODS) },
	{ "bytes", CELL_BYTES, "code size of all methods", COMPUTED(class_bytes_cell) },
	{ "access", CELL_TEXT, "public, final, interface, ...",
	    MADE(.show = CODE_CLASS_ACCESS, .by = COL_CODE_CLASS_ACCESS) },
	{ "source", CELL_TEXT, "source file", .more = true, MADE(.show = SHOW_REF,
	    .by = COL_CODE_CLASS_SOURCE), .cut = CUT_MIDDLE },
	{ "file", CELL_TEXT, "class file or dex file", .more = true, MADE(.show = CODE_FILE),
	    .cut = CUT_MIDDLE },
	{ "class_id", CELL_ID, "same as id", .more = true, MADE(.show = SHOW_NUMBER) }
};

static const struct source classes = { .domain = &code_domain, .rows_of = COL_CODE_CLASS_NAME };

const struct command source_code_classes = {
	SOURCE("classes", "classes of the bytecode, in file order", "classes | sort -bytes | head 10",
	    item_rows_open),
	OVER(SHAPE_CODE, class_cols), .source = &classes, .names = { "class" }
};

/* ---- methods --------------------------------------------------------------------------------- */

static const struct coldef method_cols[] = {
	{ "id", CELL_ID, "method number, class by class", MADE(.show = SHOW_NUMBER), .of = ID_CODE_METHOD },
	{ "class", CELL_TEXT, "class", MADE(.show = CODE_CLASS, .by = COL_CODE_METHOD_CLASS),
	    .cut = CUT_FRONT },
	{ "name", CELL_TEXT, "name without the class", MADE(.show = CODE_NAME) },
	{ "descriptor", CELL_TEXT, "types of its arguments and its result", MADE(.show = CODE_DESC) },
	{ "access", CELL_TEXT, "public, static, synchronized, ...",
	    MADE(.show = CODE_METHOD_ACCESS, .by = COL_CODE_METHOD_ACCESS) },
	{ "bytes", CELL_BYTES, "code size; 0: no code", MADE(.show = SHOW_NUMBER,
	    .by = COL_CODE_METHOD_BYTES) },
	{ "first_line", CELL_COUNT, "first source line; empty: unknown",
	    MADE(.show = SHOW_SOME, .by = COL_CODE_METHOD_FIRST_LINE) },
	{ "last_line", CELL_COUNT, "last source line", MADE(.show = SHOW_SOME,
	    .by = COL_CODE_METHOD_LAST_LINE) },
	{ "method", CELL_TEXT, "class and name, as in traces", .more = true, MADE(.show = CODE_METHOD),
	    .cut = CUT_FRONT },
	{ "damaged", CELL_BOOL, "invalid code", .more = true,
	    MADE(.show = SHOW_TRUE, .by = COL_CODE_METHOD_BAD) },
	{ "file", CELL_TEXT, "class file or dex file", .more = true,
	    MADE(.show = CODE_FILE, .by = COL_CODE_METHOD_CLASS), .cut = CUT_MIDDLE },
	{ "code_id", CELL_ID, "same as id", .more = true, MADE(.show = SHOW_NUMBER), .of = ID_CODE_METHOD },
	{ "class_id", CELL_ID, "number of its class", .more = true,
	    MADE(.show = SHOW_NUMBER, .by = COL_CODE_METHOD_CLASS) }
};

static const struct source methods = { .domain = &code_domain, .rows_of = COL_CODE_METHOD_NAME };

const struct command source_code_methods = {
	SOURCE("methods", "methods of the bytecode, class by class", "methods | top 10 bytes",
	    item_rows_open),
	OVER(SHAPE_CODE, method_cols), .source = &methods, .names = { "class", "name", "descriptor" }
};
