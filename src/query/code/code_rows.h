/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/code: rows that are classes, methods, bugs or instructions of bytecode.  The manual of
 * this room.
 */
#ifndef QUERY_CODE_ROWS_H
#define QUERY_CODE_ROWS_H

#include "icecore/code.h"
#include "query/rows/items.h"
#include "query/trace/trace.h"

/* How a cell shows a number, in addition to enum show of items.h. */
enum code_show {
	CODE_TEXT = SHOW_OWN,	/* text of a ref, with dots for slashes */
	CODE_CLASS, CODE_CLASS_ACCESS,	/* a class, by its number; words for its bits of access */
	CODE_FILE,		/* the piece that a class is from, by its number */
	/* Name, name with the class, types and access of a method. */
	CODE_NAME, CODE_METHOD, CODE_DESC, CODE_METHOD_ACCESS,
	CODE_MORE		/* this and above: additions of a domain */
};

/* Classes, methods, bugs and instructions of bytecode; without a file code.st is NULL. */
#define CODE(s) ((struct code *)(s)->own)
extern const struct domain code_domain;
/* Functions of it, for domains that know more. */
bool	code_rows_begin(struct item_rows *, const struct stage *, struct err *);
void	code_rows_cell(struct item_rows *, uint64_t n, unsigned show, struct cell *);

/*
 * The methods of the bytecode that rows are about, marked in *has, the caller's, by number; NULL: the store
 * is that of no file.
 */
bool	code_rows_methods(const struct code *, struct rows *in, const struct stage *, uint8_t **has,
    struct err *);

/* Marks in has (0 .. n) the bugs that may have made the objects in a column of in. */
bool	code_bugs_of_objects(const struct item_rows *, struct rows *in, size_t col, uint8_t *has, uint64_t n,
    struct err *err);

extern const struct arg_type arg_code_method;
/* The methods that the arguments of a stage mean, in order; the caller frees *list. */
bool	code_methods_of(const struct code *, const struct stage *, uint32_t **list, uint64_t *n,
    struct err *);

#endif
