/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bugs: results of the Cursor rules on bytecode: columns bug.* of columns_code.h.  Belongs to layer pass.
 */
#ifndef ICECORE_BUGS_H
#define ICECORE_BUGS_H

#include "icecore/code.h"
#include "icecore/pass.h"

/* Kinds of bugs, in the order of their names. */
enum bug_kind { BUG_GAVE_UP, BUG_HANDLER, BUG_NOT_CLOSED, BUG_OUTSIDE_TRY, BUG_THROW_LEAK, BUG_KINDS };

enum bug_rules { RULES_PATHS, RULES_SEED, BUG_RULE_SETS };

/* A Cursor, another object, or something that a call began, such as a lock. */
enum bug_resource { BUG_OF_CURSOR, BUG_OF_OBJECT, BUG_OF_STATE };

/* Ways in which a resource is lost. */
enum bug_why {
	WHY_NONE, WHY_RETURN, WHY_ATHROW, WHY_AGAIN, WHY_OPERATION, WHY_LEAVES, WHY_CALL, WHY_ENTRY,
	    WHY_TOO_LARGE,
	/*
	 * Only checks use these: a path reaches the call without the other call; no such try is around it;
	 * one is around it.
	 */
	WHY_REACHED, WHY_NOT_INSIDE, WHY_INSIDE
};

extern const char *const bug_kind_names[BUG_KINDS], *const bug_rules_names[BUG_RULE_SETS + 1];

/* The method of a trace is in the bytecode opened with it and has bugs.  Needs passes bugs and code_names. */
bool	method_has_bugs(const struct store *, uint32_t method);
/* The line at the end of a frame's name, "(Bar.java:12)" or ":12"; 0: none. */
uint64_t frame_line(struct str frame);

/* The name of the method called at pc; "" if that is not a call. */
struct str bug_call_name(struct code_body *, uint32_t pc);
/*
 * Appends the class of the result of the call or new at pc: "android.database.Cursor"; state: of the object
 * that is called.  True: of a new, exactly that one.
 */
bool	bug_type(struct code_body *, uint32_t pc, bool state, struct buf *);
/* Appends what the bug is about: the name of the call, of the entered method or of the caught exception. */
void	bug_site_name(const struct code *, struct code_body *, uint32_t bug, struct buf *);
/* Appends the kind, or its label; of a check the name of its rule. */
void	bug_kind_name(const struct code *, uint32_t bug, bool label, struct buf *);
/* Appends the explanation, a sentence: body is open of the method. */
void	bug_told(const struct code *, struct code_body *, uint32_t bug, struct buf *);

/* ---- names of methods or classes, which several may have: src/pass/code/namemap.c ---- */

struct namemap {
	struct idmap	 first;		/* number of the first one, by hash */
	uint32_t	*next;		/* by number, from 1: the next one of that hash; 0: none */
};

/* Starts from zeros; for numbers up to n. */
bool	 namemap_open(struct namemap *, uint32_t n, struct err *);
/* From the last number on: they come by rising number. */
bool	 namemap_add(struct namemap *, struct str name, uint32_t number, struct err *);
/* Numbers whose names have the same hash, one per call; the caller compares the names.  0: no more. */
uint32_t namemap_first(const struct namemap *, struct str name);
uint32_t namemap_next(const struct namemap *, uint32_t number);
void	 namemap_free(struct namemap *);

#endif
