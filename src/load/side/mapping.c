/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read mapping.txt of R8 and ProGuard: one pass for the classes; members of a class are parsed on demand.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/json.h"
#include "icecore/scan.h"
#include "mapping.h"

/* ---- classes -------------------------------------------------------------------------- */

/* End the last class: the lines up to end are its members. */
static void
end_class(struct mapping *m, const char *end)
{
	struct map_class *c;

	if (m->last == NULL)
		return;
	assert(m->nclasses > 0);
	c = &SCRATCH(m->classes, struct map_class)[m->nclasses - 1];
	assert(end >= c->body.s);
	c->body.n = (size_t)(end - c->body.s);
}

static bool
mapping_read_class(struct mapping *m, struct str line, const char *next, struct err *err)
{
	struct map_class c = { .body = { next, 0 }, .seq = (uint32_t)m->nclasses };

	if (!str_divide(line, STR(" -> "), &c.was, &c.is) || c.is.n < 2 || c.is.s[c.is.n - 1] != ':' ||
	    c.was.n == 0) {
		m->ignored++;
		return true;
	}
	c.is.n--;
	end_class(m, line.s);
	if (!make_add(&m->classes, &m->nclasses, &c, sizeof c, UINT32_MAX, "classes", err))
		return false;
	m->last = &SCRATCH(m->classes, struct map_class)[m->nclasses - 1];
	return true;
}

bool
mapping_read(struct mapping *m, struct str text, struct err *err)
{
	struct lines l = lines_of(text);
	struct str line;

	m->last = NULL;
	work_start_bytes(m->s->work, "mapping", text.n);
	while (lines_next(&l, &line)) {
		if (!lines_look(&l, lines_at(&l), m->s->work, err))
			return false;
		if (line.n > 0 && !is_blank(line.s[0]) && line.s[0] != '#' &&
		    !mapping_read_class(m, line, l.rest.s, err))
			return false;
	}
	end_class(m, l.rest.s);
	m->last = NULL;
	return true;
}

/* With dots in place of slashes. */
static int
compare_names(struct str a, struct str b)
{
	size_t i, n = a.n < b.n ? a.n : b.n;
	int x, y;

	for (i = 0; i < n; i++) {
		x = a.s[i] == '/' ? '.' : (unsigned char)a.s[i];
		y = b.s[i] == '/' ? '.' : (unsigned char)b.s[i];
		if (x != y)
			return x - y;
	}
	return num_order(a.n, b.n, 0);
}

static int
by_class(const void *x, const void *y)
{
	const struct map_class *a = x, *b = y;
	int order = compare_names(a->is, b->is);

	return order != 0 ? order : num_order(a->seq, b->seq, 0);
}

bool
mapping_sort(struct mapping *m, struct err *err)
{
	struct map_class *c = SCRATCH(m->classes, struct map_class);
	uint64_t i, n = 0;

	if (!work_go(m->s->work, 0, err))
		return false;
	if (m->nclasses > 0)
		qsort(c, m->nclasses, sizeof *c, by_class);
	for (i = 0; i < m->nclasses; i++) {
		/* R8 removed these classes from the program. */
		if (str_begins(c[i].is, "R8$$REMOVED$$"))
			continue;
		/* mapping_class uses binary search. */
		assert(n == 0 || compare_names(c[n - 1].is, c[i].is) <= 0);
		if (n > 0 && compare_names(c[i].is, c[n - 1].is) == 0)
			m->doubles++;
		else
			c[n++] = c[i];
	}
	m->nclasses = n;
	return true;
}

static int
find_class(const void *name, const void *class)
{
	return compare_names(*(const struct str *)name, ((const struct map_class *)class)->is);
}

const struct map_class *
mapping_class(const struct mapping *m, struct str name)
{
	return m->nclasses == 0 ? NULL :
	    bsearch(&name, m->classes.data, m->nclasses, sizeof(struct map_class), find_class);
}

/* ---- members ----------------------------------------------------------------------------- */

/* ":12:34" or ":12" after a method. */
static bool
read_lines(struct str s, uint64_t *from, uint64_t *to)
{
	if (!scan(&s, ":%i", from))
		return false;
	if (!scan(&s, ":%i", to))
		*to = *from;
	return true;
}

static bool
read_member(struct str line, struct map_member *e)
{
	struct str left;

	*e = (struct map_member){ .seq = 0 };
	if (!scan(&line, "%t -> ", &left) || line.n == 0)
		return false;
	e->is = line;
	e->ranged = scan(&left, "%i:%i:", &e->from, &e->to);
	if (!scan(&left, "%t ", &e->type))
		return false;
	e->method = scan(&left, "%t(", &e->was);
	if (!e->method) {
		e->was = left;
		return left.n > 0;
	}
	if (!scan(&left, "%t)", &e->args))
		return false;
	e->moved = read_lines(left, &e->orig_from, &e->orig_to);
	return e->was.n > 0;
}

/*
 * R8 writes metadata of a class or member as an object: # {"id":"sourceFile","fileName":"Main.kt"}. These
 * texts have no escapes.
 */
static void
read_comment(struct mapping *m, struct str line)
{
	struct json j = { .base = line.s, .size = line.n, .at = 1 };
	struct str name, value, id = STR(""), file = STR(""), signature = STR("");

	if (!scan_open(&j, '{'))
		return;
	while (scan_member(&j, &name) && scan_plain(&j, &value))
		if (str_is(name, "id"))
			id = value;
		else if (str_is(name, "fileName"))
			file = value;
		else if (str_is(name, "signature"))
			signature = value;
	if (str_is(id, "sourceFile"))
		m->file = file;
	else if (m->nmembers > 0 && str_ends(id, "residualsignature"))
		SCRATCH(m->members, struct map_member)[m->nmembers - 1].residual = signature;
}

static int
by_member(const void *x, const void *y)
{
	const struct map_member *a = x, *b = y;
	int order = str_cmp(a->is, b->is);

	return order != 0 ? order : num_order(a->method, b->method, num_order(a->seq, b->seq, 0));
}

bool
mapping_members(struct mapping *m, const struct map_class *class, struct err *err)
{
	struct lines l = lines_of(class->body);
	struct map_member e;
	struct str line;

	if (m->last == class)
		return true;
	m->last = NULL;
	m->nmembers = 0;
	m->file = STR("");
	while (lines_next(&l, &line)) {
		if (!work_go(m->s->work, 0, err))
			return false;
		line = str_skip_blanks(line);
		if (line.n > 0 && line.s[0] == '#')
			read_comment(m, line);
		else if (read_member(line, &e)) {
			e.seq = (uint32_t)m->nmembers;
			if (!make_add(&m->members, &m->nmembers, &e, sizeof e, UINT32_MAX, "members", err))
				return false;
		} else
			m->ignored += line.n > 0;
	}
	if (m->nmembers > 0)
		qsort(m->members.data, m->nmembers, sizeof e, by_member);
	m->last = class;
	return true;
}

uint64_t
mapping_find(const struct mapping *m, struct str name, bool method, uint64_t *from)
{
	const struct map_member *e = SCRATCH(m->members, struct map_member);
	uint64_t low = 0, high = m->nmembers, middle, to;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = str_cmp(e[middle].is, name);
		if (order < 0 || (order == 0 && e[middle].method < method))
			low = middle + 1;
		else
			high = middle;
	}
	*from = low;
	for (to = low; to < m->nmembers && e[to].method == method && str_eq(e[to].is, name); to++)
		;
	return to;
}

/* ---- types --------------------------------------------------------------------------------- */

static const char *
letter_type(char c)
{
	static const char letters[] = "ZBCSIJFDV";
	static const char *const names[] = { "boolean", "byte", "char", "short", "int", "long",
	    "float", "double", "void" };
	const char *at = c == '\0' ? NULL : strchr(letters, c);

	return at == NULL ? NULL : names[at - letters];
}

static void
add_class(const struct mapping *m, struct str name, struct buf *b)
{
	const struct map_class *c = mapping_class(m, name);
	size_t i, from = b->n;

	buf_str(b, c != NULL ? c->was : name);
	for (i = from; i < b->n; i++)
		if (b->s[i] == '/')
			b->s[i] = '.';
}

void
mapping_type(const struct mapping *m, struct str *d, struct buf *b)
{
	const char *letter, *end;
	size_t depth = 0;

	while (depth < d->n && d->s[depth] == '[')
		depth++;
	*d = str_after(*d, depth);
	if (d->n == 0)
		return;
	letter = letter_type(d->s[0]);
	end = d->s[0] == 'L' ? memchr(d->s, ';', d->n) : NULL;
	if (end != NULL)
		add_class(m, (struct str){ d->s + 1, (size_t)(end - d->s - 1) }, b);
	else
		buf_str(b, letter != NULL ? str_of(letter) : STR("?"));
	*d = str_after(*d, end != NULL ? (size_t)(end + 1 - d->s) : 1);
	while (depth-- > 0)
		buf_str(b, STR("[]"));
}

void
mapping_words(const struct mapping *m, struct str types, struct str between, struct buf *b)
{
	struct str type;
	size_t from = b->n, n;

	while (str_split(&types, ',', &type)) {
		if (b->n > from)
			buf_str(b, between);
		type = str_trim(type);
		for (n = type.n; n > 2 && type.s[n - 2] == '[' && type.s[n - 1] == ']'; n -= 2)
			;
		add_class(m, (struct str){ type.s, n }, b);
		buf_add(b, type.s + n, type.n - n);
	}
}
