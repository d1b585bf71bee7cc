/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * passed_over: packets, kernel events and fields that icecore does not show, counted by kind.
 */
#ifndef LOAD_PERFETTO_PASSED_OVER_H
#define LOAD_PERFETTO_PASSED_OVER_H

#include <stdbool.h>
#include <stdint.h>

#include "icecore/str.h"

enum { PF_UNREAD_FIELDS = 111 };

struct perfetto;
struct err;

void	pf_skip_packet(struct perfetto *, uint64_t number);
void	pf_skip_event(struct perfetto *, uint32_t kind);
bool	pf_unread_facts(struct perfetto *, struct err *);
bool	pf_nothing(const struct perfetto *, struct err *);	/* fails; the error lists what the trace contains instead of events */
bool	pf_packet_named(uint64_t number);	/* whether the kind is known */
bool	pf_packet_read(uint64_t number);	/* whether packets of that kind are read */

/* ---- fields ----------------------------------------------------------------------------- */

/* A field a of a packet that holds messages, whose field b holds messages. */
#define PF_INSIDE(a, b) ((a) << 8 | (b))
#define PF_BIT(field) ((uint64_t)1 << (field))
#define PF_BITS(first, last) (PF_BIT((last) + 1) - PF_BIT(first))	/* last: below 63 */

/* Count a field that nothing shows, of a packet that is read.  inside: 0, or the field of the packet that holds the message. */
void	pf_unread_field(struct perfetto *, unsigned packet, unsigned inside, uint64_t number);

/* The same for a field whose bit is not in known; and for all of a message. */
static inline void
pf_unless_known(struct perfetto *p, unsigned packet, unsigned inside, uint64_t number, uint64_t known)
{
	if (number >= 64 || (known >> number & 1) == 0)
		pf_unread_field(p, packet, inside, number);
}

void	pf_unread_rest(struct perfetto *, unsigned packet, unsigned inside, struct str message, uint64_t known);

#endif
