/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* completion: what can stand at a place of a query. */
#ifndef ICECORE_COMPLETION_H
#define ICECORE_COMPLETION_H

#include "icecore/command.h"

/* A completion at a place of a query. */
/* The act of a candidate: numbers of its owner. */
struct candidate_act {
	unsigned	what, n, of;
};

struct candidate {
	char		*text;		/* text to write in the query */
	char		*what;		/* meaning, in a line */
	unsigned	 rank;		/* 0: it begins with the typed text; lower is better */
	struct candidate_act act;
};

struct completion {
	size_t			 from, to;	/* bytes of the query that a candidate takes the place of */
	struct candidate	*item;		/* the best first */
	/* The first of them are words, the others names of the file. */
	size_t			 n, cap, words;
	struct buf		 word;		/* the part already typed, without quotes */
	char			 hint[120];	/* the word expected there, or its meaning; "" */
	bool			 first;		/* the first word of the query */
	bool			 nocase;	/* upper and lower case are the same */
	bool			 near;		/* something fits as it was typed */
	bool			 bad;		/* memory ran out: candidates are missing */
	/* Query whose passes must run before its names can be looked through; "". */
	struct buf		 lacks;
	struct lev		*lev;		/* forgives slips */
	struct names		*names;		/* names of the file to search; or NULL */
	unsigned		 turn;		/* for the owner of the names: how many were searched */
	struct candidate_act	 act;		/* act of the candidates that are offered next */
};

/*
 * Fills a completion for the cursor before byte point; completion_free releases it.  Rows of the file are
 * not read yet.
 */
void	completion_begin(struct completion *, struct str query, size_t point, struct session *);
/* Search the names of the file until the deadline (ns); true if names are left. */
bool	completion_step(struct completion *, uint64_t deadline);
/* Adds a word that is allowed there; it is kept if it matches. */
void	completion_offer(struct completion *, const char *word, const char *what);
void	completion_offer_late(struct completion *, const char *word, const char *what);	/* behind the names */
/*
 * Looks through a column of a query for names, too, in the next steps; what says what they are.  They are offered as
 * they are, not as a query needs them.  False: its passes did not run yet, or names are being looked through.
 */
bool	completion_names(struct completion *, struct session *, struct str query, const char *column, const char *what);
/* Adds the sources for files of these shapes that are queries by themselves, with this text before their meaning. */
void	completion_sources(struct completion *, unsigned shapes, const char *before);
/* Leaves only words that fit. */
void	completion_filter(struct completion *, bool (*fits)(struct str word));
void	completion_free(struct completion *);

#endif
