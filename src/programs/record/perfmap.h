/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfmap: names of compiled code, from the file perf-PID.map of a JVM in a container.
 */
#ifndef RECORD_PERFMAP_H
#define RECORD_PERFMAP_H

#include "record.h"

struct perf_code {
	uint64_t	start, size;
	struct str	name;		/* name, in the text of the map */
};

struct perf_map {
	struct buf	 text;
	struct perf_code *row;		/* by start */
	size_t		 n, cap;
};

#define PERF_MAP_NONE ((struct perf_map){ .text = { NULL, 0, 0, false } })

/* Read the file in /tmp of the process. */
bool	perf_map_read(struct perf_map *, const struct process *, struct err *) MUST_USE;
/* Read the lines of the text; damaged ones are skipped. */
bool	perf_map_parse(struct perf_map *, struct err *) MUST_USE;
/* Append a line of perf script, with the name in place of "[unknown]". */
void	perf_map_line(const struct perf_map *, struct str line, struct buf *);
/* Copy the text of perf script, with names. */
bool	perf_map_fill(const struct perf_map *, int from, int to, struct err *) MUST_USE;
void	perf_map_free(struct perf_map *);

#endif
