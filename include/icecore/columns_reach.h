/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of passes fillers, machine and reach, over a heap dump.
 */
#ifndef ICECORE_COLUMNS_REACH_H
#define ICECORE_COLUMNS_REACH_H

#include "icecore/columns.h"

#define COLUMNS_REACH(ROW) \
	/* Pass fillers, which makes facts. */ \
	ROW(FILLER_BYTES, "filler.bytes")		/* u64, one */ \
	/* Pass machine, which makes facts: how many there are. */ \
	ROW(MACHINE_SAID, "machine.said")		/* u8 */ \
	/* Pass reach: objects that are reachable, but not strongly. */ \
	ROW(REACH_OBJECT, "reach.object")		/* u32, rising */ \
	/* u8, enum heap_strength; HEAP_STRENGTHS: none reaches it. */ \
	ROW(REACH_LEVEL, "reach.level") \
	/* u64, a bit for each object: none reaches it; if empty, see reach.level. */ \
	ROW(REACH_NONE, "reach.none")

COLUMN_FAMILY(REACH, COL_NUMBER, COL_OF_ALLOCATIONS);

#endif
