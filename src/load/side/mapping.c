/*
 * Reads mapping.txt of R8 and ProGuard: one pass for the classes; the members of a class are looked at when
 * they are asked for.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mapping.h"

static const char arrow[] = " -> ";

/* At " -> "; false where there is none. */
static bool
split_arrow(struct str line, struct str *left, struct str *right)
{
	const char *at = memmem(line.s, line.n, arrow, 4);

	if (at == NULL)
		return false;
	*left = (struct str){ line.s, (size_t)(at - line.s) };
	*right = (struct str){ at + 4, (size_t)(line.s + line.n - at - 4) };
	return true;
}

/* ---- classes -------------------------------------------------------------------------- */

/* What stood before it were the members of the class before. */
static void
end_class(struct mapping *m, const char *end)
{
	struct map_class *c;

	if (m->last == NULL)
		return;
	c = &SCRATCH(m->classes, struct map_class)[m->nclasses - 1];
	assert(end >= c->body.s);
	c->body.n = (size_t)(end - c->body.s);
}

static bool
read_class(struct mapping *m, struct str line, const char *next, struct err *err)
{
	struct str was, is;
	struct map_class *c;

	if (!split_arrow(line, &was, &is) || is.n < 2 || is.s[is.n - 1] != ':' || was.n == 0) {
		m->ignored++;
		return true;
	}
	end_class(m, line.s);
	if ((c = make_row(&m->classes, m->nclasses, sizeof *c, UINT32_MAX, "classes", err)) == NULL)
		return false;
	*c = (struct map_class){ .is = { is.s, is.n - 1 }, .was = was, .body = { next, 0 },
	    .seq = (uint32_t)m->nclasses };
	m->nclasses++;
	m->last = c;
	return true;
}

bool
mapping_read(struct mapping *m, struct str text, struct err *err)
{
	const char *from = text.s;
	struct str line;

	m->last = NULL;
	work_start(m->s->work, "mapping", text.n);
	while (side_line(&text, &line)) {
		if (!work_tick(m->s->work, (uint64_t)(line.s - from)))
			return fail_cancel(err);
		if (line.n == 0 || is_blank(line.s[0]) || line.s[0] == '#')
			continue;
		if (!read_class(m, line, text.s, err))
			return false;
	}
	end_class(m, text.s);
	m->last = NULL;
	return true;
}

/* With dots for slashes. */
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
	return a.n < b.n ? -1 : a.n > b.n;
}

static int
by_class(const void *x, const void *y)
{
	const struct map_class *a = x, *b = y;
	int order = compare_names(a->is, b->is);

	return order != 0 ? order : a->seq < b->seq ? -1 : a->seq > b->seq;
}

bool
mapping_sort(struct mapping *m, struct err *err)
{
	struct map_class *c = SCRATCH(m->classes, struct map_class);
	uint64_t i, n = 0;

	if (!work_tick(m->s->work, 0))
		return fail_cancel(err);
	if (m->nclasses > 0)
		qsort(c, m->nclasses, sizeof *c, by_class);
	for (i = 0; i < m->nclasses; i++) {
		/* What the program has no more. */
		if (str_has_prefix(c[i].is, STR("R8$$REMOVED$$")))
			continue;
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

/* "12:34:" in front of a method. */
static bool
read_range(struct str *s, uint64_t *from, uint64_t *to)
{
	struct str rest = *s;

	if (!str_number_any(&rest, from) || rest.n == 0 || rest.s[0] != ':')
		return false;
	rest = str_behind(rest, 1);
	if (!str_number_any(&rest, to) || rest.n == 0 || rest.s[0] != ':')
		return false;
	*s = str_behind(rest, 1);
	return true;
}

/* ":12:34" or ":12" behind a method. */
static bool
read_lines(struct str s, uint64_t *from, uint64_t *to)
{
	if (s.n < 2 || s.s[0] != ':')
		return false;
	s = str_behind(s, 1);
	if (!str_number_any(&s, from))
		return false;
	*to = *from;
	if (s.n < 2 || s.s[0] != ':')
		return true;
	s = str_behind(s, 1);
	if (!str_number_any(&s, to))
		*to = *from;
	return true;
}

static bool
read_member(struct str line, struct map_member *e)
{
	struct str left;
	const char *blank, *open, *close;

	*e = (struct map_member){ .seq = 0 };
	if (!split_arrow(line, &left, &e->is) || e->is.n == 0)
		return false;
	e->ranged = read_range(&left, &e->from, &e->to);
	blank = left.n == 0 ? NULL : memchr(left.s, ' ', left.n);
	if (blank == NULL)
		return false;
	e->type = (struct str){ left.s, (size_t)(blank - left.s) };
	e->was = (struct str){ blank + 1, left.n - e->type.n - 1 };
	open = e->was.n == 0 ? NULL : memchr(e->was.s, '(', e->was.n);
	if (open == NULL)
		return e->was.n > 0;
	close = memchr(open, ')', (size_t)(left.s + left.n - open));
	if (close == NULL)
		return false;
	e->method = true;
	e->was.n = (size_t)(open - e->was.s);
	e->args = (struct str){ open + 1, (size_t)(close - open - 1) };
	e->moved = read_lines((struct str){ close + 1, (size_t)(left.s + left.n - close - 1) },
	    &e->orig_from, &e->orig_to);
	return e->was.n > 0;
}

/* The text of a key of the JSON in a comment; our keys have no escapes in their values. */
static struct str
json_text(struct str line, const char *key)
{
	const char *at = memmem(line.s, line.n, key, strlen(key)), *end;

	if (at == NULL)
		return STR("");
	at += strlen(key);
	end = memchr(at, '"', (size_t)(line.s + line.n - at));
	return end == NULL ? STR("") : (struct str){ at, (size_t)(end - at) };
}

static void
read_comment(struct mapping *m, struct str line)
{
	struct map_member *e;

	if (memmem(line.s, line.n, "\"sourceFile\"", 12) != NULL)
		m->file = json_text(line, "\"fileName\":\"");
	else if (m->nmembers > 0 && memmem(line.s, line.n, "residualsignature\"", 18) != NULL) {
		e = &SCRATCH(m->members, struct map_member)[m->nmembers - 1];
		e->residual = json_text(line, "\"signature\":\"");
	}
}

static int
by_member(const void *x, const void *y)
{
	const struct map_member *a = x, *b = y;
	int order = str_cmp(a->is, b->is);

	if (order != 0)
		return order;
	if (a->method != b->method)
		return a->method - b->method;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

bool
mapping_members(struct mapping *m, const struct map_class *class, struct err *err)
{
	struct str rest = class->body, line;
	struct map_member e, *to;

	if (m->last == class)
		return true;
	m->last = NULL;
	m->nmembers = 0;
	m->file = STR("");
	while (side_line(&rest, &line)) {
		if (!work_tick(m->s->work, 0))
			return fail_cancel(err);
		line = str_skip_blanks(line);
		if (line.n > 0 && line.s[0] == '#')
			read_comment(m, line);
		else if (read_member(line, &e)) {
			if ((to = make_row(&m->members, m->nmembers, sizeof e, UINT32_MAX, "members", err)) == NULL)
				return false;
			e.seq = (uint32_t)m->nmembers++;
			*to = e;
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
	*d = (struct str){ d->s + depth, d->n - depth };
	if (d->n == 0)
		return;
	letter = letter_type(d->s[0]);
	end = d->s[0] == 'L' ? memchr(d->s, ';', d->n) : NULL;
	if (end != NULL)
		add_class(m, (struct str){ d->s + 1, (size_t)(end - d->s - 1) }, b);
	else
		buf_str(b, letter != NULL ? str_of(letter) : STR("?"));
	end = end != NULL ? end + 1 : d->s + 1;
	*d = (struct str){ end, (size_t)(d->s + d->n - end) };
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
