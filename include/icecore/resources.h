/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resources: objects that must be released, by a table of words: how they are made, and what releases them;
 * and checks, rules about calls that must come together.  Belongs to layer load.
 *
 * icecore-trace(7) documents both.  Row 0 is the Cursor, whose rules are in the code of the pass.  Checks
 * are rows from RESOURCES_MOST + 1 on, whose words RESOURCE_RELEASED are the methods that are needed.
 */
#ifndef ICECORE_RESOURCES_H
#define ICECORE_RESOURCES_H

#include "icecore/code.h"

/* Words of a row; WRAPS to CALM are lines of their own; CALL and the words after it are those of checks. */
enum resource_what {
	RESOURCE_MADE, RESOURCE_BEGUN, RESOURCE_RELEASED, RESOURCE_THROWS, RESOURCE_WITH, RESOURCE_SAME,
	    RESOURCE_UNLESS,
	RESOURCE_WHILE, RESOURCE_WRAPS, RESOURCE_BORROWS, RESOURCE_QUIET, RESOURCE_CALM,
	RESOURCE_CALL, RESOURCE_ENTER, RESOURCE_CATCH, RESOURCE_AFTER, RESOURCE_BEFORE, RESOURCE_INSIDE,
	    RESOURCE_OUTSIDE,
	RESOURCE_SAYS, RESOURCE_WHATS
};

struct resource_word {
	/* next: 1 + word of MADE or BEGUN with the same hash of its name; 0: none. */
	uint32_t	row, next;
	uint8_t		what;
	bool		some;		/* a first argument is given; it may be none */
	struct str	owner, name, first;	/* "a/B", "run", "a/C"; owner may be empty */
};

#define RESOURCES_MOST 200u	/* rows of a table */
#define CHECKS_MOST 50u
#define RESOURCES_TEXTS 3	/* the shipped one, and those of the store */

/* Starts from zeros. */
struct resources {
	struct buf	 text[RESOURCES_TEXTS];	/* text that was read, with slashes for dots */
	unsigned	 ntexts;
	struct scratch	 words;		/* struct resource_word, by row; those of no row have row 0 */
	uint64_t	 nwords;
	struct {
		struct str	type;
		uint32_t	from, n;	/* words of the row */
		bool		begun, throws, with;	/* the row has words of these kinds */
		/* Only checks use these; type is the name of the rule. */
		uint8_t		trigger, need;	/* RESOURCE_CALL to CATCH; RESOURCE_AFTER to OUTSIDE */
		bool		may_throw;	/* throwing is as good as what is needed */
		uint32_t	at;		/* offset of its line */
		struct str	says;
	} row[RESOURCES_MOST + CHECKS_MOST + 1];
	/* Rows are 1 .. nrows, and RESOURCES_MOST + 1 .. RESOURCES_MOST + nchecks. */
	uint32_t	 nrows, nchecks;
	struct idmap	 makers;	/* words of MADE and BEGUN, + 1, by the hash of the name */
};

/* The table that icecore contains, and the texts of --resources and --checks in the store, if any. */
bool	resources_open(struct resources *, const struct store *, struct err *);
/* Adds a table to it, at most RESOURCES_TEXTS. */
bool	resources_read(struct resources *, struct str text, struct err *);
/* Adds the rules of a text of --checks in the same way. */
bool	checks_read(struct resources *, struct str text, struct err *);
/*
 * Keep a text, and read each of its lines; names in it are written as in class files.  An error names the
 * line.
 */
bool	resources_lines(struct resources *, struct str text,
    bool (*read)(struct resources *, struct str line, struct err *), struct err *);
void	resources_slashes(struct str);
/* Reads the one rule at the offset of the text of --checks that is in the store: row RESOURCES_MOST + 1. */
bool	checks_one(struct resources *, const struct store *, uint64_t offset);
void	resources_free(struct resources *);
/*
 * The row whose objects a call, or a new (name "new", owner the class), makes; 0: none.  An empty desc fits
 * any arguments.
 */
uint32_t resources_made(const struct resources *, struct str owner, struct str name, struct str desc);
/* Whether a row, or 0 for words that are lines of their own, has a word that fits the method or class. */
bool	resources_has(const struct resources *, uint32_t row, enum resource_what, struct str owner,
    struct str name);
/* The object is constructed by this constructor: a word "new" fits. */
bool	resources_constructed(const struct resources *, uint32_t row, struct str owner, struct str desc);

static inline bool
resource_is_check(uint32_t row)
{
	return row > RESOURCES_MOST;
}

/* Whether a check has a word that fits a method, or a class (name is empty then). */
bool	check_has(const struct resources *, uint32_t row, enum resource_what, struct str owner,
    struct str name, struct str desc);
/* The first method or class of a word; NULL: there is none. */
const struct resource_word *check_word(const struct resources *, uint32_t row, enum resource_what);

/* ---- for their readers: resources.c, checks.c ---- */

/* Takes the next word, up to a blank, off a line; an empty one at its end. */
struct str resources_take_word(struct str *line);
/* The word of from and those after it, before end; RESOURCE_WHATS: it is none of them. */
enum resource_what resources_what_of(struct str word, enum resource_what from, enum resource_what end);
bool	resources_add_word(struct resources *, uint32_t row, enum resource_what, struct str word,
    struct err *);
bool	resources_first_fits(const struct resource_word *, struct str desc);

/* Lines; NULL ends them. */
extern const char *const resources_shipped[];

#endif
