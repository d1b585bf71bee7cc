/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bug_words: bugs in words.
 */
#include "config.h"

#include "icecore/bugs.h"
#include "icecore/columns_code.h"

const char *const bug_kind_names[BUG_KINDS] = {
	[BUG_GAVE_UP] = "gave-up", [BUG_HANDLER] = "handler-no-close", [BUG_NOT_CLOSED] = "not-closed",
	[BUG_OUTSIDE_TRY] = "outside-try", [BUG_THROW_LEAK] = "throw-leak"
};

const char *const bug_rules_names[BUG_RULE_SETS + 1] = { [RULES_PATHS] = "paths", [RULES_SEED] = "seed" };

static bool
makes_object(const struct code_body *b, const struct insn *i)
{
	return i->code == (b->pool.dex ? 0x22 : 0xbb);
}

struct str
bug_call_name(struct code_body *b, uint32_t pc)
{
	struct code_ref ref;
	struct insn i;

	if (!code_insn(b, pc, &i) || i.op == NULL || i.index == CODE_NONE)
		return STR("");
	if (makes_object(b, &i))
		return code_pool_class(&b->pool, i.index, &ref.name) ? ref.name : STR("");
	return code_pool_method(&b->pool, i.index, &ref) ? ref.name : STR("");
}

bool
bug_type(struct code_body *b, uint32_t pc, bool state, struct buf *to)
{
	struct buf desc = BUF_INIT;
	struct str before, type;
	struct code_ref ref;
	struct insn i;

	if (!code_insn(b, pc, &i) || i.op == NULL || i.index == CODE_NONE)
		return false;
	if (makes_object(b, &i)) {
		if (code_pool_class(&b->pool, i.index, &type))
			code_text(type, to);
		return true;
	}
	if (state && code_pool_method(&b->pool, i.index, &ref))
		code_text(ref.owner, to);
	else if (code_pool_method(&b->pool, i.index, &ref) && code_pool_desc(&b->pool, &ref, &desc) &&
	    str_divide_last(buf_view(&desc), ')', &before, &type))
		code_text(code_type_name(type), to);
	buf_free(&desc);
	return false;
}

/* "query() on line 12", "new MatrixCursor on line 12" (also of its constructor); "at offset 40" where lines are not known. */
static void
put_place(struct code_body *b, uint32_t pc, bool call, struct buf *to)
{
	struct str name = call ? bug_call_name(b, pc) : STR("");
	uint32_t line = code_line_of(b, pc);
	struct code_ref ref = { .owner = name };
	struct insn i;

	if (name.n > 0 && code_insn(b, pc, &i) && (makes_object(b, &i) ||
	    (str_eq(name, STR("<init>")) && code_pool_method(&b->pool, i.index, &ref)))) {
		buf_str(to, STR("new "));
		code_text(ref.owner, to);
		buf_chr(to, ' ');
	} else if (name.n > 0) {
		code_text(name, to);
		buf_str(to, STR("() "));
	}
	if (line > 0)
		buf_printf(to, "on line %u", (unsigned)line);
	else
		buf_printf(to, "at offset %u", (unsigned)pc);
}

static void
put_paths(struct code_body *b, enum bug_kind kind, enum bug_why why, uint32_t pc, uint32_t at, struct buf *to)
{
	switch (why) {
	case WHY_AGAIN:
		buf_str(to, STR("is still open when the next one replaces it"));
		break;
	case WHY_RETURN:
	case WHY_ATHROW:
		buf_printf(to, "is still open when the method %s ", why == WHY_RETURN ? "returns" : "throws");
		put_place(b, pc, false, to);
		break;
	case WHY_LEAVES:
		buf_str(to, STR("is not closed by the handler "));
		put_place(b, pc, false, to);
		buf_str(to, STR("; the method ends "));
		put_place(b, at, false, to);
		break;
	case WHY_OPERATION:
	case WHY_CALL:
		buf_str(to, STR("stays open if "));
		put_place(b, pc, true, to);
		buf_str(to, STR(" throws"));
		break;
	case WHY_TOO_LARGE:
		buf_str(to, STR("and later ones were not analysed: the method is too large"));
		break;
	case WHY_ENTRY:
	case WHY_NONE:
		if (kind == BUG_GAVE_UP)
			buf_str(to, STR("has too many paths to follow"));
		break;
	}
}

/* "the FileInputStream from " */
static void
put_resource(struct code_body *b, enum bug_resource of, uint32_t site, struct buf *to)
{
	struct buf type = BUF_INIT;
	struct str name = STR("Cursor"), before;

	if (of != BUG_OF_CURSOR) {
		bug_type(b, site, of == BUG_OF_STATE, &type);
		name = buf_view(&type);
		str_divide_last(name, '.', &before, &name);
		str_divide_last(name, '$', &before, &name);
	}
	buf_str(to, STR("the "));
	buf_str(to, name.n > 0 ? name : STR("object"));
	buf_str(to, of == BUG_OF_STATE ? STR(" held since ") : STR(" from "));
	buf_free(&type);
}

void
bug_told(const struct code *c, struct code_body *b, uint32_t bug, struct buf *to)
{
	enum bug_kind kind = (enum bug_kind)store_cell(c->st, COL_BUG_KIND, bug);
	enum bug_why why = (enum bug_why)store_cell(c->st, COL_BUG_WHY, bug);
	uint32_t site = (uint32_t)store_cell(c->st, COL_BUG_SITE, bug), pc = (uint32_t)store_cell(c->st, COL_BUG_PC, bug);
	uint32_t at = (uint32_t)store_cell(c->st, COL_BUG_AT, bug);

	if (store_cell(c->st, COL_BUG_RULES, bug) == RULES_PATHS) {
		put_resource(b, (enum bug_resource)store_cell(c->st, COL_BUG_RESOURCE, bug), site, to);
		put_place(b, site, true, to);
		buf_chr(to, ' ');
		put_paths(b, kind, why, pc, at, to);
	} else if (why == WHY_ENTRY) {
		buf_printf(to, "handler %u ", (unsigned)at);
		put_place(b, pc, false, to);
		buf_str(to, STR(" does not close the Cursor"));
	} else {
		put_place(b, pc, true, to);
		buf_str(to, STR(" is called outside any try"));
	}
}
