/*
 * foreign: what a file is that no loader takes.
 */
#ifndef LOAD_FOREIGN_H
#define LOAD_FOREIGN_H

#include "icecore/load.h"

/* What a file is that no loader takes, and perhaps what to do; NULL when that is not known. */
const char *foreign_name(const uint8_t *head, size_t n);

#endif
