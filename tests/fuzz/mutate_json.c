/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of JSON, members with their names, and numbers. */
#include "config.h"

#include <string.h>

#include "mutate.h"

enum { VALUES, MEMBERS, LEVELS };

static size_t
string_end(const struct mutant *m, size_t at)
{
	for (at++; at < m->n && m->data[at] != '"'; at++)
		at += m->data[at] == '\\';
	return at < m->n ? at + 1 : m->n;
}

static bool
is_open(uint8_t c)
{
	return c == '[' || c == '{';
}

/* The value of a name begins at its colon. */
static size_t
colon(const struct mutant *m, size_t at)
{
	while (at < m->n && strchr(" \t\r\n", m->data[at]) != NULL)
		at++;
	return at < m->n && m->data[at] == ':' ? at : 0;
}

/* Where what begins there ends, with all that is in it. */
static size_t
value_end(const struct mutant *m, size_t at)
{
	size_t depth = 0;

	if (m->data[at] != '"' && !is_open(m->data[at])) {
		while (at < m->n && strchr(",]} \t\r\n", m->data[at]) == NULL)
			at++;
		return at;
	}
	do {
		if (m->data[at] == '"') {
			at = string_end(m, at);
			continue;
		}
		depth += is_open(m->data[at]);
		depth -= depth > 0 && (m->data[at] == ']' || m->data[at] == '}');
		at++;
	} while (at < m->n && depth > 0);
	return at;
}

static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	/* Each time another part of a large input. */
	size_t at = m->n > 4096 ? (size_t)(m->chance >> 33) % (m->n / 2) : 0, n = 0, name = 0, end;
	bool named = false;

	while (at < m->n && n < PIECES) {
		if (strchr(",:]} \t\r\n", m->data[at]) != NULL) {
			at++;
			continue;
		}
		end = value_end(m, at);
		if (m->data[at] == '"' && colon(m, end) != 0) {
			named = true;
			name = at;
			at = colon(m, end);
			continue;
		}
		if (end > at && (level == VALUES || named))
			p[n++] = (struct piece){ level == VALUES ? at : name, end - (level == VALUES ? at : name) };
		named = false;
		at = is_open(m->data[at]) || end == at ? at + 1 : end;
	}
	return n;
}

/* A value of another kind, or another number. */
static void
change(struct mutant *m)
{
	static const char *const values[] = {
		"null", "true", "false", "0", "-1", "1e999", "0.1", "\"\"", "[]", "{}", "\"\\u0000\"", "\"\\ud800\"", "\"x\"", "[[]]", "4294967296"
	};
	struct piece p[PIECES], some;
	size_t n = pieces(m, VALUES, p);
	const char *value = values[mutant_below(m, sizeof values / sizeof values[0])];

	if (n == 0)
		return;
	some = p[mutant_below(m, n)];
	if (m->data[some.at] >= '0' && m->data[some.at] <= '9' && mutant_below(m, 4) > 0)
		mutant_number(m, some);
	else
		(void)mutant_put(m, some.at, some.n, value, strlen(value));
}

const struct mutator mutate_json = {
	.levels = LEVELS, .between = { [VALUES] = ',', [MEMBERS] = ',' },
	.pieces = pieces, .change = change
};
