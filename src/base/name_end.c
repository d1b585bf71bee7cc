/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_end: the ends of names of functions and of places, which other texts may follow in a line.
 *
 * A blank belongs to a name after words of types, in front of words such as const, and between arguments.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/name.h"

/* Words in front of a blank. */
static const char *const leading[] = {
	"unsigned", "signed", "long", "short", "int", "char", "bool", "float", "double", "void",
	"const", "volatile", "struct", "class", "enum", "union", "auto", "decltype", "static",
	"instance", "valuetype", "async", "new", "get", "set", "virtual", "non-virtual", "thunk",
	"->", "covariant", "return", "to", "vtable", "VTT", "typeinfo", "name", "guard", "variable",
	"construction", "reference", "temporary", "for", "TLS", "init", "wrapper", "function",
	"transaction", "clone", "block", "rescue", "ensure", "in", "specialized", "generic", "closure",
	"partial", "apply", "@objc", "@nonobjc", "protocol", "witness", "conformance", "levels)"
};
/* The same, in brackets. */
static const char *const inner[] = {
	"as", "dyn", "mut", "value", "impl", "ref", "out", "params", "native", "anonymous", "unnamed",
	"lambda", "default", "top", "frozen", "fn", "extern", "unsafe", "Native", "Unknown", "Compiled",
	"Interpreted", "+", "=", "&", "&&", "*", "||"
};
/* Words after a blank. */
static const char *const trailing[] = {
	"const", "volatile", "noexcept", "&", "&&", "*", "**", "*&", "->"
};
static const char *const inner_trailing[] = {
	"as", "for", "ByRef", "+", "=", "namespace", "levels", "&&", "||", "type"
};
static const struct str marks[] = {
	STR(" [clone "), STR(" [inlined]"), STR(" [artificial]"), STR(" [inline]"), STR(" [as ")
};

/* Names that are prose. */
static const struct str whole[] = {
	STR("<signal handler called>"), STR("<terminate process normally>"), STR("[Native Frames]"),
	STR("<top (required)>"), STR("<no name>"), STR("(anonymous namespace)")
};

static bool
end_is_word(char c)
{
	return is_word(c) || c == '$' || (unsigned char)c >= 0x80;
}

/* The length of the word there. */
static size_t
end_word(struct str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && end_is_word(s.s[at + n]))
		n++;
	return n;
}

enum where { IN_FRONT, BETWEEN, BEHIND };	/* of the arguments of a function */

/* Whether the blank at that place belongs to a name. */
static bool
end_joins(struct str s, size_t at, enum where where)
{
	struct str before = str_head(s, at), after = str_after(s, at + 1);
	size_t n = 0;

	while (n < before.n && memchr(" \t(<[{,/", before.s[before.n - 1 - n], 8) == NULL)
		n++;
	before = str_after(before, before.n - n);
	for (n = 0; n < after.n && !is_blank(after.s[n]) && end_is_word(after.s[0]) == end_is_word(after.s[n]); )
		n++;
	after = str_head(after, n);
	if (where == BEHIND ? str_is(before, "->") : str_is_one(leading, NELEM(leading), before))
		return true;
	if (str_is_one(trailing, NELEM(trailing), after))
		return true;
	for (size_t i = 0; i < NELEM(marks); i++)
		if (str_has_prefix(str_after(s, at), marks[i]))
			return true;
	/* "closure #1 in" of Swift. */
	if (before.n > 1 && before.s[0] == '#' && str_digits(str_after(before, 1)) == before.n - 1)
		return str_is(after, "in") || str_has_prefix(str_after(s, at + 1), STR("("));
	/* "StubRoutines (2)" of HotSpot. */
	n = at + 1 < s.n && s.s[at + 1] == '(' ? str_digits(str_after(s, at + 2)) : 0;
	if (n > 0 && at + 2 + n < s.n && s.s[at + 2 + n] == ')')
		return true;
	if (where != BETWEEN)
		return false;
	return s.s[at - 1] == ',' || str_is_one(inner, NELEM(inner), before) ||
	    str_is_one(inner_trailing, NELEM(inner_trailing), after) ||
	    (at + 1 < s.n && memchr(">&*", s.s[at + 1], 3) != NULL);
}

/*
 * The end of the brackets that open at a place: the place itself if their content is not a part of a name;
 * SIZE_MAX: nothing closes them.
 */
static size_t
end_brackets(struct str s, size_t at)
{
	size_t depth = 0, n, from = at;
	bool prose = false;

	for (; at < s.n; at += n) {
		int step;

		if ((n = name_operator(s, at)) > 0 || (n = end_word(s, at)) > 0)
			continue;
		n = 1;
		step = name_bracket(s, at);
		if (step < 0 && --depth == 0)
			return prose ? from : at + 1;
		depth += step > 0;
		prose = prose || s.s[at] == '"' || (is_blank(s.s[at]) && !end_joins(s, at, BETWEEN));
	}
	return SIZE_MAX;
}

/* "-[Class method:]" of Objective-C; 0: another name. */
static size_t
end_method(struct str s)
{
	size_t n, blanks = 0;

	if (s.n < 2 || (s.s[0] != '-' && s.s[0] != '+') || s.s[1] != '[')
		return 0;
	for (n = 2; n < s.n && s.s[n] != ']' && blanks < 2; n++)
		blanks += s.s[n] == ' ';
	return n < s.n && blanks == 1 ? n + 1 : 0;
}

/* "'Elixir.Foo'", "`a name`": up to the other mark, which must be in the line; 0: it is none. */
static size_t
end_quoted(struct str s, size_t at)
{
	const char *end;

	if ((s.s[at] != '\'' && s.s[at] != '`') || (at > 0 && memchr(".:", s.s[at - 1], 2) == NULL) ||
	    at + 1 == s.n)
		return 0;
	end = memchr(s.s + at + 1, s.s[at], s.n - at - 1);
	return end == NULL ? 0 : (size_t)(end - s.s) + 1;
}

/* Whether more of a name follows its arguments there. */
static bool
end_goes_on(struct str s, size_t at)
{
	struct str rest = str_after(s, at);
	char next = rest.n > 1 ? rest.s[1] : '\0';

	if (rest.n == 0)
		return false;
	switch (rest.s[0]) {
	case ':': return next == ':';
	case '.': return end_is_word(next) || next == '(' || next == '<' || next == '{';
	case '+': return next == '0';
	case '-': return next == '>' || next == 'f';
	case '/': return is_digit(next);
	case '@': case '[': case '#': case '!': return true;
	case ' ': return end_joins(s, at, BEHIND);
	default: return false;
	}
}

/* The name without a type in front of it. */
static size_t
end_plain(struct str s, bool *templated)
{
	size_t at = end_method(s), end;
	enum where where = IN_FRONT;
	bool cut = false, arguments = false;

	*templated = false;
	while (at < s.n) {
		char c = s.s[at], last = at > 0 ? s.s[at - 1] : '\0';

		if (arguments && !end_goes_on(s, at))
			return at;
		arguments = false;
		if ((end = name_operator(s, at)) > 0 || (end = end_word(s, at)) > 0) {
			at += end;
			continue;
		}
		if ((end = end_quoted(s, at)) > 0) {
			at = end;
			continue;
		}
		if (is_blank(c) ? !end_joins(s, at, where) : is_one_of(c, "\";,") || (unsigned char)c < ' ')
			return at;
		if (c == ':' && (at + 1 == s.n || is_blank(s.s[at + 1])))
			return at;
		if (cut || name_bracket(s, at) <= 0) {
			at++;
			continue;
		}
		end = end_brackets(s, at);
		if (end == at)
			return at;
		cut = end == SIZE_MAX;
		arguments = !cut && c == '(' && (end_is_word(last) || is_one_of(last, ">]})'`"));
		where = arguments ? BEHIND : where;
		*templated = *templated || (arguments && last == '>');
		at = cut ? at + 1 : end;
	}
	return s.n;
}

/* "LazyCompile:*f /a/b.js:12:5" of V8: the length of its place with the blank. */
static size_t
end_script(struct str s, size_t at)
{
	static const struct str kinds[] = {
		STR("LazyCompile:"), STR("JS:"), STR("Function:"), STR("Script:"), STR("Eval:"), STR("Interpreted")
	};

	for (size_t i = 0; i < NELEM(kinds) && at + 1 < s.n && s.s[at] == ' '; i++)
		if (str_has_prefix(s, kinds[i]))
			return 1 + name_end_place(str_after(s, at + 1));
	return 0;
}

size_t
name_end(struct str s)
{
	bool templated;
	size_t n, more;

	for (size_t i = 0; i < NELEM(whole); i++)
		if (str_has_prefix(s, whole[i]) && (whole[i].s[0] != '(' || whole[i].n == s.n))
			return whole[i].n;
	n = end_plain(s, &templated);
	/* "closure #1 (Swift.Int) -> () in f()" */
	if (str_has_prefix(str_after(s, n), STR(" in ")) && str_has_prefix(s, STR("closure #")))
		n += strlen(" in ") + end_plain(str_after(s, n + strlen(" in ")), &templated);
	/* "std::vector<int> f<int>(int)": only functions of templates have a type. */
	if (n > 0 && n + 1 < s.n && s.s[n] == ' ' && (s.s[n - 1] != ')' || str_has_prefix(s, STR("decltype(")))) {
		more = end_plain(str_after(s, n + 1), &templated);
		if (templated)
			n += 1 + more;
	}
	n += end_script(s, n);
	assert(n <= s.n);
	while (n > 0 && is_blank(s.s[n - 1]))
		n--;
	return n;
}

/* ---- places ------------------------------------------------------------------------------ */

/* ":12" or ":12:5" at that place: its length. */
static size_t
end_line(struct str s, size_t at)
{
	size_t n = 0, digits;

	while (at + n + 1 < s.n && s.s[at + n] == ':' && (digits = str_digits(str_after(s, at + n + 1))) > 0)
		n += 1 + digits;
	return n;
}

/* Whether directories follow a blank: the blank is part of a path. */
static bool
end_is_path(struct str s, size_t at)
{
	enum { AHEAD = 256 };
	struct str rest = str_head(str_after(s, at), AHEAD);

	if (s.n < 3 || (s.s[0] != '/' && s.s[0] != '\\' && s.s[1] != ':'))
		return false;
	for (size_t i = 0; i < rest.n && memchr(":()\"'=,", rest.s[i], 7) == NULL; i++)
		if (rest.s[i] == '/' || rest.s[i] == '\\')
			return true;
	return false;
}

size_t
name_end_place(struct str s)
{
	static const struct str words[] = { STR("Native Method"), STR("Native method"), STR("Unknown Source") };
	size_t n, end;
	bool cut = false;

	for (size_t i = 0; i < NELEM(words); i++)
		if (str_has_prefix(s, words[i]))
			return words[i].n;
	for (size_t at = 0; at < s.n; at += n) {
		if ((n = end_word(s, at)) > 0)
			continue;
		n = end_line(s, at);
		if (n > 0 && (at + n == s.n || (!end_is_word(s.s[at + n]) && !is_one_of(s.s[at + n], "/.\\-"))))
			return at + n;
		n = n > 0 ? n : 1;
		if (is_blank(s.s[at])) {
			if (str_has_prefix(str_after(s, at), STR(" (deleted)")))
				return at + strlen(" (deleted)");
			if (!end_is_path(s, at))
				return at;
		} else if (!cut && is_one_of(s.s[at], "<[")) {
			end = end_brackets(s, at);
			cut = end == SIZE_MAX;
			n = end == SIZE_MAX || end == at ? 1 : end - at;
		} else if (is_one_of(s.s[at], "(\"") || (s.s[at] == ':' && (at + 1 == s.n || is_blank(s.s[at + 1]))))
			return at;
	}
	return s.n;
}
