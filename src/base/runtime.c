/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime: find the patterns of runtime_names that fit a name.  Each pattern is in the list of three
 * characters that it contains, and a name is compared only with the patterns of its own characters.
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>

#include "icecore/base.h"
#include "runtime_names.h"

enum { PATTERNS_MOST = 1024, GRAMS = 4096 };

static struct {
	struct str	text[PATTERNS_MOST];
	unsigned	is[PATTERNS_MOST];
	uint32_t	gram[PATTERNS_MOST];
	uint16_t	next[PATTERNS_MOST];	/* pattern, from 1, in the same list; 0: none */
	uint16_t	first[GRAMS];
	uint8_t		listed[GRAMS];
	uint16_t	n;
} patterns;

/* Three characters from a place, 0 to n + 1, of a text with two zeros before it and after it. */
static uint32_t
gram_at(struct str s, size_t at)
{
	uint32_t gram = 0;

	for (size_t i = at; i < at + 3; i++)
		gram = gram << 8 | (i < 2 || i - 2 >= s.n ? 0 : (unsigned char)s.s[i - 2]);
	return gram;
}

static unsigned
gram_list(uint32_t gram)
{
	return gram * 2654435761u >> 20;
}

static bool
gram_is_fixed(uint32_t gram)
{
	for (; gram != 0; gram >>= 8)
		if ((gram & 0xff) == '*' || (gram & 0xff) == '?')
			return false;
	return true;
}

static void
pattern_add(struct str pattern, unsigned is)
{
	uint32_t best = gram_at(pattern, 0), gram;
	uint16_t *first;

	for (size_t i = 1; i < pattern.n + 2; i++) {
		gram = gram_at(pattern, i);
		if (gram_is_fixed(gram) && (!gram_is_fixed(best) ||
		    patterns.listed[gram_list(gram)] < patterns.listed[gram_list(best)]))
			best = gram;
	}
	assert(patterns.n < PATTERNS_MOST && gram_is_fixed(best));
	first = &patterns.first[gram_list(best)];
	patterns.listed[gram_list(best)]++;
	patterns.text[patterns.n] = pattern;
	patterns.is[patterns.n] = is;
	patterns.gram[patterns.n] = best;
	patterns.next[patterns.n] = *first;
	*first = ++patterns.n;
}

static void
patterns_list(void)
{
	struct str rest, pattern;

	for (size_t i = 0; i < NELEM(runtime_names); i++)
		for (rest = str_of(runtime_names[i].patterns); str_split(&rest, '|', &pattern); )
			pattern_add(pattern, runtime_names[i].is);
}

static unsigned
runtime_fitting(struct str name)
{
	unsigned is = 0;
	uint32_t gram = 0;

	for (size_t i = 0, k; i < name.n + 2; i++) {
		gram = (gram << 8 | (i < name.n ? (unsigned char)name.s[i] : 0)) & 0xffffff;
		for (size_t at = patterns.first[gram_list(gram)]; at != 0; at = patterns.next[k]) {
			k = at - 1;
			if (patterns.gram[k] == gram && (is & patterns.is[k]) != patterns.is[k] &&
			    str_glob(patterns.text[k], name))
				is |= patterns.is[k];
		}
	}
	return is;
}

unsigned
runtime_of(struct str function)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct str bare = function;
	unsigned is;

	pthread_once(&once, patterns_list);
	is = runtime_fitting(function);
	while (str_take(&bare, STR("_")) || str_take(&bare, STR("GI_")) || str_take(&bare, STR("libc_")))
		;
	if (bare.n == function.n)
		return is;
	/* Names of Python that begin with __ also end so. */
	if (str_has_prefix(function, STR("__")) && !str_has_suffix(function, STR("__")))
		is |= RUNTIME_INNER;
	return is | runtime_fitting(bare);
}

bool
runtime_thread(struct str name)
{
	return str_glob_list(runtime_threads, name);
}
