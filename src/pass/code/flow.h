/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow: the code of a method as steps over registers, the same for class files, whose stack becomes registers
 * after the locals, and for dex files.  Private to src/pass/code.
 *
 * A step reads some registers, writes some, and has successors.  Its number is its position in the list.
 */
#ifndef PASS_CODE_FLOW_H
#define PASS_CODE_FLOW_H

#include "icecore/code.h"

#define STEP_NONE UINT32_MAX
#define FLOW_FIELDS 8		/* limit of fields with a register */

/* Value of a register, from the point of view of one cursor. */
enum flow_value {
	VALUE_ANY,
	VALUE_ZERO,		/* null, or 0 */
	VALUE_ONE,
	VALUE_SOME,		/* a reference that is not null */
	VALUE_CURSOR,
	VALUE_CLOSED,		/* whether it is closed, as isClosed() says */
	VALUE_PRESENT,		/* whether it is not null, as instanceof says */
	VALUE_RETURN		/* first return address of jsr, returns[0]; the others follow */
};

enum flow_kind {
	FLOW_SET,		/* width registers from to on get value */
	FLOW_MOVE,		/* n pairs of the list: to, from; all at once */
	FLOW_IF_ZERO,		/* from against 0 or null */
	FLOW_IF_SAME,		/* from and other, equal or not */
	FLOW_IS,		/* whether from is of a type; of the cursor that is value */
	FLOW_GO,		/* to any of the n steps of the list */
	FLOW_JSR, FLOW_RET,
	FLOW_RETURN, FLOW_THROW,
	FLOW_PUT,		/* from is kept somewhere; other: the register of the field, or STEP_NONE */
	FLOW_TAKE,		/* the n registers of the list are handed to code that is not known; then as FLOW_SET */
	FLOW_CALL,		/* the same, to a method */
	FLOW_NEW
};

enum flow_test { TEST_EQ, TEST_NE, TEST_LT, TEST_GE, TEST_GT, TEST_LE };

enum flow_call { CALL_VIRTUAL, CALL_INTERFACE, CALL_SPECIAL, CALL_STATIC };

struct flow_step {
	uint32_t	 pc;
	uint8_t		 kind, value, width;
	uint8_t		 test;		/* enum flow_test, or of a call enum flow_call */
	bool		 ref;		/* the test is one of references and nothing else */
	uint32_t	 to, from, other;
	uint32_t	 list, n;
	uint32_t	 next, target;
	uint32_t	 height;	/* registers in use when it begins */
	uint32_t	 index;		/* constant of a call or new */
};

struct flow_try {
	uint32_t	 start, end;	/* pc */
	uint32_t	 handler, handler_pc;
	enum catch_what	 what;
	struct str	 type;		/* type of the exception; empty: any */
};

/* Start from zeros. */
struct code_flow {
	uint32_t	 method, piece, size;	/* size: as pcs count */
	bool		 dex, is_static;
	uint32_t	 locals, width;	/* registers that code names, and all of them */
	uint32_t	 first;		/* register of the first argument */
	uint32_t	 ins;		/* number of argument registers in a dex file */
	/* Register of the result of a call in a dex file; otherwise STEP_NONE. */
	uint32_t	 result;
	uint32_t	 fields;	/* first of the registers of fields, which are the last ones */
	uint32_t	 field[FLOW_FIELDS], nfields;	/* their constants */
	uint32_t	 caught;	/* where a handler finds what was thrown */
	ARRAY(struct flow_step)	steps;
	ARRAY(uint32_t)	lists;
	struct scratch	tries;	/* struct flow_step, u32, struct flow_try */
	uint64_t	 nsteps, nlists, ntries;
	ARRAY(uint32_t)	places;	/* by pc: 1 + step; while a flow is made */
};

/*
 * False: the code is invalid, or out of memory: err->kind is E_SYSTEM then.  fields: the first FLOW_FIELDS
 * fields of this object, or static ones, that the method reads more than once have registers. A field keeps
 * its value in a call: paths are lost, none is invented.
 */
bool	flow_make(struct code_flow *, struct code_body *, bool is_static, bool fields, struct err *);
void	flow_free(struct code_flow *);

/* The parts of flow_make: flow_jvm.c, flow_dex.c.  They share the functions of flow.c. */
bool	flow_jvm(struct code_flow *, const struct code_body *, struct err *);
bool	flow_dex(struct code_flow *, const struct code_body *, struct err *);
struct flow_step *flow_add(struct code_flow *, uint32_t pc, enum flow_kind,
    struct err *);	/* NULL: no memory */
bool	flow_list(struct code_flow *, uint32_t value, struct err *);	/* at the end of the lists */
void	flow_is(struct flow_step *, const struct code_pool *, uint32_t type);	/* s->from and to are given */
/* Register of the field; STEP_NONE: none. */
uint32_t flow_field(const struct code_flow *, uint32_t constant);
/*
 * The instruction reads a field of this object, or a static one, that can have a register; before: the code
 * of the one before.
 */
bool	flow_reads_field(const struct code_flow *, const struct code_body *, const struct insn *,
    uint8_t before);
uint32_t flow_step_at(const struct code_flow *, int64_t pc);		/* STEP_NONE: none begins there */

static inline struct flow_step *
flow_steps(const struct code_flow *f)
{
	return f->steps.at;
}

/* The words of a step: n of them; NULL: none. */
static inline const uint32_t *
flow_words(const struct code_flow *f, const struct flow_step *s)
{
	return s->n > 0 ? f->lists.at + s->list : NULL;
}

#endif
