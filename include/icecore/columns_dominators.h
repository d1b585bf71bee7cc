/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of dominators and components, for each choice of --refs and --sizes.  Beside them pass dominators
 * sets the facts R.S.unit, R.S.live_objects and R.S.live_bytes: see heap_fact.
 */
#ifndef ICECORE_COLUMNS_DOMINATORS_H
#define ICECORE_COLUMNS_DOMINATORS_H

#include "icecore/columns.h"

#define COLUMNS_DOMINATORS(EACH) \
	/* Pass dominators. */ \
	/* u32: object that dominates it, HEAP_ROOT: nothing does, 0: unreachable. */ \
	EACH(PARENT, "parent") \
	/* In units of R.S.unit bytes; u16: HEAP_LARGE: see large.*. */ \
	EACH(RETAINED, "retained") \
	EACH(LARGE_OBJECT, "large.object")		/* rising */ \
	EACH(LARGE_RETAINED, "large.retained") \
	/* u32, rising: all that nothing dominates; empty where they are many. */ \
	EACH(TOP, "top") \
	EACH(CLASS_LIVE, "class_live")			/* reachable instances */ \
	EACH(CLASS_RETAINED, "class_retained")		/* u64 bytes */ \
	EACH(LOADER_RETAINED, "loader_retained")	/* u64 bytes */ \
	/*
	 * Components of enum component_by: the reachable objects of each class, with its Class object; and
	 * what each component retains.
	 */ \
	EACH(COMPONENT_OBJECTS, "component.objects")	/* u32 */ \
	EACH(COMPONENT_SHALLOW, "component.shallow")	/* u64 bytes */ \
	EACH(COMPONENT_PACKAGE, "component.package")	/* u64 bytes, at the first class of each */ \
	EACH(COMPONENT_LOADER, "component.loader") \
	EACH(COMPONENT_CLASS, "component.class") \
	/* Pass children. */ \
	EACH(CHILDREN, "children")			/* packed; read through heap_children */ \
	EACH(CHILDREN_AT, "children.at") \
	EACH(CHILDREN_MASK, "children.mask")

COLUMN_FAMILY(DOMINATORS, COL_FAMILY, COL_OF_CONTENT);

#endif
