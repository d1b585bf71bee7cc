/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * content_rules: what objects of the platform say of themselves, in JDK 5 to 25, Android and AndroidX.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "contents.h"

/* ---- fields ------------------------------------------------------------------------------ */

/* A field that is a number; in: the class that declares it, or 0. */
static bool
content_rules_number_of(const struct heap *h, uint32_t object, const char *name, uint32_t in, int64_t *n)
{
	struct heap_slot slot;
	unsigned width;

	if (object == 0 || !heap_field(h, object, name, in, &slot) || slot.type <= HEAP_OBJECT)
		return false;
	width = heap_width(slot.type, h->id_size);
	*n = (int64_t)(slot.bits << (64 - 8 * width)) >> (64 - 8 * width);
	return true;
}

/* Classes that extend the one of the rule may have fields of the same names. */
static bool
content_rules_read_field(const struct contents *c, uint32_t object, const char *name, struct heap_slot *slot)
{
	return object != 0 && heap_field(&c->h, object, name, object == c->object ? c->in : 0, slot);
}

static bool
content_rules_read_number(const struct contents *c, uint32_t object, const char *name, int64_t *n)
{
	return content_rules_number_of(&c->h, object, name, object == c->object ? c->in : 0, n);
}

static bool
is_set(const struct contents *c, uint32_t object, const char *name)
{
	int64_t n = 0;

	return content_rules_read_number(c, object, name, &n) && n != 0;
}

static uint32_t
content_rules_read_object(const struct contents *c, uint32_t object, const char *name)
{
	struct heap_slot slot;

	return content_rules_read_field(c, object, name, &slot) ? slot.object : 0;
}

/* ---- values ------------------------------------------------------------------------------ */

static bool
add_primitive(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	struct heap_slot slot;

	if (!content_rules_read_field(c, object, field, &slot) || slot.type <= HEAP_OBJECT)
		return false;
	content_value(slot.type, slot.bits, b);
	return true;
}

static bool
add_flag(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t n;

	if (!content_rules_read_number(c, object, field, &n))
		return false;
	buf_text(b, n != 0 ? "true" : "false");
	return true;
}

/* The text of a String unchanged: a name, not data of the program. */
static bool
content_rules_add_name(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	return heap_string(&c->h, content_rules_read_object(c, object, field), CONTENT_TEXT, b);
}

/* Add a path that is kept as a byte[], in the encoding of the file system. */
static bool
content_rules_add_path(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	struct heap_text t = { .array = content_rules_read_object(c, object, field) };
	struct heap_record r;

	if (t.array == 0 || !heap_read(&c->h, t.array, &r) || r.tag != TAG_PRIMS || r.type != HEAP_BYTE)
		return false;
	buf_add(b, c->h.data + r.data, r.length < CONTENT_TEXT ? r.length : CONTENT_TEXT);
	return true;
}

/* Add the text of a StringBuilder, whose array may be longer than the text. */
static bool
add_builder(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	struct heap_text t = { .array = content_rules_read_object(c, object, field) };
	struct heap_record r;
	int64_t n, coder = 0;

	if (t.array == 0 || !heap_read(&c->h, t.array, &r) || r.tag != TAG_PRIMS ||
	    (r.type != HEAP_CHAR && r.type != HEAP_BYTE) ||
	    !content_rules_read_number(c, object, "count", &n) || n < 0)
		return false;
	content_rules_read_number(c, object, "coder", &coder);
	t.coder = r.type == HEAP_CHAR ? 2 : coder == 1;
	t.length = n > r.length ? r.length : (uint32_t)n;
	buf_clear(&c->text);
	text_add(&c->h, &t, CONTENT_TEXT, &c->text);
	content_quote(buf_view(&c->text), t.length > CONTENT_TEXT, b);
	return true;
}

static bool
add_uuid(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t high, low;
	uint64_t h, l;

	if (!content_rules_read_number(c, object, field, &high) ||
	    !content_rules_read_number(c, object, "leastSigBits", &low))
		return false;
	h = (uint64_t)high;
	l = (uint64_t)low;
	buf_printf(b, "%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64, h >> 32,
	    h >> 16 & 0xffff,
	    h & 0xffff, l >> 48, l & 0xffffffffffff);
	return true;
}

/* Digits of 32 bits, the highest first. */
static bool
add_big(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	uint32_t digits = content_rules_read_object(c, object, field);
	struct heap_record r;
	int64_t sign;
	uint64_t n = 0;

	if (!content_rules_read_number(c, object, "signum", &sign) || digits == 0 ||
	    !heap_read(&c->h, digits, &r) ||
	    r.tag != TAG_PRIMS || r.type != HEAP_INT || r.bytes / 4 < r.length)
		return false;
	if (r.length > 2) {
		buf_printf(b, "%" PRIu64 " bits", 32 * (uint64_t)r.length);
		return true;
	}
	for (uint32_t i = 0; i < r.length; i++)
		n = n << 32 | be32(c->h.data + r.data + 4ull * i);
	buf_printf(b, "%s%" PRIu64, sign < 0 ? "-" : "", n);
	return true;
}

#define SCALE_MAX 18

/* Add a BigDecimal whose unscaled value fits a long. */
static bool
add_decimal(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t n, scale;
	uint64_t all, unit = 1;

	if (!content_rules_read_number(c, object, field, &n) ||
	    !content_rules_read_number(c, object, "scale", &scale) || n == INT64_MIN ||
	    scale < 0 || scale > SCALE_MAX)
		return false;
	for (int64_t i = 0; i < scale; i++)
		unit *= 10;
	all = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
	buf_printf(b, "%s%" PRIu64, n < 0 ? "-" : "", all / unit);
	if (scale > 0)
		buf_printf(b, ".%0*" PRIu64, (int)scale, all % unit);
	return true;
}

/* ---- times ------------------------------------------------------------------------------- */

/* Seconds since 1970 and a part of one, in ns. */
static bool
add_moment(int64_t seconds, int64_t part, struct buf *b)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (gmtime_r(&t, &tm) == NULL || part < 0 || part >= 1000000000)
		return false;
	buf_printf(b, "%d-%02d-%02d %02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
	    tm.tm_min,
	    tm.tm_sec);
	if (part > 0)
		buf_printf(b, ".%03d", (int)(part / 1000000));
	buf_text(b, " UTC");
	return true;
}

static bool
add_millis(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t ms, seconds;

	if (!content_rules_read_number(c, object, field, &ms))
		return false;
	seconds = ms / 1000 - (ms % 1000 < 0);
	return add_moment(seconds, (ms - seconds * 1000) * 1000000, b);
}

/* Android has its own names. */
static bool
add_date(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	return add_millis(c, object, field, b) || add_millis(c, object, "milliseconds", b);
}

/* Before the first getTime() only the fields of a Calendar are set, not its time. */
static bool
add_calendar(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	return is_set(c, object, "isTimeSet") && add_millis(c, object, field, b);
}

static bool
content_rules_add_instant(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t seconds, part;

	return content_rules_read_number(c, object, field, &seconds) &&
	    content_rules_read_number(c, object, "nanos", &part) &&
	    add_moment(seconds, part, b);
}

#define SECONDS_MAX 1000000000	/* longer durations are shown in seconds */

static bool
add_duration(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t seconds, part;

	if (!content_rules_read_number(c, object, field, &seconds) ||
	    !content_rules_read_number(c, object, "nanos", &part))
		return false;
	if (seconds < 0 || seconds > SECONDS_MAX || part < 0 || part >= 1000000000)
		buf_printf(b, "%" PRId64 " s", seconds);
	else
		buf_num(b, num_show_duration, (uint64_t)seconds * 1000000000 + (uint64_t)part);
	return true;
}

static bool
add_day(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t year, month, day;

	if (!content_rules_read_number(c, object, field, &year) ||
	    !content_rules_read_number(c, object, "month", &month) ||
	    !content_rules_read_number(c, object, "day", &day))
		return false;
	buf_printf(b, "%04" PRId64 "-%02" PRId64 "-%02" PRId64, year, month, day);
	return true;
}

static bool
add_clock(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t hour, minute, second;

	if (!content_rules_read_number(c, object, field, &hour) ||
	    !content_rules_read_number(c, object, "minute", &minute) ||
	    !content_rules_read_number(c, object, "second", &second))
		return false;
	buf_printf(b, "%02" PRId64 ":%02" PRId64 ":%02" PRId64, hour, minute, second);
	return true;
}

static bool
add_day_and_clock(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	if (!add_day(c, content_rules_read_object(c, object, field), "year", b))
		return false;
	buf_chr(b, ' ');
	return add_clock(c, content_rules_read_object(c, object, "time"), "hour", b);
}

/* With the offset from UTC. */
static bool
add_zoned(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	if (!add_day_and_clock(c, content_rules_read_object(c, object, field), "date", b))
		return false;
	buf_chr(b, ' ');
	return content_rules_add_name(c, content_rules_read_object(c, object, "offset"), "id", b);
}

/* ---- threads ---------------------------------------------------------------------------------- */

static bool
content_rules_add_thread(struct contents *c, uint32_t object, UNUSED const char *field, struct buf *b)
{
	const char *state = heap_thread_state(&c->h, object);

	buf_clear(&c->text);
	heap_own_thread_name(&c->h, object, &c->text);
	if (c->text.n == 0)
		return false;
	content_quote(buf_view(&c->text), false, b);
	if (state != NULL)
		buf_printf(b, " %s", state);
	return true;
}

/* ---- exceptions ------------------------------------------------------------------------------- */

static bool
add_throwable(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	size_t from;

	class_simple_add(&c->h, heap_class(&c->h, object), b);
	from = b->n;
	buf_text(b, ": ");
	if (!content_rules_add_name(c, object, field, b))
		b->n = from;
	return true;
}

/* ---- Android ---------------------------------------------------------------------------------- */

static bool
add_bitmap(struct contents *c, uint32_t object, UNUSED const char *field, struct buf *b)
{
	struct bitmap bitmap;
	struct err err;

	if ((c->bitmaps == NULL && !bitmaps_open(&c->bitmaps, &c->h, NULL, &err)) ||
	    !bitmap_get(c->bitmaps, object, &bitmap) || bitmap.width == 0 || bitmap.height == 0)
		return false;
	buf_printf(b, "%" PRIu32 "\xc3\x97%" PRIu32, bitmap.width, bitmap.height);
	if (bitmap.recycled)
		buf_text(b, " recycled");
	else if (bitmap.format != BITMAP_UNKNOWN)
		buf_printf(b, " %s", bitmap_format_names[bitmap.format]);
	return true;
}

static bool
add_activity(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	int64_t n;

	if (!content_rules_read_number(c, object, field, &n))
		return false;
	buf_text(b, n != 0 ? "destroyed" : is_set(c, object, "mFinished") ? "finishing" : "alive");
	return true;
}

static void
content_rules_add_word(struct buf *b, size_t from, const char *word)
{
	if (b->n > from)
		buf_chr(b, ' ');
	buf_text(b, word);
}

/* A number that the program gave, and a text. */
static void
add_id_and_tag(struct contents *c, uint32_t object, const char *id, const char *tag, struct buf *b)
{
	uint32_t text = content_rules_read_object(c, object, tag);
	size_t from = b->n;
	int64_t n;

	if (content_rules_read_number(c, object, id, &n) && n != 0 && n != -1)
		buf_printf(b, "id 0x%" PRIx32, (uint32_t)n);
	if (text == 0 || heap_class(&c->h, text) != c->h.string_class)
		return;
	content_rules_add_word(b, from, "tag ");
	content_text(c, text, CONTENT_PART, b);
}

static bool
content_rules_add_view(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	size_t from = b->n;
	struct heap_slot slot;

	add_id_and_tag(c, object, field, "mTag", b);
	if (content_rules_read_field(c, object, "mAttachInfo", &slot) && slot.bits == 0)
		content_rules_add_word(b, from, "detached");
	return b->n > from;
}

static bool
add_fragment(struct contents *c, uint32_t object, const char *field, struct buf *b)
{
	size_t from = b->n;

	add_id_and_tag(c, object, "mFragmentId", field, b);
	if (is_set(c, object, "mDetached"))
		content_rules_add_word(b, from, "detached");
	else if (is_set(c, object, "mRemoving"))
		content_rules_add_word(b, from, "removing");
	return b->n > from;
}

/* ---- the rules ---------------------------------------------------------------------------------- */

#define LANG(name) "java.lang." name
#define BOXED(name) { LANG(name), add_primitive, "value", .brief = true }
#define ATOMIC(name, how) { "java.util.concurrent.atomic." name, how, "value", .brief = true }
#define TIME(name) "java.time." name

const struct content_rule content_rules[] = {
	BOXED("Integer"), BOXED("Long"), BOXED("Short"), BOXED("Byte"), BOXED("Boolean"), BOXED("Character"),
	BOXED("Float"), BOXED("Double"),
	ATOMIC("AtomicInteger", add_primitive), ATOMIC("AtomicLong", add_primitive),
	    ATOMIC("AtomicBoolean", add_flag),
	{ LANG("Enum"), content_rules_add_name, "name", .brief = true },
	{ LANG("AbstractStringBuilder"), add_builder, "value" },
	{ LANG("Thread"), content_rules_add_thread, NULL },
	{ LANG("Throwable"), add_throwable, "detailMessage" },
	{ "java.math.BigInteger", add_big, "mag", .brief = true },
	{ "java.math.BigDecimal", add_decimal, "intCompact", .brief = true },
	{ "java.util.UUID", add_uuid, "mostSigBits", .brief = true },
	{ "java.util.Date", add_date, "fastTime", .brief = true },
	{ "java.util.Calendar", add_calendar, "time", .brief = true },
	{ TIME("Instant"), content_rules_add_instant, "seconds", .brief = true },
	{ TIME("Duration"), add_duration, "seconds", .brief = true },
	{ TIME("LocalDate"), add_day, "year", .brief = true },
	{ TIME("LocalTime"), add_clock, "hour", .brief = true },
	{ TIME("LocalDateTime"), add_day_and_clock, "date" },
	{ TIME("OffsetDateTime"), add_zoned, "dateTime" },
	{ TIME("ZonedDateTime"), add_zoned, "dateTime" },
	{ "java.net.URI", content_rules_add_name, "string", .brief = true },
	{ "java.io.File", content_rules_add_name, "path", .brief = true },
	{ "sun.nio.fs.UnixPath", content_rules_add_path, "path", .brief = true },
	{ "sun.nio.fs.WindowsPath", content_rules_add_name, "path", .brief = true },
	{ "android.net.Uri$StringUri", content_rules_add_name, "uriString", .brief = true },
	{ "android.graphics.Bitmap", add_bitmap, NULL },
	{ "android.app.Activity", add_activity, "mDestroyed" },
	{ "android.view.View", content_rules_add_view, "mID" },
	{ "android.app.Fragment", add_fragment, "mTag" },
	{ "android.support.v4.app.Fragment", add_fragment, "mTag" },
	{ "androidx.fragment.app.Fragment", add_fragment, "mTag" },
	{ .class = NULL }
};
