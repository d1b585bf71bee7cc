/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fact_names: facts by their handle.
 */
#include "config.h"

#include <assert.h>

#include "icecore/facts.h"

static const struct { struct str name; enum fact_type type; } facts[] = {
#define FACT_ROW(handle, name, type, family, meaning) [FACT_##handle] = { { (name), sizeof (name) - 1 }, FACT_##type },
	FACTS(FACT_ROW)
};

const char *
fact_name(enum fact_id id)
{
	return facts[id].name.s;
}

enum fact_type
fact_type(enum fact_id id)
{
	return facts[id].type;
}

enum fact_id
fact_named(struct str name)
{
	size_t id = 0;

	while (id < FACT_IDS && !str_eq(facts[id].name, name))
		id++;
	return (enum fact_id)id;
}

bool
fact_set(struct store *st, enum fact_id id, uint64_t value, struct err *err)
{
	assert(facts[id].type != FACT_TEXT);
	return store_fact(st, facts[id].name.s, facts[id].type, value, err);
}

bool
fact_set_text(struct store *st, enum fact_id id, struct str text, struct err *err)
{
	assert(facts[id].type == FACT_TEXT);
	return store_fact_text(st, facts[id].name.s, text, err);
}

uint64_t
fact_value(const struct store *st, enum fact_id id)
{
	return store_fact_get(st, facts[id].name.s);
}

struct str
fact_text(const struct store *st, enum fact_id id)
{
	return store_fact_str(st, facts[id].name.s);
}
