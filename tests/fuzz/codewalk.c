/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codewalk.h"
#include "heapwalk.h"
#include "icecore/bugs.h"
#include "icecore/columns_code.h"

/* Instructions follow one another; targets and lines are arbitrary. */
static void
walk_body(struct code_body *body, struct buf *b, struct err *err)
{
	const struct code_local *local;
	struct insn i;

	for (uint32_t pc = 0; pc < body->size; pc += i.size) {
		if (!code_insn(body, pc, &i))
			return;
		MUST(i.size > 0 && i.size <= body->size - pc && i.pc == pc);
		MUST(i.range || i.nregs <= 5);
		buf_clear(b);
		code_operands(body, &i, b);
		code_line_of(body, pc);
		for (uint32_t k = 0; k < i.nregs; k++)
			if ((local = code_local(body, &i, k)) != NULL)
				MUST(local->start < local->end && local->end <= body->size && local->name.n > 0);
		buf_clear(b);
		MUST(code_frame_at(body, pc, b, err));
		MUST(b->n == 0 || b->s[0] == '[');
	}
}

/* Bugs are at instructions of methods that make sense. */
static void
walk_bugs(const struct code *c, struct code_body *body, struct buf *b, struct err *err)
{
	const struct column *method = store_column(c->st, COL_BUG_METHOD);
	struct insn i;

	for (uint32_t id = 1; method != NULL && id <= method->rows; id++) {
		MUST(store_cell(c->st, COL_BUG_KIND, id) < BUG_KINDS);
		MUST(code_body_open(body, c, (uint32_t)column_get(method, id - 1), err));
		MUST(code_insn(body, (uint32_t)store_cell(c->st, COL_BUG_SITE, id), &i) && i.op != NULL);
		MUST(store_cell(c->st, COL_BUG_PC, id) < body->size);
		buf_clear(b);
		bug_told(c, body, id, b);
		MUST(b->n > 0);
	}
}

uint64_t
walk_code(const struct store *st, struct err *err)
{
	struct code_body body = { .named = true };
	struct buf b = BUF_INIT;
	struct code code;

	if (!code_open(&code, st))
		return 0;
	for (uint32_t m = 1; m <= code.nmethods; m++) {
		buf_clear(&b);
		code_method_told(&code, m, &b);
		code_method_desc(&code, m, &b);
		if (code_body_open(&body, &code, m, err))
			walk_body(&body, &b, err);
	}
	walk_bugs(&code, &body, &b, err);
	code_body_free(&body);
	buf_free(&b);
	return code.nmethods;
}
