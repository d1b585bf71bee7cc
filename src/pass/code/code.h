/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass: the manual of room code, which finds Cursors that stay open.
 *
 * For each place where a method gets a Cursor (its site) all paths from there are walked, one cursor at a
 * time.  The effect of a call on a cursor argument is known from the one body it can have, which is walked
 * the same way; otherwise the cursor is assumed to have another owner.
 *
 * Other resources, which the table of icecore/resources.h names, are followed in the same way, with row of
 * the world set. In doubt they are not reported: only what the table names makes them, wrappers share their
 * obligation, and an exception is followed only if it is likely.
 */
#ifndef PASS_CODE_CODE_H
#define PASS_CODE_CODE_H

#include "icecore/bugs.h"
#include "icecore/make.h"
#include "icecore/resources.h"
#include "flow.h"

/* ---- world.c: all classes that were read ----------------------------------------------------- */

struct code_world {
	struct code	 code;
	struct work	*work;
	struct idmap	 names;		/* classes by the hash of their names */
	/* By class: superclass; first place of the subclasses in kid. */
	uint32_t	*super, *kid_from, *kid;
	uint8_t		*cursor;	/* by class: whether it is a Cursor type */
	struct resources resources;
	uint32_t	 row;		/* table row of the resource or check that is followed; 0: a Cursor */
	/* By constant of each file: 1 + the row whose objects a call or new of it makes; 0: none. */
	struct scratch	marks;
	ARRAY(uint64_t)	mark_from;	/* by piece */
	uint64_t	 npieces;
	uint8_t		*any;		/* by piece: whether it has marked constants */
	uint8_t		*makes;		/* by method: enum makes */
	uint32_t	*seen, stamp;	/* by class: stamp of the last question that looked at it */
	struct idmap	 calls, effects;	/* targets of calls; effects of methods on arguments, by row */
	struct idmap	 does;		/* enum makes: whether a method releases a row; row 0: whether it throws */
	/* states, instructions and handlers that were looked at for the method whose bugs are asked for */
	uint64_t	 effort;
	struct code_body body;		/* for questions about other methods */
	struct buf	 text, other;
};

/*
 * Limit of effort per method, over all its Cursors: about 1 s; methods of real programs need at most a tenth.
 */
#define WORLD_EFFORT (UINT64_C(32) << 20)

bool	world_open(struct code_world *, const struct store *, struct work *, struct err *);
void	world_close(struct code_world *);
/* 1 + the row of the resource that a call or new makes; 0: none. */
uint32_t world_mark(const struct code_world *, uint32_t piece, uint32_t constant);
/* Finds the method that a call runs; 0: unknown, or one of several. */
bool	world_call(struct code_world *, const struct code_body *, uint32_t constant, enum flow_call,
    uint32_t *method, struct err *);
/* *mark: 1 + the row of the resource that the instruction makes; 0: none. */
bool	world_site(struct code_world *, const struct code_body *, const struct insn *, uint32_t *mark,
    struct err *);
/* The method, or one that it calls, contains a call that releases w->row, or something that may throw. */
enum world_does { DOES_RELEASE, DOES_THROW };
/*
 * For checks: a call of the method, or a method of that class, fits a word of w->row.  special: called as by
 * invokespecial.
 */
bool	world_fits(const struct code_world *, enum resource_what, const struct code_ref *, struct str desc,
    bool special, uint32_t class);
/* The class is above a class of that name, as far as the bytecode says, or is that class. */
bool	world_is_above(const struct code_world *, struct str class, struct str of);
/* The instruction is a call of a method. */
bool	world_is_call(const struct code_body *, const struct insn *, enum flow_call *);
/* The method itself has a site of w->row. */
bool	world_begins(struct code_world *, uint32_t method, bool *yes, struct err *);
/*
 * Before pc, the method ends what its caller began: it has a call that releases w->row, and no site in front
 * of that.
 */
bool	world_ends_first(struct code_world *, const struct code_body *, uint32_t pc, bool *yes, struct err *);
bool	world_does(struct code_world *, enum world_does, uint32_t method, bool *yes, struct err *);

/* ---- walk.c: all paths of a method ------------------------------------------------------------- */

enum walk_status { STATUS_UNBORN, STATUS_OPEN, STATUS_CLOSED, STATUS_NOTHING, STATUS_ESCAPED };

/* REACHED: the path is at until. */
enum exit_kind { EXIT_RETURN, EXIT_ATHROW, EXIT_OPERATION, EXIT_CALL, EXIT_REACHED };

#define NO_HANDLER UINT32_MAX

/* A way out of the method, with the cursor open. */
struct walk_exit {
	uint32_t	pc, handler;	/* pc of the handler that was entered last with it; or NO_HANDLER */
	enum exit_kind	kind;
};

struct walk_result {
	ARRAY(struct walk_exit)	exits;		/* in the order they were found */
	uint64_t	 nexits;
	unsigned	 ends;		/* bits of enum walk_status, with which it returns */
	bool		 lost, escapes, complete;
	bool		 spent;		/* WORLD_EFFORT: how far it went says nothing */
	uint32_t	 lost_pc;
};

/*
 * Effect of a call on a cursor among its arguments.  AGAIN: unknown, the limit of another method ended its
 * walk.
 */
enum effect { EFFECT_UNKNOWN, EFFECT_ESCAPES, EFFECT_CLOSES, EFFECT_BORROWS, EFFECT_SAME, EFFECT_AGAIN };

/* From where paths are of interest, as pcs; CODE_NONE: nowhere. */
struct walk_range {
	uint32_t	site, born;	/* behind the instruction that makes the cursor; or before the one at born */
	uint32_t	until;		/* a path ends before it */
};

/*
 * All paths of the method that body is open of, for the cursor that the instruction at pc site makes.  false:
 * no memory. *sound: the code is valid.
 */
bool	walk_site(struct code_world *, struct code_body *, const struct walk_range *, struct walk_result *,
    bool *sound, struct err *);

/* ---- seed.c: the rules of the FindBugs detectors ------------------------------------------------ */

struct bug_row {
	uint32_t	method, site, pc, at;
	uint32_t	check;		/* 1 + where its rule begins; 0: none */
	uint8_t		kind, rules, why, resource;
};

struct bug_list {
	ARRAY(struct bug_row)	rows;
	uint64_t	 n;
};

static inline bool
bug_add(struct bug_list *l, const struct bug_row *row, struct err *err)
{
	return make_add(&l->rows.raw, &l->n, row, sizeof *row, MAKE_MOST, "bugs", err);
}

/* For all methods of a class; *too_large counts those of which some are omitted. */
bool	seed_class(struct code_world *, uint32_t class, struct bug_list *, uint64_t *too_large, struct err *);

/* ---- find_checks.c: the rules of --checks --------------------------------------------------------- */

/* For a method.  result: its memory is used again; *too_large counts methods of which some are omitted. */
bool	checks_method(struct code_world *, struct code_body *, uint32_t method, struct walk_result *,
    struct bug_list *,
	    uint64_t *too_large, struct err *);

#endif
