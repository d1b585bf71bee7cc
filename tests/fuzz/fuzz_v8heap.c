/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes, opened as a file and explored; the kept ones are heap snapshots of V8. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(v8heap, &mutate_json)
{
	walk_bytes(data, size);
}
