/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packets: the fields of a packet.
 */
#ifndef LOAD_PERFETTO_PACKETS_H
#define LOAD_PERFETTO_PACKETS_H

#include "icecore/protobuf.h"

/* Where bytes of a trace are, as of pf_offset. */
struct pf_place {
	uint64_t	at;
	uint32_t	n;
};

enum { PF_FIELDS = 24 };

/* A packet: its fields, the last one of each number; an absent one has no bytes and the value 0. */
struct pf_packet {
	struct str	 body;
	struct proto_field field[PF_FIELDS];
	unsigned	 n;
};

bool	pf_packet_read(struct str body, struct pf_packet *);	/* packets.c; false: it is damaged */

/* The last field of that number; an empty one if the packet lacks it. */
static inline const struct proto_field *
pf_field(const struct pf_packet *k, unsigned number)
{
	static const struct proto_field none;

	for (unsigned i = k->n; i-- > 0; )
		if (k->field[i].number == number)
			return &k->field[i];
	return &none;
}

#endif
