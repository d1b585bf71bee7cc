/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regex: PCRE2 with limits.
 */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "lang.h"

/* Limits for one text: steps, memory in KiB. */
#define REGEX_STEPS 1000000
#define REGEX_HEAP 16384
#define REGEX_STACK_MIN (32 * 1024)
#define REGEX_STACK_MAX (1024 * 1024)

struct regex {
	pcre2_code		*code;
	pcre2_match_data	*match;
	pcre2_match_context	*context;
	pcre2_jit_stack		*stack;		/* stack for machine code; NULL: there is no machine code */
	uint32_t		 at;
};

void
regex_free(struct regex *re)
{
	if (re == NULL)
		return;
	pcre2_match_data_free(re->match);
	pcre2_match_context_free(re->context);
	pcre2_jit_stack_free(re->stack);
	pcre2_code_free(re->code);
	free(re);
}

static bool
regex_fail_memory(struct err *err)
{
	mem_refuse();
	return fail(err, E_SYSTEM, "out of memory (regex)");
}

/* Allocate match data and set the limits; use the JIT compiler if there is one. */
static bool
regex_arm(struct regex *re)
{
	re->match = pcre2_match_data_create(1, NULL);
	re->context = pcre2_match_context_create(NULL);
	if (re->match == NULL || re->context == NULL)
		return false;
	pcre2_set_match_limit(re->context, REGEX_STEPS);
	pcre2_set_depth_limit(re->context, REGEX_STEPS);
	pcre2_set_heap_limit(re->context, REGEX_HEAP);
	if (pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE) != 0)
		return true;
	re->stack = pcre2_jit_stack_create(REGEX_STACK_MIN, REGEX_STACK_MAX, NULL);
	if (re->stack == NULL)
		return false;
	pcre2_jit_stack_assign(re->context, NULL, re->stack);
	return true;
}

/* Count slashes: each has a backslash before it in the query. */
static size_t
escaped_slashes(struct str s, size_t n)
{
	size_t slashes = 0;

	for (size_t i = 0; i < n && i < s.n; i++)
		slashes += s.s[i] == '/';
	return slashes;
}

bool
regex_compile(struct regex **out, const struct token *t, struct err *err)
{
	struct regex *re = mem_array(1, sizeof *re);
	uint32_t flags = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
	    PCRE2_NEVER_BACKSLASH_C | (t->nocase ? PCRE2_CASELESS : 0);
	PCRE2_UCHAR why[128];
	size_t offset;
	int number;

	if (re == NULL)
		return regex_fail_memory(err);
	re->at = t->at;
	re->code = pcre2_compile((PCRE2_SPTR)t->text.s, t->text.n, flags,
	    &number, &offset, NULL);
	if (re->code == NULL) {
		regex_free(re);
		if (number == PCRE2_ERROR_HEAP_FAILED)
			return regex_fail_memory(err);
		if (pcre2_get_error_message(number, why, sizeof why) < 0)
			why[0] = '\0';
		return fail_at(err, E_USAGE, t->at + 1 + offset + escaped_slashes(t->text, offset),
		    "bad regex: %s", (const char *)why);
	}
	if (!regex_arm(re)) {
		regex_free(re);
		return regex_fail_memory(err);
	}
	*out = re;
	return true;
}

void
regex_ready(void)
{
	static pcre2_code *kept;
	PCRE2_SIZE at;
	int number;

	if (kept == NULL)
		kept = pcre2_compile((PCRE2_SPTR)"a", 1, 0, &number, &at, NULL);
	if (kept != NULL)
		(void)pcre2_jit_compile(kept, PCRE2_JIT_COMPLETE);
}

bool
regex_test(struct regex *re, struct str s, bool *yes, struct err *err)
{
	PCRE2_SPTR text = (PCRE2_SPTR)(s.n == 0 ? "" : s.s);
	int n = re->stack == NULL ?
	    pcre2_match(re->code, text, s.n, 0, 0, re->match, re->context) :
	    pcre2_jit_match(re->code, text, s.n, 0, 0, re->match, re->context);

	*yes = n >= 0;
	if (n >= 0 || n == PCRE2_ERROR_NOMATCH)
		return true;
	if (n == PCRE2_ERROR_NOMEMORY)
		return regex_fail_memory(err);
	return fail_at(err, E_USAGE, re->at,
	    "regex too slow on a %zu-byte string; simplify it", s.n);
}
