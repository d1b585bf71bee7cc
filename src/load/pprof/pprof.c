/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader of pprof profiles: each sample type is an event.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "icecore/facts.h"

#include "pprof.h"

#define SECONDS_MOST 253402300799u	/* end of the year 9999 */

/* ---- sniffing ------------------------------------------------------------------------ */

/* Return whether s is a ValueType message: two string numbers, type and unit. */
static bool
is_value_type(struct str s)
{
	struct proto_field f;

	while (s.n > 0)
		if (!proto_next(&s, &f) || f.number > 2 || f.wire != PROTO_VARINT)
			return false;
	return true;
}

/* Fields that only a profile has, in any order: sample types, and one sample, location, function and string. */
static bool
pprof_sniff(const uint8_t *head, size_t n)
{
	struct str s = { (const char *)head, n };
	struct proto_field f;
	bool types = false, rest = false;

	while (proto_next(&s, &f) && proto_whole(&f)) {
		if (f.number > 15)
			continue;
		/* Messages and texts; comments are numbers, packed or not. */
		if (f.wire != (f.number <= 6 || f.number == 11 ? PROTO_BYTES : PROTO_VARINT) &&
		    (f.number != 13 || f.wire != PROTO_BYTES))
			return false;
		if (f.number == 1 && !is_value_type(f.in))
			return false;
		types = types || f.number == 1;
		rest = rest || f.number == 2 || (f.number >= 4 && f.number <= 6);
	}
	return types && rest;
}

/* ---- events -------------------------------------------------------------------------- */

/* Units as profilers name them; words may also end in s. */
static const struct unit_of {
	const char	*name;
	const char	*unit;
	uint64_t	 factor;
	enum weight_type type;
} units[] = {
	{ "", "count", 1, WEIGHT_COUNT }, { "count", "count", 1, WEIGHT_COUNT },
	{ "b", "bytes", 1, WEIGHT_BYTES }, { "byte", "bytes", 1, WEIGHT_BYTES },
	{ "kb", "bytes", 1 << 10, WEIGHT_BYTES }, { "kilobyte", "bytes", 1 << 10, WEIGHT_BYTES },
	{ "mb", "bytes", 1 << 20, WEIGHT_BYTES }, { "megabyte", "bytes", 1 << 20, WEIGHT_BYTES },
};

/* False: unknown. */
static bool
pprof_find_unit(struct str unit, struct unit_of *of)
{
	struct str one = unit;

	*of = (struct unit_of){ "", "ns", num_time_unit(unit), WEIGHT_TIME };
	if (of->factor != 0)
		return true;
	if (unit.n > 2 && (unit.s[unit.n - 1] | 32) == 's')
		one.n--;
	for (size_t i = 0; i < NELEM(units); i++)
		if (str_eq_nocase(unit, str_of(units[i].name)) || str_eq_nocase(one, str_of(units[i].name))) {
			*of = units[i];
			return true;
		}
	return false;
}

/* "samples"; the second type with the same name is "samples/count"; further ones get a number. */
static bool
name_event(struct pprof *p, uint64_t i, struct str *name, struct err *err)
{
	const struct pprof_type *t = &SCRATCH(p->types, struct pprof_type)[i];
	uint64_t key;

	*name = pprof_string(p, t->type);
	for (unsigned tries = 0; tries < 3; tries++) {
		key = idmap_hash_text(*name, 0);
		if (idmap_get(&p->s.by_event, key) == 0)
			return true;
		buf_clear(&p->text);
		buf_str(&p->text, pprof_string(p, t->type));
		buf_chr(&p->text, '/');
		buf_str(&p->text, pprof_string(p, t->unit));
		if (tries > 0)
			buf_printf(&p->text, "/%" PRIu64, i + 1);
		if (p->text.bad)
			return fail(err, E_SYSTEM, "out of memory (events)");
		*name = buf_view(&p->text);
	}
	return true;
}

static bool
pprof_add_event(struct pprof *p, uint64_t i, struct err *err)
{
	struct pprof_type *t = &SCRATCH(p->types, struct pprof_type)[i];
	struct str unit = pprof_string(p, t->unit), name;
	struct unit_of known;
	bool is_known = pprof_find_unit(unit, &known);
	char text[64];

	snprintf(text, sizeof text, "%.*s", (int)str_head(unit, sizeof text - 1).n, unit.n > 0 ? unit.s : "");
	t->factor = is_known ? known.factor : 1;
	if (!name_event(p, i, &name, err))
		return false;
	t->event = samples_event(&p->s, name, is_known ? known.type : WEIGHT_COUNT, is_known ? known.unit : text, err);
	return t->event != 0;
}

/* Return the default type of the file, otherwise the last one. */
static bool
pprof_add_events(struct pprof *p, struct err *err)
{
	struct str wanted = pprof_string(p, p->default_type);

	assert(p->ntypes > 0);
	p->s.chosen = 0;
	for (uint64_t i = 0; i < p->ntypes; i++) {
		if (!pprof_add_event(p, i, err))
			return false;
		if (p->s.chosen == 0 && wanted.n > 0 && str_eq(wanted, pprof_string(p, SCRATCH(p->types, struct pprof_type)[i].type)))
			p->s.chosen = SCRATCH(p->types, struct pprof_type)[i].event;
	}
	p->s.chosen_by = p->s.chosen != 0 ? "default sample type of the file" : p->ntypes > 1 ? "last sample type" : NULL;
	if (p->s.chosen == 0)
		p->s.chosen = SCRATCH(p->types, struct pprof_type)[p->ntypes - 1].event;
	return true;
}

/* ---- facts ----------------------------------------------------------------------------- */

/* Format the recording time; empty if it is absent or out of range (damaged file). */
static void
pprof_date_text(uint64_t ns, char *text, size_t size)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;

	text[0] = '\0';
	if (ns != 0 && ns / 1000000000 <= SECONDS_MOST && gmtime_r(&seconds, &tm) != NULL)
		strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

/* For example "10 ms of cpu". */
static void
period_text(struct pprof *p, struct buf *b)
{
	struct str type = pprof_string(p, p->period_type.type), unit = pprof_string(p, p->period_type.unit);
	struct unit_of known;
	bool is_known = pprof_find_unit(unit, &known);
	char text[NUM_TEXT];

	buf_clear(b);
	if (p->period == 0)
		return;
	if (is_known && known.type != WEIGHT_COUNT && p->period <= WEIGHT_MOST / known.factor) {
		(known.type == WEIGHT_TIME ? num_show_duration : num_show_size)(text, sizeof text, p->period * known.factor);
		buf_str(b, str_of(text));
	} else
		buf_printf(b, "%" PRId64 " %.*s", (int64_t)p->period, (int)str_head(unit, 64).n, unit.n > 0 ? unit.s : "");
	buf_printf(b, "%s%.*s", type.n > 0 ? " of " : "", (int)str_head(type, 64).n, type.n > 0 ? type.s : "");
}

static bool
fact_of_buf(struct pprof *p, enum fact_id id, struct buf *b, struct err *err)
{
	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (facts)");
	return b->n == 0 || fact_set_text(p->s.st, id, buf_view(b), err);
}

static bool
put_texts(struct pprof *p, struct err *err)
{
	struct buf *b = &p->text;
	char date[64];

	pprof_date_text(p->time, date, sizeof date);
	period_text(p, b);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("pprof") },
		{ FACT_RECORDED_AT, .text = str_of(date), .how = MAKE_ANY },
		{ FACT_DURATION, p->duration <= INT64_MAX ? p->duration : 0, MAKE_ANY },
	};
	if (!make_facts(p->s.st, facts, NELEM(facts), err) || !fact_of_buf(p, FACT_PERIOD, b, err))
		return false;
	buf_clear(b);
	pprof_label_keys(p, b);
	if (!fact_of_buf(p, FACT_LABELS, b, err))
		return false;
	buf_clear(b);
	for (uint64_t i = 0; i < p->ncomments && b->n < 4096; i++) {
		buf_str(b, i > 0 ? STR(" | ") : STR(""));
		buf_str(b, pprof_string(p, SCRATCH(p->comments, uint32_t)[i]));
	}
	return fact_of_buf(p, FACT_COMMENTS, b, err);
}

static bool
pprof_put_facts(struct pprof *p, struct err *err)
{
	uint64_t cut = p->source.n - p->whole.n;
	const char *reason = cut > 0 ? "the profile is truncated or damaged" : p->bad_messages > 0 ? "damaged messages in the profile" :
	    p->too_deep > 0 ? "too many frames in the stacks (limit: 2^24, and 256 of one location)" : "";
	const struct make_fact facts[] = {
		{ FACT_PROFILE_SAMPLES, p->nsamples },
		{ FACT_MAPPINGS, p->by_mapping.n }, { FACT_LOCATIONS, p->by_location.n }, { FACT_FUNCTIONS, p->by_function.n },
		{ FACT_INLINED_LINES, p->inlined, MAKE_ANY },
		{ FACT_DROP_FRAMES, .text = pprof_string(p, p->drop), .how = MAKE_ANY },
		{ FACT_KEEP_FRAMES, .text = pprof_string(p, p->keep), .how = MAKE_ANY },
		{ FACT_DROPPED_SAMPLES, p->dropped, MAKE_ANY },
		{ FACT_KIND, .text = str_of(p->s.differs ? "differential" : ""), .how = MAKE_ANY },
		{ FACT_REPAIR_VALUES, p->bad_values, MAKE_ANY }, { FACT_REPAIR_LOCATION, p->bad_locations, MAKE_ANY },
		{ FACT_REPAIR_IDS, p->bad_ids, MAKE_ANY }, { FACT_REPAIR_STRINGS, p->bad_strings, MAKE_ANY },
		{ FACT_REPAIR_PATTERN, p->bad_patterns, MAKE_ANY },
		{ FACT_LOSS_MESSAGES, p->bad_messages, MAKE_ANY }, { FACT_LOSS_DEEP_STACKS, p->too_deep, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, cut, MAKE_ANY }, { FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	pprof_labels_unread(p);
	return put_texts(p, err) && unread_facts(&p->unread, p->s.st, err) && make_facts(p->s.st, facts, NELEM(facts), err);
}

/* ---- file -------------------------------------------------------------------------------- */

/* Reject files that are not profiles. A truncated profile may lack its strings. */
static bool
pprof_check(struct pprof *p, struct err *err)
{
	bool cut = p->whole.n < p->source.n || store_damaged(p->s.st);

	/* In a further profile, strings begin with the empty one, and ids start again. */
	if (p->empty > 0 && p->bad_ids > 0)
		return pprof_fail_two(err);
	if (p->ntypes == 0)
		return fail(err, E_UNREADABLE, "pprof without sample types");
	if (!cut && (p->nstrings == 0 || pprof_string(p, 0).n > 0))
		return fail(err, E_UNREADABLE, "not a pprof profile: its first string is not empty");
	if (cut && p->nsamples == 0)
		return fail(err, E_UNREADABLE, "pprof truncated or damaged before its first sample");
	return true;
}

static bool
pprof_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct pprof p = { .source = { (const char *)m->data, (size_t)m->size }, .text = BUF_INIT };
	bool ok;

	samples_open(&p.s, st, w);
	ok = pprof_read_tables(&p, err) && pprof_check(&p, err) && pprof_open_labels(&p, err) && pprof_open_patterns(&p, err) &&
	    pprof_add_events(&p, err) && pprof_read_samples(&p, err) && pprof_put_facts(&p, err) && samples_columns(&p.s, err);
	pprof_close_patterns(&p);
	pprof_close_tables(&p);
	SCRATCH_FREE(&p.frames, &p.path, &p.values, &p.keys, &p.stacks);
	buf_free(&p.text);
	samples_close(&p.s);
	return ok;
}

const struct loader load_pprof = {
	"pprof", "pprof profile (protobuf), compressed or not", SHAPE_SAMPLES, pprof_sniff, pprof_load
};
