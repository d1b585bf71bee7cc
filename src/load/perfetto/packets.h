/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packets: the fields of a packet.
 */
#ifndef LOAD_PERFETTO_PACKETS_H
#define LOAD_PERFETTO_PACKETS_H

#include "icecore/protobuf.h"

enum { PF_FIELDS = 24 };

/* Numbers of TracePacket: what a packet is about. */
enum pf_packet_field {
	PKT_FTRACE = 1, PKT_PROCESS_TREE = 2, PKT_CLOCK_SNAPSHOT = 6, PKT_SYSTEM_STATS = 7, PKT_TIME = 8, PKT_PROCESS_STATS = 9, PKT_SEQUENCE = 10,
	PKT_TRACK_EVENT = 11, PKT_INTERNED = 12, PKT_FLAGS = 13, PKT_CONFIG = 33,
	PKT_FTRACE_STATS = 34, PKT_TRACE_STATS = 35, PKT_MARKER = 36, PKT_PROFILE = 37,
	PKT_BATTERY = 38, PKT_LOG = 39, PKT_RAILS = 40,
	PKT_CLEARED = 41, PKT_DROPPED = 42, PKT_PROCESS = 43, PKT_THREAD = 44, PKT_SYSTEM = 45, PKT_PACKAGES = 47,
	PKT_ZLIB = 50, PKT_GPU = 52, PKT_STREAMING = 54,
	PKT_HEAP_GRAPH = 56, PKT_CLOCK = 58, PKT_DEFAULTS = 59, PKT_TRACK = 60, PKT_SYMBOLS = 61, PKT_DEOBFUSCATION = 64,
	PKT_PERF = 66, PKT_SERVICE = 69, PKT_SCREEN = 70, PKT_FRAME = 76, PKT_PROPERTIES = 86, PKT_UUID = 89, PKT_RANGE = 90, PKT_MACHINE = 98,
	PKT_GENERIC_TASK = 117, PKT_GENERIC_FREQUENCY = 118, PKT_GENERIC_RENAME = 120, PKT_GENERIC_TREE = 122,
	PKT_ZSTD = 133, PKT_STACK = 135
};

/* A packet: its fields, the last one of each number; an absent one has no bytes and the value 0. */
struct pf_packet {
	struct str	 body;
	struct proto_field field[PF_FIELDS];
	unsigned	 n;
};

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
