/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts: what is known about the file as a whole.
 *
 * Names and texts are never freed before the store is closed, because a reader may hold them.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/facts.h"

#include "inside.h"

/* In front of each fact in the index; then the name with its NUL, the text, zeros up to 8 bytes. */
struct packed_fact {
	uint32_t	type, name_size;
	uint64_t	value, text_size;
};

/* ---- what the store keeps for them ----------------------------------------------- */

bool
name_ok(struct str name, size_t size)
{
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] <= ' ' || name.s[i] > '~')
			return false;
	return name.n > 0 && name.n < size;
}

void
store_making(struct store *st)
{
	if (!st->making)
		st->since = os_now();
	st->making = true;
	st->maker = pthread_self();
}

char *
store_keep(struct store *st, struct str s)
{
	char *copy;

	if (!mem_grow(&st->kept.text, &st->kept.cap, st->kept.n + 1,
	    sizeof *st->kept.text))
		return NULL;
	copy = s.n < SIZE_MAX ? mem_array(s.n + 1, 1) : NULL;
	if (copy == NULL)
		return NULL;
	if (s.n > 0)
		memcpy(copy, s.s, s.n);
	st->kept.text[st->kept.n++] = copy;
	return copy;
}

/* ---- setting them --------------------------------------------------------------------- */

static struct fact *
facts_find(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n; i++)
		if (strcmp(facts->fact[i].name, name) == 0)
			return &facts->fact[i];
	return NULL;
}

/* Sets or appends. */
static bool
facts_put(struct facts *facts, const struct fact *fact)
{
	struct fact *old = facts_find(facts, fact->name);

	if (old == NULL) {
		if (facts->n >= FACTS_MAX || !mem_grow(&facts->fact, &facts->cap,
		    facts->n + 1, sizeof *facts->fact))
			return false;
		old = &facts->fact[facts->n++];
	}
	*old = *fact;
	return true;
}

static bool
facts_set(struct store *st, const char *name, enum fact_type type, uint64_t value,
    struct str text, struct err *err)
{
	struct fact fact = { .type = type, .value = value };
	struct fact *old;
	bool ok;

	if (!name_ok(str_of(name), FACT_NAME_SIZE))
		return fail(err, E_SYSTEM, "cannot set a fact \"%s\"", name);
	assert(type <= FACT_TIME && (type == FACT_TEXT || text.n == 0));
	pthread_mutex_lock(&st->lock);
	store_making(st);
	old = facts_find(&st->pending, name);
	fact.name = old != NULL ? old->name : store_keep(st, str_of(name));
	fact.text.n = text.n;
	fact.text.s = text.n > 0 ? store_keep(st, text) : "";
	/* Room among the published ones too: publishing cannot fail. */
	ok = fact.name != NULL && fact.text.s != NULL &&
	    facts_put(&st->pending, &fact) && mem_grow(&st->facts.fact,
	    &st->facts.cap, st->facts.n + st->pending.n,
	    sizeof *st->facts.fact);
	pthread_mutex_unlock(&st->lock);
	return ok ? true : fail(err, E_SYSTEM, "out of memory (facts)");
}

bool
store_fact(struct store *st, const char *name, enum fact_type type,
    uint64_t value, struct err *err)
{
	return facts_set(st, name, type, value, STR(""), err);
}

bool
store_fact_text(struct store *st, const char *name, struct str text,
    struct err *err)
{
	return facts_set(st, name, FACT_TEXT, 0, text, err);
}

bool
facts_take(struct store *st, const struct store *from, struct err *err)
{
	const struct fact *f = from->pending.fact;

	for (size_t i = 0; i < from->pending.n; i++)
		if (!facts_set(st, f[i].name, f[i].type, f[i].value, f[i].text, err))
			return false;
	return true;
}

bool
facts_publish(struct store *st)
{
	bool news = false;

	for (size_t i = 0; i < st->pending.n; i++) {
		const struct fact *new = &st->pending.fact[i], *old = facts_find(&st->facts, new->name);

		news |= old == NULL || old->type != new->type || old->value != new->value ||
		    !str_eq(old->text, new->text);
		facts_put(&st->facts, new);
	}
	st->pending.n = 0;
	return news;
}

/* ---- looking them up ---------------------------------------------------------- */

static void
facts_lock(const struct store *st)
{
	pthread_mutex_lock((pthread_mutex_t *)(uintptr_t)&st->lock);
}

static void
unlock(const struct store *st)
{
	pthread_mutex_unlock((pthread_mutex_t *)(uintptr_t)&st->lock);
}

/* The thread that makes sees what it has set, the others what is published. */
static bool
get_own(const struct store *st, const char *name, struct fact *fact)
{
	const struct fact *found = NULL;

	facts_lock(st);
	if (st->making && pthread_equal(st->maker, pthread_self()))
		found = facts_find(&st->pending, name);
	if (found == NULL)
		found = facts_find(&st->facts, name);
	if (found != NULL)
		*fact = *found;
	unlock(st);
	return found != NULL;
}

static struct fact
facts_get(const struct store *st, const char *name)
{
	struct fact fact = { .name = name, .text = STR("") };

	while (st != NULL && !get_own(st, name, &fact))
		st = st->below;
	return fact;
}

uint64_t
store_fact_get(const struct store *st, const char *name)
{
	return facts_get(st, name).value;
}

struct str
store_fact_str(const struct store *st, const char *name)
{
	return facts_get(st, name).text;
}

static bool
facts_is_below(const struct store *st, const char *name)
{
	struct fact fact;

	for (st = st->below; st != NULL; st = st->below)
		if (get_own(st, name, &fact))
			return true;
	return false;
}

/* The i-th of the facts of st and those below; *i is less by as many as there are, when it has none. */
static bool
fact_at(const struct store *st, size_t *i, struct fact *fact)
{
	bool there = false;

	if (st->below != NULL && fact_at(st->below, i, fact)) {
		/* A fact of the upper store overrides the one below. */
		get_own(st, fact->name, fact);
		return true;
	}
	facts_lock(st);
	for (size_t k = 0; k < st->facts.n && !there; k++) {
		if (facts_is_below(st, st->facts.fact[k].name))
			continue;
		there = (*i)-- == 0;
		if (there)
			*fact = st->facts.fact[k];
	}
	unlock(st);
	return there;
}

bool
store_fact_at(const struct store *st, size_t i, struct fact *fact)
{
	return fact_at(st, &i, fact);
}

size_t
store_nfacts(const struct store *st)
{
	struct fact fact;
	size_t n = 0;

	while (store_fact_at(st, n, &fact))
		n++;
	return n;
}

static bool
is_loss(const struct fact *f)
{
	return str_has_prefix(str_of(f->name), STR("loss.")) && f->value > 0;
}

bool
store_damaged(const struct store *st)
{
	bool found = false;
	struct fact f;

	for (size_t i = 0; !found && store_fact_at(st, i, &f); i++)
		found = is_loss(&f);
	facts_lock(st);
	for (size_t i = 0; !found && st->making && pthread_equal(st->maker, pthread_self()) &&
	    i < st->pending.n; i++)
		found = is_loss(&st->pending.fact[i]);
	unlock(st);
	return found;
}

uint64_t
store_repairs(const struct store *st)
{
	uint64_t n = 0;
	struct fact f;

	for (size_t i = 0; store_fact_at(st, i, &f); i++)
		if (str_has_prefix(str_of(f.name), STR("repair.")) && f.type != FACT_TIME)
			n = num_add(n, f.type == FACT_COUNT ? f.value : f.value > 0);
	return n;
}

/* ---- in the index ---------------------------------------------------------------- */

bool
facts_pack(const struct store *st, struct buf *b)
{
	static const char zeros[8];
	struct packed_fact head;
	const struct fact *fact;

	for (size_t i = 0; i < st->facts.n; i++) {
		fact = &st->facts.fact[i];
		memset(&head, 0, sizeof head);
		head.type = fact->type;
		head.name_size = (uint32_t)strlen(fact->name) + 1;
		head.value = fact->value;
		head.text_size = fact->text.n;
		buf_add(b, &head, sizeof head);
		buf_add(b, fact->name, head.name_size);
		buf_str(b, fact->text);
		buf_add(b, zeros, -b->n % sizeof zeros);
	}
	return !b->bad;
}

/* Takes one fact from rest; its strings stay where they are. */
static bool
unpack_one(struct str *rest, struct fact *fact)
{
	struct packed_fact head;
	size_t used;

	if (rest->n < sizeof head)
		return false;
	memcpy(&head, rest->s, sizeof head);
	rest->s += sizeof head;
	rest->n -= sizeof head;
	if (head.type > FACT_TIME || head.name_size == 0 ||
	    head.name_size > rest->n ||
	    head.text_size > rest->n - head.name_size)
		return false;
	fact->name = rest->s;
	fact->type = (enum fact_type)head.type;
	fact->value = head.value;
	fact->text.s = rest->s + head.name_size;
	fact->text.n = (size_t)head.text_size;
	if (memchr(fact->name, '\0', head.name_size) != fact->name + head.name_size - 1 ||
	    !name_ok(str_of(fact->name), FACT_NAME_SIZE))
		return false;
	used = head.name_size + fact->text.n;
	used += -used % 8;
	if (used > rest->n)
		return false;
	rest->s += used;
	rest->n -= used;
	return true;
}

bool
facts_unpack(struct store *st, struct str packed)
{
	struct fact fact;

	while (packed.n > 0) {
		if (!unpack_one(&packed, &fact) ||
		    facts_find(&st->facts, fact.name) != NULL ||
		    !facts_put(&st->facts, &fact)) {
			st->facts.n = 0;
			return false;
		}
	}
	return true;
}
