/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of names of objects, for each choice of --refs and --sizes.
 */
#ifndef ICECORE_COLUMNS_NAMES_H
#define ICECORE_COLUMNS_NAMES_H

#include "icecore/columns.h"

#define COLUMNS_NAMES(EACH) \
	/* Pass names: struct name_node in pre-order, from 1, the heaviest child first; texts by number. */ \
	EACH(NAMES_KIND, "names.kind")			/* u8, enum name_kind */ \
	EACH(NAMES_ROLE, "names.role")			/* u8, enum name_role */ \
	EACH(NAMES_WHOSE, "names.whose")		/* u8, enum class_kind */ \
	EACH(NAMES_HOLDER_WHOSE, "names.holder_whose")	/* u8 */ \
	EACH(NAMES_PARENT, "names.parent") \
	EACH(NAMES_SIZE, "names.size") \
	EACH(NAMES_DEPTH, "names.depth") \
	EACH(NAMES_LABEL, "names.label") \
	EACH(NAMES_HOLDER, "names.holder") \
	EACH(NAMES_CLASS, "names.class") \
	EACH(NAMES_COUNT, "names.count") \
	EACH(NAMES_FOLDED, "names.folded") \
	EACH(NAMES_OBJECT, "names.object") \
	EACH(NAMES_SELF, "names.self")			/* bytes, as the next four */ \
	EACH(NAMES_TOTAL, "names.total") \
	EACH(NAMES_NATIVE, "names.native") \
	EACH(NAMES_NATIVE_TOTAL, "names.native_total") \
	EACH(NAMES_MOST, "names.most") \
	/* u64: offset of text number n + 1 in names.text; one more row than texts. */ \
	EACH(NAMES_TEXT_AT, "names.text_at") \
	EACH(NAMES_TEXT, "names.text")			/* bytes */ \
	/*
	 * Node of each object; 0: unreachable.  If 255 nodes have most of the objects, names.often lists
	 * these nodes, and names.of has rows of it from 0; 255: names.seldom_node has the node.
	 */ \
	EACH(NAMES_OF, "names.of") \
	EACH(NAMES_OFTEN, "names.often")		/* nodes with the most objects; empty: not used */ \
	EACH(NAMES_SELDOM_OBJECT, "names.seldom_object") /* objects of the other nodes, rising */ \
	EACH(NAMES_SELDOM_NODE, "names.seldom_node")	/* nodes of names.seldom_object */

COLUMN_FAMILY(NAMES, COL_FAMILY, COL_OF_FINDINGS);

/* Columns of pass names, which runs again when a mapping changes class names. */
#define NAMES_MAKES \
	COL_EACH_NAMES_KIND, COL_EACH_NAMES_ROLE, COL_EACH_NAMES_WHOSE, COL_EACH_NAMES_HOLDER_WHOSE, \
	COL_EACH_NAMES_PARENT, COL_EACH_NAMES_SIZE, COL_EACH_NAMES_DEPTH, COL_EACH_NAMES_LABEL, COL_EACH_NAMES_HOLDER, \
	COL_EACH_NAMES_CLASS, COL_EACH_NAMES_COUNT, COL_EACH_NAMES_FOLDED, COL_EACH_NAMES_OBJECT, COL_EACH_NAMES_SELF, \
	COL_EACH_NAMES_TOTAL, COL_EACH_NAMES_NATIVE, COL_EACH_NAMES_NATIVE_TOTAL, COL_EACH_NAMES_MOST, \
	COL_EACH_NAMES_TEXT_AT, COL_EACH_NAMES_TEXT, COL_EACH_NAMES_OF, COL_EACH_NAMES_OFTEN, \
	COL_EACH_NAMES_SELDOM_OBJECT, \
	COL_EACH_NAMES_SELDOM_NODE

#endif
