/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Original names for the methods of a trace or profile, from a mapping file: columns listed.* over those of
 * the file.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "mapping.h"

struct method {
	struct str	class, sep, name;	/* sep: separator in a profile; empty in a trace */
	struct str	tail;			/* after the name in a profile: ":12", "(Main.java:12)" */
};

enum { M_CLASS, M_NAME, M_SIGNATURE, M_FILE, M_LINE, M_RAW, M_COLUMNS };

struct methods {
	struct mapping	*m;
	const struct store *base;
	uint64_t	 n;
	struct method	*method;
	uint32_t	*order;			/* rows of methods; methods of a class are adjacent */
	struct scratch	 col[M_COLUMNS];	/* u64: refs, lines */
	const struct column *signature;
	const struct map_class *class;		/* owner of these refs: */
	uint64_t	 class_ref, file_ref;
	struct buf	 text;
};

static uint64_t *
mapping_trace_cell(struct methods *t, int col, uint64_t row)
{
	assert(col < M_COLUMNS && row <= t->n);
	return &SCRATCH(t->col[col], uint64_t)[row];
}

/* ---- data of the file -------------------------------------------------------------------- */

/* Return the offset of ":12" or "(Main.java:12)" at the end of s; the length of s if there is none. */
static size_t
tail_of(struct str s)
{
	const char *open;
	size_t n = s.n;

	if (n > 0 && s.s[n - 1] == ')' && (open = memchr(s.s, '(', n)) != NULL && open > s.s)
		return (size_t)(open - s.s);
	while (n > 0 && is_digit(s.s[n - 1]))
		n--;
	return n > 1 && n < s.n && s.s[n - 1] == ':' && s.s[n - 2] != ':' ? n - 1 : s.n;
}

/* Return the line in a tail; 0: none. */
static int64_t
tail_line(struct str tail)
{
	struct str place, digits;
	uint64_t line;

	if (!str_divide_last(tail, ':', &place, &digits))
		return 0;
	digits.n -= digits.n > 0 && digits.s[digits.n - 1] == ')';
	return num_u64(digits, 10, &line) && line <= INT32_MAX ? (int64_t)line : 0;
}

/* "a/b/C:::run", "a.b.C::run", "a.b.C.run": class, separator, method. */
static void
split_frame(struct str s, struct method *method)
{
	struct str *class = &method->class, *name = &method->name;
	size_t tail = tail_of(s);

	method->tail = str_after(s, tail);
	s.n = tail;
	method->sep.n = str_divide(s, STR(":::"), class, name) ? 3 : str_divide(s, STR("::"), class, name) ?
	    2 : str_divide_last(s, '.', class, name);
	method->sep.s = s.s + class->n;
}

static void
read_method(struct methods *t, uint64_t row)
{
	struct method *method = &t->method[row];
	struct str own;

	method->class = store_text(t->base, *mapping_trace_cell(t, M_CLASS, row));
	method->name = store_text(t->base, *mapping_trace_cell(t, M_NAME, row));
	if (method->class.n > 0)
		return;
	own = column_text(store_column(t->base, COL_LISTED_OWN_TEXT),
	    column_get(store_column(t->base, COL_LISTED_OWN), row));
	split_frame(own.n > 0 ? own : method->name, method);
}

static int
trace_by_class(const void *x, const void *y, void *arg)
{
	const struct method *method = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = str_cmp(method[a].class, method[b].class);

	return order != 0 ? order : num_order(a, b, 0);
}

static bool
read_methods(struct methods *t, struct err *err)
{
	static const column_id names[M_COLUMNS] = {
		[M_CLASS] = COL_LISTED_CLASS, [M_NAME] = COL_LISTED_NAME,
		[M_SIGNATURE] = COL_LISTED_SIGNATURE, [M_FILE] = COL_LISTED_FILE,
		[M_LINE] = COL_LISTED_LINE, [M_RAW] = COL_NONE
	};
	const struct column *c;

	t->method = mem_array(t->n + 1, sizeof *t->method);
	t->order = mem_array(t->n + 1, sizeof *t->order);
	if (t->method == NULL || t->order == NULL)
		return fail(err, E_SYSTEM, "out of memory (names of methods)");
	for (int k = 0; k < M_COLUMNS; k++) {
		if (!scratch_array(&t->col[k], t->n + 1, sizeof(uint64_t), err))
			return false;
		c = names[k] == COL_NONE ? NULL : store_column(t->base, names[k]);
		for (uint64_t i = 0; i < t->n; i++)
			*mapping_trace_cell(t, k, i) = column_get(c, i);
	}
	for (uint64_t i = 0; i < t->n; i++) {
		read_method(t, i);
		t->order[i] = (uint32_t)i;
	}
	qsort_r(t->order, t->n, sizeof *t->order, trace_by_class, t->method);
	return true;
}

/* ---- new names -------------------------------------------------------------------------------- */

static bool
enter_class(struct methods *t, const struct map_class *class, struct err *err)
{
	if (t->class == class)
		return true;
	t->class = class;
	if (!mapping_members(t->m, class, err))
		return false;
	t->m->renamed_classes += !str_eq(class->is, class->was);
	t->class_ref = side_text(t->m->s, class->was);
	t->file_ref = side_text(t->m->s, t->m->file);
	return true;
}

/* "(La/b;I)V" with original names. */
static void
add_descriptor(struct methods *t, struct str s)
{
	const struct map_class *class;
	struct str name;
	const char *end;
	size_t at;

	for (size_t i = 0; i < s.n; i++) {
		buf_chr(&t->text, s.s[i]);
		end = s.s[i] == 'L' ? memchr(s.s + i, ';', s.n - i) : NULL;
		if (end == NULL)
			continue;
		name = (struct str){ s.s + i + 1, (size_t)(end - s.s) - i - 1 };
		class = mapping_class(t->m, name);
		at = t->text.n;
		buf_str(&t->text, class != NULL ? class->was : name);
		for (; at < t->text.n; at++)
			if (t->text.s[at] == '.')
				t->text.s[at] = '/';
		i = (size_t)(end - s.s) - 1;
	}
}

static void
map_signature(struct methods *t, uint64_t row, struct str s)
{
	if (s.n < 2 || s.s[0] != '(')
		return;
	buf_clear(&t->text);
	if (s.s[s.n - 1] == ')') {
		buf_chr(&t->text, '(');
		mapping_words(t->m, (struct str){ s.s + 1, s.n - 2 }, STR(", "), &t->text);
		buf_chr(&t->text, ')');
	} else
		add_descriptor(t, s);
	*mapping_trace_cell(t, M_SIGNATURE, row) = side_text(t->m->s, buf_view(&t->text));
}

static void
add_raw(struct methods *t, uint64_t row)
{
	const struct method *method = &t->method[row];

	buf_clear(&t->text);
	buf_str(&t->text, method->class);
	buf_str(&t->text, method->sep.n > 0 ? method->sep : STR("."));
	buf_str(&t->text, method->name);
	buf_str(&t->text, method->tail);
	*mapping_trace_cell(t, M_RAW, row) = side_text(t->m->s, buf_view(&t->text));
}

/* With the original line; file: of its original class, if known. */
static void
add_tail(struct str tail, struct str file, int64_t line, struct buf *b)
{
	bool places = tail.n > 0 && tail.s[0] == '(';
	struct str place, old;

	if (line <= 0 || !str_divide_last(tail, ':', &place, &old)) {
		buf_str(b, tail);
		return;
	}
	if (places && file.n > 0) {
		buf_chr(b, '(');
		buf_str(b, file);
	} else
		buf_str(b, place);
	buf_printf(b, places ? ":%lld)" : ":%lld", (long long)line);
}

/* A frame of a profile is a single text. */
static void
set_frame(struct methods *t, uint64_t row, struct str class, struct str name, int64_t line)
{
	const struct method *method = &t->method[row];
	struct buf b = BUF_INIT;
	bool slashes = memchr(method->class.s, '/', method->class.n) != NULL;

	buf_str(&b, class);
	for (size_t i = 0; slashes && i < b.n; i++)
		if (b.s[i] == '.')
			b.s[i] = '/';
	buf_str(&b, method->sep);
	buf_str(&b, name);
	add_tail(method->tail, class.s == t->class->was.s ? t->m->file : STR(""), line, &b);
	t->text.bad |= b.bad;
	*mapping_trace_cell(t, M_NAME, row) = side_text(t->m->s, buf_view(&b));
	buf_free(&b);
}

static void
set_method(struct methods *t, uint64_t row, struct str owner, struct str name, struct str signature)
{
	*mapping_trace_cell(t, M_CLASS, row) = owner.n > 0 ? side_text(t->m->s, owner) : t->class_ref;
	*mapping_trace_cell(t, M_NAME, row) = side_text(t->m->s, name);
	if (t->file_ref != 0 && owner.n == 0)
		*mapping_trace_cell(t, M_FILE, row) = t->file_ref;
	map_signature(t, row, signature);
}

static bool
map_one(struct methods *t, uint64_t row, struct err *err)
{
	const struct method *method = &t->method[row];
	const struct map_class *class = method->class.n == 0 ? NULL : mapping_class(t->m, method->class);
	struct map_method how = { .line = 0 };
	struct str owner, name = method->name;
	int64_t line;

	if (class == NULL)
		return true;
	if (!enter_class(t, class, err))
		return false;
	how.signature = store_text(t->base, column_get(t->signature, row));
	how.line = line = method->tail.n > 0 ? tail_line(method->tail) :
	    (int64_t)*mapping_trace_cell(t, M_LINE, row);
	buf_clear(&t->text);
	if (mapping_method(t->m, method->name, &how, &owner, &line, &t->text))
		name = buf_view(&t->text);
	t->m->renamed_methods += !str_eq(name, method->name);
	if (str_eq(name, method->name) && owner.n == 0 && str_eq(class->is, class->was))
		return true;
	if (method->sep.n > 0)
		set_frame(t, row, owner.n > 0 ? owner : class->was, name, line);
	else {
		set_method(t, row, owner, name, how.signature);
		*mapping_trace_cell(t, M_LINE, row) = (uint64_t)line;
	}
	add_raw(t, row);
	return true;
}

/* Names made for the file's frames are used if no other was found. */
static bool
put_own(struct methods *t, struct err *err)
{
	const struct column *own = store_column(t->base, COL_LISTED_OWN);
	uint32_t *put;

	if (own == NULL)
		return true;
	put = store_make(t->m->s->over, COL_LISTED_OWN, COL_U32, own->rows, err);
	for (uint64_t i = 0; put != NULL && i < own->rows; i++)
		put[i] = i < t->n && *mapping_trace_cell(t, M_RAW, i) != 0 ? 0 : (uint32_t)column_get(own, i);
	return put != NULL;
}

/* Lines are signed, unlike the other columns. */
static bool
put_lines(struct methods *t, struct err *err)
{
	return store_column(t->base, COL_LISTED_LINE) == NULL ||
	    make_copy(t->m->s->over, COL_LISTED_LINE, COL_I64, mapping_trace_cell(t, M_LINE, 0), t->n, err);
}

static bool
trace_put_columns(struct methods *t, struct err *err)
{
	static const column_id names[M_COLUMNS] = { COL_LISTED_CLASS, COL_LISTED_NAME,
		COL_LISTED_SIGNATURE, COL_LISTED_FILE, COL_NONE, COL_RAW_METHOD };

	if (t->text.bad)
		return fail(err, E_SYSTEM, "out of memory (names of methods)");
	for (int k = 0; k < M_COLUMNS; k++)
		if (names[k] != COL_NONE && (k == M_RAW || store_column(t->base, names[k]) != NULL) &&
		    !store_pack(t->m->s->over, names[k], mapping_trace_cell(t, k, 0), t->n, err))
			return false;
	return put_lines(t, err) && put_own(t, err);
}

static bool
map_methods(struct methods *t, struct err *err)
{
	if (!read_methods(t, err))
		return false;
	work_start(t->m->s->work, "names of methods", t->n);
	for (uint64_t i = 0; i < t->n; i++) {
		if (!work_go(t->m->s->work, i, err) || !map_one(t, t->order[i], err))
			return false;
	}
	return trace_put_columns(t, err);
}

bool
mapping_trace(struct mapping *m, struct err *err)
{
	const struct column *name = store_column(m->s->base, COL_LISTED_NAME);
	struct methods t = { .m = m, .base = m->s->base, .n = name == NULL ? 0 : name->rows };
	bool ok;

	t.signature = store_column(t.base, COL_LISTED_SIGNATURE);
	ok = name == NULL || map_methods(&t, err);
	for (int k = 0; k < M_COLUMNS; k++)
		scratch_free(&t.col[k]);
	free(t.method);
	free(t.order);
	buf_free(&t.text);
	return ok;
}
