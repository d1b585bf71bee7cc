/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof_labels: threads of samples from their labels; the other labels are a set.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "pprof.h"

#define KEYS_SHOWN 32u

/* An entry of keys, one for each string: number of labels with this key, and its meaning. */
#define KEY_OF(v) ((enum pprof_key)((v) & 15))
#define KEY_COUNT(v) ((v) >> 4)
#define KEY_ONE 16u

/* The first key in a range that a sample has wins. */
static const char *const keys[KEYS_END] = {
	[KEY_THREAD] = "thread",
	[KEY_NAME] = "thread_name", "thread name", "thread.name", "comm",
	[KEY_ID] = "thread_id", "thread id", "thread.id", "tid", "thread native id"
};

struct pprof_label {
	struct str	text;
	uint64_t	number;		/* if text is empty */
};

bool
pprof_open_labels(struct pprof *p, struct err *err)
{
	uint64_t *key;

	if (!scratch_array(&p->labelled.keys, p->nstrings, sizeof *key, err))
		return false;
	key = SCRATCH(p->labelled.keys, uint64_t);
	for (uint64_t i = 0; i < p->nstrings; i++) {
		struct str s = pprof_string(p, (uint32_t)i);

		for (unsigned k = KEY_NONE + 1; k < KEYS_END && s.n > 2 && s.n < 17; k++)
			if (str_eq(s, str_of(keys[k])))
				key[i] = k;
	}
	return true;
}

void
pprof_close_labels(struct pprof *p)
{
	SCRATCH_FREE(&p->labelled.keys, &p->labelled.others, &p->labelled.set);
	idmap_free(&p->labelled.by_label);
}

void
pprof_label_keys(struct pprof *p, struct buf *b)
{
	const uint64_t *key = SCRATCH(p->labelled.keys, uint64_t);
	unsigned n = 0;

	for (uint64_t i = 0; i < p->nstrings; i++)
		if (KEY_COUNT(key[i]) > 0 && n++ < KEYS_SHOWN) {
			buf_str(b, n > 1 ? STR(" ") : STR(""));
			buf_str(b, pprof_string(p, (uint32_t)i));
			buf_printf(b, ":%" PRIu64, KEY_COUNT(key[i]));
		}
	if (n > KEYS_SHOWN)
		buf_printf(b, " and %u others", n - KEYS_SHOWN);
}

/* ---- single labels ------------------------------------------------------------------------ */

/* Read a label and count its key; *key: what the key means. One that names no thread is added to others. */
static bool
read_label(struct pprof *p, struct str in, enum pprof_key *key, struct pprof_label *l, struct err *err)
{
	uint64_t *count;
	struct label m;

	p->bad_messages += !label_read(in, &m, &p->unread);
	*l = (struct pprof_label){ STR(""), m.number };
	*key = KEY_NONE;
	if (m.key >= p->nstrings) {
		p->bad_strings++;
		return true;
	}
	count = &SCRATCH(p->labelled.keys, uint64_t)[m.key];
	*count += KEY_ONE;
	*key = KEY_OF(*count);
	if (*key == KEY_NONE)
		return scratch_add(&p->labelled.others, &p->labelled.nothers, &m, sizeof m, err);
	if (m.text != 0)
		l->text = pprof_string(p, m.text);
	return true;
}

/* ---- sets of labels ------------------------------------------------------------------------- */

/* A number with its unit, unless that is the name of the key, as in "bytes: 64 bytes". */
static struct str
number_text(struct pprof *p, const struct label *m)
{
	struct str unit = pprof_string(p, m->unit);

	buf_clear(&p->text);
	buf_printf(&p->text, "%" PRId64, (int64_t)m->number);
	if (unit.n > 0 && !str_eq(unit, pprof_string(p, (uint32_t)m->key))) {
		buf_chr(&p->text, ' ');
		buf_str(&p->text, unit);
	}
	return buf_view(&p->text);
}

/* Return the number of a label; 0: failed. */
static uint32_t
number_label(struct pprof *p, const struct label *m, struct err *err)
{
	bool number = m->text == 0 && (m->has_number || m->unit != 0);
	const uint64_t is[] = { m->key, m->text, number ? m->number : 0, number ? m->unit + UINT64_C(1) : 0 };
	uint64_t key = idmap_hash_text((struct str){ (const char *)is, sizeof is }, 0);
	uint32_t label = idmap_get(&p->labelled.by_label, key);

	if (label != 0)
		return label;
	label = label_number(&p->s.labels, pprof_string(p, (uint32_t)m->key),
	    number ? number_text(p, m) : pprof_string(p, m->text), err);
	if (p->text.bad) {
		fail_memory(err, "labels");
		return 0;
	}
	return label != 0 && idmap_put(&p->labelled.by_label, key, label, err) ? label : 0;
}

/* Make the set of the other labels. */
static bool
other_set(struct pprof *p, struct err *err)
{
	const struct label *m = SCRATCH(p->labelled.others, struct label);
	uint32_t *set;

	if (!scratch_array(&p->labelled.set, p->labelled.nothers, sizeof *set, err))
		return false;
	set = SCRATCH(p->labelled.set, uint32_t);
	for (uint64_t i = 0; i < p->labelled.nothers; i++)
		if ((set[i] = number_label(p, &m[i], err)) == 0)
			return false;
	return label_set(&p->s.labels, set, p->labelled.nothers, &p->labelled.last_set, err);
}

/* ---- labels of a sample ----------------------------------------------------------------------- */

/* True if the number looks like an operating system's thread id. */
static bool
is_tid(struct str s, uint32_t *tid)
{
	uint64_t v;

	if (s.n == 0 || s.n > 10 || s.s[0] == '0' || !str_number(&s, &v) || s.n > 0 || v > UINT32_MAX)
		return false;
	*tid = (uint32_t)v;
	return true;
}

/* Make a thread. An id that is not an operating system number is appended to the name. */
static uint32_t
make_thread(struct pprof *p, struct str name, struct str id, struct err *err)
{
	uint32_t tid = 0;

	if (id.n == 0 || is_tid(id, &tid))
		return samples_thread(&p->s, 0, tid, name, err);
	buf_clear(&p->text);
	buf_str(&p->text, name);
	buf_str(&p->text, name.n > 0 ? STR("/") : STR(""));
	buf_str(&p->text, id);
	if (!p->text.bad)
		return samples_thread(&p->s, 0, 0, buf_view(&p->text), err);
	fail(err, E_SYSTEM, "out of memory (names)");
	return 0;
}

/* Return the most important label seen with a key in [first, end); NULL: none. text: it must have a text. */
static const struct pprof_label *
best(const struct pprof_label *label, unsigned first, unsigned end, unsigned seen, bool text)
{
	for (unsigned k = first; k < end; k++)
		if ((seen >> k & 1) != 0 && (!text || label[k].text.n > 0))
			return &label[k];
	return NULL;
}

static uint32_t
find_thread(struct pprof *p, const struct pprof_label *label, unsigned seen, struct err *err)
{
	const struct pprof_label *name = best(label, KEY_NAME, KEY_ID, seen, true);
	const struct pprof_label *id = best(label, KEY_ID, KEYS_END, seen, false), *both = &label[KEY_THREAD];
	char digits[24];

	if ((seen >> KEY_THREAD & 1) != 0 && both->text.n > 0)
		name = name == NULL ? both : name;
	else if ((seen >> KEY_THREAD & 1) != 0)
		id = id == NULL ? both : id;
	if (id != NULL && id->text.n == 0)
		snprintf(digits, sizeof digits, "%" PRId64, (int64_t)id->number);
	return make_thread(p, name == NULL ? STR("") : name->text,
	    id == NULL ? STR("") : id->text.n > 0 ? id->text : str_of(digits), err);
}

bool
pprof_labels(struct pprof *p, struct str message, struct sample *sample, struct err *err)
{
	struct pprof_label label[KEYS_END] = { { STR(""), 0 } }, l;
	struct str labels = STR("");
	enum pprof_key key;
	unsigned seen = 0;

	p->labelled.nothers = 0;
	SHAPE_EACH(message, 3, in) {
		labels = (struct str){ labels.n > 0 ? labels.s : in.s, 0 };
		labels.n = (size_t)(in.s - labels.s) + in.n;
		if (!read_label(p, in, &key, &l, err))
			return false;
		if (key == KEY_NONE || ((seen >> key & 1) != 0 && label[key].text.n > 0))
			continue;
		assert(key < KEYS_END);
		label[key] = l;
		seen |= 1u << key;
	}
	/* Samples with the same labels often follow each other. */
	if (p->labelled.last_thread == 0 || !str_eq(labels, p->labelled.last)) {
		if (seen == 0 && p->labelled.no_thread == 0)
			p->labelled.no_thread = find_thread(p, label, seen, err);
		p->labelled.last_thread = seen == 0 ? p->labelled.no_thread : find_thread(p, label, seen, err);
		p->labelled.last = labels;
		if (p->labelled.last_thread == 0 || !other_set(p, err))
			return false;
	}
	sample->thread = p->labelled.last_thread;
	sample->labels = p->labelled.last_set;
	return true;
}
