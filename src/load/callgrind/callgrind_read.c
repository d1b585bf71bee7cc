/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_read: the lines of a profile of callgrind, cachegrind, or of another program that writes their
 * format.
 */
#include "config.h"

#include "icecore/scan.h"
#include "callgrind.h"

#define LARGE (1ull << 30)	/* a file of that size has room for no events of threads */

/* ---- names ------------------------------------------------------------------------------ */

/* "(12) name", "(12)": true with the ID; name: what follows, empty if nothing does. */
static bool
callgrind_id(struct str s, uint64_t *id, struct str *name)
{
	if (!scan(&s, "(") || !str_number(&s, id) || !scan(&s, ")") || (s.n > 0 && s.s[0] != ' '))
		return false;
	*name = str_skip_blanks(s);
	return true;
}

/*
 * The name that a value means: a text, or what its ID was given earlier; of an unknown ID the value itself.
 */
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
	MAKE_PUT(c, names, name, MAKE_MOST, "names");
	c->bad = c->bad || !idmap_put(&c->ids[kind], id, (uint32_t)c->nnames, c->err);
	return name;
}

/*
 * The function that a value means.  Its ID is its identity, because several can have one name; without, name
 * and object are. Each part may define its IDs again, so a function that has the same ID, name and object is
 * the same.
 */
static uint32_t
function_of(struct callgrind *c, struct str value, struct str file, struct str object)
{
	struct callgrind_function f = { .name = name_of(c, NAMES_FUNCTION, value), .file = file,
	    .object = object };
	struct str rest;
	uint64_t id = 0, key;
	bool has_id = callgrind_id(value, &id, &rest);
	uint32_t found = has_id ? idmap_get(&c->by[BY_ID], id) : 0;

	if (found != 0 || c->bad)
		return found;
	key = idmap_hash_text(f.name, idmap_hash_text(object, has_id ? id + 1 : 0));
	c->bad = !idmap_enter(&c->by[BY_NAME], key, (uint32_t)(c->nfunctions + 1), &found, c->err) ||
	    (has_id && !idmap_put(&c->by[BY_ID], id, found, c->err));
	if (found > c->nfunctions)
		MAKE_PUT(c, functions, f, MAKE_MOST, "functions");
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
	c->call.callee = 0;
	c->call.file.s = c->call.object.s = NULL;
	begin_file(c, c->file);
}

static void
begin_callee(struct callgrind *c, struct str value)
{
	c->call.callee = function_of(c, value, c->call.file.s != NULL ? c->call.file : c->file,
	    c->call.object.s != NULL ? c->call.object : c->object);
	c->call.file.s = c->call.object.s = NULL;
}

/* A line with "=". */
static bool
place_line(struct callgrind *c, struct str key, struct str value)
{
	if (str_is(key, "fn")) {
		begin_function(c, value);
	} else if (str_is(key, "cfn")) {
		begin_callee(c, value);
	} else if (str_is(key, "fl")) {
		c->file = name_of(c, NAMES_FILE, value);
		begin_file(c, c->file);
	} else if (str_is(key, "ob")) {
		c->object = name_of(c, NAMES_OBJECT, value);
	} else if (str_is(key, "cob")) {
		c->call.object = name_of(c, NAMES_OBJECT, value);
	} else if (str_is(key, "cfi") || str_is(key, "cfl")) {
		c->call.file = name_of(c, NAMES_FILE, value);
	} else if (str_is(key, "fi") || str_is(key, "fe")) {
		/* Inlined lines of another file still are of this function. */
		begin_file(c, name_of(c, NAMES_FILE, value));
	} else if (str_is(key, "jump") || str_is(key, "jcnd") || str_is(key, "jfi") || str_is(key, "jfn")) {
		c->count[CALLGRIND_JUMPS] += key.s[1] != 'f';
	} else {
		return false;
	}
	return true;
}

/* ---- head ------------------------------------------------------------------------------- */

static void
calls_line(struct callgrind *c, struct str s)
{
	c->call.open = true;
	if (!str_number_any(&s, &c->call.calls) || (s.n > 0 && !is_blank(s.s[0])))
		c->call.callee = 0;
}

static void
positions_line(struct callgrind *c, struct str s)
{
	struct str name;

	c->line_position = SIZE_MAX;
	for (c->npositions = 0; callgrind_word(&s, &name); c->npositions++)
		if (str_is(name, "line"))
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
	idmap_clear(&c->by[BY_ID]);
	c->function = c->call.callee = 0;
	c->file = c->object = STR("");
	begin_file(c, c->file);
	callgrind_no_thread(c);
}

static bool
head_line(struct callgrind *c, struct str line)
{
	static const char *const others[] = { "pid", "desc", "event", "rate", "caller", "target" };
	struct str key = str_until(line, ':'), value = str_after(line, key.n + 1);
	uint64_t number;

	if (key.n == line.n)
		return false;
	if (str_is(key, "events")) {
		callgrind_events(c, value);
	} else if (str_is(key, "positions")) {
		positions_line(c, value);
	} else if (str_is(key, "summary")) {
		c->has_summary |= sums_line(c, value, false);
	} else if (str_is(key, "totals")) {
		c->has_totals |= sums_line(c, value, true);
	} else if (str_is(key, "version")) {
		callgrind_version(c);
	} else if (str_is(key, "part")) {
		c->count[CALLGRIND_PARTS]++;
		callgrind_no_thread(c);
	} else if (str_is(key, "thread")) {
		if (scan(&value, "%_%u$", &number))
			callgrind_thread(c, number);
	} else if (str_is(key, "creator")) {
		c->recorder = str_trim(value);
		c->exact |= str_begins(c->recorder, "callgrind");
	} else if (str_is(key, "cmd")) {
		c->command = str_trim(value);
	} else
		return str_is_one(others, NELEM(others), key);
	return true;
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool
is_cost(struct str line)
{
	return is_digit(line.s[0]) || line.s[0] == '+' || line.s[0] == '-' || line.s[0] == '*';
}

static void
callgrind_line(struct callgrind *c, struct str line)
{
	struct str key, value;

	if (line.n == 0 || line.s[0] == '#')
		return;
	if (is_cost(line)) {
		callgrind_cost_line(c, line);
		return;
	}
	c->count[CALLGRIND_BAD_ARCS] += c->call.open;
	c->call.open = false;
	key = str_until(line, '=');
	value = str_skip_blanks(str_after(line, key.n + 1));
	if (key.n < line.n && str_is(key, "calls"))
		calls_line(c, value);
	else if ((key.n == line.n || !place_line(c, key, value)) && !head_line(c, line))
		c->count[CALLGRIND_UNREAD]++;
}

/*
 * Read a last line without an end.  A line with all its costs may be complete; any other line is cut inside a
 * number or a name.
 */
static void
last_line(struct callgrind *c, struct str line)
{
	struct str rest = line, word;
	size_t n = 0;

	while (callgrind_word(&rest, &word))
		n++;
	if (n > 0 && is_cost(line) && n == c->npositions + c->ncolumns) {
		c->count[CALLGRIND_LAST] = 1;
		callgrind_line(c, line);
	} else
		c->count[CALLGRIND_CUT] = n > 0 && line.s[0] != '#' && !head_line(c, line);
}

void
callgrind_read(struct callgrind *c)
{
	struct str line;

	c->npositions = 1;
	c->most_events = c->text.n == 0 ? 0 : CALLGRIND_COLUMNS + (size_t)(LARGE / c->text.n);
	if (c->most_events > CALLGRIND_EVENTS)
		c->most_events = CALLGRIND_EVENTS;
	while (!c->bad && lines_next(&c->lines, &line)) {
		c->bad = !lines_look(&c->lines, lines_at(&c->lines), c->work, c->err);
		line = str_skip_blanks(line);
		if (c->bad)
			break;
		if (c->lines.cut)
			last_line(c, line);
		else
			callgrind_line(c, line);
	}
	c->count[CALLGRIND_BAD_ARCS] += c->call.open;
	callgrind_join_threads(c);
}
