/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines, blocks of lines, fields and words of text formats, and their numbers. */
#include "config.h"

#include <string.h>

#include "mutate.h"

enum { LINES, BLOCKS, FIELDS, WORDS, LEVELS };

/* Up to the empty line behind them. */
static size_t
blocks(const struct mutant *m, struct piece *p)
{
	size_t n = 0, start = 0;

	for (size_t at = 1; at <= m->n && n < PIECES; at++)
		if (at == m->n || (at - start > 1 && m->data[at - 1] == '\n' && m->data[at - 2] == '\n')) {
			p[n++] = (struct piece){ start, at - start };
			start = at;
		}
	return n;
}

/* Lines around a place that is different each time, as a large input has more fields than are looked at. */
static size_t
parts(const struct mutant *m, const char *set, struct piece *p)
{
	size_t from = m->n > 4096 ? (size_t)(m->chance >> 33) % (m->n - 2048) : 0;

	return mutant_split(m, from, m->n, set, p);
}

static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	switch (level) {
	case LINES:
		return mutant_split(m, 0, m->n, "\n", p);
	case BLOCKS:
		return blocks(m, p);
	case FIELDS:
		return parts(m, ";,\t|\n", p);
	default:
		return parts(m, " :=<>()[]{}\"/;,\t|\n", p);
	}
}

static bool
is_digit_at(const struct mutant *m, size_t at)
{
	return at < m->n && m->data[at] >= '0' && m->data[at] <= '9';
}

/* A number, or what ends a line or field. */
static void
change(struct mutant *m)
{
	static const char ends[] = "\n;, \t:=\r\"<>|\\#-";
	size_t at = mutant_below(m, m->n), to;

	if (mutant_below(m, 4) == 0) {
		while (at < m->n && strchr(ends, m->data[at]) == NULL)
			at++;
		(void)mutant_put(m, at, at < m->n && mutant_below(m, 2) == 0, ends + mutant_below(m, sizeof ends - 1), mutant_below(m, 4) > 0);
		return;
	}
	while (at < m->n && !is_digit_at(m, at))
		at++;
	while (at > 0 && is_digit_at(m, at) && is_digit_at(m, at - 1))
		at--;
	for (to = at; is_digit_at(m, to); to++)
		;
	if (to > at)
		mutant_number(m, (struct piece){ at, to - at });
}

/* Many separators are between fields; a semicolon is one of them. */
const struct mutator mutate_text = {
	.levels = LEVELS, .between = { [LINES] = '\n', [FIELDS] = ';' },
	.pieces = pieces, .change = change
};
