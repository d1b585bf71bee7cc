/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader of pprof profiles: each sample type is an event.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "icecore/calendar.h"
#include "icecore/facts.h"

#include "pprof.h"

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

/*
 * Fields that only a profile has, in any order: sample types, and one sample, location, function and
 * string.
 */
static bool
sniff(const uint8_t *head, size_t n)
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

/* "samples"; the second type with the same name is "samples/count"; further ones get a number. */
static bool
name_event(struct pprof *p, uint64_t i, struct str *name, struct err *err)
{
	const struct pprof_type *t = &SCRATCH(p->types, struct pprof_type)[i];
	uint64_t key;

	*name = pprof_name(p, t->type);
	for (unsigned tries = 0; tries < 3; tries++) {
		key = idmap_hash_text(*name, 0);
		if (idmap_get(&p->s.by_event, key) == 0)
			return true;
		buf_clear(&p->text);
		buf_str(&p->text, pprof_name(p, t->type));
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
	struct weight_unit known;
	bool is_known = weight_unit(unit, &known);
	char text[64];

	snprintf(text, sizeof text, "%.*s", (int)str_head(unit, sizeof text - 1).n, unit.n > 0 ? unit.s : "");
	t->factor = is_known ? known.factor : 1;
	if (!name_event(p, i, &name, err))
		return false;
	if (str_is(name, "samples") && str_is(unit, "count"))
		p->counted = i + 1;
	t->event = samples_event(&p->s, name, is_known ? known.type : WEIGHT_COUNT, is_known ? known.unit :
	    text, err);
	return t->event != 0;
}

/* Return the default type of the file, otherwise the last one. */
static bool
add_events(struct pprof *p, struct err *err)
{
	struct str wanted = pprof_string(p, p->is.default_type);

	assert(p->ntypes > 0);
	p->s.chosen = 0;
	for (uint64_t i = 0; i < p->ntypes; i++) {
		if (!pprof_add_event(p, i, err))
			return false;
		if (p->s.chosen == 0 && wanted.n > 0 &&
		    str_eq(wanted, pprof_string(p, SCRATCH(p->types, struct pprof_type)[i].type)))
			p->s.chosen = SCRATCH(p->types, struct pprof_type)[i].event;
	}
	p->s.counts = p->counted > 0 ? COUNT_TOLD : COUNT_ONE;
	p->s.chosen_by = p->s.chosen != 0 ? "default sample type of the file" : p->ntypes > 1 ?
	    "last sample type" : NULL;
	if (p->s.chosen == 0)
		p->s.chosen = SCRATCH(p->types, struct pprof_type)[p->ntypes - 1].event;
	return true;
}

/* ---- facts ----------------------------------------------------------------------------- */

/* The period, and what it measures: 10 ms of "cpu". A profile that only counts its samples gets times. */
static bool
put_period(struct pprof *p, struct err *err)
{
	struct weight_unit unit;
	struct str type = pprof_string(p, p->period_type.type), of = pprof_string(p, p->period_type.unit);
	bool known = weight_unit(of, &unit), times = false;
	uint64_t period = p->is.period;

	if (period == 0 || period > WEIGHT_MOST / (known ? unit.factor : 1))
		return true;
	period *= known ? unit.factor : 1;
	for (uint64_t i = 0; i < p->s.nevents; i++)
		times |= SCRATCH(p->s.events, struct sample_event)[i].type == WEIGHT_TIME;
	return store_fact(p->s.st, fact_name(FACT_PERIOD), !known || unit.type == WEIGHT_COUNT ? FACT_COUNT :
	    unit.type == WEIGHT_TIME ? FACT_TIME : FACT_BYTES, period, err) &&
	    fact_set_text(p->s.st, FACT_PERIOD_OF, type.n > 0 ? type : of, err) &&
	    (times || !known || unit.type != WEIGHT_TIME ||
	    samples_period(&p->s, STR("samples"), 0, period, err));
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
	char date[CALENDAR_TEXT] = "";

	if (p->is.time != 0)
		(void)calendar_text(p->is.time / 1000000000, false, date);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("pprof") },
		{ FACT_RECORDED_AT, .text = str_of(date), .how = MAKE_ANY },
		{ FACT_DURATION, MAKE_DURATION(p->is.duration), MAKE_ANY },
	};
	if (!make_facts(p->s.st, facts, NELEM(facts), err) || !put_period(p, err))
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
	const char *reason = cut > 0 ? "the profile is truncated or damaged" : p->bad_messages > 0 ?
	    "damaged messages in the profile" : p->too_deep > 0 ?
	    "too many frames in the stacks (limit: 2^24, and 256 of one location)" : "";
	const struct make_fact facts[] = {
		{ FACT_PROFILE_SAMPLES, p->nsamples }, { FACT_MAPPINGS, p->by_mapping.n },
		{ FACT_LOCATIONS, p->by_location.n }, { FACT_FUNCTIONS, p->by_function.n },
		{ FACT_INLINED_LINES, p->inlined, MAKE_ANY },
		{ FACT_DROP_FRAMES, .text = pprof_string(p, p->is.drop), .how = MAKE_ANY },
		{ FACT_KEEP_FRAMES, .text = pprof_string(p, p->is.keep), .how = MAKE_ANY },
		{ FACT_DROPPED_SAMPLES, p->dropped, MAKE_ANY },
		{ FACT_KIND, .text = str_of(p->s.differs ? "differential" : ""), .how = MAKE_ANY },
		{ FACT_REPAIR_VALUES, p->bad_values, MAKE_ANY },
		{ FACT_REPAIR_LOCATION, p->bad_locations, MAKE_ANY },
		{ FACT_REPAIR_IDS, p->bad_ids, MAKE_ANY },
		{ FACT_REPAIR_STRINGS, p->bad_strings, MAKE_ANY },
		{ FACT_REPAIR_PATTERN, p->bad_patterns, MAKE_ANY },
		{ FACT_LOSS_MESSAGES, p->bad_messages, MAKE_ANY },
		{ FACT_LOSS_DEEP_STACKS, p->too_deep, MAKE_ANY }, { FACT_LOSS_TAIL_BYTES, cut, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY }
	};

	return put_texts(p, err) && unread_facts(&p->unread, p->s.st, err) &&
	    make_facts(p->s.st, facts, NELEM(facts), err);
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
	ok = pprof_read_tables(&p, err) && pprof_check(&p, err) && pprof_open_labels(&p, err) &&
	    pprof_open_patterns(&p, err) && add_events(&p, err) && pprof_read_samples(&p, err) &&
	    pprof_put_facts(&p, err) && samples_columns(&p.s, err);
	pprof_close_patterns(&p);
	pprof_close_tables(&p);
	pprof_close_labels(&p);
	SCRATCH_FREE(&p.frames, &p.path, &p.values, &p.stacks);
	buf_free(&p.text);
	samples_close(&p.s);
	return ok;
}

const struct loader load_pprof = {
	"pprof", "pprof profile (protobuf), compressed or not", SHAPE_SAMPLES, sniff, pprof_load
};
