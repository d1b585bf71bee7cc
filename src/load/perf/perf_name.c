/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of perf script, and names of their functions.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/make.h"
#include "icecore/name.h"
#include "icecore/perf.h"
#include "icecore/scan.h"
#include "load/stacks/text.h"
#include "head.h"

/* Find two bytes, the second of which is rarer. */
static const char *
find_pair(struct str s, char first, char second)
{
	const char *hit = s.s, *end = s.s + s.n;

	while (hit < end && (hit = memchr(hit, second, (size_t)(end - hit))) != NULL) {
		if (hit > s.s && hit[-1] == first)
			return hit - 1;
		hit++;
	}
	return NULL;
}

/* Return the last " (" of s, or NULL. */
static const char *
opening(struct str s)
{
	const char *hit;

	while (s.n > 1 && (hit = memrchr(s.s, '(', s.n)) != NULL && hit > s.s) {
		if (hit[-1] == ' ')
			return hit - 1;
		s.n = (size_t)(hit - s.s);
	}
	return NULL;
}

/* ---- frames --------------------------------------------------------------------------- */

/* Whether a module begins there: a path, "[kernel.kallsyms]", "inlined". */
static bool
perf_is_module(struct str s)
{
	return str_begins(s, "/") || str_begins(s, "[") || str_begins(s, "inlined)");
}

bool
perf_has_module(const struct perf_frame *f)
{
	return f->module.n > 0 && (perf_is_module(f->module) || str_is(f->module, "inlined"));
}

struct str
perf_tail(struct str line)
{
	size_t depth = 0;

	for (size_t i = 0; i + 2 < line.n; i++) {
		if (line.s[i] != '(' || (i > 0 && !is_blank(line.s[i - 1])) || !perf_is_module(str_after(line, i + 1)))
			continue;
		for (size_t k = i; k < line.n; k++) {
			depth += line.s[k] == '(';
			if (line.s[k] == ')' && --depth == 0) {
				line = str_after(line, k + 1);
				/* Branches have two frames. */
				return str_begins(line, " => ") || str_begins(line, " <= ") ? STR("") : line;
			}
		}
		break;
	}
	return STR("");
}

/*
 * Take "(module)" off the end of *s: from the bracket that the last one closes, otherwise from the last " (".
 */
static bool
take_module(struct str *s, struct str *module)
{
	static const struct str gone = { " (deleted)", 10 };
	size_t n = s->n, depth = 0;
	const char *open;

	*module = STR("");
	s->n = n = n - perf_tail(*s).n;
	if (n == 0 || s->s[n - 1] != ')')
		return false;
	do {
		n--;
		depth += (size_t)(s->s[n] == ')') - (s->s[n] == '(');
	} while (n > 0 && depth > 0);
	open = depth > 0 || (n > 0 && !is_blank(s->s[n - 1])) ? opening(*s) : NULL;
	/* A path with an unclosed bracket; text that is not a path may be arguments. */
	if (open != NULL && (depth > 0 || open[2] == '/' || open[2] == '[')) {
		n = (size_t)(open - s->s) + 1;
		depth = 0;
	}
	if (depth > 0 || (n > 0 && !is_blank(s->s[n - 1])))
		return false;
	assert(n + 2 <= s->n);
	*module = (struct str){ s->s + n + 1, s->n - n - 2 };
	if (str_has_suffix(*module, gone))
		module->n -= gone.n;
	*s = text_trim((struct str){ s->s, n });
	return true;
}

/* Take the module from the last " (" before the last ")" of the line, as flame graph scripts do. */
static bool
take_module_exact(struct str *s, struct str *module)
{
	const char *end = s->n > 0 ? memrchr(s->s, ')', s->n) : NULL, *open;

	*module = STR("");
	if (end == NULL || (open = opening((struct str){ s->s, (size_t)(end - s->s) })) == NULL)
		return false;
	*module = (struct str){ open + 2, (size_t)(end - open) - 2 };
	s->n = (size_t)(open - s->s);
	return true;
}

enum { ADDRESS_MOST = 16, DECIMALS_MOST = 14 };	/* digits */

/* Parse "7f89e341d84f name+0x4f (module)"; false: not a frame. */
static bool
parse_frame(struct str line, unsigned names, struct perf_frame *f)
{
	size_t n = 0, from;
	bool module;

	line = names & PERF_EXACT ? str_skip_blanks(line) : text_trim(line);
	module = names & PERF_EXACT ? take_module_exact(&line, &f->module) : take_module(&line, &f->module);
	while (n < line.n && is_hex(line.s[n]))
		n++;
	/* "DE89494666693370814638" and "4391736271251330" are none. */
	n = n <= ADDRESS_MOST && (n <= DECIMALS_MOST || line.s[0] == '0' || str_digits(line) < n) ? n : 0;
	f->address = (struct str){ line.s, n };
	from = n;
	while (n > 0 && from < line.n && is_blank(line.s[from]))
		from++;
	if (module && n > 0 && from == line.n) {
		/* Without a name, the scripts take the last byte. */
		f->symbol = names & PERF_EXACT ? (struct str){ line.s + line.n - 1, 1 } : STR("[unknown]");
		return true;
	}
	if (from > n) {
		f->symbol = (struct str){ line.s + from, line.n - from };
		/* Some perf versions print branch instructions in between. */
		return f->symbol.n > 0 && (module || !str_begins(f->symbol, "insn:"));
	}
	f->address.n = 0;
	f->symbol = line.n > 0 || (names & PERF_EXACT) ? line : STR("[unknown]");
	return module && (line.n > 0 || !(names & PERF_EXACT));
}

/*
 * Return whether the line is the source location of a function, printed below its frame: "  file.c:12", "
 * [kernel][ffff80]".
 */
static bool
is_place(struct str line)
{
	size_t n = line.n;
	bool closed;

	if (n < 4 || line.s[0] != ' ' || line.s[1] != ' ' || is_blank(line.s[2]))
		return false;
	closed = line.s[n - 1] == ']';
	for (n -= closed; n > 3 && is_hex(line.s[n - 1]); n--)
		;
	return n < line.n - closed && line.s[n - 1] == (closed ? '[' : ':');
}

/* Remove "+0x1f" at the end. */
static struct str
without_offset(struct str s)
{
	size_t n = s.n;

	while (n > 0 && ((s.s[n - 1] >= '0' && s.s[n - 1] <= '9') ||
	    (s.s[n - 1] >= 'a' && s.s[n - 1] <= 'f')))
		n--;
	if (n < s.n && n > 3 && memcmp(s.s + n - 3, "+0x", 3) == 0)
		s.n = n - 3;
	return s;
}

bool
perf_line(struct str *frames, struct str *line)
{
	const char *nl;

	while (frames->n > 0) {
		*line = *frames;
		if (line->s[line->n - 1] == '\n')
			line->n--;
		nl = line->n > 0 ? memrchr(line->s, '\n', line->n) : NULL;
		frames->n = nl != NULL ? (size_t)(nl - line->s) + 1 : 0;
		assert(frames->n <= line->n);
		*line = str_after(*line, frames->n);
		if (line->n > 0 && line->s[line->n - 1] == '\r')
			line->n--;
		if (line->n > 0 && !head_is_aside(*line))
			return true;
	}
	return false;
}

bool
perf_frame(struct str line, unsigned names, struct perf_frame *f, uint64_t *bad)
{
	if (!parse_frame(line, names, f)) {
		*bad += !is_place(line);
		return false;
	}
	f->symbol = without_offset(f->symbol);
	return !(names & PERF_EXACT) || (f->symbol.n > 0 && f->symbol.s[0] != '(');
}

uint64_t
perf_cut(const char *base, uint64_t size)
{
	const char *nl = size > 0 ? memrchr(base, '\n', size) : NULL;
	struct str last = { base, size }, module;
	uint64_t n;

	if (nl != NULL)
		last = str_after(last, (size_t)(nl - base) + 1);
	n = last.n;
	if (n == 0 || last.s[0] == '#')
		return 0;
	while (last.n > 0 && last.s[last.n - 1] == '\r')
		last.n--;
	last = text_trim(last);
	/* Arguments are in brackets too, but are not a path. */
	return take_module(&last, &module) && (str_begins(module, "/") || str_begins(module, "[") ||
	    str_is(module, "inlined")) ? 0 : n;
}

/* ---- names ------------------------------------------------------------------------------ */

/*
 * Return the first "->" that separates a caller from an inlined function and is not part of a name; or NULL.
 */
static const char *
inline_arrow(struct str s)
{
	size_t depth = 0;

	if (find_pair(s, '-', '>') == NULL)
		return NULL;
	for (size_t i = 0, n; i < s.n; i += n) {
		int more;

		n = name_operator(s, i);
		if (n > 0)
			continue;
		n = 1;
		if (s.s[i] == '-' && i + 1 < s.n && s.s[i + 1] == '>') {
			if (depth == 0 && i > 0 && i + 2 < s.n && !is_blank(s.s[i - 1]) &&
			    memchr(" *()", s.s[i + 2], 4) == NULL)
				return s.s + i;
			n = 2;
			continue;
		}
		more = name_bracket(s, i);
		if (more >= 0 || depth > 0)
			depth += (size_t)more;
	}
	return NULL;
}

bool
perf_part(struct str *symbol, unsigned names, struct str *part)
{
	const size_t arrow = 2;
	const char *hit;

	if (symbol->s == NULL)
		return false;
	hit = names & PERF_EXACT ? find_pair(*symbol, '-', '>') : inline_arrow(*symbol);
	*part = *symbol;
	if (hit == NULL) {
		symbol->s = NULL;
		return true;
	}
	part->n = (size_t)(hit - symbol->s);
	assert(part->n + arrow <= symbol->n);
	symbol->n -= part->n + arrow;
	symbol->s = hit + arrow;
	return true;
}

/* Remove arguments from the first bracket on, except "(anonymous namespace)" and Go receivers. */
static struct str
without_arguments(struct str s)
{
	struct str left = s;
	const char *hit = find_pair(s, '.', '(');

	if (hit != NULL && str_has(str_after(s, (size_t)(hit + 2 - s.s)), STR(").")))
		return s;
	while (left.n > 0 && (hit = memchr(left.s, '(', left.n)) != NULL) {
		left = str_after(left, (size_t)(hit - left.s));
		if (!scan(&left, "(anonymous namespace)")) {
			s.n = (size_t)(hit - s.s);
			break;
		}
	}
	return s;
}

/* Name a frame without a symbol after its module. */
static struct str
unknown_name(const struct perf_frame *f, unsigned names, struct buf *b)
{
	struct str base = f->module, folder;

	str_divide_last(base, '/', &folder, &base);
	if (str_is(f->module, "[unknown]") || base.n == 0)
		base = STR("unknown");
	else if (!(names & PERF_EXACT) && base.n > 2 && base.s[0] == '[' && base.s[base.n - 1] == ']')
		base = (struct str){ base.s + 1, base.n - 2 };
	buf_clear(b);
	buf_chr(b, '[');
	buf_str(b, base);
	if (names & PERF_ADDRESSES) {
		buf_str(b, STR(" <"));
		buf_str(b, f->address);
		buf_chr(b, '>');
	}
	buf_chr(b, ']');
	return buf_view(b);
}

/* Replace semicolons, which separate frames, and quotes, which break other tools. */
static struct str
without_marks(struct str s, struct buf *b)
{
	static const bool mark[256] = { [';'] = true, ['"'] = true, ['\''] = true };
	bool own = s.s == b->s && b->s != NULL;
	size_t i = 0;

	while (i < s.n && !mark[(unsigned char)s.s[i]])
		i++;
	if (i == s.n)
		return s;
	if (!own) {
		buf_clear(b);
		buf_str(b, s);
	}
	if (b->bad)
		return s;
	for (size_t from = i; from < s.n; from++) {
		char c = b->s[from];

		if (c != '"' && c != '\'')
			b->s[i++] = c == ';' ? ':' : c;
	}
	assert(i <= s.n);
	b->n = i;
	return buf_view(b);
}

/* Cut a name as flame graph scripts do. */
static struct str
exact_name(struct str s, unsigned names, struct buf *b)
{
	s = without_marks(without_arguments(s), b);
	if ((names & PERF_JAVA) && s.n > 1 && s.s[0] == 'L' && memchr(s.s, '/', s.n) != NULL)
		s = (struct str){ s.s + 1, s.n - 1 };
	return s;
}

struct str
perf_name(const struct perf_frame *f, struct str part, unsigned names, struct buf *b)
{
	struct str s = part;

	if (s.n == 0 || str_is(s, "[unknown]"))
		s = unknown_name(f, names, b);
	if (names & PERF_RUST)
		s = name_rust(s, b);
	return names & PERF_EXACT ? exact_name(s, names, b) : s;
}

/* Return the kind of a module in brackets: 'j' JIT code, 0 user space, otherwise 'k', the kernel. */
static char
bracket_kind(struct str m)
{
	static const struct str users[] =
	    { { "[vdso", 5 }, { "[vsyscall", 9 }, { "[heap", 5 }, { "[stack", 6 }, { "[anon", 5 },
	    { "[uprobes", 8 } };

	if (str_begins(m, "[JIT"))
		return 'j';
	for (size_t i = 0; i < NELEM(users); i++)
		if (str_has_prefix(m, users[i]))
			return 0;
	return 'k';
}

/* "perf-12.map", or "jitted-12-3.so", which perf inject makes of a JIT dump. */
static bool
is_jit(struct str base)
{
	return scan(&base, "perf-%*d.map$") || scan(&base, "jitted-%*d-%*d.so$");
}

/* is_jit() as in the scripts: in a temporary directory, whatever follows the name. */
static bool
is_jit_exact(struct str m)
{
	struct str folder, base;

	return str_divide_last(m, '/', &folder, &base) && str_ends(folder, "/tmp") && scan(&base, "perf-%*d.map");
}

char
perf_kind(const struct perf_frame *f, unsigned names)
{
	struct str m = f->module, base = m, folder;
	bool bracket = m.n > 0 && m.s[0] == '[', exact = (names & PERF_EXACT) != 0;

	str_divide_last(m, '/', &folder, &base);
	if ((bracket || (exact ? str_ends(m, "vmlinux") : str_begins(base, "vmlinux"))) &&
	    !str_has(m, STR("unknown")))
		return bracket && !exact ? bracket_kind(m) : 'k';
	return (exact ? is_jit_exact(m) : is_jit(base)) ? 'j' : 0;
}
