/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: pieces of lines and members of JSON, for readers of stack dumps and of tracers.
 * Functions that take something leave the text as it was if it is not there.
 */
#ifndef LOAD_STACKS_TEXT_H
#define LOAD_STACKS_TEXT_H

#include "icecore/json.h"
#include "icecore/make.h"

struct str text_trim(struct str);			/* without blanks and tabs at both ends */
bool	text_take_word(struct str *, struct str *word);	/* up to a blank, and the blanks after it */
bool	text_take_hex(struct str *, uint64_t *);	/* 0x and digits */
bool	text_all_digits(struct str);
/* The first number after that text, decimal or after 0x. */
bool	text_number_after(struct str, struct str what, uint64_t *);
/* "f(g)(args) rest" at its last group of brackets at depth 0, if the text ends with it: "f(g)" and "args". */
bool	text_cut_args(struct str, struct str *before, struct str *args);
/* "f(int) const(args) rest" at the end of the name, by name_end: the rest is cut off; false: it has no arguments. */
bool	text_cut_call(struct str, struct str *before, struct str *args, struct str *rest);
/* The place that begins a text, and the rest. */
struct str text_place(struct str, struct str *rest);
struct str text_after_last(struct str, char c);	/* the part after the last c, or all */
/* The part before the last c; empty if there is none */
struct str text_before_last(struct str, char c);
/* Milliseconds or seconds with a fraction as ns: decimals 6 or 9.  UINT64_MAX: no number. */
uint64_t text_ns(struct str, unsigned decimals);
/*
 * "2026-11-25 04:14:39.5", also with T, slashes and " at ": ns since 1970, ignoring the zone.  UINT64_MAX: no
 * time.
 */
uint64_t text_time(struct str);

/* ---- JSON: stack_json.c --------------------------------------------------------------- */

/* A string or a number, still escaped; empty: null, missing, or another value. */
struct str member_raw(const struct json *);
/* The same; text in the buffer if it had escapes. */
struct str member_text(const struct json *, struct buf *);
bool	member_true(const struct json *);
/*
 * The values of these members, names ending with NULL, of the object at j, which is skipped; false: it is
 * none, or cut.
 */
bool	members_of(struct json *, const char *const *names, struct json *values);
bool	items_of(struct json *);		/* into an array; false: it is none */

#endif
