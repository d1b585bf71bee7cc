/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of an object, and what attributes say: a thread, or labels.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "otlp.h"

#define TICK 1024u

static const char table_letters[OTLP_TABLES_END] = { 'M', 'L', 'F', 'K', 'X', 'A', 'Y' };

/* ---- fields that are not read -------------------------------------------------------------- */

void
otlp_unread(struct otlp *o, struct str message, enum otlp_message of)
{
	const char *fields = o->layout->fields[of];
	struct proto_walk w = { .rest = message };
	size_t n = strlen(fields);

	while (proto_step(&w))
		if (w.f.number > n)
			unread_add_field(&o->unread, str_of(otlp_names[of]), w.f.number);
		else if (fields[w.f.number - 1] == 'o')
			unread_add_member(&o->unread, str_of(otlp_names[of]), "original_payload");
	o->sum.bad_messages += w.bad;
}

/* ---- tables -------------------------------------------------------------------------------- */

static void
otlp_add_row(struct otlp *o, enum otlp_table table, struct str row)
{
	static const enum otlp_message messages[OTLP_TABLES_END] =
	    { OTLP_MAPPING, OTLP_LOCATION, OTLP_FUNCTION, OTLP_LINK,
	    OTLP_TOP, OTLP_ATTRIBUTE, OTLP_STACK };

	INTO_ROW(&o->to, o->table[table], o->n[table], row, "rows of OTLP");
	if (table != OTLP_STRINGS)
		otlp_unread(o, row, messages[table]);
}

struct str
otlp_row(const struct otlp *o, enum otlp_table table, uint64_t row)
{
	return row < o->n[table] ? SCRATCH(o->table[table], struct str)[row] : STR("");
}

struct str
otlp_string(struct otlp *o, uint64_t number)
{
	o->sum.bad_strings += number >= o->n[OTLP_STRINGS] && number != 0;
	return otlp_row(o, OTLP_STRINGS, number);
}

bool
otlp_open_tables(struct otlp *o, struct str message, enum otlp_message of)
{
	const char *fields = o->layout->fields[of];
	size_t n = strlen(fields);
	uint64_t rows = 0;

	assert(o->n[OTLP_STRINGS] == 0 && o->nattributes == 0);
	assert(n <= 32);
	PROTO_EACH(message, w) {
		const char *at = w.f.number > n || w.f.wire != PROTO_BYTES ? NULL :
		    memchr(table_letters, fields[w.f.number - 1], sizeof table_letters);

		if (at != NULL)
			otlp_add_row(o, (enum otlp_table)(at - table_letters), w.f.in);
		if (rows++ % TICK == 0 && !into_go(&o->to, o->at))
			return false;
	}
	for (uint64_t i = 0; i < o->n[OTLP_ATTRIBUTES]; i++)
		otlp_add_attribute(o, otlp_row(o, OTLP_ATTRIBUTES, i), OTLP_ATTRIBUTE);
	INTO(&o->to, scratch_array(&o->places, o->n[OTLP_LOCATIONS], sizeof(struct otlp_place), o->to.err));
	INTO(&o->to, scratch_array(&o->stacks, o->n[OTLP_STACKS], sizeof(struct otlp_place), o->to.err));
	o->sum.mappings += o->n[OTLP_MAPPINGS];
	o->sum.locations += o->n[OTLP_LOCATIONS];
	o->sum.functions += o->n[OTLP_FUNCTIONS];
	return !o->to.bad;
}

void
otlp_close_tables(struct otlp *o)
{
	for (unsigned i = 0; i < OTLP_TABLES_END; i++) {
		scratch_free(&o->table[i]);
		o->n[i] = 0;
	}
	SCRATCH_FREE(&o->attributes, &o->places, &o->stacks);
	scratch_free(&o->frames);
	o->nattributes = o->nframes = 0;
	o->last_thread = 0;
}

/* ---- attributes ---------------------------------------------------------------------------- */

static enum otlp_key
otlp_key_of(struct str key)
{
	return str_is(key, "process.pid") ? OTLP_PID : str_is(key, "thread.id") ? OTLP_TID :
	    str_is(key, "thread.name") ? OTLP_THREAD : OTLP_LABEL;
}

uint64_t
otlp_add_attribute(struct otlp *o, struct str message, enum otlp_message of)
{
	struct str value = otlp_bytes(message, otlp_number(o->layout, of, 'v'));
	struct otlp_attribute a = { .key = STR("") };
	unsigned number = otlp_number(o->layout, of, 't');
	uint64_t v;

	if (number > 0)
		a.key = otlp_bytes(message, number);
	number = otlp_number(o->layout, of, 'K');
	if (a.key.n == 0 && number > 0)
		a.key = otlp_string(o, otlp_value(message, number, 0));
	PROTO_EACH(value, w) {
		char letter = w.f.number <= 8 ? o->layout->fields[OTLP_VALUE][w.f.number - 1] : '-';

		v = w.f.value;
		if (w.f.wire == PROTO_8_BYTES)
			memcpy(&v, w.f.in.s, sizeof v);
		a.has_number = is_one_of(letter, "id");
		a.number = (int64_t)v;
		a.text = letter == 'r' ? otlp_string(o, v) : letter == 'b' ? v ? STR("true") : STR("false") :
		    is_one_of(letter, "sx") ? w.f.in : STR("");
		if (letter == 'd')
			a.has_number = false;
		if (is_one_of(letter, "ad"))
			unread_add_field(&o->unread, str_of(otlp_names[OTLP_VALUE]), w.f.number);
	}
	a.is = (uint8_t)otlp_key_of(a.key);
	INTO_ROW(&o->to, o->attributes, o->nattributes, a, "attributes");
	return o->nattributes - 1;
}

/* ---- owners -------------------------------------------------------------------------------- */

static void
otlp_add_label(struct otlp *o, struct otlp_owner *owner, uint32_t label)
{
	INTO_ROW(&o->to, o->labels, owner->nlabels, label, "labels");
}

static void
otlp_take_attribute(struct otlp *o, struct otlp_owner *owner, struct otlp_attribute *a)
{
	char digits[24];
	struct str text = a->text;
	uint64_t v;

	assert(a->is <= OTLP_THREAD && (!a->has_number || a->text.n == 0));
	if (a->has_number) {
		snprintf(digits, sizeof digits, "%" PRId64, a->number);
		text = str_of(digits);
	}
	if (a->is == OTLP_THREAD) {
		owner->thread = a->text;
	} else if (a->is != OTLP_LABEL) {
		v = 0;
		if (num_u64(text, 10, &v) && v <= UINT32_MAX)
			*(a->is == OTLP_PID ? &owner->pid : &owner->tid) = (uint32_t)v;
	} else {
		if (a->label == 0)
			a->label = INTO_ID(&o->to, label_number(&o->s.labels, a->key, text, o->to.err));
		otlp_add_label(o, owner, a->label);
	}
}

/* Ids of traces and spans are bytes, of which zeros mean none; JSON has digits. */
static void
otlp_take_id(struct otlp *o, struct otlp_owner *owner, const char *key, struct str id)
{
	bool some = false, digits = id.n >= 16 && str_hexes(id) == id.n;
	uint32_t label;

	buf_clear(&o->text);
	for (size_t i = 0; i < id.n; i++) {
		some |= digits ? id.s[i] != '0' : id.s[i] != 0;
		if (!digits)
			buf_printf(&o->text, "%02x", (unsigned char)id.s[i]);
	}
	label = !some ? 0 : INTO_ID(&o->to,
	    label_number(&o->s.labels, str_of(key), digits ? id : into_made(&o->to, &o->text),
	    o->to.err));
	if (label != 0)
		otlp_add_label(o, owner, label);
}

void
otlp_set(struct otlp *o, uint64_t link, struct sample *sample)
{
	const uint64_t *row = SCRATCH(o->rows, uint64_t);
	struct otlp_owner owner = { .thread = STR("") };
	struct str in = otlp_row(o, OTLP_LINKS, link);

	for (uint64_t i = 0; i < o->nrows && !o->to.bad; i++) {
		if (row[i] >= o->nattributes)
			o->sum.bad_index++;
		else
			otlp_take_attribute(o, &owner, &SCRATCH(o->attributes, struct otlp_attribute)[row[i]]);
	}
	otlp_take_id(o, &owner, "trace", otlp_bytes(in, otlp_number(o->layout, OTLP_LINK, 't')));
	otlp_take_id(o, &owner, "span", otlp_bytes(in, otlp_number(o->layout, OTLP_LINK, 's')));
	assert(owner.nlabels <= o->nrows + 2);
	sample->thread = INTO_ID(&o->to, samples_thread(&o->s, owner.pid, owner.tid, owner.thread, o->to.err));
	sample->labels = 0;
	INTO(&o->to, label_set(&o->s.labels, SCRATCH(o->labels, uint32_t), owner.nlabels, &sample->labels, o->to.err));
}
