/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * growth_table: data about dumps that growth.c collects and growth_found.c reads.
 */
#ifndef PASS_NAMES_GROWTH_TABLE_H
#define PASS_NAMES_GROWTH_TABLE_H

#include "icecore/growth.h"
#include "icecore/heap_names.h"
#include "pass/views/views.h"

/* Kinds of nodes, in addition to those of names. */
enum { GROWTH_CLASS = NAME_KINDS, GROWTH_SITE };

/* A node, common to all dumps.  Nodes above it have smaller numbers; 0 is the root. */
struct growth_node {
	uint32_t	up, label, holder, class;	/* texts */
	uint8_t		kind;
};

/* A node in a dump. */
struct growth_sight {
	uint32_t	node, count;
	uint64_t	self, total;
};

/* Nodes: an object that holds things by several collections, and the things (cut_find). */
struct growth_cut {
	uint32_t	owner, things;
};

struct growth_dump {
	ARRAY(struct growth_sight)	sights;		/* names in the order of their ids, then classes and sites */
	ARRAY(struct growth_cut)	cuts;
	uint64_t	n, names, ncuts;
	uint64_t	time;		/* growth_time */
};

struct growth {
	struct text_pool	 texts;
	struct scratch		 nodes;
	struct idmap		 by_key;
	uint64_t		 n;
	struct growth_dump	 dump[GROWTH_DUMPS];
	size_t			 ndumps;
};

#endif
