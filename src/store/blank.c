/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blank: the store of no file.
 */
#include "config.h"

#include "inside.h"

static struct store blank = { .path = (char []){ "" }, .base = (char []){ "" }, .dump = 1, .at.note = "",
    .replaced = -1,
	.file.slot = -1, .raw.slot = -1, .index.slot = -1,
	.building = { .fd = -1 }, .mending = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER };

struct store *
store_blank(void)
{
	return &blank;
}

bool
store_is_blank(const struct store *st)
{
	return st == &blank;
}
