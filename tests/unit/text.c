/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: the gate for hostile strings, and how wide what passes it is.
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "icecore/base.h"
#include "load/jfr/chunk.h"

#define BAD "\xef\xbf\xbd"
#define STR_OF(lit) { lit, sizeof lit - 1 }

static size_t
encode(uint32_t cp, char *s)
{
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4, i;

	for (i = n - 1; i > 0; i--, cp >>= 6)
		s[i] = (char)(0x80 | (cp & 0x3f));
	s[0] = (char)(lead[n] | cp);
	return n;
}

static void
fits(struct str src, const char *want)
{
	char out[256], twice[256];
	struct buf b = BUF_INIT;
	size_t n = text_fit(out, sizeof out, src);

	assert_int_equal(n, strlen(want));
	assert_string_equal(out, want);
	assert_int_equal(text_fit(twice, sizeof twice, str_of(out)), n);
	assert_string_equal(twice, out);
	text_fit_buf(&b, src);
	assert_true(str_eq(buf_view(&b), str_of(want)));
	buf_free(&b);
}

/* Every class of code points that may not reach a terminal, first and last of each range. */
static void
replaced(void **state)
{
	static const uint32_t cps[] = { 0, 7, 9, 0xa, 0x1b, 0x1f, 0x7f, 0x80,
	    0x9b, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x180e,
	    0x2000, 0x200a, 0x200b, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e,
	    0x205f, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800, 0x3164, 0xd800, 0xdfff, 0xe000,
	    0xf8ff, 0xfdd0, 0xfdef, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9,
	    0xfffb, 0xfffd, 0xfffe, 0xffff, 0x1d173, 0x1fffe, 0xe0001, 0xe0020,
	    0xe007f, 0xe0100, 0xf0000, 0x10ffff };
	char src[16] = "[", want[32];
	size_t i, n;

	(void)state;
	for (i = 0; i < NELEM(cps); i++) {
		n = 1 + encode(cps[i], src + 1);
		src[n++] = ']';
		strcpy(want, "[" BAD "]");
		fits((struct str){ src, n }, want);
	}
}

static void
kept(void **state)
{
	static const char *const texts[] = { "", "plain ~ text", "\xc3\xa9",
	    "\xe6\x97\xa5\xe6\x9c\xac", "\xe2\x94\x80\xe2\x96\x88\xe2\x86\x90",
	    "\xe2\xa0\x81", "\xc2\xa0" "1\xe2\x80\xaf" "2\xe3\x80\x80" "3", "\xf0\x9f\x98\x80", "\xf0\x9f\x87\xa6",
	    "e\xcc\x81", "a\xcc\x81\xcc\x82", "\xd0\x96\xd7\x90" };
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(texts); i++)
		fits(str_of(texts[i]), texts[i]);
}

static void
not_utf8(void **state)
{
	(void)state;
	fits(STR("\xff"), BAD);
	fits(STR("\x9b"), BAD);
	fits(STR("\xc0\xaf"), BAD BAD);
	fits(STR("\xe0\x80\xaf"), BAD BAD BAD);
	fits(STR("\xed\xa0\x80"), BAD);
	fits(STR("\xed\xa0"), BAD BAD);
	fits(STR("\xed\xa0\x80\xed\xb0\x80"), BAD BAD);
	fits(STR("\xf4\x90\x80\x80"), BAD BAD BAD BAD);
	fits(STR("\xf8\x88\x80\x80\x80"), BAD BAD BAD BAD BAD);
	fits(STR("a\xe2\x82"), "a" BAD BAD);
	fits(STR("\xe2\x82" "b"), BAD BAD "b");
	fits(STR("a\0b"), "a" BAD "b");
}

/* Two marks join a character; more, or any without one, would pile up elsewhere. */
static void
marks(void **state)
{
	(void)state;
	fits(STR("\xcc\x81"), BAD);
	fits(STR("a\xcc\x81\xcc\x82\xcc\x83\xcc\x84" "b"),
	    "a\xcc\x81\xcc\x82" BAD BAD "b");
	fits(STR("\n\xcc\x81"), BAD BAD);
	fits(STR(BAD "\xcc\x81"), BAD BAD);
	fits(STR("\xe2\x83\x9d"), BAD);
}

/* Names that are bytes: as they read, and back. */
static void
escaped(void **state)
{
	static const struct {
		struct str	 raw;
		const char	*text;
	} cases[] = {
		{ { "", 0 }, "" }, { STR_OF("plain name.hprof"), "plain name.hprof" }, { STR_OF("\xc3\xa9\xe6\x97\xa5"), "\xc3\xa9\xe6\x97\xa5" },
		{ STR_OF("a\xff" "b"), "a\\xffb" }, { STR_OF("a\xfe" "b"), "a\\xfeb" }, { STR_OF("\x1b[31m"), "\\x1b[31m" }, { STR_OF("a\nb"), "a\\x0ab" },
		{ STR_OF("a\\xffb"), "a\\x5cxffb" }, { STR_OF("\\"), "\\x5c" }, { STR_OF("\xe2\x80\xae"), "\\xe2\\x80\\xae" },
		{ STR_OF("\xed\xa0\x80"), "\\xed\\xa0\\x80" }, { STR_OF("a\0b"), "a\\x00b" }, { STR_OF(BAD), BAD },
		{ STR_OF("e\xcc\x81"), "e\xcc\x81" }, { STR_OF("e\xcc\x81\xcc\x82\xcc\x83x"), "e\xcc\x81\xcc\x82\\xcc\\x83x" },
		{ STR_OF("\xcc\x81"), "\\xcc\\x81" }, { STR_OF("\xff\xcc\x81"), "\\xff\\xcc\\x81" }
	};
	struct buf text = BUF_INIT, raw = BUF_INIT;
	char fitted[64];

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++) {
		buf_clear(&text);
		buf_clear(&raw);
		text_escape(&text, cases[i].raw);
		assert_true(str_eq(buf_view(&text), str_of(cases[i].text)));
		text_fit(fitted, sizeof fitted, buf_view(&text));
		assert_string_equal(fitted, cases[i].text);
		text_unescape(&raw, buf_view(&text));
		assert_true(str_eq(buf_view(&raw), cases[i].raw));
	}
	buf_clear(&raw);
	text_unescape(&raw, STR("c:\\dumps\\x4z\\x4"));
	assert_true(str_eq(buf_view(&raw), STR("c:\\dumps\\x4z\\x4")));
	buf_free(&text);
	buf_free(&raw);
}

static void
cut_anywhere(void **state)
{
	static const char src[] = "a\x1b\xe6\x97\xa5\xf0\x9f\x98\x80z";
	static const char want[] = "a" BAD "\xe6\x97\xa5\xf0\x9f\x98\x80z";
	char out[32];
	size_t size, n;

	(void)state;
	for (size = 0; size < sizeof out; size++) {
		memset(out, 'X', sizeof out);
		assert_int_equal(text_fit(out, size, str_of(src)), strlen(want));
		if (size == 0) {
			assert_true(out[0] == 'X');
			continue;
		}
		n = strlen(out);
		assert_true(n < size);
		assert_memory_equal(out, want, n);
		/* No part of a character. */
		assert_true((want[n] & 0xc0) != 0x80);
		assert_int_equal(text_fit(NULL, 0, str_of(out)), n);
		assert_true(out[size] == 'X');
	}
}

static void
ascii(void **state)
{
	char out[32];

	(void)state;
	assert_int_equal(text_fit_ascii(out, sizeof out,
	    STR("a\x1b\xe6\x97\xa5\xff\x7f~")), 6);
	assert_string_equal(out, "a????~");
	assert_int_equal(text_fit_ascii(out, 3, STR("abcdef")), 6);
	assert_string_equal(out, "ab");
	assert_int_equal(text_fit_ascii(NULL, 0, STR("abc")), 3);
}

static void
widths(void **state)
{
	struct str t = STR("a\xe6\x97\xa5" "e\xcc\x81\xf0\x9f\x98\x80");
	size_t cols, used;

	(void)state;
	assert_int_equal(text_width(t), 6);
	assert_int_equal(text_width(STR("")), 0);
	assert_int_equal(text_width(STR(BAD)), 1);
	assert_int_equal(text_width(STR("\xef\xbc\xa1")), 2);
	assert_int_equal(text_width(STR("\xe2\x94\x80\xe2\xa0\xbf")), 2);
	assert_int_equal(text_cut(t, 0, &used), 0);
	assert_int_equal(text_cut(t, 2, &used), 1);
	assert_int_equal(used, 1);
	assert_int_equal(text_cut(t, 3, &used), 4);
	assert_int_equal(text_cut(t, 4, &used), 7);
	assert_int_equal(used, 4);
	assert_int_equal(text_cut(t, 5, NULL), 7);
	assert_int_equal(text_cut(t, 6, NULL), t.n);
	assert_int_equal(text_cut(t, SIZE_MAX, &used), t.n);
	assert_int_equal(text_step(STR("e\xcc\x81x"), &cols), 3);
	assert_int_equal(cols, 1);
	assert_int_equal(text_step(STR(""), &cols), 0);
	assert_int_equal(cols, 0);
	assert_int_equal(char_cols(0x41), 1);
	assert_int_equal(char_cols(0x300), 0);
	assert_int_equal(char_cols(0x3042), 2);
	assert_int_equal(char_cols(0x1f1e6), 1);
	assert_int_equal(char_cols(0x10ffff), 1);
}

/* All code points: valid output, stable, and never a control. */
static void
everything(void **state)
{
	char src[4], out[16];
	uint32_t cp;
	size_t n, i;

	(void)state;
	for (cp = 0; cp < 0x110000; cp++) {
		n = encode(cp, src);
		n = text_fit(out, sizeof out, (struct str){ src, n });
		assert_true(n > 0 && n <= 9);
		for (i = 0; i < n; i++)
			assert_true((unsigned char)out[i] >= 0x20 && out[i] != 0x7f);
		assert_true((unsigned char)out[0] != 0xc2 ||
		    (unsigned char)out[1] >= 0xa0);
		assert_true(text_width((struct str){ out, n }) <= 3);
	}
}

static void
html(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	text_html(&b, STR("a<b>&\"c'"));
	text_html(&b, STR(""));
	text_html(&b, STR("&&"));
	assert_string_equal(b.s, "a&lt;b&gt;&amp;&quot;c&#39;&amp;&amp;");
	buf_free(&b);
}

/* Strings of flight recordings in units of UTF-16, at the limits of pairs; half a pair stays one. */
static void
recorded_units(void **state)
{
	static const struct {
		uint16_t	unit[4];	/* 0: the end */
		const char	*want;
	} texts[] = {
		{ { 0xd800, 0xdc00 }, "\xf0\x90\x80\x80" }, { { 0xdbff, 0xdfff }, "\xf4\x8f\xbf\xbf" },
		{ { 0xd7ff, 0xdc00 }, "\xed\x9f\xbf\xed\xb0\x80" }, { { 0xdc00, 0xdc00 }, "\xed\xb0\x80\xed\xb0\x80" },
		{ { 0xd800, 0xdbff }, "\xed\xa0\x80\xed\xaf\xbf" }, { { 0xd800, 0xe000 }, "\xed\xa0\x80\xee\x80\x80" },
		{ { 0xd800, 0xd801, 0xdc01 }, "\xed\xa0\x80\xf0\x90\x90\x81" }, { { 'a', 0xdbff }, "a\xed\xaf\xbf" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		uint8_t bytes[2 + 3 * 4] = { TEXT_UTF16 }, *p = bytes + 2;
		struct jfr_in in = { bytes, bytes + sizeof bytes, false };
		struct buf got = BUF_INIT;
		uint64_t key;

		for (const uint16_t *u = texts[i].unit; bytes[1] < 4 && *u != 0; u++, bytes[1]++) {
			*p++ = (uint8_t)(*u | 0x80);
			*p++ = (uint8_t)(*u >> 7 | 0x80);
			*p++ = (uint8_t)(*u >> 14);
		}
		jfr_text_read(&in, &got, &key);
		assert_false(in.bad);
		assert_ptr_equal(in.at, p);
		assert_int_equal(got.n, strlen(texts[i].want));
		assert_memory_equal(got.s, texts[i].want, got.n);
		buf_free(&got);
	}
}

TOOL(unit, text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replaced),
		cmocka_unit_test(kept),
		cmocka_unit_test(not_utf8),
		cmocka_unit_test(marks),
		cmocka_unit_test(escaped),
		cmocka_unit_test(html),
		cmocka_unit_test(recorded_units),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(ascii),
		cmocka_unit_test(widths),
		cmocka_unit_test(everything),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
