/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: packed data gives the same bytes and the same end in small steps as in memory.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/inflate.h"
#include "heapwalk.h"
#include "target.h"

enum { BYTES_MOST = 1 << 20, STEP = 97 };

TARGET(packed, NULL)
{
	struct str packed = { (const char *)data, size };
	enum inflate_form form = inflate_form(packed);
	struct inflate_step io = { .in = data, .left = size };
	enum inflate_end end = INFLATE_MORE;
	struct inflated out = { .n = 0 };
	struct inflating *s;
	uint8_t room[STEP];
	size_t at = 0;
	bool same;

	if (form == INFLATE_NONE || inflate_lacks(form) != NULL)
		return;
	/* Damaged data of xz gives more or less, as the room is. */
	same = inflate_all(packed, form, 0, BYTES_MOST, &out) || form != INFLATE_XZ;
	MUST((s = inflate_open(form)) != NULL);
	while (end == INFLATE_MORE && at < out.n) {
		io.to = room;
		io.room = out.n - at < STEP ? out.n - at : STEP;
		end = inflate_some(s, &io);
		MUST(!same || memcmp(room, out.data + at, (size_t)(io.to - room)) == 0);
		at += (size_t)(io.to - room);
	}
	MUST(!same || at == out.n);
	inflate_close(s);
	free(out.data);
}
