/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple_names: events, frames and stacks, as both forms make them.
 */
#include "config.h"

#include <assert.h>

#include "simpleperf.h"

/* ---- events ------------------------------------------------------------------------------------------ */

/* Clocks count ns; other events count what their names say. */
static uint32_t
simple_event_of(struct simple *p, struct str name, struct err *err)
{
	struct str unit = str_head(str_until(name, ':'), 40);

	if (str_is(unit, "cpu-clock") || str_is(unit, "task-clock"))
		return samples_event(&p->s, name, WEIGHT_TIME, "ns", err);
	(void)buf_set(&p->name, unit.n < name.n || unit.n == 0 ? STR("samples") : unit);
	return p->name.bad ? fail(err, E_SYSTEM, "out of memory (events)") :
	    samples_event(&p->s, name, WEIGHT_COUNT, p->name.s, err);
}

bool
simple_event(struct simple *p, struct str name, struct err *err)
{
	uint32_t event = simple_event_of(p, name, err);

	return event != 0 && make_add(&p->events, &p->nevents, &event, sizeof event, MAKE_MOST, "events",
	    err);
}

uint32_t
simple_event_at(struct simple *p, uint64_t number, struct err *err)
{
	if (number < p->nevents)
		return SCRATCH(p->events, uint32_t)[number];
	p->count[SIMPLE_INDEX]++;
	return simple_event_of(p, STR("samples"), err);
}

/* ---- frames ------------------------------------------------------------------------------------------ */

char
simple_kind(struct str path)
{
	static const struct { const char *end; char kind; } ends[] = {
		{ ".ko", 'k' }, { ".oat", 'j' }, { ".odex", 'j' }, { ".vdex", '0' }, { ".dex", '0' },
		{ ".jar", '0' }, { ".apk", '0' }
	};

	if (str_begins(path, "[kernel.kallsyms]"))
		return 'k';
	if (str_has(path, STR("jit_app_cache")) || str_begins(path, "[JIT "))
		return 'j';
	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(path, str_of(ends[i].end)))
			return ends[i].kind;
	return 0;
}

/* "[libhwui.so]", "[kernel.kallsyms]" */
static struct str
simple_file_name(struct simple *p, struct str path)
{
	struct str folder, base = path;

	(void)str_divide_last(path, '/', &folder, &base);
	if (base.n > 1 && base.s[0] == '[' && base.s[base.n - 1] == ']')
		base = (struct str){ base.s + 1, base.n - 2 };
	return buf_set(&p->name, STR("["), base.n > 0 ? base : STR("unknown"), STR("]"));
}

uint32_t
simple_frame(struct simple *p, struct str name, struct str path, struct str module, char kind,
    struct err *err)
{
	if (name.n == 0)
		name = simple_file_name(p, path);
	if (p->name.bad)
		return fail(err, E_SYSTEM, "out of memory (names)");
	assert(name.n > 0);
	return samples_function(&p->s, name, module, kind, err);
}

bool
simple_stack(struct simple *p, uint64_t n, uint32_t *stack, struct err *err)
{
	*stack = 0;
	while (n-- > 0) {
		uint32_t frame = SCRATCH(p->frames, uint32_t)[n];

		assert(frame != 0 && frame <= p->s.nnames);
		if ((*stack = samples_stack(&p->s, *stack, frame, err)) == 0)
			return false;
	}
	return true;
}
