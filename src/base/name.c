/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name: the parts of names of functions.
 */
#include "config.h"

#include <string.h>

#include "icecore/name.h"

static bool
name_is_word(char c)
{
	return is_word(c) || c == '$' || c == '~' || (unsigned char)c >= 0x80;
}

static bool
starts(struct str s, size_t at, struct str what)
{
	return at <= s.n && str_has_prefix(str_after(s, at), what);
}

/* ---- operators and brackets ------------------------------------------------------------- */

/* Return the end of a conversion operator, in front of its arguments: "operator std::vector<int>". */
static size_t
conversion(struct str s, size_t at)
{
	size_t depth = 0;

	for (; at < s.n && (depth > 0 || s.s[at] != '('); at++) {
		depth += s.s[at] == '<';
		depth -= s.s[at] == '>' && depth > 0;
	}
	return at;
}

size_t
name_operator(struct str s, size_t at)
{
	static const struct str word = STR("operator");
	/* Longer ones before those that they begin with. */
	static const struct str signs[] = {
		STR("()"), STR("[]"), STR("<=>"), STR("<<="), STR(">>="), STR("->*"), STR("<<"), STR(">>"), STR("<="),
		    STR(">="),
		STR("->"), STR(" new[]"), STR(" delete[]"), STR(" new"), STR(" delete"), STR(" co_await")
	};
	size_t end = at + word.n;

	if (s.s[at] != 'o' || !starts(s, at, word) || (at > 0 && name_is_word(s.s[at - 1])) ||
	    (end < s.n && name_is_word(s.s[end])))
		return 0;
	for (size_t i = 0; i < NELEM(signs); i++)
		if (starts(s, end, signs[i]))
			return word.n + signs[i].n;
	if (end < s.n && memchr("<>,+-*/%^&|!=~", s.s[end], 14) != NULL)
		return word.n + 1;
	return (end + 1 < s.n && s.s[end] == ' ' && name_is_word(s.s[end + 1]) ? conversion(s, end + 1) : end) - at;
}

int
name_bracket(struct str s, size_t at)
{
	switch (s.s[at]) {
	case '<':
	case '(':
	case '[':
	case '{':
		return 1;
	case '>':
		return at > 0 && s.s[at - 1] == '-' ? 0 : -1;
	case ')':
	case ']':
	case '}':
		return -1;
	default:
		return 0;
	}
}

/* ---- the place --------------------------------------------------------------------------- */

/* Without the line and column after it; *line: there was one. */
static struct str
without_line(struct str s, bool *line)
{
	size_t n;

	*line = false;
	for (;;) {
		for (n = s.n; n > 0 && is_digit(s.s[n - 1]); n--)
			;
		if (n == s.n || n < 2 || s.s[n - 1] != ':')
			return s;
		s.n = n - 1;
		*line = true;
	}
}

static bool
is_file(struct str s)
{
	bool line;

	s = without_line(s, &line);
	return s.n > 0 && memchr(s.s, ',', s.n) == NULL && (line || memchr(s.s, '.', s.n) != NULL);
}

static struct str
name_without_marks(struct str place)
{
	bool closed = place.n > 0 && place.s[place.n - 1] == ')';

	if (!str_take(&place, STR(" - ")) && !str_take(&place, closed ? STR(" (") : STR(" ")))
		return STR("");
	place.n -= closed;
	return place;
}

struct str
name_file(const struct name_parts *p)
{
	bool line;

	return without_line(name_without_marks(p->place), &line);
}

/*
 * Only brackets that were opened are closed: text that begins inside one is not a file, as in <frozen
 * importlib>:load:12.
 */
static bool
name_is_whole(struct str s)
{
	int depth = 0;

	for (size_t at = 0; at < s.n && depth >= 0; at++)
		depth += name_bracket(s, at);
	return depth >= 0;
}

/* Return where " (file.py:12)", " - file.rb:12" or " file.js:12:5" begins; s.n: nowhere. */
static size_t
place_at(struct str s)
{
	bool closed = s.n > 0 && s.s[s.n - 1] == ')', line;
	struct str open = closed ? STR(" (") : STR(" - "), file;
	const char *blank;

	for (size_t i = s.n; i-- > 1;) {
		if (!starts(s, i, open))
			continue;
		if (is_file(name_without_marks(str_after(s, i))))
			return i;
		break;
	}
	blank = closed || s.n == 0 ? NULL : memrchr(s.s, ' ', s.n);
	if (blank == NULL || blank == s.s)
		return s.n;
	/* V8 writes this form in its perf map. */
	file = without_line(str_after(s, (size_t)(blank + 1 - s.s)), &line);
	return line && file.n > 0 && name_is_whole(file) ? (size_t)(blank - s.s) : s.n;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* A name while it is read: where its own part and its arguments begin, and how deep in brackets one is. */
struct name_read {
	struct str	s;
	size_t		type, own, arguments, depth;	/* arguments 0: none yet */
};

/* Whether a bracket opens arguments: of Go's pkg.(*T).Func and of C++'s (anonymous namespace) it does not. */
static bool
opens_arguments(struct str s, size_t at)
{
	static const struct str no_name = STR("decltype");

	return s.s[at] == '(' && at > 0 && s.s[at - 1] != '.' && s.s[at - 1] != ':' &&
	    !starts(s, at, STR("(anonymous namespace)")) &&
	    !str_has_suffix((struct str){ s.s, at }, no_name);
}

/* Whether a name has a separator at a byte.  The suffixes of copies by GCC and LLVM, ".isra.0", are none. */
static bool
divides(struct str s, size_t at)
{
	static const struct str copies[] = {
		STR("isra."), STR("part."), STR("cold"), STR("constprop."), STR("llvm."), STR("lto_priv.")
	};

	if (at == 0 || at + 1 >= s.n || (s.s[at] != '.' && s.s[at] != '/') || is_digit(s.s[at + 1]))
		return false;
	for (size_t i = 0; i < NELEM(copies); i++)
		if (s.s[at] == '.' && starts(s, at + 1, copies[i]))
			return false;
	return true;
}

static void
read_byte(struct name_read *r, size_t at)
{
	struct str s = r->s;
	int step = name_bracket(s, at);

	if (step > 0) {
		if (r->depth == 0 && r->arguments == 0 && opens_arguments(s, at))
			r->arguments = at;
		r->depth++;
	} else if (step < 0) {
		r->depth -= r->depth > 0;
	} else if (r->depth > 0) {
		return;
	} else if (starts(s, at, STR("::"))) {
		/* The arguments so far were those of the enclosing scope. */
		r->own = at + 2 < s.n ? at + 2 : r->own;
		r->arguments = 0;
	} else if (r->arguments == 0 && divides(s, at)) {
		r->own = at + 1;
	} else if (r->arguments == 0 && s.s[at] == ' ' && at + 1 < s.n &&
	    (name_is_word(s.s[at + 1]) || s.s[at + 1] == '{' || starts(s, at + 1, STR("(anonymous namespace)")))) {
		r->type = r->own = at + 1;
	}
}

struct name_parts
name_parts(struct str name)
{
	struct name_read r = { .s = { name.s, place_at(name) } };
	struct name_parts p;
	size_t end, n;

	if (str_has_prefix(r.s, STR("-[")) || str_has_prefix(r.s, STR("+["))) {
		const char *blank = memchr(r.s.s, ' ', r.s.n);

		r.own = blank != NULL ? (size_t)(blank + 1 - r.s.s) : 0;
	} else if (r.s.n > 0 && r.s.s[0] != '[') {
		for (size_t at = 0; at < r.s.n; at += n > 0 ? n : 1) {
			n = name_operator(r.s, at);
			if (n == 0)
				read_byte(&r, at);
		}
		/* Words with blanks between them are one name. */
		if (r.arguments == 0 && r.own == r.type)
			r.own = r.type = 0;
	}
	end = r.arguments > r.own ? r.arguments : r.s.n;
	p.type = (struct str){ name.s, r.type };
	p.scope = (struct str){ name.s + r.type, r.own - r.type };
	p.own = (struct str){ name.s + r.own, end - r.own };
	p.rest = (struct str){ name.s + end, r.s.n - end };
	p.place = str_after(name, r.s.n);
	return p;
}

struct str
name_scope(const struct name_parts *p, bool *colons)
{
	struct str s = p->scope;

	*colons = str_has_suffix(s, STR("::"));
	if (!str_take(&s, STR("-[")))
		str_take(&s, STR("+["));
	if (s.n > 0)
		s.n -= 1 + (size_t)*colons;
	return s;
}

unsigned
name_hue(struct str s, unsigned hues)
{
	uint32_t h = 2166136261u;
	size_t dots = 0, end = 0, at;

	/* A third part counts if it is a package, too: in lower case, and not the last part. */
	for (at = 0; at < s.n && dots < 3; at++) {
		if (s.s[at] == ':' && at + 1 < s.n && s.s[at + 1] == ':')
			break;
		if (dots == 2 && s.s[at] >= 'A' && s.s[at] <= 'Z')
			break;
		if (s.s[at] == '.') {
			dots++;
			end = at + 1;
		}
	}
	end = dots == 0 ? at : end;
	for (size_t i = 0; i < end; i++)
		h = (h ^ (unsigned char)s.s[i]) * 16777619u;
	return (h >> 16) % hues;
}

/* ---- names of classes that were made at run time ------------------------------------------- */

static size_t
digits_before(struct str s, size_t end)
{
	size_t at = end;

	while (at > 0 && is_digit(s.s[at - 1]))
		at--;
	return end - at;
}

/* "+0x", "/0x" or ".0x" and hexadecimal digits, up to end; the length without it. */
static size_t
without_hex(struct str s, size_t end)
{
	size_t at = end;

	while (at > 0 && is_hex(s.s[at - 1]))
		at--;
	if (at == end || at < 3 || s.s[at - 1] != 'x' || s.s[at - 2] != '0')
		return end;
	at -= 3;
	return s.s[at] == '+' || s.s[at] == '/' || s.s[at] == '.' ? at : end;
}

/*
 * Hidden classes: A$$Lambda$88+0x00007f99d8007a08/1790421142, A$$Lambda/0x0000000022045a10,
 * A$$Lambda$4.0x00007fa198001800.
 */
static struct str
without_address(struct str s)
{
	size_t n = digits_before(s, s.n), end;

	if (n > 0 && n < s.n && s.s[s.n - n - 1] == '/' && (end = without_hex(s, s.n - n - 1)) < s.n - n - 1)
		return str_head(s, end);
	return str_head(s, without_hex(s, s.n));
}

struct str
name_primitive(char letter)
{
	static const struct { char letter; const char *name; } primitives[] = {
		{ 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" },
		{ 'I', "int" }, { 'J', "long" }, { 'S', "short" }, { 'Z', "boolean" },
	};

	for (size_t i = 0; i < NELEM(primitives); i++)
		if (letter == primitives[i].letter)
			return str_of(primitives[i].name);
	return STR("");
}

struct str
name_element(struct str class, size_t *dimensions)
{
	struct str primitive;

	for (*dimensions = 0; class.n > 0 && class.s[0] == '['; ++*dimensions)
		class = str_after(class, 1);
	if (*dimensions == 0)
		return class;
	primitive = class.n == 1 ? name_primitive(class.s[0]) : STR("");
	if (primitive.n > 0)
		return primitive;
	return class.n >= 2 && class.s[0] == 'L' && class.s[class.n - 1] == ';' ?
	    (struct str){ class.s + 1, class.n - 2 } : class;
}

struct str
name_lasting(struct str class)
{
	static const char *const made[] = { "$$Lambda", "GeneratedMethodAccessor", "GeneratedConstructorAccessor" };
	struct str s = without_address(class);
	size_t n = digits_before(s, s.n);
	struct str name = str_head(s, s.n - n);

	if (n == 0)
		return s;
	for (int dollar = 0; dollar < 2; dollar++) {
		for (size_t i = 0; i < NELEM(made); i++)
			if (str_has_suffix(name, str_of(made[i])))
				return name;
		if (name.n == 0 || name.s[name.n - 1] != '$')
			break;
		name.n--;
	}
	return s;
}

/* ---- platforms -------------------------------------------------------------------------------------- */

bool
name_is_platform(struct str class)
{
	static const char *const packages[] = {
		"java.", "javax.", "jdk.", "sun.", "com.sun.", "android.", "androidx.", "com.android.", "dalvik.",
		"libcore.", "kotlin.", "kotlinx.", "leakcanary.", "com.squareup.leakcanary."
	};
	bool array = class.n > 0 && class.s[0] == '[';
	size_t i, k;

	while (class.n > 0 && class.s[0] == '[')
		class = str_after(class, 1);
	class = array ? str_after(class, 1) : class;
	for (i = 0; i < NELEM(packages); i++) {
		for (k = 0; packages[i][k] != '\0' && k < class.n &&
		    (class.s[k] == '/' ? '.' : class.s[k]) == packages[i][k]; k++)
			;
		if (packages[i][k] == '\0')
			return true;
	}
	return false;
}

/* ---- numbers in names ----------------------------------------------------------------------------- */

static bool
name_is_letter(char c)
{
	return is_letter(c) || c == '_';
}

size_t
name_star(struct buf *b, size_t from, bool words)
{
	struct str s = buf_view(b);
	size_t to = from, stars = 0;

	for (size_t i = from, n; i < s.n; i += n) {
		n = str_digits(str_after(s, i));
		if (n > 0 && (!words || ((i + n == s.n || !name_is_letter(s.s[i + n])) &&
		    (to == 0 || !name_is_letter(b->s[to - 1]))))) {
			b->s[to++] = '*';
			stars++;
			continue;
		}
		n = n > 0 ? n : 1;
		memmove(b->s + to, s.s + i, n);
		to += n;
	}
	if (to < s.n) {
		b->n = to;
		b->s[to] = '\0';
	}
	return stars;
}
