/*
 * mem: allocations whose sizes cannot overflow.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/base.h"

#define FIRST_CAP 16

void *
mem_array(size_t n, size_t size)
{
	if (n == 0 || size == 0)
		n = size = 1;
	if (n > PTRDIFF_MAX / size)
		return NULL;
	return calloc(n, size);
}

bool
mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
	void *old, *new;
	size_t n = *cap;

	if (need <= n)
		return true;
	n = n > SIZE_MAX / 2 ? SIZE_MAX : n * 2;
	if (n < FIRST_CAP)
		n = FIRST_CAP;
	if (n < need)
		n = need;
	if (size != 0 && n > PTRDIFF_MAX / size)
		return false;
	memcpy(&old, array, sizeof old);
	new = realloc(old, n * size);
	if (new == NULL)
		return false;
	memcpy(array, &new, sizeof new);
	*cap = n;
	return true;
}
