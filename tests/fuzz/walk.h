/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk: opens a file as the program would, computes everything it can compute
 * and looks at all of it.  Shared by the fuzz targets and the hurt tests.
 */
#ifndef TESTS_WALK_H
#define TESTS_WALK_H

#include <stddef.h>

#include "icecore/pass.h"

/*
 * False when the file cannot be read, with the reason.  *records gets the
 * number of records of a trace, of objects of a heap dump.  An answer that
 * contradicts itself aborts.
 */
bool	walk_file(const char *path, uint64_t *records, struct err *);
/* Opens bytes; an error that is none of the input aborts. */
void	walk_bytes(const uint8_t *, size_t);
/* Opened and closed alone. */
void	load_bytes(const uint8_t *, size_t);

/* The loader that reads files, as --as says; NULL: by their content. */
extern const char *walk_as;

/* Which references and sizes dominators are of, a choice of columns.h; COL_CHOICES: each of them. */
extern unsigned walk_choice;
/* libFuzzer runs the target, whose inputs may share such work among them. */
extern bool walk_fuzzes;

/* Where the environment has WALK_TELLS: a line "# loader NAME" for what has taken the file. */
void	walk_tell(const struct store *);

#endif
