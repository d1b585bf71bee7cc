/*
 * perfetto: the packets of a Perfetto trace, for whoever writes them anew.
 */
#ifndef ICECORE_PERFETTO_H
#define ICECORE_PERFETTO_H

#include "icecore/str.h"
#include "icecore/work.h"

/* What could not be read, and is passed over. */
struct perfetto_lost {
	uint64_t	pieces, bytes;	/* bytes: beside those of packets that are damaged within */
};

typedef bool (*perfetto_take)(void *arg, struct str packet, struct err *);

/* Whether a file that begins so is a trace, or a piece of one. */
bool	perfetto_is(const uint8_t *head, size_t n);
/* All packets, in order; those in compressed ones as if they stood there.  False: take said so, cancelled, or out of memory. */
bool	perfetto_packets(struct str file, perfetto_take, void *arg, struct perfetto_lost *, struct work *, struct err *) MUST_USE;

#endif
