/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hurt_query STEP FROM <EXAMPLES: queries, a line each, cut and spoilt at one byte in
 * STEP from FROM on, and queries that are far too long or too deep, or of one byte in STEP.  Each of them
 * goes through the fuzz target, which ends the program when a query has
 * neither a right answer nor an error with a place.  Speaks TAP.
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools.h"
#include "icecore/query.h"

#define STAGES 10000
#define TESTS 3000
#define DEEP 30000
#define LONG (1u << 20)		/* bytes of the longest query there may be */
#define EXAMPLES_MIN 30

static unsigned tests;
static const struct tool *fuzz_query;

static void
result(bool ok, const char *name)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++tests, name);
	fflush(stdout);
}

/* ---- examples --------------------------------------------------------------- */

static void
give(struct str s)
{
	fuzz_query->target((const uint8_t *)s.s, s.n);
}

/* From a block of its own size, so that a byte read behind its end is noticed. */
static void
give_prefix(struct str s, size_t n)
{
	char *copy = malloc(n + 1);

	if (copy == NULL)
		abort();
	memcpy(copy, s.s, n);
	copy = realloc(copy, n > 0 ? n : 1);
	give((struct str){ copy, n });
	free(copy);
}

static void
spoil(struct str s, size_t step, size_t from)
{
	static const char bad[] = { '\0', '(', ')', '|', '\'', '/', '\\', '*', '-', '\xff' };
	char *copy = malloc(s.n + 1);
	size_t i, k;

	if (copy == NULL)
		abort();
	for (i = from; i < s.n; i += step)
		for (k = 0; k < sizeof bad; k++) {
			memcpy(copy, s.s, s.n);
			copy[i] = bad[k];
			give((struct str){ copy, s.n });
		}
	free(copy);
}

static void
hurt_examples(size_t step, size_t from)
{
	char line[1024];
	unsigned n = 0;
	struct str s;
	size_t i;

	for (; fgets(line, sizeof line, stdin) != NULL; n++) {
		s = str_of(line);
		s.n -= s.n > 0 && s.s[s.n - 1] == '\n';
		give_prefix(s, s.n);
		for (i = (from + n) % step; i < s.n; i += step)
			give_prefix(s, i);
		spoil(s, step, (from + n) % step);
	}
	printf("# %u examples\n", n);
	result(n >= EXAMPLES_MIN, "examples cut and spoilt");
}

/* ---- giants ------------------------------------------------------------------- */

static void
repeat(struct buf *b, const char *part, size_t times)
{
	while (times-- > 0)
		buf_str(b, str_of(part));
}

/* Runs the query in b and empties b; right: the query must be without a mistake. */
static void
check(struct buf *b, bool right, const char *name)
{
	struct err err = { .at = ERR_NOWHERE };
	struct query *q;
	bool ok;

	if (b->bad)
		abort();
	give(buf_view(b));
	ok = query_parse(&q, buf_view(b), &err);
	if (ok)
		query_free(q);
	else
		printf("# %.100s\n", err.text);
	result(ok == right, name);
	buf_clear(b);
}

static void
hurt_stages(struct buf *b)
{
	buf_str(b, STR("threads"));
	repeat(b, " | head 3", 60);
	check(b, true, "sixty stages");
	buf_str(b, STR("threads"));
	repeat(b, " | head 3", STAGES);
	check(b, false, "ten thousand stages");
	repeat(b, "|", LONG);
	check(b, false, "a megabyte of pipes");
}

static void
hurt_depth(struct buf *b)
{
	buf_str(b, STR("threads | where "));
	repeat(b, "(", DEEP);
	buf_str(b, STR("tid = 1"));
	repeat(b, ")", DEEP);
	check(b, true, "deep parentheses of a condition");
	buf_str(b, STR("threads | where "));
	repeat(b, "not ", DEEP);
	buf_str(b, STR("tid = 1"));
	check(b, true, "thirty thousand times not");
	buf_str(b, STR("threads | where "));
	repeat(b, "(", DEEP);
	check(b, false, "parentheses that never close");
	buf_str(b, STR("threads | where tid = 1"));
	repeat(b, ")", DEEP);
	check(b, false, "parentheses that were never opened");
	buf_str(b, STR("threads | where tid = 0"));
	repeat(b, " or (tid = 1 and not calls > 3)", TESTS);
	check(b, true, "a condition of six thousand tests");
	buf_str(b, STR("threads | select "));
	repeat(b, "(", DEEP);
	buf_str(b, STR("wall"));
	repeat(b, ")", DEEP);
	buf_str(b, STR(" as x"));
	give(buf_view(b));
	buf_clear(b);
	buf_str(b, STR("threads | select "));
	repeat(b, "- (", DEEP);
	give(buf_view(b));
	buf_clear(b);
	result(true, "deep parentheses of a calculation");
}

static void
hurt_length(struct buf *b)
{
	buf_str(b, STR("threads | where tid in (0"));
	repeat(b, ",123456789", LONG / 40);
	buf_str(b, STR(")"));
	check(b, true, "256 KiB of values");
	buf_str(b, STR("threads | where name = '"));
	repeat(b, "x", LONG - 40);
	buf_str(b, STR("'"));
	check(b, true, "a megabyte of text");
	buf_str(b, STR("threads | where name ~ *"));
	repeat(b, "?*", LONG / 2 - 40);
	check(b, true, "a megabyte of glob");
	buf_str(b, STR("threads | where name ~ /"));
	repeat(b, "(x+x+)+", 1000);
	buf_str(b, STR("/"));
	give(buf_view(b));
	buf_clear(b);
	buf_str(b, STR("calls | where depth = "));
	repeat(b, "9", LONG / 8);
	check(b, false, "128 KiB of digits");
	repeat(b, "threads", LONG / 7);
	check(b, false, "a megabyte of word");
	buf_str(b, STR("threads"));
	repeat(b, " ", LONG);
	check(b, false, "more than a megabyte");
}

/* One byte in step, many times over. */
static void
hurt_bytes(struct buf *b, size_t step, size_t from)
{
	for (size_t c = from; c < 256; c += step) {
		buf_str(b, STR("threads | where "));
		while (b->n < LONG / 64 && !b->bad)
			buf_chr(b, (char)c);
		give(buf_view(b));
		buf_clear(b);
	}
	result(true, "16 KiB of a byte");
}

TOOL(hurt, hurt_query)
{
	struct buf b = BUF_INIT;
	size_t step, from;

	if (argc != 3 || (step = strtoul(argv[1], NULL, 10)) == 0) {
		fputs("usage: hurt_query STEP FROM <EXAMPLES\n", stderr);
		return 2;
	}
	fuzz_query = tool_of("tests/fuzz/fuzz_query");
	from = strtoul(argv[2], NULL, 10);
	hurt_examples(step, from);
	hurt_stages(&b);
	hurt_depth(&b);
	hurt_length(&b);
	hurt_bytes(&b, step, from);
	buf_free(&b);
	return 0;
}
