/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfetto: the packets of a Perfetto trace, for code that rewrites them.
 */
#ifndef ICECORE_PERFETTO_H
#define ICECORE_PERFETTO_H

#include "icecore/meant.h"
#include "icecore/str.h"
#include "icecore/work.h"

/* Damage that was skipped. */
struct perfetto_lost {
	uint64_t	pieces, bytes;	/* bytes excludes packets whose content is damaged */
};

/* Content of a field of a message, except numbers that are times, ids or counts. */
enum perfetto_holds {
	HOLDS_UNKNOWN,		/* or nothing that is known to be harmless */
	HOLDS_WHO = MEANT_WHO, HOLDS_NAME = MEANT_NAME, HOLDS_TEXT = MEANT_TEXT,
	HOLDS_KEY,		/* HOLDS_NAME if it is an identifier, otherwise HOLDS_TEXT: keys may be data */
	HOLDS_WORD,		/* a text that may be a word of icecore */
	HOLDS_STATE,		/* a text that may be a number of one or two digits */
	HOLDS_RELEASE,		/* the version of a kernel */
	HOLDS_MARK,		/* "B|12|name" (mark.h) */
	HOLDS_VALUE,		/* a private number */
	HOLDS_MARKER,		/* perfetto_marker */
	HOLDS_PACKED, HOLDS_FIXED,	/* numbers, as varints or of 8 bytes */
	HOLDS_MESSAGE
};

/*
 * Messages with a number; the others have larger ones.  A field of a packet that is of ZSTD cannot be
 * looked into.
 */
enum perfetto_message { PERFETTO_OTHER, PERFETTO_PACKET, PERFETTO_ZSTD, PERFETTO_KERNEL_EVENT };

struct perfetto_field {
	uint8_t		holds, message;	/* enum perfetto_holds; message: the one that it is */
};

extern const uint8_t perfetto_marker[16];	/* by these bytes readers find packets again */
/* Unknown fields are HOLDS_UNKNOWN and PERFETTO_OTHER, as are all fields of PERFETTO_OTHER. */
struct perfetto_field perfetto_field(unsigned message, uint64_t number);

typedef bool (*perfetto_take)(void *arg, struct str packet, struct err *);

/* True if a file that begins with these bytes is a trace, or a piece of one. */
bool	perfetto_is(const uint8_t *head, size_t n);
/*
 * Call take for each packet in file order, including those inside compressed packets.  False: take failed,
 * cancelled, out of memory.
 */
bool	perfetto_packets(struct str file, perfetto_take, void *arg, struct perfetto_lost *, struct work *,
    struct err *) MUST_USE;

#endif
