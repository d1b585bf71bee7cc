/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording_tables: events, files and symbols of a recording.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/lines.h"
#include "icecore/perf.h"
#include "icecore/scan.h"
#include "icecore/shape.h"
#include "recording.h"

enum { FEATURES = 256, PLACE = 16, FILES_OLD = 128, META = 129, FILES_NEW = 132,
    ATTRIBUTE_LEAST = 80 };

#define FILES(F) F(1, path, BYTES) F(2, type, U64) F(3, low, U64) F(4, symbols, NONE) F(5, dex, NONE) F(6, elf, BYTES) \
	F(7, module, BYTES)
#define SYMBOL(F) F(1, start, U64) F(2, length, U64) F(3, name, BYTES)
#define OFFSET(F) F(1, offset, U64)
SHAPE(tables_file, "FileFeature", FILES)
SHAPE(tables_symbol, "FileFeature.Symbol", SYMBOL)
SHAPE(tables_offset, "FileFeature.ElfFile", OFFSET)

/* ---- parts of the file ------------------------------------------------------------------------------- */

/* Take a little-endian number from the front; 0 and an empty text: it is incomplete. */
static uint64_t
tables_take(struct str *s, size_t bytes, bool *bad)
{
	uint64_t v;

	assert(bytes == 4 || bytes == 8);
	if (s->n < bytes) {
		*bad = true;
		*s = STR("");
		return 0;
	}
	v = bytes == 8 ? le64((const uint8_t *)s->s) : le32((const uint8_t *)s->s);
	*s = str_after(*s, bytes);
	return v;
}

/* Take a text that ends with NUL. */
static struct str
tables_take_text(struct str *s, bool *bad)
{
	struct str text = str_until(*s, '\0');

	*bad |= text.n == s->n;
	*s = str_after(*s, text.n < s->n ? text.n + 1 : s->n);
	return text;
}

/* A part of the file; false: it is not all there. */
static bool
tables_part(const struct simple_file *r, uint64_t at, uint64_t size, struct str *part)
{
	struct str file = r->p->file;

	if (at > file.n || size > file.n - at)
		return false;
	*part = (struct str){ file.s + at, (size_t)size };
	return true;
}

static const uint8_t *
tables_head(const struct simple_file *r)
{
	assert(r->p->file.n >= PERF_HEAD);
	return (const uint8_t *)r->p->file.s;
}

/* ---- events ------------------------------------------------------------------------------------------ */

bool
recording_attributes(struct simple_file *r, struct err *err)
{
	const uint8_t *head = tables_head(r);
	uint64_t step = le64(head + 16);
	struct str all, ids;

	if (!tables_part(r, le64(head + 24), le64(head + 32), &all) || step < ATTRIBUTE_LEAST || all.n < step)
		return fail(err, E_UNREADABLE,
		    "a recording of simpleperf, truncated or damaged before its events");
	for (; all.n >= step; all = str_after(all, (size_t)step)) {
		const uint8_t *a = (const uint8_t *)all.s;
		const struct attribute new = { le32(a), le64(a + 8), le64(a + 24), le64(a + 32) };
		uint32_t row = (uint32_t)r->nattributes + 1;
		bool bad = false;

		if (!make_add(&r->attributes, &r->nattributes, &new, sizeof new, MAKE_MOST, "events", err))
			return false;
		if (!tables_part(r, le64(a + step - 16), le64(a + step - 8), &ids)) {
			r->p->count[SIMPLE_SECTIONS]++;
			continue;
		}
		while (ids.n >= 8)
			if (!idmap_put(&r->by_id, tables_take(&ids, 8, &bad), row, err))
				return false;
	}
	return true;
}

static uint64_t
event_key(uint64_t type, uint64_t config)
{
	return idmap_hash(type) ^ config;
}

/* Lines such as "cpu-clock,1,0"; of equal ones the first counts. */
static bool
list_events(struct simple_file *r, struct scratch *names, struct idmap *by_event, struct err *err)
{
	struct lines l = lines_of(r->types);
	struct str line, name;
	uint64_t type, config, n = 0;

	while (lines_next(&l, &line))
		if (scan(&line, "%t,%u,%u", &name, &type, &config) &&
		    idmap_get(by_event, event_key(type, config)) == 0 &&
		    !(make_add(names, &n, &name, sizeof name, UINT32_MAX, "events", err) &&
		    idmap_put(by_event, event_key(type, config), (uint32_t)n, err)))
			return false;
	return true;
}

/* The name that perf has for a counter without one. */
static struct str
counter_name(struct simple_file *r, const struct attribute *a)
{
	static const char *const hardware[] = { "cpu-cycles", "instructions", "cache-references",
	    "cache-misses" }, *const software[] = { "cpu-clock", "task-clock", "page-faults",
	    "context-switches" };

	if (a->type < 2 && a->config < NELEM(hardware))
		return str_of(a->type == 0 ? hardware[a->config] : software[a->config]);
	buf_clear(&r->joined);
	buf_printf(&r->joined, "%" PRIu64 ":%" PRIu64, a->type, a->config);
	return buf_view(&r->joined);
}

static bool
tables_name_events(struct simple_file *r, struct err *err)
{
	struct scratch names = SCRATCH_INIT;
	struct idmap by_event = IDMAP_INIT;
	bool ok = list_events(r, &names, &by_event, err);

	for (uint64_t i = 0; ok && i < r->nattributes; i++) {
		const struct attribute *a = &SCRATCH(r->attributes, struct attribute)[i];
		uint32_t row = idmap_get(&by_event, event_key(a->type, a->config));

		ok = simple_event(r->p, row > 0 ? SCRATCH(names, struct str)[row - 1] : counter_name(r, a),
		    err);
	}
	ok = ok && (!r->joined.bad || fail(err, E_SYSTEM, "out of memory (events)"));
	buf_clear(&r->joined);
	scratch_free(&names);
	idmap_free(&by_event);
	return ok;
}

/* Names and values, each with NUL behind. */
static void
tables_read_meta(struct simple_file *r, struct str in)
{
	struct str sdk = STR("");
	bool bad = false;

	while (in.n > 0 && !bad) {
		struct str key = tables_take_text(&in, &bad), value = tables_take_text(&in, &bad);

		if (str_is(key, "event_type_info"))
			r->types = value;
		else if (str_is(key, "trace_offcpu"))
			r->p->off_cpu = str_is(value, "true");
		else if (str_is(key, "app_package_name"))
			r->p->app = value;
		else if (str_is(key, "android_sdk_version"))
			sdk = value;
		else if (str_is(key, "simpleperf_version"))
			(void)buf_set(&r->p->recorder, STR("simpleperf "), value);
	}
	if (sdk.n > 0)
		(void)buf_set(&r->p->system, STR("Android, SDK "), sdk);
	r->p->count[SIMPLE_SECTIONS] += bad;
}

/* ---- files and symbols ------------------------------------------------------------------------------- */

static bool
tables_add_symbol(struct simple_file *r, uint64_t start, uint64_t length, struct str name, struct err *err)
{
	const struct code_symbol new = { start, length, name, 0 };

	return make_add(&r->symbols, &r->nsymbols, &new, sizeof new, UINT32_MAX, "symbols", err);
}

static int
tables_by_start(const void *x, const void *y)
{
	const struct code_symbol *a = x, *b = y;

	return num_order(a->start, b->start, num_order(a->length, b->length, str_cmp(a->name, b->name)));
}

static bool
begin_object(struct simple_file *r, struct code_object *o, struct err *err)
{
	o->first = r->nsymbols;
	return tables_add_symbol(r, 0, 0, STR(""), err);
}

/* The symbols since begin_object are of the object. */
static bool
end_object(struct simple_file *r, struct code_object *o, struct err *err)
{
	assert(r->nsymbols > o->first);
	o->n = r->nsymbols - o->first - 1;
	o->java = o->type == OBJECT_DEX || art_frames_is_java(o->path);
	o->art = str_ends(o->path, "/libart.so") || str_ends(o->path, "/libartd.so");
	qsort(SCRATCH(r->symbols, struct code_symbol) + o->first + 1, o->n, sizeof(struct code_symbol),
	    tables_by_start);
	return make_add(&r->objects, &r->nobjects, o, sizeof *o, MAKE_MOST, "files", err) &&
	    idmap_put(&r->by_path, idmap_hash_text(o->path, 0), (uint32_t)r->nobjects, err);
}

uint32_t
recording_object(struct simple_file *r, struct str path, bool kernel, struct err *err)
{
	struct code_object new = { .path = path, .type = kernel ? OBJECT_KERNEL : OBJECT_ELF,
	    .offset = NO_OFFSET };
	uint32_t row = idmap_get(&r->by_path, idmap_hash_text(path, 0));

	if (row == 0 && kernel)
		row = idmap_get(&r->by_path, idmap_hash_text(STR("[kernel.kallsyms]"), 0));
	if (row != 0)
		return row;
	return begin_object(r, &new, err) && end_object(r, &new, err) ? (uint32_t)r->nobjects : 0;
}

static bool
tables_read_file(struct simple_file *r, struct str message, struct err *err)
{
	struct tables_file f;
	struct tables_symbol s;
	struct tables_offset offset;
	struct code_object o = { .offset = NO_OFFSET };
	bool bad = !tables_file_read(message, &f, &r->p->unread);

	o.path = f.path;
	o.type = f.type;
	o.low = f.low;
	if (f.has_elf || f.has_module) {
		bad |= !tables_offset_read(f.has_elf ? f.elf : f.module, &offset, NULL);
		o.offset = offset.offset;
	}
	if (!begin_object(r, &o, err))
		return false;
	SHAPE_EACH(message, 4, symbol) {
		bad |= !tables_symbol_read(symbol, &s, &r->p->unread);
		if (!tables_add_symbol(r, s.start, s.length, s.name, err))
			return false;
	}
	r->p->count[SIMPLE_SECTIONS] += bad;
	return end_object(r, &o, err);
}

/* A file in the form before 2020. */
static bool
tables_read_old_file(struct simple_file *r, struct str in, struct err *err)
{
	struct code_object o = { .offset = NO_OFFSET };
	bool bad = false;
	uint64_t n;

	o.path = tables_take_text(&in, &bad);
	o.type = tables_take(&in, 4, &bad);
	o.low = tables_take(&in, 8, &bad);
	n = tables_take(&in, 4, &bad);
	if (!begin_object(r, &o, err))
		return false;
	for (; n > 0 && !bad; n--) {
		uint64_t start = tables_take(&in, 8, &bad), length = tables_take(&in, 4, &bad);
		struct str name = tables_take_text(&in, &bad);

		if (!bad && !tables_add_symbol(r, start, length, name, err))
			return false;
	}
	if (o.type != OBJECT_DEX && in.n >= 8)
		o.offset = tables_take(&in, 8, &bad);
	r->p->count[SIMPLE_SECTIONS] += bad;
	return end_object(r, &o, err);
}

/* Each with its size before. */
static bool
tables_read_files(struct simple_file *r, struct str in, bool old, struct err *err)
{
	const uint64_t all = in.n;
	bool bad = false;

	work_start_bytes(r->p->s.work, "symbols", in.n);
	while (in.n > 0 && !bad) {
		uint64_t size = tables_take(&in, 4, &bad);
		struct str one = str_head(in, (size_t)size);

		bad |= one.n < size;
		in = str_after(in, one.n);
		if (!work_go(r->p->s.work, all - in.n, err) ||
		    !(old ? tables_read_old_file(r, one, err) : tables_read_file(r, one, err)))
			return false;
	}
	r->p->count[SIMPLE_SECTIONS] += bad;
	return true;
}

/* Places of tables are behind the records, one for each feature that the file has. */
bool
recording_tables(struct simple_file *r, struct err *err)
{
	const uint8_t *head = tables_head(r);
	uint64_t at = num_add(le64(head + 40), le64(head + 48));
	struct str place, in;
	bool ok = recording_object(r, STR("[unknown]"), false, err) != 0;

	for (unsigned i = 0; ok && i < FEATURES; i++) {
		if ((head[PERF_FEATURES_AT + i / 8] >> i % 8 & 1) == 0)
			continue;
		if (!tables_part(r, at, PLACE, &place)) {
			r->p->count[SIMPLE_NO_NAMES] = 1;
			break;
		}
		at += PLACE;
		if (!tables_part(r, le64((const uint8_t *)place.s), le64((const uint8_t *)place.s + 8), &in))
			r->p->count[SIMPLE_SECTIONS]++;
		else if (i == META)
			tables_read_meta(r, in);
		else if (i == FILES_OLD || i == FILES_NEW)
			ok = tables_read_files(r, in, i == FILES_OLD, err);
	}
	return ok && tables_name_events(r, err);
}

bool
recording_kernel(struct simple_file *r, struct str text, struct err *err)
{
	struct code_object o = { .path = STR("[kallsyms]"), .type = OBJECT_KERNEL, .offset = NO_OFFSET };
	struct lines l = lines_of(text);
	struct str line, address, name;
	uint64_t start;

	if (!begin_object(r, &o, err))
		return false;
	while (lines_next(&l, &line)) {
		if (scan(&line, "%_%w%_%*w%_%w", &address, &name) && num_u64(address, 16, &start) &&
		    !tables_add_symbol(r, start, UINT64_MAX, name, err))
			return false;
	}
	if (!end_object(r, &o, err))
		return false;
	r->kernel = (uint32_t)r->nobjects;
	return true;
}

/* ---- places ------------------------------------------------------------------------------------------ */

/* The last symbol that begins at or before an address and has it; 0: none. */
static uint32_t
tables_symbol_at(const struct simple_file *r, const struct code_object *o, uint64_t address)
{
	const struct code_symbol *s = SCRATCH(r->symbols, struct code_symbol) + o->first + 1;
	uint64_t low = 0, high = o->n;

	assert(o->first + 1 + o->n <= r->nsymbols);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (s[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address - s[low - 1].start < s[low - 1].length && s[low - 1].name.n > 0 ?
	    (uint32_t)(o->first + low) : 0;
}

/* The address in the file's own terms. */
static uint64_t
address_in(const struct code_object *o, const struct code_map *m, uint64_t address)
{
	uint64_t at = address - m->start;

	if (m->plain || o->type == OBJECT_KERNEL || o->type == OBJECT_OTHER)
		return address;
	if (o->type == OBJECT_DEX)
		return at + m->offset;
	if (o->type == OBJECT_MODULE)
		return at - (o->offset != NO_OFFSET ? o->offset : 0) + o->low;
	return o->offset == NO_OFFSET ? at + o->low : at + m->offset - o->offset + o->low;
}

struct code_place
recording_place(const struct simple_file *r, const struct code_map *m, uint64_t address)
{
	struct code_place p = { .object = m != NULL ? m->object : 1 };
	const struct code_object *o = &SCRATCH(r->objects, struct code_object)[p.object - 1];

	assert(p.object != 0 && p.object <= r->nobjects);
	if (m != NULL)
		p.symbol = tables_symbol_at(r, o, address_in(o, m, address));
	if (p.symbol == 0 && m != NULL && r->kernel != 0 && (o->type == OBJECT_KERNEL ||
	    o->type == OBJECT_MODULE))
		p.symbol = tables_symbol_at(r, &SCRATCH(r->objects, struct code_object)[r->kernel - 1],
		    address);
	if (p.symbol == 0)
		p.symbol = (uint32_t)o->first;
	return p;
}
