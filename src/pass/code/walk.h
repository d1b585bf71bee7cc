/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk: the states of a method for one cursor.  Private to src/pass/code.
 */
#ifndef PASS_CODE_WALK_H
#define PASS_CODE_WALK_H

#include "code.h"

#define VALUE_RETURNS 64	/* limit of distinguished return addresses of jsr */

/* In front of the registers of a state. */
struct walk_state {
	uint32_t	step, handler;		/* handler: pc, or NO_HANDLER; if unlikely of the call that threw */
	uint8_t		status, unlikely, pad[2];	/* unlikely: a call threw that is not known to do so */
};

/* A method whose states are being found: of the one that was asked for, or of one that it calls. */
struct path_walk {
	struct code_flow	 flow;
	uint32_t	 site;			/* step that makes the cursor; STEP_NONE: it is an argument */
	uint32_t	 param;			/* which word of the arguments */
	uint32_t	 born, until;		/* steps of struct walk_range; STEP_NONE: nowhere */
	size_t		 bytes;			/* size of a state */
	struct scratch	states;
	ARRAY(uint32_t)	count;		/* by step: states there */
	struct idmap	 known;			/* hashes of states */
	uint64_t	 nstates, next;
	struct walk_result *result;
	struct walk_result own;			/* result of a method that is called */
	struct idmap	 exits;			/* that were found */
	struct scratch	 row;			/* registers of a state that is being made */
	const struct walk_state *from;
	const uint8_t	*old;			/* registers of from */
	struct code_body *body;
	struct code_body  called;		/* body of a method that is called */
	uint32_t	 returns[VALUE_RETURNS], nreturns;	/* steps behind jsr */
	bool		 full;			/* there are too many states */
	bool		 unlikely;		/* the state that is being made is unlikely */
	struct code_world *world;
};

/* An effect has a key: the method, the row, which word of the arguments. */
static inline uint64_t
walk_effect_key(const struct code_world *w, uint32_t method, uint32_t param)
{
	return (uint64_t)method << 24 | (uint64_t)w->row << 8 | param;
}

/* Outcome of a call, edge by edge: calls.c. */
struct call_edges {
	bool		 lost;			/* another cursor is made while this one is open */
	bool		 throws, returns_first;
	uint8_t		 status, thrown;	/* after either */
	uint8_t		 value;			/* what it gives; VALUE_ANY: nothing of interest */
	bool		 operation;		/* a method of the cursor itself */
	bool		 born;			/* a constructor made the cursor */
	bool		 wraps;			/* a constructor made an object that has the cursor's obligation, too */
	bool		 ends;			/* the program ends */
	bool		 declared;		/* the call may throw the exceptions of the resource */
	uint32_t	 need, param;		/* another method must be walked before; 0: none */
};

bool	call_edges(struct code_world *, struct path_walk *, struct code_body *, const struct flow_step *,
    struct call_edges *, struct err *);

/* ---- steps.c ---------------------------------------------------------------------------------- */

struct walk_state *walk_state_at(const struct path_walk *, uint64_t i);
uint8_t	*walk_registers(struct walk_state *);
/* Adds the state in the row, whose registers are set, as a following state at a step. */
bool	walk_go(struct path_walk *, uint32_t step, enum walk_status, uint32_t handler, struct err *);
/* The cursor is among the registers that a call, or code that is not known, is given. */
bool	walk_takes_cursor(const struct path_walk *, const struct flow_step *);
/* Adds the states that follow k->from; e->need: another method must be walked first. */
bool	walk_step(struct code_world *, struct path_walk *, const struct flow_step *, struct call_edges *e,
    struct err *);

#endif
