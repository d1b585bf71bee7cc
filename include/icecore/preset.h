/*
 * preset: named groups of queries that answer a question, as "jank" or "startup": those of icecore, and those of the user.
 */
#ifndef ICECORE_PRESET_H
#define ICECORE_PRESET_H

#include "icecore/query.h"

/* A query of a preset, and the title that stands above its answer. */
struct preset_query {
	struct str	title, text;
	size_t		line;		/* of its file, from 1 */
};

struct preset {
	struct str	name, what;	/* what it answers, in one line */
	char		*word;		/* its name */
	size_t		first, n;	/* its queries: presets.query[first], ... */
	bool		own;		/* of the user's file */
};

/* All texts lie in .own or are constant. */
struct presets {
	struct preset		*preset;
	size_t			 n, cap;
	struct preset_query	*query;
	size_t			 nqueries, query_cap;
	struct buf		 own;	/* the user's file */
	char			*path;	/* of that file; or NULL */
	struct err		 wrong;	/* its first wrong line; E_NONE: there is none */
};

/*
 * Read the presets of the user, from icecore/presets in the folder of the configuration, then those of icecore whose names the user
 * does not have.  Wrong lines are left out.  False: E_SYSTEM.  presets_free in any case.
 */
bool	presets_read(struct presets *, struct err *) MUST_USE;
void	presets_free(struct presets *);
const char *preset_shipped(size_t nth);		/* name of a preset of icecore, from 0; NULL: there are fewer */
/* False: E_USAGE, with the nearest name. */
bool	presets_find(const struct presets *, struct str name, const struct preset **, struct err *) MUST_USE;
/* Add the queries of a preset, with their titles. */
bool	asks_add_preset(struct asks *, const struct presets *, const struct preset *, struct err *) MUST_USE;

#endif
