/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resources: objects that must be released, by a table of words: how they are made, and what releases them.  Belongs to
 * layer load.
 *
 * icecore-trace(7) documents the table.  Row 0 is the Cursor, whose rules are in the code of the pass.
 */
#ifndef ICECORE_RESOURCES_H
#define ICECORE_RESOURCES_H

#include "icecore/code.h"

/* Words of a row; WRAPS and the words after it are lines of their own. */
enum resource_what {
	RESOURCE_MADE, RESOURCE_BEGUN, RESOURCE_RELEASED, RESOURCE_THROWS, RESOURCE_WITH, RESOURCE_SAME, RESOURCE_UNLESS,
	RESOURCE_WHILE, RESOURCE_WRAPS, RESOURCE_BORROWS, RESOURCE_QUIET, RESOURCE_CALM, RESOURCE_WHATS
};

struct resource_word {
	uint32_t	row, next;	/* next: word of MADE or BEGUN with the same hash of its name, + 1; 0: none */
	uint8_t		what;
	bool		some;		/* a first argument is given; it may be none */
	struct str	owner, name, first;	/* "a/B", "run", "a/C"; owner may be empty */
};

#define RESOURCES_MOST 200u	/* rows of a table */
#define RESOURCES_TEXTS 2	/* the shipped one, and that of the store */

/* Starts from zeros. */
struct resources {
	struct buf	 text[RESOURCES_TEXTS];	/* that was read, with slashes for dots */
	unsigned	 ntexts;
	struct scratch	 words;		/* struct resource_word, by row; those of no row have row 0 */
	uint64_t	 nwords;
	struct {
		struct str	type;
		uint32_t	from, n;	/* its words */
		bool		begun, throws, with;	/* the row has words of these kinds */
	} row[RESOURCES_MOST + 1];
	uint32_t	 nrows;		/* rows are 1 .. nrows */
	struct idmap	 makers;	/* words of MADE and BEGUN, + 1, by the hash of the name */
};

/* The table that icecore contains, and the text of --resources in the store, if any. */
bool	resources_open(struct resources *, const struct store *, struct err *);
/* Adds a table to it, at most RESOURCES_TEXTS. */
bool	resources_read(struct resources *, struct str text, struct err *);
void	resources_free(struct resources *);
/* The row whose objects a call, or a new (name "new", owner the class), makes; 0: none.  An empty desc fits any arguments. */
uint32_t resources_made(const struct resources *, struct str owner, struct str name, struct str desc);
/* Whether a row, or 0 for words that are lines of their own, has a word that fits the method or class. */
bool	resources_has(const struct resources *, uint32_t row, enum resource_what, struct str owner, struct str name);
/* The object is constructed by this constructor: a word "new" fits. */
bool	resources_constructed(const struct resources *, uint32_t row, struct str owner, struct str desc);

/* Lines; NULL ends them. */
extern const char *const resources_shipped[];

#endif
