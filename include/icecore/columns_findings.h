/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of findings, for each choice of --refs and --sizes.
 */
#ifndef ICECORE_COLUMNS_FINDINGS_H
#define ICECORE_COLUMNS_FINDINGS_H

#include "icecore/columns.h"

#define COLUMNS_FINDINGS(EACH) \
	/* Pass findings: by falling severity, then weight, then kind and object; struct finding. */ \
	EACH(FINDING_KIND, "finding.kind")		/* u8, enum finding_kind */ \
	EACH(FINDING_OBJECT, "finding.object")		/* u32: its object; 0: no single one */ \
	EACH(FINDING_CLASS, "finding.class")		/* u32; 0: none */ \
	/* u32: accumulation point, thread, loader or key of it; 0: none. */ \
	EACH(FINDING_OTHER, "finding.other") \
	EACH(FINDING_RETAINED, "finding.retained")	/* u64: retained or wasted bytes */ \
	EACH(FINDING_COUNT, "finding.count")		/* u32: number of objects that the row covers */ \
	EACH(FINDING_NUMBER, "finding.number")		/* u64: a number of the kind */ \
	EACH(FINDING_GRADE, "finding.grade")		/* u8, 1 + enum severity */ \
	EACH(FINDING_NATIVE, "finding.native")		/* u64 bytes */ \
	/* u32 node of names.*; 0: none, as in the next two. */ \
	EACH(FINDING_OWNER, "finding.owner") \
	EACH(FINDING_CONTENT, "finding.content")	/* u32 */ \
	EACH(FINDING_ONE, "finding.one")		/* u32 */ \
	/* u32: objects that hold it by the field of the owner, in several nodes; 0: those of the owner. */ \
	EACH(FINDING_OWNERS, "finding.owners") \
	EACH(FINDING_HOP, "finding.hop")		/* u32: first row of hop.*, from 0 */ \
	EACH(FINDING_HOPS, "finding.hops")		/* u32 */ \
	/* u32: the path to .object, root first; of a suspect or a thread to .other. */ \
	EACH(HOP_OBJECT, "hop.object")

COLUMN_FAMILY(FINDINGS, COL_FAMILY, COL_END);

/* Columns of pass findings, which runs again whenever pass names does. */
#define FINDINGS_MAKES \
	COL_EACH_FINDING_KIND, COL_EACH_FINDING_OBJECT, COL_EACH_FINDING_CLASS, COL_EACH_FINDING_OTHER, \
	COL_EACH_FINDING_RETAINED, COL_EACH_FINDING_COUNT, COL_EACH_FINDING_NUMBER, COL_EACH_FINDING_GRADE, \
	COL_EACH_FINDING_NATIVE, COL_EACH_FINDING_OWNER, COL_EACH_FINDING_CONTENT, COL_EACH_FINDING_ONE, \
	COL_EACH_FINDING_OWNERS, \
	COL_EACH_FINDING_HOP, COL_EACH_FINDING_HOPS, COL_EACH_HOP_OBJECT

#endif
