/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bug_words: bugs in words.
 */
#include "config.h"

#include "icecore/bugs.h"
#include "icecore/columns_code.h"
#include "icecore/resources.h"

const char *const bug_kind_names[BUG_KINDS] = {
	[BUG_GAVE_UP] = "gave-up", [BUG_HANDLER] = "handler-no-close", [BUG_NOT_CLOSED] = "not-closed",
	[BUG_OUTSIDE_TRY] = "outside-try", [BUG_THROW_LEAK] = "throw-leak"
};

static const char *const bug_kind_labels[BUG_KINDS] = {
	[BUG_GAVE_UP] = "not analysed", [BUG_HANDLER] = "left open by a handler", [BUG_NOT_CLOSED] = "left open",
	[BUG_OUTSIDE_TRY] = "left open on exception", [BUG_THROW_LEAK] = "left open if a call throws"
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
	OWN_BUF desc = BUF_INIT;
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
	return false;
}

/*
 * "query() on line 12", "new MatrixCursor on line 12" (also of its constructor); "at offset 40" where lines
 * are not known.
 */
static void
put_place(struct code_body *b, uint32_t pc, bool call, struct buf *to)
{
	struct str name = call ? bug_call_name(b, pc) : STR("");
	uint32_t line = code_line_of(b, pc);
	struct code_ref ref = { .owner = name };
	struct insn i;

	if (name.n > 0 && code_insn(b, pc, &i) && (makes_object(b, &i) ||
	    (str_is(name, "<init>") && code_pool_method(&b->pool, i.index, &ref)))) {
		buf_text(to, "new ");
		code_text(ref.owner, to);
		buf_chr(to, ' ');
	} else if (name.n > 0) {
		code_text(name, to);
		buf_text(to, "() ");
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
		buf_text(to, "is still open when the next one replaces it");
		break;
	case WHY_RETURN:
	case WHY_ATHROW:
		buf_printf(to, "is still open when the method %s ", why == WHY_RETURN ? "returns" : "throws");
		put_place(b, pc, false, to);
		break;
	case WHY_LEAVES:
		buf_text(to, "is not closed by the handler ");
		put_place(b, pc, false, to);
		buf_text(to, "; the method ends ");
		put_place(b, at, false, to);
		break;
	case WHY_OPERATION:
	case WHY_CALL:
		buf_text(to, "stays open if ");
		put_place(b, pc, true, to);
		buf_text(to, " throws");
		break;
	case WHY_TOO_LARGE:
		buf_text(to, "and later ones were not analysed: the method is too large");
		break;
	case WHY_ENTRY:
	case WHY_REACHED:
	case WHY_NOT_INSIDE:
	case WHY_INSIDE:
	case WHY_NONE:
		if (kind == BUG_GAVE_UP)
			buf_text(to, "has too many paths to follow");
		break;
	}
}

/* ---- of checks --------------------------------------------------------------------------------- */

static struct str
class_short(struct str class)
{
	struct str before;

	str_divide_last(class, '/', &before, &class);
	str_divide_last(class, '$', &before, &class);
	return class;
}

/* "show()", "super.onCreate()", "ActivityNotFoundException" */
static void
put_needed(const struct resources *r, uint32_t row, struct buf *to)
{
	bool type = r->row[row].need >= RESOURCE_INSIDE;
	const struct resource_word *w = check_word(r, row, type ? RESOURCE_INSIDE : RESOURCE_RELEASED);

	if (w != NULL && str_is(w->owner, "super"))
		buf_text(to, "super.");
	code_text(w == NULL ? STR("throw") : type ? class_short(w->owner) : w->name, to);
	if (w != NULL && !type)
		buf_text(to, "()");
}

static void
put_check_site(const struct code *c, struct code_body *b, const struct resources *r, uint32_t site,
    struct buf *to)
{
	const uint32_t row = RESOURCES_MOST + 1;

	if (r->row[row].trigger == RESOURCE_CALL) {
		put_place(b, site, true, to);
	} else if (r->row[row].trigger == RESOURCE_ENTER) {
		buf_text(to, "the start of ");
		code_text(code_method_name(c, b->method), to);
		buf_text(to, "()");
	} else {
		buf_text(to, "the handler of ");
		code_text(class_short(check_word(r, row, RESOURCE_CATCH)->owner), to);
		buf_chr(to, ' ');
		put_place(b, site, false, to);
	}
}

static void
put_check(const struct code *c, struct code_body *b, const struct resources *r, uint32_t bug, struct buf *to)
{
	enum bug_why why = (enum bug_why)store_cell(c->st, COL_BUG_WHY, bug);
	uint32_t pc = (uint32_t)store_cell(c->st, COL_BUG_PC, bug);
	const uint32_t row = RESOURCES_MOST + 1;

	buf_str(to, r->row[row].says);
	buf_text(to, r->row[row].says.n > 0 ? ": " : "");
	put_check_site(c, b, r, (uint32_t)store_cell(c->st, COL_BUG_SITE, bug), to);
	switch (why) {
	case WHY_RETURN:
	case WHY_ATHROW:
	case WHY_CALL:
		buf_text(to, " is not followed by ");
		put_needed(r, row, to);
		buf_text(to, why == WHY_CALL ? " if " : why == WHY_RETURN ? " when the method returns " :
		    " when the method throws ");
		put_place(b, pc, why == WHY_CALL, to);
		buf_text(to, why == WHY_CALL ? " throws" : "");
		break;
	case WHY_REACHED:
		buf_text(to, " can be reached without ");
		put_needed(r, row, to);
		break;
	case WHY_NOT_INSIDE:
	case WHY_INSIDE:
		buf_text(to, why == WHY_INSIDE ? " is inside a try that catches " :
		    " is not inside a try that catches ");
		put_needed(r, row, to);
		break;
	default:
		buf_chr(to, ' ');
		put_paths(b, BUG_GAVE_UP, why, pc, 0, to);
	}
}

/* Opens the rule of a bug, if a check found it. */
static bool
check_open(const struct code *c, uint32_t bug, struct resources *r)
{
	uint64_t check = store_cell(c->st, COL_BUG_CHECK, bug);

	return check > 0 && checks_one(r, c->st, check - 1);
}

void
bug_kind_name(const struct code *c, uint32_t bug, bool label, struct buf *to)
{
	uint64_t kind = store_cell(c->st, COL_BUG_KIND, bug);
	struct resources r = { .nrows = 0 };

	if (kind != BUG_GAVE_UP && check_open(c, bug, &r))
		buf_str(to, r.row[RESOURCES_MOST + 1].type);
	else if (kind < BUG_KINDS)
		buf_text(to, (label ? bug_kind_labels : bug_kind_names)[kind]);
	resources_free(&r);
}

void
bug_site_name(const struct code *c, struct code_body *b, uint32_t bug, struct buf *to)
{
	struct resources r = { .nrows = 0 };
	bool check = check_open(c, bug, &r);
	enum resource_what trigger = check ? (enum resource_what)r.row[RESOURCES_MOST + 1].trigger :
	    RESOURCE_CALL;

	if (trigger == RESOURCE_CATCH)
		code_text(check_word(&r, RESOURCES_MOST + 1, RESOURCE_CATCH)->owner, to);
	else
		code_text(trigger == RESOURCE_ENTER ? code_method_name(c, b->method) :
		    bug_call_name(b, (uint32_t)store_cell(c->st, COL_BUG_SITE, bug)), to);
	resources_free(&r);
}

/* ---- of all ------------------------------------------------------------------------------------ */

/* "the FileInputStream from " */
static void
put_resource(struct code_body *b, enum bug_resource of, uint32_t site, struct buf *to)
{
	OWN_BUF type = BUF_INIT;
	struct str name = STR("Cursor"), before;

	if (of != BUG_OF_CURSOR) {
		bug_type(b, site, of == BUG_OF_STATE, &type);
		name = buf_view(&type);
		str_divide_last(name, '.', &before, &name);
		str_divide_last(name, '$', &before, &name);
	}
	buf_text(to, "the ");
	buf_str(to, name.n > 0 ? name : STR("object"));
	buf_text(to, of == BUG_OF_STATE ? " held since " : " from ");
}

void
bug_told(const struct code *c, struct code_body *b, uint32_t bug, struct buf *to)
{
	enum bug_kind kind = (enum bug_kind)store_cell(c->st, COL_BUG_KIND, bug);
	enum bug_why why = (enum bug_why)store_cell(c->st, COL_BUG_WHY, bug);
	uint32_t site = (uint32_t)store_cell(c->st, COL_BUG_SITE, bug),
	    pc = (uint32_t)store_cell(c->st, COL_BUG_PC, bug);
	uint32_t at = (uint32_t)store_cell(c->st, COL_BUG_AT, bug);
	struct resources r = { .nrows = 0 };

	if (check_open(c, bug, &r)) {
		put_check(c, b, &r, bug, to);
	} else if (store_cell(c->st, COL_BUG_RULES, bug) == RULES_PATHS) {
		put_resource(b, (enum bug_resource)store_cell(c->st, COL_BUG_RESOURCE, bug), site, to);
		put_place(b, site, true, to);
		buf_chr(to, ' ');
		put_paths(b, kind, why, pc, at, to);
	} else if (why == WHY_ENTRY) {
		buf_printf(to, "handler %u ", (unsigned)at);
		put_place(b, pc, false, to);
		buf_text(to, " does not close the Cursor");
	} else {
		put_place(b, pc, true, to);
		buf_text(to, " is called outside any try");
	}
	resources_free(&r);
}
