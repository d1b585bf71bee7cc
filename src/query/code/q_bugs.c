/*
 * q_bugs: what the rules for Cursors find.
 */
#include "config.h"

#include <stdlib.h>

#include "code_rows.h"
#include "icecore/bugs.h"
#include "icecore/columns_code.h"
#include "icecore/columns_objects.h"

struct bugs {
	struct code_rows	 of;
	struct code_body	 body;
	uint32_t		 open;		/* method that body is of */
};

enum { BUG_COL_KIND = CODE_MORE, BUG_COL_LINE, BUG_COL_SITE, BUG_COL_FAULT_LINE, BUG_COL_WHY, BUG_COL_SEVERITY, BUG_COL_DETAIL,
	BUG_COL_TYPE };

static const struct coldef bug_cols[] = {
	{ "id", CELL_ID, "bug number", false, .kind = CODE_ID },
	{ "kind", CELL_TEXT, "not-closed, handler-no-close, outside-try, ...", false, .kind = BUG_COL_KIND },
	{ "method", CELL_TEXT, "method with its class", false, .kind = CODE_METHOD, .cut = CUT_FRONT },
	{ "line", CELL_COUNT, "line that makes the Cursor; empty: unknown", false, .kind = BUG_COL_LINE },
	{ "site", CELL_TEXT, "call or class that makes the Cursor", false, .kind = BUG_COL_SITE },
	{ "fault_line", CELL_COUNT, "line that loses the Cursor", false, .kind = BUG_COL_FAULT_LINE },
	{ "why", CELL_TEXT, "what is wrong", false, .kind = BUG_COL_WHY },
	{ "severity", CELL_TEXT, "confidence: high, low (throw-leak) or none (gave-up)",
	    true, .kind = BUG_COL_SEVERITY },
	{ "descriptor", CELL_TEXT, "argument and return types", true, .kind = CODE_DESC },
	{ "offset", CELL_COUNT, "bytecode offset that makes the Cursor",
	    true, .kind = CODE_NUMBER, .column = COL_BUG_SITE },
	{ "fault", CELL_COUNT, "bytecode offset that loses the Cursor",
	    true, .kind = CODE_NUMBER, .column = COL_BUG_PC },
	{ "detail", CELL_TEXT, "how it is lost: return, athrow, operation or handler end",
	    true, .kind = BUG_COL_DETAIL },
	{ "type", CELL_TEXT, "class of the object made there", true, .kind = BUG_COL_TYPE },
	{ "file", CELL_TEXT, "class file or dex file", true, .kind = CODE_FILE, .cut = CUT_MIDDLE },
	{ "code_id", CELL_ID, "method number in the bytecode",
	    true, .kind = CODE_NUMBER, .column = COL_BUG_METHOD, .of = ID_CODE_METHOD }
};

static const column_id needs[] = { COL_BUG_METHOD, COL_NONE };

static uint64_t
bug_value(struct code_rows *s, uint64_t row, column_id col)
{
	return store_cell(s->code.st, col, (uint32_t)code_row_number(s, row));
}

static uint32_t
bug_method(struct code_rows *s, uint64_t row)
{
	return (uint32_t)bug_value(s, row, COL_BUG_METHOD);
}

static bool
q_bugs_open_method(struct bugs *b, uint32_t method, struct err *err)
{
	if (b->open != method)
		b->open = code_body_open(&b->body, &b->of.code, method, err) ? method : 0;
	return b->open != 0;
}

static void
put_detail(struct bugs *b, uint64_t row)
{
	struct buf *to = &b->of.text;
	bool seed = bug_value(&b->of, row, COL_BUG_RULES) == RULES_SEED, low = bug_value(&b->of, row, COL_BUG_KIND) == BUG_THROW_LEAK;

	switch ((enum bug_why)bug_value(&b->of, row, COL_BUG_WHY)) {
	case WHY_NONE: break;
	case WHY_TOO_LARGE: buf_str(to, STR("too large")); break;
	case WHY_RETURN: buf_str(to, STR("return")); break;
	case WHY_ATHROW: buf_str(to, STR("athrow")); break;
	case WHY_AGAIN: buf_str(to, STR("made again while open")); break;
	case WHY_CALL: buf_str(to, STR("call")); break;
	case WHY_OPERATION:
		if (low && !seed)
			buf_str(to, STR("op"));
		else
			code_text(bug_call_name(&b->body, (uint32_t)bug_value(&b->of, row, COL_BUG_PC)), to);
		break;
	case WHY_LEAVES: buf_printf(to, "leaves at %u", (unsigned)bug_value(&b->of, row, COL_BUG_AT)); break;
	case WHY_ENTRY: buf_printf(to, "entry %u", (unsigned)bug_value(&b->of, row, COL_BUG_AT)); break;
	}
}

static void
bugs_more(struct code_rows *s, uint64_t row, unsigned kind, struct cell *c)
{
	struct bugs *b = (struct bugs *)s;
	uint64_t what = bug_value(s, row, COL_BUG_KIND);

	buf_clear(&s->text);
	if (!q_bugs_open_method(b, bug_method(s, row), &s->rows.err)) {
		c->type = CELL_NONE;
		return;
	}
	switch (kind) {
	case BUG_COL_KIND: buf_str(&s->text, what < BUG_KINDS ? str_of(bug_kind_names[what]) : STR("")); break;
	case BUG_COL_SEVERITY:
		buf_str(&s->text, what == BUG_THROW_LEAK ? STR("low") : what == BUG_GAVE_UP ? STR("none") : STR("high"));
		break;
	case BUG_COL_LINE:
	case BUG_COL_FAULT_LINE:
		c->u = code_line_of(&b->body, (uint32_t)bug_value(s, row, kind == BUG_COL_LINE ? COL_BUG_SITE : COL_BUG_PC));
		if (c->u == 0)
			c->type = CELL_NONE;
		return;
	case BUG_COL_SITE: code_text(bug_call_name(&b->body, (uint32_t)bug_value(s, row, COL_BUG_SITE)), &s->text); break;
	case BUG_COL_TYPE: bug_type(&b->body, (uint32_t)bug_value(s, row, COL_BUG_SITE), &s->text); break;
	case BUG_COL_WHY: bug_told(&s->code, &b->body, (uint32_t)code_row_number(s, row), &s->text); break;
	default: put_detail(b, row); break;
	}
	code_cell_text(s, c);
}

static void
bugs_close(struct code_rows *s)
{
	code_body_free(&((struct bugs *)s)->body);
}

/* List the bugs of the chosen rules; all: also those that leak only if a call throws; has: only bugs marked there, or NULL. */
static bool
list_bugs(struct bugs *b, enum bug_rules rules, bool all, const uint8_t *has, struct err *err)
{
	struct code_rows *s = &b->of;
	const struct column *method = s->there ? store_column(s->code.st, COL_BUG_METHOD) : NULL;
	uint64_t n = method == NULL ? 0 : method->rows;

	if (!s->there)
		return true;
	s->list = mem_array((size_t)n + 1, sizeof *s->list);
	if (s->list == NULL)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	for (uint32_t id = 1; id <= n; id++)
		if (store_cell(s->code.st, COL_BUG_RULES, id) == rules && (has == NULL || has[id]) &&
		    (all || store_cell(s->code.st, COL_BUG_KIND, id) != BUG_THROW_LEAK))
			s->list[s->n++] = id;
	return true;
}

static struct bugs *
bugs_new(struct session *session, const struct stage *stage, struct rows *in, bool *all, struct err *err)
{
	struct bugs *b = code_rows_new(sizeof *b, session, stage, in, err);

	if (b == NULL)
		return NULL;
	b->of.method = bug_method;
	b->of.more = bugs_more;
	b->of.close = bugs_close;
	*all = stage->n > 0;
	if (stage_at_most(stage, 1, err) && (!*all || str_eq(stage->token[0].text, STR("all")) ||
	    fail_at(err, E_USAGE, stage_at(stage, 0), "expected 'all' or nothing")))
		return b;
	rows_close(&b->of.rows);
	return NULL;
}

static bool
bugs_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	bool all;
	struct bugs *b = bugs_new(session, stage, in, &all, err);

	return b != NULL && rows_opened(&b->of.rows, list_bugs(b, (enum bug_rules)session->rules, all, NULL, err), out);
}

#define BUG_ARGS ARGS({ .word = "all", .flags = ARG_OPTIONAL })

const struct command source_bugs = {
	SOURCE("bugs", "Cursors not closed on all paths, by bytecode", "bugs | group kind : count", bugs_open),
	OVER(SHAPE_CODE, bug_cols), .needs = needs, .args = BUG_ARGS,
	.names = { "kind", "method", "detail" }
};

/* ---- of the methods or the objects of other rows ------------------------------------------------ */

/* Marks in *has, the caller's, the bugs that rows lead to; NULL: the store is that of no file. */
static bool
q_bugs_mark_rows(struct bugs *b, struct rows *in, const struct stage *stage, uint8_t **has, struct err *err)
{
	const struct column *method = b->of.there ? store_column(b->of.code.st, COL_BUG_METHOD) : NULL;
	uint64_t n = method == NULL ? 0 : method->rows, of;
	int objects = rows_ids(in, ID_OBJECT);
	uint8_t *methods = NULL;
	bool ok = true;

	*has = NULL;
	if (objects < 0)
		ok = code_rows_methods(&b->of, in, stage, &methods, err);
	if (!ok || !b->of.there)
		return ok;
	*has = mem_array((size_t)n + 1, 1);
	ok = *has != NULL || fail(err, E_SYSTEM, "out of memory (answer)");
	for (uint64_t bug = 1; ok && objects < 0 && bug <= n; bug++) {
		of = column_get(method, bug - 1);
		(*has)[bug] = of <= b->of.code.nmethods && methods[of];
	}
	free(methods);
	return ok && (objects < 0 || code_bugs_of_objects(&b->of, in, (size_t)objects, *has, n, err));
}

static bool
bugs_of_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	uint8_t *has = NULL;
	bool all, ok;
	struct bugs *b = bugs_new(session, stage, in, &all, err);

	if (b == NULL)
		return false;
	ok = q_bugs_mark_rows(b, in, stage, &has, err) &&
	    list_bugs(b, (enum bug_rules)session->rules, all, has, err);
	free(has);
	return rows_opened(&b->of.rows, ok, out);
}

static const column_id of_needs[] = { COL_BUG_METHOD, COL_METHOD_CODE, COL_NONE };
static const column_id heap_needs[] = { COL_BUG_METHOD, COL_METHOD_CODE, COL_OBJECT_OFFSET, COL_NONE };

const struct command stage_heap_bugs = {
	STAGE("bugs", "the bugs of the methods of the rows, or by which their objects may have been made", "findings cursor | bugs",
	    bugs_of_open),
	OVER(SHAPE_GRAPH, bug_cols), .with = SHAPE_CODE, .needs = heap_needs, .args = BUG_ARGS
};

const struct command stage_code_bugs = {
	STAGE("bugs", "bugs of the methods", "methods | bugs", bugs_of_open),
	OVER(SHAPE_CODE, bug_cols), .needs = of_needs, .args = BUG_ARGS
};
