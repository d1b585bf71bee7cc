/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes, opened as a table: its columns and records, and some columns as paths with weights and times. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(table, &mutate_text)
{
	walk_as = "table";
	walk_bytes(data, size);
}
