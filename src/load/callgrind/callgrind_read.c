/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_read: the lines of a profile of callgrind, cachegrind, or of another program that writes their format.
 */
#include "config.h"

#include "callgrind.h"

#define TICK 65536u
#define LARGE (1ull << 30)	/* a file of that size has room for no events of threads */

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

/*
 * The function that a value means.  Its ID is its identity, because several can have one name; without, name and object are.
 * Each part may define its IDs again, so a function that has the same ID, name and object is the same.
 */
static uint32_t
function_of(struct callgrind *c, struct str value, struct str file, struct str object)
{
	struct callgrind_function f = { .name = name_of(c, NAMES_FUNCTION, value), .file = file, .object = object };
	struct str rest;
	uint64_t id = 0, key;
	bool has_id = callgrind_id(value, &id, &rest);
	uint32_t found = has_id ? idmap_get(&c->by_id, id) : 0;

	if (found != 0 || c->bad)
		return found;
	key = idmap_hash_text(f.name, idmap_hash_text(object, has_id ? id + 1 : 0));
	if (!idmap_enter(&c->by_name, key, (uint32_t)(c->nfunctions + 1), &found, c->err) ||
	    (has_id && !idmap_put(&c->by_id, id, found, c->err)))
		c->bad = true;
	else if (found > c->nfunctions)
		c->bad = !make_add(&c->functions, &c->nfunctions, &f, sizeof f, MAKE_MOST, "functions", c->err);
	return found;
}

/* The next lines are in another file. */
static void
begin_file(struct callgrind *c, struct str file)
{
	c->line_file = file;
	c->file_hash = 0;
	c->place = 0;
}

static void
begin_function(struct callgrind *c, struct str value)
{
	c->function = function_of(c, value, c->file, c->object);
	c->callee = 0;
	c->has_called_file = c->has_called_object = false;
	begin_file(c, c->file);
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
		begin_file(c, c->file);
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
		begin_file(c, name_of(c, NAMES_FILE, str_skip_blanks(line)));
	} else {
		return false;
	}
	return true;
}

/* ---- head ------------------------------------------------------------------------------- */

static void
calls_line(struct callgrind *c, struct str s)
{
	s = str_skip_blanks(s);
	c->called = true;
	if (!str_number_any(&s, &c->calls) || (s.n > 0 && !is_blank(s.s[0])))
		c->callee = 0;
}

static void
positions_line(struct callgrind *c, struct str s)
{
	struct str name;

	c->line_position = SIZE_MAX;
	for (c->npositions = 0; callgrind_word(&s, &name); c->npositions++)
		if (str_eq(name, STR("line")))
			c->line_position = c->npositions;
}

/* Sums of the file, which the sums of its lines are compared with. */
static bool
sums_line(struct callgrind *c, struct str s, bool totals)
{
	uint64_t n;

	for (size_t i = 0; i < c->ncolumns; i++) {
		struct callgrind_event *e = &c->event[c->of_column[i].all % CALLGRIND_EVENTS];

		s = str_skip_blanks(s);
		if (s.n == 0 || !str_number_any(&s, &n))
			return i > 0;
		if (c->of_column[i].all == CALLGRIND_EVENTS)
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
	begin_file(c, c->file);
	callgrind_no_thread(c);
}

static bool
head_line(struct callgrind *c, struct str line)
{
	uint64_t number;
	static const char *const others[] = { "pid:", "desc:", "event:", "rate:", "caller:", "target:" };

	if (str_take(&line, STR("events:"))) {
		callgrind_events(c, line);
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
		callgrind_no_thread(c);
	} else if (str_take(&line, STR("thread:"))) {
		line = str_skip_blanks(line);
		if (str_number(&line, &number) && line.n == 0)
			callgrind_thread(c, number);
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
		callgrind_cost_line(c, line);
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
	c->most_events = c->text.n == 0 ? 0 : CALLGRIND_COLUMNS + (size_t)(LARGE / c->text.n);
	if (c->most_events > CALLGRIND_EVENTS)
		c->most_events = CALLGRIND_EVENTS;
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
	callgrind_join_threads(c);
}
