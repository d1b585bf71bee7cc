/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of bytecode: class files, classes, methods, and results of the rules for resources.
 */
#ifndef ICECORE_COLUMNS_CODE_H
#define ICECORE_COLUMNS_CODE_H

#include "icecore/columns.h"

#define COLUMNS_CODE(ROW) \
	/* Class files and dex files, in the order they were read. */ \
	ROW(PIECE_NAME, "piece.name")			/* ref: "app.jar!a/B.class" */ \
	ROW(PIECE_AT, "piece.at")			/* u64: where its bytes begin */ \
	ROW(PIECE_SIZE, "piece.size")			/* u64 */ \
	/* u16: major version of a class file, version of a dex file. */ \
	ROW(PIECE_VERSION, "piece.version") \
	ROW(PIECE_DEX, "piece.dex")			/* u8: 1: it is a dex file */ \
	/* Classes. */ \
	ROW(CODE_CLASS_NAME, "code_class.name")		/* ref: "a/b/C" */ \
	ROW(CODE_CLASS_SUPER, "code_class.super")	/* ref */ \
	ROW(CODE_CLASS_SOURCE, "code_class.source")	/* ref: name of the source file */ \
	ROW(CODE_CLASS_PIECE, "code_class.piece")	/* u32 */ \
	/* u64: offset of its list of interfaces, minus their number; 0: none. */ \
	ROW(CODE_CLASS_AT, "code_class.at") \
	ROW(CODE_CLASS_ACCESS, "code_class.access")	/* u32 */ \
	ROW(CODE_CLASS_FIRST, "code_class.first")	/* u32: its first method */ \
	ROW(CODE_CLASS_METHODS, "code_class.methods")	/* u32: how many follow from there */ \
	/* Methods, class by class. */ \
	ROW(CODE_METHOD_CLASS, "code_method.class")	/* u32 */ \
	ROW(CODE_METHOD_NAME, "code_method.name")	/* ref */ \
	/* u64: ref of the descriptor; in a dex file, number of the prototype. */ \
	ROW(CODE_METHOD_DESC, "code_method.desc") \
	ROW(CODE_METHOD_ACCESS, "code_method.access")	/* u32 */ \
	/* u64: where its code begins, with the numbers before it; 0: none. */ \
	ROW(CODE_METHOD_AT, "code_method.at") \
	ROW(CODE_METHOD_BYTES, "code_method.bytes")	/* u32: of instructions */ \
	ROW(CODE_METHOD_FIRST_LINE, "code_method.first_line")	/* u32; 0: not known */ \
	ROW(CODE_METHOD_LAST_LINE, "code_method.last_line")	/* u32 */ \
	ROW(CODE_METHOD_BAD, "code_method.bad")		/* u8: 1: its code is invalid */ \
	/* u32: rows of bug.* of rules paths that --all would not need; pass bugs. */ \
	ROW(CODE_METHOD_BUGS, "code_method.bugs") \
	ROW(CODE_RESOURCES, "code.resources")		/* bytes: text of --resources */ \
	ROW(CODE_CHECKS, "code.checks")			/* bytes: text of --checks */ \
	/* Methods of a trace or profile, by pass code_names. */ \
	ROW(CODE_METHOD_TRACED, "code_method.traced")	/* u32: method of the trace; 0: none */ \
	/* u32, by method of the trace: method of the bytecode; 0: not known. */ \
	ROW(METHOD_CODE, "method.code") \
	/* Bugs: both sets of rules, class by class. */ \
	ROW(BUG_METHOD, "bug.method")			/* u32: method of code */ \
	ROW(BUG_KIND, "bug.kind")			/* u8: enum bug_kind */ \
	ROW(BUG_RULES, "bug.rules")			/* u8: enum bug_rules */ \
	ROW(BUG_SITE, "bug.site")			/* u32: pc where the cursor is made */ \
	ROW(BUG_PC, "bug.pc")				/* u32: pc of the fault */ \
	ROW(BUG_WHY, "bug.why")				/* u8: enum bug_why */ \
	/* u32: for a handler, the pc where it leaves the method; for seed, its entry. */ \
	ROW(BUG_AT, "bug.at") \
	ROW(BUG_RESOURCE, "bug.resource")		/* u8: enum bug_resource */ \
	/* u32: 1 + where its rule begins in code.checks; 0: none. */ \
	ROW(BUG_CHECK, "bug.check")

COLUMN_FAMILY(CODE, COL_NUMBER, COL_OF_TRIAGE);

#endif
