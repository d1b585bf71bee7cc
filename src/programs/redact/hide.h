/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hide: what texts of traces and profiles become.  Each is replaced in place by as many bytes, or stays;
 * both are counted.
 */
#ifndef REDACT_HIDE_H
#define REDACT_HIDE_H

#include "icecore/meant.h"
#include "icecore/texts.h"
#include "redact.h"

/* Names of processes and packages with a dot in them.  Starts from zeros. */
struct trace_words {
	struct buf	text;		/* each ends with NUL */
	struct idmap	by_text;	/* 1 + where it begins */
	bool		users;		/* names of users are among them, which need no dot */
};

bool	trace_words_add(struct trace_words *, struct str name, struct err *) MUST_USE;
bool	trace_words_add_user(struct trace_words *, struct str name, struct err *) MUST_USE;
/* Find the next of these names in a text, as a whole or in front of a dot; false: none from there on. */
bool	trace_words_next(const struct trace_words *, struct str text, size_t from, size_t *at, size_t *n);
void	trace_words_free(struct trace_words *);

/*
 * A check without the key: letters are those of the output, if it has some there, and the same ones for
 * equal texts.
 */
struct hide_peer {
	const struct map	*out;
	const char		*room;	/* buffer of the text to hide */
	uint64_t		 base;	/* place of room in the output */
	struct idmap		 seen;	/* texts to their letters, as hashes */
	bool			 marking;	/* NAME_LETTER stands for letters, for hide_as_peer */
	struct err		 err;	/* the first failure */
};

struct hider {
	const struct redact_options *o;
	struct keyed		*key;
	struct redacted		*result;
	struct trace_words	 who;	/* processes and packages, which other names repeat */
	struct hide_peer	*peer;	/* NULL: there is a key */
	struct word_lists	 listed;
};

/* The next texts to hide are in room, which will be at that byte of the output. */
void	hide_in(struct hider *, const char *room, uint64_t at);
/*
 * Each NAME_LETTER in a room, with or without its highest bit, becomes the byte of the output, if that is a
 * letter with or without that bit.  text: what was in the room.
 */
void	hide_as_peer(struct hider *, struct str text, char *room);
/* False: the check of a peer failed, or memory ran out. */
bool	hide_ok(const struct hider *, struct err *);
/* peer: used if the key is unknown. */
void	hide_begin(struct hider *, struct hide_peer *peer, const struct redaction *);
void	hide_end(struct hider *);

/* A name of a process or package, to be found in other names. */
bool	hide_learn(struct hider *, struct str name, struct err *) MUST_USE;
/* The name of a user, to be found in other names. */
bool	hide_learn_user(struct hider *, struct str name, struct err *err) MUST_USE;
/* The users of paths in a name. */
bool	hide_learn_name(struct hider *, struct str name, struct err *) MUST_USE;
bool	hide_is_platform_word(struct hider *, struct str);
/* Contents: masked as values are. */
void	hide_text(struct hider *, char *at, size_t n);
/* Processes, threads, packages, layers: letters. */
void	hide_who(struct hider *, char *at, size_t n);
void	hide_meant(struct hider *, enum meaning, char *at, size_t n);
/*
 * Call letters for each word of a name that is neither short, nor a number of a line, nor a listed word of
 * platforms.
 */
void	hide_words_each(struct hider *, char *at, size_t n, void (*letters)(struct hider *, char *, size_t));

/*
 * platform.c: how many bytes at the start of a task's or package's name are those of the kernel or of
 * Android, the same on all devices: all of it; those in front of the name that a driver chose; or 0.
 */
size_t	platform_part(struct str name);

#endif
