/*
 * walk: opens a file as the program would, computes everything it can compute
 * and looks at all of it.  Shared by the fuzz target and the hurt tests.
 */
#ifndef TESTS_WALK_H
#define TESTS_WALK_H

#include "icecore/pass.h"

/*
 * False when the file cannot be read, with the reason.  *records gets the
 * number of records.  An answer that contradicts itself aborts.
 */
bool	walk_trace(const char *path, uint64_t *records, struct err *);

#endif
