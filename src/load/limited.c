/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limited: regular expressions from files, with limits of steps and memory.
 */
#include "config.h"

#include <assert.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "icecore/mem.h"
#include "icecore/limited.h"

/* Limits for one text: steps, and memory in KiB; after this number of slow texts the pattern is not used any more. */
#define STEPS 10000u
#define HEAP 1024u
#define SLOW_MOST 100u

struct limited {
	pcre2_code		*code;
	pcre2_match_data	*match;
	pcre2_match_context	*context;
	uint32_t		 slow;
};

void
limited_free(struct limited *p)
{
	if (p == NULL)
		return;
	pcre2_match_data_free(p->match);
	pcre2_match_context_free(p->context);
	pcre2_code_free(p->code);
	free(p);
}

static struct limited *
limited_fail(struct limited *p, struct err *err)
{
	limited_free(p);
	mem_refuse();
	fail(err, E_SYSTEM, "out of memory (patterns)");
	return NULL;
}

struct limited *
limited_open(struct str text, unsigned how, struct err *err)
{
	struct limited *p = mem_array(1, sizeof *p);
	PCRE2_UCHAR why[128] = { 0 };
	size_t at = 0;
	int number = 0;

	if (p == NULL)
		return limited_fail(p, err);
	p->code = pcre2_compile((PCRE2_SPTR)text.s, text.n,
	    PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
	    (how & LIMITED_WHOLE ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0u) | (how & LIMITED_NOCASE ?
	    PCRE2_CASELESS : 0u), &number, &at, NULL);
	if (p->code == NULL && number != PCRE2_ERROR_HEAP_FAILED) {
		limited_free(p);
		fail(err, E_USAGE, "bad regex at character %zu: %s", at + 1,
		    pcre2_get_error_message(number, why, sizeof why) < 0 ? "" : (const char *)why);
		return NULL;
	}
	p->match = pcre2_match_data_create(1, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (p->code == NULL || p->match == NULL || p->context == NULL)
		return limited_fail(p, err);
	pcre2_set_match_limit(p->context, STEPS);
	pcre2_set_depth_limit(p->context, STEPS);
	pcre2_set_heap_limit(p->context, HEAP);
	return p;
}

bool
limited_matches(struct limited *p, struct str text, uint64_t *slow)
{
	int n;

	assert(p->slow <= SLOW_MOST);
	if (p->slow == SLOW_MOST)
		return false;
	n = pcre2_match(p->code, (PCRE2_SPTR)(text.n == 0 ? "" : text.s), text.n, 0, 0, p->match, p->context);
	if (n < 0 && n != PCRE2_ERROR_NOMATCH) {
		p->slow++;
		++*slow;
	}
	return n >= 0;
}
