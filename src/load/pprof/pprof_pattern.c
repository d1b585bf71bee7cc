/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof_pattern: the regular expressions of drop_frames and keep_frames.
 */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "pprof.h"

/* Limits for one name: steps, and memory in KiB; after this number of slow names the pattern is not used any more. */
#define STEPS 10000u
#define HEAP 1024u
#define SLOW_MOST 100u

struct pprof_pattern {
	pcre2_code		*code;
	pcre2_match_data	*match;
	pcre2_match_context	*context;
	uint32_t		 slow;
};

void
pprof_pattern_free(struct pprof_pattern *p)
{
	if (p == NULL)
		return;
	pcre2_match_data_free(p->match);
	pcre2_match_context_free(p->context);
	pcre2_code_free(p->code);
	free(p);
}

/* NULL without a message in err: the pattern is invalid. */
struct pprof_pattern *
pprof_pattern(struct str text, struct err *err)
{
	struct pprof_pattern *p = mem_array(1, sizeof *p);
	size_t at;
	int number = 0;

	if (p != NULL) {
		p->code = pcre2_compile((PCRE2_SPTR)text.s, text.n, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
		    PCRE2_ANCHORED | PCRE2_ENDANCHORED, &number, &at, NULL);
		if (p->code == NULL && number != PCRE2_ERROR_HEAP_FAILED) {
			free(p);
			return NULL;
		}
		p->match = pcre2_match_data_create(1, NULL);
		p->context = pcre2_match_context_create(NULL);
	}
	if (p == NULL || p->code == NULL || p->match == NULL || p->context == NULL) {
		pprof_pattern_free(p);
		mem_refuse();
		fail(err, E_SYSTEM, "out of memory (drop_frames)");
		return NULL;
	}
	pcre2_set_match_limit(p->context, STEPS);
	pcre2_set_depth_limit(p->context, STEPS);
	pcre2_set_heap_limit(p->context, HEAP);
	return p;
}

bool
pprof_matches(struct pprof_pattern *p, struct str name, uint64_t *bad)
{
	int n;

	if (p->slow > SLOW_MOST)
		return false;
	n = pcre2_match(p->code, (PCRE2_SPTR)(name.n == 0 ? "" : name.s), name.n, 0, 0, p->match, p->context);
	if (n < 0 && n != PCRE2_ERROR_NOMATCH) {
		p->slow++;
		++*bad;
	}
	return n >= 0;
}
