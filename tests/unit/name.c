/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name: the parts of names of functions, and names in few columns.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "icecore/name.h"
#include "icecore/pass.h"

#define MARK "\xe2\x80\xa6"

/* ---- parts -------------------------------------------------------------------- */

/* The parts with | between them, as names of profilers and compilers have them. */
static const char *const parts[] = {
	"||hot||",
	"||__x64_sys_read||",
	"||GC minor pause||",
	"||[libc.so.6]||",
	"||foo.isra.0||",
	"||main|(int, char**)|",
	"void ||spin<double, 3>|(double)|",
	"unsigned long |ns::C<T>::|run|(int) const|",
	"|(anonymous namespace)::Fn::|operator<<|(int) const|",
	"bool |(anonymous namespace)::|less|(A)|",
	"|A::|operator<|(A const&) const|",
	"|A::|operator<=>|(A const&) const|",
	"|A::|operator-><int>|() const|",
	"|A::|operator/|(A)|",
	"|A::|operator std::vector<int>|() const|",
	"||operator new[]|(unsigned long)|",
	"|std::function<void (int)>::|operator()|(int) const|",
	"|main::{lambda(int)#1}::|operator()|(int) const|",
	"|f(int)::{lambda()#1}::|operator()|() const|",
	"|f(int) const::{lambda()#1}::|operator()|() const|",
	"void |{lambda(auto:1)#1}::|operator()<int>|(int) const|",
	"decltype(auto) |ns::|pick<int>|(int&&)|",
	"|f<(a)1>::|g|(int) [clone .isra.0]|",
	"|a.b.C.|run||",
	"|a.b.C.|<init>||",
	"|a/b/C.|run||",
	"long |a.b.C.|run||",
	"|a.b.C::|run||",
	"|main.(*T).|Run||",
	"|github.com/acme/shop.(*Cart).|Add||",
	"static |Foo.|bar|(Swift.Int) -> Swift.String|",
	"|<T as core::ops::Drop>::|drop||",
	"|core::slice::|{impl#3}||",
	"|core::slice::sort::|{{closure}}||",
	"|-[NSString |drawRow:in:]||",
	"||render|| (src/app.py:12)",
	"||<module>|| (app.py)",
	"|Cart.|add|| (app.py:3)",
	"||run|| - lib/cart.rb:12",
	"||JS:*run|| /srv/cart.js:12:5",
	"||<frozen importlib._bootstrap>:_find_and_load:1007||",
	"", "||<||", "||a::||", "|::|a||", "||(||", "||a<b::c||", "||>>>a||", "|a::|operator||",
};

static void
cut(void **state)
{
	struct buf b = BUF_INIT;
	struct name_parts p;
	char name[200];
	size_t n;

	(void)state;
	for (size_t i = 0; i < NELEM(parts); i++) {
		n = 0;
		for (const char *c = parts[i]; *c != '\0'; c++)
			if (*c != '|')
				name[n++] = *c;
		p = name_parts((struct str){ name, n });
		buf_clear(&b);
		buf_str(&b, p.type);
		buf_chr(&b, '|');
		buf_str(&b, p.scope);
		buf_chr(&b, '|');
		buf_str(&b, p.own);
		buf_chr(&b, '|');
		buf_str(&b, p.rest);
		buf_chr(&b, '|');
		buf_str(&b, p.place);
		buf_chr(&b, '\0');
		if (n > 0 && parts[i][0] != ' ')
			assert_string_equal(b.s, parts[i]);
		assert_ptr_equal(p.type.s, name);
		assert_ptr_equal(p.type.s + p.type.n, p.scope.s);
		assert_ptr_equal(p.scope.s + p.scope.n, p.own.s);
		assert_ptr_equal(p.own.s + p.own.n, p.rest.s);
		assert_ptr_equal(p.rest.s + p.rest.n, p.place.s);
		assert_ptr_equal(p.place.s + p.place.n, name + n);
	}
	buf_free(&b);
}

/* Names as in the lines of stack dumps: text behind a name is not part of it. */
static const char *const ended[] = {
	"StubRoutines (2)", "Foo.bar(Swift.Int) -> Swift.String", "decltype(auto) ns::pick<int>(int&&)", "vtable for Foo",
	"closure #1 (Swift.Int) -> () in Foo.bar()", "closure #1 in closure #2 in Foo.bar()", "non-virtual thunk to A::f()", "operator new(unsigned long)",
	"main.(*T).Run", "main.Run.func1.2", "<T as core::ops::Drop>::drop", "-[NSString drawRow:in:]", "'Elixir.Foo':bar/2",
	"block in Cart#add", "rescue in block (2 levels) in run", "instance void Foo::Bar(int32,string)", "a.b.C$$Lambda$14/0x01.run",
	"std::map<int, std::vector<A, B> >::at(int const&) const", "void spin<double, 3>(double)", "java.lang.Object.wait0",
};

static void
ends(void **state)
{
	static const char *const tails[] = { "", " login of alice", " (account 12)", " - 12", " \"a\"", ": 12", ";12", ", 12" };
	char text[300];
	size_t n;

	(void)state;
	for (size_t i = 0; i < NELEM(ended); i++)
		for (size_t k = 0; k < NELEM(tails); k++) {
			n = strlen(ended[i]);
			snprintf(text, sizeof text, "%s%s", ended[i], tails[k]);
			if (name_end(str_of(text)) != n)
				fail_msg("the name of \"%s\" ends at %zu", text, name_end(str_of(text)));
		}
	for (size_t i = 0; i < NELEM(parts); i++) {
		n = 0;
		for (const char *c = parts[i]; *c != '\0'; c++)
			if (*c != '|')
				text[n++] = *c;
		text[n] = '\0';
		/* Events are not functions, and a place is not part of a name. */
		if (n > 0 && text[n - 1] == ':')
			continue;
		if (memchr(text, ' ', n) != NULL && strchr(text, '(') == NULL && strncmp(text, "operator", 8) != 0 && text[0] != '-')
			continue;
		n = name_end((struct str){ text, n });
		if (n + name_parts(str_of(text)).place.n < strlen(text))
			fail_msg("%s is cut at %zu", text, n);
	}
}

static void
is_scope(const char *name, const char *scope, bool colons, const char *file)
{
	struct name_parts p = name_parts(str_of(name));
	bool found;

	assert_true(str_eq(name_scope(&p, &found), str_of(scope)));
	assert_int_equal(found, colons);
	assert_true(str_eq(name_file(&p), str_of(file)));
}

static void
scopes(void **state)
{
	(void)state;
	is_scope("ns::C<a::b>::run(x::y)", "ns::C<a::b>", true, "");
	is_scope("a.b.C.run", "a.b.C", false, "");
	is_scope("-[NSString drawRow:in:]", "NSString", false, "");
	is_scope("run", "", false, "");
	is_scope("Cart.add (shop/app.py:3)", "Cart", false, "shop/app.py");
	is_scope("run - lib/cart.rb:12", "", false, "lib/cart.rb");
	is_scope("JS:*run /srv/cart.js:12:5", "", false, "/srv/cart.js");
	is_scope("f(a.b, int)", "", false, "");
}

/* ---- short -------------------------------------------------------------------- */

static void
shortened(const char *name, size_t width, const char *want)
{
	struct buf b = BUF_INIT;

	name_short(&b, str_of(name), width, STR("~"));
	buf_chr(&b, '\0');
	assert_string_equal(b.s, want);
	buf_free(&b);
}

static void
steps(void **state)
{
	static const struct { size_t width; const char *want; } row[] = {
		{ 98, "std::pair<int, long> ns::Map<std::string, std::vector<int> >::find<long>(std::string const&) const" },
		{ 95, "std::pair<int, long> ns::Map<std::string, std::vector<int> >::find<long>(~)" },
		{ 74, "~ns::Map<std::string, std::vector<int> >::find<long>(~)" },
		{ 54, "~ns::Map<std::string, std::vector<~> >::find<long>(~)" },
		{ 52, "~ns::Map<~string, std::vector<~> >::find<long>(~)" },
		{ 48, "~ns::Map<~string, ~vector<~> >::find<long>(~)" },
		{ 44, "~ns::Map<~>::find<long>(~)" },
		{ 25, "~ns::Map<~>::find<~>(~)" },
		{ 22, "~Map<~>::find<~>(~)" },
		{ 18, "~find<~>(~)" },
		{ 10, "~find<~>~" },
		{ 8, "~find~" },
		{ 5, "find" },
		{ 4, "find" },
		{ 3, "fi~" },
		{ 1, "~" },
		{ 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < NELEM(row); i++)
		shortened("std::pair<int, long> ns::Map<std::string, std::vector<int> >::find<long>(std::string const&) const",
		    row[i].width, row[i].want);
}

static void
languages(void **state)
{
	(void)state;
	shortened("<alloc::vec::Vec<T> as core::ops::Drop>::drop", 30, "<~Vec<T> as ~Drop>::drop");
	shortened("<alloc::vec::Vec<T> as core::ops::Drop>::drop", 20, "<~>::drop");
	shortened("core::ops::FnOnce::call_once{{vtable.shim}}", 30, "~call_once{{vtable.shim}}");
	shortened("static Foo.bar(Swift.Int) -> Swift.String", 20, "static Foo.bar(~)");
	shortened("com.example.app.ui.MainActivity.onCreate", 30, "~app.ui.MainActivity.onCreate");
	shortened("com.example.app.ui.MainActivity.onCreate", 20, "~onCreate");
	shortened("com.example.app.ui.MainActivity.onCreate", 7, "onCr~te");
	shortened("com.example.Cart.<init>", 12, "~Cart.<init>");
	shortened("github.com/acme/shop.(*Cart).Add", 14, "~(*Cart).Add");
	shortened("-[NSTableView drawRow:clipRect:]", 24, "~drawRow:clipRect:]");
	shortened("render (src/app/main.py:12)", 22, "render (~main.py:12)");
	shortened("render (src/app/main.py:12)", 14, "render (~)");
	shortened("render (src/app/main.py:12)", 8, "render~");
	shortened("run - lib/shop/cart.rb:12", 20, "run - ~cart.rb:12");
	shortened("main::{lambda(int)#1}::operator()(int) const", 40, "main::{lambda(int)#1}::operator()(~)");
	shortened("(anonymous namespace)::Fn::operator<<(int) const", 24, "~Fn::operator<<(~)");
	shortened("std::unique_ptr<T>::operator->() const", 20, "~operator->()~");
	shortened("A::operator std::vector<int>() const", 32, "A::operator std::vector<int>()~");
	shortened("GC minor pause of all threads", 12, "GC minor~ads");
	/* Two columns each; never half a character. */
	shortened("\xe6\x97\xa5\xe6\x9c\xac::\xe8\xaa\x9e\xe8\xaa\x9e", 6, "~\xe8\xaa\x9e\xe8\xaa\x9e");
	shortened("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe8\xaa\x9e", 6, "\xe6\x97\xa5\xe6\x9c\xac~");
}

/* ---- names among others --------------------------------------------------------- */

static void
among(size_t width, size_t n, const char *const *names, const char *const *want)
{
	struct name_shown *s = calloc(n, sizeof *s);

	assert_non_null(s);
	for (size_t i = 0; i < n; i++) {
		s[i].whole = str_of(names[i]);
		s[i].width = width;
	}
	names_short(s, n, STR("~"));
	for (size_t i = 0; i < n; i++) {
		buf_chr(&s[i].text, '\0');
		assert_string_equal(s[i].text.s, want[i]);
		buf_free(&s[i].text);
	}
	free(s);
}

static void
apart(void **state)
{
	static const char *const functions[] = {
		"std::function<void (int)>::operator()(int) const", "std::function<void (char)>::operator()(char) const",
		"std::function<void (int)>::operator()(int) const", "std::function<void (Apple)>::operator()(Apple) const"
	}, *const one[] = { "~int~operator()(~)", "~char~operator()(~)", "~int~operator()(~)", "~Apple~operator()(~)" },
	*const narrow[] = { "~i~ope~", "~c~ope~", "~i~ope~", "~A~ope~" };
	static const char *const overloads[] = { "ns::f(int)", "ns::f(long)", "ns::f", "ns::g(int)" },
	    *const shown[] = { "~f(int)", "~f(long)", "ns::f", "ns::g(~)" };
	/* No one place tells all of them apart. */
	static const char *const square[] = { "f<AAAA,CCCC>()", "f<AAAA,DDDD>()", "f<BBBB,CCCC>()", "f<BBBB,DDDD>()" },
	    *const corners[] = { "f~A~C~", "f~A~D~", "f~B~C~", "f~B~D~" };

	(void)state;
	among(20, 4, functions, one);
	among(8, 4, functions, narrow);
	among(9, 4, overloads, shown);
	among(7, 4, square, corners);
}

/* Whether short is whole with pieces left out, each marked. */
static bool
is_made_of(struct str text, struct str whole)
{
	struct str piece, behind;

	for (; str_divide(text, STR(MARK), &piece, &behind); text = behind) {
		const char *at = piece.n == 0 ? whole.s : memmem(whole.s, whole.n, piece.s, piece.n);

		if (at == NULL)
			return false;
		whole = str_after(whole, (size_t)(at - whole.s) + piece.n);
	}
	return text.n == 0 || memmem(whole.s, whole.n, text.s, text.n) != NULL;
}

/* Whatever the names and widths: it fits, it is made of the name, its own part stays longest, and no two are alike. */
static void
rules(void **state)
{
	struct name_shown s[NELEM(parts)];
	char *name[NELEM(parts)];
	struct name_parts p;
	size_t n;

	(void)state;
	for (size_t i = 0; i < NELEM(parts); i++) {
		name[i] = calloc(strlen(parts[i]) + 1, 1);
		assert_non_null(name[i]);
		n = 0;
		for (const char *c = parts[i]; *c != '\0'; c++)
			if (*c != '|')
				name[i][n++] = *c;
	}
	for (size_t w = 0; w < 60; w++) {
		for (size_t i = 0; i < NELEM(parts); i++)
			s[i] = (struct name_shown){ .whole = str_of(name[i]), .width = w, .text = BUF_INIT };
		names_short(s, NELEM(parts), STR(MARK));
		for (size_t i = 0; i < NELEM(parts); i++) {
			assert_true(text_width(buf_view(&s[i].text)) <= w);
			assert_true(is_made_of(buf_view(&s[i].text), s[i].whole));
			p = name_parts(s[i].whole);
			assert_true(s[i].n > 0 || p.own.n > w || p.own.n == 0 || w < 15 ||
			    memmem(s[i].text.s, s[i].text.n, p.own.s, strcspn(p.own.s, "<(") < p.own.n ?
			    strcspn(p.own.s, "<(") : p.own.n) != NULL);
			for (size_t k = 0; k < i && w >= 12; k++)
				assert_true(str_eq(s[i].whole, s[k].whole) ||
				    !str_eq(buf_view(&s[i].text), buf_view(&s[k].text)));
		}
		for (size_t i = 0; i < NELEM(parts); i++)
			buf_free(&s[i].text);
	}
	for (size_t i = 0; i < NELEM(parts); i++)
		free(name[i]);
}

/* Endless names are read only at their ends, and endless brackets cost no more. */
static void
endless(void **state)
{
	enum { LONG = 100000 };
	static const char *const bits[] = { "<", "a::", "f(", "\xe6\x97\xa5", "operator ", "{<(", "a>", "x" };
	char *s = calloc(LONG + 20, 1);
	struct buf b = BUF_INIT;

	(void)state;
	assert_non_null(s);
	for (size_t i = 0; i < NELEM(bits); i++) {
		size_t n = 0, k = strlen(bits[i]);

		for (; n + k <= LONG; n += k)
			memcpy(s + n, bits[i], k);
		s[n] = '\0';
		buf_clear(&b);
		name_short(&b, str_of(s), 40, STR(MARK));
		assert_true(b.n > 0 && text_width(buf_view(&b)) <= 40);
	}
	buf_free(&b);
	free(s);
}

/* Types of arguments, as JVMS 4.3.3 writes them or in words; broken ones are shown up to the fault. */
static void
overloads(void **state)
{
	static const char *const signatures[][2] = {
		{ "", "" }, { "V", "" }, { "(I", "" }, { "()V", " ()" }, { "()", " ()" },
		{ "(I)V", " (int)" }, { "(ZBCSIJFD)V", " (boolean, byte, char, short, int, long, float, double)" },
		{ "([BII)I", " (byte[], int, int)" }, { "(Ljava/util/Map;[[La/B$C;)La/D;", " (Map, B$C[][])" },
		{ "(int, java.lang.String[])", " (int, String[])" }, { "(Q)V", " (Q)" }, { "(Ljava/lang)V", " (Ljava/lang)" },
		{ "([)V", " ([])" }, { "(ILfoo)V", " (int, Lfoo)" }
	};
	struct buf b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < NELEM(signatures); i++) {
		buf_clear(&b);
		signature_told(str_of(signatures[i][0]), &b);
		assert_string_equal(b.n > 0 ? b.s : "", signatures[i][1]);
	}
	buf_free(&b);
}

/* Names of methods as perf maps have them; "": they are no such names. */
static void
java(void **state)
{
	static const char *const names[][2] = {
		{ "Lio/netty/Loop;::run", "io.netty.Loop.run" }, { "Lio/netty/Loop$Unsafe;.read()V", "io.netty.Loop$Unsafe.read" },
		{ "LBusy;::main", "Busy.main" }, { "La/B;::<init>", "a.B.<init>" },
		{ "La/B$$Lambda/0x00007f0001;.run(Ljava/lang/Object;)V", "a.B$$Lambda.0x00007f0001.run" },
		{ "Lio/netty/Loop:::run", "io.netty.Loop.run" }, { "io/netty/Loop:::run", "io.netty.Loop.run" },
		{ "Lio/netty/Loop:.read(I)V", "io.netty.Loop.read" }, { "io/netty/Loop:.read", "io.netty.Loop.read" }, { "LBusy:::main", "Busy.main" }, { "Lock::f", "" },
		{ "a/B:::run (ambiguous)", "" }, { "La/B;::", "" }, { "La/B;::access$0(I", "a.B.access$0" },
		{ "void java.lang.Thread.run()", "java.lang.Thread.run" }, { "long Svc$Handler.handle(int, byte[])", "Svc$Handler.handle" },
		{ "java.lang.Object[] a.B.all(int)", "a.B.all" }, { "void a.B.<init>()", "a.B.<init>" },
		{ "java/lang/Thread.run", "java.lang.Thread.run" }, { "java/lang/Thread::run", "java.lang.Thread.run" },
		{ "a/b2/C$1.<init>(I)V", "a.b2.C$1.<init>" }, { "W$$Lambda/0x01.run", "" }, { "a/_b/C.m$default", "a._b.C.m$default" },
		{ "a/W$$Lambda$1/0x7f01.run", "a.W$$Lambda$1.0x7f01.run" }, { "a/L$MH.0x7f01.run", "a.L$MH.0x7f01.run" },
		/* Paths, URLs and packages of Go. */
		{ "src/App.js", "" }, { "src/main/Foo.java", "" }, { "a/B.c", "" }, { "./a/B.run", "" }, { "/a/B.run", "" },
		{ "github.com/x/Y.F", "" }, { "encoding/json.Marshal", "" }, { "net/http.(*Server).Serve", "" },
		{ "https://a/B.run", "" }, { "App/Models/User.find", "" }, { "a/B.run:12", "" }, { "a/B.run c", "" },
		{ "a//B.run", "" }, { "a/B", "" }, { "a/B.", "" }, { "a/B/C.run", "" }, { "a/1/B.run", "" }, { "Enum.map/2", "" },
		{ "my-app/Foo.run", "" }, { "a/B/", "" }, { "a/", "" }, { "/", "" },
		/* Several, other languages, and texts. */
		{ "La/B;::run->Lc/D;::go", "" }, { "void ns::f<int>(int)", "" }, { "std::map<int, char> f(int, char)", "" },
		{ "unsigned long f(int)", "" }, { "libjvm.so.Thread::call_run", "" }, { "Lock::unlock()", "" }, { "main", "" },
		{ "L;::run", "" }, { "void f(int)", "" }, { "void a.b.c", "" }, { "static Foo.bar(Swift.Int) -> Swift.String", "" },
		{ "Evaluate shop.js(3)", "" }, { "GET api.example(1)", "" }, { "int[] a.B.all()", "a.B.all" }, { ")", "" },
		{ "main.(*T).Run", "" }, { "Lio/netty/Loop;", "" }, { "", "" }, { "operator delete(void*)", "" }
	};
	OWN_BUF b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < NELEM(names); i++) {
		buf_clear(&b);
		assert_int_equal(name_java(str_of(names[i][0]), &b), names[i][1][0] != '\0');
		assert_true(str_is(buf_view(&b), names[i][1]));
	}
}

TOOL(unit, name)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut),
		cmocka_unit_test(ends),
		cmocka_unit_test(scopes),
		cmocka_unit_test(steps),
		cmocka_unit_test(languages),
		cmocka_unit_test(apart),
		cmocka_unit_test(rules),
		cmocka_unit_test(endless),
		cmocka_unit_test(overloads),
		cmocka_unit_test(java),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
