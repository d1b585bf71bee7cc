/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redact: a heap dump without the data of the program.
 *
 * Every record keeps its place and its length, so that ids, sizes, references and roots equal those of the
 * input; arrays, numbers and texts that are not names are replaced.
 */
#ifndef ICECORE_REDACT_H
#define ICECORE_REDACT_H

#include "icecore/base.h"
#include "icecore/slice.h"
#include "icecore/work.h"

/* Replacement of a value: zeros, and x in texts; or bytes that depend on the value and the key. */
enum redact_mode { REDACT_SHAPE, REDACT_STABLE, REDACT_MODES };
extern const char *const redact_modes[REDACT_MODES];

/*
 * Names replaced by letters: none; names of classes outside the platform; also those of their fields and
 * methods.
 */
enum redact_names { REDACT_KEEP, REDACT_HASH, REDACT_HASH_ALL, REDACT_NAMES };
extern const char *const redact_names[REDACT_NAMES];

/* Numbers in events that a program defines itself. */
enum redact_numbers { REDACT_NUMBERS_MASK, REDACT_NUMBERS_KEEP, REDACT_NUMBERS };
extern const char *const redact_numbers[REDACT_NUMBERS];

#define REDACT_KEY_LEAST 16u		/* bytes of a key file */
#define REDACT_KEY_MOST 4096u

struct redact_options {
	enum redact_mode	 mode;
	enum redact_names	 names;
	enum redact_numbers	 numbers;
	const char		*in, *out;	/* - is standard input or output */
	const char *const	*keep;		/* CLASS.FIELD, NULL-terminated; or NULL */
	const uint8_t		*key;		/* key_size bytes; NULL: a random key */
	size_t			 key_size;
	const char		*key_file;	/* file that the key is from, or NULL */
	unsigned		 level;		/* gzip level, 1 to 9; 0: 6 */
	const char		*mapping;	/* file for names and their replacements; or NULL */
	const char		*words;		/* for a check: file of words, one a line; or NULL */
	bool			 no_time, force, strict;
};

/* Numbers of masked and of kept values.  Bytes that may have been values are zero, and counted. */
struct redacted {
	/* Strings that are names; the replaced ones; names of threads likewise. */
	uint64_t	names, renamed, shared;
	uint64_t	texts, arrays, fields, statics, constants;	/* masked values */
	uint64_t	collided;	/* names of classes that other classes have in the output, too */
	uint64_t	kept;		/* numbers and short texts that stay, for the analysis reads them */
	/* Bytes of objects of unknown classes; of damaged and unknown records. */
	uint64_t	tail, unknown;
	uint64_t	size, masked;	/* bytes of the dump; replaced bytes of values */
	uint64_t	written;	/* bytes of the output; 0: a pipe */
	/* Not a heap dump: fields: numbers; arrays: what icecore does not know. */
	bool		other;
	bool		cut;		/* the packed input is damaged, or longer than allowed */
	bool		open;		/* the dump has no heap, or no end of it */
};

/* The input has no detected damage or missing parts. */
static inline bool
redacted_sound(const struct redacted *r)
{
	return r->unknown == 0 && !r->cut && !r->open;
}

/*
 * E_UNREADABLE: the input is not a heap dump.  With strict, E_INPUT if anything is unknown or damaged;
 * nothing is written then.
 */
bool	redact_file(const struct redact_options *, struct redacted *, struct work *, struct err *) MUST_USE;
/*
 * Whether out is the result of redact_file for in: E_INPUT with the first byte that differs.  For a stable
 * dump, without the key, only checks that replacements differ from the values.  Words, in UTF-8, must not
 * occur in out, in any of several encodings.
 */
bool	redact_check(const struct redact_options *, struct redacted *, struct work *, struct err *) MUST_USE;

/* A text in a file, or its first bytes, behind which there are more. */
struct redact_text {
	uint64_t	count;		/* number of occurrences */
	uint64_t	place, more;	/* place: of the first one, in the unpacked file; UINT64_MAX: unknown */
	struct str	field, text;
	bool		letters;	/* only letters a to z, like replacements of names */
};

/*
 * The texts of a file, redacted or not, without zeros and x.  The rarest first, those of letters last;
 * *omitted: too many to remember.
 */
typedef void (*redact_text_take)(void *arg, const struct map *, const struct redact_text *);
bool	redact_texts(const char *path, redact_text_take, void *arg, uint64_t *omitted, struct work *,
    struct err *) MUST_USE;

/*
 * The i-th name of a task or a package that the kernel or Android has on all devices, which stays in
 * traces; or a form of such names: %d and %x are numbers, %q is one of a few work queues, %* is masked.
 * False: no more.
 */
bool	platform_list(size_t i, struct buf *);

/* ---- a part of a recording ----------------------------------------------------------- */

struct slice_options {
	const char	*in, *out;	/* - is standard input or output */
	unsigned	 level;		/* gzip level, 1 to 9; 0: 6 */
	bool		 force;
};

/* Whether out may be written; E_USAGE.  To be asked before anything is read. */
bool	slice_ready(const struct slice_options *, struct err *) MUST_USE;
/* Writes the part of an open file, all of it or nothing; from and to as slice.h has them. */
bool	slice_file(const struct slice_options *, struct store *, uint64_t from, uint64_t to,
    struct sliced *, struct work *, struct err *) MUST_USE;

#endif
