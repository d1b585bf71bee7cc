/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unread: count what a file holds and icecore does not show.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/kernel.h"
#include "icecore/unread.h"

static const struct {
	struct str	 word;
	const char	*phrase;
} levels[UNREAD_LEVEL_COUNT] = {
#define UNREAD_ROW(id, word, phrase) [UNREAD_##id] = { { (word), sizeof(word) - 1 }, (phrase) },
	UNREAD_LEVELS(UNREAD_ROW)
};

static bool
unread_is(const struct unread_kind *k, enum unread_level level, const char *name, size_t n)
{
	return k->level == level && k->size == n && memcmp(k->name, name, n) == 0;
}

void
unread_add(struct unread *u, enum unread_level level, struct str name, uint64_t n)
{
	char text[UNREAD_NAME];
	size_t size = 0, at;

	for (; size < name.n && size < sizeof text; size++)
		text[size] = name.s[size] > ' ' && name.s[size] <= '~' ? name.s[size] : '_';
	assert((unsigned)level < UNREAD_LEVEL_COUNT && u->n <= UNREAD_KINDS);
	if (size == 0)
		text[size++] = '_';
	at = idmap_hash_text((struct str){ text, size }, level) % UNREAD_SLOTS;
	while (u->slot[at] != 0 && !unread_is(&u->kind[u->slot[at] - 1], level, text, size))
		at = (at + 1) % UNREAD_SLOTS;
	if (u->slot[at] == 0 && u->n == UNREAD_KINDS) {
		u->more = num_add(u->more, n);
		return;
	}
	if (u->slot[at] == 0) {
		u->kind[u->n] = (struct unread_kind){ .level = (uint8_t)level, .size = (uint8_t)size };
		memcpy(u->kind[u->n].name, text, size);
		u->slot[at] = (uint16_t)++u->n;
	}
	u->kind[u->slot[at] - 1].n = num_add(u->kind[u->slot[at] - 1].n, n);
}

void
unread_join(struct unread *u, const struct unread *part)
{
	assert(part->n <= UNREAD_KINDS && u != part);
	for (const struct unread_kind *k = part->kind; k < part->kind + part->n; k++)
		unread_add(u, (enum unread_level)k->level, (struct str){ k->name, k->size }, k->n);
	u->more = num_add(u->more, part->more);
}

void
unread_add_number(struct unread *u, enum unread_level level, uint64_t number, uint64_t n)
{
	char text[24];

	unread_add(u, level, (struct str){ text, (size_t)snprintf(text, sizeof text, "%" PRIu64, number) }, n);
}

void
unread_add_member(struct unread *u, struct str message, const char *member)
{
	char text[UNREAD_NAME];
	size_t n = message.n, more = strlen(member);

	assert(n < sizeof text);
	memcpy(text, message.s, n);
	text[n++] = '.';
	more = more < sizeof text - n ? more : sizeof text - n;
	memcpy(text + n, member, more);
	unread_add(u, UNREAD_FIELD, (struct str){ text, n + more }, 1);
}

void
unread_add_field(struct unread *u, struct str message, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, number);
	unread_add_member(u, message, text);
}

void
unread_add_named(struct unread *u, struct str message, const char *const *names, size_t n, uint64_t number)
{
	const char *name = number < n ? names[number] : NULL;

	if (name == NULL)
		unread_add_field(u, message, number);
	else if (name[0] != '\0')
		unread_add_member(u, message, name);
}

void
unread_add_letters(struct unread *u, const uint64_t n[128])
{
	for (size_t i = 0; i < 128; i++)
		if (n[i] > 0)
			unread_add(u, UNREAD_PHASE, (struct str){ (const char[]){ (char)i }, 1 }, n[i]);
}

static bool
is_context(const struct unread_kind *k)
{
	return k->level == UNREAD_CONTEXT ||
	    (k->level == UNREAD_KERNEL && kernel_event_is_context((struct str){ k->name, k->size }));
}

bool
unread_facts(const struct unread *u, struct store *st, struct err *err)
{
	char name[FACT_NAME_SIZE];

	for (const struct unread_kind *k = u->kind; k < u->kind + u->n; k++) {
		if (is_context(k))
			snprintf(name, sizeof name, CONTEXT_PREFIX "%.*s", k->size, k->name);
		else
			snprintf(name, sizeof name, "unread.%s.%.*s", levels[k->level].word.s, k->size, k->name);
		if (k->n > 0 && !store_fact(st, name, FACT_COUNT, k->n, err))
			return false;
	}
	return u->more == 0 || fact_set(st, FACT_UNREAD_OTHERS, u->more, err);
}

const char *
unread_phrase(struct str fact, struct str *name)
{
	struct str level;

	if (str_take(&fact, STR(CONTEXT_PREFIX))) {
		*name = fact;
		return levels[UNREAD_CONTEXT].phrase;
	}
	if (!str_take(&fact, UNREAD_PREFIX) || !str_divide(fact, STR("."), &level, name))
		return NULL;
	for (size_t i = 0; i < NELEM(levels); i++)
		if (str_eq(level, levels[i].word))
			return levels[i].phrase;
	return NULL;
}

bool
unread_minor(struct str fact)
{
	return str_take(&fact, STR("unread.event.jdk.")) && !str_is(fact, "MethodTiming") &&
	    !str_is(fact, "ThreadDump");
}

bool
unread_any(const struct store *st)
{
	struct fact f;

	for (size_t i = 0; i < store_nfacts(st); i++)
		if (store_fact_at(st, i, &f) && f.value > 0 && str_has_prefix(str_of(f.name), UNREAD_PREFIX))
			return true;
	return false;
}
