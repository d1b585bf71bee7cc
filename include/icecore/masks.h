/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * masks: many bytes of a text looked at in one step, with the vector instructions of the processor it runs
 * on.
 */
#ifndef ICECORE_MASKS_H
#define ICECORE_MASKS_H

#include "icecore/base.h"

#define MASK_BYTES 64u	/* bytes that a mask covers; its lowest bit is the first byte */

/*
 * Fill a mask for every 64 bytes of a text; the last mask covers the remainder.  A bit is set if the byte
 * is one of any.
 */
void	masks_find(struct str, const char any[3], uint64_t *mask);
/* Return how many bytes come before the first NUL or non-ASCII byte. */
size_t	masks_plain(struct str);

/* An implementation for one instruction set. */
struct masks_way {
	const char	*name;
	bool		(*runs)(void);	/* this processor has the instructions */
	void		(*find)(const char *, size_t masks, const char any[3], uint64_t *mask);
	/* Like masks_plain, but may stop earlier, at a multiple of 64 bytes. */
	size_t		(*plain)(const char *, size_t masks);
};

/* The implementations in this build, fastest first; the last one, "C", runs everywhere. */
extern const struct masks_way masks_ways[];

#endif
