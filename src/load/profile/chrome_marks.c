/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome trace events other than calls: kinds, ids, instants.
 */
#include "config.h"

#include <string.h>

#include "icecore/facts.h"
#include "chrome_marks.h"

bool
chrome_id(struct chrome_marks *m, const struct chrome_event *e, struct json id2, bool local, struct chrome_id *id,
    struct err *err)
{
	static const char *const names[] = { "global", "local", NULL };
	bool told = e->id.at < e->id.size;
	struct json at[2], text = e->id;

	*id = (struct chrome_id){ .kind = told && !local ? ID_ANY : ID_LOCAL };
	if (scan_peek(&id2) == '{') {
		jload_members(m->in.l, id2, names, at);
		id->kind = at[0].at < at[0].size ? ID_GLOBAL : ID_LOCAL;
		text = at[id->kind == ID_GLOBAL ? 0 : 1];
	}
	id->process = id->kind == ID_LOCAL ? marks_process(&m->in, e->pid, 0, err) : 0;
	return (id->kind != ID_LOCAL || id->process != 0) && marks_word(&m->in, jload_word(text), &id->id, err);
}

/* ---- instants ------------------------------------------------------------------------- */

static bool
chrome_marks_add_instant(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	static const char *const names[] = { "cat", "s", NULL };
	struct mark_instant new = { .time = e->time, .thread = e->thread, .letter = e->letter };
	struct json at[2];
	struct str scope;

	jload_members(m->in.l, e->json, names, at);
	scope = jload_word(at[1]);
	new.scope = scope.n == 0 ? 't' : scope.s[0];
	return marks_word(&m->in, e->name, &new.name, err) && marks_word(&m->in, jload_word(at[0]), &new.cat, err) &&
	    (new.process = marks_process(&m->in, e->pid, 0, err)) != 0 &&
	    chrome_detail(m, (uint64_t[2]){ chrome_args(e->args) }, &new.detail, err) && marks_instant(&m->in, &new, err);
}

/* ---- all --------------------------------------------------------------------------------- */

static const struct {
	const char	*letters;
	bool		(*add)(struct chrome_marks *, const struct chrome_event *, struct err *);
} kinds[] = {
	{ "iIR", chrome_marks_add_instant }, { "bneSTpF", chrome_async_add }, { "C", chrome_counter_add },
	{ "stf", chrome_flow_add },
};

bool
chrome_marks_read(char letter)
{
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (is_one_of(letter, kinds[i].letters))
			return true;
	return false;
}

bool
chrome_mark(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	size_t i = 0;

	while (!is_one_of(e->letter, kinds[i].letters))
		i++;
	return kinds[i].add(m, e, err);
}

bool
chrome_marks_any(const struct chrome_marks *m)
{
	return m->in.ninstants > 0 || m->nasyncs > 0 || m->in.ncounts > 0;
}

static bool
chrome_marks_put_facts(const struct chrome_marks *m, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_ASYNC, m->in.nspans, MAKE_ANY }, { FACT_COUNTERS, m->in.counters.n, MAKE_ANY },
		{ FACT_INSTANTS, m->in.ninstants, MAKE_ANY }, { FACT_FLOWS, m->chains.n, MAKE_ANY },
		{ FACT_REPAIR_ASYNC_END, m->in.no_begin, MAKE_ANY },
	};

	return make_facts(m->in.l->st, facts, NELEM(facts), err);
}

bool
chrome_marks_columns(struct chrome_marks *m, struct err *err)
{
	struct mark_instant *instant = SCRATCH(m->in.instants, struct mark_instant);

	for (uint64_t i = 0; i < m->in.ninstants; i++)
		instant[i].thread = chrome_thread(m, instant[i].thread);
	return marks_instant_columns(&m->in, err) && chrome_async_columns(m, err) &&
	    marks_counter_columns(&m->in, &marks_decimals, err) && chrome_flow_columns(m, err) && marks_level_columns(&m->in, err) &&
	    chrome_name_columns(m, err) && marks_word_columns(&m->in, err) && chrome_marks_put_facts(m, err);
}

void
chrome_marks_close(struct chrome_marks *m)
{
	SCRATCH_FREE(&m->asyncs, &m->flows, &m->orders, &m->place, &m->args, &m->frames);
	mark_set_free(&m->keys);
	mark_set_free(&m->chains);
	marks_close(&m->in);
}
