/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape: messages of protobuf by their declarations: fields, numbers, walks; and what the fields of Perfetto's packets hold.
 */
#include "config.h"

#include "check.h"
#include "icecore/perfetto.h"
#include "icecore/shape.h"

#define SMALL(F) F(1, id, U64) F(2, name, BYTES) F(3, real, REAL) F(4, seen, FLAG) F(5, name, SAME) F(6, numbers, NONE)
SHAPE(small, "small", SMALL)

static void
fields_are_taken(void **state)
{
	struct buf b = BUF_INIT;
	struct small m;

	(void)state;
	proto_put_number(&b, 1, 7);
	proto_put_bytes(&b, 2, STR("one"));
	proto_put_bytes(&b, 1, STR("another type"));
	proto_put_number(&b, 4, 0);
	proto_put_bytes(&b, 5, STR("two"));
	proto_put_number(&b, 9, 1);
	assert_true(small_read(buf_view(&b), &m, NULL));
	assert_true(m.has_id && m.id == 7 && m.seen && !m.has_real && str_eq(m.name, STR("two")));
	/* Fields before the damage stay. */
	assert_false(small_read(str_head(buf_view(&b), 3), &m, NULL));
	assert_true(m.has_id && !m.has_name);
	buf_free(&b);
}

/* "1 2 3", up to damage. */
static void
check_numbers(struct str m, unsigned field, bool fixed, const char *want)
{
	struct shape_numbers all = shape_numbers(m, field, fixed);
	struct buf b = BUF_INIT;
	uint64_t v;

	while (shape_number(&all, &v))
		buf_printf(&b, "%s%llu", b.n > 0 ? " " : "", (unsigned long long)v);
	buf_chr(&b, '\0');
	assert_string_equal(b.s, want);
	buf_free(&b);
}

static void
numbers_are_packed_or_not(void **state)
{
	static const char fixed[] = "\1\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\7";
	struct buf b = BUF_INIT;
	uint64_t v, sum = 0;

	(void)state;
	proto_put_number(&b, 6, 1);
	proto_put_bytes(&b, 6, STR("\2\3"));
	proto_put_number(&b, 7, 9);
	proto_put_number(&b, 6, 300);
	proto_put_bytes(&b, 8, (struct str){ fixed, sizeof fixed - 1 });
	check_numbers(buf_view(&b), 6, false, "1 2 3 300");
	check_numbers(buf_view(&b), 5, false, "");
	/* A part of a number is not one. */
	check_numbers(buf_view(&b), 8, true, "1 256");
	SHAPE_NUMBERS(buf_view(&b), 6, v)
		sum += v;
	assert_int_equal(sum, 306);
	buf_free(&b);
}

/* The pieces of a walk are the message; it ends at damage. */
static void
a_walk_has_all_bytes(void **state)
{
	struct buf b = BUF_INIT, copy = BUF_INIT;
	struct proto_walk cut;
	uint64_t n = 0;

	(void)state;
	proto_put_number(&b, 1, 7);
	proto_put_bytes(&b, 2, STR("text"));
	PROTO_EACH(buf_view(&b), w) {
		assert_int_equal(w.f.number, ++n);
		buf_str(&copy, w.raw);
	}
	assert_true(n == 2 && str_eq(buf_view(&b), buf_view(&copy)));
	cut = (struct proto_walk){ .rest = str_head(buf_view(&b), b.n - 1) };
	assert_true(proto_step(&cut) && !cut.bad && !proto_step(&cut) && cut.bad);
	buf_free(&b);
	buf_free(&copy);
}

/* The field at the end of a path of numbers. */
static struct perfetto_field
field_at(const unsigned *path)
{
	struct perfetto_field f = { HOLDS_MESSAGE, PERFETTO_PACKET };

	for (; *path != 0; path++) {
		assert_int_equal(f.holds, HOLDS_MESSAGE);
		f = perfetto_field(f.message, *path);
	}
	return f;
}

static void
fields_of_packets_are_known(void **state)
{
	static const struct { unsigned path[6]; enum perfetto_holds holds; } cases[] = {
		{ { 2, 1, 3 }, HOLDS_WHO }, { { 11, 23 }, HOLDS_NAME }, { { 11, 4, 11, 6 }, HOLDS_TEXT }, { { 11, 4, 12, 3 }, HOLDS_VALUE },
		{ { 1, 2, 3, 2 }, HOLDS_MARK }, { { 45, 1, 3 }, HOLDS_RELEASE }, { { 36 }, HOLDS_MARKER }, { { 11, 47 }, HOLDS_FIXED },
		{ { 60, 3, 8 }, HOLDS_UNKNOWN }, { { 33 }, HOLDS_UNKNOWN }, { { 64, 3 }, HOLDS_UNKNOWN }, { { 5000 }, HOLDS_UNKNOWN }
	};

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++)
		assert_int_equal(field_at(cases[i].path).holds, cases[i].holds);
	assert_int_equal(perfetto_field(PERFETTO_PACKET, 133).message, PERFETTO_ZSTD);
	assert_int_equal(perfetto_field(PERFETTO_OTHER, 1).holds, HOLDS_UNKNOWN);
}

TOOL(unit, shape)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_taken), cmocka_unit_test(numbers_are_packed_or_not), cmocka_unit_test(a_walk_has_all_bytes),
		cmocka_unit_test(fields_of_packets_are_known)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
