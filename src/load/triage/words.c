/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words: the distinct texts of rows.
 */
#include "config.h"

#include <string.h>

#include "triage.h"

#define TEXT_MOST (UINT32_MAX - TRIAGE_NAME)

const char *
triage_word_text(const struct triage *t, uint32_t word)
{
	return word == 0 ? "" : (const char *)t->text.data + SCRATCH(t->words, uint32_t)[word - 1] - 1;
}

bool
triage_word(struct triage *t, struct str s, uint32_t *word, struct err *err)
{
	uint64_t hash = idmap_hash_text(s, 0);
	uint32_t place = (uint32_t)t->ntext + 1;

	*word = s.n == 0 ? 0 : idmap_get(&t->by_text, hash);
	if (*word != 0 || s.n == 0)
		return true;
	s = str_head(s, TRIAGE_NAME);
	if (t->ntext > TEXT_MOST)
		return fail(err, E_SYSTEM, "more than 4 GiB of text");
	if (!scratch_array(&t->text, t->ntext + s.n + 1, 1, err) ||
	    !make_add(&t->words, &t->nwords, &place, sizeof place, MAKE_MOST, "texts", err))
		return false;
	memcpy(t->text.data + t->ntext, s.s, s.n);
	t->text.data[t->ntext + s.n] = '\0';
	t->ntext += s.n + 1;
	*word = (uint32_t)t->nwords;
	return idmap_put(&t->by_text, hash, *word, err);
}

int
triage_version_order(const struct triage *t, uint32_t x, uint32_t y)
{
	return x == y ? 0 : triage_version_cmp(str_of(triage_word_text(t, x)), str_of(triage_word_text(t, y)));
}

int
triage_version_cmp(struct str a, struct str b)
{
	struct str pa, pb;
	uint64_t na, nb;

	while (a.n > 0 || b.n > 0) {
		str_split(&a, '.', &pa);
		str_split(&b, '.', &pb);
		na = nb = 0;
		str_number(&pa, &na);
		str_number(&pb, &nb);
		if (na != nb || !str_eq(pa, pb))
			return num_order(na, nb, str_cmp(pa, pb));
	}
	return 0;
}
