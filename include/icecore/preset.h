/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preset: named groups of queries that answer one question, such as "jank" or "startup".  icecore has its
 * own; users can add more.
 */
#ifndef ICECORE_PRESET_H
#define ICECORE_PRESET_H

#include "icecore/query.h"

/* A query of a preset, and the title printed above its result. */
struct preset_query {
	struct str	title, text;
	size_t		line;		/* line number in its file, from 1 */
};

struct preset {
	char		*name;
	struct str	what;		/* the question that it answers, in one line */
	size_t		first, n;	/* n queries from presets.query[first] on */
	bool		own;		/* defined in the user's file */
};

/* All strings except names point into .own, or are constant. */
struct presets {
	struct preset		*preset;
	size_t			 n, cap;
	struct preset_query	*query;
	size_t			 nqueries, query_cap;
	struct buf		 own;	/* content of the user's file */
	char			*path;	/* path of that file, or NULL */
	struct err		 wrong;	/* first invalid line of that file; E_NONE: every line is valid */
};

/*
 * Read the user's presets from icecore/presets in the configuration directory.  Then add the presets of
 * icecore, except those whose name the user has taken.  Invalid lines are skipped.  False: E_SYSTEM.  Call
 * presets_free in any case.
 */
bool	presets_read(struct presets *, struct err *) MUST_USE;
void	presets_free(struct presets *);
/* Name of the built-in preset number nth, from 0; NULL: no more. */
const char *preset_shipped(size_t nth);
/* Whether the files can answer a query of a preset. */
bool	preset_fits(const struct session *, struct str text);
/* False: E_USAGE; the message suggests the most similar name. */
bool	presets_find(const struct presets *, struct str name, const struct preset **, struct err *) MUST_USE;
/* Append the queries of a preset to the queries to run, with their titles. */
bool	asks_add_preset(struct asks *, const struct presets *, const struct preset *, struct err *) MUST_USE;

#endif
