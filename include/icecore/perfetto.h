/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfetto: the packets of a Perfetto trace, for code that rewrites them.
 */
#ifndef ICECORE_PERFETTO_H
#define ICECORE_PERFETTO_H

#include "icecore/str.h"
#include "icecore/work.h"

/* Damage that was skipped. */
struct perfetto_lost {
	uint64_t	pieces, bytes;	/* bytes excludes packets whose content is damaged */
};

typedef bool (*perfetto_take)(void *arg, struct str packet, struct err *);

/* True if a file that begins with these bytes is a trace, or a piece of one. */
bool	perfetto_is(const uint8_t *head, size_t n);
/* Call take for each packet in file order, including those inside compressed packets.  False: take failed, cancelled, out of memory. */
bool	perfetto_packets(struct str file, perfetto_take, void *arg, struct perfetto_lost *, struct work *, struct err *) MUST_USE;

#endif
