/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pstats: what cProfile saves, a dict of Python in marshal format:
 * {(file, line, name): (primitive calls, calls, self, total, {caller: (calls, primitive calls, self, total)})}.
 *
 * Values that come again are references by number.  Only what such a dict has is read; the rest ends it.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/bytes.h"
#include "callgrind.h"

#define FLAG 0x80		/* later values may refer to this one */
#define EVENT "ns"
#define SECONDS_MOST 9e9	/* longer times are clipped */

enum marshal_kind { MARSHAL_OTHER, MARSHAL_NUMBER, MARSHAL_REAL, MARSHAL_TEXT, MARSHAL_FUNCTION, MARSHAL_COSTS };

struct marshal_value {
	enum marshal_kind kind;
	uint64_t	 n;		/* a number; the function, from 1; the calls of costs */
	uint64_t	 ns;		/* a real number, or the total of costs, as seconds */
	struct str	 text;
};

struct pstats {
	struct callgrind *c;
	struct str	 rest;
	struct scratch	 refs;		/* struct marshal_value */
	struct scratch	 lines;		/* u64: where a function begins */
	uint64_t	 nrefs, nlines;
	bool		 end;		/* truncated, or another value than expected */
};

/* ---- values ----------------------------------------------------------------------------- */

/* Take n bytes; NULL: fewer are left, which ends reading. */
static const uint8_t *
marshal_take(struct pstats *p, uint64_t n)
{
	const uint8_t *at = (const uint8_t *)p->rest.s;

	p->end |= n > p->rest.n;
	if (p->end)
		return NULL;
	p->rest = str_after(p->rest, (size_t)n);
	return at;
}

static uint64_t
marshal_number(struct pstats *p, unsigned size)
{
	const uint8_t *at = marshal_take(p, size);

	return at == NULL ? 0 : size == 1 ? at[0] : size == 4 ? le32(at) : le64(at);
}

static struct str
marshal_text(struct pstats *p, unsigned size)
{
	uint64_t n = marshal_number(p, size);
	const uint8_t *at = marshal_take(p, n);

	return at == NULL ? STR("") : (struct str){ (const char *)at, (size_t)n };
}

static uint64_t
marshal_ns(struct pstats *p)
{
	uint64_t bits = marshal_number(p, 8);
	double seconds;

	memcpy(&seconds, &bits, sizeof seconds);
	return !(seconds > 0) ? 0 : (uint64_t)((seconds < SECONDS_MOST ? seconds : SECONDS_MOST) * 1e9 + 0.5);
}

/* Keep a value for later references.  Return its number; SIZE_MAX: no value refers to it. */
static uint64_t
marshal_keep(struct pstats *p, uint8_t type, struct marshal_value v)
{
	if ((type & FLAG) == 0 && type != 't')
		return SIZE_MAX;
	p->c->bad = p->c->bad || !make_add(&p->refs, &p->nrefs, &v, sizeof v, MAKE_MOST, "values", p->c->err);
	return p->nrefs - 1;
}

/* Read a value that contains no others, or a reference to any value. */
static struct marshal_value
marshal_value(struct pstats *p, uint8_t type)
{
	struct marshal_value v = { .kind = MARSHAL_OTHER };
	uint64_t i;

	switch (type & ~FLAG) {
	case 'r':
	case 'R':
		i = marshal_number(p, 4);
		p->end |= i >= p->nrefs;
		return p->end ? v : SCRATCH(p->refs, struct marshal_value)[i];
	case 'i':
	case 'I':
		v.kind = MARSHAL_NUMBER;
		v.n = marshal_number(p, (type & ~FLAG) == 'i' ? 4 : 8);
		break;
	case 'g':
		v.kind = MARSHAL_REAL;
		v.ns = marshal_ns(p);
		break;
	case 'z': case 'Z': case 'a': case 'A': case 'u': case 's': case 't':
		v.kind = MARSHAL_TEXT;
		v.text = marshal_text(p, (type & ~FLAG) == 'z' || (type & ~FLAG) == 'Z' ? 1 : 4);
		break;
	default:
		p->end = true;
		return v;
	}
	(void)marshal_keep(p, type, v);
	return v;
}

/* Read the next value, which must be of that kind. */
static struct marshal_value
marshal_next(struct pstats *p, enum marshal_kind kind)
{
	struct marshal_value v = marshal_value(p, (uint8_t)marshal_number(p, 1));

	p->end |= v.kind != kind;
	return v;
}

/* Enter a tuple of n values and return its number for references. */
static uint64_t
marshal_tuple(struct pstats *p, uint8_t type, uint64_t n)
{
	bool small = (type & ~FLAG) == ')';

	p->end |= (!small && (type & ~FLAG) != '(') || marshal_number(p, small ? 1 : 4) != n;
	return p->end ? SIZE_MAX : marshal_keep(p, type, (struct marshal_value){ .kind = MARSHAL_OTHER });
}

static void
marshal_kept(struct pstats *p, uint64_t number, struct marshal_value v)
{
	if (number != SIZE_MAX && !p->c->bad)
		SCRATCH(p->refs, struct marshal_value)[number] = v;
}

/* ---- functions and calls ---------------------------------------------------------------- */

/* Read a key (file, line, name) and return its function; 0: another value. */
static uint32_t
pstats_function(struct pstats *p, uint8_t type)
{
	struct callgrind_function f = { .object = STR("") };
	struct callgrind *c = p->c;
	struct marshal_value v;
	uint64_t number, line, key;
	uint32_t found = 0;

	if ((type & ~FLAG) == 'r') {
		v = marshal_value(p, type);
		p->end |= v.kind != MARSHAL_FUNCTION;
		return p->end ? 0 : (uint32_t)v.n;
	}
	number = marshal_tuple(p, type, 3);
	f.file = marshal_next(p, MARSHAL_TEXT).text;
	line = marshal_next(p, MARSHAL_NUMBER).n;
	f.name = marshal_next(p, MARSHAL_TEXT).text;
	if (p->end || c->bad)
		return 0;
	/* Functions of C have the file "~". */
	if (str_is(f.file, "~"))
		f.file = STR("");
	key = idmap_hash_text(f.name, idmap_hash_text(f.file, line));
	c->bad = !idmap_enter(&c->by[BY_NAME], key, (uint32_t)(c->nfunctions + 1), &found, c->err);
	if (found > c->nfunctions) {
		MAKE_PUT(c, functions, f, MAKE_MOST, "functions");
		c->bad = c->bad || !scratch_add(&p->lines, &p->nlines, &line, sizeof line, c->err);
	}
	marshal_kept(p, number, (struct marshal_value){ .kind = MARSHAL_FUNCTION, .n = found });
	return c->bad ? 0 : found;
}

/* The next costs belong to this function, at the line where it begins: the file has no other lines. */
static void
pstats_at(struct pstats *p, uint32_t function)
{
	struct callgrind *c = p->c;

	assert(function != 0 && function <= p->nlines);
	c->function = function;
	c->line_file = SCRATCH(c->functions, struct callgrind_function)[function - 1].file;
	c->line = SCRATCH(p->lines, uint64_t)[function - 1];
	c->file_hash = 0;
	c->place = 0;
}

/* Read the costs of a caller.  The Python module profile writes only the number of calls. */
static struct marshal_value
pstats_costs(struct pstats *p)
{
	uint8_t type = (uint8_t)marshal_number(p, 1);
	struct marshal_value v = { .kind = MARSHAL_COSTS };
	uint64_t number;

	if ((type & ~FLAG) != ')' && (type & ~FLAG) != '(')
		return marshal_value(p, type);
	number = marshal_tuple(p, type, 4);
	v.n = marshal_next(p, MARSHAL_NUMBER).n;
	(void)marshal_next(p, MARSHAL_NUMBER);
	(void)marshal_next(p, MARSHAL_REAL);
	v.ns = marshal_next(p, MARSHAL_REAL).ns;
	marshal_kept(p, number, v);
	return v;
}

/* Read the callers of a function.  Calls that no caller has came from outside the file. */
static void
pstats_callers(struct pstats *p, uint32_t callee, uint64_t calls)
{
	uint8_t type = (uint8_t)marshal_number(p, 1);
	struct callgrind *c = p->c;
	struct marshal_value v;
	uint32_t caller;

	p->end |= (type & ~FLAG) != '{';
	(void)marshal_keep(p, type, (struct marshal_value){ .kind = MARSHAL_OTHER });
	while (!p->end && !c->bad && (type = (uint8_t)marshal_number(p, 1)) != '0') {
		caller = pstats_function(p, type);
		v = pstats_costs(p);
		p->end |= v.kind != MARSHAL_COSTS && v.kind != MARSHAL_NUMBER;
		if (p->end || c->bad)
			return;
		pstats_at(p, caller);
		c->call.callee = callee;
		c->call.calls = v.n;
		calls -= v.n < calls ? v.n : calls;
		callgrind_called(c, &v.ns);
	}
	callgrind_outer_calls(c, callee, calls);
}

static void
pstats_entry(struct pstats *p, uint8_t type)
{
	uint32_t function = pstats_function(p, type);
	uint64_t calls, self;

	(void)marshal_tuple(p, (uint8_t)marshal_number(p, 1), 5);
	(void)marshal_next(p, MARSHAL_NUMBER);
	calls = marshal_next(p, MARSHAL_NUMBER).n;
	self = marshal_next(p, MARSHAL_REAL).ns;
	(void)marshal_next(p, MARSHAL_REAL);
	if (p->end || p->c->bad)
		return;
	pstats_at(p, function);
	p->c->count[CALLGRIND_COSTS]++;
	callgrind_self(p->c, &self);
	pstats_callers(p, function, calls);
}

/* ---- file ------------------------------------------------------------------------------- */

bool
pstats_sniff(const uint8_t *head, size_t n)
{
	unsigned tuple = n > 3 ? head[1] & ~FLAG : 0;

	return n > 3 && (head[0] & ~FLAG) == '{' && head[2] == 3 && (tuple == ')' || (tuple == '(' && head[3] == 0));
}

void
pstats_read(struct callgrind *c)
{
	struct pstats p = { .c = c, .rest = c->text };
	uint8_t type = (uint8_t)marshal_number(&p, 1);

	c->bad = !texts_place(&c->texts, STR(EVENT), &c->event[0].own, c->err);
	c->nevents = c->ncolumns = 1;
	c->of_column[0].all = 0;
	c->of_column[0].own = CALLGRIND_EVENTS;
	c->npositions = 1;
	(void)marshal_keep(&p, type, (struct marshal_value){ .kind = MARSHAL_OTHER });
	while (!p.end && !c->bad && (type = (uint8_t)marshal_number(&p, 1)) != '0') {
		c->bad = !work_go(c->work, (uint64_t)(p.rest.s - c->text.s), c->err);
		if (!c->bad)
			pstats_entry(&p, type);
	}
	c->count[CALLGRIND_BAD_COSTS] += p.end;
	SCRATCH_FREE(&p.refs, &p.lines);
}
