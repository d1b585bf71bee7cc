/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes: what a file contains, by the columns that its loader makes. */
#ifndef ICECORE_SHAPES_H
#define ICECORE_SHAPES_H

enum shape {
	SHAPE_SAMPLES = 1,	/* stacks with weights: profiles, and differences of two files */
	SHAPE_INTERVALS = 2,	/* calls in time order */
	SHAPE_GRAPH = 4,	/* objects and references: heaps */
	SHAPE_VALUES = 4096,	/* heap dumps with values of fields and elements, and stacks of threads */
	SHAPE_TEXTS = 8192,	/* heap dumps with texts of strings */
	SHAPE_ROWS = 8,		/* everything else */
	SHAPE_CALLS = 16,	/* calls with their clocks: method traces */
	SHAPE_TRACKS = 32,	/* values and states over time: track.h */
	SHAPE_TASKS = 64,	/* tasks on CPUs over time */
	SHAPE_MARKS = 128,	/* trace events that may be no calls: columns_marks.h */
	SHAPE_EVENTS = 256,	/* samples recorded with calls; a view shows their events */
	SHAPE_TABLE = 512,	/* records with columns: table.h */
	SHAPE_MONEY = 1024,	/* accounts, transactions, balances: columns_money.h */
	SHAPE_CODE = 2048,	/* bytecode of classes, alone or with a call tree or a heap dump: code.h */
	SHAPE_TRIAGE = 16384,		/* rows about many heap dumps: triage.h */
	SHAPE_LASTING = 32768,		/* events that last: interval.* */
	SHAPE_MADE = 65536,		/* a heap dump with a recording of its allocations: made. */
	SHAPE_DUMPS = 131072,		/* stack dumps: dumps.h */
	SHAPE_FOLDER = 524288,		/* files of a directory, as a table */
	SHAPE_COUNTS = 1048576,		/* class histograms: columns_counts.h */
	SHAPE_NATIVE = 2097152,		/* reports of Native Memory Tracking: columns_counts.h */
	SHAPE_SITES = 4194304,		/* heaps with the places in the program that made their objects: site.* */
	SHAPE_DISTANCES = 8388608,	/* heaps with distances from roots and states of DOM nodes: object.distance */
	SHAPE_COSTS = 262144,		/* functions and arcs with costs: columns_costs.h */
	SHAPE_TREES = SHAPE_SAMPLES | SHAPE_CALLS,	/* files with a call tree */
	/* A file is compared with another one that has the same of these. */
	SHAPE_COMPARED = SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_COSTS | SHAPE_CODE | SHAPE_TABLE
};

#endif
