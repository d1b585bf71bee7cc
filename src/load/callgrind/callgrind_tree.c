/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_tree: a call graph in which no function has two callers is a tree, so its paths are known: it is
 * also a profile, whose samples are the self costs of the functions.
 */
#include "config.h"

#include "callgrind.h"
#include "icecore/facts.h"
#include "icecore/scan.h"
#include "load/profile/profile.h"
#include "load/stacks/text.h"

#define QUOTES_MOST 8		/* limit of what is searched in a name */

/*
 * The caller of each function by its number, from 1; 0: it is a root.  False: a function has two, or calls
 * itself.
 */
static bool
only_callers(const struct callgrind *c, uint32_t *caller)
{
	const struct callgrind_arc *arc = SCRATCH(c->arcs, struct callgrind_arc);

	for (uint64_t i = 0; i < c->narcs; i++) {
		if (caller[arc[i].callee] != 0 || arc[i].caller == arc[i].callee)
			return false;
		caller[arc[i].callee] = arc[i].caller;
	}
	return c->narcs > 0 && c->in_cycles == 0;
}

/* The calls of each function cost what it costs, so that the tree has the totals that the file says. */
static bool
costs_agree(const struct callgrind *c)
{
	const struct callgrind_arc *arc = SCRATCH(c->arcs, struct callgrind_arc);

	for (size_t e = 0; e < c->nevents; e++) {
		const uint64_t *total = SCRATCH(c->event[e].cost[COSTS_TOTAL], uint64_t),
		    *cost = SCRATCH(c->event[e].cost[COSTS_ARC], uint64_t);

		if (c->event[e].sum > WEIGHT_MOST)
			return false;
		for (uint64_t i = 0; i < c->narcs; i++)
			if (cost[i] != total[arc[i].callee - 1])
				return false;
	}
	return true;
}

/* Without the level of a recursion: "fib" of "fib'2". */
static struct str
without_level(struct str name)
{
	struct str before, level;

	return str_divide_last(name, '\'', &before, &level) && text_all_digits(level) ? before : name;
}

/* A list of names with quotes between starts with s. */
static bool
begins_names(struct str names, struct str s)
{
	return str_has_prefix(names, s) && (s.n == names.n || names.s[s.n] == '\'');
}

/*
 * With --separate-callers the name of a function ends with those of its callers, "small'fill'main", without
 * the levels of recursions; of a function that calls itself there is one.  The frames below have these names,
 * too.  own: bytes of the caller's name.
 */
static struct str
context_name(struct str name, struct str caller, size_t own)
{
	struct str before, after = name, rest, function = without_level(str_head(caller, own));
	struct str callers = own < caller.n ? str_after(caller, own + 1) : STR("");

	for (unsigned i = 0; i < QUOTES_MOST && str_divide(after, STR("'"), &before, &after); i++) {
		before = str_head(name, name.n - after.n - 1);
		rest = after;
		if (after.n > 0 && ((str_take(&rest, function) &&
		    (rest.n == 0 || (scan(&rest, "'") && begins_names(callers, rest)))) ||
		    (str_eq(without_level(before), function) && begins_names(callers, after))))
			return before;
	}
	return name;
}

/* The stack of each function: those of its callers are found first. */
static bool
tree_stacks(struct callgrind *c, struct samples *s, const uint32_t *caller, uint32_t *stack)
{
	const struct callgrind_function *f = SCRATCH(c->functions, struct callgrind_function);
	struct scratch path = SCRATCH_INIT, own = SCRATCH_INIT;
	bool ok = scratch_array(&own, c->nfunctions + 1, sizeof(size_t), c->err);

	for (uint32_t i = 1; ok && i <= c->nfunctions; i++) {
		uint64_t n = 0;
		uint32_t at = i, frame;
		struct str name;

		for (; ok && at != 0 && stack[at] == 0; at = caller[at])
			ok = scratch_add(&path, &n, &at, sizeof at, c->err);
		while (ok && n > 0) {
			at = SCRATCH(path, uint32_t)[--n];
			name = f[at - 1].name;
			if (caller[at] != 0)
				name =
				    context_name(name, f[caller[at] - 1].name,
				    SCRATCH(own, size_t)[caller[at]]);
			SCRATCH(own, size_t)[at] = name.n;
			frame = samples_placed(s, name.n > 0 ? name : STR("[unknown]"), f[at - 1].file,
			    f[at - 1].object, 0, c->err);
			ok = frame != 0 &&
			    (stack[at] = samples_stack(s, stack[caller[at]], frame, c->err)) != 0;
		}
	}
	SCRATCH_FREE(&path, &own);
	return ok;
}

/* Events have the same numbers as in the graph; if two of them have one name, that is not possible. */
static bool
tree_events(struct callgrind *c, struct samples *s)
{
	for (size_t i = 0; i < c->nevents; i++) {
		const struct callgrind_event *e = &c->event[i];
		uint32_t id = samples_event(s, e->own != 0 ? str_of(texts_at(&c->texts, e->own)) : e->name,
		    WEIGHT_COUNT, "events", c->err);

		if (id == 0)
			return false;
		c->tree &= id == i + 1;
	}
	return true;
}

static bool
tree_samples(struct callgrind *c, struct samples *s, const uint32_t *stack)
{
	const struct callgrind_function *f = SCRATCH(c->functions, struct callgrind_function);
	struct sample one = { .thread = samples_thread(s, 0, 0, STR(""), c->err) };
	bool ok = one.thread != 0;

	for (size_t e = 0; ok && e < c->nevents; e++) {
		const uint64_t *self = SCRATCH(c->event[e].cost[COSTS_SELF], uint64_t);

		one.event = (uint32_t)e + 1;
		for (uint64_t i = 0; ok && i < c->nfunctions; i++) {
			if (self[i] == 0)
				continue;
			one.weight = self[i];
			one.stack = stack[i + 1];
			one.offset = samples_has_text(s, f[i].name) ? (uint64_t)(f[i].name.s - c->text.s) : 0;
			ok = samples_add(s, &one, c->err);
		}
	}
	return ok;
}

/* Make the columns of the profile, unless its events are not those of the graph. */
static bool
tree_columns(struct callgrind *c, struct samples *s, const uint32_t *caller, uint32_t *stack)
{
	return tree_events(c, s) && (!c->tree ||
	    (tree_stacks(c, s, caller, stack) && tree_samples(c, s, stack) && samples_columns(s, c->err)));
}

bool
callgrind_tree(struct callgrind *c)
{
	struct scratch caller = SCRATCH_INIT, stack = SCRATCH_INIT;
	struct samples s;
	bool ok = scratch_array(&caller, c->nfunctions + 1, sizeof(uint32_t), c->err);

	c->tree = ok && !c->python && only_callers(c, SCRATCH(caller, uint32_t)) && costs_agree(c);
	if (c->tree) {
		samples_open(&s, c->st, c->work);
		s.counts = COUNT_WEIGHT;
		s.chosen = 1;
		s.chosen_by = "first one in the file";
		ok = scratch_array(&stack, c->nfunctions + 1, sizeof(uint32_t), c->err) &&
		    tree_columns(c, &s, SCRATCH(caller, uint32_t), SCRATCH(stack, uint32_t));
		samples_close(&s);
	}
	SCRATCH_FREE(&caller, &stack);
	return ok;
}
