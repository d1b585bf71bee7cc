/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow_jvm: steps of the code of class files.  The stack has the same height whenever an instruction is
 * reached; its values are in the registers after the locals.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"

#define HEIGHT_UNKNOWN UINT32_MAX

struct jvm {
	struct code_flow		*f;
	const struct code_body	*b;
	ARRAY(uint32_t)	todo;		/* steps whose height is now known */
	uint64_t		 ntodo;
	struct err		*err;
};

/* ---- descriptors ------------------------------------------------------------------------------ */

/* Words of the type at the front, which is taken; 255: it is none. */
static uint32_t
take_type(struct str *d)
{
	bool array = d->n > 0 && d->s[0] == '[';
	const char *end;
	uint32_t words;
	char c;

	while (d->n > 0 && d->s[0] == '[')
		*d = str_after(*d, 1);
	if (d->n == 0)
		return 255;
	c = d->s[0];
	if (c == 'L') {
		end = memchr(d->s, ';', d->n);
		if (end == NULL)
			return 255;
		*d = str_after(*d, (size_t)(end - d->s) + 1);
		return 1;
	}
	words = c == 'V' ? 0 : c == 'J' || c == 'D' ? 2 : memchr("BCFISZ", c, 6) != NULL ? 1 : 255;
	*d = str_after(*d, 1);
	return array && words == 2 ? 1 : words;
}

/* Words of the arguments, and of the result; false: not a method descriptor. */
static bool
method_words(struct str d, uint32_t *arguments, uint32_t *result)
{
	uint32_t words;

	*arguments = 0;
	if (!str_take(&d, STR("(")))
		return false;
	while (d.n > 0 && d.s[0] != ')') {
		words = take_type(&d);
		if (words == 255 || words == 0 || (*arguments += words) > 255)
			return false;
	}
	if (!str_take(&d, STR(")")))
		return false;
	*result = take_type(&d);
	return *result != 255;
}

/* ---- one instruction --------------------------------------------------------------------------- */

/* Words it takes from the stack and leaves there, where the constant says so. */
static bool
stack_words(const struct jvm *j, const struct insn *i, uint32_t *pop, uint32_t *push)
{
	struct code_ref ref;
	struct str type;
	uint32_t words;

	*pop = i->op->pop;
	*push = i->op->push;
	if (i->code >= 0xb2 && i->code <= 0xb5) {
		if (!code_pool_field(&j->b->pool, i->index, &ref))
			return false;
		type = ref.desc;
		words = take_type(&type);
		*pop = i->code >= 0xb4;
		*push = 0;
		*(i->code % 2 == 0 ? push : pop) += words;
		return words == 1 || words == 2;
	}
	if (i->code >= 0xb6 && i->code <= 0xba) {
		if (!code_pool_method(&j->b->pool, i->index, &ref) || !method_words(ref.desc, pop, push))
			return false;
		*pop += i->code != 0xb8 && i->code != 0xba;
		return true;
	}
	if (i->code == 0x12 || i->code == 0x13 || i->code == 0x14)
		*push = i->code == 0x14 ? 2 : 1;
	if (i->code == 0xc5)
		*pop = (uint32_t)i->value;
	return true;
}

/* Letters of what dup and its like find and leave, the top last. */
static const char *const moves[] = {
	"a>", "ba>", "a>aa", "ba>aba", "cba>acba", "ba>baba", "cba>bacba", "dcba>badcba", "ba>ab"
};

static bool
make_moves(struct jvm *j, struct flow_step *s, uint8_t op, uint32_t height)
{
	const char *from = moves[op - 0x57], *to = strchr(from, '>') + 1;
	uint32_t base = height - (uint32_t)(to - 1 - from);

	assert(height >= (uint32_t)(to - 1 - from));
	s->kind = FLOW_MOVE;
	s->n = (uint32_t)strlen(to);
	for (uint32_t i = 0; to[i] != '\0'; i++)
		if (!flow_list(j->f, base + i, j->err) ||
		    !flow_list(j->f, base + (uint32_t)(strchr(from, to[i]) - from), j->err))
			return false;
	return true;
}

static bool
make_one_move(struct jvm *j, struct flow_step *s, uint32_t to, uint32_t from)
{
	s->kind = FLOW_MOVE;
	s->n = 1;
	return flow_list(j->f, to, j->err) && flow_list(j->f, from, j->err);
}

/* Loads and stores: those of two words are irrelevant here. */
static bool
make_local(struct jvm *j, struct flow_step *s, const struct insn *i, uint32_t height)
{
	uint32_t slot = i->reg[0], words = i->op->pop + i->op->push;
	bool load = i->op->push > 0;

	if (slot + words > j->b->regs)
		return false;
	if (words == 1)
		return load ? make_one_move(j, s, height, slot) : make_one_move(j, s, slot, height - 1);
	s->to = load ? height : slot;
	s->width = 2;
	return true;
}

static bool
make_call(struct jvm *j, struct flow_step *s, const struct insn *i, uint32_t height, uint32_t pop)
{
	static const uint8_t calls[] = { CALL_VIRTUAL, CALL_SPECIAL, CALL_STATIC, CALL_INTERFACE };

	assert(pop <= height);
	s->kind = i->code == 0xba ? FLOW_TAKE : FLOW_CALL;
	s->test = i->code == 0xba ? 0 : calls[i->code - 0xb6];
	s->index = i->index;
	s->n = pop;
	for (uint32_t k = 0; k < pop; k++)
		if (!flow_list(j->f, height - pop + k, j->err))
			return false;
	return true;
}

static enum flow_value
pushed_value(const struct jvm *j, const struct insn *i)
{
	uint8_t op = i->code;
	uint8_t tag;

	if (op == 1 || op == 3)
		return VALUE_ZERO;
	if (op == 4)
		return VALUE_ONE;
	if (op == 0xbb || op == 0xbc || op == 0xbd || op == 0xc5)
		return VALUE_SOME;
	if (op != 0x12 && op != 0x13)
		return VALUE_ANY;
	tag = i->index < j->b->pool.n && j->b->pool.at[i->index] != 0 ? j->b->pool.data[j->b->pool.at[i->index]] : 0;
	return tag == 7 || tag == 8 || tag == 15 || tag == 16 ? VALUE_SOME : VALUE_ANY;
}

static void
make_test(struct flow_step *s, uint8_t op, uint32_t height)
{
	s->from = height - 1;
	if (op >= 0xc6) {
		s->kind = FLOW_IF_ZERO;
		s->test = op == 0xc6 ? TEST_EQ : TEST_NE;
		s->ref = true;
	} else if (op <= 0x9e) {
		s->kind = FLOW_IF_ZERO;
		s->test = op - 0x99;
	} else if (op >= 0xa5) {
		s->kind = FLOW_IF_SAME;
		s->test = op == 0xa5 ? TEST_EQ : TEST_NE;
		s->other = height - 2;
		s->ref = true;
	} else
		s->kind = FLOW_GO;
}

/* A field that has a register is read from there. */
static bool
make_read(struct jvm *j, struct flow_step *s, const struct insn *i)
{
	struct insn before = { .code = 0 };
	uint32_t field = flow_field(j->f, i->index);

	if (field == STEP_NONE || (s > flow_steps(j->f) && !code_insn(j->b, s[-1].pc, &before)))
		return true;
	return !flow_reads_field(j->f, j->b, i, before.code) || make_one_move(j, s, s->to, field);
}

/* Fill in the step except its successors; pop and push: words of the stack. */
static bool
flow_jvm_make_step(struct jvm *j, struct flow_step *s, const struct insn *i, uint32_t pop, uint32_t push)
{
	uint32_t height = s->height;
	uint8_t op = i->code;

	s->to = height - pop;
	s->width = (uint8_t)push;
	s->value = (uint8_t)pushed_value(j, i);
	if ((op >= 0x15 && op <= 0x2d) || (op >= 0x36 && op <= 0x4e))
		return make_local(j, s, i, height);
	if (op >= 0x57 && op <= 0x5f)
		return make_moves(j, s, op, height);
	if ((op >= 0x99 && op <= 0xa6) || op == 0xc6 || op == 0xc7)
		make_test(s, op, height);
	else if (op >= 0xb6 && op <= 0xba)
		return make_call(j, s, i, height, pop);
	switch (op) {
	case 0x84:
		s->to = i->reg[0];
		s->width = 1;
		return i->reg[0] < j->b->regs;
	case 0xa7: case 0xc8: case 0xaa: case 0xab: s->kind = FLOW_GO; break;
	case 0xa8: case 0xc9: s->kind = FLOW_JSR; break;
	case 0xa9:
		s->kind = FLOW_RET;
		s->from = i->reg[0];
		return i->reg[0] < j->b->regs;
	case 0xac: case 0xad: case 0xae: case 0xaf: case 0xb0: case 0xb1:
		s->kind = FLOW_RETURN;
		s->from = op == 0xb0 ? height - 1 : STEP_NONE;
		break;
	case 0xbf: s->kind = FLOW_THROW; break;
	case 0xb2: case 0xb4: return make_read(j, s, i);
	case 0xb3: case 0xb5: case 0x53:
		s->kind = FLOW_PUT;
		s->other = op == 0x53 ? STEP_NONE : flow_field(j->f, i->index);
		s->from = op != 0x53 && pop == (op == 0xb5 ? 3 : 2) ? STEP_NONE : height - 1;
		break;
	case 0xbb:
		s->kind = FLOW_NEW;
		s->index = i->index;
		break;
	case 0xc0: s->width = 0; break;
	case 0xc1:
		s->from = height - 1;
		flow_is(s, &j->b->pool, i->index);
		break;
	default: break;
	}
	return true;
}

/* ---- where it leads ------------------------------------------------------------------------------ */

static bool
flow_jvm_reach(struct jvm *j, uint32_t step, uint32_t height)
{
	struct flow_step *s;

	if (step == STEP_NONE || height > j->f->fields)
		return false;
	assert(step < j->f->nsteps);
	s = &flow_steps(j->f)[step];
	if (s->height != HEIGHT_UNKNOWN)
		return s->height == height;
	s->height = height;
	return array_add(&j->todo, &j->ntodo, &step, j->err);
}

static int
flow_jvm_by_number(const void *x, const void *y)
{
	return num_order(*(const uint32_t *)x, *(const uint32_t *)y, 0);
}

/* All targets of a branch or switch, in the order of the code. */
static bool
add_targets(struct jvm *j, uint32_t step, const struct insn *i)
{
	struct code_flow *f = j->f;
	uint32_t from = (uint32_t)f->nlists;
	int64_t key;

	for (uint32_t k = 0; k < i->cases; k++)
		if (!flow_list(f, flow_step_at(f, code_case(j->b, i, k, &key)), j->err))
			return false;
	if (!flow_list(f, flow_step_at(f, i->target), j->err))
		return false;
	qsort(f->lists.at + from, f->nlists - from, sizeof(uint32_t), flow_jvm_by_number);
	/* A comparison of integers jumps or goes on to the next instruction, which is last in the list. */
	if (i->code >= 0x9f && i->code <= 0xa4 && !flow_list(f, flow_steps(f)[step].next, j->err))
		return false;
	flow_steps(f)[step].list = from;
	flow_steps(f)[step].n = (uint32_t)f->nlists - from;
	return true;
}

static bool
flow_jvm_leads_on(const struct flow_step *s)
{
	return s->kind != FLOW_GO && s->kind != FLOW_RET && s->kind != FLOW_RETURN && s->kind != FLOW_THROW;
}

static bool
make_next(struct jvm *j, uint32_t step, const struct insn *i, uint32_t after)
{
	struct flow_step *s = &flow_steps(j->f)[step];

	s->target = i->target >= 0 ? flow_step_at(j->f, i->target) : STEP_NONE;
	if (s->kind == FLOW_GO && !add_targets(j, step, i))
		return false;
	s = &flow_steps(j->f)[step];
	for (uint32_t k = 0; s->kind == FLOW_GO && k < s->n; k++)
		if (!flow_jvm_reach(j, j->f->lists.at[s->list + k], after))
			return false;
	if ((s->kind == FLOW_IF_ZERO || s->kind == FLOW_IF_SAME) && !flow_jvm_reach(j, s->target, after))
		return false;
	if (s->kind == FLOW_JSR && !flow_jvm_reach(j, s->target, after + 1))
		return false;
	return !flow_jvm_leads_on(s) || flow_jvm_reach(j, s->next, after);
}

/* The heights of handlers are known: one word. */
static bool
reach_handlers(struct jvm *j)
{
	const struct code_try *t = SCRATCH(j->b->tries, struct code_try);

	for (uint64_t i = 0; i < j->b->ntries; i++)
		if (!flow_jvm_reach(j, flow_step_at(j->f, t[i].handler), j->b->regs + 1))
			return false;
	return true;
}

static bool
make_todo(struct jvm *j)
{
	struct insn i;
	uint32_t step, pop, push;

	while (j->ntodo > 0) {
		step = j->todo.at[--j->ntodo];
		if (!code_insn(j->b, flow_steps(j->f)[step].pc, &i) || !stack_words(j, &i, &pop, &push))
			return false;
		if (flow_steps(j->f)[step].height < j->b->regs + pop)
			return false;
		flow_steps(j->f)[step].list = (uint32_t)j->f->nlists;
		if (!flow_jvm_make_step(j, &flow_steps(j->f)[step], &i, pop, push) ||
		    !make_next(j, step, &i, flow_steps(j->f)[step].height - pop + push))
			return false;
	}
	return true;
}

bool
flow_jvm(struct code_flow *f, const struct code_body *b, struct err *err)
{
	struct jvm j = { .f = f, .b = b, .err = err };
	struct flow_step *s = NULL;
	struct insn i;
	bool ok;

	for (uint32_t pc = 0; pc < b->size; pc += i.size) {
		if (!code_insn(b, pc, &i))
			return false;
		if (f->nsteps > 0)
			flow_steps(f)[f->nsteps - 1].next = (uint32_t)f->nsteps;
		if ((s = flow_add(f, pc, FLOW_SET, err)) == NULL)
			return false;
		s->height = HEIGHT_UNKNOWN;
	}
	ok = flow_jvm_reach(&j, 0, b->regs) && reach_handlers(&j) && make_todo(&j);
	SCRATCH_FREE(&j.todo);
	return ok;
}
