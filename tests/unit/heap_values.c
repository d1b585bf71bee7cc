/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_values: fields, texts and names of a heap dump written here.
 */
#include "config.h"

#include "heap_small.h"

/* ---- slots ----------------------------------------------------------------------- */

/* All slots as text: ".d=1.5 ", references as addresses. */
static void
list_slots(uint64_t addr, struct buf *b)
{
	struct heap_slots s;
	struct heap_slot slot;

	buf_clear(b);
	assert_true(heap_slots(&heap, at(addr), &s));
	while (heap_slot(&s, &slot)) {
		heap_slot_name(&heap, &slot, b);
		buf_chr(b, '=');
		if (slot.type == HEAP_OBJECT)
			buf_printf(b, slot.object != 0 || slot.bits == 0 ? "%llx" : "missing %llx",
			    (unsigned long long)slot.bits);
		else if (slot.type == 0)
			buf_chr(b, '?');
		heap_value(&slot, b);
		buf_chr(b, ' ');
	}
}

static void
slots_are_those_of_the_record(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	list_slots(FULL, &b);
	assert_text(&b, ".d=1.5 .x=-1 .s=-32768 .b=-128 .gone=missing dead0 .z=true "
	    ".c=\xc3\xa9 .x=-2147483648 .f=Infinity <class>=10b0 ");
	list_slots(SHORT, &b);
	assert_text(&b, ".d=0.0 .x=? .s=? .b=? .gone=? .z=? .c=? .x=? .f=? <class>=10b0 ");
	list_slots(ELEMENTS, &b);
	assert_text(&b, "[0]=2020 [1]=0 [2]=missing dead0 [3]=2020 <class>=1050 ");
	list_slots(NUMBERS, &b);
	assert_text(&b, "[0]=x [1]=y <class>=1040 ");
	list_slots(HOLDER, &b);
	assert_text(&b, "static count=42 static cache=5040 static again=5040 "
	    "static none=0 <super>=1000 <classloader>=0 <signers>=0 <protectiondomain>=0 ");
	list_slots(MAIN, &b);
	assert_text(&b, ".name=2020 .tid=27 "
	    "<Java Local> t.Holder.run(File.java:17)=4080 <class>=1060 ");
	buf_free(&b);
}

static void
one_slot_by_name_or_number(void **state)
{
	uint32_t base = heap_class_of_object(&heap, at(BASE));
	uint32_t holder = heap_class_of_object(&heap, at(HOLDER));
	struct heap_slot slot;

	(void)state;
	assert_true(heap_field(&heap, at(FULL), "x", 0, &slot));
	assert_int_equal(slot.type, HEAP_LONG);
	assert_true(heap_field(&heap, at(FULL), "x", base, &slot));
	assert_int_equal(slot.type, HEAP_INT);
	assert_int_equal(slot.class, base);
	assert_false(heap_field(&heap, at(FULL), "nope", 0, &slot));
	assert_false(heap_field(&heap, at(ELEMENTS), "x", 0, &slot));
	assert_true(heap_static(&heap, holder, STR("count"), &slot));
	assert_int_equal(slot.bits, 42);
	assert_false(heap_static(&heap, holder, STR("x"), &slot));
	assert_true(heap_element(&heap, at(ELEMENTS), 3, &slot));
	assert_int_equal(slot.object, at(LATIN));
	assert_false(heap_element(&heap, at(ELEMENTS), 4, &slot));
	assert_false(heap_element(&heap, at(FULL), 0, &slot));
}

static void
links_are_found_each_once(void **state)
{
	struct heap_slot slot = { .type = 0 };

	(void)state;
	assert_true(heap_link_next(&heap, at(ELEMENTS), at(LATIN), &slot));
	assert_int_equal(slot.index, 0);
	assert_true(heap_link_next(&heap, at(ELEMENTS), at(LATIN), &slot));
	assert_int_equal(slot.index, 3);
	assert_false(heap_link_next(&heap, at(ELEMENTS), at(LATIN), &slot));
	slot.type = 0;
	assert_true(heap_link_next(&heap, at(HOLDER), at(CACHE), &slot));
	assert_true(str_eq(slot.name, STR("cache")));
	assert_true(heap_link_next(&heap, at(HOLDER), at(CACHE), &slot));
	assert_true(str_eq(slot.name, STR("again")));
	assert_false(heap_link_next(&heap, at(HOLDER), at(CACHE), &slot));
	assert_true(heap_link(&heap, at(MADE), at(LOADED), &slot));
	assert_int_equal(slot.kind, SLOT_CLASS);
	assert_true(heap_link(&heap, at(WEAKLY), at(TARGET), &slot));
	assert_int_equal(slot.strength, HEAP_WEAK);
	assert_false(heap_link(&heap, at(TARGET), at(WEAKLY), &slot));
}

static void
numbers_as_java_prints_them(void **state)
{
	static const struct {
		uint8_t		 type;
		uint64_t	 bits;
		const char	*text;
	} cases[] = {
		{ HEAP_DOUBLE, 0, "0.0" }, { HEAP_DOUBLE, 0x8000000000000000, "-0.0" },
		{ HEAP_DOUBLE, 1, "4.9E-324" }, { HEAP_DOUBLE, 0x7ff8000000000000, "NaN" },
		{ HEAP_DOUBLE, 0xfff0000000000000, "-Infinity" },
		{ HEAP_DOUBLE, 0x3fb999999999999a, "0.1" }, { HEAP_DOUBLE, 0x4059000000000000, "100.0" },
		{ HEAP_DOUBLE, 0x416312d000000000, "1.0E7" }, { HEAP_DOUBLE, 0x416312cfe0000000, "9999999.0" },
		{ HEAP_DOUBLE, 0x3f50624dd2f1a9fc, "0.001" }, { HEAP_DOUBLE, 0x3f50624dd2f1a9fb, "9.999999999999998E-4" },
		{ HEAP_DOUBLE, 0x400921fb54442d18, "3.141592653589793" },
		{ HEAP_DOUBLE, 0x7fefffffffffffff, "1.7976931348623157E308" },
		{ HEAP_DOUBLE, 0xc0934a456d5cfaad, "-1234.5678" },
		{ HEAP_FLOAT, 0x3dcccccd, "0.1" }, { HEAP_FLOAT, 0x7f7fffff, "3.4028235E38" },
		{ HEAP_FLOAT, 1, "1.4E-45" }, { HEAP_FLOAT, 0x4b189680, "1.0E7" },
		{ HEAP_LONG, 0x8000000000000000, "-9223372036854775808" },
		{ HEAP_BYTE, 0xff, "-1" }, { HEAP_SHORT, 0x7fff, "32767" },
		{ HEAP_CHAR, 0xd800, "\xed\xa0\x80" }, { HEAP_CHAR, 0x20ac, "\xe2\x82\xac" },
		{ HEAP_BOOLEAN, 2, "true" }
	};
	struct buf b = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		struct heap_slot slot = { .type = cases[i].type, .bits = cases[i].bits };

		buf_clear(&b);
		heap_value(&slot, &b);
		assert_text(&b, cases[i].text);
	}
	buf_free(&b);
}

/* ---- names ----------------------------------------------------------------------- */

static void
strings_in_all_forms(void **state)
{
	static const struct {
		uint64_t	 addr;
		const char	*text;
	} cases[] = {
		{ LATIN, "gr\xc3\xbcn" }, { WIDE, "a\xf0\x9f\x98\x80\xed\xa0\x80" "b" },
		{ NO_VALUE, "" }, { LISTED, "old" }, { EMPTY, "" }
	};
	struct buf b = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		buf_clear(&b);
		assert_true(heap_string(&heap, at(cases[i].addr), 100, &b));
		assert_text(&b, cases[i].text);
	}
	buf_clear(&b);
	assert_true(heap_string(&heap, at(WIDE), 2, &b));
	assert_text(&b, "a\xf0\x9f\x98\x80");
	buf_clear(&b);
	assert_false(heap_string(&heap, at(FULL), 100, &b));
	assert_false(heap_string(&heap, at(LATIN_BYTES), 100, &b));
	assert_false(heap_chars(&heap, at(LATIN_BYTES), 100, &b));
	assert_true(heap_chars(&heap, at(NUMBERS), 100, &b));
	assert_text(&b, "xy");
	buf_free(&b);
}

static void
assert_label(uint64_t addr, const char *label)
{
	struct buf b = BUF_INIT;

	heap_label(&heap, at(addr), &b);
	assert_text(&b, label);
	buf_free(&b);
}

static void
names_of_classes_and_threads(void **state)
{
	static const char *const threads[] = { "gr\xc3\xbcn", "VirtualThread #27", "thread 3" };
	uint32_t i;
	struct buf b = BUF_INIT;

	(void)state;
	assert_label(LATIN, "java.lang.String");
	assert_label(STRING, "class java.lang.String");
	assert_label(ELEMENTS, "java.lang.Object[]");
	assert_label(MATRIX, "class java.lang.Object[][]");
	assert_label(OLD, "class a.dotted.Name[]");
	assert_label(NUMBERS, "char[]");
	assert_label(LATIN_BYTES, "byte[]");
	assert_int_equal(heap_class(&heap, at(LATIN)), heap_class_of_object(&heap, at(STRING)));
	for (i = 1; i <= NELEM(threads); i++) {
		buf_clear(&b);
		heap_thread_name(&heap, i, &b);
		assert_text(&b, threads[i - 1]);
	}
	buf_free(&b);
}

TOOL(unit, heap_values)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_those_of_the_record),
		cmocka_unit_test(one_slot_by_name_or_number),
		cmocka_unit_test(links_are_found_each_once),
		cmocka_unit_test(numbers_as_java_prints_them),
		cmocka_unit_test(strings_in_all_forms),
		cmocka_unit_test(names_of_classes_and_threads),
	};

	cmocka_run_group_tests(tests, set_up, tear_down);
	return 0;
}
