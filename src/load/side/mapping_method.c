/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find the original of a method in a mapping file: by its signature, by its line, otherwise all candidates.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "mapping.h"

/* More candidates are shown as "...". */
#define CANDIDATES 32u
#define INLINED 16u

/*
 * Lines with the same name and range are frames inlined into each other, innermost first: members first ..
 * last.
 */
struct run {
	uint64_t	first, last;
};

struct search {
	struct mapping		*m;
	const struct map_method	*method;
	uint64_t		 from, to;	/* members with the name */
	bool			 typed;		/* only candidates with the signature match */
	bool			 lined;		/* only candidates with the line match */
	struct str		 was[CANDIDATES];	/* number of distinct candidate names */
	unsigned		 n;
	bool			 more;
	struct run		 hit;		/* the last candidate */
};

static const struct map_member *
method_member(const struct mapping *m, uint64_t i)
{
	assert(i < m->nmembers);
	return &SCRATCH(m->members, struct map_member)[i];
}

static struct run
next_run(const struct search *s, uint64_t first)
{
	const struct map_member *a = method_member(s->m, first), *b;
	struct run r = { first, first };

	assert(first < s->to);
	while (a->ranged && r.last + 1 < s->to) {
		b = method_member(s->m, r.last + 1);
		if (!b->ranged || b->from != a->from || b->to != a->to)
			break;
		r.last++;
	}
	return r;
}

static bool
is_words(struct str signature)
{
	return signature.n > 1 && signature.s[0] == '(' && signature.s[signature.n - 1] == ')';
}

/* "(La/b;I)V": arguments and result in the words of the file. */
static bool
has_types(const struct search *s, const struct map_member *e)
{
	struct str rest = str_after(s->method->signature, 1);
	struct buf *b = &s->m->args;

	buf_clear(b);
	while (rest.n > 0 && rest.s[0] != ')') {
		if (b->n > 0)
			buf_chr(b, ',');
		mapping_type(s->m, &rest, b);
	}
	if (rest.n == 0 || !str_eq(buf_view(b), e->args))
		return false;
	buf_clear(b);
	rest = str_after(rest, 1);
	mapping_type(s->m, &rest, b);
	return str_eq(buf_view(b), e->type);
}

static bool
has_signature(const struct search *s, const struct run *r)
{
	const struct map_member *e = method_member(s->m, r->last);
	struct str signature = s->method->signature;

	if (is_words(signature)) {
		buf_clear(&s->m->args);
		mapping_words(s->m, (struct str){ signature.s + 1, signature.n - 2 }, STR(","), &s->m->args);
		return str_eq(buf_view(&s->m->args), e->args);
	}
	return e->residual.n > 0 ? str_eq(e->residual, signature) : has_types(s, e);
}

static bool
has_line(const struct search *s, const struct run *r)
{
	const struct map_member *e = method_member(s->m, r->last);

	return e->ranged && s->method->line > 0 && (uint64_t)s->method->line >= e->from &&
	    (uint64_t)s->method->line <= e->to;
}

static bool
method_counts(const struct search *s, const struct run *r)
{
	return (!s->typed || has_signature(s, r)) && (!s->lined || has_line(s, r));
}

/* Restrict the candidates by signature and by line; a restriction that would leave none is ignored. */
static void
method_choose(struct search *s)
{
	bool typed = false, lined = false;
	struct run r;

	if (s->method->signature.n > 1 && s->method->signature.s[0] == '(')
		for (uint64_t i = s->from; i < s->to && !typed; i = r.last + 1) {
			r = next_run(s, i);
			typed = has_signature(s, &r);
		}
	s->typed = typed;
	for (uint64_t i = s->from; s->method->line > 0 && i < s->to && !lined; i = r.last + 1) {
		r = next_run(s, i);
		lined = method_counts(s, &r) && has_line(s, &r);
	}
	s->lined = lined;
}

static void
method_add_name(struct search *s, struct str was)
{
	for (unsigned i = 0; i < s->n; i++)
		if (str_eq(s->was[i], was))
			return;
	if (s->n < CANDIDATES)
		s->was[s->n++] = was;
	else
		s->more = true;
}

static bool
method_search(struct search *s, struct str name)
{
	struct run r;

	s->to = mapping_find(s->m, name, true, &s->from);
	if (s->from == s->to)
		return false;
	method_choose(s);
	for (uint64_t i = s->from; i < s->to; i = r.last + 1) {
		r = next_run(s, i);
		if (!method_counts(s, &r))
			continue;
		method_add_name(s, method_member(s->m, r.last)->was);
		s->hit = r;
	}
	return s->n > 0;
}

/* "pkg.Other.name" belongs to another class. */
static struct str
split_owner(struct str was, struct str *owner)
{
	*owner = STR("");
	str_divide_last(was, '.', owner, &was);
	return was;
}

static void
add_names(struct search *s, struct str *owner, struct buf *b)
{
	assert(s->n > 0);
	*owner = STR("");
	if (s->n == 1) {
		buf_str(b, split_owner(s->was[0], owner));
		return;
	}
	s->m->ambiguous++;
	for (unsigned i = 0; i < s->n; i++) {
		if (i > 0)
			buf_chr(b, '|');
		buf_str(b, s->was[i]);
	}
	buf_str(b, s->more ? STR("|... (ambiguous)") : STR(" (ambiguous)"));
}

static int64_t
old_line(const struct map_member *e, int64_t line)
{
	uint64_t at = (uint64_t)line - e->from, old = e->moved ? e->orig_from : (uint64_t)line;

	/* A range of the same length was moved; for other ranges the first line is used. */
	assert(e->ranged && line > 0 && (uint64_t)line >= e->from && (uint64_t)line <= e->to);
	if (e->orig_to > e->orig_from && e->orig_to - e->orig_from == e->to - e->from)
		old = e->orig_from + at;
	return old > 0 && old <= INT32_MAX ? (int64_t)old : -1;
}

bool
mapping_method(struct mapping *m, struct str name, const struct map_method *method, struct str *owner,
    int64_t *line, struct buf *b)
{
	struct search s = { .m = m, .method = method };

	*owner = STR("");
	if (!method_search(&s, name))
		return false;
	add_names(&s, owner, b);
	if (s.lined && s.n == 1)
		*line = old_line(method_member(m, s.hit.last), method->line);
	return true;
}

/* "outer [inlined Helper.inner:70]": the inlined methods, outermost first. */
static void
add_inlined(const struct search *s, int64_t line, struct buf *b)
{
	const struct map_member *e;
	uint64_t levels = 0;
	int64_t old;

	for (uint64_t i = s->hit.last; i-- > s->hit.first; levels++) {
		e = method_member(s->m, i);
		buf_str(b, levels == 0 ? STR(" [inlined ") : STR(", "));
		if (levels == INLINED) {
			buf_str(b, STR("..."));
			break;
		}
		buf_str(b, e->was);
		old = old_line(e, line);
		if (old > 0)
			buf_printf(b, ":%lld", (long long)old);
	}
	if (s->hit.last > s->hit.first)
		buf_chr(b, ']');
}

bool
mapping_frame(struct mapping *m, struct str name, const struct map_method *method, int64_t *line,
    struct buf *b)
{
	struct search s = { .m = m, .method = method };
	const struct map_member *outer;
	struct str owner;

	if (!method_search(&s, name))
		return false;
	if (!s.lined || s.n > 1) {
		add_names(&s, &owner, b);
		return true;
	}
	outer = method_member(m, s.hit.last);
	buf_str(b, split_owner(outer->was, &owner));
	add_inlined(&s, method->line, b);
	*line = old_line(outer, method->line);
	return true;
}
