/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast this machine is: mebibytes hashed in a second of processor time.  Speeds of fuzz targets are held against it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <xxhash.h>

#include "../tools.h"

#define BLOCK (1u << 20)

TOOL(fuzz, pace)
{
	void *block = calloc(BLOCK, 1);
	clock_t begin = clock();
	unsigned long long hash = 1, n = 0;

	if (block == NULL)
		return 1;
	for (; clock() - begin < CLOCKS_PER_SEC; n++)
		hash = XXH3_64bits_withSeed(block, BLOCK, hash);
	free(block);
	printf("%llu\n", hash == 0 ? 0 : n);
	return 0;
}
