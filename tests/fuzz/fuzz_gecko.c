/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: profiles of Firefox and samply in JSON, opened as a file and explored; other JSON is left to fuzz_json. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(gecko, &mutate_json)
{
	if (memmem(data, size, "\"threads\"", 9) != NULL)
		walk_bytes(data, size);
}
