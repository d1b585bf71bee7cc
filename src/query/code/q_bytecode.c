/*
 * q_bytecode: the instructions of methods.
 */
#include "config.h"

#include <stdlib.h>

#include "code_rows.h"

struct listed_insn {
	uint32_t	method, pc, line;
};

struct listing {
	struct code_rows	 of;
	struct code_body	 body;
	uint32_t		 open;		/* method that body is of */
	struct scratch		 insns;		/* struct listed_insn */
};

enum { INSN_OFFSET = CODE_MORE, INSN_LINE, INSN_OPCODE, INSN_OPERANDS, INSN_SIZE, INSN_METHOD_ID };

static const struct coldef insn_cols[] = {
	{ "method", CELL_TEXT, "class and name of the method", false, .kind = CODE_METHOD },
	{ "offset", CELL_COUNT, "where it begins: bytes, of a dex file units of two", false, .kind = INSN_OFFSET },
	{ "line", CELL_COUNT, "line of the source; empty: not known", false, .kind = INSN_LINE },
	{ "opcode", CELL_TEXT, "what it does", false, .kind = INSN_OPCODE },
	{ "operands", CELL_TEXT, "slots or registers, constants, targets", false, .kind = INSN_OPERANDS },
	{ "size", CELL_COUNT, "its length, as offsets count", true, .kind = INSN_SIZE },
	{ "descriptor", CELL_TEXT, "types of the method's arguments and result", true, .kind = CODE_DESC },
	{ "method_id", CELL_ID, "number of the method in the bytecode", true, .kind = INSN_METHOD_ID }
};

static const struct listed_insn *
insn_of(struct code_rows *s, uint64_t row)
{
	return &SCRATCH(((struct listing *)s)->insns, struct listed_insn)[row];
}

static uint32_t
listing_method(struct code_rows *s, uint64_t row)
{
	return insn_of(s, row)->method;
}

static bool
open_method(struct listing *l, uint32_t method, struct err *err)
{
	if (l->open == method)
		return true;
	l->open = code_body_open(&l->body, &l->of.code, method, err) ? method : 0;
	return l->open != 0;
}

static void
listing_more(struct code_rows *s, uint64_t row, unsigned kind, struct cell *c)
{
	struct listing *l = (struct listing *)s;
	const struct listed_insn *at = insn_of(s, row);
	struct insn i = { .size = 0 };

	switch (kind) {
	case INSN_OFFSET: c->u = at->pc; return;
	case INSN_METHOD_ID: c->u = at->method; return;
	case INSN_LINE:
		c->u = at->line;
		if (c->u == 0)
			c->type = CELL_NONE;
		return;
	default: break;
	}
	if (open_method(l, at->method, &s->rows.err))
		code_insn(&l->body, at->pc, &i);
	c->u = i.size;
	if (kind == INSN_SIZE)
		return;
	buf_clear(&s->text);
	if (kind == INSN_OPCODE)
		buf_printf(&s->text, "%s%s", i.wide ? "wide " : "", i.op != NULL ? i.op->name : i.size > 0 ? "payload" : "?");
	else
		code_operands(&l->body, &i, &s->text);
	code_cell_text(s, c);
}

static void
listing_close(struct code_rows *s)
{
	struct listing *l = (struct listing *)s;

	code_body_free(&l->body);
	SCRATCH_FREE(&l->insns);
}

static bool
add_method(struct listing *l, uint32_t method, struct err *err)
{
	struct listed_insn row = { .method = method };
	struct insn i;

	if (!open_method(l, method, err))
		return err->kind == E_NONE;
	for (uint32_t pc = 0; pc < l->body.size; pc += i.size) {
		row.pc = pc;
		row.line = code_line_of(&l->body, pc);
		if (!scratch_add(&l->insns, &l->of.n, &row, sizeof row, err))
			return false;
		/* What is behind one that makes no sense is not known. */
		if (!code_insn(&l->body, pc, &i))
			break;
	}
	return true;
}

static bool
add_methods(struct listing *l, const struct stage *stage, struct err *err)
{
	uint32_t *list = NULL;
	uint64_t n = 0;
	bool ok;

	if (!l->of.there)
		return true;
	ok = code_methods_of(&l->of.code, stage, &list, &n, err);
	for (uint64_t i = 0; ok && i < n; i++)
		ok = add_method(l, list[i], err);
	free(list);
	return ok;
}

static bool
bytecode_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	struct listing *l = code_rows_new(sizeof *l, session, stage, in, err);

	if (l == NULL)
		return false;
	l->of.method = listing_method;
	l->of.more = listing_more;
	l->of.close = listing_close;
	return rows_opened(&l->of.rows, (stage->n > 0 || fail_needs(stage, err)) && add_methods(l, stage, err), out);
}

const struct command source_bytecode = {
	SOURCE("bytecode", "the instructions of methods", "bytecode @1 | head 20", bytecode_open),
	OVER(SHAPE_CODE, insn_cols), .args = ARGS({ &arg_code_method, ARG_MANY })
};
