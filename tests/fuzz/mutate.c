/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

#define MORE 64u	/* bytes that a piece grows by at once */

size_t
mutant_below(struct mutant *m, size_t n)
{
	m->chance = m->chance * 6364136223846793005u + 1442695040888963407u;
	return n == 0 ? 0 : (size_t)(m->chance >> 33) % n;
}

bool
mutant_put(struct mutant *m, size_t at, size_t cut, const void *bytes, size_t n)
{
	uint8_t *copy;

	if (at > m->n || cut > m->n - at || n > m->max || m->n - cut > m->max - n || (copy = malloc(n + 1)) == NULL)
		return false;
	if (n > 0)
		memcpy(copy, bytes, n);
	if (m->how->moves != NULL)
		m->how->moves(m, at, cut, n);
	memmove(m->data + at + n, m->data + at + cut, m->n - at - cut);
	memcpy(m->data + at, copy, n);
	m->n = m->n - cut + n;
	free(copy);
	return true;
}

/* ---- pieces ---------------------------------------------------------------------- */

size_t
mutant_split(const struct mutant *m, size_t from, size_t to, const char *set, struct piece *p)
{
	size_t n = 0, start = from;

	for (size_t at = from; at <= to && n < PIECES; at++)
		if (at == to || (m->data[at] != 0 && strchr(set, m->data[at]) != NULL)) {
			if (at > start)
				p[n++] = (struct piece){ start, at - start };
			start = at + 1;
		}
	return n;
}

/* A copy of some bytes before that place, or at the end, with the bytes between pieces. */
static bool
add(struct mutant *m, size_t at, const uint8_t *bytes, size_t n)
{
	uint8_t between = (uint8_t)m->how->between[m->level];

	return mutant_put(m, at, 0, bytes, n) && (between == 0 || mutant_put(m, at + n, 0, &between, 1));
}

static void
remove_piece(struct mutant *m, struct piece p)
{
	uint8_t between = (uint8_t)m->how->between[m->level];

	if (between != 0 && p.at + p.n < m->n && m->data[p.at + p.n] == between)
		p.n++;
	else if (between != 0 && p.at > 0 && m->data[p.at - 1] == between)
		p = (struct piece){ p.at - 1, p.n + 1 };
	(void)mutant_put(m, p.at, p.n, NULL, 0);
}

/* One may be part of the other, of values in values: then the inner one takes the place of the outer one. */
static void
swap(struct mutant *m, struct piece a, struct piece b)
{
	struct piece first = a.at < b.at ? a : b, last = a.at < b.at ? b : a;
	uint8_t *copy;

	if (first.at + first.n > last.at) {
		(void)mutant_put(m, first.at, first.n, m->data + last.at, last.n);
		return;
	}
	if ((copy = malloc(last.n + 1)) == NULL)
		return;
	memcpy(copy, m->data + last.at, last.n);
	if (mutant_put(m, last.at, last.n, m->data + first.at, first.n))
		(void)mutant_put(m, first.at, first.n, copy, last.n);
	free(copy);
}

static void
change_bytes(struct mutant *m, struct piece p)
{
	uint8_t *copy = malloc(p.n + MORE);

	if (copy != NULL) {
		memcpy(copy, m->data + p.at, p.n);
		(void)mutant_put(m, p.at, p.n, copy, LLVMFuzzerMutate(copy, p.n, p.n + MORE));
	}
	free(copy);
}

void
mutant_piece(struct mutant *m, const struct piece *p, size_t n)
{
	struct piece a, b;

	if (n == 0)
		return;
	a = p[mutant_below(m, n)];
	b = p[mutant_below(m, n)];
	switch (mutant_below(m, 6)) {
	case 0:
		(void)add(m, a.at, m->data + a.at, a.n);
		break;
	case 1:
		remove_piece(m, a);
		break;
	case 2:
		swap(m, a, b);
		break;
	case 3:
		/* Behind it first, so that its place stays. */
		if (b.at > a.at && add(m, b.at, m->data + a.at, a.n))
			remove_piece(m, a);
		break;
	case 4:
		(void)mutant_put(m, a.at, a.n, m->data + b.at, b.n);
		break;
	default:
		change_bytes(m, a);
	}
}

void
mutant_number(struct mutant *m, struct piece p)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "255", "256", "65535", "65536", "2147483648", "4294967295", "4294967296", "9223372036854775807",
		"9223372036854775808", "18446744073709551615", "18446744073709551616", "0.5", "1e308", "00", "999999999999999999999"
	};
	char text[32] = "";
	const char *number = text;

	if (mutant_below(m, 2) == 0) {
		number = numbers[mutant_below(m, sizeof numbers / sizeof numbers[0])];
	} else if (p.n < 20) {
		memcpy(text, m->data + p.at, p.n);
		snprintf(text, sizeof text, "%lld", (long long)(strtoull(text, NULL, 10) + mutant_below(m, 3) - 1));
	}
	(void)mutant_put(m, p.at, p.n, number, strlen(number));
}

/* ---- inputs ------------------------------------------------------------------------- */

size_t
mutant_make(const struct mutator *how, uint8_t *data, size_t n, size_t max, unsigned seed)
{
	struct mutant m = { .data = data, .n = n, .max = max, .chance = seed, .how = how };
	struct piece p[PIECES];

	/* The format may be another one, or none at all. */
	if (n == 0 || mutant_below(&m, 5) == 0)
		return LLVMFuzzerMutate(data, n, max);
	do {
		m.level = (unsigned)mutant_below(&m, how->levels + 1);
		if (m.level == how->levels)
			how->change(&m);
		else
			mutant_piece(&m, p, how->pieces(&m, m.level, p));
	} while (mutant_below(&m, 2) == 0);
	return m.n > 0 ? m.n : LLVMFuzzerMutate(data, 0, max);
}

/* A piece of the other before one, or instead of one. */
size_t
mutant_cross(const struct mutator *how, const uint8_t *data, size_t n, const uint8_t *other, size_t nother, uint8_t *out, size_t max,
    unsigned seed)
{
	struct mutant m = { .data = out, .n = n < max ? n : max, .max = max, .chance = seed, .how = how };
	struct mutant from = { .data = (uint8_t *)(uintptr_t)other, .n = nother, .max = nother, .how = how };
	struct piece p[PIECES], q[PIECES], a;
	size_t np, nq;

	memcpy(out, data, m.n);
	from.level = m.level = (unsigned)mutant_below(&m, how->levels);
	np = how->pieces(&m, m.level, p);
	nq = how->pieces(&from, m.level, q);
	if (np == 0 || nq == 0)
		return m.n;
	a = q[mutant_below(&m, nq)];
	if (mutant_below(&m, 2) == 0)
		(void)add(&m, p[mutant_below(&m, np)].at, other + a.at, a.n);
	else {
		struct piece to = p[mutant_below(&m, np)];

		(void)mutant_put(&m, to.at, to.n, other + a.at, a.n);
	}
	return m.n;
}
