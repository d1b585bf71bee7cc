/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_read: the lines of a profile of callgrind, cachegrind, or of another program that writes their format.
 */
#include "config.h"

#include "callgrind.h"

#define TICK 65536u

/* ---- names ------------------------------------------------------------------------------ */

/* "(12) name", "(12)": true with the ID; name: what follows, empty if nothing does. */
static bool
callgrind_id(struct str s, uint64_t *id, struct str *name)
{
	if (!str_take(&s, STR("(")) || !str_number(&s, id) || !str_take(&s, STR(")")) || (s.n > 0 && s.s[0] != ' '))
		return false;
	*name = str_skip_blanks(s);
	return true;
}

/* The name that a value means: a text, or what its ID was given earlier; of an unknown ID the value itself. */
static struct str
name_of(struct callgrind *c, enum callgrind_names kind, struct str value)
{
	struct str name;
	uint64_t id;
	uint32_t place;

	if (!callgrind_id(value, &id, &name))
		return value;
	if (name.n == 0) {
		place = idmap_get(&c->ids[kind], id);
		return place == 0 ? value : SCRATCH(c->names, struct str)[place - 1];
	}
	c->bad |= !make_add(&c->names, &c->nnames, &name, sizeof name, MAKE_MOST, "names", c->err) ||
	    !idmap_put(&c->ids[kind], id, (uint32_t)c->nnames, c->err);
	return name;
}

/* The function that a value means.  Its ID is its identity, because several can have one name; without, name and object are. */
static uint32_t
function_of(struct callgrind *c, struct str value, struct str file, struct str object)
{
	struct callgrind_function f = { .name = name_of(c, NAMES_FUNCTION, value), .file = file, .object = object };
	struct idmap *map = &c->by_id;
	struct str rest;
	uint64_t key;
	uint32_t found;

	if (!callgrind_id(value, &key, &rest)) {
		map = &c->by_name;
		key = idmap_hash_text(f.name, idmap_hash_text(object, 0));
	}
	found = idmap_get(map, key);
	if (found != 0 || c->bad)
		return found;
	c->bad = !make_add(&c->functions, &c->nfunctions, &f, sizeof f, MAKE_MOST, "functions", c->err) ||
	    !idmap_put(map, key, (uint32_t)c->nfunctions, c->err);
	return (uint32_t)c->nfunctions;
}

static void
begin_function(struct callgrind *c, struct str value)
{
	c->function = function_of(c, value, c->file, c->object);
	c->callee = 0;
	c->has_called_file = c->has_called_object = false;
}

static void
begin_callee(struct callgrind *c, struct str value)
{
	c->callee = function_of(c, value, c->has_called_file ? c->called_file : c->file,
	    c->has_called_object ? c->called_object : c->object);
	c->has_called_file = c->has_called_object = false;
}

static bool
place_line(struct callgrind *c, struct str line)
{
	if (str_take(&line, STR("fn="))) {
		begin_function(c, str_skip_blanks(line));
	} else if (str_take(&line, STR("cfn="))) {
		begin_callee(c, str_skip_blanks(line));
	} else if (str_take(&line, STR("fl="))) {
		c->file = name_of(c, NAMES_FILE, str_skip_blanks(line));
	} else if (str_take(&line, STR("ob="))) {
		c->object = name_of(c, NAMES_OBJECT, str_skip_blanks(line));
	} else if (str_take(&line, STR("cob="))) {
		c->called_object = name_of(c, NAMES_OBJECT, str_skip_blanks(line));
		c->has_called_object = true;
	} else if (str_take(&line, STR("cfi=")) || str_take(&line, STR("cfl="))) {
		c->called_file = name_of(c, NAMES_FILE, str_skip_blanks(line));
		c->has_called_file = true;
	} else if (str_take(&line, STR("fi=")) || str_take(&line, STR("fe="))) {
		/* Inlined lines of another file still are of this function. */
		name_of(c, NAMES_FILE, str_skip_blanks(line));
	} else {
		return false;
	}
	return true;
}

/* ---- costs ------------------------------------------------------------------------------ */

/* A position: a number, a difference from the position before, or * for no difference. */
static bool
take_position(struct str *s)
{
	uint64_t n;

	return str_take(s, STR("*")) || ((str_take(s, STR("+")) || str_take(s, STR("-")) || true) && str_number_any(s, &n));
}

/* The costs of a line by column; those that it lacks are 0.  False: the line cannot be read. */
static bool
read_costs(const struct callgrind *c, struct str s, uint64_t *cost)
{
	for (size_t i = 0; i < c->npositions; i++) {
		s = str_skip_blanks(s);
		if (!take_position(&s) || (s.n > 0 && !is_blank(s.s[0])))
			return false;
	}
	for (size_t i = 0; i < c->ncolumns; i++) {
		s = str_skip_blanks(s);
		cost[i] = 0;
		if (s.n > 0 && (!str_number_any(&s, &cost[i]) || (s.n > 0 && !is_blank(s.s[0]))))
			return false;
	}
	return c->ncolumns > 0 && str_skip_blanks(s).n == 0;
}

/* Add the costs of a line to row n, from 1, of a function or of an arc. */
static void
add_costs(struct callgrind *c, uint32_t n, bool arc, const uint64_t *cost)
{
	for (size_t i = 0; i < c->ncolumns && !c->bad; i++) {
		struct callgrind_event *e = &c->event[c->of_column[i] % CALLGRIND_EVENTS];
		uint64_t *sum;

		if (cost[i] == 0 || c->of_column[i] == CALLGRIND_EVENTS)
			continue;
		sum = make_row(&e->cost[arc ? COSTS_ARC : COSTS_SELF], n - 1, sizeof *sum, MAKE_MOST, "costs", c->err);
		c->bad = sum == NULL;
		if (sum != NULL)
			*sum = num_add(*sum, cost[i]);
		e->sum = arc ? e->sum : num_add(e->sum, cost[i]);
	}
}

static uint32_t
arc_of(struct callgrind *c)
{
	struct callgrind_arc arc = { c->function, c->callee, 0 };
	uint64_t pair = (uint64_t)c->function << 32 | c->callee;
	uint32_t found = idmap_get(&c->by_pair, pair);

	if (found != 0)
		return found;
	c->bad |= !make_add(&c->arcs, &c->narcs, &arc, sizeof arc, MAKE_MOST, "arcs", c->err) ||
	    !idmap_put(&c->by_pair, pair, (uint32_t)c->narcs, c->err);
	return (uint32_t)c->narcs;
}

static void
arc_costs(struct callgrind *c, const uint64_t *cost)
{
	uint32_t n = arc_of(c);
	struct callgrind_arc *arc;
	struct callgrind_function *f;

	if (c->bad)
		return;
	arc = &SCRATCH(c->arcs, struct callgrind_arc)[n - 1];
	f = &SCRATCH(c->functions, struct callgrind_function)[c->callee - 1];
	arc->calls = num_add(arc->calls, c->calls);
	f->calls = num_add(f->calls, c->calls);
	add_costs(c, n, true, cost);
}

/* The line behind calls= has the cost of the calls, all others that of lines of the function. */
static void
cost_line(struct callgrind *c, struct str line)
{
	uint64_t cost[CALLGRIND_EVENTS];
	bool called = c->called, fits = read_costs(c, line, cost) && c->function != 0;

	c->called = false;
	if (called && fits && c->callee != 0)
		arc_costs(c, cost);
	else if (!called && fits)
		add_costs(c, c->function, false, cost);
	c->count[CALLGRIND_COSTS] += fits;
	c->count[CALLGRIND_BAD_COSTS] += !called && !fits;
	c->count[CALLGRIND_BAD_ARCS] += called && (!fits || c->callee == 0);
}

static void
calls_line(struct callgrind *c, struct str s)
{
	s = str_skip_blanks(s);
	c->called = true;
	if (!str_number_any(&s, &c->calls) || (s.n > 0 && !is_blank(s.s[0])))
		c->callee = 0;
}

/* ---- head ------------------------------------------------------------------------------- */

/* The next word of a list; false: there is none. */
static bool
callgrind_word(struct str *rest, struct str *name)
{
	*rest = str_skip_blanks(*rest);
	(void)str_split_any(rest, " \t", name);
	return name->n > 0;
}

static size_t
event_named_so(struct callgrind *c, struct str name)
{
	size_t i = 0;

	while (i < c->nevents && !str_eq(c->event[i].name, name))
		i++;
	if (i == c->nevents && i < CALLGRIND_EVENTS)
		c->event[c->nevents++].name = name;
	return i;
}

/* The columns of costs from here on.  Parts of a file may have different ones. */
static void
events_line(struct callgrind *c, struct str rest)
{
	struct str name;
	size_t event;

	c->ncolumns = 0;
	while (callgrind_word(&rest, &name)) {
		event = event_named_so(c, name);
		for (size_t i = 0; i < c->ncolumns; i++)
			event = c->of_column[i] == event ? CALLGRIND_EVENTS : event;
		c->count[CALLGRIND_EXTRA] += event == CALLGRIND_EVENTS;
		if (c->ncolumns < CALLGRIND_EVENTS)
			c->of_column[c->ncolumns++] = (uint8_t)event;
	}
}

static void
positions_line(struct callgrind *c, struct str s)
{
	struct str name;

	for (c->npositions = 0; callgrind_word(&s, &name); c->npositions++)
		;
}

/* Sums of the file, which the sums of its lines are compared with. */
static bool
sums_line(struct callgrind *c, struct str s, bool totals)
{
	uint64_t n;

	for (size_t i = 0; i < c->ncolumns; i++) {
		struct callgrind_event *e = &c->event[c->of_column[i] % CALLGRIND_EVENTS];

		s = str_skip_blanks(s);
		if (s.n == 0 || !str_number_any(&s, &n))
			return i > 0;
		if (c->of_column[i] == CALLGRIND_EVENTS)
			continue;
		if (totals)
			e->totals = num_add(e->totals, n);
		else
			e->summary = num_add(e->summary, n);
	}
	return c->ncolumns > 0;
}

/* Start of another file in the same text.  Its IDs are independent. */
static void
callgrind_version(struct callgrind *c)
{
	for (size_t i = 0; i < CALLGRIND_NAMES; i++)
		idmap_clear(&c->ids[i]);
	idmap_clear(&c->by_id);
	c->function = c->callee = 0;
	c->file = c->object = STR("");
}

static bool
head_line(struct callgrind *c, struct str line)
{
	static const char *const others[] = { "pid:", "thread:", "desc:", "event:", "rate:", "caller:", "target:" };

	if (str_take(&line, STR("events:"))) {
		events_line(c, line);
	} else if (str_take(&line, STR("positions:"))) {
		positions_line(c, line);
	} else if (str_take(&line, STR("summary:"))) {
		c->has_summary |= sums_line(c, line, false);
	} else if (str_take(&line, STR("totals:"))) {
		c->has_totals |= sums_line(c, line, true);
	} else if (str_take(&line, STR("version:"))) {
		callgrind_version(c);
	} else if (str_take(&line, STR("part:"))) {
		c->count[CALLGRIND_PARTS]++;
	} else if (str_take(&line, STR("creator:"))) {
		c->recorder = str_trim(line);
		c->exact |= str_has_prefix(c->recorder, STR("callgrind"));
	} else if (str_take(&line, STR("cmd:"))) {
		c->command = str_trim(line);
	} else {
		for (size_t i = 0; i < NELEM(others); i++)
			if (str_has_prefix(line, str_of(others[i])))
				return true;
		return false;
	}
	return true;
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool
is_jump(struct str line)
{
	return str_has_prefix(line, STR("jump=")) || str_has_prefix(line, STR("jcnd=")) || str_has_prefix(line, STR("jfi=")) ||
	    str_has_prefix(line, STR("jfn="));
}

static bool
is_cost(struct str line)
{
	return is_digit(line.s[0]) || line.s[0] == '+' || line.s[0] == '-' || line.s[0] == '*';
}

static void
callgrind_line(struct callgrind *c, struct str line)
{
	struct str calls = line;

	if (line.n == 0 || line.s[0] == '#')
		return;
	if (is_cost(line)) {
		cost_line(c, line);
		return;
	}
	c->count[CALLGRIND_BAD_ARCS] += c->called;
	c->called = false;
	if (str_take(&calls, STR("calls=")))
		calls_line(c, calls);
	else if (is_jump(line))
		c->count[CALLGRIND_JUMPS] += line.s[1] != 'f';
	else if (!place_line(c, line) && !head_line(c, line))
		c->count[CALLGRIND_UNREAD]++;
}

/* A last line without an end may be cut inside a number or a name. */
static void
cut_line(struct callgrind *c, struct str line)
{
	line = str_skip_blanks(line);
	c->count[CALLGRIND_CUT] = line.n > 0 && line.s[0] != '#' && !head_line(c, line);
}

void
callgrind_read(struct callgrind *c)
{
	struct str line;

	c->npositions = 1;
	while (!c->bad && str_line(&c->rest, &line)) {
		uint64_t at = c->text.n - c->rest.n;

		if (at >= c->ticked) {
			c->ticked = at + TICK;
			c->bad = !work_go(c->work, at, c->err);
		}
		if (!c->bad)
			callgrind_line(c, str_skip_blanks(line));
	}
	if (!c->bad)
		cut_line(c, c->rest);
	c->count[CALLGRIND_BAD_ARCS] += c->called;
}
