/*
 * range: sorted tables of code points; shared by text.c and width.c.
 */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint32_t	first, last;
};

bool	range_has(const struct range *, size_t, uint32_t cp);

#endif
