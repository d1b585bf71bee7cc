/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layouts of OTLP, and which of them an object has.  The name of the package is the same in most, so the fields
 * decide.
 */
#include "config.h"

#include <assert.h>

#include "otlp.h"

#define NAME(id, name) name,
const char *const otlp_names[OTLP_MESSAGES_END] = { OTLP_MESSAGES(NAME) };
#undef NAME

/* Messages that are alike in all layouts. */
#define ALIKE [OTLP_RESOURCES] = "rs-", [OTLP_RESOURCE] = "a-", [OTLP_SCOPES] = "-p-", [OTLP_TYPE] = "tu-", \
	[OTLP_LINE] = "fl-", [OTLP_LINK] = "ts", [OTLP_STACK] = "l", [OTLP_KEY_VALUE] = "tvK", [OTLP_VALUE] = "sbidaaxr"
/* The first layout has ids in these. */
#define WITHOUT_IDS [OTLP_MAPPING] = "---f-----", [OTLP_LOCATION] = "mal-t", [OTLP_FUNCTION] = "nsfl"
#define WITH_STACKS [OTLP_TABLES] = "MLFKXAY", [OTLP_MAPPING] = "---f-", [OTLP_LOCATION] = "malt", \
	[OTLP_FUNCTION] = "nsfl", [OTLP_ATTRIBUTE] = "Kv-"

const struct otlp_layout otlp_layouts[OTLP_LAYOUTS] = {
	[OTLP_1_3] = { "1.3", { ALIKE, [OTLP_TOP] = "R", [OTLP_PROFILE] = "TSMLFX----kp--iA-K",
	[OTLP_SAMPLE] = "lv----sn-a-kt",
	    [OTLP_TABLES] = "--MLFX--------iA-K", [OTLP_MAPPING] = "----f-------", [OTLP_LOCATION] = "-mal--t",
	    [OTLP_FUNCTION] = "-nsfl", [OTLP_ATTRIBUTE] = "tv" }, false },
	[OTLP_1_4] = { "1.4", { ALIKE, WITHOUT_IDS, [OTLP_TOP] = "R", [OTLP_PROFILE] = "TSMLiFA-KXtdkp------oa",
	    [OTLP_SAMPLE] = "snvakt", [OTLP_TABLES] = "TSML-FA-KX", [OTLP_ATTRIBUTE] = "tv" }, false },
	[OTLP_1_6] = { "1.6", { ALIKE, WITHOUT_IDS, [OTLP_TOP] = "RMLFKXA-", [OTLP_PROFILE] = "TSitdkp-----oa",
	    [OTLP_SAMPLE] = "snvakt", [OTLP_TABLES] = "-MLFKXA-", [OTLP_ATTRIBUTE] = "tv" }, false },
	[OTLP_1_7] = { "1.7", { ALIKE, WITHOUT_IDS, [OTLP_TOP] = "RD", [OTLP_PROFILE] = "TSitdkp-----oa",
	    [OTLP_SAMPLE] = "snvakt", [OTLP_TABLES] = "MLFKXA-", [OTLP_ATTRIBUTE] = "tv" }, false },
	[OTLP_1_8] = { "1.8", { ALIKE, WITH_STACKS, [OTLP_TOP] = "RD", [OTLP_PROFILE] = "TStdkp---oa",
	    [OTLP_SAMPLE] = "yvakt" }, true },
	[OTLP_1_10] = { "1.10", { ALIKE, WITH_STACKS, [OTLP_TOP] = "RD", [OTLP_PROFILE] = "TStdkp---oa",
	    [OTLP_SAMPLE] = "yakvt" }, true },
};

/* ---- fields -------------------------------------------------------------------------------- */

unsigned
otlp_number(const struct otlp_layout *layout, enum otlp_message message, char letter)
{
	const char *fields = layout->fields[message], *at = strchr(fields, letter);

	assert(letter != '\0');
	return at == NULL ? 0 : (unsigned)(at - fields) + 1;
}

uint64_t
otlp_value(struct str message, unsigned number, uint64_t other)
{
	PROTO_EACH(message, w)
		if (w.f.number == number && w.f.wire != PROTO_BYTES)
			other = w.f.wire == PROTO_VARINT ? w.f.value : w.f.wire == PROTO_8_BYTES ?
			    le64((const uint8_t *)w.f.in.s) : le32((const uint8_t *)w.f.in.s);
	return other;
}

struct str
otlp_bytes(struct str message, unsigned number)
{
	struct str last = STR("");

	SHAPE_EACH(message, number, each)
		last = each;
	return last;
}

uint64_t
otlp_count(struct str message, unsigned number)
{
	uint64_t n = 0;

	PROTO_EACH(message, w)
		n += w.f.number == number;
	return n;
}

/* ---- which layout -------------------------------------------------------------------------- */

/* The sizes of tables, and how many rules the samples break if they are read by one of the last two layouts. */
struct otlp_rules {
	uint64_t	links, attributes, broken[OTLP_LAYOUTS];
};

static uint64_t
numbers_in(struct str sample, unsigned number, bool fixed)
{
	struct shape_numbers all = shape_numbers(sample, number, fixed);
	uint64_t n = 0, v;

	while (shape_number(&all, &v))
		n++;
	return n;
}

/* A link is one number and in its table; attributes are in theirs; values and times are as many, or one of them. */
static uint64_t
otlp_broken(const struct otlp_rules *r, struct str sample, const struct otlp_layout *layout)
{
	unsigned link = otlp_number(layout, OTLP_SAMPLE, 'k');
	uint64_t v, broken = 0, values, times;

	PROTO_EACH(sample, w)
		broken += w.f.number == link && w.f.wire == PROTO_BYTES ? 2 : 0;
	broken += otlp_count(sample, link) > 1;
	if (broken > 0)
		return broken;
	broken = otlp_value(sample, link, 0) >= (r->links > 0 ? r->links : 1);
	SHAPE_NUMBERS(sample, otlp_number(layout, OTLP_SAMPLE, 'a'), v)
		broken += v >= r->attributes;
	values = numbers_in(sample, otlp_number(layout, OTLP_SAMPLE, 'v'), false);
	times = numbers_in(sample, otlp_number(layout, OTLP_SAMPLE, 't'), true);
	return broken + (values == 0 && times == 0) + (values > 0 && times > 0 && values != times);
}

/* Call for each profile of an object, in all layouts. */
#define EACH_PROFILE(top, profile) \
	SHAPE_EACH(top, 1, resource_) SHAPE_EACH(resource_, 2, scope_) SHAPE_EACH(scope_, 2, profile)

/* A profile of a layout without stacks has indices of locations there. */
static bool
has_indices(struct str top)
{
	EACH_PROFILE(top, profile)
		PROTO_EACH(profile, w)
			if (w.f.number == 3 && (w.f.wire == PROTO_VARINT || w.f.wire == PROTO_BYTES))
				return true;
	return false;
}

/* The first layout has a profile in a container. */
static bool
has_container(struct str top)
{
	EACH_PROFILE(top, profile)
		if (otlp_count(profile, 8) > 0 && otlp_count(profile, 10) == 0)
			return true;
	return false;
}

const struct otlp_layout *
otlp_layout_of(struct str top, bool *guessed)
{
	struct str tables = otlp_bytes(top, 2);
	struct otlp_rules r = { .links = otlp_count(tables, 4), .attributes = otlp_count(tables, 6) };
	uint64_t samples = 0;

	*guessed = false;
	for (unsigned i = 3; i <= 8; i++)
		if (otlp_count(top, i) > 0)
			return &otlp_layouts[OTLP_1_6];
	if (otlp_count(tables, 5) == 0)
		return &otlp_layouts[has_container(top) ? OTLP_1_3 : OTLP_1_4];
	if (otlp_count(tables, 7) == 0 || has_indices(top))
		return &otlp_layouts[OTLP_1_7];
	EACH_PROFILE(top, profile)
		SHAPE_EACH(profile, 2, sample) {
			samples++;
			for (unsigned i = OTLP_1_8; i <= OTLP_1_10; i++)
				r.broken[i] += otlp_broken(&r, sample, &otlp_layouts[i]);
		}
	*guessed = samples > 0 && r.broken[OTLP_1_8] == r.broken[OTLP_1_10];
	return &otlp_layouts[r.broken[OTLP_1_8] < r.broken[OTLP_1_10] ? OTLP_1_8 : OTLP_1_10];
}

/* ---- whether it is one --------------------------------------------------------------------- */

/* Whether all fields, as far as the message goes, are bytes with a number up to `most`, and how many there are. */
static uint64_t
all_bytes(struct str in, unsigned most)
{
	struct proto_field f;
	uint64_t n = 0;

	for (; in.n > 0 && proto_next(&in, &f); n++)
		if (f.number > most || f.wire != PROTO_BYTES)
			return 0;
	return n;
}

/* A resource with scopes, which have profiles. */
static bool
is_resource(struct str in)
{
	struct proto_field f, inner;
	bool scopes = false;

	if (all_bytes(in, 3) == 0)
		return false;
	while (proto_next(&in, &f))
		scopes |= f.number == 2 && all_bytes(f.in, 3) > 0 && proto_next(&f.in, &inner) && inner.number <= 2;
	return scopes;
}

/* Tables come first in some files: rows other than strings are messages. */
static bool
is_tables(struct str in)
{
	struct proto_field f, inner;
	struct str row;
	uint64_t n = all_bytes(in, 7);

	while (n > 1 && proto_next(&in, &f)) {
		row = f.in;
		if (f.number != 5 && row.n > 0 && proto_whole(&f) && (!proto_next(&row, &inner) || inner.number > 12))
			return false;
	}
	return n > 1;
}

bool
otlp_is_object(struct str head)
{
	struct proto_field f;

	while (head.n > 0 && proto_next(&head, &f) && f.number <= 8 && f.wire == PROTO_BYTES) {
		if (f.number == 1)
			return is_resource(f.in);
		if (f.number == 2 && is_tables(f.in))
			return true;
	}
	return false;
}
