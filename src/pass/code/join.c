/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * join: matches methods of a trace or a profile with methods of its bytecode: by class and name; if several
 * have the name, by descriptor or line.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "icecore/columns_code.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"

struct join {
	struct code	 code;
	struct namemap	 named;		/* methods of the bytecode */
	uint32_t	*traced, *of;	/* by method of the bytecode, of the trace */
	struct buf	 name, other;
	uint64_t	 joined, ambiguous;
};

static bool
index_methods(struct join *j, struct work *w, struct err *err)
{
	work_start(w, "names of bytecode", j->code.nmethods);
	/* Last method first, so that chains of equal names begin with the first method. */
	for (uint32_t m = j->code.nmethods; m > 0; m--) {
		if (m % 1024 == 0 && !work_go(w, j->code.nmethods - m, err))
			return false;
		buf_clear(&j->name);
		code_method_told(&j->code, m, &j->name);
		if (j->name.bad)
			return fail_memory(err, "names");
		if (!namemap_add(&j->named, buf_view(&j->name), m, err))
			return false;
	}
	return true;
}

/* ---- names of frames --------------------------------------------------------------------------- */

/* "(Bar.java:12)" or ":12" at the end, which goes; 0: there is no line. */
static uint64_t
join_take_line(struct str *s)
{
	struct str place, digits;
	uint64_t line = 0;

	if (s->n > 0 && s->s[s->n - 1] == ')' && str_divide(*s, STR("("), &place, &digits)) {
		*s = place;
		digits.n--;
		str_divide_last(digits, ':', &place, &digits);
	} else if (!str_divide_last(*s, ':', &place, &digits) || digits.n == 0 ||
	    str_digits(digits) < digits.n)
		return 0;
	else
		*s = place;
	return num_u64(digits, 10, &line) ? line : 0;
}

uint64_t
frame_line(struct str frame)
{
	return join_take_line(&frame);
}

bool
method_has_bugs(const struct store *st, uint32_t method)
{
	return store_cell(st, COL_CODE_METHOD_BUGS, (uint32_t)store_cell(st, COL_METHOD_CODE, method)) > 0;
}

/* "app//a.b.C", "java.base@17/java.lang.String": without the loader or the module. */
static void
drop_loader(struct str *s)
{
	struct str before, after;

	if (str_divide(*s, STR("//"), &before, &after) ||
	    (str_divide(*s, STR("/"), &before, &after) && memchr(before.s, '@', before.n) != NULL))
		*s = after;
}

/*
 * Write the name in the form of code_method_told, and return its line: "La/b/C;::run", "a/b/C.run",
 * "a.b.C#run_[j]" become a.b.C.run.
 */
static uint64_t
join_plain_name(struct str s, struct buf *to)
{
	uint64_t line = join_take_line(&s);

	buf_clear(to);
	drop_loader(&s);
	if (s.n > 4 && s.s[s.n - 1] == ']' && s.s[s.n - 3] == '[' && s.s[s.n - 4] == '_')
		s.n -= 4;
	if (s.n > 1 && s.s[0] == 'L' && memchr(s.s, ';', s.n) != NULL)
		s = str_after(s, 1);
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == ';' || (s.s[i] == ':' && i + 1 < s.n && s.s[i + 1] == ':'))
			continue;
		buf_chr(to, memchr("/:#", s.s[i], 3) != NULL ? '.' : s.s[i]);
	}
	return line;
}

/* ---- which one ------------------------------------------------------------------------------------ */

static bool
join_is_named(struct join *j, uint32_t method)
{
	buf_clear(&j->other);
	code_method_told(&j->code, method, &j->other);
	return str_eq(buf_view(&j->other), buf_view(&j->name));
}

static bool
join_has_line(const struct join *j, uint32_t m, uint64_t line)
{
	return line > 0 && store_cell(j->code.st, COL_CODE_METHOD_FIRST_LINE, m) <= line &&
	    line <= store_cell(j->code.st, COL_CODE_METHOD_LAST_LINE, m);
}

static bool
has_desc(struct join *j, uint32_t m, struct str desc)
{
	buf_clear(&j->other);
	code_method_desc(&j->code, m, &j->other);
	return str_eq(buf_view(&j->other), desc);
}

static bool
has_other_class(const struct join *j, uint32_t a, uint32_t b)
{
	return store_cell(j->code.st, COL_CODE_METHOD_CLASS, a) != store_cell(j->code.st,
	    COL_CODE_METHOD_CLASS, b);
}

/*
 * A method with the name in j->name; 0: none, or several that cannot be distinguished.  If several classes
 * have the name, the first counts.
 */
static uint32_t
find_method(struct join *j, struct str desc, uint64_t line)
{
	uint32_t found = 0, lined = 0, n = 0;

	for (uint32_t m = namemap_first(&j->named, buf_view(&j->name)); m != 0; m = namemap_next(&j->named,
	    m)) {
		if (!join_is_named(j, m) || (found != 0 && has_other_class(j, found, m)))
			continue;
		if (str_has_prefix(desc, STR("(")) && has_desc(j, m, desc))
			return m;
		found = found == 0 ? m : found;
		lined = lined == 0 && join_has_line(j, m, line) ? m : lined;
		n++;
	}
	if (lined != 0 || n <= 1)
		return lined != 0 ? lined : found;
	j->ambiguous++;
	return 0;
}

static void
join_method(struct join *j, uint32_t method)
{
	const struct store *st = j->code.st;
	struct str desc = method_signature(st, method), raw = method_obfuscated(st, method);
	struct buf told = BUF_INIT;
	uint64_t line;
	uint32_t m;

	method_name(st, method, &told);
	line = join_plain_name(buf_view(&told), &j->name);
	m = find_method(j, desc, line);
	/* Bytecode that was renamed knows the names that the file has. */
	if (m == 0 && raw.n > 0) {
		join_plain_name(raw, &j->name);
		m = find_method(j, desc, line);
	}
	buf_free(&told);
	j->of[method - 1] = m;
	if (m == 0)
		return;
	j->joined++;
	if (j->traced[m - 1] == 0)
		j->traced[m - 1] = method;
}

static bool
join_all(struct join *j, struct store *st, struct work *w, struct err *err)
{
	const struct column *names = store_column(st, COL_LISTED_NAME);
	uint64_t n = names == NULL ? 0 : names->rows;

	j->traced = store_make(st, COL_CODE_METHOD_TRACED, COL_U32, j->code.nmethods, err);
	j->of = store_make(st, COL_METHOD_CODE, COL_U32, n, err);
	if (j->traced == NULL || j->of == NULL || !namemap_open(&j->named, j->code.nmethods, err))
		return false;
	if (n > 0 && !index_methods(j, w, err))
		return false;
	for (uint32_t method = 1; method <= n; method++) {
		if (!work_each(w, method, 256, err))
			return false;
		join_method(j, method);
	}
	return n == 0 || (fact_set(st, FACT_CODE_JOINED, j->joined, err) &&
	    (j->ambiguous == 0 || fact_set(st, FACT_CODE_AMBIGUOUS, j->ambiguous, err)));
}

static bool
join_run(struct store *st, struct work *w, struct err *err)
{
	struct join j = { .joined = 0 };
	bool ok = code_open(&j.code, st) ? join_all(&j, st, w, err) : fail(err, E_USAGE,
	    "no bytecode; pass it with --classes");

	namemap_free(&j.named);
	buf_free(&j.name);
	buf_free(&j.other);
	return ok;
}

const struct pass pass_code_names = {
	.name = "code_names",
	.what = "methods of a trace matched with the bytecode",
	.when = COL_CODE_CLASS_NAME,
	.needs = PASS_COLUMNS(COL_CODE_CLASS_NAME),
	.makes = PASS_COLUMNS(COL_CODE_METHOD_TRACED, COL_METHOD_CODE),
	.run = join_run
};
