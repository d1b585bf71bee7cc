/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader of profiles of OpenTelemetry: one message, messages behind their sizes as the collector writes them, or JSON.
 * A message that is truncated lacks its names, which come last: only whole ones are read.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/calendar.h"
#include "icecore/facts.h"
#include "icecore/inflate.h"
#include "otlp.h"

enum {
	UNPACKED_MOST = 1 << 28,	/* bytes of an unpacked object */
	/* frames that stacks may have for each byte of their object, and at least so many */
	FRAMES_EACH = 64,
	FRAMES_LEAST = 1 << 16
};

enum otlp_framing { OTLP_NONE, OTLP_BARE, OTLP_JSON, OTLP_BIG, OTLP_LITTLE, OTLP_VARINT };

static const char *const framings[] = {
	[OTLP_BARE] = "protobuf", [OTLP_JSON] = "JSON", [OTLP_BIG] = "protobuf behind sizes",
	[OTLP_LITTLE] = "protobuf behind sizes", [OTLP_VARINT] = "protobuf behind sizes"
};

/* ---- recognition --------------------------------------------------------------------------- */

static bool
is_json_object(struct str head)
{
	struct json j = { .base = head.s, .size = head.n };
	struct str key;

	if (scan_peek(&j) != '{' || !scan_open(&j, '{'))
		return false;
	while (scan_member(&j, &key)) {
		if (str_is(key, "resourceProfiles"))
			return true;
		/* The tables may come first, and may be longer than the head. */
		if (str_is(key, "dictionary") && str_has(head, STR("\"stringTable\"")))
			return true;
		if (!scan_skip(&j))
			break;
	}
	return false;
}

/* The next object behind its size; false: it is not whole. */
static bool
take_sized(struct str *rest, enum otlp_framing framing, struct str *in)
{
	const uint8_t *p = (const uint8_t *)rest->s;
	uint64_t n;

	*in = STR("");
	if (framing == OTLP_VARINT) {
		if (!proto_varint(rest, &n))
			return false;
	} else {
		if (rest->n < 4)
			return false;
		n = framing == OTLP_LITTLE ? le32(p) : be32(p);
		*rest = str_after(*rest, 4);
	}
	*in = str_head(*rest, n < rest->n ? (size_t)n : rest->n);
	assert(in->n <= rest->n);
	*rest = str_after(*rest, in->n);
	return in->n == n;
}

static enum otlp_framing
otlp_framing(struct str head)
{
	struct str rest = head, in;

	if (is_json_object(head))
		return OTLP_JSON;
	if (otlp_is_object(head))
		return OTLP_BARE;
	/* A convention of files: this mark, a version of four bytes, and sizes as varints. */
	if (str_begins(head, "OTLP") && head.n > 8) {
		rest = str_after(head, 8);
		(void)take_sized(&rest, OTLP_VARINT, &in);
		return in.n > 0 ? OTLP_VARINT : OTLP_NONE;
	}
	for (unsigned f = OTLP_BIG; f <= OTLP_LITTLE; f++) {
		rest = head;
		if ((take_sized(&rest, f, &in) || in.n > 0) && (otlp_is_object(in) || inflate_form(in) == INFLATE_ZSTD))
			return f;
	}
	return OTLP_NONE;
}

static bool
otlp_sniff(const uint8_t *head, size_t n)
{
	return otlp_framing((struct str){ (const char *)head, n }) != OTLP_NONE;
}

/* ---- objects ------------------------------------------------------------------------------- */

/* The attributes of a resource follow those of the table. */
static void
read_resource(struct otlp *o, struct str in)
{
	struct str resource = otlp_bytes(in, otlp_number(o->layout, OTLP_RESOURCES, 'r'));
	uint64_t row;

	o->nattributes = o->n[OTLP_ATTRIBUTES];
	o->nown = 0;
	SHAPE_EACH(resource, otlp_number(o->layout, OTLP_RESOURCE, 'a'), each) {
		if (o->to.bad || o->nown == OTLP_OWN_MOST) {
			unread_add_member(&o->unread, STR("Resource"), "attributes");
			break;
		}
		row = otlp_add_attribute(o, each, OTLP_KEY_VALUE);
		INTO_ROW(&o->to, o->own, o->nown, row, "attributes");
	}
}

/* A profile with its own tables; the first layout has it in a container. */
static void
read_single(struct otlp *o, struct str resource, struct str in)
{
	if (o->layout == &otlp_layouts[OTLP_1_3])
		in = otlp_bytes(in, 8);
	if (otlp_open_tables(o, in, OTLP_TABLES)) {
		read_resource(o, resource);
		otlp_profile(o, in);
	}
	otlp_close_tables(o);
}

static void
read_resources(struct otlp *o, struct str in, bool single)
{
	uint64_t nown;

	otlp_unread(o, in, OTLP_RESOURCES);
	if (!single)
		read_resource(o, in);
	nown = o->nown;
	SHAPE_EACH(in, otlp_number(o->layout, OTLP_RESOURCES, 's'), scope) {
		otlp_unread(o, scope, OTLP_SCOPES);
		SHAPE_EACH(scope, otlp_number(o->layout, OTLP_SCOPES, 'p'), profile) {
			if (o->to.bad)
				return;
			if (single) {
				read_single(o, in, profile);
			} else {
				o->nown = nown;
				otlp_profile(o, profile);
			}
		}
	}
}

/* layout NULL: the object's fields decide. */
static void
otlp_read_object(struct otlp *o, struct str in, const struct otlp_layout *layout)
{
	bool guessed = false, single;
	unsigned tables;

	o->layout = layout != NULL ? layout : otlp_layout_of(in, &guessed);
	tables = otlp_number(o->layout, OTLP_TOP, 'D');
	assert(o->nattributes == 0 && o->nframes == 0);
	single = tables == 0 && o->layout != &otlp_layouts[OTLP_1_6];
	o->budget = num_add(FRAMES_LEAST, (uint64_t)in.n * FRAMES_EACH);
	o->sum.guessed += guessed;
	o->sum.objects++;
	otlp_unread(o, in, OTLP_TOP);
	if (single || otlp_open_tables(o, tables > 0 ? otlp_bytes(in, tables) : in, OTLP_TABLES))
		SHAPE_EACH(in, otlp_number(o->layout, OTLP_TOP, 'R'), resources) {
			if (o->to.bad)
				break;
			read_resources(o, resources, single);
		}
	otlp_close_tables(o);
}

/* ---- files --------------------------------------------------------------------------------- */

static void
read_json(struct otlp *o, struct str text)
{
	struct json j = { .base = text.s, .size = text.n }, end;
	const struct otlp_layout *layout;
	struct buf b = BUF_INIT;

	while (!o->to.bad && scan_peek(&j) == '{') {
		end = j;
		o->at = samples_has_text(&o->s, text) ? (uint64_t)(text.s - o->source.s) + j.at : o->at;
		if (!scan_skip(&end) || end.bad) {
			o->sum.lost_bytes += text.n - j.at;
			break;
		}
		assert(end.at > j.at && end.at <= text.n);
		end.size = end.at;
		end.at = j.at;
		if (otlp_json(&end, &b, &layout, &o->unread))
			otlp_read_object(o, buf_view(&b), layout);
		else
			o->sum.bad_messages++;
		into_made(&o->to, &b);
		j.at = end.size;
	}
	if (!o->to.bad && !j.bad && scan_peek(&j) != 0 && o->sum.lost_bytes == 0)
		o->sum.lost_bytes += text.n - j.at;
	buf_free(&b);
}

static bool
is_whole(struct str in)
{
	struct proto_walk w = { .rest = in };

	while (proto_step(&w))
		;
	return !w.bad;
}

/* An object behind its size may be packed. */
static void
read_sized(struct otlp *o, struct str in)
{
	struct inflated out = { .data = NULL };

	if (inflate_form(in) == INFLATE_ZSTD) {
		if (inflate_lacks(INFLATE_ZSTD) != NULL ||
		    !inflate_all(in, INFLATE_ZSTD, in.n * 4, UNPACKED_MOST, &out)) {
			o->sum.bad_messages++;
			free(out.data);
			return;
		}
		in = (struct str){ (const char *)out.data, out.n };
	}
	if (in.n > 0 && in.s[0] == '{')
		read_json(o, in);
	else if (otlp_is_object(in) && is_whole(in))
		otlp_read_object(o, in, NULL);
	else
		o->sum.bad_messages++;
	free(out.data);
}

static void
otlp_read_file(struct otlp *o, enum otlp_framing framing)
{
	struct str rest = o->source, in;

	work_start_bytes(o->to.work, "OTLP", rest.n);
	if (framing == OTLP_JSON) {
		read_json(o, rest);
		return;
	}
	if (framing == OTLP_BARE) {
		if (is_whole(rest))
			otlp_read_object(o, rest, NULL);
		else
			o->sum.lost_bytes = rest.n;
		return;
	}
	if (framing == OTLP_VARINT)
		rest = str_after(rest, 8);
	while (rest.n > 0 && into_go(&o->to, o->at)) {
		o->at = (uint64_t)(rest.s - o->source.s);
		if (take_sized(&rest, framing, &in))
			read_sized(o, in);
		else
			o->sum.lost_bytes += o->source.n - o->at;
		if (o->sum.lost_bytes > 0)
			break;
	}
}

/* ---- facts --------------------------------------------------------------------------------- */

static bool
otlp_facts(struct otlp *o, enum otlp_framing framing, struct err *err)
{
	const struct otlp_sum *n = &o->sum;
	const char *reason = n->lost_bytes > 0 ? "an object is truncated or damaged" : n->bad_messages > 0 ?
	    "damaged messages in the profile" : n->too_deep > 0 ? "too many frames in the stacks" : "";
	char date[CALENDAR_TEXT] = "";

	if (n->to > 0)
		(void)calendar_text(n->from / 1000000000, false, date);
	buf_set(&o->text, STR("OpenTelemetry profile ("), str_of(framings[framing]), STR(")"));
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = into_made(&o->to, &o->text) },
		{ FACT_VERSIONS, .text = str_of(o->layout->version) },
		{ FACT_RECORDED_AT, .text = str_of(date), .how = MAKE_ANY },
		{ FACT_DURATION, MAKE_DURATION(n->to - n->from), MAKE_ANY },
		{ FACT_PROFILE_SAMPLES, n->samples }, { FACT_MAPPINGS, n->mappings }, { FACT_LOCATIONS, n->locations },
		{ FACT_FUNCTIONS, n->functions }, { FACT_INLINED_LINES, n->inlined, MAKE_ANY },
		{ FACT_KIND, .text = str_of(o->s.differs ? "differential" : ""), .how = MAKE_ANY },
		{ FACT_REPAIR_LAYOUT, n->guessed, MAKE_ANY }, { FACT_REPAIR_EQUAL_TYPES, n->equal_types, MAKE_ANY },
		{ FACT_REPAIR_VALUES, n->bad_values, MAKE_ANY }, { FACT_REPAIR_UNPAIRED, n->unpaired, MAKE_ANY },
		{ FACT_REPAIR_INDEX, n->bad_index, MAKE_ANY }, { FACT_REPAIR_STRINGS, n->bad_strings, MAKE_ANY },
		{ FACT_LOSS_MESSAGES, n->bad_messages, MAKE_ANY }, { FACT_LOSS_DEEP_STACKS, n->too_deep, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, n->lost_bytes, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	return !o->to.bad && unread_facts(&o->unread, o->s.st, err) && make_facts(o->s.st, facts, NELEM(facts), err);
}

/* The first profile is the one to show first. */
static bool
otlp_finish(struct otlp *o, enum otlp_framing framing, struct err *err)
{
	if (o->to.bad)
		return false;
	if (o->sum.objects == 0)
		return fail(err, E_UNREADABLE, o->sum.lost_bytes > 0 ?
		    "OpenTelemetry profile truncated or damaged before its names, which come last" :
		    "no OpenTelemetry profile");
	if (o->s.nsamples == 0)
		return fail(err, E_UNREADABLE, "OpenTelemetry profile without samples");
	assert(o->layout != NULL && o->s.nevents > 0);
	o->s.chosen = 1;
	o->s.chosen_by = o->s.nevents > 1 ? "first profile of the file" : NULL;
	return otlp_facts(o, framing, err) && samples_columns(&o->s, err);
}

static bool
otlp_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct otlp o = { .source = { (const char *)m->data, (size_t)m->size }, .text = BUF_INIT,
	    .to = { .samples = &o.s, .work = w, .err = err } };
	enum otlp_framing framing = otlp_framing(str_head(o.source, SNIFF_MAX));
	bool ok;

	if (framing == OTLP_NONE)
		return fail(err, E_UNREADABLE, "no OpenTelemetry profile");
	samples_open(&o.s, st, w);
	o.s.counts = COUNT_TOLD;
	otlp_read_file(&o, framing);
	ok = otlp_finish(&o, framing, err);
	otlp_close_tables(&o);
	SCRATCH_FREE(&o.indices, &o.own, &o.types, &o.values, &o.times, &o.rows, &o.labels, &o.last);
	buf_free(&o.text);
	samples_close(&o.s);
	return ok;
}

const struct loader load_otlp = {
	"otlp", "OpenTelemetry profile: protobuf, JSON, files of the collector", SHAPE_SAMPLES, otlp_sniff, otlp_load
};
