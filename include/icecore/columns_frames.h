/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of the stacks of the threads of a heap dump.
 */
#ifndef ICECORE_COLUMNS_FRAMES_H
#define ICECORE_COLUMNS_FRAMES_H

#include "icecore/columns.h"

#define COLUMNS_FRAMES(ROW) \
	/* Pass stacks: the frames of a thread are adjacent, innermost first. */ \
	ROW(JTHREAD_FRAME, "jthread.frame")		/* u32: first row of frame.* */ \
	ROW(JTHREAD_FRAMES, "jthread.frames")		/* u32 */ \
	ROW(FRAME_THREAD, "frame.thread")		/* u32 */ \
	ROW(FRAME_METHOD, "frame.method")		/* ref */ \
	ROW(FRAME_SIGNATURE, "frame.signature")		/* ref */ \
	ROW(FRAME_FILE, "frame.file")			/* ref */ \
	ROW(FRAME_CLASS, "frame.class")			/* u32 */ \
	/* i64: -1 unknown, -2 compiled, -3 native, 0 no line numbers. */ \
	ROW(FRAME_LINE, "frame.line") \
	ROW(ROOT_FRAME, "root.frame")			/* u32 row of frame.*; 0: none */

COLUMN_FAMILY(FRAMES, COL_NUMBER, COL_OF_REACH);

#endif
