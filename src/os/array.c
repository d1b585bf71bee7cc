/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * array: closing arrays whose elements have any type.
 */
#include "config.h"

#include "icecore/os.h"

void
array_free(void *array)
{
	scratch_free(array);
}

void
array_free_all(void *const *arrays)
{
	for (; *arrays != NULL; arrays++)
		scratch_free(*arrays);
}
