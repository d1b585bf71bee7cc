/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * column_names: what the index calls each column.  All that all families of columns meet in.
 */
#include "config.h"

#include <stddef.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_code.h"
#include "icecore/columns_content.h"
#include "icecore/columns_costs.h"
#include "icecore/columns_counts.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_dumps.h"
#include "icecore/columns_findings.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_labels.h"
#include "icecore/columns_marks.h"
#include "icecore/columns_money.h"
#include "icecore/columns_names.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_table.h"
#include "icecore/columns_trace.h"
#include "icecore/columns_triage.h"

#define NAME(handle, name) [COL_##handle] = (name),
#define CHOICE(handle, refs, sizes, text) [COL_CHOSEN + (COL_EACH_##handle - COL_COUNT) * COL_CHOICES + (refs) * \
    HEAP_SIZES + (sizes)] = (text),
#define NAMES(handle, name) \
	CHOICE(handle, REFS_SOFT, SIZES_VM, "soft.vm." name) CHOICE(handle, REFS_SOFT, SIZES_MAT, "soft.mat." name) \
	CHOICE(handle, REFS_STRONG, SIZES_VM, "strong.vm." name) CHOICE(handle, REFS_STRONG, SIZES_MAT, \
	    "strong.mat." name) \
	CHOICE(handle, REFS_ALL, SIZES_VM, "all.vm." name) CHOICE(handle, REFS_ALL, SIZES_MAT, "all.mat." name) \
	CHOICE(handle, REFS_UNREACHABLE, SIZES_VM, "unreachable.vm." name) CHOICE(handle, REFS_UNREACHABLE, SIZES_MAT, \
	    "unreachable.mat." name)

const char *const column_names[COL_COUNT] = {
	COLUMNS_TRACE(NAME)
	COLUMNS_SCHED(NAME)
	COLUMNS_MARKS(NAME)
	COLUMNS_MONEY(NAME)
	COLUMNS_TABLE(NAME)
	COLUMNS_CODE(NAME)
	COLUMNS_TRIAGE(NAME)
	COLUMNS_DUMPS(NAME)
	COLUMNS_COSTS(NAME)
	COLUMNS_COUNTS(NAME)
	COLUMNS_HEAP(NAME)
	COLUMNS_FORMS(NAME)
	COLUMNS_OBJECTS(NAME)
	COLUMNS_FRAMES(NAME)
	COLUMNS_REACH(NAME)
	COLUMNS_ALLOCATIONS(NAME)
	COLUMNS_LABELS(NAME)
	COLUMNS_DERIVED(NAME)
	COLUMNS_DOMINATORS(NAMES)
	COLUMNS_CONTENT(NAMES)
	COLUMNS_NAMES(NAMES)
	COLUMNS_FINDINGS(NAMES)
};
