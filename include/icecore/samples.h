/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* samples: what the weights and events of profiles mean. */
#ifndef ICECORE_SAMPLES_H
#define ICECORE_SAMPLES_H

#include "icecore/str.h"

/*
 * A profile names its frames in listed.* as a method trace names its methods, and its threads, thread id =
 * row.  Names that are not in the source are generated (listed.own).  Columns: columns_trace.h.  Facts:
 * weight.scale (a power of 10; weights are fixed-point), weight.type, weight.unit (text: "samples",
 * "cycles", "us"), weight.tick (ns of one unit when it is a time), weight.differs (1: two weights), event
 * (id of the current one).  Samples recorded with calls have no current event, and only weight.scale.
 */
enum weight_type { WEIGHT_COUNT, WEIGHT_TIME, WEIGHT_BYTES,
	WEIGHT_MONEY,	/* exact, in the currency that the unit names */
	WEIGHT_WHOLE	/* counts without decimals next to weights with decimals */
};

/*
 * Meaning of an event for objects (event.role).  For allocations the first of these roles in a file is
 * used.
 */
enum event_role { EVENT_NO_ROLE, EVENT_ALLOCATES, EVENT_ALLOCATES_BUFFER, EVENT_SURVIVES };

/* num_time_unit; 1 of another unit. */
uint64_t unit_ns(struct str unit);

#endif
