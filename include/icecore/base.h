/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base: errors, memory, strings, numbers, text.
 *
 * The lowest layer: no I/O, no globals except the count of refused memory, no knowledge of the purpose of
 * icecore.
 */
#ifndef ICECORE_BASE_H
#define ICECORE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "icecore/mem.h"
#include "icecore/str.h"

#define NELEM(a) (sizeof(a) / sizeof(a)[0])

/*
 * "1.0.0" if built from the archive of a release, else "1.0.0-dev+gCOMMIT"; and "icecore 1.0.0".
 * packaging/version.sh writes them.
 */
extern const char base_version[], base_program[];

/* ---- err: why something failed ---------------------------------------- */

/* The kinds are the exit codes of the program. */
enum err_kind {
	E_NONE = 0,
	E_EMPTY = 1,		/* the result has no rows */
	E_USAGE = 2,		/* command line or query is wrong */
	/* Data needed for the answer is damaged; other queries on the file still work. */
	E_INPUT = 3,
	E_SYSTEM = 4,		/* out of memory, no space, a limit, a system call failed */
	E_UNREADABLE = 5,	/* the content of the file cannot be read, whatever the query */
	E_ROWS = 6,		/* --fail-if-rows: a query printed a row */
	E_CANCEL = 130		/* the user cancelled */
};

#define ERR_NOWHERE UINT64_MAX

/* Reasons that callers handle; most errors have none. */
enum err_reason { REASON_NONE, REASON_LIMIT /* more input than is allowed */,
	REASON_NO_COLUMN,	/* these rows lack it; other files may have it */
	REASON_NO_FILE,		/* none can be opened at that path */
	REASON_FILES,		/* too many are open */
	REASON_SPACE,		/* more would be written than the reserve allows */
	REASON_TIME,		/* work_deadline has passed */
	/* The format is known, and nothing in the file is of a kind that icecore shows. */
	REASON_UNREAD
};

struct err {
	enum err_kind	kind;
	enum err_reason	reason;
	uint64_t	at;	/* byte offset in the input or column in the query, or ERR_NOWHERE */
	size_t		named;	/* bytes of "PATH: " at the beginning of the text; 0: it names no file */
	char		text[480];	/* a line: fault, place, remedy; not yet passed through text_fit */
};

/*
 * Every function that can fail returns bool and fills an err:
 *	return fail(err, E_UNREADABLE, "record size %u is too small", n);
 * Or with the place, and with the reason.  All return false always.  err may be NULL.
 */
#define fail(err, kind, ...) fail_at(err, kind, ERR_NOWHERE, __VA_ARGS__)
#define fail_at(err, kind, at, ...) fail_for(err, REASON_NONE, kind, at, __VA_ARGS__)
bool	fail_for(struct err *, enum err_reason, enum err_kind, uint64_t, const char *, ...)
	    __attribute__((format(printf, 5, 6)));
/*
 * Failures of a file: "PATH: text", and named says so.  A path that is too long loses its end, the text
 * stays whole.  fail_path: E_SYSTEM with errno_text of the present errno.  fail_about: a copy of why, with
 * the path in front unless it names a file already; path NULL: as it is.
 */
bool	fail_file(struct err *, enum err_kind, const char *path, const char *, ...)
	    __attribute__((format(printf, 4, 5)));
bool	fail_path(struct err *, const char *path);
bool	fail_about(struct err *, const char *path, const struct err *why);
/* The text names that path instead of the one that it names; a text that names none stays. */
void	err_rename(struct err *, const char *path);
bool	err_names(const struct err *, const char *path);	/* the text names that path */
/* True if an error means that too many files are open, in this process or in all. */
bool	errno_crowded(int error);
/* Explains an errno and, if possible, suggests a remedy. */
#define ERRNO_TEXT 96
const char *errno_text(char text[ERRNO_TEXT], int error);
/* E_SYSTEM with errno_text of the current errno: "what: reason". */
bool	fail_errno(struct err *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/* E_SYSTEM: there is no memory for what. */
static inline bool
fail_memory(struct err *err, const char *what)
{
	return fail(err, E_SYSTEM, "out of memory (%s)", what);
}

/* ---- sha256 ------------------------------------------------------------ */

#define SHA256_BYTES 32
/* The SHA-256 of a text. */
void	sha256(struct str, unsigned char digest[SHA256_BYTES]);
/* Return the first 64 bits of the digest. */
uint64_t sha256_head(struct str);

/* ---- num: numbers to and from text ------------------------------------- */

/*
 * Whole slice must be the number; a minus only where the type has one; no blanks; false on overflow.  Base
 * 0: 16 after 0x, else 10.
 */
bool	num_u64(struct str, int base, uint64_t *);
bool	num_i64(struct str, int base, int64_t *);
bool	num_f64(struct str, double *);
/* "10k" "4M" "1.5g": bytes, powers of 1024, either case, optional trailing b or iB. */
bool	num_size(struct str, uint64_t *);
/* "3us" "2ms" "1.5s" "40ns" "2min": nanoseconds. */
bool	num_duration(struct str, uint64_t *);
/*
 * Nanoseconds of a unit of time, "ns" to "s", "msec", "micros", "seconds" and so on, of either case; 0: the
 * word is none.
 */
uint64_t num_time_unit(struct str word);

/* a + b, or the maximum. */
static inline uint64_t
num_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* a - b, clamped to the range of the type. */
static inline int64_t
num_difference(uint64_t a, uint64_t b)
{
	return a >= b ? (int64_t)(a - b > INT64_MAX ? INT64_MAX : a - b) : b - a > INT64_MAX ? INT64_MIN :
	    -(int64_t)(b - a);
}

/* The whole part, clamped to 0 and the maximum. */
static inline uint64_t
num_whole(double v)
{
	return v >= 0x1p64 ? UINT64_MAX : v > 0 ? (uint64_t)v : 0;
}

/*
 * For comparisons of qsort: x first when it is smaller; same: the result when they are equal, mostly of the
 * next key.
 */
static inline int
num_order(uint64_t x, uint64_t y, int same)
{
	return x == y ? same : x < y ? -1 : 1;
}

/*
 * The index of the last of n numbers that is at most value, or 0 if all are larger.  The numbers never fall
 * and are step bytes apart.
 */
static inline uint64_t
num_last(const uint64_t *first, size_t step, uint64_t n, uint64_t value)
{
	uint64_t low = 0, high = n, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (*(const uint64_t *)(const void *)((const char *)first + middle * step) <= value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * For people, at most 15 columns: "12.4 MiB", "3.21 ms", "4 105 214", "2.1 M".  The result is that of
 * snprintf.
 */
#define NUM_TEXT 32
int	num_show_size(char *, size_t, uint64_t);
int	num_show_duration(char *, size_t, uint64_t ns);
int	num_show_count(char *, size_t, uint64_t);	/* exact, digits in groups of three */
/* Append what one of them shows. */
void	buf_num(struct buf *, int (*show)(char *, size_t, uint64_t), uint64_t n);

/* ---- text: the one gate for strings on their way out ------------------- */

/*
 * Makes untrusted bytes safe to display.  The result is valid UTF-8 without control, bidirectional,
 * invisible, tag or private-use code points; the only blanks are U+0020, U+00A0, U+202F and U+3000, which
 * people type.  Each forbidden code point, and each byte that is not UTF-8, becomes one U+FFFD.  Nothing is
 * dropped.  Writes at most size bytes including the closing NUL, and never part of a character; returns the
 * length of the whole result, as snprintf does.  text_fit(text_fit(x)) == text_fit(x).
 */
size_t	text_fit(char *dst, size_t size, struct str src);
void	text_fit_buf(struct buf *, struct str src);	/* appends */
void	text_fit_data(struct buf *, struct str src);	/* appends for programs: all blanks stay */
/* Same with every byte above 0x7e as '?', for terminals that have no UTF-8; one '?' a character. */
size_t	text_fit_ascii(char *dst, size_t size, struct str src);

/*
 * A name that is bytes, as of a file, so that it can be read and turned back; appends.  Bytes that the gate
 * would replace, and backslashes, become \xNN: no two names become one, and text_fit leaves the result as
 * it is.
 */
void	text_escape(struct buf *, struct str src);
/* The reverse; appends.  A backslash that does not begin \xNN stays a backslash. */
void	text_unescape(struct buf *, struct str escaped);
/*
 * Appends a text, replacing each of these bytes by a backslash and its letter; put appends the parts between:
 * text_fit_data, or buf_str.
 */
void	text_backslash(struct buf *, struct str, const char *bytes, const char *letters,
    void (*put)(struct buf *, struct str));
/* Append fitted text, escaped for XML and HTML. */
void	text_html(struct buf *, struct str fitted);
/* Appends a text as a JSON string with quotes; put as above.  text_json_size: its bytes within the quotes. */
void	text_json(struct buf *, struct str, void (*put)(struct buf *, struct str));
size_t	text_json_size(struct str fitted);

/* Columns a terminal uses for text that has passed text_fit. */
size_t	text_width(struct str fitted);
/* text_width; ascii: every character takes one column. */
size_t	text_columns(struct str fitted, bool ascii);
/* Bytes of the words at the start of fitted text that take at most cols columns; one word at least. */
size_t	text_words(struct str fitted, size_t cols, bool ascii);
/*
 * Bytes of the longest start of fitted text that takes at most cols columns; its width goes to *used if not
 * NULL.
 */
size_t	text_cut(struct str fitted, size_t cols, size_t *used);
/* The longest end of fitted text that takes at most cols columns. */
struct str text_end(struct str fitted, size_t cols);
/*
 * Columns and bytes of the first character of fitted text, with the marks that join it; 0 bytes at the end.
 */
size_t	text_step(struct str fitted, size_t *cols);
/*
 * Columns of one code point that text_fit lets through: 0 (joins the one before), 1 or 2; the same in every
 * locale.
 */
unsigned char_cols(uint32_t cp);
/*
 * Decodes the first character of src, which is not empty; a byte that is not UTF-8 is taken alone, as
 * U+FFFD, and so are the three of half a pair of UTF-16.
 */
size_t	text_decode(struct str src, uint32_t *cp);
/* The bytes of a code point, at most 4, and how many. */
size_t	text_encode(uint32_t cp, char *to);

#endif
