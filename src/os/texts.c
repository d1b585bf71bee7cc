/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texts: a set of strings, each stored once.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/texts.h"

struct str
texts_get(const struct text_pool *t, uint32_t number)
{
	const uint64_t *from = SCRATCH(t->from, uint64_t) + number - 1;

	assert(number > 0 && number <= t->n);
	return (struct str){ SCRATCH(t->bytes, char) + from[0], from[1] - from[0] };
}

const char *
texts_at(const struct text_pool *t, uint32_t place)
{
	assert(place > 0 && place <= t->size);
	return SCRATCH(t->bytes, char) + place - 1;
}

/*
 * *key: its place in by_hash. There are few enough places for a hash to identify a text; numbered texts are
 * compared.
 */
static uint32_t
texts_look(const struct text_pool *t, struct str s, uint64_t *key)
{
	uint32_t found;

	*key = idmap_hash_text(s, 0);
	while ((found = idmap_get(&t->by_hash, *key)) != 0 && t->n > 0 && !str_eq(texts_get(t, found), s))
		++*key;
	return found;
}

uint32_t
texts_find(const struct text_pool *t, struct str s)
{
	uint64_t key;

	return texts_look(t, s, &key);
}

/* Append a text and an extra byte: an empty text has an address, and a stored text ends with NUL. */
static bool
texts_append(struct text_pool *t, struct str s, struct err *err)
{
	if (s.n + 1 > t->bytes.size - t->size && !scratch_array(&t->bytes, t->size + s.n + 1, 1, err))
		return false;
	if (s.n > 0)
		memcpy(t->bytes.data + t->size, s.s, s.n);
	t->size += s.n;
	return true;
}

bool
texts_number(struct text_pool *t, struct str s, uint32_t *number, struct err *err)
{
	uint64_t key;

	*number = texts_look(t, s, &key);
	if (*number != 0)
		return true;
	if (t->n == UINT32_MAX)
		return fail(err, E_SYSTEM, "too many distinct texts (limit: %u)", UINT32_MAX);
	if (!scratch_array(&t->from, t->n + 2ull, sizeof(uint64_t), err) || !texts_append(t, s, err))
		return false;
	SCRATCH(t->from, uint64_t)[++t->n] = t->size;
	*number = t->n;
	return idmap_put(&t->by_hash, key, *number, err);
}

bool
texts_add(struct text_pool *t, struct str s, uint32_t *place, struct err *err)
{
	uint8_t *nul, *end;

	assert(t->n == 0);
	if (s.n > UINT32_MAX - 2 || t->size > UINT32_MAX - 2 - s.n)
		return fail(err, E_UNREADABLE, "too many names (limit: 4 GiB)");
	*place = (uint32_t)t->size + 1;
	if (!texts_append(t, s, err))
		return false;
	end = t->bytes.data + t->size++;
	for (nul = end - s.n; (nul = memchr(nul, '\0', (size_t)(end - nul))) != NULL; )
		*nul = '\1';
	*end = '\0';
	return true;
}

bool
texts_place(struct text_pool *t, struct str s, uint32_t *place, struct err *err)
{
	uint64_t key;

	*place = texts_look(t, s, &key);
	return *place != 0 || (texts_add(t, s, place, err) && idmap_put(&t->by_hash, key, *place, err));
}

void
texts_free(struct text_pool *t)
{
	SCRATCH_FREE(&t->bytes, &t->from);
	idmap_free(&t->by_hash);
	*t = (struct text_pool){ .n = 0 };
}

bool
listed_has(struct word_lists *l, const char *list, struct str word)
{
	struct str rest = str_of(list), one;
	unsigned i = 0;
	uint32_t any;
	struct err err;

	while (i < l->n && l->list[i] != list)
		i++;
	assert(i < NELEM(l->list));
	if (i == l->n) {
		l->list[l->n++] = list;
		while (str_split(&rest, ' ', &one))
			l->bad |= one.n > 0 && !idmap_enter(&l->by_word, idmap_hash_text(one, i), 1, &any,
			    &err);
	}
	return idmap_get(&l->by_word, idmap_hash_text(word, i)) != 0;
}

void
listed_free(struct word_lists *l)
{
	idmap_free(&l->by_word);
}
