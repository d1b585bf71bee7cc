/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages of async-profiler and its converter, 2.0 and later: flame graphs, whose boxes are calls of f, u and n
 * in a script, and trees, whose items say total and self.  Boxes come in the order of a walk from the root, so
 * levels are all that is needed.
 *
 * A box of version 3: f(KEY,LEVEL,LEFT[,WIDTH]), u(KEY[,WIDTH]) one level higher, n(KEY[,WIDTH]) beside the
 * last one; a missing width is that of the last box.  KEY: 8 * name + type.  Names are in the list cpool: each
 * begins with a character that says, from ' ' on, how many bytes of the name before it come first.
 * Version 2: f(LEVEL,LEFT,WIDTH,TYPE,'NAME').
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"
#include "xml.h"

#define NAMES_MOST (1u << 24)

struct pool_name {
	uint64_t	from, n;	/* in text */
};

struct flame_page {
	struct tracers_in *in;
	struct str	 rest;
	ARRAY(struct pool_name) names;
	uint64_t	 nnames;
	struct buf	 text, name;
	bool		 pool;		/* version 3 */
	bool		 old_types;	/* version 2 before 2.7 */
	uint64_t	 level, width;	/* place of the last box */
};

/* Text of a literal without backslashes; moves behind its end. */
static bool
take_literal(struct str *s, struct buf *b)
{
	size_t i;

	if (!scan(s, "'"))
		return false;
	for (i = 0; i < s->n && s->s[i] != '\'' && s->s[i] != '\n'; i++) {
		i += s->s[i] == '\\' && i + 1 < s->n;
		buf_chr(b, s->s[i]);
	}
	if (i >= s->n || s->s[i] != '\'')
		return false;
	*s = str_after(*s, i + 1);
	return true;
}

/* ---- names -------------------------------------------------------------------------------- */

/* A name of the list: plain, or packed with the one before it. */
static bool
pool_add(struct flame_page *p, struct str literal, bool packed)
{
	struct pool_name last = p->nnames > 0 ? p->names.at[p->nnames - 1] : (struct pool_name){ 0, 0 },
	    new = { p->text.n, 0 };
	size_t keep = 0;

	if (packed && literal.n > 0) {
		keep = (unsigned char)literal.s[0] < ' ' ? 0 : (size_t)((unsigned char)literal.s[0] - ' ');
		keep = p->nnames < 2 ? 0 : keep < last.n ? keep : last.n;
		literal = str_after(literal, 1);
	}
	assert(last.from + keep <= p->text.n);
	for (size_t i = 0; i < keep; i++)
		buf_chr(&p->text, p->text.s[last.from + i]);
	buf_str(&p->text, literal);
	new.n = p->text.n - new.from;
	return !p->text.bad && make_add(&p->names.raw, &p->nnames, &new, sizeof new, NAMES_MOST, "names", p->in->err);
}

static void
pool_read(struct flame_page *p)
{
	struct str before, s = p->rest;

	if (!str_divide(s, STR("const cpool = ["), &before, &p->rest))
		return;
	p->pool = true;
	s = p->rest;
	while (!p->in->bad) {
		while (s.n > 0 && is_one_of(s.s[0], "\r\n \t,"))
			s = str_after(s, 1);
		buf_clear(&p->name);
		if (!take_literal(&s, &p->name))
			break;
		p->in->bad = !pool_add(p, buf_view(&p->name), p->nnames > 0);
	}
	p->in->count[TRACED_XML] += !scan(&s, "]");
	p->rest = s;
}

/* ---- boxes -------------------------------------------------------------------------------- */

/* listed.kind of a type. */
static char
page_kind(const struct flame_page *p, unsigned type)
{
	static const char kinds[] = { '0', 'j', 'i', 0, 0, 'k', '1', 0 }, old[] = { 0, 'i', 'k', 0, 0, 0, 0, 0 };

	return p->old_types ? old[type & 7] : kinds[type & 7];
}

/* Stacks of a page with callees below: the path of levels from the last one down. */
static void
page_close(struct tracers_in *in, const struct traced_level *l)
{
	const struct traced_level *level = SCRATCH(in->levels, struct traced_level);
	uint64_t self;

	if (!in->upwards) {
		tracers_close_level(in, l);
		return;
	}
	self = tracers_self(in, l);
	if (self == 0)
		return;
	for (uint64_t i = in->nlevels + 1; i-- > 0 && !in->bad; )
		if (level[i].frame != 0)
			tracers_push_id(in, level[i].frame);
	tracers_add(in, tracers_stack(in), self, self, l->at);
}

/* A node above the root, or without one, may be the thread of those above it. */
static void
page_node(struct flame_page *p, uint64_t root, unsigned type, struct str name, uint64_t value, const char *at)
{
	struct tracers_in *in = p->in;
	struct thread_told told = { .pid = 0 };

	if (in->nlevels > root) {
		tracers_node(in, (struct traced_frame){ .name = name, .kind = page_kind(p, type) }, value, at);
		return;
	}
	in->thread = 0;
	if (frame_told(name, &told)) {
		tracers_thread(in, told.pid, told.tid, told.name);
		tracers_root(in, value, at);
	} else {
		tracers_node(in, (struct traced_frame){ .name = name, .kind = page_kind(p, type) }, value, at);
	}
}

static void
page_box(struct flame_page *p, uint64_t level, uint64_t width, unsigned type, struct str name, const char *at)
{
	tracers_level(p->in, level, page_close);
	p->level = level;
	p->width = width;
	if (level > 0) {
		page_node(p, 1, type, name, width, at);
		return;
	}
	p->old_types = !p->pool && type == 4;
	tracers_root(p->in, width, at);
}

/* The numbers in brackets, at most four, and what is behind them. */
static size_t
page_numbers(struct str *s, uint64_t v[4])
{
	size_t n = 0;

	while (n < 4 && scan(s, "%u", &v[n])) {
		n++;
		if (!scan(s, ","))
			break;
	}
	return n;
}

/* A box of a page of version 3; false: no such line. */
static bool
packed_box(struct flame_page *p, char call, const uint64_t *v, size_t n, const char *at)
{
	uint64_t level = call == 'f' ? v[1] : call == 'u' ? p->level + 1 : p->level, width = n > 1 ? v[1] : 0;
	struct str name = STR("[unknown]");

	if (call == 'f') {
		if (n < 3)
			return false;
		width = n > 3 ? v[3] : 0;
	}
	if (v[0] >> 3 < p->nnames)
		name = (struct str){ p->text.s + p->names.at[v[0] >> 3].from, p->names.at[v[0] >> 3].n };
	else
		p->in->count[TRACED_NAMES]++;
	page_box(p, level, width > 0 ? width : p->width, (unsigned)v[0] & 7, name, at);
	return true;
}

/* A line of the script; other lines are none. */
static void
page_line(struct flame_page *p, struct str line)
{
	struct str s = str_after(line, 2);
	uint64_t v[4] = { 0 };
	size_t n;

	if (line.n < 3 || line.s[1] != '(' || !is_one_of(line.s[0], p->pool ? "fun" : "f") || !is_digit(line.s[2]))
		return;
	n = page_numbers(&s, v);
	if (p->pool) {
		p->in->count[TRACED_OTHER] += !packed_box(p, line.s[0], v, n, line.s);
		return;
	}
	buf_clear(&p->name);
	if (n == 4 && take_literal(&s, &p->name))
		page_box(p, v[0], v[2], (unsigned)v[3], buf_view(&p->name), line.s);
	else
		p->in->count[TRACED_OTHER]++;
}

/* The unit that newer pages say. */
static void
page_event(struct flame_page *p)
{
	struct str before, after, unit = STR("samples");

	if (str_divide(p->in->text, STR("const units = '"), &before, &after))
		unit = str_until(after, '\'');
	if (str_is(unit, "bytes"))
		tracers_event(p->in, unit, WEIGHT_BYTES, "bytes");
	else if (str_is(unit, "ns"))
		tracers_event(p->in, unit, WEIGHT_TIME, "ns");
	else
		tracers_event(p->in, unit.n > 0 ? unit : STR("samples"), WEIGHT_COUNT, "samples");
}

void
flame_page_read(struct tracers_in *in)
{
	struct flame_page p = { .in = in, .rest = in->text };
	struct str line;

	/* From 4.0 on, "inverted" does not say whether the stacks are turned. */
	in->upwards = str_has(in->text, STR("reverse = true"));
	page_event(&p);
	pool_read(&p);
	in->lines = lines_of(p.rest);
	while (tracers_tick(in, (uint64_t)(in->lines.rest.s - in->text.s)) && lines_next(&in->lines, &line))
		page_line(&p, line);
	/* The root has all threads. */
	tracers_level(in, in->nlevels > 0, page_close);
	in->thread = 0;
	tracers_level(in, 0, page_close);
	in->count[TRACED_XML] += !str_has(in->text, STR("</html>")) && !str_has(in->text, STR("</script>"));
	array_free(&p.names);
	buf_free(&p.text);
	buf_free(&p.name);
}

bool
flame_page_is(struct str head)
{
	struct str s = text_trim(head);

	return str_begins(s, "<") && str_has(s, STR("async-profiler")) &&
	    (str_has(s, STR("const cpool = [")) || str_has(s, STR("\nf(")));
}

/* ---- trees -------------------------------------------------------------------------------- */

/* The number behind each percentage of "54.32% [1,234] self: 12% [12]": total and, if it is there, self. */
static size_t
tree_numbers(struct str s, uint64_t v[2])
{
	struct str before;
	size_t n = 0;

	for (; n < 2 && str_divide(s, STR("% "), &before, &s); n++) {
		scan(&s, "[");
		for (v[n] = 0; s.n > 0 && (is_digit(s.s[0]) || s.s[0] == ','); s = str_after(s, 1))
			if (s.s[0] != ',')
				v[n] = num_add(v[n] > UINT64_MAX / 10 ? UINT64_MAX : v[n] * 10,
				    (uint64_t)(s.s[0] - '0'));
	}
	return n;
}

/* An item of a tree, whose name comes next. */
struct tree_item {
	uint64_t	v[2];		/* total and self */
	size_t		n;
	uint64_t	type;
	const char	*at;
};

static void
tree_node(struct flame_page *p, const struct tree_item *item, struct str name)
{
	struct tracers_in *in = p->in;
	const struct traced_level *top;

	assert(p->level > 0 && item->n > 0);
	if (in->nlevels == 0)
		in->upwards = item->n < 2;
	tracers_level(in, p->level - 1, in->upwards ? page_close : NULL);
	page_node(p, 0, (unsigned)item->type, name, item->v[0], item->at);
	if (in->upwards || in->bad || in->nlevels == 0)
		return;
	/* The part that is not of its children, some of which may be left out. */
	top = &SCRATCH(in->levels, struct traced_level)[in->nlevels - 1];
	if (item->v[1] > 0)
		tracers_add(in, top->stack, item->v[1], item->v[1], item->at);
}

static void
tree_tag(struct flame_page *p, const struct xml *x, struct tree_item *item)
{
	struct str class;

	if (str_is(x->tag, "ul") && (p->level > 0 || str_is(xml_raw(x, "class"), "tree"))) {
		p->level += x->opens;
		p->level -= x->closes && p->level > 0;
	} else if (str_is(x->tag, "div") && x->closes && p->level > 0) {
		item->n = tree_numbers(x->text, item->v);
		item->at = x->text.s;
	} else if (str_is(x->tag, "span") && x->opens) {
		class = xml_raw(x, "class");
		item->type = scan(&class, "t%u$", &item->type) ? item->type & 7 : 0;
	} else if (str_is(x->tag, "span") && x->closes && p->level > 0 && item->n > 0) {
		tree_node(p, item, text_trim(xml_text(x->text, &p->name)));
		item->n = 0;
	}
}

void
flame_tree_read(struct tracers_in *in)
{
	struct flame_page p = { .in = in, .pool = true };
	struct xml x = { .rest = in->text };
	struct tree_item item = { .n = 0 };

	page_event(&p);
	while (tracers_tick(in, (uint64_t)(x.rest.s - in->text.s)) && xml_next(&x))
		tree_tag(&p, &x, &item);
	in->count[TRACED_XML] += p.level > 0;
	tracers_level(in, 0, in->upwards ? page_close : NULL);
	buf_free(&p.name);
}

bool
flame_tree_is(struct str head)
{
	struct str s = text_trim(head);

	return str_begins(s, "<") && (str_has(s, STR("<ul class=\"tree\">")) || str_has(s, STR("<ul class='tree'>")));
}
