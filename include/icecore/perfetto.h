/*
 * perfetto: the packets of a Perfetto trace, for code that rewrites them.
 */
#ifndef ICECORE_PERFETTO_H
#define ICECORE_PERFETTO_H

#include "icecore/str.h"
#include "icecore/work.h"

/* Damage; skipped. */
struct perfetto_lost {
	uint64_t	pieces, bytes;	/* bytes: beside those of packets that are damaged within */
};

typedef bool (*perfetto_take)(void *arg, struct str packet, struct err *);

/* Whether a file that begins so is a trace, or a piece of one. */
bool	perfetto_is(const uint8_t *head, size_t n);
/* Calls take for all packets, in order, also for those in compressed packets.  False: take failed, cancelled, or out of memory. */
bool	perfetto_packets(struct str file, perfetto_take, void *arg, struct perfetto_lost *, struct work *, struct err *) MUST_USE;

#endif
