/*
 * Private to src/load: the manual of room code, which reads bytecode.
 */
#ifndef LOAD_CODE_CODE_H
#define LOAD_CODE_CODE_H

#include "icecore/code.h"

/* The head of a class file or of a dex file. */
bool	code_is_piece(const uint8_t *, uint64_t size);
/*
 * Columns and facts (columns_code.h) of the class file, dex file or bundle in data, whose first byte has the offset base in
 * refs.  What is damaged is counted in loss.*; nothing is published.
 */
bool	code_load(struct store *, const uint8_t *data, uint64_t size, uint64_t base, struct work *, struct err *);

/* A store over *st with the bytecode of all these files and folders, published; a file that has none is an error. */
bool	code_beside(struct store **st, const char *const *path, struct work *, struct err *);

#endif
