/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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
	struct item_rows	 rows;
	struct code_body	 body;
	uint32_t		 open;		/* method that body is of */
};

enum { BUG_COL_KIND = CODE_MORE, BUG_COL_LINE, BUG_COL_SITE, BUG_COL_FAULT_LINE, BUG_COL_WHY,
    BUG_COL_SEVERITY, BUG_COL_DETAIL,
	BUG_COL_TYPE, BUG_COL_SOURCE, BUG_COL_LABEL };

static const struct coldef bug_cols[] = {
	{ "id", CELL_ID, "bug number", MADE(.show = SHOW_NUMBER) },
	{ "kind", CELL_TEXT, "not-closed, handler-no-close, ..., or the rule of a check",
	    MADE(.show = BUG_COL_KIND) },
	{ "method", CELL_TEXT, "method with its class", MADE(.show = CODE_METHOD, .by = COL_BUG_METHOD),
	    .cut = CUT_FRONT },
	{ "line", CELL_COUNT, "line that creates the Cursor; empty: unknown", MADE(.show = BUG_COL_LINE) },
	{ "site", CELL_TEXT, "call or class that creates the Cursor", MADE(.show = BUG_COL_SITE) },
	{ "fault_line", CELL_COUNT, "line that loses the Cursor", MADE(.show = BUG_COL_FAULT_LINE) },
	{ "why", CELL_TEXT, "what is wrong", MADE(.show = BUG_COL_WHY) },
	{ "label", CELL_TEXT, "the kind in plain words", .more = true, MADE(.show = BUG_COL_LABEL), .head = "bug" },
	{ "severity", CELL_TEXT, "confidence: high, low (throw-leak) or none (gave-up)", .more = true,
	    MADE(.show = BUG_COL_SEVERITY) },
	{ "descriptor", CELL_TEXT, "argument and return types", .more = true,
	    MADE(.show = CODE_DESC, .by = COL_BUG_METHOD) },
	{ "offset", CELL_COUNT, "bytecode offset that creates the Cursor", .more = true,
	    MADE(.by = COL_BUG_SITE) },
	{ "fault", CELL_COUNT, "bytecode offset that loses the Cursor", .more = true,
	    MADE(.by = COL_BUG_PC) },
	{ "detail", CELL_TEXT, "how it is lost: return, athrow, operation or handler end", .more = true,
	    MADE(.show = BUG_COL_DETAIL) },
	{ "type", CELL_TEXT, "class of the object created there", .more = true, MADE(.show = BUG_COL_TYPE) },
	{ "file", CELL_TEXT, "class file or dex file", .more = true,
	    MADE(.show = CODE_FILE, .by = COL_BUG_METHOD, .then = COL_CODE_METHOD_CLASS), .cut = CUT_MIDDLE },
	{ "source", CELL_TEXT, "source file, with the directories of its package", .more = true,
	    MADE(.show = BUG_COL_SOURCE), .cut = CUT_MIDDLE },
	{ "code_id", CELL_ID, "method number in the bytecode", .more = true, MADE(.by = COL_BUG_METHOD),
	    .of = ID_CODE_METHOD }
};

static const column_id needs[] = { COL_BUG_METHOD, COL_NONE };

/* A line of help for each kind. */
static bool
bug_topic(uint64_t i, struct topic *topic)
{
	static const char *const what[BUG_KINDS] = {
		[BUG_GAVE_UP] = "too many paths to follow",
		[BUG_HANDLER] = "an exception handler exits without closing the Cursor",
		[BUG_NOT_CLOSED] = "the method returns, throws or gets another Cursor while the Cursor is open",
		[BUG_OUTSIDE_TRY] = "a call on the Cursor may throw, and nothing closes the Cursor then",
		[BUG_THROW_LEAK] = "the Cursor leaks only if some other call throws"
	};

	if (i >= BUG_KINDS)
		return false;
	*topic = (struct topic){ str_of(bug_kind_names[i]), STR("bug"),
	    i == BUG_THROW_LEAK ? STR("low") : i == BUG_GAVE_UP ? STR("none") : STR("high"),
	    str_of(what[i]) };
	return true;
}

static bool
open_method(struct bugs *b, uint32_t method, struct err *err)
{
	if (b->open != method)
		b->open = code_body_open(&b->body, CODE(&b->rows), method, err) ? method : 0;
	return b->open != 0;
}

static void
put_detail(struct bugs *b, uint64_t bug, struct buf *to)
{
	const struct store *st = b->rows.st;
	bool seed = store_cell(st, COL_BUG_RULES, bug) == RULES_SEED,
	    low = store_cell(st, COL_BUG_KIND, bug) == BUG_THROW_LEAK;

	switch ((enum bug_why)store_cell(st, COL_BUG_WHY, bug)) {
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
			code_text(bug_call_name(&b->body, (uint32_t)store_cell(st, COL_BUG_PC, bug)), to);
		break;
	case WHY_LEAVES: buf_printf(to, "leaves at %u", (unsigned)store_cell(st, COL_BUG_AT, bug)); break;
	case WHY_REACHED: buf_str(to, STR("reached")); break;
	case WHY_NOT_INSIDE: buf_str(to, STR("outside try")); break;
	case WHY_INSIDE: buf_str(to, STR("inside try")); break;
	case WHY_ENTRY: buf_printf(to, "entry %u", (unsigned)store_cell(st, COL_BUG_AT, bug)); break;
	}
}

/* "a/b/C.java": the class a/b/C$1 may be from any file of its package. */
static void
put_source(const struct code *c, uint32_t class, struct buf *to)
{
	struct str source = store_text(c->st, store_cell(c->st, COL_CODE_CLASS_SOURCE, class)), package, name;

	if (source.n == 0)
		return;
	if (str_divide_last(code_class_name(c, class), '/', &package, &name)) {
		buf_str(to, package);
		buf_chr(to, '/');
	}
	buf_str(to, source);
}

static void
bugs_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	struct bugs *b = (struct bugs *)s;
	struct buf *to = cell_begin(s);
	uint64_t what = store_cell(s->st, COL_BUG_KIND, n);

	if (show < CODE_MORE) {
		code_rows_cell(s, n, show, c);
		return;
	}
	if (!open_method(b, (uint32_t)store_cell(s->st, COL_BUG_METHOD, n), &s->rows.err)) {
		c->type = CELL_NONE;
		return;
	}
	switch (show) {
	case BUG_COL_KIND:
	case BUG_COL_LABEL: bug_kind_name(CODE(s), (uint32_t)n, show == BUG_COL_LABEL, to); break;
	case BUG_COL_SEVERITY:
		buf_str(to, what == BUG_THROW_LEAK ? STR("low") : what == BUG_GAVE_UP ? STR("none") :
		    STR("high"));
		break;
	case BUG_COL_LINE:
	case BUG_COL_FAULT_LINE:
		cell_number(c, CELL_COUNT, code_line_of(&b->body,
		    (uint32_t)store_cell(s->st, show == BUG_COL_LINE ? COL_BUG_SITE : COL_BUG_PC, n)));
		return;
	case BUG_COL_SITE: bug_site_name(CODE(s), &b->body, (uint32_t)n, to); break;
	case BUG_COL_TYPE:
		bug_type(&b->body, (uint32_t)store_cell(s->st, COL_BUG_SITE, n),
		    store_cell(s->st, COL_BUG_RESOURCE, n) == BUG_OF_STATE, to);
		break;
	case BUG_COL_SOURCE: put_source(CODE(s), b->body.class, to); break;
	case BUG_COL_WHY: bug_told(CODE(s), &b->body, (uint32_t)n, to); break;
	default: put_detail(b, n, to); break;
	}
	cell_text(&s->rows, c, to);
}

static void
bugs_end(struct item_rows *s)
{
	code_body_free(&((struct bugs *)s)->body);
}

/* ---- which of them ---------------------------------------------------------------------------- */

/* Marks in *has, the caller's, the bugs to which rows refer; NULL: the store is that of no file. */
static bool
q_bugs_mark_rows(struct item_rows *s, const struct stage *stage, uint8_t **has, struct err *err)
{
	const struct code *code = CODE(s);
	const struct column *method = store_column(s->st, COL_BUG_METHOD);
	uint64_t n = column_rows(method), of;
	int objects = rows_ids(s->rows.in, ID_OBJECT);
	uint8_t *methods = NULL;
	bool ok = true;

	*has = NULL;
	if (objects < 0)
		ok = code_rows_methods(code, s->rows.in, stage, &methods, err);
	if (!ok || code->st == NULL)
		return ok;
	*has = mem_array((size_t)n + 1, 1);
	ok = *has != NULL || fail(err, E_SYSTEM, "out of memory (answer)");
	for (uint64_t bug = 1; ok && objects < 0 && bug <= n; bug++) {
		of = column_get(method, bug - 1);
		(*has)[bug] = of <= code->nmethods && methods[of];
	}
	free(methods);
	return ok && (objects < 0 || code_bugs_of_objects(s, s->rows.in, (size_t)objects, *has, n, err));
}

/*
 * List the bugs of the chosen rules; all: also those that leak only if a call throws; after other rows only
 * those to which they refer.
 */
static bool
bugs_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	uint64_t n = column_rows(store_column(s->st, COL_BUG_METHOD));
	bool all = stage->n > 0, ok;
	uint8_t *has = NULL;

	if (!stage_at_most(stage, 1, err) || (all && !str_eq(stage->token[0].text, STR("all")) &&
	    !fail_at(err, E_USAGE, stage_at(stage, 0), "expected 'all' or nothing")))
		return false;
	ok = s->rows.in == NULL || q_bugs_mark_rows(s, stage, &has, err);
	for (uint32_t id = 1; ok && CODE(s)->st != NULL && id <= n; id++)
		if (store_cell(s->st, COL_BUG_RULES, id) == s->rows.session->rules &&
		    (has == NULL || has[id]) &&
		    (all || store_cell(s->st, COL_BUG_KIND, id) != BUG_THROW_LEAK))
			ok = item_rows_add_number(s, id);
	free(has);
	return ok;
}

static const struct domain bugs_domain = { .size = sizeof(struct code), .open = code_rows_begin,
    .cell = bugs_cell };
static const struct source bugs = {
	.domain = &bugs_domain, .size = sizeof(struct bugs), .args = ARGS_OWN, .begin = bugs_begin,
	.end = bugs_end
};

#define BUG_ARGS ARGS({ .word = "all", .flags = ARG_OPTIONAL })

const struct command source_bugs = {
	SOURCE("bugs", "Cursors, streams and locks not released on all paths", "bugs | group kind : count",
	    item_rows_open),
	OVER(SHAPE_CODE, bug_cols), .source = &bugs, .needs = needs, .args = BUG_ARGS,
	.names = { "kind", "method", "detail" }, .topic = bug_topic
};

static const column_id of_needs[] = { COL_BUG_METHOD, COL_METHOD_CODE, COL_NONE };
static const column_id heap_needs[] = { COL_BUG_METHOD, COL_METHOD_CODE, COL_OBJECT_OFFSET, COL_NONE };

const struct command stage_heap_bugs = {
	STAGE("bugs", "bugs of the methods, or that may have created the objects", "findings cursor | bugs",
	    item_rows_open),
	OVER(SHAPE_GRAPH, bug_cols), .source = &bugs, .with = SHAPE_CODE, .needs = heap_needs,
	.args = BUG_ARGS
};

const struct command stage_code_bugs = {
	STAGE("bugs", "bugs of the methods", "methods | bugs", item_rows_open),
	OVER(SHAPE_CODE, bug_cols), .source = &bugs, .needs = of_needs, .args = BUG_ARGS
};
