/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of a perf script header line, from the outside to the inside.
 */
#ifndef LOAD_PERF_HEAD_H
#define LOAD_PERF_HEAD_H

#include "icecore/load.h"
#include "icecore/perf.h"

/* The part left of the time (or of the event if there is no time), and the part right of it. */
struct head_halves {
	struct str	left, right;
	uint64_t	time;
	bool		has_time;
};

/* The line without trailing blanks and carriage returns. */
static inline struct str
head_trim(struct str s)
{
	while (s.n > 0 && (is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	return s;
}

/* A comment, or "|12      x = 1;": source code that the field srccode prints after frames. */
static inline bool
head_is_aside(struct str line)
{
	return line.n > 0 && (line.s[0] == '#' || (line.s[0] == '|' && line.n > 1 && is_digit(line.s[1])));
}

/* At least 90 %, because a few lines may be anything. */
static inline bool
head_most(uint64_t part, uint64_t all)
{
	return part > 0 && part >= all - all / 10;
}

/*
 * "    7f01 main": an address below a header, and more. Without leading blanks it also needs a module, as in
 * hand-edited files.
 */
bool	head_is_frame(struct str line);
/* "    7f01 main" without the context of a header: a word of prose or a small number is not an address. */
bool	head_plain_frame(struct str line);
/*
 * Split at the first time in a line; or at the first word with a letter that ends in a colon. behind: only
 * one after a number, a CPU or flags, because names may contain such words.
 */
bool	head_divide_time(struct str line, struct str *left, uint64_t *ns, struct str *right);
bool	head_divide_event(struct str line, bool after, struct str *left, struct str *right);
/* Split by the text's fields; false: the line lacks one. */
bool	head_divide(const struct perf_fields *, struct str line, struct head_halves *);
/* Period, event and the text after it. */
void	head_right(struct str, struct perf_sample *);
/* Return the key of its event in perf_fields.events; records of perf itself are one event. */
uint64_t head_event(const struct perf_sample *);
bool	head_has_cpu(const struct perf_fields *, uint64_t event);

/* The text after the bracket that closes the module of a frame, which is not a part of it. */
struct str perf_tail(struct str line);
/* Whether text in brackets cannot be other than a module. */
bool	perf_has_module(const struct perf_frame *);
bool	perf_meant(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *, struct err *);

/* These take text off the end of *left; false: it does not end so. */

/* "[002]", or "[002] d..1.". sure: it is a CPU whatever precedes it; otherwise only after a number. */
bool	head_take_cpu(struct str *left, bool sure);
/* Letters after a number, or in the column of field misc. */
bool	head_take_misc(struct str *left);
/* A period after a CPU or flags. */
bool	head_take_period(struct str *left, struct perf_sample *);
/* A number, alone or after a blank; -1 is 0. width: of its column. */
bool	head_take_number(struct str *left, uint64_t *, size_t *width);
/* "24636/25607", also with blanks around the slash. */
bool	head_take_pair(struct str *left, uint64_t *pid, uint64_t *tid);
/* CPU and flags, if present. */
void	head_take_flags(const struct perf_fields *, const struct perf_sample *, struct str *left);

#endif
