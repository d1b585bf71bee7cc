/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome trace events other than calls: kinds, instants.
 */
#include "config.h"

#include <string.h>

#include "icecore/facts.h"
#include "chrome_marks.h"

/* ---- instants ------------------------------------------------------------------------- */

static void
chrome_marks_add_instant(struct chrome_marks *m, const struct chrome_event *e)
{
	struct mark_instant new = { .time = e->time, .thread = e->thread, .letter = e->letter,
	    .scope = e->is.s.n == 0 ? 't' : e->is.s.s[0] };

	new.name = into_word(m->to, e->is.name);
	new.cat = into_word(m->to, e->is.cat);
	new.process = into_process(m->to, e->is.pid);
	new.detail = chrome_args_detail(m, (uint64_t[2]){ chrome_args(e->is.args) });
	INTO(m->to, marks_instant(&m->in, &new, m->to->err));
}

/* ---- all --------------------------------------------------------------------------------- */

static const struct {
	const char	*letters;
	void		(*add)(struct chrome_marks *, const struct chrome_event *);
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

void
chrome_mark(struct chrome_marks *m, const struct chrome_event *e)
{
	size_t i = 0;

	while (!is_one_of(e->letter, kinds[i].letters))
		i++;
	kinds[i].add(m, e);
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

	return make_facts(m->l->st, facts, NELEM(facts), err);
}

bool
chrome_marks_columns(struct chrome_marks *m, struct err *err)
{
	struct mark_instant *instant = SCRATCH(m->in.instants, struct mark_instant);

	for (uint64_t i = 0; i < m->in.ninstants; i++)
		instant[i].thread = chrome_thread(m, instant[i].thread);
	chrome_torch_idle(m);
	return !m->to->bad && marks_instant_columns(&m->in, err) && chrome_async_columns(m, err) &&
	    marks_counter_columns(&m->in, &marks_decimals, err) && chrome_flow_columns(m, err) &&
	    marks_level_columns(&m->in, err) &&
	    chrome_name_columns(m, err) && marks_word_columns(&m->in, err) && chrome_marks_put_facts(m, err);
}

void
chrome_marks_close(struct chrome_marks *m)
{
	SCRATCH_FREE(&m->asyncs, &m->flows, &m->arrows, &m->orders, &m->place, &m->args, &m->frames,
	    &m->works, &m->waits);
	mark_set_free(&m->keys);
	mark_set_free(&m->chains);
	marks_close(&m->in);
}
