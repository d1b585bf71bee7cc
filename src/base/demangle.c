/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * demangle: names of C++ and Rust functions that a compiler wrote as symbols, most of them by libiberty.
 *
 * A file may contain any symbols.  A short one can stand for a name that is longer than memory, so libiberty hands over
 * the name piece by piece, and a jump ends it when there are too many.  The stack that it needs grows with the square
 * of the length of the symbol.
 */
#include "config.h"

#include <string.h>

#include "icecore/bytes.h"
#include "icecore/name.h"

enum { HASH = 19 };	/* "::h" and 16 digits */

/* ---- names of Rust that C++ could have -------------------------------------------------------- */

/* Return whether the name ends in "::h" and 16 hexadecimal digits. */
static bool
has_hash(struct str s)
{
	if (s.n <= HASH)
		return false;
	s = str_after(s, s.n - HASH);
	return str_take(&s, STR("::h")) && str_hexes(s) == s.n;
}

/* Decode a byte, which may be an escape of Rust's legacy mangling, and return its length. */
static size_t
rust_escape(struct str s, char *c)
{
	static const struct { struct str escape; char c; } known[] = {
		{ STR("$SP$"), '@' }, { STR("$BP$"), '*' }, { STR("$RF$"), '&' }, { STR("$LT$"), '<' },
		{ STR("$GT$"), '>' }, { STR("$LP$"), '(' }, { STR("$RP$"), ')' }, { STR("$C$"), ',' },
	};
	uint64_t code;

	*c = s.s[0];
	if (*c != '$')
		return 1;
	for (size_t i = 0; i < NELEM(known); i++)
		if (str_has_prefix(s, known[i].escape)) {
			*c = known[i].c;
			return known[i].escape.n;
		}
	if (s.n < 5 || s.s[1] != 'u' || s.s[4] != '$' || !num_u64((struct str){ s.s + 2, 2 }, 16, &code) ||
	    code < ' ' || code > '~')
		return 1;
	*c = (char)code;
	return 5;
}

struct str
name_rust(struct str s, struct buf *b)
{
	struct str rest, whole = s;
	size_t i, n;
	char c;

	/* Most names have no hash, and the searches below cost more. */
	if (!str_has(s, STR("::h")))
		return whole;
	/* LLVM appends a number to what it moved between modules. */
	if (!str_divide(s, STR(" (.llvm."), &s, &rest))
		str_divide(s, STR(".llvm."), &s, &rest);
	if (!has_hash(s))
		return whole;
	s.n -= HASH;
	if (memchr(s.s, '$', s.n) == NULL && !str_has(s, STR("..")))
		return s;
	buf_clear(b);
	for (i = 0; i < s.n; i += n) {
		struct str left = str_after(s, i);

		/* Rust writes '_' before a part that begins with an escape; other tools keep that of closures. */
		n = 1;
		if (str_has_prefix(left, i == 0 ? STR("_$") : STR("_$LT$")) &&
		    (i == 0 || s.s[i - 1] == ':' || s.s[i - 1] == '`'))
			continue;
		if (str_begins(left, "..")) {
			n = 2;
			buf_str(b, STR("::"));
		} else {
			n = rust_escape(left, &c);
			buf_chr(b, c);
		}
	}
	return buf_view(b);
}

/* ---- symbols ---------------------------------------------------------------------------------- */

#ifdef USE_LIBIBERTY

#include <setjmp.h>

#include <libiberty/demangle.h>

enum { SYMBOL_MOST = 700, NAME_MOST = 4096 };

struct demangling {
	struct buf	*b;
	size_t		 from;
	jmp_buf		 too_long;
};

static void
demangle_piece(const char *s, size_t n, void *arg)
{
	struct demangling *d = arg;

	if (n > NAME_MOST - (d->b->n - d->from) || d->b->bad)
		longjmp(d->too_long, 1);
	buf_str(d->b, (struct str){ s, n });
}

/* Rust's symbols of old are those of C++ with a hash at the end. */
static bool
demangle_try(const char *symbol, struct demangling *d)
{
	if (setjmp(d->too_long) != 0)
		return false;
	if (rust_demangle_callback(symbol, DMGL_NO_OPTS, demangle_piece, d))
		return true;
	d->b->n = d->from;
	return cplus_demangle_v3_callback(symbol, DMGL_NO_OPTS, demangle_piece, d) != 0;
}

static bool
demangle_symbol(struct str symbol, struct buf *b)
{
	struct demangling d = { .b = b, .from = b->n };
	char text[SYMBOL_MOST + 1];
	size_t skip = str_has_prefix(symbol, STR("__Z"));	/* macOS puts an underscore in front of symbols */

	symbol = str_after(symbol, skip);
	if ((!str_begins(symbol, "_Z") && !str_begins(symbol, "_R")) || symbol.n > SYMBOL_MOST ||
	    memchr(symbol.s, '\0', symbol.n) != NULL)
		return false;
	memcpy(text, symbol.s, symbol.n);
	text[symbol.n] = '\0';
	if (demangle_try(text, &d) && b->n > d.from)
		return true;
	b->n = d.from;
	return false;
}

#else

static bool
demangle_symbol(struct str symbol, struct buf *b)
{
	(void)symbol;
	(void)b;
	return false;
}

#endif

/* The bytes of a name of Java at the start: letters of identifiers, and some marks. */
static size_t
java_word(struct str s, const char *marks)
{
	size_t n = 0;

	while (n < s.n && (is_word(s.s[n]) || (unsigned char)s.s[n] >= 0x80 || is_one_of(s.s[n], marks)))
		n++;
	return n;
}

/*
 * The bytes of "Lio/netty/Loop", which ";::" or ";." follows, as in perf maps of JVMs; 0: it is no such name, or
 * several.  In folded stacks ':' stands for ';', and scripts leave the L out.
 */
static size_t
descriptor_length(struct str name)
{
	static const char marks[] = "_$/-";
	bool class = str_begins(name, "L");
	struct str rest;
	size_t n = 0;

	while (n < name.n && (is_letter(name.s[n]) || is_digit(name.s[n]) || is_one_of(name.s[n], marks)))
		n++;
	rest = str_after(name, n);
	if (n <= 1 || !(str_begins(rest, ":::") ? class || memchr(name.s, '/', n) != NULL :
	    str_begins(rest, ":.") ? class && memchr(name.s, '/', n) != NULL :
	    class && (str_begins(rest, ";::") || str_begins(rest, ";."))))
		return 0;
	return str_has(rest, STR("->")) ? 0 : n;
}

/*
 * The bytes of "io/netty/Loop", as JVMs name classes: packages in lower case, then a class, which may have a number
 * behind it, "Loop$$Lambda/0x7f01".  0: paths of files, and packages of Go, have dots first, or no class.
 */
static size_t
slashed_length(struct str name)
{
	bool class = false;
	size_t n = 0;

	for (;;) {
		struct str rest = str_after(name, n);
		bool number = rest.n > 0 && is_digit(rest.s[0]);
		bool upper = rest.n > 0 && rest.s[0] >= 'A' && rest.s[0] <= 'Z';
		size_t part = java_word(rest, upper ? "$+-" : "$");

		if (part == 0 || class != number || (upper && n == 0))
			return 0;
		class |= upper;
		n += part;
		rest = str_after(name, n);
		if (rest.n > 1 && (rest.s[0] == '/' || (rest.s[0] == '.' && class && is_digit(rest.s[1]))))
			n++;
		else
			return class ? n : 0;
	}
}

/* The end of a name of a file with source text, behind its dot. */
static bool
is_source(struct str end)
{
	static const char *const ends[] = { "java", "kt", "kts", "scala", "groovy", "clj", "js", "mjs", "cjs", "jsx",
	    "ts", "tsx", "vue", "py", "rb", "php", "go", "rs", "c", "cc", "cpp", "cxx", "h", "hpp", "swift", "cs",
	    "dart" };

	return str_is_one(ends, NELEM(ends), end);
}

/* The place of the method in a name, and the bytes of its class; 0: it is no name of Java with slashes. */
static size_t
java_method(struct str name, size_t *class)
{
	struct str rest;
	size_t n;

	if ((*class = descriptor_length(name)) > 0)
		return *class + (name.s[*class + 1] == ':' ? 3 : 2);
	if ((*class = slashed_length(name)) == 0)
		return 0;
	rest = str_after(name, *class);
	n = str_begins(rest, ".") ? 1 : str_begins(rest, ":.") || str_begins(rest, "::") ? 2 : 0;
	return n == 0 || (n == 1 && is_source(str_after(rest, n))) ? 0 : *class + n;
}

/* A type of Java, "int[]" or "java.lang.String": other words in front of a name are texts. */
static bool
java_is_type(struct str s)
{
	struct str word = str_head(s, java_word(s, ""));
	bool is = str_is(word, "void") || memchr(s.s, '.', s.n) != NULL;

	for (const char *letter = "ZBCSIJFD"; !is && *letter != '\0'; letter++)
		is = str_eq(word, name_primitive(*letter));
	return is;
}

/* "a.b.C.run" of "void a.b.C.run(int)", as the JDK writes its own perf maps; empty: it is no such name. */
static struct str
java_typed(struct str s)
{
	size_t type = str_ends(s, ")") ? java_word(s, "$.[]") : 0, n;

	if (type == 0 || s.s[type] != ' ' || !java_is_type(str_head(s, type)))
		return STR("");
	s = str_after(s, type + 1);
	n = java_word(s, "$./+-<>");
	return n < s.n && s.s[n] == '(' && memchr(s.s, '.', n) != NULL ? str_head(s, n) : STR("");
}

bool
name_java(struct str symbol, struct buf *b)
{
	struct str method = java_typed(symbol);
	size_t class, place = java_method(symbol, &class), end;

	if (method.n > 0 || place == 0) {
		buf_str(b, method);
		return method.n > 0;
	}
	method = str_after(symbol, place);
	end = java_word(method, "$<>-");
	if (end == 0 || (end < method.n && method.s[end] != '('))
		return false;
	for (size_t i = symbol.s[0] == 'L'; i < class; i++)
		buf_chr(b, symbol.s[i] == '/' ? '.' : symbol.s[i]);
	buf_chr(b, '.');
	buf_str(b, str_head(method, end));
	return true;
}

bool
name_demangle(struct str symbol, struct buf *b)
{
	OWN_BUF plain = BUF_INIT;
	struct str name = name_rust(symbol, &plain);
	bool rust = name.n < symbol.n;

	if (rust)
		buf_str(b, name);
	b->bad |= plain.bad;
	return rust || name_java(symbol, b) || demangle_symbol(symbol, b);
}
