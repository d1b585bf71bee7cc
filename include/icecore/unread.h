/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unread: kinds of things that a file holds and icecore does not show, counted by name.
 *
 * A loader counts what it passes over, each kind of its format by itself: kinds that it knows and does not
 * read, and kinds that it does not know.  They become facts "unread.LEVEL.NAME".  The overview, info,
 * reports, pages and triage show these facts.  Facts of facts.h whose names begin with "unread." are of
 * this family too: they have a phrase of their own instead of a level.
 *
 * What only says how and where the file was recorded is no loss for its readers (events of JFR about the machine,
 * metadata of trace events), nor is what other entries tell (sched_stat_sleep beside switches): it becomes a
 * fact "context.NAME", which only info shows.
 */
#ifndef ICECORE_UNREAD_H
#define ICECORE_UNREAD_H

#include "icecore/store.h"

/* A level is the kind of thing in the format that has the name. */
#define UNREAD_LEVELS(LEVEL) \
	LEVEL(PACKET, "packet", "{:packet|packets}") \
	LEVEL(KERNEL, "kernel", "kernel {:event|events}") \
	LEVEL(PHASE, "phase", "trace {:event|events}") \
	LEVEL(EVENT, "event", "{:event|events}") \
	LEVEL(RECORD, "record", "{:record|records}") \
	LEVEL(ELEMENT, "element", "{:element|elements}") \
	LEVEL(ATTRIBUTE, "attribute", "{:attribute|attributes}") \
	LEVEL(FIELD, "field", "{:field|fields}") \
	LEVEL(KEY, "key", "{:key|keys}") \
	LEVEL(SECTION, "section", "{:section|sections}") \
	LEVEL(LINE, "line", "{:line|lines}") \
	LEVEL(FILE, "file", "{:file|files}") \
	LEVEL(FORM, "form", "dump {:form|forms}") \
	LEVEL(PAIR, "pair", "{:event|events} without the other half of a pair") \
	LEVEL(CONTEXT, "context", "{:entry|entries} about the recording and its machine, or said twice, not read:")

enum unread_level {
#define UNREAD_LEVEL(id, word, phrase) UNREAD_##id,
	UNREAD_LEVELS(UNREAD_LEVEL)
#undef UNREAD_LEVEL
	UNREAD_LEVEL_COUNT
};

enum { UNREAD_KINDS = 256, UNREAD_NAME = 56, UNREAD_SLOTS = 2 * UNREAD_KINDS };

/* Zeros: nothing yet.  There is nothing to free. */
struct unread {
	struct unread_kind {
		uint64_t n;
		uint8_t	 level, size;
		char	 name[UNREAD_NAME];
	} kind[UNREAD_KINDS];
	uint16_t slot[UNREAD_SLOTS];	/* 1 + the kind, from the hash of its name on; 0: free */
	uint32_t n;
	uint64_t more;		/* things of other kinds, after all places were taken */
};

/* Count n more of a kind.  Long names are cut, and bytes that a name of a fact cannot have become '_'. */
void	unread_add(struct unread *, enum unread_level, struct str name, uint64_t n);
void	unread_add_number(struct unread *, enum unread_level, uint64_t number, uint64_t n);
/* Add the counts of a part of the file. */
void	unread_join(struct unread *, const struct unread *part);
/*
 * A field of a message of protobuf: "Line.4" by its number; "Line.column" by its name.  names: by number;
 * NULL: the field has no name there, "": it is not counted.
 */
void	unread_add_field(struct unread *, struct str message, uint64_t number);
void	unread_add_member(struct unread *, struct str message, const char *member);
void	unread_add_named(struct unread *, struct str message, const char *const *names, size_t n,
    uint64_t number);
void	unread_add_letters(struct unread *, const uint64_t n[128]);	/* phases, by their letters */
bool	unread_facts(const struct unread *, struct store *, struct err *) MUST_USE;

#define UNREAD_PREFIX STR("unread.")
#define CONTEXT_PREFIX "context."
/*
 * The phrase behind the number of a fact of this family whose kind has a level, and the name of the kind;
 * NULL: it is no such fact.
 */
const char *unread_phrase(struct str fact, struct str *name);
/* A kind that says less than others: most events of a JVM, but not those that users ask it for. */
bool	unread_minor(struct str fact);
bool	unread_any(const struct store *);	/* the file has something that is not read */

#endif
