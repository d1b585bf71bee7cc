/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code_maps: which file a process has mapped at an address.  Later maps hide earlier ones; a process that
 * was forked has the maps that its parent had then.
 *
 * A map is kept in blocks of addresses, so large that it needs few, and each has a list of its maps, the
 * last one first.  Any number of maps is added fast, and found fast unless many hide one another.
 */
#ifndef LOAD_SIMPLEPERF_CODE_MAPS_H
#define LOAD_SIMPLEPERF_CODE_MAPS_H

#include "icecore/make.h"

#define KERNEL_PID UINT32_MAX	/* process of the kernel's maps */

struct code_map {
	uint64_t	start, end, offset;	/* end: the first address behind it; offset: of the file */
	uint32_t	pid, object;
	bool		plain;			/* the symbols have the addresses of the process */
};

struct code_maps {
	struct scratch	 maps, links, forks;
	uint64_t	 nmaps, nlinks, nforks;
	struct idmap	 by_block, by_pid;	/* first link; fork of a process */
	uint32_t	 levels;		/* sizes of blocks in use */
	uint64_t	 deep;			/* addresses that were not searched to the end */
};

bool	code_maps_add(struct code_maps *, const struct code_map *, struct err *);
/* A process is new; pid and parent may be the same. */
bool	code_maps_fork(struct code_maps *, uint32_t pid, uint32_t parent, struct err *);
/* NULL: the address is not in a map. */
const struct code_map *code_maps_find(struct code_maps *, uint32_t pid, uint64_t address);
void	code_maps_free(struct code_maps *);

#endif
