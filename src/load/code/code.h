/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load: interface of this directory, which reads bytecode.
 */
#ifndef LOAD_CODE_CODE_H
#define LOAD_CODE_CODE_H

#include "icecore/code.h"

/* Return whether data begins like a class file or dex file. */
bool	code_is_piece(const uint8_t *, uint64_t size);
/*
 * Make columns and facts (columns_code.h) of the class file, dex file or bundle in data, whose first byte
 * has offset base in refs. Damage is counted in loss.*; nothing is published.
 */
bool	code_load(struct store *, const uint8_t *data, uint64_t size, uint64_t base, struct work *,
    struct err *);

/*
 * Publish a store over *st with the bytecode of these files and directories; a file without bytecode is an
 * error.
 */
bool	code_beside(struct store **st, const char *const *path, struct work *, struct err *);
/*
 * Publish a store over *st with the tables of resources, or rules, in these files; a file without them is
 * an error.
 */
bool	resources_beside(struct store **st, const char *const *path, struct work *, struct err *);
bool	checks_beside(struct store **st, const char *const *path, struct work *, struct err *);

#endif
