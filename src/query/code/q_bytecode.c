/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_bytecode: the instructions of methods.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "code_rows.h"
#include "icecore/bugs.h"
#include "icecore/columns_code.h"
#include "icecore/columns_trace.h"

struct listed_insn {
	uint32_t	method, pc, line;
};

/* An instruction that a bug is about: where the Cursor is made, where it is lost. */
struct bug_mark {
	uint32_t	pc, bug;
};

struct listing {
	struct item_rows	 rows;
	struct code_body	 body;
	uint32_t		 open;		/* method that body is of */
	struct scratch		 weights;	/* u64: own weight of the trace at each of these lines of the method */
	uint64_t		 nweights;
	enum bug_rules		 rules;
	/* u32: by method where its bugs begin, up to the end; bugs by method */
	struct scratch		 bug_from, bugs;
	struct scratch		 marks;		/* struct bug_mark of the open method, by pc and bug */
	uint64_t		 nmarks;
	uint32_t		 marked;	/* the method that they are of */
};

enum { INSN_OPCODE = CODE_MORE, INSN_OPERANDS, INSN_LOCALS, INSN_TYPES, INSN_FRAME, INSN_SIZE, INSN_SHARE,
    INSN_HANDLERS, INSN_BUG, INSN_NOTE };

static const column_id bug_needs[] = { COL_BUG_METHOD, COL_NONE };

#define INSN(what, member) MADE(.show = (what), ITEM(struct listed_insn, member))

#define INSN_COLS \
	{ "method", CELL_TEXT, "method with its class", INSN(CODE_METHOD, method), .cut = CUT_FRONT }, \
	{ "offset", CELL_COUNT, "offset: bytes; in dex files units of 2 bytes", INSN(SHOW_NUMBER, pc) }, \
	{ "line", CELL_COUNT, "source line; empty: unknown", INSN(SHOW_SOME, line) }, \
	{ "opcode", CELL_TEXT, "operation", MADE(.show = INSN_OPCODE) }, \
	{ "operands", CELL_TEXT, "operands: slots, registers, constants, targets", MADE(.show = INSN_OPERANDS) }, \
	{ "locals", CELL_TEXT, "names of the local variables in these slots or registers", \
	    MADE(.show = INSN_LOCALS) }, \
	{ "handlers", CELL_TEXT, "offsets of the handlers for what it throws, in order", \
	    MADE(.show = INSN_HANDLERS) }, \
	{ "bug", CELL_ID, "bug whose Cursor is created or lost here", MADE(.show = INSN_BUG), .needs = bug_needs }, \
	{ "note", CELL_TEXT, "the bug; for a handler: exceptions caught, and from where", MADE(.show = INSN_NOTE), \
	    .needs = bug_needs }, \
	{ "types", CELL_TEXT, "types of the locals", .more = true, MADE(.show = INSN_TYPES) }, \
	{ "frame", CELL_TEXT, "stack-map frame of class files: types of locals and stack", .more = true, \
	    MADE(.show = INSN_FRAME) }, \
	{ "size", CELL_COUNT, "length, in units of the offset", .more = true, MADE(.show = INSN_SIZE) }, \
	{ "descriptor", CELL_TEXT, "argument and return types", .more = true, INSN(CODE_DESC, method) }, \
	{ "code_id", CELL_ID, "method number in the bytecode", .more = true, INSN(SHOW_NUMBER, method), \
	    .of = ID_CODE_METHOD }

static const struct coldef insn_cols[] = {
	INSN_COLS
};

static const column_id share_needs[] = { COL_METHOD_CODE, COL_METHOD_SELF_WALL, COL_NONE };

static const struct coldef traced_cols[] = {
	INSN_COLS,
	{ "share", CELL_PERCENT, "share of the method's self weight at this line", MADE(.show = INSN_SHARE),
	    .needs = share_needs }
};

static bool
q_bytecode_open_method(struct listing *l, uint32_t method, struct err *err)
{
	if (l->open == method)
		return true;
	l->open = code_body_open(&l->body, CODE(&l->rows), method, err) ? method : 0;
	return l->open != 0;
}

/* Show the share of the line in the method's weight; empty if no line of the method has weight. */
static void
q_bytecode_share_cell(struct listing *l, const struct listed_insn *at, struct cell *c)
{
	uint64_t row = (uint64_t)(at - SCRATCH(l->rows.list, struct listed_insn));
	const uint64_t *weight = SCRATCH(l->weights, uint64_t) + 2 * row;

	if (row >= l->nweights || weight[1] == 0 || at->line == 0)
		c->type = CELL_NONE;
	else
		c->f = 100.0 * (double)weight[0] / (double)weight[1];
}

/* ---- handlers and bugs -------------------------------------------------------------------------- */

#define NOTES_MOST 8		/* handlers of an instruction, ranges of a handler */

/* Append the handlers, up to the one that catches all. */
static void
put_handlers(struct listing *l, uint32_t pc, struct buf *to)
{
	const struct code_try *t = SCRATCH(l->body.tries, struct code_try);
	unsigned n = 0;

	for (uint64_t i = 0; i < l->body.ntries; i++) {
		if (pc < t[i].start || pc >= t[i].end)
			continue;
		if (n++ == NOTES_MOST) {
			buf_str(to, STR(" ..."));
			return;
		}
		buf_printf(to, "%s%u", n > 1 ? " " : "", (unsigned)t[i].handler);
		if (t[i].what == CATCH_ALL)
			return;
	}
}

/* "catches java.io.IOException from 13 to 24" */
static void
put_caught(struct listing *l, uint32_t pc, struct buf *to)
{
	const struct code_try *t = SCRATCH(l->body.tries, struct code_try);
	unsigned n = 0;

	for (uint64_t i = 0; i < l->body.ntries; i++) {
		if (t[i].handler != pc)
			continue;
		if (n++ == NOTES_MOST) {
			buf_str(to, STR(", ..."));
			return;
		}
		buf_str(to, n > 1 ? STR(", ") : STR("catches "));
		code_text(t[i].type.n > 0 ? t[i].type : STR("everything"), to);
		buf_printf(to, " from %u to %u", (unsigned)t[i].start, (unsigned)t[i].end);
	}
}

/* Bugs by their methods, those that the stage bugs lists; false: they are not known, or out of memory. */
static bool
sort_bugs(struct listing *l)
{
	const struct column *method = store_column(l->rows.st, COL_BUG_METHOD);
	const struct code *code = CODE(&l->rows);
	uint32_t n = method == NULL ? 0 : (uint32_t)method->rows, *from, *to;
	struct err *err = &l->rows.rows.err;

	if (l->bug_from.data != NULL || method == NULL)
		return l->bug_from.data != NULL;
	if (!scratch_array(&l->bugs, n + (uint64_t)1, sizeof *to, err) ||
	    !scratch_array(&l->bug_from, code->nmethods + (uint64_t)3, sizeof *from, err))
		return false;
	from = SCRATCH(l->bug_from, uint32_t);
	to = SCRATCH(l->bugs, uint32_t);
	memset(from, 0, (code->nmethods + (size_t)3) * sizeof *from);
	/* In a damaged index a bug may name an unknown method: skip it. */
	for (uint32_t id = 1; id <= n; id++)
		if (column_get(method, id - 1) <= code->nmethods)
			from[column_get(method, id - 1) + 2]++;
	for (uint32_t m = 2; m < code->nmethods + 3; m++)
		from[m] += from[m - 1];
	for (uint32_t id = 1; id <= n; id++)
		if (column_get(method, id - 1) <= code->nmethods)
			to[from[column_get(method, id - 1) + 1]++] = id;
	return true;
}

static int
mark_order(const void *x, const void *y)
{
	const struct bug_mark *a = x, *b = y;

	return num_order(a->pc, b->pc, num_order(a->bug, b->bug, 0));
}

static bool
add_marks(struct listing *l, uint32_t bug, struct err *err)
{
	const struct store *st = l->rows.st;
	enum bug_why why = (enum bug_why)store_cell(st, COL_BUG_WHY, bug);
	struct bug_mark mark = { (uint32_t)store_cell(st, COL_BUG_SITE, bug), bug };

	if (store_cell(st, COL_BUG_RULES, bug) != l->rules ||
	    store_cell(st, COL_BUG_KIND, bug) == BUG_THROW_LEAK)
		return true;
	if (!scratch_add(&l->marks, &l->nmarks, &mark, sizeof mark, err))
		return false;
	mark.pc = (uint32_t)store_cell(st, COL_BUG_PC, bug);
	if (!scratch_add(&l->marks, &l->nmarks, &mark, sizeof mark, err))
		return false;
	mark.pc = (uint32_t)store_cell(st, COL_BUG_AT, bug);
	return why != WHY_LEAVES || scratch_add(&l->marks, &l->nmarks, &mark, sizeof mark, err);
}

/* The first mark at pc; n: how many there are. */
static const struct bug_mark *
marks_at(struct listing *l, uint32_t method, uint32_t pc, uint64_t *n)
{
	const struct bug_mark *mark;
	const uint32_t *from;
	uint64_t low = 0, high, middle;

	*n = 0;
	if (!sort_bugs(l))
		return NULL;
	from = SCRATCH(l->bug_from, uint32_t) + method;
	if (l->marked != method) {
		l->nmarks = 0;
		for (uint32_t i = from[0]; i < from[1]; i++)
			if (!add_marks(l, SCRATCH(l->bugs, uint32_t)[i], &l->rows.rows.err))
				return NULL;
		if (l->nmarks > 0)
			qsort(l->marks.data, l->nmarks, sizeof *mark, mark_order);
		l->marked = method;
	}
	if (l->nmarks == 0)
		return NULL;
	mark = SCRATCH(l->marks, struct bug_mark);
	for (high = l->nmarks; low < high;) {
		middle = low + (high - low) / 2;
		if (mark[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + *n < l->nmarks && mark[low + *n].pc == pc)
		++*n;
	return mark + low;
}

static void
put_note(struct listing *l, const struct listed_insn *at, struct buf *to)
{
	uint64_t n;
	const struct bug_mark *mark = marks_at(l, at->method, at->pc, &n);

	put_caught(l, at->pc, to);
	for (uint64_t i = 0; i < n; i++) {
		if (i > 0 && mark[i].bug == mark[i - 1].bug)
			continue;
		buf_str(to, to->n > 0 ? STR("; ") : STR(""));
		bug_kind_name(CODE(&l->rows), mark[i].bug, true, to);
		buf_str(to, STR(": "));
		bug_told(CODE(&l->rows), &l->body, mark[i].bug, to);
	}
}

static void
bug_cell(struct listing *l, const struct listed_insn *at, struct cell *c)
{
	uint64_t n;
	const struct bug_mark *mark = marks_at(l, at->method, at->pc, &n);

	if (n > 0)
		c->u = mark->bug;
	else
		c->type = CELL_NONE;
}

/* Append names of local variables, or their types, each after its register if the instruction has several. */
static void
put_locals(struct listing *l, const struct insn *i, bool types, struct buf *to)
{
	const struct code_local *v;
	size_t from = to->n;

	for (uint32_t k = 0; k < i->nregs; k++) {
		if ((v = code_local(&l->body, i, k)) == NULL)
			continue;
		buf_str(to, to->n > from ? STR(", ") : STR(""));
		if (i->nregs > 1)
			buf_printf(to, "v%u ", (unsigned)v->slot);
		code_text(types ? v->type : v->name, to);
	}
}

/* ---- cells --------------------------------------------------------------------------------------- */

static void
listing_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	struct listing *l = (struct listing *)s;
	const struct listed_insn *at = s->item;
	struct buf *to = cell_begin(s);
	struct insn i = { .size = 0 };

	if (show < CODE_MORE) {
		code_rows_cell(s, n, show, c);
		return;
	}
	if (show == INSN_SHARE) {
		q_bytecode_share_cell(l, at, c);
		return;
	}
	if (show == INSN_BUG) {
		bug_cell(l, at, c);
		return;
	}
	if (!q_bytecode_open_method(l, at->method, &s->rows.err)) {
		c->type = CELL_NONE;
		return;
	}
	/* Only the position of an invalid instruction is reliable. */
	if (!code_insn(&l->body, at->pc, &i))
		i = (struct insn){ .pc = at->pc };
	c->u = i.size;
	if (show == INSN_SIZE)
		return;
	if (show == INSN_HANDLERS)
		put_handlers(l, at->pc, to);
	else if (show == INSN_NOTE)
		put_note(l, at, to);
	else if (show == INSN_LOCALS || show == INSN_TYPES)
		put_locals(l, &i, show == INSN_TYPES, to);
	else if (show == INSN_FRAME)
		code_frame_at(&l->body, at->pc, to, &s->rows.err);
	else if (show == INSN_OPCODE)
		buf_printf(to, "%s%s", i.wide ? "wide " : "",
		    i.op != NULL ? i.op->name : i.size > 0 ? "payload" : "?");
	else
		code_operands(&l->body, &i, to);
	cell_text(&s->rows, c, to);
}

static void
listing_end(struct item_rows *s)
{
	struct listing *l = (struct listing *)s;

	code_body_free(&l->body);
	SCRATCH_FREE(&l->weights, &l->bug_from, &l->bugs, &l->marks);
}

static bool
q_bytecode_add_method(struct listing *l, uint32_t method, struct err *err)
{
	struct listed_insn row = { .method = method };
	struct insn i;

	if (!q_bytecode_open_method(l, method, err))
		return err->kind == E_NONE;
	for (uint32_t pc = 0; pc < l->body.size; pc += i.size) {
		row.pc = pc;
		row.line = code_line_of(&l->body, pc);
		if (!item_rows_add(&l->rows, &row))
			return false;
		/* After an invalid instruction the next boundary is unknown. */
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

	if (CODE(&l->rows)->st == NULL)
		return true;
	ok = code_methods_of(CODE(&l->rows), stage, &list, &n, err);
	for (uint64_t i = 0; ok && i < n; i++)
		ok = q_bytecode_add_method(l, list[i], err);
	free(list);
	return ok;
}

/* ---- what the trace says of lines ------------------------------------------------------------- */

/* Add the weight of a frame to all instructions of its line, and to the total of the method. */
static void
q_bytecode_add_weight(struct listing *l, uint32_t method, uint64_t line, uint64_t weight)
{
	const struct listed_insn *insn = SCRATCH(l->rows.list, struct listed_insn);
	uint64_t *to = SCRATCH(l->weights, uint64_t);

	for (uint64_t i = 0; i < l->rows.n; i++) {
		if (insn[i].method != method)
			continue;
		to[2 * i + 1] += weight;
		to[2 * i] += insn[i].line == line ? weight : 0;
	}
}

static bool
weigh_lines(struct listing *l, struct err *err)
{
	const struct store *st = l->rows.st;
	const struct column *of = store_column(st, COL_METHOD_CODE);
	const struct column *self = store_column(st, COL_METHOD_SELF_WALL);
	struct buf name = BUF_INIT;
	uint64_t line;

	if (of == NULL || self == NULL)
		return true;
	if (!scratch_array(&l->weights, 2 * l->rows.n + 1, sizeof(uint64_t), err))
		return false;
	memset(l->weights.data, 0, 2 * l->rows.n * sizeof(uint64_t));
	l->nweights = l->rows.n;
	for (uint32_t id = 1; id <= of->rows; id++) {
		uint32_t method = (uint32_t)column_get(of, id - 1);
		uint64_t weight = column_get(self, id - 1);

		if (method == 0 || weight == 0)
			continue;
		buf_clear(&name);
		method_name(st, id, &name);
		if ((line = frame_line(buf_view(&name))) > 0)
			q_bytecode_add_weight(l, method, line, weight);
	}
	buf_free(&name);
	return true;
}

static bool
add_marked(struct listing *l, const struct stage *stage, struct err *err)
{
	const struct code *code = CODE(&l->rows);
	uint8_t *has;
	bool ok = code_rows_methods(code, l->rows.rows.in, stage, &has, err);

	for (uint32_t m = 1; ok && has != NULL && m <= code->nmethods; m++)
		ok = !has[m] || q_bytecode_add_method(l, m, err);
	free(has);
	return ok;
}

/* List the bytecode of the named methods, or of the methods of the rows in front. */
static bool
listing_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct listing *l = (struct listing *)s;
	bool ok;

	l->body.named = true;
	l->rules = (enum bug_rules)s->rows.session->rules;
	if (s->rows.in != NULL)
		ok = stage_at_most(stage, 0, err) && add_marked(l, stage, err);
	else
		ok = add_methods(l, stage, err);
	return ok && (stage->command->with == 0 || weigh_lines(l, err));
}

static const struct domain listing_domain = { .size = sizeof(struct code), .open = code_rows_begin,
    .cell = listing_cell };
static const struct source listing = {
	.domain = &listing_domain, .size = sizeof(struct listing), .item = sizeof(struct listed_insn),
	.args = ARGS_OWN,
	.begin = listing_begin, .end = listing_end
};

const struct command source_bytecode = {
	SOURCE("bytecode", "instructions of methods", "bytecode @1 | head 20", item_rows_open),
	OVER(SHAPE_CODE, insn_cols), .source = &listing, .args = ARGS({ &arg_code_method, ARG_MANY })
};

const struct command source_traced_bytecode = {
	SOURCE("bytecode", "instructions of methods, with the weight of their lines",
	    "bytecode *.main | head 20", item_rows_open),
	OVER(SHAPE_TREES, traced_cols), .source = &listing, .with = SHAPE_CODE,
	.args = ARGS({ &arg_code_method, ARG_MANY })
};

static const column_id stage_needs[] = { COL_METHOD_CODE, COL_NONE };

const struct command stage_traced_bytecode = {
	STAGE("bytecode", "instructions of the methods", "methods | where id = 1 | bytecode", item_rows_open),
	OVER(SHAPE_TREES, traced_cols), .source = &listing, .with = SHAPE_CODE, .needs = stage_needs
};

const struct command stage_bytecode = {
	STAGE("bytecode", "instructions of the methods", "bugs | bytecode", item_rows_open),
	OVER(SHAPE_CODE, insn_cols), .source = &listing, .needs = stage_needs
};
